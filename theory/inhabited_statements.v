(* The other theorems that statements of the ledger are, each applied to numbers, so that none is about nothing: where
   a hypothesis remains it is on what was drawn. SLEDGE runs on the instance of instances.v with n = 4, b = 2, zeta = 1
   and no less; where a theorem asks for zeta = 0 all components are one. Nothing here is used elsewhere. *)
From Coq Require Import Reals Lra Lia PeanoNat List.
From Sledge Require Import vectors means minibatches algorithms problems instances second_moments.
From Sledge Require Import sledge_errors lemma_1_expectation theorem_2_expectation theorem_5_expectation.
From Sledge Require Import probability hoeffding azuma minibatch_tails coverage sledge_tails lemma_1 concentration azuma_jumps.
From Sledge Require Import theorem_2_probability theorem_2_option_I theorem_5_probability theorem_5_option_I.
From Sledge Require Import coupling lower_bound identities symmetries special_cases run_sums preliminaries pl_steps.
From Sledge Require Import steps tables replication bernstein undrawn auxiliary pair_errors bounded_differences.
From Sledge Require Import exact_steps inhabited_lower_bound inhabited_replication.
Import ListNotations.
Open Scope R_scope.

Lemma ln_below y c : 0 < y -> y <= 1 + c -> ln y <= c.
Proof.
  intros y0 H. rewrite <- (ln_exp c). destruct (Rle_lt_or_eq_dec y (exp c)) as [l| ->].
  - eapply Rle_trans; [exact H|apply exp_ineq1_le].
  - left. apply ln_increasing; assumption.
  - apply Rle_refl.
Qed.
(* A hypothesis that is met by the instance, or by numbers. *)
Ltac met := first
  [ assumption | lia | lra | apply Rle_refl
  | apply outlier_smooth | apply outlier_heterogeneous | apply outlier_infimum; lia | apply outlier_polyak; lia
  | (simpl; lra) | (unfold size, ind, members; simpl; lra) | (apply ln_below; simpl; lra)
  | (intros; rewrite norm_zero; lra)
  | (intros; simpl; (ring || lra || lia)) ].
Notation ok := ltac:(met) (only parsing).

Definition grad := outlier_gradient.
Definition quiet : list batch -> line := fun _ => zero.
Definition quiet_I : batch -> list batch -> line := fun _ _ => zero.
Definition x0 : line := 1.
Definition eta : R := 1 / 8.
Definition start_II := sledge_start_II grad x0.
(* Two minibatches of 2 of the 4 components. *)
Definition two : list batch := [members [0%nat; 1%nat]; members [1%nat; 2%nat]].

(* ---- Algorithms and identities ---- *)

Example error_identity_holds := @error_identity line 4 2 eta quiet grad start_II two.
Example efficient_rows_holds := @efficient_rows line 4 2 eta quiet grad start_II two 0.
Example efficient_mean_holds := @efficient_mean line 4 2 eta quiet grad start_II (members [0%nat; 1%nat]) two ok ok ok.
Example saga_error_holds := @saga_error line 4 2 eta grad x0 two (members [0%nat; 1%nat]).
Example sarah_error_holds := @sarah_error line 4 2 eta grad x0 [Some (members [0%nat; 1%nat]); None].
Example minibatch_law_holds := @minibatch_law 4 2 0 3 ok ok ok.
Example surrogate_unbiased_holds := @surrogate_unbiased 4 2 ok ok line (fun i => grad i x0) (1 : line) 2 3 ok ok ok.
Example undrawn_mean_holds := @undrawn_mean 4 2 ok ok 2 3 ok ok.
Example undrawn_given_later_holds := @undrawn_given_later 4 2 ok two.
Example undrawn_unrolled_holds := @undrawn_unrolled 4 2 ok ok 1 two ok ok.
Example full_batch_exact_holds past H :=
  @full_batch_exact line 4 eta quiet grad x0 start_II past ok (or_introl eq_refl) H.

(* All components are x^2/2. *)
Definition same (i : nat) (x : line) : line := x.
Lemma same_homogeneous n : heterogeneous n same 0.
Proof. intros i j _ _ x y. rewrite !norm_line. unfold same. simpl. replace (x - x - (y - y)) with 0 by ring. rewrite Rabs_R0. lra. Qed.
Example zero_heterogeneity_error_holds past H := @zero_heterogeneity_error line 4 2 eta quiet same
  (sledge_start_II grad x0) past ok ok (same_homogeneous 4) H.
Example zero_heterogeneity_exact_holds past H := @zero_heterogeneity_exact line 4 2 eta quiet same x0 past ok ok
  (same_homogeneous 4) H.

Example zero_heterogeneity_descent_holds past H := @zero_heterogeneity_descent line 4 2 same eta quiet x0 past ok ok
  (same_homogeneous 4) H.
Example error_contracts_holds := @error_contracts line 4 2 ok ok grad eta quiet two start_II (1 : line).
Example error_unbiased_II_holds := @error_unbiased_II line 4 2 ok ok grad eta quiet x0 3 (1 : line).
Example error_unbiased_I_holds := @error_unbiased_I line 4 2 ok ok grad eta quiet_I x0 3 (1 : line).
Example step_moments_holds := @step_moments line 4 2 ok ok grad eta quiet two start_II ok.
Example centred_minibatch_holds := @centred_minibatch line 4 2 ok ok grad 3 x0 (2 : line) (1 : line).
Example deviation_law_holds := @deviation_law 4 2 two ok ok.
Example three_terms_holds past H W := @three_terms line 4 2 ok ok grad eta quiet start_II past 3 H W.
Example error_everywhere_holds past H := @error_everywhere line 4 2 ok ok grad eta 1 quiet start_II ok past
  eq_refl H.
Example error_in_window_holds past H W := @error_in_window line 4 2 ok ok grad eta 1 quiet start_II ok
  ok past 3 2 eq_refl H W ok.
Example saga_target_holds := @saga_target line 4 2 grad eta quiet start_II two 0 (fun _ _ => ok).
Example changes_unbiased_holds := @changes_unbiased line 4 2 grad eta quiet start_II 2 3 (1 : line) ok ok ok.
Example split_by_means_holds := @split_by_means line 4 2 ok ok grad eta quiet start_II two 2.
Example first_rows_split_holds I0 H := @first_rows_split line 4 2 ok ok grad I0 x0 full H.
Example step_and_polarisation_holds := @step_and_polarisation line 4 2 grad eta quiet start_II (members [0%nat; 1%nat])
  two (1 : line) (2 : line).
Example saga_unbiased_holds := @saga_unbiased line 4 2 ok ok eta grad x0 two (1 : line).
Example sarah_contracts_holds := @sarah_contracts line 4 2 ok ok eta grad x0 [None] (1 : line).
Example sarah_zero_heterogeneity_holds past H := @sarah_zero_heterogeneity line 4 2 ok ok eta same x0 past
  (same_homogeneous 4) H.
Example phases_holds := phases 3 2 1 INR ok.

(* ---- Symmetries ---- *)

Lemma quadratic_gradient (f : line -> R) (df : line -> line) a s d :
  (forall x, f x = a * (x * x) / 2 + s * x + d) -> (forall x, df x = a * x + s) -> is_gradient f df.
Proof.
  intros F G x u t. rewrite G. simpl in *. apply (derivable_pt_lim_ext (fun t => a * (x * x) / 2 + s * x + d
    + ((a * x + s) * u * t + a / 2 * u * u * (t * t)))).
  - intro r. rewrite F. field.
  - replace ((a * (x + t * u) + s) * u) with (0 + ((a * x + s) * u * 1 + a / 2 * u * u * (1 * t + t * 1))) by field.
    apply derivable_pt_lim_plus; [apply derivable_pt_lim_const|].
    apply derivable_pt_lim_plus; apply derivable_pt_lim_scal; [apply derivable_pt_lim_id|].
    apply (derivable_pt_lim_mult id id t 1 1); apply derivable_pt_lim_id.
Qed.
Ltac gradient a s d := let i := fresh in intro i; intros; apply (quadratic_gradient _ _ (a i) (s i) (d i));
  intro; unfold outlier, grad, outlier_gradient; simpl; field.
(* The components moved by 3, turned round, and twice as large. *)
Definition moved_outlier i (x : line) : R := outlier i (sub x (3 : line)).
Definition moved_gradient i (x : line) : line := apart i * (x - 3).
Lemma moved_is_gradient i : is_gradient (moved_outlier i) (moved_gradient i).
Proof.
  apply (quadratic_gradient _ _ (apart i) (-3 * apart i) (9 / 2 * apart i)); intro x;
    unfold moved_outlier, moved_gradient, outlier; simpl; field.
Qed.
Example sledge_translation_holds := @sledge_translation line 4 2 eta quiet outlier moved_outlier grad moved_gradient
  (fun i _ => outlier_is_gradient i) (fun i _ => moved_is_gradient i) x0 None two (3 : line) (fun _ _ _ => eq_refl).
Definition minus (x : line) : line := - x.
Lemma minus_orthogonal : orthogonal minus minus.
Proof. unfold orthogonal, minus. simpl. repeat split; intros; ring. Qed.
Lemma turned_is_gradient i : is_gradient (fun x => moved_outlier i (minus x)) (fun x => apart i * (x + 3)).
Proof.
  apply (quadratic_gradient _ _ (apart i) (3 * apart i) (9 / 2 * apart i)); intro x;
    unfold moved_outlier, minus, outlier; simpl; field.
Qed.
Example sledge_rotation_holds := @sledge_rotation line 4 2 eta quiet moved_outlier _ moved_gradient _
  (fun i _ => moved_is_gradient i) (fun i _ => turned_is_gradient i) x0 (Some (members [0%nat; 1%nat])) two minus minus
  minus_orthogonal (fun _ _ _ => eq_refl).
Lemma twice_is_gradient i : is_gradient (fun x => 2 * outlier i x) (fun x => 2 * grad i x).
Proof.
  apply (quadratic_gradient _ _ (2 * apart i) 0 0); intro x; unfold outlier, grad, outlier_gradient; simpl; field.
Qed.
Example sledge_scaling_holds := @sledge_scaling line 4 2 eta quiet outlier _ grad _
  (fun i _ => outlier_is_gradient i) (fun i _ => twice_is_gradient i) x0 None two 2 ok (fun _ _ _ => eq_refl).
(* The first two components change their places. *)
Definition swap (i : nat) : nat := match i with 0%nat => 1%nat | 1%nat => 0%nat | _ => i end.
Lemma swap_renames n : (2 <= n)%nat -> renames n swap swap.
Proof. intros Hn i Hi. destruct i as [|[|i]]; simpl; repeat split; lia. Qed.
Example sledge_relabelling_holds := @sledge_relabelling line 4 2 eta quiet quiet grad (fun i => grad (swap i)) swap swap
  (swap_renames 4 ok) (fun _ _ _ => eq_refl) (fun _ => eq_refl) x0 None two.

(* ---- Laws and tails ---- *)

(* A walk: one step up or down, each half of the time. *)
Definition step (o : nat) : line := match o with 0%nat => 1 | _ => -1 end.
Definition coin (_ : list nat) : mean nat := index 2.
Fixpoint walk (past : list nat) : line := match past with [] => 0 | o :: before => walk before + step o end.
Lemma step_mean (u : line) : Ex (index 2) (fun o => ip u (step o)) = 0.
Proof. unfold index. rewrite average_is by discriminate. simpl. field. Qed.
Lemma step_norm o : norm (step o) = 1.
Proof. rewrite norm_line. destruct o; simpl; unfold Rabs; destruct (Rcase_abs _); lra. Qed.
Lemma steps_apart o o' : norm (sub (step o) (step o')) <= 2.
Proof. rewrite norm_line. destruct o, o'; simpl; apply Rabs_le; lra. Qed.
Example azuma_adaptive_holds := @azuma_adaptive line nat coin walk (fun past => 4 * INR (length past)) (fun _ => 1)
  (fun _ => 2) (fun _ => step) 3 (1 / 2) ok ok eq_refl ltac:(simpl; ring) (fun _ => ltac:(lra))
  (fun _ _ _ => step_mean) (fun _ _ _ o o' _ _ => steps_apart o o') ltac:(intros; simpl; ring)
  ltac:(intros; cbn [length]; rewrite S_INR; ring).
Example azuma_vectors_holds := @azuma_vectors line nat coin (fun _ => step) (fun _ => 1) 3 (1 / 2) ok ok
  (fun _ => ltac:(lra)) (fun _ _ _ => step_mean) (fun _ _ _ o _ => Req_le _ _ (step_norm o)).
(* Three steps down and one leap of 3, each a quarter of the time: longer than 1 is the leap alone. *)
Definition leap (o : nat) : line := match o with 0%nat => 3 | _ => -1 end.
Lemma leap_is_far o : exceeds 1 (norm (leap o)) = Nat.eqb o 0.
Proof. rewrite norm_line. unfold exceeds. destruct o; simpl; unfold Rabs; destruct (Rcase_abs _), (Rlt_dec _ _); lra || reflexivity. Qed.
Lemma leap_mean (u : line) : Ex (index 4) (fun o => ip u (leap o)) = 0.
Proof. unfold index. rewrite average_is by discriminate. simpl. field. Qed.
Lemma leap_cut (u : line) : Ex (index 4) (fun o => if exceeds 1 (norm (leap o)) then 0 else ip u (leap o)) = ip u (- (3 / 4)).
Proof.
  rewrite (Ex_ext _ _ (fun o => if Nat.eqb o 0 then 0 else ip u (leap o))) by (intros; rewrite leap_is_far; reflexivity).
  unfold index. rewrite average_is by discriminate. simpl. field.
Qed.
Lemma leap_rare : probability (index 4) (fun o => exceeds 1 (norm (leap o))) <= 1 / 4.
Proof.
  unfold probability. rewrite (Ex_ext _ _ (fun o => if Nat.eqb o 0 then 1 else 0)) by (intros; rewrite leap_is_far; reflexivity).
  unfold index. rewrite average_is by discriminate. simpl. lra.
Qed.
Lemma leap_bounded o : norm (leap o) <= 3.
Proof. rewrite norm_line. destruct o; simpl; apply Rabs_le; lra. Qed.
Example azuma_jumps_holds := @azuma_jumps line nat (fun _ => index 4) (fun _ => leap) (fun _ => 1) (fun _ => 1 / 4) (fun _ => 3)
  (fun _ => - (3 / 4)) (fun _ => Rle_0_1) (fun _ _ _ => leap_mean) (fun _ _ _ => leap_rare) (fun _ _ _ o _ => leap_bounded o)
  (fun _ _ _ => leap_cut) 3 (1 / 2) ok ok.
Example azuma_high_probability_holds := @azuma_high_probability line nat (fun _ => index 4) (fun _ => leap) (fun _ => 1)
  (fun _ => 1 / 4) (fun _ => 3) (fun _ => - (3 / 4)) (fun _ => Rle_0_1) (fun _ _ _ => leap_mean) (fun _ _ _ => leap_rare)
  (fun _ _ _ o _ => leap_bounded o) (fun _ _ _ => leap_cut) 3 3 1 1 1 1 1 (1 / 2) ok ok ok ok ok ok ok ltac:(simpl; lra).
Example coverage_printed_holds := @coverage_printed 4 2 1 14 ok ok 7 (1 / 2) ok ok ok ok ok.
Example coverage_sharper_holds := @coverage_sharper 4 2 1 22 ok ok 11 (1 / 2) ok ok ok ok.
Example deviation_tail_holds := @deviation_tail 4 2 1 1 1 1 ok ok ok ok ok ok (1 / 2) 3 ok two ok.
(* 1, -1, 1, -1: their sum is 0. *)
Definition four (i : nat) : line := step (if Nat.even i then 0%nat else 1%nat).
Lemma four_norm i : (i < 4)%nat -> norm (four i) <= 1.
Proof. intros _. right. apply step_norm. Qed.
Lemma four_sum : vsum 4 four = zero.
Proof. rewrite vsum_line. unfold four. simpl. ring. Qed.
Lemma four_squares : sum 4 (fun i => sq (four i)) <= INR 4 * 1.
Proof. unfold four, sq. simpl. lra. Qed.
Example noreplace_bernstein_holds := @noreplace_bernstein line 4 2 ok ok four 1 1 four_sum four_norm four_squares
  (1 / 2) ok.
Example noreplace_hoeffding_holds := @noreplace_hoeffding line 4 2 four 2 (1 / 2) ok ok ok ok four_sum
  (fun i j _ _ => steps_apart _ _).
Example noreplace_norm_holds := @noreplace_norm line 4 2 four 2 (1 / 2) ok ok ok ok four_sum
  (fun i j _ _ => steps_apart _ _).
Example deviation_tail_sharper_holds := deviation_tail_sharper 4 2 two (1 / 2) ok ok ok.
Example noreplace_increment_variance_holds := @noreplace_increment_variance line 4 2 1 four 1 (members [0%nat]) four_sum
  four_squares ok ok ok.
Example scaled_sum_martingale_holds := @scaled_sum_martingale line 4 1 four (members [0%nat]) (1 : line) ok ok.

(* ---- Lemma 1 and the lemmas behind it ---- *)

Notation outlier_4 := (outlier_heterogeneous 4).
Notation smooth_4 := (outlier_smooth 4).
Notation infimum_4 := (outlier_infimum 4 ltac:(lia)).
Notation polyak_4 := (outlier_polyak 4 ltac:(lia)).
Lemma quiet_norm past : norm (quiet past) <= 0.
Proof. unfold quiet. rewrite norm_zero. lra. Qed.
Lemma quiet_I_norm I past : norm (quiet_I I past) <= 0.
Proof. apply quiet_norm. Qed.
Example sledge_errors_I_holds := @sledge_errors_I line 4 2 ok ok grad 1 outlier_4 eta x0 5 quiet_I.
Example lemma_1_option_I_expectation_holds := @lemma_1_option_I_expectation line 4 2 ok ok grad 1 outlier_4 eta quiet_I
  x0 5.
Example lemma_1_adaptive_holds := @lemma_1_adaptive line 4 2 ok ok grad 1 ok outlier_4 eta quiet x0 5 (1 / 2) ok ok.
Example lemma_1_second_power_holds := @lemma_1_second_power line 4 2 ok ok grad 1 ok outlier_4 eta quiet x0 5 78 (1 / 2)
  39 ok ok ok ok ok ok.
Lemma horizon c : 0 <= c -> c <= INR (ceiling c) <= c + 1.
Proof. intro H. split; [apply ceiling_above|]. left. apply ceiling_below, H. Qed.
Lemma log_pos y : 1 <= y -> 0 <= ln y.
Proof. intro H. rewrite <- ln_1. destruct (Req_dec y 1) as [-> |n]; [lra|]. left. apply ln_increasing; lra. Qed.
Definition informal_horizon : R := INR 4 / INR 2 * ln (3 * INR 4 * INR 5 / (1 / 2)).
Lemma informal_horizon_pos : 0 <= informal_horizon.
Proof. unfold informal_horizon. apply Rmult_le_pos; [simpl; lra|]. apply log_pos. simpl. lra. Qed.
Example lemma_1_informal_holds := @lemma_1_informal line 4 2 ok ok grad 1 ok outlier_4 eta quiet x0 5
  (ceiling informal_horizon) (1 / 2) ok ok (proj1 (horizon _ informal_horizon_pos))
  (proj2 (horizon _ informal_horizon_pos)).
(* The logarithm with all sizes in it, with n = 4, P = d = K = 1, T = 5, nu = 1/2. *)
Notation big_log := (log_all (1 / 2) 4 1 1 5 1).
Lemma big_log_pos : 0 <= big_log.
Proof. unfold log_all. apply log_pos. simpl. lra. Qed.
Definition window (c : R) : R := INR 4 / INR 2 * (c * big_log).
Lemma window_pos c : 0 <= c -> 0 <= window c.
Proof.
  intro H. unfold window. apply Rmult_le_pos; [simpl; lra|]. apply Rmult_le_pos; [exact H|apply big_log_pos].
Qed.
Lemma window_10 : 0 <= window 10.
Proof. apply window_pos. lra. Qed.
Example lemma_17_holds := @lemma_17 line 4 2 1 1 5 1 ok ok ok ok ok ok (1 / 2) 3 ok grad 1 ok outlier_4 eta quiet start_II
  0 ok (window_pos 3 ltac:(lra)).
Example undrawn_sample_holds := @undrawn_sample line 4 2 1 1 5 1 ok ok ok ok ok ok (1 / 2) 3 ok grad 1 ok outlier_4 eta
  quiet start_II 1 4 ok ok ok.
Example step_bound_holds := @step_bound line 4 2 1 1 5 1 ok ok ok ok ok ok (1 / 2) 7 ok grad 1 ok outlier_4 eta quiet
  start_II 1 4 ok ok ok.
Example weighted_sum_holds := @weighted_sum line 4 2 1 1 5 1 ok ok ok ok ok ok (1 / 2) 3 ok grad 1 ok outlier_4 eta quiet
  start_II 3 ok ok.
(* The gradients at x^0 are 1 and 0, 0, 0. *)
Lemma outlier_deviation : deviation 4 grad x0 <= 1 ^ 2.
Proof.
  unfold deviation, gradient. rewrite vsum_line. unfold grad, outlier_gradient, sq, x0. simpl. lra.
Qed.
Lemma outlier_largest i : (i < 4)%nat -> norm (sub (grad i x0) (gradient 4 grad x0)) <= 1.
Proof.
  intros _. unfold gradient. rewrite vsum_line, norm_line. unfold grad, outlier_gradient, x0.
  pose proof (apart_bounds i). simpl. apply Rabs_le. lra.
Qed.
Lemma outlier_spread i j : (i < 4)%nat -> (j < 4)%nat -> norm (sub (grad i x0) (grad j x0)) <= 1.
Proof.
  intros _ _. rewrite norm_line. unfold grad, outlier_gradient, x0. pose proof (apart_bounds i).
  pose proof (apart_bounds j). simpl. apply Rabs_le. lra.
Qed.
Example lemma_1_option_I_holds := @lemma_1_option_I line 4 2 1 1 5 1 ok ok ok ok ok ok (1 / 2) 10 ok grad 1 ok outlier_4
  eta x0 1 1 outlier_deviation outlier_largest quiet_I (ceiling (window 10)) ok (proj1 (horizon _ window_10))
  (proj2 (horizon _ window_10)).
Example gradient_difference_holds := @gradient_difference line 4 grad 1 0 (0 : line) (1 : line) ok outlier_4.
(* mean gradient x/4, and the deviations of the components from it *)
Definition apart_from_mean (i : nat) (x : line) : line := (apart i - / 4) * x.
Example error_scales_holds := @error_scales line 4 2 eta ok (fun x : line => / 4 * x : line) apart_from_mean
  ltac:(intro; rewrite vsum_line; unfold apart_from_mean; simpl; field) x0 quiet quiet 2 [] ok (Forall_nil _) ok
  ltac:(intro k; rewrite skipn_nil; reflexivity).

(* ---- Theorems 2 and 5 ---- *)

Example first_sum_holds := @first_sum line 4 2 eta quiet outlier grad 1 0 start_II two ok smooth_4 ltac:(unfold eta; lra)
  quiet_norm.
Example theorem_2_option_II_rate_holds := @theorem_2_option_II_rate line 4 2 ok ok outlier grad 1 1 0 ok ok smooth_4
  infimum_4 outlier_4 0 x0 quiet 5 quiet_norm ok.
Example theorem_2_option_I_rate_holds := @theorem_2_option_I_rate line 4 2 ok ok outlier grad 1 1 0 ok ok smooth_4
  infimum_4 outlier_4 0 x0 quiet_I 5 quiet_I_norm ok.
Example theorem_2_option_II_gradients_holds := @theorem_2_option_II_gradients line 4 2 ok ok outlier 1 1 0 ok ok infimum_4
  x0 (1 / 2) ok.
Example theorem_5_option_II_rate_holds := @theorem_5_option_II_rate line 4 2 ok ok outlier grad 1 1 (/ INR 4) 0 ok ok ok
  smooth_4 outlier_4 polyak_4 0 x0 quiet 5 quiet_norm.
Example theorem_5_option_I_rate_holds := @theorem_5_option_I_rate line 4 2 ok ok outlier grad 1 1 (/ INR 4) 0 ok ok ok
  smooth_4 outlier_4 polyak_4 0 x0 quiet_I 5 quiet_I_norm.
Example theorem_5_option_II_gradients_holds := @theorem_5_option_II_gradients line 4 2 ok ok outlier 1 1 (/ INR 4) 0 ok ok
  x0 (1 / 2) ok.
(* An accuracy that a few steps reach. *)
Lemma over_square a e : 0 <= a -> a + 1 <= e -> a / (e * e) <= 1.
Proof.
  intros a0 H. apply Rmult_le_reg_r with (e * e); [nra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by nra. nra.
Qed.
Notation high_4 := (high_step_size 4 2 5 1 1 (1 / 2)).
Notation gap_4 := (objective 4 outlier x0 - 0).
Lemma high_4_pos : 0 < high_4.
Proof. apply (high_step_size_bounds 4 2 ok ok 1 1 ok ok 5 (1 / 2)). lra. Qed.
Lemma gap_4_nonneg : 0 <= gap_4.
Proof. pose proof (infimum_4 x0). lra. Qed.
Definition reached_4 : R := 4 * gap_4 / high_4 + 1.
Lemma reached_4_pos : 0 < reached_4.
Proof.
  unfold reached_4. pose proof high_4_pos. pose proof gap_4_nonneg.
  assert (0 <= 4 * gap_4 / high_4); [|lra]. apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat. assumption.
Qed.
Lemma reached_4_enough : 4 * gap_4 / (high_4 * (reached_4 * reached_4)) <= INR 5.
Proof.
  pose proof high_4_pos. pose proof reached_4_pos. pose proof gap_4_nonneg.
  apply Rle_trans with 1; [|simpl; lra].
  replace (4 * gap_4 / (high_4 * (reached_4 * reached_4))) with (4 * gap_4 / high_4 / (reached_4 * reached_4))
    by (field; split; apply Rgt_not_eq; assumption).
  apply over_square; [|unfold reached_4; lra]. apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat. assumption.
Qed.
Example theorem_2_option_II_stationary_holds := @theorem_2_option_II_stationary line 4 2 ok ok outlier grad 1 1 0 ok ok
  smooth_4 infimum_4 outlier_4 x0 5 (1 / 2) reached_4 0 ok ok ok quiet quiet_norm reached_4_pos
  ltac:(pose proof high_4_pos; pose proof reached_4_pos; unfold Rdiv; repeat apply Rmult_le_pos; lra) reached_4_enough.
(* What k steps reach under the PL condition. *)
Definition after (k : nat) (eta mu gap : R) : R := 3 / 2 * gap * exp (- (eta * mu * INR k)).
Lemma steps_after k eta mu gap : 0 < eta -> 0 < mu -> 0 < gap ->
  (pl_steps eta mu gap (after k eta mu gap) <= k)%nat.
Proof.
  intros e0 m0 g0. unfold pl_steps, after. set (x := eta * mu * INR k). pose proof (exp_pos (- x)).
  replace (3 / 2 * gap / (3 / 2 * gap * exp (- x))) with (exp x)
    by (rewrite exp_Ropp; pose proof (exp_pos x); field; lra).
  rewrite ln_exp. replace (x / (eta * mu)) with (INR k) by (unfold x; field; lra).
  pose proof (ceiling_below (INR k) (pos_INR k)) as B. rewrite <- S_INR in B. apply INR_lt in B. lia.
Qed.
Lemma after_pos k eta mu gap : 0 < gap -> 0 < after k eta mu gap.
Proof. intro g. unfold after. apply Rmult_lt_0_compat; [lra|apply exp_pos]. Qed.
Notation quarter := (/ INR 4).
Lemma quarter_pos : 0 < quarter.
Proof. simpl. lra. Qed.
Lemma gap_4_pos : 0 < gap_4.
Proof. rewrite outlier_objective by lia. unfold x0. simpl. lra. Qed.
Notation pl_high_4 := (pl_high_step_size 4 2 5 1 1 quarter (1 / 2)).
Lemma pl_high_4_pos : 0 < pl_high_4.
Proof. apply (pl_high_bounds 4 2 ok ok 1 1 quarter ok ok 5 (1 / 2)). lra. Qed.
Example theorem_5_option_II_reached_holds := @theorem_5_option_II_reached line 4 2 ok ok outlier grad 1 1 quarter 0 ok ok
  quarter_pos smooth_4 infimum_4 outlier_4 polyak_4 x0 5 (1 / 2) 0 ok ok quiet quiet_norm
  (after 5 pl_high_4 quarter gap_4) (after_pos 5 pl_high_4 quarter _ gap_4_pos) ok
  (Rmult_le_pos _ _ (Rlt_le _ _ pl_high_4_pos) (sqrt_pos _))
  (steps_after 5 _ _ _ pl_high_4_pos quarter_pos gap_4_pos).
Notation pl_high_I_4 := (pl_high_step_size_I 4 2 5 1 1 quarter (1 / 2)).
Lemma pl_high_I_4_pos : 0 < pl_high_I_4.
Proof. apply (pl_high_bounds_I 4 2 ok ok 1 1 quarter ok ok 5 (1 / 2)). lra. Qed.
Notation gap_I_4 := (gap_4 + pl_start_term 4 2 5 pl_high_I_4 (1 / 2) 1).
Lemma gap_I_4_pos : 0 < gap_I_4.
Proof.
  pose proof gap_4_pos. pose proof pl_high_I_4_pos. pose proof (log_factor_pos 4 2 ok ok 5 (1 / 2) ltac:(lra)) as C.
  assert (0 <= pl_start_term 4 2 5 pl_high_I_4 (1 / 2) 1); [|lra]. unfold pl_start_term.
  apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [|lra]. apply Rmult_le_pos.
  - apply Rmult_le_pos; [lra|apply Rle_0_sqr].
  - assert (0 <= (1 + log_factor 4 2 5 (1 / 2)) / INR 2); [|simpl; lra].
    apply Rmult_le_pos; [lra|]. simpl. lra.
Qed.
Example theorem_5_option_I_reached_holds := @theorem_5_option_I_reached line 4 2 ok ok outlier grad 1 1 quarter 0 ok ok
  quarter_pos smooth_4 infimum_4 outlier_4 polyak_4 x0 1 5 (1 / 2) 0 ok outlier_spread ok ok quiet_I quiet_I_norm
  (after 5 pl_high_I_4 quarter gap_I_4) (after_pos 5 pl_high_I_4 quarter _ gap_I_4_pos) ok
  (Rmult_le_pos _ _ (Rlt_le _ _ pl_high_I_4_pos) (sqrt_pos _))
  (steps_after 5 _ _ _ pl_high_I_4_pos quarter_pos gap_I_4_pos).

(* ---- Steps of proofs ---- *)

Example noise_term_holds := @noise_term (1 / 2) 1 0 3 5 ok ok ok ok ok
  ltac:(apply Rmult_le_pos; [lra|apply sqrt_pos]).
(* noise_term with noise: eta = mu = 1, eps = 3, r = 1 *)
Example noise_term_holds_with_noise := @noise_term 1 1 1 3 5 ok ok ok ok ok
  ltac:(replace (3 * 1 / 3) with 1 by field; rewrite sqrt_1; lra).
(* it only says that a constant is there *)
Example initial_term_horizon_holds : exists c, 0 < c /\ forall T : nat, c * (1 / (1 / 2 * 1) * Rmax 1 (ln (1 / (1 / 2)))) <= INR T ->
  (1 - 1 / 2 * 1) ^ T * 1 < 1 / 2 / 3.
Proof.
  destruct initial_term_horizon as [c [c0 H]]. exists c. split; [exact c0|]. intro T. apply H; lra.
Qed.
(* a point that has gone 3 to the right, and stays *)
Definition gone (s : nat) : line := match s with 0%nat => 0 | _ => 3 end.
Example phase_length_holds := @phase_length line gone 0 2 0 1 2 ok ok ok ok ok
  ltac:(rewrite norm_line; unfold gone; simpl; rewrite Rabs_right; lra).
Example variance_inserted_holds := @variance_inserted 4 2 5 4 2 1 1 1 (1 / 8) 1 0 1 0 ok ok ok ok ok ok ok
  (fun _ => 0) (fun _ => 0) (fun _ => 0) ok ltac:(simpl; lra).
Definition half (u : line) : line := - (1 / 2) * u.
Lemma half_symmetric : @symmetric line half.
Proof. intros u w. unfold half. simpl. ring. Qed.
Example eigen_power_bound_holds := @eigen_power_bound line half (- (1 / 2)) half_symmetric
  ltac:(intro u; unfold half, sq; simpl; lra) ltac:(intro u; unfold half, sq; simpl; nra) ltac:(lra) 3 (1 : line).
Example induction_operator_norm_holds := @induction_operator_norm line half (1 / 8) (1 / 2) 1 half_symmetric ok ok
  ltac:(intro u; unfold half, sq; simpl; lra) ltac:(intro u; unfold half, sq; simpl; nra).
Lemma one_norm : norm (1 : line) = 1.
Proof. rewrite norm_line. apply Rabs_R1. Qed.
Example induction_reduction_holds := @induction_reduction line (1 : line) (1 / 2 : line) 2 1 one_norm ok ok
  ltac:(rewrite norm_line, Rabs_right; lra).
Example data_apart_holds := @data_apart 2 1 3 ok ok ok.
Example variance_of_clients_holds := @variance_of_clients 2 ok.
Example table_1_second_order_holds := @table_1_second_order 4 1 (1 / 2) (1 / 2) ok ok.

(* ---- The pair of runs ---- *)

Definition kick : line := 1 / 10 * 1.
Example pair_before_holds := @pair_before line 4 2 grad eta quiet start_II 1 kick ok [] ok.
Example pair_kick_holds := @pair_kick line 4 2 grad eta quiet start_II 1 kick ok [members [0%nat; 1%nat]] ok.
Example kick_difference_holds := @kick_difference line 4 2 grad eta quiet start_II 1 (1 : line) (1 / 10) 1 0
  [members [0%nat; 1%nat]] ok ok outlier_4 ok one_norm ok.
Example pair_error_unrolled_holds past H := @pair_error_unrolled line 4 2 grad eta quiet start_II 1 kick ok 3 past ok ok H.
Example pair_unrolled_holds := @pair_unrolled line 4 2 grad eta quiet start_II 1 kick ok (fun u : line => / 4 * u : line)
  ltac:(intros; simpl; ring) ltac:(intros; simpl; ring) (- / 4) (1 / 10) (1 : line) 1 two ltac:(simpl; ring)
  eq_refl eq_refl.

(* ---- The lower bound ---- *)

Example chain_queries_holds query H := @chain_queries (euclid (2 * 3)) (chain_axis 2 3) (chain_gradient 2 3)
  (chain_zero_chains 2 3 ok) query (descent eta (chain_gradient 2 3) query) (fun _ _ => ip_zero _)
  (descent_in_span eta _ query) 2 3 12 ok H.
(* Coordinates of the chains that no query has been able to reach. *)
Example copies_need_holds := @copies_need line (bowl_gradient 1) 3 ok (1 / 2) (1 : line) 1 bowl_needs.
Example span_reaches_holds query t c : ~ (snd c < asked (fst c) (queries query t))%nat ->
  ip (descent eta (chain_gradient 2 3) query t) (chain_axis 2 3 (fst c) (snd c)) = 0.
Proof.
  apply (@span_reaches (euclid (2 * 3)) (nat * nat) (fun c => chain_axis 2 3 (fst c) (snd c)) (chain_gradient 2 3)
    (fun h c => (snd c < asked (fst c) h)%nat)).
  - intros k h [a c'] Hc. cbn [asked fst snd] in *. destruct (k =? a)%nat; lia.
  - intros k h u W [a c'] N. cbn [fst snd] in *. apply (chain_zero_chains 2 3 ok k u (fun i => asked i h)).
    + intros a' j Hj. apply (W (a', j)). cbn [fst snd]. lia.
    + cbn [asked] in N. destruct (Nat.eqb_spec a k) as [->|Ne].
      * rewrite Nat.eqb_refl in N. lia.
      * rewrite (proj2 (Nat.eqb_neq k a)) in N by congruence. lia.
  - intros [a c'] _. apply ip_zero.
  - apply descent_in_span.
Qed.
