(* That the orderings of a proof hold every split of the family. *)

From Coq Require Import ZArith List Bool Lia Permutation Sorted Mergesort Orders.
From Treewright Require Import Trees Counts Checker Soundness Alike Rows Merged.
Import ListNotations.
Open Scope Z_scope.

(* Sets of lists of booleans, by their first entry. *)
Inductive sets := Nothing | End | Fork (yes no : sets).

Fixpoint put (bs : list bool) (s : sets) : sets :=
  match bs with
  | [] => End
  | b :: bs =>
      match s with
      | Fork y n => if b then Fork (put bs y) n else Fork y (put bs n)
      | _ => if b then Fork (put bs Nothing) Nothing else Fork Nothing (put bs Nothing)
      end
  end.

Fixpoint has (bs : list bool) (s : sets) : bool :=
  match bs, s with
  | [], End => true
  | b :: bs, Fork y n => has bs (if b then y else n)
  | _, _ => false
  end.

(* Every list of n booleans. *)
Fixpoint full (n : nat) (s : sets) : bool :=
  match n, s with
  | O, End => true
  | S n, Fork y z => full n y && full n z
  | _, _ => false
  end.

Definition below (c : Z) (rs : list Z) : list bool := map (fun r => r <? c) rs.

Fixpoint put_cuts (rs cuts : list Z) (s : sets) : sets :=
  match cuts with
  | [] => s
  | c :: rest => put_cuts rs rest (put (map negb (below c rs)) (put (below c rs) s))
  end.

Fixpoint put_rankings (present : list Z) (os : list ranking) (s : sets) : sets :=
  match os with
  | [] => s
  | o :: rest => let rs := map (rank_of o) present in put_rankings present rest (put_cuts rs rs s)
  end.

(* What labels gain in the rows of each level: rows sorted by level, and those of one level added up. *)
Module GainOrder <: TotalLeBool.
  Definition t := (Z * list Z)%type.
  Definition leb (a b : t) := fst a <=? fst b.
  Theorem leb_total : forall a b, leb a b = true \/ leb b a = true.
  Proof. intros a b. unfold leb. rewrite !Z.leb_le. lia. Qed.
End GainOrder.
Module GainSort := Sort GainOrder.

Definition gains_of (r : row) : list Z := let top := most (costs r) in map (fun c => top - c) (costs r).
Fixpoint add_up (v : Z) (gs : list Z) (xs done : list (Z * list Z)) : list (Z * list Z) :=
  match xs with
  | [] => (v, gs) :: done
  | (w, hs) :: rest => if v =? w then add_up v (plus hs gs) rest done else add_up w hs rest ((v, gs) :: done)
  end.
Definition gains_by_level (data : table) (j : nat) : list (Z * list Z) :=
  match GainSort.sort (map (fun r => (value j (values r), gains_of r)) (rows data)) with
  | [] => []
  | (v, gs) :: rest => add_up v gs rest []
  end.

(* Of two pairs of a number and one that is more than 0: the first share is at most the second. *)
Definition share_leb (a b : Z * Z) : bool := fst a * snd b <=? fst b * snd a.

(* A level that stands alone before or behind all others. It is found first, and then it is compared with all of them. *)
Fixpoint least_ranked (f : Z -> Z) (vs : list Z) (best : Z) : Z :=
  match vs with
  | [] => best
  | v :: rest => least_ranked f rest (if f v <? f best then v else best)
  end.
Definition apart_in (f : Z -> Z) (present : list Z) : list Z :=
  match present with
  | [] => []
  | v :: _ =>
      let first := least_ranked f present v in
      let r := f first in
      if forallb (fun w => (w =? first) || (r <? f w)) present then [first] else []
  end.
Definition apart (present : list Z) (o : ranking) : list Z := apart_in (rank_of o) present ++ apart_in (fun v => - rank_of o v) present.

(* The share of a label in the gains of a level. *)
Definition share (k : Z) (gs : list Z) : Z * Z := (at_label k gs, Z.max 1 (total gs)).

(* Levels in the order of their ranks: levels of larger shares have larger ranks, or equal shares. *)
Definition follows (smaller : list Z -> list Z -> bool) (e f : Z * list Z) : bool :=
  (fst e <=? fst f) && smaller (snd e) (snd f) && (negb (fst e =? fst f) || smaller (snd f) (snd e)).
Fixpoint each_follows (smaller : list Z -> list Z -> bool) (es : list (Z * list Z)) : bool :=
  match es with
  | e :: rest => match rest with f :: _ => follows smaller e f && each_follows smaller rest | [] => true end
  | [] => true
  end.
Definition share_below (k : Z) (a b : list Z) : bool := share_leb (share k a) (share k b).
Definition share_above (k : Z) (a b : list Z) : bool := share_leb (share k b) (share k a).
Definition all_equal (k : Z) (by_level : list (Z * list Z)) : bool := each_follows (share_below k) (map (fun e => (0, snd e)) by_level).

Definition ranked_levels (by_level : list (Z * list Z)) (o : ranking) : list (Z * list Z) :=
  GainSort.sort (map (fun e => (rank_of o (fst e), snd e)) by_level).

Fixpoint descends (es : list (Z * list Z)) : bool :=
  match es with
  | e :: rest => match rest with f :: _ => (fst f <? fst e) && descends rest | [] => true end
  | [] => true
  end.

Definition sum_of_gains (classes : nat) (es : list (Z * list Z)) : list Z := fold_left (fun a e => plus (snd e) a) es (zeros classes).

Definition wide (data : table) (j : nat) (os : list ranking) : bool :=
  let by_level := gains_by_level data j in
  let present := map fst by_level in
  let all := sum_of_gains (classes data) by_level in
  let known := flat_map (apart present) os in
  let sorted := map (ranked_levels by_level) os in
  descends by_level &&
  forallb (fun e => negb (existsb (fun p => (0 <? fst p) && (snd p <=? rare * fst p)) (combine (snd e) all)) || existsb (Z.eqb (fst e)) known) by_level &&
  forallb (fun k => all_equal k by_level || existsb (fun es => each_follows (share_below k) es || each_follows (share_above k) es) sorted)
    (from 0 (classes data)).

(* The levels of a column if these are few. *)
Fixpoint few_levels (vs seen : list Z) : option (list Z) :=
  match vs with
  | [] => Some seen
  | v :: rest =>
      if existsb (Z.eqb v) seen then few_levels rest seen
      else if Nat.leb most_levels (length seen) then None else few_levels rest (v :: seen)
  end.

Definition constant (vs : list Z) : bool :=
  match vs with
  | [] => true
  | v :: rest => forallb (Z.eqb v) rest
  end.

Definition is_first (o : ranking) : bool := match o with MissingFirst => true | _ => false end.
Definition is_last (m : Z) (o : ranking) : bool := match o with MissingLast n => m =? n | _ => false end.

Definition rankings_of (os : list named_ordering) (j : nat) : list ranking :=
  map ranked (filter (fun o => Nat.eqb (of_column o) j) os).

Definition covers_column (data : table) (os : list named_ordering) (j : nat) : bool :=
  let vs := column data j in
  let mine := rankings_of os j in
  constant vs ||
  match kind_of data j with
  | Numeric m =>
      forallb (fun v => (missing <=? v) && (v <? m)) vs &&
      (if existsb (Z.eqb missing) vs then existsb is_first mine && existsb (is_last m) mine
       else existsb (fun o => is_first o || is_last m o) mine)
  | Category =>
      match few_levels vs [] with
      | Some present => full (length present) (put_rankings present mine Nothing)
      | None => wide data j mine
      end
  end.

Definition covers (data : table) (os : list named_ordering) : bool :=
  forallb (covers_column data os) (seq 0 (length (kinds data))).

Lemma full_has n : forall s bs, full n s = true -> length bs = n -> has bs s = true.
Proof.
  induction n as [|n IH]; intros s bs F L; destruct bs as [|b bs]; try discriminate; destruct s; try discriminate; simpl in *; auto.
  apply andb_true_iff in F. destruct F. destruct b; apply IH; auto.
Qed.

Lemma has_nothing bs : has bs Nothing = false.
Proof. destruct bs; reflexivity. Qed.

Lemma has_put cs : forall bs s, has bs (put cs s) = true -> bs = cs \/ has bs s = true.
Proof.
  induction cs as [|c cs IH]; intros bs s H; simpl in H.
  - destruct bs; [auto|discriminate].
  - destruct bs as [|b bs]; [destruct s, c; discriminate|].
    destruct s, c, b; simpl in H; rewrite ?has_nothing in H; try discriminate; try (right; exact H);
      apply IH in H; destruct H as [->|H]; auto; rewrite ?has_nothing in H; discriminate.
Qed.

Lemma has_put_cuts rs cuts : forall s bs, has bs (put_cuts rs cuts s) = true ->
  (exists c, bs = below c rs \/ bs = map negb (below c rs)) \/ has bs s = true.
Proof.
  induction cuts as [|c cuts IH]; intros s bs H; simpl in H; [auto|].
  apply IH in H. destruct H as [H|H]; [auto|]. apply has_put in H. destruct H as [H|H]; [left; exists c; auto|].
  apply has_put in H. destruct H as [H|H]; [left; exists c; auto|auto].
Qed.

Lemma has_put_rankings present os : forall s bs, has bs (put_rankings present os s) = true ->
  (exists o c, In o os /\ (bs = below c (map (rank_of o) present) \/ bs = map negb (below c (map (rank_of o) present)))) \/ has bs s = true.
Proof.
  induction os as [|o os IH]; intros s bs H; simpl in H; [auto|].
  apply IH in H. destruct H as [(q & c & I & E)|H]; [left; exists q, c; simpl; auto|].
  apply has_put_cuts in H. destruct H as [(c & E)|H]; [left; exists o, c; simpl; auto|auto].
Qed.

Lemma map_eq_in {A B} (f g : A -> B) xs : map f xs = map g xs -> forall x, In x xs -> f x = g x.
Proof.
  induction xs as [|x xs IH]; simpl; intros E y I; [destruct I|]. inversion E. destruct I as [<-|I]; auto.
Qed.

Lemma distinct_of_in vs : forall seen v, In v (distinct_of vs seen) <-> In v vs \/ In v seen.
Proof.
  induction vs as [|w vs IH]; intros seen v; simpl; [tauto|].
  destruct (existsb (Z.eqb w) seen) eqn:E; rewrite IH; simpl; [|tauto].
  apply existsb_exists in E. destruct E as (u & U & E). apply Z.eqb_eq in E. subst u.
  split; [tauto|]. intros [[->|I]|I]; auto.
Qed.

Lemma levels_of_in data j r : In r (rows data) -> In (value j (values r)) (levels_of data j).
Proof. intros I. apply distinct_of_in. left. unfold column. apply in_map_iff. exists r. auto. Qed.

(* A split does with the rows what a cut does, or the other way round, or sends all of them the same way. *)
Definition as_cut (data : table) (os : list named_ordering) (s : split) : Prop :=
  (exists b, forall r, In r (rows data) -> goes_left s (values r) = b) \/
  (exists o c, In o os /\
     ((forall r, In r (rows data) -> goes_left s (values r) = (rank_in o (values r) <? c)) \/
      (forall r, In r (rows data) -> goes_left s (values r) = negb (rank_in o (values r) <? c)))).

Lemma rankings_in os j o : In o (rankings_of os j) -> exists n, In n os /\ forall vs, rank_in n vs = rank_of o (value j vs).
Proof.
  intros I. apply in_map_iff in I. destruct I as (n & <- & I). apply filter_In in I. destruct I as (I & E).
  apply Nat.eqb_eq in E. exists n. split; [exact I|]. intros vs. unfold rank_in. rewrite E. reflexivity.
Qed.

(* From the levels that occur to the rows. *)
Lemma levels_as_cut data os j (set levels : Z -> bool) o c :
  In o (rankings_of os j) -> same_split (levels_of data j) levels set ->
  (map set (levels_of data j) = below c (map (rank_of o) (levels_of data j)) \/
   map set (levels_of data j) = map negb (below c (map (rank_of o) (levels_of data j)))) ->
  as_cut data os (Among j levels).
Proof.
  intros I S E. apply rankings_in in I. destruct I as (n & I & R). right. exists n, c. split; [exact I|].
  unfold below in E. rewrite !map_map in E. simpl goes_left.
  destruct S as [S|S], E as [E|E]; [left|right|right|left]; intros r J; rewrite R; apply levels_of_in with (j := j) in J;
    rewrite (S _ J), (map_eq_in _ _ _ E _ J); rewrite ?negb_involutive; reflexivity.
Qed.

Lemma share_transitive (ca ta cb tb cc tc : Z) : 0 < ta -> 0 < tb -> 0 < tc -> ca * tb <= cb * ta -> cb * tc <= cc * tb -> ca * tc <= cc * ta.
Proof.
  intros A B C L M. apply (Z.mul_le_mono_pos_r _ _ tb B).
  apply (Z.mul_le_mono_pos_r _ _ tc C) in L. apply (Z.mul_le_mono_pos_r _ _ ta A) in M. lia.
Qed.

Lemma few_levels_eq vs : forall seen, (length seen <= most_levels)%nat ->
  match few_levels vs seen with
  | Some present => present = distinct_of vs seen /\ (length present <= most_levels)%nat
  | None => (most_levels < length (distinct_of vs seen))%nat
  end.
Proof.
  assert (G : forall ws seen, (length seen <= length (distinct_of ws seen))%nat).
  { induction ws as [|w ws IH]; intros seen; simpl; [lia|]. destruct (existsb _ _); [apply IH|]. specialize (IH (w :: seen)). simpl in IH. lia. }
  induction vs as [|v vs IH]; intros seen L; cbn [few_levels distinct_of]; [auto|]. destruct (existsb (Z.eqb v) seen); [apply IH, L|].
  destruct (Nat.leb_spec most_levels (length seen)).
  - eapply Nat.lt_le_trans; [|apply G]. simpl. lia.
  - apply IH. simpl. lia.
Qed.

(* Sums over the entries of some levels. `phi` is what is added up of their gains. *)
Definition sum_at (phi : list Z -> Z) (p : Z -> bool) (es : list (Z * list Z)) : Z :=
  fold_right (fun e a => (if p (fst e) then phi (snd e) else 0) + a) 0 es.

Section Sums.

Variable n : nat.
Variable phi : list Z -> Z.
Hypothesis adds : forall a b, length a = n -> length b = n -> phi (plus a b) = phi a + phi b.
Definition of_length (es : list (Z * list Z)) : Prop := forall e, In e es -> length (snd e) = n.

Lemma add_up_sums p xs : forall v gs done, length gs = n -> of_length xs ->
  sum_at phi p (add_up v gs xs done) = (if p v then phi gs else 0) + sum_at phi p xs + sum_at phi p done /\
  (of_length done -> of_length (add_up v gs xs done)).
Proof.
  induction xs as [|(w, hs) xs IH]; intros v gs done L X; cbn [add_up].
  - simpl. split; [lia|]. intros D e [<-|I]; auto.
  - assert (Lh : length hs = n) by (apply (X (w, hs)); simpl; auto).
    assert (X' : of_length xs) by (intros e I; apply X; simpl; auto). destruct (Z.eqb_spec v w) as [->|N].
    + destruct (IH w (plus hs gs) done) as (A & B); [rewrite length_plus; exact L|exact X'|]. split; [|exact B].
      rewrite A. simpl. rewrite adds by auto. destruct (p w); lia.
    + destruct (IH w hs ((v, gs) :: done) Lh X') as (A & B). split; [rewrite A; simpl; lia|].
      intros D. apply B. intros e [<-|I]; auto.
Qed.

Lemma sum_at_perm p es fs : Permutation es fs -> sum_at phi p es = sum_at phi p fs.
Proof. induction 1; simpl; lia. Qed.

Lemma sum_at_one v gs es : descends es = true -> In (v, gs) es -> sum_at phi (Z.eqb v) es = phi gs.
Proof.
  assert (B : forall es e, descends (e :: es) = true -> forall f, In f es -> fst f < fst e).
  { induction es0 as [|g es0 IH]; intros e D f I; [destruct I|]. cbn [descends] in D. apply andb_true_iff in D. destruct D as (A & D).
    apply Z.ltb_lt in A. destruct I as [<-|I]; [exact A|]. specialize (IH g D f I). lia. }
  assert (Zero : forall es, (forall f, In f es -> fst f <> v) -> sum_at phi (Z.eqb v) es = 0).
  { induction es0 as [|f es0 IH]; intros N; [reflexivity|]. simpl. rewrite IH by (intros; apply N; simpl; auto).
    destruct (Z.eqb_spec v (fst f)) as [Q|]; [|reflexivity]. destruct (N f (or_introl eq_refl)). auto. }
  induction es as [|e es IH]; intros D I; [destruct I|]. pose proof (B es e D) as Be.
  assert (D' : descends es = true) by (destruct es; [reflexivity|cbn [descends] in D; apply andb_true_iff in D; apply D]).
  simpl. destruct I as [->|I].
  - simpl. rewrite Z.eqb_refl, Zero; [lia|]. intros f F. specialize (Be f F). simpl in Be. lia.
  - rewrite IH by assumption. specialize (Be _ I). simpl in Be. destruct (Z.eqb_spec v (fst e)); lia.
Qed.

End Sums.

Lemma add_up_keys xs : forall v gs done w, (w = v \/ In w (map fst xs) \/ In w (map fst done)) -> In w (map fst (add_up v gs xs done)).
Proof.
  induction xs as [|(u, hs) xs IH]; intros v gs done w I; cbn [add_up].
  - simpl in *. intuition.
  - destruct (Z.eqb_spec v u) as [->|N]; apply IH; simpl in *; intuition.
Qed.

(* The entries of a table: what labels gain in each level. *)
Section Levels.

Variable data : table.
Variable j : nat.
Hypothesis long : forall r, In r (rows data) -> length (costs r) = classes data.
Notation entries := (gains_by_level data j).

Lemma total_plus a : forall b, length a = length b -> total (plus a b) = total a + total b.
Proof. induction a as [|x a IH]; intros [|y b] L; try discriminate; [reflexivity|]. simpl. rewrite IH by (simpl in L; lia). lia. Qed.

Lemma gains_of_long r : In r (rows data) -> length (gains_of r) = classes data.
Proof. intros I. unfold gains_of. rewrite map_length. apply long, I. Qed.

Lemma gains_sums phi p : (forall a b, length a = classes data -> length b = classes data -> phi (plus a b) = phi a + phi b) ->
  sum_at phi p entries = sum_rows (fun r => if p (value j (values r)) then phi (gains_of r) else 0) (rows data) /\ of_length (classes data) entries.
Proof.
  intros A. unfold gains_by_level. set (xs := map _ (rows data)). pose proof (GainSort.Permuted_sort xs) as P.
  assert (L : of_length (classes data) (GainSort.sort xs)).
  { intros e I. eapply Permutation_in in I; [|apply Permutation_sym, P]. apply in_map_iff in I. destruct I as (r & <- & I). apply gains_of_long, I. }
  assert (S : sum_at phi p (GainSort.sort xs) = sum_rows (fun r => if p (value j (values r)) then phi (gains_of r) else 0) (rows data)).
  { rewrite <- (sum_at_perm phi p _ _ P). unfold xs. clear. induction (rows data) as [|r rs IH]; [reflexivity|]. simpl. rewrite IH. reflexivity. }
  rewrite <- S. destruct (GainSort.sort xs) as [|(v, gs) rest]; [split; [reflexivity|intros ? []]|].
  destruct (add_up_sums (classes data) phi A p rest v gs []) as (B & C).
  - apply (L (v, gs)). simpl. auto.
  - intros e I. apply L. simpl. auto.
  - split; [rewrite B; simpl; lia|]. apply C. intros ? [].
Qed.

Lemma entry_of r : In r (rows data) -> exists gs, In (value j (values r), gs) entries.
Proof.
  intros I. assert (K : In (value j (values r)) (map fst entries)).
  { unfold gains_by_level. set (xs := map _ (rows data)). pose proof (GainSort.Permuted_sort xs) as P.
    assert (K : In (value j (values r)) (map fst (GainSort.sort xs))).
    { eapply Permutation_in; [apply Permutation_map, P|]. unfold xs. rewrite map_map. apply in_map_iff. exists r. auto. }
    destruct (GainSort.sort xs) as [|(v, gs) rest]; [destruct K|]. apply add_up_keys. simpl in K. intuition. }
  apply in_map_iff in K. destruct K as ((v, gs) & E & K). simpl in E. subst v. eauto.
Qed.

Lemma at_label_adds k a b : length a = classes data -> length b = classes data -> at_label k (plus a b) = at_label k a + at_label k b.
Proof. intros A B. apply at_label_plus. congruence. Qed.
Lemma total_adds a b : length a = classes data -> length b = classes data -> total (plus a b) = total a + total b.
Proof. intros A B. apply total_plus. congruence. Qed.

Lemma gain_at r k : In r (rows data) -> 0 <= k < Z.of_nat (classes data) -> at_label k (gains_of r) = gain r k.
Proof. intros I K. unfold gains_of, gain. cbv zeta. rewrite at_label_map; [reflexivity|]. rewrite long by exact I. exact K. Qed.

Lemma sum_rows_ext g h rs : (forall r, In r rs -> g r = h r) -> sum_rows g rs = sum_rows h rs.
Proof. induction rs as [|r rs IH]; intros E; simpl; [reflexivity|]. rewrite (E r), IH; simpl; auto. intros; apply E; simpl; auto. Qed.

Lemma label_gains_sum k v : 0 <= k < Z.of_nat (classes data) -> label_gains data j k v = sum_at (at_label k) (Z.eqb v) entries.
Proof.
  intros K. rewrite (proj1 (gains_sums (at_label k) (Z.eqb v) (at_label_adds k))). unfold label_gains. apply sum_rows_ext. intros r I.
  rewrite gain_at by assumption. rewrite Z.eqb_sym. reflexivity.
Qed.

Lemma total_gains_sum k : 0 <= k < Z.of_nat (classes data) -> total_gains data k = at_label k (sum_of_gains (classes data) entries).
Proof.
  intros K. destruct (gains_sums (at_label k) (fun _ => true) (at_label_adds k)) as (A & L). unfold total_gains.
  rewrite (sum_rows_ext _ (fun r => at_label k (gains_of r))) by (intros; symmetry; apply gain_at; assumption). rewrite <- A. clear A.
  unfold sum_of_gains. assert (G : forall es a, of_length (classes data) es -> length a = classes data ->
    at_label k (fold_left (fun a e => plus (snd e) a) es a) = sum_at (at_label k) (fun _ => true) es + at_label k a).
  { induction es as [|e es IH]; intros a Le La; [reflexivity|]. simpl. rewrite IH.
    - rewrite at_label_adds; [lia|apply Le; simpl; auto|exact La].
    - intros f F. apply Le. simpl. auto.
    - rewrite length_plus. exact La. }
  rewrite G; [|exact L|rewrite (zeros_from _ 0), map_length, length_from; reflexivity].
  assert (Zr : forall m i, at_label i (zeros m) = 0) by (induction m as [|m IHm]; intros i; simpl; [reflexivity|destruct (i =? 0); auto]).
  rewrite Zr. lia.
Qed.

Lemma entry_gains k v gs : descends entries = true -> 0 <= k < Z.of_nat (classes data) -> In (v, gs) entries ->
  label_gains data j k v = at_label k gs /\ level_gains data j v = total gs.
Proof.
  intros D K I. split.
  - rewrite label_gains_sum by exact K. apply sum_at_one; assumption.
  - unfold level_gains. rewrite <- (sum_at_one total v gs entries D I). rewrite (proj1 (gains_sums total (Z.eqb v) total_adds)).
    apply sum_rows_ext. intros r _. rewrite Z.eqb_sym. reflexivity.
Qed.

End Levels.

Lemma least_apart f present v : In v (apart_in f present) -> forall w, In w present -> (w = v) <-> f w < f v + 1.
Proof.
  unfold apart_in. destruct present as [|u present]; [intros []|]. set (first := least_ranked f (u :: present) u). intros I w W.
  destruct (forallb _ _) eqn:A in I; [|destruct I]. destruct I as [<-|[]]. rewrite forallb_forall in A. specialize (A w W).
  apply orb_true_iff in A. destruct A as [A|A]; [apply Z.eqb_eq in A; subst; lia|]. apply Z.ltb_lt in A. split; [intros ->; lia|lia].
Qed.

(* Sets of levels that hold with each level those of larger shares. *)
Lemma follows_sound smaller es : (forall a b c, smaller a b = true -> smaller b c = true -> smaller a c = true) ->
  each_follows smaller es = true -> forall e f, In e es -> In f es -> e = f \/ (fst e <= fst f -> smaller (snd e) (snd f) = true).
Proof.
  intros T. assert (Tr : forall a b c, follows smaller a b = true -> follows smaller b c = true -> follows smaller a c = true).
  { intros a b c. unfold follows. rewrite !andb_true_iff, !orb_true_iff, !negb_true_iff, !Z.leb_le, !Z.eqb_neq.
    intros ((A1 & A2) & A3) ((B1 & B2) & B3). repeat split; [lia|eapply T; eassumption|].
    destruct (Z.eq_dec (fst a) (fst c)) as [Q|Q]; [right|left; exact Q].
    destruct A3 as [A3|A3]; [lia|]. destruct B3 as [B3|B3]; [lia|]. eapply T; eassumption. }
  induction es as [|e es IH]; intros H a b Ia Ib; [destruct Ia|].
  assert (H' : each_follows smaller es = true) by (destruct es; [reflexivity|cbn [each_follows] in H; apply andb_true_iff in H; apply H]).
  assert (F : forall f, In f es -> follows smaller e f = true).
  { clear Ia Ib IH. revert e H. induction es as [|g es IH]; intros e H f I; [destruct I|]. cbn [each_follows] in H. apply andb_true_iff in H.
    destruct H as (A & H). destruct I as [<-|I]; [exact A|]. apply (Tr _ g); [exact A|]. apply IH; auto.
    destruct es; [reflexivity|cbn [each_follows] in H; apply andb_true_iff in H; apply H]. }
  destruct Ia as [<-|Ia], Ib as [<-|Ib]; [left; reflexivity| | |apply IH; assumption].
  - right. intros _. specialize (F b Ib). unfold follows in F. rewrite !andb_true_iff in F. tauto.
  - right. intros L. specialize (F a Ia). unfold follows in F. rewrite !andb_true_iff, orb_true_iff, negb_true_iff, Z.eqb_neq, Z.leb_le in F.
    destruct F as ((F1 & _) & [F3|F3]); [lia|exact F3].
Qed.

(* A set that holds with each level those of larger ranks is a cut. *)
Lemma closed_is_cut (f : Z -> Z) (set : Z -> bool) present : (forall v w, In v present -> In w present -> f v <= f w -> set v = true -> set w = true) ->
  (forall v, In v present -> set v = false) \/ exists c, map set present = map negb (below c (map f present)).
Proof.
  intros U. assert (M : (forall v, In v present -> set v = false) \/ exists m, In m present /\ set m = true /\ forall v, In v present -> set v = true -> f m <= f v).
  { clear U. induction present as [|v vs IH]; [left; intros ? []|]. destruct (set v) eqn:S.
    - right. destruct IH as [N|(m & I & Sm & L)].
      + exists v. split; [simpl; auto|]. split; [exact S|]. intros w [<-|W] Sw; [lia|]. rewrite N in Sw; [discriminate|exact W].
      + destruct (Z.le_gt_cases (f v) (f m)).
        * exists v. split; [simpl; auto|]. split; [exact S|]. intros w [<-|W] Sw; [lia|]. specialize (L w W Sw). lia.
        * exists m. split; [simpl; auto|]. split; [exact Sm|]. intros w [<-|W] Sw; [lia|auto].
    - destruct IH as [N|(m & I & Sm & L)]; [left|right].
      + intros w [<-|W]; auto.
      + exists m. split; [simpl; auto|]. split; [exact Sm|]. intros w [<-|W] Sw; [congruence|auto]. }
  destruct M as [M|(m & I & Sm & L)]; [left; exact M|right]. exists (f m). unfold below. rewrite !map_map. apply map_ext_in. intros v V.
  destruct (Z.ltb_spec (f v) (f m)) as [Lt|Ge]; simpl.
  - destruct (set v) eqn:S; [specialize (L v V S); lia|reflexivity].
  - apply (U m v); assumption.
Qed.

Lemma share_below_trans k a b c : share_below k a b = true -> share_below k b c = true -> share_below k a c = true.
Proof. unfold share_below, share_leb, share. simpl. rewrite !Z.leb_le. apply share_transitive; lia. Qed.
Lemma share_above_trans k a b c : share_above k a b = true -> share_above k b c = true -> share_above k a c = true.
Proof. intros A B. apply (share_below_trans k c b a); assumption. Qed.

Lemma wide_sound data os j levels : (forall r, In r (rows data) -> length (costs r) = classes data) -> wide data j (rankings_of os j) = true ->
  (exists v, is_frequent data j v /\ same_split (levels_of data j) levels (Z.eqb v)) \/
  (exists k num den, 0 <= k < Z.of_nat (classes data) /\ 0 < den /\
     same_split (levels_of data j) levels (at_least_share data j k num den)) ->
  as_cut data os (Among j levels).
Proof.
  intros Long W F. unfold wide in W. cbv zeta in W. set (entries := gains_by_level data j) in *. rewrite !andb_true_iff in W. destruct W as ((D & W1) & W2).
  assert (Ent : forall v, In v (levels_of data j) -> exists gs, In (v, gs) entries).
  { intros v V. apply distinct_of_in in V. destruct V as [V|[]]. apply in_map_iff in V. destruct V as (r & <- & I). apply entry_of; assumption. }
  assert (trivial : forall (set : Z -> bool) b, same_split (levels_of data j) levels set -> (forall v, In v (levels_of data j) -> set v = b) ->
    as_cut data os (Among j levels)).
  { intros set b S N. left. destruct S as [S|S]; [exists b|exists (negb b)]; intros r J; simpl;
      apply levels_of_in with (j := j) in J; rewrite S, N by exact J; reflexivity. }
  destruct F as [(v & (k & K & some & often) & S)|(k & num & den & K & Dn & S)].
  - destruct (in_dec Z.eq_dec v (map fst entries)) as [I|I].
    + apply in_map_iff in I. destruct I as ((u & gs) & E & I). simpl in E. subst u.
      rewrite forallb_forall in W1. specialize (W1 _ I). cbn [fst snd] in W1.
      destruct (entry_gains data j Long k v gs D K I) as (G & _). rewrite G in some, often. rewrite (total_gains_sum data j Long) in often by assumption.
      fold entries in often. apply orb_true_iff in W1. destruct W1 as [W1|W1].
      * exfalso. apply negb_true_iff, not_true_iff_false in W1. apply W1, existsb_exists.
        exists (at_label k gs, at_label k (sum_of_gains (classes data) entries)). split.
        -- assert (Lg : length gs = classes data) by (apply (proj2 (gains_sums data j Long (at_label k) (Z.eqb v) (at_label_adds data k)) (v, gs) I)).
           assert (La : length (sum_of_gains (classes data) entries) = classes data).
           { unfold sum_of_gains. assert (Lf : forall es a, length (fold_left (fun a (e : Z * list Z) => plus (snd e) a) es a) = length a).
             { induction es as [|e es IHe]; intros a; [reflexivity|]. simpl. rewrite IHe. apply length_plus. }
             rewrite Lf, (zeros_from _ 0), map_length, length_from. reflexivity. }
           revert K Lg La. generalize (classes data) (sum_of_gains (classes data) entries). clear. intros n all. revert k gs all.
           induction n as [|n IH]; intros k [|g gs] [|a all] K Lg La; try discriminate; [simpl in K; lia|]. simpl.
           destruct (Z.eqb_spec k 0); [auto|]. right. apply IH; simpl in *; lia.
        -- simpl. rewrite andb_true_iff, Z.ltb_lt, Z.leb_le. auto.
      * apply existsb_exists in W1. destruct W1 as (w & A & E). apply Z.eqb_eq in E. subst w. apply in_flat_map in A. destruct A as (o & O & A).
        unfold apart in A. apply in_app_or in A.
        assert (P : forall w, In w (levels_of data j) -> In w (map fst entries)) by (intros w V; apply Ent in V; destruct V as (hs & V); apply (in_map fst _ _ V)).
        destruct A as [A|A]; [apply (levels_as_cut data os j (Z.eqb v) levels o (rank_of o v + 1) O S)|apply (levels_as_cut data os j (Z.eqb v) levels o (rank_of o v) O S)];
          [left|right]; unfold below; rewrite !map_map; apply map_ext_in; intros w V; pose proof (least_apart _ _ _ A w (P w V)) as Q; cbn beta in Q;
          destruct (Z.eqb_spec v w), (Z.ltb_spec (rank_of o w) (rank_of o v + 1)), (Z.ltb_spec (rank_of o w) (rank_of o v)); simpl; auto; exfalso; subst; try lia;
          first [assert (w = v) by (apply Q; lia); congruence|assert (v = v) as R by reflexivity; apply Q in R; lia].
    + exfalso. rewrite label_gains_sum in some by assumption. fold entries in some.
      assert (Zr : forall es, ~ In v (map fst es) -> sum_at (at_label k) (Z.eqb v) es = 0).
      { induction es as [|e es IH]; intros N; [reflexivity|]. simpl in *. rewrite IH by tauto. destruct (Z.eqb_spec v (fst e)); [|reflexivity]. subst. tauto. }
      rewrite Zr in some by exact I. lia.
  - rewrite forallb_forall in W2. specialize (W2 k). assert (Ik : In k (from 0 (classes data))) by (apply in_from; lia).
    specialize (W2 Ik). set (set_ := at_least_share data j k num den) in *.
    assert (Up : forall v gs w hs, In (v, gs) entries -> In (w, hs) entries -> share_below k gs hs = true -> set_ v = true -> set_ w = true).
    { intros v gs w hs V Wh. unfold set_, at_least_share, share_below, share_leb, share. simpl.
      destruct (entry_gains data j Long k v gs D K V) as (-> & ->), (entry_gains data j Long k w hs D K Wh) as (-> & ->). rewrite !Z.leb_le. intros B A.
      apply (share_transitive num den (at_label k gs) (Z.max 1 (total gs)) (at_label k hs) (Z.max 1 (total hs))); lia. }
    apply orb_true_iff in W2. destruct W2 as [W2|W2].
    + assert (Eq : forall v gs w hs, In (v, gs) entries -> In (w, hs) entries -> share_below k gs hs = true).
      { intros v gs w hs V Wh. destruct (follows_sound (share_below k) _ (share_below_trans k) W2 (0, gs) (0, hs)) as [E|E].
        - apply in_map_iff. exists (v, gs). auto.
        - apply in_map_iff. exists (w, hs). auto.
        - inversion E. unfold share_below, share_leb; apply Z.leb_refl.
        - apply E. simpl. lia. }
      destruct (existsb set_ (levels_of data j)) eqn:X.
      * apply existsb_exists in X. destruct X as (m & M & X). apply (trivial set_ true S). intros v V.
        destruct (Ent m M) as (gm & Gm), (Ent v V) as (gv & Gv). apply (Up m gm v gv Gm Gv); [|exact X]. apply (Eq m gm v gv Gm Gv).
      * apply (trivial set_ false S). intros v V. destruct (set_ v) eqn:Y; [|reflexivity]. apply not_true_iff_false in X. destruct X. apply existsb_exists. eauto.
    + apply existsb_exists in W2. destruct W2 as (es & I & W2). apply in_map_iff in I. destruct I as (o & <- & O).
      assert (In_ : forall v gs, In (v, gs) entries -> In (rank_of o v, gs) (ranked_levels entries o)).
      { intros v gs V. eapply Permutation_in; [apply GainSort.Permuted_sort|]. apply in_map_iff. exists (v, gs). auto. }
      apply orb_true_iff in W2. destruct W2 as [W2|W2].
      * destruct (closed_is_cut (rank_of o) set_ (levels_of data j)) as [N|(c & C)].
        -- intros v w V Wl L X. destruct (Ent v V) as (gv & Gv), (Ent w Wl) as (gw & Gw). apply (Up v gv w gw Gv Gw); [|exact X].
           destruct (follows_sound (share_below k) _ (share_below_trans k) W2 _ _ (In_ v gv Gv) (In_ w gw Gw)) as [E|E]; [|apply E, L].
           inversion E. unfold share_below, share_leb; apply Z.leb_refl.
        -- apply (trivial set_ false S N).
        -- apply (levels_as_cut data os j set_ levels o c O S). right. exact C.
      * destruct (closed_is_cut (fun v => - rank_of o v) set_ (levels_of data j)) as [N|(c & C)].
        -- intros v w V Wl L X. destruct (Ent v V) as (gv & Gv), (Ent w Wl) as (gw & Gw). apply (Up v gv w gw Gv Gw); [|exact X].
           destruct (follows_sound (share_above k) _ (share_above_trans k) W2 _ _ (In_ w gw Gw) (In_ v gv Gv)) as [E|E].
           ++ inversion E. unfold share_below, share_leb; apply Z.leb_refl.
           ++ change (share_below k gv gw) with (share_above k gw gv). apply E. simpl. lia.
        -- apply (trivial set_ false S N).
        -- apply (levels_as_cut data os j set_ levels o (- c + 1) O S). left. rewrite C. unfold below. rewrite !map_map. apply map_ext. intros v.
           destruct (Z.ltb_spec (- rank_of o v) c), (Z.ltb_spec (rank_of o v) (- c + 1)); simpl; auto; lia.
Qed.

Lemma covers_column_sound data os j s : (forall r, In r (rows data) -> length (costs r) = classes data) -> covers_column data os j = true -> split_in_family data s ->
  (match s with Below i _ _ => i | Among i _ => i end) = j -> as_cut data os s.
Proof.
  intros Long H F E. unfold covers_column in H. apply orb_true_iff in H. destruct H as [H|H].
  { left. unfold column in H. destruct (rows data) as [|r rs] eqn:R; [exists true; intros ? []|].
    exists (goes_left s (values r)). simpl in H. rewrite forallb_forall in H.
    assert (A : forall r', In r' (r :: rs) -> value j (values r') = value j (values r)).
    { intros r' [<-|I]; [reflexivity|]. symmetry. apply Z.eqb_eq, H, in_map_iff. exists r'. auto. }
    intros r' I. destruct s as [i t m|i levels]; subst i; simpl; rewrite (A r' I); reflexivity. }
  destruct s as [i t m|i levels]; subst i.
  - destruct F as (_ & F). destruct (kind_of data j) as [top|]; [|congruence].
    apply andb_true_iff in H. destruct H as (B & H). rewrite forallb_forall in B.
    assert (V : forall r, In r (rows data) -> missing <= value j (values r) < top).
    { intros r I. specialize (B (value j (values r))). rewrite andb_true_iff, Z.leb_le, Z.ltb_lt in B. apply B.
      apply in_map_iff. exists r. auto. }
    unfold missing in *. destruct (existsb (Z.eqb (-1)) (column data j)) eqn:Miss.
    + apply andb_true_iff in H. destruct H as (H1 & H2). destruct m.
      * apply existsb_exists in H1. destruct H1 as (o & I & O). destruct o; try discriminate.
        apply rankings_in in I. destruct I as (n & I & R). right. exists n, (Z.max t 0). split; [exact I|]. left.
        intros r J. rewrite R. simpl. specialize (V r J). unfold missing. destruct (Z.eqb_spec (value j (values r)) (-1)) as [Q|Q].
        -- rewrite Q. symmetry. apply Z.ltb_lt. lia.
        -- destruct (Z.ltb_spec (value j (values r)) t), (Z.ltb_spec (value j (values r)) (Z.max t 0)); lia.
      * apply existsb_exists in H2. destruct H2 as (o & I & O). destruct o; try discriminate.
        apply Z.eqb_eq in O. subst rank. apply rankings_in in I. destruct I as (n & I & R). right. exists n, (Z.min t top). split; [exact I|]. left.
        intros r J. rewrite R. simpl. specialize (V r J). unfold missing. destruct (Z.eqb_spec (value j (values r)) (-1)) as [Q|Q].
        -- symmetry. apply Z.ltb_ge. lia.
        -- destruct (Z.ltb_spec (value j (values r)) t), (Z.ltb_spec (value j (values r)) (Z.min t top)); lia.
    + assert (N : forall r, In r (rows data) -> (value j (values r) =? -1) = false).
      { intros r I. apply not_true_iff_false. intros Q. apply Z.eqb_eq in Q. apply not_true_iff_false in Miss. apply Miss.
        apply existsb_exists. exists (-1). split; [|reflexivity]. rewrite <- Q. apply in_map_iff. exists r. auto. }
      apply existsb_exists in H. destruct H as (o & I & O). apply rankings_in in I. destruct I as (n & I & R).
      right. exists n, t. split; [exact I|]. left. intros r J. rewrite R. simpl. unfold missing. rewrite (N r J).
      destruct o; simpl in O; try discriminate; simpl; unfold missing; rewrite ?(N r J); reflexivity.
  - destruct F as (_ & F & G). rewrite F in H. pose proof (few_levels_eq (column data j) [] (Nat.le_0_l _)) as L. destruct (few_levels (column data j) []) as [present|].
    + destruct L as (-> & L). change (distinct_of (column data j) []) with (levels_of data j) in *. apply (full_has _ _ (map levels (levels_of data j))) in H; [|apply map_length].
      apply has_put_rankings in H. rewrite has_nothing in H. destruct H as [(o & c & I & E)|H]; [|discriminate].
      apply (levels_as_cut data os j levels levels o c I); [left; reflexivity|exact E].
    + apply wide_sound; [exact Long|exact H|]. destruct G as [G|G]; [unfold levels_of in G; lia|exact G].
Qed.

Lemma covers_sound data os s : (forall r, In r (rows data) -> length (costs r) = classes data) -> covers data os = true -> split_in_family data s -> as_cut data os s.
Proof.
  intros Long H F. unfold covers in H. rewrite forallb_forall in H. eapply covers_column_sound; [exact Long| |exact F|reflexivity].
  apply H, in_seq. destruct s; simpl in *; lia.
Qed.
