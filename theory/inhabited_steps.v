(* The hypotheses of the theorems of preliminaries.v, pl_steps.v and tables.v are met, with zeta > 0: each is applied to
   the instance of instances.v (n >= 2, L = zeta = 1, mu = 1/n), or to numbers. Nothing here is used elsewhere. *)
From Coq Require Import Reals Lra Lia PeanoNat List.
From Sledge Require Import vectors means minibatches algorithms problems instances theorem_5_expectation.
From Sledge Require Import preliminaries run_sums pl_steps tables.
Import ListNotations.
Open Scope R_scope.

(* The Hessians are 1 and 0, zeta = 1 and L = 1. *)
Lemma outlier_hessians n : hessians_within n outlier_gradient (fun i _ u => outlier_gradient i u) 1.
Proof.
  split.
  - intros i x _ u e He. exists 1. split; [lra|]. intros h Hh _. rewrite norm_line. unfold outlier_gradient. simpl.
    replace (/ h * (apart i * (x + h * u) - apart i * x) - apart i * u) with 0 by (field; assumption).
    rewrite Rabs_R0. lra.
  - intros i j x u _ _. rewrite !norm_line. unfold outlier_gradient. simpl.
    rewrite <- Rmult_minus_distr_r, Rabs_mult. pose proof (apart_bounds i). pose proof (apart_bounds j).
    assert (Rabs (apart i - apart j) <= 1) by (apply Rabs_le; lra). pose proof (Rabs_pos u). nra.
Qed.
Example hessians_alike_inhabited n : heterogeneous n outlier_gradient 1.
Proof. apply (hessians_alike n outlier_gradient _ 1 (outlier_hessians n)). Qed.
Example gradient_difference_printed_inhabited (x y : line) :
  norm (sub (sub (outlier_gradient 0 y) (outlier_gradient 0 x)) (sub (gradient 2 outlier_gradient y)
    (gradient 2 outlier_gradient x))) <= 1 * norm (sub y x).
Proof. apply (gradient_difference_printed 2 outlier_gradient _ 1 0 x y ltac:(lia) (outlier_hessians 2)). Qed.
Example hessian_distance_inhabited n : (2 <= n)%nat -> 1 <= 2 * 1.
Proof.
  intro Hn. apply (hessian_distance n outlier outlier_gradient 1 (fun i _ u => outlier_gradient i u)); [lra| | |].
  - apply outlier_smooth.
  - apply (outlier_hessians n).
  - split.
    + intros y [i [j [x [u [Hi [Hj [Hu ->]]]]]]]. pose proof (proj2 (outlier_hessians n) i j x u Hi Hj). lra.
    + intros y H. apply H. exists 0%nat, 1%nat, (0 : line), (1 : line). rewrite !norm_line. unfold outlier_gradient.
      simpl. rewrite Rabs_R1. replace (1 * 1 - 0 * 1) with 1 by ring. rewrite Rabs_R1. repeat split; lia || lra.
Qed.
Example hessian_range_inhabited n : (2 <= n)%nat -> 1 <= 1 + 0.
Proof.
  intro Hn. apply (hessian_range n (fun i (_ : line) u => outlier_gradient i u) 0 1); [lra| | |].
  - intros i x _ v w. unfold outlier_gradient. simpl. ring.
  - intros i x u _. rewrite sq_line. unfold outlier_gradient. simpl. pose proof (apart_bounds i).
    pose proof (Rle_0_sqr u) as U. unfold Rsqr in U.
    replace (apart i * u * u) with (apart i * (u * u)) by ring. split; nra.
  - split.
    + intros y [i [j [x [u [Hi [Hj [Hu ->]]]]]]]. pose proof (proj2 (outlier_hessians n) i j x u Hi Hj). lra.
    + intros y H. apply H. exists 0%nat, 1%nat, (0 : line), (1 : line). rewrite !norm_line. unfold outlier_gradient.
      simpl. rewrite Rabs_R1. replace (1 * 1 - 0 * 1) with 1 by ring. rewrite Rabs_R1. repeat split; lia || lra.
Qed.
Example strong_convexity_inhabited : polyak 1 0 (fun x : line => x * x / 2) (fun x => x).
Proof.
  apply strong_convexity; [lra| |].
  - intros x u. rewrite sq_line. simpl. right. field.
  - intros e He. exists (0 : line). simpl. lra.
Qed.
Example data_within_inhabited : heterogeneous 2 (fun i => gradient 3 (fun _ => outlier_gradient i)) (2 * 1) /\
  heterogeneous 2 (fun i => gradient 3 (fun _ => outlier_gradient i)) 1.
Proof.
  assert (H : forall i k, lipschitz 1 (fun x => sub (outlier_gradient i x) (outlier_gradient k x))).
  { intros i k x y. rewrite !norm_line. unfold outlier_gradient. simpl.
    replace (apart i * x - apart k * x - (apart i * y - apart k * y)) with ((apart i - apart k) * (x - y)) by ring.
    rewrite Rabs_mult. pose proof (apart_bounds i). pose proof (apart_bounds k).
    assert (Rabs (apart i - apart k) <= 1) by (apply Rabs_le; lra). pose proof (Rabs_pos (x - y)). nra. }
  destruct (data_within 2 (fun _ => 3%nat) (fun i _ => outlier_gradient i) 1) as [A B]; [intros; lia|]. split.
  - apply A. intros i j Hi Hj. apply within_opposite. apply mean_within; [lia|]. intros k Hk.
    apply mean_within; [lia|]. intros l Hl. apply H.
  - apply B. intros. apply H.
Qed.
Example largest_deviation_inhabited : deviation 2 outlier_gradient (1 : line) <= 1 / 4.
Proof.
  apply (proj1 (largest_deviation 2 outlier_gradient (1 : line) ltac:(lia))). intros i Hi.
  assert (E : gradient 2 outlier_gradient (1 : line) = 1 / 2)
    by (unfold gradient, outlier_gradient; rewrite vsum_line; simpl; field).
  rewrite E, sq_line. unfold outlier_gradient. simpl. destruct i as [|i]; simpl; lra.
Qed.
Lemma c_small : 1 / 7 <= 1 / (1 + sqrt 30).
Proof.
  assert (sqrt 30 <= 6); [|unfold Rdiv; rewrite !Rmult_1_l; apply Rinv_le_contravar;
    [pose proof (sqrt_pos 30)|]; lra].
  replace 6 with (sqrt (6 * 6)) by (apply sqrt_square; lra). apply sqrt_le_1; lra.
Qed.
Example step_size_choice_inhabited : exists eta, 0 < eta /\ 0 <= 1 / (2 * eta) - 1 / 2
  - 15 * 2 ^ 9 * eta * 1 ^ 2 * 4 * Rpower (1 - eta * 1) (- (4 / 2 * 2)) / 2 ^ 2.
Proof.
  exists (1 / 7 * Rmin (1 / 1) (Rmin (2 / (Rpower 2 (9 / 2) * 1 * sqrt 4)) (2 / (1 * 2 * 4)))). split.
  - apply Rmult_lt_0_compat; [lra|]. repeat apply Rmin_glb_lt; try lra.
    apply Rmult_lt_0_compat; [lra|]. apply Rinv_0_lt_compat. repeat apply Rmult_lt_0_compat; try lra;
      [apply exp_pos|apply sqrt_lt_R0; lra].
  - apply (step_size_choice (1 / 7) 4 2 2 1 1 1); try lra. split; [lra|apply c_small].
Qed.
Example step_size_coefficient_inhabited : exists T3 : nat, exists eta, eta > 0 /\
  0 <= 1 / (2 * eta) - 1 / 2
    - sum T3 (fun i => let s := S i in / (1 - eta * 1 / 2) ^ ((s + 1) * 3)
        * (120 * 1 ^ 8 * 1 ^ 2 * eta * INR 3 ^ 2 / 1 + 32 * 1 ^ 10 * 1 ^ 2 * eta * INR 3 / (1 * 2)))
    - eta * sum 3 (fun i => let k := S i in / (1 - eta * 1 / 2) ^ (3 - k) * (4 * 1 ^ 2 * INR 3 + 4 * 1 ^ 2 * 1 ^ 2 /
      2)).
Proof.
  exists 4%nat. exists (1 / 27 * Rmin (1 / 1) (Rmin (1 / (Rpower 1 (9 / 2) * 1 * sqrt 4 * INR 3))
    (Rmin (1 * sqrt 2 / (Rpower 1 (11 / 2) * 1 * sqrt (4 * INR 3))) (Rmin (1 / (1 * 1 * 4 * INR 3))
    (Rmin (1 / (1 * INR 3)) (sqrt 2 / (1 * 1 * sqrt (INR 3)))))))). split.
  - assert (k : INR 3 = 3) by (simpl; lra). rewrite !k. pose proof (sqrt_lt_R0 2 ltac:(lra)).
    pose proof (sqrt_lt_R0 4 ltac:(lra)). pose proof (sqrt_lt_R0 3 ltac:(lra)). pose proof (sqrt_lt_R0 (4 * 3)
      ltac:(lra)).
    apply Rmult_lt_0_compat; [lra|]. repeat apply Rmin_glb_lt; try lra; apply Rmult_lt_0_compat; try lra;
      apply Rinv_0_lt_compat; repeat apply Rmult_lt_0_compat; try lra; apply exp_pos.
  - apply (step_size_coefficient (1 / 27) 4 1 2 1 1 1 1 1 3 4); try lra; [lia|]. simpl. lra.
Qed.
Example batch_size_condition_inhabited : 16 * 1 ^ 2 * 5 / (4 * 100) * (1 ^ 2 + 1 ^ 2 / (4 * 1 * 100)) <= 5 * 1 * 1 ^ 2
  / 4
  /\ 2 * 5 * 1 * 0 ^ 2 / 1 ^ 2 <= 5 * 1 * 1 ^ 2 / 4.
Proof.
  assert (sqrt 2 <= 2) by (replace 2 with (sqrt (2 * 2)) at 2 by (apply sqrt_square; lra); apply sqrt_le_1; lra).
  pose proof (sqrt_lt_R0 2 ltac:(lra)). apply (batch_size_condition 4 1 100 5 1 1 1 1 1 0); try lra.
  apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat. lra.
Qed.
Example linear_decay_inhabited n b x0 T : (2 <= n)%nat -> (1 <= b)%nat -> (b <= n)%nat ->
  let eta := pl_step_size n b 1 1 (/ INR n) / 2 in
  let run := sledge n b eta (fun _ => zero) outlier_gradient (sledge_start_II outlier_gradient x0) in
  Ex (sledge_history n b T) (fun past => objective n outlier (point (run past)) - 0)
  <= (1 - eta * / INR n) ^ T * (objective n outlier x0 - 0) + 0 * 0 / (eta * eta * / INR n).
Proof.
  intros Hn Hb Hbn eta run. pose proof (pl_step_size_pos n b 1 1 (/ INR n) Rlt_0_1) as P.
  pose proof (linear_decay n b outlier outlier_gradient 1 1 (/ INR n) 0 x0 0 eta Hb Hbn) as D.
  destruct D as [D _]; try lra.
  - apply Rinv_0_lt_compat, lt_0_INR. lia.
  - apply outlier_smooth.
  - apply outlier_heterogeneous.
  - apply outlier_polyak, Hn.
  - unfold eta. lra.
  - apply D. intros. rewrite norm_zero. lra.
Qed.
Example table_2_dominance_inhabited : 1 / (2 * 1 ^ 2) + 1 * sqrt 4 / (2 * 1 ^ 2) + 1 / 1 ^ 2
  <= 5 * (1 / 1 ^ 2 * Rpower (4 / 2) (2 / 3)).
Proof.
  assert (S : sqrt 4 = 2) by (replace 4 with (2 * 2) by ring; apply sqrt_square; lra).
  apply (table_2_dominance 4 2 2 1 1 1 1); try lra.
Qed.
