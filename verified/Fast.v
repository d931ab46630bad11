(* The checker that is run. It does what check does (Same.v); it only goes through the items fewer times: ranks stand beside the items of
   a list, and both sides of all named cuts of an ordering are recounted in one pass, without lists of their own. Where leaves must hold m rows (m is
   not 0), that pass gives the bounds on all trees; those within the limit are recounted one side after the other, and numbers of a proof are read by
   the plain functions. *)

From Coq Require Import ZArith List Bool.
From Treewright Require Import Trees Counts Checker Alike Rows Merged Family Verify.
Import ListNotations.
Open Scope Z_scope.

Definition entry := (Z * item)%type.
Record fast_part := FastPart { fast_base : list item; fast_lists : list (list bool * list entry) }.

Fixpoint entries_below (path : list bool) (t : Z) (es : list entry) : list entry :=
  match es with
  | [] => []
  | e :: rest => if look path (ranks (snd e)) <? t then e :: entries_below path t rest else entries_below path t rest
  end.
Fixpoint entries_above (path : list bool) (t : Z) (es : list entry) : list entry :=
  match es with
  | [] => []
  | e :: rest => if look path (ranks (snd e)) <? t then entries_above path t rest else e :: entries_above path t rest
  end.

Definition fast_low (path : list bool) (t : Z) (p : fast_part) : fast_part :=
  FastPart (low (ordering_at path) t (fast_base p)) (map (fun l => (fst l, entries_below path t (snd l))) (fast_lists p)).
Definition fast_high (path : list bool) (t : Z) (p : fast_part) : fast_part :=
  FastPart (high (ordering_at path) t (fast_base p)) (map (fun l => (fst l, entries_above path t (snd l))) (fast_lists p)).

Definition first_rank (es : list entry) : Z :=
  match es with
  | [] => 0
  | e :: _ => fst e
  end.

Section Scans.

Variable lv : leaves.

Fixpoint fast_scan (all : list Z) (es : list entry) (previous : Z) (cs : list Z) (right : Z) : Z :=
  match es with
  | [] => right
  | (r, y) :: rest =>
      fast_scan all rest r (plus (gains y) cs) (if r =? previous then right else Z.max right (gain_both lv all cs))
  end.

Fixpoint fast_scan_all (zero all : list Z) (ls : list (list bool * list entry)) (right : Z) : Z :=
  match ls with
  | [] => right
  | (_, es) :: rest => fast_scan_all zero all rest (fast_scan all es (first_rank es - 1) zero right)
  end.

(* The same where both leaves must hold m of the `held` rows. *)
Fixpoint fast_scan_within (m held : Z) (all : list Z) (es : list entry) (previous n : Z) (cs : list Z) (right : Z) : Z :=
  match es with
  | [] => right
  | (r, y) :: rest =>
      fast_scan_within m held all rest r (n + size y) (plus (gains y) cs)
        (if (r =? previous) || negb (enough m held n) then right else Z.max right (gain_both lv all cs))
  end.

Fixpoint fast_scan_all_within (m held : Z) (zero all : list Z) (ls : list (list bool * list entry)) (right : Z) : Z :=
  match ls with
  | [] => right
  | (_, es) :: rest => fast_scan_all_within m held zero all rest (fast_scan_within m held all es (first_rank es - 1) 0 zero right)
  end.

Definition fast_side_bound (price m n : Z) (p : fast_part) : Z :=
  let cs := counts (kept lv) (fast_base p) in
  let all := all_reach (fast_base p) in
  one_side n (all - leaf_gain lv cs) (price + all -
    (if m =? 0 then fast_scan_all (zeros (kept lv)) cs (fast_lists p) 0
     else fast_scan_all_within m (all_rows (fast_base p)) (zeros (kept lv)) cs (fast_lists p) 0)).
Definition fast_stump (price m : Z) (p : fast_part) : Z := fast_side_bound price m 1 p.

(* The scan on both sides of a cut: of the side below the rank `at_` of an ordering, and of the other one, the reach, the labels' gains, the rank
   and the labels' gains before the place, and the most that two leaves gain. *)
Record scanned := Scanned {
  at_ : Z;
  reach_low : Z; reach_high : Z;
  all_low : list Z; all_high : list Z;
  previous_low : Z; cs_low : list Z; right_low : Z;
  previous_high : Z; cs_high : list Z; right_high : Z
}.

(* The item y, of rank r, and of rank q in the ordering of the cut. *)
Definition scan_step (q r : Z) (y : item) (s : scanned) : scanned :=
  if q <? at_ s then
    Scanned (at_ s) (reach_low s) (reach_high s) (all_low s) (all_high s)
      r (plus (gains y) (cs_low s))
      (if r =? previous_low s then right_low s else Z.max (right_low s) (gain_both lv (all_low s) (cs_low s)))
      (previous_high s) (cs_high s) (right_high s)
  else
    Scanned (at_ s) (reach_low s) (reach_high s) (all_low s) (all_high s)
      (previous_low s) (cs_low s) (right_low s)
      r (plus (gains y) (cs_high s))
      (if r =? previous_high s then right_high s else Z.max (right_high s) (gain_both lv (all_high s) (cs_high s))).

(* All cuts of the ordering `path` at once: finding an item's rank takes longer than all the rest. *)
Fixpoint scan_many (path : list bool) (es : list entry) (ss : list scanned) : list scanned :=
  match es with
  | [] => ss
  | (r, y) :: rest => let q := look path (ranks y) in scan_many path rest (map (scan_step q r y) ss)
  end.

Definition restart (zero : list Z) (before : Z) (s : scanned) : scanned :=
  Scanned (at_ s) (reach_low s) (reach_high s) (all_low s) (all_high s) before zero (right_low s) before zero (right_high s).

Fixpoint scan_many_all (path : list bool) (zero : list Z) (ls : list (list bool * list entry)) (ss : list scanned) : list scanned :=
  match ls with
  | [] => ss
  | (_, es) :: rest => scan_many_all path zero rest (scan_many path es (map (restart zero (first_rank es - 1)) ss))
  end.

End Scans.

Fixpoint counts_both (path : list bool) (t : Z) (xs : list item) (cs_low cs_high : list Z) : list Z * list Z :=
  match xs with
  | [] => (cs_low, cs_high)
  | x :: rest =>
      if look path (ranks x) <? t then counts_both path t rest (plus (gains x) cs_low) cs_high
      else counts_both path t rest cs_low (plus (gains x) cs_high)
  end.

Fixpoint reach_both (path : list bool) (t : Z) (xs : list item) (w_low w_high : Z) : Z * Z :=
  match xs with
  | [] => (w_low, w_high)
  | x :: rest =>
      if look path (ranks x) <? t then reach_both path t rest (w_low + reach x) w_high
      else reach_both path t rest w_low (w_high + reach x)
  end.

Fixpoint reach_below (t : Z) (es : list entry) (w : Z) : Z :=
  match es with
  | [] => w
  | (r, y) :: rest => reach_below t rest (if r <? t then w + reach y else w)
  end.

Fixpoint reach_sum (es : list entry) (w : Z) : Z :=
  match es with
  | [] => w
  | (_, y) :: rest => reach_sum rest (w + reach y)
  end.

Fixpoint fast_profile (es : list entry) (previous w : Z) : list (Z * Z) :=
  match es with
  | [] => []
  | (r, y) :: rest => if r =? previous then fast_profile rest r (w + reach y) else (r, w) :: fast_profile rest r (w + reach y)
  end.
Definition fast_cuts (es : list entry) : list (Z * Z) := fast_profile es (first_rank es) 0.

Section Fast.

Variable lv : leaves.
Variable price : Z.

Definition scan_start (p : fast_part) (path : list bool) (t : Z) : scanned :=
  let zero := zeros (kept lv) in
  let (w_low, w_high) := reach_both path t (fast_base p) 0 0 in
  let (cs_low, cs_high) := counts_both path t (fast_base p) zero zero in
  Scanned t w_low w_high cs_low cs_high 0 zero 0 0 zero 0.

Definition named_for_all (t w l r : Z) : named := Named t w l r l r.

Definition scan_end (es : list entry) (share : Z * Z) (s : scanned) : named :=
  named_for_all (at_ s) (reach_below (at_ s) es 0)
    (one_side (fst share) (reach_low s - leaf_gain lv (all_low s)) (price + reach_low s - right_low s))
    (one_side (snd share) (reach_high s - leaf_gain lv (all_high s)) (price + reach_high s - right_high s)).

Definition fast_recounted (p : fast_part) (path : list bool) (es : list entry) (share : Z * Z) (ts : list Z) : list named :=
  map (scan_end es share) (scan_many_all lv path (zeros (kept lv)) (fast_lists p) (map (scan_start p path) ts)).

(* A cut with bounds on all trees, and on those whose leaves hold enough rows. *)
Definition within_limit (m : Z) (p : fast_part) (path : list bool) (share : Z * Z) (b : named) : named :=
  Named (rank b) (before b)
    (fast_side_bound lv price m (fst share) (fast_low path (rank b) p))
    (fast_side_bound lv price m (snd share) (fast_high path (rank b) p))
    (left_all b) (right_all b).
Definition any_recounted (m : Z) (p : fast_part) (path : list bool) (es : list entry) (share : Z * Z) (ts : list Z) : list named :=
  let of_all := fast_recounted p path es share ts in
  if m =? 0 then of_all else map (within_limit m p path share) of_all.

Definition any_cuts (m : Z) (path : list bool) (es : list entry) (ts : list (Z * Z)) : list (Z * Z) :=
  if m =? 0 then ts else cuts m (ordering_at path) (map snd es).

Definition fast_walk (c shallow : Z) (es : list entry) (ts : list (Z * Z)) (ns : list named) : bool :=
  walk lv price c (Named 0 (reach_sum es 0) shallow 0 0 0) ts (Named 0 0 0 shallow 0 0) ns.

Fixpoint fast_named (es : list entry) (s : stream) (n previous : Z) : option (list named * stream) :=
  if n =? 0 then Some ([], s)
  else match s with
       | step :: l :: r :: s =>
           if step <=? 0 then None
           else let t := previous + step in
                match fast_named es s (n - 1) t with
                | Some (ns, s) => Some (named_for_all t (reach_below t es 0) l r :: ns, s)
                | None => None
                end
       | _ => None
       end.

Fixpoint fast_two_shares (m : Z) (p : fast_part) (c shallow : Z) (path : list bool) (es : list entry) (ts : list (Z * Z)) (shs : list (Z * Z))
  (s : stream) : option stream :=
  match shs with
  | [] => Some s
  | share :: rest =>
      match s with
      | [] => None
      | n :: s =>
          match (if n =? 0 then all_cuts ts s else read_ranks s (n - 1) (first_rank es)) with
          | Some (rs, s) =>
              if fast_walk c shallow es ts (any_recounted m p path es share rs) then fast_two_shares m p c shallow path es ts rest s else None
          | None => None
          end
      end
  end.

Fixpoint fast_two (m : Z) (p : fast_part) (c shallow : Z) (shs : list (Z * Z)) (ls : list (list bool * list entry)) (s : stream) : option stream :=
  match ls with
  | [] => Some s
  | (path, es) :: rest =>
      match fast_cuts es with
      | [] => fast_two m p c shallow shs rest s
      | ts =>
          match fast_two_shares m p c shallow path es (any_cuts m path es ts) shs s with
          | Some s => fast_two m p c shallow shs rest s
          | None => None
          end
      end
  end.

Fixpoint fast_named_shares (c shallow : Z) (es : list entry) (ts : list (Z * Z)) (shs : list (Z * Z)) (s : stream) :
  option (list (Z * Z * named) * stream) :=
  match shs with
  | [] => Some ([], s)
  | share :: rest =>
      match s with
      | [] => None
      | n :: s =>
          if n =? 0 then None
          else match fast_named es s (n - 1) (first_rank es) with
               | Some (ns, s) =>
                   if fast_walk c shallow es ts ns then
                     match fast_named_shares c shallow es ts rest s with
                     | Some (others, s) => Some (map (pair share) ns ++ others, s)
                     | None => None
                     end
                   else None
               | None => None
               end
      end
  end.

Definition any_named_shares (m c shallow : Z) (path : list bool) (es : list entry) (ts : list (Z * Z)) (shs : list (Z * Z)) (s : stream) :
  option (list (Z * Z * named) * stream) :=
  if m =? 0 then fast_named_shares c shallow es ts shs s
  else named_shares lv price m c shallow (ordering_at path) (map snd es) (any_cuts m path es ts) shs s.

Fixpoint fast_check_named (m c shallow : Z) (shs : list (Z * Z)) (ls : list (list bool * list entry)) (s : stream) :
  option (list (list bool * (Z * Z * named)) * stream) :=
  match ls with
  | [] => Some ([], s)
  | (path, es) :: rest =>
      match fast_cuts es with
      | [] => fast_check_named m c shallow shs rest s
      | ts =>
          match any_named_shares m c shallow path es ts shs s with
          | Some (ns, s) =>
              match fast_check_named m c shallow shs rest s with
              | Some (others, s) => Some (map (pair path) ns ++ others, s)
              | None => None
              end
          | None => None
          end
      end
  end.

Fixpoint fast_sides (check : Z -> Z -> fast_part -> Z -> stream -> option stream) (m : Z) (p : fast_part)
  (ns : list (list bool * (Z * Z * named))) (s : stream) : option stream :=
  match ns with
  | [] => Some s
  | (path, (share, b)) :: rest =>
      match check_side check m (fst share) (fast_low path (rank b) p) (left b) (left_all b) s with
      | Some s =>
          match check_side check m (snd share) (fast_high path (rank b) p) (right b) (right_all b) s with
          | Some s => fast_sides check m p rest s
          | None => None
          end
      | None => None
      end
  end.

Fixpoint fast_check (d : nat) (m splits : Z) (p : fast_part) (c : Z) (s : stream) : option stream :=
  let n := Z.min splits (power_of_two d - 1) in
  let cs := counts (kept lv) (fast_base p) in
  let all := all_reach (fast_base p) in
  if c <=? trivial lv price (n + 1) all cs then Some s
  else if all - leaf_gain lv cs <? c then None
  else match d with
       | O => None
       | S d1 =>
           if n <=? 0 then None
           else if n =? 1 then if c <=? fast_stump lv price m p then Some s else None
           else if (n =? 2) || Nat.eqb d1 1 then fast_two m p c (fast_stump lv price m p) (shares d1 n) (fast_lists p) s
           else match s with
                | [] => None
                | shallow :: s =>
                    match fast_check d1 m (n - 1) p shallow s with
                    | Some s =>
                        match fast_check_named m c shallow (shares d1 n) (fast_lists p) s with
                        | Some (ns, s) => fast_sides (fast_check d1) m p ns s
                        | None => None
                        end
                    | None => None
                    end
                end
       end.

End Fast.

(* The whole table in fast form. *)
Definition sorted_entries (path : list bool) (xs : list item) : list entry :=
  KeySort.sort (map (fun x => (look path (ranks x), x)) xs).
Definition fast_whole (ps : list (list bool)) (xs : list item) : fast_part := FastPart xs (map (fun path => (path, sorted_entries path xs)) ps).

Fixpoint fast_keep (ls : list (list bool * list entry)) (kept : list (list bool * list entry)) (known_ : list (ordering * list item)) :
  list (list bool * list entry) :=
  match ls with
  | [] => rev kept
  | (path, es) :: rest =>
      let f := ordering_at path in
      let ys := map snd es in
      if one_rank f ys || known f ys known_ then fast_keep rest kept known_
      else fast_keep rest ((path, es) :: kept) ((f, ys) :: known_)
  end.

Definition fast_distinct (p : fast_part) : fast_part := FastPart (fast_base p) (fast_keep (fast_lists p) [] []).

Definition fast_verify (data : table) (p : proof) : bool :=
  (0 <=? price p) && well_formed data && covers data (orderings p) &&
  let items := items_of (least_rows p) (orderings p) (groups_of (in_steps p data)) in
  let part := fast_distinct (fast_whole (all_paths (orderings p)) items) in
  match fast_check (leaves_of_labels (classes data)) (price p) (levels p) (least_rows p) (splits_allowed p) part (bound p) (body p) with
  | Some [] => true
  | _ => false
  end.
