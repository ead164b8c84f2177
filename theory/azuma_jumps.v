(* Proposition 13 (proposition:Azuma, lines 975-988), for steps that may be longer than R_i.

   Printed: E[x_i | past] = 0 and |x_i| <= R_i with probability at least 1 - nu_i give, with
   probability at least 1 - nu/poly - sum nu_i, |sum x_i|^2 <= C_1^2 sum R_i^2 (false for nu_i > 0:
   what is cut off may leave a drift). Proved [azuma_jumps], in every inner product space, for steps
   of which x_i is at most B_i always: with probability at least 1 - nu - sum nu_i, for all t <= N,
       |x_1 + ... + x_t| <= (2 + sqrt(2 log(N/nu))) sqrt(R_1^2 + ... + R_t^2) + sum_{i<=t} nu_i B_i,
   and [azuma_high_probability] with C_1 = (4k + 4) log(1/nu + n + P + d + T + K) where N is at most
   the power k of nPTK, with probability at least 1 - nu/(nPTK)^k - sum nu_i.

   The steps that are not longer than R_i have a conditional mean, which is assumed to be a vector
   of the space (it is one in every complete space, and for finitely many outcomes); its length is
   at most nu_i B_i, and less it they are a martingale, whose steps lie in balls of radius R_i. *)
From Coq Require Import Reals Lra Lia List PeanoNat Bool.
From Sledge Require Import vectors means probability hoeffding azuma bernstein concentration.
Import ListNotations.
Open Scope R_scope.

Lemma ever_at_time {O} (A : list O -> bool) t past : ever A past = false -> ever A (at_time t past) = false.
Proof.
  induction past as [|o past IH]; intro E; [destruct t; exact E|].
  destruct (Nat.le_gt_cases t (length past)) as [H|H].
  - rewrite at_time_before by assumption. apply IH. cbn [ever] in E. apply orb_false_iff in E. apply E.
  - unfold at_time. replace (length (o :: past) - t)%nat with 0%nat by (cbn [length]; lia). exact E.
Qed.

Section Jumps.
Context {V : space} {O : Type}.
Variable law : list O -> mean O.
Variable x : list O -> O -> V.          (* the step, after the past, for this outcome *)
Variables size rare bound : nat -> R.   (* R_i, nu_i, B_i from index 0 *)
Variable cut : list O -> V.             (* the mean of the steps that are not longer *)
Hypothesis size0 : forall i, 0 <= size i.
Notation far past o := (exceeds (size (length past)) (norm (x past o))).
Hypothesis fair : forall t past, possible (history_of law t) past ->
  forall u, Ex (law past) (fun o => ip u (x past o)) = 0.
Hypothesis seldom : forall t past, possible (history_of law t) past ->
  probability (law past) (fun o => far past o) <= rare t.
Hypothesis bounded : forall t past, possible (history_of law t) past ->
  forall o, possible (law past) o -> norm (x past o) <= bound t.
Hypothesis cut_mean : forall t past, possible (history_of law t) past ->
  forall u, Ex (law past) (fun o => if far past o then 0 else ip u (x past o)) = ip u (cut past).

Lemma ip_above (u v : V) : - (norm u * norm v) <= ip u v.
Proof.
  pose proof (ip_le (scale (-1) u) v) as H. rewrite norm_scale, Rabs_left in H by lra.
  replace (ip (scale (-1) u) v) with (- ip u v) in H by (products; ring). lra.
Qed.
Lemma cut_short t past : possible (history_of law t) past -> norm (cut past) <= rare t * bound t.
Proof.
  intro P. set (m := cut past). pose proof (norm_nonneg m) as m0.
  assert (S : norm m * norm m <= norm m * (rare t * bound t)).
  { rewrite norm_sq. change (sq m) with (ip m m). unfold m at 2. rewrite <- (cut_mean t past P m).
    rewrite (Ex_ext _ _ (fun o => ip m (x past o) + -1 * (if far past o then ip m (x past o) else 0)))
      by (intros o _; destruct (far past o); lra).
    rewrite Ex_add, (fair t past P m), Rplus_0_l.
    assert (B0 : 0 <= bound t).
    { apply Rnot_lt_le. intro B. apply (not_impossible (law past)). intros o Q.
      pose proof (bounded t past P o Q). pose proof (norm_nonneg (x past o)). lra. }
    apply Rle_trans with (Ex (law past) (fun o => norm m * bound t * (if far past o then 1 else 0))).
    - apply Ex_le. intros o Q. destruct (far past o); [|lra].
      pose proof (ip_above m (x past o)) as I. pose proof (bounded t past P o Q) as Bo.
      apply (Rmult_le_compat_l (norm m)) in Bo; lra.
    - rewrite Ex_mul. replace (norm m * (rare t * bound t)) with (norm m * bound t * rare t) by ring.
      apply Rmult_le_compat_l; [apply Rmult_le_pos; assumption|apply (seldom t past P)]. }
  destruct (Req_dec (norm m) 0) as [Z|Z].
  - rewrite Z. apply Rmult_le_pos.
    + eapply Rle_trans; [|apply (seldom t past P)]. apply probability_bounds.
    + apply Rnot_lt_le. intro B. apply (not_impossible (law past)). intros o Q.
      pose proof (bounded t past P o Q). pose proof (norm_nonneg (x past o)). lra.
  - apply Rmult_le_reg_l with (norm m); [lra|exact S].
Qed.

(* the steps that are not longer, less their mean *)
Definition kept (past : list O) (o : O) : V := sub (if far past o then zero else x past o) (cut past).
Definition jumped (past : list O) : bool := match past with [] => false | o :: before => far before o end.

Lemma rarely_jumped N : probability (history_of law N) (ever jumped) <= sum N rare.
Proof.
  induction N as [|N IH].
  - unfold probability. rewrite Ex_history_of_O. simpl. lra.
  - unfold probability. rewrite Ex_history_of_S. cbn [sum].
    apply Rle_trans with (Ex (history_of law N) (fun past => (if ever jumped past then 1 else 0) + rare N)).
    + apply Ex_le. intros past P.
      apply Rle_trans with (Ex (law past) (fun o => (if ever jumped past then 1 else 0) + (if far past o then 1 else 0))).
      * apply Ex_le. intros o _. cbn [ever jumped]. destruct (far past o), (ever jumped past); simpl; lra.
      * rewrite Ex_add, Ex_const. apply Rplus_le_compat_l, (seldom N past P).
    + rewrite Ex_add, Ex_const. apply Rplus_le_compat_r, IH.
Qed.
Lemma total_kept N past : possible (history_of law N) past -> ever jumped past = false ->
  norm (total x past) <= norm (total kept past) + sum (length past) (fun i => rare i * bound i).
Proof.
  cut (possible (history_of law N) past -> ever jumped past = false ->
    norm (sub (total x past) (total kept past)) <= sum (length past) (fun i => rare i * bound i)).
  { intros H P E. specialize (H P E).
    replace (total x past) with (add (total kept past) (sub (total x past) (total kept past)))
      by (vector_eq u; ring).
    eapply Rle_trans; [apply norm_add|]. lra. }
  revert past. induction N as [|N IH]; intros past P E.
  - simpl in P. subst past. cbn [total length sum]. replace (sub zero zero) with (zero : V) by (vector_eq u; ring).
    rewrite norm_zero. lra.
  - pose proof (history_of_length _ _ _ P) as Len. destruct past as [|o past]; [discriminate|].
    apply history_of_possible in P. destruct P as [P Q]. cbn [length] in Len. injection Len as Len.
    cbn [ever] in E. apply orb_false_iff in E. destruct E as [E1 E2]. cbn [jumped] in E1.
    specialize (IH past P E2). pose proof (cut_short N past P) as Cs. rewrite <- Len in Cs.
    cbn [total length sum]. unfold kept at 2. rewrite E1.
    replace (sub (add (total x past) (x past o)) (add (total kept past) (sub (x past o) (cut past))))
      with (add (sub (total x past) (total kept past)) (cut past)) by (vector_eq u; ring).
    eapply Rle_trans; [apply norm_add|]. lra.
Qed.

Theorem azuma_jumps N nu : (1 <= N)%nat -> 0 < nu < 1 ->
  with_probability (history_of law N) (1 - (nu + sum N rare)) (fun past => forall t, (t <= N)%nat ->
    norm (total x (at_time t past)) <= (2 + sqrt (2 * ln (INR N / nu))) * sqrt (sum t (fun i => size i * size i))
      + sum t (fun i => rare i * bound i)).
Proof.
  intros HN Hnu. assert (N1 : 1 <= INR N) by (change 1 with (INR 1); apply le_INR; assumption).
  pose proof (ln_ratio_pos (INR N) nu N1 Hnu) as l0.
  assert (A : with_probability (history_of law N) (1 - nu) (fun past => forall t, (t <= N)%nat ->
    norm (total kept (at_time t past)) <= radius (INR N) nu
      * sqrt (4 * sum (length (at_time t past)) (fun i => size i * size i)))).
  { apply (azuma_adaptive law (total kept) (fun past => 4 * sum (length past) (fun i => size i * size i))
      (fun _ => 1) (fun past => 2 * size (length past)) kept N nu HN Hnu eq_refl ltac:(simpl; ring)).
    - intro past. specialize (size0 (length past)). lra.
    - intros t past P u. unfold kept.
      rewrite (Ex_ext _ _ (fun o => (if far past o then 0 else ip u (x past o)) - ip u (cut past))).
      2:{ intros o _. products. destruct (far past o); products; ring. }
      rewrite Ex_sub, Ex_const, (cut_mean t past P u). ring.
    - intros t past P o o' Q Q'. unfold kept.
      replace (sub (sub (if far past o then zero else x past o) (cut past))
        (sub (if far past o' then zero else x past o') (cut past)))
        with (sub (if far past o then zero else x past o) (if far past o' then zero else x past o'))
        by (vector_eq u; ring).
      assert (short : forall o, norm (if far past o then zero else x past o) <= size (length past)).
      { intro q. destruct (far past q) eqn:e; [rewrite norm_zero; apply size0|apply exceeds_false, e]. }
      pose proof (short o). pose proof (short o'). eapply Rle_trans; [apply norm_sub|]. lra.
    - intros past o. cbn [total]. vector_eq u. ring.
    - intros past o. cbn [length sum]. ring.
  }
  assert (J : with_probability (history_of law N) (1 - sum N rare) (fun past => ever jumped past = false))
    by (apply (unless _ (ever jumped)); [apply rarely_jumped|auto]).
  eapply with_probability_weaken; [apply Rle_refl| |exact (union_bound _ _ _ _ _ A J)].
  intros past P [H E] t Ht. specialize (H t Ht). pose proof (history_of_length _ _ _ P) as Len.
  assert (Lt : length (at_time t past) = t) by (unfold at_time; rewrite skipn_length; lia).
  pose proof (possible_at_time law t N past P Ht) as Pt.
  assert (Et : ever jumped (at_time t past) = false) by (apply ever_at_time; assumption).
  pose proof (total_kept t _ Pt Et) as K. rewrite Lt in *. eapply Rle_trans; [exact K|].
  apply Rplus_le_compat_r. eapply Rle_trans; [exact H|]. right.
  rewrite sqrt_mult; [|lra|apply sum_nonneg; intros; apply Rle_0_sqr].
  replace (sqrt 4) with 2 by (replace 4 with (2 * 2) by ring; symmetry; apply sqrt_square; lra).
  unfold radius. replace (2 * ln (INR N / nu)) with (4 * (ln (INR N / nu) / 2)) by field.
  rewrite (sqrt_mult 4) by lra.
  replace (sqrt 4) with 2 by (replace 4 with (2 * 2) by ring; symmetry; apply sqrt_square; lra).
  ring.
Qed.

(* As printed, but for what the jumps leave *)
Theorem azuma_high_probability (N n P d T K k : nat) nu : (1 <= N)%nat -> (1 <= n)%nat -> (1 <= P)%nat ->
  (1 <= d)%nat -> (1 <= T)%nat -> (1 <= K)%nat -> 0 < nu < 1 ->
  INR N <= (INR n * INR P * INR T * INR K) ^ k ->
  let C_1 := (4 * INR k + 4) * log_all nu n P d T K in
  with_probability (history_of law N) (1 - nu / (INR n * INR P * INR T * INR K) ^ k - sum N rare) (fun past =>
    norm (total x past) <= C_1 * sqrt (sum N (fun i => size i * size i)) + sum N (fun i => rare i * bound i)).
Proof.
  intros HN Hn HP Hd HT HK Hnu NX C_1.
  pose proof (total_parts nu n P d T K ltac:(lra) Hn HP Hd HT HK) as [A [B [C [D [E F]]]]].
  set (Y := INR n * INR P * INR T * INR K) in *. set (X := Y ^ k) in *.
  assert (N1 : 1 <= INR N) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (X0 : 1 <= X) by lra.
  assert (Del : 0 < nu / X < 1).
  { split; [apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra]|].
    apply Rmult_lt_reg_r with X; [lra|]. replace (nu / X * X) with nu by (field; lra). lra. }
  eapply with_probability_weaken; [| |apply (azuma_jumps N (nu / X) HN Del)]; [lra|].
  intros past Po H. pose proof (history_of_length _ _ _ Po) as Len.
  specialize (H N (le_n N)). rewrite <- Len in H at 1. rewrite at_time_all in H.
  eapply Rle_trans; [exact H|]. apply Rplus_le_compat_r, Rmult_le_compat_r; [apply sqrt_pos|].
  pose proof (log_all_above nu n P d T K ltac:(lra) Hn HP Hd HT HK) as L.
  pose proof (log_poly nu n P d T K ltac:(lra) Hn HP Hd HT HK (k + k)) as LP. fold Y in LP.
  rewrite pow_add, plus_INR in LP. fold X in LP. set (l := log_all nu n P d T K) in *.
  assert (G : ln (INR N / (nu / X)) <= (4 * (INR k + INR k) + 2) * l).
  { eapply Rle_trans; [|exact LP]. replace (INR N / (nu / X)) with (INR N * X / nu) by (field; lra).
    assert (i0 : 0 < / nu) by (apply Rinv_0_lt_compat; lra).
    assert (NXX : INR N * X <= X * X) by (apply Rmult_le_compat_r; lra).
    assert (XX : 0 < INR N * X) by (apply Rmult_lt_0_compat; lra).
    apply ln_grows; unfold Rdiv; [apply Rmult_lt_0_compat; assumption|].
    apply Rmult_le_compat_r; lra. }
  pose proof (ln_ratio_pos (INR N) (nu / X) N1 Del) as l0. pose proof (pos_INR k) as k0.
  assert (R : sqrt (2 * ln (INR N / (nu / X))) <= (4 * INR k + 2) * l).
  { apply Rsqr_incr_0_var; [|apply Rmult_le_pos; lra]. unfold Rsqr. rewrite sqrt_sqrt by lra.
    apply Rle_trans with ((4 * INR k + 2) * (4 * INR k + 2) * (l * 1)).
    - apply Rle_trans with (2 * ((4 * (INR k + INR k) + 2) * l)); [lra|].
      rewrite Rmult_1_r, <- Rmult_assoc. apply Rmult_le_compat_r; [lra|].
      assert (0 <= INR k * INR k) by (apply Rmult_le_pos; lra). lra.
    - replace ((4 * INR k + 2) * l * ((4 * INR k + 2) * l)) with ((4 * INR k + 2) * (4 * INR k + 2) * (l * l)) by ring.
      apply Rmult_le_compat_l; [apply Rle_0_sqr|]. apply Rmult_le_compat_l; lra. }
  unfold C_1. lra.
Qed.
End Jumps.
