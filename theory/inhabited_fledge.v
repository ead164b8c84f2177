(* The hypotheses of the theorems about FLEDGE are met, with zeta > 0 and sigma > 0: P >= 2 clients
   on the line, of 2Kb data each,
       f_{i,j}(x) = a_i x^2/2 + s_j x,   a_0 = 1, a_i = 0 for i >= 1,   s_j = 1, -1, 1, -1, ...,
   so that f_i(x) = a_i x^2/2; L = zeta = sigma = 1. Nothing here is used elsewhere. *)
From Coq Require Import Reals Lra Lia PeanoNat List.
From Sledge Require Import vectors means minibatches algorithms problems instances second_moments
  sledge_errors.
From Sledge Require Import theorem_2_expectation fledge_sampling fledge_errors theorem_6_expectation
  theorem_8_expectation probability theorem_2_probability theorem_6_probability.
From Sledge Require Import fledge_tails theorem_6_high_probability theorem_8_high_probability.
Import ListNotations.
Open Scope R_scope.

Definition sign (j : nat) : R := if Nat.even j then 1 else -1.
Lemma sign_square j : sign j * sign j = 1.
Proof. unfold sign. destruct (Nat.even j); ring. Qed.
Lemma sum_sign k : sum (2 * k) sign = 0.
Proof.
  induction k as [|k IH]; [reflexivity|]. replace (2 * S k)%nat with (S (S (2 * k))) by lia.
  cbn [sum].
  rewrite IH. unfold sign. rewrite Nat.even_succ, <- Nat.negb_even.
  rewrite (proj2 (Nat.even_spec (2 * k))) by (exists k; reflexivity). simpl. ring.
Qed.
Definition datum (i j : nat) (x : line) : R := apart i * (x * x) / 2 + sign j * x.
Definition datum_gradient (i j : nat) (x : line) : line := apart i * x + sign j.

Section Clients.
Variables (P p K b : nat).
Hypothesis HP : (2 <= P)%nat.
Hypothesis Hp : (1 <= p)%nat.
Hypothesis HpP : (p <= P)%nat.
Hypothesis HK : (1 <= K)%nat.
Hypothesis Hb : (1 <= b)%nat.
Let data : nat -> nat := fun _ => (2 * (K * b))%nat.
Notation G := (client_gradient data datum_gradient).

Lemma data_pos : 2 <= INR (2 * (K * b)).
Proof. change 2 with (INR 2). apply le_INR. nia. Qed.
Lemma client_gradient_is i (x : line) : G i x = apart i * x.
Proof.
  pose proof data_pos. unfold client_gradient, gradient, data, datum_gradient. rewrite vsum_line.
  change (/ INR (2 * (K * b)) * sum (2 * (K * b)) (fun j => apart i * x + sign j) = apart i * x).
  rewrite sum_add, sum_const, sum_sign. field. lra.
Qed.
Lemma client_objective_is i (x : line) : client_objective data datum i x = outlier i x.
Proof.
  pose proof data_pos. unfold client_objective, objective, data, datum, outlier.
  rewrite sum_add, sum_const, (sum_ext _ _ (fun j => x * sign j)) by (intros; apply Rmult_comm).
  rewrite sum_mul, sum_sign. field. lra.
Qed.
Lemma clients_objective (x : line) : objective P (client_objective data datum) x
  = objective P outlier x.
Proof. unfold objective. f_equal. apply sum_ext. intros. apply client_objective_is. Qed.
Lemma clients_heterogeneous : heterogeneous P G 1.
Proof.
  intros i j Hi Hj x y. rewrite !client_gradient_is. apply (outlier_heterogeneous P i j Hi Hj x y).
Qed.
Lemma clients_not_less zeta : heterogeneous P G zeta -> 1 <= zeta.
Proof.
  intro H. apply (outlier_not_less P HP). intros i j Hi Hj x y.
  pose proof (H i j Hi Hj x y) as K1. cbv beta in K1. rewrite !client_gradient_is in K1. exact K1.
Qed.
Lemma clients_bounded : data_bounded P data datum_gradient 1.
Proof.
  intros i j x _ _. rewrite client_gradient_is, sq_line. unfold datum_gradient.
  change ((apart i * x + sign j - apart i * x) * (apart i * x + sign j - apart i * x) <= 1 * 1).
  pose proof (sign_square j). nra.
Qed.
Lemma clients_smooth_1 : data_smooth P data datum datum_gradient 1.
Proof.
  intros i _ j _. split.
  - intros x u t. unfold datum, datum_gradient. simpl in x, u |- *.
    apply (derivable_pt_lim_ext (fun t => apart i / 2 * (x * x) + sign j * x
      + ((apart i * x * u + sign j * u) * t + apart i / 2 * u * u * (t * t)))).
    + intro s. field.
    + replace ((apart i * (x + t * u) + sign j) * u)
        with (0 + ((apart i * x * u + sign j * u) * 1 + apart i / 2 * u * u * (1 * t + t * 1)))
          by field.
      apply derivable_pt_lim_plus; [apply derivable_pt_lim_const|].
      apply derivable_pt_lim_plus; apply derivable_pt_lim_scal; [apply derivable_pt_lim_id|].
      apply (derivable_pt_lim_mult id id t 1 1); apply derivable_pt_lim_id.
  - intros x y. rewrite !norm_line. simpl. unfold datum_gradient.
    replace (apart i * x + sign j - (apart i * y + sign j)) with (apart i * (x - y)) by ring.
    rewrite Rabs_mult. pose proof (apart_bounds i). rewrite (Rabs_right (apart i)) by lra.
    apply Rmult_le_compat_r; [apply Rabs_pos|lra].
Qed.

Variables (x0 : line) (eps : R).
Hypothesis Heps : 0 < eps.
(* enough data for the accuracy *)
Hypothesis enough : 144 / (eps * eps) <= INR P * INR (K * b).
Let quiet : (nat -> batch) -> list round -> nat -> list batch -> line := fun _ _ _ _ => zero.

Example theorem_6_option_II_inhabited :
  let eta := fledge_step_size P p K b 1 1 in
  let T := fledge_rounds K eta (objective P (client_objective data datum) x0 - 0) eps in
  / (INR T * INR K) * Ex (fresh_law P data (K * b)) (fun J =>
    sum T (gradients_of_round P p K b data datum_gradient eta (quiet J)
      (fledge_start_II K b data datum_gradient x0 J)))
  <= eps * eps.
Proof.
  apply (theorem_6_option_II_expectation P p K b Hp HpP HK Hb data datum datum_gradient 1 1 1 0)
    with (r := 0) (noise := quiet).
  - intros i _. unfold data. lia.
  - lra.
  - apply clients_smooth_1.
  - intro x. rewrite clients_objective. apply outlier_infimum, HP.
  - apply clients_heterogeneous.
  - apply clients_bounded.
  - assumption.
  - destruct (fledge_step_size_facts P p K b Hp HpP HK Hb 1 1 ltac:(lra)) as [He _].
    apply Rmult_le_pos; [nra|]. left. apply Rinv_0_lt_compat. pose proof (sqrt_lt_R0 2 ltac:(lra)).
    lra.
  - intros. unfold quiet. rewrite norm_zero. lra.
  - rewrite !Rmult_1_r. exact enough.
Qed.
Example theorem_6_option_I_inhabited :
  let eta := fledge_step_size P p K b 1 1 in
  let T := fledge_rounds_I P p K eta (objective P (client_objective data datum) x0 - 0)
    (fledge_start_factor P p K b 1 (deviation P G x0)) eps in
  / (INR T * INR K) * Ex (uniform P p) (fun I0 => Ex (fresh_law P data (K * b)) (fun J =>
    sum T (gradients_of_round P p K b data datum_gradient eta (quiet J)
      (fledge_start_I P p K b data datum_gradient x0 I0 J))))
  <= eps * eps.
Proof.
  apply (theorem_6_option_I_expectation P p K b Hp HpP HK Hb data datum datum_gradient 1 1 1 0)
    with (r := 0) (noise := fun _ => quiet).
  - intros i _. unfold data. lia.
  - lra.
  - apply clients_smooth_1.
  - intro x. rewrite clients_objective. apply outlier_infimum, HP.
  - apply clients_heterogeneous.
  - apply clients_bounded.
  - assumption.
  - destruct (fledge_step_size_facts P p K b Hp HpP HK Hb 1 1 ltac:(lra)) as [He _].
    apply Rmult_le_pos; [nra|]. left. apply Rinv_0_lt_compat. pose proof (sqrt_lt_R0 2 ltac:(lra)).
    lra.
  - intros. unfold quiet. rewrite norm_zero. lra.
  - rewrite !Rmult_1_r. exact enough.
Qed.
Example theorem_6_probability_inhabited nu : 0 < nu < 1 ->
  144 / (nu * (eps * eps)) <= INR P * INR (K * b) ->
  let eta := fledge_step_size P p K b 1 1 in
  let T := fledge_rounds K eta (objective P (client_objective data datum) x0 - 0) (eps * sqrt nu) in
  with_probability (fledge_history_II P p K b data T) (1 - nu) (fun o =>
    exists t k, (t < T)%nat /\ (k < K)%nat /\ norm (gradient P G (step_point P p K b data
      datum_gradient eta (quiet (fst o)) (fledge_start_II K b data datum_gradient x0 (fst o)) k
      (at_time (S t) (snd o)))) <= eps).
Proof.
  intros Hnu D. apply (theorem_6_option_II_probability P p K b Hp HpP HK Hb data datum
    datum_gradient 1 1 1 0) with (r := 0) (noise := quiet); try assumption.
  - intros i _. unfold data. lia.
  - lra.
  - apply clients_smooth_1.
  - intro x. rewrite clients_objective. apply outlier_infimum, HP.
  - apply clients_heterogeneous.
  - apply clients_bounded.
  - destruct (fledge_step_size_facts P p K b Hp HpP HK Hb 1 1 ltac:(lra)) as [He _].
    pose proof (sqrt_lt_R0 nu ltac:(lra)). pose proof (sqrt_lt_R0 2 ltac:(lra)).
    apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat; lra].
    apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; lra.
  - intros. unfold quiet. rewrite norm_zero. lra.
  - rewrite !Rmult_1_r. exact D.
Qed.
Example theorem_6_high_probability_inhabited T nu : (1 <= T)%nat -> 0 < nu < 1 ->
  let eta := fledge_high_step_size P p K b T 1 1 nu in
  let l := fledge_lambda P K b T nu in
  with_probability (fledge_history_II P p K b data T) (1 - 2 * nu) (fun o =>
    sum T (fun t => sum K (fun k => sq (gradient P G (step_point P p K b data datum_gradient eta
      (quiet (fst o)) (fledge_start_II K b data datum_gradient x0 (fst o)) k
      (at_time (S t) (snd o)))))) / (INR T * INR K)
    <= 2 * (objective P (client_objective data datum) x0 - 0) / (eta * (INR T * INR K))
       + 264 * (l * l * (l * l)) * (1 * 1) / (INR P * INR (K * b)) + 2 * (0 * 0) / (eta * eta)).
Proof.
  intros HT Hnu. apply (theorem_6_option_II_high_probability P p K b Hp HpP HK Hb data datum
    datum_gradient 1 1 1 0) with (noise := quiet); try assumption; try lra.
  - intros i _. unfold data. lia.
  - apply clients_smooth_1.
  - intro x. rewrite clients_objective. apply outlier_infimum, HP.
  - apply clients_heterogeneous.
  - apply clients_bounded.
  - intros. unfold quiet. rewrite norm_zero. lra.
Qed.
(* The PL condition with mu = 1/P. *)
Lemma clients_polyak : polyak (/ INR P) 0 (objective P (client_objective data datum))
  (gradient P G).
Proof.
  intro x. rewrite clients_objective. replace (gradient P G x) with (gradient P outlier_gradient x).
  - apply outlier_polyak, HP.
  - unfold gradient. f_equal. apply vsum_ext. intros i _. symmetry. apply client_gradient_is.
Qed.
Example theorem_8_option_II_inhabited : 54 / (/ INR P * eps) <= INR P * INR (K * b) ->
  let eta := fledge_pl_step_size P p K b 1 1 (/ INR P) in
  let gap := objective P (client_objective data datum) x0 - 0 + fledge_pl_start P p K b eta 1 in
  let T := fledge_pl_rounds K eta (/ INR P) gap eps in
  Ex (fresh_law P data (K * b)) (fun J => Ex (fledge_history P p K b data T) (fun past =>
    objective P (client_objective data datum)
      (fst (fledge P p K b eta (quiet J) data datum_gradient (fledge_start_II K b data
        datum_gradient x0 J) past)) - 0))
  <= eps.
Proof.
  intro D. assert (M0 : 0 < / INR P) by (apply Rinv_0_lt_compat, lt_0_INR; lia).
  apply (theorem_8_option_II_rounds P p K b Hp HpP HK Hb data datum datum_gradient 1 1 1 (/ INR P)
    0) with (r := 0).
  - intros i _. unfold data. lia.
  - lra.
  - assumption.
  - apply clients_smooth_1.
  - intro x. rewrite clients_objective. apply outlier_infimum, HP.
  - apply clients_heterogeneous.
  - apply clients_bounded.
  - apply clients_polyak.
  - assumption.
  - rewrite Rmult_0_l. apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [|lra].
    apply Rmult_le_pos; [apply Rle_0_sqr|lra].
  - rewrite !Rmult_1_r. exact D.
  - intros. unfold quiet. rewrite norm_zero. lra.
Qed.
Example theorem_8_option_I_probability_inhabited nu : 0 < nu < 1 ->
  54 / (/ INR P * (nu * eps)) <= INR P * INR (K * b) ->
  let eta := fledge_pl_step_size P p K b 1 1 (/ INR P) in
  let gap := objective P (client_objective data datum) x0 - 0
    + fledge_weight P p K eta * fledge_start_factor P p K b 1 (deviation P G x0) in
  let T := fledge_pl_rounds K eta (/ INR P) gap (nu * eps) in
  with_probability (fledge_history_I P p K b data T) (1 - nu) (fun o =>
    objective P (client_objective data datum) (fst (fledge P p K b eta (quiet (snd (fst o))) data
      datum_gradient (fledge_start_I P p K b data datum_gradient x0 (fst (fst o)) (snd (fst o)))
      (snd o))) - 0 <= eps).
Proof.
  intros Hnu D. assert (M0 : 0 < / INR P) by (apply Rinv_0_lt_compat, lt_0_INR; lia).
  apply (theorem_8_option_I_probability P p K b Hp HpP HK Hb data datum datum_gradient 1 1 1 0)
    with (r := 0) (noise := fun _ : batch => quiet); try assumption.
  - intros i _. unfold data. lia.
  - lra.
  - apply clients_smooth_1.
  - intro x. rewrite clients_objective. apply outlier_infimum, HP.
  - apply clients_heterogeneous.
  - apply clients_bounded.
  - apply clients_polyak.
  - rewrite Rmult_0_l. apply Rmult_le_pos; [lra|].
    apply Rmult_le_pos; [|apply Rmult_le_pos; lra]. apply Rmult_le_pos; [apply Rle_0_sqr|lra].
  - rewrite !Rmult_1_r. exact D.
  - intros. unfold quiet. rewrite norm_zero. lra.
Qed.
Example theorem_8_high_probability_inhabited T nu : (1 <= T)%nat -> 0 < nu < 1 ->
  let eta := fledge_pl_high_step_size P p K b T 1 1 (/ INR P) nu in
  let l := fledge_lambda P K b T nu in
  with_probability (fledge_history_II P p K b data T) (1 - 2 * nu) (fun o => forall t, (t <= T)%nat ->
    objective P (client_objective data datum) (fst (fledge P p K b eta (quiet (fst o)) data datum_gradient
      (fledge_start_II K b data datum_gradient x0 (fst o)) (at_time t (snd o)))) - 0
    <= (1 - eta * / INR P) ^ (K * t) * (objective P (client_objective data datum) x0 - 0
         + 24 * eta * (l * l) * (1 * 1) / (INR p * INR b))
       + 6 / 5 * (0 * 0) / (eta * eta * / INR P)
       + 288 / 5 * (l * l) * (1 + 4 * (l * l)) * (1 * 1) / (/ INR P * (INR P * INR (K * b)))).
Proof.
  intros HT Hnu. assert (M0 : 0 < / INR P) by (apply Rinv_0_lt_compat, lt_0_INR; lia).
  apply (theorem_8_option_II_high_probability P p K b Hp HpP HK Hb data datum datum_gradient 1 1 1
    (/ INR P) 0) with (noise := quiet); try assumption; try lra.
  - intros i _. unfold data. lia.
  - apply clients_smooth_1.
  - apply clients_heterogeneous.
  - apply clients_bounded.
  - apply clients_polyak.
  - intros. unfold quiet. rewrite norm_zero. lra.
Qed.
End Clients.
