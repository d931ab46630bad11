(* The checker of a proof about rows of codes: what the proof says, and that it holds. *)

From Coq Require Import ZArith List Bool Lia Permutation.
From Treewright Require Import Trees Counts Checker Soundness Alike Rows Merged Family.
Import ListNotations.
Open Scope Z_scope.

(* A proof. Its price and its bound are in steps of the grid, of which 2^grid make a unit. *)
Record proof := Proof {
  levels : nat;                      (* of splits, at most *)
  few : option Z;                    (* of trees with at most so many splits; else of any number *)
  least_rows : Z;                    (* of trees with at least so many rows in each leaf *)
  grid : nat;
  price : Z;
  bound : Z;                         (* of what is not lost by every tree *)
  orderings : list named_ordering;
  body : stream
}.

Definition steps (p : proof) : Z := power_of_two (grid p).

(* The rows with their costs in steps. *)
Definition in_steps (p : proof) (data : table) : table :=
  Table (kinds data) (map (fun r => Row (values r) (map (Z.mul (steps p)) (costs r))) (rows data)) (classes data).

Definition splits_allowed (p : proof) : Z :=
  match few p with
  | Some n => n
  | None => power_of_two (levels p) - 1
  end.

(* The trees that the proof speaks of. *)
Definition spoken_of (data : table) (p : proof) (t : raw_tree) : Prop :=
  (raw_depth t <= levels p)%nat /\ match few p with Some n => raw_splits t <= n | None => True end /\
  raw_fits (least_rows p) t (rows data).

(* What is lost by every tree counts too. *)
Definition proved_bound (data : table) (p : proof) : Z := bound p + lost (in_steps p data).

(* The cost of a tree, in steps. *)
Definition tree_cost (data : table) (p : proof) (t : raw_tree) : Z :=
  steps p * raw_loss t (rows data) + price p * raw_splits t.

Definition verify (data : table) (p : proof) : bool :=
  (0 <=? price p) && well_formed data && covers data (orderings p) &&
  let items := items_of (least_rows p) (orderings p) (groups_of (in_steps p data)) in
  let part := distinct_orderings (whole (all_orderings (orderings p)) items) in
  match check (leaves_of_labels (classes data)) (price p) (levels p) (least_rows p) (splits_allowed p) part (bound p) (body p) with
  | Some [] => true
  | _ => false
  end.

(* The rows on one side, as single items. *)
Lemma filter_singles os (q : item -> bool) (g : row -> bool) rs : (forall r, In r rs -> q (single os r) = g r) ->
  filter q (map (single os) rs) = map (single os) (filter g rs).
Proof.
  induction rs as [|r rs IH]; intros E; [reflexivity|]. simpl. rewrite E by (simpl; auto).
  rewrite IH by (intros; apply E; simpl; auto). destruct (g r); reflexivity.
Qed.

(* A tree of the family as a tree of cuts. *)
Lemma tree_of_cuts data os m t : (forall r, In r (rows data) -> length (costs r) = classes data) -> covers data os = true -> splits_in_family data t ->
  forall rs, incl rs (rows data) -> raw_fits m t rs ->
  exists u, in_orderings (all_orderings os) u /\ (depth u <= raw_depth t)%nat /\ splits u <= raw_splits t /\
    fits m u (map (single os) rs) /\
    forall r, In r rs -> forall x, ranks x = ranks_of os (values r) -> predict u x = raw_predict t (values r).
Proof.
  intros Long H. induction t as [k|s l IHl r IHr]; intros F rs N T.
  - exists (Leaf k). simpl in *. repeat split; auto; try lia.
    replace (all_rows (map (single os) rs)) with (Z.of_nat (length rs)); [exact T|]. clear. unfold all_rows.
    induction rs as [|r rs IH]; [reflexivity|]. simpl map. rewrite sum_cons, <- IH. simpl length. simpl size. lia.
  - destruct F as (Fs & Fl & Fr), T as (Tl & Tr).
    set (lo := filter (fun q => goes_left s (values q)) rs) in *. set (hi := filter (fun q => negb (goes_left s (values q))) rs) in *.
    destruct (IHl Fl lo) as (ul & Il & Dl & Sl & Ul & Pl); [intros q Q; apply filter_In in Q; apply N, Q|exact Tl|].
    destruct (IHr Fr hi) as (ur & Ir & Dr & Sr & Ur & Pr); [intros q Q; apply filter_In in Q; apply N, Q|exact Tr|].
    pose proof (splits_nonneg ul). pose proof (splits_nonneg ur).
    assert (P : forall q, In q rs -> forall x, ranks x = ranks_of os (values q) ->
      (if goes_left s (values q) then predict ul x else predict ur x) = raw_predict (RNode s l r) (values q)).
    { intros q Q x X. simpl. destruct (goes_left s (values q)) eqn:E; [apply (Pl q)|apply (Pr q)]; auto; apply filter_In; rewrite E; auto. }
    destruct (covers_sound data os s Long H Fs) as [(b & B)|(o & c & I & B)].
    + destruct b; [exists ul|exists ur]; simpl; (repeat split; [auto|lia|lia| |]).
      * unfold lo in Ul. rewrite <- (filter_singles os (fun _ => true) (fun q => goes_left s (values q))) in Ul
          by (intros; symmetry; apply B, N; auto).
        rewrite filter_every in Ul by reflexivity. exact Ul.
      * intros q Q x X. etransitivity; [|apply (P q Q x X)]. rewrite (B q (N q Q)). reflexivity.
      * unfold hi in Ur. rewrite <- (filter_singles os (fun _ => true) (fun q => negb (goes_left s (values q)))) in Ur
          by (intros q Q; rewrite (B q (N q Q)); reflexivity).
        rewrite filter_every in Ur by reflexivity. exact Ur.
      * intros q Q x X. etransitivity; [|apply (P q Q x X)]. rewrite (B q (N q Q)). reflexivity.
    + apply ordering_of in I. destruct I as (path & I & L).
      assert (In_ : In (ordering_at path) (all_orderings os)) by (apply in_map, I).
      assert (R : forall q x, ranks x = ranks_of os (values q) -> ordering_at path x = rank_in o (values q)).
      { intros q x X. unfold ordering_at. rewrite X. apply L. }
      destruct B as [B|B]; [exists (Node (ordering_at path) c ul ur)|exists (Node (ordering_at path) c ur ul)]; simpl;
        (repeat split; auto; [lia|lia| | |]).
      * unfold low. rewrite (filter_singles os _ (fun q => goes_left s (values q))); [exact Ul|].
        intros q Q. rewrite (R q (single os q) eq_refl), (B q (N q Q)). reflexivity.
      * unfold high. rewrite (filter_singles os _ (fun q => negb (goes_left s (values q)))); [exact Ur|].
        intros q Q. rewrite (R q (single os q) eq_refl), (B q (N q Q)). reflexivity.
      * intros q Q x X. etransitivity; [|apply (P q Q x X)]. rewrite (R q x X), (B q (N q Q)). reflexivity.
      * unfold low. rewrite (filter_singles os _ (fun q => negb (goes_left s (values q)))); [exact Ur|].
        intros q Q. rewrite (R q (single os q) eq_refl), (B q (N q Q)), negb_involutive. reflexivity.
      * unfold high. rewrite (filter_singles os _ (fun q => goes_left s (values q))); [exact Ul|].
        intros q Q. rewrite (R q (single os q) eq_refl), (B q (N q Q)). reflexivity.
      * intros q Q x X. etransitivity; [|apply (P q Q x X)]. rewrite (R q x X), (B q (N q Q)).
        destruct (rank_in o (values q) <? c); reflexivity.
Qed.

Lemma predict_is_label data t : in_family data t -> forall vs, 0 <= raw_predict t vs < Z.of_nat (classes data).
Proof.
  induction t as [k|s l IHl r IHr]; intros F vs; simpl in *; [exact F|]. destruct F as (_ & Fl & Fr). destruct (goes_left s vs); auto.
Qed.

Lemma loss_in_steps p data t : (forall r, In r (rows data) -> length (costs r) = classes data) -> in_family data t ->
  raw_loss t (rows (in_steps p data)) = steps p * raw_loss t (rows data).
Proof.
  intros L F. unfold raw_loss. simpl. induction (rows data) as [|r rs IH]; simpl; [lia|]. rewrite IH by (intros; apply L; simpl; auto).
  rewrite at_label_map; [lia|]. rewrite L by (simpl; auto). apply predict_is_label, F.
Qed.

(* Rows as items. *)
Lemma rows_as_items data m os t u : (forall vs, 0 <= raw_predict t vs < Z.of_nat (classes data)) ->
  (forall r, In r (rows data) -> sane (classes data) (one_row r)) ->
  (forall r, In r (rows data) -> forall x, ranks x = ranks_of os (values r) -> predict u x = raw_predict t (values r)) ->
  errors u (items_of m os (groups_of data)) + lost data <= raw_loss t (rows data) /\ good (of_labels (classes data)) (items_of m os (groups_of data)).
Proof.
  intros F W P. pose proof (RowSort.Permuted_sort (rows data)) as Perm.
  assert (In_ : forall q, In q (RowSort.sort (rows data)) -> In q (rows data)) by
    (intros; eapply Permutation_in; [apply Permutation_sym, Perm|auto]).
  assert (S : forall g, In g (groups_of data) -> sane (classes data) g /\ exists r, In r (rows data) /\ fst (fst g) = values r).
  { unfold groups_of. destruct (RowSort.sort (rows data)) as [|r rs]; [intros ? []|]. intros g I. split.
    - eapply gather_sane; [| | |exact I].
      + intros q Q. apply W, In_. simpl. auto.
      + apply (W r), In_. simpl. auto.
      + intros ? [].
    - eapply (gather_values (fun vs => exists r, In r (rows data) /\ vs = values r)); [| | |exact I].
      + intros q Q. exists q. split; [apply In_; simpl; auto|reflexivity].
      + exists r. split; [apply In_; simpl; auto|reflexivity].
      + intros ? []. }
  split; [|apply items_good; intros g I; apply S, I].
  assert (M : errors u (items_of m os (groups_of data)) + lost data <= all_groups (raw_predict t) (groups_of data)).
  { apply (items_errors (classes data) (raw_predict t) F u); [intros g I; apply S, I|].
    intros vs cs n I x X. destruct (S _ I) as (_ & r & J & V). simpl in V. subst vs. apply P; auto. }
  etransitivity; [exact M|]. apply Z.eq_le_incl. unfold raw_loss. rewrite (sum_rows_perm _ _ _ Perm). unfold groups_of.
  destruct (RowSort.sort (rows data)) as [|r rs]; [reflexivity|].
  rewrite (gather_cost (classes data)); [|apply (W r), In_; simpl; auto|intros q Q; apply (W q), In_; simpl; auto].
  simpl. unfold of_group. simpl. lia.
Qed.

(* No tree of the family with at most as many levels of splits and splits as the proof says, and at least as many rows in each leaf, costs
   less than the proof's bound. *)
Theorem verify_sound : forall (data : table) (p : proof), verify data p = true ->
  forall t : raw_tree, in_family data t -> spoken_of data p t -> proved_bound data p <= tree_cost data p t.
Proof.
  intros data p H t F (D & N & T). unfold verify in H. rewrite !andb_true_iff in H. destruct H as (((P & W) & C) & K). cbv zeta in K.
  apply Z.leb_le in P. destruct (check _ _ _ _ _ _ _ _) as [[|]|] eqn:E in K; try discriminate. clear K.
  unfold well_formed in W. rewrite forallb_forall in W. pose proof (power_of_two_pos (grid p)) as Sp. fold (steps p) in Sp.
  assert (L : forall r, In r (rows data) -> length (costs r) = classes data).
  { intros r I. specialize (W r I). apply andb_true_iff in W. apply Nat.eqb_eq, W. }
  destruct (tree_of_cuts data (orderings p) (least_rows p) t L C (family_splits data t F) (rows data) (incl_refl _) T) as (u & Iu & Du & Su & Tu & Pu).
  destruct (rows_as_items (in_steps p data) (least_rows p) (orderings p) t u) as (M & G).
  - exact (predict_is_label data t F).
  - intros r I. apply in_map_iff in I. destruct I as (q & <- & I). split; [|split]; simpl; [rewrite map_length; apply L, I| |lia].
    specialize (W q I). apply andb_true_iff in W. destruct W as (_ & W). rewrite forallb_forall in W.
    intros c J. apply in_map_iff in J. destruct J as (d & <- & J). specialize (W d J). apply Z.leb_le in W. apply Z.mul_nonneg_nonneg; lia.
  - intros r I x X. apply in_map_iff in I. destruct I as (q & <- & I). simpl in *. apply Pu; auto.
  - simpl classes in G. pose proof (whole_faithful _ (all_orderings (orderings p)) _ G) as Wh. set (how := of_labels (classes data)) in *.
    pose proof (check_sound how (leaves_of_labels (classes data)) (labels_fair _) (price p) _ P _ _ _ _ _ _ _ (distinct_faithful _ _ _ Wh) E) as B. simpl base in B.
    apply (at_least_all how (price p) P (all_orderings (orderings p)) (whole _ _)) in B; [|exact Wh].
    specialize (B u Iu). assert (H : within (Limits (levels p) (splits_allowed p)) u).
    { split; simpl; [lia|]. unfold splits_allowed. destruct (few p) as [n|]; [lia|]. pose proof (splits_depth u).
      assert (depth u <= levels p)%nat as Du' by lia. pose proof (power_of_two_le _ _ Du'). lia. }
    specialize (B H). simpl base in B.
    assert (Tu' : fits (least_rows p) u (items_of (least_rows p) (orderings p) (groups_of (in_steps p data)))).
    { destruct (Z.eq_dec (least_rows p) 0) as [Z0|Z0]; [rewrite Z0 in *; eapply fits_zero, G|].
      apply fits_merged; auto. simpl. rewrite map_map. exact Tu. }
    specialize (B Tu'). unfold cost in B. simpl base in B. change (step how) with 1 in B. rewrite !Z.mul_1_l in B.
    change (paid how u) with (errors u) in B.
    rewrite loss_in_steps in M by auto. unfold proved_bound, tree_cost.
    assert (price p * splits u <= price p * raw_splits t) by (apply Z.mul_le_mono_nonneg_l; lia). lia.
Qed.
