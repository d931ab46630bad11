(* Raw rows and the trees of the family on them. What the theorem means is written here and in the last definitions of Family.v.

   A value is a whole number: of a numeric column the place of the number among those of the column, of a category the level; missing is -1. *)

From Coq Require Import ZArith List Bool.
Import ListNotations.
Open Scope Z_scope.

Definition missing : Z := -1.

(* A numeric column's values lie below `distinct`. *)
Inductive kind := Numeric (distinct : Z) | Category.

Record row := Row { values : list Z; label : Z; row_weight : Z }.
Record table := Table { kinds : list kind; rows : list row; classes : nat }.

Definition value (j : nat) (vs : list Z) : Z := nth j vs missing.
Definition kind_of (data : table) (j : nat) : kind := nth j (kinds data) Category.

(* Trees on raw rows. *)
Inductive split :=
| Below (column : nat) (threshold : Z) (missing_left : bool)
| Among (column : nat) (levels : Z -> bool).

Inductive raw_tree :=
| RLeaf (label : Z)
| RNode (s : split) (left right : raw_tree).

Definition goes_left (s : split) (vs : list Z) : bool :=
  match s with
  | Below j t m => if value j vs =? missing then m else value j vs <? t
  | Among j levels => levels (value j vs)
  end.

Fixpoint raw_predict (t : raw_tree) (vs : list Z) : Z :=
  match t with
  | RLeaf k => k
  | RNode s l r => if goes_left s vs then raw_predict l vs else raw_predict r vs
  end.

Fixpoint raw_depth (t : raw_tree) : nat :=
  match t with
  | RLeaf _ => 0
  | RNode _ l r => S (Nat.max (raw_depth l) (raw_depth r))
  end.

Fixpoint raw_splits (t : raw_tree) : Z :=
  match t with
  | RLeaf _ => 0
  | RNode _ l r => 1 + raw_splits l + raw_splits r
  end.

Fixpoint sum_rows (g : row -> Z) (rs : list row) : Z :=
  match rs with
  | [] => 0
  | r :: rest => g r + sum_rows g rest
  end.

Definition raw_errors (t : raw_tree) (rs : list row) : Z :=
  sum_rows (fun r => if raw_predict t (values r) =? label r then 0 else row_weight r) rs.

Definition raw_cost (price : Z) (data : table) (t : raw_tree) : Z := raw_errors t (rows data) + price * raw_splits t.

(* The family. The levels of a column are those that occur, missing too. Up to `most_levels` of them, each set of levels is a split; beyond, single
   levels, and the levels in which some class has at least a certain share of the weight. A level without weight has share 0. *)
Definition most_levels : nat := 12.

Fixpoint distinct_of (vs : list Z) (seen : list Z) : list Z :=
  match vs with
  | [] => seen
  | v :: rest => if existsb (Z.eqb v) seen then distinct_of rest seen else distinct_of rest (v :: seen)
  end.
Definition column (data : table) (j : nat) : list Z := map (fun r => value j (values r)) (rows data).
Definition levels_of (data : table) (j : nat) : list Z := distinct_of (column data j) [].

Definition level_weight (data : table) (j : nat) (v : Z) : Z :=
  sum_rows (fun r => if value j (values r) =? v then row_weight r else 0) (rows data).
Definition class_weight (data : table) (j : nat) (k v : Z) : Z :=
  sum_rows (fun r => if (value j (values r) =? v) && (label r =? k) then row_weight r else 0) (rows data).

(* On the levels that occur, the set is this one or its complement. *)
Definition same_split (present : list Z) (levels set : Z -> bool) : Prop :=
  (forall v, In v present -> levels v = set v) \/ (forall v, In v present -> levels v = negb (set v)).

Definition at_least_share (data : table) (j : nat) (k num den : Z) (v : Z) : bool :=
  num * Z.max 1 (level_weight data j v) <=? class_weight data j k v * den.

Definition split_in_family (data : table) (s : split) : Prop :=
  match s with
  | Below j _ _ => (j < length (kinds data))%nat /\ kind_of data j <> Category
  | Among j levels =>
      (j < length (kinds data))%nat /\ kind_of data j = Category /\
      ((length (levels_of data j) <= most_levels)%nat \/
       (exists v, same_split (levels_of data j) levels (Z.eqb v)) \/
       (exists k num den, 0 <= k < Z.of_nat (classes data) /\ 0 < den /\
          same_split (levels_of data j) levels (at_least_share data j k num den)))
  end.

Fixpoint in_family (data : table) (t : raw_tree) : Prop :=
  match t with
  | RLeaf _ => True
  | RNode s l r => split_in_family data s /\ in_family data l /\ in_family data r
  end.
