(* Theorem 5 as printed (theorem:PL-Main, lines 438-451), with what O~ and Theta~ hide written out.

   Printed: under Assumptions 1, 2, 3 (i), 5, 6, with eta = Theta~(1/L and b/(zeta sqrt n) and b/(mu n), the smallest)
     and
   r <= eta sqrt(eps mu/3), Option I finds f(x^t) - inf f <= eps using
       O~(max{Lb/mu, zeta sqrt n/mu, n} log((Delta + sigma_c)/eps))
   stochastic gradients with probability at least 1 - nu. The argument of the logarithm has no scale as printed; it is
   read as (Delta + n sigma_c^2/L)/eps.
   Proved [theorem_5_option_I], for all spaces, functions, 1 <= b <= n, 0 < nu < 1, eps > 0: let Q be the maximum,
   Lambda the logarithm, or 1 where it is less, G = Q Lambda and l = 1 + log(G/nu). There are numbers of steps t <= T
     and
   a step size eta with
       (1/(450 l^2)) min{1/L, b/(zeta sqrt n), b/(mu n)} <= eta <= min{1/L, b/(zeta sqrt n), b/(mu n)}
   such that, for every noise of length at most r <= eta sqrt(eps mu/3), also such that depends on the past,
   f(x^t) - inf f <= eps with probability at least 1 - nu; and the b + 2bT gradients are at most 10805 l^3 G. Minima are
   written as 1/max{L, zeta sqrt n/b, mu n/b}, which has a meaning for zeta = 0. sigma_c is the largest deviation at
     x^0,
   as in line 257.

   Proof. With the step size and the steps of theorem_5_option_I.v; T contains log((n + bT)/nu) and is found by taking a
   multiple of l^3, which is large enough since log(l) <= l - 1. *)
From Coq Require Import Reals Lra Lia List PeanoNat Bool.
From Sledge Require Import vectors means minibatches algorithms problems second_moments sledge_errors.
From Sledge Require Import theorem_2_expectation theorem_5_expectation probability azuma bernstein concentration.
From Sledge Require Import theorem_2_probability theorem_2_option_I theorem_5_option_I theorem_2_orders.
Import ListNotations.
Open Scope R_scope.

Lemma ln_large : ln 6440 <= 11 /\ ln 10810 <= 12.
Proof.
  assert (E : 9 / 4 <= exp 1).
  { replace 1 with (/ 2 + / 2) by lra. rewrite exp_plus. pose proof (exp_ineq1_le (/ 2)).
    replace (9 / 4) with (3 / 2 * (3 / 2)) by lra. apply Rmult_le_compat; lra. }
  assert (P : forall k, (9 / 4) ^ k <= exp (INR k)).
  { induction k as [|k IH]; [simpl; rewrite exp_0; lra|]. rewrite S_INR, exp_plus. cbn [pow].
    rewrite (Rmult_comm (9 / 4)). pose proof (pow_le (9 / 4) k ltac:(lra)). apply Rmult_le_compat; lra. }
  split.
  - replace 11 with (INR 11) by (simpl; lra). rewrite <- ln_exp. apply ln_grows; [lra|].
    eapply Rle_trans; [|apply P]. cbn [pow]. lra.
  - replace 12 with (INR 12) by (simpl; lra). rewrite <- ln_exp. apply ln_grows; [lra|].
    eapply Rle_trans; [|apply P]. cbn [pow]. lra.
Qed.
Lemma ceiling_grows x y : x <= y -> (ceiling x <= ceiling y)%nat.
Proof.
  intro H. destruct (Rle_dec 0 x) as [g|g].
  - pose proof (ceiling_below x g). pose proof (ceiling_above y). apply INR_le.
    destruct (Nat.le_gt_cases (ceiling x) (ceiling y)) as [k|k]; [apply le_INR, k|].
    apply Nat.le_succ_l, le_INR in k. rewrite S_INR in k. lra.
  - replace (ceiling x) with 0%nat; [lia|]. unfold ceiling. destruct (base_Int_part (- x)) as [A B].
    assert (-1 < IZR (Int_part (- x))) by lra. apply lt_IZR in H0. lia.
Qed.

Section Theorem_5.
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
Variables (x0 : V) (nu eps sigma_c : R).
Hypothesis Hnu : 0 < nu < 1.
Hypothesis Heps : 0 < eps.
Hypothesis sigma0 : 0 <= sigma_c.
Hypothesis bounded : forall i, (i < n)%nat -> norm (sub (grad i x0) (gradient n grad x0)) <= sigma_c.
Notation N := (INR n).
Notation B := (INR b).
Notation F := (objective n f).
Notation Delta := (F x0 - fstar).
Notation Q := (Rmax (Rmax (L * B / mu) (zeta * sqrt N / mu)) N).
Notation M := (Rmax (Rmax L (zeta * sqrt N / B)) (mu * N / B)).

Lemma pl_order : Q = B * M / mu /\ 0 < M /\ L <= M /\ zeta * sqrt N / B <= M /\ mu * N / B <= M.
Proof.
  pose proof (Bb n b Hb Hbn) as [B1 BN]. pose proof (Rmax_l (Rmax L (zeta * sqrt N / B)) (mu * N / B)) as R1.
  pose proof (Rmax_r (Rmax L (zeta * sqrt N / B)) (mu * N / B)) as R2. pose proof (Rmax_l L (zeta * sqrt N / B)) as R3.
  pose proof (Rmax_r L (zeta * sqrt N / B)) as R4. repeat split; try lra.
  assert (Bm : 0 < B / mu) by (apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat, Hmu]).
  replace (B * M / mu) with (B / mu * M) by (field; lra). rewrite <- !RmaxRmult by lra. f_equal; [f_equal|]; field; lra.
Qed.

Theorem theorem_5_option_I :
  let Lambda := Rmax 1 (ln ((Delta + N * sigma_c ^ 2 / L) / eps)) in
  let G := Q * Lambda in let l := 1 + ln (G / nu) in
  exists (t T : nat) (eta : R), (t <= T)%nat /\ 0 < eta /\ / (450 * l ^ 2 * M) <= eta <= / M
    /\ B + 2 * B * INR T <= 10805 * l ^ 3 * G
    /\ forall r noise, 0 <= r <= eta * sqrt (eps * mu / 3) -> (forall I0 past, norm (noise I0 past) <= r) ->
       with_probability (sledge_history_I n b T) (1 - nu) (fun o =>
         F (point (sledge n b eta (noise (fst o)) grad (sledge_start_I n b grad x0 (fst o)) (at_time t (snd o))))
         - fstar <= eps).
Proof.
  intros Lambda G l. pose proof (Bb n b Hb Hbn) as [B1 BN]. pose proof (Nn n b Hb Hbn) as N1.
  pose proof (infimum x0) as d0. pose proof pl_order as [QB [M0 [ML [MZ MM]]]]. pose proof (sqrt_pos N) as s0.
  assert (La : 1 <= Lambda) by apply Rmax_l. assert (QN : N <= Q) by apply Rmax_r.
  assert (GQ : Q <= G).
  { unfold G. rewrite <- (Rmult_1_r Q) at 1. apply Rmult_le_compat_l; lra. }
  assert (I1 : 1 < / nu) by (rewrite <- Rinv_1; apply Rinv_lt_contravar; lra).
  assert (Gnu : 1 < G / nu). { unfold Rdiv. apply Rlt_le_trans with (1 * / nu); [lra|]. apply Rmult_le_compat_r; lra. }
  assert (l1 : 1 <= l). { unfold l. assert (0 < ln (G / nu)) by (rewrite <- ln_1; apply ln_increasing; lra). lra. }
  assert (l2 : 1 <= l ^ 2) by (apply pow_R1_Rle; lra). assert (l3 : 1 <= l ^ 3) by (apply pow_R1_Rle; lra).
  set (H := M * Lambda / mu).
  assert (BH : B * H = G) by (unfold H, G; rewrite QB; field; lra).
  assert (H1 : 1 <= H). { apply Rmult_le_reg_l with B; [lra|]. lra. }
  set (Y := 5401 * l ^ 3 * H). assert (LH : 1 * H <= l ^ 3 * H) by (apply Rmult_le_compat_r; lra).
  assert (Y0 : 0 <= Y) by (unfold Y; lra).
  set (T := Nat.max 1 (ceiling Y)). pose proof (ceiling_steps Y Y0) as [T0 T1]. fold T in T0, T1.
  assert (HT : (1 <= T)%nat) by (unfold T; lia).
  assert (LG : 1 * G <= l ^ 3 * G) by (apply Rmult_le_compat_r; lra).
  assert (BT : B * INR T <= 5401 * l ^ 3 * G + B).
  { apply Rle_trans with (B * (Y + 1)); [apply Rmult_le_compat_l; lra|]. unfold Y. right.
    replace (B * (5401 * l ^ 3 * H + 1)) with (5401 * l ^ 3 * (B * H) + B) by ring. rewrite BH. reflexivity. }
  assert (Log : ln ((N + B * INR (S T)) / (nu / 2)) <= 12 * l).
  { apply Rle_trans with (ln (10810 * (l * (l * l)) * (G / nu))).
    - apply ln_grows.
      + apply Rmult_lt_0_compat; [|apply Rinv_0_lt_compat; lra].
        assert (0 <= B * INR (S T)) by (apply Rmult_le_pos; [lra|apply pos_INR]). lra.
      + rewrite S_INR. replace ((N + B * (INR T + 1)) / (nu / 2)) with (2 * (N + B * INR T + B) * / nu) by (field; lra).
        replace (10810 * (l * (l * l)) * (G / nu)) with (10810 * l ^ 3 * G * / nu) by (field; lra).
        apply Rmult_le_compat_r; lra.
    - rewrite !ln_mult by (repeat apply Rmult_lt_0_compat; lra). pose proof (proj2 ln_large).
      pose proof (ln_below l ltac:(lra)). replace (ln (G / nu)) with (l - 1) by (unfold l; ring). lra. }
  set (lam := lambda b (S T) (nu / 2)). set (C := log_factor n b T (nu / 2)).
  assert (NT : 0 < N + B * INR T) by (assert (0 <= B * INR T) by (apply Rmult_le_pos; [lra|apply pos_INR]); lra).
  assert (HC : C <= 12 * l).
  { eapply Rle_trans; [|exact Log]. apply ln_grows.
    - apply Rmult_lt_0_compat; [exact NT|apply Rinv_0_lt_compat; lra].
    - apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|]. apply Rplus_le_compat_l, Rmult_le_compat_l; [lra|].
      apply le_INR; lia. }
  assert (C0 : 0 < C) by (apply (log_factor_pos n b Hb Hbn); lra).
  assert (Hlam : 1 <= lam <= 9 / 2 * l).
  { split; [apply radius_above|]. replace (9 / 2) with (3 / 2 + 12 / 4) by field. apply radius_coarse; [lra|lra|].
    eapply Rle_trans; [|exact Log]. rewrite mult_INR. pose proof (pos_INR (S T)).
    assert (0 < INR (S T)) by (apply lt_0_INR; lia). apply ln_grows.
    - apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; lra|apply Rinv_0_lt_compat; lra].
    - apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|]. lra. }
  (* the step size *)
  set (eta := pl_high_step_size_I n b T L zeta mu (nu / 2)).
  set (K := N * (1 + C) * (1 + 2 * C)).
  assert (W : sqrt N <= lam * sqrt K <= 9 / 2 * l * (25 * l) * sqrt N).
  { assert (K1 : N * 1 <= K).
    { unfold K. rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|].
      replace 1 with (1 * 1) at 1 by ring. apply Rmult_le_compat; lra. }
    assert (K2 : K <= N * (25 * l * (25 * l))).
    { unfold K. rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat; lra. }
    split.
    - rewrite <- (Rmult_1_l (sqrt N)). apply Rmult_le_compat; try lra. apply sqrt_le_1_alt. lra.
    - rewrite Rmult_assoc. apply Rmult_le_compat; try lra; [apply sqrt_pos|].
      apply Rle_trans with (sqrt (N * (25 * l * (25 * l)))); [apply sqrt_le_1_alt, K2|].
      rewrite sqrt_mult by (try apply Rle_0_sqr; lra). rewrite sqrt_square by lra. right. ring. }
  assert (iB : 0 < / B) by (apply Rinv_0_lt_compat; lra).
  assert (Z : zeta * sqrt N / B <= zeta * (lam * sqrt K / B) <= 9 / 2 * 25 * l ^ 2 * M).
  { unfold Rdiv. split.
    - rewrite Rmult_assoc. apply Rmult_le_compat_l; [assumption|]. apply Rmult_le_compat_r; lra.
    - apply Rle_trans with (9 * / 2 * 25 * l ^ 2 * (zeta * sqrt N / B)); [|apply Rmult_le_compat_l; lra].
      replace (9 * / 2 * 25 * l ^ 2 * (zeta * sqrt N / B)) with (zeta * (9 / 2 * l * (25 * l) * sqrt N * / B))
        by (field; lra).
      apply Rmult_le_compat_l; [assumption|]. apply Rmult_le_compat_r; lra. }
  assert (MC : mu * N / B <= mu * N * (1 + C) / B <= 13 * l * M).
  { assert (m0 : 0 < mu * N / B) by (repeat apply Rmult_lt_0_compat; lra).
    replace (mu * N * (1 + C) / B) with (mu * N / B * (1 + C)) by (field; lra). split.
    - rewrite <- (Rmult_1_r (mu * N / B)) at 1. apply Rmult_le_compat_l; lra.
    - rewrite (Rmult_comm (13 * l)). apply Rmult_le_compat; lra. }
  assert (ll : l <= l ^ 2). { replace (l ^ 2) with (l * l) by ring. rewrite <- (Rmult_1_l l) at 1. apply
    Rmult_le_compat_r; lra. }
  set (J := pl_high_inverse_I n b T L zeta mu (nu / 2)).
  assert (J1 : M <= J).
  { unfold J, pl_high_inverse_I. fold lam C K. apply Rmax_lub; [apply Rmax_lub|].
    - eapply Rle_trans; [|apply Rmax_l]. lra.
    - eapply Rle_trans; [|apply Rmax_r]. eapply Rle_trans; [|apply Rmax_l].
      assert (0 <= zeta * sqrt N / B) by (apply Rmult_le_pos; [apply Rmult_le_pos; lra|lra]). lra.
    - eapply Rle_trans; [|apply Rmax_r]. eapply Rle_trans; [|apply Rmax_r].
      assert (0 < mu * N / B) by (repeat apply Rmult_lt_0_compat; lra). lra. }
  assert (l2M : 1 * M <= l ^ 2 * M) by (apply Rmult_le_compat_r; lra).
  assert (lM : l * M <= l ^ 2 * M) by (apply Rmult_le_compat_r; lra).
  assert (J2 : J <= 450 * l ^ 2 * M).
  { unfold J, pl_high_inverse_I. fold lam C K. repeat apply Rmax_lub; lra. }
  assert (eJ : eta = / J) by reflexivity.
  assert (e0 : 0 < eta) by (rewrite eJ; apply Rinv_0_lt_compat; lra).
  assert (SR : / (450 * l ^ 2 * M) <= eta <= / M) by (rewrite eJ; split; apply Rinv_le_contravar; lra).
  (* the steps *)
  set (s := pl_start_term n b T eta (nu / 2) (2 * sigma_c)).
  set (g := Delta + N * sigma_c ^ 2 / L).
  assert (ss : 0 <= sigma_c ^ 2) by (apply pow_le, sigma0).
  assert (iL : 0 < / L) by (apply Rinv_0_lt_compat, HL).
  assert (eL : eta <= / L * (/ 2)).
  { rewrite eJ, <- Rinv_mult. apply Rinv_le_contravar; [lra|]. rewrite Rmult_comm. apply Rmax_l. }
  assert (gs : 0 <= N * sigma_c ^ 2 / L) by (apply Rmult_le_pos; [apply Rmult_le_pos; lra|lra]).
  assert (S0 : 0 <= s <= 4293 * l ^ 3 * (N * sigma_c ^ 2 / L)).
  { unfold s, pl_start_term. fold lam C.
    assert (A1 : 0 <= lam * lam <= 9 / 2 * l * (9 / 2 * l)) by (split; [apply Rle_0_sqr|apply Rmult_le_compat; lra]).
    assert (iBB : / (B * B) <= 1). { rewrite <- Rinv_1. apply Rinv_le_contravar; [lra|]. replace 1 with (1 * 1) by ring.
      apply Rmult_le_compat; lra. }
    assert (iBB0 : 0 < / (B * B)) by (apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra).
    assert (iB1 : / B <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra).
    assert (A2 : 0 <= N / (B * B) + 4 * ((1 + C) / B) <= 53 * l * N).
    { assert (P1 : 0 <= N / (B * B) <= N * 1) by (split; [apply Rmult_le_pos; lra|apply Rmult_le_compat_l; lra]).
      assert (P2 : 0 <= (1 + C) / B <= 13 * l * 1) by (split; [apply Rmult_le_pos; lra|apply Rmult_le_compat; lra]).
      assert (P3 : l * 1 <= l * N) by (apply Rmult_le_compat_l; lra).
      assert (P4 : 1 * N <= l * N) by (apply Rmult_le_compat_r; lra). lra. }
    assert (A3 : 0 <= 2 * sigma_c * (2 * sigma_c)) by (apply Rle_0_sqr).
    assert (A4 : 0 <= eta * (lam * lam) <= / L * / 2 * (9 / 2 * l * (9 / 2 * l)))
      by (split; [apply Rmult_le_pos; lra|apply Rmult_le_compat; lra]).
    split; [apply Rmult_le_pos; [lra|]; apply Rmult_le_pos; [apply Rmult_le_pos; lra|assumption]|].
    apply Rle_trans with (2 * (/ L * / 2 * (9 / 2 * l * (9 / 2 * l)) * (53 * l * N) * (2 * sigma_c * (2 * sigma_c)))).
    - apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_r; [assumption|]. apply Rmult_le_compat; lra.
    - replace (2 * (/ L * / 2 * (9 / 2 * l * (9 / 2 * l)) * (53 * l * N) * (2 * sigma_c * (2 * sigma_c))))
        with (4293 * l ^ 3 * (N * sigma_c ^ 2 / L)) by (field; lra). lra. }
  assert (Ga : ln (3 / 2 * (Delta + s) / eps) <= 12 * (l * Lambda)).
  { assert (lL : 1 * 1 <= l * Lambda) by (apply Rmult_le_compat; lra).
    destruct (Rle_lt_dec (Delta + s) 0) as [z|z].
    - replace (Delta + s) with 0 by lra. replace (3 / 2 * 0 / eps) with 0 by (field; lra).
      assert (Z0 : ln 0 = 0).
      { unfold ln. destruct (Rlt_dec 0 0) as [q|q]; [exfalso; exact (Rlt_irrefl 0 q)|reflexivity]. }
      rewrite Z0. lra.
    - assert (ie : 0 < / eps) by (apply Rinv_0_lt_compat, Heps).
      assert (D1 : 1 * Delta <= 4293 * l ^ 3 * Delta) by (apply Rmult_le_compat_r; lra).
      assert (Up : Delta + s <= 4293 * l ^ 3 * g) by (unfold g; lra).
      assert (g0 : 0 < g).
      { apply Rmult_lt_reg_l with (4293 * l ^ 3); [lra|]. lra. }
      assert (gp : 0 < g / eps) by (apply Rmult_lt_0_compat; lra).
      apply Rle_trans with (ln (6440 * (l * (l * l)) * (g / eps))).
      + apply ln_grows; [unfold Rdiv; repeat apply Rmult_lt_0_compat; lra|].
        replace (6440 * (l * (l * l)) * (g / eps)) with (6440 * l ^ 3 * g * / eps) by (field; lra).
        unfold Rdiv. apply Rmult_le_compat_r; [lra|].
        assert (0 <= l ^ 3 * g) by (apply Rmult_le_pos; lra). lra.
      + rewrite !ln_mult by (repeat apply Rmult_lt_0_compat; lra). pose proof (proj1 ln_large).
        pose proof (ln_below l ltac:(lra)).
        assert (ln (g / eps) <= Lambda) by apply Rmax_r.
        assert (l * 1 <= l * Lambda) by (apply Rmult_le_compat_l; lra).
        assert (1 * Lambda <= l * Lambda) by (apply Rmult_le_compat_r; lra). lra. }
  set (t := pl_steps eta mu (Delta + s) eps).
  assert (em : 0 < eta * mu) by (apply Rmult_lt_0_compat; assumption).
  assert (Ht : (t <= T)%nat).
  { apply Nat.le_trans with (ceiling Y); [|unfold T; lia]. apply ceiling_grows.
    apply Rle_trans with (12 * (l * Lambda) * / (eta * mu)).
    - apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, em|exact Ga].
    - rewrite Rinv_mult, eJ, Rinv_inv. assert (im : 0 < / mu) by (apply Rinv_0_lt_compat, Hmu).
      apply Rle_trans with (12 * (l * Lambda) * (450 * l ^ 2 * M * / mu)).
      + apply Rmult_le_compat_l; [assert (0 <= l * Lambda) by (apply Rmult_le_pos; lra); lra|].
        apply Rmult_le_compat_r; lra.
      + replace (12 * (l * Lambda) * (450 * l ^ 2 * M * / mu)) with (5400 * (l ^ 3 * H)) by (unfold H; field; lra).
        unfold Y. lra. }
  exists t, T, eta. split; [exact Ht|]. split; [exact e0|]. split; [exact SR|]. split; [lra|].
  intros r noise [r0 r1] Hr. assert (Hw : 1 - nu <= 1 - 2 * (nu / 2)) by lra.
  assert (Sp : forall i j, (i < n)%nat -> (j < n)%nat -> norm (sub (grad i x0) (grad j x0)) <= 2 * sigma_c).
  { apply apart_at_x0. exact bounded. }
  eapply (with_probability_weaken _ _ _ _ _ Hw); [|apply (theorem_5_option_I_reached n b Hb Hbn f grad L zeta mu fstar
    HL
    Hz Hmu smoothness infimum het pl x0 (2 * sigma_c) T (nu / 2) r ltac:(lra) Sp HT ltac:(lra) noise Hr eps Heps r0 r1
      Ht)].
  intros o _ X. exact X.
Qed.
End Theorem_5.
