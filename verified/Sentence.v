(* The sentence that is printed, and when it is true. *)

From Coq Require Import String ZArith List Bool Lia.
From Treewright Require Import Bytes Numbers Canonical Meaning Whole.
Import ListNotations.
Open Scope Z_scope.

(* What a sentence says of a table. Prices and bounds are in multiples of 10^-12. *)
Record claim := Claim {
  most_depth : nat;
  most_splits : option Z;
  least_rows : Z;  (* in each leaf; 0 if the sentence says nothing of it *)
  restricted : list nat;
  price : Z;  (* of a split *)
  bound : Z
}.

Definition trillion : Z := 10 ^ 12.

(* No tree within the limits costs less than the bound. *)
Definition holds (t : table) (unit : Z) (c : claim) : Prop :=
  forall u : tree, in_family t (whole unit) (rows_of t) (restricted c) u ->
  (depth u <= most_depth c)%nat -> match most_splits c with Some n => splits u <= n | None => True end -> leaves_hold (least_rows c) u (rows_of t) ->
  bound c * (scale * scale) <= trillion * loss u (rows_of t) + price c * splits u * (scale * scale).

(* A multiple of 10^-12 in decimal digits. *)
Fixpoint fraction (places : nat) (r : Z) : bytes :=
  match places with
  | O => []
  | S places => if r =? 0 then [] else digit_0 + r / 10 ^ Z.of_nat places :: fraction places (r mod 10 ^ Z.of_nat places)
  end.
Definition decimal_text (n : Z) : bytes :=
  (if n <? 0 then [minus] else []) ++ digits (Z.abs n / trillion) ++
  (if Z.abs n mod trillion =? 0 then [] else point :: fraction 12 (Z.abs n mod trillion)).

Fixpoint joined (between : bytes) (ws : list bytes) : bytes :=
  match ws with
  | [] => []
  | [w] => w
  | w :: rest => w ++ between ++ joined between rest
  end.
Definition listed : list bytes -> bytes := joined (text ", ").

Definition limits (c : claim) : bytes :=
  let all := (match most_splits c with Some n => [text "at most " ++ digits n ++ text " splits"] | None => [] end) ++
             (if 0 <? least_rows c then [text "at least " ++ digits (least_rows c) ++ text " rows in each leaf"] else []) in
  match all with [] => [] | _ => text " with " ++ joined (text " and ") all end.
Definition name_at (t : table) (j : nat) : bytes := snd (nth j (features t) (true, [])).

Definition sentence (t : table) (c : claim) : bytes :=
  text "no tree of axis and category splits of depth at most " ++ digits (Z.of_nat (most_depth c)) ++ limits c ++ text " for " ++
  match class t with Some name => name | None => text "the labels " ++ listed (labels t) end ++
  text " on these " ++ digits (count (rows t)) ++ text " rows has " ++
  (match class t, matrix t with Some _, [] => text "errors" | _, _ => text "costs" end) ++
  (match weight t with Some name => text " weighted by " ++ name | None => [] end) ++
  (if price c =? 0 then [] else text " + " ++ decimal_text (price c) ++ text " * splits") ++
  text " below " ++ decimal_text (bound c) ++
  (match matrix t with
   | [] => []
   | m => text "; costs of the labels " ++ listed (labels t) ++ text " by class: " ++
          listed (map (fun line => joined [blank] (fst line :: snd line)) (combine (labels t) m))
   end) ++
  (match restricted c with
   | [] => []
   | js => text "; categories of more than 12 levels (" ++ listed (map (name_at t) js) ++
           text ") are split by single levels that are not rare and by shares of labels"
   end).

(* Reading the digits again gives the number. *)
Fixpoint fraction_value (b : bytes) (places : nat) : Z :=
  match b, places with
  | c :: rest, S places => (c - digit_0) * 10 ^ Z.of_nat places + fraction_value rest places
  | _, _ => 0
  end.
Fixpoint magnitude_value (n : Z) (b : bytes) : option Z :=
  match b with
  | [] => Some (n * trillion)
  | c :: rest =>
      if is_digit c then magnitude_value (ten * n + (c - digit_0)) rest
      else if c =? point then Some (n * trillion + fraction_value rest 12) else None
  end.
Definition decimal_value (b : bytes) : option Z :=
  match b with c :: rest => if c =? minus then option_map Z.opp (magnitude_value 0 rest) else magnitude_value 0 b | [] => None end.

Lemma magnitude_digits fuel : forall n after rest, 0 <= n < 2 ^ Z.of_nat fuel ->
  magnitude_value 0 (digits_onto fuel n after ++ rest) = magnitude_value n (after ++ rest).
Proof.
  induction fuel as [|fuel IH]; intros n after rest N; [simpl in N; replace n with 0 by lia; reflexivity|].
  assert (D : forall m d rest, 0 <= d < ten -> magnitude_value m (digit_0 + d :: rest) = magnitude_value (ten * m + d) rest).
  { intros m d r H. cbn [magnitude_value]. unfold is_digit, digit_0, digit_9, ten in *.
    replace ((48 <=? 48 + d) && (48 + d <=? 57)) with true by (symmetry; rewrite andb_true_iff, !Z.leb_le; lia). f_equal. lia. }
  cbn [digits_onto]. destruct (Z.ltb_spec n ten) as [L|L].
  - rewrite <- app_comm_cons, D by lia. reflexivity.
  - rewrite IH.
    + rewrite <- app_comm_cons, D by (apply Z.mod_pos_bound; unfold ten; lia). f_equal. symmetry. apply Z.div_mod. unfold ten. lia.
    + rewrite Nat2Z.inj_succ, Z.pow_succ_r in N by lia. unfold ten in *. pose proof (Z.div_pos n 10). pose proof (Z.mul_div_le n 10). lia.
Qed.

Lemma fraction_digits places : forall r, 0 <= r < 10 ^ Z.of_nat places -> fraction_value (fraction places r) places = r.
Proof.
  induction places as [|places IH]; intros r R; [simpl in *; lia|]. cbn [fraction]. destruct (Z.eqb_spec r 0) as [->|N]; [reflexivity|].
  cbn [fraction_value]. assert (P : 0 < 10 ^ Z.of_nat places) by (apply Z.pow_pos_nonneg; lia).
  rewrite IH by (apply Z.mod_pos_bound, P). pose proof (Z.div_mod r (10 ^ Z.of_nat places)). lia.
Qed.

Lemma digits_some fuel : forall n after, after <> [] -> digits_onto fuel n after <> [].
Proof. induction fuel as [|fuel IH]; intros n after A; simpl; [exact A|]. destruct (n <? ten); [discriminate|]. apply IH. discriminate. Qed.

Theorem decimal_text_value n : decimal_value (decimal_text n) = Some n.
Proof.
  assert (T : 0 < trillion) by (unfold trillion; apply Z.pow_pos_nonneg; lia).
  assert (M : magnitude_value 0 (digits (Z.abs n / trillion) ++ (if Z.abs n mod trillion =? 0 then [] else point :: fraction 12 (Z.abs n mod trillion))) =
    Some (Z.abs n)).
  { unfold digits. rewrite magnitude_digits.
    - rewrite app_nil_l. pose proof (Z.div_mod (Z.abs n) trillion). destruct (Z.eqb_spec (Z.abs n mod trillion) 0) as [E|E]; cbn [magnitude_value].
      + f_equal. lia.
      + change (is_digit point) with false. change (point =? point) with true. cbn iota. f_equal.
        rewrite fraction_digits by (apply Z.mod_pos_bound, T). lia.
    - pose proof (Z.div_pos (Z.abs n) trillion). split; [lia|]. set (q := Z.abs n / trillion) in *.
      rewrite Nat2Z.inj_succ, Z2Nat.id by apply Z.log2_nonneg. pose proof (Z.log2_spec (Z.max 1 q)). lia. }
  unfold decimal_text, decimal_value. destruct (Z.ltb_spec n 0) as [L|L].
  - cbn [app]. change (minus =? minus) with true. cbn iota. rewrite M. simpl. f_equal. lia.
  - cbn [app]. destruct (digits (Z.abs n / trillion) ++ _) as [|c rest] eqn:E.
    { apply app_eq_nil in E. destruct E as (E & _). exfalso. unfold digits in E. cbn [digits_onto] in E.
      destruct (_ <? ten); [discriminate E|]. revert E. apply digits_some. discriminate. }
    destruct (Z.eqb_spec c minus) as [->|C]; [cbn in M; discriminate M|]. rewrite M. f_equal. lia.
Qed.
