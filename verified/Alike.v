(* Orderings that sort the items like another one, or in reverse, add no cut. A proof's body leaves them out. *)

From Coq Require Import ZArith List Bool Lia Permutation Sorted.
From Treewright Require Import Trees Counts Checker Soundness.
Import ListNotations.
Open Scope Z_scope.

(* ys is sorted by f: whether g sorts it in the same way. *)
Fixpoint alike (f g : ordering) (ys : list item) : bool :=
  match ys with
  | x :: rest =>
      match rest with
      | y :: _ => (if f x =? f y then g x =? g y else g x <? g y) && alike f g rest
      | [] => true
      end
  | [] => true
  end.

Definition reversed (g : ordering) : ordering := fun x => - g x.

Definition one_rank (f : ordering) (ys : list item) : bool :=
  match ys with
  | [] => true
  | y :: rest => forallb (fun x => f x =? f y) rest
  end.

Definition known (f : ordering) (ys : list item) (kept : list (ordering * list item)) : bool :=
  existsb (fun g => alike f (fst g) ys || alike f (reversed (fst g)) ys) kept.

(* In order; `kept` are those before, the last one first. *)
Fixpoint keep (ls kept : list (ordering * list item)) : list (ordering * list item) :=
  match ls with
  | [] => rev kept
  | (f, ys) :: rest => if one_rank f ys || known f ys kept then keep rest kept else keep rest ((f, ys) :: kept)
  end.

Definition distinct_orderings (p : part) : part := Part (base p) (keep (lists p) []).

Lemma alike_head f g ys : forall x, sorted_by f (x :: ys) -> alike f g (x :: ys) = true ->
  forall z, In z ys -> (f x = f z /\ g x = g z) \/ (f x < f z /\ g x < g z).
Proof.
  induction ys as [|y ys IH]; intros x S A z I; [destruct I|].
  inversion S as [|? ? S' F]; subst. cbn [alike] in A. apply andb_true_iff in A. destruct A as (B & A).
  rewrite Forall_forall in F. pose proof (F y (or_introl eq_refl)) as L.
  assert (XY : (f x = f y /\ g x = g y) \/ (f x < f y /\ g x < g y)).
  { destruct (Z.eqb_spec (f x) (f y)); [apply Z.eqb_eq in B|apply Z.ltb_lt in B]; lia. }
  destruct I as [<-|I]; [exact XY|]. specialize (IH y S' A z I). lia.
Qed.

Lemma alike_cut f g t ys : sorted_by f ys -> alike f g ys = true -> exists c, forall y, In y ys -> (f y <? t) = (g y <? c).
Proof.
  induction ys as [|x ys IH]; intros S A; [exists 0; intros ? []|].
  pose proof (alike_head f g ys x S A) as H. inversion S as [|? ? S' F]; subst.
  assert (A' : alike f g ys = true).
  { destruct ys; [reflexivity|]. cbn [alike] in A. apply andb_true_iff in A. apply A. }
  destruct (Z.ltb_spec (f x) t) as [L|L].
  - destruct ys as [|y ys].
    + exists (g x + 1). intros z [<-|[]]. destruct (Z.ltb_spec (f x) t), (Z.ltb_spec (g x) (g x + 1)); lia.
    + destruct (Z.ltb_spec (f y) t) as [M|M].
      * destruct (IH S' A') as (c & C). exists c. intros z [<-|I]; [|apply C, I].
        specialize (C y (or_introl eq_refl)). specialize (H y (or_introl eq_refl)).
        destruct (Z.ltb_spec (f y) t), (Z.ltb_spec (g y) c), (Z.ltb_spec (f x) t), (Z.ltb_spec (g x) c); lia.
      * exists (g y). pose proof (H y (or_introl eq_refl)) as Hy.
        intros z [<-|[<-|I]].
        -- destruct (Z.ltb_spec (f x) t), (Z.ltb_spec (g x) (g y)); lia.
        -- destruct (Z.ltb_spec (f y) t), (Z.ltb_spec (g y) (g y)); lia.
        -- pose proof (alike_head f g ys y S' A' z I). destruct (Z.ltb_spec (f z) t), (Z.ltb_spec (g z) (g y)); lia.
  - exists (g x). intros z [<-|I].
    + destruct (Z.ltb_spec (f x) t), (Z.ltb_spec (g x) (g x)); lia.
    + specialize (H z I). destruct (Z.ltb_spec (f z) t), (Z.ltb_spec (g z) (g x)); lia.
Qed.

(* A cut of f does what one of fs does, or the other way round, or nothing. *)
Definition cut_of (fs : list ordering) (xs : list item) (f : ordering) (t : Z) : Prop :=
  (exists b, forall x, In x xs -> (f x <? t) = b) \/
  (exists g c, In g fs /\
     ((forall x, In x xs -> (f x <? t) = (g x <? c)) \/ (forall x, In x xs -> (f x <? t) = negb (g x <? c)))).

Lemma keep_kept ls : forall kept h, In h kept -> In h (keep ls kept).
Proof.
  induction ls as [|(f, ys) ls IH]; intros kept h I; simpl; [apply in_rev in I; exact I|].
  destruct (_ || _); apply IH; simpl; auto.
Qed.

Lemma keep_from ls : forall kept h, In h (keep ls kept) -> In h ls \/ In h kept.
Proof.
  induction ls as [|(f, ys) ls IH]; intros kept h I; simpl in I; [right; apply in_rev; exact I|].
  destruct (_ || _); apply IH in I; simpl in *; tauto.
Qed.

Lemma keep_cuts xs ls : forall kept,
  (forall f ys, In (f, ys) ls -> Permutation xs ys /\ sorted_by f ys) ->
  forall f ys t, In (f, ys) ls -> cut_of (map fst (keep ls kept)) xs f t.
Proof.
  induction ls as [|(g, zs) ls IH]; intros kept P f ys t I; [destruct I|].
  assert (P' : forall f ys, In (f, ys) ls -> Permutation xs ys /\ sorted_by f ys) by (intros; apply P; simpl; auto).
  simpl keep. destruct I as [E|I]; [|destruct (_ || _); eapply IH; eauto].
  inversion E; subst. destruct (P f ys (or_introl eq_refl)) as (Q & S).
  destruct (one_rank f ys || known f ys kept) eqn:K.
  - apply orb_true_iff in K. destruct K as [K|K].
    + left. destruct ys as [|y ys]; [exists true; intros x X; apply (Permutation_in _ Q) in X; destruct X|].
      exists (f y <? t). intros x X. apply (Permutation_in _ Q) in X. simpl in K. rewrite forallb_forall in K.
      destruct X as [<-|X]; [reflexivity|]. apply K, Z.eqb_eq in X. rewrite X. reflexivity.
    + right. apply existsb_exists in K. destruct K as ((h & ws) & J & K). simpl in K. exists h.
      assert (In h (map fst (keep ls kept))) by (apply in_map_iff; exists (h, ws); split; [reflexivity|apply keep_kept, J]).
      apply orb_true_iff in K. destruct K as [K|K]; destruct (alike_cut _ _ t _ S K) as (c & C).
      * exists c. split; [assumption|]. left. intros x X. apply C. eapply Permutation_in; eauto.
      * exists (1 - c). split; [assumption|]. right. intros x X. rewrite C by (eapply Permutation_in; eauto). unfold reversed.
        destruct (Z.ltb_spec (- h x) c), (Z.ltb_spec (h x) (1 - c)); simpl; lia.
  - right. exists f, t. split; [|left; reflexivity]. apply in_map_iff. exists (f, ys). split; [reflexivity|]. apply keep_kept. simpl. auto.
Qed.

Section Kept.

Variable w : costing.
Variable price : Z.
Hypothesis price_nonneg : 0 <= price.

(* Some of the items. *)
Lemma cut_of_some fs xs ys f t : incl ys xs -> cut_of fs xs f t -> cut_of fs ys f t.
Proof.
  intros N [(b & B)|(g & c & I & [B|B])]; [left; exists b|right; exists g, c; split; [exact I|left]|right; exists g, c; split; [exact I|right]];
    intros; apply B, N; assumption.
Qed.

Lemma tree_of_kept m all fs t : forall xs, (forall f c, In f all -> cut_of fs xs f c) -> in_orderings all t -> fits m t xs ->
  exists u, in_orderings fs u /\ (depth u <= depth t)%nat /\ splits u <= splits t /\ fits m u xs /\
    forall x, In x xs -> predict u x = predict t x.
Proof.
  induction t as [k|f c l IHl r IHr]; intros xs H F T.
  - exists (Leaf k). simpl in *. repeat split; auto; lia.
  - destruct F as (Ff & Fl & Fr), T as (Tl & Tr).
    destruct (IHl (low f c xs)) as (ul & Il & Dl & Sl & Ul & Pl); auto;
      [intros g b I; apply (cut_of_some _ xs); [apply incl_filter|auto]|].
    destruct (IHr (high f c xs)) as (ur & Ir & Dr & Sr & Ur & Pr); auto;
      [intros g b I; apply (cut_of_some _ xs); [apply incl_filter|auto]|].
    pose proof (splits_nonneg ul). pose proof (splits_nonneg ur).
    assert (P : forall x, In x xs -> (if f x <? c then predict ul x else predict ur x) = predict (Node f c l r) x).
    { intros x X. simpl. destruct (f x <? c) eqn:E; [apply Pl|apply Pr]; apply filter_In; rewrite E; auto. }
    destruct (H f c Ff) as [(b & B)|(g & a & I & B)].
    + destruct b; [exists ul|exists ur]; simpl; (repeat split; [auto|lia|lia| |]).
      * replace xs with (low f c xs); [exact Ul|]. apply filter_every, B.
      * intros x X. etransitivity; [|apply (P x X)]. rewrite (B x X). reflexivity.
      * replace xs with (high f c xs); [exact Ur|]. apply filter_every. intros x X. rewrite (B x X). reflexivity.
      * intros x X. etransitivity; [|apply (P x X)]. rewrite (B x X). reflexivity.
    + destruct B as [B|B]; [exists (Node g a ul ur)|exists (Node g a ur ul)]; simpl; (repeat split; auto; [lia|lia| | |]).
      * replace (low g a xs) with (low f c xs); [exact Ul|]. apply filter_ext_in, B.
      * replace (high g a xs) with (high f c xs); [exact Ur|]. apply filter_ext_in. intros x X. rewrite (B x X). reflexivity.
      * intros x X. etransitivity; [|apply (P x X)]. rewrite (B x X). reflexivity.
      * replace (low g a xs) with (high f c xs); [exact Ur|]. apply filter_ext_in. intros x X. rewrite (B x X), negb_involutive. reflexivity.
      * replace (high g a xs) with (low f c xs); [exact Ul|]. apply filter_ext_in, B.
      * intros x X. etransitivity; [|apply (P x X)]. rewrite (B x X). destruct (g x <? a); reflexivity.
Qed.

Lemma at_least_all all p m d c : faithful w all p ->
  at_least w price (map fst (keep (lists p) [])) m d (base p) c -> at_least w price all m d (base p) c.
Proof.
  intros (G & M & L) A t F D T.
  destruct (tree_of_kept m all (map fst (keep (lists p) [])) t (base p)) as (u & Iu & Du & Su & Tu & Pu); auto.
  - intros f b I. rewrite <- M in I. apply in_map_iff in I. destruct I as ((g & ys) & E & I). simpl in E. subst g.
    eapply keep_cuts; eauto.
  - specialize (A u Iu). assert (H : within d u) by (destruct D; split; lia). specialize (A H Tu). unfold cost, paid in *.
    rewrite (sum_ext (fun x => pays w (predict t x) x) (fun x => pays w (predict u x) x)) by (intros x X; rewrite (Pu x X); reflexivity).
    pose proof (step_pos w).
    assert (step w * (price * splits u) <= step w * (price * splits t)) by (repeat apply Z.mul_le_mono_nonneg_l; lia). lia.
Qed.

Lemma distinct_faithful all p : faithful w all p -> faithful w (map fst (keep (lists p) [])) (distinct_orderings p).
Proof.
  intros (G & M & L). split; [exact G|]. split; [reflexivity|]. simpl. intros f ys I. apply keep_from in I. destruct I as [I|[]]. auto.
Qed.

End Kept.
