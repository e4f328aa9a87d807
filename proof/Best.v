(** MTD-best: the best move without its value. Follows best.rs. *)

From Coq Require Import ZArith Lia List Bool Arith.
Require Import Value Game Program Mt.
Import ListNotations.
Open Scope Z_scope.

(** What is proved of each root move, the candidate, and the guess that separates it from the others. *)
Record state := { lo : nat -> Z; hi : nat -> Z; candidate : nat; guess : Z }.

(** Which side of the proof comes first. [Separate] chooses its guesses by a rule; nothing is assumed of it. *)
Inductive strategy := ProveBest | DisproveRest | Separate (anew : state -> Z).

(** The first of the other moves whose upper bound is greatest. *)
Fixpoint rival (hi : nat -> Z) (m n : nat) : option nat :=
  match n with
  | O => None
  | S k =>
    let r := rival hi m k in
    if Nat.eqb k m then r
    else match r with Some j => if hi j <? hi k then Some k else r | None => Some k end
  end.

(** The first move of which it is not known whether it reaches the guess. *)
Fixpoint unasked (s : state) (n : nat) : option nat :=
  match n with
  | O => None
  | S k =>
    match unasked s k with
    | Some j => Some j
    | None => if (lo s k <? guess s) && (guess s <=? hi s k) then Some k else None
    end
  end.

Definition about (s : state) (which : nat) (bound : Z) : nat * Z :=
  (which, Z.max (lo s which + 1) (Z.min bound (hi s which))).

(** The move of the next pass, and its bound. [bottom] is −∞. *)
Definition next_pass (bottom : Z) (n : nat) (st : strategy) (s : state) : option (nat * Z) :=
  let m := candidate s in
  let proved := lo s m in
  let finish := if proved =? bottom then Some (about s m (guess s)) else None in
  match rival (hi s) m n with
  | None => finish
  | Some r =>
    let rest := hi s r in
    if rest <=? proved then finish
    else
      let line := Z.max (guess s) (proved + 1) in
      Some (match st with
            | ProveBest => if proved <? guess s then about s m (guess s) else about s r (proved + 1)
            | DisproveRest => if rest <? line then about s m rest else about s r line
            | Separate _ => about s (match unasked s n with Some i => i | None => r end) (guess s)
            end)
  end.

Definition set (h : nat -> Z) (i : nat) (v : Z) : nat -> Z := fun j => if Nat.eqb j i then v else h j.

(** The result of MT is recorded. *)
Definition answer (n : nat) (st : strategy) (s : state) (which : nat) (bound g : Z) : state :=
  let up := bound <=? g in
  let lo' := if up then set (lo s) which (Z.min g (hi s which)) else lo s in
  let hi' := if up then hi s else set (hi s) which (Z.max g (lo s which)) in
  match st with
  | Separate anew =>
    let m := if lo' (candidate s) <? lo' which then which else candidate s in
    let s' := {| lo := lo'; hi := hi'; candidate := m; guess := guess s |} in
    match unasked s' n with
    | Some _ => s'
    | None => {| lo := lo'; hi := hi'; candidate := m; guess := anew s' |}
    end
  | _ =>
    if up && negb (Nat.eqb which (candidate s)) then {| lo := lo'; hi := hi'; candidate := which; guess := lo' which |}
    else if negb up && Nat.eqb which (candidate s) then {| lo := lo'; hi := hi'; candidate := candidate s; guess := hi' which |}
    else {| lo := lo'; hi := hi'; candidate := candidate s; guess := guess s |}
  end.

(** What is proved of the position's value: the greatest of either bound. *)
Fixpoint most (h : nat -> Z) (bottom : Z) (n : nat) : Z :=
  match n with O => bottom | S k => Z.max (most h bottom k) (h k) end.

Fixpoint count (test : nat -> bool) (n : nat) : Z :=
  match n with O => 0 | S k => count test k + (if test k then 1 else 0) end.

(** Best Node Search's next guess: the more moves are left, the closer to the upper end of the open range. Until that has two ends,
    the guess is moved to what the answers say. *)
Definition bns_guess (bottom top : Z) (n : nat) (s : state) : Z :=
  let lower := most (lo s) bottom n in
  let upper := most (hi s) bottom n in
  let left := Z.max 2 (count (fun i => lower <? hi s i) n) in
  if lower =? bottom then upper
  else if upper =? top then lower + (if 1 <? count (fun i => lo s i =? lower) n then 1 else 0)
  else lower + Z.max 1 ((upper - lower) * (left - 1) / left).

Definition bns (bottom top : Z) (n : nat) : strategy := Separate (bns_guess bottom top n).

Section Best.
Variable G : game.

Fixpoint prove_best (bottom : Z) (n : nat) (st : strategy) (run_mt : nat -> Z -> prog G Z) (fuel : nat) (s : state)
  : prog G (option state) :=
  match next_pass bottom n st s with
  | None => Ret (Some s)
  | Some (i, b) =>
    match fuel with
    | O => Ret None
    | S fuel' => bind (run_mt i b) (fun g => prove_best bottom n st run_mt fuel' (answer n st s i b g))
    end
  end.

Fixpoint total (n : nat) (s : state) : Z :=
  match n with O => 0 | S k => total k s + (hi s k - lo s k) end.

(** The invariant: the bounds are true, and no lower bound exceeds the candidate's. *)
Definition sane (v : nat -> Z) (bottom top : Z) (n : nat) (st : strategy) (s : state) : Prop :=
  (candidate s < n)%nat /\
  (forall i, (i < n)%nat -> bottom <= lo s i /\ lo s i <= v i /\ v i <= hi s i /\ hi s i <= top /\ bottom < v i) /\
  (forall i, (i < n)%nat -> lo s i <= lo s (candidate s)) /\
  match st with Separate _ => True | _ => guess s <= hi s (candidate s) end.

Lemma most_at_most : forall h bottom x n, bottom <= x -> (forall i, (i < n)%nat -> h i <= x) -> most h bottom n <= x.
Proof.
  intros h bottom x n B. induction n as [|n IH]; intros H; simpl; [exact B|].
  apply Z.max_lub; [apply IH; intros; apply H; lia | apply H; lia].
Qed.

Lemma most_at_least : forall h bottom n i, (i < n)%nat -> h i <= most h bottom n.
Proof.
  intros h bottom. induction n as [|n IH]; intros i I; simpl; [lia|].
  destruct (Nat.eq_dec i n) as [->|]; [lia|]. specialize (IH i ltac:(lia)). lia.
Qed.

Lemma rival_spec : forall hi m n,
  match rival hi m n with
  | Some r => (r < n)%nat /\ r <> m /\ forall i, (i < n)%nat -> i <> m -> hi i <= hi r
  | None => forall i, (i < n)%nat -> i = m
  end.
Proof.
  intros h m. induction n as [|n IH]; simpl; [intros; lia|].
  destruct (Nat.eqb_spec n m) as [->|N].
  - destruct (rival h m m) as [r|].
    + destruct IH as (A & B & C). repeat split; [lia | exact B |]. intros i I J. apply C; lia.
    + intros i I. destruct (Nat.eq_dec i m); [assumption | apply IH; lia].
  - destruct (rival h m n) as [r|].
    + destruct IH as (A & B & C). destruct (Z.ltb_spec (h r) (h n)).
      * repeat split; [lia | exact N |]. intros i I J.
        destruct (Nat.eq_dec i n) as [->|]; [lia|]. specialize (C i ltac:(lia) J). lia.
      * repeat split; [lia | exact B |]. intros i I J.
        destruct (Nat.eq_dec i n) as [->|]; [lia|]. apply C; lia.
    + repeat split; [lia | exact N |]. intros i I J.
      destruct (Nat.eq_dec i n) as [->|]; [lia|]. exfalso; apply J, IH; lia.
Qed.

Lemma unasked_spec : forall s n i, unasked s n = Some i -> (i < n)%nat /\ lo s i < guess s <= hi s i.
Proof.
  intros s. induction n as [|n IH]; simpl; intros i; [discriminate|].
  destruct (unasked s n) as [j|].
  - intros E; injection E; intros <-. destruct (IH j eq_refl). split; lia.
  - destruct (Z.ltb_spec (lo s n) (guess s)), (Z.leb_spec (guess s) (hi s n)); simpl; try discriminate.
    intros E; injection E; intros <-. lia.
Qed.

(** Each pass can fail high and fail low. A move other than the candidate that fails high becomes the candidate. *)
Lemma next_pass_open : forall v bottom top n st s i b, sane v bottom top n st s -> next_pass bottom n st s = Some (i, b) ->
  (i < n)%nat /\ lo s i < b <= hi s i /\
  match st with Separate _ => True | _ => i <> candidate s -> lo s (candidate s) < b end.
Proof.
  intros v bottom top n st s i b (M & T & C & Gs). unfold next_pass.
  set (m := candidate s) in *.
  pose proof (T m M) as Tm.
  assert (Fin : (if lo s m =? bottom then Some (about s m (guess s)) else None) = Some (i, b) ->
    (i < n)%nat /\ lo s i < b <= hi s i /\ match st with Separate _ => True | _ => i <> m -> lo s m < b end).
  { destruct (Z.eqb_spec (lo s m) bottom); [|discriminate].
    unfold about; intros E; injection E; intros <- <-. repeat split; try lia. destruct st; auto; congruence. }
  pose proof (rival_spec (hi s) m n) as R. destruct (rival (hi s) m n) as [r|]; [|exact Fin].
  destruct R as (Rn & Rm & Rg). destruct (Z.leb_spec (hi s r) (lo s m)) as [|Op]; [exact Fin|].
  pose proof (T r Rn) as Tr. pose proof (C r Rn) as Cr.
  destruct st as [| |anew].
  - destruct (Z.ltb_spec (lo s m) (guess s)); unfold about; intros E; injection E; intros <- <-; repeat split; try lia.
  - destruct (Z.ltb_spec (hi s r) (Z.max (guess s) (lo s m + 1))); unfold about;
      intros E; injection E; intros <- <-; repeat split; try lia.
  - destruct (unasked s n) as [j|] eqn:U; unfold about; intros E; injection E; intros <- <-.
    + apply unasked_spec in U. repeat split; try lia.
    + repeat split; try lia.
Qed.

Lemma total_set_lo : forall n s i x, (i < n)%nat ->
  total n {| lo := set (lo s) i x; hi := hi s; candidate := candidate s; guess := guess s |} = total n s - (x - lo s i).
Proof.
  induction n as [|n IH]; intros s i x I; [lia|]. simpl. unfold set at 2.
  destruct (Nat.eqb_spec n i) as [->|N].
  - assert (E : forall k, (k <= i)%nat ->
      total k {| lo := set (lo s) i x; hi := hi s; candidate := candidate s; guess := guess s |} = total k s).
    { induction k as [|k IHk]; intros K; simpl; [reflexivity|]. rewrite IHk by lia. unfold set.
      destruct (Nat.eqb_spec k i); [lia | reflexivity]. }
    rewrite E by lia. lia.
  - rewrite IH by lia. lia.
Qed.

Lemma total_set_hi : forall n s i x, (i < n)%nat ->
  total n {| lo := lo s; hi := set (hi s) i x; candidate := candidate s; guess := guess s |} = total n s - (hi s i - x).
Proof.
  induction n as [|n IH]; intros s i x I; [lia|]. simpl. unfold set at 2.
  destruct (Nat.eqb_spec n i) as [->|N].
  - assert (E : forall k, (k <= i)%nat ->
      total k {| lo := lo s; hi := set (hi s) i x; candidate := candidate s; guess := guess s |} = total k s).
    { induction k as [|k IHk]; intros K; simpl; [reflexivity|]. rewrite IHk by lia. unfold set.
      destruct (Nat.eqb_spec k i); [lia | reflexivity]. }
    rewrite E by lia. lia.
  - rewrite IH by lia. lia.
Qed.

Lemma total_bounds : forall n s s', lo s = lo s' -> hi s = hi s' -> total n s = total n s'.
Proof. intros n s s' L H; induction n as [|n IH]; simpl; [reflexivity | rewrite IH, L, H; reflexivity]. Qed.

Lemma answer_bounds : forall n st s i b g,
  lo (answer n st s i b g) = (if b <=? g then set (lo s) i (Z.min g (hi s i)) else lo s) /\
  hi (answer n st s i b g) = (if b <=? g then hi s else set (hi s) i (Z.max g (lo s i))).
Proof.
  intros n st s i b g; unfold answer. destruct st as [| |anew].
  3: { match goal with |- context [unasked ?x ?y] => destruct (unasked x y) end; split; reflexivity. }
  all: destruct (b <=? g), (Nat.eqb i (candidate s)); simpl; split; reflexivity.
Qed.

(** Every result narrows the open range and keeps the invariant. *)
Lemma answer_sane : forall v bottom top n st s i b g,
  sane v bottom top n st s -> (i < n)%nat -> lo s i < b <= hi s i ->
  match st with Separate _ => True | _ => i <> candidate s -> lo s (candidate s) < b end ->
  contract (v i) b g ->
  sane v bottom top n st (answer n st s i b g) /\ total n (answer n st s i b g) < total n s.
Proof.
  intros v bottom top n st s i b g (M & T & C & Gs) I Bo Cand [CL CH].
  pose proof (T i I) as Ti.
  destruct (answer_bounds n st s i b g) as [EL EH].
  assert (Tot : total n (answer n st s i b g) < total n s).
  { destruct (Z.leb_spec b g) as [Up|Down].
    - rewrite (total_bounds n _ {| lo := set (lo s) i (Z.min g (hi s i)); hi := hi s; candidate := candidate s;
        guess := guess s |} EL EH), total_set_lo by exact I. lia.
    - rewrite (total_bounds n _ {| lo := lo s; hi := set (hi s) i (Z.max g (lo s i)); candidate := candidate s;
        guess := guess s |} EL EH), total_set_hi by exact I. specialize (CL Down). lia. }
  split; [|exact Tot].
  assert (True_ : forall j, (j < n)%nat -> bottom <= lo (answer n st s i b g) j /\ lo (answer n st s i b g) j <= v j /\
    v j <= hi (answer n st s i b g) j /\ hi (answer n st s i b g) j <= top /\ bottom < v j).
  { intros j J. rewrite EL, EH. pose proof (T j J) as Tj. unfold set.
    destruct (Z.leb_spec b g) as [Up|Down]; destruct (Nat.eqb_spec j i) as [->|]; lia. }
  pose proof (C i I) as Ci. pose proof (T (candidate s) M) as Tm.
  unfold sane. split; [|split; [exact True_|]]; clear True_ Tot; rewrite ?EL, ?EH; unfold answer, set in *.
  - destruct st as [| |anew].
    3: { match goal with |- context [unasked ?x ?y] => destruct (unasked x y) end; simpl;
         match goal with |- context [?x <? ?y] => destruct (x <? y) end; assumption. }
    all: destruct (b <=? g), (Nat.eqb i (candidate s)); simpl; assumption.
  - destruct st as [| |anew].
    3: { clear EL EH. match goal with |- context [unasked ?x ?y] => destruct (unasked x y) end; simpl;
         (split; [|exact Logic.I]); intros j J; pose proof (C j J) as Cj;
         destruct (Z.leb_spec b g) as [Up|Down]; simpl;
         repeat (rewrite ?Nat.eqb_refl in *;
           match goal with
           | |- context [?x <? ?y] => destruct (Z.ltb_spec x y)
           | H : context [Nat.eqb ?x ?y] |- _ => destruct (Nat.eqb_spec x y); subst
           | |- context [Nat.eqb ?x ?y] => destruct (Nat.eqb_spec x y); subst
           end); lia. }
    all: destruct (Z.leb_spec b g) as [Up|Down], (Nat.eqb_spec i (candidate s)) as [Ei|Ni]; simpl;
      [specialize (CH Up) | specialize (CH Up) | specialize (CL Down) | specialize (CL Down)];
      (split; [intros j J; pose proof (C j J) as Cj|]);
      try (specialize (Cand Ni));
      rewrite ?Nat.eqb_refl;
      repeat match goal with
      | |- context [Nat.eqb ?x ?y] => destruct (Nat.eqb_spec x y); subst
      end; try congruence; try lia.
Qed.

(** A best move is known, and its value lies within the greatest bounds. *)
Definition proved (v : nat -> Z) (bottom : Z) (n : nat) (r : option state) : Prop :=
  exists s, r = Some s /\ (candidate s < n)%nat /\ (forall i, (i < n)%nat -> v i <= v (candidate s)) /\
  most (lo s) bottom n <= v (candidate s) <= most (hi s) bottom n.

(** Any strategy proves a best move, with at most as many passes as values were open at the start. *)
Theorem every_strategy_proves_a_best_move : forall sp v bottom top n st run_mt start,
  (0 < n)%nat -> (forall i, (i < n)%nat -> bottom < v i <= top) -> start <= top ->
  (forall i b, (i < n)%nat -> keeps sp (contract (v i) b) (run_mt i b)) ->
  keeps sp (proved v bottom n)
    (prove_best bottom n st run_mt (n * Z.to_nat (top - bottom))
      {| lo := fun _ => bottom; hi := fun _ => top; candidate := 0; guess := start |}).
Proof.
  intros sp v bottom top n st run_mt start0 N V St K.
  assert (Go : forall fuel s, sane v bottom top n st s -> total n s <= Z.of_nat fuel ->
    keeps sp (proved v bottom n)
      (prove_best bottom n st run_mt fuel s)).
  { induction fuel as [|fuel IH]; intros s S F; simpl;
      (destruct (next_pass bottom n st s) as [[i b]|] eqn:Q;
       [|destruct S as (M & T & C & _); exists s; split; [reflexivity|]; split; [exact M|];
         assert (Best : forall i, (i < n)%nat -> v i <= v (candidate s));
         [|split; [exact Best|]; split;
           [apply most_at_most; [specialize (T _ M); lia | intros i I; specialize (T i I); specialize (Best i I); lia]
           |pose proof (most_at_least (hi s) bottom n _ M); specialize (T _ M); lia]];
         intros i I;
         unfold next_pass in Q; pose proof (rival_spec (hi s) (candidate s) n) as R;
         pose proof (T i I) as Ti; pose proof (T _ M) as Tm;
         destruct (rival (hi s) (candidate s) n) as [r|];
         [destruct R as (_ & _ & Rg); destruct (Z.leb_spec (hi s r) (lo s (candidate s))); [|discriminate];
          destruct (Nat.eq_dec i (candidate s)) as [->|Ni]; [lia | specialize (Rg i I Ni); lia]
         |rewrite (R i I); lia]]).
    - exfalso. destruct (next_pass_open _ _ _ _ _ _ _ _ S Q) as (I & B & _).
      assert (P : forall k, (k <= n)%nat -> 0 <= total k s /\ ((i < k)%nat -> 0 < total k s)).
      { destruct S as (_ & T & _). induction k as [|k IHk]; intros Kn; simpl; [lia|].
        destruct (IHk ltac:(lia)) as [A A']. pose proof (T k ltac:(lia)). 
        destruct (Nat.eq_dec i k) as [->|]; split; try lia; intros; specialize (A' ltac:(lia)); lia. }
      destruct (P n ltac:(lia)) as [_ P']. specialize (P' I). lia.
    - destruct (next_pass_open _ _ _ _ _ _ _ _ S Q) as (I & B & Cand).
      apply keeps_bind with (1 := K i b I). intros g Cg.
      destruct (answer_sane v bottom top n st s i b g S I B Cand Cg) as [S' T'].
      apply IH; [exact S' | lia]. }
  apply Go.
  - split; [exact N|]. split; [|split].
    + intros i I; simpl. specialize (V i I). lia.
    + intros; simpl; lia.
    + destruct st; simpl; auto.
  - assert (E : forall k, total k {| lo := fun _ => bottom; hi := fun _ => top; candidate := 0; guess := start0 |} =
      Z.of_nat k * (top - bottom)) by (induction k as [|k IHk]; [reflexivity | simpl total; rewrite IHk; lia]).
    rewrite E. specialize (V 0%nat N). rewrite Nat2Z.inj_mul, Z2Nat.id by lia. lia.
Qed.

(** MTD-best at the root of a game. *)
Definition mtd_best (bottom top start : Z) (st : strategy) (d : nat) (p : pos G) : prog G (option state) :=
  let cs := children G p in
  let run_mt i b :=
    match nth_error cs i with
    | Some c => bind (mt G d (snd c) (child_gamma G c b)) (fun v => Ret (from_child G c v))
    | None => Stopped
    end in
  prove_best bottom (length cs) st run_mt (length cs * Z.to_nat (top - bottom))
    {| lo := fun _ => bottom; hi := fun _ => top; candidate := 0; guess := start |}.

Theorem mtd_best_returns_a_best_move : forall bottom top start st d p,
  children G p <> [] -> (forall c, In c (children G p) -> bottom < val G d c <= top) -> start <= top ->
  keeps (truthful G) (fun r => exists s c, r = Some s /\ nth_error (children G p) (candidate s) = Some c /\
    val G d c = f G (S d) p /\
    most (lo s) bottom (length (children G p)) <= f G (S d) p <= most (hi s) bottom (length (children G p)))
    (mtd_best bottom top start st d p).
Proof.
  intros bottom top start0 st d p N V St. unfold mtd_best.
  set (v := fun i => match nth_error (children G p) i with Some c => val G d c | None => 0 end).
  eapply keeps_post; [|apply every_strategy_proves_a_best_move with (v := v)].
  - intros r (s & -> & M & Best & Bounds).
    destruct (nth_error (children G p) (candidate s)) as [c|] eqn:E; [|apply nth_error_None in E; lia].
    assert (V' : val G d c = f G (S d) p).
    2: { exists s, c. unfold v in Bounds. rewrite E, V' in Bounds. auto. }
    apply Z.le_antisymm.
    + apply f_greatest. apply nth_error_In with (candidate s); exact E.
    + destruct (f_attained G d p N) as (c' & I & ->). apply In_nth_error in I. destruct I as [i Ei].
      assert (Li : (i < length (children G p))%nat) by (apply nth_error_Some; congruence).
      specialize (Best i Li). unfold v in Best. rewrite E, Ei in Best. exact Best.
  - destruct (children G p); [congruence | simpl; lia].
  - intros i I. unfold v. destruct (nth_error (children G p) i) as [c|] eqn:E.
    + apply V. apply nth_error_In with i; exact E.
    + apply nth_error_None in E; lia.
  - exact St.
  - intros i b I. unfold v. destruct (nth_error (children G p) i) as [c|] eqn:E; [|exact Logic.I].
    apply keeps_bind with (1 := mt_keeps_its_contract G d (snd c) (child_gamma G c b)).
    intros g Cg. apply contract_back; exact Cg.
Qed.

End Best.
