(* The hypotheses of the theorems with probability are met, with zeta > 0: each is applied to the
   instance of instances.v (one component of n apart from the others, on the line; L = zeta = 1,
   mu = 1/n, no noise), for all n >= 2, 1 <= b <= n and starting points. Nothing here is used
   elsewhere. *)
From Coq Require Import Reals Lra Lia PeanoNat List.
From Sledge Require Import vectors means minibatches algorithms problems instances second_moments.
From Sledge Require Import sledge_errors theorem_5_expectation probability azuma coverage
  sledge_tails.
From Sledge Require Import lemma_1 concentration theorem_2_probability theorem_2_option_I
  theorem_5_probability theorem_5_option_I.
Import ListNotations.
Open Scope R_scope.

Section Inhabited.
Variables (n b : nat).
Hypothesis Hn : (2 <= n)%nat.
Hypothesis Hb : (1 <= b)%nat.
Hypothesis Hbn : (b <= n)%nat.
Variables (x0 : line) (T : nat) (nu : R).
Hypothesis HT : (2 <= T)%nat.
Hypothesis Hnu : 0 < nu < 1.
Notation grad := outlier_gradient.
Notation N := (INR n).
Notation B := (INR b).
Let quiet : list batch -> line := fun _ => zero.

(* C_1 = log(nT/nu) is at least 1 as nT >= 4. *)
Lemma C_1_above : 1 <= ln (N * INR T / nu).
Proof.
  assert (N2 : 2 <= N) by (change 2 with (INR 2); apply le_INR; assumption).
  assert (T2 : 2 <= INR T) by (change 2 with (INR 2); apply le_INR; assumption).
  assert (NT : 2 * 2 <= N * INR T) by (apply Rmult_le_compat; lra).
  assert (I1 : 1 <= / nu) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra).
  assert (Y : 4 * 1 <= N * INR T * / nu) by (apply Rmult_le_compat; lra).
  rewrite <- (ln_exp 1). pose proof exp_le_3 as E. apply Rlt_le, ln_increasing; [apply exp_pos|].
  unfold Rdiv. lra.
Qed.
Example lemma_1_printed_inhabited T1 eta :
  let C := ln (N * INR T / nu) in
  let run := sledge n b eta quiet grad (sledge_start_II grad x0) in
  N / B * C <= INR T1 <= N / B * C + 1 ->
  with_probability (sledge_history n b T) (1 - 3 * nu) (fun past =>
    let x t := point (run (at_time t past)) in forall t, (t <= T)%nat ->
    sq (error n grad (run (at_time t past)))
    <= 15 * C ^ 8 * (1 * 1) / B
       * sum t (fun s => if (t - T1 <=? s)%nat then sq (sub (x (S s)) (x s)) else 0)).
Proof.
  intros C run [H1 H2]. apply lemma_1_printed; try assumption; try lra; try lia.
  - apply outlier_heterogeneous.
  - apply C_1_above.
  - apply Rle_refl.
Qed.

(* Option I: the gradients at x^0 are x^0 and 0. *)
Lemma gradients_at_x0 i j : (i < n)%nat -> (j < n)%nat ->
  norm (sub (grad i x0) (grad j x0)) <= Rabs x0.
Proof.
  intros _ _. rewrite norm_line. unfold outlier_gradient. simpl.
  pose proof (apart_bounds i) as [i0 i1]. pose proof (apart_bounds j) as [j0 j1].
  replace (apart i * x0 - apart j * x0) with ((apart i - apart j) * x0) by ring.
  rewrite Rabs_mult. rewrite <- (Rmult_1_l (Rabs x0)) at 2.
  apply Rmult_le_compat_r; [apply Rabs_pos|]. apply Rabs_le. lra.
Qed.
Example lemma_1_option_I_inhabited eta :
  let run I0 := sledge n b eta quiet grad (sledge_start_I n b grad x0 I0) in
  let l := radius (INR (b * S T)) nu in
  with_probability (sledge_history_I n b T) (1 - nu) (fun o => let I0 := fst o in let past := snd
    o in
    forall t, (t <= T)%nat -> sq (error n grad (run I0 (at_time t past)))
      <= l * l * beta n b grad 1 eta quiet (sledge_start_I n b grad x0 I0) 0 (Rabs x0)
           (first_radius n b (Rabs x0)) (at_time t past)).
Proof.
  apply (lemma_1_adaptive_option_I n b Hb Hbn grad 1 Rle_0_1 (outlier_heterogeneous n) eta
    (fun _ => quiet) x0 (Rabs x0)); try assumption.
  - apply Rabs_pos.
  - exact gradients_at_x0.
Qed.

Lemma quiet_bound past : norm (quiet past) <= 0.
Proof. unfold quiet. rewrite norm_zero. lra. Qed.
Example theorem_2_probability_inhabited eps : 0 < eps ->
  let eta := high_step_size n b T 1 1 nu in
  let run := sledge n b eta quiet grad (sledge_start_II grad x0) in
  with_probability (sledge_history n b T) (1 - 2 * nu) (fun past =>
    sum T (fun t => sq (gradient n grad (point (run (at_time t past))))) / INR T
    <= 2 * (objective n outlier x0 - 0) / (eta * INR T) + eps * eps / 2).
Proof.
  intros He eta run. assert (E0 : 0 < eta).
  { apply (high_step_size_bounds n b Hb Hbn 1 1 Rlt_0_1 Rle_0_1 T nu Hnu). }
  apply (theorem_2_option_II_high_probability n b Hb Hbn outlier grad 1 1 0) with (r := 0);
    try assumption; try lra; try lia.
  - apply outlier_smooth.
  - apply outlier_infimum, Hn.
  - apply outlier_heterogeneous.
  - apply quiet_bound.
  - fold eta. assert (0 < eta * eps) by (apply Rmult_lt_0_compat; assumption). lra.
Qed.
Example theorem_2_option_I_probability_inhabited eps : 0 < eps ->
  let eta := high_step_size_I n b T 1 1 nu in
  let run I0 := sledge n b eta quiet grad (sledge_start_I n b grad x0 I0) in
  with_probability (sledge_history_I n b T) (1 - 2 * nu) (fun o => let I0 := fst o in let past :=
    snd o in
    sum T (fun t => sq (gradient n grad (point (run I0 (at_time t past))))) / INR T
    <= 2 * (objective n outlier x0 - 0) / (eta * INR T) + eps * eps / 2
       + 2 * (start_weight n b T nu * (3 + 2 * log_factor n b T nu) * (Rabs x0 * Rabs x0)) / INR T).
Proof.
  intros He eta run. assert (E0 : 0 < eta).
  { apply (step_size_I_bounds n b Hb Hbn 1 1 Rlt_0_1 Rle_0_1 T nu Hnu). }
  apply (theorem_2_option_I_high_probability n b Hb Hbn outlier grad 1 1 0) with (r := 0)
    (noise := fun _ : batch => quiet); try assumption; try lra; try lia.
  - apply outlier_smooth.
  - apply outlier_infimum, Hn.
  - apply outlier_heterogeneous.
  - apply Rabs_pos.
  - exact gradients_at_x0.
  - intro. apply quiet_bound.
  - fold eta. assert (0 < eta * eps) by (apply Rmult_lt_0_compat; assumption). lra.
Qed.
Example theorem_5_probability_inhabited :
  let eta := pl_high_step_size n b T 1 1 (/ INR n) nu in
  let run := sledge n b eta quiet grad (sledge_start_II grad x0) in
  with_probability (sledge_history n b T) (1 - 2 * nu) (fun past => forall t, (t <= T)%nat ->
    objective n outlier (point (run (at_time t past))) - 0
    <= (1 - eta * / INR n) ^ t * (objective n outlier x0 - 0) + 0 * 0 / (eta * eta * / INR n)).
Proof.
  assert (0 < / INR n) by (apply Rinv_0_lt_compat, lt_0_INR; lia).
  apply (theorem_5_option_II_high_probability n b Hb Hbn outlier grad 1 1 (/ INR n) 0)
    with (r := 0);
    try assumption; try lra; try lia.
  - apply outlier_smooth.
  - apply outlier_heterogeneous.
  - apply outlier_polyak, Hn.
  - apply quiet_bound.
Qed.
Example theorem_5_option_I_probability_inhabited :
  let eta := pl_high_step_size_I n b T 1 1 (/ INR n) nu in
  let run I0 := sledge n b eta quiet grad (sledge_start_I n b grad x0 I0) in
  with_probability (sledge_history_I n b T) (1 - 2 * nu) (fun o => let I0 := fst o in let past := snd
    o in forall t, (t <= T)%nat ->
    objective n outlier (point (run I0 (at_time t past))) - 0
    <= (1 - eta * / INR n) ^ t * (objective n outlier x0 - 0 + pl_start_term n b T eta nu (Rabs x0))
       + 0 * 0 / (eta * eta * / INR n)).
Proof.
  assert (0 < / INR n) by (apply Rinv_0_lt_compat, lt_0_INR; lia).
  apply (theorem_5_option_I_high_probability n b Hb Hbn outlier grad 1 1 (/ INR n) 0) with (r := 0)
    (noise := fun _ : batch => quiet); try assumption; try lra; try lia.
  - apply outlier_smooth.
  - apply outlier_heterogeneous.
  - apply outlier_polyak, Hn.
  - apply Rabs_pos.
  - exact gradients_at_x0.
  - intro. apply quiet_bound.
Qed.
End Inhabited.
