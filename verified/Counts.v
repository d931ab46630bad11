(* What is counted: what the labels gain, the cost of a leaf, and the trivial bound.

   The trivial bound: a tree of j leaves pays for j - 1 splits and has at most j labels. The gains of the j labels that gain most are computed as
   j * h + (what each label gains beyond h), with h the gain of the j-th one. No other h gives less, so whichever h is taken, the bound is valid, and
   the proof needs to know nothing of sorting. *)

From Coq Require Import ZArith List Bool Lia Permutation.
From Treewright Require Import Trees.
Import ListNotations.
Open Scope Z_scope.
#[global] Arguments Z.min : simpl never.

(* a, a + 1, ... (n of them) *)
Fixpoint from (a : Z) (n : nat) : list Z :=
  match n with
  | O => []
  | S n => a :: from (a + 1) n
  end.

Fixpoint zeros (n : nat) : list Z :=
  match n with
  | O => []
  | S n => 0 :: zeros n
  end.

Fixpoint counts_onto (xs : list item) (cs : list Z) : list Z :=
  match xs with
  | [] => cs
  | x :: rest => counts_onto rest (plus (gains x) cs)
  end.
Definition counts (classes : nat) (xs : list item) : list Z := counts_onto xs (zeros classes).

(* What is gained beyond h. *)
Fixpoint excess (h : Z) (cs : list Z) : Z :=
  match cs with
  | [] => 0
  | c :: rest => Z.max 0 (c - h) + excess h rest
  end.

Fixpoint insert (c : Z) (cs : list Z) : list Z :=
  match cs with
  | [] => [c]
  | d :: rest => if d <=? c then c :: cs else d :: insert c rest
  end.
Fixpoint descending (cs : list Z) : list Z :=
  match cs with
  | [] => []
  | c :: rest => insert c (descending rest)
  end.

(* heights: those of the j-th, j+1-th, ... largest gain. *)
Fixpoint cheapest (price : Z) (cs : list Z) (all : Z) (limit : Z) (heights : list Z) (j : Z) (best : Z) : Z :=
  match heights with
  | [] => best
  | h :: rest =>
      if limit <? j then best
      else let h := Z.max 0 h in
           cheapest price cs all limit rest (j + 1) (Z.min best ((j - 1) * price + Z.max 0 (all - (j * h + excess h cs))))
  end.
Definition trivial_bound (price leaves all : Z) (cs : list Z) : Z := cheapest price cs all leaves (descending cs) 1 (all - most cs).

(* The lists that are kept in step: counts classes xs = counted classes xs. *)
Definition counted (classes : nat) (xs : list item) : list Z := map (fun k => count k xs) (from 0 classes).

Lemma in_from n : forall a k, In k (from a n) <-> a <= k < a + Z.of_nat n.
Proof.
  induction n as [|n IH]; intros a k; simpl; [lia|].
  rewrite IH. lia.
Qed.

Lemma nodup_from n : forall a, NoDup (from a n).
Proof.
  induction n as [|n IH]; intros a; simpl; constructor; auto.
  rewrite in_from. lia.
Qed.

Lemma length_from n : forall a, length (from a n) = n.
Proof. induction n; simpl; auto. Qed.

Lemma zeros_from n : forall a, zeros n = map (fun _ => 0) (from a n).
Proof. induction n as [|n IH]; intros a; simpl; [reflexivity|]. rewrite <- IH. reflexivity. Qed.

Lemma plus_from n : forall a f g, plus (map f (from a n)) (map g (from a n)) = map (fun j => g j + f j) (from a n).
Proof. induction n as [|n IH]; intros a f g; simpl; [reflexivity|]. rewrite IH. reflexivity. Qed.

Lemma as_map cs : forall a, cs = map (fun k => at_label (k - a) cs) (from a (length cs)).
Proof.
  induction cs as [|c cs IH]; intros a; simpl; [reflexivity|]. rewrite Z.sub_diag. f_equal.
  rewrite (IH (a + 1)) at 1. apply map_ext_in. intros k K. apply in_from in K.
  destruct (Z.eqb_spec (k - a) 0); [lia|]. f_equal. lia.
Qed.

Lemma counted_perm classes xs ys : Permutation xs ys -> counted classes xs = counted classes ys.
Proof. intros P. apply map_ext. intros j. apply sum_perm, P. Qed.

Lemma counted_nil classes : counted classes [] = zeros classes.
Proof. symmetry. apply (zeros_from classes 0). Qed.

Section Counted.

Variable w : costing.
Notation classes := (width w).
Notation good := (good w).

Lemma plus_counted x xs : good_item w x -> plus (gains x) (counted classes xs) = counted classes (x :: xs).
Proof.
  intros G. pose proof (gains_width w x G) as L. unfold counted. rewrite (as_map (gains x) 0) at 1. rewrite L, plus_from. apply map_ext. intros j. unfold count.
  rewrite sum_cons, Z.sub_0_r. lia.
Qed.

Lemma counts_onto_eq xs : forall pre, good xs -> counts_onto xs (counted classes pre) = counted classes (xs ++ pre).
Proof.
  induction xs as [|x xs IH]; intros pre G; simpl; [reflexivity|].
  rewrite plus_counted by (apply G; simpl; auto). rewrite IH by (intros y I; apply G; simpl; auto).
  apply counted_perm. apply Permutation_sym, Permutation_middle.
Qed.

Lemma counts_eq xs : good xs -> counts classes xs = counted classes xs.
Proof. intros G. unfold counts. rewrite <- counted_nil, counts_onto_eq by exact G. rewrite app_nil_r. reflexivity. Qed.

End Counted.

(* Labels. An item costs its reach less what its label gains. *)
Definition err (label : Z) (x : item) : Z := reach x - at_label label (gains x).
Definition errors (t : tree) (xs : list item) : Z := sum (fun x => err (predict t x) x) xs.

Section Labels.

Variable classes : nat.

(* No label gains more than the reach, or less than nothing. `classes`: how many labels there are. *)
Definition fair_item (x : item) : Prop :=
  0 <= reach x /\ length (gains x) = classes /\ (forall g, In g (gains x) -> 0 <= g <= reach x) /\ 0 <= size x.

Lemma gain_bounds k x : fair_item x -> 0 <= at_label k (gains x) <= reach x.
Proof.
  intros (R & _ & G & _). destruct (Z.lt_ge_cases k 0) as [L|L]; [rewrite at_label_out by lia; lia|].
  destruct (Z.lt_ge_cases k (Z.of_nat (length (gains x)))) as [M|M]; [|rewrite at_label_out by lia; lia].
  apply G, at_label_in. lia.
Qed.

Lemma err_bounds k x : fair_item x -> 0 <= err k x <= reach x.
Proof. intros G. unfold err. pose proof (gain_bounds k x G). lia. Qed.

Definition of_labels : costing :=
  Costing err 1 fair_item classes Z.lt_0_1 (fun k x G => proj1 (err_bounds k x G)) (fun x G => proj2 (proj2 (proj2 G))) (fun x G => proj1 (proj2 G)).
Notation good := (good of_labels).

Lemma labels_capped : capped of_labels.
Proof. intros k x G. simpl in *. pose proof (err_bounds k x G). lia. Qed.

Lemma errors_bounds t xs : good xs -> 0 <= errors t xs <= all_reach xs.
Proof.
  intros G. split; [exact (paid_nonneg of_labels t xs G)|]. apply sum_le. intros x I. apply err_bounds, (G x I).
Qed.

Lemma sum_err k xs : sum (err k) xs = all_reach xs - count k xs.
Proof.
  unfold all_reach, count. induction xs as [|x xs IH]; [reflexivity|]. rewrite !sum_cons. unfold err at 1. lia.
Qed.

(* A leaf. *)
Lemma leaf_bound k xs : good xs -> all_reach xs - most (counted classes xs) <= sum (err k) xs.
Proof.
  intros G. rewrite sum_err.
  destruct (in_dec Z.eq_dec k (from 0 classes)) as [I|I].
  - assert (count k xs <= most (counted classes xs)); [|lia]. apply most_in, in_map_iff. eauto.
  - assert (count k xs = 0); [|pose proof (most_nonneg (counted classes xs)); lia].
    rewrite <- (sum_zero xs). apply sum_ext. intros x J. apply G in J. pose proof (gains_width of_labels x J) as L. apply at_label_out. rewrite L. simpl width.
    rewrite in_from in I. lia.
Qed.

Lemma excess_filter h p cs : excess h (filter p cs) <= excess h cs.
Proof. induction cs as [|c cs IH]; simpl; [lia|]. destruct (p c); simpl; lia. Qed.

Lemma excess_nonneg h cs : 0 <= excess h cs.
Proof. induction cs; simpl; lia. Qed.

Lemma total_excess h (g : Z -> Z) ks : total (map g ks) <= Z.of_nat (length ks) * h + excess h (map g ks).
Proof. induction ks as [|k ks IH]; simpl length; simpl map; simpl total; simpl excess; lia. Qed.

Lemma excess_map_filter h (g : Z -> Z) p ks : excess h (map g (filter p ks)) <= excess h (map g ks).
Proof. induction ks as [|k ks IH]; simpl; [lia|]. destruct (p k); simpl; lia. Qed.

Lemma length_insert c cs : length (insert c cs) = S (length cs).
Proof. induction cs as [|d cs IH]; simpl; [reflexivity|]. destruct (d <=? c); simpl; auto. Qed.

Lemma length_descending cs : length (descending cs) = length cs.
Proof. induction cs as [|c cs IH]; simpl; [reflexivity|]. rewrite length_insert. auto. Qed.

Variable price : Z.
Variable ords : list ordering.
Hypothesis price_nonneg : 0 <= price.
Notation at_least := (at_least of_labels price ords).

Fixpoint labels (t : tree) : list Z :=
  match t with
  | Leaf k => [k]
  | Node _ _ l r => labels l ++ labels r
  end.

Lemma predict_in_labels t x : In (predict t x) (labels t).
Proof. induction t; simpl; [auto|]. apply in_or_app. destruct (f x <? cut); auto. Qed.

Lemma length_labels t : Z.of_nat (length (labels t)) = splits t + 1.
Proof. induction t; simpl; [reflexivity|]. rewrite app_length. lia. Qed.

Lemma cheapest_le cs all limit hs : forall j best, cheapest price cs all limit hs j best <= best.
Proof. induction hs as [|h hs IH]; intros j best; simpl; [lia|]. destruct (limit <? j); [lia|]. specialize (IH (j + 1)). etransitivity; [apply IH|]. lia. Qed.

Lemma cheapest_at cs all limit hs : forall j best n, (n < length hs)%nat -> j + Z.of_nat n <= limit ->
  exists h, 0 <= h /\ cheapest price cs all limit hs j best <=
    (j + Z.of_nat n - 1) * price + Z.max 0 (all - ((j + Z.of_nat n) * h + excess h cs)).
Proof.
  induction hs as [|h hs IH]; intros j best n N L; simpl in N; [lia|]. simpl.
  destruct (Z.ltb_spec limit j); [lia|]. destruct n as [|n].
  - exists (Z.max 0 h). split; [lia|]. etransitivity; [apply cheapest_le|]. replace (j + Z.of_nat 0) with j by lia. lia.
  - destruct (IH (j + 1) (Z.min best ((j - 1) * price + Z.max 0 (all - (j * Z.max 0 h + excess (Z.max 0 h) cs)))) n) as (g & G & E); [lia|lia|].
    exists g. split; [exact G|]. replace (j + Z.of_nat (S n)) with (j + 1 + Z.of_nat n) by lia. exact E.
Qed.

Lemma total_nonneg cs : (forall c, In c cs -> 0 <= c) -> 0 <= total cs.
Proof.
  induction cs as [|c cs IH]; intros N; simpl; [lia|]. pose proof (N c (or_introl eq_refl)).
  assert (0 <= total cs) by (apply IH; intros; apply N; simpl; auto). lia.
Qed.

Lemma total_at_least cs c : (forall d, In d cs -> 0 <= d) -> In c cs -> c <= total cs.
Proof.
  induction cs as [|d cs IH]; intros N I; [destruct I|]. simpl. pose proof (N d (or_introl eq_refl)).
  assert (N' : forall e, In e cs -> 0 <= e) by (intros; apply N; simpl; auto). pose proof (total_nonneg cs N').
  destruct I as [->|I]; [lia|]. specialize (IH N' I). lia.
Qed.

Lemma total_counts x xs ks :
  total (map (fun k => count k (x :: xs)) ks) = total (map (fun k => at_label k (gains x)) ks) + total (map (fun k => count k xs) ks).
Proof. induction ks as [|k ks IH]; simpl; [reflexivity|]. rewrite IH. unfold count at 1. rewrite sum_cons. fold (count k xs). lia. Qed.

Lemma total_zeros ks : total (map (fun k => count k []) ks) = 0.
Proof. induction ks as [|k ks IH]; simpl; [reflexivity|]. rewrite IH. reflexivity. Qed.

(* All labels of a tree gain at most as much as they would gain of all items. *)
Lemma errors_of_labels t xs : good xs ->
  all_reach xs - total (map (fun k => count k xs) (filter (fun k => existsb (Z.eqb k) (labels t)) (from 0 classes))) <= errors t xs.
Proof.
  set (ks := filter _ _). intros G. unfold errors. induction xs as [|x xs IH].
  - rewrite total_zeros. unfold all_reach. rewrite !sum_nil. lia.
  - rewrite total_counts. unfold all_reach. rewrite !sum_cons. fold (all_reach xs).
    assert (G' : good xs) by (intros y I; apply G; simpl; auto). specialize (IH G').
    pose proof (G x (or_introl eq_refl)) as Gx. unfold err at 1.
    assert (at_label (predict t x) (gains x) <= total (map (fun k => at_label k (gains x)) ks)); [|lia].
    assert (N : forall c, In c (map (fun k => at_label k (gains x)) ks) -> 0 <= c).
    { intros c C. apply in_map_iff in C. destruct C as (k & <- & _). apply (gain_bounds k x Gx). }
    destruct (in_dec Z.eq_dec (predict t x) (from 0 classes)) as [I|I].
    + apply total_at_least; [exact N|]. apply in_map_iff. exists (predict t x). split; [reflexivity|]. apply filter_In. split; [exact I|].
      apply existsb_exists. exists (predict t x). split; [apply predict_in_labels|apply Z.eqb_refl].
    + rewrite at_label_out; [apply total_nonneg, N|]. pose proof (gains_width of_labels x Gx) as L. rewrite L. simpl width. rewrite in_from in I. lia.
Qed.

Theorem trivial_bound_sound m d n xs : good xs -> at_least m (Limits d n) xs (trivial_bound price (n + 1) (all_reach xs) (counted classes xs)).
Proof.
  intros G t _ (_ & D) _. simpl in D. unfold cost. change (paid of_labels t xs) with (errors t xs). change (step of_labels) with 1. rewrite !Z.mul_1_l. set (cs := counted classes xs). unfold trivial_bound.
  pose (ks := filter (fun k => existsb (Z.eqb k) (labels t)) (from 0 classes)).
  assert (N : NoDup ks) by apply NoDup_filter, nodup_from.
  assert (E : all_reach xs - total (map (fun k => count k xs) ks) <= errors t xs).
  { apply errors_of_labels, G. }
  assert (L1 : Z.of_nat (length ks) <= splits t + 1).
  { rewrite <- length_labels. apply inj_le. apply NoDup_incl_length; [exact N|]. intros k I. apply filter_In in I.
    destruct I as (_ & I). apply existsb_exists in I. destruct I as (j & J & Q). apply Z.eqb_eq in Q. congruence. }
  assert (L2 : (length ks <= classes)%nat).
  { rewrite <- (length_from classes 0). apply NoDup_incl_length; [exact N|]. intros k I. apply filter_In in I. apply I. }
  pose proof (splits_nonneg t) as Sn. pose proof (errors_bounds t xs G) as Eb.
  destruct (length ks) as [|j] eqn:Len.
  - etransitivity; [apply cheapest_le|]. apply length_zero_iff_nil in Len. rewrite Len in E. simpl in E.
    pose proof (most_nonneg cs). nia.
  - destruct (cheapest_at cs (all_reach xs) (n + 1) (descending cs) 1 (all_reach xs - most cs) j) as (h & H0 & B).
    + rewrite length_descending. unfold cs, counted. rewrite map_length, length_from. lia.
    + lia.
    + assert (T : total (map (fun k => count k xs) ks) <= (1 + Z.of_nat j) * h + excess h cs).
      { etransitivity; [apply (total_excess h)|]. rewrite Len. unfold cs, counted, ks.
        pose proof (excess_map_filter h (fun k => count k xs) (fun k => existsb (Z.eqb k) (labels t)) (from 0 classes)).
        nia. }
      assert (Z.of_nat j * price <= price * splits t) by nia.
      replace (1 + Z.of_nat j - 1) with (Z.of_nat j) in B by lia. lia.
Qed.

End Labels.
