(* What a table means, and what a sentence about it says: rows, trees, what labels cost, and the family of trees. All numbers are whole multiples of
   2^-1074 (`scale` of them are 1), and what a row pays is a multiple of the square of that. *)

From Coq Require Import ZArith List Bool Lia Permutation.
From Treewright Require Import Labels Bytes Numbers Canonical.
Import ListNotations.
Open Scope Z_scope.

Inductive cell := Missing | Number (v : Z) | Level (w : bytes).

(* A row: its cells, its weight, and what each label costs; or, where a number is predicted, that number alone. *)
Record row := Row { cells : list cell; weighs : Z; costs : list Z }.

Definition cell_of (category : bool) (w : bytes) : cell :=
  if same w missing_cell then Missing else if category then Level w else Number (value_of w).
Fixpoint cells_of (fs : list (bool * bytes)) (tokens : list bytes) : list cell * list bytes :=
  match fs, tokens with
  | f :: fs, w :: rest => let (cs, last) := cells_of fs rest in (cell_of (fst f) w :: cs, last)
  | _, _ => ([], tokens)
  end.

(* What labels cost the rows of a class: 1 for each wrong label if there are no lines of costs. *)
Definition cost_lines (t : table) : list (bytes * list Z) :=
  match matrix t with
  | [] => map (fun y => (y, map (fun a => if same a y then 0 else scale) (labels t))) (labels t)
  | m => combine (labels t) (map (map value_of) m)
  end.
Fixpoint line_of (lines : list (bytes * list Z)) (y : bytes) : list Z :=
  match lines with
  | [] => []
  | (label, costs) :: rest => if same label y then costs else line_of rest y
  end.

Definition row_of (t : table) (lines : list (bytes * list Z)) (tokens : list bytes) : row :=
  let (cs, rest) := cells_of (features t) tokens in
  let (w, rest) := match weight t with Some _ => (value_of (hd [] rest), tl rest) | None => (scale, rest) end in
  Row cs w (match class t with Some _ => line_of lines (hd [] rest) | None => map value_of rest end).
Definition rows_of (t : table) : list row := let lines := cost_lines t in map (row_of t lines) (rows t).

Definition predicted (r : row) : Z := hd 0 (costs r).

(* Trees. A label is its place among the labels. Where numbers are predicted, it is the numerator of one. *)
Inductive split :=
| Below (column : nat) (threshold : Z) (missing_left : bool)
| Among (column : nat) (levels : cell -> bool).
Inductive tree :=
| Leaf (label : Z)
| Node (s : split) (low high : tree).

Definition cell_at (j : nat) (r : row) : cell := nth j (cells r) Missing.
Definition goes_left (s : split) (r : row) : bool :=
  match s with
  | Below j threshold missing_left => match cell_at j r with Number v => v <? threshold | _ => missing_left end
  | Among j levels => levels (cell_at j r)
  end.
Fixpoint predict (t : tree) (r : row) : Z :=
  match t with
  | Leaf k => k
  | Node s low high => if goes_left s r then predict low r else predict high r
  end.
Fixpoint depth (t : tree) : nat :=
  match t with
  | Leaf _ => 0
  | Node _ low high => S (Nat.max (depth low) (depth high))
  end.
Fixpoint splits (t : tree) : Z :=
  match t with
  | Leaf _ => 0
  | Node _ low high => 1 + splits low + splits high
  end.
(* Each leaf holds at least m of the rows. *)
Fixpoint leaves_hold (m : Z) (t : tree) (rs : list row) : Prop :=
  match t with
  | Leaf _ => m <= Z.of_nat (length rs)
  | Node s low high => leaves_hold m low (filter (goes_left s) rs) /\ leaves_hold m high (filter (fun r => negb (goes_left s r)) rs)
  end.

Fixpoint sum_of {A} (g : A -> Z) (xs : list A) : Z :=
  match xs with
  | [] => 0
  | x :: rest => g x + sum_of g rest
  end.

(* What the tree's labels cost the rows: the weight of the wrong ones, or their costs. *)
Definition loss (t : tree) (rs : list row) : Z := sum_of (fun r => weighs r * at_label (predict t r) (costs r)) rs.

(* Squared error: the sum of w (y - prediction)^2, times under^2 and the third power of 2^1074. A leaf predicts its label over `under`: all
   rational numbers that the leaves of a tree predict have a common denominator. *)
Definition squared_error (under : Z) (t : tree) (rs : list row) : Z :=
  sum_of (fun r => weighs r * (under * predicted r - scale * predict t r) ^ 2) rs.

Definition same_cell (a b : cell) : bool :=
  match a, b with
  | Missing, Missing => true
  | Number v, Number w => v =? w
  | Level v, Level w => same v w
  | _, _ => false
  end.

Section Family.

(* The splits: all thresholds of numbers, missing values on either side; all sets of levels, where missing is one. In the columns `restricted` only
   these sets: one level alone that is not rare, and those in which a label has at least a certain share of what labels gain. Gains are counted
   over the dearest label, in whole costs `whole`, of units that the proof chooses. *)
Variable t : table.
Variable whole : row -> list Z.
Variable rs : list row.
Variable restricted : list nat.

Definition rarity : Z := 1000.

Definition gain (k : Z) (r : row) : Z := most (whole r) - at_label k (whole r).
Definition all_gains (r : row) : Z := total (map (fun c => most (whole r) - c) (whole r)).
Definition gained (g : row -> Z) (j : nat) (c : cell) : Z := sum_of (fun r => if same_cell (cell_at j r) c then g r else 0) rs.

Definition agrees (j : nat) (levels set : cell -> bool) : Prop :=
  (forall r, In r rs -> levels (cell_at j r) = set (cell_at j r)) \/ (forall r, In r rs -> levels (cell_at j r) = negb (set (cell_at j r))).
Definition is_label (k : Z) : Prop := 0 <= k < Z.of_nat (length (labels t)).

Definition allowed (j : nat) (levels : cell -> bool) : Prop :=
  (exists c k, is_label k /\ 0 < gained (gain k) j c /\ sum_of (gain k) rs <= rarity * gained (gain k) j c /\ agrees j levels (same_cell c)) \/
  (exists k part of_, is_label k /\ 0 < of_ /\
     agrees j levels (fun c => part * Z.max 1 (gained all_gains j c) <=? gained (gain k) j c * of_)).

(* Splits of the family, and leaves of which this holds. *)
Fixpoint family_of (leaf : Z -> Prop) (u : tree) : Prop :=
  match u with
  | Leaf k => leaf k
  | Node s low high =>
      match s with
      | Below j _ _ => exists name, nth_error (features t) j = Some (false, name)
      | Among j levels => (exists name, nth_error (features t) j = Some (true, name)) /\ (In j restricted -> allowed j levels)
      end /\ family_of leaf low /\ family_of leaf high
  end.
Definition in_family : tree -> Prop := family_of is_label.
Definition splits_in_family : tree -> Prop := family_of (fun _ => True).

End Family.

(* Where numbers are predicted, each threshold of a number and each set of levels is a split, and a leaf may predict anything. *)
Fixpoint has_splits_of (t : table) (u : tree) : Prop :=
  match u with
  | Leaf _ => True
  | Node s low high =>
      match s with
      | Below j _ _ => exists name, nth_error (features t) j = Some (false, name)
      | Among j _ => exists name, nth_error (features t) j = Some (true, name)
      end /\ has_splits_of t low /\ has_splits_of t high
  end.
