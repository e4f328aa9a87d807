(** The nodes that a null-window search reaches, where children keep their order. *)

From Coq Require Import ZArith Lia List Permutation Bool Arith.
Require Import Value Game Program Mt.
Import ListNotations.
Open Scope Z_scope.

Section Reach.
Variable G : game.

(** ** The tree of a game: a node is a path from the root, and the position there *)

Fixpoint numbered (π : list nat) (i : nat) (cs : list (bool * pos G)) : list (bool * (list nat * pos G)) :=
  match cs with
  | [] => []
  | c :: rest => (fst c, (π ++ [i], snd c)) :: numbered π (S i) rest
  end.

Definition paths : game := {|
  pos := list nat * pos G;
  children := fun q => numbered (fst q) 0 (children G (snd q));
  leaf := fun d q => leaf G d (snd q);
  ages := ages G
|}.

Lemma numbered_nth : forall cs π i j,
  nth_error (numbered π i cs) j = option_map (fun c => (fst c, (π ++ [(i + j)%nat], snd c))) (nth_error cs j).
Proof.
  induction cs as [|c cs IH]; intros π i [|j]; simpl; auto.
  - rewrite Nat.add_0_r; reflexivity.
  - rewrite IH. rewrite Nat.add_succ_r. reflexivity.
Qed.

Lemma numbered_map : forall A (h : child paths -> A) (h' : child G -> A) cs π i,
  (forall e ρ p, h (e, (ρ, p)) = h' (e, p)) -> map h (numbered π i cs) = map h' cs.
Proof.
  intros A h h' cs π i E. revert i; induction cs as [|[e p] cs IH]; intros i; simpl; [reflexivity|].
  rewrite IH. f_equal. apply E.
Qed.

Lemma numbered_firstn : forall n cs π i, firstn n (numbered π i cs) = numbered π i (firstn n cs).
Proof. induction n as [|n IH]; intros [|c cs] π i; simpl; auto. rewrite IH; reflexivity. Qed.

Lemma numbered_in : forall cs π i e p, In (e, p) cs -> exists ρ, In (e, (ρ, p)) (numbered π i cs).
Proof.
  induction cs as [|[e' p'] cs IH]; intros π i e p; simpl; [tauto|].
  intros [E|I]; [injection E; intros; subst; eauto|]. destruct (IH π (S i) e p I) as [ρ I']; eauto.
Qed.

Lemma f_paths : forall d q, f paths d q = f G d (snd q).
Proof.
  induction d as [|d IH]; intros q; [reflexivity|]. simpl.
  rewrite (numbered_map Z _ (fun c => from_child G c (f G d (snd c)))); [reflexivity|].
  intros e ρ p. unfold from_child; simpl. rewrite IH. reflexivity.
Qed.

Lemma val_paths : forall d e ρ p, val paths d (e, (ρ, p)) = val G d (e, p).
Proof. intros; unfold val, from_child; simpl. rewrite f_paths. reflexivity. Qed.

(** A path is reached with γ if at each of its nodes the elder brothers of the next are less than γ there. *)
Fixpoint reaches (d : nat) (p : pos G) (γ : gamma) (path : list nat) {struct path} : Prop :=
  match path with
  | [] => True
  | i :: rest =>
    match d, nth_error (children G p) i with
    | S d', Some c =>
      (forall x, In x (firstn i (children G p)) -> val G d' x < γ) /\ reaches d' (snd c) (child_gamma G c γ) rest
    | _, _ => False
    end
  end.

(** What happens at the end of a path: a visit, and an evaluation if it is a leaf. [whole] is the path from the root. *)
Fixpoint occurs (d : nat) (p : pos G) (whole path : list nat) (e : event paths) {struct path} : Prop :=
  match path with
  | [] => e = @Visited paths d (whole, p) \/ (d = O \/ children G p = []) /\ e = @Evaluated paths d (whole, p)
  | i :: rest =>
    match d, nth_error (children G p) i with
    | S d', Some c => occurs d' (snd c) whole rest e
    | _, _ => False
    end
  end.

Definition reached_event (d : nat) (π : list nat) (p : pos G) (γ : gamma) (e : event paths) : Prop :=
  exists path, reaches d p γ path /\ occurs d p (π ++ path) path e.

(** ** α and β of a node: the greatest elder brother of it or of an ancestor where MAX moves, and the least where MIN moves,
    as the root sees them *)

Definition omax (v : Z) (m : option Z) : option Z := match m with Some w => Some (Z.max v w) | None => Some v end.

Fixpoint alpha_beta (d : nat) (p : pos G) (path : list nat) {struct path} : option (option Z * option Z) :=
  match path with
  | [] => Some (None, None)
  | i :: rest =>
    match d, nth_error (children G p) i with
    | S d', Some c =>
      match alpha_beta d' (snd c) rest with
      | Some (α, β) =>
        let up := option_map (from_child G c) in
        let elder := fold_right (fun x m => omax (val G d' x) m) in
        Some (elder (if fst c then up α else up β) (firstn i (children G p)), if fst c then up β else up α)
      | None => None
      end
    | _, _ => None
    end
  end.

Definition less (α : option Z) (γ : gamma) : Prop := match α with Some v => v < γ | None => True end.
Definition greater (β : option Z) (γ : gamma) : Prop := match β with Some v => γ <= v | None => True end.

Lemma less_elder : forall (value : child G -> Z) γ α cs,
  less (fold_right (fun x m => omax (value x) m) α cs) γ <-> (forall x, In x cs -> value x < γ) /\ less α γ.
Proof.
  intros value γ α. induction cs as [|c cs IH]; simpl; [intuition|].
  assert (E : forall v m, less (omax v m) γ <-> v < γ /\ less m γ) by (intros v [w|]; simpl; lia).
  rewrite E, IH. intuition (subst; auto).
Qed.

Lemma reaches_alpha_beta : forall path d p γ,
  reaches d p γ path <-> exists α β, alpha_beta d p path = Some (α, β) /\ less α γ /\ greater β γ.
Proof.
  induction path as [|i rest IH]; intros d p γ; simpl.
  - split; [intros _; exists None, None; repeat split | intros _; exact I].
  - destruct d as [|d]; [split; [tauto | intros (? & ? & ? & _); discriminate]|].
    destruct (nth_error (children G p) i) as [c|]; [|split; [tauto | intros (? & ? & ? & _); discriminate]].
    rewrite IH.
    assert (Up : forall o, (if fst c then less (option_map (from_child G c) o) γ <-> less o (child_gamma G c γ)
                            else less (option_map (from_child G c) o) γ <-> greater o (child_gamma G c γ)) /\
      (if fst c then greater (option_map (from_child G c) o) γ <-> greater o (child_gamma G c γ)
       else greater (option_map (from_child G c) o) γ <-> less o (child_gamma G c γ))).
    { intros [v|]; simpl; [|destruct (fst c); tauto].
      pose proof (to_parent_to_child (ages G) (fst c) v γ) as E. unfold from_child, child_gamma.
      destruct (fst c); split; lia. }
    split.
    + intros (El & α & β & -> & A & B). eexists; eexists; split; [reflexivity|].
      rewrite less_elder. destruct (fst c); (split; [split; [exact El|]|]); apply Up; assumption.
    + intros (α & β & E & A & B). destruct (alpha_beta d (snd c) rest) as [[α' β']|]; [|discriminate].
      injection E; intros <- <-. rewrite less_elder in A. destruct A as [El A].
      split; [exact El|]. exists α', β'. split; [reflexivity|].
      destruct (fst c); split; apply Up; assumption.
Qed.

(** ** With any memory: MT visits nothing else *)

Definition only (ok : event paths -> Prop) : spec paths := {|
  known := fun d q b => holds b (f paths d q);
  stored := fun d q b => holds b (f paths d q);
  visited := fun d q => ok (Visited d q);
  evaluated := fun d q => ok (Evaluated d q);
  ordered := fun q cs => cs = children paths q
|}.

Lemma split_numbered : forall p π before c after,
  children paths (π, p) = before ++ c :: after ->
  exists c0, nth_error (children G p) (length before) = Some c0 /\ c = (fst c0, (π ++ [length before], snd c0)) /\
    before = numbered π 0 (firstn (length before) (children G p)).
Proof.
  intros p π before c after E. simpl in E.
  assert (N : nth_error (numbered π 0 (children G p)) (length before) = Some c).
  { rewrite E, nth_error_app2 by apply Nat.le_refl. rewrite Nat.sub_diag. reflexivity. }
  rewrite numbered_nth in N. destruct (nth_error (children G p) (length before)) as [c0|]; simpl in N; [|discriminate N].
  injection N; intros <-. exists c0; repeat split.
  rewrite <- numbered_firstn, E, firstn_app, Nat.sub_diag, firstn_all, app_nil_r. reflexivity.
Qed.

Lemma reached_below : forall d π p γ c0 i e,
  nth_error (children G p) i = Some c0 -> (forall x, In x (firstn i (children G p)) -> val G d x < γ) ->
  reached_event d (π ++ [i]) (snd c0) (child_gamma G c0 γ) e -> reached_event (S d) π p γ e.
Proof.
  intros d π p γ c0 i e N El (path & R & O). exists (i :: path); simpl. rewrite N. split; [auto|].
  rewrite <- app_assoc in O. exact O.
Qed.

Lemma elders : forall d p π γ before, before = numbered π 0 (firstn (length before) (children G p)) ->
  (forall x, In x before -> val paths d x < γ) ->
  forall x, In x (firstn (length before) (children G p)) -> val G d x < γ.
Proof.
  intros d p π γ before E B [e q] I. destruct (numbered_in _ π 0%nat _ _ I) as [ρ I'].
  rewrite <- E in I'. specialize (B _ I'). rewrite val_paths in B. exact B.
Qed.

Theorem mt_visits_only_what_is_reached : forall d π p γ,
  keeps (only (reached_event d π p γ)) (contract (f paths d (π, p)) γ) (mt paths d (π, p) γ).
Proof.
  induction d as [|d IH]; intros π p γ; cbn [mt keeps];
    (split; [exists []; rewrite app_nil_r; split; [exact I | left; reflexivity]|]); intros b B [|]; try exact I;
    (destruct (answered b γ) as [g|] eqn:A; [apply answered_true with b; assumption|]).
  - apply evaluate_keeps; [reflexivity | | auto].
    exists []; rewrite app_nil_r; split; [exact I | right; auto].
  - destruct (children paths (π, p)) as [|c cs] eqn:Cs.
    + apply evaluate_keeps; [apply f_leaf; exact Cs | | auto].
      exists []; rewrite app_nil_r; split; [exact I|]. right; split; [|reflexivity]. right.
      simpl in Cs. destruct (children G p); [reflexivity | discriminate].
    + eapply keeps_bind; [apply expand_keeps with (d := d) (b := b)|].
      * auto.
      * auto.
      * intros q l E; rewrite E; apply Permutation_refl.
      * intros l before x after Ol El Before. simpl in Ol. rewrite Ol in El.
        destruct (split_numbered p π before x after El) as (c0 & N & -> & Nb).
        eapply keeps_weaken; [| | | | | |apply (IH (π ++ [length before]) (snd c0) (child_gamma G c0 γ))]; simpl; auto;
          intros; (eapply reached_below; [exact N | eapply elders; [exact Nb | exact Before] | assumption]).
      * rewrite Cs; discriminate.
      * exact B.
      * intros r [R _]; exact R.
Qed.

(** ** Without a memory: everything that is reached is visited, by MT and by Alpha-Beta *)

Definition forgetful : memory paths := {| table := unit; get := fun _ _ _ => unknown; put := fun t _ _ _ => t |}.

Definition result {A : Type} (m : prog paths A) : option A := fst (fst (run forgetful m tt [])).
Definition logs {A : Type} (m : prog paths A) : list (event paths) := snd (run forgetful m tt []).

Lemma run_log : forall A (m : prog paths A) log,
  run forgetful m tt log = (result m, tt, logs m ++ log).
Proof.
  intros A m; unfold result, logs.
  assert (U : forall (m : prog paths A) t log, snd (fst (run forgetful m t log)) = tt).
  { intros x t log; destruct (snd (fst (run forgetful x t log))); reflexivity. }
  induction m; intros log; simpl in *; auto.
  - rewrite (H unknown (@Visited paths d p :: log)), (H unknown [@Visited paths d p]); simpl. rewrite <- app_assoc. reflexivity.
  - rewrite (IHm (@Stored paths d p b :: log)), (IHm [@Stored paths d p b]); simpl. rewrite <- app_assoc. reflexivity.
  - rewrite (H _ (@Evaluated paths d p :: log)), (H _ [@Evaluated paths d p]); simpl. rewrite <- app_assoc. reflexivity.
Qed.

Lemma run_bind_log : forall A B (m : prog paths A) (k : A -> prog paths B),
  result (bind m k) = (match result m with Some a => result (k a) | None => None end) /\
  logs (bind m k) = (match result m with Some a => logs (k a) | None => [] end) ++ logs m.
Proof.
  intros A B m k. unfold result at 1, logs at 1. rewrite run_bind, run_log. rewrite app_nil_r.
  destruct (result m) as [a|]; [|split; reflexivity]. rewrite run_log. split; reflexivity.
Qed.

Lemma logs_left : forall A B (m : prog paths A) (k : A -> prog paths B) e, In e (logs m) -> In e (logs (bind m k)).
Proof. intros. rewrite (proj2 (run_bind_log _ _ m k)). apply in_or_app; auto. Qed.

Lemma logs_right : forall A B (m : prog paths A) (k : A -> prog paths B) a e,
  result m = Some a -> In e (logs (k a)) -> In e (logs (bind m k)).
Proof. intros. rewrite (proj2 (run_bind_log _ _ m k)), H. apply in_or_app; auto. Qed.

Lemma result_bind : forall A B (m : prog paths A) (k : A -> prog paths B) a,
  result m = Some a -> result (bind m k) = result (k a).
Proof. intros. rewrite (proj1 (run_bind_log _ _ m k)), H. reflexivity. Qed.

(** The result of a run without memory keeps the contract: empty bounds are true. *)
Lemma result_keeps : forall A (P : A -> Prop) m a,
  keeps (truthful paths) P m -> result m = Some a -> P a.
Proof.
  intros A P m a K R.
  assert (F : fits paths forgetful (truthful paths) (fun _ => True)).
  { repeat split; simpl; try discriminate. intros; apply Permutation_refl. }
  pose proof (run_keeps paths forgetful (truthful paths) (fun _ => True) A P m tt [] F I K (Forall_nil _)) as H.
  unfold result in R. destruct (run forgetful m tt []) as [[r t] l]. apply H. exact R.
Qed.

Lemma loop_result : forall γ search cs g best,
  (forall x h, In x cs -> exists v, result (search h x) = Some v) ->
  exists r, result (loop paths γ search cs g best) = Some r /\ (cs <> [] \/ g <> None -> fst r <> None).
Proof.
  intros γ search. induction cs as [|c cs IH]; intros g best S; simpl.
  - exists (g, best); split; [reflexivity | tauto].
  - destruct (reached g γ) eqn:R.
    + exists (g, best); split; [reflexivity|]. destruct g; [discriminate | discriminate].
    + destruct (S c g (or_introl eq_refl)) as [v V]. rewrite (result_bind _ _ _ _ _ V).
      assert (S' : forall x h, In x cs -> exists v, result (search h x) = Some v) by (intros; apply S; right; assumption).
      destruct (better v g) eqn:B.
      * destruct (IH (Some v) (Some c) S') as (r & E & N). exists r; split; [exact E|]. intros _; apply N; right; discriminate.
      * destruct (IH g best S') as (r & E & N). exists r; split; [exact E|]. intros _; apply N; right.
        destruct g; [discriminate | discriminate].
Qed.

Lemma loop_logs : forall γ search before c after g best e,
  (forall x h, In x before -> exists v, result (search h x) = Some v /\ v < γ) ->
  reached g γ = false -> (forall h, In e (logs (search h c))) ->
  In e (logs (loop paths γ search (before ++ c :: after) g best)).
Proof.
  intros γ search. induction before as [|x before IH]; intros c after g best e S R E; simpl; rewrite R.
  - apply logs_left, E.
  - destruct (S x g (or_introl eq_refl)) as (v & V & L). apply logs_right with v; [exact V|].
    destruct (better v g); apply IH; auto; intros; try (apply S; right; assumption).
    simpl. apply Z.leb_gt. exact L.
Qed.

Lemma mt_result : forall d q γ, exists g, result (mt paths d q γ) = Some g.
Proof.
  induction d as [|d IH]; intros q γ.
  - exists (leaf paths 0 q). reflexivity.
  - unfold result; cbn [mt run]. change (answered (get forgetful tt (S d) q) γ) with (@None Z). cbv iota.
    rewrite run_log. cbn [fst].
    destruct (children paths q) as [|c cs] eqn:Cs; [exists (leaf paths (S d) q); reflexivity|].
    set (search := fun (_ : option Z) (c : child paths) =>
      bind (mt paths d (snd c) (child_gamma paths c γ)) (fun v => Ret (from_child paths c v))).
    destruct (loop_result γ search (children paths q) None None) as (r & R & N).
    { intros x h _. destruct (IH (snd x) (child_gamma paths x γ)) as [v V].
      exists (from_child paths x v). unfold search. rewrite (result_bind _ _ _ _ _ V). reflexivity. }
    destruct (fst r) as [g|] eqn:Fr; [|exfalso; apply N; [left; rewrite Cs; discriminate | reflexivity]].
    exists g. 
    assert (E : result (expand paths (fun _ => mt paths d) d q γ (get forgetful tt (S d) q)) = Some (g, snd r)).
    { unfold result, expand. cbn [run bind fst snd]. rewrite run_bind, run_log.
      fold search. rewrite R, Fr. reflexivity. }
    rewrite (result_bind _ _ _ _ _ E). reflexivity.
Qed.

Lemma mt_elder_fails : forall d q γ v, f paths d q < γ -> result (mt paths d q γ) = Some v -> v < γ.
Proof.
  intros d q γ v L R. pose proof (result_keeps _ _ _ _ (mt_keeps_its_contract paths d q γ) R) as [_ H].
  destruct (Z_lt_ge_dec v γ); [assumption|]. specialize (H ltac:(lia)). lia.
Qed.

Lemma logs_retrieve : forall A d q (k : bounds -> prog paths A),
  logs (Retrieve d q k) = logs (k unknown) ++ [Visited d q].
Proof. intros. unfold logs at 1. simpl. rewrite run_log. reflexivity. Qed.

Lemma search_elder_fails : forall d x γ v, val paths d x < γ ->
  result (bind (mt paths d (snd x) (child_gamma paths x γ)) (fun v => Ret (from_child paths x v))) = Some v -> v < γ.
Proof.
  intros d x γ v L R.
  assert (K : keeps (truthful paths) (contract (val paths d x) γ)
    (bind (mt paths d (snd x) (child_gamma paths x γ)) (fun v => Ret (from_child paths x v)))).
  { apply keeps_bind with (1 := mt_keeps_its_contract paths d (snd x) (child_gamma paths x γ)).
    intros g C. apply contract_back; exact C. }
  destruct (result_keeps _ _ _ _ K R) as [_ H].
  destruct (Z_lt_ge_dec v γ); [assumption|]. specialize (H ltac:(lia)). lia.
Qed.

(** The children of a node of the tree, around the one with number i. *)
Lemma split_children : forall p π i c0, nth_error (children G p) i = Some c0 ->
  exists before after, children paths (π, p) = before ++ (fst c0, (π ++ [i], snd c0)) :: after /\
    before = numbered π 0 (firstn i (children G p)).
Proof.
  intros p π i c0 N.
  assert (N' : nth_error (children paths (π, p)) i = Some (fst c0, (π ++ [i], snd c0))).
  { simpl. rewrite numbered_nth, N. reflexivity. }
  destruct (nth_error_split _ _ N') as (before & after & E & L). subst i.
  exists before, after; split; [exact E|].
  destruct (split_numbered p π before _ after E) as (_ & _ & _ & B). exact B.
Qed.

Lemma elder_values : forall d p π γ i, (forall x, In x (firstn i (children G p)) -> val G d x < γ) ->
  forall x, In x (numbered π 0 (firstn i (children G p))) -> val paths d x < γ.
Proof.
  intros d p π γ i El x I. apply In_nth_error in I. destruct I as [j J]. rewrite numbered_nth in J.
  destruct (nth_error (firstn i (children G p)) j) as [[e q]|] eqn:Ej; simpl in J; [|discriminate J].
  injection J; intros <-. rewrite val_paths. apply El. apply nth_error_In with j; exact Ej.
Qed.

Lemma leaf_logs : forall d q e, e = @Evaluated paths d q -> In e (logs (evaluate paths d q)).
Proof. intros; subst; unfold logs; simpl; auto. Qed.

Lemma mt_logs : forall path d π p γ e,
  reaches d p γ path -> occurs d p (π ++ path) path e -> In e (logs (mt paths d (π, p) γ)).
Proof.
  induction path as [|i rest IH]; intros d π p γ e R O; simpl in R, O.
  - rewrite app_nil_r in O. destruct O as [->|[Lf ->]].
    + destruct d; cbn [mt]; rewrite logs_retrieve; apply in_or_app; right; left; reflexivity.
    + destruct d as [|d]; cbn [mt]; rewrite logs_retrieve; apply in_or_app; left.
      * apply (leaf_logs 0 (π, p)); reflexivity.
      * destruct Lf as [|Cs]; [discriminate|].
        assert (Cs' : children paths (π, p) = []) by (simpl; rewrite Cs; reflexivity).
        rewrite Cs'. apply (leaf_logs (S d) (π, p)); reflexivity.
  - destruct d as [|d]; [destruct R|]. destruct (nth_error (children G p) i) as [c0|] eqn:N; [|destruct R].
    destruct R as [El R].
    destruct (split_children p π i c0 N) as (before & after & Cs & Eb).
    cbn [mt]. rewrite logs_retrieve. apply in_or_app; left.
    destruct (children paths (π, p)) as [|c cs] eqn:Cs'; [destruct before; discriminate|]. rewrite <- Cs' in *.
    change (In e (logs (bind (expand paths (fun _ => mt paths d) d (π, p) γ unknown) (fun r => Ret (fst r))))).
    apply logs_left. unfold expand.
    set (search := fun (_ : option Z) (c : child paths) =>
      bind (mt paths d (snd c) (child_gamma paths c γ)) (fun v => Ret (from_child paths c v))).
    match goal with |- In e (logs (Choose _ _ ?k)) => change (In e (logs (k false))) end. cbv beta iota.
    match goal with |- In e (logs (bind (Ret ?a) ?k)) => change (In e (logs (k a))) end. cbv beta.
    match goal with |- In e (logs (Order _ ?q ?k)) => change (In e (logs (k (children paths q)))) end. cbv beta.
    apply logs_left. rewrite Cs. apply loop_logs.
    + intros x h I. destruct (mt_result d (snd x) (child_gamma paths x γ)) as [v V].
      exists (from_child paths x v).
      assert (E : result (search h x) = Some (from_child paths x v)).
      { unfold search. rewrite (result_bind _ _ _ _ _ V). reflexivity. }
      split; [exact E|]. apply (search_elder_fails d x γ); [|exact E].
      subst before. apply (elder_values d p π γ i El x I).
    + reflexivity.
    + intros h. apply logs_left. apply IH; [exact R|]. rewrite <- app_assoc. exact O.
Qed.

Lemma occurs_whole : forall path d p whole d' w q,
  occurs d p whole path (@Visited paths d' (w, q)) -> w = whole.
Proof.
  induction path as [|i rest IH]; intros d p whole d' w q O; simpl in O.
  - destruct O as [E|[_ E]]; [injection E; intros; subst; reflexivity | discriminate].
  - destruct d as [|d]; [destruct O|]. destruct (nth_error (children G p) i); [|destruct O].
    apply IH with (1 := O).
Qed.

Lemma occurs_somewhere : forall path d p γ whole, reaches d p γ path ->
  exists d' q, occurs d p whole path (@Visited paths d' (whole, q)).
Proof.
  induction path as [|i rest IH]; intros d p γ whole R; simpl in *.
  - exists d, p; left; reflexivity.
  - destruct d as [|d]; [destruct R|]. destruct (nth_error (children G p) i) as [c|]; [|destruct R].
    apply IH with (1 := proj2 R).
Qed.

Lemma mt_logs_only : forall d π p γ e, In e (logs (mt paths d (π, p) γ)) ->
  match e with Stored _ _ _ => True | _ => reached_event d π p γ e end.
Proof.
  intros d π p γ e I.
  assert (F : fits paths forgetful (only (reached_event d π p γ)) (fun _ => True)).
  { repeat split; simpl; try discriminate. }
  pose proof (run_keeps paths forgetful _ (fun _ => True) Z _ _ tt [] F Logic.I
    (mt_visits_only_what_is_reached d π p γ) (Forall_nil _)) as H.
  unfold logs in I. destruct (run forgetful (mt paths d (π, p) γ) tt []) as [[r t] l].
  destruct H as (_ & _ & H). rewrite Forall_forall in H. specialize (H e I).
  destruct e; simpl in H; auto.
Qed.

(** A null-window search without memory visits a node exactly if α < γ < β there. *)
Theorem a_null_window_visits : forall d p γ path,
  (exists d' q, In (@Visited paths d' (path, q)) (logs (mt paths d ([], p) γ))) <->
  exists α β, alpha_beta d p path = Some (α, β) /\ less α γ /\ greater β γ.
Proof.
  intros d p γ path. rewrite <- reaches_alpha_beta. split.
  - intros (d' & q & I). apply mt_logs_only in I. destruct I as (path' & R & O).
    simpl in O. apply occurs_whole in O. subst path'. exact R.
  - intros R. destruct (occurs_somewhere path d p γ path R) as (d' & q & O).
    exists d', q. apply mt_logs with path; assumption.
Qed.

End Reach.
