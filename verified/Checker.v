(* The checker. Why what it accepts is true: Soundness.v.

   A part is a list of items with a copy of it for each ordering, sorted by rank. `check d m n p c s` reads the proof that no tree of at most d levels
   and n splits on the part p, with at least m rows in each leaf, costs less than c from the numbers s, and returns those that follow.
   docs/proof-format.md describes them. m = 0: a part that is not limited. *)

From Coq Require Import ZArith List Bool Lia Permutation Sorted.
From Treewright Require Import Trees Counts.
Import ListNotations.
Open Scope Z_scope.

Record part := Part { base : list item; lists : list (ordering * list item) }.

Definition low_side (f : ordering) (t : Z) (p : part) : part :=
  Part (low f t (base p)) (map (fun l => (fst l, low f t (snd l))) (lists p)).
Definition high_side (f : ordering) (t : Z) (p : part) : part :=
  Part (high f t (base p)) (map (fun l => (fst l, high f t (snd l))) (lists p)).

(* What leaves cost: the reach of their items, less what a leaf gains of that. It is told by the numbers that are counted of its items. *)
Record leaves := Leaves {
  kept : nat;  (* how many numbers *)
  leaf_gain : list Z -> Z;
  gain_both : list Z -> list Z -> Z;  (* two leaves together: the numbers of all items, and those of one leaf *)
  trivial : Z -> Z -> Z -> list Z -> Z;  (* the trivial bound: price, leaves, reach and numbers *)
  by_reach : bool  (* whether an item costs at most its reach *)
}.

(* The most that a label gains of the rest. *)
Fixpoint most_rest (all cs : list Z) : Z :=
  match all, cs with
  | a :: all, c :: cs => Z.max (a - c) (most_rest all cs)
  | _, _ => 0
  end.

Definition leaves_of_labels (classes : nat) : leaves := Leaves classes most (fun all cs => most cs + most_rest all cs) trivial_bound true.

(* Whether both sides have enough rows: n of all. *)
Definition enough (m all n : Z) : bool := (m =? 0) || ((m <=? n) && (m <=? all - n)).

Section Leaves.

Variable lv : leaves.

(* The most that the two leaves of a split of an ordering gain. `held`, `n`: rows of all items and of those before the place.
   (A leaf gains no more than with a split: the place before the first item may be counted.) *)
Fixpoint scan (m : Z) (f : ordering) (held : Z) (all : list Z) (ys : list item) (previous n : Z) (cs : list Z) (right : Z) : Z :=
  match ys with
  | [] => right
  | y :: rest =>
      let r := f y in
      scan m f held all rest r (n + size y) (plus (gains y) cs)
        (if (r =? previous) || negb (enough m held n) then right else Z.max right (gain_both lv all cs))
  end.

Definition lowest (f : ordering) (ys : list item) : Z :=
  match ys with
  | [] => 0
  | y :: _ => f y
  end.

Fixpoint scan_all (m held : Z) (zero all : list Z) (ls : list (ordering * list item)) (right : Z) : Z :=
  match ls with
  | [] => right
  | (f, ys) :: rest => scan_all m held zero all rest (scan m f held all ys (lowest f ys - 1) 0 zero right)
  end.

(* The least cost with at most n splits, one at most. *)
Definition one_side (n leaf split : Z) : Z := if n =? 0 then leaf else if n =? 1 then Z.min leaf split else 0.

Definition side_bound (price m n : Z) (p : part) : Z :=
  let cs := counts (kept lv) (base p) in
  let all := all_reach (base p) in
  one_side n (all - leaf_gain lv cs) (price + all - scan_all m (all_rows (base p)) (zeros (kept lv)) cs (lists p) 0).
Definition stump (price m : Z) (p : part) : Z := side_bound price m 1 p.

End Leaves.

(* How n splits below and with a node may be shared between its sides, which have d levels each. *)
Definition shares (d : nat) (n : Z) : list (Z * Z) :=
  let full := power_of_two d - 1 in
  let below := n - 1 in
  if 2 * full <=? below then [(full, full)]
  else let first := Z.max 0 (below - full) in
       map (fun k => (k, below - k)) (from first (Z.to_nat (Z.min full below - first + 1))).

(* Each cut that parts the items and has enough rows, at the rank of the first item on its right side, with the reach on its left side. *)
Fixpoint profile (m : Z) (f : ordering) (held : Z) (ys : list item) (previous n w : Z) : list (Z * Z) :=
  match ys with
  | [] => []
  | y :: rest =>
      let r := f y in
      let more := profile m f held rest r (n + size y) (w + reach y) in
      if (r =? previous) || negb (enough m held n) then more else (r, w) :: more
  end.
Definition cuts (m : Z) (f : ordering) (ys : list item) : list (Z * Z) := profile m f (all_rows ys) ys (lowest f ys) 0 0.

(* A named cut: its rank, the reach on its left side, bounds on the trees of its left and right side, and bounds on all trees there, whatever
   their leaves hold. *)
Record named := Named { rank : Z; before : Z; left : Z; right : Z; left_all : Z; right_all : Z }.

Definition stream := list Z.

Section Checker.

Variable lv : leaves.
Variable price : Z.

(* A cut between two named ones, with reach w on its left side. *)
Definition between (c : Z) (a b : named) (w : Z) : bool :=
  if by_reach lv then c <=? price + Z.max (left_all a) (left b - (before b - w)) + Z.max (right_all b) (right a - (w - before a))
  else c <=? price + left_all a + right_all b.

(* Each cut costs at least c: the named ones, and those between two of them. *)
Fixpoint walk (c : Z) (last : named) (ts : list (Z * Z)) (a : named) (ns : list named) : bool :=
  match ts with
  | [] => match ns with [] => true | _ => false end
  | (t, w) :: ts =>
      match ns with
      | [] => between c a last w && walk c last ts a []
      | b :: rest =>
          if t <? rank b then between c a b w && walk c last ts a ns
          else if t =? rank b then (c <=? price + left b + right b) && walk c last ts b rest
          else false
      end
  end.

Definition walk_all (c shallow : Z) (f : ordering) (ys : list item) (ts : list (Z * Z)) (ns : list named) : bool :=
  walk c (Named 0 (all_reach ys) shallow 0 0 0) ts (Named 0 0 0 shallow 0 0) ns.

Fixpoint read_ranks (s : stream) (n previous : Z) : option (list Z * stream) :=
  if n =? 0 then Some ([], s)
  else match s with
       | step :: s =>
           if step <=? 0 then None
           else match read_ranks s (n - 1) (previous + step) with
                | Some (rs, s) => Some (previous + step :: rs, s)
                | None => None
                end
       | [] => None
       end.

(* Where leaves must hold rows, claims on all trees follow those within the limit. *)
Fixpoint read_named (m : Z) (f : ordering) (ys : list item) (s : stream) (n previous : Z) : option (list named * stream) :=
  if n =? 0 then Some ([], s)
  else match s with
       | step :: l :: r :: s =>
           let t := previous + step in
           if step <=? 0 then None
           else if m =? 0 then
             match read_named m f ys s (n - 1) t with
             | Some (ns, s) => Some (Named t (all_reach (low f t ys)) l r l r :: ns, s)
             | None => None
             end
           else
             match s with
             | l_all :: r_all :: s =>
                 if (l_all <=? l) && (r_all <=? r) then
                   match read_named m f ys s (n - 1) t with
                   | Some (ns, s) => Some (Named t (all_reach (low f t ys)) l r l_all r_all :: ns, s)
                   | None => None
                   end
                 else None
             | _ => None
             end
       | _ => None
       end.

Definition recounted (m : Z) (p : part) (f : ordering) (ys : list item) (share : Z * Z) (t : Z) : named :=
  let bound := side_bound lv price in
  let lo := low_side f t p in
  let hi := high_side f t p in
  Named t (all_reach (low f t ys)) (bound m (fst share) lo) (bound m (snd share) hi) (bound 0 (fst share) lo) (bound 0 (snd share) hi).

(* All cuts at once, where they are few: else a body of few bytes would ask for much work. *)
Definition few_cuts : nat := 3.
Definition all_cuts (ts : list (Z * Z)) (s : stream) : option (list Z * stream) :=
  if Nat.leb (length ts) few_cuts then Some (map fst ts, s) else None.

(* Where no side has two levels and two splits: the sides of the named cuts are stumps or leaves, which are recounted. *)
Fixpoint two_shares (m : Z) (p : part) (c shallow : Z) (f : ordering) (ys : list item) (ts : list (Z * Z)) (shs : list (Z * Z)) (s : stream) :
  option stream :=
  match shs with
  | [] => Some s
  | share :: rest =>
      match s with
      | [] => None
      | n :: s =>
          match (if n =? 0 then all_cuts ts s else read_ranks s (n - 1) (lowest f ys)) with
          | Some (rs, s) =>
              if walk_all c shallow f ys ts (map (recounted m p f ys share) rs) then two_shares m p c shallow f ys ts rest s else None
          | None => None
          end
      end
  end.

(* An ordering of one rank has no numbers; one whose cuts have too few rows has. *)
Fixpoint check_two (m : Z) (p : part) (c shallow : Z) (shs : list (Z * Z)) (ls : list (ordering * list item)) (s : stream) : option stream :=
  match ls with
  | [] => Some s
  | (f, ys) :: rest =>
      match cuts 0 f ys with
      | [] => check_two m p c shallow shs rest s
      | _ =>
          match two_shares m p c shallow f ys (cuts m f ys) shs s with
          | Some s => check_two m p c shallow shs rest s
          | None => None
          end
      end
  end.

(* Elsewhere: the named cuts of all orderings and shares; proofs of their bounds follow. *)
Fixpoint named_shares (m c shallow : Z) (f : ordering) (ys : list item) (ts : list (Z * Z)) (shs : list (Z * Z)) (s : stream) :
  option (list (Z * Z * named) * stream) :=
  match shs with
  | [] => Some ([], s)
  | share :: rest =>
      match s with
      | [] => None
      | n :: s =>
          if n =? 0 then None
          else match read_named m f ys s (n - 1) (lowest f ys) with
               | Some (ns, s) =>
                   if walk_all c shallow f ys ts ns then
                     match named_shares m c shallow f ys ts rest s with
                     | Some (others, s) => Some (map (pair share) ns ++ others, s)
                     | None => None
                     end
                   else None
               | None => None
               end
      end
  end.

Fixpoint check_named (m c shallow : Z) (shs : list (Z * Z)) (ls : list (ordering * list item)) (s : stream) :
  option (list (ordering * (Z * Z * named)) * stream) :=
  match ls with
  | [] => Some ([], s)
  | (f, ys) :: rest =>
      match cuts 0 f ys with
      | [] => check_named m c shallow shs rest s
      | _ =>
          match named_shares m c shallow f ys (cuts m f ys) shs s with
          | Some (ns, s) =>
              match check_named m c shallow shs rest s with
              | Some (others, s) => Some (map (pair f) ns ++ others, s)
              | None => None
              end
          | None => None
          end
      end
  end.

(* One side: the claim within the limit, where it is more than the one on all trees, and that one. *)
Definition check_side {side : Type} (check : Z -> Z -> side -> Z -> stream -> option stream) (m n : Z) (q : side) (c c_all : Z) (s : stream) :
  option stream :=
  match (if c_all <? c then check m n q c s else Some s) with
  | Some s => check 0 n q c_all s
  | None => None
  end.

Fixpoint check_sides (check : Z -> Z -> part -> Z -> stream -> option stream) (m : Z) (p : part) (ns : list (ordering * (Z * Z * named)))
  (s : stream) : option stream :=
  match ns with
  | [] => Some s
  | (f, (share, b)) :: rest =>
      match check_side check m (fst share) (low_side f (rank b) p) (left b) (left_all b) s with
      | Some s =>
          match check_side check m (snd share) (high_side f (rank b) p) (right b) (right_all b) s with
          | Some s => check_sides check m p rest s
          | None => None
          end
      | None => None
      end
  end.

Fixpoint check (d : nat) (m splits : Z) (p : part) (c : Z) (s : stream) : option stream :=
  let n := Z.min splits (power_of_two d - 1) in
  let cs := counts (kept lv) (base p) in
  let all := all_reach (base p) in
  if c <=? trivial lv price (n + 1) all cs then Some s
  else if all - leaf_gain lv cs <? c then None
  else match d with
       | O => None
       | S d1 =>
           if n <=? 0 then None
           else if n =? 1 then if c <=? stump lv price m p then Some s else None
           else if (n =? 2) || Nat.eqb d1 1 then check_two m p c (stump lv price m p) (shares d1 n) (lists p) s
           else match s with
                | [] => None
                | shallow :: s =>
                    match check d1 m (n - 1) p shallow s with
                    | Some s =>
                        match check_named m c shallow (shares d1 n) (lists p) s with
                        | Some (ns, s) => check_sides (check d1) m p ns s
                        | None => None
                        end
                    | None => None
                    end
                end
       end.

End Checker.
