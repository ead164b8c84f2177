(* The other theorems about FLEDGE that statements of the ledger are, each applied to numbers, as those about SLEDGE are
   in inhabited_statements.v: P = 2 clients, p = K = b = 1, two data each, on the instance of inhabited_fledge.v with
   zeta = sigma = 1; one datum each where the theorem asks for it. Nothing here is used elsewhere. *)
From Coq Require Import Reals Lra Lia PeanoNat List.
From Sledge Require Import vectors means minibatches algorithms problems instances second_moments sledge_errors.
From Sledge Require Import theorem_2_expectation theorem_5_expectation probability bernstein identities steps symmetries
  special_cases.
From Sledge Require Import theorem_2_probability formal_listing fledge_sampling fledge_errors theorem_6_expectation
  theorem_8_expectation theorem_6_probability fledge_tails theorem_6_high_probability theorem_8_high_probability
  fledge_local fledge_start fledge_fresh fledge_changes fledge_variance fledge_differences fledge_exact.
From Sledge Require Import theorem_6_option_I theorem_8_option_I theorem_6_printed theorem_6_orders theorem_8_printed
  inhabited_fledge
  inhabited_statements.
Import ListNotations.
Open Scope R_scope.

Definition data : nat -> nat := fun _ => (2 * (1 * 1))%nat.
Definition calm : list round -> nat -> list batch -> line := fun _ _ _ => zero.
Definition calm_J : (nat -> batch) -> list round -> nat -> list batch -> line := fun _ _ _ _ => zero.
Definition calm_I : batch -> (nat -> batch) -> list round -> nat -> list batch -> line := fun _ _ _ _ _ => zero.
Definition zeroth : batch := members [0%nat].
Definition draw : nat -> batch := fun _ => zeroth.
Definition one_round : round := {| worker := 1; local := [zeroth]; clients := zeroth; fresh := draw |}.
Definition in_range (i : nat) (H : (i < 2)%nat) : (1 * 1 <= data i)%nat := ltac:(unfold data; lia).

(* ---- Algorithms and identities ---- *)

Example formal_equals_short_holds := @formal_equals_short line 2 1 1 1 eta calm data datum_gradient x0 draw [one_round].
Example local_increment_unbiased_holds := @local_increment_unbiased line 1 eta data calm datum_gradient [] 0 (1 : line) []
  (x0, x0) (1 : line) ok ltac:(unfold data; lia).
Example server_mean_holds := @server_mean line 2 1 1 1 data datum_gradient (fledge_start_II 1 1 data datum_gradient x0 draw)
  (1 / 2 : line) zeroth draw ok ltac:(unfold size, ind, zeroth, members; simpl; lra).
(* all data of a client alike *)
Definition alike (i _ : nat) : line -> line := outlier_gradient i.
Example local_with_one_datum_holds Js H := @local_with_one_datum line 2 1 1 ok ok ok eta data calm alike in_range
  outlier_gradient (fun _ _ _ _ _ => eq_refl) [] 0 (1 : line) x0 Js ok H.
Example fledge_is_sledge_holds J past HJ H := @fledge_is_sledge line 2 1 1 ok ok eta data calm quiet
  (fun _ _ => eq_refl) alike outlier_gradient in_range (fun _ _ _ _ _ => eq_refl) x0 None J past HJ H.
Definition all_alike (_ _ : nat) (x : line) : line := x.
Example fledge_zero_heterogeneity_holds J past HJ H := @fledge_zero_heterogeneity line 2 1 1 1 ok ok ok eta data calm
  all_alike in_range same (fun _ _ _ _ _ => eq_refl) x0 J past ok ok (same_homogeneous 2) HJ H.
Example fledge_full_participation_holds J past HJ H := @fledge_full_participation line 2 1 1 eta (fun _ => 1%nat) calm
  datum_gradient x0 None J past ok (fun _ _ => eq_refl) HJ I H.
Example client_coverage_holds := @client_coverage 2 1 1 1 data 1 6 3 (1 / 2) ok ok ok ok ok ok ok.

Example last_refresh_is_holds := @last_refresh_is [one_round] 0.
Definition at_start := fledge_start_II 1 1 data datum_gradient x0 draw.
Notation everywhere := ltac:(intros; lia) (only parsing).
Example table_identity_II_holds past HJ H := @table_identity_II line 2 1 1 1 ok ok ok ok data datum_gradient in_range eta
  calm at_start past 0 x0 draw eq_refl HJ H everywhere.
Example table_identity_I_holds past H := @table_identity_I line 2 1 1 1 ok ok ok ok data datum_gradient in_range eta calm
  (fledge_start_I 2 1 1 1 data datum_gradient x0 zeroth draw) past 0 x0 zeroth draw eq_refl H everywhere.
Example estimate_identity_holds := @estimate_identity line 2 1 1 1 data datum_gradient eta at_start calm [one_round] 1
  [zeroth].
Example estimate_split_holds := @estimate_split line 2 1 1 1 data datum_gradient eta at_start calm [one_round] 1 [zeroth].
Example local_split_holds Js H := @local_split line 2 1 1 1 ok ok ok ok data datum_gradient in_range eta at_start calm
  [one_round] 1 Js 1 (clients_heterogeneous 2 1 1 1 ok ok ok ok ok) ok H.
(* two runs that part at the second round *)
Definition kicked (past : list round) (_ : nat) (_ : list batch) : line := INR (length past).
Example pair_identity_holds past H Same := @pair_identity line 2 1 1 1 ok ok ok ok data datum_gradient in_range eta
  at_start calm kicked past 2 ok H Same.

(* ---- Symmetries ---- *)

Lemma datum_is_gradient i j : is_gradient (datum i j) (datum_gradient i j).
Proof.
  apply (quadratic_gradient _ _ (apart i) (sign j) 0); intro x; unfold datum, datum_gradient; simpl; field.
Qed.
Definition moved_datum i j (x : line) : R := datum i j (sub x (3 : line)).
Lemma moved_datum_is_gradient i j : is_gradient (moved_datum i j) (fun x => apart i * (x - 3) + sign j).
Proof.
  apply (quadratic_gradient _ _ (apart i) (sign j - 3 * apart i) (9 / 2 * apart i - 3 * sign j)); intro x;
    unfold moved_datum, datum; simpl; field.
Qed.
Definition known (past : list round) : Prop := Forall (fun c => (worker c < 2)%nat) past.
Lemma one_known : known [one_round].
Proof. repeat constructor. Qed.
Example fledge_translation_holds := @fledge_translation line 2 1 1 1 eta data calm datum moved_datum datum_gradient _
  (fun i j _ _ => datum_is_gradient i j) (fun i j _ _ => moved_datum_is_gradient i j) x0 None draw [one_round] one_known
  (3 : line) (fun _ _ _ _ _ => eq_refl).
Lemma turned_datum_is_gradient i j : is_gradient (fun x => datum i j (minus x)) (fun x => apart i * x - sign j).
Proof.
  apply (quadratic_gradient _ _ (apart i) (- sign j) 0); intro x; unfold datum, minus; simpl; field.
Qed.
Example fledge_rotation_holds := @fledge_rotation line 2 1 1 1 eta data calm datum _ datum_gradient _
  (fun i j _ _ => datum_is_gradient i j) (fun i j _ _ => turned_datum_is_gradient i j) x0 (Some zeroth) draw [one_round]
  one_known minus minus minus_orthogonal (fun _ _ _ _ _ => eq_refl).
Lemma twice_datum_is_gradient i j : is_gradient (fun x => 2 * datum i j x) (fun x => 2 * datum_gradient i j x).
Proof.
  apply (quadratic_gradient _ _ (2 * apart i) (2 * sign j) 0); intro x; unfold datum, datum_gradient; simpl; field.
Qed.
Example fledge_scaling_holds := @fledge_scaling line 2 1 1 1 eta data calm datum _ datum_gradient _
  (fun i j _ _ => datum_is_gradient i j) (fun i j _ _ => twice_datum_is_gradient i j) x0 None draw [one_round] one_known 2
  ok (fun _ _ _ _ _ => eq_refl).
Example fledge_relabelling_holds := @fledge_relabelling line 2 1 1 1 eta data data calm calm datum_gradient
  (fun i j => datum_gradient (swap i) (swap j)) swap swap (fun _ => swap) (fun _ => swap) (swap_renames 2 ok)
  (fun _ _ => eq_refl) (fun _ _ => swap_renames 2 ok) (fun _ _ _ _ _ => eq_refl) (fun _ _ _ _ => eq_refl) x0 None draw
  [one_round] one_known.

(* ---- Lemmas 24 to 28, and Theorems 6 and 8 ---- *)

Notation smooth_2 := (clients_smooth_1 2 1 1).
Notation het_2 := (clients_heterogeneous 2 1 1 1 ok ok ok ok ok).
Notation bounded_2 := (clients_bounded 2 1 1 1 ok ok ok ok ok).
Notation polyak_2 := (clients_polyak 2 1 1 1 ok ok ok ok ok).
Notation half_2 := (/ INR 2).
Lemma half_2_pos : 0 < half_2.
Proof. simpl. lra. Qed.
Notation objective_2 := (objective 2 (client_objective data datum)).
Lemma infimum_2 x : 0 <= objective_2 x.
Proof. unfold data. rewrite (clients_objective 2 1 1 1 ok ok ok ok ok). apply outlier_infimum. lia. Qed.
Lemma lipschitz_2 : data_lipschitz 2 data datum_gradient 1.
Proof. intros i j Hi Hj. apply (smooth_2 i Hi j Hj). Qed.
Lemma spread_2 i x : (i < 2)%nat -> sum (data i) (fun j => sq (sub (datum_gradient i j x)
  (client_gradient data datum_gradient i x))) <= INR (data i) * (1 * 1).
Proof.
  intro Hi. rewrite <- sum_const. apply sum_le. intros j Hj. apply (bounded_2 i j x Hi Hj).
Qed.
Lemma largest_2 i j x : (i < 2)%nat -> (j < data i)%nat -> norm (sub (datum_gradient i j x)
  (client_gradient data datum_gradient i x)) <= 1.
Proof. intros Hi Hj. apply norm_le; [lra|apply (bounded_2 i j x Hi Hj)]. Qed.
(* T_3, rounded up *)
Lemma window_2 c : 0 <= c -> INR 2 / INR 1 * (c * log_all (1 / 2) 1 2 1 3 1)
  <= INR (ceiling (INR 2 / INR 1 * (c * log_all (1 / 2) 1 2 1 3 1)))
  <= INR 2 / INR 1 * (c * log_all (1 / 2) 1 2 1 3 1) + 1.
Proof.
  intro c0. pose proof (log_all_above (1 / 2) 1 2 1 3 1 ok ok ok ok ok ok) as A.
  split; [apply ceiling_above|left; apply ceiling_below].
  apply Rmult_le_pos; [simpl; lra|apply Rmult_le_pos; lra].
Qed.
Lemma clients_near_2 i : (i < 2)%nat -> norm (sub (client_gradient data datum_gradient i x0)
  (gradient 2 (client_gradient data datum_gradient) x0)) <= Rabs x0.
Proof.
  intros _. replace (gradient 2 _ x0) with (gradient 2 outlier_gradient x0).
  - unfold data. rewrite (client_gradient_is 2 1 1 1 ok ok ok ok ok). rewrite outlier_full_gradient by lia.
    rewrite norm_line. simpl. pose proof (apart_bounds i) as [a0 a1].
    replace (apart i * x0 - / (1 + 1) * x0) with ((apart i - / 2) * x0) by field. rewrite Rabs_mult.
    rewrite <- (Rmult_1_l (Rabs x0)) at 2. apply Rmult_le_compat_r; [apply Rabs_pos|]. apply Rabs_le. lra.
  - unfold gradient. f_equal. apply vsum_ext. intros j _. symmetry. apply (client_gradient_is 2 1 1 1 ok ok ok ok ok).
Qed.
Lemma clients_square_2 : deviation 2 (client_gradient data datum_gradient) x0 <= Rabs x0 ^ 2.
Proof.
  unfold deviation. replace (Rabs x0 ^ 2) with (/ INR 2 * (INR 2 * (Rabs x0 * Rabs x0))) by (simpl; field).
  apply Rmult_le_compat_l; [simpl; lra|]. rewrite <- sum_const. apply sum_le. intros i Hi.
  apply sq_le, clients_near_2, Hi.
Qed.
Example lemma_24_option_II_holds := @lemma_24_option_II line 1 1 2 1 1 3 1 _ ok ok ok ok ok ok ok data datum_gradient
  x0 1 1 1 1 in_range ok lipschitz_2 ok het_2 spread_2 largest_2 eta (1 / 2) 5 ok (window_2 5 ok) calm_J ok.
Example lemma_24_second_power_holds := @lemma_24_second_power line 1 1 2 1 1 3 1 _ ok ok ok ok ok ok ok data
  datum_gradient x0 1 1 1 1 in_range ok lipschitz_2 ok het_2 spread_2 largest_2 eta (1 / 2) 5 ok (window_2 5 ok) calm_J ok.
Example lemma_24_option_I_holds := @lemma_24_option_I line 1 1 2 1 1 3 1 _ ok ok ok ok ok ok ok data datum_gradient
  x0 1 1 1 1 in_range ok lipschitz_2 ok het_2 spread_2 largest_2 eta (1 / 2) 10 ok (window_2 10 ok) (Rabs x0)
  (Rabs x0) clients_square_2 clients_near_2 calm_I ok.
Example lemma_25_holds := @lemma_25 line 1 2 1 3 1 ok ok ok ok ok data datum_gradient 1 in_range ok lipschitz_2 eta
  calm (x0, fun _ => x0) (1 / 2) ok 1 1 3 ok ok ok 2.
Example lemma_25_second_power_holds := @lemma_25_second_power line 1 2 1 3 1 ok ok ok ok ok data datum_gradient 1
  in_range ok lipschitz_2 eta calm (x0, fun _ => x0) (1 / 2) ok 1 1 3 ok ok ok 2.
Example lemma_25_sharper_holds := @lemma_25_sharper line 1 2 1 3 1 ok ok ok ok ok data datum_gradient 1 in_range ok
  lipschitz_2 eta calm (x0, fun _ => x0) (1 / 2) ok.
Example mean_weights_holds := @mean_weights line 1 2 1 3 1 ok ok ok ok ok data datum_gradient 1 in_range ok lipschitz_2
  eta calm (x0, fun _ => x0) (1 / 2) ok 1 1 3 ok ok ok 2.
Example second_part_holds := @second_part line 1 2 1 3 1 ok ok ok ok ok data datum_gradient 1 in_range ok lipschitz_2 eta
  calm (x0, fun _ => x0) (1 / 2) ok 1 1 3 ok ok ok 2.
Example mean_weights_sharper_holds := @mean_weights_sharper line 1 2 1 3 1 ok ok ok ok ok data datum_gradient 1 in_range ok
  lipschitz_2 eta calm (x0, fun _ => x0) (1 / 2) ok.
Example one_round_changes_holds := @one_round_changes line 1 2 1 3 1 ok ok ok ok ok data datum_gradient 1 in_range ok
  lipschitz_2 eta calm (x0, fun _ => x0) (1 / 2) ok 1 1 3 ok ok ok 1 ok.
Example lemma_26_holds := @lemma_26 line 1 1 2 1 1 3 1 2 ok ok ok ok ok ok ok data datum_gradient x0 1 1 in_range spread_2
  largest_2 eta (1 / 2) 4 ok calm_J ok.
Example lemma_26_option_I_holds := @lemma_26_option_I line 1 1 2 1 1 3 1 2 ok ok ok ok ok ok ok data datum_gradient x0 1 1
  in_range spread_2 largest_2 eta (1 / 2) 4 ok calm_I ok.
Example lemma_27_option_II_holds := @lemma_27_option_II line 1 1 2 1 1 3 1 ok ok ok ok ok ok ok data datum_gradient x0 1 1
  in_range spread_2 largest_2 (1 / 2) 4 ok ok.
Example lemma_27_holds := @lemma_27 line 1 1 2 1 1 3 1 2 ok ok ok ok ok ok ok data datum_gradient x0 1 1 in_range
  (fun i => spread_2 i x0) (fun i j => largest_2 i j x0) (1 / 2) 5 ok ok.
Example lemma_27_sharper_holds := @lemma_27_sharper line 1 2 1 3 1 ok ok ok ok data datum_gradient x0 1 1 in_range ok
  (fun i => spread_2 i x0) (fun i j => largest_2 i j x0) (1 / 2) ok.
Example lemma_27_option_II_sharper_holds := @lemma_27_option_II_sharper line 1 2 1 3 1 ok ok ok ok data datum_gradient x0 1
  1 in_range ok (fun i => spread_2 i x0) (fun i j => largest_2 i j x0) (1 / 2) ok ok.
Example one_round_changes_sharper_holds := @one_round_changes_sharper line 1 2 1 3 1 ok ok ok ok ok data datum_gradient 1
  (1 / 2) in_range ok lipschitz_2 ok eta calm (x0, fun _ => x0).
Example local_tail_holds := @local_tail line 1 2 1 3 1 ok ok ok ok ok data datum_gradient 1 1 in_range ok lipschitz_2
  het_2 eta calm (x0, fun _ => x0) (1 / 2) ok ok.
Example lemma_28_holds := @lemma_28 line 1 2 1 3 1 ok ok ok ok ok data datum_gradient 1 1 in_range ok lipschitz_2 het_2 eta
  calm (x0, fun _ => x0) (1 / 2) ok 1 1 5 ok ok ok.
Example one_local_step_holds := @one_local_step line 1 2 1 3 1 ok ok ok ok ok data datum_gradient 1 in_range ok lipschitz_2
  eta calm (x0, fun _ => x0) (1 / 2) ok 1 1 5 ok ok 1 0 ok ok ok.
Example local_steps_holds := @local_steps line 1 2 1 3 1 ok ok ok ok ok data datum_gradient 1 in_range ok lipschitz_2
  eta calm (x0, fun _ => x0) (1 / 2) ok 1 1 5 ok ok ok.
Lemma calm_J_norm J past i before : norm (calm_J J past i before) <= 0.
Proof. unfold calm_J. rewrite norm_zero. lra. Qed.
Lemma calm_I_norm I J past i before : norm (calm_I I J past i before) <= 0.
Proof. apply calm_J_norm. Qed.
Example fledge_errors_II_holds := @fledge_errors_II line 2 1 1 1 ok ok ok ok data datum_gradient 1 1 1 in_range lipschitz_2
  het_2 bounded_2 eta x0 3 calm_J.
Example fledge_errors_I_holds := @fledge_errors_I line 2 1 1 1 ok ok ok ok data datum_gradient 1 1 1 in_range lipschitz_2
  het_2 bounded_2 eta x0 3 calm_I.
Example theorem_6_rate_holds := @theorem_6_rate line 2 1 1 1 ok ok ok ok data datum datum_gradient 1 1 1 0 in_range ok
  smooth_2 infimum_2 het_2 bounded_2 0 x0 _ (fresh_law 2 data (1 * 1)) (fledge_start_II 1 1 data datum_gradient x0) calm_J
  _ 3 (fun _ => eq_refl) calm_J_norm (Rle_refl _).
Example theorem_6_option_II_vectors_holds := @theorem_6_option_II_vectors line 2 1 1 1 ok ok ok ok data datum 1 1 0 ok
  infimum_2 x0 (1 / 2) ok.
Notation eta_2 := (fledge_step_size 2 1 1 1 1 1).
Lemma eta_2_pos : 0 < eta_2.
Proof. destruct (fledge_step_size_facts 2 1 1 1 ok ok ok ok 1 1 ltac:(lra)) as [H _]. exact H. Qed.
Lemma two_roots : 0 < 2 * sqrt 2.
Proof. pose proof (sqrt_lt_R0 2 ltac:(lra)). lra. Qed.
Example theorem_6_option_I_probability_holds := @theorem_6_option_I_probability line 2 1 1 1 ok ok ok ok data datum
  datum_gradient 1 1 1 0 in_range ok smooth_2 infimum_2 het_2 bounded_2 0 x0 20 (1 / 2) ok ok calm_I
  ltac:(pose proof eta_2_pos; pose proof two_roots; pose proof (sqrt_pos (1 / 2)); unfold Rdiv at 1;
    repeat apply Rmult_le_pos; try lra; left; apply Rinv_0_lt_compat; lra) calm_I_norm ltac:(simpl; lra).
Example theorem_8_option_II_expectation_holds := @theorem_8_option_II_expectation line 2 1 1 1 ok ok ok ok data datum
  datum_gradient 1 1 1 half_2 0 in_range ok half_2_pos smooth_2 het_2 bounded_2 polyak_2 0 x0 calm_J 3 calm_J_norm.
Example theorem_8_option_I_expectation_holds := @theorem_8_option_I_expectation line 2 1 1 1 ok ok ok ok data datum
  datum_gradient 1 1 1 half_2 0 in_range ok half_2_pos smooth_2 het_2 bounded_2 polyak_2 0 x0 calm_I 3 calm_I_norm.
Lemma noiseless a b c : 0 < c -> 0 <= a * a * c * b -> 0 * 0 <= 5 / 18 * (a * a * c * b).
Proof. intros. lra. Qed.
Lemma squared_pos a c b : 0 < c -> 0 <= b -> 0 <= a * a * c * b.
Proof.
  intros c0 b0. apply Rmult_le_pos; [|exact b0]. apply Rmult_le_pos; [apply Rle_0_sqr|lra].
Qed.
Example theorem_8_option_I_rounds_holds := @theorem_8_option_I_rounds line 2 1 1 1 ok ok ok ok data datum datum_gradient 1
  1 1 half_2 0 in_range ok half_2_pos smooth_2 infimum_2 het_2 bounded_2 polyak_2 0 x0 calm_I 60 ok
  (noiseless _ _ _ half_2_pos (squared_pos _ _ 60 half_2_pos ltac:(lra))) ltac:(simpl; lra) calm_I_norm.
Example theorem_8_option_II_probability_holds := @theorem_8_option_II_probability line 2 1 1 1 ok ok ok ok data datum
  datum_gradient 1 1 1 0 in_range ok smooth_2 infimum_2 het_2 bounded_2 0 x0 120 (1 / 2) ok ok half_2 half_2_pos polyak_2
  calm_J (noiseless _ _ _ half_2_pos (squared_pos _ _ (1 / 2 * 120) half_2_pos ltac:(lra))) ltac:(simpl; lra) calm_J_norm.
(* An accuracy that three rounds reach. *)
Notation high_2 := (fledge_high_step_size 2 1 1 1 3 1 1 (1 / 2)).
Notation noise_2 := (1056 * (fledge_lambda 2 1 1 3 (1 / 2) * fledge_lambda 2 1 1 3 (1 / 2)
  * (fledge_lambda 2 1 1 3 (1 / 2) * fledge_lambda 2 1 1 3 (1 / 2))) * (1 * 1)).
Notation descent_2 := (4 * (objective_2 x0 - 0) / (high_2 * INR 1)).
Definition reached_2 : R := noise_2 + descent_2 + 1.
Lemma high_2_pos : 0 < high_2.
Proof. apply (fledge_high_step_size_facts 2 1 1 1 ok ok ok ok 1 1 ok 3 (1 / 2)). lia. Qed.
Lemma noise_2_nonneg : 0 <= noise_2.
Proof.
  set (l := fledge_lambda 2 1 1 3 (1 / 2)). pose proof (Rle_0_sqr (l * l)). unfold Rsqr in *. nra.
Qed.
Lemma descent_2_nonneg : 0 <= descent_2.
Proof.
  pose proof (infimum_2 x0). pose proof high_2_pos. apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat.
  simpl. lra.
Qed.
Lemma reached_2_pos : 0 < reached_2.
Proof. unfold reached_2. pose proof noise_2_nonneg. pose proof descent_2_nonneg. lra. Qed.
Lemma reached_2_data : noise_2 / (reached_2 * reached_2) <= INR 2 * INR (1 * 1).
Proof.
  apply Rle_trans with 1; [|simpl; lra]. apply over_square; [apply noise_2_nonneg|]. unfold reached_2.
  pose proof descent_2_nonneg. lra.
Qed.
Lemma reached_2_rounds : 4 * (objective_2 x0 - 0) / (high_2 * INR 1 * (reached_2 * reached_2)) <= INR 3.
Proof.
  apply Rle_trans with 1; [|simpl; lra]. pose proof high_2_pos. pose proof reached_2_pos.
  replace (4 * (objective_2 x0 - 0) / (high_2 * INR 1 * (reached_2 * reached_2)))
    with (descent_2 / (reached_2 * reached_2)) by (simpl INR; field; split; apply Rgt_not_eq; assumption).
  apply over_square; [apply descent_2_nonneg|]. unfold reached_2. pose proof noise_2_nonneg. lra.
Qed.
Example theorem_6_option_II_met_holds := @theorem_6_option_II_met line 2 1 1 1 ok ok ok ok data datum datum_gradient 1 1 1
  0 in_range ok ok ok smooth_2 infimum_2 het_2 bounded_2 x0 3 (1 / 2) 0 ok ok calm_J calm_J_norm reached_2 reached_2_pos
  ok ltac:(pose proof high_2_pos; pose proof reached_2_pos; pose proof two_roots; unfold Rdiv;
    repeat apply Rmult_le_pos; try lra; left; apply Rinv_0_lt_compat; lra) reached_2_data reached_2_rounds.
(* The gradients of the clients at x^0 are 1 and 0. *)
Lemma gradients_at_start i j : norm (sub (apart i * x0 : line) (apart j * x0 : line)) <= 1.
Proof.
  rewrite norm_line. unfold x0. pose proof (apart_bounds i). pose proof (apart_bounds j). simpl. apply Rabs_le. lra.
Qed.
Lemma clients_apart i j : (i < 2)%nat -> (j < 2)%nat ->
  norm (sub (client_gradient data datum_gradient i x0) (client_gradient data datum_gradient j x0)) <= 1.
Proof.
  intros Hi Hj. rewrite !(client_gradient_is 2 1 1 1 ok ok ok ok ok). apply (gradients_at_start i j).
Qed.
Example theorem_6_option_I_high_probability_holds := @theorem_6_option_I_high_probability line 2 1 1 1 ok ok ok ok data
  datum datum_gradient 1 1 1 0 in_range ok ok ok smooth_2 infimum_2 het_2 bounded_2 x0 1 3 (1 / 2) 0 ok clients_apart ok
  ok (fun _ => calm) (fun _ => calm_J_norm draw).
Example theorem_8_option_I_high_probability_holds := @theorem_8_option_I_high_probability line 2 1 1 1 ok ok ok ok data
  datum datum_gradient 1 1 1 half_2 0 in_range ok ok ok half_2_pos smooth_2 het_2 bounded_2 polyak_2 x0 1 3 (1 / 2) 0 ok
  clients_apart ok ok (fun _ => calm) (fun _ => calm_J_norm draw).

(* ---- Theorem 6 by the appendix's inequality, and its orders ---- *)

Notation C_2 := (11 * log_all (1 / 2) 1 2 1 3 1).
Lemma C_2_above : 11 <= C_2.
Proof. pose proof (log_all_above (1 / 2) 1 2 1 3 1 ok ok ok ok ok ok). lra. Qed.
Example fledge_first_sum_holds past H := @fledge_first_sum line 2 1 1 1 3 ok ok ok ok data datum datum_gradient 1 1 0 in_range
  smooth_2 ok calm (x0, fun _ => x0) (calm_J_norm draw) past H.
Example fledge_sum_with_variance_holds := @fledge_sum_with_variance line 1 1 2 1 1 3 1 ok ok ok ok ok ok ok data datum
  datum_gradient x0 1 1 1 1 in_range ok smooth_2 ok het_2 spread_2 largest_2 1 0 (1 / 2) 11 ok ok ok.
Notation printed_2 := (appendix_step_size 1 2 1 1 1 1 C_2).
Lemma printed_2_pos : 0 < printed_2.
Proof.
  pose proof C_2_above. apply (appendix_step_facts 1 2 1 3 1 ok ok ok ok ok 1 1 ok ok (1 / 2) ok C_2). lra.
Qed.
(* An accuracy that three rounds reach *)
Notation data_2 := (128 * C_2 ^ 2 * 1 ^ 2).
Notation largest_data_2 := (8 * sqrt 2 * C_2 * 1).
Notation way_2 := (4 * (objective_2 x0 - 0) / printed_2).
Notation first_2 := (384 * C_2 ^ 3 * (1 ^ 2 * INR 2 / (INR 1 ^ 2 * INR 1) + INR 2 * 1 ^ 2 / (INR 1 ^ 3 * INR 1 * INR 1 ^ 2)
  + INR 2 * INR 1 * Rabs x0 ^ 2 / INR 1 ^ 2 + INR 2 * INR 1 * Rabs x0 ^ 2 / INR 1 ^ 3)).
Definition accuracy_2 : R := 1 + data_2 + largest_data_2 + way_2 + first_2.
Lemma accuracy_2_parts : 0 <= data_2 /\ 0 <= largest_data_2 /\ 0 <= way_2 /\ 0 <= first_2.
Proof.
  pose proof C_2_above as A. pose proof (infimum_2 x0). pose proof printed_2_pos. pose proof (sqrt_pos 2).
  pose proof (pow_le C_2 2 ltac:(lra)). pose proof (pow_le C_2 3 ltac:(lra)). pose proof (pow2_ge_0 (Rabs x0)).
  repeat split.
  - lra.
  - repeat apply Rmult_le_pos; lra.
  - apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra].
  - apply Rmult_le_pos; [lra|]. simpl (INR 1). simpl (INR 2). unfold Rdiv. simpl pow in *. lra.
Qed.
Lemma one_over a : 0 <= a -> a + 1 <= accuracy_2 -> a / accuracy_2 <= 1.
Proof.
  intros H A. apply Rmult_le_reg_r with accuracy_2; [lra|].
  replace (a / accuracy_2 * accuracy_2) with a by (field; lra). lra.
Qed.
Definition theorem_6_printed_2 := @theorem_6_printed line 1 1 2 1 1 3 1 ok ok ok ok ok ok ok data datum
  datum_gradient x0 1 1 1 1 0 in_range ok smooth_2 ok het_2 spread_2 largest_2 printed_2 0 (1 / 2) 11 printed_2_pos ok ok
  accuracy_2 ltac:(pose proof accuracy_2_parts; unfold accuracy_2; lra) infimum_2 eq_refl ok
  ltac:(pose proof printed_2_pos; pose proof two_roots; pose proof accuracy_2_parts; unfold Rdiv;
    repeat apply Rmult_le_pos; try (unfold accuracy_2; lra); left; apply Rinv_0_lt_compat; lra)
  ltac:(pose proof accuracy_2_parts as [A1 [A2 [A3 A4]]];
    pose proof (one_over largest_data_2 A2 ltac:(unfold accuracy_2; lra));
    pose proof (over_square data_2 accuracy_2 A1 ltac:(unfold accuracy_2; lra));
    replace (accuracy_2 ^ 2) with (accuracy_2 * accuracy_2) by ring; simpl (INR 2); simpl (INR 1); lra).
Lemma accuracy_2_rounds :
  4 * (objective_2 x0 - 0) / (printed_2 * accuracy_2 ^ 2) <= 1 /\
  forall y, 0 <= 384 * C_2 ^ 3 * y -> 384 * C_2 ^ 3 * y + 1 <= accuracy_2 -> 384 * C_2 ^ 3 / accuracy_2 ^ 2 * y <= 1.
Proof.
  pose proof accuracy_2_parts as [A1 [A2 [A3 A4]]]. pose proof printed_2_pos.
  assert (A : 1 <= accuracy_2) by (unfold accuracy_2; lra). split.
  - replace (4 * (objective_2 x0 - 0) / (printed_2 * accuracy_2 ^ 2)) with (way_2 / (accuracy_2 * accuracy_2))
      by (field; lra).
    apply over_square; [exact A3|unfold accuracy_2; lra].
  - intros y y0 Hy. replace (384 * C_2 ^ 3 / accuracy_2 ^ 2 * y) with (384 * C_2 ^ 3 * y / (accuracy_2 * accuracy_2))
      by (field; lra).
    apply over_square; assumption.
Qed.
Example theorem_6_printed_holds := conj
  (proj1 theorem_6_printed_2 calm_J calm_J_norm ltac:(pose proof (proj1 accuracy_2_rounds); simpl (INR 3) in *;
    simpl (INR 1) in *; lra))
  (proj2 theorem_6_printed_2 calm_I (Rabs x0) (Rabs x0) calm_I_norm clients_square_2 clients_near_2
    ltac:(pose proof (proj1 accuracy_2_rounds); pose proof accuracy_2_parts as [A1 [A2 [A3 A4]]];
      apply Rle_trans with (1 + 1); [apply Rplus_le_compat; [assumption|apply accuracy_2_rounds;
        [exact A4|unfold accuracy_2; lra]]|simpl; lra])).
(* All clients in a round, at an accuracy that the data suffice for *)
Notation rate_2 := (fledge_rate 2 2 1 1 1 1).
Notation gap_2 := (objective_2 x0 - 0).
Definition log_2 : R := 1 + ln (INR 2 * INR 1 * INR 1 * (1 + rate_2 * gap_2) / (1 / 2)).
Definition fine_2 : R := 618 * log_2.
Lemma fine_2_suffices : 1 <= fine_2 /\
  381216 * (1 + ln (INR 2 * INR 1 * INR 1 * (1 + rate_2 * gap_2 / (fine_2 * fine_2)) / (1 / 2))) ^ 2 * (1 * 1)
    / (fine_2 * fine_2) <= INR 2 * INR 1 * INR 1.
Proof.
  pose proof (infimum_2 x0). destruct (rate_above 2 2 1 1 1 1 ok ok ok ok ok ok) as [q0 _].
  assert (d0 : 0 <= rate_2 * gap_2) by (apply Rmult_le_pos; lra). simpl (INR 2). simpl (INR 1).
  assert (l0 : forall y, 0 <= y -> 0 <= ln ((1 + 1) * 1 * 1 * (1 + y) / (1 / 2))).
  { intros y Hy. rewrite <- ln_1. apply ln_grows; lra. }
  pose proof (l0 _ d0) as l1. set (q := rate_2 * gap_2) in *.
  assert (L2 : 1 <= log_2) by (unfold log_2; fold q; simpl (INR 2); simpl (INR 1); lra).
  assert (F : 1 <= fine_2) by (unfold fine_2; lra). split; [exact F|].
  assert (FF : 1 <= fine_2 * fine_2) by (replace 1 with (1 * 1) by ring; apply Rmult_le_compat; lra).
  set (y := q / (fine_2 * fine_2)).
  assert (Y : 0 <= y <= q).
  { unfold y. split; [apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]|].
    apply Rmult_le_reg_r with (fine_2 * fine_2); [lra|].
    replace (q / (fine_2 * fine_2) * (fine_2 * fine_2)) with (q * 1) by (field; lra). apply Rmult_le_compat_l; lra. }
  pose proof (l0 y (proj1 Y)) as l2.
  assert (Le : 1 + ln ((1 + 1) * 1 * 1 * (1 + y) / (1 / 2)) <= log_2).
  { unfold log_2. fold q. simpl (INR 2). simpl (INR 1). apply Rplus_le_compat_l, ln_grows; lra. }
  assert (1 <= 1 + ln ((1 + 1) * 1 * 1 * (1 + y) / (1 / 2))) by lra.
  set (m := 1 + ln ((1 + 1) * 1 * 1 * (1 + y) / (1 / 2))) in *.
  assert (m ^ 2 <= log_2 ^ 2) by (apply pow_incr; lra).
  apply Rmult_le_reg_r with (fine_2 * fine_2); [lra|].
  replace (381216 * m ^ 2 * (1 * 1) / (fine_2 * fine_2) * (fine_2 * fine_2)) with (381216 * m ^ 2) by (field; lra).
  unfold fine_2. pose proof (pow2_ge_0 log_2). lra.
Qed.
Example theorem_6_option_II_holds : exists (T : nat) (step : R), 0 < step /\
  with_probability (fledge_history_II 2 2 1 1 data T) (1 - 1 / 2) (fun o => exists t k, (t < T)%nat /\ (k < 1)%nat /\
    norm (gradient 2 (client_gradient data datum_gradient) (step_point 2 2 1 1 data datum_gradient step calm
      (fledge_start_II 1 1 data datum_gradient x0 (fst o)) k (at_time (S t) (snd o)))) <= fine_2).
Proof.
  destruct fine_2_suffices as [F H].
  destruct (@theorem_6_option_II line 2 2 1 1 ok ok ok ok data datum datum_gradient 1 1 1 0 in_range ok ok ok smooth_2
    infimum_2 het_2 bounded_2 x0 (1 / 2) fine_2 ok ltac:(lra) H) as [T [step [s0 [_ [_ [_ [_ W]]]]]]].
  exists T, step. split; [exact s0|]. apply (W 0 calm_J); [|exact calm_J_norm]. split; [lra|]. pose proof two_roots.
  apply Rmult_le_pos; [apply Rmult_le_pos; lra|left; apply Rinv_0_lt_compat; lra].
Qed.
Lemma all_of_2 : sqrt (INR 2) <= INR 2.
Proof. rewrite <- (sqrt_square (INR 2)) at 2 by (simpl; lra). apply sqrt_le_1_alt. simpl. lra. Qed.
Example theorem_6_many_clients_holds : exists (T : nat) (step : R), 0 < step /\
  with_probability (fledge_history_II 2 2 1 1 data T) (1 - 1 / 2) (fun o => exists t k, (t < T)%nat /\ (k < 1)%nat /\
    norm (gradient 2 (client_gradient data datum_gradient) (step_point 2 2 1 1 data datum_gradient step calm
      (fledge_start_II 1 1 data datum_gradient x0 (fst o)) k (at_time (S t) (snd o)))) <= fine_2).
Proof.
  destruct fine_2_suffices as [F H].
  destruct (@theorem_6_many_clients line 2 2 1 1 ok ok ok ok data datum datum_gradient 1 1 1 0 in_range ok ok ok smooth_2
    infimum_2 het_2 bounded_2 x0 (1 / 2) fine_2 ok ltac:(lra) all_of_2) as [_ W].
  destruct (rate_many_clients 2 2 1 1 1 1 ok ok ok ok ok ok all_of_2) as [E _]. rewrite <- E in W.
  destruct (W H) as [T [step [s0 [_ [_ [_ Z]]]]]].
  exists T, step. split; [exact s0|]. apply (Z 0 calm_J); [|exact calm_J_norm]. split; [lra|]. pose proof two_roots.
  apply Rmult_le_pos; [apply Rmult_le_pos; lra|left; apply Rinv_0_lt_compat; lra].
Qed.

(* ---- Theorem 8 and Remark 34 by the appendix's inequalities ---- *)

Definition rounds_8 : nat := ceiling (10 ^ 30).
Notation C_8 := (11 * log_all (1 / 2) 1 2 1 rounds_8 1).
Notation eta_8 := (pl_printed_step_size (1 / 27) 2 1 1 1 1 1 half_2 C_8).
Lemma rounds_8_are : 10 ^ 30 <= INR rounds_8 <= 10 ^ 30 + 1.
Proof. split; [apply ceiling_above|left; apply ceiling_below; simpl; lra]. Qed.
Lemma rounds_8_some : (1 <= rounds_8)%nat.
Proof. apply INR_le. pose proof rounds_8_are. simpl (INR 1). simpl in H. lra. Qed.
Lemma C_8_between : 11 <= C_8 <= 1000.
Proof.
  pose proof rounds_8_are as [R0 R1].
  pose proof (log_all_above (1 / 2) 1 2 1 rounds_8 1 ok ok ok ok rounds_8_some ok) as A. split; [lra|].
  assert (U : log_all (1 / 2) 1 2 1 rounds_8 1 <= 88); [|lra]. unfold log_all. replace 88 with (INR 88) by (simpl; ring).
  rewrite <- ln_exp. apply ln_grows; [simpl (INR 1); simpl (INR 2); lra|].
  assert (E : 9 / 4 <= exp 1).
  { replace 1 with (/ 2 + / 2) by lra. rewrite exp_plus. pose proof (exp_ineq1_le (/ 2)).
    replace (9 / 4) with (3 / 2 * (3 / 2)) by lra. apply Rmult_le_compat; lra. }
  assert (Pw : forall k, (9 / 4) ^ k <= exp (INR k)).
  { induction k as [|k IH]; [simpl; rewrite exp_0; lra|]. rewrite S_INR, exp_plus. cbn [pow].
    rewrite (Rmult_comm (9 / 4)). pose proof (pow_le (9 / 4) k ltac:(lra)). apply Rmult_le_compat; lra. }
  eapply Rle_trans; [|apply Pw]. simpl (INR 1). simpl (INR 2).
  apply Rle_trans with (10 ^ 30 + 8); [lra|]. cbn [pow]. lra.
Qed.
Lemma eta_8_above : / (54 * C_8 ^ 6) <= eta_8.
Proof.
  pose proof C_8_between as [C11 C1000]. set (z := C_8) in *. assert (z6 : 1 <= z ^ 6) by (apply pow_R1_Rle; lra).
  assert (p6 : forall y, y <= 6 -> Rpower z y <= z ^ 6).
  { intros y Hy. rewrite <- (Rpower_pow 6 z) by lra. apply Rle_Rpower; [lra|]. simpl. lra. }
  pose proof (p6 (9 / 2) ltac:(lra)) as q1. pose proof (p6 (11 / 2) ltac:(lra)) as q2.
  assert (z1 : z <= z ^ 6).
  { replace (z ^ 6) with (z * z ^ 5) by ring. rewrite <- (Rmult_1_r z) at 1. apply Rmult_le_compat_l; [lra|].
    apply pow_R1_Rle. lra. }
  assert (r1 : 0 < Rpower z (9 / 2)) by apply exp_pos. assert (r2 : 0 < Rpower z (11 / 2)) by apply exp_pos.
  assert (s2 : 1 <= sqrt 2 <= 2).
  { split; [rewrite <- sqrt_1; apply sqrt_le_1_alt; lra|]. rewrite <- (sqrt_square 2) at 2 by lra.
    apply sqrt_le_1_alt. lra. }
  unfold pl_printed_step_size. replace (/ (54 * z ^ 6)) with (1 / 27 * / (2 * z ^ 6)) by (field; lra).
  apply Rmult_le_compat_l; [lra|]. simpl (INR 1). replace (INR 2) with 2 by (simpl; ring).
  rewrite !Rmult_1_r, !Rmult_1_l, sqrt_1, !Rmult_1_r. unfold Rdiv. rewrite !Rmult_1_l.
  assert (Q : forall y, 0 < y -> y <= 2 * z ^ 6 -> / (2 * z ^ 6) <= / y) by (intros; apply Rinv_le_contravar; lra).
  assert (w1 : Rpower z (9 / 2) * sqrt 2 <= z ^ 6 * 2) by (apply Rmult_le_compat; lra).
  assert (w2 : Rpower z (11 / 2) * sqrt 2 <= z ^ 6 * 2) by (apply Rmult_le_compat; lra).
  assert (x1 : 0 < Rpower z (9 / 2) * sqrt 2) by (apply Rmult_lt_0_compat; lra).
  assert (x2 : 0 < Rpower z (11 / 2) * sqrt 2) by (apply Rmult_lt_0_compat; lra).
  repeat apply Rmin_glb; apply Q; unfold Rdiv in *; lra.
Qed.
Lemma eta_8_pos : 0 < eta_8.
Proof.
  pose proof C_8_between. pose proof eta_8_above. assert (0 < / (54 * C_8 ^ 6)); [|lra].
  apply Rinv_0_lt_compat, Rmult_lt_0_compat; [lra|apply pow_lt; lra].
Qed.
Notation share_8 := (pl_start_share 1 1 2 1 1 rounds_8 1 1 1 1 1 half_2 (1 / 2) 11 (1 / 27) (1 - eta_8 * half_2 / 2) 0
  (Rabs x0) (Rabs x0)).
Definition accuracy_8 : R := 1 + 512 * C_8 ^ 2 + 64 * C_8 + Rabs (32 * half_2 * (objective_2 x0 - 0))
  + Rabs (32 * half_2 * share_8).
Lemma accuracy_8_parts : 1 <= accuracy_8 /\ 512 * C_8 ^ 2 + 1 <= accuracy_8 /\ 64 * C_8 <= accuracy_8 /\
  32 * half_2 * (objective_2 x0 - 0) <= accuracy_8 /\ 32 * half_2 * share_8 <= accuracy_8.
Proof.
  pose proof C_8_between. pose proof (pow2_ge_0 C_8). unfold accuracy_8.
  set (u := 32 * half_2 * (objective_2 x0 - 0)). set (v := 32 * half_2 * share_8).
  pose proof (Rle_abs u). pose proof (Rle_abs v). pose proof (Rabs_pos u). pose proof (Rabs_pos v). repeat split; lra.
Qed.
Lemma data_8 : 512 * C_8 ^ 2 * 1 ^ 2 / accuracy_8 ^ 2 + 64 * C_8 * 1 / accuracy_8 <= INR 2 * INR 1 * INR 1.
Proof.
  pose proof C_8_between. pose proof accuracy_8_parts as [A1 [A2 [A3 _]]]. pose proof (pow2_ge_0 C_8).
  pose proof (over_square (512 * C_8 ^ 2) accuracy_8 ltac:(lra) A2) as X.
  assert (Y : 64 * C_8 * 1 / accuracy_8 <= 1).
  { apply Rmult_le_reg_r with accuracy_8; [lra|]. replace (64 * C_8 * 1 / accuracy_8 * accuracy_8) with (64 * C_8)
      by (field; lra). lra. }
  replace (512 * C_8 ^ 2 * 1 ^ 2 / accuracy_8 ^ 2) with (512 * C_8 ^ 2 / (accuracy_8 * accuracy_8)) by (field; lra).
  simpl (INR 1). simpl (INR 2). lra.
Qed.
Lemma small_8 y : y <= accuracy_8 -> ln (y / accuracy_8 ^ 2) <= ln (8 / 5).
Proof.
  intro H. pose proof accuracy_8_parts as [A1 _].
  assert (a2 : 1 <= accuracy_8 ^ 2) by (apply pow_R1_Rle; exact A1).
  assert (Le : y / accuracy_8 ^ 2 <= 1).
  { apply Rmult_le_reg_r with (accuracy_8 ^ 2); [lra|].
    replace (y / accuracy_8 ^ 2 * accuracy_8 ^ 2) with y by (field; lra).
    replace (accuracy_8 ^ 2) with (accuracy_8 * accuracy_8) by ring. rewrite Rmult_1_l.
    apply Rle_trans with (1 * accuracy_8); [lra|]. apply Rmult_le_compat_r; lra. }
  destruct (Rlt_le_dec 0 (y / accuracy_8 ^ 2)) as [g|g]; [apply ln_grows; lra|].
  assert (Z : ln (y / accuracy_8 ^ 2) = 0).
  { unfold ln. destruct (Rlt_dec 0 (y / accuracy_8 ^ 2)) as [q|q]; [exfalso; lra|reflexivity]. }
  rewrite Z, <- ln_1. apply ln_grows; lra.
Qed.
Lemma long_8 X : X <= ln (8 / 5) -> 2 * X / (eta_8 * half_2 * INR 1) <= INR rounds_8.
Proof.
  intro H. pose proof C_8_between as [C11 C1000]. pose proof eta_8_above as E. pose proof eta_8_pos as e0.
  pose proof rounds_8_are as [R0 _]. pose proof (theorem_2_orders.ln_below (8 / 5) ltac:(lra)) as Lb. pose proof half_2_pos as h0.
  assert (c6 : C_8 ^ 6 <= 10 ^ 18).
  { replace (10 ^ 18) with (1000 ^ 6) by ring. apply pow_incr. lra. }
  assert (c0 : 0 < C_8 ^ 6) by (apply pow_lt; lra).
  set (e := eta_8) in *. clearbody e. set (z := C_8 ^ 6) in *. clearbody z.
  assert (E' : / (54 * 10 ^ 18) <= e).
  { eapply Rle_trans; [|exact E]. apply Rinv_le_contravar; lra. }
  simpl (INR 1). simpl (INR 2). set (t := INR rounds_8) in *. clearbody t.
  apply Rmult_le_reg_r with (e * / (1 + 1)); [apply Rmult_lt_0_compat; lra|].
  replace (2 * X / (e * / (1 + 1) * 1) * (e * / (1 + 1))) with (2 * X) by (field; lra).
  assert (Y : 10 ^ 30 * / (54 * 10 ^ 18) <= t * e).
  { apply Rmult_le_compat; lra. }
  simpl in Y. lra.
Qed.
Lemma noise_8 : 0 <= eta_8 * accuracy_8 / 8.
Proof. pose proof eta_8_pos. pose proof accuracy_8_parts as [A _]. apply Rmult_le_pos; [apply Rmult_le_pos|]; lra. Qed.
Example fledge_pl_unrolled_holds := @fledge_pl_unrolled line 1 1 2 1 1 3 1 ok ok ok ok ok ok ok data datum
  datum_gradient x0 1 1 1 1 half_2 0 in_range ok half_2_pos smooth_2 polyak_2 ok het_2 spread_2 largest_2 (1 / 2) 11 ok ok
  1 0 ok ok ltac:(simpl; lra).
Example fledge_pl_final_inequality_holds := @fledge_pl_final_inequality line 1 1 2 1 1 rounds_8 1 ok ok ok ok ok ok
  rounds_8_some data datum datum_gradient x0 1 1 1 1 half_2 0 in_range ok half_2_pos smooth_2 polyak_2 ok het_2 spread_2
  largest_2 (1 / 2) 11 ok ok (1 / 27) 0 accuracy_8 ok ok ltac:(pose proof accuracy_8_parts; lra) ok noise_8 data_8.
Definition theorem_8_printed_2 := @theorem_8_printed line 1 1 2 1 1 rounds_8 1 ok ok ok ok ok ok
  rounds_8_some data datum datum_gradient x0 1 1 1 1 half_2 0 in_range ok half_2_pos smooth_2 polyak_2 ok het_2 spread_2
  largest_2 (1 / 2) 11 ok ok (1 / 27) 0 accuracy_8 ok ok ltac:(pose proof accuracy_8_parts; lra) ok noise_8 data_8
  infimum_2.
Example theorem_8_printed_holds := conj
  (proj1 theorem_8_printed_2 calm_J calm_J_norm ltac:(apply long_8; pose proof accuracy_8_parts as [_ [_ [_ [A B]]]];
    apply Rmax_lub; [apply Rle_refl|apply small_8, A]))
  (proj2 theorem_8_printed_2 calm_I (Rabs x0) (Rabs x0) calm_I_norm clients_square_2 clients_near_2
    ltac:(apply long_8; pose proof accuracy_8_parts as [_ [_ [_ [A B]]]];
    apply Rmax_lub; [apply Rle_refl|apply Rmax_lub; apply small_8; assumption])).
Definition gap_8 : R := 2 * accuracy_8 * accuracy_8.
Lemma gap_8_suffices : 0 < gap_8 /\ 0 <= eta_8 * sqrt (gap_8 * half_2) / 2 /\
  64 * C_8 ^ 2 * 1 ^ 2 / (half_2 * gap_8) + 8 * C_8 * 1 / sqrt (half_2 * gap_8) <= INR 2 * INR 1 * INR 1.
Proof.
  pose proof accuracy_8_parts as [A1 [A2 [A3 _]]]. pose proof C_8_between. pose proof (pow2_ge_0 C_8).
  assert (E : half_2 * gap_8 = accuracy_8 * accuracy_8) by (unfold gap_8; simpl (INR 2); field).
  assert (aa : 1 <= accuracy_8 * accuracy_8).
  { replace 1 with (1 * 1) by ring. apply Rmult_le_compat; lra. }
  split; [unfold gap_8; lra|]. split.
  - pose proof eta_8_pos. pose proof (sqrt_pos (gap_8 * half_2)). apply Rmult_le_pos; [apply Rmult_le_pos|]; lra.
  - rewrite E, sqrt_square by lra. pose proof (over_square (512 * C_8 ^ 2) accuracy_8 ltac:(lra) A2) as X.
    assert (Y : 64 * C_8 / accuracy_8 <= 1).
    { apply Rmult_le_reg_r with accuracy_8; [lra|]. replace (64 * C_8 / accuracy_8 * accuracy_8) with (64 * C_8)
        by (field; lra). lra. }
    replace (64 * C_8 ^ 2 * 1 ^ 2 / (accuracy_8 * accuracy_8)) with (1 / 8 * (512 * C_8 ^ 2 / (accuracy_8 * accuracy_8)))
      by (field; lra).
    replace (8 * C_8 * 1 / accuracy_8) with (1 / 8 * (64 * C_8 / accuracy_8)) by (field; lra).
    simpl (INR 1). simpl (INR 2). lra.
Qed.
Example remark_34_printed_holds := @remark_34_printed line 1 1 2 1 1 rounds_8 1 ok ok ok ok ok ok
  rounds_8_some data datum datum_gradient x0 1 1 1 1 half_2 0 in_range ok half_2_pos smooth_2 polyak_2 ok het_2 spread_2
  largest_2 (1 / 2) 11 ok ok (1 / 27) 0 gap_8 ok ok (proj1 gap_8_suffices) ok (proj1 (proj2 gap_8_suffices))
  (proj2 (proj2 gap_8_suffices)).
Example minimum_gradient_holds := minimum_gradient 1 1 1 1 1 0 (fun _ _ => 1) ok ok ok ok ok ok ok
  ltac:(intros; lra) ltac:(simpl (INR 1); replace (1 - 1 * 1 / 2) with (/ 2) by field; rewrite ln_Rinv, Ropp_involutive by lra;
    assert (L : ln (8 / 5) <= ln 2) by (apply ln_grows; lra); assert (P : 0 < ln 2) by (rewrite <- ln_1; apply ln_increasing;
    lra); apply Rmult_le_reg_r with (ln 2); [exact P|]; replace (ln (8 / 5) / ln 2 * ln 2) with (ln (8 / 5)) by (field; lra);
    lra).
Example pl_share_decayed_holds := pl_share_decayed 1 1 2 1 1 rounds_8 1 ok ok ok ok ok ok rounds_8_some 1 1 half_2 ok
  half_2_pos (1 / 2) 11 ok ok (1 / 27) accuracy_8 ok ok ltac:(pose proof accuracy_8_parts; lra) (objective_2 x0 - 0) _
  ltac:(pose proof (infimum_2 x0); lra) (Rle_refl _) (long_8 _ (small_8 _ (proj1 (proj2 (proj2 (proj2 accuracy_8_parts)))))).
