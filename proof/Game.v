(** Games, and f, the value of a position at a depth, by definition. *)

From Coq Require Import ZArith Lia List Permutation.
Require Import Value.
Import ListNotations.
Open Scope Z_scope.

(** A child is an edge, on which the same side may move again, and a position. The value of a leaf may depend on the depth:
    at the horizon it is the evaluation, elsewhere the end of the game. Positions need not form a tree. *)
Record game := {
  pos : Type;
  children : pos -> list (bool * pos);
  leaf : nat -> pos -> Z;
  ages : ageing
}.

Section Game.
Variable G : game.

Definition child : Type := (bool * pos G)%type.

Definition from_child (c : child) (v : Z) : Z := to_parent (ages G) (fst c) v.
Definition child_gamma (c : child) (γ : gamma) : gamma := to_child (ages G) (fst c) γ.

Definition maximum (v : Z) (vs : list Z) : Z := fold_left Z.max vs v.

Fixpoint f (d : nat) (p : pos G) {struct d} : Z :=
  match d with
  | O => leaf G O p
  | S d' =>
    match map (fun c => from_child c (f d' (snd c))) (children G p) with
    | [] => leaf G d p
    | v :: vs => maximum v vs
    end
  end.

(** The value of a child, as its parent sees it. *)
Definition val (d : nat) (c : child) : Z := from_child c (f d (snd c)).

Lemma maximum_greatest : forall vs v, v <= maximum v vs /\ forall x, In x vs -> x <= maximum v vs.
Proof.
  unfold maximum; induction vs as [|y vs IH]; intros v; simpl.
  - split; [lia | tauto].
  - destruct (IH (Z.max v y)) as [A B]; split; [lia|].
    intros x [->|I]; [lia | apply B; exact I].
Qed.

Lemma maximum_attained : forall vs v, maximum v vs = v \/ In (maximum v vs) vs.
Proof.
  unfold maximum; induction vs as [|y vs IH]; intros v; simpl; [tauto|].
  destruct (IH (Z.max v y)) as [E|I]; [|tauto].
  rewrite E. destruct (Z.max_spec v y) as [[_ ->]|[_ ->]]; tauto.
Qed.

Lemma f_children : forall d p, children G p <> [] ->
  exists v vs, map (val d) (children G p) = v :: vs /\ f (S d) p = maximum v vs.
Proof.
  intros d p N; simpl; fold (val d). unfold val.
  destruct (children G p) as [|c cs]; [congruence|]; simpl. eauto.
Qed.

Lemma f_greatest : forall d p c, In c (children G p) -> val d c <= f (S d) p.
Proof.
  intros d p c I.
  destruct (f_children d p) as (v & vs & E & ->); [intros N; rewrite N in I; exact I|].
  apply (in_map (val d)) in I. rewrite E in I.
  destruct (maximum_greatest vs v) as [A B], I as [<-|I]; [exact A | apply B; exact I].
Qed.

Lemma f_attained : forall d p, children G p <> [] -> exists c, In c (children G p) /\ f (S d) p = val d c.
Proof.
  intros d p N. destruct (f_children d p N) as (v & vs & E & ->).
  assert (I : In (maximum v vs) (map (val d) (children G p))).
  { rewrite E. destruct (maximum_attained vs v) as [->|I]; [left; reflexivity | right; exact I]. }
  apply in_map_iff in I. destruct I as (c & E' & I). eauto.
Qed.

Lemma f_leaf : forall d p, children G p = [] -> f d p = leaf G d p.
Proof. intros [|d] p E; simpl; [|rewrite E]; reflexivity. Qed.

End Game.
