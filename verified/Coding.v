(* From cells to codes: a code is the place of a cell among those of its column, -1 if it is missing. The rows are sorted by one column after the
   other. A tree on cells is one on codes. *)

From Coq Require Import ZArith List Bool Lia Permutation Sorted Mergesort Orders.
From Treewright Require Import Labels Bytes Numbers Canonical Meaning.
From Treewright Require Rows.
Import ListNotations.
Open Scope Z_scope.

Definition cell_leb (a b : cell) : bool :=
  match a, b with
  | Missing, _ => true
  | _, Missing => false
  | Number v, Number w => v <=? w
  | Number _, Level _ => true
  | Level _, Number _ => false
  | Level v, Level w => negb (before w v)
  end.

Lemma before_asym a : forall b, before a b = true -> before b a = true -> False.
Proof.
  induction a as [|x a IH]; intros [|y b]; simpl; try discriminate. rewrite (Z.eqb_sym y x).
  destruct (Z.eqb_spec x y); [apply IH|]. rewrite !Z.ltb_lt. lia.
Qed.
Lemma before_total a : forall b, before a b = false -> before b a = false -> a = b.
Proof.
  induction a as [|x a IH]; intros [|y b]; simpl; try discriminate; auto. rewrite (Z.eqb_sym y x).
  destruct (Z.eqb_spec x y) as [->|]; [intros; f_equal; auto|]. rewrite !Z.ltb_ge. lia.
Qed.
Lemma before_trans a : forall b c, before a b = true -> before b c = true -> before a c = true.
Proof.
  induction a as [|x a IH]; intros [|y b] [|z c]; simpl; try discriminate; auto.
  destruct (Z.eqb_spec x y) as [->|], (Z.eqb_spec y z) as [->|]; try (destruct (Z.eqb_spec x z)); try (destruct (Z.eqb_spec y z));
    rewrite ?Z.ltb_lt in *; try lia; try (subst; lia); auto. apply IH.
Qed.

Lemma cell_total a b : cell_leb a b = true \/ cell_leb b a = true.
Proof.
  destruct a, b; simpl; auto; rewrite ?Z.leb_le; try lia.
  destruct (before w0 w) eqn:E; [|auto]. destruct (before w w0) eqn:F; [|auto]. destruct (before_asym _ _ E F).
Qed.
Lemma cell_trans a b c : cell_leb a b = true -> cell_leb b c = true -> cell_leb a c = true.
Proof.
  destruct a, b, c; simpl; auto; try discriminate; rewrite ?Z.leb_le; try lia.
  rewrite !negb_true_iff. intros A B. apply not_true_iff_false. intros C.
  destruct (before w w0) eqn:E.
  - rewrite (before_trans _ _ _ C E) in B. discriminate.
  - rewrite (before_total w w0) in C by auto. congruence.
Qed.
Lemma cell_antisym a b : cell_leb a b = true -> cell_leb b a = true -> a = b.
Proof.
  destruct a, b; simpl; auto; try discriminate; rewrite ?Z.leb_le; intros; try (f_equal; lia).
  f_equal. rewrite negb_true_iff in *. apply before_total; auto.
Qed.
Lemma same_cell_eq a b : same_cell a b = true <-> a = b.
Proof.
  destruct a, b; simpl; split; intros H; try discriminate; auto; try (apply Z.eqb_eq in H; congruence); try (apply same_eq in H; congruence);
    inversion H; subst; [apply Z.eqb_refl|apply same_refl].
Qed.

(* A row with the codes of some columns. *)
Definition coded := (row * list Z)%type.

Module CellOrder <: TotalLeBool.
  Definition t := (cell * coded)%type.
  Definition leb (a b : t) := cell_leb (fst a) (fst b).
  Theorem leb_total : forall a b, leb a b = true \/ leb b a = true.
  Proof. intros a b. apply cell_total. Qed.
End CellOrder.
Module CellSort := Sort CellOrder.

(* The codes of sorted cells, and the cells with theirs, the last one first. *)
Fixpoint walk (previous : cell) (code : Z) (xs : list (cell * coded)) (done : list coded) (known : list (cell * Z)) : list coded * list (cell * Z) :=
  match xs with
  | [] => (done, known)
  | (c, (r, codes)) :: rest =>
      if same_cell previous c then walk previous code rest ((r, code :: codes) :: done) known
      else walk c (code + 1) rest ((r, code + 1 :: codes) :: done) ((c, code + 1) :: known)
  end.

Definition code_column (j : nat) (xs : list coded) : list coded * list (cell * Z) :=
  walk Missing (-1) (CellSort.sort (map (fun x => (cell_at j (fst x), x)) xs)) [] [].

Fixpoint code_columns (js : list nat) (xs : list coded) : list coded * list (list (cell * Z)) :=
  match js with
  | [] => (xs, [])
  | j :: rest => let (xs, known) := code_columns rest xs in let (xs, mine) := code_column j xs in (xs, mine :: known)
  end.

(* Codes are in the order of their cells. *)
Definition in_order (cell_in : coded -> cell) (code_in : coded -> Z) (xs : list coded) : Prop :=
  (forall x y, In x xs -> In y xs -> (cell_leb (cell_in x) (cell_in y) = true <-> code_in x <= code_in y)) /\
  (forall x, In x xs -> -1 <= code_in x /\ (cell_in x = Missing <-> code_in x = -1)).

Definition first_code (x : coded) : Z := Rows.value 0 (snd x).

(* What `walk` has done so far: pairs of cells and codes in order, none beyond the last ones. *)
Lemma walk_sound j xs : forall previous code done known,
  StronglySorted (fun a b => cell_leb (fst a) (fst b) = true) xs -> (forall e, In e xs -> cell_leb previous (fst e) = true) ->
  (forall e, In e xs -> fst e = cell_at j (fst (snd e))) ->
  -1 <= code -> (previous = Missing <-> code = -1) ->
  in_order (fun x => cell_at j (fst x)) first_code done ->
  (forall x, In x done -> cell_leb (cell_at j (fst x)) previous = true /\ first_code x <= code /\ (cell_at j (fst x) = previous <-> first_code x = code)) ->
  in_order (fun x => cell_at j (fst x)) first_code (fst (walk previous code xs done known)).
Proof.
  induction xs as [|(c, (r, codes)) xs IH]; intros previous code done known S B E C M O D; cbn [walk].
  - exact O.
  - inversion S as [|? ? S' F]; subst. rewrite Forall_forall in F. pose proof (B _ (or_introl eq_refl)) as Bc. cbn [fst] in Bc.
    pose proof (E _ (or_introl eq_refl)) as Ec. cbn [fst snd] in Ec.
    set (code' := if same_cell previous c then code else code + 1).
    assert (Q : same_cell previous c = true /\ previous = c \/ same_cell previous c = false /\ previous <> c).
    { destruct (same_cell previous c) eqn:Q; [left|right]; split; auto; [apply same_cell_eq, Q|]. intros X. apply same_cell_eq in X. congruence. }
    assert (M' : c = Missing <-> code' = -1).
    { unfold code'. destruct Q as [(Q & <-)|(Q & N)]; rewrite Q; [exact M|]. split; [|lia]. intros ->. destruct previous; simpl in Bc; congruence. }
    assert (O' : in_order (fun x => cell_at j (fst x)) first_code ((r, code' :: codes) :: done)).
    { assert (X : forall x, In x done -> (cell_leb (cell_at j (fst x)) c = true <-> first_code x <= code') /\ (cell_leb c (cell_at j (fst x)) = true <-> code' <= first_code x)).
      { intros x I. destruct (D x I) as (L & K & N). unfold code'. destruct Q as [(Q & <-)|(Q & Ne)]; rewrite Q.
        - split; [tauto|]. split; intros H; [apply Z.eq_le_incl; symmetry; apply N, cell_antisym; auto|].
          assert (first_code x = code) as W by lia. apply N in W. rewrite W. destruct (cell_total previous previous); auto.
        - split; (split; intros H); try lia; [apply (cell_trans _ _ _ L Bc)|].
          exfalso. apply Ne. apply cell_antisym; [exact Bc|]. apply (cell_trans _ _ _ H L). }
      destruct O as (O1 & O2). split.
      - intros x y [<-|I] [<-|J]; cbn [fst]; rewrite <- ?Ec; unfold first_code at 1 2; cbn [snd Rows.value nth].
        + split; [lia|]. intros _. destruct (cell_total c c); auto.
        + apply (X y J).
        + apply (X x I).
        + apply O1; auto.
      - intros x [<-|I]; [|apply O2, I]. cbn [fst]. rewrite <- Ec. unfold first_code. cbn [snd Rows.value nth]. split; [|exact M'].
        unfold code'. destruct (same_cell previous c); lia. }
    assert (D' : forall x, In x ((r, code' :: codes) :: done) ->
      cell_leb (cell_at j (fst x)) c = true /\ first_code x <= code' /\ (cell_at j (fst x) = c <-> first_code x = code')).
    { intros x [<-|I].
      - cbn [fst]. rewrite <- Ec. unfold first_code. cbn [snd Rows.value nth]. split; [destruct (cell_total c c); auto|]. split; [lia|tauto].
      - destruct (D x I) as (L & K & N). unfold code'. destruct Q as [(Q & <-)|(Q & Ne)]; rewrite Q; [auto|].
        split; [apply (cell_trans _ _ _ L Bc)|]. split; [lia|]. split; [|lia]. intros X. exfalso. apply Ne, cell_antisym; [exact Bc|]. rewrite <- X. exact L. }
    assert (R : forall known', in_order (fun x => cell_at j (fst x)) first_code (fst (walk c code' xs ((r, code' :: codes) :: done) known'))).
    { intros known'. apply IH; auto.
      - intros e I. apply E. simpl. auto.
      - unfold code'. destruct (same_cell previous c); lia. }
    unfold code' in R. destruct Q as [(Q & X)|(Q & X)]; rewrite Q in *; [rewrite X|]; apply R.
Qed.

Lemma walk_rows xs : forall previous code done known,
  Permutation (map fst (fst (walk previous code xs done known))) (map (fun e => fst (snd e)) xs ++ map fst done).
Proof.
  induction xs as [|(c, (r, codes)) xs IH]; intros previous code done known; cbn [walk]; [apply Permutation_refl|].
  destruct (same_cell previous c); rewrite IH; cbn [map fst snd app]; symmetry; apply Permutation_middle.
Qed.

Lemma walk_in xs : forall previous code done known y, In y (fst (walk previous code xs done known)) ->
  In y done \/ exists e c, In e xs /\ y = (fst (snd e), c :: snd (snd e)).
Proof.
  induction xs as [|(c, (r, codes)) xs IH]; intros previous code done known y I; cbn [walk] in I; [auto|].
  destruct (same_cell previous c); apply IH in I; destruct I as [[<-|I]|(e & b & I & ->)]; auto; right.
  1, 3: eexists (c, (r, codes)), _; split; [simpl; auto|reflexivity].
  all: exists e, b; split; [simpl; auto|reflexivity].
Qed.

Lemma code_column_sound j xs : let ys := fst (code_column j xs) in
  in_order (fun x => cell_at j (fst x)) first_code ys /\ Permutation (map fst ys) (map fst xs) /\
  forall y, In y ys -> exists x c, In x xs /\ y = (fst x, c :: snd x).
Proof.
  cbv zeta. unfold code_column. set (keyed := map (fun x => (cell_at j (fst x), x)) xs).
  pose proof (CellSort.Permuted_sort keyed) as P.
  assert (K : forall e, In e (CellSort.sort keyed) -> fst e = cell_at j (fst (snd e)) /\ In (snd e) xs).
  { intros e I. eapply Permutation_in in I; [|apply Permutation_sym, P]. apply in_map_iff in I. destruct I as (x & <- & I). auto. }
  split; [|split].
  - apply walk_sound.
    + apply CellSort.StronglySorted_sort. intros a b c. apply cell_trans.
    + reflexivity.
    + intros e I. apply K, I.
    + lia.
    + tauto.
    + split; [intros ? ? []|intros ? []].
    + intros ? [].
  - rewrite walk_rows. rewrite app_nil_r, <- P. unfold keyed. rewrite map_map. apply Permutation_refl.
  - intros y I. apply walk_in in I. destruct I as [[]|(e & c & I & ->)]. exists (snd e), c. split; [apply K, I|reflexivity].
Qed.

Lemma in_order_sub f g h xs ys : (forall y, In y ys -> exists x, In x xs /\ f y = f x /\ h y = g x) -> in_order f g xs -> in_order f h ys.
Proof.
  intros S (A & B). split.
  - intros x y I J. apply S in I. apply S in J. destruct I as (u & U & Eu & Hu), J as (v & V & Ev & Hv). rewrite Eu, Hu, Ev, Hv. apply A; auto.
  - intros x I. apply S in I. destruct I as (u & U & Eu & Hu). rewrite Eu, Hu. apply B, U.
Qed.

Theorem code_columns_sound js : forall xs, let ys := fst (code_columns js xs) in
  Permutation (map fst ys) (map fst xs) /\
  forall i, (i < length js)%nat -> in_order (fun x => cell_at (nth i js O) (fst x)) (fun x => Rows.value i (snd x)) ys.
Proof.
  induction js as [|j js IH]; intros xs; cbv zeta; cbn [code_columns].
  - split; [apply Permutation_refl|]. simpl. lia.
  - destruct (code_columns js xs) as (zs, known) eqn:Z. destruct (code_column j zs) as (ys, mine) eqn:Y. cbn [fst].
    destruct (IH xs) as (P & O). rewrite Z in *. cbn [fst] in *.
    destruct (code_column_sound j zs) as (Oj & Pj & Sj). rewrite Y in *. cbn [fst] in *.
    split; [rewrite Pj; exact P|]. intros [|i] I; [exact Oj|]. cbn [nth]. simpl in I.
    apply (in_order_sub _ (fun x => Rows.value i (snd x)) _ zs); [|apply O; lia].
    intros y J. apply Sj in J. destruct J as (x & c & J & ->). exists x. auto.
Qed.
