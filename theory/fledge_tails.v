(* The errors of FLEDGE's estimate with high probability (beside Lemma 24,
   lemma:Dist-First-VarianceBound, lines 2240-2257).

   Proved [fledge_tail], for all spaces, 1 <= p <= P, K, b >= 1, M = Kb data at least of each
   client, step sizes, noises: outside an event whose probability is at most nu for
   lambda = 1 + sqrt(log(5PM(T+1)/nu)/2) [fledge_good_event], at all rounds t <= T at once
       |e_t|^2 <= lambda^2 beta_t,   e_t the error of the mean of the table,
       beta_{t+1} = (1 - p/P)^2 beta_t + (S/p^2)(zeta X_t + (p/P) q_t)^2
           + (p/(P^2 M))(2 sigma + 2 ((P-p)/p) L X_t)^2,
       beta_0 = 4 sigma^2/(PM),   q_t = 4 lambda sigma/sqrt(M) + (zeta + 2 lambda L/sqrt(M)) path_t,
   X_t = |x^{t+1} - x^t| over a round, path_t the length of the path since the client refreshed that
   has not done so for longest, S = spread P p <= p; and in each local run,
   |Z_k|^2 <= lambda^2 (4L^2/b) sum_{l<k} |x^{t,l+1} - x^{t,l}|^2 for the martingale part Z of the
   local estimate.

   Proof. In a round the clients are a minibatch of p of P, and the data of each a minibatch of M of
   its own: the mean of the table makes p draws of clients and pM draws of data, each a step of the
   martingale bound of azuma.v with radii known before it. What clients are apart, q_t, is known
   only where no client's minibatch in the past was off by more than lambda times what one draw is
   off, over sqrt(M); the maximal inequality (probability.v) runs up to the first that is. *)
From Coq Require Import Reals Lra Lia List PeanoNat Bool.
From Sledge Require Import vectors means minibatches algorithms problems second_moments
  sledge_errors fledge_sampling fledge_errors.
From Sledge Require Import probability hoeffding azuma minibatch_tails coverage sledge_tails.
Import ListNotations.
Open Scope R_scope.

(* ---- Towers ---- *)

Section Towers.
Context {V : space}.
Variable theta : R.
Hypothesis Ht : 0 < theta < 2.
Notation cost := (exp (kappa theta)).

Lemma cost_pos : 0 < cost.
Proof. apply exp_pos. Qed.
Lemma proper_mono (A : V) beta beta' : proper A beta -> beta <= beta' -> proper A beta'.
Proof. intros [P1 P2] H. split; [lra|]. intro Z. apply P2. lra. Qed.
Lemma tower_mono (A : V) beta beta' : proper A beta -> beta <= beta' ->
  tower theta A beta' <= tower theta A beta.
Proof.
  intros [P1 P2] H. unfold tower. destruct (Req_EM_T (sq A) 0) as [e|e]; [lra|].
  assert (0 < beta).
  { destruct P1 as [P1|P1]; [assumption|]. destruct e. rewrite (P2 (eq_sym P1)). apply sq_zero. }
  assert (Q : theta * sq A / beta' <= theta * sq A / beta).
  { apply Rmult_le_compat_l; [apply Rmult_le_pos; [lra|apply sq_nonneg]|].
    apply Rinv_le_contravar; assumption. }
  destruct Q as [Q|Q]; [left; apply exp_increasing, Q|rewrite Q; lra].
Qed.

(* ---- The mean of M of m centred vectors that are at most D apart ---- *)

Section Sample.
Variables (m M : nat).
Hypothesis HM : (1 <= M)%nat.
Hypothesis HMm : (M <= m)%nat.
Variables (w : nat -> V) (D : R).
Hypothesis HD : 0 <= D.
Hypothesis centred : vsum m w = zero.
Hypothesis apart : forall i j, (i < m)%nat -> (j < m)%nat -> norm (sub (w i) (w j)) <= D.
Notation sample J := (over M (vsum_in m J w)).

Lemma sample_share : spread m M / (INR M * INR M) * (D * D) <= D * D / INR M.
Proof.
  pose proof (spread_bounds m M HMm) as [S0 S1].
  assert (M1 : 1 <= INR M) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (dd : 0 <= D * D) by apply Rle_0_sqr.
  replace (D * D / INR M) with (INR M / (INR M * INR M) * (D * D)) by (field; lra).
  apply Rmult_le_compat_r; [assumption|]. apply Rmult_le_compat_r; [|assumption].
  left. apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra.
Qed.
Lemma sample_proper A beta J : proper A beta -> possible (uniform m M) J ->
  proper (add A (sample J)) (beta + D * D / INR M).
Proof.
  intros PA PJ. pose proof (minibatch_proper m M HM HMm w D centred apart A beta 1 PA J PJ) as H.
  replace (scale 1 A) with A in H by (vector_eq u; ring).
  apply (proper_mono _ _ _ H). pose proof sample_share. lra.
Qed.
Lemma sample_tower A beta : proper A beta -> Ex (uniform m M) (fun J =>
    tower theta (add A (sample J)) (beta + D * D / INR M)) <= tower theta A beta + INR M * cost.
Proof.
  intro PA. eapply Rle_trans; [|apply (minibatch_step m M HM HMm w D HD centred apart A beta 1 PA
    theta Ht)].
  apply Ex_le. intros J PJ.
  pose proof (minibatch_proper m M HM HMm w D centred apart A beta 1 PA J PJ) as H.
  replace (scale 1 A) with A in * by (vector_eq u; ring).
  apply tower_mono; [exact H|]. pose proof sample_share. lra.
Qed.
Lemma sample_far l : exp (theta * (l * l)) * probability (uniform m M) (fun J =>
    exceeds (l * l * (D * D / INR M)) (sq (sample J))) <= INR M * cost.
Proof.
  assert (P0 : proper (zero : V) 0) by (split; [lra|auto]).
  pose proof (sample_tower zero 0 P0) as H. rewrite tower_zero, !Rplus_0_l in H.
  eapply Rle_trans; [|exact H]. unfold probability. rewrite <- Ex_mul. apply Ex_le. intros J PJ.
  destruct (exceeds _ _) eqn:e.
  - rewrite Rmult_1_r. apply exceeds_true in e. apply tower_outside; [assumption| |].
    + pose proof (sample_proper zero 0 J P0 PJ) as Q. rewrite Rplus_0_l in Q. exact Q.
    + replace (add zero (sample J)) with (sample J) by (vector_eq u; ring). lra.
  - rewrite Rmult_0_r. apply tower_nonneg.
Qed.
Lemma sample_norm l J : 0 <= l -> exceeds (l * l * (D * D / INR M)) (sq (sample J)) = false ->
  norm (sample J) <= l * D / sqrt (INR M).
Proof.
  intros Hl e. apply exceeds_false in e.
  assert (M1 : 0 < INR M) by (apply lt_0_INR; lia). pose proof (sqrt_lt_R0 _ M1) as s0.
  apply norm_le.
  - apply Rmult_le_pos; [apply Rmult_le_pos; assumption|left; apply Rinv_0_lt_compat, s0].
  - replace (l * D / sqrt (INR M) * (l * D / sqrt (INR M)))
      with (l * l * (D * D / (sqrt (INR M) * sqrt (INR M)))) by (field; lra).
    rewrite sqrt_sqrt by lra. exact e.
Qed.
End Sample.

(* Minibatches of n clients, each of its own data, of which those in I are added. *)
Lemma samples_tower (data : nat -> nat) M (w : nat -> nat -> V) D (I : batch) (A : V) beta :
  (1 <= M)%nat -> 0 <= D -> proper A beta -> forall n,
  (forall l, (l < n)%nat -> (M <= data l)%nat) ->
  (forall l, (l < n)%nat -> vsum (data l) (w l) = zero) ->
  (forall l i j, (l < n)%nat -> (i < data l)%nat -> (j < data l)%nat ->
    norm (sub (w l i) (w l j)) <= D) ->
  let total (J : nat -> batch) := vsum_in n I (fun l => over M (vsum_in (data l) (J l) (w l))) in
  let size := sum n (ind I) in
  Ex (fresh_law n data M) (fun J => tower theta (add A (total J)) (beta + size * (D * D / INR M)))
    <= tower theta A beta + size * (INR M * cost) /\
  forall J, possible (fresh_law n data M) J ->
    proper (add A (total J)) (beta + size * (D * D / INR M)).
Proof.
  intros HM HD PA. induction n as [|n IH]; intros Hd Hw Hap total size.
  - unfold size, total, vsum_in. cbn [sum vsum]. rewrite !Rmult_0_l, !Rplus_0_r.
    replace (add A zero) with A by (vector_eq u; ring). split; [cbn; lra|].
    intros. assumption.
  - specialize (IH ltac:(intros; apply Hd; lia) ltac:(intros; apply Hw; lia)
      ltac:(intros l i j Hl; apply Hap; lia)).
    cbv zeta in IH. destruct IH as [IH1 IH2].
    set (before := fun J : nat -> batch =>
      vsum_in n I (fun l => over M (vsum_in (data l) (J l) (w l)))) in *.
    set (c := ind I n).
    assert (E : forall a o, total (fun i => if Nat.eqb i n then o else a i)
      = add (before a) (if I n then over M (vsum_in (data n) o (w n)) else zero)).
    { intros a o. unfold total, before, vsum_in at 1. cbn [vsum]. rewrite Nat.eqb_refl. f_equal.
      unfold vsum_in. apply vsum_ext. intros i Hi. rewrite (proj2 (Nat.eqb_neq i n)) by lia.
      reflexivity. }
    assert (Sz : size = sum n (ind I) + c) by reflexivity.
    specialize (Hd n ltac:(lia)). specialize (Hw n ltac:(lia)).
    assert (Ap : forall i j, (i < data n)%nat -> (j < data n)%nat -> norm (sub (w n i) (w n j)) <= D)
      by (intros i j Hi Hj; apply Hap; [apply Nat.lt_succ_diag_r|exact Hi|exact Hj]).
    split.
    + unfold fresh_law. cbn [family]. rewrite Ex_bind.
      apply Rle_trans with (Ex (family none n (fun i => uniform (data i) M)) (fun a =>
        tower theta (add A (before a)) (beta + sum n (ind I) * (D * D / INR M))
        + c * (INR M * cost))).
      2:{ rewrite Ex_add, Ex_const, Sz, Rmult_plus_distr_r. unfold before. unfold fresh_law in IH1. lra. }
      apply Ex_le. intros a Pa. specialize (IH2 a Pa). rewrite Ex_bind.
      change (Ex (uniform (data n) M) (fun o => tower theta
        (add A (total (fun i => if Nat.eqb i n then o else a i)))
        (beta + size * (D * D / INR M)))
        <= tower theta (add A (before a)) (beta + sum n (ind I) * (D * D / INR M))
           + c * (INR M * cost)).
      rewrite (Ex_ext _ _ (fun o => tower theta (add (add A (before a))
        (if I n then over M (vsum_in (data n) o (w n)) else zero))
        (beta + sum n (ind I) * (D * D / INR M) + c * (D * D / INR M)))).
      2:{ intros o _. rewrite E, Sz. f_equal; [vector_eq u; ring|ring]. }
      unfold c, ind. destruct (I n).
      * rewrite !Rmult_1_l. apply sample_tower; assumption.
      * rewrite !Rmult_0_l, !Rplus_0_r. rewrite (Ex_ext _ _ (fun _ => tower theta
          (add A (before a)) (beta + sum n (ind I) * (D * D / INR M)))); [rewrite Ex_const; apply Rle_refl|].
        intros o _. f_equal. vector_eq u. ring.
    + intros J [a [Pa [o [Po Eq]]]]. simpl in Eq. subst J. specialize (IH2 a Pa).
      rewrite E, Sz. replace (add A (add (before a)
        (if I n then over M (vsum_in (data n) o (w n)) else zero)))
        with (add (add A (before a)) (if I n then over M (vsum_in (data n) o (w n)) else zero))
        by (vector_eq u; ring).
      replace (beta + (sum n (ind I) + c) * (D * D / INR M))
        with (beta + sum n (ind I) * (D * D / INR M) + c * (D * D / INR M)) by ring.
      unfold c, ind. destruct (I n).
      * rewrite Rmult_1_l. apply sample_proper; assumption.
      * rewrite Rmult_0_l, Rplus_0_r. replace (add (add A (before a)) zero)
          with (add A (before a)) by (vector_eq u; ring). exact IH2.
Qed.
End Towers.

(* The union bound. *)
Lemma probability_some {O} (m : mean O) (A : nat -> O -> bool) n :
  probability m (fun o => existsb (fun i => A i o) (seq 0 n)) <= sum n (fun i => probability m (A i)).
Proof.
  induction n as [|n IH]; [unfold probability; simpl; rewrite Ex_const; lra|].
  cbn [sum]. eapply Rle_trans; [|apply Rplus_le_compat_r, IH].
  eapply Rle_trans; [|apply probability_or]. apply probability_le. intros o _ H.
  rewrite seq_S, existsb_app in H. simpl in H. rewrite orb_false_r in H. exact H.
Qed.
Lemma existsb_false (A : nat -> bool) n i : existsb A (seq 0 n) = false -> (i < n)%nat -> A i = false.
Proof.
  intros H Hi. destruct (A i) eqn:e; [|reflexivity]. rewrite <- H. symmetry. apply existsb_exists.
  exists i. split; [apply in_seq; lia|exact e].
Qed.
(* What depends on the clients that refresh alone has the law of minibatches of p of the P clients. *)
Lemma Ex_clients P p K b data T (f : list batch -> R) :
  Ex (fledge_history P p K b data T) (fun past => f (map clients past)) = Ex (sledge_history P p T) f.
Proof.
  unfold fledge_history, sledge_history. revert f. induction T as [|T IH]; intro f; [reflexivity|].
  rewrite !Ex_history_S, <- IH. apply Ex_ext. intros past _. unfold round_law. rewrite Ex_bind.
  rewrite <- (Ex_const (index P) (Ex (uniform P p) (fun o => f (o :: map clients past)))). apply Ex_ext. intros i _.
  rewrite Ex_bind. rewrite <- (Ex_const (history (uniform (data i) b) K)
    (Ex (uniform P p) (fun o => f (o :: map clients past)))). apply Ex_ext. intros Js _.
  rewrite Ex_bind. apply Ex_ext. intros I _. rewrite Ex_bind.
  rewrite <- (Ex_const (fresh_law P data (K * b)) (f (I :: map clients past))). apply Ex_ext. intros J _. reflexivity.
Qed.

(* What holds of minibatches of clients holds of the clients of rounds. *)
Lemma of_clients P p K b data T q (Q : list batch -> Prop) :
  with_probability (sledge_history P p T) q Q ->
  with_probability (fledge_history P p K b data T) q (fun past => Q (map clients past)).
Proof.
  intros [A [A1 A2]]. exists (fun past => A (map clients past)). split.
  - unfold probability in *. rewrite (Ex_clients P p K b data T (fun l => if A l then 1 else 0)).
    exact A1.
  - intros past H e. apply A2; [|exact e]. clear -H. unfold fledge_history, sledge_history in *.
    revert past H. induction T as [|T IH]; intros past H; [simpl in H; subst; reflexivity|].
    destruct past as [|c past]; [apply history_length in H; discriminate|].
    apply history_possible in H. destruct H as [H1 H2]. cbn [map]. apply history_possible.
    split; [apply IH, H1|]. destruct H2 as [i' [_ [Js [_ [I [QI [J [_ QE]]]]]]]]. simpl in QE.
    subst c. exact QI.
Qed.
Lemma map_at_time {O O'} (f : O -> O') t past : map f (at_time t past) = at_time t (map f past).
Proof. unfold at_time. rewrite map_length, skipn_map. reflexivity. Qed.

(* A sample's mean less the mean of all is the mean of a sample of centred vectors. *)
Section Centred.
Context {V : space}.
Variables (m M : nat).
Hypothesis HM : (1 <= M)%nat.
Hypothesis HMm : (M <= m)%nat.
Variable a : nat -> V.
Definition centre (j : nat) : V := sub (a j) (average_vector m a).
Lemma centre_zero : vsum m centre = zero.
Proof.
  pose proof (M_m m M HM HMm). vector_eq w. rewrite ip_vsum. unfold centre.
  rewrite (sum_ext m _ (fun i => ip (a i) w - ip (average_vector m a) w)) by (intros; products;
    reflexivity).
  rewrite sum_sub, sum_const. unfold average_vector. rewrite ip_over, ip_vsum. field. lra.
Qed.
Lemma centre_apart D i j : norm (sub (a i) (a j)) <= D -> norm (sub (centre i) (centre j)) <= D.
Proof.
  intro H. unfold centre. replace (sub _ _) with (sub (a i) (a j)) by (vector_eq w; ring). exact H.
Qed.
Lemma centre_sample J : possible (uniform m M) J ->
  sub (over M (vsum_in m J a)) (average_vector m a) = over M (vsum_in m J centre).
Proof.
  intro PJ. pose proof (M_m m M HM HMm). pose proof (uniform_size m M J HMm PJ) as Sz.
  vector_eq w. rewrite !ip_vsum_in. unfold centre.
  rewrite (sum_ext m (fun j => ind J j * ip (sub (a j) (average_vector m a)) w)
    (fun j => ind J j * ip (a j) w - ip (average_vector m a) w * ind J j)) by (intros; products;
      ring).
  rewrite sum_sub, sum_mul, Sz. field. lra.
Qed.
End Centred.

(* ---- FLEDGE ---- *)

Section Tails.
Context {V : space}.
Variables (P p K b : nat).
Hypothesis Hp : (1 <= p)%nat.
Hypothesis HpP : (p <= P)%nat.
Hypothesis HK : (1 <= K)%nat.
Hypothesis Hb : (1 <= b)%nat.
Variables (data : nat -> nat) (grad : nat -> nat -> V -> V) (L zeta sigma : R).
Hypothesis enough_data : forall i, (i < P)%nat -> (K * b <= data i)%nat.
Hypothesis L0 : 0 <= L.
Hypothesis zeta0 : 0 <= zeta.
Hypothesis sigma0 : 0 <= sigma.
Hypothesis lip : data_lipschitz P data grad L.
Hypothesis het : heterogeneous P (client_gradient data grad) zeta.
Hypothesis bounded : data_bounded P data grad sigma.
Variables (eta : R) (noise : list round -> nat -> list batch -> V) (start : V * (nat -> V)).
Notation NP := (INR P).
Notation Np := (INR p).
Notation M := (INR (K * b)).
Notation G := (client_gradient data grad).
Notation run := (fledge P p K b eta noise data grad start).
Notation row_err := (row_error G).
Notation fresh_err := (fresh_error K b data grad).
Notation change_err := (change_error K b data grad).
Variables theta l : R.
Hypothesis Htheta : 0 < theta < 2.
Hypothesis Hl : 0 <= l.
Notation cost := (exp (kappa theta)).
Notation height := (exp (theta * (l * l))).

Lemma Kb_1 : (1 <= K * b)%nat.
Proof. clear - HK Hb. nia. Qed.

(* ---- What a client draws ---- *)

Lemma fresh_is x' i J : (i < P)%nat -> possible (uniform (data i) (K * b)) J ->
  fresh_err x' i J
  = over (K * b) (vsum_in (data i) J (centre (data i) (fun j => grad i j x'))).
Proof.
  intros Hi PJ. apply (centre_sample (data i) (K * b) Kb_1 (enough_data i Hi)); exact PJ.
Qed.
Lemma change_is x x' i J : (i < P)%nat -> possible (uniform (data i) (K * b)) J ->
  change_err x x' i J = over (K * b) (vsum_in (data i) J
    (centre (data i) (fun j => sub (grad i j x') (grad i j x)))).
Proof.
  intros Hi PJ. unfold change_error. rewrite (change_average P data grad x x' i Hi).
  apply (centre_sample (data i) (K * b) Kb_1 (enough_data i Hi)); exact PJ.
Qed.
Lemma fresh_apart x' i j j' : (i < P)%nat -> (j < data i)%nat -> (j' < data i)%nat ->
  norm (sub (grad i j x') (grad i j' x')) <= 2 * sigma.
Proof.
  intros Hi Hj Hj'. pose proof (norm_le _ sigma sigma0 (bounded i j x' Hi Hj)).
  pose proof (norm_le _ sigma sigma0 (bounded i j' x' Hi Hj')).
  replace (sub (grad i j x') (grad i j' x')) with (sub (sub (grad i j x') (G i x'))
    (sub (grad i j' x') (G i x'))) by (vector_eq w; ring).
  eapply Rle_trans; [apply norm_sub|]. lra.
Qed.
Lemma change_apart x x' i j j' : (i < P)%nat -> (j < data i)%nat -> (j' < data i)%nat ->
  norm (sub (sub (grad i j x') (grad i j x)) (sub (grad i j' x') (grad i j' x)))
  <= 2 * (L * norm (sub x' x)).
Proof.
  intros Hi Hj Hj'. eapply Rle_trans; [apply norm_sub|].
  pose proof (lip i j Hi Hj x' x). pose proof (lip i j' Hi Hj' x' x). lra.
Qed.

(* A minibatch of a client is off by more than l times what one draw is, over sqrt(M). *)
Definition sample_bad (x x' : V) (J : nat -> batch) : bool :=
  existsb (fun i => exceeds (l * l * (2 * sigma * (2 * sigma) / M)) (sq (fresh_err x' i (J i))))
    (seq 0 P)
  || existsb (fun i => exceeds (l * l * (2 * (L * norm (sub x' x)) * (2 * (L * norm (sub x' x))) / M))
       (sq (change_err x x' i (J i)))) (seq 0 P).
Definition fresh_radius : R := l * (2 * sigma) / sqrt M.
Definition change_radius : R := l * (2 * L) / sqrt M.

Lemma L_move (x x' : V) : 0 <= 2 * (L * norm (sub x' x)).
Proof. pose proof (norm_nonneg (sub x' x)). assert (0 <= L * norm (sub x' x)) by
  (apply Rmult_le_pos; assumption). lra. Qed.
Lemma all_clients (A : nat -> batch -> bool) :
  (forall i, (i < P)%nat -> height * probability (uniform (data i) (K * b)) (A i) <= M * cost) ->
  height * probability (fresh_law P data (K * b)) (fun J => existsb (fun i => A i (J i)) (seq 0 P))
  <= NP * (M * cost).
Proof.
  intro H. pose proof (exp_pos (theta * (l * l))) as h0.
  eapply Rle_trans; [apply Rmult_le_compat_l; [lra|apply probability_some]|].
  rewrite <- sum_mul, <- sum_const. apply sum_le. intros i Hi. specialize (H i Hi).
  eapply Rle_trans; [|exact H]. right. f_equal. unfold probability.
  apply (Ex_family_one none P (fun i => uniform (data i) (K * b)) i
    (fun o => if A i o then 1 else 0) Hi).
Qed.
Lemma fresh_rare x' : height * probability (fresh_law P data (K * b)) (fun J =>
    existsb (fun i => exceeds (l * l * (2 * sigma * (2 * sigma) / M)) (sq (fresh_err x' i (J i))))
      (seq 0 P)) <= NP * (M * cost).
Proof.
  apply (all_clients (fun i o => exceeds (l * l * (2 * sigma * (2 * sigma) / M))
    (sq (fresh_err x' i o)))). intros i Hi.
  eapply Rle_trans; [|apply (sample_far theta Htheta (data i) (K * b) Kb_1 (enough_data i Hi)
    (centre (data i) (fun j => grad i j x')) (2 * sigma))].
  - right. f_equal. apply Ex_ext. intros o Po. rewrite fresh_is by assumption. reflexivity.
  - lra.
  - apply (centre_zero (data i) (K * b) Kb_1 (enough_data i Hi)).
  - intros j j' Hj Hj'. apply centre_apart, fresh_apart; assumption.
Qed.
Lemma sample_rare x x' :
  height * probability (fresh_law P data (K * b)) (sample_bad x x') <= 2 * (NP * (M * cost)).
Proof.
  pose proof (exp_pos (theta * (l * l))) as h0. pose proof (fresh_rare x') as F.
  set (d := 2 * (L * norm (sub x' x))) in *.
  assert (Cg : height * probability (fresh_law P data (K * b)) (fun J =>
    existsb (fun i => exceeds (l * l * (d * d / M)) (sq (change_err x x' i (J i)))) (seq 0 P))
    <= NP * (M * cost)).
  { apply (all_clients (fun i o => exceeds (l * l * (d * d / M)) (sq (change_err x x' i o)))).
    intros i Hi. eapply Rle_trans; [|apply (sample_far theta Htheta (data i) (K * b) Kb_1
      (enough_data i Hi) (centre (data i) (fun j => sub (grad i j x') (grad i j x))) d)].
    - right. f_equal. apply Ex_ext. intros o Po. rewrite change_is by assumption. reflexivity.
    - apply L_move.
    - apply (centre_zero (data i) (K * b) Kb_1 (enough_data i Hi)).
    - intros j j' Hj Hj'. apply centre_apart, change_apart; assumption. }
  unfold sample_bad. fold d.
  eapply Rle_trans; [apply Rmult_le_compat_l; [lra|apply probability_or]|]. lra.
Qed.
Lemma sample_good x x' J i : sample_bad x x' J = false -> possible (fresh_law P data (K * b)) J ->
  (i < P)%nat -> norm (fresh_err x' i (J i)) <= fresh_radius /\
    norm (change_err x x' i (J i)) <= change_radius * norm (sub x' x).
Proof.
  intros H PJ Hi. apply orb_false_iff in H. destruct H as [H1 H2].
  pose proof (existsb_false _ P i H1 Hi) as F. pose proof (existsb_false _ P i H2 Hi) as C.
  cbv beta in F, C. pose proof (family_possible none P _ J i PJ Hi) as Pi. cbv beta in Pi.
  pose proof (M_pos K b HK Hb) as M1. pose proof (sqrt_lt_R0 M ltac:(lra)).
  rewrite (fresh_is x' i (J i) Hi Pi) in *. rewrite (change_is x x' i (J i) Hi Pi) in *. split.
  - apply (sample_norm (data i) (K * b) Kb_1 (enough_data i Hi) _ (2 * sigma)); [lra|assumption|exact F].
  - eapply Rle_trans; [apply (sample_norm (data i) (K * b) Kb_1 (enough_data i Hi) _
      (2 * (L * norm (sub x' x))) (L_move x x') l (J i) Hl C)|]. right. unfold change_radius. field. lra.
Qed.

(* ---- The local steps ---- *)

Section Local.
Variables (past : list round) (s : V * (nat -> V)) (i : nat).
Hypothesis Hi : (i < P)%nat.
Notation Z := (local_noise P b data grad eta noise past s i).
Notation moved := (local_moved P b data grad eta noise past s i).
Fixpoint local_beta (Js : list batch) : R :=
  match Js with [] => 0 | _ :: before => local_beta before + 4 * (L * L) / INR b * moved before end.
Definition local_far (Js : list batch) : bool := exceeds (l * l * local_beta Js) (sq (Z Js)).

Lemma b_data_i : (b <= data i)%nat.
Proof. specialize (enough_data i Hi). clear - enough_data HK Hb. nia. Qed.
Lemma local_draw J Js : possible (uniform (data i) b) J -> let a j := sub
    (grad i j (local_next P b data grad eta noise past s i Js))
    (grad i j (local_x P b data grad eta noise past s i Js)) in
  Z (J :: Js) = add (Z Js) (over b (vsum_in (data i) J (centre (data i) a))).
Proof.
  intros PJ a. rewrite <- (centre_sample (data i) b Hb b_data_i a J PJ).
  assert (Avg : average_vector (data i) a = sub (G i (local_next P b data grad eta noise past s i Js))
    (G i (local_x P b data grad eta noise past s i Js)))
    by (symmetry; apply (change_average P data grad); exact Hi).
  rewrite Avg. unfold local_noise. rewrite local_x_step.
  change (snd (local_state P b data grad eta noise past s i (J :: Js)))
    with (add (snd (local_state P b data grad eta noise past s i Js))
      (over b (vsum_in (data i) J a))).
  set (g := over b (vsum_in (data i) J a)).
  set (z := snd (local_state P b data grad eta noise past s i Js)). vector_eq w. ring.
Qed.
Lemma local_pieces Js : let a j := sub (grad i j (local_next P b data grad eta noise past s i Js))
    (grad i j (local_x P b data grad eta noise past s i Js)) in
  let D := 2 * (L * norm (sub (local_next P b data grad eta noise past s i Js)
    (local_x P b data grad eta noise past s i Js))) in
  0 <= D /\ vsum (data i) (centre (data i) a) = zero /\
  (forall j j', (j < data i)%nat -> (j' < data i)%nat ->
    norm (sub (centre (data i) a j) (centre (data i) a j')) <= D) /\
  D * D / INR b = 4 * (L * L) / INR b * moved Js.
Proof.
  intros a D. split; [apply L_move|]. split; [apply (centre_zero (data i) b Hb b_data_i)|].
  split; [intros j j' Hj Hj'; apply centre_apart, change_apart; assumption|].
  unfold D, local_moved. rewrite <- norm_sq. assert (0 < INR b) by (apply lt_0_INR; lia).
  field. lra.
Qed.
Lemma local_proper k Js : possible (history (uniform (data i) b) k) Js -> proper (Z Js) (local_beta Js).
Proof.
  revert Js. induction k as [|k IH]; intros Js Q.
  - simpl in Q. subst Js. split; [simpl; lra|]. intros _. unfold local_noise.
    cbn [local_state local_run local_x fst snd]. vector_eq w. ring.
  - pose proof (history_length _ _ _ Q) as Len. destruct Js as [|J Js]; [discriminate|].
    apply history_possible in Q. destruct Q as [Q QJ]. rewrite (local_draw J Js QJ).
    destruct (local_pieces Js) as [d0 [c0 [ap De]]]. cbn [local_beta]. rewrite <- De.
    apply (sample_proper (data i) b Hb b_data_i _ _ c0 ap); [apply IH, Q|exact QJ].
Qed.
Lemma local_rare : height * probability (history (uniform (data i) b) K) (ever local_far)
  <= M * cost.
Proof.
  pose proof (exp_pos (kappa theta)) as k0. pose proof (pos_INR b) as b0.
  pose proof (maximal_inequality (fun _ => uniform (data i) b)
    (fun Js => tower theta (Z Js) (local_beta Js)) local_far (fun _ => INR b * cost) height K) as H.
  cbv beta in H. rewrite sum_const in H.
  assert (Z0 : Z [] = zero).
  { unfold local_noise. cbn [local_state local_run local_x fst snd]. vector_eq w. ring. }
  rewrite Z0, tower_zero, Rplus_0_l in H. rewrite mult_INR, Rmult_assoc. apply H.
  - intros. apply tower_nonneg.
  - intros k Js Q e. apply tower_outside; [assumption|apply (local_proper k), Q|].
    apply exceeds_true, e.
  - intros k Js _ Q _. destruct (local_pieces Js) as [d0 [c0 [ap De]]].
    rewrite (Ex_ext _ _ (fun J => tower theta (add (Z Js) (over b (vsum_in (data i) J
      (centre (data i) (fun j => sub (grad i j (local_next P b data grad eta noise past s i Js))
        (grad i j (local_x P b data grad eta noise past s i Js)))))))
      (local_beta Js + (2 * (L * norm (sub (local_next P b data grad eta noise past s i Js)
        (local_x P b data grad eta noise past s i Js))))
        * (2 * (L * norm (sub (local_next P b data grad eta noise past s i Js)
        (local_x P b data grad eta noise past s i Js)))) / INR b))).
    2:{ intros J PJ. rewrite (local_draw J Js PJ). cbn [local_beta]. rewrite De. reflexivity. }
    apply (sample_tower theta Htheta (data i) b Hb b_data_i _ _ d0 c0 ap), (local_proper k), Q.
  - intros. apply Rmult_le_pos; lra.
Qed.
End Local.

(* ---- A refresh ---- *)

Lemma mean_in_ball I (a : nat -> V) (u : V) r : possible (uniform P p) I ->
  (forall i, (i < P)%nat -> norm (sub (a i) u) <= r) -> norm (sub (over p (vsum_in P I a)) u) <= r.
Proof.
  intros PI H. pose proof (uniform_size P p I HpP PI) as Sz. pose proof (Bb P p Hp HpP) as [p1 _].
  replace (sub (over p (vsum_in P I a)) u) with (over p (vsum_in P I (fun i => sub (a i) u))).
  2:{ vector_eq w. rewrite !ip_vsum_in.
      rewrite (sum_ext P _ (fun j => ind I j * ip (a j) w - ip u w * ind I j)) by (intros;
        products; ring).
      rewrite sum_sub, sum_mul, Sz. field. lra. }
  rewrite norm_over. apply Rmult_le_reg_l with Np; [lra|].
  rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra.
  eapply Rle_trans; [apply norm_vsum|]. rewrite <- Sz, Rmult_comm, <- sum_mul. apply sum_le.
  intros i Hi. unfold ind. destruct (I i); [|rewrite norm_zero; lra]. rewrite Rmult_1_r.
  apply H, Hi.
Qed.
Lemma centred_change_apart x x' i j : (i < P)%nat -> (j < P)%nat ->
  norm (sub (change P G x x' i) (change P G x x' j)) <= zeta * norm (sub x' x).
Proof.
  intros Hi Hj. unfold change.
  replace (sub _ _) with (sub (sub (G i x') (G j x')) (sub (G i x) (G j x)))
    by (vector_eq w; ring).
  apply (het i j Hi Hj x' x).
Qed.

(* How far apart the parts of clients and those of data are, over a step of length X. *)
Definition client_spread (X w : R) : R := zeta * X + Np / NP * w.
Definition data_spread (X : R) : R := / NP * (2 * sigma + (NP - Np) / Np * (2 * (L * X))).
Definition next_beta (beta X w : R) : R :=
  (1 - Np / NP) * (1 - Np / NP) * beta
  + spread P p / (Np * Np) * (client_spread X w * client_spread X w)
  + Np * (data_spread X * data_spread X / M).
Definition data_part (x x' : V) (i j : nat) : V := scale (/ NP)
  (add (centre (data i) (fun j => grad i j x') j)
    (scale ((NP - Np) / Np) (centre (data i) (fun j => sub (grad i j x') (grad i j x)) j))).

Lemma extra_is x x' I J : possible (fresh_law P data (K * b)) J ->
  over P (vsum_in P I (fun i => extra P p K b data grad x x' i (J i)))
  = vsum_in P I (fun i => over (K * b) (vsum_in (data i) (J i) (data_part x x' i))).
Proof.
  intro PJ. pose proof (Nn P p Hp HpP) as P1. vector_eq w. rewrite !ip_vsum_in, <- sum_mul.
  apply sum_ext. intros i Hi. pose proof (family_possible none P _ J i PJ Hi) as Pi. cbv beta in Pi.
  unfold extra. rewrite (fresh_is x' i (J i) Hi Pi), (change_is x x' i (J i) Hi Pi). products.
  rewrite !ip_vsum_in. unfold data_part.
  rewrite (sum_ext (data i) (fun j => ind (J i) j * ip (scale (/ NP) _) w)
    (fun j => / NP * (ind (J i) j * ip (centre (data i) (fun j => grad i j x') j) w)
      + / NP * ((NP - Np) / Np) * (ind (J i) j
        * ip (centre (data i) (fun j => sub (grad i j x') (grad i j x)) j) w)))
    by (intros; products; ring).
  rewrite sum_add, !sum_mul. ring.
Qed.
Lemma refresh_tower s x' beta w : proper (error P G s) beta -> 0 <= w ->
  (forall i j, (i < P)%nat -> (j < P)%nat -> norm (sub (row_err s i) (row_err s j)) <= w) ->
  let beta' := next_beta beta (norm (sub x' (fst s))) w in
  Ex (uniform P p) (fun I => Ex (fresh_law P data (K * b)) (fun J =>
    tower theta (error P G (refresh P p K b data grad s x' I J)) beta'))
  <= tower theta (error P G s) beta + (Np + Np * M) * cost /\
  forall I J, possible (uniform P p) I -> possible (fresh_law P data (K * b)) J ->
    proper (error P G (refresh P p K b data grad s x' I J)) beta'.
Proof.
  intros Pe Hw Ap beta'. set (x := fst s). set (X := norm (sub x' x)).
  pose proof (Nn P p Hp HpP) as P1. pose proof (Bb P p Hp HpP) as [p1 pP].
  pose proof (BN_1 P p Hp HpP) as [q0 q1]. pose proof (norm_nonneg (sub x' x)) as X0. fold X in X0.
  set (z := row_err s). set (c := change P G x x'). set (e := error P G s).
  assert (Ce : vsum P c = zero) by apply (change_centred P p Hp HpP).
  set (parts := row_parts P p z c). set (Ds := client_spread X w). set (De := data_spread X).
  assert (LX : 0 <= L * X) by (apply Rmult_le_pos; assumption).
  assert (Ds0 : 0 <= Ds).
  { unfold Ds, client_spread. assert (0 <= zeta * X) by (apply Rmult_le_pos; assumption).
    assert (0 <= Np / NP * w) by (apply Rmult_le_pos; lra). lra. }
  assert (cp : 0 <= (NP - Np) / Np).
  { apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]. }
  assert (De0 : 0 <= De).
  { unfold De, data_spread. apply Rmult_le_pos; [left; apply Rinv_0_lt_compat; lra|].
    assert (0 <= (NP - Np) / Np * (2 * (L * X))) by (apply Rmult_le_pos; lra). lra. }
  assert (Pc : vsum P parts = zero) by (apply (row_parts_centred P p Hp HpP), Ce).
  assert (Pa : forall i j, (i < P)%nat -> (j < P)%nat -> norm (sub (parts i) (parts j)) <= Ds).
  { intros i j Hi Hj. apply (row_parts_apart P p Hp HpP); [|apply Ap; assumption].
    apply centred_change_apart; assumption. }
  assert (Ez : e = mean_of P z) by apply error_is_mean.
  set (beta1 := (1 - Np / NP) * (1 - Np / NP) * beta + spread P p / (Np * Np) * (Ds * Ds)).
  set (A := fun I => add (scale (1 - Np / NP) e) (over p (vsum_in P I parts))).
  assert (PA : forall I, possible (uniform P p) I -> proper (A I) beta1)
    by (intros I PI; apply (minibatch_proper P p Hp HpP parts Ds Pc Pa e beta _ Pe I PI)).
  set (total := fun (I : batch) (J : nat -> batch) =>
    vsum_in P I (fun i => over (K * b) (vsum_in (data i) (J i) (data_part x x' i)))).
  assert (Er : forall I J, possible (uniform P p) I -> possible (fresh_law P data (K * b)) J ->
    error P G (refresh P p K b data grad s x' I J) = add (A I) (total I J)).
  { intros I J PI PJ. rewrite error_is_mean, (refreshed_error P p K b Hp HpP data grad s x' I J PI).
    unfold total. rewrite <- (extra_is x x' I J PJ). f_equal. unfold A. rewrite Ez.
    apply (new_row_mean P p Hp HpP z c Ce I PI). }
  assert (St : forall I, possible (uniform P p) I ->
    Ex (fresh_law P data (K * b)) (fun J => tower theta (add (A I) (total I J)) beta')
    <= tower theta (A I) beta1 + Np * (M * cost) /\
    forall J, possible (fresh_law P data (K * b)) J -> proper (add (A I) (total I J)) beta').
  { intros I PI. pose proof (samples_tower theta Htheta data (K * b) (data_part x x') De I (A I) beta1
      Kb_1 De0 (PA I PI) P enough_data) as H.
    cbv zeta in H. rewrite (uniform_size P p I HpP PI) in H.
    change (beta1 + Np * (De * De / M)) with beta' in H. apply H.
    - intros i Hi. vector_eq u. rewrite ip_vsum. unfold data_part.
      rewrite (sum_ext (data i) _ (fun j => / NP * ip (centre (data i) (fun j => grad i j x') j) u
        + / NP * ((NP - Np) / Np) * ip (centre (data i)
          (fun j => sub (grad i j x') (grad i j x)) j) u)) by (intros; products; ring).
      rewrite sum_add, !sum_mul, <- !ip_vsum,
        !(centre_zero (data i) (K * b) Kb_1 (enough_data i Hi)), ip_zero. ring.
    - intros i j j' Hi Hj Hj'. unfold data_part.
      set (f1 := centre (data i) (fun j => grad i j x')).
      set (f2 := centre (data i) (fun j => sub (grad i j x') (grad i j x))).
      replace (sub _ _) with (scale (/ NP) (add (sub (f1 j) (f1 j')) (scale ((NP - Np) / Np)
        (sub (f2 j) (f2 j'))))) by (vector_eq u; ring).
      rewrite norm_scale, Rabs_right by (apply Rle_ge; left; apply Rinv_0_lt_compat; lra).
      unfold De, data_spread. apply Rmult_le_compat_l; [left; apply Rinv_0_lt_compat; lra|].
      eapply Rle_trans; [apply norm_add|]. apply Rplus_le_compat.
      + apply centre_apart, fresh_apart; assumption.
      + rewrite norm_scale, Rabs_right by lra. apply Rmult_le_compat_l; [assumption|].
        apply centre_apart, change_apart; assumption. }
  split.
  - apply Rle_trans with (Ex (uniform P p) (fun I => tower theta (A I) beta1 + Np * (M * cost))).
    + apply Ex_le. intros I PI. eapply Rle_trans; [|apply (proj1 (St I PI))].
      right. apply Ex_ext. intros J PJ. rewrite Er by assumption. reflexivity.
    + rewrite Ex_add, Ex_const.
      pose proof (minibatch_step P p Hp HpP parts Ds Ds0 Pc Pa e beta (1 - Np / NP) Pe theta Htheta)
        as H. fold beta1 in H. fold e. unfold A. lra.
  - intros I J PI PJ. rewrite Er by assumption. apply (proj2 (St I PI) J PJ).
Qed.

(* ---- A run ---- *)

(* |x^t - x^{t-1}| over the last round, the length of the path over the last k, the ages of rows. *)
Definition step_length (past : list round) : R :=
  match past with [] => 0 | _ :: before => norm (sub (fst (run past)) (fst (run before))) end.
Fixpoint travelled (k : nat) (past : list round) : R :=
  match k, past with S k', _ :: before => step_length past + travelled k' before | _, _ => 0 end.
Definition row_age (past : list round) : nat -> nat := age (map clients past).
Definition reach (k : nat) (past : list round) : R :=
  2 * fresh_radius + (zeta + change_radius) * travelled k past.
Definition round_bad (past : list round) : bool :=
  match past with
  | [] => false
  | c :: before => ever (local_far before (run before) (worker c)) (local c)
      || sample_bad (fst (run before)) (fst (run past)) (fresh c)
  end.
Variable beta0 : R.
Fixpoint table_beta (past : list round) : R :=
  match past with
  | [] => beta0
  | _ :: before =>
      next_beta (table_beta before) (step_length past) (reach (oldest P (row_age before)) before)
  end.
Definition table_far (past : list round) : bool :=
  exceeds (l * l * table_beta past) (sq (error P G (run past))).

Hypothesis start_rows : forall i, (i < P)%nat -> norm (row_err start i) <= fresh_radius.
Hypothesis start_proper : proper (error P G start) beta0.

Lemma radii : 0 <= fresh_radius /\ 0 <= change_radius.
Proof.
  pose proof (M_pos K b HK Hb) as M1. assert (s0 : 0 < / sqrt M)
    by (apply Rinv_0_lt_compat, sqrt_lt_R0; lra).
  unfold fresh_radius, change_radius.
  split; (apply Rmult_le_pos; [apply Rmult_le_pos; lra|lra]).
Qed.
Lemma step_length_nonneg past : 0 <= step_length past.
Proof. destruct past; [simpl; lra|apply norm_nonneg]. Qed.
Lemma travelled_nonneg k past : 0 <= travelled k past.
Proof.
  revert past. induction k as [|k IH]; intros [|c before]; simpl; try lra.
  pose proof (step_length_nonneg (c :: before)) as H. simpl in H. specialize (IH before). lra.
Qed.
Lemma travelled_monotone k k' past : (k <= k')%nat -> travelled k past <= travelled k' past.
Proof.
  revert k' past. induction k as [|k IH]; intros k' past H; [simpl; apply travelled_nonneg|].
  destruct k' as [|k']; [lia|]. destruct past as [|c before]; [simpl; lra|].
  cbn [travelled]. specialize (IH k' before ltac:(lia)). lra.
Qed.
Lemma reach_nonneg k past : 0 <= reach k past.
Proof.
  pose proof radii as [f0 c0]. pose proof (travelled_nonneg k past). unfold reach.
  assert (0 <= (zeta + change_radius) * travelled k past) by (apply Rmult_le_pos; lra). lra.
Qed.
Lemma reach_monotone k k' past : (k <= k')%nat -> reach k past <= reach k' past.
Proof.
  intro H. pose proof radii as [f0 c0]. pose proof (travelled_monotone k k' past H). unfold reach.
  apply Rplus_le_compat_l, Rmult_le_compat_l; lra.
Qed.
Lemma round_possible c : possible (round_law P p K b data) c -> (worker c < P)%nat /\
  possible (history (uniform (data (worker c)) b) K) (local c) /\
  possible (uniform P p) (clients c) /\ possible (fresh_law P data (K * b)) (fresh c).
Proof.
  intros [i [Qi [Js [QJ [I [QI [J [QF E]]]]]]]]. simpl in E. subst c. cbn.
  split; [apply (index_possible P); [lia|exact Qi]|auto].
Qed.
Lemma rows_reach T past : possible (fledge_history P p K b data T) past ->
  ever round_bad past = false ->
  (forall i, (i < P)%nat -> norm (row_err (run past) i)
    <= fresh_radius + (zeta + change_radius) * travelled (row_age past i) past) /\
  (forall i j, (i < P)%nat -> (j < P)%nat -> norm (sub (row_err (run past) i) (row_err (run past) j))
    <= reach (Nat.max (row_age past i) (row_age past j)) past).
Proof.
  pose proof radii as [f0 c0]. revert past. induction T as [|T IH]; intros past Q Good.
  - simpl in Q. subst past. cbn [fledge row_age map age Nat.max]. unfold reach. cbn [travelled].
    rewrite !Rmult_0_r. split.
    + intros i Hi. specialize (start_rows i Hi). lra.
    + intros i j Hi Hj. eapply Rle_trans; [apply norm_sub|].
      pose proof (start_rows i Hi). pose proof (start_rows j Hj). lra.
  - pose proof (history_length _ _ _ Q) as Len. destruct past as [|c before]; [discriminate|].
    apply history_possible in Q. destruct Q as [Q Qc].
    destruct (round_possible c Qc) as [_ [_ [PI PJ]]].
    cbn [ever] in Good. apply orb_false_iff in Good. destruct Good as [Bad Good].
    specialize (IH before Q Good). destruct IH as [IH1 IH2].
    cbn [round_bad] in Bad. apply orb_false_iff in Bad. destruct Bad as [_ Bad].
    set (s := run before) in *. set (x := fst s) in *. set (x' := fst (run (c :: before))) in *.
    set (X := step_length (c :: before)). assert (XE : X = norm (sub x' x)) by reflexivity.
    assert (X0 : 0 <= X) by apply step_length_nonneg.
    set (I := clients c) in *. set (J := fresh c) in *.
    assert (Row : forall i, row_err (run (c :: before)) i = row_err (refresh P p K b data grad s x' I J) i)
      by reflexivity.
    set (cc := change P G x x').
    set (W := over p (vsum_in P I (fun i => change_err x x' i (J i)))).
    set (cI := over p (vsum_in P I cc)).
    assert (RI : forall i, row_err (run (c :: before)) i = if I i then fresh_err x' i (J i)
      else add (add (row_err s i) (sub cI (cc i))) W).
    { intro i. rewrite Row, (refreshed_row P p K b Hp HpP data grad s x' I J i PI).
      unfold new_row. fold x. fold cc. fold cI. fold W. destruct (I i); vector_eq w; ring. }
    assert (nW : norm W <= change_radius * X).
    { replace W with (sub W zero) by (vector_eq w; ring). apply mean_in_ball; [exact PI|].
      intros i Hi. replace (sub (change_err x x' i (J i)) zero) with (change_err x x' i (J i))
        by (vector_eq w; ring). rewrite XE. apply (sample_good x x' J i Bad PJ Hi). }
    assert (nF : forall i, (i < P)%nat -> norm (fresh_err x' i (J i)) <= fresh_radius)
      by (intros i Hi; apply (sample_good x x' J i Bad PJ Hi)).
    assert (nC : forall i, (i < P)%nat -> norm (sub cI (cc i)) <= zeta * X).
    { intros i Hi. apply mean_in_ball; [exact PI|]. intros j Hj. rewrite XE.
      apply centred_change_apart; assumption. }
    assert (Tr : forall k, travelled (S k) (c :: before) = X + travelled k before) by reflexivity.
    assert (Age : forall i, row_age (c :: before) i = if I i then 0%nat else S (row_age before i))
      by reflexivity.
    assert (One : forall i, (i < P)%nat -> norm (row_err (run (c :: before)) i)
      <= fresh_radius + (zeta + change_radius) * travelled (row_age (c :: before) i) (c :: before)).
    { intros i Hi. rewrite RI, Age. destruct (I i).
      - cbn [travelled]. rewrite Rmult_0_r. specialize (nF i Hi). lra.
      - rewrite Tr. eapply Rle_trans; [apply norm_add|].
        pose proof (norm_add (row_err s i) (sub cI (cc i))). specialize (nC i Hi).
        specialize (IH1 i Hi). lra. }
    split; [exact One|]. intros i j Hi Hj. pose proof (One i Hi) as Oi. pose proof (One j Hj) as Oj.
    rewrite !RI, !Age in *. unfold reach. destruct (I i), (I j).
    + cbn [travelled Nat.max]. rewrite Rmult_0_r. eapply Rle_trans; [apply norm_sub|].
      pose proof (nF i Hi). pose proof (nF j Hj). lra.
    + rewrite Nat.max_0_l. eapply Rle_trans; [apply norm_sub|]. pose proof (nF i Hi). lra.
    + rewrite Nat.max_0_r. eapply Rle_trans; [apply norm_sub|]. pose proof (nF j Hj). lra.
    + rewrite <- Nat.succ_max_distr, Tr.
      replace (sub (add (add (row_err s i) (sub cI (cc i))) W) (add (add (row_err s j) (sub cI (cc j)))
        W)) with (sub (sub (row_err s i) (row_err s j)) (sub (cc i) (cc j))) by (vector_eq w; ring).
      eapply Rle_trans; [apply norm_sub|]. specialize (IH2 i j Hi Hj). unfold reach in IH2.
      pose proof (centred_change_apart x x' i j Hi Hj) as Cc. fold cc in Cc. rewrite <- XE in Cc.
      assert (0 <= change_radius * X) by (apply Rmult_le_pos; assumption). lra.
Qed.
Lemma rows_apart T past i j : possible (fledge_history P p K b data T) past ->
  ever round_bad past = false -> (i < P)%nat -> (j < P)%nat ->
  norm (sub (row_err (run past) i) (row_err (run past) j)) <= reach (oldest P (row_age past)) past.
Proof.
  intros Q Good Hi Hj. eapply Rle_trans; [apply (rows_reach T past Q Good); assumption|].
  apply reach_monotone. pose proof (oldest_above P (row_age past) i Hi).
  pose proof (oldest_above P (row_age past) j Hj). lia.
Qed.
Lemma table_proper T past : possible (fledge_history P p K b data T) past ->
  ever round_bad past = false -> proper (error P G (run past)) (table_beta past).
Proof.
  revert past. induction T as [|T IH]; intros past Q Good; [simpl in Q; subst past; exact start_proper|].
  pose proof (history_length _ _ _ Q) as Len. destruct past as [|c before]; [discriminate|].
  apply history_possible in Q. destruct Q as [Q Qc].
  destruct (round_possible c Qc) as [_ [_ [PI PJ]]].
  cbn [ever] in Good. apply orb_false_iff in Good. destruct Good as [_ Good].
  pose proof (refresh_tower (run before) (fst (run (c :: before))) (table_beta before)
    (reach (oldest P (row_age before)) before) (IH before Q Good) (reach_nonneg _ _)
    (fun i j => rows_apart T before i j Q Good)) as [_ H].
  exact (H (clients c) (fresh c) PI PJ).
Qed.

Definition round_cost : R := (M + 2 * (NP * M) + Np + Np * M) * cost.
Theorem fledge_tail T :
  height * probability (fledge_history P p K b data T)
    (ever (fun past => ever round_bad past || table_far past))
  <= tower theta (error P G start) beta0 + INR T * round_cost.
Proof.
  pose proof (exp_pos (theta * (l * l))) as h0. pose proof (exp_pos (kappa theta)) as k0.
  pose proof (M_pos K b HK Hb) as M1. pose proof (Nn P p Hp HpP) as P1.
  pose proof (Bb P p Hp HpP) as [p1 pP].
  set (q := fun past => if ever round_bad past then height
    else tower theta (error P G (run past)) (table_beta past)).
  pose proof (maximal_inequality (fun _ => round_law P p K b data) q
    (fun past => ever round_bad past || table_far past) (fun _ => round_cost) height T) as H.
  rewrite sum_const in H. change (q []) with (tower theta (error P G start) beta0) in H. apply H.
  - intros t past _. unfold q. destruct (ever round_bad past); [lra|apply tower_nonneg].
  - intros t past Q e. unfold q. destruct (ever round_bad past) eqn:g; [lra|].
    simpl in e. apply tower_outside; [assumption|apply (table_proper t); assumption|].
    apply exceeds_true, e.
  - intros t past _ Q e. assert (Good : ever round_bad past = false).
    { destruct past as [|c before]; [reflexivity|]. cbn [ever] in e. apply orb_false_iff in e.
      destruct e as [e _]. apply orb_false_iff in e. apply e. }
    unfold q at 2. rewrite Good. set (s := run past).
    set (far := local_far past s). set (xK := fun i Js => local_x P b data grad eta noise past s i Js).
    set (beta' := fun x' => next_beta (table_beta past) (norm (sub x' (fst s)))
      (reach (oldest P (row_age past)) past)).
    set (S := fun i Js I J => error P G (refresh P p K b data grad s (xK i Js) I J)).
    assert (Qle : forall i Js I J,
      q ({| worker := i; local := Js; clients := I; fresh := J |} :: past)
      <= height * (if ever (far i) Js then 1 else 0)
         + (height * (if sample_bad (fst s) (xK i Js) J then 1 else 0)
            + tower theta (S i Js I J) (beta' (xK i Js)))).
    { intros i Js I J. unfold q. cbn [ever]. rewrite Good, orb_false_r. cbn [round_bad].
      change (ever (local_far past (run past) (worker {| worker := i; local := Js; clients := I;
        fresh := J |})) (local {| worker := i; local := Js; clients := I; fresh := J |}))
        with (ever (far i) Js).
      change (sample_bad (fst (run past)) (fst (run ({| worker := i; local := Js; clients := I;
        fresh := J |} :: past))) (fresh {| worker := i; local := Js; clients := I; fresh := J |}))
        with (sample_bad (fst s) (xK i Js) J).
      change (error P G (run ({| worker := i; local := Js; clients := I; fresh := J |} :: past)))
        with (S i Js I J).
      change (table_beta ({| worker := i; local := Js; clients := I; fresh := J |} :: past))
        with (beta' (xK i Js)).
      pose proof (tower_nonneg theta (S i Js I J) (beta' (xK i Js))) as T0.
      destruct (ever (far i) Js), (sample_bad (fst s) (xK i Js) J); cbn [orb]; lra. }
    change (Ex (round_law P p K b data) (fun c => q (c :: past))) with
      (Ex (index P) (fun i => Ex (history (uniform (data i) b) K) (fun Js =>
        Ex (uniform P p) (fun I => Ex (fresh_law P data (K * b)) (fun J =>
          q ({| worker := i; local := Js; clients := I; fresh := J |} :: past)))))).
    apply Ex_at_most. intros i Qi. apply index_possible in Qi; [|lia].
    apply Rle_trans with (Ex (history (uniform (data i) b) K) (fun Js =>
      height * (if ever (far i) Js then 1 else 0) + (2 * (NP * (M * cost))
        + (tower theta (error P G s) (table_beta past) + (Np + Np * M) * cost)))).
    + apply Ex_le. intros Js _.
      apply Rle_trans with (Ex (uniform P p) (fun I => height * (if ever (far i) Js then 1 else 0)
        + (height * probability (fresh_law P data (K * b)) (sample_bad (fst s) (xK i Js))
          + Ex (fresh_law P data (K * b)) (fun J => tower theta (S i Js I J) (beta' (xK i Js)))))).
      * apply Ex_le. intros I _. unfold probability.
        rewrite <- Ex_mul, <- Ex_add, <- (Ex_const (fresh_law P data (K * b))
          (height * (if ever (far i) Js then 1 else 0))), <- Ex_add.
        apply Ex_le. intros J _. apply Qle.
      * rewrite !Ex_add, !Ex_const. apply Rplus_le_compat_l.
        apply Rplus_le_compat; [apply sample_rare|].
        apply (refresh_tower s (xK i Js) (table_beta past) (reach (oldest P (row_age past)) past)
          (table_proper t past Q Good) (reach_nonneg _ _)
          (fun i j => rows_apart t past i j Q Good)).
    + rewrite !Ex_add, !Ex_const, Ex_mul.
      pose proof (local_rare past s i Qi) as Lr. fold far in Lr. unfold probability in Lr.
      unfold round_cost. lra.
  - intros. unfold round_cost. apply Rmult_le_pos; [|lra].
    assert (0 <= NP * M) by (apply Rmult_le_pos; lra).
    assert (0 <= Np * M) by (apply Rmult_le_pos; lra). lra.
Qed.
End Tails.
