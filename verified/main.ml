(* treewright-verify DATA PROOF [--target COLUMN]

   Reads a proof file as docs/proof-format.md says and asks the verified checker (checker.ml, extracted from Coq) about it. This file is not verified.
   What it does with the orderings and the body needs no trust: the checker accepts nothing false, whatever it is given. To be trusted are the table
   (reader.ml), the claim (depth, price, bound, grid and unit) and the sentence that is printed. *)

open Reader

let most = (1 lsl 53) - 1
let rec nat n = if n = 0 then Checker.O else Checker.S (nat (n - 1))

type claim = {
  options : options;
  rows : int;
  table : string;
  unit : Q.t;
  grid : int;
  depth : int;
  max_splits : int option;
  min_rows : int option;
  price : int;
  bound : int;
  orderings : Json.t list;
  body : int list;
}

(* [a, e] stands for a * 2^e, a from `least`. *)
let dyadic ?(least = 0) name = function
  | Json.List [a; e] ->
    let a = Json.whole name least most a and e = Json.whole name (-1074) 1023 e in
    if a = 0 && e = 0 then Q.zero
    else if a land 1 = 0 then refuse "'%s' has an even first number" name
    else
      let power = Z.shift_left Z.one (abs e) in
      let q = if e >= 0 then Q.of_bigint (Z.mul (Z.of_int a) power) else Q.make (Z.of_int a) power in
      if Float.is_integer (Q.to_float q) || Float.is_finite (Q.to_float q) then q else refuse "'%s' is not finite" name
  | _ -> refuse "'%s' is no pair of whole numbers" name

let ascending name compare_ xs =
  let rec go = function
    | a :: (b :: _ as rest) -> if compare_ a b >= 0 then refuse "'%s' does not ascend" name else go rest
    | _ -> ()
  in
  go xs

let texts name v = List.map (Json.text name) (Json.list name v)

let optional read v = if v = Json.Null then None else Some (read v)

let matrix v =
  let line l = Array.of_list (List.map (fun c -> Q.to_float (dyadic ~least:(-most) "cost_matrix" c)) (Json.list "cost_matrix" l)) in
  let lines = Array.of_list (List.map line (Json.list "cost_matrix" v)) in
  if lines = [||] || Array.exists (fun l -> Array.length l <> Array.length lines) lines then refuse "'cost_matrix' is not square";
  lines

let options_of v =
  match Json.fields ["target"; "against_rest"; "cost_matrix"; "cost_columns"; "weights"; "class_weights"; "missing"; "categories"; "written"; "left_out"] v with
  | [target; against_rest; cost_matrix; cost_columns; weights; class_weights; missing; categories; written; left_out] ->
    let target = optional (Json.text "target") target and against_rest = optional (Json.text "against_rest") against_rest in
    let cost_matrix = optional matrix cost_matrix and cost_columns = optional (texts "cost_columns") cost_columns in
    if (target = None) <> (cost_columns <> None) then refuse "there must be a target or columns of costs, and not both";
    if target = None && (against_rest <> None || cost_matrix <> None || class_weights <> Json.Null) then
      refuse "there is no target, and something is said of its classes";
    Option.iter (fun names -> if List.length names < 2 then refuse "'cost_columns' has less than two labels") cost_columns;
    let factor = function
      | Json.List [k; w] -> (Json.text "class_weights" k, dyadic "class_weights" w)
      | _ -> refuse "'class_weights' has no pair" in
    let missing = texts "missing" missing in
    ascending "missing" compare missing;
    if List.mem "" missing then refuse "'missing' lists the empty text";
    let class_weights = optional (fun v -> List.map factor (Json.list "class_weights" v)) class_weights in
    ascending "class_weights" compare (List.map fst (Option.value class_weights ~default:[]));
    { target; against_rest; cost_matrix; cost_columns = Option.value cost_columns ~default:[];
      weights = optional (Json.text "weights") weights;
      class_weights; missing;
      categories = texts "categories" categories;
      written = List.map (function Json.List [name; _] -> Json.text "written" name | _ -> refuse "'written' has no pair") (Json.list "written" written);
      left_out = texts "left_out" left_out }
  | _ -> assert false

(* Seven bits a byte, the lowest first. *)
let numbers body =
  let n = String.length body in
  let rec number at shift value =
    if at = n then refuse "the body ends within a number"
    else
      let byte = Char.code body.[at] in
      if shift > 49 then refuse "a number of the body is too large"
      else
        let value = value lor ((byte land 127) lsl shift) in
        if byte >= 128 then number (at + 1) (shift + 7) value
        else if byte = 0 && shift > 0 then refuse "a number of the body has a byte too many"
        else if value > most then refuse "a number of the body is too large"
        else (value, at + 1)
  in
  let rec all at found = if at = n then List.rev found else let value, at = number at 0 0 in all at (value :: found) in
  all 0 []

let read_claim path =
  let content = contents path in
  let line from = match String.index_from_opt content from '\n' with Some i -> i | None -> refuse "this is no proof file" in
  let first = line 0 in
  (* Format 4: of trees whose leaves hold some rows. *)
  let limited =
    match String.sub content 0 first with
    | "treewright proof 3" -> false
    | "treewright proof 4" -> true
    | ("treewright proof 1" | "treewright proof 2") as old -> refuse "%s is an old format; write it anew with fit --proof" old
    | _ -> refuse "this is no proof file" in
  let second = line (first + 1) in
  let size = String.length content in
  if size < second + 17 then refuse "the file ends too early";
  if fnv1a (String.sub content 0 (size - 16)) <> String.sub content (size - 16) 16 then refuse "the file is damaged";
  let body = String.sub content (second + 1) (size - 16 - second - 1) in
  let before = ["made_by"; "reader"; "rows"; "table"; "unit"; "grid"; "depth"; "max_splits"] and behind = ["price"; "bound"; "orderings"; "bytes"] in
  let header = Json.parse (String.sub content (first + 1) (second - first - 1)) in
  let fields = Json.fields (before @ (if limited then "min_rows" :: behind else behind)) header in
  let min_rows = if limited then Some (Json.whole "min_rows" 2 most (List.nth fields 8)) else None in
  match List.filteri (fun i _ -> i <> 8 || not limited) fields with
  | [made_by; reader; rows; table; unit; grid; depth; max_splits; price; bound; orderings; bytes] ->
    ignore (Json.text "made_by" made_by);
    if Json.whole "bytes" 0 most bytes <> String.length body then refuse "the body is not as long as 'bytes' says";
    let unit = dyadic "unit" unit in
    if Q.sign unit <= 0 then refuse "'unit' is 0";
    { options = options_of reader; rows = Json.whole "rows" 0 most rows; table = Json.text "table" table; unit;
      grid = Json.whole "grid" 0 52 grid; depth = Json.whole "depth" 0 60 depth;
      max_splits = optional (Json.whole "max_splits" 0 1023) max_splits; min_rows; price = Json.whole "price" 0 most price;
      bound = Json.whole "bound" 0 most bound; orderings = Json.list "orderings" orderings; body = numbers body }
  | _ -> assert false

(* An ordering of the header, its feature and its ranking. *)
let ordering_of table v =
  let keys = match v with Json.Object xs -> List.map fst xs | _ -> refuse "an ordering is no object" in
  let column, name, kind =
    match Json.fields keys v with
    | [c; n] when keys = ["column"; "name"] -> (c, n, `Plain)
    | [c; n; m] when keys = ["column"; "name"; "missing"] -> (c, n, `Missing (Json.text "missing" m))
    | [c; n; l] when keys = ["column"; "name"; "levels"] -> (c, n, `Levels (List.map (Json.list "levels") (Json.list "levels" l)))
    | [c; n; t] when keys = ["column"; "name"; "level"] -> (c, n, `Level t)
    | _ -> refuse "an ordering has keys that it should not have" in
  let column = Json.whole "column" 0 (List.length table.features - 1) column in
  if List.nth table.features column <> Json.text "name" name then refuse "an ordering has the name of another column";
  let levels = table.levels.(column) in
  let code = function
    | Json.Null -> -1
    | Json.Text s ->
      let rec find i = if i = Array.length levels then refuse "'%s' is no level of its column" s else if levels.(i) = s then i else find (i + 1) in
      find 0
    | _ -> refuse "a level is no text" in
  let ranking =
    match (List.nth table.checked.kinds column, kind) with
    | Checker.Numeric distinct, (`Plain | `Missing "last") -> Checker.MissingLast distinct
    | Checker.Numeric _, `Missing "first" -> Checker.MissingFirst
    | Checker.Category, `Levels groups -> Checker.Groups (List.map (List.map code) groups)
    | Checker.Category, `Level t -> Checker.Groups [[code t]]
    | _ -> refuse "an ordering of column '%s' is not of the column's kind" (List.nth table.features column) in
  (column, kind, ranking)

(* What the page demands of the orderings of one column, beside holding every split. *)
let check_column table column mine =
  let codes = List.sort_uniq compare (List.map (fun r -> List.nth r.Checker.values column) table.checked.rows) in
  let name = List.nth table.features column in
  let wrong problem = refuse "column '%s': %s" name problem in
  let some_missing = List.mem (-1) codes in
  if List.length codes <= 1 then (if mine <> [] then wrong "it has one value and needs no ordering")
  else
    match List.nth table.checked.kinds column with
    | Checker.Numeric _ ->
      let kinds = List.map (fun (_, kind, _) -> kind) mine in
      if kinds <> (if some_missing then [`Missing "last"; `Missing "first"] else [`Plain]) then wrong "not the orderings of such a column"
    | Checker.Category ->
      let wide = List.length codes > 12 in
      if wide && not table.tells_shares then wrong "more than 12 levels, and the unit is too coarse for the shares of labels";
      let check (_, kind, ranking) =
        match (kind, ranking) with
        | `Levels _, Checker.Groups groups ->
          if List.length groups < 2 || List.mem [] groups then wrong "too few or empty groups of levels";
          List.iter (ascending "levels" compare) groups;
          if List.sort compare (List.concat groups) <> codes then wrong "each level must be listed once"
        | `Level _, Checker.Groups [[level]] -> if (not wide) || not (List.mem level codes) then wrong "'level' is not allowed here"
        | _ -> assert false in
      List.iter check mine;
      let ranks (_, _, ranking) = List.map (Checker.rank_of ranking) codes in
      if List.length (List.sort_uniq compare (List.map ranks mine)) < List.length mine then wrong "two orderings with the same ranks";
      let limit = if wide then List.length codes + (let rec int = function Checker.O -> 0 | Checker.S n -> 1 + int n in int table.checked.classes) else 462 in
      if List.length mine > limit then wrong "too many orderings"

(* Twelve digits behind the point, rounded down, or up. *)
let decimal ?(round = Z.fdiv) q =
  let scale = Z.pow (Z.of_int 10) 12 in
  let scaled = round (Z.mul (Q.num q) scale) (Q.den q) in
  let whole, rest = Z.div_rem (Z.abs scaled) scale in
  let sign = if Z.sign scaled < 0 then "-" else "" in
  if rest = Z.zero then sign ^ Z.to_string whole
  else
    let digits = Printf.sprintf "%012d" (Z.to_int rest) in
    let last = ref 11 in
    while digits.[!last] = '0' do decr last done;
    sign ^ Z.to_string whole ^ "." ^ String.sub digits 0 (!last + 1)

(* Names come from the file, so control characters are not printed as such. *)
let printable = String.map (fun c -> if c < ' ' || c = '\127' then ' ' else c)
let quoted names = String.concat ", " (List.map (fun s -> "'" ^ printable s ^ "'") names)

let verdict (c : claim) table proof =
  let in_units steps = Q.mul c.unit (Q.div (Q.of_int steps) (Q.of_bigint (Z.shift_left Z.one c.grid))) in
  (* No row costs less than its cheapest label. *)
  let bound = Q.add table.least (Q.max Q.zero (Q.sub (in_units (Checker.proved_bound table.checked proof)) table.unit_loss)) in
  let loss = if c.options.cost_matrix = None && c.options.cost_columns = [] then "errors" else "costs" in
  let price = if c.price = 0 then "" else " + " ^ decimal ~round:Z.cdiv (in_units c.price) ^ " * splits" in
  let limit words = function Some n -> Printf.sprintf words n | None -> "" in
  Printf.printf "verified: no tree of at most %d levels of splits%s%s has %s%s below %s%s\n" c.depth
    (limit " and at most %d splits" c.max_splits) (limit " and at least %d rows in each leaf" c.min_rows) loss price (decimal bound)
    (match c.options.target with Some name -> " (target " ^ quoted [name] ^ ")" | None -> "");
  let note name = function [] -> () | xs -> Printf.printf "%s: %s\n" name (quoted xs) in
  note "class against the rest" (Option.to_list c.options.against_rest);
  let line y costs = quoted [table.labels.(y)] ^ " " ^ String.concat " " (Array.to_list (Array.map (Printf.sprintf "%.12g") costs)) in
  Option.iter (fun m ->
      Printf.printf "costs of the labels %s by class: %s\n" (quoted (Array.to_list table.labels)) (String.concat ", " (Array.to_list (Array.mapi line m))))
    c.options.cost_matrix;
  note "columns of the costs of labels" c.options.cost_columns;
  note "weights" (Option.to_list c.options.weights);
  Option.iter (fun ws -> note "class weights" (List.map (fun (k, w) -> k ^ Printf.sprintf " = %.12g" (Q.to_float w)) ws)) c.options.class_weights;
  note "read as categories" c.options.categories;
  note "columns left out" c.options.left_out;
  if c.options.missing <> ["?"; "N/A"; "N/a"; "NA"; "NULL"; "NaN"; "n/A"; "n/a"; "nan"; "null"] then note "missing values" c.options.missing;
  if table.rows_left_out > 0 then Printf.printf "rows left out, without a class: %d\n" table.rows_left_out;
  let is_wide j = List.length (List.sort_uniq compare (List.map (fun r -> List.nth r.Checker.values j) table.checked.rows)) > 12 in
  note "split by single frequent levels and shares of classes only (more than 12 levels)"
    (List.filteri (fun j _ -> List.nth table.checked.kinds j = Checker.Category && is_wide j) table.features)

let run data path target =
  let c = read_claim path in
  Option.iter (fun t -> if Some t <> c.options.target then refuse "the proof speaks of the target '%s'" (Option.value c.options.target ~default:"")) target;
  let table = read data c.options c.unit in
  if List.length table.checked.rows <> c.rows then refuse "the proof speaks of %d rows; the table has %d" c.rows (List.length table.checked.rows);
  if table.fingerprint <> c.table then refuse "the proof speaks of another table (fingerprint)";
  let orderings = List.map (ordering_of table) c.orderings in
  let rec ascends = function (a, _, _) :: ((b, _, _) :: _ as rest) -> a <= b && ascends rest | _ -> true in
  if not (ascends orderings) then refuse "the orderings do not ascend by column";
  List.iteri (fun j _ -> check_column table j (List.filter (fun (column, _, _) -> column = j) orderings)) table.features;
  let proof =
    { Checker.levels = nat c.depth; few = c.max_splits; least_rows = Option.value c.min_rows ~default:0; grid = nat c.grid; price = c.price; bound = c.bound; body = c.body;
      orderings = List.map (fun (column, _, ranked) -> { Checker.of_column = nat column; ranked }) orderings } in
  if not (Checker.fast_verify table.checked proof) then refuse "the proof does not hold";
  verdict c table proof

let () =
  try
    match List.tl (Array.to_list Sys.argv) with
    | [data; path] -> run data path None
    | [data; path; "--target"; target] -> run data path (Some target)
    | _ -> prerr_endline "usage: treewright-verify DATA.csv FILE.proof [--target COLUMN]"; exit 2
  with
  | Refused problem | Json.Bad problem -> prerr_endline ("refused: " ^ printable problem); exit 1
  | Exact.Out_of_range -> prerr_endline "refused: a sum does not fit 63 bits"; exit 1
  | Stack_overflow -> prerr_endline "refused: the stack is too small; raise it with ulimit -s"; exit 1
