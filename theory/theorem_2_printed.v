(* Theorem 2 by the appendix's own inequality (theorem:First-Main, lines 1484-1530).

   [first_sum_with_variance] (lines 1491-1506): Lemma 1 as printed, inserted into the sum of the descent over a run of
   SLEDGE: with probability at least 1 - 3 nu
       sum_{t=1}^T |grad f(x^{t-1})|^2 <= (2/eta) (f(x^0) - f(x^T)
           - (1/(2 eta) - L/2 - 15 C_1^9 eta zeta^2 n/b^2) sum_{t=1}^T |x^t - x^{t-1}|^2
           [+ (12 eta C_1^3 n/b^2)(sigma_c^2 + G_c^2/b)]) + 2 T r^2/eta^2,
   for Option II, and for Option I with the term in brackets, where T_1 = (n/b) C_1 is whole. *)
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
