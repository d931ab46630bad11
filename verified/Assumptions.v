(* Prints what the theorems are and what they rest on; the test compares. *)
From Coq Require Import ZArith List.
From Treewright Require Import Bytes Numbers Canonical Meaning Whole Sentence Judge.
Open Scope Z_scope.
Open Scope list_scope.
Check judge_sound.
Print holds.
Print labels_hold.
Print numbers_hold.
Print squared_error.
Check read_is_print.
Check decimal_text_value.
Check number_text_value.
Print Assumptions judge_sound.
Print Assumptions read_is_print.
Print Assumptions decimal_text_value.
Print Assumptions number_text_value.
