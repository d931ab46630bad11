(* Reads a proof file as docs/proof-format.md says. Nothing here needs trust: what is printed says what was read, and is true whatever that is. Each
   function takes what it reads off the beginning of some bytes and returns the rest. *)

From Coq Require Import String ZArith List Bool.
From Treewright Require Import Bytes Numbers.
Import ListNotations.
Open Scope Z_scope.

Definition taken (A : Type) := option (A * bytes).
Definition bind {A B} (x : option A) (f : A -> option B) : option B := match x with Some a => f a | None => None end.
Notation "'let*' x ':=' a 'in' b" := (bind a (fun x => b)) (at level 200, x pattern, b at level 200).

Fixpoint take_exactly (what b : bytes) : option bytes :=
  match what, b with
  | [], _ => Some b
  | w :: what, c :: b => if w =? c then take_exactly what b else None
  | _, [] => None
  end.
Definition take_literal (what : string) (b : bytes) : option bytes := take_exactly (text what) b.

Fixpoint take_while (p : Z -> bool) (b done : bytes) : bytes * bytes :=
  match b with
  | c :: rest => if p c then take_while p rest (c :: done) else (rev_append done [], b)
  | [] => (rev_append done [], [])
  end.

(* A whole number in its one spelling. *)
Definition longest_whole : Z := 20.
Definition take_whole (b : bytes) : taken Z :=
  let (negative, b) := match b with c :: rest => if c =? minus then (true, rest) else (false, b) | [] => (false, b) end in
  let (ds, rest) := take_while is_digit b [] in
  if longest_whole <? Z.of_nat (length ds) then None
  else let* n := read_digits 0 ds in
       if negb (same (digits n) ds) || (negative && (n =? 0)) then None else Some (if negative then - n else n, rest).
Definition take_from (low high : Z) (b : bytes) : taken Z :=
  let* (n, rest) := take_whole b in if (low <=? n) && (n <=? high) then Some (n, rest) else None.

(* A string behind its first quote, without the last one. Only what must be escaped is, in one way. *)
Definition letter_u : Z := 117.
Definition short_escapes : list (Z * Z) := [(98, 8); (102, 12); (110, 10); (114, 13); (116, 9)].
Definition hex_value (c : Z) : Z := if is_digit c then c - digit_0 else if (97 <=? c) && (c <=? 102) then c - 87 else 16.
Fixpoint take_string (b done : bytes) : taken bytes :=
  match b with
  | [] => None
  | c :: rest =>
      if c =? quote then Some (rev_append done [], rest)
      else if negb (c =? backslash) then take_string rest (c :: done)
      else match rest with
           | [] => None
           | e :: rest =>
               if (e =? quote) || (e =? backslash) then take_string rest (e :: done)
               else if e =? letter_u then
                 match rest with
                 | x :: y :: h :: l :: rest =>
                     let code := 16 * hex_value h + hex_value l in
                     if (x =? digit_0) && (y =? digit_0) && (hex_value h <? 2) && (hex_value l <? 16) &&
                        negb (existsb (fun s => snd s =? code) short_escapes)
                     then take_string rest (code :: done) else None
                 | _ => None
                 end
               else match find (fun s => fst s =? e) short_escapes with
                    | Some (_, code) => take_string rest (code :: done)
                    | None => None
                    end
           end
  end.
Definition take_text (b : bytes) : taken bytes := match b with c :: rest => if c =? quote then take_string rest [] else None | [] => None end.

Definition take_or_null {A} (f : bytes -> taken A) (b : bytes) : taken (option A) :=
  match take_literal "null" b with
  | Some rest => Some (None, rest)
  | None => let* (a, rest) := f b in Some (Some a, rest)
  end.

(* A list behind its bracket. `fuel`: as many steps as there are bytes. *)
Definition comma : Z := 44.
Definition bracket : Z := 93.
Fixpoint take_more {A} (fuel : nat) (f : bytes -> taken A) (b : bytes) (done : list A) : taken (list A) :=
  match fuel with
  | O => None
  | S fuel =>
      let* (a, rest) := f b in
      match rest with
      | c :: rest => if c =? comma then take_more fuel f rest (a :: done) else if c =? bracket then Some (rev_append (a :: done) [], rest) else None
      | [] => None
      end
  end.
Definition take_list {A} (fuel : nat) (f : bytes -> taken A) (b : bytes) : taken (list A) :=
  let* b := take_literal "[" b in
  match take_literal "]" b with Some rest => Some ([], rest) | None => take_more fuel f b [] end.

Inductive named := Plain | MissingSide (first : bool) | OfLevels (groups : list (list (option bytes))) | OneLevel (level : option bytes).
Record ordering_read := OrderingRead { column_read : Z; named_read : named }.

Definition largest_whole : Z := 2 ^ 53 - 1.
Definition take_ordering (fuel : nat) (b : bytes) : taken ordering_read :=
  let* b := take_literal "{""column"":" b in
  let* (j, b) := take_from 0 largest_whole b in
  let* (n, b) :=
    match take_literal ",""missing"":""last""" b, take_literal ",""missing"":""first""" b,
          take_literal ",""levels"":" b, take_literal ",""level"":" b with
    | Some b, _, _, _ => Some (MissingSide false, b)
    | _, Some b, _, _ => Some (MissingSide true, b)
    | _, _, Some b, _ => let* (groups, b) := take_list fuel (take_list fuel (take_or_null take_text)) b in Some (OfLevels groups, b)
    | _, _, _, Some b => let* (level, b) := take_or_null take_text b in Some (OneLevel level, b)
    | _, _, _, _ => Some (Plain, b)
    end in
  let* b := take_literal "}" b in
  Some (OrderingRead j n, b).

(* How a proof of squared error counts. *)
Record target_grid := TargetGrid { center_odd : Z; center_power : Z; digits_read : Z }.

Record header := Header {
  table_named : bytes;  (* the fingerprint *)
  unit_odd : Z; unit_power : Z;
  target_read : option target_grid;
  grid_read : Z; depth_read : Z; most_splits : option Z; min_rows : Z; price_read : Z; bound_read : Z;
  orderings_read : list ordering_read;
  size_of_body : Z
}.

Definition take_target (b : bytes) : taken (option target_grid) :=
  match take_literal ",""center"":[" b with
  | None => Some (None, b)
  | Some b =>
      let* (a, b) := take_from (- largest_whole) largest_whole b in
      let* b := take_literal "," b in
      let* (e, b) := take_from (-1074) 1023 b in
      let* b := take_literal "],""digits"":" b in
      let* (d, b) := take_from (-500) 500 b in
      if Z.odd a || ((a =? 0) && (e =? 0)) then Some (Some (TargetGrid a e d), b) else None
  end.

Definition read_header (b : bytes) : option header :=
  let fuel := length b in
  let* b := take_literal "{""made_by"":" b in
  let* (_, b) := take_text b in
  let* b := take_literal ",""table"":" b in
  let* (named, b) := take_text b in
  let* b := take_literal ",""unit"":[" b in
  let* (a, b) := take_from 1 largest_whole b in
  let* b := take_literal "," b in
  let* (e, b) := take_from (-1074) 1023 b in
  let* b := take_literal "]" b in
  let* (target, b) := take_target b in
  let* b := take_literal ",""grid"":" b in
  let* (grid, b) := match target with Some _ => take_from (-74) 20 b | None => take_from 0 52 b end in
  let* b := take_literal ",""depth"":" b in
  let* (depth, b) := take_from 0 60 b in
  let* b := take_literal ",""max_splits"":" b in
  let* (splits, b) := take_or_null (take_from 0 1023) b in
  let* b := take_literal ",""min_rows"":" b in
  let* (rows, b) := take_from 1 largest_whole b in
  let* b := take_literal ",""price"":" b in
  let* (price, b) := take_from 0 largest_whole b in
  let* b := take_literal ",""bound"":" b in
  let* (bound, b) := take_from 0 largest_whole b in
  let* b := take_literal ",""orderings"":" b in
  let* (orderings, b) := take_list fuel (take_ordering fuel) b in
  let* b := take_literal ",""bytes"":" b in
  let* (size, b) := take_from 0 largest_whole b in
  let* b := take_literal "}" b in
  match b with
  | [] => if Z.odd a then Some (Header named a e target grid depth splits rows price bound orderings size) else None
  | _ => None
  end.

(* The numbers of a body: seven bits a byte, the lowest first. *)
Definition one_byte : Z := 128.
Definition most_bits : Z := 2 ^ 56.
Fixpoint read_body (b : bytes) (value place : Z) (done : list Z) : option (list Z) :=
  match b with
  | [] => if place =? 1 then Some (rev_append done []) else None
  | c :: rest =>
      if most_bits <=? place then None
      else if one_byte <=? c then read_body rest (value + (c - one_byte) * place) (one_byte * place) done
      else let value := value + c * place in
           if (largest_whole <? value) || ((c =? 0) && (1 <? place)) then None else read_body rest 0 1 (value :: done)
  end.

(* FNV-1a, in 16 hexadecimal digits. *)
Definition fnv_start : Z := 14695981039346656037.
Definition fnv_factor : Z := 1099511628211.
Definition fnv_end : Z := 2 ^ 64.
Fixpoint fnv1a (b : bytes) (hash : Z) : Z :=
  match b with
  | [] => hash
  | c :: rest => fnv1a rest ((Z.lxor hash c * fnv_factor) mod fnv_end)
  end.
Fixpoint hex (n : nat) (v : Z) (after : bytes) : bytes :=
  match n with
  | O => after
  | S n => let d := v mod 16 in hex n (v / 16) ((if d <? ten then digit_0 + d else 87 + d) :: after)
  end.
Definition fingerprint (b : bytes) : bytes := hex 16 (fnv1a b fnv_start) [].

(* The bytes but the last n, and those. *)
Definition but_last (n : nat) (b : bytes) : bytes * bytes :=
  let fix go n turned last :=
    match n, turned with
    | O, _ => (rev_append turned [], last)
    | S n, c :: turned => go n turned (c :: last)
    | _, [] => ([], last)
    end in
  go n (rev_append b []) [].

Definition in_header (c : Z) : bool := (blank <=? c) && (c <=? tilde).

(* The header and the body. *)
Inductive file_read := File (h : header) (body : list Z) | NoFile (why : string).
Definition read_file (b : bytes) : file_read :=
  match take_literal "treewright proof 1" b with
  | Some (c :: rest) =>
      if negb (c =? line_feed) then NoFile "this is no proof of format 1"
      else let (signed, hash) := but_last 16 b in
      if negb (same (fingerprint signed) hash) then NoFile "the file is damaged"
      else let (line, rest) := take_while in_header rest [] in
      match rest with
      | c :: rest =>
          if negb (c =? line_feed) then NoFile "the header has bytes beyond printable ASCII"
          else match read_header line with
          | None => NoFile "the header is not as the format has it"
          | Some h =>
              let (body, _) := but_last 16 rest in
              if negb (Z.of_nat (length rest) =? size_of_body h + 16) then NoFile "the body has another size than 'bytes' says"
              else match read_body body 0 1 [] with
              | Some ns => File h ns
              | None => NoFile "a number of the body is too large, too long or cut off"
              end
          end
      | [] => NoFile "the file ends too early"
      end
  | _ => NoFile "this is no proof of format 1"
  end.
