(** Values, the question γ between two of them, and ageing. Follows value.rs and edge.rs. *)

From Coq Require Import ZArith Lia Bool.
Open Scope Z_scope.

(** γ = bound − ε, represented by its bound, as [Gamma] in Rust. So v > γ is [γ <= v] and v < γ is [v < γ]:
    one of the two always holds, and γ equals no value. *)
Definition gamma := Z.

Lemma gamma_between : forall (v : Z) (γ : gamma), γ <= v \/ v < γ.
Proof. lia. Qed.

(** −γ: −(b − ε) lies just below 1 − b. *)
Definition mirror (γ : gamma) : gamma := 1 - γ.

Lemma mirror_above : forall v γ, γ <= v <-> - v < mirror γ.
Proof. unfold mirror; lia. Qed.

(** How a value changes one ply further from the end. Only this is assumed: age v > γ exactly if v > pre γ, and the same
    for the other side's view of v. *)
Record ageing := {
  age : Z -> Z;
  pre : gamma -> gamma;
  age_pre : forall v γ, γ <= age v <-> pre γ <= v;
  age_pre_mirror : forall v γ, γ <= - age v <-> pre γ <= - v
}.

(** What an edge does to a child's value, and to the question that the child is asked. [again]: the same side moves. *)
Definition back (a : ageing) (again : bool) (v : Z) : Z := if again then age a v else - age a v.
Definition ask (a : ageing) (again : bool) (γ : gamma) : gamma := if again then pre a γ else mirror (pre a γ).

Lemma ask_back : forall a (again : bool) v γ,
  γ <= back a again v <-> (if again then ask a again γ <= v else v < ask a again γ).
Proof.
  intros a [|] v γ; unfold back, ask, mirror.
  - apply age_pre.
  - rewrite age_pre_mirror; lia.
Qed.

Lemma back_order : forall a (again : bool) x y, x <= y ->
  if again then back a again x <= back a again y else back a again y <= back a again x.
Proof.
  intros a [|] x y xy; unfold back.
  - apply age_pre. apply Z.le_trans with x; [apply age_pre; lia | exact xy].
  - apply age_pre_mirror. apply Z.le_trans with (- y); [apply age_pre_mirror; lia | lia].
Qed.

(** Ageing as the program has it: scores stay, wins and losses move one ply away, up to a last one, and what lies beyond
    all values stays. *)
Definition won := 32000.
Definition last_win := won - 999.

Definition emtee_age (v : Z) : Z :=
  if Z.abs v <=? last_win then v else if won <? Z.abs v then v else v - Z.sgn v.

Definition emtee_pre (γ : gamma) : gamma :=
  if (- last_win <? γ) && (γ <=? last_win) then γ
  else if (0 <? γ) && (γ <=? won) then γ + 1
  else if (- won <? γ) && (γ <? 0) then γ - 1
  else γ.

Lemma emtee_age_pre : forall v γ, γ <= emtee_age v <-> emtee_pre γ <= v.
Proof.
  intros v γ; unfold emtee_age, emtee_pre, last_win, won.
  repeat match goal with
  | |- context [?x <=? ?y] => destruct (Z.leb_spec x y); simpl
  | |- context [?x <? ?y] => destruct (Z.ltb_spec x y); simpl
  end; lia.
Qed.

Lemma emtee_age_odd : forall v, emtee_age (- v) = - emtee_age v.
Proof.
  intros v; unfold emtee_age; rewrite Z.abs_opp, Z.sgn_opp.
  destruct (Z.abs v <=? last_win); [reflexivity|].
  destruct (won <? Z.abs v); lia.
Qed.

Definition emtee_ageing : ageing.
Proof.
  refine {| age := emtee_age; pre := emtee_pre; age_pre := emtee_age_pre |}.
  intros v γ. rewrite <- emtee_age_odd. apply emtee_age_pre.
Defined.

(** Bounds on a value; [None] is −∞ as a lower bound and +∞ as an upper one. *)
Record bounds := { lower : option Z; upper : option Z }.

Definition unknown : bounds := {| lower := None; upper := None |}.
Definition exactly (v : Z) : bounds := {| lower := Some v; upper := Some v |}.

(** The bounds are true of v. *)
Definition holds (b : bounds) (v : Z) : Prop :=
  (forall l, lower b = Some l -> l <= v) /\ (forall u, upper b = Some u -> v <= u).

Lemma unknown_holds : forall v, holds unknown v.
Proof. split; discriminate. Qed.

Lemma exactly_holds : forall v, holds (exactly v) v.
Proof. intros v; split; simpl; intros x E; injection E; lia. Qed.

(** What a search with γ promises of the g that it returns, fail-soft. *)
Definition contract (v : Z) (γ : gamma) (g : Z) : Prop := (g < γ -> v <= g) /\ (γ <= g -> g <= v).

(** What a search of a window promises: below it f ≤ g, above it f ≥ g, and within it f = g. *)
Definition window_contract (v : Z) (low high : gamma) (g : Z) : Prop := (g < high -> v <= g) /\ (low <= g -> g <= v).

Lemma contract_null : forall v γ g, contract v γ g <-> window_contract v γ γ g.
Proof. unfold contract, window_contract; tauto. Qed.

(** A promise about a child is a promise about its parent's view of it. *)
Lemma contract_back : forall a (again : bool) v γ g,
  contract v (ask a again γ) g -> contract (back a again v) γ (back a again g).
Proof.
  intros a again v γ g [L H].
  pose proof (ask_back a again g γ) as E.
  split; intros C.
  - destruct again; [apply (back_order a true) | apply (back_order a false)].
    + apply L. assert (~ ask a true γ <= g) by (rewrite <- E; lia). lia.
    + apply H. assert (~ g < ask a false γ) by (rewrite <- E; lia). lia.
  - destruct again; [apply (back_order a true) | apply (back_order a false)].
    + apply H. apply E; exact C.
    + apply L. apply E; exact C.
Qed.
