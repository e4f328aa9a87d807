(** What the refined tree says of a node is true of its minimax value. *)

From Coq Require Import ZArith Lia List Bool.
Require Import Value Game Stockman Refine Remember.
Import ListNotations.
Open Scope Z_scope.

Section Truth.
Variable G : game.
Variables (d0 : nat) (p0 : pos G) (mx0 : bool) (lo hi : Z).
Hypothesis B : leaves_between G d0 p0 mx0 lo hi.

Notation at_path π := (walk G d0 p0 mx0 π).
Notation wf := (wf G lo).
Notation turn := (turn G).

(** The value of a node n plies below the root, as the root's MAX sees it. *)
Definition minimax (n d : nat) (q : pos G) (mx : bool) : Z := view G n mx (f G d q).

Fixpoint true_of (γ : Z) (n d : nat) (q : pos G) (mx : bool) (a : ann) {struct d} : Prop :=
  match a with
  | Unseen => True
  | High => γ <= minimax n d q mx
  | LeafLow v => minimax n d q mx = v
  | MaxLow u l | MinLow u l =>
    minimax n d q mx <= u /\
    match d with
    | O => False
    | S d' => each (fun _ c => true_of γ (S n) d' (snd c) (turn mx c)) 0 (children G q) l
    end
  end.

Lemma true_low : forall γ n d q mx a, true_of γ n d q mx a -> is_low a -> minimax n d q mx <= worth a.
Proof. intros γ n [|d] q mx [| |v|u l|u l]; simpl; try tauto; lia. Qed.

Lemma true_less : forall γ γ' n d q mx a, γ' <= γ -> true_of γ n d q mx a -> true_of γ' n d q mx a.
Proof.
  intros γ γ' n d q mx a L. revert n q mx a.
  induction d as [|d IH]; intros n q mx a R; destruct a; simpl in *; auto; try (simpl in R; lia);
    destruct R as [R1 R2]; split; auto;
    (eapply each_impl; [|exact R2]); simpl; intros; apply IH; assumption.
Qed.

Lemma minimax_child : forall n d mx (c : child G),
  minimax (S n) d (snd c) (turn mx c) = view G n mx (val G d c).
Proof. intros n d mx c. unfold minimax. rewrite view_child. reflexivity. Qed.

Lemma view_order : forall n (mx : bool) v w, v <= w ->
  if mx then view G n mx v <= view G n mx w else view G n mx w <= view G n mx v.
Proof. intros n mx v w L. pose proof (aged_order G n v w L). unfold view. destruct mx; lia. Qed.

Lemma minimax_bound : forall n d q (mx : bool) (c : child G), In c (children G q) ->
  if mx then minimax (S n) d (snd c) (turn mx c) <= minimax n (S d) q mx
  else minimax n (S d) q mx <= minimax (S n) d (snd c) (turn mx c).
Proof.
  intros n d q mx c I. rewrite minimax_child. pose proof (view_order n mx _ _ (f_greatest G d q c I)) as H.
  destruct mx; exact H.
Qed.

Lemma minimax_attained : forall n d q mx, children G q <> [] ->
  exists c, In c (children G q) /\ minimax n (S d) q mx = minimax (S n) d (snd c) (turn mx c).
Proof.
  intros n d q mx N. destruct (f_attained G d q N) as (c & I & E). exists c; split; [exact I|].
  rewrite minimax_child, <- E. reflexivity.
Qed.

Section Inside.
Variables (γ : Z) (d : nat) (q : pos G) (mx : bool) (π : list nat).
Notation n := (length π).
Notation truth c := (true_of γ (S n) d (snd c) (turn mx c)).
Notation value c := (minimax (S n) d (snd c) (turn mx c)).

Definition fine (i : nat) (c : child G) (a : ann) : Prop :=
  nth_error (children G q) i = Some c /\ wf d (snd c) (turn mx c) a /\ truth c a.

Hypothesis W : at_path π = Some (S d, q, mx).
Hypothesis IH : forall i c a, fine i c a -> truth c (fst (child_visit G γ d mx π i c a)).

Lemma child_decided : forall i c a, fine i c a -> decided γ (fst (child_visit G γ d mx π i c a)).
Proof.
  intros i c a (N & Wf & _). eapply visit_wf; [exact B | eapply walk_child; eassumption | exact Wf].
Qed.

Lemma all_low_true : forall cs l i, each fine i cs l ->
  match fst (all_low G (child_visit G γ d mx π) i cs l) with
  | Some l' => each (fun _ c a => truth c a /\ value c <= worth a) i cs l'
  | None => exists c, In c cs /\ γ <= value c
  end.
Proof.
  induction cs as [|c cs IHcs]; intros [|a l] i E; simpl in E; try contradiction; [exact I|].
  destruct E as [Fa E]. specialize (IHcs l (S i) E). pose proof (IH i c a Fa) as T.
  pose proof (child_decided i c a Fa) as D. simpl. destruct (child_visit G γ d mx π i c a) as [a' e]. cbn [fst] in T, D.
  destruct (is_high a') eqn:H.
  - destruct a'; try discriminate. exists c. split; [left; reflexivity|]. destruct d; exact T.
  - destruct D as [D|[L _]]; [congruence|].
    destruct (all_low G (child_visit G γ d mx π) (S i) cs l) as [[l'|] e']; simpl in *.
    + split; [|exact IHcs]. split; [exact T|]. eapply true_low; eassumption.
    + destruct IHcs as (x & I & Lx). exists x; auto.
Qed.

Lemma one_low_true : forall cs l i, each fine i cs l ->
  match fst (one_low G (child_visit G γ d mx π) i cs l) with
  | Some (u, l') => each (fun _ c => truth c) i cs l' /\ exists c, In c cs /\ value c <= u
  | None => forall c, In c cs -> γ <= value c
  end.
Proof.
  induction cs as [|c cs IHcs]; intros [|a l] i E; simpl in E; try contradiction; [intros c []|].
  destruct E as [Fa E]. specialize (IHcs l (S i) E). pose proof (IH i c a Fa) as T.
  pose proof (child_decided i c a Fa) as D. simpl. destruct (child_visit G γ d mx π i c a) as [a' e]. cbn [fst] in T, D.
  destruct (is_high a') eqn:H.
  - destruct a'; try discriminate. assert (V : γ <= value c) by (destruct d; exact T).
    destruct (one_low G (child_visit G γ d mx π) (S i) cs l) as [[[u l']|] e']; simpl in *.
    + destruct IHcs as (K & x & I & Lx). split; [split; [exact T | exact K] | exists x; auto].
    + intros x [<-|I]; [exact V | apply IHcs; exact I].
  - destruct D as [D|[L _]]; [congruence|]. simpl. split; [split; [exact T|]|].
    + eapply each_impl; [|exact E]. intros j x y _ _ _ (_ & _ & K). exact K.
    + exists c. split; [left; reflexivity|]. eapply true_low; eassumption.
Qed.

Lemma each_left : forall A C (P : nat -> A -> C -> Prop) xs ys i x, each P i xs ys -> In x xs ->
  exists j y, In y ys /\ P j x y.
Proof.
  induction xs as [|x' xs IHxs]; intros [|y ys] i x E I; simpl in *; try tauto.
  destruct I as [<-|I]; [exists i, y; tauto|]. destruct (IHxs _ _ _ (proj2 E) I) as (j & y' & I' & P').
  exists j, y'; auto.
Qed.

Lemma inside_true : forall l, children G q <> [] -> each fine 0 (children G q) l ->
  true_of γ n (S d) q mx (fst (inside G (child_visit G γ d mx π) mx (children G q) l)).
Proof.
  intros l Ne E. destruct (minimax_attained n d q mx Ne) as (c0 & I0 & E0).
  pose proof (fun c => minimax_bound n d q mx c) as Bd. unfold inside.
  pose proof (all_low_true (children G q) l 0 E) as Ka. pose proof (one_low_true (children G q) l 0 E) as Ko.
  destruct mx eqn:Emx.
  - destruct (all_low G (child_visit G γ d true π) 0 (children G q) l) as [[l'|] e]; cbn [fst] in *.
    + destruct (each_left _ _ _ _ _ _ _ Ka I0) as (_ & a & Ia & _ & Va).
      destruct (top_some l' None) as [u Tu]; [left; intros ->; destruct Ia|]. rewrite Tu.
      destruct (top_bounds _ _ _ Tu) as (_ & Top & _). specialize (Top a Ia).
      cbn [true_of]. split; [rewrite E0; lia|]. eapply each_impl; [|exact Ka]. simpl; tauto.
    + destruct Ka as (c & Ic & Vc). specialize (Bd c Ic). cbn [true_of]. lia.
  - destruct (one_low G (child_visit G γ d false π) 0 (children G q) l) as [[[u l']|] e]; cbn [fst] in *.
    + destruct Ko as (K & c & Ic & Vc). specialize (Bd c Ic). cbn [true_of]. split; [lia | exact K].
    + specialize (Ko c0 I0). cbn [true_of]. lia.
Qed.

End Inside.

Theorem visit_true : forall γ d q mx π a, at_path π = Some (d, q, mx) -> wf d q mx a ->
  true_of γ (length π) d q mx a -> true_of γ (length π) d q mx (fst (visit G γ d q mx π a)).
Proof.
  intros γ.
  assert (Leaf : forall d q mx π, d = O \/ children G q = [] ->
    true_of γ (length π) d q mx (fst (seen γ π (view G (length π) mx (leaf G d q))))).
  { intros d q mx π L. assert (E : minimax (length π) d q mx = view G (length π) mx (leaf G d q)).
    { unfold minimax. f_equal. destruct L as [->|L]; [reflexivity | apply f_leaf; exact L]. }
    unfold seen. cbn [fst]. rewrite <- E.
    destruct (Z.leb_spec γ (minimax (length π) d q mx)); destruct d; simpl; lia. }
  assert (Again : forall d q mx (π : list nat) v, true_of γ (length π) d q mx (LeafLow v) ->
    true_of γ (length π) d q mx (if γ <=? v then High else LeafLow v)).
  { intros d q mx π v T. destruct (Z.leb_spec γ v); [|exact T]. destruct d; simpl in T |- *; lia. }
  induction d as [|d IH]; intros q mx π a W Wf T.
  - destruct a as [| |v|u l|u l]; cbn [visit]; try (exfalso; simpl in Wf; tauto).
    + apply Leaf; auto.
    + exact T.
    + cbn [fst]. apply Again; exact T.
  - assert (V : forall i c a, fine γ d q mx π i c a ->
      true_of γ (S (length π)) d (snd c) (turn mx c) (fst (child_visit G γ d mx π i c a))).
    { intros i c a' (N & Wc & Tc). assert (Len : length (π ++ [i]) = S (length π)) by (rewrite app_length; simpl; lia).
      pose proof (IH (snd c) (turn mx c) (π ++ [i]) a' (walk_child _ _ _ _ _ _ _ _ _ _ W N) Wc) as K.
      rewrite Len in K. apply K; exact Tc. }
    destruct a as [| |v|u l|u l]; cbn [visit].
    + destruct (children G q) as [|c0 cs0] eqn:Cs; [apply Leaf; auto|]. rewrite <- Cs.
      apply (inside_true γ d q mx π W V); [congruence|].
      eapply each_impl; [|apply (each_nth _ _ (fun _ _ a => a = Unseen) (children G q));
        [reflexivity | apply unseen_each; reflexivity]].
      simpl. intros j x y _ _ _ [N ->]. split; [exact N|]. split; destruct d; exact I.
    + exact T.
    + cbn [fst]. apply Again; exact T.
    + destruct (u <? γ); [exact T|]. simpl in Wf, T. destruct Wf as (_ & _ & Tp & E), T as [_ T].
      apply (inside_true γ d q mx π W V).
      * intros Cs. rewrite Cs in E. destruct l; [discriminate | exact E].
      * apply each_nth with (all := children G q) (P := fun _ c a => wf d (snd c) (turn mx c) a /\ _); [reflexivity|].
        apply each_and; assumption.
    + destruct (u <? γ); [exact T|]. simpl in Wf, T. destruct Wf as (_ & Sh & E), T as [_ T].
      apply (inside_true γ d q mx π W V).
      * intros Cs. rewrite Cs in E. destruct l; [exact Sh | exact E].
      * apply each_nth with (all := children G q) (P := fun _ c a => wf d (snd c) (turn mx c) a /\ _); [reflexivity|].
        apply each_and; assumption.
Qed.

End Truth.
