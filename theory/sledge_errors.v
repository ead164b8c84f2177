(* The error of SLEDGE's estimate in expectation (ledger: variance-lemma-option-two/expectation;
   beside Lemma 1, lemma:First-VarianceBound, lines 1143-1160, which bounds each error with high
   probability).

   For all spaces, functions that are zeta-heterogeneous, 1 <= b <= n, step sizes, noises and T:

       sum_{t < T+1} E |v^t - grad f(x^t)|^2
           <= (K (n-1)/(2 b^2 (2 - b/n))) zeta^2 sum_{t < T} E |x^{t+1} - x^t|^2
           + Phi_0 n/(b (2 - b/n)),

   K = movement_factor 1 n b <= 12 of second_moments.v, about (9/4)(n/b^2) zeta^2 in all, where the
   lemma, summed, has 15 C_1^9 (n/b^2) zeta^2. Phi_0 = 0 for Option II, and for Option I in the mean
   (rho/b + (3/n)(1 + rho/b)) sigma_c^2.   Theorems [sledge_errors_II], [sledge_errors_I]. *)
From Coq Require Import Reals Lra Lia PeanoNat List.
From Sledge Require Import vectors means minibatches algorithms problems second_moments.
Import ListNotations.
Open Scope R_scope.

(* If a_{t+1} <= a_t - e_t + m_t, then sum of e_t + a_T <= a_0 + sum of m_t. *)
Lemma telescope (a e m : nat -> R) T :
  (forall t, (t < T)%nat -> a (S t) <= a t - e t + m t) -> sum T e + a T <= a O + sum T m.
Proof.
  induction T as [|T IH]; intro H; [simpl; lra|]. cbn [sum].
  assert (sum T e + a T <= a O + sum T m) by (apply IH; intros; apply H; lia).
  specialize (H T (Nat.lt_succ_diag_r T)). lra.
Qed.

(* The weight of the movement in the sum of the errors. *)
Definition variance_factor (n b : nat) : R :=
  movement_factor 1 n b * (INR n - 1) / (2 * (INR b * INR b) * (2 - INR b / INR n)).
(* How many steps an error lasts, 1/(1 - q^2). *)
Definition lifetime (n b : nat) : R := INR n / (INR b * (2 - INR b / INR n)).
(* The potential after the start of Option I, for deviation 1. *)
Definition start_factor (n b : nat) : R := rho n b / INR b + 3 / INR n * (1 + rho n b / INR b).

Section Errors.
Context {V : space}.
Variables (n b : nat).
Hypothesis Hb : (1 <= b)%nat.
Hypothesis Hbn : (b <= n)%nat.
Variables (grad : nat -> V -> V) (zeta : R).
Hypothesis het : heterogeneous n grad zeta.
Variables (eta : R) (noise : list batch -> V).
Notation N := (INR n).
Notation B := (INR b).
Notation grad_f := (gradient n grad).
Notation step := (sledge_step n b eta noise grad).
Notation next := (next_point n eta noise).

Definition row_error (s : state) (i : nat) : V := sub (table s i) (grad i (point s)).
Definition error (s : state) : V := sub (estimate n s) (grad_f (point s)).
Definition change (x x' : V) (i : nat) : V := sub (sub (grad i x') (grad i x)) (sub (grad_f x')
  (grad_f x)).
(* |x^{t+1} - x^t|^2 *)
Definition moved (past : list batch) (s : state) : R := sq (sub (next past s) (point s)).
Definition phi (s : state) : R := potential n (row_error s).

Lemma Nn : 1 <= N. Proof. change 1 with (INR 1). apply le_INR. lia. Qed.
Lemma Bb : 1 <= B <= N. Proof. split; [change 1 with (INR 1)|]; apply le_INR; lia. Qed.
Lemma BN_1 : 0 < B / N <= 1.
Proof.
  pose proof Nn. pose proof Bb. split.
  - apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra].
  - apply Rmult_le_reg_r with N; [lra|]. replace (B / N * N) with B by (field; lra). lra.
Qed.

(* ---- The rows after a step ---- *)

Lemma error_is_mean s : error s = mean_of n (row_error s).
Proof.
  unfold error, estimate. vector_eq w. rewrite ip_mean_of, ip_gradient, ip_vsum.
  rewrite <- Rmult_minus_distr_l, <- sum_sub. f_equal. apply sum_ext. intros. symmetry.
  apply ip_sub.
Qed.
Lemma change_centred x x' : vsum n (change x x') = zero.
Proof.
  pose proof Nn. vector_eq w. rewrite ip_vsum.
  rewrite (sum_ext n _ (fun i => ip (grad i x') w - ip (grad i x) w - (ip (grad_f x')
    w - ip (grad_f x) w))).
  2:{ intros. unfold change. products. ring. }
  rewrite sum_sub, sum_const, sum_sub, !ip_gradient. field. lra.
Qed.
Lemma batch_change I x x' : possible (uniform n b) I ->
  over b (vsum_in n I (fun j => sub (grad j x') (grad j x)))
  = add (over b (vsum_in n I (change x x'))) (sub (grad_f x') (grad_f x)).
Proof.
  intro PI. pose proof (uniform_size n b I Hbn PI) as Size. pose proof Bb. vector_eq w.
  rewrite !ip_vsum_in.
  rewrite (sum_ext n (fun i => ind I i * ip (change x x' i) w)
    (fun i => ind I i * ip (sub (grad i x') (grad i x)) w + (- (ip (grad_f x') w - ip (grad_f x) w))
      * ind I i)).
  2:{ intros. unfold change. products. ring. }
  rewrite sum_add, sum_mul, Size. field. lra.
Qed.
Lemma row_step past s I i : possible (uniform n b) I ->
  row_error (step past s I) i = new_row n b (row_error s) (change (point s) (next past s)) I i.
Proof.
  intro PI. unfold row_error at 1, new_row, table at 1, point at 1. cbn [sledge_step fst snd].
  destruct (I i); [apply sub_self|]. rewrite (batch_change I _ _ PI). unfold row_error.
  set (x' := next past s). vector_eq w. unfold change at 2. products. ring.
Qed.
Lemma phi_step past s I : possible (uniform n b) I ->
  phi (step past s I) = potential n (new_row n b (row_error s) (change (point s) (next past s)) I).
Proof.
  intro PI. unfold phi, potential, mean_of, mean_sq. f_equal; f_equal.
  - f_equal. apply vsum_ext. intros. apply row_step, PI.
  - f_equal. apply sum_ext. intros. rewrite row_step by assumption. reflexivity.
Qed.
Lemma phi_nonneg s : 0 <= phi s.
Proof.
  pose proof Nn. unfold phi, potential, mean_sq.
  pose proof (sq_nonneg (mean_of n (row_error s))).
  assert (0 <= / N * sum n (fun i => sq (row_error s i))).
  { apply Rmult_le_pos; [left; apply Rinv_0_lt_compat; lra|]. apply sum_nonneg. intros.
    apply sq_nonneg. }
  assert (0 < 3 / N) by (apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra]). nra.
Qed.
Lemma error_phi s : sq (error s) <= phi s.
Proof.
  pose proof Nn. rewrite error_is_mean. unfold phi, potential, mean_sq.
  assert (0 <= / N * sum n (fun i => sq (row_error s i))).
  { apply Rmult_le_pos; [left; apply Rinv_0_lt_compat; lra|]. apply sum_nonneg. intros.
    apply sq_nonneg. }
  assert (0 < 3 / N) by (apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra]). nra.
Qed.

(* ---- Heterogeneity bounds the centred changes: kappa <= ((n-1)/(2n)) zeta^2 |x' - x|^2 ---- *)

Lemma change_bound x x' : mean_sq n (change x x') <= (N - 1) / (2 * N)
  * (zeta * zeta * sq (sub x' x)).
Proof.
  pose proof Nn. set (c := change x x'). set (m := zeta * zeta * sq (sub x' x)).
  (* the sum of |c_i - c_j|^2 over all pairs, once by pairs and once expanded *)
  assert (H1 : sum n (fun i => sum n (fun j => sq (sub (c i) (c j)))) <= N * (N - 1) * m).
  { replace (N * (N - 1) * m) with (sum n (fun _ => (N - 1) * m)) by (rewrite sum_const; ring).
    apply sum_le. intros i Hi. replace ((N - 1) * m) with (sum n
      (fun j => if Nat.eq_dec i j then 0 else m)).
    2:{ rewrite (sum_all_but n i (fun _ => m) Hi), sum_const. ring. }
    apply sum_le. intros j Hj. destruct (Nat.eq_dec i j) as [e|e].
    - subst. rewrite sub_self, sq_zero. lra.
    - replace (sub (c i) (c j)) with (sub (sub (grad i x') (grad i x)) (sub (grad j x')
        (grad j x))).
      + apply (heterogeneous_sq n grad zeta); assumption.
      + unfold c, change. vector_eq w. ring. }
  assert (H2 : sum n (fun i => sum n (fun j => sq (sub (c i) (c j)))) = 2 * N * sum n
    (fun i => sq (c i))).
  { rewrite (sum_ext n _ (fun i => N * sq (c i) + (sum n (fun j => sq (c j)) + (-2) * ip (c i)
      (vsum n c)))).
    2:{ intros i _. rewrite (sum_ext n _ (fun j => sq (c i) + (sq (c j) + (-2) * ip (c i) (c j)))).
        2:{ intros. rewrite sq_sub. ring. }
        rewrite !sum_add, sum_mul, sum_const, ip_vsum_r. reflexivity. }
    rewrite (sum_ext n _ (fun i => N * sq (c i) + sum n (fun j => sq (c j)))).
    2:{ intros. unfold c at 4. rewrite change_centred, ip_zero_r. ring. }
    rewrite sum_add, sum_mul, sum_const. ring. }
  unfold mean_sq. apply Rmult_le_reg_l with (2 * N * N); [nra|].
  replace (2 * N * N * (/ N * sum n (fun i => sq (c i)))) with (2 * N * sum n (fun i => sq (c i)))
    by (field; lra).
  replace (2 * N * N * ((N - 1) / (2 * N) * m)) with (N * (N - 1) * m) by (field; lra). lra.
Qed.

(* ---- The potential over a step and over a run ---- *)

Theorem phi_moment s past st : 0 < s <= 1 ->
  Ex (uniform n b) (fun I => phi (step past st I))
  <= (1 - B / N) * (1 - B / N) * sq (error st)
     + 3 / N * (1 - (1 - s) * (B / N) * (1 - rho n b / 3)) * mean_sq n (row_error st)
     + movement_factor s n b * (N - 1) / (2 * B * N) * (zeta * zeta) * moved past st.
Proof.
  intro Hs. pose proof Nn. pose proof Bb.
  rewrite (Ex_ext _ _ _ (fun I PI => phi_step past st I PI)).
  eapply Rle_trans; [apply potential_moment;
    [assumption|assumption|apply change_centred|exact Hs]|].
  rewrite error_is_mean. apply Rplus_le_compat_l.
  replace (movement_factor s n b * (N - 1) / (2 * B * N) * (zeta * zeta) * moved past st)
    with (movement_factor s n b / B * ((N - 1) / (2 * N) * (zeta * zeta * moved past st)))
      by (field; lra).
  apply Rmult_le_compat_l; [|apply change_bound].
  apply Rmult_le_pos; [apply movement_factor_nonneg; assumption || lra|left; apply Rinv_0_lt_compat;
    lra].
Qed.
Corollary phi_moment_1 past st :
  Ex (uniform n b) (fun I => phi (step past st I))
  <= phi st - (B / N) * (2 - B / N) * sq (error st)
     + movement_factor 1 n b * (N - 1) / (2 * B * N) * (zeta * zeta) * moved past st.
Proof.
  eapply Rle_trans; [apply (phi_moment 1); lra|]. unfold phi, potential. rewrite error_is_mean.
  right. ring.
Qed.

Variable start : @state R V.
Notation run := (sledge n b eta noise grad start).
Notation E t := (Ex (sledge_history n b t)).

Theorem sledge_errors T :
  sum (S T) (fun t => E t (fun past => sq (error (run past))))
  <= variance_factor n b * (zeta * zeta) * sum T (fun t => E t (fun past => moved past (run past)))
     + lifetime n b * phi start.
Proof.
  pose proof Nn. pose proof Bb. pose proof BN_1.
  set (err := fun t => E t (fun past => sq (error (run past)))).
  set (mov := fun t => E t (fun past => moved past (run past))).
  set (c := movement_factor 1 n b * (N - 1) / (2 * B * N) * (zeta * zeta)).
  set (k := B / N * (2 - B / N)). assert (K : 0 < k) by (unfold k; nra).
  assert (K1 : k <= 1) by (unfold k; nra).
  assert (S : sum T (fun t => k * err t) + E T (fun past => phi (run past))
    <= E O (fun past => phi (run past)) + sum T (fun t => c * mov t)).
  { apply (telescope (fun t => E t (fun past => phi (run past)))). intros t _.
    unfold sledge_history. rewrite Ex_history_S. unfold err, mov, sledge_history.
    rewrite <- !Ex_mul, <- Ex_sub, <- Ex_add. apply Ex_le. intros past _. cbn [sledge].
    apply phi_moment_1. }
  rewrite !sum_mul in S. change (E O (fun past => phi (run past))) with (phi start) in S.
  assert (L : k * err T <= E T (fun past => phi (run past))).
  { apply Rle_trans with (err T).
    - assert (0 <= err T) by (apply Ex_nonneg; intros; apply sq_nonneg). nra.
    - apply Ex_le. intros past _. apply error_phi. }
  cbn [sum]. apply Rmult_le_reg_l with k; [assumption|].
  replace (k * (variance_factor n b * (zeta * zeta) * sum T mov + lifetime n b * phi start))
    with (c * sum T mov + phi start).
  - fold (err T). lra.
  - unfold c, k, variance_factor, lifetime.
    assert (2 * N - B <> 0) by lra. field. repeat split; lra.
Qed.
End Errors.

(* ---- The starts ---- *)

Section Starts.
Context {V : space}.
Variables (n b : nat).
Hypothesis Hb : (1 <= b)%nat.
Hypothesis Hbn : (b <= n)%nat.
Variables (grad : nat -> V -> V) (x0 : V).
Notation N := (INR n).
Notation B := (INR b).

Lemma phi_zero s : (forall i, (i < n)%nat -> row_error grad s i = zero) -> phi n grad s = 0.
Proof.
  intro H. unfold phi, potential, mean_of, mean_sq.
  rewrite (sum_zero n) by (intros i Hi; rewrite H by assumption; apply sq_zero).
  rewrite sq_over. replace (sq (vsum n (row_error grad s))) with 0; [ring|].
  replace (vsum n (row_error grad s)) with (zero : V); [symmetry; apply sq_zero|].
  vector_eq w. rewrite ip_vsum, sum_zero; [reflexivity|]. intros i Hi. rewrite H by assumption.
  apply ip_zero.
Qed.
Lemma phi_start_II : phi n grad (sledge_start_II grad x0) = 0.
Proof. apply phi_zero. intros. apply sub_self. Qed.
(* Option I: all rows are the mean of the minibatch I^0. *)
Theorem start_I_moment alpha beta :
  Ex (uniform n b) (fun I0 => alpha * sq (mean_of n (row_error grad (sledge_start_I n b grad x0
    I0)))
    + beta * mean_sq n (row_error grad (sledge_start_I n b grad x0 I0)))
  = (alpha * (rho n b / INR b) + beta * (1 + rho n b / INR b)) * deviation n grad x0.
Proof.
  pose proof (Nn n b Hb Hbn) as N1. pose proof (Bb n b Hb Hbn) as [B1 BN].
  set (d := fun i => sub (grad i x0) (gradient n grad x0)).
  assert (D0 : vsum n d = zero).
  { vector_eq w. rewrite ip_vsum. rewrite (sum_ext n _ (fun i => ip (grad i x0)
      w - ip (gradient n grad x0) w)).
    2:{ intros. unfold d. products. reflexivity. }
    rewrite sum_sub, sum_const, ip_gradient. field. lra. }
  (* the rows' errors are u - d_i, u the mean of the d_j in I^0 *)
  assert (R : forall I0 i, possible (uniform n b) I0 ->
    row_error grad (sledge_start_I n b grad x0 I0) i = sub (over b (vsum_in n I0 d)) (d i)).
  { intros I0 i PI. pose proof (uniform_size n b I0 Hbn PI) as Size. unfold row_error.
    cbn [sledge_start_I table point fst snd].
    vector_eq w. rewrite !ip_vsum_in.
    rewrite (sum_ext n (fun j => ind I0 j * ip (d j) w) (fun j => ind I0 j * ip (grad j x0)
      w - ip (gradient n grad x0) w * ind I0 j)).
    2:{ intros. unfold d. products. ring. }
    rewrite sum_sub, sum_mul, Size. unfold d. products. field. lra. }
  rewrite (Ex_ext _ _ (fun I0 => (alpha + beta) * (/ B * / B) * ip (vsum_in n I0 d) (vsum_in n I0 d)
    + beta * deviation n grad x0)).
  - rewrite Ex_add, Ex_mul, Ex_const. destruct (Nat.eq_dec n 1) as [e|e].
    + assert (b = 1)%nat by lia. subst n b.
      assert (d0 : d O = zero).
      { rewrite <- D0. simpl. vector_eq w. ring. }
      assert (dev : deviation 1 grad x0 = 0). { unfold deviation. simpl. fold (d O).
      rewrite d0, sq_zero. ring. }
      rewrite dev. rewrite (Ex_ext _ _ (fun _ => 0)); [rewrite Ex_const; ring|].
      intros I0 PI. apply uniform_1 in PI. unfold vsum_in. simpl. rewrite PI, d0. products. ring.
    + assert (N2 : 2 <= N) by (change 2 with (INR 2); apply le_INR; lia).
      rewrite (minibatch_product n b Hbn ltac:(lia)), D0, ip_zero.
      replace (sum n (fun i => ip (d i) (d i))) with (N * deviation n grad x0) by (unfold deviation,
        sq, d; field; lra).
      unfold rho. field. lra.
  - intros I0 PI. rewrite <- (error_is_mean n grad).
    set (u := over b (vsum_in n I0 d)).
    replace (error n grad (sledge_start_I n b grad x0 I0)) with u.
    2:{ rewrite error_is_mean. vector_eq w. rewrite ip_mean_of.
        rewrite (sum_ext n _ (fun i => ip u w - ip (d i) w)) by (intros; rewrite R by assumption;
          apply ip_sub).
        rewrite sum_sub, sum_const, <- ip_vsum, D0, ip_zero. field. lra. }
    unfold mean_sq. rewrite (sum_ext n _ (fun i => sq u + ((-2) * ip (d i) u + sq (d i)))).
    2:{ intros. rewrite R by assumption. fold u. rewrite sq_sub, (ip_sym u). ring. }
    rewrite !sum_add, sum_mul, sum_const, <- ip_vsum, D0, ip_zero. unfold u. rewrite sq_over.
    change (deviation n grad x0) with (/ N * sum n (fun i => sq (d i))).
    change (ip (vsum_in n I0 d) (vsum_in n I0 d)) with (sq (vsum_in n I0 d)). field. lra.
Qed.
Corollary phi_start_I : Ex (uniform n b) (fun I0 => phi n grad (sledge_start_I n b grad x0 I0))
  = start_factor n b * deviation n grad x0.
Proof.
  pose proof (start_I_moment 1 (3 / N)) as H. unfold phi, potential, start_factor.
  replace (rho n b / B + 3 / N * (1 + rho n b / B)) with (1 * (rho n b / B) + 3 / N * (1
    + rho n b / B)) by ring.
  rewrite <- H. apply Ex_ext. intros. ring.
Qed.
End Starts.

(* ---- variance-lemma-option-two/expectation ---- *)

Section Sums.
Context {V : space}.
Variables (n b : nat).
Hypothesis Hb : (1 <= b)%nat.
Hypothesis Hbn : (b <= n)%nat.
Variables (grad : nat -> V -> V) (zeta : R).
Hypothesis het : heterogeneous n grad zeta.
Variables (eta : R) (x0 : V) (T : nat).
Notation E t := (Ex (sledge_history n b t)).

Theorem sledge_errors_II (noise : list batch -> V) :
  let run := sledge n b eta noise grad (sledge_start_II grad x0) in
  sum (S T) (fun t => E t (fun past => sq (error n grad (run past))))
  <= variance_factor n b * (zeta * zeta) * sum T (fun t => E t
    (fun past => moved n eta noise past (run past))).
Proof.
  intro run. pose proof (sledge_errors n b Hb Hbn grad zeta het eta noise (sledge_start_II grad x0)
    T) as H.
  rewrite phi_start_II in H. fold run in H. lra.
Qed.
(* Option I: the minibatch I^0 is drawn first; the noise may depend on it. *)
Theorem sledge_errors_I (noise : batch -> list batch -> V) :
  let run I0 := sledge n b eta (noise I0) grad (sledge_start_I n b grad x0 I0) in
  Ex (uniform n b) (fun I0 => sum (S T) (fun t => E t
    (fun past => sq (error n grad (run I0 past)))))
  <= variance_factor n b * (zeta * zeta) * Ex (uniform n b) (fun I0 =>
       sum T (fun t => E t (fun past => moved n eta (noise I0) past (run I0 past))))
     + lifetime n b * (start_factor n b * deviation n grad x0).
Proof.
  intro run. rewrite <- (phi_start_I n b Hb Hbn), <- !Ex_mul, <- Ex_add. apply Ex_le. intros I0 _.
  apply (sledge_errors n b Hb Hbn grad zeta het eta (noise I0)).
Qed.
End Sums.
