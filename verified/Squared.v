(* The checker of a proof of squared error, about rows of codes. The costs of such a row are two numbers: its whole weight and its whole
   amount. *)

From Coq Require Import ZArith List Bool Lia Permutation.
From Treewright Require Import Trees Counts Checker Soundness Alike Rows Merged Family Verify Fast Same Squares.
Import ListNotations.
Open Scope Z_scope.

Section Squared.

Variable up down : Z.  (* 2^k is up / down *)

(* Each group is an item. *)
Definition square_items (os : list named_ordering) (gs : list group) : list item :=
  map (fun g => Item (gain_of_sums up down (snd (fst g))) (snd (fst g)) (ranks_of os (fst (fst g))) (snd g)) gs.

Definition row_gain (cs : list Z) : Z :=
  match cs with
  | a :: b :: _ => if a =? 0 then 0 else up * (b * b) / (down * a)
  | _ => 0
  end.
(* What every tree loses, in steps, beyond what the items count. It may be negative. *)
Definition square_lost (os : list named_ordering) (data : table) : Z :=
  sum_rows (fun r => row_gain (costs r)) (rows data) - all_reach (square_items os (groups_of data)).

Definition has_sums (r : row) : bool :=
  match costs r with
  | [a; b] => (0 <=? a) && (negb (a =? 0) || (b =? 0))
  | _ => false
  end.

Definition squares_hold (data : table) (p : proof) : bool :=
  (0 <=? price p) && Nat.eqb (classes data) 2 && forallb has_sums (rows data) && covers data (orderings p) &&
  let part := fast_distinct (fast_whole (all_paths (orderings p)) (square_items (orderings p) (groups_of data))) in
  match fast_check (leaves_of_numbers up down) (price p) (levels p) (least_rows p) (splits_allowed p) part (bound p) (body p) with
  | Some [] => true
  | _ => false
  end.

Hypothesis up_pos : 0 < up.
Hypothesis down_pos : 0 < down.

Definition sums_of (cs : list Z) : Prop := length cs = 2%nat /\ sound_sums (at_label 0 cs) (at_label 1 cs).

Lemma has_sums_of r : has_sums r = true -> sums_of (costs r).
Proof.
  unfold has_sums, sums_of, sound_sums. destruct (costs r) as [|a [|b [|c cs]]]; try discriminate. intros H. apply andb_true_iff in H.
  destruct H as (A & B). apply Z.leb_le in A. simpl. split; [reflexivity|]. split; [exact A|]. intros ->. simpl in B. apply Z.eqb_eq, B.
Qed.

Lemma sums_plus cs ds : sums_of cs -> sums_of ds -> sums_of (plus cs ds).
Proof.
  intros (L & A & Z0) (M & B & Z1). split; [rewrite length_plus; exact M|]. unfold sound_sums. rewrite !at_label_plus by congruence. lia.
Qed.

(* What adds up over rows adds up over groups. *)
Fixpoint sum_groups (h : list Z -> list Z -> Z) (gs : list group) : Z :=
  match gs with
  | [] => 0
  | g :: rest => h (fst (fst g)) (snd (fst g)) + sum_groups h rest
  end.

Lemma gather_sums rs : forall vs cs n done, sums_of cs -> 0 <= n -> (forall r, In r rs -> sums_of (costs r)) ->
  (forall g, In g done -> sums_of (snd (fst g)) /\ 0 <= snd g) -> forall g, In g (gather rs vs cs n done) -> sums_of (snd (fst g)) /\ 0 <= snd g.
Proof.
  induction rs as [|r rs IH]; intros vs cs n done C N R D g I; simpl in I.
  - destruct I as [<-|I]; auto.
  - pose proof (R r (or_introl eq_refl)) as Cr. assert (R' : forall q, In q rs -> sums_of (costs q)) by (intros; apply R; simpl; auto).
    destruct (equal vs (values r)).
    + eapply IH; [| |exact R'|exact D|exact I]; [apply sums_plus; assumption|lia].
    + eapply IH; [exact Cr| |exact R'| |exact I]; [lia|]. intros h [<-|J]; auto.
Qed.

Lemma gather_adds h rs : (forall vs cs ds, sums_of cs -> sums_of ds -> h vs (plus cs ds) = h vs cs + h vs ds) ->
  forall vs cs n done, sums_of cs -> (forall r, In r rs -> sums_of (costs r)) ->
  sum_groups h (gather rs vs cs n done) = sum_rows (fun r => h (values r) (costs r)) rs + h vs cs + sum_groups h done.
Proof.
  intros A. induction rs as [|r rs IH]; intros vs cs n done C R; simpl; [lia|].
  pose proof (R r (or_introl eq_refl)) as Cr. assert (R' : forall q, In q rs -> sums_of (costs q)) by (intros; apply R; simpl; auto).
  destruct (equal vs (values r)) eqn:Eq.
  - apply equal_eq in Eq. subst vs. rewrite IH by (auto using sums_plus). rewrite A by assumption. lia.
  - rewrite IH by assumption. simpl. lia.
Qed.

Lemma items_fit q os gs : of_ranks q (square_items os gs) = grouped_rows (fun vs => q (ranks_of os vs)) gs.
Proof.
  induction gs as [|((vs, cs), n) gs IH]; [reflexivity|]. unfold square_items in *. cbn [map grouped_rows]. rewrite of_ranks_cons, IH. reflexivity.
Qed.

Section Predictions.

Variable E : Z.
Hypothesis E_pos : 0 < E.

(* What a row loses by a prediction, of what it would gain alone. *)
Definition row_loses (t : raw_tree) (r : row) : Z :=
  E * E * down * row_gain (costs r) - by_prediction up E (raw_predict t (values r)) (at_label 0 (costs r)) (at_label 1 (costs r)).

(* No tree of the family within the limits of the proof loses less than it says, whatever its leaves predict. *)
Theorem squares_sound (data : table) (p : proof) : squares_hold data p = true ->
  forall t : raw_tree, splits_in_family data t -> spoken_of data p t ->
  E * E * down * (bound p + square_lost (orderings p) data) <= sum_rows (row_loses t) (rows data) + E * E * down * (price p * raw_splits t).
Proof.
  intros H t F (D & N & T). unfold squares_hold in H. rewrite !andb_true_iff in H. destruct H as ((((P & Cl) & W) & C) & K). cbv zeta in K.
  apply Z.leb_le in P. apply Nat.eqb_eq in Cl. rewrite forallb_forall in W.
  assert (Sums : forall r, In r (rows data) -> sums_of (costs r)) by (intros r I; apply has_sums_of, W, I).
  assert (L : forall r, In r (rows data) -> length (costs r) = classes data) by (intros r I; rewrite Cl; apply (Sums r I)).
  destruct (tree_of_cuts data (orderings p) (least_rows p) t L C F (rows data) (incl_refl _) T) as (u & Iu & Du & Su & Tu & Pu).
  set (items := square_items (orderings p) (groups_of data)) in *. set (how := of_predictions up down up_pos down_pos E E_pos).
  pose proof (RowSort.Permuted_sort (rows data)) as Perm.
  assert (In_ : forall q, In q (RowSort.sort (rows data)) -> In q (rows data)) by
    (intros; eapply Permutation_in; [apply Permutation_sym, Perm|auto]).
  assert (S : forall g, In g (groups_of data) -> (sums_of (snd (fst g)) /\ 0 <= snd g) /\ exists r, In r (rows data) /\ fst (fst g) = values r).
  { unfold groups_of. destruct (RowSort.sort (rows data)) as [|r rs]; [intros ? []|]. intros g I. split.
    - eapply gather_sums; [| | | |exact I].
      + apply Sums, In_. simpl. auto.
      + lia.
      + intros q Q. apply Sums, In_. simpl. auto.
      + intros ? [].
    - eapply (gather_values (fun vs => exists r, In r (rows data) /\ vs = values r)); [| | |exact I].
      + intros q Q. exists q. split; [apply In_; simpl; auto|reflexivity].
      + exists r. split; [apply In_; simpl; auto|reflexivity].
      + intros ? []. }
  assert (G : good how items).
  { intros x I. apply in_map_iff in I. destruct I as (g & <- & I). destruct (S g I) as (((Lg & A & Z0) & Ng) & _).
    destruct (snd (fst g)) as [|a [|b [|c cs]]]; try discriminate. simpl in A, Z0. change (at_label 0 [a; b]) with a in *. change (at_label 1 [a; b]) with b in *.
    split; [reflexivity|]. simpl gains. simpl reach. simpl size. change (at_label 0 [a; b]) with a. change (at_label 1 [a; b]) with b.
    assert (Sd : sound_sums a b) by (split; assumption). split; [exact Sd|].
    split; [apply square_gain_nonneg; assumption|]. split; [apply square_gain_ge; assumption|exact Ng]. }
  rewrite fast_check_eq in K.
  2:{ intros l I. apply fast_keep_in in I. destruct I as [I|[]]. revert I. apply proper_whole. }
  replace (erase (fast_distinct _)) with (distinct_orderings (whole (all_orderings (orderings p)) items)) in K.
  2:{ unfold distinct_orderings. rewrite <- (erase_whole (all_paths (orderings p))). unfold fast_distinct, erase. simpl. f_equal. symmetry. apply (fast_keep_eq _ []). }
  destruct (check _ _ _ _ _ _ _ _) as [[|]|] eqn:Ck in K; try discriminate. clear K.
  pose proof (whole_faithful how (all_orderings (orderings p)) _ G) as Wh.
  pose proof (Soundness.check_sound how (leaves_of_numbers up down) (numbers_fair up down up_pos down_pos E E_pos) (price p) _ P
    _ _ _ _ _ _ _ (distinct_faithful _ _ _ Wh) Ck) as B. simpl base in B.
  apply (at_least_all how (price p) P (all_orderings (orderings p)) (whole _ _)) in B; [|exact Wh].
  specialize (B u Iu). assert (Wi : within (Limits (levels p) (splits_allowed p)) u).
  { split; simpl; [lia|]. unfold splits_allowed. destruct (few p) as [n|]; [lia|]. pose proof (splits_depth u).
    assert (depth u <= levels p)%nat as Du' by lia. pose proof (power_of_two_le _ _ Du'). lia. }
  specialize (B Wi). simpl base in B.
  assert (Tu' : fits (least_rows p) u items).
  { eapply fits_by_ranks; [exact Iu| |exact Tu]. intros q. rewrite singles_rows. unfold items. rewrite items_fit. symmetry. apply groups_rows. }
  specialize (B Tu'). unfold cost in B. simpl base in B. change (step how) with (E * E * down) in B.
  assert (Pays : paid how u items = E * E * down * all_reach items -
    sum_groups (fun vs cs => by_prediction up E (raw_predict t vs) (at_label 0 cs) (at_label 1 cs)) (groups_of data)).
  { unfold items, square_items, paid, all_reach. revert S. generalize (groups_of data). induction l as [|g gs IH]; intros S; [rewrite !sum_nil; simpl; ring|].
    cbn [map sum_groups]. rewrite !sum_cons, IH by (intros; apply S; simpl; auto). destruct (S g (or_introl eq_refl)) as (_ & r & Ir & Er).
    rewrite (Pu r Ir) by (simpl; rewrite Er; reflexivity). rewrite <- Er. simpl pays. unfold loses. simpl reach. simpl gains. ring. }
  assert (Add : sum_groups (fun vs cs => by_prediction up E (raw_predict t vs) (at_label 0 cs) (at_label 1 cs)) (groups_of data) =
    sum_rows (fun r => by_prediction up E (raw_predict t (values r)) (at_label 0 (costs r)) (at_label 1 (costs r))) (rows data)).
  { rewrite (sum_rows_perm _ _ _ Perm). unfold groups_of. destruct (RowSort.sort (rows data)) as [|r rs]; [reflexivity|].
    rewrite gather_adds; [simpl; ring| |apply Sums, In_; simpl; auto|intros q Q; apply Sums, In_; simpl; auto].
    intros vs cs ds (Lc & _) (Ld & _). rewrite !at_label_plus by congruence. unfold by_prediction. ring. }
  assert (Rows_ : sum_rows (row_loses t) (rows data) = E * E * down * sum_rows (fun r => row_gain (costs r)) (rows data) -
    sum_rows (fun r => by_prediction up E (raw_predict t (values r)) (at_label 0 (costs r)) (at_label 1 (costs r))) (rows data)).
  { unfold row_loses. generalize (rows data). induction l as [|r rs IH]; simpl; [ring|]. rewrite IH. ring. }
  rewrite Pays, Add in B. rewrite Rows_. unfold square_lost. fold items.
  assert (E * E * down * (price p * splits u) <= E * E * down * (price p * raw_splits t)).
  { apply Z.mul_le_mono_nonneg_l; [apply Z.lt_le_incl, step_is_pos; assumption|]. apply Z.mul_le_mono_nonneg_l; lia. }
  lia.
Qed.

End Predictions.
End Squared.
