(* Items, trees whose splits are cuts of orderings, their cost, and bounds on it.

   An item has a reach, the numbers that tell what leaves gain of it (for labels one of each), its ranks, and its size: how many rows it
   stands for. A `costing` tells what it costs in a leaf. Of labels there is one (Counts.v), in which the reach is the most that an item
   may cost. Of numbers there is one for each denominator of predictions (Squares.v). An ordering is a function from items to ranks. A
   split sends the items of a rank below its cut left. The lemmas here are the rules that proofs are made of: how a bound carries over to
   more or fewer items (the interval rule), and how a bound of one level more follows from bounds on both sides of every cut.

   Bounds may speak of those trees only whose leaves hold m rows each. With m = 0 these are all trees. A tree that is one of them on some
   items is one on more items, but perhaps not on fewer. So a bound on fewer items bounds more of them only if it is one on all trees. *)

From Coq Require Import ZArith List Bool Lia Permutation.
From Treewright Require Export Labels.
Import ListNotations.
Open Scope Z_scope.
#[global] Arguments Z.add : simpl never.
#[global] Arguments Z.sub : simpl never.
#[global] Arguments Z.mul : simpl never.
#[global] Arguments Z.max : simpl never.
#[global] Arguments Z.of_nat : simpl never.

(* The ranks of an item in all orderings; each ordering is a path to one of them. *)
Inductive places := Rank (r : Z) | Both (first second : places).

Fixpoint look (path : list bool) (p : places) : Z :=
  match p with
  | Rank r => r
  | Both first second =>
      match path with
      | [] => 0
      | b :: rest => look rest (if b then second else first)
      end
  end.

Record item := Item { reach : Z; gains : list Z; ranks : places; size : Z }.

Definition ordering := item -> Z.

Inductive tree :=
| Leaf (label : Z)
| Node (f : ordering) (cut : Z) (left right : tree).

Fixpoint predict (t : tree) (x : item) : Z :=
  match t with
  | Leaf label => label
  | Node f cut l r => if f x <? cut then predict l x else predict r x
  end.

Fixpoint depth (t : tree) : nat :=
  match t with
  | Leaf _ => 0
  | Node _ _ l r => S (Nat.max (depth l) (depth r))
  end.

Fixpoint splits (t : tree) : Z :=
  match t with
  | Leaf _ => 0
  | Node _ _ l r => 1 + splits l + splits r
  end.

Fixpoint power_of_two (d : nat) : Z :=
  match d with
  | O => 1
  | S d => 2 * power_of_two d
  end.

(* Limits on a tree. *)
Record limits := Limits { most_depth : nat; most_splits : Z }.
Definition within (z : limits) (t : tree) : Prop := (depth t <= most_depth z)%nat /\ splits t <= most_splits z.

(* The tail-recursive sum is the one that is run. *)
Fixpoint sum_onto (g : item -> Z) (xs : list item) (a : Z) : Z :=
  match xs with
  | [] => a
  | x :: rest => sum_onto g rest (a + g x)
  end.
Definition sum (g : item -> Z) (xs : list item) : Z := sum_onto g xs 0.

(* What an item costs in a leaf of some label. A claim of one step is a claim of `step` of that. No label makes an item cost less than 0. *)
Record costing := Costing {
  pays : Z -> item -> Z;
  step : Z;
  good_item : item -> Prop;
  width : nat;  (* how many numbers the gains of an item are *)
  step_pos : 0 < step;
  pays_nonneg : forall k x, good_item x -> 0 <= pays k x;
  size_nonneg : forall x, good_item x -> 0 <= size x;
  gains_width : forall x, good_item x -> length (gains x) = width
}.
Definition paid (w : costing) (t : tree) (xs : list item) : Z := sum (fun x => pays w (predict t x) x) xs.

Definition all_reach : list item -> Z := sum reach.
(* What a label gains. *)
Definition count (k : Z) (xs : list item) : Z := sum (fun x => at_label k (gains x)) xs.

(* The items on the two sides of a cut. *)
Definition low (f : ordering) (t : Z) (xs : list item) : list item := filter (fun x => f x <? t) xs.
Definition high (f : ordering) (t : Z) (xs : list item) : list item := filter (fun x => negb (f x <? t)) xs.

(* Each leaf holds at least m rows. *)
Definition all_rows : list item -> Z := sum size.
Fixpoint fits (m : Z) (t : tree) (xs : list item) : Prop :=
  match t with
  | Leaf _ => m <= all_rows xs
  | Node f cut l r => fits m l (low f cut xs) /\ fits m r (high f cut xs)
  end.

Lemma sum_onto_eq g xs : forall a, sum_onto g xs a = a + sum g xs.
Proof.
  unfold sum. induction xs as [|x xs IH]; intros a; simpl; [lia|].
  rewrite (IH (a + g x)), (IH (0 + g x)). lia.
Qed.

Lemma sum_nil g : sum g [] = 0.
Proof. reflexivity. Qed.

Lemma sum_cons g x xs : sum g (x :: xs) = g x + sum g xs.
Proof. unfold sum at 1. simpl. rewrite sum_onto_eq. lia. Qed.

Lemma sum_app g xs ys : sum g (xs ++ ys) = sum g xs + sum g ys.
Proof. induction xs as [|x xs IH]; simpl; rewrite ?sum_cons, ?sum_nil; lia. Qed.

Lemma sum_perm g xs ys : Permutation xs ys -> sum g xs = sum g ys.
Proof. induction 1; rewrite ?sum_cons in *; lia. Qed.

Lemma sum_ext g h xs : (forall x, In x xs -> g x = h x) -> sum g xs = sum h xs.
Proof.
  induction xs as [|x xs IH]; intros E; [reflexivity|].
  rewrite !sum_cons, (E x), IH; auto; simpl; auto.
  intros; apply E; simpl; auto.
Qed.

Lemma sum_le g h xs : (forall x, In x xs -> g x <= h x) -> sum g xs <= sum h xs.
Proof.
  induction xs as [|x xs IH]; intros E; [unfold sum; simpl; lia|].
  rewrite !sum_cons. pose proof (E x (or_introl eq_refl)).
  assert (sum g xs <= sum h xs) by (apply IH; intros; apply E; simpl; auto). lia.
Qed.

Lemma sum_zero xs : sum (fun _ => 0) xs = 0.
Proof. induction xs; rewrite ?sum_cons; auto. Qed.

Lemma sum_split g p xs : sum g xs = sum g (filter p xs) + sum g (filter (fun x => negb (p x)) xs).
Proof.
  induction xs as [|x xs IH]; [reflexivity|].
  simpl. destruct (p x); simpl; rewrite !sum_cons; lia.
Qed.

Lemma filter_perm (p : item -> bool) xs ys : Permutation xs ys -> Permutation (filter p xs) (filter p ys).
Proof.
  induction 1; simpl.
  - constructor.
  - destruct (p x); auto.
  - destruct (p x), (p y); (apply perm_swap || apply Permutation_refl).
  - eapply perm_trans; eassumption.
Qed.

Lemma filter_filter (p q : item -> bool) xs : (forall x, p x = true -> q x = true) -> filter p (filter q xs) = filter p xs.
Proof.
  intros E. induction xs as [|x xs IH]; [reflexivity|]. simpl.
  destruct (q x) eqn:Q; simpl; [destruct (p x); congruence|].
  destruct (p x) eqn:P; [apply E in P; congruence|auto].
Qed.

Lemma filter_swap (p q : item -> bool) xs : filter p (filter q xs) = filter q (filter p xs).
Proof.
  induction xs as [|x xs IH]; [reflexivity|]. simpl.
  destruct (q x) eqn:Q, (p x) eqn:P; simpl; rewrite ?Q, ?P, IH; reflexivity.
Qed.

Lemma filter_none (p : item -> bool) xs : (forall x, In x xs -> p x = false) -> filter p xs = [].
Proof. induction xs as [|x xs IH]; intros E; [reflexivity|]. simpl. rewrite E by (simpl; auto). apply IH. intros; apply E; simpl; auto. Qed.

Lemma filter_every (p : item -> bool) xs : (forall x, In x xs -> p x = true) -> filter p xs = xs.
Proof.
  induction xs as [|x xs IH]; intros E; [reflexivity|]. simpl. rewrite E by (simpl; auto). f_equal.
  apply IH. intros; apply E; simpl; auto.
Qed.

Lemma filter_nil_every (p : item -> bool) xs : filter p xs = [] -> forall x, In x xs -> p x = false.
Proof.
  intros E x I. destruct (p x) eqn:P; [|reflexivity].
  assert (In x (filter p xs)) by (apply filter_In; auto). rewrite E in H. destruct H.
Qed.

Section Bounds.

Variable w : costing.
Variable price : Z.
Variable ords : list ordering.
Hypothesis price_nonneg : 0 <= price.

Definition good (xs : list item) : Prop := forall x, In x xs -> good_item w x.

Fixpoint in_orderings (t : tree) : Prop :=
  match t with
  | Leaf _ => True
  | Node f _ l r => In f ords /\ in_orderings l /\ in_orderings r
  end.

Definition cost (t : tree) (xs : list item) : Z := paid w t xs + step w * (price * splits t).

(* No tree within the limits whose leaves hold at least m rows costs less than c. *)
Definition at_least (m : Z) (d : limits) (xs : list item) (c : Z) : Prop :=
  forall t, in_orderings t -> within d t -> fits m t xs -> step w * c <= cost t xs.

Lemma splits_nonneg t : 0 <= splits t.
Proof. induction t; simpl; lia. Qed.

Lemma depth_splits t : Z.of_nat (depth t) <= splits t.
Proof. induction t; simpl; [lia|]. pose proof (splits_nonneg t1). pose proof (splits_nonneg t2). lia. Qed.

Lemma power_of_two_pos d : 1 <= power_of_two d.
Proof. induction d; simpl; lia. Qed.

Lemma power_of_two_le d d' : (d <= d')%nat -> power_of_two d <= power_of_two d'.
Proof. induction 1; simpl; [lia|]. pose proof (power_of_two_pos m). lia. Qed.

Lemma splits_depth t : splits t + 1 <= power_of_two (depth t).
Proof.
  induction t; simpl; [lia|].
  pose proof (power_of_two_le (depth t1) (Nat.max (depth t1) (depth t2))).
  pose proof (power_of_two_le (depth t2) (Nat.max (depth t1) (depth t2))). lia.
Qed.

Lemma good_filter p xs : good xs -> good (filter p xs).
Proof. intros G x I. apply filter_In in I. apply G, I. Qed.

Lemma good_perm xs ys : Permutation xs ys -> good xs -> good ys.
Proof. intros P G x I. apply G. eapply Permutation_in; [apply Permutation_sym|]; eauto. Qed.

Lemma paid_nonneg t xs : good xs -> 0 <= paid w t xs.
Proof. intros G. rewrite <- (sum_zero xs). apply sum_le. intros x I. apply pays_nonneg, G, I. Qed.

Lemma cost_nonneg t xs : good xs -> 0 <= cost t xs.
Proof.
  intros G. unfold cost. pose proof (paid_nonneg t xs G). pose proof (splits_nonneg t). pose proof (step_pos w).
  assert (0 <= step w * (price * splits t)) by (repeat apply Z.mul_nonneg_nonneg; lia). lia.
Qed.

Lemma rows_nonneg xs : good xs -> 0 <= all_rows xs.
Proof. intros G. rewrite <- (sum_zero xs). apply sum_le. intros x I. apply (size_nonneg w), G, I. Qed.

Lemma rows_split f t xs : all_rows xs = all_rows (low f t xs) + all_rows (high f t xs).
Proof. apply (sum_split _ (fun x => f x <? t)). Qed.

Lemma fits_zero t : forall xs, good xs -> fits 0 t xs.
Proof. induction t; intros xs G; simpl; [apply rows_nonneg, G|split; [apply IHt1|apply IHt2]; apply good_filter, G]. Qed.

Lemma fits_perm m t : forall xs ys, Permutation xs ys -> fits m t xs -> fits m t ys.
Proof.
  induction t as [k|f cut l IHl r IHr]; intros xs ys P; simpl; [unfold all_rows; rewrite (sum_perm _ _ _ P); auto|].
  intros (L & R). split; [eapply IHl; [apply filter_perm, P|exact L]|eapply IHr; [apply filter_perm, P|exact R]].
Qed.

Lemma fits_more m p t : forall xs, good xs -> fits m t (filter p xs) -> fits m t xs.
Proof.
  induction t as [k|f cut l IHl r IHr]; intros xs G; simpl.
  - unfold all_rows. rewrite (sum_split size p xs). pose proof (rows_nonneg _ (good_filter (fun x => negb (p x)) _ G)). unfold all_rows in H. lia.
  - unfold low, high. rewrite !(filter_swap _ p). intros (L & R). split; [apply IHl|apply IHr]; auto; apply good_filter, G.
Qed.

Lemma fits_rows m t : forall xs, good xs -> fits m t xs -> m <= all_rows xs.
Proof.
  induction t as [k|f cut l IHl r IHr]; intros xs G; simpl; [auto|]. intros (L & _). rewrite (rows_split f cut xs).
  apply IHl in L; [|apply good_filter, G]. pose proof (rows_nonneg (high f cut xs) (good_filter _ _ G)). lia.
Qed.

Lemma at_least_zero m d xs : good xs -> at_least m d xs 0.
Proof. intros G t _ _ _. rewrite Z.mul_0_r. apply cost_nonneg, G. Qed.

Lemma at_least_le m d xs c c' : c' <= c -> at_least m d xs c -> at_least m d xs c'.
Proof. intros L A t F D S. specialize (A t F D S). pose proof (step_pos w). nia. Qed.

Lemma at_least_within m d d' xs c : (forall t, within d' t -> within d t) -> at_least m d xs c -> at_least m d' xs c.
Proof. intros L A t F D. apply A; auto. Qed.

(* A bound on all trees bounds those whose leaves hold enough rows. *)
Lemma at_least_some m d xs c : good xs -> at_least 0 d xs c -> at_least m d xs c.
Proof. intros G A t F D _. apply A; auto. apply fits_zero, G. Qed.

Lemma at_least_perm m d xs ys c : Permutation xs ys -> at_least m d xs c -> at_least m d ys c.
Proof.
  intros P A t F D S. apply (fits_perm _ _ _ _ (Permutation_sym P)) in S. specialize (A t F D S).
  unfold cost, paid in *. rewrite <- (sum_perm _ _ _ P). exact A.
Qed.

(* More items never cost less. *)
Lemma at_least_more d p xs c : good xs -> at_least 0 d (filter p xs) c -> at_least 0 d xs c.
Proof.
  intros G A t F D _. specialize (A t F D (fits_zero t _ (good_filter p _ G))). unfold cost, paid in *. rewrite (sum_split _ p xs).
  pose proof (paid_nonneg t (filter (fun x => negb (p x)) xs) (good_filter _ _ G)). unfold paid in H. lia.
Qed.

(* Where no item costs more than its reach, items that are left out save at most that. *)
Definition capped : Prop := forall k x, good_item w x -> pays w k x <= step w * reach x.

Lemma sum_scaled n g xs : sum (fun x => n * g x) xs = n * sum g xs.
Proof. induction xs as [|x xs IH]; rewrite ?sum_cons, ?sum_nil; lia. Qed.

Lemma at_least_fewer m d p xs c : capped -> good xs -> at_least m d xs c ->
  at_least m d (filter p xs) (c - (all_reach xs - all_reach (filter p xs))).
Proof.
  intros Cap G A t F D S. specialize (A t F D (fits_more _ _ _ _ G S)). unfold cost, paid, all_reach in *.
  rewrite (sum_split _ p xs) in A. rewrite (sum_split reach p xs).
  assert (H : sum (fun x => pays w (predict t x) x) (filter (fun x => negb (p x)) xs) <= step w * sum reach (filter (fun x => negb (p x)) xs)).
  { rewrite <- sum_scaled. apply sum_le. intros x I. apply Cap, (good_filter (fun x => negb (p x)) xs G), I. }
  lia.
Qed.

(* A tree is a leaf, or its first split that parts the items is a cut of some ordering. `a` and `b`: how many splits are on either side. *)
Lemma at_least_step m d n xs c :
  good xs ->
  (forall k, step w * c <= sum (pays w k) xs) ->
  (forall f t, In f ords -> low f t xs <> [] -> high f t xs <> [] -> m <= all_rows (low f t xs) -> m <= all_rows (high f t xs) ->
     forall a b, 0 <= a -> 0 <= b -> a + b < n -> a < power_of_two d -> b < power_of_two d ->
     exists l r, at_least m (Limits d a) (low f t xs) l /\ at_least m (Limits d b) (high f t xs) r /\ c <= price + l + r) ->
  at_least m (Limits (S d) n) xs c.
Proof.
  intros G L S t. induction t as [k|f cut l IHl r IHr]; intros F (D & N) Fit; simpl in D, N.
  - unfold cost, paid. change (fun x => pays w (predict (Leaf k) x) x) with (pays w k). simpl. specialize (L k). lia.
  - simpl in F, Fit. destruct F as (I & Fl & Fr), Fit as (Tl & Tr). pose proof (splits_nonneg l) as Nl. pose proof (splits_nonneg r) as Nr.
    pose proof (step_pos w) as Sp.
    assert (E : cost (Node f cut l r) xs = step w * price + cost l (low f cut xs) + cost r (high f cut xs)).
    { unfold cost, paid, low, high. rewrite (sum_split _ (fun x => f x <? cut) xs). simpl splits.
      rewrite (sum_ext (fun x => pays w (predict (Node f cut l r) x) x) (fun x => pays w (predict l x) x)).
      2:{ intros x J. apply filter_In in J. simpl. destruct (f x <? cut); [reflexivity|destruct J; discriminate]. }
      rewrite (sum_ext (fun x => pays w (predict (Node f cut l r) x) x) (fun x => pays w (predict r x) x) (filter (fun x => negb _) _)).
      2:{ intros x J. apply filter_In in J. simpl. destruct (f x <? cut); [destruct J; discriminate|reflexivity]. }
      lia. }
    rewrite E. clear E.
    destruct (low f cut xs) as [|x lo] eqn:El; [|destruct (high f cut xs) as [|y hi] eqn:Eh].
    + assert (H : high f cut xs = xs).
      { apply filter_every. intros x J. unfold low in El. rewrite (filter_nil_every _ _ El x J). reflexivity. }
      rewrite H in *. assert (step w * c <= cost r xs) by (apply IHr; [exact Fr|split; simpl; lia|exact Tr]).
      assert (0 <= cost l []) by (apply cost_nonneg; intros ? []). assert (0 <= step w * price) by (apply Z.mul_nonneg_nonneg; lia). lia.
    + assert (H : low f cut xs = xs).
      { apply filter_every. intros z J. unfold high in Eh. pose proof (filter_nil_every _ _ Eh z J) as B. simpl in B.
        destruct (f z <? cut); [reflexivity|discriminate]. }
      rewrite <- El, H in *. assert (step w * c <= cost l xs) by (apply IHl; [exact Fl|split; simpl; lia|exact Tl]).
      assert (0 <= cost r []) by (apply cost_nonneg; intros ? []). assert (0 <= step w * price) by (apply Z.mul_nonneg_nonneg; lia). lia.
    + rewrite <- El, <- Eh in *. pose proof (splits_depth l) as Pl. pose proof (splits_depth r) as Pr.
      pose proof (power_of_two_le (depth l) d ltac:(lia)). pose proof (power_of_two_le (depth r) d ltac:(lia)).
      pose proof (fits_rows _ _ _ (good_filter _ _ G) Tl). pose proof (fits_rows _ _ _ (good_filter _ _ G) Tr).
      destruct (S f cut I) with (a := splits l) (b := splits r) as (a & b & A & B & C);
        [congruence|congruence|assumption|assumption|lia|lia|lia|lia|lia|].
      assert (step w * a <= cost l (low f cut xs)) by (apply A; [exact Fl|split; simpl; lia|exact Tl]).
      assert (step w * b <= cost r (high f cut xs)) by (apply B; [exact Fr|split; simpl; lia|exact Tr]).
      assert (step w * c <= step w * (price + a + b)) by (apply Z.mul_le_mono_nonneg_l; lia). lia.
Qed.

(* The interval rule, for a cut t between two others. *)
Lemma low_low f a t xs : a <= t -> filter (fun x => f x <? a) (low f t xs) = low f a xs.
Proof. intros L. apply filter_filter. intros x. rewrite !Z.ltb_lt. lia. Qed.

Lemma high_high f t b xs : t <= b -> filter (fun x => negb (f x <? b)) (high f t xs) = high f b xs.
Proof. intros L. apply filter_filter. intros x. rewrite !negb_true_iff, !Z.ltb_ge. lia. Qed.

Lemma weight_high f t xs : all_reach (high f t xs) = all_reach xs - all_reach (low f t xs).
Proof. unfold all_reach, high, low. rewrite (sum_split reach (fun x => f x <? t) xs). lia. Qed.

(* Between two cuts: from the nearer side, and, where items are capped, from the farther one. *)
Lemma between_left m d f a t xs la : good xs -> a <= t -> at_least 0 d (low f a xs) la -> at_least m d (low f t xs) la.
Proof.
  intros G L A. apply at_least_some; [apply good_filter, G|].
  apply (at_least_more d (fun x => f x <? a)); [apply good_filter, G|]. rewrite low_low by lia. exact A.
Qed.

Lemma between_right m d f t b xs rb : good xs -> t <= b -> at_least 0 d (high f b xs) rb -> at_least m d (high f t xs) rb.
Proof.
  intros G L B. apply at_least_some; [apply good_filter, G|].
  apply (at_least_more d (fun x => negb (f x <? b))); [apply good_filter, G|]. rewrite high_high by lia. exact B.
Qed.

Lemma interval_left m d f a t b xs la lb :
  capped -> good xs -> a <= t <= b -> at_least 0 d (low f a xs) la -> at_least m d (low f b xs) lb ->
  at_least m d (low f t xs) (Z.max la (lb - (all_reach (low f b xs) - all_reach (low f t xs)))).
Proof.
  intros Cap G L A B. apply Z.max_case; [apply (between_left m d f a); auto; lia|].
  rewrite <- (low_low f t b xs) by lia. apply at_least_fewer; [exact Cap|apply good_filter, G|exact B].
Qed.

Lemma interval_right m d f a t b xs ra rb :
  capped -> good xs -> a <= t <= b -> at_least m d (high f a xs) ra -> at_least 0 d (high f b xs) rb ->
  at_least m d (high f t xs) (Z.max rb (ra - (all_reach (low f t xs) - all_reach (low f a xs)))).
Proof.
  intros Cap G L A B. apply Z.max_case; [apply (between_right m d f t b); auto; lia|].
  pose proof (at_least_fewer m d (fun x => negb (f x <? t)) (high f a xs) ra Cap (good_filter _ _ G) A) as H.
  rewrite high_high in H by lia. rewrite !weight_high in H. eapply at_least_le; [|exact H]. lia.
Qed.

End Bounds.
