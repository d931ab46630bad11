(* Squared error: what items cost where leaves predict numbers.

   An item has the whole weight A and the whole amount B. As its reach it has q, what it loses by itself: 2^k B^2 / A steps, rounded up,
   where 2^k is up / down. By the prediction N / E it loses q - 2^k (2 B N / E - A (N / E)^2). That is at least 0, since no prediction
   gains more than the best one, B / A. So more items never cost less. All is taken times E^2 down, so that it is a whole number. *)

From Coq Require Import ZArith List Bool Lia.
From Treewright Require Import Trees Counts Checker Stumps.
Import ListNotations.
Open Scope Z_scope.

Definition rounded_up (n d : Z) : Z := - ((- n) / d).

(* What rows of the sums a and b gain by their best prediction: up b^2 / (down a) steps. *)
Definition square_gain (up down a b : Z) : Z := if a =? 0 then 0 else rounded_up (up * (b * b)) (down * a).
Definition gain_of_sums (up down : Z) (cs : list Z) : Z :=
  match cs with
  | a :: b :: _ => square_gain up down a b
  | _ => 0
  end.
Definition gain_of_two (up down : Z) (all cs : list Z) : Z :=
  match all, cs with
  | a :: b :: _, c :: d :: _ => square_gain up down c d + square_gain up down (a - c) (b - d)
  | _, _ => 0
  end.
Definition leaves_of_numbers (up down : Z) : leaves :=
  Leaves 2 (gain_of_sums up down) (gain_of_two up down)
    (fun _ leaves all cs => if leaves =? 1 then all - gain_of_sums up down cs else 0) false.

Lemma rounded_up_ge n d : 0 < d -> n <= d * rounded_up n d.
Proof. intros D. unfold rounded_up. pose proof (Z.mul_div_le (- n) d D). lia. Qed.

Lemma rounded_up_nonneg n d : 0 <= n -> 0 < d -> 0 <= rounded_up n d.
Proof. intros N D. unfold rounded_up. assert (- n / d <= 0); [|lia]. apply Z.div_le_upper_bound; lia. Qed.

Section Squares.

Variable up down : Z.
Hypothesis up_pos : 0 < up.
Hypothesis down_pos : 0 < down.

(* Sums of weights and amounts: where there is no weight there is no amount. *)
Definition sound_sums (a b : Z) : Prop := 0 <= a /\ (a = 0 -> b = 0).

Lemma square_gain_ge a b : sound_sums a b -> up * (b * b) <= down * a * square_gain up down a b.
Proof.
  intros (A & Z0). unfold square_gain. destruct (Z.eqb_spec a 0) as [E|E]; [rewrite (Z0 E); lia|].
  apply rounded_up_ge, Z.mul_pos_pos; lia.
Qed.

Lemma square_gain_nonneg a b : 0 <= a -> 0 <= square_gain up down a b.
Proof.
  intros A. unfold square_gain. destruct (Z.eqb_spec a 0) as [E|E]; [lia|].
  apply rounded_up_nonneg; [|apply Z.mul_pos_pos; lia]. apply Z.mul_nonneg_nonneg; [lia|apply Z.square_nonneg].
Qed.

Variable E : Z.
Hypothesis E_pos : 0 < E.

(* What rows of the sums a and b gain by the prediction N / E, times E^2 down. *)
Definition by_prediction (N a b : Z) : Z := up * (2 * b * N * E - a * (N * N)).

Lemma loses_nonneg N a b q : sound_sums a b -> 0 <= q -> up * (b * b) <= down * a * q -> 0 <= E * E * down * q - by_prediction N a b.
Proof.
  intros (A & Z0) Q G. unfold by_prediction. destruct (Z.eq_dec a 0) as [Ea|Ea].
  - rewrite (Z0 Ea), Ea. replace (2 * 0 * N * E - 0 * (N * N)) with 0 by ring. rewrite Z.mul_0_r, Z.sub_0_r.
    repeat apply Z.mul_nonneg_nonneg; lia.
  - apply (Z.mul_le_mono_pos_l _ _ a); [lia|]. rewrite Z.mul_0_r.
    assert (S : 0 <= up * ((E * b - a * N) * (E * b - a * N))) by (apply Z.mul_nonneg_nonneg; [lia|apply Z.square_nonneg]).
    assert (B : E * E * (up * (b * b)) <= E * E * (down * a * q)) by (apply Z.mul_le_mono_nonneg_l; [apply Z.mul_nonneg_nonneg; lia|exact G]).
    replace (a * (E * E * down * q - up * (2 * b * N * E - a * (N * N)))) with
      (E * E * (down * a * q) - E * E * (up * (b * b)) + up * ((E * b - a * N) * (E * b - a * N))) by ring. lia.
Qed.

Definition loses (N : Z) (x : item) : Z := E * E * down * reach x - by_prediction N (at_label 0 (gains x)) (at_label 1 (gains x)).

Definition sound_item (x : item) : Prop :=
  length (gains x) = 2%nat /\ sound_sums (at_label 0 (gains x)) (at_label 1 (gains x)) /\ 0 <= reach x /\
  up * (at_label 1 (gains x) * at_label 1 (gains x)) <= down * at_label 0 (gains x) * reach x /\ 0 <= size x.

Lemma loses_item N x : sound_item x -> 0 <= loses N x.
Proof. intros (_ & S & Q & G & _). apply loses_nonneg; assumption. Qed.

Lemma step_is_pos : 0 < E * E * down.
Proof. repeat apply Z.mul_pos_pos; assumption. Qed.

Definition of_predictions : costing :=
  Costing loses (E * E * down) sound_item 2 step_is_pos loses_item (fun x S => proj2 (proj2 (proj2 (proj2 S)))) (fun x S => proj1 S).
Notation good := (good of_predictions).

Lemma sum_loses N xs : sum (loses N) xs = E * E * down * all_reach xs - by_prediction N (count 0 xs) (count 1 xs).
Proof.
  unfold all_reach, count, by_prediction. induction xs as [|x xs IH]; [rewrite !sum_nil; ring|].
  rewrite !sum_cons, IH. unfold loses, by_prediction. ring.
Qed.

Lemma sums_sound xs : good xs -> sound_sums (count 0 xs) (count 1 xs).
Proof.
  unfold count, sound_sums. induction xs as [|x xs IH]; intros G; [rewrite !sum_nil; lia|]. rewrite !sum_cons.
  destruct IH as (A & Z0); [intros y I; apply G; simpl; auto|]. destruct (G x (or_introl eq_refl)) as (_ & (A1 & Z1) & _). lia.
Qed.

Theorem numbers_fair : fair of_predictions (leaves_of_numbers up down).
Proof.
  assert (Leaf_ : forall k xs, good xs ->
    E * E * down * (all_reach xs - square_gain up down (count 0 xs) (count 1 xs)) <= sum (loses k) xs).
  { intros k xs G. rewrite sum_loses. pose proof (sums_sound xs G) as S.
    pose proof (loses_nonneg k _ _ _ S (square_gain_nonneg _ _ (proj1 S)) (square_gain_ge _ _ S)). lia. }
  split.
  - reflexivity.
  - exact Leaf_.
  - intros xs ys zs C. change (counted (width of_predictions) xs) with [count 0 xs; count 1 xs].
    change (counted (width of_predictions) ys) with [count 0 ys; count 1 ys]. change (counted (width of_predictions) zs) with [count 0 zs; count 1 zs].
    simpl. rewrite !C. rewrite !Z.add_simpl_l. lia.
  - intros price ords m d n xs P G. change (counted (width of_predictions) xs) with [count 0 xs; count 1 xs]. simpl.
    destruct (Z.eqb_spec (n + 1) 1) as [N|N]; [|apply at_least_zero; auto].
    intros t _ (D & L) _. simpl in L. pose proof (depth_splits t). destruct t as [k|f c l r]; [|simpl in *; exfalso; lia].
    unfold cost, paid. change (fun x => pays of_predictions (predict (Trees.Leaf k) x) x) with (loses k). specialize (Leaf_ k xs G). simpl in *. lia.
  - discriminate.
Qed.

End Squares.
