(** Stockman's SSS* is MTD(+∞), and DUAL* is MTD(−∞): the same leaves in the same order. *)

From Coq Require Import ZArith Lia List Bool Arith Permutation.
Require Import Value Game Program Mt Driver Relations Stockman Order Refine Frontier Remember MtRefines Truth.
Import ListNotations.
Open Scope Z_scope.

Section Sss.
Variable G : game.
Variable M : memory (paths G).
Hypothesis Keeps : forgets_nothing G M.

Lemma inside_is_no_leaf : forall below mx cs l v, fst (inside G below mx cs l) <> LeafLow v.
Proof.
  intros below mx cs l v. unfold inside. destruct mx.
  - destruct (all_low G below 0 cs l) as [[l'|] e]; [destruct (top None l')|]; discriminate.
  - destruct (one_low G below 0 cs l) as [[[u l']|] e]; discriminate.
Qed.

(** ** One pass of MT, and the steps of the Γ operator that do the same *)

Section Passes.
Variables (d : nat) (p : pos G) (mx0 : bool) (lo hi : Z).
Hypothesis B : leaves_between G (S d) p mx0 lo hi.
Hypothesis Inner : children G p <> [].

Notation view := (view G 0 mx0).
Notation steps := (steps G (S d) p mx0).

(** Before a pass: the memory and OPEN hold the same tree. It is empty before the first pass, when the merit is +∞;
    later its value is the merit. *)
Definition agree (m : option Z) (γ : Z) (a : ann) (t : table M) (O : list state) : Prop :=
  wf G lo (S d) p mx0 a /\ remembered G M t γ (S d) [] p mx0 a /\ holds_states O (open_of m [] a) /\
  (a = Unseen /\ m = None /\ γ = hi \/ is_low a /\ worth a = γ /\ m = Some γ) /\ (forall v, a <> LeafLow v) /\
  true_of G γ 0 (S d) p mx0 a.

Lemma one_pass : forall m γ γ' a t log O, agree m γ a t O -> gamma_at G 0 mx0 γ γ' ->
  exists g best t' log' O', run M (pass (paths G) (S d) ([], p) γ') t log = (Some (g, best), t', log') /\
    steps O (evaluations G log) O' (evaluations G log') /\
    (view g = γ /\ γ = view (f G (S d) p) /\ m = Some γ /\ O' = [done m []] \/
     lo < view g < γ /\ exists a', agree (Some (view g)) (view g) a' t' O').
Proof.
  intros m γ γ' a t log O (Wf & R & HO & Start & Nl & Tr) A.
  assert (W : walk G (S d) p mx0 [] = Some (S d, p, mx0)) by reflexivity.
  assert (Ns : ~ settled γ a).
  { unfold settled. destruct Start as [(-> & _)|(L & E & _)].
    - intros [H|[[v H]|[[] _]]]; discriminate.
    - intros [->|[[v H]|[_ H]]]; [exact L | exact (Nl v H) | lia]. }
  destruct (pass_refines G M Keeps (S d) p mx0 lo hi B d p a γ γ' t log A eq_refl eq_refl Inner Wf R Ns)
    as (g & best & t' & log' & Run & Ev & K & Rt1 & Rt2).
  assert (Mer : merit_is hi m γ) by (destruct Start as [(_ & -> & ->)|(_ & _ & ->)]; [right | left]; auto).
  assert (Fit : fitting m γ a) by (intros L; destruct Start as [(-> & _)|(_ & E & Em)]; [destruct L | right; auto]).
  pose proof (visit_refines G (S d) p mx0 lo hi B m γ Mer (S d) p mx0 [] a (evaluations G log) [] W Wf Fit
    (fun r I => match I with end)) as St.
  pose proof (visit_wf G (S d) p mx0 lo hi B γ (S d) p mx0 [] a W Wf) as [Wf' Dc].
  assert (Nl' : forall v, fst (visit G γ (S d) p mx0 [] a) <> LeafLow v).
  { intros v. rewrite visit_inside by assumption. apply inside_is_no_leaf. }
  pose proof (visit_true G (S d) p mx0 lo hi B γ (S d) p mx0 [] a W Wf Tr) as Tr'.
  change (length (@nil nat)) with 0%nat in *.
  assert (First : a = Unseen -> γ = hi -> is_high (fst (visit G γ (S d) p mx0 [] a)) = false).
  { intros -> ->. apply (first_visit_is_low G (S d) p mx0 lo hi B (S d) p mx0 [] W). }
  rewrite !app_nil_r in St. rewrite <- Ev in St. destruct (St O HO) as (O' & HO' & Sp).
  exists g, best, t', log', O'. split; [exact Run|]. split; [exact Sp|].
  destruct (visit G γ (S d) p mx0 [] a) as [a' e]. cbn [fst snd] in *.
  destruct (is_high a') eqn:H.
  - left. destruct Start as [(-> & _ & Eh)|(L & E & Em)]; [specialize (First eq_refl Eh); discriminate|].
    split; [specialize (Rt2 L ltac:(lia) eq_refl); lia|].
    destruct a'; try discriminate. split; [|split; [exact Em|]].
    { pose proof (true_low G γ 0 (S d) p mx0 a Tr L) as Up. rewrite E in Up. unfold minimax in Up. simpl in Tr'.
      unfold minimax in Tr'. simpl in Tr', Up |- *. lia. }
    destruct HO' as [_ P].
    apply Permutation_sym, Permutation_length_1_inv in P. exact P.
  - right. destruct Dc as [Dc|[L Lt]]; [congruence|]. pose proof (low_above G lo _ _ _ _ Wf' L) as Lo.
    split; [rewrite Rt1; lia|]. exists a'. split; [exact Wf'|]. split; [|split; [|split; [|split; [exact Nl'|]]]].
    + eapply remembered_less; [|exact K]. rewrite Rt1. lia.
    + rewrite (open_of_low G lo (S d) p mx0 a' (Some (view g)) m []) by assumption. exact HO'.
    + right. rewrite Rt1. auto.
    + eapply true_less; [|exact Tr']. lia.
Qed.

Lemma begins : forall t, knows_nothing G M t ->
  agree None hi Unseen t [{| merit := None; path := []; solved := false |}].
Proof.
  intros t K. split; [exact I|]. split; [intros d' x q'; apply K|].
  split; [split; [constructor; constructor | reflexivity]|]. split; [left; auto|]. split; [discriminate | exact I].
Qed.

End Passes.

(** ** The drivers *)

Lemma sss_loop : forall d p lo hi, leaves_between G (S d) p true lo hi -> children G p <> [] ->
  forall fuel s m γ a t log O, agree d p true lo hi m γ a t O ->
  below s = lo -> above s = γ -> g s = γ -> lo < γ -> γ - lo <= Z.of_nat fuel ->
  exists s' t' log' n,
    run M (mtd_loop (paths G) sss (by_mt (paths G) (S d) ([], p)) fuel s tt) t log =
      (Some (Some s'), t', log') /\
    below s' = f G (S d) p /\ above s' = f G (S d) p /\
    forall k, gamma_operator G (n + S k) (S d) p true O (evaluations G log) = (Some (below s'), evaluations G log').
Proof.
  intros d p lo hi B Inner. induction fuel as [|fuel IH]; intros s m γ a t log O Ag Eb Ea Eg L F; [lia|].
  assert (A : gamma_at G 0 true γ γ) by (intros v; reflexivity).
  destruct (one_pass d p true lo hi B Inner m γ γ a t log O Ag A)
    as (v & best & t1 & log1 & O1 & Run & (n1 & Sp) & Res).
  cbn [mtd_loop]. rewrite Eb, Ea. destruct (Z.ltb_spec lo γ) as [_|]; [|lia].
  cbn [next sss stateless]. rewrite Eg.
  replace (clamp γ (lo + 1) γ) with γ by (unfold clamp; lia).
  rewrite run_bind. unfold by_mt at 1. rewrite run_bind, Run. cbn [run fst snd].
  change (view G 0 true v) with v in Res. change (view G 0 true (f G (S d) p)) with (f G (S d) p) in Res.
  destruct Res as [(Ev & Ef & Em & ->)|(Lv & a' & Ag')].
  - exists (advance s γ v), t1, log1, n1. subst v.
    assert (Es : below (advance s γ γ) = γ /\ above (advance s γ γ) = γ).
    { unfold advance; simpl. rewrite Z.ltb_irrefl, Ea. rewrite Z.ltb_irrefl. auto. }
    destruct Es as [E1 E2]. split; [|split; [congruence | split; [congruence|]]].
    + destruct fuel; cbn [mtd_loop]; rewrite E1, E2, Z.ltb_irrefl; reflexivity.
    + intros k. rewrite Sp, E1, Em. reflexivity.
  - assert (Es : below (advance s γ v) = lo /\ above (advance s γ v) = v /\ g (advance s γ v) = v).
    { unfold advance; simpl. destruct (Z.ltb_spec v γ); [|lia]. rewrite Eb. destruct (Z.ltb_spec v lo); [lia|]. auto. }
    destruct Es as (E1 & E2 & E3).
    destruct (IH (advance s γ v) _ v a' t1 log1 O1 Ag' E1 E2 E3 ltac:(lia) ltac:(lia))
      as (s' & t' & log' & n & Run' & Ef & Es' & Sp').
    exists s', t', log', (n1 + n)%nat. split; [exact Run'|]. split; [exact Ef|]. split; [exact Es'|].
    intros k. rewrite <- Nat.add_assoc, Sp. apply Sp'.
Qed.

Lemma dual_loop : forall d p lo hi, leaves_between G (S d) p false lo hi -> children G p <> [] ->
  forall fuel s m γ a t log O, agree d p false lo hi m γ a t O ->
  below s = - γ -> above s = - lo -> g s = - γ -> lo < γ -> γ - lo <= Z.of_nat fuel ->
  exists s' t' log' n,
    run M (mtd_loop (paths G) dual (by_mt (paths G) (S d) ([], p)) fuel s tt) t log =
      (Some (Some s'), t', log') /\
    below s' = f G (S d) p /\ above s' = f G (S d) p /\
    forall k, gamma_operator G (n + S k) (S d) p false O (evaluations G log) = (Some (- below s'), evaluations G log').
Proof.
  intros d p lo hi B Inner. induction fuel as [|fuel IH]; intros s m γ a t log O Ag Eb Ea Eg L F; [lia|].
  assert (A : gamma_at G 0 false γ (- γ + 1)) by (intros v; unfold view; simpl; lia).
  destruct (one_pass d p false lo hi B Inner m γ _ a t log O Ag A)
    as (v & best & t1 & log1 & O1 & Run & (n1 & Sp) & Res).
  cbn [mtd_loop]. rewrite Eb, Ea. destruct (Z.ltb_spec (- γ) (- lo)) as [_|]; [|lia].
  cbn [next dual stateless]. rewrite Eg.
  replace (clamp (- γ + 1) (- γ + 1) (- lo)) with (- γ + 1) by (unfold clamp; lia).
  rewrite run_bind. unfold by_mt at 1. rewrite run_bind, Run. cbn [run fst snd].
  change (view G 0 false v) with (- v) in Res. change (view G 0 false (f G (S d) p)) with (- f G (S d) p) in Res.
  destruct Res as [(Ev & Ef & Em & ->)|(Lv & a' & Ag')].
  - assert (v = - γ) by lia. subst v. exists (advance s (- γ + 1) (- γ)), t1, log1, n1.
    assert (Es : below (advance s (- γ + 1) (- γ)) = - γ /\ above (advance s (- γ + 1) (- γ)) = - γ).
    { unfold advance; simpl. destruct (Z.ltb_spec (- γ) (- γ + 1)); [|lia]. rewrite Eb, Z.ltb_irrefl. auto. }
    destruct Es as [E1 E2]. split; [|split; [lia | split; [lia|]]].
    + destruct fuel; cbn [mtd_loop]; rewrite E1, E2, Z.ltb_irrefl; reflexivity.
    + intros k. rewrite Sp, E1, Em, Z.opp_involutive. reflexivity.
  - assert (Es : below (advance s (- γ + 1) v) = v /\ above (advance s (- γ + 1) v) = - lo /\
      g (advance s (- γ + 1) v) = v).
    { unfold advance; simpl. destruct (Z.ltb_spec v (- γ + 1)); [lia|]. rewrite Ea.
      destruct (Z.ltb_spec (- lo) v); [lia|]. auto. }
    destruct Es as (E1 & E2 & E3).
    destruct (IH (advance s (- γ + 1) v) _ (- v) a' t1 log1 O1 Ag' ltac:(lia) E2 ltac:(lia)
      ltac:(lia) ltac:(lia))
      as (s' & t' & log' & n & Run' & Ef & Es' & Sp').
    exists s', t', log', (n1 + n)%nat. split; [exact Run'|]. split; [exact Ef|]. split; [exact Es'|].
    intros k. rewrite <- Nat.add_assoc, Sp. apply Sp'.
Qed.

(** ** The theorems *)

(** A game to be searched to a depth of at least 1, in which every leaf is worth more than [low] and less than [high],
    as the first side sees it at the root. *)
Definition searchable (d : nat) (p : pos G) (low high : Z) : Prop :=
  d <> O /\ children G p <> [] /\ leaves_between G d p true low high.

(** The leaves that a run has evaluated, in the order of their evaluation. *)
Definition leaves (log : list (event (paths G))) : list (list nat) := rev (evaluations G log).

(** Where some leaf exists, so does a value between the bounds. *)
Lemma bounds_apart : forall d p mx low high, children G p <> [] -> leaves_between G (S d) p mx low high ->
  forall t, knows_nothing G M t -> low < high.
Proof.
  intros d p mx low high Inner B t K.
  assert (A : gamma_at G 0 mx high (if mx then high else - high + 1)) by (intros v; unfold view; destruct mx; simpl; lia).
  destruct (one_pass d p mx low high B Inner None high _ Unseen t [] _ (begins d p mx low high t K) A)
    as (v & best & t1 & log1 & O1 & _ & _ & [(_ & _ & Em & _)|(L & _)]); [discriminate | lia].
Qed.

(** What MTD(+∞) does with a memory that forgets nothing: SSS* returns the same value, having evaluated the same
    leaves in the same order. [enough] steps of the Γ operator suffice. *)
Theorem sss_is_mtd_plus_infinity : forall t d p low high approximation,
  knows_nothing G M t -> searchable d p low high ->
  exists s t' log enough,
    run M (mtd (paths G) sss approximation low high (by_mt (paths G) d ([], p))) t [] = (Some (Some s), t', log) /\
    below s = f G d p /\ above s = f G d p /\
    forall fuel, (enough <= fuel)%nat -> stockman G false fuel d p = (Some (f G d p), leaves log).
Proof.
  intros t d p low high approximation K (Nd & Inner & B). destruct d as [|d]; [congruence|].
  pose proof (bounds_apart d p true low high Inner B t K) as LH.
  destruct (sss_loop d p low high B Inner (Z.to_nat (high - low)) (beginning sss approximation low high)
    None high Unseen t [] _ (begins d p true low high t K) eq_refl eq_refl eq_refl LH ltac:(lia))
    as (s & t' & log & n & Run & Ef & Es & Sp).
  exists s, t', log, (S n). split; [exact Run|]. split; [exact Ef|]. split; [exact Es|].
  intros fuel Le. unfold stockman. replace fuel with (n + S (fuel - S n))%nat by lia.
  change (evaluations G []) with (@nil (list nat)) in Sp. cbn [negb]. rewrite Sp, Ef. reflexivity.
Qed.

(** DUAL* is SSS* of the other side, and its values are the negated ones. *)
Lemma walk_flip : forall d p mx π, walk G d p (negb mx) π =
  match walk G d p mx π with Some (d', q, m) => Some (d', q, negb m) | None => None end.
Proof.
  induction d as [|d IH]; intros p mx [|i π]; simpl; try reflexivity.
  destruct (nth_error (children G p) i) as [c|]; [|reflexivity].
  rewrite <- IH. destruct (fst c); reflexivity.
Qed.

Lemma leaves_flip : forall d p low high, leaves_between G d p true low high ->
  leaves_between G d p false (- high) (- low).
Proof.
  intros d p low high B π d' q mx W L. change false with (negb true) in W. rewrite walk_flip in W.
  destruct (walk G d p true π) as [[[d1 q1] m1]|] eqn:E; [|discriminate]. injection W; intros <- -> ->.
  specialize (B π d' q m1 E L). unfold view in *. destruct m1; simpl in *; lia.
Qed.

Theorem dual_is_mtd_minus_infinity : forall t d p low high approximation,
  knows_nothing G M t -> searchable d p low high ->
  exists s t' log enough,
    run M (mtd (paths G) dual approximation low high (by_mt (paths G) d ([], p))) t [] = (Some (Some s), t', log) /\
    below s = f G d p /\ above s = f G d p /\
    forall fuel, (enough <= fuel)%nat -> stockman G true fuel d p = (Some (f G d p), leaves log).
Proof.
  intros t d p low high approximation K (Nd & Inner & B). destruct d as [|d]; [congruence|].
  pose proof (bounds_apart d p true low high Inner B t K) as LH. apply leaves_flip in B.
  destruct (dual_loop d p (- high) (- low) B Inner (Z.to_nat (high - low))
    (beginning dual approximation low high)
    None (- low) Unseen t [] _ (begins d p false _ _ t K)) as (s & t' & log & n & Run & Ef & Es & Sp);
    [simpl; lia | simpl; lia | simpl; lia | lia | lia |].
  exists s, t', log, (S n). split; [exact Run|]. split; [exact Ef|]. split; [exact Es|].
  intros fuel Le. unfold stockman. replace fuel with (n + S (fuel - S n))%nat by lia.
  change (evaluations G []) with (@nil (list nat)) in Sp. cbn [negb]. rewrite Sp, Ef. simpl.
  rewrite Z.opp_involutive. reflexivity.
Qed.

End Sss.

(** ** The paper's worked example, figures 3 to 7 *)

Inductive node := Tip (v : Z) | Fork (l r : node).

Definition forks : game := {|
  pos := node;
  children := fun t => match t with Tip _ => [] | Fork l r => [(false, l); (false, r)] end;
  leaf := fun _ t => match t with Tip v => v | Fork _ _ => 0 end;
  ages := emtee_ageing
|}.

Definition figure : pos forks :=
  let four a b c d := Fork (Fork (Tip a) (Tip b)) (Fork (Tip c) (Tip d)) in
  Fork (Fork (four 41 5 12 90) (four 101 80 20 30)) (Fork (four 34 80 36 35) (four 50 36 25 3)).

Definition tip (π : list nat) : Z :=
  match walk forks 4 figure true π with Some (_, Tip v, _) => v | _ => 0 end.

Example figure_by_stockman : map tip (snd (stockman forks false 100 4 figure)) = [41; 12; 34; 36; 5; 35; 50; 36].
Proof. reflexivity. Qed.

Example figure_by_mtd :
  map tip (leaves forks (snd (run (path_memory forks)
    (mtd (paths forks) sss 0 (-1000) 1000 (by_mt (paths forks) 4 ([], figure))) (fun _ => unknown) []))) =
  [41; 12; 34; 36; 5; 35; 50; 36].
Proof. reflexivity. Qed.
