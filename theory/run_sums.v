(* Sums over a run or over the components, whole.

   Contents
     first_sum            the squared gradients along a run of SLEDGE (lines 1484-1490)
     phase_length         who gets far within a phase has moved much in it (lines 1944-1957)
     gradient_difference  how far grad f_i moves away from grad f, by heterogeneity (lines 1221-1227), with 1 - 1/n
     gradient_difference_printed  the same from Hessians within zeta of each other
     kick_difference      the same between the two runs of Lemma 20, at the kick (lines 1629-1630)
     noise_term           the noise in the bound of Theorem 5 (line 2127) *)
From Coq Require Import Reals Lra Lia PeanoNat List.
From Sledge Require Import vectors means minibatches algorithms problems theorem_2_expectation coupling preliminaries.
Import ListNotations.
Open Scope R_scope.

(* f with L-smooth components, any eta > 0, noise of length at most r, any start: with v^t the estimate,
     sum_{t=1}^T |grad f(x^{t-1})|^2 <= (2/eta) (f(x^0) - f(x^T) - sum_{t=1}^T (1/(2 eta) - L/2) |x^t - x^{t-1}|^2
                                        + eta sum_{t=1}^T |grad f(x^{t-1}) - v^{t-1}|^2) + 2 T r^2/eta^2
   for every history of T minibatches; sums here begin with t = 0. *)
Theorem first_sum {V : space} n b eta noise (f : nat -> V -> R) grad L r start past :
  (1 <= n)%nat -> smooth n f grad L -> 0 < eta -> (forall h, norm (noise h) <= r) ->
  let T := length past in
  let state t := sledge n b eta noise grad start (at_time t past) in
  let x t := point (state t) in
  let v t := estimate n (state t) in
  let F := objective n f in
  let full := gradient n grad in
  sum T (fun t => sq (full (x t)))
  <= 2 / eta * (F (x 0%nat) - F (x T) - sum T (fun t => (1 / (2 * eta) - L / 2) * sq (sub (x (S t)) (x t)))
       + eta * sum T (fun t => sq (sub (full (x t)) (v t))))
     + 2 * INR T * (r * r) / (eta * eta).
Proof.
  intros Hn S He Hr. pose proof (objective_below_quadratic n f grad L Hn S) as Q. cbn zeta.
  induction past as [|B past IH].
  - cbn [length sum]. change (at_time 0 (@nil batch)) with (@nil batch). simpl. right. field. lra.
  - cbn [length sum]. rewrite S_INR.
    set (g := gradient n grad) in *. set (F := objective n f) in *. set (run := sledge n b eta noise grad start) in *.
    rewrite (sum_ext _ _ (fun t => sq (g (point (run (at_time t past))))))
      by (intros; rewrite at_time_before by lia; reflexivity).
    rewrite (sum_ext _ (fun t => (1 / (2 * eta) - L / 2) * sq _)
      (fun t => (1 / (2 * eta) - L / 2)
        * sq (sub (point (run (at_time (Datatypes.S t) past))) (point (run (at_time t past))))))
      by (intros; rewrite !at_time_before by lia; reflexivity).
    rewrite (sum_ext _ (fun t => sq (sub (g _) _))
      (fun t => sq (sub (g (point (run (at_time t past)))) (estimate n (run (at_time t past))))))
      by (intros; rewrite !at_time_before by lia; reflexivity).
    rewrite !(at_time_before _ B) by lia.
    change (at_time (Datatypes.S (length past)) (B :: past)) with (at_time (length (B :: past)) (B :: past)).
    rewrite !at_time_all in *.
    pose proof (descent_lemma F g L eta r (point (run past)) (estimate n (run past)) (noise past) Q He (Hr past)) as D.
    cbn zeta in D. change (add (sub (point (run past)) (scale eta (estimate n (run past)))) (noise past))
      with (point (run (B :: past))) in D. rewrite (sq_sub_sym (estimate n (run past))) in D.
    set (x' := point (run (B :: past))) in *. set (x := point (run past)) in *. set (e := sq (sub (g x) _)) in *.
    set (c := 1 / (2 * eta) - L / 2) in *. set (m := sq (sub x' x)) in *. set (G := sq (g x)) in *.
    assert (Q' : G <= 2 / eta * (F x - F x' + eta * e - c * m) + 2 * (r * r) / (eta * eta)).
    { apply Rmult_le_reg_l with (eta / 2); [lra|].
      replace (eta / 2 * (2 / eta * (F x - F x' + eta * e - c * m) + 2 * (r * r) / (eta * eta)))
        with (F x - F x' + eta * e - c * m + r * r / eta) by (field; lra). lra. }
    set (s1 := sum _ _) in *. set (s2 := sum _ _) in *. set (s3 := sum _ _) in *.
    set (x00 := point (run (at_time 0 past))) in *.
    replace (2 / eta * (F x00 - F x' - (s2 + c * m) + eta * (s3 + e))
        + 2 * (INR (length past) + 1) * (r * r) / (eta * eta))
      with (2 / eta * (F x00 - F x - s2 + eta * s3) + 2 * INR (length past) * (r * r) / (eta * eta)
        + (2 / eta * (F x - F x' + eta * e - c * m) + 2 * (r * r) / (eta * eta))) by (field; lra).
    lra.
Qed.

(* Part of a sum of what is not negative. *)
Lemma sum_after (a : nat -> R) j m : sum (j + m) a = sum j a + sum m (fun i => a (j + i)%nat).
Proof.
  induction m as [|m IH]; [rewrite Nat.add_0_r; cbn [sum]; ring|]. rewrite Nat.add_succ_r. cbn [sum]. rewrite IH. ring.
Qed.
Lemma sum_part (a : nat -> R) j m n : (j + m <= n)%nat -> (forall i, 0 <= a i) ->
  sum m (fun i => a (j + i)%nat) <= sum n a.
Proof.
  intros H A. replace n with ((j + m) + (n - (j + m)))%nat by lia. rewrite !sum_after.
  pose proof (sum_nonneg j a (fun i _ => A i)).
  pose proof (sum_nonneg (n - (j + m)) (fun i => a (j + m + i)%nat) (fun i _ => A _)). lra.
Qed.
(* Any points x^t, phases of 2 T_2 steps: if within T_2 steps of some t in the first half of phase tau the path gets
   further than D = delta/(C_b rho) from x^t, then T_2 sum_{t in the phase} |x^{t+1} - x^t|^2 > D^2. *)
Theorem phase_length {V : space} (x : nat -> V) tau T2 t s D : 0 <= D ->
  (2 * tau * T2 <= t)%nat -> (t < (2 * tau + 1) * T2)%nat -> (t <= s)%nat -> (s <= t + T2)%nat ->
  D < norm (sub (x s) (x t)) ->
  D * D < INR T2 * sum (2 * T2) (fun k => sq (sub (x (2 * tau * T2 + k + 1)%nat) (x (2 * tau * T2 + k)%nat))).
Proof.
  intros HD H1 H2 H3 H4 Far. set (d := fun k => sub (x (2 * tau * T2 + k + 1)%nat) (x (2 * tau * T2 + k)%nat)).
  set (j := (t - 2 * tau * T2)%nat). set (m := (s - t)%nat).
  assert (E : sub (x s) (x t) = vsum m (fun i => d (j + i)%nat)).
  { assert (Q : forall m, vsum m (fun i => d (j + i)%nat) = sub (x (t + m)%nat) (x t)).
    { induction m0 as [|k IH]; [rewrite Nat.add_0_r; symmetry; apply sub_self|]. cbn [vsum]. rewrite IH. unfold d.
      replace (2 * tau * T2 + (j + k))%nat with (t + k)%nat by (unfold j; lia).
      replace (t + k + 1)%nat with (t + S k)%nat by lia. vector_eq w. ring. }
    rewrite Q. f_equal. f_equal. unfold m. lia. }
  pose proof (sq_vsum m (fun i => d (j + i)%nat)) as C. rewrite <- E in C.
  pose proof (sum_part (fun k => sq (d k)) j m (2 * T2) ltac:(unfold j, m; nia) (fun i => sq_nonneg _)) as P.
  assert (INR m <= INR T2) by (apply le_INR; unfold m; lia). pose proof (pos_INR m).
  pose proof (sum_nonneg m (fun i => sq (d (j + i)%nat)) (fun i _ => sq_nonneg _)).
  rewrite <- norm_sq in C. apply Rlt_le_trans with (norm (sub (x s) (x t)) * norm (sub (x s) (x t))).
  - apply Rmult_le_0_lt_compat; assumption.
  - eapply Rle_trans; [exact C|]. apply Rmult_le_compat; assumption.
Qed.

(* |grad f_i(x') - grad f_i(x) - (grad f(x') - grad f(x))| <= (1 - 1/n) zeta |x' - x|, and so without 1 - 1/n: of the n
   components that the mean compares with f_i, one is f_i. *)
Theorem gradient_difference {V : space} n (grad : nat -> V -> V) zeta i x x' :
  (i < n)%nat -> heterogeneous n grad zeta ->
  let full := gradient n grad in
  let d := norm (sub (sub (grad i x') (grad i x)) (sub (full x') (full x))) in
  d <= (1 - / INR n) * (zeta * norm (sub x' x)) /\ d <= zeta * norm (sub x' x).
Proof.
  intros Hi H full d. assert (N0 : 0 < INR n) by (apply lt_0_INR; lia).
  assert (Z : 0 <= zeta * norm (sub x' x)).
  { pose proof (H i i Hi Hi x' x).
    pose proof (norm_nonneg (sub (sub (grad i x') (grad i x')) (sub (grad i x) (grad i x)))).
    lra. }
  set (c := fun j => sub (sub (grad i x') (grad j x')) (sub (grad i x) (grad j x))).
  assert (E : sub (sub (grad i x') (grad i x)) (sub (full x') (full x)) = over n (vsum n c)).
  { unfold full. vector_eq w. rewrite !ip_gradient, ip_vsum.
    rewrite (sum_ext n (fun j => ip (c j) w) (fun j => (ip (grad i x') w - ip (grad i x) w)
      - (ip (grad j x') w - ip (grad j x) w))) by (intros; unfold c; products; ring).
    rewrite sum_sub, sum_const, sum_sub. field. lra. }
  assert (D : d <= (1 - / INR n) * (zeta * norm (sub x' x))).
  { unfold d. rewrite E, norm_over. apply Rmult_le_reg_l with (INR n); [assumption|].
    rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra. eapply Rle_trans; [apply norm_vsum|].
    apply Rle_trans with (sum n (fun j => if Nat.eq_dec i j then 0 else zeta * norm (sub x' x))).
    - apply sum_le. intros j Hj. destruct (Nat.eq_dec i j) as [e|e]; [|apply (H i j Hi Hj x' x)].
      subst j. unfold c. rewrite !sub_self, norm_zero. lra.
    - rewrite (sum_all_but n i (fun _ => zeta * norm (sub x' x))), sum_const by assumption. right. field. lra. }
  split; [exact D|]. eapply Rle_trans; [exact D|]. rewrite <- (Rmult_1_l (zeta * _)) at 2.
  apply Rmult_le_compat_r; [assumption|]. assert (0 < / INR n) by (apply Rinv_0_lt_compat; assumption). lra.
Qed.

(* The same from Hessians, as it is printed. *)
Theorem gradient_difference_printed {V : space} n (grad : nat -> V -> V) hess zeta i x x' :
  (i < n)%nat -> hessians_within n grad hess zeta ->
  let full := gradient n grad in
  norm (sub (sub (grad i x') (grad i x)) (sub (full x') (full x))) <= zeta * norm (sub x' x).
Proof.
  intros Hi H full. apply (gradient_difference n grad zeta i x x' Hi (hessians_alike n grad hess zeta H)).
Qed.

(* At the kick r_e e, |e| = 1, of the pair of runs of Lemma 20:
     u_i = grad f_i(x) - grad f_i(x~) - (grad f(x) - grad f(x~)) has |u_i| <= (1 - 1/n) zeta r_e <= 2 zeta r_e. *)
Theorem kick_difference {V : space} n b (grad : nat -> V -> V) eta noise start tau e re zeta i past :
  (1 <= tau)%nat -> (i < n)%nat -> heterogeneous n grad zeta -> 0 <= re -> norm e = 1 -> length past = tau ->
  let x := point (sledge n b eta noise grad start past) in
  let x' := point (sledge n b eta (kicked noise tau (scale re e)) grad start past) in
  let full := gradient n grad in
  let u := sub (sub (grad i x) (grad i x')) (sub (full x) (full x')) in
  norm u <= (1 - / INR n) * (zeta * re) /\ norm u <= 2 * zeta * re.
Proof.
  intros Htau Hi H Hre He Hpast x x' full u.
  pose proof (pair_kick n b grad eta noise start tau (scale re e) Htau past Hpast) as W.
  unfold pair_w in W. fold x x' in W.
  pose proof (gradient_difference n grad zeta i x' x Hi H) as [D1 D2]. fold full in D1, D2. fold u in D1, D2.
  rewrite W, norm_scale, He, Rabs_right, Rmult_1_r in D1, D2 by lra. split; [exact D1|].
  pose proof (norm_nonneg u). lra.
Qed.

(* sum_{t=1}^T (1 - eta mu)^{T-t} r^2/eta <= r^2/(eta^2 mu) <= eps/3 when r <= eta sqrt(eps mu/3) (line 2127). *)
Theorem noise_term eta mu r eps T : 0 < eta -> 0 < mu -> eta * mu <= 1 -> 0 <= eps -> 0 <= r ->
  r <= eta * sqrt (eps * mu / 3) ->
  sum T (fun k => let t := S k in (1 - eta * mu) ^ (T - t) * (r * r) / eta) <= r * r / (eta * eta * mu)
  /\ r * r / (eta * eta * mu) <= eps / 3.
Proof.
  intros He Hm H1 Hp Hr R. assert (M : 0 < eta * mu) by (apply Rmult_lt_0_compat; assumption). split.
  - assert (E : sum T (fun k => (1 - eta * mu) ^ (T - S k) * (r * r) / eta)
      = r * r / (eta * eta * mu) * (1 - (1 - eta * mu) ^ T)).
    { induction T as [|T IH]; [cbn [sum pow]; ring|]. cbn [sum]. rewrite Nat.sub_diag.
      rewrite (sum_ext T _ (fun k => (1 - eta * mu) * ((1 - eta * mu) ^ (T - S k) * (r * r) / eta))).
      - rewrite sum_mul, IH. cbn [pow]. field. lra.
      - intros k Hk. replace (S T - S k)%nat with (S (T - S k)) by lia. cbn [pow]. field. lra. }
    cbn zeta. rewrite E. pose proof (pow_le (1 - eta * mu) T ltac:(lra)).
    assert (0 <= r * r / (eta * eta * mu)).
    { apply Rmult_le_pos; [nra|]. left. apply Rinv_0_lt_compat. apply Rmult_lt_0_compat; nra. }
    nra.
  - assert (Q : r * r <= eta * sqrt (eps * mu / 3) * (eta * sqrt (eps * mu / 3)))
      by (apply Rmult_le_compat; assumption).
    assert (P : 0 <= eps * mu / 3) by nra.
    replace (eta * sqrt (eps * mu / 3) * (eta * sqrt (eps * mu / 3)))
      with (eta * eta * (sqrt (eps * mu / 3) * sqrt (eps * mu / 3))) in Q by ring.
    rewrite sqrt_sqrt in Q by assumption. apply Rmult_le_reg_r with (eta * eta * mu).
    + apply Rmult_lt_0_compat; nra.
    + unfold Rdiv. rewrite Rmult_assoc, Rinv_l by nra. nra.
Qed.
