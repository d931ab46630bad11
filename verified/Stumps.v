(* Parts with a list for each ordering, and that the stump that is recounted costs no more than any tree of one split. *)

From Coq Require Import ZArith List Bool Lia Permutation Sorted.
From Treewright Require Import Trees Counts Checker.
Import ListNotations.
Open Scope Z_scope.

(* When what the checker counts for leaves is right for a costing. *)
Record fair (w : costing) (lv : leaves) : Prop := Fair {
  fair_kept : kept lv = width w;
  fair_gain : forall k xs, good w xs -> step w * (all_reach xs - leaf_gain lv (counted (width w) xs)) <= sum (pays w k) xs;
  fair_both : forall xs ys zs, (forall k, count k xs = count k ys + count k zs) ->
    leaf_gain lv (counted (width w) ys) + leaf_gain lv (counted (width w) zs) <= gain_both lv (counted (width w) xs) (counted (width w) ys);
  fair_trivial : forall price ords m d n xs, 0 <= price -> good w xs ->
    at_least w price ords m (Limits d n) xs (trivial lv price (n + 1) (all_reach xs) (counted (width w) xs));
  fair_reach : by_reach lv = true -> capped w
}.

Section Stumps.

Variable w : costing.
Variable lv : leaves.
Hypothesis lv_fair : fair w lv.
Variable price : Z.
Variable ords : list ordering.
Hypothesis price_nonneg : 0 <= price.
Notation classes := (width w).
Notation good := (good w).
Notation at_least := (at_least w price ords).
Notation scan := (scan lv).
Notation scan_all := (scan_all lv).
Notation gain := (leaf_gain lv).

Lemma counts_kept xs : good xs -> counts (kept lv) xs = counted classes xs.
Proof. intros G. rewrite (fair_kept w lv lv_fair). apply counts_eq, G. Qed.

Definition sorted_by (f : ordering) (ys : list item) : Prop := StronglySorted (fun x y => f x <= f y) ys.

Definition faithful (p : part) : Prop :=
  good (base p) /\ map fst (lists p) = ords /\
  (forall f ys, In (f, ys) (lists p) -> Permutation (base p) ys /\ sorted_by f ys).

Lemma sorted_filter f (q : item -> bool) ys : sorted_by f ys -> sorted_by f (filter q ys).
Proof.
  induction 1 as [|y ys S IH F]; simpl; [constructor|]. destruct (q y); [|exact IH].
  constructor; [exact IH|]. rewrite Forall_forall in *. intros z I. apply filter_In in I. apply F, I.
Qed.

Lemma faithful_filter (q : item -> bool) p : faithful p ->
  faithful (Part (filter q (base p)) (map (fun l => (fst l, filter q (snd l))) (lists p))).
Proof.
  intros (G & M & L). split; [apply good_filter, G|]. split; simpl.
  - rewrite map_map. simpl. exact M.
  - intros f ys I. apply in_map_iff in I. destruct I as ((f', ys') & E & I). simpl in E. inversion E; subst.
    destruct (L _ _ I) as (P & S). split; [apply filter_perm, P|apply sorted_filter, S].
Qed.

Lemma faithful_low f t p : faithful p -> faithful (low_side f t p).
Proof. apply (faithful_filter (fun x => f x <? t)). Qed.

Lemma faithful_high f t p : faithful p -> faithful (high_side f t p).
Proof. apply (faithful_filter (fun x => negb (f x <? t))). Qed.

Lemma leaves_bound p c : faithful p -> all_reach (base p) - gain (counts (kept lv) (base p)) <? c = false ->
  forall k, step w * c <= sum (pays w k) (base p).
Proof.
  intros (G & _) L k. apply Z.ltb_ge in L. rewrite counts_kept in L by exact G. pose proof (fair_gain w lv lv_fair k (base p) G).
  pose proof (step_pos w). etransitivity; [apply Z.mul_le_mono_nonneg_l; [lia|exact L]|assumption].
Qed.

(* A leaf on each side of a cut. *)
Lemma leaf_at_least m d n xs : d = O \/ n = 0 -> good xs -> at_least m (Limits d n) xs (all_reach xs - gain (counted classes xs)).
Proof.
  intros Z G t _ (D & N) _. simpl in D, N. pose proof (depth_splits t). destruct t; simpl in D, N, H; [|exfalso; lia].
  unfold cost, paid. simpl splits.
  change (fun x => pays w (predict (Leaf label) x) x) with (pays w label).
  pose proof (fair_gain w lv lv_fair label xs G) as B. lia.
Qed.

Lemma scan_more m f held all ys : forall previous n cs r, r <= scan m f held all ys previous n cs r.
Proof.
  induction ys as [|y ys IH]; intros previous n cs r; simpl; [lia|].
  etransitivity; [|apply IH]. destruct (_ || _); lia.
Qed.

Lemma scan_all_more m held zero all ls : forall r, r <= scan_all m held zero all ls r.
Proof.
  induction ls as [|(f, ys) ls IH]; intros r; simpl; [lia|]. etransitivity; [|apply IH]. apply scan_more.
Qed.

Lemma scan_sound m f held all t ys : forall pre previous n r,
  good (ys ++ pre) -> sorted_by f ys -> previous < t -> (exists y, In y ys /\ t <= f y) -> enough m held (n + all_rows (low f t ys)) = true ->
  gain_both lv all (counted classes (low f t ys ++ pre))
  <= scan m f held all ys previous n (counted classes pre) r.
Proof.
  induction ys as [|y ys IH]; intros pre previous n r G S P (z & I & Z) En; [destruct I|].
  inversion S as [|? ? S' F]; subst. simpl scan.
  rewrite (plus_counted w) by (apply G; simpl; auto).
  destruct (Z.ltb_spec (f y) t) as [L|L].
  - assert (E : counted classes (low f t (y :: ys) ++ pre) = counted classes (low f t ys ++ y :: pre)).
    { unfold low. simpl. destruct (Z.ltb_spec (f y) t); [|lia]. apply counted_perm. simpl. apply Permutation_middle. }
    rewrite E. apply IH; auto.
    + intros x J. apply G. rewrite in_app_iff in *. simpl in *. tauto.
    + exists z. split; [|exact Z]. destruct I as [->|I]; [lia|exact I].
    + rewrite <- En. f_equal. unfold low, all_rows. simpl. destruct (Z.ltb_spec (f y) t); [|lia]. rewrite sum_cons. lia.
  - assert (E : low f t (y :: ys) = []).
    { apply filter_none. intros x J. apply Z.ltb_ge. destruct J as [<-|J]; [exact L|]. rewrite Forall_forall in F. apply F in J. lia. }
    rewrite E in *. unfold all_rows in En. rewrite sum_nil, Z.add_0_r in En. rewrite En. simpl.
    destruct (Z.eqb_spec (f y) previous); [lia|]. etransitivity; [|apply scan_more]. simpl. lia.
Qed.

Lemma scan_all_sound m held zero all ls r f ys : In (f, ys) ls ->
  exists r', scan m f held all ys (lowest f ys - 1) 0 zero r' <= scan_all m held zero all ls r.
Proof.
  revert r. induction ls as [|(g, zs) ls IH]; intros r I; [destruct I|]. simpl. destruct I as [E|I].
  - inversion E; subst. exists r. apply scan_all_more.
  - apply IH, I.
Qed.

Lemma lowest_le f ys x : sorted_by f ys -> In x ys -> lowest f ys <= f x.
Proof.
  intros S I. destruct S as [|y ys S F]; [destruct I|]. simpl. destruct I as [->|I]; [lia|].
  rewrite Forall_forall in F. apply F, I.
Qed.

Lemma list_of p f : faithful p -> In f ords -> exists ys, In (f, ys) (lists p).
Proof.
  intros (_ & M & _) I. rewrite <- M in I. apply in_map_iff in I. destruct I as ((g, ys) & E & I). simpl in E. subst. eauto.
Qed.

Lemma nonempty_in (xs : list item) : xs <> [] -> exists x, In x xs.
Proof. destruct xs as [|x xs]; [congruence|]. intros _. exists x. simpl. auto. Qed.

Lemma low_lt f t xs x : In x (low f t xs) -> In x xs /\ f x < t.
Proof. intros I. apply filter_In in I. rewrite Z.ltb_lt in I. exact I. Qed.

Lemma high_ge f t xs x : In x (high f t xs) -> In x xs /\ t <= f x.
Proof. intros I. apply filter_In in I. rewrite negb_true_iff, Z.ltb_ge in I. exact I. Qed.

Lemma counted_split f t xs k : count k xs = count k (low f t xs) + count k (high f t xs).
Proof. apply (sum_split _ (fun x => f x <? t)). Qed.

Lemma enough_rows m f t xs : m <= all_rows (low f t xs) -> m <= all_rows (high f t xs) -> enough m (all_rows xs) (all_rows (low f t xs)) = true.
Proof.
  intros L H. unfold enough. pose proof (rows_split f t xs). apply orb_true_iff. right. apply andb_true_iff. rewrite !Z.leb_le. lia.
Qed.

Lemma rows_perm f t xs ys : Permutation xs ys ->
  all_rows (low f t xs) = all_rows (low f t ys) /\ all_rows (high f t xs) = all_rows (high f t ys).
Proof. intros P. split; apply sum_perm, filter_perm, P. Qed.

Theorem stump_sound m p : faithful p -> at_least m (Limits 1 1) (base p) (stump lv price m p).
Proof.
  intros W. pose proof W as (G & M & L). apply (at_least_step w); auto.
  - intros k. pose proof (fair_gain w lv lv_fair k (base p) G) as B. unfold stump, side_bound. cbv zeta. rewrite counts_kept by exact G.
    unfold one_side. simpl. pose proof (step_pos w). etransitivity; [apply Z.mul_le_mono_nonneg_l; [lia|apply Z.le_min_l]|exact B].
  - intros f t I Lo Hi Rl Rh a b _ _ _ _ _. destruct (list_of p f W I) as (ys & J). destruct (L _ _ J) as (P & S).
    pose proof (good_perm _ _ _ P G) as Gy.
    exists (all_reach (low f t (base p)) - gain (counted classes (low f t (base p)))),
           (all_reach (high f t (base p)) - gain (counted classes (high f t (base p)))).
    split; [apply leaf_at_least; auto; apply good_filter, G|]. split; [apply leaf_at_least; auto; apply good_filter, G|].
    unfold stump, side_bound. cbv zeta. rewrite counts_kept by exact G. unfold one_side. simpl.
    destruct (scan_all_sound m (all_rows (base p)) (zeros (kept lv)) (counted classes (base p)) (lists p) 0 f ys J) as (r & Sc).
    apply nonempty_in in Lo. destruct Lo as (x & Lo). apply low_lt in Lo.
    apply nonempty_in in Hi. destruct Hi as (y & Hi). apply high_ge in Hi.
    pose proof (scan_sound m f (all_rows (base p)) (counted classes (base p)) t ys [] (lowest f ys - 1) 0 r) as B.
    rewrite !app_nil_r in B. specialize (B Gy S).
    assert (B1 : lowest f ys - 1 < t).
    { assert (In x ys) by (eapply Permutation_in; [exact P|apply Lo]). pose proof (lowest_le f ys x S H). lia. }
    specialize (B B1).
    assert (B2 : exists y, In y ys /\ t <= f y).
    { exists y. split; [eapply Permutation_in; [exact P|apply Hi]|apply Hi]. }
    specialize (B B2). rewrite Z.add_0_l, <- (proj1 (rows_perm f t _ _ P)) in B. specialize (B (enough_rows m f t (base p) Rl Rh)).
    rewrite counted_nil in B.
    assert (E : counted classes (low f t ys) = counted classes (low f t (base p))).
    { apply counted_perm, Permutation_sym, filter_perm, P. }
    rewrite E in B. pose proof (fair_both w lv lv_fair (base p) (low f t (base p)) (high f t (base p)) (counted_split f t (base p))) as R.
    rewrite (fair_kept w lv lv_fair) in Sc |- *. pose proof (weight_high f t (base p)). lia.
Qed.

Lemma side_bound_sound m d n p : faithful p -> at_least m (Limits d n) (base p) (side_bound lv price m n p).
Proof.
  intros W. pose proof W as (G & _). destruct (Z.eqb_spec n 0) as [->|N0]; [|destruct (Z.eqb_spec n 1) as [->|N1]].
  - unfold side_bound, one_side. simpl. rewrite counts_kept by exact G. apply leaf_at_least; auto.
  - eapply at_least_within; [|apply stump_sound, W]. intros t (_ & N). simpl in N. pose proof (depth_splits t). split; simpl; lia.
  - unfold side_bound, one_side. cbv zeta. destruct (Z.eqb_spec n 0); [lia|]. destruct (Z.eqb_spec n 1); [lia|].
    apply at_least_zero; auto.
Qed.

End Stumps.

(* Labels. *)
Lemma most_rest_eq classes xs ys :
  most_rest (counted classes xs) (counted classes ys) = most (map (fun k => count k xs - count k ys) (from 0 classes)).
Proof. unfold counted. induction (from 0 classes) as [|k ks IH]; simpl; [reflexivity|]. rewrite IH. reflexivity. Qed.

Theorem labels_fair classes : fair (of_labels classes) (leaves_of_labels classes).
Proof.
  split.
  - reflexivity.
  - intros k xs G. change (step (of_labels classes)) with 1. rewrite Z.mul_1_l. apply (leaf_bound classes k xs G).
  - intros xs ys zs E. simpl. rewrite most_rest_eq. apply Z.add_le_mono_l, Z.eq_le_incl. f_equal. apply map_ext. intros k. rewrite E. lia.
  - intros price ords m d n xs P G. apply (trivial_bound_sound classes price ords P m d n xs G).
  - intros _. apply labels_capped.
Qed.
