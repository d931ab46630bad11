(* Reads a table from CSV as docs/proof-format.md says. Not verified: a wrong table gives a right sentence about wrong rows.
   The fingerprint of the table, which treewright computed with another reader, guards against that. *)

exception Refused of string

let refuse form = Printf.ksprintf (fun s -> raise (Refused s)) form

(* How the table is read; from the header. *)
type options = {
  target : string;
  weights : string option;
  class_weights : (string * Q.t) list option;
  missing : string list;
  categories : string list;
  written : string list;
  left_out : string list;
}

type table = {
  features : string list;
  checked : Checker.table;  (* the verified checker's *)
  levels : string array array;  (* of each category, by code *)
  unit_loss : Q.t;  (* by rounding weights to whole numbers *)
  rows_left_out : int;
  fingerprint : string;
}

let fnv1a text =
  let hash = ref 0xcbf29ce484222325L in
  String.iter (fun c -> hash := Int64.mul (Int64.logxor !hash (Int64.of_int (Char.code c))) 1099511628211L) text;
  Printf.sprintf "%016Lx" !hash

let contents path =
  let file = try open_in_bin path with Sys_error problem -> refuse "%s" problem in
  Fun.protect ~finally:(fun () -> close_in file) (fun () -> really_input_string file (in_channel_length file))

let blank c = c = ' ' || c = '\t'

let trim s =
  let n = String.length s in
  let i = ref 0 and j = ref n in
  while !i < n && blank s.[!i] do incr i done;
  while !j > !i && blank s.[!j - 1] do decr j done;
  String.sub s !i (!j - !i)

(* Lines of cells, each with whether it was in quotes. *)
let cells_of text =
  let n = String.length text in
  let at = ref (if n >= 3 && String.sub text 0 3 = "\xef\xbb\xbf" then 3 else 0) in
  let cell () =
    let out = Buffer.create 16 and quoted = ref false in
    while !at < n && blank text.[!at] do incr at done;
    if !at < n && text.[!at] = '"' then begin
      quoted := true;
      incr at;
      let inside = ref true in
      while !inside do
        if !at >= n then refuse "the table ends inside quotes";
        if text.[!at] <> '"' then (Buffer.add_char out text.[!at]; incr at)
        else if !at + 1 < n && text.[!at + 1] = '"' then (Buffer.add_char out '"'; at := !at + 2)
        else (inside := false; incr at)
      done
    end;
    while !at < n && text.[!at] <> ',' && text.[!at] <> '\n' do Buffer.add_char out text.[!at]; incr at done;
    let s = Buffer.contents out in
    let s = if s <> "" && s.[String.length s - 1] = '\r' then String.sub s 0 (String.length s - 1) else s in
    (trim s, !quoted)
  in
  let rec line cells =
    let cells = cell () :: cells in
    if !at < n && text.[!at] = ',' then (incr at; line cells) else (incr at; List.rev cells)
  in
  let rec lines found =
    if !at >= n then List.rev found
    else match line [] with [("", false)] -> lines found | cells -> lines (Array.of_list cells :: found)
  in
  lines []

let plain_number s =
  let n = String.length s in
  let digits from = let i = ref from in while !i < n && s.[!i] >= '0' && s.[!i] <= '9' do incr i done; !i in
  let sign i = if i < n && (s.[i] = '+' || s.[i] = '-') then i + 1 else i in
  let start = sign 0 in
  let word = String.lowercase_ascii (String.sub s start (n - start)) in
  if List.mem word ["inf"; "infinity"; "nan"] then true
  else
    let whole = digits start in
    let fraction = if whole < n && s.[whole] = '.' then digits (whole + 1) else whole in
    let found = whole - start + max 0 (fraction - whole - 1) in
    found > 0
    && (fraction = n
        || (s.[fraction] = 'e' || s.[fraction] = 'E')
           && (let power = sign (fraction + 1) in power < n && digits power = n))

(* None = missing *)
let number name s =
  let v = float_of_string s +. 0.0 in
  if Float.is_nan v then None
  else if Float.abs v > max_float /. 2.0 then refuse "column '%s' has a value that is infinite or too large: %s" name s
  else Some v

let distinct cells = Array.of_list (List.sort_uniq compare (List.filter_map Fun.id (Array.to_list cells)))

let place_in values =
  let places = Hashtbl.create (Array.length values) in
  Array.iteri (fun i v -> Hashtbl.replace places v i) values;
  Hashtbl.find places

let codes_of cells =
  let values = distinct cells in
  let place = place_in values in
  (Array.map (function Some v -> place v | None -> -1) cells, values)

(* The whole weight of a row, and what rounding loses. *)
let whole_weight unit w =
  let ratio = Q.div w unit in
  let m = Q.of_bigint (Z.fdiv (Z.add (Z.mul (Z.of_int 2) (Q.num ratio)) (Q.den ratio)) (Z.mul (Z.of_int 2) (Q.den ratio))) in
  let loss = Q.abs (Q.sub w (Q.mul m unit)) in
  let loss = if Q.leq (Q.mul (Q.of_bigint (Z.shift_left Z.one 50)) loss) w then Q.zero else loss in
  if Z.numbits (Q.num m) > 53 then refuse "a row weighs more than 2^53 units";
  (Z.to_int (Q.num m), loss)

let is_missing o (text, quoted) = text = "" || ((not quoted) && List.mem text o.missing)

let read path (o : options) unit =
  let text = contents path in
  let names, rows = match cells_of text with names :: rows -> (names, rows) | [] -> refuse "the table has no lines" in
  let names = Array.mapi (fun i (s, _) -> if s = "" then "x" ^ string_of_int i else s) names in
  List.iter (fun r -> if Array.length r <> Array.length names then refuse "a line of the table has %d cells, not %d" (Array.length r) (Array.length names)) rows;
  let all = Array.to_list names in
  if List.length (List.sort_uniq compare all) <> List.length all then refuse "two columns of the table have the same name";
  let column name =
    let rec find i = if i = Array.length names then refuse "the table has no column '%s'" name else if names.(i) = name then i else find (i + 1) in
    find 0
  in
  let special = o.target :: Option.to_list o.weights @ o.left_out in
  if List.length (List.sort_uniq compare special) <> List.length special then refuse "a column has two roles";
  let target = column o.target in
  let kept = List.filter (fun r -> not (is_missing o r.(target))) rows in
  let table = Array.of_list kept in
  let features = List.filter (fun name -> not (List.mem name special)) all in
  List.iter (fun name -> ignore (column name)) special;
  List.iter (fun name -> if not (List.mem name features) then refuse "'%s' is no feature" name) (o.categories @ o.written);
  if o.written <> [] then
    refuse "column '%s' is no plain number; this checker does not read such columns, convert it first" (List.hd o.written);
  let labels, classes = codes_of (Array.map (fun r -> Some (fst r.(target))) table) in
  let read_feature name =
    let c = column name in
    let cells = Array.map (fun r -> r.(c)) table in
    let looks_numeric = Array.for_all (fun cell -> fst cell = "" || List.mem (fst cell) o.missing || plain_number (fst cell)) cells in
    if List.mem name o.categories && not looks_numeric then refuse "column '%s' of 'categories' does not look like numbers" name;
    if looks_numeric && not (List.mem name o.categories) then
      let value (s, _) = if s = "" || List.mem s o.missing then None else number name s in
      let codes, values = codes_of (Array.map value cells) in
      (codes, Checker.Numeric (Array.length values), [||])
    else
      let codes, levels = codes_of (Array.map (fun cell -> if is_missing o cell then None else Some (fst cell)) cells) in
      (codes, Checker.Category, levels)
  in
  let columns = List.map read_feature features in
  let weight i row =
    let w =
      match o.weights with
      | None -> 1.0
      | Some name ->
        let s = fst row.(column name) in
        if not (plain_number s) then refuse "a weight is no number: '%s'" s;
        (match number name s with Some w when w >= 0.0 -> w | _ -> refuse "a weight is negative or missing")
    in
    let factor =
      match o.class_weights with
      | None -> 1.0
      | Some factors ->
        (match List.assoc_opt classes.(labels.(i)) factors with Some f -> Q.to_float f | None -> refuse "a class has no weight")
    in
    whole_weight unit (Q.of_float (w *. factor))
  in
  let weights = Array.mapi weight table in
  let sum = Array.fold_left (fun a (m, _) -> Exact.add a m) 0 weights in
  if sum >= 1 lsl 53 then refuse "the rows weigh 2^53 units or more";
  let print = Buffer.create (1 lsl 16) in
  let add n = Buffer.add_string print (if n < 0 then "-" else string_of_int n) in
  let row i _ =
    let values = List.map (fun (codes, _, _) -> codes.(i)) columns in
    List.iter (fun v -> add v; Buffer.add_char print ' ') values;
    add labels.(i); Buffer.add_char print ' '; add (fst weights.(i)); Buffer.add_char print '\n';
    { Checker.values; label = labels.(i); row_weight = fst weights.(i) }
  in
  let checked_rows = Array.to_list (Array.mapi row table) in
  let rec nat n = if n = 0 then Checker.O else Checker.S (nat (n - 1)) in
  { features;
    checked = { Checker.kinds = List.map (fun (_, k, _) -> k) columns; rows = checked_rows; classes = nat (Array.length classes) };
    levels = Array.of_list (List.map (fun (_, _, l) -> l) columns);
    unit_loss = Array.fold_left (fun a (_, loss) -> Q.add a loss) Q.zero weights;
    rows_left_out = List.length rows - List.length kept;
    fingerprint = fnv1a (Buffer.contents print) }
