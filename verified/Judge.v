(* The whole program, from the bytes of a table and of a proof to the sentence that is printed, and the theorem that the sentence is true. *)

From Coq Require Import String ZArith List Bool Lia Permutation.
From Treewright Require Import Labels Bytes Numbers Canonical Meaning Coding Translate Whole Sentence File.
From Treewright Require Rows Counts Merged Levels Verify Fast Same Trees.
Import ListNotations.
Open Scope Z_scope.

Inductive verdict := Said (sentence : bytes) | Refused (why : bytes).
Definition verified : bytes := text "verified: ".

(* Search trees of sorted keys. *)
Fixpoint build {K} (levels : nat) (xs : list (K * Z)) : Merged.index K * list (K * Z) :=
  match levels, xs with
  | S levels, _ :: _ =>
      let (low, xs) := build levels xs in
      match xs with
      | [] => (low, [])
      | (k, v) :: xs => let (high, xs) := build levels xs in (Merged.Split low k v high, xs)
      end
  | _, _ => (Merged.Nowhere, xs)
  end.
Definition index_of {K} (xs : list (K * Z)) : Merged.index K := fst (build (Z.to_nat (Z.log2 (count xs) + 1)) xs).
Fixpoint find_word (t : Merged.index bytes) (w : bytes) : option Z :=
  match t with
  | Merged.Nowhere => None
  | Merged.Split low v code high => if same w v then Some code else if before w v then find_word low w else find_word high w
  end.

(* A column: its cells with their codes, the last one first, and the codes that occur. *)
Record column := Column { place : nat; category : bool; name : bytes; known : list (cell * Z); codes : list Z; words : Merged.index bytes }.
Definition make_column (xs : list coded) (place : nat) (f : bool * bytes) (known : list (cell * Z)) : column :=
  let gaps := existsb (fun x => Rows.value place (snd x) =? -1) xs in
  let found := fold_left (fun done e => match fst e with Level w => (w, snd e) :: done | _ => done end) known [] in
  Column place (fst f) (snd f) known ((if gaps then [-1] else []) ++ Counts.from 0 (length known)) (index_of found).
Fixpoint make_columns (xs : list coded) (place : nat) (fs : list (bool * bytes)) (known : list (list (cell * Z))) : list column :=
  match fs, known with
  | f :: fs, k :: known => make_column xs place f k :: make_columns xs (S place) fs known
  | _, _ => []
  end.
Definition kind_of (c : column) : Rows.kind := if category c then Rows.Category else Rows.Numeric (count (known c)).
Definition most_levels : Z := 12.
Definition is_wide (c : column) : bool := category c && (most_levels <? count (codes c)).

(* Orderings as the checker knows them. What they are needs no trust. *)
Definition code_of (c : column) (w : option bytes) : option Z :=
  match w with None => Some (-1) | Some w => find_word (words c) (quote :: w ++ [quote]) end.
Fixpoint all_or_none {A B} (f : A -> option B) (xs : list A) (done : list B) : option (list B) :=
  match xs with
  | [] => Some (rev_append done [])
  | x :: rest => match f x with Some y => all_or_none f rest (y :: done) | None => None end
  end.
Fixpoint ascends (vs : list Z) : bool :=
  match vs with
  | v :: rest => match rest with w :: _ => (v <? w) && ascends rest | [] => true end
  | [] => true
  end.
Definition sorted_pairs (xs : list (Z * Z)) : list (Z * Z) :=
  map (fun e => (fst e, hd 0 (snd e))) (Levels.GainSort.sort (map (fun e => (fst e, [snd e])) xs)).
Fixpoint with_ranks (groups : list (list Z)) (rank : Z) (done : list (Z * Z)) : list (Z * Z) :=
  match groups with
  | [] => done
  | g :: rest => with_ranks rest (rank + 1) (fold_left (fun done v => (v, rank) :: done) g done)
  end.
Definition ranking_of (c : column) (n : named) : option Merged.ranking :=
  match n, category c with
  | Plain, false | MissingSide false, false => Some (Merged.MissingLast (count (known c)))
  | MissingSide true, false => Some Merged.MissingFirst
  | OfLevels groups, true =>
      match all_or_none (fun g => all_or_none (code_of c) g []) groups [] with
      | Some groups =>
          let pairs := sorted_pairs (with_ranks groups 0 []) in
          if (1 <? count groups) && negb (existsb is_empty groups) && forallb ascends groups && same (map fst pairs) (codes c)
          then Some (Merged.Levels (index_of pairs) 0) else None
      | None => None
      end
  | OneLevel w, true =>
      match code_of c w with
      | Some v => if is_wide c && existsb (Z.eqb v) (codes c) then Some (Merged.Levels (index_of [(v, 0)]) 1) else None
      | None => None
      end
  | _, _ => None
  end.

(* What the format demands of the orderings of a column, beside holding every split. *)
Definition most_orderings : Z := 462.
Definition not_rare (data : Rows.table) (j : nat) : Z :=
  let by_level := Levels.gains_by_level data j in
  let all := Levels.sum_of_gains (Rows.classes data) by_level in
  count (filter (fun e => existsb (fun p => (0 <? fst p) && (snd p <=? Rows.rare * fst p)) (combine (snd e) all)) by_level).
Definition ordering_limit (data : Rows.table) (c : column) : Z :=
  if negb (category c) then 2 else if is_wide c then not_rare data (place c) + Z.of_nat (Rows.classes data) else most_orderings.
Definition kinds_fit (c : column) (ns : list named) : bool :=
  match codes c, category c, ns with
  | [], _, [] | [_], _, [] => true
  | [], _, _ | [_], _, _ => false
  | _, true, _ => true
  | v :: _, false, [MissingSide false; MissingSide true] => v <? 0
  | v :: _, false, [Plain] => 0 <=? v
  | _, false, _ => false
  end.
Fixpoint all_differ (rs : list Rows.row) : bool :=
  match rs with
  | r :: rest => match rest with q :: _ => negb (same (Rows.values r) (Rows.values q)) && all_differ rest | [] => true end
  | [] => true
  end.
Definition column_orderings (data : Rows.table) (c : column) (ns : list named) : option (list Merged.named_ordering) :=
  if negb (kinds_fit c ns) || (ordering_limit data c <? count ns) then None
  else match all_or_none (ranking_of c) ns [] with
       | None => None
       | Some os =>
           if all_differ (Merged.RowSort.sort (map (fun o => Rows.Row (map (Merged.rank_of o) (codes c)) []) os))
           then Some (map (Merged.NamedOrdering (place c)) os) else None
       end.

Fixpoint span (j : Z) (os : list ordering_read) (done : list named) : list named * list ordering_read :=
  match os with
  | o :: rest => if column_read o =? j then span j rest (named_read o :: done) else (rev_append done [], os)
  | [] => (rev_append done [], [])
  end.
Inductive found := Found (os : list Merged.named_ordering) | Wrong (why : bytes).
Fixpoint all_orderings (data : Rows.table) (cs : list column) (os : list ordering_read) (done : list Merged.named_ordering) : found :=
  match cs with
  | [] => match os with
          | [] => Found (rev_append done [])
          | _ => Wrong (text "the orderings are not in the order of the columns, or of a column that the table lacks")
          end
  | c :: cs =>
      let (ns, os) := span (Z.of_nat (place c)) os [] in
      match column_orderings data c ns with
      | Some mine => all_orderings data cs os (rev_append mine done)
      | None => Wrong (text "column " ++ name c ++ text " has orderings that are not as the format has them")
      end
  end.

(* Why a table is none, for people. *)
Fixpoint first_wrong (t : table) (rs : list (list bytes)) (line : Z) : Z :=
  match rs with
  | [] => 0
  | r :: rest => if row_fits t r then first_wrong t rest (line + 1) else line
  end.
Definition why_not (t : table) : bytes :=
  let line := first_wrong t (rows t) (count (lines t) - count (rows t) + 1) in
  if line =? 0 then text "the table is not as the format has it"
  else text "line " ++ digits line ++ text " of the table is no row of its columns".

Definition most_cells : Z := 100000000.
Definition largest_double : Z := (2 ^ precision - 1) * 2 ^ (971 + lowest).
Definition most_units : Z := 2 ^ 53.

Definition rounded_down (n d : Z) : Z := n / d.
Definition rounded_up (n d : Z) : Z := - ((- n) / d).

Definition claim_of (h : header) (wide : list nat) (unit proved sum_least sum_rounding : Z) : claim :=
  let steps := Trees.power_of_two (Z.to_nat (grid_read h)) in
  Claim (Z.to_nat (depth_read h)) (File.most_splits h) (if 1 <? min_rows h then min_rows h else 0) wide
    (rounded_up (price_read h * unit * trillion) (scale * steps))
    (rounded_down ((Z.max 0 (unit * scale * proved - steps * sum_rounding) + steps * sum_least) * trillion) (scale * scale * steps)).

(* Whether all cells of a column are among so few levels that each set of them is a split. *)
Definition has_few (xs : list coded) (c : column) : bool :=
  let present := (if existsb (Z.eqb (-1)) (codes c) then [Missing] else []) ++ map fst (known c) in
  Nat.leb (length present) Rows.most_levels && forallb (fun x => existsb (same_cell (cell_at (place c) (fst x))) present) xs.
Definition few_enough (xs : list coded) (wide : list nat) (c : column) : bool :=
  negb (category c) || existsb (Nat.eqb (place c)) wide || has_few xs c.

Definition judge_rows (t : table) (unit : Z) (h : header) (body : list Z) : verdict :=
  let rs := rows_of t in
  let (xs, known) := code_columns (seq 0 (length (features t))) (map (fun r => (r, [])) rs) in
  let columns := make_columns xs 0 (features t) known in
  let data := data t (whole unit) xs (map kind_of columns) in
  let wide := map place (filter is_wide columns) in
  if negb (forallb (fun r => 0 <=? weighs r) rs && forallb (few_enough xs wide) columns) then Refused (text "a weight is negative")
  else if most_units <=? sum_of (fun r => most (Rows.costs r)) (Rows.rows data) then Refused (text "the rows cost 2^53 units or more")
  else if negb (is_empty wide || tells_shares unit rs)
  then Refused (text "a column has many levels, and the unit is too coarse for the shares of labels")
  else match all_orderings data columns (orderings_read h) [] with
  | Wrong why => Refused why
  | Found os =>
      let p := Verify.Proof (Z.to_nat (depth_read h)) (File.most_splits h) (if 1 <? min_rows h then min_rows h else 0) (Z.to_nat (grid_read h))
                 (price_read h) (bound_read h) os body in
      let reach := sum_of (fun g => most (snd (fst g)) - Merged.least (snd (fst g))) (Merged.groups_of (Verify.in_steps p data)) in
      if largest_whole <? 2 * reach + price_read h then Refused (text "the sums would not be exact on this grid")
      else if Fast.fast_verify data p
      then Said (verified ++ sentence t
             (claim_of h wide unit (Verify.proved_bound data p) (sum_of least rs) (sum_of (rounding unit) rs)))
      else Refused (text "the proof does not hold")
  end.

Definition judge (table_bytes proof_bytes : bytes) : verdict :=
  match read_file proof_bytes with
  | NoFile why => Refused (text why)
  | File h body =>
      let unit := unit_odd h * 2 ^ (unit_power h + lowest) in
      if (unit <=? 0) || (largest_double <? unit) then Refused (text "'unit' is not finite")
      else match parse (lines_of table_bytes) with
      | None => Refused (text "this is no table")
      | Some t =>
          if most_cells <? count (rows t) * (count (labels t) + count (features t)) then Refused (text "the table is too large for this checker")
          else if most_cells <? count (rows t) * count (orderings_read h) then Refused (text "the proof has too many orderings for this checker")
          else if negb (same (fingerprint table_bytes) (table_named h)) then Refused (text "the proof speaks of another table")
          else if negb (well_formed t && same (print t) table_bytes) then Refused (why_not t)
          else judge_rows t unit h body
      end
  end.

(* The bound in numbers: what is proved of whole costs, less what was rounded. *)
Lemma bound_of_loss steps unit proved whole_loss split_price n_splits low off pays :
  0 < steps -> 0 < unit -> 0 <= split_price -> 0 <= n_splits ->
  proved <= steps * whole_loss + split_price * n_splits -> low <= pays -> low + unit * scale * whole_loss - off <= pays ->
  rounded_down ((Z.max 0 (unit * scale * proved - steps * off) + steps * low) * trillion) (scale * scale * steps) * (scale * scale) <=
  trillion * pays + rounded_up (split_price * unit * trillion) (scale * steps) * n_splits * (scale * scale).
Proof.
  intros S U P N B L W. pose proof scale_pos as Sc. assert (T : 0 < trillion) by (unfold trillion; apply Z.pow_pos_nonneg; lia).
  unfold rounded_down, rounded_up. set (x := (Z.max 0 (unit * scale * proved - steps * off) + steps * low) * trillion).
  set (y := split_price * unit * trillion). set (q := x / (scale * scale * steps)). set (z := - (- y / (scale * steps))).
  assert (Q : scale * scale * steps * q <= x) by (apply Z.mul_div_le; nia).
  assert (Y : y <= scale * steps * z).
  { unfold z. pose proof (Z.mul_div_le (- y) (scale * steps)) as D. assert (0 < scale * steps) by nia. specialize (D H). lia. }
  assert (Zn : 0 <= z).
  { unfold z. assert (0 <= y) by (unfold y; nia). assert (- y / (scale * steps) <= 0); [|lia].
    apply Z.div_le_upper_bound; nia. }
  assert (X : x <= (steps * pays + split_price * unit * scale * n_splits) * trillion).
  { unfold x. apply Z.mul_le_mono_nonneg_r; [lia|].
    assert (A : unit * scale * proved <= unit * scale * (steps * whole_loss + split_price * n_splits)) by (apply Z.mul_le_mono_nonneg_l; nia).
    assert (C : steps * (low + unit * scale * whole_loss - off) <= steps * pays) by (apply Z.mul_le_mono_nonneg_l; lia).
    assert (E : steps * low <= steps * pays) by (apply Z.mul_le_mono_nonneg_l; lia).
    assert (F : 0 <= split_price * unit * scale * n_splits) by (repeat apply Z.mul_nonneg_nonneg; lia).
    replace (steps * pays + split_price * unit * scale * n_splits) with (steps * pays + (split_price * unit * scale * n_splits)) by lia.
    destruct (Z.max_spec 0 (unit * scale * proved - steps * off)) as [(_ & ->)|(_ & ->)]; [|lia].
    rewrite !Z.mul_add_distr_l, !Z.mul_sub_distr_l in *. replace (steps * (unit * scale * whole_loss)) with (unit * scale * (steps * whole_loss)) in C by ring.
    replace (split_price * unit * scale * n_splits) with (unit * scale * (split_price * n_splits)) by ring. lia. }
  assert (G : y * (scale * n_splits) <= scale * steps * z * (scale * n_splits)) by (apply Z.mul_le_mono_nonneg_r; nia).
  apply (Z.mul_le_mono_pos_l _ _ steps S). unfold y in G. lia.
Qed.

Lemma cells_of_typed fs : forall tokens j name w, nth_error fs j = Some (false, name) -> nth j (fst (cells_of fs tokens)) Missing <> Level w.
Proof.
  induction fs as [|f fs IH]; intros tokens j name w E; [destruct j; discriminate|]. destruct tokens as [|c tokens]; [destruct j; discriminate|].
  cbn [cells_of]. specialize (IH tokens). destruct (cells_of fs tokens) as (cs, last). cbn [fst] in *. destruct j as [|j]; cbn [nth nth_error] in *.
  - inversion E. cbn [fst]. unfold cell_of. destruct (same c missing_cell); discriminate.
  - eapply IH, E.
Qed.

Lemma code_columns_known js : forall xs, length (snd (code_columns js xs)) = length js.
Proof.
  induction js as [|j js IH]; intros xs; cbn [code_columns]; [reflexivity|]. specialize (IH xs). destruct (code_columns js xs) as (ys, known).
  destruct (code_column j ys) as (zs, mine). simpl in *. congruence.
Qed.

Lemma columns_fit xs fs : forall place known j f, length known = length fs -> nth_error fs j = Some f ->
  exists k, nth_error (make_columns xs place fs known) j = Some (make_column xs (place + j) f k).
Proof.
  induction fs as [|g fs IH]; intros place [|k known] j f L E; try discriminate; [destruct j; discriminate|]. destruct j as [|j]; cbn [make_columns nth_error] in *.
  - inversion E. subst. exists k. rewrite Nat.add_0_r. reflexivity.
  - destruct (IH (S place) known j f) as (k' & H); [simpl in L; lia|exact E|]. exists k'. rewrite H. do 2 f_equal. lia.
Qed.
Lemma columns_long xs fs : forall place known, length known = length fs -> length (make_columns xs place fs known) = length fs.
Proof. induction fs as [|g fs IH]; intros place [|k known] L; try discriminate; [reflexivity|]. simpl. rewrite IH; [reflexivity|simpl in L; lia]. Qed.

(* If a sentence is printed, the bytes of the table are the one text of a well-formed table, and the sentence is true of it. *)
Theorem judge_sound : forall table_bytes proof_bytes said, judge table_bytes proof_bytes = Said said ->
  exists (t : table) (unit : Z) (c : claim),
    well_formed t = true /\ print t = table_bytes /\ 0 < unit /\ said = verified ++ sentence t c /\ holds t unit c /\
    (restricted c = [] \/ tells_shares unit (rows_of t) = true).
Proof.
  intros tb pb said H. unfold judge in H. destruct (read_file pb) as [h body|why]; [|discriminate].
  set (unit := unit_odd h * 2 ^ (unit_power h + lowest)) in *. destruct (Z.leb_spec unit 0) as [U0|U]; [discriminate|]. cbn [orb] in H.
  destruct (largest_double <? unit); [discriminate|]. destruct (parse (lines_of tb)) as [t|] eqn:P; [|discriminate].
  destruct (most_cells <? _); [discriminate|]. destruct (most_cells <? _); [discriminate|]. destruct (negb (same (fingerprint tb) _)); [discriminate|].
  destruct (well_formed t && same (print t) tb) eqn:W; [|discriminate]. cbn [negb] in H.
  apply andb_true_iff in W. destruct W as (W & R). apply same_eq in R.
  unfold judge_rows in H. set (rs := rows_of t) in *. set (start := map (fun r : row => (r, @nil Z)) rs) in *.
  pose proof (code_columns_sound (seq 0 (length (features t))) start) as C. cbv zeta in C.
  pose proof (code_columns_known (seq 0 (length (features t))) start) as K.
  destruct (code_columns (seq 0 (length (features t))) start) as (xs, known_). cbn [fst snd] in *. rewrite seq_length in *.
  destruct C as (Perm & O). assert (S0 : map fst start = rs) by (unfold start; rewrite map_map; apply map_id). rewrite S0 in Perm.
  set (columns := make_columns xs 0 (features t) known_) in *. set (d := data t (whole unit) xs (map kind_of columns)) in *.
  set (wide := map place (filter is_wide columns)) in *.
  destruct (forallb (fun r => 0 <=? weighs r) rs) eqn:Weights; [|discriminate]. destruct (forallb (few_enough xs wide) columns) eqn:Few; [|discriminate].
  cbn [andb negb] in H. destruct (most_units <=? _); [discriminate|]. destruct (is_empty wide || tells_shares unit rs) eqn:Fine; [|discriminate]. cbn [negb] in H.
  destruct (all_orderings d columns (orderings_read h) []) as [os|]; [|discriminate].
  set (p := Verify.Proof _ _ _ _ _ _ os body) in *. destruct (largest_whole <? _); [discriminate|]. destruct (Fast.fast_verify d p) eqn:V; [|discriminate].
  inversion H as [Said_]. clear H. eexists t, unit, _. split; [exact W|]. split; [exact R|]. split; [exact U|]. split; [reflexivity|].
  split; [|unfold claim_of; cbn [restricted]; apply orb_true_iff in Fine; destruct Fine as [Fine|Fine]; [left; destruct wide; [reflexivity|discriminate]|auto]].
  rewrite forallb_forall in Weights, Few.
  assert (Sub : forall x, In x xs -> In (fst x) rs) by (intros x X; eapply Permutation_in; [exact Perm|apply in_map, X]).
  assert (Checked : Merged.well_formed d && (0 <=? Verify.price p) = true).
  { unfold Fast.fast_verify in V. rewrite !andb_true_iff in V. rewrite andb_true_iff. tauto. }
  apply andb_true_iff in Checked. destruct Checked as (Fit & Price). apply Z.leb_le in Price.
  assert (Long : forall r, In r rs -> length (costs r) = length (labels t)).
  { intros r I. eapply Permutation_in in I; [|apply Permutation_sym, Perm]. apply in_map_iff in I. destruct I as (x & <- & X).
    unfold Merged.well_formed in Fit. rewrite forallb_forall in Fit. specialize (Fit (coded_row (whole unit) x) (in_map _ _ _ X)).
    apply andb_true_iff in Fit. destruct Fit as (Fit & _). apply Nat.eqb_eq in Fit. simpl in Fit. rewrite length_whole in Fit. exact Fit. }
  intros u F Du Su Hu.
  destruct (tree_as_codes t (whole unit) xs (map kind_of columns) wide) with (u := u) as (v & Iv & Dv & Sv & Pv & Hv).
  - intros j J. specialize (O j). rewrite seq_nth in O by exact J. apply O, J.
  - intros j nm x N X w. apply Sub in X. unfold rs, rows_of in X. apply in_map_iff in X. destruct X as (tokens & <- & _). unfold cell_at, row_of.
    pose proof (cells_of_typed (features t) tokens j nm w N) as Ty. destruct (cells_of (features t) tokens) as (cs, rest).
    destruct (weight t); exact Ty.
  - rewrite map_length. apply columns_long. exact K.
  - intros j cat nm N. destruct (columns_fit xs (features t) 0 known_ j _ K N) as (k & E). unfold Rows.kind_of. simpl Rows.kinds.
    fold columns in E. erewrite nth_error_nth; [|apply map_nth_error, E]. unfold kind_of. cbn [category make_column fst]. destruct cat; [reflexivity|discriminate].
  - intros j nm N Out. destruct (columns_fit xs (features t) 0 known_ j _ K N) as (k & E). fold columns in E. apply nth_error_In in E.
    specialize (Few _ E). unfold few_enough in Few. cbn [category place make_column fst Nat.add] in Few. cbn [negb orb] in Few.
    apply orb_true_iff in Few. destruct Few as [Few|Few].
    + exfalso. apply Out. apply existsb_exists in Few. destruct Few as (i & I & Q). apply Nat.eqb_eq in Q. subst i. exact I.
    + unfold has_few in Few. cbn [place make_column Nat.add] in Few. set (present := _ ++ _) in Few.
      apply andb_true_iff in Few. destruct Few as (L & A). exists present. split; [apply Nat.leb_le, L|]. rewrite forallb_forall in A.
      intros r I. apply in_map_iff in I. destruct I as (x & <- & X). specialize (A x X). apply existsb_exists in A. destruct A as (c & C & Q).
      apply same_cell_eq in Q. rewrite Q. exact C.
  - eapply in_family_perm; [apply Permutation_sym, Perm|exact F].
  - pose proof (Same.check_sound d p V v Iv) as B. cbn [restricted claim_of most_depth most_splits least_rows price bound] in *.
    assert (Spoken : Verify.spoken_of d p v).
    { split; [rewrite Dv; exact Du|]. split; [rewrite Sv; exact Su|]. apply Hv; [apply incl_refl|].
      eapply leaves_hold_perm; [apply Permutation_sym, Perm|exact Hu]. }
    specialize (B Spoken). unfold Verify.tree_cost in B. rewrite Sv in B.
    assert (Lo : Rows.raw_loss v (Rows.rows d) = sum_of (fun r => at_label (predict u r) (whole unit r)) rs).
    { unfold Rows.raw_loss. rewrite sum_rows_of, <- (sum_of_perm _ _ _ Perm). unfold d. simpl Rows.rows. rewrite !sum_of_map. apply sum_of_ext.
      intros x X. simpl. rewrite Pv by exact X. reflexivity. }
    rewrite Lo in B.
    assert (Pays := rows_pay t unit rs wide Long (fun r I => proj1 (Z.leb_le _ _) (Weights r I)) u F). destruct Pays as (Pa & Pb).
    assert (Sn : 0 <= splits u) by (clear; induction u; simpl; lia).
    refine (bound_of_loss _ _ _ _ _ _ _ _ _ _ U Price Sn B Pa Pb).
    pose proof (Trees.power_of_two_pos (Z.to_nat (grid_read h))). unfold Verify.steps. simpl. lia.
Qed.
