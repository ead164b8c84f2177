(* Theorem 6 (theorem:Dist-First-Main, lines 496-511 and 2191-2227) with probability, Option II: the
   rounds of FLEDGE grow with logarithms of 1/nu.

   Printed: with eta = Theta~(1/L ∧ p sqrt(b)/(zeta sqrt(PK)) ∧ 1/(zeta K) ∧ sqrt(b)/(L sqrt K)),
   r <= eta eps/(2 sqrt 2), PKb >= Omega~(sigma^2/eps^2 + G/eps), FLEDGE finds an epsilon-stationary
   point in O~(1 + (L/K ∨ zeta sqrt(P)/p ∨ zeta ∨ L/sqrt(Kb)) Delta/eps^2) rounds with probability
   at least 1 - 8 nu. (The corrected lists of steps and rounds stand in the ledger.)
   Proved [theorem_6_option_II_high_probability], for all spaces, f_{i,j}, 1 <= p <= P,
   K, b, T >= 1, clients with at least Kb data, 0 < nu < 1, noises with |xi| <= r, also such that
   depend on the past: with
       C_1 = log((P + pT)/nu),   lambda = 1 + sqrt(log(5PKb(T+1)/nu)/2),
       Lambda = 3 K^2 lambda^2 w (2 (1 + C_1)^2 (zeta + 2 lambda L/sqrt(Kb))^2/p
           + 8 (P-p)^2 L^2/(P^2 p Kb)) + (K-1)(3 zeta^2 K + 12 lambda^2 L^2/b),
       w = P/(p (2 - p/P)),   eta = 1/(2 max(L, sqrt Lambda))                [fledge_high_step_size]
   with probability at least 1 - 2 nu
       (1/(TK)) sum_{t<T} sum_{k<K} |grad f(x^{t,k})|^2
           <= 2 Delta/(eta TK) + 264 lambda^4 sigma^2/(PKb) + 2 r^2/eta^2,
   so that r <= eta eps/(2 sqrt 2), PKb >= 1056 lambda^4 sigma^2/eps^2 and
   T >= 4 Delta/(eta K eps^2) rounds meet a point with |grad f| <= eps [theorem_6_option_II_met]. Up
   to logarithms 1/eta is L ∨ zeta K sqrt(P)/p ∨ L sqrt(PK)/(p sqrt b) ∨ zeta K ∨ L sqrt(K/b).
   Stronger than printed: literal constants, no dimension, no G, an adversary's noise, no second
   derivatives, all p, no window.

   Proof. Where no client misses more than (P/p) C_1 rounds (coverage.v) and nothing is exceeded of
   fledge_tails.v, the radii of a run sum up as in theorem_2_probability.v; along a local run the
   error is that of the table, the martingale part and the drift; the descent lemma does the
   rest. *)
From Coq Require Import Reals Lra Lia List PeanoNat Bool.
From Sledge Require Import vectors means minibatches algorithms problems second_moments
  sledge_errors fledge_sampling fledge_errors.
From Sledge Require Import theorem_2_expectation theorem_6_expectation.
From Sledge Require Import probability hoeffding azuma minibatch_tails coverage sledge_tails lemma_1.
From Sledge Require Import theorem_2_probability theorem_6_probability fledge_tails.
Import ListNotations.
Open Scope R_scope.

(* The sum of f over the beginnings of a history that are not empty. *)
Fixpoint totals {O} (f : list O -> R) (past : list O) : R :=
  match past with [] => 0 | _ :: before => totals f before + f past end.
Lemma totals_is {O} (f : list O -> R) past :
  totals f past = sum (length past) (fun t => f (at_time (S t) past)).
Proof.
  induction past as [|o before IH]; [reflexivity|]. cbn [totals length sum]. rewrite IH. f_equal.
  - apply sum_ext. intros t Ht. rewrite (at_time_before (S t)) by lia. reflexivity.
  - change (S (length before)) with (length (o :: before)). rewrite at_time_all. reflexivity.
Qed.

(* Lambda, and the step size *)
Definition fledge_lambda (P K b T : nat) (nu : R) : R := radius (INR (5 * (P * (K * b)) * S T)) nu.
Definition fledge_high_factor (P p K b : nat) (L zeta l C : R) : R :=
  3 * (INR K * INR K) * (l * l) * (lifetime P p * (2 * ((1 + C) * (1 + C))
      * ((zeta + change_radius K b L l) * (zeta + change_radius K b L l)) / INR p
    + 8 * ((INR P - INR p) * (INR P - INR p)) * (L * L) / (INR P * INR P * INR p * INR (K * b))))
  + (INR K - 1) * (3 * (zeta * zeta) * INR K + 12 * (l * l) * (L * L) / INR b).
Definition fledge_high_step_size (P p K b T : nat) (L zeta nu : R) : R :=
  / (2 * Rmax L (sqrt (fledge_high_factor P p K b L zeta (fledge_lambda P K b T nu)
    (log_factor P p T nu)))).

Section Run.
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
Hypothesis zeta0 : 0 <= zeta.
Hypothesis sigma0 : 0 <= sigma.
Hypothesis smoothness : data_smooth P data f grad L.
Notation G := (client_gradient data grad).
Notation F := (objective P (client_objective data f)).
Notation grad_f := (gradient P G).
Hypothesis infimum : forall x, fstar <= F x.
Hypothesis het : heterogeneous P G zeta.
Hypothesis bounded : data_bounded P data grad sigma.
Variables (eta : R) (r : list round -> R) (l C : R) (noise : list round -> nat -> list batch -> V)
  (start : V * (nat -> V)).
Hypothesis He : 0 < eta.
Hypothesis noise_r : forall past i before, norm (noise past i before) <= r past.
Hypothesis Hl : 1 <= l.
Notation NP := (INR P).
Notation Np := (INR p).
Notation NK := (INR K).
Notation M := (INR (K * b)).
Notation run := (fledge P p K b eta noise data grad start).

(* ---- A local run ---- *)

Section Local.
Variables (past : list round) (s : V * (nat -> V)) (i : nat).
Hypothesis Hi : (i < P)%nat.
Notation lx := (local_x P b data grad eta noise past s i).
Notation lerr := (local_error P b data grad eta noise past s i).
Notation moved := (local_moved P b data grad eta noise past s i).
Notation far := (local_far P b data grad L eta noise l past s i).
Notation S := (discounted 1 moved).
Notation e2 := (sq (error P G s)).
Lemma S_nonneg Js : 0 <= S Js.
Proof. apply discounted_nonneg; [lra|]. intro. apply local_moved_nonneg. Qed.
Lemma S_step J Js : S Js <= S (J :: Js).
Proof.
  cbn [discounted]. pose proof (local_moved_nonneg P b data grad eta noise past s i Js). lra.
Qed.
Lemma local_beta_is Js :
  local_beta P b data grad L eta noise past s i Js = 4 * (L * L) / INR b * S Js.
Proof. induction Js as [|J Js IH]; cbn [local_beta discounted]; [ring|]. rewrite IH. ring. Qed.
Lemma local_path Js : sq (sub (lx Js) (fst s)) <= INR (length Js) * S Js.
Proof.
  induction Js as [|J Js IH].
  - cbn. rewrite sub_self, sq_zero. lra.
  - cbn [length discounted]. rewrite S_INR. rewrite local_x_step.
    set (x1 := local_next P b data grad eta noise past s i Js).
    replace (sub x1 (fst s)) with (add (sub x1 (lx Js)) (sub (lx Js) (fst s))) by (vector_eq w; ring).
    set (k := INR (length Js)) in *. assert (k0 : 0 <= k) by apply pos_INR.
    pose proof (S_nonneg Js) as S0.
    pose proof (norm_nonneg (sub x1 (lx Js))) as n1. pose proof (norm_nonneg (sub (lx Js) (fst s))) as n2.
    rewrite <- norm_sq.
    apply Rle_trans with ((norm (sub x1 (lx Js)) + 1 * norm (sub (lx Js) (fst s)))
      * (norm (sub x1 (lx Js)) + 1 * norm (sub (lx Js) (fst s)))).
    + pose proof (norm_add (sub x1 (lx Js)) (sub (lx Js) (fst s))).
      pose proof (norm_nonneg (add (sub x1 (lx Js)) (sub (lx Js) (fst s)))).
      apply Rmult_le_compat; lra.
    + eapply Rle_trans; [apply (square_of_path _ 1 _ (S Js) k); try lra|].
      * rewrite norm_sq. exact IH.
      * rewrite norm_sq. unfold x1. fold (moved Js). right. ring.
Qed.
Lemma three_squares (u v w : V) : sq (add (add u v) w) <= 3 * (sq u + sq v + sq w).
Proof.
  pose proof (sq_nonneg (sub u v)) as A. pose proof (sq_nonneg (sub u w)) as B.
  pose proof (sq_nonneg (sub v w)) as D. rewrite !sq_sub in *. rewrite !sq_add, ip_add. lra.
Qed.
Lemma local_error_square Js : ever far Js = false ->
  sq (lerr Js) <= 3 * e2 + (12 * (l * l) * (L * L) / INR b + 3 * (zeta * zeta) * INR (length Js)) * S Js.
Proof.
  intro Good. assert (Z : far Js = false).
  { destruct Js; cbn [ever] in Good; apply orb_false_iff in Good; apply Good. }
  apply exceeds_false in Z. rewrite local_beta_is in Z.
  rewrite error_split. eapply Rle_trans; [apply three_squares|].
  assert (HP : (1 <= P)%nat) by exact (Nat.le_trans _ _ _ Hp HpP).
  pose proof (drift_bound P HP data grad zeta het s i Hi (lx Js)) as D.
  pose proof (local_path Js) as Pa.
  apply Rmult_le_compat_l with (r := zeta * zeta) in Pa; [|apply Rle_0_sqr]. lra.
Qed.
Lemma local_errors_sum Js : ever far Js = false -> (length Js <= K)%nat ->
  discounted 1 (fun Js => sq (lerr Js)) Js <= 3 * INR (length Js) * e2
    + (INR (length Js) - 1) * (3 * (zeta * zeta) * NK + 12 * (l * l) * (L * L) / INR b) * S Js.
Proof.
  set (c := 3 * (zeta * zeta) * NK + 12 * (l * l) * (L * L) / INR b).
  assert (b0 : 0 < / INR b) by (apply Rinv_0_lt_compat, lt_0_INR; lia).
  assert (zz : 0 <= zeta * zeta) by apply Rle_0_sqr.
  assert (c1 : 0 <= 12 * (l * l) * (L * L) / INR b).
  { apply Rmult_le_pos; [|lra]. apply Rmult_le_pos; [|apply Rle_0_sqr].
    apply Rmult_le_pos; [lra|apply Rle_0_sqr]. }
  assert (c0 : 0 <= c).
  { unfold c. pose proof (pos_INR K). assert (0 <= 3 * (zeta * zeta) * NK) by (apply Rmult_le_pos;
    lra). lra. }
  induction Js as [|J Js IH]; intros Good Len; [simpl; lra|].
  cbn [ever] in Good. apply orb_false_iff in Good. destruct Good as [_ Good]. cbn [length] in Len.
  specialize (IH Good ltac:(lia)). pose proof (local_error_square Js Good) as Q.
  change (discounted 1 (fun Js => sq (lerr Js)) (J :: Js))
    with (1 * discounted 1 (fun Js => sq (lerr Js)) Js + sq (lerr Js)).
  cbn [length]. rewrite S_INR. pose proof (S_nonneg Js) as S0. pose proof (S_step J Js) as S1.
  destruct Js as [|J' Js].
  - simpl in *. lra.
  - set (k := INR (length (J' :: Js))) in *.
    assert (k1 : 1 <= k) by (unfold k; change 1 with (INR 1); apply le_INR; simpl; lia).
    assert (kK : k <= NK) by (unfold k; apply le_INR; lia).
    set (X := S (J' :: Js)) in *.
    assert (Q2 : (12 * (l * l) * (L * L) / INR b + 3 * (zeta * zeta) * k) * X <= c * X).
    { apply Rmult_le_compat_r; [assumption|]. unfold c.
      assert (3 * (zeta * zeta) * k <= 3 * (zeta * zeta) * NK) by (apply Rmult_le_compat_l; lra). lra. }
    assert (Q3 : k * c * X <= k * c * S (J :: J' :: Js)) by (apply Rmult_le_compat_l; [apply
      Rmult_le_pos; lra|exact S1]).
    lra.
Qed.
Lemma local_descent Js : F (lx Js) + eta / 2 * discounted 1 (fun Js => sq (grad_f (lx Js))) Js
  <= F (fst s) + eta * discounted 1 (fun Js => sq (lerr Js)) Js
     - (1 / (2 * eta) - L / 2) * S Js + INR (length Js) * (r past * r past / eta).
Proof.
  induction Js as [|J Js IH]; [simpl; change (lx []) with (fst s); lra|].
  change (discounted 1 (fun Js => sq (lerr Js)) (J :: Js))
    with (1 * discounted 1 (fun Js => sq (lerr Js)) Js + sq (lerr Js)).
  change (discounted 1 (fun Js => sq (grad_f (lx Js))) (J :: Js))
    with (1 * discounted 1 (fun Js => sq (grad_f (lx Js))) Js + sq (grad_f (lx Js))).
  cbn [length]. rewrite S_INR. cbn [discounted].
  pose proof (descent_lemma F grad_f L eta (r past) (lx Js) (local_estimate (estimate P s)
    (local_state P b data grad eta noise past s i Js)) (noise past i Js)
    (fledge_quadratic P p K b Hp HpP HK Hb data f grad L enough_data smoothness) He
    (noise_r past i Js)) as D. cbv zeta in D. fold (lerr Js) in D.
  change (add (sub (lx Js) (scale eta (local_estimate (estimate P s)
    (local_state P b data grad eta noise past s i Js)))) (noise past i Js)) with (lx (J :: Js)) in D.
  change (sq (sub (lx (J :: Js)) (lx Js))) with (moved Js) in D. lra.
Qed.
End Local.

(* ---- The rounds ---- *)

Variables (beta0 : R) (m : nat).
Hypothesis beta0_nonneg : 0 <= beta0.
Hypothesis Hm : Np / NP * INR m <= C.
Notation table_beta := (table_beta P p K b data grad L zeta sigma eta noise start l beta0).
Notation step_length := (step_length P p K b data grad eta noise start).
Notation travelled := (fledge_tails.travelled P p K b data grad eta noise start).
Notation reach := (fledge_tails.reach P p K b data grad L zeta sigma eta noise start l).
Notation rad := (fresh_radius K b sigma l).
Notation zeta' := (zeta + change_radius K b L l).

(* What holds where nothing is exceeded. *)
Fixpoint good (past : list round) : Prop :=
  match past with
  | [] => True
  | c :: before => good before /\ (worker c < P)%nat /\ length (local c) = K /\
      ever (local_far P b data grad L eta noise l before (run before) (worker c)) (local c) = false /\
      sq (error P G (run before)) <= l * l * table_beta before /\
      (oldest P (row_age before) <= m)%nat
  end.
(* The sum over the local steps of the last round, and the errors of the table before it. *)
Definition in_round (q : list round -> nat -> list batch -> R) (past : list round) : R :=
  match past with [] => 0 | c :: before => discounted 1 (q before (worker c)) (local c) end.
Definition lerr2 (past : list round) (i : nat) (Js : list batch) : R :=
  sq (local_error P b data grad eta noise past (run past) i Js).
Definition lmov (past : list round) (i : nat) (Js : list batch) : R :=
  local_moved P b data grad eta noise past (run past) i Js.
Definition lgrad2 (past : list round) (i : nat) (Js : list batch) : R :=
  sq (grad_f (local_x P b data grad eta noise past (run past) i Js)).
Notation table_errors := (discounted 1 (fun past => sq (error P G (run past)))).
Notation X2 := (totals (fun past => step_length past * step_length past)).

Lemma lmov_nonneg past : 0 <= totals (in_round lmov) past.
Proof.
  induction past as [|c before IH]; [simpl; lra|]. cbn [totals in_round].
  assert (0 <= discounted 1 (lmov before (worker c)) (local c)); [|lra].
  apply discounted_nonneg; [lra|]. intro. apply local_moved_nonneg.
Qed.
Lemma rounds_descent past : good past ->
  F (fst (run past)) + eta / 2 * totals (in_round lgrad2) past
  <= F (fst start) + eta * totals (in_round lerr2) past
     - (1 / (2 * eta) - L / 2) * totals (in_round lmov) past + NK * discounted 1 (fun past => r past * r past / eta) past.
Proof.
  induction past as [|c before IH]; intro Gd; [simpl; lra|].
  destruct Gd as [Gd [Hi [Len _]]]. specialize (IH Gd). cbn [totals in_round discounted].
  pose proof (local_descent before (run before) (worker c) (local c)) as D.
  rewrite Len in D.
  change (fst (run (c :: before))) with (local_x P b data grad eta noise before (run before) (worker c)
    (local c)).
  change (discounted 1 (lgrad2 before (worker c)) (local c)) with (discounted 1 (fun Js => sq (grad_f
    (local_x P b data grad eta noise before (run before) (worker c) Js))) (local c)).
  change (discounted 1 (lerr2 before (worker c)) (local c)) with (discounted 1 (fun Js => sq
    (local_error P b data grad eta noise before (run before) (worker c) Js)) (local c)).
  change (discounted 1 (lmov before (worker c)) (local c)) with (discounted 1 (local_moved P b data
    grad eta noise before (run before) (worker c)) (local c)).
  lra.
Qed.
Lemma rounds_errors past : good past -> totals (in_round lerr2) past <= 3 * NK * table_errors past
  + (NK - 1) * (3 * (zeta * zeta) * NK + 12 * (l * l) * (L * L) / INR b) * totals (in_round lmov) past.
Proof.
  induction past as [|c before IH]; intro Gd; [simpl; lra|].
  destruct Gd as [Gd [Hi [Len [Far _]]]]. specialize (IH Gd). cbn [totals in_round discounted].
  pose proof (local_errors_sum before (run before) (worker c) Hi (local c) Far ltac:(lia)) as D.
  rewrite Len in D.
  change (discounted 1 (lerr2 before (worker c)) (local c)) with (discounted 1 (fun Js => sq
    (local_error P b data grad eta noise before (run before) (worker c) Js)) (local c)).
  change (discounted 1 (lmov before (worker c)) (local c)) with (discounted 1 (local_moved P b data
    grad eta noise before (run before) (worker c)) (local c)).
  lra.
Qed.
Lemma rounds_moved past : good past -> X2 past <= NK * totals (in_round lmov) past.
Proof.
  induction past as [|c before IH]; intro Gd; [simpl; lra|].
  destruct Gd as [Gd [Hi [Len _]]]. specialize (IH Gd). cbn [totals in_round].
  pose proof (local_path before (run before) (worker c) (local c)) as D. rewrite Len in D.
  change (discounted 1 (lmov before (worker c)) (local c)) with (discounted 1 (local_moved P b data
    grad eta noise before (run before) (worker c)) (local c)).
  assert (E : step_length (c :: before) * step_length (c :: before)
    = sq (sub (local_x P b data grad eta noise before (run before) (worker c) (local c))
        (fst (run before)))) by apply norm_sq.
  rewrite E. lra.
Qed.

(* ---- The radii of the table ---- *)

Fixpoint squares (k : nat) (past : list round) : R :=
  match k, past with
  | S k', _ :: before => step_length past * step_length past + squares k' before
  | _, _ => 0
  end.
Lemma X2_nonneg past : 0 <= X2 past.
Proof.
  induction past as [|c before IH]; cbn [totals]; [lra|].
  pose proof (Rle_0_sqr (step_length (c :: before))) as Q. unfold Rsqr in Q. lra.
Qed.
Lemma squares_nonneg k past : 0 <= squares k past.
Proof.
  revert past. induction k as [|k IH]; intros [|c before]; cbn [squares]; try lra.
  specialize (IH before). pose proof (Rle_0_sqr (step_length (c :: before))) as Q. unfold Rsqr in Q.
  lra.
Qed.
Lemma travelled_square k past : travelled k past * travelled k past <= INR k * squares k past.
Proof.
  revert past. induction k as [|k IH]; intros [|c before];
    try (cbn [fledge_tails.travelled squares]; rewrite !Rmult_0_r; lra).
  rewrite S_INR. cbn [fledge_tails.travelled squares]. specialize (IH before).
  pose proof (square_of_path (step_length (c :: before)) 1 (travelled k before) (squares k before)
    (INR k) (step_length_nonneg P p K b data grad eta noise start _) ltac:(lra)
    (travelled_nonneg P p K b data grad eta noise start k before)
    (squares_nonneg k before) (pos_INR k) IH) as Q. lra.
Qed.
Lemma squares_total k past : discounted 1 (squares k) past <= INR k * X2 past.
Proof.
  induction k as [|k IH].
  - simpl (INR 0). rewrite Rmult_0_l. induction past as [|c before IH]; [simpl; lra|].
    cbn [discounted]. destruct before; cbn [squares] in *; lra.
  - assert (Q : discounted 1 (squares (S k)) past + squares (S k) past
      <= X2 past + discounted 1 (squares k) past).
    { clear IH. induction past as [|c before IH]; [simpl; lra|]. cbn [discounted totals].
      change (squares (S k) (c :: before))
        with (step_length (c :: before) * step_length (c :: before) + squares k before). lra. }
    pose proof (squares_nonneg (S k) past). rewrite S_INR. lra.
Qed.
(* Lambda_1 and what every round adds *)
Definition movement_weight : R := 2 * ((1 + C) * (1 + C)) * (zeta' * zeta') / Np
  + 8 * ((NP - Np) * (NP - Np)) * (L * L) / (NP * NP * Np * M).
Definition round_noise : R := 8 * Np * (1 + 4 * (l * l)) * (sigma * sigma) / (NP * NP * M).

Lemma increment past X : 0 <= X -> (oldest P (row_age past) <= m)%nat ->
  let w := reach (oldest P (row_age past)) past in
  spread P p / (Np * Np) * (client_spread P p zeta X w * client_spread P p zeta X w)
    + Np * (data_spread P p L sigma X * data_spread P p L sigma X / M)
  <= 2 * (zeta' * zeta') / Np * (1 + Np / NP * INR m) * (X * X + Np / NP * squares m past)
     + 8 * ((NP - Np) * (NP - Np)) * (L * L) / (NP * NP * Np * M) * (X * X) + round_noise.
Proof.
  intros X0 Old w. pose proof (M_pos K b HK Hb) as M1. pose proof (Nn P p Hp HpP) as P1.
  pose proof (Bb P p Hp HpP) as [p1 pP]. pose proof (BN_1 P p Hp HpP) as [q0 q1].
  assert (l0 : 0 <= l) by lra. assert (L0 : 0 <= L) by lra.
  pose proof (radii K b HK Hb L sigma L0 sigma0 l l0) as [f0 c0].
  pose proof (travelled_nonneg P p K b data grad eta noise start m past) as t0.
  pose proof (travelled_square m past) as tq. pose proof (squares_nonneg m past) as s0.
  pose proof (pos_INR m) as m0. set (q := Np / NP) in *.
  set (path := X + q * travelled m past).
  assert (path0 : 0 <= path).
  { unfold path. assert (0 <= q * travelled m past) by (apply Rmult_le_pos; lra). lra. }
  assert (w0 : 0 <= w) by (apply reach_nonneg; assumption).
  assert (D1 : 0 <= client_spread P p zeta X w <= zeta' * path + q * (2 * rad)).
  { unfold client_spread. fold q. split.
    - assert (0 <= zeta * X) by (apply Rmult_le_pos; assumption).
      assert (0 <= q * w) by (apply Rmult_le_pos; lra). lra.
    - assert (W : w <= 2 * rad + zeta' * travelled m past)
        by (apply (reach_monotone P p K b Hp HpP HK Hb data grad L zeta sigma L0 zeta0 sigma0 eta noise
              start l l0 _ m past Old)).
      apply Rmult_le_compat_l with (r := q) in W; [|lra]. unfold path.
      assert (0 <= change_radius K b L l * X) by (apply Rmult_le_pos; assumption). lra. }
  assert (D2 : client_spread P p zeta X w * client_spread P p zeta X w
    <= 2 * (zeta' * zeta') * (path * path) + 8 * (q * q) * (rad * rad)).
  { set (u := zeta' * path) in *. set (v := q * (2 * rad)) in *.
    assert (client_spread P p zeta X w * client_spread P p zeta X w <= (u + v) * (u + v))
      by (apply Rmult_le_compat; lra).
    pose proof (Rle_0_sqr (u - v)) as Q. unfold Rsqr in Q.
    replace (2 * (zeta' * zeta') * (path * path) + 8 * (q * q) * (rad * rad))
      with (2 * (u * u) + 2 * (v * v)) by (unfold u, v; ring). lra. }
  assert (D3 : path * path <= (1 + q * INR m) * (X * X + q * squares m past))
    by (apply square_of_path; try assumption; lra).
  assert (D4 : spread P p / (Np * Np) <= / Np).
  { pose proof (spread_bounds P p HpP). apply Rmult_le_reg_r with (Np * Np);
      [apply Rmult_lt_0_compat; lra|].
    replace (spread P p / (Np * Np) * (Np * Np)) with (spread P p) by (field; lra).
    replace (/ Np * (Np * Np)) with Np by (field; lra). lra. }
  set (cs2 := client_spread P p zeta X w * client_spread P p zeta X w) in *.
  assert (cs0 : 0 <= cs2) by apply Rle_0_sqr.
  assert (ip : 0 < / Np) by (apply Rinv_0_lt_compat; lra).
  assert (zz : 0 <= zeta' * zeta') by apply Rle_0_sqr.
  assert (E1 : spread P p / (Np * Np) * cs2 <= 2 * (zeta' * zeta') / Np * (1 + q * INR m)
    * (X * X + q * squares m past) + 8 * Np * (4 * (l * l)) * (sigma * sigma) / (NP * NP * M)).
  { apply Rle_trans with (/ Np * cs2); [apply Rmult_le_compat_r; assumption|].
    apply Rle_trans with (/ Np * (2 * (zeta' * zeta') * ((1 + q * INR m) * (X * X + q * squares m past))
      + 8 * (q * q) * (rad * rad))).
    - apply Rmult_le_compat_l; [lra|]. eapply Rle_trans; [exact D2|]. apply Rplus_le_compat_r.
      apply Rmult_le_compat_l; [lra|exact D3].
    - assert (R2 : rad * rad = 4 * (l * l) * (sigma * sigma) / M).
      { unfold fresh_radius. assert (sM : 0 < sqrt M) by (apply sqrt_lt_R0; lra).
        replace (l * (2 * sigma) / sqrt M * (l * (2 * sigma) / sqrt M))
          with (4 * (l * l) * (sigma * sigma) / (sqrt M * sqrt M)) by (field; lra).
        rewrite sqrt_sqrt by lra. reflexivity. }
      rewrite R2. right. unfold q. field. lra. }
  set (ds := data_spread P p L sigma X).
  assert (E2 : Np * (ds * ds / M) <= 8 * ((NP - Np) * (NP - Np)) * (L * L) / (NP * NP * Np * M)
    * (X * X) + 8 * Np * (sigma * sigma) / (NP * NP * M)).
  { set (u := 2 * sigma). set (v := (NP - Np) / Np * (2 * (L * X))).
    assert (Q : ds * ds <= / NP * / NP * (2 * (u * u) + 2 * (v * v))).
    { unfold ds, data_spread. fold u. fold v. pose proof (Rle_0_sqr (u - v)) as Q. unfold Rsqr in Q.
      replace (/ NP * (u + v) * (/ NP * (u + v))) with (/ NP * / NP * ((u + v) * (u + v))) by ring.
      apply Rmult_le_compat_l; [apply Rmult_le_pos; left; apply Rinv_0_lt_compat; lra|]. lra. }
    assert (k0 : 0 <= Np / M) by (apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]).
    apply Rmult_le_compat_l with (r := Np / M) in Q; [|exact k0].
    replace (Np * (ds * ds / M)) with (Np / M * (ds * ds)) by (field; lra).
    eapply Rle_trans; [exact Q|]. right. unfold u, v. field. lra. }
  unfold round_noise. replace (8 * Np * (1 + 4 * (l * l)) * (sigma * sigma) / (NP * NP * M))
    with (8 * Np * (4 * (l * l)) * (sigma * sigma) / (NP * NP * M)
      + 8 * Np * (sigma * sigma) / (NP * NP * M)) by (field; lra). lra.
Qed.
(* beta without what is left of the start *)
Lemma table_beta_sum past : good past ->
  let q2 := (1 - Np / NP) * (1 - Np / NP) in
  q2 ^ length past * beta0 <= table_beta past /\
  (1 - q2) * (discounted 1 table_beta past - INR (length past) * beta0)
    + (table_beta past - q2 ^ length past * beta0)
  <= 2 * (zeta' * zeta') / Np * (1 + Np / NP * INR m) * (X2 past + Np / NP
       * discounted 1 (squares m) past)
     + 8 * ((NP - Np) * (NP - Np)) * (L * L) / (NP * NP * Np * M) * X2 past
     + INR (length past) * round_noise.
Proof.
  intros Gd q2. pose proof (BN_1 P p Hp HpP) as [q0 q1].
  assert (Q2 : 0 <= q2 <= 1).
  { unfold q2. split; [apply Rle_0_sqr|]. replace 1 with (1 * 1) at 3 by ring.
    apply Rmult_le_compat; lra. }
  induction past as [|c before IH]; [simpl; lra|].
  destruct Gd as [Gd [_ [_ [_ [_ Old]]]]]. specialize (IH Gd). destruct IH as [IH1 IH2].
  set (X := step_length (c :: before)).
  pose proof (increment before X (step_length_nonneg P p K b data grad eta noise start _) Old) as Inc.
  cbv zeta in Inc.
  set (inc := spread P p / (Np * Np) * _ + _) in Inc.
  assert (TB : table_beta (c :: before) = q2 * table_beta before + inc).
  { cbn [fledge_tails.table_beta]. unfold next_beta, inc, q2, X. ring. }
  assert (inc0 : 0 <= inc).
  { unfold inc. pose proof (spread_bounds P p HpP) as [S0 _]. pose proof (Bb P p Hp HpP) as [p1 _].
    pose proof (M_pos K b HK Hb) as M1. apply Rplus_le_le_0_compat.
    - apply Rmult_le_pos; [|apply Rle_0_sqr]. apply Rmult_le_pos; [assumption|].
      left. apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra.
    - apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [apply Rle_0_sqr|left; apply
        Rinv_0_lt_compat; lra]. }
  assert (qT : 0 <= q2 ^ length before <= 1).
  { split; [apply pow_le; lra|]. rewrite <- (pow1 (length before)). apply pow_incr. lra. }
  cbn [length pow discounted totals]. rewrite S_INR, TB. fold X. split.
  - apply Rmult_le_compat_l with (r := q2) in IH1; [|lra]. lra.
  - assert (B0 : (1 - q2) * (q2 ^ length before * beta0) <= (1 - q2) * beta0).
    { apply Rmult_le_compat_l; [lra|]. rewrite <- (Rmult_1_l beta0) at 2.
      apply Rmult_le_compat_r; lra. }
    set (D := discounted 1 table_beta before) in *. set (Sq := discounted 1 (squares m) before) in *.
    set (A := 2 * (zeta' * zeta') / Np * (1 + Np / NP * INR m)) in *.
    replace (A * (X2 before + X * X + Np / NP * (1 * Sq + squares m before)))
      with (A * (X2 before + Np / NP * Sq) + A * (X * X + Np / NP * squares m before)) by ring.
    lra.
Qed.
Lemma rounds_table past : good past -> table_errors past
  <= l * l * (INR (length past) * beta0 + lifetime P p * (movement_weight * X2 past
       + INR (length past) * round_noise)).
Proof.
  intro Gd. pose proof (Nn P p Hp HpP) as P1. pose proof (Bb P p Hp HpP) as [p1 pP].
  pose proof (BN_1 P p Hp HpP) as [q0 q1].
  assert (H1 : table_errors past <= l * l * discounted 1 table_beta past).
  { rewrite <- discounted_mul. clear - Gd. induction past as [|c before IH]; [simpl; lra|].
    destruct Gd as [Gd [_ [_ [_ [E _]]]]]. specialize (IH Gd). cbn [discounted].
    cbv beta in E |- *. lra. }
  destruct (table_beta_sum past Gd) as [B1 B2]. cbv zeta in B1, B2.
  set (q2 := (1 - Np / NP) * (1 - Np / NP)) in *. set (D := discounted 1 table_beta past) in *.
  pose proof (squares_total m past) as Sq. pose proof (X2_nonneg past) as A0.
  pose proof (pos_INR m) as m0. set (pm := Np / NP * INR m) in *.
  assert (pm0 : 0 <= pm) by (apply Rmult_le_pos; lra).
  assert (zz : 0 <= zeta' * zeta') by apply Rle_0_sqr.
  assert (ip : 0 < / Np) by (apply Rinv_0_lt_compat; lra).
  assert (Mv : 2 * (zeta' * zeta') / Np * (1 + pm) * (X2 past + Np / NP * discounted 1 (squares m) past)
    <= 2 * ((1 + C) * (1 + C)) * (zeta' * zeta') / Np * X2 past).
  { assert (S1 : X2 past + Np / NP * discounted 1 (squares m) past <= (1 + pm) * X2 past).
    { apply Rmult_le_compat_l with (r := Np / NP) in Sq; [|lra]. unfold pm. lra. }
    assert (cz : 0 <= 2 * (zeta' * zeta') / Np) by (apply Rmult_le_pos; lra).
    apply Rle_trans with (2 * (zeta' * zeta') / Np * (1 + pm) * ((1 + pm) * X2 past)).
    - apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|exact S1].
    - assert (S2 : (1 + pm) * (1 + pm) <= (1 + C) * (1 + C)) by (apply Rmult_le_compat; lra).
      apply Rmult_le_compat_l with (r := 2 * (zeta' * zeta') / Np * X2 past) in S2;
        [|apply Rmult_le_pos; assumption].
      lra. }
  assert (Lk : lifetime P p * (1 - q2) = 1).
  { unfold lifetime, q2. assert (2 * NP - Np <> 0) by lra. field. repeat split; lra. }
  pose proof (lifetime_pos P p Hp HpP) as w0. set (w := lifetime P p) in *.
  assert (B3 : (1 - q2) * (D - INR (length past) * beta0) <= movement_weight * X2 past
    + INR (length past) * round_noise) by (unfold movement_weight; lra).
  apply Rmult_le_compat_l with (r := w) in B3; [|lra]. rewrite <- Rmult_assoc, Lk, Rmult_1_l in B3.
  eapply Rle_trans; [exact H1|]. apply Rmult_le_compat_l; [apply Rle_0_sqr|]. lra.
Qed.

(* ---- The sum of the gradients ---- *)

Notation factor := (fledge_high_factor P p K b L zeta l C).
Hypothesis He_L : 2 * eta * L <= 1.
Hypothesis He_factor : 4 * eta * eta * factor <= 1.
Lemma fledge_path_gradients past : good past ->
  eta / 2 * totals (in_round lgrad2) past <= F (fst start) - fstar
    + eta * (3 * NK * (l * l) * (INR (length past) * (beta0 + lifetime P p * round_noise)))
    + NK * discounted 1 (fun past => r past * r past / eta) past.
Proof.
  intro Gd. pose proof (rounds_descent past Gd) as D. pose proof (rounds_errors past Gd) as E.
  pose proof (rounds_table past Gd) as Tb. pose proof (rounds_moved past Gd) as Mv.
  pose proof (lmov_nonneg past) as S0. pose proof (infimum (fst (run past))) as I.
  assert (K1 : 1 <= NK) by (change 1 with (INR 1); apply le_INR; assumption).
  pose proof (lifetime_pos P p Hp HpP) as w0. set (w := lifetime P p) in *.
  set (SS := totals (in_round lmov) past) in *. set (EE := totals (in_round lerr2) past) in *.
  set (n := INR (length past)) in *.
  assert (W0 : 0 <= movement_weight).
  { pose proof (M_pos K b HK Hb) as M1. pose proof (Nn P p Hp HpP) as P1.
    pose proof (Bb P p Hp HpP) as [p1 pP]. unfold movement_weight. apply Rplus_le_le_0_compat.
    - apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat; lra].
      apply Rmult_le_pos; [|apply Rle_0_sqr]. apply Rmult_le_pos; [lra|apply Rle_0_sqr].
    - apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat; repeat apply Rmult_lt_0_compat; lra].
      apply Rmult_le_pos; [|apply Rle_0_sqr]. apply Rmult_le_pos; [lra|apply Rle_0_sqr]. }
  assert (T2 : 3 * NK * table_errors past <= 3 * (NK * NK) * (l * l) * (w * movement_weight) * SS
    + 3 * NK * (l * l) * (n * (beta0 + w * round_noise))).
  { apply Rle_trans with (3 * NK * (l * l * (n * beta0 + w * (movement_weight * (NK * SS)
      + n * round_noise)))).
    - apply Rmult_le_compat_l; [lra|]. eapply Rle_trans; [exact Tb|].
      apply Rmult_le_compat_l; [apply Rle_0_sqr|]. apply Rplus_le_compat_l.
      apply Rmult_le_compat_l; [lra|]. apply Rplus_le_compat_r. apply Rmult_le_compat_l; assumption.
    - right. ring. }
  set (Fl := 3 * NK * (l * l) * (n * (beta0 + w * round_noise))) in *.
  assert (E2 : EE <= factor * SS + Fl).
  { unfold fledge_high_factor. fold w. fold movement_weight. lra. }
  assert (Bal : eta * EE <= (1 / (2 * eta) - L / 2) * SS + eta * Fl).
  { apply Rmult_le_reg_l with (4 * eta); [lra|].
    assert (ee : 0 <= 4 * (eta * eta)) by (pose proof (Rle_0_sqr eta) as Q; unfold Rsqr in Q; lra).
    replace (4 * eta * (eta * EE)) with (4 * (eta * eta) * EE) by ring.
    replace (4 * eta * ((1 / (2 * eta) - L / 2) * SS + eta * Fl))
      with ((2 - 2 * eta * L) * SS + 4 * (eta * eta) * Fl) by (field; lra).
    assert (4 * (eta * eta) * EE <= 4 * (eta * eta) * (factor * SS + Fl)) by (apply Rmult_le_compat_l;
      assumption).
    assert (4 * eta * eta * factor * SS <= 1 * SS) by (apply Rmult_le_compat_r; assumption).
    assert (1 * SS <= (2 - 2 * eta * L) * SS) by (apply Rmult_le_compat_r; lra). lra. }
  lra.
Qed.
End Run.

(* ---- The event of probability at least 1 - 2 nu, and the theorem ---- *)

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
Hypothesis zeta0 : 0 <= zeta.
Hypothesis sigma0 : 0 <= sigma.
Hypothesis smoothness : data_smooth P data f grad L.
Notation G := (client_gradient data grad).
Notation F := (objective P (client_objective data f)).
Notation grad_f := (gradient P G).
Hypothesis infimum : forall x, fstar <= F x.
Hypothesis het : heterogeneous P G zeta.
Hypothesis bounded : data_bounded P data grad sigma.
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
Notation beta0 := (4 * (sigma * sigma) / (NP * M)).
Let lip : data_lipschitz P data grad L := data_lip P data f grad L smoothness.
Let L0 : 0 <= L. Proof. lra. Qed.

Lemma lambda_1 : 1 <= l.
Proof. apply radius_above. Qed.
Lemma draws_1 : 1 <= INR (5 * (P * (K * b)) * S T).
Proof.
  change 1 with (INR 1). apply le_INR. pose proof (Kb_1 K b HK Hb) as K1.
  assert (A : (1 * 1 <= P * (K * b))%nat) by (apply Nat.mul_le_mono; lia).
  assert (B : (5 * 1 <= 5 * (P * (K * b)))%nat) by lia.
  apply (Nat.le_trans _ (5 * 1 * 1)); [lia|]. apply Nat.mul_le_mono; lia.
Qed.

(* The start of Option II: every client's minibatch. *)
Lemma start_towers theta : 0 < theta < 2 ->
  Ex (fresh_law P data (K * b)) (fun J => tower theta (error P G (start J)) beta0)
    <= NP * (M * exp (kappa theta)) /\
  forall J, possible (fresh_law P data (K * b)) J -> proper (error P G (start J)) beta0.
Proof.
  intro Ht. pose proof (M_pos K b HK Hb) as M1. pose proof (Nn P p Hp HpP) as P1.
  pose proof (Kb_1 K b HK Hb) as K1.
  set (w := fun i j => scale (/ NP) (centre (data i) (fun j => grad i j x0) j)).
  assert (P0 : proper (zero : V) 0) by (split; [lra|auto]).
  assert (i0 : 0 < / NP) by (apply Rinv_0_lt_compat; lra).
  pose proof (samples_tower theta Ht data (K * b) w (/ NP * (2 * sigma)) full zero 0 K1
    ltac:(apply Rmult_le_pos; lra) P0 P enough_data) as H.
  cbv zeta in H. assert (Sz : sum P (ind full) = NP) by (unfold ind, full; rewrite sum_const; ring).
  rewrite Sz, tower_zero, !Rplus_0_l in H.
  assert (Be : NP * (/ NP * (2 * sigma) * (/ NP * (2 * sigma)) / M) = beta0) by (field; lra).
  rewrite Be in H.
  assert (Er : forall J, possible (fresh_law P data (K * b)) J -> error P G (start J)
    = add zero (vsum_in P full (fun i => over (K * b) (vsum_in (data i) (J i) (w i))))).
  { intros J PJ. rewrite error_is_mean. vector_eq u. rewrite ip_mean_of, ip_vsum_in, <- sum_mul, Rplus_0_l.
    apply sum_ext. intros i Hi. pose proof (family_possible none P _ J i PJ Hi) as Pi. cbv beta in Pi.
    change (row_error G (start J) i) with (fresh_error K b data grad x0 i (J i)).
    rewrite (fresh_is P K b HK Hb data grad enough_data x0 i (J i) Hi Pi). unfold ind, full.
    products. rewrite !ip_vsum_in. unfold w.
    rewrite (sum_ext (data i) (fun j => ind (J i) j * ip (scale (/ NP) _) u) (fun j => / NP
      * (ind (J i) j * ip (centre (data i) (fun j => grad i j x0) j) u))) by (intros; products; ring).
    rewrite sum_mul. ring. }
  destruct H as [H1 H2].
  - intros i Hi. vector_eq u. rewrite ip_vsum. unfold w.
    rewrite (sum_ext (data i) _ (fun j => / NP * ip (centre (data i) (fun j => grad i j x0) j) u))
      by (intros; products; ring).
    rewrite sum_mul, <- ip_vsum, (centre_zero (data i) (K * b) K1 (enough_data i Hi)), ip_zero. ring.
  - intros i j j' Hi Hj Hj'. unfold w. set (c := centre (data i) (fun j => grad i j x0)).
    replace (sub _ _) with (scale (/ NP) (sub (c j) (c j'))) by (vector_eq u; ring).
    rewrite norm_scale, Rabs_right by lra. apply Rmult_le_compat_l; [lra|].
    apply centre_apart. apply (fresh_apart P data grad sigma sigma0 bounded); assumption.
  - split.
    + eapply Rle_trans; [|exact H1]. right. apply Ex_ext. intros J PJ. rewrite (Er J PJ). reflexivity.
    + intros J PJ. rewrite (Er J PJ). apply H2, PJ.
Qed.

(* Nothing is exceeded and all rows are younger than k: then the run is good. *)
Lemma good_where_never_bad eta (noise : list round -> nat -> list batch -> V) st be0 k T' q :
  let bad := fun past => (ever (round_bad P p K b data grad L sigma eta noise st l) past
    || table_far P p K b data grad L zeta sigma eta noise st l be0 past)%bool in
  (1 <= k)%nat -> possible (fledge_history P p K b data T') q -> ever bad q = false ->
  (forall t i, (t <= length q)%nat -> (i < P)%nat -> (row_age (at_time t q) i < k)%nat) ->
  good P p K b data grad L zeta sigma eta l noise st be0 (k - 1) q.
Proof.
  intros bad Hk. revert T'.
  induction q as [|c before IH]; intros T' Q G Age; [exact I|].
  destruct T' as [|T']; [apply history_length in Q; discriminate|].
  apply history_possible in Q. destruct Q as [Q Pc].
  destruct (round_possible P p K b Hp HpP HK Hb data c Pc) as [Wk [Hh _]].
  cbn [ever] in G. apply orb_false_iff in G. destruct G as [G1 G2].
  apply orb_false_iff in G1. destruct G1 as [G1 _]. cbn [ever] in G1. apply orb_false_iff in G1.
  destruct G1 as [G1 _]. cbn [round_bad] in G1. apply orb_false_iff in G1. destruct G1 as [G1 _].
  assert (Head : bad before = false).
  { destruct before as [|c' before]; cbn [ever] in G2; apply orb_false_iff in G2; apply G2. }
  apply orb_false_iff in Head. destruct Head as [_ Head].
  cbn [good]. split; [|split; [exact Wk|split; [apply (history_length _ _ _ Hh)|split; [exact G1|split]]]].
  - apply (IH T' Q G2). intros t i Ht' Hi. specialize (Age t i).
    rewrite at_time_before in Age by lia. apply Age; [simpl; lia|exact Hi].
  - apply exceeds_false, Head.
  - apply oldest_below; [exact Hk|]. intros i Hi.
    specialize (Age (length before) i ltac:(simpl; lia) Hi).
    rewrite at_time_before, at_time_all in Age by lia. exact Age.
Qed.

(* Good for every step size and noise. *)
Theorem fledge_good_event eta (noise : (nat -> batch) -> list round -> nat -> list batch -> V) :
  with_probability (fledge_history_II P p K b data T) (1 - 2 * nu) (fun o =>
    good P p K b data grad L zeta sigma eta l (noise (fst o)) (start (fst o)) beta0
      (oldest_row P p T nu - 1) (snd o)).
Proof.
  destruct (best_theta (INR (5 * (P * (K * b)) * S T)) nu draws_1 Hnu) as [theta [Ht E]].
  fold l in E. pose proof lambda_1 as l1. assert (Hl : 0 <= l) by lra.
  pose proof (exp_pos (theta * (l * l))) as h0. pose proof (exp_pos (kappa theta)) as k0.
  pose proof (M_pos K b HK Hb) as M1. pose proof (Nn P p Hp HpP) as P1.
  pose proof (Bb P p Hp HpP) as [p1 pP].
  set (h := exp (theta * (l * l))) in *. set (cost := exp (kappa theta)) in *.
  set (off := fun J : nat -> batch => existsb (fun i => exceeds (l * l * (2 * sigma * (2 * sigma) / M))
    (sq (fresh_error K b data grad x0 i (J i)))) (seq 0 P)).
  set (bad := fun J past => (ever (round_bad P p K b data grad L sigma eta (noise J) (start J) l) past
    || table_far P p K b data grad L zeta sigma eta (noise J) (start J) l beta0 past)%bool).
  assert (Rows : forall J, possible (fresh_law P data (K * b)) J -> off J = false -> forall i,
    (i < P)%nat -> norm (row_error G (start J) i) <= fresh_radius K b sigma l).
  { intros J PJ e i Hi. pose proof (existsb_false _ P i e Hi) as Fe. cbv beta in Fe.
    pose proof (family_possible none P _ J i PJ Hi) as Pi. cbv beta in Pi.
    change (row_error G (start J) i) with (fresh_error K b data grad x0 i (J i)).
    rewrite (fresh_is P K b HK Hb data grad enough_data x0 i (J i) Hi Pi) in *.
    apply (sample_norm (data i) (K * b) (Kb_1 K b HK Hb) (enough_data i Hi) _ (2 * sigma));
      [lra|exact Hl|exact Fe]. }
  assert (Ev : with_probability (fledge_history_II P p K b data T) (1 - nu) (fun o =>
    off (fst o) = false /\ ever (bad (fst o)) (snd o) = false)).
  { apply (unless _ (fun o => off (fst o) || ever (bad (fst o)) (snd o))).
    2:{ intros o _ e. apply orb_false_iff, e. }
    apply Rmult_le_reg_l with h; [exact h0|].
    change (h * Ex (fresh_law P data (K * b)) (fun J => Ex (fledge_history P p K b data T) (fun past =>
      if (off J || ever (bad J) past)%bool then 1 else 0)) <= h * nu).
    rewrite <- Ex_mul.
    apply Rle_trans with (Ex (fresh_law P data (K * b)) (fun J => h * (if off J then 1 else 0)
      + (tower theta (error P G (start J)) beta0 + INR T * round_cost P p K b theta))).
    - apply Ex_le. intros J PJ. destruct (off J) eqn:e.
      + rewrite (Ex_ext _ _ (fun _ => 1)) by reflexivity. rewrite Ex_const.
        pose proof (tower_nonneg theta (error P G (start J)) beta0).
        assert (0 <= INR T * round_cost P p K b theta); [|lra].
        apply Rmult_le_pos; [apply pos_INR|]. unfold round_cost. apply Rmult_le_pos; [|fold cost; lra].
        assert (0 <= NP * M) by (apply Rmult_le_pos; lra).
        assert (0 <= Np * M) by (apply Rmult_le_pos; lra). lra.
      + rewrite Rmult_0_r, Rplus_0_l.
        apply (fledge_tail P p K b Hp HpP HK Hb data grad L zeta sigma enough_data L0 zeta0 sigma0 lip
          het bounded eta (noise J) (start J) theta l Ht Hl beta0 (Rows J PJ e)
          (proj2 (start_towers theta Ht) J PJ) T).
    - rewrite !Ex_add, Ex_const, Ex_mul.
      pose proof (proj1 (start_towers theta Ht)) as S1. fold cost in S1.
      pose proof (fresh_rare P K b HK Hb data grad sigma enough_data sigma0 bounded theta l Ht x0) as S2.
      fold h in S2. fold cost in S2. unfold probability in S2. fold off in S2.
      assert (RC : round_cost P p K b theta <= 5 * (NP * M) * cost).
      { unfold round_cost. fold cost. apply Rmult_le_compat_r; [lra|].
        assert (a1 : 1 * M <= NP * M) by (apply Rmult_le_compat_r; lra).
        assert (a2 : NP * 1 <= NP * M) by (apply Rmult_le_compat_l; lra).
        assert (a3 : Np * M <= NP * M) by (apply Rmult_le_compat_r; lra). lra. }
      apply Rmult_le_compat_l with (r := INR T) in RC; [|apply pos_INR].
      assert (N5 : INR (5 * (P * (K * b)) * S T) = 5 * (NP * M) * (INR T + 1)).
      { rewrite mult_INR, S_INR, mult_INR, (mult_INR P). replace (INR 5) with 5 by (simpl; ring). ring. }
      rewrite (Rmult_comm h nu), <- E, N5.
      assert (0 <= NP * M * cost) by (apply Rmult_le_pos; [apply Rmult_le_pos; lra|lra]).
      change (h * Ex (fresh_law P data (K * b)) (fun J => if off J then 1 else 0)
        <= NP * (M * cost)) in S2. lra. }
  pose proof (log_factor_pos P p Hp HpP T nu Hnu) as C0.
  set (k := oldest_row P p T nu). assert (Hk : (1 <= k)%nat) by (unfold k, oldest_row; lia).
  assert (Kk : NP / Np * C_1 <= INR k).
  { eapply Rle_trans; [apply ceiling_above|]. apply le_INR. unfold k, oldest_row. lia. }
  pose proof (of_clients P p K b data T _ _ (coverage_sharper P p T k Hp HpP C_1 nu Hk ltac:(lra)
    (Rle_refl _) Kk)) as [A [A1 A2]].
  assert (Cov : with_probability (fledge_history_II P p K b data T) (1 - nu) (fun o =>
    fresh_up_to P T k (map clients (snd o)))).
  { exists (fun o => A (snd o)). split.
    - change (1 - nu <= Ex (fresh_law P data (K * b)) (fun _ => probability (fledge_history P p K b data
        T) A)). rewrite Ex_const. exact A1.
    - intros [J past] [J' [PJ [past' [PP Eq]]]] e. simpl in Eq. injection Eq as E1 E2. subst J' past'.
      apply A2; assumption. }
  assert (Hw : 1 - 2 * nu <= 1 - (nu + nu)) by lra.
  eapply (with_probability_weaken _ _ _ _ _ Hw); [|apply (union_bound _ _ _ _ _ Ev Cov)].
  intros [J past] [J' [PJ [past' [PP Eq]]]] [[_ Good] Fresh]. simpl in Eq. injection Eq as E1 E2.
  subst J' past'. cbn [fst snd] in *. pose proof (history_length _ _ _ PP) as Len.
  assert (Ages : forall t i, (t <= length past)%nat -> (i < P)%nat ->
    (row_age (at_time t past) i < k)%nat).
  { intros t i Ht' Hi. unfold row_age. rewrite map_at_time. apply Fresh; lia. }
  apply (good_where_never_bad eta (noise J) (start J) beta0 k T); assumption.
Qed.

Notation eta := (fledge_high_step_size P p K b T L zeta nu).
Lemma fledge_high_factor_nonneg : 0 <= fledge_high_factor P p K b L zeta l C_1.
Proof.
  pose proof (M_pos K b HK Hb) as M1. pose proof (Nn P p Hp HpP) as P1.
  pose proof (Bb P p Hp HpP) as [p1 pP]. pose proof (lifetime_pos P p Hp HpP) as w0.
  assert (K1 : 1 <= NK) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (b1 : 0 < / INR b) by (apply Rinv_0_lt_compat, lt_0_INR; lia).
  assert (ll : 0 <= l * l) by apply Rle_0_sqr. assert (zz : 0 <= zeta * zeta) by apply Rle_0_sqr.
  assert (LL : 0 <= L * L) by apply Rle_0_sqr.
  unfold fledge_high_factor. apply Rplus_le_le_0_compat.
  - apply Rmult_le_pos; [apply Rmult_le_pos; [|assumption]; apply Rmult_le_pos; [lra|apply Rle_0_sqr]|].
    apply Rmult_le_pos; [lra|]. apply Rplus_le_le_0_compat.
    + apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat; lra].
      apply Rmult_le_pos; [|apply Rle_0_sqr]. apply Rmult_le_pos; [lra|apply Rle_0_sqr].
    + apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat; repeat apply Rmult_lt_0_compat; lra].
      apply Rmult_le_pos; [|assumption]. apply Rmult_le_pos; [lra|apply Rle_0_sqr].
  - apply Rmult_le_pos; [lra|]. apply Rplus_le_le_0_compat.
    + apply Rmult_le_pos; [apply Rmult_le_pos; lra|lra].
    + apply Rmult_le_pos; [|lra]. apply Rmult_le_pos; [apply Rmult_le_pos; lra|assumption].
Qed.
Lemma fledge_high_step_size_facts : 0 < eta /\ 2 * eta * L <= 1 /\
  4 * eta * eta * fledge_high_factor P p K b L zeta l C_1 <= 1.
Proof.
  unfold fledge_high_step_size. set (fa := fledge_high_factor P p K b L zeta l C_1).
  pose proof (Rmax_l L (sqrt fa)) as A. pose proof (Rmax_r L (sqrt fa)) as B.
  set (mx := Rmax _ _) in *. split; [|split].
  - apply Rinv_0_lt_compat. lra.
  - apply Rmult_le_reg_r with mx; [lra|]. replace (2 * / (2 * mx) * L * mx) with L by (field; lra). lra.
  - rewrite <- (sqrt_sqrt fa fledge_high_factor_nonneg). set (q := sqrt fa) in *.
    assert (0 <= q) by apply sqrt_pos.
    apply Rmult_le_reg_r with (mx * mx); [apply Rmult_lt_0_compat; lra|].
    replace (4 * / (2 * mx) * / (2 * mx) * (q * q) * (mx * mx)) with (q * q) by (field; lra).
    rewrite Rmult_1_l. apply Rmult_le_compat; assumption.
Qed.

Variable noise : (nat -> batch) -> list round -> nat -> list batch -> V.
Hypothesis noise_r : forall J past i before, norm (noise J past i before) <= r.
Notation Delta := (F x0 - fstar).
Notation visited := (fun o t k => step_point P p K b data grad eta (noise (fst o)) (start (fst o)) k
  (at_time (S t) (snd o))).

Theorem theorem_6_option_II_high_probability :
  with_probability (fledge_history_II P p K b data T) (1 - 2 * nu) (fun o =>
    sum T (fun t => sum K (fun k => sq (grad_f (visited o t k)))) / (INR T * NK)
    <= 2 * Delta / (eta * (INR T * NK)) + 264 * (l * l * (l * l)) * (sigma * sigma) / (NP * M)
       + 2 * (r * r) / (eta * eta)).
Proof.
  pose proof fledge_high_step_size_facts as [E0 [E1 E2]]. pose proof lambda_1 as l1.
  pose proof (M_pos K b HK Hb) as M1. pose proof (Nn P p Hp HpP) as P1.
  pose proof (Bb P p Hp HpP) as [p1 pP]. pose proof (BN_1 P p Hp HpP) as [q0 q1].
  pose proof (log_factor_pos P p Hp HpP T nu Hnu) as C0.
  assert (K1 : 1 <= NK) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (T1 : 1 <= INR T) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (TK : 0 < INR T * NK) by (apply Rmult_lt_0_compat; lra).
  assert (b0 : 0 <= beta0).
  { apply Rmult_le_pos; [apply Rmult_le_pos; [lra|apply Rle_0_sqr]|].
    left. apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra. }
  eapply with_probability_weaken; [apply Rle_refl| |apply (fledge_good_event eta noise)].
  intros [J past] [J' [PJ [past' [PP Eq]]]] Gd. simpl in Eq. injection Eq as Eq1 Eq2.
  subst J' past'. cbn [fst snd] in *. pose proof (history_length _ _ _ PP) as Len.
  pose proof (fledge_path_gradients P p K b Hp HpP HK Hb data f grad L zeta sigma fstar enough_data HL
    zeta0 sigma0 smoothness infimum het eta (fun _ => r) l C_1 (noise J) (start J) E0 (noise_r J)
    l1 beta0 (oldest_row P p T nu - 1) b0 (oldest_row_bound P p Hp HpP T nu Hnu)
    E1 E2 past Gd) as H.
  rewrite discounted_one, sum_const, Len in H. change (fst (start J)) with x0 in H.
  set (Gs := sum T _). set (Gt := totals _ past) in H.
  assert (GE : Gt = Gs).
  { unfold Gt, Gs. rewrite totals_is, Len. apply sum_ext. intros t Ht.
    destruct (at_time_step t past ltac:(lia)) as [c Ec]. rewrite Ec.
    assert (Pc : possible (fledge_history P p K b data (S t)) (c :: at_time t past)).
    { rewrite <- Ec. apply (possible_at_time (fun _ => round_law P p K b data) (S t) T past PP). lia. }
    apply history_possible in Pc. destruct Pc as [_ Pc].
    destruct (round_possible P p K b Hp HpP HK Hb data c Pc) as [_ [Hh _]].
    cbn [in_round step_point]. rewrite discounted_one, (history_length _ _ _ Hh). reflexivity. }
  rewrite GE in H. clear GE Gt.
  set (g := sigma * sigma / (NP * M)).
  assert (g0 : 0 <= g) by (apply Rmult_le_pos; [apply Rle_0_sqr|left; apply Rinv_0_lt_compat,
    Rmult_lt_0_compat; lra]).
  assert (l2 : 1 * 1 <= l * l) by (apply Rmult_le_compat; lra).
  assert (Fl : beta0 + lifetime P p * round_noise P p K b sigma l <= (12 + 32 * (l * l)) * g).
  { assert (N : lifetime P p * round_noise P p K b sigma l <= 8 * (1 + 4 * (l * l)) * g).
    { unfold lifetime, round_noise.
      replace (NP / (Np * (2 - Np / NP)) * (8 * Np * (1 + 4 * (l * l)) * (sigma * sigma) / (NP * NP * M)))
        with (8 * (1 + 4 * (l * l)) * g * / (2 - Np / NP)).
      2:{ unfold g. assert (2 * NP - Np <> 0) by lra. field. repeat split; lra. }
      rewrite <- (Rmult_1_r (8 * (1 + 4 * (l * l)) * g)) at 2. apply Rmult_le_compat_l.
      - apply Rmult_le_pos; [lra|assumption].
      - rewrite <- Rinv_1. apply Rinv_le_contravar; lra. }
    replace beta0 with (4 * g) by (unfold g, Rdiv; ring). lra. }
  assert (Fl2 : l * l * (beta0 + lifetime P p * round_noise P p K b sigma l) <= 44 * (l * l * (l * l)) * g).
  { apply Rle_trans with (l * l * ((12 + 32 * (l * l)) * g)); [apply Rmult_le_compat_l; [lra|exact Fl]|].
    assert (0 <= l * l * g * (l * l - 1)) by (apply Rmult_le_pos; [apply Rmult_le_pos; lra|lra]). lra. }
  apply Rmult_le_reg_l with (eta / 2 * (INR T * NK)); [apply Rmult_lt_0_compat; lra|].
  replace (eta / 2 * (INR T * NK) * (Gs / (INR T * NK))) with (eta / 2 * Gs) by (field; lra).
  eapply Rle_trans; [exact H|].
  replace (264 * (l * l * (l * l)) * (sigma * sigma) / (NP * M)) with (6 * (44 * (l * l * (l * l)) * g))
    by (unfold g; field; lra).
  set (fl := beta0 + lifetime P p * round_noise P p K b sigma l) in *.
  replace (eta / 2 * (INR T * NK) * (2 * Delta / (eta * (INR T * NK)) + 6 * (44 * (l * l * (l * l)) * g)
    + 2 * (r * r) / (eta * eta)))
    with (Delta + 3 * (eta * (INR T * NK)) * (44 * (l * l * (l * l)) * g) + INR T * (NK * (r * r / eta)))
    by (field; lra).
  assert (X : 0 <= 3 * (eta * (INR T * NK))) by (apply Rmult_le_pos; [lra|apply Rmult_le_pos; lra]).
  apply Rmult_le_compat_l with (r := 3 * (eta * (INR T * NK))) in Fl2; [|exact X]. lra.
Qed.
(* Some x^{t,k}, t < T, k < K, is epsilon-stationary. *)
Theorem theorem_6_option_II_met eps : 0 < eps -> 0 <= r -> r <= eta * eps / (2 * sqrt 2) ->
  1056 * (l * l * (l * l)) * (sigma * sigma) / (eps * eps) <= NP * M ->
  4 * Delta / (eta * NK * (eps * eps)) <= INR T ->
  with_probability (fledge_history_II P p K b data T) (1 - 2 * nu) (fun o =>
    exists t k, (t < T)%nat /\ (k < K)%nat /\ norm (grad_f (visited o t k)) <= eps).
Proof.
  intros Heps R0 Hr Hdata HTe. pose proof fledge_high_step_size_facts as [E0 _].
  pose proof (M_pos K b HK Hb) as M1. pose proof (Nn P p Hp HpP) as P1.
  assert (K1 : 1 <= NK) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (T1 : 1 <= INR T) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (TK : 0 < INR T * NK) by (apply Rmult_lt_0_compat; lra).
  assert (ee : 0 < eps * eps) by (apply Rmult_lt_0_compat; assumption).
  eapply with_probability_weaken; [apply Rle_refl| |apply theorem_6_option_II_high_probability].
  intros o _ H. cbv beta in H. set (q := fun t k => sq (grad_f (visited o t k))) in *.
  assert (A1 : 2 * Delta / (eta * (INR T * NK)) <= eps * eps / 2).
  { apply Rmult_le_reg_r with (INR T); [lra|].
    replace (2 * Delta / (eta * (INR T * NK)) * INR T)
      with (4 * Delta / (eta * NK * (eps * eps)) * (eps * eps / 2)) by (field; lra).
    rewrite (Rmult_comm (eps * eps / 2)). apply Rmult_le_compat_r; lra. }
  assert (A2 : 264 * (l * l * (l * l)) * (sigma * sigma) / (NP * M) <= eps * eps / 4).
  { apply Rmult_le_reg_r with (NP * M * 4 / (eps * eps)).
    - apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; lra|lra]|].
      apply Rinv_0_lt_compat; assumption.
    - replace (264 * (l * l * (l * l)) * (sigma * sigma) / (NP * M) * (NP * M * 4 / (eps * eps)))
        with (1056 * (l * l * (l * l)) * (sigma * sigma) / (eps * eps)) by (field; lra).
      replace (eps * eps / 4 * (NP * M * 4 / (eps * eps))) with (NP * M) by (field; lra). assumption. }
  assert (A3 : 2 * (r * r) / (eta * eta) <= eps * eps / 4).
  { apply Rmult_le_reg_r with (eta * eta); [apply Rmult_lt_0_compat; assumption|].
    replace (2 * (r * r) / (eta * eta) * (eta * eta)) with (2 * (r * r)) by (field; lra).
    assert (s2 : 0 < sqrt 2) by (apply sqrt_lt_R0; lra).
    assert (RR : r * r <= eta * eps / (2 * sqrt 2) * (eta * eps / (2 * sqrt 2)))
      by (apply Rmult_le_compat; lra).
    replace (eta * eps / (2 * sqrt 2) * (eta * eps / (2 * sqrt 2))) with (eta * eps * (eta * eps)
      / (4 * (sqrt 2 * sqrt 2))) in RR by (field; lra).
    rewrite sqrt_sqrt in RR by lra. lra. }
  assert (Sm : sum T (fun t => sum K (q t)) <= INR T * (NK * (eps * eps))).
  { apply Rmult_le_reg_r with (/ (INR T * NK)); [apply Rinv_0_lt_compat; assumption|].
    replace (INR T * (NK * (eps * eps)) * / (INR T * NK)) with (eps * eps) by (field; lra).
    eapply Rle_trans; [exact H|lra]. }
  destruct (some_below T _ _ HT Sm) as [t [Ht S2]]. destruct (some_below K _ _ HK S2) as [k [Hk S3]].
  exists t, k. split; [assumption|]. split; [assumption|]. apply norm_le; [lra|exact S3].
Qed.
End Theorem6.
