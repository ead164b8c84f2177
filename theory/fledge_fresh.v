(* Lemma 26 (lemma:Dist-First-Auxiliary-E, lines 2341-2350): the minibatches behind the rows of FLEDGE's table.

   Printed: with probability at least 1 - nu, for all t = 1, ..., T,
       |(1/(PbK)) sum_i 1[T_4(t,i) >= t - T_3] sum_{j in J_i^s} (grad f_{i,j}(x^s) - grad f_i(x^s))|^2
           <= (C_1^2/(PKb)) (sigma^2 + G^2/(PKb)),     s = T_4(t,i),
   T_4(t,i) the last round up to t in which client i refreshed, 0 if there was none.
   Proved [lemma_26, lemma_26_option_I], with C_1 any multiple c >= 4 of log(1/nu + n + P + d + T + K), for every
   space, f_{i,j}, 1 <= p <= P, K, b, T, T_3, step size and noise, clients with at least Kb data whose deviations
   have at each point the mean square sigma^2 and the length G at most: the statement for Option II, and for Option I
   the statement with T_4(t,i) >= 1, since for T_4(t,i) = 0 it asks for minibatches that were not drawn.

   Printed proof: given all T_4, Bernstein's inequality for independent vectors. They are not independent: x^s
   depends on the minibatches before round s. Here the clients of the last rounds are drawn first, which does not
   change the law of the minibatches; given them, the sum is a martingale, drawn one datum at a time, each client's
   minibatch at most once [gathered_lift]. Whatever x^s is, the mean square of a step is bounded, and the steps of
   bernstein.v apply.

   Besides, what lines 2381-2391 need of Lemma 27 for Option II [lemma_27_option_II], in the same way: U_1^t being the
   clients that none of I^1, ..., I^t has, with probability at least 1 - nu for all t = 1, ..., T,
       |(1/P) sum_{i in U_1^t} (y_i^0 - grad f_i(x^0))|^2 <= (C_1^2/(PKb)) ((|U_1^t|/P) sigma^2 + G^2/(PKb)). *)
From Coq Require Import Reals Lra Lia List PeanoNat Bool.
From Sledge Require Import vectors means minibatches algorithms problems second_moments
  sledge_errors fledge_sampling fledge_errors.
From Sledge Require Import probability hoeffding azuma minibatch_tails bernstein coverage lemma_1 identities undrawn.
From Sledge Require Import theorem_6_probability fledge_tails auxiliary fledge_local fledge_start.
Import ListNotations.
Open Scope R_scope.

(* A mean and a minibatch may be drawn in either order. *)
Lemma Ex_uniform_swap {O} (m : mean O) n b (f : O -> batch -> R) : (b <= n)%nat ->
  Ex m (fun o => Ex (uniform n b) (f o)) = Ex (uniform n b) (fun I => Ex m (fun o => f o I)).
Proof.
  intro H. rewrite (Ex_ext m _ (fun o => / INR (length (subsets n b)) * list_sum (subsets n b) (f o)))
    by (intros; apply Ex_uniform, H).
  rewrite Ex_uniform, Ex_mul by exact H. f_equal. generalize (subsets n b).
  induction l as [|I l IH]; cbn [list_sum]; [apply Ex_const|]. rewrite Ex_add, IH. reflexivity.
Qed.
Lemma Ex_history_swap {O} (m : mean O) n b T (f : O -> list batch -> R) : (b <= n)%nat ->
  Ex m (fun o => Ex (sledge_history n b T) (f o)) = Ex (sledge_history n b T) (fun sets => Ex m (fun o => f o sets)).
Proof.
  intro H. revert f. induction T as [|T IH]; intro f; [reflexivity|]. unfold sledge_history in *.
  rewrite Ex_history_S. etransitivity; [apply (IH (fun o past => Ex (uniform n b) (fun B => f o (B :: past))))|].
  apply Ex_ext. intros past _. apply (Ex_uniform_swap m n b (fun o B => f o (B :: past)) H).
Qed.

Definition both (I W : batch) : batch := fun i => I i && W i.
Definition without (I W : batch) : batch := fun i => negb (I i) && W i.
Lemma split_size P (I W : batch) : sum P (ind W) = sum P (ind (without I W)) + sum P (ind (both I W)).
Proof.
  rewrite <- sum_add. apply sum_ext. intros i _. unfold ind, without, both. destruct (I i), (W i); simpl; lra.
Qed.

(* T_4(t,i) after the t rounds [past] *)
Fixpoint last_refresh (past : list round) (i : nat) : nat :=
  match past with [] => 0%nat | c :: before => if clients c i then length past else last_refresh before i end.
Lemma last_refresh_length past i : (last_refresh past i <= length past)%nat.
Proof. induction past as [|c before IH]; cbn [last_refresh length]; [lia|]. destruct (clients c i); lia. Qed.
(* J^s after s rounds, J^0 being that of the start *)
Definition drawn_at (J0 : nat -> batch) (past : list round) : nat -> batch :=
  match past with [] => J0 | c :: _ => fresh c end.

Section Gathered.
Context {V : space}.
Variables (P p K b : nat).
Hypothesis Hp : (1 <= p)%nat.
Hypothesis HpP : (p <= P)%nat.
Hypothesis HK : (1 <= K)%nat.
Hypothesis Hb : (1 <= b)%nat.
Variables (data : nat -> nat) (grad : nat -> nat -> V -> V) (sigma G_ : R).
Hypothesis enough_data : forall i, (i < P)%nat -> (K * b <= data i)%nat.
Notation G := (client_gradient data grad).
Notation dev i j x := (sub (grad i j x) (G i x)).
Hypothesis mean_square : forall i x, (i < P)%nat ->
  sum (data i) (fun j => sq (dev i j x)) <= INR (data i) * (sigma * sigma).
Hypothesis largest : forall i j x, (i < P)%nat -> (j < data i)%nat -> norm (dev i j x) <= G_.
Notation NP := (INR P).
Notation M := (INR (K * b)).
Notation w := ((sigma * sigma + G_ * G_ / (NP * M)) / (NP * M)).

(* The term (c) at t = length past, over the clients with T_4(t,i) >= least. *)
Definition fresh_part (eta : R) (noise : list round -> nat -> list batch -> V) (start : V * (nat -> V))
    (J0 : nat -> batch) (least : nat) (past : list round) : V :=
  over (P * (K * b)) (vsum P (fun i => let s := last_refresh past i in
    let x := fst (fledge P p K b eta noise data grad start (at_time s past)) in
    if (least <=? s)%nat
    then vsum_in (data i) (drawn_at J0 (at_time s past) i) (fun j => dev i j x) else zero)).

Lemma sizes : 1 <= NP /\ 1 <= M /\ 0 <= G_ /\ 0 <= w /\ 0 <= sigma * sigma.
Proof.
  assert (p1 : 1 <= NP) by (change 1 with (INR 1); apply le_INR; lia).
  assert (M1 : 1 <= M) by (change 1 with (INR 1); apply le_INR, Kb_1; assumption).
  assert (g0 : 0 <= G_).
  { eapply Rle_trans; [apply (norm_nonneg (dev 0 0 zero))|apply (largest 0 0); [lia|]].
    pose proof (enough_data 0 ltac:(lia)). pose proof (Kb_1 K b HK Hb). lia. }
  assert (s0 : 0 <= sigma * sigma) by apply Rle_0_sqr. assert (gg : 0 <= G_ * G_) by apply Rle_0_sqr.
  assert (i0 : 0 < / (NP * M)) by (apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra).
  repeat split; try assumption. apply Rmult_le_pos; [|lra].
  assert (0 <= G_ * G_ / (NP * M)) by (apply Rmult_le_pos; lra). lra.
Qed.

(* What the minibatch of client i adds at x *)
Definition share_of (x : V) (J : nat -> batch) (i : nat) : V :=
  over (K * b) (vsum_in (data i) (J i) (fun j => scale (/ NP) (dev i j x))).
(* Minibatches of the clients in W at one point *)
Lemma shares_lift lambda x (W : batch) (s : V) : 0 <= lambda -> lambda * (2 * (/ NP * G_)) <= M ->
  Ex (fresh_law P data (K * b)) (fun J => lift lambda (add s (vsum_in P W (share_of x J))))
  <= lift lambda s * exp (3 / 2 * (lambda * lambda * (sum P (ind W) * (/ NP * / NP * (sigma * sigma) / M)))).
Proof.
  intros l0 LR. pose proof sizes as [p1 [M1 [g0 [w0 s0]]]].
  assert (ip0 : 0 < / NP) by (apply Rinv_0_lt_compat; lra).
  apply (samples_lift data (K * b) (fun i j => scale (/ NP) (dev i j x)) (/ NP * G_) (/ NP * / NP * (sigma * sigma))
    lambda W s (Kb_1 K b HK Hb) l0 LR ltac:(apply Rmult_le_pos; [apply Rmult_le_pos; lra|assumption]) P enough_data).
  - intros i Hi. pose proof (centre_zero (data i) (K * b) (Kb_1 K b HK Hb) (enough_data i Hi)
      (fun j => grad i j x)) as Cz.
    replace (vsum (data i) (fun j => scale (/ NP) (dev i j x))) with
      (scale (/ NP) (vsum (data i) (centre (data i) (fun j => grad i j x)))).
    + rewrite Cz. vector_eq u. ring.
    + vector_eq u. rewrite !ip_vsum, <- sum_mul. apply sum_ext. intros j _. unfold centre. products. reflexivity.
  - intros i j Hi Hj. rewrite norm_scale, Rabs_right by lra.
    apply Rmult_le_compat_l; [lra|apply largest; assumption].
  - intros i Hi. rewrite (sum_ext (data i) _ (fun j => / NP * / NP * sq (dev i j x)))
      by (intros; rewrite sq_scale; ring).
    rewrite sum_mul. pose proof (mean_square i x Hi) as Ms.
    replace (INR (data i) * (/ NP * / NP * (sigma * sigma)))
      with (/ NP * / NP * (INR (data i) * (sigma * sigma))) by ring.
    apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|exact Ms].
Qed.

(* A start that is drawn, with its minibatches, and noise that may depend on it. *)
Context {O : Type}.
Variables (m : mean O) (eta : R) (noise : O -> list round -> nat -> list batch -> V).
Variables (start : O -> V * (nat -> V)) (J0 : O -> nat -> batch).
Notation run o := (fledge P p K b eta (noise o) data grad (start o)).

(* What client i adds to (c) *)
Definition held (o : O) (least : nat) (past : list round) (i : nat) : V :=
  let s := last_refresh past i in
  if (least <=? s)%nat then share_of (fst (run o (at_time s past))) (drawn_at (J0 o) (at_time s past)) i else zero.
Lemma fresh_part_held o least past :
  fresh_part eta (noise o) (start o) (J0 o) least past = vsum_in P full (held o least past).
Proof.
  pose proof sizes as [p1 [M1 _]].
  unfold fresh_part. vector_eq u. rewrite ip_vsum, ip_vsum_in, <- sum_mul. apply sum_ext. intros i _.
  unfold held, share_of, full, ind. destruct (Nat.leb _ _); products; [|ring].
  rewrite !ip_vsum_in, <- !sum_mul. apply sum_ext. intros j _. products. rewrite mult_INR. field. lra.
Qed.
Lemma held_step o least c before (W : batch) : vsum_in P W (held o least (c :: before))
  = add (vsum_in P (without (clients c) W) (held o least before))
    (vsum_in P (if (least <=? S (length before))%nat then both (clients c) W else none)
      (share_of (fst (run o (c :: before))) (fresh c))).
Proof.
  vector_eq u. rewrite !ip_vsum_in, <- sum_add. apply sum_ext. intros i _.
  unfold held at 1. cbn [last_refresh]. destruct (clients c i) eqn:e.
  - rewrite at_time_all. cbn [length drawn_at]. unfold ind, without, both, none. rewrite e. cbn [negb andb].
    destruct (Nat.leb _ _), (W i); products; rewrite ?e; cbn [andb]; ring.
  - rewrite at_time_before by apply last_refresh_length.
    unfold ind, without, both, none. rewrite e. cbn [negb andb].
    fold (held o least before i). destruct (Nat.leb least (S (length before))), (W i); rewrite ?e; cbn [andb]; ring.
Qed.

Variables (lambda : R) (least : nat).
Hypothesis l0 : 0 <= lambda.
Hypothesis LR : lambda * (2 * (/ NP * G_)) <= M.
Notation growth W := (exp (3 / 2 * (lambda * lambda * (sum P (ind W) * (/ NP * / NP * (sigma * sigma) / M))))).
Hypothesis at_start : forall W, Ex m (fun o => lift lambda (vsum_in P W (held o least []))) <= growth W.
Lemma size_nonneg (W : batch) : 0 <= sum P (ind W).
Proof. apply sum_nonneg. intros. apply ind_bounds. Qed.
Lemma growth_le W W' : sum P (ind W) <= sum P (ind W') -> growth W <= growth W'.
Proof.
  intro H. pose proof sizes as [p1 [M1 [g0 [w0 s0]]]].
  assert (ip0 : 0 < / NP) by (apply Rinv_0_lt_compat; lra). assert (iM : 0 < / M) by (apply Rinv_0_lt_compat; lra).
  assert (c0 : 0 <= / NP * / NP * (sigma * sigma) / M)
    by (apply Rmult_le_pos; [apply Rmult_le_pos; [apply Rmult_le_pos|]|]; lra).
  assert (ll : 0 <= lambda * lambda) by apply Rle_0_sqr.
  apply exp_le. apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; [assumption|].
  apply Rmult_le_compat_r; assumption.
Qed.

(* The clients of the last round are drawn before the rounds. *)
Theorem gathered_lift T : forall W, Ex m (fun o => Ex (fledge_history P p K b data T) (fun past =>
  lift lambda (vsum_in P W (held o least past)))) <= growth W.
Proof.
  induction T as [|T IH]; intro W; [exact (at_start W)|].
  apply Rle_trans with (Ex m (fun o => Ex (fledge_history P p K b data T) (fun past =>
    Ex (uniform P p) (fun I => growth (both I W) * lift lambda (vsum_in P (without I W) (held o least past)))))).
  - apply Ex_le. intros o _. unfold fledge_history. rewrite Ex_history_S. apply Ex_le. intros past _.
    change (Ex (index P) (fun i => Ex (history (uniform (data i) b) K) (fun Js =>
      Ex (uniform P p) (fun I => Ex (fresh_law P data (K * b)) (fun J => lift lambda (vsum_in P W (held o least
        ({| worker := i; local := Js; clients := I; fresh := J |} :: past)))))))
      <= Ex (uniform P p) (fun I => growth (both I W) * lift lambda (vsum_in P (without I W) (held o least past)))).
    apply Ex_at_most. intros i _. apply Ex_at_most. intros Js _. apply Ex_le. intros I _.
    set (x := fst (run o ({| worker := i; local := Js; clients := I; fresh := fun _ => none |} :: past))).
    set (W' := if (least <=? S (length past))%nat then both I W else none).
    set (s := vsum_in P (without I W) (held o least past)).
    rewrite (Ex_ext _ _ (fun J => lift lambda (add s (vsum_in P W' (share_of x J)))))
      by (intros J _; rewrite held_step; reflexivity).
    eapply Rle_trans; [apply shares_lift; assumption|]. rewrite Rmult_comm.
    apply Rmult_le_compat_r; [left; apply lift_pos|]. apply growth_le. unfold W'.
    destruct (Nat.leb _ _); [lra|]. pose proof (size_nonneg (both I W)).
    rewrite (sum_zero P (ind none)) by reflexivity. assumption.
  - rewrite (Ex_ext m _ (fun o => Ex (uniform P p) (fun I => growth (both I W) *
      Ex (fledge_history P p K b data T) (fun past => lift lambda (vsum_in P (without I W) (held o least past)))))).
    2:{ intros o _. rewrite Ex_uniform_swap by exact HpP. apply Ex_ext. intros I _. apply Ex_mul. }
    rewrite Ex_uniform_swap by exact HpP. apply Ex_at_most. intros I _. rewrite Ex_mul.
    eapply Rle_trans; [apply Rmult_le_compat_l; [left; apply exp_pos|apply IH]|].
    rewrite <- exp_plus. right. f_equal. rewrite (split_size P I W). ring.
Qed.
End Gathered.

Section Printed.
Context {V : space}.
Variables (n b P p d T K T3 : nat).
Hypothesis Hp : (1 <= p)%nat.
Hypothesis HpP : (p <= P)%nat.
Hypothesis HK : (1 <= K)%nat.
Hypothesis Hb : (1 <= b)%nat.
Hypothesis Hn : (1 <= n)%nat.
Hypothesis Hd : (1 <= d)%nat.
Hypothesis HT : (1 <= T)%nat.
Variables (data : nat -> nat) (grad : nat -> nat -> V -> V) (x0 : V) (sigma G_ : R).
Hypothesis enough_data : forall i, (i < P)%nat -> (K * b <= data i)%nat.
Notation G := (client_gradient data grad).
Notation dev i j x := (sub (grad i j x) (G i x)).
Hypothesis mean_square : forall i x, (i < P)%nat ->
  sum (data i) (fun j => sq (dev i j x)) <= INR (data i) * (sigma * sigma).
Hypothesis largest : forall i j x, (i < P)%nat -> (j < data i)%nat -> norm (dev i j x) <= G_.
Variables (eta nu c : R).
Hypothesis Hnu : 0 < nu < 1.
Notation log_1 := (log_all nu n P d T K).
(* C_1 *)
Notation C := (c * log_all nu n P d T K).
Notation NP := (INR P).
Notation M := (INR (K * b)).
Notation w := ((sigma * sigma + G_ * G_ / (NP * M)) / (NP * M)).
Notation part := (fresh_part P p K b data grad eta).
Notation facts := (sizes P p K b Hp HpP HK Hb data grad sigma G_ enough_data largest).

Lemma still : w = 0 -> forall noise start J0 least past, part noise start J0 least past = zero.
Proof.
  intros Z noise start J0 least past. pose proof facts as [p1 [M1 [g0 [w0 s0]]]].
  assert (i0 : 0 < / (NP * M)) by (apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra).
  assert (gg : 0 <= G_ * G_) by apply Rle_0_sqr.
  assert (g : G_ = 0).
  { assert (A : 0 <= G_ * G_ / (NP * M)) by (apply Rmult_le_pos; lra).
    assert (Q : sigma * sigma + G_ * G_ / (NP * M) = 0).
    { apply Rmult_eq_reg_r with (/ (NP * M)); [unfold Rdiv in *; lra|lra]. }
    assert (B : G_ * G_ * / (NP * M) = 0) by (unfold Rdiv in *; lra).
    apply Rmult_integral in B. destruct B as [B|B]; [|lra]. apply Rmult_integral in B. tauto. }
  unfold fresh_part. vector_eq u. rewrite ip_vsum, sum_zero; [ring|]. intros i Hi. cbv zeta.
  destruct (Nat.leb _ _); [|apply ip_zero]. rewrite ip_vsum_in, sum_zero; [reflexivity|]. intros j Hj.
  match goal with |- _ * ip ?v u = 0 => assert (Dz : v = zero) end.
  { apply sq_zero_eq. match goal with |- sq (sub (grad i j ?x) _) = 0 =>
      pose proof (sq_nonneg (dev i j x)); pose proof (largest i j x Hi Hj) as A end.
    rewrite g in A. apply sq_le in A. lra. }
  rewrite Dz, ip_zero. ring.
Qed.
Lemma factor : 4 <= c -> 3 / 4 + 2 * ln (2 / (nu / INR T)) <= C.
Proof.
  intro Hc. assert (HP : (1 <= P)%nat) by lia.
  pose proof (total_parts nu n P d T K ltac:(lra) Hn HP Hd HT HK) as Q.
  pose proof (log_all_above nu n P d T K ltac:(lra) Hn HP Hd HT HK) as L1.
  set (y := / nu + INR T). assert (y0 : 0 < y) by (unfold y; lra).
  assert (Ly : ln y <= log_1) by (apply ln_grows; unfold y; lra).
  assert (E : ln (2 / (nu / INR T)) <= ln (y * y * / 2)).
  { apply ln_grows; [unfold Rdiv; apply Rmult_lt_0_compat; [lra|]; apply Rinv_0_lt_compat, Rmult_lt_0_compat;
      [lra|apply Rinv_0_lt_compat; lra]|].
    replace (2 / (nu / INR T)) with (2 * (/ nu * INR T)) by (field; lra).
    pose proof (Rle_0_sqr (/ nu - INR T)) as S. unfold Rsqr in S. unfold y. lra. }
  rewrite !ln_mult, ln_Rinv in E by (try apply Rmult_lt_0_compat; lra).
  pose proof ln_lt_2. assert (4 * log_1 <= C) by (apply Rmult_le_compat_r; lra). lra.
Qed.

(* For any law of the start. *)
Lemma fresh_likely {O} (m : mean O) (noise : O -> list round -> nat -> list batch -> V)
    (start : O -> V * (nat -> V)) (J0 : O -> nat -> batch) (least : nat -> nat) :
  (forall lambda t (W : batch), 0 <= lambda -> lambda * (2 * (/ NP * G_)) <= M ->
    Ex m (fun o => lift lambda (vsum_in P W (held P p K b data grad eta noise start J0 o (least t) [])))
    <= exp (3 / 2 * (lambda * lambda * (sum P (ind W) * (/ NP * / NP * (sigma * sigma) / M))))) -> 4 <= c ->
  with_probability (fledge_from m P p K b data T) (1 - nu) (fun o => forall t, (1 <= t <= T)%nat ->
    sq (part (noise (fst o)) (start (fst o)) (J0 (fst o)) (least t) (at_time t (snd o)))
    <= C ^ 2 / (NP * M) * (sigma ^ 2 + G_ ^ 2 / (NP * M))).
Proof.
  intros Start Hc. pose proof facts as [p1 [M1 [g0 [w0 s0]]]]. pose proof (factor Hc) as F.
  assert (T1 : 1 <= INR T) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (Hd' : 0 < nu / INR T < 1).
  { split; [apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra]|].
    apply Rmult_lt_reg_r with (INR T); [lra|]. replace (nu / INR T * INR T) with nu by (field; lra). lra. }
  replace (C ^ 2 / (NP * M) * (sigma ^ 2 + G_ ^ 2 / (NP * M))) with (C * C * w) by (field; lra).
  assert (Cw : 0 <= C * C * w) by (apply Rmult_le_pos; [apply Rle_0_sqr|assumption]).
  destruct (Req_dec w 0) as [Z|Z].
  { apply (with_probability_weaken _ 1 _ (fun _ => True)); [lra| |apply surely; auto]. intros o _ _ t _.
    rewrite (still Z), sq_zero. assumption. }
  assert (wp : 0 < w) by lra. pose proof (sqrt_lt_R0 w wp) as q0. pose proof (sqrt_sqrt w w0) as qq.
  set (lambda := / 2 / sqrt w).
  assert (l0 : 0 <= lambda) by (unfold lambda; apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; assumption]).
  assert (near : G_ * / (NP * M) <= sqrt w).
  { apply Rsqr_incr_0_var; [|lra]. unfold Rsqr. rewrite qq.
    assert (i0 : 0 < / (NP * M)) by (apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra).
    assert (0 <= sigma * sigma * / (NP * M)) by (apply Rmult_le_pos; lra).
    replace w with (sigma * sigma * / (NP * M) + G_ * / (NP * M) * (G_ * / (NP * M))) by (field; lra). lra. }
  assert (LR : lambda * (2 * (/ NP * G_)) <= M).
  { unfold lambda. apply Rmult_le_reg_r with (sqrt w * / M);
      [apply Rmult_lt_0_compat; [assumption|apply Rinv_0_lt_compat; lra]|].
    replace (/ 2 / sqrt w * (2 * (/ NP * G_)) * (sqrt w * / M)) with (G_ * / (NP * M)) by (field; lra).
    replace (M * (sqrt w * / M)) with (sqrt w) by (field; lra). exact near. }
  assert (One : forall s, (s < T)%nat -> with_probability (fledge_from m P p K b data T) (1 - nu / INR T) (fun o =>
    sq (part (noise (fst o)) (start (fst o)) (J0 (fst o)) (least (S s)) (at_time (S s) (snd o))) <= C * C * w)).
  { intros s Hs. eapply with_probability_weaken; [apply Rle_refl| |apply (lift_tail (fledge_from m P p K b data T)
      (fun o => part (noise (fst o)) (start (fst o)) (J0 (fst o)) (least (S s)) (at_time (S s) (snd o)))
      (/ 2) w (/ 4 * (sigma * sigma * / (NP * M))) (nu / INR T) ltac:(lra) wp Hd')].
    - intros o _ Q. rewrite Rinv_inv in Q by lra. apply sq_le in Q. eapply Rle_trans; [exact Q|].
      assert (D2 : 0 < ln (2 / (nu / INR T))).
      { rewrite <- ln_1. apply ln_increasing; [lra|]. apply Rmult_lt_reg_r with (nu / INR T); [lra|].
        replace (2 / (nu / INR T) * (nu / INR T)) with 2 by (field; lra). lra. }
      set (a := 3 / 2 * / 2 + 2 * ln (2 / (nu / INR T))).
      assert (A : 0 <= a <= C) by (unfold a; lra).
      replace (a * sqrt w * (a * sqrt w)) with (a * a * (sqrt w * sqrt w)) by ring. rewrite qq.
      apply Rmult_le_compat_r; [assumption|]. apply Rmult_le_compat; lra.
    - assert (0 <= G_ * / (NP * M) * (G_ * / (NP * M))) by apply Rle_0_sqr.
      replace w with (sigma * sigma * / (NP * M) + G_ * / (NP * M) * (G_ * / (NP * M))) by (field; lra). lra.
    - fold lambda. unfold fledge_from. rewrite Ex_bind.
      eapply Rle_trans; [|eapply Rle_trans; [apply (gathered_lift P p K b Hp HpP HK Hb data grad sigma G_ enough_data
        mean_square largest m eta noise start J0 lambda (least (S s)) l0 LR
        (fun W => Start lambda (S s) W l0 LR) (S s) full)|]].
      + right. apply Ex_ext. intros o _. rewrite Ex_bind.
        etransitivity; [|apply (Ex_history_at (fun _ => round_law P p K b data) (S s) T (fun past =>
          lift lambda (vsum_in P full (held P p K b data grad eta noise start J0 o (least (S s)) past))) Hs)].
        apply Ex_ext. intros past _. cbn [Ex sure fst snd]. f_equal.
        apply (fresh_part_held P p K b Hp HpP HK Hb data grad sigma G_ enough_data largest).
      + right. f_equal. f_equal. rewrite (sum_ext P (ind full) (fun _ => 1)) by reflexivity.
        rewrite sum_const. unfold lambda. rewrite <- qq at 3. field. lra. }
  eapply with_probability_weaken; [| |apply (union_bound_many _ T (nu / INR T) _ One)].
  - right. field. lra.
  - intros o _ H t [t1 Ht]. destruct t as [|s]; [lia|]. apply H. lia.
Qed.

(* The x^s and J^s of the run do not change after round s. *)
Lemma fresh_part_at noise start J0 least t past : (t <= length past)%nat ->
  part noise start J0 least (at_time t past) = over (P * (K * b)) (vsum P (fun i =>
    let s := last_refresh (at_time t past) i in
    let x := fst (fledge P p K b eta noise data grad start (at_time s past)) in
    if (least <=? s)%nat then vsum_in (data i) (drawn_at J0 (at_time s past) i) (fun j => dev i j x) else zero)).
Proof.
  intro Ht. unfold fresh_part. f_equal. apply vsum_ext. intros i _. cbv zeta.
  pose proof (last_refresh_length (at_time t past) i) as H. rewrite at_time_length in H by assumption.
  rewrite !at_time_twice by lia. reflexivity.
Qed.

(* Where the start does not count, nothing is held at first. *)
Lemma nothing_held {O} (m : mean O) noise start J0 least lambda (W : batch) : least <> 0%nat -> 0 <= lambda ->
  Ex m (fun o => lift lambda (vsum_in P W (held P p K b data grad eta noise start J0 o least [])))
  <= exp (3 / 2 * (lambda * lambda * (sum P (ind W) * (/ NP * / NP * (sigma * sigma) / M)))).
Proof.
  intros L l0. pose proof facts as [p1 [M1 [g0 [w0 s0]]]].
  rewrite (Ex_ext m _ (fun _ => 1)).
  - rewrite Ex_const. assert (ip0 : 0 < / NP) by (apply Rinv_0_lt_compat; lra).
    assert (iM : 0 < / M) by (apply Rinv_0_lt_compat; lra).
    assert (c0 : 0 <= / NP * / NP * (sigma * sigma) / M)
      by (apply Rmult_le_pos; [apply Rmult_le_pos; [apply Rmult_le_pos|]|]; lra).
    assert (q : 0 <= lambda * lambda * (sum P (ind W) * (/ NP * / NP * (sigma * sigma) / M))).
    { apply Rmult_le_pos; [apply Rle_0_sqr|]. apply Rmult_le_pos; [apply size_nonneg|assumption]. }
    pose proof (exp_ineq1_le (3 / 2 * (lambda * lambda * (sum P (ind W) * (/ NP * / NP * (sigma * sigma) / M))))). lra.
  - intros o _. replace (vsum_in P W _) with (zero : V).
    + unfold lift. rewrite norm_zero, Rmult_0_r, cosh_0. reflexivity.
    + vector_eq u. rewrite ip_vsum_in, sum_zero; [reflexivity|]. intros i _. unfold held. cbn [last_refresh].
      destruct least; [contradiction|]. cbn [Nat.leb]. rewrite ip_zero. ring.
Qed.

Theorem lemma_26 (noise : (nat -> batch) -> list round -> nat -> list batch -> V) : 4 <= c ->
  with_probability (fledge_history_II P p K b data T) (1 - nu) (fun o => let J0 := fst o in
    let x s := fst (fledge P p K b eta (noise J0) data grad (fledge_start_II K b data grad x0 J0)
      (at_time s (snd o))) in
    let J s := drawn_at J0 (at_time s (snd o)) in
    forall t, (1 <= t <= T)%nat -> let T4 := last_refresh (at_time t (snd o)) in
    sq (over (P * (K * b)) (vsum P (fun i => if (t - T3 <=? T4 i)%nat
      then vsum_in (data i) (J (T4 i) i) (fun j => sub (grad i j (x (T4 i))) (G i (x (T4 i)))) else zero)))
    <= C ^ 2 / (NP * M) * (sigma ^ 2 + G_ ^ 2 / (NP * M))).
Proof.
  intro Hc. eapply with_probability_weaken; [apply Rle_refl| |apply (fresh_likely (fresh_law P data (K * b)) noise
    (fledge_start_II K b data grad x0) (fun J0 => J0) (fun t => t - T3)%nat)]; [| |exact Hc].
  - intros o [J0 [_ [past [Pp e]]]] H. simpl in e. subst o. cbv zeta. cbn [fst snd] in *. intros t Ht.
    apply history_length in Pp. specialize (H t Ht). rewrite fresh_part_at in H by lia. exact H.
  - intros lambda t W l0 LR. destruct (t - T3)%nat as [|k] eqn:e.
    + eapply Rle_trans; [|eapply Rle_trans; [apply (shares_lift P p K b Hp HpP HK Hb data grad sigma G_ enough_data
        mean_square largest lambda x0 W zero l0 LR)|]].
      * right. apply Ex_ext. intros J0 _. symmetry. etransitivity; [|reflexivity]. f_equal.
        cut (forall v : V, add zero v = v); [intro Z; rewrite Z; reflexivity|intro v; vector_eq u; ring].
      * unfold lift at 1. rewrite norm_zero, Rmult_0_r, cosh_0. lra.
    + apply nothing_held; [discriminate|assumption].
Qed.
Theorem lemma_26_option_I (noise : batch -> (nat -> batch) -> list round -> nat -> list batch -> V) : 4 <= c ->
  with_probability (fledge_history_I P p K b data T) (1 - nu) (fun o => let I0 := fst (fst o) in
    let J0 := snd (fst o) in
    let x s := fst (fledge P p K b eta (noise I0 J0) data grad (fledge_start_I P p K b data grad x0 I0 J0)
      (at_time s (snd o))) in
    let J s := drawn_at J0 (at_time s (snd o)) in
    forall t, (1 <= t <= T)%nat -> let T4 := last_refresh (at_time t (snd o)) in
    sq (over (P * (K * b)) (vsum P (fun i => if (Nat.max 1 (t - T3) <=? T4 i)%nat
      then vsum_in (data i) (J (T4 i) i) (fun j => sub (grad i j (x (T4 i))) (G i (x (T4 i)))) else zero)))
    <= C ^ 2 / (NP * M) * (sigma ^ 2 + G_ ^ 2 / (NP * M))).
Proof.
  intro Hc. eapply with_probability_weaken; [apply Rle_refl| |apply (fresh_likely (fledge_start_law_I P p K b data)
    (fun o => noise (fst o) (snd o)) (fun o => fledge_start_I P p K b data grad x0 (fst o) (snd o)) (fun o => snd o)
    (fun t => Nat.max 1 (t - T3)))]; [| |exact Hc].
  - intros o [[I0 J0] [_ [past [Pp e]]]] H. simpl in e. subst o. cbv zeta. cbn [fst snd] in *. intros t Ht.
    apply history_length in Pp. specialize (H t Ht). rewrite fresh_part_at in H by lia. exact H.
  - intros lambda t W l0 LR. apply nothing_held; [lia|assumption].
Qed.

(* ---- Lemma 27 for Option II ---- *)

(* Minibatches at x^0 of the clients in one set *)
Lemma shares_likely (U : batch) delta : 0 < delta < 1 -> with_probability (fresh_law P data (K * b)) (1 - delta)
  (fun J => sq (vsum_in P U (share_of P K b data grad x0 J))
    <= (3 / 4 + 2 * ln (2 / delta)) ^ 2 * ((size P U / NP * (sigma * sigma) + G_ * G_ / (NP * M)) / (NP * M))).
Proof.
  intro Hdelta. pose proof facts as [p1 [M1 [g0 [_ s0]]]].
  set (u := size P U / NP). set (v := (u * (sigma * sigma) + G_ * G_ / (NP * M)) / (NP * M)).
  assert (i0 : 0 < / (NP * M)) by (apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra).
  assert (gg : 0 <= G_ * G_) by apply Rle_0_sqr.
  assert (u0 : 0 <= u).
  { apply Rmult_le_pos; [apply size_nonneg|left; apply Rinv_0_lt_compat; lra]. }
  assert (us : 0 <= u * (sigma * sigma)) by (apply Rmult_le_pos; assumption).
  assert (G0 : 0 <= G_ * G_ / (NP * M)) by (apply Rmult_le_pos; lra).
  assert (v0 : 0 <= v) by (apply Rmult_le_pos; lra).
  assert (D2 : 0 < ln (2 / delta)).
  { rewrite <- ln_1. apply ln_increasing; [lra|]. apply Rmult_lt_reg_r with delta; [lra|].
    replace (2 / delta * delta) with 2 by (field; lra). lra. }
  destruct (Req_dec v 0) as [Z|Z].
  - assert (g : G_ = 0).
    { assert (Q : u * (sigma * sigma) + G_ * G_ / (NP * M) = 0).
      { apply Rmult_eq_reg_r with (/ (NP * M)); [unfold v, Rdiv in *; lra|lra]. }
      assert (B : G_ * G_ * / (NP * M) = 0) by (unfold Rdiv in *; lra).
      apply Rmult_integral in B. destruct B as [B|B]; [|lra]. apply Rmult_integral in B. tauto. }
    apply (with_probability_weaken _ 1 _ (fun _ => True)); [lra| |apply surely; auto]. intros J _ _.
    replace (vsum_in P U _) with (zero : V).
    { rewrite sq_zero. apply Rmult_le_pos; [apply pow2_ge_0|assumption]. }
    vector_eq q. rewrite ip_vsum_in, sum_zero; [reflexivity|]. intros i Hi. unfold share_of. products.
    rewrite ip_vsum_in, sum_zero; [ring|]. intros j Hj. products.
    assert (Dz : dev i j x0 = zero).
    { apply sq_zero_eq. pose proof (sq_nonneg (dev i j x0)). pose proof (largest i j x0 Hi Hj) as A. rewrite g in A.
      apply sq_le in A. lra. }
    rewrite <- ip_sub, Dz, ip_zero. ring.
  - assert (vp : 0 < v) by lra. pose proof (sqrt_lt_R0 v vp) as q0. pose proof (sqrt_sqrt v v0) as qq.
    set (lambda := / 2 / sqrt v).
    assert (l0 : 0 <= lambda) by (unfold lambda; apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; assumption]).
    assert (near : G_ * / (NP * M) <= sqrt v).
    { apply Rsqr_incr_0_var; [|lra]. unfold Rsqr. rewrite qq.
      assert (0 <= u * (sigma * sigma) * / (NP * M)) by (apply Rmult_le_pos; lra).
      replace v with (u * (sigma * sigma) * / (NP * M) + G_ * / (NP * M) * (G_ * / (NP * M))) by (unfold v; field; lra).
      lra. }
    assert (LR : lambda * (2 * (/ NP * G_)) <= M).
    { unfold lambda. apply Rmult_le_reg_r with (sqrt v * / M);
        [apply Rmult_lt_0_compat; [assumption|apply Rinv_0_lt_compat; lra]|].
      replace (/ 2 / sqrt v * (2 * (/ NP * G_)) * (sqrt v * / M)) with (G_ * / (NP * M)) by (field; lra).
      replace (M * (sqrt v * / M)) with (sqrt v) by (field; lra). exact near. }
    eapply with_probability_weaken; [apply Rle_refl| |apply (lift_tail (fresh_law P data (K * b))
      (fun J => vsum_in P U (share_of P K b data grad x0 J)) (/ 2) v (/ 4 * (u * (sigma * sigma) * / (NP * M))) delta
      ltac:(lra) vp Hdelta)].
    + intros J _ Q. rewrite Rinv_inv in Q by lra. apply sq_le in Q. eapply Rle_trans; [exact Q|]. right.
      rewrite <- qq at 3. field.
    + assert (0 <= G_ * / (NP * M) * (G_ * / (NP * M))) by apply Rle_0_sqr.
      replace v with (u * (sigma * sigma) * / (NP * M) + G_ * / (NP * M) * (G_ * / (NP * M))) by (unfold v; field; lra).
      lra.
    + fold lambda. pose proof (shares_lift P p K b Hp HpP HK Hb data grad sigma G_ enough_data mean_square largest
        lambda x0 U zero l0 LR) as H.
      eapply Rle_trans; [|eapply Rle_trans; [apply H|]].
      * right. apply Ex_ext. intros J _. f_equal. vector_eq q. ring.
      * unfold lift at 1. rewrite norm_zero, Rmult_0_r, cosh_0, Rmult_1_l. right. f_equal. f_equal.
        change (sum P (ind U)) with (size P U). unfold lambda, u. rewrite <- qq at 3. field. lra.
Qed.
Notation unasked t o := (undrawn 1 (map clients (at_time t (snd o)))).
Theorem lemma_27_option_II : 4 <= c ->
  with_probability (fledge_history_II P p K b data T) (1 - nu) (fun o => let J0 := fst o in
    forall t, (1 <= t <= T)%nat -> let U := undrawn 1 (map clients (at_time t (snd o))) in
    let noises := over P (vsum_in P U (fun i => sub (table (fledge_start_II K b data grad x0 J0) i) (G i x0))) in
    sq noises = sq (over (P * (K * b)) (vsum_in P U (fun i => vsum_in (data i) (J0 i) (fun j => dev i j x0)))) /\
    sq noises <= C ^ 2 / (NP * M) * (size P U / NP * sigma ^ 2 + G_ ^ 2 / (NP * M))).
Proof.
  intro Hc. pose proof facts as [p1 [M1 [g0 [_ s0]]]]. pose proof (factor Hc) as F.
  assert (T1 : 1 <= INR T) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (Hd' : 0 < nu / INR T < 1).
  { split; [apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra]|].
    apply Rmult_lt_reg_r with (INR T); [lra|]. replace (nu / INR T * INR T) with nu by (field; lra). lra. }
  assert (D2 : 0 < ln (2 / (nu / INR T))).
  { rewrite <- ln_1. apply ln_increasing; [lra|]. apply Rmult_lt_reg_r with (nu / INR T); [lra|].
    replace (2 / (nu / INR T) * (nu / INR T)) with 2 by (field; lra). lra. }
  set (bound := fun U => (3 / 4 + 2 * ln (2 / (nu / INR T))) ^ 2
    * ((size P U / NP * (sigma * sigma) + G_ * G_ / (NP * M)) / (NP * M))).
  set (far := fun J U => exceeds (bound U) (sq (vsum_in P U (share_of P K b data grad x0 J)))).
  assert (One : forall s, (s < T)%nat -> with_probability (fledge_history_II P p K b data T) (1 - nu / INR T) (fun o =>
    sq (vsum_in P (unasked (S s) o) (share_of P K b data grad x0 (fst o))) <= bound (unasked (S s) o))).
  { intros s Hs. apply (unless _ (fun o => far (fst o) (unasked (S s) o))).
    2:{ intros o _ e. apply exceeds_false, e. }
    unfold fledge_history_II, fledge_from, probability. rewrite Ex_bind.
    rewrite (Ex_ext _ _ (fun J => Ex (sledge_history P p T) (fun sets =>
      if far J (undrawn 1 (at_time (S s) sets)) then 1 else 0))).
    - rewrite Ex_history_swap by exact HpP. apply Ex_at_most. intros sets _.
      set (U := undrawn 1 (at_time (S s) sets)). apply (rare_of _ _ _ (fun J => far J U) (shares_likely U _ Hd')).
      intros J _ Q. unfold far, exceeds, bound. destruct (Rlt_dec _ _); [lra|reflexivity].
    - intros J _. rewrite <- (Ex_clients P p K b data T (fun sets => if far J (undrawn 1 (at_time (S s) sets)) then 1
        else 0)). rewrite Ex_bind. apply Ex_ext. intros past _. cbn [Ex sure fst snd]. rewrite map_at_time.
      reflexivity. }
  eapply with_probability_weaken; [| |apply (union_bound_many _ T (nu / INR T) _ One)].
  - right. field. lra.
  - intros o Po H J0 t [t1 Ht] U. destruct t as [|s]; [lia|]. specialize (H s ltac:(lia)). cbv beta in H. fold U in H.
    assert (PJ : possible (fresh_law P data (K * b)) J0).
    { destruct Po as [J' [PJ [past [_ e]]]]. simpl in e. unfold J0. rewrite e. exact PJ. }
    assert (E : over P (vsum_in P U (fun i => sub (table (fledge_start_II K b data grad x0 J0) i) (G i x0)))
      = vsum_in P U (share_of P K b data grad x0 J0)).
    { vector_eq u. rewrite !ip_vsum_in, <- sum_mul. apply sum_ext. intros i Hi.
      pose proof (family_possible none P _ J0 i PJ Hi) as Pi. cbv beta in Pi.
      pose proof (uniform_size (data i) (K * b) (J0 i) (enough_data i Hi) Pi) as Sz.
      unfold share_of. cbn [fledge_start_II table snd]. unfold fresh_gradient, data_mean. products. rewrite !ip_vsum_in.
      rewrite (sum_ext (data i) (fun j => ind (J0 i) j * ip (scale (/ NP) (dev i j x0)) u)
        (fun j => / NP * (ind (J0 i) j * ip (grad i j x0) u) - / NP * ip (G i x0) u * ind (J0 i) j))
        by (intros; products; ring).
      rewrite sum_sub, !sum_mul, Sz. field. lra. }
    intro noises. unfold noises. rewrite E. split.
    + f_equal. vector_eq u. rewrite !ip_vsum_in, <- sum_mul. apply sum_ext. intros i Hi. unfold share_of. products.
      rewrite !ip_vsum_in, (mult_INR P).
      rewrite (sum_ext (data i) (fun j => ind (J0 i) j * ip (scale (/ NP) (dev i j x0)) u)
        (fun j => / NP * (ind (J0 i) j * ip (dev i j x0) u))) by (intros; products; ring).
      rewrite sum_mul. field. lra.
    + eapply Rle_trans; [exact H|]. unfold bound.
      replace (C ^ 2 / (NP * M) * (size P U / NP * sigma ^ 2 + G_ ^ 2 / (NP * M))) with
        (C ^ 2 * ((size P U / NP * (sigma * sigma) + G_ * G_ / (NP * M)) / (NP * M))) by (field; lra).
      apply Rmult_le_compat_r.
      * assert (i0 : 0 < / (NP * M)) by (apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra).
        assert (0 <= size P U / NP) by (apply Rmult_le_pos; [apply size_nonneg|left; apply Rinv_0_lt_compat; lra]).
        apply Rmult_le_pos; [|lra]. apply Rplus_le_le_0_compat; [apply Rmult_le_pos; lra|].
        apply Rmult_le_pos; [apply Rle_0_sqr|lra].
      * apply pow_incr. lra.
Qed.
End Printed.
