(* Whole costs: what the checker counts for a row, and by how much that may differ from what the row pays. `unit`, as all numbers, is a multiple of
   2^-1074. *)

From Coq Require Import ZArith List Bool Lia.
From Treewright Require Import Labels Bytes Numbers Canonical Meaning Translate.
Import ListNotations.
Open Scope Z_scope.

Fixpoint greatest (x : Z) (xs : list Z) : Z :=
  match xs with
  | [] => x
  | y :: rest => greatest (Z.max x y) rest
  end.
Definition dearest (cs : list Z) : Z := greatest (hd 0 cs) cs.
Definition cheapest (cs : list Z) : Z := - greatest (- hd 0 cs) (map Z.opp cs).

(* What a label gains over the dearest one, as a double; what is as small as the last digits of the costs is 0. *)
Definition digits_of_costs : Z := 2 ^ 50.
Definition gain_of (r : row) (c : Z) : Z :=
  let top := dearest (costs r) in
  if Z.max (Z.abs top) (Z.abs (cheapest (costs r))) <? (top - c) * digits_of_costs
  then double_of (weighs r * double_of (top - c) 1) scale else 0.
(* The nearest whole number of units; a half is rounded up. *)
Definition in_units (unit g : Z) : Z := (2 * g + unit) / (2 * unit).

Definition whole (unit : Z) (r : row) : list Z :=
  let gains := map (fun c => in_units unit (gain_of r c)) (costs r) in
  map (fun g => most gains - g) gains.

(* A row pays at least `least` for its cheapest label, and beyond that the units of a label up to `rounding`. *)
Definition least (r : row) : Z := weighs r * cheapest (costs r).
Definition off_by (unit low : Z) (w n c : Z) : Z := Z.abs (w * (c - low) - n * (unit * scale)).
Fixpoint most_off (unit low w : Z) (ns cs : list Z) : Z :=
  match ns, cs with
  | n :: ns, c :: cs => Z.max (off_by unit low w n c) (most_off unit low w ns cs)
  | _, _ => 0
  end.
Definition rounding (unit : Z) (r : row) : Z := most_off unit (cheapest (costs r)) (weighs r) (whole unit r) (costs r).

(* Whether shares of whole gains are those of gains: each to its last digits, or all rounding is as small as the last digits of the sum. *)
Definition digits_of_shares : Z := 2 ^ 49.
Definition to_last_digits (unit : Z) (r : row) : bool :=
  forallb (fun c => let g := gain_of r c in Z.abs (in_units unit g * unit - g) * digits_of_shares <=? g) (costs r).
Definition tells_shares (unit : Z) (rs : list row) : bool :=
  forallb (to_last_digits unit) rs || (unit * digits_of_shares <=? sum_of (fun r => sum_of (gain_of r) (costs r)) rs).

Lemma greatest_ge xs : forall x, x <= greatest x xs /\ forall y, In y xs -> y <= greatest x xs.
Proof.
  induction xs as [|z xs IH]; intros x; simpl; [split; [lia|intros ? []]|]. destruct (IH (Z.max x z)) as (A & B).
  split; [lia|]. intros y [<-|I]; [lia|apply B, I].
Qed.
Lemma cheapest_le cs c : In c cs -> cheapest cs <= c.
Proof. intros I. unfold cheapest. destruct (greatest_ge (map Z.opp cs) (- hd 0 cs)) as (_ & B). specialize (B (- c) (in_map _ _ _ I)). lia. Qed.

Lemma most_off_ge unit low w cs : forall ns k, length ns = length cs -> 0 <= k < Z.of_nat (length cs) ->
  at_label k ns * (unit * scale) - most_off unit low w ns cs <= w * (at_label k cs - low).
Proof.
  induction cs as [|c cs IH]; intros [|n ns] k L K; try discriminate; [simpl in K; lia|].
  cbn [at_label most_off]. simpl length in K. destruct (Z.eqb_spec k 0) as [->|N].
  - unfold off_by. lia.
  - inversion L as [L']. specialize (IH ns (k - 1) L'). lia.
Qed.

Lemma length_whole unit r : length (whole unit r) = length (costs r).
Proof. unfold whole. rewrite !map_length. reflexivity. Qed.

Section Bound.

Variable t : table.
Variable unit : Z.
Variable rs : list row.
Variable restricted : list nat.
Hypothesis long : forall r, In r rs -> length (costs r) = length (labels t).
Hypothesis weights : forall r, In r rs -> 0 <= weighs r.

Lemma label_of u : in_family t (whole unit) rs restricted u -> forall r, 0 <= predict u r < Z.of_nat (length (labels t)).
Proof.
  induction u as [k|s low IHl high IHr]; intros F r; simpl in *; [exact F|]. destruct F as (_ & Fl & Fr). destruct (goes_left s r); auto.
Qed.

Lemma row_pays u r : in_family t (whole unit) rs restricted u -> In r rs ->
  least r <= weighs r * at_label (predict u r) (costs r) /\
  least r + unit * scale * at_label (predict u r) (whole unit r) - rounding unit r <= weighs r * at_label (predict u r) (costs r).
Proof.
  intros F I. pose proof (label_of u F r) as K. rewrite <- (long r I) in K. unfold least, rounding.
  pose proof (cheapest_le (costs r) _ (at_label_in _ _ K)) as C. pose proof (weights r I) as W. split; [apply Z.mul_le_mono_nonneg_l; auto|].
  pose proof (most_off_ge unit (cheapest (costs r)) (weighs r) (costs r) (whole unit r) (predict u r) (length_whole unit r) K) as B.
  rewrite Z.mul_sub_distr_l in B. lia.
Qed.

Theorem rows_pay u : in_family t (whole unit) rs restricted u ->
  sum_of least rs <= loss u rs /\
  sum_of least rs + unit * scale * sum_of (fun r => at_label (predict u r) (whole unit r)) rs - sum_of (rounding unit) rs <= loss u rs.
Proof.
  intros F. unfold loss.
  assert (G : forall ys, incl ys rs ->
    sum_of least ys <= sum_of (fun r => weighs r * at_label (predict u r) (costs r)) ys /\
    sum_of least ys + unit * scale * sum_of (fun r => at_label (predict u r) (whole unit r)) ys - sum_of (rounding unit) ys <=
      sum_of (fun r => weighs r * at_label (predict u r) (costs r)) ys).
  { intros ys. induction ys as [|r ys IH]; intros N; simpl; [lia|]. destruct (row_pays u r F (N r (or_introl eq_refl))) as (A & B).
    destruct IH as (C & D); [intros x X; apply N; simpl; auto|]. lia. }
  apply G, incl_refl.
Qed.

End Bound.
