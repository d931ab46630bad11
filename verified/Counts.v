(* What is counted: the weights of the classes, the cost of a leaf, and the trivial bound.

   The trivial bound: a tree of j leaves pays for j - 1 splits and errs on all classes but j. The weight of the j heaviest classes is computed as
   j * h + (what each class weighs beyond h), with h the weight of the j-th heaviest one. No other h gives less, so whichever h is taken, the bound
   is valid, and the proof needs to know nothing of sorting. *)

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

(* Adds w to the k-th entry. *)
Fixpoint add (k w : Z) (cs : list Z) : list Z :=
  match cs with
  | [] => []
  | c :: rest => if k =? 0 then c + w :: rest else c :: add (k - 1) w rest
  end.

Fixpoint zeros (n : nat) : list Z :=
  match n with
  | O => []
  | S n => 0 :: zeros n
  end.

Fixpoint counts_onto (xs : list item) (cs : list Z) : list Z :=
  match xs with
  | [] => cs
  | x :: rest => counts_onto rest (add (cls x) (wt x) cs)
  end.
Definition counts (classes : nat) (xs : list item) : list Z := counts_onto xs (zeros classes).

Fixpoint total (cs : list Z) : Z :=
  match cs with
  | [] => 0
  | c :: rest => c + total rest
  end.
Fixpoint most (cs : list Z) : Z :=
  match cs with
  | [] => 0
  | c :: rest => Z.max c (most rest)
  end.

(* What weighs more than h, beyond h. *)
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

Fixpoint power_of_two (d : nat) : Z :=
  match d with
  | O => 1
  | S d => 2 * power_of_two d
  end.

(* heights: those of the j-th, j+1-th, ... heaviest class. *)
Fixpoint cheapest (price : Z) (cs : list Z) (all : Z) (limit : Z) (heights : list Z) (j : Z) (best : Z) : Z :=
  match heights with
  | [] => best
  | h :: rest =>
      if limit <? j then best
      else let h := Z.max 0 h in
           cheapest price cs all limit rest (j + 1) (Z.min best ((j - 1) * price + all - (j * h + excess h cs)))
  end.
Definition trivial_bound (price : Z) (d : nat) (cs : list Z) : Z :=
  let all := total cs in
  cheapest price cs all (power_of_two d) (descending cs) 1 (all - most cs).

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

Lemma add_from n : forall a k w g, 0 <= k -> add k w (map g (from a n)) = map (fun j => g j + (if j =? a + k then w else 0)) (from a n).
Proof.
  induction n as [|n IH]; intros a k w g K; simpl; [reflexivity|].
  destruct (Z.eqb_spec k 0) as [->|N].
  - rewrite Z.add_0_r, Z.eqb_refl. f_equal. apply map_ext_in. intros j J. apply in_from in J.
    destruct (Z.eqb_spec j a); lia.
  - destruct (Z.eqb_spec a (a + k)); [lia|]. rewrite Z.add_0_r. f_equal. rewrite IH by lia.
    apply map_ext. intros j. replace (a + 1 + (k - 1)) with (a + k) by lia. reflexivity.
Qed.

Section Counted.

Variable classes : nat.
Notation good := (good classes).

Lemma add_counted x xs : 0 <= cls x -> add (cls x) (wt x) (counted classes xs) = counted classes (x :: xs).
Proof.
  intros K. unfold counted. rewrite add_from by exact K. apply map_ext. intros j. unfold count. rewrite sum_cons.
  rewrite Z.add_0_l. lia.
Qed.

Lemma counted_perm xs ys : Permutation xs ys -> counted classes xs = counted classes ys.
Proof. intros P. apply map_ext. intros j. apply sum_perm, P. Qed.

Lemma counted_nil : counted classes [] = zeros classes.
Proof. symmetry. apply (zeros_from classes 0). Qed.

Lemma counts_onto_eq xs : forall pre, good xs -> counts_onto xs (counted classes pre) = counted classes (xs ++ pre).
Proof.
  induction xs as [|x xs IH]; intros pre G; simpl; [reflexivity|].
  rewrite add_counted by (apply G; simpl; auto). rewrite IH by (intros y I; apply G; simpl; auto).
  apply counted_perm. apply Permutation_sym, Permutation_middle.
Qed.

Lemma counts_eq xs : good xs -> counts classes xs = counted classes xs.
Proof. intros G. unfold counts. rewrite <- counted_nil, counts_onto_eq by exact G. rewrite app_nil_r. reflexivity. Qed.

Lemma count_nonneg k xs : good xs -> 0 <= count k xs.
Proof. intros G. rewrite <- (sum_zero xs). apply sum_le. intros x I. apply G in I. destruct (k =? cls x); lia. Qed.

Lemma sum_err k xs : sum (err k) xs = weight xs - count k xs.
Proof.
  unfold weight, count. induction xs as [|x xs IH]; [reflexivity|]. rewrite !sum_cons. unfold err at 1. destruct (k =? cls x); lia.
Qed.

Lemma most_nonneg cs : 0 <= most cs.
Proof. induction cs; simpl; lia. Qed.

Lemma most_in c cs : In c cs -> c <= most cs.
Proof. induction cs as [|d cs IH]; simpl; [tauto|]. intros [->|I]; [|apply IH in I]; lia. Qed.

(* The weight of the items whose class is in a list. *)
Lemma count_list ks xs : NoDup ks ->
  sum (fun x => if existsb (Z.eqb (cls x)) ks then wt x else 0) xs = total (map (fun k => count k xs) ks).
Proof.
  intros N. induction N as [|k ks I N IH]; simpl; [apply sum_zero|].
  rewrite <- IH. unfold count. clear IH. induction xs as [|x xs IH]; [reflexivity|].
  rewrite !sum_cons, IH. rewrite (Z.eqb_sym k). destruct (Z.eqb_spec (cls x) k) as [E|E]; simpl; [|lia].
  replace (existsb (Z.eqb (cls x)) ks) with false; [lia|].
  symmetry. apply not_true_iff_false. intros X. apply existsb_exists in X. destruct X as (j & J & Q).
  apply Z.eqb_eq in Q. congruence.
Qed.

Lemma total_counted xs : good xs -> total (counted classes xs) = weight xs.
Proof.
  intros G. unfold counted. rewrite <- count_list by apply nodup_from. unfold weight. apply sum_ext. intros x I.
  replace (existsb (Z.eqb (cls x)) (from 0 classes)) with true; [reflexivity|].
  symmetry. apply existsb_exists. exists (cls x). split; [|apply Z.eqb_refl]. apply in_from. apply G in I. lia.
Qed.

(* A leaf. *)
Lemma leaf_bound k xs : good xs -> total (counted classes xs) - most (counted classes xs) <= sum (err k) xs.
Proof.
  intros G. rewrite sum_err, total_counted by exact G.
  destruct (in_dec Z.eq_dec k (from 0 classes)) as [I|I].
  - assert (count k xs <= most (counted classes xs)); [|lia]. apply most_in, in_map_iff. eauto.
  - assert (count k xs = 0); [|pose proof (most_nonneg (counted classes xs)); lia].
    rewrite <- (sum_zero xs). apply sum_ext. intros x J. destruct (Z.eqb_spec k (cls x)) as [E|E]; [|reflexivity].
    exfalso. apply I, in_from. apply G in J. lia.
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
Notation at_least := (at_least price ords).
Notation cost := (cost price).

Fixpoint labels (t : tree) : list Z :=
  match t with
  | Leaf k => [k]
  | Node _ _ l r => labels l ++ labels r
  end.

Lemma predict_in_labels t x : In (predict t x) (labels t).
Proof. induction t; simpl; [auto|]. apply in_or_app. destruct (f x <? cut); auto. Qed.

Lemma length_labels t : Z.of_nat (length (labels t)) = splits t + 1.
Proof. induction t; simpl; [reflexivity|]. rewrite app_length. lia. Qed.

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

Lemma cheapest_le cs all limit hs : forall j best, cheapest price cs all limit hs j best <= best.
Proof. induction hs as [|h hs IH]; intros j best; simpl; [lia|]. destruct (limit <? j); [lia|]. specialize (IH (j + 1)). etransitivity; [apply IH|]. lia. Qed.

Lemma cheapest_at cs all limit hs : forall j best n, (n < length hs)%nat -> j + Z.of_nat n <= limit ->
  exists h, 0 <= h /\ cheapest price cs all limit hs j best <=
    (j + Z.of_nat n - 1) * price + all - ((j + Z.of_nat n) * h + excess h cs).
Proof.
  induction hs as [|h hs IH]; intros j best n N L; simpl in N; [lia|]. simpl.
  destruct (Z.ltb_spec limit j); [lia|]. destruct n as [|n].
  - exists (Z.max 0 h). split; [lia|]. etransitivity; [apply cheapest_le|]. replace (j + Z.of_nat 0) with j by lia. lia.
  - destruct (IH (j + 1) (Z.min best ((j - 1) * price + all - (j * Z.max 0 h + excess (Z.max 0 h) cs))) n) as (g & G & E); [lia|lia|].
    exists g. split; [exact G|]. replace (j + Z.of_nat (S n)) with (j + 1 + Z.of_nat n) by lia. exact E.
Qed.

Lemma errors_of_labels t xs : good xs ->
  weight xs - sum (fun x => if existsb (Z.eqb (cls x)) (filter (fun k => existsb (Z.eqb k) (labels t)) (from 0 classes)) then wt x else 0) xs
  <= errors t xs.
Proof.
  set (ks := filter _ _). intros G.
  assert (W : weight xs = sum wt xs) by reflexivity. rewrite W. clear W. unfold errors.
  induction xs as [|x xs IH]; [rewrite !sum_nil; lia|]. rewrite !sum_cons.
  assert (wt x - (if existsb (Z.eqb (cls x)) ks then wt x else 0) <= err (predict t x) x).
  { unfold err. pose proof (G x (or_introl eq_refl)) as (W & C). destruct (existsb (Z.eqb (cls x)) ks) eqn:X.
    - destruct (predict t x =? cls x); lia.
    - destruct (Z.eqb_spec (predict t x) (cls x)) as [Q|Q]; [|lia]. exfalso.
      apply not_true_iff_false in X. apply X. apply existsb_exists. exists (cls x). split; [|apply Z.eqb_refl].
      apply filter_In. split; [apply in_from; lia|]. apply existsb_exists. exists (cls x). split; [|apply Z.eqb_refl].
      rewrite <- Q. apply predict_in_labels. }
  assert (G' : good xs) by (intros y I; apply G; simpl; auto). specialize (IH G'). lia.
Qed.

Theorem trivial_bound_sound d xs : good xs -> at_least d xs (trivial_bound price d (counted classes xs)).
Proof.
  intros G t _ D. unfold Trees.cost. set (cs := counted classes xs). unfold trivial_bound.
  pose (ks := filter (fun k => existsb (Z.eqb k) (labels t)) (from 0 classes)).
  assert (N : NoDup ks) by apply NoDup_filter, nodup_from.
  assert (E : weight xs - total (map (fun k => count k xs) ks) <= errors t xs).
  { rewrite <- count_list by exact N. apply errors_of_labels, G. }
  assert (L1 : Z.of_nat (length ks) <= splits t + 1).
  { rewrite <- length_labels. apply inj_le. apply NoDup_incl_length; [exact N|]. intros k I. apply filter_In in I.
    destruct I as (_ & I). apply existsb_exists in I. destruct I as (j & J & Q). apply Z.eqb_eq in Q. congruence. }
  assert (L2 : (length ks <= classes)%nat).
  { rewrite <- (length_from classes 0). apply NoDup_incl_length; [exact N|]. intros k I. apply filter_In in I. apply I. }
  assert (L3 : splits t + 1 <= power_of_two d).
  { etransitivity; [apply splits_depth|]. apply power_of_two_le, D. }
  assert (TC : total cs = weight xs) by apply total_counted, G.
  pose proof (splits_nonneg t). cbv zeta. rewrite TC.
  destruct (length ks) as [|n] eqn:Len.
  - etransitivity; [apply cheapest_le|]. apply length_zero_iff_nil in Len. rewrite Len in E. simpl in E.
    pose proof (most_nonneg cs). nia.
  - destruct (cheapest_at cs (weight xs) (power_of_two d) (descending cs) 1 (weight xs - most cs) n) as (h & H0 & B).
    + rewrite length_descending. unfold cs, counted. rewrite map_length, length_from. lia.
    + lia.
    + assert (T : total (map (fun k => count k xs) ks) <= (1 + Z.of_nat n) * h + excess h cs).
      { etransitivity; [apply (total_excess h)|]. rewrite Len. unfold cs, counted, ks.
        pose proof (excess_map_filter h (fun k => count k xs) (fun k => existsb (Z.eqb k) (labels t)) (from 0 classes)).
        nia. }
      assert (Z.of_nat n * price <= price * splits t) by nia.
      replace (1 + Z.of_nat n - 1) with (Z.of_nat n) in B by lia. lia.
Qed.

End Counted.
