(* The OCaml program. Whole numbers become Zarith's, of any size (exact.ml). *)

From Coq Require Import ZArith List Bool Extraction ExtrOcamlBasic.
From Treewright Require Import Judge.

Extract Inductive positive => "Exact.t" ["Exact.double_plus_one" "Exact.double" "Exact.one"] "Exact.match_positive".
Extract Inductive Z => "Exact.t" ["Exact.zero" "" "Exact.Z.neg"] "Exact.match_z".
Extract Inlined Constant Z.add => "Exact.Z.add".
Extract Inlined Constant Z.sub => "Exact.Z.sub".
Extract Inlined Constant Z.mul => "Exact.Z.mul".
Extract Inlined Constant Z.opp => "Exact.Z.neg".
Extract Inlined Constant Z.abs => "Exact.Z.abs".
Extract Inlined Constant Z.max => "Exact.Z.max".
Extract Inlined Constant Z.min => "Exact.Z.min".
Extract Inlined Constant Z.eqb => "Exact.Z.equal".
Extract Inlined Constant Z.leb => "Exact.Z.leq".
Extract Inlined Constant Z.ltb => "Exact.Z.lt".
Extract Inlined Constant Z.odd => "Exact.Z.is_odd".
Extract Inlined Constant Z.lxor => "Exact.Z.logxor".
Extract Inlined Constant Z.div => "Exact.div".
Extract Inlined Constant Z.modulo => "Exact.modulo".
Extract Inlined Constant Z.pow => "Exact.pow".
Extract Inlined Constant Z.log2 => "Exact.log2".
Extract Constant Z.of_nat => "(let rec count done_ n = match n with O -> done_ | S n -> count (Exact.Z.succ done_) n in count Exact.Z.zero)".

Extraction "checker.ml" judge.
