(* A martingale with discounts whose radii depend on the past (ledger:
   azuma-high-probability/adaptive; beside Proposition 13, proposition:Azuma, lines 975-988).

   Printed: E[x_i | past] = 0 and |x_i| <= R_i with probability 1 - nu_i give, with probability at
   least 1 - nu/poly - sum nu_i,  |sum x_i|^2 <= C_1^2 sum R_i^2,
   C_1 = O(log(1/nu + n + P + d + T + K)). That is false (the rare event may carry the mean away),
   and its radii are fixed numbers, while the proofs use radii that depend on the past.
   Proved [azuma_adaptive], in every inner product space: let
       A_t = a_t A_{t-1} + x_t,   E[x_t | past] = 0,   A_0 = 0,   B_t^2 = a_t^2 B_{t-1}^2 + D_t^2,
   where a_t >= 0 and D_t are known before step t and two values that x_t may take are at most D_t
   apart. Then with probability at least 1 - nu, for all t <= N,
       |A_t| <= (1 + sqrt(log(N/nu)/2)) B_t.
   Added: nothing has to be known about the sizes of the D_t; no dimension; the price is N in the
   logarithm.
   With a_t = 1 and |x_t| <= R_t this is the printed bound with D_t = 2 R_t.

   Proof. For 0 < theta < 2 let M = exp(theta |A|^2/B^2), and 0 where A = 0. One step: with
   y = D^2/B'^2 and R^2 = |A|^2/B^2, the inner product <A, x> lies in an interval of length |A| D,
   so Hoeffding's lemma gives E M' <= exp(theta (R^2 (1 - y)(1 + theta y/2) + y)), whose exponent is
   at most the larger of theta R^2 and kappa = theta/(1 - theta/2) ([exponent]). So
   E M' <= M + e^kappa ([potential_step]), and the maximal inequality bounds the probability that
   ever |A| > lambda B by N e^(kappa - theta lambda^2), which is nu for theta = 2m/(1 + m),
   lambda = 1 + m, m = sqrt(log(N/nu)/2). *)
From Coq Require Import Reals Lra Lia List.
From Sledge Require Import vectors means probability hoeffding.
Import ListNotations.
Open Scope R_scope.

(* ---- One inequality in real numbers ---- *)

Lemma exponent theta y R2 : 0 < theta < 2 -> 0 <= y <= 1 -> 0 <= R2 ->
  R2 * ((1 - y) * (1 + theta * y / 2)) + y <= Rmax R2 (/ (1 - theta / 2)).
Proof.
  intros Ht Hy HR. set (k := / (1 - theta / 2)).
  assert (K : k * (1 - theta / 2) = 1) by (unfold k; field; lra).
  assert (K0 : 0 < k) by (unfold k; apply Rinv_0_lt_compat; lra).
  assert (F : forall r, k <= r -> r * ((1 - y) * (1 + theta * y / 2)) + y <= r).
  { intros r Hr. assert (H1 : 0 <= (r - k) * (1 - theta / 2)) by (apply Rmult_le_pos; lra).
    assert (H2 : 0 <= r * theta * y) by (repeat apply Rmult_le_pos; lra).
    replace (r * ((1 - y) * (1 + theta * y / 2)) + y)
      with (r - y * (r * (1 - theta / 2) + r * theta * y / 2 - 1)) by field.
    assert (0 <= y * (r * (1 - theta / 2) + r * theta * y / 2 - 1)) by (apply Rmult_le_pos; lra).
    lra. }
  destruct (Rle_dec k R2) as [H|H].
  - rewrite Rmax_left by assumption. apply F. assumption.
  - rewrite Rmax_right by lra. eapply Rle_trans; [|apply (F k); lra]. apply Rplus_le_compat_r.
    apply Rmult_le_compat_r; [|lra]. apply Rmult_le_pos; [lra|].
    assert (0 <= theta * y) by (apply Rmult_le_pos; lra). lra.
Qed.

(* ---- The potential ---- *)

Section Potential.
Context {V : space}.
Variable theta : R.
Hypothesis Htheta : 0 < theta < 2.

Definition tower (A : V) (beta : R) : R := if Req_EM_T (sq A) 0 then 0 else exp (theta * sq A /
  beta).
Definition kappa : R := theta * / (1 - theta / 2).
(* Where B = 0, A = 0. *)
Definition proper (A : V) (beta : R) : Prop := 0 <= beta /\ (beta = 0 -> A = zero).

Lemma kappa_above : theta <= kappa.
Proof.
  unfold kappa. assert (K : 1 <= / (1 - theta / 2)).
  { rewrite <- Rinv_1 at 1. apply Rinv_le_contravar; lra. }
  rewrite <- (Rmult_1_r theta) at 1. apply Rmult_le_compat_l; lra.
Qed.
Lemma tower_nonneg A beta : 0 <= tower A beta.
Proof. unfold tower. destruct Req_EM_T; [lra|left; apply exp_pos]. Qed.
Lemma tower_le A beta : tower A beta <= exp (theta * sq A / beta).
Proof. unfold tower. destruct Req_EM_T; [left; apply exp_pos|lra]. Qed.
Lemma tower_zero beta : tower zero beta = 0.
Proof. unfold tower. rewrite sq_zero. destruct Req_EM_T; [reflexivity|contradiction]. Qed.

Section Step.
Context {O : Type} (m : mean O).
Variables (A : V) (beta a D : R) (x : O -> V).
Hypothesis Ha : 0 <= a.
Hypothesis HD : 0 <= D.
Hypothesis P : proper A beta.
Hypothesis zero_mean : forall u, Ex m (fun o => ip u (x o)) = 0.
Hypothesis diameter : forall o o', possible m o -> possible m o' -> norm (sub (x o) (x o')) <= D.
Let beta' := a * a * beta + D * D.

(* 0 is in the convex hull of the values of x. *)
Lemma increment_size o : possible m o -> sq (x o) <= D * D.
Proof.
  intro Q. assert (H : sq (x o) + Ex m (fun o' => sq (x o')) <= D * D).
  { replace (sq (x o) + Ex m (fun o' => sq (x o')))
      with (Ex m (fun o' => sq (x o) + ((-2) * ip (x o) (x o') + sq (x o')))).
    - apply Ex_at_most. intros o' Q'. pose proof (sq_le _ _ (diameter o o' Q Q')) as S.
      rewrite sq_sub in S. lra.
    - rewrite !Ex_add, Ex_mul, zero_mean, Ex_const. ring. }
  assert (0 <= Ex m (fun o' => sq (x o'))) by (apply Ex_nonneg; intros; apply sq_nonneg). lra.
Qed.
Lemma sq_next o : sq (add (scale a A) (x o)) = a * a * sq A + 2 * a * ip A (x o) + sq (x o).
Proof. rewrite sq_add, sq_scale, ip_scale. ring. Qed.
Lemma parts_nonneg : 0 <= a * a * beta /\ 0 <= D * D.
Proof.
  destruct P as [P1 _]. split; [|apply Rle_0_sqr]. apply Rmult_le_pos; [apply Rle_0_sqr|assumption].
Qed.
Lemma still o : possible m o -> beta' = 0 -> add (scale a A) (x o) = zero.
Proof.
  intros Q Z. destruct parts_nonneg as [P1 P2]. unfold beta' in Z.
  pose proof (increment_size o Q) as X.
  pose proof (sq_nonneg (x o)). rewrite (sq_zero_eq (x o)) by lra.
  assert (Z1 : a * a * beta = 0) by lra. vector_eq w.
  apply Rmult_integral in Z1. destruct Z1 as [Z1|Z1].
  - apply Rmult_integral in Z1. destruct Z1 as [->| ->]; ring.
  - rewrite (proj2 P Z1), ip_zero. ring.
Qed.
Lemma proper_step o : possible m o -> proper (add (scale a A) (x o)) beta'.
Proof.
  intro Q. destruct parts_nonneg as [P1 P2]. split; [unfold beta'; lra|]. intro Z.
  apply still; assumption.
Qed.

(* A different from 0: the step by Hoeffding's lemma. *)
Lemma moving_step : 0 < beta -> 0 < beta' ->
  Ex m (fun o => exp (theta * sq (add (scale a A) (x o)) / beta'))
  <= exp (theta * Rmax (sq A / beta) (/ (1 - theta / 2))).
Proof.
  intros Hb Hb'. destruct parts_nonneg as [AA DD]. pose proof (sq_nonneg A) as A0.
  set (R2 := sq A / beta). assert (ER : R2 * beta = sq A) by (unfold R2; field; lra).
  assert (R0 : 0 <= R2) by (apply Rmult_le_pos; [assumption|left; apply Rinv_0_lt_compat;
    assumption]).
  set (y := D * D / beta'). assert (Y : y * beta' = D * D) by (unfold y; field; lra).
  assert (Y1 : (1 - y) * beta' = a * a * beta) by (unfold beta' in *; lra).
  assert (y01 : 0 <= y <= 1) by (split; apply Rmult_le_reg_r with beta'; lra).
  set (c := 2 * theta * a / beta').
  assert (C0 : 0 <= c).
  { apply Rmult_le_pos; [apply Rmult_le_pos; lra|left; apply Rinv_0_lt_compat; assumption]. }
  eapply Rle_trans; [apply (Ex_le m _ (fun o => exp (theta * (R2 * (1 - y) + y)) * exp (c * ip A
    (x o))))|].
  { intros o Q. rewrite <- exp_plus. apply exp_le. pose proof (increment_size o Q) as S.
    rewrite sq_next.
    apply Rmult_le_reg_r with beta'; [assumption|].
    replace (theta * (a * a * sq A + 2 * a * ip A (x o) + sq (x o)) / beta' * beta')
      with (theta * (a * a * sq A + sq (x o)) + 2 * theta * a * ip A (x o)) by (field; lra).
    replace ((theta * (R2 * (1 - y) + y) + c * ip A (x o)) * beta')
      with (theta * (R2 * ((1 - y) * beta') + y * beta') + 2 * theta * a * ip A (x o))
      by (unfold c; field; lra).
    rewrite Y, Y1, <- ER. apply Rplus_le_compat_r. apply Rmult_le_compat_l; lra. }
  rewrite Ex_mul. pose proof (norm_nonneg A) as NA.
  assert (H : Ex m (fun o => exp (c * ip A (x o))) <= exp (c * norm A * D * (c * norm A * D) / 8)).
  { apply (hoeffding m (fun o => c * ip A (x o))).
    - intros o o' Q Q'. rewrite <- Rmult_minus_distr_l, <- ip_sub_r, Rmult_assoc.
      apply Rmult_le_compat_l; [assumption|]. eapply Rle_trans; [apply ip_le|].
      apply Rmult_le_compat_l; [assumption|]. apply diameter; assumption.
    - rewrite Ex_mul, zero_mean. ring. }
  eapply Rle_trans; [apply Rmult_le_compat_l; [left; apply exp_pos|exact H]|].
  rewrite <- exp_plus. apply exp_le.
  replace (c * norm A * D * (c * norm A * D) / 8)
    with (c * c * (norm A * norm A) * (D * D) / 8) by field.
  rewrite norm_sq. replace (c * c * sq A * (D * D) / 8)
    with (theta * theta / 2 * (R2 * (1 - y) * y)).
  2:{ rewrite <- Y, <- ER. unfold c.
      replace (R2 * (1 - y) * y) with (R2 * ((1 - y) * beta') * y / beta') by (field; lra).
      rewrite Y1. field. lra. }
  pose proof (exponent theta y R2 Htheta y01 R0) as EX.
  replace (theta * (R2 * (1 - y) + y) + theta * theta / 2 * (R2 * (1 - y) * y))
    with (theta * (R2 * ((1 - y) * (1 + theta * y / 2)) + y)) by field.
  apply Rmult_le_compat_l; lra.
Qed.
Theorem potential_step :
  Ex m (fun o => tower (add (scale a A) (x o)) beta') <= tower A beta + exp kappa.
Proof.
  pose proof (exp_pos kappa) as K. pose proof (tower_nonneg A beta) as TP.
  destruct parts_nonneg as [P1 P2].
  destruct (Req_dec beta' 0) as [Z|Z].
  { rewrite (Ex_ext m _ (fun _ => 0)); [rewrite Ex_const; lra|].
    intros o Q. rewrite (still o Q Z). apply tower_zero. }
  assert (B' : 0 < beta') by (unfold beta' in *; lra).
  destruct (Req_dec (sq A) 0) as [q|q].
  - (* at the origin *)
    apply Rle_trans with (exp kappa); [|lra]. apply Ex_at_most. intros o Q.
    eapply Rle_trans; [apply tower_le|]. apply exp_le.
    apply Rle_trans with theta; [|apply kappa_above].
    rewrite sq_next, q, (sq_zero_eq A q), ip_zero. pose proof (increment_size o Q).
    apply Rmult_le_reg_r with beta'; [assumption|].
    replace (theta * (a * a * 0 + 2 * a * 0 + sq (x o)) / beta' * beta')
      with (theta * sq (x o)) by (field; lra).
    apply Rmult_le_compat_l; [lra|]. unfold beta'. lra.
  - assert (b0 : 0 < beta).
    { destruct P as [[B|B] G]; [assumption|]. exfalso. apply q. rewrite (G (eq_sym B)).
      apply sq_zero. }
    apply Rle_trans with (exp (theta * Rmax (sq A / beta) (/ (1 - theta / 2)))).
    + eapply Rle_trans; [|apply moving_step; assumption]. apply Ex_le. intros o Q. apply tower_le.
    + unfold Rmax. destruct Rle_dec; [fold kappa; lra|].
      unfold tower in *. destruct Req_EM_T; [contradiction|].
      replace (theta * (sq A / beta)) with (theta * sq A / beta) by (field; lra). lra.
Qed.
End Step.

(* Far out the tower is high. *)
Lemma tower_outside A beta l : proper A beta -> l * l * beta < sq A -> exp (theta * (l * l)) <=
  tower A beta.
Proof.
  intros [P1 P2] H. assert (L : 0 <= l * l * beta) by (apply Rmult_le_pos;
    [apply Rle_0_sqr|assumption]).
  destruct P1 as [P1|P1]; [|rewrite (P2 (eq_sym P1)), sq_zero in H; lra].
  unfold tower. destruct Req_EM_T as [q|q]; [lra|]. apply exp_le.
  apply Rmult_le_reg_r with beta; [assumption|].
  replace (theta * sq A / beta * beta) with (theta * sq A) by (field; lra).
  rewrite Rmult_assoc. apply Rmult_le_compat_l; lra.
Qed.
End Potential.

(* ---- The best theta ---- *)

(* lambda = 1 + sqrt(log(N/nu)/2) *)
Definition radius (N nu : R) : R := 1 + sqrt (ln (N / nu) / 2).

Lemma ratio_above N nu : 1 <= N -> 0 < nu < 1 -> 1 < N / nu.
Proof.
  intros HN Hnu. apply Rmult_lt_reg_r with nu; [lra|].
  replace (N / nu * nu) with N by (field; lra). lra.
Qed.
Lemma ln_ratio_pos N nu : 1 <= N -> 0 < nu < 1 -> 0 < ln (N / nu).
Proof. intros. rewrite <- ln_1. apply ln_increasing; [lra|apply ratio_above; assumption]. Qed.
Lemma radius_above N nu : 1 <= radius N nu.
Proof. unfold radius. pose proof (sqrt_pos (ln (N / nu) / 2)). lra. Qed.
Lemma best_theta N nu : 1 <= N -> 0 < nu < 1 -> exists theta, 0 < theta < 2 /\
  N * exp (kappa theta) = nu * exp (theta * (radius N nu * radius N nu)).
Proof.
  intros HN Hnu. pose proof (ln_ratio_pos N nu HN Hnu) as l0.
  pose proof (ratio_above N nu HN Hnu) as q.
  unfold radius. set (ell := ln (N / nu)) in *. set (m := sqrt (ell / 2)).
  assert (m2 : m * m = ell / 2) by (unfold m; apply sqrt_sqrt; lra).
  assert (m0 : 0 < m) by (unfold m; apply sqrt_lt_R0; lra).
  exists (2 * m / (1 + m)). set (theta := 2 * m / (1 + m)).
  assert (T : theta * (1 + m) = 2 * m) by (unfold theta; field; lra).
  split; [split; apply Rmult_lt_reg_r with (1 + m); lra|].
  assert (k : kappa theta = 2 * m).
  { unfold kappa. replace (1 - theta / 2) with (/ (1 + m)) by (unfold theta; field; lra).
    rewrite Rinv_inv. assumption. }
  rewrite k. replace (theta * ((1 + m) * (1 + m))) with (2 * m + ell).
  2:{ rewrite <- Rmult_assoc, T, Rmult_plus_distr_l. lra. }
  rewrite exp_plus. unfold ell. rewrite exp_ln by lra. field. lra.
Qed.

(* ---- azuma-high-probability/adaptive ---- *)

Section Adaptive.
Context {V : space} {O : Type}.
Variable law : list O -> mean O.               (* the law of the next draw, given the past *)
Variables (A : list O -> V) (beta : list O -> R).    (* A_t and B_t^2 *)
Variables (a D : list O -> R) (x : list O -> O -> V). (* a_t, D_t (known before the draw) and x_t *)

Theorem azuma_adaptive (N : nat) (nu : R) : (1 <= N)%nat -> 0 < nu < 1 ->
  A [] = zero -> beta [] = 0 ->
  (forall past, 0 <= a past /\ 0 <= D past) ->
  (forall t past, possible (history_of law t) past -> forall u, Ex (law past) (fun o => ip u (x
    past o)) = 0) ->
  (forall t past, possible (history_of law t) past -> forall o o', possible (law past) o ->
    possible (law past) o' -> norm (sub (x past o) (x past o')) <= D past) ->
  (forall past o, A (o :: past) = add (scale (a past) (A past)) (x past o)) ->
  (forall past o, beta (o :: past) = a past * a past * beta past + D past * D past) ->
  with_probability (history_of law N) (1 - nu) (fun past => forall t, (t <= N)%nat ->
    norm (A (at_time t past)) <= radius (INR N) nu * sqrt (beta (at_time t past))).
Proof.
  intros HN Hnu A0 B0 aD Z Dm AS BS. assert (N1 : 1 <= INR N) by (change 1 with (INR 1);
    apply le_INR; assumption).
  destruct (best_theta (INR N) nu N1 Hnu) as [theta [Ht E]]. set (l := radius (INR N) nu) in *.
  assert (L : 1 <= l) by apply radius_above.
  assert (Pr : forall t past, possible (history_of law t) past -> proper (A past) (beta past)).
  { induction t as [|t IH]; intros past P.
    - simpl in P. subst. rewrite A0, B0. split; [lra|auto].
    - pose proof (history_of_length _ _ _ P) as Len. destruct past as [|o past]; [discriminate|].
      apply history_of_possible in P. destruct P as [P Q]. rewrite AS, BS.
      apply (proper_step (law past)); try apply aD;
        [apply IH, P|apply (Z t past P)|apply (Dm t past P)|assumption]. }
  set (bad := fun past => exceeds (l * l * beta past) (sq (A past))).
  apply (unless _ (ever bad)).
  - pose proof (maximal_inequality law (fun past => tower theta (A past) (beta past)) bad (fun _
    => exp (kappa theta))
      (exp (theta * (l * l))) N) as M.
    specialize (M (fun _ past _ => tower_nonneg theta _ _)).
    assert (M2 : forall t past, possible (history_of law t) past -> bad past = true ->
      exp (theta * (l * l)) <= tower theta (A past) (beta past)).
    { intros t past P b. apply tower_outside; [assumption|apply (Pr t), P|apply exceeds_true, b]. }
    specialize (M M2).
    assert (M3 : forall t past, (t < N)%nat -> possible (history_of law t) past -> ever bad past =
      false ->
      Ex (law past) (fun o => tower theta (A (o :: past)) (beta (o :: past)))
        <= tower theta (A past) (beta past) + exp (kappa theta)).
    { intros t past _ P _.
      rewrite (Ex_ext _ _ (fun o => tower theta (add (scale (a past) (A past)) (x past o))
        (a past * a past * beta past + D past * D past))) by (intros; rewrite AS, BS; reflexivity).
      apply potential_step; try apply aD;
        [assumption|apply (Pr t), P|apply (Z t past), P|apply (Dm t past), P]. }
    specialize (M M3 (fun _ => Rlt_le _ _ (exp_pos _))).
    cbv beta in M. rewrite A0, B0, tower_zero, sum_const, Rplus_0_l in M.
    rewrite E in M. pose proof (exp_pos (theta * (l * l))).
    apply Rmult_le_reg_l with (exp (theta * (l * l))); [assumption|]. lra.
  - intros past P b t Ht'. pose proof (history_of_length _ _ _ P) as Len.
    pose proof (never_at_time bad past t b ltac:(lia)) as F. apply exceeds_false in F.
    pose proof (Pr t _ (possible_at_time law t N past P Ht')) as [Q _].
    set (now := at_time t past) in *.
    pose proof (sqrt_pos (beta now)). apply norm_le; [apply Rmult_le_pos; lra|].
    replace (l * sqrt (beta now) * (l * sqrt (beta now)))
      with (l * l * (sqrt (beta now) * sqrt (beta now))) by ring.
    rewrite sqrt_sqrt; assumption.
Qed.
End Adaptive.
