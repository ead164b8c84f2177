(* McDiarmid's inequality for the minibatches of many clients, and what it says of FLEDGE's start.

   Let f depend on minibatches J_i of M of the data of client i, one for each of P clients, all independent, and move by
   at most D_i when a datum of client i is exchanged. Then f <= E f + sqrt(V log(1/delta)/2) with probability at least
   1 - delta, for V = M sum_i D_i^2 [exchanges_of_clients]. Hence, for vectors w_{i,j} of sum zero for each client, no two
   of a client farther apart than D, of mean square at most s^2 [samples_norm]:
       |sum_{i in I} (1/M) sum_{j in J_i} w_{i,j}| <= (s + D sqrt(log(1/delta)/2)) sqrt(|I|/M).
   About FLEDGE, for every space, f_{i,j}, 1 <= p <= P, K, b, T, clients with at least Kb data whose deviations at x^0 have
   the mean square sigma^2 and the length G at most, U the clients that have not been asked in rounds 1, ..., t:
     lemma_27_sharper            (lines 2352-2379, Option I): with probability at least 1 - nu, for all t,
                                 |(1/P) sum_U (y_i^0 - y~_i^0)| <= (|U|/P)(sigma + 2G sqrt(log(1/nu)/2))/sqrt(pKb)
     lemma_27_option_II_sharper  (lines 2381-2391): for all t = 1, ..., T
                                 |(1/P) sum_U (y_i^0 - y~_i^0)| <= sqrt(|U|/P)(sigma + 2G sqrt(log(T/nu)/2))/sqrt(PKb)

   Proof. One client after the other: given the minibatches of those before, what is expected moves by no more than f
   itself. The mean square of the sum is |I| s^2/M at most, as the samples of clients are independent. *)
From Coq Require Import Reals Lra Lia List PeanoNat Bool FunctionalExtensionality.
From Sledge Require Import vectors means minibatches algorithms problems second_moments sledge_errors fledge_sampling
  fledge_errors.
From Sledge Require Import probability hoeffding azuma minibatch_tails bernstein coverage sledge_tails lemma_1
  concentration identities undrawn steps.
From Sledge Require Import theorem_2_probability theorem_6_probability fledge_tails theorem_6_high_probability
  auxiliary fledge_local fledge_start fledge_fresh bounded_differences.
Import ListNotations.
Open Scope R_scope.

Definition set_client (J : nat -> batch) (l : nat) (B : batch) : nat -> batch := fun k => if Nat.eqb k l then B else J k.
Lemma set_twice J l k B C : l <> k -> set_client (set_client J l B) k C = set_client (set_client J k C) l B.
Proof.
  intro N. extensionality u. unfold set_client. destruct (Nat.eqb_spec u k) as [->|]; [|reflexivity].
  rewrite (proj2 (Nat.eqb_neq k l)) by congruence. reflexivity.
Qed.

Section Clients.
Variables (data : nat -> nat) (M : nat) (D : nat -> R).
Hypothesis D0 : forall i, 0 <= D i.
Lemma clients_mgf theta n : (forall i, (i < n)%nat -> (M <= data i)%nat) -> forall f : (nat -> batch) -> R,
  (forall J l B i i', (l < n)%nat -> (i < data l)%nat -> (i' < data l)%nat -> B i = false -> B i' = false ->
    f (set_client J l (insert i B)) - f (set_client J l (insert i' B)) <= D l) ->
  Ex (fresh_law n data M) (fun J => exp (theta * (f J - Ex (fresh_law n data M) f)))
  <= exp (theta * theta * (INR M * sum n (fun i => D i * D i)) / 8).
Proof.
  induction n as [|n IH]; intros Hd f Ex'.
  - unfold fresh_law. cbn [family Ex sure sum]. rewrite Rminus_diag_eq by reflexivity. rewrite !Rmult_0_r.
    replace (0 / 8) with 0 by field. apply Rle_refl.
  - specialize (IH ltac:(intros; apply Hd; lia)).
    set (g := fun a => Ex (uniform (data n) M) (fun o => f (set_client a n o))).
    assert (Split : forall h : (nat -> batch) -> R, Ex (fresh_law (S n) data M) h
      = Ex (fresh_law n data M) (fun a => Ex (uniform (data n) M) (fun o => h (set_client a n o)))).
    { intro h. unfold fresh_law. cbn [family]. rewrite Ex_bind. apply Ex_ext. intros a _. rewrite Ex_bind. reflexivity. }
    rewrite (Split (fun J => exp (theta * (f J - Ex (fresh_law (S n) data M) f)))), (Split f).
    change (Ex (fresh_law n data M) (fun a => Ex (uniform (data n) M) (fun o => f (set_client a n o))))
      with (Ex (fresh_law n data M) g).
    set (step := exp (theta * theta * (D n * D n) * INR M / 8)).
    apply Rle_trans with (Ex (fresh_law n data M) (fun a => step * exp (theta * (g a - Ex (fresh_law n data M) g)))).
    + apply Ex_le. intros a _.
      rewrite (Ex_ext _ _ (fun o => exp (theta * (g a - Ex (fresh_law n data M) g))
        * exp (theta * (f (set_client a n o) - g a)))) by (intros; rewrite <- exp_plus; f_equal; ring).
      rewrite Ex_mul, Rmult_comm. apply Rmult_le_compat_r; [left; apply exp_pos|].
      eapply Rle_trans; [apply (exchanges_mgf (data n) M (fun o => f (set_client a n o)) (D n) (Hd n ltac:(lia)) (D0 n))|].
      * intros B i i' Hi Hi' Bi Bi'. apply Ex'; lia || assumption.
      * apply exp_le. pose proof (spread_bounds (data n) M (Hd n ltac:(lia))) as [_ s1].
        unfold Rdiv. apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat_l; [|exact s1].
        replace (theta * theta * (D n * D n)) with (theta * D n * (theta * D n)) by ring. apply Rle_0_sqr.
    + rewrite Ex_mul. cbn [sum].
      replace (theta * theta * (INR M * (sum n (fun i => D i * D i) + D n * D n)) / 8)
        with (theta * theta * (D n * D n) * INR M / 8 + theta * theta * (INR M * sum n (fun i => D i * D i)) / 8)
        by field.
      rewrite exp_plus. fold step. apply Rmult_le_compat_l; [left; apply exp_pos|]. apply IH.
      intros J l B i i' Hl Hi Hi' Bi Bi'. unfold g. rewrite <- Ex_sub. apply Ex_at_most. intros o _.
      rewrite !(set_twice J l n) by lia. apply Ex'; lia || assumption.
Qed.
Theorem exchanges_of_clients P (f : (nat -> batch) -> R) Va delta : (forall i, (i < P)%nat -> (M <= data i)%nat) ->
  (forall J l B i i', (l < P)%nat -> (i < data l)%nat -> (i' < data l)%nat -> B i = false -> B i' = false ->
    f (set_client J l (insert i B)) - f (set_client J l (insert i' B)) <= D l) ->
  0 < Va -> INR M * sum P (fun i => D i * D i) <= Va -> 0 < delta < 1 ->
  with_probability (fresh_law P data M) (1 - delta) (fun J =>
    f J <= Ex (fresh_law P data M) f + sqrt (Va * ln (/ delta) / 2)).
Proof.
  intros Hd Ex' V0 HV Hdel. assert (L0 : 0 < ln (/ delta)).
  { rewrite <- ln_1. apply ln_increasing; [lra|]. rewrite <- Rinv_1. apply Rinv_lt_contravar; lra. }
  set (c := sqrt (Va * ln (/ delta) / 2)).
  assert (cc : c * c = Va * ln (/ delta) / 2) by (apply sqrt_sqrt; apply Rmult_le_pos; [apply Rmult_le_pos; lra|lra]).
  set (mean := Ex (fresh_law P data M) f). set (theta := 4 * c / Va).
  assert (c0 : 0 <= c) by apply sqrt_pos.
  assert (t0 : 0 <= theta) by (apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat, V0]).
  apply (unless _ (fun J => exceeds (mean + c) (f J))).
  - assert (Pr : exp (theta * c) * probability (fresh_law P data M) (fun J => exceeds (mean + c) (f J))
      <= exp (theta * theta * Va / 8)).
    { unfold probability. rewrite <- Ex_mul.
      apply Rle_trans with (exp (theta * theta * (INR M * sum P (fun i => D i * D i)) / 8)).
      - eapply Rle_trans; [|apply (clients_mgf theta P Hd f Ex')]. apply Ex_le. intros J _.
        fold mean. destruct (exceeds (mean + c) (f J)) eqn:e.
        + apply exceeds_true in e. rewrite Rmult_1_r. apply exp_le. apply Rmult_le_compat_l; lra.
        + rewrite Rmult_0_r. left. apply exp_pos.
      - apply exp_le. unfold Rdiv. apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat_l; [apply Rle_0_sqr|exact HV]. }
    assert (E : theta * theta * Va / 8 = theta * c + ln delta).
    { assert (Ld : ln delta = - ln (/ delta)) by (rewrite ln_Rinv by lra; ring). rewrite Ld.
      replace (ln (/ delta)) with (2 * (c * c) / Va) by (rewrite cc; field; lra). unfold theta. field. lra. }
    rewrite E, exp_plus, exp_ln in Pr by lra. pose proof (exp_pos (theta * c)) as x0.
    apply Rmult_le_reg_l with (exp (theta * c)); lra.
  - intros J _ e. apply exceeds_false in e. exact e.
Qed.
End Clients.

Section Samples.
Context {V : space}.
Variables (data : nat -> nat) (M P : nat) (w : nat -> nat -> V) (D s2 delta : R) (I : batch).
Hypothesis HM : (1 <= M)%nat.
Hypothesis enough : forall i, (i < P)%nat -> (M <= data i)%nat.
Hypothesis HD : 0 <= D.
Hypothesis Hs : 0 <= s2.
Hypothesis Hd : 0 < delta < 1.
Hypothesis centred : forall i, (i < P)%nat -> vsum (data i) (w i) = zero.
Hypothesis apart : forall i j j', (i < P)%nat -> (j < data i)%nat -> (j' < data i)%nat ->
  norm (sub (w i j) (w i j')) <= D.
Hypothesis square : forall i, (i < P)%nat -> sum (data i) (fun j => sq (w i j)) <= INR (data i) * s2.
Notation total J := (vsum_in P I (fun i => over M (vsum_in (data i) (J i) (w i)))).
Lemma samples_square : Ex (fresh_law P data M) (fun J => sq (total J)) <= size P I * (s2 / INR M).
Proof.
  assert (M1 : 1 <= INR M) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (A : forall i, (i < P)%nat -> average_vector (data i) (w i) = zero).
  { intros i Hi. unfold average_vector. rewrite (centred i Hi). vector_eq u. ring. }
  unfold fresh_law. rewrite (independent_squares none (fun i => uniform (data i) M)
    (fun i J => over M (vsum_in (data i) J (w i))) I P).
  - unfold size. rewrite Rmult_comm, <- sum_mul. apply sum_le. intros i Hi. rewrite (Rmult_comm (s2 / INR M)).
    apply Rmult_le_compat_l; [apply ind_bounds|].
    pose proof (sample_variance (data i) M HM (enough i Hi) (w i)) as Q. rewrite (A i Hi) in Q.
    assert (m1 : 1 <= INR (data i)) by (change 1 with (INR 1); apply le_INR; specialize (enough i Hi); lia).
    rewrite (Ex_ext _ (fun J => sq (sub (over M (vsum_in (data i) J (w i))) zero))
      (fun J => sq (over M (vsum_in (data i) J (w i))))) in Q
      by (intros; f_equal; vector_eq u; ring).
    rewrite (sum_ext (data i) (fun j => sq (sub (w i j) zero)) (fun j => sq (w i j))) in Q
      by (intros; f_equal; vector_eq u; ring).
    eapply Rle_trans; [exact Q|]. specialize (square i Hi). unfold Rdiv. rewrite Rmult_comm.
    apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|].
    apply Rmult_le_reg_l with (INR (data i)); [lra|]. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra. exact square.
  - intros i u Hi. pose proof (sample_mean (data i) M HM (enough i Hi) (w i) u) as Q. rewrite (A i Hi) in Q.
    rewrite <- Q. apply Ex_ext. intros J _. products. ring.
Qed.
Theorem samples_norm : with_probability (fresh_law P data M) (1 - delta) (fun J =>
  norm (total J) <= (sqrt s2 + D * sqrt (ln (/ delta) / 2)) * sqrt (size P I / INR M)).
Proof.
  assert (M1 : 1 <= INR M) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (m0 : 0 <= size P I) by (apply sum_nonneg; intros; apply ind_bounds).
  assert (L0 : 0 < ln (/ delta)).
  { rewrite <- ln_1. apply ln_increasing; [lra|]. rewrite <- Rinv_1. apply Rinv_lt_contravar; lra. }
  assert (v0 : 0 <= size P I / INR M) by (apply Rmult_le_pos; [assumption|left; apply Rinv_0_lt_compat; lra]).
  set (f := fun J => norm (total J)). set (mu := Ex (fresh_law P data M) f).
  assert (Mean : mu <= sqrt s2 * sqrt (size P I / INR M)).
  { assert (J : mu * mu <= Ex (fresh_law P data M) (fun J => sq (total J))).
    { assert (Q : 0 <= Ex (fresh_law P data M) (fun J => (f J - mu) * (f J - mu)))
        by (apply Ex_nonneg; intros; apply Rle_0_sqr).
      rewrite (Ex_ext _ _ (fun J => (sq (total J) - 2 * mu * f J) + mu * mu)) in Q.
      - rewrite Ex_add, Ex_sub, Ex_mul, Ex_const in Q. fold mu in Q. lra.
      - intros J _. rewrite <- (norm_sq (total J)). fold (f J). ring. }
    pose proof samples_square as Q. pose proof (sqrt_pos s2) as r1. pose proof (sqrt_pos (size P I / INR M)) as r2.
    apply Rsqr_incr_0_var; [|apply Rmult_le_pos; assumption]. unfold Rsqr.
    replace (sqrt s2 * sqrt (size P I / INR M) * (sqrt s2 * sqrt (size P I / INR M)))
      with (sqrt s2 * sqrt s2 * (sqrt (size P I / INR M) * sqrt (size P I / INR M))) by ring.
    rewrite !sqrt_sqrt by assumption. replace (s2 * (size P I / INR M)) with (size P I * (s2 / INR M)) by (field; lra).
    lra. }
  assert (Zero : (forall J, total J = zero) -> with_probability (fresh_law P data M) (1 - delta) (fun J =>
    norm (total J) <= (sqrt s2 + D * sqrt (ln (/ delta) / 2)) * sqrt (size P I / INR M))).
  { intro Z. apply (with_probability_weaken _ 1 (1 - delta) (fun _ => True)); [lra| |apply surely; auto].
    intros J _ _. rewrite Z, norm_zero. apply Rmult_le_pos; [|apply sqrt_pos].
    apply Rplus_le_le_0_compat; [apply sqrt_pos|apply Rmult_le_pos; [assumption|apply sqrt_pos]]. }
  destruct (Req_dec (D * D * (size P I / INR M)) 0) as [e|e].
  - apply Rmult_integral in e. destruct e as [e|e].
    + assert (Dz : D = 0) by (apply Rmult_integral in e; tauto). apply Zero. intro J.
      assert (W : forall i j, (i < P)%nat -> (j < data i)%nat -> w i j = zero).
      { intros i j Hi Hj. assert (m1 : 1 <= INR (data i)) by (change 1 with (INR 1); apply le_INR; lia).
        assert (E : scale (INR (data i)) (w i j) = vsum (data i) (w i)).
        { vector_eq u. rewrite ip_vsum, <- sum_const. apply sum_ext. intros j' Hj'.
          specialize (apart i j j' Hi Hj Hj'). rewrite Dz in apart. apply sq_le in apart.
          assert (Z : sub (w i j) (w i j') = zero).
          { apply sq_zero_eq. pose proof (sq_nonneg (sub (w i j) (w i j'))). lra. }
          assert (Q : ip (sub (w i j) (w i j')) u = 0) by (rewrite Z; apply ip_zero). rewrite ip_sub in Q. lra. }
        rewrite (centred i Hi) in E. vector_eq u.
        assert (Q : ip (scale (INR (data i)) (w i j)) u = 0) by (rewrite E; apply ip_zero). rewrite ip_scale in Q.
        apply Rmult_eq_reg_l with (INR (data i)); lra. }
      vector_eq u. rewrite ip_vsum_in. apply sum_zero. intros i Hi. rewrite ip_over, ip_vsum_in, sum_zero; [ring|].
      intros j Hj. rewrite (W i j Hi Hj), ip_zero. ring.
    + assert (Sz : size P I = 0).
      { apply Rmult_eq_reg_r with (/ INR M); [unfold Rdiv in e; lra|]. apply Rinv_neq_0_compat. lra. }
      apply Zero. intro J.
      assert (Each : forall k, sum k (ind I) <= 0 -> forall i, (i < k)%nat -> ind I i = 0).
      { induction k as [|k IH]; intros H i Hi; [lia|]. cbn [sum] in H. pose proof (ind_bounds I k).
        pose proof (sum_nonneg k (ind I) (fun i _ => proj1 (ind_bounds I i))).
        destruct (Nat.eq_dec i k) as [->|Ne]; [lra|]. apply IH; lra || lia. }
      vector_eq u. rewrite ip_vsum_in. apply sum_zero. intros i Hi.
      unfold size in Sz. rewrite (Each P ltac:(lra) i Hi). ring.
  - assert (V0 : 0 < D * D * (size P I / INR M)).
    { assert (0 <= D * D * (size P I / INR M)) by (apply Rmult_le_pos; [apply Rle_0_sqr|assumption]). lra. }
    eapply with_probability_weaken; [apply Rle_refl| |apply (exchanges_of_clients data M (fun i => ind I i * (D / INR M)))
      with (f := f) (Va := D * D * (size P I / INR M)) (delta := delta)].
    + intros J _ H. cbv beta in H. fold mu in H. change (f J) with (norm (total J)) in H.
      replace (sqrt (D * D * (size P I / INR M) * ln (/ delta) / 2))
        with (D * sqrt (ln (/ delta) / 2) * sqrt (size P I / INR M)) in H; [lra|].
      replace (D * D * (size P I / INR M) * ln (/ delta) / 2) with (D * D * (ln (/ delta) / 2 * (size P I / INR M)))
        by (field; lra).
      rewrite (sqrt_mult (D * D)) by (try apply Rle_0_sqr; apply Rmult_le_pos; lra).
      rewrite (sqrt_square D), (sqrt_mult (ln (/ delta) / 2)) by lra. ring.
    + intro i. apply Rmult_le_pos; [apply ind_bounds|]. apply Rmult_le_pos; [assumption|left; apply Rinv_0_lt_compat; lra].
    + exact enough.
    + intros J l B i i' Hl Hi Hi' Bi Bi'. unfold f.
      assert (E : forall k, (k < data l)%nat -> B k = false -> total (set_client J l (insert k B))
        = add (total (set_client J l B)) (scale (ind I l) (over M (w l k)))).
      { intros k Hk Bk. vector_eq u. rewrite !ip_vsum_in.
        rewrite (sum_ext P (fun i => ind I i * ip (over M (vsum_in (data i) (set_client J l (insert k B) i) (w i))) u)
          (fun i => ind I i * ip (over M (vsum_in (data i) (set_client J l B i) (w i))) u
            + (if (i =? l)%nat then ind I l * (/ INR M * ip (w l k) u) else 0))).
        - rewrite sum_add, sum_single by assumption. reflexivity.
        - intros i0 Hi0. unfold set_client. destruct (Nat.eqb_spec i0 l) as [->|Ne].
          + rewrite (vsum_in_insert (data l) (w l) k B Hk Bk). products. ring.
          + ring. }
      rewrite (E i Hi Bi), (E i' Hi' Bi').
      set (X := total (set_client J l B)). set (y := scale (ind I l) (over M (w l i))).
      set (y' := scale (ind I l) (over M (w l i'))).
      pose proof (norm_add (add X y') (sub y y')) as T.
      replace (add (add X y') (sub y y')) with (add X y) in T by (vector_eq u; ring).
      assert (N : norm (sub y y') <= ind I l * (D / INR M)).
      { replace (sub y y') with (scale (ind I l * / INR M) (sub (w l i) (w l i'))) by (unfold y, y'; vector_eq u; ring).
        pose proof (ind_bounds I l). assert (iM : 0 < / INR M) by (apply Rinv_0_lt_compat; lra).
        assert (k0 : 0 <= ind I l * / INR M) by (apply Rmult_le_pos; lra).
        rewrite norm_scale, Rabs_right by lra. unfold Rdiv.
        replace (ind I l * (D * / INR M)) with (ind I l * / INR M * D) by ring.
        apply Rmult_le_compat_l; [assumption|]. apply apart; assumption. }
      lra.
    + exact V0.
    + rewrite (sum_ext P _ (fun i => D / INR M * (D / INR M) * ind I i)).
      * rewrite sum_mul. unfold size. right. field. lra.
      * intros i _. replace (ind I i * (D / INR M) * (ind I i * (D / INR M)))
          with (D / INR M * (D / INR M) * (ind I i * ind I i)) by ring. rewrite ind_square. reflexivity.
    + exact Hd.
Qed.
End Samples.

(* ---- The start of FLEDGE ---- *)

Section Start.
Context {V : space}.
Variables (b P p T K : nat).
Hypothesis Hp : (1 <= p)%nat.
Hypothesis HpP : (p <= P)%nat.
Hypothesis HK : (1 <= K)%nat.
Hypothesis Hb : (1 <= b)%nat.
Variables (data : nat -> nat) (grad : nat -> nat -> V -> V) (x0 : V) (sigma G_ : R).
Hypothesis enough_data : forall i, (i < P)%nat -> (K * b <= data i)%nat.
Notation G := (client_gradient data grad).
Notation dev i j := (sub (grad i j x0) (G i x0)).
Hypothesis sigma0 : 0 <= sigma.
Hypothesis mean_square : forall i, (i < P)%nat ->
  sum (data i) (fun j => sq (dev i j)) <= INR (data i) * (sigma * sigma).
Hypothesis largest : forall i j, (i < P)%nat -> (j < data i)%nat -> norm (dev i j) <= G_.
Variable nu : R.
Hypothesis Hnu : 0 < nu < 1.
Notation NP := (INR P).
Notation Np := (INR p).
Notation M := (INR (K * b)).
Notation unasked t past := (undrawn 1 (map clients (at_time t past))).
Lemma start_sizes : 1 <= NP /\ 1 <= Np <= NP /\ 1 <= M /\ 0 <= G_.
Proof.
  pose proof (Bb P p Hp HpP). pose proof (Nn P p Hp HpP). pose proof (M_pos K b HK Hb).
  assert (0 <= G_).
  { eapply Rle_trans; [apply (norm_nonneg (dev 0 0))|apply (largest 0 0); [lia|]].
    pose proof (enough_data 0 ltac:(lia)). pose proof (Kb_1 K b HK Hb). lia. }
  tauto.
Qed.
(* Deviations of clients in U with a factor of their own *)
Lemma deviations_norm (q delta : R) U : 0 <= q -> 0 < delta < 1 ->
  with_probability (fresh_law P data (K * b)) (1 - delta) (fun J =>
    norm (vsum_in P U (fun i => over (K * b) (vsum_in (data i) (J i) (fun j => scale q (dev i j)))))
    <= q * (sigma + 2 * G_ * sqrt (ln (/ delta) / 2)) * sqrt (size P U / M)).
Proof.
  intros q0 Hd. destruct start_sizes as [P1 [[p1 pP] [M1 g0]]].
  eapply with_probability_weaken; [apply Rle_refl| |apply (samples_norm data (K * b) P (fun i j => scale q (dev i j))
    (q * (2 * G_)) (q * sigma * (q * sigma)) delta U)].
  - intros J _ H. rewrite sqrt_square in H by (apply Rmult_le_pos; assumption).
    eapply Rle_trans; [exact H|]. right. ring.
  - apply Kb_1; assumption.
  - exact enough_data.
  - apply Rmult_le_pos; lra.
  - apply Rle_0_sqr.
  - exact Hd.
  - intros i Hi. pose proof (centre_zero (data i) (K * b) (Kb_1 K b HK Hb) (enough_data i Hi) (fun j => grad i j x0)) as Cz.
    replace (vsum (data i) (fun j => scale q (dev i j)))
      with (scale q (vsum (data i) (centre (data i) (fun j => grad i j x0)))).
    + rewrite Cz. vector_eq u. ring.
    + vector_eq u. rewrite !ip_vsum, <- sum_mul. apply sum_ext. intros j _. unfold centre. products. reflexivity.
  - intros i j j' Hi Hj Hj'. replace (sub (scale q (dev i j)) (scale q (dev i j'))) with (scale q (sub (dev i j) (dev i j')))
      by (vector_eq u; ring).
    rewrite norm_scale, Rabs_right by lra. apply Rmult_le_compat_l; [exact q0|].
    pose proof (norm_sub (dev i j) (dev i j')). pose proof (largest i j Hi Hj). pose proof (largest i j' Hi Hj'). lra.
  - intros i Hi. rewrite (sum_ext (data i) _ (fun j => q * q * sq (dev i j))) by (intros; rewrite sq_scale; ring).
    rewrite sum_mul. replace (INR (data i) * (q * sigma * (q * sigma))) with (q * q * (INR (data i) * (sigma * sigma)))
      by ring.
    apply Rmult_le_compat_l; [apply Rle_0_sqr|apply mean_square, Hi].
Qed.

(* Option I *)
Notation row I0 J := (table (fledge_start_I P p K b data grad x0 I0 J)).
Notation asked I0 := (asked P p data grad x0 I0).
Notation start_noise I0 J := (fledge_start.start_noise b P p K data grad x0 I0 J).
Theorem lemma_27_sharper :
  with_probability (fledge_history_I P p K b data T) (1 - nu) (fun o => let I0 := fst (fst o) in
    let J := snd (fst o) in forall t, (t <= T)%nat -> let U := unasked t (snd o) in
    norm (over P (vsum_in P U (fun i => sub (row I0 J i) (asked I0))))
    <= size P U / NP * (sigma + 2 * G_ * sqrt (ln (/ nu) / 2)) / sqrt (Np * M)).
Proof.
  destruct start_sizes as [P1 [[p1 pP] [M1 g0]]].
  assert (pM : 0 < Np * M) by (apply Rmult_lt_0_compat; lra). pose proof (sqrt_lt_R0 _ pM) as sp.
  set (far := (sigma + 2 * G_ * sqrt (ln (/ nu) / 2)) / sqrt (Np * M)).
  assert (ip0 : 0 <= / Np) by (left; apply Rinv_0_lt_compat; lra).
  assert (L : with_probability (fledge_start_law_I P p K b data) (1 - nu) (fun o =>
    norm (start_noise (fst o) (snd o)) <= far)).
  { apply (unless _ (fun o => exceeds far (norm (start_noise (fst o) (snd o))))).
    2:{ intros o _ e. apply exceeds_false, e. }
    unfold fledge_start_law_I. unfold probability. rewrite Ex_bind. apply Ex_at_most. intros I0 PI.
    rewrite Ex_bind. cbn [Ex sure fst snd]. pose proof (uniform_size P p I0 HpP PI) as Sz.
    apply (rare_of (fresh_law P data (K * b)) nu _ (fun J => exceeds far (norm (start_noise I0 J)))
      (deviations_norm (/ Np) nu I0 ip0 Hnu)).
    intros J _ Q. unfold exceeds. destruct (Rlt_dec _ _) as [r|r]; [|reflexivity]. exfalso.
    assert (E : / Np * (sigma + 2 * G_ * sqrt (ln (/ nu) / 2)) * sqrt (size P I0 / M) = far);
      [|apply (Rlt_not_le _ _ r); rewrite <- E; exact Q].
    change (size P I0) with (sum P (ind I0)). rewrite Sz. unfold far.
    assert (E : sqrt (Np / M) = Np / sqrt (Np * M)).
    { replace (Np / M) with (Np * Np / (Np * M)) by (field; lra). unfold Rdiv.
      rewrite sqrt_mult by (try apply Rle_0_sqr; left; apply Rinv_0_lt_compat, pM).
      rewrite sqrt_square by lra. f_equal. rewrite sqrt_inv. reflexivity. }
    rewrite E. field. lra. }
  eapply with_probability_weaken; [apply Rle_refl| |apply (first_of _ (fledge_history P p K b data T) _ _ L)].
  intros o [st [Pst [past [Pp e]]]] H I1 J1 t _ U. unfold I1, J1. clear I1 J1. simpl in e. subst o.
  destruct st as [I0 J]. cbn [fst snd] in *.
  destruct Pst as [I0' [PI [J' [PJ e]]]]. simpl in e. injection e as E1 E2. subst I0' J'.
  replace (vsum_in P U (fun i => sub (row I0 J i) (asked I0))) with (scale (size P U) (start_noise I0 J)).
  2:{ vector_eq u. rewrite ip_vsum_in. rewrite (sum_ext P _ (fun i => ip (start_noise I0 J) u * ind U i)).
      - rewrite sum_mul. unfold size. ring.
      - intros i _. rewrite (start_noise_is b P p K Hp HK Hb data grad x0 enough_data nu Hnu I0 J i PJ). ring. }
  assert (SU : 0 <= size P U) by (apply sum_nonneg; intros; apply ind_bounds).
  assert (k0 : 0 <= / NP * size P U) by (apply Rmult_le_pos; [left; apply Rinv_0_lt_compat; lra|assumption]).
  replace (over P (scale (size P U) (start_noise I0 J))) with (scale (/ NP * size P U) (start_noise I0 J))
    by (vector_eq u; ring).
  rewrite norm_scale, Rabs_right by lra.
  replace (size P U / NP * (sigma + 2 * G_ * sqrt (ln (/ nu) / 2)) / sqrt (Np * M)) with (/ NP * size P U * far)
    by (unfold far; field; lra).
  apply Rmult_le_compat_l; assumption.
Qed.

(* Option II *)
Hypothesis HT : (1 <= T)%nat.
Theorem lemma_27_option_II_sharper :
  with_probability (fledge_history_II P p K b data T) (1 - nu) (fun o => let J0 := fst o in
    forall t, (1 <= t <= T)%nat -> let U := unasked t (snd o) in
    norm (over P (vsum_in P U (fun i => sub (table (fledge_start_II K b data grad x0 J0) i) (G i x0))))
    <= sqrt (size P U / NP) * (sigma + 2 * G_ * sqrt (ln (INR T / nu) / 2)) / sqrt (NP * M)).
Proof.
  destruct start_sizes as [P1 [[p1 pP] [M1 g0]]].
  assert (T1 : 1 <= INR T) by (change 1 with (INR 1); apply le_INR; assumption).
  set (delta := nu / INR T).
  assert (Hd : 0 < delta < 1).
  { unfold delta. split; [apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra]|].
    apply Rmult_lt_reg_r with (INR T); [lra|]. replace (nu / INR T * INR T) with nu by (field; lra). lra. }
  assert (id : / delta = INR T / nu) by (unfold delta; field; lra).
  set (bound := fun U => / NP * (sigma + 2 * G_ * sqrt (ln (/ delta) / 2)) * sqrt (size P U / M)).
  set (share := fun (J : nat -> batch) i => over (K * b) (vsum_in (data i) (J i) (fun j => scale (/ NP) (dev i j)))).
  set (far := fun J U => exceeds (bound U) (norm (vsum_in P U (share J)))).
  assert (iP : 0 <= / NP) by (left; apply Rinv_0_lt_compat; lra).
  assert (One : forall s, (s < T)%nat -> with_probability (fledge_history_II P p K b data T) (1 - delta) (fun o =>
    norm (vsum_in P (unasked (S s) (snd o)) (share (fst o))) <= bound (unasked (S s) (snd o)))).
  { intros s Hs. apply (unless _ (fun o => far (fst o) (unasked (S s) (snd o)))).
    2:{ intros o _ e. apply exceeds_false, e. }
    unfold fledge_history_II, fledge_from, probability. rewrite Ex_bind.
    rewrite (Ex_ext _ _ (fun J => Ex (sledge_history P p T) (fun sets =>
      if far J (undrawn 1 (at_time (S s) sets)) then 1 else 0))).
    - rewrite Ex_history_swap by exact HpP. apply Ex_at_most. intros sets _.
      set (U := undrawn 1 (at_time (S s) sets)).
      apply (rare_of _ _ _ (fun J => far J U) (deviations_norm (/ NP) delta U iP Hd)).
      intros J _ Q. unfold far, exceeds, bound. destruct (Rlt_dec _ _) as [r|r]; [exfalso; apply (Rlt_not_le _ _ r), Q|].
      reflexivity.
    - intros J _. rewrite <- (Ex_clients P p K b data T (fun sets => if far J (undrawn 1 (at_time (S s) sets)) then 1
        else 0)). rewrite Ex_bind. apply Ex_ext. intros past _. cbn [Ex sure fst snd]. rewrite map_at_time.
      reflexivity. }
  eapply with_probability_weaken; [| |apply (union_bound_many _ T delta _ One)].
  - right. unfold delta. field. lra.
  - intros o Po H J0 t [t1 Ht] U. destruct t as [|s]; [lia|]. specialize (H s ltac:(lia)). cbv beta in H. fold U in H.
    assert (PJ : possible (fresh_law P data (K * b)) J0).
    { destruct Po as [J' [PJ [past [_ e]]]]. simpl in e. unfold J0. rewrite e. exact PJ. }
    replace (over P (vsum_in P U (fun i => sub (table (fledge_start_II K b data grad x0 J0) i) (G i x0))))
      with (vsum_in P U (share J0)).
    2:{ vector_eq u. rewrite !ip_vsum_in, <- sum_mul. apply sum_ext. intros i Hi.
      pose proof (family_possible none P _ J0 i PJ Hi) as Pi. cbv beta in Pi.
      pose proof (uniform_size (data i) (K * b) (J0 i) (enough_data i Hi) Pi) as Sz.
      unfold share. cbn [fledge_start_II table snd]. unfold fresh_gradient, data_mean. products. rewrite !ip_vsum_in.
      rewrite (sum_ext (data i) (fun j => ind (J0 i) j * ip (scale (/ NP) (dev i j)) u)
        (fun j => / NP * (ind (J0 i) j * ip (grad i j x0) u) - / NP * ip (G i x0) u * ind (J0 i) j))
        by (intros; products; ring).
      rewrite sum_sub, !sum_mul, Sz. field. lra. }
    eapply Rle_trans; [exact H|]. unfold bound. rewrite id.
    assert (SU : 0 <= size P U) by (apply sum_nonneg; intros; apply ind_bounds).
    assert (E : sqrt (size P U / M) = NP * (sqrt (size P U / NP) / sqrt (NP * M))).
    { assert (PM : 0 < NP * M) by (apply Rmult_lt_0_compat; lra).
      replace (size P U / M) with (NP * NP * (size P U / NP * / (NP * M))) by (field; lra).
      assert (i1 : 0 <= / (NP * M)) by (left; apply Rinv_0_lt_compat, PM).
      assert (i2 : 0 <= size P U / NP) by (apply Rmult_le_pos; assumption).
      rewrite (sqrt_mult (NP * NP)) by (try apply Rle_0_sqr; apply Rmult_le_pos; assumption).
      rewrite (sqrt_square NP), (sqrt_mult (size P U / NP)) by (assumption || lra). rewrite sqrt_inv. reflexivity. }
    rewrite E. right. field. split; [|lra]. apply Rgt_not_eq, sqrt_lt_R0, Rmult_lt_0_compat; lra.
Qed.
End Start.

(* ---- The changes of a round (lines 2308-2314) ---- *)

Section Changes.
Context {V : space}.
Variables (b P p T K : nat).
Hypothesis Hp : (1 <= p)%nat.
Hypothesis HpP : (p <= P)%nat.
Hypothesis HK : (1 <= K)%nat.
Hypothesis Hb : (1 <= b)%nat.
Hypothesis HT : (1 <= T)%nat.
Variables (data : nat -> nat) (grad : nat -> nat -> V -> V) (L nu : R).
Hypothesis enough_data : forall i, (i < P)%nat -> (K * b <= data i)%nat.
Hypothesis L0 : 0 <= L.
Hypothesis lip : data_lipschitz P data grad L.
Hypothesis Hnu : 0 < nu < 1.
Variables (eta : R) (noise : list round -> nat -> list batch -> V) (start : V * (nat -> V)).
Notation G := (client_gradient data grad).
Notation Np := (INR p).
Notation M := (INR (K * b)).
Notation run := (fledge P p K b eta noise data grad start).
Notation moved i j x' x := (sub (sub (grad i j x') (grad i j x)) (sub (G i x') (G i x))).
Definition round_deviations (I : batch) (J : nat -> batch) (x' x : V) : V :=
  vsum_in P I (fun i => vsum_in (data i) (J i) (fun j => moved i j x' x)).
Lemma moved_is i x' x j : (i < P)%nat ->
  moved i j x' x = sub (sub (grad i j x') (grad i j x)) (average_vector (data i) (fun j => sub (grad i j x') (grad i j x))).
Proof.
  intro Hi. unfold average_vector, client_gradient, gradient. vector_eq u. rewrite !ip_vsum.
  rewrite (sum_ext (data i) (fun j => ip (sub (grad i j x') (grad i j x)) u)
    (fun j => ip (grad i j x') u - ip (grad i j x) u)) by (intros; products; ring).
  rewrite sum_sub. ring.
Qed.
Lemma one_round_norm delta I x' x : 0 < delta < 1 -> size P I = Np ->
  with_probability (fresh_law P data (K * b)) (1 - delta) (fun J =>
    norm (round_deviations I J x' x) <= (1 + sqrt (2 * ln (/ delta))) * L * sqrt (Np * M) * norm (sub x' x)).
Proof.
  intros Hd Sz. pose proof (Bb P p Hp HpP) as [p1 pP]. pose proof (M_pos K b HK Hb) as M1.
  set (d := norm (sub x' x)). assert (d0 : 0 <= d) by apply norm_nonneg.
  assert (Ld : 0 <= L * d) by (apply Rmult_le_pos; assumption).
  assert (One : forall i j, (i < P)%nat -> (j < data i)%nat -> norm (sub (grad i j x') (grad i j x)) <= L * d)
    by (intros i j Hi Hj; apply lip; assumption).
  eapply with_probability_weaken; [apply Rle_refl| |apply (samples_norm data (K * b) P (fun i j => moved i j x' x)
    (2 * (L * d)) (L * d * (L * d)) delta I)].
  - intros J _ H. rewrite Sz, sqrt_square in H by assumption.
    replace (round_deviations I J x' x) with (scale M (vsum_in P I (fun i => over (K * b) (vsum_in (data i) (J i)
      (fun j => moved i j x' x))))).
    2:{ unfold round_deviations. vector_eq u. rewrite !ip_vsum_in, <- sum_mul. apply sum_ext. intros i _. products.
        field. lra. }
    rewrite norm_scale, Rabs_right by lra. apply (Rmult_le_compat_l M) in H; [|lra].
    eapply Rle_trans; [exact H|]. right.
    assert (E1 : sqrt (Np * M) = M * sqrt (Np / M)).
    { replace (Np * M) with (M * M * (Np / M)) by (field; lra).
      assert (0 <= Np / M) by (apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]).
      rewrite (sqrt_mult (M * M)) by (apply Rle_0_sqr || assumption).
      rewrite sqrt_square by lra. reflexivity. }
    assert (Ln : 0 <= ln (/ delta)).
    { rewrite <- ln_1. apply ln_grows; [lra|]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra. }
    assert (E2 : sqrt (2 * ln (/ delta)) = 2 * sqrt (ln (/ delta) / 2)).
    { replace (2 * ln (/ delta)) with (2 * 2 * (ln (/ delta) / 2)) by field.
      rewrite sqrt_mult by lra. rewrite sqrt_square by lra. reflexivity. }
    rewrite E1, E2. ring.
  - apply Kb_1; assumption.
  - exact enough_data.
  - lra.
  - apply Rle_0_sqr.
  - exact Hd.
  - intros i Hi. assert (m1 : 1 <= INR (data i)).
    { change 1 with (INR 1). apply le_INR. specialize (enough_data i Hi). pose proof (Kb_1 K b HK Hb). lia. }
    vector_eq u. rewrite ip_vsum.
    rewrite (sum_ext (data i) _ (fun j => ip (sub (grad i j x') (grad i j x)) u
      - ip (average_vector (data i) (fun j => sub (grad i j x') (grad i j x))) u)).
    + rewrite sum_sub, sum_const. unfold average_vector. rewrite ip_over, ip_vsum. field. lra.
    + intros j _. rewrite (moved_is i x' x j Hi). apply ip_sub.
  - intros i j j' Hi Hj Hj'.
    replace (sub (moved i j x' x) (moved i j' x' x)) with (sub (sub (grad i j x') (grad i j x))
      (sub (grad i j' x') (grad i j' x))) by (vector_eq u; ring).
    pose proof (norm_sub (sub (grad i j x') (grad i j x)) (sub (grad i j' x') (grad i j' x))).
    pose proof (One i j Hi Hj). pose proof (One i j' Hi Hj'). lra.
  - intros i Hi. rewrite (sum_ext (data i) _ (fun j => sq (sub (sub (grad i j x') (grad i j x))
      (average_vector (data i) (fun j => sub (grad i j x') (grad i j x))))))
      by (intros; rewrite (moved_is i x' x) by assumption; reflexivity).
    eapply Rle_trans; [apply (spread_below_square (data i) (K * b) (Kb_1 K b HK Hb) (enough_data i Hi))|].
    rewrite <- sum_const. apply sum_le. intros j Hj. apply sq_le, One; assumption.
Qed.
(* For all s <= T, with probability at least 1 - nu/2 *)
Theorem one_round_changes_sharper :
  with_probability (fledge_history P p K b data T) (1 - nu / 2) (fun past => forall s, (s < T)%nat ->
    let x t := fst (run (at_time t past)) in
    norm (vsum_in P (minibatch (S s) (map clients past)) (fun i => vsum_in (data i)
      (drawn_at (fun _ => none) (at_time (S s) past) i) (fun j => moved i j (x (S s)) (x s))))
    <= (1 + sqrt (2 * ln (2 * INR T / nu))) * L * sqrt (Np * M) * norm (sub (x (S s)) (x s))).
Proof.
  assert (T1 : 1 <= INR T) by (change 1 with (INR 1); apply le_INR; assumption).
  set (delta := nu / (2 * INR T)).
  assert (Hd : 0 < delta < 1).
  { unfold delta. split; [apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra]|].
    apply Rmult_lt_reg_r with (2 * INR T); [lra|]. replace (nu / (2 * INR T) * (2 * INR T)) with nu by (field; lra). lra. }
  assert (id : / delta = 2 * INR T / nu) by (unfold delta; field; lra).
  set (k := (1 + sqrt (2 * ln (/ delta))) * L * sqrt (Np * M)).
  (* the last of these rounds *)
  set (far := fun past => match past with
    | [] => false
    | c :: before => exceeds (k * norm (sub (fst (run past)) (fst (run before))))
        (norm (round_deviations (clients c) (fresh c) (fst (run past)) (fst (run before))))
    end).
  assert (One : forall s, (s < T)%nat -> with_probability (fledge_history P p K b data T) (1 - delta)
    (fun past => far (at_time (S s) past) = false)).
  { intros s Hs. apply (unless _ (fun past => far (at_time (S s) past))); [|auto].
    unfold probability, fledge_history, history.
    rewrite (Ex_history_at (fun _ => round_law P p K b data) (S s) T (fun q => if far q then 1 else 0)) by lia.
    rewrite Ex_history_of_S. apply Ex_at_most. intros before _.
    change (Ex (index P) (fun i => Ex (history (uniform (data i) b) K) (fun Js =>
      Ex (uniform P p) (fun I => Ex (fresh_law P data (K * b)) (fun J =>
        if far ({| worker := i; local := Js; clients := I; fresh := J |} :: before) then 1 else 0)))) <= delta).
    apply Ex_at_most. intros i _. apply Ex_at_most. intros Js _. apply Ex_at_most. intros I PI.
    pose proof (uniform_size P p I HpP PI) as Sz.
    set (x' := fst (local_run b eta noise data grad before i (estimate P (run before)) (fst (run before)) Js)).
    apply (rare_of (fresh_law P data (K * b)) delta _ (fun J => far ({| worker := i; local := Js; clients := I;
      fresh := J |} :: before)) (one_round_norm delta I x' (fst (run before)) Hd Sz)).
    intros J _ Q. unfold far. cbn [clients fresh]. unfold exceeds. destruct (Rlt_dec _ _) as [r|r]; [|reflexivity].
    exfalso. apply (Rlt_not_le _ _ r). exact Q. }
  eapply with_probability_weaken; [| |apply (union_bound_many _ T delta _ One)].
  - right. unfold delta. field. lra.
  - intros past Pp H s Hs x. specialize (H s Hs). pose proof (history_length _ _ _ Pp) as Len.
    destruct (at_time_step s past ltac:(lia)) as [c Ec]. unfold x. rewrite <- id. fold k.
    unfold minibatch. rewrite <- map_at_time. rewrite Ec in *. cbn [map hd drawn_at far] in *.
    apply exceeds_false in H. exact H.
Qed.
End Changes.
