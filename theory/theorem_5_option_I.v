(* Theorem 5 (theorem:PL-Main, lines 438-451 and 2056-2140) with probability, Option I.

   Printed: under Assumptions 1, 2, 3 (i), 5, 6, Option I finds f(x^t) - inf f <= eps with
   O~((Lb/mu ∨ zeta sqrt n/mu ∨ n) log((Delta + sigma_c)/eps)) gradients with probability 1 - nu;
   the initial term of the appendix is (12 C_1^3 eta n/b^2)(sigma_c^2 + G_c^2/b), discounted from
   the time T_1 = (n/b) C_1 on.
   Proved [theorem_5_option_I_high_probability], for all spaces, f_i, 1 <= b <= n, T >= 1,
   0 < nu < 1, noises with |xi| <= r, and gradients at x^0 that are at most d0 apart (at most
   2 sigma_c in the words of Assumption 3 (i)): with C_1 = log((n + bT)/nu),
   lambda = 1 + sqrt(log(b(T+1)/nu)/2) and
       1/eta = max{2L, 4 zeta lambda sqrt(n (1 + C_1)(1 + 2C_1))/b,
           2 mu n (1 + C_1)/b}                                                 [pl_high_step_size_I]
   with probability at least 1 - 2 nu, for all t <= T at once,
       f(x^t) - inf f <= (1 - eta mu)^t (Delta + s) + r^2/(eta^2 mu),
       s = 2 eta lambda^2 (n/b^2 + 4 (1 + C_1)/b) d0^2                              [pl_start_term],
   so at most eps for r <= eta sqrt(eps mu/3) and t >= log((3/2)(Delta + s)/eps)/(eta mu)
   [theorem_5_option_I_reached].
   Stronger than printed: literal constants, two powers of the logarithm for three in the initial
   term, n/b^2 + C_1/b for C_1 n/b^2, no window, no dimension, an adversary's noise, all t of the
   run at once. Not given: the mean square of the deviations in the place of the largest. *)
From Coq Require Import Reals Lra Lia List PeanoNat Bool.
From Sledge Require Import vectors means minibatches algorithms problems second_moments
  sledge_errors.
From Sledge Require Import theorem_2_expectation theorem_5_expectation probability azuma
  minibatch_tails coverage.
From Sledge Require Import sledge_tails lemma_1 concentration theorem_2_probability.
From Sledge Require Import theorem_2_option_I theorem_5_probability.
Import ListNotations.
Open Scope R_scope.

Definition pl_high_inverse_I (n b T : nat) (L zeta mu nu : R) : R :=
  let C := log_factor n b T nu in
  Rmax (2 * L) (Rmax (4 * (zeta * (lambda b (S T) nu * sqrt (INR n * (1 + C) * (1 + 2 * C)) / INR
    b))) (2 * (mu * INR n * (1 + C) / INR b))).
Definition pl_high_step_size_I (n b T : nat) (L zeta mu nu : R) : R :=
  / pl_high_inverse_I n b T L zeta mu nu.
(* s, for the step size eta *)
Definition pl_start_term (n b T : nat) (eta nu d0 : R) : R :=
  2 * (eta * (lambda b (S T) nu * lambda b (S T) nu)
    * (INR n / (INR b * INR b) + 4 * ((1 + log_factor n b T nu) / INR b)) * (d0 * d0)).

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
Variables (x0 : V) (d0 : R) (T : nat) (nu r : R).
Hypothesis d0_nonneg : 0 <= d0.
Hypothesis spread_at_x0 : forall i j, (i < n)%nat -> (j < n)%nat ->
  norm (sub (grad i x0) (grad j x0)) <= d0.
Hypothesis HT : (1 <= T)%nat.
Hypothesis Hnu : 0 < nu < 1.
Variable noise : batch -> list batch -> V.
Hypothesis noise_r : forall I0 past, norm (noise I0 past) <= r.
Notation N := (INR n).
Notation B := (INR b).
Notation F := (objective n f).
Notation C := (log_factor n b T nu).
Notation lam := (lambda b (S T) nu).
Notation eta := (pl_high_step_size_I n b T L zeta mu nu).
Notation start I0 := (sledge_start_I n b grad x0 I0).
Notation run I0 := (sledge n b eta (noise I0) grad (start I0)).
Notation Delta := (F x0 - fstar).
Notation s := (pl_start_term n b T eta nu d0).
Let K : R := N * (1 + C) * (1 + 2 * C).

Lemma pl_high_bounds_I : 0 < eta /\ 2 * eta * L <= 1 /\
  16 * (eta * eta) * (zeta * zeta * (lam * lam * K / (B * B))) <= 1 /\
  2 * (eta * mu) * (1 + C) <= B / N.
Proof.
  pose proof (Bb n b Hb Hbn) as [B1 BN]. pose proof (Nn n b Hb Hbn) as N1.
  pose proof (log_factor_pos n b Hb Hbn T nu Hnu) as C0.
  pose proof (radius_above (INR (b * S T)) nu) as l1.
  change (1 <= lam) in l1. assert (K0 : 0 <= K) by (unfold K; repeat apply Rmult_le_pos; lra).
  pose proof (sqrt_pos K) as s0. pose proof (sqrt_sqrt K K0) as ss.
  set (w := lam * sqrt K / B). assert (w0 : 0 <= w).
  { apply Rmult_le_pos; [apply Rmult_le_pos; lra|left; apply Rinv_0_lt_compat; lra]. }
  assert (zw : 0 <= zeta * w) by (apply Rmult_le_pos; assumption).
  unfold pl_high_step_size_I. set (M := pl_high_inverse_I n b T L zeta mu nu).
  assert (M1 : 2 * L <= M) by apply Rmax_l.
  assert (M2 : 4 * (zeta * w) <= M) by (eapply Rle_trans; [apply Rmax_l|apply Rmax_r]).
  assert (M3 : 2 * (mu * N * (1 + C) / B) <= M) by (eapply Rle_trans; [apply Rmax_r|apply Rmax_r]).
  assert (M0 : 0 < M) by lra. repeat split.
  - apply Rinv_0_lt_compat, M0.
  - apply Rmult_le_reg_r with M; [assumption|].
    replace (2 * / M * L * M) with (2 * L) by (field; lra). lra.
  - replace (lam * lam * K / (B * B)) with (w * w).
    2:{ unfold w. rewrite <- ss at 3. field. lra. }
    apply Rmult_le_reg_r with (M * M); [apply Rmult_lt_0_compat; assumption|].
    replace (16 * (/ M * / M) * (zeta * zeta * (w * w)) * (M * M))
      with (4 * (zeta * w) * (4 * (zeta * w))) by (field; lra).
    rewrite Rmult_1_l. apply Rmult_le_compat; lra.
  - apply Rmult_le_reg_r with (M * (N / B)).
    { apply Rmult_lt_0_compat; [assumption|]. apply Rmult_lt_0_compat;
      [lra|apply Rinv_0_lt_compat; lra]. }
    replace (2 * (/ M * mu) * (1 + C) * (M * (N / B))) with (2 * (mu * N * (1 + C) / B))
      by (field; lra).
    replace (B / N * (M * (N / B))) with M by (field; lra). assumption.
Qed.

Theorem theorem_5_option_I_high_probability :
  with_probability (sledge_history_I n b T) (1 - 2 * nu) (fun o => let I0 := fst o in
    let past := snd o in forall t, (t <= T)%nat ->
    F (point (run I0 (at_time t past))) - fstar
    <= (1 - eta * mu) ^ t * (Delta + s) + r * r / (eta * eta * mu)).
Proof.
  pose proof pl_high_bounds_I as [E0 [E1 [E2 E3]]].
  pose proof (Bb n b Hb Hbn) as [B1 BN]. pose proof (BN_1 n b Hb Hbn) as [p0 p1].
  pose proof (Nn n b Hb Hbn) as N1. pose proof (log_factor_pos n b Hb Hbn T nu Hnu) as C0.
  pose proof (oldest_row_bound n b Hb Hbn T nu Hnu) as Km. set (k := oldest_row n b T nu) in *.
  assert (Hk : (1 <= k)%nat) by (unfold k, oldest_row; lia).
  assert (Kk : N / B * C <= INR k).
  { eapply Rle_trans; [apply ceiling_above|]. apply le_INR. unfold k, oldest_row. lia. }
  pose proof (after_start n b T _ _ (coverage_sharper n b T k Hb Hbn C nu Hk ltac:(lra)
    (Rle_refl _) Kk)) as Cov.
  pose proof (lemma_1_adaptive_option_I n b Hb Hbn grad zeta Hz het eta noise x0 d0 d0_nonneg
    spread_at_x0 T nu Hnu) as Ad.
  assert (Hw : 1 - 2 * nu <= 1 - (nu + nu)) by lra.
  eapply (with_probability_weaken _ _ _ _ _ Hw); [|apply (union_bound _ _ _ _ _ Cov Ad)].
  intros [I0 past] [I0' [PI [past' [P Eq]]]] [H1 H2]. simpl in Eq. injection Eq as Eq1 Eq2.
  subst I0' past'. cbn [fst snd] in *. intros t Ht.
  pose proof (history_length _ _ _ P) as Len. set (m := (k - 1)%nat) in *.
  set (ahead := ahead n b grad eta (noise I0) (start I0)).
  set (e2 := fun past => sq (error n grad (run I0 past))).
  set (d2 := fun past => ahead past * ahead past).
  set (a := eta * mu) in *. assert (a0 : 0 < a) by (apply Rmult_lt_0_compat; assumption).
  assert (aC : 0 <= a * C) by (apply Rmult_le_pos; lra).
  assert (a1 : 2 * a <= B / N) by lra.
  set (rho := 1 - a). set (now := at_time t past).
  assert (Ln : length now = t) by (apply at_time_length; lia).
  assert (Now : forall s, (s < t)%nat -> at_time s now = at_time s past)
    by (intros u Hu; apply at_time_at_time; lia).
  assert (m0 : 0 <= INR m) by apply pos_INR.
  set (pm := B / N * INR m) in *. assert (pm0 : 0 <= pm) by (apply Rmult_le_pos; lra).
  (* rho^(m+1) >= 1/2 *)
  assert (Rm : 1 / 2 <= rho ^ S m).
  { eapply Rle_trans; [|apply bernoulli; lra]. rewrite S_INR.
    assert (X : (INR m + 1) * (2 * a * (1 + C)) <= (INR m + 1) * (B / N))
      by (apply Rmult_le_compat_l; lra).
    replace ((INR m + 1) * (B / N)) with (pm + B / N) in X by (unfold pm; ring).
    assert ((INR m + 1) * a * 2 * (1 + C) <= 1 * (1 + C)) by lra.
    assert ((INR m + 1) * a * 2 <= 1) by (apply Rmult_le_reg_r with (1 + C); lra). lra. }
  assert (rho1 : 0 < rho <= 1) by (unfold rho; lra).
  assert (Rt : 0 <= rho ^ t) by (apply pow_le; lra).
  assert (Q : B / N / 2 <= rho - (1 - B / N) * (1 - B / N)).
  { unfold rho. assert (0 <= B / N * (1 - B / N)) by (apply Rmult_le_pos; lra). lra. }
  assert (dd : 0 <= d0 * d0) by apply Rle_0_sqr.
  assert (ll : 0 <= lam * lam) by apply Rle_0_sqr.
  set (J := lam * lam * (N / (B * B) + 4 * ((1 + C) / B)) * (d0 * d0)).
  assert (A0 : 0 <= discounted rho d2 now) by (apply discounted_nonneg; [lra|intro;
    apply Rle_0_sqr]).
  assert (Er : discounted rho e2 now <= 4 * (zeta * zeta * (lam * lam * K / (B * B)))
    * discounted rho d2 now + 2 * (rho ^ t * J)).
  { pose proof (spread_bounds n b Hbn) as [S0 S1]. assert (iB : 0 < / B)
      by (apply Rinv_0_lt_compat; lra).
    assert (fr0 : 0 <= first_radius n b d0 <= / B * (d0 * d0)).
    { unfold first_radius. assert (iBB : 0 < / (B * B))
      by (apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra). split.
      - apply Rmult_le_pos; [apply Rmult_le_pos; lra|assumption].
      - apply Rmult_le_compat_r; [assumption|]. apply Rmult_le_reg_r with (B * B);
        [apply Rmult_lt_0_compat; lra|].
        replace (spread n b / (B * B) * (B * B)) with (spread n b) by (field; lra).
        replace (/ B * (B * B)) with B by (field; lra). lra. }
    assert (Old : forall u, (u < length now)%nat -> (oldest n (row_age 0 (at_time u now)) <= m)%nat).
    { intros u Hu. rewrite Now by lia. apply oldest_below; [assumption|]. intros i Hi.
      pose proof (row_age_le n b Hb Hbn 0 (at_time u past) i). specialize (H1 u i ltac:(lia) Hi).
      lia. }
    pose proof (errors_total n b Hb Hbn grad zeta Hz eta (noise I0) (start I0) d0
      (first_radius n b d0) d0_nonneg (proj1 fr0) rho m (lam * lam) e2 now rho1 ll ltac:(lra) Old
      ltac:(intros u Hu; rewrite Now by lia; apply H2; lia)) as X.
    fold ahead in X. fold d2 in X. rewrite Ln in X. fold pm in X.
    set (E := discounted rho e2 now) in *. set (A := discounted rho d2 now) in *.
    assert (EE : 0 <= E) by (apply discounted_nonneg; [lra|intro; apply sq_nonneg]).
    assert (zA : 0 <= 2 * (zeta * zeta) * A).
    { apply Rmult_le_pos; [|assumption]. apply Rmult_le_pos; [lra|apply Rle_0_sqr]. }
    (* all of the right side over rho^(m+1) *)
    assert (S1' : rho * (rho ^ m + pm) <= rho ^ S m * (1 + 2 * C)).
    { cbn [pow] in *. assert (rho * pm <= C) by (apply Rle_trans with (1 * pm);
        [apply Rmult_le_compat_r; lra|lra]).
      assert (1 / 2 * C <= rho * rho ^ m * C) by (apply Rmult_le_compat_r; lra). lra. }
    assert (S2 : (1 + pm) * (rho * (rho ^ m + pm)) <= rho ^ S m * ((1 + C) * (1 + 2 * C))).
    { replace (rho ^ S m * ((1 + C) * (1 + 2 * C))) with ((1 + C) * (rho ^ S m * (1 + 2 * C)))
        by ring.
      apply Rmult_le_compat; try lra. apply Rmult_le_pos; [lra|].
      assert (0 <= rho ^ m) by (apply pow_le; lra). lra. }
    assert (S3 : (INR m + 1) * (2 * (B / N * (B / N) * (d0 * d0)))
      <= rho ^ S m * (4 * (B / N * (1 + C)) * (d0 * d0))).
    { replace ((INR m + 1) * (2 * (B / N * (B / N) * (d0 * d0))))
        with (2 * (B / N * (pm + B / N)) * (d0 * d0)) by (unfold pm; ring).
      replace (rho ^ S m * (4 * (B / N * (1 + C)) * (d0 * d0)))
        with (rho ^ S m * 4 * (B / N * (1 + C)) * (d0 * d0)) by ring.
      apply Rmult_le_compat_r; [assumption|].
      assert (B / N * (pm + B / N) <= B / N * (1 + C)) by (apply Rmult_le_compat_l; lra).
      assert (0 <= B / N * (1 + C)) by (apply Rmult_le_pos; lra).
      assert (2 * (B / N * (1 + C)) <= rho ^ S m * 4 * (B / N * (1 + C)))
        by (apply Rmult_le_compat_r; lra). lra. }
    assert (S4 : rho ^ t * ((INR m + 1) * (2 * (B / N * (B / N) * (d0 * d0))))
      <= rho ^ t * (rho ^ S m * (4 * (B / N * (1 + C)) * (d0 * d0))))
      by (apply Rmult_le_compat_l; assumption).
    assert (S5 : 2 * (zeta * zeta) * A * ((1 + pm) * (rho * (rho ^ m + pm)))
      <= 2 * (zeta * zeta) * A * (rho ^ S m * ((1 + C) * (1 + 2 * C))))
      by (apply Rmult_le_compat_l; assumption).
    assert (rf : rho ^ t * first_radius n b d0 <= rho ^ t * (/ B * (d0 * d0)))
      by (apply Rmult_le_compat_l; lra).
    set (Y := / B * (2 * (zeta * zeta) * ((1 + C) * (1 + 2 * C)) * A
      + rho ^ t * ((1 + 4 * (B / N * (1 + C))) * (d0 * d0)))).
    assert (X2 : rho ^ S m * ((rho - (1 - B / N) * (1 - B / N)) * E)
      <= rho ^ S m * (lam * lam * Y)).
    { eapply Rle_trans; [exact X|].
      replace (rho ^ S m * (lam * lam * Y)) with (lam * lam * (rho ^ S m * Y)) by ring.
      apply Rmult_le_compat_l; [assumption|]. unfold Y.
      set (W1 := 2 * (zeta * zeta) * ((1 + pm) * (rho * (rho ^ m + pm))) * A) in *.
      set (W2 := rho ^ t * ((INR m + 1) * (2 * (B / N * (B / N) * (d0 * d0))))) in *.
      assert (H : / B * (W1 + W2) <= / B * (2 * (zeta * zeta) * A * (rho ^ S m * ((1 + C) * (1 + 2 *
        C))) + rho ^ t * (rho ^ S m * (4 * (B / N * (1 + C)) * (d0 * d0))))).
      { apply Rmult_le_compat_l; [lra|]. unfold W1. lra. }
      assert (H' : rho ^ S m * (rho ^ t * first_radius n b d0) <= rho ^ S m * (rho ^ t * (/ B * (d0
        * d0)))) by (apply Rmult_le_compat_l; lra). lra. }
    apply Rmult_le_reg_l in X2; [|lra].
    assert (X3 : B / N / 2 * E <= lam * lam * Y).
    { eapply Rle_trans; [|exact X2]. apply Rmult_le_compat_r; assumption. }
    apply Rmult_le_reg_l with (B / N / 2); [lra|]. eapply Rle_trans; [exact X3|]. right.
    unfold Y, J, K. field. lra. }
  (* contraction *)
  assert (Step : forall (o : batch) before, F (point (run I0 (o :: before))) - fstar
    <= rho * (F (point (run I0 before)) - fstar)
       + (eta * e2 before + (- (1 / (2 * eta) - L / 2) * d2 before + r * r / eta))).
  { intros Ib before.
    assert (PC : F (next_point n eta (noise I0) before (run I0 before)) - fstar
      <= (1 - eta * mu) * (F (point (run I0 before)) - fstar)
         + eta * sq (error n grad (run I0 before))
         - (1 / (2 * eta) - L / 2) * moved n eta (noise I0) before (run I0 before) + r * r / eta).
    { exact (pl_contraction_step n b Hb Hbn f grad L mu fstar smoothness pl eta r (noise I0) E0
      (noise_r I0) before (run I0 before)). }
    unfold e2, d2, ahead, sledge_tails.ahead, rho, a. rewrite norm_sq. unfold moved in PC.
    change (point (run I0 (Ib :: before)))
      with (next_point n eta (noise I0) before (run I0 before)). lra. }
  pose proof (discounted_descent rho (fun past => F (point (run I0 past)) - fstar) _ now
    ltac:(lra) Step) as D.
  rewrite !discounted_add, !discounted_mul, Ln in D. change (F (point (run I0 []))) with (F x0) in D.
  pose proof (discounted_const rho (r * r / eta) now ltac:(lra)) as R2.
  assert (rr : 0 <= r * r / eta) by (apply Rmult_le_pos; [apply Rle_0_sqr|left;
    apply Rinv_0_lt_compat; assumption]).
  specialize (R2 rr). replace (1 - rho) with a in R2 by (unfold rho; ring).
  set (E := discounted rho e2 now) in *. set (A := discounted rho d2 now) in *.
  set (RR := discounted rho (fun _ : list batch => r * r / eta) now) in *.
  assert (Bal : eta * E <= (1 / (2 * eta) - L / 2) * A + rho ^ t * (2 * (eta * J))).
  { apply Rmult_le_reg_l with (4 * eta); [lra|].
    set (w := zeta * zeta * (lam * lam * K / (B * B))) in *.
    assert (ee : 0 <= 4 * (eta * eta)) by (pose proof (Rle_0_sqr eta) as Qq; unfold Rsqr in Qq; lra).
    replace (4 * eta * (eta * E)) with (4 * (eta * eta) * E) by ring.
    replace (4 * eta * ((1 / (2 * eta) - L / 2) * A + rho ^ t * (2 * (eta * J))))
      with ((2 - 2 * eta * L) * A + 4 * (eta * eta) * (2 * (rho ^ t * J))) by (field; lra).
    assert (4 * (eta * eta) * E <= 4 * (eta * eta) * (4 * w * A + 2 * (rho ^ t * J)))
      by (apply Rmult_le_compat_l; assumption).
    assert (16 * (eta * eta) * w * A <= 1 * A) by (apply Rmult_le_compat_r; assumption).
    assert (1 * A <= (2 - 2 * eta * L) * A) by (apply Rmult_le_compat_r; lra). lra. }
  assert (RF : RR <= r * r / (eta * eta * mu)).
  { apply Rmult_le_reg_l with a; [assumption|]. replace (a * (r * r / (eta * eta * mu)))
    with (r * r / eta); [assumption|]. unfold a. field. lra. }
  assert (Sx : s = 2 * (eta * J)) by (unfold pl_start_term, J; ring). rewrite Sx. lra.
Qed.
(* r <= eta sqrt(eps mu/3) and t >= log((3/2)(Delta + s)/eps)/(eta mu), a whole number up to T *)
Theorem theorem_5_option_I_reached eps : 0 < eps -> 0 <= r -> r <= eta * sqrt (eps * mu / 3) ->
  let t := pl_steps eta mu (Delta + s) eps in (t <= T)%nat ->
  with_probability (sledge_history_I n b T) (1 - 2 * nu) (fun o =>
    F (point (run (fst o) (at_time t (snd o)))) - fstar <= eps).
Proof.
  intros He Hr0 Hr t Hs. pose proof pl_high_bounds_I as [E0 [E1 [E2 E3]]].
  pose proof (BN_1 n b Hb Hbn) as [p0 p1]. pose proof (log_factor_pos n b Hb Hbn T nu Hnu) as C0.
  pose proof (Bb n b Hb Hbn) as [B1 BN].
  assert (a0 : 0 < eta * mu) by (apply Rmult_lt_0_compat; assumption).
  assert (0 <= eta * mu * C) by (apply Rmult_le_pos; lra).
  eapply with_probability_weaken; [apply Rle_refl| |apply theorem_5_option_I_high_probability].
  intros o _ Hp. specialize (Hp _ Hs). eapply Rle_trans; [exact Hp|].
  assert (s0 : 0 <= s).
  { unfold pl_start_term. assert (iB : 0 < / B) by (apply Rinv_0_lt_compat; lra).
    apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [|apply Rle_0_sqr].
    apply Rmult_le_pos; [apply Rmult_le_pos; [lra|apply Rle_0_sqr]|].
    apply Rplus_le_le_0_compat; [|apply Rmult_le_pos; [lra|apply Rmult_le_pos; lra]].
    apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra. }
  pose proof (infimum x0).
  pose proof (pl_steps_enough eta mu (Delta + s) eps ltac:(lra) ltac:(lra) He) as S.
  fold t in S. assert (r * r / (eta * eta * mu) <= eps / 3); [|lra].
  apply Rmult_le_reg_r with (eta * eta * mu); [repeat apply Rmult_lt_0_compat; assumption|].
  replace (r * r / (eta * eta * mu) * (eta * eta * mu)) with (r * r) by (field; lra).
  apply Rle_trans with (eta * sqrt (eps * mu / 3) * (eta * sqrt (eps * mu / 3)));
    [apply Rmult_le_compat; lra|].
  replace (eta * sqrt (eps * mu / 3) * (eta * sqrt (eps * mu / 3)))
    with (eta * eta * (sqrt (eps * mu / 3) * sqrt (eps * mu / 3))) by ring.
  rewrite sqrt_sqrt; [right; field|].
  assert (0 < eps * mu) by (apply Rmult_lt_0_compat; assumption). lra.
Qed.
End Theorem5.
