(** Stockman's SSS* with an OPEN list, as in stockman.rs. DUAL* is the same with the sides exchanged. *)

From Coq Require Import ZArith List Bool Arith.
Require Import Value Game.
Import ListNotations.
Open Scope Z_scope.

Section Stockman.
Variable G : game.

(** A state: its merit, with [None] for the +∞ that only the first has, a node, and whether it is solved. A node is a path
    from the root. *)
Record state := { merit : option Z; path : list nat; solved : bool }.

(** The node at the end of a path: its depth, its position, and whether MAX moves there. *)
Fixpoint walk (d : nat) (p : pos G) (max : bool) (path : list nat) : option (nat * pos G * bool) :=
  match path with
  | [] => Some (d, p, max)
  | i :: rest =>
    match d, nth_error (children G p) i with
    | S d', Some c => walk d' (snd c) (if fst c then max else negb max) rest
    | _, _ => None
    end
  end.

Definition greater_merit (a b : option Z) : bool :=
  match a, b with
  | None, Some _ => true
  | Some x, Some y => y <? x
  | _, None => false
  end.

Fixpoint left_of (a b : list nat) : bool :=
  match a, b with
  | [], _ :: _ => true
  | _, [] => false
  | i :: a', j :: b' => if Nat.eqb i j then left_of a' b' else Nat.ltb i j
  end.

(** Greatest merit first; among equals, the leftmost. *)
Definition before (a b : state) : bool :=
  greater_merit (merit a) (merit b) ||
  (negb (greater_merit (merit b) (merit a)) && left_of (path a) (path b)).

Fixpoint insert (s : state) (open : list state) : list state :=
  match open with
  | [] => [s]
  | t :: rest => if before s t then s :: open else t :: insert s rest
  end.

Fixpoint starts_with (path above : list nat) : bool :=
  match above, path with
  | [], _ => true
  | i :: above', j :: path' => Nat.eqb i j && starts_with path' above'
  | _ :: _, [] => false
  end.

Definition purge (above : list nat) (open : list state) : list state :=
  filter (fun s => negb (starts_with (path s) above)) open.

Fixpoint aged (n : nat) (v : Z) : Z := match n with O => v | S n' => aged n' (age (ages G) v) end.

Definition least (m : option Z) (v : Z) : Z := match m with Some w => Z.min w v | None => v end.

(** The Γ operator, six cases. The log holds the paths of the leaves evaluated, the latest first. [max]: the first side is
    MAX at the root. [fuel] is for Coq. *)
Fixpoint gamma_operator (fuel : nat) (d : nat) (p : pos G) (max : bool) (open : list state) (log : list (list nat))
  : option Z * list (list nat) :=
  match fuel, open with
  | S fuel', s :: rest =>
    let go := gamma_operator fuel' d p max in
    if solved s then
      match rev (path s) with
      | [] => (merit s, log)
      | i :: up =>
        let parent := rev up in
        match walk d p max parent with
        | Some (_, q, true) => go (insert {| merit := merit s; path := parent; solved := true |} (purge parent rest)) log
        | Some (_, q, false) =>
          if Nat.ltb (S i) (length (children G q))
          then go (insert {| merit := merit s; path := parent ++ [S i]; solved := false |} rest) log
          else go (insert {| merit := merit s; path := parent; solved := true |} rest) log
        | None => (None, log)
        end
      end
    else
      match walk d p max (path s) with
      | Some (d', q, mx) =>
        let count := match d' with O => O | S _ => length (children G q) end in
        match count with
        | O =>
          let v := aged (length (path s)) (leaf G d' q) in
          let v := if mx then v else - v in
          go (insert {| merit := Some (least (merit s) v); path := path s; solved := true |} rest) (path s :: log)
        | S _ =>
          let add i open := insert {| merit := merit s; path := path s ++ [i]; solved := false |} open in
          go (if mx then fold_right add rest (seq 0 count) else add O rest) log
        end
      | None => (None, log)
      end
  | _, _ => (None, log)
  end.

(** [dual]: DUAL*, which is SSS* for the other side. *)
Definition stockman (dual : bool) (fuel d : nat) (p : pos G) : option Z * list (list nat) :=
  let (v, log) := gamma_operator fuel d p (negb dual) [{| merit := None; path := []; solved := false |}] [] in
  (if dual then option_map Z.opp v else v, rev log).

End Stockman.
