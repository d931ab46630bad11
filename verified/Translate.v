(* A tree on the cells of a table is one on the codes, of the family that the checker knows. *)

From Coq Require Import ZArith List Bool Lia Permutation.
From Treewright Require Import Labels Bytes Numbers Canonical Meaning Coding.
From Treewright Require Rows.
Import ListNotations.
Open Scope Z_scope.

Lemma sum_of_ext {A} (g h : A -> Z) xs : (forall x, In x xs -> g x = h x) -> sum_of g xs = sum_of h xs.
Proof. induction xs as [|x xs IH]; intros E; simpl; [reflexivity|]. rewrite (E x), IH; simpl; auto. intros. apply E. simpl. auto. Qed.
Lemma sum_of_map {A B} (g : B -> Z) (f : A -> B) xs : sum_of g (map f xs) = sum_of (fun x => g (f x)) xs.
Proof. induction xs as [|x xs IH]; simpl; congruence. Qed.
Lemma sum_of_perm {A} (g : A -> Z) xs ys : Permutation xs ys -> sum_of g xs = sum_of g ys.
Proof. induction 1; simpl; lia. Qed.
Lemma sum_of_zero {A} (g : A -> Z) xs : (forall x, In x xs -> g x = 0) -> sum_of g xs = 0.
Proof. induction xs as [|x xs IH]; intros E; simpl; [reflexivity|]. rewrite (E x), IH; simpl; auto. intros. apply E. simpl. auto. Qed.
Lemma sum_rows_of g rs : Rows.sum_rows g rs = sum_of g rs.
Proof. induction rs as [|r rs IH]; simpl; congruence. Qed.
Lemma filter_map_eq {A B} (p : B -> bool) (f : A -> B) xs : filter p (map f xs) = map f (filter (fun x => p (f x)) xs).
Proof. induction xs as [|x xs IH]; simpl; [reflexivity|]. destruct (p (f x)); simpl; congruence. Qed.
Lemma filter_eq {A} (p q : A -> bool) xs : (forall x, In x xs -> p x = q x) -> filter p xs = filter q xs.
Proof. induction xs as [|x xs IH]; intros E; simpl; [reflexivity|]. rewrite (E x), IH; simpl; auto. intros. apply E. simpl. auto. Qed.
Lemma filter_permutes {A} (p : A -> bool) xs ys : Permutation xs ys -> Permutation (filter p xs) (filter p ys).
Proof.
  induction 1; simpl; [constructor|destruct (p x); auto|destruct (p x), (p y); (apply perm_swap || apply Permutation_refl)|].
  eapply perm_trans; eassumption.
Qed.

Lemma distinct_map {A B} (f : A -> B) xs : (forall x y, In x xs -> In y xs -> f x = f y -> x = y) -> NoDup xs -> NoDup (map f xs).
Proof.
  intros E N. induction N as [|x xs X N IH]; simpl; constructor.
  - intros I. apply in_map_iff in I. destruct I as (y & Q & Y). apply E in Q; simpl; auto. subst. contradiction.
  - apply IH. intros; apply E; simpl; auto.
Qed.

(* The order of the rows does not matter. *)
Lemma leaves_hold_perm m u : forall rs rs', Permutation rs rs' -> leaves_hold m u rs -> leaves_hold m u rs'.
Proof.
  induction u as [k|s low IHl high IHr]; intros rs rs' P; simpl; [rewrite (Permutation_length P); auto|].
  intros (L & R). split; [eapply IHl|eapply IHr]; try eassumption; apply filter_permutes, P.
Qed.

Lemma allowed_perm t whole rs rs' j levels : Permutation rs rs' -> allowed t whole rs j levels -> allowed t whole rs' j levels.
Proof.
  intros P. assert (S : forall r, In r rs' -> In r rs) by (intros r; apply Permutation_in, Permutation_sym, P).
  assert (G : forall g i c, gained rs' g i c = gained rs g i c) by (intros; apply sum_of_perm, Permutation_sym, P).
  assert (A : forall i a b, agrees rs i a b -> agrees rs' i a b) by (intros i a b [H|H]; [left|right]; auto).
  intros [(c & k & K & Some_ & Often & Ag)|(k & a & b & K & B & Ag)].
  - left. exists c, k. rewrite G, <- (sum_of_perm _ _ _ P). auto.
  - right. exists k, a, b. split; [exact K|]. split; [exact B|]. apply A in Ag.
    destruct Ag as [Ag|Ag]; [left|right]; intros r I; rewrite !G; apply Ag, I.
Qed.

Lemma family_perm t whole rs rs' restricted leaf u :
  Permutation rs rs' -> family_of t whole rs restricted leaf u -> family_of t whole rs' restricted leaf u.
Proof.
  intros P. induction u as [k|s low IHl high IHr]; simpl; [auto|]. intros (F & L & R). split; [|auto].
  destruct s as [j x b|j levels]; [exact F|]. destruct F as (N & F). split; [exact N|]. intros Re. apply (allowed_perm _ _ _ _ _ _ P), F, Re.
Qed.

Lemma family_splits t whole rs restricted u : in_family t whole rs restricted u -> splits_in_family t whole rs restricted u.
Proof. unfold in_family, splits_in_family. induction u; simpl; tauto. Qed.

Lemma loss_perm u rs rs' : Permutation rs rs' -> loss u rs = loss u rs'.
Proof. apply sum_of_perm. Qed.

Section Translate.

Variable t : table.
Variable classes : nat.
Variable whole : row -> list Z.
Variable xs : list coded.
Variable kinds : list Rows.kind.
Variable restricted : list nat.

Definition coded_row (x : coded) : Rows.row := Rows.Row (snd x) (whole (fst x)).
Definition data : Rows.table := Rows.Table kinds (map coded_row xs) classes.
Notation rs := (map fst xs).
Notation cell_in j := (fun x : coded => cell_at j (fst x)).
Notation code_in j := (fun x : coded => Rows.value j (snd x)).

Hypothesis ordered : forall j, (j < length (features t))%nat -> in_order (cell_in j) (code_in j) xs.
Hypothesis typed : forall j name x, nth_error (features t) j = Some (false, name) -> In x xs -> forall w, cell_at j (fst x) <> Level w.
Hypothesis kinds_long : length kinds = length (features t).
Hypothesis kinds_fit : forall j category name, nth_error (features t) j = Some (category, name) ->
  if category then Rows.kind_of data j = Rows.Category else Rows.kind_of data j <> Rows.Category.

Hypothesis classes_enough : (length (labels t) <= classes)%nat.

Hypothesis few : forall j name, nth_error (features t) j = Some (true, name) -> ~ In j restricted ->
  exists present, (length present <= Rows.most_levels)%nat /\ forall r, In r rs -> In (cell_at j r) present.

Lemma feature_in j f : nth_error (features t) j = Some f -> (j < length (features t))%nat.
Proof. intros E. apply nth_error_Some. congruence. Qed.

Lemma same_codes j x y : (j < length (features t))%nat -> In x xs -> In y xs ->
  (cell_at j (fst x) = cell_at j (fst y) <-> Rows.value j (snd x) = Rows.value j (snd y)).
Proof.
  intros J X Y. destruct (ordered j J) as (O & _). pose proof (O x y X Y) as A. pose proof (O y x Y X) as B. cbn beta in *. split; intros E.
  - assert (R : cell_leb (cell_at j (fst y)) (cell_at j (fst y)) = true) by (destruct (cell_total (cell_at j (fst y)) (cell_at j (fst y))); auto).
    rewrite E in A, B. apply A in R as A'. apply B in R as B'. lia.
  - apply cell_antisym; [apply A|apply B]; lia.
Qed.

Lemma most_of (p : coded -> bool) (f : coded -> Z) ys : (forall y, In y ys -> p y = false) \/ (exists y, In y ys /\ p y = true /\ forall z, In z ys -> p z = true -> f z <= f y).
Proof.
  induction ys as [|y ys IH]; [left; intros ? []|]. destruct (p y) eqn:P.
  - right. destruct IH as [N|(m & I & M & L)].
    + exists y. split; [simpl; auto|]. split; [exact P|]. intros z [<-|J] Z; [lia|]. rewrite N in Z; [discriminate|exact J].
    + destruct (Z.le_gt_cases (f m) (f y)).
      * exists y. split; [simpl; auto|]. split; [exact P|]. intros z [<-|J] Z; [lia|]. specialize (L z J Z). lia.
      * exists m. split; [simpl; auto|]. split; [exact M|]. intros z [<-|J] Z; [lia|auto].
  - destruct IH as [N|(m & I & M & L)]; [left|right].
    + intros z [<-|J]; auto.
    + exists m. split; [simpl; auto|]. split; [exact M|]. intros z [<-|J] Z; [congruence|auto].
Qed.

Lemma below_as_codes j threshold missing_left name : nth_error (features t) j = Some (false, name) ->
  exists s, Rows.split_in_family data s /\ forall x, In x xs -> Rows.goes_left s (snd x) = goes_left (Below j threshold missing_left) (fst x).
Proof.
  intros N. pose proof (feature_in _ _ N) as J. destruct (ordered j J) as (O & M).
  pose (p := fun x : coded => match cell_at j (fst x) with Number v => v <? threshold | _ => false end).
  assert (T : exists top, forall x, In x xs -> forall v, cell_at j (fst x) = Number v -> (v < threshold <-> Rows.value j (snd x) < top)).
  { destruct (most_of p (code_in j) xs) as [None_|(y & I & P & L)].
    - exists (-1). intros x X v V. specialize (None_ x X). unfold p in None_. rewrite V in None_. apply Z.ltb_ge in None_.
      destruct (M x X). cbn beta in *. lia.
    - exists (Rows.value j (snd y) + 1). intros x X v V. unfold p in P. destruct (cell_at j (fst y)) as [|w|w] eqn:Y; try discriminate.
      apply Z.ltb_lt in P. split; intros H.
      + specialize (L x X). unfold p in L. cbn beta in L. rewrite V in L. assert (Rows.value j (snd x) <= Rows.value j (snd y)) by (apply L, Z.ltb_lt, H). lia.
      + assert (Le : Rows.value j (snd x) <= Rows.value j (snd y)) by lia. apply (O x y X I) in Le. cbn beta in Le. rewrite V, Y in Le. simpl in Le.
        apply Z.leb_le in Le. lia. }
  destruct T as (top & T). exists (Rows.Below j top missing_left). split.
  - split; [simpl; rewrite kinds_long; exact J|]. apply (kinds_fit j false name N).
  - intros x X. simpl. destruct (M x X) as (_ & Miss). cbn beta in Miss. unfold Rows.missing. pose proof (typed j name x N X) as Ty.
    destruct (cell_at j (fst x)) as [|v|w] eqn:C.
    + replace (Rows.value j (snd x)) with (-1) by (symmetry; apply Miss; reflexivity). reflexivity.
    + destruct (Z.eqb_spec (Rows.value j (snd x)) (-1)) as [Q|Q]; [apply Miss in Q; discriminate|].
      specialize (T x X v C). destruct (Z.ltb_spec v threshold), (Z.ltb_spec (Rows.value j (snd x)) top); auto; lia.
    + destruct (Ty w eq_refl).
Qed.

(* The cell of a code. *)
Definition decode (j : nat) (v : Z) : cell :=
  match find (fun x => Rows.value j (snd x) =? v) xs with Some x => cell_at j (fst x) | None => Missing end.
Lemma decode_code j x : (j < length (features t))%nat -> In x xs -> decode j (Rows.value j (snd x)) = cell_at j (fst x).
Proof.
  intros J X. unfold decode. destruct (find (fun x => Rows.value j (snd x) =? _) xs) as [y|] eqn:F.
  - apply find_some in F. destruct F as (Y & E). apply Z.eqb_eq in E. apply same_codes; auto.
  - eapply find_none in F; [|exact X]. cbn beta in F. rewrite Z.eqb_refl in F. discriminate.
Qed.

Lemma level_in j v : In v (Rows.levels_of data j) <-> exists x, In x xs /\ v = Rows.value j (snd x).
Proof.
  unfold Rows.levels_of, Rows.column. simpl Rows.rows. rewrite map_map.
  assert (D : forall vs seen, In v (Rows.distinct_of vs seen) <-> In v vs \/ In v seen).
  { induction vs as [|w vs IH]; intros seen; simpl; [tauto|]. destruct (existsb (Z.eqb w) seen) eqn:E; rewrite IH; simpl; [|tauto].
    apply existsb_exists in E. destruct E as (u & U & E). apply Z.eqb_eq in E. subst u. split; [tauto|]. intros [[->|I]|I]; auto. }
  rewrite D, in_map_iff. simpl. split.
  - intros [(x & <- & I)|[]]. eauto.
  - intros (x & I & ->). left. eauto.
Qed.

Lemma levels_distinct j : NoDup (Rows.levels_of data j).
Proof.
  unfold Rows.levels_of. generalize (Rows.column data j). intros vs.
  assert (D : forall seen, NoDup seen -> NoDup (Rows.distinct_of vs seen)); [|apply D; constructor].
  induction vs as [|v vs IH]; intros seen N; simpl; [exact N|]. destruct (existsb (Z.eqb v) seen) eqn:E; [apply IH, N|].
  apply IH. constructor; [|exact N]. intros I. apply not_true_iff_false in E. apply E, existsb_exists. exists v. split; [exact I|apply Z.eqb_refl].
Qed.

Lemma few_levels_few j present : (j < length (features t))%nat -> (forall r, In r rs -> In (cell_at j r) present) ->
  (length (Rows.levels_of data j) <= length present)%nat.
Proof.
  intros J I. rewrite <- (map_length (decode j)). apply NoDup_incl_length.
  - apply distinct_map; [|apply levels_distinct]. intros v w V W E.
    apply level_in in V. apply level_in in W. destruct V as (x & X & ->), W as (y & Y & ->).
    rewrite !decode_code in E by auto. apply same_codes; auto.
  - intros c C. apply in_map_iff in C. destruct C as (v & <- & V). apply level_in in V. destruct V as (x & X & ->).
    rewrite decode_code by auto. apply I, in_map, X.
Qed.

Lemma gained_eq (g : row -> Z) (h : Rows.row -> Z) j y : (j < length (features t))%nat -> In y xs -> (forall x, h (coded_row x) = g (fst x)) ->
  Rows.sum_rows (fun r => if Rows.value j (Rows.values r) =? Rows.value j (snd y) then h r else 0) (Rows.rows data) = gained rs g j (cell_at j (fst y)).
Proof.
  intros J Y E. rewrite sum_rows_of. unfold gained. simpl Rows.rows. rewrite !sum_of_map. apply sum_of_ext. intros x X. rewrite E. simpl.
  pose proof (same_codes j x y J X Y) as S. destruct (Z.eqb_spec (Rows.value j (snd x)) (Rows.value j (snd y))) as [Q|Q].
  - apply S in Q. rewrite Q. replace (same_cell _ _) with true by (symmetry; apply same_cell_eq; reflexivity). reflexivity.
  - destruct (same_cell _ _) eqn:C; [|reflexivity]. apply same_cell_eq, S in C. contradiction.
Qed.

Lemma total_gains_eq k : Rows.total_gains data k = sum_of (gain whole k) rs.
Proof. unfold Rows.total_gains. rewrite sum_rows_of. simpl Rows.rows. rewrite !sum_of_map. reflexivity. Qed.

Lemma among_as_codes j levels name : nth_error (features t) j = Some (true, name) -> (In j restricted -> allowed t whole rs j levels) ->
  exists s, Rows.split_in_family data s /\ forall x, In x xs -> Rows.goes_left s (snd x) = goes_left (Among j levels) (fst x).
Proof.
  intros N A. pose proof (feature_in _ _ N) as J. exists (Rows.Among j (fun v => levels (decode j v))). split.
  2:{ intros x X. simpl. rewrite decode_code by auto. reflexivity. }
  split; [simpl; rewrite kinds_long; exact J|]. split; [apply (kinds_fit j true name N)|].
  assert (Ag : forall set codes, (forall x, In x xs -> codes (Rows.value j (snd x)) = set (cell_at j (fst x))) -> agrees rs j levels set ->
    Rows.same_split (Rows.levels_of data j) (fun v => levels (decode j v)) codes).
  { intros set codes C [G|G]; [left|right]; intros v V; apply level_in in V; destruct V as (x & X & ->);
      rewrite decode_code, C by auto; apply G, in_map, X. }
  destruct (in_dec Nat.eq_dec j restricted) as [Re|Re].
  2:{ destruct (few j name N Re) as (present & Few & I). left. etransitivity; [apply (few_levels_few j present J I)|exact Few]. }
  destruct (A Re) as [(c & k & K & Some_ & Often & G)|(k & a & b & K & B & G)].
  - right. left. assert (Y : exists y, In y xs /\ cell_at j (fst y) = c).
    { destruct (find (fun x => same_cell (cell_at j (fst x)) c) xs) as [y|] eqn:F.
      - apply find_some in F. destruct F as (Y & F). apply same_cell_eq in F. eauto.
      - exfalso. unfold gained in Some_. rewrite sum_of_map, sum_of_zero in Some_; [lia|]. intros x X.
        eapply find_none in F; [|exact X]. cbn beta in F. rewrite F. reflexivity. }
    destruct Y as (y & Y & <-). exists (Rows.value j (snd y)). split.
    + exists k. split; [unfold is_label in K; simpl Rows.classes; lia|]. unfold Rows.label_gains. rewrite total_gains_eq.
      rewrite (gained_eq (gain whole k) (fun r => Rows.gain r k)) by (auto; reflexivity). auto.
    + apply (Ag (same_cell (cell_at j (fst y)))); [|exact G]. intros x X. pose proof (same_codes j y x J Y X) as S.
      destruct (Z.eqb_spec (Rows.value j (snd y)) (Rows.value j (snd x))) as [Q|Q].
      * apply S in Q. symmetry. apply same_cell_eq, Q.
      * destruct (same_cell _ _) eqn:C; [|reflexivity]. apply same_cell_eq, S in C. contradiction.
  - right. right. exists k, a, b. split; [unfold is_label in K; simpl Rows.classes; lia|]. split; [exact B|]. refine (Ag _ _ _ G).
    intros x X. cbn beta. unfold Rows.at_least_share, Rows.level_gains, Rows.label_gains.
    rewrite (gained_eq (gain whole k) (fun r => Rows.gain r k)), (gained_eq (all_gains whole) Rows.all_gains) by (auto; reflexivity). reflexivity.
Qed.

Theorem splits_as_codes u : splits_in_family t whole rs restricted u -> exists v,
  Rows.splits_in_family data v /\ (in_family t whole rs restricted u -> Rows.in_family data v) /\ Rows.raw_depth v = depth u /\ Rows.raw_splits v = splits u /\
  (forall x, In x xs -> Rows.raw_predict v (snd x) = predict u (fst x)) /\
  forall m ys, incl ys xs -> leaves_hold m u (map fst ys) -> Rows.raw_fits m v (map coded_row ys).
Proof.
  unfold splits_in_family, in_family, Rows.splits_in_family, Rows.in_family.
  induction u as [k|s low IHl high IHr]; intros F.
  - exists (Rows.RLeaf k). simpl in *. split; [auto|]. split; [unfold is_label; lia|]. repeat split; auto. intros m ys _. rewrite !map_length. auto.
  - destruct F as (Fs & Fl & Fr). destruct (IHl Fl) as (vl & Il & Ll & Dl & Sl & Pl & Hl), (IHr Fr) as (vr & Ir & Lr & Dr & Sr & Pr & Hr).
    assert (S : exists s', Rows.split_in_family data s' /\ forall x, In x xs -> Rows.goes_left s' (snd x) = goes_left s (fst x)).
    { destruct s as [j threshold missing_left|j levels]; [destruct Fs as (name & N)|destruct Fs as ((name & N) & A)].
      - eapply below_as_codes. eassumption.
      - eapply among_as_codes; eassumption. }
    destruct S as (s' & Fs' & G). exists (Rows.RNode s' vl vr). split; [simpl; auto|]. split; [simpl; intros (_ & Fl' & Fr'); auto|].
    split; [cbn [Rows.raw_depth depth]; rewrite Dl, Dr; reflexivity|]. split; [cbn [Rows.raw_splits splits]; rewrite Sl, Sr; reflexivity|]. split.
    + intros x X. simpl. rewrite G by exact X. destruct (goes_left s (fst x)); auto.
    + intros m ys I (L & R). simpl in L, R. simpl. rewrite filter_map_eq in L, R. rewrite !filter_map_eq. simpl.
      assert (E : forall y, In y ys -> Rows.goes_left s' (snd y) = goes_left s (fst y)) by (intros; apply G, I; assumption). split.
      * rewrite (filter_eq _ (fun y : coded => goes_left s (fst y))) by exact E. apply Hl; [|exact L]. intros y Y. apply filter_In in Y. apply I, Y.
      * rewrite (filter_eq _ (fun y : coded => negb (goes_left s (fst y)))) by (intros; f_equal; apply E; assumption).
        apply Hr; [|exact R]. intros y Y. apply filter_In in Y. apply I, Y.
Qed.

Theorem tree_as_codes u : in_family t whole rs restricted u -> exists v, Rows.in_family data v /\ Rows.raw_depth v = depth u /\ Rows.raw_splits v = splits u /\
  (forall x, In x xs -> Rows.raw_predict v (snd x) = predict u (fst x)) /\
  forall m ys, incl ys xs -> leaves_hold m u (map fst ys) -> Rows.raw_fits m v (map coded_row ys).
Proof.
  intros F. destruct (splits_as_codes u (family_splits t whole rs restricted u F)) as (v & _ & I & R). exists v. split; [apply I, F|exact R].
Qed.

End Translate.
