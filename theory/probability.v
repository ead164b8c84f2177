(* Probability, as far as Lemma 1 and Theorems 2 and 5 need it: statements that hold with at least a
   given probability, and a maximal inequality along a run.

   "P holds with probability at least p" ([with_probability m p P]) says: there is an event of
   probability at least p on which P holds. Nothing has to be decidable for that.

   Contents: weakening and the union bound (1 - nu_1 and 1 - nu_2 give 1 - nu_1 - nu_2); for runs:
   if a quantity M >= 0 of the history grows by at most c_t in the mean in step t as long as the
   event A has not happened, and is at least h where it happens, then
       h P(A at some time up to T) <= M at the start + c_0 + ... + c_{T-1}.     [maximal_inequality]
   This replaces stopping times and Doob's inequality for supermartingales. *)
From Coq Require Import Reals Lra Lia PeanoNat List Bool.
From Sledge Require Import vectors means.
Import ListNotations.
Open Scope R_scope.

Definition with_probability {O} (m : mean O) (p : R) (P : O -> Prop) : Prop :=
  exists event : O -> bool,
    p <= probability m event /\ forall o, possible m o -> event o = true -> P o.

Section Rules.
Context {O : Type} (m : mean O).

Lemma probability_not (A : O -> bool) : probability m (fun o => negb (A o)) = 1 - probability m A.
Proof.
  unfold probability. rewrite (Ex_ext m _ (fun o => 1 - (if A o then 1 else 0))).
  - rewrite Ex_sub, Ex_one. reflexivity.
  - intros o _. destruct (A o); simpl; ring.
Qed.
(* P holds unless A happens. *)
Lemma unless (A : O -> bool) nu (P : O -> Prop) : probability m A <= nu ->
  (forall o, possible m o -> A o = false -> P o) -> with_probability m (1 - nu) P.
Proof.
  intros H K. exists (fun o => negb (A o)). split; [rewrite probability_not; lra|].
  intros o Q e. apply K; [assumption|]. apply negb_true_iff, e.
Qed.
Lemma surely (P : O -> Prop) : (forall o, possible m o -> P o) -> with_probability m 1 P.
Proof. intro H. exists (fun _ => true). split; [unfold probability; rewrite Ex_one; lra|auto]. Qed.
Lemma with_probability_weaken p p' (P P' : O -> Prop) : p' <= p ->
  (forall o, possible m o -> P o -> P' o) -> with_probability m p P -> with_probability m p' P'.
Proof. intros H K [A [A1 A2]]. exists A. split; [lra|]. auto. Qed.
Theorem union_bound nu1 nu2 (P1 P2 : O -> Prop) :
  with_probability m (1 - nu1) P1 -> with_probability m (1 - nu2) P2 ->
  with_probability m (1 - (nu1 + nu2)) (fun o => P1 o /\ P2 o).
Proof.
  intros [A [A1 A2]] [B [B1 B2]].
  apply (unless (fun o => negb (A o) || negb (B o))).
  - eapply Rle_trans; [apply (probability_or m (fun o => negb (A o)))|]. rewrite !probability_not.
    lra.
  - intros o Q e. apply orb_false_iff in e. destruct e as [e1 e2].
    apply negb_false_iff in e1. apply negb_false_iff in e2. auto.
Qed.
(* k events of probability at least 1 - nu each *)
Theorem union_bound_many k nu (P : nat -> O -> Prop) :
  (forall i, (i < k)%nat -> with_probability m (1 - nu) (P i)) ->
  with_probability m (1 - INR k * nu) (fun o => forall i, (i < k)%nat -> P i o).
Proof.
  induction k as [|k IH]; intro H.
  - apply (with_probability_weaken 1 _ (fun _ => True)); [simpl; lra|intros; lia|apply surely;
    auto].
  - apply (with_probability_weaken (1 - (INR k * nu + nu)) _ (fun o => (forall i, (i < k)%nat -> P
    i o) /\ P k o)).
    + rewrite S_INR. lra.
    + intros o _ [H1 H2] i Hi. destruct (Nat.eq_dec i k); [subst; assumption|apply H1; lia].
    + apply union_bound; [apply IH; intros; apply H; lia|apply H; lia].
Qed.
(* Where P has positive probability, it is possible. *)
Lemma with_probability_some p (P : O -> Prop) : 0 < p -> with_probability m p P -> ~ forall o,
  possible m o -> ~ P o.
Proof.
  intros Hp [A [A1 A2]] H. assert (probability m A <= 0); [|lra]. unfold probability.
  apply Ex_at_most. intros o Q. destruct (A o) eqn:e; [|lra]. destruct (H o Q (A2 o Q e)).
Qed.
End Rules.

(* An event decided by a real inequality. *)
Definition exceeds (x y : R) : bool := if Rlt_dec x y then true else false.
Lemma exceeds_true x y : exceeds x y = true -> x < y.
Proof. unfold exceeds. destruct (Rlt_dec x y); [auto|discriminate]. Qed.
Lemma exceeds_false x y : exceeds x y = false -> y <= x.
Proof. unfold exceeds. destruct (Rlt_dec x y); [discriminate|intros _; lra]. Qed.

Lemma bind_with_probability {O O'} (m : mean O) (k : O -> mean O') nu (A : O' -> bool) :
  (forall o, possible m o -> probability (k o) A <= nu) -> probability (bind m k) A <= nu.
Proof. intro H. unfold probability in *. rewrite Ex_bind. apply Ex_at_most, H. Qed.

(* ---- Along a run ---- *)

Section Runs.
Context {O : Type} (law : list O -> mean O).

Theorem maximal_inequality (M : list O -> R) (A : list O -> bool) (c : nat -> R) (h : R) (T : nat) :
  (forall t past, possible (history_of law t) past -> 0 <= M past) ->
  (forall t past, possible (history_of law t) past -> A past = true -> h <= M past) ->
  (forall t past, (t < T)%nat -> possible (history_of law t) past -> ever A past = false ->
    Ex (law past) (fun o => M (o :: past)) <= M past + c t) ->
  (forall t, 0 <= c t) ->
  h * probability (history_of law T) (ever A) <= M [] + sum T c.
Proof.
  intros M0 MA Step C0.
  apply Rle_trans with (Ex (history_of law T) (fun past => if ever A past then h else M past)).
  { unfold probability. rewrite <- Ex_mul. apply Ex_le. intros past P.
    destruct (ever A past); [lra|].
    specialize (M0 T past P). lra. }
  induction T as [|T IH].
  - clear Step. rewrite Ex_history_of_O. specialize (M0 0%nat [] eq_refl).
    specialize (MA 0%nat [] eq_refl). cbn [ever sum].
    destruct (A []) eqn:e; simpl; [specialize (MA eq_refl); lra|lra].
  - cbn [sum]. rewrite Ex_history_of_S. specialize (IH (fun t past H => Step t past
    (Nat.lt_lt_succ_r _ _ H))).
    apply Rle_trans with (Ex (history_of law T) (fun past => (if ever A past then h else M past) +
      c T)).
    2:{ rewrite Ex_add, Ex_const. lra. }
    apply Ex_le. intros past P. destruct (ever A past) eqn:e.
    + apply Rle_trans with h; [|specialize (C0 T); lra]. apply Ex_at_most. intros o Q. cbn [ever].
      rewrite e, orb_true_r. lra.
    + eapply Rle_trans; [|apply (Step T past (Nat.lt_succ_diag_r T) P e)]. apply Ex_le.
      intros o Q. cbn [ever]. rewrite e, orb_false_r.
      destruct (A (o :: past)) eqn:e2; [|lra]. apply (MA (S T)); [|assumption].
      apply history_of_possible. auto.
Qed.

(* What never happens has not happened at any time t <= T. *)
Lemma never_at_time (A : list O -> bool) past t :
  ever A past = false -> (t <= length past)%nat -> A (at_time t past) = false.
Proof.
  intros H Ht. induction past as [|o past IH].
  - simpl in *. apply orb_false_iff in H. assert (t = 0)%nat by lia. subst. apply H.
  - cbn [ever] in H. apply orb_false_iff in H. destruct H as [H1 H2].
    destruct (Nat.eq_dec t (length (o :: past))) as [e|e].
    + subst. rewrite at_time_all. assumption.
    + simpl in e, Ht. rewrite at_time_before by lia. apply IH; [assumption|lia].
Qed.
Lemma possible_at_time t T past : possible (history_of law T) past -> (t <= T)%nat ->
  possible (history_of law t) (at_time t past).
Proof.
  revert past. induction T as [|T IH]; intros past P Ht.
  - assert (t = 0)%nat by lia. subst. simpl in P. subst past. reflexivity.
  - pose proof (history_of_length _ _ _ P) as L. destruct past as [|o past]; [discriminate|].
    destruct (Nat.eq_dec t (S T)) as [e|e].
    + subst t. rewrite <- L, at_time_all, L. assumption.
    + apply history_of_possible in P. simpl in L. rewrite at_time_before by lia.
      apply IH; [tauto|lia].
Qed.
End Runs.
