(* The pair of runs of the second-order proofs (Lemma 20, lemma:Small-Stuck-Region, lines 1547-1553 and
   1742-1759): SLEDGE twice with the same minibatches and the same noise but for one step.

   Printed: the same randomness except xi~^tau = xi^tau - r_e e gives w^t = x^t - x~^t = 0 and g^t = 0 for
     t < tau, w^tau = r_e e, and, for an eigenvector e of H, H e = -gamma e,
       w^t = (1 + eta gamma)^{t-tau} r_e e - eta sum_{s=tau}^{t-1} (I - eta H)^{t-1-s} (dH^s w^s + g^s),
     g^t the difference of the errors of the estimates, dH^s w^s = grad f(x^s) - grad f(x~^s) - H w^s.
   Proved as printed, for every inner product space, all functions, minibatches, noises, starts, steps
     [pair_before, pair_kick, pair_unrolled]; H is any linear map, and dH^s w^s what remains of the difference
     of the gradients, with no second derivative. Where the estimates are exact and f is quadratic with Hessian
     H, the sum is 0: w^t = (1 + eta gamma)^{t-tau} r_e e for all t [pair_quadratic].
   Not here: that the remainder stays small, which takes a Lipschitz Hessian and large minibatches, and how
     large the set of kicks is from which both runs stay. *)
From Coq Require Import Reals Lra Lia List PeanoNat Bool.
From Sledge Require Import vectors means minibatches algorithms problems sledge_errors.
From Sledge Require Import lemma_1.
Import ListNotations.
Open Scope R_scope.

Section Pair.
Context {V : space}.
Variables (n b : nat) (grad : nat -> V -> V) (eta : R) (noise : list batch -> V) (start : @state R V).
Variables (tau : nat) (kick : V).
Hypothesis Htau : (1 <= tau)%nat.
(* xi^tau enters the step to x^tau, which follows tau - 1 minibatches. *)
Definition kicked (past : list batch) : V :=
  if (S (length past) =? tau)%nat then sub (noise past) kick else noise past.
Notation run := (sledge n b eta noise grad start).
Notation run' := (sledge n b eta kicked grad start).
Notation grad_f := (gradient n grad).
(* w^t, and g^t *)
Definition pair_w (past : list batch) : V := sub (point (run past)) (point (run' past)).
Definition pair_g (past : list batch) : V := sub (error n grad (run past)) (error n grad (run' past)).

Lemma same_run past : (length past < tau)%nat -> run' past = run past.
Proof.
  induction past as [|J before IH]; intro H; [reflexivity|]. cbn [length] in H. cbn [sledge].
  rewrite IH by lia. unfold sledge_step, next_point, kicked.
  rewrite (proj2 (Nat.eqb_neq (S (length before)) tau)) by lia. reflexivity.
Qed.
Theorem pair_before past : (length past < tau)%nat -> pair_w past = zero /\ pair_g past = zero.
Proof.
  intro H. unfold pair_w, pair_g. rewrite (same_run past H). split; apply sub_self.
Qed.
Theorem pair_kick past : length past = tau -> pair_w past = kick.
Proof.
  intro H. destruct past as [|J before]; [simpl in H; lia|]. cbn [length] in H. unfold pair_w.
  cbn [sledge]. rewrite (same_run before) by lia. unfold sledge_step, point. cbn [fst].
  unfold next_point, kicked. rewrite (proj2 (Nat.eqb_eq (S (length before)) tau)) by lia.
  vector_eq u. ring.
Qed.

(* A linear map, and an eigenvector. *)
Variable H : V -> V.
Hypothesis H_add : forall u v, H (add u v) = add (H u) (H v).
Hypothesis H_scale : forall c u, H (scale c u) = scale c (H u).
Definition shrunk (u : V) : V := sub u (scale eta (H u)).
(* dH^t w^t + g^t *)
Definition pair_rest (past : list batch) : V :=
  add (sub (sub (grad_f (point (run past))) (grad_f (point (run' past)))) (H (pair_w past)))
    (pair_g past).
Fixpoint times (k : nat) (u : V) : V := match k with O => u | S k' => shrunk (times k' u) end.

Lemma H_zero : H zero = zero.
Proof.
  replace (zero : V) with (scale 0 (zero : V)) at 1 by (vector_eq u; ring). rewrite H_scale.
  vector_eq u. ring.
Qed.
Lemma shrunk_add u v : shrunk (add u v) = add (shrunk u) (shrunk v).
Proof. unfold shrunk. rewrite H_add. vector_eq w. ring. Qed.
Lemma shrunk_scale c u : shrunk (scale c u) = scale c (shrunk u).
Proof. unfold shrunk. rewrite H_scale. vector_eq w. ring. Qed.
Lemma shrunk_vsum k (a : nat -> V) : shrunk (vsum k a) = vsum k (fun j => shrunk (a j)).
Proof.
  induction k as [|k IH]; cbn [vsum].
  - unfold shrunk. rewrite H_zero. vector_eq w. ring.
  - rewrite shrunk_add, IH. reflexivity.
Qed.
(* One step: w' = (I - eta H) w - eta (dH w + g). *)
Lemma pair_step J past : (tau <= length past)%nat ->
  pair_w (J :: past) = sub (shrunk (pair_w past)) (scale eta (pair_rest past)).
Proof.
  intro L. unfold pair_w at 1. cbn [sledge]. unfold sledge_step, point. cbn [fst].
  unfold next_point. assert (E : kicked past = noise past)
    by (unfold kicked; rewrite (proj2 (Nat.eqb_neq (S (length past)) tau)) by lia; reflexivity).
  rewrite E. unfold pair_rest, pair_g, shrunk, error, pair_w, point. vector_eq u. ring.
Qed.
Theorem pair_unrolled gamma re e k past : H e = scale (- gamma) e -> kick = scale re e ->
  length past = (tau + k)%nat ->
  pair_w past = sub (scale ((1 + eta * gamma) ^ k * re) e)
    (scale eta (vsum k (fun j => times (k - 1 - j) (pair_rest (at_time (tau + j) past))))).
Proof.
  intros He Ek. revert past. induction k as [|k IH]; intros past Len.
  - rewrite pair_kick by lia. rewrite Ek. cbn [vsum pow]. vector_eq u. ring.
  - destruct past as [|J before]; [simpl in Len; lia|]. cbn [length] in Len.
    assert (Lb : length before = (tau + k)%nat) by lia.
    rewrite pair_step by lia. rewrite (IH before Lb).
    set (c := (1 + eta * gamma) ^ k * re).
    set (sm := vsum k (fun j => times (k - 1 - j) (pair_rest (at_time (tau + j) before)))).
    assert (Sm : vsum (S k) (fun j => times (S k - 1 - j) (pair_rest (at_time (tau + j) (J :: before))))
      = add (shrunk sm) (pair_rest before)).
    { cbn [vsum]. f_equal.
      - unfold sm. rewrite shrunk_vsum. apply vsum_ext. intros j Hj.
        rewrite at_time_before by lia. replace (S k - 1 - j)%nat with (S (k - 1 - j)) by lia. reflexivity.
      - rewrite at_time_before by lia. rewrite <- Lb, at_time_all.
        replace (S k - 1 - k)%nat with 0%nat by lia. reflexivity. }
    rewrite Sm. assert (Sh : shrunk (sub (scale c e) (scale eta sm))
      = sub (scale (c * (1 + eta * gamma)) e) (scale eta (shrunk sm))).
    { replace (sub (scale c e) (scale eta sm)) with (add (scale c e) (scale (- eta) sm))
        by (vector_eq u; ring).
      rewrite shrunk_add, !shrunk_scale. unfold shrunk at 1. rewrite He. vector_eq u. ring. }
    rewrite Sh. unfold c. cbn [pow]. vector_eq u. ring.
Qed.
(* Exact estimates and a quadratic function: the pair separates like a power. *)
Theorem pair_quadratic gamma re e k past : H e = scale (- gamma) e -> kick = scale re e ->
  length past = (tau + k)%nat ->
  (forall t, (t <= length past)%nat -> pair_g (at_time t past) = zero) ->
  (forall x y, sub (grad_f x) (grad_f y) = H (sub x y)) ->
  pair_w past = scale ((1 + eta * gamma) ^ k * re) e.
Proof.
  intros He Ek Len G Q. rewrite (pair_unrolled gamma re e k past He Ek Len).
  assert (R : forall t, (t <= length past)%nat -> pair_rest (at_time t past) = zero).
  { intros t Ht. unfold pair_rest. rewrite Q, (G t Ht). unfold pair_w. vector_eq u. ring. }
  assert (T : forall i, times i zero = zero).
  { induction i as [|i IH]; [reflexivity|]. cbn [times]. rewrite IH. unfold shrunk. rewrite H_zero.
    vector_eq u. ring. }
  replace (vsum k _) with (zero : V); [vector_eq u; ring|]. symmetry.
  rewrite (vsum_ext k _ (fun _ => zero)).
  - clear. induction k as [|k IH]; [reflexivity|]. cbn [vsum]. rewrite IH. vector_eq u. ring.
  - intros j Hj. rewrite R, T; [reflexivity|lia].
Qed.
End Pair.
