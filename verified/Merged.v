(* How rows become items: the ranks of the orderings, groups of equal values, what is lost among them, and that a tree errs on the items as on the
   rows. *)

From Coq Require Import ZArith List Bool Lia Permutation Sorted Mergesort Orders.
From Treewright Require Import Trees Counts Checker Soundness Rows.
Import ListNotations.
Open Scope Z_scope.

(* Orderings, as a proof names them. `Groups`: the levels of each rank; the others come behind. *)
Inductive ranking := MissingFirst | MissingLast (rank : Z) | Groups (levels : list (list Z)).
Record named_ordering := NamedOrdering { of_column : nat; ranked : ranking }.

Fixpoint place (v : Z) (groups : list (list Z)) (at_ : Z) : Z :=
  match groups with
  | [] => at_
  | g :: rest => if existsb (Z.eqb v) g then at_ else place v rest (at_ + 1)
  end.

Definition rank_of (o : ranking) (v : Z) : Z :=
  match o with
  | MissingFirst => v
  | MissingLast m => if v =? missing then m else v
  | Groups groups => place v groups 0
  end.
Definition rank_in (o : named_ordering) (vs : list Z) : Z := rank_of (ranked o) (value (of_column o) vs).

(* Each item has its rank in each ordering: 2^n of them, found by n turns. *)
Fixpoint build (n : nat) (rs : list Z) : places :=
  match n with
  | O => Rank (nth 0 rs 0)
  | S n => Both (build n (firstn (2 ^ n) rs)) (build n (skipn (2 ^ n) rs))
  end.

Fixpoint paths (n : nat) : list (list bool) :=
  match n with
  | O => [[]]
  | S n => map (cons false) (paths n) ++ map (cons true) (paths n)
  end.

Definition turns (os : list named_ordering) : nat := Nat.log2_up (length os).
Definition ranks_of (os : list named_ordering) (vs : list Z) : places := build (turns os) (map (fun o => rank_in o vs) os).

Definition ordering_at (path : list bool) : ordering := fun x => look path (ranks x).
Definition all_paths (os : list named_ordering) : list (list bool) := firstn (length os) (paths (turns os)).
Definition all_orderings (os : list named_ordering) : list ordering := map ordering_at (all_paths os).

(* Rows of equal values, next to each other. *)
Fixpoint lexicographic (a b : list Z) : bool :=
  match a, b with
  | [], _ => true
  | _ :: _, [] => false
  | x :: a, y :: b => if x =? y then lexicographic a b else x <? y
  end.

Module RowOrder <: TotalLeBool.
  Definition t := row.
  Definition leb (a b : row) := lexicographic (values a) (values b).
  Theorem leb_total : forall a b, leb a b = true \/ leb b a = true.
  Proof.
    intros [a ? ?] [b ? ?]. unfold leb. simpl. revert b. induction a as [|x a IH]; intros [|y b]; simpl; auto.
    rewrite (Z.eqb_sym y x). destruct (Z.eqb_spec x y); auto. rewrite !Z.ltb_lt. lia.
  Qed.
End RowOrder.
Module RowSort := Sort RowOrder.

Fixpoint equal (a b : list Z) : bool :=
  match a, b with
  | [], [] => true
  | x :: a, y :: b => (x =? y) && equal a b
  | _, _ => false
  end.

(* The weights of the classes of each group. *)
Definition group := (list Z * list Z)%type.

Fixpoint gather (classes : nat) (rs : list row) (vs cs : list Z) (done : list group) : list group :=
  match rs with
  | [] => (vs, cs) :: done
  | r :: rest =>
      if equal vs (values r) then gather classes rest vs (add (label r) (row_weight r) cs) done
      else gather classes rest (values r) (add (label r) (row_weight r) (zeros classes)) ((vs, cs) :: done)
  end.
Definition groups_of (data : table) : list group :=
  match RowSort.sort (rows data) with
  | [] => []
  | r :: rest => gather (classes data) rest (values r) (add (label r) (row_weight r) (zeros (classes data))) []
  end.

Fixpoint least (cs : list Z) : Z :=
  match cs with
  | [] => 0
  | [c] => c
  | c :: rest => Z.min c (least rest)
  end.

Fixpoint remaining (m : Z) (rs : places) (k : Z) (cs : list Z) (others : list item) : list item :=
  match cs with
  | [] => others
  | c :: rest =>
      if c =? m then remaining m rs (k + 1) rest others else Item k (c - m) rs :: remaining m rs (k + 1) rest others
  end.

Fixpoint items_of (os : list named_ordering) (gs : list group) : list item :=
  match gs with
  | [] => []
  | (vs, cs) :: rest => remaining (least cs) (ranks_of os vs) 0 cs (items_of os rest)
  end.

(* The weight that every tree loses, of all classes of a group but one. *)
Fixpoint lost_in (gs : list group) : Z :=
  match gs with
  | [] => 0
  | (_, cs) :: rest => least cs * (Z.of_nat (length cs) - 1) + lost_in rest
  end.
Definition lost (data : table) : Z := lost_in (groups_of data).

(* Items in the order of each ordering. *)
Module KeyOrder <: TotalLeBool.
  Definition t := (Z * item)%type.
  Definition leb (a b : t) := fst a <=? fst b.
  Theorem leb_total : forall a b, leb a b = true \/ leb b a = true.
  Proof. intros a b. unfold leb. rewrite !Z.leb_le. lia. Qed.
End KeyOrder.
Module KeySort := Sort KeyOrder.

Definition sorted (f : ordering) (xs : list item) : list item := map snd (KeySort.sort (map (fun x => (f x, x)) xs)).
Definition whole (fs : list ordering) (xs : list item) : part := Part xs (map (fun f => (f, sorted f xs)) fs).

(* Rows and values are as the rest takes for granted. *)
Definition well_formed (data : table) : bool :=
  forallb (fun r => (0 <=? row_weight r) && (0 <=? label r) && (label r <? Z.of_nat (classes data))) (rows data).

Lemma length_paths n : length (paths n) = (2 ^ n)%nat.
Proof. induction n as [|n IH]; [reflexivity|]. simpl paths. rewrite app_length, !map_length, IH. simpl. lia. Qed.

Lemma nth_firstn (rs : list Z) : forall k i, (i < k)%nat -> nth i (firstn k rs) 0 = nth i rs 0.
Proof. induction rs as [|r rs IH]; intros [|k] [|i] L; simpl; try lia; auto. apply IH. lia. Qed.

Lemma nth_skipn (rs : list Z) : forall k i, nth i (skipn k rs) 0 = nth (k + i) rs 0.
Proof. induction rs as [|r rs IH]; intros [|k] i; simpl; auto. destruct i; reflexivity. Qed.

Lemma look_build n : forall rs i path, nth_error (paths n) i = Some path -> look path (build n rs) = nth i rs 0.
Proof.
  induction n as [|n IH]; intros rs i path E; simpl paths in E.
  - destruct i as [|[|i]]; inversion E; subst; reflexivity.
  - assert (L : length (map (cons false) (paths n)) = (2 ^ n)%nat) by (rewrite map_length; apply length_paths).
    destruct (Nat.lt_ge_cases i (2 ^ n)) as [C|C].
    + rewrite nth_error_app1 in E by lia. destruct (nth_error (paths n) i) as [q|] eqn:Q.
      * rewrite (map_nth_error _ _ _ Q) in E. inversion E; subst. simpl. rewrite (IH _ _ _ Q). apply nth_firstn, C.
      * apply nth_error_None in Q. rewrite length_paths in Q. lia.
    + rewrite nth_error_app2 in E by lia. rewrite L in E. destruct (nth_error (paths n) (i - 2 ^ n)) as [q|] eqn:Q.
      * rewrite (map_nth_error _ _ _ Q) in E. inversion E; subst. simpl. rewrite (IH _ _ _ Q), nth_skipn. f_equal. lia.
      * apply nth_error_None in Q. assert (X : nth_error (map (cons true) (paths n)) (i - 2 ^ n) <> None) by congruence.
        apply nth_error_Some in X. rewrite map_length in X. lia.
Qed.

Lemma enough_turns os : (length os <= 2 ^ turns os)%nat.
Proof.
  unfold turns. destruct (length os) as [|[|n]]; [simpl; lia|simpl; lia|]. apply Nat.log2_log2_up_spec. lia.
Qed.

(* Every ordering of a proof is one of the items' orderings. *)
Lemma ordering_of os o : In o os -> exists path, In path (all_paths os) /\ forall vs, look path (ranks_of os vs) = rank_in o vs.
Proof.
  intros I. apply In_nth_error in I. destruct I as (i & I).
  assert (L : (i < length os)%nat) by (apply nth_error_Some; congruence). pose proof (enough_turns os) as T.
  destruct (nth_error (all_paths os) i) as [path|] eqn:P.
  - exists path. split; [eapply nth_error_In; eauto|]. intros vs.
    assert (Q : nth_error (paths (turns os)) i = Some path).
    { rewrite <- (firstn_skipn (length os) (paths (turns os))). unfold all_paths in P.
      rewrite nth_error_app1; [exact P|]. apply nth_error_Some. congruence. }
    unfold ranks_of. rewrite (look_build _ _ _ _ Q). apply nth_error_nth. exact (map_nth_error (fun o => rank_in o vs) _ _ I).
  - apply nth_error_None in P. unfold all_paths in P. rewrite firstn_length, length_paths in P. lia.
Qed.

Lemma sum_rows_perm g a b : Permutation a b -> sum_rows g a = sum_rows g b.
Proof. induction 1; simpl; lia. Qed.

Lemma equal_eq a : forall b, equal a b = true -> a = b.
Proof.
  induction a as [|x a IH]; intros [|y b] E; simpl in E; try discriminate; auto.
  apply andb_true_iff in E. destruct E as (E & F). apply Z.eqb_eq in E. f_equal; auto.
Qed.

Lemma sorted_perm f xs : Permutation xs (sorted f xs).
Proof.
  unfold sorted. replace xs with (map snd (map (fun x => (f x, x)) xs)) at 1.
  - apply Permutation_map, KeySort.Permuted_sort.
  - rewrite map_map. simpl. apply map_id.
Qed.

Lemma sorted_sorted f xs : sorted_by f (sorted f xs).
Proof.
  unfold sorted. set (l := KeySort.sort _).
  assert (K : forall kx, In kx l -> fst kx = f (snd kx)).
  { intros kx I. eapply Permutation_in in I; [|apply Permutation_sym, KeySort.Permuted_sort].
    apply in_map_iff in I. destruct I as (x & <- & _). reflexivity. }
  assert (S : StronglySorted (fun a b => is_true (KeyOrder.leb a b)) l).
  { apply KeySort.StronglySorted_sort. intros a b c. unfold is_true, KeyOrder.leb. rewrite !Z.leb_le. lia. }
  clearbody l. induction S as [|a l S IH F]; simpl; [constructor|]. constructor.
  - apply IH. intros; apply K; simpl; auto.
  - rewrite Forall_forall in *. intros y I. apply in_map_iff in I. destruct I as (b & <- & I). specialize (F b I).
    unfold is_true, KeyOrder.leb in F. apply Z.leb_le in F. rewrite <- !K; simpl; auto.
Qed.

Lemma whole_faithful classes fs xs : good classes xs -> faithful classes fs (whole fs xs).
Proof.
  intros G. split; [exact G|]. split; simpl.
  - rewrite map_map. apply map_id.
  - intros f ys I. apply in_map_iff in I. destruct I as (g & E & I). inversion E; subst. split; [apply sorted_perm|apply sorted_sorted].
Qed.

(* Groups. `p`: what a tree predicts for values. *)
Section Merged.

Variable p : list Z -> Z.

Fixpoint entry (k : Z) (cs : list Z) : Z :=
  match cs with
  | [] => 0
  | c :: rest => if k =? 0 then c else entry (k - 1) rest
  end.

Definition wrong (g : group) : Z := total (snd g) - entry (p (fst g)) (snd g).
Fixpoint all_wrong (gs : list group) : Z :=
  match gs with
  | [] => 0
  | g :: rest => wrong g + all_wrong rest
  end.

Lemma total_add w cs : forall k, 0 <= k < Z.of_nat (length cs) -> total (add k w cs) = total cs + w.
Proof.
  induction cs as [|c cs IH]; intros k K; simpl length in K; simpl add; [lia|].
  destruct (Z.eqb_spec k 0); simpl total; [lia|]. rewrite IH by lia. lia.
Qed.

Lemma entry_add w cs : forall j k, 0 <= k < Z.of_nat (length cs) -> entry j (add k w cs) = entry j cs + (if j =? k then w else 0).
Proof.
  induction cs as [|c cs IH]; intros j k K; simpl length in K; simpl add; [lia|].
  destruct (Z.eqb_spec k 0) as [->|N]; simpl entry.
  - destruct (Z.eqb_spec j 0); lia.
  - destruct (Z.eqb_spec j 0) as [->|M]; [destruct (Z.eqb_spec 0 k); lia|]. rewrite IH by lia.
    destruct (Z.eqb_spec (j - 1) (k - 1)), (Z.eqb_spec j k); lia.
Qed.

Lemma length_add w cs : forall k, length (add k w cs) = length cs.
Proof. induction cs as [|c cs IH]; intros k; simpl; [reflexivity|]. destruct (k =? 0); simpl; auto. Qed.

Lemma length_zeros n : length (zeros n) = n.
Proof. induction n; simpl; auto. Qed.

Lemma zeros_entry n : forall k, entry k (zeros n) = 0.
Proof. induction n as [|n IH]; intros k; simpl; [reflexivity|]. destruct (k =? 0); auto. Qed.

Lemma zeros_total n : total (zeros n) = 0.
Proof. induction n; simpl; lia. Qed.

Lemma gather_wrong classes rs : forall vs cs done, length cs = classes ->
  (forall r, In r rs -> 0 <= label r < Z.of_nat classes) ->
  all_wrong (gather classes rs vs cs done) =
  sum_rows (fun r => if p (values r) =? label r then 0 else row_weight r) rs + wrong (vs, cs) + all_wrong done.
Proof.
  induction rs as [|r rs IH]; intros vs cs done L K; simpl; [lia|].
  pose proof (K r (or_introl eq_refl)) as Kr.
  assert (K' : forall r, In r rs -> 0 <= label r < Z.of_nat classes) by (intros; apply K; simpl; auto).
  destruct (equal vs (values r)) eqn:E.
  - apply equal_eq in E. subst vs. rewrite IH; auto; [|rewrite length_add; exact L]. unfold wrong. simpl.
    rewrite total_add, entry_add by (rewrite L; exact Kr). destruct (p (values r) =? label r); lia.
  - rewrite IH; auto; [|rewrite length_add, length_zeros; reflexivity]. simpl. unfold wrong. simpl.
    rewrite total_add, entry_add by (rewrite length_zeros; exact Kr). rewrite zeros_entry, zeros_total.
    destruct (p (values r) =? label r); lia.
Qed.

Lemma gather_values classes (v : list Z -> Prop) rs : forall vs cs done, (forall r, In r rs -> v (values r)) -> v vs ->
  (forall g, In g done -> v (fst g)) -> forall g, In g (gather classes rs vs cs done) -> v (fst g).
Proof.
  induction rs as [|r rs IH]; intros vs cs done V S D g I; simpl in I.
  - destruct I as [<-|I]; auto.
  - assert (V' : forall r, In r rs -> v (values r)) by (intros; apply V; simpl; auto).
    destruct (equal vs (values r)).
    + eapply IH; [exact V'| |exact D|exact I]. exact S.
    + eapply IH; [exact V'| | |exact I]; [apply V; simpl; auto|]. intros h [<-|J]; auto.
Qed.

Lemma nonneg_add w cs : 0 <= w -> forall k, (forall c, In c cs -> 0 <= c) -> forall c, In c (add k w cs) -> 0 <= c.
Proof.
  intros W. induction cs as [|c cs IH]; intros k N d I; simpl in I; [destruct I|].
  pose proof (N c (or_introl eq_refl)). assert (N' : forall d, In d cs -> 0 <= d) by (intros; apply N; simpl; auto).
  destruct (k =? 0); destruct I as [<-|I]; try lia; auto. eapply IH; eauto.
Qed.

Lemma nonneg_zeros n : forall c, In c (zeros n) -> 0 <= c.
Proof. induction n; simpl; [tauto|]. intros c [<-|I]; [lia|auto]. Qed.

Definition sane (classes : nat) (g : group) : Prop := length (snd g) = classes /\ forall c, In c (snd g) -> 0 <= c.

Lemma gather_sane classes rs : forall vs cs done, (forall r, In r rs -> 0 <= row_weight r) -> sane classes (vs, cs) ->
  (forall g, In g done -> sane classes g) -> forall g, In g (gather classes rs vs cs done) -> sane classes g.
Proof.
  induction rs as [|r rs IH]; intros vs cs done W S D g I; simpl in I.
  - destruct I as [<-|I]; auto.
  - pose proof (W r (or_introl eq_refl)). assert (W' : forall r, In r rs -> 0 <= row_weight r) by (intros; apply W; simpl; auto).
    destruct S as (S1 & S2). simpl in S1, S2. destruct (equal vs (values r)).
    + eapply IH; [exact W'| |exact D|exact I]. split; simpl; [rewrite length_add; exact S1|]. apply nonneg_add; auto.
    + eapply IH; [exact W'| | |exact I].
      * split; simpl; [rewrite length_add; apply length_zeros|]. apply nonneg_add; auto. apply nonneg_zeros.
      * intros h [<-|J]; [split; auto|auto].
Qed.

Lemma least_cons c d cs : least (c :: d :: cs) = Z.min c (least (d :: cs)).
Proof. reflexivity. Qed.

Lemma least_le cs : forall c, In c cs -> least cs <= c.
Proof.
  induction cs as [|d [|e cs] IH]; intros c I; [destruct I|destruct I as [<-|[]]; simpl; lia|].
  rewrite least_cons. destruct I as [<-|I]; [lia|]. apply IH in I. lia.
Qed.

Lemma least_nonneg cs : (forall c, In c cs -> 0 <= c) -> 0 <= least cs.
Proof.
  induction cs as [|d [|e cs] IH]; intros N; [simpl; lia|apply N; simpl; auto|].
  rewrite least_cons. pose proof (N d (or_introl eq_refl)). apply Z.min_glb; [lia|]. apply IH. intros; apply N; simpl; auto.
Qed.

Variable t : tree.

Lemma remaining_good classes m rs others cs : forall k, 0 <= k -> k + Z.of_nat (length cs) <= Z.of_nat classes ->
  (forall c, In c cs -> m <= c) -> good classes others -> good classes (remaining m rs k cs others).
Proof.
  induction cs as [|c cs IH]; intros k K L M G; simpl remaining; [exact G|]. simpl length in L.
  pose proof (M c (or_introl eq_refl)).
  assert (H0 : good classes (remaining m rs (k + 1) cs others)) by (apply IH; auto; [lia|lia|intros; apply M; simpl; auto]).
  destruct (c =? m); [exact H0|]. intros x [<-|I]; [simpl; lia|apply H0, I].
Qed.

(* The entry of a class that the group has is at least m; of others it is 0. *)
Lemma remaining_errors m rs others cs : forall k q, (forall x, ranks x = rs -> predict t x = q) ->
  errors t (remaining m rs k cs others) =
  total cs - Z.of_nat (length cs) * m
  - (if (k <=? q) && (q <? k + Z.of_nat (length cs)) then entry (q - k) cs - m else 0) + errors t others.
Proof.
  induction cs as [|c cs IH]; intros k q Q; simpl remaining; simpl length; simpl total.
  - destruct (Z.leb_spec k q), (Z.ltb_spec q (k + Z.of_nat 0)); simpl andb; cbv iota; lia.
  - assert (E : errors t (if c =? m then remaining m rs (k + 1) cs others else Item k (c - m) rs :: remaining m rs (k + 1) cs others)
              = (if q =? k then 0 else c - m) + errors t (remaining m rs (k + 1) cs others)).
    { destruct (Z.eqb_spec c m) as [->|N]; [destruct (q =? k); lia|]. unfold errors. rewrite sum_cons. f_equal.
      unfold err. rewrite Q by reflexivity. simpl. reflexivity. }
    rewrite E, (IH (k + 1) q Q). simpl entry.
    destruct (Z.eqb_spec q k) as [->|N].
    + rewrite Z.sub_diag, Z.eqb_refl.
      destruct (Z.leb_spec k k), (Z.ltb_spec k (k + Z.of_nat (S (length cs)))), (Z.leb_spec (k + 1) k); simpl andb; cbv iota; try lia.
    + destruct (Z.eqb_spec (q - k) 0); [lia|]. replace (q - (k + 1)) with (q - k - 1) by lia.
      destruct (Z.leb_spec k q), (Z.leb_spec (k + 1) q), (Z.ltb_spec q (k + Z.of_nat (S (length cs)))),
        (Z.ltb_spec q (k + 1 + Z.of_nat (length cs))); simpl andb; cbv iota; lia.
Qed.

Lemma entry_out cs : forall k, (k < 0 \/ Z.of_nat (length cs) <= k) -> entry k cs = 0.
Proof.
  induction cs as [|c cs IH]; intros k K; simpl; [reflexivity|]. simpl length in K.
  destruct (Z.eqb_spec k 0); [lia|]. apply IH. lia.
Qed.

Lemma items_errors classes os gs : (forall g, In g gs -> sane classes g) ->
  (forall vs cs, In (vs, cs) gs -> forall x, ranks x = ranks_of os vs -> predict t x = p vs) ->
  errors t (items_of os gs) + lost_in gs <= all_wrong gs.
Proof.
  induction gs as [|(vs, cs) gs IH]; intros S P; simpl; [unfold errors; rewrite sum_nil; lia|].
  assert (I : errors t (items_of os gs) + lost_in gs <= all_wrong gs).
  { apply IH; [intros; apply S; simpl; auto|]. intros us ds J. apply (P us ds). simpl. auto. }
  rewrite (remaining_errors _ _ _ _ 0 (p vs)) by (apply (P vs cs); simpl; auto).
  destruct (S _ (or_introl eq_refl)) as (_ & N). simpl in N. pose proof (least_nonneg cs N).
  unfold wrong. simpl fst. simpl snd. rewrite Z.sub_0_r, Z.add_0_l.
  destruct (Z.leb_spec 0 (p vs)), (Z.ltb_spec (p vs) (Z.of_nat (length cs))); simpl andb; cbv iota;
    try (rewrite entry_out by lia); lia.
Qed.

Lemma items_good classes os gs : (forall g, In g gs -> sane classes g) -> good classes (items_of os gs).
Proof.
  induction gs as [|(vs, cs) gs IH]; intros S; simpl; [intros x []|].
  destruct (S _ (or_introl eq_refl)) as (L & N). simpl in L, N.
  apply remaining_good; [lia|rewrite L; lia|apply least_le|]. apply IH. intros; apply S; simpl; auto.
Qed.

End Merged.
