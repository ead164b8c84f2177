(* Theorem 6 (theorem:Dist-First-Main, lines 496-511 and 2191-2227) in expectation: FLEDGE finds
   epsilon-stationary points. Ledger: dist-rounds-option-two/sharper,
   dist-option-one-combination/sharper.

   Printed: under Assumptions 1, 2, 3 (ii), 5, with
       eta = Theta~(1/L ∧ p sqrt(b)/(zeta sqrt(PK)) ∧ 1/(zeta K) ∧ sqrt(b)/(L sqrt K)),
   r <= eta eps/(2 sqrt 2) and PKb >= Omega~(sigma^2/eps^2 + G/eps), FLEDGE finds an
   epsilon-stationary point in
       O~(1 + (L/K ∨ zeta sqrt(P)/p ∨ zeta ∨ L/sqrt(Kb)) Delta/eps^2)      rounds
   with probability at least 1 - 8 nu. (The list of steps lacks p/(zeta sqrt(P) K) and has zeta for
   L in its second entry; the rounds lack L sqrt(P)/(p sqrt(Kb)). The corrected forms stand in the
   ledger.)

   Proved, for all spaces, f_{i,j}, 1 <= p <= P, K, b >= 1, clients with at least Kb data, and
   noises with |xi| <= r: with eta = 1/(2 max(L, sqrt Lambda)), Lambda = fledge_factor of
   fledge_errors.v, r <= eta eps/(2 sqrt 2), [theorem_6_rate]
       sum_{t<T} sum_{k<K} E |grad f(x^{t,k})|^2 <= 2 Delta/eta
           + 2(2K-1) min(T, w)(S + 5 T p sigma^2/(P^2 Kb)) + 2TK r^2/eta^2,
   w and S of fledge_errors.v, so that PKb >= 144 sigma^2/eps^2 and
   T = max(1, ceil(4 Delta/(eta K eps^2))) rounds,
       (1/(TK)) sum_{t<T} sum_{k<K} E |grad f(x^{t,k})|^2 <= eps^2;
   T <= 1 + 8 max(L, sqrt Lambda) Delta/(K eps^2), and 2P + (4p + 3)T vectors are sent. Option I
   with T = max(1, ceil(4 Delta/(eta K eps^2) + 16 w S/eps^2)) rounds has the same bound
   [theorem_6_option_I_expectation]; printed: the minimum of the rounds above and
   P/p^2 (sigma^2/(Kb) + sigma_c^2 + ...)/eps^2, where a sum is right.

   Stronger than printed: literal constants, no logarithm, no G, no failure probability, noise
   chosen by an adversary.
   Weaker: a mean over the points met and over all choices. *)
From Coq Require Import Reals Lra Lia PeanoNat List.
From Sledge Require Import vectors means minibatches algorithms problems second_moments
  sledge_errors.
From Sledge Require Import theorem_2_expectation fledge_sampling fledge_errors.
Import ListNotations.
Open Scope R_scope.

(* eta and T *)
Definition fledge_step_size (P p K b : nat) (L zeta : R)
  : R := / (2 * Rmax L (sqrt (fledge_factor P p K b L zeta))).
Definition fledge_rounds (K : nat) (eta Delta eps : R) : nat :=
  Nat.max 1 (ceiling (4 * Delta / (eta * INR K * (eps * eps)))).
(* Option I: 16 w S/eps^2 rounds more, w the lifetime of an error, S the potential of the start. *)
Definition fledge_rounds_I (P p K : nat) (eta Delta start eps : R) : nat :=
  Nat.max 1 (ceiling (4 * Delta / (eta * INR K * (eps * eps)) + 16 * lifetime P p * start / (eps
    * eps))).
(* Vectors sent: x^0 to P clients and their answers at the start, 4p
  + 3 in a round of the complete protocol. *)
Definition fledge_vectors (P p T : nat) : nat := (2 * P + (4 * p + 3) * T)%nat.

Section Theorem6.
Context {V : space}.
Variables (P p K b : nat).
Hypothesis Hp : (1 <= p)%nat.
Hypothesis HpP : (p <= P)%nat.
Hypothesis HK : (1 <= K)%nat.
Hypothesis Hb : (1 <= b)%nat.
Variables (data : nat -> nat) (f : nat -> nat -> V -> R) (grad : nat -> nat -> V -> V)
  (L zeta sigma fstar : R).
Hypothesis enough_data : forall i, (i < P)%nat -> (K * b <= data i)%nat.
Hypothesis HL : 0 < L.
Hypothesis smoothness : data_smooth P data f grad L.
Notation G := (client_gradient data grad).
Notation F := (objective P (client_objective data f)).
Notation grad_f := (gradient P G).
Hypothesis infimum : forall x, fstar <= F x.
Hypothesis het : heterogeneous P G zeta.
Hypothesis bounded : data_bounded P data grad sigma.

Lemma data_lip : data_lipschitz P data grad L.
Proof. intros i j Hi Hj. apply (smoothness i Hi j Hj). Qed.
Lemma fledge_quadratic : below_quadratic L F grad_f.
Proof.
  apply objective_below_quadratic; [lia|]. apply clients_smooth; [|exact smoothness].
  intros i Hi. specialize (enough_data i Hi). nia.
Qed.

Section AnyStart.
Variables (eta r : R) (noise : list round -> nat -> list batch -> V).
Hypothesis He : 0 < eta.
Hypothesis noise_r : forall past i before, norm (noise past i before) <= r.
Notation mean := (local_mean P b data).
Notation lx past s := (local_x P b data grad eta noise past s).
Notation lerr past s := (local_error P b data grad eta noise past s).
Notation lmov past s := (local_moved P b data grad eta noise past s).

(* The descent lemma along the local steps of a round. *)
Lemma round_descent past s :
  eta / 2 * sum K (fun k => mean k (fun i Js => sq (grad_f (lx past s i Js))))
  + Ex (round_law P p K b data) (fun c => F (point (fledge_round P p K b eta noise data grad past s
      c)))
  <= F (fst s) + eta * sum K (fun k => mean k (fun i Js => sq (lerr past s i Js)))
     - (1 / (2 * eta) - L / 2) * sum K (fun k => mean k (lmov past s)) + INR K * (r * r / eta).
Proof.
  assert (HP : (1 <= P)%nat) by lia.
  rewrite <- (local_mean_sum P b data K (fun _ i Js => sq (grad_f (lx past s i Js)))).
  rewrite <- (local_mean_sum P b data K (fun _ i Js => sq (lerr past s i Js))),
    <- (local_mean_sum P b data K (fun _ => lmov past s)).
  replace (Ex (round_law P p K b data) (fun c => F (point (fledge_round P p K b eta noise data grad
    past s c))))
    with (Ex (index P) (fun i => Ex (history (uniform (data i) b) K)
      (fun Js => F (lx past s i Js)))).
  2:{ unfold round_law. rewrite Ex_bind. apply Ex_ext. intros i _. rewrite Ex_bind. apply Ex_ext.
      intros Js _.
      symmetry. change (Ex (uniform P p) (fun I => Ex (fresh_law P data (K * b))
        (fun J => F (lx past s i Js))) = F (lx past s i Js)).
      rewrite (Ex_ext _ _ (fun _ => F (lx past s i Js))) by (intros; apply Ex_const).
      apply Ex_const. }
  rewrite <- (Ex_const (index P) (F (fst s))), <- (Ex_const (index P) (INR K * (r * r / eta))).
  rewrite <- !Ex_mul, <- !Ex_add, <- Ex_sub, <- Ex_add.
  apply Ex_le. intros i _. set (E := fun k => Ex (history (uniform (data i) b) k)).
  pose proof (telescope (fun k => E k (fun Js => F (lx past s i Js)))
    (fun k => eta / 2 * E k (fun Js => sq (grad_f (lx past s i Js))))
    (fun k => eta * E k (fun Js => sq (lerr past s i Js)) - (1 / (2 * eta) - L / 2)
      * E k (lmov past s i) + r * r / eta) K) as H.
  cbv beta in H. rewrite sum_add, sum_const, sum_sub, !sum_mul in H.
  change (E O (fun Js => F (lx past s i Js))) with (F (fst s)) in H. unfold E in *.
  apply H || (eapply Rle_trans; [apply H|right; ring]).
  intros k _. rewrite Ex_history_S.
  rewrite <- !Ex_mul, <- !Ex_sub, <- (Ex_const (history (uniform (data i) b) k) (r * r / eta)).
  rewrite <- !Ex_add. apply Ex_le. intros Js _.
  rewrite (Ex_ext _ _ (fun _ => F (local_next P b data grad eta noise past s i Js))) by reflexivity.
  rewrite Ex_const.
  pose proof (descent_lemma F grad_f L eta r (lx past s i Js) (local_estimate (estimate P s)
    (local_state P b data grad eta noise past s i Js))
    (noise past i Js) fledge_quadratic He (noise_r past i Js)) as D. cbv zeta in D.
  fold (lerr past s i Js) in D.
  change (add (sub (lx past s i Js) (scale eta (local_estimate (estimate P s)
    (local_state P b data grad eta noise past s i Js)))) (noise past i Js))
    with (local_next P b data grad eta noise past s i Js) in D.
  fold (lmov past s i Js) in D. lra.
Qed.
Variable start : V * (nat -> V).
Notation run := (fledge P p K b eta noise data grad start).
Notation E t := (Ex (fledge_history P p K b data t)).
Hypothesis He_L : 2 * eta * L <= 1.
Hypothesis He_factor : 4 * eta * eta * fledge_factor P p K b L zeta <= 1.

(* The sum over the local steps of round t. *)
Definition gradients_of_round (t : nat) : R :=
  E t (fun past => sum K (fun k => mean k (fun i Js => sq (grad_f (lx past (run past) i Js))))).
Theorem fledge_sum_of_gradients T : sum T gradients_of_round <= 2 * (F (fst start) - fstar) / eta
  + 2 * ((2 * INR K - 1) * (Rmin (INR T) (lifetime P p) * (phi P G start
      + INR T * fresh_noise P p K b sigma)))
  + INR T * INR K * (2 * (r * r) / (eta * eta)).
Proof.
  set (err := errors_of_round P p K b data grad eta noise start).
  set (mov := movement_of_round P p K b data grad eta noise start).
  pose proof (fledge_errors P p K b Hp HpP HK Hb data grad L zeta sigma enough_data data_lip het
    bounded eta noise start T) as V1.
  change (errors_of_round P p K b data grad eta noise start) with err in V1.
  change (movement_of_round P p K b data grad eta noise start) with mov in V1.
  set (X := (2 * INR K - 1) * (Rmin (INR T) (lifetime P p) * (phi P G start
    + INR T * fresh_noise P p K b sigma))) in *.
  assert (S : sum T (fun t => eta / 2 * gradients_of_round t) + E T
    (fun past => F (point (run past)))
    <= E O (fun past => F (point (run past)))
       + sum T (fun t => eta * err t - (1 / (2 * eta) - L / 2) * mov t + INR K * (r * r / eta))).
  { apply (telescope (fun t => E t (fun past => F (point (run past))))). intros t _.
    unfold gradients_of_round, err, mov, errors_of_round, movement_of_round, fledge_history.
    rewrite Ex_history_S.
    rewrite <- !Ex_mul, <- !Ex_sub, <- (Ex_const (history (round_law P p K b data) t)
      (INR K * (r * r / eta))), <- !Ex_add.
    apply Ex_le. intros past _. cbn [fledge]. pose proof (round_descent past (run past)) as D.
    change (point (run past)) with (fst (run past)). lra. }
  rewrite sum_add, sum_const, sum_sub, !sum_mul in S.
  change (E O (fun past => F (point (run past)))) with (F (fst start)) in S.
  assert (I : fstar <= E T (fun past => F (point (run past)))) by (apply Ex_at_least; intros;
    apply infimum).
  assert (M0 : 0 <= sum T mov) by (apply sum_nonneg; intros; apply (movement_nonneg P p K b)).
  assert (Gap : 0 <= 1 / (2 * eta) - L / 2 - eta * fledge_factor P p K b L zeta).
  { apply Rmult_le_reg_l with (4 * eta); [lra|]. rewrite Rmult_0_r.
    replace (4 * eta * (1 / (2 * eta) - L / 2 - eta * fledge_factor P p K b L zeta))
      with (2 - 2 * eta * L - 4 * eta * eta * fledge_factor P p K b L zeta) by (field; lra). lra. }
  assert (EM : eta * sum T err <= (1 / (2 * eta) - L / 2) * sum T mov + eta * X).
  { apply Rle_trans with (eta * (fledge_factor P p K b L zeta * sum T mov + X));
      [apply Rmult_le_compat_l; lra|].
    assert (0 <= (1 / (2 * eta) - L / 2 - eta * fledge_factor P p K b L zeta) * sum T mov)
      by (apply Rmult_le_pos; assumption). lra. }
  apply Rmult_le_reg_l with (eta / 2); [lra|].
  replace (eta / 2 * (2 * (F (fst start) - fstar) / eta + 2 * X + INR T * INR K * (2 * (r * r)
    / (eta * eta))))
    with (F (fst start) - fstar + eta * X + INR T * (INR K * (r * r / eta))) by (field; lra).
  lra.
Qed.
End AnyStart.

Notation eta := (fledge_step_size P p K b L zeta).
Lemma fledge_factor_nonneg : 0 <= fledge_factor P p K b L zeta.
Proof.
  assert (K1 : 1 <= INR K) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (B1 : 1 <= INR b) by (change 1 with (INR 1); apply le_INR; assumption).
  pose proof (tf_nonneg P p K b Hp HpP HK Hb L zeta) as T0. pose proof (lifetime_pos P p Hp HpP).
  unfold fledge_factor, local_factor. apply Rplus_le_le_0_compat.
  - apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [assumption|lra].
  - apply Rmult_le_pos; [lra|]. apply Rplus_le_le_0_compat.
    + apply Rmult_le_pos; [lra|apply Rle_0_sqr].
    + apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [apply Rle_0_sqr|left; apply Rinv_0_lt_compat;
        lra].
Qed.
Lemma fledge_step_size_facts : 0 < eta /\ 2 * eta * L
  <= 1 /\ 4 * eta * eta * fledge_factor P p K b L zeta <= 1.
Proof.
  unfold fledge_step_size. pose proof (Rmax_l L (sqrt (fledge_factor P p K b L zeta))) as A.
  pose proof (Rmax_r L (sqrt (fledge_factor P p K b L zeta))) as B. set (m := Rmax _ _) in *.
  split; [|split].
  - apply Rinv_0_lt_compat. lra.
  - apply Rmult_le_reg_r with m; [lra|]. replace (2 * / (2 * m) * L * m) with L by (field; lra).
    lra.
  - rewrite <- (sqrt_sqrt _ fledge_factor_nonneg). set (q := sqrt _) in *.
    assert (0 <= q) by apply sqrt_pos.
    apply Rmult_le_reg_r with (m * m); [nra|].
    replace (4 * / (2 * m) * / (2 * m) * (q * q) * (m * m)) with (q * q) by (field; lra).
    rewrite Rmult_1_l.
    apply Rmult_le_compat; assumption.
Qed.

Variables (r : R) (x0 : V).
Notation Delta := (F x0 - fstar).
Notation w := (lifetime P p).
Notation fn := (fresh_noise P p K b sigma).
(* T rounds from a start that is drawn, whose potential is at most s0 in the mean. *)
Theorem theorem_6_rate {O} (m : mean O) (start : O -> V * (nat -> V))
    (noise : O -> list round -> nat -> list batch -> V) s0 T :
  (forall o, fst (start o) = x0) -> (forall o past i before, norm (noise o past i before) <= r) ->
  Ex m (fun o => phi P G (start o)) <= s0 ->
  Ex m (fun o => sum T (gradients_of_round eta (noise o) (start o)))
  <= 2 * Delta / eta + 2 * ((2 * INR K - 1) * (Rmin (INR T) w * (s0 + INR T * fn)))
     + INR T * INR K * (2 * (r * r) / (eta * eta)).
Proof.
  intros Hs Hnoise S0. destruct fledge_step_size_facts as [He [HeL HeF]].
  assert (K1 : 1 <= INR K) by (change 1 with (INR 1); apply le_INR; assumption).
  pose proof (lifetime_pos P p Hp HpP) as w0. pose proof (pos_INR T) as T0.
  assert (Mn0 : 0 <= Rmin (INR T) w) by (apply Rmin_glb; lra).
  apply Rle_trans with (Ex m (fun o => 2 * Delta / eta + INR T * INR K * (2 * (r * r) / (eta * eta))
    + 2 * ((2 * INR K - 1) * (Rmin (INR T) w * (INR T * fn)))
    + 2 * (2 * INR K - 1) * Rmin (INR T) w * phi P G (start o))).
  - apply Ex_le. intros o _. eapply Rle_trans; [apply (fledge_sum_of_gradients eta r (noise o)
      He (Hnoise o) (start o) HeL HeF T)|]. rewrite Hs. right. ring.
  - rewrite Ex_add, Ex_const, Ex_mul.
    assert (C : 0 <= 2 * (2 * INR K - 1) * Rmin (INR T) w) by (apply Rmult_le_pos;
      [lra|assumption]).
    apply Rmult_le_compat_l with (r := 2 * (2 * INR K - 1) * Rmin (INR T) w) in S0;
      [|assumption]. lra.
Qed.
(* The shares of noise and minibatches: at most eps^2/4 and (20/144) eps^2. *)
Lemma shares eps : 0 < eps -> 0 <= r -> r <= eta * eps / (2 * sqrt 2) ->
  144 * (sigma * sigma) / (eps * eps) <= INR P * INR (K * b) ->
  2 * (r * r) / (eta * eta) <= eps * eps / 4 /\
  0 <= sigma * sigma / (INR P * INR (K * b)) <= eps * eps / 144 /\
  0 <= w * fn <= 5 * (sigma * sigma / (INR P * INR (K * b))).
Proof.
  intros Heps R0 Hr Hdata. destruct fledge_step_size_facts as [He _].
  pose proof (Nn P p Hp HpP) as P1. pose proof (Bb P p Hp HpP) as [p1 pP].
  pose proof (M_pos K b HK Hb) as M1. pose proof (BN_1 P p Hp HpP) as [q0 q1].
  set (M := INR (K * b)) in *. split; [|split; [split|split]].
  - apply Rmult_le_reg_r with (eta * eta); [nra|].
    replace (2 * (r * r) / (eta * eta) * (eta * eta)) with (2 * (r * r)) by (field; lra).
    assert (s2 : 0 < sqrt 2) by (apply sqrt_lt_R0; lra).
    assert (RR : r * r <= eta * eps / (2 * sqrt 2) * (eta * eps / (2 * sqrt 2)))
      by (apply Rmult_le_compat; lra).
    replace (eta * eps / (2 * sqrt 2) * (eta * eps / (2 * sqrt 2))) with (eta * eps * (eta * eps)
      / (4 * (sqrt 2 * sqrt 2))) in RR by (field; lra).
    rewrite sqrt_sqrt in RR by lra. lra.
  - apply Rmult_le_pos; [apply Rle_0_sqr|left; apply Rinv_0_lt_compat; nra].
  - apply Rmult_le_reg_r with (INR P * M * 144 / (eps * eps)).
    + apply Rmult_lt_0_compat; [|apply Rinv_0_lt_compat; nra]. nra.
    + replace (sigma * sigma / (INR P * M) * (INR P * M * 144 / (eps * eps)))
        with (144 * (sigma * sigma) / (eps * eps)) by (field; lra).
      replace (eps * eps / 144 * (INR P * M * 144 / (eps * eps))) with (INR P * M) by (field; lra).
      assumption.
  - apply Rmult_le_pos; [left; apply (lifetime_pos P p Hp HpP)|].
    apply (fn_nonneg P p K b Hp HpP HK Hb sigma).
  - set (g := sigma * sigma / (INR P * M)).
    assert (g0 : 0 <= g) by (apply Rmult_le_pos; [apply Rle_0_sqr|left; apply Rinv_0_lt_compat;
      nra]).
    unfold lifetime, fresh_noise. fold M.
    replace (INR P / (INR p * (2 - INR p / INR P)) * (5 * INR p * (sigma * sigma)
      / (INR P * INR P * M))) with (5 * g * / (2 - INR p / INR P)).
    2:{ unfold g. assert (2 * INR P - INR p <> 0) by lra. field. repeat split; lra. }
    rewrite <- (Rmult_1_r (5 * g)) at 2. apply Rmult_le_compat_l; [lra|]. rewrite <- Rinv_1.
    apply Rinv_le_contravar; lra.
Qed.
Theorem theorem_6_option_II_expectation (noise : (nat -> batch)
  -> list round -> nat -> list batch -> V) eps :
  0 < eps -> r <= eta * eps / (2 * sqrt 2) -> (forall J past i before, norm (noise J past i before)
    <= r) ->
  144 * (sigma * sigma) / (eps * eps) <= INR P * INR (K * b) ->
  let T := fledge_rounds K eta Delta eps in
  let start := fledge_start_II K b data grad x0 in
  / (INR T * INR K) * Ex (fresh_law P data (K * b))
    (fun J => sum T (gradients_of_round eta (noise J) (start J))) <= eps * eps.
Proof.
  intros Heps Hr Hnoise Hdata T start. destruct fledge_step_size_facts as [He _].
  assert (R0 := Rle_trans _ _ _ (norm_nonneg _) (Hnoise (fun _ => full) [] O []) : 0 <= r).
  assert (T0 : 1 <= INR T) by (change 1 with (INR 1); apply le_INR; unfold T, fledge_rounds; lia).
  assert (K1 : 1 <= INR K) by (change 1 with (INR 1); apply le_INR; assumption).
  destruct (shares eps Heps R0 Hr Hdata) as [A2 [[g0 Sg] [f0 wf]]].
  pose proof (theorem_6_rate (fresh_law P data (K * b)) start noise _ T (fun _ => eq_refl)
    Hnoise (fledge_start_II_moment P K b (Nat.le_trans _ _ _ Hp HpP) HK Hb data grad sigma x0
      enough_data bounded)) as Sum.
  set (g := sigma * sigma / (INR P * INR (K * b))) in *.
  replace (4 * (sigma * sigma) / (INR P * INR (K * b))) with (4 * g) in Sum by (unfold g, Rdiv; ring).
  (* the shares: Delta takes 1/2, the noise 1/4, the minibatches 1/4 *)
  assert (A1 : 2 * Delta / eta <= INR T * INR K * (eps * eps / 2)).
  { assert (C : 4 * Delta / (eta * INR K * (eps * eps)) <= INR T).
    { eapply Rle_trans; [apply ceiling_above|]. apply le_INR. unfold T, fledge_rounds. lia. }
    replace (2 * Delta / eta) with (4 * Delta / (eta * INR K * (eps * eps))
      * (INR K * (eps * eps / 2))) by (field; lra).
    replace (INR T * INR K * (eps * eps / 2)) with (INR T * (INR K * (eps * eps / 2))) by ring.
    apply Rmult_le_compat_r; [|assumption]. apply Rmult_le_pos; nra. }
  assert (A3 : 2 * ((2 * INR K - 1) * (Rmin (INR T) w * (4 * g + INR T * fn)))
    <= INR T * INR K * (36 * g)).
  { assert (e1 : Rmin (INR T) w * (4 * g) <= INR T * (4 * g))
      by (apply Rmult_le_compat_r; [lra|apply Rmin_l]).
    assert (e2 : Rmin (INR T) w * (INR T * fn) <= INR T * (5 * g)).
    { apply Rle_trans with (w * (INR T * fn)).
      - apply Rmult_le_compat_r; [|apply Rmin_r]. apply Rmult_le_pos; [lra|].
        apply (fn_nonneg P p K b Hp HpP HK Hb sigma).
      - replace (w * (INR T * fn)) with (INR T * (w * fn)) by ring. apply Rmult_le_compat_l; lra. }
    assert (t0 : 0 <= INR T * (9 * g)) by (apply Rmult_le_pos; lra).
    apply Rle_trans with (2 * ((2 * INR K - 1) * (INR T * (9 * g)))).
    - apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; lra.
    - replace (INR T * INR K * (36 * g)) with (4 * INR K * (INR T * (9 * g))) by ring. nra. }
  assert (TK : 0 < INR T * INR K) by nra.
  apply Rmult_le_reg_l with (INR T * INR K); [assumption|].
  rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra. eapply Rle_trans; [exact Sum|].
  assert (INR T * INR K * (2 * (r * r) / (eta * eta)) <= INR T * INR K * (eps * eps / 4))
    by (apply Rmult_le_compat_l; lra).
  assert (INR T * INR K * (36 * g) <= INR T * INR K * (eps * eps / 4)) by (apply Rmult_le_compat_l;
    lra).
  lra.
Qed.
Theorem theorem_6_option_I_expectation (noise : batch -> (nat -> batch)
  -> list round -> nat -> list batch -> V) eps :
  0 < eps -> r <= eta * eps / (2 * sqrt 2) ->
  (forall I0 J past i before, norm (noise I0 J past i before) <= r) ->
  144 * (sigma * sigma) / (eps * eps) <= INR P * INR (K * b) ->
  let T := fledge_rounds_I P p K eta Delta
    (fledge_start_factor P p K b sigma (deviation P G x0)) eps in
  let start := fledge_start_I P p K b data grad x0 in
  / (INR T * INR K) * Ex (uniform P p) (fun I0 => Ex (fresh_law P data (K * b))
    (fun J => sum T (gradients_of_round eta (noise I0 J) (start I0 J)))) <= eps * eps.
Proof.
  intros Heps Hr Hnoise Hdata T start. destruct fledge_step_size_facts as [He _].
  assert (R0 := Rle_trans _ _ _ (norm_nonneg _) (Hnoise full (fun _ => full) [] O []) : 0 <= r).
  assert (T0 : 1 <= INR T) by (change 1 with (INR 1); apply le_INR; unfold T, fledge_rounds_I; lia).
  assert (K1 : 1 <= INR K) by (change 1 with (INR 1); apply le_INR; assumption).
  destruct (shares eps Heps R0 Hr Hdata) as [A2 [[g0 Sg] [f0 wf]]].
  pose proof (fledge_start_I_moment P p K b HK Hb data grad sigma x0 enough_data bounded Hp HpP)
    as S0.
  set (s0 := fledge_start_factor P p K b sigma (deviation P G x0)) in *.
  assert (s00 : 0 <= s0).
  { eapply Rle_trans; [|exact S0]. apply Ex_nonneg. intros. apply Ex_nonneg. intros.
    apply (phi_nonneg P p Hp HpP). }
  pose proof (theorem_6_rate (fledge_start_law_I P p K b data)
    (fun o => start (fst o) (snd o)) (fun o => noise (fst o) (snd o)) s0 T (fun _ => eq_refl)
    (fun o => Hnoise (fst o) (snd o)) S0) as Sum.
  set (g := sigma * sigma / (INR P * INR (K * b))) in *.
  pose proof (lifetime_pos P p Hp HpP) as w0.
  pose proof (fn_nonneg P p K b Hp HpP HK Hb sigma) as F0.
  (* the gap and the start take 1/2, the noise 1/4, the minibatches 20/144 *)
  assert (A1 : 2 * Delta / eta + 4 * INR K * (w * s0) <= INR T * INR K * (eps * eps / 2)).
  { assert (C : 4 * Delta / (eta * INR K * (eps * eps)) + 16 * w * s0 / (eps * eps) <= INR T).
    { eapply Rle_trans; [apply ceiling_above|]. apply le_INR. unfold T, fledge_rounds_I. lia. }
    assert (ws : 0 <= INR K * (w * s0)) by (apply Rmult_le_pos; [lra|apply Rmult_le_pos; lra]).
    apply Rle_trans with (2 * Delta / eta + 8 * (INR K * (w * s0))); [lra|].
    replace (2 * Delta / eta + 8 * (INR K * (w * s0))) with ((4 * Delta / (eta * INR K * (eps * eps))
      + 16 * w * s0 / (eps * eps)) * (INR K * (eps * eps / 2))) by (field; lra).
    replace (INR T * INR K * (eps * eps / 2)) with (INR T * (INR K * (eps * eps / 2))) by ring.
    apply Rmult_le_compat_r; [|assumption]. apply Rmult_le_pos; nra. }
  assert (A3 : 2 * ((2 * INR K - 1) * (Rmin (INR T) w * (s0 + INR T * fn)))
    <= 4 * INR K * (w * s0) + INR T * INR K * (20 * g)).
  { assert (tf : 0 <= INR T * fn) by (apply Rmult_le_pos; lra).
    assert (e : Rmin (INR T) w * (s0 + INR T * fn) <= w * (s0 + INR T * fn))
      by (apply Rmult_le_compat_r; [lra|apply Rmin_r]).
    assert (x0' : 0 <= w * (s0 + INR T * fn)) by (apply Rmult_le_pos; lra).
    apply Rle_trans with (2 * (2 * INR K * (w * (s0 + INR T * fn)))).
    - apply Rmult_le_compat_l; [lra|]. apply Rle_trans with ((2 * INR K - 1) * (w * (s0 + INR T
        * fn))); [apply Rmult_le_compat_l; lra|]. apply Rmult_le_compat_r; lra.
    - assert (TK : 0 <= 4 * (INR T * INR K)) by nra.
      apply Rmult_le_compat_l with (r := 4 * (INR T * INR K)) in wf; [|assumption]. lra. }
  assert (TK : 0 < INR T * INR K) by nra.
  apply Rmult_le_reg_l with (INR T * INR K); [assumption|].
  rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra. eapply Rle_trans; [exact Sum|].
  assert (INR T * INR K * (2 * (r * r) / (eta * eta)) <= INR T * INR K * (eps * eps / 4))
    by (apply Rmult_le_compat_l; lra).
  assert (INR T * INR K * (20 * g) <= INR T * INR K * (eps * eps / 4)) by (apply Rmult_le_compat_l;
    lra).
  lra.
Qed.
Theorem theorem_6_option_II_vectors eps : 0 < eps ->
  INR (fledge_vectors P p (fledge_rounds K eta Delta eps))
  <= 2 * INR P + (4 * INR p + 3) * (1 + 8 * Rmax L (sqrt (fledge_factor P p K b L zeta))
    * Delta / (INR K * (eps * eps))).
Proof.
  intro Heps. destruct fledge_step_size_facts as [He _].
  assert (K1 : 1 <= INR K) by (change 1 with (INR 1); apply le_INR; assumption).
  pose proof (infimum x0) as D0. pose proof (pos_INR p) as p0.
  pose proof (Rmax_l L (sqrt (fledge_factor P p K b L zeta))) as Ml.
  assert (E2 : 0 < eps * eps) by nra. set (X := 4 * Delta / (eta * INR K * (eps * eps))).
  assert (EX : X = 8 * Rmax L (sqrt (fledge_factor P p K b L zeta))
    * Delta / (INR K * (eps * eps))).
  { unfold X, fledge_step_size. field. repeat split; nra. }
  assert (X0 : 0 <= X).
  { apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat.
    apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; lra|assumption]. }
  assert (TX : INR (fledge_rounds K eta Delta eps) <= 1 + X).
  { unfold fledge_rounds. fold X. pose proof (ceiling_below X X0).
    destruct (Nat.max_spec 1 (ceiling X)) as [[_ ->]|[_ ->]]; simpl (INR 1); lra. }
  rewrite <- EX. unfold fledge_vectors. rewrite plus_INR, !mult_INR, plus_INR, mult_INR.
  simpl (INR 2). simpl (INR 4). simpl (INR 3).
  apply Rplus_le_compat; [lra|]. replace (1 + 1 + 1) with 3 by ring. replace (3 + 1) with 4 by ring.
  apply Rmult_le_compat_l; lra.
Qed.
End Theorem6.
