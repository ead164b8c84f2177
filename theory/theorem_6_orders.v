(* Theorem 6 (theorem:Dist-First-Main, lines 496-511) for Option II, with what O~, Theta~ and Omega~ hide written out.

   Printed: with eta = Theta~(1/L ∧ p sqrt b/(zeta sqrt(PK)) ∧ 1/(zeta K) ∧ sqrt b/(L sqrt K)), b >= Omega~(sigma^2/(PK
   eps^2)) and r <= eta eps/(2 sqrt 2) FLEDGE finds an epsilon-stationary point in
       O~(1 + (L/K ∨ zeta sqrt(P)/p ∨ zeta ∨ L/sqrt(Kb)) Delta/eps^2)
   rounds with high probability. For p < sqrt P that lacks L sqrt(P)/(p sqrt(Kb)), as the step size lacks p/(zeta sqrt(P)
   K) and has zeta for L in one entry.
   Proved [theorem_6_option_II], for all spaces, f_{i,j}, 1 <= p <= P, K, b, clients with at least Kb data, 0 < nu < 1,
   eps > 0: let
       Q = L/K ∨ zeta sqrt(P)/p ∨ L sqrt(P)/(p sqrt(Kb)) ∨ zeta ∨ L/sqrt(Kb),
       rounds = 1 + Q Delta/eps^2 what stands in the O~, and l = 1 + log(PKb rounds/nu).
   If PKb >= 381216 l^2 sigma^2/eps^2, there are a number of rounds T <= 27360 l^2 rounds and a step size eta with
       1/(6840 l^2 KQ) <= eta <= 1/(KQ)
   such that, for every noise of length at most r <= eta eps/(2 sqrt 2), also such that depends on the past, FLEDGE meets
   a point with |grad f(x^{t,k})| <= eps within T rounds with probability at least 1 - nu. The PKb + T(2pKb + 2b(K-1))
   gradients are at most 109440 l^2 (PKb + Qpb K Delta/eps^2). Here KQ = L ∨ zeta sqrt(P) K/p ∨ L sqrt(PK)/(p sqrt b) ∨
   zeta K ∨ L sqrt(K/b), of which 1/(KQ) is the list of the step sizes, corrected.
   [theorem_6_many_clients]: for p >= sqrt P the theorem as printed, Q being L/K ∨ zeta sqrt(P)/p ∨ zeta ∨ L/sqrt(Kb),
   and L/K ∨ zeta if b >= K besides.

   Proof. With the step size and the rounds of theorem_6_high_probability.v, as theorem_2_orders.v. *)
From Coq Require Import Reals Lra Lia List PeanoNat Bool.
From Sledge Require Import vectors means minibatches algorithms problems second_moments
  sledge_errors fledge_sampling fledge_errors.
From Sledge Require Import theorem_2_expectation theorem_6_expectation.
From Sledge Require Import probability hoeffding azuma minibatch_tails bernstein coverage sledge_tails lemma_1.
From Sledge Require Import theorem_2_probability theorem_6_probability fledge_tails theorem_6_high_probability
  theorem_2_orders.
Import ListNotations.
Open Scope R_scope.

Lemma ln_of_constant : ln 577600 <= 17.
Proof.
  assert (E : 9 / 4 <= exp 1).
  { replace 1 with (/ 2 + / 2) by lra. rewrite exp_plus. pose proof (exp_ineq1_le (/ 2)).
    replace (9 / 4) with (3 / 2 * (3 / 2)) by lra. apply Rmult_le_compat; lra. }
  assert (P : forall k, (9 / 4) ^ k <= exp (INR k)).
  { induction k as [|k IH]; [simpl; rewrite exp_0; lra|]. rewrite S_INR, exp_plus. cbn [pow].
    rewrite (Rmult_comm (9 / 4)). pose proof (pow_le (9 / 4) k ltac:(lra)). apply Rmult_le_compat; lra. }
  replace 17 with (INR 17) by (simpl; lra). rewrite <- ln_exp. apply ln_grows; [lra|].
  eapply Rle_trans; [|apply P]. cbn [pow]. lra.
Qed.
(* Comparing squares *)
Lemma below_by_squares x y : 0 <= y -> x * x <= y * y -> x <= y.
Proof. intros H Q. apply Rsqr_incr_0_var; [exact Q|exact H]. Qed.

(* What the rounds are of the order of, but for Delta/eps^2 *)
Definition fledge_rate (P p K b : nat) (L zeta : R) : R :=
  Rmax (L / INR K) (Rmax (zeta * sqrt (INR P) / INR p) (Rmax (L * sqrt (INR P) / (INR p * sqrt (INR K * INR b)))
    (Rmax zeta (L / sqrt (INR K * INR b))))).

Section Rate.
Variables (P p K b : nat) (L zeta : R).
Hypothesis Hp : (1 <= p)%nat.
Hypothesis HpP : (p <= P)%nat.
Hypothesis HK : (1 <= K)%nat.
Hypothesis Hb : (1 <= b)%nat.
Hypothesis HL : 0 < L.
Hypothesis zeta0 : 0 <= zeta.
Notation NP := (INR P).
Notation Np := (INR p).
Notation NK := (INR K).
Notation B := (INR b).
Notation Q := (fledge_rate P p K b L zeta).
Lemma rate_sizes : 1 <= NP /\ 1 <= Np <= NP /\ 1 <= NK /\ 1 <= B /\ 0 < NK * B /\ (K = 1%nat \/ 2 <= NK).
Proof.
  pose proof (Bb P p Hp HpP). pose proof (Nn P p Hp HpP).
  assert (1 <= NK) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (1 <= B) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (0 < NK * B) by (apply Rmult_lt_0_compat; lra).
  assert (K = 1%nat \/ 2 <= NK).
  { destruct (Nat.eq_dec K 1); [left; assumption|right]. change 2 with (INR 2). apply le_INR. lia. }
  tauto.
Qed.
(* The squares of its terms *)
Lemma root_over (y a : R) : 0 < y -> (a / sqrt y) * (a / sqrt y) = a * a / y.
Proof.
  intro H. pose proof (sqrt_lt_R0 y H). pose proof (sqrt_sqrt y ltac:(lra)) as S. rewrite <- S at 3. field. lra.
Qed.
Lemma rate_above : 0 < Q /\ L * L <= (NK * Q) * (NK * Q) /\ zeta * zeta * NP / (Np * Np) <= Q * Q
  /\ L * L * NP / (Np * Np * (NK * B)) <= Q * Q /\ zeta * zeta <= Q * Q /\ L * L / (NK * B) <= Q * Q.
Proof.
  destruct rate_sizes as [P1 [[p1 pP] [K1 [b1 [M0 _]]]]].
  pose proof (sqrt_lt_R0 (NK * B) M0) as sM. pose proof (sqrt_pos NP) as sP. pose proof (sqrt_sqrt NP ltac:(lra)) as ss.
  assert (ip : 0 < / Np) by (apply Rinv_0_lt_compat; lra).
  assert (iK : 0 < / NK) by (apply Rinv_0_lt_compat; lra).
  assert (iM : 0 < / sqrt (NK * B)) by (apply Rinv_0_lt_compat; assumption).
  assert (ipM : 0 < / (Np * sqrt (NK * B))) by (apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra).
  assert (Sq : forall x, 0 <= x -> x <= Q -> x * x <= Q * Q) by (intros; apply Rmult_le_compat; assumption).
  assert (Q1 : L / NK <= Q) by apply Rmax_l.
  assert (Q2 : zeta * sqrt NP / Np <= Q) by (eapply Rle_trans; [apply Rmax_l|apply Rmax_r]).
  assert (Q3 : L * sqrt NP / (Np * sqrt (NK * B)) <= Q)
    by (eapply Rle_trans; [apply Rmax_l|eapply Rle_trans; [apply Rmax_r|apply Rmax_r]]).
  assert (Q4 : zeta <= Q) by (eapply Rle_trans; [apply Rmax_l|eapply Rle_trans; [apply Rmax_r|eapply Rle_trans;
    [apply Rmax_r|apply Rmax_r]]]).
  assert (Q5 : L / sqrt (NK * B) <= Q) by (eapply Rle_trans; [apply Rmax_r|eapply Rle_trans; [apply Rmax_r|eapply
    Rle_trans; [apply Rmax_r|apply Rmax_r]]]).
  assert (LK : 0 < L / NK) by (apply Rmult_lt_0_compat; lra).
  assert (q0 : 0 < Q) by lra. split; [exact q0|]. split; [|split; [|split; [|split]]].
  - assert (L <= NK * Q).
    { assert (X : NK * (L / NK) <= NK * Q) by (apply Rmult_le_compat_l; lra).
      replace (NK * (L / NK)) with L in X by (field; lra). exact X. }
    apply Rmult_le_compat; lra.
  - replace (zeta * zeta * NP / (Np * Np)) with (zeta * sqrt NP / Np * (zeta * sqrt NP / Np))
      by (rewrite <- ss at 3; field; lra).
    apply Sq; [|exact Q2]. apply Rmult_le_pos; [apply Rmult_le_pos; lra|lra].
  - replace (L * L * NP / (Np * Np * (NK * B))) with (L * sqrt NP / (Np * sqrt (NK * B))
      * (L * sqrt NP / (Np * sqrt (NK * B)))).
    + apply Sq; [|exact Q3]. apply Rmult_le_pos; [apply Rmult_le_pos; lra|lra].
    + pose proof (sqrt_sqrt (NK * B) ltac:(lra)) as sm. rewrite <- sm at 3. rewrite <- ss at 3. field. lra.
  - apply Sq; assumption.
  - rewrite <- root_over by assumption. apply Sq; [|exact Q5]. apply Rmult_le_pos; lra.
Qed.
(* The step size of theorem_6_high_probability.v *)
Variables l C : R.
Hypothesis Hl : 1 <= l.
Hypothesis HC : 0 <= C.
Notation factor := (fledge_high_factor P p K b L zeta l C).
Lemma weight : NP / (2 * Np) <= lifetime P p <= NP / Np.
Proof.
  destruct rate_sizes as [P1 [[p1 pP] _]]. pose proof (BN_1 P p Hp HpP) as [q0 q1].
  assert (I1 : / 2 <= / (2 - Np / NP) <= 1).
  { split; [apply Rinv_le_contravar; lra|]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra. }
  assert (E : lifetime P p = NP / Np * / (2 - Np / NP)) by (unfold lifetime; field; lra).
  assert (w0 : 0 < NP / Np) by (apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra]).
  rewrite E. split.
  - replace (NP / (2 * Np)) with (NP / Np * / 2) by (field; lra). apply Rmult_le_compat_l; lra.
  - rewrite <- (Rmult_1_r (NP / Np)) at 2. apply Rmult_le_compat_l; lra.
Qed.
Notation change := (change_radius K b L l).
Lemma change_square : change * change = 4 * (l * l) * (L * L / (NK * B)).
Proof.
  destruct rate_sizes as [_ [_ [K1 [b1 [M0 _]]]]]. unfold change_radius. rewrite mult_INR, root_over by assumption.
  field. lra.
Qed.
Lemma factor_above : factor <= (10 * (l * l) * (1 + C) * (NK * Q)) * (10 * (l * l) * (1 + C) * (NK * Q)).
Proof.
  destruct rate_sizes as [P1 [[p1 pP] [K1 [b1 [M0 _]]]]]. destruct rate_above as [q0 [_ [s2 [s3 [s4 s5]]]]].
  destruct weight as [_ w1]. pose proof change_square as cs.
  assert (l2 : 1 <= l * l) by (replace 1 with (1 * 1) by ring; apply Rmult_le_compat; lra).
  assert (C2 : 1 <= (1 + C) * (1 + C)) by (replace 1 with (1 * 1) at 1 by ring; apply Rmult_le_compat; lra).
  set (A := (1 + C) * (1 + C)) in *. set (g := l * l) in *. set (q := Q * Q) in *.
  assert (q1 : 0 <= q) by apply Rle_0_sqr.
  assert (ip : 0 < / Np) by (apply Rinv_0_lt_compat; lra).
  unfold fledge_high_factor. fold g. fold A.
  assert (c0 : 0 <= change).
  { unfold change_radius. apply Rmult_le_pos; [apply Rmult_le_pos; lra|]. left. apply Rinv_0_lt_compat, sqrt_lt_R0.
    rewrite mult_INR. exact M0. }
  assert (X1 : (zeta + change) * (zeta + change) <= 2 * (zeta * zeta) + 8 * g * (L * L / (NK * B))).
  { pose proof (Rle_0_sqr (zeta - change)) as S. unfold Rsqr in S. fold g in cs. lra. }
  assert (PL : (NP - Np) * (NP - Np) <= NP * NP) by (apply Rmult_le_compat; lra).
  assert (LL : 0 <= L * L) by apply Rle_0_sqr.
  assert (ipM : 0 < / (NP * NP * Np * (NK * B))) by (apply Rinv_0_lt_compat; repeat apply Rmult_lt_0_compat; lra).
  assert (X2 : 8 * ((NP - Np) * (NP - Np)) * (L * L) / (NP * NP * Np * INR (K * b)) <= 8 * (L * L / (Np * (NK * B)))).
  { rewrite mult_INR. apply Rle_trans with (8 * (NP * NP) * (L * L) * / (NP * NP * Np * (NK * B))).
    - apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat_r; [assumption|]. lra.
    - right. field. lra. }
  set (X := 2 * A * ((zeta + change) * (zeta + change)) / Np
    + 8 * ((NP - Np) * (NP - Np)) * (L * L) / (NP * NP * Np * INR (K * b))) in *.
  assert (X0 : 0 <= X).
  { unfold X. apply Rplus_le_le_0_compat.
    - apply Rmult_le_pos; [|lra]. apply Rmult_le_pos; [lra|apply Rle_0_sqr].
    - rewrite mult_INR. apply Rmult_le_pos; [|lra]. apply Rmult_le_pos; [|lra].
      apply Rmult_le_pos; [lra|apply Rle_0_sqr]. }
  assert (XU : NP / Np * X <= 20 * A * g * q + 8 * q).
  { assert (w0 : 0 < NP / Np) by (apply Rmult_lt_0_compat; lra).
    apply Rle_trans with (NP / Np * (2 * A * (2 * (zeta * zeta) + 8 * g * (L * L / (NK * B))) / Np
      + 8 * (L * L / (Np * (NK * B))))).
    - apply Rmult_le_compat_l; [lra|]. unfold X. apply Rplus_le_compat; [|exact X2].
      unfold Rdiv. apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat_l; [lra|exact X1].
    - replace (NP / Np * (2 * A * (2 * (zeta * zeta) + 8 * g * (L * L / (NK * B))) / Np + 8 * (L * L / (Np * (NK * B)))))
        with (A * (4 * (zeta * zeta * NP / (Np * Np))) + A * g * (16 * (L * L * NP / (Np * Np * (NK * B))))
          + 8 * (L * L * NP / (Np * Np * (NK * B)))) by (field; lra).
      assert (A * (4 * (zeta * zeta * NP / (Np * Np))) <= A * (4 * q)) by (apply Rmult_le_compat_l; lra).
      assert (A * g * (16 * (L * L * NP / (Np * Np * (NK * B)))) <= A * g * (16 * q))
        by (apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|lra]).
      assert (A * (4 * q) * 1 <= A * (4 * q) * g) by (apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|lra]).
      lra. }
  assert (WX : lifetime P p * X <= 20 * A * g * q + 8 * q).
  { eapply Rle_trans; [|exact XU]. apply Rmult_le_compat_r; assumption. }
  assert (Y : (NK - 1) * (3 * (zeta * zeta) * NK + 12 * g * (L * L) / B) <= NK * NK * (15 * g * q)).
  { apply Rle_trans with (NK * (NK * (3 * (zeta * zeta) + 12 * g * (L * L / (NK * B))))).
    - replace (NK * (3 * (zeta * zeta) + 12 * g * (L * L / (NK * B)))) with (3 * (zeta * zeta) * NK + 12 * g * (L * L) / B)
        by (field; lra).
      apply Rmult_le_compat_r; [|lra]. apply Rplus_le_le_0_compat.
      + apply Rmult_le_pos; [|lra]. apply Rmult_le_pos; [lra|apply Rle_0_sqr].
      + apply Rmult_le_pos; [apply Rmult_le_pos; lra|left; apply Rinv_0_lt_compat; lra].
    - rewrite <- Rmult_assoc. apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|].
      assert (12 * g * (L * L / (NK * B)) <= 12 * g * q) by (apply Rmult_le_compat_l; lra).
      assert (1 * (3 * q) <= g * (3 * q)) by (apply Rmult_le_compat_r; lra). lra. }
  set (k2 := NK * NK) in *. assert (k1 : 0 <= k2) by (apply Rmult_le_pos; lra).
  apply Rle_trans with (3 * k2 * g * (20 * A * g * q + 8 * q) + k2 * (15 * g * q)).
  - apply Rplus_le_compat; [|exact Y]. apply Rmult_le_compat_l; [|exact WX].
    apply Rmult_le_pos; [lra|lra].
  - replace (10 * g * (1 + C) * (NK * Q) * (10 * g * (1 + C) * (NK * Q))) with (100 * (g * g) * A * (k2 * q))
      by (unfold A, k2, q; ring).
    assert (kq : 0 <= k2 * q) by (apply Rmult_le_pos; assumption).
    assert (G1 : g * 1 <= g * g) by (apply Rmult_le_compat_l; lra).
    assert (G2 : g * g * 1 <= g * g * A) by (apply Rmult_le_compat_l; [apply Rle_0_sqr|lra]).
    apply Rle_trans with ((60 * (g * g * A) + 39 * g) * (k2 * q)); [right; ring|].
    apply Rmult_le_compat_r with (r := k2 * q) (r1 := 60 * (g * g * A) + 39 * g); [assumption|].
    assert (0 <= g * g * A) by (apply Rmult_le_pos; [apply Rle_0_sqr|lra]). lra.
Qed.
Lemma factor_parts :
  0 <= factor /\
  3 * (NK * NK) * (zeta * zeta * NP / (Np * Np)) <= factor /\
  12 * (NK * NK) * (L * L * NP / (Np * Np * (NK * B))) <= factor /\
  (NK - 1) * (3 * (zeta * zeta) * NK) <= factor /\ (NK - 1) * (12 * (L * L / B)) <= factor.
Proof.
  destruct rate_sizes as [P1 [[p1 pP] [K1 [b1 [M0 _]]]]]. destruct weight as [w0 _]. pose proof change_square as cs.
  assert (l2 : 1 <= l * l) by (replace 1 with (1 * 1) by ring; apply Rmult_le_compat; lra).
  assert (C2 : 1 <= (1 + C) * (1 + C)) by (replace 1 with (1 * 1) at 1 by ring; apply Rmult_le_compat; lra).
  unfold fledge_high_factor. set (A := (1 + C) * (1 + C)) in *. set (g := l * l) in *.
  assert (ip : 0 < / Np) by (apply Rinv_0_lt_compat; lra). assert (iB : 0 < / B) by (apply Rinv_0_lt_compat; lra).
  assert (zz : 0 <= zeta * zeta) by apply Rle_0_sqr. assert (LL : 0 <= L * L) by apply Rle_0_sqr.
  assert (c0 : 0 <= change).
  { unfold change_radius. apply Rmult_le_pos; [apply Rmult_le_pos; lra|]. left. apply Rinv_0_lt_compat, sqrt_lt_R0.
    rewrite mult_INR. exact M0. }
  assert (zc : 0 <= zeta * change) by (apply Rmult_le_pos; assumption).
  set (Y1 := (NK - 1) * (3 * (zeta * zeta) * NK)). set (Y2 := (NK - 1) * (12 * (L * L / B))).
  assert (y1 : 0 <= Y1) by (apply Rmult_le_pos; [lra|apply Rmult_le_pos; lra]).
  assert (lb : 0 <= L * L / B) by (apply Rmult_le_pos; lra).
  assert (y2 : 0 <= Y2) by (apply Rmult_le_pos; lra).
  assert (Y : Y1 + Y2 <= (NK - 1) * (3 * (zeta * zeta) * NK + 12 * g * (L * L) / B)).
  { unfold Y1, Y2. rewrite <- Rmult_plus_distr_l. apply Rmult_le_compat_l; [lra|].
    replace (12 * g * (L * L) / B) with (g * (12 * (L * L / B))) by (field; lra).
    assert (1 * (12 * (L * L / B)) <= g * (12 * (L * L / B))) by (apply Rmult_le_compat_r; lra). lra. }
  set (X := 2 * A * ((zeta + change) * (zeta + change)) / Np
    + 8 * ((NP - Np) * (NP - Np)) * (L * L) / (NP * NP * Np * INR (K * b))).
  assert (XL : 2 * (zeta * zeta + 4 * (L * L / (NK * B))) / Np <= X).
  { assert (0 <= 8 * ((NP - Np) * (NP - Np)) * (L * L) / (NP * NP * Np * INR (K * b))).
    { rewrite mult_INR. apply Rmult_le_pos.
      - apply Rmult_le_pos; [|assumption]. apply Rmult_le_pos; [lra|apply Rle_0_sqr].
      - left. apply Rinv_0_lt_compat. repeat apply Rmult_lt_0_compat; lra. }
    assert (2 * (zeta * zeta + 4 * (L * L / (NK * B))) / Np <= 2 * A * ((zeta + change) * (zeta + change)) / Np).
    { unfold Rdiv. apply Rmult_le_compat_r; [lra|].
      assert (0 <= L * L * / (NK * B)) by (apply Rmult_le_pos; [assumption|left; apply Rinv_0_lt_compat; assumption]).
      assert (V : zeta * zeta + 4 * (L * L * / (NK * B)) <= (zeta + change) * (zeta + change)).
      { unfold Rdiv in cs. assert (1 * (4 * (L * L * / (NK * B))) <= g * (4 * (L * L * / (NK * B))))
          by (apply Rmult_le_compat_r; lra). lra. }
      apply Rle_trans with (2 * ((zeta + change) * (zeta + change))); [lra|].
      apply Rmult_le_compat_r; [apply Rle_0_sqr|lra]. }
    unfold X. lra. }
  assert (Z0 : 0 <= zeta * zeta * NP / (Np * Np)).
  { apply Rmult_le_pos; [apply Rmult_le_pos; lra|left; apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra]. }
  assert (Z1 : 0 <= L * L * NP / (Np * Np * (NK * B))).
  { apply Rmult_le_pos; [apply Rmult_le_pos; lra|left; apply Rinv_0_lt_compat; repeat apply Rmult_lt_0_compat; lra]. }
  assert (WX : zeta * zeta * NP / (Np * Np) + 4 * (L * L * NP / (Np * Np * (NK * B))) <= lifetime P p * X).
  { apply Rle_trans with (NP / (2 * Np) * (2 * (zeta * zeta + 4 * (L * L / (NK * B))) / Np)).
    - right. field. lra.
    - apply Rmult_le_compat; try assumption.
      + apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra].
      + apply Rmult_le_pos; [|lra]. apply Rmult_le_pos; [lra|].
        assert (0 <= L * L / (NK * B)) by (apply Rmult_le_pos; [assumption|left; apply Rinv_0_lt_compat; assumption]).
        lra. }
  set (k2 := NK * NK) in *. assert (k1 : 0 <= k2) by (apply Rmult_le_pos; lra).
  assert (U : 3 * k2 * (zeta * zeta * NP / (Np * Np) + 4 * (L * L * NP / (Np * Np * (NK * B))))
    <= 3 * k2 * g * (lifetime P p * X)).
  { assert (3 * k2 * 1 <= 3 * k2 * g) by (apply Rmult_le_compat_l; lra).
    apply Rmult_le_compat; lra. }
  assert (0 <= k2 * (zeta * zeta * NP / (Np * Np))) by (apply Rmult_le_pos; assumption).
  assert (0 <= k2 * (L * L * NP / (Np * Np * (NK * B)))) by (apply Rmult_le_pos; assumption).
  fold X. repeat split; lra.
Qed.
Lemma step_order : let eta := / (2 * Rmax L (sqrt factor)) in
  0 < eta /\ / (20 * (l * l) * (1 + C) * (NK * Q)) <= eta /\ (zeta <= 2 * L -> eta <= / (NK * Q)).
Proof.
  destruct rate_sizes as [P1 [[p1 pP] [K1 [b1 [M0 K2]]]]]. destruct rate_above as [q0 [s1 _]].
  pose proof factor_above as FA. destruct factor_parts as [F0 [F2 [F3 [F4 F5]]]].
  pose proof (Rmax_l L (sqrt factor)) as R1. pose proof (Rmax_r L (sqrt factor)) as R2.
  pose proof (sqrt_pos factor) as r0. pose proof (sqrt_sqrt factor F0) as rr.
  set (s := sqrt factor) in *. set (m := Rmax L s) in *. intro eta.
  assert (KQ : 0 < NK * Q) by (apply Rmult_lt_0_compat; lra).
  assert (l2 : 1 <= l * l) by (replace 1 with (1 * 1) by ring; apply Rmult_le_compat; lra).
  assert (lC : 1 <= l * l * (1 + C)) by (replace 1 with (1 * 1) at 1 by ring; apply Rmult_le_compat; lra).
  split; [apply Rinv_0_lt_compat; lra|]. split.
  - apply Rinv_le_contravar; [lra|].
    assert (m <= 10 * (l * l) * (1 + C) * (NK * Q)).
    { assert (1 * (NK * Q) <= l * l * (1 + C) * (NK * Q)) by (apply Rmult_le_compat_r; lra).
      apply Rmax_lub.
      - apply below_by_squares in s1; lra.
      - apply below_by_squares; [lra|]. rewrite rr. exact FA. }
    lra.
  - intro z2. apply Rinv_le_contravar; [exact KQ|]. unfold eta.
    assert (X : forall y, 0 <= y -> (y <= 2 * L \/ y * y <= 4 * factor) -> y <= 2 * m).
    { intros y y0 [H|H]; [lra|]. assert (y <= 2 * s); [|lra]. apply below_by_squares; lra. }
    unfold fledge_rate. rewrite <- !RmaxRmult by lra.
    pose proof (sqrt_lt_R0 (NK * B) M0) as sM. pose proof (sqrt_pos NP) as sP.
    pose proof (sqrt_sqrt NP ltac:(lra)) as ss. pose proof (sqrt_sqrt (NK * B) ltac:(lra)) as sm.
    assert (ip : 0 < / Np) by (apply Rinv_0_lt_compat; lra).
    assert (iM : 0 < / sqrt (NK * B)) by (apply Rinv_0_lt_compat; assumption).
    assert (ipM : 0 < / (Np * sqrt (NK * B))) by (apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra).
    assert (iB : 0 < / B) by (apply Rinv_0_lt_compat; lra).
    repeat apply Rmax_lub; apply X.
    + apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra].
    + left. replace (NK * (L / NK)) with L by (field; lra). lra.
    + apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [apply Rmult_le_pos; lra|lra].
    + right. replace (NK * (zeta * sqrt NP / Np) * (NK * (zeta * sqrt NP / Np)))
        with (NK * NK * (zeta * zeta * (sqrt NP * sqrt NP) / (Np * Np))) by (field; lra). rewrite ss.
      assert (0 <= NK * NK * (zeta * zeta * NP / (Np * Np))).
      { apply Rmult_le_pos; [apply Rle_0_sqr|]. apply Rmult_le_pos; [apply Rmult_le_pos; [apply Rle_0_sqr|lra]|].
        left. apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra. }
      lra.
    + apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [apply Rmult_le_pos; lra|lra].
    + right. replace (NK * (L * sqrt NP / (Np * sqrt (NK * B))) * (NK * (L * sqrt NP / (Np * sqrt (NK * B)))))
        with (NK * NK * (L * L * (sqrt NP * sqrt NP) / (Np * Np * (sqrt (NK * B) * sqrt (NK * B))))) by (field; lra).
      rewrite ss, sm.
      assert (0 <= NK * NK * (L * L * NP / (Np * Np * (NK * B)))).
      { apply Rmult_le_pos; [apply Rle_0_sqr|]. apply Rmult_le_pos; [apply Rmult_le_pos; [apply Rle_0_sqr|lra]|].
        left. apply Rinv_0_lt_compat. repeat apply Rmult_lt_0_compat; lra. }
      lra.
    + apply Rmult_le_pos; lra.
    + destruct K2 as [->|K2]; [left; simpl; lra|right].
      assert (zz : 0 <= zeta * zeta * NK) by (apply Rmult_le_pos; [apply Rle_0_sqr|lra]).
      assert (1 * (zeta * zeta * NK) <= (NK - 1) * (zeta * zeta * NK)) by (apply Rmult_le_compat_r; lra).
      lra.
    + apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; lra.
    + destruct K2 as [E|K2].
      * left. assert (S1 : 1 <= sqrt (NK * B)).
        { rewrite <- sqrt_1. apply sqrt_le_1_alt. rewrite E. simpl. lra. }
        assert (L / sqrt (NK * B) <= L).
        { apply Rmult_le_reg_r with (sqrt (NK * B)); [assumption|].
          replace (L / sqrt (NK * B) * sqrt (NK * B)) with (L * 1) by (field; lra). apply Rmult_le_compat_l; lra. }
        rewrite E. simpl (INR 1). rewrite E in H. simpl (INR 1) in H. lra.
      * right. replace (NK * (L / sqrt (NK * B)) * (NK * (L / sqrt (NK * B))))
          with (NK * NK * (L * L / (sqrt (NK * B) * sqrt (NK * B)))) by (field; lra).
        rewrite sm. replace (NK * NK * (L * L / (NK * B))) with (NK * (L * L / B)) by (field; lra).
        assert (0 <= L * L / B) by (apply Rmult_le_pos; [apply Rle_0_sqr|lra]).
        assert (NK * (L * L / B) <= 2 * (NK - 1) * (L * L / B)) by (apply Rmult_le_compat_r; lra). lra.
Qed.
(* p >= sqrt P *)
Lemma rate_many_clients : sqrt NP <= Np -> Q = Rmax (L / NK) (Rmax (zeta * sqrt NP / Np)
  (Rmax zeta (L / sqrt (NK * B)))) /\ ((K <= b)%nat -> Q = Rmax (L / NK) zeta).
Proof.
  intro S. destruct rate_sizes as [P1 [[p1 pP] [K1 [b1 [M0 _]]]]].
  pose proof (sqrt_lt_R0 (NK * B) M0) as sM. pose proof (sqrt_pos NP) as sP.
  assert (ip : 0 < / Np) by (apply Rinv_0_lt_compat; lra).
  assert (iM : 0 < / sqrt (NK * B)) by (apply Rinv_0_lt_compat; assumption).
  assert (SP : sqrt NP / Np <= 1).
  { apply Rmult_le_reg_r with Np; [lra|]. replace (sqrt NP / Np * Np) with (sqrt NP) by (field; lra). lra. }
  assert (A : L * sqrt NP / (Np * sqrt (NK * B)) <= L / sqrt (NK * B)).
  { replace (L * sqrt NP / (Np * sqrt (NK * B))) with (L / sqrt (NK * B) * (sqrt NP / Np)) by (field; lra).
    rewrite <- (Rmult_1_r (L / sqrt (NK * B))) at 2. apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|exact SP]. }
  assert (D : zeta * sqrt NP / Np <= zeta).
  { replace (zeta * sqrt NP / Np) with (zeta * (sqrt NP / Np)) by (field; lra).
    rewrite <- (Rmult_1_r zeta) at 2. apply Rmult_le_compat_l; assumption. }
  unfold fledge_rate. set (u := L * sqrt NP / (Np * sqrt (NK * B))) in *. set (v := L / sqrt (NK * B)) in *.
  assert (E : Rmax u (Rmax zeta v) = Rmax zeta v).
  { apply Rmax_right. eapply Rle_trans; [exact A|apply Rmax_r]. }
  rewrite E. split; [reflexivity|]. intro Kb.
  assert (W : v <= L / NK).
  { unfold v. unfold Rdiv. apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; [lra|].
    rewrite <- (sqrt_square NK) at 1 by lra. apply sqrt_le_1_alt. apply Rmult_le_compat_l; [lra|].
    apply le_INR, Kb. }
  pose proof (Rmax_l zeta v). rewrite (Rmax_right (zeta * sqrt NP / Np)) by lra.
  pose proof (Rmax_l (L / NK) zeta). pose proof (Rmax_r (L / NK) zeta). pose proof (Rmax_r zeta v).
  pose proof (Rmax_l (L / NK) (Rmax zeta v)). pose proof (Rmax_r (L / NK) (Rmax zeta v)).
  apply Rle_antisym; repeat apply Rmax_lub; lra.
Qed.
End Rate.

Section Theorem_6.
Context {V : space}.
Variables (P p K b : nat).
Hypothesis Hp : (1 <= p)%nat.
Hypothesis HpP : (p <= P)%nat.
Hypothesis HK : (1 <= K)%nat.
Hypothesis Hb : (1 <= b)%nat.
Variables (data : nat -> nat) (f : nat -> nat -> V -> R) (grad : nat -> nat -> V -> V)
  (L zeta sigma fstar : R).
Hypothesis enough_data : forall i, (i < P)%nat -> (K * b <= data i)%nat.
Hypothesis HL : 0 < L.
Hypothesis zeta0 : 0 <= zeta.
Hypothesis sigma0 : 0 <= sigma.
Hypothesis smoothness : data_smooth P data f grad L.
Notation G := (client_gradient data grad).
Notation F := (objective P (client_objective data f)).
Notation grad_f := (gradient P G).
Hypothesis infimum : forall x, fstar <= F x.
Hypothesis het : heterogeneous P G zeta.
Hypothesis bounded : data_bounded P data grad sigma.
Variables (x0 : V) (nu eps : R).
Hypothesis Hnu : 0 < nu < 1.
Hypothesis Heps : 0 < eps.
Notation NP := (INR P).
Notation Np := (INR p).
Notation NK := (INR K).
Notation B := (INR b).
Notation Delta := (F x0 - fstar).

Theorem theorem_6_option_II :
  let Q := Rmax (L / NK) (Rmax (zeta * sqrt NP / Np) (Rmax (L * sqrt NP / (Np * sqrt (NK * B)))
    (Rmax zeta (L / sqrt (NK * B))))) in let rounds := 1 + Q * Delta / (eps * eps) in
  let l := 1 + ln (NP * NK * B * rounds / nu) in
  381216 * l ^ 2 * (sigma * sigma) / (eps * eps) <= NP * NK * B ->
  exists (T : nat) (eta : R),
    0 < eta /\ / (6840 * l ^ 2 * (NK * Q)) <= eta /\ (zeta <= 2 * L -> eta <= / (NK * Q))
    /\ INR T <= 27360 * l ^ 2 * rounds
    /\ NP * NK * B + INR T * (2 * Np * NK * B + 2 * B * (NK - 1))
       <= 109440 * l ^ 2 * (NP * NK * B + Np * B * (NK * Q) * Delta / (eps * eps))
    /\ forall r noise, 0 <= r <= eta * eps / (2 * sqrt 2) -> (forall J past i before, norm (noise J past i before) <= r) ->
       with_probability (fledge_history_II P p K b data T) (1 - nu) (fun o => exists t k, (t < T)%nat /\ (k < K)%nat /\
         norm (grad_f (step_point P p K b data grad eta (noise (fst o)) (fledge_start_II K b data grad x0 (fst o)) k
           (at_time (S t) (snd o)))) <= eps).
Proof.
  intros Q rounds l HM. destruct (rate_sizes P p K b Hp HpP HK Hb) as [P1 [[p1 pP] [K1 [b1 [M0 _]]]]].
  destruct (rate_above P p K b L zeta Hp HpP HK Hb HL zeta0) as [q0 _].
  change (0 < Q) in q0.
  assert (d0 : 0 <= Delta) by (specialize (infimum x0); lra).
  assert (ee : 0 < eps * eps) by (apply Rmult_lt_0_compat; assumption).
  set (H := Q * Delta / (eps * eps)).
  assert (H0 : 0 <= H) by (apply Rmult_le_pos; [apply Rmult_le_pos; lra|left; apply Rinv_0_lt_compat; lra]).
  assert (RH : rounds = 1 + H) by reflexivity.
  set (D := NP * NK * B) in *.
  assert (D1 : 1 <= D).
  { unfold D. replace 1 with (1 * 1 * 1) by ring. apply Rmult_le_compat; try lra. apply Rmult_le_compat; lra. }
  assert (I1 : 1 < / nu) by (rewrite <- Rinv_1; apply Rinv_lt_contravar; lra).
  assert (DR : 1 <= D * rounds) by (replace 1 with (1 * 1) at 1 by ring; apply Rmult_le_compat; lra).
  assert (Gnu : 1 < D * rounds / nu).
  { unfold Rdiv. apply Rlt_le_trans with (1 * / nu); [lra|]. apply Rmult_le_compat_r; lra. }
  assert (l1 : 1 <= l). { unfold l. assert (0 < ln (D * rounds / nu)) by (rewrite <- ln_1; apply ln_increasing; lra). lra. }
  assert (l2 : 1 <= l ^ 2) by (apply pow_R1_Rle; lra).
  set (Y := 27360 * l ^ 2 * H). assert (Y0 : 0 <= Y) by (apply Rmult_le_pos; lra).
  set (T := Nat.max 1 (ceiling Y)). pose proof (ceiling_steps Y Y0) as [T0 T1]. fold T in T0, T1.
  assert (HT : (1 <= T)%nat) by (unfold T; lia).
  assert (T2 : 1 <= INR T) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (TR : INR T <= 27360 * l ^ 2 * rounds).
  { rewrite RH. unfold Y in T1. replace (27360 * l ^ 2 * (1 + H)) with (27360 * l ^ 2 + 27360 * l ^ 2 * H) by ring. lra. }
  (* the logarithm of T *)
  assert (Log : forall a, 0 < a -> a <= 5 * D * (INR T + 1) -> ln (a / (nu / 2)) <= 14 + 3 * l).
  { intros a a0 Ha. apply Rle_trans with (ln (577600 * (l * l) * (D * rounds / nu))).
    - apply ln_grows; [apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra]|].
      replace (a / (nu / 2)) with (2 * a * / nu) by (field; lra).
      replace (577600 * (l * l) * (D * rounds / nu)) with (577600 * l ^ 2 * (D * rounds) * / nu) by (field; lra).
      apply Rmult_le_compat_r; [lra|].
      apply Rle_trans with (10 * D * (INR T + 1)); [lra|].
      apply Rle_trans with (10 * D * (57760 * l ^ 2 * rounds)); [|right; ring].
      apply Rmult_le_compat_l; [lra|].
      assert (1 * 1 <= l ^ 2 * rounds) by (apply Rmult_le_compat; lra). lra.
    - rewrite !ln_mult by (repeat apply Rmult_lt_0_compat; lra). pose proof ln_of_constant.
      pose proof (ln_below l ltac:(lra)). replace (ln (D * rounds / nu)) with (l - 1) by (unfold l; ring). lra. }
  set (lam := fledge_lambda P K b T (nu / 2)). set (C := log_factor P p T (nu / 2)).
  assert (TP : 0 <= INR T) by lra.
  assert (DP : NP <= D).
  { unfold D. rewrite Rmult_assoc, <- (Rmult_1_r NP) at 1. apply Rmult_le_compat_l; [lra|].
    replace 1 with (1 * 1) by ring. apply Rmult_le_compat; lra. }
  assert (HC : C <= 14 + 3 * l).
  { apply Log.
    - assert (0 <= Np * INR T) by (apply Rmult_le_pos; lra). lra.
    - assert (Np * INR T <= D * INR T) by (apply Rmult_le_compat_r; lra).
      assert (0 <= D * INR T) by (apply Rmult_le_pos; lra). lra. }
  assert (C0 : 0 < C) by (apply (log_factor_pos P p Hp HpP); lra).
  assert (Hlam : 1 <= lam) by apply radius_above.
  assert (LL : lam * lam <= 19 * l).
  { assert (S2 : ln (INR (5 * (P * (K * b)) * S T) / (nu / 2)) <= 14 + 3 * l).
    { rewrite !mult_INR, (S_INR T). replace (INR 5) with 5 by (simpl; ring). apply Log.
      - repeat apply Rmult_lt_0_compat; lra.
      - right. unfold D. ring. }
    assert (S1 : 0 < ln (INR (5 * (P * (K * b)) * S T) / (nu / 2))).
    { rewrite <- ln_1. apply ln_increasing; [lra|]. apply ratio_above; [|lra].
      apply (draws_1 P p K b Hp HpP HK Hb). exact HT. }
    unfold lam, fledge_lambda, radius. set (y := ln (INR (5 * (P * (K * b)) * S T) / (nu / 2))) in *.
    pose proof (sqrt_sqrt (y / 2) ltac:(lra)) as sy. set (s := sqrt (y / 2)) in *.
    pose proof (Rle_0_sqr (s - 1)) as Sq. unfold Rsqr in Sq. lra. }
  assert (LC : lam * lam * (1 + C) <= 342 * l ^ 2).
  { replace (342 * l ^ 2) with (19 * l * (18 * l)) by ring. apply Rmult_le_compat; try lra. apply Rle_0_sqr. }
  assert (SO : let eta := / (2 * Rmax L (sqrt (fledge_high_factor P p K b L zeta lam C))) in
    0 < eta /\ / (20 * (lam * lam) * (1 + C) * (NK * Q)) <= eta /\ (zeta <= 2 * L -> eta <= / (NK * Q)))
    by (apply step_order; assumption || lra).
  exists T, (fledge_high_step_size P p K b T L zeta (nu / 2)).
  change (fledge_high_step_size P p K b T L zeta (nu / 2))
    with (/ (2 * Rmax L (sqrt (fledge_high_factor P p K b L zeta lam C)))) in *.
  set (eta := / (2 * Rmax L (sqrt (fledge_high_factor P p K b L zeta lam C)))) in *.
  cbv zeta in SO. destruct SO as [e0 [e1 e2]].
  assert (KQ : 0 < NK * Q) by (apply Rmult_lt_0_compat; lra).
  assert (LCp : 1 <= lam * lam * (1 + C)).
  { replace 1 with (1 * 1 * 1) by ring. apply Rmult_le_compat; try lra. apply Rmult_le_compat; lra. }
  assert (E1 : / (6840 * l ^ 2 * (NK * Q)) <= eta).
  { eapply Rle_trans; [|exact e1]. apply Rinv_le_contravar.
    - apply Rmult_lt_0_compat; [lra|exact KQ].
    - apply Rmult_le_compat_r; lra. }
  split; [exact e0|]. split; [exact E1|]. split; [exact e2|]. split; [exact TR|]. split.
  { apply Rle_trans with (D + INR T * (4 * (Np * (NK * B)))).
    - apply Rplus_le_compat_l, Rmult_le_compat_l; [exact TP|].
      assert (B * (NK - 1) <= Np * (NK * B)).
      { apply Rle_trans with (1 * (NK * B)); [lra|]. apply Rmult_le_compat_r; lra. }
      lra.
    - set (q := Np * (NK * B)). assert (qD : q <= D) by (unfold q, D; rewrite Rmult_assoc; apply Rmult_le_compat_r; lra).
      assert (q1 : 0 <= q) by (apply Rmult_le_pos; lra).
      replace (Np * B * (NK * Q) * Delta / (eps * eps)) with (q * H) by (unfold q, H; field; lra).
      assert (INR T * (4 * q) <= (Y + 1) * (4 * q)) by (apply Rmult_le_compat_r; lra). unfold Y in *.
      assert (1 * D <= l ^ 2 * D) by (apply Rmult_le_compat_r; lra). lra. }
  intros r noise [r0 r1] Hr.
  assert (Enough : 4 * Delta / (eta * NK * (eps * eps)) <= INR T).
  { eapply Rle_trans; [|exact T0]. unfold Y, H.
    assert (IE : / eta <= 6840 * l ^ 2 * (NK * Q)).
    { replace (6840 * l ^ 2 * (NK * Q)) with (/ / (6840 * l ^ 2 * (NK * Q))) by (rewrite Rinv_inv; ring).
      apply Rinv_le_contravar; [|exact E1]. apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra. }
    replace (4 * Delta / (eta * NK * (eps * eps))) with (4 * Delta / (NK * (eps * eps)) * / eta) by (field; lra).
    replace (27360 * l ^ 2 * (Q * Delta / (eps * eps))) with (4 * Delta / (NK * (eps * eps)) * (6840 * l ^ 2 * (NK * Q)))
      by (field; lra).
    apply Rmult_le_compat_l; [|exact IE].
    apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra]. }
  assert (Data : 1056 * (lam * lam * (lam * lam)) * (sigma * sigma) / (eps * eps) <= NP * INR (K * b)).
  { replace (NP * INR (K * b)) with D by (unfold D; rewrite mult_INR; ring). eapply Rle_trans; [|exact HM]. unfold Rdiv.
    apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|].
    apply Rmult_le_compat_r; [apply Rle_0_sqr|].
    assert (lam * lam * (lam * lam) <= 19 * l * (19 * l)) by (apply Rmult_le_compat; try apply Rle_0_sqr; lra). lra. }
  assert (Hw : 1 - nu <= 1 - 2 * (nu / 2)) by lra.
  eapply (with_probability_weaken _ _ _ _ _ Hw); [|apply (theorem_6_option_II_met P p K b Hp HpP HK Hb data f grad L zeta
    sigma fstar enough_data HL zeta0 sigma0 smoothness infimum het bounded x0 T (nu / 2) r HT ltac:(lra) noise Hr eps Heps
    r0 r1 Data Enough)].
  intros o _ X. exact X.
Qed.
(* p >= sqrt P: the rounds as printed *)
Theorem theorem_6_many_clients : sqrt NP <= Np ->
  let Q := Rmax (L / NK) (Rmax (zeta * sqrt NP / Np) (Rmax zeta (L / sqrt (NK * B)))) in
  let rounds := 1 + Q * Delta / (eps * eps) in let l := 1 + ln (NP * NK * B * rounds / nu) in
  ((K <= b)%nat -> Q = Rmax (L / NK) zeta)
  /\ (381216 * l ^ 2 * (sigma * sigma) / (eps * eps) <= NP * NK * B ->
  exists (T : nat) (eta : R),
    0 < eta /\ / (6840 * l ^ 2 * (NK * Q)) <= eta /\ (zeta <= 2 * L -> eta <= / (NK * Q))
    /\ INR T <= 27360 * l ^ 2 * rounds
    /\ forall r noise, 0 <= r <= eta * eps / (2 * sqrt 2) -> (forall J past i before, norm (noise J past i before) <= r) ->
       with_probability (fledge_history_II P p K b data T) (1 - nu) (fun o => exists t k, (t < T)%nat /\ (k < K)%nat /\
         norm (grad_f (step_point P p K b data grad eta (noise (fst o)) (fledge_start_II K b data grad x0 (fst o)) k
           (at_time (S t) (snd o)))) <= eps)).
Proof.
  intros S Q. destruct (rate_many_clients P p K b L zeta Hp HpP HK Hb HL zeta0 S) as [E1 E2].
  pose proof theorem_6_option_II as H. cbv zeta in H. unfold fledge_rate in E1, E2. rewrite E1 in H. fold Q in H, E1. split.
  - intro Kb. rewrite <- E1. apply E2, Kb.
  - intro HM. destruct (H HM) as [T [eta [e0 [e1 [e2 [e3 [_ e4]]]]]]]. exists T, eta. auto 6.
Qed.
End Theorem_6.
