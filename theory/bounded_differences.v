(* McDiarmid's inequality for minibatches without replacement.

   Let f be a quantity of b of n indices that moves by at most D when one of them is exchanged. Then, with
       S = sum_{j=1}^b ((n - b)/(n - j))^2 <= b                                                        [spread],
   E exp(theta (f - E f)) <= exp(theta^2 D^2 S/8) for every theta [exchanges_mgf], so that for every 0 < delta < 1,
       f <= E f + D sqrt(S log(1/delta)/2) with probability at least 1 - delta                         [exchanges].
   Hence
     noreplace_norm   (proposition:BernsteinNoReplacement, sharper): for 1 <= b <= n vectors of sum zero, no two farther
                      apart than D, |sum_I a| <= D (sqrt(b (n - b)/(2n)) + sqrt(S log(1/delta)/2)) with probability at
                      least 1 - delta, in every inner product space
     marked_drawn     (lines 1312-1313, sharper): of the marked indices ||I n L| - (b/n) |L|| <= sqrt(b log(2/delta)/2)
                      are drawn with probability at least 1 - delta; so |u_s^t| <= sqrt(b log(2/delta)/2), whatever the
                      later sets are [deviation_tail_sharper]

   Proof. The indices are drawn one after the other. What is expected after k of them moves by at most
   D (n - b)/(n - k - 1) with the next one: of the rest, paired with itself and i with i', the pair (i, i') leaves the
   set as it is. Hoeffding's lemma for each draw; for the norm, E |sum|^2 = b (n - b)/(n (n - 1)) sum |a_i|^2, which is
   at most D^2 b (n - b)/(2n). *)
From Coq Require Import Reals Lra Lia List PeanoNat Bool.
From Sledge Require Import vectors means minibatches algorithms probability hoeffding azuma minibatch_tails bernstein
  identities.
Import ListNotations.
Open Scope R_scope.

Lemma sum_single n i (c : R) : (i < n)%nat -> sum n (fun u => if (u =? i)%nat then c else 0) = c.
Proof.
  induction n as [|n IH]; intro H; [lia|]. cbn [sum]. destruct (Nat.eqb_spec n i) as [->|N].
  - rewrite sum_zero; [ring|]. intros u Hu. rewrite (proj2 (Nat.eqb_neq u i)) by lia. reflexivity.
  - rewrite IH by lia. ring.
Qed.

Section Exchange.
Variables (n b : nat) (f : batch -> R) (D : R).
Hypothesis Hbn : (b <= n)%nat.
Hypothesis HD : 0 <= D.
Hypothesis exchange : forall J i i', (i < n)%nat -> (i' < n)%nat -> J i = false -> J i' = false ->
  f (insert i J) - f (insert i' J) <= D.
Notation A m J := (Ex (draws n m J) f).
Notation N := (INR n).
Lemma size_insert i J : (i < n)%nat -> J i = false -> sum n (ind (insert i J)) = sum n (ind J) + 1.
Proof.
  intros Hi HJ. pose proof (sum_insert n i J (fun _ => 1) Hi HJ) as S.
  rewrite (sum_ext n (ind (insert i J)) (fun k => ind (insert i J) k * 1)) by (intros; ring).
  rewrite (sum_ext n (ind J) (fun k => ind J k * 1)) by (intros; ring). exact S.
Qed.
Lemma draws_S m J : sum n (ind J) < N ->
  A (S m) J = / (N - sum n (ind J)) * sum n (fun i => (1 - ind J i) * A m (insert i J)).
Proof. intro H. cbn [draws]. rewrite Ex_bind. apply Ex_pick, H. Qed.
(* What is expected before the last m draws moves little with the last of those before. *)
Lemma expected_apart m : forall k J i i', sum n (ind J) = INR k -> (k + 1 + m <= n)%nat -> (i < n)%nat -> (i' < n)%nat ->
  J i = false -> J i' = false -> i <> i' ->
  (N - INR k - 1) * (A m (insert i J) - A m (insert i' J)) <= D * (N - INR k - 1 - INR m).
Proof.
  induction m as [|m IH]; intros k J i i' Sz Hk Hi Hi' Ji Ji' Ne.
  - cbn [draws Ex sure]. specialize (exchange J i i' Hi Hi' Ji Ji').
    assert (INR (k + 1) <= N) by (apply le_INR; lia). rewrite plus_INR in H. simpl (INR 1) in H. simpl (INR 0).
    rewrite Rminus_0_r, (Rmult_comm D). apply Rmult_le_compat_l; lra.
  - assert (Kn : INR (k + 1 + S m) <= N) by (apply le_INR; lia). rewrite !plus_INR, (S_INR m) in Kn. simpl (INR 1) in Kn.
    pose proof (pos_INR m) as m0. pose proof (size_insert i J Hi Ji) as Z. pose proof (size_insert i' J Hi' Ji') as Z'.
    rewrite Sz in Z, Z'.
    rewrite (draws_S m (insert i J)), (draws_S m (insert i' J)) by lra. rewrite Z, Z'.
    set (q := N - (INR k + 1)). assert (q0 : 0 < q) by (unfold q; lra).
    set (B := A m (insert i' (insert i J))).
    (* the bound of a draw that is neither i nor i' *)
    set (e := if Nat.eq_dec m 0 then D else D * (q - 1 - INR m) / (q - 1)).
    assert (E : forall u, (u < n)%nat -> J u = false -> u <> i -> u <> i' ->
      A m (insert u (insert i J)) - A m (insert u (insert i' J)) <= e).
    { intros u Hu Ju Ui Ui'. rewrite (insert_swap u i), (insert_swap u i').
      assert (Gi : insert u J i = false) by (unfold insert; rewrite (proj2 (Nat.eqb_neq i u)) by congruence; exact Ji).
      assert (Gi' : insert u J i' = false) by (unfold insert; rewrite (proj2 (Nat.eqb_neq i' u)) by congruence; exact Ji').
      unfold e. destruct (Nat.eq_dec m 0) as [->|m1].
      - cbn [draws Ex sure]. apply exchange; assumption.
      - assert (M1 : 1 <= INR m) by (change 1 with (INR 1); apply le_INR; lia).
        pose proof (IH (S k) (insert u J) i i') as X. rewrite (size_insert u J Hu Ju), Sz, S_INR in X.
        specialize (X eq_refl ltac:(lia) Hi Hi' Gi Gi' Ne).
        assert (q1 : 0 < q - 1) by (unfold q; lra).
        apply Rmult_le_reg_l with (q - 1); [exact q1|].
        replace ((q - 1) * (D * (q - 1 - INR m) / (q - 1))) with (D * (q - 1 - INR m)) by (field; lra).
        unfold q in *. replace (N - (INR k + 1) - 1) with (N - (INR k + 1) - 1) by ring. lra. }
    assert (e1 : (q - 1) * e <= D * (q - 1 - INR m)).
    { unfold e. destruct (Nat.eq_dec m 0) as [->|m1].
      - simpl (INR 0). lra.
      - assert (M1 : 1 <= INR m) by (change 1 with (INR 1); apply le_INR; lia).
        right. field. unfold q. lra. }
    assert (T : sum n (fun u => (1 - ind (insert i J) u) * A m (insert u (insert i J)))
        - sum n (fun u => (1 - ind (insert i' J) u) * A m (insert u (insert i' J))) <= (q - 1) * e).
    { rewrite <- sum_sub.
      apply Rle_trans with (sum n (fun u => e * (1 - ind J u) - (if (u =? i)%nat then e + B else 0)
        - (if (u =? i')%nat then e - B else 0))).
      - apply sum_le. intros u Hu. destruct (Nat.eqb_spec u i) as [->|Ui].
        + rewrite insert_same, (insert_ind i' J i) by congruence.
          rewrite (proj2 (Nat.eqb_neq i i')) by congruence. unfold ind. rewrite Ji.
          rewrite (insert_swap i i'). fold B. right. ring.
        + destruct (Nat.eqb_spec u i') as [->|Ui'].
          * rewrite insert_same, (insert_ind i J i') by congruence. unfold ind. rewrite Ji'. fold B. right. ring.
          * rewrite (insert_ind i J u), (insert_ind i' J u) by congruence. unfold ind. destruct (J u) eqn:Ju; [lra|].
            specialize (E u Hu Ju Ui Ui'). lra.
      - rewrite !sum_sub, sum_mul, sum_sub, sum_const, Sz, !sum_single by assumption. right. unfold q. ring. }
    apply Rle_trans with (q * (/ q * ((q - 1) * e))).
    + replace (N - INR k - 1) with q by (unfold q; ring). apply Rmult_le_compat_l; [lra|].
      rewrite <- Rmult_minus_distr_l. apply Rmult_le_compat_l; [left; apply Rinv_0_lt_compat, q0|exact T].
    + rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra. rewrite S_INR. unfold q in *. lra.
Qed.
Notation V m k := (sum m (fun j => shrink n b (S k + j) * shrink n b (S k + j))).
Lemma draws_mgf theta m : forall k J, sum n (ind J) = INR k -> (k + m)%nat = b ->
  Ex (draws n m J) (fun I => exp (theta * (f I - A m J))) <= exp (theta * theta * (D * D) * V m k / 8).
Proof.
  induction m as [|m IH]; intros k J Sz Hk.
  - cbn [draws Ex sure sum]. rewrite Rminus_diag_eq by reflexivity. rewrite !Rmult_0_r.
    replace (0 / 8) with 0 by field. apply Rle_refl.
  - assert (Kn : INR (k + S m) <= N) by (apply le_INR; lia). rewrite plus_INR, (S_INR m) in Kn. pose proof (pos_INR m) as m0.
    assert (L : sum n (ind J) < N) by lra.
    cbn [draws]. rewrite Ex_bind.
    set (X := fun i => A m (insert i J) - A (S m) J).
    apply Rle_trans with (Ex (pick n J) (fun i => exp (theta * X i) * exp (theta * theta * (D * D) * V m (S k) / 8))).
    + apply Ex_le. intros i Pi. apply pick_possible in Pi; [|exact L]. destruct Pi as [Hi Ji].
      rewrite (Ex_ext _ _ (fun I => exp (theta * X i) * exp (theta * (f I - A m (insert i J))))).
      * rewrite Ex_mul. apply Rmult_le_compat_l; [left; apply exp_pos|].
        apply IH; [rewrite (size_insert i J Hi Ji), Sz, S_INR; reflexivity|lia].
      * intros I _. rewrite <- exp_plus. f_equal. unfold X. cbn [draws]. ring.
    + rewrite (Ex_ext _ _ (fun i => exp (theta * theta * (D * D) * V m (S k) / 8) * exp (theta * X i)))
        by (intros; ring).
      rewrite Ex_mul. set (d := D * shrink n b (S k)).
      assert (H : Ex (pick n J) (fun i => exp (theta * X i)) <= exp (theta * theta * (d * d) / 8)).
      { assert (Ap : forall i i', possible (pick n J) i -> possible (pick n J) i' -> X i - X i' <= d).
        { intros i i' Pi Pi'. apply pick_possible in Pi; [|exact L]. apply pick_possible in Pi'; [|exact L].
          destruct Pi as [Hi Ji], Pi' as [Hi' Ji']. unfold X.
          pose proof (shrink_bounds n b (S k) ltac:(lia) Hbn) as [sh0 _].
          assert (d0 : 0 <= d) by (apply Rmult_le_pos; lra).
          destruct (Nat.eq_dec i i') as [->|Ne]; [lra|].
          assert (K2 : (k + 2 <= n)%nat).
          { apply INR_le. rewrite plus_INR. simpl (INR 2).
            assert (S2 : sum n (ind (insert i' (insert i J))) <= N).
            { rewrite <- (Rmult_1_r N), <- sum_const. apply sum_le. intros u _. unfold ind. destruct (insert _ _ u); lra. }
            rewrite size_insert, size_insert in S2; try assumption; [lra|].
            unfold insert. rewrite (proj2 (Nat.eqb_neq i' i)) by congruence. exact Ji'. }
          assert (K3 : INR k + 2 <= N).
          { apply le_INR in K2. rewrite plus_INR in K2. simpl (INR 2) in K2. lra. }
          pose proof (expected_apart m k J i i' Sz ltac:(lia) Hi Hi' Ji Ji' Ne) as E.
          assert (Bn : INR b = INR k + INR m + 1) by (rewrite <- Hk, plus_INR, S_INR; ring).
          unfold d, shrink. rewrite S_INR.
          apply Rmult_le_reg_l with (N - INR k - 1); [lra|].
          replace ((N - INR k - 1) * (D * ((N - INR b) / (N - (INR k + 1))))) with (D * (N - INR b)) by (field; lra).
          rewrite Bn. lra. }
        assert (Z : Ex (pick n J) X = 0).
        { unfold X. rewrite Ex_sub, Ex_const. cbn [draws]. rewrite Ex_bind. ring. }
        destruct (Rle_lt_dec 0 theta) as [t0|t0].
        - pose proof (hoeffding (pick n J) (fun i => theta * X i) (theta * d)) as Hf. cbv beta in Hf.
          replace (theta * theta * (d * d)) with (theta * d * (theta * d)) by ring. apply Hf.
          + intros i i' Pi Pi'. specialize (Ap i i' Pi Pi'). rewrite <- Rmult_minus_distr_l.
            apply Rmult_le_compat_l; assumption.
          + rewrite Ex_mul, Z. ring.
        - pose proof (hoeffding (pick n J) (fun i => theta * X i) (- theta * d)) as Hf. cbv beta in Hf.
          replace (theta * theta * (d * d)) with (- theta * d * (- theta * d)) by ring. apply Hf.
          + intros i i' Pi Pi'. specialize (Ap i' i Pi' Pi). replace (theta * X i - theta * X i')
              with (- theta * (X i' - X i)) by ring. apply Rmult_le_compat_l; lra.
          + rewrite Ex_mul, Z. ring. }
      eapply Rle_trans; [apply Rmult_le_compat_l; [left; apply exp_pos|exact H]|]. rewrite <- exp_plus. right. f_equal.
      rewrite sum_first, Nat.add_0_r. unfold d.
      rewrite (sum_ext m (fun j => shrink n b (S k + S j) * shrink n b (S k + S j))
        (fun j => shrink n b (S (S k) + j) * shrink n b (S (S k) + j))).
      * field.
      * intros j _. replace (S k + S j)%nat with (S (S k) + j)%nat by lia. reflexivity.
Qed.
Theorem exchanges_mgf theta : Ex (uniform n b) (fun I => exp (theta * (f I - Ex (uniform n b) f)))
  <= exp (theta * theta * (D * D) * spread n b / 8).
Proof.
  rewrite (uniform_is_draws n b f Hbn). rewrite (uniform_is_draws n b (fun I => exp (theta * (f I - A b none))) Hbn).
  apply (draws_mgf theta b 0 none); [|lia]. apply sum_zero. reflexivity.
Qed.
Theorem exchanges delta : (1 <= b)%nat -> (b < n)%nat -> 0 < D -> 0 < delta < 1 ->
  with_probability (uniform n b) (1 - delta) (fun I =>
    f I <= Ex (uniform n b) f + D * sqrt (spread n b * ln (/ delta) / 2)).
Proof.
  intros H1 Hb D0 Hd. pose proof (spread_pos n b H1 Hb) as S0.
  assert (L0 : 0 < ln (/ delta)).
  { rewrite <- ln_1. apply ln_increasing; [lra|]. rewrite <- Rinv_1. apply Rinv_lt_contravar; lra. }
  set (s := spread n b) in *. set (c := sqrt (s * ln (/ delta) / 2)).
  assert (cc : c * c = s * ln (/ delta) / 2).
  { apply sqrt_sqrt. apply Rmult_le_pos; [apply Rmult_le_pos; lra|lra]. }
  set (mean := Ex (uniform n b) f). set (theta := 4 * c / (D * s)).
  assert (c0 : 0 <= c) by apply sqrt_pos.
  assert (t0 : 0 <= theta).
  { unfold theta. apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra. }
  apply (unless _ (fun I => exceeds (mean + D * c) (f I))).
  - assert (P : exp (theta * (D * c)) * probability (uniform n b) (fun I => exceeds (mean + D * c) (f I))
      <= exp (theta * theta * (D * D) * s / 8)).
    { unfold probability. rewrite <- Ex_mul. eapply Rle_trans; [|apply (exchanges_mgf theta)]. apply Ex_le. intros I _.
      fold mean. destruct (exceeds (mean + D * c) (f I)) eqn:e.
      - apply exceeds_true in e. rewrite Rmult_1_r. apply exp_le. apply Rmult_le_compat_l; lra.
      - rewrite Rmult_0_r. left. apply exp_pos. }
    assert (E : theta * theta * (D * D) * s / 8 = theta * (D * c) + ln delta).
    { assert (Ld : ln delta = - ln (/ delta)) by (rewrite ln_Rinv by lra; ring). rewrite Ld.
      replace (ln (/ delta)) with (2 * (c * c) / s) by (rewrite cc; field; lra). unfold theta. field. lra. }
    rewrite E, exp_plus, exp_ln in P by lra. pose proof (exp_pos (theta * (D * c))) as x0.
    apply Rmult_le_reg_l with (exp (theta * (D * c))); lra.
  - intros I _ e. apply exceeds_false in e. exact e.
Qed.
End Exchange.

Lemma union_bound_half {O} (m : mean O) delta (P Q : O -> Prop) : with_probability m (1 - delta / 2) P ->
  with_probability m (1 - delta / 2) Q -> with_probability m (1 - delta) (fun o => P o /\ Q o).
Proof.
  intros H1 H2. pose proof (union_bound _ _ _ _ _ H1 H2) as U.
  eapply with_probability_weaken; [|intros o _ X; exact X|exact U]. lra.
Qed.

(* ---- Vectors ---- *)

Section Vectors.
Context {V : space}.
Variables (n b : nat) (a : nat -> V) (D delta : R).
Hypothesis H1 : (1 <= b)%nat.
Hypothesis Hbn : (b <= n)%nat.
Hypothesis HD : 0 <= D.
Hypothesis Hd : 0 < delta < 1.
Hypothesis centred : vsum n a = zero.
Hypothesis apart : forall i j, (i < n)%nat -> (j < n)%nat -> norm (sub (a i) (a j)) <= D.
Notation N := (INR n).
Notation B := (INR b).
Notation f := (fun I => norm (vsum_in n I a)).
(* sum |a_i|^2 <= n D^2/2, less than it by 1/n *)
Lemma squares_of_apart : sum n (fun i => sq (a i)) <= (N - 1) * (D * D) / 2.
Proof.
  assert (n1 : 1 <= N) by (change 1 with (INR 1); apply le_INR; lia).
  assert (E : sum n (fun i => sum n (fun j => sq (sub (a i) (a j)))) = 2 * N * sum n (fun i => sq (a i))).
  { rewrite (sum_ext n _ (fun i => N * sq (a i) + (sum n (fun j => sq (a j)) - 2 * ip (a i) (vsum n a)))).
    - rewrite sum_add, sum_mul, sum_sub, sum_const, sum_mul.
      rewrite (sum_ext n (fun i => ip (a i) (vsum n a)) (fun _ => 0)).
      + rewrite sum_const. ring.
      + intros i _. rewrite centred, ip_sym. apply ip_zero.
    - intros i _. rewrite (sum_ext n _ (fun j => sq (a i) + (sq (a j) - 2 * ip (a i) (a j))))
        by (intros; rewrite sq_sub; ring).
      rewrite sum_add, sum_const, sum_sub, sum_mul, ip_vsum_r. ring. }
  assert (U : sum n (fun i => sum n (fun j => sq (sub (a i) (a j)))) <= N * ((N - 1) * (D * D))).
  { rewrite <- sum_const. apply sum_le. intros i Hi.
    apply Rle_trans with (sum n (fun j => D * D - (if (j =? i)%nat then D * D else 0))).
    - apply sum_le. intros j Hj. destruct (Nat.eqb_spec j i) as [->|Ne].
      + rewrite sub_self, sq_zero. lra.
      + rewrite Rminus_0_r. apply sq_le, apart; assumption.
    - rewrite sum_sub, sum_const, sum_single by assumption. lra. }
  rewrite E in U. apply Rmult_le_reg_l with (2 * N); [lra|]. lra.
Qed.
Lemma mean_norm : (b < n)%nat -> Ex (uniform n b) f <= D * sqrt (B * (N - B) / (2 * N)).
Proof.
  intro Hb. assert (n2 : 2 <= N) by (change 2 with (INR 2); apply le_INR; lia).
  assert (b1 : 1 <= B) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (bn : B <= N) by (apply le_INR; assumption).
  set (mu := Ex (uniform n b) f).
  assert (J : mu * mu <= Ex (uniform n b) (fun I => sq (vsum_in n I a))).
  { assert (P : 0 <= Ex (uniform n b) (fun I => (f I - mu) * (f I - mu))) by (apply Ex_nonneg; intros; apply Rle_0_sqr).
    rewrite (Ex_ext _ _ (fun I => (sq (vsum_in n I a) - 2 * mu * f I) + mu * mu)) in P.
    - rewrite Ex_add, Ex_sub, Ex_mul, Ex_const in P. fold mu in P. lra.
    - intros I _. rewrite <- (norm_sq (vsum_in n I a)). ring. }
  change (Ex (uniform n b) (fun I => sq (vsum_in n I a)))
    with (Ex (uniform n b) (fun I => ip (vsum_in n I a) (vsum_in n I a))) in J.
  rewrite (minibatch_product n b Hbn ltac:(lia) a a) in J. rewrite centred, ip_zero, Rmult_0_r, Rplus_0_r in J.
  pose proof squares_of_apart as Q. change (sum n (fun i => ip (a i) (a i))) with (sum n (fun i => sq (a i))) in J.
  assert (c0 : 0 <= B * (N - B) / (N * (N - 1))).
  { apply Rmult_le_pos; [apply Rmult_le_pos; lra|]. left. apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra. }
  apply (Rmult_le_compat_l _ _ _ c0) in Q.
  assert (v0 : 0 <= B * (N - B) / (2 * N)).
  { apply Rmult_le_pos; [apply Rmult_le_pos; lra|]. left. apply Rinv_0_lt_compat. lra. }
  pose proof (sqrt_pos (B * (N - B) / (2 * N))) as s0. pose proof (sqrt_sqrt _ v0) as ss.
  apply Rsqr_incr_0_var; [|apply Rmult_le_pos; assumption]. unfold Rsqr.
  replace (D * sqrt (B * (N - B) / (2 * N)) * (D * sqrt (B * (N - B) / (2 * N))))
    with (D * D * (sqrt (B * (N - B) / (2 * N)) * sqrt (B * (N - B) / (2 * N)))) by ring. rewrite ss.
  replace (D * D * (B * (N - B) / (2 * N))) with (B * (N - B) / (N * (N - 1)) * ((N - 1) * (D * D) / 2)) by (field; lra).
  lra.
Qed.
(* proposition:BernsteinNoReplacement, without logarithm, dimension and range in the first term *)
Theorem noreplace_norm : with_probability (uniform n b) (1 - delta) (fun I =>
  norm (vsum_in n I a) <= D * (sqrt (B * (N - B) / (2 * N)) + sqrt (spread n b * ln (/ delta) / 2))).
Proof.
  assert (R0 : 0 <= D * (sqrt (B * (N - B) / (2 * N)) + sqrt (spread n b * ln (/ delta) / 2))).
  { apply Rmult_le_pos; [exact HD|]. apply Rplus_le_le_0_compat; apply sqrt_pos. }
  assert (Zero : (forall I, possible (uniform n b) I -> vsum_in n I a = zero) -> with_probability (uniform n b)
    (1 - delta) (fun I => norm (vsum_in n I a)
      <= D * (sqrt (B * (N - B) / (2 * N)) + sqrt (spread n b * ln (/ delta) / 2)))).
  { intro Z. apply (with_probability_weaken _ 1 (1 - delta) (fun I => vsum_in n I a = zero)); [lra| |apply surely, Z].
    intros I _ E. rewrite E, norm_zero. exact R0. }
  destruct (Nat.eq_dec b n) as [e|e].
  { apply Zero. intros I PI. apply (whole_batch n b Hbn a centred I e PI). }
  destruct HD as [D0|D0].
  - eapply with_probability_weaken; [apply Rle_refl| |apply (exchanges n b f D Hbn HD) with (delta := delta)];
      try assumption; try lia.
    + intros I _ H. cbv beta in H. pose proof (mean_norm ltac:(lia)) as M. lra.
    + intros J i i' Hi Hi' Ji Ji'. rewrite (vsum_in_insert n a i J Hi Ji), (vsum_in_insert n a i' J Hi' Ji').
      pose proof (norm_add (add (vsum_in n J a) (a i')) (sub (a i) (a i'))) as T. specialize (apart i i' Hi Hi').
      replace (add (add (vsum_in n J a) (a i')) (sub (a i) (a i'))) with (add (vsum_in n J a) (a i)) in T
        by (vector_eq u; ring).
      lra.
  - apply Zero. intros I PI.
    assert (W : forall i, (i < n)%nat -> a i = zero).
    { assert (Sq : sum n (fun i => sq (a i)) <= 0) by (pose proof squares_of_apart as Q; rewrite <- D0 in Q; lra).
      assert (Each : forall k, (k <= n)%nat -> sum k (fun i => sq (a i)) <= 0 -> forall i, (i < k)%nat -> a i = zero).
      { induction k as [|k IH]; intros Hk H i Hi; [lia|]. cbn [sum] in H. pose proof (sq_nonneg (a k)).
        pose proof (sum_nonneg k (fun i => sq (a i)) (fun i _ => sq_nonneg (a i))).
        destruct (Nat.eq_dec i k) as [->|Ne]; [apply sq_zero_eq; lra|apply IH; lia || lra]. }
      intros i Hi. apply (Each n (Nat.le_refl n) Sq i Hi). }
    vector_eq u. rewrite ip_vsum_in. apply sum_zero. intros i Hi. rewrite (W i Hi), ip_zero. ring.
Qed.
End Vectors.

(* ---- Counting ---- *)

Theorem marked_drawn n b (L : batch) delta : (1 <= b)%nat -> (b <= n)%nat -> 0 < delta < 1 ->
  with_probability (uniform n b) (1 - delta) (fun I =>
    Rabs (sum n (fun i => ind I i * ind L i) - INR b / INR n * sum n (ind L)) <= sqrt (INR b * ln (2 / delta) / 2)).
Proof.
  intros H1 Hbn Hd. assert (b1 : 1 <= INR b) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (bn : INR b <= INR n) by (apply le_INR; assumption).
  set (m := INR b / INR n * sum n (ind L)).
  destruct (Nat.eq_dec b n) as [e|e].
  { apply (with_probability_weaken _ 1 (1 - delta) (fun I => sum n (fun i => ind I i * ind L i) = m)); [lra| |].
    - intros I _ E. rewrite E, Rminus_diag_eq, Rabs_R0 by reflexivity. apply sqrt_pos.
    - apply surely. intros I PI. unfold m. rewrite e. replace (INR n / INR n) with 1 by (field; lra). rewrite Rmult_1_l.
      pose proof (uniform_size n b I Hbn PI) as Sz. rewrite e in Sz.
      assert (All : forall k, (k <= n)%nat -> sum k (ind I) = INR k -> forall i, (i < k)%nat -> ind I i = 1).
      { induction k as [|k IH]; intros Hk H i Hi; [lia|]. cbn [sum] in H. rewrite S_INR in H.
        assert (U : sum k (ind I) <= INR k).
        { rewrite <- (Rmult_1_r (INR k)), <- sum_const. apply sum_le. intros u _. unfold ind. destruct (I u); lra. }
        assert (ind I k <= 1) by (unfold ind; destruct (I k); lra).
        destruct (Nat.eq_dec i k) as [->|Ne]; [lra|]. apply IH; lia || lra. }
      apply sum_ext. intros i Hi. rewrite (All n (Nat.le_refl n) Sz i Hi). ring. }
  assert (n2 : (2 <= n)%nat) by lia.
  assert (d2 : 0 < delta / 2 < 1) by lra.
  assert (S : sqrt (spread n b * ln (/ (delta / 2)) / 2) <= sqrt (INR b * ln (2 / delta) / 2)).
  { replace (/ (delta / 2)) with (2 / delta) by (field; lra). apply sqrt_le_1_alt.
    pose proof (spread_bounds n b Hbn) as [s0 s1].
    assert (L0 : 0 <= ln (2 / delta)).
    { rewrite <- ln_1. apply ln_grows; [lra|]. apply Rmult_le_reg_r with delta; [lra|].
      replace (2 / delta * delta) with 2 by (field; lra). lra. }
    unfold Rdiv. apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat_r; assumption. }
  assert (Ins : forall J i, (i < n)%nat -> J i = false ->
    sum n (fun k => ind (insert i J) k * ind L k) = sum n (fun k => ind J k * ind L k) + ind L i)
    by (intros; apply sum_insert; assumption).
  assert (I01 : forall i, 0 <= ind L i <= 1) by (intro i; unfold ind; destruct (L i); lra).
  pose proof (Ex_linear n b Hbn (ind L)) as EL.
  pose proof (exchanges n b (fun I => sum n (fun i => ind I i * ind L i)) 1 Hbn ltac:(lra)
    ltac:(intros J i i' Hi Hi' Ji Ji'; cbv beta; rewrite (Ins J i Hi Ji), (Ins J i' Hi' Ji'); pose proof (I01 i);
      pose proof (I01 i'); lra) (delta / 2) H1 ltac:(lia) ltac:(lra) d2) as Up.
  pose proof (exchanges n b (fun I => - sum n (fun i => ind I i * ind L i)) 1 Hbn ltac:(lra)
    ltac:(intros J i i' Hi Hi' Ji Ji'; cbv beta; rewrite (Ins J i Hi Ji), (Ins J i' Hi' Ji'); pose proof (I01 i);
      pose proof (I01 i'); lra) (delta / 2) H1 ltac:(lia) ltac:(lra) d2) as Dn.
  eapply with_probability_weaken; [apply Rle_refl| |apply (union_bound_half _ delta _ _ Up Dn)].
  intros I _ [X Y]. cbv beta in X, Y. rewrite EL in X.
  rewrite (Ex_ext _ (fun I => - sum n (fun i => ind I i * ind L i)) (fun I => -1 * sum n (fun i => ind I i * ind L i)))
    in Y by (intros; ring).
  rewrite Ex_mul, EL in Y. fold m in X, Y. apply Rabs_le. lra.
Qed.
(* Line 1312: u_s^t, given I^t, ..., I^{s+1}, here [later] *)
Theorem deviation_tail_sharper n b later delta : (1 <= b)%nat -> (b <= n)%nat -> 0 < delta < 1 ->
  with_probability (uniform n b) (1 - delta) (fun B' =>
    Rabs (size n (left_out (later ++ [B'])) - (1 - INR b / INR n) * size n (left_out later))
    <= sqrt (INR b * ln (2 / delta) / 2)).
Proof.
  intros H1 Hbn Hd.
  eapply with_probability_weaken; [apply Rle_refl| |apply (marked_drawn n b (left_out later) delta H1 Hbn Hd)].
  intros I PI H. fold (size n (left_out later)) in H.
  replace (size n (left_out (later ++ [I])) - (1 - INR b / INR n) * size n (left_out later))
    with (- (sum n (fun i => ind I i * ind (left_out later) i) - INR b / INR n * size n (left_out later))).
  - rewrite Rabs_Ropp. exact H.
  - unfold size. rewrite (sum_ext n (ind (left_out (later ++ [I])))
      (fun i => ind (left_out later) i - ind I i * ind (left_out later) i)) by (intros; rewrite left_out_earlier; ring).
    rewrite sum_sub. ring.
Qed.
