(* The sentence that is printed, and when it is true. *)

From Coq Require Import String ZArith List Bool Lia.
From Treewright Require Import Bytes Numbers Canonical Meaning Whole.
Import ListNotations.
Open Scope Z_scope.

(* What a sentence says of a table. Prices and bounds are in multiples of 10^-12, and where numbers are predicted of 10^-400. *)
Record claim := Claim {
  most_depth : nat;
  most_splits : option Z;
  least_rows : Z;  (* in each leaf; 0 if the sentence says nothing of it *)
  restricted : list nat;
  price : Z;  (* of a split *)
  bound : Z
}.

Definition trillion : Z := 10 ^ 12.

Definition finest : Z := 400.

(* No tree within the limits costs less than the bound. *)
Definition labels_hold (t : table) (unit : Z) (c : claim) : Prop :=
  forall u : tree, in_family t (whole unit) (rows_of t) (restricted c) u ->
  (depth u <= most_depth c)%nat -> match most_splits c with Some n => splits u <= n | None => True end -> leaves_hold (least_rows c) u (rows_of t) ->
  bound c * (scale * scale) <= trillion * loss u (rows_of t) + price c * splits u * (scale * scale).

(* The same of squared error, for any predictions `label / under` of the leaves. *)
Definition numbers_hold (t : table) (c : claim) : Prop :=
  forall (under : Z) (u : tree), 0 < under -> has_splits_of t u ->
  (depth u <= most_depth c)%nat -> match most_splits c with Some n => splits u <= n | None => True end -> leaves_hold (least_rows c) u (rows_of t) ->
  bound c * (scale ^ 3 * under ^ 2) <= ten ^ finest * squared_error under u (rows_of t) + price c * splits u * (scale ^ 3 * under ^ 2).

Definition holds (t : table) (unit : Z) (c : claim) : Prop :=
  match target t with Some _ => numbers_hold t c | None => labels_hold t unit c end.

(* A multiple of 10^-12 in decimal digits. *)
Fixpoint fraction (places : nat) (r : Z) : bytes :=
  match places with
  | O => []
  | S places => if r =? 0 then [] else digit_0 + r / 10 ^ Z.of_nat places :: fraction places (r mod 10 ^ Z.of_nat places)
  end.
Definition decimal_text (n : Z) : bytes :=
  (if n <? 0 then [minus] else []) ++ digits (Z.abs n / trillion) ++
  (if Z.abs n mod trillion =? 0 then [] else point :: fraction 12 (Z.abs n mod trillion)).

(* A multiple of 10^-400 as a table spells numbers, and what the digits of such a number say exactly. *)
Definition number_text (n : Z) : bytes :=
  if n =? 0 then [digit_0] else let (m, e) := strip (length (digits (Z.abs n))) (Z.abs n) (- finest) in spell (Decimal (n <? 0) m e).
Definition number_value (b : bytes) : option Z :=
  match read_decimal b with
  | Some d => if exponent d + finest <? 0 then None
              else Some ((if negative d then -1 else 1) * mantissa d * ten ^ (exponent d + finest))
  | None => None
  end.

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

Definition amount_text (t : table) : Z -> bytes := match target t with Some _ => number_text | None => decimal_text end.

Definition sentence (t : table) (c : claim) : bytes :=
  text "no tree of axis and category splits of depth at most " ++ digits (Z.of_nat (most_depth c)) ++ limits c ++ text " for " ++
  match target t, class t with Some name, _ | None, Some name => name | None, None => text "the labels " ++ listed (labels t) end ++
  text " on these " ++ digits (count (rows t)) ++ text " rows has " ++
  (match target t, class t, matrix t with
   | Some _, _, _ => text "squared error"
   | None, Some _, [] => text "errors"
   | None, _, _ => text "costs"
   end) ++
  (match weight t with Some name => text " weighted by " ++ name | None => [] end) ++
  (if price c =? 0 then [] else text " + " ++ amount_text t (price c) ++ text " * splits") ++
  text " below " ++ amount_text t (bound c) ++
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

(* The same of numbers as a table spells them. *)
Fixpoint digits_value (n : Z) (b : bytes) : Z :=
  match b with
  | [] => n
  | c :: rest => digits_value (ten * n + (c - digit_0)) rest
  end.
Definition all_digits (b : bytes) : Prop := forallb is_digit b = true.

Lemma digits_value_app a b : forall n, digits_value n (a ++ b) = digits_value (digits_value n a) b.
Proof. induction a as [|c a IH]; intros n; simpl; [reflexivity|apply IH]. Qed.
Lemma all_digits_app a b : all_digits (a ++ b) <-> all_digits a /\ all_digits b.
Proof. unfold all_digits. rewrite forallb_app, andb_true_iff. tauto. Qed.

Lemma digits_onto_all fuel : forall n after, 0 <= n < 2 ^ Z.of_nat fuel -> 0 < Z.of_nat fuel ->
  exists ds, digits_onto fuel n after = ds ++ after /\ all_digits ds /\ digits_value 0 ds = n /\ ds <> [].
Proof.
  assert (D : forall k, 0 <= k < ten -> all_digits [digit_0 + k]).
  { intros k K. unfold all_digits, is_digit, digit_0, digit_9, ten in *. cbn [forallb]. rewrite andb_true_r, andb_true_iff, !Z.leb_le. lia. }
  induction fuel as [|fuel IH]; intros n after N F; [simpl in F; lia|]. cbn [digits_onto]. destruct (Z.ltb_spec n ten) as [L|L].
  - exists [digit_0 + n]. split; [reflexivity|]. split; [apply D; lia|]. split; [cbn [digits_value]; lia|discriminate].
  - rewrite Nat2Z.inj_succ, Z.pow_succ_r in N by lia. pose proof (Z.div_mod n ten ltac:(unfold ten; lia)) as Dm.
    pose proof (Z.mod_pos_bound n ten ltac:(unfold ten; lia)) as Mb.
    destruct (IH (n / ten) (digit_0 + n mod ten :: after)) as (ds & E & A & V & Ne).
    + pose proof (Z.div_pos n ten ltac:(lia) ltac:(unfold ten; lia)). unfold ten in *. lia.
    + destruct fuel; [|lia]. simpl in N. unfold ten in L. lia.
    + exists (ds ++ [digit_0 + n mod ten]). rewrite E, <- app_assoc. split; [reflexivity|]. split; [apply all_digits_app; auto|].
      split; [rewrite digits_value_app, V; cbn [digits_value]; lia|]. intros X. apply app_eq_nil in X. destruct X. discriminate.
Qed.

Lemma digits_all n : 0 <= n -> all_digits (digits n) /\ digits_value 0 (digits n) = n /\ digits n <> [].
Proof.
  intros N. unfold digits. destruct (digits_onto_all (S (Z.to_nat (Z.log2 (Z.max 1 n)))) n []) as (ds & E & A & V & Ne).
  - rewrite Nat2Z.inj_succ, Z2Nat.id by apply Z.log2_nonneg. pose proof (Z.log2_spec (Z.max 1 n)). lia.
  - lia.
  - rewrite app_nil_r in E. rewrite E. auto.
Qed.

Lemma read_digits_value ds : all_digits ds -> forall n, read_digits n ds = Some (digits_value n ds).
Proof.
  induction ds as [|c ds IH]; intros A n; [reflexivity|]. unfold all_digits in A. cbn [forallb] in A. apply andb_true_iff in A. destruct A as (C & A).
  cbn [read_digits digits_value]. rewrite C. apply IH, A.
Qed.

Lemma read_mantissa_digits ds : all_digits ds -> forall behind m e rest,
  read_mantissa behind m e (ds ++ rest) = read_mantissa behind (digits_value m ds) (if behind then e - Z.of_nat (length ds) else e) rest.
Proof.
  induction ds as [|c ds IH]; intros A behind m e rest.
  - simpl. destruct behind; [rewrite Z.sub_0_r|]; reflexivity.
  - unfold all_digits in A. cbn [forallb] in A. apply andb_true_iff in A. destruct A as (C & A).
    cbn [app read_mantissa digits_value]. rewrite C, IH by exact A. destruct behind; [|reflexivity]. f_equal. simpl length. lia.
Qed.

Lemma digit_no_minus c : is_digit c = true -> (c =? minus) = false.
Proof. unfold is_digit, digit_0, digit_9, minus. rewrite andb_true_iff, !Z.leb_le. intros H. apply Z.eqb_neq. lia. Qed.

Lemma read_spelled_exponent e : read_exponent (spell_exponent e) = Some e.
Proof.
  unfold spell_exponent. destruct (Z.ltb_spec e 0) as [L|L].
  - destruct (digits_all (- e) ltac:(lia)) as (A & V & _). cbn [read_exponent]. change (minus =? minus) with true. cbn iota.
    rewrite read_digits_value, V by exact A. simpl. f_equal. lia.
  - destruct (digits_all e L) as (A & V & Ne). unfold read_exponent. destruct (digits e) as [|c rest] eqn:E; [contradiction|].
    pose proof A as A'. unfold all_digits in A'. cbn [forallb] in A'. apply andb_true_iff in A'. destruct A' as (C & _).
    rewrite (digit_no_minus c C), read_digits_value, V by exact A. reflexivity.
Qed.

Lemma read_mantissa_point m e rest : read_mantissa false m e (point :: rest) = read_mantissa true m e rest.
Proof. reflexivity. Qed.
Lemma read_mantissa_exponent behind m e x : read_mantissa behind m e (letter_e :: spell_exponent x) = Some (m, e + x).
Proof.
  cbn [read_mantissa]. change (is_digit letter_e) with false. change (letter_e =? point) with false. change (letter_e =? letter_e) with true.
  cbn iota. cbn [andb]. rewrite read_spelled_exponent. reflexivity.
Qed.

Lemma zeros_before_eq k b : zeros_before k b = repeat digit_0 k ++ b.
Proof. revert b. induction k as [|k IH]; intros b; [reflexivity|]. cbn [zeros_before repeat]. rewrite IH, repeat_cons, <- app_assoc. reflexivity. Qed.
Lemma zeros_all k : all_digits (repeat digit_0 k).
Proof. induction k as [|k IH]; [reflexivity|]. unfold all_digits in *. simpl. exact IH. Qed.
Lemma zeros_value k : forall n, digits_value n (repeat digit_0 k) = n * ten ^ Z.of_nat k.
Proof.
  induction k as [|k IH]; intros n; [simpl; lia|]. cbn [repeat digits_value]. rewrite IH, Nat2Z.inj_succ, Z.pow_succ_r by lia. ring.
Qed.

Lemma all_digits_parts k ds : all_digits ds -> all_digits (firstn k ds) /\ all_digits (skipn k ds).
Proof. intros A. rewrite <- (firstn_skipn k ds) in A. apply all_digits_app, A. Qed.

(* What is read of the spelling of m * 10^e: that, or a whole number of the same value. *)
Lemma read_spelled m e : 0 < m -> exists m' e', read_mantissa false 0 0 (spell_magnitude m e) = Some (m', e') /\
  (m' = m /\ e' = e \/ m' = m * ten ^ e /\ e' = 0 /\ 0 <= e) /\ exists c rest, spell_magnitude m e = c :: rest /\ is_digit c = true.
Proof.
  intros M. destruct (digits_all m ltac:(lia)) as (A & V & Ne). unfold spell_magnitude. cbv zeta. set (ds := digits m) in *. set (first := _ - 1 + e).
  assert (Long : 1 <= Z.of_nat (length ds)) by (destruct ds; [contradiction|simpl length; lia]).
  assert (Head : forall rest, exists c rest', ds ++ rest = c :: rest' /\ is_digit c = true).
  { intros rest. destruct ds as [|c ds']; [contradiction|]. exists c, (ds' ++ rest). split; [reflexivity|].
    unfold all_digits in A. cbn [forallb] in A. apply andb_true_iff in A. apply A. }
  assert (Part : forall k rest, (0 < k)%nat -> exists c rest', firstn k ds ++ rest = c :: rest' /\ is_digit c = true).
  { intros k rest K. destruct (Head []) as (c & rest' & E & C). rewrite app_nil_r in E. rewrite E. destruct k; [lia|]. simpl. eauto. }
  destruct (_ || _) eqn:Far.
  - exists m, e. split; [|split; [auto|apply Part; lia]]. destruct (all_digits_parts 1 ds A) as (A1 & A2). rewrite read_mantissa_digits by exact A1.
    destruct (Z.ltb_spec 1 (Z.of_nat (length ds))) as [L|L].
    + rewrite <- app_comm_cons, read_mantissa_point, read_mantissa_digits by exact A2. rewrite <- digits_value_app, firstn_skipn, V, read_mantissa_exponent.
      do 2 f_equal. rewrite skipn_length. unfold first. lia.
    + rewrite app_nil_l, read_mantissa_exponent. rewrite firstn_all2 by lia. rewrite V. do 2 f_equal. unfold first. lia.
  - destruct (Z.ltb_spec first 0) as [Neg|Pos].
    + exists m, e. split; [|split; [auto|exists digit_0; eauto]]. rewrite zeros_before_eq.
      change (digit_0 :: point :: ?r) with ([digit_0] ++ point :: r). rewrite read_mantissa_digits by reflexivity. rewrite read_mantissa_point.
      rewrite read_mantissa_digits by apply zeros_all. rewrite <- (app_nil_r ds), read_mantissa_digits by exact A. cbn [read_mantissa].
      rewrite zeros_value. cbn [digits_value]. replace ((ten * 0 + (digit_0 - digit_0)) * _) with 0 by ring. rewrite V. do 2 f_equal.
      rewrite repeat_length, Z2Nat.id by lia. unfold first. lia.
    + destruct (Z.leb_spec 0 e) as [E|E].
      * exists (m * ten ^ e), 0. split; [|split; [auto|apply Head]]. rewrite zeros_before_eq, app_nil_r, read_mantissa_digits by exact A.
        rewrite <- (app_nil_r (repeat _ _)), read_mantissa_digits by apply zeros_all. cbn [read_mantissa]. rewrite zeros_value, V, Z2Nat.id by exact E. reflexivity.
      * exists m, e. split; [|split; [auto|apply Part; lia]]. destruct (all_digits_parts (Z.to_nat (first + 1)) ds A) as (A1 & A2).
        rewrite read_mantissa_digits by exact A1. rewrite read_mantissa_point. rewrite <- (app_nil_r (skipn _ ds)), read_mantissa_digits by exact A2.
        cbn [read_mantissa]. rewrite <- digits_value_app, firstn_skipn, V. do 2 f_equal. rewrite skipn_length. unfold first in *. lia.
Qed.

Lemma strip_value fuel : forall m e, 0 < m -> let (m', e') := strip fuel m e in 0 < m' /\ e <= e' /\ m = m' * ten ^ (e' - e).
Proof.
  induction fuel as [|fuel IH]; intros m e M; cbn [strip]; [rewrite Z.sub_diag; lia|]. destruct (Z.eqb_spec (m mod ten) 0) as [Z0|Z0]; [|rewrite Z.sub_diag; lia].
  pose proof (Z.div_mod m ten ltac:(unfold ten; lia)) as Dm. assert (P : 0 < m / ten) by (rewrite Z0 in Dm; unfold ten in *; lia). specialize (IH (m / ten) (e + 1) P).
  destruct (strip fuel (m / ten) (e + 1)) as (m', e'). destruct IH as (A & B & C). split; [exact A|]. split; [lia|].
  replace (e' - e) with (Z.succ (e' - (e + 1))) by lia. rewrite Z.pow_succ_r by lia. lia.
Qed.

Theorem number_text_value n : number_value (number_text n) = Some n.
Proof.
  unfold number_text, number_value. destruct (Z.eqb_spec n 0) as [->|N0]; [reflexivity|].
  pose proof (strip_value (length (digits (Z.abs n))) (Z.abs n) (- finest) ltac:(lia)) as S. destruct (strip _ (Z.abs n) (- finest)) as (m, e).
  destruct S as (M & E & V). unfold spell. cbn [mantissa exponent negative]. destruct (Z.eqb_spec m 0) as [M0|_]; [lia|].
  destruct (read_spelled m e M) as (m' & e' & R & W & c & rest & Sp & C).
  assert (D : read_decimal ((if n <? 0 then cons minus else id) (spell_magnitude m e)) = let (m, e) := strip 40 m' e' in Some (Decimal (n <? 0) m e)).
  { unfold read_decimal. assert (0 < ten ^ e \/ e < 0) by (destruct (Z.lt_ge_cases e 0); [auto|left; apply Z.pow_pos_nonneg; unfold ten; lia]).
    assert (m' <> 0) by (destruct W as [(-> & _)|(-> & _ & E0)]; [lia|nia]).
    destruct (n <? 0); [cbn [Z.eqb]; change (minus =? minus) with true; cbn iota|unfold id; rewrite Sp in *; rewrite (digit_no_minus c C)];
      rewrite R; (destruct (Z.eqb_spec m' 0); [contradiction|reflexivity]). }
  rewrite D. clear D.
  assert (M' : 0 < m' /\ - finest <= e' /\ Z.abs n = m' * ten ^ (e' + finest)).
  { replace (e - - finest) with (e + finest) in V by lia. destruct W as [(-> & ->)|(-> & -> & E0)]; [auto|]. assert (0 < ten ^ e) by (apply Z.pow_pos_nonneg; unfold ten; lia).
    split; [nia|]. split; [unfold finest; lia|]. rewrite V, <- Z.mul_assoc, <- Z.pow_add_r by (unfold finest in *; lia). reflexivity. }
  destruct M' as (M' & E' & V'). pose proof (strip_value 40 m' e' M') as S. destruct (strip 40 m' e') as (m2, e2).
  destruct S as (M2 & E2 & V2). cbn [exponent mantissa negative]. destruct (Z.ltb_spec (e2 + finest) 0); [lia|]. f_equal.
  assert (A : m2 * ten ^ (e2 + finest) = Z.abs n).
  { rewrite V', V2, <- Z.mul_assoc, <- Z.pow_add_r by lia. do 2 f_equal. lia. }
  destruct (Z.ltb_spec n 0); lia.
Qed.
