(* The header of a proof file: JSON of one canonical form. Not verified. *)

type t = Null | Whole of int | Text of string | List of t list | Object of (string * t) list

exception Bad of string

let rec print = function
  | Null -> "null"
  | Whole n -> string_of_int n
  | Text s -> "\"" ^ String.concat "" (List.map escape (List.of_seq (String.to_seq s))) ^ "\""
  | List xs -> "[" ^ String.concat "," (List.map print xs) ^ "]"
  | Object xs -> "{" ^ String.concat "," (List.map (fun (k, v) -> print (Text k) ^ ":" ^ print v) xs) ^ "}"

and escape = function
  | '"' -> "\\\"" | '\\' -> "\\\\" | '\b' -> "\\b" | '\012' -> "\\f" | '\n' -> "\\n" | '\r' -> "\\r" | '\t' -> "\\t"
  | c when c < ' ' -> Printf.sprintf "\\u%04x" (Char.code c)
  | c -> String.make 1 c

let parse s =
  let at = ref 0 in
  let bad problem = raise (Bad (Printf.sprintf "byte %d of the header: %s" !at problem)) in
  let peek () = if !at < String.length s then s.[!at] else bad "it ends too early" in
  let next () = let c = peek () in incr at; c in
  let expect c = if next () <> c then bad (Printf.sprintf "'%c' expected" c) in
  let text () =
    expect '"';
    let out = Buffer.create 16 in
    let rec go () =
      match next () with
      | '"' -> Buffer.contents out
      | '\\' ->
        (match next () with
         | ('"' | '\\') as c -> Buffer.add_char out c
         | 'b' -> Buffer.add_char out '\b' | 'f' -> Buffer.add_char out '\012' | 'n' -> Buffer.add_char out '\n'
         | 'r' -> Buffer.add_char out '\r' | 't' -> Buffer.add_char out '\t'
         | 'u' when !at + 4 <= String.length s ->
           (match int_of_string_opt ("0x" ^ String.sub s !at 4) with
            | Some code when code < 32 -> at := !at + 4; Buffer.add_char out (Char.chr code)
            | _ -> bad "an escape that is not needed")
         | _ -> bad "an unknown escape");
        go ()
      | c -> Buffer.add_char out c; go ()
    in
    go ()
  in
  let rec several last item = if peek () = last then (incr at; []) else more last item
  and more last item =
    let x = item () in
    match next () with
    | ',' -> x :: more last item
    | c when c = last -> [x]
    | _ -> bad "',' expected"
  in
  let rec value () =
    match peek () with
    | '"' -> Text (text ())
    | '[' -> incr at; List (several ']' value)
    | '{' -> incr at; Object (several '}' (fun () -> let k = text () in expect ':'; (k, value ())))
    | 'n' -> String.iter expect "null"; Null
    | '-' | '0' .. '9' ->
      let first = !at in
      incr at;
      while !at < String.length s && s.[!at] >= '0' && s.[!at] <= '9' do incr at done;
      (match int_of_string_opt (String.sub s first (!at - first)) with Some n -> Whole n | None -> bad "no whole number")
    | _ -> bad "no value"
  in
  let result = value () in
  if !at <> String.length s then bad "something follows the object";
  if print result <> s then raise (Bad "the header is not in canonical form");
  result

(* The values of exactly these keys, in this order. *)
let fields keys = function
  | Object xs when List.map fst xs = keys -> List.map snd xs
  | _ -> raise (Bad ("an object of the keys " ^ String.concat ", " keys ^ " expected"))

let whole name low high = function
  | Whole n when n >= low && n <= high -> n
  | _ -> raise (Bad (Printf.sprintf "'%s' is no whole number from %d to %d" name low high))

let text name = function Text s -> s | _ -> raise (Bad ("'" ^ name ^ "' is no text"))
let list name = function List xs -> xs | _ -> raise (Bad ("'" ^ name ^ "' is no list"))
