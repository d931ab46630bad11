(* treewright-verify TABLE.tw FILE.proof

   Reads two files, asks the verified program (checker.ml, extracted from Coq), and prints what it says. *)

let contents path =
  let file = open_in_bin path in
  Fun.protect ~finally:(fun () -> close_in file) (fun () -> really_input_string file (in_channel_length file))

let codes = Array.init 256 Z.of_int

let bytes_of text =
  let rec go i after = if i < 0 then after else go (i - 1) (codes.(Char.code text.[i]) :: after) in
  go (String.length text - 1) []

let text_of bytes =
  let text = Buffer.create 256 in
  List.iter (fun c -> Buffer.add_char text (Char.chr (Z.to_int c))) bytes;
  Buffer.contents text

let refuse why = prerr_endline ("refused: " ^ why); exit 1

let () =
  match Sys.argv with
  | [| _; table; proof |] -> (
    match Checker.judge (bytes_of (contents table)) (bytes_of (contents proof)) with
    | Checker.Said sentence -> print_endline (text_of sentence)
    | Checker.Refused why -> refuse (text_of why)
    | exception Sys_error problem -> refuse problem
    | exception Stack_overflow -> refuse "the stack is too small; raise it with ulimit -s")
  | _ -> prerr_endline "usage: treewright-verify TABLE.tw FILE.proof"; exit 2
