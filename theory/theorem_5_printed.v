(* Theorem 5 by the appendix's own inequality (theorem:PL-Main, lines 2056-2125).

   [pl_final_inequality] (lines 2114-2125): with eta = c min{1/L, b/(C_1^4.5 zeta sqrt n), b/(mu C_1 n)}, any
   c <= 1/(1 + sqrt 30), with probability at least 1 - 3 nu, for all t <= T at once,
       f(x^t) - fstar <= (1 - eta mu)^t (f(x^0) - fstar) + sum_{s=1}^t (1 - eta mu)^{t-s} r^2/eta
           [+ (1 - eta mu)^{t-T_1} (12 C_1^3 eta n/b^2) (sigma_c^2 + G_c^2/b)],
   for Option II, and for Option I with the term in brackets, where T_1 = (n/b) C_1 is whole. A heterogeneity zeta = 0
   may be taken as any zeta > 0.

   Proof, that of the text: Lemma 1 as printed is inserted into the descent under the PL condition, which is multiplied
   by powers of 1 - eta mu and summed up; each step is in T_1 windows, in none of them discounted by more than
   (1 - eta mu)^{T_1}; the coefficient of the movement is not negative by [step_size_choice]. *)
From Coq Require Import Reals Lra Lia List PeanoNat Bool ZArith.
From Sledge Require Import vectors means minibatches algorithms problems second_moments sledge_errors probability.
From Sledge Require Import theorem_5_expectation bernstein lemma_1 concentration steps auxiliary pl_steps.
Import ListNotations.
Open Scope R_scope.

(* ---- Discounted sums ---- *)

Lemma unrolled rho (u a : nat -> R) t : 0 <= rho -> (forall s, (s < t)%nat -> u (S s) <= rho * u s + a s) ->
  u t <= rho ^ t * u 0%nat + sum t (fun s => rho ^ (t - S s) * a s).
Proof.
  intros Hr. induction t as [|t IH]; intro H; [cbn [pow sum]; lra|].
  specialize (IH ltac:(intros; apply H; lia)). specialize (H t ltac:(lia)). cbn [sum]. rewrite Nat.sub_diag.
  rewrite (sum_ext t _ (fun s => rho * (rho ^ (t - S s) * a s))).
  - rewrite sum_mul. apply (Rmult_le_compat_l rho) in IH; [|assumption]. cbn [pow]. lra.
  - intros s Hs. replace (S t - S s)%nat with (S (t - S s)) by lia. cbn [pow]. ring.
Qed.
Lemma pow_less rho i j : 0 <= rho <= 1 -> (j <= i)%nat -> rho ^ i <= rho ^ j.
Proof.
  intros [r0 r1] H. replace i with (j + (i - j))%nat by lia. rewrite pow_add. pose proof (pow_le rho j r0).
  assert (rho ^ (i - j) <= 1) by (rewrite <- (pow1 (i - j)); apply pow_incr; lra).
  rewrite <- (Rmult_1_r (rho ^ j)) at 2. apply Rmult_le_compat_l; assumption.
Qed.
Lemma windows_discounted rho T1 (a : nat -> R) t : 0 <= rho <= 1 -> (forall s, 0 <= a s) ->
  rho ^ T1 * sum t (fun s => rho ^ (t - S s) * sum s (fun k => if (s - T1 <=? k)%nat then a k else 0))
  <= INR T1 * sum t (fun k => rho ^ (t - S k) * a k).
Proof.
  intros [r0 r1] A. eapply Rle_trans; [|apply (windows t T1 (fun k => rho ^ (t - S k) * a k))].
  - rewrite <- sum_mul. apply sum_le. intros s Hs. rewrite <- !sum_mul. apply sum_le. intros k Hk.
    destruct (Nat.leb_spec (s - T1) k) as [l|l]; [|lra]. rewrite <- !Rmult_assoc, <- pow_add.
    apply Rmult_le_compat_r; [apply A|]. apply pow_less; [lra|lia].
  - intro k. apply Rmult_le_pos; [apply pow_le, r0|apply A].
Qed.
Lemma first_discounted rho T1 c t : 0 <= rho <= 1 -> 0 <= c ->
  rho ^ T1 * sum t (fun s => rho ^ (t - S s) * (if (s <? T1)%nat then c else 0)) <= INR T1 * (rho ^ t * c).
Proof.
  intros [r0 r1] Hc. rewrite <- sum_mul. assert (X : 0 <= rho ^ t * c) by (apply Rmult_le_pos; [apply pow_le, r0|exact
    Hc]).
  apply Rle_trans with (sum t (fun s => if (s <? T1)%nat then rho ^ t * c else 0)).
  - apply sum_le. intros s Hs. destruct (Nat.ltb_spec s T1) as [l|l]; [|lra].
    rewrite <- Rmult_assoc, <- pow_add. apply Rmult_le_compat_r; [exact Hc|]. apply pow_less; [lra|lia].
  - set (y := rho ^ t * c) in *. clearbody y.
    replace (sum t _) with (INR (Nat.min t T1) * y).
    + apply Rmult_le_compat_r; [exact X|]. apply le_INR. lia.
    + induction t as [|t IH]; [simpl; ring|]. cbn [sum]. rewrite <- IH. destruct (Nat.ltb_spec t T1) as [l|l].
      * replace (Nat.min (S t) T1) with (S (Nat.min t T1)) by lia. rewrite S_INR. ring.
      * replace (Nat.min (S t) T1) with (Nat.min t T1) by lia. ring.
Qed.
Lemma at_time_step {O} t (past : list O) : (t < length past)%nat -> exists o, at_time (S t) past = o :: at_time t past.
Proof.
  induction past as [|o past IH]; intro H; [cbn [length] in H; lia|]. cbn [length] in H.
  destruct (Nat.eq_dec t (length past)) as [e|e].
  - exists o. subst t. change (S (length past)) with (length (o :: past)). rewrite at_time_all, at_time_before,
    at_time_all
      by lia. reflexivity.
  - rewrite !at_time_before by lia. apply IH. lia.
Qed.

(* ---- The inequality ---- *)

Definition printed_step_size (c : R) (n b : nat) (L zeta mu C : R) : R :=
  c * Rmin (1 / L) (Rmin (INR b / (Rpower C (9 / 2) * zeta * sqrt (INR n))) (INR b / (mu * C * INR n))).

Section Final.
Context {V : space}.
Variables (n b T T1 : nat).
Hypothesis Hb : (1 <= b)%nat.
Hypothesis Hbn : (b <= n)%nat.
Hypothesis HT : (1 <= T)%nat.
Variables (f : nat -> V -> R) (grad : nat -> V -> V) (L zeta mu fstar c nu r : R).
Hypothesis HL : 0 < L.
Hypothesis Hz : 0 < zeta.
Hypothesis Hmu : 0 < mu.
Hypothesis smoothness : smooth n f grad L.
Hypothesis het : heterogeneous n grad zeta.
Hypothesis pl : polyak mu fstar (objective n f) (gradient n grad).
Hypothesis Hc : 0 < c <= 1 / (1 + sqrt 30).
Hypothesis Hnu : 0 < nu < 1.
Variable x0 : V.
Notation N := (INR n).
Notation B := (INR b).
Notation F := (objective n f).
Notation full := (gradient n grad).
Notation eta C := (printed_step_size c n b L zeta mu C).

Lemma printed_step_bounds C : 1 <= C -> 0 < eta C /\ eta C * mu < 1.
Proof.
  intro HC. assert (B1 : 1 <= B) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (BN : B <= N) by (apply le_INR; assumption). pose proof (sqrt_lt_R0 N ltac:(lra)) as s0.
  assert (p0 : 0 < Rpower C (9 / 2)) by apply exp_pos.
  assert (t0 : 0 <= sqrt 30) by apply sqrt_pos.
  assert (c1 : c <= 1). { eapply Rle_trans; [apply Hc|]. apply Rmult_le_reg_r with (1 + sqrt 30); [lra|].
    replace (1 / (1 + sqrt 30) * (1 + sqrt 30)) with 1 by (field; lra). lra. }
  assert (c2 : c < 1). { destruct Hc as [c0 c2]. eapply Rle_lt_trans; [exact c2|].
    assert (0 < sqrt 30) by (apply sqrt_lt_R0; lra). apply Rmult_lt_reg_r with (1 + sqrt 30); [lra|].
    replace (1 / (1 + sqrt 30) * (1 + sqrt 30)) with 1 by (field; lra). lra. }
  assert (mC : 0 < mu * C * N) by (repeat apply Rmult_lt_0_compat; lra).
  assert (pz : 0 < Rpower C (9 / 2) * zeta * sqrt N) by (repeat apply Rmult_lt_0_compat; assumption).
  unfold printed_step_size. set (m := Rmin (1 / L) _). assert (m0 : 0 < m).
  { unfold m. repeat apply Rmin_glb_lt; apply Rmult_lt_0_compat; try lra; apply Rinv_0_lt_compat; lra. }
  assert (m3 : m <= B / (mu * C * N)) by (eapply Rle_trans; [apply Rmin_r|apply Rmin_r]).
  split; [apply Rmult_lt_0_compat; lra|].
  assert (M : m * mu <= 1).
  { apply Rmult_le_reg_r with (C * N); [apply Rmult_lt_0_compat; lra|].
    apply (Rmult_le_compat_r (mu * C * N)) in m3; [|lra].
    replace (B / (mu * C * N) * (mu * C * N)) with B in m3 by (field; lra).
    assert (1 * N <= C * N) by (apply Rmult_le_compat_r; lra). lra. }
  assert (0 <= m * mu) by (apply Rmult_le_pos; lra).
  assert (c * (m * mu) <= c * 1) by (apply Rmult_le_compat_l; lra). lra.
Qed.

(* One run: what the bound on the errors leaves. *)
Lemma pl_inserted C start noise I past : 1 <= C -> INR T1 = N / B * C -> 0 <= I ->
  (forall h, norm (noise h) <= r) -> length past = T ->
  let run := sledge n b (eta C) noise grad start in
  let x t := point (run (at_time t past)) in
  (forall t, (t < T)%nat -> sq (error n grad (run (at_time t past)))
    <= 15 * C ^ 8 * (zeta * zeta) / B * sum t (fun s => if (t - T1 <=? s)%nat then sq (sub (x (S s)) (x s)) else 0)
       + (if (t <? T1)%nat then I else 0)) ->
  forall t, (t <= T)%nat ->
  F (x t) - fstar <= (1 - eta C * mu) ^ t * (F (x 0%nat) - fstar)
    + sum t (fun k => (1 - eta C * mu) ^ (t - S k) * (r ^ 2 / eta C))
    + powerRZ (1 - eta C * mu) (Z.of_nat t - Z.of_nat T1) * (INR T1 * (eta C * I)).
Proof.
  intros HC HT1 HI Hr Len run x H t Ht. destruct (printed_step_bounds C HC) as [e0 e1].
  assert (B1 : 1 <= B) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (BN : B <= N) by (apply le_INR; assumption).
  set (h := eta C) in *. set (rho := 1 - h * mu) in *.
  assert (h1 : 0 < h * mu) by (apply Rmult_lt_0_compat; assumption).
  assert (rho1 : 0 < rho <= 1) by (unfold rho; lra).
  pose proof (step_size_choice c N B C L zeta mu Hc ltac:(lra) HC HL Hz Hmu) as Co. cbv zeta in Co.
  change (c * Rmin (1 / L) _) with h in Co.
  rewrite <- HT1, Rpower_Ropp, Rpower_pow in Co by (fold rho; lra). fold rho in Co.
  set (e2 := fun s => sq (error n grad (run (at_time s past)))) in *.
  set (d2 := fun s => sq (sub (x (S s)) (x s))) in *.
  set (k := 1 / (2 * h) - L / 2) in *.
  assert (D0 : forall s, 0 <= d2 s) by (intro; apply sq_nonneg).
  assert (Step : forall s, (s < t)%nat ->
    F (x (S s)) - fstar <= rho * (F (x s) - fstar) + (h * e2 s - k * d2 s + r ^ 2 / h)).
  { intros s Hs. destruct (at_time_step s past ltac:(lia)) as [J EJ].
    pose proof (pl_contraction_step n b Hb Hbn f grad L mu fstar smoothness pl h r noise e0 Hr (at_time s past)
      (run (at_time s past))) as P.
    assert (EX : x (S s) = next_point n h noise (at_time s past) (run (at_time s past))).
    { unfold x. rewrite EJ. reflexivity. }
    rewrite <- EX in P. unfold moved in P. rewrite <- EX in P.
    replace (r ^ 2) with (r * r) by ring. unfold e2, d2, k. fold (x s) in P. unfold rho. lra. }
  pose proof (unrolled rho (fun s => F (x s) - fstar) _ t ltac:(lra) Step) as U. cbv beta in U.
  eapply Rle_trans; [exact U|].
  rewrite (sum_ext t _ (fun s => h * (rho ^ (t - S s) * e2 s) + (- k * (rho ^ (t - S s) * d2 s)
    + rho ^ (t - S s) * (r ^ 2 / h)))) by (intros; ring).
  rewrite !sum_add, !sum_mul.
  set (E := sum t (fun s => rho ^ (t - S s) * e2 s)). set (D := sum t (fun s => rho ^ (t - S s) * d2 s)).
  assert (PT : 0 < rho ^ T1) by (apply pow_lt; lra).
  assert (Q : rho ^ T1 * E <= 15 * C ^ 8 * (zeta * zeta) / B * (INR T1 * D) + INR T1 * (rho ^ t * I)).
  { pose proof (windows_discounted rho T1 d2 t ltac:(lra) D0) as W. fold D in W.
    pose proof (first_discounted rho T1 I t ltac:(lra) HI) as W1.
    assert (c0 : 0 <= 15 * C ^ 8 * (zeta * zeta) / B).
    { pose proof (pow_le C 8 ltac:(lra)). pose proof (Rle_0_sqr zeta) as z2. unfold Rsqr in z2.
      apply Rmult_le_pos; [apply Rmult_le_pos; [lra|assumption]|left; apply Rinv_0_lt_compat; lra]. }
    set (q := 15 * C ^ 8 * (zeta * zeta) / B) in *. apply (Rmult_le_compat_l q) in W; [|assumption].
    eapply Rle_trans; [|apply Rplus_le_compat; [exact W|exact W1]].
    replace (q * (rho ^ T1 * sum t (fun s => rho ^ (t - S s) * sum s (fun k => if (s - T1 <=? k)%nat then d2 k else 0)))
        + rho ^ T1 * sum t (fun s => rho ^ (t - S s) * (if (s <? T1)%nat then I else 0)))
      with (rho ^ T1 * (q * sum t (fun s => rho ^ (t - S s) * sum s (fun k => if (s - T1 <=? k)%nat then d2 k else 0))
        + sum t (fun s => rho ^ (t - S s) * (if (s <? T1)%nat then I else 0)))) by ring.
    apply Rmult_le_compat_l; [lra|]. rewrite <- sum_mul, <- sum_add. apply sum_le. intros s Hs.
    pose proof (pow_le rho (t - S s) ltac:(lra)) as P0. specialize (H s ltac:(lia)).
    apply (Rmult_le_compat_l (rho ^ (t - S s))) in H; [|assumption]. unfold e2, d2. lra. }
  assert (RZ : powerRZ rho (Z.of_nat t - Z.of_nat T1) * rho ^ T1 = rho ^ t).
  { rewrite !pow_powerRZ, <- powerRZ_add by lra. f_equal. lia. }
  set (z := powerRZ rho (Z.of_nat t - Z.of_nat T1)) in *.
  assert (EQ : E <= / rho ^ T1 * (15 * C ^ 8 * (zeta * zeta) / B * (INR T1 * D)) + INR T1 * (z * I)).
  { apply Rmult_le_reg_l with (rho ^ T1); [assumption|]. rewrite Rmult_plus_distr_l, <- Rmult_assoc, Rinv_r, Rmult_1_l
      by lra.
    replace (rho ^ T1 * (INR T1 * (z * I))) with (INR T1 * ((z * rho ^ T1) * I)) by ring. rewrite RZ. exact Q. }
  assert (D1 : 0 <= D).
  { apply sum_nonneg. intros s _. apply Rmult_le_pos; [apply pow_le; lra|apply D0]. }
  assert (K : h * (/ rho ^ T1 * (15 * C ^ 8 * (zeta * zeta) / B * (INR T1 * D))) <= k * D).
  { apply (Rmult_le_compat_r D) in Co; [|assumption]. rewrite Rmult_0_l in Co.
    replace (h * (/ rho ^ T1 * (15 * C ^ 8 * (zeta * zeta) / B * (INR T1 * D))))
      with (15 * C ^ 9 * h * zeta ^ 2 * N * / rho ^ T1 / B ^ 2 * D) by (rewrite HT1; field; lra).
    lra. }
  apply (Rmult_le_compat_l h) in EQ; [|lra]. lra.
Qed.

(* Lines 2114-2125, both options. *)
Theorem pl_final_inequality :
  (forall noise C, (forall h, norm (noise h) <= r) -> 1 <= C -> ln (N * INR T / nu) <= C -> INR T1 = N / B * C ->
   with_probability (sledge_history n b T) (1 - 3 * nu) (fun past =>
     let x t := point (sledge n b (eta C) noise grad (sledge_start_II grad x0) (at_time t past)) in
     forall t, (t <= T)%nat ->
     F (x t) - fstar <= (1 - eta C * mu) ^ t * (F x0 - fstar)
       + sum t (fun k => let s := S k in (1 - eta C * mu) ^ (t - s) * (r ^ 2 / eta C))))
  /\ (forall noise P d K sigma_c G_c k, (1 <= P)%nat -> (1 <= d)%nat -> (1 <= K)%nat ->
   (forall I0 h, norm (noise I0 h) <= r) -> deviation n grad x0 <= sigma_c ^ 2 ->
   (forall i, (i < n)%nat -> norm (sub (grad i x0) (full x0)) <= G_c) -> 10 <= k ->
   let C := k * log_all nu n P d T K in INR T1 = N / B * C ->
   with_probability (sledge_history_I n b T) (1 - 3 * nu) (fun o => let I0 := fst o in let past := snd o in
     let x t := point (sledge n b (eta C) (noise I0) grad (sledge_start_I n b grad x0 I0) (at_time t past)) in
     forall t, (t <= T)%nat ->
     F (x t) - fstar <= (1 - eta C * mu) ^ t * (F x0 - fstar)
       + sum t (fun k => let s := S k in (1 - eta C * mu) ^ (t - s) * (r ^ 2 / eta C))
       + powerRZ (1 - eta C * mu) (Z.of_nat t - Z.of_nat T1)
         * (12 * C ^ 3 * eta C * N / B ^ 2 * (sigma_c ^ 2 + G_c ^ 2 / B)))).
Proof.
  assert (X0 : forall h start noise past, length past = T -> @point R V (sledge n b h noise grad start (at_time 0
    past)) = point start).
  { intros h start noise past Len. replace (at_time 0 past) with (@nil batch); [reflexivity|].
    symmetry. apply length_zero_iff_nil, at_time_length. lia. }
  assert (B0 : 0 < B) by (apply lt_0_INR; lia). split.
  - intros noise C Hr HC HL' HT1.
    eapply with_probability_weaken; [apply Rle_refl| |apply (lemma_1_printed n b Hb Hbn grad zeta ltac:(lra) het (eta C)
      noise x0 T T1 nu C HT Hnu HC HL'); rewrite HT1; lra].
    intros past Pp H x t Ht. pose proof (history_length _ _ _ Pp) as Len.
    pose proof (pl_inserted C (sledge_start_II grad x0) noise 0 past HC HT1 (Rle_refl 0) Hr Len) as S. cbv beta zeta
      in S.
    rewrite X0 in S by assumption. eapply Rle_trans; [apply S; [|exact Ht]|right; cbv zeta; cbn [sledge_start_II point
      fst]; ring].
    intros s Hs. replace (if (s <? T1)%nat then 0 else 0) with 0 by (destruct (s <? T1)%nat; reflexivity).
    rewrite Rplus_0_r. apply H. lia.
  - intros noise P d K sigma_c G_c k HP Hd HK Hr Hs HG Hk C HT1.
    pose proof (log_all_above nu n P d T K ltac:(lra) ltac:(lia) HP Hd HT HK) as LA.
    assert (HC : 1 <= C). { unfold C. replace 1 with (1 * 1) by ring. apply Rmult_le_compat; lra. }
    assert (S0 : forall y, 0 <= y ^ 2) by (intro y; replace (y ^ 2) with (y * y) by ring; apply Rle_0_sqr).
    assert (I0' : 0 <= 12 * C ^ 2 / B * (sigma_c ^ 2 + G_c ^ 2 / B)).
    { assert (0 < / B) by (apply Rinv_0_lt_compat; lra). pose proof (S0 C). pose proof (S0 sigma_c). pose proof (S0
      G_c).
      assert (0 <= G_c ^ 2 / B) by (apply Rmult_le_pos; lra). apply Rmult_le_pos; [apply Rmult_le_pos; lra|lra]. }
    eapply with_probability_weaken; [apply Rle_refl| |apply (lemma_1_option_I n b P d T K Hb Hbn HP Hd HT HK nu k Hnu
      grad zeta ltac:(lra) het (eta C) x0 sigma_c G_c Hs HG noise T1 Hk); fold C; rewrite HT1; lra].
    intros o Po H I0 past x t Ht. assert (Len : length past = T).
    { destruct Po as [J [_ [p [Pp e]]]]. simpl in e. unfold past. subst o. apply (history_length _ _ _ Pp). }
    pose proof (pl_inserted C (sledge_start_I n b grad x0 I0) (noise I0) _ past HC HT1 I0' (Hr I0) Len) as S.
    cbv beta zeta in S. rewrite X0 in S by assumption. eapply Rle_trans; [apply S; [|exact Ht]|].
    + intros s Hs'. apply H. lia.
    + right. cbv zeta. cbn [sledge_start_I point fst]. f_equal. f_equal. rewrite HT1. field. lra.
Qed.
End Final.
