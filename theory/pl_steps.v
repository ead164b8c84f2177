(* Choices of step sizes, minibatches and horizons in the proofs of Theorems 5, 6 and 8.

   Contents
     step_size_choice       the step size of Theorem 5 leaves a coefficient that is not negative
                            (lines 2108-2113)
     initial_term_horizon   after how many steps the initial term of Theorem 5 is below eps/3 (line 2126)
     batch_size_condition   the minibatches and the noise of Theorem 6 (lines 2552-2555)
     step_size_coefficient  the step size of Theorem 8 leaves a coefficient that is not negative
                            (lines 3310-3325)
     linear_decay           a linear rate in the mean for every step size that is small enough
                            (lines 436-437, 2072)

   Rpower x y is x^y for x > 0 and real y. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Sledge Require Import vectors means minibatches algorithms problems second_moments sledge_errors.
From Sledge Require Import theorem_5_expectation hoeffding theorem_5_probability.
Open Scope R_scope.

(* ---- Theorem 5: the step size ---- *)

(* (1 - x)^T >= 1 - xT for real T >= 1 *)
Lemma bernoulli_real x T : 0 <= x -> 1 <= T -> x * T < 1 -> 1 - x * T <= Rpower (1 - x) T.
Proof.
  intros Hx HT H. assert (X1 : forall y, 0 <= y <= x -> 0 < 1 - y * T) by (intros; nra).
  assert (X2 : forall y, 0 <= y <= x -> y * T < 1 -> 0 < 1 - y) by (intros; nra).
  pose (h := fun y => T * ln (1 - y) - ln (1 - y * T)).
  assert (S : 0 <= h x).
  { replace 0 with (h 0) by (unfold h; rewrite Rmult_0_l, !Rminus_0_r, ln_1; ring).
    destruct (MVT_gen h 0 x (fun y => - T / (1 - y) + T / (1 - y * T))) as [c [[C1 C2] C3]].
    - intros y. rewrite Rmin_left, Rmax_right by assumption. intros [Y1 Y2].
      pose proof (X1 y ltac:(lra)). pose proof (X2 y ltac:(lra) ltac:(lra)).
      unfold h. auto_derive; [lra|]. field. lra.
    - intros y. rewrite Rmin_left, Rmax_right by assumption. intros [Y1 Y2].
      pose proof (X1 y ltac:(lra)). pose proof (X2 y ltac:(lra) ltac:(lra)).
      apply continuity_pt_filterlim. apply (ex_derive_continuous h y). unfold h. auto_derive. lra.
    - rewrite Rmin_left in C1 by assumption. rewrite Rmax_right in C2 by assumption.
      pose proof (X1 c ltac:(lra)) as P1. pose proof (X2 c ltac:(lra) ltac:(lra)) as P2.
      assert (D : 0 <= - T / (1 - c) + T / (1 - c * T)).
      { replace (- T / (1 - c) + T / (1 - c * T)) with (T * c * (T - 1) * / ((1 - c) * (1 - c * T))) by (field; lra).
        apply Rmult_le_pos; [apply Rmult_le_pos; nra|]. left. apply Rinv_0_lt_compat, Rmult_lt_0_compat; assumption. }
      assert (0 <= (- T / (1 - c) + T / (1 - c * T)) * (x - 0)) by (apply Rmult_le_pos; lra). lra. }
  unfold h in S. pose proof (X1 x ltac:(lra)) as P1.
  rewrite <- (exp_ln (1 - x * T)) by assumption. unfold Rpower. apply exp_le. lra.
Qed.

(* eta = c min{1/L, b/(C_1^4.5 zeta sqrt n), b/(mu C_1 n)} with c = 1/(1 + sqrt 30), or less, and T_1 = (n/b) C_1, C_1
  >= 1:
       1/(2 eta) - L/2 - 15 C_1^9 eta zeta^2 n (1 - eta mu)^(-T_1)/b^2 >= 0. *)
Theorem step_size_choice c n b C1 L zeta mu : 0 < c <= 1 / (1 + sqrt 30) -> 0 < b <= n -> 1 <= C1 -> 0 < L ->
  0 < zeta -> 0 < mu ->
  let eta := c * Rmin (1 / L) (Rmin (b / (Rpower C1 (9 / 2) * zeta * sqrt n)) (b / (mu * C1 * n))) in
  let T1 := n / b * C1 in
  0 <= 1 / (2 * eta) - L / 2 - 15 * C1 ^ 9 * eta * zeta ^ 2 * n * Rpower (1 - eta * mu) (- T1) / b ^ 2.
Proof.
  intros [c0 c1] [b0 bn] HC HL Hz Hm eta T1.
  assert (n0 : 0 < n) by lra. pose proof (sqrt_lt_R0 n n0) as s0. pose proof (sqrt_sqrt n ltac:(lra)) as ss.
  assert (t0 : 0 < sqrt 30) by (apply sqrt_lt_R0; lra). pose proof (sqrt_sqrt 30 ltac:(lra)) as tt.
  assert (p0 : 0 < Rpower C1 (9 / 2)) by apply exp_pos. set (p := Rpower C1 (9 / 2)) in *.
  assert (pp : p * p = C1 ^ 9).
  { unfold p. rewrite <- Rpower_plus. replace (9 / 2 + 9 / 2) with (INR 9) by (simpl; lra). apply Rpower_pow. lra. }
  assert (cs : c * (1 + sqrt 30) <= 1).
  { apply Rle_trans with (1 / (1 + sqrt 30) * (1 + sqrt 30)); [apply Rmult_le_compat_r; lra|right; field; lra]. }
  assert (c2 : c < 1) by nra.
  assert (pzs : 0 < p * zeta * sqrt n) by (repeat apply Rmult_lt_0_compat; assumption).
  assert (mC : 0 < mu * C1 * n) by (repeat apply Rmult_lt_0_compat; lra).
  set (m := Rmin (1 / L) (Rmin (b / (p * zeta * sqrt n)) (b / (mu * C1 * n)))) in eta.
  assert (m1 : m <= 1 / L) by apply Rmin_l.
  assert (m2 : m <= b / (p * zeta * sqrt n)) by (eapply Rle_trans; [apply Rmin_r|apply Rmin_l]).
  assert (m3 : m <= b / (mu * C1 * n)) by (eapply Rle_trans; [apply Rmin_r|apply Rmin_r]).
  assert (m0 : 0 < m).
  { unfold m. repeat apply Rmin_glb_lt; apply Rmult_lt_0_compat; try lra; apply Rinv_0_lt_compat; assumption. }
  assert (e0 : 0 < eta) by (apply Rmult_lt_0_compat; assumption).
  assert (D : forall k x, 0 < x -> m <= k / x -> m * x <= k).
  { intros k x Hx H. replace k with (k / x * x) by (field; lra). apply Rmult_le_compat_r; lra. }
  apply D in m1; [|assumption]. apply D in m2; [|assumption]. apply D in m3; [|assumption].
  assert (E1 : eta * L <= c * 1) by (unfold eta; rewrite Rmult_assoc; apply Rmult_le_compat_l; lra).
  assert (E2 : eta * (p * zeta * sqrt n) <= c * b) by (unfold eta; rewrite Rmult_assoc; apply Rmult_le_compat_l; lra).
  assert (E3 : eta * (mu * C1 * n) <= c * b) by (unfold eta; rewrite Rmult_assoc; apply Rmult_le_compat_l; lra).
  clearbody eta. assert (x0 : 0 < eta * mu) by (apply Rmult_lt_0_compat; assumption).
  assert (nb : 1 <= n / b).
  { apply Rmult_le_reg_r with b; [assumption|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (HT : 1 <= T1) by (unfold T1; nra).
  assert (xT : eta * mu * T1 <= c).
  { apply Rmult_le_reg_r with b; [assumption|]. unfold T1. replace (eta * mu * (n / b * C1) * b) with (eta * (mu * C1
    * n))
      by (field; lra). exact E3. }
  pose proof (bernoulli_real (eta * mu) T1 ltac:(lra) HT ltac:(lra)) as B.
  rewrite Rpower_Ropp. set (q := Rpower (1 - eta * mu) T1) in *.
  assert (q1 : 1 - c <= q) by lra. assert (Q : / q <= / (1 - c)) by (apply Rinv_le_contravar; lra).
  assert (Q0 : 0 < / q) by (apply Rinv_0_lt_compat; lra).
  assert (Sq : eta * eta * (C1 ^ 9 * zeta ^ 2 * n) <= c * c * (b * b)).
  { replace (eta * eta * (C1 ^ 9 * zeta ^ 2 * n)) with (eta * (p * zeta * sqrt n) * (eta * (p * zeta * sqrt n)))
      by (rewrite <- pp; rewrite <- ss at 3; ring).
    replace (c * c * (b * b)) with (c * b * (c * b)) by ring. apply Rmult_le_compat; try exact E2; nra. }
  assert (W : 30 * (c * c) * / (1 - c) <= 1 - c).
  { apply Rmult_le_reg_r with (1 - c); [lra|]. rewrite Rmult_assoc, Rinv_l by lra.
    assert (c * sqrt 30 * (c * sqrt 30) <= (1 - c) * (1 - c)) by (apply Rmult_le_compat; nra).
    replace (c * sqrt 30 * (c * sqrt 30)) with (c * c * (sqrt 30 * sqrt 30)) in H by ring. rewrite tt in H. lra. }
  apply Rmult_le_reg_l with (2 * eta); [lra|]. rewrite Rmult_0_r.
  replace (2 * eta * (1 / (2 * eta) - L / 2 - 15 * C1 ^ 9 * eta * zeta ^ 2 * n * / q / b ^ 2))
    with (1 - eta * L - 30 * (eta * eta * (C1 ^ 9 * zeta ^ 2 * n) * / (b * b)) * / q) by (field; lra).
  assert (bb : 0 < b * b) by (apply Rmult_lt_0_compat; assumption).
  assert (X : eta * eta * (C1 ^ 9 * zeta ^ 2 * n) * / (b * b) <= c * c).
  { apply Rmult_le_reg_r with (b * b); [assumption|]. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (X0 : 0 <= eta * eta * (C1 ^ 9 * zeta ^ 2 * n) * / (b * b)).
  { apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat, bb]. pose proof (pow_lt C1 9 ltac:(lra)).
    apply Rmult_le_pos; [nra|]. apply Rmult_le_pos; [apply Rmult_le_pos; [lra|nra]|lra]. }
  assert (Y : eta * eta * (C1 ^ 9 * zeta ^ 2 * n) * / (b * b) * / q <= c * c * / (1 - c))
    by (apply Rmult_le_compat; lra).
  lra.
Qed.

(* ---- Theorem 5: the initial term ---- *)

(* T = O(log(Delta/eps)/(eta mu)) steps, the logarithm read as at least 1: the constant 3 is enough. *)
Theorem initial_term_horizon : exists c, 0 < c /\ forall eta mu Delta eps T, 0 < eta -> 0 < mu -> eta * mu <= 1 ->
  0 < eps -> 0 < Delta -> c * (1 / (eta * mu) * Rmax 1 (ln (Delta / eps))) <= INR T ->
  (1 - eta * mu) ^ T * Delta < eps / 3.
Proof.
  exists 3. split; [lra|]. intros eta mu Delta eps T He Hm H1 Hp HD HT.
  assert (a0 : 0 < eta * mu) by (apply Rmult_lt_0_compat; assumption). set (a := eta * mu) in *.
  set (l := ln (Delta / eps)) in *. pose proof (Rmax_l 1 l) as M1. pose proof (Rmax_r 1 l) as M2.
  set (M := Rmax 1 l) in *.
  assert (X : 3 * M <= a * INR T).
  { replace (3 * M) with (a * (3 * (1 / a * M))) by (field; lra). apply Rmult_le_compat_l; lra. }
  pose proof (pow_exp a T ltac:(lra)) as P.
  assert (E : Delta = eps * exp l).
  { unfold l. rewrite exp_ln; [field; lra|]. apply Rmult_lt_0_compat; [assumption|apply Rinv_0_lt_compat; assumption]. }
  assert (Q : (1 - a) ^ T * Delta <= eps * exp (Ropp 2)).
  { apply Rle_trans with (exp (- (a * INR T)) * Delta); [apply Rmult_le_compat_r; lra|].
    rewrite E. replace (exp (- (a * INR T)) * (eps * exp l)) with (eps * (exp (- (a * INR T)) * exp l)) by ring.
    rewrite <- exp_plus. apply Rmult_le_compat_l; [lra|]. apply exp_le. lra. }
  assert (K : exp (Ropp 2) < 1 / 3); [|assert (eps * exp (Ropp 2) < eps * (1 / 3)) by (apply Rmult_lt_compat_l;
    assumption); lra].
  rewrite exp_Ropp. replace (1 / 3) with (/ 3) by field. apply Rinv_lt_contravar.
  - pose proof (exp_pos 2). lra.
  - replace 2 with (1 + 1) by ring. rewrite exp_plus. pose proof (exp_ineq1 1 ltac:(lra)). nra.
Qed.

(* ---- Theorem 6: minibatches and noise ---- *)

(* PKb >= 128 C_1^2 sigma^2/eps^2 + 8 sqrt 2 C_1 G/eps and r <= eta eps/(2 sqrt 2). *)
Theorem batch_size_condition P K b T C1 sigma G eps eta r : 0 < P -> 0 < K -> 0 < b -> 0 <= T -> 0 <= C1 -> 0 <= G ->
  0 < eps -> 0 < eta -> 0 <= r ->
  128 * C1 ^ 2 * sigma ^ 2 / eps ^ 2 + 8 * sqrt 2 * C1 * G / eps <= P * K * b ->
  r <= eta * eps / (2 * sqrt 2) ->
  16 * C1 ^ 2 * T / (P * b) * (sigma ^ 2 + G ^ 2 / (P * K * b)) <= T * K * eps ^ 2 / 4
  /\ 2 * T * K * r ^ 2 / eta ^ 2 <= T * K * eps ^ 2 / 4.
Proof.
  intros HP HK Hb HT HC HG He Heta Hr HM HR.
  assert (s0 : 0 < sqrt 2) by (apply sqrt_lt_R0; lra). pose proof (sqrt_sqrt 2 ltac:(lra)) as ss.
  assert (TK : 0 <= T * K) by (apply Rmult_le_pos; lra). split.
  - assert (M0 : 0 < P * K * b) by (repeat apply Rmult_lt_0_compat; assumption).
    replace (16 * C1 ^ 2 * T / (P * b) * (sigma ^ 2 + G ^ 2 / (P * K * b)))
      with (T * K * (16 * (C1 ^ 2 * sigma ^ 2 * / (P * K * b)) + 16 * (C1 * G * / (P * K * b)) ^ 2)) by (field; lra).
    replace (T * K * eps ^ 2 / 4) with (T * K * (eps ^ 2 / 4)) by field. apply Rmult_le_compat_l; [assumption|].
    set (M := P * K * b) in *. assert (e2 : 0 < eps ^ 2) by (apply pow_lt, He).
    assert (v0 : 0 <= C1 ^ 2 * sigma ^ 2) by (apply Rmult_le_pos; apply pow2_ge_0).
    assert (g0 : 0 <= C1 * G) by (apply Rmult_le_pos; assumption).
    set (v := C1 ^ 2 * sigma ^ 2) in *. set (g := C1 * G) in *.
    assert (A : 128 * v / eps ^ 2 <= M).
    { assert (0 <= 8 * sqrt 2 * C1 * G / eps).
      { apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat, He]. fold g. rewrite Rmult_assoc. fold g.
        apply Rmult_le_pos; lra. }
      unfold v in *. replace (128 * (C1 ^ 2 * sigma ^ 2) / eps ^ 2) with (128 * C1 ^ 2 * sigma ^ 2 / eps ^ 2) by
        (field; lra).
      lra. }
    assert (B : 8 * sqrt 2 * g / eps <= M).
    { assert (0 <= 128 * C1 ^ 2 * sigma ^ 2 / eps ^ 2).
      { apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat, e2]. rewrite Rmult_assoc. fold v. lra. }
      unfold g. replace (8 * sqrt 2 * (C1 * G) / eps) with (8 * sqrt 2 * C1 * G / eps) by (field; lra). lra. }
    assert (A' : v * / M <= eps ^ 2 / 128).
    { apply Rmult_le_reg_r with M; [assumption|]. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
      apply Rle_trans with (eps ^ 2 / 128 * (128 * v / eps ^ 2)); [right; field; lra|]. apply Rmult_le_compat_l; lra. }
    assert (B' : g * / M <= eps / (8 * sqrt 2)).
    { apply Rmult_le_reg_r with M; [assumption|]. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
      apply Rle_trans with (eps / (8 * sqrt 2) * (8 * sqrt 2 * g / eps)); [right; field; lra|].
      apply Rmult_le_compat_l; [|assumption]. apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]. }
    assert (Q : (g * / M) ^ 2 <= (eps / (8 * sqrt 2)) ^ 2).
    { apply pow_incr. split; [|exact B']. apply Rmult_le_pos; [assumption|left; apply Rinv_0_lt_compat, M0]. }
    replace ((eps / (8 * sqrt 2)) ^ 2) with (eps ^ 2 / (64 * (sqrt 2 * sqrt 2))) in Q by (field; lra).
    rewrite ss in Q. lra.
  - replace (2 * T * K * r ^ 2 / eta ^ 2) with (T * K * (2 * (r / eta) ^ 2)) by (field; lra).
    replace (T * K * eps ^ 2 / 4) with (T * K * (eps ^ 2 / 4)) by field. apply Rmult_le_compat_l; [assumption|].
    assert (Q : (r / eta) ^ 2 <= (eps / (2 * sqrt 2)) ^ 2).
    { apply pow_incr. split; [apply Rmult_le_pos; [assumption|left; apply Rinv_0_lt_compat, Heta]|].
      apply Rmult_le_reg_r with eta; [assumption|]. replace (r / eta * eta) with r by (field; lra).
      replace (eps / (2 * sqrt 2) * eta) with (eta * eps / (2 * sqrt 2)) by (field; lra). assumption. }
    replace ((eps / (2 * sqrt 2)) ^ 2) with (eps ^ 2 / (4 * (sqrt 2 * sqrt 2))) in Q by (field; lra).
    rewrite ss in Q. lra.
Qed.

(* ---- Theorem 8: the step size ---- *)

(* eta = c min{1/L, p/(C_1^4.5 zeta sqrt P K), p sqrt b/(C_1^5.5 zeta_d sqrt(PK)), p/(mu C_1 PK), 1/(zeta K),
   sqrt b/(C_1 L sqrt K)} with c = 1/27, or less, T_3 = (P/p) C_1 rounded up, C_1 >= 1, and a = eta mu/2: not negative
     is
       1/(2 eta) - L/2 - sum_{s=1}^{T_3} (1-a)^(-(s+1)K) (120 C_1^8 zeta^2 eta K^2/p + 32 C_1^10 zeta_d^2 eta K/(pb))
       - eta sum_{k=1}^K (1-a)^(k-K) (4 zeta^2 K + 4 C_1^2 L^2/b).
   Printed with zeta_d = zeta; the data of a client need zeta_d = L. *)
Theorem step_size_coefficient c P p b C1 L zeta zeta_d mu (K T3 : nat) : 0 < c <= 1 / 27 -> 0 < p <= P -> 1 <= b -> 1
  <= C1 ->
  0 < L -> 0 < zeta -> 0 < zeta_d -> 0 < mu -> (1 <= K)%nat -> P / p * C1 <= INR T3 <= P / p * C1 + 1 ->
  let eta := c * Rmin (1 / L) (Rmin (p / (Rpower C1 (9 / 2) * zeta * sqrt P * INR K))
    (Rmin (p * sqrt b / (Rpower C1 (11 / 2) * zeta_d * sqrt (P * INR K))) (Rmin (p / (mu * C1 * P * INR K))
    (Rmin (1 / (zeta * INR K)) (sqrt b / (C1 * L * sqrt (INR K))))))) in
  let a := eta * mu / 2 in
  0 <= 1 / (2 * eta) - L / 2
    - sum T3 (fun i => let s := S i in / (1 - a) ^ ((s + 1) * K)
        * (120 * C1 ^ 8 * zeta ^ 2 * eta * INR K ^ 2 / p + 32 * C1 ^ 10 * zeta_d ^ 2 * eta * INR K / (p * b)))
    - eta * sum K (fun i => let k := S i in / (1 - a) ^ (K - k) * (4 * zeta ^ 2 * INR K + 4 * C1 ^ 2 * L ^ 2 / b)).
Proof.
  intros [c0 c1] [p0 pP] Hb HC HL Hz Hd Hm HK [T0 T1] eta a.
  assert (k1 : 1 <= INR K) by (change 1 with (INR 1); apply le_INR; exact HK). set (k := INR K) in *.
  assert (sP : 0 < sqrt P) by (apply sqrt_lt_R0; lra). pose proof (sqrt_sqrt P ltac:(lra)) as ssP.
  assert (sb : 0 < sqrt b) by (apply sqrt_lt_R0; lra). pose proof (sqrt_sqrt b ltac:(lra)) as ssb.
  assert (sk : 0 < sqrt k) by (apply sqrt_lt_R0; lra). pose proof (sqrt_sqrt k ltac:(lra)) as ssk.
  assert (Pk : 0 < P * k) by (apply Rmult_lt_0_compat; lra).
  assert (sPk : 0 < sqrt (P * k)) by (apply sqrt_lt_R0; lra). pose proof (sqrt_sqrt (P * k) ltac:(lra)) as ssPk.
  assert (q0 : 0 < Rpower C1 (9 / 2)) by apply exp_pos. set (q := Rpower C1 (9 / 2)) in *.
  assert (qq : q * q = C1 ^ 9).
  { unfold q. rewrite <- Rpower_plus. replace (9 / 2 + 9 / 2) with (INR 9) by (simpl; lra). apply Rpower_pow. lra. }
  assert (r0 : 0 < Rpower C1 (11 / 2)) by apply exp_pos. set (r := Rpower C1 (11 / 2)) in *.
  assert (rr : r * r = C1 ^ 11).
  { unfold r. rewrite <- Rpower_plus. replace (11 / 2 + 11 / 2) with (INR 11) by (simpl; lra). apply Rpower_pow. lra. }
  assert (z0 : 0 < zeta * k) by (apply Rmult_lt_0_compat; lra).
  assert (d2 : 0 < q * zeta * sqrt P * k) by (repeat apply Rmult_lt_0_compat; lra).
  assert (d3 : 0 < r * zeta_d * sqrt (P * k)) by (repeat apply Rmult_lt_0_compat; lra).
  assert (d4 : 0 < mu * C1 * P * k) by (repeat apply Rmult_lt_0_compat; lra).
  assert (d6 : 0 < C1 * L * sqrt k) by (repeat apply Rmult_lt_0_compat; lra).
  assert (psb : 0 < p * sqrt b) by (apply Rmult_lt_0_compat; assumption).
  set (m := Rmin (1 / L) (Rmin (p / (q * zeta * sqrt P * k)) (Rmin (p * sqrt b / (r * zeta_d * sqrt (P * k)))
    (Rmin (p / (mu * C1 * P * k)) (Rmin (1 / (zeta * k)) (sqrt b / (C1 * L * sqrt k))))))) in eta.
  assert (m1 : m <= 1 / L) by apply Rmin_l.
  assert (m2 : m <= p / (q * zeta * sqrt P * k)) by (eapply Rle_trans; [apply Rmin_r|apply Rmin_l]).
  assert (m3 : m <= p * sqrt b / (r * zeta_d * sqrt (P * k)))
    by (eapply Rle_trans; [apply Rmin_r|]; eapply Rle_trans; [apply Rmin_r|apply Rmin_l]).
  assert (m4 : m <= p / (mu * C1 * P * k))
    by (eapply Rle_trans; [apply Rmin_r|]; do 2 (eapply Rle_trans; [apply Rmin_r|]); apply Rmin_l).
  assert (m5 : m <= 1 / (zeta * k))
    by (eapply Rle_trans; [apply Rmin_r|]; do 3 (eapply Rle_trans; [apply Rmin_r|]); apply Rmin_l).
  assert (m6 : m <= sqrt b / (C1 * L * sqrt k))
    by (eapply Rle_trans; [apply Rmin_r|]; do 3 (eapply Rle_trans; [apply Rmin_r|]); apply Rmin_r).
  assert (m0 : 0 < m).
  { unfold m. repeat apply Rmin_glb_lt; apply Rmult_lt_0_compat; try lra; apply Rinv_0_lt_compat; assumption. }
  assert (e0 : 0 < eta) by (apply Rmult_lt_0_compat; assumption).
  assert (D : forall y x, 0 < x -> m <= y / x -> eta * x <= c * y).
  { intros y x Hx H. unfold eta. rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|].
    replace y with (y / x * x) by (field; lra). apply Rmult_le_compat_r; lra. }
  apply D in m1; [|assumption]. apply D in m2; [|assumption]. apply D in m3; [|assumption].
  apply D in m4; [|assumption]. apply D in m5; [|assumption]. apply D in m6; [|assumption].
  clearbody eta m. assert (a0 : 0 < a) by (unfold a; assert (0 < eta * mu) by (apply Rmult_lt_0_compat; assumption);
    lra).
  assert (c9 : 0 < C1 ^ 9) by (apply pow_lt; lra). assert (c11 : 0 < C1 ^ 11) by (apply pow_lt; lra).
  assert (Pp : 1 <= P / p).
  { apply Rmult_le_reg_r with p; [assumption|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  set (w := P / p * C1) in *. assert (w1 : 1 <= w) by (unfold w; nra).
  assert (aw : 2 * (a * k * w) <= c).
  { apply Rmult_le_reg_r with p; [assumption|]. unfold a, w.
    replace (2 * (eta * mu / 2 * k * (P / p * C1)) * p) with (eta * (mu * C1 * P * k)) by (field; lra). exact m4. }
  assert (ak0 : 0 < a * k) by (apply Rmult_lt_0_compat; lra).
  (* powers of 1 - a *)
  assert (ak : a * k <= c / 2) by nra. assert (a1 : a <= 1) by nra.
  assert (Pw : forall j x, INR j * a <= x -> x < 1 -> / (1 - a) ^ j <= / (1 - x)).
  { intros j x Hj Hx. apply Rinv_le_contravar; [lra|]. pose proof (bernoulli a j ltac:(lra)). lra. }
  assert (S1 : sum T3 (fun i => let s := S i in / (1 - a) ^ ((s + 1) * K)
        * (120 * C1 ^ 8 * zeta ^ 2 * eta * k ^ 2 / p + 32 * C1 ^ 10 * zeta_d ^ 2 * eta * k / (p * b)))
    <= 2 * w * (/ (1 - 3 / 2 * c) * (120 * C1 ^ 8 * zeta ^ 2 * eta * k ^ 2 / p
         + 32 * C1 ^ 10 * zeta_d ^ 2 * eta * k / (p * b)))).
  { set (X := 120 * C1 ^ 8 * zeta ^ 2 * eta * k ^ 2 / p + 32 * C1 ^ 10 * zeta_d ^ 2 * eta * k / (p * b)).
    assert (X0 : 0 <= X).
    { assert (0 < / p) by (apply Rinv_0_lt_compat, p0).
      assert (0 < / (p * b)) by (apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra).
      assert (0 <= zeta ^ 2) by apply pow2_ge_0. assert (0 <= zeta_d ^ 2) by apply pow2_ge_0.
      assert (0 <= k ^ 2) by apply pow2_ge_0.
      assert (0 < C1 ^ 8) by (apply pow_lt; lra). assert (0 < C1 ^ 10) by (apply pow_lt; lra).
      unfold X, Rdiv. apply Rplus_le_le_0_compat; repeat apply Rmult_le_pos; lra. }
    apply Rle_trans with (sum T3 (fun _ => / (1 - 3 / 2 * c) * X)).
    - apply sum_le. intros i Hi. cbv zeta. apply Rmult_le_compat_r; [exact X0|].
      apply Pw; [|lra]. rewrite mult_INR. fold k.
      assert (INR (S i + 1) <= 3 * w).
      { rewrite plus_INR. change (INR 1) with 1. assert (INR (S i) <= INR T3) by (apply le_INR; lia). lra. }
      assert (INR (S i + 1) * (a * k) <= 3 * w * (a * k)) by (apply Rmult_le_compat_r; lra). lra.
    - rewrite sum_const. apply Rmult_le_compat_r; [|lra]. apply Rmult_le_pos; [left; apply Rinv_0_lt_compat; lra|exact
      X0]. }
  assert (S2 : sum K (fun i => let k' := S i in / (1 - a) ^ (K - k') * (4 * zeta ^ 2 * k + 4 * C1 ^ 2 * L ^ 2 / b))
    <= k * (/ (1 - c / 2) * (4 * zeta ^ 2 * k + 4 * C1 ^ 2 * L ^ 2 / b))).
  { set (X := 4 * zeta ^ 2 * k + 4 * C1 ^ 2 * L ^ 2 / b).
    assert (X0 : 0 <= X).
    { assert (0 < / b) by (apply Rinv_0_lt_compat; lra). assert (0 <= zeta ^ 2) by apply pow2_ge_0.
      assert (0 <= C1 ^ 2) by apply pow2_ge_0. assert (0 <= L ^ 2) by apply pow2_ge_0.
      unfold X, Rdiv. apply Rplus_le_le_0_compat; repeat apply Rmult_le_pos; lra. }
    apply Rle_trans with (sum K (fun _ => / (1 - c / 2) * X)); [|rewrite sum_const; fold k; lra].
    apply sum_le. intros i Hi. cbv zeta. apply Rmult_le_compat_r; [exact X0|]. apply Pw; [|lra].
    assert (INR (K - S i) <= k) by (apply le_INR; lia). assert (INR (K - S i) * a <= k * a) by (apply
      Rmult_le_compat_r; lra).
    lra. }
  (* the four squares *)
  assert (Q : forall x y, 0 <= x -> x <= c * y -> x * x <= c * c * (y * y)).
  { intros x y H0 H. replace (c * c * (y * y)) with (c * y * (c * y)) by ring. apply Rmult_le_compat; assumption. }
  assert (N : forall x, 0 < x -> 0 <= eta * x) by (intros; apply Rmult_le_pos; lra).
  pose proof (Q _ _ (N _ d2) m2) as Q2. pose proof (Q _ _ (N _ d3) m3) as Q3. pose proof (Q _ _ (N _ z0) m5) as Q5.
  pose proof (Q _ _ (N _ d6) m6) as Q6.
  replace (eta * (q * zeta * sqrt P * k) * (eta * (q * zeta * sqrt P * k)))
    with (eta * eta * (C1 ^ 9 * zeta ^ 2 * P * k ^ 2)) in Q2 by (rewrite <- qq; rewrite <- ssP at 1; ring).
  replace (eta * (r * zeta_d * sqrt (P * k)) * (eta * (r * zeta_d * sqrt (P * k))))
    with (eta * eta * (C1 ^ 11 * zeta_d ^ 2 * (P * k))) in Q3 by (rewrite <- rr; rewrite <- ssPk at 1; ring).
  replace (p * sqrt b * (p * sqrt b)) with (p * p * b) in Q3 by (rewrite <- ssb at 1; ring).
  replace (eta * (C1 * L * sqrt k) * (eta * (C1 * L * sqrt k)))
    with (eta * eta * (C1 ^ 2 * L ^ 2 * k)) in Q6 by (rewrite <- ssk at 1; ring). rewrite ssb in Q6.
  assert (A2 : eta * eta * (C1 ^ 9 * zeta ^ 2 * P * k ^ 2) / (p * p) <= c * c).
  { apply Rmult_le_reg_r with (p * p); [nra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by nra. lra. }
  assert (A3 : eta * eta * (C1 ^ 11 * zeta_d ^ 2 * (P * k)) / (p * p * b) <= c * c).
  { assert (0 < p * p * b) by (repeat apply Rmult_lt_0_compat; lra).
    apply Rmult_le_reg_r with (p * p * b); [assumption|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (A5 : eta * eta * (zeta ^ 2 * k ^ 2) <= c * c) by lra.
  assert (A6 : eta * eta * (C1 ^ 2 * L ^ 2 * k) / b <= c * c).
  { apply Rmult_le_reg_r with b; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  set (Z1 := sum T3 _) in *. set (Z2 := sum K _) in *.
  apply Rmult_le_reg_l with (2 * eta); [lra|]. rewrite Rmult_0_r.
  replace (2 * eta * (1 / (2 * eta) - L / 2 - Z1 - eta * Z2)) with (1 - eta * L - 2 * eta * Z1 - 2 * (eta * eta) * Z2)
    by (field; lra).
  assert (i1 : 0 < / (1 - 3 / 2 * c) <= 18 / 17).
  { split; [apply Rinv_0_lt_compat; lra|]. replace (18 / 17) with (/ (17 / 18)) by field. apply Rinv_le_contravar;
    lra. }
  assert (i2 : 0 < / (1 - c / 2) <= 54 / 53).
  { split; [apply Rinv_0_lt_compat; lra|]. replace (54 / 53) with (/ (53 / 54)) by field. apply Rinv_le_contravar;
    lra. }
  assert (cc : c * c <= 1 / 729) by nra. assert (cc0 : 0 < c * c) by nra.
  assert (B1 : 2 * eta * Z1 <= / (1 - 3 / 2 * c) * (608 * (c * c))).
  { apply Rle_trans with (2 * eta * (2 * w * (/ (1 - 3 / 2 * c) * (120 * C1 ^ 8 * zeta ^ 2 * eta * k ^ 2 / p
         + 32 * C1 ^ 10 * zeta_d ^ 2 * eta * k / (p * b))))); [apply Rmult_le_compat_l; lra|].
    replace (2 * eta * (2 * w * (/ (1 - 3 / 2 * c) * (120 * C1 ^ 8 * zeta ^ 2 * eta * k ^ 2 / p
         + 32 * C1 ^ 10 * zeta_d ^ 2 * eta * k / (p * b)))))
      with (/ (1 - 3 / 2 * c) * (480 * (eta * eta * (C1 ^ 9 * zeta ^ 2 * P * k ^ 2) / (p * p))
         + 128 * (eta * eta * (C1 ^ 11 * zeta_d ^ 2 * (P * k)) / (p * p * b)))) by (unfold w; field; lra).
    apply Rmult_le_compat_l; lra. }
  assert (B2 : 2 * (eta * eta) * Z2 <= / (1 - c / 2) * (16 * (c * c))).
  { assert (0 <= 2 * (eta * eta)) by nra.
    apply Rle_trans with (2 * (eta * eta) * (k * (/ (1 - c / 2) * (4 * zeta ^ 2 * k + 4 * C1 ^ 2 * L ^ 2 / b))));
      [apply Rmult_le_compat_l; lra|].
    replace (2 * (eta * eta) * (k * (/ (1 - c / 2) * (4 * zeta ^ 2 * k + 4 * C1 ^ 2 * L ^ 2 / b))))
      with (/ (1 - c / 2) * (8 * (eta * eta * (zeta ^ 2 * k ^ 2)) + 8 * (eta * eta * (C1 ^ 2 * L ^ 2 * k) / b)))
      by (field; lra).
    apply Rmult_le_compat_l; lra. }
  assert (B1' : / (1 - 3 / 2 * c) * (608 * (c * c)) <= 18 / 17 * (608 * (1 / 729))) by (apply Rmult_le_compat; lra).
  assert (B2' : / (1 - c / 2) * (16 * (c * c)) <= 54 / 53 * (16 * (1 / 729))) by (apply Rmult_le_compat; lra).
  lra.
Qed.

(* ---- A linear rate for every step size that is small enough ---- *)

(* eta <= min{1/(2L), b/(zeta sqrt(60 n)), b/(3 mu n)}, constant along the run: in the mean f(x^T) - inf f decays
   by the factor 1 - eta mu in each step, down to the noise, for Options I and II (lines 436-437, 2072). *)
Theorem linear_decay {V : space} n b (f : nat -> V -> R) grad L zeta mu fstar x0 r eta :
  (1 <= b)%nat -> (b <= n)%nat -> 0 < L -> 0 <= zeta -> 0 < mu -> smooth n f grad L ->
  heterogeneous n grad zeta -> polyak mu fstar (objective n f) (gradient n grad) -> 0 < eta <= pl_step_size n b L zeta
    mu ->
  let gap past s := objective n f (point (s past)) - fstar in
  (forall noise, (forall past, norm (noise past) <= r) -> forall T,
     let run := sledge n b eta noise grad (sledge_start_II grad x0) in
     Ex (sledge_history n b T) (fun past => gap past run)
     <= (1 - eta * mu) ^ T * (objective n f x0 - fstar) + r * r / (eta * eta * mu))
  /\ (forall noise, (forall (I0 : batch) past, norm (noise I0 past) <= r) -> forall T,
     let run I0 := sledge n b eta (noise I0) grad (sledge_start_I n b grad x0 I0) in
     Ex (uniform n b) (fun I0 => Ex (sledge_history n b T) (fun past => gap past (run I0)))
     <= (1 - eta * mu) ^ T * (objective n f x0 - fstar + pl_start n b eta (deviation n grad x0))
        + r * r / (eta * eta * mu)).
Proof.
  intros Hb Hbn HL Hz Hm S Het Pl [e0 e1] gap.
  pose proof (pl_step_size_pos n b L zeta mu HL) as P0.
  pose proof (pl_step_size_L n b L zeta mu HL) as P1.
  pose proof (pl_step_size_zeta n b Hb Hbn L zeta mu HL Hz) as P2.
  pose proof (pl_step_size_mu n b Hb Hbn L zeta mu HL) as P3.
  set (h := pl_step_size n b L zeta mu) in *.
  assert (N0 : 0 <= INR n) by apply pos_INR.
  assert (Q1 : 2 * eta * L <= 1) by nra.
  assert (Q2 : 60 * INR n * (eta * eta) * (zeta * zeta) <= INR b * INR b).
  { eapply Rle_trans; [|exact P2]. apply Rmult_le_compat_r; [nra|]. apply Rmult_le_compat_l; [lra|].
    apply Rmult_le_compat; lra. }
  assert (Q3 : 3 * INR n * (eta * mu) <= INR b).
  { eapply Rle_trans; [|exact P3]. apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_r; lra. }
  split.
  - intros noise Hr T run.
    pose proof (linear_rate n b Hb Hbn f grad L zeta mu fstar HL Hm S Het Pl eta r noise
      (sledge_start_II grad x0) e0 Q1 Q2 Q3 Hr T) as H.
    fold run in H. unfold psi in H. rewrite phi_start_II, Rmult_0_r, Rplus_0_r in H by assumption. exact H.
  - intros noise Hr T run. eapply Rle_trans; [apply (Ex_le _ _ (fun I0 =>
      ((1 - eta * mu) ^ T * (objective n f x0 - fstar) + r * r / (eta * eta * mu))
      + (1 - eta * mu) ^ T * weight n b eta * phi n grad (sledge_start_I n b grad x0 I0)))|].
    + intros I0 _.
      pose proof (linear_rate n b Hb Hbn f grad L zeta mu fstar HL Hm S Het Pl eta r (noise I0)
        (sledge_start_I n b grad x0 I0) e0 Q1 Q2 Q3 (Hr I0) T) as H.
      unfold psi in H. change (point (sledge_start_I n b grad x0 I0)) with x0 in H.
      eapply Rle_trans; [exact H|right; ring].
    + rewrite Ex_add, Ex_const, Ex_mul, (phi_start_I n b Hb Hbn). unfold pl_start, weight. right. ring.
Qed.
