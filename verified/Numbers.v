(* Numbers of a table. A number is written in decimal digits and stands for the double nearest to it. Every double is a whole multiple of 2^-1074, so
   its value is kept as that whole number, and nothing is rounded behind this page. *)

From Coq Require Import ZArith List Bool Lia.
From Treewright Require Import Bytes.
Import ListNotations.
Open Scope Z_scope.

Definition precision : Z := 53.
Definition lowest : Z := 1074.
Definition scale : Z := 2 ^ lowest.

(* n/d >= 0 as a whole number: the nearest one, the even one of two. *)
Definition nearest (n d : Z) : Z :=
  let q := n / d in
  let twice := 2 * (n - d * q) in
  if (d <? twice) || ((d =? twice) && Z.odd q) then q + 1 else q.

(* n/d >= 0 as a double, in multiples of 2^-1074 as n/d is: the nearest number of at most 53 binary digits. *)
Definition double_of (n d : Z) : Z :=
  let s := 2 ^ Z.max 0 (Z.log2 (n / d) + 1 - precision) in
  s * nearest n (d * s).

(* The double nearest to m * 10^e, for m >= 0. *)
Definition decimal_as_double (m e : Z) : Z := if e <? 0 then double_of (m * scale) (ten ^ (- e)) else double_of (m * ten ^ e * scale) 1.

Definition largest : Z := (2 ^ precision - 1) * 2 ^ (970 + lowest).

(* A decimal number: its sign, m and e, with no zero at the end of m. *)
Record decimal := Decimal { negative : bool; mantissa : Z; exponent : Z }.

Definition letter_e : Z := 101.
Definition is_digit (c : Z) : bool := (digit_0 <=? c) && (c <=? digit_9).

Fixpoint read_digits (n : Z) (b : bytes) : option Z :=
  match b with
  | [] => Some n
  | c :: rest => if is_digit c then read_digits (ten * n + (c - digit_0)) rest else None
  end.
Definition read_exponent (b : bytes) : option Z :=
  match b with
  | [] => None
  | c :: rest => if c =? minus then option_map Z.opp (read_digits 0 rest) else read_digits 0 b
  end.
Fixpoint read_mantissa (behind : bool) (m e : Z) (b : bytes) : option (Z * Z) :=
  match b with
  | [] => Some (m, e)
  | c :: rest =>
      if is_digit c then read_mantissa behind (ten * m + (c - digit_0)) (if behind then e - 1 else e) rest
      else if (c =? point) && negb behind then read_mantissa true m e rest
      else if c =? letter_e then option_map (fun x => (m, e + x)) (read_exponent rest)
      else None
  end.
Fixpoint strip (fuel : nat) (m e : Z) : Z * Z :=
  match fuel with
  | O => (m, e)
  | S fuel => if m mod ten =? 0 then strip fuel (m / ten) (e + 1) else (m, e)
  end.
Definition read_decimal (b : bytes) : option decimal :=
  let (negative, unsigned) := match b with c :: rest => if c =? minus then (true, rest) else (false, b) | [] => (false, b) end in
  match read_mantissa false 0 0 unsigned with
  | Some (m, e) => if m =? 0 then Some (Decimal negative 0 0) else let (m, e) := strip 40 m e in Some (Decimal negative m e)
  | None => None
  end.

Fixpoint zeros_before (n : nat) (b : bytes) : bytes :=
  match n with
  | O => b
  | S n => zeros_before n (digit_0 :: b)
  end.

Definition lowest_written_out : Z := -4.
Definition highest_written_out : Z := 15.

(* The one spelling. *)
Definition spell_exponent (e : Z) : bytes := if e <? 0 then minus :: digits (- e) else digits e.
Definition spell_magnitude (m e : Z) : bytes :=
  let ds := digits m in
  let n := Z.of_nat (length ds) in
  let first := n - 1 + e in
  if (first <? lowest_written_out) || (highest_written_out <? first) then
    firstn 1 ds ++ (if 1 <? n then point :: skipn 1 ds else []) ++ letter_e :: spell_exponent first
  else if first <? 0 then digit_0 :: point :: zeros_before (Z.to_nat (- first - 1)) ds
  else if 0 <=? e then ds ++ zeros_before (Z.to_nat e) []
  else firstn (Z.to_nat (first + 1)) ds ++ point :: skipn (Z.to_nat (first + 1)) ds.
Definition spell (d : decimal) : bytes :=
  if mantissa d =? 0 then [digit_0] else (if negative d then cons minus else id) (spell_magnitude (mantissa d) (exponent d)).

(* Whether m is nearer to m0 * 2^-1074, in units of 10^e, than n. *)
Definition is_nearer (v e m n : Z) : bool :=
  let (one, x) := if e <? 0 then (scale, v * ten ^ (- e)) else (scale * ten ^ e, v) in
  Z.abs (m * one - x) <? Z.abs (n * one - x).

(* Whether no fewer digits give the double v, and no others of as many are nearer. Up to 15 digits always tell doubles apart. *)
Definition few_digits : Z := 15.
Definition smallest_normal : Z := 2 ^ (precision - 1).
Definition is_shortest (m e v : Z) : bool :=
  ((m <? ten ^ few_digits) && (smallest_normal <=? v)) ||
  (let gives m' e' := decimal_as_double m' e' =? v in
   let other m' := is_nearer v e m' m && gives m' e in
   let f := e + 1 in
   let fewer := if f <? 0 then (v * ten ^ (- f)) / scale else v / (scale * ten ^ f) in
   negb (other (m - 1)) && negb (other (m + 1)) && negb (gives fewer f) && negb (gives (fewer + 1) f)).

(* The value, if this is a number in its one spelling. *)
Definition longest_number : Z := 40.
Definition extreme_exponent : Z := 400.
Definition number_of (b : bytes) : option Z :=
  if longest_number <? Z.of_nat (length b) then None
  else match read_decimal b with
       | None => None
       | Some d =>
           if extreme_exponent <? Z.abs (exponent d) then None
           else if negb (same (spell d) b) then None
           else if mantissa d =? 0 then Some 0
           else let v := decimal_as_double (mantissa d) (exponent d) in
                if (v <=? 0) || (largest <? v) || negb (is_shortest (mantissa d) (exponent d) v) then None
                else Some (if negative d then - v else v)
       end.
Definition is_number (b : bytes) : bool := match number_of b with Some _ => true | None => false end.
Definition value_of (b : bytes) : Z := match number_of b with Some v => v | None => 0 end.

Lemma scale_pos : 0 < scale.
Proof. unfold scale. apply Z.pow_pos_nonneg; unfold lowest; lia. Qed.
Global Opaque scale.
