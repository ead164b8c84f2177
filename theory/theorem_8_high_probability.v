(* Theorem 8 (theorem:D-PL, lines 566-591; Remark 34, lines 3370-3417) with probability, Option II: a linear
   rate of FLEDGE under the PL condition, with logarithms of 1/nu.

   Printed: FLEDGE has f - inf f <= eps with probability 1 - nu after
     O~(1 + (L/(mu K) ∧ zeta sqrt(P)/(mu p) ∧ P/p ∧ zeta/mu ∧ L/(mu sqrt(Kb))) log(Delta/eps)) rounds. (Each ∧
     should be ∨; the corrected form stands in the ledger.)
   Proved [theorem_8_option_II_high_probability], for all that theorem_6_high_probability.v admits, with C_1 and
     lambda as there and
       Lambda' = 6 K^2 lambda^2 (P/p)(2 (1 + C_1)(1 + 2C_1)(zeta + 2 lambda L/sqrt(Kb))^2/p
           + 8 (P-p)^2 L^2/(P^2 p Kb)) + (K-1)(3 zeta^2 K + 12 lambda^2 L^2/b),
       1/eta = max{2L, 3 mu P K (1 + C_1)/p, sqrt(6 Lambda')}     [fledge_pl_high_step_size],
     with probability at least 1 - 2 nu, after all t <= T rounds at once,
       f(x^t) - inf f <= (1 - eta mu)^{Kt} (Delta + s) + (6/5) r^2/(eta^2 mu)
         + (288/5) lambda^2 (1 + 4 lambda^2) sigma^2/(mu PKb),
       s = 24 eta lambda^2 sigma^2/(pb).
   Stronger than printed: literal constants, no dimension, no G, an adversary's noise, no second derivatives,
     all p, all t of the run at once.

   Proof. As Theorem 6, with weights (1 - eta mu)^K from round to round: no row is so old that they fall by half. *)
From Coq Require Import Reals Lra Lia List PeanoNat Bool.
From Sledge Require Import vectors means minibatches algorithms problems second_moments
  sledge_errors fledge_sampling fledge_errors.
From Sledge Require Import theorem_2_expectation theorem_5_expectation theorem_6_expectation
  theorem_8_expectation.
From Sledge Require Import probability hoeffding azuma minibatch_tails coverage sledge_tails lemma_1.
From Sledge Require Import theorem_2_probability theorem_5_probability theorem_6_probability fledge_tails
  theorem_6_high_probability.
Import ListNotations.
Open Scope R_scope.

(* The sum of f over the beginnings that are not empty, the last with weight 1, those before with less and less. *)
Fixpoint weighted {O} (w : R) (f : list O -> R) (past : list O) : R :=
  match past with [] => 0 | _ :: before => w * weighted w f before + f past end.
Lemma weighted_nonneg {O} w (f : list O -> R) past : 0 <= w -> (forall o before, 0 <= f (o :: before)) ->
  0 <= weighted w f past.
Proof.
  intros Hw H. induction past as [|o before IH]; cbn [weighted]; [lra|].
  specialize (H o before). assert (0 <= w * weighted w f before) by (apply Rmult_le_pos; assumption). lra.
Qed.

Definition fledge_pl_high_factor (P p K b : nat) (L zeta l C : R) : R :=
  6 * (INR K * INR K) * (l * l) * (INR P / INR p) * (2 * ((1 + C) * (1 + 2 * C))
      * ((zeta + change_radius K b L l) * (zeta + change_radius K b L l)) / INR p
    + 8 * ((INR P - INR p) * (INR P - INR p)) * (L * L) / (INR P * INR P * INR p * INR (K * b)))
  + (INR K - 1) * (3 * (zeta * zeta) * INR K + 12 * (l * l) * (L * L) / INR b).
Definition fledge_pl_high_step_size (P p K b T : nat) (L zeta mu nu : R) : R :=
  / Rmax (2 * L) (Rmax (3 * (mu * INR P * INR K * (1 + log_factor P p T nu) / INR p))
    (sqrt (6 * fledge_pl_high_factor P p K b L zeta (fledge_lambda P K b T nu) (log_factor P p T nu)))).

(* A good run was good before. *)
Lemma good_before {V : space} P p K b data grad L zeta sigma eta l noise (start : V * (nat -> V)) beta0 m past t :
  good P p K b data grad L zeta sigma eta l noise start beta0 m past -> (t <= length past)%nat ->
  good P p K b data grad L zeta sigma eta l noise start beta0 m (at_time t past).
Proof.
  induction past as [|c before IH]; intros Gd Ht; [exact Gd|].
  destruct (Nat.eq_dec t (length (c :: before))) as [->|N]; [rewrite at_time_all; exact Gd|].
  simpl in Ht, N. rewrite at_time_before by lia. apply IH; [apply Gd|lia].
Qed.

Section Run.
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
Variables (eta : R) (r : list round -> R) (l C : R) (noise : list round -> nat -> list batch -> V)
  (start : V * (nat -> V)).
Hypothesis He : 0 < eta.
Hypothesis noise_r : forall past i before, norm (noise past i before) <= r past.
Hypothesis Hl : 1 <= l.
Hypothesis HC : 0 <= C.
Notation NP := (INR P).
Notation Np := (INR p).
Notation NK := (INR K).
Notation M := (INR (K * b)).
Notation run := (fledge P p K b eta noise data grad start).
Variables (beta0 : R) (m : nat).
Hypothesis beta0_nonneg : 0 <= beta0.
Hypothesis Hm : Np / NP * INR m <= C.
Notation good := (good P p K b data grad L zeta sigma eta l noise start beta0 m).
Notation table_beta := (table_beta P p K b data grad L zeta sigma eta noise start l beta0).
Notation step_length := (step_length P p K b data grad eta noise start).
Notation zeta' := (zeta + change_radius K b L l).
Notation in_round := theorem_6_high_probability.in_round.
Notation lerr2 := (lerr2 P p K b data grad eta noise start).
Notation lmov := (lmov P p K b data grad eta noise start).
Notation squares := (theorem_6_high_probability.squares P p K b data grad eta noise start).
Notation round_noise := (round_noise P p K b sigma l).
Notation factor := (fledge_pl_high_factor P p K b L zeta l C).
Notation a := (eta * mu).
Notation w := ((1 - eta * mu) ^ K).
Hypothesis He_L : 2 * eta * L <= 1.
Hypothesis He_mu : 3 * (NK * a) * (1 + C) <= Np / NP.
Hypothesis He_factor : 6 * (eta * eta) * factor <= 1.
Notation Er := (weighted w (in_round lerr2)).
Notation Mv := (weighted w (in_round lmov)).
Notation X2 := (weighted w (fun past => step_length past * step_length past)).
Notation Te := (discounted w (fun past => sq (error P G (run past)))).

Lemma rate : 0 < a /\ NK * a <= 1 / 3 * (Np / NP) /\ 2 / 3 <= w <= 1 - 5 / 6 * (NK * a) /\ w <= 1 /\
  2 / 3 <= w ^ m.
Proof.
  assert (K1 : 1 <= NK) by (change 1 with (INR 1); apply le_INR; assumption).
  pose proof (BN_1 P p Hp HpP) as [q0 q1].
  assert (a0 : 0 < a) by (apply Rmult_lt_0_compat; assumption).
  assert (Ka : 0 <= NK * a) by (apply Rmult_le_pos; lra).
  assert (KC : 0 <= NK * a * C) by (apply Rmult_le_pos; assumption).
  assert (a1 : a <= 1 / 3).
  { assert (1 * a <= NK * a) by (apply Rmult_le_compat_r; lra). lra. }
  pose proof (bernoulli a K ltac:(lra)) as B. pose proof (power_below a K ltac:(lra) ltac:(lra)) as U.
  repeat split; try lra.
  rewrite <- pow_mult. eapply Rle_trans; [|apply bernoulli; lra]. rewrite mult_INR.
  pose proof (pos_INR m) as m0.
  assert (Q : INR m * (3 * (NK * a) * (1 + C)) <= INR m * (Np / NP)) by (apply Rmult_le_compat_l; assumption).
  assert (Q2 : INR m * NK * a * 3 * (1 + C) <= 1 * (1 + C)) by lra.
  assert (INR m * NK * a * 3 <= 1) by (apply Rmult_le_reg_r with (1 + C); lra). lra.
Qed.

Lemma local_gap past s i Js : F (local_x P b data grad eta noise past s i Js) - fstar
  <= (1 - a) ^ length Js * (F (fst s) - fstar)
     + eta * discounted 1 (fun Js => sq (local_error P b data grad eta noise past s i Js)) Js
     - (1 - a) ^ length Js * (1 / (2 * eta) - L / 2)
         * discounted 1 (local_moved P b data grad eta noise past s i) Js
     + INR (length Js) * (r past * r past / eta).
Proof.
  pose proof rate as [a0 [Ka [[w0 w1] [w2 _]]]].
  assert (K1 : 1 <= NK) by (change 1 with (INR 1); apply le_INR; assumption).
  pose proof (BN_1 P p Hp HpP) as [q0 q1].
  assert (a1 : a <= 1 / 3).
  { assert (1 * a <= NK * a) by (apply Rmult_le_compat_r; lra). lra. }
  set (lx := local_x P b data grad eta noise past s i).
  set (mv := local_moved P b data grad eta noise past s i).
  set (e2 := fun Js => sq (local_error P b data grad eta noise past s i Js)).
  assert (rr : 0 <= r past * r past / eta)
    by (apply Rmult_le_pos; [apply Rle_0_sqr|left; apply Rinv_0_lt_compat, He]).
  assert (c0 : 0 <= 1 / (2 * eta) - L / 2).
  { apply Rmult_le_reg_l with (2 * eta); [lra|]. rewrite Rmult_0_r.
    replace (2 * eta * (1 / (2 * eta) - L / 2)) with (1 - eta * L) by (field; lra). lra. }
  set (cc := 1 / (2 * eta) - L / 2) in *.
  induction Js as [|J Js IH].
  - change (lx []) with (fst s). simpl. lra.
  - pose proof (descent_lemma F grad_f L eta (r past) (lx Js) (local_estimate (estimate P s)
      (local_state P b data grad eta noise past s i Js)) (noise past i Js)
      (fledge_quadratic P p K b Hp HpP HK Hb data f grad L enough_data smoothness) He
      (noise_r past i Js)) as D. cbv zeta in D.
    change (add (sub (lx Js) (scale eta (local_estimate (estimate P s)
      (local_state P b data grad eta noise past s i Js)))) (noise past i Js)) with (lx (J :: Js)) in D.
    change (sq (sub (lx (J :: Js)) (lx Js))) with (mv Js) in D.
    change (sq (sub (local_estimate (estimate P s) (local_state P b data grad eta noise past s i Js))
      (grad_f (lx Js)))) with (e2 Js) in D. fold cc in D.
    pose proof (pl (lx Js)) as Pl. apply Rmult_le_compat_l with (r := eta / 2) in Pl; [|lra].
    replace (eta / 2 * (2 * mu * (F (lx Js) - fstar))) with (a * (F (lx Js) - fstar)) in Pl by field.
    change (discounted 1 e2 (J :: Js)) with (1 * discounted 1 e2 Js + e2 Js).
    change (discounted 1 mv (J :: Js)) with (1 * discounted 1 mv Js + mv Js).
    cbn [length pow]. rewrite S_INR. set (k := length Js) in *. set (E := discounted 1 e2 Js) in *.
    set (S := discounted 1 mv Js) in *.
    assert (E0 : 0 <= E) by (apply discounted_nonneg; [lra|intro; apply sq_nonneg]).
    assert (M0 : 0 <= mv Js) by apply local_moved_nonneg.
    assert (W : 0 <= (1 - a) ^ k <= 1).
    { split; [apply pow_le; lra|]. apply (Rle_trans _ (1 ^ k)); [apply pow_incr; lra|rewrite pow1; lra]. }
    set (v := (1 - a) ^ k) in *.
    apply Rmult_le_compat_l with (r := 1 - a) in IH; [|lra].
    assert (A1 : (1 - a) * (eta * E) <= eta * E).
    { assert (0 <= a * (eta * E)) by (apply Rmult_le_pos; [lra|apply Rmult_le_pos; lra]). lra. }
    assert (A2 : (1 - a) * (INR k * (r past * r past / eta)) <= INR k * (r past * r past / eta)).
    { assert (0 <= a * (INR k * (r past * r past / eta))) by (apply Rmult_le_pos; [lra|apply Rmult_le_pos;
        [apply pos_INR|assumption]]). lra. }
    assert (A3 : (1 - a) * v * cc * mv Js <= cc * mv Js).
    { assert (0 <= cc * mv Js) by (apply Rmult_le_pos; assumption).
      assert ((1 - a) * v <= 1 * 1) by (apply Rmult_le_compat; lra).
      assert ((1 - a) * v * (cc * mv Js) <= 1 * (cc * mv Js)) by (apply Rmult_le_compat_r; lra). lra. }
    lra.
Qed.
Lemma rounds_gap past : good past -> F (fst (run past)) - fstar
  <= w ^ length past * (F (fst start) - fstar) + eta * Er past - 2 / 3 * (1 / (2 * eta) - L / 2) * Mv past
     + discounted w (fun past => NK * (r past * r past / eta)) past.
Proof.
  pose proof rate as [a0 [Ka [[w0 w1] [w2 _]]]].
  assert (c0 : 0 <= 1 / (2 * eta) - L / 2).
  { apply Rmult_le_reg_l with (2 * eta); [lra|]. rewrite Rmult_0_r.
    replace (2 * eta * (1 / (2 * eta) - L / 2)) with (1 - eta * L) by (field; lra). lra. }
  set (cc := 1 / (2 * eta) - L / 2) in *.
  induction past as [|c before IH]; intro Gd; [simpl; lra|].
  destruct Gd as [Gd [Hi [Len _]]]. specialize (IH Gd). cbn [weighted theorem_6_high_probability.in_round length pow].
  pose proof (local_gap before (run before) (worker c) (local c)) as D. rewrite Len in D. fold cc in D.
  change (fst (run (c :: before))) with (local_x P b data grad eta noise before (run before) (worker c)
    (local c)).
  change (discounted 1 (lerr2 before (worker c)) (local c)) with (discounted 1 (fun Js => sq
    (local_error P b data grad eta noise before (run before) (worker c) Js)) (local c)).
  change (discounted 1 (lmov before (worker c)) (local c)) with (discounted 1 (local_moved P b data
    grad eta noise before (run before) (worker c)) (local c)).
  set (S := discounted 1 (local_moved P b data grad eta noise before (run before) (worker c)) (local c)) in *.
  assert (S0 : 0 <= S) by (apply discounted_nonneg; [lra|intro; apply local_moved_nonneg]).
  assert (Q : 2 / 3 * cc * S <= w * cc * S).
  { apply Rmult_le_compat_r; [assumption|]. apply Rmult_le_compat_r; lra. }
  apply Rmult_le_compat_l with (r := w) in IH; [|lra].
  change (discounted w (fun past => NK * (r past * r past / eta)) (c :: before))
    with (w * discounted w (fun past => NK * (r past * r past / eta)) before + NK * (r before * r before / eta)).
  lra.
Qed.
Lemma weighted_errors past : good past -> Er past <= 3 * NK * Te past
  + (NK - 1) * (3 * (zeta * zeta) * NK + 12 * (l * l) * (L * L) / INR b) * Mv past.
Proof.
  pose proof rate as [a0 [Ka [[w0 w1] [w2 _]]]].
  induction past as [|c before IH]; intro Gd; [simpl; lra|].
  destruct Gd as [Gd [Hi [Len [Far _]]]]. specialize (IH Gd).
  cbn [weighted theorem_6_high_probability.in_round discounted].
  pose proof (local_errors_sum P p K b Hp HpP HK Hb data grad L zeta het eta l noise before (run before)
    (worker c) Hi (local c) Far ltac:(lia)) as D. rewrite Len in D.
  change (discounted 1 (lerr2 before (worker c)) (local c)) with (discounted 1 (fun Js => sq
    (local_error P b data grad eta noise before (run before) (worker c) Js)) (local c)).
  change (discounted 1 (lmov before (worker c)) (local c)) with (discounted 1 (local_moved P b data
    grad eta noise before (run before) (worker c)) (local c)).
  apply Rmult_le_compat_l with (r := w) in IH; [|lra]. lra.
Qed.
Lemma weighted_moved past : good past -> X2 past <= NK * Mv past.
Proof.
  pose proof rate as [a0 [Ka [[w0 w1] [w2 _]]]].
  induction past as [|c before IH]; intro Gd; [simpl; lra|].
  destruct Gd as [Gd [Hi [Len _]]]. specialize (IH Gd). cbn [weighted theorem_6_high_probability.in_round].
  pose proof (local_path P b data grad eta noise before (run before) (worker c) (local c)) as D.
  rewrite Len in D.
  change (discounted 1 (lmov before (worker c)) (local c)) with (discounted 1 (local_moved P b data
    grad eta noise before (run before) (worker c)) (local c)).
  assert (E : step_length (c :: before) * step_length (c :: before)
    = sq (sub (local_x P b data grad eta noise before (run before) (worker c) (local c))
        (fst (run before)))) by apply norm_sq.
  rewrite E. apply Rmult_le_compat_l with (r := w) in IH; [|lra]. lra.
Qed.
Lemma X2_nonneg past : 0 <= X2 past.
Proof.
  pose proof rate as [a0 [Ka [[w0 w1] [w2 _]]]].
  apply weighted_nonneg; [lra|]. intros. apply Rle_0_sqr.
Qed.
Lemma weighted_squares k past : w ^ k * discounted w (squares k) past <= INR k * X2 past.
Proof.
  pose proof rate as [a0 [Ka [[w0 w1] [w2 _]]]]. pose proof (X2_nonneg past) as A0.
  induction k as [|k IH].
  - assert (Z : discounted w (squares 0) past = 0).
    { clear. induction past as [|c before IH]; [reflexivity|]. cbn [discounted]. rewrite IH.
      destruct before; cbn [theorem_6_high_probability.squares]; ring. }
    rewrite Z. simpl (INR 0). lra.
  - assert (Q : w * discounted w (squares (S k)) past + squares (S k) past
      <= X2 past + discounted w (squares k) past).
    { clear IH A0. induction past as [|c before IH]; [cbn; lra|]. cbn [discounted weighted].
      change (squares (S k) (c :: before))
        with (step_length (c :: before) * step_length (c :: before) + squares k before).
      set (A := discounted w (squares (S k)) before) in *. set (B := squares (S k) before) in *.
      assert (w * (w * A + B) <= w * (X2 before + discounted w (squares k) before))
        by (apply Rmult_le_compat_l; [lra|exact IH]). lra. }
    pose proof (squares_nonneg P p K b data grad eta noise start (S k) past) as s0.
    rewrite S_INR. cbn [pow]. assert (v0 : 0 <= w ^ k) by (apply pow_le; lra).
    assert (v1 : w ^ k <= 1) by (apply (Rle_trans _ (1 ^ k)); [apply pow_incr; lra|rewrite pow1; lra]).
    assert (H : w ^ k * (w * discounted w (squares (S k)) past)
      <= w ^ k * (X2 past + discounted w (squares k) past)) by (apply Rmult_le_compat_l; lra).
    assert (w ^ k * X2 past <= 1 * X2 past) by (apply Rmult_le_compat_r; lra). lra.
Qed.
Lemma weighted_beta past : good past ->
  (w - (1 - Np / NP) * (1 - Np / NP)) * discounted w table_beta past + table_beta past
  <= w ^ length past * beta0 + 2 * (zeta' * zeta') / Np * (1 + Np / NP * INR m) * (X2 past + Np / NP
       * discounted w (squares m) past)
     + 8 * ((NP - Np) * (NP - Np)) * (L * L) / (NP * NP * Np * M) * X2 past
     + discounted w (fun _ => round_noise) past.
Proof.
  pose proof rate as [a0 [Ka [[w0 w1] [w2 _]]]].
  induction past as [|c before IH]; intro Gd; [simpl; lra|].
  destruct Gd as [Gd [_ [_ [_ [_ Old]]]]]. specialize (IH Gd).
  set (X := step_length (c :: before)).
  pose proof (increment P p K b Hp HpP HK Hb data grad L zeta sigma HL zeta0 sigma0 eta l noise start Hl m
    before X (step_length_nonneg P p K b data grad eta noise start _) Old) as Inc.
  cbv zeta in Inc. set (inc := spread P p / (Np * Np) * _ + _) in Inc.
  set (q2 := (1 - Np / NP) * (1 - Np / NP)) in *.
  assert (TB : table_beta (c :: before) = q2 * table_beta before + inc).
  { cbn [fledge_tails.table_beta]. unfold next_beta, inc, q2, X. ring. }
  cbn [length pow discounted weighted]. rewrite TB. fold X.
  apply Rmult_le_compat_l with (r := w) in IH; [|lra].
  set (D := discounted w table_beta before) in *. set (Sq := discounted w (squares m) before) in *.
  set (A := 2 * (zeta' * zeta') / Np * (1 + Np / NP * INR m)) in *.
  replace (A * (w * X2 before + X * X + Np / NP * (w * Sq + squares m before)))
    with (w * (A * (X2 before + Np / NP * Sq)) + A * (X * X + Np / NP * squares m before)) by ring.
  lra.
Qed.
Definition pl_movement_weight : R := 2 * ((1 + C) * (1 + 2 * C)) * (zeta' * zeta') / Np
  + 8 * ((NP - Np) * (NP - Np)) * (L * L) / (NP * NP * Np * M).
Lemma weighted_table past : good past -> Te past <= l * l * (2 * (NP / Np))
  * (w ^ length past * beta0 + pl_movement_weight * X2 past + discounted w (fun _ => round_noise) past).
Proof.
  intro Gd. pose proof rate as [a0 [Ka [[w0 w1] [w2 wm]]]].
  pose proof (Nn P p Hp HpP) as P1. pose proof (Bb P p Hp HpP) as [p1 pP].
  pose proof (BN_1 P p Hp HpP) as [q0 q1].
  assert (K1 : 1 <= NK) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (H1 : Te past <= l * l * discounted w table_beta past).
  { rewrite <- discounted_mul. clear - Gd w0. induction past as [|c before IH]; [simpl; lra|].
    destruct Gd as [Gd [_ [_ [_ [E _]]]]]. specialize (IH Gd). cbn [discounted].
    apply Rmult_le_compat_l with (r := w) in IH; [|lra]. cbv beta in E |- *. lra. }
  pose proof (weighted_beta past Gd) as B2. pose proof (weighted_squares m past) as Sq.
  pose proof (X2_nonneg past) as A0. pose proof (pos_INR m) as m0. set (pm := Np / NP * INR m) in *.
  assert (pm0 : 0 <= pm) by (apply Rmult_le_pos; lra).
  assert (zz : 0 <= zeta' * zeta') by apply Rle_0_sqr.
  assert (ip : 0 < / Np) by (apply Rinv_0_lt_compat; lra).
  set (q2 := (1 - Np / NP) * (1 - Np / NP)) in *. set (D := discounted w table_beta past) in *.
  assert (Sq2 : discounted w (squares m) past <= 2 * (INR m * X2 past)).
  { assert (s0 : 0 <= discounted w (squares m) past) by (apply discounted_nonneg; [lra|
      intro; apply squares_nonneg]).
    assert (2 / 3 * discounted w (squares m) past <= w ^ m * discounted w (squares m) past)
      by (apply Rmult_le_compat_r; lra).
    assert (0 <= INR m * X2 past) by (apply Rmult_le_pos; assumption). lra. }
  assert (Mvt : 2 * (zeta' * zeta') / Np * (1 + pm) * (X2 past + Np / NP * discounted w (squares m) past)
    <= 2 * ((1 + C) * (1 + 2 * C)) * (zeta' * zeta') / Np * X2 past).
  { assert (S1 : X2 past + Np / NP * discounted w (squares m) past <= (1 + 2 * pm) * X2 past).
    { apply Rmult_le_compat_l with (r := Np / NP) in Sq2; [|lra]. unfold pm. lra. }
    assert (cz : 0 <= 2 * (zeta' * zeta') / Np) by (apply Rmult_le_pos; lra).
    apply Rle_trans with (2 * (zeta' * zeta') / Np * (1 + pm) * ((1 + 2 * pm) * X2 past)).
    - apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|exact S1].
    - assert (S2 : (1 + pm) * (1 + 2 * pm) <= (1 + C) * (1 + 2 * C)) by (apply Rmult_le_compat; lra).
      apply Rmult_le_compat_l with (r := 2 * (zeta' * zeta') / Np * X2 past) in S2;
        [|apply Rmult_le_pos; assumption].
      lra. }
  set (Y := w ^ length past * beta0 + pl_movement_weight * X2 past + discounted w (fun _ => round_noise) past).
  assert (tb : 0 <= D /\ 0 <= table_beta past).
  { assert (T : forall q, 0 <= table_beta q).
    { induction q as [|c before IH]; [exact beta0_nonneg|]. cbn [fledge_tails.table_beta]. unfold next_beta.
      pose proof (spread_bounds P p HpP) as [S0 _]. pose proof (M_pos K b HK Hb) as M1.
      assert (0 <= (1 - Np / NP) * (1 - Np / NP) * table_beta before)
        by (apply Rmult_le_pos; [apply Rle_0_sqr|assumption]).
      apply Rplus_le_le_0_compat; [apply Rplus_le_le_0_compat; [assumption|]|].
      - apply Rmult_le_pos; [|apply Rle_0_sqr]. apply Rmult_le_pos; [assumption|].
        left. apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra.
      - apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [apply Rle_0_sqr|left; apply Rinv_0_lt_compat; lra]. }
    split; [apply discounted_nonneg; [lra|exact T]|apply T]. }
  assert (Qw : Np / NP / 2 <= w - q2).
  { assert (0 <= Np / NP * (1 - Np / NP)) by (apply Rmult_le_pos; lra).
    assert (1 - NK * a <= w).
    { apply bernoulli. split; [lra|]. assert (1 * a <= NK * a) by (apply Rmult_le_compat_r; lra). lra. }
    unfold q2. lra. }
  assert (B3 : Np / NP / 2 * D <= Y).
  { assert (Np / NP / 2 * D <= (w - q2) * D) by (apply Rmult_le_compat_r; lra).
    unfold Y, pl_movement_weight. lra. }
  eapply Rle_trans; [exact H1|].
  apply Rle_trans with (l * l * (2 * (NP / Np) * Y)); [|right; ring].
  apply Rmult_le_compat_l; [apply Rle_0_sqr|]. apply Rmult_le_reg_l with (Np / NP / 2); [lra|].
  eapply Rle_trans; [exact B3|]. right. field. lra.
Qed.
Lemma fledge_path_gap past : good past -> F (fst (run past)) - fstar
  <= w ^ length past * (F (fst start) - fstar + 6 * eta * NK * (l * l) * (NP / Np) * beta0)
     + discounted w (fun past => NK * (r past * r past / eta)) past
     + 36 / 5 * (l * l) * (NP / Np) * round_noise / mu.
Proof.
  intro Gd. pose proof rate as [a0 [Ka [[w0 w1] [w2 _]]]].
  assert (K1 : 1 <= NK) by (change 1 with (INR 1); apply le_INR; assumption).
  pose proof (Nn P p Hp HpP) as P1. pose proof (Bb P p Hp HpP) as [p1 pP].
  pose proof (M_pos K b HK Hb) as M1.
  pose proof (rounds_gap past Gd) as D. pose proof (weighted_errors past Gd) as E.
  pose proof (weighted_table past Gd) as Tb. pose proof (weighted_moved past Gd) as Mq.
  assert (S0 : 0 <= Mv past).
  { apply weighted_nonneg; [lra|]. intros c before. cbn [theorem_6_high_probability.in_round].
    apply discounted_nonneg; [lra|]. intro. apply local_moved_nonneg. }
  assert (W0 : 0 <= pl_movement_weight).
  { unfold pl_movement_weight. apply Rplus_le_le_0_compat.
    - apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat; lra].
      apply Rmult_le_pos; [|apply Rle_0_sqr]. apply Rmult_le_pos; [lra|apply Rmult_le_pos; lra].
    - apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat; repeat apply Rmult_lt_0_compat; lra].
      apply Rmult_le_pos; [|apply Rle_0_sqr]. apply Rmult_le_pos; [lra|apply Rle_0_sqr]. }
  assert (rn0 : 0 <= round_noise).
  { unfold theorem_6_high_probability.round_noise. assert (0 <= l * l) by apply Rle_0_sqr.
    apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat; repeat apply Rmult_lt_0_compat; lra].
    apply Rmult_le_pos; [apply Rmult_le_pos; lra|apply Rle_0_sqr]. }
  set (SS := Mv past) in *. set (n := length past) in *.
  set (Rn := discounted w (fun _ : list round => round_noise) past) in *.
  set (Rr := discounted w (fun past => NK * (r past * r past / eta)) past) in *.
  assert (Pp : 0 < NP / Np) by (apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra]).
  set (u := l * l * (2 * (NP / Np))) in *.
  assert (u0 : 0 <= u) by (apply Rmult_le_pos; [apply Rle_0_sqr|lra]).
  assert (E2 : Er past <= factor * SS + 3 * NK * (u * (w ^ n * beta0 + Rn))).
  { apply Rle_trans with (3 * NK * (u * (w ^ n * beta0 + pl_movement_weight * (NK * SS) + Rn))
      + (NK - 1) * (3 * (zeta * zeta) * NK + 12 * (l * l) * (L * L) / INR b) * SS).
    - eapply Rle_trans; [exact E|]. apply Rplus_le_compat_r. apply Rmult_le_compat_l; [lra|].
      eapply Rle_trans; [exact Tb|]. apply Rmult_le_compat_l; [exact u0|]. apply Rplus_le_compat_r.
      apply Rplus_le_compat_l. apply Rmult_le_compat_l; assumption.
    - right. unfold fledge_pl_high_factor. fold pl_movement_weight. unfold u. ring. }
  assert (Bal : eta * (factor * SS) <= 2 / 3 * (1 / (2 * eta) - L / 2) * SS).
  { apply Rmult_le_reg_l with (6 * eta); [lra|].
    replace (6 * eta * (eta * (factor * SS))) with (6 * (eta * eta) * factor * SS) by ring.
    replace (6 * eta * (2 / 3 * (1 / (2 * eta) - L / 2) * SS)) with ((2 - 2 * eta * L) * SS) by (field; lra).
    assert (6 * (eta * eta) * factor * SS <= 1 * SS) by (apply Rmult_le_compat_r; assumption).
    assert (1 * SS <= (2 - 2 * eta * L) * SS) by (apply Rmult_le_compat_r; lra). lra. }
  apply Rmult_le_compat_l with (r := eta) in E2; [|lra].
  (* the two constants *)
  assert (k1 : 0 < NK * a) by (apply Rmult_lt_0_compat; lra).
  assert (R2 : Rn <= 6 / 5 * round_noise / (NK * a)).
  { pose proof (discounted_const w round_noise past ltac:(lra) rn0) as Q. fold Rn in Q.
    assert (R0 : 0 <= Rn) by (apply discounted_nonneg; [lra|intro; exact rn0]).
    apply Rmult_le_reg_l with (5 / 6 * (NK * a)); [lra|].
    assert (5 / 6 * (NK * a) * Rn <= (1 - w) * Rn) by (apply Rmult_le_compat_r; lra).
    replace (5 / 6 * (NK * a) * (6 / 5 * round_noise / (NK * a))) with round_noise by (field; lra). lra. }
  assert (R3 : eta * (3 * NK * (u * Rn)) <= 36 / 5 * (l * l) * (NP / Np) * round_noise / mu).
  { apply Rle_trans with (eta * (3 * NK * (u * (6 / 5 * round_noise / (NK * a))))).
    - apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; assumption.
    - right. unfold u. field. lra. }
  assert (R4 : eta * (3 * NK * (u * (w ^ n * beta0))) = w ^ n * (6 * eta * NK * (l * l) * (NP / Np) * beta0))
    by (unfold u; ring).
  lra.
Qed.
(* A noise that is bounded alike in all rounds. *)
Lemma noise_total r0 (past : list round) :
  discounted w (fun _ => NK * (r0 * r0 / eta)) past <= 6 / 5 * (r0 * r0) / (eta * eta * mu).
Proof.
  pose proof rate as [a0 [Ka [[w0 w1] [w2 _]]]].
  assert (K1 : 1 <= NK) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (k1 : 0 < NK * a) by (apply Rmult_lt_0_compat; lra).
  assert (rr : 0 <= NK * (r0 * r0 / eta)).
  { apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [apply Rle_0_sqr|left; apply Rinv_0_lt_compat, He]. }
  pose proof (discounted_const w (NK * (r0 * r0 / eta)) past ltac:(lra) rr) as Q.
  set (Rr := discounted w _ past) in *.
  assert (R0 : 0 <= Rr) by (apply discounted_nonneg; [lra|intro; exact rr]).
  apply Rmult_le_reg_l with (5 / 6 * (NK * a)); [lra|].
  assert (5 / 6 * (NK * a) * Rr <= (1 - w) * Rr) by (apply Rmult_le_compat_r; lra).
  replace (5 / 6 * (NK * a) * (6 / 5 * (r0 * r0) / (eta * eta * mu))) with (NK * (r0 * r0 / eta))
    by (field; lra). lra.
Qed.
End Run.

(* ---- The theorem ---- *)

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
Variables (x0 : V) (T : nat) (nu r : R).
Hypothesis HT : (1 <= T)%nat.
Hypothesis Hnu : 0 < nu < 1.
Notation NP := (INR P).
Notation Np := (INR p).
Notation NK := (INR K).
Notation M := (INR (K * b)).
Notation l := (fledge_lambda P K b T nu).
Notation C_1 := (log_factor P p T nu).
Notation start J := (fledge_start_II K b data grad x0 J).
Notation eta := (fledge_pl_high_step_size P p K b T L zeta mu nu).

Lemma pl_high_factor_nonneg : 0 <= fledge_pl_high_factor P p K b L zeta l C_1.
Proof.
  pose proof (M_pos K b HK Hb) as M1. pose proof (Nn P p Hp HpP) as P1.
  pose proof (Bb P p Hp HpP) as [p1 pP]. pose proof (log_factor_pos P p Hp HpP T nu Hnu) as C0.
  assert (K1 : 1 <= NK) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (b1 : 0 < / INR b) by (apply Rinv_0_lt_compat, lt_0_INR; lia).
  assert (Pp : 0 < NP / Np) by (apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra]).
  assert (ll : 0 <= l * l) by apply Rle_0_sqr. assert (zz : 0 <= zeta * zeta) by apply Rle_0_sqr.
  assert (LL : 0 <= L * L) by apply Rle_0_sqr.
  unfold fledge_pl_high_factor. apply Rplus_le_le_0_compat.
  - apply Rmult_le_pos.
    + apply Rmult_le_pos; [|lra]. apply Rmult_le_pos; [|assumption]. apply Rmult_le_pos; [lra|apply Rle_0_sqr].
    + apply Rplus_le_le_0_compat.
      * apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat; lra].
        apply Rmult_le_pos; [|apply Rle_0_sqr]. apply Rmult_le_pos; [lra|apply Rmult_le_pos; lra].
      * apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat; repeat apply Rmult_lt_0_compat; lra].
        apply Rmult_le_pos; [|assumption]. apply Rmult_le_pos; [lra|apply Rle_0_sqr].
  - apply Rmult_le_pos; [lra|]. apply Rplus_le_le_0_compat.
    + apply Rmult_le_pos; [apply Rmult_le_pos; lra|lra].
    + apply Rmult_le_pos; [|lra]. apply Rmult_le_pos; [apply Rmult_le_pos; lra|assumption].
Qed.
Lemma fledge_pl_high_bounds : 0 < eta /\ 2 * eta * L <= 1 /\
  3 * (NK * (eta * mu)) * (1 + C_1) <= Np / NP /\
  6 * (eta * eta) * fledge_pl_high_factor P p K b L zeta l C_1 <= 1.
Proof.
  pose proof (Nn P p Hp HpP) as P1. pose proof (Bb P p Hp HpP) as [p1 pP].
  unfold fledge_pl_high_step_size. set (fa := fledge_pl_high_factor P p K b L zeta l C_1).
  set (q := 3 * (mu * NP * NK * (1 + C_1) / Np)).
  pose proof (Rmax_l (2 * L) (Rmax q (sqrt (6 * fa)))) as M1.
  assert (M2 := Rle_trans _ _ _ (Rmax_l q (sqrt (6 * fa))) (Rmax_r (2 * L) _)).
  assert (M3 := Rle_trans _ _ _ (Rmax_r q (sqrt (6 * fa))) (Rmax_r (2 * L) _)).
  set (mx := Rmax (2 * L) _) in *. repeat split.
  - apply Rinv_0_lt_compat. lra.
  - apply Rmult_le_reg_r with mx; [lra|]. replace (2 * / mx * L * mx) with (2 * L) by (field; lra). lra.
  - apply Rmult_le_reg_r with (mx * (NP / Np)).
    { apply Rmult_lt_0_compat; [lra|]. apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra]. }
    replace (3 * (NK * (/ mx * mu)) * (1 + C_1) * (mx * (NP / Np))) with q by (unfold q; field; lra).
    replace (Np / NP * (mx * (NP / Np))) with mx by (field; lra). exact M2.
  - assert (Z : 0 <= 6 * fa) by (pose proof pl_high_factor_nonneg; unfold fa; lra).
    replace (6 * (/ mx * / mx) * fa) with (/ mx * / mx * (6 * fa)) by ring.
    rewrite <- (sqrt_sqrt _ Z). set (sq6 := sqrt (6 * fa)) in *. assert (0 <= sq6) by apply sqrt_pos.
    apply Rmult_le_reg_r with (mx * mx); [apply Rmult_lt_0_compat; lra|].
    replace (/ mx * / mx * (sq6 * sq6) * (mx * mx)) with (sq6 * sq6) by (field; lra).
    rewrite Rmult_1_l. apply Rmult_le_compat; assumption.
Qed.

Variable noise : (nat -> batch) -> list round -> nat -> list batch -> V.
Hypothesis noise_r : forall J past i before, norm (noise J past i before) <= r.
Notation run o := (fledge P p K b eta (noise (fst o)) data grad (start (fst o))).

Theorem theorem_8_option_II_high_probability :
  with_probability (fledge_history_II P p K b data T) (1 - 2 * nu) (fun o => forall t, (t <= T)%nat ->
    F (fst (run o (at_time t (snd o)))) - fstar
    <= (1 - eta * mu) ^ (K * t) * (F x0 - fstar + 24 * eta * (l * l) * (sigma * sigma) / (Np * INR b))
       + 6 / 5 * (r * r) / (eta * eta * mu)
       + 288 / 5 * (l * l) * (1 + 4 * (l * l)) * (sigma * sigma) / (mu * (NP * M))).
Proof.
  pose proof fledge_pl_high_bounds as [E0 [E1 [E2 E3]]].
  pose proof (M_pos K b HK Hb) as M1. pose proof (Nn P p Hp HpP) as P1.
  pose proof (Bb P p Hp HpP) as [p1 pP]. pose proof (log_factor_pos P p Hp HpP T nu Hnu) as C0.
  assert (l1 : 1 <= l) by apply radius_above.
  assert (K1 : 1 <= NK) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (b1 : 1 <= INR b) by (change 1 with (INR 1); apply le_INR; assumption).
  set (beta0 := 4 * (sigma * sigma) / (NP * M)).
  assert (b0 : 0 <= beta0).
  { apply Rmult_le_pos; [apply Rmult_le_pos; [lra|apply Rle_0_sqr]|].
    left. apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra. }
  eapply with_probability_weaken; [apply Rle_refl| |apply (fledge_good_event P p K b Hp HpP HK Hb data f
    grad L zeta sigma enough_data HL zeta0 sigma0 smoothness het bounded x0 T nu HT Hnu eta noise)].
  intros [J past] [J' [PJ [past' [PP Eq]]]] Gd t Ht. simpl in Eq. injection Eq as Eq1 Eq2.
  subst J' past'. cbn [fst snd] in *. pose proof (history_length _ _ _ PP) as Len.
  fold beta0 in Gd.
  assert (Gt : good P p K b data grad L zeta sigma eta l (noise J) (start J) beta0
    (oldest_row P p T nu - 1) (at_time t past))
    by (apply good_before; [exact Gd|lia]).
  pose proof (fledge_path_gap P p K b Hp HpP HK Hb data f grad L zeta sigma mu fstar enough_data HL
    zeta0 sigma0 Hmu smoothness het pl eta (fun _ => r) l C_1 (noise J) (start J) E0 (noise_r J)
    l1 (Rlt_le _ _ C0) beta0 (oldest_row P p T nu - 1) b0 (oldest_row_bound P p Hp HpP T nu Hnu)
    E1 E2 E3 (at_time t past) Gt) as H.
  assert (Lt : length (at_time t past) = t) by (apply at_time_length; lia).
  rewrite Lt in H. change (fst (start J)) with x0 in H. rewrite <- pow_mult in H.
  replace (6 * eta * NK * (l * l) * (NP / Np) * beta0)
    with (24 * eta * (l * l) * (sigma * sigma) / (Np * INR b)) in H.
  2:{ unfold beta0. rewrite mult_INR. field. lra. }
  replace (36 / 5 * (l * l) * (NP / Np) * round_noise P p K b sigma l / mu)
    with (288 / 5 * (l * l) * (1 + 4 * (l * l)) * (sigma * sigma) / (mu * (NP * M))) in H
    by (unfold round_noise; field; lra).
  pose proof (noise_total P p K Hp HpP HK mu Hmu eta C_1 E0 (Rlt_le _ _ C0) (oldest_row P p T nu - 1)
    (oldest_row_bound P p Hp HpP T nu Hnu) E2 r (at_time t past)) as Nt. lra.
Qed.
End Theorem8.
