(* Minibatches of data: the mean over M of m data without replacement has the right mean, and a
   variance of at most 1/M of that of one datum. Means over independent minibatches of several
   clients. *)
From Coq Require Import Reals Lra Lia PeanoNat List.
From Sledge Require Import vectors means minibatches algorithms problems.
Open Scope R_scope.

Section Sampling.
Context {V : space}.
Variables (m M : nat).
Hypothesis HM : (1 <= M)%nat.
Hypothesis HMm : (M <= m)%nat.
Variable a : nat -> V.
Definition average_vector : V := over m (vsum m a).
Notation abar := average_vector.
Notation sample J := (over M (vsum_in m J a)).

Lemma M_m : 1 <= INR M <= INR m.
Proof. split; [change 1 with (INR 1)|]; apply le_INR; lia. Qed.
Theorem sample_mean w : Ex (uniform m M) (fun J => ip (sub (sample J) abar) w) = 0.
Proof.
  pose proof M_m. rewrite (Ex_ext _ _ (fun J => / INR M * ip (vsum_in m J a) w - ip abar w)).
  2:{ intros. products. reflexivity. }
  rewrite Ex_sub, Ex_const, Ex_mul, (minibatch_mean m M HMm). unfold average_vector.
  rewrite ip_over. field. lra.
Qed.
Theorem sample_variance : Ex (uniform m M) (fun J => sq (sub (sample J) abar))
  <= / INR M * (/ INR m * sum m (fun j => sq (sub (a j) abar))).
Proof.
  pose proof M_m. set (d := fun j => sub (a j) abar).
  assert (D0 : vsum m d = zero).
  { vector_eq w. rewrite ip_vsum. rewrite (sum_ext m _ (fun j => ip (a j) w - ip abar w)).
    2:{ intros. unfold d. apply ip_sub. }
    rewrite sum_sub, sum_const. unfold average_vector. rewrite ip_over, ip_vsum. field. lra. }
  rewrite (Ex_ext _ _ (fun J => / INR M * / INR M * ip (vsum_in m J d) (vsum_in m J d))).
  2:{ intros J PJ. pose proof (uniform_size m M J HMm PJ) as Size.
      replace (sub (sample J) abar) with (over M (vsum_in m J d)); [apply sq_over|].
      vector_eq w. rewrite !ip_vsum_in.
      rewrite (sum_ext m (fun j => ind J j * ip (d j) w) (fun j => ind J j * ip (a j)
        w - ip abar w * ind J j)).
      2:{ intros. unfold d. products. ring. }
      rewrite sum_sub, sum_mul, Size. field. lra. }
  rewrite Ex_mul. change (sum m (fun j => sq (sub (a j) abar))) with (sum m (fun j => sq (d j))).
  set (S := sum m (fun j => sq (d j))).
  assert (S0 : 0 <= S) by (apply sum_nonneg; intros; apply sq_nonneg).
  destruct (Nat.eq_dec m 1) as [e|e].
  - (* one datum *)
    assert (eM : M = 1%nat) by lia. rewrite (Ex_ext _ _ (fun _ => 0)).
    + rewrite Ex_const, Rmult_0_r. apply Rmult_le_pos; [left; apply Rinv_0_lt_compat; lra|].
      apply Rmult_le_pos; [left; apply Rinv_0_lt_compat; lra|assumption].
    + intros J PJ. pose proof (uniform_size m M J HMm PJ) as Size.
      replace (vsum_in m J d) with (vsum m d); [rewrite D0; apply ip_zero|].
      apply vsum_ext. intros i Hi. rewrite e, eM in Size. simpl in Size.
      replace i with 0%nat by lia.
      unfold ind in Size. destruct (J O); [reflexivity|lra].
  - assert (2 <= INR m) by (change 2 with (INR 2); apply le_INR; lia).
    rewrite (minibatch_product m M HMm ltac:(lia)), D0, ip_zero. fold (sq (zero : V)).
    change (sum m (fun i => ip (d i) (d i))) with S. rewrite Rmult_0_r, Rplus_0_r.
    replace (/ INR M * (/ INR m * S)) with (/ INR M * / INR M * (INR M * / INR m * S)) by (field;
      lra).
    apply Rmult_le_compat_l.
    { apply Rmult_le_pos; left; apply Rinv_0_lt_compat; lra. }
    apply Rmult_le_compat_r; [assumption|].
    replace (INR M * (INR m - INR M) / (INR m * (INR m - 1)))
      with (INR M * / INR m * ((INR m - INR M) / (INR m - 1))) by (field; lra).
    rewrite <- (Rmult_1_r (INR M * / INR m)) at 2. apply Rmult_le_compat_l.
    { apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]. }
    apply Rmult_le_reg_r with (INR m - 1); [lra|].
    replace ((INR m - INR M) / (INR m - 1) * (INR m - 1)) with (INR m - INR M) by (field; lra). lra.
Qed.
(* The variance is at most the mean square. *)
Lemma spread_below_square : sum m (fun j => sq (sub (a j) abar)) <= sum m (fun j => sq (a j)).
Proof.
  pose proof M_m. rewrite (sum_ext m _ (fun j => sq (a j) + ((-2) * ip (a j) abar + sq abar))).
  2:{ intros. rewrite sq_sub. ring. }
  rewrite !sum_add, sum_mul, sum_const, <- ip_vsum.
  replace (ip (vsum m a) abar) with (INR m * sq abar).
  - pose proof (sq_nonneg abar). nra.
  - unfold sq at 1, average_vector at 1. rewrite ip_over. field. lra.
Qed.
Corollary sample_bound B : (forall j, (j < m)%nat -> sq (sub (a j) abar) <= B) ->
  Ex (uniform m M) (fun J => sq (sub (sample J) abar)) <= B / INR M.
Proof.
  intro H. pose proof M_m. eapply Rle_trans; [apply sample_variance|]. rewrite Rmult_comm.
  apply Rmult_le_compat_r.
  { left. apply Rinv_0_lt_compat. lra. }
  apply Rmult_le_reg_l with (INR m); [lra|]. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra.
  rewrite <- sum_const. apply sum_le, H.
Qed.
Corollary sample_change B : (forall j, (j < m)%nat -> sq (a j) <= B) ->
  Ex (uniform m M) (fun J => sq (sub (sample J) abar)) <= B / INR M.
Proof.
  intro H. pose proof M_m. eapply Rle_trans; [apply sample_variance|]. rewrite Rmult_comm.
  apply Rmult_le_compat_r.
  { left. apply Rinv_0_lt_compat. lra. }
  apply Rmult_le_reg_l with (INR m); [lra|]. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra.
  eapply Rle_trans; [apply spread_below_square|]. rewrite <- sum_const. apply sum_le, H.
Qed.
End Sampling.

(* Independent errors of mean 0, one for each index below n,
  of which those in I are added: the squares add up. *)
Section Independent.
Context {V : space} {O : Type}.
Variables (default : O) (n : nat) (law : nat -> mean O) (u : nat -> O -> V).
Hypothesis mean_zero : forall i w, (i < n)%nat -> Ex (law i) (fun o => ip (u i o) w) = 0.
Notation fam := (family default n law).

Lemma independent_cross k I (w : V) : (k <= n)%nat ->
  Ex fam (fun o => ip (vsum_in k I (fun i => u i (o i))) w) = 0.
Proof.
  intro Hk. rewrite (Ex_ext _ _ (fun o => sum k (fun i => ind I i * ip (u i (o i)) w))) by (intros;
    apply ip_vsum_in).
  rewrite Ex_sum. apply sum_zero. intros i Hi. rewrite Ex_mul.
  rewrite (Ex_family_one default n law i (fun o => ip (u i o) w)) by lia. rewrite mean_zero by lia.
  ring.
Qed.
End Independent.

Lemma independent_squares {V : space} {O : Type} (default : O) (law : nat -> mean O)
  (u : nat -> O -> V) I n :
  (forall i w, (i < n)%nat -> Ex (law i) (fun o => ip (u i o) w) = 0) ->
  Ex (family default n law) (fun o => sq (vsum_in n I (fun i => u i (o i))))
  = sum n (fun i => ind I i * Ex (law i) (fun o => sq (u i o))).
Proof.
  induction n as [|n IH]; intro Z; [cbn; apply ip_zero|].
  cbn [family sum]. rewrite Ex_bind.
  rewrite (Ex_ext _ _ (fun a => sq (vsum_in n I (fun i => u i (a i))) + ind I n * Ex (law n)
    (fun o => sq (u n o)))).
  - rewrite Ex_add, Ex_const, IH; [reflexivity|]. intros. apply Z. lia.
  - intros a _. rewrite Ex_bind.
    rewrite (Ex_ext _ _ (fun o => sq (vsum_in n I (fun i => u i (a i)))
      + (2 * ind I n * ip (u n o) (vsum_in n I (fun i => u i (a i))) + ind I n * sq (u n o)))).
    + rewrite !Ex_add, !Ex_mul, Ex_const, Z by lia. ring.
    + intros o _. change (Ex (sure ?x) ?f) with (f x). cbn beta.
      unfold vsum_in. cbn [vsum]. rewrite Nat.eqb_refl.
      replace (vsum n (fun i => if I i then u i (if Nat.eqb i n then o else a i) else zero))
        with (vsum n (fun i => if I i then u i (a i) else zero)).
      * unfold ind. destruct (I n); [rewrite sq_add, (ip_sym (u n o)); ring|].
        rewrite sq_add, sq_zero, ip_zero_r. ring.
      * apply vsum_ext. intros i Hi. rewrite (proj2 (Nat.eqb_neq i n)) by lia. reflexivity.
Qed.
