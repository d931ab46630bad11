(* How rows become items: the ranks of the orderings, groups of equal values, what is lost among them, and that a tree costs the items what it
   costs the rows, less what is lost. *)

From Coq Require Import ZArith List Bool Lia Permutation Sorted Mergesort Orders.
From Treewright Require Import Trees Counts Checker Soundness Rows.
Import ListNotations.
Open Scope Z_scope.

(* A search tree, whose keys ascend. *)
Inductive index (K : Type) := Nowhere | Split (below : index K) (key : K) (found : Z) (above : index K).
Arguments Nowhere {K}.
Arguments Split {K}.
Fixpoint rank_by_code (t : index Z) (v otherwise : Z) : Z :=
  match t with
  | Nowhere => otherwise
  | Split below code rank above => if v =? code then rank else if v <? code then rank_by_code below v otherwise else rank_by_code above v otherwise
  end.

(* Orderings of a column. Those of levels give each its rank, and the others the rank `otherwise`. *)
Inductive ranking := MissingFirst | MissingLast (rank : Z) | Levels (known : index Z) (otherwise : Z).
Record named_ordering := NamedOrdering { of_column : nat; ranked : ranking }.

Definition rank_of (o : ranking) (v : Z) : Z :=
  match o with
  | MissingFirst => v
  | MissingLast m => if v =? missing then m else v
  | Levels known otherwise => rank_by_code known v otherwise
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
    intros [a ?] [b ?]. unfold leb. simpl. revert b. induction a as [|x a IH]; intros [|y b]; simpl; auto.
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

(* The values of a group, what each label costs its rows, and how many these are. *)
Definition group := (list Z * list Z * Z)%type.

Fixpoint gather (rs : list row) (vs cs : list Z) (n : Z) (done : list group) : list group :=
  match rs with
  | [] => (vs, cs, n) :: done
  | r :: rest =>
      if equal vs (values r) then gather rest vs (plus (costs r) cs) (n + 1) done
      else gather rest (values r) (costs r) 1 ((vs, cs, n) :: done)
  end.
Definition groups_of (data : table) : list group :=
  match RowSort.sort (rows data) with
  | [] => []
  | r :: rest => gather rest (values r) (costs r) 1 []
  end.

Fixpoint least (cs : list Z) : Z :=
  match cs with
  | [] => 0
  | [c] => c
  | c :: rest => Z.min c (least rest)
  end.

(* A group in which all labels cost the same is no item, unless leaves must hold m rows: then it helps them to. *)
Fixpoint items_of (m : Z) (os : list named_ordering) (gs : list group) : list item :=
  match gs with
  | [] => []
  | (vs, cs, n) :: rest =>
      let lo := least cs in
      let hi := most cs in
      if (m =? 0) && (hi =? lo) then items_of m os rest
      else Item (hi - lo) (map (fun c => hi - c) cs) (ranks_of os vs) n :: items_of m os rest
  end.

(* What every tree loses: the least cost of each group. *)
Fixpoint lost_in (gs : list group) : Z :=
  match gs with
  | [] => 0
  | (_, cs, _) :: rest => least cs + lost_in rest
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
  forallb (fun r => Nat.eqb (length (costs r)) (classes data) && forallb (Z.leb 0) (costs r)) (rows data).

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

Lemma whole_faithful w fs xs : good w xs -> faithful w fs (whole fs xs).
Proof.
  intros G. split; [exact G|]. split; simpl.
  - rewrite map_map. apply map_id.
  - intros f ys I. apply in_map_iff in I. destruct I as (g & E & I). inversion E; subst. split; [apply sorted_perm|apply sorted_sorted].
Qed.

(* Groups. `p`: what a tree predicts for values. *)
Section Merged.

Variable classes : nat.
Variable p : list Z -> Z.
Hypothesis p_is_label : forall vs, 0 <= p vs < Z.of_nat classes.

Definition of_group (g : group) : Z := at_label (p (fst (fst g))) (snd (fst g)).
Fixpoint all_groups (gs : list group) : Z :=
  match gs with
  | [] => 0
  | g :: rest => of_group g + all_groups rest
  end.

Lemma gather_cost rs : forall vs cs n done, length cs = classes -> (forall r, In r rs -> length (costs r) = classes) ->
  all_groups (gather rs vs cs n done) =
  sum_rows (fun r => at_label (p (values r)) (costs r)) rs + of_group (vs, cs, n) + all_groups done.
Proof.
  induction rs as [|r rs IH]; intros vs cs n done L K; simpl; [lia|].
  pose proof (K r (or_introl eq_refl)) as Kr.
  assert (K' : forall r, In r rs -> length (costs r) = classes) by (intros; apply K; simpl; auto).
  destruct (equal vs (values r)) eqn:E.
  - apply equal_eq in E. subst vs. rewrite IH; auto; [|rewrite length_plus; exact L]. unfold of_group. simpl.
    rewrite at_label_plus by congruence. lia.
  - rewrite IH; auto. simpl. unfold of_group. simpl. lia.
Qed.

Lemma gather_values (v : list Z -> Prop) rs : forall vs cs n done, (forall r, In r rs -> v (values r)) -> v vs ->
  (forall g, In g done -> v (fst (fst g))) -> forall g, In g (gather rs vs cs n done) -> v (fst (fst g)).
Proof.
  induction rs as [|r rs IH]; intros vs cs n done V S D g I; simpl in I.
  - destruct I as [<-|I]; auto.
  - assert (V' : forall r, In r rs -> v (values r)) by (intros; apply V; simpl; auto).
    destruct (equal vs (values r)).
    + eapply IH; [exact V'| |exact D|exact I]. exact S.
    + eapply IH; [exact V'| | |exact I]; [apply V; simpl; auto|]. intros h [<-|J]; auto.
Qed.

Lemma nonneg_plus gs : forall cs, (forall c, In c gs -> 0 <= c) -> (forall c, In c cs -> 0 <= c) -> forall c, In c (plus gs cs) -> 0 <= c.
Proof.
  induction gs as [|g gs IH]; intros [|d cs] G N c I; simpl in I; try (destruct I; fail); [apply N; exact I|].
  pose proof (G g (or_introl eq_refl)). pose proof (N d (or_introl eq_refl)). destruct I as [<-|I]; [lia|].
  apply (IH cs); auto; intros; [apply G|apply N]; simpl; auto.
Qed.

Definition sane (g : group) : Prop := length (snd (fst g)) = classes /\ (forall c, In c (snd (fst g)) -> 0 <= c) /\ 0 <= snd g.
Definition one_row (r : row) : group := (values r, costs r, 1).

Lemma gather_sane rs : forall vs cs n done, (forall r, In r rs -> sane (one_row r)) -> sane (vs, cs, n) ->
  (forall g, In g done -> sane g) -> forall g, In g (gather rs vs cs n done) -> sane g.
Proof.
  induction rs as [|r rs IH]; intros vs cs n done W S D g I; simpl in I.
  - destruct I as [<-|I]; auto.
  - pose proof (W r (or_introl eq_refl)) as R. pose proof R as (R1 & R2 & _). simpl in R1, R2.
    assert (W' : forall r, In r rs -> sane (one_row r)) by (intros; apply W; simpl; auto).
    pose proof S as (S1 & S2 & S3). simpl in S1, S2, S3. destruct (equal vs (values r)).
    + eapply IH; [exact W'| |exact D|exact I]. split; [|split]; simpl; [rewrite length_plus; exact S1|apply nonneg_plus; auto|lia].
    + eapply IH; [exact W'|exact R| |exact I]. intros h [<-|J]; auto.
Qed.

(* How many rows have values of some kind. *)
Definition counted_rows (q : list Z -> bool) : list row -> Z := sum_rows (fun r => if q (values r) then 1 else 0).
Fixpoint grouped_rows (q : list Z -> bool) (gs : list group) : Z :=
  match gs with
  | [] => 0
  | (vs, _, n) :: rest => (if q vs then n else 0) + grouped_rows q rest
  end.

Lemma gather_rows q rs : forall vs cs n done,
  grouped_rows q (gather rs vs cs n done) = counted_rows q rs + (if q vs then n else 0) + grouped_rows q done.
Proof.
  unfold counted_rows. induction rs as [|r rs IH]; intros vs cs n done; simpl; [lia|].
  destruct (equal vs (values r)) eqn:E; rewrite IH; simpl.
  - apply equal_eq in E. subst vs. destruct (q (values r)); lia.
  - destruct (q (values r)), (q vs); lia.
Qed.

Lemma groups_rows q data : grouped_rows q (groups_of data) = counted_rows q (rows data).
Proof.
  unfold counted_rows at 1. rewrite (sum_rows_perm _ _ _ (RowSort.Permuted_sort (rows data))). unfold groups_of.
  destruct (RowSort.sort (rows data)) as [|r rs]; [reflexivity|]. rewrite gather_rows. unfold counted_rows. simpl. lia.
Qed.

Lemma least_cons c d cs : least (c :: d :: cs) = Z.min c (least (d :: cs)).
Proof. reflexivity. Qed.

Lemma least_le cs : forall c, In c cs -> least cs <= c.
Proof.
  induction cs as [|d [|e cs] IH]; intros c I; [destruct I|destruct I as [<-|[]]; simpl; lia|].
  rewrite least_cons. destruct I as [<-|I]; [lia|]. apply IH in I. lia.
Qed.

Variable t : tree.

Lemma items_errors m os gs : (forall g, In g gs -> sane g) ->
  (forall vs cs n, In (vs, cs, n) gs -> forall x, ranks x = ranks_of os vs -> predict t x = p vs) ->
  errors t (items_of m os gs) + lost_in gs <= all_groups gs.
Proof.
  induction gs as [|((vs, cs), n) gs IH]; intros S P; cbn [items_of lost_in all_groups]; [unfold errors; rewrite sum_nil; lia|].
  assert (I : errors t (items_of m os gs) + lost_in gs <= all_groups gs).
  { apply IH; [intros; apply S; simpl; auto|]. intros us ds k J. apply (P us ds k). simpl. auto. }
  destruct (S _ (or_introl eq_refl)) as (L & _). simpl in L. unfold of_group. simpl fst. simpl snd.
  assert (K : 0 <= p vs < Z.of_nat (length cs)) by (rewrite L; apply p_is_label).
  pose proof (least_le cs _ (at_label_in cs _ K)). cbv zeta. destruct (_ && _); [lia|].
  unfold errors in *. rewrite sum_cons. rewrite (P vs cs n) by (simpl; auto). unfold err at 1. simpl reach. simpl gains.
  rewrite at_label_map by exact K. lia.
Qed.

Lemma items_good m os gs : (forall g, In g gs -> sane g) -> good (of_labels classes) (items_of m os gs).
Proof.
  induction gs as [|((vs, cs), n) gs IH]; intros S; cbn [items_of]; [intros x []|].
  assert (H0 : good (of_labels classes) (items_of m os gs)) by (apply IH; intros; apply S; simpl; auto). cbv zeta.
  destruct (_ && _); [exact H0|]. intros x [<-|I]; [|apply H0, I].
  destruct (S _ (or_introl eq_refl)) as (L & _ & N). simpl in L, N.
  assert (B : forall c, In c cs -> least cs <= c <= most cs) by (intros c C; pose proof (least_le cs c C); pose proof (most_in c cs C); lia).
  split; [|split; [|split]]; simpl; [| | |exact N].
  - destruct cs as [|c cs]; [simpl; lia|]. specialize (B c (or_introl eq_refl)). lia.
  - rewrite map_length. exact L.
  - intros g G. apply in_map_iff in G. destruct G as (c & <- & C). specialize (B c C). lia.
Qed.

(* Rows, each as an item of its own, of which only its ranks and that it is one matter. *)
Definition single (os : list named_ordering) (r : row) : item := Item 0 [] (ranks_of os (values r)) 1.

Definition of_ranks (q : places -> bool) (xs : list item) : Z := all_rows (filter (fun x => q (ranks x)) xs).

Lemma of_ranks_cons q x xs : of_ranks q (x :: xs) = (if q (ranks x) then size x else 0) + of_ranks q xs.
Proof. unfold of_ranks, all_rows. simpl. destruct (q (ranks x)); rewrite ?sum_cons; lia. Qed.

Lemma singles_rows q os rs : of_ranks q (map (single os) rs) = counted_rows (fun vs => q (ranks_of os vs)) rs.
Proof.
  unfold counted_rows. induction rs as [|r rs IH]; [reflexivity|]. simpl map. rewrite of_ranks_cons, IH. reflexivity.
Qed.

Lemma items_rows m q os gs : m <> 0 -> of_ranks q (items_of m os gs) = grouped_rows (fun vs => q (ranks_of os vs)) gs.
Proof.
  intros M. induction gs as [|((vs, cs), n) gs IH]; [reflexivity|]. cbn [items_of grouped_rows]. cbv zeta.
  destruct (Z.eqb_spec m 0); [contradiction|]. cbn [andb]. rewrite of_ranks_cons, IH. reflexivity.
Qed.

(* A tree's leaves hold as many rows of the items as of the single rows. *)
Lemma fits_by_ranks m os u : in_orderings (all_orderings os) u -> forall xs ys, (forall q, of_ranks q xs = of_ranks q ys) ->
  fits m u xs -> fits m u ys.
Proof.
  induction u as [k|f c l IHl r IHr]; intros F xs ys E; simpl.
  - specialize (E (fun _ => true)). unfold of_ranks in E. rewrite !filter_every in E by reflexivity. rewrite E. auto.
  - destruct F as (Ff & Fl & Fr). apply in_map_iff in Ff. destruct Ff as (path & <- & _).
    assert (H : forall q (s : bool -> bool) zs, of_ranks q (filter (fun x => s (ordering_at path x <? c)) zs) =
      of_ranks (fun p => s (look path p <? c) && q p) zs).
    { intros q s zs. induction zs as [|z zs IH]; [reflexivity|]. rewrite of_ranks_cons, <- IH. simpl.
      change (ordering_at path z) with (look path (ranks z)). destruct (s (look path (ranks z) <? c)); [rewrite of_ranks_cons|]; reflexivity. }
    intros (L & R). split.
    + eapply IHl; [exact Fl| |exact L]. intros q. unfold low. rewrite !(H q (fun b => b)). apply E.
    + eapply IHr; [exact Fr| |exact R]. intros q. unfold high. rewrite !(H q negb). apply E.
Qed.

Lemma fits_merged m os u data : m <> 0 -> in_orderings (all_orderings os) u ->
  fits m u (map (single os) (rows data)) -> fits m u (items_of m os (groups_of data)).
Proof.
  intros M F. apply fits_by_ranks with (os := os); [exact F|]. intros q. rewrite singles_rows, items_rows by exact M.
  symmetry. apply groups_rows.
Qed.

End Merged.
