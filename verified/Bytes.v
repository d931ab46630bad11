(* Bytes, decimal digits, and lines of tokens. *)

From Coq Require Import ZArith List Bool Lia String Ascii.
Import ListNotations.
Open Scope Z_scope.

Definition bytes := list Z.
Definition text (s : string) : bytes := map (fun c => Z.of_N (N_of_ascii c)) (list_ascii_of_string s).

Definition line_feed : Z := 10.
Definition blank : Z := 32.
Definition quote : Z := 34.
Definition minus : Z := 45.
Definition point : Z := 46.
Definition digit_0 : Z := 48.
Definition digit_9 : Z := 57.
Definition backslash : Z := 92.
Definition tilde : Z := 126.
Definition ten : Z := 10.

Fixpoint same (a b : bytes) : bool :=
  match a, b with
  | [], [] => true
  | x :: a, y :: b => (x =? y) && same a b
  | _, _ => false
  end.

Lemma same_eq a : forall b, same a b = true <-> a = b.
Proof.
  induction a as [|x a IH]; intros [|y b]; simpl; split; intros H; try discriminate; auto.
  - apply andb_true_iff in H. destruct H as (E & H). apply Z.eqb_eq in E. apply IH in H. congruence.
  - inversion H. subst. rewrite Z.eqb_refl. apply IH. reflexivity.
Qed.

Lemma same_refl a : same a a = true.
Proof. apply same_eq. reflexivity. Qed.

Definition in_list (w : bytes) (ws : list bytes) : bool := existsb (same w) ws.

(* In the order of the bytes. *)
Fixpoint before (a b : bytes) : bool :=
  match a, b with
  | [], [] => false
  | [], _ => true
  | _, [] => false
  | x :: a, y :: b => if x =? y then before a b else x <? y
  end.

(* The digits of a number n >= 0, before those that are there. *)
Fixpoint digits_onto (fuel : nat) (n : Z) (after : bytes) : bytes :=
  match fuel with
  | O => after
  | S fuel => if n <? ten then digit_0 + n :: after else digits_onto fuel (n / ten) (digit_0 + n mod ten :: after)
  end.
Definition digits (n : Z) : bytes := digits_onto (S (Z.to_nat (Z.log2 (Z.max 1 n)))) n [].

(* Tokens, with one blank between them. Tail-recursive: `done` is what stands before, the last byte first. *)
Fixpoint join_onto (line : list bytes) (done : bytes) : bytes :=
  match line with
  | [] => done
  | [w] => rev_append w done
  | w :: rest => join_onto rest (blank :: rev_append w done)
  end.
Fixpoint lines_onto (ls : list (list bytes)) (done : bytes) : bytes :=
  match ls with
  | [] => done
  | l :: rest => lines_onto rest (line_feed :: join_onto l done)
  end.
Definition print_lines (ls : list (list bytes)) : bytes := rev_append (lines_onto ls []) [].

(* Blanks part tokens and line feeds part lines, but between quotes. *)
Fixpoint tokens (quoted : bool) (token : bytes) (line : list bytes) (done : list (list bytes)) (b : bytes) : list (list bytes) :=
  match b with
  | [] => rev_append done []
  | c :: rest =>
      if c =? quote then tokens (negb quoted) (c :: token) line done rest
      else if quoted then tokens quoted (c :: token) line done rest
      else if c =? blank then tokens quoted [] (rev_append token [] :: line) done rest
      else if c =? line_feed then tokens quoted [] [] (rev_append (rev_append token [] :: line) [] :: done) rest
      else tokens quoted (c :: token) line done rest
  end.
Definition lines_of (b : bytes) : list (list bytes) := tokens false [] [] [] b.

(* A token: its blanks and line feeds stand between quotes. *)
Fixpoint closed (quoted : bool) (token : bytes) : bool :=
  match token with
  | [] => negb quoted
  | c :: rest =>
      if c =? quote then closed (negb quoted) rest
      else if quoted then closed quoted rest
      else negb (c =? blank) && negb (c =? line_feed) && closed quoted rest
  end.
Definition has_tokens (line : list bytes) : bool := match line with [] => false | _ => forallb (closed false) line end.

Lemma tokens_token w : forall q token line done rest, closed q w = true ->
  tokens q token line done (w ++ rest) = tokens false (rev w ++ token) line done rest.
Proof.
  induction w as [|c w IH]; intros q token line done rest C; cbn [closed] in C.
  - destruct q; [discriminate|reflexivity].
  - cbn [app tokens]. destruct (c =? quote).
    + rewrite IH by exact C. cbn [rev]. rewrite <- app_assoc. reflexivity.
    + destruct q.
      * rewrite IH by exact C. cbn [rev]. rewrite <- app_assoc. reflexivity.
      * apply andb_true_iff in C. destruct C as (C & D). apply andb_true_iff in C. destruct C as (B & L).
        destruct (c =? blank); [discriminate|]. destruct (c =? line_feed); [discriminate|].
        rewrite IH by exact D. cbn [rev]. rewrite <- app_assoc. reflexivity.
Qed.

(* As one reads it. *)
Fixpoint join (line : list bytes) : bytes :=
  match line with
  | [] => []
  | [w] => w
  | w :: rest => w ++ blank :: join rest
  end.

Lemma join_onto_eq line : forall done, join_onto line done = rev (join line) ++ done.
Proof.
  induction line as [|w [|v rest] IH]; intros done; [reflexivity|apply rev_append_rev|].
  change (join_onto (w :: v :: rest) done) with (join_onto (v :: rest) (blank :: rev_append w done)).
  change (join (w :: v :: rest)) with (w ++ blank :: join (v :: rest)).
  rewrite IH, rev_append_rev, rev_app_distr. cbn [rev]. rewrite <- !app_assoc. reflexivity.
Qed.

Lemma lines_onto_eq ls : forall done, lines_onto ls done = rev (flat_map (fun l => join l ++ [line_feed]) ls) ++ done.
Proof.
  induction ls as [|l ls IH]; intros done; [reflexivity|]. cbn [lines_onto flat_map].
  rewrite IH, join_onto_eq, !rev_app_distr. cbn [rev app]. rewrite <- !app_assoc. reflexivity.
Qed.

(* Lines, each with its line feed. *)
Theorem print_lines_eq ls : print_lines ls = flat_map (fun l => join l ++ [line_feed]) ls.
Proof. unfold print_lines. rewrite lines_onto_eq, app_nil_r, rev_append_rev, rev_involutive, app_nil_r. reflexivity. Qed.

Lemma tokens_line l : forall line done rest, has_tokens l = true ->
  tokens false [] line done (join l ++ line_feed :: rest) = tokens false [] [] ((rev line ++ l) :: done) rest.
Proof.
  induction l as [|w l IH]; intros line done rest H; [discriminate|].
  unfold has_tokens in H. cbn [forallb] in H. apply andb_true_iff in H. destruct H as (C & H).
  destruct l as [|v l].
  - cbn [join]. rewrite tokens_token by exact C. rewrite app_nil_r. cbn [tokens].
    change (line_feed =? quote) with false. change (line_feed =? blank) with false. change (line_feed =? line_feed) with true.
    cbn iota. rewrite !rev_append_rev, rev_involutive. cbn [rev]. rewrite !app_nil_r. reflexivity.
  - change (join (w :: v :: l)) with (w ++ blank :: join (v :: l)). rewrite <- app_assoc. rewrite tokens_token by exact C.
    rewrite app_nil_r, <- app_comm_cons. cbn [tokens]. change (blank =? quote) with false. change (blank =? blank) with true.
    cbn iota. rewrite IH by exact H. rewrite rev_append_rev, rev_involutive, app_nil_r. cbn [rev]. rewrite <- app_assoc. reflexivity.
Qed.

Theorem lines_of_print ls : forallb has_tokens ls = true -> lines_of (print_lines ls) = ls.
Proof.
  intros H. rewrite print_lines_eq. unfold lines_of.
  assert (E : forall done, tokens false [] [] done (flat_map (fun l => join l ++ [line_feed]) ls) = rev done ++ ls).
  { revert H. induction ls as [|l ls IH]; intros H done; simpl in H; [cbn; rewrite rev_append_rev, !app_nil_r; reflexivity|].
    apply andb_true_iff in H. destruct H as (C & H). cbn [flat_map]. rewrite <- app_assoc. change ([line_feed] ++ ?r) with (line_feed :: r).
    rewrite tokens_line by exact C. rewrite IH by exact H. cbn [rev app]. rewrite <- app_assoc. reflexivity. }
  apply (E []).
Qed.
