(** Values, γ between two values, and ageing. Follows value.rs and edge.rs. *)

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

(** How a value changes one ply further from the end. Only this is assumed: age v > γ exactly if v > unage γ, and the same
    for the other side's view of v. *)
Record ageing := {
  age : Z -> Z;
  unage : gamma -> gamma;
  age_unage : forall v γ, γ <= age v <-> unage γ <= v;
  age_unage_mirror : forall v γ, γ <= - age v <-> unage γ <= - v
}.

(** An edge: the parent's value from the child's, and the child's γ from the parent's. [again]: the same side moves. *)
Definition to_parent (a : ageing) (again : bool) (v : Z) : Z := if again then age a v else - age a v.
Definition to_child (a : ageing) (again : bool) (γ : gamma) : gamma := if again then unage a γ else mirror (unage a γ).

Lemma to_parent_to_child : forall a (again : bool) v γ,
  γ <= to_parent a again v <-> (if again then to_child a again γ <= v else v < to_child a again γ).
Proof.
  intros a [|] v γ; unfold to_parent, to_child, mirror.
  - apply age_unage.
  - rewrite age_unage_mirror; lia.
Qed.

Lemma back_order : forall a (again : bool) x y, x <= y ->
  if again then to_parent a again x <= to_parent a again y else to_parent a again y <= to_parent a again x.
Proof.
  intros a [|] x y xy; unfold to_parent.
  - apply age_unage. apply Z.le_trans with x; [apply age_unage; lia | exact xy].
  - apply age_unage_mirror. apply Z.le_trans with (- y); [apply age_unage_mirror; lia | lia].
Qed.

(** Ageing as the program has it: scores stay, wins and losses move one ply away, up to a last one, and what lies beyond
    all values stays. *)
Definition won := 32000.
Definition last_win := won - 999.

Definition emtee_age (v : Z) : Z :=
  if Z.abs v <=? last_win then v else if won <? Z.abs v then v else v - Z.sgn v.

Definition emtee_unage (γ : gamma) : gamma :=
  if (- last_win <? γ) && (γ <=? last_win) then γ
  else if (0 <? γ) && (γ <=? won) then γ + 1
  else if (- won <? γ) && (γ <? 0) then γ - 1
  else γ.

Lemma emtee_age_unage : forall v γ, γ <= emtee_age v <-> emtee_unage γ <= v.
Proof.
  intros v γ; unfold emtee_age, emtee_unage, last_win, won.
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
  refine {| age := emtee_age; unage := emtee_unage; age_unage := emtee_age_unage |}.
  intros v γ. rewrite <- emtee_age_odd. apply emtee_age_unage.
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

(** The contract of a search with γ and its result g, fail-soft. *)
Definition contract (v : Z) (γ : gamma) (g : Z) : Prop := (g < γ -> v <= g) /\ (γ <= g -> g <= v).

(** The contract of a search of a window: below it f ≤ g, above it f ≥ g, and within it f = g. *)
Definition window_contract (v : Z) (low high : gamma) (g : Z) : Prop := (g < high -> v <= g) /\ (low <= g -> g <= v).

Lemma contract_null : forall v γ g, contract v γ g <-> window_contract v γ γ g.
Proof. unfold contract, window_contract; tauto. Qed.

(** A contract for the value of a child is one for the value of its parent. *)
Lemma contract_back : forall a (again : bool) v γ g,
  contract v (to_child a again γ) g -> contract (to_parent a again v) γ (to_parent a again g).
Proof.
  intros a again v γ g [L H].
  pose proof (to_parent_to_child a again g γ) as E.
  split; intros C.
  - destruct again; [apply (back_order a true) | apply (back_order a false)].
    + apply L. assert (~ to_child a true γ <= g) by (rewrite <- E; lia). lia.
    + apply H. assert (~ g < to_child a false γ) by (rewrite <- E; lia). lia.
  - destruct again; [apply (back_order a true) | apply (back_order a false)].
    + apply H. apply E; exact C.
    + apply L. apply E; exact C.
Qed.
