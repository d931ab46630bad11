(* Whole weights and amounts: what the checker counts for a row whose number is predicted, and by how much that differs from what the row
   loses.

   The grid of a proof has a unit of weights u, a center c and digits D. A row of weight w and number y has the whole weight A next to w /
   u, and the whole amount B next to A (y - c) 2^D. Here u, c, w and y are whole multiples of 2^-1074, and 2^D is tens / below. The bound
   is true for any whole numbers A and B, as it counts exactly by how much they are off. *)

From Coq Require Import ZArith List Bool Lia.
From Treewright Require Import Labels Bytes Numbers Canonical Meaning Translate Whole Squares.
Import ListNotations.
Open Scope Z_scope.

Record grid := Grid {
  unit : Z;
  center : Z;
  tens : Z; below : Z;  (* 2^D *)
  up : Z; down : Z  (* 2^k: so many steps are u 4^-D *)
}.

(* The double nearest to a whole multiple of 2^-1074. *)
Definition near (n : Z) : Z := if n <? 0 then - double_of (- n) 1 else double_of n 1.
(* The nearest whole number; a half is rounded away from 0. *)
Definition near_whole (n d : Z) : Z := if n <? 0 then - ((2 * - n + d) / (2 * d)) else (2 * n + d) / (2 * d).

Definition whole_weight (g : grid) (r : row) : Z := in_units (unit g) (weighs r).
Definition product (g : grid) (r : row) : Z := near (whole_weight g r * near (predicted r - center g)).
Definition whole_amount (g : grid) (r : row) : Z := near_whole (product g r * tens g) (scale * below g).
Definition whole_sums (g : grid) (r : row) : list Z := [whole_weight g r; whole_amount g r].

(* (y - c) 2^D, and A (y - c) 2^D - B: by how much the amount is off. Both are times `fine`. *)
Definition fine (g : grid) : Z := scale * below g.
Definition distance (g : grid) (r : row) : Z := (predicted r - center g) * tens g.
Definition off (g : grid) (r : row) : Z := whole_weight g r * distance g r - whole_amount g r * fine g.

(* The square of the latter over A, in multiples of 2^-128, rounded up. *)
Definition parts : Z := 2 ^ 128.
Definition moved (g : grid) (r : row) : Z :=
  if whole_weight g r =? 0 then 0 else rounded_up (off g r * off g r * parts) (whole_weight g r * (fine g * fine g)).
(* By how much A u is above w. *)
Definition too_heavy (g : grid) (r : row) : Z := if whole_weight g r =? 0 then 0 else Z.max 0 (whole_weight g r * unit g - weighs r).

(* The least and the largest number of the rows with A > 0. *)
Fixpoint extremes (g : grid) (rs : list row) : option (Z * Z) :=
  match rs with
  | [] => None
  | r :: rest =>
      if whole_weight g r =? 0 then extremes g rest
      else match extremes g rest with
           | Some (low, high) => Some (Z.min low (predicted r), Z.max high (predicted r))
           | None => Some (predicted r, predicted r)
           end
  end.

(* The bound as a fraction: what is proved on the grid, `counted` steps, less what the rows may lose there in addition.

   A row's distance on the grid from a prediction is x + y: x is the distance of its number from the prediction, and y is by how much the
   grid moved the number. The square of x + y is at most (1 + a / b) x^2 + (1 + b / a) y^2, for all a and b above 0. So the
   loss of a row is bounded by that on the grid. The best a / b follows from the sum of y^2 and from what all rows lose on the grid. The
   proof holds for any other one, too. If the grid moved no row, y is 0. *)
Record mix := Mix { of_sum : Z; of_first : Z; of_second : Z }.  (* of_sum (x + y)^2 <= of_first x^2 + of_second y^2 *)
Definition mix_for (g : grid) (counted all_moved : Z) : mix :=
  if all_moved =? 0 then Mix 1 1 0
  else let a := 2 ^ 64 in
       let b := Z.max 0 (Z.sqrt (counted * down g * parts * (a * a) / (up g * all_moved)) - a) in
       Mix (a * b) (a * (a + b)) (b * (a + b)).

Definition under (g : grid) (m : mix) : Z := up g * of_first m * parts * (tens g * tens g).
Definition over (g : grid) (m : mix) (counted all_moved all_heavy range : Z) : Z :=
  parts * of_sum m * unit g * (fine g * fine g) * down g * counted -
  up g * (parts * of_first m * (range * range) * all_heavy + of_second m * unit g * (fine g * fine g) * all_moved).

(* The price of a split as a fraction. *)
Definition price_over (g : grid) (price : Z) : Z := price * unit g * (fine g * fine g) * down g.
Definition price_under (g : grid) : Z := up g * (tens g * tens g).

Lemma sum_of_scaled {A} n (f : A -> Z) xs : sum_of (fun x => n * f x) xs = n * sum_of f xs.
Proof. induction xs as [|x xs IH]; simpl; [ring|]. rewrite IH. ring. Qed.
Lemma sum_of_plus {A} (f h : A -> Z) xs : sum_of (fun x => f x + h x) xs = sum_of f xs + sum_of h xs.
Proof. induction xs as [|x xs IH]; simpl; [ring|]. rewrite IH. ring. Qed.
Lemma sum_of_le {A} (f h : A -> Z) xs : (forall x, In x xs -> f x <= h x) -> sum_of f xs <= sum_of h xs.
Proof.
  induction xs as [|x xs IH]; intros L; simpl; [lia|]. pose proof (L x (or_introl eq_refl)).
  assert (sum_of f xs <= sum_of h xs); [apply IH; intros; apply L; simpl; auto|lia].
Qed.

Lemma extremes_none g rs : extremes g rs = None -> forall r, In r rs -> whole_weight g r = 0.
Proof.
  induction rs as [|q rs IH]; intros X r I; [destruct I|]. cbn [extremes] in X. destruct (Z.eqb_spec (whole_weight g q) 0) as [Q|Q].
  - destruct I as [->|I]; auto.
  - destruct (extremes g rs) as [(? & ?)|]; discriminate.
Qed.

Lemma extremes_hold g rs low high : extremes g rs = Some (low, high) ->
  forall r, In r rs -> whole_weight g r <> 0 -> low <= predicted r <= high.
Proof.
  revert low high. induction rs as [|q rs IH]; intros low high E r I N; [destruct I|]. cbn [extremes] in E.
  destruct (Z.eqb_spec (whole_weight g q) 0) as [Z0|Z0].
  - destruct I as [->|I]; [contradiction|]. eapply IH; eauto.
  - destruct (extremes g rs) as [(lo, hi)|] eqn:X.
    + inversion E; subst. destruct I as [->|I]; [lia|]. specialize (IH lo hi eq_refl r I N). lia.
    + inversion E; subst. destruct I as [->|I]; [lia|]. exfalso. apply N, (extremes_none g rs X r I).
Qed.

Lemma sum_of_nonneg {A} (f : A -> Z) xs : (forall x, In x xs -> 0 <= f x) -> 0 <= sum_of f xs.
Proof.
  induction xs as [|x xs IH]; intros N; simpl; [lia|]. pose proof (N x (or_introl eq_refl)). pose proof (IH (fun y Y => N y (or_intror Y))). lia.
Qed.

Lemma moved_nonneg g r : 0 < fine g -> 0 <= whole_weight g r -> 0 <= moved g r.
Proof.
  intros F A. unfold moved. destruct (Z.eqb_spec (whole_weight g r) 0) as [E|E]; [lia|].
  apply rounded_up_nonneg; [|apply Z.mul_pos_pos; [lia|apply Z.mul_pos_pos; lia]].
  apply Z.mul_nonneg_nonneg; [apply Z.square_nonneg|unfold parts; lia].
Qed.

Lemma power_nonneg x : 0 <= x ^ 2.
Proof. rewrite Z.pow_2_r. apply Z.square_nonneg. Qed.

Section Rows.

Variable g : grid.
Variable rs : list row.
Hypothesis unit_pos : 0 < unit g.
Hypothesis tens_pos : 0 < tens g.
Hypothesis below_pos : 0 < below g.
Hypothesis up_pos : 0 < up g.
Hypothesis down_pos : 0 < down g.
Hypothesis weights : forall r, In r rs -> 0 <= weighs r.

Variable low high : Z.
Hypothesis in_range : forall r, In r rs -> whole_weight g r <> 0 -> low <= predicted r <= high.
Definition range : Z := (high - low) * tens g.

Variable d : Z.
Hypothesis d_pos : 0 < d.

(* The prediction n / d is on_grid n / E on the grid. It is moved to the nearest number between those of the rows first, which loses no
   more. *)
Definition E : Z := d * fine g.
Definition clipped (n : Z) : Z := Z.max (d * low) (Z.min (d * high) (n * scale)).
Definition on_grid (n : Z) : Z := (clipped n - center g * d) * tens g.

Lemma fine_pos : 0 < fine g.
Proof. unfold fine. pose proof scale_pos. apply Z.mul_pos_pos; lia. Qed.

(* What a row loses on the grid by the prediction N / E, as the checker of bodies counts it. *)
Definition grid_loses (N : Z) (r : row) : Z :=
  E * E * down g * (if whole_weight g r =? 0 then 0 else up g * (whole_amount g r * whole_amount g r) / (down g * whole_weight g r)) -
  by_prediction (up g) E N (whole_weight g r) (whole_amount g r).

(* How far the row's number is from the prediction. *)
Definition away (N : Z) (r : row) : Z := d * distance g r - N.

Variable m : mix.
Hypothesis sum_nonneg : 0 <= of_sum m.
Hypothesis first_pos : 0 < of_first m.
Hypothesis second_nonneg : 0 <= of_second m.
Hypothesis mixes : forall r, In r rs -> whole_weight g r <> 0 -> forall x,
  of_sum m * (x - d * off g r) ^ 2 <= of_first m * x ^ 2 + of_second m * (d * off g r) ^ 2.

Lemma grid_to_number N r : In r rs -> 0 < whole_weight g r ->
  parts * of_sum m * grid_loses N r <=
  up g * (parts * of_first m * (whole_weight g r * away N r ^ 2) + of_second m * (E * E) * moved g r).
Proof.
  intros I A. unfold grid_loses. destruct (Z.eqb_spec (whole_weight g r) 0) as [Z0|Z0]; [lia|].
  pose proof (mixes r I Z0 (whole_weight g r * away N r)) as M. pose proof fine_pos as Fp.
  set (a := whole_weight g r) in *. set (b := whole_amount g r) in *. set (o := off g r) in *. set (s := away N r) in *.
  assert (Ep : 0 < E) by (apply Z.mul_pos_pos; lia).
  set (q := up g * (b * b) / (down g * a)).
  assert (Q : down g * a * q <= up g * (b * b)) by (apply Z.mul_div_le, Z.mul_pos_pos; lia).
  assert (Rel : E * b - a * N = a * s - d * o).
  { unfold s, away, o, off, E. fold a b. ring. }
  assert (G : a * (E * E * down g * q - by_prediction (up g) E N a b) <= up g * (a * s - d * o) ^ 2).
  { rewrite <- Rel. unfold by_prediction. assert (E * E * (down g * a * q) <= E * E * (up g * (b * b))) by (apply Z.mul_le_mono_nonneg_l; [apply Z.mul_nonneg_nonneg; lia|exact Q]).
    replace (up g * (E * b - a * N) ^ 2) with (E * E * (up g * (b * b)) - up g * (2 * b * N * E * a - a * a * (N * N))) by ring.
    replace (a * (E * E * down g * q - up g * (2 * b * N * E - a * (N * N)))) with (E * E * (down g * a * q) - up g * (2 * b * N * E * a - a * a * (N * N))) by ring. lia. }
  assert (P : 0 < parts) by reflexivity.
  assert (Mv : o * o * parts <= a * (fine g * fine g) * moved g r).
  { unfold moved. fold a o. destruct (Z.eqb_spec a 0); [lia|]. apply rounded_up_ge. apply Z.mul_pos_pos; [lia|apply Z.mul_pos_pos; lia]. }
  apply (Z.mul_le_mono_pos_l _ _ a A).
  assert (S1 : parts * of_sum m * (a * (E * E * down g * q - by_prediction (up g) E N a b)) <= parts * of_sum m * (up g * (a * s - d * o) ^ 2)).
  { apply Z.mul_le_mono_nonneg_l; [apply Z.mul_nonneg_nonneg; lia|exact G]. }
  assert (S2 : parts * up g * (of_sum m * (a * s - d * o) ^ 2) <= parts * up g * (of_first m * (a * s) ^ 2 + of_second m * (d * o) ^ 2)).
  { apply Z.mul_le_mono_nonneg_l; [apply Z.mul_nonneg_nonneg; lia|exact M]. }
  assert (S3 : up g * of_second m * (d * d) * (o * o * parts) <= up g * of_second m * (d * d) * (a * (fine g * fine g) * moved g r)).
  { apply Z.mul_le_mono_nonneg_l; [repeat apply Z.mul_nonneg_nonneg; lia|exact Mv]. }
  replace (a * (parts * of_sum m * (E * E * down g * q - by_prediction (up g) E N a b))) with
    (parts * of_sum m * (a * (E * E * down g * q - by_prediction (up g) E N a b))) by ring.
  replace (a * (up g * (parts * of_first m * (a * s ^ 2) + of_second m * (E * E) * moved g r))) with
    (parts * up g * (of_first m * (a * s) ^ 2) + up g * of_second m * (d * d) * (a * (fine g * fine g) * moved g r)) by (unfold E; ring).
  replace (parts * of_sum m * (up g * (a * s - d * o) ^ 2)) with (parts * up g * (of_sum m * (a * s - d * o) ^ 2)) in S1 by ring.
  replace (parts * up g * (of_first m * (a * s) ^ 2 + of_second m * (d * o) ^ 2)) with
    (parts * up g * (of_first m * (a * s) ^ 2) + up g * of_second m * (d * d) * (o * o * parts)) in S2 by ring.
  lia.
Qed.

Lemma clipped_between n : low <= high -> d * low <= clipped n <= d * high.
Proof. intros L. unfold clipped. assert (d * low <= d * high) by (apply Z.mul_le_mono_nonneg_l; lia). lia. Qed.

Lemma square_le x y : - y <= x <= y -> x ^ 2 <= y ^ 2.
Proof. intros L. nia. Qed.

(* From whole weights to weights: the prediction is within the numbers of the rows. *)
Lemma weight_to_weight n r : In r rs -> whole_weight g r <> 0 ->
  whole_weight g r * unit g * away (on_grid n) r ^ 2 <=
  tens g ^ 2 * (weighs r * (d * predicted r - scale * n) ^ 2) + (d * range) ^ 2 * too_heavy g r.
Proof.
  intros I A. pose proof (in_range r I A) as R. pose proof (clipped_between n ltac:(lia)) as C. pose proof (weights r I) as W.
  assert (Aw : away (on_grid n) r = tens g * (d * predicted r - clipped n)) by (unfold away, on_grid, distance; ring).
  assert (R1 : d * low <= d * predicted r) by (apply Z.mul_le_mono_nonneg_l; lia).
  assert (R2 : d * predicted r <= d * high) by (apply Z.mul_le_mono_nonneg_l; lia).
  assert (S1 : (d * predicted r - clipped n) ^ 2 <= (d * predicted r - scale * n) ^ 2).
  { assert (Cl : d * low <= n * scale <= d * high /\ clipped n = n * scale \/ n * scale < d * low /\ clipped n = d * low \/
      d * high < n * scale /\ clipped n = d * high) by (unfold clipped in *; lia).
    rewrite (Z.mul_comm scale n). destruct Cl as [(_ & ->)|[(L & ->)|(L & ->)]]; [lia| |]; nia. }
  assert (S2 : (d * predicted r - clipped n) ^ 2 <= (d * (high - low)) ^ 2) by (apply square_le; lia).
  unfold too_heavy. destruct (Z.eqb_spec (whole_weight g r) 0) as [Z0|_]; [contradiction|].
  rewrite Aw. unfold range. set (x := (d * predicted r - clipped n) ^ 2) in *. set (y := (d * predicted r - scale * n) ^ 2) in *.
  set (h := Z.max 0 (whole_weight g r * unit g - weighs r)).
  assert (X : 0 <= x) by apply power_nonneg.
  replace (whole_weight g r * unit g * (tens g * (d * predicted r - clipped n)) ^ 2) with (tens g ^ 2 * (whole_weight g r * unit g * x)) by (unfold x; ring).
  replace ((d * ((high - low) * tens g)) ^ 2 * h) with (tens g ^ 2 * ((d * (high - low)) ^ 2 * h)) by ring.
  rewrite <- Z.mul_add_distr_l. apply Z.mul_le_mono_nonneg_l; [apply power_nonneg|].
  assert (H1 : whole_weight g r * unit g * x <= (weighs r + h) * x) by (apply Z.mul_le_mono_nonneg_r; [exact X|unfold h; lia]).
  assert (H2 : weighs r * x <= weighs r * y) by (apply Z.mul_le_mono_nonneg_l; assumption).
  assert (H3 : h * x <= h * (d * (high - low)) ^ 2) by (apply Z.mul_le_mono_nonneg_l; [unfold h; lia|exact S2]). lia.
Qed.

Hypothesis sums_sound : forall r, In r rs -> sound_sums (whole_weight g r) (whole_amount g r).

(* One row, and all of them, for any predictions `p`. *)
Lemma row_loses p r : In r rs ->
  parts * of_sum m * unit g * grid_loses (on_grid (p r)) r <=
  up g * (parts * of_first m * (tens g ^ 2 * (weighs r * (d * predicted r - scale * p r) ^ 2) + (d * range) ^ 2 * too_heavy g r) +
    of_second m * unit g * (E * E) * moved g r).
Proof.
  intros I. pose proof (sums_sound r I) as (A & Z0). assert (P : 0 < parts) by reflexivity.
  destruct (Z.eq_dec (whole_weight g r) 0) as [Ez|Ez].
  - unfold grid_loses, by_prediction, too_heavy, moved. rewrite Ez, (Z0 Ez). simpl (0 =? 0). cbn iota.
    replace (parts * of_sum m * unit g * (E * E * down g * 0 - up g * (2 * 0 * on_grid (p r) * E - 0 * (on_grid (p r) * on_grid (p r))))) with 0 by ring.
    pose proof (weights r I). rewrite !Z.mul_0_r, !Z.add_0_r. pose proof (power_nonneg (d * predicted r - scale * p r)) as X.
    pose proof (power_nonneg (tens g)) as Y. generalize dependent ((d * predicted r - scale * p r) ^ 2). intros x X.
    generalize dependent (tens g ^ 2). intros y Y. repeat apply Z.mul_nonneg_nonneg; lia.
  - pose proof (grid_to_number (on_grid (p r)) r I ltac:(lia)) as G. pose proof (weight_to_weight (p r) r I Ez) as W.
    set (L := grid_loses _ r) in *. set (x := away _ r ^ 2) in *. set (y := tens g ^ 2 * _ + _) in *.
    assert (G' : unit g * (parts * of_sum m * L) <= unit g * (up g * (parts * of_first m * (whole_weight g r * x) + of_second m * (E * E) * moved g r)))
      by (apply Z.mul_le_mono_nonneg_l; [lia|exact G]).
    assert (W' : up g * (parts * of_first m) * (whole_weight g r * unit g * x) <= up g * (parts * of_first m) * y)
      by (apply Z.mul_le_mono_nonneg_l; [repeat apply Z.mul_nonneg_nonneg; lia|exact W]).
    replace (parts * of_sum m * unit g * L) with (unit g * (parts * of_sum m * L)) by ring.
    replace (up g * (parts * of_first m * y + of_second m * unit g * (E * E) * moved g r)) with
      (up g * (parts * of_first m) * y + up g * of_second m * unit g * (E * E) * moved g r) by ring.
    replace (unit g * (up g * (parts * of_first m * (whole_weight g r * x) + of_second m * (E * E) * moved g r))) with
      (up g * (parts * of_first m) * (whole_weight g r * unit g * x) + up g * of_second m * unit g * (E * E) * moved g r) in G' by ring. lia.
Qed.

Lemma rows_lose p : parts * of_sum m * unit g * sum_of (fun r => grid_loses (on_grid (p r)) r) rs <=
  up g * (parts * of_first m * (tens g ^ 2 * sum_of (fun r => weighs r * (d * predicted r - scale * p r) ^ 2) rs + (d * range) ^ 2 * sum_of (too_heavy g) rs) +
    of_second m * unit g * (E * E) * sum_of (moved g) rs).
Proof.
  assert (S : forall ys, incl ys rs -> parts * of_sum m * unit g * sum_of (fun r => grid_loses (on_grid (p r)) r) ys <=
    up g * (parts * of_first m * (tens g ^ 2 * sum_of (fun r => weighs r * (d * predicted r - scale * p r) ^ 2) ys + (d * range) ^ 2 * sum_of (too_heavy g) ys) +
      of_second m * unit g * (E * E) * sum_of (moved g) ys)); [|apply S, incl_refl].
  induction ys as [|r ys IH]; intros N; cbn [sum_of]; [apply Z.eq_le_incl; ring|].
  pose proof (row_loses p r (N r (or_introl eq_refl))) as R. specialize (IH (fun q Q => N q (or_intror Q))).
  etransitivity; [|etransitivity; [apply Z.add_le_mono; [exact R|exact IH]|]]; apply Z.eq_le_incl; ring.
Qed.

(* From what is proved on the grid to the numbers of the rows. *)
Theorem bound_of_rows p counted price n_splits : 0 <= price -> 0 <= n_splits -> of_sum m <= of_first m ->
  E * E * down g * counted <= sum_of (fun r => grid_loses (on_grid (p r)) r) rs + E * E * down g * (price * n_splits) ->
  d ^ 2 * over g m counted (sum_of (moved g) rs) (sum_of (too_heavy g) rs) range <=
  under g m * sum_of (fun r => weighs r * (d * predicted r - scale * p r) ^ 2) rs +
  d ^ 2 * (parts * of_first m) * (price_over g price * n_splits).
Proof.
  intros P N F C. pose proof (rows_lose p) as R. set (L := sum_of (fun r => weighs r * _) rs) in *. set (S := sum_of (fun r => grid_loses _ r) rs) in *.
  set (mv := sum_of (moved g) rs) in *. set (hv := sum_of (too_heavy g) rs) in *. assert (Pp : 0 < parts) by reflexivity.
  pose proof fine_pos as Fp. pose proof scale_pos.
  assert (C' : parts * of_sum m * unit g * (E * E * down g * counted) <= parts * of_sum m * unit g * (S + E * E * down g * (price * n_splits)))
    by (apply Z.mul_le_mono_nonneg_l; [repeat apply Z.mul_nonneg_nonneg; lia|exact C]).
  assert (Q : of_sum m * (parts * unit g * (E * E * down g * (price * n_splits))) <= of_first m * (parts * unit g * (E * E * down g * (price * n_splits)))).
  { apply Z.mul_le_mono_nonneg_r; [|exact F]. unfold E. repeat apply Z.mul_nonneg_nonneg; lia. }
  unfold over, under, price_over. unfold E in *.
  replace (d ^ 2 * (parts * of_sum m * unit g * (fine g * fine g) * down g * counted -
    up g * (parts * of_first m * (range * range) * hv + of_second m * unit g * (fine g * fine g) * mv))) with
    (parts * of_sum m * unit g * (d * fine g * (d * fine g) * down g * counted) -
    up g * (parts * of_first m * ((d * range) ^ 2 * hv) + of_second m * unit g * (d * fine g * (d * fine g)) * mv)) by ring.
  replace (up g * of_first m * parts * (tens g * tens g) * L) with (up g * (parts * of_first m * (tens g ^ 2 * L))) by ring.
  replace (d ^ 2 * (parts * of_first m) * (price * unit g * (fine g * fine g) * down g * n_splits)) with
    (of_first m * (parts * unit g * (d * fine g * (d * fine g) * down g * (price * n_splits)))) by ring.
  rewrite (Z.mul_add_distr_l _ S) in C'.
  replace (parts * of_sum m * unit g * (d * fine g * (d * fine g) * down g * (price * n_splits))) with
    (of_sum m * (parts * unit g * (d * fine g * (d * fine g) * down g * (price * n_splits)))) in C' by ring.
  rewrite (Z.mul_add_distr_l _ (tens g ^ 2 * L)) in R. lia.
Qed.

End Rows.
