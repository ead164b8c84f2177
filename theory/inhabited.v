(* The hypotheses of the theorems are met, with zeta > 0: each is applied to the instance of
   instances.v (one component of n apart from the others, on the line; L = zeta = 1, mu = 1/n, no
   noise), for all n >= 2, 1 <= b <= n, starting points and accuracies. Nothing here is used
   elsewhere. *)
From Coq Require Import Reals Lra Lia PeanoNat List.
From Sledge Require Import vectors means minibatches algorithms problems instances second_moments
  sledge_errors lemma_1_expectation.
From Sledge Require Import theorem_2_expectation theorem_5_expectation coupling.
Import ListNotations.
Open Scope R_scope.

Section Inhabited.
Variables (n b : nat).
Hypothesis Hn : (2 <= n)%nat.
Hypothesis Hb : (1 <= b)%nat.
Hypothesis Hbn : (b <= n)%nat.
Variables (x0 : line) (eps : R).
Hypothesis Heps : 0 < eps.
Notation grad := outlier_gradient.
Let quiet : list batch -> line := fun _ => zero.
Let quiet_I : batch -> list batch -> line := fun _ _ => zero.
Lemma no_noise (past : list batch) : norm (quiet past) <= 0.
Proof. unfold quiet. rewrite norm_zero. lra. Qed.

Example sledge_errors_II_inhabited eta T :
  let run := sledge n b eta quiet grad (sledge_start_II grad x0) in
  sum (S T) (fun t => Ex (sledge_history n b t) (fun past => sq (error n grad (run past))))
  <= variance_factor n b * (1 * 1)
     * sum T (fun t => Ex (sledge_history n b t) (fun past => moved n eta quiet past (run past))).
Proof. apply sledge_errors_II; try assumption. apply outlier_heterogeneous. Qed.

Example lemma_1_option_II_inhabited eta T :
  let run := sledge n b eta quiet grad (sledge_start_II grad x0) in
  Ex (sledge_history n b T) (fun past => sq (error n grad (run past)))
  <= 1 * 1 / INR b * sum T (fun t => Ex (sledge_history n b t)
    (fun past => moved n eta quiet past (run past))).
Proof. apply lemma_1_option_II_expectation; try assumption. apply outlier_heterogeneous. Qed.
Example theorem_2_option_II_inhabited :
  let eta := first_step_size n b 1 1 in
  let T := first_steps eta (objective n outlier x0 - 0) 0 eps in
  let run := sledge n b eta quiet grad (sledge_start_II grad x0) in
  random_time T (fun t => Ex (sledge_history n b t)
    (fun past => sq (gradient n grad (point (run past)))))
  <= eps * eps.
Proof.
  apply (theorem_2_option_II_expectation n b Hb Hbn outlier grad 1 1 0) with (r := 0); try lra.
  - apply outlier_smooth.
  - apply outlier_infimum, Hn.
  - apply outlier_heterogeneous.
  - pose proof (first_step_size_pos n b 1 1 Rlt_0_1). nra.
  - apply no_noise.
Qed.
Example theorem_2_option_I_inhabited :
  let eta := first_step_size n b 1 1 in
  let T := first_steps eta (objective n outlier x0 - 0) (first_start n b (deviation n grad x0))
    eps in
  let run I0 := sledge n b eta quiet grad (sledge_start_I n b grad x0 I0) in
  Ex (uniform n b) (fun I0 =>
    random_time T (fun t => Ex (sledge_history n b t)
      (fun past => sq (gradient n grad (point (run I0 past))))))
  <= eps * eps.
Proof.
  apply (theorem_2_option_I_expectation n b Hb Hbn outlier grad 1 1 0) with (r := 0)
    (noise := quiet_I); try lra.
  - apply outlier_smooth.
  - apply outlier_infimum, Hn.
  - apply outlier_heterogeneous.
  - pose proof (first_step_size_pos n b 1 1 Rlt_0_1). nra.
  - intro. apply no_noise.
Qed.
Lemma inverse_n_pos : 0 < / INR n.
Proof. apply Rinv_0_lt_compat, lt_0_INR. lia. Qed.
Example theorem_5_option_II_inhabited :
  let eta := pl_step_size n b 1 1 (/ INR n) in
  let T := pl_steps eta (/ INR n) (objective n outlier x0 - 0) eps in
  let run := sledge n b eta quiet grad (sledge_start_II grad x0) in
  Ex (sledge_history n b T) (fun past => objective n outlier (point (run past)) - 0) <= eps.
Proof.
  pose proof inverse_n_pos.
  apply (theorem_5_option_II_expectation n b Hb Hbn outlier grad 1 1 (/ INR n) 0) with (r := 0);
    try lra.
  - apply outlier_smooth.
  - apply outlier_infimum, Hn.
  - apply outlier_heterogeneous.
  - apply outlier_polyak, Hn.
  - apply Rmult_le_pos; [left; apply pl_step_size_pos; lra|apply sqrt_pos].
  - apply no_noise.
Qed.
Example theorem_5_option_I_inhabited :
  let eta := pl_step_size n b 1 1 (/ INR n) in
  let T := pl_steps eta (/ INR n) (objective n outlier x0 - 0
    + pl_start n b eta (deviation n grad x0)) eps in
  let run I0 := sledge n b eta quiet grad (sledge_start_I n b grad x0 I0) in
  Ex (uniform n b) (fun I0 =>
    Ex (sledge_history n b T) (fun past => objective n outlier (point (run I0 past)) - 0)) <= eps.
Proof.
  pose proof inverse_n_pos.
  apply (theorem_5_option_I_expectation n b Hb Hbn outlier grad 1 1 (/ INR n) 0) with (r := 0)
    (noise := quiet_I); try lra.
  - apply outlier_smooth.
  - apply outlier_infimum, Hn.
  - apply outlier_heterogeneous.
  - apply outlier_polyak, Hn.
  - apply Rmult_le_pos; [left; apply pl_step_size_pos; lra|apply sqrt_pos].
  - intro. apply no_noise.
Qed.

(* The pair of the second-order proofs, with whole minibatches: f(x) = x^2/(2n), gamma = -1/n. *)
Lemma whole_run_exact (noise : list batch -> line) eta past : (forall J, In J past -> J = full) ->
  error n grad (sledge n n eta noise grad (sledge_start_II grad x0) past) = zero.
Proof.
  intro H. unfold error, estimate. destruct past as [|J before]; [apply sub_self|].
  rewrite (H J (or_introl eq_refl)). apply sub_self.
Qed.
Example pair_inhabited eta tau re k : (1 <= tau)%nat ->
  pair_w n n grad eta quiet (sledge_start_II grad x0) tau (scale re (1 : line)) (repeat full (tau + k))
  = scale ((1 + eta * - / INR n) ^ k * re) (1 : line).
Proof.
  intro Ht. assert (L : length (repeat full (tau + k)) = (tau + k)%nat) by apply repeat_length.
  apply (pair_quadratic n n grad eta quiet (sledge_start_II grad x0) tau _ Ht
    (fun u : line => / INR n * u : line)); try exact L; try reflexivity.
  - intros u v. simpl. ring.
  - intros c u. simpl. ring.
  - simpl. ring.
  - intros t _. unfold pair_g. assert (F : forall J, In J (at_time t (repeat full (tau + k))) -> J = full).
    { intros J HJ. apply (repeat_spec (tau + k)). unfold at_time in HJ.
      rewrite <- (firstn_skipn (length (repeat full (tau + k)) - t) (repeat full (tau + k))).
      apply in_or_app. right. exact HJ. }
    rewrite !(whole_run_exact _ _ _ F). apply sub_self.
  - intros x y. rewrite !outlier_full_gradient by exact Hn. simpl. ring.
Qed.
End Inhabited.
