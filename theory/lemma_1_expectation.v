(* Lemma 1 (lemma:First-VarianceBound, lines 335-342 and 1143-1160) in the mean, with constant 1.
   Ledger: variance-lemma-option-two/mean.

   Printed: with probability at least 1 - 3 nu, for all t <= T, T_1 = (n/b) C_1,
       |v^t - grad f(x^t)|^2 <= (15 C_1^8 zeta^2/b) sum_{s = max(1, t-T_1+1)}^t |x^s - x^{s-1}|^2
           + (12 C_1^2/b)(sigma_c^2 + G_c^2/b) [t < T_1]     (Option I)

   Proved, for all spaces, zeta-heterogeneous functions, 1 <= b <= n, step sizes, noises and T:
       E |v^T - grad f(x^T)|^2 <= (zeta^2/b) sum_{s=1}^T E |x^s - x^{s-1}|^2
           + (1/b) sigma^2 [Option I only],
   sigma^2 the mean square of the deviations |grad f_i - grad f| at x^0.

   Stronger than printed: the constant 1 for 15 C_1^8 and for 12 C_1^2, no G_c, no failure.
   Weaker: a mean for each T, all steps in place of the last T_1.

   The proof. With q = 1 - b/n and the errors z_i of the rows, e their mean, P = (1/n) sum |z_i|^2,
   let
       V_y = y |e|^2 + (1 - y) P/n.
   A step has E V_y(z') <= V_{q^2 y}(z) + (2n/(b(n-1))) kappa, kappa = (1/n) sum |c_i|^2, as soon as
       (1 - (rho - q) y) D >= rho^2,   D = 2n/(n-1) - rho (y + (1-y)(b+1)/n),   rho = q n/(n-1),
   and D >= 1 + 2/(n-1), 1 - (rho - q) y >= (n-1)/n make it so. T steps before the end y is q^{2T};
   at the end it is 1, where V is |e|^2. So the last T steps cost
   (2n/(b(n-1))) kappa <= (zeta^2/b)|x^s - x^{s-1}|^2 each. *)
From Coq Require Import Reals Lra Lia PeanoNat List.
From Sledge Require Import vectors means minibatches algorithms problems second_moments
  sledge_errors.
Import ListNotations.
Open Scope R_scope.

(* ---- One step ---- *)

Section Step.
Context {V : space}.
Variables (n b : nat).
Hypothesis Hn : (2 <= n)%nat.
Hypothesis Hb : (1 <= b)%nat.
Hypothesis Hbn : (b <= n)%nat.
Variables (z c : nat -> V).
Hypothesis centred : vsum n c = zero.
Notation N := (INR n).
Notation B := (INR b).
Notation e := (mean_of n z).
Notation P := (mean_sq n z).
Notation X := (mean_ip n z c).
Notation kappa := (mean_sq n c).
Notation r := (rho n b).

(* (1/n) sum |s (z_i - e) + m c_i|^2 >= 0 *)
Lemma centred_cross_term s m : 0 <= s * s * (P - sq e) + 2 * s * m * X + m * m * kappa.
Proof.
  pose proof (N_2 n Hn) as N2.
  assert (H : 0 <= / N * sum n (fun i => sq (add (scale s (sub (z i) e)) (scale m (c i))))).
  { apply Rmult_le_pos; [left; apply Rinv_0_lt_compat; lra|]. apply sum_nonneg. intros.
    apply sq_nonneg. }
  rewrite (sum_ext n _ (fun i => s * s * sq (z i) + (-2 * s * s * ip (z i) e + (s * s * sq e
    + (2 * s * m * ip (c i) (z i) + (-2 * s * m * ip (c i) e + m * m * sq (c i))))))) in H.
  2:{ intros. rewrite sq_add, !sq_scale, sq_sub. products.
      rewrite (ip_sym (z i) (c i)), (ip_sym e (c i)). ring. }
  rewrite !sum_add, !sum_mul, sum_const, <- !ip_vsum, centred, ip_zero in H.
  replace (ip (vsum n z) e) with (N * sq e) in H.
  2:{ unfold sq, mean_of at 1. rewrite ip_over. field. lra. }
  unfold mean_sq, mean_ip. apply Rmult_le_reg_l with N; [lra|]. rewrite Rmult_0_r.
  apply Rmult_le_compat_l with (r := N) in H; [|lra].
  rewrite Rmult_0_r, <- Rmult_assoc, Rinv_r in H by lra.
  replace (N * (s * s * (/ N * sum n (fun i => sq (z i)) - sq e) + 2 * s * m * (/ N * sum n
    (fun i => ip (c i) (z i)))
    + m * m * (/ N * sum n (fun i => sq (c i))))) with (s * s * sum n (fun i => sq (z i))
        - s * s * N * sq e
    + 2 * s * m * sum n (fun i => ip (c i) (z i)) + m * m * sum n (fun i => sq (c i))) by (field;
        lra).
  lra.
Qed.
Definition mixed (y : R) (a : nat -> V) : R := y * sq (mean_of n a) + (1 - y) / N * mean_sq n a.
Lemma mixed_step_2 y : 0 <= y <= 1 ->
  Ex (uniform n b) (fun I => mixed y (new_row n b z c I))
  <= mixed ((1 - B / N) * (1 - B / N) * y) z + 2 * N / (B * (N - 1)) * kappa.
Proof.
  intro Hy. pose proof (N_2 n Hn) as N2. pose proof (B_1 b Hb) as B1.
  pose proof (B_N n b Hbn) as BN.
  pose proof (rho_bounds n b Hn Hb Hbn) as [R0 R1]. pose proof (B_over_N n b Hn Hb Hbn) as [Q0 Q1].
  unfold mixed. rewrite Ex_add, !Ex_mul, (error_moment n b Hn Hb Hbn z c centred),
    (rows_moment n b Hn Hb Hbn z c centred).
  set (q := 1 - B / N). set (D := 2 * N / (N - 1) - r * (y + (1 - y) * ((B + 1) / N))).
  assert (Rq : r = q * (N / (N - 1))) by (unfold rho, q; field; lra).
  assert (M0 : 0 < / (N - 1) <= 1).
  { split; [apply Rinv_0_lt_compat; lra|]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra. }
  assert (NN : N / (N - 1) = 1 + / (N - 1)) by (field; lra).
  (* D >= 1 + 2/(n-1) *)
  assert (D1 : 1 + 2 * / (N - 1) <= D).
  { assert (r * (y + (1 - y) * ((B + 1) / N)) <= 1).
    { destruct (Nat.eq_dec b n) as [h|h].
      - assert (Z : r = 0) by (unfold rho; rewrite h; unfold Rdiv; ring). rewrite Z. lra.
      - assert (B + 1 <= N) by (rewrite <- S_INR; apply le_INR; lia).
        assert ((B + 1) / N <= 1).
        { apply Rmult_le_reg_r with N; [lra|].
          replace ((B + 1) / N * N) with (B + 1) by (field; lra). lra. }
        assert (0 <= (B + 1) / N) by (apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]).
        assert (0 <= y + (1 - y) * ((B + 1) / N) <= 1) by nra. nra. }
    unfold D. replace (2 * N / (N - 1)) with (2 * (N / (N - 1))) by (field; lra). rewrite NN. lra. }
  (* (1 - (rho - q) y) D >= rho^2 *)
  assert (K : r * r <= (1 + q * y - r * y) * D).
  { assert (q0 : 0 <= q) by (unfold q; lra).
    assert (rq : 0 <= r - q <= / N).
    { rewrite Rq, NN. replace (q * (1 + / (N - 1)) - q) with (q * / (N - 1)) by ring. split.
      - apply Rmult_le_pos; lra.
      - assert (QN : q <= 1 - / N).
        { unfold q. assert (/ N <= B / N); [|lra]. unfold Rdiv. rewrite <- (Rmult_1_l (/ N)) at 1.
          apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|lra]. }
        apply Rle_trans with ((1 - / N) * / (N - 1)); [apply Rmult_le_compat_r; lra|right; field;
          lra]. }
    assert (F : 1 - / N <= 1 + q * y - r * y) by nra.
    assert (N0 : 0 < / N <= 1 / 2).
    { split; [apply Rinv_0_lt_compat; lra|]. replace (1 / 2) with (/ 2) by field.
      apply Rinv_le_contravar; lra. }
    apply Rle_trans with ((1 - / N) * (1 + 2 * / (N - 1))).
    - replace ((1 - / N) * (1 + 2 * / (N - 1))) with (1 + / N) by (field; lra). nra.
    - apply Rmult_le_compat; lra. }
  (* the cross term *)
  pose proof (centred_cross_term (r * (B / N)) D) as C.
  assert (PE : 0 <= P - sq e).
  { pose proof (centred_cross_term 1 0) as H. lra. }
  assert (G : 0 <= B / (N * N) * (1 + q * y - r * y - r * r / D) * (P - sq e)).
  { apply Rmult_le_pos; [|assumption]. apply Rmult_le_pos.
    - apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; nra].
    - assert (r * r / D <= 1 + q * y - r * y); [|lra]. apply Rmult_le_reg_r with D; [lra|].
      replace (r * r / D * D) with (r * r) by (field; lra). exact K. }
  assert (C' : 0 <= r * r * B / (N * N * D) * (P - sq e) + 2 * r * X / N + D / B * kappa).
  { replace (r * r * B / (N * N * D) * (P - sq e) + 2 * r * X / N + D / B * kappa)
      with ((r * (B / N) * (r * (B / N)) * (P - sq e) + 2 * (r * (B / N)) * D * X + D * D * kappa)
        * / (B * D))
      by (field; lra).
    apply Rmult_le_pos; [exact C|left; apply Rinv_0_lt_compat; nra]. }
  assert (S : 0 <= B / (N * N) * (1 + q * y) * sq e).
  { apply Rmult_le_pos; [|apply sq_nonneg]. assert (0 <= q) by (unfold q; lra).
    apply Rmult_le_pos; [apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; nra]|nra]. }
  (* the right side minus the left is the sum of the last three *)
  apply Rminus_le. apply Rle_trans with (- (B / (N * N) * (1 + q * y) * sq e
    + B / (N * N) * (1 + q * y - r * y - r * r / D) * (P - sq e)
    + (r * r * B / (N * N * D) * (P - sq e) + 2 * r * X / N + D / B * kappa))); [right|lra].
  replace (B / (N * N) * (1 + q * y - r * y - r * r / D) * (P - sq e))
    with (B / (N * N) * (1 + q * y - r * y) * (P - sq e) - r * r * B / (N * N * D) * (P - sq e))
      by (field; lra).
  replace (D / B * kappa) with (2 * N / (B * (N - 1)) * kappa - r / B * (y + (1 - y) * ((B + 1)
    / N)) * kappa)
    by (unfold D; field; lra).
  unfold q, rho. field. lra.
Qed.
End Step.

Lemma mixed_step {V : space} n b (z c : nat -> V) y :
  (1 <= b)%nat -> (b <= n)%nat -> vsum n c = zero -> 0 <= y <= 1 ->
  Ex (uniform n b) (fun I => mixed n y (new_row n b z c I))
  <= mixed n ((1 - INR b / INR n) * (1 - INR b / INR n) * y) z
     + 2 * INR n / (INR b * (INR n - 1)) * mean_sq n c.
Proof.
  intros Hb Hbn Hc Hy. destruct (Nat.eq_dec n 1) as [e|e]; [|apply mixed_step_2; lia || assumption].
  assert (b = 1)%nat by lia. subst n b. rewrite (Ex_ext _ _ (fun _ => 0)).
  - rewrite Ex_const. simpl INR. replace (1 - 1) with 0 by ring. rewrite Rmult_0_r.
    unfold Rdiv at 3. rewrite Rinv_0.
    unfold mixed, mean_sq. simpl. pose proof (sq_nonneg (z O)).
    assert (0 <= (1 - (1 - 1 / 1) * (1 - 1 / 1) * y) / 1 * (/ 1 * (0 + sq (z O)))); [|lra].
    replace ((1 - (1 - 1 / 1) * (1 - 1 / 1) * y) / 1 * (/ 1 * (0 + sq (z O)))) with (sq (z O))
      by field. assumption.
  - intros I HI. apply uniform_1 in HI. unfold mixed, mean_of, mean_sq. simpl sum. simpl vsum.
    unfold new_row at 1 2. rewrite HI, sq_over, sq_add, !sq_zero, ip_zero. unfold Rdiv. ring.
Qed.

(* ---- A run ---- *)

Section Run.
Context {V : space}.
Variables (n b : nat).
Hypothesis Hb : (1 <= b)%nat.
Hypothesis Hbn : (b <= n)%nat.
Variables (grad : nat -> V -> V) (zeta : R).
Hypothesis het : heterogeneous n grad zeta.
Variables (eta : R).
Notation N := (INR n).
Notation B := (INR b).
Notation q := (1 - B / N).
Notation E t := (Ex (sledge_history n b t)).

Lemma q_bounds : 0 <= q * q <= 1.
Proof. pose proof (BN_1 n b Hb Hbn). nra. Qed.
Lemma q_power k : 0 <= (q * q) ^ k <= 1.
Proof.
  pose proof q_bounds as Q. split; [apply pow_le; lra|]. pose proof (pow_incr _ _ k Q) as H.
  rewrite pow1 in H. exact H.
Qed.
Lemma mixed_moment (noise : list batch -> V) past s y : 0 <= y <= 1 ->
  Ex (uniform n b) (fun I => mixed n y (row_error grad (sledge_step n b eta noise grad past s I)))
  <= mixed n (q * q * y) (row_error grad s) + zeta * zeta / B * moved n eta noise past s.
Proof.
  intro Hy. pose proof (Nn n b Hb Hbn) as N1. pose proof (Bb n b Hb Hbn) as [B1 BN].
  rewrite (Ex_ext _ _ (fun I => mixed n y (new_row n b (row_error grad s)
    (change n grad (point s) (next_point n eta noise past s)) I))).
  2:{ intros I PI. unfold mixed, mean_of, mean_sq. f_equal; f_equal.
      - f_equal. f_equal. apply vsum_ext. intros. apply row_step; assumption.
      - f_equal. apply sum_ext. intros. rewrite row_step by assumption. reflexivity. }
  eapply Rle_trans; [apply mixed_step; try assumption; apply (change_centred n b); assumption|].
  apply Rplus_le_compat_l. set (m := mean_sq n _).
  pose proof (change_bound n b Hb Hbn grad zeta het (point s) (next_point n eta noise past s)) as C.
  fold m in C.
  fold (moved n eta noise past s) in C.
  assert (M0 : 0 <= moved n eta noise past s) by apply sq_nonneg.
  destruct (Req_dec N 1) as [e|e].
  - rewrite e. replace (1 - 1) with 0 by ring. rewrite Rmult_0_r. unfold Rdiv at 1. rewrite Rinv_0.
    assert (0 <= zeta * zeta / B * moved n eta noise past s); [|lra].
    apply Rmult_le_pos; [|assumption].
    apply Rmult_le_pos; [apply Rle_0_sqr|left; apply Rinv_0_lt_compat; lra].
  - apply Rle_trans with (2 * N / (B * (N - 1)) * ((N - 1) / (2 * N)
      * (zeta * zeta * moved n eta noise past s))).
    + apply Rmult_le_compat_l; [|exact C]. apply Rmult_le_pos; [lra|].
      left. apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra.
    + right. field. lra.
Qed.
Lemma mixed_run (noise : list batch -> V) start T : forall k,
  E T (fun past => mixed n ((q * q) ^ k) (row_error grad (sledge n b eta noise grad start past)))
  <= mixed n ((q * q) ^ (k + T)) (row_error grad start)
     + zeta * zeta / B * sum T (fun t => E t (fun past => moved n eta noise past (sledge n b eta
         noise grad start past))).
Proof.
  induction T as [|T IH]; intro k.
  - rewrite Nat.add_0_r. simpl. rewrite Rmult_0_r. lra.
  - unfold sledge_history in *. rewrite Ex_history_S. cbn [sum]. specialize (IH (S k)).
    replace (k + S T)%nat with (S k + T)%nat by lia.
    set (run := sledge n b eta noise grad start) in *.
    apply Rle_trans with (Ex (history (uniform n b) T) (fun past =>
      mixed n ((q * q) ^ S k) (row_error grad (run past))
        + zeta * zeta / B * moved n eta noise past (run past))).
    + apply Ex_le. intros past _. change ((q * q) ^ S k) with (q * q * (q * q) ^ k).
      apply mixed_moment, q_power.
    + rewrite Ex_add, Ex_mul. lra.
Qed.
Lemma mixed_1 s : mixed n 1 (row_error grad s) = sq (error n grad s).
Proof. unfold mixed. rewrite (error_is_mean n grad). unfold Rdiv. ring. Qed.

Theorem lemma_1_option_II_expectation (noise : list batch -> V) x0 T :
  let run := sledge n b eta noise grad (sledge_start_II grad x0) in
  E T (fun past => sq (error n grad (run past)))
  <= zeta * zeta / B * sum T (fun t => E t (fun past => moved n eta noise past (run past))).
Proof.
  intro run. pose proof (mixed_run noise (sledge_start_II grad x0) T 0) as H. fold run in H.
  simpl pow in H.
  assert (Z : mixed n ((q * q) ^ T) (row_error grad (sledge_start_II grad x0)) = 0).
  { unfold mixed, mean_of, mean_sq.
    rewrite (sum_zero n) by (intros; unfold row_error; rewrite sub_self; apply sq_zero).
    replace (vsum n (row_error grad (sledge_start_II grad x0))) with (zero : V).
    - rewrite sq_over, sq_zero. ring.
    - vector_eq w. rewrite ip_vsum, sum_zero; [reflexivity|]. intros. unfold row_error.
      rewrite sub_self. apply ip_zero. }
  rewrite Z, Rplus_0_l in H. eapply Rle_trans; [|exact H]. right. apply Ex_ext. intros. symmetry.
  apply mixed_1.
Qed.
Theorem lemma_1_option_I_expectation (noise : batch -> list batch -> V) x0 T :
  let run I0 := sledge n b eta (noise I0) grad (sledge_start_I n b grad x0 I0) in
  Ex (uniform n b) (fun I0 => E T (fun past => sq (error n grad (run I0 past))))
  <= zeta * zeta / B * Ex (uniform n b) (fun I0 =>
       sum T (fun t => E t (fun past => moved n eta (noise I0) past (run I0 past))))
     + / B * deviation n grad x0.
Proof.
  intro run. pose proof (Nn n b Hb Hbn) as N1. pose proof (Bb n b Hb Hbn) as [B1 BN].
  apply Rle_trans with (Ex (uniform n b) (fun I0 =>
    zeta * zeta / B * sum T (fun t => E t (fun past => moved n eta (noise I0) past (run I0 past)))
    + mixed n ((q * q) ^ T) (row_error grad (sledge_start_I n b grad x0 I0)))).
  - apply Ex_le. intros I0 _. pose proof (mixed_run (noise I0) (sledge_start_I n b grad x0 I0) T 0)
      as H.
    fold (run I0) in H. simpl pow in H. rewrite Rplus_comm. eapply Rle_trans; [|exact H].
    right. apply Ex_ext. intros. symmetry. apply mixed_1.
  - rewrite Ex_add, Ex_mul. apply Rplus_le_compat_l. pose proof (q_power T) as Y.
    set (y := (q * q) ^ T) in *.
    unfold mixed. rewrite (start_I_moment n b Hb Hbn grad x0 y ((1 - y) / N)).
    apply Rmult_le_compat_r.
    + unfold deviation. apply Rmult_le_pos; [left; apply Rinv_0_lt_compat; lra|].
      apply sum_nonneg. intros. apply sq_nonneg.
    + (* rho/b <= 1/b and (1 + rho/b)/n <= 1/b *)
      assert (B0 : 0 < / B) by (apply Rinv_0_lt_compat; lra).
      assert (R : 0 <= rho n b <= 1 /\ (1 + rho n b / B) / N <= / B).
      { destruct (Nat.eq_dec b n) as [h|h].
        - assert (Z : rho n b = 0) by (unfold rho; rewrite h; unfold Rdiv; ring). rewrite Z, h.
          split; [lra|].
          right. field. apply Rgt_not_eq. lra.
        - pose proof (rho_bounds n b ltac:(lia) Hb Hbn) as R. split; [exact R|].
          assert (B + 1 <= N) by (rewrite <- S_INR; apply le_INR; lia).
          apply Rmult_le_reg_r with (B * N); [nra|].
          replace ((1 + rho n b / B) / N * (B * N)) with (B + rho n b) by (field; lra).
          replace (/ B * (B * N)) with N by (field; lra). lra. }
      destruct R as [[R0 R1] R2].
      replace (y * (rho n b / B) + (1 - y) / N * (1 + rho n b / B))
        with (y * (rho n b * / B) + (1 - y) * ((1 + rho n b / B) / N)) by (field; lra).
      assert (rho n b * / B <= / B) by nra. nra.
Qed.
End Run.
