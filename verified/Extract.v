(* The OCaml program. Whole numbers become OCaml's integers of 63 bits, with operations that stop the program where the exact result does not fit
   (exact.ml): whatever it answers, it computed with exact numbers. *)

From Coq Require Import ZArith List Bool Extraction ExtrOcamlBasic.
From Treewright Require Import Labels Trees Counts Checker Alike Rows Merged Family Verify Fast.

Extract Inductive positive => "int" ["Exact.double_plus_one" "Exact.double" "1"] "Exact.match_positive".
Extract Inductive Z => "int" ["0" "" "Exact.opp"] "Exact.match_z".
Extract Inlined Constant Z.add => "Exact.add".
Extract Inlined Constant Z.sub => "Exact.sub".
Extract Inlined Constant Z.mul => "Exact.mul".
Extract Inlined Constant Z.opp => "Exact.opp".
Extract Inlined Constant Z.max => "Exact.max".
Extract Inlined Constant Z.min => "Exact.min".
Extract Inlined Constant Z.eqb => "Exact.eqb".
Extract Inlined Constant Z.leb => "Exact.leb".
Extract Inlined Constant Z.ltb => "Exact.ltb".
Extract Constant Z.of_nat => "(let rec count n = match n with O -> 0 | S n -> Exact.add 1 (count n) in count)".
(* Products of two sums of weights may need twice as many bits. *)
Extract Constant share_leb => "Exact.share_leb".

Extraction "checker.ml" fast_verify proved_bound rank_of.
