(** Which nodes each pass visits, where every node is stored and nothing is forgotten. *)

From Coq Require Import ZArith Lia List Permutation Bool Arith.
Require Import Value Game Program Mt Relations.
Import ListNotations.
Open Scope Z_scope.

Section Passes.
Variable G : game.
Variable M : memory (paths G).

(** The memory answers with what was stored last for the same node at the same depth. *)
Definition keeps_every_store : Prop := forall t d q b d' q',
  ((d', q') = (d, q) /\ get M (put M t d q b) d' q' = b) \/
  ((d', q') <> (d, q) /\ get M (put M t d q b) d' q' = get M t d' q').

Definition all_hold (t : table M) : Prop := forall d q, holds (get M t d q) (f (paths G) d q).

(** At no node above the end of the path do the bounds in the table decide γ. *)
Fixpoint unanswered (t : table M) (d : nat) (π : list nat) (p : pos G) (γ : gamma) (path : list nat) {struct path}
  : Prop :=
  match path with
  | [] => True
  | i :: rest =>
    match d, nth_error (children G p) i with
    | S d', Some c =>
      answered (get M t d (π, p)) γ = None /\ unanswered t d' (π ++ [i]) (snd c) (child_gamma G c γ) rest
    | _, _ => False
    end
  end.

Lemma unanswered_same : forall path t t' d π p γ,
  (forall d' ρ q, get M t d' (π ++ ρ, q) = get M t' d' (π ++ ρ, q)) ->
  unanswered t d π p γ path -> unanswered t' d π p γ path.
Proof.
  induction path as [|i rest IH]; intros t t' d π p γ E U; simpl in *; [exact I|].
  destruct d as [|d]; [exact U|]. destruct (nth_error (children G p) i) as [c|]; [|exact U].
  destruct U as [A U]. split.
  - specialize (E (S d) [] p). rewrite app_nil_r in E. rewrite <- E. exact A.
  - apply IH with (t := t); [|exact U]. intros d' ρ q. rewrite <- app_assoc. apply E.
Qed.

Lemma nothing_known_nothing_answered : forall t, (forall d q, get M t d q = unknown) ->
  forall path d π p γ, reaches G d p γ path -> unanswered t d π p γ path.
Proof.
  intros t E. induction path as [|i rest IH]; intros d π p γ R; simpl in *; [exact I|].
  destruct d as [|d]; [exact R|]. destruct (nth_error (children G p) i) as [c|]; [|exact R].
  split; [rewrite E; reflexivity | apply IH; apply R].
Qed.

(** ** The parts of a run: what is returned, what is in the table afterwards, and the log *)

Definition returned {A : Type} (m : prog (paths G) A) (t : table M) : option A := fst (fst (run M m t [])).
Definition left_in {A : Type} (m : prog (paths G) A) (t : table M) : table M := snd (fst (run M m t [])).
Definition logged {A : Type} (m : prog (paths G) A) (t : table M) : list (event (paths G)) := snd (run M m t []).

Definition seen (log : list (event (paths G))) (w : list nat) : Prop :=
  exists d q, In (@Visited (paths G) d (w, q)) log.

Lemma seen_app : forall l l' w, seen (l ++ l') w <-> seen l w \/ seen l' w.
Proof.
  intros l l' w; unfold seen; split.
  - intros (d & q & I). apply in_app_or in I. destruct I; [left | right]; eauto.
  - intros [(d & q & I)|(d & q & I)]; exists d, q; apply in_or_app; auto.
Qed.

Lemma run_parts : forall A (m : prog (paths G) A) t log,
  run M m t log = (returned m t, left_in m t, logged m t ++ log).
Proof.
  intros A m; unfold returned, left_in, logged. induction m; intros t log; simpl in *; auto.
  - rewrite (H (get M t d p) t (@Visited (paths G) d p :: log)), (H (get M t d p) t [@Visited (paths G) d p]); simpl.
    rewrite <- app_assoc. reflexivity.
  - rewrite (IHm (put M t d p b) (@Stored (paths G) d p b :: log)),
      (IHm (put M t d p b) [@Stored (paths G) d p b]); simpl.
    rewrite <- app_assoc. reflexivity.
  - rewrite (H _ t (@Evaluated (paths G) d p :: log)), (H _ t [@Evaluated (paths G) d p]); simpl.
    rewrite <- app_assoc. reflexivity.
Qed.

Lemma bind_parts : forall A B (m : prog (paths G) A) (k : A -> prog (paths G) B) t a, returned m t = Some a ->
  returned (bind m k) t = returned (k a) (left_in m t) /\
  left_in (bind m k) t = left_in (k a) (left_in m t) /\
  logged (bind m k) t = logged (k a) (left_in m t) ++ logged m t.
Proof.
  intros A B m k t a E.
  assert (H : run M (bind m k) t [] =
    (returned (k a) (left_in m t), left_in (k a) (left_in m t), logged (k a) (left_in m t) ++ logged m t)).
  { rewrite run_bind, (run_parts _ m t []), app_nil_r, E. apply run_parts. }
  repeat split; [unfold returned at 1 | unfold left_in at 1 | unfold logged at 1]; rewrite H; reflexivity.
Qed.

(** What follows once a visit has begun. *)
Definition rest_of_visit (d : nat) (q : pos (paths G)) (γ : gamma) (b : bounds) : prog (paths G) Z :=
  match answered b γ with
  | Some g => Ret g
  | None =>
    match d with
    | O => evaluate (paths G) O q
    | S d' =>
      match children (paths G) q with
      | [] => evaluate (paths G) d q
      | _ :: _ => bind (expand (paths G) (fun _ => mt (paths G) d') d' q γ b) (fun r => Ret (fst r))
      end
    end
  end.

Lemma mt_parts : forall d q γ t,
  returned (mt (paths G) d q γ) t = returned (rest_of_visit d q γ (get M t d q)) t /\
  left_in (mt (paths G) d q γ) t = left_in (rest_of_visit d q γ (get M t d q)) t /\
  logged (mt (paths G) d q γ) t = logged (rest_of_visit d q γ (get M t d q)) t ++ [Visited d q].
Proof.
  intros d q γ t.
  assert (H : run M (mt (paths G) d q γ) t [] = run M (rest_of_visit d q γ (get M t d q)) t [Visited d q])
    by (destruct d; reflexivity).
  rewrite (run_parts _ (rest_of_visit d q γ (get M t d q))) in H.
  repeat split; [unfold returned at 1 | unfold left_in at 1 | unfold logged at 1]; rewrite H; reflexivity.
Qed.

(** ** One pass *)

Hypothesis exact : keeps_every_store.

Lemma run_truthful : forall A (P : A -> Prop) (m : prog (paths G) A) t,
  all_hold t -> keeps (truthful (paths G)) P m ->
  all_hold (left_in m t) /\ forall a, returned m t = Some a -> P a.
Proof.
  intros A P m t T K.
  assert (F : fits (paths G) M (truthful (paths G)) all_hold).
  { split; [|split].
    - intros s d q S. apply S.
    - intros s d q b S B d' q'. destruct (exact s d q b d' q') as [[E ->]|[_ ->]]; [|apply S].
      injection E; intros; subst; exact B.
    - intros; apply Permutation_refl. }
  pose proof (run_keeps (paths G) M (truthful (paths G)) all_hold A P m t [] F T K (Forall_nil _)) as H.
  unfold returned, left_in. destruct (run M m t []) as [[r t'] l]. destruct H as (H1 & H2 & _). auto.
Qed.

(** What a visit does: it returns something, changes nothing outside the node's subtree, and visits what is reached and
    not answered above. *)
Definition visits (d : nat) (π : list nat) (p : pos G) (γ : gamma) (t : table M) : Prop :=
  (exists g, returned (mt (paths G) d (π, p) γ) t = Some g) /\
  (forall d' w q, (forall ρ, w <> π ++ ρ) ->
    get M (left_in (mt (paths G) d (π, p) γ) t) d' (w, q) = get M t d' (w, q)) /\
  (forall w, seen (logged (mt (paths G) d (π, p) γ) t) w <->
    exists path, w = π ++ path /\ reaches G d p γ path /\ unanswered t d π p γ path).

Definition search_of (d : nat) (γ : gamma) (_ : option Z) (c : child (paths G)) : prog (paths G) Z :=
  bind (mt (paths G) d (snd c) (child_gamma (paths G) c γ)) (fun v => Ret (from_child (paths G) c v)).

Lemma child_visits : forall d π γ i c0 t h,
  (forall π p γ t, all_hold t -> visits d π p γ t) -> all_hold t ->
  let m := search_of d γ h (fst c0, (π ++ [i], snd c0)) in
  (exists v, returned m t = Some v /\ contract (val G d c0) γ v) /\ all_hold (left_in m t) /\
  (forall d' w q, (forall ρ, w <> π ++ i :: ρ) -> get M (left_in m t) d' (w, q) = get M t d' (w, q)) /\
  (forall w, seen (logged m t) w <-> exists path, w = π ++ i :: path /\
    reaches G d (snd c0) (child_gamma G c0 γ) path /\ unanswered t d (π ++ [i]) (snd c0) (child_gamma G c0 γ) path).
Proof.
  intros d π γ i [e p] t h IH T m.
  assert (K : keeps (truthful (paths G)) (contract (val G d (e, p)) γ) m).
  { apply keeps_bind with (1 := mt_keeps_its_contract (paths G) d _ _). intros g C.
    rewrite <- (val_paths G d e (π ++ [i]) p). apply (contract_back (ages G)); exact C. }
  destruct (run_truthful _ _ m t T K) as [T' C].
  destruct (IH (π ++ [i]) p (child_gamma G (e, p) γ) t T) as ((v & R) & Out & Seen).
  assert (Path : forall ρ, (π ++ [i]) ++ ρ = π ++ i :: ρ) by (intros; rewrite <- app_assoc; reflexivity).
  destruct (bind_parts _ _ _ (fun v => Ret (from_child (paths G) (e, (π ++ [i], p)) v)) t v R) as (R' & L' & S').
  change (bind _ _) with m in R', L', S'.
  split; [|split; [exact T' | split]].
  - eexists; split; [exact R' | apply C; exact R'].
  - intros d' w q N. rewrite L'. apply Out. intros ρ; rewrite Path; apply N.
  - intros w. rewrite S'. change (logged (Ret ?a) ?t) with (@nil (event (paths G))). simpl app. rewrite Seen.
    split; intros (path & E & X); exists path; rewrite Path in *; auto.
Qed.

Lemma loop_visits : forall d π γ,
  (forall π p γ t, all_hold t -> visits d π p γ t) ->
  forall cs i t g best, all_hold t ->
  let m := loop (paths G) γ (search_of d γ) (numbered G π i cs) g best in
  (exists r, returned m t = Some r /\ (cs <> [] \/ g <> None -> fst r <> None)) /\ all_hold (left_in m t) /\
  (forall d' w q, (forall j ρ, (i <= j)%nat -> w <> π ++ j :: ρ) ->
    get M (left_in m t) d' (w, q) = get M t d' (w, q)) /\
  (forall w, seen (logged m t) w <-> reached g γ = false /\ exists k c path,
    nth_error cs k = Some c /\ (forall x, In x (firstn k cs) -> val G d x < γ) /\ w = π ++ (i + k)%nat :: path /\
    reaches G d (snd c) (child_gamma G c γ) path /\
    unanswered t d (π ++ [(i + k)%nat]) (snd c) (child_gamma G c γ) path).
Proof.
  intros d π γ IH. induction cs as [|c cs IHcs]; intros i t g best T m.
  - split; [exists (g, best); split; [reflexivity | simpl; tauto]|]. split; [exact T|]. split; [reflexivity|].
    intros w; split.
    + intros (d' & q & []).
    + intros (_ & k & c & path & N & _). destruct k; discriminate.
  - destruct (reached g γ) eqn:Rg.
    { assert (E : m = Ret (g, best)) by (unfold m; simpl; rewrite Rg; reflexivity). rewrite E; clear E m.
      split; [exists (g, best); split; [reflexivity | destruct g; discriminate]|]. split; [exact T|].
      split; [reflexivity|]. intros w; split; [intros (d' & q & []) | intros [N _]; discriminate]. }
    destruct (child_visits d π γ i c t g IH T) as ((v & R & C) & T1 & Out1 & Seen1).
    set (s := search_of d γ g (fst c, (π ++ [i], snd c))) in *.
    assert (E : m = bind s (fun v => if better v g
      then loop (paths G) γ (search_of d γ) (numbered G π (S i) cs) (Some v) (Some (fst c, (π ++ [i], snd c)))
      else loop (paths G) γ (search_of d γ) (numbered G π (S i) cs) g best))
      by (unfold m; simpl; rewrite Rg; reflexivity).
    rewrite E; clear E m.
    destruct (bind_parts _ _ s (fun v => if better v g
      then loop (paths G) γ (search_of d γ) (numbered G π (S i) cs) (Some v) (Some (fst c, (π ++ [i], snd c)))
      else loop (paths G) γ (search_of d γ) (numbered G π (S i) cs) g best) t v R) as (R' & L' & S').
    rewrite R', L', S'; clear R' L' S'.
    assert (Next : exists g' best', (if better v g
        then loop (paths G) γ (search_of d γ) (numbered G π (S i) cs) (Some v) (Some (fst c, (π ++ [i], snd c)))
        else loop (paths G) γ (search_of d γ) (numbered G π (S i) cs) g best) =
        loop (paths G) γ (search_of d γ) (numbered G π (S i) cs) g' best' /\
        reached g' γ = (γ <=? v) /\ g' <> None).
    { destruct (better v g) eqn:B.
      - eexists; eexists; split; [reflexivity|]. split; [reflexivity | discriminate].
      - exists g, best. split; [reflexivity|]. destruct g as [x|]; [|discriminate]. simpl in *.
        apply Z.ltb_ge in B. split; [|discriminate]. rewrite Rg. apply Z.leb_gt in Rg. symmetry; apply Z.leb_gt; lia. }
    destruct Next as (g' & best' & -> & Rg' & Ng').
    destruct (IHcs (S i) (left_in s t) g' best' T1) as ((r & R' & Nr) & T2 & Out2 & Seen2).
    assert (Apart : forall j ρ ρ', (S i <= j)%nat -> π ++ j :: ρ <> π ++ i :: ρ').
    { intros j ρ ρ' J E. apply app_inv_head in E. injection E; intros; lia. }
    assert (Same : forall j, (S i <= j)%nat -> forall d' ρ q,
      get M (left_in s t) d' ((π ++ [j]) ++ ρ, q) = get M t d' ((π ++ [j]) ++ ρ, q)).
    { intros j J d' ρ q. rewrite <- app_assoc. apply Out1. intros ρ'. apply Apart; exact J. }
    assert (Less : (γ <=? v) = false <-> val G d c < γ).
    { destruct C as [CL CH]. destruct (Z.leb_spec γ v); split; intros; try discriminate; try reflexivity.
      - specialize (CH H). lia.
      - specialize (CL H). lia. }
    split; [exists r; split; [exact R' | intros _; apply Nr; right; exact Ng']|]. split; [exact T2|]. split.
    + intros d' w q N. rewrite Out2; [|intros j ρ J; apply N; lia]. apply Out1. intros ρ; apply N; lia.
    + intros w. rewrite seen_app, Seen1, Seen2, Rg'. split.
      * intros [(Lt & k & c' & path & N & El & -> & Re & Un)|(path & -> & Re & Un)]; (split; [reflexivity|]).
        -- exists (S k), c', path. rewrite Nat.add_succ_r. split; [exact N|]. split; [|split; [reflexivity|]].
           { intros x [<-|I]; [apply Less; exact Lt | apply El; exact I]. }
           split; [exact Re|]. apply unanswered_same with (2 := Un). intros; apply Same; lia.
        -- exists O, c, path. rewrite Nat.add_0_r. repeat split; auto. intros x [].
      * intros (_ & k & c' & path & N & El & -> & Re & Un). destruct k as [|k].
        -- right. injection N; intros <-. rewrite Nat.add_0_r in *. exists path; auto.
        -- left. split; [apply Less, El; left; reflexivity|].
           exists k, c', path. rewrite Nat.add_succ_r in *. split; [exact N|].
           split; [intros x I; apply El; right; exact I|]. split; [reflexivity|]. split; [exact Re|].
           apply unanswered_same with (2 := Un). intros; symmetry; apply Same; lia.
Qed.

(** Where a node is not expanded, it alone is visited. *)
Lemma visited_alone : forall l d π p, (forall d' q, ~ In (@Visited (paths G) d' q) l) ->
  forall w, seen (l ++ [@Visited (paths G) d (π, p)]) w <-> w = π.
Proof.
  intros l d π p N w. rewrite seen_app. split.
  - intros [(d' & q & I)|(d' & q & [E|[]])]; [destruct (N _ _ I)|]. injection E; auto.
  - intros ->. right. exists d, p; left; reflexivity.
Qed.

Lemma evaluate_log : forall d' q' d q t, ~ In (@Visited (paths G) d' q') (logged (evaluate (paths G) d q) t).
Proof. intros d' q' d q t [E|[E|[]]]; discriminate. Qed.

Lemma put_elsewhere : forall t d π p b d' w q, (forall ρ, w <> π ++ ρ) ->
  get M (put M t d (π, p) b) d' (w, q) = get M t d' (w, q).
Proof.
  intros t d π p b d' w q N. destruct (exact t d (π, p) b d' (w, q)) as [[E _]|[_ E]]; [|exact E].
  exfalso. apply (N []). rewrite app_nil_r. injection E; auto.
Qed.

(** The part of a visit that has children. *)
Lemma expand_visits : forall d π p γ b t,
  (forall π p γ t, all_hold t -> visits d π p γ t) -> all_hold t -> children G p <> [] ->
  let m := expand (paths G) (mt (paths G)) d (π, p) γ b in
  (exists r, returned m t = Some r) /\
  (forall d' w q, (forall ρ, w <> π ++ ρ) -> get M (left_in m t) d' (w, q) = get M t d' (w, q)) /\
  (forall w, seen (logged m t) w <-> exists i c path, nth_error (children G p) i = Some c /\
    (forall x, In x (firstn i (children G p)) -> val G d x < γ) /\ w = π ++ i :: path /\
    reaches G d (snd c) (child_gamma G c γ) path /\ unanswered t d (π ++ [i]) (snd c) (child_gamma G c γ) path).
Proof.
  intros d π p γ b t IH T N m.
  destruct (loop_visits d π γ IH (children G p) O t None None T) as ((r & R & Nr) & T' & Out & Seen).
  set (l := loop (paths G) γ (search_of d γ) (numbered G π 0 (children G p)) None None) in *.
  destruct r as [[g|] best]; [|exfalso; apply Nr; [left; exact N | reflexivity]].
  set (k := fun r : option Z * option (child (paths G)) => match fst r with
    | Some g => Store (S d) ((π, p) : pos (paths G)) (narrowed b γ γ g) (Ret (g, snd r))
    | None => Stopped
    end).
  assert (E : run M m t [] = run M (bind l k) t []) by reflexivity.
  destruct (bind_parts _ _ l k t _ R) as (R1 & L1 & S1).
  unfold returned at 1 in R1. unfold left_in at 1 in L1. unfold logged at 1 in S1. rewrite <- E in R1, L1, S1.
  split; [eexists; exact R1|]. split.
  - intros d' w q Nw. unfold left_in. rewrite L1.
    change (get M (put M (left_in l t) (S d) (π, p) (narrowed b γ γ g)) d' (w, q) = get M t d' (w, q)).
    rewrite put_elsewhere by exact Nw. apply Out. intros j ρ _; apply Nw.
  - intros w. unfold logged. rewrite S1.
    change (seen ([@Stored (paths G) (S d) (π, p) (narrowed b γ γ g)] ++ logged l t) w <->
      exists i c path, nth_error (children G p) i = Some c /\
      (forall x, In x (firstn i (children G p)) -> val G d x < γ) /\ w = π ++ i :: path /\
      reaches G d (snd c) (child_gamma G c γ) path /\ unanswered t d (π ++ [i]) (snd c) (child_gamma G c γ) path).
    rewrite seen_app, Seen. split.
    + intros [(? & ? & [E0|[]])|[_ H]]; [discriminate | exact H].
    + intros H; right; split; [reflexivity | exact H].
Qed.

Lemma mt_visits : forall d π p γ t, all_hold t -> visits d π p γ t.
Proof.
  induction d as [|d IH]; intros π p γ t T; unfold visits;
    [destruct (mt_parts O (π, p) γ t) as (R0 & L0 & S0) | destruct (mt_parts (S d) (π, p) γ t) as (R0 & L0 & S0)];
    rewrite R0, L0, S0; clear R0 L0 S0; unfold rest_of_visit;
    (match goal with |- context [answered ?b γ] => destruct (answered b γ) as [g|] eqn:A end;
     [split; [exists g; reflexivity|]; split; [reflexivity|]; intros w; rewrite visited_alone by (intros ? ? []); split;
       [intros ->; exists []; rewrite app_nil_r; simpl; auto
       |intros ([|i rest] & -> & R & U); [apply app_nil_r|]; simpl in R, U;
        try destruct (nth_error (children G p) i); try (destruct R; fail); destruct U as [U _]; congruence]|]).
  - split; [exists (leaf (paths G) 0 (π, p)); reflexivity|].
    split; [intros; apply put_elsewhere; assumption|]. intros w.
    rewrite visited_alone by (intros; apply evaluate_log). split.
    + intros ->. exists []; rewrite app_nil_r; simpl; auto.
    + intros ([|i rest] & -> & R & _); [apply app_nil_r | destruct R].
  - destruct (children G p) as [|c0 cs0] eqn:Cs.
    { assert (Cs' : children (paths G) (π, p) = []) by (simpl; rewrite Cs; reflexivity). rewrite Cs'.
      split; [exists (leaf (paths G) (S d) (π, p)); reflexivity|].
      split; [intros; apply put_elsewhere; assumption|]. intros w.
      rewrite visited_alone by (intros; apply evaluate_log). split.
      - intros ->. exists []; rewrite app_nil_r; simpl; auto.
      - intros ([|i rest] & -> & R & _); [apply app_nil_r|]. simpl in R. rewrite Cs in R. destruct i; destruct R. }
    assert (Cs' : exists x xs, children (paths G) (π, p) = x :: xs) by (simpl; rewrite Cs; simpl; eauto).
    destruct Cs' as (x & xs & ->).
    set (b := get M t (S d) (π, p)) in *.
    destruct (expand_visits d π p γ b t IH T) as ((r & R) & Out & Seen); [rewrite Cs; discriminate|].
    set (m := expand (paths G) (mt (paths G)) d (π, p) γ b) in *.
    change (expand (paths G) (fun _ => mt (paths G) d) d (π, p) γ b) with m.
    destruct (bind_parts _ _ m (fun r => Ret (fst r)) t _ R) as (R2 & L2 & S2).
    rewrite R2, L2, S2; clear R2 L2 S2.
    split; [eexists; reflexivity|]. split; [exact Out|].
    intros w. change (logged (Ret ?a) ?t) with (@nil (event (paths G))). simpl app.
    assert (Last : seen [@Visited (paths G) (S d) (π, p)] w <-> w = π)
      by apply (visited_alone [] (S d) π p ltac:(intros ? ? [])).
    rewrite seen_app, Last, Seen. split.
    + intros [(i & c & path & Ni & El & -> & Re & Un)| ->].
      * exists (i :: path). simpl. rewrite Ni. repeat split; auto.
      * exists []; rewrite app_nil_r; simpl; auto.
    + intros ([|i rest] & -> & Re & Un); [right; apply app_nil_r|]. left.
      simpl in Re, Un. destruct (nth_error (children G p) i) as [c|] eqn:Ni; [|destruct Re].
      exists i, c, rest. destruct Re as [El Re], Un as [_ Un]. repeat split; auto.
Qed.

(** A pass visits a node exactly if α < γ < β there and at no node above it the table answers. *)
Theorem a_pass_visits : forall d p γ t path, all_hold t ->
  (seen (logged (mt (paths G) d ([], p) γ) t) path <->
   (exists α β, alpha_beta G d p path = Some (α, β) /\ less α γ /\ greater β γ) /\ unanswered t d [] p γ path).
Proof.
  intros d p γ t path T. destruct (mt_visits d [] p γ t T) as (_ & _ & Seen). rewrite Seen, <- reaches_alpha_beta.
  split; [intros (path' & -> & H); exact H | intros H; exists path; auto].
Qed.

(** A driver's pass expands the root in any case. Below it, the same holds. *)
Definition unanswered_below (t : table M) (d : nat) (p : pos G) (γ : gamma) (path : list nat) : Prop :=
  match d, path with
  | S d', i :: rest =>
    match nth_error (children G p) i with
    | Some c => unanswered t d' [i] (snd c) (child_gamma G c γ) rest
    | None => False
    end
  | _, _ => False
  end.

Theorem a_pass_at_the_root_visits : forall d p γ t path, all_hold t -> path <> [] ->
  (seen (logged (pass (paths G) d ([], p) γ) t) path <->
   (exists α β, alpha_beta G d p path = Some (α, β) /\ less α γ /\ greater β γ) /\ unanswered_below t d p γ path).
Proof.
  intros d p γ t path T Ne. rewrite <- reaches_alpha_beta. destruct path as [|i rest]; [congruence|]. clear Ne.
  destruct d as [|d].
  { simpl. split; [|tauto]. intros (d' & q & [E|[E|[]]]); discriminate. }
  destruct (children G p) as [|c0 cs0] eqn:Cs.
  { assert (Cs' : children (paths G) ([], p) = []) by (simpl; rewrite Cs; reflexivity).
    unfold pass. rewrite Cs'. simpl. rewrite Cs. split; [|destruct i; simpl; tauto].
    intros (d' & q & [E|[E|[]]]); discriminate. }
  assert (Cs' : exists x xs, children (paths G) ([], p) = x :: xs) by (simpl; rewrite Cs; simpl; eauto).
  destruct Cs' as (x & xs & Cs'). unfold pass. rewrite Cs'. clear x xs Cs'.
  destruct (expand_visits d [] p γ unknown t (mt_visits d) T) as (_ & _ & Seen); [rewrite Cs; discriminate|].
  rewrite Seen. simpl. split.
  - intros (k & c & path & N & El & E & Re & Un). injection E; intros; subst. rewrite N. auto.
  - intros [Re Un]. destruct (nth_error (children G p) i) as [c|] eqn:N; [|destruct Un].
    exists i, c, rest. destruct Re as [El Re]. auto.
Qed.

(** The first pass, with nothing in the table, visits a node exactly if α < γ < β there. *)
Theorem the_first_pass_visits : forall d p γ t path, (forall d q, get M t d q = unknown) ->
  (seen (logged (mt (paths G) d ([], p) γ) t) path <->
   exists α β, alpha_beta G d p path = Some (α, β) /\ less α γ /\ greater β γ).
Proof.
  intros d p γ t path E. rewrite a_pass_visits; [|intros d' q; rewrite E; apply unknown_holds].
  split; [tauto|]. intros H; split; [exact H|]. apply nothing_known_nothing_answered; [exact E|].
  apply reaches_alpha_beta; exact H.
Qed.

Lemma calls_keep : forall d q γs, keeps (truthful (paths G)) (fun _ => True) (calls G d q γs).
Proof.
  intros d q. induction γs as [|γ γs IH]; simpl; [exact I|].
  apply keeps_bind with (1 := mt_keeps_its_contract (paths G) d q γ). intros; exact IH.
Qed.

(** And every later pass, with what the passes before it have left in the table. *)
Theorem each_pass_visits : forall d p γs γ t path, (forall d q, get M t d q = unknown) ->
  let t' := left_in (calls G d ([], p) γs) t in
  (seen (logged (mt (paths G) d ([], p) γ) t') path <->
   (exists α β, alpha_beta G d p path = Some (α, β) /\ less α γ /\ greater β γ) /\ unanswered t' d [] p γ path).
Proof.
  intros d p γs γ t path E t'. apply a_pass_visits.
  apply (run_truthful _ _ (calls G d ([], p) γs) t) with (2 := calls_keep d ([], p) γs).
  intros d' q; rewrite E; apply unknown_holds.
Qed.

End Passes.

(** Such memories exist. *)
Definition whole_memory (G : game) (same : forall q q' : pos (paths G), {q = q'} + {q <> q'}) : memory (paths G) :=
  Build_memory (paths G) (nat -> pos (paths G) -> bounds) (fun t => t)
    (fun t d q b d' q' => if Nat.eq_dec d' d then if same q' q then b else t d' q' else t d' q').

Lemma whole_memory_keeps_every_store : forall G same, keeps_every_store G (whole_memory G same).
Proof.
  intros G same t d q b d' q'; simpl. destruct (Nat.eq_dec d' d) as [->|N].
  - destruct (same q' q) as [->|N]; [left; auto | right; split; [congruence | reflexivity]].
  - right; split; [congruence | reflexivity].
Qed.
