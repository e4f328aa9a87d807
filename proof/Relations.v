(** Relations between algorithms: no MT call visits what Alpha-Beta does not. *)

From Coq Require Import ZArith Lia List Permutation Bool Arith.
Require Import Value Game Program Mt Window.
Require Export Reach.
Import ListNotations.
Open Scope Z_scope.

Section Relations.
Variable G : game.
Local Notation paths := (Reach.paths G).
Local Notation forgetful := (Reach.forgetful G).
Local Arguments reaches {G}.
Local Arguments occurs {G}.
Local Arguments only {G}.
Local Arguments result {G A}.
Local Arguments logs {G A}.
Local Arguments run_log {G}.
Local Arguments logs_left {G}.
Local Arguments logs_right {G}.
Local Arguments result_bind {G}.
Local Arguments result_keeps {G}.
Local Arguments mt_result {G}.
Local Arguments split_children {G}.
Local Arguments elder_values {G}.
Local Arguments leaf_logs {G}.
Local Arguments mt_logs {G}.
Local Arguments mt_visits_only_what_is_reached {G}.

(** ** Alpha-Beta visits every node that any γ within its window reaches *)

Lemma search_child_alpha_beta : forall below (c : child paths) l h first,
  search_child paths AlphaBeta below c l h first =
  bind (if fst c then below (snd c) (child_gamma paths c l) (child_gamma paths c h)
        else below (snd c) (child_gamma paths c h) (child_gamma paths c l)) (fun v => Ret (from_child paths c v)).
Proof.
  intros below c l h first; unfold search_child. destruct (Z.eqb_spec l h) as [->|]; [reflexivity|].
  destruct first; reflexivity.
Qed.

Lemma window_loop_result : forall null low high search cs first g,
  (forall x l fs, In x cs -> exists v, result (search x l fs) = Some v) ->
  exists r, result (window_loop paths null low high search cs first g) = Some r /\ (cs <> [] \/ g <> None -> r <> None).
Proof.
  intros null low high search. induction cs as [|c cs IH]; intros first g S; simpl.
  - exists g; split; [reflexivity | tauto].
  - destruct (reached g high) eqn:R.
    + exists g; split; [reflexivity|]. destruct g; [discriminate | discriminate].
    + destruct (S c (if null then low else low_above g low) first (or_introl eq_refl)) as [v V].
      rewrite (result_bind _ _ _ _ _ V).
      destruct (IH false (if better v g then Some v else g)) as (r & E & N); [intros; apply S; right; assumption|].
      exists r; split; [exact E|]. intros _; apply N; right.
      destruct (better v g) eqn:B; [discriminate|]. destruct g; [discriminate | discriminate].
Qed.

Lemma alpha_beta_result : forall d q low high, exists g, result (search paths AlphaBeta d q low high) = Some g.
Proof.
  induction d as [|d IH]; intros q low high; cbn [search]; destruct (low =? high); try apply mt_result.
  - exists (leaf paths 0 q). reflexivity.
  - unfold result; cbn [run]. change (window_answer (get forgetful tt (S d) q) low high) with (@None Z). cbv iota.
    rewrite run_log. cbn [fst].
    destruct (children paths q) as [|c cs] eqn:Cs; [exists (leaf paths (S d) q); reflexivity|].
    set (find := fun (c : child paths) (l : gamma) (first : bool) =>
      search_child paths AlphaBeta (search paths AlphaBeta d) c l high first).
    destruct (window_loop_result (low =? high) low high find (children paths q) true None) as (r & R & N).
    { intros x l fs _. unfold find. rewrite search_child_alpha_beta.
      destruct (fst x).
      - destruct (IH (snd x) (child_gamma paths x l) (child_gamma paths x high)) as [v V].
        exists (from_child paths x v). rewrite (result_bind _ _ _ _ _ V). reflexivity.
      - destruct (IH (snd x) (child_gamma paths x high) (child_gamma paths x l)) as [v V].
        exists (from_child paths x v). rewrite (result_bind _ _ _ _ _ V). reflexivity. }
    destruct r as [g|]; [|exfalso; apply N; [left; rewrite Cs; discriminate | reflexivity]].
    exists g. unfold result, window_expand. cbn [run bind fst snd].
    rewrite run_bind, run_log.
    change (low_within (get forgetful tt (S d) q) low) with low.
    change (high_within (get forgetful tt (S d) q) high) with high.
    fold find. rewrite R. reflexivity.
Qed.

Lemma window_loop_logs : forall null low high γ search before c after first g e,
  low <= γ <= high ->
  (forall x l fs, In x before -> low <= l <= γ -> exists v, result (search x l fs) = Some v /\ v < γ) ->
  (forall v, g = Some v -> v < γ) -> (forall l fs, low <= l <= γ -> In e (logs (search c l fs))) ->
  In e (logs (window_loop paths null low high search (before ++ c :: after) first g)).
Proof.
  intros null low high γ search. induction before as [|x before IH]; intros c after first g e LH S Gv E; simpl;
    (replace (reached g high) with false
      by (destruct g as [v|]; [symmetry; apply Z.leb_gt; specialize (Gv v eq_refl); lia | reflexivity]));
    (assert (L : low <= (if null then low else low_above g low) <= γ)
      by (destruct null; [lia|]; destruct g as [v|]; simpl; [specialize (Gv v eq_refl); lia | lia])).
  - apply logs_left, E, L.
  - destruct (S x _ first (or_introl eq_refl) L) as (v & V & Lv). apply logs_right with v; [exact V|].
    apply IH; auto.
    + intros; apply S; [right|]; assumption.
    + intros w. destruct (better v g); [intros Ew; injection Ew; intros <-; exact Lv | apply Gv].
Qed.

Lemma alpha_beta_logs : forall path d π p low high γ e, low <= γ <= high ->
  reaches d p γ path -> occurs d p (π ++ path) path e -> In e (logs (search paths AlphaBeta d (π, p) low high)).
Proof.
  induction path as [|i rest IH]; intros d π p low high γ e LH R O.
  - destruct d as [|d]; cbn [search];
      (destruct (Z.eqb_spec low high); [apply mt_logs with []; [exact I | exact O]|]);
      simpl in O; rewrite app_nil_r in O; rewrite logs_retrieve; apply in_or_app;
      (destruct O as [->|[Lf ->]]; [right; left; reflexivity | left]).
    + apply (leaf_logs 0 (π, p)); reflexivity.
    + destruct Lf as [|Cs]; [discriminate|].
      assert (Cs' : children paths (π, p) = []) by (simpl; rewrite Cs; reflexivity).
      rewrite Cs'. apply (leaf_logs (S d) (π, p)); reflexivity.
  - destruct d as [|d]; [destruct R|]. cbn [search].
    destruct (Z.eqb_spec low high) as [E|NE].
    { assert (γ = low) by lia. subst γ. apply mt_logs with (i :: rest); assumption. }
    simpl in R, O. destruct (nth_error (children G p) i) as [c0|] eqn:N; [|destruct R].
    destruct R as [El R].
    destruct (split_children p π i c0 N) as (before & after & Cs & Eb).
    rewrite logs_retrieve. apply in_or_app; left.
    destruct (children paths (π, p)) as [|c cs] eqn:Cs'; [destruct before; discriminate|]. rewrite <- Cs' in *.
    change (In e (logs (window_expand paths AlphaBeta (search paths AlphaBeta d) d (π, p) low high unknown))).
    unfold window_expand.
    match goal with |- In e (logs (Choose _ _ ?k)) => change (In e (logs (k false))) end. cbv beta iota.
    match goal with |- In e (logs (bind (Ret ?a) ?k)) => change (In e (logs (k a))) end. cbv beta.
    match goal with |- In e (logs (Order _ ?q ?k)) => change (In e (logs (k (children paths q)))) end. cbv beta.
    change (low_within unknown low) with low. change (high_within unknown high) with high.
    apply logs_left. rewrite Cs. apply window_loop_logs with γ; [exact LH | | discriminate |].
    + intros x l fs I L.
      assert (K : keeps (truthful paths) (window_contract (val paths d x) l high)
        (search_child paths AlphaBeta (search paths AlphaBeta d) x l high fs)).
      { apply search_child_keeps; [lia|]. intros l' h' A1 A2 A3; simpl.
        apply window_search_keeps_its_contract. pose proof (ask_order paths x l' h' A2) as H.
        clear - H. destruct x as [[|] q]; simpl in *; exact H. }
      assert (Res : exists v, result (search_child paths AlphaBeta (search paths AlphaBeta d) x l high fs) = Some v).
      { rewrite search_child_alpha_beta. destruct (fst x).
        - destruct (alpha_beta_result d (snd x) (child_gamma paths x l) (child_gamma paths x high)) as [v V].
          exists (from_child paths x v). rewrite (result_bind _ _ _ _ _ V). reflexivity.
        - destruct (alpha_beta_result d (snd x) (child_gamma paths x high) (child_gamma paths x l)) as [v V].
          exists (from_child paths x v). rewrite (result_bind _ _ _ _ _ V). reflexivity. }
      destruct Res as [v V]. exists v; split; [exact V|].
      destruct (result_keeps _ _ _ _ K V) as [_ H].
      assert (Lx : val paths d x < γ) by (subst before; apply (elder_values d p π γ i El x I)).
      destruct (Z_lt_ge_dec v γ); [assumption|]. specialize (H ltac:(lia)). lia.
    + intros l fs L. rewrite search_child_alpha_beta. apply logs_left.
      pose proof (ask_order paths (fst c0, (π ++ [i], snd c0)) l γ ltac:(lia)) as A1.
      pose proof (ask_order paths (fst c0, (π ++ [i], snd c0)) γ high ltac:(lia)) as A2.
      replace (π ++ i :: rest) with ((π ++ [i]) ++ rest) in O by (rewrite <- app_assoc; reflexivity).
      destruct (fst c0) eqn:Again; cbn [fst snd] in *;
        (apply IH with (γ := child_gamma G c0 γ); [unfold child_gamma in *; rewrite ?Again in *; simpl in *; lia | exact R | exact O]).
Qed.

(** No sequence of MT calls on one memory, whatever the memory keeps or forgets, visits a node or evaluates a leaf that
    Alpha-Beta without memory does not, if Alpha-Beta's window holds every γ. *)
Fixpoint calls (d : nat) (q : pos paths) (γs : list gamma) : prog paths unit :=
  match γs with [] => Ret tt | γ :: rest => bind (mt paths d q γ) (fun _ => calls d q rest) end.

Theorem mt_calls_do_no_more_than_alpha_beta : forall d p low high γs,
  (forall γ, In γ γs -> low <= γ <= high) ->
  keeps (only (fun e => In e (logs (search paths AlphaBeta d ([], p) low high)))) (fun _ => True) (calls d ([], p) γs).
Proof.
  intros d p low high. induction γs as [|γ γs IH]; intros H; simpl; [exact I|].
  apply keeps_bind with (P := fun _ => True).
  - eapply keeps_weaken; [| | | | | |apply (mt_visits_only_what_is_reached d [] p γ)]; simpl; auto;
      intros d' q (path & R & O); apply alpha_beta_logs with path γ; auto; apply H; left; reflexivity.
  - intros _ _. apply IH. intros; apply H; right; assumption.
Qed.

End Relations.
