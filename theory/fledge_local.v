(* Lemma 28 (lemma:Dist-First-Auxiliary-F, lines 2395-2400): the local steps of FLEDGE.

   Printed: with probability at least 1 - nu, for all t = 1, ..., T-1 and k = 1, ..., K-1,
       |z^{t,k} - (grad f(x^{t,k}) - grad f(x^{t,0}))|^2
           <= (2 zeta^2 K + 2 C_1^2 L^2/b) sum_{l<=k} |x^{t,l} - x^{t,l-1}|^2.
   Proved [lemma_28], with C_1 any multiple c >= 5 of log(1/nu + n + P + d + T + K), n at least the Kb
   data of a client's minibatch, for every space, f_{i,j}, 1 <= p <= P, K, b, T, clients with at
   least Kb data, step size, noise and start, so for both options: the statement, for t = T and k = K
   as well. And without that logarithm [local_tail], for lambda = 1 + sqrt(log(bKT/nu)/2):
       |z^{t,k} - (grad f_{i_t}(x^{t,k}) - grad f_{i_t}(x^{t,0}))|
           <= lambda (2L/sqrt b) sqrt(sum_{l<=k} |x^{t,l} - x^{t,l-1}|^2),
   and for grad f in the place of grad f_{i_t} at most zeta |x^{t,k} - x^{t,0}| more. And the two steps
   of its proof (lines 2421-2431), for centred sums and with nu in the probabilities: for one (t, l)
   [one_local_step], with probability at least 1 - nu/(2TK^2),
       |(1/b) sum_{J^{t,l}} (grad f_{i_t,j}(x^{t,l}) - grad f_{i_t,j}(x^{t,l-1})
           - grad f_{i_t}(x^{t,l}) + grad f_{i_t}(x^{t,l-1}))|^2 <= (C_1^2 L^2/b) |x^{t,l} - x^{t,l-1}|^2,
   and for the sum over l <= k, for all (t, k) together [local_steps], with probability at least
   1 - nu/(TK), at most (C_1^4 L^2/b) sum_{l<=k} |x^{t,l} - x^{t,l-1}|^2.

   The printed proof drops a mean and applies Bernstein's inequality to sums that are not centred.
   Here z^{t,k} less the change of grad f_{i_t} is a martingale, drawn one datum at a time, whose
   radii are known before each local step (fledge_tails.v); the change of grad f_{i_t} less that of
   grad f is at most zeta |x^{t,k} - x^{t,0}|. *)
From Coq Require Import Reals Lra Lia List PeanoNat Bool.
From Sledge Require Import vectors means minibatches algorithms problems second_moments
  sledge_errors fledge_sampling fledge_errors.
From Sledge Require Import probability hoeffding azuma minibatch_tails bernstein coverage lemma_1.
From Sledge Require Import theorem_2_probability theorem_6_probability fledge_tails
  theorem_6_high_probability auxiliary.
Import ListNotations.
Open Scope R_scope.

Lemma at_time_none {O} (past : list O) : at_time 0 past = [].
Proof. unfold at_time. rewrite Nat.sub_0_r. apply skipn_all. Qed.
Lemma at_time_twice {O} t k (past : list O) : (t <= k)%nat -> (k <= length past)%nat ->
  at_time t (at_time k past) = at_time t past.
Proof.
  intros H Hk. induction past as [|o past IH]; [reflexivity|]. cbn [length] in Hk.
  destruct (Nat.eq_dec k (length (o :: past))) as [e|e]; [rewrite e, at_time_all; reflexivity|].
  cbn [length] in e. rewrite !at_time_before by lia. apply IH. lia.
Qed.

Section Printed.
Context {V : space}.
Variables (b P p T K : nat).
Hypothesis Hp : (1 <= p)%nat.
Hypothesis HpP : (p <= P)%nat.
Hypothesis HK : (1 <= K)%nat.
Hypothesis Hb : (1 <= b)%nat.
Hypothesis HT : (1 <= T)%nat.
Variables (data : nat -> nat) (grad : nat -> nat -> V -> V) (L zeta : R).
Hypothesis enough_data : forall i, (i < P)%nat -> (K * b <= data i)%nat.
Hypothesis L0 : 0 <= L.
Hypothesis lip : data_lipschitz P data grad L.
Notation G := (client_gradient data grad).
Notation grad_f := (gradient P G).
Hypothesis het : heterogeneous P G zeta.
Variables (eta : R) (noise : list round -> nat -> list batch -> V) (start : V * (nat -> V)).
Notation run := (fledge P p K b eta noise data grad start).

(* z^{t,k} of the last of the rounds *)
Definition step_change (k : nat) (past : list round) : V :=
  match past with
  | [] => zero
  | c :: before => snd (local_state P b data grad eta noise before (run before) (worker c)
      (at_time k (local c)))
  end.
Definition step_worker (past : list round) : nat := match past with [] => 0%nat | c :: _ => worker c end.
Notation x t k := (fun past => step_point P p K b data grad eta noise start k (at_time (S t) past)).
Notation z t k := (fun past => step_change k (at_time (S t) past)).

(* A round in which the martingale leaves its radius at some step. *)
Definition local_bad (l : R) (past : list round) : bool :=
  match past with
  | [] => false
  | c :: before => ever (local_far P b data grad L eta noise l before (run before) (worker c)) (local c)
  end.
Lemma bad_rare theta l : 0 < theta < 2 ->
  exp (theta * (l * l)) * probability (fledge_history P p K b data T) (ever (local_bad l))
  <= INR T * (INR (K * b) * exp (kappa theta)).
Proof.
  intro Ht. set (h := exp (theta * (l * l))). assert (h0 : 0 < h) by apply exp_pos.
  set (q := fun past => if ever (local_bad l) past then h else 0).
  pose proof (maximal_inequality (fun _ => round_law P p K b data) q (ever (local_bad l))
    (fun _ => INR (K * b) * exp (kappa theta)) h T) as H.
  rewrite sum_const in H. change (q []) with 0 in H. rewrite Rplus_0_l in H.
  eapply Rle_trans; [|apply H].
  - right. f_equal. unfold probability. apply Ex_ext. intros past _.
    replace (ever (ever (local_bad l)) past) with (ever (local_bad l) past); [reflexivity|].
    clear. induction past as [|c before IH]; cbn [ever]; [rewrite ?orb_diag; reflexivity|].
    rewrite <- IH. destruct (local_bad l (c :: before)), (ever (local_bad l) before); reflexivity.
  - intros t past _. unfold q. destruct (ever _ _); lra.
  - intros t past _ e. unfold q. rewrite e. lra.
  - intros t past _ _ e. assert (g : ever (local_bad l) past = false).
    { destruct past; cbn [ever] in *; [rewrite ?orb_false_iff in *; tauto|].
      rewrite !orb_false_iff in *. tauto. }
    unfold q at 2. rewrite g, Rplus_0_l.
    apply Rle_trans with (Ex (index P) (fun i => Ex (history (uniform (data i) b) K) (fun Js =>
      h * (if ever (local_far P b data grad L eta noise l past (run past) i) Js then 1 else 0)))).
    + change (Ex (round_law P p K b data) (fun c => q (c :: past))) with
        (Ex (index P) (fun i => Ex (history (uniform (data i) b) K) (fun Js =>
          Ex (uniform P p) (fun I => Ex (fresh_law P data (K * b)) (fun J =>
            q ({| worker := i; local := Js; clients := I; fresh := J |} :: past)))))).
      apply Ex_le. intros i _. apply Ex_le. intros Js _.
      rewrite <- (Ex_const (uniform P p) (h * _)). apply Ex_le. intros I _.
      rewrite <- (Ex_const (fresh_law P data (K * b)) (h * _)). apply Ex_le. intros J _.
      unfold q. cbn [ever]. rewrite g, orb_false_r. cbn [local_bad worker local].
      destruct (ever _ Js); lra.
    + apply Ex_at_most. intros i Qi. apply index_possible in Qi; [|lia]. rewrite Ex_mul.
      apply (local_rare P p K b Hp HpP HK Hb data grad L enough_data L0 lip eta noise theta l Ht past
        (run past) i Qi).
  - intros. apply Rmult_le_pos; [apply pos_INR|left; apply exp_pos].
Qed.

(* Where no round is bad: the martingale part of z, and the length of the path. *)
Notation moved t k := (fun past => sum k (fun l => sq (sub (x t (S l) past) (x t l past)))).
Notation client t := (fun past => step_worker (at_time (S t) past)).
Definition step_noise t k past : V := sub (step_change k (at_time (S t) past))
  (sub (G (client t past) (x t k past)) (G (client t past) (x t 0%nat past))).
Lemma good_steps l past t k : possible (fledge_history P p K b data T) past -> ever (local_bad l) past = false ->
  (t < T)%nat -> (k <= K)%nat -> (client t past < P)%nat /\ 0 <= moved t k past /\
  sq (step_noise t k past) <= 2 * l * (2 * l) * (L * L / INR b * moved t k past) /\
  sq (sub (x t k past) (x t 0%nat past)) <= INR k * moved t k past.
Proof.
  intros Pp Good Ht' Hk. pose proof (history_length _ _ _ Pp) as Len.
  pose proof (never_at_time (local_bad l) past (S t) Good ltac:(lia)) as B.
  destruct (at_time_step t past ltac:(lia)) as [r Er].
  assert (Pr : possible (fledge_history P p K b data (S t)) (r :: at_time t past)).
  { rewrite <- Er. apply (possible_at_time (fun _ => round_law P p K b data) (S t) T past Pp). lia. }
  unfold step_noise. rewrite Er in *. set (before := at_time t past) in *. apply history_possible in Pr.
  destruct Pr as [_ Pc].
  destruct (round_possible P p K b Hp HpP HK Hb data r Pc) as [Wk [Hh _]].
  pose proof (history_length _ _ _ Hh) as Lh. cbn [local_bad] in B.
  cbn [step_change step_point step_worker]. set (s := run before) in *. set (i := worker r) in *.
  set (Js := at_time k (local r)).
  pose proof (never_at_time _ (local r) k B ltac:(lia)) as F. fold Js in F.
  apply exceeds_false in F. rewrite local_beta_is in F.
  set (S := discounted 1 (local_moved P b data grad eta noise before s i) Js) in *.
  assert (LJ : length Js = k) by (apply at_time_length; lia).
  assert (Sum : sum k (fun l => sq (sub (local_x P b data grad eta noise before s i
      (at_time (Datatypes.S l) (local r))) (local_x P b data grad eta noise before s i
      (at_time l (local r))))) = S).
  { unfold S. rewrite discounted_one, LJ. apply sum_ext. intros m Hm.
    unfold Js. rewrite at_time_twice by lia.
    destruct (at_time_step m (local r) ltac:(lia)) as [J Ej]. rewrite Ej. reflexivity. }
  rewrite Sum. rewrite (at_time_none (local r)).
  change (local_x P b data grad eta noise before s i []) with (fst s).
  pose proof (local_path P b data grad eta noise before s i Js) as Pa. fold S in Pa. rewrite LJ in Pa.
  assert (S0 : 0 <= S) by (apply discounted_nonneg; [lra|intro; apply sq_nonneg]).
  assert (b1 : 0 < INR b) by (apply lt_0_INR; lia).
  replace (l * l * (4 * (L * L) / INR b * S)) with (2 * l * (2 * l) * (L * L / INR b * S)) in F
    by (field; lra).
  repeat split; try assumption.
Qed.
(* lambda for the TKb data that local steps draw *)
Notation lambda := (radius (INR (T * (K * b)))).
Lemma rarely_bad nu : 0 < nu < 1 -> with_probability (fledge_history P p K b data T) (1 - nu) (fun past =>
  ever (local_bad (lambda nu)) past = false).
Proof.
  intro Hnu. set (l := lambda nu).
  assert (D1 : 1 <= INR (T * (K * b))).
  { change 1 with (INR 1). apply le_INR. pose proof (Kb_1 K b HK Hb). nia. }
  destruct (best_theta _ nu D1 Hnu) as [theta [Ht E]]. fold l in E.
  apply (unless _ (ever (local_bad l))); [|auto].
  pose proof (bad_rare theta l Ht) as H. pose proof (exp_pos (theta * (l * l))) as h0.
  apply Rmult_le_reg_l with (exp (theta * (l * l))); [exact h0|].
  eapply Rle_trans; [exact H|]. rewrite (Rmult_comm _ nu), <- E, (mult_INR T). right. ring.
Qed.
(* What grad f changes less than grad f_i. *)
Lemma step_split t k past : sub (z t k past) (sub (grad_f (x t k past)) (grad_f (x t 0%nat past)))
  = add (step_noise t k past) (drift P data grad (x t 0%nat past, fun _ => zero) (client t past) (x t k past)).
Proof. unfold step_noise, drift. cbn [fst]. vector_eq w. ring. Qed.

Variable nu : R.
Hypothesis Hnu : 0 < nu < 1.
Notation l := (lambda nu).

Theorem local_tail : 0 <= zeta ->
  with_probability (fledge_history P p K b data T) (1 - nu) (fun past => forall t k, (t < T)%nat ->
    (k <= K)%nat -> let i := client t past in
    norm (sub (z t k past) (sub (G i (x t k past)) (G i (x t 0%nat past))))
      <= l * (2 * L / sqrt (INR b)) * sqrt (moved t k past) /\
    norm (sub (z t k past) (sub (grad_f (x t k past)) (grad_f (x t 0%nat past))))
      <= zeta * norm (sub (x t k past) (x t 0%nat past)) + l * (2 * L / sqrt (INR b)) * sqrt (moved t k past)).
Proof.
  intro zeta0. pose proof (radius_above (INR (T * (K * b))) nu) as l1.
  eapply with_probability_weaken; [apply Rle_refl| |exact (rarely_bad nu Hnu)].
  intros past Pp Good t k Ht Hk i. destruct (good_steps l past t k Pp Good Ht Hk) as [Wk [S0 [F _]]].
  assert (b1 : 0 < INR b) by (apply lt_0_INR; lia). pose proof (sqrt_lt_R0 _ b1) as q0.
  pose proof (sqrt_sqrt (INR b) ltac:(lra)) as qq. pose proof (sqrt_sqrt _ S0) as ss. pose proof (sqrt_pos (moved t k past)).
  assert (lL : 0 <= l * (2 * L / sqrt (INR b))).
  { apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; assumption]. }
  assert (N : norm (step_noise t k past) <= l * (2 * L / sqrt (INR b)) * sqrt (moved t k past)).
  { apply norm_le; [apply Rmult_le_pos; assumption|]. eapply Rle_trans; [exact F|]. right.
    set (m := moved t k past) in *. rewrite <- ss at 1. rewrite <- qq at 1. field. lra. }
  split; [exact N|]. rewrite step_split. eapply Rle_trans; [apply norm_add|].
  assert (HP : (1 <= P)%nat) by lia.
  pose proof (drift_bound P HP data grad zeta het (x t 0%nat past, fun _ => zero) (client t past) Wk (x t k past)) as D.
  cbn [fst] in D. pose proof (norm_nonneg (sub (x t k past) (x t 0%nat past))).
  assert (norm (drift P data grad (x t 0%nat past, fun _ => zero) (client t past) (x t k past))
    <= zeta * norm (sub (x t k past) (x t 0%nat past))); [|lra].
  apply norm_le; [apply Rmult_le_pos; assumption|]. eapply Rle_trans; [exact D|]. rewrite <- norm_sq. right. ring.
Qed.

(* As printed *)
Variables (n d : nat) (c : R).
Hypothesis Hd : (1 <= d)%nat.
Hypothesis Hn : (K * b <= n)%nat.
Notation log_1 := (log_all nu n P d T K).
(* C_1 *)
Notation C := (c * log_all nu n P d T K).
Lemma lambda_text : 5 <= c -> 2 * l <= C.
Proof.
  intro Hc. assert (K1 : (1 <= K * b)%nat) by exact (Kb_1 K b HK Hb).
  assert (HP : (1 <= P)%nat) by lia. assert (N1 : (1 <= n)%nat) by lia.
  pose proof (log_all_above nu n P d T K) as A.
  pose proof (total_parts nu n P d T K ltac:(lra) N1 HP Hd HT HK) as Q.
  assert (L1 : 1 <= log_1) by (apply A; try assumption; lra).
  assert (kn : 1 <= INR (K * b) <= INR n).
  { split; [change 1 with (INR 1); apply le_INR; assumption|apply le_INR; assumption]. }
  assert (t1 : 1 <= INR T) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (i1 : 1 <= / nu) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra).
  assert (Ln : forall y, 1 <= y -> y <= / nu + INR n + INR P + INR d + INR T + INR K -> ln y <= log_1) by (intros; apply ln_grows; lra).
  assert (E : ln (INR (T * (K * b)) / nu) <= 3 * log_1).
  { rewrite mult_INR. unfold Rdiv. rewrite !ln_mult by (try apply Rmult_lt_0_compat; lra).
    pose proof (Ln (INR T) t1 ltac:(lra)). pose proof (Ln (INR (K * b)) ltac:(lra) ltac:(lra)).
    pose proof (Ln (/ nu) i1 ltac:(lra)). lra. }
  apply Rle_trans with (5 * log_1); [|apply Rmult_le_compat_r; lra].
  cut (sqrt (ln (INR (T * (K * b)) / nu) / 2) <= 3 / 2 * log_1); [unfold radius; lra|].
  destruct (Rle_dec 0 (ln (INR (T * (K * b)) / nu) / 2)) as [g|g]; [|rewrite sqrt_neg_0 by lra; lra].
  apply Rsqr_incr_0_var; [|lra]. unfold Rsqr. rewrite sqrt_sqrt by assumption.
  assert (1 * log_1 <= log_1 * log_1) by (apply Rmult_le_compat_r; lra). lra.
Qed.

Theorem lemma_28 : 5 <= c ->
  with_probability (fledge_history P p K b data T) (1 - nu) (fun past => forall t k, (t < T)%nat ->
    (k <= K)%nat ->
    sq (sub (z t k past) (sub (grad_f (x t k past)) (grad_f (x t 0%nat past))))
    <= (2 * zeta ^ 2 * INR K + 2 * C ^ 2 * L ^ 2 / INR b)
       * sum k (fun l => sq (sub (x t (S l) past) (x t l past)))).
Proof.
  intro Hc. pose proof (lambda_text Hc) as LC. pose proof (radius_above (INR (T * (K * b))) nu) as l1.
  eapply with_probability_weaken; [apply Rle_refl| |exact (rarely_bad nu Hnu)].
  intros past Pp Good t k Ht Hk. destruct (good_steps l past t k Pp Good Ht Hk) as [Wk [S0 [F Pa]]].
  rewrite step_split. set (m := moved t k past) in *.
  assert (HP : (1 <= P)%nat) by lia.
  pose proof (drift_bound P HP data grad zeta het (x t 0%nat past, fun _ => zero) (client t past) Wk (x t k past)) as D.
  cbn [fst] in D. assert (kK : INR k <= INR K) by (apply le_INR; assumption).
  assert (zz : 0 <= zeta * zeta) by apply Rle_0_sqr.
  assert (Dr : sq (drift P data grad (x t 0%nat past, fun _ => zero) (client t past) (x t k past))
    <= zeta * zeta * (INR K * m)).
  { eapply Rle_trans; [exact D|]. apply Rmult_le_compat_l; [assumption|].
    eapply Rle_trans; [exact Pa|]. apply Rmult_le_compat_r; assumption. }
  assert (b1 : 0 < INR b) by (apply lt_0_INR; lia).
  assert (b0 : 0 < / INR b) by (apply Rinv_0_lt_compat; assumption).
  assert (LS : 0 <= L * L / INR b * m).
  { apply Rmult_le_pos; [|assumption]. apply Rmult_le_pos; [apply Rle_0_sqr|lra]. }
  assert (CC : 2 * l * (2 * l) <= C * C) by (apply Rmult_le_compat; lra).
  apply Rmult_le_compat_r with (r := L * L / INR b * m) in CC; [|exact LS].
  eapply Rle_trans; [apply sq_add_le|].
  replace ((2 * zeta ^ 2 * INR K + 2 * C ^ 2 * L ^ 2 / INR b) * m) with
    (2 * (zeta * zeta * (INR K * m)) + 2 * (C * C * (L * L / INR b * m))) by (field; lra).
  lra.
Qed.

(* The two steps of the printed proof, for centred sums: of one local step, and of a local path *)
Lemma steps_text : 5 <= c -> 2 * radius (INR b) (nu / (2 * INR T * INR K ^ 2)) <= C /\
  2 * lambda (nu / (INR T * INR K)) <= C ^ 2.
Proof.
  intro Hc. pose proof (Kb_1 K b HK Hb) as K1.
  assert (HP : (1 <= P)%nat) by lia. assert (N1 : (1 <= n)%nat) by lia.
  pose proof (log_all_above nu n P d T K) as A.
  pose proof (total_parts nu n P d T K ltac:(lra) N1 HP Hd HT HK) as Q.
  assert (L1 : 1 <= log_1) by (apply A; try assumption; lra).
  assert (kn : 1 <= INR (K * b) <= INR n).
  { split; [change 1 with (INR 1); apply le_INR; assumption|apply le_INR; assumption]. }
  assert (b1 : 1 <= INR b) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (Ln : forall y, 1 <= y -> y <= / nu + INR n + INR P + INR d + INR T + INR K -> ln y <= log_1)
    by (intros; apply ln_grows; lra).
  pose proof (Ln (INR T) ltac:(lra) ltac:(lra)). pose proof (Ln (INR K) ltac:(lra) ltac:(lra)).
  pose proof (Ln (INR (K * b)) ltac:(lra) ltac:(lra)). pose proof (Ln (/ nu) ltac:(lra) ltac:(lra)).
  pose proof (Ln (2 * 2) ltac:(lra) ltac:(lra)) as L2. rewrite ln_mult in L2 by lra.
  assert (root : forall y m, y <= m * m * log_1 -> 0 <= m -> sqrt y <= m * log_1).
  { intros y m H' Hm. destruct (Rle_dec 0 y) as [g|g].
    - apply Rsqr_incr_0_var; [|apply Rmult_le_pos; lra]. unfold Rsqr. rewrite sqrt_sqrt by assumption.
      apply Rle_trans with (m * m * (log_1 * 1)); [lra|].
      replace (m * log_1 * (m * log_1)) with (m * m * (log_1 * log_1)) by ring.
      apply Rmult_le_compat_l; [apply Rle_0_sqr|]. apply Rmult_le_compat_l; lra.
    - rewrite sqrt_neg_0 by lra. apply Rmult_le_pos; lra. }
  assert (C5 : 5 * log_1 <= C) by (apply Rmult_le_compat_r; lra).
  unfold radius. split.
  - assert (E : ln (INR b / (nu / (2 * INR T * INR K ^ 2))) / 2 <= 3 / 2 * (3 / 2) * log_1).
    { replace (INR b / (nu / (2 * INR T * INR K ^ 2))) with (2 * (INR T * (INR K * (INR (K * b) * / nu))))
        by (rewrite mult_INR; field; lra).
      rewrite !ln_mult by (repeat apply Rmult_lt_0_compat; try apply Rinv_0_lt_compat; lra). lra. }
    apply root in E; lra.
  - assert (E : ln (INR (T * (K * b)) / (nu / (INR T * INR K))) / 2 <= 2 * 2 * log_1).
    { replace (INR (T * (K * b)) / (nu / (INR T * INR K)))
        with (INR T * (INR T * (INR K * (INR (K * b) * / nu)))) by (rewrite (mult_INR T); field; lra).
      rewrite !ln_mult by (repeat apply Rmult_lt_0_compat; try apply Rinv_0_lt_compat; lra). lra. }
    apply root in E; [|lra]. apply Rle_trans with (C * 5); [lra|].
    simpl. rewrite Rmult_1_r. apply Rmult_le_compat_l; lra.
Qed.

Theorem one_local_step t k : 5 <= c -> (t < T)%nat -> (k < K)%nat ->
  with_probability (fledge_history P p K b data T) (1 - nu / (2 * INR T * INR K ^ 2)) (fun past =>
    let i := client t past in
    sq (sub (sub (z t (S k) past) (z t k past)) (sub (G i (x t (S k) past)) (G i (x t k past))))
    <= C ^ 2 * L ^ 2 / INR b * sq (sub (x t (S k) past) (x t k past))).
Proof.
  intros Hc Ht Hk. set (nu' := nu / (2 * INR T * INR K ^ 2)).
  assert (T1 : 1 <= INR T) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (K1 : 1 <= INR K) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (b1 : 1 <= INR b) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (K2 : 1 <= INR K ^ 2) by (rewrite <- (pow1 2); apply pow_incr; lra).
  assert (q1 : 1 < 2 * INR T * INR K ^ 2).
  { apply Rlt_le_trans with (2 * 1 * 1); [lra|]. repeat apply Rmult_le_compat; lra. }
  assert (Hnu' : 0 < nu' < 1).
  { unfold nu'. split; [apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra]|].
    apply Rmult_lt_reg_r with (2 * INR T * INR K ^ 2); [lra|]. unfold Rdiv.
    rewrite Rmult_assoc, Rinv_l by lra. lra. }
  set (l' := radius (INR b) nu'). pose proof (radius_above (INR b) nu') as l1. fold l' in l1.
  pose proof (proj1 (steps_text Hc)) as lC. fold nu' in lC. fold l' in lC.
  set (off := fun before i Js J => over b (vsum_in (data i) J (centre (data i) (fun j =>
    sub (grad i j (local_next P b data grad eta noise before (run before) i Js))
      (grad i j (local_x P b data grad eta noise before (run before) i Js)))))).
  set (far := fun before i Js => match Js with
    | [] => false
    | J :: Js => exceeds (l' * l' * (4 * (L * L) / INR b
        * local_moved P b data grad eta noise before (run before) i Js)) (sq (off before i Js J))
    end).
  set (bad := fun past => match past with
    | [] => false
    | r :: before => far before (worker r) (at_time (S k) (local r))
    end).
  apply (unless _ (fun past => bad (at_time (S t) past))).
  - unfold probability, fledge_history, history.
    rewrite (Ex_history_at (fun _ => round_law P p K b data) (S t) T (fun q => if bad q then 1 else 0)) by lia.
    rewrite Ex_history_of_S. apply Ex_at_most. intros before _.
    change (Ex (index P) (fun i => Ex (history (uniform (data i) b) K) (fun Js =>
      Ex (uniform P p) (fun I => Ex (fresh_law P data (K * b)) (fun J =>
        if far before i (at_time (S k) Js) then 1 else 0)))) <= nu').
    apply Ex_at_most. intros i Qi. apply index_possible in Qi; [|lia].
    rewrite (Ex_ext _ _ (fun Js => if far before i (at_time (S k) Js) then 1 else 0)).
    2:{ intros Js _. rewrite (Ex_ext (uniform P p) _ (fun _ => if far before i (at_time (S k) Js) then 1 else 0))
          by (intros; apply Ex_const). apply Ex_const. }
    unfold history.
    rewrite (Ex_history_at (fun _ => uniform (data i) b) (S k) K (fun Js => if far before i Js then 1 else 0)) by lia.
    rewrite Ex_history_of_S. apply Ex_at_most. intros Js _. cbn [far].
    destruct (best_theta (INR b) nu' b1 Hnu') as [theta [Th E]].
    destruct (local_pieces P p K b Hp HpP HK Hb data grad L enough_data L0 lip eta noise before (run before) i Qi Js)
      as [d0 [c0 [ap De]]].
    pose proof (sample_far theta Th (data i) b Hb (b_data_i P K b HK Hb data enough_data i Qi) _ _ d0 c0 ap l') as F.
    rewrite De in F. pose proof (exp_pos (theta * (l' * l'))) as h0.
    apply Rmult_le_reg_l with (exp (theta * (l' * l'))); [exact h0|].
    eapply Rle_trans; [exact F|]. rewrite (Rmult_comm _ nu'). unfold l'. rewrite <- E. right. ring.
  - intros past Pp Good i. pose proof (history_length _ _ _ Pp) as Len.
    destruct (at_time_step t past ltac:(lia)) as [r Er].
    assert (Pr : possible (fledge_history P p K b data (S t)) (r :: at_time t past)).
    { rewrite <- Er. apply (possible_at_time (fun _ => round_law P p K b data) (S t) T past Pp). lia. }
    unfold i. rewrite Er in *. set (before := at_time t past) in *. apply history_possible in Pr.
    destruct Pr as [_ Pc].
    destruct (round_possible P p K b Hp HpP HK Hb data r Pc) as [Wk [Hh _]].
    pose proof (history_length _ _ _ Hh) as Lh. cbn [bad step_change step_point step_worker] in *.
    set (w := worker r) in *.
    destruct (at_time_step k (local r) ltac:(lia)) as [J EJ]. rewrite EJ in *. cbn [far] in Good.
    set (Js := at_time k (local r)) in *.
    assert (QJ : possible (history (uniform (data w) b) (S k)) (J :: Js)).
    { rewrite <- EJ. apply (possible_at_time (fun _ => uniform (data w) b) (S k) K (local r) Hh). lia. }
    apply history_possible in QJ. destruct QJ as [_ QJ].
    apply exceeds_false in Good.
    assert (D : local_noise P b data grad eta noise before (run before) w (J :: Js) = add (local_noise P b data grad
      eta noise before (run before) w Js) (off before w Js J)) by
      exact (local_draw P K b HK Hb data grad enough_data eta noise before (run before) w Wk J Js QJ).
    match goal with |- sq ?u <= _ => replace u with (off before w Js J) end.
    2:{ replace (off before w Js J) with (sub (local_noise P b data grad eta noise before (run before) w (J :: Js))
          (local_noise P b data grad eta noise before (run before) w Js)) by (rewrite D; vector_eq u; ring).
        unfold local_noise. change (local_x P b data grad eta noise before (run before) w []) with (fst (run before)).
        vector_eq u. ring. }
    eapply Rle_trans; [exact Good|].
    change (sq (sub (local_next P b data grad eta noise before (run before) w Js)
      (local_x P b data grad eta noise before (run before) w Js))) with
      (local_moved P b data grad eta noise before (run before) w Js).
    set (m := local_moved P b data grad eta noise before (run before) w Js).
    assert (m0 : 0 <= m) by apply sq_nonneg.
    assert (LS : 0 <= L * L / INR b * m).
    { apply Rmult_le_pos; [|assumption]. apply Rmult_le_pos; [apply Rle_0_sqr|left; apply Rinv_0_lt_compat; lra]. }
    assert (CC : 2 * l' * (2 * l') <= C * C) by (apply Rmult_le_compat; lra).
    apply Rmult_le_compat_r with (r := L * L / INR b * m) in CC; [|exact LS].
    match goal with |- _ <= C ^ 2 * L ^ 2 / INR b * ?q => change q with m end.
    replace (C ^ 2 * L ^ 2 / INR b * m) with (C * C * (L * L / INR b * m)) by (field; lra). lra.
Qed.

Theorem local_steps : 5 <= c ->
  with_probability (fledge_history P p K b data T) (1 - nu / (INR T * INR K)) (fun past => forall t k, (t < T)%nat ->
    (k <= K)%nat -> let i := client t past in
    sq (sub (z t k past) (sub (G i (x t k past)) (G i (x t 0%nat past))))
    <= C ^ 4 * L ^ 2 / INR b * moved t k past).
Proof.
  intro Hc. set (nu' := nu / (INR T * INR K)).
  assert (T1 : 1 <= INR T) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (K1 : 1 <= INR K) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (b1 : 1 <= INR b) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (q1 : 1 <= INR T * INR K) by (replace 1 with (1 * 1) by ring; apply Rmult_le_compat; lra).
  assert (Hnu' : 0 < nu' < 1).
  { unfold nu'. split; [apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra]|].
    apply Rmult_lt_reg_r with (INR T * INR K); [lra|]. unfold Rdiv.
    rewrite Rmult_assoc, Rinv_l by lra. lra. }
  pose proof (radius_above (INR (T * (K * b))) nu') as l1.
  pose proof (proj2 (steps_text Hc)) as lC. fold nu' in lC.
  eapply with_probability_weaken; [apply Rle_refl| |exact (rarely_bad nu' Hnu')].
  intros past Pp Good t k Ht Hk i. destruct (good_steps _ past t k Pp Good Ht Hk) as [_ [S0 [F _]]].
  eapply Rle_trans; [exact F|]. set (m := moved t k past) in *. set (l' := lambda nu') in *.
  assert (LS : 0 <= L * L / INR b * m).
  { apply Rmult_le_pos; [|assumption]. apply Rmult_le_pos; [apply Rle_0_sqr|left; apply Rinv_0_lt_compat; lra]. }
  assert (CC : 2 * l' * (2 * l') <= C ^ 2 * C ^ 2) by (apply Rmult_le_compat; lra).
  apply Rmult_le_compat_r with (r := L * L / INR b * m) in CC; [|exact LS].
  replace (C ^ 4 * L ^ 2 / INR b * m) with (C ^ 2 * C ^ 2 * (L * L / INR b * m)) by (field; lra). exact CC.
Qed.
End Printed.
