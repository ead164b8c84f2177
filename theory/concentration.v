(* Concentration with literal constants, in every inner product space, beside Propositions 12 and 13
   (proposition:BernsteinNoReplacement, lines 949-973; proposition:Azuma, lines 975-988).

   1. Azuma's inequality for vectors [azuma_vectors]. Printed: E[x_i | past] = 0 and |x_i| <= R_i
      with probability 1 - nu_i give |sum x_i|^2 <= C_1^2 sum R_i^2 with probability
      1 - nu/poly - sum nu_i (false for nu_i > 0; azuma-high-probability). Proved, for |x_i| <= R_i
      always: with probability at least 1 - nu, for all t <= N at once,
          |x_1 + ... + x_t| <= (2 + sqrt(2 log(N/nu))) sqrt(R_1^2 + ... + R_t^2).
   2. Sampling without replacement [noreplace_hoeffding]. Printed: l of k vectors a_i of sum zero,
      |a_i| <= R: |sum|^2 <= C_1^2 (l sigma^2 + R^2), C_1 = O(log(n + P + d + T + K)) (false without
      1/nu; noreplace-bernstein-high-probability). Proved, for n vectors of sum zero that are at
      most D apart and a set I of b of them: with probability at least 1 - nu
          |sum_{i in I} a_i| <= (1 + sqrt(log(b/nu)/2)) D sqrt S,
      S = sum_{j=1}^b ((n-b)/(n-j))^2 <= b; so hypergeometric numbers [hypergeometric_count]. The
      radius enters, not sigma: less than Bernstein where sigma is small, more where it is not (no
      dimension, the root of the logarithm).
   3. Lemma 1 for Option I, without a window [lemma_1_adaptive_option_I]: with I^0 drawn first,
      gradients at x^0 at most d0 apart (at most 2 sigma_c in the words of Assumption 3 (i),
      line 257), with probability at least 1 - nu,
          |v^t - grad f(x^t)|^2 <= (1 + sqrt(log(b(T+1)/nu)/2))^2 beta_t   for all t <= T,
      beta_0 = (S/b^2) d0^2, beta_{t+1} = (1 - b/n)^2 beta_t +
      (S/b^2)(zeta |x^{t+1} - x^t| + (b/n) q_t)^2, q_t the length of the path since the oldest row
      was refreshed times zeta, plus d0 while a row of the start is left. The printed initial term
      is (12 C_1^2/b)(sigma_c^2 + G_c^2/b) for t < T_1, G_c the largest deviation. *)
From Coq Require Import Reals Lra Lia List PeanoNat Bool.
From Sledge Require Import vectors means minibatches algorithms problems second_moments
  sledge_errors.
From Sledge Require Import instances probability hoeffding azuma minibatch_tails coverage
  sledge_tails.
Import ListNotations.
Open Scope R_scope.

(* ---- 1. Azuma for vectors ---- *)

Section Azuma.
Context {V : space} {O : Type}.
Variable law : list O -> mean O.
Variable x : list O -> O -> V.      (* the increment, after the past, for this outcome *)
Variable size : nat -> R.           (* R_1, R_2, ... from index 0 *)

Fixpoint total (past : list O) : V :=
  match past with [] => zero | o :: before => add (total before) (x before o) end.

Theorem azuma_vectors N nu : (1 <= N)%nat -> 0 < nu < 1 -> (forall i, 0 <= size i) ->
  (forall t past, possible (history_of law t) past -> forall u, Ex (law past) (fun o => ip u (x
    past o)) = 0) ->
  (forall t past, possible (history_of law t) past -> forall o, possible (law past) o ->
    norm (x past o) <= size t) ->
  with_probability (history_of law N) (1 - nu) (fun past => forall t, (t <= N)%nat ->
    norm (total (at_time t past))
    <= (2 + sqrt (2 * ln (INR N / nu))) * sqrt (sum t (fun i => size i * size i))).
Proof.
  intros HN Hnu S0 Z Sz. assert (N1 : 1 <= INR N) by (change 1 with (INR 1); apply le_INR;
    assumption).
  pose proof (ln_ratio_pos (INR N) nu N1 Hnu) as l0.
  pose proof (azuma_adaptive law total
    (fun past => 4 * sum (length past) (fun i => size i * size i)) (fun _ => 1) (fun past => 2 *
      size (length past))
    x N nu HN Hnu eq_refl ltac:(simpl; ring)) as A.
  eapply with_probability_weaken; [apply Rle_refl| |apply A].
  - intros past P H t Ht. specialize (H t Ht). eapply Rle_trans; [exact H|]. right.
    pose proof (history_of_length _ _ _ P) as Len.
    assert (Lt : length (at_time t past) = t) by (unfold at_time; rewrite skipn_length; lia).
    rewrite Lt.
    rewrite sqrt_mult; [|lra|apply sum_nonneg; intros; apply Rle_0_sqr].
    replace (sqrt 4) with 2 by (replace 4 with (2 * 2) by ring; symmetry; apply sqrt_square; lra).
    unfold radius. replace (2 * ln (INR N / nu)) with (4 * (ln (INR N / nu) / 2)) by field.
    rewrite (sqrt_mult 4) by lra.
    replace (sqrt 4) with 2 by (replace 4 with (2 * 2) by ring; symmetry; apply sqrt_square; lra).
    ring.
  - intro past. specialize (S0 (length past)). lra.
  - exact Z.
  - intros t past P o o' Q Q'. pose proof (history_of_length _ _ _ P) as Len. rewrite Len.
    eapply Rle_trans; [apply norm_sub|].
    pose proof (Sz t past P o Q). pose proof (Sz t past P o' Q'). lra.
  - intros past o. cbn [total]. vector_eq u. ring.
  - intros past o. cbn [length sum]. ring.
Qed.
End Azuma.

(* ---- 2. Sampling without replacement ---- *)

Theorem noreplace_hoeffding {V : space} (n b : nat) (a : nat -> V) D nu : (1 <= b)%nat -> (b <=
  n)%nat ->
  0 < nu < 1 -> 0 <= D -> vsum n a = zero ->
  (forall i j, (i < n)%nat -> (j < n)%nat -> norm (sub (a i) (a j)) <= D) ->
  with_probability (uniform n b) (1 - nu) (fun I =>
    norm (vsum_in n I a) <= radius (INR b) nu * (D * sqrt (spread n b))).
Proof.
  intros Hb Hbn Hnu HD Ce Ap. assert (B1 : 1 <= INR b) by (change 1 with (INR 1); apply le_INR;
    assumption).
  destruct (best_theta (INR b) nu B1 Hnu) as [theta [Ht E]]. set (l := radius (INR b) nu) in *.
  assert (L : 1 <= l) by apply radius_above. pose proof (spread_bounds n b Hbn) as [S0 _].
  assert (P0 : proper (zero : V) 0) by (split; [lra|auto]).
  set (A := fun I => add (scale 1 (zero : V)) (over b (vsum_in n I a))).
  set (beta := 1 * 1 * 0 + spread n b / (INR b * INR b) * (D * D)).
  apply (unless _ (fun I => exceeds (l * l * beta) (sq (A I)))).
  - pose proof (minibatch_step n b Hb Hbn a D HD Ce Ap zero 0 1 P0 theta Ht) as M.
    rewrite tower_zero, Rplus_0_l, E in M. fold beta in M.
    change (Ex (uniform n b) (fun I => tower theta (A I) beta) <= nu * exp (theta * (l * l))) in M.
    pose proof (exp_pos (theta * (l * l))) as K.
    eapply Rle_trans; [apply (markov (uniform n b) (fun I => tower theta (A I) beta) _ (exp (theta
      * (l * l))))|].
    + exact K.
    + intros. apply tower_nonneg.
    + intros I PI e. apply tower_outside; [assumption| |apply exceeds_true, e].
      apply (minibatch_proper n b Hb Hbn a D Ce Ap zero 0 1 P0 I PI).
    + apply Rmult_le_reg_r with (exp (theta * (l * l))); [assumption|]. unfold Rdiv.
      rewrite Rmult_assoc, Rinv_l by lra.
      lra.
  - intros I _ e. apply exceeds_false in e.
    assert (Q : sq (vsum_in n I a) <= l * l * (spread n b * (D * D))).
    { replace (sq (A I)) with (/ INR b * / INR b * sq (vsum_in n I a)) in e.
      - unfold beta in e. apply Rmult_le_reg_l with (/ INR b * / INR b).
        + apply Rmult_lt_0_compat; apply Rinv_0_lt_compat; lra.
        + eapply Rle_trans; [exact e|]. right. field. lra.
      - unfold A. rewrite <- sq_over. f_equal. vector_eq u. ring. }
    pose proof (sqrt_pos (spread n b)) as s0. apply norm_le; [repeat apply Rmult_le_pos; lra|].
    replace (l * (D * sqrt (spread n b)) * (l * (D * sqrt (spread n b))))
      with (l * l * (sqrt (spread n b) * sqrt (spread n b) * (D * D))) by ring.
    rewrite sqrt_sqrt by assumption. exact Q.
Qed.

(* How many of the members of M are drawn: a hypergeometric number, close to b |M|/n. *)
Corollary hypergeometric_count n b (M : batch) nu : (1 <= b)%nat -> (b <= n)%nat -> 0 < nu < 1 ->
  with_probability (uniform n b) (1 - nu) (fun I =>
    Rabs (sum n (fun i => ind I i * ind M i) - INR b / INR n * sum n (ind M))
    <= radius (INR b) nu * sqrt (spread n b)).
Proof.
  intros Hb Hbn Hnu. assert (N0 : 0 < INR n) by (apply lt_0_INR; lia).
  set (c := / INR n * sum n (ind M)). set (a := fun i => ind M i - c : line).
  eapply with_probability_weaken;
    [apply Rle_refl| |apply (noreplace_hoeffding n b a 1 nu Hb Hbn Hnu Rle_0_1)].
  - intros I PI H. cbv beta in H. rewrite (@norm_line (vsum_in n I a)), Rmult_1_l in H.
    pose proof (uniform_size n b I Hbn PI) as Sz.
    replace (sum n (fun i => ind I i * ind M i) - INR b / INR n * sum n (ind M))
      with (vsum_in n I a : R); [exact H|].
    transitivity (ip (vsum_in n I a) (1 : line)); [symmetry; apply Rmult_1_r|]. rewrite ip_vsum_in.
    rewrite (sum_ext n _ (fun i => ind I i * ind M i - c * ind I i)).
    + rewrite sum_sub, sum_mul, Sz. unfold c. field. lra.
    + intros i _. unfold a. simpl. ring.
  - rewrite vsum_line. unfold a. rewrite sum_sub, sum_const. unfold c. simpl. field. lra.
  - intros i j _ _. rewrite norm_line. unfold a. simpl.
    pose proof (ind_bounds M i). pose proof (ind_bounds M j). apply Rabs_le. lra.
Qed.

(* ---- 3. Option I ---- *)

(* The minibatch I^0 of the start, then those of T steps. *)
Definition sledge_history_I (n b T : nat) : mean (batch * list batch) :=
  bind (uniform n b) (fun I0 => bind (sledge_history n b T) (fun past => sure (I0, past))).

Section OptionI.
Context {V : space}.
Variables (n b : nat).
Hypothesis Hb : (1 <= b)%nat.
Hypothesis Hbn : (b <= n)%nat.
Variables (grad : nat -> V -> V) (zeta : R).
Hypothesis zeta0 : 0 <= zeta.
Hypothesis het : heterogeneous n grad zeta.
Variables (eta : R) (noise : batch -> list batch -> V) (x0 : V) (d0 : R).
Hypothesis d0_nonneg : 0 <= d0.
Hypothesis spread_at_x0 : forall i j, (i < n)%nat -> (j < n)%nat -> norm (sub (grad i x0) (grad j
  x0)) <= d0.
Notation N := (INR n).
Notation B := (INR b).
Notation start I0 := (sledge_start_I n b grad x0 I0).
Notation run I0 := (sledge n b eta (noise I0) grad (start I0)).
Notation init I0 := (row_error grad (start I0)).
Definition first_radius : R := spread n b / (B * B) * (d0 * d0).
Notation beta I0 := (beta n b grad zeta eta (noise I0) (start I0) 0 d0 first_radius).

Let centred_at_x0 (i : nat) : V := sub (grad i x0) (gradient n grad x0).
Lemma centred_zero : vsum n centred_at_x0 = zero.
Proof.
  pose proof (Nn n b Hb Hbn). vector_eq w. rewrite ip_vsum. unfold centred_at_x0.
  rewrite (sum_ext n _ (fun i => ip (grad i x0) w - ip (gradient n grad x0) w)) by (intros;
    products; reflexivity).
  rewrite sum_sub, sum_const, ip_gradient. field. lra.
Qed.
Lemma centred_apart i j : (i < n)%nat -> (j < n)%nat ->
  norm (sub (centred_at_x0 i) (centred_at_x0 j)) <= d0.
Proof.
  intros Hi Hj. unfold centred_at_x0.
  replace (sub _ _) with (sub (grad i x0) (grad j x0)) by (vector_eq w; ring).
  apply spread_at_x0; assumption.
Qed.
Lemma init_mean I0 : possible (uniform n b) I0 ->
  mean_of n (init I0) = add (scale 1 zero) (over b (vsum_in n I0 centred_at_x0)).
Proof.
  intro PI. pose proof (Nn n b Hb Hbn). pose proof (Bb n b Hb Hbn).
  pose proof (uniform_size n b I0 Hbn PI) as Sz. vector_eq w.
  rewrite ip_mean_of, !ip_vsum_in. unfold row_error, centred_at_x0.
  cbn [sledge_start_I table point fst snd].
  rewrite (sum_ext n (fun i => ip (sub (over b (vsum_in n I0 (fun j => grad j x0))) (grad i x0)) w)
    (fun i => / B * ip (vsum_in n I0 (fun j => grad j x0)) w - ip (grad i x0) w)) by (intros;
      products; ring).
  rewrite (sum_ext n (fun i => ind I0 i * ip (sub (grad i x0) (gradient n grad x0)) w)
    (fun i => ind I0 i * ip (grad i x0) w - ip (gradient n grad x0) w * ind I0 i)) by (intros;
      products; ring).
  rewrite !sum_sub, sum_const, sum_mul, Sz, ip_vsum_in, ip_gradient. field. lra.
Qed.
Lemma init_bound I0 i : possible (uniform n b) I0 -> (i < n)%nat -> norm (init I0 i) <= d0.
Proof.
  intros PI Hi. pose proof (Bb n b Hb Hbn). pose proof (uniform_size n b I0 Hbn PI) as Sz.
  unfold row_error. cbn [sledge_start_I table point fst snd].
  replace (sub (over b (vsum_in n I0 (fun j => grad j x0))) (grad i x0))
    with (over b (vsum_in n I0 (fun j => sub (grad j x0) (grad i x0)))).
  2:{ vector_eq w. rewrite !ip_vsum_in.
      rewrite (sum_ext n _ (fun j => ind I0 j * ip (grad j x0) w - ip (grad i x0) w * ind I0 j))
        by (intros; products; ring).
      rewrite sum_sub, sum_mul, Sz. field. lra. }
  rewrite norm_over. apply Rmult_le_reg_l with B; [lra|].
  rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra.
  eapply Rle_trans; [apply norm_vsum|]. rewrite <- Sz, Rmult_comm, <- sum_mul. apply sum_le.
  intros j Hj.
  unfold ind. destruct (I0 j); [|rewrite norm_zero; lra]. rewrite Rmult_1_r.
  apply spread_at_x0; assumption.
Qed.
Lemma init_close I0 i j : (i < n)%nat -> (j < n)%nat -> norm (sub (init I0 i) (init I0 j)) <= d0.
Proof.
  intros Hi Hj. unfold row_error. cbn [sledge_start_I table point fst snd].
  replace (sub _ _) with (sub (grad j x0) (grad i x0)) by (vector_eq w; ring).
  apply spread_at_x0; assumption.
Qed.
Lemma rows_run I0 T past i : possible (sledge_history n b T) past -> (i < n)%nat ->
  rows n b grad eta (noise I0) (start I0) 0 (init I0) past i = row_error grad (run I0 past) i.
Proof.
  revert past. induction T as [|T IH]; intros past P Hi; [simpl in P; subst; reflexivity|].
  pose proof (history_length _ _ _ P) as Len. destruct past as [|J before]; [discriminate|].
  apply history_possible in P. destruct P as [P PJ].
  cbn [sledge]. rewrite (row_step n b Hb Hbn grad eta (noise I0) before (run I0 before) J i PJ).
  cbn [rows Nat.leb]. unfold new_row. destruct (J i); [reflexivity|]. rewrite (IH before P Hi).
  reflexivity.
Qed.
Theorem lemma_1_adaptive_option_I T nu : 0 < nu < 1 ->
  with_probability (sledge_history_I n b T) (1 - nu) (fun o => let I0 := fst o in let past := snd
    o in
    forall t, (t <= T)%nat -> sq (error n grad (run I0 (at_time t past)))
      <= radius (INR (b * S T)) nu * radius (INR (b * S T)) nu * beta I0 (at_time t past)).
Proof.
  intro Hnu. assert (N1 : 1 <= INR (b * S T)) by (change 1 with (INR 1); apply le_INR; nia).
  destruct (best_theta (INR (b * S T)) nu N1 Hnu) as [theta [Ht E]].
  set (l := radius (INR (b * S T)) nu) in *. pose proof (exp_pos (theta * (l * l))) as K.
  assert (P0 : proper (zero : V) 0) by (split; [lra|auto]).
  assert (FR : 1 * 1 * 0 + spread n b / (B * B) * (d0 * d0) = first_radius)
    by (unfold first_radius; ring).
  set (bad := fun I0 => too_far n b grad zeta eta (noise I0) (start I0) 0 (init I0) d0
    first_radius l).
  apply (unless _ (fun o => ever (bad (fst o)) (snd o))).
  - change (Ex (uniform n b) (fun I0 => probability (sledge_history n b T) (ever (bad I0))) <= nu).
    apply Rmult_le_reg_l with (exp (theta * (l * l))); [assumption|]. rewrite <- Ex_mul.
    apply Rle_trans with (Ex (uniform n b) (fun I0 => tower theta (mean_of n (init I0)) first_radius
      + INR (b * T) * exp (kappa theta))).
    + apply Ex_le. intros I0 PI.
      apply (rows_tail n b Hb Hbn grad zeta zeta0 het eta (noise I0) (start I0) 0 (init I0) d0
        first_radius);
        try assumption.
      * intros i Hi. apply init_bound; assumption.
      * apply init_close.
      * rewrite (init_mean I0 PI), <- FR.
        apply (minibatch_proper n b Hb Hbn centred_at_x0 d0 centred_zero centred_apart zero 0 1 P0
          I0 PI).
    + rewrite Ex_add, Ex_const.
      pose proof (minibatch_step n b Hb Hbn centred_at_x0 d0 d0_nonneg centred_zero centred_apart
        zero 0 1 P0 theta Ht) as M. rewrite tower_zero, FR in M.
      assert (M2 : Ex (uniform n b) (fun I0 => tower theta (mean_of n (init I0)) first_radius)
        <= B * exp (kappa theta)).
      { rewrite (Ex_ext _ _ (fun I0 => tower theta
          (add (scale 1 zero) (over b (vsum_in n I0 centred_at_x0))) first_radius)); [lra|].
        intros I0 PI. rewrite (init_mean I0 PI). reflexivity. }
      rewrite (Rmult_comm _ nu), <- E, !mult_INR, S_INR. lra.
  - intros [I0 past] [I0' [PI [past' [PP Eq]]]] e. simpl in Eq.
    injection Eq as Eq1 Eq2. subst I0' past'. cbn [fst snd] in *. intros t Ht'.
    pose proof (history_length _ _ _ PP) as Len.
    pose proof (never_at_time (bad I0) past t e ltac:(lia)) as F. apply exceeds_false in F.
    pose proof (possible_at_time _ t T past PP Ht') as Pt.
    replace (error n grad (run I0 (at_time t past)))
      with (rows_error n b grad eta (noise I0) (start I0) 0 (init I0) (at_time t past)); [exact F|].
    rewrite (error_is_mean n grad). unfold rows_error, mean_of. f_equal. apply vsum_ext.
    intros i Hi.
    apply (rows_run I0 t); assumption.
Qed.
End OptionI.
