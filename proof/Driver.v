(** Drivers: figure 8 with clamped bounds, as in driver.rs. *)

From Coq Require Import ZArith Lia List Bool.
Require Import Value Game Program Mt.
Import ListNotations.
Open Scope Z_scope.

(** The progress of a driver. *)
Record progress := {
  g : Z; bound : Z;                 (** the last pass: what it returned, and its bound *)
  below : Z; above : Z;             (** f⁻ and f⁺ *)
  range_below : Z; range_above : Z; (** where f was known to lie before the first pass *)
  passes : Z; same_way : Z; crossings : Z
}.

Definition failed_low (s : progress) : bool := g s <? bound s.
Definition is_bracketed (s : progress) : bool := (range_below s <? below s) && (above s <? range_above s).

(** A driver has a state of its own, as a user's closure may. Nothing is assumed of it. *)
Record driver := {
  memo : Type;
  start : memo;
  first : Z -> Z -> Z -> Z;         (** from the approximation and the range *)
  next : memo -> progress -> Z * memo
}.

Definition clamp (x low high : Z) : Z := Z.max low (Z.min x high).

(** The progress after a pass at γ with result v. *)
Definition advance (s : progress) (γ v : Z) : progress :=
  let low := if v <? γ then below s else v in
  let high := if v <? γ then v else above s in
  let crossed := high <? low in
  {| g := v; bound := γ;
     below := if crossed then v else low; above := if crossed then v else high;
     range_below := range_below s; range_above := range_above s;
     passes := passes s + 1;
     same_way := if Bool.eqb (failed_low s) (v <? γ) then same_way s + 1 else 1;
     crossings := if crossed then crossings s + 1 else crossings s |}.

Definition beginning (D : driver) (approximation low high : Z) : progress :=
  let x := first D approximation low high in
  {| g := x; bound := x; below := low; above := high; range_below := low; range_above := high;
     passes := 0; same_way := 0; crossings := 0 |}.

Section Mtd.
Variable G : game.

(** [run_mt s γ] runs a pass. It may test another undecided γ, and returns the one it tested.
    [fuel] makes the recursion structural, as Coq requires: [None] means that the fuel was used up. *)
Fixpoint mtd_loop (D : driver) (run_mt : progress -> gamma -> prog G (gamma * Z)) (fuel : nat) (s : progress)
  (x : memo D) : prog G (option progress) :=
  if below s <? above s then
    match fuel with
    | O => Ret None
    | S fuel' =>
      let (wish, x') := next D x s in
      bind (run_mt s (clamp wish (below s + 1) (above s))) (fun r =>
        mtd_loop D run_mt fuel' (advance s (fst r) (snd r)) x')
    end
  else Ret (Some s).

Definition mtd (D : driver) (approximation low high : Z) (run_mt : progress -> gamma -> prog G (gamma * Z))
  : prog G (option progress) :=
  mtd_loop D run_mt (Z.to_nat (high - low)) (beginning D approximation low high) (start D).

(** A γ that the bounds do not decide. *)
Definition is_open (s : progress) (γ : gamma) : Prop := below s < γ <= above s.

Lemma clamp_within : forall x low high, low <= high -> low <= clamp x low high <= high.
Proof. unfold clamp; lia. Qed.

(** Every pass narrows the open range, whatever it returns. *)
Lemma advance_narrows : forall s γ v, is_open s γ ->
  let s' := advance s γ v in
  below s' <= above s' /\ above s' - below s' < above s - below s /\ passes s' = passes s + 1.
Proof.
  unfold is_open; intros s γ v H; simpl.
  destruct (Z.ltb_spec v γ);
    [destruct (Z.ltb_spec v (below s)) | destruct (Z.ltb_spec (above s) v)]; lia.
Qed.

(** Any driver, with any passes, even if they contradict each other: at most f⁺ − f⁻ passes. *)
Theorem every_driver_ends : forall s D a low high run_mt,
  low <= high ->
  (forall x γ, is_open x γ -> keeps s (fun r => is_open x (fst r)) (run_mt x γ)) ->
  keeps s (fun r => exists x, r = Some x /\ passes x <= high - low /\ below x = above x) (mtd D a low high run_mt).
Proof.
  intros sp D a low high run_mt LH K. unfold mtd.
  assert (Go : forall fuel s x, below s <= above s -> above s - below s <= Z.of_nat fuel ->
    keeps sp (fun r => exists y, r = Some y /\ passes y <= passes s + (above s - below s) /\ below y = above y)
      (mtd_loop D run_mt fuel s x)).
  { induction fuel as [|fuel IH]; intros s x C F; cbn [mtd_loop].
    - replace (below s <? above s) with false by (symmetry; apply Z.ltb_ge; lia).
      exists s; repeat split; lia.
    - destruct (Z.ltb_spec (below s) (above s)) as [L|L].
      2: { exists s; repeat split; lia. }
      destruct (next D x s) as [wish x'].
      pose proof (clamp_within wish (below s + 1) (above s) ltac:(lia)) as W.
      remember (clamp wish (below s + 1) (above s)) as b.
      apply keeps_bind with (P := fun r => is_open s (fst r)); [apply K; unfold is_open; lia|].
      intros [γ v] Open; simpl in Open |- *.
      destruct (advance_narrows s γ v Open) as (A & B & P).
      eapply keeps_post; [|apply IH; lia]. intros r (y & -> & N & E).
      exists y; split; [reflexivity | split; [lia | exact E]]. }
  eapply keeps_post; [|apply Go; simpl; lia].
  simpl; intros r (x & -> & N & E); exists x; repeat split; auto; lia.
Qed.

(** Any driver whose passes keep MT's contract: at most f⁺ − f⁻ passes, no contradiction, and the value is f. *)
Theorem every_driver_finds_f : forall s D a low high v run_mt,
  low <= v <= high ->
  (forall x γ, is_open x γ -> keeps s (fun r => is_open x (fst r) /\ contract v (fst r) (snd r)) (run_mt x γ)) ->
  keeps s (fun r => exists x, r = Some x /\ below x = v /\ above x = v /\ passes x <= high - low /\ crossings x = 0 /\
    (low < high -> g x = v)) (mtd D a low high run_mt).
Proof.
  intros sp D a low high v run_mt V K. unfold mtd.
  assert (Go : forall fuel s x, below s <= v <= above s -> above s - below s <= Z.of_nat fuel ->
    keeps sp (fun r => exists y, r = Some y /\ below y = v /\ above y = v /\
      passes y <= passes s + (above s - below s) /\ crossings y = crossings s /\
      (below s < above s \/ g s = v -> g y = v)) (mtd_loop D run_mt fuel s x)).
  { induction fuel as [|fuel IH]; intros s x C F; cbn [mtd_loop].
    - replace (below s <? above s) with false by (symmetry; apply Z.ltb_ge; lia).
      exists s; repeat split; lia.
    - destruct (Z.ltb_spec (below s) (above s)) as [L|L].
      2: { exists s; repeat split; lia. }
      destruct (next D x s) as [wish x'].
      pose proof (clamp_within wish (below s + 1) (above s) ltac:(lia)) as W.
      remember (clamp wish (below s + 1) (above s)) as b.
      apply keeps_bind with (P := fun r => is_open s (fst r) /\ contract v (fst r) (snd r));
        [apply K; unfold is_open; lia|].
      intros [γ w] [Open [CL CH]]; unfold is_open in Open; simpl in Open, CL, CH |- *.
      assert (Facts : below (advance s γ w) <= v <= above (advance s γ w) /\
        above (advance s γ w) - below (advance s γ w) < above s - below s /\
        crossings (advance s γ w) = crossings s /\ passes (advance s γ w) = passes s + 1 /\
        g (advance s γ w) = w /\ (below (advance s γ w) = above (advance s γ w) -> w = v)).
      { unfold advance; simpl. destruct (Z.ltb_spec w γ) as [Lo|Hi];
          [specialize (CL Lo); destruct (Z.ltb_spec w (below s)) | specialize (CH Hi); destruct (Z.ltb_spec (above s) w)];
          repeat split; lia. }
      destruct Facts as (A & B & X & P & Gw & End).
      eapply keeps_post; [|apply IH; lia].
      intros r (y & -> & N1 & N2 & N3 & N4 & N5). exists y.
      split; [reflexivity|]. split; [exact N1|]. split; [exact N2|]. split; [lia|]. split; [lia|].
      intros _. apply N5. destruct (Z.eq_dec (below (advance s γ w)) (above (advance s γ w))) as [E|E].
      + right. rewrite Gw. apply End; exact E.
      + left. lia. }
  eapply keeps_post; [|apply Go; simpl; lia].
  simpl; intros r (x & -> & N1 & N2 & N3 & N4 & N5); exists x; repeat split; auto; lia.
Qed.

(** With MT at the root of a game as the pass. *)
Definition by_mt (d : nat) (p : pos G) (_ : progress) (γ : gamma) : prog G (gamma * Z) :=
  bind (pass G d p γ) (fun r => Ret (γ, fst r)).

Lemma by_mt_keeps : forall d p s γ, is_open s γ ->
  keeps (truthful G) (fun r => is_open s (fst r) /\ contract (f G d p) (fst r) (snd r)) (by_mt d p s γ).
Proof.
  intros d p s γ O. unfold by_mt. apply keeps_bind with (1 := pass_keeps G d p γ). simpl; auto.
Qed.

(** The other γ of the two that prove the approximation, if it is right. *)
Definition other_half (approximation : Z) (γ : gamma) (s : progress) : option gamma :=
  let bound := if γ =? approximation then γ + 1 else approximation in
  if ((γ =? approximation) || (γ =? approximation + 1)) && (below s <? bound) && (bound <=? above s)
  then Some bound else None.

(** With many machines, half of them test the other γ in the first pass, and the first result counts. *)
Definition by_machines (approximation : Z) (d : nat) (p : pos G) (s : progress) (γ : gamma) : prog G (gamma * Z) :=
  match (if passes s =? 0 then other_half approximation γ s else None) with
  | Some o => Choose d p (fun first => by_mt d p s (if first then o else γ))
  | None => by_mt d p s γ
  end.

Lemma by_machines_keeps : forall a d p s γ, is_open s γ ->
  keeps (truthful G) (fun r => is_open s (fst r) /\ contract (f G d p) (fst r) (snd r)) (by_machines a d p s γ).
Proof.
  intros a d p s γ O. unfold by_machines, other_half.
  destruct (passes s =? 0); [|apply by_mt_keeps; exact O].
  match goal with |- context [below s <? ?b] => set (bound := b) end.
  destruct (Z.ltb_spec (below s) bound), (Z.leb_spec bound (above s));
    destruct ((γ =? a) || (γ =? a + 1)); simpl; try (apply by_mt_keeps; exact O).
  intros [|]; apply by_mt_keeps; [split; assumption | exact O].
Qed.

Definition finds_f (D : driver) : Prop := forall d p a low high,
  low <= f G d p <= high ->
  keeps (truthful G) (fun r => exists x, r = Some x /\ below x = f G d p /\ above x = f G d p /\
    passes x <= high - low /\ crossings x = 0 /\ (low < high -> g x = f G d p)) (mtd D a low high (by_mt d p)).

Theorem any_driver_finds_f : forall D, finds_f D.
Proof. intros D d p a low high H. apply every_driver_finds_f; [exact H | apply by_mt_keeps]. Qed.

Theorem any_driver_finds_f_on_many_machines : forall D d p a low high,
  low <= f G d p <= high ->
  keeps (truthful G) (fun r => exists x, r = Some x /\ below x = f G d p /\ above x = f G d p /\
    passes x <= high - low /\ crossings x = 0 /\ (low < high -> g x = f G d p)) (mtd D a low high (by_machines a d p)).
Proof. intros D d p a low high H. apply every_driver_finds_f; [exact H | apply by_machines_keeps]. Qed.

End Mtd.

(** ** The drivers of the paper *)

Definition stateless (first : Z -> Z -> Z -> Z) (next : progress -> Z) : driver :=
  {| memo := unit; start := tt; first := first; next := fun _ s => (next s, tt) |}.

Definition middle (low high : Z) : Z := low + (high - low + 1) / 2.

Definition sss : driver := stateless (fun _ _ high => high) (fun s => g s).
Definition dual : driver := stateless (fun _ low _ => low) (fun s => g s + 1).
Definition c_star : driver := stateless (fun _ low high => middle low high) (fun s => middle (below s) (above s)).
Definition mtd_f_figure_8 : driver :=
  stateless (fun a _ _ => a) (fun s => if failed_low s then g s else g s + 1).
Definition mtd_f : driver :=
  stateless (fun a _ _ => a) (fun s => if (passes s =? 0) || failed_low s then g s else g s + 1).
Definition mtd_step (step : Z) : driver :=
  stateless (fun _ _ high => high) (fun s => if passes s =? 0 then g s else Z.max (g s - step) (below s + 1)).
Definition max_score := 31000.

Definition mtd_gallop (step : Z) : driver :=
  stateless (fun a _ _ => a) (fun s =>
    if passes s =? 0 then g s
    else if is_bracketed s then middle (below s) (above s)
    else
      let stride := if same_way s <=? 1 then 0 else Z.shiftl (clamp step 1 max_score) (Z.min (same_way s - 2) 14) in
      if failed_low s then g s - stride else g s + 1 + stride).

Section Instances.
Variable G : game.
Theorem sss_finds_f : finds_f G sss. Proof. apply any_driver_finds_f. Qed.
Theorem dual_finds_f : finds_f G dual. Proof. apply any_driver_finds_f. Qed.
Theorem c_star_finds_f : finds_f G c_star. Proof. apply any_driver_finds_f. Qed.
Theorem mtd_f_finds_f : finds_f G mtd_f. Proof. apply any_driver_finds_f. Qed.
Theorem mtd_f_figure_8_finds_f : finds_f G mtd_f_figure_8. Proof. apply any_driver_finds_f. Qed.
Theorem mtd_step_finds_f : forall step, finds_f G (mtd_step step). Proof. intros; apply any_driver_finds_f. Qed.
Theorem mtd_gallop_finds_f : forall step, finds_f G (mtd_gallop step). Proof. intros; apply any_driver_finds_f. Qed.
End Instances.
