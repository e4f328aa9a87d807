(** The order of Stockman's OPEN list, and paths. *)

From Coq Require Import ZArith Lia List Bool Arith Permutation Sorted.
Require Import Stockman.
Import ListNotations.
Open Scope Z_scope.

(** ** The order of OPEN *)

Lemma left_of_irrefl : forall a, left_of a a = false.
Proof. induction a as [|i a IH]; simpl; [reflexivity|]. rewrite Nat.eqb_refl. exact IH. Qed.

Lemma left_of_asym : forall a b, left_of a b = true -> left_of b a = false.
Proof.
  induction a as [|i a IH]; intros [|j b] H; simpl in *; auto; try discriminate.
  destruct (Nat.eqb_spec i j) as [->|N].
  - rewrite Nat.eqb_refl. auto.
  - destruct (Nat.eqb_spec j i); [congruence|]. apply Nat.ltb_lt in H. apply Nat.ltb_ge. lia.
Qed.

Lemma left_of_trans : forall a b c, left_of b a = false -> left_of c b = false -> left_of c a = false.
Proof.
  induction a as [|i a IH]; intros [|j b] [|k c] H K; simpl in *; auto; try discriminate.
  destruct (Nat.eqb_spec j i) as [->|N1], (Nat.eqb_spec k i) as [->|N2].
  - eauto.
  - exact K.
  - destruct (Nat.eqb_spec i j); [congruence|]. apply Nat.ltb_ge in H, K. lia.
  - apply Nat.ltb_ge in H. destruct (Nat.eqb_spec k j) as [->|N3]; apply Nat.ltb_ge; [lia|].
    apply Nat.ltb_ge in K. lia.
Qed.

Lemma greater_spec : forall a b, greater_merit a b = true <-> match a, b with
  | None, Some _ => True | Some x, Some y => y < x | _, None => False end.
Proof. intros [x|] [y|]; simpl; try (split; (tauto || discriminate)). apply Z.ltb_lt. Qed.

Lemma before_spec : forall s t, before s t = true <->
  greater_merit (merit s) (merit t) = true \/ (merit s = merit t /\ left_of (path s) (path t) = true).
Proof.
  intros s t. unfold before. rewrite orb_true_iff, andb_true_iff, negb_true_iff.
  destruct (merit s) as [x|], (merit t) as [y|]; simpl; rewrite ?Z.ltb_lt, ?Z.ltb_ge;
    (split; [intros [H|[H K]] | intros [H|[H K]]]); try discriminate; auto.
  - destruct (Z.lt_trichotomy x y) as [L|[->|L]]; auto. lia.
  - injection H as ->. right; split; [lia | exact K].
Qed.

Definition not_after (s t : state) : Prop := before t s = false.

Lemma before_not_after : forall s t, before s t = true -> not_after s t.
Proof.
  intros s t H. unfold not_after. destruct (before t s) eqn:K; [|reflexivity].
  apply before_spec in H, K. destruct H as [H|[E H]], K as [K|[E' K]].
  - apply greater_spec in H, K. destruct (merit s), (merit t); try tauto; lia.
  - rewrite E' in H. apply greater_spec in H. destruct (merit s); try tauto; lia.
  - rewrite E in K. apply greater_spec in K. destruct (merit t); try tauto; lia.
  - apply left_of_asym in H. congruence.
Qed.

Lemma not_after_trans : forall s t u, not_after s t -> not_after t u -> not_after s u.
Proof.
  unfold not_after; intros s t u H K. destruct (before u s) eqn:L; [|reflexivity].
  apply before_spec in L.
  assert (H' : ~ (greater_merit (merit t) (merit s) = true \/ (merit t = merit s /\ left_of (path t) (path s) = true)))
    by (rewrite <- before_spec; congruence).
  assert (K' : ~ (greater_merit (merit u) (merit t) = true \/ (merit u = merit t /\ left_of (path u) (path t) = true)))
    by (rewrite <- before_spec; congruence).
  clear H K. pose proof (left_of_trans (path s) (path t) (path u)) as T.
  rewrite greater_spec in *.
  destruct (left_of (path t) (path s)), (left_of (path u) (path t)), (left_of (path u) (path s));
    destruct (merit s) as [x|], (merit t) as [y|], (merit u) as [z|]; try tauto;
    try (specialize (T eq_refl eq_refl); discriminate T);
    repeat match goal with H : context [Some ?a = Some ?b] |- _ =>
      let E := fresh in assert (E : (Some a = Some b) <-> a = b) by (split; congruence); rewrite E in H; clear E end;
    try (destruct L as [L|[L M]]; try discriminate; lia);
    exfalso; destruct L as [L|[L M]]; try discriminate; try tauto; intuition congruence.
Qed.

Definition sorted : list state -> Prop := StronglySorted not_after.

Lemma insert_perm : forall s O, Permutation (insert s O) (s :: O).
Proof.
  induction O as [|t O IH]; simpl; [reflexivity|]. destruct (before s t); [reflexivity|].
  rewrite IH. apply perm_swap.
Qed.

Lemma insert_sorted : forall s O, sorted O -> sorted (insert s O).
Proof.
  intros s O S. induction S as [|t O S IH F]; simpl.
  - constructor; constructor.
  - destruct (before s t) eqn:E.
    + constructor; [constructor; assumption|]. constructor; [apply before_not_after; exact E|].
      eapply Forall_impl; [|exact F]. intros x X. eapply not_after_trans; [|exact X]. apply before_not_after; exact E.
    + constructor; [exact IH|]. apply Forall_forall. intros x I.
      apply (Permutation_in _ (insert_perm s O)) in I. destruct I as [<-|I]; [exact E|].
      rewrite Forall_forall in F. auto.
Qed.

Lemma filter_perm : forall (h : state -> bool) O S, Permutation O S -> Permutation (filter h O) (filter h S).
Proof.
  intros h O S P; induction P; simpl.
  - constructor.
  - destruct (h x); auto.
  - destruct (h x), (h y); try reflexivity. apply perm_swap.
  - etransitivity; eassumption.
Qed.

Lemma filter_sorted : forall h O, sorted O -> sorted (filter h O).
Proof.
  intros h O S; induction S as [|t O S IH F]; simpl; [constructor|].
  destruct (h t); [|exact IH]. constructor; [exact IH|]. apply Forall_forall. intros x I.
  apply filter_In in I. rewrite Forall_forall in F. apply F, I.
Qed.

(** OPEN holds the states of S, in order. *)
Definition holds_states (O S : list state) : Prop := sorted O /\ Permutation O S.

Lemma head_of_open : forall s S O, holds_states O (s :: S) -> (forall r, In r S -> before s r = true) ->
  exists rest, O = s :: rest /\ holds_states rest S.
Proof.
  intros s S O [So P] H. destruct So as [|t O So F].
  - apply Permutation_nil in P. discriminate.
  - assert (E : t = s).
    { pose proof (Permutation_in t P (or_introl eq_refl)) as [E|I]; [auto|].
      assert (Is : In s (t :: O)) by (apply (Permutation_in s (Permutation_sym P)); left; reflexivity).
      destruct Is as [E|Is]; [exact E|].
      rewrite Forall_forall in F. specialize (F s Is). unfold not_after in F. rewrite (H t I) in F. discriminate. }
    subst t. exists O; split; [reflexivity|]. split; [exact So|]. apply Permutation_cons_inv with s; exact P.
Qed.

Lemma insert_states : forall s O S, holds_states O S -> holds_states (insert s O) (s :: S).
Proof.
  intros s O S [So P]. split; [apply insert_sorted; exact So|]. rewrite insert_perm, P. reflexivity.
Qed.

Lemma purge_states : forall π O S, holds_states O S -> holds_states (purge π O) (purge π S).
Proof. intros π O S [So P]. split; [apply filter_sorted; exact So | apply filter_perm; exact P]. Qed.

(** ** Paths *)

Lemma starts_with_spec : forall above ρ, starts_with ρ above = true <-> exists x, ρ = above ++ x.
Proof.
  induction above as [|i above IH]; intros [|j ρ]; simpl.
  - split; eauto.
  - split; eauto.
  - split; [discriminate | intros [x E]; discriminate].
  - rewrite andb_true_iff, Nat.eqb_eq, IH. split.
    + intros [-> [x ->]]; eauto.
    + intros [x E]; injection E; intros; subst; eauto.
Qed.

Lemma starts_with_below : forall ρ π x, starts_with ρ (π ++ x) = true -> starts_with ρ π = true.
Proof. intros ρ π x. rewrite !starts_with_spec. intros [y ->]. exists (x ++ y). apply app_assoc_reverse. Qed.

Lemma left_of_below : forall π ρ x, starts_with ρ π = false -> left_of π ρ = true -> left_of (π ++ x) ρ = true.
Proof.
  induction π as [|i π IH]; intros [|j ρ] x S L; simpl in *; try discriminate.
  destruct (Nat.eqb_spec i j) as [->|N]; [|exact L]. simpl in S. apply IH; assumption.
Qed.

Lemma left_of_brother : forall π i j x y, (i < j)%nat -> left_of (π ++ i :: x) (π ++ j :: y) = true.
Proof.
  induction π as [|k π IH]; intros i j x y L; simpl.
  - destruct (Nat.eqb_spec i j); [lia|]. apply Nat.ltb_lt; exact L.
  - rewrite Nat.eqb_refl. apply IH; exact L.
Qed.

Lemma starts_with_brother : forall π i j x, i <> j -> starts_with (π ++ j :: x) (π ++ [i]) = false.
Proof.
  induction π as [|k π IH]; intros i j x N; simpl.
  - destruct (Nat.eqb_spec i j); [congruence|]. reflexivity.
  - rewrite Nat.eqb_refl. simpl. apply IH; exact N.
Qed.

Lemma below_brother : forall π i ρ, starts_with ρ (π ++ [i]) = true -> exists x, ρ = π ++ i :: x.
Proof. intros π i ρ. rewrite starts_with_spec. intros [x ->]. exists x. rewrite <- app_assoc. reflexivity. Qed.

Lemma starts_with_refl : forall π, starts_with π π = true.
Proof. intros π. apply starts_with_spec. exists []. rewrite app_nil_r. reflexivity. Qed.
