(* The hypotheses of pair_errors.v, of theorem_5_printed.v, theorem_5_orders.v and of the phases in
  theorem_2_printed.v are met, with zeta
  > 0:
   the theorems about runs are applied to the instance of instances.v (one component of n apart from the others, on the
   line; L = zeta = 1, mu = 1/n), for all n >= 2, 1 <= b <= n, T and starting points, with sigma_c = G_c = |x^0| and a
   window T_1 that is whole; the expansion of u_i^s to the functions f_i = outlier_i + x^3/3, whose Hessians are not
   constant. Nothing here is used elsewhere. *)
From Coq Require Import Reals Lra Lia PeanoNat List ZArith.
From Coquelicot Require Import Coquelicot.
From Sledge Require Import vectors means minibatches algorithms problems instances second_moments sledge_errors.
From Sledge Require Import theorem_2_expectation theorem_2_probability.
From Sledge Require Import probability bernstein lemma_1 concentration coupling identities auxiliary theorem_2_printed.
From Sledge Require Import inhabited_auxiliary pair_errors theorem_5_printed theorem_5_orders.
Import ListNotations.
Open Scope R_scope.

Section Runs.
Variables (n b T : nat).
Hypothesis Hn : (2 <= n)%nat.
Hypothesis Hb : (1 <= b)%nat.
Hypothesis Hbn : (b <= n)%nat.
Hypothesis HT : (1 <= T)%nat.
Variables (x0 : line) (nu : R).
Hypothesis Hnu : 0 < nu < 1.
Notation grad := outlier_gradient.
Notation N := (INR n).
Notation B := (INR b).
Notation F := (objective n outlier).
Let quiet : list batch -> line := fun _ => zero.
Let quiet_bound : forall h, norm (quiet h) <= 0.
Proof. intro. unfold quiet. rewrite norm_zero. lra. Qed.

(* A window that is whole, with C_1 at least y. *)
Lemma whole_window y : exists (T1 : nat) (C : R), y <= C /\ INR T1 = N / B * C.
Proof.
  assert (B0 : 0 < B) by (apply lt_0_INR; lia). assert (N0 : 0 < N) by (apply lt_0_INR; lia).
  exists (ceiling (N / B * y)), (B / N * INR (ceiling (N / B * y))). split; [|field; lra].
  apply Rmult_le_reg_l with (N / B); [apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra]|].
  replace (N / B * (B / N * INR (ceiling (N / B * y)))) with (INR (ceiling (N / B * y))) by (field; lra).
  apply ceiling_above.
Qed.
Lemma window_II : exists T1 C, 1 <= C /\ ln (N * INR T / nu) <= C /\ INR T1 = N / B * C.
Proof.
  destruct (whole_window (Rmax 1 (ln (N * INR T / nu)))) as [T1 [C [H E]]]. exists T1, C.
  pose proof (Rmax_l 1 (ln (N * INR T / nu))). pose proof (Rmax_r 1 (ln (N * INR T / nu))). repeat split; lra ||
    assumption.
Qed.
Lemma window_I : exists (T1 : nat) c, 10 <= c /\ INR T1 = N / B * (c * log_all nu n 1 1 T 1).
Proof.
  pose proof (log_all_above nu n 1 1 T 1 ltac:(lra) ltac:(lia) ltac:(lia) ltac:(lia) HT ltac:(lia)) as A.
  set (l := log_all nu n 1 1 T 1) in *. destruct (whole_window (10 * l)) as [T1 [C [H E]]]. exists T1, (C / l). split.
  - apply Rmult_le_reg_r with l; [lra|]. replace (C / l * l) with C by (field; lra). exact H.
  - rewrite E. field. split; [lra|]. apply Rgt_not_eq, lt_0_INR. lia.
Qed.
Example phase_rearranged_inhabited :
  (exists T1 C, 1 <= C /\ INR T1 = N / B * C /\ let eta := phase_step_size n b 1 1 C in
   with_probability (sledge_history n b T) (1 - 3 * nu) (fun past =>
     let x t := point (sledge n b eta quiet grad (sledge_start_II grad x0) (at_time t past)) in
     sum T (fun t => sq (gradient n grad (x t))) + 1 / (2 * eta ^ 2) * sum T (fun t => sq (sub (x (S t)) (x t)))
     <= 2 * (F x0 - 0) / eta + 2 * INR T * 0 ^ 2 / eta ^ 2))
  /\ (exists T1 c, 10 <= c /\ let C := c * log_all nu n 1 1 T 1 in INR T1 = N / B * C /\
   let eta := phase_step_size n b 1 1 C in
   with_probability (sledge_history_I n b T) (1 - 3 * nu) (fun o =>
     let x t := point (sledge n b eta quiet grad (sledge_start_I n b grad x0 (fst o)) (at_time t (snd o))) in
     sum T (fun t => sq (gradient n grad (x t))) + 1 / (2 * eta ^ 2) * sum T (fun t => sq (sub (x (S t)) (x t)))
     <= 2 / eta * (F x0 - 0 + 12 * eta * C ^ 3 * N / B ^ 2 * (Rabs x0 ^ 2 + Rabs x0 ^ 2 / B))
        + 2 * INR T * 0 ^ 2 / eta ^ 2)).
Proof.
  pose proof (fun T1 => phase_rearranged n b T T1 outlier grad 1 1 0 nu 0 x0 Hb Hbn HT Rlt_0_1 Rle_0_1
    (outlier_smooth n) (outlier_heterogeneous n) (outlier_infimum n Hn) Hnu) as P. split.
  - destruct window_II as [T1 [C [C1 [C2 E]]]]. exists T1, C. split; [exact C1|]. split; [exact E|].
    apply (proj1 (proj2 (P T1)) quiet C quiet_bound C1 C2 E).
  - destruct window_I as [T1 [c [c1 E]]]. exists T1, c. split; [exact c1|]. split; [exact E|].
    apply (proj2 (proj2 (P T1)) (fun _ => quiet) 1%nat 1%nat 1%nat (Rabs x0) (Rabs x0) c); try assumption; try lia.
    + intros. apply quiet_bound.
    + apply (outlier_deviation n Hn x0 nu Hnu).
    + intros. apply outlier_near; assumption.
Qed.
Example pl_final_inequality_inhabited c : 0 < c <= 1 / (1 + sqrt 30) ->
  (exists T1 C, 1 <= C /\ INR T1 = N / B * C /\ let eta := printed_step_size c n b 1 1 (/ N) C in
   with_probability (sledge_history n b T) (1 - 3 * nu) (fun past => forall t, (t <= T)%nat ->
     F (point (sledge n b eta quiet grad (sledge_start_II grad x0) (at_time t past))) - 0
     <= (1 - eta * / N) ^ t * (F x0 - 0) + sum t (fun k => (1 - eta * / N) ^ (t - S k) * (0 ^ 2 / eta))))
  /\ (exists T1 k, 10 <= k /\ let C := k * log_all nu n 1 1 T 1 in INR T1 = N / B * C /\
   let eta := printed_step_size c n b 1 1 (/ N) C in
   with_probability (sledge_history_I n b T) (1 - 3 * nu) (fun o => forall t, (t <= T)%nat ->
     F (point (sledge n b eta quiet grad (sledge_start_I n b grad x0 (fst o)) (at_time t (snd o)))) - 0
     <= (1 - eta * / N) ^ t * (F x0 - 0) + sum t (fun k => (1 - eta * / N) ^ (t - S k) * (0 ^ 2 / eta))
        + powerRZ (1 - eta * / N) (Z.of_nat t - Z.of_nat T1)
          * (12 * C ^ 3 * eta * N / B ^ 2 * (Rabs x0 ^ 2 + Rabs x0 ^ 2 / B)))).
Proof.
  intro Hc. assert (M : 0 < / N) by (apply Rinv_0_lt_compat, lt_0_INR; lia).
  pose proof (fun T1 => pl_final_inequality n b T T1 Hb Hbn HT outlier grad 1 1 (/ N) 0 c nu 0 Rlt_0_1 Rlt_0_1 M
    (outlier_smooth n) (outlier_heterogeneous n) (outlier_polyak n Hn) Hc Hnu x0) as P. split.
  - destruct window_II as [T1 [C [C1 [C2 E]]]]. exists T1, C. split; [exact C1|]. split; [exact E|].
    apply (proj1 (P T1) quiet C quiet_bound C1 C2 E).
  - destruct window_I as [T1 [k [k1 E]]]. exists T1, k. split; [exact k1|]. split; [exact E|].
    apply (proj2 (P T1) (fun _ => quiet) 1%nat 1%nat 1%nat (Rabs x0) (Rabs x0) k); try assumption; try lia.
    + intros. apply quiet_bound.
    + apply (outlier_deviation n Hn x0 nu Hnu).
    + intros. apply outlier_near; assumption.
Qed.

Example theorem_5_orders_inhabited eps : 0 < eps -> exists (t T' : nat) (eta : R), (t <= T')%nat /\ 0 < eta /\
  with_probability (sledge_history_I n b T') (1 - nu) (fun o =>
    F (point (sledge n b eta quiet grad (sledge_start_I n b grad x0 (fst o)) (at_time t (snd o)))) - 0 <= eps).
Proof.
  intro He. assert (M : 0 < / N) by (apply Rinv_0_lt_compat, lt_0_INR; lia).
  destruct (theorem_5_option_I n b Hb Hbn outlier grad 1 1 (/ N) 0 Rlt_0_1 Rle_0_1 M (outlier_smooth n)
    (outlier_infimum n Hn) (outlier_heterogeneous n) (outlier_polyak n Hn) x0 nu eps (Rabs x0) Hnu He (Rabs_pos x0)
    (fun i _ => outlier_near n Hn x0 i)) as [t [T' [eta [Ht [e0 [_ [_ H]]]]]]].
  exists t, T', eta. split; [exact Ht|]. split; [exact e0|]. apply (H 0 (fun _ => quiet)); [|intros; apply quiet_bound].
  split; [lra|]. apply Rmult_le_pos; [lra|apply sqrt_pos].
Qed.

(* The pair, kicked at step tau. *)
Variables (tau : nat) (kick : line) (eta : R).
Hypothesis Htau : (1 <= tau)%nat.
Notation start := (sledge_start_II grad x0).
Example pair_error_identity_inhabited : exists T1,
  with_probability (sledge_history n b T) (1 - nu / INR T) (fun past => forall t, (t <= T)%nat ->
    let now := at_time t past in let first := Nat.max tau (S t - T1) in
    pair_g n b grad eta quiet start tau kick now = over n (vsum (S t - first) (fun k => let s := (first + k)%nat in
      sub (scale (size n (undrawn s now) / B)
            (vsum_in n (minibatch s now) (fun i => pair_u n b grad eta quiet start tau kick i s now)))
        (vsum_in n (undrawn s now) (fun i => pair_u n b grad eta quiet start tau kick i s now))))).
Proof.
  set (C := Rmax 1 (ln (N * INR T ^ 2 / nu))). destruct (whole_window C) as [T1 [C' [H E]]].
  exists (S T1). apply (pair_error_identity n b grad eta quiet start tau kick Htau T (S T1) C nu); try assumption; try
    lia.
  - lra.
  - apply Rmax_r.
  - rewrite S_INR, E. assert (0 < N / B).
    { apply Rmult_lt_0_compat; [|apply Rinv_0_lt_compat]; apply lt_0_INR; lia. }
    assert (N / B * C <= N / B * C') by (apply Rmult_le_compat_l; lra). lra.
Qed.

(* f_i = outlier_i + x^3/3 *)
Let cubic (i : nat) (x : line) : line := apart i * x + x * x.
Let cubic_hessian (i : nat) (x u : line) : line := (apart i + 2 * x) * u.
Lemma cubic_is_hessian i : is_hessian (cubic i) (cubic_hessian i).
Proof.
  split; [|split].
  - intros x u v. unfold cubic_hessian. simpl. ring.
  - intros x k u. unfold cubic_hessian. simpl. ring.
  - intros x v e t. unfold cubic, cubic_hessian. simpl. split; [auto_derive; [exact I|ring]|].
    apply @ex_derive_continuous. auto_derive. exact I.
Qed.
Lemma affine_integral (p q : R) : integral (V := line) (fun theta => (p + theta * q : line)) (p + q / 2 : line).
Proof.
  clear. intro e. simpl.
  replace ((p + q / 2) * e) with (minus ((p * 1 + q * 1 * 1 / 2) * e) ((p * 0 + q * 0 * 0 / 2) * e)).
  - apply (is_RInt_derive (fun t => (p * t + q * t * t / 2) * e) (fun t => (p + t * q) * e)).
    + intros t _. auto_derive; [exact I|field].
    + intros t _. apply @ex_derive_continuous. auto_derive. exact I.
  - unfold minus, plus, opp. simpl. field.
Qed.
Notation x' s past := (point (sledge n b eta (kicked quiet tau kick) cubic (sledge_start_II cubic x0) (at_time s
  past))).
Notation w s past := (pair_w n b cubic eta quiet (sledge_start_II cubic x0) tau kick (at_time s past)).
Example difference_expansion_inhabited past s i : (1 <= s)%nat -> (i < n)%nat ->
  exists (dHi : nat -> nat -> line -> line) (dH : nat -> line -> line),
  pair_u n b cubic eta quiet (sledge_start_II cubic x0) tau kick i s past
    = add (sub (sub (add (cubic_hessian i x0 (w s past)) (dHi i s (w s past)))
                    (add (cubic_hessian i x0 (w (s - 1)%nat past)) (dHi i (s - 1)%nat (w (s - 1)%nat past))))
               (add (over n (vsum n (fun i => cubic_hessian i x0 (w s past)))) (dH s (w s past))))
          (add (over n (vsum n (fun i => cubic_hessian i x0 (w (s - 1)%nat past))))
            (dH (s - 1)%nat (w (s - 1)%nat past))).
Proof.
  intros Hs Hi.
  pose (d := fun (s : nat) (u : line) => (2 * (x' s past - x0) * u + 2 * w s past * u / 2 : line)).
  exists (fun _ => d), d.
  assert (N0 : 0 < N) by (apply lt_0_INR; lia).
  refine (proj2 (difference_expansion n b cubic eta quiet (sledge_start_II cubic x0) tau kick Htau cubic_hessian x0
    (fun _ => d) d past ltac:(lia) cubic_is_hessian _ _ s Hs) i Hi).
  - intros j _ r u e. eapply is_RInt_ext; [|apply (affine_integral (2 * (x' r past - x0) * u) (2 * w r past * u) e)].
    intros t _. unfold cubic_hessian. simpl. ring.
  - intros r u e. eapply is_RInt_ext; [|apply (affine_integral (2 * (x' r past - x0) * u) (2 * w r past * u) e)].
    intros t _. set (y := x' r past). set (v := w r past). unfold cubic_hessian. rewrite ip_sub, !ip_over, !ip_vsum.
    rewrite (sum_ext n _ (fun i => ip ((apart i + 2 * (y + t * v)) * u : line) e)) by (intros; reflexivity).
    rewrite <- Rmult_minus_distr_l, <- sum_sub.
    rewrite (sum_ext n _ (fun i => (2 * (y - x0) * u + t * (2 * v * u)) * e)) by (intros; simpl; ring).
    rewrite sum_const. simpl. field. lra.
Qed.
End Runs.
