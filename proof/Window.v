(** Searches of windows of any width with memory, and aspiration. Follows window.rs and aspiration.rs. *)

From Coq Require Import ZArith Lia List Permutation Bool.
Require Import Value Game Program Mt.
Import ListNotations.
Open Scope Z_scope.

(** How the children of a wide window are searched. *)
Inductive wide := NegaScout | AlphaBeta.

Section Window.
Variable G : game.

(** The result for a window, if the bounds decide it. *)
Definition window_answer (b : bounds) (low high : gamma) : option Z :=
  match lower b, upper b with
  | Some l, Some u => if (high <=? l) || (l =? u) then Some l else if u <? low then Some u else None
  | Some l, None => if high <=? l then Some l else None
  | None, Some u => if u <? low then Some u else None
  | None, None => None
  end.

(** What is left of the window's ends when bounds are known: α rises to f⁻ and β falls to f⁺. *)
Definition low_within (b : bounds) (low : gamma) : gamma := match lower b with Some l => Z.max low (l + 1) | None => low end.
Definition high_within (b : bounds) (high : gamma) : gamma := match upper b with Some u => Z.min high u | None => high end.
Definition low_above (g : option Z) (low : gamma) : gamma := match g with Some v => Z.max low (v + 1) | None => low end.

(** A child with a wide window: the whole window at once, or first a null window that tests whether the child improves α. *)
Definition search_child (w : wide) (below : pos G -> gamma -> gamma -> prog G Z) (c : child G) (low high : gamma)
  (first : bool) : prog G Z :=
  let run_window l h := if fst c then below (snd c) (child_gamma G c l) (child_gamma G c h)
                        else below (snd c) (child_gamma G c h) (child_gamma G c l) in
  let search_edge l h := bind (run_window l h) (fun v => Ret (from_child G c v)) in
  if low =? high then search_edge low low
  else match w, first with
  | NegaScout, false =>
    bind (search_edge low low) (fun v =>
      if (v <? low) || (high <=? v) then Ret v
      else bind (search_edge (v + 1) high) (fun v' => Ret (Z.max v v')))
  | _, _ => search_edge low high
  end.

(** The loop over the children: as [loop], but each is searched with what is still open. *)
Fixpoint window_loop (null : bool) (low high : gamma) (search : child G -> gamma -> bool -> prog G Z)
  (cs : list (child G)) (first : bool) (g : option Z) : prog G (option Z) :=
  match cs with
  | [] => Ret g
  | c :: rest =>
    if reached g high then Ret g
    else bind (search c (if null then low else low_above g low) first) (fun v =>
      window_loop null low high search rest false (if better v g then Some v else g))
  end.

Definition window_expand (w : wide) (below : pos G -> gamma -> gamma -> prog G Z) (d : nat) (p : pos G)
  (low high : gamma) (b : bounds) : prog G Z :=
  let low' := low_within b low in
  let high' := high_within b high in
  Choose (S d) p (fun look =>
  bind (if look then look_ahead G d high (children G p) else Ret (None, None)) (fun start =>
  Order (S d) p (fun cs =>
  bind (window_loop (low' =? high') low' high' (fun c l first => search_child w below c l high' first) cs true (fst start))
    (fun r =>
  match r with
  | Some g => Store (S d) p (narrowed b low' high' g) (Ret g)
  | None => Stopped
  end)))).

(** A null window is searched by MT. *)
Fixpoint search (w : wide) (d : nat) (p : pos G) (low high : gamma) {struct d} : prog G Z :=
  if low =? high then mt G d p low else
  Retrieve d p (fun b =>
  Choose d p (fun stop =>
  if stop then Stopped else
  match window_answer b low high with
  | Some g => Ret g
  | None =>
    match d with
    | O => evaluate G O p
    | S d' =>
      match children G p with
      | [] => evaluate G d p
      | _ :: _ => window_expand w (search w d') d' p low high b
      end
    end
  end)).

(** NegaScout's null-window searches are MT's, and so visit MT's nodes. *)
Theorem a_null_window_is_mt : forall w d p γ, search w d p γ γ = mt G d p γ.
Proof. intros w [|d] p γ; simpl; rewrite Z.eqb_refl; reflexivity. Qed.

Lemma window_answer_true : forall b low high v g, low <= high -> holds b v ->
  window_answer b low high = Some g -> window_contract v low high g.
Proof.
  intros b low high v g LH [L U]; unfold window_answer.
  destruct (lower b) as [l|], (upper b) as [u|];
    try specialize (L _ eq_refl); try specialize (U _ eq_refl);
    repeat match goal with
    | |- context [?x <=? ?y] => destruct (Z.leb_spec x y); simpl
    | |- context [?x <? ?y] => destruct (Z.ltb_spec x y); simpl
    | |- context [?x =? ?y] => destruct (Z.eqb_spec x y); simpl
    end; intros E; try discriminate; injection E; intros; subst; split; lia.
Qed.

Lemma window_not_answered : forall b low high v, low <= high -> holds b v -> window_answer b low high = None ->
  low <= low_within b low <= high_within b high /\ high_within b high <= high /\
  (forall g, window_contract v (low_within b low) (high_within b high) g -> window_contract v low high g) /\
  (forall g, window_contract v (low_within b low) (high_within b high) g ->
    holds (narrowed b (low_within b low) (high_within b high) g) v).
Proof.
  intros b low high v LH [L U] N. unfold window_answer in N. unfold low_within, high_within, narrowed, window_contract, holds.
  destruct (lower b) as [l|], (upper b) as [u|]; simpl in *;
    try specialize (L _ eq_refl); try specialize (U _ eq_refl);
    repeat match type of N with
    | context [?x <=? ?y] => destruct (Z.leb_spec x y); simpl in N
    | context [?x <? ?y] => destruct (Z.ltb_spec x y); simpl in N
    | context [?x =? ?y] => destruct (Z.eqb_spec x y); simpl in N
    end; try discriminate;
    (split; [lia|]); (split; [lia|]); (split; [intros g [A B]; split; lia|]);
    intros g [A B]; split; intros x E;
    repeat match type of E with
    | context [?x <=? ?y] => destruct (Z.leb_spec x y)
    | context [?x <? ?y] => destruct (Z.ltb_spec x y)
    end; try discriminate; injection E; intros; subst; lia.
Qed.

Lemma window_contract_back : forall (c : child G) v low high g,
  window_contract v (if fst c then child_gamma G c low else child_gamma G c high)
    (if fst c then child_gamma G c high else child_gamma G c low) g ->
  window_contract (from_child G c v) low high (from_child G c g).
Proof.
  intros [again p] v low high g [A B]; unfold from_child, child_gamma in *; simpl fst in *.
  pose proof (to_parent_to_child (ages G) again g low) as EL. pose proof (to_parent_to_child (ages G) again g high) as EH.
  split; intros C; destruct again.
  - apply (back_order (ages G) true). apply A.
    assert (~ to_child (ages G) true high <= g) by (rewrite <- EH; lia). lia.
  - apply (back_order (ages G) false). apply B.
    assert (~ g < to_child (ages G) false high) by (rewrite <- EH; lia). lia.
  - apply (back_order (ages G) true). apply B. apply EL; exact C.
  - apply (back_order (ages G) false). apply A. apply EL; exact C.
Qed.

Lemma ask_order : forall (c : child G) low high, low <= high ->
  if fst c then child_gamma G c low <= child_gamma G c high else child_gamma G c high <= child_gamma G c low.
Proof.
  intros [again p] low high LH; unfold child_gamma; simpl fst.
  pose proof (to_parent_to_child (ages G) again) as E.
  destruct again; simpl in *.
  - apply E. apply Z.le_trans with high; [exact LH | apply E; lia].
  - unfold mirror in *. destruct (Z_le_gt_dec (1 - unage (ages G) high) (1 - unage (ages G) low)) as [|N]; [assumption|].
    assert (H : - unage (ages G) high < 1 - unage (ages G) high) by lia.
    apply E in H. assert (H' : low <= - age (ages G) (- unage (ages G) high)) by lia.
    apply E in H'. lia.
Qed.

Lemma search_child_keeps : forall s w below (c : child G) d low high first,
  low <= high ->
  (forall l h, low <= l -> l <= h -> h <= high ->
    let l' := if fst c then child_gamma G c l else child_gamma G c h in
    let h' := if fst c then child_gamma G c h else child_gamma G c l in
    keeps s (window_contract (f G d (snd c)) l' h') (below (snd c) l' h')) ->
  keeps s (window_contract (val G d c) low high) (search_child w below c low high first).
Proof.
  intros s w below c d low high first LH K; unfold search_child.
  assert (Q : forall l h, low <= l -> l <= h -> h <= high -> keeps s (window_contract (val G d c) l h)
    (bind (if fst c then below (snd c) (child_gamma G c l) (child_gamma G c h)
           else below (snd c) (child_gamma G c h) (child_gamma G c l)) (fun v => Ret (from_child G c v)))).
  { intros l h A B C. specialize (K l h A B C). simpl in K.
    apply keeps_bind with (P := window_contract (f G d (snd c))
      (if fst c then child_gamma G c l else child_gamma G c h) (if fst c then child_gamma G c h else child_gamma G c l)).
    - destruct (fst c); exact K.
    - intros v V; simpl. apply window_contract_back; exact V. }
  destruct (Z.eqb_spec low high) as [E|E].
  { subst high. apply Q; lia. }
  destruct w, first; try (apply Q; lia).
  apply keeps_bind with (1 := Q low low ltac:(lia) ltac:(lia) ltac:(lia)). intros v [A B].
  destruct (Z.ltb_spec v low); simpl; [split; lia|].
  destruct (Z.leb_spec high v); simpl; [split; lia|].
  apply keeps_bind with (1 := Q (v + 1) high ltac:(lia) ltac:(lia) ltac:(lia)). intros v' [A' B'].
  simpl; split; lia.
Qed.

(** The invariant of the loop: below the window's upper end every child tried is at most g; above its lower end some child is at
    least g. *)
Definition at_most (d : nat) (high : gamma) (tried : list (child G)) (g : option Z) : Prop :=
  reached g high = false -> forall c, In c tried -> exists v, g = Some v /\ val G d c <= v.
Definition at_least (d : nat) (low : gamma) (all : list (child G)) (g : option Z) : Prop :=
  forall v, g = Some v -> low <= v -> exists c, In c all /\ v <= val G d c.

Lemma window_loop_keeps : forall s d low high search all cs tried first g,
  low <= high -> all = tried ++ cs ->
  (forall c l first, In c all -> low <= l <= high -> keeps s (window_contract (val G d c) l high) (search c l first)) ->
  at_most d high tried g -> at_least d low all g ->
  keeps s (fun r => at_most d high all r /\ at_least d low all r)
    (window_loop (low =? high) low high search cs first g).
Proof.
  intros s d low high search all. induction cs as [|c cs IH]; intros tried first g LH E S L H; simpl.
  - rewrite app_nil_r in E; subst. auto.
  - pose proof (reached_spec g high) as R. destruct (reached g high) eqn:Rg.
    + simpl; split; [|exact H]. intros N; congruence.
    + assert (I : In c all) by (rewrite E; apply in_or_app; right; left; reflexivity).
      set (l := if low =? high then low else low_above g low).
      assert (Hl : low <= l <= high).
      { unfold l, low_above. destruct (low =? high); [lia|]. destruct g as [v|]; [|lia]. specialize (R v eq_refl). lia. }
      apply keeps_bind with (1 := S c l first I Hl). intros v [CL CH].
      assert (E' : all = (tried ++ [c]) ++ cs) by (rewrite <- app_assoc; exact E).
      apply IH with (tried := tried ++ [c]); [exact LH | exact E' | exact S | |].
      * intros N x Ix. destruct (better v g) eqn:B.
        -- exists v; split; [reflexivity|]. simpl in N. apply Z.leb_gt in N.
           apply in_app_or in Ix; destruct Ix as [Ix|[<-|[]]]; [|apply CL; exact N].
           destruct (L Rg x Ix) as (w & -> & W). simpl in B. apply Z.ltb_lt in B. lia.
        -- destruct g as [w|]; [|discriminate]. exists w; split; [reflexivity|]. simpl in B. apply Z.ltb_ge in B.
           apply in_app_or in Ix; destruct Ix as [Ix|[<-|[]]].
           ++ destruct (L Rg x Ix) as (w' & E'' & W). injection E''; intros; subst; exact W.
           ++ specialize (R w eq_refl). assert (v < high) by lia. specialize (CL H0). lia.
      * destruct (better v g) eqn:B; [|exact H].
        intros w W Lw. injection W; intros; subst. exists c; split; [exact I|]. apply CH.
        unfold l, low_above. destruct (Z.eqb_spec low high); [exact Lw|]. destruct g as [u|]; [|exact Lw].
        simpl in B. apply Z.ltb_lt in B. lia.
Qed.

Lemma window_expand_keeps : forall s w below d p low high b,
  (forall d p b, known s d p b -> holds b (f G d p)) ->
  (forall b, holds b (f G (S d) p) -> stored s (S d) p b) ->
  (forall p cs, ordered s p cs -> Permutation (children G p) cs) ->
  (forall c l h, In c (children G p) -> l <= h -> keeps s (window_contract (f G d (snd c)) l h) (below (snd c) l h)) ->
  children G p <> [] -> holds b (f G (S d) p) -> low <= high -> window_answer b low high = None ->
  keeps s (window_contract (f G (S d) p) low high) (window_expand w below d p low high b).
Proof.
  intros s w below d p low high b K St Or Below N B LH NA; unfold window_expand; simpl; intros look.
  destruct (window_not_answered b low high _ LH B NA) as (W1 & W2 & W3 & W4).
  set (l := low_within b low) in *. set (h := high_within b high) in *.
  apply keeps_bind with (P := fun r => forall v, fst r = Some v -> exists c, In c (children G p) /\ v <= val G d c).
  { destruct look; [|simpl; discriminate].
    eapply keeps_post; [|apply look_ahead_keeps with (all := children G p); auto].
    simpl; intros [g best] [H R] v E; simpl in *.
    destruct R as [R|R]; [|congruence]. subst g. simpl in R. apply Z.leb_le in R.
    destruct (H v eq_refl R) as (c & _ & I & V). eauto. }
  intros [g0 best0] H0; simpl in H0 |- *. intros cs Ocs.
  assert (Perm := Or _ _ Ocs).
  assert (Same : forall c, In c cs <-> In c (children G p)).
  { intros c; split; apply Permutation_in; [apply Permutation_sym|]; exact Perm. }
  apply keeps_bind with (P := fun r => at_most d h cs r /\ at_least d l cs r).
  { apply window_loop_keeps with (tried := []); [lia | reflexivity | | intros _ c [] |].
    - intros c l' first I L'. apply search_child_keeps; [lia|].
      intros x y A1 A2 A3; simpl. apply Below; [apply Same; exact I|].
      pose proof (ask_order c x y A2). destruct (fst c); assumption.
    - intros v E _. destruct (H0 v E) as (c & I & V). exists c; split; [apply Same|]; assumption. }
  intros [g|] [L H]; simpl; [|exact I].
  assert (Good : window_contract (f G (S d) p) l h g).
  { split; intros C.
    - destruct (f_attained G d p N) as (c & I & ->).
      destruct (L (proj2 (Z.leb_gt h g) C) c) as (v & E & V); [apply Same; exact I|].
      injection E; intros; subst; exact V.
    - destruct (H g eq_refl C) as (c & I & V).
      apply Z.le_trans with (1 := V). apply f_greatest. apply Same; exact I. }
  split; [apply St, W4 | apply W3]; exact Good.
Qed.

Lemma evaluate_window : forall s d p low high,
  f G d p = leaf G d p -> evaluated s d p -> (forall b, holds b (f G d p) -> stored s d p b) ->
  keeps s (window_contract (f G d p) low high) (evaluate G d p).
Proof.
  intros s d p low high E V S; simpl; repeat split; auto; try (rewrite E; lia).
  apply S; rewrite E; apply exactly_holds.
Qed.

(** Alpha-Beta and NegaScout with memory: below the window f ≤ g, above it f ≥ g, within it f = g; and everything that they
    store is true. *)
Theorem window_search_keeps_its_contract : forall w d p low high, low <= high ->
  keeps (truthful G) (window_contract (f G d p) low high) (search w d p low high).
Proof.
  induction d as [|d IH]; intros p low high LH; cbn [search];
    (destruct (Z.eqb_spec low high) as [<-|NE];
      [eapply keeps_post; [|apply mt_keeps_its_contract]; intros a; apply contract_null|]);
    (split; [exact I|]); intros b B [|]; try exact I;
    (destruct (window_answer b low high) as [g|] eqn:A; [apply window_answer_true with b; assumption|]).
  - apply evaluate_window; simpl; auto.
  - destruct (children G p) as [|c cs] eqn:Cs.
    + apply evaluate_window; simpl; auto. rewrite Cs; reflexivity.
    + apply window_expand_keeps; simpl; auto. congruence.
Qed.

(** A window that holds the value finds it. *)
Theorem a_wide_window_is_exact : forall w d p low high, low <= f G d p < high ->
  keeps (truthful G) (fun g => g = f G d p) (search w d p low high).
Proof.
  intros w d p low high H. eapply keeps_post; [|apply window_search_keeps_its_contract; lia].
  intros g [A B]. destruct (Z_lt_ge_dec g high); destruct (Z_le_gt_dec low g); lia.
Qed.

(** A pass at the root, which answers nothing from the table: it must name a move. *)
Definition window_pass (w : wide) (d : nat) (p : pos G) (low high : gamma) : prog G Z :=
  match d with
  | O => evaluate G O p
  | S d' =>
    match children G p with
    | [] => evaluate G d p
    | _ :: _ => window_expand w (search w d') d' p low high unknown
    end
  end.

Theorem a_window_pass_keeps_its_contract : forall w d p low high, low <= high ->
  keeps (truthful G) (window_contract (f G d p) low high) (window_pass w d p low high).
Proof.
  intros w [|d] p low high LH; unfold window_pass; [apply evaluate_window; simpl; auto|].
  destruct (children G p) as [|c cs] eqn:Cs.
  - apply evaluate_window; simpl; auto. rewrite Cs; reflexivity.
  - apply window_expand_keeps; simpl; auto using unknown_holds.
    + intros; apply window_search_keeps_its_contract; assumption.
    + congruence.
Qed.

(** ** Aspiration *)

Inductive widen := Open | Double.

(** A window around the guess, and while the value lies outside it, what is left on that side or a part of it. The window
    (α, β) is the pair of null windows at α + 1 and β. *)
Fixpoint aspire (wn : widen) (find : gamma -> gamma -> prog G Z) (fuel : nat) (α β reach low high : Z) : prog G (option Z) :=
  match fuel with
  | O => Ret None
  | S fuel' =>
    bind (find (α + 1) β) (fun g =>
      if (g <=? α) && (low <=? α) then
        aspire wn find fuel' (match wn with Open => low - 1 | Double => Z.max (g - reach) (low - 1) end) (g + 1)
          (reach + reach) low g
      else if (β <=? g) && (β <=? high) then
        aspire wn find fuel' (g - 1) (match wn with Open => high + 1 | Double => Z.min (g + reach) (high + 1) end)
          (reach + reach) g high
      else Ret (Some g))
  end.

Definition aspiration (wn : widen) (find : gamma -> gamma -> prog G Z) (guess width low high : Z) : prog G (option Z) :=
  let guess := Z.max low (Z.min guess high) in
  aspire wn find (S (Z.to_nat (high - low))) (Z.max (guess - width) (low - 1)) (Z.min (guess + width) (high + 1))
    width low high.

Lemma aspiration_finds : forall wn find v guess width low high,
  low <= v <= high -> 1 <= width ->
  (forall l h, l <= h -> keeps (truthful G) (window_contract v l h) (find l h)) ->
  keeps (truthful G) (fun r => r = Some v) (aspiration wn find guess width low high).
Proof.
  intros wn find v guess width low high V W Find. unfold aspiration.
  assert (Go : forall fuel α β reach low high, low <= v <= high -> 1 <= reach ->
    low - 1 <= α < high -> low < β <= high + 1 -> α < β -> high - low < Z.of_nat fuel ->
    keeps (truthful G) (fun r => r = Some v) (aspire wn find fuel α β reach low high)).
  { clear guess width low high V W. induction fuel as [|fuel IH]; intros α β reach low high V R A B AB F; [lia|].
    cbn [aspire]. apply keeps_bind with (P := window_contract v (α + 1) β); [apply Find; lia|].
    intros g [CL CH].
    destruct (Z.leb_spec g α), (Z.leb_spec low α); simpl.
    - assert (v <= g) by lia. apply IH; try lia; destruct wn; lia.
    - lia.
    - destruct (Z.leb_spec β g), (Z.leb_spec β high); simpl; try (f_equal; lia).
      assert (g <= v) by lia. apply IH; try lia; destruct wn; lia.
    - destruct (Z.leb_spec β g), (Z.leb_spec β high); simpl; try (f_equal; lia).
      assert (g <= v) by lia. apply IH; try lia; destruct wn; lia. }
  apply Go; lia.
Qed.

Theorem aspiration_is_exact : forall wn w d p guess width low high,
  low <= f G d p <= high -> 1 <= width ->
  keeps (truthful G) (fun r => r = Some (f G d p)) (aspiration wn (window_pass w d p) guess width low high).
Proof.
  intros wn w d p guess width low high V W. apply aspiration_finds; [exact V | exact W |].
  intros; apply a_window_pass_keeps_its_contract; assumption.
Qed.

End Window.
