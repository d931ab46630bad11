(* Why what the checker accepts is true: each step of Checker.v with the lemma that it rests on, and the theorem about a part. *)

From Coq Require Import ZArith List Bool Lia Permutation Sorted.
From Treewright Require Import Trees Counts Checker.
From Treewright Require Export Stumps.
Import ListNotations.
Open Scope Z_scope.

Section Soundness.

Variable how : costing.
Variable lv : leaves.
Hypothesis lv_fair : fair how lv.
Variable price : Z.
Notation between := (between lv price).
Notation walk := (walk lv price).
Notation walk_all := (walk_all lv price).
Notation recounted := (recounted lv price).
Notation two_shares := (two_shares lv price).
Notation check_two := (check_two lv price).
Notation named_shares := (named_shares lv price).
Notation check_named := (check_named lv price).
Notation check := (check lv price).
Variable ords : list ordering.
Hypothesis price_nonneg : 0 <= price.
Notation good := (good how).
Notation at_least := (at_least how price ords).
Notation faithful := (faithful how ords).
Notation stump_sound := (stump_sound how lv lv_fair price ords price_nonneg).
Notation side_bound_sound := (side_bound_sound how lv lv_fair price ords price_nonneg).
Notation leaves_bound := (leaves_bound how lv lv_fair ords).
Notation list_of := (list_of how ords).
Notation faithful_low := (faithful_low how ords).
Notation faithful_high := (faithful_high how ords).
Notation counts_kept := (counts_kept how lv lv_fair).

(* The splits of every tree are below some share. *)
Lemma shares_cover d n a b : 0 <= a -> 0 <= b -> a + b < n -> a < power_of_two d -> b < power_of_two d ->
  exists x y, In (x, y) (shares d n) /\ a <= x /\ b <= y.
Proof.
  intros A B N P Q. unfold shares. cbv zeta. destruct (Z.leb_spec (2 * (power_of_two d - 1)) (n - 1)) as [F|F].
  - exists (power_of_two d - 1), (power_of_two d - 1). simpl. split; [auto|lia].
  - set (full := power_of_two d - 1) in *. exists (Z.max a (n - 1 - full)), (n - 1 - Z.max a (n - 1 - full)).
    split; [|lia]. apply in_map_iff. exists (Z.max a (n - 1 - full)). split; [reflexivity|]. apply in_from. lia.
Qed.

Lemma shares_below d n x y : In (x, y) (shares d n) -> x <= n - 1 /\ y <= n - 1.
Proof.
  unfold shares. cbv zeta. pose proof (power_of_two_pos d). destruct (Z.leb_spec (2 * (power_of_two d - 1)) (n - 1)) as [F|F]; intros I.
  - destruct I as [E|[]]. inversion E; subst. lia.
  - apply in_map_iff in I. destruct I as (k & E & I). inversion E; subst. apply in_from in I. lia.
Qed.

(* The cuts of an ordering. *)
Lemma profile_sorted m f held ys : forall previous n w, sorted_by f ys -> (forall y, In y ys -> previous <= f y) ->
  StronglySorted Z.lt (map fst (profile m f held ys previous n w)) /\
  (forall t, In t (map fst (profile m f held ys previous n w)) -> previous < t).
Proof.
  induction ys as [|y ys IH]; intros previous n w S P; simpl; [split; [constructor|tauto]|].
  inversion S as [|? ? S' F]; subst. rewrite Forall_forall in F.
  pose proof (P y (or_introl eq_refl)) as Py.
  destruct (IH (f y) (n + size y) (w + reach y) S' F) as (A & B).
  destruct (Z.eqb_spec (f y) previous) as [E|E], (enough m held n); simpl; try (split; [exact A|]; intros t I; apply B in I; lia).
  - split; [constructor; [exact A|apply Forall_forall; exact B]|]. intros t [<-|I]; [lia|]. apply B in I. lia.
Qed.

Lemma profile_in m f held ys : forall previous n w t, In t (map fst (profile m f held ys previous n w)) -> exists y, In y ys /\ f y = t.
Proof.
  induction ys as [|y ys IH]; intros previous n w t I; simpl in I; [destruct I|].
  destruct (_ || _); [|destruct I as [<-|I]; [exists y; simpl; auto|]]; apply IH in I; destruct I as (z & I & E); exists z; simpl; auto.
Qed.

Lemma profile_weight m f held ys : forall previous n w t v,
  sorted_by f ys -> In (t, v) (profile m f held ys previous n w) -> v = w + all_reach (low f t ys).
Proof.
  induction ys as [|y ys IH]; intros previous n w t v S I; simpl in I; [destruct I|].
  inversion S as [|? ? S' F]; subst. rewrite Forall_forall in F.
  assert (rest : In (t, v) (profile m f held ys (f y) (n + size y) (w + reach y)) -> v = w + all_reach (low f t (y :: ys))).
  { intros J. assert (f y < t).
    { apply (profile_sorted m f held ys (f y) (n + size y) (w + reach y) S' F). apply in_map_iff. exists (t, v). auto. }
    apply IH in J; [|exact S']. unfold low, all_reach in *. simpl. destruct (Z.ltb_spec (f y) t); [|lia]. rewrite sum_cons. lia. }
  destruct (_ || _); [apply rest, I|]. destruct I as [E|I]; [|apply rest, I].
  inversion E; subst. unfold low. rewrite filter_none; [unfold all_reach; rewrite sum_nil; lia|].
  intros x [<-|J]; apply Z.ltb_ge; [lia|]. apply F, J.
Qed.

Lemma profile_complete m f held ys : forall previous n w t, sorted_by f ys -> previous < t -> (exists y, In y ys /\ t <= f y) ->
  enough m held (n + all_rows (low f t ys)) = true ->
  exists t' v, In (t', v) (profile m f held ys previous n w) /\ t <= t' /\ (forall y, In y ys -> (f y <? t) = (f y <? t')).
Proof.
  induction ys as [|y ys IH]; intros previous n w t S P (z & I & Z) En; [destruct I|].
  inversion S as [|? ? S' F]; subst. rewrite Forall_forall in F. simpl.
  destruct (Z.ltb_spec (f y) t) as [L|L].
  - destruct (IH (f y) (n + size y) (w + reach y) t S' L) as (t' & v & J & T & Q).
    + exists z. destruct I as [->|I]; [lia|]. auto.
    + rewrite <- En. f_equal. unfold low, all_rows. simpl. destruct (Z.ltb_spec (f y) t); [|lia]. rewrite sum_cons. lia.
    + exists t', v. split; [destruct (_ || _); simpl; auto|]. split; [exact T|].
      intros x [<-|X]; [|apply Q, X]. destruct (Z.ltb_spec (f y) t), (Z.ltb_spec (f y) t'); lia.
  - assert (E : low f t (y :: ys) = []).
    { apply filter_none. intros x J. apply Z.ltb_ge. destruct J as [<-|J]; [exact L|]. apply F in J. lia. }
    rewrite E in En. unfold all_rows in En. rewrite sum_nil, Z.add_0_r in En. rewrite En.
    exists (f y), w. destruct (Z.eqb_spec (f y) previous); [lia|]. split; [simpl; auto|]. split; [exact L|].
    intros x X. assert (f y <= f x) by (destruct X as [<-|X]; [lia|apply F, X]).
    destruct (Z.ltb_spec (f x) t), (Z.ltb_spec (f x) (f y)); lia.
Qed.

(* What bounds at a cut mean, for limits on the trees on both sides. *)
Definition valid (m : Z) (x y : limits) (f : ordering) (ys : list item) (t : Z) (b : named) : Prop :=
  at_least m x (low f t ys) (left b) /\ at_least m y (high f t ys) (right b) /\
  at_least 0 x (low f t ys) (left_all b) /\ at_least 0 y (high f t ys) (right_all b) /\ before b = all_reach (low f t ys).

Definition bounded (m : Z) (x y : limits) (c : Z) (f : ordering) (ys : list item) (t : Z) : Prop :=
  exists l r, at_least m x (low f t ys) l /\ at_least m y (high f t ys) r /\ c <= price + l + r.

(* Cuts that leave both sides enough rows are bounded. *)
Definition all_bounded (m : Z) (x y : limits) (c : Z) (f : ordering) (ys : list item) : Prop :=
  forall t, low f t ys <> [] -> high f t ys <> [] -> m <= all_rows (low f t ys) -> m <= all_rows (high f t ys) -> bounded m x y c f ys t.

Lemma between_sound m x y c f ys a b ta tb t : good ys -> valid m x y f ys ta a -> valid m x y f ys tb b -> ta <= t <= tb ->
  between c a b (all_reach (low f t ys)) = true -> bounded m x y c f ys t.
Proof.
  intros G (_ & Ra & La & _ & Wa) (Lb & _ & _ & Rb & Wb) T B. unfold Checker.between in B. destruct (by_reach lv) eqn:Reach; apply Z.leb_le in B.
  - rewrite Wa, Wb in B. pose proof (fair_reach how lv lv_fair Reach) as Cap. eexists. eexists. split; [|split; [|exact B]].
    + apply (interval_left how) with (a := ta) (b := tb); auto.
    + apply (interval_right how) with (a := ta) (b := tb); auto.
  - exists (left_all a), (right_all b). split; [|split; [|exact B]].
    + apply (between_left how) with (a := ta); auto; lia.
    + apply (between_right how) with (b := tb); auto; lia.
Qed.

Lemma walk_sound m x y c f ys last tl : good ys -> valid m x y f ys tl last -> forall ts a ta ns,
  valid m x y f ys ta a -> (forall b, In b ns -> valid m x y f ys (rank b) b) ->
  StronglySorted Z.lt (map fst ts) -> (forall t, In t (map fst ts) -> ta <= t <= tl) ->
  (forall t w, In (t, w) ts -> w = all_reach (low f t ys)) ->
  walk c last ts a ns = true -> forall t, In t (map fst ts) -> bounded m x y c f ys t.
Proof.
  intros G Vl. induction ts as [|(t, w) ts IH]; intros a ta ns Va Vn S T W K u U; simpl in U; [destruct U|].
  simpl in K. simpl map in S. inversion S as [|? ? S' F]; subst. rewrite Forall_forall in F.
  assert (Ew : w = all_reach (low f t ys)) by (apply W; simpl; auto).
  assert (Tt : ta <= t <= tl) by (apply T; simpl; auto).
  assert (T' : forall v, In v (map fst ts) -> ta <= v <= tl) by (intros; apply T; simpl; auto).
  assert (W' : forall v x, In (v, x) ts -> x = all_reach (low f v ys)) by (intros; apply W; simpl; auto).
  destruct ns as [|b ns].
  - apply andb_true_iff in K. destruct K as (B & K). destruct U as [<-|U].
    + subst w. apply (between_sound m x y c f ys a last ta tl); auto.
    + eapply (IH a ta []); eauto.
  - assert (Vb : valid m x y f ys (rank b) b) by (apply Vn; simpl; auto).
    destruct (Z.ltb_spec t (rank b)) as [L|L].
    + apply andb_true_iff in K. destruct K as (B & K). destruct U as [<-|U].
      * subst w. apply (between_sound m x y c f ys a b ta (rank b)); auto. lia.
      * eapply (IH a ta (b :: ns)); eauto.
    + destruct (Z.eqb_spec t (rank b)) as [E|E]; [|discriminate]. apply andb_true_iff in K. destruct K as (B & K).
      destruct U as [<-|U].
      * apply Z.leb_le in B. destruct Vb as (A1 & A2 & _). subst t. exists (left b), (right b). auto.
      * eapply (IH b (rank b) ns); eauto.
        -- intros; apply Vn; simpl; auto.
        -- intros v V. specialize (F v V). specialize (T' v V). lia.
Qed.

Lemma above_all f (ys : list item) : exists t, forall y, In y ys -> f y < t.
Proof.
  induction ys as [|y ys (t & T)]; [exists 0; intros ? []|]. exists (Z.max t (f y + 1)). intros z [<-|I]; [lia|]. apply T in I. lia.
Qed.

Lemma walk_all_sound m x y c shallow f ys ns : good ys -> sorted_by f ys -> at_least m x ys shallow -> at_least m y ys shallow ->
  (forall b, In b ns -> valid m x y f ys (rank b) b) -> walk_all c shallow f ys (cuts m f ys) ns = true -> all_bounded m x y c f ys.
Proof.
  intros G S Ax Ay V K t Lo Hi Rl Rh. unfold Checker.walk_all in K.
  apply nonempty_in in Lo. destruct Lo as (lo & Lo). apply low_lt in Lo. destruct Lo as (Iu & Lu).
  apply nonempty_in in Hi. destruct Hi as (hi & Hi). apply high_ge in Hi. destruct Hi as (Iv & Lv).
  destruct (above_all f ys) as (top & Top).
  pose proof (fun z => lowest_le f ys z S) as Low.
  destruct (profile_sorted m f (all_rows ys) ys (lowest f ys) 0 0 S Low) as (Sp & Ap).
  destruct (profile_complete m f (all_rows ys) ys (lowest f ys) 0 0 t S) as (t' & v & J & T & Q);
    [specialize (Low lo Iu); lia|eauto|rewrite Z.add_0_l; apply enough_rows; auto|].
  assert (Zero : forall n z q, at_least n z (filter q ys) 0) by (intros; apply at_least_zero; auto; apply good_filter, G).
  assert (B : bounded m x y c f ys t').
  { eapply (walk_sound m x y c f ys _ top G) with (ta := lowest f ys); [| | | | | |exact K|].
    - split; [|split; [|split; [|split]]]; simpl; try apply Zero.
      + unfold low. rewrite filter_every; [exact Ax|]. intros z I. apply Z.ltb_lt, Top, I.
      + unfold low. rewrite filter_every; [reflexivity|]. intros z I. apply Z.ltb_lt, Top, I.
    - split; [|split; [|split; [|split]]]; simpl; try apply Zero.
      + unfold high. rewrite filter_every; [exact Ay|]. intros z I. apply negb_true_iff, Z.ltb_ge, Low, I.
      + unfold low. rewrite filter_none; [reflexivity|]. intros z I. apply Z.ltb_ge, Low, I.
    - exact V.
    - exact Sp.
    - intros u U. split; [apply Ap in U; lia|]. apply profile_in in U. destruct U as (z & I & <-). apply Top in I. lia.
    - intros u w I. apply profile_weight in I; [lia|exact S].
    - apply in_map_iff. exists (t', v). auto. }
  destruct B as (l & r & B1 & B2 & B3). exists l, r.
  assert (E1 : low f t ys = low f t' ys) by (apply filter_ext_in; exact Q).
  assert (E2 : high f t ys = high f t' ys) by (apply filter_ext_in; intros z I; rewrite (Q z I); reflexivity).
  rewrite E1, E2. auto.
Qed.

(* All orderings and shares together. *)
Lemma orderings_bounded m d n p c : faithful p -> (forall k, step how * c <= sum (pays how k) (base p)) ->
  (forall f ys, In (f, ys) (lists p) -> forall a b, In (a, b) (shares d n) -> all_bounded m (Limits d a) (Limits d b) c f ys) ->
  at_least m (Limits (S d) n) (base p) c.
Proof.
  intros W Lf B. pose proof W as (G & M & L). apply (at_least_step how); auto.
  intros f t I Lo Hi Rl Rh a b A0 B0 N Pa Pb. destruct (list_of p f W I) as (ys & J). destruct (L _ _ J) as (P & S).
  destruct (shares_cover d n a b A0 B0 N Pa Pb) as (x & y & In_ & Ax & By).
  destruct (B f ys J x y In_ t) as (l & r & B1 & B2 & B3).
  - intros E. apply Lo, Permutation_nil. rewrite <- E. apply filter_perm, Permutation_sym, P.
  - intros E. apply Hi, Permutation_nil. rewrite <- E. apply filter_perm, Permutation_sym, P.
  - rewrite <- (proj1 (rows_perm f t _ _ P)). exact Rl.
  - rewrite <- (proj2 (rows_perm f t _ _ P)). exact Rh.
  - exists l, r. split; [|split; [|exact B3]].
    + eapply at_least_within; [|eapply at_least_perm; [|exact B1]; apply filter_perm, Permutation_sym, P].
      intros u (U & V). split; simpl in *; lia.
    + eapply at_least_within; [|eapply at_least_perm; [|exact B2]; apply filter_perm, Permutation_sym, P].
      intros u (U & V). split; simpl in *; lia.
Qed.

Lemma no_cuts f ys t : sorted_by f ys -> cuts 0 f ys = [] -> low f t ys <> [] -> high f t ys <> [] -> False.
Proof.
  intros S E Lo Hi. apply nonempty_in in Lo. destruct Lo as (x & Lo). apply low_lt in Lo.
  apply nonempty_in in Hi. destruct Hi as (y & Hi). apply high_ge in Hi.
  destruct (profile_complete 0 f (all_rows ys) ys (lowest f ys) 0 0 t S) as (t' & v & J & _).
  - pose proof (lowest_le f ys x S (proj1 Lo)). lia.
  - exists y. exact Hi.
  - reflexivity.
  - unfold cuts in E. rewrite E in J. destruct J.
Qed.

Lemma recounted_valid m d p f ys a b t : faithful p -> In (f, ys) (lists p) ->
  valid m (Limits d a) (Limits d b) f ys t (recounted m p f ys (a, b) t).
Proof.
  intros W I. pose proof W as (G & M & L). destruct (L _ _ I) as (P & S).
  split; [|split; [|split; [|split]]]; simpl; [| | | |reflexivity];
    (eapply at_least_perm; [|apply side_bound_sound; (apply faithful_low, W || apply faithful_high, W)]; apply filter_perm, P).
Qed.

Lemma two_shares_sound m d p c shallow f ys : faithful p -> In (f, ys) (lists p) -> forall shs,
  (forall a b, In (a, b) shs -> at_least m (Limits d a) (base p) shallow /\ at_least m (Limits d b) (base p) shallow) ->
  forall s s', two_shares m p c shallow f ys (cuts m f ys) shs s = Some s' ->
  forall a b, In (a, b) shs -> all_bounded m (Limits d a) (Limits d b) c f ys.
Proof.
  intros W J. pose proof W as (G & M & L). destruct (L _ _ J) as (P & S).
  induction shs as [|(x, y) shs IH]; intros A s s' C a b I; [destruct I|].
  simpl in C. destruct s as [|n s]; [discriminate|].
  destruct (if n =? 0 then _ else _) as [(rs, s2)|]; [|discriminate].
  destruct (walk_all c shallow f ys (cuts m f ys) (map (recounted m p f ys (x, y)) rs)) eqn:K; [|discriminate].
  destruct I as [Q|I]; [|eapply IH; eauto; intros; apply A; simpl; auto]. inversion Q; subst.
  destruct (A a b (or_introl eq_refl)) as (Aa & Ab). eapply walk_all_sound; eauto.
  - eapply good_perm; eauto.
  - eapply at_least_perm; eauto.
  - eapply at_least_perm; eauto.
  - intros e B. apply in_map_iff in B. destruct B as (r & <- & _). apply recounted_valid; auto.
Qed.

Lemma check_two_sound m d p c shallow shs : faithful p ->
  (forall a b, In (a, b) shs -> at_least m (Limits d a) (base p) shallow /\ at_least m (Limits d b) (base p) shallow) ->
  forall ls s s', incl ls (lists p) -> check_two m p c shallow shs ls s = Some s' ->
  forall f ys, In (f, ys) ls -> forall a b, In (a, b) shs -> all_bounded m (Limits d a) (Limits d b) c f ys.
Proof.
  intros W A. pose proof W as (G & M & L). induction ls as [|(g, zs) ls IH]; intros s s' In_ C f ys I a b Sh; [destruct I|].
  assert (J : In (g, zs) (lists p)) by (apply In_; simpl; auto). destruct (L _ _ J) as (P & S).
  assert (In' : incl ls (lists p)) by (intros z Z; apply In_; simpl; auto).
  simpl in C. destruct (cuts 0 g zs) as [|tw ts] eqn:E.
  - destruct I as [Q|I]; [inversion Q; subst; intros t Lo Hi; exfalso; eapply no_cuts; eauto|]. eapply IH; eauto.
  - destruct (two_shares m p c shallow g zs (cuts m g zs) shs s) as [s2|] eqn:T; [|discriminate].
    destruct I as [Q|I]; [|eapply IH; eauto]. inversion Q; subst. eapply two_shares_sound; eauto.
Qed.

Lemma read_named_before m f ys s : forall n previous ns s', read_named m f ys s n previous = Some (ns, s') ->
  forall b, In b ns -> before b = all_reach (low f (rank b) ys).
Proof.
  revert s. fix IH 1. intros [|step [|l [|r s]]] n previous ns s' E b I; simpl in E;
    try (destruct (n =? 0); inversion E; subst; destruct I; fail).
  destruct (n =? 0); [inversion E; subst; destruct I|]. destruct (step <=? 0); [discriminate|].
  destruct (m =? 0).
  - destruct (read_named m f ys s (n - 1) (previous + step)) as [(ns', s2)|] eqn:R; [|discriminate].
    inversion E; subst. destruct I as [<-|I]; [reflexivity|]. eapply IH; eauto.
  - destruct s as [|l_all [|r_all s]]; try discriminate. destruct (_ && _); [|discriminate].
    destruct (read_named m f ys s (n - 1) (previous + step)) as [(ns', s2)|] eqn:R; [|discriminate].
    inversion E; subst. destruct I as [<-|I]; [reflexivity|]. eapply IH; eauto.
Qed.

(* What the proofs of named cuts show. *)
Definition sides_hold (m : Z) (d : nat) (p : part) (f : ordering) (n : Z * Z * named) : Prop :=
  let lo := low f (rank (snd n)) (base p) in
  let hi := high f (rank (snd n)) (base p) in
  at_least m (Limits d (fst (fst n))) lo (left (snd n)) /\ at_least m (Limits d (snd (fst n))) hi (right (snd n)) /\
  at_least 0 (Limits d (fst (fst n))) lo (left_all (snd n)) /\ at_least 0 (Limits d (snd (fst n))) hi (right_all (snd n)).

Lemma named_shares_sound m d p c shallow f ys : faithful p -> In (f, ys) (lists p) -> forall shs,
  (forall a b, In (a, b) shs -> at_least m (Limits d a) (base p) shallow /\ at_least m (Limits d b) (base p) shallow) ->
  forall s ns s', named_shares m c shallow f ys (cuts m f ys) shs s = Some (ns, s') -> (forall n, In n ns -> sides_hold m d p f n) ->
  forall a b, In (a, b) shs -> all_bounded m (Limits d a) (Limits d b) c f ys.
Proof.
  intros W J. pose proof W as (G & M & L). destruct (L _ _ J) as (P & S).
  induction shs as [|(x, y) shs IH]; intros A s ns s' C V a b I; [destruct I|].
  simpl in C. destruct s as [|n s]; [discriminate|]. destruct (n =? 0); [discriminate|].
  destruct (read_named m f ys s (n - 1) (lowest f ys)) as [(mine, s2)|] eqn:R; [|discriminate].
  destruct (walk_all c shallow f ys (cuts m f ys) mine) eqn:K; [|discriminate].
  destruct (named_shares m c shallow f ys (cuts m f ys) shs s2) as [(others, s3)|] eqn:O; [|discriminate].
  inversion C; subst. destruct I as [Q|I].
  - inversion Q; subst. destruct (A a b (or_introl eq_refl)) as (Aa & Ab). eapply walk_all_sound; eauto.
    + eapply good_perm; eauto.
    + eapply at_least_perm; eauto.
    + eapply at_least_perm; eauto.
    + intros e B. destruct (V (a, b, e)) as (V1 & V2 & V3 & V4); [apply in_or_app; left; apply in_map, B|]. simpl in V1, V2, V3, V4.
      split; [|split; [|split; [|split]]]; try (eapply at_least_perm; [|eassumption]; apply filter_perm, P).
      eapply read_named_before; eauto.
  - eapply IH; eauto; [intros; apply A; simpl; auto|]. intros e In_. apply V. apply in_or_app. auto.
Qed.

Lemma check_named_sound m d p c shallow shs : faithful p ->
  (forall a b, In (a, b) shs -> at_least m (Limits d a) (base p) shallow /\ at_least m (Limits d b) (base p) shallow) ->
  forall ls s ns s', incl ls (lists p) -> check_named m c shallow shs ls s = Some (ns, s') ->
  (forall f n, In (f, n) ns -> sides_hold m d p f n) ->
  forall f ys, In (f, ys) ls -> forall a b, In (a, b) shs -> all_bounded m (Limits d a) (Limits d b) c f ys.
Proof.
  intros W A. pose proof W as (G & M & L). induction ls as [|(g, zs) ls IH]; intros s ns s' In_ C V f ys I a b Sh; [destruct I|].
  assert (J : In (g, zs) (lists p)) by (apply In_; simpl; auto). destruct (L _ _ J) as (P & S).
  assert (In' : incl ls (lists p)) by (intros z Z; apply In_; simpl; auto).
  simpl in C. destruct (cuts 0 g zs) as [|tw ts] eqn:E.
  - destruct I as [Q|I]; [inversion Q; subst; intros t Lo Hi; exfalso; eapply no_cuts; eauto|]. eapply IH; eauto.
  - destruct (named_shares m c shallow g zs (cuts m g zs) shs s) as [(mine, s2)|] eqn:N; [|discriminate].
    destruct (check_named m c shallow shs ls s2) as [(others, s3)|] eqn:O; [|discriminate].
    inversion C; subst. destruct I as [Q|I].
    + inversion Q; subst. eapply named_shares_sound; eauto.
      intros e B. apply V, in_or_app. left. apply in_map, B.
    + eapply IH; eauto. intros h e B. apply V. apply in_or_app. auto.
Qed.

Section Sides.

Variable d : nat.
Variable chk : Z -> Z -> part -> Z -> stream -> option stream.
Hypothesis chk_sound : forall m n q c s s', faithful q -> chk m n q c s = Some s' -> at_least m (Limits d n) (base q) c.

(* Either the claim on all trees is the larger one, or both are proved. *)
Lemma check_side_sound m n q c c_all s s' : faithful q -> check_side chk m n q c c_all s = Some s' ->
  at_least m (Limits d n) (base q) c /\ at_least 0 (Limits d n) (base q) c_all.
Proof.
  intros W C. unfold check_side in C. destruct (Z.ltb_spec c_all c) as [L|L].
  - destruct (chk m n q c s) as [s1|] eqn:C1; [|discriminate]. split; eapply chk_sound; eauto.
  - apply chk_sound in C; [|exact W]. split; [|exact C]. eapply at_least_le; [exact L|].
    apply at_least_some; [apply W|exact C].
Qed.

Lemma check_sides_sound m p : faithful p ->
  forall ns s s', check_sides chk m p ns s = Some s' -> forall f n, In (f, n) ns -> sides_hold m d p f n.
Proof.
  intros W. induction ns as [|(g, (share, a)) ns IH]; intros s s' C f n I; [destruct I|]. simpl in C.
  destruct (check_side _ _ (fst share) _ _ _ _) as [s1|] eqn:C1; [|discriminate].
  destruct (check_side _ _ (snd share) _ _ _ _) as [s2|] eqn:C2; [|discriminate].
  destruct I as [Q|I]; [|eapply IH; eauto]. inversion Q; subst.
  apply check_side_sound in C1; [|apply faithful_low, W]. apply check_side_sound in C2; [|apply faithful_high, W].
  destruct C1, C2. repeat split; assumption.
Qed.

End Sides.

(* No more splits than the depth allows. *)
Lemma at_least_full m d n xs c : at_least m (Limits d (Z.min n (power_of_two d - 1))) xs c -> at_least m (Limits d n) xs c.
Proof.
  apply at_least_within. intros t (D & N). simpl in *. pose proof (splits_depth t). pose proof (power_of_two_le _ _ D). split; simpl; lia.
Qed.

Theorem check_sound : forall d m n p c s s', faithful p -> check d m n p c s = Some s' -> at_least m (Limits d n) (base p) c.
Proof.
  induction d as [|d IH]; intros m n p c s s' W C; pose proof W as (G & _ & _); apply at_least_full; cbn [check] in C;
    (set (k := Z.min n _) in *); cbv zeta in C.
  - destruct (Z.leb_spec c (trivial lv price (k + 1) (all_reach (base p)) (counts (kept lv) (base p)))) as [T|T];
      [|destruct (_ <? c); discriminate].
    rewrite counts_kept in T by exact G. eapply at_least_le; [exact T|]. apply (fair_trivial how lv lv_fair); auto.
  - destruct (Z.leb_spec c (trivial lv price (k + 1) (all_reach (base p)) (counts (kept lv) (base p)))) as [T|T].
    { rewrite counts_kept in T by exact G. eapply at_least_le; [exact T|]. apply (fair_trivial how lv lv_fair); auto. }
    clear T. destruct (all_reach (base p) - leaf_gain lv (counts (kept lv) (base p)) <? c) eqn:L; [discriminate|].
    pose proof (leaves_bound p c W L) as Lf.
    destruct (Z.leb_spec k 0) as [K0|K0]; [discriminate|].
    destruct (Z.eqb_spec k 1) as [K1|K1].
    { destruct (Z.leb_spec c (stump lv price m p)) as [T|T]; [|discriminate].
      eapply at_least_le; [exact T|]. eapply at_least_within; [|apply stump_sound, W]. intros t (_ & N). simpl in N.
      pose proof (depth_splits t). split; simpl; lia. }
    destruct ((k =? 2) || Nat.eqb d 1) eqn:Two.
    + apply orderings_bounded; auto. eapply check_two_sound; eauto; [|intros z Z; exact Z].
      assert (Few : forall a b, In (a, b) (shares d k) -> a <= 1 /\ b <= 1).
      { intros a b I. apply orb_true_iff in Two. destruct Two as [E|E].
        - apply Z.eqb_eq in E. pose proof (shares_below d k a b I). lia.
        - apply Nat.eqb_eq in E. subst d. unfold shares in I. cbv zeta in I. cbn [power_of_two] in I.
          destruct (Z.leb_spec (2 * (2 * 1 - 1)) (k - 1)) as [F|F].
          + destruct I as [E|[]]. inversion E; subst. lia.
          + apply in_map_iff in I. destruct I as (j & E & I). inversion E; subst. apply in_from in I. lia. }
      intros a b I. apply Few in I.
      split; (eapply at_least_within; [|apply stump_sound, W]; intros t (_ & N); simpl in N; pose proof (depth_splits t); split; simpl; lia).
    + destruct s as [|shallow s]; [discriminate|].
      destruct (check d m (k - 1) p shallow s) as [s1|] eqn:C1; [|discriminate].
      destruct (check_named m c shallow (shares d k) (lists p) s1) as [(ns, s2)|] eqn:C2; [|discriminate].
      apply orderings_bounded; auto. eapply check_named_sound; eauto.
      * intros a b I. pose proof (shares_below d k a b I). pose proof (IH _ _ _ _ _ _ W C1) as A.
        split; (eapply at_least_within; [|exact A]; intros t (D & N); split; simpl in *; lia).
      * intros z Z; exact Z.
      * eapply check_sides_sound; eauto.
Qed.

End Soundness.
