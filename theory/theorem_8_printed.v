(* Theorem 8' and Remark 34 by the appendix's own inequalities (theorem:D-PL, lines 3244-3417), with L for one zeta.

   Let rho = 1 - eta mu/2, C_1 = c log(1/nu + n + P + d + T + K), c >= 11, n at least the Kb data of a client's minibatch,
   T_3 = (P/p) C_1, sigma_c, G_c as in theorem_6_printed.v. Proved, for every space, f_{i,j} with the PL property for mu,
   1 <= p <= P, K, b, T, noise of length at most r, clients with at least Kb data, with probability at least 1 - 7 nu for
   Option II and 1 - 8 nu for Option I, which has the terms in brackets, for all t <= T at once:
     fledge_pl_unrolled (lines 3269-3308), for any eta with eta mu <= 1 and rho^K >= 1/2:
       f(x^t) - f* + (eta/4) sum_{s<=t} sum_k rho^{(t-s+1)K-k} |grad f(x^{s,k-1})|^2 <= rho^{tK} (f(x^0) - f* )
         - A sum_s sum_k rho^{(t-s+1)K-k} |x^{s,k} - x^{s,k-1}|^2
         + sum_s sum_k rho^{(t-s+1)K-k} (r^2/eta + (8 C_1^2 eta/(PKb)) (sigma^2 + G^2/(PKb)))
         [+ 96 C_1^2 eta (sigma^2/(pKb) + G^2/(pKb)^2 + sigma_c^2/p + G_c^2/p^2) sum_{s<=T_3} sum_k rho^{(t-s+1)K-k}],
       A = 1/(2 eta) - L/2 - eta K (120 C_1^8 zeta^2 K/p + 32 C_1^10 L^2/(pb)) sum_{j=1}^{T_3} rho^{-jK}
         - eta (4 zeta^2 K + 4 C_1^2 L^2/b) sum_{j=1}^K rho^{1-j}, T_3 rounded up;
     fledge_pl_final_inequality (lines 3330-3343), for eta = c' min{1/L, p/(C_1^4.5 zeta sqrt P K),
       p sqrt b/(C_1^5.5 L sqrt(PK)), p/(mu C_1 PK), 1/(zeta K), sqrt b/(C_1 L sqrt K)}, c' <= 1/27, r <= eta eps/8 and
       PKb >= 512 C_1^2 sigma^2/eps^2 + 64 C_1 G/eps:
       f(x^t) - f* + (eta/4) sum_s sum_k rho^{(t-s+1)K-k} |grad f(x^{s,k-1})|^2 <= eps^2/(8 mu)
         + rho^{tK} (f(x^0) - f* ) [+ eta rho^{(t-T_3)K} 96 C_1^3 (sigma^2 P/(p^2 b) + G^2 P/(p^3 K b^2)
         + sigma_c^2 PK/p^2 + G_c^2 PK/p^3)];
     minimum_gradient (line 3344): the left side is at least (6/(32 mu)) min |grad f|^2 for TK >= log(8/5)/(-log rho), and
       pl_share_decayed: rho^{TK} D <= eps^2/(32 mu) for T >= 2 log(32 mu D/eps^2)/(eta mu K);
     theorem_8_printed: hence a point with |grad f| <= eps within T rounds if
       T >= 2 max{log(8/5), log(32 mu Delta/eps^2) [, log(32 mu s/eps^2)]}/(eta mu K), s the bracket for t = 0;
     remark_34_printed: with 1 - eta mu for rho, r <= eta sqrt(eps mu)/2 and PKb >= 64 C_1^2 sigma^2/(mu eps)
       + 8 C_1 G/sqrt(mu eps): f(x^t) - f* <= eps/2 + rho^{tK} (f(x^0) - f* ) [+ the bracket].
   A heterogeneity zeta = 0 may be taken as any zeta > 0.

   Proof, that of the text: the descent lemma at each local step, half of the gradient used for the PL property (all of
   it for the remark), unrolled; Lemma 24 for 10/11 of C_1, which pays for rounding and for what a window is discounted
   more than the step that it ends with; the coefficient of the movement is not negative by [step_size_coefficient]. *)
From Coq Require Import Reals Lra Lia List PeanoNat Bool.
From Sledge Require Import vectors means minibatches algorithms problems second_moments
  sledge_errors fledge_sampling fledge_errors.
From Sledge Require Import theorem_2_expectation theorem_6_expectation.
From Sledge Require Import probability bernstein lemma_1 concentration steps theorem_2_probability theorem_5_probability
  theorem_6_probability pl_steps
  fledge_tails theorem_6_high_probability fledge_local fledge_start fledge_fresh fledge_variance theorem_5_printed
  theorem_6_printed theorem_6_orders.
Import ListNotations.
Open Scope R_scope.

(* ---- Discounted sums ---- *)

Lemma sum_at (a : nat -> R) c t : (c < t)%nat -> sum t (fun s => if (s =? c)%nat then a s else 0) = a c.
Proof.
  induction t as [|t IH]; intro H; [lia|]. cbn [sum]. destruct (Nat.eqb_spec t c) as [->|N].
  - rewrite sum_zero; [ring|]. intros s Hs. rewrite (proj2 (Nat.eqb_neq s c)) by lia. reflexivity.
  - rewrite IH by lia. ring.
Qed.
Lemma sum_grows (a : nat -> R) m n : (forall s, 0 <= a s) -> (m <= n)%nat -> sum m a <= sum n a.
Proof.
  intros A H. replace n with (m + (n - m))%nat by lia. generalize (n - m)%nat as j.
  induction j as [|j IH]; [rewrite Nat.add_0_r; lra|]. rewrite Nat.add_succ_r. cbn [sum]. specialize (A (m + j)%nat). lra.
Qed.
(* A window is the values j steps ago, j = 1, ..., T3. *)
Lemma window_shifted (a : nat -> R) T3 t : sum t (fun s => if (t - T3 <=? s)%nat then a s else 0)
  = sum T3 (fun j => if (S j <=? t)%nat then a (t - S j)%nat else 0).
Proof.
  induction T3 as [|T3 IH].
  - cbn [sum]. apply sum_zero. intros s Hs. rewrite (proj2 (Nat.leb_gt (t - 0) s)) by lia. reflexivity.
  - cbn [sum]. rewrite <- IH. destruct (Nat.leb_spec (S T3) t) as [l|l].
    + rewrite <- (sum_at a (t - S T3) t) by lia. rewrite <- sum_add. apply sum_ext. intros s Hs.
      destruct (Nat.leb_spec (t - S T3) s), (Nat.leb_spec (t - T3) s), (Nat.eqb_spec s (t - S T3)); try lia; ring.
    + rewrite Rplus_0_r. replace (t - S T3)%nat with (t - T3)%nat by lia. reflexivity.
Qed.
Lemma windows_apart q N T3 (a : nat -> R) : 0 < q <= 1 -> (forall s, 0 <= a s) ->
  sum N (fun t => q ^ (N - S t) * sum t (fun s => if (t - T3 <=? s)%nat then a s else 0))
  <= sum T3 (fun j => / q ^ S j) * sum N (fun s => q ^ (N - S s) * a s).
Proof.
  intros [q0 q1] A. assert (W : forall s, 0 <= q ^ (N - S s) * a s).
  { intro s. apply Rmult_le_pos; [apply pow_le; lra|apply A]. }
  set (D := sum N (fun s => q ^ (N - S s) * a s)). rewrite Rmult_comm, <- sum_mul.
  rewrite (sum_ext N _ (fun t => sum T3 (fun j => q ^ (N - S t) * (if (S j <=? t)%nat then a (t - S j)%nat else 0)))).
  2:{ intros t Ht. rewrite window_shifted, sum_mul. reflexivity. }
  rewrite sum_swap. apply sum_le. intros j Hj.
  assert (p0 : 0 < q ^ S j) by (apply pow_lt; lra).
  assert (E : forall n, (n <= N)%nat -> sum n (fun t => q ^ (N - S t) * (if (S j <=? t)%nat then a (t - S j)%nat else 0))
    = sum (n - S j) (fun s => / q ^ S j * (q ^ (N - S s) * a s))).
  { induction n as [|n IH]; intro Hn; [reflexivity|]. cbn [sum]. rewrite IH by lia.
    destruct (Nat.leb_spec (S j) n) as [l|l].
    - replace (S n - S j)%nat with (S (n - S j)) by lia. cbn [sum]. f_equal.
      replace (N - S (n - S j))%nat with (S j + (N - S n))%nat by lia. rewrite pow_add. field. lra.
    - replace (S n - S j)%nat with 0%nat by lia. replace (n - S j)%nat with 0%nat by lia. cbn [sum]. ring. }
  rewrite E by lia. rewrite sum_mul, (Rmult_comm D). apply Rmult_le_compat_l; [left; apply Rinv_0_lt_compat, p0|].
  unfold D. destruct (Nat.le_gt_cases N (S j)) as [l|l].
  - replace (N - S j)%nat with 0%nat by lia. cbn [sum]. apply sum_nonneg. auto.
  - apply (sum_grows (fun s => q ^ (N - S s) * a s)); [exact W|lia].
Qed.

(* rho^{(t-s)K-(k+1)}, as rounds and their local steps *)
Definition step_weight (rho : R) (K t s k : nat) : R := rho ^ ((t - s) * K - S k).
Lemma step_weight_is rho K t s k : (s < t)%nat -> (k < K)%nat ->
  step_weight rho K t s k = (rho ^ K) ^ (t - S s) * rho ^ (K - S k).
Proof.
  intros Hs Hk. unfold step_weight. rewrite <- pow_mult, <- pow_add. f_equal.
  replace (t - s)%nat with (S (t - S s)) by lia. nia.
Qed.
Lemma sum_rounds rho K t (a : nat -> nat -> R) : sum t (fun s => sum K (fun k => step_weight rho K t s k * a s k))
  = sum t (fun s => (rho ^ K) ^ (t - S s) * sum K (fun k => rho ^ (K - S k) * a s k)).
Proof.
  apply sum_ext. intros s Hs. rewrite <- sum_mul. apply sum_ext. intros k Hk. rewrite step_weight_is by assumption. ring.
Qed.

Section Discounted.
Variables (rho : R) (K T3 : nat).
Hypothesis rho01 : 0 < rho <= 1.
Hypothesis HK : (1 <= K)%nat.
Notation q := (rho ^ K).
Lemma q01 : 0 < q <= 1.
Proof. split; [apply pow_lt; lra|]. rewrite <- (pow1 K). apply pow_incr. lra. Qed.
Lemma power01 n : 0 < rho ^ n <= 1.
Proof. split; [apply pow_lt; lra|]. rewrite <- (pow1 n). apply pow_incr. lra. Qed.
(* What steps of a run leave, each with its share *)
Lemma steps_unrolled t (u : nat -> nat -> R) (a : nat -> nat -> R) :
  (forall s k, (s < t)%nat -> (k < K)%nat -> u s (S k) <= rho * u s k + a s k) ->
  (forall s, (s < t)%nat -> u (S s) 0%nat = u s K) ->
  u t 0%nat <= rho ^ (t * K) * u 0%nat 0%nat + sum t (fun s => sum K (fun k => step_weight rho K t s k * a s k)).
Proof.
  intros Step Ends. rewrite sum_rounds, Nat.mul_comm, pow_mult.
  apply (unrolled q (fun s => u s 0%nat) (fun s => sum K (fun k => rho ^ (K - S k) * a s k)) t); [apply Rlt_le, q01|].
  intros s Hs. rewrite Ends by assumption. apply (unrolled rho (u s) (a s) K); [lra|]. intros k Hk. apply Step; assumption.
Qed.
Lemma errors_discounted_steps t A B f0 i0 (m e : nat -> nat -> R) : 0 <= A -> 0 <= B -> (forall s k, 0 <= m s k) ->
  (forall s k, (s < t)%nat -> (k < K)%nat -> e s k
    <= A * sum s (fun r => if (s - T3 <=? r)%nat then sum K (m r) else 0) + B * sum k (m s) + f0
       + (if (S s <=? T3)%nat then i0 else 0)) ->
  let total a := sum t (fun s => sum K (fun k => step_weight rho K t s k * a s k)) in
  total e <= (A * (INR K * / q) * sum T3 (fun j => / q ^ S j) + B * sum K (fun j => / rho ^ j)) * total m
    + total (fun _ _ => f0) + total (fun s _ => if (S s <=? T3)%nat then i0 else 0).
Proof.
  intros A0 B0 M0 H total. pose proof q01 as [q0 q1].
  assert (W0 : forall s k, 0 <= step_weight rho K t s k) by (intros; apply pow_le; lra).
  set (win := fun s => sum s (fun r => if (s - T3 <=? r)%nat then sum K (m r) else 0)).
  assert (S0 : forall s, 0 <= sum K (m s)) by (intro; apply sum_nonneg; auto).
  assert (Wn : forall s, 0 <= win s) by (intro; apply sum_nonneg; intros r _; destruct (_ <=? r)%nat; [apply S0|lra]).
  assert (T1 : total (fun s _ => win s) <= INR K * / q * sum T3 (fun j => / q ^ S j) * total m).
  { unfold total. rewrite !sum_rounds.
    apply Rle_trans with (INR K * sum t (fun s => q ^ (t - S s) * win s)).
    - rewrite <- sum_mul. apply sum_le. intros s Hs. pose proof (pow_lt q (t - S s) q0) as v0.
      rewrite <- Rmult_assoc, (Rmult_comm (INR K)), Rmult_assoc. apply Rmult_le_compat_l; [lra|].
      rewrite <- sum_const. apply sum_le. intros k Hk. rewrite <- (Rmult_1_l (win s)) at 2.
      apply Rmult_le_compat_r; [apply Wn|apply power01].
    - assert (X : sum t (fun s => q ^ (t - S s) * win s)
        <= sum T3 (fun j => / q ^ S j) * sum t (fun s => q ^ (t - S s) * sum K (m s)))
        by exact (windows_apart q t T3 (fun s => sum K (m s)) q01 S0).
      assert (Y : sum t (fun s => q ^ (t - S s) * sum K (m s))
        <= / q * sum t (fun s => q ^ (t - S s) * sum K (fun k => rho ^ (K - S k) * m s k))).
      { rewrite <- sum_mul. apply sum_le. intros s Hs. pose proof (pow_lt q (t - S s) q0) as v0.
        rewrite <- Rmult_assoc, (Rmult_comm (/ q)), Rmult_assoc. apply Rmult_le_compat_l; [lra|].
        rewrite <- sum_mul. apply sum_le. intros k Hk. rewrite <- Rmult_assoc. rewrite <- (Rmult_1_l (m s k)) at 1.
        apply Rmult_le_compat_r; [apply M0|]. apply Rmult_le_reg_l with q; [assumption|].
        rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l, Rmult_1_r by lra. apply pow_less; [lra|lia]. }
      assert (Q3 : 0 <= sum T3 (fun j => / q ^ S j)).
      { apply sum_nonneg. intros j _. left. apply Rinv_0_lt_compat, pow_lt, q0. }
      apply (Rmult_le_compat_l _ _ _ Q3) in Y. pose proof (pos_INR K) as K0.
      set (z := sum t (fun s => q ^ (t - S s) * sum K (fun k => rho ^ (K - S k) * m s k))) in *.
      set (g := sum T3 (fun j => / q ^ S j)) in *.
      replace (INR K * / q * g * z) with (INR K * (g * (/ q * z))) by ring. apply Rmult_le_compat_l; lra. }
  assert (T2 : total (fun s k => sum k (m s)) <= sum K (fun j => / rho ^ j) * total m).
  { unfold total. rewrite !sum_rounds, <- sum_mul. apply sum_le. intros s Hs. pose proof (pow_lt q (t - S s) q0) as v0.
    rewrite <- Rmult_assoc, (Rmult_comm (sum K _)), Rmult_assoc. apply Rmult_le_compat_l; [lra|].
    pose proof (windows_apart rho K (K - 1) (m s) rho01 (M0 s)) as X.
    eapply Rle_trans; [|eapply Rle_trans; [exact X|]].
    - right. apply sum_ext. intros k Hk. f_equal. apply sum_ext. intros r Hr.
      rewrite (proj2 (Nat.leb_le (k - (K - 1)) r)) by lia. reflexivity.
    - apply Rmult_le_compat_r.
      + apply sum_nonneg. intros. apply Rmult_le_pos; [apply Rlt_le, power01|apply M0].
      + replace K with (S (K - 1)) at 2 by lia. rewrite sum_first. cbn [pow]. rewrite Rinv_1.
        assert (forall x, x <= 1 + x) by (intro; lra). apply H0. }
  apply Rle_trans with (total (fun s k => A * win s + B * sum k (m s) + f0 + (if (S s <=? T3)%nat then i0 else 0))).
  - apply sum_le. intros s Hs. apply sum_le. intros k Hk. apply Rmult_le_compat_l; [apply W0|apply H; assumption].
  - assert (Sp : forall a b, total (fun s k => a s k + b s k) = total a + total b).
    { intros a b. unfold total. rewrite <- sum_add. apply sum_ext. intros s _. rewrite <- sum_add. apply sum_ext.
      intros k _. ring. }
    assert (Sc : forall c a, total (fun s k => c * a s k) = c * total a).
    { intros c a. unfold total. rewrite <- sum_mul. apply sum_ext. intros s _. rewrite <- sum_mul. apply sum_ext.
      intros k _. ring. }
    rewrite !Sp, (Sc A (fun s _ => win s)), (Sc B (fun s k => sum k (m s))).
    apply (Rmult_le_compat_l _ _ _ A0) in T1. apply (Rmult_le_compat_l _ _ _ B0) in T2. lra.
Qed.
(* All weights together *)
Lemma weights_total t : (1 - rho) * sum t (fun s => sum K (fun k => step_weight rho K t s k)) = 1 - rho ^ (t * K).
Proof.
  assert (G : forall r n, (1 - r) * sum n (fun s => r ^ (n - S s)) = 1 - r ^ n).
  { intros r n. induction n as [|n IH]; [cbn; ring|]. cbn [sum]. rewrite Nat.sub_diag, Rmult_plus_distr_l.
    rewrite (sum_ext n _ (fun s => r * r ^ (n - S s))).
    - rewrite sum_mul. cbn [pow]. replace ((1 - r) * (r * sum n (fun s => r ^ (n - S s))))
        with (r * ((1 - r) * sum n (fun s => r ^ (n - S s)))) by ring. rewrite IH. ring.
    - intros s Hs. replace (S n - S s)%nat with (S (n - S s)) by lia. reflexivity. }
  rewrite (sum_ext t _ (fun s => sum K (fun k => step_weight rho K t s k * 1)))
    by (intros; apply sum_ext; intros; ring).
  rewrite (sum_rounds rho K t (fun _ _ => 1)).
  rewrite (sum_ext t _ (fun s => sum K (fun k => rho ^ (K - S k)) * q ^ (t - S s))).
  2:{ intros s _. rewrite Rmult_comm. f_equal. apply sum_ext. intros. ring. }
  rewrite sum_mul, <- Rmult_assoc, G, G, <- pow_mult, (Nat.mul_comm K t). reflexivity.
Qed.
(* The weights of the first T3 rounds *)
Lemma first_weights t i0 X : 0 <= i0 -> INR T3 <= X ->
  sum t (fun s => sum K (fun k => step_weight rho K t s k * (if (S s <=? T3)%nat then i0 else 0)))
  <= INR K * X * i0 * Rpower rho ((INR t - X) * INR K).
Proof.
  intros I0 HX. pose proof (pos_INR K) as K0. pose proof (pos_INR T3) as t0.
  set (v := Rpower rho ((INR t - X) * INR K)). assert (v0 : 0 < v) by apply exp_pos.
  assert (Dec : forall x y, x <= y -> Rpower rho y <= Rpower rho x).
  { intros x y Hxy. unfold Rpower. destruct (Req_dec rho 1) as [->|Ne]; [rewrite ln_1, !Rmult_0_r; lra|].
    assert (Ln : ln rho <= 0) by (rewrite <- ln_1; apply ln_grows; lra).
    assert (E : y * ln rho <= x * ln rho) by (apply Rmult_le_compat_neg_l with (r := ln rho) in Hxy; lra).
    destruct E as [E|E]; [left; apply exp_increasing, E|rewrite E; lra]. }
  assert (One : forall s k, (s < t)%nat -> (k < K)%nat ->
    step_weight rho K t s k * (if (S s <=? T3)%nat then i0 else 0) <= v * (if (S s <=? T3)%nat then i0 else 0)).
  { intros s k Hs Hk. destruct (Nat.leb_spec (S s) T3) as [l|l]; [|lra]. apply Rmult_le_compat_r; [assumption|].
    unfold step_weight. rewrite <- Rpower_pow by lra. apply Dec.
    apply Rle_trans with (INR ((t - S s) * K)).
    - rewrite mult_INR. rewrite minus_INR by lia. apply Rmult_le_compat_r; [assumption|].
      apply le_INR in l. lra.
    - apply le_INR. replace (t - s)%nat with (S (t - S s)) by lia. nia. }
  apply Rle_trans with (sum t (fun s => INR K * v * (if (S s <=? T3)%nat then i0 else 0))).
  - apply sum_le. intros s Hs. rewrite Rmult_assoc, <- sum_const. apply sum_le. intros k Hk. apply One; assumption.
  - rewrite sum_mul.
    assert (E : forall n, sum n (fun s => if (S s <=? T3)%nat then i0 else 0) = INR (Nat.min n T3) * i0).
    { induction n as [|n IH]; [simpl; ring|]. cbn [sum]. rewrite IH. destruct (Nat.leb_spec (S n) T3).
      - rewrite !Nat.min_l by lia. rewrite S_INR. ring.
      - rewrite !Nat.min_r by lia. ring. }
    rewrite E. replace (INR K * X * i0 * v) with (INR K * v * (X * i0)) by ring.
    apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|]. apply Rmult_le_compat_r; [assumption|].
    apply Rle_trans with (INR T3); [apply le_INR; lia|exact HX].
Qed.
End Discounted.

(* line 3344: points with squared gradients of at least m, last = f(x^T) - f* *)
Theorem minimum_gradient K T eta mu m last (g : nat -> nat -> R) : (1 <= K)%nat -> (1 <= T)%nat -> 0 < eta -> 0 < mu ->
  eta * mu < 2 -> 0 <= m -> 0 <= last -> (forall t k, (t < T)%nat -> (k < K)%nat -> m <= g t k) ->
  let rho := 1 - eta * mu / 2 in ln (8 / 5) / - ln rho <= INR T * INR K ->
  6 / (32 * mu) * m <= last + eta / 4 * sum T (fun t => sum K (fun k => rho ^ ((T - t) * K - S k) * g t k)).
Proof.
  intros HK HT He Hmu Hem m0 l0 Hm rho H. assert (em : 0 < eta * mu) by (apply Rmult_lt_0_compat; assumption).
  assert (r01 : 0 < rho < 1) by (unfold rho; lra).
  assert (Ln : ln rho < 0) by (rewrite <- ln_1; apply ln_increasing; lra).
  pose proof (weights_total rho K HK T) as W.
  assert (Q : rho ^ (T * K) <= 5 / 8).
  { rewrite <- Rpower_pow by lra. unfold Rpower. rewrite mult_INR.
    apply (Rmult_le_compat_r (- ln rho)) in H; [|lra].
    replace (ln (8 / 5) / - ln rho * - ln rho) with (ln (8 / 5)) in H by (field; lra).
    replace (5 / 8) with (exp (- ln (8 / 5))) by (rewrite exp_Ropp, exp_ln by lra; field).
    assert (E : INR T * INR K * ln rho <= - ln (8 / 5)) by lra.
    destruct E as [E|E]; [left; apply exp_increasing, E|rewrite E; lra]. }
  assert (Up : m * sum T (fun t => sum K (fun k => step_weight rho K T t k))
    <= sum T (fun t => sum K (fun k => rho ^ ((T - t) * K - S k) * g t k))).
  { rewrite <- sum_mul. apply sum_le. intros t Ht. rewrite <- sum_mul. apply sum_le. intros k Hk.
    unfold step_weight. rewrite Rmult_comm. apply Rmult_le_compat_l; [apply pow_le; lra|apply Hm; assumption]. }
  set (w := sum T (fun t => sum K (fun k => step_weight rho K T t k))) in *.
  set (z := sum T (fun t => sum K (fun k => rho ^ ((T - t) * K - S k) * g t k))) in *.
  assert (WE : eta * w = 2 / mu * (1 - rho ^ (T * K))) by (rewrite <- W; unfold rho; field; lra).
  assert (Z : eta / 4 * (m * w) <= eta / 4 * z) by (apply Rmult_le_compat_l; lra).
  replace (eta / 4 * (m * w)) with (m / 4 * (eta * w)) in Z by (clear; field). rewrite WE in Z.
  assert (Y : m / 4 * (2 / mu * (3 / 8)) <= m / 4 * (2 / mu * (1 - rho ^ (T * K)))).
  { apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; [|lra].
    apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]. }
  replace (6 / (32 * mu) * m) with (m / 4 * (2 / mu * (3 / 8))) by (field; lra). lra.
Qed.

(* The step size, and what it makes of the coefficient of the movement *)
Definition pl_printed_step_size (a : R) (P p K b : nat) (L zeta mu C : R) : R :=
  a * Rmin (1 / L) (Rmin (INR p / (Rpower C (9 / 2) * zeta * sqrt (INR P) * INR K))
    (Rmin (INR p * sqrt (INR b) / (Rpower C (11 / 2) * L * sqrt (INR P * INR K))) (Rmin (INR p / (mu * C * INR P * INR K))
    (Rmin (1 / (zeta * INR K)) (sqrt (INR b) / (C * L * sqrt (INR K))))))).
(* sum_{j=1}^{T_3} rho^{-jK}, sum_{j=1}^K rho^{1-j} *)
Definition pl_coefficient (P p K b : nat) (L zeta eta C rho : R) : R :=
  1 / (2 * eta) - L / 2
  - eta * INR K * (120 * C ^ 8 * zeta ^ 2 * INR K / INR p + 32 * C ^ 10 * L ^ 2 / (INR p * INR b))
    * sum (ceiling (INR P / INR p * C)) (fun i => let j := S i in / rho ^ (K * j))
  - eta * (4 * zeta ^ 2 * INR K + 4 * C ^ 2 * L ^ 2 / INR b) * sum K (fun i => / rho ^ i).

Section Step.
Variables (P p K b : nat) (a L zeta mu C rho : R).
Hypothesis Hp : (1 <= p)%nat.
Hypothesis HpP : (p <= P)%nat.
Hypothesis HK : (1 <= K)%nat.
Hypothesis Hb : (1 <= b)%nat.
Hypothesis Ha : 0 < a <= 1 / 27.
Hypothesis HL : 0 < L.
Hypothesis Hz : 0 < zeta.
Hypothesis Hmu : 0 < mu.
Hypothesis HC : 1 <= C.
Notation eta := (pl_printed_step_size a P p K b L zeta mu C).
Notation NP := (INR P).
Notation Np := (INR p).
Notation NK := (INR K).
Notation B := (INR b).
Lemma pl_step_facts : 0 < eta /\ eta * L <= a /\ eta * eta * (C ^ 9 * zeta ^ 2 * NP * NK ^ 2) <= a * a * (Np * Np)
  /\ eta * eta * (C ^ 11 * L ^ 2 * (NP * NK)) <= a * a * (Np * Np * B) /\ NP / Np * C * (NK * (eta * mu)) <= a
  /\ eta * eta * (zeta ^ 2 * NK ^ 2) <= a * a /\ eta * eta * (C ^ 2 * L ^ 2 * NK) <= a * a * B.
Proof.
  destruct (rate_sizes P p K b Hp HpP HK Hb) as [P1 [[p1 pP] [K1 [b1 [M0 _]]]]].
  pose proof (sqrt_lt_R0 NP ltac:(lra)) as sP. pose proof (sqrt_sqrt NP ltac:(lra)) as ssP.
  pose proof (sqrt_lt_R0 B ltac:(lra)) as sb. pose proof (sqrt_sqrt B ltac:(lra)) as ssb.
  pose proof (sqrt_lt_R0 NK ltac:(lra)) as sk. pose proof (sqrt_sqrt NK ltac:(lra)) as ssk.
  assert (Pk : 0 < NP * NK) by (apply Rmult_lt_0_compat; lra).
  pose proof (sqrt_lt_R0 (NP * NK) Pk) as sPk. pose proof (sqrt_sqrt (NP * NK) ltac:(lra)) as ssPk.
  assert (u0 : 0 < Rpower C (9 / 2)) by apply exp_pos. assert (v0 : 0 < Rpower C (11 / 2)) by apply exp_pos.
  assert (uu : Rpower C (9 / 2) * Rpower C (9 / 2) = C ^ 9).
  { rewrite <- Rpower_plus. replace (9 / 2 + 9 / 2) with (INR 9) by (simpl; lra). apply Rpower_pow. lra. }
  assert (vv : Rpower C (11 / 2) * Rpower C (11 / 2) = C ^ 11).
  { rewrite <- Rpower_plus. replace (11 / 2 + 11 / 2) with (INR 11) by (simpl; lra). apply Rpower_pow. lra. }
  unfold pl_printed_step_size. set (u := Rpower C (9 / 2)) in *. set (v := Rpower C (11 / 2)) in *.
  assert (d2 : 0 < u * zeta * sqrt NP * NK) by (repeat apply Rmult_lt_0_compat; lra).
  assert (d3 : 0 < v * L * sqrt (NP * NK)) by (repeat apply Rmult_lt_0_compat; lra).
  assert (d4 : 0 < mu * C * NP * NK) by (repeat apply Rmult_lt_0_compat; lra).
  assert (d5 : 0 < zeta * NK) by (repeat apply Rmult_lt_0_compat; lra).
  assert (d6 : 0 < C * L * sqrt NK) by (repeat apply Rmult_lt_0_compat; lra).
  assert (psb : 0 < Np * sqrt B) by (apply Rmult_lt_0_compat; lra).
  set (m := Rmin (1 / L) _).
  assert (m1 : m <= 1 / L) by apply Rmin_l.
  assert (m2 : m <= Np / (u * zeta * sqrt NP * NK)) by (eapply Rle_trans; [apply Rmin_r|apply Rmin_l]).
  assert (m3 : m <= Np * sqrt B / (v * L * sqrt (NP * NK)))
    by (eapply Rle_trans; [apply Rmin_r|]; eapply Rle_trans; [apply Rmin_r|apply Rmin_l]).
  assert (m4 : m <= Np / (mu * C * NP * NK))
    by (eapply Rle_trans; [apply Rmin_r|]; do 2 (eapply Rle_trans; [apply Rmin_r|]); apply Rmin_l).
  assert (m5 : m <= 1 / (zeta * NK))
    by (eapply Rle_trans; [apply Rmin_r|]; do 3 (eapply Rle_trans; [apply Rmin_r|]); apply Rmin_l).
  assert (m6 : m <= sqrt B / (C * L * sqrt NK))
    by (eapply Rle_trans; [apply Rmin_r|]; do 3 (eapply Rle_trans; [apply Rmin_r|]); apply Rmin_r).
  assert (m0 : 0 < m).
  { unfold m. repeat apply Rmin_glb_lt; apply Rmult_lt_0_compat; try lra; apply Rinv_0_lt_compat; assumption. }
  clearbody m. assert (e0 : 0 < a * m) by (apply Rmult_lt_0_compat; lra).
  assert (D : forall y x, 0 < x -> m <= y / x -> a * m * x <= a * y).
  { intros y x Hx H. rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|].
    replace y with (y / x * x) by (field; lra). apply Rmult_le_compat_r; lra. }
  assert (Q : forall x y, 0 < x -> a * m * x <= a * y -> a * m * (a * m) * (x * x) <= a * a * (y * y)).
  { intros x y Hx H. assert (0 <= a * m * x) by (apply Rmult_le_pos; lra).
    replace (a * m * (a * m) * (x * x)) with (a * m * x * (a * m * x)) by ring.
    replace (a * a * (y * y)) with (a * y * (a * y)) by ring. apply Rmult_le_compat; assumption. }
  split; [exact e0|]. split; [|split; [|split; [|split; [|split]]]].
  - pose proof (D _ _ HL m1). lra.
  - pose proof (Q _ _ d2 (D _ _ d2 m2)) as X.
    replace (u * zeta * sqrt NP * NK * (u * zeta * sqrt NP * NK)) with (u * u * zeta ^ 2 * (sqrt NP * sqrt NP) * NK ^ 2)
      in X by ring. rewrite uu, ssP in X. exact X.
  - pose proof (Q _ _ d3 (D _ _ d3 m3)) as X.
    replace (v * L * sqrt (NP * NK) * (v * L * sqrt (NP * NK)))
      with (v * v * L ^ 2 * (sqrt (NP * NK) * sqrt (NP * NK))) in X by ring.
    replace (Np * sqrt B * (Np * sqrt B)) with (Np * Np * (sqrt B * sqrt B)) in X by ring.
    rewrite vv, ssPk, ssb in X. exact X.
  - pose proof (D _ _ d4 m4) as X. apply Rmult_le_reg_r with Np; [lra|].
    replace (NP / Np * C * (NK * (a * m * mu)) * Np) with (a * m * (mu * C * NP * NK)) by (field; lra). exact X.
  - pose proof (Q _ _ d5 (D _ _ d5 m5)) as X.
    replace (zeta * NK * (zeta * NK)) with (zeta ^ 2 * NK ^ 2) in X by ring. lra.
  - pose proof (Q _ _ d6 (D _ _ d6 m6)) as X.
    replace (C * L * sqrt NK * (C * L * sqrt NK)) with (C ^ 2 * L ^ 2 * (sqrt NK * sqrt NK)) in X by ring.
    rewrite ssk, ssb in X. exact X.
Qed.
Hypothesis Hrho : 1 - eta * mu <= rho <= 1.
Lemma pl_small : 0 < eta * mu /\ NK * (eta * mu) <= 1 / 27 /\ 0 < rho <= 1 /\ 1 / 2 <= rho ^ K /\
  (forall j, / (1 - INR j * (eta * mu)) > 0 -> 0 < 1 - INR j * (eta * mu) -> / rho ^ j <= / (1 - INR j * (eta * mu))).
Proof.
  destruct (rate_sizes P p K b Hp HpP HK Hb) as [P1 [[p1 pP] [K1 [b1 [M0 _]]]]].
  destruct pl_step_facts as [e0 [_ [_ [_ [F4 _]]]]].
  assert (em : 0 < eta * mu) by (apply Rmult_lt_0_compat; assumption).
  assert (PC : 1 <= NP / Np * C).
  { replace 1 with (1 * 1) by ring. apply Rmult_le_compat; try lra. apply Rmult_le_reg_r with Np; [lra|].
    replace (NP / Np * Np) with NP by (field; lra). lra. }
  assert (Ke : NK * (eta * mu) <= 1 / 27).
  { assert (0 <= NK * (eta * mu)) by (apply Rmult_le_pos; lra).
    assert (1 * (NK * (eta * mu)) <= NP / Np * C * (NK * (eta * mu))) by (apply Rmult_le_compat_r; lra). lra. }
  assert (e1 : eta * mu <= 1 / 27).
  { assert (1 * (eta * mu) <= NK * (eta * mu)) by (apply Rmult_le_compat_r; lra). lra. }
  assert (Be : forall j, 1 - INR j * (eta * mu) <= rho ^ j).
  { intro j. pose proof (bernoulli (eta * mu) j ltac:(lra)) as X. eapply Rle_trans; [exact X|]. apply pow_incr. lra. }
  split; [exact em|]. split; [exact Ke|]. split; [lra|]. split.
  - specialize (Be K). lra.
  - intros j _ Hj. apply Rinv_le_contravar; [exact Hj|apply Be].
Qed.
Theorem pl_coefficient_nonneg : 0 <= pl_coefficient P p K b L zeta eta C rho.
Proof.
  destruct (rate_sizes P p K b Hp HpP HK Hb) as [P1 [[p1 pP] [K1 [b1 [M0 _]]]]].
  destruct pl_step_facts as [e0 [F1 [F2 [F3 [F4 [F5 F6]]]]]]. destruct pl_small as [em [Ke [r0 [_ Pw]]]].
  set (w := NP / Np * C) in *.
  assert (w1 : 1 <= w).
  { unfold w. replace 1 with (1 * 1) by ring. apply Rmult_le_compat; try lra. apply Rmult_le_reg_r with Np; [lra|].
    replace (NP / Np * Np) with NP by (field; lra). lra. }
  assert (T2 : INR (ceiling w) <= 2 * w) by (pose proof (ceiling_below w ltac:(lra)); lra).
  unfold pl_coefficient. fold w. set (T3 := ceiling w) in *. set (e := eta) in *.
  set (X := 120 * C ^ 8 * zeta ^ 2 * NK / Np + 32 * C ^ 10 * L ^ 2 / (Np * B)).
  set (Y := 4 * zeta ^ 2 * NK + 4 * C ^ 2 * L ^ 2 / B).
  assert (iN : 0 < / Np) by (apply Rinv_0_lt_compat; lra). assert (iB : 0 < / B) by (apply Rinv_0_lt_compat; lra).
  assert (iNB : 0 < / (Np * B)) by (apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra).
  assert (z2 : 0 <= zeta ^ 2) by apply pow2_ge_0. assert (L2 : 0 <= L ^ 2) by apply pow2_ge_0.
  assert (q2 : 0 <= C ^ 2) by (apply pow_le; lra). assert (q8 : 0 <= C ^ 8) by (apply pow_le; lra).
  assert (q10 : 0 <= C ^ 10) by (apply pow_le; lra).
  assert (X0 : 0 <= X) by (unfold X, Rdiv; apply Rplus_le_le_0_compat; repeat apply Rmult_le_pos; lra).
  assert (Y0 : 0 <= Y) by (unfold Y, Rdiv; apply Rplus_le_le_0_compat; repeat apply Rmult_le_pos; lra).
  assert (S1 : sum T3 (fun i => let j := S i in / rho ^ (K * j)) <= 2 * w * (27 / 25)).
  { apply Rle_trans with (sum T3 (fun _ => 27 / 25)); [|rewrite sum_const; apply Rmult_le_compat_r; lra].
    apply sum_le. intros i Hi. cbv zeta.
    assert (J : INR (K * S i) * (e * mu) <= 2 / 27).
    { rewrite mult_INR. assert (INR (S i) <= INR T3) by (apply le_INR; lia).
      assert (NK * (e * mu) * INR (S i) <= NK * (e * mu) * (2 * w)).
      { apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|lra]. } lra. }
    assert (Z : / (1 - INR (K * S i) * (e * mu)) <= 27 / 25).
    { replace (27 / 25) with (/ (25 / 27)) by field. apply Rinv_le_contravar; lra. }
    eapply Rle_trans; [apply Pw|exact Z]; [apply Rinv_0_lt_compat; lra|lra]. }
  assert (S2 : sum K (fun i => / rho ^ i) <= NK * (27 / 26)).
  { rewrite <- sum_const. apply sum_le. intros i Hi.
    assert (J : INR i * (e * mu) <= 1 / 27).
    { assert (INR i <= NK) by (apply le_INR; lia).
      assert (INR i * (e * mu) <= NK * (e * mu)) by (apply Rmult_le_compat_r; lra). lra. }
    assert (Z : / (1 - INR i * (e * mu)) <= 27 / 26).
    { replace (27 / 26) with (/ (26 / 27)) by field. apply Rinv_le_contravar; lra. }
    eapply Rle_trans; [apply Pw|exact Z]; [apply Rinv_0_lt_compat; lra|lra]. }
  set (s1 := sum T3 _) in *. set (s2 := sum K _) in *.
  apply Rmult_le_reg_l with (2 * e); [lra|]. rewrite Rmult_0_r.
  replace (2 * e * (1 / (2 * e) - L / 2 - e * NK * X * s1 - e * Y * s2))
    with (1 - e * L - 2 * (e * e * (NK * X)) * s1 - 2 * (e * e * Y) * s2) by (field; lra).
  assert (ee : 0 <= e * e) by apply Rle_0_sqr.
  assert (aa : a * a <= 1 / 729).
  { replace (1 / 729) with (1 / 27 * (1 / 27)) by field. apply Rmult_le_compat; lra. }
  assert (B1 : 2 * (e * e * (NK * X)) * s1 <= 27 / 25 * (608 * (a * a))).
  { apply Rle_trans with (2 * (e * e * (NK * X)) * (2 * w * (27 / 25))).
    - apply Rmult_le_compat_l; [|exact S1]. apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [exact ee|].
      apply Rmult_le_pos; lra.
    - replace (2 * (e * e * (NK * X)) * (2 * w * (27 / 25)))
        with (27 / 25 * (480 * (e * e * (C ^ 9 * zeta ^ 2 * NP * NK ^ 2) / (Np * Np))
          + 128 * (e * e * (C ^ 11 * L ^ 2 * (NP * NK)) / (Np * Np * B)))) by (unfold X, w; field; lra).
      assert (G2 : e * e * (C ^ 9 * zeta ^ 2 * NP * NK ^ 2) / (Np * Np) <= a * a).
      { apply Rmult_le_reg_r with (Np * Np); [apply Rmult_lt_0_compat; lra|].
        replace (e * e * (C ^ 9 * zeta ^ 2 * NP * NK ^ 2) / (Np * Np) * (Np * Np))
          with (e * e * (C ^ 9 * zeta ^ 2 * NP * NK ^ 2)) by (field; lra). exact F2. }
      assert (G3 : e * e * (C ^ 11 * L ^ 2 * (NP * NK)) / (Np * Np * B) <= a * a).
      { apply Rmult_le_reg_r with (Np * Np * B); [repeat apply Rmult_lt_0_compat; lra|].
        replace (e * e * (C ^ 11 * L ^ 2 * (NP * NK)) / (Np * Np * B) * (Np * Np * B))
          with (e * e * (C ^ 11 * L ^ 2 * (NP * NK))) by (field; lra). exact F3. }
      lra. }
  assert (B2 : 2 * (e * e * Y) * s2 <= 27 / 26 * (16 * (a * a))).
  { apply Rle_trans with (2 * (e * e * Y) * (NK * (27 / 26))).
    - apply Rmult_le_compat_l; [|exact S2]. apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; lra.
    - replace (2 * (e * e * Y) * (NK * (27 / 26)))
        with (27 / 26 * (8 * (e * e * (zeta ^ 2 * NK ^ 2)) + 8 * (e * e * (C ^ 2 * L ^ 2 * NK) / B)))
        by (unfold Y; field; lra).
      assert (G6 : e * e * (C ^ 2 * L ^ 2 * NK) / B <= a * a).
      { apply Rmult_le_reg_r with B; [lra|].
        replace (e * e * (C ^ 2 * L ^ 2 * NK) / B * B) with (e * e * (C ^ 2 * L ^ 2 * NK)) by (field; lra). exact F6. }
      lra. }
  lra.
Qed.
End Step.

(* ---- Runs ---- *)

Section Run.
Context {V : space}.
Variables (P p K b T : nat).
Hypothesis Hp : (1 <= p)%nat.
Hypothesis HpP : (p <= P)%nat.
Hypothesis HK : (1 <= K)%nat.
Hypothesis Hb : (1 <= b)%nat.
Variables (data : nat -> nat) (f : nat -> nat -> V -> R) (grad : nat -> nat -> V -> V) (L mu fstar eta r theta : R).
Hypothesis enough_data : forall i, (i < P)%nat -> (K * b <= data i)%nat.
Hypothesis smoothness : data_smooth P data f grad L.
Notation F := (objective P (client_objective data f)).
Notation grad_f := (gradient P (client_gradient data grad)).
Hypothesis pl : polyak mu fstar F grad_f.
Hypothesis He : 0 < eta.
(* theta is the part of the gradient that is kept: 1/2 for Theorem 8, 0 for Remark 34. *)
Hypothesis Htheta : 0 <= theta <= 1.
Notation rho := (1 - (1 - theta) * (eta * mu)).
Hypothesis Hrho : 0 < rho <= 1.
Variables (noise : list round -> nat -> list batch -> V) (start : V * (nat -> V)).
Hypothesis noise_r : forall past i before, norm (noise past i before) <= r.
Variable past : list round.
Hypothesis Pp : possible (fledge_history P p K b data T) past.
Notation run := (fledge P p K b eta noise data grad start).
Notation after t := (at_time t past).
Notation x t k := (step_point P p K b data grad eta noise start k (after (S t))).
Notation v t k := (add (estimate P (run (after t))) (step_change b P p K data grad eta noise start k (after (S t)))).
Notation moved t k := (sq (sub (x t (S k)) (x t k))).
Notation total t a := (sum t (fun s => sum K (fun k => step_weight rho K t s k * a s k))).

(* lines 3244-3267 at each step, and 3269-3308 *)
Lemma run_unrolled t : (t <= T)%nat ->
  F (fst (run (after t))) - fstar + theta * eta / 2 * total t (fun s k => sq (grad_f (x s k)))
  <= rho ^ (t * K) * (F (fst start) - fstar) + eta * total t (fun s k => sq (sub (v s k) (grad_f (x s k))))
     - (1 / (2 * eta) - L / 2) * total t (fun s k => moved s k) + total t (fun _ _ => r * r / eta).
Proof.
  intro Ht.
  set (u := fun s k => match k with O => F (fst (run (after s))) - fstar | S _ => F (x s k) - fstar end).
  set (a := fun s k => eta * sq (sub (v s k) (grad_f (x s k))) - (1 / (2 * eta) - L / 2) * moved s k + r * r / eta
    - theta * eta / 2 * sq (grad_f (x s k))).
  assert (X0 : forall s, (s < T)%nat -> x s 0%nat = fst (run (after s))).
  { intros s Hs. apply (round_ends P p K b Hp HpP HK Hb data grad eta noise start T past Pp s Hs). }
  pose proof (steps_unrolled rho K Hrho t u a) as H.
  assert (Step : forall s k, (s < t)%nat -> (k < K)%nat -> u s (S k) <= rho * u s k + a s k).
  { intros s k Hs Hk.
    pose proof (step_descent P p K b T Hp HpP HK Hb data f grad L eta r enough_data smoothness He noise start noise_r past
      Pp s k ltac:(lia) Hk) as D.
    assert (U : u s k = F (x s k) - fstar). { unfold u. destruct k; [|reflexivity]. rewrite X0 by lia. reflexivity. }
    rewrite U. change (u s (S k)) with (F (x s (S k)) - fstar). unfold a.
    pose proof (pl (x s k)) as Q. set (g := sq (grad_f (x s k))) in *. set (d := F (x s k) - fstar) in *.
    assert (Y : (1 - theta) * (eta / 2 * (2 * mu * d)) <= (1 - theta) * (eta / 2 * g)).
    { apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; [lra|exact Q]. }
    unfold d in *. lra. }
  assert (Ends : forall s, (s < t)%nat -> u (S s) 0%nat = u s K).
  { intros s Hs. unfold u. destruct K as [|k] eqn:E; [lia|]. rewrite <- E in *.
    destruct (round_ends P p K b Hp HpP HK Hb data grad eta noise start T past Pp s ltac:(lia)) as [Z _].
    rewrite Z. reflexivity. }
  specialize (H Step Ends). change (u t 0%nat) with (F (fst (run (after t))) - fstar) in H.
  replace (u 0%nat 0%nat) with (F (fst start) - fstar) in H.
  2:{ unfold u. rewrite at_time_none. reflexivity. }
  assert (E : total t a = eta * total t (fun s k => sq (sub (v s k) (grad_f (x s k))))
    - (1 / (2 * eta) - L / 2) * total t (fun s k => moved s k) + total t (fun _ _ => r * r / eta)
    - theta * eta / 2 * total t (fun s k => sq (grad_f (x s k)))).
  { rewrite <- !sum_mul, <- sum_sub, <- sum_add, <- sum_sub. apply sum_ext. intros s _.
    rewrite <- !sum_mul, <- sum_sub, <- sum_add, <- sum_sub. apply sum_ext. intros k _. unfold a. ring. }
  rewrite E in H. lra.
Qed.
End Run.

(* ---- Lemma 24 inserted ---- *)

Section Printed.
Context {V : space}.
Variables (n b P p d T K : nat).
Hypothesis Hp : (1 <= p)%nat.
Hypothesis HpP : (p <= P)%nat.
Hypothesis HK : (1 <= K)%nat.
Hypothesis Hb : (1 <= b)%nat.
Hypothesis Hn : (K * b <= n)%nat.
Hypothesis Hd : (1 <= d)%nat.
Hypothesis HT : (1 <= T)%nat.
Variables (data : nat -> nat) (f : nat -> nat -> V -> R) (grad : nat -> nat -> V -> V) (x0 : V)
  (L zeta sigma G_ mu fstar : R).
Hypothesis enough_data : forall i, (i < P)%nat -> (K * b <= data i)%nat.
Hypothesis HL : 0 < L.
Hypothesis Hmu : 0 < mu.
Hypothesis smoothness : data_smooth P data f grad L.
Notation G := (client_gradient data grad).
Notation F := (objective P (client_objective data f)).
Notation grad_f := (gradient P G).
Hypothesis pl : polyak mu fstar F grad_f.
Hypothesis zeta0 : 0 <= zeta.
Hypothesis het : heterogeneous P G zeta.
Notation dev i j x := (sub (grad i j x) (G i x)).
(* Assumption 3 (ii) of the appendix (lines 893-897) *)
Hypothesis mean_square : forall i x, (i < P)%nat ->
  sum (data i) (fun j => sq (dev i j x)) <= INR (data i) * (sigma * sigma).
Hypothesis largest : forall i j x, (i < P)%nat -> (j < data i)%nat -> norm (dev i j x) <= G_.
Variables (nu c : R).
Hypothesis Hnu : 0 < nu < 1.
Hypothesis Hc : 11 <= c.
Notation l := (log_all nu n P d T K).
Notation C := (c * log_all nu n P d T K).
Notation NP := (INR P).
Notation Np := (INR p).
Notation NK := (INR K).
Notation B := (INR b).
Notation M := (INR (K * b)).
Notation C' := (10 / 11 * c * log_all nu n P d T K).
Notation T3 := (ceiling (NP / Np * C')).
(* The floor of Lemma 24, and the term of Option I *)
Definition error_floor (C : R) : R := 8 * C ^ 2 / (NP * M) * (sigma ^ 2 + G_ ^ 2 / (NP * M)).
Definition error_start (C sigma_c G_c : R) : R :=
  96 * C ^ 2 * (sigma ^ 2 / (Np * M) + G_ ^ 2 / (Np * M) ^ 2 + sigma_c ^ 2 / Np + G_c ^ 2 / Np ^ 2).

Lemma less_logarithm : 1 <= l /\ 10 <= C' /\ C' = 10 / 11 * C /\ C' + 1 <= C /\ INR T3 <= NP / Np * C /\
  (T3 <= ceiling (NP / Np * C))%nat /\ NP / Np * C' <= INR T3 <= NP / Np * C' + 1 /\ 1 <= NP / Np.
Proof.
  destruct (rate_sizes P p K b Hp HpP HK Hb) as [P1 [[p1 pP] [K1 [b1 [M0 _]]]]]. assert (N1 : (1 <= n)%nat) by nia.
  assert (HP : (1 <= P)%nat) by lia.
  pose proof (log_all_above nu n P d T K ltac:(lra) N1 HP Hd HT HK) as A.
  assert (C5 : 11 * l <= C) by (apply Rmult_le_compat_r; lra).
  assert (E : C' = 10 / 11 * C) by ring.
  assert (PP : 1 <= NP / Np).
  { apply Rmult_le_reg_r with Np; [lra|]. replace (NP / Np * Np) with NP by (field; lra). lra. }
  assert (Q : 0 <= NP / Np * C') by (apply Rmult_le_pos; lra).
  pose proof (ceiling_above (NP / Np * C')) as U. pose proof (ceiling_below (NP / Np * C') Q) as W.
  assert (Z : NP / Np * (C' + 1) <= NP / Np * C) by (apply Rmult_le_compat_l; lra).
  assert (Y : INR T3 <= NP / Np * C) by lra.
  assert (X : (T3 <= ceiling (NP / Np * C))%nat).
  { apply INR_le. eapply Rle_trans; [exact Y|]. apply ceiling_above. }
  repeat split; try assumption; lra.
Qed.
Lemma floors_less sigma_c G_c : 0 <= error_floor C' <= error_floor C /\
  0 <= error_start C' sigma_c G_c <= error_start C sigma_c G_c.
Proof.
  destruct (rate_sizes P p K b Hp HpP HK Hb) as [P1 [[p1 pP] [K1 [b1 [M0 _]]]]].
  destruct less_logarithm as [l1 [C5 [_ [CC _]]]]. unfold error_floor, error_start. rewrite mult_INR.
  assert (p2 : 0 <= C' ^ 2 <= C ^ 2) by (split; [apply pow_le; lra|apply pow_incr; lra]).
  assert (i1 : 0 < / (Np * (NK * B))) by (apply Rinv_0_lt_compat; repeat apply Rmult_lt_0_compat; lra).
  assert (i2 : 0 < / Np) by (apply Rinv_0_lt_compat; lra).
  assert (i3 : 0 < / (Np * (NK * B)) ^ 2) by (apply Rinv_0_lt_compat, pow_lt; repeat apply Rmult_lt_0_compat; lra).
  assert (i4 : 0 < / Np ^ 2) by (apply Rinv_0_lt_compat, pow_lt; lra).
  assert (i5 : 0 < / (NP * (NK * B))) by (apply Rinv_0_lt_compat; repeat apply Rmult_lt_0_compat; lra).
  set (y := sigma ^ 2 / (Np * (NK * B)) + G_ ^ 2 / (Np * (NK * B)) ^ 2 + sigma_c ^ 2 / Np + G_c ^ 2 / Np ^ 2).
  assert (y0 : 0 <= y).
  { unfold y, Rdiv. repeat apply Rplus_le_le_0_compat; apply Rmult_le_pos; try apply pow2_ge_0; lra. }
  set (g := sigma ^ 2 + G_ ^ 2 / (NP * (NK * B))).
  assert (g0 : 0 <= g).
  { unfold g, Rdiv. apply Rplus_le_le_0_compat; [apply pow2_ge_0|apply Rmult_le_pos; [apply pow2_ge_0|lra]]. }
  assert (h : 0 <= 8 * C' ^ 2 / (NP * (NK * B)) <= 8 * C ^ 2 / (NP * (NK * B))).
  { unfold Rdiv. split; [apply Rmult_le_pos; lra|]. apply Rmult_le_compat_r; lra. }
  repeat split; try (apply Rmult_le_pos; lra); apply Rmult_le_compat_r; lra.
Qed.

Section Deterministic.
Variables (eta r theta : R).
Hypothesis He : 0 < eta.
Hypothesis Htheta : 0 <= theta <= 1.
Notation rho := (1 - (1 - theta) * (eta * mu)).
Hypothesis Hrho : 0 < rho <= 1.
Hypothesis half : 1 / 2 <= rho ^ K.
Variables (noise : list round -> nat -> list batch -> V) (start : V * (nat -> V)).
Hypothesis noise_r : forall past i before, norm (noise past i before) <= r.
Variables (past : list round) (sigma_c G_c : R) (first : bool).
Hypothesis Pp : possible (fledge_history P p K b data T) past.
Notation run := (fledge P p K b eta noise data grad start).
Notation after t := (at_time t past).
Notation x t k := (step_point P p K b data grad eta noise start k (after (S t))).
Notation v t k := (add (estimate P (run (after t))) (step_change b P p K data grad eta noise start k (after (S t)))).
Notation total t a := (sum t (fun s => sum K (fun k => step_weight rho K t s k * a s k))).
Notation i0 C := (if first then error_start C sigma_c G_c else 0).
Hypothesis errors : forall t k, (t < T)%nat -> (k <= K)%nat -> sq (sub (v t k) (grad_f (x t k)))
  <= (120 * C' ^ 8 * zeta ^ 2 * NK / Np + 32 * C' ^ 10 * L ^ 2 / (Np * B))
      * sum t (fun s => if (t - T3 <=? s)%nat then sum K (fun l => sq (sub (x s (S l)) (x s l))) else 0)
    + (4 * zeta ^ 2 * NK + 4 * C' ^ 2 * L ^ 2 / B) * sum k (fun l => sq (sub (x t (S l)) (x t l)))
    + error_floor C' + (if (S t <=? T3)%nat then i0 C' else 0).
Lemma total_mono t a a' : (forall s k, (s < t)%nat -> (k < K)%nat -> a s k <= a' s k) -> total t a <= total t a'.
Proof.
  intro H. apply sum_le. intros s Hs. apply sum_le. intros k Hk. apply Rmult_le_compat_l; [|apply H; assumption].
  apply pow_le. lra.
Qed.
Lemma run_inserted t : (t <= T)%nat ->
  F (fst (run (after t))) - fstar + theta * eta / 2 * total t (fun s k => sq (grad_f (x s k)))
  <= rho ^ (t * K) * (F (fst start) - fstar)
     - pl_coefficient P p K b L zeta eta C rho * total t (fun s k => sq (sub (x s (S k)) (x s k)))
     + total t (fun _ _ => r * r / eta + eta * error_floor C)
     + eta * total t (fun s _ => if (S s <=? T3)%nat then i0 C else 0).
Proof.
  intro Ht. destruct (rate_sizes P p K b Hp HpP HK Hb) as [P1 [[p1 pP] [K1 [b1 [M0 _]]]]].
  destruct less_logarithm as [l1 [C5 [EC [CC [R3 [T33 [W PP]]]]]]]. destruct (floors_less sigma_c G_c) as [[f0 f1] [s0 s1]].
  pose proof (run_unrolled P p K b T Hp HpP HK Hb data f grad L mu fstar eta r theta enough_data smoothness pl He Htheta
    Hrho noise start noise_r past Pp t Ht) as U.
  assert (iN : 0 < / Np) by (apply Rinv_0_lt_compat; lra). assert (iB : 0 < / B) by (apply Rinv_0_lt_compat; lra).
  assert (iNB : 0 < / (Np * B)) by (apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra).
  assert (z2 : 0 <= zeta ^ 2) by apply pow2_ge_0. assert (L2 : 0 <= L ^ 2) by apply pow2_ge_0.
  assert (q2 : 0 <= C' ^ 2) by (apply pow_le; lra). assert (q8 : 0 <= C' ^ 8) by (apply pow_le; lra).
  assert (q10 : 0 <= C' ^ 10) by (apply pow_le; lra).
  set (A' := 120 * C' ^ 8 * zeta ^ 2 * NK / Np + 32 * C' ^ 10 * L ^ 2 / (Np * B)) in *.
  set (B' := 4 * zeta ^ 2 * NK + 4 * C' ^ 2 * L ^ 2 / B) in *.
  assert (A0 : 0 <= A') by (unfold A', Rdiv; apply Rplus_le_le_0_compat; repeat apply Rmult_le_pos; lra).
  assert (B0 : 0 <= B') by (unfold B', Rdiv; apply Rplus_le_le_0_compat; repeat apply Rmult_le_pos; lra).
  set (A1 := 120 * C ^ 8 * zeta ^ 2 * NK / Np + 32 * C ^ 10 * L ^ 2 / (Np * B)).
  set (B1 := 4 * zeta ^ 2 * NK + 4 * C ^ 2 * L ^ 2 / B).
  assert (A2 : 2 * A' <= A1).
  { assert (p8 : 2 * C' ^ 8 <= C ^ 8).
    { rewrite EC, Rpow_mult_distr. pose proof (pow_le C 8 ltac:(lra)). simpl ((10 / 11) ^ 8). lra. }
    assert (p10 : 2 * C' ^ 10 <= C ^ 10).
    { rewrite EC, Rpow_mult_distr. pose proof (pow_le C 10 ltac:(lra)). simpl ((10 / 11) ^ 10). lra. }
    apply Rle_trans with (120 * (2 * C' ^ 8) * zeta ^ 2 * NK / Np + 32 * (2 * C' ^ 10) * L ^ 2 / (Np * B));
      [unfold A'; right; field; lra|]. unfold A1, Rdiv. apply Rplus_le_compat.
    - apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat_r; lra.
    - apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat_r; lra. }
  assert (B2 : B' <= B1).
  { assert (C' ^ 2 <= C ^ 2) by (apply pow_incr; lra). unfold B', B1, Rdiv. apply Rplus_le_compat_l.
    apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat_r; lra. }
  pose proof (errors_discounted_steps rho K T3 Hrho HK t A' B' (error_floor C') (i0 C')
    (fun s k => sq (sub (x s (S k)) (x s k))) (fun s k => sq (sub (v s k) (grad_f (x s k)))) A0 B0
    (fun s k => sq_nonneg _) (fun s k Hs Hk => errors s k (Nat.lt_le_trans _ _ _ Hs Ht) (Nat.lt_le_incl _ _ Hk))) as E.
  cbv zeta in E.
  set (Es := total t (fun s k => sq (sub (v s k) (grad_f (x s k))))) in *.
  set (Ms := total t (fun s k => sq (sub (x s (S k)) (x s k)))) in *.
  assert (M1 : 0 <= Ms).
  { apply sum_nonneg. intros s _. apply sum_nonneg. intros k _. apply Rmult_le_pos; [apply pow_le; lra|apply sq_nonneg]. }
  assert (S2 : 0 <= sum K (fun j => / rho ^ j)).
  { apply sum_nonneg. intros j _. left. apply Rinv_0_lt_compat, pow_lt. lra. }
  assert (iq : 0 < / rho ^ K <= 2).
  { split; [apply Rinv_0_lt_compat; lra|]. replace 2 with (/ (1 / 2)) by field. apply Rinv_le_contravar; lra. }
  assert (S3 : 0 <= sum T3 (fun j => / (rho ^ K) ^ S j)
    <= sum (ceiling (NP / Np * C)) (fun i => let j := S i in / rho ^ (K * j))).
  { assert (Pos : forall j, 0 <= / (rho ^ K) ^ S j) by (intro; left; apply Rinv_0_lt_compat, pow_lt; lra).
    split; [apply sum_nonneg; intros; apply Pos|].
    eapply Rle_trans; [apply (sum_grows _ _ _ Pos T33)|]. right. apply sum_ext. intros j _. cbv zeta. rewrite pow_mult. reflexivity. }
  unfold pl_coefficient. destruct S3 as [S3 S34].
  set (s3 := sum T3 (fun j => / (rho ^ K) ^ S j)) in *.
  set (s4 := sum (ceiling (NP / Np * C)) (fun i => let j := S i in / rho ^ (K * j))) in *.
  set (s2 := sum K (fun j => / rho ^ j)) in *.
  assert (X : A' * (NK * / rho ^ K) * s3 + B' * s2 <= NK * A1 * s4 + B1 * s2).
  { apply Rplus_le_compat; [|apply Rmult_le_compat_r; assumption].
    apply Rle_trans with (A' * (NK * 2) * s4).
    - apply Rmult_le_compat; [|exact S3| |exact S34].
      + apply Rmult_le_pos; [assumption|]. apply Rmult_le_pos; lra.
      + apply Rmult_le_compat_l; [assumption|]. apply Rmult_le_compat_l; lra.
    - replace (A' * (NK * 2) * s4) with (NK * (2 * A') * s4) by ring. apply Rmult_le_compat_r; [lra|].
      apply Rmult_le_compat_l; lra. }
  apply (Rmult_le_compat_r Ms) in X; [|assumption].
  assert (Y : total t (fun _ _ => error_floor C') <= total t (fun _ _ => error_floor C))
    by (apply total_mono; intros; assumption).
  assert (Z : total t (fun s _ => if (S s <=? T3)%nat then i0 C' else 0)
    <= total t (fun s _ => if (S s <=? T3)%nat then i0 C else 0)).
  { apply total_mono. intros s k _ _. destruct (S s <=? T3)%nat; [|lra]. destruct first; lra. }
  set (y1 := total t (fun _ _ => error_floor C')) in *. set (z1 := total t (fun s _ => if (S s <=? T3)%nat then i0 C' else 0)) in *.
  set (z2' := total t (fun s _ => if (S s <=? T3)%nat then i0 C else 0)) in *.
  assert (E2 : total t (fun _ _ => r * r / eta + eta * error_floor C)
    = total t (fun _ _ => r * r / eta) + eta * total t (fun _ _ => error_floor C)).
  { rewrite <- !sum_mul, <- sum_add. apply sum_ext. intros s _. rewrite <- !sum_mul, <- sum_add. apply sum_ext.
    intros k _. ring. }
  rewrite E2. set (y2 := total t (fun _ _ => error_floor C)) in *.
  assert (Q : eta * Es <= eta * ((NK * A1 * s4 + B1 * s2) * Ms + y2 + z2')) by (apply Rmult_le_compat_l; lra).
  change (sum K (fun i => / rho ^ i)) with s2. fold A1 B1.
  replace ((1 / (2 * eta) - L / 2 - eta * NK * A1 * s4 - eta * B1 * s2) * Ms)
    with ((1 / (2 * eta) - L / 2) * Ms - eta * ((NK * A1 * s4 + B1 * s2) * Ms)) by ring.
  lra.
Qed.
(* Where the coefficient is not negative *)
Lemma run_final t : (t <= T)%nat -> theta < 1 -> 0 <= pl_coefficient P p K b L zeta eta C rho -> 0 <= error_floor C ->
  F (fst (run (after t))) - fstar + theta * eta / 2 * total t (fun s k => sq (grad_f (x s k)))
  <= rho ^ (t * K) * (F (fst start) - fstar)
     + / ((1 - theta) * (eta * mu)) * (r * r / eta + eta * error_floor C)
     + (if first then eta * (NK * (NP / Np * C) * error_start C sigma_c G_c * Rpower rho ((INR t - NP / Np * C) * NK))
        else 0).
Proof.
  intros Ht th Co f0. destruct less_logarithm as [l1 [C5 [EC [CC [R3 _]]]]].
  destruct (floors_less sigma_c G_c) as [_ [s0 s1]].
  pose proof (run_inserted t Ht) as H. pose proof (weights_total rho K HK t) as W.
  set (Ms := total t (fun s k => sq (sub (x s (S k)) (x s k)))) in *.
  assert (M1 : 0 <= Ms).
  { apply sum_nonneg. intros s _. apply sum_nonneg. intros k _. apply Rmult_le_pos; [apply pow_le; lra|apply sq_nonneg]. }
  assert (Co' : 0 <= pl_coefficient P p K b L zeta eta C rho * Ms) by (apply Rmult_le_pos; assumption).
  set (g := r * r / eta + eta * error_floor C).
  assert (g0 : 0 <= g).
  { unfold g. apply Rplus_le_le_0_compat; [|apply Rmult_le_pos; lra].
    apply Rmult_le_pos; [apply Rle_0_sqr|left; apply Rinv_0_lt_compat, He]. }
  assert (E : total t (fun _ _ => r * r / eta + eta * error_floor C) = g * sum t (fun s => sum K (fun k => step_weight rho K t s k))).
  { rewrite <- sum_mul. apply sum_ext. intros s _. rewrite <- sum_mul. apply sum_ext. intros k _. fold g. ring. }
  set (w := sum t (fun s => sum K (fun k => step_weight rho K t s k))) in *.
  assert (em : 0 < (1 - theta) * (eta * mu)) by (repeat apply Rmult_lt_0_compat; lra).
  assert (w1 : w <= / ((1 - theta) * (eta * mu))).
  { apply Rmult_le_reg_l with ((1 - theta) * (eta * mu)); [exact em|]. rewrite Rinv_r by lra.
    pose proof (pow_le rho (t * K) ltac:(lra)). lra. }
  apply (Rmult_le_compat_l _ _ _ g0) in w1. cbv beta in H, E. rewrite E in H.
  assert (Z : eta * total t (fun s _ => if (S s <=? T3)%nat then i0 C else 0)
    <= if first then eta * (NK * (NP / Np * C) * error_start C sigma_c G_c * Rpower rho ((INR t - NP / Np * C) * NK))
       else 0).
  { destruct first.
    - apply Rmult_le_compat_l; [lra|]. apply (first_weights rho K T3 Hrho HK); [exact (Rle_trans _ _ _ s0 s1)|exact R3].
    - right. rewrite (sum_ext t _ (fun _ => 0)); [rewrite sum_const; ring|]. intros s _.
      rewrite (sum_ext K _ (fun _ => 0)); [rewrite sum_const; ring|]. intros k _. destruct (_ <=? _)%nat; ring. }
  lra.
Qed.
End Deterministic.

(* ---- Both options ---- *)

Definition errors_bounded eta noise start past (i0 : R) : Prop :=
  let after t := at_time t past in
  let x t k := step_point P p K b data grad eta noise start k (after (S t)) in
  let v t k := add (estimate P (fledge P p K b eta noise data grad start (after t)))
    (step_change b P p K data grad eta noise start k (after (S t))) in
  forall t k, (t < T)%nat -> (k <= K)%nat -> sq (sub (v t k) (grad_f (x t k)))
  <= (120 * C' ^ 8 * zeta ^ 2 * NK / Np + 32 * C' ^ 10 * L ^ 2 / (Np * B))
      * sum t (fun s => if (t - T3 <=? s)%nat then sum K (fun l => sq (sub (x s (S l)) (x s l))) else 0)
    + (4 * zeta ^ 2 * NK + 4 * C' ^ 2 * L ^ 2 / B) * sum k (fun l => sq (sub (x t (S l)) (x t l)))
    + error_floor C' + (if (S t <=? T3)%nat then i0 else 0).
Lemma likely_II eta (noise : (nat -> batch) -> list round -> nat -> list batch -> V) (Q : _ -> Prop) :
  (forall J past, possible (fledge_history P p K b data T) past ->
    errors_bounded eta (noise J) (fledge_start_II K b data grad x0 J) past 0 -> Q (J, past)) ->
  with_probability (fledge_history_II P p K b data T) (1 - 7 * nu) Q.
Proof.
  intro H. destruct less_logarithm as [l1 [C5 [EC [CC [R3 [T33 [W PP]]]]]]].
  pose proof (data_lip P data f grad L smoothness) as lip. assert (L0 : 0 <= L) by lra.
  eapply with_probability_weaken; [apply Rle_refl| |apply (lemma_24_option_II n b P p d T K T3 Hp HpP HK Hb Hn Hd HT
    data grad x0 L zeta sigma G_ enough_data L0 lip zeta0 het mean_square largest eta nu (10 / 11 * c) Hnu W noise
    ltac:(lra))].
  intros o [J0 [PJ [past [Pp e]]]] X. simpl in e. subst o. refine (H J0 past Pp _).
  unfold errors_bounded. cbv zeta. intros t k Ht Hk.
  eapply Rle_trans; [apply (X t k Ht Hk)|]. destruct (S t <=? T3)%nat; rewrite Rplus_0_r; apply Rle_refl.
Qed.
Lemma likely_I eta (noise : batch -> (nat -> batch) -> list round -> nat -> list batch -> V) sigma_c G_c (Q : _ -> Prop) :
  deviation P G x0 <= sigma_c ^ 2 -> (forall i, (i < P)%nat -> norm (sub (G i x0) (grad_f x0)) <= G_c) ->
  (forall I0 J past, possible (fledge_history P p K b data T) past ->
    errors_bounded eta (noise I0 J) (fledge_start_I P p K b data grad x0 I0 J) past (error_start C' sigma_c G_c) ->
    Q (I0, J, past)) ->
  with_probability (fledge_history_I P p K b data T) (1 - 8 * nu) Q.
Proof.
  intros Hs HG H. destruct less_logarithm as [l1 [C5 [EC [CC [R3 [T33 [W PP]]]]]]].
  pose proof (data_lip P data f grad L smoothness) as lip. assert (L0 : 0 <= L) by lra.
  eapply with_probability_weaken; [apply Rle_refl| |apply (lemma_24_option_I n b P p d T K T3 Hp HpP HK Hb Hn Hd HT
    data grad x0 L zeta sigma G_ enough_data L0 lip zeta0 het mean_square largest eta nu (10 / 11 * c) Hnu W sigma_c G_c
    Hs HG noise ltac:(lra))].
  intros o [[I0 J0] [PJ [past [Pp e]]]] X. simpl in e. subst o. exact (H I0 J0 past Pp X).
Qed.

(* lines 3269-3308 *)
Theorem fledge_pl_unrolled eta r : 0 < eta -> eta * mu <= 1 -> 1 / 2 <= (1 - eta * mu / 2) ^ K ->
  let rho := 1 - eta * mu / 2 in
  let floor := 8 * C ^ 2 * eta / (NP * NK * B) * (sigma ^ 2 + G_ ^ 2 / (NP * NK * B)) in
  let total t (a : nat -> nat -> R) := sum t (fun s => sum K (fun k => rho ^ ((t - s) * K - S k) * a s k)) in
  let T_3 := NP / Np * C in
  (forall noise : (nat -> batch) -> list round -> nat -> list batch -> V,
   (forall J past i before, norm (noise J past i before) <= r) ->
   with_probability (fledge_history_II P p K b data T) (1 - 7 * nu) (fun o =>
     let start := fledge_start_II K b data grad x0 (fst o) in
     let x t k := step_point P p K b data grad eta (noise (fst o)) start k (at_time (S t) (snd o)) in
     let last t := fst (fledge P p K b eta (noise (fst o)) data grad start (at_time t (snd o))) in
     forall t, (t <= T)%nat ->
     F (last t) - fstar + eta / 4 * total t (fun s k => sq (grad_f (x s k)))
     <= rho ^ (t * K) * (F x0 - fstar)
        - pl_coefficient P p K b L zeta eta C rho * total t (fun s k => sq (sub (x s (S k)) (x s k)))
        + total t (fun _ _ => r ^ 2 / eta + floor)))
  /\ (forall (noise : batch -> (nat -> batch) -> list round -> nat -> list batch -> V) sigma_c G_c,
   (forall I0 J past i before, norm (noise I0 J past i before) <= r) ->
   deviation P G x0 <= sigma_c ^ 2 -> (forall i, (i < P)%nat -> norm (sub (G i x0) (grad_f x0)) <= G_c) ->
   with_probability (fledge_history_I P p K b data T) (1 - 8 * nu) (fun o =>
     let start := fledge_start_I P p K b data grad x0 (fst (fst o)) (snd (fst o)) in
     let chosen := noise (fst (fst o)) (snd (fst o)) in
     let x t k := step_point P p K b data grad eta chosen start k (at_time (S t) (snd o)) in
     let last t := fst (fledge P p K b eta chosen data grad start (at_time t (snd o))) in
     forall t, (t <= T)%nat ->
     F (last t) - fstar + eta / 4 * total t (fun s k => sq (grad_f (x s k)))
     <= rho ^ (t * K) * (F x0 - fstar)
        - pl_coefficient P p K b L zeta eta C rho * total t (fun s k => sq (sub (x s (S k)) (x s k)))
        + total t (fun _ _ => r ^ 2 / eta + floor)
        + 96 * C ^ 2 * eta * (sigma ^ 2 / (Np * NK * B) + G_ ^ 2 / (Np * NK * B) ^ 2 + sigma_c ^ 2 / Np + G_c ^ 2 / Np ^ 2)
          * total t (fun s _ => if Rle_dec (INR (S s)) T_3 then 1 else 0))).
Proof.
  intros He e1 half rho floor total T_3.
  destruct (rate_sizes P p K b Hp HpP HK Hb) as [P1 [[p1 pP] [K1 [b1 [M0 _]]]]].
  destruct less_logarithm as [l1 [C5 [EC [CC [R3 [T33 _]]]]]].
  assert (em : 0 < eta * mu) by (apply Rmult_lt_0_compat; assumption).
  assert (Er : 1 - (1 - 1 / 2) * (eta * mu) = rho) by (unfold rho; field).
  assert (r01 : 0 < rho <= 1) by (unfold rho; lra).
  assert (Ef : forall z, z * z / eta + eta * error_floor C = z ^ 2 / eta + floor).
  { intro z. unfold error_floor, floor. rewrite mult_INR. field. lra. }
  assert (Eh : 1 / 2 * eta / 2 = eta / 4) by field.
  assert (W0 : forall t s k, 0 <= rho ^ ((t - s) * K - S k)) by (intros; apply pow_le; lra).
  split.
  - intros noise Hr. apply (likely_II eta noise). intros J past Pp Er' start x last t Ht.
    pose proof (run_inserted eta r (1 / 2) He ltac:(lra)) as R. rewrite Er in R.
    specialize (R r01 half (noise J) (fledge_start_II K b data grad x0 J) (Hr J) past 0 0 false Pp Er' t Ht).
    rewrite Ef, Eh in R. eapply Rle_trans; [exact R|].
    rewrite (sum_ext t (fun s => sum K (fun k => step_weight rho K t s k * (if (S s <=? T3)%nat then 0 else 0)))
      (fun _ => 0)).
    + rewrite sum_const, Rmult_0_r, Rmult_0_r, Rplus_0_r. apply Rle_refl.
    + intros s _. rewrite (sum_ext K _ (fun _ => 0)); [rewrite sum_const; ring|]. intros k _.
      destruct (_ <=? _)%nat; ring.
  - intros noise sigma_c G_c Hr Hs HG. apply (likely_I eta noise sigma_c G_c _ Hs HG).
    intros I0 J past Pp Er' start chosen x last t Ht.
    pose proof (run_inserted eta r (1 / 2) He ltac:(lra)) as R. rewrite Er in R.
    specialize (R r01 half (noise I0 J) (fledge_start_I P p K b data grad x0 I0 J) (Hr I0 J) past sigma_c G_c true Pp Er'
      t Ht).
    rewrite Ef, Eh in R. eapply Rle_trans; [exact R|]. apply Rplus_le_compat_l.
    destruct (floors_less sigma_c G_c) as [_ [s0 s1]].
    replace (96 * C ^ 2 * eta * (sigma ^ 2 / (Np * NK * B) + G_ ^ 2 / (Np * NK * B) ^ 2 + sigma_c ^ 2 / Np + G_c ^ 2
      / Np ^ 2)) with (eta * error_start C sigma_c G_c).
    2:{ unfold error_start. rewrite mult_INR. replace (Np * (NK * B)) with (Np * NK * B) by ring. ring. }
    rewrite (Rmult_assoc eta (error_start C sigma_c G_c)). apply Rmult_le_compat_l; [lra|]. unfold total. rewrite <- sum_mul. apply sum_le. intros s _.
    rewrite <- sum_mul. apply sum_le. intros k _. specialize (W0 t s k). unfold step_weight.
    set (ww := rho ^ ((t - s) * K - S k)) in *.
    destruct (Nat.leb_spec (S s) T3) as [g|g]; destruct (Rle_dec (INR (S s)) T_3) as [h|h].
    + lra.
    + exfalso. apply h. apply le_INR in g. unfold T_3. lra.
    + rewrite Rmult_0_r, Rmult_1_r. apply Rmult_le_pos; lra.
    + lra.
Qed.

(* ---- The step size of the theorem ---- *)

Variables (a r eps : R).
Hypothesis Ha : 0 < a <= 1 / 27.
Hypothesis Hz : 0 < zeta.
Hypothesis Heps : 0 < eps.
Hypothesis Hr0 : 0 <= r.
Notation eta := (pl_printed_step_size a P p K b L zeta mu C).
Notation w := (NP / Np * C).
(* eta rho^{(t-T_3)K} 96 C_1^3 (...), the last term of Option I *)
Definition pl_start_share (rho t sigma_c G_c : R) : R :=
  eta * Rpower rho ((t - w) * NK) * (96 * C ^ 3) * (sigma ^ 2 * NP / (Np ^ 2 * B) + G_ ^ 2 * NP / (Np ^ 3 * NK * B ^ 2)
    + sigma_c ^ 2 * NP * NK / Np ^ 2 + G_c ^ 2 * NP * NK / Np ^ 3).
Lemma start_share_is rho t sigma_c G_c : eta * (NK * w * error_start C sigma_c G_c * Rpower rho ((t - w) * NK))
  = pl_start_share rho t sigma_c G_c.
Proof.
  destruct (rate_sizes P p K b Hp HpP HK Hb) as [P1 [[p1 pP] [K1 [b1 [M0 _]]]]].
  unfold pl_start_share, error_start. rewrite mult_INR. set (z := C). set (e := pl_printed_step_size _ _ _ _ _ _ _ _ _).
  set (y := Rpower _ _). field. lra.
Qed.
Lemma floor_share u q : 0 <= u -> 0 <= q -> C ^ 2 * sigma ^ 2 <= u * (NP * NK * B) -> C * G_ <= q * (NP * NK * B) ->
  0 <= G_ -> 0 <= error_floor C <= 8 * (u + q ^ 2).
Proof.
  intros u0 q0 Hu Hq g0. destruct (rate_sizes P p K b Hp HpP HK Hb) as [P1 [[p1 pP] [K1 [b1 [M0 _]]]]].
  destruct less_logarithm as [l1 [C5 [EC _]]].
  unfold error_floor. rewrite mult_INR. replace (NP * NK * B) with (NP * (NK * B)) in * by ring. set (D := NP * (NK * B)) in *.
  assert (D0 : 0 < D) by (apply Rmult_lt_0_compat; lra). assert (iD : 0 < / D) by (apply Rinv_0_lt_compat, D0).
  set (z := C) in *. assert (z0 : 0 < z) by (unfold z; lra).
  replace (8 * (z ^ 2 / D * (sigma ^ 2 + G_ ^ 2 / D))) with (8 * (z ^ 2 * sigma ^ 2 * / D + (z * G_ * / D) ^ 2))
    by (field; lra).
  assert (X1 : 0 <= z ^ 2 * sigma ^ 2 * / D <= u).
  { split; [apply Rmult_le_pos; [apply Rmult_le_pos; apply pow2_ge_0|lra]|].
    apply Rmult_le_reg_r with D; [exact D0|]. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (X2 : 0 <= z * G_ * / D <= q).
  { split; [apply Rmult_le_pos; [apply Rmult_le_pos; lra|lra]|].
    apply Rmult_le_reg_r with D; [exact D0|]. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (X3 : 0 <= (z * G_ * / D) ^ 2 <= q ^ 2) by (split; [apply pow2_ge_0|apply pow_incr; lra]). lra.
Qed.
Lemma G_nonneg : 0 <= G_.
Proof.
  specialize (enough_data 0%nat ltac:(lia)). apply Rle_trans with (norm (sub (grad 0%nat 0%nat x0) (G 0%nat x0)));
    [apply norm_nonneg|]. apply (largest 0%nat 0%nat x0); nia.
Qed.
Lemma C_above : 11 <= C.
Proof. destruct less_logarithm as [l1 _]. assert (11 * l <= C) by (apply Rmult_le_compat_r; lra). lra. Qed.

(* One run: theta = 1/2 for Theorem 8, 0 for Remark 34 *)
Lemma run_at_the_end theta noise start past sigma_c G_c (first : bool) t : theta = 1 / 2 \/ theta = 0 ->
  (forall past i before, norm (noise past i before) <= r) -> possible (fledge_history P p K b data T) past ->
  errors_bounded eta noise start past (if first then error_start C' sigma_c G_c else 0) -> (t <= T)%nat ->
  0 <= error_floor C ->
  let rho := 1 - (1 - theta) * (eta * mu) in
  let x t k := step_point P p K b data grad eta noise start k (at_time (S t) past) in
  F (fst (fledge P p K b eta noise data grad start (at_time t past))) - fstar
    + theta * eta / 2 * sum t (fun s => sum K (fun k => step_weight rho K t s k * sq (grad_f (x s k))))
  <= rho ^ (t * K) * (F (fst start) - fstar) + / ((1 - theta) * (eta * mu)) * (r * r / eta + eta * error_floor C)
     + (if first then pl_start_share rho (INR t) sigma_c G_c else 0).
Proof.
  intros Hth Hr Pp Er Ht f0 rho x.
  destruct (pl_step_facts P p K b a L zeta mu C Hp HpP HK Hb Ha HL Hz Hmu ltac:(pose proof C_above; lra)) as [e0 _].
  assert (th : 0 <= theta <= 1 /\ theta < 1 /\ 0 <= (1 - theta) <= 1) by (destruct Hth; lra).
  assert (em : 0 < eta * mu) by (apply Rmult_lt_0_compat; assumption).
  assert (R : 1 - eta * mu <= rho <= 1).
  { unfold rho. assert (0 <= (1 - theta) * (eta * mu)) by (apply Rmult_le_pos; lra).
    assert ((1 - theta) * (eta * mu) <= 1 * (eta * mu)) by (apply Rmult_le_compat_r; lra). lra. }
  destruct (pl_small P p K b a L zeta mu C rho Hp HpP HK Hb Ha HL Hz Hmu ltac:(pose proof C_above; lra) R)
    as [_ [_ [r01 [half _]]]].
  pose proof (pl_coefficient_nonneg P p K b a L zeta mu C rho Hp HpP HK Hb Ha HL Hz Hmu ltac:(pose proof C_above; lra) R)
    as Co.
  pose proof (run_final eta r theta e0 (proj1 th) r01 half noise start Hr past sigma_c G_c first Pp Er t Ht
    (proj1 (proj2 th)) Co f0) as H. rewrite start_share_is in H. exact H.
Qed.

Section Gradients.
Notation rho := (1 - eta * mu / 2).
Hypothesis Hr : r <= eta * eps / 8.
Hypothesis enough : 512 * C ^ 2 * sigma ^ 2 / eps ^ 2 + 64 * C * G_ / eps <= NP * NK * B.
Lemma shares_8 : 0 <= error_floor C /\ / ((1 - 1 / 2) * (eta * mu)) * (r * r / eta + eta * error_floor C)
  <= eps ^ 2 / (8 * mu).
Proof.
  destruct (pl_step_facts P p K b a L zeta mu C Hp HpP HK Hb Ha HL Hz Hmu ltac:(pose proof C_above; lra)) as [e0 _].
  pose proof G_nonneg as g0. pose proof C_above as C11. assert (e2 : 0 < eps ^ 2) by (apply pow_lt; assumption).
  assert (z1 : 0 <= 512 * C ^ 2 * sigma ^ 2 / eps ^ 2).
  { apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat, e2]. apply Rmult_le_pos; [|apply pow2_ge_0].
    pose proof (pow2_ge_0 C). lra. }
  assert (z2 : 0 <= 64 * C * G_ / eps).
  { apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat, Heps]. apply Rmult_le_pos; lra. }
  destruct (floor_share (eps ^ 2 / 512) (eps / 64)) as [f0 f1]; try assumption; try lra.
  - replace (C ^ 2 * sigma ^ 2) with (eps ^ 2 / 512 * (512 * C ^ 2 * sigma ^ 2 / eps ^ 2)) by (field; lra).
    apply Rmult_le_compat_l; lra.
  - replace (C * G_) with (eps / 64 * (64 * C * G_ / eps)) by (field; lra). apply Rmult_le_compat_l; lra.
  - split; [exact f0|]. set (e := pl_printed_step_size _ _ _ _ _ _ _ _ _) in *. set (fl := error_floor C) in *.
    clearbody e.
    assert (rr : r * r <= e * eps / 8 * (e * eps / 8)) by (apply Rmult_le_compat; lra).
    replace (/ ((1 - 1 / 2) * (e * mu)) * (r * r / e + e * fl)) with (2 * (r * r) * / (e * e * mu) + 2 * fl * / mu)
      by (field; lra).
    assert (im : 0 < / mu) by (apply Rinv_0_lt_compat, Hmu).
    assert (iem : 0 < / (e * e * mu)) by (apply Rinv_0_lt_compat; repeat apply Rmult_lt_0_compat; assumption).
    apply (Rmult_le_compat_r (/ (e * e * mu))) in rr; [|lra].
    replace (e * eps / 8 * (e * eps / 8) * / (e * e * mu)) with (/ mu * (eps ^ 2 / 64)) in rr by (field; lra).
    apply (Rmult_le_compat_r (/ mu)) in f1; [|lra].
    replace (eps ^ 2 / (8 * mu)) with (/ mu * (eps ^ 2 / 8)) by (field; lra).
    replace (8 * (eps ^ 2 / 512 + (eps / 64) ^ 2) * / mu) with (/ mu * (9 * eps ^ 2 / 512)) in f1 by (field; lra).
    assert (0 <= / mu * eps ^ 2) by (apply Rmult_le_pos; lra). lra.
Qed.
(* lines 3330-3343 *)
Theorem fledge_pl_final_inequality :
  let total t (g : nat -> nat -> R) := sum t (fun s => sum K (fun k => rho ^ ((t - s) * K - S k) * g s k)) in
  (forall noise : (nat -> batch) -> list round -> nat -> list batch -> V,
   (forall J past i before, norm (noise J past i before) <= r) ->
   with_probability (fledge_history_II P p K b data T) (1 - 7 * nu) (fun o =>
     let start := fledge_start_II K b data grad x0 (fst o) in
     let x t k := step_point P p K b data grad eta (noise (fst o)) start k (at_time (S t) (snd o)) in
     forall t, (t <= T)%nat ->
     F (fst (fledge P p K b eta (noise (fst o)) data grad start (at_time t (snd o)))) - fstar
       + eta / 4 * total t (fun s k => sq (grad_f (x s k)))
     <= eps ^ 2 / (8 * mu) + rho ^ (t * K) * (F x0 - fstar)))
  /\ (forall (noise : batch -> (nat -> batch) -> list round -> nat -> list batch -> V) sigma_c G_c,
   (forall I0 J past i before, norm (noise I0 J past i before) <= r) ->
   deviation P G x0 <= sigma_c ^ 2 -> (forall i, (i < P)%nat -> norm (sub (G i x0) (grad_f x0)) <= G_c) ->
   with_probability (fledge_history_I P p K b data T) (1 - 8 * nu) (fun o =>
     let start := fledge_start_I P p K b data grad x0 (fst (fst o)) (snd (fst o)) in
     let chosen := noise (fst (fst o)) (snd (fst o)) in
     let x t k := step_point P p K b data grad eta chosen start k (at_time (S t) (snd o)) in
     forall t, (t <= T)%nat ->
     F (fst (fledge P p K b eta chosen data grad start (at_time t (snd o)))) - fstar
       + eta / 4 * total t (fun s k => sq (grad_f (x s k)))
     <= eps ^ 2 / (8 * mu) + rho ^ (t * K) * (F x0 - fstar) + pl_start_share rho (INR t) sigma_c G_c)).
Proof.
  intro total. destruct shares_8 as [f0 f1].
  assert (Er : 1 - (1 - 1 / 2) * (eta * mu) = rho) by field. assert (Eh : 1 / 2 * eta / 2 = eta / 4) by field. split.
  - intros noise Hr'. apply (likely_II eta noise). intros J past Pp E start x t Ht.
    pose proof (run_at_the_end (1 / 2) (noise J) (fledge_start_II K b data grad x0 J) past 0 0 false t (or_introl eq_refl)
      (Hr' J) Pp E Ht f0) as H. cbv zeta in H. rewrite Er, Eh in H. unfold total, x, start. cbn [fst snd].
    unfold step_weight in H. cbn [fledge_start_II fst] in H. lra.
  - intros noise sigma_c G_c Hr' Hs HG. apply (likely_I eta noise sigma_c G_c _ Hs HG).
    intros I0 J past Pp E start chosen x t Ht.
    pose proof (run_at_the_end (1 / 2) (noise I0 J) (fledge_start_I P p K b data grad x0 I0 J) past sigma_c G_c true t
      (or_introl eq_refl) (Hr' I0 J) Pp E Ht f0) as H. cbv zeta in H. rewrite Er, Eh in H.
    unfold total, x, start, chosen. cbn [fst snd].
    unfold step_weight in H. cbn [fledge_start_I fst] in H. lra.
Qed.

(* ---- Theorem 8 ---- *)

Lemma rho_facts : 0 < eta /\ 0 < eta * mu /\ 0 < rho <= 1.
Proof.
  destruct (pl_step_facts P p K b a L zeta mu C Hp HpP HK Hb Ha HL Hz Hmu ltac:(pose proof C_above; lra)) as [e0 _].
  assert (em : 0 < eta * mu) by (apply Rmult_lt_0_compat; assumption).
  destruct (pl_small P p K b a L zeta mu C 1 Hp HpP HK Hb Ha HL Hz Hmu ltac:(pose proof C_above; lra) ltac:(lra))
    as [_ [Ke _]].
  destruct (rate_sizes P p K b Hp HpP HK Hb) as [P1 [[p1 pP] [K1 _]]].
  assert (1 * (eta * mu) <= NK * (eta * mu)) by (apply Rmult_le_compat_r; lra).
  split; [exact e0|]. split; [exact em|]. lra.
Qed.
Lemma decayed y : 0 < y -> 2 * ln y / (eta * mu * NK) <= INR T -> rho ^ (T * K) * y <= 1.
Proof.
  intros y0 H. destruct rho_facts as [e0 [em r01]]. destruct (rate_sizes P p K b Hp HpP HK Hb) as [_ [_ [K1 _]]].
  set (e := pl_printed_step_size _ _ _ _ _ _ _ _ _) in *. clearbody e.
  assert (Pw : forall m, (1 - e * mu / 2) ^ m <= exp (- (INR m * (e * mu / 2)))).
  { induction m as [|m IH]; [simpl; rewrite Rmult_0_l, Ropp_0, exp_0; lra|]. rewrite S_INR. cbn [pow].
    replace (- ((INR m + 1) * (e * mu / 2))) with (- (e * mu / 2) + - (INR m * (e * mu / 2))) by ring.
    rewrite exp_plus. apply Rmult_le_compat; [lra|apply pow_le; lra| |exact IH].
    pose proof (exp_ineq1_le (- (e * mu / 2))). lra. }
  assert (L1 : ln y <= INR (T * K) * (e * mu / 2)).
  { rewrite mult_INR. assert (q : 0 < e * mu * NK) by (apply Rmult_lt_0_compat; lra).
    apply (Rmult_le_compat_r (e * mu * NK / 2)) in H; [|lra].
    replace (2 * ln y / (e * mu * NK) * (e * mu * NK / 2)) with (ln y) in H by (field; lra). lra. }
  apply Rle_trans with (exp (- (INR (T * K) * (e * mu / 2))) * y); [apply Rmult_le_compat_r; [lra|apply Pw]|].
  apply Rle_trans with (exp (- ln y) * y).
  - apply Rmult_le_compat_r; [lra|]. destruct L1 as [L1|L1]; [left; apply exp_increasing; lra|rewrite L1; lra].
  - rewrite exp_Ropp, exp_ln by exact y0. right. field. lra.
Qed.
(* line 3343: a share of the end *)
Theorem pl_share_decayed D X : 0 <= D -> ln (32 * mu * D / eps ^ 2) <= X -> 2 * X / (eta * mu * NK) <= INR T ->
  rho ^ (T * K) * D <= eps ^ 2 / (32 * mu).
Proof.
  intros D0 HX H. assert (e2 : 0 < eps ^ 2) by (apply pow_lt; assumption). destruct rho_facts as [e0 [em r01]].
  destruct (rate_sizes P p K b Hp HpP HK Hb) as [_ [_ [K1 _]]].
  assert (m32 : 0 < eps ^ 2 / (32 * mu)) by (apply Rmult_lt_0_compat; [assumption|apply Rinv_0_lt_compat; lra]).
  destruct (Rle_lt_dec D 0) as [z|z]; [replace D with 0 by lra; lra|].
  assert (y0 : 0 < 32 * mu * D / eps ^ 2).
  { apply Rmult_lt_0_compat; [repeat apply Rmult_lt_0_compat; lra|apply Rinv_0_lt_compat, e2]. }
  pose proof (decayed _ y0) as Q. assert (Q1 : rho ^ (T * K) * (32 * mu * D / eps ^ 2) <= 1).
  { apply Q. eapply Rle_trans; [|exact H]. unfold Rdiv. apply Rmult_le_compat_r; [|lra].
    left. apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra. }
  apply (Rmult_le_compat_r (eps ^ 2 / (32 * mu))) in Q1; [|lra].
  replace (rho ^ (T * K) * (32 * mu * D / eps ^ 2) * (eps ^ 2 / (32 * mu))) with (rho ^ (T * K) * D) in Q1
    by (field; lra).
  lra.
Qed.
(* The least gradient of a run (line 3344), and where it is at most eps *)
Lemma small_met (g : nat -> nat -> R) last D s : 0 <= last -> 2 * ln (8 / 5) / (eta * mu * NK) <= INR T ->
  last + eta / 4 * sum T (fun t => sum K (fun k => rho ^ ((T - t) * K - S k) * g t k))
    <= eps ^ 2 / (8 * mu) + rho ^ (T * K) * D + s ->
  rho ^ (T * K) * D <= eps ^ 2 / (32 * mu) -> s <= eps ^ 2 / (32 * mu) ->
  exists t k, (t < T)%nat /\ (k < K)%nat /\ g t k <= eps * eps.
Proof.
  intros l0 HT' H HD Hs. destruct rho_facts as [e0 [em r01]]. assert (e2 : 0 < eps ^ 2) by (apply pow_lt; assumption).
  pose proof (decayed (8 / 5) ltac:(lra) HT') as Q. pose proof (weights_total rho K HK T) as W.
  destruct (Classical_Prop.classic (exists t k, (t < T)%nat /\ (k < K)%nat /\ g t k <= eps * eps)) as [Y|No]; [exact Y|].
  exfalso. set (e := pl_printed_step_size _ _ _ _ _ _ _ _ _) in *. clearbody e.
  assert (Big : forall t k, (t < T)%nat -> (k < K)%nat -> eps * eps < g t k).
  { intros t k Ht Hk. apply Rnot_le_lt. intro Le. apply No. exists t, k. auto. }
  set (r0 := 1 - e * mu / 2) in *.
  assert (Up : eps * eps * sum T (fun t => sum K (fun k => step_weight r0 K T t k))
    < sum T (fun t => sum K (fun k => r0 ^ ((T - t) * K - S k) * g t k))).
  { assert (St : forall N h h', (1 <= N)%nat -> (forall i, (i < N)%nat -> h i < h' i) -> sum N h < sum N h').
    { intros N h h' HN Hh. destruct N as [|N]; [lia|]. clear HN. induction N as [|N IH].
      - cbn [sum]. specialize (Hh 0%nat ltac:(lia)). lra.
      - cbn [sum] in *. specialize (IH ltac:(intros; apply Hh; lia)). specialize (Hh (S N) ltac:(lia)). lra. }
    rewrite <- sum_mul. apply St; [exact HT|]. intros t Ht. rewrite <- sum_mul. apply St; [exact HK|]. intros k Hk.
    unfold step_weight. rewrite Rmult_comm. apply Rmult_lt_compat_l; [apply pow_lt; lra|apply Big; assumption]. }
  set (w0 := sum T (fun t => sum K (fun k => step_weight r0 K T t k))) in *.
  set (z := sum T _) in *.
  assert (Z : e / 4 * (eps * eps * w0) < e / 4 * z) by (apply Rmult_lt_compat_l; lra).
  assert (WE : e * w0 = 2 / mu * (1 - r0 ^ (T * K))).
  { rewrite <- W. unfold r0. field. lra. }
  assert (ZE : e / 4 * (eps * eps * w0) = eps ^ 2 / 4 * (e * w0)) by (clear; field). rewrite ZE, WE in Z.
  assert (Y : eps ^ 2 / (2 * mu) * (3 / 8) <= eps ^ 2 / (2 * mu) * (1 - r0 ^ (T * K))).
  { apply Rmult_le_compat_l; [|lra]. apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]. }
  replace (eps ^ 2 / 4 * (2 / mu * (1 - r0 ^ (T * K)))) with (eps ^ 2 / (2 * mu) * (1 - r0 ^ (T * K))) in Z by (field; lra).
  replace (eps ^ 2 / (2 * mu) * (3 / 8)) with (eps ^ 2 / (8 * mu) + (eps ^ 2 / (32 * mu) + eps ^ 2 / (32 * mu))) in Y
    by (field; lra).
  lra.
Qed.
(* lines 566-591 and 3193-3241 with the constants of lines 3310-3344 *)
Theorem theorem_8_printed : (forall x, fstar <= F x) ->
  let Delta := F x0 - fstar in
  (forall noise : (nat -> batch) -> list round -> nat -> list batch -> V,
   (forall J past i before, norm (noise J past i before) <= r) ->
   2 * Rmax (ln (8 / 5)) (ln (32 * mu * Delta / eps ^ 2)) / (eta * mu * NK) <= INR T ->
   with_probability (fledge_history_II P p K b data T) (1 - 7 * nu) (fun o =>
     let start := fledge_start_II K b data grad x0 (fst o) in
     exists t k, (t < T)%nat /\ (k < K)%nat /\ norm (grad_f (step_point P p K b data grad eta (noise (fst o)) start k
       (at_time (S t) (snd o)))) <= eps))
  /\ (forall (noise : batch -> (nat -> batch) -> list round -> nat -> list batch -> V) sigma_c G_c,
   (forall I0 J past i before, norm (noise I0 J past i before) <= r) ->
   deviation P G x0 <= sigma_c ^ 2 -> (forall i, (i < P)%nat -> norm (sub (G i x0) (grad_f x0)) <= G_c) ->
   let s := pl_start_share rho 0 sigma_c G_c in
   2 * Rmax (ln (8 / 5)) (Rmax (ln (32 * mu * Delta / eps ^ 2)) (ln (32 * mu * s / eps ^ 2))) / (eta * mu * NK) <= INR T ->
   with_probability (fledge_history_I P p K b data T) (1 - 8 * nu) (fun o =>
     let start := fledge_start_I P p K b data grad x0 (fst (fst o)) (snd (fst o)) in
     exists t k, (t < T)%nat /\ (k < K)%nat /\ norm (grad_f (step_point P p K b data grad eta
       (noise (fst (fst o)) (snd (fst o))) start k (at_time (S t) (snd o)))) <= eps)).
Proof.
  intros Inf Delta. destruct fledge_pl_final_inequality as [FII FI]. destruct rho_facts as [e0 [em r01]].
  assert (e2 : 0 < eps ^ 2) by (apply pow_lt; assumption).
  destruct (rate_sizes P p K b Hp HpP HK Hb) as [P1 [[p1 pP] [K1 [b1 _]]]].
  assert (d0 : 0 <= Delta) by (specialize (Inf x0); unfold Delta; lra).
  assert (iq : 0 < / (eta * mu * NK)) by (apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra).
  assert (Less : forall u v, u <= v -> 2 * v / (eta * mu * NK) <= INR T -> 2 * u / (eta * mu * NK) <= INR T).
  { intros u v Huv Hv. eapply Rle_trans; [|exact Hv]. unfold Rdiv. apply Rmult_le_compat_r; lra. }
  assert (m32 : 0 < eps ^ 2 / (32 * mu)) by (apply Rmult_lt_0_compat; [assumption|apply Rinv_0_lt_compat; lra]).
  split.
  - intros noise Hr' HT'. eapply with_probability_weaken; [apply Rle_refl| |apply (FII noise Hr')].
    intros o _ H. cbv zeta in H |- *. specialize (H T (Nat.le_refl T)).
    destruct (small_met (fun t k => sq (grad_f (step_point P p K b data grad eta (noise (fst o))
      (fledge_start_II K b data grad x0 (fst o)) k (at_time (S t) (snd o))))) _ Delta 0
      ltac:(specialize (Inf (fst (fledge P p K b eta (noise (fst o)) data grad (fledge_start_II K b data grad x0 (fst o))
        (at_time T (snd o))))); apply Rge_le, Rge_minus, Rle_ge, Inf)
      (Less _ _ (Rmax_l _ _) HT') ltac:(rewrite Rplus_0_r; exact H)
      (pl_share_decayed Delta _ d0 (Rmax_r _ _) HT') ltac:(lra)) as [t [k [Ht [Hk X]]]].
    exists t, k. split; [assumption|]. split; [assumption|]. apply norm_le; [lra|exact X].
  - intros noise sigma_c G_c Hr' Hs HG s HT'.
    eapply with_probability_weaken; [apply Rle_refl| |apply (FI noise sigma_c G_c Hr' Hs HG)].
    intros o _ H. cbv zeta in H |- *. specialize (H T (Nat.le_refl T)).
    assert (s0 : 0 <= s).
    { unfold s. rewrite <- start_share_is. destruct (floors_less sigma_c G_c) as [_ [s0 s1]].
      apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [|left; apply exp_pos]. apply Rmult_le_pos; [|lra].
      apply Rmult_le_pos; [lra|]. pose proof C_above. apply Rmult_le_pos; [|lra].
      apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]. }
    assert (sT : pl_start_share rho (INR T) sigma_c G_c = rho ^ (T * K) * s).
    { unfold s, pl_start_share. replace ((INR T - w) * NK) with (INR (T * K) + (0 - w) * NK)
        by (rewrite mult_INR; ring).
      rewrite Rpower_plus, Rpower_pow by lra. ring. }
    destruct (small_met (fun t k => sq (grad_f (step_point P p K b data grad eta (noise (fst (fst o)) (snd (fst o)))
      (fledge_start_I P p K b data grad x0 (fst (fst o)) (snd (fst o))) k (at_time (S t) (snd o))))) _ Delta _
      ltac:(specialize (Inf (fst (fledge P p K b eta (noise (fst (fst o)) (snd (fst o))) data grad
        (fledge_start_I P p K b data grad x0 (fst (fst o)) (snd (fst o))) (at_time T (snd o)))));
        apply Rge_le, Rge_minus, Rle_ge, Inf)
      (Less _ _ (Rmax_l _ _) HT') H
      (pl_share_decayed Delta _ d0 (Rle_trans _ _ _ (Rmax_l _ _) (Rmax_r _ _)) HT')
      ltac:(rewrite sT; apply (pl_share_decayed s _ s0 (Rle_trans _ _ _ (Rmax_r _ _) (Rmax_r _ _)) HT')))
      as [t [k [Ht [Hk X]]]].
    exists t, k. split; [assumption|]. split; [assumption|]. apply norm_le; [lra|exact X].
Qed.
End Gradients.

(* lines 3370-3417 *)
Theorem remark_34_printed : r <= eta * sqrt (eps * mu) / 2 ->
  64 * C ^ 2 * sigma ^ 2 / (mu * eps) + 8 * C * G_ / sqrt (mu * eps) <= NP * NK * B ->
  let rho := 1 - eta * mu in
  (forall noise : (nat -> batch) -> list round -> nat -> list batch -> V,
   (forall J past i before, norm (noise J past i before) <= r) ->
   with_probability (fledge_history_II P p K b data T) (1 - 7 * nu) (fun o =>
     let start := fledge_start_II K b data grad x0 (fst o) in
     forall t, (t <= T)%nat ->
     F (fst (fledge P p K b eta (noise (fst o)) data grad start (at_time t (snd o)))) - fstar
     <= eps / 2 + rho ^ (t * K) * (F x0 - fstar)))
  /\ (forall (noise : batch -> (nat -> batch) -> list round -> nat -> list batch -> V) sigma_c G_c,
   (forall I0 J past i before, norm (noise I0 J past i before) <= r) ->
   deviation P G x0 <= sigma_c ^ 2 -> (forall i, (i < P)%nat -> norm (sub (G i x0) (grad_f x0)) <= G_c) ->
   with_probability (fledge_history_I P p K b data T) (1 - 8 * nu) (fun o =>
     let start := fledge_start_I P p K b data grad x0 (fst (fst o)) (snd (fst o)) in
     forall t, (t <= T)%nat ->
     F (fst (fledge P p K b eta (noise (fst (fst o)) (snd (fst o))) data grad start (at_time t (snd o)))) - fstar
     <= eps / 2 + rho ^ (t * K) * (F x0 - fstar) + pl_start_share rho (INR t) sigma_c G_c)).
Proof.
  intros Hr enough rho. pose proof G_nonneg as g0. pose proof C_above as C11.
  destruct (pl_step_facts P p K b a L zeta mu C Hp HpP HK Hb Ha HL Hz Hmu ltac:(lra)) as [e0 _].
  assert (me : 0 < mu * eps) by (apply Rmult_lt_0_compat; assumption).
  pose proof (sqrt_lt_R0 (mu * eps) me) as sq0. pose proof (sqrt_sqrt (mu * eps) ltac:(lra)) as ss.
  rewrite (Rmult_comm eps mu) in Hr.
  assert (z1 : 0 <= 64 * C ^ 2 * sigma ^ 2 / (mu * eps)).
  { apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat, me]. apply Rmult_le_pos; [|apply pow2_ge_0].
    pose proof (pow2_ge_0 C). lra. }
  assert (z2 : 0 <= 8 * C * G_ / sqrt (mu * eps)).
  { apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat, sq0]. apply Rmult_le_pos; lra. }
  assert (S : 0 <= error_floor C /\ / ((1 - 0) * (eta * mu)) * (r * r / eta + eta * error_floor C) <= eps / 2).
  { destruct (floor_share (mu * eps / 64) (sqrt (mu * eps) / 8)) as [f0 f1]; try assumption; try lra.
    - replace (C ^ 2 * sigma ^ 2) with (mu * eps / 64 * (64 * C ^ 2 * sigma ^ 2 / (mu * eps))) by (field; lra).
      apply Rmult_le_compat_l; lra.
    - replace (C * G_) with (sqrt (mu * eps) / 8 * (8 * C * G_ / sqrt (mu * eps))) by (field; lra).
      apply Rmult_le_compat_l; lra.
    - split; [exact f0|]. set (e := pl_printed_step_size _ _ _ _ _ _ _ _ _) in *. set (fl := error_floor C) in *.
      clearbody e. set (v := sqrt (mu * eps)) in *.
      assert (rr : r * r <= e * v / 2 * (e * v / 2)) by (apply Rmult_le_compat; lra).
      replace (e * v / 2 * (e * v / 2)) with (e * e / 4 * (v * v)) in rr by field. rewrite ss in rr.
      replace ((v / 8) ^ 2) with (v * v / 64) in f1 by field. rewrite ss in f1.
      replace (/ ((1 - 0) * (e * mu)) * (r * r / e + e * fl)) with (r * r * / (e * e * mu) + fl * / mu) by (field; lra).
      assert (im : 0 < / mu) by (apply Rinv_0_lt_compat, Hmu).
      assert (iem : 0 < / (e * e * mu)) by (apply Rinv_0_lt_compat; repeat apply Rmult_lt_0_compat; assumption).
      apply (Rmult_le_compat_r (/ (e * e * mu))) in rr; [|lra].
      replace (e * e / 4 * (mu * eps) * / (e * e * mu)) with (eps / 4) in rr by (field; lra).
      apply (Rmult_le_compat_r (/ mu)) in f1; [|lra].
      replace (8 * (mu * eps / 64 + mu * eps / 64) * / mu) with (eps / 4) in f1 by (field; lra). lra. }
  destruct S as [f0 f1].
  assert (Er : 1 - (1 - 0) * (eta * mu) = rho) by (unfold rho; ring).
  assert (Z : forall y, 0 * eta / 2 * y = 0) by (intro; field). split.
  - intros noise Hr'. apply (likely_II eta noise). intros J past Pp E start t Ht.
    pose proof (run_at_the_end 0 (noise J) (fledge_start_II K b data grad x0 J) past 0 0 false t (or_intror eq_refl)
      (Hr' J) Pp E Ht f0) as H. cbv zeta in H. rewrite Er, Z in H. unfold start. cbn [fst snd].
    cbn [fledge_start_II fst] in H. lra.
  - intros noise sigma_c G_c Hr' Hs HG. apply (likely_I eta noise sigma_c G_c _ Hs HG).
    intros I0 J past Pp E start t Ht.
    pose proof (run_at_the_end 0 (noise I0 J) (fledge_start_I P p K b data grad x0 I0 J) past sigma_c G_c true t
      (or_intror eq_refl) (Hr' I0 J) Pp E Ht f0) as H. cbv zeta in H. rewrite Er, Z in H. unfold start. cbn [fst snd].
    cbn [fledge_start_I fst] in H. lra.
Qed.
End Printed.
