(* Theorem 2 (theorem:First-Main, lines 370-382) with probability, Option I.

   Printed: with eta = Theta~(1/L ∧ b/(zeta sqrt n)), r <= eta eps/2, SLEDGE finds an
   epsilon-stationary point with O~((Delta (zeta sqrt n ∨ Lb) + (n/b) sigma_c^2)/eps^2) gradients
   with probability at least 1 - nu; in the appendix
   T >= (2 Delta/eta + (12 C_1^3 n/b^2)(sigma_c^2 + G_c^2/b))(2/eps^2).
   Proved [theorem_2_option_I_high_probability], as for Option II (theorem_2_probability.v), with
   gradients at x^0 at most d0 apart (at most 2 sigma_c in the words of Assumption 3 (i), which
   bounds each deviation):
       C_1 = log((n + bT)/nu),  lambda = 1 + sqrt(log(b(T+1)/nu)/2),
       eta = min{1/(2L), b sqrt(2 - b/n)/(2 sqrt 2 zeta lambda (1 + C_1) sqrt n)}
   give with probability at least 1 - 2 nu
       (1/T) sum_{t<T} |grad f(x^t)|^2 <= 2 Delta/(eta T) + eps^2/2
           + 2 lambda^2 (3 + 2 C_1) (n/(b^2 (2 - b/n))) d0^2/T.
   Stronger than printed: literal constants, two powers of the logarithm for three in the initial
   term, no dimension, an adversary's noise. Not given: the mean square of the deviations in the
   place of the largest. *)
From Coq Require Import Reals Lra Lia List PeanoNat Bool.
From Sledge Require Import vectors means minibatches algorithms problems second_moments
  sledge_errors.
From Sledge Require Import theorem_2_expectation probability azuma minibatch_tails coverage
  sledge_tails.
From Sledge Require Import lemma_1 concentration theorem_2_probability.
Import ListNotations.
Open Scope R_scope.

(* c at the times up to m *)
Lemma early_total {O} rho m c (past : list O) : 0 <= rho <= 1 -> 0 <= c ->
  rho ^ S m * discounted rho (fun p : list O => if (length p <=? m)%nat then c else 0) past
  <= rho ^ length past * ((INR m + 1) * c).
Proof.
  intros Hr Hc. apply Rle_trans with (rho ^ length past * (INR (Nat.min (length past) (S m)) * c)).
  2:{ apply Rmult_le_compat_l; [apply pow_le; lra|]. apply Rmult_le_compat_r; [assumption|].
      rewrite <- S_INR. apply le_INR. lia. }
  induction past as [|J before IH]; [simpl; lra|].
  cbn [discounted length]. apply Rmult_le_compat_l with (r := rho) in IH; [|lra].
  set (D := discounted rho _ before) in *. set (l := length before) in *.
  rewrite <- (tech_pow_Rmult rho l).
  destruct (Nat.leb_spec l m) as [h|h].
  - rewrite Nat.min_l in * by lia. rewrite S_INR.
    assert (W : rho ^ S m <= rho * rho ^ l).
    { rewrite tech_pow_Rmult. replace (S m) with (S l + (m - l))%nat by lia. rewrite pow_add.
      rewrite <- (Rmult_1_r (rho ^ S l)) at 2. apply Rmult_le_compat_l; [apply pow_le; lra|].
      rewrite <- (pow1 (m - l)). apply pow_incr. lra. }
    apply Rmult_le_compat_r with (r := c) in W; [|assumption]. lra.
  - rewrite Nat.min_r in * by lia. lra.
Qed.

Section Errors.
Context {V : space}.
Variables (n b : nat).
Hypothesis Hb : (1 <= b)%nat.
Hypothesis Hbn : (b <= n)%nat.
Variables (grad : nat -> V -> V) (zeta : R).
Hypothesis zeta0 : 0 <= zeta.
Variables (eta : R) (noise : list batch -> V) (start : @state R V) (d0 beta0 : R).
Hypothesis d0_nonneg : 0 <= d0.
Hypothesis beta0_nonneg : 0 <= beta0.
Notation N := (INR n).
Notation B := (INR b).
Notation ahead := (ahead n b grad eta noise start).
Notation travelled := (travelled n b grad eta noise start).
Notation squares := (squares n b grad eta noise start).
Notation beta := (beta n b grad zeta eta noise start 0 d0 beta0).
Notation spreads := (spreads n b grad zeta eta noise start 0 d0).
Notation d2 := (fun past => ahead past * ahead past).

Lemma beta_total rho past :
  (rho - (1 - B / N) * (1 - B / N)) * discounted rho beta past + beta past
  = rho ^ length past * beta0 + spread n b / (B * B) * discounted rho (fun p => spreads p * spreads
    p) past.
Proof.
  induction past as [|J before IH]; [simpl; ring|].
  cbn [discounted sledge_tails.beta Nat.leb length pow].
  set (q2 := (1 - B / N) * (1 - B / N)) in *. set (X := discounted rho beta before) in *.
  replace ((rho - q2) * (rho * X + beta before) + (q2 * beta before + spread n b / (B * B)
      * (spreads before * spreads before)))
    with (rho * ((rho - q2) * X + beta before) + spread n b / (B * B) * (spreads before * spreads
      before)) by ring.
  rewrite IH. ring.
Qed.
Lemma spreads_start m past : (oldest n (row_age 0 past) <= m)%nat ->
  spreads past * spreads past
  <= 2 * (zeta * zeta * (1 + B / N * INR m)) * (ahead past * ahead past + B / N * squares m past)
     + (if (length past <=? m)%nat then 2 * (B / N * (B / N) * (d0 * d0)) else 0).
Proof.
  intro H. pose proof (BN_1 n b Hb Hbn) as [p0 p1]. set (p := B / N) in *.
  set (y := if (length past <=? m)%nat then d0 else 0).
  set (x := zeta * (ahead past + p * travelled m past)).
  assert (SP : spreads past <= x + p * y).
  { unfold sledge_tails.spreads, x. fold p. rewrite Rmult_plus_distr_l, Rplus_assoc.
    apply Rplus_le_compat_l. replace (zeta * (p * travelled m past))
      with (p * (zeta * travelled m past)) by ring.
    rewrite <- Rmult_plus_distr_l. apply Rmult_le_compat_l; [lra|].
    eapply Rle_trans;
      [apply (reach_monotone n b Hb Hbn grad zeta zeta0 eta noise start 0 d0 d0_nonneg _ m), H|].
    unfold reach, y. cbn [Nat.add].
    destruct (Nat.ltb_spec m (length past)), (Nat.leb_spec (length past) m); lia || lra. }
  pose proof (spreads_nonneg n b Hb Hbn grad zeta zeta0 eta noise start 0 d0 d0_nonneg past) as SP0.
  assert (X2 : x * x <= zeta * zeta * ((1 + p * INR m) * (ahead past * ahead past + p * squares m
    past))).
  { unfold x. replace (zeta * (ahead past + p * travelled m past) * (zeta * (ahead past + p *
    travelled m past)))
      with (zeta * zeta * ((ahead past + p * travelled m past) * (ahead past + p * travelled m
        past))) by ring.
    apply Rmult_le_compat_l; [apply Rle_0_sqr|].
    apply square_of_path; [apply ahead_nonneg|lra|apply travelled_nonneg|apply
      squares_nonneg|apply pos_INR|].
    apply travelled_square. }
  assert (Y2 : (if (length past <=? m)%nat then 2 * (p * p * (d0 * d0)) else 0) = 2 * (p * y * (p
    * y))).
  { unfold y. destruct (Nat.leb _ _); ring. }
  rewrite Y2. pose proof (Rle_0_sqr (x - p * y)) as Q. unfold Rsqr in Q.
  assert (spreads past * spreads past <= (x + p * y) * (x + p * y)) by (apply Rmult_le_compat;
    assumption).
  lra.
Qed.
Theorem errors_total rho m l2 (e2 : list batch -> R) past : 0 < rho <= 1 -> 0 <= l2 ->
  (1 - B / N) * (1 - B / N) <= rho ->
  (forall t, (t < length past)%nat -> (oldest n (row_age 0 (at_time t past)) <= m)%nat) ->
  (forall t, (t < length past)%nat -> e2 (at_time t past) <= l2 * beta (at_time t past)) ->
  rho ^ S m * ((rho - (1 - B / N) * (1 - B / N)) * discounted rho e2 past)
  <= l2 * (rho ^ S m * rho ^ length past * beta0 + / B * (2 * (zeta * zeta)
       * ((1 + B / N * INR m) * (rho * (rho ^ m + B / N * INR m))) * discounted rho d2 past
       + rho ^ length past * ((INR m + 1) * (2 * (B / N * (B / N) * (d0 * d0)))))).
Proof.
  intros Hr Hl Hq Old Err. pose proof (BN_1 n b Hb Hbn) as [p0 p1].
  pose proof (Bb n b Hb Hbn) as [B1 _].
  set (p := B / N) in *. set (q2 := (1 - p) * (1 - p)) in *. pose proof (pos_INR m) as m0.
  assert (pm : 0 <= p * INR m) by (apply Rmult_le_pos; lra).
  assert (R0 : 0 <= rho ^ S m) by (apply pow_le; lra).
  assert (RT : 0 <= rho ^ length past) by (apply pow_le; lra).
  set (A := discounted rho d2 past).
  assert (H1 : discounted rho e2 past <= l2 * discounted rho beta past).
  { rewrite <- discounted_mul. apply discounted_le; [lra|exact Err]. }
  pose proof (beta_total rho past) as H2. fold p in H2. fold q2 in H2.
  assert (Bp : 0 <= beta past).
  { assert (G : forall l, 0 <= beta l); [|apply G]. induction l as [|J before IH];
    [exact beta0_nonneg|].
    cbn [sledge_tails.beta Nat.leb]. pose proof (spread_bounds n b Hbn) as [S0 _].
    assert (0 <= (1 - B / N) * (1 - B / N) * beta before)
      by (apply Rmult_le_pos; [apply Rle_0_sqr|assumption]).
    assert (0 <= spread n b / (B * B) * (spreads before * spreads before)); [|lra].
    apply Rmult_le_pos; [|apply Rle_0_sqr]. apply Rmult_le_pos; [assumption|].
    left. apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra. }
  set (D := discounted rho (fun p0 => spreads p0 * spreads p0) past) in *.
  set (w := 2 * (p * p * (d0 * d0))).
  assert (w0 : 0 <= w).
  { unfold w. apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; apply Rle_0_sqr. }
  set (Sq := discounted rho (squares m) past).
  set (Ea := discounted rho (fun p : list batch => if (length p <=? m)%nat then w else 0) past).
  assert (H3 : D <= 2 * (zeta * zeta * (1 + p * INR m)) * (A + p * Sq) + Ea).
  { unfold A, Sq, Ea. rewrite <- discounted_mul, <- discounted_add, <- discounted_mul,
      <- discounted_add.
    apply discounted_le; [lra|]. intros t Ht. apply spreads_start, Old, Ht. }
  pose proof (early_total rho m w past ltac:(lra) w0) as H6. fold Ea in H6.
  pose proof (squares_discounted n b grad eta noise start rho m past ltac:(lra)) as H4.
  fold A in H4. fold Sq in H4.
  assert (z2 : 0 <= zeta * zeta * (1 + p * INR m)) by (apply Rmult_le_pos; [apply Rle_0_sqr|lra]).
  assert (H5 : rho ^ S m * D <= 2 * (zeta * zeta) * ((1 + p * INR m) * (rho * (rho ^ m + p * INR m)))
    * A + rho ^ length past * ((INR m + 1) * w)).
  { eapply Rle_trans; [apply Rmult_le_compat_l; [exact R0|exact H3]|].
    rewrite Rmult_plus_distr_l. apply Rplus_le_compat; [|exact H6].
    cbn [pow]. replace (rho * rho ^ m * (2 * (zeta * zeta * (1 + p * INR m)) * (A + p * Sq)))
      with (2 * (zeta * zeta * (1 + p * INR m)) * (rho * (rho ^ m * A + p * (rho ^ m * Sq)))) by ring.
    replace (2 * (zeta * zeta) * ((1 + p * INR m) * (rho * (rho ^ m + p * INR m))) * A)
      with (2 * (zeta * zeta * (1 + p * INR m)) * (rho * (rho ^ m * A + p * (INR m * A)))) by ring.
    apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; [lra|].
    assert (p * (rho ^ m * Sq) <= p * (INR m * A)) by (apply Rmult_le_compat_l; lra). lra. }
  assert (sB : spread n b / (B * B) <= / B).
  { pose proof (spread_bounds n b Hbn). apply Rmult_le_reg_r with (B * B);
    [apply Rmult_lt_0_compat; lra|].
    replace (spread n b / (B * B) * (B * B)) with (spread n b) by (field; lra).
    replace (/ B * (B * B)) with B by (field; lra). lra. }
  assert (D0 : 0 <= D) by (apply discounted_nonneg; [lra|intro; apply Rle_0_sqr]).
  assert (iB : 0 < / B) by (apply Rinv_0_lt_compat; lra).
  apply Rle_trans with (rho ^ S m * ((rho - q2) * (l2 * discounted rho beta past))).
  { apply Rmult_le_compat_l; [exact R0|]. apply Rmult_le_compat_l; lra. }
  replace (rho ^ S m * ((rho - q2) * (l2 * discounted rho beta past)))
    with (l2 * (rho ^ S m * ((rho - q2) * discounted rho beta past))) by ring.
  apply Rmult_le_compat_l; [assumption|].
  apply Rle_trans with (rho ^ S m * (rho ^ length past * beta0 + / B * D)).
  - apply Rmult_le_compat_l; [exact R0|].
    assert (spread n b / (B * B) * D <= / B * D) by (apply Rmult_le_compat_r; lra). lra.
  - assert (/ B * (rho ^ S m * D) <= / B * (2 * (zeta * zeta) * ((1 + p * INR m) * (rho * (rho ^ m
      + p * INR m))) * A + rho ^ length past * ((INR m + 1) * w))) by (apply Rmult_le_compat_l; lra).
    lra.
Qed.
End Errors.

(* ---- The theorem ---- *)

(* lambda^2 n/(b^2 (2 - b/n)) *)
Definition start_weight (n b T : nat) (nu : R) : R :=
  lambda b (S T) nu * lambda b (S T) nu * (lifetime n b / INR b).
Definition high_step_size_I (n b T : nat) (L zeta nu : R) : R :=
  / (2 * Rmax L (zeta * ((1 + log_factor n b T nu) * sqrt (2 * start_weight n b T nu)))).

Section Theorem2.
Context {V : space}.
Variables (n b : nat).
Hypothesis Hb : (1 <= b)%nat.
Hypothesis Hbn : (b <= n)%nat.
Variables (f : nat -> V -> R) (grad : nat -> V -> V) (L zeta fstar : R).
Hypothesis HL : 0 < L.
Hypothesis Hz : 0 <= zeta.
Hypothesis smoothness : smooth n f grad L.
Hypothesis infimum : forall x, fstar <= objective n f x.
Hypothesis het : heterogeneous n grad zeta.
Variables (x0 : V) (d0 : R) (T : nat) (nu eps r : R).
Hypothesis d0_nonneg : 0 <= d0.
Hypothesis spread_at_x0 : forall i j, (i < n)%nat -> (j < n)%nat -> norm (sub (grad i x0) (grad j
  x0)) <= d0.
Hypothesis HT : (1 <= T)%nat.
Hypothesis Hnu : 0 < nu < 1.
Hypothesis Hr : 0 <= r.
Variable noise : batch -> list batch -> V.
Hypothesis noise_r : forall I0 past, norm (noise I0 past) <= r.
Notation N := (INR n).
Notation B := (INR b).
Notation F := (objective n f).
Notation grad_f := (gradient n grad).
Notation C_1 := (log_factor n b T nu).
Notation l2 := (lambda b (S T) nu * lambda b (S T) nu).
Notation sw := (start_weight n b T nu).
Notation eta := (high_step_size_I n b T L zeta nu).
Notation start I0 := (sledge_start_I n b grad x0 I0).
Notation run I0 := (sledge n b eta (noise I0) grad (start I0)).
Notation Delta := (F x0 - fstar).

Lemma start_weight_nonneg : 0 <= sw.
Proof.
  pose proof (Bb n b Hb Hbn) as [B1 BN]. pose proof (BN_1 n b Hb Hbn) as [p0 p1].
  unfold start_weight. apply Rmult_le_pos; [apply Rle_0_sqr|]. unfold lifetime.
  apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat; lra].
  apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra.
Qed.
Lemma step_size_I_bounds : 0 < eta /\ 2 * eta * L <= 1 /\
  4 * (eta * eta) * (zeta * zeta * ((1 + C_1) * (1 + C_1) * (2 * sw))) <= 1.
Proof.
  pose proof start_weight_nonneg as s0. pose proof (log_factor_pos n b Hb Hbn T nu Hnu) as C0.
  pose proof (sqrt_pos (2 * sw)) as q0. pose proof (sqrt_sqrt (2 * sw) ltac:(lra)) as qq.
  set (w := (1 + C_1) * sqrt (2 * sw)). assert (w0 : 0 <= w) by (apply Rmult_le_pos; lra).
  assert (Z : 0 <= zeta * w) by (apply Rmult_le_pos; assumption).
  unfold high_step_size_I. fold w. set (M := Rmax L (zeta * w)).
  assert (M1 : L <= M) by apply Rmax_l. assert (M2 : zeta * w <= M) by apply Rmax_r.
  assert (M0 : 0 < M) by lra. split; [apply Rinv_0_lt_compat; lra|]. split.
  - apply Rmult_le_reg_r with M; [assumption|]. replace (2 * / (2 * M) * L * M) with L by (field;
    lra). lra.
  - replace ((1 + C_1) * (1 + C_1) * (2 * sw)) with (w * w).
    2:{ unfold w. rewrite <- qq at 3. ring. }
    apply Rmult_le_reg_r with (M * M); [apply Rmult_lt_0_compat; assumption|].
    replace (4 * (/ (2 * M) * / (2 * M)) * (zeta * zeta * (w * w)) * (M * M))
      with (zeta * w * (zeta * w)) by (field; lra).
    rewrite Rmult_1_l. apply Rmult_le_compat; assumption.
Qed.
(* What concerns the minibatches of the steps holds whatever the first one is. *)
Lemma after_start p (P : list batch -> Prop) :
  with_probability (sledge_history n b T) p P ->
  with_probability (sledge_history_I n b T) p (fun o => P (snd o)).
Proof.
  intros [A [A1 A2]]. exists (fun o => A (snd o)). split.
  - change (p <= Ex (uniform n b) (fun _ => probability (sledge_history n b T) A)).
    rewrite Ex_const. exact A1.
  - intros [I0 past] [I0' [PI [past' [PP Eq]]]] e. simpl in Eq. injection Eq as E1 E2.
    subst I0' past'.
    apply A2; assumption.
Qed.

Theorem theorem_2_option_I_high_probability : r <= eta * eps / 2 ->
  with_probability (sledge_history_I n b T) (1 - 2 * nu) (fun o => let I0 := fst o in let past :=
    snd o in
    sum T (fun t => sq (grad_f (point (run I0 (at_time t past))))) / INR T
    <= 2 * Delta / (eta * INR T) + eps * eps / 2 + 2 * (sw * (3 + 2 * C_1) * (d0 * d0)) / INR T).
Proof.
  intro Hre. pose proof step_size_I_bounds as [E0 [E1 E2]]. pose proof start_weight_nonneg as s0.
  pose proof (Bb n b Hb Hbn) as [B1 BN]. pose proof (BN_1 n b Hb Hbn) as [p0 p1].
  pose proof (Nn n b Hb Hbn) as N1. pose proof (log_factor_pos n b Hb Hbn T nu Hnu) as C0.
  pose proof (oldest_row_bound n b Hb Hbn T nu Hnu) as Km. set (k := oldest_row n b T nu) in *.
  assert (Hk : (1 <= k)%nat) by (unfold k, oldest_row; lia).
  assert (Kk : N / B * C_1 <= INR k).
  { eapply Rle_trans; [apply ceiling_above|]. apply le_INR. unfold k, oldest_row. lia. }
  pose proof (after_start _ _ (coverage_sharper n b T k Hb Hbn C_1 nu Hk ltac:(lra) (Rle_refl _)
    Kk)) as Cov.
  pose proof (lemma_1_adaptive_option_I n b Hb Hbn grad zeta Hz het eta noise x0 d0 d0_nonneg
    spread_at_x0
    T nu Hnu) as Ad.
  assert (Hw : 1 - 2 * nu <= 1 - (nu + nu)) by lra.
  eapply (with_probability_weaken _ _ _ _ _ Hw); [|apply (union_bound _ _ _ _ _ Cov Ad)].
  intros [I0 past] [I0' [PI [past' [P Eq]]]] [H1 H2]. simpl in Eq. injection Eq as Eq1 Eq2.
  subst I0' past'.
  cbn [fst snd] in *. pose proof (history_length _ _ _ P) as Len. set (m := (k - 1)%nat) in *.
  set (e2 := fun past => sq (error n grad (run I0 past))).
  set (d2 := fun past => ahead n b grad eta (noise I0) (start I0) past
    * ahead n b grad eta (noise I0) (start I0) past).
  set (g2 := fun past => sq (grad_f (point (run I0 past)))).
  set (J := sw * (3 + 2 * C_1) * (d0 * d0)).
  assert (A0 : 0 <= discounted 1 d2 past) by (apply discounted_nonneg; [lra|intro;
    apply Rle_0_sqr]).
  assert (dd : 0 <= d0 * d0) by apply Rle_0_sqr.
  (* errors against movements *)
  assert (Er : discounted 1 e2 past <= zeta * zeta * ((1 + C_1) * (1 + C_1) * (2 * sw)) *
    discounted 1 d2 past + J).
  { pose proof (spread_bounds n b Hbn) as [S0 S1].
    assert (fr0 : 0 <= first_radius n b d0 <= / B * (d0 * d0)).
    { unfold first_radius. assert (iBB : 0 < / (B * B))
      by (apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra). split.
      - apply Rmult_le_pos; [apply Rmult_le_pos; lra|assumption].
      - apply Rmult_le_compat_r; [assumption|]. apply Rmult_le_reg_r with (B * B);
        [apply Rmult_lt_0_compat; lra|].
        replace (spread n b / (B * B) * (B * B)) with (spread n b) by (field; lra).
        replace (/ B * (B * B)) with B by (field; lra). lra. }
    pose proof (errors_total n b Hb Hbn grad zeta Hz eta (noise I0) (start I0) d0 (first_radius n
      b d0)
      d0_nonneg (proj1 fr0) 1 m l2 e2 past ltac:(lra) ltac:(apply Rle_0_sqr)) as X.
    assert (Old : forall t, (t < length past)%nat -> (oldest n (row_age 0 (at_time t past)) <=
      m)%nat).
    { intros t Ht. apply oldest_below; [assumption|]. intros i Hi.
      pose proof (row_age_le n b Hb Hbn 0 (at_time t past) i). specialize (H1 t i ltac:(lia) Hi).
      lia. }
    assert (q1 : (1 - B / N) * (1 - B / N) <= 1).
    { replace 1 with (1 * 1) at 3 by ring. apply Rmult_le_compat; lra. }
    specialize (X q1 Old ltac:(intros t Ht; apply H2; lia)). fold d2 in X.
    rewrite !pow1, !Rmult_1_l in X.
    set (E := discounted 1 e2 past) in *. set (A := discounted 1 d2 past) in *.
    pose proof (pos_INR m) as m0. set (p := B / N) in *. set (pm := p * INR m) in *.
    assert (pm0 : 0 <= pm) by (apply Rmult_le_pos; lra).
    set (kk := p * (2 - p)). assert (k0 : 0 < kk) by (apply Rmult_lt_0_compat; lra).
    replace (1 - (1 - p) * (1 - p)) with kk in X by (unfold kk; ring).
    assert (SW : kk * sw = l2 * / B).
    { unfold start_weight, lifetime, kk, p. field. repeat split; lra. }
    assert (l20 : 0 <= l2) by apply Rle_0_sqr. assert (iB : 0 < / B) by (apply Rinv_0_lt_compat;
      lra).
    assert (Q1 : (1 + pm) * (1 + pm) <= (1 + C_1) * (1 + C_1)) by (apply Rmult_le_compat; lra).
    assert (Q2 : (INR m + 1) * (2 * (p * p * (d0 * d0))) <= (2 + 2 * C_1) * (d0 * d0)).
    { replace ((INR m + 1) * (2 * (p * p * (d0 * d0)))) with (2 * (p * (pm + p)) * (d0 * d0))
      by (unfold pm; ring).
      apply Rmult_le_compat_r; [assumption|].
      assert (p * (pm + p) <= 1 * (C_1 + 1)) by (apply Rmult_le_compat; lra). lra. }
    assert (zA : 0 <= 2 * (zeta * zeta) * A).
    { apply Rmult_le_pos; [|assumption]. apply Rmult_le_pos; [lra|apply Rle_0_sqr]. }
    assert (Q3 : 2 * (zeta * zeta) * A * ((1 + pm) * (1 + pm)) <= 2 * (zeta * zeta) * A * ((1 +
      C_1) * (1 + C_1)))
      by (apply Rmult_le_compat_l; assumption).
    set (in1 := 2 * (zeta * zeta) * ((1 + pm) * (1 + pm)) * A + (INR m + 1) * (2 * (p * p * (d0 *
      d0)))) in *.
    assert (Q4 : first_radius n b d0 + / B * in1 <= / B * (2 * (zeta * zeta) * A * ((1 + C_1) * (1
      + C_1))
      + (3 + 2 * C_1) * (d0 * d0))).
    { assert (in1 <= 2 * (zeta * zeta) * A * ((1 + C_1) * (1 + C_1)) + (2 + 2 * C_1) * (d0 * d0))
        by (unfold in1; lra).
      assert (/ B * in1 <= / B * (2 * (zeta * zeta) * A * ((1 + C_1) * (1 + C_1)) + (2 + 2 * C_1)
        * (d0 * d0)))
        by (apply Rmult_le_compat_l; lra). lra. }
    apply Rmult_le_reg_l with kk; [assumption|]. eapply Rle_trans; [exact X|].
    eapply Rle_trans; [apply Rmult_le_compat_l; [assumption|exact Q4]|]. right. unfold J.
    replace (kk * (zeta * zeta * ((1 + C_1) * (1 + C_1) * (2 * sw)) * A + sw * (3 + 2 * C_1) * (d0
      * d0)))
      with (kk * sw * (2 * (zeta * zeta) * A * ((1 + C_1) * (1 + C_1)) + (3 + 2 * C_1) * (d0 *
        d0))) by ring.
    rewrite SW. ring. }
  (* descent *)
  pose proof (discounted_descent 1 (fun past => F (point (run I0 past)))
    (fun past => eta * e2 past + (- (eta / 2) * g2 past + (- (1 / (2 * eta) - L / 2) * d2 past + r
      * r / eta)))
    past ltac:(lra)) as D.
  assert (Step : forall (o : batch) before, F (point (run I0 (o :: before))) <= 1 * F (point (run
    I0 before))
    + (eta * e2 before + (- (eta / 2) * g2 before + (- (1 / (2 * eta) - L / 2) * d2 before + r * r
      / eta)))).
  { intros Ib before. pose proof (descent_lemma F grad_f L eta r (point (run I0 before))
      (estimate n (run I0 before)) (noise I0 before)
      (objective_below_quadratic n f grad L ltac:(lia) smoothness) E0 (noise_r I0 before)) as DL.
    cbv zeta in DL.
    change (add (sub (point (run I0 before)) (scale eta (estimate n (run I0 before)))) (noise I0
      before))
      with (point (run I0 (Ib :: before))) in DL.
    unfold e2, g2, d2, ahead. rewrite norm_sq.
    change (next_point n eta (noise I0) before (run I0 before))
      with (point (run I0 (Ib :: before))).
    unfold error. lra. }
  specialize (D Step). rewrite !discounted_add, !discounted_mul, pow1, Rmult_1_l in D.
  pose proof (infimum (point (run I0 past))) as Inf. change (F (point (run I0 [])))
    with (F x0) in D.
  assert (K : discounted 1 (fun _ : list batch => r * r / eta) past = INR T * (r * r / eta)).
  { rewrite discounted_one, Len. apply sum_const. }
  rewrite K in D. set (E := discounted 1 e2 past) in *. set (A := discounted 1 d2 past) in *.
  assert (G : discounted 1 g2 past = sum T (fun t => sq (grad_f (point (run I0 (at_time t
    past)))))).
  { rewrite discounted_one, Len. reflexivity. }
  rewrite G in D. set (Gs := sum T _) in *. assert (T0 : 0 < INR T) by (apply lt_0_INR; lia).
  assert (Bal : eta * E <= (1 / (2 * eta) - L / 2) * A + eta * J).
  { apply Rmult_le_reg_l with (4 * eta); [lra|].
    set (w := zeta * zeta * ((1 + C_1) * (1 + C_1) * (2 * sw))) in *.
    assert (ee : 0 <= 4 * (eta * eta)) by (pose proof (Rle_0_sqr eta) as Q; unfold Rsqr in Q; lra).
    replace (4 * eta * (eta * E)) with (4 * (eta * eta) * E) by ring.
    replace (4 * eta * ((1 / (2 * eta) - L / 2) * A + eta * J))
      with ((2 - 2 * eta * L) * A + 4 * (eta * eta) * J) by (field; lra).
    assert (4 * (eta * eta) * E <= 4 * (eta * eta) * (w * A + J)) by (apply Rmult_le_compat_l;
      assumption).
    assert (4 * (eta * eta) * w * A <= 1 * A) by (apply Rmult_le_compat_r; assumption).
    assert (1 * A <= (2 - 2 * eta * L) * A) by (apply Rmult_le_compat_r; lra). lra. }
  assert (R2 : r * r <= eta * eta * (eps * eps) / 4).
  { apply Rle_trans with (eta * eps / 2 * (eta * eps / 2)); [apply Rmult_le_compat; lra|right;
    field]. }
  assert (Fin : eta / 2 * Gs <= Delta + INR T * (r * r / eta) + eta * J) by lra.
  apply Rmult_le_reg_l with (eta / 2 * INR T); [apply Rmult_lt_0_compat; lra|].
  replace (eta / 2 * INR T * (Gs / INR T)) with (eta / 2 * Gs) by (field; lra).
  replace (eta / 2 * INR T * (2 * Delta / (eta * INR T) + eps * eps / 2 + 2 * J / INR T))
    with (Delta + INR T * (eta * (eps * eps) / 4) + eta * J) by (field; lra).
  assert (r * r / eta <= eta * (eps * eps) / 4).
  { apply Rmult_le_reg_r with eta; [assumption|].
    replace (r * r / eta * eta) with (r * r) by (field; lra). lra. }
  assert (INR T * (r * r / eta) <= INR T * (eta * (eps * eps) / 4)) by (apply Rmult_le_compat_l;
    lra). lra.
Qed.
End Theorem2.
