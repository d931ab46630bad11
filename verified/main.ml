(* treewright-verify TABLE.tw FILE.proof

   Reads two files, asks the verified program (checker.ml, extracted from Coq), and prints what it says. *)

(* Lists of many rows need a deep stack. Only a new process has another limit. *)
let raise_stack () =
  if Sys.getenv_opt "TREEWRIGHT_STACK" = None then
    let raised = "ulimit -s unlimited 2>/dev/null || ulimit -s $(ulimit -H -s) 2>/dev/null; exec \"$0\" \"$@\"" in
    let words = Array.sub Sys.argv 1 (Array.length Sys.argv - 1) in
    try Unix.putenv "TREEWRIGHT_STACK" "raised"; Unix.execv "/bin/sh" (Array.append [| "sh"; "-c"; raised; Sys.executable_name |] words)
    with Unix.Unix_error _ -> ()

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
  raise_stack ();
  Gc.set { (Gc.get ()) with minor_heap_size = 1 lsl 22 };  (* Each minor collection goes through the stack. *)
  match Sys.argv with
  | [| _; table; proof |] -> (
    match Checker.judge (bytes_of (contents table)) (bytes_of (contents proof)) with
    | Checker.Said sentence -> print_endline (text_of sentence)
    | Checker.Refused why -> refuse (text_of why)
    | exception Sys_error problem -> refuse problem
    | exception Stack_overflow -> refuse "the stack that this system allows is too small")
  | _ -> prerr_endline "usage: treewright-verify TABLE.tw FILE.proof"; exit 2
