(* A minibatch without replacement, drawn one index at a time, under the potential of azuma.v
   (ledger: what variance-lemma-option-two/adaptive says of one step).

   Let w_0, ..., w_{n-1} have sum zero and be at most D apart, let I be a set of b of the n indices,
   all alike, and
       A' = a A + (1/b) sum_{i in I} w_i,    B'^2 = a^2 B^2 + (S/b^2) D^2,
       S = sum_{j=1}^b ((n - b)/(n - j))^2 <= b                                            [spread].
   Then E exp(theta |A'|^2/B'^2) <= exp(theta |A|^2/B^2) + b e^kappa, with 0 for exp where A = 0
   [minibatch_step].

   So without replacement costs nothing: S < b (Serfling's factor) in place of b. Given that J, of
   size k, has been drawn, the sum over the rest has mean -((b - k)/(n - k)) sum_J w, and
       A_J = a A + (1/b)((n - b)/(n - k)) sum_{i in J} w_i
   is a martingale; the (k+1)st index moves it by at most (1/b)((n - b)/(n - k - 1)) D. *)
From Coq Require Import Reals Lra Lia List PeanoNat.
From Sledge Require Import vectors means minibatches probability hoeffding azuma.
Import ListNotations.
Open Scope R_scope.

(* S *)
Definition shrink (n b j : nat) : R := (INR n - INR b) / (INR n - INR j).
Definition spread (n b : nat) : R := sum b (fun j => shrink n b (S j) * shrink n b (S j)).

Lemma shrink_bounds n b j : (j <= b)%nat -> (b <= n)%nat -> 0 <= shrink n b j <= 1.
Proof.
  intros Hj Hb. assert (INR j <= INR b) by (apply le_INR; assumption).
  assert (INR b <= INR n) by (apply le_INR; assumption). unfold shrink.
  destruct (Req_dec (INR n - INR j) 0) as [e|e].
  - replace (INR n - INR b) with 0 by lra. unfold Rdiv. rewrite Rmult_0_l. lra.
  - assert (0 < / (INR n - INR j)) by (apply Rinv_0_lt_compat; lra). split.
    + apply Rmult_le_pos; lra.
    + apply Rmult_le_reg_r with (INR n - INR j); [lra|].
      replace ((INR n - INR b) / (INR n - INR j) * (INR n - INR j)) with (INR n - INR b)
        by (field; lra). lra.
Qed.
Lemma spread_bounds n b : (b <= n)%nat -> 0 <= spread n b <= INR b.
Proof.
  intro Hb. unfold spread. split.
  - apply sum_nonneg. intros. apply Rle_0_sqr.
  - rewrite <- (Rmult_1_r (INR b)), <- sum_const. apply sum_le. intros j Hj.
    pose proof (shrink_bounds n b (S j) ltac:(lia) Hb). replace 1 with (1 * 1) by ring.
    apply Rmult_le_compat; lra.
Qed.
Lemma spread_pos n b : (1 <= b)%nat -> (b < n)%nat -> 0 < spread n b.
Proof.
  intros H1 Hb. assert (INR b < INR n) by (apply lt_INR; assumption). unfold spread.
  destruct b as [|b]; [lia|].
  cbn [sum]. assert (0 <= sum b (fun j => shrink n (S b) (S j) * shrink n (S b) (S j))).
  { apply sum_nonneg. intros. apply Rle_0_sqr. }
  replace (shrink n (S b) (S b)) with 1 by (unfold shrink; field; lra). lra.
Qed.

Section Minibatch.
Context {V : space}.
Variable theta : R.
Hypothesis Htheta : 0 < theta < 2.
Variables (n b : nat).
Hypothesis Hb : (1 <= b)%nat.
Hypothesis Hbn : (b <= n)%nat.
Variables (w : nat -> V) (D : R).
Hypothesis HD : 0 <= D.
Hypothesis sum_zero : vsum n w = zero.
Hypothesis apart : forall i j, (i < n)%nat -> (j < n)%nat -> norm (sub (w i) (w j)) <= D.
Notation N := (INR n).
Notation B := (INR b).

Lemma vsum_in_insert i J : (i < n)%nat -> J i = false -> vsum_in n (insert i J) w = add (vsum_in n
  J w) (w i).
Proof.
  intros Hi HJ. vector_eq u. rewrite !ip_vsum_in. apply (sum_insert n i J (fun k => ip (w k) u));
    assumption.
Qed.

(* The martingale A_J, |J| = k, and the squares of its radii. *)
Variable A0 : V.
Variable beta0 : R.
Definition partial (k : nat) (J : batch) : V :=
  add A0 (scale (/ B * shrink n b k) (vsum_in n J w)).
Definition partial_radius (k : nat) : R :=
  beta0 + / B * / B * (D * D) * sum k (fun j => shrink n b (S j) * shrink n b (S j)).
Definition increment (k : nat) (J : batch) (i : nat) : V :=
  scale (/ B * shrink n b (S k)) (add (w i) (scale (/ (N - INR k)) (vsum_in n J w))).

Lemma partial_step k J i : (k < b)%nat -> (b < n)%nat -> (i < n)%nat -> J i = false ->
  partial (S k) (insert i J) = add (scale 1 (partial k J)) (increment k J i).
Proof.
  intros Hk H Hi HJ. unfold partial, increment. rewrite vsum_in_insert by assumption.
  assert (INR (S k) <= INR b) by (apply le_INR; lia). assert (INR b < INR n) by (apply lt_INR;
    assumption).
  assert (1 <= INR b) by (change 1 with (INR 1); apply le_INR; assumption).
  vector_eq u. unfold shrink. rewrite S_INR in *. field. repeat split; lra.
Qed.
Lemma increment_mean k J u : (k < b)%nat -> (b < n)%nat -> sum n (ind J) = INR k ->
  Ex (pick n J) (fun i => ip u (increment k J i)) = 0.
Proof.
  intros Hk H HJ. assert (INR (S k) <= INR b) by (apply le_INR; lia).
  assert (INR b < INR n) by (apply lt_INR; assumption). rewrite S_INR in *.
  unfold increment. rewrite (Ex_ext _ _ (fun i => / B * shrink n b (S k) *
    (ip (w i) u + / (N - INR k) * ip (vsum_in n J w) u))) by (intros; products;
      rewrite !(ip_sym u); ring).
  rewrite Ex_mul, Ex_add, Ex_const, Ex_pick by lra. rewrite HJ.
  rewrite (sum_ext n _ (fun i => ip (w i) u - ind J i * ip (w i) u)) by (intros; ring).
  rewrite sum_sub, <- ip_vsum, sum_zero, ip_zero, <- ip_vsum_in. ring.
Qed.
Lemma increment_apart k J i i' : (k < b)%nat -> (i < n)%nat -> (i' < n)%nat ->
  norm (sub (increment k J i) (increment k J i')) <= / B * shrink n b (S k) * D.
Proof.
  intros Hk Hi Hi'. unfold increment. set (c := / B * shrink n b (S k)).
  set (v := scale (/ (N - INR k)) (vsum_in n J w)).
  replace (sub (scale c (add (w i) v)) (scale c (add (w i') v))) with (scale c (sub (w i) (w i')))
    by (vector_eq u; ring).
  assert (0 <= c).
  { unfold c. apply Rmult_le_pos; [|apply shrink_bounds; lia]. left.
    apply Rinv_0_lt_compat, lt_0_INR. lia. }
  rewrite norm_scale, Rabs_right by lra. apply Rmult_le_compat_l; [assumption|].
  apply apart; assumption.
Qed.
Lemma draws_step m : forall k J, (k + m = b)%nat -> (b < n)%nat -> sum n (ind J) = INR k ->
  proper (partial k J) (partial_radius k) ->
  Ex (draws n m J) (fun I => tower theta (partial b I) (partial_radius b))
  <= tower theta (partial k J) (partial_radius k) + INR m * exp (kappa theta).
Proof.
  induction m as [|m IH]; intros k J Hk H HJ P.
  - replace k with b by lia. simpl. lra.
  - assert (Lt : sum n (ind J) < N) by (rewrite HJ; apply lt_INR; lia).
    change (draws n (S m) J) with (bind (pick n J) (fun i => draws n m (insert i J))).
    rewrite Ex_bind.
    assert (C : 0 <= / B * shrink n b (S k) * D).
    { apply Rmult_le_pos; [|assumption]. apply Rmult_le_pos; [|apply shrink_bounds; lia].
      left. apply Rinv_0_lt_compat, lt_0_INR. lia. }
    assert (PR : partial_radius (S k) = 1 * 1 * partial_radius k
      + / B * shrink n b (S k) * D * (/ B * shrink n b (S k) * D)).
    { unfold partial_radius. cbn [sum]. ring. }
    assert (Dm : forall i i', possible (pick n J) i -> possible (pick n J) i' ->
      norm (sub (increment k J i) (increment k J i')) <= / B * shrink n b (S k) * D).
    { intros i i' Q Q'. apply increment_apart; [lia| |];
        [apply (pick_possible n J i Lt Q)|apply (pick_possible n J i' Lt Q')]. }
    apply Rle_trans with (Ex (pick n J) (fun i => tower theta (add (scale 1 (partial k J))
      (increment k J i))
      (1 * 1 * partial_radius k + / B * shrink n b (S k) * D * (/ B * shrink n b (S k) * D))
      + INR m * exp (kappa theta))).
    + apply Ex_le. intros i Q. destruct (pick_possible n J i Lt Q) as [Q1 Q2].
      rewrite <- PR, <- (partial_step k J i) by (assumption || lia). apply IH; [lia|assumption| |].
      * rewrite (sum_ext n _ (fun j => ind (insert i J) j * 1)) by (intros; ring).
        rewrite (sum_insert n i J (fun _ => 1)) by assumption.
        rewrite (sum_ext n _ (ind J)) by (intros; ring). rewrite HJ, S_INR. reflexivity.
      * rewrite (partial_step k J i) by (assumption || lia). rewrite PR.
        apply (proper_step (pick n J)); [lra|assumption| |assumption|assumption].
        intro u. apply increment_mean; [lia|assumption|assumption].
    + rewrite Ex_add, Ex_const, S_INR.
      pose proof (potential_step theta Htheta (pick n J) (partial k J) (partial_radius k) 1
        (/ B * shrink n b (S k) * D) (increment k J) ltac:(lra) P
        (fun u => increment_mean k J u ltac:(lia) H HJ) Dm). lra.
Qed.
End Minibatch.

Section Theorems.
Context {V : space}.
Variables (n b : nat).
Hypothesis Hb : (1 <= b)%nat.
Hypothesis Hbn : (b <= n)%nat.
Variables (w : nat -> V) (D : R).
Hypothesis HD : 0 <= D.
Hypothesis centred : vsum n w = zero.
Hypothesis apart : forall i j, (i < n)%nat -> (j < n)%nat -> norm (sub (w i) (w j)) <= D.
Variables (A : V) (beta a : R).
Hypothesis P : proper A beta.
Notation N := (INR n).
Notation B := (INR b).
Let A' (I : batch) : V := add (scale a A) (over b (vsum_in n I w)).
Let beta' : R := a * a * beta + spread n b / (B * B) * (D * D).

Lemma B_pos : 0 < B.
Proof. apply lt_0_INR. lia. Qed.
Lemma proper_scale : proper (scale a A) (a * a * beta).
Proof.
  destruct P as [P1 P2]. split; [apply Rmult_le_pos; [apply Rle_0_sqr|assumption]|].
  intro Z. apply Rmult_integral in Z. vector_eq u. destruct Z as [Z|Z].
  - apply Rmult_integral in Z. destruct Z as [->| ->]; ring.
  - rewrite (P2 Z), ip_zero. ring.
Qed.
Lemma tower_scale theta : tower theta (scale a A) (a * a * beta) <= tower theta A beta.
Proof.
  unfold tower. rewrite sq_scale. destruct (Req_EM_T (a * a * sq A) 0) as [e|e].
  - destruct Req_EM_T; [lra|left; apply exp_pos].
  - assert (a <> 0) by (intros ->; apply e; ring).
    assert (sq A <> 0) by (intro q; apply e; rewrite q; ring).
    assert (beta <> 0) by (intro q; apply H0; rewrite (proj2 P q); apply sq_zero).
    destruct Req_EM_T; [contradiction|]. right. f_equal. field. auto.
Qed.
(* All of the n indices. *)
Lemma whole_batch I : b = n -> possible (uniform n b) I -> vsum_in n I w = zero.
Proof.
  intros e PI. pose proof (uniform_size n b I Hbn PI) as Sz. rewrite e in Sz. rewrite <- centred.
  apply vsum_ext. intros i Hi. destruct (I i) eqn:q; [reflexivity|]. exfalso.
  assert (sum n (ind I) <= N - 1); [|lra].
  rewrite <- (Rmult_1_r N) at 1. rewrite <- (sum_const n 1), <- (sum_all_but n i (fun _ => 1) Hi).
  apply sum_le. intros j Hj. destruct (Nat.eq_dec i j) as [->|]; [unfold ind; rewrite q;
    lra|apply ind_bounds].
Qed.
Lemma all_alike : D = 0 -> forall i, (i < n)%nat -> w i = zero.
Proof.
  intros Z i Hi. assert (E : forall j, (j < n)%nat -> w j = w i).
  { intros j Hj. pose proof (apart i j Hi Hj) as H. rewrite Z in H. apply sq_le in H.
    pose proof (sq_nonneg (sub (w i) (w j))). assert (Q : sub (w i) (w j) = zero)
      by (apply sq_zero_eq; lra).
    apply ip_ext. intro u. apply (f_equal (fun v => ip v u)) in Q. rewrite ip_sub, ip_zero in Q.
    lra. }
  apply ip_ext. intro u. pose proof (f_equal (fun v => ip v u) centred) as C. simpl in C.
  rewrite ip_vsum, ip_zero in C. rewrite (sum_ext n _ (fun _ => ip (w i) u)) in C.
  2:{ intros j Hj. rewrite (E j Hj). reflexivity. }
  rewrite sum_const in C. rewrite ip_zero. assert (0 < N) by (apply lt_0_INR; lia).
  apply Rmult_integral in C. destruct C; lra.
Qed.
Lemma minibatch_proper I : possible (uniform n b) I -> proper (A' I) beta'.
Proof.
  intro PI. pose proof proper_scale as [P1 P2]. pose proof (spread_bounds n b Hbn) as [S0 _].
  pose proof B_pos.
  assert (S2 : 0 <= spread n b / (B * B) * (D * D)).
  { apply Rmult_le_pos; [|apply Rle_0_sqr]. apply Rmult_le_pos; [assumption|].
    left. apply Rinv_0_lt_compat, Rmult_lt_0_compat; assumption. }
  split; [unfold beta'; lra|]. intro Z. unfold beta' in Z. unfold A'. rewrite P2 by lra.
  assert (W : vsum_in n I w = zero).
  { destruct (Nat.eq_dec b n) as [e|e]; [apply whole_batch; assumption|].
    pose proof (spread_pos n b Hb ltac:(lia)) as S1.
    assert (D0 : D = 0).
    { assert (Z2 : spread n b / (B * B) * (D * D) = 0) by lra.
      apply Rmult_integral in Z2. destruct Z2 as [Z2|Z2].
      - exfalso. assert (0 < spread n b / (B * B)); [|lra].
        apply Rmult_lt_0_compat; [assumption|]. apply Rinv_0_lt_compat, Rmult_lt_0_compat;
          assumption.
      - apply Rmult_integral in Z2. tauto. }
    vector_eq u. rewrite ip_vsum_in. apply sum_zero. intros i Hi.
    rewrite (all_alike D0 i Hi), ip_zero. ring. }
  rewrite W. vector_eq u. ring.
Qed.
Theorem minibatch_step theta : 0 < theta < 2 ->
  Ex (uniform n b) (fun I => tower theta (A' I) beta') <= tower theta A beta + B * exp (kappa
    theta).
Proof.
  intro Ht. pose proof B_pos. pose proof (exp_pos (kappa theta)) as K.
  assert (BK : 0 <= B * exp (kappa theta)) by (apply Rmult_le_pos; lra).
  apply Rle_trans with (tower theta (scale a A) (a * a * beta) + B * exp (kappa theta)).
  2:{ pose proof (tower_scale theta). lra. }
  destruct (Nat.eq_dec b n) as [e|e].
  - apply Ex_at_most. intros I PI. unfold A', beta'. rewrite (whole_batch I e PI).
    replace (spread n b / (B * B) * (D * D)) with 0.
    + replace (add (scale a A) (over b zero)) with (scale a A) by (vector_eq u; ring).
      rewrite Rplus_0_r. lra.
    + unfold spread. rewrite sum_zero; [unfold Rdiv; ring|]. intros j _. unfold shrink. rewrite e.
      unfold Rdiv. ring.
  - rewrite uniform_is_draws by assumption.
    pose proof (draws_step theta Ht n b Hb Hbn w D HD centred apart (scale a A) (a * a * beta) b 0
      none
      ltac:(lia) ltac:(lia)) as S.
    assert (E0 : partial n b w (scale a A) 0 none = scale a A).
    { unfold partial. vector_eq u. rewrite ip_vsum_in, sum_zero; [ring|]. intros.
      unfold ind, none. ring. }
    assert (E1 : partial_radius n b D (a * a * beta) 0 = a * a * beta) by (unfold partial_radius;
      simpl; ring).
    rewrite E0, E1 in S. eapply Rle_trans; [|apply S; [apply sum_zero;
      reflexivity|apply proper_scale]].
    right. apply Ex_ext. intros I _. f_equal.
    + unfold A', partial. replace (shrink n b b) with 1.
      * vector_eq u. ring.
      * unfold shrink. field. assert (B < N) by (apply lt_INR; lia). lra.
    + unfold beta', partial_radius. fold (spread n b). field. lra.
Qed.
End Theorems.
