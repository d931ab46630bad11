(* The levels of a category: which there are, what labels gain in each, and orderings of them by share. Work grows with rows and with orderings times
   levels. *)

From Coq Require Import ZArith List Bool Lia Permutation Sorted Mergesort Orders.
From Treewright Require Import Labels Counts Rows Merged.
Import ListNotations.
Open Scope Z_scope.

Definition below (c : Z) (rs : list Z) : list bool := map (fun r => r <? c) rs.

(* The levels of a column if these are few. *)
Fixpoint few_levels (vs seen : list Z) : option (list Z) :=
  match vs with
  | [] => Some seen
  | v :: rest =>
      if existsb (Z.eqb v) seen then few_levels rest seen
      else if Nat.leb most_levels (length seen) then None else few_levels rest (v :: seen)
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

Lemma share_transitive (ca ta cb tb cc tc : Z) : 0 < ta -> 0 < tb -> 0 < tc -> ca * tb <= cb * ta -> cb * tc <= cc * tb -> ca * tc <= cc * ta.
Proof.
  intros A B C L M. apply (Z.mul_le_mono_pos_r _ _ tb B).
  apply (Z.mul_le_mono_pos_r _ _ tc C) in L. apply (Z.mul_le_mono_pos_r _ _ ta A) in M. lia.
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

