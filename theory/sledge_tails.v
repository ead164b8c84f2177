(* The error of SLEDGE's estimate with high probability (ledger: variance-lemma-option-two/adaptive;
   beside Lemma 1, lemma:First-VarianceBound, lines 1143-1160).

   Proved [rows_tail; lemma_1_adaptive in lemma_1.v], Option II, for all spaces, zeta-heterogeneous
   functions, 1 <= b <= n, T >= 1, step sizes and noises: with probability at least 1 - nu, for all
   t <= T,
       |v^t - grad f(x^t)|^2 <= lambda^2 beta_t,     lambda = 1 + sqrt(log(bT/nu)/2),
       beta_0 = 0,  beta_{t+1} = (1 - b/n)^2 beta_t + (S/b^2) zeta^2 (d_t + (b/n) p_t)^2,
   d_t = |x^{t+1} - x^t|, p_t the length of the path x^{t-a}, ..., x^t since the oldest row of the
   table was refreshed a steps ago (or since the start), S = spread n b <= b.
   Unrolled [beta_unrolled in lemma_1.v],
       beta_t = (S/b^2) zeta^2 sum_{s<t} (1 - b/n)^(2(t-1-s)) (d_s + (b/n) p_s)^2.
   Nothing is lost to a union bound over pairs of times, and no row has to be fresh.

   Proof. Let c_i be the changes of the gradients in a step, minus their mean, z_i the errors of the
   rows before it and e their mean, the error. The step makes the error
       e' = (1 - b/n) e + (1/b) sum_{i in I} w_i,    w_i = c_i - (b/n)(z_i - e),    sum_i w_i = 0.
   Two c_i are at most zeta d_t apart. Two z_i are at most zeta p_t apart: in a step after which
   both are old their difference changes by a difference of two c_i, and in one that only the older
   of them has seen by the difference between a c_i and a mean of such. All of this is known before
   I is drawn (minibatch_tails.v).

   The same is proved of rows that are exact at a later time [from] on ([rows]), for Lemma 1 with
   its window, and of rows that begin with an error, at most d0 apart and at most d0 each, for
   Option I. *)
From Coq Require Import Reals Lra Lia List PeanoNat Bool.
From Sledge Require Import vectors means minibatches algorithms problems second_moments
  sledge_errors.
From Sledge Require Import probability hoeffding azuma minibatch_tails coverage.
Import ListNotations.
Open Scope R_scope.

Fixpoint oldest (m : nat) (a : nat -> nat) : nat :=
  match m with 0 => 0 | S m' => Nat.max (oldest m' a) (a m') end.
Lemma oldest_above m a i : (i < m)%nat -> (a i <= oldest m a)%nat.
Proof.
  induction m as [|m IH]; intro H; [lia|]. simpl. destruct (Nat.eq_dec i m); [subst; lia|].
  specialize (IH ltac:(lia)). lia.
Qed.
Lemma oldest_below m a k : (1 <= k)%nat -> (forall i, (i < m)%nat -> (a i < k)%nat) -> (oldest m a
  <= k - 1)%nat.
Proof.
  intros Hk H. induction m as [|m IH]; simpl; [lia|].
  specialize (H m) as Hm. specialize (IH ltac:(intros; apply H; lia)). lia.
Qed.

(* ---- The mean of the rows after a step: 1 - b/n of it and a minibatch of centred vectors ---- *)

Section NewRows.
Context {V : space}.
Variables (n b : nat).
Hypothesis Hb : (1 <= b)%nat.
Hypothesis Hbn : (b <= n)%nat.
Variables (z c : nat -> V).
Notation N := (INR n).
Notation B := (INR b).
Definition row_parts (i : nat) : V := sub (c i) (scale (B / N) (sub (z i) (mean_of n z))).
Hypothesis centred : vsum n c = zero.
Lemma new_row_mean I : possible (uniform n b) I -> mean_of n (new_row n b z c I)
  = add (scale (1 - B / N) (mean_of n z)) (over b (vsum_in n I row_parts)).
Proof.
  intro PI. pose proof (uniform_size n b I Hbn PI) as Sz. pose proof (Bb n b Hb Hbn) as [B1 B2].
  assert (Cc : forall u, sum n (fun i => ip (c i) u) = 0).
  { intro u. rewrite <- ip_vsum, centred. apply ip_zero. }
  vector_eq u. rewrite ip_mean_of, !ip_vsum_in. unfold row_parts.
  rewrite (sum_ext n (fun i => ip (new_row n b z c I i) u)
    (fun i => ip (z i) u - ip (c i) u - ind I i * ip (z i) u + ind I i * ip (c i) u
      + / B * ip (vsum_in n I c) u * (1 - ind I i))).
  2:{ intros i _. unfold new_row, ind. destruct (I i); products; ring. }
  rewrite (sum_ext n (fun i => ind I i * ip (sub (c i) (scale (B / N) (sub (z i) (mean_of n z)))) u)
    (fun i => ind I i * ip (c i) u - B / N * (ind I i * ip (z i) u) + B / N * ip (mean_of n z) u *
      ind I i)).
  2:{ intros i _. products. ring. }
  rewrite !sum_add, !sum_sub, !sum_mul, !sum_sub, sum_const, Cc, Sz, ip_vsum_in, !ip_mean_of.
  field. lra.
Qed.
Lemma row_parts_centred : vsum n row_parts = zero.
Proof.
  pose proof (Bb n b Hb Hbn) as [B1 B2]. vector_eq u. rewrite ip_vsum. unfold row_parts.
  rewrite (sum_ext n _ (fun i => ip (c i) u - B / N * ip (z i) u + B / N * ip (mean_of n z) u))
    by (intros; products; ring).
  assert (Cc : sum n (fun i => ip (c i) u) = 0) by (rewrite <- ip_vsum, centred; apply ip_zero).
  rewrite sum_add, sum_sub, sum_mul, sum_const, Cc, ip_mean_of. field. lra.
Qed.
Lemma row_parts_apart i j r w : norm (sub (c i) (c j)) <= r -> norm (sub (z i) (z j)) <= w ->
  norm (sub (row_parts i) (row_parts j)) <= r + B / N * w.
Proof.
  intros Hr Hw. pose proof (BN_1 n b Hb Hbn). unfold row_parts.
  replace (sub _ _) with (sub (sub (c i) (c j)) (scale (B / N) (sub (z i) (z j))))
    by (vector_eq u; ring).
  eapply Rle_trans; [apply norm_sub|]. rewrite norm_scale, Rabs_right by lra.
  apply Rplus_le_compat; [assumption|]. apply Rmult_le_compat_l; lra.
Qed.
End NewRows.

Section Rows.
Context {V : space}.
Variables (n b : nat).
Hypothesis Hb : (1 <= b)%nat.
Hypothesis Hbn : (b <= n)%nat.
Variables (grad : nat -> V -> V) (zeta : R).
Hypothesis zeta0 : 0 <= zeta.
Hypothesis het : heterogeneous n grad zeta.
Variables (eta : R) (noise : list batch -> V) (start : @state R V).
Notation N := (INR n).
Notation B := (INR b).
Notation run := (sledge n b eta noise grad start).

(* |x^{t+1} - x^t| after [past], and the centred changes of the gradients in that step *)
Definition ahead (past : list batch) : R :=
  norm (sub (next_point n eta noise past (run past)) (point (run past))).
Definition changes (past : list batch) : nat -> V :=
  change n grad (point (run past)) (next_point n eta noise past (run past)).
(* The length of the path over the last k steps. *)
Fixpoint travelled (k : nat) (past : list batch) : R :=
  match k, past with S k', _ :: before => ahead before + travelled k' before | _, _ => 0 end.

(* The errors of the rows of a table that is what [init] says at time [from], and their ages since
  then. *)
Variables (from : nat) (init : nat -> V) (d0 : R).
Fixpoint rows (past : list batch) : nat -> V :=
  match past with
  | [] => init
  | J :: before => if (from <=? length before)%nat then new_row n b (rows before) (changes before)
    J else init
  end.
Fixpoint row_age (past : list batch) (i : nat) : nat :=
  match past with
  | [] => 0
  | J :: before =>
      if (from <=? length before)%nat then if J i then 0 else S (row_age before i) else 0
  end.
(* What rows of age at most k may be apart. *)
Definition reach (k : nat) (past : list batch) : R :=
  zeta * travelled k past + (if (from + k <? length past)%nat then 0 else d0).
Definition rows_error (past : list batch) : V := mean_of n (rows past).
Definition spreads (past : list batch) : R := zeta * ahead past + B / N * reach (oldest n (row_age
  past)) past.
(* beta_t, from a first value beta0 *)
Variable beta0 : R.
Fixpoint beta (past : list batch) : R :=
  match past with
  | [] => beta0
  | _ :: before =>
      if (from <=? length before)%nat
      then (1 - B / N) * (1 - B / N) * beta before
           + spread n b / (B * B) * (spreads before * spreads before)
      else beta0
  end.

Hypothesis d0_nonneg : 0 <= d0.
Hypothesis init_size : forall i, (i < n)%nat -> norm (init i) <= d0.
Hypothesis init_apart : forall i j, (i < n)%nat -> (j < n)%nat ->
  norm (sub (init i) (init j)) <= d0.

Lemma ahead_nonneg past : 0 <= ahead past.
Proof. apply norm_nonneg. Qed.
Lemma travelled_nonneg k past : 0 <= travelled k past.
Proof.
  revert past. induction k as [|k IH]; intros [|J before]; simpl; try lra.
  pose proof (ahead_nonneg before). specialize (IH before). lra.
Qed.
Lemma travelled_monotone k k' past : (k <= k')%nat -> travelled k past <= travelled k' past.
Proof.
  revert k' past. induction k as [|k IH]; intros k' past H; [simpl; apply travelled_nonneg|].
  destruct k' as [|k']; [lia|]. destruct past as [|J before]; simpl; [lra|].
  specialize (IH k' before ltac:(lia)). lra.
Qed.
Lemma reach_nonneg k past : 0 <= reach k past.
Proof.
  unfold reach. pose proof (travelled_nonneg k past). assert (0 <= zeta * travelled k past)
    by (apply Rmult_le_pos; assumption).
  destruct (Nat.ltb _ _); lra.
Qed.
Lemma reach_monotone k k' past : (k <= k')%nat -> reach k past <= reach k' past.
Proof.
  intro H. unfold reach. pose proof (travelled_monotone k k' past H).
  assert (zeta * travelled k past <= zeta * travelled k' past) by (apply Rmult_le_compat_l;
    assumption).
  destruct (Nat.ltb_spec (from + k) (length past)), (Nat.ltb_spec (from + k') (length past));
    lia || lra.
Qed.
Lemma reach_step k J before : reach (S k) (J :: before) = zeta * ahead before + reach k before.
Proof.
  unfold reach. cbn [travelled length].
  replace (from + S k <? S (length before))%nat with (from + k <? length before)%nat; [ring|].
  destruct (Nat.ltb_spec (from + k) (length before)), (Nat.ltb_spec (from + S k) (S (length
    before))); lia || reflexivity.
Qed.
Lemma spreads_nonneg past : 0 <= spreads past.
Proof.
  pose proof (BN_1 n b Hb Hbn). pose proof (reach_nonneg (oldest n (row_age past)) past).
  pose proof (ahead_nonneg past). unfold spreads.
  assert (0 <= zeta * ahead past) by (apply Rmult_le_pos; assumption).
  assert (0 <= B / N * reach (oldest n (row_age past)) past) by (apply Rmult_le_pos; lra). lra.
Qed.
Lemma row_age_le past i : (row_age past i <= age past i)%nat.
Proof.
  induction past as [|J before IH]; simpl; [lia|]. destruct (Nat.leb _ _); [|lia].
  destruct (J i); lia.
Qed.

(* Before [from] nothing moves. *)
Lemma rows_before past : (length past <= from)%nat -> rows past = init.
Proof.
  destruct past as [|J before]; [reflexivity|]. cbn [length rows]. intro H.
  rewrite (proj2 (Nat.leb_gt from (length before))) by lia. reflexivity.
Qed.
Lemma beta_before past : (length past <= from)%nat -> beta past = beta0.
Proof.
  destruct past as [|J before]; [reflexivity|]. cbn [length beta]. intro H.
  rewrite (proj2 (Nat.leb_gt from (length before))) by lia. reflexivity.
Qed.
Lemma row_age_before past i : (length past <= from)%nat -> row_age past i = 0%nat.
Proof.
  destruct past as [|J before]; [reflexivity|]. cbn [length row_age]. intro H.
  rewrite (proj2 (Nat.leb_gt from (length before))) by lia. reflexivity.
Qed.
Lemma reach_before past k : (length past <= from)%nat -> d0 <= reach k past.
Proof.
  intro H. unfold reach. rewrite (proj2 (Nat.ltb_ge (from + k) (length past))) by lia.
  pose proof (travelled_nonneg k past). assert (0 <= zeta * travelled k past)
    by (apply Rmult_le_pos; assumption). lra.
Qed.

(* ---- How far apart changes and rows are ---- *)

Lemma changes_apart past i j : (i < n)%nat -> (j < n)%nat ->
  norm (sub (changes past i) (changes past j)) <= zeta * ahead past.
Proof.
  intros Hi Hj. unfold changes, change. set (x := point (run past)).
  set (x' := next_point n eta noise past (run past)).
  replace (sub _ _) with (sub (sub (grad i x') (grad j x')) (sub (grad i x) (grad j x)))
    by (vector_eq w; ring).
  apply (het i j Hi Hj x' x).
Qed.
Lemma batch_apart past J i : possible (uniform n b) J -> (i < n)%nat ->
  norm (sub (over b (vsum_in n J (changes past))) (changes past i)) <= zeta * ahead past.
Proof.
  intros PJ Hi. pose proof (uniform_size n b J Hbn PJ) as Sz. pose proof (Bb n b Hb Hbn) as [B1 _].
  set (c := changes past).
  replace (sub (over b (vsum_in n J c)) (c i))
    with (over b (vsum_in n J (fun j => sub (c j) (c i)))).
  2:{ vector_eq w. rewrite !ip_vsum_in.
      rewrite (sum_ext n _ (fun j => ind J j * ip (c j) w - ip (c i) w * ind J j)) by (intros;
        products; ring).
      rewrite sum_sub, sum_mul, Sz. field. lra. }
  rewrite norm_over. apply Rmult_le_reg_l with B; [lra|].
  rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra.
  eapply Rle_trans; [apply norm_vsum|]. rewrite <- Sz, Rmult_comm, <- sum_mul. apply sum_le.
  intros j Hj.
  unfold ind. destruct (J j); [|rewrite norm_zero; lra]. rewrite Rmult_1_r.
  apply changes_apart; assumption.
Qed.
Lemma new_row_size before J i : possible (uniform n b) J -> (i < n)%nat -> (from <= length
  before)%nat ->
  norm (rows before i) <= reach (row_age before i) before ->
  norm (rows (J :: before) i) <= reach (row_age (J :: before) i) (J :: before).
Proof.
  intros PJ Hi L H. cbn [rows row_age]. rewrite (proj2 (Nat.leb_le _ _) L). unfold new_row.
  destruct (J i).
  - rewrite norm_zero. apply reach_nonneg.
  - rewrite reach_step. replace (add (sub (rows before i) (changes before i)) (over b (vsum_in n J
    (changes before))))
      with (add (rows before i) (sub (over b (vsum_in n J (changes before))) (changes before i)))
      by (vector_eq w; ring).
    eapply Rle_trans; [apply norm_add|]. pose proof (batch_apart before J i PJ Hi). lra.
Qed.
Lemma rows_bounded T past : possible (sledge_history n b T) past ->
  (forall i, (i < n)%nat -> norm (rows past i) <= reach (row_age past i) past) /\
  (forall i j, (i < n)%nat -> (j < n)%nat ->
    norm (sub (rows past i) (rows past j)) <= reach (Nat.max (row_age past i) (row_age past j))
      past).
Proof.
  revert past. induction T as [|T IH]; intros past P.
  - simpl in P. subst past. split; intros; cbn [rows]; (eapply Rle_trans; [|apply reach_before;
    simpl; lia]).
    + apply init_size. assumption.
    + apply init_apart; assumption.
  - pose proof (history_length _ _ _ P) as Len. destruct past as [|J before]; [discriminate|].
    destruct (Nat.le_gt_cases from (length before)) as [L|L].
    2:{ split; intros; rewrite rows_before by (simpl; lia); (eapply Rle_trans;
      [|apply reach_before; simpl; lia]).
        - apply init_size. assumption.
        - apply init_apart; assumption. }
    apply history_possible in P. destruct P as [P PJ]. specialize (IH before P).
    destruct IH as [IH1 IH2].
    assert (one : forall i, (i < n)%nat -> norm (rows (J :: before) i) <= reach (row_age (J ::
      before) i) (J :: before)).
    { intros i Hi. apply new_row_size; try assumption. apply IH1, Hi. }
    split; [exact one|]. intros i j Hi Hj. pose proof (one i Hi) as Oi. pose proof (one j Hj) as Oj.
    cbn [rows row_age] in *. rewrite (proj2 (Nat.leb_le _ _) L) in *. unfold new_row in *.
    destruct (J i), (J j).
    + rewrite sub_self, norm_zero. apply reach_nonneg.
    + rewrite norm_sub_sym. replace (sub _ zero)
      with (add (sub (rows before j) (changes before j)) (over b (vsum_in n J (changes before)))).
      * rewrite Nat.max_0_l. exact Oj.
      * vector_eq w. ring.
    + replace (sub _ zero) with (add (sub (rows before i) (changes before i)) (over b (vsum_in n J
      (changes before)))).
      * rewrite Nat.max_0_r. exact Oi.
      * vector_eq w. ring.
    + replace (sub (add (sub (rows before i) (changes before i)) (over b (vsum_in n J (changes
      before))))
        (add (sub (rows before j) (changes before j)) (over b (vsum_in n J (changes before)))))
        with (sub (sub (rows before i) (rows before j)) (sub (changes before i) (changes before j)))
        by (vector_eq w; ring).
      rewrite <- Nat.succ_max_distr, reach_step. eapply Rle_trans; [apply norm_sub|].
      pose proof (changes_apart before i j Hi Hj). specialize (IH2 i j Hi Hj). lra.
Qed.

(* ---- One step as a minibatch of centred vectors ---- *)

Definition parts (past : list batch) : nat -> V := row_parts n b (rows past) (changes past).

Lemma changes_centred past : vsum n (changes past) = zero.
Proof. apply (change_centred n b Hb Hbn). Qed.
Lemma rows_error_step past J : possible (uniform n b) J -> (from <= length past)%nat ->
  rows_error (J :: past) = add (scale (1 - B / N) (rows_error past)) (over b (vsum_in n J (parts
    past))).
Proof.
  intros PJ L. unfold rows_error at 1. cbn [rows]. rewrite (proj2 (Nat.leb_le _ _) L).
  apply (new_row_mean n b Hb Hbn _ _ (changes_centred past) J PJ).
Qed.
Lemma parts_centred past : vsum n (parts past) = zero.
Proof. apply (row_parts_centred n b Hb Hbn), changes_centred. Qed.
Lemma parts_apart T past i j : possible (sledge_history n b T) past -> (i < n)%nat -> (j < n)%nat ->
  norm (sub (parts past i) (parts past j)) <= spreads past.
Proof.
  intros P Hi Hj. apply (row_parts_apart n b Hb Hbn); [apply changes_apart; assumption|].
  eapply Rle_trans; [apply (rows_bounded T past P); assumption|].
  apply reach_monotone. pose proof (oldest_above n (row_age past) i Hi).
  pose proof (oldest_above n (row_age past) j Hj). lia.
Qed.

(* ---- The run ---- *)

Hypothesis proper0 : proper (mean_of n init) beta0.

Lemma rows_proper T past : possible (sledge_history n b T) past -> proper (rows_error past) (beta
  past).
Proof.
  revert past. induction T as [|T IH]; intros past P; [simpl in P; subst; exact proper0|].
  pose proof (history_length _ _ _ P) as Len. destruct past as [|J before]; [discriminate|].
  apply history_possible in P. destruct P as [P PJ].
  destruct (Nat.le_gt_cases from (length before)) as [L|L].
  - rewrite rows_error_step by assumption. cbn [beta]. rewrite (proj2 (Nat.leb_le _ _) L).
    apply (minibatch_proper n b Hb Hbn (parts before) (spreads before)); try assumption.
    + apply parts_centred.
    + intros. apply (parts_apart T); assumption.
    + apply (IH before P).
  - unfold rows_error. rewrite rows_before, beta_before by (simpl; lia). exact proper0.
Qed.
Definition too_far (l : R) (past : list batch) : bool := exceeds (l * l * beta past) (sq
  (rows_error past)).

Theorem rows_tail theta l T : 0 < theta < 2 ->
  exp (theta * (l * l)) * probability (sledge_history n b T) (ever (too_far l))
  <= tower theta (mean_of n init) beta0 + INR (b * T) * exp (kappa theta).
Proof.
  intro Ht. pose proof (exp_pos (kappa theta)) as K. pose proof (pos_INR b) as B0.
  assert (BK : 0 <= B * exp (kappa theta)) by (apply Rmult_le_pos; lra).
  pose proof (maximal_inequality (fun _ => uniform n b) (fun past => tower theta (rows_error past)
    (beta past))
    (too_far l) (fun _ => B * exp (kappa theta)) (exp (theta * (l * l))) T) as M. cbv beta in M.
  rewrite sum_const in M. rewrite mult_INR. replace (B * INR T * exp (kappa theta))
    with (INR T * (B * exp (kappa theta))) by ring.
  apply M.
  - intros. apply tower_nonneg.
  - intros t past P e. apply tower_outside;
    [assumption|apply (rows_proper t), P|apply exceeds_true, e].
  - intros t past _ P _. pose proof (history_length _ _ _ P) as Len.
    destruct (Nat.le_gt_cases from (length past)) as [L|L].
    + rewrite (Ex_ext _ _ (fun J => tower theta (add (scale (1 - B / N) (rows_error past)) (over b
      (vsum_in n J (parts past))))
        ((1 - B / N) * (1 - B / N) * beta past + spread n b / (B * B) * (spreads past * spreads
          past)))).
      * apply (minibatch_step n b Hb Hbn (parts past) (spreads past)); try assumption.
        -- apply spreads_nonneg.
        -- apply parts_centred.
        -- intros. apply (parts_apart t); assumption.
        -- apply (rows_proper t), P.
      * intros J PJ. rewrite rows_error_step by assumption. cbn [beta].
        rewrite (proj2 (Nat.leb_le _ _) L). reflexivity.
    + rewrite (Ex_ext _ _ (fun _ => tower theta (rows_error past) (beta past)));
      [rewrite Ex_const; lra|].
      intros J _. unfold rows_error. rewrite !rows_before, !beta_before by (simpl; lia).
      reflexivity.
  - intros. exact BK.
Qed.
End Rows.
