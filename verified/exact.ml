(* Whole numbers of 63 bits. An operation whose exact result does not fit stops the program, so no answer rests on a wrong one. *)

exception Out_of_range

let[@inline] add (a : int) (b : int) =
  let s = a + b in
  if (a lxor s) land (b lxor s) < 0 then raise Out_of_range else s

let[@inline] sub (a : int) (b : int) =
  let d = a - b in
  if (a lxor b) land (a lxor d) < 0 then raise Out_of_range else d

let small = 1 lsl 30

let mul (a : int) (b : int) =
  if a > -small && a < small && b > -small && b < small then a * b
  else if a = 0 || b = 0 then 0
  else if a = min_int || b = min_int then raise Out_of_range
  else
    let p = a * b in
    if p <> min_int && p / a = b then p else raise Out_of_range

(* a/b <= c/d for b, d > 0. Beyond 30 bits the products are Zarith's. *)
let share_leb (a, b) (c, d) =
  if Stdlib.max (Stdlib.max a b) (Stdlib.max c d) < small && Stdlib.min a c >= 0 then a * d <= c * b
  else Z.leq (Z.mul (Z.of_int a) (Z.of_int d)) (Z.mul (Z.of_int c) (Z.of_int b))

let opp a = sub 0 a
let double a = add a a
let double_plus_one a = add 1 (add a a)
let[@inline] max (a : int) (b : int) = if a >= b then a else b
let[@inline] min (a : int) (b : int) = if a <= b then a else b
let[@inline] eqb (a : int) (b : int) = a = b
let[@inline] leb (a : int) (b : int) = a <= b
let[@inline] ltb (a : int) (b : int) = a < b

(* Coq's constructors of positive numbers and of Z, taken apart. *)
let match_positive odd even one p = if p <= 1 then one () else if p land 1 = 1 then odd (p lsr 1) else even (p lsr 1)
let match_z zero positive negative z = if z = 0 then zero () else if z > 0 then positive z else negative (opp z)
