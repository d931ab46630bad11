(* The checker that is run accepts what the plain one accepts, and the theorem about it. *)

From Coq Require Import ZArith List Bool Lia Permutation Sorted.
From Treewright Require Import Trees Counts Checker Soundness Alike Rows Merged Family Verify Fast.
Import ListNotations.
Open Scope Z_scope.

Section Scans.

Variable lv : leaves.
Notation scan := (scan lv).
Notation scan_all := (scan_all lv).
Notation fast_scan := (fast_scan lv).
Notation fast_scan_all := (fast_scan_all lv).
Notation fast_scan_within := (fast_scan_within lv).
Notation fast_scan_all_within := (fast_scan_all_within lv).
Notation fast_side_bound := (fast_side_bound lv).
Notation scan_step := (scan_step lv).
Notation scan_many := (scan_many lv).
Notation scan_many_all := (scan_many_all lv).

(* One cut at a time: both sides of the cut at t of the ordering `path`. *)
Fixpoint scan_both (path : list bool) (t : Z) (all_low all_high : list Z) (es : list entry)
  (previous_low : Z) (cs_low : list Z) (right_low : Z) (previous_high : Z) (cs_high : list Z) (right_high : Z) : Z * Z :=
  match es with
  | [] => (right_low, right_high)
  | (r, y) :: rest =>
      if look path (ranks y) <? t then
        scan_both path t all_low all_high rest r (plus (gains y) cs_low)
          (if r =? previous_low then right_low else Z.max right_low (gain_both lv all_low cs_low))
          previous_high cs_high right_high
      else
        scan_both path t all_low all_high rest previous_low cs_low right_low r (plus (gains y) cs_high)
          (if r =? previous_high then right_high else Z.max right_high (gain_both lv all_high cs_high))
  end.

Fixpoint scan_both_all (path : list bool) (t : Z) (zero all_low all_high : list Z) (ls : list (list bool * list entry))
  (right_low right_high : Z) : Z * Z :=
  match ls with
  | [] => (right_low, right_high)
  | (_, es) :: rest =>
      let before := first_rank es - 1 in
      let (right_low, right_high) := scan_both path t all_low all_high es before zero right_low before zero right_high in
      scan_both_all path t zero all_low all_high rest right_low right_high
  end.

(* What is the same as before. *)
Definition erase_list (l : list bool * list entry) : ordering * list item := (ordering_at (fst l), map snd (snd l)).
Definition erase (p : fast_part) : part := Part (fast_base p) (map erase_list (fast_lists p)).

Definition proper_list (l : list bool * list entry) : Prop :=
  (forall e, In e (snd l) -> fst e = ordering_at (fst l) (snd e)) /\ sorted_by (ordering_at (fst l)) (map snd (snd l)).
Definition proper (p : fast_part) : Prop := forall l, In l (fast_lists p) -> proper_list l.

Lemma erase_below path t es : map snd (entries_below path t es) = low (ordering_at path) t (map snd es).
Proof.
  unfold low, ordering_at. induction es as [|e es IH]; simpl; [reflexivity|]. destruct (_ <? t); simpl; congruence.
Qed.

Lemma erase_above path t es : map snd (entries_above path t es) = high (ordering_at path) t (map snd es).
Proof.
  unfold high, ordering_at. induction es as [|e es IH]; simpl; [reflexivity|]. destruct (_ <? t); simpl; congruence.
Qed.

Lemma below_in path t es e : In e (entries_below path t es) -> In e es.
Proof. induction es as [|f es IH]; simpl; [tauto|]. destruct (_ <? t); simpl; tauto. Qed.

Lemma above_in path t es e : In e (entries_above path t es) -> In e es.
Proof. induction es as [|f es IH]; simpl; [tauto|]. destruct (_ <? t); simpl; tauto. Qed.

Lemma erase_low path t p : erase (fast_low path t p) = low_side (ordering_at path) t (erase p).
Proof.
  unfold erase, fast_low, low_side. simpl. f_equal. rewrite !map_map. apply map_ext. intros (q, es). unfold erase_list. simpl.
  rewrite erase_below. reflexivity.
Qed.

Lemma erase_high path t p : erase (fast_high path t p) = high_side (ordering_at path) t (erase p).
Proof.
  unfold erase, fast_high, high_side. simpl. f_equal. rewrite !map_map. apply map_ext. intros (q, es). unfold erase_list. simpl.
  rewrite erase_above. reflexivity.
Qed.

Lemma proper_low path t p : proper p -> proper (fast_low path t p).
Proof.
  intros P l I. apply in_map_iff in I. destruct I as ((q, es) & <- & I). destruct (P _ I) as (C & S). split; simpl in *.
  - intros e J. apply C. eapply below_in, J.
  - rewrite erase_below. apply sorted_filter, S.
Qed.

Lemma proper_high path t p : proper p -> proper (fast_high path t p).
Proof.
  intros P l I. apply in_map_iff in I. destruct I as ((q, es) & <- & I). destruct (P _ I) as (C & S). split; simpl in *.
  - intros e J. apply C. eapply above_in, J.
  - rewrite erase_above. apply sorted_filter, S.
Qed.

Lemma first_rank_eq q es : proper_list (q, es) -> first_rank es = lowest (ordering_at q) (map snd es).
Proof. intros (C & _). destruct es as [|e es]; simpl; [reflexivity|]. apply C. simpl. auto. Qed.

Lemma proper_rest q r y es : proper_list (q, (r, y) :: es) -> r = ordering_at q y /\ proper_list (q, es).
Proof.
  intros (C & S). simpl in *. split; [apply (C (r, y)); auto|]. split; simpl; [intros; apply C; auto|]. inversion S; auto.
Qed.

(* Without a limit numbers of rows do not matter. *)
Lemma fast_scan_eq q held all es : forall previous n cs right, proper_list (q, es) ->
  fast_scan all es previous cs right = scan 0 (ordering_at q) held all (map snd es) previous n cs right.
Proof.
  induction es as [|(r, y) es IH]; intros previous n cs right P; simpl; [reflexivity|].
  apply proper_rest in P. destruct P as (-> & P). rewrite orb_false_r. apply IH, P.
Qed.

Lemma fast_scan_all_eq held zero all ls : forall right, (forall l, In l ls -> proper_list l) ->
  fast_scan_all zero all ls right = scan_all 0 held zero all (map erase_list ls) right.
Proof.
  induction ls as [|(q, es) ls IH]; intros right P; simpl; [reflexivity|].
  pose proof (P _ (or_introl eq_refl)) as Q. rewrite (fast_scan_eq q held _ _ _ 0 _ _ Q), (first_rank_eq _ _ Q).
  apply IH. intros; apply P; simpl; auto.
Qed.

Lemma fast_scan_within_eq m q held all es : forall previous n cs right, proper_list (q, es) ->
  fast_scan_within m held all es previous n cs right = scan m (ordering_at q) held all (map snd es) previous n cs right.
Proof.
  induction es as [|(r, y) es IH]; intros previous n cs right P; simpl; [reflexivity|].
  apply proper_rest in P. destruct P as (-> & P). apply IH, P.
Qed.

Lemma fast_scan_all_within_eq m held zero all ls : forall right, (forall l, In l ls -> proper_list l) ->
  fast_scan_all_within m held zero all ls right = scan_all m held zero all (map erase_list ls) right.
Proof.
  induction ls as [|(q, es) ls IH]; intros right P; simpl; [reflexivity|].
  pose proof (P _ (or_introl eq_refl)) as Q. rewrite (fast_scan_within_eq m q _ _ _ _ _ _ _ Q), (first_rank_eq _ _ Q).
  apply IH. intros; apply P; simpl; auto.
Qed.

Lemma fast_side_bound_eq price m n p : proper p -> fast_side_bound price m n p = side_bound lv price m n (erase p).
Proof.
  intros P. unfold fast_side_bound, side_bound. simpl. destruct (Z.eqb_spec m 0) as [->|_].
  - rewrite (fast_scan_all_eq (all_rows (fast_base p))) by exact P. reflexivity.
  - rewrite fast_scan_all_within_eq by exact P. reflexivity.
Qed.

Lemma scan_begin m f held all ys n cs right p q : (forall y, In y ys -> p < f y) -> (forall y, In y ys -> q < f y) ->
  scan m f held all ys p n cs right = scan m f held all ys q n cs right.
Proof.
  destruct ys as [|y ys]; intros P Q; [reflexivity|]. simpl. specialize (P y (or_introl eq_refl)). specialize (Q y (or_introl eq_refl)).
  destruct (Z.eqb_spec (f y) p); [lia|]. destruct (Z.eqb_spec (f y) q); [lia|]. reflexivity.
Qed.

Lemma scan_both_eq path t hl hh al ah q es : forall pl nl cl rl ph nh ch rh, proper_list (q, es) ->
  scan_both path t al ah es pl cl rl ph ch rh =
  (scan 0 (ordering_at q) hl al (low (ordering_at path) t (map snd es)) pl nl cl rl,
   scan 0 (ordering_at q) hh ah (high (ordering_at path) t (map snd es)) ph nh ch rh).
Proof.
  unfold low, high. induction es as [|(r, y) es IH]; intros pl nl cl rl ph nh ch rh P; simpl; [reflexivity|].
  apply proper_rest in P. destruct P as (E & P). change (ordering_at path y) with (look path (ranks y)).
  destruct (look path (ranks y) <? t); simpl; rewrite orb_false_r; subst r; apply IH, P.
Qed.

Lemma scan_both_all_eq path t hl hh zero al ah ls : forall rl rh, (forall l, In l ls -> proper_list l) ->
  scan_both_all path t zero al ah ls rl rh =
  (scan_all 0 hl zero al (map (fun l => (fst l, low (ordering_at path) t (snd l))) (map erase_list ls)) rl,
   scan_all 0 hh zero ah (map (fun l => (fst l, high (ordering_at path) t (snd l))) (map erase_list ls)) rh).
Proof.
  induction ls as [|(q, es) ls IH]; intros rl rh P; simpl; [reflexivity|].
  pose proof (P _ (or_introl eq_refl)) as Q. pose proof Q as (_ & S). simpl in S.
  rewrite (scan_both_eq _ _ hl hh _ _ q _ _ 0 _ _ _ 0 _ _ Q). rewrite IH by (intros; apply P; simpl; auto).
  rewrite (first_rank_eq _ _ Q). unfold erase_list. simpl fst. simpl snd.
  assert (L : forall z, sorted_by (ordering_at q) z -> (forall y, In y z -> In y (map snd es)) ->
    forall held all cs r, scan 0 (ordering_at q) held all z (lowest (ordering_at q) (map snd es) - 1) 0 cs r =
                          scan 0 (ordering_at q) held all z (lowest (ordering_at q) z - 1) 0 cs r).
  { intros z Sz I held all cs r. apply scan_begin; intros y J.
    - pose proof (lowest_le _ _ _ S (I y J)). lia.
    - pose proof (lowest_le _ _ _ Sz J). lia. }
  rewrite (L (low (ordering_at path) t (map snd es))); [|apply sorted_filter, S|intros y J; apply filter_In in J; apply J].
  rewrite (L (high (ordering_at path) t (map snd es))); [|apply sorted_filter, S|intros y J; apply filter_In in J; apply J].
  reflexivity.
Qed.

(* All cuts at once are scanned as one after the other. *)
Fixpoint scan_one (path : list bool) (es : list entry) (s : scanned) : scanned :=
  match es with
  | [] => s
  | (r, y) :: rest => scan_one path rest (scan_step (look path (ranks y)) r y s)
  end.

Lemma scan_many_eq path es : forall ss, scan_many path es ss = map (scan_one path es) ss.
Proof.
  induction es as [|(r, y) es IH]; intros ss; simpl; [rewrite map_id; reflexivity|]. rewrite IH, map_map. reflexivity.
Qed.

Definition of_cut (s : scanned) : Z * Z * Z * list Z * list Z := (at_ s, reach_low s, reach_high s, all_low s, all_high s).

Lemma scan_one_eq path es : forall s, of_cut (scan_one path es s) = of_cut s /\
  (right_low (scan_one path es s), right_high (scan_one path es s)) =
  scan_both path (at_ s) (all_low s) (all_high s) es (previous_low s) (cs_low s) (right_low s) (previous_high s) (cs_high s) (right_high s).
Proof.
  induction es as [|(r, y) es IH]; intros s; simpl; [auto|].
  unfold scan_step. destruct (look path (ranks y) <? at_ s); match goal with |- context [scan_one path es ?x] => apply (IH x) end.
Qed.

Fixpoint scan_one_all (path : list bool) (zero : list Z) (ls : list (list bool * list entry)) (s : scanned) : scanned :=
  match ls with
  | [] => s
  | (_, es) :: rest => scan_one_all path zero rest (scan_one path es (restart zero (first_rank es - 1) s))
  end.

Lemma scan_many_all_eq path zero ls : forall ss, scan_many_all path zero ls ss = map (scan_one_all path zero ls) ss.
Proof.
  induction ls as [|(q, es) ls IH]; intros ss; simpl; [rewrite map_id; reflexivity|]. rewrite IH, scan_many_eq, !map_map. reflexivity.
Qed.

Lemma scan_one_all_eq path zero ls : forall s, of_cut (scan_one_all path zero ls s) = of_cut s /\
  (right_low (scan_one_all path zero ls s), right_high (scan_one_all path zero ls s)) =
  scan_both_all path (at_ s) zero (all_low s) (all_high s) ls (right_low s) (right_high s).
Proof.
  induction ls as [|(q, es) ls IH]; intros s; simpl; [auto|].
  destruct (scan_one_eq path es (restart zero (first_rank es - 1) s)) as (C & R). simpl in R. rewrite <- R.
  destruct (IH (scan_one path es (restart zero (first_rank es - 1) s))) as (C' & R'). rewrite C', R'. rewrite C.
  unfold of_cut in C. simpl in C. inversion C as [[A Rl Rh L H]]. rewrite A, L, H. auto.
Qed.

End Scans.

Lemma counts_both_eq path t xs : forall cl ch,
  counts_both path t xs cl ch = (counts_onto (low (ordering_at path) t xs) cl, counts_onto (high (ordering_at path) t xs) ch).
Proof.
  unfold low, high. induction xs as [|x xs IH]; intros cl ch; simpl; [reflexivity|].
  change (ordering_at path x) with (look path (ranks x)). destruct (look path (ranks x) <? t); simpl; apply IH.
Qed.

Lemma reach_both_eq path t xs : forall a b,
  reach_both path t xs a b = (sum_onto reach (low (ordering_at path) t xs) a, sum_onto reach (high (ordering_at path) t xs) b).
Proof.
  unfold low, high. induction xs as [|x xs IH]; intros a b; simpl; [reflexivity|].
  change (ordering_at path x) with (look path (ranks x)). destruct (look path (ranks x) <? t); simpl; apply IH.
Qed.

Lemma reach_below_eq t q es : forall w, proper_list (q, es) ->
  reach_below t es w = sum_onto reach (low (ordering_at q) t (map snd es)) w.
Proof.
  unfold low. induction es as [|(r, y) es IH]; intros w P; simpl; [reflexivity|].
  apply proper_rest in P. destruct P as (-> & P). rewrite IH by exact P. destruct (ordering_at q y <? t); reflexivity.
Qed.

Lemma reach_sum_eq es : forall w, reach_sum es w = sum_onto reach (map snd es) w.
Proof. induction es as [|(r, y) es IH]; intros w; simpl; [reflexivity|]. apply IH. Qed.

Lemma fast_profile_eq q held es : forall previous n w, proper_list (q, es) ->
  fast_profile es previous w = profile 0 (ordering_at q) held (map snd es) previous n w.
Proof.
  induction es as [|(r, y) es IH]; intros previous n w P; simpl; [reflexivity|].
  apply proper_rest in P. destruct P as (-> & P). rewrite (IH _ (n + size y)) by exact P. rewrite orb_false_r. reflexivity.
Qed.

Lemma fast_cuts_eq q es : proper_list (q, es) -> fast_cuts es = cuts 0 (ordering_at q) (map snd es).
Proof. intros P. unfold fast_cuts, cuts. rewrite (fast_profile_eq q (all_rows (map snd es)) _ _ 0 _ P), (first_rank_eq _ _ P). reflexivity. Qed.

Section Same.

Variable lv : leaves.
Variable price : Z.

Definition one_recounted (p : fast_part) (path : list bool) (es : list entry) (share : Z * Z) (t : Z) : named :=
  let zero := zeros (kept lv) in
  let (all_low, all_high) := reach_both path t (fast_base p) 0 0 in
  let (cs_low, cs_high) := counts_both path t (fast_base p) zero zero in
  let (right_low, right_high) := scan_both_all lv path t zero cs_low cs_high (fast_lists p) 0 0 in
  named_for_all t (reach_below t es 0)
    (one_side (fst share) (all_low - leaf_gain lv cs_low) (price + all_low - right_low))
    (one_side (snd share) (all_high - leaf_gain lv cs_high) (price + all_high - right_high)).

Lemma one_recounted_eq p q es share t : proper p -> proper_list (q, es) ->
  one_recounted p q es share t = recounted lv price 0 (erase p) (ordering_at q) (map snd es) share t.
Proof.
  intros P Q. unfold one_recounted, recounted, named_for_all, side_bound, counts, all_reach, sum. simpl. rewrite reach_both_eq, counts_both_eq.
  rewrite (scan_both_all_eq lv _ _ (all_rows (low (ordering_at q) t (fast_base p))) (all_rows (high (ordering_at q) t (fast_base p)))) by exact P.
  rewrite (reach_below_eq t q es 0 Q). reflexivity.
Qed.

Lemma fast_recounted_eq p path es share ts : fast_recounted lv price p path es share ts = map (one_recounted p path es share) ts.
Proof.
  unfold fast_recounted. rewrite scan_many_all_eq, !map_map. apply map_ext. intros t. unfold scan_end, one_recounted, scan_start.
  destruct (reach_both path t (fast_base p) 0 0) as (wl, wh).
  destruct (counts_both path t (fast_base p) (zeros (kept lv)) (zeros (kept lv))) as (cl, ch).
  destruct (scan_one_all_eq lv path (zeros (kept lv)) (fast_lists p) (Scanned t wl wh cl ch 0 (zeros (kept lv)) 0 0 (zeros (kept lv)) 0)) as (C & R).
  revert C R. generalize (scan_one_all lv path (zeros (kept lv)) (fast_lists p) (Scanned t wl wh cl ch 0 (zeros (kept lv)) 0 0 (zeros (kept lv)) 0)).
  intros s C R. destruct s. unfold of_cut in C. simpl in *. inversion C; subst. rewrite <- R. reflexivity.
Qed.

Lemma fast_walk_eq c shallow q es ts ns :
  fast_walk lv price c shallow es ts ns = walk_all lv price c shallow (ordering_at q) (map snd es) ts ns.
Proof. unfold fast_walk, walk_all, all_reach, sum. rewrite reach_sum_eq. reflexivity. Qed.

Lemma any_recounted_eq m p q es share ts : proper p -> proper_list (q, es) ->
  any_recounted lv price m p q es share ts = map (recounted lv price m (erase p) (ordering_at q) (map snd es) share) ts.
Proof.
  intros P Q. unfold any_recounted. rewrite fast_recounted_eq.
  rewrite (map_ext _ (recounted lv price 0 (erase p) (ordering_at q) (map snd es) share)) by (intros t; apply one_recounted_eq; auto).
  destruct (Z.eqb_spec m 0) as [->|_]; [reflexivity|]. rewrite map_map. apply map_ext. intros t. unfold within_limit, recounted. simpl.
  rewrite !fast_side_bound_eq, erase_low, erase_high by (apply proper_low, P || apply proper_high, P). reflexivity.
Qed.

Lemma any_cuts_eq m q es : any_cuts m q es (cuts 0 (ordering_at q) (map snd es)) = cuts m (ordering_at q) (map snd es).
Proof. unfold any_cuts. destruct (Z.eqb_spec m 0) as [->|_]; reflexivity. Qed.

Lemma fast_two_shares_eq m p c shallow q es ts shs : forall s, proper p -> proper_list (q, es) ->
  fast_two_shares lv price m p c shallow q es ts shs s =
  two_shares lv price m (erase p) c shallow (ordering_at q) (map snd es) ts shs s.
Proof.
  induction shs as [|share shs IH]; intros s P Q; simpl; [reflexivity|].
  destruct s as [|n s]; [reflexivity|]. rewrite (first_rank_eq _ _ Q). destruct (if n =? 0 then _ else _) as [(rs, s')|]; [|reflexivity].
  rewrite (fast_walk_eq c shallow q), any_recounted_eq by auto. destruct (walk_all _ _ _ _ _ _ _); [apply IH; auto|reflexivity].
Qed.

Lemma fast_two_eq m p c shallow shs ls : forall s, proper p -> (forall l, In l ls -> proper_list l) ->
  fast_two lv price m p c shallow shs ls s = check_two lv price m (erase p) c shallow shs (map erase_list ls) s.
Proof.
  induction ls as [|(q, es) ls IH]; intros s P L; simpl; [reflexivity|].
  pose proof (L _ (or_introl eq_refl)) as Q. assert (L' : forall l, In l ls -> proper_list l) by (intros; apply L; simpl; auto).
  rewrite (fast_cuts_eq _ _ Q). pose proof (any_cuts_eq m q es) as E.
  destruct (cuts 0 (ordering_at q) (map snd es)) as [|tw ts]; [apply IH; auto|]. rewrite E, fast_two_shares_eq by auto.
  destruct (two_shares _ _ _ _ _ _ _ _ _ _ _) as [s'|]; [apply IH; auto|reflexivity].
Qed.

Lemma fast_named_eq q es s : forall n previous, proper_list (q, es) ->
  fast_named es s n previous = read_named 0 (ordering_at q) (map snd es) s n previous.
Proof.
  revert s. fix IH 1. intros [|step [|l [|r s]]] n previous Q; try reflexivity.
  simpl. destruct (n =? 0); [reflexivity|]. destruct (step <=? 0); [reflexivity|]. rewrite (IH s _ _ Q).
  rewrite (reach_below_eq _ q es 0 Q). reflexivity.
Qed.

Lemma fast_named_shares_eq c shallow q es ts shs : forall s, proper_list (q, es) ->
  fast_named_shares lv price c shallow es ts shs s = named_shares lv price 0 c shallow (ordering_at q) (map snd es) ts shs s.
Proof.
  induction shs as [|share shs IH]; intros s Q; simpl; [reflexivity|].
  destruct s as [|n s]; [reflexivity|]. destruct (n =? 0); [reflexivity|]. rewrite (fast_named_eq q _ _ _ _ Q), (first_rank_eq _ _ Q).
  destruct (read_named _ _ _ _ _ _) as [(ns, s')|]; [|reflexivity]. rewrite (fast_walk_eq c shallow q).
  destruct (walk_all _ _ _ _ _ _ _); [|reflexivity]. rewrite IH by exact Q. reflexivity.
Qed.

Definition named_of (r : option (list (list bool * (Z * Z * named)) * stream)) : option (list (ordering * (Z * Z * named)) * stream) :=
  match r with
  | Some (ns, s) => Some (map (fun n => (ordering_at (fst n), snd n)) ns, s)
  | None => None
  end.

Lemma any_named_shares_eq m c shallow q es shs s : proper_list (q, es) ->
  any_named_shares lv price m c shallow q es (cuts 0 (ordering_at q) (map snd es)) shs s =
  named_shares lv price m c shallow (ordering_at q) (map snd es) (cuts m (ordering_at q) (map snd es)) shs s.
Proof.
  intros Q. unfold any_named_shares. rewrite any_cuts_eq. destruct (Z.eqb_spec m 0) as [->|_]; [apply fast_named_shares_eq, Q|reflexivity].
Qed.

Lemma fast_check_named_eq m c shallow shs ls : forall s, (forall l, In l ls -> proper_list l) ->
  named_of (fast_check_named lv price m c shallow shs ls s) = check_named lv price m c shallow shs (map erase_list ls) s.
Proof.
  induction ls as [|(q, es) ls IH]; intros s L; simpl; [reflexivity|].
  pose proof (L _ (or_introl eq_refl)) as Q. assert (L' : forall l, In l ls -> proper_list l) by (intros; apply L; simpl; auto).
  rewrite (fast_cuts_eq _ _ Q). pose proof (any_named_shares_eq m c shallow q es shs s Q) as E.
  destruct (cuts 0 (ordering_at q) (map snd es)) as [|tw ts]; [apply IH; auto|]. rewrite E.
  destruct (named_shares _ _ _ _ _ _ _ _ _) as [(ns, s')|]; [|reflexivity]. rewrite <- IH by exact L'.
  destruct (fast_check_named lv price m c shallow shs ls s') as [(others, s2)|]; [|reflexivity]. simpl. rewrite map_app, map_map. reflexivity.
Qed.

Section Sides.

Variable chk : Z -> Z -> part -> Z -> stream -> option stream.
Variable fchk : Z -> Z -> fast_part -> Z -> stream -> option stream.
Hypothesis same : forall m n q c s, proper q -> fchk m n q c s = chk m n (erase q) c s.

Lemma fast_side_eq m n q c c_all s : proper q -> check_side fchk m n q c c_all s = check_side chk m n (erase q) c c_all s.
Proof.
  intros P. unfold check_side. rewrite same by exact P. destruct (if c_all <? c then _ else _) as [s'|]; [apply same, P|reflexivity].
Qed.

Lemma fast_sides_eq m p ns : proper p -> forall s,
  fast_sides fchk m p ns s = check_sides chk m (erase p) (map (fun n => (ordering_at (fst n), snd n)) ns) s.
Proof.
  intros P. induction ns as [|(path, (share, b)) ns IH]; intros s; simpl; [reflexivity|].
  rewrite fast_side_eq, erase_low by (apply proper_low, P). destruct (check_side _ _ _ _ _ _ _) as [s1|]; [|reflexivity].
  rewrite fast_side_eq, erase_high by (apply proper_high, P). destruct (check_side _ _ _ _ _ _ _) as [s2|]; [|reflexivity]. apply IH.
Qed.

End Sides.

Theorem fast_check_eq d : forall m n p c s, proper p -> fast_check lv price d m n p c s = check lv price d m n (erase p) c s.
Proof.
  induction d as [|d IH]; intros m n p c s P; cbn [fast_check check]; [reflexivity|].
  change (base (erase p)) with (fast_base p). cbv zeta. set (k := Z.min n _).
  destruct (c <=? _); [reflexivity|]. destruct (_ <? c); [reflexivity|]. destruct (k <=? 0); [reflexivity|].
  unfold fast_stump. rewrite fast_side_bound_eq by exact P. fold (stump lv price m (erase p)).
  destruct (k =? 1); [reflexivity|]. destruct ((k =? 2) || Nat.eqb d 1).
  - apply fast_two_eq; auto.
  - destruct s as [|shallow s]; [reflexivity|]. rewrite IH by exact P.
    destruct (check lv price d m (k - 1) (erase p) shallow s) as [s1|]; [|reflexivity].
    change (lists (erase p)) with (map erase_list (fast_lists p)). rewrite <- fast_check_named_eq by exact P.
    destruct (fast_check_named lv price m c shallow (shares d k) (fast_lists p) s1) as [(ns, s2)|]; [|reflexivity]. simpl.
    apply fast_sides_eq; auto.
Qed.

End Same.

Lemma erase_whole ps xs : erase (fast_whole ps xs) = whole (map ordering_at ps) xs.
Proof.
  unfold erase, fast_whole, whole. simpl. f_equal. rewrite !map_map. apply map_ext. intros path. reflexivity.
Qed.

Lemma fast_keep_eq ls : forall kept, map erase_list (fast_keep ls kept (map erase_list kept)) = keep (map erase_list ls) (map erase_list kept).
Proof.
  induction ls as [|(q, es) ls IH]; intros kept; simpl; [rewrite map_rev; reflexivity|].
  destruct (_ || _); [apply IH|]. apply (IH ((q, es) :: kept)).
Qed.

Lemma fast_keep_in ls : forall kept known_ l, In l (fast_keep ls kept known_) -> In l ls \/ In l kept.
Proof.
  induction ls as [|(q, es) ls IH]; intros kept known_ l I; simpl in I; [right; apply in_rev; exact I|].
  destruct (_ || _); apply IH in I; simpl in *; tauto.
Qed.

Lemma proper_whole ps xs : proper (fast_whole ps xs).
Proof.
  intros l I. apply in_map_iff in I. destruct I as (path & <- & I). split; simpl.
  - intros e J. eapply Permutation_in in J; [|apply Permutation_sym, KeySort.Permuted_sort].
    apply in_map_iff in J. destruct J as (x & <- & _). reflexivity.
  - apply (sorted_sorted (ordering_at path) xs).
Qed.

Theorem fast_verify_eq data p : fast_verify data p = verify data p.
Proof.
  unfold fast_verify, verify. f_equal. cbv zeta. rewrite fast_check_eq.
  - replace (erase (fast_distinct _)) with
      (distinct_orderings (whole (all_orderings (orderings p)) (items_of (least_rows p) (orderings p) (groups_of (in_steps p data)))));
      [reflexivity|].
    unfold distinct_orderings. rewrite <- (erase_whole (all_paths (orderings p))). unfold fast_distinct, erase. simpl. f_equal.
    symmetry. apply (fast_keep_eq _ []).
  - intros l I. apply fast_keep_in in I. destruct I as [I|[]]. revert I. apply proper_whole.
Qed.

(* No tree of the family with at most as many levels of splits and splits as the proof says, and at least as many rows in each leaf, costs
   less than the proof's bound. *)
Theorem check_sound : forall (data : table) (p : proof), fast_verify data p = true ->
  forall t : raw_tree, in_family data t -> spoken_of data p t -> proved_bound data p <= tree_cost data p t.
Proof. intros data p H. rewrite fast_verify_eq in H. apply verify_sound, H. Qed.
