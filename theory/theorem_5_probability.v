(* Theorem 5 (theorem:PL-Main, lines 438-451 and 2056-2140) with probability, Option II: a linear
   rate.

   Printed: under Assumptions 1, 2, 3 (i), 5, 6, with eta = Theta~(1/L ∧ b/(zeta sqrt n) ∧ b/(mu n))
   and r <= eta sqrt(eps mu/3), Option I finds f(x^t) - inf f <= eps with
   O~((Lb/mu ∨ zeta sqrt n/mu ∨ n) log((Delta + sigma_c)/eps)) gradients with probability 1 - nu;
   the appendix has eta = Theta(1/L ∧ b/(C_1^4.5 zeta sqrt n) ∧ b/(C_1 mu n)).
   Proved [theorem_5_option_II_high_probability], for all spaces, f_i, 1 <= b <= n, T >= 1,
   0 < nu < 1, noises with |xi| <= r: with C_1 = log((n + bT)/nu), lambda = 1 + sqrt(log(bT/nu)/2)
   and
       1/eta = max{2L, 2 zeta lambda sqrt(2n (1 + C_1)(1 + 2C_1))/b,
           2 mu n (1 + C_1)/b}                                                   [pl_high_step_size]
   with probability at least 1 - 2 nu, for all t <= T at once,
       f(x^t) - inf f <= (1 - eta mu)^t Delta + r^2/(eta^2 mu),
   so at most eps for r <= eta sqrt(eps mu/3) and t >= log((3/2) Delta/eps)/(eta mu)
   [theorem_5_option_II_reached].
   Stronger than printed: literal constants, about C_1^(3/2) for C_1^4.5, no dimension, an
   adversary's noise, all t of the run at once. Option II for Option I, hence no sigma_c. *)
From Coq Require Import Reals Lra Lia List PeanoNat Bool.
From Sledge Require Import vectors means minibatches algorithms problems second_moments
  sledge_errors.
From Sledge Require Import theorem_2_expectation theorem_5_expectation probability azuma coverage.
From Sledge Require Import sledge_tails lemma_1 theorem_2_probability.
Import ListNotations.
Open Scope R_scope.

Definition pl_high_inverse (n b T : nat) (L zeta mu nu : R) : R :=
  let C := log_factor n b T nu in
  Rmax (2 * L) (Rmax (2 * (zeta * (lambda b T nu * sqrt (2 * INR n * (1 + C) * (1 + 2 * C)) / INR
    b)))
    (2 * (mu * INR n * (1 + C) / INR b))).
Definition pl_high_step_size (n b T : nat) (L zeta mu nu : R) : R := / pl_high_inverse n b T L
  zeta mu nu.

(* (1 - a)^m >= 1 - ma *)
Lemma bernoulli a m : 0 <= a <= 1 -> 1 - INR m * a <= (1 - a) ^ m.
Proof.
  intro H. induction m as [|m IH]; [simpl; lra|]. rewrite S_INR. cbn [pow].
  assert ((1 - a) * (1 - INR m * a) <= (1 - a) * (1 - a) ^ m) by (apply Rmult_le_compat_l; lra).
  pose proof (pos_INR m). assert (0 <= INR m * (a * a)) by (apply Rmult_le_pos;
    [assumption|apply Rle_0_sqr]). lra.
Qed.

Lemma at_time_at_time {O} s t (past : list O) : (s <= t <= length past)%nat ->
  at_time s (at_time t past) = at_time s past.
Proof.
  intro H. induction past as [|o past IH]; [reflexivity|].
  destruct (Nat.eq_dec t (length (o :: past))) as [e|e]; [subst t; rewrite at_time_all;
    reflexivity|].
  simpl in e, H. rewrite (at_time_before t), (at_time_before s) by lia. apply IH. lia.
Qed.

Section Theorem5.
Context {V : space}.
Variables (n b : nat).
Hypothesis Hb : (1 <= b)%nat.
Hypothesis Hbn : (b <= n)%nat.
Variables (f : nat -> V -> R) (grad : nat -> V -> V) (L zeta mu fstar : R).
Hypothesis HL : 0 < L.
Hypothesis Hz : 0 <= zeta.
Hypothesis Hmu : 0 < mu.
Hypothesis smoothness : smooth n f grad L.
Hypothesis infimum : forall x, fstar <= objective n f x.
Hypothesis het : heterogeneous n grad zeta.
Hypothesis pl : polyak mu fstar (objective n f) (gradient n grad).
Variables (x0 : V) (T : nat) (nu r : R).
Hypothesis HT : (1 <= T)%nat.
Hypothesis Hnu : 0 < nu < 1.
Variable noise : list batch -> V.
Hypothesis noise_r : forall past, norm (noise past) <= r.
Notation N := (INR n).
Notation B := (INR b).
Notation F := (objective n f).
Notation C := (log_factor n b T nu).
Notation lam := (lambda b T nu).
Notation eta := (pl_high_step_size n b T L zeta mu nu).
Notation run := (sledge n b eta noise grad (sledge_start_II grad x0)).
Notation Delta := (F x0 - fstar).
Notation ahead := (ahead n b grad eta noise (sledge_start_II grad x0)).
Let K : R := 2 * N * (1 + C) * (1 + 2 * C).

Lemma pl_high_bounds : 0 < eta /\ 2 * eta * L <= 1 /\
  4 * (eta * eta) * (zeta * zeta * (lam * lam * K / (B * B))) <= 1 /\ 2 * (eta * mu) * (1 + C) <=
    B / N.
Proof.
  pose proof (Bb n b Hb Hbn) as [B1 BN]. pose proof (Nn n b Hb Hbn) as N1.
  pose proof (log_factor_pos n b Hb Hbn T nu Hnu) as C0.
  pose proof (radius_above (INR (b * T)) nu) as l1.
  change (1 <= lam) in l1. assert (K0 : 0 <= K) by (unfold K; repeat apply Rmult_le_pos; lra).
  pose proof (sqrt_pos K) as s0. pose proof (sqrt_sqrt K K0) as ss.
  set (w := lam * sqrt K / B). assert (w0 : 0 <= w).
  { apply Rmult_le_pos; [apply Rmult_le_pos; lra|left; apply Rinv_0_lt_compat; lra]. }
  assert (zw : 0 <= zeta * w) by (apply Rmult_le_pos; assumption).
  unfold pl_high_step_size. set (M := pl_high_inverse n b T L zeta mu nu).
  assert (M1 : 2 * L <= M) by apply Rmax_l.
  assert (M2 : 2 * (zeta * w) <= M) by (eapply Rle_trans; [apply Rmax_l|apply Rmax_r]).
  assert (M3 : 2 * (mu * N * (1 + C) / B) <= M) by (eapply Rle_trans; [apply Rmax_r|apply Rmax_r]).
  assert (M0 : 0 < M) by lra. repeat split.
  - apply Rinv_0_lt_compat, M0.
  - apply Rmult_le_reg_r with M; [assumption|]. replace (2 * / M * L * M) with (2 * L) by (field;
    lra). lra.
  - replace (lam * lam * K / (B * B)) with (w * w).
    2:{ unfold w. rewrite <- ss at 3. field. lra. }
    apply Rmult_le_reg_r with (M * M); [apply Rmult_lt_0_compat; assumption|].
    replace (4 * (/ M * / M) * (zeta * zeta * (w * w)) * (M * M))
      with (2 * (zeta * w) * (2 * (zeta * w))) by (field; lra).
    rewrite Rmult_1_l. apply Rmult_le_compat; lra.
  - apply Rmult_le_reg_r with (M * (N / B)).
    { apply Rmult_lt_0_compat; [assumption|]. apply Rmult_lt_0_compat;
      [lra|apply Rinv_0_lt_compat; lra]. }
    replace (2 * (/ M * mu) * (1 + C) * (M * (N / B))) with (2 * (mu * N * (1 + C) / B))
      by (field; lra).
    replace (B / N * (M * (N / B))) with M by (field; lra). assumption.
Qed.

Theorem theorem_5_option_II_high_probability :
  with_probability (sledge_history n b T) (1 - 2 * nu) (fun past => forall t, (t <= T)%nat ->
    F (point (run (at_time t past))) - fstar <= (1 - eta * mu) ^ t * Delta + r * r / (eta * eta *
      mu)).
Proof.
  pose proof pl_high_bounds as [E0 [E1 [E2 E3]]].
  pose proof (Bb n b Hb Hbn) as [B1 BN]. pose proof (BN_1 n b Hb Hbn) as [p0 p1].
  pose proof (Nn n b Hb Hbn) as N1. pose proof (log_factor_pos n b Hb Hbn T nu Hnu) as C0.
  pose proof (oldest_row_bound n b Hb Hbn T nu Hnu) as Km.
  eapply with_probability_weaken;
    [apply Rle_refl| |apply (good_event n b Hb Hbn grad zeta Hz het eta noise x0 T nu HT Hnu)].
  intros past P H t Ht. pose proof (history_length _ _ _ P) as Len.
  set (m := (oldest_row n b T nu - 1)%nat) in *.
  set (e2 := fun past => sq (error n grad (run past))).
  set (d2 := fun past => ahead past * ahead past).
  set (a := eta * mu) in *. assert (a0 : 0 < a) by (apply Rmult_lt_0_compat; assumption).
  assert (aC : 0 <= a * C) by (apply Rmult_le_pos; lra).
  assert (a1 : 2 * a <= B / N) by lra.
  set (rho := 1 - a). set (now := at_time t past). assert (Ln : length now = t)
    by (apply at_time_length; lia).
  assert (Now : forall s, (s < t)%nat -> at_time s now = at_time s past)
    by (intros s Hs; apply at_time_at_time; lia).
  assert (m0 : 0 <= INR m) by apply pos_INR.
  set (pm := B / N * INR m) in *. assert (pm0 : 0 <= pm) by (apply Rmult_le_pos; lra).
  (* rho^m >= 1/2 *)
  assert (Rm : 1 / 2 <= rho ^ m).
  { eapply Rle_trans; [|apply bernoulli; lra].
    assert (X : INR m * (2 * a * (1 + C)) <= INR m * (B / N)) by (apply Rmult_le_compat_l; lra).
    replace (INR m * (B / N)) with pm in X by (unfold pm; ring).
    assert (INR m * a * 2 * (1 + C) <= 1 * (1 + C)) by lra.
    assert (INR m * a * 2 <= 1) by (apply Rmult_le_reg_r with (1 + C); lra). lra. }
  assert (R1 : rho ^ m <= 1) by (rewrite <- (pow1 m); apply pow_incr; unfold rho; lra).
  assert (Q : B / N / 2 <= rho - (1 - B / N) * (1 - B / N)).
  { unfold rho. assert (0 <= B / N * (1 - B / N)) by (apply Rmult_le_pos; lra). lra. }
  assert (Er : 4 * (eta * eta) * discounted rho e2 now <= discounted rho d2 now).
  { pose proof (errors_discounted n b Hb Hbn grad zeta Hz eta noise x0 rho m (lam * lam) now
      ltac:(unfold rho; lra) ltac:(apply Rle_0_sqr) ltac:(lra)) as X.
    rewrite Ln in X.
    specialize (X ltac:(intros s Hs; rewrite Now by assumption; apply H; lia)
      ltac:(intros s Hs; rewrite Now by assumption; apply H; lia)).
    fold e2 in X. fold d2 in X. fold pm in X.
    set (E := discounted rho e2 now) in *. set (A := discounted rho d2 now) in *.
    assert (A0 : 0 <= A) by (apply discounted_nonneg; [unfold rho; lra|intro; apply Rle_0_sqr]).
    assert (EE : 0 <= E) by (apply discounted_nonneg; [unfold rho; lra|intro; apply sq_nonneg]).
    set (k := lam * lam * (zeta * zeta) / B) in *.
    assert (k0 : 0 <= k).
    { apply Rmult_le_pos; [apply Rmult_le_pos; apply Rle_0_sqr|left; apply Rinv_0_lt_compat; lra]. }
    (* divide by rho^m: (rho^m + pm)/rho^m <= 1 + 2 pm *)
    assert (X2 : rho ^ m * ((rho - (1 - B / N) * (1 - B / N)) * E) <= rho ^ m * (k * (1 + C) * (1
      + 2 * C) * A)).
    { eapply Rle_trans; [exact X|].
      assert (S1 : rho ^ m + pm <= rho ^ m * (1 + 2 * C)).
      { assert (1 / 2 * C <= rho ^ m * C) by (apply Rmult_le_compat_r; lra). lra. }
      assert (S2 : (1 + pm) * (rho ^ m + pm) <= (1 + C) * (rho ^ m * (1 + 2 * C)))
        by (apply Rmult_le_compat; lra).
      assert (kA : 0 <= k * A) by (apply Rmult_le_pos; assumption).
      assert (S3 : k * A * ((1 + pm) * (rho ^ m + pm)) <= k * A * ((1 + C) * (rho ^ m * (1 + 2 *
        C))))
        by (apply Rmult_le_compat_l; assumption). lra. }
    apply Rmult_le_reg_l in X2; [|lra].
    assert (X3 : B / N / 2 * E <= k * (1 + C) * (1 + 2 * C) * A).
    { eapply Rle_trans; [|exact X2]. apply Rmult_le_compat_r; assumption. }
    assert (X4 : E <= zeta * zeta * (lam * lam * K / (B * B)) * A).
    { apply Rmult_le_reg_l with (B / N / 2); [lra|].
      replace (B / N / 2 * (zeta * zeta * (lam * lam * K / (B * B)) * A))
        with (k * (1 + C) * (1 + 2 * C) * A); [assumption|].
      unfold k, K. field. lra. }
    assert (0 <= 4 * (eta * eta)) by (pose proof (Rle_0_sqr eta) as Qq; unfold Rsqr in Qq; lra).
    apply Rle_trans with (4 * (eta * eta) * (zeta * zeta * (lam * lam * K / (B * B)) * A));
      [apply Rmult_le_compat_l; assumption|].
    rewrite <- Rmult_assoc. rewrite <- (Rmult_1_l A) at 2. apply Rmult_le_compat_r; assumption. }
  (* contraction *)
  assert (Step : forall (o : batch) before, F (point (run (o :: before))) - fstar
    <= rho * (F (point (run before)) - fstar)
       + (eta * e2 before + (- (1 / (2 * eta) - L / 2) * d2 before + r * r / eta))).
  { intros J before.
    assert (PC : F (next_point n eta noise before (run before)) - fstar
      <= (1 - eta * mu) * (F (point (run before)) - fstar) + eta * sq (error n grad (run before))
         - (1 / (2 * eta) - L / 2) * moved n eta noise before (run before) + r * r / eta).
    { exact (pl_contraction_step n b Hb Hbn f grad L mu fstar smoothness pl eta r noise E0 noise_r
      before (run before)). }
    unfold e2, d2, sledge_tails.ahead, rho, a. rewrite norm_sq. unfold moved in PC.
    change (point (run (J :: before))) with (next_point n eta noise before (run before)). lra. }
  pose proof (discounted_descent rho (fun past => F (point (run past)) - fstar) _ now ltac:(unfold
    rho; lra) Step) as D.
  rewrite !discounted_add, !discounted_mul, Ln in D. change (F (point (run []))) with (F x0) in D.
  pose proof (discounted_const rho (r * r / eta) now ltac:(unfold rho; lra)) as R2.
  assert (rr : 0 <= r * r / eta) by (apply Rmult_le_pos; [apply Rle_0_sqr|left;
    apply Rinv_0_lt_compat; assumption]).
  specialize (R2 rr). replace (1 - rho) with a in R2 by (unfold rho; ring).
  set (E := discounted rho e2 now) in *. set (A := discounted rho d2 now) in *.
  set (RR := discounted rho (fun _ : list batch => r * r / eta) now) in *.
  assert (A0 : 0 <= A) by (apply discounted_nonneg; [unfold rho; lra|intro; apply Rle_0_sqr]).
  assert (Bal : eta * E <= (1 / (2 * eta) - L / 2) * A).
  { apply Rmult_le_reg_l with (4 * eta); [lra|].
    replace (4 * eta * (eta * E)) with (4 * (eta * eta) * E) by ring.
    replace (4 * eta * ((1 / (2 * eta) - L / 2) * A)) with ((2 - 2 * eta * L) * A) by (field; lra).
    assert (1 * A <= (2 - 2 * eta * L) * A) by (apply Rmult_le_compat_r; lra). lra. }
  assert (RF : RR <= r * r / (eta * eta * mu)).
  { apply Rmult_le_reg_l with a; [assumption|]. replace (a * (r * r / (eta * eta * mu)))
    with (r * r / eta); [assumption|].
    unfold a. field. lra. }
  lra.
Qed.
(* r <= eta sqrt(eps mu/3) and t >= log((3/2) Delta/eps)/(eta mu), a whole number up to T *)
Theorem theorem_5_option_II_reached eps : 0 < eps -> 0 <= r -> r <= eta * sqrt (eps * mu / 3) ->
  (pl_steps eta mu Delta eps <= T)%nat ->
  with_probability (sledge_history n b T) (1 - 2 * nu) (fun past =>
    F (point (run (at_time (pl_steps eta mu Delta eps) past))) - fstar <= eps).
Proof.
  intros He Hr0 Hr Hs. pose proof pl_high_bounds as [E0 [E1 [E2 E3]]].
  pose proof (BN_1 n b Hb Hbn) as [p0 p1]. pose proof (log_factor_pos n b Hb Hbn T nu Hnu) as C0.
  assert (a0 : 0 < eta * mu) by (apply Rmult_lt_0_compat; assumption).
  assert (0 <= eta * mu * C) by (apply Rmult_le_pos; lra).
  eapply with_probability_weaken; [apply Rle_refl| |apply theorem_5_option_II_high_probability].
  intros past _ Hp. specialize (Hp _ Hs). eapply Rle_trans; [exact Hp|].
  pose proof (infimum x0). pose proof (pl_steps_enough eta mu Delta eps ltac:(lra) ltac:(lra) He)
    as S.
  assert (r * r / (eta * eta * mu) <= eps / 3); [|lra].
  apply Rmult_le_reg_r with (eta * eta * mu); [repeat apply Rmult_lt_0_compat; assumption|].
  replace (r * r / (eta * eta * mu) * (eta * eta * mu)) with (r * r) by (field; lra).
  apply Rle_trans with (eta * sqrt (eps * mu / 3) * (eta * sqrt (eps * mu / 3)));
    [apply Rmult_le_compat; lra|].
  replace (eta * sqrt (eps * mu / 3) * (eta * sqrt (eps * mu / 3)))
    with (eta * eta * (sqrt (eps * mu / 3) * sqrt (eps * mu / 3))) by ring.
  rewrite sqrt_sqrt; [right; field|]. assert (0 < eps * mu) by (apply Rmult_lt_0_compat;
    assumption). lra.
Qed.
End Theorem5.
