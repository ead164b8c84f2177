(* Lemma 27 (lemma:Dist-First-Auxiliary-C, lines 2352-2379) for Option I: the start of FLEDGE.

   Printed: with probability at least 1 - nu, for all t = 1, ..., T,
       |(1[t <= T_3]/P) sum_{i in U_1^t} (y_i^0 - y~_i^0)|^2 <= (C_1^2 1[t <= T_3]/(pKb))(sigma^2 + G^2/(pKb)),
   U_1^t the clients of [P] that none of I^1, ..., I^t has, y~_i^0 the mean of grad f_l(x^0) over I^0.
   Proved [lemma_27], with C_1 any multiple c >= 5 of log(1/nu + n + P + d + T + K), for every space, f_{i,j},
   1 <= p <= P, K, b, T, T_3, clients with at least Kb data whose deviations at x^0 have the mean square
   sigma^2 and the length G at most: the statement, from t = 0 on.

   Proof. All rows are alike, so that the sum is |U_1^t| times the mean over I^0 of the errors of the clients'
   minibatches at x^0: a martingale drawn one datum at a time, client by client, to which the steps of
   bernstein.v apply. *)
From Coq Require Import Reals Lra Lia List PeanoNat Bool.
From Sledge Require Import vectors means minibatches algorithms problems second_moments
  sledge_errors fledge_sampling fledge_errors.
From Sledge Require Import probability hoeffding azuma minibatch_tails bernstein coverage identities undrawn.
From Sledge Require Import theorem_6_probability fledge_tails auxiliary.
Import ListNotations.
Open Scope R_scope.

(* Minibatches of n clients, each of its own data, of which those in I are added. *)
Lemma samples_lift {V : space} (data : nat -> nat) M (w : nat -> nat -> V) R0 s2 lambda (I : batch) (s : V) :
  (1 <= M)%nat -> 0 <= lambda -> lambda * (2 * R0) <= INR M -> 0 <= s2 -> forall n,
  (forall l, (l < n)%nat -> (M <= data l)%nat) ->
  (forall l, (l < n)%nat -> vsum (data l) (w l) = zero) ->
  (forall l i, (l < n)%nat -> (i < data l)%nat -> norm (w l i) <= R0) ->
  (forall l, (l < n)%nat -> sum (data l) (fun i => sq (w l i)) <= INR (data l) * s2) ->
  Ex (fresh_law n data M) (fun J => lift lambda (add s
    (vsum_in n I (fun l => over M (vsum_in (data l) (J l) (w l))))))
  <= lift lambda s * exp (3 / 2 * (lambda * lambda * (sum n (ind I) * (s2 / INR M)))).
Proof.
  intros HM L0 L1 S0. induction n as [|n IH]; intros Hd Hw Hl Hs.
  - cbn [fresh_law family sum]. unfold fresh_law. cbn [family Ex sure].
    replace (3 / 2 * _) with 0 by ring. rewrite exp_0, Rmult_1_r. right. f_equal.
    unfold vsum_in. cbn [vsum]. vector_eq u. ring.
  - specialize (IH ltac:(intros; apply Hd; lia) ltac:(intros; apply Hw; lia)
      ltac:(intros l i Hl'; apply Hl; lia) ltac:(intros; apply Hs; lia)).
    set (before := fun J : nat -> batch => vsum_in n I (fun l => over M (vsum_in (data l) (J l) (w l)))) in *.
    assert (E : forall a o, vsum_in (S n) I (fun l => over M (vsum_in (data l)
        (if Nat.eqb l n then o else a l) (w l)))
      = add (before a) (if I n then over M (vsum_in (data n) o (w n)) else zero)).
    { intros a o. unfold before, vsum_in at 1. cbn [vsum]. rewrite Nat.eqb_refl. f_equal.
      unfold vsum_in. apply vsum_ext. intros i Hi. rewrite (proj2 (Nat.eqb_neq i n)) by lia. reflexivity. }
    set (step := exp (3 / 2 * (lambda * lambda * (ind I n * (s2 / INR M))))).
    unfold fresh_law. cbn [family]. rewrite Ex_bind.
    apply Rle_trans with (Ex (family none n (fun i => uniform (data i) M)) (fun a =>
      step * lift lambda (add s (before a)))).
    + apply Ex_le. intros a _. rewrite Ex_bind.
      change (Ex (uniform (data n) M) (fun o => lift lambda (add s (vsum_in (S n) I (fun l => over M
        (vsum_in (data l) (if Nat.eqb l n then o else a l) (w l))))))
        <= step * lift lambda (add s (before a))).
      rewrite (Ex_ext _ _ (fun o => lift lambda (add (add s (before a))
        (if I n then over M (vsum_in (data n) o (w n)) else zero)))).
      2:{ intros o _. rewrite E. f_equal. vector_eq u. ring. }
      unfold step, ind. destruct (I n).
      * rewrite Rmult_1_l, Rmult_comm.
        apply (sample_lift (data n) M HM ltac:(apply Hd; lia) (w n) R0 s2 ltac:(apply Hw; lia)
          ltac:(intros; apply Hl; lia || assumption) ltac:(apply Hs; lia) lambda (add s (before a)) L0 L1).
      * rewrite Rmult_0_l, Rmult_0_r, Rmult_0_r, exp_0, Rmult_1_l.
        rewrite (Ex_ext _ _ (fun _ => lift lambda (add s (before a)))); [rewrite Ex_const; apply Rle_refl|].
        intros o _. f_equal. vector_eq u. ring.
    + rewrite Ex_mul. change (sum (S n) (ind I)) with (sum n (ind I) + ind I n).
      replace (3 / 2 * (lambda * lambda * ((sum n (ind I) + ind I n) * (s2 / INR M))))
        with (3 / 2 * (lambda * lambda * (sum n (ind I) * (s2 / INR M)))
          + 3 / 2 * (lambda * lambda * (ind I n * (s2 / INR M)))) by ring.
      rewrite exp_plus. fold step. rewrite <- Rmult_assoc, Rmult_comm.
      apply Rmult_le_compat_r; [left; apply exp_pos|exact IH].
Qed.

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
(* the deviation of a datum at x^0 *)
Notation dev i j := (sub (grad i j x0) (G i x0)).
Hypothesis mean_square : forall i, (i < P)%nat ->
  sum (data i) (fun j => sq (dev i j)) <= INR (data i) * (sigma * sigma).
Hypothesis largest : forall i j, (i < P)%nat -> (j < data i)%nat -> norm (dev i j) <= G_.
Variables (nu c : R).
Hypothesis Hnu : 0 < nu < 1.
Notation log_1 := (log_all nu n P d T K).
(* C_1 *)
Notation C := (c * log_all nu n P d T K).
Notation Np := (INR p).
Notation M := (INR (K * b)).
(* y_i^0 and y~_i^0, for the clients I0 with their minibatches *)
Notation row I0 J := (table (fledge_start_I P p K b data grad x0 I0 J)).
Definition asked (I0 : batch) : V := over p (vsum_in P I0 (fun l => G l x0)).
Definition start_noise (I0 : batch) (J : nat -> batch) : V :=
  vsum_in P I0 (fun i => over (K * b) (vsum_in (data i) (J i) (fun j => scale (/ Np) (dev i j)))).
Notation w := ((sigma * sigma + G_ * G_ / (Np * M)) / (Np * M)).

Lemma start_noise_is I0 J i : possible (fresh_law P data (K * b)) J ->
  sub (row I0 J i) (asked I0) = start_noise I0 J.
Proof.
  intro PJ. pose proof (M_pos K b HK Hb) as M1.
  assert (p1 : 1 <= Np) by (change 1 with (INR 1); apply le_INR; assumption).
  cbn [fledge_start_I table snd]. unfold asked, start_noise. vector_eq u.
  rewrite !ip_vsum_in, <- !sum_mul, <- sum_sub. apply sum_ext. intros l Hl.
  pose proof (family_possible none P _ J l PJ Hl) as Pl. cbv beta in Pl.
  pose proof (uniform_size (data l) (K * b) (J l) (enough_data l Hl) Pl) as Sz.
  unfold fresh_gradient, data_mean. products. rewrite !ip_vsum_in.
  rewrite (sum_ext (data l) (fun j => ind (J l) j * ip (scale (/ Np) (dev l j)) u)
    (fun j => / Np * (ind (J l) j * ip (grad l j x0) u) - / Np * ip (G l x0) u * ind (J l) j))
    by (intros; products; ring).
  rewrite sum_sub, !sum_mul, Sz. field. lra.
Qed.

Lemma facts : 1 <= Np /\ 1 <= M /\ 0 <= G_ /\ 0 <= w /\ 0 <= sigma * sigma.
Proof.
  assert (p1 : 1 <= Np) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (M1 : 1 <= M) by (change 1 with (INR 1); apply le_INR, Kb_1; assumption).
  assert (g0 : 0 <= G_).
  { eapply Rle_trans; [apply (norm_nonneg (dev 0 0))|apply (largest 0 0); [lia|]].
    pose proof (enough_data 0 ltac:(lia)). pose proof (Kb_1 K b HK Hb). lia. }
  assert (s0 : 0 <= sigma * sigma) by apply Rle_0_sqr. assert (gg : 0 <= G_ * G_) by apply Rle_0_sqr.
  assert (i0 : 0 < / (Np * M)) by (apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra).
  repeat split; try assumption. apply Rmult_le_pos; [|lra].
  assert (0 <= G_ * G_ / (Np * M)) by (apply Rmult_le_pos; lra). lra.
Qed.
Lemma start_likely I0 : possible (uniform P p) I0 ->
  with_probability (fresh_law P data (K * b)) (1 - nu) (fun J =>
    norm (start_noise I0 J) <= (3 / 4 + 2 * ln (2 / nu)) * sqrt w).
Proof.
  intro PI. pose proof facts as [p1 [M1 [g0 [w0 s0]]]]. pose proof (uniform_size P p I0 HpP PI) as Sz.
  assert (D2 : 1 < 2 / nu).
  { apply Rmult_lt_reg_r with nu; [lra|]. replace (2 / nu * nu) with 2 by (field; lra). lra. }
  assert (Ln : 0 < ln (2 / nu)) by (rewrite <- ln_1; apply ln_increasing; lra).
  assert (i0 : 0 < / (Np * M)) by (apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra).
  assert (ip0 : 0 < / Np) by (apply Rinv_0_lt_compat; lra).
  assert (gg : 0 <= G_ * G_) by apply Rle_0_sqr.
  destruct (Req_dec w 0) as [Z|Z].
  - assert (g : G_ = 0).
    { assert (A : 0 <= G_ * G_ / (Np * M)) by (apply Rmult_le_pos; lra).
      assert (Q : sigma * sigma + G_ * G_ / (Np * M) = 0).
      { apply Rmult_eq_reg_r with (/ (Np * M)); [unfold Rdiv in *; lra|lra]. }
      assert (B : G_ * G_ * / (Np * M) = 0) by (unfold Rdiv in *; lra).
      apply Rmult_integral in B. destruct B as [B|B]; [|lra]. apply Rmult_integral in B. tauto. }
    apply (with_probability_weaken _ 1 _ (fun _ => True)); [lra| |apply surely; auto]. intros J _ _.
    replace (start_noise I0 J) with (zero : V).
    { rewrite norm_zero. apply Rmult_le_pos; [lra|apply sqrt_pos]. }
    unfold start_noise. vector_eq u. rewrite ip_vsum_in, sum_zero; [reflexivity|].
    intros i Hi. products. rewrite ip_vsum_in, sum_zero; [ring|]. intros j Hj.
    assert (Dz : dev i j = zero).
    { apply sq_zero_eq. pose proof (sq_nonneg (dev i j)). pose proof (largest i j Hi Hj) as A. rewrite g in A.
      apply sq_le in A. lra. }
    rewrite Dz. products. ring.
  - assert (wp : 0 < w) by lra. pose proof (sqrt_lt_R0 w wp) as q0. pose proof (sqrt_sqrt w w0) as qq.
    set (lambda := / 2 / sqrt w).
    assert (l0 : 0 <= lambda) by (unfold lambda; apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; assumption]).
    assert (near : G_ * / (Np * M) <= sqrt w).
    { apply Rsqr_incr_0_var; [|lra]. unfold Rsqr. rewrite qq.
      assert (0 <= sigma * sigma * / (Np * M)) by (apply Rmult_le_pos; lra).
      replace w with (sigma * sigma * / (Np * M) + G_ * / (Np * M) * (G_ * / (Np * M))) by (field; lra). lra. }
    assert (LR : lambda * (2 * (/ Np * G_)) <= M).
    { unfold lambda. apply Rmult_le_reg_r with (sqrt w * / M);
        [apply Rmult_lt_0_compat; [assumption|apply Rinv_0_lt_compat; lra]|].
      replace (/ 2 / sqrt w * (2 * (/ Np * G_)) * (sqrt w * / M)) with (G_ * / (Np * M)) by (field; lra).
      replace (M * (sqrt w * / M)) with (sqrt w) by (field; lra). exact near. }
    pose proof (samples_lift data (K * b) (fun i j => scale (/ Np) (dev i j)) (/ Np * G_) (/ Np * / Np * (sigma * sigma))
      lambda I0 zero (Kb_1 K b HK Hb) l0 LR ltac:(apply Rmult_le_pos; [apply Rmult_le_pos; lra|assumption]) P
      enough_data) as H.
    assert (X : Ex (fresh_law P data (K * b)) (fun J => lift lambda (start_noise I0 J))
      <= exp (3 / 2 * (/ w * (/ 4 * (sigma * sigma * / (Np * M)))))).
    { eapply Rle_trans; [|eapply Rle_trans; [apply H|]].
      - right. apply Ex_ext. intros J _. f_equal. unfold start_noise. vector_eq u. ring.
      - intros i Hi. pose proof (centre_zero (data i) (K * b) (Kb_1 K b HK Hb) (enough_data i Hi)
          (fun j => grad i j x0)) as Cz.
        replace (vsum (data i) (fun j => scale (/ Np) (dev i j))) with
          (scale (/ Np) (vsum (data i) (centre (data i) (fun j => grad i j x0)))).
        + rewrite Cz. vector_eq u. ring.
        + vector_eq u. rewrite !ip_vsum, <- sum_mul. apply sum_ext. intros j _. unfold centre. products. reflexivity.
      - intros i j Hi Hj. rewrite norm_scale, Rabs_right by lra.
        apply Rmult_le_compat_l; [lra|apply largest; assumption].
      - intros i Hi. rewrite (sum_ext (data i) _ (fun j => / Np * / Np * sq (dev i j)))
          by (intros; rewrite sq_scale; ring).
        rewrite sum_mul. pose proof (mean_square i Hi) as Ms.
        replace (INR (data i) * (/ Np * / Np * (sigma * sigma)))
          with (/ Np * / Np * (INR (data i) * (sigma * sigma))) by ring.
        apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|exact Ms].
      - unfold lift at 1. rewrite norm_zero, Rmult_0_r, cosh_0, Rmult_1_l, Sz. right. f_equal. f_equal.
        unfold lambda. rewrite <- qq at 3. field. lra. }
    eapply with_probability_weaken; [apply Rle_refl| |apply (lift_tail (fresh_law P data (K * b))
      (start_noise I0) (/ 2) w (/ 4 * (sigma * sigma * / (Np * M))) nu ltac:(lra) wp Hnu)]; [| |exact X].
    + intros J _ Q. eapply Rle_trans; [exact Q|]. apply Rmult_le_compat_r; [lra|].
      rewrite Rinv_involutive by lra. lra.
    + assert (0 <= G_ * / (Np * M) * (G_ * / (Np * M))) by apply Rle_0_sqr.
      replace w with (sigma * sigma * / (Np * M) + G_ * / (Np * M) * (G_ * / (Np * M))) by (field; lra). lra.
Qed.
Lemma factor_text : 5 <= c -> 3 / 4 + 2 * ln (2 / nu) <= C.
Proof.
  intro Hc. assert (HP : (1 <= P)%nat) by lia.
  pose proof (total_parts nu n P d T K ltac:(lra) Hn HP Hd HT HK) as Q.
  pose proof (log_all_above nu n P d T K ltac:(lra) Hn HP Hd HT HK) as L1.
  assert (Ln : forall y, 0 < y -> y <= / nu + INR n + INR P + INR d + INR T + INR K -> ln y <= log_1)
    by (intros; apply ln_grows; lra).
  unfold Rdiv. rewrite ln_mult by (try apply Rinv_0_lt_compat; lra).
  pose proof (Ln 2 ltac:(lra) ltac:(lra)). pose proof (Ln (/ nu) ltac:(lra) ltac:(lra)).
  assert (5 * log_1 <= C) by (apply Rmult_le_compat_r; lra). lra.
Qed.

Theorem lemma_27 : 5 <= c ->
  with_probability (fledge_history_I P p K b data T) (1 - nu) (fun o => let I0 := fst (fst o) in
    let J := snd (fst o) in forall t, (t <= T)%nat ->
    sq (if (t <=? T3)%nat then over P (vsum_in P (undrawn 1 (map clients (at_time t (snd o))))
      (fun i => sub (row I0 J i) (asked I0))) else zero)
    <= if (t <=? T3)%nat then C ^ 2 / (Np * M) * (sigma ^ 2 + G_ ^ 2 / (Np * M)) else 0).
Proof.
  intro Hc. pose proof facts as [p1 [M1 [g0 [w0 s0]]]]. pose proof (factor_text Hc) as F.
  assert (D2 : 1 < 2 / nu).
  { apply Rmult_lt_reg_r with nu; [lra|]. replace (2 / nu * nu) with 2 by (field; lra). lra. }
  assert (Ln : 0 < ln (2 / nu)) by (rewrite <- ln_1; apply ln_increasing; lra).
  assert (L : with_probability (fledge_start_law_I P p K b data) (1 - nu) (fun o =>
    norm (start_noise (fst o) (snd o)) <= (3 / 4 + 2 * ln (2 / nu)) * sqrt w)).
  { apply (unless _ (fun o => exceeds ((3 / 4 + 2 * ln (2 / nu)) * sqrt w) (norm (start_noise (fst o) (snd o))))).
    2:{ intros o _ e. apply exceeds_false, e. }
    unfold fledge_start_law_I. unfold probability. rewrite Ex_bind. apply Ex_at_most. intros I0 PI.
    rewrite Ex_bind. cbn [Ex sure fst snd].
    apply (rare_of (fresh_law P data (K * b)) nu _ (fun J => exceeds ((3 / 4 + 2 * ln (2 / nu)) * sqrt w)
      (norm (start_noise I0 J))) (start_likely I0 PI)).
    intros J _ Q. unfold exceeds. destruct (Rlt_dec _ _); [lra|reflexivity]. }
  eapply with_probability_weaken; [apply Rle_refl| |apply (first_of _ (fledge_history P p K b data T) _ _ L)].
  intros o [st [Pst [past [Pp e]]]] H I1 J1 t _. unfold I1, J1. clear I1 J1. simpl in e. subst o.
  destruct st as [I0 J]. cbn [fst snd] in *.
  destruct (Nat.leb t T3); [|rewrite sq_zero; lra].
  destruct Pst as [I0' [PI [J' [PJ e]]]]. simpl in e. injection e as E1 E2. subst I0' J'.
  set (U := undrawn 1 (map clients (at_time t past))).
  replace (vsum_in P U (fun i => sub (row I0 J i) (asked I0))) with (scale (size P U) (start_noise I0 J)).
  2:{ vector_eq u. rewrite ip_vsum_in. rewrite (sum_ext P _ (fun i => ip (start_noise I0 J) u * ind U i)).
      - rewrite sum_mul. unfold size. ring.
      - intros i _. rewrite (start_noise_is I0 J i PJ). ring. }
  assert (P1 : 1 <= INR P) by (change 1 with (INR 1); apply le_INR; lia).
  assert (SU : 0 <= size P U <= INR P).
  { split; [apply sum_nonneg; intros; apply ind_bounds|]. unfold size. rewrite <- (Rmult_1_r (INR P)), <- sum_const.
    apply sum_le. intros. apply ind_bounds. }
  rewrite sq_over, sq_scale.
  assert (N : sq (start_noise I0 J) <= C * C * w).
  { apply sq_le in H. eapply Rle_trans; [exact H|].
    replace ((3 / 4 + 2 * ln (2 / nu)) * sqrt w * ((3 / 4 + 2 * ln (2 / nu)) * sqrt w))
      with ((3 / 4 + 2 * ln (2 / nu)) * (3 / 4 + 2 * ln (2 / nu)) * (sqrt w * sqrt w)) by ring.
    rewrite sqrt_sqrt by assumption. apply Rmult_le_compat_r; [assumption|]. apply Rmult_le_compat; lra. }
  replace (C ^ 2 / (Np * M) * (sigma ^ 2 + G_ ^ 2 / (Np * M))) with (C * C * w) by (field; lra).
  eapply Rle_trans; [|exact N]. pose proof (sq_nonneg (start_noise I0 J)) as n0.
  assert (i1 : 0 < / INR P) by (apply Rinv_0_lt_compat; lra).
  assert (Fr : / INR P * / INR P * (size P U * size P U) <= 1).
  { assert (A : 0 <= / INR P * size P U <= 1).
    { split; [apply Rmult_le_pos; lra|]. apply Rmult_le_reg_l with (INR P); [lra|].
      rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra. lra. }
    replace (/ INR P * / INR P * (size P U * size P U)) with (/ INR P * size P U * (/ INR P * size P U)) by ring.
    rewrite <- (Rmult_1_r 1). apply Rmult_le_compat; lra. }
  rewrite <- Rmult_assoc. rewrite <- (Rmult_1_l (sq (start_noise I0 J))) at 2.
  apply Rmult_le_compat_r; assumption.
Qed.
End Printed.
