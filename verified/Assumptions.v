(* Prints what the theorem is and what it rests on; the test compares. *)
From Treewright Require Import Fast Same.
Check check_sound.
Print Assumptions check_sound.
