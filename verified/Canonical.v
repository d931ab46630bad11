(* The canonical table: what its text is, when it is well formed, and that reading finds the one table of a text.

   The definitions before the first lemma are the format (docs/proof-format.md). A token is kept as it is spelled, a text with its quotes. *)

From Coq Require Import String ZArith List Bool Lia.
From Treewright Require Import Bytes Numbers.
Import ListNotations.
Open Scope Z_scope.

Record table := Table {
  labels : list bytes;
  matrix : list (list bytes);  (* lines of costs by class, or none *)
  features : list (bool * bytes);  (* whether this is a category, and its name *)
  weight : option bytes;
  class : option bytes;  (* the column of the classes, or else there is a column of costs for each label *)
  target : option bytes;  (* the column of the numbers that are predicted; then there are no labels *)
  rows : list (list bytes)
}.

Definition k_labels := text "labels".
Definition k_costs := text "costs".
Definition k_number := text "number".
Definition k_level := text "level".
Definition k_weight := text "weight".
Definition k_class := text "class".
Definition k_cost := text "cost".
Definition k_target := text "target".
Definition k_rows := text "rows".
Definition first_line : list bytes := [text "treewright"; text "table"; text "1"].
Definition missing_cell : bytes := [minus].

Fixpoint count_onto {A} (xs : list A) (n : Z) : Z :=
  match xs with
  | [] => n
  | _ :: rest => count_onto rest (n + 1)
  end.
Definition count {A} (xs : list A) : Z := count_onto xs 0.

(* The text of a table. *)
Definition named_line (key : bytes) (name : option bytes) : list (list bytes) := match name with Some w => [[key; w]] | None => [] end.
Definition lines (t : table) : list (list bytes) :=
  first_line :: (match target t with Some _ => [] | None => [k_labels :: labels t] end) ++ map (cons k_costs) (matrix t) ++
  map (fun f : bool * bytes => [if fst f then k_level else k_number; snd f]) (features t) ++
  named_line k_weight (weight t) ++ named_line k_target (target t) ++ named_line k_class (class t) ++
  (match class t with Some _ => [] | None => map (fun w => [k_cost; w]) (labels t) end) ++
  [k_rows; digits (count (rows t))] :: rows t.
Definition print (t : table) : bytes := print_lines (lines t).

(* Texts. *)
Definition hex_digit (c : Z) : option Z :=
  if is_digit c then Some (c - digit_0) else if (97 <=? c) && (c <=? 102) then Some (c - 87) else None.
Definition stands_for_itself (c : Z) : bool := (blank <=? c) && (c <=? tilde) && negb (c =? quote) && negb (c =? backslash).
Fixpoint rest_of_text (b : bytes) : bool :=
  match b with
  | [] => false
  | [c] => c =? quote
  | c :: rest =>
      if c =? backslash then
        match rest with
        | x :: h :: l :: rest =>
            match hex_digit h, hex_digit l with
            | Some h, Some l => (x =? 120) && negb (stands_for_itself (16 * h + l)) && rest_of_text rest
            | _, _ => false
            end
        | _ => false
        end
      else stands_for_itself c && rest_of_text rest
  end.
Definition is_text (b : bytes) : bool := match b with c :: rest => (c =? quote) && rest_of_text rest | [] => false end.

Fixpoint ascending (ws : list bytes) : bool :=
  match ws with
  | v :: rest => match rest with w :: _ => before v w && ascending rest | [] => true end
  | [] => true
  end.
Fixpoint distinct (ws : list bytes) : bool :=
  match ws with
  | [] => true
  | w :: rest => negb (in_list w rest) && distinct rest
  end.

(* Rows: a cell for each feature, the weight, and the class, the costs or the number that is predicted. *)
Fixpoint cells_fit (fs : list (bool * bytes)) (last : list bytes -> bool) (row : list bytes) : bool :=
  match fs, row with
  | [], _ => last row
  | f :: fs, c :: row => (same c missing_cell || if fst f then is_text c else is_number c) && cells_fit fs last row
  | _ :: _, [] => false
  end.
Definition weight_fits (t : table) (last : list bytes -> bool) (row : list bytes) : bool :=
  match weight t, row with
  | None, _ => last row
  | Some _, w :: row => is_number w && (0 <=? value_of w) && last row
  | Some _, [] => false
  end.
Definition class_fits (t : table) (row : list bytes) : bool :=
  match target t, class t, row with
  | Some _, _, _ => (count row =? 1) && forallb is_number row
  | None, Some _, [y] => in_list y (labels t)
  | None, Some _, _ => false
  | None, None, _ => (count row =? count (labels t)) && forallb is_number row
  end.
Definition row_fits (t : table) (row : list bytes) : bool := cells_fit (features t) (weight_fits t (class_fits t)) row.

Definition is_empty {A} (xs : list A) : bool := match xs with [] => true | _ => false end.
Definition name_fits (name : option bytes) : bool := match name with Some w => is_text w | None => true end.
Definition has_a_row (t : table) (w : bytes) : bool := existsb (fun row => same (last row []) w) (rows t).

Definition has_labels (t : table) : bool :=
  match target t, class t with
  | Some name, None => is_text name && is_empty (labels t) && is_empty (matrix t)
  | Some _, Some _ => false
  | None, _ => negb (is_empty (labels t))
  end.

Definition well_formed (t : table) : bool :=
  has_labels t && forallb is_text (labels t) && distinct (labels t) &&
  (is_empty (matrix t) ||
   ((count (matrix t) =? count (labels t)) && forallb (fun l => (count l =? count (labels t)) && forallb is_number l) (matrix t))) &&
  forallb (fun f => is_text (snd f)) (features t) && distinct (map snd (features t)) && name_fits (weight t) && name_fits (class t) &&
  (match class t with
   | Some _ => ascending (labels t) && (negb (is_empty (matrix t)) || forallb (has_a_row t) (labels t))
   | None => is_empty (matrix t)
   end) &&
  negb (is_empty (rows t)) && forallb (row_fits t) (rows t) && forallb has_tokens (lines t).

(* Reading: whatever this finds is printed again and compared. *)
Definition has_key (key : bytes) (line : list bytes) : bool := match line with w :: _ => same w key | [] => false end.
Definition of_key (key : bytes) (head : list (list bytes)) : list (list bytes) := map (@tl bytes) (filter (has_key key) head).
Definition first_name (ls : list (list bytes)) : option bytes := match ls with (w :: _) :: _ => Some w | _ => None end.
Fixpoint until_rows (ls done : list (list bytes)) : option (list (list bytes) * list (list bytes)) :=
  match ls with
  | [] => None
  | l :: rest => if has_key k_rows l then Some (rev done, rest) else until_rows rest (l :: done)
  end.
Definition parse (ls : list (list bytes)) : option table :=
  match until_rows ls [] with
  | None => None
  | Some (head, rows) =>
      Some (Table (hd [] (of_key k_labels head)) (of_key k_costs head)
        (map (fun l => (has_key k_level l, hd [] (tl l))) (filter (fun l => has_key k_level l || has_key k_number l) head))
        (first_name (of_key k_weight head)) (first_name (of_key k_class head)) (first_name (of_key k_target head)) rows)
  end.
Definition read (b : bytes) : option table :=
  match parse (lines_of b) with
  | Some t => if well_formed t && same (print t) b then Some t else None
  | None => None
  end.

Lemma until_rows_app head l rows : forallb (fun l => negb (has_key k_rows l)) head = true -> has_key k_rows l = true ->
  forall done, until_rows (head ++ l :: rows) done = Some (rev done ++ head, rows).
Proof.
  intros H L. induction head as [|h head IH]; intros done; simpl in *.
  - rewrite L, app_nil_r. reflexivity.
  - apply andb_true_iff in H. destruct H as (N & H). destruct (has_key k_rows h); [discriminate|].
    rewrite IH by exact H. simpl. rewrite <- app_assoc. reflexivity.
Qed.

Lemma filter_map_all {A B} (p : B -> bool) (f : A -> B) xs : (forall x, p (f x) = true) -> filter p (map f xs) = map f xs.
Proof. intros E. induction xs as [|x xs IH]; simpl; [reflexivity|]. rewrite E, IH. reflexivity. Qed.
Lemma filter_map_none {A B} (p : B -> bool) (f : A -> B) xs : (forall x, p (f x) = false) -> filter p (map f xs) = [].
Proof. intros E. induction xs as [|x xs IH]; simpl; [reflexivity|]. rewrite E. exact IH. Qed.
Lemma forallb_map_all {A B} (p : B -> bool) (f : A -> B) xs : (forall x, p (f x) = true) -> forallb p (map f xs) = true.
Proof. intros E. induction xs as [|x xs IH]; simpl; [reflexivity|]. rewrite E, IH. reflexivity. Qed.

Lemma parse_lines t : has_labels t = true -> parse (lines t) = Some t.
Proof.
  destruct t as [ls m fs w c tg rs]. intros Fit. unfold parse, lines. cbn [labels matrix features weight class target rows].
  assert (Ls : match tg with Some _ => ls = [] | None => True end).
  { destruct tg; [|exact I]. cbn in Fit. destruct c; [discriminate|]. apply andb_true_iff in Fit. destruct Fit as (Fit & _). apply andb_true_iff in Fit.
    destruct ls; [reflexivity|]. destruct Fit. discriminate. }
  clear Fit. set (first := match tg with Some _ => [] | None => [k_labels :: ls] end).
  set (costs := match c with Some _ => [] | None => map (fun w => [k_cost; w]) ls end).
  set (head := first_line :: first ++ map (cons k_costs) m ++
    map (fun f : bool * bytes => [if fst f then k_level else k_number; snd f]) fs ++ named_line k_weight w ++ named_line k_target tg ++ named_line k_class c ++ costs).
  replace (first_line :: _) with (head ++ [k_rows; digits (count rs)] :: rs).
  2:{ unfold head. cbn [app]. rewrite <- !app_assoc. reflexivity. }
  rewrite until_rows_app; [|unfold head, costs, first; cbn [forallb]; rewrite !forallb_app|reflexivity].
  2:{ rewrite (forallb_map_all _ (cons k_costs)) by reflexivity. rewrite forallb_map_all by (intros ([|] & ?); reflexivity).
      destruct w, c, tg; try reflexivity; cbn; apply forallb_map_all; reflexivity. }
  cbn [rev app]. f_equal. unfold head, of_key, costs. cbn [filter]. rewrite !filter_app.
  assert (La : forall k, same k_labels k = false -> filter (has_key k) first = []).
  { intros k K. unfold first. destruct tg; [reflexivity|]. cbn [filter]. change (has_key k (k_labels :: ls)) with (same k_labels k). rewrite K. reflexivity. }
  rewrite !(La k_costs), !(La k_weight), !(La k_class), !(La k_target) by reflexivity.
  replace (filter (fun l => has_key k_level l || has_key k_number l) first) with (@nil (list bytes)) by (unfold first; destruct tg; reflexivity).
  replace (filter (has_key k_labels) first) with first by (unfold first; destruct tg; reflexivity). cbn [app].
  assert (F : forall k, same k_level k = false -> same k_number k = false ->
    filter (has_key k) (map (fun f : bool * bytes => [if fst f then k_level else k_number; snd f]) fs) = []).
  { intros k L M. apply filter_map_none. intros ([|] & ?); assumption. }
  rewrite !F by reflexivity.
  rewrite (filter_map_all _ (fun f : bool * bytes => [if fst f then k_level else k_number; snd f])) by (intros ([|] & ?); reflexivity).
  rewrite (filter_map_all (has_key k_costs) (cons k_costs)) by reflexivity.
  rewrite !(filter_map_none _ (cons k_costs)) by reflexivity.
  assert (E : forall k, same k_cost k = false -> filter (has_key k) (match c with Some _ => [] | None => map (fun w => [k_cost; w]) ls end) = []).
  { intros k K. destruct c; [reflexivity|]. apply filter_map_none. intros x. exact K. }
  rewrite !E by reflexivity.
  assert (N : forall key k, same key k = false -> forall o, filter (has_key k) (named_line key o) = []).
  { intros key k K [o|]; [|reflexivity]. cbn. rewrite K. reflexivity. }
  rewrite !(N k_weight) by reflexivity. rewrite !(N k_class) by reflexivity. rewrite !(N k_target) by reflexivity.
  assert (H1 : forall k, same (text "treewright") k = false -> has_key k first_line = false) by (intros k K; exact K).
  rewrite !H1 by reflexivity. cbn [orb]. cbn iota.
  replace (filter (fun l => has_key k_level l || has_key k_number l) (named_line k_weight w)) with (@nil (list bytes)) by (destruct w; reflexivity).
  replace (filter (fun l => has_key k_level l || has_key k_number l) (named_line k_class c)) with (@nil (list bytes)) by (destruct c; reflexivity).
  replace (filter (fun l => has_key k_level l || has_key k_number l) (named_line k_target tg)) with (@nil (list bytes)) by (destruct tg; reflexivity).
  replace (filter (fun l => has_key k_level l || has_key k_number l) (match c with Some _ => _ | None => _ end)) with (@nil (list bytes)).
  2:{ destruct c; [reflexivity|]. symmetry. apply filter_map_none. reflexivity. }
  rewrite !app_nil_r. cbn [app]. f_equal.
  - unfold first. destruct tg; [symmetry; exact Ls|reflexivity].
  - rewrite map_map. apply map_id.
  - rewrite map_map. rewrite <- (map_id fs) at 2. apply map_ext. intros ([|] & x); reflexivity.
  - destruct w, c, tg; reflexivity.
  - destruct w, c, tg; reflexivity.
  - destruct w, c, tg; reflexivity.
Qed.

(* The tables that are read are the well-formed ones, each from its text and no other bytes. *)
Theorem read_is_print b t : read b = Some t <-> well_formed t = true /\ print t = b.
Proof.
  unfold read. split.
  - destruct (parse (lines_of b)) as [u|]; [|discriminate]. destruct (well_formed u && same (print u) b) eqn:E; [|discriminate].
    apply andb_true_iff in E. destruct E as (W & P). apply same_eq in P. intros H. inversion H. subst u. auto.
  - intros (W & <-). assert (H : forallb has_tokens (lines t) = true) by (unfold well_formed in W; apply andb_true_iff in W; apply W).
    assert (F : has_labels t = true) by (unfold well_formed in W; rewrite !andb_true_iff in W; apply W).
    unfold print at 1. rewrite lines_of_print, parse_lines, W, same_refl by assumption. reflexivity.
Qed.
