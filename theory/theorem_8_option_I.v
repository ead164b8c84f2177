(* Theorem 8 (theorem:D-PL, lines 566-591; Remark 34, lines 3370-3417) with probability, Option I: a linear
   rate of FLEDGE under the PL condition, with logarithms of 1/nu.

   Printed: as for Option II (theorem_8_high_probability.v).
   Proved [theorem_8_option_I_high_probability], for all that is admitted there and gradients of the clients at
     x^0 at most d0 apart: with C_1, lambda and eta of Option II, and m and E as in theorem_6_option_I.v, with
     probability at least 1 - 2 nu, after all t <= T rounds at once,
       f(x^t) - inf f <= (1 - eta mu)^{Kt} (Delta + (9/2) eta K m E^2) + (12/5) r^2/(eta^2 mu)
         + (288/5) lambda^2 (1 + 4 lambda^2) sigma^2/(mu PKb).
   Stronger and weaker than printed: as in theorem_6_option_I.v.

   Proof. That of theorem_6_option_I.v: Option I is a run with an exact table at the start, disturbed by an adversary
   in the first m rounds. *)
From Coq Require Import Reals Lra Lia List PeanoNat Bool.
From Sledge Require Import vectors means minibatches algorithms problems second_moments
  sledge_errors fledge_sampling fledge_errors.
From Sledge Require Import theorem_2_expectation theorem_5_expectation theorem_6_expectation
  theorem_8_expectation.
From Sledge Require Import probability hoeffding azuma minibatch_tails coverage sledge_tails lemma_1.
From Sledge Require Import theorem_2_probability theorem_2_option_I theorem_5_probability theorem_6_probability
  fledge_tails theorem_6_high_probability theorem_8_high_probability theorem_6_option_I.
Import ListNotations.
Open Scope R_scope.

Section Theorem8.
Context {V : space}.
Variables (P p K b : nat).
Hypothesis Hp : (1 <= p)%nat.
Hypothesis HpP : (p <= P)%nat.
Hypothesis HK : (1 <= K)%nat.
Hypothesis Hb : (1 <= b)%nat.
Variables (data : nat -> nat) (f : nat -> nat -> V -> R) (grad : nat -> nat -> V -> V)
  (L zeta sigma mu fstar : R).
Hypothesis enough_data : forall i, (i < P)%nat -> (K * b <= data i)%nat.
Hypothesis HL : 0 < L.
Hypothesis zeta0 : 0 <= zeta.
Hypothesis sigma0 : 0 <= sigma.
Hypothesis Hmu : 0 < mu.
Hypothesis smoothness : data_smooth P data f grad L.
Notation G := (client_gradient data grad).
Notation F := (objective P (client_objective data f)).
Notation grad_f := (gradient P G).
Hypothesis het : heterogeneous P G zeta.
Hypothesis bounded : data_bounded P data grad sigma.
Hypothesis pl : polyak mu fstar F grad_f.
Variables (x0 : V) (d0 : R) (T : nat) (nu r : R).
Hypothesis d0_nonneg : 0 <= d0.
Hypothesis apart_at_x0 : forall i j, (i < P)%nat -> (j < P)%nat -> norm (sub (G i x0) (G j x0)) <= d0.
Hypothesis HT : (1 <= T)%nat.
Hypothesis Hnu : 0 < nu < 1.
Notation NP := (INR P).
Notation Np := (INR p).
Notation NK := (INR K).
Notation M := (INR (K * b)).
Notation l := (fledge_lambda P K b T nu).
Notation C_1 := (log_factor P p T nu).
Notation E := (start_error P K b sigma d0 T nu).
Notation start o := (fledge_start_I P p K b data grad x0 (fst o) (snd o)).
Notation eta := (fledge_pl_high_step_size P p K b T L zeta mu nu).
Notation w := ((1 - eta * mu) ^ K).
Variable noise : batch * (nat -> batch) -> list round -> nat -> list batch -> V.
Hypothesis noise_r : forall o past i before, norm (noise o past i before) <= r.
Notation run o := (fledge P p K b eta (noise (fst o)) data grad (start (fst o))).

Lemma pl_disturbance (y0 y1 : nat -> V) m past st ns : Np / NP * INR m <= C_1 ->
  (forall i, (i < P)%nat -> norm (sub (y1 i) (y0 i)) <= E) ->
  good P p K b data grad L zeta sigma eta l ns st 0 m past ->
  discounted w (fun past => NK * ((r + eta * norm (difference P y0 y1 past))
    * (r + eta * norm (difference P y0 y1 past)) / eta)) past
  <= 12 / 5 * (r * r) / (eta * eta * mu) + w ^ length past * (9 / 2 * eta * NK * (INR m + 1) * (E * E)).
Proof.
  intros Hm Y Gd.
  pose proof (fledge_pl_high_bounds P p K b Hp HpP HK Hb L zeta mu HL T nu HT Hnu) as [e0 [_ [e2 _]]].
  pose proof (log_factor_pos P p Hp HpP T nu Hnu) as C0.
  pose proof (rate P p K Hp HpP HK mu Hmu eta C_1 e0 (Rlt_le _ _ C0) m Hm e2) as [a0 [Ka [[w0 w1] [w2 wm]]]].
  pose proof (start_error_nonneg P K b HK Hb L sigma ltac:(lra) sigma0 d0 T nu d0_nonneg) as E0.
  assert (K1 : 1 <= NK) by (change 1 with (INR 1); apply le_INR; assumption).
  set (c := NK * (2 * eta * (E * E))).
  assert (c0 : 0 <= c) by (apply Rmult_le_pos; [lra|apply Rmult_le_pos; [lra|apply Rle_0_sqr]]).
  pose proof (noise_total P p K Hp HpP HK mu Hmu eta C_1 e0 (Rlt_le _ _ C0) m Hm e2 r past) as N.
  pose proof (early_total w m c past ltac:(lra) c0) as Ea.
  set (D1 := discounted w (fun _ => NK * (r * r / eta)) past) in *.
  set (D2 := discounted w (fun p : list round => if (length p <=? m)%nat then c else 0) past) in *.
  assert (Sum : discounted w (fun past => NK * ((r + eta * norm (difference P y0 y1 past))
    * (r + eta * norm (difference P y0 y1 past)) / eta)) past <= 2 * D1 + D2).
  { unfold D1, D2. rewrite <- discounted_mul, <- discounted_add. clear - Gd Y e0 E0 w0 HpP Hp K1.
    induction past as [|q before IH]; [simpl; lra|].
    destruct Gd as [Gd [_ [_ [_ [_ Old]]]]]. specialize (IH Gd). cbn [discounted].
    apply Rplus_le_compat; [apply Rmult_le_compat_l; [lra|exact IH]|].
    pose proof (difference_bound P y0 y1 E m ltac:(lia) E0 Y before Old) as D.
    set (n := norm (difference P y0 y1 before)) in *. assert (n0 : 0 <= n) by apply norm_nonneg.
    assert (Sq : (r + eta * n) * (r + eta * n) / eta <= 2 * (r * r / eta) + 2 * eta * (n * n)).
    { apply Rmult_le_reg_r with eta; [exact e0|].
      replace ((r + eta * n) * (r + eta * n) / eta * eta) with ((r + eta * n) * (r + eta * n)) by (field; lra).
      replace ((2 * (r * r / eta) + 2 * eta * (n * n)) * eta) with (2 * (r * r) + 2 * (eta * n * (eta * n)))
        by (field; lra).
      pose proof (Rle_0_sqr (r - eta * n)) as Q. unfold Rsqr in Q. lra. }
    apply Rmult_le_compat_l with (r := NK) in Sq; [|lra].
    assert (nn : NK * (2 * eta * (n * n)) <= if (length before <=? m)%nat then c else 0).
    { revert D. destruct (length before <=? m)%nat; intro D.
      - unfold c. apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat; assumption.
      - assert (nz : n = 0) by lra. rewrite nz. lra. }
    lra. }
  assert (Wn : 0 <= w ^ length past) by (apply pow_le; lra).
  assert (D20 : 0 <= D2).
  { apply discounted_nonneg; [lra|]. intro q. destruct (length q <=? m)%nat; lra. }
  assert (W2 : 4 / 9 <= w ^ S m).
  { cbn [pow]. assert (2 / 3 * (2 / 3) <= w * w ^ m) by (apply Rmult_le_compat; lra). lra. }
  assert (Ea2 : 4 / 9 * D2 <= w ^ length past * ((INR m + 1) * c)).
  { eapply Rle_trans; [apply Rmult_le_compat_r; [exact D20|exact W2]|exact Ea]. }
  replace (w ^ length past * (9 / 2 * eta * NK * (INR m + 1) * (E * E)))
    with (9 / 4 * (w ^ length past * ((INR m + 1) * c))) by (unfold c; field).
  replace (12 / 5 * (r * r) / (eta * eta * mu)) with (2 * (6 / 5 * (r * r) / (eta * eta * mu)))
    by (field; lra).
  lra.
Qed.
Theorem theorem_8_option_I_high_probability :
  with_probability (fledge_history_I P p K b data T) (1 - 2 * nu) (fun o => forall t, (t <= T)%nat ->
    F (fst (run o (at_time t (snd o)))) - fstar
    <= (1 - eta * mu) ^ (K * t) * (F x0 - fstar
         + 9 / 2 * eta * NK * INR (oldest_row P p T nu) * (E * E))
       + 12 / 5 * (r * r) / (eta * eta * mu)
       + 288 / 5 * (l * l) * (1 + 4 * (l * l)) * (sigma * sigma) / (mu * (NP * M))).
Proof.
  pose proof (fledge_pl_high_bounds P p K b Hp HpP HK Hb L zeta mu HL T nu HT Hnu) as [E0 [E1 [E2 E3]]].
  pose proof (M_pos K b HK Hb) as M1. pose proof (Nn P p Hp HpP) as P1.
  pose proof (Bb P p Hp HpP) as [p1 pP]. pose proof (log_factor_pos P p Hp HpP T nu Hnu) as C0.
  pose proof (lambda_1 P K b T nu) as l1.
  eapply with_probability_weaken; [apply Rle_refl| |apply (fledge_good_event_I P p K b Hp HpP HK Hb data grad L zeta
    sigma enough_data ltac:(lra) zeta0 sigma0 (data_lip P data f grad L smoothness) het bounded x0 d0 T nu
    apart_at_x0 HT Hnu eta noise)].
  intros [o past] [o' [Po [past' [PP Eq]]]] [Y Gd] t Ht. simpl in Eq. injection Eq as Eq1 Eq2.
  subst o' past'. cbn [fst snd] in *. pose proof (history_length _ _ _ PP) as Len.
  set (y0 := snd (start o)) in *. set (y1 := fun i => G i x0) in *. set (m := (oldest_row P p T nu - 1)%nat) in *.
  assert (Gt := good_before _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ t Gd ltac:(lia)).
  pose proof (fledge_path_gap P p K b Hp HpP HK Hb data f grad L zeta sigma mu fstar enough_data HL
    zeta0 sigma0 Hmu smoothness het pl eta (fun past => r + eta * norm (difference P y0 y1 past)) l C_1
    (follower P eta (noise o) y0 y1) (x0, y1) E0) as H.
  specialize (H ltac:(intros q i before; unfold follower; eapply Rle_trans; [apply norm_add|];
    rewrite norm_scale, Rabs_right by lra; apply Rplus_le_compat_r, noise_r) l1 (Rlt_le _ _ C0) 0 m (Rle_refl 0)
    (oldest_row_bound P p Hp HpP T nu Hnu) E1 E2 E3 (at_time t past) Gt).
  pose proof (pl_disturbance y0 y1 m (at_time t past) _ _ (oldest_row_bound P p Hp HpP T nu Hnu) Y Gt) as Ds.
  assert (Lt : length (at_time t past) = t) by (apply at_time_length; lia).
  assert (Mn : INR m + 1 = INR (oldest_row P p T nu)).
  { rewrite <- S_INR. f_equal. unfold m, oldest_row. lia. }
  rewrite Lt in H, Ds. rewrite Mn in Ds. rewrite <- pow_mult in H, Ds.
  destruct (follow P p K b data grad eta (noise o) x0 y0 y1 (at_time t past)) as [Fp _].
  change (x0, y0) with (start o) in Fp. rewrite Fp in H. cbn [fst] in H.
  replace (36 / 5 * (l * l) * (NP / Np) * round_noise P p K b sigma l / mu)
    with (288 / 5 * (l * l) * (1 + 4 * (l * l)) * (sigma * sigma) / (mu * (NP * M))) in H
    by (unfold round_noise; field; lra).
  rewrite Rmult_0_r, Rplus_0_r in H. rewrite Rmult_plus_distr_l. lra.
Qed.
End Theorem8.
