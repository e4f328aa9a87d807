(** MT with a memory that forgets nothing refines the same tree, one visit for each γ tested. *)

From Coq Require Import ZArith Lia List Bool Arith.
Require Import Value Game Program Mt Relations Stockman Order Refine Remember.
Import ListNotations.
Open Scope Z_scope.

Section MtRefines.
Variable G : game.
Variable M : memory (paths G).
Hypothesis Keeps : forgets_nothing G M.

Notation view := (view G).
Notation turn := (turn G).
Notation gamma_at := (gamma_at G).
Notation evaluations := (evaluations G).
Notation remembered := (remembered G M).
Notation elsewhere := (elsewhere G M).
Notation elsewhere_from := (elsewhere_from G M).
Notation low_entry := (low_entry G).
Notation high_entry := (high_entry G).

(** ** Passes *)

Variables (d0 : nat) (p0 : pos G) (mx0 : bool) (lo hi : Z).
Hypothesis B : leaves_between G d0 p0 mx0 lo hi.
Notation at_path π := (walk G d0 p0 mx0 π).
Notation wf := (wf G lo).

(** What MT returns for a node of which [a] was known, and [a'] is known now. *)
Definition returns (γ : Z) (n : nat) (mx : bool) (a a' : ann) (g : Z) : Prop :=
  (if is_high a' then γ <= view n mx g else view n mx g = worth a') /\
  (is_low a -> worth a <= γ -> is_high a' = true -> view n mx g <= γ).

Definition does (γ : Z) (n : nat) (mx : bool) (π : list nat) (a : ann) (x : ann * list (list nat)) (t : table M)
  (log : list (event (paths G))) (r : option Z * table M * list (event (paths G)))
  (after : table M -> ann -> Prop) : Prop :=
  exists g t' log', r = (Some g, t', log') /\ evaluations log' = rev (snd x) ++ evaluations log /\
    elsewhere π t t' /\ after t' (fst x) /\ returns γ n mx a (fst x) g.

Section Node.
Variables (γ γ' : Z) (d : nat) (q : pos G) (mx : bool) (π : list nat).
Variable search : option Z -> child (paths G) -> prog (paths G) Z.
Hypothesis A : gamma_at (length π) mx γ γ'.

Definition child_fits (t : table M) (i : nat) (c : child G) (a : ann) : Prop :=
  nth_error (children G q) i = Some c /\ wf d (snd c) (turn mx c) a /\
    remembered t γ d (π ++ [i]) (snd c) (turn mx c) a.

Definition kept (t : table M) (i : nat) (c : child G) : ann -> Prop := remembered t γ d (π ++ [i]) (snd c) (turn mx c).

Hypothesis Child : forall h i c a t log, child_fits t i c a ->
  let x := child_visit G γ d mx π i c a in
  does γ (length π) mx (π ++ [i]) a x t log
    (run M (search h (fst c, (π ++ [i], snd c))) t log) (fun t' => kept t' i c) /\
  decided γ (fst x).

Lemma loop_reached : forall cs g best, reached g γ' = true -> loop (paths G) γ' search cs g best = Ret (g, best).
Proof. intros [|c cs] g best R; simpl; [reflexivity|]. rewrite R. reflexivity. Qed.

Lemma brothers_fit : forall t t' i cs l, elsewhere (π ++ [i]) t t' -> each (child_fits t) (S i) cs l ->
  each (child_fits t') (S i) cs l.
Proof.
  intros t t' i cs l E. apply each_impl. intros j c a L _ _ (N & W & R). split; [exact N|]. split; [exact W|].
  eapply brother_same; [|exact E | exact R]. lia.
Qed.

(** A child with a value below γ keeps it. *)
Lemma low_stays : forall i c a, is_low a -> worth a < γ -> child_visit G γ d mx π i c a = (a, []).
Proof.
  intros i c a L W. unfold child_visit. destruct d, a as [| |v|u l|u l]; simpl in L, W; try tauto; cbn [visit];
    try (destruct (Z.leb_spec γ v); [lia | reflexivity]); (destruct (Z.ltb_spec u γ); [reflexivity | lia]).
Qed.

Lemma loop_max : mx = true -> forall cs l i g best t log,
  each (child_fits t) i cs l -> reached g γ' = false ->
  let x := all_low G (child_visit G γ d mx π) i cs l in
  exists g1 best1 t1 log1,
    run M (loop (paths G) γ' search (numbered G π i cs) g best) t log = (Some (g1, best1), t1, log1) /\
    evaluations log1 = rev (snd x) ++ evaluations log /\ elsewhere_from π i t t1 /\
    match fst x with
    | Some l' => option_map (view (length π) mx) g1 = top (option_map (view (length π) mx) g) l' /\
      reached g1 γ' = false /\
        each (kept t1) i cs l'
    | None => exists w, g1 = Some w /\ γ' <= w /\ ((forall a, In a l -> is_low a /\ worth a <= γ) ->
      view (length π) mx w <= γ)
    end.
Proof.
  intros Mx. induction cs as [|c cs IH]; intros [|a l] i g best t log E Rg; simpl in E; try contradiction.
  - exists g, best, t, log. simpl. split; [reflexivity|]. split; [reflexivity|].
    split; [intros d' ρ q' _; reflexivity|]. auto.
  - destruct E as [Fa E]. simpl numbered. simpl loop. rewrite Rg. rewrite run_bind.
    destruct (Child g i c a t log Fa) as [(v & t' & log' & -> & Ev & El & Kc & Rt1 & Rt2) Dc]. simpl all_low.
    pose proof (low_stays i c a) as Stays.
    destruct (child_visit G γ d mx π i c a) as [a' e]. simpl in Ev, Kc, Rt1, Rt2, Dc.
    specialize (IH l (S i)). specialize (A v). rewrite Mx in A. rewrite <- Mx in A.
    destruct (is_high a') eqn:H.
    + assert (Hv : γ' <= v) by (apply A; exact Rt1).
      assert (Bt : better v g = true).
      { pose proof (reached_spec g γ') as Rs. rewrite Rg in Rs. destruct g as [w|]; [|reflexivity].
        simpl. apply Z.ltb_lt. specialize (Rs w eq_refl). lia. }
      rewrite Bt, loop_reached by (simpl; apply Z.leb_le; exact Hv).
      exists (Some v), (Some (fst c, (π ++ [i], snd c))), t', log'. simpl. split; [reflexivity|]. split; [exact Ev|].
      split; [apply elsewhere_one; exact El|]. exists v. split; [reflexivity|]. split; [exact Hv|].
      intros Al. destruct (Al a (or_introl eq_refl)) as [La Wa]. apply Rt2; auto.
    + destruct Dc as [Dc|[La Wa]]; [congruence|].
      assert (Lv : v < γ') by lia.
      match goal with |- context [run M ?next t' log'] => assert (G' : exists g' best',
        next = loop (paths G) γ' search (numbered G π (S i) cs) g' best' /\ reached g' γ' = false /\
        option_map (view (length π) mx) g' = Some (larger (option_map (view (length π) mx) g) (worth a'))) end.
      { destruct (better v g) eqn:Bt; eexists; eexists; (split; [reflexivity|]).
        - split; [apply Z.leb_gt; exact Lv|]. rewrite <- Rt1. simpl. f_equal.
          destruct g as [w|]; simpl in *; [|reflexivity].
          apply Z.ltb_lt in Bt. rewrite Mx. unfold Refine.view. pose proof (aged_order G (length π) w v). lia.
        - split; [exact Rg|]. rewrite <- Rt1. destruct g as [w|]; simpl in *; [|discriminate]. f_equal.
          apply Z.ltb_ge in Bt. rewrite Mx. unfold Refine.view. pose proof (aged_order G (length π) v w). lia. }
      destruct G' as (g' & best' & -> & Rg' & Vg').
      destruct (IH g' best' t' log' (brothers_fit _ _ _ _ _ El E) Rg')
        as (g1 & best1 & t1 & log1 & Run & Ev1 & El1 & Res).
      rewrite Run. destruct (all_low G (child_visit G γ d mx π) (S i) cs l) as [r e']. simpl in Ev1, Res.
      exists g1, best1, t1, log1. split; [reflexivity|]. split.
      { simpl. rewrite Ev1, Ev, rev_app_distr, app_assoc. reflexivity. }
      split; [eapply elsewhere_trans; eassumption|]. simpl.
      destruct r as [l'|]; simpl.
      * destruct Res as (T & R1 & K). rewrite <- Vg'. split; [exact T|]. split; [exact R1|]. split; [|exact K].
        eapply elder_same; eassumption.
      * destruct Res as (w & E1 & E2 & E3). exists w. split; [exact E1|]. split; [exact E2|].
        intros Al. apply E3. intros; apply Al; auto.
Qed.

Lemma loop_min : mx = false -> forall cs l i g best t log,
  each (child_fits t) i cs l -> reached g γ' = false ->
  let x := one_low G (child_visit G γ d mx π) i cs l in
  exists g1 best1 t1 log1,
    run M (loop (paths G) γ' search (numbered G π i cs) g best) t log = (Some (g1, best1), t1, log1) /\
    evaluations log1 = rev (snd x) ++ evaluations log /\ elsewhere_from π i t t1 /\
    match fst x with
    | Some (u, l') => exists w, g1 = Some w /\ γ' <= w /\ view (length π) mx w = u /\ each (kept t1) i cs l'
    | None => reached g1 γ' = false /\ (cs <> [] \/ g <> None -> g1 <> None) /\
        ((exists a, In a l /\ is_low a /\ worth a = γ) \/ (exists w, g = Some w /\ view (length π) mx w <= γ) ->
         exists w, g1 = Some w /\ view (length π) mx w <= γ)
    end.
Proof.
  intros Mx. induction cs as [|c cs IH]; intros [|a l] i g best t log E Rg; simpl in E; try contradiction.
  - exists g, best, t, log. simpl. split; [reflexivity|]. split; [reflexivity|].
    split; [intros d' ρ q' _; reflexivity|].
    split; [exact Rg|]. split; [tauto|]. intros [(a & [] & _)|H]; exact H.
  - destruct E as [Fa E]. simpl numbered. simpl loop. rewrite Rg. rewrite run_bind.
    destruct (Child g i c a t log Fa) as [(v & t' & log' & -> & Ev & El & Kc & Rt1 & Rt2) Dc]. simpl one_low.
    destruct (child_visit G γ d mx π i c a) as [a' e]. simpl in Ev, Kc, Rt1, Rt2, Dc.
    specialize (IH l (S i)). specialize (A v). rewrite Mx in A. rewrite <- Mx in A.
    destruct (is_high a') eqn:H.
    + assert (Hv : v < γ') by (apply A; exact Rt1).
      match goal with |- context [run M ?next t' log'] => assert (G' : exists g' best',
        next = loop (paths G) γ' search (numbered G π (S i) cs) g' best' /\ reached g' γ' = false /\
        exists w', g' = Some w' /\ v <= w' /\ forall w, g = Some w -> w <= w') end.
      { destruct (better v g) eqn:Bt; eexists; eexists; (split; [reflexivity|]).
        - split; [apply Z.leb_gt; exact Hv|]. exists v. split; [reflexivity|]. split; [lia|]. intros w ->. simpl in Bt.
          apply Z.ltb_lt in Bt. lia.
        - split; [exact Rg|]. destruct g as [w|]; simpl in Bt; [|discriminate]. apply Z.ltb_ge in Bt.
          exists w. split; [reflexivity|]. split; [exact Bt|]. intros x Ex; injection Ex; lia. }
      destruct G' as (g' & best' & -> & Rg' & w' & Eg' & Vw' & Gw').
      destruct (IH g' best' t' log' (brothers_fit _ _ _ _ _ El E) Rg')
        as (g1 & best1 & t1 & log1 & Run & Ev1 & El1 & Res).
      rewrite Run. destruct (one_low G (child_visit G γ d mx π) (S i) cs l) as [r e']. simpl in Ev1, Res.
      exists g1, best1, t1, log1. split; [reflexivity|]. split.
      { simpl. rewrite Ev1, Ev, rev_app_distr, app_assoc. reflexivity. }
      split; [eapply elsewhere_trans; eassumption|]. simpl.
      assert (Down : forall x y, x <= y -> view (length π) mx y <= view (length π) mx x).
      { intros x y L. rewrite Mx. unfold Refine.view. pose proof (aged_order G (length π) x y L). lia. }
      destruct r as [[u l']|]; simpl.
      * destruct Res as (w & E1 & E2 & E3 & K). exists w. split; [exact E1|]. split; [exact E2|]. split; [exact E3|].
        split; [|exact K]. eapply elder_same; [exact El1|]. destruct a'; try discriminate. exact Kc.
      * destruct Res as (R1 & N1 & Up). split; [exact R1|]. split; [intros _; apply N1; right; congruence|].
        intros Why. apply Up. destruct Why as [(b & [<-|Ib] & Lb & Wb)|(w & Ew & Vw)].
        -- right. exists w'. split; [exact Eg'|]. pose proof (Down v w' Vw').
           specialize (Rt2 Lb ltac:(lia) eq_refl). lia.
        -- left. exists b; auto.
        -- right. exists w'. split; [exact Eg'|]. pose proof (Down w w' (Gw' w Ew)). lia.
    + destruct Dc as [Dc|[La Wa]]; [congruence|].
      assert (Hv : γ' <= v) by lia.
      assert (Bt : better v g = true).
      { pose proof (reached_spec g γ') as Rs. rewrite Rg in Rs. destruct g as [w|]; [|reflexivity].
        simpl. apply Z.ltb_lt. specialize (Rs w eq_refl). lia. }
      rewrite Bt, loop_reached by (simpl; apply Z.leb_le; exact Hv).
      exists (Some v), (Some (fst c, (π ++ [i], snd c))), t', log'. simpl. split; [reflexivity|]. split; [exact Ev|].
      split; [apply elsewhere_one; exact El|]. exists v. split; [reflexivity|]. split; [exact Hv|]. split; [exact Rt1|].
      split; [exact Kc|]. eapply each_impl; [|exact (brothers_fit _ _ _ _ _ El E)].
      intros j x y _ _ _ (_ & _ & K). exact K.
Qed.

End Node.

(** The children's part of a visit, which the root has in common with the nodes below it. [b] is what was known of the
    node, or nothing. *)
Lemma expand_refines : forall γ γ' d q mx π (below : nat -> pos (paths G) -> gamma -> prog (paths G) Z) a l b t log,
  gamma_at (length π) mx γ γ' -> at_path π = Some (S d, q, mx) ->
  (forall i c a t log, child_fits γ d q mx π t i c a ->
    let x := child_visit G γ d mx π i c a in
    does γ (length π) mx (π ++ [i]) a x t log
      (run M (bind (below d (π ++ [i], snd c) (child_gamma (paths G) (fst c, (π ++ [i], snd c)) γ'))
         (fun v => Ret (from_child (paths G) (fst c, (π ++ [i], snd c)) v))) t log)
      (fun t' => kept γ d mx π t' i c)) ->
  each (child_fits γ d q mx π t) 0 (children G q) l -> l <> [] ->
  (is_low a -> worth a <= γ -> if mx then forall a, In a l -> is_low a /\ worth a <= γ
                             else exists a, In a l /\ is_low a /\ worth a = γ) ->
  root_lower mx b = None -> (forall u, root_upper mx b = Some u -> γ <= view (length π) mx u) ->
  let x := inside G (child_visit G γ d mx π) mx (children G q) l in
  exists g best t' log', run M (expand (paths G) below d (π, q) γ' b) t log = (Some (g, best), t', log') /\
    evaluations log' = rev (snd x) ++ evaluations log /\ elsewhere π t t' /\
    remembered t' γ (S d) π q mx (fst x) /\ returns γ (length π) mx a (fst x) g.
Proof.
  intros γ γ' d q mx π below a l b t log A W Child E Ne Tight Nl Nu.
  set (search := fun (_ : option Z) (c : child (paths G)) =>
    bind (below d (snd c) (child_gamma (paths G) c γ')) (fun v => Ret (from_child (paths G) c v))).
  assert (Child' : forall h i c a t log, child_fits γ d q mx π t i c a ->
    let x := child_visit G γ d mx π i c a in
    does γ (length π) mx (π ++ [i]) a x t log (run M (search h (fst c, (π ++ [i], snd c))) t log)
      (fun t' => kept γ d mx π t' i c) /\ decided γ (fst x)).
  { intros h i c a1 t1 log1 F. split; [apply Child; exact F|]. destruct F as (N & Wf & _).
    eapply visit_wf; [exact B | eapply walk_child; eassumption | exact Wf]. }
  assert (Run : run M (expand (paths G) below d (π, q) γ' b) t log =
    match run M (loop (paths G) γ' search (numbered G π 0 (children G q)) None None) t log with
    | (Some r, t', log') =>
      run M (match fst r with
             | Some g => @Store (paths G) _ (S d) (π, q) (narrowed b γ' γ' g) (Ret (g, snd r))
             | None => Stopped
             end) t' log'
    | (None, t', log') => (None, t', log')
    end).
  { unfold expand. cbn [run bind fst snd]. rewrite run_bind. reflexivity. }
  rewrite Run. clear Run. unfold inside. destruct mx.
  - destruct (loop_max γ γ' d q true π search A Child' eq_refl (children G q) l 0 None None t log E eq_refl)
      as (g1 & best & t1 & log1 & -> & Ev & El & Res).
    destruct (all_low G (child_visit G γ d true π) 0 (children G q) l) as [[l'|] e]; cbn [fst snd] in *.
    + destruct Res as (T & R1 & K). simpl in T.
      assert (Ne' : l' <> []).
      { apply each_length in E, K. destruct l, l'; simpl in *; congruence. }
      destruct (top_some l' None (or_introl Ne')) as [u Tu]. rewrite Tu in *.
      destruct g1 as [w|]; simpl in T; [|discriminate]. injection T; intros Vw.
      simpl in R1. apply Z.leb_gt in R1. pose proof (A w) as Aw. cbv iota in Aw.
      eexists; eexists; eexists; eexists. split; [reflexivity|]. split; [exact Ev|].
      split; [apply put_elsewhere; assumption|].
      split; [|split; [exact Vw | discriminate]]. cbn [remembered]. split.
      * rewrite (proj1 Keeps), <- Vw. apply (low_narrowed G (length π) true γ); auto. lia.
      * eapply each_impl; [|exact K]. intros j c a' _ _ _. apply put_below; exact Keeps.
    + destruct Res as (w & -> & Hw & Up). pose proof (A w) as Aw. cbv iota in Aw. apply Aw in Hw.
      eexists; eexists; eexists; eexists. split; [reflexivity|]. split; [exact Ev|].
      split; [apply put_elsewhere; assumption|].
      split; [|split; [exact Hw | intros L Wa _; apply Up; apply Tight; assumption]].
      cbn [remembered]. rewrite (proj1 Keeps). apply high_narrowed; auto.
  - destruct (loop_min γ γ' d q false π search A Child' eq_refl (children G q) l 0 None None t log E eq_refl)
      as (g1 & best & t1 & log1 & -> & Ev & El & Res).
    destruct (one_low G (child_visit G γ d false π) 0 (children G q) l) as [[[u l']|] e]; cbn [fst snd] in *.
    + destruct Res as (w & -> & Hw & Vw & K). pose proof (A w) as Aw. cbv iota in Aw.
      eexists; eexists; eexists; eexists. split; [reflexivity|]. split; [exact Ev|].
      split; [apply put_elsewhere; assumption|].
      split; [|split; [exact Vw | discriminate]]. cbn [remembered]. split.
      * rewrite (proj1 Keeps), <- Vw. apply (low_narrowed G (length π) false γ); auto. lia.
      * eapply each_impl; [|exact K]. intros j c a' _ _ _. apply put_below; exact Keeps.
    + destruct Res as (R1 & N1 & Up).
      destruct g1 as [w|].
      2: { exfalso. apply N1; [left | reflexivity]. apply each_length in E.
        destruct l, (children G q); simpl in *; congruence. }
      simpl in R1. apply Z.leb_gt in R1. pose proof (A w) as Aw. cbv iota in Aw. apply Aw in R1.
      eexists; eexists; eexists; eexists. split; [reflexivity|]. split; [exact Ev|].
      split; [apply put_elsewhere; assumption|].
      split.
      * cbn [remembered]. rewrite (proj1 Keeps). apply high_narrowed; auto.
      * split; [exact R1|]. intros L Wa _. destruct Up as (w' & Ew & Vw); [left; apply Tight; assumption|].
        injection Ew; intros; subst; exact Vw.
Qed.

(** ** Values of γ that the memory decides, and others *)

(** The children of a node of which something is known. *)
Definition known_children (q : pos G) (a : ann) : list ann :=
  match a with MaxLow _ l | MinLow _ l => l | _ => unseen G (children G q) end.

Lemma children_fit : forall γ d q mx π a t, wf (S d) q mx a -> remembered t γ (S d) π q mx a ->
  is_high a = false -> (forall v, a <> LeafLow v) ->
  each (child_fits γ d q mx π t) 0 (children G q) (known_children q a).
Proof.
  intros γ d q mx π a t W R H Nl. unfold child_fits.
  apply (each_nth _ _ (fun i c a => wf d (snd c) (turn mx c) a /\ remembered t γ d (π ++ [i]) (snd c) (turn mx c) a));
    [reflexivity|].
  destruct a as [| |v|u l|u l]; cbn [known_children].
  - apply unseen_each. intros j c. split; [destruct d; exact I|].
    simpl in R. destruct d; simpl; intros d' x q'; rewrite <- app_assoc; apply R.
  - discriminate.
  - exfalso; eapply Nl; reflexivity.
  - simpl in W, R. apply each_and; tauto.
  - simpl in W, R. apply each_and; tauto.
Qed.

Lemma tight : forall d q mx a γ, wf (S d) q mx a -> ~ (is_low a /\ worth a < γ) -> (forall v, a <> LeafLow v) ->
  is_low a -> worth a <= γ ->
  if mx then forall b, In b (known_children q a) -> is_low b /\ worth b <= γ
  else exists b, In b (known_children q a) /\ is_low b /\ worth b = γ.
Proof.
  intros d q mx a γ W Nlow Nl L Le. destruct a as [| |v|u l|u l]; simpl in *; try tauto.
  - exfalso; eapply Nl; reflexivity.
  - destruct W as (-> & F & T & _). intros b I. rewrite Forall_forall in F. split; [apply F; exact I|].
    destruct (top_bounds _ _ _ T) as (_ & Bd & _). specialize (Bd b I). lia.
  - destruct W as (-> & Sh & _). destruct (shape_low _ _ Sh) as (b & I & Lb & Wb). exists b.
    split; [exact I|]. split; [exact Lb|]. destruct (Z.lt_ge_cases u γ); [tauto | lia].
Qed.

(** What is answered from memory. *)
Definition settled (γ : Z) (a : ann) : Prop := a = High \/ (exists v, a = LeafLow v) \/ is_low a /\ worth a < γ.

Lemma settled_or_not : forall γ a, settled γ a \/ ~ settled γ a.
Proof.
  intros γ a. unfold settled. destruct a as [| |v|u l|u l]; simpl; eauto.
  - right. intros [H|[[v H]|[H _]]]; congruence || exact H.
  - destruct (Z.lt_ge_cases u γ); [left; right; right; auto|]. right. intros [K|[[v K]|[_ K]]]; congruence || lia.
  - destruct (Z.lt_ge_cases u γ); [left; right; right; auto|]. right. intros [K|[[v K]|[_ K]]]; congruence || lia.
Qed.

Lemma settled_answer : forall γ γ' d q mx π a t, gamma_at (length π) mx γ γ' -> remembered t γ d π q mx a -> settled γ a ->
  let x := visit G γ d q mx π a in
  exists g, answered (get M t d (π, q)) γ' = Some g /\ snd x = [] /\ remembered t γ d π q mx (fst x) /\
    returns γ (length π) mx a (fst x) g.
Proof.
  intros γ γ' d q mx π a t A R [->|[[v ->]|[L Lt]]].
  - rewrite visit_high. assert (He : high_entry γ (length π) mx (get M t d (π, q))) by (destruct d; exact R).
    destruct (answered_high G _ _ _ _ _ A He) as (g & E & V). exists g. split; [exact E|]. split; [reflexivity|].
    split; [exact R|]. split; [exact V | intros []].
  - assert (Hv : exists v', get M t d (π, q) = exactly v' /\ view (length π) mx v' = v) by (destruct d; exact R).
    assert (E : visit G γ d q mx π (LeafLow v) = (if γ <=? v then High else LeafLow v, []))
      by (destruct d; reflexivity).
    rewrite E. cbn [fst snd]. destruct Hv as (v' & Ev & Vv). exists v'. rewrite Ev, answered_exactly.
    split; [reflexivity|]. split; [reflexivity|]. destruct (Z.leb_spec γ v).
    + split; [|split; cbn [is_high worth]; [lia | intros _ K _; lia]].
      assert (He : high_entry γ (length π) mx (get M t d (π, q))).
      { rewrite Ev. unfold high_entry, root_lower, root_upper. rewrite <- Vv in *.
        destruct mx; cbn [lower upper exactly];
          (split; [exists v'; split; [reflexivity | assumption] | intros u K; injection K; intros <-; assumption]). }
      destruct d; exact He.
    + split; [exact R|]. split; cbn [is_high worth]; [exact Vv | discriminate].
  - assert (E : visit G γ d q mx π a = (a, [])).
    { destruct d, a as [| |v|u l|u l]; simpl in L, Lt; try tauto; cbn [visit];
        try (destruct (Z.leb_spec γ v); [lia | reflexivity]); (destruct (Z.ltb_spec u γ); [reflexivity | lia]). }
    rewrite E. cbn [fst snd].
    assert (G' : exists g, answered (get M t d (π, q)) γ' = Some g /\ view (length π) mx g = worth a).
    { destruct a as [| |v|u l|u l]; simpl in L, Lt; try tauto.
      - assert (Hv : exists v', get M t d (π, q) = exactly v' /\ view (length π) mx v' = v) by (destruct d; exact R).
        destruct Hv as (v' & Ev & Vv). exists v'. rewrite Ev, answered_exactly. auto.
      - apply (answered_low G _ _ γ); auto. destruct d; exact (proj1 R).
      - apply (answered_low G _ _ γ); auto. destruct d; exact (proj1 R). }
    destruct G' as (g & Eg & Vg). exists g. split; [exact Eg|]. split; [reflexivity|]. split; [exact R|].
    split; [destruct a; simpl in L; try contradiction; exact Vg|].
    destruct a; simpl in L; try contradiction; discriminate.
Qed.

Lemma unsettled : forall γ d q mx π a t, wf d q mx a -> remembered t γ d π q mx a -> ~ settled γ a ->
  root_lower mx (get M t d (π, q)) = None /\
  (forall u, root_upper mx (get M t d (π, q)) = Some u -> γ <= view (length π) mx u) /\
  is_high a = false /\ (forall v, a <> LeafLow v) /\ ~ (is_low a /\ worth a < γ) /\
  (a = Unseen \/ d <> O /\ children G q <> []) /\
  (children G q <> [] -> known_children q a <> []).
Proof.
  intros γ d q mx π a t W R N. unfold settled in N.
  assert (L : low_entry (length π) mx (get M t d (π, q)) (worth a) -> γ <= worth a ->
    root_lower mx (get M t d (π, q)) = None /\
    (forall u, root_upper mx (get M t d (π, q)) = Some u -> γ <= view (length π) mx u)).
  { intros [L1 (g & L2 & L3)] Le. split; [exact L1|]. intros u E. rewrite L2 in E. injection E; intros; subst. lia. }
  assert (Ca : a = Unseen \/ is_low a /\ γ <= worth a /\ (forall v, a <> LeafLow v) /\ is_high a = false).
  { destruct a as [| |v|u l|u l]; auto; [exfalso; tauto | exfalso; eauto | |];
      (right; simpl in *; split; [exact I|]; split; [destruct (Z.lt_ge_cases u γ); [exfalso; tauto | lia]|];
       split; [discriminate | reflexivity]). }
  destruct Ca as [->|(La & Ge & Nl & Nh)].
  - assert (E : get M t d (π, q) = unknown).
    { assert (E : forall d' x q', get M t d' (π ++ x, q') = unknown) by (destruct d; exact R).
      specialize (E d [] q). rewrite app_nil_r in E. exact E. }
    rewrite E. unfold root_lower, root_upper. destruct mx; simpl;
      (split; [reflexivity|]; split; [discriminate|]; split; [reflexivity|]; split; [discriminate|]; split; [tauto|];
       split; [auto|]; unfold unseen; destruct (children G q); [congruence | discriminate]).
  - destruct L as [L1 L2]; [|exact Ge|].
    { destruct a as [| |v|u l|u l]; simpl in La; try contradiction; [exfalso; eapply Nl; reflexivity | |];
        destruct d; exact (proj1 R). }
    split; [exact L1|]. split; [exact L2|]. split; [exact Nh|]. split; [exact Nl|]. split; [tauto|].
    destruct d as [|d], a as [| |v|u l|u l]; simpl in La, W; try tauto; try (exfalso; eapply Nl; reflexivity).
    + destruct W as (_ & _ & T & E).
      assert (Ne : l <> []) by (intros ->; discriminate).
      split; [|intros _; exact Ne]. right. split; [discriminate|]. intros Cs. rewrite Cs in E.
      destruct l; [congruence | exact E].
    + destruct W as (_ & Sh & E).
      assert (Ne : l <> []) by (intros ->; exact Sh).
      split; [|intros _; exact Ne]. right. split; [discriminate|]. intros Cs. rewrite Cs in E.
      destruct l; [congruence | exact E].
Qed.

Lemma visit_inside : forall γ d q mx π a, ~ settled γ a -> children G q <> [] ->
  visit G γ (S d) q mx π a = inside G (child_visit G γ d mx π) mx (children G q) (known_children q a).
Proof.
  intros γ d q mx π a N Cs. unfold settled in N. destruct a as [| |v|u l|u l]; cbn [visit known_children].
  - destruct (children G q); [congruence | reflexivity].
  - tauto.
  - exfalso; eauto.
  - destruct (Z.ltb_spec u γ); [exfalso; simpl in N; tauto | reflexivity].
  - destruct (Z.ltb_spec u γ); [exfalso; simpl in N; tauto | reflexivity].
Qed.

(** ** MT refines *)

Definition mt_does (d : nat) : Prop := forall q mx π a γ γ' t log, gamma_at (length π) mx γ γ' ->
  at_path π = Some (d, q, mx) -> wf d q mx a -> remembered t γ d π q mx a ->
  does γ (length π) mx π a (visit G γ d q mx π a) t log (run M (mt (paths G) d (π, q) γ') t log)
    (fun t' => remembered t' γ d π q mx).

Lemma child_does : forall γ γ' d q mx π (below : nat -> pos (paths G) -> gamma -> prog (paths G) Z),
  mt_does d -> (forall r δ, below d r δ = mt (paths G) d r δ) ->
  gamma_at (length π) mx γ γ' -> at_path π = Some (S d, q, mx) ->
  forall i c a t log, child_fits γ d q mx π t i c a ->
    let x := child_visit G γ d mx π i c a in
    does γ (length π) mx (π ++ [i]) a x t log
      (run M (bind (below d (π ++ [i], snd c) (child_gamma (paths G) (fst c, (π ++ [i], snd c)) γ'))
         (fun v => Ret (from_child (paths G) (fst c, (π ++ [i], snd c)) v))) t log)
      (fun t' => kept γ d mx π t' i c).
Proof.
  intros γ γ' d q mx π below IH Eb A W i c a t log (N & Wf & R).
  assert (Len : length (π ++ [i]) = S (length π)) by (rewrite app_length; simpl; lia).
  assert (A' : gamma_at (length (π ++ [i])) (turn mx c) γ (child_gamma G c γ')).
  { rewrite Len. apply gamma_at_child. exact A. }
  rewrite run_bind, Eb.
  destruct (IH (snd c) (turn mx c) (π ++ [i]) a γ (child_gamma G c γ') t log A' (walk_child _ _ _ _ _ _ _ _ _ _ W N) Wf R)
    as (g & t' & log' & Run & Ev & El & K & Rt).
  change (child_gamma (paths G) (fst c, (π ++ [i], snd c)) γ') with (child_gamma G c γ'). rewrite Run.
  exists (from_child G c g), t', log'. split; [reflexivity|]. split; [exact Ev|]. split; [exact El|]. split; [exact K|].
  unfold returns in *. rewrite Len, view_child in Rt. exact Rt.
Qed.

Theorem mt_refines : forall d, mt_does d.
Proof.
  assert (Leaf : forall d q mx π γ γ' t log, at_path π = Some (d, q, mx) -> d = O \/ children G q = [] ->
    gamma_at (length π) mx γ γ' ->
    does γ (length π) mx π Unseen (seen γ π (view (length π) mx (leaf G d q))) t log
      (run M (evaluate (paths G) d (π, q)) t (Visited (G := paths G) d (π, q) :: log))
      (fun t' => remembered t' γ d π q mx)).
  { intros d q mx π γ γ' t log W L A. unfold evaluate. cbn [run].
    change (leaf (paths G) d (π, q)) with (leaf G d q). set (v := leaf G d q).
    eexists; eexists; eexists. split; [reflexivity|]. split; [reflexivity|].
    split. { intros d' ρ q' St. apply (proj2 Keeps). intros ->. rewrite starts_with_refl in St. discriminate. }
    assert (E : get M (put M t d (π, q) (exactly v)) d (π, q) = exactly v) by apply (proj1 Keeps).
    unfold seen. cbn [fst]. destruct (Z.leb_spec γ (view (length π) mx v)).
    - split; [|split; [assumption | intros []]].
      assert (He : high_entry γ (length π) mx (get M (put M t d (π, q) (exactly v)) d (π, q))).
      { rewrite E. unfold high_entry, root_lower, root_upper. destruct mx; cbn [lower upper exactly];
          (split; [exists v; split; [reflexivity | assumption] | intros u K; injection K; intros <-; assumption]). }
      destruct d; exact He.
    - split; [|split; [reflexivity | discriminate]]. destruct d; exists v; auto. }
  assert (Inner : forall d q mx π a γ γ' t log, gamma_at (length π) mx γ γ' -> mt_does d ->
    at_path π = Some (S d, q, mx) -> wf (S d) q mx a -> remembered t γ (S d) π q mx a -> ~ settled γ a ->
      children G q <> [] ->
    does γ (length π) mx π a (visit G γ (S d) q mx π a) t log
      (run M
        (bind (expand (paths G) (fun _ => mt (paths G) d) d (π, q) γ' (get M t (S d) (π, q))) (fun r => Ret (fst r))) t
        (Visited (G := paths G) (S d) (π, q) :: log))
      (fun t' => remembered t' γ (S d) π q mx)).
  { intros d q mx π a γ γ' t log A IH W Wf R N Cs.
    destruct (unsettled γ (S d) q mx π a t Wf R N) as (Nl & Nu & Nh & Nlf & Nlow & _ & Ne).
    rewrite visit_inside by assumption.
    destruct (expand_refines γ γ' d q mx π (fun _ => mt (paths G) d) a (known_children q a) (get M t (S d) (π, q)) t
      (Visited (G := paths G) (S d) (π, q) :: log) A W
      (child_does γ γ' d q mx π (fun _ => mt (paths G) d) IH (fun _ _ => eq_refl) A W)
      (children_fit γ d q mx π a t Wf R Nh Nlf) (Ne Cs) (tight d q mx a γ Wf Nlow Nlf) Nl Nu)
      as (g & best & t' & log' & Run & Ev & El & K & Rt).
    rewrite run_bind, Run. exists g, t', log'. auto. }
  induction d as [|d IH]; intros q mx π a γ γ' t log A W Wf R; cbn [mt run].
  - destruct (settled_or_not γ a) as [Se|N].
    + destruct (settled_answer γ γ' _ q mx π a t A R Se) as (g & -> & Es & K & Rt).
      exists g, t, (Visited (G := paths G) 0 (π, q) :: log). rewrite Es. split; [reflexivity|]. split; [reflexivity|].
      split; [intros d' ρ q' _; reflexivity|]. auto.
    + destruct (unsettled γ _ q mx π a t Wf R N) as (Nl & Nu & _ & _ & _ & [->|[H _]] & _); [|congruence].
      rewrite (not_answered G (length π) mx γ γ') by assumption. eapply Leaf; eauto.
  - destruct (settled_or_not γ a) as [Se|N].
    + destruct (settled_answer γ γ' _ q mx π a t A R Se) as (g & -> & Es & K & Rt).
      exists g, t, (Visited (G := paths G) (S d) (π, q) :: log). rewrite Es. split; [reflexivity|].
      split; [reflexivity|].
      split; [intros d' ρ q' _; reflexivity|]. auto.
    + destruct (unsettled γ _ q mx π a t Wf R N) as (Nl & Nu & _ & _ & _ & Ca & _).
      rewrite (not_answered G (length π) mx γ γ') by assumption.
      destruct (children (paths G) (π, q)) as [|c0 cs0] eqn:Cs.
      * assert (Cs' : children G q = []) by (simpl in Cs; destruct (children G q); [reflexivity | discriminate]).
        destruct Ca as [->|[_ H]]; [|congruence]. cbn [visit]. rewrite Cs'. eapply Leaf; eauto.
      * assert (Cs' : children G q <> []) by (intros E; simpl in Cs; rewrite E in Cs; discriminate).
        apply Inner; assumption.
Qed.

(** ** A pass at the root *)

Theorem pass_refines : forall d q a γ γ' t log, gamma_at 0 mx0 γ γ' -> d0 = S d -> p0 = q -> children G q <> [] ->
  wf (S d) q mx0 a -> remembered t γ (S d) [] q mx0 a -> ~ settled γ a ->
  let x := visit G γ (S d) q mx0 [] a in
  exists g best t' log', run M (pass (paths G) (S d) ([], q) γ') t log = (Some (g, best), t', log') /\
    evaluations log' = rev (snd x) ++ evaluations log /\ remembered t' γ (S d) [] q mx0 (fst x) /\
    returns γ 0 mx0 a (fst x) g.
Proof.
  intros d q a γ γ' t log A D P Cs Wf R N.
  assert (W : at_path [] = Some (S d, q, mx0)) by (rewrite D, P; reflexivity).
  destruct (unsettled γ (S d) q mx0 [] a t Wf R N) as (_ & _ & Nh & Nlf & Nlow & _ & Ne).
  unfold pass. destruct (children (paths G) ([], q)) as [|c0 cs0] eqn:Cs'.
  { simpl in Cs'. destruct (children G q); [congruence | discriminate]. }
  rewrite visit_inside by assumption.
  destruct (expand_refines γ γ' d q mx0 [] (mt (paths G)) a (known_children q a) unknown t log A W
    (child_does γ γ' d q mx0 [] (mt (paths G)) (mt_refines d) (fun _ _ => eq_refl) A W)
    (children_fit γ d q mx0 [] a t Wf R Nh Nlf) (Ne Cs) (tight d q mx0 a γ Wf Nlow Nlf))
    as (g & best & t' & log' & Run & Ev & El & K & Rt).
  - unfold root_lower; destruct mx0; reflexivity.
  - unfold root_upper; destruct mx0; discriminate.
  - exists g, best, t', log'. auto.
Qed.

End MtRefines.
