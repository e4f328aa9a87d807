(** Searches as programs with operations. Whatever a search does not decide by itself is an operation with a result from
    outside: the bounds in memory, the order of the children, whether to look ahead, whether to stop. *)

From Coq Require Import ZArith Lia List Permutation.
Require Import Value Game.
Import ListNotations.
Open Scope Z_scope.

Section Program.
Variable G : game.

Inductive prog (A : Type) : Type :=
| Ret (a : A)
| Stopped                                                                 (** the search was aborted here *)
| Retrieve (d : nat) (p : pos G) (k : bounds -> prog A)                   (** a visit begins *)
| Peek (d : nat) (p : pos G) (k : bounds -> prog A)                       (** what is known, without a visit *)
| Store (d : nat) (p : pos G) (b : bounds) (k : prog A)
| Evaluate (d : nat) (p : pos G) (k : Z -> prog A)
| Order (d : nat) (p : pos G) (k : list (child G) -> prog A)
| Choose (d : nat) (p : pos G) (k : bool -> prog A).

Arguments Ret {A} a.
Arguments Stopped {A}.
Arguments Retrieve {A} d p k.
Arguments Peek {A} d p k.
Arguments Store {A} d p b k.
Arguments Evaluate {A} d p k.
Arguments Order {A} d p k.
Arguments Choose {A} d p k.

Fixpoint bind {A B : Type} (m : prog A) (k : A -> prog B) : prog B :=
  match m with
  | Ret a => k a
  | Stopped => Stopped
  | Retrieve d p h => Retrieve d p (fun b => bind (h b) k)
  | Peek d p h => Peek d p (fun b => bind (h b) k)
  | Store d p b h => Store d p b (bind h k)
  | Evaluate d p h => Evaluate d p (fun v => bind (h v) k)
  | Order d p h => Order d p (fun cs => bind (h cs) k)
  | Choose d p h => Choose d p (fun x => bind (h x) k)
  end.

(** The preconditions of a program, and its obligations. *)
Record spec := {
  known : nat -> pos G -> bounds -> Prop;                                 (** what the memory may answer *)
  stored : nat -> pos G -> bounds -> Prop;                                (** what may be stored *)
  visited : nat -> pos G -> Prop;                                         (** what may be visited *)
  evaluated : nat -> pos G -> Prop;                                       (** which leaves may be evaluated *)
  ordered : pos G -> list (child G) -> Prop                               (** in which orders children may come *)
}.

(** Every run of the program keeps to the specification, and P holds for what it returns. *)
Fixpoint keeps (s : spec) {A : Type} (P : A -> Prop) (m : prog A) : Prop :=
  match m with
  | Ret a => P a
  | Stopped => True
  | Retrieve d p k => visited s d p /\ forall b, known s d p b -> keeps s P (k b)
  | Peek d p k => forall b, known s d p b -> keeps s P (k b)
  | Store d p b k => stored s d p b /\ keeps s P k
  | Evaluate d p k => evaluated s d p /\ keeps s P (k (leaf G d p))
  | Order d p k => forall cs, ordered s p cs -> keeps s P (k cs)
  | Choose d p k => forall x, keeps s P (k x)
  end.

Lemma keeps_bind : forall s A B (P : A -> Prop) (Q : B -> Prop) m k,
  keeps s P m -> (forall a, P a -> keeps s Q (k a)) -> keeps s Q (bind m k).
Proof.
  induction m; simpl; intros; intuition auto.
Qed.

Lemma keeps_weaken : forall (s t : spec) A (P Q : A -> Prop) m,
  (forall d p b, known t d p b -> known s d p b) ->
  (forall d p b, stored s d p b -> stored t d p b) ->
  (forall d p, visited s d p -> visited t d p) ->
  (forall d p, evaluated s d p -> evaluated t d p) ->
  (forall p cs, ordered t p cs -> ordered s p cs) ->
  (forall a, P a -> Q a) ->
  keeps s P m -> keeps t Q m.
Proof.
  intros s t A P Q m K S V E O I; induction m; simpl; intros; intuition auto.
Qed.

Lemma keeps_post : forall s A (P Q : A -> Prop) m, (forall a, P a -> Q a) -> keeps s P m -> keeps s Q m.
Proof. intros; eapply keeps_weaken with (s := s); eauto. Qed.

(** The memory's answers are true, of the same position at the same depth; so is what is stored. *)
Definition truthful : spec := {|
  known := fun d p b => holds b (f G d p);
  stored := fun d p b => holds b (f G d p);
  visited := fun _ _ => True;
  evaluated := fun _ _ => True;
  ordered := fun p cs => Permutation (children G p) cs
|}.

(** ** One step of a program, and everything that can happen in between *)

(** A bound that was once stored for this position at this depth. It need not be kept: a table may forget,
    replace, keep one bound or two, and put together bounds from several stores. *)
Definition entry : Type := (nat * pos G * bounds)%type.

Definition derived (m : list entry) (d : nat) (p : pos G) (b : bounds) : Prop :=
  (forall l, lower b = Some l -> exists b', In (d, p, b') m /\ lower b' = Some l) /\
  (forall u, upper b = Some u -> exists b', In (d, p, b') m /\ upper b' = Some u).

Inductive step {A : Type} : list entry -> prog A -> list entry -> prog A -> Prop :=
| step_retrieve : forall m d p k b, derived m d p b -> step m (Retrieve d p k) m (k b)
| step_peek : forall m d p k b, derived m d p b -> step m (Peek d p k) m (k b)
| step_store : forall m d p b k, step m (Store d p b k) ((d, p, b) :: m) k
| step_evaluate : forall m d p k, step m (Evaluate d p k) m (k (leaf G d p))
| step_order : forall m d p k cs, Permutation (children G p) cs -> step m (Order d p k) m (k cs)
| step_choose : forall m d p k x, step m (Choose d p k) m (k x).

(** Several threads, each with the contract of its result. A step of any of them comes next; a thread may be aborted,
    and another may begin, at any moment. *)
Definition thread : Type := { A : Type & ((A -> Prop) * prog A)%type }.
Definition promising {A : Type} (P : A -> Prop) (x : prog A) : thread :=
  existT (fun A : Type => ((A -> Prop) * prog A)%type) A (P, x).
Definition sound (t : thread) : Prop := let (A, x) := t in keeps truthful (fst x) (snd x).

Inductive happens : list entry * list thread -> list entry * list thread -> Prop :=
| one_steps : forall m m' before after A P (x x' : prog A), step m x m' x' ->
    happens (m, before ++ promising P x :: after) (m', before ++ promising P x' :: after)
| one_aborts : forall m before after t, happens (m, before ++ t :: after) (m, before ++ after)
| one_begins : forall m ts t, sound t -> happens (m, ts) (m, t :: ts).

Inductive eventually : list entry * list thread -> list entry * list thread -> Prop :=
| at_once : forall c, eventually c c
| later : forall c c' c'', happens c c' -> eventually c' c'' -> eventually c c''.

Definition all_true (m : list entry) : Prop := forall d p b, In (d, p, b) m -> holds b (f G d p).

Lemma derived_true : forall m d p b, all_true m -> derived m d p b -> holds b (f G d p).
Proof.
  intros m d p b T [L U]; split.
  - intros l E. destruct (L l E) as (b' & I & E'). apply (T _ _ _ I); exact E'.
  - intros u E. destruct (U u E) as (b' & I & E'). apply (T _ _ _ I); exact E'.
Qed.

Lemma step_keeps : forall A (P : A -> Prop) m x m' x',
  step m x m' x' -> all_true m -> keeps truthful P x -> all_true m' /\ keeps truthful P x'.
Proof.
  intros A P m x m' x' S T K; destruct S; simpl in K.
  - split; [exact T | apply K; apply derived_true with m; assumption].
  - split; [exact T | apply K; apply derived_true with m; assumption].
  - split; [|apply K]. intros d' p' b' [E|I]; [injection E; intros; subst; apply K | apply T; exact I].
  - split; [exact T | apply K].
  - split; [exact T | apply K; assumption].
  - split; [exact T | apply K].
Qed.

(** Whatever sound programs do in whatever order, wherever they are aborted: everything stored is true, and what has been
    returned keeps its promise. *)
Theorem everything_stored_is_true : forall m ts m' ts',
  eventually (m, ts) (m', ts') -> all_true m -> Forall sound ts ->
  all_true m' /\ Forall sound ts'.
Proof.
  intros m ts m' ts' E. remember (m, ts) as c. remember (m', ts') as c'.
  revert m ts m' ts' Heqc Heqc'. induction E as [c|c c1 c2 H E IH]; intros m ts m' ts' -> E2 T F.
  - injection E2; intros; subst; auto.
  - inversion H; subst.
    + apply Forall_app in F. destruct F as [F1 F2]. inversion F2 as [|? ? F3 F4]; subst.
      match goal with S : step _ _ _ _ |- _ => destruct (step_keeps _ P _ _ _ _ S T F3) as [T' K] end.
      eapply IH; [reflexivity | reflexivity | exact T' |].
      apply Forall_app; split; [exact F1 | constructor; [exact K | exact F4]].
    + apply Forall_app in F. destruct F as [F1 F2]. inversion F2; subst.
      eapply IH; [reflexivity | reflexivity | exact T | apply Forall_app; auto].
    + eapply IH; [reflexivity | reflexivity | exact T | constructor; assumption].
Qed.

Theorem every_return_keeps_its_promise : forall m ts m' ts' A P (a : A),
  eventually (m, ts) (m', ts') -> all_true m -> Forall sound ts ->
  In (promising P (Ret a)) ts' -> P a.
Proof.
  intros m ts m' ts' A P a E T F I.
  destruct (everything_stored_is_true _ _ _ _ E T F) as [_ F'].
  rewrite Forall_forall in F'. exact (F' _ I).
Qed.

(** ** A run with one memory, children in the order given, nothing looked up ahead: what the extracted program does *)

Inductive event :=
| Visited (d : nat) (p : pos G)
| Evaluated (d : nat) (p : pos G)
| Stored (d : nat) (p : pos G) (b : bounds).

Record memory := {
  table : Type;
  get : table -> nat -> pos G -> bounds;
  put : table -> nat -> pos G -> bounds -> table
}.

(** The log is kept in reverse. *)
Fixpoint run (M : memory) {A : Type} (m : prog A) (t : table M) (log : list event) : option A * table M * list event :=
  match m with
  | Ret a => (Some a, t, log)
  | Stopped => (None, t, log)
  | Retrieve d p k => run M (k (get M t d p)) t (Visited d p :: log)
  | Peek d p k => run M (k (get M t d p)) t log
  | Store d p b k => run M k (put M t d p b) (Stored d p b :: log)
  | Evaluate d p k => run M (k (leaf G d p)) t (Evaluated d p :: log)
  | Order d p k => run M (k (children G p)) t log
  | Choose d p k => run M (k false) t log
  end.

Lemma run_bind : forall M A B (m : prog A) (k : A -> prog B) t log,
  run M (bind m k) t log =
  match run M m t log with
  | (Some a, t', log') => run M (k a) t' log'
  | (None, t', log') => (None, t', log')
  end.
Proof. induction m; simpl; intros; auto. Qed.

Definition fits (M : memory) (s : spec) (I : table M -> Prop) : Prop :=
  (forall t d p, I t -> known s d p (get M t d p)) /\
  (forall t d p b, I t -> stored s d p b -> I (put M t d p b)) /\
  (forall p, ordered s p (children G p)).

Definition keeps_event (s : spec) (e : event) : Prop :=
  match e with Visited d p => visited s d p | Evaluated d p => evaluated s d p | Stored d p b => stored s d p b end.

Lemma run_keeps : forall M s I A (P : A -> Prop) m t log,
  fits M s I -> I t -> keeps s P m -> Forall (keeps_event s) log ->
  match run M m t log with
  | (r, t', log') => (forall a, r = Some a -> P a) /\ I t' /\ Forall (keeps_event s) log'
  end.
Proof.
  intros M s I A P m t log (F1 & F2 & F3). revert t log.
  induction m; simpl; intros t log T K L.
  - split; [intros ? E; injection E; intros; subst; exact K | auto].
  - split; [discriminate | auto].
  - apply H; auto; [apply K; auto | constructor; [apply K | exact L]].
  - apply H; auto.
  - destruct K as [K1 K2]. apply IHm; auto.
  - apply H; auto; [apply K | constructor; [apply K | exact L]].
  - apply H; auto.
  - apply H; auto.
Qed.

End Program.

Arguments Ret {G A} a.
Arguments Stopped {G A}.
Arguments Retrieve {G A} d p k.
Arguments Peek {G A} d p k.
Arguments Store {G A} d p b k.
Arguments Evaluate {G A} d p k.
Arguments Order {G A} d p k.
Arguments Choose {G A} d p k.
Arguments bind {G A B} m k.
Arguments promising {G A} P x.
Arguments keeps {G} s {A} P m.
Arguments known {G}.
Arguments stored {G}.
Arguments visited {G}.
Arguments evaluated {G}.
Arguments ordered {G}.
Arguments Visited {G} d p.
Arguments Evaluated {G} d p.
Arguments Stored {G} d p b.
Arguments table {G}.
Arguments get {G}.
Arguments put {G}.
Arguments run {G} M {A} m t log.
