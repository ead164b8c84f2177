(* Theorem 5 (theorem:PL-Main, lines 438-451) in expectation: a linear rate under the PL condition.
   Ledger: pl-main-complexity/sharper, pl-contraction-step.

   Printed: under Assumptions 1, 2, 3 (i), 5, 6, with eta = Theta~(1/L ∧ b/(zeta sqrt n) ∧ b/(mu n))
   and r <= eta sqrt(eps mu/3), Option I finds f(x^t) - inf f <= eps with
       O~((Lb/mu ∨ zeta sqrt n/mu ∨ n) log((Delta + sigma_c)/eps))   gradients
   with probability at least 1 - nu; O~ hides up to 5.5 powers of a logarithm.

   Proved, for all spaces, f_i, 1 <= b <= n, T, and noises with |xi| <= r, also such that depend on
   the past: with eta = 1/max(2L, zeta sqrt(60 n)/b, 3 mu n/b),
       E f(x^T) - inf f <= (1 - eta mu)^T (Delta + s) + r^2/(eta^2 mu),
   s = 0 (Option II), s = (3 eta n/(2b))(rho/b + (3/n)(1 + rho/b)) sigma^2 (Option I). So
   r <= eta sqrt(eps mu/3) and
       T = ceil(log((3/2)(Delta + s)/eps)/(eta mu))
   give E f(x^T) - inf f <= eps, after n + 2bT gradients (b + 2bT for Option I), and
       n + 2bT <= n + 2b + 2 max(2Lb/mu, zeta sqrt(60 n)/mu, 3n) max(0, log((3/2) Delta/eps)).

   Stronger than printed: literal constants, no logarithm but the one that is printed, no failure
   probability, noise chosen by an adversary, the mean square of the deviations for the largest, f
   at the last point. The argument of the printed logarithm, (Delta + sigma_c)/eps, is no pure
   number; (Delta + s)/eps is.
   Weaker: a mean over the minibatches. By Markov's inequality f(x^T) - inf f <= eps/nu with
   probability 1 - nu, so a logarithm of 1/nu pays for any nu
   ([theorem_5_option_II_probability]). *)
From Coq Require Import Reals Lra Lia PeanoNat List.
From Sledge Require Import vectors means minibatches algorithms problems second_moments
  sledge_errors.
From Sledge Require Import theorem_2_expectation.
Import ListNotations.
Open Scope R_scope.

(* ---- Parameters as functions of the inputs ---- *)

Definition pl_inverse_step (n b : nat) (L zeta mu : R) : R :=
  Rmax (2 * L) (Rmax (zeta * sqrt (60 * INR n) / INR b) (3 * mu * INR n / INR b)).
Definition pl_step_size (n b : nat) (L zeta mu : R) : R := / pl_inverse_step n b L zeta mu.
(* s: what Option I pays for its start *)
Definition pl_start (n b : nat) (eta sigma2 : R) : R := 3 * eta * INR n / (2 * INR b)
  * (start_factor n b * sigma2).
(* T *)
Definition pl_steps (eta mu gap eps : R) : nat := ceiling (ln (3 / 2 * gap / eps) / (eta * mu)).

(* (1 - a)^T <= exp(-aT) *)
Lemma pow_exp a T : 0 <= a <= 1 -> (1 - a) ^ T <= exp (- (a * INR T)).
Proof.
  intro H. induction T as [|T IH]; [simpl; rewrite Rmult_0_r, Ropp_0, exp_0; lra|].
  rewrite S_INR. replace (- (a * (INR T + 1))) with (- (a * INR T) + - a) by ring. rewrite exp_plus.
  simpl pow.
  rewrite Rmult_comm. apply Rmult_le_compat; [apply pow_le; lra|lra|assumption|].
  pose proof (exp_ineq1_le (- a)). lra.
Qed.
(* T steps make (1 - a)^T gap at most (2/3) eps. *)
Lemma pl_steps_enough eta mu gap eps : 0 < eta * mu <= 1 -> 0 <= gap -> 0 < eps ->
  (1 - eta * mu) ^ pl_steps eta mu gap eps * gap <= 2 / 3 * eps.
Proof.
  intros Ha Hg He. destruct Hg as [Hg|Hg]; [|rewrite <- Hg; lra].
  set (T := pl_steps eta mu gap eps). assert (P : 0 < 3 / 2 * gap / eps).
  { apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; assumption]. }
  assert (C : ln (3 / 2 * gap / eps) <= eta * mu * INR T).
  { pose proof (ceiling_above (ln (3 / 2 * gap / eps) / (eta * mu))) as C.
    fold (pl_steps eta mu gap eps) in C. fold T in C.
    replace (ln (3 / 2 * gap / eps)) with (eta * mu * (ln (3 / 2 * gap / eps) / (eta * mu)))
      by (field; nra).
    apply Rmult_le_compat_l; lra. }
  assert (X : exp (- (eta * mu * INR T)) <= 2 / 3 * eps / gap).
  { replace (2 / 3 * eps / gap) with (/ (3 / 2 * gap / eps)) by (field; lra).
    rewrite exp_Ropp. rewrite <- (exp_ln (3 / 2 * gap / eps)) at 1 by assumption.
    apply Rinv_le_contravar; [apply exp_pos|].
    destruct C as [C|C]; [left; apply exp_increasing, C|rewrite C; right; reflexivity]. }
  pose proof (pow_exp (eta * mu) T ltac:(lra)) as Q.
  apply Rle_trans with (2 / 3 * eps / gap * gap); [apply Rmult_le_compat_r; lra|right; field; lra].
Qed.

Section StepSize.
Variables (n b : nat).
Hypothesis Hb : (1 <= b)%nat.
Hypothesis Hbn : (b <= n)%nat.
Variables (L zeta mu : R).
Hypothesis HL : 0 < L.
Hypothesis Hz : 0 <= zeta.
Hypothesis Hmu : 0 < mu.
Notation N := (INR n).
Notation B := (INR b).
Notation eta := (pl_step_size n b L zeta mu).
Notation M := (pl_inverse_step n b L zeta mu).

Lemma pl_inverse_bounds : 2 * L <= M /\ zeta * sqrt (60 * N) / B <= M /\ 3 * mu * N / B <= M.
Proof.
  unfold pl_inverse_step. repeat split; [apply Rmax_l| |]; (eapply Rle_trans; [|apply Rmax_r]);
    [apply Rmax_l|apply Rmax_r].
Qed.
Lemma pl_step_size_pos : 0 < eta.
Proof. unfold pl_step_size. apply Rinv_0_lt_compat. pose proof pl_inverse_bounds. lra. Qed.
Lemma pl_step_size_L : 2 * eta * L <= 1.
Proof.
  pose proof pl_inverse_bounds as [H _]. unfold pl_step_size. apply Rmult_le_reg_r with M; [lra|].
  replace (2 * / M * L * M) with (2 * L) by (field; lra). lra.
Qed.
Lemma pl_step_size_zeta : 60 * N * (eta * eta) * (zeta * zeta) <= B * B.
Proof.
  pose proof pl_inverse_bounds as [H [H1 _]]. pose proof (Nn n b Hb Hbn).
  pose proof (Bb n b Hb Hbn).
  unfold pl_step_size. set (m := M) in *. apply Rmult_le_reg_r with (m * m); [nra|].
  replace (60 * N * (/ m * / m) * (zeta * zeta) * (m * m)) with (60 * N * (zeta * zeta)) by (field;
    lra).
  rewrite <- (sqrt_sqrt (60 * N)) by lra. set (s := sqrt (60 * N)) in *.
  assert (0 <= s) by apply sqrt_pos.
  assert (zeta * s <= m * B).
  { apply Rmult_le_reg_r with (/ B); [apply Rinv_0_lt_compat; lra|].
    replace (m * B * / B) with m by (field; lra). exact H1. }
  replace (s * s * (zeta * zeta)) with (zeta * s * (zeta * s)) by ring.
  replace (B * B * (m * m)) with (m * B * (m * B)) by ring.
  apply Rmult_le_compat; try assumption; apply Rmult_le_pos; assumption.
Qed.
Lemma pl_step_size_mu : 3 * N * (eta * mu) <= B.
Proof.
  pose proof pl_inverse_bounds as [H [_ H1]]. pose proof (Nn n b Hb Hbn).
  pose proof (Bb n b Hb Hbn).
  unfold pl_step_size. set (m := M) in *.
  apply Rmult_le_reg_r with (m * / B); [apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat;
    lra]|].
  replace (3 * N * (/ m * mu) * (m * / B)) with (3 * mu * N / B) by (field; lra).
  replace (B * (m * / B)) with m by (field; lra). exact H1.
Qed.
Lemma pl_step_size_rate : 0 < eta * mu <= 1.
Proof.
  pose proof pl_step_size_pos as P. pose proof pl_step_size_mu. pose proof (Nn n b Hb Hbn).
  pose proof (Bb n b Hb Hbn).
  assert (0 < eta * mu) by (apply Rmult_lt_0_compat; assumption). nra.
Qed.
End StepSize.

(* ---- The theorem ---- *)

Section Theorem5.
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
Notation F := (objective n f).
Notation grad_f := (gradient n grad).
Notation N := (INR n).
Notation B := (INR b).
Notation E t := (Ex (sledge_history n b t)).

(* Any start, any step size that is small enough. *)
Section AnyStart.
Variables (eta r : R) (noise : list batch -> V) (start : @state R V).
Hypothesis He : 0 < eta.
Hypothesis He_L : 2 * eta * L <= 1.
Hypothesis He_zeta : 60 * N * (eta * eta) * (zeta * zeta) <= B * B.
Hypothesis He_mu : 3 * N * (eta * mu) <= B.
Hypothesis noise_r : forall past, norm (noise past) <= r.
Notation run := (sledge n b eta noise grad start).
Notation step := (sledge_step n b eta noise grad).

(* The gap of f plus a multiple of the potential of the errors. *)
Definition weight : R := 3 * eta * N / (2 * B).
Definition psi (s : state) : R := F (point s) - fstar + weight * phi n grad s.

(* lines 2056-2075, pl-contraction-step *)
Lemma pl_contraction_step past s : F (next_point n eta noise past s) - fstar
  <= (1 - eta * mu) * (F (point s) - fstar) + eta * sq (error n grad s)
     - (1 / (2 * eta) - L / 2) * moved n eta noise past s + r * r / eta.
Proof.
  pose proof (descent_lemma F grad_f L eta r (point s) (estimate n s) (noise past)
    (objective_below_quadratic n f grad L ltac:(lia) smoothness) He (noise_r past)) as D.
  cbv zeta in D. fold (next_point n eta noise past s) in D. fold (error n grad s) in D.
  fold (moved n eta noise past s) in D.
  pose proof (pl (point s)) as Pl.
  assert (eta * mu * (F (point s) - fstar) <= eta / 2 * sq (grad_f (point s))).
  { replace (eta * mu * (F (point s) - fstar)) with (eta / 2 * (2 * mu * (F (point s) - fstar)))
      by field.
    apply Rmult_le_compat_l; lra. }
  lra.
Qed.
Lemma psi_step past s : Ex (uniform n b) (fun I => psi (step past s I)) <= (1 - eta * mu) * psi s
  + r * r / eta.
Proof.
  pose proof (Nn n b Hb Hbn) as N1. pose proof (Bb n b Hb Hbn) as [B1 BN].
  pose proof (BN_1 n b Hb Hbn) as [Q0 Q1].
  assert (W : 0 < weight) by (unfold weight; apply Rmult_lt_0_compat; [nra|apply Rinv_0_lt_compat;
    lra]).
  unfold psi. rewrite Ex_add, Ex_mul.
  rewrite (Ex_ext _ _ (fun _ => F (next_point n eta noise past s) - fstar)) by reflexivity.
  rewrite Ex_const.
  pose proof (pl_contraction_step past s) as D.
  pose proof (phi_moment n b Hb Hbn grad zeta het eta noise (1 / 2) past s ltac:(lra)) as C.
  unfold phi at 2. unfold potential. rewrite <- (error_is_mean n grad).
  set (ee := sq (error n grad s)) in *. assert (ee0 : 0 <= ee) by apply sq_nonneg.
  set (PP := mean_sq n (row_error grad s)) in *.
  assert (PP0 : 0 <= PP).
  { apply Rmult_le_pos; [left; apply Rinv_0_lt_compat; lra|]. apply sum_nonneg. intros.
    apply sq_nonneg. }
  set (m := moved n eta noise past s) in *. assert (m0 : 0 <= m) by apply sq_nonneg.
  set (EV := Ex (uniform n b) _) in *.
  assert (S0 : eta * mu <= B / (3 * N)).
  { apply Rmult_le_reg_l with (3 * N); [lra|].
    replace (3 * N * (B / (3 * N))) with B by (field; lra). lra. }
  assert (A1 : eta * ee + weight * ((1 - B / N) * (1 - B / N) * ee) <= (1 - eta * mu)
    * (weight * ee)).
  { assert (Q : eta <= weight * (1 - eta * mu - (1 - B / N) * (1 - B / N))).
    { apply Rle_trans with (weight * (1 - B / (3 * N) - (1 - B / N) * (1 - B / N)));
        [|apply Rmult_le_compat_l; lra].
      replace (weight * (1 - B / (3 * N) - (1 - B / N) * (1 - B / N))) with (eta * ((3 / 2)
        * (5 / 3 - B / N)))
        by (unfold weight; field; lra). nra. }
    apply Rle_trans with (weight * (1 - eta * mu - (1 - B / N) * (1 - B / N)) * ee
      + weight * ((1 - B / N) * (1 - B / N) * ee));
      [|right; ring]. apply Rplus_le_compat_r, Rmult_le_compat_r; assumption. }
  assert (A2 : weight * (3 / N * (1 - (1 - 1 / 2) * (B / N) * (1 - rho n b / 3)) * PP)
    <= (1 - eta * mu) * (weight * (3 / N * PP))).
  { assert (R1 : rho n b <= 1).
    { destruct (Nat.eq_dec n 1) as [e|e]; [|apply rho_bounds; lia].
      assert (b = 1)%nat by lia. rewrite e, H, rho_1. lra. }
    replace ((1 - eta * mu) * (weight * (3 / N * PP))) with (weight * (3 / N * (1 - eta * mu) * PP))
      by ring.
    apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_r; [assumption|].
    apply Rmult_le_compat_l.
    - apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra].
    - assert (B / (3 * N) = B / N * (1 / 3)) by (field; lra).
      assert (B / N * (2 / 3) <= B / N * (1 - rho n b / 3)) by (apply Rmult_le_compat_l; lra). lra.
      }
  assert (A3 : weight * (movement_factor (1 / 2) n b * (N - 1) / (2 * B * N) * (zeta * zeta) * m)
    <= 1 / (4 * eta) * m).
  { assert (K : movement_factor (1 / 2) n b <= 20).
    { destruct (Nat.eq_dec n 1) as [e|e].
      - assert (b = 1)%nat by lia. rewrite e, H, movement_factor_1. lra.
      - pose proof (movement_factor_bounds n b ltac:(lia) Hb Hbn (1 / 2) ltac:(lra)). lra. }
    pose proof (movement_factor_nonneg (1 / 2) n b Hb Hbn ltac:(lra)) as K0.
    set (k := movement_factor (1 / 2) n b) in *. rewrite <- Rmult_assoc.
    apply Rmult_le_compat_r; [assumption|].
    apply Rmult_le_reg_r with (4 * eta * (B * B)); [apply Rmult_lt_0_compat; nra|].
    replace (weight * (k * (N - 1) / (2 * B * N) * (zeta * zeta)) * (4 * eta * (B * B)))
      with (3 * (k * (N - 1)) * (eta * eta) * (zeta * zeta)) by (unfold weight; field; lra).
    replace (1 / (4 * eta) * (4 * eta * (B * B))) with (B * B) by (field; lra).
    eapply Rle_trans; [|exact He_zeta].
    assert (Z0 : 0 <= eta * eta * (zeta * zeta)) by (apply Rmult_le_pos; nra).
    assert (k * (N - 1) <= 20 * N) by nra.
    replace (3 * (k * (N - 1)) * (eta * eta) * (zeta * zeta)) with (3 * (k * (N - 1))
      * (eta * eta * (zeta * zeta))) by ring.
    replace (60 * N * (eta * eta) * (zeta * zeta)) with (3 * (20 * N) * (eta * eta * (zeta * zeta)))
      by ring.
    apply Rmult_le_compat_r; [assumption|lra]. }
  assert (A4 : 0 <= (1 / (4 * eta) - L / 2) * m).
  { apply Rmult_le_pos; [|assumption]. apply Rmult_le_reg_l with (4 * eta); [lra|].
    replace (4 * eta * (1 / (4 * eta) - L / 2)) with (1 - 2 * eta * L) by (field; lra). lra. }
  assert (A5 : weight * EV <= weight * ((1 - B / N) * (1 - B / N) * ee + 3 / N * (1 - (1 - 1 / 2)
    * (B / N) * (1 - rho n b / 3)) * PP
    + movement_factor (1 / 2) n b * (N - 1) / (2 * B * N) * (zeta * zeta) * m))
        by (apply Rmult_le_compat_l; lra).
  replace ((1 / (2 * eta) - L / 2) * m) with (1 / (4 * eta) * m + (1 / (4 * eta) - L / 2) * m)
    in D by (field; lra).
  lra.
Qed.
Theorem linear_rate T : E T (fun past => F (point (run past)) - fstar)
  <= (1 - eta * mu) ^ T * psi start + r * r / (eta * eta * mu).
Proof.
  pose proof (Nn n b Hb Hbn) as N1. pose proof (Bb n b Hb Hbn) as [B1 BN].
  assert (W : 0 < weight) by (unfold weight; apply Rmult_lt_0_compat; [nra|apply Rinv_0_lt_compat;
    lra]).
  assert (Rate : 0 < eta * mu <= 1) by (split; [apply Rmult_lt_0_compat; assumption|nra]).
  assert (H : E T (fun past => psi (run past)) <= (1 - eta * mu) ^ T * psi start
    + r * r / (eta * eta * mu)).
  { assert (Z : 0 <= r * r / (eta * eta * mu)).
    { apply Rmult_le_pos; [nra|left; apply Rinv_0_lt_compat; apply Rmult_lt_0_compat; nra]. }
    induction T as [|T IH]; [simpl; lra|]. unfold sledge_history in *. rewrite Ex_history_S.
    apply Rle_trans with (Ex (history (uniform n b) T) (fun past => (1 - eta * mu) * psi (run past)
      + r * r / eta)).
    - apply Ex_le. intros past _. apply psi_step.
    - rewrite Ex_add, Ex_mul, Ex_const. simpl pow. set (p := (1 - eta * mu) ^ T * psi start) in *.
      replace ((1 - eta * mu) * (1 - eta * mu) ^ T * psi start + r * r / (eta * eta * mu))
        with ((1 - eta * mu) * (p + r * r / (eta * eta * mu)) + r * r / eta) by (unfold p; field;
          lra).
      apply Rplus_le_compat_r, Rmult_le_compat_l; lra. }
  eapply Rle_trans; [|exact H]. apply Ex_le. intros past _. unfold psi.
  pose proof (phi_nonneg n b Hb Hbn grad (run past)). nra.
Qed.
End AnyStart.

Notation eta := (pl_step_size n b L zeta mu).
Variables (r : R) (x0 : V).
Notation Delta := (F x0 - fstar).

Theorem theorem_5_option_II_rate (noise : list batch -> V) T : (forall past, norm (noise past) <= r)
  ->
  let run := sledge n b eta noise grad (sledge_start_II grad x0) in
  E T (fun past => F (point (run past)) - fstar) <= (1 - eta * mu) ^ T * Delta
    + r * r / (eta * eta * mu).
Proof.
  intros Hr run.
  pose proof (linear_rate eta r noise (sledge_start_II grad x0) (pl_step_size_pos n b L zeta mu HL)
    (pl_step_size_L n b L zeta mu HL) (pl_step_size_zeta n b Hb Hbn L zeta mu HL Hz)
    (pl_step_size_mu n b Hb Hbn L zeta mu HL) Hr T) as H.
  fold run in H. unfold psi in H. rewrite phi_start_II, Rmult_0_r, Rplus_0_r in H by assumption.
  exact H.
Qed.
Theorem theorem_5_option_I_rate (noise : batch -> list batch -> V) T : (forall I0 past,
  norm (noise I0 past) <= r) ->
  let run I0 := sledge n b eta (noise I0) grad (sledge_start_I n b grad x0 I0) in
  Ex (uniform n b) (fun I0 => E T (fun past => F (point (run I0 past)) - fstar))
  <= (1 - eta * mu) ^ T * (Delta + pl_start n b eta (deviation n grad x0))
    + r * r / (eta * eta * mu).
Proof.
  intros Hr run. eapply Rle_trans; [apply (Ex_le _ _ (fun I0 => ((1 - eta * mu) ^ T * Delta
    + r * r / (eta * eta * mu))
    + (1 - eta * mu) ^ T * weight eta * phi n grad (sledge_start_I n b grad x0 I0)))|].
  - intros I0 _.
    pose proof (linear_rate eta r (noise I0) (sledge_start_I n b grad x0 I0)
      (pl_step_size_pos n b L zeta mu HL)
      (pl_step_size_L n b L zeta mu HL) (pl_step_size_zeta n b Hb Hbn L zeta mu HL Hz)
      (pl_step_size_mu n b Hb Hbn L zeta mu HL) (Hr I0) T) as H.
    unfold psi in H. change (point (sledge_start_I n b grad x0 I0)) with x0 in H.
    eapply Rle_trans; [exact H|right; ring].
  - rewrite Ex_add, Ex_const, Ex_mul, (phi_start_I n b Hb Hbn). unfold pl_start, weight. right.
    ring.
Qed.
Lemma pl_noise_share eps : 0 < eps -> 0 <= r -> r <= eta * sqrt (eps * mu / 3)
  -> r * r / (eta * eta * mu) <= eps / 3.
Proof.
  intros Heps H0 Hr. pose proof (pl_step_size_pos n b L zeta mu HL) as He.
  apply Rmult_le_reg_r with (eta * eta * mu); [apply Rmult_lt_0_compat; nra|].
  replace (r * r / (eta * eta * mu) * (eta * eta * mu)) with (r * r) by (field; lra).
  replace (eps / 3 * (eta * eta * mu)) with (eta * eta * (eps * mu / 3)) by field.
  rewrite <- (sqrt_sqrt (eps * mu / 3)) by nra.
  replace (eta * eta * (sqrt (eps * mu / 3) * sqrt (eps * mu / 3))) with (eta * sqrt (eps * mu / 3)
    * (eta * sqrt (eps * mu / 3))) by ring.
  apply Rmult_le_compat; lra.
Qed.
Theorem theorem_5_option_II_expectation (noise : list batch -> V) eps :
  0 < eps -> r <= eta * sqrt (eps * mu / 3) -> (forall past, norm (noise past) <= r) ->
  let T := pl_steps eta mu Delta eps in
  let run := sledge n b eta noise grad (sledge_start_II grad x0) in
  E T (fun past => F (point (run past)) - fstar) <= eps.
Proof.
  intros Heps Hr Hnoise T run. assert (H := Rle_trans _ _ _ (norm_nonneg _) (Hnoise []) : 0 <= r).
  pose proof (pl_noise_share eps Heps H Hr). pose proof (infimum x0).
  pose proof (pl_steps_enough eta mu Delta eps (pl_step_size_rate n b Hb Hbn L zeta mu HL Hmu)
    ltac:(lra) Heps).
  pose proof (theorem_5_option_II_rate noise T Hnoise) as K. cbv zeta in K. fold run in K.
  fold T in H2. lra.
Qed.
Theorem theorem_5_option_II_probability (noise : list batch -> V) eps nu :
  0 < eps -> r <= eta * sqrt (eps * mu / 3) -> (forall past, norm (noise past) <= r) -> 0 < nu ->
  let T := pl_steps eta mu Delta eps in
  let run := sledge n b eta noise grad (sledge_start_II grad x0) in
  probability (sledge_history n b T) (fun past => larger (eps / nu) (F (point (run past)) - fstar))
    <= nu.
Proof.
  intros Heps Hr Hnoise Hnu T run.
  pose proof (theorem_5_option_II_expectation noise eps Heps Hr Hnoise) as M.
  cbv zeta in M. fold run in M. fold T in M.
  assert (C : 0 < eps / nu) by (apply Rmult_lt_0_compat; [assumption|apply Rinv_0_lt_compat;
    assumption]).
  eapply Rle_trans; [apply (markov _ (fun past => F (point (run past)) - fstar) _ _ C)|].
  - intros past _. pose proof (infimum (point (run past))). lra.
  - intros past _ A. unfold larger in A. destruct Rlt_dec; [lra|discriminate].
  - apply Rmult_le_reg_r with (eps / nu); [assumption|].
    replace (nu * (eps / nu)) with eps by (field; lra).
    eapply Rle_trans; [|exact M]. right. field. lra.
Qed.
Theorem theorem_5_option_I_expectation (noise : batch -> list batch -> V) eps :
  0 < eps -> r <= eta * sqrt (eps * mu / 3) -> (forall I0 past, norm (noise I0 past) <= r) ->
  let T := pl_steps eta mu (Delta + pl_start n b eta (deviation n grad x0)) eps in
  let run I0 := sledge n b eta (noise I0) grad (sledge_start_I n b grad x0 I0) in
  Ex (uniform n b) (fun I0 => E T (fun past => F (point (run I0 past)) - fstar)) <= eps.
Proof.
  intros Heps Hr Hnoise T run. assert (H := Rle_trans _ _ _ (norm_nonneg _) (Hnoise full []) : 0
    <= r).
  pose proof (pl_noise_share eps Heps H Hr). pose proof (infimum x0).
  pose proof (Nn n b Hb Hbn). pose proof (Bb n b Hb Hbn).
  pose proof (pl_step_size_pos n b L zeta mu HL) as He.
  assert (S0 : 0 <= pl_start n b eta (deviation n grad x0)).
  { unfold pl_start. rewrite <- (phi_start_I n b Hb Hbn). apply Rmult_le_pos.
    - apply Rmult_le_pos; [nra|left; apply Rinv_0_lt_compat; lra].
    - apply Ex_nonneg. intros. apply (phi_nonneg n b); assumption. }
  pose proof (pl_steps_enough eta mu (Delta + pl_start n b eta (deviation n grad x0)) eps
    (pl_step_size_rate n b Hb Hbn L zeta mu HL Hmu) ltac:(lra) Heps) as K1. fold T in K1.
  pose proof (theorem_5_option_I_rate noise T Hnoise) as K. cbv zeta in K. fold run in K. lra.
Qed.
Theorem theorem_5_option_II_gradients eps : 0 < eps ->
  INR (gradients_II n b (pl_steps eta mu Delta eps))
  <= N + 2 * B + 2 * Rmax (2 * L * B / mu) (Rmax (zeta * sqrt (60 * N) / mu) (3 * N))
    * Rmax 0 (ln (3 / 2 * Delta / eps)).
Proof.
  intro Heps. pose proof (Bb n b Hb Hbn) as [B1 _].
  pose proof (pl_step_size_pos n b L zeta mu HL) as He.
  set (T := pl_steps eta mu Delta eps). set (l := ln (3 / 2 * Delta / eps)).
  assert (TX : INR T <= 1 + Rmax 0 l / (eta * mu)).
  { unfold T, pl_steps. fold l. assert (0 < eta * mu) by (apply Rmult_lt_0_compat; assumption).
    destruct (Rle_dec 0 l) as [h|h].
    - rewrite Rmax_right by assumption. pose proof (ceiling_below (l / (eta * mu))) as C.
      assert (0 <= l / (eta * mu)) by (apply Rmult_le_pos; [assumption|left; apply Rinv_0_lt_compat;
        assumption]). lra.
    - rewrite Rmax_left by lra. unfold ceiling.
      destruct (base_Int_part (- (l / (eta * mu)))) as [C _].
      assert (Z : l / (eta * mu) < 0).
      { assert (0 < / (eta * mu)) by (apply Rinv_0_lt_compat; assumption). unfold Rdiv. nra. }
      assert (D : (0 <= Int_part (- (l / (eta * mu))))%Z).
      { destruct (base_Int_part (- (l / (eta * mu)))) as [_ D]. apply Z.lt_succ_r. unfold Z.succ.
        apply lt_IZR. rewrite plus_IZR. lra. }
      replace (Z.to_nat (- Int_part (- (l / (eta * mu))))) with 0%nat by lia. simpl. unfold Rdiv.
      lra. }
  unfold gradients_II. rewrite plus_INR, !mult_INR. simpl (INR 2).
  assert (X : B / (eta * mu) = Rmax (2 * L * B / mu) (Rmax (zeta * sqrt (60 * N) / mu) (3 * N))).
  { unfold pl_step_size. replace (B / (/ pl_inverse_step n b L zeta mu * mu))
      with (B / mu * pl_inverse_step n b L zeta mu).
    2:{ pose proof (pl_inverse_bounds n b L zeta mu). field. lra. }
    unfold pl_inverse_step. assert (0 <= B / mu) by (apply Rmult_le_pos; [lra|left;
      apply Rinv_0_lt_compat; assumption]).
    rewrite <- !RmaxRmult by assumption. f_equal; [field; lra|]. f_equal; field; lra. }
  rewrite <- X. set (m := Rmax 0 l) in *.
  apply Rle_trans with (N + 2 * B * (1 + m / (eta * mu))); [apply Rplus_le_compat_l,
    Rmult_le_compat_l; lra|].
  right. field. lra.
Qed.
End Theorem5.
