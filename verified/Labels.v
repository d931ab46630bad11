(* Lists with a number for each label. Labels are 0, 1, ... *)

From Coq Require Import ZArith List Bool Lia.
Import ListNotations.
Open Scope Z_scope.

(* The number of a label; 0 for one that is none. *)
Fixpoint at_label (k : Z) (cs : list Z) : Z :=
  match cs with
  | [] => 0
  | c :: rest => if k =? 0 then c else at_label (k - 1) rest
  end.

Fixpoint total (cs : list Z) : Z :=
  match cs with
  | [] => 0
  | c :: rest => c + total rest
  end.
Fixpoint most (cs : list Z) : Z :=
  match cs with
  | [] => 0
  | c :: rest => Z.max c (most rest)
  end.

(* Entry by entry; the lists are of one length. *)
Fixpoint plus (gs cs : list Z) : list Z :=
  match gs, cs with
  | g :: gs, c :: cs => c + g :: plus gs cs
  | _, _ => cs
  end.

Lemma at_label_in cs : forall k, 0 <= k < Z.of_nat (length cs) -> In (at_label k cs) cs.
Proof.
  induction cs as [|c cs IH]; intros k K; simpl length in K; [lia|]. simpl.
  destruct (Z.eqb_spec k 0); [auto|]. right. apply IH. lia.
Qed.

Lemma at_label_out cs : forall k, (k < 0 \/ Z.of_nat (length cs) <= k) -> at_label k cs = 0.
Proof.
  induction cs as [|c cs IH]; intros k K; simpl; [reflexivity|]. simpl length in K.
  destruct (Z.eqb_spec k 0); [lia|]. apply IH. lia.
Qed.

Lemma at_label_plus gs : forall cs k, length gs = length cs -> at_label k (plus gs cs) = at_label k gs + at_label k cs.
Proof.
  induction gs as [|g gs IH]; intros [|c cs] k L; try discriminate; simpl; [reflexivity|].
  destruct (k =? 0); [lia|]. apply IH. inversion L. reflexivity.
Qed.

Lemma length_plus gs : forall cs, length (plus gs cs) = length cs.
Proof. induction gs as [|g gs IH]; intros [|c cs]; simpl; auto. Qed.

Lemma at_label_map h cs : forall k, 0 <= k < Z.of_nat (length cs) -> at_label k (map h cs) = h (at_label k cs).
Proof.
  induction cs as [|c cs IH]; intros k K; simpl length in K; [lia|]. simpl. destruct (Z.eqb_spec k 0); [reflexivity|]. apply IH. lia.
Qed.

Lemma most_nonneg cs : 0 <= most cs.
Proof. induction cs; cbn [most]; lia. Qed.

Lemma most_in c cs : In c cs -> c <= most cs.
Proof. induction cs as [|d cs IH]; cbn [most In]; [tauto|]. intros [->|I]; [|apply IH in I]; lia. Qed.
