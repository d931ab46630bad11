(* Reads a table from CSV as docs/proof-format.md says. Not verified: a wrong table gives a right sentence about wrong rows.
   The fingerprint of the table, which treewright computed with another reader, guards against that. *)

exception Refused of string

let refuse form = Printf.ksprintf (fun s -> raise (Refused s)) form

(* How the table is read; from the header. *)
type options = {
  target : string option;  (* none: the labels are columns of costs *)
  against_rest : string option;
  cost_matrix : float array array option;  (* by class and label *)
  cost_columns : string list;
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
  labels : string array;
  least : Q.t;  (* what the rows cost if each had its cheapest label *)
  unit_loss : Q.t;  (* by rounding costs to whole numbers *)
  tells_shares : bool;  (* whether the unit is fine enough for shares of gains *)
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
  let ends () = !at >= n || text.[!at] = ',' || text.[!at] = '\n' in
  let cell () =
    let out = Buffer.create 16 in
    while !at < n && blank text.[!at] do incr at done;
    if !at < n && text.[!at] = '"' then begin
      incr at;
      let inside = ref true in
      while !inside do
        if !at >= n then refuse "the table ends inside quotes";
        if text.[!at] <> '"' then (Buffer.add_char out text.[!at]; incr at)
        else if !at + 1 < n && text.[!at + 1] = '"' then (Buffer.add_char out '"'; at := !at + 2)
        else (inside := false; incr at)
      done;
      while (not (ends ())) && (blank text.[!at] || text.[!at] = '\r') do incr at done;
      if not (ends ()) then refuse "the table has text behind a closing quote";
      (Buffer.contents out, true)
    end
    else begin
      while not (ends ()) do Buffer.add_char out text.[!at]; incr at done;
      let s = Buffer.contents out in
      let s = if s <> "" && s.[String.length s - 1] = '\r' then String.sub s 0 (String.length s - 1) else s in
      (trim s, false)
    end
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

(* The whole number nearest to a number >= 0 in units. *)
let in_units unit x =
  let ratio = Q.div (Q.of_float x) unit in
  let m = Q.of_bigint (Z.fdiv (Z.add (Z.mul (Z.of_int 2) (Q.num ratio)) (Q.den ratio)) (Z.mul (Z.of_int 2) (Q.den ratio))) in
  if Z.numbits (Q.num m) > 53 then refuse "a row costs more than 2^53 units";
  Z.to_int (Q.num m)

(* Of a row. *)
type whole = {
  costs : int array;
  reach : int;  (* the largest of them *)
  at_least : Q.t;  (* what the cheapest label costs *)
  off : Q.t;  (* what rounding loses *)
  gained : Q.t;  (* by all labels together *)
  to_last_digits : bool;  (* whether the units give each gain to its last digits *)
}

(* A row of weight w that looks at a line of costs. *)
let whole_costs unit w line =
  let dearest = Array.fold_left Float.max neg_infinity line and cheapest = Array.fold_left Float.min infinity line in
  let last_digits = Float.ldexp (Float.max (Float.abs cheapest) (Float.abs dearest)) (-50) in
  let gains = Array.map (fun c -> if dearest -. c > last_digits then w *. (dearest -. c) else 0.0) line in
  let whole = Array.map (in_units unit) gains in
  let reach = Array.fold_left max 0 whole in
  let costs = Array.map (fun m -> reach - m) whole in
  let q = Q.of_float and in_all m = Q.mul (Q.of_int m) unit in
  let above c = Q.mul (q w) (Q.sub (q c) (q cheapest)) in
  let is_near m g = Q.leq (Q.mul (Q.of_bigint (Z.shift_left Z.one 49)) (Q.abs (Q.sub (in_all m) (q g)))) (q g) in
  { costs; reach; at_least = Q.mul (q w) (q cheapest);
    off = Array.fold_left Q.max Q.zero (Array.map2 (fun m c -> Q.abs (Q.sub (above c) (in_all m))) costs line);
    gained = Array.fold_left (fun a g -> Q.add a (q g)) Q.zero gains;
    to_last_digits = Array.for_all2 is_near whole gains }

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
  let special = Option.to_list o.target @ o.cost_columns @ Option.to_list o.weights @ o.left_out in
  if List.length (List.sort_uniq compare special) <> List.length special then refuse "a column has two roles";
  let kept = match o.target with
    | None -> rows
    | Some name -> let target = column name in List.filter (fun r -> not (is_missing o r.(target))) rows in
  let table = Array.of_list kept in
  let features = List.filter (fun name -> not (List.mem name special)) all in
  List.iter (fun name -> ignore (column name)) special;
  List.iter (fun name -> if not (List.mem name features) then refuse "'%s' is no feature" name) (o.categories @ o.written);
  let in_order key named names = if named <> List.filter (fun name -> List.mem name named) names then refuse "'%s' is not in the order of the columns" key in
  in_order "left_out" o.left_out all;
  in_order "categories" o.categories features;
  if o.written <> [] then
    refuse "column '%s' is no plain number; this checker does not read such columns, convert it first" (List.hd o.written);
  (* The class of each row, and the labels; with columns of costs there are no classes. *)
  let classes, labels = match o.target with
    | None -> ([||], Array.of_list o.cost_columns)
    | Some name ->
      let target = column name in
      let class_of r = match o.against_rest with Some one when fst r.(target) <> one -> "not " ^ one | _ -> fst r.(target) in
      codes_of (Array.map (fun r -> Some (class_of r)) table) in
  Option.iter (fun one -> if not (Array.mem one labels) then refuse "no row has the class '%s'" one) o.against_rest;
  Option.iter (fun ws -> if List.map fst ws <> Array.to_list labels then refuse "the class weights are those of other classes") o.class_weights;
  Option.iter (fun m -> if Array.length m <> Array.length labels then refuse "the costs are those of other classes") o.cost_matrix;
  let cost row name =
    let s = fst row.(column name) in
    if is_missing o row.(column name) || not (plain_number s) then refuse "a cost in column '%s' is no number: '%s'" name s;
    (match number name s with Some c -> c | None -> refuse "a cost in column '%s' is missing" name) in
  let lines = match o.cost_matrix with
    | Some m -> m
    | None -> Array.init (Array.length labels) (fun y -> Array.init (Array.length labels) (fun a -> if a = y then 0.0 else 1.0)) in
  let costs_of i row = if o.target = None then Array.of_list (List.map (cost row) o.cost_columns) else lines.(classes.(i)) in
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
        if is_missing o row.(column name) || not (plain_number s) then refuse "a weight is no number: '%s'" s;
        (match number name s with Some w when w >= 0.0 -> w | _ -> refuse "a weight is negative or missing")
    in
    let factor =
      match o.class_weights with
      | None -> 1.0
      | Some factors ->
        (match List.assoc_opt labels.(classes.(i)) factors with Some f -> Q.to_float f | None -> refuse "a class has no weight")
    in
    w *. factor
  in
  let whole = Array.mapi (fun i row -> whole_costs unit (weight i row) (costs_of i row)) table in
  let sum = Array.fold_left (fun a row -> Exact.add a row.reach) 0 whole in
  if sum >= 1 lsl 53 then refuse "the rows cost 2^53 units or more";
  let print = Buffer.create (1 lsl 16) in
  let add n = Buffer.add_string print (if n < 0 then "-" else string_of_int n) in
  let row i _ =
    let values = List.map (fun (codes, _, _) -> codes.(i)) columns in
    let costs = whole.(i).costs in
    List.iter (fun v -> add v; Buffer.add_char print ' ') values;
    Array.iteri (fun a c -> if a > 0 then Buffer.add_char print ' '; Buffer.add_string print (string_of_int c)) costs;
    Buffer.add_char print '\n';
    { Checker.values; costs = Array.to_list costs }
  in
  let checked_rows = Array.to_list (Array.mapi row table) in
  let rec nat n = if n = 0 then Checker.O else Checker.S (nat (n - 1)) in
  let of_all part = Array.fold_left (fun a row -> Q.add a (part row)) Q.zero whole in
  { features;
    checked = { Checker.kinds = List.map (fun (_, k, _) -> k) columns; rows = checked_rows; classes = nat (Array.length labels) };
    levels = Array.of_list (List.map (fun (_, _, l) -> l) columns);
    labels;
    least = of_all (fun row -> row.at_least);
    unit_loss = of_all (fun row -> row.off);
    tells_shares =
      Array.for_all (fun row -> row.to_last_digits) whole
      || Q.leq (Q.mul (Q.of_bigint (Z.shift_left Z.one 49)) unit) (of_all (fun row -> row.gained));
    rows_left_out = List.length rows - List.length kept;
    fingerprint = fnv1a (Buffer.contents print) }
