(* That the orderings of a proof hold every split of the family. *)

From Coq Require Import ZArith List Bool Lia Permutation.
From Treewright Require Import Trees Counts Checker Soundness Alike Rows Merged Levels.
Import ListNotations.
Open Scope Z_scope.

(* Sets of lists of booleans, by their first entry. *)
Inductive sets := Nothing | End | Fork (yes no : sets).

Fixpoint put (bs : list bool) (s : sets) : sets :=
  match bs with
  | [] => End
  | b :: bs =>
      match s with
      | Fork y n => if b then Fork (put bs y) n else Fork y (put bs n)
      | _ => if b then Fork (put bs Nothing) Nothing else Fork Nothing (put bs Nothing)
      end
  end.

Fixpoint has (bs : list bool) (s : sets) : bool :=
  match bs, s with
  | [], End => true
  | b :: bs, Fork y n => has bs (if b then y else n)
  | _, _ => false
  end.

(* Every list of n booleans. *)
Fixpoint full (n : nat) (s : sets) : bool :=
  match n, s with
  | O, End => true
  | S n, Fork y z => full n y && full n z
  | _, _ => false
  end.

Fixpoint put_cuts (rs cuts : list Z) (s : sets) : sets :=
  match cuts with
  | [] => s
  | c :: rest => put_cuts rs rest (put (map negb (below c rs)) (put (below c rs) s))
  end.

Fixpoint put_rankings (present : list Z) (os : list ranking) (s : sets) : sets :=
  match os with
  | [] => s
  | o :: rest => let rs := map (rank_of o) present in put_rankings present rest (put_cuts rs rs s)
  end.

Definition wide (data : table) (j : nat) (os : list ranking) : bool :=
  let by_level := gains_by_level data j in
  let present := map fst by_level in
  let all := sum_of_gains (classes data) by_level in
  let known := flat_map (apart present) os in
  let sorted := map (ranked_levels by_level) os in
  descends by_level &&
  forallb (fun e => negb (existsb (fun p => (0 <? fst p) && (snd p <=? rare * fst p)) (combine (snd e) all)) || existsb (Z.eqb (fst e)) known) by_level &&
  forallb (fun k => all_equal k by_level || existsb (fun es => each_follows (share_below k) es || each_follows (share_above k) es) sorted)
    (from 0 (classes data)).

Definition constant (vs : list Z) : bool :=
  match vs with
  | [] => true
  | v :: rest => forallb (Z.eqb v) rest
  end.

Definition is_first (o : ranking) : bool := match o with MissingFirst => true | _ => false end.
Definition is_last (m : Z) (o : ranking) : bool := match o with MissingLast n => m =? n | _ => false end.

Definition rankings_of (os : list named_ordering) (j : nat) : list ranking :=
  map ranked (filter (fun o => Nat.eqb (of_column o) j) os).

Definition covers_column (data : table) (os : list named_ordering) (j : nat) : bool :=
  let vs := column data j in
  let mine := rankings_of os j in
  constant vs ||
  match kind_of data j with
  | Numeric m =>
      forallb (fun v => (missing <=? v) && (v <? m)) vs &&
      (if existsb (Z.eqb missing) vs then existsb is_first mine && existsb (is_last m) mine
       else existsb (fun o => is_first o || is_last m o) mine)
  | Category =>
      match few_levels vs [] with
      | Some present => full (length present) (put_rankings present mine Nothing)
      | None => wide data j mine
      end
  end.

Definition covers (data : table) (os : list named_ordering) : bool :=
  forallb (covers_column data os) (seq 0 (length (kinds data))).

Lemma full_has n : forall s bs, full n s = true -> length bs = n -> has bs s = true.
Proof.
  induction n as [|n IH]; intros s bs F L; destruct bs as [|b bs]; try discriminate; destruct s; try discriminate; simpl in *; auto.
  apply andb_true_iff in F. destruct F. destruct b; apply IH; auto.
Qed.

Lemma has_nothing bs : has bs Nothing = false.
Proof. destruct bs; reflexivity. Qed.

Lemma has_put cs : forall bs s, has bs (put cs s) = true -> bs = cs \/ has bs s = true.
Proof.
  induction cs as [|c cs IH]; intros bs s H; simpl in H.
  - destruct bs; [auto|discriminate].
  - destruct bs as [|b bs]; [destruct s, c; discriminate|].
    destruct s, c, b; simpl in H; rewrite ?has_nothing in H; try discriminate; try (right; exact H);
      apply IH in H; destruct H as [->|H]; auto; rewrite ?has_nothing in H; discriminate.
Qed.

Lemma has_put_cuts rs cuts : forall s bs, has bs (put_cuts rs cuts s) = true ->
  (exists c, bs = below c rs \/ bs = map negb (below c rs)) \/ has bs s = true.
Proof.
  induction cuts as [|c cuts IH]; intros s bs H; simpl in H; [auto|].
  apply IH in H. destruct H as [H|H]; [auto|]. apply has_put in H. destruct H as [H|H]; [left; exists c; auto|].
  apply has_put in H. destruct H as [H|H]; [left; exists c; auto|auto].
Qed.

Lemma has_put_rankings present os : forall s bs, has bs (put_rankings present os s) = true ->
  (exists o c, In o os /\ (bs = below c (map (rank_of o) present) \/ bs = map negb (below c (map (rank_of o) present)))) \/ has bs s = true.
Proof.
  induction os as [|o os IH]; intros s bs H; simpl in H; [auto|].
  apply IH in H. destruct H as [(q & c & I & E)|H]; [left; exists q, c; simpl; auto|].
  apply has_put_cuts in H. destruct H as [(c & E)|H]; [left; exists o, c; simpl; auto|auto].
Qed.

Lemma map_eq_in {A B} (f g : A -> B) xs : map f xs = map g xs -> forall x, In x xs -> f x = g x.
Proof.
  induction xs as [|x xs IH]; simpl; intros E y I; [destruct I|]. inversion E. destruct I as [<-|I]; auto.
Qed.

Lemma distinct_of_in vs : forall seen v, In v (distinct_of vs seen) <-> In v vs \/ In v seen.
Proof.
  induction vs as [|w vs IH]; intros seen v; simpl; [tauto|].
  destruct (existsb (Z.eqb w) seen) eqn:E; rewrite IH; simpl; [|tauto].
  apply existsb_exists in E. destruct E as (u & U & E). apply Z.eqb_eq in E. subst u.
  split; [tauto|]. intros [[->|I]|I]; auto.
Qed.

Lemma levels_of_in data j r : In r (rows data) -> In (value j (values r)) (levels_of data j).
Proof. intros I. apply distinct_of_in. left. unfold column. apply in_map_iff. exists r. auto. Qed.

(* A split does with the rows what a cut does, or the other way round, or sends all of them the same way. *)
Definition as_cut (data : table) (os : list named_ordering) (s : split) : Prop :=
  (exists b, forall r, In r (rows data) -> goes_left s (values r) = b) \/
  (exists o c, In o os /\
     ((forall r, In r (rows data) -> goes_left s (values r) = (rank_in o (values r) <? c)) \/
      (forall r, In r (rows data) -> goes_left s (values r) = negb (rank_in o (values r) <? c)))).

Lemma rankings_in os j o : In o (rankings_of os j) -> exists n, In n os /\ forall vs, rank_in n vs = rank_of o (value j vs).
Proof.
  intros I. apply in_map_iff in I. destruct I as (n & <- & I). apply filter_In in I. destruct I as (I & E).
  apply Nat.eqb_eq in E. exists n. split; [exact I|]. intros vs. unfold rank_in. rewrite E. reflexivity.
Qed.

(* From the levels that occur to the rows. *)
Lemma levels_as_cut data os j (set levels : Z -> bool) o c :
  In o (rankings_of os j) -> same_split (levels_of data j) levels set ->
  (map set (levels_of data j) = below c (map (rank_of o) (levels_of data j)) \/
   map set (levels_of data j) = map negb (below c (map (rank_of o) (levels_of data j)))) ->
  as_cut data os (Among j levels).
Proof.
  intros I S E. apply rankings_in in I. destruct I as (n & I & R). right. exists n, c. split; [exact I|].
  unfold below in E. rewrite !map_map in E. simpl goes_left.
  destruct S as [S|S], E as [E|E]; [left|right|right|left]; intros r J; rewrite R; apply levels_of_in with (j := j) in J;
    rewrite (S _ J), (map_eq_in _ _ _ E _ J); rewrite ?negb_involutive; reflexivity.
Qed.

Lemma wide_sound data os j levels : (forall r, In r (rows data) -> length (costs r) = classes data) -> wide data j (rankings_of os j) = true ->
  (exists v, is_frequent data j v /\ same_split (levels_of data j) levels (Z.eqb v)) \/
  (exists k num den, 0 <= k < Z.of_nat (classes data) /\ 0 < den /\
     same_split (levels_of data j) levels (at_least_share data j k num den)) ->
  as_cut data os (Among j levels).
Proof.
  intros Long W F. unfold wide in W. cbv zeta in W. set (entries := gains_by_level data j) in *. rewrite !andb_true_iff in W. destruct W as ((D & W1) & W2).
  assert (Ent : forall v, In v (levels_of data j) -> exists gs, In (v, gs) entries).
  { intros v V. apply distinct_of_in in V. destruct V as [V|[]]. apply in_map_iff in V. destruct V as (r & <- & I). apply entry_of; assumption. }
  assert (trivial : forall (set : Z -> bool) b, same_split (levels_of data j) levels set -> (forall v, In v (levels_of data j) -> set v = b) ->
    as_cut data os (Among j levels)).
  { intros set b S N. left. destruct S as [S|S]; [exists b|exists (negb b)]; intros r J; simpl;
      apply levels_of_in with (j := j) in J; rewrite S, N by exact J; reflexivity. }
  destruct F as [(v & (k & K & some & often) & S)|(k & num & den & K & Dn & S)].
  - destruct (in_dec Z.eq_dec v (map fst entries)) as [I|I].
    + apply in_map_iff in I. destruct I as ((u & gs) & E & I). simpl in E. subst u.
      rewrite forallb_forall in W1. specialize (W1 _ I). cbn [fst snd] in W1.
      destruct (entry_gains data j Long k v gs D K I) as (G & _). rewrite G in some, often. rewrite (total_gains_sum data j Long) in often by assumption.
      fold entries in often. apply orb_true_iff in W1. destruct W1 as [W1|W1].
      * exfalso. apply negb_true_iff, not_true_iff_false in W1. apply W1, existsb_exists.
        exists (at_label k gs, at_label k (sum_of_gains (classes data) entries)). split.
        -- assert (Lg : length gs = classes data) by (apply (proj2 (gains_sums data j Long (at_label k) (Z.eqb v) (at_label_adds data k)) (v, gs) I)).
           assert (La : length (sum_of_gains (classes data) entries) = classes data).
           { unfold sum_of_gains. assert (Lf : forall es a, length (fold_left (fun a (e : Z * list Z) => plus (snd e) a) es a) = length a).
             { induction es as [|e es IHe]; intros a; [reflexivity|]. simpl. rewrite IHe. apply length_plus. }
             rewrite Lf, (zeros_from _ 0), map_length, length_from. reflexivity. }
           revert K Lg La. generalize (classes data) (sum_of_gains (classes data) entries). clear. intros n all. revert k gs all.
           induction n as [|n IH]; intros k [|g gs] [|a all] K Lg La; try discriminate; [simpl in K; lia|]. simpl.
           destruct (Z.eqb_spec k 0); [auto|]. right. apply IH; simpl in *; lia.
        -- simpl. rewrite andb_true_iff, Z.ltb_lt, Z.leb_le. auto.
      * apply existsb_exists in W1. destruct W1 as (w & A & E). apply Z.eqb_eq in E. subst w. apply in_flat_map in A. destruct A as (o & O & A).
        unfold apart in A. apply in_app_or in A.
        assert (P : forall w, In w (levels_of data j) -> In w (map fst entries)) by (intros w V; apply Ent in V; destruct V as (hs & V); apply (in_map fst _ _ V)).
        destruct A as [A|A]; [apply (levels_as_cut data os j (Z.eqb v) levels o (rank_of o v + 1) O S)|apply (levels_as_cut data os j (Z.eqb v) levels o (rank_of o v) O S)];
          [left|right]; unfold below; rewrite !map_map; apply map_ext_in; intros w V; pose proof (least_apart _ _ _ A w (P w V)) as Q; cbn beta in Q;
          destruct (Z.eqb_spec v w), (Z.ltb_spec (rank_of o w) (rank_of o v + 1)), (Z.ltb_spec (rank_of o w) (rank_of o v)); simpl; auto; exfalso; subst; try lia;
          first [assert (w = v) by (apply Q; lia); congruence|assert (v = v) as R by reflexivity; apply Q in R; lia].
    + exfalso. rewrite label_gains_sum in some by assumption. fold entries in some.
      assert (Zr : forall es, ~ In v (map fst es) -> sum_at (at_label k) (Z.eqb v) es = 0).
      { induction es as [|e es IH]; intros N; [reflexivity|]. simpl in *. rewrite IH by tauto. destruct (Z.eqb_spec v (fst e)); [|reflexivity]. subst. tauto. }
      rewrite Zr in some by exact I. lia.
  - rewrite forallb_forall in W2. specialize (W2 k). assert (Ik : In k (from 0 (classes data))) by (apply in_from; lia).
    specialize (W2 Ik). set (set_ := at_least_share data j k num den) in *.
    assert (Up : forall v gs w hs, In (v, gs) entries -> In (w, hs) entries -> share_below k gs hs = true -> set_ v = true -> set_ w = true).
    { intros v gs w hs V Wh. unfold set_, at_least_share, share_below, share_leb, share. simpl.
      destruct (entry_gains data j Long k v gs D K V) as (-> & ->), (entry_gains data j Long k w hs D K Wh) as (-> & ->). rewrite !Z.leb_le. intros B A.
      apply (share_transitive num den (at_label k gs) (Z.max 1 (total gs)) (at_label k hs) (Z.max 1 (total hs))); lia. }
    apply orb_true_iff in W2. destruct W2 as [W2|W2].
    + assert (Eq : forall v gs w hs, In (v, gs) entries -> In (w, hs) entries -> share_below k gs hs = true).
      { intros v gs w hs V Wh. destruct (follows_sound (share_below k) _ (share_below_trans k) W2 (0, gs) (0, hs)) as [E|E].
        - apply in_map_iff. exists (v, gs). auto.
        - apply in_map_iff. exists (w, hs). auto.
        - inversion E. unfold share_below, share_leb; apply Z.leb_refl.
        - apply E. simpl. lia. }
      destruct (existsb set_ (levels_of data j)) eqn:X.
      * apply existsb_exists in X. destruct X as (m & M & X). apply (trivial set_ true S). intros v V.
        destruct (Ent m M) as (gm & Gm), (Ent v V) as (gv & Gv). apply (Up m gm v gv Gm Gv); [|exact X]. apply (Eq m gm v gv Gm Gv).
      * apply (trivial set_ false S). intros v V. destruct (set_ v) eqn:Y; [|reflexivity]. apply not_true_iff_false in X. destruct X. apply existsb_exists. eauto.
    + apply existsb_exists in W2. destruct W2 as (es & I & W2). apply in_map_iff in I. destruct I as (o & <- & O).
      assert (In_ : forall v gs, In (v, gs) entries -> In (rank_of o v, gs) (ranked_levels entries o)).
      { intros v gs V. eapply Permutation_in; [apply GainSort.Permuted_sort|]. apply in_map_iff. exists (v, gs). auto. }
      apply orb_true_iff in W2. destruct W2 as [W2|W2].
      * destruct (closed_is_cut (rank_of o) set_ (levels_of data j)) as [N|(c & C)].
        -- intros v w V Wl L X. destruct (Ent v V) as (gv & Gv), (Ent w Wl) as (gw & Gw). apply (Up v gv w gw Gv Gw); [|exact X].
           destruct (follows_sound (share_below k) _ (share_below_trans k) W2 _ _ (In_ v gv Gv) (In_ w gw Gw)) as [E|E]; [|apply E, L].
           inversion E. unfold share_below, share_leb; apply Z.leb_refl.
        -- apply (trivial set_ false S N).
        -- apply (levels_as_cut data os j set_ levels o c O S). right. exact C.
      * destruct (closed_is_cut (fun v => - rank_of o v) set_ (levels_of data j)) as [N|(c & C)].
        -- intros v w V Wl L X. destruct (Ent v V) as (gv & Gv), (Ent w Wl) as (gw & Gw). apply (Up v gv w gw Gv Gw); [|exact X].
           destruct (follows_sound (share_above k) _ (share_above_trans k) W2 _ _ (In_ w gw Gw) (In_ v gv Gv)) as [E|E].
           ++ inversion E. unfold share_below, share_leb; apply Z.leb_refl.
           ++ change (share_below k gv gw) with (share_above k gw gv). apply E. simpl. lia.
        -- apply (trivial set_ false S N).
        -- apply (levels_as_cut data os j set_ levels o (- c + 1) O S). left. rewrite C. unfold below. rewrite !map_map. apply map_ext. intros v.
           destruct (Z.ltb_spec (- rank_of o v) c), (Z.ltb_spec (rank_of o v) (- c + 1)); simpl; auto; lia.
Qed.

Lemma covers_column_sound data os j s : (forall r, In r (rows data) -> length (costs r) = classes data) -> covers_column data os j = true -> split_in_family data s ->
  (match s with Below i _ _ => i | Among i _ => i end) = j -> as_cut data os s.
Proof.
  intros Long H F E. unfold covers_column in H. apply orb_true_iff in H. destruct H as [H|H].
  { left. unfold column in H. destruct (rows data) as [|r rs] eqn:R; [exists true; intros ? []|].
    exists (goes_left s (values r)). simpl in H. rewrite forallb_forall in H.
    assert (A : forall r', In r' (r :: rs) -> value j (values r') = value j (values r)).
    { intros r' [<-|I]; [reflexivity|]. symmetry. apply Z.eqb_eq, H, in_map_iff. exists r'. auto. }
    intros r' I. destruct s as [i t m|i levels]; subst i; simpl; rewrite (A r' I); reflexivity. }
  destruct s as [i t m|i levels]; subst i.
  - destruct F as (_ & F). destruct (kind_of data j) as [top|]; [|congruence].
    apply andb_true_iff in H. destruct H as (B & H). rewrite forallb_forall in B.
    assert (V : forall r, In r (rows data) -> missing <= value j (values r) < top).
    { intros r I. specialize (B (value j (values r))). rewrite andb_true_iff, Z.leb_le, Z.ltb_lt in B. apply B.
      apply in_map_iff. exists r. auto. }
    unfold missing in *. destruct (existsb (Z.eqb (-1)) (column data j)) eqn:Miss.
    + apply andb_true_iff in H. destruct H as (H1 & H2). destruct m.
      * apply existsb_exists in H1. destruct H1 as (o & I & O). destruct o; try discriminate.
        apply rankings_in in I. destruct I as (n & I & R). right. exists n, (Z.max t 0). split; [exact I|]. left.
        intros r J. rewrite R. simpl. specialize (V r J). unfold missing. destruct (Z.eqb_spec (value j (values r)) (-1)) as [Q|Q].
        -- rewrite Q. symmetry. apply Z.ltb_lt. lia.
        -- destruct (Z.ltb_spec (value j (values r)) t), (Z.ltb_spec (value j (values r)) (Z.max t 0)); lia.
      * apply existsb_exists in H2. destruct H2 as (o & I & O). destruct o; try discriminate.
        apply Z.eqb_eq in O. subst rank. apply rankings_in in I. destruct I as (n & I & R). right. exists n, (Z.min t top). split; [exact I|]. left.
        intros r J. rewrite R. simpl. specialize (V r J). unfold missing. destruct (Z.eqb_spec (value j (values r)) (-1)) as [Q|Q].
        -- symmetry. apply Z.ltb_ge. lia.
        -- destruct (Z.ltb_spec (value j (values r)) t), (Z.ltb_spec (value j (values r)) (Z.min t top)); lia.
    + assert (N : forall r, In r (rows data) -> (value j (values r) =? -1) = false).
      { intros r I. apply not_true_iff_false. intros Q. apply Z.eqb_eq in Q. apply not_true_iff_false in Miss. apply Miss.
        apply existsb_exists. exists (-1). split; [|reflexivity]. rewrite <- Q. apply in_map_iff. exists r. auto. }
      apply existsb_exists in H. destruct H as (o & I & O). apply rankings_in in I. destruct I as (n & I & R).
      right. exists n, t. split; [exact I|]. left. intros r J. rewrite R. simpl. unfold missing. rewrite (N r J).
      destruct o; simpl in O; try discriminate; simpl; unfold missing; rewrite ?(N r J); reflexivity.
  - destruct F as (_ & F & G). rewrite F in H. pose proof (few_levels_eq (column data j) [] (Nat.le_0_l _)) as L. destruct (few_levels (column data j) []) as [present|].
    + destruct L as (-> & L). change (distinct_of (column data j) []) with (levels_of data j) in *. apply (full_has _ _ (map levels (levels_of data j))) in H; [|apply map_length].
      apply has_put_rankings in H. rewrite has_nothing in H. destruct H as [(o & c & I & E)|H]; [|discriminate].
      apply (levels_as_cut data os j levels levels o c I); [left; reflexivity|exact E].
    + apply wide_sound; [exact Long|exact H|]. destruct G as [G|G]; [unfold levels_of in G; lia|exact G].
Qed.

Lemma covers_sound data os s : (forall r, In r (rows data) -> length (costs r) = classes data) -> covers data os = true -> split_in_family data s -> as_cut data os s.
Proof.
  intros Long H F. unfold covers in H. rewrite forallb_forall in H. eapply covers_column_sound; [exact Long| |exact F|reflexivity].
  apply H, in_seq. destruct s; simpl in *; lia.
Qed.
