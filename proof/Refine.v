(** An abstract machine between SSS* and MTD(+∞): it holds a max solution tree, and refines it. A node is unseen, or has
    failed high for good, or is known to be at most some value. All values are as the side called MAX sees them at the
    root. *)

From Coq Require Import ZArith Lia List Bool Arith.
Require Import Value Game Stockman.
Import ListNotations.
Open Scope Z_scope.

(** What is known of a node and of the nodes below it. [MaxLow]: every child is known to be low. [MinLow]: some children
    have failed high, the next is low, and the others are unseen. *)
Inductive ann :=
| Unseen
| High
| LeafLow (v : Z)
| MaxLow (u : Z) (l : list ann)
| MinLow (u : Z) (l : list ann).

Definition is_high (a : ann) : bool := match a with High => true | _ => false end.
Definition is_low (a : ann) : Prop := match a with Unseen | High => False | _ => True end.
Definition worth (a : ann) : Z := match a with LeafLow v | MaxLow v _ | MinLow v _ => v | _ => 0 end.

Definition larger (o : option Z) (v : Z) : Z := match o with Some w => Z.max w v | None => v end.
Fixpoint top (o : option Z) (l : list ann) : option Z :=
  match l with [] => o | a :: r => top (Some (larger o (worth a))) r end.

(** Children with their numbers, and what is said of each. *)
Fixpoint each {A B : Type} (P : nat -> A -> B -> Prop) (i : nat) (xs : list A) (ys : list B) : Prop :=
  match xs, ys with
  | [], [] => True
  | x :: xs', y :: ys' => P i x y /\ each P (S i) xs' ys'
  | _, _ => False
  end.

Lemma each_impl : forall A B (P Q : nat -> A -> B -> Prop) xs ys i,
  (forall j x y, (i <= j)%nat -> In x xs -> In y ys -> P j x y -> Q j x y) -> each P i xs ys -> each Q i xs ys.
Proof.
  induction xs as [|x xs IH]; intros [|y ys] i H E; simpl in *; auto.
  destruct E as [E1 E2]. split; [apply H; auto|]. apply IH; [|exact E2].
  intros; apply H; auto; lia.
Qed.

Lemma each_and : forall A B (P Q : nat -> A -> B -> Prop) xs ys i,
  each P i xs ys -> each Q i xs ys -> each (fun j x y => P j x y /\ Q j x y) i xs ys.
Proof.
  induction xs as [|x xs IH]; intros [|y ys] i; simpl; try tauto. intros [A1 A2] [B1 B2]. auto.
Qed.

Lemma each_nth : forall A B (P : nat -> A -> B -> Prop) all xs ys i,
  (forall j, nth_error all (i + j) = nth_error xs j) -> each P i xs ys ->
  each (fun j x y => nth_error all j = Some x /\ P j x y) i xs ys.
Proof.
  induction xs as [|x xs IH]; intros [|y ys] i N E; simpl in *; auto.
  destruct E as [E1 E2]. split; [split; [|exact E1]|].
  - specialize (N 0%nat). rewrite Nat.add_0_r in N. exact N.
  - apply IH; [|exact E2]. intros j. specialize (N (S j)). rewrite Nat.add_succ_r in N. exact N.
Qed.

Lemma each_length : forall A B (P : nat -> A -> B -> Prop) xs ys i, each P i xs ys -> length xs = length ys.
Proof. induction xs as [|x xs IH]; intros [|y ys] i E; simpl in *; try tauto. f_equal. apply (IH _ _ (proj2 E)). Qed.

Lemma top_bounds : forall l o u, top o l = Some u ->
  (forall w, o = Some w -> w <= u) /\ (forall a, In a l -> worth a <= u) /\
  (o = Some u \/ exists a, In a l /\ worth a = u).
Proof.
  induction l as [|a l IH]; intros o u E; simpl in E.
  - subst o. split; [intros w E; injection E; lia|]. split; [intros a []|]. left; reflexivity.
  - destruct (IH _ _ E) as (A & B & C). specialize (A _ eq_refl).
    assert (L : worth a <= larger o (worth a)) by (destruct o; simpl; lia).
    split; [intros w ->; simpl in A; lia|]. split.
    + intros x [<-|I]; [lia | apply B; exact I].
    + destruct C as [C|(x & I & C)]; [|right; exists x; simpl; auto].
      injection C; intros C'. destruct o as [w|]; simpl in *.
      * destruct (Z.max_spec w (worth a)) as [[_ M]|[_ M]]; rewrite M in C'.
        -- right; exists a; auto.
        -- left; f_equal; exact C'.
      * right; exists a; auto.
Qed.

Lemma top_some : forall l o, l <> [] \/ o <> None -> exists u, top o l = Some u.
Proof.
  induction l as [|a l IH]; intros o H; simpl.
  - destruct o as [u|]; [exists u; reflexivity | destruct H; congruence].
  - apply IH. right; discriminate.
Qed.

Section Refine.
Variable G : game.

(** The value of a node n plies below the root, as the root's MAX sees it. *)
Definition view (n : nat) (mx : bool) (v : Z) : Z := let x := aged G n v in if mx then x else - x.

Definition turn (mx : bool) (c : child G) : bool := if fst c then mx else negb mx.

(** The children one by one. [below] says what becomes of a child, and which leaves are evaluated for it. *)
Section Loops.
Variable below : nat -> child G -> ann -> ann * list (list nat).

(** Until one fails high. *)
Fixpoint all_low (i : nat) (cs : list (child G)) (l : list ann) : option (list ann) * list (list nat) :=
  match cs, l with
  | c :: cs', a :: l' =>
    let (a', e) := below i c a in
    if is_high a' then (None, e)
    else let (r, e') := all_low (S i) cs' l' in (option_map (cons a') r, e ++ e')
  | _, _ => (Some [], [])
  end.

(** Until one fails low. *)
Fixpoint one_low (i : nat) (cs : list (child G)) (l : list ann) : option (Z * list ann) * list (list nat) :=
  match cs, l with
  | c :: cs', a :: l' =>
    let (a', e) := below i c a in
    if is_high a' then
      let (r, e') := one_low (S i) cs' l' in (option_map (fun x => (fst x, High :: snd x)) r, e ++ e')
    else (Some (worth a', a' :: l'), e)
  | _, _ => (None, [])
  end.

Definition inside (mx : bool) (cs : list (child G)) (l : list ann) : ann * list (list nat) :=
  if mx then
    let (r, e) := all_low 0 cs l in
    (match r with Some l' => match top None l' with Some u => MaxLow u l' | None => High end | None => High end, e)
  else
    let (r, e) := one_low 0 cs l in
    (match r with Some (u, l') => MinLow u l' | None => High end, e).
End Loops.

Definition unseen (cs : list (child G)) : list ann := map (fun _ => Unseen) cs.

Definition seen (γ : Z) (π : list nat) (v : Z) : ann * list (list nat) :=
  (if γ <=? v then High else LeafLow v, [π]).

(** Whether a node is at least γ: its refined tree, and the leaves evaluated. *)
Fixpoint visit (γ : Z) (d : nat) (q : pos G) (mx : bool) (π : list nat) (a : ann) {struct d} : ann * list (list nat) :=
  match a with
  | High => (High, [])
  | LeafLow v => (if γ <=? v then High else a, [])
  | MaxLow u l | MinLow u l =>
    if u <? γ then (a, []) else
    match d with
    | O => (High, [])
    | S d' => inside (fun i c => visit γ d' (snd c) (turn mx c) (π ++ [i])) mx (children G q) l
    end
  | Unseen =>
    match d with
    | O => seen γ π (view (length π) mx (leaf G d q))
    | S d' =>
      match children G q with
      | [] => seen γ π (view (length π) mx (leaf G d q))
      | _ :: _ =>
        inside (fun i c => visit γ d' (snd c) (turn mx c) (π ++ [i])) mx (children G q) (unseen (children G q))
      end
    end
  end.

(** ** Invariants *)

Variables (d0 : nat) (p0 : pos G) (mx0 : bool) (lo hi : Z).

(** All leaf values lie between [lo] and [hi]. *)
Definition leaves_between : Prop := forall π d q mx,
  walk G d0 p0 mx0 π = Some (d, q, mx) -> d = O \/ children G q = [] ->
  lo < view (length π) mx (leaf G d q) < hi.

Fixpoint shape (u : Z) (l : list ann) : Prop :=
  match l with
  | [] => False
  | a :: r =>
    match a with High => shape u r | _ => is_low a /\ worth a = u /\ Forall (fun x => x = Unseen) r end
  end.

Fixpoint wf (d : nat) (q : pos G) (mx : bool) (a : ann) {struct d} : Prop :=
  match a with
  | Unseen | High => True
  | LeafLow v => lo < v
  | MaxLow u l =>
    mx = true /\ Forall is_low l /\ top None l = Some u /\
    match d with O => False | S d' => each (fun _ c => wf d' (snd c) (turn mx c)) 0 (children G q) l end
  | MinLow u l =>
    mx = false /\ shape u l /\
    match d with O => False | S d' => each (fun _ c => wf d' (snd c) (turn mx c)) 0 (children G q) l end
  end.

Lemma shape_low : forall u l, shape u l -> exists a, In a l /\ is_low a /\ worth a = u.
Proof.
  induction l as [|a l IH]; simpl; [tauto|]. destruct a; intros H.
  - destruct H as [[] _].
  - destruct (IH H) as (a & I & L). exists a; auto.
  - destruct H as (L & W & _). eexists; split; [left; reflexivity | auto].
  - destruct H as (L & W & _). eexists; split; [left; reflexivity | auto].
  - destruct H as (L & W & _). eexists; split; [left; reflexivity | auto].
Qed.

Lemma shape_worth : forall u l a, shape u l -> In a l -> is_low a -> worth a = u.
Proof.
  induction l as [|b l IH]; simpl; intros a H I L; [tauto|].
  assert (K : is_low b /\ worth b = u /\ Forall (fun x => x = Unseen) l -> worth a = u).
  { intros (_ & W & F). destruct I as [<-|I]; [exact W|].
    rewrite Forall_forall in F. rewrite (F a I) in L. destruct L. }
  destruct b; try (apply K; exact H). destruct I as [<-|I]; [destruct L | apply IH; assumption].
Qed.

Lemma each_in : forall A B (P : nat -> A -> B -> Prop) xs ys i y, each P i xs ys -> In y ys ->
  exists j x, In x xs /\ P j x y.
Proof.
  induction xs as [|x xs IH]; intros [|y' ys] i y E I; simpl in *; try tauto.
  destruct I as [<-|I]; [exists i, x; tauto|]. destruct (IH _ _ _ (proj2 E) I) as (j & x' & I' & P').
  exists j, x'; auto.
Qed.

Lemma low_above : forall d q mx a, wf d q mx a -> is_low a -> lo < worth a.
Proof.
  induction d as [|d IH]; intros q mx a W L; destruct a as [| |v|u l|u l]; simpl in *; try tauto.
  - destruct W as (_ & F & T & E). destruct (top_bounds _ _ _ T) as (_ & _ & [C|(a & I & C)]); [discriminate|].
    subst u. destruct (each_in _ _ _ _ _ _ _ E I) as (_ & c & _ & W). rewrite Forall_forall in F. eapply IH; eauto.
  - destruct W as (_ & S & E). destruct (shape_low _ _ S) as (a & I & L' & <-).
    destruct (each_in _ _ _ _ _ _ _ E I) as (_ & c & _ & W). eapply IH; eauto.
Qed.

Lemma walk_child : forall π d q mx i c, walk G d0 p0 mx0 π = Some (S d, q, mx) -> nth_error (children G q) i = Some c ->
  walk G d0 p0 mx0 (π ++ [i]) = Some (d, snd c, turn mx c).
Proof.
  intros π. generalize d0 p0 mx0. induction π as [|j π IH]; intros d1 p1 mx1 d q mx i c W N.
  - assert (E : (d1, p1, mx1) = (S d, q, mx)) by (destruct d1; simpl in W; congruence).
    injection E; intros; subst. simpl. rewrite N. destruct d; reflexivity.
  - destruct d1 as [|d1]; simpl in *; [discriminate|]. destruct (nth_error (children G p1) j) as [c1|]; [|discriminate].
    eapply IH; eassumption.
Qed.

Lemma unseen_each : forall (P : nat -> child G -> ann -> Prop) cs i, (forall j c, P j c Unseen) ->
  each P i cs (unseen cs).
Proof. intros P. induction cs as [|c cs IH]; intros i H; simpl; auto. Qed.

Lemma unseen_all : forall cs, Forall (fun x => x = Unseen) (unseen cs).
Proof. induction cs as [|c cs IH]; constructor; auto. Qed.

(** Failed high, or known to be less than γ. *)
Definition decided (γ : Z) (a : ann) : Prop := is_high a = true \/ is_low a /\ worth a < γ.

Definition child_visit (γ : Z) (d : nat) (mx : bool) (π : list nat) (i : nat) (c : child G) :
  ann -> ann * list (list nat) :=
  visit γ d (snd c) (turn mx c) (π ++ [i]).

(** The order of children where MIN moves. *)
Fixpoint in_turn (l : list ann) : Prop :=
  match l with [] => True | a :: r => match a with High => in_turn r | _ => Forall (fun x => x = Unseen) r end end.

Lemma shape_in_turn : forall u l, shape u l -> in_turn l.
Proof. induction l as [|a l IH]; simpl; [tauto|]. destruct a; try tauto; intros (_ & _ & F); exact F. Qed.

Lemma unseen_in_turn : forall l, Forall (fun x => x = Unseen) l -> in_turn l.
Proof. intros [|a l] F; simpl; [exact I|]. inversion F; subst. assumption. Qed.

Section Visit.
Hypothesis B : leaves_between.

Lemma all_low_wf : forall γ d q mx π cs l i,
  (forall i c a, nth_error (children G q) i = Some c -> wf d (snd c) (turn mx c) a ->
    let a' := fst (child_visit γ d mx π i c a) in wf d (snd c) (turn mx c) a' /\ decided γ a') ->
  each (fun i c a => nth_error (children G q) i = Some c /\ wf d (snd c) (turn mx c) a) i cs l ->
  match fst (all_low (child_visit γ d mx π) i cs l) with
  | Some l' => Forall (fun a => is_low a /\ worth a < γ) l' /\ each (fun _ c => wf d (snd c) (turn mx c)) i cs l'
  | None => True
  end.
Proof.
  intros γ d q mx π cs. induction cs as [|c cs IH]; intros [|a l] i V E; simpl in E; try contradiction.
  - simpl. auto.
  - destruct E as [[N W] E]. specialize (IH l (S i) V E). specialize (V i c a N W). simpl in V |- *.
    destruct (child_visit γ d mx π i c a) as [a' e]. simpl in V.
    destruct (is_high a') eqn:H; simpl; [exact I|].
    destruct (all_low (child_visit γ d mx π) (S i) cs l) as [[l'|] e']; simpl in *; [|exact I].
    destruct V as [V1 [V2|V2]]; [congruence|]. destruct IH as [F E']. split; [constructor; auto | auto].
Qed.

Lemma one_low_wf : forall γ d q mx π cs l i,
  (forall i c a, nth_error (children G q) i = Some c -> wf d (snd c) (turn mx c) a ->
    let a' := fst (child_visit γ d mx π i c a) in wf d (snd c) (turn mx c) a' /\ decided γ a') ->
  (forall i c, child_visit γ d mx π i c High = (High, [])) ->
  each (fun i c a => nth_error (children G q) i = Some c /\ wf d (snd c) (turn mx c) a) i cs l ->
  in_turn l ->
  match fst (one_low (child_visit γ d mx π) i cs l) with
  | Some (u, l') => shape u l' /\ u < γ /\ each (fun _ c => wf d (snd c) (turn mx c)) i cs l'
  | None => True
  end.
Proof.
  intros γ d q mx π cs. induction cs as [|c cs IH]; intros [|a l] i V VH E T; simpl in E; try contradiction.
  - simpl. auto.
  - destruct E as [[N W] E].
    assert (T' : in_turn l) by (destruct a; simpl in T; auto using unseen_in_turn).
    specialize (IH l (S i) V VH E T'). pose proof (V i c a N W) as Va. simpl in Va |- *.
    destruct (child_visit γ d mx π i c a) as [a' e] eqn:Ev. simpl in Va.
    destruct (is_high a') eqn:H; simpl.
    + destruct (one_low (child_visit γ d mx π) (S i) cs l) as [[[u l']|] e']; simpl in *; [|exact I].
      destruct IH as (S & U & E'). repeat split; auto. destruct d; exact I.
    + destruct Va as [V1 [V2|[V2 V3]]]; [congruence|].
      assert (F : Forall (fun x => x = Unseen) l).
      { destruct a; simpl in T; auto. rewrite VH in Ev. injection Ev; intros; subst. discriminate. }
      split; [destruct a'; simpl in *; auto; discriminate|]. split; [exact V3|]. split; [exact V1|].
      eapply each_impl; [|exact E]. simpl; tauto.
Qed.

Lemma visit_high : forall γ d q mx π, visit γ d q mx π High = (High, []).
Proof. intros γ [|d] q mx π; reflexivity. Qed.

Lemma inside_wf : forall γ d q mx π l,
  (forall i c a, nth_error (children G q) i = Some c -> wf d (snd c) (turn mx c) a ->
    let a' := fst (child_visit γ d mx π i c a) in wf d (snd c) (turn mx c) a' /\ decided γ a') ->
  each (fun _ c => wf d (snd c) (turn mx c)) 0 (children G q) l -> (mx = false -> in_turn l) ->
  let a' := fst (inside (child_visit γ d mx π) mx (children G q) l) in wf (S d) q mx a' /\ decided γ a'.
Proof.
  intros γ d q mx π l V E T. apply each_nth with (all := children G q) in E; [|reflexivity].
  unfold inside. destruct mx.
  - pose proof (all_low_wf γ d q true π _ _ _ V E) as K.
    destruct (all_low (child_visit γ d true π) 0 (children G q) l) as [[l'|] e]; simpl in *; 
      [|split; [exact I | left; reflexivity]].
    destruct K as [F E']. destruct (top None l') as [u|] eqn:Tp; simpl; [|split; [exact I | left; reflexivity]].
    split; [split; [reflexivity|]; split; [|auto]|right; split; [exact I|]].
    + eapply Forall_impl; [|exact F]. simpl; tauto.
    + destruct (top_bounds _ _ _ Tp) as (_ & _ & [C|(a & Ia & C)]); [discriminate|].
      rewrite Forall_forall in F. simpl. destruct (F a Ia). lia.
  - pose proof (one_low_wf γ d q false π _ _ _ V (fun _ _ => visit_high _ _ _ _ _) E (T eq_refl)) as K.
    destruct (one_low (child_visit γ d false π) 0 (children G q) l) as [[[u l']|] e]; simpl in *.
    + destruct K as (S & U & E'). split; [auto|]. right; simpl; auto.
    + split; [exact I | left; reflexivity].
Qed.

Lemma seen_wf : forall γ π d q mx, walk G d0 p0 mx0 π = Some (d, q, mx) -> d = O \/ children G q = [] ->
  let a' := fst (seen γ π (view (length π) mx (leaf G d q))) in wf d q mx a' /\ decided γ a'.
Proof.
  intros γ π d q mx W L. specialize (B π d q mx W L). simpl.
  destruct (Z.leb_spec γ (view (length π) mx (leaf G d q))); simpl.
  - destruct d; split; try exact I; left; reflexivity.
  - destruct d; (split; [simpl; lia | right; simpl; auto]).
Qed.

Lemma visit_wf : forall γ d q mx π a, walk G d0 p0 mx0 π = Some (d, q, mx) -> wf d q mx a ->
  let a' := fst (visit γ d q mx π a) in wf d q mx a' /\ decided γ a'.
Proof.
  intros γ. induction d as [|d IH]; intros q mx π a W F.
  - destruct a as [| |v|u l|u l]; cbn [visit]; try (simpl in F; tauto).
    + apply seen_wf; auto.
    + simpl; split; [exact I | left; reflexivity].
    + simpl in F |- *. destruct (Z.leb_spec γ v); simpl; (split; [auto|]); [left; reflexivity | right; simpl; auto].
  - assert (V : forall i c a, nth_error (children G q) i = Some c -> wf d (snd c) (turn mx c) a ->
      let a' := fst (child_visit γ d mx π i c a) in wf d (snd c) (turn mx c) a' /\ decided γ a').
    { intros i c a' N Wf. apply IH; [eapply walk_child; eassumption | exact Wf]. }
    destruct a as [| |v|u l|u l]; cbn [visit].
    + destruct (children G q) as [|c0 cs0] eqn:Cs; [apply seen_wf; auto|]. rewrite <- Cs in *.
      apply (inside_wf γ d q mx π (unseen (children G q)) V).
      * apply unseen_each. intros _ c; destruct d; exact I.
      * intros _. apply unseen_in_turn, unseen_all.
    + simpl; split; [exact I | left; reflexivity].
    + simpl in F |- *. destruct (Z.leb_spec γ v); simpl; (split; [auto|]); [left; reflexivity | right; simpl; auto].
    + destruct (Z.ltb_spec u γ) as [L|L]; [split; [exact F | right; simpl; auto]|].
      simpl in F. destruct F as (-> & F & T & E). apply (inside_wf γ d q true π l V E). discriminate.
    + destruct (Z.ltb_spec u γ) as [L|L]; [split; [exact F | right; simpl; auto]|].
      simpl in F. destruct F as (-> & F & E). apply (inside_wf γ d q false π l V E).
      intros _. eapply shape_in_turn; exact F.
Qed.

(** The first pass fails low. *)
Lemma first_visit_is_low : forall d q mx π, walk G d0 p0 mx0 π = Some (d, q, mx) ->
  is_high (fst (visit hi d q mx π Unseen)) = false.
Proof.
  assert (Lf : forall d q mx π, walk G d0 p0 mx0 π = Some (d, q, mx) -> d = O \/ children G q = [] ->
    is_high (fst (seen hi π (view (length π) mx (leaf G d q)))) = false).
  { intros d q mx π W L. specialize (B π d q mx W L). simpl.
    destruct (Z.leb_spec hi (view (length π) mx (leaf G d q))); [lia | reflexivity]. }
  induction d as [|d IH]; intros q mx π W; cbn [visit]; [apply Lf; auto|].
  destruct (children G q) as [|c0 cs0] eqn:Cs; [apply Lf; auto|]. rewrite <- Cs.
  change (is_high (fst (inside (child_visit hi d mx π) mx (children G q) (unseen (children G q)))) = false).
  assert (V : forall i c, nth_error (children G q) i = Some c ->
    is_high (fst (child_visit hi d mx π i c Unseen)) = false).
  { intros i c N. apply IH. eapply walk_child; eassumption. }
  unfold inside. destruct mx.
  - assert (K : forall cs i, (forall j, nth_error (children G q) (i + j) = nth_error cs j) -> cs <> [] ->
      exists a l' e, all_low (child_visit hi d true π) i cs (unseen cs) = (Some (a :: l'), e)).
    { induction cs as [|c cs IHcs]; intros i N NE; [congruence|]. simpl.
      pose proof (N O) as N0. rewrite Nat.add_0_r in N0. specialize (V i c N0).
      destruct (child_visit hi d true π i c Unseen) as [a' e]. simpl in V. rewrite V.
      destruct cs as [|c' cs']; [simpl; eauto|].
      destruct (IHcs (S i)) as (a & l' & e' & ->); [|discriminate|simpl; eauto].
      intros j. specialize (N (S j)). rewrite Nat.add_succ_r in N. exact N. }
    destruct (K (children G q) O) as (a & l' & e & ->); [reflexivity | congruence|].
    destruct (top_some (a :: l') None) as [u ->]; [left; discriminate | reflexivity].
  - rewrite Cs. simpl. specialize (V O c0). rewrite Cs in V. specialize (V eq_refl).
    destruct (child_visit hi d false π 0 c0 Unseen) as [a' e]. simpl in V. rewrite V. reflexivity.
Qed.

End Visit.

End Refine.
