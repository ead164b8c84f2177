(* Theorem 6' by the appendix's own inequality (theorem:Dist-First-Main, lines 2522-2596), with L for one zeta.

   Printed (lines 2530-2543): Lemma 24 inserted into the sum of the descent over a run of FLEDGE gives, with probability
   at least 1 - 8 nu,
       sum_t sum_k |grad f(x^{t,k-1})|^2 <= (2/eta) (f(x^0) - f(x^T) - (1/(2 eta) - L/2
           - eta (120 C_1^9 zeta^2 PK^2/p^2 + 128 C_1^11 zeta^2 PK/(p^2 b) + 4 zeta^2 K^2 + 4 C_1^2 L^2 K/b))
             sum_t sum_k |x^{t,k} - x^{t,k-1}|^2) + (16 C_1^2 T/(Pb))(sigma^2 + G^2/(PKb)) + 2 T K r^2/eta^2,
   for Option I with 192 C_1^3 (sigma^2 P/(p^2 b) + PG^2/(p^3 K b^2) + PK sigma_c^2/p^2 + PK G_c^2/p^3) more.
   Proved, with L for zeta in 128 C_1^11 zeta^2, C_1 = c log(1/nu + n + P + d + T + K), c >= 11, n at least the Kb data
   of a client's minibatch, for every space, f_{i,j}, 1 <= p <= P, K, b, T, step size and noise of length at most r,
   clients with at least Kb data:
     fledge_first_sum           the sum of the descent, for every run (lines 2522-2528)
     fledge_sum_with_variance   the inequality, both options; (P/p) C_1 need not be whole
     theorem_6_printed          hence theorem:Dist-First-Main with the constants of the appendix as they should be:
                                eta = min{1/(2L), (480 C_1^9 zeta^2 PK^2/p^2 + 604 C_1^11 L^2 PK/(p^2 b) + 16 zeta^2 K^2
                                + 16 C_1^2 L^2 K/b)^(-1/2)}, PKb >= 128 C_1^2 sigma^2/eps^2 + 8 sqrt 2 C_1 G/eps,
                                r <= eta eps/(2 sqrt 2) and TK >= 4 Delta/(eta eps^2), for Option I with
                                (384 C_1^3/eps^2)(...) more, meet a point with |grad f| <= eps.

   Proof. The descent lemma at each local step; Lemma 24 for C_1 less a logarithm, so that rounding (P/p) C_1 up costs
   nothing; each movement is counted in the (P/p) C_1 rounds after it and in the K local steps of its own. *)
From Coq Require Import Reals Lra Lia List PeanoNat Bool.
From Sledge Require Import vectors means minibatches algorithms problems second_moments
  sledge_errors fledge_sampling fledge_errors.
From Sledge Require Import theorem_2_expectation theorem_6_expectation.
From Sledge Require Import probability bernstein lemma_1 concentration steps theorem_2_probability
  theorem_6_probability pl_steps
  fledge_tails theorem_6_high_probability fledge_local fledge_start fledge_fresh fledge_variance.
Import ListNotations.
Open Scope R_scope.

(* Errors that are at most a window of the movement, the movement of the round, and more, summed. *)
Lemma errors_summed T K T3 A B f0 i0 (m e : nat -> nat -> R) : 0 <= A -> 0 <= B -> 0 <= i0 ->
  (forall t k, 0 <= m t k) ->
  (forall t k, (t < T)%nat -> (k < K)%nat -> e t k
    <= A * sum t (fun s => if (t - T3 <=? s)%nat then sum K (m s) else 0) + B * sum k (m t) + f0
       + (if (S t <=? T3)%nat then i0 else 0)) ->
  sum T (fun t => sum K (e t)) <= INR K * (A * INR T3 + B) * sum T (fun t => sum K (m t)) + INR T * INR K * f0
    + INR K * INR T3 * i0.
Proof.
  intros A0 B0 I0 M0 H. pose proof (pos_INR K) as K0.
  assert (S0 : forall t, 0 <= sum K (m t)) by (intro; apply sum_nonneg; auto).
  assert (Mono : forall t k, (k <= K)%nat -> sum k (m t) <= sum K (m t)).
  { intros t k Hk. replace K with (k + (K - k))%nat by lia. generalize (K - k)%nat as j.
    induction j as [|j IH]; [rewrite Nat.add_0_r; lra|]. rewrite Nat.add_succ_r. cbn [sum].
    specialize (M0 t (k + j)%nat). lra. }
  apply Rle_trans with (sum T (fun t => INR K * (A * sum t (fun s => if (t - T3 <=? s)%nat then sum K (m s) else 0)
    + B * sum K (m t) + f0 + (if (S t <=? T3)%nat then i0 else 0)))).
  - apply sum_le. intros t Ht. rewrite <- sum_const. apply sum_le. intros k Hk.
    eapply Rle_trans; [apply H; assumption|]. pose proof (Mono t k ltac:(lia)).
    assert (B * sum k (m t) <= B * sum K (m t)) by (apply Rmult_le_compat_l; assumption). lra.
  - rewrite sum_mul, !sum_add, !sum_mul, sum_const.
    pose proof (windows T T3 (fun t => sum K (m t)) S0) as W.
    assert (Q : sum T (fun t => if (S t <=? T3)%nat then i0 else 0) <= INR T3 * i0).
    { assert (E : forall N, sum N (fun t => if (S t <=? T3)%nat then i0 else 0) = INR (Nat.min N T3) * i0).
      { induction N as [|N IH]; [simpl; ring|]. cbn [sum]. rewrite IH. destruct (Nat.leb_spec (S N) T3).
        - rewrite !Nat.min_l by lia. rewrite S_INR. ring.
        - rewrite !Nat.min_r by lia. ring. }
      rewrite E. apply Rmult_le_compat_r; [assumption|apply le_INR; lia]. }
    assert (A * sum T (fun t => sum t (fun s => if (t - T3 <=? s)%nat then sum K (m s) else 0))
      <= A * (INR T3 * sum T (fun t => sum K (m t)))) by (apply Rmult_le_compat_l; assumption).
    set (W1 := sum T (fun t => sum t _)) in *.
    set (W2 := sum T (fun t => if (S t <=? T3)%nat then i0 else 0)) in *.
    set (W3 := sum T (fun t => sum K (m t))) in *.
    apply Rle_trans with (INR K * (A * (INR T3 * W3) + B * W3 + INR T * f0 + INR T3 * i0)).
    + apply Rmult_le_compat_l; lra.
    + right. ring.
Qed.

(* ---- The sum of the descent ---- *)

Section Descent.
Context {V : space}.
Variables (P p K b T : nat).
Hypothesis Hp : (1 <= p)%nat.
Hypothesis HpP : (p <= P)%nat.
Hypothesis HK : (1 <= K)%nat.
Hypothesis Hb : (1 <= b)%nat.
Variables (data : nat -> nat) (f : nat -> nat -> V -> R) (grad : nat -> nat -> V -> V) (L eta r : R).
Hypothesis enough_data : forall i, (i < P)%nat -> (K * b <= data i)%nat.
Hypothesis smoothness : data_smooth P data f grad L.
Notation F := (objective P (client_objective data f)).
Notation grad_f := (gradient P (client_gradient data grad)).
Hypothesis He : 0 < eta.
Notation NK := (INR K).
Variables (noise : list round -> nat -> list batch -> V) (start : V * (nat -> V)).
Hypothesis noise_r : forall past i before, norm (noise past i before) <= r.
Notation run := (fledge P p K b eta noise data grad start).
Variable past : list round.
Hypothesis Pp : possible (fledge_history P p K b data T) past.
Notation after t := (at_time t past).
Notation x t k := (step_point P p K b data grad eta noise start k (after (S t))).
Notation v t k := (add (estimate P (run (after t))) (step_change b P p K data grad eta noise start k (after (S t)))).
Notation moved t k := (sq (sub (x t (S k)) (x t k))).
Lemma step_descent t k : (t < T)%nat -> (k < K)%nat ->
  F (x t (S k)) <= F (x t k) - eta / 2 * sq (grad_f (x t k)) + (eta * sq (sub (v t k) (grad_f (x t k)))
    - (1 / (2 * eta) - L / 2) * moved t k + r * r / eta).
Proof.
  intros Ht Hk. pose proof (history_length _ _ _ Pp) as Len.
  pose proof (possible_at_time (fun _ => round_law P p K b data) (S t) T past Pp Ht) as Pt.
  destruct (at_time_step t past ltac:(lia)) as [a Ea]. rewrite Ea in *. apply history_possible in Pt.
  destruct Pt as [_ Pc]. destruct (round_possible P p K b Hp HpP HK Hb data a Pc) as [_ [Hh _]].
  pose proof (history_length _ _ _ Hh) as Lh. cbn [step_point step_change].
  destruct (at_time_step k (local a) ltac:(lia)) as [J EJ]. rewrite EJ. rewrite local_x_step.
  set (before := after t). set (s := run before). set (i := worker a). set (Js := at_time k (local a)).
  pose proof (descent_lemma F grad_f L eta r (local_x P b data grad eta noise before s i Js) (local_estimate (estimate P
    s) (local_state P b data grad eta noise before s i Js)) (noise before i Js)
    (fledge_quadratic P p K b Hp HpP HK Hb data f grad L enough_data smoothness) He (noise_r before i Js)) as D.
  cbv zeta in D. change (add (sub (local_x P b data grad eta noise before s i Js) (scale eta (local_estimate (estimate P
    s) (local_state P b data grad eta noise before s i Js)))) (noise before i Js))
    with (local_next P b data grad eta noise before s i Js) in D.
  unfold local_estimate in D. lra.
Qed.
Theorem fledge_first_sum :
  sum T (fun t => sum K (fun k => sq (grad_f (x t k))))
  <= 2 / eta * (F (fst start) - F (fst (run past)) - (1 / (2 * eta) - L / 2)
       * sum T (fun t => sum K (fun k => moved t k))
       + eta * sum T (fun t => sum K (fun k => sq (sub (v t k) (grad_f (x t k))))))
     + 2 * INR T * NK * (r * r) / (eta * eta).
Proof.
  pose proof (history_length _ _ _ Pp) as Len.
  pose proof (telescope (fun t => F (fst (run (after t)))) (fun t => eta / 2 * sum K (fun k => sq (grad_f (x t k))))
    (fun t => eta * sum K (fun k => sq (sub (v t k) (grad_f (x t k)))) - (1 / (2 * eta) - L / 2)
      * sum K (fun k => moved t k) + NK * (r * r / eta)) T) as Tel.
  assert (Step : forall t, (t < T)%nat -> F (fst (run (after (S t)))) <= F (fst (run (after t)))
    - eta / 2 * sum K (fun k => sq (grad_f (x t k))) + (eta * sum K (fun k => sq (sub (v t k) (grad_f (x t k))))
      - (1 / (2 * eta) - L / 2) * sum K (fun k => moved t k) + NK * (r * r / eta))).
  { intros t Ht. destruct (round_ends P p K b Hp HpP HK Hb data grad eta noise start T past Pp t Ht) as [E1 E2].
    pose proof (telescope (fun k => F (x t k)) (fun k => eta / 2 * sq (grad_f (x t k)))
      (fun k => eta * sq (sub (v t k) (grad_f (x t k))) - (1 / (2 * eta) - L / 2) * moved t k + r * r / eta) K
      (fun k Hk => step_descent t k Ht Hk)) as TK. cbv beta in TK.
    rewrite E1, E2, sum_add, sum_sub, !sum_mul, sum_const in TK. lra. }
  specialize (Tel Step). cbv beta in Tel. rewrite sum_add, sum_sub, !sum_mul, sum_const in Tel.
  replace (after 0) with (@nil round) in Tel by (symmetry; apply at_time_none).
  replace (after T) with past in Tel by (symmetry; rewrite <- Len; apply at_time_all). cbn [fledge] in Tel.
  set (Gs := sum T (fun t => sum K (fun k => sq (grad_f (x t k))))) in *.
  set (Ms := sum T (fun t => sum K (fun k => moved t k))) in *.
  set (Es := sum T (fun t => sum K (fun k => sq (sub (v t k) (grad_f (x t k)))))) in *.
  apply Rmult_le_reg_l with (eta / 2); [lra|].
  replace (eta / 2 * (2 / eta * (F (fst start) - F (fst (run past)) - (1 / (2 * eta) - L / 2) * Ms + eta * Es)
    + 2 * INR T * NK * (r * r) / (eta * eta)))
    with (F (fst start) - F (fst (run past)) - (1 / (2 * eta) - L / 2) * Ms + eta * Es + INR T * (NK * (r * r / eta)))
    by (field; lra).
  lra.
Qed.
End Descent.

Section Printed.
Context {V : space}.
Variables (n b P p d T K : nat).
Hypothesis Hp : (1 <= p)%nat.
Hypothesis HpP : (p <= P)%nat.
Hypothesis HK : (1 <= K)%nat.
Hypothesis Hb : (1 <= b)%nat.
Hypothesis Hn : (K * b <= n)%nat.
Hypothesis Hd : (1 <= d)%nat.
Hypothesis HT : (1 <= T)%nat.
Variables (data : nat -> nat) (f : nat -> nat -> V -> R) (grad : nat -> nat -> V -> V) (x0 : V)
  (L zeta sigma G_ fstar : R).
Hypothesis enough_data : forall i, (i < P)%nat -> (K * b <= data i)%nat.
Hypothesis HL : 0 < L.
Hypothesis smoothness : data_smooth P data f grad L.
Notation G := (client_gradient data grad).
Notation F := (objective P (client_objective data f)).
Notation grad_f := (gradient P G).
Hypothesis zeta0 : 0 <= zeta.
Hypothesis het : heterogeneous P G zeta.
Notation dev i j x := (sub (grad i j x) (G i x)).
(* Assumption 3 (ii) of the appendix (lines 893-897) *)
Hypothesis mean_square : forall i x, (i < P)%nat ->
  sum (data i) (fun j => sq (dev i j x)) <= INR (data i) * (sigma * sigma).
Hypothesis largest : forall i j x, (i < P)%nat -> (j < data i)%nat -> norm (dev i j x) <= G_.
Variables (eta r nu c : R).
Hypothesis He : 0 < eta.
Hypothesis Hnu : 0 < nu < 1.
Hypothesis Hc : 11 <= c.
Notation l := (log_all nu n P d T K).
Notation C := (c * log_all nu n P d T K).
Notation NP := (INR P).
Notation Np := (INR p).
Notation NK := (INR K).
Notation B := (INR b).
Notation M := (INR (K * b)).

(* ---- Lemma 24 inserted ---- *)

(* What multiplies the movement, and the floor and the start of Option I over all steps *)
Definition movement_loss (C : R) : R := 120 * C ^ 9 * zeta ^ 2 * NP * NK ^ 2 / Np ^ 2
  + 128 * C ^ 11 * L ^ 2 * NP * NK / (Np ^ 2 * B) + 4 * zeta ^ 2 * NK ^ 2 + 4 * C ^ 2 * L ^ 2 * NK / B.
Definition floor_sum (C : R) : R := 16 * C ^ 2 * INR T / (NP * B) * (sigma ^ 2 + G_ ^ 2 / (NP * NK * B)).
Definition start_sum (C sigma_c G_c : R) : R := 192 * C ^ 3 * (sigma ^ 2 * NP / (Np ^ 2 * B)
  + NP * G_ ^ 2 / (Np ^ 3 * NK * B ^ 2) + NP * NK * sigma_c ^ 2 / Np ^ 2 + NP * NK * G_c ^ 2 / Np ^ 3).

Lemma sizes : 1 <= NP /\ 1 <= Np <= NP /\ 1 <= NK /\ 1 <= B /\ 1 <= INR T /\ M = NK * B.
Proof.
  pose proof (Bb P p Hp HpP). pose proof (Nn P p Hp HpP).
  assert (1 <= NK) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (1 <= B) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (1 <= INR T) by (change 1 with (INR 1); apply le_INR; assumption).
  rewrite mult_INR. tauto.
Qed.
Notation C' := ((c - 1) * log_all nu n P d T K).
Notation T3 := (ceiling (NP / Np * C')).
Lemma rounding : 1 <= l /\ 5 <= C' /\ C' + 1 <= C /\ INR T3 <= NP / Np * C /\
  NP / Np * C' <= INR T3 <= NP / Np * C' + 1.
Proof.
  destruct sizes as [P1 [[p1 pP] [K1 [b1 [T1 _]]]]]. assert (N1 : (1 <= n)%nat) by nia.
  assert (HP : (1 <= P)%nat) by lia.
  pose proof (log_all_above nu n P d T K ltac:(lra) N1 HP Hd HT HK) as A.
  assert (C5 : 10 * l <= C') by (apply Rmult_le_compat_r; lra).
  assert (PP : 1 <= NP / Np).
  { apply Rmult_le_reg_r with Np; [lra|]. replace (NP / Np * Np) with NP by (field; lra). lra. }
  assert (Q : 0 <= NP / Np * C') by (apply Rmult_le_pos; lra).
  pose proof (ceiling_above (NP / Np * C')) as U. pose proof (ceiling_below (NP / Np * C') Q) as W.
  assert (Z : NP / Np * (C' + 1) <= NP / Np * C) by (apply Rmult_le_compat_l; lra).
  repeat split; lra.
Qed.
Lemma inserted E S : 0 <= S ->
  E <= NK * ((120 * C' ^ 8 * zeta ^ 2 * NK / Np + 32 * C' ^ 10 * L ^ 2 / (Np * B)) * INR T3
      + (4 * zeta ^ 2 * NK + 4 * C' ^ 2 * L ^ 2 / B)) * S
    + INR T * NK * (8 * C' ^ 2 / (NP * M) * (sigma ^ 2 + G_ ^ 2 / (NP * M))) ->
  2 * E <= 2 * movement_loss C * S + floor_sum C.
Proof.
  intros S0 H. destruct sizes as [P1 [[p1 pP] [K1 [b1 [T1 EM]]]]]. destruct rounding as [l1 [C5 [CC [R3 _]]]].
  pose proof (pos_INR T3) as t0. rewrite EM in H.
  assert (p2 : C' ^ 2 <= C ^ 2) by (apply pow_incr; lra). assert (p8 : C' ^ 8 <= C ^ 8) by (apply pow_incr; lra).
  assert (p10 : C' ^ 10 <= C ^ 10) by (apply pow_incr; lra).
  assert (q2 : 0 <= C' ^ 2) by (apply pow_le; lra). assert (q8 : 0 <= C' ^ 8) by (apply pow_le; lra).
  assert (q10 : 0 <= C' ^ 10) by (apply pow_le; lra). assert (q11 : 0 <= C ^ 11) by (apply pow_le; lra).
  assert (iN : 0 < / Np) by (apply Rinv_0_lt_compat; lra). assert (iB : 0 < / B) by (apply Rinv_0_lt_compat; lra).
  assert (iNB : 0 < / (Np * B)) by (apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra).
  assert (z2 : 0 <= zeta ^ 2) by apply pow2_ge_0. assert (L2 : 0 <= L ^ 2) by apply pow2_ge_0.
  assert (A1 : 0 <= 120 * C' ^ 8 * zeta ^ 2 * NK / Np <= 120 * C ^ 8 * zeta ^ 2 * NK / Np).
  { split; [repeat apply Rmult_le_pos; lra|]. unfold Rdiv. apply Rmult_le_compat_r; [lra|].
    apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat_r; lra. }
  assert (A2 : 0 <= 32 * C' ^ 10 * L ^ 2 / (Np * B) <= 32 * C ^ 10 * L ^ 2 / (Np * B)).
  { split; [repeat apply Rmult_le_pos; lra|]. unfold Rdiv. apply Rmult_le_compat_r; [lra|].
    apply Rmult_le_compat_r; lra. }
  assert (A3 : 4 * C' ^ 2 * L ^ 2 / B <= 4 * C ^ 2 * L ^ 2 / B).
  { unfold Rdiv. apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat_r; lra. }
  assert (X : (120 * C' ^ 8 * zeta ^ 2 * NK / Np + 32 * C' ^ 10 * L ^ 2 / (Np * B)) * INR T3
    <= (120 * C ^ 8 * zeta ^ 2 * NK / Np + 32 * C ^ 10 * L ^ 2 / (Np * B)) * (NP / Np * C))
    by (apply Rmult_le_compat; lra).
  assert (Y : NK * ((120 * C' ^ 8 * zeta ^ 2 * NK / Np + 32 * C' ^ 10 * L ^ 2 / (Np * B)) * INR T3
      + (4 * zeta ^ 2 * NK + 4 * C' ^ 2 * L ^ 2 / B))
    <= movement_loss C).
  { apply Rle_trans with (NK * ((120 * C ^ 8 * zeta ^ 2 * NK / Np + 32 * C ^ 10 * L ^ 2 / (Np * B)) * (NP / Np * C)
      + (4 * zeta ^ 2 * NK + 4 * C ^ 2 * L ^ 2 / B))); [apply Rmult_le_compat_l; lra|].
    assert (Z : 0 <= C ^ 11 * L ^ 2 * NP * NK / (Np ^ 2 * B)).
    { unfold Rdiv. apply Rmult_le_pos; [repeat apply Rmult_le_pos; lra|].
      left. apply Rinv_0_lt_compat, Rmult_lt_0_compat; [apply pow_lt|]; lra. }
    unfold movement_loss. set (z := C) in *.
    replace (NK * ((120 * z ^ 8 * zeta ^ 2 * NK / Np + 32 * z ^ 10 * L ^ 2 / (Np * B)) * (NP / Np * z)
      + (4 * zeta ^ 2 * NK + 4 * z ^ 2 * L ^ 2 / B)))
      with (120 * z ^ 9 * zeta ^ 2 * NP * NK ^ 2 / Np ^ 2 + 32 * (z ^ 11 * L ^ 2 * NP * NK / (Np ^ 2 * B))
        + 4 * zeta ^ 2 * NK ^ 2 + 4 * z ^ 2 * L ^ 2 * NK / B) by (field; lra).
    replace (128 * z ^ 11 * L ^ 2 * NP * NK / (Np ^ 2 * B)) with (128 * (z ^ 11 * L ^ 2 * NP * NK / (Np ^ 2 * B)))
      by (field; lra).
    lra. }
  assert (g0 : 0 <= sigma ^ 2 + G_ ^ 2 / (NP * (NK * B))).
  { assert (0 <= G_ ^ 2 / (NP * (NK * B))).
    { apply Rmult_le_pos; [apply pow2_ge_0|]. left. apply Rinv_0_lt_compat.
      repeat apply Rmult_lt_0_compat; lra. }
    pose proof (pow2_ge_0 sigma). lra. }
  assert (Z : 2 * (INR T * NK * (8 * C' ^ 2 / (NP * (NK * B)) * (sigma ^ 2 + G_ ^ 2 / (NP * (NK * B))))) <= floor_sum C).
  { unfold floor_sum.
    replace (2 * (INR T * NK * (8 * C' ^ 2 / (NP * (NK * B)) * (sigma ^ 2 + G_ ^ 2 / (NP * (NK * B))))))
      with (16 * C' ^ 2 * INR T / (NP * B) * (sigma ^ 2 + G_ ^ 2 / (NP * (NK * B)))) by (field; lra).
    replace (NP * NK * B) with (NP * (NK * B)) by ring. apply Rmult_le_compat_r; [assumption|]. unfold Rdiv.
    apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra|].
    apply Rmult_le_compat_r; lra. }
  apply Rmult_le_compat_r with (r := S) in Y; [|assumption]. lra.
Qed.
Lemma started sigma_c G_c :
  2 * (NK * INR T3 * (96 * C' ^ 2 * (sigma ^ 2 / (Np * M) + G_ ^ 2 / (Np * M) ^ 2 + sigma_c ^ 2 / Np + G_c ^ 2 / Np ^ 2)))
  <= start_sum C sigma_c G_c /\
  0 <= 96 * C' ^ 2 * (sigma ^ 2 / (Np * M) + G_ ^ 2 / (Np * M) ^ 2 + sigma_c ^ 2 / Np + G_c ^ 2 / Np ^ 2).
Proof.
  destruct sizes as [P1 [[p1 pP] [K1 [b1 [T1 EM]]]]]. destruct rounding as [l1 [C5 [CC [R3 _]]]]. rewrite EM.
  assert (i1 : 0 < / (Np * (NK * B))) by (apply Rinv_0_lt_compat; repeat apply Rmult_lt_0_compat; lra).
  assert (i2 : 0 < / Np) by (apply Rinv_0_lt_compat; lra).
  assert (i3 : 0 < / (Np * (NK * B)) ^ 2)
    by (apply Rinv_0_lt_compat, pow_lt; repeat apply Rmult_lt_0_compat; lra).
  assert (i4 : 0 < / Np ^ 2) by (apply Rinv_0_lt_compat, pow_lt; lra).
  set (y := sigma ^ 2 / (Np * (NK * B)) + G_ ^ 2 / (Np * (NK * B)) ^ 2 + sigma_c ^ 2 / Np + G_c ^ 2 / Np ^ 2).
  assert (y0 : 0 <= y).
  { unfold y, Rdiv. repeat apply Rplus_le_le_0_compat; apply Rmult_le_pos; try apply pow2_ge_0; lra. }
  assert (p2 : C' ^ 2 <= C ^ 2) by (apply pow_incr; lra). assert (q2 : 0 <= C' ^ 2) by (apply pow_le; lra).
  split; [|apply Rmult_le_pos; lra].
  apply Rle_trans with (2 * (NK * (NP / Np * C) * (96 * C ^ 2 * y))).
  - assert (X : 96 * C' ^ 2 * y <= 96 * C ^ 2 * y) by (apply Rmult_le_compat_r; lra).
    assert (0 <= 96 * C' ^ 2 * y) by (apply Rmult_le_pos; lra). pose proof (pos_INR T3).
    assert (NK * INR T3 <= NK * (NP / Np * C)) by (apply Rmult_le_compat_l; lra).
    assert (NK * INR T3 * (96 * C' ^ 2 * y) <= NK * (NP / Np * C) * (96 * C ^ 2 * y)).
    { apply Rmult_le_compat; try assumption. apply Rmult_le_pos; lra. }
    lra.
  - right. unfold start_sum, y. set (z := C). field. lra.
Qed.

(* What does not depend on the option *)
Lemma run_sum (noise : list round -> nat -> list batch -> V) start past i0 :
  (forall past i before, norm (noise past i before) <= r) -> possible (fledge_history P p K b data T) past -> 0 <= i0 ->
  let after t := at_time t past in
  let x t k := step_point P p K b data grad eta noise start k (after (S t)) in
  let v t k := add (estimate P (fledge P p K b eta noise data grad start (after t)))
    (step_change b P p K data grad eta noise start k (after (S t))) in
  (forall t k, (t < T)%nat -> (k <= K)%nat -> sq (sub (v t k) (grad_f (x t k)))
    <= (120 * C' ^ 8 * zeta ^ 2 * NK / Np + 32 * C' ^ 10 * L ^ 2 / (Np * B))
        * sum t (fun s => if (t - T3 <=? s)%nat then sum K (fun l => sq (sub (x s (S l)) (x s l))) else 0)
      + (4 * zeta ^ 2 * NK + 4 * C' ^ 2 * L ^ 2 / B) * sum k (fun l => sq (sub (x t (S l)) (x t l)))
      + 8 * C' ^ 2 / (NP * M) * (sigma ^ 2 + G_ ^ 2 / (NP * M)) + (if (S t <=? T3)%nat then i0 else 0)) ->
  sum T (fun t => sum K (fun k => sq (grad_f (x t k))))
  <= 2 / eta * (F (fst start) - F (fst (fledge P p K b eta noise data grad start past))
       - (1 / (2 * eta) - L / 2 - eta * movement_loss C)
       * sum T (fun t => sum K (fun k => sq (sub (x t (S k)) (x t k)))))
     + floor_sum C + 2 * INR T * NK * (r * r) / (eta * eta) + 2 * (NK * INR T3 * i0).
Proof.
  intros Hr Pp I0 after x v H. destruct rounding as [l1 [C5 [CC [R3 W]]]].
  destruct sizes as [P1 [[p1 pP] [K1 [b1 [T1 EM]]]]].
  assert (i2 : 0 < 2 / eta) by (apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat, He]).
  assert (iN : 0 < / Np) by (apply Rinv_0_lt_compat; lra). assert (iB : 0 < / B) by (apply Rinv_0_lt_compat; lra).
  assert (iNB : 0 < / (Np * B)) by (apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra).
  assert (z2 : 0 <= zeta ^ 2) by apply pow2_ge_0. assert (L2 : 0 <= L ^ 2) by apply pow2_ge_0.
  assert (q2 : 0 <= C' ^ 2) by (apply pow_le; lra). assert (q8 : 0 <= C' ^ 8) by (apply pow_le; lra).
  assert (q10 : 0 <= C' ^ 10) by (apply pow_le; lra).
  assert (A0 : 0 <= 120 * C' ^ 8 * zeta ^ 2 * NK / Np + 32 * C' ^ 10 * L ^ 2 / (Np * B)).
  { unfold Rdiv. apply Rplus_le_le_0_compat; repeat apply Rmult_le_pos; lra. }
  assert (B0 : 0 <= 4 * zeta ^ 2 * NK + 4 * C' ^ 2 * L ^ 2 / B).
  { unfold Rdiv. apply Rplus_le_le_0_compat; repeat apply Rmult_le_pos; lra. }
  pose proof (fledge_first_sum P p K b T Hp HpP HK Hb data f grad L eta r enough_data smoothness He noise start Hr past Pp)
    as FS. fold after in FS.
  pose proof (errors_summed T K T3 _ _ _ _ (fun t k => sq (sub (x t (S k)) (x t k)))
    (fun t k => sq (sub (v t k) (grad_f (x t k)))) A0 B0 I0 (fun t k => sq_nonneg _)
    (fun t k Ht Hk => H t k Ht (Nat.lt_le_incl _ _ Hk))) as ES.
  set (Gs := sum T (fun t => sum K (fun k => sq (grad_f (x t k))))) in *.
  set (Es := sum T (fun t => sum K (fun k => sq (sub (v t k) (grad_f (x t k)))))) in *.
  set (S0 := sum T (fun t => sum K (fun k => sq (sub (x t (S k)) (x t k))))) in *.
  assert (Sp : 0 <= S0) by (apply sum_nonneg; intros; apply sum_nonneg; intros; apply sq_nonneg).
  set (D := F (fst start) - F _) in *.
  change (Gs <= 2 / eta * (D - (1 / (2 * eta) - L / 2) * S0 + eta * Es) + 2 * INR T * NK * (r * r) / (eta * eta)) in FS.
  set (j0 := NK * INR T3 * i0) in *.
  pose proof (inserted (Es - j0) S0 Sp ltac:(lra)) as In.
  set (ml := movement_loss C) in *.
  replace (2 / eta * (D - (1 / (2 * eta) - L / 2) * S0 + eta * Es))
    with (2 / eta * (D - (1 / (2 * eta) - L / 2) * S0) + 2 * Es) in FS by (field; lra).
  replace (2 / eta * (D - (1 / (2 * eta) - L / 2 - eta * ml) * S0))
    with (2 / eta * (D - (1 / (2 * eta) - L / 2) * S0) + 2 * ml * S0) by (field; lra).
  lra.
Qed.

(* lines 2530-2543 *)
Theorem fledge_sum_with_variance :
  (forall noise : (nat -> batch) -> list round -> nat -> list batch -> V,
   (forall J past i before, norm (noise J past i before) <= r) ->
   with_probability (fledge_history_II P p K b data T) (1 - 7 * nu) (fun o =>
     let start := fledge_start_II K b data grad x0 (fst o) in
     let x t k := step_point P p K b data grad eta (noise (fst o)) start k (at_time (S t) (snd o)) in
     let last := fst (fledge P p K b eta (noise (fst o)) data grad start (snd o)) in
     sum T (fun t => sum K (fun k => sq (grad_f (x t k))))
     <= 2 / eta * (F x0 - F last - (1 / (2 * eta) - L / 2 - eta * movement_loss C)
          * sum T (fun t => sum K (fun k => sq (sub (x t (S k)) (x t k)))))
        + floor_sum C + 2 * INR T * NK * (r * r) / (eta * eta)))
  /\ (forall (noise : batch -> (nat -> batch) -> list round -> nat -> list batch -> V) sigma_c G_c,
   (forall I0 J past i before, norm (noise I0 J past i before) <= r) ->
   deviation P G x0 <= sigma_c ^ 2 -> (forall i, (i < P)%nat -> norm (sub (G i x0) (grad_f x0)) <= G_c) ->
   with_probability (fledge_history_I P p K b data T) (1 - 8 * nu) (fun o =>
     let start := fledge_start_I P p K b data grad x0 (fst (fst o)) (snd (fst o)) in
     let chosen := noise (fst (fst o)) (snd (fst o)) in
     let x t k := step_point P p K b data grad eta chosen start k (at_time (S t) (snd o)) in
     let last := fst (fledge P p K b eta chosen data grad start (snd o)) in
     sum T (fun t => sum K (fun k => sq (grad_f (x t k))))
     <= 2 / eta * (F x0 - F last - (1 / (2 * eta) - L / 2 - eta * movement_loss C)
          * sum T (fun t => sum K (fun k => sq (sub (x t (S k)) (x t k)))))
        + floor_sum C + 2 * INR T * NK * (r * r) / (eta * eta) + start_sum C sigma_c G_c)).
Proof.
  destruct rounding as [l1 [C5 [CC [R3 W]]]].
  pose proof (data_lip P data f grad L smoothness) as lip. assert (L0 : 0 <= L) by lra. split.
  - intros noise Hr.
    eapply with_probability_weaken; [apply Rle_refl| |apply (lemma_24_option_II n b P p d T K T3 Hp HpP HK Hb Hn Hd HT
      data grad x0 L zeta sigma G_ enough_data L0 lip zeta0 het mean_square largest eta nu (c - 1) Hnu W noise
      ltac:(lra))].
    intros o [J0 [PJ [past [Pp e]]]] H. simpl in e. subst o. cbn [fst snd] in *. cbv zeta.
    pose proof (run_sum (noise J0) (fledge_start_II K b data grad x0 J0) past 0 (Hr J0) Pp (Rle_refl 0)) as X.
    cbv zeta in X. rewrite !Rmult_0_r, Rplus_0_r in X. apply X. intros t k Ht Hk.
    eapply Rle_trans; [apply (H t k Ht Hk)|]. destruct (S t <=? T3)%nat; rewrite Rplus_0_r; apply Rle_refl.
  - intros noise sigma_c G_c Hr Hs HG. destruct (started sigma_c G_c) as [St St0].
    eapply with_probability_weaken; [apply Rle_refl| |apply (lemma_24_option_I n b P p d T K T3 Hp HpP HK Hb Hn Hd HT
      data grad x0 L zeta sigma G_ enough_data L0 lip zeta0 het mean_square largest eta nu (c - 1) Hnu W sigma_c G_c
      Hs HG noise ltac:(lra))].
    intros o [[I0 J0] [PJ [past [Pp e]]]] H. simpl in e. subst o. cbn [fst snd] in *. cbv zeta.
    pose proof (run_sum (noise I0 J0) (fledge_start_I P p K b data grad x0 I0 J0) past _ (Hr I0 J0) Pp St0 H) as X.
    cbv zeta in X. cbn [fst] in X. eapply Rle_trans; [exact X|]. apply Rplus_le_compat_l, St.
Qed.

(* ---- Theorem 6' ---- *)

Definition appendix_step_size (C : R) : R := / Rmax (2 * L) (sqrt (480 * C ^ 9 * zeta ^ 2 * NP * NK ^ 2 / Np ^ 2
  + 604 * C ^ 11 * L ^ 2 * NP * NK / (Np ^ 2 * B) + 16 * zeta ^ 2 * NK ^ 2 + 16 * C ^ 2 * L ^ 2 * NK / B)).
Lemma appendix_step_facts C : 1 <= C ->
  let e := appendix_step_size C in 0 < e /\ L / 2 + e * movement_loss C <= 1 / (2 * e).
Proof.
  intros C1 e. destruct sizes as [P1 [[p1 pP] [K1 [b1 _]]]].
  assert (z2 : 0 <= zeta ^ 2) by apply pow2_ge_0. assert (L2 : 0 <= L ^ 2) by apply pow2_ge_0.
  assert (q9 : 0 <= C ^ 9) by (apply pow_le; lra). assert (q11 : 0 <= C ^ 11) by (apply pow_le; lra).
  assert (q2 : 0 <= C ^ 2) by (apply pow_le; lra).
  assert (i1 : 0 < / Np ^ 2) by (apply Rinv_0_lt_compat, pow_lt; lra).
  assert (i2 : 0 < / (Np ^ 2 * B)) by (apply Rinv_0_lt_compat, Rmult_lt_0_compat; [apply pow_lt|]; lra).
  assert (i3 : 0 < / B) by (apply Rinv_0_lt_compat; lra).
  assert (k2 : 0 <= NK ^ 2) by apply pow2_ge_0.
  set (y1 := C ^ 9 * zeta ^ 2 * NP * NK ^ 2 / Np ^ 2). set (y2 := C ^ 11 * L ^ 2 * NP * NK / (Np ^ 2 * B)).
  set (y3 := zeta ^ 2 * NK ^ 2). set (y4 := C ^ 2 * L ^ 2 * NK / B).
  assert (n1 : 0 <= y1) by (unfold y1, Rdiv; repeat apply Rmult_le_pos; lra).
  assert (n2 : 0 <= y2) by (unfold y2, Rdiv; repeat apply Rmult_le_pos; lra).
  assert (n3 : 0 <= y3) by (apply Rmult_le_pos; lra).
  assert (n4 : 0 <= y4) by (unfold y4, Rdiv; repeat apply Rmult_le_pos; lra).
  assert (EL : movement_loss C = 120 * y1 + 128 * y2 + 4 * y3 + 4 * y4)
    by (unfold movement_loss, y1, y2, y3, y4; field; lra).
  unfold e, appendix_step_size.
  replace (480 * C ^ 9 * zeta ^ 2 * NP * NK ^ 2 / Np ^ 2 + 604 * C ^ 11 * L ^ 2 * NP * NK / (Np ^ 2 * B)
    + 16 * zeta ^ 2 * NK ^ 2 + 16 * C ^ 2 * L ^ 2 * NK / B) with (480 * y1 + 604 * y2 + 16 * y3 + 16 * y4)
    by (unfold y1, y2, y3, y4; field; lra).
  set (q := 480 * y1 + 604 * y2 + 16 * y3 + 16 * y4). assert (q0 : 0 <= q) by (unfold q; lra).
  pose proof (Rmax_l (2 * L) (sqrt q)) as M1. pose proof (Rmax_r (2 * L) (sqrt q)) as M2.
  pose proof (sqrt_pos q) as s0. pose proof (sqrt_sqrt q q0) as ss.
  set (m := Rmax (2 * L) (sqrt q)) in *. assert (m0 : 0 < m) by lra. split; [apply Rinv_0_lt_compat, m0|].
  replace (1 / (2 * / m)) with (m / 2) by (field; lra).
  assert (X : q <= m * m) by (rewrite <- ss; apply Rmult_le_compat; lra).
  apply Rmult_le_reg_r with m; [exact m0|].
  replace ((L / 2 + / m * movement_loss C) * m) with (L / 2 * m + movement_loss C) by (field; lra).
  assert (L / 2 * m <= m / 4 * m) by (apply Rmult_le_compat_r; lra). unfold q in X. lra.
Qed.

Lemma met (g : nat -> nat -> R) eps Delta D E S : 0 < eps -> 0 <= r -> r <= eta * eps / (2 * sqrt 2) -> 0 <= G_ ->
  128 * C ^ 2 * sigma ^ 2 / eps ^ 2 + 8 * sqrt 2 * C * G_ / eps <= NP * NK * B -> 1 <= C -> D <= Delta -> 0 <= S ->
  L / 2 + eta * movement_loss C <= 1 / (2 * eta) -> 4 * Delta / (eta * eps ^ 2) + 2 * E / eps ^ 2 <= INR T * NK ->
  sum T (fun t => sum K (g t)) <= 2 / eta * (D - (1 / (2 * eta) - L / 2 - eta * movement_loss C) * S)
    + floor_sum C + 2 * INR T * NK * (r * r) / (eta * eta) + E ->
  exists t k, (t < T)%nat /\ (k < K)%nat /\ g t k <= eps * eps.
Proof.
  intros He0 r0 r1 g0 HM C1 HD S0 HS HT' H. destruct sizes as [P1 [[p1 pP] [K1 [b1 [T1 _]]]]].
  destruct (batch_size_condition NP NK B (INR T) C sigma G_ eps eta r) as [Y1 Y2]; try assumption; try lra.
  assert (i2 : 0 < 2 / eta) by (apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat, He]).
  assert (e2 : 0 < eps ^ 2) by (apply pow_lt; assumption).
  assert (X : 2 / eta * (D - (1 / (2 * eta) - L / 2 - eta * movement_loss C) * S) <= 2 / eta * Delta).
  { apply Rmult_le_compat_l; [lra|].
    assert (0 <= (1 / (2 * eta) - L / 2 - eta * movement_loss C) * S) by (apply Rmult_le_pos; lra). lra. }
  assert (Z : 2 / eta * Delta + E <= INR T * NK * eps ^ 2 / 2).
  { replace (2 / eta * Delta + E) with ((4 * Delta / (eta * eps ^ 2) + 2 * E / eps ^ 2) * (eps ^ 2 / 2))
      by (field; lra).
    replace (INR T * NK * eps ^ 2 / 2) with (INR T * NK * (eps ^ 2 / 2)) by field. apply Rmult_le_compat_r; lra. }
  unfold floor_sum in H.
  replace (2 * INR T * NK * (r * r) / (eta * eta)) with (2 * INR T * NK * r ^ 2 / eta ^ 2) in H by (field; lra).
  assert (Sm : sum T (fun t => sum K (g t)) <= INR T * (NK * (eps * eps))).
  { replace (INR T * (NK * (eps * eps))) with (INR T * NK * eps ^ 2) by ring. lra. }
  destruct (some_below T _ _ HT Sm) as [t [Ht S2]]. destruct (some_below K _ _ HK S2) as [k [Hk S3]].
  exists t, k. auto.
Qed.

(* lines 2193-2227 with the constants of lines 2546-2596 *)
Theorem theorem_6_printed eps : 0 < eps -> (forall x, fstar <= F x) -> eta = appendix_step_size C -> 0 <= r ->
  r <= eta * eps / (2 * sqrt 2) ->
  128 * C ^ 2 * sigma ^ 2 / eps ^ 2 + 8 * sqrt 2 * C * G_ / eps <= NP * NK * B ->
  let Delta := F x0 - fstar in
  (forall noise : (nat -> batch) -> list round -> nat -> list batch -> V,
   (forall J past i before, norm (noise J past i before) <= r) -> 4 * Delta / (eta * eps ^ 2) <= INR T * NK ->
   with_probability (fledge_history_II P p K b data T) (1 - 7 * nu) (fun o =>
     let start := fledge_start_II K b data grad x0 (fst o) in
     exists t k, (t < T)%nat /\ (k < K)%nat /\ norm (grad_f (step_point P p K b data grad eta (noise (fst o)) start k
       (at_time (S t) (snd o)))) <= eps))
  /\ (forall (noise : batch -> (nat -> batch) -> list round -> nat -> list batch -> V) sigma_c G_c,
   (forall I0 J past i before, norm (noise I0 J past i before) <= r) ->
   deviation P G x0 <= sigma_c ^ 2 -> (forall i, (i < P)%nat -> norm (sub (G i x0) (grad_f x0)) <= G_c) ->
   4 * Delta / (eta * eps ^ 2) + 384 * C ^ 3 / eps ^ 2 * (sigma ^ 2 * NP / (Np ^ 2 * B)
     + NP * G_ ^ 2 / (Np ^ 3 * NK * B ^ 2) + NP * NK * sigma_c ^ 2 / Np ^ 2 + NP * NK * G_c ^ 2 / Np ^ 3)
     <= INR T * NK ->
   with_probability (fledge_history_I P p K b data T) (1 - 8 * nu) (fun o =>
     let start := fledge_start_I P p K b data grad x0 (fst (fst o)) (snd (fst o)) in
     exists t k, (t < T)%nat /\ (k < K)%nat /\ norm (grad_f (step_point P p K b data grad eta
       (noise (fst (fst o)) (snd (fst o))) start k (at_time (S t) (snd o)))) <= eps)).
Proof.
  intros He0 Inf Ee r0 r1 HM Delta. destruct sizes as [P1 [[p1 pP] [K1 [b1 [T1 _]]]]].
  destruct rounding as [l1 [C5 [CC _]]]. assert (C1 : 1 <= C) by lra.
  pose proof (appendix_step_facts C C1) as [_ SF]. rewrite <- Ee in SF.
  assert (g0 : 0 <= G_).
  { specialize (enough_data 0%nat ltac:(lia)). apply Rle_trans with (norm (sub (grad 0%nat 0%nat x0) (G 0%nat x0))); [apply norm_nonneg|].
    apply (largest 0%nat 0%nat x0); nia. }
  assert (HD : forall y, F x0 - F y <= Delta) by (intro y; specialize (Inf y); unfold Delta; lra).
  assert (Sp : forall x : nat -> nat -> V, 0 <= sum T (fun t => sum K (fun k => sq (sub (x t (S k)) (x t k)))))
    by (intro; apply sum_nonneg; intros; apply sum_nonneg; intros; apply sq_nonneg).
  destruct fledge_sum_with_variance as [TII TI]. split.
  - intros noise Hr HT'. eapply with_probability_weaken; [apply Rle_refl| |apply (TII noise Hr)].
    intros o _ H. cbv zeta in H |- *.
    set (x := fun t k => step_point P p K b data grad eta (noise (fst o)) (fledge_start_II K b data grad x0 (fst o)) k
      (at_time (S t) (snd o))).
    assert (X : exists t k, (t < T)%nat /\ (k < K)%nat /\ sq (grad_f (x t k)) <= eps * eps).
    { eapply (fun D S => met (fun t k => sq (grad_f (x t k))) eps Delta D 0 S);
        [exact He0|exact r0|exact r1|exact g0|exact HM|exact C1|apply HD|apply (Sp x)|exact SF| |].
      + replace (2 * 0 / eps ^ 2) with 0 by (field; lra). lra.
      + rewrite Rplus_0_r. exact H.
  }
    destruct X as [t [k [Ht [Hk N]]]].
    exists t, k. split; [assumption|]. split; [assumption|]. apply norm_le; [lra|exact N].
  - intros noise sigma_c G_c Hr Hs HG HT'.
    eapply with_probability_weaken; [apply Rle_refl| |apply (TI noise sigma_c G_c Hr Hs HG)].
    intros o _ H. cbv zeta in H |- *.
    set (x := fun t k => step_point P p K b data grad eta (noise (fst (fst o)) (snd (fst o)))
      (fledge_start_I P p K b data grad x0 (fst (fst o)) (snd (fst o))) k (at_time (S t) (snd o))).
    assert (X : exists t k, (t < T)%nat /\ (k < K)%nat /\ sq (grad_f (x t k)) <= eps * eps).
    { eapply (fun D S => met (fun t k => sq (grad_f (x t k))) eps Delta D (start_sum C sigma_c G_c) S);
        [exact He0|exact r0|exact r1|exact g0|exact HM|exact C1|apply HD|apply (Sp x)|exact SF| |].
      + eapply Rle_trans; [|exact HT']. right. unfold start_sum. set (z := C). field. lra.
      + exact H.
  }
    destruct X as [t [k [Ht [Hk N]]]].
    exists t, k. split; [assumption|]. split; [assumption|]. apply norm_le; [lra|exact N].
Qed.
End Printed.
