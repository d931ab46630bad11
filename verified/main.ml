(* treewright-verify TABLE.tw FILE.proof

   Reads a proof file as docs/proof-format.md says and asks the verified checker (checker.ml, extracted from Coq) about it. This file is not verified.
   What it does with the orderings and the body needs no trust: the checker accepts nothing false, whatever it is given. To be trusted are the table
   (reader.ml), the claim (depth, price, bound, grid and unit) and the sentence that is printed. *)

open Reader

let most = (1 lsl 53) - 1
let rec nat n = if n = 0 then Checker.O else Checker.S (nat (n - 1))

type claim = {
  table : string;
  unit : Q.t;
  grid : int;
  depth : int;
  max_splits : int option;
  min_rows : int;
  price : int;
  bound : int;
  orderings : Json.t list;
  body : int list;
}

(* [a, e] stands for a * 2^e. *)
let dyadic name = function
  | Json.List [a; e] ->
    let a = Json.whole name 1 most a and e = Json.whole name (-1074) 1023 e in
    if a land 1 = 0 then refuse "'%s' has an even first number" name
    else
      let power = Z.shift_left Z.one (abs e) in
      let q = if e >= 0 then Q.of_bigint (Z.mul (Z.of_int a) power) else Q.make (Z.of_int a) power in
      if Q.leq q (Q.of_float max_float) then q else refuse "'%s' is not finite" name
  | _ -> refuse "'%s' is no pair of whole numbers" name

let ascending name compare_ xs =
  let rec go = function
    | a :: (b :: _ as rest) -> if compare_ a b >= 0 then refuse "'%s' does not ascend" name else go rest
    | _ -> ()
  in
  go xs

let optional read v = if v = Json.Null then None else Some (read v)

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
  let first = "treewright proof 1\n" in
  let k = String.length first and size = String.length content in
  if size < k || String.sub content 0 k <> first then refuse "this is no proof of format 1";
  let second = match String.index_from_opt content k '\n' with Some i when size >= i + 17 -> i | _ -> refuse "the file ends too early" in
  if fnv1a (String.sub content 0 (size - 16)) <> String.sub content (size - 16) 16 then refuse "the file is damaged";
  let body = String.sub content (second + 1) (size - 16 - second - 1) in
  let header = String.sub content k (second - k) in
  if not (String.for_all (fun c -> c >= ' ' && c <= '~') header) then refuse "the header has bytes beyond printable ASCII";
  match
    Json.fields
      ["made_by"; "table"; "unit"; "grid"; "depth"; "max_splits"; "min_rows"; "price"; "bound"; "orderings"; "bytes"]
      (Json.parse header)
  with
  | [made_by; table; unit; grid; depth; max_splits; min_rows; price; bound; orderings; bytes] ->
    ignore (Json.text "made_by" made_by);
    if Json.whole "bytes" 0 most bytes <> String.length body then refuse "the body is not as long as 'bytes' says";
    { table = Json.text "table" table; unit = dyadic "unit" unit; grid = Json.whole "grid" 0 52 grid; depth = Json.whole "depth" 0 60 depth;
      max_splits = optional (Json.whole "max_splits" 0 1023) max_splits; min_rows = Json.whole "min_rows" 1 most min_rows;
      price = Json.whole "price" 0 most price; bound = Json.whole "bound" 0 most bound; orderings = Json.list "orderings" orderings;
      body = numbers body }
  | _ -> assert false

(* An ordering of the header, its feature and its ranking. `places`: of the levels of each column. *)
let ordering_of table places v =
  let kinds = Array.of_list table.checked.kinds in
  let keys = match v with Json.Object xs -> List.map fst xs | _ -> refuse "an ordering is no object" in
  let column, kind =
    match Json.fields keys v with
    | [c] when keys = ["column"] -> (c, `Plain)
    | [c; m] when keys = ["column"; "missing"] -> (c, `Missing (Json.text "missing" m))
    | [c; l] when keys = ["column"; "levels"] -> (c, `Levels (List.map (Json.list "levels") (Json.list "levels" l)))
    | [c; t] when keys = ["column"; "level"] -> (c, `Level t)
    | _ -> refuse "an ordering has keys that it should not have" in
  let column = Json.whole "column" 0 (Array.length kinds - 1) column in
  let code = function
    | Json.Null -> -1
    | Json.Text s -> (match Hashtbl.find_opt places.(column) s with Some i -> i | None -> refuse "an ordering has a level that is none of its column")
    | _ -> refuse "a level is no text" in
  let ranking =
    match (kinds.(column), kind) with
    | Checker.Numeric distinct, (`Plain | `Missing "last") -> Checker.MissingLast distinct
    | Checker.Numeric _, `Missing "first" -> Checker.MissingFirst
    | Checker.Category, `Levels groups -> Checker.Groups (List.map (List.map code) groups)
    | Checker.Category, `Level t -> Checker.Groups [[code t]]
    | _ -> refuse "an ordering of column \"%s\" is not of the column's kind" (fst table.head.features.(column)) in
  (column, kind, ranking)

(* Those that occur, missing too, ascending. *)
let codes_of_column table j = List.sort_uniq compare (Array.to_list table.codes.(j))
let is_wide table j = snd table.head.features.(j) && List.length (codes_of_column table j) > 12

(* How many levels are not rare: some label gains at least a thousandth of its gains there. *)
let frequent table j =
  let labels = Array.length table.head.labels in
  let here = Array.make_matrix (Array.length table.levels.(j) + 1) labels 0 and all = Array.make labels 0 in
  let add i costs =
    let most = Array.fold_left max 0 costs and at = here.(table.codes.(j).(i) + 1) in
    Array.iteri (fun a c -> at.(a) <- Exact.add at.(a) (most - c); all.(a) <- Exact.add all.(a) (most - c)) costs in
  Array.iteri add table.costs;
  let has_part gains = Array.exists Fun.id (Array.mapi (fun a g -> g > 0 && Z.leq (Z.of_int all.(a)) (Z.mul (Z.of_int g) (Z.of_int 1000))) gains) in
  Array.fold_left (fun n gains -> if has_part gains then n + 1 else n) 0 here

(* What the page demands of the orderings of one column, beside holding every split. *)
let check_column table j mine =
  let codes = codes_of_column table j in
  let wrong problem = refuse "column \"%s\": %s" (fst table.head.features.(j)) problem in
  if List.length codes <= 1 then (if mine <> [] then wrong "it has one value and needs no ordering")
  else if not (snd table.head.features.(j)) then begin
    let kinds = List.map (fun (_, kind, _) -> kind) mine in
    if kinds <> (if List.hd codes < 0 then [`Missing "last"; `Missing "first"] else [`Plain]) then wrong "not the orderings of such a column"
  end
  else begin
    let wide = is_wide table j in
    if wide && not table.tells_shares then wrong "more than 12 levels, and the unit is too coarse for the shares of labels";
    let limit = if wide then frequent table j + Array.length table.head.labels else 462 in
    if List.compare_length_with mine limit > 0 then wrong "too many orderings";
    let check (_, kind, ranking) =
      match (kind, ranking) with
      | `Levels _, Checker.Groups groups ->
        if List.compare_length_with groups 2 < 0 || List.mem [] groups then wrong "too few or empty groups of levels";
        List.iter (ascending "levels" compare) groups;
        if List.sort compare (List.concat groups) <> codes then wrong "each level must be listed once"
      | `Level _, Checker.Groups [[level]] -> if (not wide) || not (List.mem level codes) then wrong "'level' is not allowed here"
      | _ -> assert false in
    List.iter check mine;
    let ranks (_, _, ranking) = List.map (Checker.rank_of ranking) codes in
    if List.length (List.sort_uniq compare (List.map ranks mine)) < List.length mine then wrong "two orderings with the same ranks"
  end

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

(* All that it says was compared with the proof or stands in the table. Texts are printable as they are spelled. *)
let sentence (c : claim) table bound =
  let head = table.head in
  let quoted names = String.concat ", " (List.map (Printf.sprintf "\"%s\"") names) in
  let labels = quoted (Array.to_list head.labels) in
  let limits =
    (match c.max_splits with Some n -> [Printf.sprintf "at most %d splits" n] | None -> [])
    @ if c.min_rows > 1 then [Printf.sprintf "at least %d rows in each leaf" c.min_rows] else [] in
  let price = Q.mul c.unit (Q.div (Q.of_int c.price) (Q.of_bigint (Z.shift_left Z.one c.grid))) in
  let costs = match head.matrix with
    | None -> ""
    | Some m ->
      let line y costs = Printf.sprintf "\"%s\" %s" head.labels.(y) (String.concat " " (Array.to_list costs)) in
      Printf.sprintf "; costs of the labels %s by class: %s" labels (String.concat ", " (Array.to_list (Array.mapi line m))) in
  let wide = List.filter (is_wide table) (List.init (Array.length head.features) Fun.id) in
  Printf.sprintf "no tree of axis and category splits of depth at most %d%s%s for %s on these %d rows has %s%s%s below %s%s%s" c.depth
    (if limits = [] then "" else " with ") (String.concat " and " limits)
    (match head.target with Some name -> quoted [name] | None -> "the labels " ^ labels) head.rows
    (if head.target <> None && head.matrix = None then "errors" else "costs")
    (match head.weights with Some words -> " weighted by " ^ quoted [words] | None -> "")
    (if c.price = 0 then "" else " + " ^ decimal ~round:Z.cdiv price ^ " * splits") (decimal bound) costs
    (if wide = [] then ""
     else Printf.sprintf "; categories of more than 12 levels (%s) are split by single levels that are not rare and by shares of labels"
         (quoted (List.map (fun j -> fst head.features.(j)) wide)))

let run data path =
  let c = read_claim path in
  let table = read data c.unit in
  if table.fingerprint <> c.table then refuse "the proof speaks of another table";
  if table.head.rows > most_cells / max 1 (List.length c.orderings) then refuse "the proof has too many orderings for this checker";
  let orderings = List.map (ordering_of table (Array.map place_in table.levels)) c.orderings in
  let rec ascends = function (a, _, _) :: ((b, _, _) :: _ as rest) -> a <= b && ascends rest | _ -> true in
  if not (ascends orderings) then refuse "the orderings do not ascend by column";
  let mine = Array.make (Array.length table.head.features) [] in
  List.iter (fun ((column, _, _) as ordering) -> mine.(column) <- ordering :: mine.(column)) (List.rev orderings);
  Array.iteri (check_column table) mine;
  let proof =
    { Checker.levels = nat c.depth; few = c.max_splits; least_rows = (if c.min_rows > 1 then c.min_rows else 0); grid = nat c.grid; price = c.price;
      bound = c.bound; body = c.body;
      orderings = List.map (fun (column, _, ranked) -> { Checker.of_column = nat column; ranked }) orderings } in
  if not (Checker.fast_verify table.checked proof) then refuse "the proof does not hold";
  let shown = Q.of_bigint (Z.of_int (Checker.proved_bound table.checked proof)) in
  let in_units = Q.mul c.unit (Q.div shown (Q.of_bigint (Z.shift_left Z.one c.grid))) in
  (* No row costs less than its cheapest label. *)
  print_endline ("verified: " ^ sentence c table (Q.add table.least (Q.max Q.zero (Q.sub in_units table.unit_loss))))

(* A refusal may show a byte of the header or the path. *)
let printable = String.map (fun c -> if c < ' ' || c > '~' then '?' else c)

let () =
  try
    match List.tl (Array.to_list Sys.argv) with
    | [table; path] -> run table path
    | _ -> prerr_endline "usage: treewright-verify TABLE.tw FILE.proof"; exit 2
  with
  | Refused problem | Json.Bad problem -> prerr_endline ("refused: " ^ printable problem); exit 1
  | Exact.Out_of_range -> prerr_endline "refused: a sum does not fit 63 bits"; exit 1
  | Stack_overflow -> prerr_endline "refused: the stack is too small; raise it with ulimit -s"; exit 1
