(** The model as an OCaml program: trees as `emtee tree` reads them, with a memory that forgets nothing or much. *)

From Coq Require Import ZArith List Bool FMapPositive.
From Coq Require Import ExtrOcamlBasic ExtrOcamlNatInt ExtrOcamlZInt.
Require Import Value Game Program Mt Driver Window Best Stockman.
Import ListNotations.
Open Scope Z_scope.

(** A node has a number, and the side that moves there. A leaf has a value as MAX sees it. *)
Inductive tree :=
| Leaf (id : positive) (max : bool) (v : Z)
| Node (id : positive) (max : bool) (cs : list tree).

Definition id_of (t : tree) : positive := match t with Leaf i _ _ | Node i _ _ => i end.
Definition max_of (t : tree) : bool := match t with Leaf _ m _ | Node _ m _ => m end.

Definition tree_game : game := {|
  pos := tree;
  children := fun t => match t with Leaf _ _ _ => [] | Node _ m cs => map (fun c => (Bool.eqb m (max_of c), c)) cs end;
  leaf := fun _ t => match t with Leaf _ m v => if m then v else - v | Node _ _ _ => 0 end;
  ages := emtee_ageing
|}.

(** Entries are kept by number modulo [places], with the number and the depth to recognise them. *)
Definition small_memory (places : positive) : memory tree_game :=
  let place i := Z.to_pos (1 + Z.modulo (Zpos i) (Zpos places)) in
  Build_memory tree_game (PositiveMap.t (positive * nat * bounds))
    (fun t d p =>
       match PositiveMap.find (place (id_of p)) t with
       | Some (i, d', b) => if Pos.eqb i (id_of p) && Nat.eqb d d' then b else unknown
       | None => unknown
       end)
    (fun t d p b => PositiveMap.add (place (id_of p)) (id_of p, d, b) t).

(** What is compared: what is returned, and all that happened, the latest first. *)
Definition outcome : Type := (option (list Z) * list (event tree_game))%type.

Definition finish {A : Type} (places : positive) (value : A -> option (list Z)) (m : prog tree_game A) : outcome :=
  let '(r, _, log) := run (small_memory places) m (PositiveMap.empty _) [] in
  (match r with Some a => value a | None => None end, log).

Definition drive (D : driver) (places : positive) (first low high : Z) (d : nat) (t : tree) : outcome :=
  finish places
    (fun r => match r with Some s => if below s =? above s then Some [below s] else None | None => None end)
    (mtd tree_game D first low high (by_mt tree_game d t)).

Definition wide_search (w : wide) (places : positive) (low high : gamma) (d : nat) (t : tree) : outcome :=
  finish places (fun g => Some [g]) (window_pass tree_game w d t low high).

Definition aspire_search (wn : widen) (places : positive) (first width low high : Z) (d : nat) (t : tree) : outcome :=
  finish places (option_map (fun g => [g]))
    (aspiration tree_game wn (window_pass tree_game NegaScout d t) first width low high).

(** The best move, and the bounds proved of the value. *)
Definition best_search (st : Z -> Z -> nat -> strategy) (places : positive) (first low high : Z) (d : nat) (t : tree)
  : outcome :=
  let n := length (children tree_game t) in
  finish places
    (option_map (fun s => [Z.of_nat (candidate s); most (lo s) low n; most (hi s) low n]))
    (mtd_best tree_game low high first (st low high n) (pred d) t).

Definition prove_best_first (_ _ : Z) (_ : nat) : strategy := ProveBest.
Definition disprove_rest_first (_ _ : Z) (_ : nat) : strategy := DisproveRest.

Definition minimax (d : nat) (t : tree) : Z := f tree_game d t.
Definition worth_of_moves (d : nat) (t : tree) : list Z := map (val tree_game (pred d)) (children tree_game t).
Definition sss_star (dual : bool) (fuel d : nat) (t : tree) : option Z * list (list nat) :=
  stockman tree_game dual fuel d t.

Extraction Language OCaml.
Extraction "model.ml" tree drive wide_search aspire_search best_search prove_best_first disprove_rest_first bns
  minimax worth_of_moves sss_star sss dual c_star mtd_f mtd_f_figure_8 mtd_step mtd_gallop.
