(* That the orderings of a proof hold every split of the family. *)

From Coq Require Import ZArith List Bool Lia Permutation.
From Treewright Require Import Trees Counts Checker Soundness Alike Rows Merged.
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

Definition below (c : Z) (rs : list Z) : list bool := map (fun r => r <? c) rs.

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

(* Whether a set of levels lies left or right of a cut. *)
Fixpoint matches (c : Z) (rs : list Z) (bs : list bool) : bool :=
  match rs, bs with
  | [], [] => true
  | r :: rs, b :: bs => Bool.eqb (r <? c) b && matches c rs bs
  | _, _ => false
  end.
Definition has_cut (ranked : list (list Z)) (bs : list bool) : bool :=
  let others := map negb bs in
  existsb (fun rs => existsb (fun c => matches c rs bs || matches c rs others) rs) ranked.

(* Of two pairs of a number and one that is more than 0: the first share is at most the second. *)
Definition share_leb (a b : Z * Z) : bool := fst a * snd b <=? fst b * snd a.

Definition wide (data : table) (j : nat) (present : list Z) (os : list ranking) : bool :=
  let ranked := map (fun o => map (rank_of o) present) os in
  forallb (fun k =>
    let all := total_gains data k in
    forallb (fun v =>
      let mine := label_gains data j k v in
      (mine <=? 0) || (rare * mine <? all) || has_cut ranked (map (Z.eqb v) present)) present)
    (from 0 (classes data)) &&
  forallb (fun k =>
    let shares := map (fun v => (label_gains data j k v, Z.max 1 (level_gains data j v))) present in
    forallb (fun m => forallb (share_leb m) shares || has_cut ranked (map (share_leb m) shares)) shares)
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
      let present := levels_of data j in
      if Nat.leb (length present) most_levels then full (length present) (put_rankings present mine Nothing)
      else wide data j present mine
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

Lemma matches_eq c rs : forall bs, matches c rs bs = true -> bs = below c rs.
Proof.
  induction rs as [|r rs IH]; intros [|b bs] M; simpl in M; try discriminate; [reflexivity|].
  apply andb_true_iff in M. destruct M as (E & M). apply Bool.eqb_prop in E. simpl. rewrite E. f_equal. apply IH, M.
Qed.

Lemma has_cut_eq present os bs : has_cut (map (fun o => map (rank_of o) present) os) bs = true ->
  exists o c, In o os /\ (bs = below c (map (rank_of o) present) \/ map negb bs = below c (map (rank_of o) present)).
Proof.
  intros H. apply existsb_exists in H. destruct H as (rs & I & H). apply in_map_iff in I. destruct I as (o & <- & I).
  apply existsb_exists in H. destruct H as (c & _ & H). exists o, c. split; [exact I|].
  apply orb_true_iff in H. destruct H as [H|H]; apply matches_eq in H; auto.
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

Lemma negb_list bs cs : map negb bs = cs -> bs = map negb cs.
Proof. intros <-. rewrite map_map. rewrite (map_ext _ (fun b => b)); [rewrite map_id; reflexivity|]. apply negb_involutive. Qed.

Lemma share_transitive (ca ta cb tb cc tc : Z) : 0 < ta -> 0 < tb -> 0 < tc -> ca * tb <= cb * ta -> cb * tc <= cc * tb -> ca * tc <= cc * ta.
Proof.
  intros A B C L M. apply (Z.mul_le_mono_pos_r _ _ tb B).
  apply (Z.mul_le_mono_pos_r _ _ tc C) in L. apply (Z.mul_le_mono_pos_r _ _ ta A) in M. lia.
Qed.

Lemma smallest_share (C T : Z -> Z) vs : (forall v, 0 < T v) -> vs <> [] -> exists m, In m vs /\ forall v, In v vs -> C m * T v <= C v * T m.
Proof.
  intros P. induction vs as [|v [|w vs] IH]; intros N; [congruence| |].
  - exists v. split; [simpl; auto|]. intros u [->|[]]. lia.
  - destruct IH as (m & I & L); [congruence|]. destruct (Z.le_gt_cases (C v * T m) (C m * T v)) as [Q|Q].
    + exists v. split; [simpl; auto|]. intros u [<-|J]; [lia|]. apply (share_transitive _ _ (C m) (T m)); auto.
    + exists m. split; [simpl; auto|]. intros u [<-|J]; [lia|auto].
Qed.

Lemma wide_sound data os j levels : wide data j (levels_of data j) (rankings_of os j) = true ->
  (exists v, is_frequent data j v /\ same_split (levels_of data j) levels (Z.eqb v)) \/
  (exists k num den, 0 <= k < Z.of_nat (classes data) /\ 0 < den /\
     same_split (levels_of data j) levels (at_least_share data j k num den)) ->
  as_cut data os (Among j levels).
Proof.
  intros W F. unfold wide in W. apply andb_true_iff in W. destruct W as (W1 & W2).
  assert (none : forall set, same_split (levels_of data j) levels set -> (forall v, In v (levels_of data j) -> set v = false) ->
    as_cut data os (Among j levels)).
  { intros set S N. left. destruct S as [S|S]; [exists false|exists true]; intros r J; simpl;
      apply levels_of_in with (j := j) in J; rewrite S, N by exact J; reflexivity. }
  assert (every : forall set, same_split (levels_of data j) levels set -> (forall v, In v (levels_of data j) -> set v = true) ->
    as_cut data os (Among j levels)).
  { intros set S N. left. destruct S as [S|S]; [exists true|exists false]; intros r J; simpl;
      apply levels_of_in with (j := j) in J; rewrite S, N by exact J; reflexivity. }
  assert (cut : forall set, same_split (levels_of data j) levels set ->
    has_cut (map (fun o => map (rank_of o) (levels_of data j)) (rankings_of os j)) (map set (levels_of data j)) = true ->
    as_cut data os (Among j levels)).
  { intros set S H. apply has_cut_eq in H. destruct H as (o & c & I & E). apply (levels_as_cut data os j set levels o c I S).
    destruct E as [E|E]; [auto|]. right. apply negb_list, E. }
  destruct F as [(v & (k & K & some & often) & S)|(k & num & den & K & D & S)].
  - destruct (in_dec Z.eq_dec v (levels_of data j)) as [I|I].
    + apply (cut _ S). rewrite forallb_forall in W1. assert (Ik : In k (from 0 (classes data))) by (apply in_from; lia).
      specialize (W1 k Ik). cbv zeta in W1. rewrite forallb_forall in W1. specialize (W1 v I).
      apply orb_true_iff in W1. destruct W1 as [W1|W1]; [|exact W1].
      apply orb_true_iff in W1. destruct W1 as [W1|W1]; [apply Z.leb_le in W1|apply Z.ltb_lt in W1]; lia.
    + apply (none _ S). intros w J. apply Z.eqb_neq. congruence.
  - rewrite forallb_forall in W2. specialize (W2 k). assert (Ik : In k (from 0 (classes data))) by (apply in_from; lia).
    specialize (W2 Ik). rewrite forallb_forall in W2.
    set (C := label_gains data j k) in *. set (T := fun v => Z.max 1 (level_gains data j v)).
    set (set_ := at_least_share data j k num den) in *.
    destruct (filter set_ (levels_of data j)) as [|a l] eqn:E.
    + apply (none _ S). intros v I. destruct (set_ v) eqn:V; [|reflexivity].
      assert (In v (filter set_ (levels_of data j))) by (apply filter_In; auto). rewrite E in H. destruct H.
    + destruct (smallest_share C T (filter set_ (levels_of data j))) as (m & I & L); [unfold T; lia|congruence|].
      apply filter_In in I. destruct I as (I & Sm). unfold set_, at_least_share in Sm. apply Z.leb_le in Sm. fold C in Sm. fold (T m) in Sm.
      specialize (W2 (C m, T m)).
      assert (In (C m, T m) (map (fun v => (C v, Z.max 1 (level_gains data j v))) (levels_of data j))) by (apply in_map_iff; exists m; auto).
      specialize (W2 H).
      assert (same : map set_ (levels_of data j) = map (share_leb (C m, T m)) (map (fun v => (C v, Z.max 1 (level_gains data j v))) (levels_of data j))).
      2: { rewrite <- same in W2. apply orb_true_iff in W2. destruct W2 as [W2|W2]; [|exact (cut _ S W2)].
        rewrite forallb_forall in W2. apply (every _ S). intros v V.
        assert (Q : set_ v = share_leb (C m, T m) (C v, T v)).
        { rewrite map_map in same. exact (map_eq_in _ (fun v => share_leb (C m, T m) (C v, T v)) _ same v V). }
        rewrite Q. apply W2, in_map_iff. exists v. split; [reflexivity|exact V]. }
      rewrite map_map. unfold share_leb. simpl. apply map_ext_in. intros v V.
      fold (T v). assert (Tv : 0 < T v) by (unfold T; lia). assert (Tm : 0 < T m) by (unfold T; lia).
      destruct (set_ v) eqn:Q.
      * symmetry. apply Z.leb_le. apply L. apply filter_In. auto.
      * symmetry. apply Z.leb_gt. unfold set_, at_least_share in Q. apply Z.leb_gt in Q. fold C in Q. fold (T v) in Q.
        apply Z.lt_nge. intros X. assert (num * T v <= C v * den); [|lia].
        apply (Z.mul_le_mono_pos_r _ _ (T m) Tm). apply (Z.mul_le_mono_pos_r _ _ (T v) Tv) in Sm.
        apply (Z.mul_le_mono_pos_r _ _ den D) in X. lia.
Qed.

Lemma covers_column_sound data os j s : covers_column data os j = true -> split_in_family data s ->
  (match s with Below i _ _ => i | Among i _ => i end) = j -> as_cut data os s.
Proof.
  intros H F E. unfold covers_column in H. apply orb_true_iff in H. destruct H as [H|H].
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
  - destruct F as (_ & F & G). rewrite F in H. destruct (Nat.leb_spec (length (levels_of data j)) most_levels) as [L|L].
    + apply (full_has _ _ (map levels (levels_of data j))) in H; [|apply map_length].
      apply has_put_rankings in H. rewrite has_nothing in H. destruct H as [(o & c & I & E)|H]; [|discriminate].
      apply (levels_as_cut data os j levels levels o c I); [left; reflexivity|exact E].
    + apply wide_sound; [exact H|]. destruct G as [G|G]; [lia|exact G].
Qed.

Lemma covers_sound data os s : covers data os = true -> split_in_family data s -> as_cut data os s.
Proof.
  intros H F. unfold covers in H. rewrite forallb_forall in H. eapply covers_column_sound; [|exact F|reflexivity].
  apply H, in_seq. destruct s; simpl in *; lia.
Qed.
