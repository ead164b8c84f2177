(* The hypotheses of the theorems of bernstein.v, auxiliary.v, theorem_2_printed.v and theorem_2_orders.v are met, with
  zeta > 0: each is
   applied to the instance of instances.v (one component of n apart from the others, on the line; L = zeta = 1), for all
   n >= 2, 1 <= b <= n, T and starting points, with sigma_c = G_c = |x^0|; Bernstein's inequality to n throws of a fair
   coin. Nothing here is used elsewhere. *)
From Coq Require Import Reals Lra Lia PeanoNat List.
From Sledge Require Import vectors means minibatches algorithms problems instances second_moments sledge_errors.
From Sledge Require Import probability bernstein lemma_1 concentration auxiliary theorem_2_printed theorem_2_orders.
Import ListNotations.
Open Scope R_scope.

Section Inhabited.
Variables (n b P d T K : nat).
Hypothesis Hn : (2 <= n)%nat.
Hypothesis Hb : (1 <= b)%nat.
Hypothesis Hbn : (b <= n)%nat.
Hypothesis HP : (1 <= P)%nat.
Hypothesis Hd : (1 <= d)%nat.
Hypothesis HT : (1 <= T)%nat.
Hypothesis HK : (1 <= K)%nat.
Variables (x0 : line) (nu : R).
Hypothesis Hnu : 0 < nu < 1.
Notation grad := outlier_gradient.
Notation N := (INR n).
Notation B := (INR b).
Notation C := (10 * log_all nu n P d T K).
Let quiet : list batch -> line := fun _ => zero.

(* Throws of a coin: 1 or -1. *)
Example vector_bernstein_inhabited k :
  let coin := average 0%nat [0%nat; 1%nat] in
  let x (i o : nat) := (match o with O => 1 | _ => -1 end : line) in
  with_probability (family 0%nat n (fun _ => coin)) (1 - nu / (N * INR P * INR T * INR K) ^ k) (fun a =>
    sq (vsum n (fun i => sub (x i (a i)) (zero : line)))
    <= ((4 * INR k + 4) * log_all nu n P d T K) ^ 2
       * (sum n (fun i => Ex coin (fun o => sq (sub (x i o) (zero : line)))) + 1 ^ 2)).
Proof.
  intros coin x. apply (vector_bernstein 0%nat (fun _ => coin) x (fun _ => zero) n P d T K k 1 nu); try assumption; try
    lia.
  - intros i u. unfold coin. rewrite average_is by discriminate. simpl. field.
  - intros i o _ Po. unfold coin in Po. apply average_possible in Po; [|discriminate].
    rewrite norm_line. simpl. destruct Po as [<-|[<-|[]]]; simpl; rewrite Rminus_0_r.
    + rewrite Rabs_R1. lra.
    + rewrite Rabs_left; lra.
Qed.

Lemma outlier_near i : norm (sub (grad i x0) (gradient n grad x0)) <= Rabs x0.
Proof.
  assert (N2 : 2 <= N) by (change 2 with (INR 2); apply le_INR; assumption).
  rewrite outlier_full_gradient by assumption. rewrite norm_line. unfold outlier_gradient. simpl.
  pose proof (apart_bounds i) as [a0 a1].
  assert (I0 : 0 < / N < 1). { split; [apply Rinv_0_lt_compat; lra|]. rewrite <- Rinv_1. apply Rinv_lt_contravar; lra. }
  replace (apart i * x0 - / N * x0) with ((apart i - / N) * x0) by ring. rewrite Rabs_mult.
  rewrite <- (Rmult_1_l (Rabs x0)) at 2. apply Rmult_le_compat_r; [apply Rabs_pos|]. apply Rabs_le. lra.
Qed.
Lemma outlier_deviation : deviation n grad x0 <= (Rabs x0) ^ 2.
Proof.
  assert (N2 : 2 <= N) by (change 2 with (INR 2); apply le_INR; assumption).
  unfold deviation. apply Rmult_le_reg_l with N; [lra|]. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra.
  rewrite <- sum_const. apply sum_le. intros i _. replace (Rabs x0 ^ 2) with (Rabs x0 * Rabs x0) by ring.
  apply sq_le, outlier_near.
Qed.
Example lemma_19_inhabited :
  with_probability (sledge_history_I n b T) (1 - nu) (fun o => forall t, (t <= T)%nat ->
    sq (over n (vsum_in n (identities.undrawn 1 (at_time t (snd o)))
      (fun i => sub (table (sledge_start_I n b grad x0 (fst o)) i) (grad i x0))))
    <= 4 * C ^ 2 / B * (Rabs x0 ^ 2 + Rabs x0 ^ 2 / B)).
Proof.
  apply (lemma_19 n b P d T K Hb Hbn HP Hd HT HK nu 10 Hnu grad x0 (Rabs x0) (Rabs x0)); [|intros|lra].
  - apply outlier_deviation.
  - apply outlier_near.
Qed.
Example lemma_18_inhabited T1 eta start : (1 <= T1)%nat -> INR T1 <= N / B * C ->
  with_probability (sledge_history n b T) (1 - nu) (fun past =>
    let x t := x_at n b grad eta quiet start t past in forall t, (t <= T)%nat ->
    sq (over n (vsum t (fun s => if (t - T1 <=? s)%nat
      then scale (identities.size n (identities.undrawn (S s) (at_time t past)) / B)
        (vsum_in n (identities.minibatch (S s) past) (change n grad (x s) (x (S s)))) else zero)))
    <= 4 * C ^ 8 * 1 ^ 2 / B * sum t (fun s => if (t - T1 <=? s)%nat then sq (sub (x (S s)) (x s)) else 0)).
Proof.
  intros H1 H2. apply (lemma_18 n b P d T K Hb Hbn HP Hd HT HK nu 10 Hnu grad 1 Rle_0_1 (outlier_heterogeneous n) eta
    quiet start T1); lra || assumption.
Qed.
Example first_sum_with_variance_inhabited T1 eta : 0 < eta -> INR T1 = N / B * C ->
  with_probability (sledge_history_I n b T) (1 - 3 * nu) (fun o => let I0 := fst o in let past := snd o in
    let x t := point (sledge n b eta quiet grad (sledge_start_I n b grad x0 I0) (at_time t past)) in
    sum T (fun t => sq (gradient n grad (x t)))
    <= 2 / eta * (objective n outlier x0 - objective n outlier (x T)
        - (1 / (2 * eta) - 1 / 2 - 15 * C ^ 9 * eta * (1 * 1) * N / (B * B)) * sum T (fun s => sq (sub (x (S s)) (x s)))
        + 12 * eta * C ^ 3 * N / (B * B) * (Rabs x0 ^ 2 + Rabs x0 ^ 2 / B)) + 2 * INR T * (0 * 0) / (eta * eta)).
Proof.
  intros He H. apply (proj2 (first_sum_with_variance n b T T1 Hb Hbn HT outlier grad 1 1 nu eta 0 (outlier_smooth n)
    Rle_0_1 (outlier_heterogeneous n) Hnu He x0) (fun _ => quiet) P d K (Rabs x0) (Rabs x0) 10); try assumption; try
      lra.
  - intros. unfold quiet. rewrite norm_zero. lra.
  - apply outlier_deviation.
  - intros. apply outlier_near.
Qed.
Example theorem_2_orders_inhabited eps : 0 < eps ->
  (exists (T' : nat) (eta : R), 0 < eta /\ with_probability (sledge_history n b T') (1 - nu) (fun past =>
     exists t, (t < T')%nat /\ norm (gradient n grad (point (sledge n b eta quiet grad (sledge_start_II grad x0)
       (at_time t past)))) <= eps))
  /\ (eps * eps <= 2 * 1 * (objective n outlier x0 - 0) -> exists (T' : nat) (eta : R), 0 < eta /\
     with_probability (sledge_history_I n b T') (1 - nu) (fun o => exists t, (t < T')%nat /\
       norm (gradient n grad (point (sledge n b eta quiet grad (sledge_start_I n b grad x0 (fst o))
         (at_time t (snd o))))) <= eps)).
Proof.
  intro He. assert (Q : forall past : list batch, norm (quiet past) <= 0) by (intro; unfold quiet; rewrite norm_zero;
    lra).
  assert (Inf : forall x, 0 <= objective n outlier x) by (intro; apply outlier_infimum, Hn).
  split.
  - destruct (theorem_2_option_II n b Hb Hbn outlier grad 1 1 0 Rlt_0_1 Rle_0_1 (outlier_smooth n) Inf
      (outlier_heterogeneous n) x0 nu eps Hnu He) as [T' [eta [E [_ [_ H]]]]].
    exists T', eta. split; [exact E|]. apply (H 0 quiet); [|exact Q].
    assert (0 < eta * eps) by (apply Rmult_lt_0_compat; assumption). lra.
  - intro Large. destruct (theorem_2_option_I n b Hb Hbn outlier grad 1 1 0 Rlt_0_1 Rle_0_1 (outlier_smooth n) Inf
      (outlier_heterogeneous n) x0 nu eps Hnu He (Rabs x0) (Rabs_pos x0) (fun i _ => outlier_near i)) as [_ H].
    destruct (H Large) as [T' [eta [E [_ [_ H']]]]]. clear H.
    exists T', eta. split; [exact E|]. apply (H' 0 (fun _ => quiet)); [|intros; apply Q].
    assert (0 < eta * eps) by (apply Rmult_lt_0_compat; assumption). lra.
Qed.
End Inhabited.
