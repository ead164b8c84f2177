(* On what the main theorems rest: nothing but the axioms of the classical reals of Rocq's library
   (ClassicalDedekindReals.sig_forall_dec and sig_not_dec, functional extensionality, and, through
   the mean value theorem, the excluded middle). build.sh refuses any other. They are asked about
   together, which takes a fiftieth of the time; record.json says it of each theorem. *)
From Sledge Require Import minibatches algorithms exact_means problems second_moments sledge_errors lemma_1_expectation.
From Sledge Require Import theorem_2_expectation theorem_5_expectation inhabited.
From Sledge Require Import fledge_sampling fledge_errors theorem_6_expectation theorem_8_expectation.
From Sledge Require Import theorem_6_probability fledge_tails theorem_6_high_probability theorem_8_high_probability fledge_local fledge_start
  fledge_fresh fledge_changes fledge_variance bounded_differences fledge_differences.
From Sledge Require Import theorem_6_option_I theorem_8_option_I inhabited_fledge.
From Sledge Require Import probability hoeffding azuma minibatch_tails coverage lemma_1 concentration azuma_jumps.
From Sledge Require Import theorem_2_probability theorem_2_option_I theorem_5_probability theorem_5_option_I.
From Sledge Require Import inhabited_probability coupling lower_bound inhabited_lower_bound.
From Sledge Require Import identities symmetries special_cases run_sums preliminaries pl_steps tables inhabited_steps.
From Sledge Require Import bernstein undrawn auxiliary theorem_2_printed theorem_2_orders inhabited_auxiliary.
From Sledge Require Import formal_listing replication inhabited_replication.
From Sledge Require Import theorem_5_printed theorem_5_orders theorem_6_printed theorem_6_orders theorem_8_printed pair_errors inhabited_printed.
From Sledge Require Import exact_steps fledge_exact.

Definition main_theorems :=
  (@uniform_is_draws, @sledge_morphism, @fledge_morphism, @sledge_law, @fledge_law,
   @lipschitz_below_quadratic, @error_moment,
   @rows_moment, @sledge_errors_II, @sledge_errors_I, @lemma_1_option_II_expectation,
   @lemma_1_option_I_expectation, @descent_lemma, @theorem_2_option_II_expectation,
   @theorem_2_option_I_expectation, @theorem_2_option_II_gradients, @theorem_2_option_II_probability,
   @theorem_5_option_II_expectation, @theorem_5_option_I_expectation, @theorem_5_option_II_gradients,
   @theorem_5_option_II_probability, @refresh_moment, @fledge_errors_II, @fledge_errors_I, @theorem_6_rate,
   @theorem_6_option_II_expectation, @theorem_6_option_I_expectation, @theorem_6_option_II_vectors,
   @theorem_8_option_II_expectation, @theorem_8_option_II_rounds, @theorem_8_option_I_expectation,
   @theorem_8_option_I_rounds, @theorem_6_option_II_probability, @theorem_6_option_I_probability,
   @theorem_8_option_II_probability, @theorem_8_option_I_probability, @fledge_tail, @fledge_good_event,
   @theorem_6_option_II_high_probability, @theorem_6_option_II_met, @theorem_6_high_probability_inhabited,
   @theorem_6_option_I_high_probability, @theorem_8_option_I_high_probability,
   @theorem_8_option_II_high_probability, @theorem_8_high_probability_inhabited,
   @theorem_2_option_II_inhabited, @theorem_5_option_I_inhabited, @theorem_6_option_II_inhabited,
   @theorem_6_option_I_inhabited, @theorem_6_probability_inhabited, @theorem_8_option_II_inhabited,
   @theorem_8_option_I_probability_inhabited, @maximal_inequality, @hoeffding, @azuma_adaptive, @minibatch_step,
   @coverage, @lemma_1_adaptive, @lemma_1_second_power, @lemma_1_eight, @lemma_1_printed, @azuma_vectors, @azuma_jumps, @azuma_high_probability,
   @noreplace_hoeffding, @hypergeometric_count, @lemma_1_adaptive_option_I, @errors_discounted,
   @theorem_2_option_II_high_probability, @theorem_2_option_II_stationary,
   @theorem_2_option_I_high_probability, @theorem_5_option_II_high_probability, @theorem_5_option_II_reached,
   @theorem_5_option_I_high_probability, @theorem_5_option_I_reached, @lemma_1_printed_inhabited,
   @lemma_1_option_I_inhabited, @theorem_2_probability_inhabited, @theorem_2_option_I_probability_inhabited,
   @theorem_5_probability_inhabited, @theorem_5_option_I_probability_inhabited,
   @pair_before, @pair_kick, @pair_unrolled, @pair_quadratic, @pair_inhabited, @span_reaches, @chain_reached,
   @chain_queries, @relay_reached, @chain_inhabited, @relay_inhabited, @error_identity,
   @zero_heterogeneity_error, @full_batch_exact, @surrogate_unbiased, @scaled_sum_martingale, @sledge_rotation,
   @sledge_relabelling, @fledge_rotation, @fledge_relabelling, @fledge_is_sledge, @fledge_zero_heterogeneity,
   @fledge_full_participation, @saga_error, @sarah_error, @first_sum, @phase_length,
   @gradient_difference, @gradient_difference_printed, @hessians_alike, @kick_difference, @noise_term, @hessian_distance, @hessian_range,
   @strong_convexity, @hessian_range_inhabited, @strong_convexity_inhabited, @data_apart, @data_within,
   @variance_of_clients, @largest_deviation, @data_within_inhabited, @largest_deviation_inhabited,
   @step_size_choice, @initial_term_horizon, @batch_size_condition, @step_size_coefficient, @linear_decay,
   @table_1_second_order, @table_2_dominance, @hessian_distance_inhabited, @hessians_alike_inhabited,
   @gradient_difference_printed_inhabited, @linear_decay_inhabited,
   @vector_bernstein, @noreplace_bernstein, @left_out_given_size, @lemma_17, @lemma_18, @lemma_19, @lemma_24_option_II,
   @lemma_24_option_I, @lemma_24_second_power, @lemma_25, @lemma_25_second_power, @lemma_25_sharper, @mean_weights, @second_part,
   @mean_weights_sharper, @one_round_changes, @lemma_26, @lemma_26_option_I, @lemma_27, @lemma_27_option_II, @local_tail, @lemma_28, @one_local_step, @local_steps, @lemma_1_option_I,
   @lemma_1_informal, @first_sum_with_variance, @vector_bernstein_inhabited, @lemma_18_inhabited, @lemma_19_inhabited,
   @first_sum_with_variance_inhabited,
   @theorem_2_option_II, @theorem_2_option_I, @theorem_2_orders_inhabited,
   @formal_equals_short, @replication, @replication_inhabited, @phase_rearranged, @pl_final_inequality,
   @pair_error_identity, @difference_expansion, @phase_rearranged_inhabited, @pl_final_inequality_inhabited,
   @pair_error_identity_inhabited, @difference_expansion_inhabited, @theorem_5_option_I, @theorem_5_orders_inhabited,
   @fledge_first_sum, @fledge_sum_with_variance, @theorem_6_printed, @theorem_6_option_II, @theorem_6_many_clients,
   @fledge_pl_unrolled, @fledge_pl_final_inequality, @minimum_gradient, @pl_share_decayed, @theorem_8_printed,
   @remark_34_printed, @exchanges_mgf, @noreplace_norm, @marked_drawn, @deviation_tail_sharper, @samples_norm,
   @error_contracts, @error_unbiased_II, @error_unbiased_I, @step_moments, @deviation_law, @three_terms, @error_everywhere,
   @error_in_window, @saga_target, @split_by_means, @first_rows_split, @estimate_split, @local_split, @saga_unbiased, @sarah_contracts, @sarah_zero_heterogeneity,
   @phases, @last_refresh_is, @table_identity_II, @table_identity_I, @pair_identity,
   @lemma_27_sharper, @lemma_27_option_II_sharper, @one_round_changes_sharper).
Print Assumptions main_theorems.
