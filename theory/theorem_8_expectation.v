(* Theorem 8 (theorem:D-PL, lines 566-591; Remark 34, lines 3370-3417) in expectation: a linear rate
   of FLEDGE under the PL condition. Ledger: dpl-remark-final/sharper.

   Printed: FLEDGE finds epsilon-stationary points (Remark 34: f - inf f <= eps) in
       O~(1 + (L/(mu K) ∧ zeta sqrt(P)/(mu p) ∧ P/p ∧ zeta/mu ∧ L/(mu sqrt(Kb))) log(Delta/eps))
   rounds with probability 1 - nu, for a step size that is a minimum. (Each ∧ should be ∨; a term is
   missing; the corrected form stands in the ledger.)

   Proved, for all spaces, f_{i,j}, 1 <= p <= P, K, b >= 1, clients with at least Kb data, noises
   with |xi| <= r and T rounds: with eta = 1/max(2L, 3 mu P K/p, sqrt(6 Lambda')),
   Lambda' = fledge_pl_factor,
       E f(x^T) - inf f <= (1 - eta mu)^{TK} (Delta + s) + (6/5) r^2/(eta^2 mu)
           + 18 sigma^2/(mu P K b),
       s = (3/2)(2K-1)(eta P/p) 4 sigma^2/(PKb).
   So r^2 <= (5/18) eta^2 eps mu, PKb >= 54 sigma^2/(mu eps) and
   T = ceil(log(3(Delta + s)/eps)/(eta mu K)) rounds give E f(x^T) - inf f <= eps. Option I has
   S = (rho/p + (3/P)(1 + rho/p)) sigma_c^2 + (1 + 3/P) sigma^2/(pKb) for 4 sigma^2/(PKb) in s
   [theorem_8_option_I_expectation, theorem_8_option_I_rounds].

   Stronger than printed: literal constants, no logarithm, no G, no failure probability, noise
   chosen by an adversary.
   Weaker: a mean over all choices. *)
From Coq Require Import Reals Lra Lia PeanoNat List.
From Sledge Require Import vectors means minibatches algorithms problems second_moments
  sledge_errors.
From Sledge Require Import theorem_2_expectation theorem_5_expectation fledge_sampling fledge_errors
  theorem_6_expectation.
Import ListNotations.
Open Scope R_scope.

Definition pl_table_factor (P p K b : nat) (L zeta : R) : R :=
  movement_factor (1 / 2) P p * (INR P - 1) / (2 * INR p * INR P) * (zeta * zeta)
    + change_noise P p K b L.
(* Lambda' *)
Definition fledge_pl_factor (P p K b : nat) (L zeta : R) : R :=
  3 / 2 * (2 * INR K - 1) * (INR P / INR p) * (pl_table_factor P p K b L zeta * INR K)
    + local_factor b L zeta K.
Definition fledge_pl_step_size (P p K b : nat) (L zeta mu : R) : R :=
  / Rmax (2 * L) (Rmax (3 * mu * INR P * INR K / INR p)
    (sqrt (6 * fledge_pl_factor P p K b L zeta))).
(* The weight of the potential. *)
Definition fledge_weight (P p K : nat) (eta : R) : R := 3 / 2 * (2 * INR K - 1)
  * eta * (INR P / INR p).

(* s and T *)
Definition fledge_pl_start (P p K b : nat) (eta sigma : R) : R :=
  fledge_weight P p K eta * (4 * (sigma * sigma) / (INR P * INR (K * b))).
Definition fledge_pl_rounds (K : nat) (eta mu gap eps : R) : nat := ceiling (ln (3 * gap / eps)
  / (eta * mu * INR K)).

(* ---- Sequences ---- *)

Lemma contracting_steps (g e m : nat -> R) a c eta d K : 0 <= a <= 1 -> 0 <= c -> 0 <= eta -> 0
  <= d ->
  (forall k, 0 <= e k) -> (forall k, 0 <= m k) ->
  (forall k, g (S k) <= (1 - a) * g k + eta * e k - c * m k + d) ->
  g K <= (1 - a) ^ K * g O + eta * sum K e - (1 - a) ^ K * c * sum K m + INR K * d.
Proof.
  intros Ha Hc Heta Hd He Hm H. induction K as [|k IH]; [simpl; lra|]. rewrite S_INR. cbn [sum pow].
  specialize (H k). specialize (He k) as E0. specialize (Hm k) as M0. set (w := (1 - a) ^ k) in *.
  assert (W : 0 <= w <= 1).
  { unfold w. split; [apply pow_le; lra|]. pose proof (pow_incr (1 - a) 1 k ltac:(lra)) as P.
    rewrite pow1 in P. exact P. }
  assert (E1 : 0 <= sum k e) by (apply sum_nonneg; intros; apply He).
  apply Rmult_le_compat_l with (r := 1 - a) in IH; [|lra].
  assert (A1 : (1 - a) * (eta * sum k e) <= eta * sum k e).
  { assert (0 <= eta * sum k e) by (apply Rmult_le_pos; assumption). nra. }
  assert (A2 : (1 - a) * (INR k * d) <= INR k * d).
  { assert (0 <= INR k * d) by (apply Rmult_le_pos; [apply pos_INR|assumption]). nra. }
  assert (A3 : (1 - a) * w * c * m k <= c * m k).
  { assert (0 <= c * m k) by (apply Rmult_le_pos; assumption). assert ((1 - a) * w <= 1) by nra.
    replace ((1 - a) * w * c * m k) with ((1 - a) * w * (c * m k)) by ring. nra. }
  lra.
Qed.
(* (1 - a)^K >= 1 - K a, and <= 1 - (5/6) K a for K a <= 1/3 *)
Lemma bernoulli a K : 0 <= a <= 1 -> 1 - INR K * a <= (1 - a) ^ K.
Proof.
  intro H. induction K as [|K IH]; [simpl; lra|]. rewrite S_INR. cbn [pow]. pose proof (pos_INR K).
  apply Rmult_le_compat_l with (r := 1 - a) in IH; [|lra].
  assert (0 <= INR K * (a * a)) by (apply Rmult_le_pos; nra). lra.
Qed.
Lemma power_below a K : 0 <= a <= 1 -> INR K * a <= 1 / 3 -> (1 - a) ^ K <= 1 - 5 / 6 * (INR K * a).
Proof.
  intros H Hk. assert (G : (1 - a) ^ K <= 1 - INR K * a + INR K * INR K * (a * a) / 2).
  { clear Hk. induction K as [|K IH]; [simpl; lra|]. rewrite S_INR. cbn [pow].
    pose proof (pos_INR K) as k0.
    apply Rmult_le_compat_l with (r := 1 - a) in IH; [|lra]. set (k := INR K) in *.
    assert (0 <= k * k * (a * a) * a) by (apply Rmult_le_pos; [apply Rmult_le_pos; nra|lra]). nra. }
  pose proof (pos_INR K). assert (0 <= INR K * a) by (apply Rmult_le_pos; lra).
  replace (INR K * INR K * (a * a) / 2) with (INR K * a * (INR K * a) / 2) in G by field. nra.
Qed.

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
Hypothesis Hmu : 0 < mu.
Hypothesis smoothness : data_smooth P data f grad L.
Notation G := (client_gradient data grad).
Notation F := (objective P (client_objective data f)).
Notation grad_f := (gradient P G).
Hypothesis infimum : forall x, fstar <= F x.
Hypothesis het : heterogeneous P G zeta.
Hypothesis bounded : data_bounded P data grad sigma.
Hypothesis pl : polyak mu fstar F grad_f.
Notation NP := (INR P).
Notation Np := (INR p).
Notation NK := (INR K).
Notation fn := (fresh_noise P p K b sigma).
Notation ptf := (pl_table_factor P p K b L zeta).
Notation eta := (fledge_pl_step_size P p K b L zeta mu).
Notation A := (fledge_weight P p K eta).
Notation R_ := ((1 - eta * mu) ^ K).

Let lipschitz_data : data_lipschitz P data grad L := data_lip P data f grad L smoothness.
Lemma K_1 : 1 <= NK. Proof. change 1 with (INR 1). apply le_INR. assumption. Qed.
Lemma ptf_nonneg : 0 <= ptf.
Proof.
  pose proof (Nn P p Hp HpP). pose proof (Bb P p Hp HpP) as [p1 pP]. pose proof (M_pos K b HK Hb).
  unfold pl_table_factor, change_noise. apply Rplus_le_le_0_compat.
  - apply Rmult_le_pos; [|apply Rle_0_sqr]. apply Rmult_le_pos.
    + apply Rmult_le_pos; [apply movement_factor_nonneg; assumption || lra|lra].
    + left. apply Rinv_0_lt_compat. nra.
  - apply Rmult_le_pos.
    + apply Rmult_le_pos; [apply Rmult_le_pos; lra|apply Rle_0_sqr].
    + left. apply Rinv_0_lt_compat. repeat apply Rmult_lt_0_compat; lra.
Qed.
Lemma pl_factor_nonneg : 0 <= fledge_pl_factor P p K b L zeta.
Proof.
  pose proof K_1. pose proof (Bb P p Hp HpP) as [p1 pP]. pose proof ptf_nonneg as T0.
  assert (B1 : 1 <= INR b) by (change 1 with (INR 1); apply le_INR; assumption).
  unfold fledge_pl_factor, local_factor. apply Rplus_le_le_0_compat.
  - apply Rmult_le_pos; [|apply Rmult_le_pos; lra]. apply Rmult_le_pos; [lra|].
    apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra].
  - apply Rmult_le_pos; [lra|]. apply Rplus_le_le_0_compat.
    + apply Rmult_le_pos; [lra|apply Rle_0_sqr].
    + apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [apply Rle_0_sqr|left; apply Rinv_0_lt_compat;
        lra].
Qed.
Lemma pl_eta_facts : 0 < eta /\ 2 * eta * L <= 1 /\ 3 * NK * (eta * mu) * NP <= Np /\
  6 * (eta * eta) * fledge_pl_factor P p K b L zeta <= 1.
Proof.
  pose proof (Bb P p Hp HpP) as [p1 pP]. unfold fledge_pl_step_size.
  pose proof (Rmax_l (2 * L) (Rmax (3 * mu * NP * NK / Np)
    (sqrt (6 * fledge_pl_factor P p K b L zeta)))) as M1.
  assert (M2 := Rle_trans _ _ _ (Rmax_l (3 * mu * NP * NK / Np)
    (sqrt (6 * fledge_pl_factor P p K b L zeta))) (Rmax_r (2 * L) _)).
  assert (M3 := Rle_trans _ _ _ (Rmax_r (3 * mu * NP * NK / Np)
    (sqrt (6 * fledge_pl_factor P p K b L zeta))) (Rmax_r (2 * L) _)).
  set (m := Rmax (2 * L) _) in *. repeat split.
  - apply Rinv_0_lt_compat. lra.
  - apply Rmult_le_reg_r with m; [lra|]. replace (2 * / m * L * m) with (2 * L) by (field; lra).
    lra.
  - apply Rmult_le_reg_r with (m * / Np); [apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat;
      lra]|].
    replace (3 * NK * (/ m * mu) * NP * (m * / Np)) with (3 * mu * NP * NK / Np) by (field; lra).
    replace (Np * (m * / Np)) with m by (field; lra). exact M2.
  - assert (Z : 0 <= 6 * fledge_pl_factor P p K b L zeta) by (pose proof pl_factor_nonneg; lra).
    replace (6 * (/ m * / m) * fledge_pl_factor P p K b L zeta)
      with (/ m * / m * (6 * fledge_pl_factor P p K b L zeta)) by ring.
    rewrite <- (sqrt_sqrt _ Z). set (q := sqrt _) in *. assert (0 <= q) by apply sqrt_pos.
    apply Rmult_le_reg_r with (m * m); [nra|].
    replace (/ m * / m * (q * q) * (m * m)) with (q * q) by (field; lra).
    rewrite Rmult_1_l. apply Rmult_le_compat; assumption.
Qed.
(* K eta mu <= p/(3P) <= 1/3, so 2/3 <= 1 - p/(3P) <= (1 - eta mu)^K *)
Lemma rate_facts : 0 < eta * mu <= 1 / 3 /\ NK * (eta * mu) <= 1 / 3 * (Np / NP)
  /\ 1 - 1 / 3 * (Np / NP) <= R_ <= 1.
Proof.
  pose proof pl_eta_facts as [E0 [_ [E2 _]]]. pose proof K_1. pose proof (Nn P p Hp HpP).
  pose proof (Bb P p Hp HpP) as [p1 pP].
  pose proof (BN_1 P p Hp HpP) as [q0 q1].
  assert (a0 : 0 < eta * mu) by (apply Rmult_lt_0_compat; assumption).
  assert (C : NK * (eta * mu) <= 1 / 3 * (Np / NP)).
  { apply Rmult_le_reg_r with (3 * NP); [lra|].
    replace (1 / 3 * (Np / NP) * (3 * NP)) with Np by (field; lra). lra. }
  assert (a1 : eta * mu <= 1 / 3) by nra.
  repeat split; try assumption.
  - eapply Rle_trans; [|apply bernoulli; lra]. lra.
  - pose proof (pow_incr (1 - eta * mu) 1 K ltac:(lra)) as Q. rewrite pow1 in Q. exact Q.
Qed.
Lemma weight_pos : 0 < A.
Proof.
  pose proof pl_eta_facts as [E0 _]. pose proof K_1. pose proof (Nn P p Hp HpP).
  pose proof (Bb P p Hp HpP) as [p1 pP].
  unfold fledge_weight. apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; lra|].
  apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra].
Qed.

Section AnyStart.
Variables (r : R) (noise : list round -> nat -> list batch -> V).
Hypothesis noise_r : forall past i before, norm (noise past i before) <= r.
Notation lmean := (local_mean P b data).
Notation lx past s := (local_x P b data grad eta noise past s).
Notation lerr past s := (local_error P b data grad eta noise past s).
Notation lmov past s := (local_moved P b data grad eta noise past s).
Notation step past s c := (fledge_round P p K b eta noise data grad past s c).
Notation rounds := (round_law P p K b data).
Definition fledge_psi (s : V * (nat -> V)) : R := F (fst s) - fstar + A * phi P G s.

(* The gap along the local steps of a round. *)
Lemma round_gap past s : Ex rounds (fun c => F (fst (step past s c)) - fstar)
  <= R_ * (F (fst s) - fstar) + eta * sum K (fun k => lmean k (fun i Js => sq (lerr past s i Js)))
     - R_ * (1 / (2 * eta) - L / 2) * sum K (fun k => lmean k (lmov past s)) + NK * (r * r / eta).
Proof.
  pose proof pl_eta_facts as [E0 [E1 _]]. pose proof rate_facts as [[a0 a1] _].
  rewrite <- (local_mean_sum P b data K (fun _ i Js => sq (lerr past s i Js))),
    <- (local_mean_sum P b data K (fun _ => lmov past s)).
  replace (Ex rounds (fun c => F (fst (step past s c)) - fstar))
    with (Ex (index P) (fun i => Ex (history (uniform (data i) b) K) (fun Js => F (lx past s i Js)
      - fstar))).
  2:{ unfold round_law. rewrite Ex_bind. apply Ex_ext. intros i _. rewrite Ex_bind. apply Ex_ext.
      intros Js _.
      symmetry. change (Ex (uniform P p) (fun I => Ex (fresh_law P data (K * b))
        (fun J => F (lx past s i Js) - fstar)) = F (lx past s i Js) - fstar).
      rewrite (Ex_ext _ _ (fun _ => F (lx past s i Js) - fstar)) by (intros; apply Ex_const).
      apply Ex_const. }
  rewrite <- (Ex_const (index P) (R_ * (F (fst s) - fstar))), <- (Ex_const (index P)
    (NK * (r * r / eta))).
  rewrite <- !Ex_mul, <- !Ex_add, <- Ex_sub, <- Ex_add.
  apply Ex_le. intros i _. set (E := fun k => Ex (history (uniform (data i) b) k)).
  apply (contracting_steps (fun k => E k (fun Js => F (lx past s i Js) - fstar))
    (fun k => E k (fun Js => sq (lerr past s i Js))) (fun k => E k (lmov past s i))); try lra.
  - apply Rmult_le_reg_l with (2 * eta); [lra|]. rewrite Rmult_0_r.
    replace (2 * eta * (1 / (2 * eta) - L / 2)) with (1 - eta * L) by (field; lra). lra.
  - apply Rmult_le_pos; [apply Rle_0_sqr|left; apply Rinv_0_lt_compat; assumption].
  - intro. apply Ex_nonneg. intros. apply sq_nonneg.
  - intro. apply Ex_nonneg. intros. apply sq_nonneg.
  - intro k. unfold E. rewrite Ex_history_S.
    rewrite <- !Ex_mul, <- (Ex_const (history (uniform (data i) b) k) (r * r / eta)), <- Ex_add,
      <- Ex_sub, <- Ex_add.
    apply Ex_le. intros Js _.
    rewrite (Ex_ext _ _ (fun _ => F (local_next P b data grad eta noise past s i Js) - fstar))
      by reflexivity. rewrite Ex_const.
    pose proof (descent_lemma F grad_f L eta r (lx past s i Js) (local_estimate (estimate P s)
      (local_state P b data grad eta noise past s i Js))
      (noise past i Js) (fledge_quadratic P p K b Hp HpP HK Hb data f grad L enough_data smoothness)
        E0 (noise_r past i Js)) as D. cbv zeta in D.
    fold (lerr past s i Js) in D.
    change (add (sub (lx past s i Js) (scale eta (local_estimate (estimate P s)
      (local_state P b data grad eta noise past s i Js)))) (noise past i Js))
      with (local_next P b data grad eta noise past s i Js) in D.
    fold (lmov past s i Js) in D. pose proof (pl (lx past s i Js)) as Pl.
    apply Rmult_le_compat_l with (r := eta / 2) in Pl; [|lra].
    replace (eta / 2 * (2 * mu * (F (lx past s i Js) - fstar))) with (eta * mu * (F (lx past s i Js)
      - fstar)) in Pl by field. lra.
Qed.
Lemma round_phi_half past s : Ex rounds (fun c => phi P G (step past s c))
  <= (1 - Np / NP) * (1 - Np / NP) * sq (error P G s)
     + 3 / NP * (1 - (1 - 1 / 2) * (Np / NP) * (1 - rho P p / 3)) * mean_sq P (row_error G s)
     + ptf * NK * sum K (fun k => lmean k (lmov past s)) + fn.
Proof.
  assert (HP : (1 <= P)%nat) by exact (Nat.le_trans _ _ _ Hp HpP).
  set (base := (1 - Np / NP) * (1 - Np / NP) * sq (error P G s)
    + 3 / NP * (1 - (1 - 1 / 2) * (Np / NP) * (1 - rho P p / 3)) * mean_sq P (row_error G s)).
  rewrite <- (local_mean_sum P b data K (fun _ => lmov past s)), <- Ex_mul, <- (Ex_const (index P)
    base), <- (Ex_const (index P) fn), <- !Ex_add.
  unfold round_law. rewrite Ex_bind. apply Ex_le. intros i Hi.
  apply index_possible in Hi; [|exact HP]. rewrite Ex_bind.
  apply Rle_trans with (Ex (history (uniform (data i) b) K) (fun Js => base + fn
    + ptf * sq (sub (lx past s i Js) (fst s)))).
  - apply Ex_le. intros Js _.
    change (Ex (uniform P p) (fun I => Ex (fresh_law P data (K * b)) (fun J =>
      phi P G (refresh P p K b data grad s (lx past s i Js) I J))) <= base + fn
        + ptf * sq (sub (lx past s i Js) (fst s))).
    pose proof (refresh_moment P p K b Hp HpP HK Hb data grad L zeta sigma enough_data
      lipschitz_data het bounded s (lx past s i Js) (1 / 2) ltac:(lra)) as H.
    unfold base, pl_table_factor. lra.
  - rewrite Ex_add, Ex_const, Ex_mul.
    assert (Db : (b <= data i)%nat) by (specialize (enough_data i Hi); clear - enough_data HK Hb;
      nia).
    pose proof (path_part P b HP Hb data grad eta noise past s i Hi Db K) as Q.
    apply Rmult_le_compat_l with (r := ptf) in Q; [|exact ptf_nonneg]. lra.
Qed.
Theorem round_psi past s : Ex rounds (fun c => fledge_psi (step past s c))
  <= R_ * fledge_psi s + (NK * (r * r / eta) + A * fn).
Proof.
  pose proof pl_eta_facts as [E0 [E1 [_ E3]]]. pose proof rate_facts as [[a0 a1] [_ [R0 R1]]].
  pose proof weight_pos as A0.
  pose proof K_1 as K1. pose proof (Nn P p Hp HpP) as P1. pose proof (Bb P p Hp HpP) as [p1 pP].
  pose proof (BN_1 P p Hp HpP) as [q0 q1].
  unfold fledge_psi. rewrite Ex_add, Ex_mul. pose proof (round_gap past s) as Gp.
  pose proof (round_phi_half past s) as Ph.
  pose proof (round_errors P p K b Hp HpP HK Hb data grad L zeta enough_data lipschitz_data het eta
    noise past s) as Er.
  set (m := sum K (fun k => lmean k (lmov past s))) in *.
  set (er := sum K (fun k => lmean k (fun i Js => sq (lerr past s i Js)))) in *.
  assert (m0 : 0 <= m) by (apply sum_nonneg; intros; apply Ex_nonneg; intros; apply Ex_nonneg;
    intros; apply sq_nonneg).
  unfold phi at 2. unfold potential. rewrite <- (error_is_mean P G s).
  set (ee := sq (error P G s)) in *. assert (ee0 : 0 <= ee) by apply sq_nonneg.
  set (PP := mean_sq P (row_error G s)) in *.
  assert (PP0 : 0 <= PP).
  { apply Rmult_le_pos; [left; apply Rinv_0_lt_compat; lra|]. apply sum_nonneg. intros.
    apply sq_nonneg. }
  set (EV := Ex rounds (fun c => phi P G (step past s c))) in *. set (w := R_) in *.
  apply Rmult_le_compat_l with (r := eta) in Er; [|lra].
  apply Rmult_le_compat_l with (r := A) in Ph; [|lra].
  (* the squared error of the estimate *)
  assert (X1 : eta * ((2 * NK - 1) * ee) + A * ((1 - Np / NP) * (1 - Np / NP) * ee)
    <= w * (A * ee)).
  { assert (Q : eta * (2 * NK - 1) <= A * (w - (1 - Np / NP) * (1 - Np / NP))).
    { apply Rle_trans with (A * (1 - 1 / 3 * (Np / NP) - (1 - Np / NP) * (1 - Np / NP)));
        [|apply Rmult_le_compat_l; lra].
      replace (A * (1 - 1 / 3 * (Np / NP) - (1 - Np / NP) * (1 - Np / NP))) with (eta * (2 * NK - 1)
        * (3 / 2 * (5 / 3 - Np / NP)))
        by (unfold fledge_weight; field; lra).
      rewrite <- (Rmult_1_r (eta * (2 * NK - 1))) at 1.
      apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|lra]. }
    apply Rmult_le_compat_r with (r := ee) in Q; [|assumption]. lra. }
  (* the rows *)
  assert (X2 : A * (3 / NP * (1 - (1 - 1 / 2) * (Np / NP) * (1 - rho P p / 3)) * PP)
    <= w * (A * (3 / NP * PP))).
  { assert (R2 : rho P p <= 1).
    { destruct (Nat.eq_dec P 1) as [e|e]; [|apply rho_bounds; lia].
      assert (h : p = 1%nat) by lia. rewrite e, h, rho_1. lra. }
    replace (w * (A * (3 / NP * PP))) with (A * (3 / NP * w * PP)) by ring.
    apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_r; [assumption|].
    apply Rmult_le_compat_l.
    - apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra].
    - assert (Np / NP * (2 / 3) <= Np / NP * (1 - rho P p / 3)) by (apply Rmult_le_compat_l; lra).
      lra. }
  (* the movement *)
  assert (X3 : eta * (local_factor b L zeta K * m) + A * (ptf * NK * m) <= w * (1 / (2 * eta)
    - L / 2) * m).
  { replace (eta * (local_factor b L zeta K * m) + A * (ptf * NK * m))
      with (eta * fledge_pl_factor P p K b L zeta * m)
      by (unfold fledge_pl_factor, fledge_weight; ring).
    apply Rmult_le_compat_r; [assumption|]. apply Rle_trans with (2 / 3 * (1 / (4 * eta))).
    - apply Rmult_le_reg_r with (6 * eta); [lra|].
      replace (2 / 3 * (1 / (4 * eta)) * (6 * eta)) with 1 by (field; lra). lra.
    - apply Rmult_le_compat; [lra| |lra|].
      + apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra].
      + apply Rmult_le_reg_l with (4 * eta); [lra|].
        replace (4 * eta * (1 / (4 * eta))) with 1 by (field; lra).
        replace (4 * eta * (1 / (2 * eta) - L / 2)) with (2 - 2 * eta * L) by (field; lra). lra. }
  lra.
Qed.
Variable start : V * (nat -> V).
Notation run := (fledge P p K b eta noise data grad start).
Theorem fledge_linear_rate T : Ex (fledge_history P p K b data T) (fun past => F (fst (run past))
  - fstar)
  <= (1 - eta * mu) ^ (K * T) * fledge_psi start + (6 / 5 * (r * r) / (eta * eta * mu)
    + 18 * (sigma * sigma) / (mu * (NP * INR (K * b)))).
Proof.
  pose proof pl_eta_facts as [E0 _]. pose proof rate_facts as [[a0 a1] [Ka [R0 R1]]].
  pose proof weight_pos as A0.
  pose proof K_1 as K1. pose proof (Nn P p Hp HpP) as P1. pose proof (Bb P p Hp HpP) as [p1 pP].
  pose proof (BN_1 P p Hp HpP) as [q0 q1].
  pose proof (M_pos K b HK Hb) as M1. pose proof (fn_nonneg P p K b Hp HpP HK Hb sigma) as F0.
  set (d := NK * (r * r / eta) + A * fn).
  set (lim := 6 / 5 * (r * r) / (eta * eta * mu) + 18 * (sigma * sigma)
    / (mu * (NP * INR (K * b)))).
  assert (D : d <= (1 - R_) * lim).
  { pose proof (power_below (eta * mu) K ltac:(lra)) as Q.
    assert (h : NK * (eta * mu) <= 1 / 3) by lra. specialize (Q h).
    apply Rle_trans with (5 / 6 * (NK * (eta * mu)) * lim).
    - unfold d, lim. rewrite Rmult_plus_distr_l. apply Rplus_le_compat.
      + right. field. lra.
      + unfold fledge_weight, fresh_noise. set (M := INR (K * b)) in *.
        replace (3 / 2 * (2 * NK - 1) * eta * (NP / Np) * (5 * Np * (sigma * sigma)
          / (NP * NP * M)))
          with (15 * (sigma * sigma) / (NP * M) * eta * (NK - 1 / 2)) by (field; lra).
        replace (5 / 6 * (NK * (eta * mu)) * (18 * (sigma * sigma) / (mu * (NP * M))))
          with (15 * (sigma * sigma) / (NP * M) * eta * NK) by (field; lra).
        apply Rmult_le_compat_l; [|lra]. apply Rmult_le_pos; [|lra].
        apply Rmult_le_pos; [apply Rmult_le_pos; [lra|apply Rle_0_sqr]|left; apply Rinv_0_lt_compat;
          nra].
    - apply Rmult_le_compat_r; [|lra]. unfold lim. apply Rplus_le_le_0_compat.
      + apply Rmult_le_pos; [apply Rmult_le_pos; [lra|apply Rle_0_sqr]|left; apply Rinv_0_lt_compat;
          apply Rmult_lt_0_compat; nra].
      + apply Rmult_le_pos; [apply Rmult_le_pos; [lra|apply Rle_0_sqr]|left; apply Rinv_0_lt_compat;
          apply Rmult_lt_0_compat; nra]. }
  assert (lim0 : 0 <= lim).
  { unfold lim. apply Rplus_le_le_0_compat.
    - apply Rmult_le_pos; [apply Rmult_le_pos; [lra|apply Rle_0_sqr]|left; apply Rinv_0_lt_compat;
        apply Rmult_lt_0_compat; nra].
    - apply Rmult_le_pos; [apply Rmult_le_pos; [lra|apply Rle_0_sqr]|left; apply Rinv_0_lt_compat;
        apply Rmult_lt_0_compat; nra]. }
  assert (H : Ex (fledge_history P p K b data T) (fun past => fledge_psi (run past))
    <= R_ ^ T * fledge_psi start + lim).
  { induction T as [|T IH]; [cbn; lra|]. unfold fledge_history in *. rewrite Ex_history_S.
    apply Rle_trans with (Ex (history rounds T) (fun past => R_ * fledge_psi (run past) + d)).
    - apply Ex_le. intros past _. apply round_psi.
    - rewrite Ex_add, Ex_mul, Ex_const. cbn [pow].
      apply Rmult_le_compat_l with (r := R_) in IH; [|lra]. lra. }
  rewrite <- pow_mult in H. eapply Rle_trans; [|exact H]. apply Ex_le. intros past _.
  unfold fledge_psi.
  pose proof (phi_nonneg P p Hp HpP G (run past)). nra.
Qed.
End AnyStart.

Variables (r : R) (x0 : V).
Notation Delta := (F x0 - fstar).
Notation lim := (6 / 5 * (r * r) / (eta * eta * mu) + 18 * (sigma * sigma)
  / (mu * (NP * INR (K * b)))).
(* From a start that is drawn, of potential s0. *)
Lemma rate_in_the_mean {O} (m : mean O) (start : O -> V * (nat -> V))
    (noise : O -> list round -> nat -> list batch -> V) s0 T :
  (forall o, fst (start o) = x0) -> (forall o past i before, norm (noise o past i before) <= r) ->
  Ex m (fun o => phi P G (start o)) <= s0 ->
  Ex m (fun o => Ex (fledge_history P p K b data T)
    (fun past => F (fst (fledge P p K b eta (noise o) data grad (start o) past)) - fstar))
  <= (1 - eta * mu) ^ (K * T) * (Delta + A * s0) + lim.
Proof.
  intros Hs Hr S0. pose proof rate_facts as [[a0 a1] _]. pose proof weight_pos as A0.
  set (w := (1 - eta * mu) ^ (K * T)). assert (w0 : 0 <= w) by (apply pow_le; lra).
  apply Rle_trans with (Ex m (fun o => (w * Delta + lim) + w * A * phi P G (start o))).
  - apply Ex_le. intros o _. eapply Rle_trans; [apply (fledge_linear_rate r (noise o) (Hr o)
      (start o) T)|]. fold w. unfold fledge_psi. rewrite Hs. right. ring.
  - rewrite Ex_add, Ex_const, Ex_mul.
    assert (wA : 0 <= w * A) by (apply Rmult_le_pos; lra).
    apply Rmult_le_compat_l with (r := w * A) in S0; [|assumption]. lra.
Qed.
(* T = ceil(log(3 gap/eps)/(eta mu K)) rounds bring the first term to eps/3, small noise and enough
   data the others. *)
Lemma enough_rounds gap eps : 0 < eps -> 0 <= gap -> r * r <= 5 / 18 * (eta * eta * mu * eps) ->
  54 * (sigma * sigma) / (mu * eps) <= NP * INR (K * b) ->
  (1 - eta * mu) ^ (K * fledge_pl_rounds K eta mu gap eps) * gap + lim <= eps.
Proof.
  intros Heps g0 Hr Hdata. set (T := fledge_pl_rounds K eta mu gap eps).
  pose proof pl_eta_facts as [E0 _]. pose proof rate_facts as [[a0 a1] _].
  pose proof K_1 as K1. pose proof (Nn P p Hp HpP) as P1. pose proof (M_pos K b HK Hb) as M1.
  set (M := INR (K * b)) in *.
  assert (S1 : 6 / 5 * (r * r) / (eta * eta * mu) <= eps / 3).
  { apply Rmult_le_reg_r with (eta * eta * mu); [apply Rmult_lt_0_compat; nra|].
    replace (6 / 5 * (r * r) / (eta * eta * mu) * (eta * eta * mu)) with (6 / 5 * (r * r))
      by (field; lra). lra. }
  assert (S2 : 18 * (sigma * sigma) / (mu * (NP * M)) <= eps / 3).
  { apply Rmult_le_reg_r with (3 * (NP * M) / eps).
    - apply Rmult_lt_0_compat; [nra|apply Rinv_0_lt_compat; assumption].
    - replace (18 * (sigma * sigma) / (mu * (NP * M)) * (3 * (NP * M) / eps))
        with (54 * (sigma * sigma) / (mu * eps)) by (field; lra).
      replace (eps / 3 * (3 * (NP * M) / eps)) with (NP * M) by (field; lra). assumption. }
  assert (S3 : (1 - eta * mu) ^ (K * T) * gap <= eps / 3).
  { destruct g0 as [g0|g0]; [|rewrite <- g0; lra].
    assert (X : 0 < 3 * gap / eps) by (apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat;
      assumption]).
    assert (C : ln (3 * gap / eps) <= eta * mu * INR (K * T)).
    { pose proof (ceiling_above (ln (3 * gap / eps) / (eta * mu * NK))) as C.
      change (ceiling (ln (3 * gap / eps) / (eta * mu * NK))) with T in C. rewrite mult_INR.
      assert (c0 : 0 < eta * mu * NK) by (apply Rmult_lt_0_compat; lra).
      apply Rmult_le_compat_l with (r := eta * mu * NK) in C; [|lra].
      replace (eta * mu * NK * (ln (3 * gap / eps) / (eta * mu * NK))) with (ln (3 * gap / eps))
        in C by (field; lra). lra. }
    assert (Y : exp (- (eta * mu * INR (K * T))) <= eps / 3 / gap).
    { replace (eps / 3 / gap) with (/ (3 * gap / eps)) by (field; lra). rewrite exp_Ropp.
      rewrite <- (exp_ln (3 * gap / eps)) at 1 by assumption.
      apply Rinv_le_contravar; [apply exp_pos|].
      destruct C as [C|C]; [left; apply exp_increasing, C|rewrite C; right; reflexivity]. }
    pose proof (pow_exp (eta * mu) (K * T) ltac:(lra)) as Q.
    apply Rle_trans with (eps / 3 / gap * gap); [apply Rmult_le_compat_r; lra|right; field; lra]. }
  lra.
Qed.
Theorem theorem_8_option_II_expectation (noise : (nat -> batch)
  -> list round -> nat -> list batch -> V) T :
  (forall J past i before, norm (noise J past i before) <= r) ->
  let run J := fledge P p K b eta (noise J) data grad (fledge_start_II K b data grad x0 J) in
  Ex (fresh_law P data (K * b)) (fun J => Ex (fledge_history P p K b data T)
    (fun past => F (fst (run J past)) - fstar))
  <= (1 - eta * mu) ^ (K * T) * (F x0 - fstar + A * (4 * (sigma * sigma) / (NP * INR (K * b))))
     + 6 / 5 * (r * r) / (eta * eta * mu) + 18 * (sigma * sigma) / (mu * (NP * INR (K * b))).
Proof.
  intros Hr run. rewrite Rplus_assoc.
  apply (rate_in_the_mean _ (fledge_start_II K b data grad x0) noise); [reflexivity|exact Hr|].
  apply (fledge_start_II_moment P K b (Nat.le_trans _ _ _ Hp HpP) HK Hb data grad sigma x0
    enough_data bounded).
Qed.
Theorem theorem_8_option_I_expectation (noise : batch -> (nat -> batch)
  -> list round -> nat -> list batch -> V) T :
  (forall I0 J past i before, norm (noise I0 J past i before) <= r) ->
  let run I0 J := fledge P p K b eta (noise I0 J) data grad
    (fledge_start_I P p K b data grad x0 I0 J) in
  Ex (uniform P p) (fun I0 => Ex (fresh_law P data (K * b)) (fun J =>
    Ex (fledge_history P p K b data T) (fun past => F (fst (run I0 J past)) - fstar)))
  <= (1 - eta * mu) ^ (K * T) * (F x0 - fstar + A * fledge_start_factor P p K b sigma
       (deviation P G x0))
     + 6 / 5 * (r * r) / (eta * eta * mu) + 18 * (sigma * sigma) / (mu * (NP * INR (K * b))).
Proof.
  intros Hr run. rewrite Rplus_assoc.
  apply (rate_in_the_mean (fledge_start_law_I P p K b data)
    (fun o => fledge_start_I P p K b data grad x0 (fst o) (snd o))
    (fun o => noise (fst o) (snd o))); [reflexivity|intro; apply Hr|].
  apply (fledge_start_I_moment P p K b HK Hb data grad sigma x0 enough_data bounded Hp HpP).
Qed.
Theorem theorem_8_option_II_rounds (noise : (nat -> batch) -> list round -> nat -> list batch -> V)
  eps :
  0 < eps -> r * r <= 5 / 18 * (eta * eta * mu * eps) -> 54 * (sigma * sigma) / (mu * eps)
    <= NP * INR (K * b) ->
  (forall J past i before, norm (noise J past i before) <= r) ->
  let T := fledge_pl_rounds K eta mu (F x0 - fstar + fledge_pl_start P p K b eta sigma) eps in
  let run J := fledge P p K b eta (noise J) data grad (fledge_start_II K b data grad x0 J) in
  Ex (fresh_law P data (K * b)) (fun J => Ex (fledge_history P p K b data T)
    (fun past => F (fst (run J past)) - fstar))
  <= eps.
Proof.
  intros Heps Hr Hdata Hnoise T run. pose proof weight_pos as A0.
  pose proof (theorem_8_option_II_expectation noise T Hnoise) as H. cbv zeta in H. fold run in H.
  rewrite Rplus_assoc in H. eapply Rle_trans; [exact H|]. apply enough_rounds; try assumption.
  pose proof (infimum x0). unfold fledge_pl_start. pose proof (Nn P p Hp HpP) as P1.
  pose proof (M_pos K b HK Hb) as M1.
  assert (0 <= A * (4 * (sigma * sigma) / (NP * INR (K * b)))); [|lra].
  apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [apply Rmult_le_pos; [lra|apply Rle_0_sqr]|left;
    apply Rinv_0_lt_compat; nra].
Qed.
Theorem theorem_8_option_I_rounds (noise : batch -> (nat -> batch)
  -> list round -> nat -> list batch -> V) eps :
  0 < eps -> r * r <= 5 / 18 * (eta * eta * mu * eps) -> 54 * (sigma * sigma) / (mu * eps)
    <= NP * INR (K * b) ->
  (forall I0 J past i before, norm (noise I0 J past i before) <= r) ->
  let gap := F x0 - fstar + A * fledge_start_factor P p K b sigma (deviation P G x0) in
  let run I0 J := fledge P p K b eta (noise I0 J) data grad
    (fledge_start_I P p K b data grad x0 I0 J) in
  Ex (uniform P p) (fun I0 => Ex (fresh_law P data (K * b)) (fun J =>
    Ex (fledge_history P p K b data (fledge_pl_rounds K eta mu gap eps))
      (fun past => F (fst (run I0 J past)) - fstar)))
  <= eps.
Proof.
  intros Heps Hr Hdata Hnoise gap run. pose proof weight_pos as A0.
  pose proof (theorem_8_option_I_expectation noise (fledge_pl_rounds K eta mu gap eps) Hnoise) as H.
  cbv zeta in H. fold run in H. fold gap in H.
  rewrite Rplus_assoc in H. eapply Rle_trans; [exact H|]. apply enough_rounds; try assumption.
  pose proof (infimum x0).
  assert (S : 0 <= fledge_start_factor P p K b sigma (deviation P G x0)).
  { eapply Rle_trans; [|apply (fledge_start_I_moment P p K b HK Hb data grad sigma x0 enough_data
      bounded Hp HpP)]. apply Ex_nonneg. intros. apply Ex_nonneg. intros.
    apply (phi_nonneg P p Hp HpP). }
  assert (0 <= A * fledge_start_factor P p K b sigma (deviation P G x0))
    by (apply Rmult_le_pos; lra). unfold gap. lra.
Qed.
End Theorem8.
