(* Parts with a list for each ordering, and that the stump that is recounted costs no more than any tree of one split. *)

From Coq Require Import ZArith List Bool Lia Permutation Sorted.
From Treewright Require Import Trees Counts Checker.
Import ListNotations.
Open Scope Z_scope.

Section Stumps.

Variable classes : nat.
Variable price : Z.
Variable ords : list ordering.
Hypothesis price_nonneg : 0 <= price.
Notation good := (good classes).
Notation at_least := (at_least price ords).

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

Lemma leaves_bound p c : faithful p -> all_reach (base p) - most (counts classes (base p)) <? c = false ->
  forall k, c <= sum (err k) (base p).
Proof.
  intros (G & _) L k. apply Z.ltb_ge in L. rewrite counts_eq in L by exact G. pose proof (leaf_bound classes k (base p) G). lia.
Qed.

(* A leaf on each side of a cut. *)
Lemma leaf_at_least m d n xs : d = O \/ n = 0 -> good xs -> at_least m (Limits d n) xs (all_reach xs - most (counted classes xs)).
Proof.
  intros Z G t _ (D & N) _. simpl in D, N. pose proof (depth_splits t). destruct t; simpl in D, N, H; [|exfalso; lia].
  unfold cost, errors. simpl splits.
  change (fun x => err (predict (Leaf label) x) x) with (err label).
  pose proof (leaf_bound classes label xs G) as B. lia.
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

Lemma most_rest_eq xs ys (p q : item -> bool) :
  most_rest (counted classes xs) (counted classes ys) = most (map (fun k => count k xs - count k ys) (from 0 classes)).
Proof. unfold counted. induction (from 0 classes) as [|k ks IH]; simpl; [reflexivity|]. rewrite IH. reflexivity. Qed.

Lemma scan_sound m f held all t ys : forall pre previous n r,
  good (ys ++ pre) -> sorted_by f ys -> previous < t -> (exists y, In y ys /\ t <= f y) -> enough m held (n + all_rows (low f t ys)) = true ->
  most (counted classes (low f t ys ++ pre)) + most_rest all (counted classes (low f t ys ++ pre))
  <= scan m f held all ys previous n (counted classes pre) r.
Proof.
  induction ys as [|y ys IH]; intros pre previous n r G S P (z & I & Z) En; [destruct I|].
  inversion S as [|? ? S' F]; subst. simpl scan.
  rewrite plus_counted by (apply G; simpl; auto).
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

Theorem stump_sound m p : faithful p -> at_least m (Limits 1 1) (base p) (stump classes price m p).
Proof.
  intros W. pose proof W as (G & M & L). apply (at_least_step classes); auto.
  - intros k. pose proof (leaf_bound classes k (base p) G). unfold stump, side_bound. cbv zeta. rewrite counts_eq by exact G.
    unfold one_side. simpl. lia.
  - intros f t I Lo Hi Rl Rh a b _ _ _ _ _. destruct (list_of p f W I) as (ys & J). destruct (L _ _ J) as (P & S).
    pose proof (good_perm _ _ _ P G) as Gy.
    exists (all_reach (low f t (base p)) - most (counted classes (low f t (base p)))),
           (all_reach (high f t (base p)) - most (counted classes (high f t (base p)))).
    split; [apply leaf_at_least; auto; apply good_filter, G|]. split; [apply leaf_at_least; auto; apply good_filter, G|].
    unfold stump, side_bound. cbv zeta. rewrite counts_eq by exact G. unfold one_side. simpl.
    destruct (scan_all_sound m (all_rows (base p)) (zeros classes) (counted classes (base p)) (lists p) 0 f ys J) as (r & Sc).
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
    rewrite E in B. rewrite most_rest_eq in B by exact (fun _ => true).
    assert (R : map (fun k => count k (base p) - count k (low f t (base p))) (from 0 classes) = counted classes (high f t (base p))).
    { apply map_ext. intros k. rewrite (counted_split f t (base p) k). lia. }
    rewrite R in B. pose proof (weight_high f t (base p)). lia.
Qed.

Lemma side_bound_sound m d n p : faithful p -> at_least m (Limits d n) (base p) (side_bound classes price m n p).
Proof.
  intros W. pose proof W as (G & _). destruct (Z.eqb_spec n 0) as [->|N0]; [|destruct (Z.eqb_spec n 1) as [->|N1]].
  - unfold side_bound, one_side. simpl. rewrite counts_eq by exact G. apply leaf_at_least; auto.
  - eapply at_least_within; [|apply stump_sound, W]. intros t (_ & N). simpl in N. pose proof (depth_splits t). split; simpl; lia.
  - unfold side_bound, one_side. cbv zeta. destruct (Z.eqb_spec n 0); [lia|]. destruct (Z.eqb_spec n 1); [lia|].
    apply (at_least_zero classes); auto.
Qed.

End Stumps.
