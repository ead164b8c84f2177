(* Lemma 1 (lemma:First-VarianceBound, lines 339-346 and 1143-1160): the error of SLEDGE's estimate,
   with high probability, for Option II.

   Printed: with T_1 = (n/b) C_1 and C_1 = Omega(log(nT/nu)), C_1 >= 1 (lines 1399, 1477),
       |v^t - grad f(x^t)|^2 <= (15 C_1^8 zeta^2/b) sum_{s = max(1, t-T_1+1)}^t |x^s - x^{s-1}|^2
   for all t = 1, ..., T with probability at least 1 - 3 nu.
   Proved, for all spaces, all functions that are zeta-heterogeneous, 1 <= b <= n, T >= 1,
   0 < nu < 1, every step size and every noise, with T_1 = (n/b) C_1 rounded up:
     [lemma_1_adaptive]  without a window (variance-lemma-option-two/adaptive; see sledge_tails.v),
         1 - nu;
     [lemma_1_second_power]  the lemma in its own form with
         (1 + C_1)(1 + sqrt(log(bT^2/nu)/2))^2 S/b   in the place of 15 C_1^8, S <= b, with
         probability 1 - 2 nu: half of the constant of variance-lemma-option-two/second-power;
     [lemma_1_eight]  hence 8 C_1^2 in the place of 15 C_1^8, for C_1 >= max(1, log(nT/nu));
     [lemma_1_printed]  hence the lemma as printed, with probability 1 - 2 nu >= 1 - 3 nu;
     [lemma_1_informal]  and as on page 6, with probability 1 - nu.
   The paper's own proof rests on its Azuma inequality, which is false as printed; the lemma is true
   nevertheless.

   Proof of the window. Let all components be drawn in any T_1 steps in a row (coverage.v). Then the
   error at t is that of a table that was exact at time t - T_1, as every row was refreshed since.
   To each of these T tables apply the adaptive bound, with nu/T. In a window of T_1 steps
       beta_t <= (S/b^2) zeta^2 (1 + (b/n)(T_1 - 1)) sum of |x^s - x^{s-1}|^2         [beta_window],
   by the Cauchy-Schwarz inequality over the age, and because (1 - b/n)^2 + b/n <= 1. *)
From Coq Require Import Reals Lra Lia List PeanoNat Bool.
From Sledge Require Import vectors means minibatches algorithms problems second_moments
  sledge_errors.
From Sledge Require Import probability hoeffding azuma minibatch_tails coverage sledge_tails.
Import ListNotations.
Open Scope R_scope.

Lemma at_time_step {O} t (past : list O) : (t < length past)%nat ->
  exists o, at_time (S t) past = o :: at_time t past.
Proof.
  induction past as [|o past IH]; simpl; intro H; [lia|].
  destruct (Nat.eq_dec t (length past)) as [e|e].
  - exists o. subst t. rewrite (at_time_before (length past)), at_time_all by lia.
    change (S (length past)) with (length (o :: past)). apply at_time_all.
  - destruct (IH ltac:(lia)) as [o' E]. exists o'. rewrite !at_time_before by lia. exact E.
Qed.
Lemma at_time_length {O} t (past : list O) : (t <= length past)%nat -> length (at_time t past) = t.
Proof. intro H. unfold at_time. rewrite skipn_length. lia. Qed.

(* (a + p tr)^2 where tr is a sum of at most m numbers whose squares have sum s *)
Lemma square_of_path a p tr s m : 0 <= a -> 0 <= p -> 0 <= tr -> 0 <= s -> 0 <= m -> tr * tr <= m
  * s ->
  (a + p * tr) * (a + p * tr) <= (1 + p * m) * (a * a + p * s).
Proof.
  intros Ha Hp Ht Hs Hm H.
  assert (K : 2 * (a * tr) <= m * (a * a) + s).
  { apply Rsqr_incr_0_var.
    - unfold Rsqr. pose proof (Rle_0_sqr (m * (a * a) - s)) as Q. unfold Rsqr in Q.
      assert (a * a * (tr * tr) <= a * a * (m * s)) by (apply Rmult_le_compat_l;
        [apply Rle_0_sqr|assumption]). lra.
    - assert (0 <= m * (a * a)) by (apply Rmult_le_pos; [assumption|apply Rle_0_sqr]). lra. }
  assert (p * (2 * (a * tr)) <= p * (m * (a * a) + s)) by (apply Rmult_le_compat_l; assumption).
  assert (p * p * (tr * tr) <= p * p * (m * s)) by (apply Rmult_le_compat_l;
    [apply Rle_0_sqr|assumption]). lra.
Qed.

(* ---- Sums of movements, for any start ---- *)

Section Squares.
Context {V : space}.
Variables (n b : nat) (grad : nat -> V -> V) (eta : R) (noise : list batch -> V) (start : @state R
  V).
Notation run := (sledge n b eta noise grad start).
Notation ahead := (ahead n b grad eta noise start).
Notation travelled := (travelled n b grad eta noise start).

(* The sum of |x^s - x^{s-1}|^2 over the last k steps. *)
Fixpoint squares (k : nat) (past : list batch) : R :=
  match k, past with S k', _ :: before => ahead before * ahead before + squares k' before | _, _
    => 0 end.

Lemma squares_nonneg k past : 0 <= squares k past.
Proof.
  revert past. induction k as [|k IH]; intros [|J before]; simpl; try lra.
  specialize (IH before). pose proof (Rle_0_sqr (ahead before)) as Q. unfold Rsqr in Q. lra.
Qed.
Lemma squares_monotone k k' past : (k <= k')%nat -> squares k past <= squares k' past.
Proof.
  revert k' past. induction k as [|k IH]; intros k' past H; [simpl; apply squares_nonneg|].
  destruct k' as [|k']; [lia|]. destruct past as [|J before]; simpl; [lra|].
  specialize (IH k' before ltac:(lia)). lra.
Qed.
Lemma travelled_square k past : travelled k past * travelled k past <= INR k * squares k past.
Proof.
  revert past. induction k as [|k IH]; intros [|J before];
    try (cbn [sledge_tails.travelled squares]; rewrite !Rmult_0_r; lra).
  - rewrite S_INR. cbn [sledge_tails.travelled squares]. specialize (IH before).
    pose proof (squares_nonneg k before) as S0.
    pose proof (ahead_nonneg n b grad eta noise start before) as A0.
    pose proof (travelled_nonneg n b grad eta noise start k before) as T0.
    pose proof (pos_INR k) as K0.
    pose proof (square_of_path (ahead before) 1 (travelled k before) (squares k before) (INR k)
      A0 ltac:(lra) T0 S0 K0 IH) as Q. lra.
Qed.
(* The last k of t steps, by their times. *)
Lemma squares_sum k t past : (t <= length past)%nat ->
  squares k (at_time t past) = sum t (fun s => if (t - k <=? s)%nat
    then sq (sub (point (run (at_time (S s) past))) (point (run (at_time s past)))) else 0).
Proof.
  revert k. induction t as [|t IH]; intros k H.
  - replace (at_time 0 past) with (@nil batch); [destruct k; reflexivity|].
    symmetry. apply length_zero_iff_nil, at_time_length, H.
  - destruct (at_time_step t past ltac:(lia)) as [J E]. rewrite E. cbn [sum].
    destruct k as [|k].
    + cbn [squares]. rewrite Nat.sub_0_r, (proj2 (Nat.leb_gt (S t) t)) by lia.
      rewrite (sum_zero t); [ring|]. intros s Hs. rewrite (proj2 (Nat.leb_gt (S t) s)) by lia.
      reflexivity.
    + cbn [squares]. rewrite (proj2 (Nat.leb_le (S t - S k) t)) by lia. rewrite E, (IH k) by lia.
      replace (S t - S k)%nat with (t - k)%nat by lia. rewrite Rplus_comm. f_equal.
      unfold sledge_tails.ahead. rewrite norm_sq. reflexivity.
Qed.
End Squares.

(* ---- Tables that are exact at a time, in runs from any start ---- *)

Section Tables.
Context {V : space}.
Variables (n b : nat).
Hypothesis Hb : (1 <= b)%nat.
Hypothesis Hbn : (b <= n)%nat.
Variables (grad : nat -> V -> V) (zeta : R).
Hypothesis zeta0 : 0 <= zeta.
Hypothesis het : heterogeneous n grad zeta.
Variables (eta : R) (noise : list batch -> V) (start : @state R V).
Notation N := (INR n).
Notation B := (INR b).
Notation run := (sledge n b eta noise grad start).
Notation ahead := (ahead n b grad eta noise start).
Notation travelled := (travelled n b grad eta noise start).
Notation nothing := (fun _ : nat => zero : V).
(* rows, errors and radii of a table that is exact at time [from] *)
Notation rows from := (rows n b grad eta noise start from nothing).
Notation row_age := row_age.
Notation rows_error from := (rows_error n b grad eta noise start from nothing).
Notation beta from := (beta n b grad zeta eta noise start from 0 0).
Notation spreads from := (spreads n b grad zeta eta noise start from 0).

Notation moves := (squares n b grad eta noise start).

Lemma row_age_below from past i : (row_age from past i <= length past - from)%nat.
Proof.
  induction past as [|J before IH]; cbn [sledge_tails.row_age length]; [lia|].
  destruct (Nat.leb_spec from (length before)) as [l|l]; [|lia].
  destruct (J i); lia.
Qed.
(* [sum of a window], for any path *)
Lemma beta_window from m past : (length past - from <= S m)%nat ->
  beta from past <= spread n b / (B * B) * (zeta * zeta) * (1 + B / N * INR m) * moves (length
    past - from) past.
Proof.
  pose proof (BN_1 n b Hb Hbn) as [p0 p1]. set (p := B / N) in *. pose proof (pos_INR m) as m0.
  pose proof (Bb n b Hb Hbn) as [B1 _]. pose proof (spread_bounds n b Hbn) as [S0 _].
  set (c := spread n b / (B * B)). assert (c0 : 0 <= c).
  { apply Rmult_le_pos; [assumption|]. left. apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra. }
  assert (z2 : 0 <= zeta * zeta) by apply Rle_0_sqr.
  assert (pm : 0 <= p * INR m) by (apply Rmult_le_pos; lra).
  set (k := c * (zeta * zeta) * (1 + p * INR m)).
  assert (k0 : 0 <= k) by (apply Rmult_le_pos; [apply Rmult_le_pos; assumption|lra]).
  induction past as [|J before IH]; intro H.
  - cbn [sledge_tails.beta length Nat.sub squares]. rewrite Rmult_0_r. lra.
  - cbn [sledge_tails.beta length] in *. destruct (Nat.leb_spec from (length before)) as [l|l].
    2:{ apply Rmult_le_pos; [assumption|apply squares_nonneg]. }
    replace (S (length before) - from)%nat with (S (length before - from)) by lia. cbn [squares].
    set (d := (length before - from)%nat) in *. specialize (IH ltac:(lia)). fold p. fold c.
    set (a := ahead before). set (s := moves d before) in *. set (tr := travelled d before).
    assert (a0 : 0 <= a) by apply ahead_nonneg. assert (s0 : 0 <= s) by apply squares_nonneg.
    assert (t0 : 0 <= tr) by apply travelled_nonneg.
    assert (CS : tr * tr <= INR m * s).
    { eapply Rle_trans; [apply travelled_square|]. apply Rmult_le_compat_r; [assumption|].
      apply le_INR. lia. }
    assert (SP : spreads from before <= zeta * (a + p * tr)).
    { unfold sledge_tails.spreads. fold p. rewrite Rmult_plus_distr_l. apply Rplus_le_compat_l.
      replace (zeta * (p * tr)) with (p * (zeta * tr)) by ring. apply Rmult_le_compat_l; [lra|].
      eapply Rle_trans; [apply (reach_monotone n b Hb Hbn grad zeta zeta0 eta noise start from 0
        ltac:(lra) _ d)|].
      - pose proof (oldest_below n (row_age from before) (S d) ltac:(lia)) as O.
        specialize (O ltac:(intros; pose proof (row_age_below from before i); lia)). lia.
      - unfold reach. fold tr. destruct (Nat.ltb _ _); lra. }
    pose proof (spreads_nonneg n b Hb Hbn grad zeta zeta0 eta noise start from 0 ltac:(lra)
      before) as SP0.
    assert (SQ : spreads from before * spreads from before <= zeta * zeta * ((1 + p * INR m) * (a
      * a + p * s))).
    { apply Rle_trans with (zeta * (a + p * tr) * (zeta * (a + p * tr))); [apply Rmult_le_compat;
      assumption|].
      replace (zeta * (a + p * tr) * (zeta * (a + p * tr)))
        with (zeta * zeta * ((a + p * tr) * (a + p * tr))) by ring.
      apply Rmult_le_compat_l; [assumption|]. apply square_of_path; lra || assumption. }
    apply Rle_trans with ((1 - p) * (1 - p) * (k * s) + k * (a * a + p * s)).
    + apply Rplus_le_compat.
      * apply Rmult_le_compat_l; [apply Rle_0_sqr|assumption].
      * replace (k * (a * a + p * s))
        with (c * (zeta * zeta * ((1 + p * INR m) * (a * a + p * s)))) by (unfold k; ring).
        apply Rmult_le_compat_l; assumption.
    + assert (0 <= k * s) by (apply Rmult_le_pos; assumption).
      assert (0 <= p * (1 - p) * (k * s)) by (apply Rmult_le_pos; [apply Rmult_le_pos;
        lra|assumption]). lra.
Qed.

Lemma mean_of_nothing : mean_of n nothing = (zero : V).
Proof. vector_eq w. rewrite ip_mean_of. rewrite sum_zero; [ring|]. intros. apply ip_zero. Qed.
Lemma rows_likely from T nu : (1 <= T)%nat -> 0 < nu < 1 ->
  with_probability (sledge_history n b T) (1 - nu) (fun past => forall t, (t <= T)%nat ->
    sq (rows_error from (at_time t past))
    <= radius (INR (b * T)) nu * radius (INR (b * T)) nu * beta from (at_time t past)).
Proof.
  intros HT Hnu. assert (N1 : 1 <= INR (b * T)) by (change 1 with (INR 1); apply le_INR; nia).
  destruct (best_theta (INR (b * T)) nu N1 Hnu) as [theta [Ht E]].
  set (l := radius (INR (b * T)) nu) in *.
  apply (unless _ (ever (too_far n b grad zeta eta noise start from nothing 0 0 l))).
  - pose proof (rows_tail n b Hb Hbn grad zeta zeta0 het eta noise start from nothing 0 0
    ltac:(lra)) as R.
    specialize (R ltac:(intros; cbv beta; rewrite norm_zero; lra)
      ltac:(intros; cbv beta; rewrite sub_self, norm_zero; lra)).
    rewrite mean_of_nothing in R. specialize (R ltac:(split; [lra|auto]) theta l T Ht).
    rewrite tower_zero, Rplus_0_l, E in R. pose proof (exp_pos (theta * (l * l))).
    apply Rmult_le_reg_l with (exp (theta * (l * l))); [assumption|]. lra.
  - intros past P e t Ht'. pose proof (history_length _ _ _ P) as Len.
    apply exceeds_false. apply (never_at_time _ past t e). lia.
Qed.

(* ---- Rows refreshed since [from] are those of the run ---- *)

Lemma row_error_run J before i : possible (uniform n b) J ->
  row_error grad (run (J :: before)) i
  = new_row n b (row_error grad (run before)) (changes n b grad eta noise start before) J i.
Proof. intro PJ. apply (row_step n b Hb Hbn grad eta noise before (run before) J i PJ). Qed.
Lemma rows_refreshed T from past i : possible (sledge_history n b T) past -> (i < n)%nat ->
  (from = 0%nat /\ row_error grad start i = zero) \/ (age past i < length past - from)%nat ->
  rows from past i = row_error grad (run past) i.
Proof.
  revert past. induction T as [|T IH]; intros past P Hi H.
  - simpl in P. subst past. destruct H as [[_ H]|H]; [symmetry; exact H|simpl in H; lia].
  - pose proof (history_length _ _ _ P) as Len. destruct past as [|J before]; [discriminate|].
    apply history_possible in P. destruct P as [P PJ]. rewrite (row_error_run J before i PJ).
    cbn [sledge_tails.rows age length] in *.
    destruct (Nat.leb_spec from (length before)) as [l|l]; [|destruct H as [[-> _]|H], (J i); lia].
    unfold new_row. destruct (J i); [reflexivity|]. rewrite (IH before P Hi); [reflexivity|]. destruct H; [left;
      assumption|right; lia].
Qed.
Lemma rows_error_refreshed T from past : possible (sledge_history n b T) past ->
  (from = 0%nat /\ (forall i, row_error grad start i = zero)) \/
  (forall i, (i < n)%nat -> (age past i < length past - from)%nat) ->
  rows_error from past = error n grad (run past).
Proof.
  intros P H. rewrite (error_is_mean n grad). unfold sledge_tails.rows_error, mean_of. f_equal.
  apply vsum_ext. intros i Hi. apply (rows_refreshed T); [assumption|assumption|].
  destruct H as [[H H']|H]; auto.
Qed.
End Tables.

Section Windows.
Context {V : space}.
Variables (n b : nat).
Hypothesis Hb : (1 <= b)%nat.
Hypothesis Hbn : (b <= n)%nat.
Variables (grad : nat -> V -> V) (zeta : R).
Hypothesis zeta0 : 0 <= zeta.
Hypothesis het : heterogeneous n grad zeta.
Variables (eta : R) (noise : list batch -> V) (x0 : V).
Notation N := (INR n).
Notation B := (INR b).
Notation start := (sledge_start_II grad x0).
Notation run := (sledge n b eta noise grad start).
Notation ahead := (ahead n b grad eta noise start).
Notation travelled := (travelled n b grad eta noise start).
Notation nothing := (fun _ : nat => zero : V).
(* rows, errors and radii of a table that is exact at time [from] *)
Notation rows from := (rows n b grad eta noise start from nothing).
Notation row_age := row_age.
Notation rows_error from := (rows_error n b grad eta noise start from nothing).
Notation beta from := (beta n b grad zeta eta noise start from 0 0).
Notation spreads from := (spreads n b grad zeta eta noise start from 0).

Notation moves := (squares n b grad eta noise start).

(* ---- The adaptive bound ---- *)

Theorem lemma_1_adaptive T nu : (1 <= T)%nat -> 0 < nu < 1 ->
  with_probability (sledge_history n b T) (1 - nu) (fun past => forall t, (t <= T)%nat ->
    sq (error n grad (run (at_time t past)))
    <= radius (INR (b * T)) nu * radius (INR (b * T)) nu * beta 0 (at_time t past)).
Proof.
  intros HT Hnu. eapply with_probability_weaken;
    [apply Rle_refl| |apply (rows_likely n b Hb Hbn grad zeta zeta0 het eta noise start 0 T nu HT Hnu)].
  intros past P H t Ht. pose proof (possible_at_time _ t T past P Ht) as Pt.
  rewrite <- (rows_error_refreshed n b Hb Hbn grad eta noise start t 0 (at_time t past) Pt)
    by (left; split; [reflexivity|intro; apply sub_self]). apply H, Ht.
Qed.

(* beta_t as a sum, for reading: [spreads 0] at time s is zeta (d_s + (b/n) p_s). *)
Lemma beta_unrolled t past : (t <= length past)%nat -> beta 0 (at_time t past) = sum t (fun s =>
  ((1 - B / N) * (1 - B / N)) ^ (t - 1 - s)
  * (spread n b / (B * B) * (spreads 0 (at_time s past) * spreads 0 (at_time s past)))).
Proof.
  induction t as [|t IH]; intro H.
  - replace (at_time 0 past) with (@nil batch); [reflexivity|].
    symmetry. apply length_zero_iff_nil, at_time_length, H.
  - destruct (at_time_step t past ltac:(lia)) as [J E]. rewrite E.
    cbn [sledge_tails.beta sum Nat.leb].
    rewrite IH by lia. rewrite <- sum_mul. replace (S t - 1 - t)%nat with 0%nat by lia. cbn [pow].
    rewrite Rmult_1_l. f_equal. apply sum_ext. intros s Hs.
    replace (S t - 1 - s)%nat with (S (t - 1 - s)) by lia. cbn [pow]. ring.
Qed.

(* ---- With a window ---- *)

Theorem lemma_1_second_power T T1 nu C : (1 <= T)%nat -> 0 < nu < 1 ->
  ln (N * INR T / nu) <= C -> N / B * C <= INR T1 -> INR T1 <= N / B * C + 1 -> (1 <= T1)%nat ->
  with_probability (sledge_history n b T) (1 - 2 * nu) (fun past => let x t := point (run (at_time
    t past)) in
    forall t, (t <= T)%nat ->
    sq (error n grad (run (at_time t past)))
    <= (1 + C) * (radius (INR (b * T)) (nu / INR T) * radius (INR (b * T)) (nu / INR T))
       * (zeta * zeta / B) * (spread n b / B)
       * sum t (fun s => if (t - T1 <=? s)%nat then sq (sub (x (S s)) (x s)) else 0)).
Proof.
  intros HT Hnu HC HT1 HT1' H1. assert (T0 : 1 <= INR T) by (change 1 with (INR 1); apply le_INR;
    assumption).
  pose proof (Bb n b Hb Hbn) as [B1 BN]. pose proof (Nn n b Hb Hbn) as N1.
  pose proof (BN_1 n b Hb Hbn) as [p0 p1].
  assert (nuT : 0 < nu / INR T < 1).
  { split; [apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra]|].
    apply Rmult_lt_reg_r with (INR T); [lra|]. replace (nu / INR T * INR T) with nu by (field;
      lra). lra. }
  set (l := radius (INR (b * T)) (nu / INR T)).
  pose proof (coverage_printed n b T T1 Hb Hbn C nu H1 HT ltac:(lra) HC HT1) as Cov.
  pose proof (union_bound_many (sledge_history n b T) T (nu / INR T) _
    (fun from _ => rows_likely n b Hb Hbn grad zeta zeta0 het eta noise start from T (nu / INR T) HT nuT)) as Many.
  replace (INR T * (nu / INR T)) with nu in Many by (field; lra).
  assert (Hw : 1 - 2 * nu <= 1 - (nu + nu)) by lra.
  eapply (with_probability_weaken _ _ _ _ _ Hw); [|apply (union_bound _ _ _ _ _ Cov Many)].
  intros past P [HF HM] x t Ht. pose proof (history_length _ _ _ P) as Len.
  pose proof (possible_at_time _ t T past P Ht) as Pt.
  pose proof (history_length _ _ _ Pt) as Lt.
  destruct (Nat.eq_dec t 0) as [Z|Z].
  { subst t. destruct (at_time 0 past); [|discriminate]. cbn [sum]. rewrite Rmult_0_r.
    unfold error, estimate. cbn [sledge sledge_start_II table point fst snd].
    fold (gradient n grad x0).
    rewrite sub_self, sq_zero. lra. }
  specialize (HM (t - T1)%nat ltac:(lia) t Ht). fold l in HM.
  rewrite (rows_error_refreshed n b Hb Hbn grad eta noise start t (t - T1)) in HM; [|assumption|].
  2:{ destruct (Nat.le_gt_cases t T1) as [g|g]; [left; split; [lia|intro; apply sub_self]|right]. intros i Hi.
    specialize (HF t i Ht Hi). lia. }
  eapply Rle_trans; [exact HM|]. subst x. cbv beta. rewrite <- (squares_sum n b grad eta noise
    start T1 t past) by lia.
  pose proof (beta_window n b Hb Hbn grad zeta zeta0 eta noise start (t - T1) (T1 - 1) (at_time t past) ltac:(lia)) as
    W. rewrite Lt in W.
  assert (PM : B / N * INR (T1 - 1) <= C).
  { rewrite minus_INR by assumption. simpl (INR 1). replace C with (B / N * (N / B * C))
    by (field; lra).
    apply Rmult_le_compat_l; lra. }
  assert (S0 : 0 <= spread n b) by apply (spread_bounds n b Hbn).
  assert (k0 : 0 <= spread n b / (B * B) * (zeta * zeta)).
  { apply Rmult_le_pos; [|apply Rle_0_sqr]. apply Rmult_le_pos; [assumption|].
    left. apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra. }
  pose proof (squares_nonneg n b grad eta noise start T1 (at_time t past)) as Q0.
  assert (Q : moves (t - (t - T1)) (at_time t past) <= moves T1 (at_time t past))
    by (apply squares_monotone; lia).
  pose proof (pos_INR (T1 - 1)) as M0. assert (0 <= B / N * INR (T1 - 1)) by (apply Rmult_le_pos;
    lra).
  assert (W2 : beta (t - T1)%nat (at_time t past)
    <= spread n b / (B * B) * (zeta * zeta) * (1 + C) * moves T1 (at_time t past)).
  { eapply Rle_trans; [exact W|]. apply Rmult_le_compat; [|apply squares_nonneg| |assumption].
    - apply Rmult_le_pos; lra.
    - apply Rmult_le_compat_l; [assumption|lra]. }
  replace ((1 + C) * (l * l) * (zeta * zeta / B) * (spread n b / B) * moves T1 (at_time t past))
    with (l * l * (spread n b / (B * B) * (zeta * zeta) * (1 + C) * moves T1 (at_time t past)))
      by (field; lra).
  apply Rmult_le_compat_l; [apply Rle_0_sqr|assumption].
Qed.

(* ---- As printed ---- *)

(* (1 + sqrt(log(bT^2/nu)/2))^2 <= 2(1 + C) for C >= log(nT/nu) *)
Lemma radius_bound T nu C : (1 <= T)%nat -> 0 < nu < 1 -> ln (N * INR T / nu) <= C ->
  radius (INR (b * T)) (nu / INR T) * radius (INR (b * T)) (nu / INR T) <= 2 * (1 + C).
Proof.
  intros HT Hnu HC. assert (T0 : 1 <= INR T) by (change 1 with (INR 1); apply le_INR; assumption).
  pose proof (Bb n b Hb Hbn) as [B1 BN]. set (y := N * INR T / nu) in *.
  assert (NT : 1 <= N * INR T). { replace 1 with (1 * 1) by ring. apply Rmult_le_compat; lra. }
  assert (I1 : 1 <= / nu). { rewrite <- Rinv_1. apply Rinv_le_contravar; lra. }
  assert (y1 : 1 <= y). { unfold y. replace 1 with (1 * 1) by ring. apply Rmult_le_compat; lra. }
  assert (L0 : 0 <= ln y) by (rewrite <- ln_1; destruct y1 as [y1|y1]; [left; apply ln_increasing;
    lra|rewrite <- y1; lra]).
  unfold radius. set (q := INR (b * T) / (nu / INR T)).
  assert (q0 : 0 < q).
  { unfold q. rewrite mult_INR. repeat apply Rmult_lt_0_compat; try lra.
    apply Rinv_0_lt_compat. apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra]. }
  assert (Q : ln q / 2 <= C).
  { assert (E : q <= y * y).
    { unfold q, y. rewrite mult_INR. replace (B * INR T / (nu / INR T))
      with (B * (INR T * INR T) * / nu) by (field; lra).
      replace (N * INR T / nu * (N * INR T / nu))
        with (N * N * (INR T * INR T) * (/ nu * / nu)) by (field; lra).
      assert (B <= N * N) by (apply Rle_trans with (N * 1); [lra|apply Rmult_le_compat_l; lra]).
      assert (0 <= INR T * INR T) by apply Rle_0_sqr.
      apply Rmult_le_compat; [apply Rmult_le_pos; lra|lra|apply Rmult_le_compat_r; assumption|].
      rewrite <- (Rmult_1_r (/ nu)) at 1. apply Rmult_le_compat_l; lra. }
    assert (ln q <= ln (y * y)) by (destruct E as [E|E]; [left; apply ln_increasing;
      assumption|rewrite E; lra]).
    rewrite ln_mult in H by lra. lra. }
  destruct (Rle_dec 0 (ln q / 2)) as [g|g].
  - pose proof (sqrt_sqrt (ln q / 2) g) as S2. set (s := sqrt (ln q / 2)) in *.
    pose proof (Rle_0_sqr (1 - s)) as S3. unfold Rsqr in S3. lra.
  - rewrite sqrt_neg_0 by lra. lra.
Qed.
Theorem lemma_1_eight T T1 nu C : (1 <= T)%nat -> 0 < nu < 1 ->
  1 <= C -> ln (N * INR T / nu) <= C -> N / B * C <= INR T1 -> INR T1 <= N / B * C + 1 ->
  with_probability (sledge_history n b T) (1 - 2 * nu) (fun past => let x t := point (run (at_time
    t past)) in
    forall t, (t <= T)%nat ->
    sq (error n grad (run (at_time t past)))
    <= 8 * C ^ 2 * (zeta * zeta) / B
       * sum t (fun s => if (t - T1 <=? s)%nat then sq (sub (x (S s)) (x s)) else 0)).
Proof.
  intros HT Hnu HC1 HC HT1 HT1'. pose proof (Bb n b Hb Hbn) as [B1 BN].
  assert (H1 : (1 <= T1)%nat).
  { apply INR_le. simpl (INR 1). apply Rle_trans with (N / B * C); [|assumption].
    replace 1 with (1 * 1) by ring. apply Rmult_le_compat; try lra.
    apply Rmult_le_reg_r with B; [lra|]. replace (N / B * B) with N by (field; lra). lra. }
  eapply with_probability_weaken; [apply Rle_refl| |apply (lemma_1_second_power T T1 nu C);
    assumption].
  intros past P H x t Ht. specialize (H t Ht). fold x in H. eapply Rle_trans; [exact H|].
  apply Rmult_le_compat_r.
  { apply sum_nonneg. intros s _. destruct (Nat.leb _ _); [apply sq_nonneg|lra]. }
  pose proof (radius_bound T nu C HT Hnu HC) as R. set (l2 := radius _ _ * radius _ _) in *.
  assert (l0 : 0 <= l2) by apply Rle_0_sqr.
  assert (z2 : 0 <= zeta * zeta / B) by (apply Rmult_le_pos; [apply Rle_0_sqr|left;
    apply Rinv_0_lt_compat; lra]).
  assert (S1 : 0 <= spread n b / B <= 1).
  { pose proof (spread_bounds n b Hbn). split; [apply Rmult_le_pos; [lra|left;
    apply Rinv_0_lt_compat; lra]|].
    apply Rmult_le_reg_r with B; [lra|]. replace (spread n b / B * B) with (spread n b) by (field;
      lra). lra. }
  assert (K : (1 + C) * l2 <= 8 * C ^ 2).
  { apply Rle_trans with (2 * C * (2 * (2 * C))); [|right; ring]. apply Rmult_le_compat; lra. }
  replace (8 * C ^ 2 * (zeta * zeta) / B) with (8 * C ^ 2 * (zeta * zeta / B) * 1) by (field; lra).
  assert (K0 : 0 <= (1 + C) * l2) by (apply Rmult_le_pos; lra).
  apply Rmult_le_compat; [apply Rmult_le_pos; assumption|lra|apply Rmult_le_compat_r;
    assumption|lra].
Qed.
Theorem lemma_1_printed T T1 nu C : (1 <= T)%nat -> 0 < nu < 1 ->
  1 <= C -> ln (N * INR T / nu) <= C -> N / B * C <= INR T1 -> INR T1 <= N / B * C + 1 ->
  with_probability (sledge_history n b T) (1 - 3 * nu) (fun past => let x t := point (run (at_time
    t past)) in
    forall t, (t <= T)%nat ->
    sq (error n grad (run (at_time t past)))
    <= 15 * C ^ 8 * (zeta * zeta) / B
       * sum t (fun s => if (t - T1 <=? s)%nat then sq (sub (x (S s)) (x s)) else 0)).
Proof.
  intros HT Hnu HC1 HC HT1 HT1'. pose proof (Bb n b Hb Hbn) as [B1 BN].
  assert (Hw : 1 - 3 * nu <= 1 - 2 * nu) by lra.
  eapply (with_probability_weaken _ _ _ _ _ Hw); [|apply (lemma_1_eight T T1 nu C); assumption].
  intros past P H x t Ht. specialize (H t Ht). fold x in H. eapply Rle_trans; [exact H|].
  apply Rmult_le_compat_r.
  { apply sum_nonneg. intros s _. destruct (Nat.leb _ _); [apply sq_nonneg|lra]. }
  unfold Rdiv. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|].
  apply Rmult_le_compat_r; [apply Rle_0_sqr|].
  assert (C ^ 2 <= C ^ 8) by (apply Rle_pow; [assumption|lia]).
  pose proof (pow_le C 2 ltac:(lra)). lra.
Qed.
(* As on page 6 (lines 335-342): T_1 = O~(n/b), here (n/b) log(3nT/nu) rounded up, and C = O~(1), here 8 log(3nT/nu)^2.
*)
Theorem lemma_1_informal T T1 nu : (1 <= T)%nat -> 0 < nu < 1 ->
  let l := ln (3 * N * INR T / nu) in
  N / B * l <= INR T1 -> INR T1 <= N / B * l + 1 ->
  with_probability (sledge_history n b T) (1 - nu) (fun past => let x t := point (run (at_time t past)) in
    forall t, (t <= T)%nat ->
    sq (error n grad (run (at_time t past)))
    <= 8 * l ^ 2 * (zeta * zeta) / B
       * sum t (fun s => if (t - T1 <=? s)%nat then sq (sub (x (S s)) (x s)) else 0)).
Proof.
  intros HT Hnu l H1 H2. pose proof (Bb n b Hb Hbn) as [B1 BN].
  assert (T0 : 1 <= INR T) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (NT : 1 <= N * INR T). { replace 1 with (1 * 1) by ring. apply Rmult_le_compat; lra. }
  assert (I1 : 1 < / nu) by (rewrite <- Rinv_1; apply Rinv_lt_contravar; lra).
  assert (Y : 3 * 1 <= 3 * (N * INR T) * / nu).
  { rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|]. replace 1 with (1 * 1) by ring. apply Rmult_le_compat; lra. }
  assert (L1 : 1 <= l).
  { rewrite <- (ln_exp 1). pose proof exp_le_3 as E3. unfold l, Rdiv.
    replace (3 * N * INR T * / nu) with (3 * (N * INR T) * / nu) by ring.
    destruct (Req_dec (exp 1) (3 * (N * INR T) * / nu)) as [<-|]; [lra|].
    apply Rlt_le, ln_increasing; [apply exp_pos|lra]. }
  eapply (with_probability_weaken _ (1 - 2 * (nu / 2))); [lra| |
    apply (lemma_1_eight T T1 (nu / 2) l HT ltac:(lra) L1)]; [auto| |assumption|assumption].
  unfold l. apply Rlt_le, ln_increasing.
  - apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra].
  - replace (N * INR T / (nu / 2)) with (2 * (N * INR T) * / nu) by (field; lra).
    replace (3 * N * INR T / nu) with (3 * (N * INR T) * / nu) by (field; lra).
    apply Rmult_lt_compat_r; lra.
Qed.
End Windows.
