(** MT, figure 1, as in mt.rs. *)

From Coq Require Import ZArith Lia List Permutation Bool.
Require Import Value Game Program.
Import ListNotations.
Open Scope Z_scope.

Section Mt.
Variable G : game.

(** The result of a test of γ, if the bounds decide it. *)
Definition answered (b : bounds) (γ : gamma) : option Z :=
  match lower b with
  | Some l => if γ <=? l then Some l else match upper b with Some u => if u <? γ then Some u else None | None => None end
  | None => match upper b with Some u => if u <? γ then Some u else None | None => None end
  end.

(** g starts at −∞, which is [None] here. *)
Definition reached (g : option Z) (γ : gamma) : bool := match g with Some v => γ <=? v | None => false end.
Definition better (v : Z) (g : option Z) : bool := match g with Some w => w <? v | None => true end.

(** The children one by one, while g < γ. *)
Fixpoint loop (γ : gamma) (search : option Z -> child G -> prog G Z) (cs : list (child G)) (g : option Z)
  (best : option (child G)) : prog G (option Z * option (child G)) :=
  match cs with
  | [] => Ret (g, best)
  | c :: rest =>
    if reached g γ then Ret (g, best)
    else bind (search g c) (fun v => if better v g then loop γ search rest (Some v) (Some c) else loop γ search rest g best)
  end.

(** Enhanced transposition cutoffs: a child whose bound in memory causes a cutoff. *)
Definition lower_from (c : child G) (b : bounds) : option Z :=
  option_map (from_child G c) (if fst c then lower b else upper b).

Fixpoint look_ahead (d : nat) (γ : gamma) (cs : list (child G)) : prog G (option Z * option (child G)) :=
  match cs with
  | [] => Ret (None, None)
  | c :: rest =>
    Peek d (snd c) (fun b =>
      if reached (lower_from c b) γ then Ret (lower_from c b, Some c) else look_ahead d γ rest)
  end.

Definition evaluate (d : nat) (p : pos G) : prog G Z := Evaluate d p (fun g => Store d p (exactly g) (Ret g)).

Definition narrowed (b : bounds) (low high : gamma) (g : Z) : bounds :=
  {| lower := if low <=? g then Some g else lower b; upper := if g <? high then Some g else upper b |}.

(** The part of a visit that has children: look ahead or not, try the children in some order, store. It returns the best move
    too. [d] is the depth of the children. *)
Definition expand (below : nat -> pos G -> gamma -> prog G Z) (d : nat) (p : pos G) (γ : gamma) (b : bounds)
  : prog G (Z * option (child G)) :=
  let search (_ : option Z) (c : child G) :=
    bind (below d (snd c) (child_gamma G c γ)) (fun v => Ret (from_child G c v)) in
  Choose (S d) p (fun look =>
  bind (if look then look_ahead d γ (children G p) else Ret (None, None)) (fun start =>
  Order (S d) p (fun cs =>
  bind (loop γ search cs (fst start) (snd start)) (fun r =>
  match fst r with
  | Some g => Store (S d) p (narrowed b γ γ g) (Ret (g, snd r))
  | None => Stopped
  end)))).

(** A visit may be stopped where it begins, as in the program. *)
Fixpoint mt (d : nat) (p : pos G) (γ : gamma) {struct d} : prog G Z :=
  Retrieve d p (fun b =>
  Choose d p (fun stop =>
  if stop then Stopped else
  match answered b γ with
  | Some g => Ret g
  | None =>
    match d with
    | O => evaluate O p
    | S d' =>
      match children G p with
      | [] => evaluate d p
      | _ :: _ => bind (expand (fun _ => mt d') d' p γ b) (fun r => Ret (fst r))
      end
    end
  end)).

(** A pass at the root, which answers nothing from the table: it must name a move. *)
Definition pass (d : nat) (p : pos G) (γ : gamma) : prog G (Z * option (child G)) :=
  match d with
  | O => bind (evaluate O p) (fun g => Ret (g, None))
  | S d' =>
    match children G p with
    | [] => bind (evaluate d p) (fun g => Ret (g, None))
    | _ :: _ => expand mt d' p γ unknown
    end
  end.

(** ** The contract *)

Lemma answered_true : forall b γ v g, holds b v -> answered b γ = Some g -> contract v γ g.
Proof.
  intros b γ v g [L U]; unfold answered.
  assert (UP : match upper b with Some u => if u <? γ then Some u else None | None => None end = Some g -> contract v γ g).
  { destruct (upper b) as [u|]; [|discriminate].
    destruct (Z.ltb_spec u γ); [|discriminate]. intros E; injection E; intros; subst.
    specialize (U g eq_refl). split; lia. }
  destruct (lower b) as [l|]; [|exact UP].
  destruct (Z.leb_spec γ l); [|exact UP].
  intros E; injection E; intros; subst. specialize (L g eq_refl). split; lia.
Qed.

(** The invariant of the loop. [low]: unless γ is reached, every child tried is at most g. [high]: once γ is reached, the best
    child is at least g. *)
Definition low (val : child G -> Z) (γ : gamma) (tried : list (child G)) (g : option Z) : Prop :=
  reached g γ = false -> forall c, In c tried -> exists v, g = Some v /\ val c <= v.

Definition high (val : child G -> Z) (γ : gamma) (all : list (child G)) (r : option Z * option (child G)) : Prop :=
  forall v, fst r = Some v -> γ <= v -> exists c, snd r = Some c /\ In c all /\ v <= val c.

Lemma reached_spec : forall g γ, if reached g γ then exists v, g = Some v /\ γ <= v else forall v, g = Some v -> v < γ.
Proof.
  intros [v|] γ; simpl; [destruct (Z.leb_spec γ v)|]; eauto.
  - intros w E; injection E; lia.
  - discriminate.
Qed.

(** Each child is searched knowing that those before it are less than γ. *)
Lemma loop_keeps : forall s val γ search all cs tried g best,
  all = tried ++ cs ->
  (forall before c after, all = before ++ c :: after -> (forall x, In x before -> val x < γ) ->
    forall g, keeps s (contract (val c) γ) (search g c)) ->
  low val γ tried g -> high val γ all (g, best) ->
  keeps s (fun r => low val γ all (fst r) /\ high val γ all r) (loop γ search cs g best).
Proof.
  intros s val γ search all. induction cs as [|c cs IH]; intros tried g best E S L H; simpl.
  - rewrite app_nil_r in E; subst. auto.
  - pose proof (reached_spec g γ) as R. destruct (reached g γ) eqn:Rg.
    + simpl; split; [|exact H]. intros N. simpl in N. congruence.
    + assert (T : forall x, In x tried -> val x < γ).
      { intros x I. destruct (L Rg x I) as (v & -> & V). specialize (R v eq_refl). lia. }
      apply keeps_bind with (P := contract (val c) γ); [apply S with tried cs; assumption|].
      intros v [CL CH].
      assert (E' : all = (tried ++ [c]) ++ cs) by (rewrite <- app_assoc; exact E).
      destruct (better v g) eqn:B; (apply IH with (tried := tried ++ [c]); [exact E' | exact S | |]).
      * intros N x I. exists v; split; [reflexivity|]. simpl in N. apply Z.leb_gt in N.
        apply in_app_or in I; destruct I as [I|[<-|[]]]; [|apply CL; exact N].
        destruct (L Rg x I) as (w & -> & W). simpl in B. apply Z.ltb_lt in B. lia.
      * intros w W. injection W; intros; subst. exists c; repeat split; [|apply CH; assumption].
        apply in_or_app; right; left; reflexivity.
      * intros _ x I. destruct g as [w|]; [|discriminate].
        exists w; split; [reflexivity|]. simpl in B. apply Z.ltb_ge in B.
        apply in_app_or in I; destruct I as [I|[<-|[]]].
        -- destruct (L Rg x I) as (w' & E'' & W). injection E''; intros; subst; exact W.
        -- specialize (R w eq_refl). assert (v < γ) by lia. specialize (CL H0). lia.
      * exact H.
Qed.

Lemma look_ahead_keeps : forall s d γ all cs,
  (forall c, In c cs -> In c all) -> (forall d p b, known s d p b -> holds b (f G d p)) ->
  keeps s (fun r => high (val G d) γ all r /\ (reached (fst r) γ = true \/ fst r = None)) (look_ahead d γ cs).
Proof.
  intros s d γ all cs A K. induction cs as [|c cs IH]; simpl.
  - split; [intros v E; discriminate | auto].
  - intros b B. apply K in B. destruct B as [L U].
    destruct (reached (lower_from c b) γ) eqn:R; [|apply IH; intros; apply A; right; assumption].
    simpl; split; [|auto]. intros v E _. exists c; repeat split; [apply A; left; reflexivity|].
    simpl in E. unfold lower_from in E.
    destruct (fst c) eqn:Again; [destruct (lower b) as [l|] | destruct (upper b) as [l|]]; try discriminate;
      simpl in E; injection E; intros <-; unfold val, from_child; rewrite Again.
    + apply (back_order (ages G) true). auto.
    + apply (back_order (ages G) false). auto.
Qed.

(** The children's part of a visit keeps its contract if the visits below it do. *)
Lemma expand_keeps : forall s below d p γ b,
  (forall d p b, known s d p b -> holds b (f G d p)) ->
  (forall b, holds b (f G (S d) p) -> stored s (S d) p b) ->
  (forall p cs, ordered s p cs -> Permutation (children G p) cs) ->
  (forall cs before c after, ordered s p cs -> cs = before ++ c :: after -> (forall x, In x before -> val G d x < γ) ->
    keeps s (contract (f G d (snd c)) (child_gamma G c γ)) (below d (snd c) (child_gamma G c γ))) ->
  children G p <> [] -> holds b (f G (S d) p) ->
  keeps s (fun r => contract (f G (S d) p) γ (fst r) /\
    (γ <= fst r -> exists c, snd r = Some c /\ In c (children G p) /\ fst r <= val G d c)) (expand below d p γ b).
Proof.
  intros s below d p γ b K St Or Below N B; unfold expand; simpl; intros look.
  apply keeps_bind with (P := fun r => high (val G d) γ (children G p) r /\ (reached (fst r) γ = true \/ fst r = None)).
  { destruct look; [apply look_ahead_keeps; auto|]. simpl; split; [intros v E; discriminate | auto]. }
  intros [g0 best0] [H0 R0]; simpl in R0 |- *. intros cs Ocs.
  assert (Perm := Or _ _ Ocs).
  assert (Same : forall c, In c cs <-> In c (children G p)).
  { intros c; split; apply Permutation_in; [apply Permutation_sym|]; exact Perm. }
  apply keeps_bind with (P := fun r => low (val G d) γ cs (fst r) /\ high (val G d) γ cs r).
  { apply loop_keeps with (tried := []); [reflexivity | | intros _ c [] |].
    - intros before c after E Before _.
      apply keeps_bind with (1 := Below _ _ _ _ Ocs E Before). simpl. intros v C. apply contract_back; exact C.
    - intros v E1 E2. destruct (H0 v E1 E2) as (c & A & I & V). exists c; repeat split; auto. apply Same; exact I. }
  intros [[g|] best] [L H]; simpl; [|exact I].
  assert (Good : contract (f G (S d) p) γ g /\
    (γ <= g -> exists c, best = Some c /\ In c (children G p) /\ g <= val G d c)).
  { split; [split|]; intros C.
    - destruct (f_attained G d p N) as (c & I & ->).
      destruct (L (proj2 (Z.leb_gt γ g) C) c) as (v & E & V); [apply Same; exact I|].
      simpl in E; injection E; intros; subst; exact V.
    - destruct (H g eq_refl C) as (c & _ & I & V).
      apply Z.le_trans with (1 := V). apply f_greatest. apply Same; exact I.
    - destruct (H g eq_refl C) as (c & E & I & V). exists c; repeat split; auto. apply Same; exact I. }
  split; [|exact Good].
  apply St. destruct Good as [[CL CH] _], B as [BL BU].
  split; simpl; [destruct (Z.leb_spec γ g) | destruct (Z.ltb_spec g γ)]; intros x E; auto; injection E; intros <-; auto.
Qed.

Lemma evaluate_keeps : forall s d p γ,
  f G d p = leaf G d p -> evaluated s d p -> (forall b, holds b (f G d p) -> stored s d p b) ->
  keeps s (contract (f G d p) γ) (evaluate d p).
Proof.
  intros s d p γ E V S; simpl; repeat split; auto; try (rewrite E; lia).
  apply S; rewrite E; apply exactly_holds.
Qed.

(** MT's contract, and the one lemma from which the theorems follow: if the memory's answers are true, then g < γ implies
    f ≤ g, g > γ implies f ≥ g, and everything stored is true. *)
Theorem mt_keeps_its_contract : forall d p γ, keeps (truthful G) (contract (f G d p) γ) (mt d p γ).
Proof.
  induction d as [|d IH]; intros p γ; cbn [mt keeps]; (split; [exact I|]); intros b B [|]; try exact I;
    (destruct (answered b γ) as [g|] eqn:A; [apply answered_true with b; assumption|]).
  - apply evaluate_keeps; [reflexivity | exact I | auto].
  - destruct (children G p) as [|c cs] eqn:Cs.
    + apply evaluate_keeps; [apply f_leaf; exact Cs | exact I | auto].
    + apply keeps_bind with (P := fun r => contract (f G (S d) p) γ (fst r) /\
        (γ <= fst r -> exists c, snd r = Some c /\ In c (children G p) /\ fst r <= val G d c)).
      * apply expand_keeps; auto. congruence.
      * intros r [R _]; exact R.
Qed.

(** A pass that fails high names a move that achieves its bound. *)
Theorem a_pass_that_fails_high_names_a_move : forall d p γ, children G p <> [] ->
  keeps (truthful G) (fun r => contract (f G (S d) p) γ (fst r) /\
    (γ <= fst r -> exists c, snd r = Some c /\ In c (children G p) /\ fst r <= val G d c)) (pass (S d) p γ).
Proof.
  intros d p γ N; unfold pass. destruct (children G p) as [|c cs] eqn:Cs; [congruence|]. rewrite <- Cs in *.
  apply expand_keeps; simpl; auto using unknown_holds.
  intros; apply mt_keeps_its_contract.
Qed.

Lemma pass_keeps : forall d p γ, keeps (truthful G) (fun r => contract (f G d p) γ (fst r)) (pass d p γ).
Proof.
  intros [|d] p γ.
  - apply keeps_bind with (1 := evaluate_keeps (truthful G) O p γ eq_refl I (fun _ H => H)). auto.
  - destruct (children G p) as [|c cs] eqn:Cs.
    + unfold pass; rewrite Cs.
      apply keeps_bind with (1 := evaluate_keeps (truthful G) (S d) p γ (f_leaf _ _ _ Cs) I (fun _ H => H)). auto.
    + eapply keeps_post; [|apply a_pass_that_fails_high_names_a_move; congruence]. simpl; tauto.
Qed.

(** Many passes of MT on one memory, by several threads in any interleaving, aborted anywhere, with children looked up
    ahead or not: everything ever stored is true. *)
Definition test_of (q : nat * pos G * gamma) : thread G :=
  let '(d, p, γ) := q in promising (contract (f G d p) γ) (mt d p γ).

Theorem mt_stores_the_truth : forall tests m ts,
  eventually G ([], map test_of tests) (m, ts) -> all_true G m.
Proof.
  intros qs m ts E. apply (everything_stored_is_true G _ _ _ _ E); [intros d p b []|].
  apply Forall_forall. intros t I. apply in_map_iff in I. destruct I as ([[d p] γ] & <- & _).
  apply mt_keeps_its_contract.
Qed.

Theorem mt_returns_the_truth : forall tests m ts d p γ g,
  eventually G ([], map test_of tests) (m, ts) ->
  In (promising (contract (f G d p) γ) (Ret g)) ts -> contract (f G d p) γ g.
Proof.
  intros qs m ts d p γ g E I.
  apply (every_return_keeps_its_promise G _ _ _ _ _ (contract (f G d p) γ) g E); [intros ? ? ? []| | exact I].
  apply Forall_forall. intros t It. apply in_map_iff in It. destruct It as ([[d' p'] γ'] & <- & _).
  apply mt_keeps_its_contract.
Qed.

End Mt.

(** ** Equal depth is required *)

(** A position with one move. Its evaluation is 10, and 0 once the move is played. *)
Definition trap : game := {|
  pos := bool;
  children := fun p => if p then [(true, false)] else [];
  leaf := fun _ p => if p then 10 else 0;
  ages := emtee_ageing
|}.

(** A memory whose entries are true, but which also returns bounds of another depth. *)
Definition with_bounds {G : game} {A : Type} (m : prog G A) (b : bounds) : prog G A :=
  match m with Retrieve _ _ k => k b | _ => m end.

Theorem another_depth_may_be_wrong : forall d d', (d = 0%nat /\ d' = 1%nat) \/ (d = 1%nat /\ d' = 0%nat) ->
  exists b, holds b (f trap d' (true : pos trap)) /\
  ~ keeps (truthful trap) (contract (f trap d (true : pos trap)) 5) (with_bounds (mt trap d (true : pos trap) 5) b).
Proof.
  intros d d' [[-> ->]|[-> ->]].
  - exists (exactly 0); split; [apply exactly_holds|]. intros H.
    specialize (H false). change (contract 10 5 0) in H. destruct H; lia.
  - exists (exactly 10); split; [apply exactly_holds|]. intros H.
    specialize (H false). change (contract 0 5 10) in H. destruct H; lia.
Qed.
