(* Reads a canonical table as docs/proof-format.md says: one format with one reading, and every other byte is refused. Not verified: a wrong
   table would give a right sentence about wrong rows. *)

exception Refused of string

let refuse form = Printf.ksprintf (fun s -> raise (Refused s)) form

type head = {
  labels : string array;
  matrix : string array array option;  (* what labels cost, by class, as it is spelled *)
  features : (string * bool) array;  (* names, and whether they are categories *)
  weights : string option;
  target : string option;  (* the column of the classes, or none: the labels are columns of costs *)
  rows : int;
}

type table = {
  head : head;
  checked : Checker.table;  (* the verified checker's *)
  codes : int array array;  (* of each feature and row; -1 = missing *)
  levels : string array array;  (* of each category, by code *)
  costs : int array array;  (* whole ones, of each row and label *)
  least : Q.t;  (* what the rows cost if each had its cheapest label *)
  unit_loss : Q.t;  (* by rounding costs to whole numbers *)
  tells_shares : bool;  (* whether the unit is fine enough for shares of gains *)
  fingerprint : string;
}

let most_cells = 100_000_000  (* of this checker: rows times labels, features and orderings *)

let fnv1a text =
  let hash = ref 0xcbf29ce484222325L in
  String.iter (fun c -> hash := Int64.mul (Int64.logxor !hash (Int64.of_int (Char.code c))) 1099511628211L) text;
  Printf.sprintf "%016Lx" !hash

let contents path =
  let file = try open_in_bin path with Sys_error problem -> refuse "%s" problem in
  Fun.protect ~finally:(fun () -> close_in file) (fun () -> really_input_string file (in_channel_length file))

(* The decimal number of fewest digits, and at least so many, that gives a number > 0: its digits and the power of ten of the first one.
   Beside a power of two the nearest decimal number may give another double where the next one gives this one. *)
let shortest least v =
  let rec go n =
    let text = Printf.sprintf "%.*e" (n - 1) v in
    let e = String.index text 'e' in
    let digits = String.concat "" (String.split_on_char '.' (String.sub text 0 e)) in
    let power = int_of_string (let p = String.sub text (e + 1) (String.length text - e - 1) in if p.[0] = '+' then String.sub p 1 (String.length p - 1) else p) in
    let near = int_of_string digits in
    let gives d = float_of_string (Printf.sprintf "%de%d" d (power - n + 1)) = v in
    match List.find_opt gives [near; near + 1; near - 1] with
    | Some d ->
      let all = string_of_int d in
      let last = ref (String.length all) in
      while all.[!last - 1] = '0' do decr last done;
      (String.sub all 0 !last, power + String.length all - n)
    | None -> go (n + 1)
  in
  go (max 1 (min 17 least))

(* The one spelling of a number. *)
let spelled ?(least = 1) v =
  if v = 0.0 then "0"
  else
    let digits, power = shortest least (Float.abs v) in
    let n = String.length digits in
    let first k = String.sub digits 0 k and rest k = String.sub digits k (n - k) in
    let text =
      if power < -4 || power > 15 then first 1 ^ (if n > 1 then "." ^ rest 1 else "") ^ "e" ^ string_of_int power
      else if power < 0 then "0." ^ String.make (-power - 1) '0' ^ digits
      else if n <= power + 1 then digits ^ String.make (power + 1 - n) '0'
      else first (power + 1) ^ "." ^ rest (power + 1) in
    if v < 0.0 then "-" ^ text else text

(* The digits of a number as it is written, without zeros at both ends. *)
let significant token =
  let mantissa = match String.index_opt token 'e' with Some e -> String.sub token 0 e | None -> token in
  let digits = String.concat "" (String.split_on_char '.' (String.concat "" (String.split_on_char '-' mantissa))) in
  let n = String.length digits in
  let i = ref 0 and j = ref n in
  while !i < n && digits.[!i] = '0' do incr i done;
  while !j > !i && digits.[!j - 1] = '0' do decr j done;
  !j - !i

(* A cursor over the lines: what stands at it, and its number for messages. *)
type lines = { text : string array; mutable at : int }

let fail lines form = Printf.ksprintf (fun s -> refuse "line %d of the table: %s" (lines.at + 1) s) form

let tokens lines =
  let s = if lines.at < Array.length lines.text then lines.text.(lines.at) else "" in
  let n = String.length s in
  let wrong () = fail lines "it is not made of tokens with one blank between them" in
  let rec token from found =
    let rec plain i = if i = n || s.[i] = ' ' then i else if s.[i] = '"' then wrong () else plain (i + 1) in
    let stop =
      if from < n && s.[from] = '"' then match String.index_from_opt s (from + 1) '"' with Some i -> i + 1 | None -> wrong ()
      else plain from in
    if stop = from then wrong ();
    let found = String.sub s from (stop - from) :: found in
    if stop = n then List.rev found else if s.[stop] = ' ' then token (stop + 1) found else wrong ()
  in
  token 0 []

(* The rest of the next lines that begin with this word, each as `read` takes it. *)
let take lines keywords read =
  let rec go found =
    match tokens lines with
    | word :: rest when List.mem word keywords ->
      let one = read word rest in
      lines.at <- lines.at + 1;
      go (one :: found)
    | _ -> List.rev found
  in
  go []

(* A text without its quotes, as it is spelled. What may stand for itself is never escaped. *)
let text lines token =
  let n = String.length token in
  let wrong () = fail lines "%s is no text" token in
  if n < 2 || token.[0] <> '"' || token.[n - 1] <> '"' then wrong ();
  let is_hex c = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') in
  let rec go i =
    if i < n - 1 then
      if token.[i] <> '\\' then go (i + 1)
      else if i + 4 > n - 1 || token.[i + 1] <> 'x' || not (is_hex token.[i + 2] && is_hex token.[i + 3]) then wrong ()
      else
        let c = Char.chr (int_of_string ("0x" ^ String.sub token (i + 2) 2)) in
        if c >= ' ' && c <= '~' && c <> '"' && c <> '\\' then fail lines "%s escapes what stands for itself" token;
        go (i + 4)
  in
  go 1;
  String.sub token 1 (n - 2)

let number lines token =
  let is_part c = (c >= '0' && c <= '9') || c = '.' || c = '-' || c = 'e' in
  let value = if String.length token <= 40 && String.for_all is_part token then float_of_string_opt token else None in
  match value with
  | Some v when Float.abs v > max_float /. 2.0 -> fail lines "%s is too large" token
  | Some v when spelled ~least:(significant token - 1) v = token -> v
  | _ -> fail lines "%s is no number in its one spelling" token

let one_text lines word = function [token] -> text lines token | _ -> fail lines "'%s' has no name, or more than one" word

let distinct names = List.length (List.sort_uniq compare names) = List.length names

let count token =
  let n = String.length token in
  if n > 0 && n <= 15 && token.[0] <> '0' && String.for_all (fun c -> c >= '0' && c <= '9') token then int_of_string token else 0

let read_head lines =
  let labels = match take lines ["labels"] (fun _ -> List.map (text lines)) with
    | [(_ :: _) as names] when distinct names -> names
    | _ -> fail lines "before it there must be one line of labels that differ" in
  let n = List.length labels in
  let matrix = take lines ["costs"] (fun _ line -> List.iter (fun c -> ignore (number lines c)) line; Array.of_list line) in
  if matrix <> [] && (List.length matrix <> n || List.exists (fun line -> Array.length line <> n) matrix) then
    fail lines "before it 'costs' has not a line and a number for each label";
  let features = take lines ["number"; "level"] (fun word rest -> (one_text lines word rest, word = "level")) in
  if not (distinct (List.map fst features)) then fail lines "before it two features have one name";
  let weights = take lines ["weight"] (one_text lines) in
  let target = take lines ["class"] (one_text lines) in
  let costs = take lines ["cost"] (one_text lines) in
  let fits = match target with
    | [] -> matrix = [] && costs = labels
    | [_] -> costs = []
    | _ -> false in
  if List.length weights > 1 || not fits then
    fail lines "before it there must be at most one 'weight', and one 'class' or a 'cost' for each label";
  if target <> [] && List.sort compare labels <> labels then fail lines "the labels do not ascend";
  let rows = match tokens lines with ["rows"; token] when count token > 0 -> count token | _ -> fail lines "it should tell the number of rows" in
  lines.at <- lines.at + 1;
  if Array.length lines.text - lines.at <> rows then fail lines "%d rows should follow, and nothing behind them" rows;
  if rows > most_cells / (n + List.length features) then refuse "the table is too large for this checker";
  { labels = Array.of_list labels; matrix = (if matrix = [] then None else Some (Array.of_list matrix)); features = Array.of_list features;
    weights = List.nth_opt weights 0; target = List.nth_opt target 0; rows }

let place_in values =
  let places = Hashtbl.create (Array.length values) in
  Array.iteri (fun i v -> Hashtbl.replace places v i) values;
  places

let codes_of cells =
  let values = Array.of_list (List.sort_uniq compare (List.filter_map Fun.id (Array.to_list cells))) in
  let places = place_in values in
  (Array.map (function Some v -> Hashtbl.find places v | None -> -1) cells, values)

(* The whole number nearest to a number >= 0 in units. *)
let in_units unit x =
  let ratio = Q.div (Q.of_float x) unit in
  let m = Z.fdiv (Z.add (Z.mul (Z.of_int 2) (Q.num ratio)) (Q.den ratio)) (Z.mul (Z.of_int 2) (Q.den ratio)) in
  if Z.numbits m > 53 then refuse "a row costs more than 2^53 units";
  Z.to_int m

(* Of a row. *)
type whole = {
  costs_of : int array;
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
  let costs_of = Array.map (fun m -> reach - m) whole in
  let q = Q.of_float and in_all m = Q.mul (Q.of_int m) unit in
  let above c = Q.mul (q w) (Q.sub (q c) (q cheapest)) in
  let is_near m g = Q.leq (Q.mul (Q.of_bigint (Z.shift_left Z.one 49)) (Q.abs (Q.sub (in_all m) (q g)))) (q g) in
  { costs_of; reach; at_least = Q.mul (q w) (q cheapest);
    off = Array.fold_left Q.max Q.zero (Array.map2 (fun m c -> Q.abs (Q.sub (above c) (in_all m))) costs_of line);
    gained = Array.fold_left (fun a g -> Q.add a (q g)) Q.zero gains;
    to_last_digits = Array.for_all2 is_near whole gains }

(* The cells of all rows, the weight of each, and the line of costs that it looks at. *)
let read_rows lines head =
  let n = Array.length head.labels and width = Array.length head.features in
  let matrix = match head.matrix with
    | Some m -> Array.map (Array.map float_of_string) m
    | None -> Array.init n (fun y -> Array.init n (fun a -> if a = y then 0.0 else 1.0)) in
  let places = place_in head.labels in
  let seen = Array.make n (head.target = None || head.matrix <> None) in
  let row i =
    ignore i;
    let cells = Array.of_list (tokens lines) in
    let weights = if head.weights = None then 0 else 1 in
    if Array.length cells <> width + weights + (if head.target = None then n else 1) then
      fail lines "it has more or fewer cells than there are columns";
    let weight = if weights = 1 then number lines cells.(width) else 1.0 in
    if weight < 0.0 then fail lines "a weight is negative";
    let costs =
      if head.target = None then Array.init n (fun a -> number lines cells.(width + weights + a))
      else
        let label = text lines cells.(width + weights) in
        match Hashtbl.find_opt places label with
        | Some y -> seen.(y) <- true; matrix.(y)
        | None -> fail lines "\"%s\" is none of the labels" label in
    let cell j token = if token = "-" then `Missing else if snd head.features.(j) then `Level (text lines token) else `Number (number lines token) in
    let found = Array.init width (fun j -> cell j cells.(j)) in
    lines.at <- lines.at + 1;
    (found, weight, costs)
  in
  let rows = Array.init head.rows row in
  if not (Array.for_all Fun.id seen) then refuse "a label of the table has no rows";
  rows

let read path unit =
  let content = contents path in
  if not (String.for_all (fun c -> c = '\n' || (c >= ' ' && c <= '~')) content) then refuse "the table has bytes beyond printable ASCII";
  let first = "treewright table 1\n" in
  let k = String.length first and n = String.length content in
  if n < k || String.sub content 0 k <> first || content.[n - 1] <> '\n' then refuse "this is no table";
  let lines = { text = Array.of_list (String.split_on_char '\n' (String.sub content 0 (n - 1))); at = 1 } in
  let head = read_head lines in
  let rows = read_rows lines head in
  let column j (_, category) =
    let pick f = codes_of (Array.map (fun (cells, _, _) -> f cells.(j)) rows) in
    if category then let codes, levels = pick (function `Level s -> Some s | _ -> None) in (codes, Checker.Category, levels)
    else let codes, values = pick (function `Number v -> Some v | _ -> None) in (codes, Checker.Numeric (Array.length values), [||]) in
  let columns = Array.mapi column head.features in
  let known = Hashtbl.create 64 in
  let whole_of (_, weight, line) =
    match Hashtbl.find_opt known (weight, line) with
    | Some w -> w
    | None -> let w = whole_costs unit weight line in Hashtbl.replace known (weight, line) w; w in
  let whole = Array.map whole_of rows in
  let sum = Array.fold_left (fun a row -> Exact.add a row.reach) 0 whole in
  if sum >= 1 lsl 53 then refuse "the rows cost 2^53 units or more";
  let codes = Array.map (fun (codes, _, _) -> codes) columns in
  let row i w = { Checker.values = Array.to_list (Array.map (fun of_column -> of_column.(i)) codes); costs = Array.to_list w.costs_of } in
  let rec nat n = if n = 0 then Checker.O else Checker.S (nat (n - 1)) in
  let of_all part = Array.fold_left (fun a row -> Q.add a (part row)) Q.zero whole in
  { head; codes;
    checked = { Checker.kinds = Array.to_list (Array.map (fun (_, kind, _) -> kind) columns); rows = Array.to_list (Array.mapi row whole);
                classes = nat (Array.length head.labels) };
    levels = Array.map (fun (_, _, levels) -> levels) columns;
    costs = Array.map (fun w -> w.costs_of) whole;
    least = of_all (fun row -> row.at_least);
    unit_loss = of_all (fun row -> row.off);
    tells_shares =
      Array.for_all (fun row -> row.to_last_digits) whole
      || Q.leq (Q.mul (Q.of_bigint (Z.shift_left Z.one 49)) unit) (of_all (fun row -> row.gained));
    fingerprint = fnv1a content }
