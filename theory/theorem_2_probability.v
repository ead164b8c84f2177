(* Theorem 2 (theorem:First-Main, lines 370-382 and 1485-1530) with probability, Option II.

   Printed: under Assumptions 1, 2, 5, with eta = Theta~(1/L ∧ b/(zeta sqrt n)) and r <= eta eps/2,
   SLEDGE finds an epsilon-stationary point with O~(n + Delta (zeta sqrt n ∨ Lb)/eps^2) gradients
   with probability at least 1 - nu. The appendix has eta = min{1/(2L), b/(C_1^4 zeta sqrt(60 n))},
   T >= 4 Delta/(eta eps^2), probability 1 - 3 nu, C_1 = O(log(1/nu + n + P + d + T + K)).
   Proved [theorem_2_option_II_high_probability], for all spaces, f_i, 1 <= b <= n, T >= 1,
   0 < nu < 1, noises with |xi| <= r <= eta eps/2, also such that depend on the past: with
       C_1 = log((n + bT)/nu),  lambda = 1 + sqrt(log(bT/nu)/2),
       eta = min{1/(2L), b sqrt(2 - b/n)/(2 zeta lambda (1 + C_1) sqrt n)}          [high_step_size]
   with probability at least 1 - 2 nu
       (1/T) sum_{t<T} |grad f(x^t)|^2 <= 2 Delta/(eta T) + eps^2/2,
   so that T >= 4 Delta/(eta eps^2) steps, n + 2bT gradients, meet a point with |grad f| <= eps
   [theorem_2_option_II_stationary].
   Stronger than printed: literal constants, about C_1^(3/2) for C_1^4 sqrt 60 in the step size, no
   dimension, noise chosen by an adversary, no second derivatives. No window and no restart is used.
   Nothing is weaker.

   Proof. Where no row gets (n/b) C_1 steps old (coverage.v) and the errors keep to
   lemma_1_adaptive,
       sum_t |v^t - grad f(x^t)|^2
           <= lambda^2 (1 + C_1)^2 (n zeta^2/(b^2 (2 - b/n))) sum_t |x^{t+1} - x^t|^2:
   the discounts of beta sum up to n/(b (2 - b/n)), and a step enters the radii of at most (n/b) C_1
   later ones, with weight b/n [errors_discounted, there with a discount rho for Theorem 5]. The
   descent lemma does the rest. *)
From Coq Require Import Reals Lra Lia List PeanoNat Bool.
From Sledge Require Import vectors means minibatches algorithms problems second_moments
  sledge_errors.
From Sledge Require Import theorem_2_expectation probability azuma minibatch_tails coverage.
From Sledge Require Import sledge_tails lemma_1.
Import ListNotations.
Open Scope R_scope.

(* ---- Discounted sums along a run: sum_{t < T} rho^(T-1-t) f_t ---- *)

Fixpoint discounted {O} (rho : R) (f : list O -> R) (past : list O) : R :=
  match past with [] => 0 | _ :: before => rho * discounted rho f before + f before end.

Section Discounts.
Context {O : Type}.
Implicit Types (f g : list O -> R) (past : list O).

Lemma at_time_self (o : O) past : at_time (length past) (o :: past) = past.
Proof. rewrite at_time_before, at_time_all by lia. reflexivity. Qed.
Lemma discounted_le rho f g past : 0 <= rho ->
  (forall t, (t < length past)%nat -> f (at_time t past) <= g (at_time t past)) ->
  discounted rho f past <= discounted rho g past.
Proof.
  intro Hr. induction past as [|o before IH]; intro H; [simpl; lra|]. cbn [discounted].
  apply Rplus_le_compat.
  - apply Rmult_le_compat_l; [assumption|]. apply IH. intros t Ht. specialize (H t).
    cbn [length] in H. specialize (H ltac:(lia)). rewrite at_time_before in H by lia. exact H.
  - specialize (H (length before)). cbn [length] in H. specialize (H ltac:(lia)).
    rewrite at_time_self in H. exact H.
Qed.
Lemma discounted_mul rho c f past : discounted rho (fun p => c * f p) past = c * discounted rho f
  past.
Proof. induction past as [|o before IH]; simpl; [ring|]. rewrite IH. ring. Qed.
Lemma discounted_add rho f g past :
  discounted rho (fun p => f p + g p) past = discounted rho f past + discounted rho g past.
Proof. induction past as [|o before IH]; simpl; [ring|]. rewrite IH. ring. Qed.
Lemma discounted_nonneg rho f past : 0 <= rho -> (forall p, 0 <= f p) -> 0 <= discounted rho f past.
Proof.
  intros Hr H. induction past as [|o before IH]; simpl; [lra|].
  assert (0 <= rho * discounted rho f before) by (apply Rmult_le_pos; assumption).
  specialize (H before). lra.
Qed.
Lemma discounted_one f past :
  discounted 1 f past = sum (length past) (fun t => f (at_time t past)).
Proof.
  induction past as [|o before IH]; [reflexivity|]. cbn [discounted length sum].
  rewrite at_time_self, IH, Rmult_1_l. f_equal. apply sum_ext. intros t Ht.
  rewrite at_time_before by lia. reflexivity.
Qed.
(* (1 - rho) (1 + rho + ... + rho^(T-1)) <= 1 *)
Lemma discounted_const rho c past : 0 <= rho -> 0 <= c -> (1 - rho) * discounted rho (fun _ => c)
  past <= c.
Proof.
  intros Hr Hc. assert (E : (1 - rho) * discounted rho (fun _ : list O => c) past = c - rho ^
    length past * c).
  { induction past as [|o before IH]; simpl; [ring|].
    replace ((1 - rho) * (rho * discounted rho (fun _ : list O => c) before + c))
      with (rho * ((1 - rho) * discounted rho (fun _ : list O => c) before) + (1 - rho) * c)
        by ring.
    rewrite IH. ring. }
  rewrite E. assert (0 <= rho ^ length past * c) by (apply Rmult_le_pos; [apply pow_le|];
    assumption). lra.
Qed.
(* d' <= rho d + w at every step *)
Lemma discounted_descent rho (d w : list O -> R) past : 0 <= rho ->
  (forall o before, d (o :: before) <= rho * d before + w before) ->
  d past <= rho ^ length past * d [] + discounted rho w past.
Proof.
  intros Hr H. induction past as [|o before IH]; simpl; [lra|]. specialize (H o before).
  assert (rho * d before <= rho * (rho ^ length before * d [] + discounted rho w before))
    by (apply Rmult_le_compat_l; assumption). lra.
Qed.
End Discounts.

(* ---- Movements, for any start ---- *)

Section Movements.
Context {V : space}.
Variables (n b : nat) (grad : nat -> V -> V) (eta : R) (noise : list batch -> V) (start : @state R
  V).
Notation ahead := (ahead n b grad eta noise start).
Notation squares := (squares n b grad eta noise start).
Notation d2 := (fun past => ahead past * ahead past).

(* A movement is among the last m at m times. *)
Lemma squares_discounted rho m past : 0 <= rho <= 1 ->
  rho ^ m * discounted rho (squares m) past <= INR m * discounted rho d2 past.
Proof.
  intro Hr. assert (A0 : 0 <= discounted rho d2 past).
  { apply discounted_nonneg; [lra|]. intro p. apply Rle_0_sqr. }
  induction m as [|m IH].
  - assert (Z : discounted rho (squares 0) past = 0).
    { clear. induction past as [|J before IH]; [reflexivity|]. cbn [discounted]. rewrite IH.
      destruct before; cbn [lemma_1.squares]; ring. }
    rewrite Z. simpl (INR 0). lra.
  - assert (S : rho * discounted rho (squares (S m)) past + squares (S m) past
      <= discounted rho d2 past + discounted rho (squares m) past).
    { clear IH A0. induction past as [|J before IH]; [cbn [discounted lemma_1.squares]; lra|].
      cbn [discounted].
      change (squares (Datatypes.S m) (J :: before))
        with (ahead before * ahead before + squares m before).
      set (X := discounted rho (squares (S m)) before) in *. set (Y := squares (S m) before) in *.
      assert (rho * (rho * X + Y) <= rho * (discounted rho d2 before + discounted rho (squares m)
        before))
        by (apply Rmult_le_compat_l; [lra|exact IH]). lra. }
    pose proof (squares_nonneg n b grad eta noise start (Datatypes.S m) past) as Q.
    rewrite S_INR. cbn [pow]. assert (P0 : 0 <= rho ^ m) by (apply pow_le; lra).
    assert (P1 : rho ^ m <= 1).
    { rewrite <- (pow1 m). apply pow_incr. lra. }
    assert (H : rho ^ m * (rho * discounted rho (squares (Datatypes.S m)) past)
      <= rho ^ m * (discounted rho d2 past + discounted rho (squares m) past))
        by (apply Rmult_le_compat_l; lra).
    assert (rho ^ m * discounted rho d2 past <= 1 * discounted rho d2 past)
      by (apply Rmult_le_compat_r; lra).
    lra.
Qed.
End Movements.

(* ---- Errors against movements ---- *)

Section Errors.
Context {V : space}.
Variables (n b : nat).
Hypothesis Hb : (1 <= b)%nat.
Hypothesis Hbn : (b <= n)%nat.
Variables (grad : nat -> V -> V) (zeta : R).
Hypothesis zeta0 : 0 <= zeta.
Hypothesis het : heterogeneous n grad zeta.
Variables (eta : R) (noise : list batch -> V) (x0 : V).
Notation N := (INR n).
Notation B := (INR b).
Notation start := (sledge_start_II grad x0).
Notation run := (sledge n b eta noise grad start).
Notation ahead := (ahead n b grad eta noise start).
Notation travelled := (travelled n b grad eta noise start).
Notation beta := (beta n b grad zeta eta noise start 0 0 0).
Notation spreads := (spreads n b grad zeta eta noise start 0 0).
Notation squares := (squares n b grad eta noise start).
Notation e2 := (fun past => sq (error n grad (run past))).
Notation d2 := (fun past => ahead past * ahead past).

Lemma beta_discounted rho past :
  (rho - (1 - B / N) * (1 - B / N)) * discounted rho beta past + beta past
  = spread n b / (B * B) * discounted rho (fun p => spreads p * spreads p) past.
Proof.
  induction past as [|J before IH]; [simpl; ring|]. cbn [discounted sledge_tails.beta Nat.leb].
  set (q2 := (1 - B / N) * (1 - B / N)) in *. set (X := discounted rho beta before) in *.
  replace ((rho - q2) * (rho * X + beta before) + (q2 * beta before + spread n b / (B * B) *
    (spreads before * spreads before)))
    with (rho * ((rho - q2) * X + beta before) + spread n b / (B * B) * (spreads before * spreads
      before)) by ring.
  rewrite IH. ring.
Qed.
Lemma spreads_square m past : (oldest n (row_age 0 past) <= m)%nat ->
  spreads past * spreads past
  <= zeta * zeta * (1 + B / N * INR m) * (ahead past * ahead past + B / N * squares m past).
Proof.
  intro H. pose proof (BN_1 n b Hb Hbn) as [p0 p1].
  assert (SP : spreads past <= zeta * (ahead past + B / N * travelled m past)).
  { unfold sledge_tails.spreads. rewrite Rmult_plus_distr_l. apply Rplus_le_compat_l.
    replace (zeta * (B / N * travelled m past)) with (B / N * (zeta * travelled m past)) by ring.
    apply Rmult_le_compat_l; [lra|].
    eapply Rle_trans; [apply (reach_monotone n b Hb Hbn grad zeta zeta0 eta noise start 0 0
      ltac:(lra) _ m), H|].
    unfold reach. destruct (Nat.ltb _ _); lra. }
  pose proof (spreads_nonneg n b Hb Hbn grad zeta zeta0 eta noise start 0 0 ltac:(lra) past) as SP0.
  apply Rle_trans with (zeta * (ahead past + B / N * travelled m past) * (zeta * (ahead past + B /
    N * travelled m past))).
  - apply Rmult_le_compat; assumption.
  - replace (zeta * (ahead past + B / N * travelled m past) * (zeta * (ahead past + B / N *
    travelled m past)))
      with (zeta * zeta * ((ahead past + B / N * travelled m past) * (ahead past + B / N *
        travelled m past))) by ring.
    rewrite (Rmult_assoc (zeta * zeta) (1 + B / N * INR m)).
    apply Rmult_le_compat_l; [apply Rle_0_sqr|].
    apply square_of_path; [apply ahead_nonneg|lra|apply travelled_nonneg|apply
      squares_nonneg|apply pos_INR|].
    apply travelled_square.
Qed.
Theorem errors_discounted rho m l2 past : 0 < rho <= 1 -> 0 <= l2 ->
  (1 - B / N) * (1 - B / N) <= rho ->
  (forall t, (t < length past)%nat -> (oldest n (row_age 0 (at_time t past)) <= m)%nat) ->
  (forall t, (t < length past)%nat -> e2 (at_time t past) <= l2 * beta (at_time t past)) ->
  rho ^ m * ((rho - (1 - B / N) * (1 - B / N)) * discounted rho e2 past)
  <= l2 * (zeta * zeta) / B * (1 + B / N * INR m) * (rho ^ m + B / N * INR m) * discounted rho d2
    past.
Proof.
  intros Hr Hl Hq Old Err. pose proof (BN_1 n b Hb Hbn) as [p0 p1].
  pose proof (Bb n b Hb Hbn) as [B1 _].
  set (p := B / N) in *. set (q2 := (1 - p) * (1 - p)) in *. pose proof (pos_INR m) as m0.
  assert (pm : 0 <= p * INR m) by (apply Rmult_le_pos; lra).
  assert (R0 : 0 <= rho ^ m) by (apply pow_le; lra).
  set (A := discounted rho d2 past).
  assert (A0 : 0 <= A) by (apply discounted_nonneg; [lra|intro; apply Rle_0_sqr]).
  (* errors by beta, beta by spreads, spreads by movements *)
  assert (H1 : discounted rho e2 past <= l2 * discounted rho beta past).
  { rewrite <- discounted_mul. apply discounted_le; [lra|exact Err]. }
  pose proof (beta_discounted rho past) as H2. fold p in H2. fold q2 in H2.
  assert (Bp : 0 <= beta past).
  { assert (G : forall l, 0 <= beta l); [|apply G]. induction l as [|J before IH]; [simpl; lra|].
    cbn [sledge_tails.beta Nat.leb]. pose proof (spread_bounds n b Hbn) as [S0 _].
    assert (0 <= (1 - B / N) * (1 - B / N) * beta before) by (apply Rmult_le_pos;
      [apply Rle_0_sqr|assumption]).
    assert (0 <= spread n b / (B * B) * (spreads before * spreads before)); [|lra].
    apply Rmult_le_pos; [|apply Rle_0_sqr]. apply Rmult_le_pos; [assumption|].
    left. apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra. }
  set (D := discounted rho (fun p0 => spreads p0 * spreads p0) past) in *.
  assert (H3 : D <= zeta * zeta * (1 + p * INR m) * (A + p * discounted rho (squares m) past)).
  { unfold D, A. rewrite <- discounted_mul, <- discounted_add, <- discounted_mul.
    apply discounted_le; [lra|]. intros t Ht. apply spreads_square, Old, Ht. }
  pose proof (squares_discounted n b grad eta noise start rho m past ltac:(lra)) as H4.
  fold A in H4.
  set (S := discounted rho (squares m) past) in *.
  assert (sB : spread n b / (B * B) <= / B).
  { pose proof (spread_bounds n b Hbn). apply Rmult_le_reg_r with (B * B);
    [apply Rmult_lt_0_compat; lra|].
    replace (spread n b / (B * B) * (B * B)) with (spread n b) by (field; lra).
    replace (/ B * (B * B)) with B by (field; lra). lra. }
  assert (s0 : 0 <= spread n b / (B * B)).
  { pose proof (spread_bounds n b Hbn). apply Rmult_le_pos; [lra|]. left.
    apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra. }
  assert (D0 : 0 <= D) by (apply discounted_nonneg; [lra|intro; apply Rle_0_sqr]).
  assert (H5 : (rho - q2) * discounted rho e2 past <= l2 * (/ B * D)).
  { apply Rle_trans with ((rho - q2) * (l2 * discounted rho beta past)).
    - apply Rmult_le_compat_l; lra.
    - replace ((rho - q2) * (l2 * discounted rho beta past))
      with (l2 * ((rho - q2) * discounted rho beta past)) by ring.
      apply Rmult_le_compat_l; [assumption|]. assert (spread n b / (B * B) * D <= / B * D)
        by (apply Rmult_le_compat_r; lra). lra. }
  assert (H6 : rho ^ m * D <= zeta * zeta * (1 + p * INR m) * ((rho ^ m + p * INR m) * A)).
  { apply Rle_trans with (rho ^ m * (zeta * zeta * (1 + p * INR m) * (A + p * S)));
    [apply Rmult_le_compat_l; assumption|].
    replace (rho ^ m * (zeta * zeta * (1 + p * INR m) * (A + p * S)))
      with (zeta * zeta * (1 + p * INR m) * (rho ^ m * A + p * (rho ^ m * S))) by ring.
    apply Rmult_le_compat_l; [apply Rmult_le_pos; [apply Rle_0_sqr|lra]|].
    assert (p * (rho ^ m * S) <= p * (INR m * A)) by (apply Rmult_le_compat_l; lra). lra. }
  apply Rle_trans with (rho ^ m * (l2 * (/ B * D))); [apply Rmult_le_compat_l; assumption|].
  replace (rho ^ m * (l2 * (/ B * D))) with (l2 * / B * (rho ^ m * D)) by ring.
  replace (l2 * (zeta * zeta) / B * (1 + p * INR m) * (rho ^ m + p * INR m) * A)
    with (l2 * / B * (zeta * zeta * (1 + p * INR m) * ((rho ^ m + p * INR m) * A)))
      by (unfold Rdiv; ring).
  apply Rmult_le_compat_l; [|assumption]. apply Rmult_le_pos; [assumption|]. left.
  apply Rinv_0_lt_compat. lra.
Qed.

(* ---- The event of probability at least 1 - 2 nu ---- *)

(* C_1 = log((n + bT)/nu), lambda, and how old a row may get *)
Definition log_factor (T : nat) (nu : R) : R := ln ((N + B * INR T) / nu).
Definition lambda (T : nat) (nu : R) : R := radius (INR (b * T)) nu.
Definition oldest_row (T : nat) (nu : R) : nat := Nat.max 1 (ceiling (N / B * log_factor T nu)).

Lemma log_factor_pos T nu : 0 < nu < 1 -> 0 < log_factor T nu.
Proof.
  intro Hnu. pose proof (Nn n b Hb Hbn). pose proof (pos_INR T). pose proof (pos_INR b).
  assert (0 <= B * INR T) by (apply Rmult_le_pos; assumption).
  unfold log_factor. rewrite <- ln_1. apply ln_increasing; [lra|].
  apply Rmult_lt_reg_r with nu; [lra|]. replace ((N + B * INR T) / nu * nu)
    with (N + B * INR T) by (field; lra). lra.
Qed.
(* (b/n) (k - 1) <= C_1 *)
Lemma oldest_row_bound T nu : 0 < nu < 1 -> B / N * INR (oldest_row T nu - 1) <= log_factor T nu.
Proof.
  intro Hnu. pose proof (log_factor_pos T nu Hnu) as C0. pose proof (BN_1 n b Hb Hbn) as [p0 p1].
  pose proof (Bb n b Hb Hbn) as [B1 BN]. pose proof (Nn n b Hb Hbn) as N1.
  set (C := log_factor T nu) in *.
  assert (X : 0 <= N / B * C).
  { apply Rmult_le_pos; [apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]|lra]. }
  pose proof (ceiling_below (N / B * C) X) as Cb. unfold oldest_row. fold C.
  set (k := ceiling (N / B * C)) in *.
  assert (K : INR (Nat.max 1 k - 1) <= N / B * C).
  { destruct (Nat.le_gt_cases k 1) as [l|l].
    - replace (Nat.max 1 k - 1)%nat with 0%nat by lia. simpl. assumption.
    - replace (Nat.max 1 k - 1)%nat with (k - 1)%nat by lia. rewrite minus_INR by lia.
      simpl (INR 1). lra. }
  replace C with (B / N * (N / B * C)) by (field; lra). apply Rmult_le_compat_l; lra.
Qed.
Theorem good_event T nu : (1 <= T)%nat -> 0 < nu < 1 ->
  with_probability (sledge_history n b T) (1 - 2 * nu) (fun past => forall t, (t <= T)%nat ->
    e2 (at_time t past) <= lambda T nu * lambda T nu * beta (at_time t past) /\
    (oldest n (row_age 0 (at_time t past)) <= oldest_row T nu - 1)%nat).
Proof.
  intros HT Hnu. set (k := oldest_row T nu).
  assert (Hk : (1 <= k)%nat) by (unfold k, oldest_row; lia).
  assert (Kk : N / B * log_factor T nu <= INR k).
  { eapply Rle_trans; [apply ceiling_above|]. apply le_INR. unfold k, oldest_row. lia. }
  pose proof (coverage_sharper n b T k Hb Hbn (log_factor T nu) nu Hk ltac:(lra) (Rle_refl _) Kk)
    as Cov.
  pose proof (lemma_1_adaptive n b Hb Hbn grad zeta zeta0 het eta noise x0 T nu HT Hnu) as Ad.
  assert (Hw : 1 - 2 * nu <= 1 - (nu + nu)) by lra.
  eapply (with_probability_weaken _ _ _ _ _ Hw); [|apply (union_bound _ _ _ _ _ Cov Ad)].
  intros past P [H1 H2] t Ht. split; [apply H2, Ht|].
  apply oldest_below; [assumption|]. intros i Hi.
  pose proof (row_age_le n b Hb Hbn 0 (at_time t past) i). specialize (H1 t i Ht Hi). lia.
Qed.
End Errors.

(* Of numbers whose mean is at most c one is. *)
Lemma some_below k (g : nat -> R) c : (1 <= k)%nat -> sum k g <= INR k * c ->
  exists t, (t < k)%nat /\ g t <= c.
Proof.
  induction k as [|k IH]; intros Hk S; [lia|]. cbn [sum] in S. rewrite S_INR in S.
  destruct (Rle_dec (g k) c) as [l|l]; [exists k; split; [lia|assumption]|].
  destruct k as [|k]; [simpl in S; lra|]. destruct (IH ltac:(lia)) as [t [Ht Lt]]; [lra|].
  exists t. split; [lia|assumption].
Qed.

(* ---- The theorem ---- *)

Definition high_step_size (n b T : nat) (L zeta nu : R) : R :=
  / (2 * Rmax L (zeta * (lambda b T nu * (1 + log_factor n b T nu) * sqrt (lifetime n b / INR b)))).

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
Variables (x0 : V) (T : nat) (nu eps r : R).
Hypothesis HT : (1 <= T)%nat.
Hypothesis Hnu : 0 < nu < 1.
Hypothesis Hr : 0 <= r.
Variable noise : list batch -> V.
Hypothesis noise_r : forall past, norm (noise past) <= r.
Notation N := (INR n).
Notation B := (INR b).
Notation F := (objective n f).
Notation grad_f := (gradient n grad).
Notation C_1 := (log_factor n b T nu).
Notation lam := (lambda b T nu).
Notation eta := (high_step_size n b T L zeta nu).
Notation run := (sledge n b eta noise grad (sledge_start_II grad x0)).
Notation Delta := (F x0 - fstar).
Let weight : R := lam * (1 + C_1) * sqrt (lifetime n b / B).

Lemma high_weight : 0 <= weight /\ weight * weight = lam * lam * ((1 + C_1) * (1 + C_1)) *
  (lifetime n b / B).
Proof.
  pose proof (Bb n b Hb Hbn) as [B1 BN]. pose proof (BN_1 n b Hb Hbn) as [p0 p1].
  pose proof (log_factor_pos n b Hb Hbn T nu Hnu) as C0.
  pose proof (radius_above (INR (b * T)) nu) as l1.
  fold lam in l1. assert (Q : 0 <= lifetime n b / B).
  { unfold lifetime. apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat; lra].
    apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat. apply Rmult_lt_0_compat; lra. }
  split.
  - unfold weight. apply Rmult_le_pos; [apply Rmult_le_pos; unfold lambda in *; lra|apply sqrt_pos].
  - unfold weight. replace (lam * (1 + C_1) * sqrt (lifetime n b / B) * (lam * (1 + C_1) * sqrt
    (lifetime n b / B)))
      with (lam * lam * ((1 + C_1) * (1 + C_1)) * (sqrt (lifetime n b / B) * sqrt (lifetime n b /
        B))) by ring.
    rewrite sqrt_sqrt by assumption. reflexivity.
Qed.
Lemma high_step_size_bounds : 0 < eta /\ 2 * eta * L <= 1 /\ 4 * (eta * eta) * (zeta * zeta *
  (weight * weight)) <= 1.
Proof.
  pose proof high_weight as [W0 _]. assert (Z : 0 <= zeta * weight) by (apply Rmult_le_pos;
    assumption).
  unfold high_step_size. fold weight. set (M := Rmax L (zeta * weight)).
  assert (M1 : L <= M) by apply Rmax_l. assert (M2 : zeta * weight <= M) by apply Rmax_r.
  assert (M0 : 0 < M) by lra. assert (I0 : 0 < / (2 * M)) by (apply Rinv_0_lt_compat; lra).
  split; [assumption|]. split.
  - apply Rmult_le_reg_r with M; [assumption|]. replace (2 * / (2 * M) * L * M) with L by (field;
    lra). lra.
  - apply Rmult_le_reg_r with (M * M); [apply Rmult_lt_0_compat; assumption|].
    replace (4 * (/ (2 * M) * / (2 * M)) * (zeta * zeta * (weight * weight)) * (M * M))
      with (zeta * weight * (zeta * weight)) by (field; lra).
    rewrite Rmult_1_l. apply Rmult_le_compat; assumption.
Qed.

Theorem theorem_2_option_II_high_probability : r <= eta * eps / 2 ->
  with_probability (sledge_history n b T) (1 - 2 * nu) (fun past =>
    sum T (fun t => sq (grad_f (point (run (at_time t past))))) / INR T
    <= 2 * Delta / (eta * INR T) + eps * eps / 2).
Proof.
  intro Hre. pose proof high_step_size_bounds as [E0 [E1 E2]]. pose proof high_weight as [W0 W2].
  pose proof (Bb n b Hb Hbn) as [B1 BN]. pose proof (BN_1 n b Hb Hbn) as [p0 p1].
  pose proof (Nn n b Hb Hbn) as N1. pose proof (log_factor_pos n b Hb Hbn T nu Hnu) as C0.
  pose proof (oldest_row_bound n b Hb Hbn T nu Hnu) as Km.
  eapply with_probability_weaken;
    [apply Rle_refl| |apply (good_event n b Hb Hbn grad zeta Hz het eta noise x0 T nu HT Hnu)].
  intros past P H. pose proof (history_length _ _ _ P) as Len.
  set (m := (oldest_row n b T nu - 1)%nat) in *.
  set (e2 := fun past => sq (error n grad (run past))).
  set (d2 := fun past => ahead n b grad eta noise (sledge_start_II grad x0) past
    * ahead n b grad eta noise (sledge_start_II grad x0) past).
  set (g2 := fun past => sq (grad_f (point (run past)))).
  (* errors against movements *)
  assert (Er : 4 * (eta * eta) * discounted 1 e2 past <= discounted 1 d2 past).
  { pose proof (errors_discounted n b Hb Hbn grad zeta Hz eta noise x0 1 m (lam * lam) past
    ltac:(lra)) as X.
    specialize (X ltac:(apply Rle_0_sqr)).
    assert (q1 : (1 - B / N) * (1 - B / N) <= 1).
    { replace 1 with (1 * 1) at 3 by ring. apply Rmult_le_compat; lra. }
    specialize (X q1 ltac:(intros t Ht; apply H; lia) ltac:(intros t Ht; apply H; lia)).
    rewrite pow1, Rmult_1_l in X. fold e2 in X. fold d2 in X.
    set (E := discounted 1 e2 past) in *. set (A := discounted 1 d2 past) in *.
    assert (A0 : 0 <= A) by (apply discounted_nonneg; [lra|intro; apply Rle_0_sqr]).
    pose proof (pos_INR m) as m0. set (pm := B / N * INR m) in *.
    assert (pm0 : 0 <= pm) by (apply Rmult_le_pos; lra).
    set (k := B / N * (2 - B / N)).
    assert (k0 : 0 < k) by (apply Rmult_lt_0_compat; lra).
    replace (1 - (1 - B / N) * (1 - B / N)) with k in X by (unfold k; ring).
    assert (LB : lifetime n b / B = / (k * B)) by (unfold lifetime, k; field; repeat split; lra).
    assert (Y : k * E <= k * (zeta * zeta * (weight * weight)) * A).
    { eapply Rle_trans; [exact X|]. apply Rmult_le_compat_r; [assumption|].
      rewrite W2, LB. replace (k * (zeta * zeta * (lam * lam * ((1 + C_1) * (1 + C_1)) * / (k *
        B))))
        with (lam * lam * (zeta * zeta) / B * ((1 + C_1) * (1 + C_1))) by (field; lra).
      rewrite Rmult_assoc. apply Rmult_le_compat_l.
      - apply Rmult_le_pos; [apply Rmult_le_pos; apply Rle_0_sqr|left; apply Rinv_0_lt_compat; lra].
      - apply Rmult_le_compat; lra. }
    assert (Y2 : E <= zeta * zeta * (weight * weight) * A).
    { apply Rmult_le_reg_l with k; [assumption|]. lra. }
    assert (0 <= 4 * (eta * eta)) by (pose proof (Rle_0_sqr eta) as Q; unfold Rsqr in Q; lra).
    apply Rle_trans with (4 * (eta * eta) * (zeta * zeta * (weight * weight) * A));
      [apply Rmult_le_compat_l; assumption|].
    rewrite <- Rmult_assoc. rewrite <- (Rmult_1_l A) at 2. apply Rmult_le_compat_r; assumption. }
  (* descent *)
  pose proof (discounted_descent 1 (fun past => F (point (run past)))
    (fun past => eta * e2 past + (- (eta / 2) * g2 past + (- (1 / (2 * eta) - L / 2) * d2 past + r
      * r / eta))) past ltac:(lra)) as D.
  assert (Step : forall (o : batch) before, F (point (run (o :: before))) <= 1 * F (point (run
    before))
    + (eta * e2 before + (- (eta / 2) * g2 before + (- (1 / (2 * eta) - L / 2) * d2 before + r * r
      / eta)))).
  { intros J before. pose proof (descent_lemma F grad_f L eta r (point (run before)) (estimate n
    (run before)) (noise before)
      (objective_below_quadratic n f grad L ltac:(lia) smoothness) E0 (noise_r before)) as DL.
    cbv zeta in DL. change (add (sub (point (run before)) (scale eta (estimate n (run before))))
      (noise before))
      with (point (run (J :: before))) in DL.
    unfold e2, g2, d2, ahead. rewrite norm_sq.
    change (next_point n eta noise before (run before)) with (point (run (J :: before))).
    unfold error. lra. }
  specialize (D Step). rewrite !discounted_add, !discounted_mul, pow1, Rmult_1_l in D.
  pose proof (infimum (point (run past))) as Inf.
  change (F (point (run []))) with (F x0) in D.
  assert (K : discounted 1 (fun _ : list batch => r * r / eta) past = INR T * (r * r / eta)).
  { rewrite discounted_one, Len. apply sum_const. }
  rewrite K in D. set (E := discounted 1 e2 past) in *. set (A := discounted 1 d2 past) in *.
  assert (G : discounted 1 g2 past = sum T (fun t => sq (grad_f (point (run (at_time t past)))))).
  { rewrite discounted_one, Len. reflexivity. }
  rewrite G in D. set (Gs := sum T _) in *.
  assert (A0 : 0 <= A) by (apply discounted_nonneg; [lra|intro; apply Rle_0_sqr]).
  assert (T0 : 0 < INR T) by (apply lt_0_INR; lia).
  (* eta E <= (1/(2 eta) - L/2) A *)
  assert (Bal : eta * E <= (1 / (2 * eta) - L / 2) * A).
  { apply Rmult_le_reg_l with (4 * eta); [lra|].
    replace (4 * eta * (eta * E)) with (4 * (eta * eta) * E) by ring.
    replace (4 * eta * ((1 / (2 * eta) - L / 2) * A)) with ((2 - 2 * eta * L) * A) by (field; lra).
    assert (1 * A <= (2 - 2 * eta * L) * A) by (apply Rmult_le_compat_r; lra). lra. }
  assert (R2 : r * r <= eta * eta * (eps * eps) / 4).
  { apply Rle_trans with (eta * eps / 2 * (eta * eps / 2)); [apply Rmult_le_compat; lra|right;
    field]. }
  assert (Fin : eta / 2 * Gs <= Delta + INR T * (r * r / eta)) by lra.
  apply Rmult_le_reg_l with (eta / 2 * INR T); [apply Rmult_lt_0_compat; lra|].
  replace (eta / 2 * INR T * (Gs / INR T)) with (eta / 2 * Gs) by (field; lra).
  replace (eta / 2 * INR T * (2 * Delta / (eta * INR T) + eps * eps / 2))
    with (Delta + INR T * (eta * (eps * eps) / 4)) by (field; lra).
  assert (r * r / eta <= eta * (eps * eps) / 4).
  { apply Rmult_le_reg_r with eta;
    [assumption|]. replace (r * r / eta * eta) with (r * r) by (field; lra). lra. }
  assert (INR T * (r * r / eta) <= INR T * (eta * (eps * eps) / 4)) by (apply Rmult_le_compat_l;
    lra). lra.
Qed.
(* Some x^t, t < T, is epsilon-stationary; T steps evaluate n + 2bT gradients. *)
Theorem theorem_2_option_II_stationary : 0 < eps -> r <= eta * eps / 2 -> 4 * Delta / (eta * (eps
  * eps)) <= INR T ->
  with_probability (sledge_history n b T) (1 - 2 * nu) (fun past =>
    exists t, (t < T)%nat /\ norm (grad_f (point (run (at_time t past)))) <= eps).
Proof.
  intros He Hre HTe. pose proof high_step_size_bounds as [E0 _].
  eapply with_probability_weaken;
    [apply Rle_refl| |apply (theorem_2_option_II_high_probability Hre)].
  intros past _ H. cbv beta in H. set (g := fun t => sq (grad_f (point (run (at_time t past)))))
    in *.
  assert (T0 : 0 < INR T) by (apply lt_0_INR;
    lia). assert (ee : 0 < eps * eps) by (apply Rmult_lt_0_compat; assumption).
  assert (M : sum T g <= INR T * (eps * eps)).
  { apply Rmult_le_reg_r with (/ INR T); [apply Rinv_0_lt_compat; assumption|].
    replace (INR T * (eps * eps) * / INR T) with (eps * eps) by (field; lra).
    eapply Rle_trans; [exact H|]. assert (2 * Delta / (eta * INR T) <= eps * eps / 2); [|lra].
    apply Rmult_le_reg_r with (INR T); [assumption|].
    replace (2 * Delta / (eta * INR T) * INR T)
      with (4 * Delta / (eta * (eps * eps)) * (eps * eps / 2)) by (field; lra).
    rewrite (Rmult_comm (eps * eps / 2)). apply Rmult_le_compat_r; lra. }
  destruct (some_below T g (eps * eps) HT M) as [t [Ht Lt]]. exists t.
  split; [assumption|]. apply norm_le; [lra|exact Lt].
Qed.
End Theorem2.
