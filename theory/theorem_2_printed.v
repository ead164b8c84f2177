(* Theorem 2 by the appendix's own inequality (theorem:First-Main, lines 1484-1530).

   [first_sum_with_variance] (lines 1491-1506): Lemma 1 as printed, inserted into the sum of the descent over a run of
   SLEDGE: with probability at least 1 - 3 nu
       sum_{t=1}^T |grad f(x^{t-1})|^2 <= (2/eta) (f(x^0) - f(x^T)
           - (1/(2 eta) - L/2 - 15 C_1^9 eta zeta^2 n/b^2) sum_{t=1}^T |x^t - x^{t-1}|^2
           [+ (12 eta C_1^3 n/b^2)(sigma_c^2 + G_c^2/b)]) + 2 T r^2/eta^2,
   for Option II, and for Option I with the term in brackets, where T_1 = (n/b) C_1 is whole.
   [phase_rearranged] (lines 1976-1989): the same with eta = min{1/(4L), b/(C_1^4.5 zeta sqrt(120 n))}, of the order of
   1/L up to a power of C_1 for b >= sqrt n, rearranged for the phases of Theorem 4. *)
From Coq Require Import Reals Lra Lia List PeanoNat Bool.
From Sledge Require Import vectors means minibatches algorithms problems second_moments sledge_errors probability
  bernstein.
From Sledge Require Import coverage lemma_1 concentration steps run_sums auxiliary.
Import ListNotations.
Open Scope R_scope.

Section Printed.
Context {V : space}.
Variables (n b T T1 : nat).
Hypothesis Hb : (1 <= b)%nat.
Hypothesis Hbn : (b <= n)%nat.
Hypothesis HT : (1 <= T)%nat.
Variables (f : nat -> V -> R) (grad : nat -> V -> V) (L zeta nu eta r : R).
Hypothesis smoothness : smooth n f grad L.
Hypothesis zeta0 : 0 <= zeta.
Hypothesis het : heterogeneous n grad zeta.
Hypothesis Hnu : 0 < nu < 1.
Hypothesis Heta : 0 < eta.
Variable x0 : V.
Notation N := (INR n).
Notation B := (INR b).
Notation F := (objective n f).
Notation full := (gradient n grad).

Lemma sum_inserted start noise C sigma2 G2 past : 1 <= C -> INR T1 = N / B * C -> 0 <= sigma2 -> 0 <= G2 ->
  (forall h, norm (noise h) <= r) -> length past = T ->
  let run := sledge n b eta noise grad start in
  let x t := point (run (at_time t past)) in
  let step2 s := sq (sub (x (S s)) (x s)) in
  let window t := sum t (fun s => if (t - T1 <=? s)%nat then step2 s else 0) in
  let error2 t := sq (error n grad (run (at_time t past))) in
  let total := sum T step2 in
  ((forall t, (t < T)%nat -> error2 t <= 15 * C ^ 8 * (zeta * zeta) / B * window t) ->
   sum T (fun t => sq (full (x t)))
   <= 2 / eta * (F (x 0%nat) - F (x T)
       - (1 / (2 * eta) - L / 2 - 15 * C ^ 9 * eta * (zeta * zeta) * N / (B * B)) * total)
      + 2 * INR T * (r * r) / (eta * eta))
  /\ ((forall t, (t < T)%nat -> error2 t <= 15 * C ^ 8 * (zeta * zeta) / B * window t
      + (if (t <? T1)%nat then 12 * C ^ 2 / B * (sigma2 + G2 / B) else 0)) ->
   sum T (fun t => sq (full (x t)))
   <= 2 / eta * (F (x 0%nat) - F (x T)
       - (1 / (2 * eta) - L / 2 - 15 * C ^ 9 * eta * (zeta * zeta) * N / (B * B)) * total
       + 12 * eta * C ^ 3 * N / (B * B) * (sigma2 + G2 / B))
      + 2 * INR T * (r * r) / (eta * eta)).
Proof.
  intros HC HT1 Hs HG Hr Len run x step2 window error2 total.
  pose proof (first_sum n b eta noise f grad L r start past ltac:(lia) smoothness Heta Hr) as FS. rewrite Len in FS.
  assert (FS2 : sum T (fun t => sq (full (x t)))
    <= 2 / eta * (F (x 0%nat) - F (x T) - sum T (fun s => (1 / (2 * eta) - L / 2) * step2 s) + eta * sum T error2)
      + 2 * INR T * (r * r) / (eta * eta)).
  { replace (sum T error2) with (sum T (fun t => sq (sub (full (x t)) (estimate n (run (at_time t past)))))); [exact
    FS|].
    apply sum_ext. intros. unfold error2, error. apply sq_sub_sym. }
  apply (variance_inserted n b T T1 C zeta sigma2 G2 eta L r (F (x 0%nat)) (F (x T)) ltac:(lia) Hb HC HT1 Heta Hs HG
    (fun t => sq (full (x t))) step2 error2 ltac:(intro; apply sq_nonneg) FS2).
Qed.

(* Lines 1491-1506, both options. *)
Theorem first_sum_with_variance :
  (forall noise C, (forall h, norm (noise h) <= r) -> 1 <= C -> ln (N * INR T / nu) <= C -> INR T1 = N / B * C ->
   with_probability (sledge_history n b T) (1 - 3 * nu) (fun past =>
     let x t := point (sledge n b eta noise grad (sledge_start_II grad x0) (at_time t past)) in
     sum T (fun t => sq (full (x t)))
     <= 2 / eta * (F x0 - F (x T) - (1 / (2 * eta) - L / 2 - 15 * C ^ 9 * eta * (zeta * zeta) * N / (B * B))
         * sum T (fun s => sq (sub (x (S s)) (x s)))) + 2 * INR T * (r * r) / (eta * eta)))
  /\ (forall noise P d K sigma_c G_c c, (1 <= P)%nat -> (1 <= d)%nat -> (1 <= K)%nat ->
   (forall I0 h, norm (noise I0 h) <= r) -> deviation n grad x0 <= sigma_c ^ 2 ->
   (forall i, (i < n)%nat -> norm (sub (grad i x0) (full x0)) <= G_c) -> 10 <= c ->
   let C := c * log_all nu n P d T K in INR T1 = N / B * C ->
   with_probability (sledge_history_I n b T) (1 - 3 * nu) (fun o => let I0 := fst o in let past := snd o in
     let x t := point (sledge n b eta (noise I0) grad (sledge_start_I n b grad x0 I0) (at_time t past)) in
     sum T (fun t => sq (full (x t)))
     <= 2 / eta * (F x0 - F (x T) - (1 / (2 * eta) - L / 2 - 15 * C ^ 9 * eta * (zeta * zeta) * N / (B * B))
         * sum T (fun s => sq (sub (x (S s)) (x s)))
         + 12 * eta * C ^ 3 * N / (B * B) * (sigma_c ^ 2 + G_c ^ 2 / B)) + 2 * INR T * (r * r) / (eta * eta))).
Proof.
  assert (X0 : forall start noise past, length past = T -> @point R V (sledge n b eta noise grad start (at_time 0
    past)) = point start).
  { intros start noise past Len. replace (at_time 0 past) with (@nil batch); [reflexivity|].
    symmetry. apply length_zero_iff_nil, at_time_length. lia. }
  split.
  - intros noise C Hr HC HL HT1.
    eapply with_probability_weaken; [apply Rle_refl| |apply (lemma_1_printed n b Hb Hbn grad zeta zeta0 het eta noise x0
      T T1 nu C HT Hnu HC HL); rewrite HT1; lra].
    intros past Pp H x. pose proof (history_length _ _ _ Pp) as Len.
    destruct (sum_inserted (sledge_start_II grad x0) noise C 0 0 past HC HT1 (Rle_refl 0) (Rle_refl 0) Hr Len) as [S _].
    specialize (S ltac:(intros t Ht; apply H; lia)). rewrite X0 in S by assumption. exact S.
  - intros noise P d K sigma_c G_c c HP Hd HK Hr Hs HG Hc C HT1.
    pose proof (log_all_above nu n P d T K ltac:(lra) ltac:(lia) HP Hd HT HK) as LA.
    assert (HC : 1 <= C). { unfold C. replace 1 with (1 * 1) by ring. apply Rmult_le_compat; lra. }
    assert (S0 : forall y, 0 <= y ^ 2) by (intro y; replace (y ^ 2) with (y * y) by ring; apply Rle_0_sqr).
    eapply with_probability_weaken; [apply Rle_refl| |apply (lemma_1_option_I n b P d T K Hb Hbn HP Hd HT HK nu c Hnu
      grad zeta zeta0 het eta x0 sigma_c G_c Hs HG noise T1 Hc); fold C; rewrite HT1; lra].
    intros o Po H I0 past x. assert (Len : length past = T).
    { destruct Po as [J [_ [p [Pp e]]]]. simpl in e. unfold past. subst o. apply (history_length _ _ _ Pp). }
    destruct (sum_inserted (sledge_start_I n b grad x0 I0) (noise I0) C (sigma_c ^ 2) (G_c ^ 2) past HC HT1 (S0 _) (S0
      _)
      (Hr I0) Len) as [_ S].
    specialize (S ltac:(intros t Ht; apply H; lia)). rewrite X0 in S by assumption. exact S.
Qed.
End Printed.

(* ---- The phases of Theorem 4 (theorem:Second-Main, lines 1976-1989) ---- *)

(* eta = min{1/(4L), b/(C_1^4.5 zeta sqrt(120 n))}, which is Theta~(1/L) for b >= sqrt n; written so as to have a
   meaning for zeta = 0. *)
Definition phase_step_size (n b : nat) (L zeta C : R) : R :=
  / Rmax (4 * L) (Rpower C (9 / 2) * zeta * sqrt (120 * INR n) / INR b).
Lemma phase_step_bounds n b L zeta C : (1 <= b)%nat -> (b <= n)%nat -> 0 < L -> 0 <= zeta -> 1 <= C ->
  let eta := phase_step_size n b L zeta C in
  0 < eta <= 1 / (4 * L) /\ L / 2 + 15 * C ^ 9 * eta * (zeta * zeta) * INR n / (INR b * INR b) <= 1 / (4 * eta).
Proof.
  intros Hb Hbn HL Hz HC eta. assert (B0 : 0 < INR b) by (apply lt_0_INR; lia).
  assert (N0 : 0 < INR n) by (apply lt_0_INR; lia).
  assert (p0 : 0 < Rpower C (9 / 2)) by apply exp_pos. set (p := Rpower C (9 / 2)) in *.
  assert (pp : p * p = C ^ 9).
  { unfold p. rewrite <- Rpower_plus. replace (9 / 2 + 9 / 2) with (INR 9) by (simpl; lra). apply Rpower_pow. lra. }
  pose proof (sqrt_pos (120 * INR n)) as s0. pose proof (sqrt_sqrt (120 * INR n) ltac:(lra)) as ss.
  set (s := sqrt (120 * INR n)) in *. unfold eta, phase_step_size. fold p s.
  set (y := p * zeta * s / INR b).
  assert (y0 : 0 <= y).
  { apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat, B0]. apply Rmult_le_pos; [|exact s0]. apply Rmult_le_pos; lra. }
  pose proof (Rmax_l (4 * L) y) as M1. pose proof (Rmax_r (4 * L) y) as M2. set (M := Rmax (4 * L) y) in *.
  assert (M0 : 0 < M) by lra. split; [split|].
  - apply Rinv_0_lt_compat, M0.
  - unfold Rdiv. rewrite Rmult_1_l. apply Rinv_le_contravar; lra.
  - replace (15 * C ^ 9 * / M * (zeta * zeta) * INR n / (INR b * INR b)) with (y * y / 8 * / M).
    2:{ unfold y. rewrite <- pp. replace (p * zeta * s / INR b * (p * zeta * s / INR b))
          with (p * p * (zeta * zeta) * (s * s) / (INR b * INR b)) by (field; lra). rewrite ss. field. lra. }
    replace (1 / (4 * / M)) with (M / 4) by (field; lra).
    assert (Y : y * y * / M <= M).
    { apply Rmult_le_reg_r with M; [assumption|]. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
      apply Rmult_le_compat; lra. }
    lra.
Qed.
(* Theta~(1/L): for b >= sqrt n and zeta <= 2L only a power of C_1 lies between eta and 1/L. *)
Lemma phase_step_order n b L zeta C : (1 <= b)%nat -> (b <= n)%nat -> 0 < L -> 0 <= zeta <= 2 * L -> 1 <= C ->
  sqrt (INR n) <= INR b -> 1 / (22 * Rpower C (9 / 2) * L) <= phase_step_size n b L zeta C <= 1 / (4 * L).
Proof.
  intros Hb Hbn HL [z0 z1] HC Hs. split; [|apply phase_step_bounds; assumption].
  assert (B0 : 0 < INR b) by (apply lt_0_INR; lia). pose proof (pos_INR n) as N0.
  assert (p1 : 1 <= Rpower C (9 / 2)).
  { rewrite <- (Rpower_O C) by lra. apply Rle_Rpower; lra. }
  unfold phase_step_size. set (p := Rpower C (9 / 2)) in *. unfold Rdiv. rewrite Rmult_1_l.
  apply Rinv_le_contravar.
  - eapply Rlt_le_trans; [|apply Rmax_l]. lra.
  - assert (pL : 1 * L <= p * L) by (apply Rmult_le_compat_r; lra). apply Rmax_lub; [lra|].
    apply Rmult_le_reg_r with (INR b); [assumption|]. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    rewrite sqrt_mult by lra. pose proof (sqrt_pos 120) as s1. pose proof (sqrt_pos (INR n)) as s2.
    assert (s3 : sqrt 120 <= 11).
    { apply Rsqr_incr_0_var; [|lra]. unfold Rsqr. rewrite sqrt_sqrt by lra. lra. }
    assert (X : sqrt 120 * sqrt (INR n) <= 11 * INR b) by (apply Rmult_le_compat; lra).
    assert (X0 : 0 <= sqrt 120 * sqrt (INR n)) by (apply Rmult_le_pos; assumption).
    assert (Y : p * zeta <= p * (2 * L)) by (apply Rmult_le_compat_l; lra).
    assert (Y0 : 0 <= p * zeta) by (apply Rmult_le_pos; lra).
    apply Rle_trans with (p * (2 * L) * (11 * INR b)); [apply Rmult_le_compat; assumption|]. right. ring.
Qed.
(* Lines 1976-1989, both options: with probability at least 1 - 3 nu
     sum_{t=1}^T |grad f(x^{t-1})|^2 + (1/(2 eta^2)) sum_{t=1}^T |x^t - x^{t-1}|^2
     <= 2 Delta/eta [+ (2/eta)(12 eta C_1^3 n/b^2)(sigma_c^2 + G_c^2/b)] + 2 T r^2/eta^2. *)
Theorem phase_rearranged {V : space} n b T T1 (f : nat -> V -> R) grad L zeta fstar nu r x0 :
  (1 <= b)%nat -> (b <= n)%nat -> (1 <= T)%nat -> 0 < L -> 0 <= zeta -> smooth n f grad L -> heterogeneous n grad zeta
    ->
  (forall x, fstar <= objective n f x) -> 0 < nu < 1 ->
  let Delta := objective n f x0 - fstar in
  let left_side eta (x : nat -> V) := sum T (fun t => sq (gradient n grad (x t)))
    + 1 / (2 * eta ^ 2) * sum T (fun t => sq (sub (x (S t)) (x t))) in
  (forall C, 1 <= C -> 0 < phase_step_size n b L zeta C
     /\ (sqrt (INR n) <= INR b -> zeta <= 2 * L ->
         1 / (22 * Rpower C (9 / 2) * L) <= phase_step_size n b L zeta C <= 1 / (4 * L)))
  /\ (forall noise C, (forall h, norm (noise h) <= r) -> 1 <= C -> ln (INR n * INR T / nu) <= C ->
   INR T1 = INR n / INR b * C -> let eta := phase_step_size n b L zeta C in
   with_probability (sledge_history n b T) (1 - 3 * nu) (fun past =>
     left_side eta (fun t => point (sledge n b eta noise grad (sledge_start_II grad x0) (at_time t past)))
     <= 2 * Delta / eta + 2 * INR T * r ^ 2 / eta ^ 2))
  /\ (forall noise P d K sigma_c G_c c, (1 <= P)%nat -> (1 <= d)%nat -> (1 <= K)%nat ->
   (forall I0 h, norm (noise I0 h) <= r) -> deviation n grad x0 <= sigma_c ^ 2 ->
   (forall i, (i < n)%nat -> norm (sub (grad i x0) (gradient n grad x0)) <= G_c) -> 10 <= c ->
   let C := c * log_all nu n P d T K in INR T1 = INR n / INR b * C -> let eta := phase_step_size n b L zeta C in
   with_probability (sledge_history_I n b T) (1 - 3 * nu) (fun o => let I0 := fst o in let past := snd o in
     left_side eta (fun t => point (sledge n b eta (noise I0) grad (sledge_start_I n b grad x0 I0) (at_time t past)))
     <= 2 / eta * (Delta + 12 * eta * C ^ 3 * INR n / INR b ^ 2 * (sigma_c ^ 2 + G_c ^ 2 / INR b))
        + 2 * INR T * r ^ 2 / eta ^ 2)).
Proof.
  intros Hb Hbn HT HL Hz Sm Het Inf Hnu Delta left_side.
  assert (B0 : 0 < INR b) by (apply lt_0_INR; lia).
  (* the coefficient of the movement is at least 1/(4 eta) *)
  assert (R : forall C (x : nat -> V) extra, 1 <= C -> let eta := phase_step_size n b L zeta C in
    sum T (fun t => sq (gradient n grad (x t))) <= 2 / eta * (objective n f x0 - objective n f (x T)
      - (1 / (2 * eta) - L / 2 - 15 * C ^ 9 * eta * (zeta * zeta) * INR n / (INR b * INR b))
        * sum T (fun t => sq (sub (x (S t)) (x t))) + extra) + 2 * INR T * (r * r) / (eta * eta) ->
    left_side eta x <= 2 / eta * (Delta + extra) + 2 * INR T * r ^ 2 / eta ^ 2).
  { intros C x extra HC eta H. destruct (phase_step_bounds n b L zeta C Hb Hbn HL Hz HC) as [[e0 _] e1].
    fold eta in e0, e1. unfold left_side.
    pose proof (sum_nonneg T (fun t => sq (sub (x (S t)) (x t))) (fun t _ => sq_nonneg _)) as S0.
    set (S := sum T (fun t => sq (sub (x (S t)) (x t)))) in *.
    set (k := 15 * C ^ 9 * eta * (zeta * zeta) * INR n / (INR b * INR b)) in *.
    assert (X : 1 / (4 * eta) * S <= (1 / (2 * eta) - L / 2 - k) * S).
    { apply Rmult_le_compat_r; [assumption|]. replace (1 / (2 * eta)) with (1 / (4 * eta) + 1 / (4 * eta)) by (field;
      lra).
      lra. }
    assert (i2 : 0 < 2 / eta) by (apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat, e0]).
    specialize (Inf (x T)).
    assert (Y : 2 / eta * (objective n f x0 - objective n f (x T) - (1 / (2 * eta) - L / 2 - k) * S + extra)
      <= 2 / eta * (Delta + extra - 1 / (4 * eta) * S)) by (apply Rmult_le_compat_l; [lra|unfold Delta; lra]).
    replace (2 / eta * (Delta + extra)) with (2 / eta * (Delta + extra - 1 / (4 * eta) * S) + 1 / (2 * eta ^ 2) * S)
      by (field; lra).
    replace (2 * INR T * r ^ 2 / eta ^ 2) with (2 * INR T * (r * r) / (eta * eta)) by (field; lra). lra. }
  split; [|split].
  - intros C HC. split; [apply phase_step_bounds; assumption|]. intros. apply phase_step_order; lra || assumption ||
    auto.
  - intros noise C Hr HC HL' HT1 eta. destruct (phase_step_bounds n b L zeta C Hb Hbn HL Hz HC) as [[e0 _] _].
    eapply with_probability_weaken; [apply Rle_refl| |apply (proj1 (first_sum_with_variance n b T T1 Hb Hbn HT f grad L
      zeta nu eta r Sm Hz Het Hnu e0 x0) noise C Hr HC HL' HT1)].
    intros past _ H. cbv zeta in H. replace (2 * Delta / eta) with (2 / eta * (Delta + 0)) by (field; fold eta in e0;
      lra).
    apply (R C _ 0 HC). fold eta. rewrite Rplus_0_r. exact H.
  - intros noise P d K sigma_c G_c c HP Hd HK Hr Hs HG Hc C HT1 eta.
    assert (HC : 1 <= C).
    { pose proof (log_all_above nu n P d T K ltac:(lra) ltac:(lia) HP Hd HT HK) as LA. unfold C.
      replace 1 with (1 * 1) by ring. apply Rmult_le_compat; lra. }
    destruct (phase_step_bounds n b L zeta C Hb Hbn HL Hz HC) as [[e0 _] _].
    eapply with_probability_weaken; [apply Rle_refl| |apply (proj2 (first_sum_with_variance n b T T1 Hb Hbn HT f grad L
      zeta nu eta r Sm Hz Het Hnu e0 x0) noise P d K sigma_c G_c c HP Hd HK Hr Hs HG Hc HT1)].
    intros o _ H. cbv zeta in H. cbv zeta. apply (R C _ _ HC). fold eta.
    replace (INR b ^ 2) with (INR b * INR b) by ring. exact H.
Qed.
