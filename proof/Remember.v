(** What a memory that forgets nothing holds for a refined tree, and what it answers. *)

From Coq Require Import ZArith Lia List Bool Arith.
Require Import Value Game Program Mt Window Relations Stockman Order Refine.
Import ListNotations.
Open Scope Z_scope.

Section Remember.
Variable G : game.

(** A memory of the nodes of the tree that keeps everything. *)
Definition forgets_nothing (M : memory (paths G)) : Prop :=
  (forall t d π p b, get M (put M t d (π, p) b) d (π, p) = b) /\
  (forall t d π p b d' ρ q, ρ <> π -> get M (put M t d (π, p) b) d' (ρ, q) = get M t d' (ρ, q)).

Definition knows_nothing (M : memory (paths G)) (t : table M) : Prop := forall d q, get M t d q = unknown.

(** Such a memory: a function from paths to bounds. *)
Definition path_memory : memory (paths G) :=
  Build_memory (paths G) (list nat -> bounds) (fun t _ q => t (fst q))
    (fun t _ q b ρ => if list_eq_dec Nat.eq_dec ρ (fst q) then b else t ρ).

Lemma path_memory_forgets_nothing : forgets_nothing path_memory.
Proof.
  split; simpl; intros.
  - destruct (list_eq_dec Nat.eq_dec π π); congruence.
  - destruct (list_eq_dec Nat.eq_dec ρ π); congruence.
Qed.

Lemma path_memory_empty : knows_nothing path_memory (fun _ => unknown).
Proof. intros d q; reflexivity. Qed.

(** The leaves evaluated, the latest first. *)
Fixpoint evaluations (log : list (event (paths G))) : list (list nat) :=
  match log with
  | [] => []
  | Evaluated _ q :: r => fst q :: evaluations r
  | _ :: r => evaluations r
  end.

(** ** Values as the root sees them *)

Notation view := (view G).
Notation turn := (turn G).

Lemma age_opp : forall v, age (ages G) (- v) = - age (ages G) v.
Proof.
  intros v.
  assert (E : forall γ, γ <= age (ages G) (- v) <-> γ <= - age (ages G) v).
  { intros γ. rewrite (age_unage (ages G)), (age_unage_mirror (ages G)). reflexivity. }
  pose proof (E (age (ages G) (- v))). pose proof (E (- age (ages G) v)). lia.
Qed.

Lemma aged_opp : forall n v, aged G n (- v) = - aged G n v.
Proof. induction n as [|n IH]; intros v; simpl; [reflexivity|]. rewrite age_opp. apply IH. Qed.

Lemma aged_order : forall n v w, v <= w -> aged G n v <= aged G n w.
Proof. induction n as [|n IH]; intros v w L; simpl; [exact L|]. apply IH, (back_order (ages G) true), L. Qed.

Lemma view_child : forall n mx (c : child G) v, view (S n) (turn mx c) v = view n mx (from_child G c v).
Proof.
  intros n mx c v. unfold Refine.view, Refine.turn, from_child, to_parent; simpl.
  destruct (fst c), mx; simpl; rewrite ?aged_opp; lia.
Qed.

(** What γ at the root is at a node. *)
Definition gamma_at (n : nat) (mx : bool) (γ γ' : Z) : Prop :=
  forall v, γ <= view n mx v <-> if mx then γ' <= v else v < γ'.

Lemma gamma_at_child : forall n mx γ γ' (c : child G), gamma_at n mx γ γ' -> gamma_at (S n) (turn mx c) γ (child_gamma G c γ').
Proof.
  intros n mx γ γ' c A v. rewrite view_child, (A (from_child G c v)).
  pose proof (to_parent_to_child (ages G) (fst c) v γ') as E. unfold from_child, child_gamma, Refine.turn.
  destruct mx, (fst c); simpl in *; lia.
Qed.

(** ** What the memory holds for a tree *)

Variable M : memory (paths G).
Hypothesis Keeps : forgets_nothing M.

Definition root_upper (mx : bool) (b : bounds) : option Z := if mx then upper b else lower b.
Definition root_lower (mx : bool) (b : bounds) : option Z := if mx then lower b else upper b.

(** An upper bound and no other. *)
Definition low_entry (n : nat) (mx : bool) (b : bounds) (u : Z) : Prop :=
  root_lower mx b = None /\ exists g, root_upper mx b = Some g /\ view n mx g = u.

(** A bound that decides γ and every smaller γ. *)
Definition high_entry (γ : Z) (n : nat) (mx : bool) (b : bounds) : Prop :=
  (exists l, root_lower mx b = Some l /\ γ <= view n mx l) /\ (forall u, root_upper mx b = Some u -> γ <= view n mx u).

Fixpoint remembered (t : table M) (γ : Z) (d : nat) (π : list nat) (q : pos G) (mx : bool) (a : ann) {struct d}
  : Prop :=
  match a with
  | Unseen => forall d' x q', get M t d' (π ++ x, q') = unknown
  | High => high_entry γ (length π) mx (get M t d (π, q))
  | LeafLow v => exists v', get M t d (π, q) = exactly v' /\ view (length π) mx v' = v
  | MaxLow u l | MinLow u l =>
    low_entry (length π) mx (get M t d (π, q)) u /\
    match d with
    | O => False
    | S d' => each (fun i c => remembered t γ d' (π ++ [i]) (snd c) (turn mx c)) 0 (children G q) l
    end
  end.

Lemma remembered_same : forall t t' γ d π q mx a,
  (forall d' ρ q', starts_with ρ π = true -> get M t' d' (ρ, q') = get M t d' (ρ, q')) ->
  remembered t γ d π q mx a -> remembered t' γ d π q mx a.
Proof.
  intros t t' γ. induction d as [|d IH]; intros π q mx a S R;
    assert (Sπ := fun d' => S d' π q (starts_with_refl π)).
  - destruct a; simpl in *; rewrite ?Sπ; try tauto.
    intros d' x q'. rewrite S; [apply R | apply starts_with_spec; eauto].
  - assert (Below : forall i cs l, each (fun i c => remembered t γ d (π ++ [i]) (snd c) (turn mx c)) i cs l ->
      each (fun i c => remembered t' γ d (π ++ [i]) (snd c) (turn mx c)) i cs l).
    { intros i cs l E. eapply each_impl; [|exact E]. simpl. intros j x y _ _ _. apply IH.
      intros d' ρ q' St. apply S. eapply starts_with_below; exact St. }
    destruct a; simpl in *; rewrite ?Sπ; try tauto.
    + intros d' x q'. rewrite S; [apply R | apply starts_with_spec; eauto].
    + destruct R as [R1 R2]; auto.
    + destruct R as [R1 R2]; auto.
Qed.

Lemma remembered_less : forall t γ γ' d π q mx a, γ' <= γ -> remembered t γ d π q mx a -> remembered t γ' d π q mx a.
Proof.
  intros t γ γ' d π q mx a L. revert π q mx a.
  assert (He : forall n mx b, high_entry γ n mx b -> high_entry γ' n mx b).
  { intros n mx b [(l & E & V) U]. split; [exists l; split; [exact E | lia]|]. intros u Eu. specialize (U u Eu). lia. }
  induction d as [|d IH]; intros π q mx a R; destruct a; simpl in *; auto; destruct R as [R1 R2]; split; auto;
    (eapply each_impl; [|exact R2]); simpl; intros; apply IH; assumption.
Qed.

(** Only the nodes below π are touched. *)
Definition elsewhere (π : list nat) (t t' : table M) : Prop :=
  forall d ρ q, starts_with ρ π = false -> get M t' d (ρ, q) = get M t d (ρ, q).

(** Only the children from i on, and what is below them. *)
Definition elsewhere_from (π : list nat) (i : nat) (t t' : table M) : Prop :=
  forall d ρ q, (forall j, (i <= j)%nat -> starts_with ρ (π ++ [j]) = false) -> get M t' d (ρ, q) = get M t d (ρ, q).

Lemma brother_same : forall π i j t t' γ d q mx a, i <> j -> elsewhere (π ++ [i]) t t' ->
  remembered t γ d (π ++ [j]) q mx a -> remembered t' γ d (π ++ [j]) q mx a.
Proof.
  intros π i j t t' γ d q mx a N E. apply remembered_same. intros d' ρ q' St. apply E.
  apply below_brother in St. destruct St as [x ->]. apply starts_with_brother; exact N.
Qed.

Lemma elder_same : forall π i t t' γ d q mx a, elsewhere_from π (S i) t t' ->
  remembered t γ d (π ++ [i]) q mx a -> remembered t' γ d (π ++ [i]) q mx a.
Proof.
  intros π i t t' γ d q mx a E. apply remembered_same. intros d' ρ q' St. apply E.
  intros j L. apply below_brother in St. destruct St as [x ->]. apply starts_with_brother. lia.
Qed.

Lemma elsewhere_trans : forall π i t t' t'', elsewhere (π ++ [i]) t t' -> elsewhere_from π (S i) t' t'' ->
  elsewhere_from π i t t''.
Proof.
  intros π i t t' t'' E1 E2 d ρ q H. rewrite E2; [apply E1, H; lia|]. intros j L. apply H. lia.
Qed.

Lemma elsewhere_one : forall π i t t', elsewhere (π ++ [i]) t t' -> elsewhere_from π i t t'.
Proof. intros π i t t' E d ρ q H. apply E, H. lia. Qed.

Lemma below_path : forall ρ π i, starts_with ρ (π ++ [i]) = true -> ρ <> π.
Proof.
  intros ρ π i S ->. apply starts_with_spec in S. destruct S as [x E].
  assert (L : length π = length ((π ++ [i]) ++ x)) by (rewrite <- E; reflexivity).
  rewrite !app_length in L. simpl in L. lia.
Qed.

(** ** What a visit stores *)

Lemma low_narrowed : forall n mx γ γ' b w, gamma_at n mx γ γ' -> root_lower mx b = None -> view n mx w < γ ->
  low_entry n mx (narrowed b γ' γ' w) (view n mx w).
Proof.
  intros n mx γ γ' b w A N L. specialize (A w). unfold low_entry, root_lower, root_upper, narrowed in *.
  destruct mx; simpl in *; destruct (Z.leb_spec γ' w), (Z.ltb_spec w γ'); try lia; eauto.
Qed.

Lemma high_narrowed : forall n mx γ γ' b w, gamma_at n mx γ γ' ->
  (forall u, root_upper mx b = Some u -> γ <= view n mx u) -> γ <= view n mx w ->
  high_entry γ n mx (narrowed b γ' γ' w).
Proof.
  intros n mx γ γ' b w A U L. specialize (A w). unfold high_entry, root_lower, root_upper, narrowed in *.
  destruct mx; simpl in *; destruct (Z.leb_spec γ' w), (Z.ltb_spec w γ'); try lia; eauto.
Qed.

Lemma put_below : forall t d π p b γ d' i q mx a,
  remembered t γ d' (π ++ [i]) q mx a -> remembered (put M t d (π, p) b) γ d' (π ++ [i]) q mx a.
Proof.
  intros t d π p b γ d' i q mx a. apply remembered_same. intros d'' ρ q' St.
  apply (proj2 Keeps). eapply below_path; exact St.
Qed.

Lemma put_elsewhere : forall t t' d π p b, elsewhere_from π 0 t t' -> elsewhere π t (put M t' d (π, p) b).
Proof.
  intros t t' d π p b E d' ρ q St. rewrite (proj2 Keeps).
  - apply E. intros j _. destruct (starts_with ρ (π ++ [j])) eqn:S; [|reflexivity].
    apply starts_with_below in S. congruence.
  - intros ->. rewrite starts_with_refl in St. discriminate.
Qed.

(** ** What the memory answers *)

Lemma answered_low : forall n mx γ γ' b u, gamma_at n mx γ γ' -> low_entry n mx b u -> u < γ ->
  exists g, answered b γ' = Some g /\ view n mx g = u.
Proof.
  intros n mx γ γ' b u A [N (g & E & V)] L. exists g. split; [|exact V]. specialize (A g).
  unfold answered, root_lower, root_upper in *. destruct mx; rewrite N, E || rewrite E.
  - destruct (Z.ltb_spec g γ'); [reflexivity | lia].
  - destruct (Z.leb_spec γ' g); [reflexivity | lia].
Qed.

Lemma answered_high : forall n mx γ γ' b, gamma_at n mx γ γ' -> high_entry γ n mx b ->
  exists g, answered b γ' = Some g /\ γ <= view n mx g.
Proof.
  intros n mx γ γ' b A [(g & E & V) U]. exists g. split; [|exact V]. pose proof (A g) as Ag.
  unfold answered, root_lower, root_upper in *. destruct mx; rewrite E; cbv iota in Ag.
  - destruct (Z.leb_spec γ' g); [reflexivity | lia].
  - destruct (lower b) as [u|]; [specialize (U u eq_refl); specialize (A u); cbv iota in A;
      destruct (Z.leb_spec γ' u); [lia|]|];
      (destruct (Z.ltb_spec g γ'); [reflexivity | lia]).
Qed.

Lemma not_answered : forall n mx γ γ' b, gamma_at n mx γ γ' -> root_lower mx b = None ->
  (forall u, root_upper mx b = Some u -> γ <= view n mx u) -> answered b γ' = None.
Proof.
  intros n mx γ γ' b A N U. unfold answered, root_lower, root_upper in *. destruct mx; rewrite N.
  - destruct (upper b) as [u|]; [|reflexivity]. specialize (U u eq_refl). specialize (A u). cbv iota in A.
    destruct (Z.ltb_spec u γ'); [lia | reflexivity].
  - destruct (lower b) as [u|]; [|reflexivity]. specialize (U u eq_refl). specialize (A u). cbv iota in A.
    destruct (Z.leb_spec γ' u); [lia | reflexivity].
Qed.

Lemma answered_exactly : forall v γ', answered (exactly v) γ' = Some v.
Proof.
  intros v γ'. unfold answered; simpl. destruct (Z.leb_spec γ' v), (Z.ltb_spec v γ'); try reflexivity; lia.
Qed.

End Remember.
