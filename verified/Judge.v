(* The whole program, from the bytes of a table and of a proof to the sentence that is printed, and the theorem that the sentence is true. *)

From Coq Require Import String ZArith List Bool Lia Permutation.
From Treewright Require Import Labels Bytes Numbers Canonical Meaning Coding Translate Whole Sentence File Amounts.
From Treewright Require Rows Counts Merged Levels Verify Fast Same Trees Squares Squared.
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
Definition rounded_up : Z -> Z -> Z := Squares.rounded_up.

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
  let data := data (length (labels t)) (whole unit) xs (map kind_of columns) in
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

(* Squared error. *)
Definition grid_of (h : header) (target : target_grid) (unit : Z) : grid :=
  let d := digits_read target in
  let k := grid_read h in
  Grid unit (center_odd target * 2 ^ (center_power target + lowest)) (2 ^ Z.max 0 d) (2 ^ Z.max 0 (- d)) (2 ^ Z.max 0 k) (2 ^ Z.max 0 (- k)).
(* 2^-500 <= u <= 2^500, 2^-880 <= u 4^-D <= 2^880, and |c| is at most half the largest double. *)
Definition has_room (g : grid) : bool :=
  let loss_over := unit g * below g ^ 2 in
  let loss_under := tens g ^ 2 in
  (2 ^ (lowest - 500) <=? unit g) && (unit g <=? 2 ^ (lowest + 500)) && (2 ^ (lowest - 880) * loss_under <=? loss_over) &&
  (loss_over <=? 2 ^ (lowest + 880) * loss_under) && (Z.abs (center g) <=? largest).
Definition exact_on (g : grid) (rs : list row) : bool :=
  forallb (fun r => Z.abs (product g r) <=? largest_double) rs && (sum_of (whole_weight g) rs <? most_units) &&
  (sum_of (fun r => Z.abs (whole_amount g r)) rs <? most_units) &&
  (sum_of (fun r => Squares.gain_of_sums (up g) (down g) (whole_sums g r)) rs <? most_units).

(* At most 15 digits: so many are always the shortest ones of their double, as a table spells it. *)
Definition digits_said : Z := 15.
Definition last_digit (n : Z) : Z := ten ^ Z.max 0 (count (digits n) - digits_said).
Definition shorter_down (n : Z) : Z := n / last_digit n * last_digit n.
Definition shorter_up (n : Z) : Z := rounded_up n (last_digit n) * last_digit n.

Definition number_claim (h : header) (g : grid) (rs : list row) (counted : Z) : claim :=
  let all_moved := sum_of (moved g) rs in
  let range := match extremes g rs with Some (low, high) => range g low high | None => 0 end in
  let m := mix_for g counted all_moved in
  Claim (Z.to_nat (depth_read h)) (File.most_splits h) (if 1 <? min_rows h then min_rows h else 0) []
    (shorter_up (rounded_up (price_over g (price_read h) * ten ^ finest) (price_under g * scale ^ 3)))
    (shorter_down (Z.max 0 (rounded_down (over g m counted all_moved (sum_of (too_heavy g) rs) range * ten ^ finest) (under g m * scale ^ 3)))).

Definition judge_numbers (t : table) (h : header) (g : grid) (body : list Z) : verdict :=
  let rs := rows_of t in
  let (xs, known) := code_columns (seq 0 (length (features t))) (map (fun r => (r, [])) rs) in
  let columns := make_columns xs 0 (features t) known in
  let data := data 2 (whole_sums g) xs (map kind_of columns) in
  if negb (has_room g) then Refused (text "its units are too large or too small")
  else if existsb is_wide columns then Refused (text "a column has more than 12 levels, and this checker does not know how trees of squared error split it")
  else if negb (forallb (fun r => 0 <=? weighs r) rs && forallb (few_enough xs []) columns) then Refused (text "a weight is negative")
  else if negb (exact_on g rs) then Refused (text "the sums would not be exact on this grid")
  else match all_orderings data columns (orderings_read h) [] with
  | Wrong why => Refused why
  | Found os =>
      let p := Verify.Proof (Z.to_nat (depth_read h)) (File.most_splits h) (if 1 <? min_rows h then min_rows h else 0) O
                 (price_read h) (bound_read h) os body in
      if Squared.squares_hold (up g) (down g) data p
      then Said (verified ++ sentence t (number_claim h g rs (bound_read h + Squared.square_lost (up g) (down g) os data)))
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
          else match target t, target_read h with
          | None, None => judge_rows t unit h body
          | Some _, Some target => judge_numbers t h (grid_of h target unit) body
          | Some _, None => Refused (text "the proof speaks of labels, and the target of this table is a number")
          | None, Some _ => Refused (text "the proof speaks of squared error, and the target of this table is no number")
          end
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
  unfold rounded_down, rounded_up, Squares.rounded_up. set (x := (Z.max 0 (unit * scale * proved - steps * off) + steps * low) * trillion).
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

(* A tree on the cells of a table is one on the codes that the checker gave them. *)
Lemma as_codes t classes count_of wide xs known_ columns :
  code_columns (seq 0 (length (features t))) (map (fun r : row => (r, @nil Z)) (rows_of t)) = (xs, known_) ->
  columns = make_columns xs 0 (features t) known_ -> (length (labels t) <= classes)%nat -> forallb (few_enough xs wide) columns = true ->
  Permutation (map fst xs) (rows_of t) /\
  forall u, splits_in_family t count_of (rows_of t) wide u -> exists v, let d := data classes count_of xs (map kind_of columns) in
    Rows.splits_in_family d v /\ (in_family t count_of (rows_of t) wide u -> Rows.in_family d v) /\ Rows.raw_depth v = depth u /\ Rows.raw_splits v = splits u /\
    (forall x, In x xs -> Rows.raw_predict v (snd x) = predict u (fst x)) /\
    forall m, leaves_hold m u (rows_of t) -> Rows.raw_fits m v (Rows.rows d).
Proof.
  intros Codes -> Enough Few. set (rs := rows_of t) in *. set (start := map (fun r : row => (r, @nil Z)) rs) in *.
  pose proof (code_columns_sound (seq 0 (length (features t))) start) as C. cbv zeta in C.
  pose proof (code_columns_known (seq 0 (length (features t))) start) as K.
  rewrite Codes in C, K. cbn [fst snd] in *. rewrite seq_length in *.
  destruct C as (Perm & O). assert (S0 : map fst start = rs) by (unfold start; rewrite map_map; apply map_id). rewrite S0 in Perm.
  split; [exact Perm|]. set (columns := make_columns xs 0 (features t) known_) in *.
  assert (Sub : forall x, In x xs -> In (fst x) rs) by (intros x X; eapply Permutation_in; [exact Perm|apply in_map, X]).
  rewrite forallb_forall in Few. intros u F.
  destruct (splits_as_codes t classes count_of xs (map kind_of columns) wide) with (u := u) as (v & Iv & Fv & Dv & Sv & Pv & Hv).
  - intros j J. specialize (O j). rewrite seq_nth in O by exact J. apply O, J.
  - intros j nm x N X w. apply Sub in X. unfold rs, rows_of in X. apply in_map_iff in X. destruct X as (tokens & <- & _). unfold cell_at, row_of.
    pose proof (cells_of_typed (features t) tokens j nm w N) as Ty. destruct (cells_of (features t) tokens) as (cs, rest).
    destruct (weight t); exact Ty.
  - rewrite map_length. apply columns_long. exact K.
  - intros j cat nm N. destruct (columns_fit xs (features t) 0 known_ j _ K N) as (k & E). unfold Rows.kind_of. simpl Rows.kinds.
    fold columns in E. erewrite nth_error_nth; [|apply map_nth_error, E]. unfold kind_of. cbn [category make_column fst]. destruct cat; [reflexivity|discriminate].
  - exact Enough.
  - intros j nm N Out. destruct (columns_fit xs (features t) 0 known_ j _ K N) as (k & E). fold columns in E. apply nth_error_In in E.
    specialize (Few _ E). unfold few_enough in Few. cbn [category place make_column fst Nat.add] in Few. cbn [negb orb] in Few.
    apply orb_true_iff in Few. destruct Few as [Few|Few].
    + exfalso. apply Out. apply existsb_exists in Few. destruct Few as (i & I & Q). apply Nat.eqb_eq in Q. subst i. exact I.
    + unfold has_few in Few. cbn [place make_column Nat.add] in Few. set (present := _ ++ _) in Few.
      apply andb_true_iff in Few. destruct Few as (L & A). exists present. split; [apply Nat.leb_le, L|]. rewrite forallb_forall in A.
      intros r I. apply in_map_iff in I. destruct I as (x & <- & X). specialize (A x X). apply existsb_exists in A. destruct A as (c & C & Q).
      apply same_cell_eq in Q. rewrite Q. exact C.
  - eapply family_perm; [apply Permutation_sym, Perm|exact F].
  - exists v. cbv zeta. split; [exact Iv|]. split; [|split; [exact Dv|split; [exact Sv|split; [exact Pv|]]]].
    + intros L. apply Fv. eapply family_perm; [apply Permutation_sym, Perm|exact L].
    + intros m Hu. apply Hv; [apply incl_refl|]. eapply leaves_hold_perm; [apply Permutation_sym, Perm|exact Hu].
Qed.

Lemma splits_at_least_none u : 0 <= splits u.
Proof. induction u; simpl; lia. Qed.

Lemma rows_sound t unit h body said : 0 < unit -> judge_rows t unit h body = Said said ->
  exists c, said = verified ++ sentence t c /\ labels_hold t unit c /\ (restricted c = [] \/ tells_shares unit (rows_of t) = true).
Proof.
  intros U H. unfold judge_rows in H. set (rs := rows_of t) in *.
  destruct (code_columns _ _) as (xs, known_) eqn:Codes.
  set (columns := make_columns xs 0 (features t) known_) in *. set (d := data (length (labels t)) (whole unit) xs (map kind_of columns)) in *.
  set (wide := map place (filter is_wide columns)) in *.
  destruct (forallb (fun r => 0 <=? weighs r) rs) eqn:Weights; [|discriminate]. destruct (forallb (few_enough xs wide) columns) eqn:Few; [|discriminate].
  cbn [andb negb] in H. destruct (most_units <=? _); [discriminate|]. destruct (is_empty wide || tells_shares unit rs) eqn:Fine; [|discriminate]. cbn [negb] in H.
  destruct (all_orderings d columns (orderings_read h) []) as [os|]; [|discriminate].
  set (p := Verify.Proof _ _ _ _ _ _ os body) in *. destruct (largest_whole <? _); [discriminate|]. destruct (Fast.fast_verify d p) eqn:V; [|discriminate].
  inversion H as [Said_]. clear H. eexists. split; [reflexivity|].
  split; [|unfold claim_of; cbn [restricted]; apply orb_true_iff in Fine; destruct Fine as [Fine|Fine]; [left; destruct wide; [reflexivity|discriminate]|auto]].
  rewrite forallb_forall in Weights.
  destruct (as_codes t (length (labels t)) (whole unit) wide xs known_ columns Codes eq_refl (le_n _) Few) as (Perm & Trees_). fold rs in Perm, Trees_.
  assert (Checked : Merged.well_formed d && (0 <=? Verify.price p) = true).
  { unfold Fast.fast_verify in V. rewrite !andb_true_iff in V. rewrite andb_true_iff. tauto. }
  apply andb_true_iff in Checked. destruct Checked as (Fit & Price). apply Z.leb_le in Price.
  assert (Long : forall r, In r rs -> length (costs r) = length (labels t)).
  { intros r I. eapply Permutation_in in I; [|apply Permutation_sym, Perm]. apply in_map_iff in I. destruct I as (x & <- & X).
    unfold Merged.well_formed in Fit. rewrite forallb_forall in Fit. specialize (Fit (coded_row (whole unit) x) (in_map _ _ _ X)).
    apply andb_true_iff in Fit. destruct Fit as (Fit & _). apply Nat.eqb_eq in Fit. simpl in Fit. rewrite length_whole in Fit. exact Fit. }
  intros u F Du Su Hu. destruct (Trees_ u (family_splits _ _ _ _ _ F)) as (v & _ & Fv & Dv & Sv & Pv & Hv). fold d in Fv, Hv. specialize (Fv F).
  pose proof (Same.check_sound d p V v Fv) as B. cbn [restricted claim_of most_depth most_splits least_rows price bound] in *.
  assert (Spoken : Verify.spoken_of d p v).
  { split; [rewrite Dv; exact Du|]. split; [rewrite Sv; exact Su|]. apply Hv, Hu. }
  specialize (B Spoken). unfold Verify.tree_cost in B. rewrite Sv in B.
  assert (Lo : Rows.raw_loss v (Rows.rows d) = sum_of (fun r => at_label (predict u r) (whole unit r)) rs).
  { unfold Rows.raw_loss. rewrite sum_rows_of, <- (sum_of_perm _ _ _ Perm). unfold d. simpl Rows.rows. rewrite !sum_of_map. apply sum_of_ext.
    intros x X. simpl. rewrite Pv by exact X. reflexivity. }
  rewrite Lo in B.
  assert (Pays := rows_pay t unit rs wide Long (fun r I => proj1 (Z.leb_le _ _) (Weights r I)) u F). destruct Pays as (Pa & Pb).
  refine (bound_of_loss _ _ _ _ _ _ _ _ _ _ U Price (splits_at_least_none u) B Pa Pb).
  pose proof (Trees.power_of_two_pos (Z.to_nat (grid_read h))). unfold Verify.steps. simpl. lia.
Qed.

(* Squared error. *)
Definition grid_good (g : grid) : Prop := 0 < Amounts.unit g /\ 0 < tens g /\ 0 < below g /\ 0 < up g /\ 0 < down g.

Lemma grid_fits h target unit : 0 < unit -> grid_good (grid_of h target unit).
Proof. intros U. unfold grid_good, grid_of. cbn. repeat split; try exact U; apply Z.pow_pos_nonneg; lia. Qed.

Lemma sum_zero_each {A} (f : A -> Z) xs : (forall x, In x xs -> 0 <= f x) -> sum_of f xs = 0 -> forall x, In x xs -> f x = 0.
Proof.
  induction xs as [|x xs IH]; intros N S y I; [destruct I|]. simpl in S. pose proof (N x (or_introl eq_refl)).
  assert (N' : forall z, In z xs -> 0 <= f z) by (intros; apply N; simpl; auto).
  assert (0 <= sum_of f xs). { clear - N'. induction xs as [|z xs IH]; simpl; [lia|]. pose proof (N' z (or_introl eq_refl)). pose proof (IH (fun y Y => N' y (or_intror Y))). lia. }
  destruct I as [<-|I]; [lia|]. apply IH; auto; lia.
Qed.

Lemma mix_fits g counted rs d : grid_good g -> (forall r, In r rs -> 0 <= whole_weight g r) -> let m := mix_for g counted (sum_of (moved g) rs) in
  0 <= of_sum m /\ 0 < of_first m /\ 0 <= of_second m /\ of_sum m <= of_first m /\
  forall r, In r rs -> whole_weight g r <> 0 -> forall x, of_sum m * (x - d * off g r) ^ 2 <= of_first m * x ^ 2 + of_second m * (d * off g r) ^ 2.
Proof.
  intros (U & T & Be & _ & _) A m. unfold m, mix_for. pose proof (fine_pos g Be) as Fp. destruct (Z.eqb_spec (sum_of (moved g) rs) 0) as [S|S].
  - cbn [of_sum of_first of_second]. repeat split; try lia. intros r I N x.
    pose proof (sum_zero_each (moved g) rs (fun q Q => moved_nonneg g q Fp (A q Q)) S r I) as M. unfold moved in M.
    destruct (Z.eqb_spec (whole_weight g r) 0); [contradiction|].
    pose proof (Squares.rounded_up_ge (off g r * off g r * parts) (whole_weight g r * (fine g * fine g))) as R. rewrite M in R.
    specialize (A r I). assert (off g r = 0). { assert (0 < parts) by reflexivity. specialize (R ltac:(apply Z.mul_pos_pos; [lia|apply Z.mul_pos_pos; lia])). nia. }
    rewrite H, Z.mul_0_r, Z.sub_0_r. lia.
  - set (a := 2 ^ 64). assert (Ap : 0 < a) by reflexivity. set (b := Z.max 0 _). assert (Bn : 0 <= b) by (unfold b; lia). clearbody a b.
    cbn [of_sum of_first of_second]. repeat split; try nia. intros r _ _ x. set (y := d * off g r). pose proof (power_nonneg (a * x + b * y)).
    replace (a * (a + b) * x ^ 2 + b * (a + b) * y ^ 2) with (a * b * (x - y) ^ 2 + (a * x + b * y) ^ 2) by ring. lia.
Qed.

Lemma last_digit_pos n : 0 < last_digit n.
Proof. unfold last_digit. apply Z.pow_pos_nonneg; unfold ten; lia. Qed.
Lemma shorter_down_le n : shorter_down n <= n.
Proof. unfold shorter_down. rewrite Z.mul_comm. apply Z.mul_div_le, last_digit_pos. Qed.
Lemma shorter_up_ge n : n <= shorter_up n.
Proof. unfold shorter_up. rewrite Z.mul_comm. apply Squares.rounded_up_ge, last_digit_pos. Qed.

(* From fractions to the digits that are said. `f` is what the denominators of the bound and of the price have in common. *)
Lemma digits_hold s parts_ f over_ price_over_ price_under_ loss_ n d : 0 < s -> 0 < parts_ -> 0 < f -> 0 <= price_over_ -> 0 < price_under_ -> 0 <= loss_ -> 0 <= n ->
  d ^ 2 * over_ <= f * price_under_ * loss_ + d ^ 2 * f * (price_over_ * n) ->
  shorter_down (Z.max 0 (rounded_down (over_ * parts_) (f * price_under_ * s))) * (s * d ^ 2) <=
  parts_ * loss_ + shorter_up (rounded_up (price_over_ * parts_) (price_under_ * s)) * n * (s * d ^ 2).
Proof.
  intros S P F Po Pu L N H. pose proof (power_nonneg d) as D. set (dd := d ^ 2) in *. clearbody dd.
  set (q := rounded_down _ _). pose proof (shorter_down_le (Z.max 0 q)) as Sd. set (b := shorter_down _) in *. clearbody b.
  set (r := rounded_up _ _). pose proof (shorter_up_ge r) as Su. set (p := shorter_up r) in *. clearbody p.
  assert (R : price_over_ * parts_ <= price_under_ * s * p).
  { etransitivity; [apply (Squares.rounded_up_ge _ (price_under_ * s)), Z.mul_pos_pos; lia|]. fold (rounded_up (price_over_ * parts_) (price_under_ * s)).
    apply Z.mul_le_mono_nonneg_l; [apply Z.mul_nonneg_nonneg; lia|exact Su]. }
  assert (Pn : 0 <= p).
  { assert (0 <= r); [|lia]. unfold r, rounded_up. apply Squares.rounded_up_nonneg; [apply Z.mul_nonneg_nonneg|apply Z.mul_pos_pos]; lia. }
  assert (Pay : 0 <= p * n * (s * dd)) by (repeat apply Z.mul_nonneg_nonneg; lia).
  destruct (Z.le_gt_cases q 0) as [Q|Q].
  - assert (b * (s * dd) <= 0 * (s * dd)) by (apply Z.mul_le_mono_nonneg_r; [apply Z.mul_nonneg_nonneg; lia|lia]).
    assert (0 <= parts_ * loss_) by (apply Z.mul_nonneg_nonneg; lia). lia.
  - assert (X : f * price_under_ * s * b <= over_ * parts_).
    { etransitivity; [apply Z.mul_le_mono_nonneg_l; [repeat apply Z.mul_nonneg_nonneg; lia|]|apply Z.mul_div_le; repeat apply Z.mul_pos_pos; lia].
      fold (rounded_down (over_ * parts_) (f * price_under_ * s)). fold q. lia. }
    assert (X' : dd * (f * price_under_ * s * b) <= dd * (over_ * parts_)) by (apply Z.mul_le_mono_nonneg_l; assumption).
    assert (H' : parts_ * (dd * over_) <= parts_ * (f * price_under_ * loss_ + dd * f * (price_over_ * n))) by (apply Z.mul_le_mono_nonneg_l; lia).
    assert (R' : dd * f * n * (price_over_ * parts_) <= dd * f * n * (price_under_ * s * p)) by (apply Z.mul_le_mono_nonneg_l; [repeat apply Z.mul_nonneg_nonneg; lia|exact R]).
    apply (Z.mul_le_mono_pos_l _ _ (f * price_under_)); [apply Z.mul_pos_pos; lia|].
    replace (f * price_under_ * (b * (s * dd))) with (dd * (f * price_under_ * s * b)) by ring.
    replace (f * price_under_ * (parts_ * loss_ + p * n * (s * dd))) with (parts_ * (f * price_under_ * loss_) + dd * f * n * (price_under_ * s * p)) by ring.
    rewrite (Z.mul_add_distr_l parts_) in H'. replace (parts_ * (dd * f * (price_over_ * n))) with (dd * f * n * (price_over_ * parts_)) in H' by ring. lia.
Qed.

(* The same splits, with other labels. *)
Fixpoint relabeled (f : Z -> Z) (u : tree) : tree :=
  match u with
  | Leaf k => Leaf (f k)
  | Node s low high => Node s (relabeled f low) (relabeled f high)
  end.
Lemma relabeled_predict f u r : predict (relabeled f u) r = f (predict u r).
Proof. induction u as [k|s low IHl high IHr]; simpl; [reflexivity|]. destruct (goes_left s r); assumption. Qed.
Lemma relabeled_depth f u : depth (relabeled f u) = depth u.
Proof. induction u as [k|s low IHl high IHr]; simpl; [reflexivity|]. rewrite IHl, IHr. reflexivity. Qed.
Lemma relabeled_splits f u : splits (relabeled f u) = splits u.
Proof. induction u as [k|s low IHl high IHr]; simpl; [reflexivity|]. rewrite IHl, IHr. reflexivity. Qed.
Lemma relabeled_holds f m u : forall rs, leaves_hold m u rs -> leaves_hold m (relabeled f u) rs.
Proof. induction u as [k|s low IHl high IHr]; intros rs; simpl; [auto|]. intros (L & R). split; auto. Qed.
Lemma relabeled_family f t count_of rs u : has_splits_of t u -> splits_in_family t count_of rs [] (relabeled f u).
Proof.
  unfold splits_in_family.
  induction u as [k|s low IHl high IHr]; simpl; [auto|]. intros (F & L & R). split; [|auto].
  destruct s as [j x b|j levels]; [exact F|]. split; [exact F|]. intros [].
Qed.

Lemma numbers_sound t h g body said : (length (labels t) <= 2)%nat -> grid_good g -> judge_numbers t h g body = Said said ->
  exists c, said = verified ++ sentence t c /\ numbers_hold t c /\ restricted c = [].
Proof.
  intros Two Good H. pose proof Good as (U & Tp & Be & Up & Dn). unfold judge_numbers in H. set (rs := rows_of t) in *.
  destruct (code_columns _ _) as (xs, known_) eqn:Codes.
  set (columns := make_columns xs 0 (features t) known_) in *. set (data_ := data 2 (whole_sums g) xs (map kind_of columns)) in *.
  destruct (negb (has_room g)); [discriminate|]. destruct (existsb is_wide columns); [discriminate|].
  destruct (forallb (fun r => 0 <=? weighs r) rs) eqn:Weights; [|discriminate]. destruct (forallb (few_enough xs []) columns) eqn:Few; [|discriminate].
  cbn [andb negb] in H. destruct (negb (exact_on g rs)); [discriminate|].
  destruct (all_orderings data_ columns (orderings_read h) []) as [os|]; [|discriminate].
  set (p := Verify.Proof _ _ _ _ _ _ os body) in *. destruct (Squared.squares_hold (up g) (down g) data_ p) eqn:V; [|discriminate].
  inversion H as [Said_]. clear H. eexists. split; [reflexivity|]. split; [|reflexivity].
  rewrite forallb_forall in Weights.
  destruct (as_codes t 2 (whole_sums g) [] xs known_ columns Codes eq_refl Two Few) as (Perm & Trees_). fold rs data_ in Perm, Trees_.
  assert (Checked : (0 <=? Verify.price p) = true /\ forallb Squared.has_sums (Rows.rows data_) = true).
  { unfold Squared.squares_hold in V. rewrite !andb_true_iff in V. tauto. }
  destruct Checked as (Price & Sums). apply Z.leb_le in Price. rewrite forallb_forall in Sums.
  assert (Sound : forall r, In r rs -> Squares.sound_sums (whole_weight g r) (whole_amount g r)).
  { intros r I. eapply Permutation_in in I; [|apply Permutation_sym, Perm]. apply in_map_iff in I. destruct I as (x & <- & X).
    apply (Squared.has_sums_of (coded_row (whole_sums g) x)), Sums. apply (in_map _ _ _ X). }
  intros d u D F Du Su Hu.
  assert (Ends : exists low high, (match extremes g rs with Some (low, high) => range g low high | None => 0 end) = range g low high /\
    forall r, In r rs -> whole_weight g r <> 0 -> low <= predicted r <= high).
  { destruct (extremes g rs) as [(low, high)|] eqn:X.
    - exists low, high. split; [reflexivity|]. apply (extremes_hold g rs low high X).
    - exists 0, 0. split; [unfold range; ring|]. intros r I N. exfalso. apply N, (extremes_none g rs X r I). }
  destruct Ends as (low & high & Range & Within).
  destruct (Trees_ (relabeled (on_grid g low high d) u) (relabeled_family _ _ _ _ _ F)) as (v & Iv & _ & Dv & Sv & Pv & Hv). fold data_ in Iv, Hv.
  rewrite relabeled_depth in Dv. rewrite relabeled_splits in Sv.
  cbn [number_claim restricted most_depth most_splits least_rows price bound] in *.
  assert (Ep : 0 < E g d) by (apply Z.mul_pos_pos; [exact D|apply fine_pos, Be]).
  assert (Spoken : Verify.spoken_of data_ p v).
  { split; [rewrite Dv; exact Du|]. split; [rewrite Sv; exact Su|]. apply Hv, relabeled_holds, Hu. }
  pose proof (Squared.squares_sound (up g) (down g) Up Dn (E g d) Ep data_ p V v Iv Spoken) as B. rewrite Sv in B.
  assert (Lo : Rows.sum_rows (Squared.row_loses (up g) (down g) (E g d) v) (Rows.rows data_) =
    sum_of (fun r => grid_loses g d (on_grid g low high d (predict u r)) r) rs).
  { rewrite sum_rows_of, <- (sum_of_perm _ _ _ Perm). unfold data_. simpl Rows.rows. rewrite !sum_of_map. apply sum_of_ext.
    intros x X. unfold Squared.row_loses. simpl Rows.values. rewrite Pv by exact X. rewrite relabeled_predict. reflexivity. }
  rewrite Lo in B.
  pose proof (mix_fits g (bound_read h + Squared.square_lost (up g) (down g) os data_) rs d Good (fun r I => proj1 (Sound r I))) as Mix_. cbv zeta in Mix_.
  unfold number_claim. cbn [price bound]. fold rs. rewrite Range. set (counted := bound_read h + _) in *. set (m := mix_for g counted _) in *.
  destruct Mix_ as (M1 & M2 & M3 & M4 & M5).
  pose proof (bound_of_rows g rs U Tp Be Up Dn (fun r I => proj1 (Z.leb_le _ _) (Weights r I)) low high Within d D m M1 M2 M3 M5 Sound (predict u)
    counted (price_read h) (splits u) Price (splits_at_least_none u) M4 B) as Bound.
  assert (Pp : 0 < parts) by reflexivity. pose proof scale_pos as Sc. pose proof (fine_pos g Be) as Fp.
  replace (under g m) with (parts * of_first m * price_under g) in * by (unfold under, price_under; ring).
  apply digits_hold; [apply Z.pow_pos_nonneg; lia|apply Z.pow_pos_nonneg; [unfold ten|unfold finest]; lia|apply Z.mul_pos_pos; lia| | |
    |apply splits_at_least_none|exact Bound].
  - unfold price_over. simpl in Price. repeat apply Z.mul_nonneg_nonneg; lia.
  - unfold price_under. repeat apply Z.mul_pos_pos; lia.
  - apply (sum_of_nonneg (fun r => weighs r * (d * predicted r - scale * predict u r) ^ 2)). intros r I. apply Z.mul_nonneg_nonneg; [apply Z.leb_le, Weights, I|apply power_nonneg].
Qed.

Lemma no_labels t : well_formed t = true -> target t <> None -> (length (labels t) <= 2)%nat.
Proof.
  unfold well_formed. rewrite !andb_true_iff. intros W T. assert (L : has_labels t = true) by tauto. unfold has_labels in L.
  destruct (target t); [|contradiction]. destruct (class t); [discriminate|]. rewrite !andb_true_iff in L. destruct (labels t); [simpl; lia|].
  destruct L as ((_ & L) & _). discriminate.
Qed.

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
  destruct (target t) eqn:T, (target_read h) as [target|]; try discriminate.
  - destruct (numbers_sound t h (grid_of h target unit) body said) as (c & S & N & Re); [apply no_labels; [exact W|congruence]|apply grid_fits, U|exact H|].
    exists t, unit, c. unfold holds. rewrite T. auto 10.
  - destruct (rows_sound t unit h body said U H) as (c & S & N & Re). exists t, unit, c. unfold holds. rewrite T. auto 10.
Qed.
