(** Stockman's OPEN list is the frontier of the refined tree. *)

From Coq Require Import ZArith Lia List Bool Arith Permutation.
Require Import Value Game Stockman Order Refine.
Import ListNotations.
Open Scope Z_scope.

(** ** The states of a tree *)

Definition live (m : option Z) (π : list nat) : state := {| merit := m; path := π; solved := false |}.
Definition done (m : option Z) (π : list nat) : state := {| merit := m; path := π; solved := true |}.

(** What OPEN holds for a node: if nothing is known, the live node; if it has failed high with the present merit, the
    solved node; else the leaves of the max solution tree below it. *)
Fixpoint open_of (m : option Z) (π : list nat) (a : ann) {struct a} : list state :=
  match a with
  | Unseen => [live m π]
  | High => [done m π]
  | LeafLow v => [done (Some v) π]
  | MaxLow _ l =>
    (fix opens (i : nat) (l : list ann) : list state :=
       match l with [] => [] | a :: r => open_of m (π ++ [i]) a ++ opens (S i) r end) O l
  | MinLow _ l =>
    (fix first_open (i : nat) (l : list ann) : list state :=
       match l with
       | [] => [done m π]
       | a :: r => match a with High => first_open (S i) r | _ => open_of m (π ++ [i]) a end
       end) O l
  end.

Fixpoint opens (m : option Z) (π : list nat) (i : nat) (l : list ann) : list state :=
  match l with [] => [] | a :: r => open_of m (π ++ [i]) a ++ opens m π (S i) r end.

Fixpoint first_open (m : option Z) (π : list nat) (i : nat) (l : list ann) : list state :=
  match l with
  | [] => [done m π]
  | a :: r => match a with High => first_open m π (S i) r | _ => open_of m (π ++ [i]) a end
  end.

Lemma open_max : forall m π u l, open_of m π (MaxLow u l) = opens m π 0 l.
Proof.
  intros m π u l. simpl. generalize 0%nat. induction l as [|a l IH]; intros i; simpl; [reflexivity|].
  rewrite IH. reflexivity.
Qed.

Lemma open_min : forall m π u l, open_of m π (MinLow u l) = first_open m π 0 l.
Proof.
  intros m π u l. simpl. generalize 0%nat. induction l as [|a l IH]; intros i; simpl; [reflexivity|].
  destruct a; reflexivity || apply IH.
Qed.

Lemma first_open_not_high : forall m π i a r, is_high a = false -> first_open m π i (a :: r) = open_of m (π ++ [i]) a.
Proof. intros m π i [| | | |] r H; simpl in *; reflexivity || discriminate. Qed.

Section Frontier.
Variable G : game.
Variables (d0 : nat) (p0 : pos G) (mx0 : bool) (lo hi : Z).

Notation at_path π := (walk G d0 p0 mx0 π).
Notation wf := (wf G lo).
Notation turn := (turn G).

(** Below π, and with the merit m for what is not low, or a value for what is. *)
Definition state_of (m : option Z) (π : list nat) (a : ann) (r : state) : Prop :=
  starts_with (path r) π = true /\
  (merit r = m /\ ~ is_low a \/ exists v, merit r = Some v /\ v <= worth a /\ is_low a).

Lemma first_open_in : forall (d : nat) (π : list nat) m u l i cs r,
  shape u l ->
  each (fun j (c : child G) a => forall r, In r (open_of m (π ++ [j]) a) -> state_of m (π ++ [j]) a r) i cs l ->
  In r (first_open m π i l) -> starts_with (path r) π = true /\ exists v, merit r = Some v /\ v <= u.
Proof.
  intros d π m u. induction l as [|a l IH]; intros i [|c cs] r S E I; simpl in S, E; try tauto.
  destruct E as [E1 E2]. destruct (is_high a) eqn:H.
  - destruct a; try discriminate. simpl in I. eapply IH; eassumption.
  - rewrite first_open_not_high in I by exact H. destruct (E1 r I) as [A Bd].
    split; [eapply starts_with_below; exact A|].
    assert (L : is_low a /\ worth a = u) by (destruct a; simpl in *; tauto || discriminate).
    destruct L as [L <-]. destruct Bd as [[_ N]|(v & M & V & _)]; [tauto | eauto].
Qed.

Lemma opens_in : forall (π : list nat) m l i cs r,
  each (fun j (c : child G) a => forall r, In r (open_of m (π ++ [j]) a) -> state_of m (π ++ [j]) a r) i cs l ->
  In r (opens m π i l) -> exists j a, (i <= j)%nat /\ In a l /\ state_of m (π ++ [j]) a r.
Proof.
  intros π m. induction l as [|a l IH]; intros i [|c cs] r E I; simpl in E; try contradiction.
  destruct E as [E1 E2]. simpl in I. apply in_app_or in I. destruct I as [I|I].
  - exists i, a. split; [lia|]. split; [left; reflexivity | apply E1; exact I].
  - destruct (IH _ _ _ E2 I) as (j & b & L & J & St). exists j, b. split; [lia|]. split; [right; exact J | exact St].
Qed.

Lemma open_in : forall d q mx a m π r, wf d q mx a -> In r (open_of m π a) -> state_of m π a r.
Proof.
  induction d as [|d IH]; intros q mx a m π r W I; destruct a as [| |v|u l|u l]; simpl in W; try tauto;
    try (destruct I as [<-|[]]; split; [apply starts_with_refl|]; simpl; auto; fail);
    try (destruct I as [<-|[]]; split; [apply starts_with_refl|]; right; exists v; simpl; repeat split; lia).
  - rewrite open_max in I. destruct W as (_ & F & T & E).
    destruct (opens_in π m l 0 (children G q) r) as (j & a & _ & Ia & [S M]).
    + eapply each_impl; [|exact E]. simpl. intros j c a _ _ _ Wa r' Ir. eapply IH; eassumption.
    + exact I.
    + split; [eapply starts_with_below; exact S|]. rewrite Forall_forall in F. specialize (F a Ia).
      destruct M as [[_ N]|(v & M & V & _)]; [tauto|]. right; exists v; repeat split; auto.
      destruct (top_bounds _ _ _ T) as (_ & Bd & _). specialize (Bd a Ia). simpl; lia.
  - rewrite open_min in I. destruct W as (_ & Sh & E).
    destruct (first_open_in d π m u l 0 (children G q) r Sh) as [S (v & M & V)].
    + eapply each_impl; [|exact E]. simpl. intros j c a _ _ _ Wa r' Ir. eapply IH; eassumption.
    + exact I.
    + split; [exact S|]. right; exists v; repeat split; auto.
Qed.

(** The states of what is low do not depend on the merit. *)
Lemma open_of_low : forall d q mx a m m' π, wf d q mx a -> is_low a -> open_of m π a = open_of m' π a.
Proof.
  induction d as [|d IH]; intros q mx a m m' π W L; destruct a as [| |v|u l|u l]; simpl in W, L; try contradiction;
    try tauto;
    try reflexivity.
  - destruct W as (_ & F & _ & E). rewrite !open_max. revert E F. generalize 0%nat. generalize (children G q).
    clear - IH. induction l as [|a l IHl]; intros cs i E F; [reflexivity|].
    destruct cs as [|c cs]; simpl in E; [tauto|]. destruct E as [E1 E2]. inversion F; subst. simpl.
    f_equal; [eapply IH; eassumption | eapply IHl; eassumption].
  - destruct W as (_ & S & E). rewrite !open_min. revert E S. generalize 0%nat. generalize (children G q).
    clear - IH. induction l as [|a l IHl]; intros cs i E S; [simpl in S; tauto|].
    destruct cs as [|c cs]; simpl in E; [tauto|]. destruct E as [E1 E2].
    destruct (is_high a) eqn:H.
    + destruct a; try discriminate. simpl in *. eapply IHl; eassumption.
    + rewrite !first_open_not_high by exact H. eapply IH; [exact E1|]. destruct a; simpl in *; tauto || discriminate.
Qed.

(** ** Steps of the Γ operator *)

Definition steps (O : list state) (log : list (list nat)) (O' : list state) (log' : list (list nat)) : Prop :=
  exists n, forall k, gamma_operator G (n + k) d0 p0 mx0 O log = gamma_operator G k d0 p0 mx0 O' log'.

(** The same, of what OPEN holds. *)
Definition reach (S : list state) (log : list (list nat)) (S' : list state) (log' : list (list nat)) : Prop :=
  forall O, holds_states O S -> exists O', holds_states O' S' /\ steps O log O' log'.

Lemma reach_perm : forall S S' log, Permutation S S' -> reach S log S' log.
Proof.
  intros S S' log P O [So PO]. exists O. split; [split; [exact So | etransitivity; eassumption]|].
  exists 0%nat. reflexivity.
Qed.

Lemma reach_trans : forall S1 S2 S3 l1 l2 l3, reach S1 l1 S2 l2 -> reach S2 l2 S3 l3 -> reach S1 l1 S3 l3.
Proof.
  intros S1 S2 S3 l1 l2 l3 R1 R2 O H. destruct (R1 O H) as (O2 & H2 & n1 & E1).
  destruct (R2 O2 H2) as (O3 & H3 & n2 & E2).
  exists O3; split; [exact H3|]. exists (n1 + n2)%nat. intros k. rewrite <- Nat.add_assoc, E1, E2. reflexivity.
Qed.

(** A state that comes after all states of merit m at or below π. *)
Definition after (m : option Z) (π : list nat) (r : state) : Prop :=
  starts_with (path r) π = false /\
  (greater_merit m (merit r) = true \/ (merit r = m /\ left_of π (path r) = true)).

Lemma after_before : forall m π r b, after m π r -> before {| merit := m; path := π; solved := b |} r = true.
Proof. intros m π r b [_ H]. apply before_spec. simpl. destruct H as [H|[H1 H2]]; auto. Qed.

Lemma after_below : forall m π r x, after m π r -> after m (π ++ x) r.
Proof.
  intros m π r x [S H]. split.
  - destruct (starts_with (path r) (π ++ x)) eqn:E; [|reflexivity]. apply starts_with_below in E. congruence.
  - destruct H as [H|[H1 H2]]; auto. right; split; [exact H1|]. apply left_of_below; assumption.
Qed.

(** One step, which removes the first state. *)
Lemma reach_step : forall s S log S' log',
  (forall r, In r S -> before s r = true) ->
  (forall rest, holds_states rest S -> exists O', holds_states O' S' /\
    forall k, gamma_operator G (Datatypes.S k) d0 p0 mx0 (s :: rest) log = gamma_operator G k d0 p0 mx0 O' log') ->
  reach (s :: S) log S' log'.
Proof.
  intros s S log S' log' Bf H O HO. destruct (head_of_open s S O HO Bf) as (rest & -> & HR).
  destruct (H rest HR) as (O' & HO' & E). exists O'; split; [exact HO'|]. exists 1%nat. exact E.
Qed.

Lemma live_leaf : forall m π d q mx R log, at_path π = Some (d, q, mx) -> d = O \/ children G q = [] ->
  (forall r, In r R -> after m π r) ->
  reach (live m π :: R) log (done (Some (least m (view G (length π) mx (leaf G d q)))) π :: R) (π :: log).
Proof.
  intros m π d q mx R log W L A. apply reach_step; [intros r I; apply after_before, A, I|].
  intros rest HR. eexists; split; [apply insert_states; exact HR|].
  intros k. cbn [gamma_operator solved live path]. rewrite W.
  destruct L as [->|Cs]; [reflexivity|]. destruct d; [reflexivity|]. rewrite Cs. reflexivity.
Qed.

Lemma live_max : forall m π d q R log, at_path π = Some (S d, q, true) -> children G q <> [] ->
  (forall r, In r R -> after m π r) ->
  reach (live m π :: R) log (opens m π 0 (unseen G (children G q)) ++ R) log.
Proof.
  intros m π d q R log W Cs A. apply reach_step; [intros r I; apply after_before, A, I|].
  intros rest HR.
  exists (fold_right (fun i open => insert (live m (π ++ [i])) open) rest (seq 0 (length (children G q)))). split.
  - clear Cs. generalize 0%nat. generalize (children G q). induction l as [|c cs IH]; intros i; simpl; [exact HR|].
    apply insert_states. apply IH.
  - intros k. cbn [gamma_operator solved live path]. rewrite W.
    destruct (children G q) as [|c cs]; [congruence|]. reflexivity.
Qed.

Lemma live_min : forall m π d q R log, at_path π = Some (S d, q, false) -> children G q <> [] ->
  (forall r, In r R -> after m π r) ->
  reach (live m π :: R) log (live m (π ++ [0%nat]) :: R) log.
Proof.
  intros m π d q R log W Cs A. apply reach_step; [intros r I; apply after_before, A, I|].
  intros rest HR. eexists; split; [apply insert_states; exact HR|].
  intros k. cbn [gamma_operator solved live path]. rewrite W.
  destruct (children G q) as [|c cs]; [congruence|]. reflexivity.
Qed.

Lemma done_max : forall m π i d q R log, at_path π = Some (d, q, true) ->
  (forall r, In r R -> after m (π ++ [i]) r) ->
  reach (done m (π ++ [i]) :: R) log (done m π :: purge π R) log.
Proof.
  intros m π i d q R log W A. apply reach_step; [intros r I; apply after_before, A, I|].
  intros rest HR. eexists; split; [apply insert_states, purge_states; exact HR|].
  intros k. cbn [gamma_operator solved done path]. rewrite rev_app_distr. cbn [rev app]. rewrite rev_involutive, W.
  reflexivity.
Qed.

Lemma done_min : forall m π i d q R log, at_path π = Some (d, q, false) ->
  (forall r, In r R -> after m (π ++ [i]) r) ->
  reach (done m (π ++ [i]) :: R) log
    ((if Nat.ltb (S i) (length (children G q)) then live m (π ++ [S i]) else done m π) :: R) log.
Proof.
  intros m π i d q R log W A. apply reach_step; [intros r I; apply after_before, A, I|].
  intros rest HR. eexists; split; [apply insert_states; exact HR|].
  intros k. cbn [gamma_operator solved done path]. rewrite rev_app_distr. cbn [rev app]. rewrite rev_involutive, W.
  destruct (Nat.ltb (S i) (length (children G q))); reflexivity.
Qed.

(** ** Γ refines the tree *)

(** The merit of the first pass is +∞, which is more than any value; later it is the value of the tree. *)
Definition merit_is (m : option Z) (γ : Z) : Prop := m = Some γ \/ m = None /\ γ = hi.

Definition fitting (m : option Z) (γ : Z) (a : ann) : Prop :=
  is_low a -> worth a < γ \/ worth a = γ /\ m = Some γ.

Lemma merit_greater : forall m γ v, merit_is m γ -> v < γ -> greater_merit m (Some v) = true.
Proof. intros m γ v [->|[-> _]] L; simpl; [apply Z.ltb_lt; exact L | reflexivity]. Qed.

Lemma state_merit : forall m γ π a r, merit_is m γ -> fitting m γ a -> state_of m π a r ->
  greater_merit m (merit r) = true \/ merit r = m.
Proof.
  intros m γ π a r M F [_ [[E _]|(v & E & V & L)]]; [auto|]. rewrite E.
  destruct (Z.lt_ge_cases v γ) as [Lt|Ge]; [left; eapply merit_greater; eassumption|].
  destruct (F L) as [X|[X Y]]; [lia|]. right. rewrite Y. f_equal. lia.
Qed.

Lemma state_low_merit : forall m γ π a r, merit_is m γ -> is_low a -> worth a < γ -> state_of m π a r ->
  greater_merit m (merit r) = true.
Proof.
  intros m γ π a r M L W [_ [[_ N]|(v & E & V & _)]]; [tauto|]. rewrite E. eapply merit_greater; [exact M | lia].
Qed.

Lemma purge_app : forall π O S, purge π (O ++ S) = purge π O ++ purge π S.
Proof. intros; apply filter_app. Qed.

Lemma purge_all : forall π O, (forall r, In r O -> starts_with (path r) π = true) -> purge π O = [].
Proof.
  induction O as [|r O IH]; intros H; simpl; [reflexivity|]. rewrite (H r (or_introl eq_refl)). simpl.
  apply IH. intros; apply H; right; assumption.
Qed.

Lemma purge_none : forall m π R, (forall r, In r R -> after m π r) -> purge π R = R.
Proof.
  induction R as [|r R IH]; intros H; simpl; [reflexivity|]. rewrite (proj1 (H r (or_introl eq_refl))). simpl.
  f_equal. apply IH. intros; apply H; right; assumption.
Qed.

Section Children.
Hypothesis B : leaves_between G d0 p0 mx0 lo hi.
Variables (m : option Z) (γ : Z) (d : nat).
Hypothesis M : merit_is m γ.

Definition refines (d : nat) : Prop := forall q mx π a log R, at_path π = Some (d, q, mx) -> wf d q mx a ->
  fitting m γ a ->
  (forall r, In r R -> after m π r) ->
  reach (open_of m π a ++ R) log (open_of m π (fst (visit G γ d q mx π a)) ++ R)
    (rev (snd (visit G γ d q mx π a)) ++ log).

Hypothesis IH : refines d.

Definition ready (q : pos G) (mx : bool) (i : nat) (c : child G) (a : ann) : Prop :=
  nth_error (children G q) i = Some c /\ wf d (snd c) (turn mx c) a /\ fitting m γ a.

Lemma max_refines : forall q π, at_path π = Some (S d, q, true) -> forall cs l i R log,
  each (ready q true) i cs l -> (forall r j, In r R -> (i <= j)%nat -> after m (π ++ [j]) r) ->
  let x := all_low G (child_visit G γ d true π) i cs l in
  reach (opens m π i l ++ R) log
    (match fst x with Some l' => opens m π i l' ++ R | None => done m π :: purge π R end) (rev (snd x) ++ log).
Proof.
  intros q π W. induction cs as [|c cs IHcs]; intros [|a l] i R log E A; simpl in E; try contradiction.
  - simpl. apply reach_perm. reflexivity.
  - destruct E as [(N & Wa & Fa) E].
    assert (Wc : at_path (π ++ [i]) = Some (d, snd c, turn true c)) by (eapply walk_child; eassumption).
    assert (Brothers : forall r, In r (opens m π (S i) l) ->
      exists j, (S i <= j)%nat /\ starts_with (path r) (π ++ [j]) = true /\
        (greater_merit m (merit r) = true \/ merit r = m)).
    { intros r I. destruct (opens_in π m l (S i) cs r) as (j & b & L & Ib & St).
      - eapply each_impl; [|exact E]. intros j x y _ _ _ (_ & Wy & _) r' Ir. eapply open_in; eassumption.
      - exact I.
      - exists j. split; [exact L|]. split; [exact (proj1 St)|].
        destruct (each_in _ _ _ _ _ _ _ E Ib) as (_ & c' & _ & (_ & _ & Fb)). eapply state_merit; eassumption. }
    assert (A1 : forall r, In r (opens m π (S i) l ++ R) -> after m (π ++ [i]) r).
    { intros r I. apply in_app_or in I. destruct I as [I|I]; [|apply A; auto].
      destruct (Brothers r I) as (j & L & S & Mr). apply below_brother in S. destruct S as [x Px]. split.
      - rewrite Px. apply starts_with_brother. lia.
      - destruct Mr as [Mr|Mr]; [left; exact Mr|]. right; split; [exact Mr|]. rewrite Px. apply left_of_brother. lia. }
    pose proof (IH (snd c) (turn true c) (π ++ [i]) a log (opens m π (S i) l ++ R) Wc Wa Fa A1) as Step.
    pose proof (visit_wf G d0 p0 mx0 lo hi B γ d (snd c) (turn true c) (π ++ [i]) a Wc Wa) as V.
    change (visit G γ d (snd c) (turn true c) (π ++ [i]) a) with (child_visit G γ d true π i c a) in Step, V.
    simpl all_low. destruct (child_visit G γ d true π i c a) as [a' e]. simpl in V, Step.
    simpl opens. rewrite <- app_assoc. destruct (is_high a') eqn:H.
    + destruct a'; try discriminate. simpl in Step |- *. eapply reach_trans; [exact Step|].
      eapply reach_trans; [eapply done_max; [exact W | exact A1]|].
      rewrite purge_app, purge_all; [apply reach_perm; reflexivity|].
      intros r I. destruct (Brothers r I) as (j & _ & S & _). eapply starts_with_below; exact S.
    + destruct V as [Wa' [V|[La' Va']]]; [congruence|].
      assert (Own : forall r, In r (open_of m (π ++ [i]) a') ->
        starts_with (path r) (π ++ [i]) = true /\ greater_merit m (merit r) = true).
      { intros r I. pose proof (open_in _ _ _ _ _ _ _ Wa' I) as St. split; [exact (proj1 St)|].
        eapply state_low_merit; eassumption. }
      assert (A2 : forall r j, In r (open_of m (π ++ [i]) a' ++ R) -> (S i <= j)%nat -> after m (π ++ [j]) r).
      { intros r j I L. apply in_app_or in I. destruct I as [I|I]; [|apply A; [exact I | lia]].
        destruct (Own r I) as [S Mr]. apply below_brother in S. destruct S as [x Px]. split; [|left; exact Mr].
        rewrite Px. apply starts_with_brother. lia. }
      specialize (IHcs l (S i) (open_of m (π ++ [i]) a' ++ R) (rev e ++ log) E A2).
      destruct (all_low G (child_visit G γ d true π) (S i) cs l) as [r e']. simpl in IHcs.
      simpl. rewrite rev_app_distr, <- app_assoc.
      eapply reach_trans; [exact Step|]. eapply reach_trans; [|eapply reach_trans; [exact IHcs|]].
      * apply reach_perm. apply Permutation_app_swap_app.
      * destruct r as [l'|]; simpl.
        -- apply reach_perm. rewrite <- app_assoc. apply Permutation_app_swap_app.
        -- rewrite purge_app, purge_all; [apply reach_perm; reflexivity|].
           intros r I. eapply starts_with_below. apply Own; exact I.
Qed.

Lemma min_refines : forall q π, at_path π = Some (S d, q, false) -> forall cs l i R log,
  each (ready q false) i cs l -> in_turn l -> (i + length cs = length (children G q))%nat ->
  (forall r, In r R -> after m π r) ->
  let x := one_low G (child_visit G γ d false π) i cs l in
  reach (first_open m π i l ++ R) log
    (match fst x with Some (_, l') => first_open m π i l' | None => [done m π] end ++ R) (rev (snd x) ++ log).
Proof.
  intros q π W. induction cs as [|c cs IHcs]; intros [|a l] i R log E T Len A; simpl in E; try contradiction.
  - simpl. apply reach_perm. reflexivity.
  - destruct E as [(N & Wa & Fa) E].
    assert (Wc : at_path (π ++ [i]) = Some (d, snd c, turn false c)) by (eapply walk_child; eassumption).
    assert (A1 : forall r, In r R -> after m (π ++ [i]) r) by (intros; apply after_below; auto).
    assert (T' : in_turn l) by (destruct a; simpl in T; auto using unseen_in_turn).
    assert (Len' : (S i + length cs = length (children G q))%nat) by (simpl in Len; lia).
    destruct (is_high a) eqn:Ha.
    + destruct a; try discriminate. specialize (IHcs l (S i) R log E T' Len' A).
      pose proof (visit_high G γ d (snd c) (turn false c) (π ++ [i])) as Vh.
      change (visit G γ d (snd c) (turn false c) (π ++ [i]) High) with (child_visit G γ d false π i c High) in Vh.
      simpl. rewrite Vh. simpl.
      destruct (one_low G (child_visit G γ d false π) (S i) cs l) as [[[u l']|] e']; exact IHcs.
    + rewrite first_open_not_high by exact Ha.
      pose proof (IH (snd c) (turn false c) (π ++ [i]) a log R Wc Wa Fa A1) as Step.
      change (visit G γ d (snd c) (turn false c) (π ++ [i]) a) with (child_visit G γ d false π i c a) in Step.
      simpl one_low. destruct (child_visit G γ d false π i c a) as [a' e]. simpl in Step.
      destruct (is_high a') eqn:H.
      * destruct a'; try discriminate. simpl in Step.
        assert (F : Forall (fun x => x = Unseen) l) by (destruct a; simpl in T; auto; discriminate).
        specialize (IHcs l (S i) R (rev e ++ log) E T' Len' A).
        destruct (one_low G (child_visit G γ d false π) (S i) cs l) as [r e'].
        simpl. rewrite rev_app_distr, <- app_assoc. simpl in IHcs.
        eapply reach_trans; [exact Step|].
        eapply reach_trans; [eapply done_min; [exact W | exact A1]|].
        assert (E1 : (if Nat.ltb (S i) (length (children G q)) then live m (π ++ [S i]) else done m π) :: R =
          first_open m π (S i) l ++ R).
        { pose proof (each_length _ _ _ _ _ _ E) as Ll. destruct l as [|b l].
          - simpl in *. destruct (Nat.ltb_spec (S i) (length (children G q))); [lia | reflexivity].
          - inversion F; subst b. simpl in *. destruct (Nat.ltb_spec (S i) (length (children G q)));
              [reflexivity | lia]. }
        rewrite E1. destruct r as [[u l']|]; exact IHcs.
      * simpl. destruct a'; try discriminate; exact Step.
Qed.

End Children.

Lemma visit_refines : leaves_between G d0 p0 mx0 lo hi -> forall m γ, merit_is m γ -> forall d, refines m γ d.
Proof.
  intros B m γ M.
  assert (Leaf : forall d q mx π log R, at_path π = Some (d, q, mx) -> d = O \/ children G q = [] ->
    (forall r, In r R -> after m π r) ->
    let x := seen γ π (view G (length π) mx (leaf G d q)) in
    reach (open_of m π Unseen ++ R) log (open_of m π (fst x) ++ R) (rev (snd x) ++ log)).
  { intros d q mx π log R W L A. pose proof (live_leaf m π d q mx R log W L A) as K.
    specialize (B π d q mx W L). simpl.
    assert (E : Some (least m (view G (length π) mx (leaf G d q))) =
      if γ <=? view G (length π) mx (leaf G d q) then m else Some (view G (length π) mx (leaf G d q))).
    { destruct M as [Em|[Em Eγ]]; rewrite Em; simpl; destruct (Z.leb_spec γ (view G (length π) mx (leaf G d q)));
        f_equal; lia. }
    rewrite E in K. destruct (γ <=? view G (length π) mx (leaf G d q)); exact K. }
  assert (LeafAgain : forall v π log R, fitting m γ (LeafLow v) ->
    reach (open_of m π (LeafLow v) ++ R) log (open_of m π (if γ <=? v then High else LeafLow v) ++ R) log).
  { intros v π log R F. specialize (F I). destruct (Z.leb_spec γ v); [|apply reach_perm; reflexivity].
    destruct F as [F|[F Fm]]; simpl in F; [lia|]. subst v. simpl. rewrite Fm. apply reach_perm; reflexivity. }
  assert (Inside : forall d, refines m γ d -> forall q mx π l log R, at_path π = Some (S d, q, mx) ->
    each (ready m γ d q mx) 0 (children G q) l -> (mx = true -> l <> []) -> (mx = false -> in_turn l) ->
    (forall r, In r R -> after m π r) ->
    let x := inside G (child_visit G γ d mx π) mx (children G q) l in
    reach ((if mx then opens m π 0 l else first_open m π 0 l) ++ R) log (open_of m π (fst x) ++ R)
      (rev (snd x) ++ log)).
  { intros d IH q mx π l log R W E Ne T A. unfold inside. destruct mx.
    - pose proof (max_refines B m γ d M IH q π W (children G q) l 0 R log E
        (fun r j I _ => after_below _ _ _ _ (A r I))) as K.
      pose proof (all_low_wf G lo γ d q true π (children G q) l 0) as Wf.
      destruct (all_low G (child_visit G γ d true π) 0 (children G q) l) as [[l'|] e]; simpl in K |- *.
      + destruct (top_some l' None) as [u Tu]; [left|rewrite Tu, open_max; exact K].
        assert (E' : each (fun (_ : nat) (c : child G) => wf d (snd c) (turn true c)) 0 (children G q) l').
        { apply Wf; [|eapply each_impl; [|exact E]; unfold ready; simpl; tauto].
          intros i c a N Wa. eapply visit_wf; [exact B | eapply walk_child; eassumption | exact Wa]. }
        apply each_length in E, E'. specialize (Ne eq_refl). destruct l', l; simpl in *; congruence.
      + rewrite (purge_none m π R A) in K. exact K.
    - pose proof (min_refines m γ d IH q π W (children G q) l 0 R log E (T eq_refl) eq_refl A) as K.
      destruct (one_low G (child_visit G γ d false π) 0 (children G q) l) as [[[u l']|] e]; cbn [fst snd] in K |- *;
        rewrite ?open_min; exact K. }
  induction d as [|d IH]; intros q mx π a log R W Wf F A.
  - destruct a as [| |v|u l|u l]; cbn [visit]; try (simpl in Wf; tauto).
    + apply Leaf with (1 := W); auto.
    + apply reach_perm; reflexivity.
    + apply LeafAgain; exact F.
  - destruct a as [| |v|u l|u l]; cbn [visit].
    + destruct (children G q) as [|c0 cs0] eqn:Cs; [apply Leaf with (1 := W); auto|]. rewrite <- Cs.
      assert (Ne : children G q <> []) by congruence.
      assert (Rd : each (ready m γ d q mx) 0 (children G q) (unseen G (children G q))).
      { eapply each_impl; [|apply (each_nth _ _ (fun _ _ a => a = Unseen) (children G q));
          [reflexivity | apply unseen_each; reflexivity]].
        simpl. intros j x y _ _ _ [N ->]. split; [exact N|]. split; [destruct d; exact I | intros []]. }
      destruct mx.
      * eapply reach_trans; [exact (live_max m π d q R log W Ne A)|].
        apply (Inside d IH q true π _ log R W Rd); auto; try discriminate.
        intros _. unfold unseen. destruct (children G q); [congruence | discriminate].
      * eapply reach_trans; [exact (live_min m π d q R log W Ne A)|].
        replace (live m (π ++ [0%nat]) :: R) with (first_open m π 0 (unseen G (children G q)) ++ R)
          by (unfold unseen; rewrite Cs; reflexivity).
        apply (Inside d IH q false π _ log R W Rd); auto; try discriminate. intros _. apply unseen_in_turn, unseen_all.
    + apply reach_perm; reflexivity.
    + apply LeafAgain; exact F.
    + destruct (Z.ltb_spec u γ) as [L|L]; [apply reach_perm; reflexivity|].
      simpl in Wf. destruct Wf as (-> & Fl & T & E). rewrite open_max.
      destruct (F I) as [F'|[F' Fm]]; simpl in F'; [lia|].
      destruct (top_bounds _ _ _ T) as (_ & Bd & Or).
      apply (Inside d IH q true π l log R W); auto; try discriminate.
      * apply each_nth with (all := children G q) in E; [|reflexivity].
        eapply each_impl; [|exact E]. simpl. intros j x y _ _ Iy [N Wy]. split; [exact N|]. split; [exact Wy|].
        intros _. specialize (Bd y Iy). destruct (Z.eq_dec (worth y) γ); [right; auto | left; lia].
      * intros _ ->. simpl in T. discriminate.
    + destruct (Z.ltb_spec u γ) as [L|L]; [apply reach_perm; reflexivity|].
      simpl in Wf. destruct Wf as (-> & Sh & E). rewrite open_min.
      destruct (F I) as [F'|[F' Fm]]; simpl in F'; [lia|].
      apply (Inside d IH q false π l log R W); auto; try discriminate.
      * apply each_nth with (all := children G q) in E; [|reflexivity].
        eapply each_impl; [|exact E]. simpl. intros j x y _ _ Iy [N Wy]. split; [exact N|]. split; [exact Wy|].
        intros Ly. right. split; [|exact Fm]. rewrite (shape_worth _ _ _ Sh Iy Ly). exact F'.
      * intros _. eapply shape_in_turn; exact Sh.
Qed.

End Frontier.
