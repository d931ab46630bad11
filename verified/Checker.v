(* The checker. Why what it accepts is true: Soundness.v.

   A part is a list of items with a copy of it for each ordering, sorted by rank. `check d n p c s` reads the proof that no tree of at most d levels
   and n splits on the part p costs less than c from the numbers s, and returns those that follow. docs/proof-format.md describes them. *)

From Coq Require Import ZArith List Bool Lia Permutation Sorted.
From Treewright Require Import Trees Counts.
Import ListNotations.
Open Scope Z_scope.

Record part := Part { base : list item; lists : list (ordering * list item) }.

Definition low_side (f : ordering) (t : Z) (p : part) : part :=
  Part (low f t (base p)) (map (fun l => (fst l, low f t (snd l))) (lists p)).
Definition high_side (f : ordering) (t : Z) (p : part) : part :=
  Part (high f t (base p)) (map (fun l => (fst l, high f t (snd l))) (lists p)).

(* The most that a label gains of the rest. *)
Fixpoint most_rest (all cs : list Z) : Z :=
  match all, cs with
  | a :: all, c :: cs => Z.max (a - c) (most_rest all cs)
  | _, _ => 0
  end.

(* The most that the labels of the two leaves of a split of an ordering gain. (A leaf gains no more than with a split: the place before the first
   item may be counted.) *)
Fixpoint scan (f : ordering) (all : list Z) (ys : list item) (previous : Z) (cs : list Z) (right : Z) : Z :=
  match ys with
  | [] => right
  | y :: rest =>
      let r := f y in
      scan f all rest r (plus (gains y) cs) (if r =? previous then right else Z.max right (most cs + most_rest all cs))
  end.

Definition lowest (f : ordering) (ys : list item) : Z :=
  match ys with
  | [] => 0
  | y :: _ => f y
  end.

Fixpoint scan_all (zero all : list Z) (ls : list (ordering * list item)) (right : Z) : Z :=
  match ls with
  | [] => right
  | (f, ys) :: rest => scan_all zero all rest (scan f all ys (lowest f ys - 1) zero right)
  end.

(* The least cost with at most n splits, one at most. *)
Definition one_side (n leaf split : Z) : Z := if n =? 0 then leaf else if n =? 1 then Z.min leaf split else 0.

Definition side_bound (classes : nat) (price n : Z) (p : part) : Z :=
  let cs := counts classes (base p) in
  let all := all_reach (base p) in
  one_side n (all - most cs) (price + all - scan_all (zeros classes) cs (lists p) 0).
Definition stump (classes : nat) (price : Z) (p : part) : Z := side_bound classes price 1 p.

(* How n splits below and with a node may be shared between its sides, which have d levels each. *)
Definition shares (d : nat) (n : Z) : list (Z * Z) :=
  let full := power_of_two d - 1 in
  let below := n - 1 in
  if 2 * full <=? below then [(full, full)]
  else let first := Z.max 0 (below - full) in
       map (fun k => (k, below - k)) (from first (Z.to_nat (Z.min full below - first + 1))).

(* Each cut that parts the items, at the rank of the first item on its right side, with the reach on its left side. *)
Fixpoint profile (f : ordering) (ys : list item) (previous w : Z) : list (Z * Z) :=
  match ys with
  | [] => []
  | y :: rest =>
      let r := f y in
      if r =? previous then profile f rest r (w + reach y) else (r, w) :: profile f rest r (w + reach y)
  end.
Definition cuts (f : ordering) (ys : list item) : list (Z * Z) := profile f ys (lowest f ys) 0.

(* A named cut: its rank, the reach on its left side, bounds on the trees of its left and right side. *)
Record named := Named { rank : Z; before : Z; left : Z; right : Z }.

Definition stream := list Z.

Section Checker.

Variable classes : nat.
Variable price : Z.

(* A cut between two named ones, with reach w on its left side. *)
Definition between (c : Z) (a b : named) (w : Z) : bool :=
  c <=? price + Z.max (left a) (left b - (before b - w)) + Z.max (right b) (right a - (w - before a)).

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
  walk c (Named 0 (all_reach ys) shallow 0) ts (Named 0 0 0 shallow) ns.

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

Fixpoint read_named (f : ordering) (ys : list item) (s : stream) (n previous : Z) : option (list named * stream) :=
  if n =? 0 then Some ([], s)
  else match s with
       | step :: l :: r :: s =>
           if step <=? 0 then None
           else let t := previous + step in
                match read_named f ys s (n - 1) t with
                | Some (ns, s) => Some (Named t (all_reach (low f t ys)) l r :: ns, s)
                | None => None
                end
       | _ => None
       end.

Definition recounted (p : part) (f : ordering) (ys : list item) (share : Z * Z) (t : Z) : named :=
  Named t (all_reach (low f t ys)) (side_bound classes price (fst share) (low_side f t p))
    (side_bound classes price (snd share) (high_side f t p)).

(* Where no side has two levels and two splits: the sides of the named cuts are stumps or leaves, which are recounted. *)
Fixpoint two_shares (p : part) (c shallow : Z) (f : ordering) (ys : list item) (ts : list (Z * Z)) (shs : list (Z * Z)) (s : stream) :
  option stream :=
  match shs with
  | [] => Some s
  | share :: rest =>
      match s with
      | [] => None
      | n :: s =>
          match (if n =? 0 then Some (map fst ts, s) else read_ranks s (n - 1) (lowest f ys)) with
          | Some (rs, s) =>
              if walk_all c shallow f ys ts (map (recounted p f ys share) rs) then two_shares p c shallow f ys ts rest s else None
          | None => None
          end
      end
  end.

Fixpoint check_two (p : part) (c shallow : Z) (shs : list (Z * Z)) (ls : list (ordering * list item)) (s : stream) : option stream :=
  match ls with
  | [] => Some s
  | (f, ys) :: rest =>
      match cuts f ys with
      | [] => check_two p c shallow shs rest s
      | ts =>
          match two_shares p c shallow f ys ts shs s with
          | Some s => check_two p c shallow shs rest s
          | None => None
          end
      end
  end.

(* Elsewhere: the named cuts of all orderings and shares; proofs of their bounds follow. *)
Fixpoint named_shares (c shallow : Z) (f : ordering) (ys : list item) (ts : list (Z * Z)) (shs : list (Z * Z)) (s : stream) :
  option (list (Z * Z * named) * stream) :=
  match shs with
  | [] => Some ([], s)
  | share :: rest =>
      match s with
      | [] => None
      | n :: s =>
          if n =? 0 then None
          else match read_named f ys s (n - 1) (lowest f ys) with
               | Some (ns, s) =>
                   if walk_all c shallow f ys ts ns then
                     match named_shares c shallow f ys ts rest s with
                     | Some (others, s) => Some (map (pair share) ns ++ others, s)
                     | None => None
                     end
                   else None
               | None => None
               end
      end
  end.

Fixpoint check_named (c shallow : Z) (shs : list (Z * Z)) (ls : list (ordering * list item)) (s : stream) :
  option (list (ordering * (Z * Z * named)) * stream) :=
  match ls with
  | [] => Some ([], s)
  | (f, ys) :: rest =>
      match cuts f ys with
      | [] => check_named c shallow shs rest s
      | ts =>
          match named_shares c shallow f ys ts shs s with
          | Some (ns, s) =>
              match check_named c shallow shs rest s with
              | Some (others, s) => Some (map (pair f) ns ++ others, s)
              | None => None
              end
          | None => None
          end
      end
  end.

Fixpoint check_sides (check : Z -> part -> Z -> stream -> option stream) (p : part) (ns : list (ordering * (Z * Z * named))) (s : stream) :
  option stream :=
  match ns with
  | [] => Some s
  | (f, (share, b)) :: rest =>
      match check (fst share) (low_side f (rank b) p) (left b) s with
      | Some s =>
          match check (snd share) (high_side f (rank b) p) (right b) s with
          | Some s => check_sides check p rest s
          | None => None
          end
      | None => None
      end
  end.

Fixpoint check (d : nat) (splits : Z) (p : part) (c : Z) (s : stream) : option stream :=
  let n := Z.min splits (power_of_two d - 1) in
  let cs := counts classes (base p) in
  let all := all_reach (base p) in
  if c <=? trivial_bound price (n + 1) all cs then Some s
  else if all - most cs <? c then None
  else match d with
       | O => None
       | S d1 =>
           if n <=? 0 then None
           else if n =? 1 then if c <=? stump classes price p then Some s else None
           else if (n =? 2) || Nat.eqb d1 1 then check_two p c (stump classes price p) (shares d1 n) (lists p) s
           else match s with
                | [] => None
                | shallow :: s =>
                    match check d1 (n - 1) p shallow s with
                    | Some s =>
                        match check_named c shallow (shares d1 n) (lists p) s with
                        | Some (ns, s) => check_sides (check d1) p ns s
                        | None => None
                        end
                    | None => None
                    end
                end
       end.

End Checker.
