(* Rows of codes, and the trees of the family on them: what the checker of bodies works on. Translate.v brings trees on cells here.

   A value is a whole number: of a numeric column the place of the number among those of the column, of a category the level; missing is -1.
   A row has a cost for each label, in whole units above its cheapest label. Where errors are counted, that is 0 for the row's class and the row's
   weight for any other label. *)

From Coq Require Import ZArith List Bool Lia.
From Treewright Require Import Labels.
Import ListNotations.
Open Scope Z_scope.

Definition missing : Z := -1.

(* A numeric column's values lie below `distinct`. *)
Inductive kind := Numeric (distinct : Z) | Category.

Record row := Row { values : list Z; costs : list Z }.
(* `classes`: the number of labels. *)
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

(* Each leaf holds at least m of the rows. A row counts whatever it costs. *)
Fixpoint raw_fits (m : Z) (t : raw_tree) (rs : list row) : Prop :=
  match t with
  | RLeaf _ => m <= Z.of_nat (length rs)
  | RNode s l r =>
      raw_fits m l (filter (fun q => goes_left s (values q)) rs) /\ raw_fits m r (filter (fun q => negb (goes_left s (values q))) rs)
  end.

(* With m = 0 nothing is demanded. *)
Lemma raw_fits_zero t : forall rs, raw_fits 0 t rs.
Proof. induction t as [k|s l IHl r IHr]; intros rs; simpl; [lia|auto]. Qed.

Fixpoint sum_rows (g : row -> Z) (rs : list row) : Z :=
  match rs with
  | [] => 0
  | r :: rest => g r + sum_rows g rest
  end.

(* What the labels cost the rows. *)
Definition raw_loss (t : raw_tree) (rs : list row) : Z := sum_rows (fun r => at_label (raw_predict t (values r)) (costs r)) rs.

(* The family. The levels of a column are those that occur, missing too. Up to `most_levels` of them, each set of levels is a split; beyond, single
   levels in which some label has at least one part in `rare` of what it gains in all rows over the dearest one of each row (of errors: the weight of a class), and the levels in which some label has at least a certain
   share of what all labels gain there. In a level without gains the share is 0. *)
Definition most_levels : nat := 12.
Definition rare : Z := 1000.

Fixpoint distinct_of (vs : list Z) (seen : list Z) : list Z :=
  match vs with
  | [] => seen
  | v :: rest => if existsb (Z.eqb v) seen then distinct_of rest seen else distinct_of rest (v :: seen)
  end.
Definition column (data : table) (j : nat) : list Z := map (fun r => value j (values r)) (rows data).
Definition levels_of (data : table) (j : nat) : list Z := distinct_of (column data j) [].

Definition gain (r : row) (k : Z) : Z := most (costs r) - at_label k (costs r).
Definition all_gains (r : row) : Z := total (map (fun c => most (costs r) - c) (costs r)).
Definition level_gains (data : table) (j : nat) (v : Z) : Z :=
  sum_rows (fun r => if value j (values r) =? v then all_gains r else 0) (rows data).
Definition label_gains (data : table) (j : nat) (k v : Z) : Z :=
  sum_rows (fun r => if value j (values r) =? v then gain r k else 0) (rows data).

Definition total_gains (data : table) (k : Z) : Z := sum_rows (fun r => gain r k) (rows data).

Definition is_frequent (data : table) (j : nat) (v : Z) : Prop :=
  exists k, 0 <= k < Z.of_nat (classes data) /\ 0 < label_gains data j k v /\ total_gains data k <= rare * label_gains data j k v.

(* On the levels that occur, the set is this one or its complement. *)
Definition same_split (present : list Z) (levels set : Z -> bool) : Prop :=
  (forall v, In v present -> levels v = set v) \/ (forall v, In v present -> levels v = negb (set v)).

Definition at_least_share (data : table) (j : nat) (k num den : Z) (v : Z) : bool :=
  num * Z.max 1 (level_gains data j v) <=? label_gains data j k v * den.

Definition split_in_family (data : table) (s : split) : Prop :=
  match s with
  | Below j _ _ => (j < length (kinds data))%nat /\ kind_of data j <> Category
  | Among j levels =>
      (j < length (kinds data))%nat /\ kind_of data j = Category /\
      ((length (levels_of data j) <= most_levels)%nat \/
       (exists v, is_frequent data j v /\ same_split (levels_of data j) levels (Z.eqb v)) \/
       (exists k num den, 0 <= k < Z.of_nat (classes data) /\ 0 < den /\
          same_split (levels_of data j) levels (at_least_share data j k num den)))
  end.

(* Splits of the family, and leaves of which this holds. *)
Fixpoint family_of (data : table) (leaf : Z -> Prop) (t : raw_tree) : Prop :=
  match t with
  | RLeaf k => leaf k
  | RNode s l r => split_in_family data s /\ family_of data leaf l /\ family_of data leaf r
  end.
Definition in_family (data : table) : raw_tree -> Prop := family_of data (fun k => 0 <= k < Z.of_nat (classes data)).
Definition splits_in_family (data : table) : raw_tree -> Prop := family_of data (fun _ => True).

Lemma family_splits data t : in_family data t -> splits_in_family data t.
Proof. unfold in_family, splits_in_family. induction t; simpl; tauto. Qed.
