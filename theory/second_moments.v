(* What one step does to the squared error of the table, in the mean over the minibatch (ledger:
   variance-lemma-option-two/second-moment and /expectation; the paper has no such recursion and
   says, lines 347-349, that a bound in expectation is prevented). [potential_moment] also holds for
   n = 1.

   Let z_i = y_i - grad f_i be the error of row i before the step and e = (1/n) sum_i z_i, the error
   of the estimate; c_i the change of grad f_i over the step minus that of grad f. The step sets z_i
   to 0 for i in I and to z_i - c_i + (1/b) sum_{j in I} c_j for the others. With q = 1 - b/n,
   rho = (n-b)/(n-1), P = (1/n) sum |z_i|^2, X = (1/n) sum <c_i, z_i>, kappa = (1/n) sum |c_i|^2,
   for n >= 2:

       E |e'|^2 = q^2 |e|^2 + rho (kappa/b - 2X/n + (b/n^2)(P - |e|^2))               [error_moment]
       E P' = q (P - 2X n/(n-1) + kappa ((n+1)/(n-1) + (n-b)/(b(n-1))))                [rows_moment]
       E e' = q e                                                                       [error_mean]

   and for the potential |e|^2 + (3/n) P, where a share s of what P loses is used up, 0 < s <= 1:

       E Phi' <= q^2 |e|^2 + (3/n)(1 - (1 - s)(b/n)(1 - rho/3)) P + (K/b) kappa,  [potential_moment]
       K = rho + 3 rho (b + 1)/n + 16 rho^2/(s (3 - rho)) <= 4 + 8/s. *)
From Coq Require Import Reals Lra Lia PeanoNat.
From Sledge Require Import vectors means minibatches.
Open Scope R_scope.

Definition rho (n b : nat) : R := (INR n - INR b) / (INR n - 1).
(* K; the theorems have s = 1 (for sums of errors) and s = 1/2 (for linear rates). *)
Definition movement_factor (s : R) (n b : nat) : R :=
  rho n b + 3 * rho n b * (INR b + 1) / INR n + 16 * rho n b * rho n b / (s * (3 - rho n b)).

Section Sizes.
Variables (n b : nat).
Hypothesis Hn : (2 <= n)%nat.
Hypothesis Hb : (1 <= b)%nat.
Hypothesis Hbn : (b <= n)%nat.
Notation N := (INR n).
Notation B := (INR b).
Lemma N_2 : 2 <= N. Proof. change 2 with (INR 2). apply le_INR. assumption. Qed.
Lemma B_1 : 1 <= B. Proof. change 1 with (INR 1). apply le_INR. assumption. Qed.
Lemma B_N : B <= N. Proof. apply le_INR. assumption. Qed.
Lemma rho_bounds : 0 <= rho n b <= 1.
Proof.
  pose proof N_2. pose proof B_1. pose proof B_N. unfold rho. split.
  - apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra].
  - apply Rmult_le_reg_r with (N - 1); [lra|].
    replace ((N - B) / (N - 1) * (N - 1)) with (N - B) by (field; lra). lra.
Qed.
Lemma B_over_N : 0 < B / N <= 1.
Proof.
  pose proof N_2. pose proof B_1. pose proof B_N. split.
  - apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra].
  - apply Rmult_le_reg_r with N; [lra|]. replace (B / N * N) with B by (field; lra). lra.
Qed.
Lemma movement_factor_bounds s : 0 < s -> 0 <= movement_factor s n b <= 4 + 8 / s.
Proof.
  intro Hs. pose proof N_2. pose proof B_1. pose proof B_N. pose proof rho_bounds as [R0 R1].
  unfold movement_factor. set (r := rho n b) in *.
  assert (S0 : 0 < / s) by (apply Rinv_0_lt_compat; assumption).
  assert (A1 : 0 <= 3 * r * (B + 1) / N <= 3 * ((B + 1) / N * r)).
  { replace (3 * r * (B + 1) / N) with (3 * ((B + 1) / N * r)) by (field; lra). split; [|lra].
    apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [|lra].
    apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]. }
  assert (A2 : (B + 1) / N * r <= 1).
  { unfold r, rho. apply Rmult_le_reg_r with (N * (N - 1)); [nra|].
    replace ((B + 1) / N * ((N - B) / (N - 1)) * (N * (N - 1))) with ((B + 1) * (N - B)) by (field;
      lra). nra. }
  assert (A3 : 16 * r * r / (s * (3 - r)) <= 8 / s).
  { replace (8 / s) with (8 * (3 - r) / (s * (3 - r))) by (field; lra).
    apply Rmult_le_compat_r; [|nra].
    left. apply Rinv_0_lt_compat. apply Rmult_lt_0_compat; lra. }
  assert (A4 : 0 <= 16 * r * r / (s * (3 - r))).
  { apply Rmult_le_pos; [nra|left; apply Rinv_0_lt_compat; apply Rmult_lt_0_compat; lra]. }
  lra.
Qed.
End Sizes.

Section Step.
Context {V : space}.
Variables (n b : nat).
Hypothesis Hn : (2 <= n)%nat.
Hypothesis Hb : (1 <= b)%nat.
Hypothesis Hbn : (b <= n)%nat.
Notation N := (INR n).
Notation B := (INR b).
Notation rho := (rho n b).

(* Errors of rows and centred changes. *)
Variables (z c : nat -> V).
Hypothesis centred : vsum n c = zero.

Definition mean_of (a : nat -> V) : V := over n (vsum n a).
Definition mean_sq (a : nat -> V) : R := / N * sum n (fun i => sq (a i)).
Definition mean_ip : R := / N * sum n (fun i => ip (c i) (z i)).
Notation e := (mean_of z).
Notation P := (mean_sq z).
Notation X := mean_ip.
Notation kappa := (mean_sq c).

Definition new_row (I : batch) (i : nat) : V :=
  if I i then zero else add (sub (z i) (c i)) (over b (vsum_in n I c)).
Notation new_error I := (mean_of (new_row I)).
Notation new_rows I := (mean_sq (new_row I)).

Let N2 := N_2 n Hn.
Let B1 := B_1 b Hb.
Let BN := B_N n b Hbn.

Lemma mean_sq_nonneg a : 0 <= mean_sq a.
Proof.
  apply Rmult_le_pos; [left; apply Rinv_0_lt_compat; lra|]. apply sum_nonneg. intros.
  apply sq_nonneg.
Qed.
Lemma ip_mean_of a w : ip (mean_of a) w = / N * sum n (fun i => ip (a i) w).
Proof. unfold mean_of. rewrite ip_over, ip_vsum. reflexivity. Qed.
Lemma ip_centred w : sum n (fun i => ip (c i) w) = 0.
Proof. rewrite <- ip_vsum, centred. apply ip_zero. Qed.

(* e' = e + sum_{i in I} (c_i/b - z_i/n) *)
Let w i := sub (over b (c i)) (over n (z i)).
Lemma error_step I : possible (uniform n b) I -> new_error I = add e (vsum_in n I w).
Proof.
  intro PI. pose proof (uniform_size n b I Hbn PI) as Size. vector_eq u.
  rewrite !ip_mean_of, ip_vsum_in.
  rewrite (sum_ext n _ (fun i => ip (z i) u + ((-1) * ip (c i) u + ((-1) * (ind I i * ip (z i) u)
    + (1 * (ind I i * ip (c i) u) + ip (over b (vsum_in n I c)) u * (1 - ind I i)))))).
  2:{ intros i _. unfold new_row, ind. destruct (I i); products; ring. }
  rewrite (sum_ext n (fun i => ind I i * ip (w i) u)
    (fun i => / B * (ind I i * ip (c i) u) + (- / N) * (ind I i * ip (z i) u))).
  2:{ intros. unfold w. products. ring. }
  rewrite !sum_add, !sum_mul, sum_sub, sum_const, Size, ip_centred, ip_over, ip_vsum_in. field. lra.
Qed.
Lemma sum_w u : ip (vsum n w) u = - ip e u.
Proof.
  rewrite ip_vsum, ip_mean_of.
  rewrite (sum_ext n _ (fun i => / B * ip (c i) u + (- / N) * ip (z i) u)).
  2:{ intros. unfold w. products. ring. }
  rewrite sum_add, !sum_mul, ip_centred. ring.
Qed.
Lemma sum_sq_w : sum n (fun i => ip (w i) (w i)) = N * kappa / (B * B) - 2 * X / B + P / N.
Proof.
  rewrite (sum_ext n _ (fun i => / B * / B * sq (c i) + ((-2 * / B * / N) * ip (c i) (z i)
    + / N * / N * sq (z i)))).
  2:{ intros. unfold w, sq. products. rewrite (ip_sym (z i) (c i)). ring. }
  rewrite !sum_add, !sum_mul. unfold mean_sq, mean_ip. field. lra.
Qed.
Theorem error_mean u : Ex (uniform n b) (fun I => ip (new_error I) u) = (1 - B / N) * ip e u.
Proof.
  rewrite (Ex_ext _ _ (fun I => ip e u + ip (vsum_in n I w) u)).
  2:{ intros I PI. rewrite (error_step I PI), ip_add. reflexivity. }
  rewrite Ex_add, Ex_const, (minibatch_mean n b Hbn), sum_w. ring.
Qed.
Theorem error_moment : Ex (uniform n b) (fun I => sq (new_error I))
  = (1 - B / N) * (1 - B / N) * sq e + rho * (kappa / B - 2 * X / N + B / (N * N) * (P - sq e)).
Proof.
  rewrite (Ex_ext _ _ (fun I => sq e + (2 * ip (vsum_in n I w) e + ip (vsum_in n I w)
    (vsum_in n I w)))).
  2:{ intros I PI. rewrite (error_step I PI), sq_add, (ip_sym e). unfold sq. ring. }
  rewrite !Ex_add, Ex_mul, Ex_const, (minibatch_mean n b Hbn), (minibatch_product n b Hbn Hn).
  rewrite sum_sq_w, !sum_w, (ip_sym e (vsum n w)), sum_w.
  unfold second_moments.rho, sq. field. lra.
Qed.
Let d i := sub (z i) (c i).
Lemma sum_sq_d : sum n (fun i => sq (d i)) = N * (P - 2 * X + kappa).
Proof.
  rewrite (sum_ext n _ (fun i => sq (z i) + ((-2) * ip (c i) (z i) + sq (c i)))).
  2:{ intros. unfold d. rewrite sq_sub, (ip_sym (z i)). ring. }
  rewrite !sum_add, !sum_mul. unfold mean_sq, mean_ip. field. lra.
Qed.
Lemma sum_c_d : sum n (fun i => ip (c i) (d i)) = N * (X - kappa).
Proof.
  rewrite (sum_ext n _ (fun i => ip (c i) (z i) + (-1) * sq (c i))).
  2:{ intros. unfold d, sq. products. ring. }
  rewrite !sum_add, !sum_mul. unfold mean_sq, mean_ip. field. lra.
Qed.
Lemma rows_step I : possible (uniform n b) I ->
  sum n (fun i => sq (new_row I i)) = sum n (fun i => sq (d i)) - sum n
    (fun i => ind I i * sq (d i))
    + 2 * / B * (ip (vsum_in n I c) (vsum n d) - ip (vsum_in n I c) (vsum_in n I d))
    + (N - B) * (/ B * / B) * ip (vsum_in n I c) (vsum_in n I c).
Proof.
  intro PI. pose proof (uniform_size n b I Hbn PI) as Size. set (C := vsum_in n I c).
  rewrite (sum_ext n _ (fun i => sq (d i) + ((-1) * (ind I i * sq (d i)) + (2 * / B * ip C (d i)
    + (-2 * / B * (ind I i * ip C (d i)) + / B * / B * ip C C * (1 - ind I i)))))).
  2:{ intros i _. unfold new_row, ind. fold C. fold (d i). destruct (I i).
      - rewrite sq_zero. ring.
      - rewrite sq_add, sq_over, ip_over_r, (ip_sym (d i)). unfold sq. ring. }
  rewrite !sum_add, !sum_mul, sum_sub, sum_const, Size, ip_vsum_r, ip_vsum_in_r. ring.
Qed.
Theorem rows_moment : Ex (uniform n b) (fun I => new_rows I)
  = (1 - B / N) * (P - 2 * X * (N / (N - 1)) + kappa * ((N + 1) / (N - 1) + (N - B)
    / (B * (N - 1)))).
Proof.
  unfold mean_sq at 1. rewrite Ex_mul.
  rewrite (Ex_ext _ _ (fun I => sum n (fun i => sq (d i)) + ((-1) * sum n
    (fun i => ind I i * sq (d i))
    + (2 * / B * ip (vsum_in n I c) (vsum n d) + (-2 * / B * ip (vsum_in n I c) (vsum_in n I d)
    + (N - B) * (/ B * / B) * ip (vsum_in n I c) (vsum_in n I c)))))).
  2:{ intros I PI. rewrite (rows_step I PI). ring. }
  rewrite !Ex_add, !Ex_mul, Ex_const, (Ex_linear n b Hbn), (minibatch_mean n b Hbn).
  rewrite !(minibatch_product n b Hbn Hn), sum_sq_d, sum_c_d, centred, !ip_zero.
  replace (sum n (fun i => ip (c i) (c i))) with (N * kappa) by (unfold mean_sq, sq; field; lra).
  field. lra.
Qed.

(* ---- The potential ---- *)

Definition potential (a : nat -> V) : R := sq (mean_of a) + 3 / N * mean_sq a.

Lemma potential_nonneg a : 0 <= potential a.
Proof.
  unfold potential. pose proof (sq_nonneg (mean_of a)). pose proof (mean_sq_nonneg a).
  assert (0 < 3 / N) by (apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra]). nra.
Qed.
(* 0 <= (1/n) sum |z_i + m c_i|^2 *)
Lemma cross_term m : 0 <= P + 2 * m * X + m * m * kappa.
Proof.
  assert (H : 0 <= / N * sum n (fun i => sq (add (z i) (scale m (c i))))).
  { apply (mean_sq_nonneg (fun i => add (z i) (scale m (c i)))). }
  rewrite (sum_ext n _ (fun i => sq (z i) + (2 * m * ip (c i) (z i) + m * m * sq (c i)))) in H.
  2:{ intros. rewrite sq_add, sq_scale, ip_scale_r, (ip_sym (z i)). ring. }
  rewrite !sum_add, !sum_mul in H. unfold mean_sq, mean_ip. lra.
Qed.
Lemma potential_moment_2 s : 0 < s ->
  Ex (uniform n b) (fun I => potential (new_row I))
  <= (1 - B / N) * (1 - B / N) * sq e + 3 / N * (1 - (1 - s) * (B / N) * (1 - rho / 3)) * P
     + movement_factor s n b / B * kappa.
Proof.
  intro Hs. pose proof (rho_bounds n b Hn Hb Hbn) as [R0 R1]. fold rho in R0, R1.
  unfold potential. rewrite Ex_add, Ex_mul, error_moment, rows_moment.
  (* the weighted sum of the two moments *)
  assert (I : (1 - B / N) * (1 - B / N) * sq e + rho * (kappa / B - 2 * X / N + B / (N * N)
    * (P - sq e))
    + 3 / N * ((1 - B / N) * (P - 2 * X * (N / (N - 1)) + kappa * ((N + 1) / (N - 1) + (N - B)
        / (B * (N - 1)))))
    = (1 - B / N) * (1 - B / N) * sq e - rho * B / (N * N) * sq e + 3 / N * P - B * (3 - rho)
      / (N * N) * P
      - 8 * rho / N * X + (rho / B + 3 * rho * (B + 1) / (N * B)) * kappa).
  { unfold second_moments.rho. field. lra. }
  rewrite I. clear I.
  (* what P loses pays for the cross term *)
  assert (C : 0 <= s * (B * (3 - rho) / (N * N)) * P + 8 * rho / N * X
    + 16 * rho * rho / (s * B * (3 - rho)) * kappa).
  { pose proof (cross_term (4 * rho * N / (s * B * (3 - rho)))) as C.
    replace (s * (B * (3 - rho) / (N * N)) * P + 8 * rho / N * X
      + 16 * rho * rho / (s * B * (3 - rho)) * kappa)
      with (s * (B * (3 - rho) / (N * N)) * (P + 2 * (4 * rho * N / (s * B * (3 - rho))) * X
        + 4 * rho * N / (s * B * (3 - rho)) * (4 * rho * N / (s * B * (3 - rho))) * kappa))
            by (field; lra).
    apply Rmult_le_pos; [|exact C]. apply Rmult_le_pos; [lra|].
    apply Rmult_le_pos; [nra|left; apply Rinv_0_lt_compat; nra]. }
  assert (D : 0 <= rho * B / (N * N) * sq e).
  { apply Rmult_le_pos; [|apply sq_nonneg].
    apply Rmult_le_pos; [nra|left; apply Rinv_0_lt_compat; nra]. }
  replace (movement_factor s n b / B * kappa) with ((rho / B + 3 * rho * (B + 1) / (N * B)) * kappa
    + 16 * rho * rho / (s * B * (3 - rho)) * kappa) by (unfold movement_factor; field; lra).
  replace (3 / N * (1 - (1 - s) * (B / N) * (1 - rho / 3)) * P)
    with (3 / N * P - B * (3 - rho) / (N * N) * P + s * (B * (3 - rho) / (N * N)) * P) by (field;
      lra).
  lra.
Qed.
End Step.

(* With one component there is no error after a step; with Coq's 1/0 = 0 the constants are right. *)
Lemma rho_1 : rho 1 1 = 0.
Proof. unfold rho. simpl. rewrite Rminus_diag_eq by reflexivity. unfold Rdiv. ring. Qed.
Lemma movement_factor_1 s : movement_factor s 1 1 = 0.
Proof. unfold movement_factor. rewrite rho_1. unfold Rdiv. ring. Qed.
Lemma movement_factor_nonneg s n b : (1 <= b)%nat -> (b <= n)%nat -> 0 < s -> 0
  <= movement_factor s n b.
Proof.
  intros Hb Hbn Hs. destruct (Nat.eq_dec n 1) as [e|e].
  - subst n. assert (b = 1)%nat by lia. subst b. rewrite movement_factor_1. lra.
  - apply movement_factor_bounds; lia || assumption.
Qed.
Lemma uniform_1 I : possible (uniform 1 1) I -> I O = true.
Proof.
  intro H. apply uniform_size in H; [|lia]. simpl in H. unfold ind in H.
  destruct (I O); [reflexivity|lra].
Qed.
Theorem potential_moment {V : space} n b (z c : nat -> V) s :
  (1 <= b)%nat -> (b <= n)%nat -> vsum n c = zero -> 0 < s <= 1 ->
  Ex (uniform n b) (fun I => potential n (new_row n b z c I))
  <= (1 - INR b / INR n) * (1 - INR b / INR n) * sq (mean_of n z)
     + 3 / INR n * (1 - (1 - s) * (INR b / INR n) * (1 - rho n b / 3)) * mean_sq n z
     + movement_factor s n b / INR b * mean_sq n c.
Proof.
  intros Hb Hbn Hc Hs. destruct (Nat.eq_dec n 1) as [e|e]; [|apply potential_moment_2;
    lia || tauto || lra].
  subst n. assert (b = 1)%nat by lia. subst b. rewrite rho_1, movement_factor_1.
  rewrite (Ex_ext _ _ (fun _ => 0)).
  - rewrite Ex_const. simpl INR.
    assert (M : 0 <= mean_sq 1 z).
    { unfold mean_sq. simpl. pose proof (sq_nonneg (z O)). lra. }
    assert (0 <= 3 / 1 * (1 - (1 - s) * (1 / 1) * (1 - 0 / 3)) * mean_sq 1 z); [|lra].
    apply Rmult_le_pos; [|assumption]. lra.
  - intros I HI. apply uniform_1 in HI. unfold potential, mean_of, mean_sq. simpl sum. simpl vsum.
    unfold new_row at 1 2. rewrite HI, sq_over, sq_add, !sq_zero, ip_zero. ring.
Qed.
