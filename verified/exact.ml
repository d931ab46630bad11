(* Whole numbers of any size: those of Zarith. Division and remainder are rounded down, as Coq's are. *)

module Z = Z  (* The extracted program has a module of this name. *)

type t = Z.t

let zero = Z.zero
let one = Z.one
let double a = Z.shift_left a 1
let double_plus_one a = Z.succ (double a)
let div a b = if Z.equal b Z.zero then Z.zero else Z.fdiv a b
let modulo a b = if Z.equal b Z.zero then a else Z.sub a (Z.mul b (Z.fdiv a b))
let pow a n = if Z.sign n < 0 then Z.zero else Z.pow a (Z.to_int n)
let log2 a = if Z.sign a <= 0 then Z.zero else Z.of_int (Z.numbits a - 1)

(* Coq's constructors of positive numbers and of Z, taken apart. *)
let match_positive odd even one p =
  if Z.leq p Z.one then one () else if Z.is_odd p then odd (Z.shift_right p 1) else even (Z.shift_right p 1)
let match_z zero positive negative z = match Z.sign z with 0 -> zero () | 1 -> positive z | _ -> negative (Z.neg z)
