(* Theorems 6 and 8 (theorem:Dist-First-Main, lines 496-511; theorem:D-PL, lines 566-591; Remark 34)
   with probability, by Markov's inequality, both options.

   Printed: FLEDGE finds an epsilon-stationary point (under the PL condition, f - inf f <= eps) with
   probability at least 1 - 8 nu.
   Proved, for all 0 < nu < 1 and all that theorem_6_expectation.v and theorem_8_expectation.v
   admit: the rounds, step size, noise and data of the theorem in expectation for the accuracy
   eps sqrt(nu) meet a point x^{t,k}, t < T, k < K, with |grad f| <= eps with probability at least
   1 - nu [theorem_6_option_II_probability, theorem_6_option_I_probability]; those for nu eps have
   f(x^T) - inf f <= eps with probability at least 1 - nu [theorem_8_option_II_probability,
   theorem_8_option_I_probability].
   The rounds of Theorem 6 grow like 1/nu here, those of Theorem 8 like log(1/nu); the data PKb, and
   under the PL condition 1/r^2, grow like 1/nu. *)
From Coq Require Import Reals Lra Lia List PeanoNat Bool.
From Sledge Require Import vectors means minibatches algorithms problems second_moments
  sledge_errors.
From Sledge Require Import theorem_2_expectation fledge_sampling fledge_errors theorem_6_expectation
  theorem_8_expectation.
From Sledge Require Import probability theorem_2_probability.
Import ListNotations.
Open Scope R_scope.

(* A start, then T rounds. *)
Definition fledge_from {O} (start : mean O) (P p K b : nat) (data : nat -> nat) (T : nat) :
    mean (O * list round) :=
  bind start (fun o => bind (fledge_history P p K b data T) (fun past => sure (o, past))).
Definition fledge_history_II (P p K b : nat) (data : nat -> nat) (T : nat) :=
  fledge_from (fresh_law P data (K * b)) P p K b data T.
Definition fledge_history_I (P p K b : nat) (data : nat -> nat) (T : nat) :=
  fledge_from (fledge_start_law_I P p K b data) P p K b data T.

(* Markov's inequality: a quantity with mean at most nu c is at most c with probability 1 - nu. *)
Lemma markov_bound {O} (m : mean O) (q : O -> R) c nu : 0 < c -> 0 < nu ->
  (forall o, possible m o -> 0 <= q o) -> Ex m q <= nu * c ->
  with_probability m (1 - nu) (fun o => q o <= c).
Proof.
  intros Hc Hnu Hq H. apply (unless m (fun o => exceeds c (q o))).
  - eapply Rle_trans; [apply (markov m q _ c Hc Hq)|].
    + intros o _ e. apply exceeds_true in e. lra.
    + apply Rmult_le_reg_r with c; [assumption|].
      replace (Ex m q / c * c) with (Ex m q) by (field; lra). exact H.
  - intros o _ e. apply exceeds_false, e.
Qed.

Section Points.
Context {V : space}.
Variables (P p K b : nat).
Variables (data : nat -> nat) (grad : nat -> nat -> V -> V).
Variables (eta : R) (noise : list round -> nat -> list batch -> V) (start : V * (nat -> V)).
Notation run := (fledge P p K b eta noise data grad start).
(* x^{t,k} after t + 1 rounds: the point of their last one after k local steps, k <= K. *)
Definition step_point (k : nat) (past : list round) : V :=
  match past with
  | [] => fst start
  | c :: before => local_x P b data grad eta noise before (run before) (worker c)
      (at_time k (local c))
  end.
(* The mean over a round of what is known after k of its local steps. *)
Lemma Ex_local k (q : nat -> list batch -> R) : (k <= K)%nat ->
  Ex (round_law P p K b data) (fun c => q (worker c) (at_time k (local c)))
  = local_mean P b data k q.
Proof.
  intro Hk. unfold round_law, local_mean. rewrite Ex_bind. apply Ex_ext. intros i _.
  rewrite Ex_bind. unfold history.
  rewrite <- (Ex_history_at (fun _ => uniform (data i) b) k K (q i) Hk). apply Ex_ext. intros Js _. rewrite Ex_bind.
  rewrite <- (Ex_const (uniform P p) (q i (at_time k Js))). apply Ex_ext. intros I _.
  rewrite Ex_bind.
  exact (Ex_const (fresh_law P data (K * b)) (q i (at_time k Js))).
Qed.
Lemma gradients_of_round_is t : gradients_of_round P p K b data grad eta noise start t
  = Ex (fledge_history P p K b data (S t)) (fun past =>
      sum K (fun k => sq (gradient P (client_gradient data grad) (step_point k past)))).
Proof.
  unfold gradients_of_round, fledge_history. rewrite Ex_history_S. apply Ex_ext. intros past _.
  rewrite Ex_sum. apply sum_ext. intros k Hk. symmetry.
  apply (Ex_local k (fun i Js => sq (gradient P (client_gradient data grad)
    (local_x P b data grad eta noise past (run past) i Js)))). lia.
Qed.
End Points.

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
Variables (r : R) (x0 : V) (eps nu : R).
Hypothesis Heps : 0 < eps.
Hypothesis Hnu : 0 < nu < 1.
Notation Delta := (F x0 - fstar).

Lemma stationary_in_mean {O} (m : mean O) eta (start : O -> V * (nat -> V))
    (noise : O -> list round -> nat -> list batch -> V) T : (1 <= T)%nat ->
  / (INR T * INR K) * Ex m (fun o =>
    sum T (gradients_of_round P p K b data grad eta (noise o) (start o))) <= nu * (eps * eps) ->
  with_probability (fledge_from m P p K b data T) (1 - nu) (fun o => exists t k, (t < T)%nat /\
    (k < K)%nat /\ norm (grad_f (step_point P p K b data grad eta (noise (fst o)) (start (fst o)) k
      (at_time (S t) (snd o)))) <= eps).
Proof.
  intros HT H. assert (T0 : 0 < INR T) by (apply lt_0_INR; lia).
  assert (K0 : 0 < INR K) by (apply lt_0_INR; lia).
  set (g := fun o t k => sq (grad_f (step_point P p K b data grad eta (noise (fst o))
    (start (fst o)) k (at_time (S t) (snd o : list round))))).
  assert (ee : 0 < eps * eps) by (apply Rmult_lt_0_compat; assumption).
  eapply with_probability_weaken; [apply Rle_refl| |apply (markov_bound _
    (fun o => sum T (fun t => sum K (g o t))) (INR T * (INR K * (eps * eps))) nu)].
  - intros o _ S. destruct (some_below T _ _ HT S) as [t [Ht S2]].
    destruct (some_below K _ _ HK S2) as [k [Hk S3]]. exists t, k.
    split; [assumption|]. split; [assumption|]. apply norm_le; [lra|exact S3].
  - apply Rmult_lt_0_compat; [assumption|]. apply Rmult_lt_0_compat; assumption.
  - lra.
  - intros o _. apply sum_nonneg. intros. apply sum_nonneg. intros. apply sq_nonneg.
  - apply Rle_trans with (Ex m (fun o =>
      sum T (gradients_of_round P p K b data grad eta (noise o) (start o)))).
    + right. change (Ex m (fun o => Ex (fledge_history P p K b data T) (fun past =>
        sum T (fun t => sum K (g (o, past) t)))) = Ex m (fun o =>
        sum T (gradients_of_round P p K b data grad eta (noise o) (start o)))).
      apply Ex_ext. intros o _. rewrite Ex_sum. apply sum_ext. intros t Ht.
      rewrite gradients_of_round_is.
      apply (Ex_history_at (fun _ => round_law P p K b data) (S t) T (fun past =>
        sum K (fun k => sq (grad_f (step_point P p K b data grad eta (noise o) (start o) k past))))).
      lia.
    + apply Rmult_le_reg_l with (/ (INR T * INR K)).
      { apply Rinv_0_lt_compat, Rmult_lt_0_compat; assumption. }
      eapply Rle_trans; [exact H|right; field; lra].
Qed.
(* The accuracy eps sqrt(nu): its square is nu eps^2. *)
Lemma accuracy : 0 < eps * sqrt nu /\ eps * sqrt nu * (eps * sqrt nu) = nu * (eps * eps).
Proof.
  pose proof (sqrt_lt_R0 nu ltac:(lra)). split; [apply Rmult_lt_0_compat; assumption|].
  replace (eps * sqrt nu * (eps * sqrt nu)) with (sqrt nu * sqrt nu * (eps * eps)) by ring.
  rewrite sqrt_sqrt by lra. reflexivity.
Qed.
Theorem theorem_6_option_II_probability (noise : (nat -> batch)
  -> list round -> nat -> list batch -> V) :
  let eta := fledge_step_size P p K b L zeta in
  let T := fledge_rounds K eta Delta (eps * sqrt nu) in
  let start := fledge_start_II K b data grad x0 in
  r <= eta * (eps * sqrt nu) / (2 * sqrt 2) ->
  (forall J past i before, norm (noise J past i before) <= r) ->
  144 * (sigma * sigma) / (nu * (eps * eps)) <= INR P * INR (K * b) ->
  with_probability (fledge_history_II P p K b data T) (1 - nu) (fun o =>
    exists t k, (t < T)%nat /\ (k < K)%nat /\ norm (grad_f (step_point P p K b data grad eta
      (noise (fst o)) (start (fst o)) k (at_time (S t) (snd o)))) <= eps).
Proof.
  intros eta T start Hr Hnoise Hdata. destruct accuracy as [a0 a2].
  apply stationary_in_mean; [unfold T, fledge_rounds; lia|]. rewrite <- a2.
  apply (theorem_6_option_II_expectation P p K b Hp HpP HK Hb data f grad L zeta sigma fstar
    enough_data HL smoothness infimum het bounded r x0 noise (eps * sqrt nu) a0 Hr Hnoise).
  rewrite a2. exact Hdata.
Qed.
Theorem theorem_6_option_I_probability (noise : batch -> (nat -> batch)
  -> list round -> nat -> list batch -> V) :
  let eta := fledge_step_size P p K b L zeta in
  let T := fledge_rounds_I P p K eta Delta
    (fledge_start_factor P p K b sigma (deviation P G x0)) (eps * sqrt nu) in
  let start o := fledge_start_I P p K b data grad x0 (fst o) (snd o) in
  r <= eta * (eps * sqrt nu) / (2 * sqrt 2) ->
  (forall I0 J past i before, norm (noise I0 J past i before) <= r) ->
  144 * (sigma * sigma) / (nu * (eps * eps)) <= INR P * INR (K * b) ->
  with_probability (fledge_history_I P p K b data T) (1 - nu) (fun o =>
    exists t k, (t < T)%nat /\ (k < K)%nat /\ norm (grad_f (step_point P p K b data grad eta
      (noise (fst (fst o)) (snd (fst o))) (start (fst o)) k (at_time (S t) (snd o)))) <= eps).
Proof.
  intros eta T start Hr Hnoise Hdata. destruct accuracy as [a0 a2].
  apply (stationary_in_mean (fledge_start_law_I P p K b data) eta start
    (fun o => noise (fst o) (snd o)) T); [unfold T, fledge_rounds_I; lia|]. rewrite <- a2.
  apply (theorem_6_option_I_expectation P p K b Hp HpP HK Hb data f grad L zeta sigma fstar
    enough_data HL smoothness infimum het bounded r x0 noise (eps * sqrt nu) a0 Hr Hnoise).
  rewrite a2. exact Hdata.
Qed.

(* ---- Theorem 8 ---- *)

Variable mu : R.
Hypothesis Hmu : 0 < mu.
Hypothesis pl : polyak mu fstar F grad_f.
Notation eta_pl := (fledge_pl_step_size P p K b L zeta mu).
Theorem theorem_8_option_II_probability (noise : (nat -> batch)
  -> list round -> nat -> list batch -> V) :
  let eta := eta_pl in
  let T := fledge_pl_rounds K eta mu (Delta + fledge_pl_start P p K b eta sigma) (nu * eps) in
  let run J := fledge P p K b eta (noise J) data grad (fledge_start_II K b data grad x0 J) in
  r * r <= 5 / 18 * (eta * eta * mu * (nu * eps)) ->
  54 * (sigma * sigma) / (mu * (nu * eps)) <= INR P * INR (K * b) ->
  (forall J past i before, norm (noise J past i before) <= r) ->
  with_probability (fledge_history_II P p K b data T) (1 - nu) (fun o =>
    F (fst (run (fst o) (snd o))) - fstar <= eps).
Proof.
  intros eta T run Hr Hdata Hnoise.
  apply (markov_bound _ (fun o => F (fst (run (fst o) (snd o))) - fstar)); [assumption|lra| |].
  - intros o _. pose proof (infimum (fst (run (fst o) (snd o)))). lra.
  - apply (theorem_8_option_II_rounds P p K b Hp HpP HK Hb data f grad L zeta sigma mu fstar
      enough_data HL Hmu smoothness infimum het bounded pl r x0 noise (nu * eps));
      try assumption. apply Rmult_lt_0_compat; lra.
Qed.
Theorem theorem_8_option_I_probability (noise : batch -> (nat -> batch)
  -> list round -> nat -> list batch -> V) :
  let eta := eta_pl in
  let gap := Delta + fledge_weight P p K eta
    * fledge_start_factor P p K b sigma (deviation P G x0) in
  let T := fledge_pl_rounds K eta mu gap (nu * eps) in
  let run o := fledge P p K b eta (noise (fst o) (snd o)) data grad
    (fledge_start_I P p K b data grad x0 (fst o) (snd o)) in
  r * r <= 5 / 18 * (eta * eta * mu * (nu * eps)) ->
  54 * (sigma * sigma) / (mu * (nu * eps)) <= INR P * INR (K * b) ->
  (forall I0 J past i before, norm (noise I0 J past i before) <= r) ->
  with_probability (fledge_history_I P p K b data T) (1 - nu) (fun o =>
    F (fst (run (fst o) (snd o))) - fstar <= eps).
Proof.
  intros eta gap T run Hr Hdata Hnoise.
  apply (markov_bound _ (fun o => F (fst (run (fst o) (snd o))) - fstar)); [assumption|lra| |].
  - intros o _. pose proof (infimum (fst (run (fst o) (snd o)))). lra.
  - apply (theorem_8_option_I_rounds P p K b Hp HpP HK Hb data f grad L zeta sigma mu fstar
      enough_data HL Hmu smoothness infimum het bounded pl r x0 noise (nu * eps));
      try assumption. apply Rmult_lt_0_compat; lra.
Qed.
End Theorem6.
