(* The proof of Lemma 1 by its own lemmas: 17, 18 and 19 (lemma:First-Auxiliary-A, B and C, lines 1165-1372), and
   Lemma 1 for Option I (lines 1147-1160).

   The printed results, with C = C_1 any multiple c of log(1/nu + n + P + d + T + K) with the c that is said, T_1 =
   (n/b) C, c_i^s the change of grad f_i from x^{s-1} to x^s less that of grad f, U_s^t the indices that none of I^s to
   I^t has (I^tau for I^t under the union of line 331), and for every space, function, n, b, T, step size and noise:
     deviation_tail     ||U_s^t| - (1 - b/n)|U_{s+1}^t|| <= C sqrt b, probability 1 - 1/(5T^2) (1312)             c >= 3
     undrawn_sample     |sum_{U_s^t} c_i^s|^2 <= C^2 |U_s^t| zeta^2 |x^s - x^{s-1}|^2, 1 - nu/T^2 (1228-1236)  c >= 3
     lemma_17           |(1/n) sum_s sum_{U_s^t} c_i^s|^2 <= (C^3 zeta^2/b) sum_s |x^s - x^{s-1}|^2, 1 - nu  c >= 3
     step_bound         |(E|U_s^t|/b) sum_{I^s} c_i^s|^2 <= C (E|U_s^t|)^2 zeta^2 |x^s - x^{s-1}|^2/b,
                        1 - nu/(5T^2) (1271-1276)  c >= 7
     weighted_sum       |(1/n) sum_s (E|U_s^t|/b) sum_{I^s} c_i^s|^2 <= (C^2 zeta^2/b) sum_s |x^s - x^{s-1}|^2,
                        1 - 2nu/5 (1276-1287)  c >= 3
     lemma_18           |(1/n) sum_s (|U_s^t|/b) sum_{I^s} c_i^s|^2 <= (4 C^8 zeta^2/b) sum_s |x^s - x^{s-1}|^2,
                        1 - nu  c >= 3
     lemma_19           |(1/n) sum_{U_1^t} (y_i^0 - grad f_i(x^0))|^2 <= (4 C^2/b)(sigma_c^2 + G_c^2/b), 1 - nu,
                        and 0 for Option II  c >= 10
     lemma_1_option_I   Lemma 1 with (12 C^2/b)(sigma_c^2 + G_c^2/b) for t < T_1, 1 - 3 nu  c >= 10
   In 17, weighted_sum and 18, s runs over the last T_1 steps up to t, for all t <= T at once. sigma_c is the root of
   the mean square, and G_c the largest, of the deviations of the gradients at x^0 (lines 888-892).

   None of the printed proofs is followed where it rests on the Azuma inequality of the text: 18 is Lemma 1 of lemma_1.v
   and 17, since the full gradients cancel. U_s^t, given its size and what was known before step s, is a sample without
   replacement (undrawn.v). *)
From Coq Require Import Reals Lra Lia List PeanoNat Bool.
From Sledge Require Import vectors means minibatches algorithms problems second_moments sledge_errors probability.
From Sledge Require Import hoeffding azuma minibatch_tails bernstein coverage sledge_tails lemma_1 concentration.
From Sledge Require Import symmetries steps identities undrawn.
Import ListNotations.
Open Scope R_scope.

(* ---- Logarithms ---- *)

(* Radii against the logarithm of the text. *)
Lemma radius_text a delta l : 1 <= l -> ln (a / delta) <= 5 * l -> radius a delta <= 3 * l.
Proof.
  intros Hl H. unfold radius. cut (sqrt (ln (a / delta) / 2) <= 2 * l); [lra|].
  destruct (Rle_dec 0 (ln (a / delta) / 2)) as [g|g]; [|rewrite sqrt_neg_0 by lra; lra].
  apply Rsqr_incr_0_var; [|lra]. unfold Rsqr. rewrite sqrt_sqrt by assumption.
  assert (1 * l <= l * l) by (apply Rmult_le_compat_r; lra). lra.
Qed.
Lemma radius_square_text a delta l : 1 <= l -> ln (a / delta) <= 5 * l -> radius a delta * radius a delta <= 7 * l.
Proof.
  intros Hl H. unfold radius. destruct (Rle_dec 0 (ln (a / delta) / 2)) as [g|g]; [|rewrite sqrt_neg_0 by lra; lra].
  pose proof (sqrt_sqrt _ g) as S. set (s := sqrt (ln (a / delta) / 2)) in *.
  pose proof (Rle_0_sqr (s - 1)) as Q. unfold Rsqr in Q. lra.
Qed.

(* ---- Sums over windows ---- *)

Lemma vsum_tail {V : space} d m (a : nat -> V) : (forall s, (s < d)%nat -> a s = zero) ->
  vsum (d + m) a = vsum m (fun j => a (d + j)%nat).
Proof.
  intro H. induction m as [|m IH].
  - rewrite Nat.add_0_r. cbn [vsum]. induction d as [|d IHd]; [reflexivity|]. cbn [vsum].
    rewrite IHd by (intros; apply H; lia). rewrite H by lia. vector_eq w. ring.
  - rewrite Nat.add_succ_r. cbn [vsum]. rewrite IH. reflexivity.
Qed.
Lemma sum_tail d m (a : nat -> R) : (forall s, (s < d)%nat -> a s = 0) ->
  sum (d + m) a = sum m (fun j => a (d + j)%nat).
Proof.
  intro H. induction m as [|m IH]; [rewrite Nat.add_0_r; apply sum_zero, H|].
  rewrite Nat.add_succ_r. cbn [sum]. rewrite IH. reflexivity.
Qed.
(* The Cauchy-Schwarz inequality over the last T1 of t. *)
Lemma sq_window {V : space} t T1 (a : nat -> V) :
  sq (vsum t (fun s => if (t - T1 <=? s)%nat then a s else zero))
  <= INR T1 * sum t (fun s => if (t - T1 <=? s)%nat then sq (a s) else 0).
Proof.
  assert (G : forall d m, (m <= T1)%nat -> sq (vsum (d + m) (fun s => if (d <=? s)%nat then a s else zero))
    <= INR T1 * sum (d + m) (fun s => if (d <=? s)%nat then sq (a s) else 0)).
  { intros d m Hm. assert (B : forall s, (s < d)%nat -> (d <=? s)%nat = false) by (intros; apply Nat.leb_gt;
    assumption).
    rewrite vsum_tail by (intros s Hs; rewrite B by assumption; reflexivity).
    rewrite sum_tail by (intros s Hs; rewrite B by assumption; reflexivity).
    eapply Rle_trans; [apply sq_vsum|].
    rewrite (sum_ext _ (fun i => sq (if (d <=? d + i)%nat then a (d + i)%nat else zero))
      (fun i => if (d <=? d + i)%nat then sq (a (d + i)%nat) else 0))
      by (intros i _; rewrite (proj2 (Nat.leb_le d (d + i))) by lia; reflexivity).
    apply Rmult_le_compat_r; [|apply le_INR, Hm].
    apply sum_nonneg. intros i _. destruct (Nat.leb _ _); [apply sq_nonneg|lra]. }
  specialize (G (t - T1)%nat (t - (t - T1))%nat ltac:(lia)).
  replace (t - T1 + (t - (t - T1)))%nat with t in G by lia. exact G.
Qed.

(* ---- A discounted sum over minibatches: a (a (...) + (1/b) sum_{I^s} w^s) ... from a time on ---- *)

Section Sums.
Context {V : space}.
Variables (n b : nat).
Hypothesis Hb : (1 <= b)%nat.
Hypothesis Hbn : (b <= n)%nat.
Variables (w : list batch -> nat -> V) (D : list batch -> R) (a : R) (from : nat).
Hypothesis D_nonneg : forall past, 0 <= D past.
Hypothesis centred : forall past, vsum n (w past) = zero.
Hypothesis apart : forall past i j, (i < n)%nat -> (j < n)%nat -> norm (sub (w past i) (w past j)) <= D past.
Fixpoint discounted_sum (past : list batch) : V :=
  match past with
  | [] => zero
  | J :: before => if (from <=? length before)%nat
      then add (scale a (discounted_sum before)) (over b (vsum_in n J (w before))) else zero
  end.
Fixpoint discounted_radius (past : list batch) : R :=
  match past with
  | [] => 0
  | _ :: before => if (from <=? length before)%nat
      then a * a * discounted_radius before + spread n b / (INR b * INR b) * (D before * D before) else 0
  end.
Lemma discounted_proper T past : possible (sledge_history n b T) past ->
  proper (discounted_sum past) (discounted_radius past).
Proof.
  revert past. induction T as [|T IH]; intros past P; [simpl in P; subst; split; [simpl; lra|reflexivity]|].
  pose proof (history_length _ _ _ P) as Len. destruct past as [|J before]; [discriminate|].
  apply history_possible in P. destruct P as [P PJ]. cbn [discounted_sum discounted_radius].
  destruct (Nat.leb from (length before)); [|split; [lra|reflexivity]].
  apply (minibatch_proper n b Hb Hbn (w before) (D before) (centred before) (apart before)); [apply IH, P|exact PJ].
Qed.
Theorem discounted_likely T nu : (1 <= T)%nat -> 0 < nu < 1 ->
  with_probability (sledge_history n b T) (1 - nu) (fun past => forall t, (t <= T)%nat ->
    sq (discounted_sum (at_time t past))
    <= radius (INR (b * T)) nu * radius (INR (b * T)) nu * discounted_radius (at_time t past)).
Proof.
  intros HT Hnu. assert (N1 : 1 <= INR (b * T)) by (change 1 with (INR 1); apply le_INR; nia).
  destruct (best_theta (INR (b * T)) nu N1 Hnu) as [theta [Ht E]]. set (l := radius (INR (b * T)) nu) in *.
  pose proof (exp_pos (kappa theta)) as K. pose proof (exp_pos (theta * (l * l))) as X. pose proof (pos_INR b) as B0.
  assert (BK : 0 <= INR b * exp (kappa theta)) by (apply Rmult_le_pos; lra).
  set (far := fun past => exceeds (l * l * discounted_radius past) (sq (discounted_sum past))).
  apply (unless _ (ever far)).
  - pose proof (maximal_inequality (fun _ => uniform n b) (fun past => tower theta (discounted_sum past)
      (discounted_radius past)) far (fun _ => INR b * exp (kappa theta)) (exp (theta * (l * l))) T) as M.
    cbv beta in M. rewrite sum_const in M. cbn [discounted_sum discounted_radius] in M.
    rewrite tower_zero, Rplus_0_l in M.
    replace (INR T * (INR b * exp (kappa theta))) with (INR (b * T) * exp (kappa theta)) in M by (rewrite mult_INR;
      ring).
    rewrite E in M. apply Rmult_le_reg_l with (exp (theta * (l * l))); [assumption|].
    rewrite (Rmult_comm _ nu). apply M.
    + intros. apply tower_nonneg.
    + intros t past P e. apply tower_outside; [assumption|apply (discounted_proper t), P|apply exceeds_true, e].
    + intros t past _ P _. cbn [discounted_sum discounted_radius].
      destruct (Nat.leb from (length past)).
      * apply (minibatch_step n b Hb Hbn (w past) (D past) (D_nonneg past) (centred past) (apart past));
          [apply (discounted_proper t), P|assumption].
      * rewrite Ex_const, tower_zero. pose proof (tower_nonneg theta (discounted_sum past) (discounted_radius past)).
        lra.
    + intros. exact BK.
  - intros past P e t Ht'. pose proof (history_length _ _ _ P) as Len.
    apply exceeds_false. apply (never_at_time far past t e). lia.
Qed.
End Sums.

(* ---- Two draws one after the other ---- *)

Section Two.
Context {O O' : Type} (m : mean O) (k : mean O').
Notation joint := (bind m (fun a => bind k (fun o => sure (a, o)))).
Lemma first_of p (A : O -> Prop) : with_probability m p A -> with_probability joint p (fun o => A (fst o)).
Proof.
  intros [E [E1 E2]]. exists (fun o => E (fst o)). split.
  - eapply Rle_trans; [exact E1|]. right. unfold probability. rewrite Ex_bind. apply Ex_ext. intros a _.
    rewrite Ex_bind. cbn [Ex sure fst]. symmetry. apply Ex_const.
  - intros o [a [Pa [o' [_ e]]]] H. simpl in e. subst o. apply E2; assumption.
Qed.
Lemma second_of p (A : O' -> Prop) : with_probability k p A -> with_probability joint p (fun o => A (snd o)).
Proof.
  intros [E [E1 E2]]. exists (fun o => E (snd o)). split.
  - eapply Rle_trans; [exact E1|]. right. unfold probability. rewrite Ex_bind.
    rewrite (Ex_ext m _ (fun _ => Ex k (fun o => if E o then 1 else 0))); [symmetry; apply Ex_const|].
    intros a _. rewrite Ex_bind. reflexivity.
  - intros o [a [Pa [o' [Po e]]]] H. simpl in e. subst o. apply E2; assumption.
Qed.
(* Bounds for all t <= T that are likely whatever was drawn first. *)
Lemma given_first T nu (X Y : O -> nat -> O' -> R) :
  (forall a, possible m a -> with_probability k (1 - nu) (fun o => forall t, (t <= T)%nat -> X a t o <= Y a t o)) ->
  with_probability joint (1 - nu) (fun o => forall t, (t <= T)%nat -> X (fst o) t (snd o) <= Y (fst o) t (snd o)).
Proof.
  intro H. set (bad := fun (a : O) (o : O') => existsb (fun t => exceeds (Y a t o) (X a t o)) (seq 0 (S T))).
  apply (unless _ (fun o => bad (fst o) (snd o))).
  - unfold probability. rewrite Ex_bind. apply Ex_at_most. intros a Pa. rewrite Ex_bind. cbn [Ex sure fst snd].
    apply (rare_of k nu _ (bad a) (H a Pa)). intros o _ Q. unfold bad.
    destruct (existsb _ _) eqn:e; [|reflexivity]. exfalso. apply existsb_exists in e. destruct e as [t [It Et]].
    apply in_seq in It. apply exceeds_true in Et. specialize (Q t ltac:(lia)). lra.
  - intros o _ e t Ht. apply exceeds_false. destruct (exceeds _ _) eqn:f; [|reflexivity]. unfold bad in e.
    rewrite <- e. symmetry. apply existsb_exists. exists t. split; [apply in_seq; lia|exact f].
Qed.
End Two.

(* ---- Runs ---- *)

Section Runs.
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
Notation q := (1 - INR b / INR n).
Notation run := (sledge n b eta noise grad start).
Notation moving := (changes n b grad eta noise start).
Notation ahead := (ahead n b grad eta noise start).
Notation moves := (squares n b grad eta noise start).
Notation nothing := (fun _ : nat => zero : V).
Notation rows_error from := (rows_error n b grad eta noise start from nothing).
Notation rows from := (rows n b grad eta noise start from nothing).
Notation beta from := (beta n b grad zeta eta noise start from 0 0).

(* x^t of a run, and c_i^{s+1} and |x^{s+1} - x^s| at its step s + 1 *)
Definition x_at (t : nat) (past : list batch) : V := point (run (at_time t past)).
Definition changed (s : nat) (past : list batch) : nat -> V := change n grad (x_at s past) (x_at (S s) past).
Definition step_square (s : nat) (past : list batch) : R := sq (sub (x_at (S s) past) (x_at s past)).
(* U_{s+1}^t *)
Definition missed (s t : nat) (past : list batch) : batch := undrawn (S s) (at_time t past).

Lemma changed_is s past : (s < length past)%nat -> changed s past = moving (at_time s past).
Proof. intro H. unfold changed, x_at. destruct (at_time_step s past H) as [J E]. rewrite E. reflexivity. Qed.
Lemma step_square_is s past : (s < length past)%nat ->
  step_square s past = ahead (at_time s past) * ahead (at_time s past).
Proof.
  intro H. unfold step_square, x_at, sledge_tails.ahead. rewrite norm_sq.
  destruct (at_time_step s past H) as [J E]. rewrite E. reflexivity.
Qed.
Lemma moves_are T1 t past : (t <= length past)%nat ->
  moves T1 (at_time t past) = sum t (fun s => if (t - T1 <=? s)%nat then step_square s past else 0).
Proof. intro H. apply squares_sum, H. Qed.
Lemma window_nonneg T1 t past : 0 <= sum t (fun s => if (t - T1 <=? s)%nat then step_square s past else 0).
Proof. apply sum_nonneg. intros s _. destruct (Nat.leb _ _); [apply sq_nonneg|lra]. Qed.

(* A sum over the undrawn, for a pair of times. *)
Definition far_sample (l : R) (before : list batch) (U : batch) : bool :=
  exceeds (l * l * size n U * (zeta * zeta * (ahead before * ahead before))) (sq (vsum_in n U (moving before))).
Lemma far_sample_rare delta before m : 0 < delta < 1 -> (m <= n)%nat ->
  probability (uniform n m) (far_sample (radius N delta) before) <= delta.
Proof.
  intros Hd Hm. pose proof (Nn n b Hb Hbn) as N1. destruct m as [|m].
  - unfold probability. rewrite uniform_0. unfold far_sample.
    replace (vsum_in n none (moving before)) with (zero : V).
    + rewrite sq_zero. unfold exceeds. destruct (Rlt_dec _ 0) as [e|e]; [|lra]. exfalso. revert e. apply Rle_not_lt.
      unfold size. rewrite sum_zero by reflexivity. lra.
    + vector_eq w. rewrite ip_vsum_in, sum_zero; [ring|]. intros. unfold ind, none. ring.
  - assert (D0 : 0 <= zeta * ahead before) by (apply Rmult_le_pos; [assumption|apply norm_nonneg]).
    apply (rare_of _ delta (fun I => norm (vsum_in n I (moving before))
      <= radius (INR (S m)) delta * (zeta * ahead before * sqrt (spread n (S m))))).
    + apply noreplace_hoeffding; try assumption; [lia| |].
      * apply (changes_centred n b Hb Hbn).
      * intros i j Hi Hj. apply (changes_apart n b grad zeta het); assumption.
    + intros I P H. unfold far_sample, exceeds. destruct (Rlt_dec _ _) as [e|e]; [|reflexivity]. exfalso.
      revert e. apply Rle_not_lt. apply sq_le in H. eapply Rle_trans; [exact H|].
      pose proof (spread_bounds n (S m) Hm) as [s0 s1]. pose proof (sqrt_sqrt _ s0) as ss.
      set (z := zeta * ahead before) in *. set (r := radius (INR (S m)) delta).
      replace (r * (z * sqrt (spread n (S m))) * (r * (z * sqrt (spread n (S m)))))
        with (r * r * (sqrt (spread n (S m)) * sqrt (spread n (S m))) * (z * z)) by ring.
      rewrite ss. replace (zeta * zeta * (ahead before * ahead before)) with (z * z) by (unfold z; ring).
      assert (m1 : 1 <= INR (S m)) by (change 1 with (INR 1); apply le_INR; lia).
      assert (RR : r <= radius N delta).
      { unfold r, radius. apply Rplus_le_compat_l, sqrt_le_1_alt.
        apply Rmult_le_compat_r; [lra|]. apply ln_grows.
        - apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra].
        - apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|]. apply le_INR, Hm. }
      assert (r0 : 1 <= r) by apply radius_above.
      apply Rmult_le_compat_r; [apply Rle_0_sqr|].
      unfold size. rewrite (uniform_size n (S m) I Hm P).
      apply Rmult_le_compat; [apply Rle_0_sqr|assumption| |assumption]. apply Rmult_le_compat; lra.
Qed.
Lemma sample_likely delta s t T : 0 < delta < 1 -> (s < t)%nat -> (t <= T)%nat ->
  with_probability (sledge_history n b T) (1 - delta) (fun past =>
    sq (vsum_in n (missed s t past) (changed s past))
    <= radius N delta * radius N delta * size n (missed s t past) * (zeta * zeta * step_square s past)).
Proof.
  intros Hd Hs Ht.
  apply (unless _ (fun past => far_sample (radius N delta) (at_time s past) (left_out (from_step (S s)
    (at_time (t - s + s) past))))).
  - apply (rare_later (uniform n b) s (t - s) T delta (fun later before =>
      far_sample (radius N delta) before (left_out later))); [lia|]. intros before _.
    apply (left_out_rare n b Hbn).
    + intros I J E. unfold far_sample. replace (size n J) with (size n I).
      * replace (vsum_in n J (moving before)) with (vsum_in n I (moving before)); [reflexivity|].
        apply vsum_ext. intros i Hi. rewrite (E i Hi). reflexivity.
      * apply sum_ext. intros i Hi. unfold ind. rewrite (E i Hi). reflexivity.
    + intros m Hm. apply far_sample_rare; assumption.
  - intros past P e. pose proof (history_length _ _ _ P) as Len. replace (t - s + s)%nat with t in e by lia.
    unfold far_sample in e. apply exceeds_false in e. unfold missed, undrawn.
    rewrite changed_is, step_square_is by lia. exact e.
Qed.

(* The sum of (a) in the proof of Lemma 1: over the last T1 steps. *)
Definition part_a (T1 t : nat) (past : list batch) : V :=
  over n (vsum t (fun s => if (t - T1 <=? s)%nat then vsum_in n (missed s t past) (changed s past) else zero)).
Lemma part_a_bound T1 t past l2 : 0 <= l2 -> (forall s, (s < t)%nat ->
    sq (vsum_in n (missed s t past) (changed s past))
    <= l2 * size n (missed s t past) * (zeta * zeta * step_square s past)) ->
  sq (part_a T1 t past) <= INR T1 * l2 / N * (zeta * zeta)
    * sum t (fun s => if (t - T1 <=? s)%nat then step_square s past else 0).
Proof.
  intros L H. pose proof (Nn n b Hb Hbn) as N1. unfold part_a. rewrite sq_over.
  pose proof (sq_window t T1 (fun s => vsum_in n (missed s t past) (changed s past))) as W.
  assert (Q : sum t (fun s => if (t - T1 <=? s)%nat then sq (vsum_in n (missed s t past) (changed s past)) else 0)
    <= l2 * N * (zeta * zeta) * sum t (fun s => if (t - T1 <=? s)%nat then step_square s past else 0)).
  { rewrite <- sum_mul. apply sum_le. intros s Hs. destruct (Nat.leb _ _); [|lra]. specialize (H s Hs).
    eapply Rle_trans; [exact H|]. pose proof (sq_nonneg (sub (x_at (S s) past) (x_at s past))) as s0.
    fold (step_square s past) in s0. pose proof (Rle_0_sqr zeta) as z0. unfold Rsqr in z0.
    assert (SN : size n (missed s t past) <= N).
    { unfold size. rewrite <- (Rmult_1_r N), <- sum_const. apply sum_le. intros. apply ind_bounds. }
    rewrite (Rmult_assoc (l2 * N)). apply Rmult_le_compat_r; [apply Rmult_le_pos; assumption|].
    apply Rmult_le_compat_l; assumption. }
  assert (I0 : 0 <= / N * / N) by apply Rle_0_sqr. pose proof (pos_INR T1).
  eapply Rle_trans; [apply Rmult_le_compat_l; [exact I0|exact W]|].
  eapply Rle_trans; [apply Rmult_le_compat_l; [exact I0|apply Rmult_le_compat_l; [assumption|exact Q]]|].
  right. field. lra.
Qed.
Lemma part_a_likely nu T1 T : (1 <= T)%nat -> 0 < nu < 1 ->
  with_probability (sledge_history n b T) (1 - nu) (fun past => forall t, (t <= T)%nat ->
    sq (part_a T1 t past) <= INR T1 * (radius N (nu / (INR T * INR T)) * radius N (nu / (INR T * INR T))) / N
      * (zeta * zeta) * sum t (fun s => if (t - T1 <=? s)%nat then step_square s past else 0)).
Proof.
  intros HT Hnu. assert (T1' : 1 <= INR T) by (change 1 with (INR 1); apply le_INR; assumption).
  set (delta := nu / (INR T * INR T)).
  assert (TT : 1 <= INR T * INR T) by (replace 1 with (1 * 1) by ring; apply Rmult_le_compat; lra).
  assert (Hd : 0 < delta < 1).
  { unfold delta. split; [apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra]|].
    apply Rmult_lt_reg_r with (INR T * INR T); [lra|].
    replace (nu / (INR T * INR T) * (INR T * INR T)) with nu by (field; lra). lra. }
  apply (with_probability_weaken _ (1 - INR T * (INR T * delta)) _ (fun past => forall t, (t < T)%nat ->
    forall s, (s < T)%nat -> (s < S t)%nat -> sq (vsum_in n (missed s (S t) past) (changed s past))
    <= radius N delta * radius N delta * size n (missed s (S t) past) * (zeta * zeta * step_square s past))).
  - right. unfold delta. field. lra.
  - intros past _ H t Ht. destruct t as [|t].
    + unfold part_a. cbn [vsum sum]. rewrite sq_over, sq_zero. lra.
    + apply part_a_bound; [apply Rle_0_sqr|]. intros s Hs. apply H; lia.
  - apply (union_bound_many (sledge_history n b T) T (INR T * delta)). intros t Ht.
    apply (union_bound_many (sledge_history n b T) T delta). intros s Hs.
    destruct (Nat.lt_ge_cases s (S t)) as [g|g].
    + eapply with_probability_weaken; [apply Rle_refl| |apply (sample_likely delta s (S t) T Hd g ltac:(lia))].
      intros past _ H _. exact H.
    + apply (with_probability_weaken _ 1 _ (fun _ => True)); [lra| |apply surely; auto]. intros past _ _ g'. lia.
Qed.

(* The sum of (b): over the last T1 steps. *)
Definition part_b (T1 t : nat) (past : list batch) : V :=
  over n (vsum t (fun s => if (t - T1 <=? s)%nat
    then scale (size n (missed s t past) / B) (vsum_in n (minibatch (S s) past) (changed s past)) else zero)).

(* A row that was exact at [from], as a sum over the steps since. *)
Lemma rows_sum from past i w :
  ip (rows from past i) w = sum (length past) (fun k => if (from <=? k)%nat
    then ind (undrawn (S k) past) i * (/ B * ip (vsum_in n (minibatch (S k) past) (moving (at_time k past))) w
      - ip (moving (at_time k past) i) w) else 0).
Proof.
  induction past as [|J past IH]; [cbn [sledge_tails.rows length sum]; apply ip_zero|].
  cbn [sledge_tails.rows length sum].
  assert (E : forall k, (k < length past)%nat -> (if (from <=? k)%nat
      then ind (undrawn (S k) (J :: past)) i * (/ B * ip (vsum_in n (minibatch (S k) (J :: past))
        (moving (at_time k (J :: past)))) w - ip (moving (at_time k (J :: past)) i) w) else 0)
    = (1 - ind J i) * (if (from <=? k)%nat
      then ind (undrawn (S k) past) i * (/ B * ip (vsum_in n (minibatch (S k) past) (moving (at_time k past))) w
        - ip (moving (at_time k past) i) w) else 0)).
  { intros k Hk. rewrite undrawn_more, minibatch_before, at_time_before by lia. destruct (Nat.leb from k); ring. }
  rewrite (sum_ext _ _ _ E), sum_mul, <- IH, minibatch_now, undrawn_more, undrawn_none, at_time_before, at_time_all by
    lia.
  destruct (Nat.leb_spec from (length past)) as [l|l].
  - unfold new_row, ind. destruct (J i); [rewrite ip_zero; ring|]. products. ring.
  - rewrite ip_zero. rewrite IH, sum_zero; [ring|]. intros k Hk. rewrite (proj2 (Nat.leb_gt from k)) by lia.
    reflexivity.
Qed.
Lemma rows_error_parts T1 t past : (t <= length past)%nat ->
  rows_error (t - T1)%nat (at_time t past) = sub (part_b T1 t past) (part_a T1 t past).
Proof.
  intro H. unfold sledge_tails.rows_error, part_a, part_b. set (p := at_time t past).
  assert (Lp : length p = t) by (apply at_time_length, H).
  vector_eq w. rewrite ip_mean_of, !ip_vsum. rewrite (sum_ext n _ _ (fun i _ => rows_sum (t - T1) p i w)), sum_swap, Lp.
  rewrite <- Rmult_minus_distr_l, <- sum_sub. f_equal. apply sum_ext. intros s Hs.
  destruct (Nat.leb (t - T1) s); [|rewrite ip_zero, sum_zero by reflexivity; ring].
  assert (A : at_time s p = at_time s past).
  { unfold p, at_time. rewrite skipn_length, skipn_twice. f_equal. lia. }
  assert (M : minibatch (S s) p = minibatch (S s) past).
  { unfold minibatch. f_equal. unfold p, at_time. rewrite skipn_length, skipn_twice. f_equal. lia. }
  unfold missed. fold p. rewrite changed_is by lia. rewrite A, M, ip_scale, (ip_vsum_in n (undrawn (S s) p)).
  rewrite (sum_ext n _ (fun i => / B * ip (vsum_in n (minibatch (S s) past) (moving (at_time s past))) w
    * ind (undrawn (S s) p) i - ind (undrawn (S s) p) i * ip (moving (at_time s past) i) w)) by (intros; ring).
  rewrite sum_sub, sum_mul. unfold size, Rdiv. ring.
Qed.
(* The error of rows that are exact at the beginning of a window of T1 steps, for all windows. *)
Lemma windows_likely nu T1 T C : (1 <= T)%nat -> (1 <= T1)%nat -> 0 < nu < 1 -> B / N * INR (T1 - 1) <= C -> 0 <= C ->
  with_probability (sledge_history n b T) (1 - nu) (fun past => forall t, (t <= T)%nat ->
    sq (rows_error (t - T1)%nat (at_time t past))
    <= radius (INR (b * T)) (nu / INR T) * radius (INR (b * T)) (nu / INR T) * (1 + C) * (zeta * zeta) / B
      * sum t (fun s => if (t - T1 <=? s)%nat then step_square s past else 0)).
Proof.
  intros HT HT1 Hnu HC C0. assert (T1' : 1 <= INR T) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (nuT : 0 < nu / INR T < 1).
  { split; [apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra]|].
    apply Rmult_lt_reg_r with (INR T); [lra|]. replace (nu / INR T * INR T) with nu by (field; lra). lra. }
  set (l := radius (INR (b * T)) (nu / INR T)). pose proof (Bb n b Hb Hbn) as [B1 BN]. pose proof (Nn n b Hb Hbn) as N1.
  pose proof (union_bound_many (sledge_history n b T) T (nu / INR T) _
    (fun from _ => rows_likely n b Hb Hbn grad zeta zeta0 het eta noise start from T (nu / INR T) HT nuT)) as Many.
  replace (INR T * (nu / INR T)) with nu in Many by (field; lra). fold l in Many.
  eapply with_probability_weaken; [apply Rle_refl| |exact Many].
  intros past P H t Ht. pose proof (history_length _ _ _ P) as Len.
  pose proof (at_time_length t past ltac:(lia)) as Lt.
  destruct (Nat.eq_dec t 0) as [Z|Z].
  { subst t. destruct (at_time 0 past); [|discriminate]. unfold sledge_tails.rows_error. cbn [sledge_tails.rows].
    rewrite mean_of_nothing, sq_zero. cbn [sum]. lra. }
  rewrite <- moves_are by lia.
  specialize (H (t - T1)%nat ltac:(lia) t Ht).
  eapply Rle_trans; [exact H|].
  pose proof (beta_window n b Hb Hbn grad zeta zeta0 eta noise start (t - T1) (T1 - 1) (at_time t past) ltac:(lia)) as
    W.
  rewrite Lt in W.
  assert (S1 : 0 <= spread n b / (B * B) * (zeta * zeta) <= zeta * zeta / B).
  { pose proof (spread_bounds n b Hbn) as [s0 s1]. pose proof (Rle_0_sqr zeta) as z0. unfold Rsqr in z0.
    assert (b2 : 0 < / (B * B)) by (apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra).
    split; [apply Rmult_le_pos; [apply Rmult_le_pos; lra|assumption]|].
    replace (zeta * zeta / B) with (B / (B * B) * (zeta * zeta)) by (field; lra).
    apply Rmult_le_compat_r; [assumption|]. apply Rmult_le_compat_r; lra. }
  pose proof (squares_nonneg n b grad eta noise start T1 (at_time t past)) as Q0.
  assert (Q : moves (t - (t - T1)) (at_time t past) <= moves T1 (at_time t past))
    by (apply squares_monotone; lia).
  pose proof (squares_nonneg n b grad eta noise start (t - (t - T1)) (at_time t past)) as Q1.
  pose proof (pos_INR (T1 - 1)) as m0. pose proof (BN_1 n b Hb Hbn) as [p0 p1].
  assert (pm : 0 <= B / N * INR (T1 - 1)) by (apply Rmult_le_pos; lra).
  replace (l * l * (1 + C) * (zeta * zeta) / B * moves T1 (at_time t past))
    with (l * l * (zeta * zeta / B * (1 + C) * moves T1 (at_time t past))) by (field; lra).
  apply Rmult_le_compat_l; [apply Rle_0_sqr|]. eapply Rle_trans; [exact W|].
  apply Rmult_le_compat; [apply Rmult_le_pos; lra|assumption| |assumption].
  apply Rmult_le_compat; lra.
Qed.

(* The sum of line 1285: (b) with the mean number of undrawn indices. *)
Definition part_b_mean (T1 t : nat) (past : list batch) : V :=
  over n (vsum t (fun s => if (t - T1 <=? s)%nat
    then scale (Ex (sledge_history n b t) (fun p => size n (undrawn (S s) p)) / B)
      (vsum_in n (minibatch (S s) past) (changed s past)) else zero)).
Notation weighted from := (discounted_sum n b (fun past i => scale q (moving past i)) q from).
Notation weighted_radius from := (discounted_radius n b (fun past => q * (zeta * ahead past)) q from).
Lemma weighted_sum_is from past w :
  ip (weighted from past) w = sum (length past) (fun k => if (from <=? k)%nat
    then q ^ (length past - k) * (/ B * ip (vsum_in n (minibatch (S k) past) (moving (at_time k past))) w) else 0).
Proof.
  induction past as [|J past IH]; [cbn [discounted_sum length sum]; apply ip_zero|].
  cbn [discounted_sum length sum].
  rewrite (sum_ext (length past) _ (fun k => q * (if (from <=? k)%nat
    then q ^ (length past - k) * (/ B * ip (vsum_in n (minibatch (S k) past) (moving (at_time k past))) w) else 0))).
  2:{ intros k Hk. rewrite minibatch_before, at_time_before by lia.
      replace (S (length past) - k)%nat with (S (length past - k)) by lia. cbn [pow]. destruct (Nat.leb from k); ring. }
  rewrite sum_mul, <- IH, minibatch_now, at_time_before, at_time_all by lia.
  replace (S (length past) - length past)%nat with 1%nat by lia.
  destruct (Nat.leb_spec from (length past)) as [l|l].
  - products. rewrite !ip_vsum_in.
    rewrite (sum_ext n _ (fun i => q * (ind J i * ip (moving past i) w))) by (intros; products; ring).
    rewrite sum_mul. ring.
  - rewrite ip_zero, IH, sum_zero; [ring|]. intros k Hk. rewrite (proj2 (Nat.leb_gt from k)) by lia. reflexivity.
Qed.
Lemma part_b_mean_is T1 t past : (t <= length past)%nat ->
  part_b_mean T1 t past = weighted (t - T1)%nat (at_time t past).
Proof.
  intro H. pose proof (Nn n b Hb Hbn) as N1. pose proof (Bb n b Hb Hbn) as [B1 _].
  pose proof (at_time_length t past H) as Lp. unfold part_b_mean. vector_eq w.
  rewrite weighted_sum_is, Lp, ip_vsum, <- sum_mul. apply sum_ext. intros s Hs.
  destruct (Nat.leb (t - T1) s); [|rewrite ip_zero; ring].
  replace (at_time s (at_time t past)) with (at_time s past).
  2:{ unfold at_time. rewrite skipn_length, skipn_twice. f_equal. lia. }
  replace (minibatch (S s) (at_time t past)) with (minibatch (S s) past).
  2:{ unfold minibatch. f_equal. unfold at_time. rewrite skipn_length, skipn_twice. f_equal. lia. }
  rewrite changed_is, ip_scale by lia. rewrite undrawn_mean by lia.
  replace (t - S s + 1)%nat with (t - s)%nat by lia. field. lra.
Qed.
Lemma weighted_radius_bound from past :
  weighted_radius from past <= zeta * zeta / B * moves (length past - from) past.
Proof.
  pose proof (Nn n b Hb Hbn) as N1. pose proof (Bb n b Hb Hbn) as [B1 BN]. pose proof (BN_1 n b Hb Hbn) as [p0 p1].
  assert (q0 : 0 <= q <= 1) by lra. assert (qq : 0 <= q * q <= 1).
  { split; [apply Rle_0_sqr|]. replace 1 with (1 * 1) by ring. apply Rmult_le_compat; lra. }
  pose proof (Rle_0_sqr zeta) as z0. unfold Rsqr in z0.
  assert (c0 : 0 <= zeta * zeta / B) by (apply Rmult_le_pos; [assumption|left; apply Rinv_0_lt_compat; lra]).
  induction past as [|J before IH]; [cbn [discounted_radius length Nat.sub squares]; lra|].
  cbn [discounted_radius length]. destruct (Nat.leb_spec from (length before)) as [l|l].
  2:{ apply Rmult_le_pos; [assumption|apply squares_nonneg]. }
  replace (S (length before) - from)%nat with (S (length before - from)) by lia. cbn [squares].
  set (m := moves (length before - from) before) in *. set (a := ahead before).
  assert (m0 : 0 <= m) by apply squares_nonneg. pose proof (spread_bounds n b Hbn) as [s0 s1].
  rewrite Rmult_plus_distr_l, Rplus_comm. apply Rplus_le_compat.
  - replace (spread n b / (B * B) * (q * (zeta * a) * (q * (zeta * a))))
      with (spread n b / (B * B) * (zeta * zeta) * (a * a) * (q * q)) by ring.
    replace (zeta * zeta / B * (a * a)) with (B / (B * B) * (zeta * zeta) * (a * a) * 1) by (field; lra).
    pose proof (Rle_0_sqr a) as a0. unfold Rsqr in a0.
    assert (b2 : 0 < / (B * B)) by (apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra).
    assert (P1 : 0 <= spread n b / (B * B)) by (apply Rmult_le_pos; lra).
    assert (P2 : spread n b / (B * B) <= B / (B * B)) by (apply Rmult_le_compat_r; lra).
    apply Rmult_le_compat; [apply Rmult_le_pos; [apply Rmult_le_pos|]; assumption|lra| |lra].
    apply Rmult_le_compat_r; [assumption|]. apply Rmult_le_compat_r; assumption.
  - apply Rle_trans with (1 * (zeta * zeta / B * m)); [|lra].
    apply Rmult_le_compat; [lra| |lra|exact IH].
    clear IH. set (p := before). induction p as [|J' p IHp]; cbn [discounted_radius]; [lra|].
    destruct (Nat.leb _ _); [|lra].
    assert (0 <= q * q * weighted_radius from p) by (apply Rmult_le_pos; lra).
    assert (0 <= spread n b / (B * B) * (q * (zeta * ahead p) * (q * (zeta * ahead p)))).
    { apply Rmult_le_pos; [|apply Rle_0_sqr]. apply Rmult_le_pos; [assumption|].
      left. apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra. }
    lra.
Qed.
End Runs.

(* ---- As printed ---- *)

Section Printed.
Context {V : space}.
Variables (n b P d T K : nat).
Hypothesis Hb : (1 <= b)%nat.
Hypothesis Hbn : (b <= n)%nat.
Hypothesis HP : (1 <= P)%nat.
Hypothesis Hd : (1 <= d)%nat.
Hypothesis HT : (1 <= T)%nat.
Hypothesis HK : (1 <= K)%nat.
Variables (nu c : R).
Hypothesis Hnu : 0 < nu < 1.
Notation N := (INR n).
Notation B := (INR b).
Notation q := (1 - INR b / INR n).
Notation l := (log_all nu n P d T K).
(* C_1 *)
Notation C := (c * log_all nu n P d T K).

Lemma Hn : (1 <= n)%nat. Proof. lia. Qed.
Lemma l_above : 1 <= l. Proof. apply log_all_above; try assumption; lra || lia. Qed.
Lemma parts : 1 <= / nu /\ 1 <= N /\ 1 <= B <= N /\ 1 <= INR T /\ 6 <= / nu + N + INR P + INR d + INR T + INR K.
Proof.
  pose proof (total_parts nu n P d T K ltac:(lra) Hn HP Hd HT HK). pose proof (Bb n b Hb Hbn).
  repeat split; lra.
Qed.
(* log(m n T^2/nu) for numbers m that are no more than the sum in the logarithm, with two of them *)
Lemma log_small m : 0 < m <= 6 -> ln m <= l.
Proof. intro Hm. pose proof parts. apply ln_grows; lra. Qed.
Lemma log_product m k : 0 < m <= 6 -> 1 <= k <= N -> ln (m * k * (INR T * INR T) / nu) <= 5 * l.
Proof.
  intros Hm Hk. pose proof parts as [A [_ [_ [D E]]]]. pose proof (log_small m Hm).
  unfold Rdiv. rewrite !ln_mult by (repeat apply Rmult_lt_0_compat; lra).
  assert (Q : forall y, 1 <= y -> y <= / nu + N + INR P + INR d + INR T + INR K -> ln y <= l)
    by (intros; apply ln_grows; lra).
  pose proof (pos_INR P). pose proof (pos_INR d). pose proof (pos_INR K).
  pose proof (Q k ltac:(lra) ltac:(lra)). pose proof (Q (INR T) ltac:(lra) ltac:(lra)).
  pose proof (Q (/ nu) ltac:(lra) ltac:(lra)). lra.
Qed.
Lemma share_of_nu m : 1 <= m -> 0 < nu / m < 1.
Proof.
  intro Hm. split; [apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra]|].
  apply Rmult_lt_reg_r with m; [lra|]. replace (nu / m * m) with nu by (field; lra). lra.
Qed.

(* Line 1312: u_s^t = |U_s^t| - (1 - b/n)|U_{s+1}^t|, given I^t, ..., I^{s+1}, here [later]; B' is I^s. *)
Theorem deviation_tail later : 3 <= c ->
  with_probability (uniform n b) (1 - 1 / (5 * (INR T * INR T))) (fun B' =>
    Rabs (size n (left_out (later ++ [B'])) - q * size n (left_out later)) <= C * sqrt B).
Proof.
  intro Hc. pose proof parts as [A [N1 [[B1 BN] [D E]]]]. pose proof l_above as L.
  assert (TT : 1 <= INR T * INR T) by (replace 1 with (1 * 1) by ring; apply Rmult_le_compat; lra).
  set (delta := 1 / (5 * (INR T * INR T))).
  assert (Hdel : 0 < delta < 1).
  { unfold delta. split; [apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra]|].
    apply Rmult_lt_reg_r with (5 * (INR T * INR T)); [lra|].
    replace (1 / (5 * (INR T * INR T)) * (5 * (INR T * INR T))) with 1 by (field; lra). lra. }
  eapply with_probability_weaken; [apply Rle_refl| |apply (hypergeometric_count n b (left_out later) delta Hb Hbn
    Hdel)].
  intros I PI H. fold (size n (left_out later)) in H.
  assert (EU : size n (left_out (later ++ [I])) - q * size n (left_out later)
    = - (sum n (fun i => ind I i * ind (left_out later) i) - B / N * size n (left_out later))).
  { unfold size. rewrite (sum_ext n (ind (left_out (later ++ [I])))
      (fun i => ind (left_out later) i - ind I i * ind (left_out later) i)) by (intros; rewrite left_out_earlier; ring).
    rewrite sum_sub. ring. }
  rewrite EU, Rabs_Ropp. eapply Rle_trans; [exact H|].
  pose proof (spread_bounds n b Hbn) as [s0 s1]. pose proof (sqrt_pos (spread n b)).
  assert (R3 : radius B delta <= 3 * l).
  { apply radius_text; [assumption|]. eapply Rle_trans; [|apply (log_product 5 B ltac:(lra) ltac:(lra))].
    apply ln_grows.
    - apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra].
    - unfold delta. replace (B / (1 / (5 * (INR T * INR T)))) with (5 * B * (INR T * INR T) * 1) by (field; lra).
      apply Rmult_le_compat_l; [|assumption]. repeat apply Rmult_le_pos; lra. }
  assert (R0 : 1 <= radius B delta) by apply radius_above.
  assert (3 * l <= C) by (apply Rmult_le_compat_r; lra).
  apply Rmult_le_compat; [lra|assumption|lra|apply sqrt_le_1_alt, s1].
Qed.

Variables (grad : nat -> V -> V) (zeta : R).
Hypothesis zeta0 : 0 <= zeta.
Hypothesis het : heterogeneous n grad zeta.
Variables (eta : R) (noise : list batch -> V).

Section Any_start.
Variable start : @state R V.
Notation x t past := (x_at n b grad eta noise start t past).
Notation change_of s past := (changed n b grad eta noise start s past).
Notation moved_sq s past := (step_square n b grad eta noise start s past).
Notation window T1 t past := (sum t (fun s => if (t - T1 <=? s)%nat then moved_sq s past else 0)).

(* Lines 1228-1240, for each s < t (s + 1 for the s of the text). *)
Theorem undrawn_sample s t : 3 <= c -> (s < t)%nat -> (t <= T)%nat ->
  with_probability (sledge_history n b T) (1 - nu / INR T ^ 2) (fun past =>
    let U := undrawn (S s) (at_time t past) in
    sq (vsum_in n U (change n grad (x s past) (x (S s) past)))
    <= C ^ 2 * size n U * (zeta ^ 2 * sq (sub (x (S s) past) (x s past))))
  /\ (N / B * C) / N ^ 2 * (C ^ 2 * N) = C ^ 3 / B.
Proof.
  intros Hc Hs Ht. pose proof parts as [A [N1 [[B1 BN] [D E]]]]. pose proof l_above as L.
  split; [|field; lra].
  assert (TT : 1 <= INR T * INR T) by (replace 1 with (1 * 1) by ring; apply Rmult_le_compat; lra).
  replace (INR T ^ 2) with (INR T * INR T) by ring.
  eapply with_probability_weaken; [apply Rle_refl| |apply (sample_likely n b Hb Hbn grad zeta zeta0 het eta noise start
    (nu / (INR T * INR T)) s t T (share_of_nu _ TT) Hs Ht)].
  intros past _ H U. fold (missed s t past) in U. eapply Rle_trans; [exact H|]. fold U.
  replace (zeta ^ 2) with (zeta * zeta) by ring.
  assert (R3 : radius N (nu / (INR T * INR T)) <= 3 * l).
  { apply radius_text; [assumption|]. eapply Rle_trans; [|apply (log_product 1 N ltac:(lra) ltac:(lra))].
    right. f_equal. field. lra. }
  assert (R0 : 1 <= radius N (nu / (INR T * INR T))) by apply radius_above.
  assert (3 * l <= C) by (apply Rmult_le_compat_r; lra).
  assert (S0 : 0 <= size n U) by (apply sum_nonneg; intros; apply ind_bounds).
  apply Rmult_le_compat_r; [apply Rmult_le_pos; [apply Rle_0_sqr|apply sq_nonneg]|].
  apply Rmult_le_compat_r; [assumption|]. replace (C ^ 2) with (C * C) by ring. apply Rmult_le_compat; lra.
Qed.

Lemma radius_a : radius N (nu / 2 / (INR T * INR T)) <= 3 * l /\ radius N (nu / (INR T * INR T)) <= 3 * l.
Proof.
  pose proof parts as [A [N1 [[B1 BN] [D E]]]]. pose proof l_above as L. split; (apply radius_text; [assumption|]).
  - eapply Rle_trans; [|apply (log_product 2 N ltac:(lra) ltac:(lra))]. right. f_equal. field. lra.
  - eapply Rle_trans; [|apply (log_product 1 N ltac:(lra) ltac:(lra))]. right. f_equal. field. lra.
Qed.
Lemma radius_b m : 0 < m -> 1 <= m * 6 -> radius (INR (b * T)) (m * nu / INR T) <= 3 * l.
Proof.
  intros Hm Hm6. pose proof parts as [A [N1 [[B1 BN] [D E]]]]. pose proof l_above as L.
  apply radius_text; [assumption|].
  assert (M6 : 0 < / m <= 6).
  { split; [apply Rinv_0_lt_compat, Hm|]. apply Rmult_le_reg_l with m; [assumption|]. rewrite Rinv_r by lra.
    assumption. }
  eapply Rle_trans; [|apply (log_product (/ m) B M6 ltac:(lra))]. right. f_equal. rewrite mult_INR. field. lra.
Qed.

(* A window of at most (n/b) C_1 steps. *)
Lemma part_a_text l2 T1 t past : 0 <= l2 <= C * C -> 0 <= C -> INR T1 <= N / B * C ->
  INR T1 * l2 / N * (zeta * zeta) * window T1 t past <= C ^ 3 * (zeta * zeta) / B * window T1 t past.
Proof.
  intros Hl C0 H1. pose proof parts as [_ [N1 [[B1 BN] _]]].
  apply Rmult_le_compat_r; [apply window_nonneg|].
  replace (C ^ 3 * (zeta * zeta) / B) with (N / B * C * (C * C) / N * (zeta * zeta)) by (field; lra).
  apply Rmult_le_compat_r; [apply Rle_0_sqr|]. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|].
  pose proof (pos_INR T1). apply Rmult_le_compat; lra.
Qed.
(* Lemma 17 (lines 1165-1177). *)
Theorem lemma_17 T1 : 3 <= c -> INR T1 <= N / B * C ->
  with_probability (sledge_history n b T) (1 - nu) (fun past => forall t, (t <= T)%nat ->
    sq (over n (vsum t (fun s => if (t - T1 <=? s)%nat
      then vsum_in n (undrawn (S s) (at_time t past)) (change n grad (x s past) (x (S s) past)) else zero)))
    <= C ^ 3 * zeta ^ 2 / B
       * sum t (fun s => if (t - T1 <=? s)%nat then sq (sub (x (S s) past) (x s past)) else 0)).
Proof.
  intros Hc H1. pose proof parts as [A [N1 [[B1 BN] [D E]]]]. pose proof l_above as L.
  assert (Q : 3 * l <= C) by (apply Rmult_le_compat_r; lra).
  eapply with_probability_weaken; [apply Rle_refl| |apply (part_a_likely n b Hb Hbn grad zeta zeta0 het eta noise start
    nu T1 T HT Hnu)].
  intros past _ H t Ht. specialize (H t Ht). replace (zeta ^ 2) with (zeta * zeta) by ring.
  eapply Rle_trans; [exact H|].
  pose proof radius_a as [_ R3]. pose proof (radius_above N (nu / (INR T * INR T))) as R0.
  apply part_a_text; [|lra|assumption]. split; [apply Rle_0_sqr|]. apply Rmult_le_compat; lra.
Qed.

(* Lines 1271-1276, for each s < t. *)
Theorem step_bound s t : 7 <= c -> (s < t)%nat -> (t <= T)%nat ->
  let mean_size := Ex (sledge_history n b t) (fun p => size n (undrawn (S s) p)) in
  with_probability (sledge_history n b T) (1 - nu / (5 * INR T ^ 2)) (fun past =>
    sq (scale (mean_size / B) (vsum_in n (minibatch (S s) past) (change n grad (x s past) (x (S s) past))))
    <= C * mean_size ^ 2 * (zeta ^ 2 * sq (sub (x (S s) past) (x s past))) / B).
Proof.
  intros Hc Hs Ht M. pose proof parts as [A [N1 [[B1 BN] [D E]]]]. pose proof l_above as L.
  assert (TT : 1 <= INR T * INR T) by (replace 1 with (1 * 1) by ring; apply Rmult_le_compat; lra).
  set (delta := nu / (5 * INR T ^ 2)).
  assert (Hdel : 0 < delta < 1) by (apply share_of_nu; simpl pow; lra).
  set (r2 := radius B delta * radius B delta).
  set (far := fun (J : batch) (before : list batch) => exceeds (r2 * B * (zeta * zeta
    * (ahead n b grad eta noise start before * ahead n b grad eta noise start before)))
    (sq (vsum_in n J (changes n b grad eta noise start before)))).
  apply (unless _ (fun past => far (hd none (from_step (S s) (at_time (1 + s) past))) (at_time s past))).
  - apply (rare_later (uniform n b) s 1 T delta (fun later before => far (hd none later) before)); [lia|].
    intros before _. unfold probability. rewrite Ex_history_S, Ex_history_O. cbn [hd].
    set (z := zeta * ahead n b grad eta noise start before).
    assert (z0 : 0 <= z) by (apply Rmult_le_pos; [assumption|apply norm_nonneg]).
    apply (rare_of _ delta (fun I => norm (vsum_in n I (changes n b grad eta noise start before))
      <= radius B delta * (z * sqrt (spread n b)))).
    + apply noreplace_hoeffding; try assumption.
      * apply (changes_centred n b Hb Hbn).
      * intros i j Hi Hj. apply (changes_apart n b grad zeta het); assumption.
    + intros I PI H. unfold far, exceeds. destruct (Rlt_dec _ _) as [e|e]; [|reflexivity]. exfalso.
      revert e. apply Rle_not_lt. apply sq_le in H. eapply Rle_trans; [exact H|].
      pose proof (spread_bounds n b Hbn) as [s0 s1]. pose proof (sqrt_sqrt _ s0) as ss.
      replace (radius B delta * (z * sqrt (spread n b)) * (radius B delta * (z * sqrt (spread n b))))
        with (r2 * (sqrt (spread n b) * sqrt (spread n b)) * (z * z)) by (unfold r2; ring).
      rewrite ss. replace (zeta * zeta * _) with (z * z) by (unfold z; ring).
      apply Rmult_le_compat_r; [apply Rle_0_sqr|]. apply Rmult_le_compat_l; [apply Rle_0_sqr|assumption].
  - intros past Pp e. pose proof (history_length _ _ _ Pp) as Len. unfold far in e. apply exceeds_false in e.
    replace (hd none (from_step (S s) (at_time (1 + s) past))) with (minibatch (S s) past) in e.
    2:{ unfold minibatch. destruct (at_time_step s past ltac:(lia)) as [J Ej]. change (1 + s)%nat with (S s).
        pose proof (at_time_length (S s) past ltac:(lia)) as Lj. unfold from_step. rewrite Lj.
        replace (S (S s) - S s)%nat with 1%nat by lia. rewrite Ej. reflexivity. }
    assert (e2 : sq (vsum_in n (minibatch (S s) past) (change_of s past)) <= r2 * B * (zeta * zeta * moved_sq s past)).
    { rewrite changed_is, step_square_is by lia. exact e. }
    clear e. rewrite sq_scale. fold (change_of s past). fold (moved_sq s past).
    assert (R7 : r2 <= C).
    { apply Rle_trans with (7 * l); [|apply Rmult_le_compat_r; lra]. apply radius_square_text; [assumption|].
      eapply Rle_trans; [|apply (log_product 5 B ltac:(lra) ltac:(lra))]. right. f_equal. unfold delta. field. lra. }
    pose proof (sq_nonneg (sub (x (S s) past) (x s past))) as m0. fold (moved_sq s past) in m0.
    assert (zz : 0 <= zeta * zeta * moved_sq s past) by (apply Rmult_le_pos; [apply Rle_0_sqr|assumption]).
    assert (MB : 0 <= M / B * (M / B)) by apply Rle_0_sqr.
    eapply Rle_trans; [apply Rmult_le_compat_l; [exact MB|exact e2]|].
    replace (C * M ^ 2 * (zeta ^ 2 * moved_sq s past) / B)
      with (M / B * (M / B) * (C * B * (zeta * zeta * moved_sq s past))) by (field; lra).
    apply Rmult_le_compat_l; [assumption|]. apply Rmult_le_compat_r; [assumption|]. apply Rmult_le_compat_r; lra.
Qed.

(* Lines 1276-1287. *)
Theorem weighted_sum T1 : 3 <= c -> (1 <= T1)%nat ->
  let mean_size s t := Ex (sledge_history n b t) (fun p => size n (undrawn (S s) p)) in
  with_probability (sledge_history n b T) (1 - 2 * nu / 5) (fun past => forall t, (t <= T)%nat ->
    sq (over n (vsum t (fun s => if (t - T1 <=? s)%nat
      then scale (mean_size s t / B) (vsum_in n (minibatch (S s) past) (change n grad (x s past) (x (S s) past)))
      else zero)))
    <= C ^ 2 * zeta ^ 2 / B
       * sum t (fun s => if (t - T1 <=? s)%nat then sq (sub (x (S s) past) (x s past)) else 0)).
Proof.
  intros Hc HT1 mean_size. pose proof parts as [A [N1 [[B1 BN] [D E]]]]. pose proof l_above as L.
  assert (Q : 3 * l <= C) by (apply Rmult_le_compat_r; lra).
  assert (Hdel : 0 < 2 / 5 * nu / INR T < 1).
  { split; [apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra]|].
    apply Rmult_lt_reg_r with (INR T); [lra|]. replace (2 / 5 * nu / INR T * INR T) with (2 / 5 * nu) by (field; lra).
      lra. }
  pose proof (BN_1 n b Hb Hbn) as [p0 p1].
  assert (q0 : 0 <= q) by lra.
  pose proof (union_bound_many (sledge_history n b T) T (2 / 5 * nu / INR T) _ (fun from _ =>
    discounted_likely n b Hb Hbn (fun past i => scale q (changes n b grad eta noise start past i))
      (fun past => q * (zeta * ahead n b grad eta noise start past)) q from
      ltac:(intro; apply Rmult_le_pos; [assumption|apply Rmult_le_pos; [assumption|apply norm_nonneg]])
      ltac:(intro past; transitivity (scale q (vsum n (changes n b grad eta noise start past)));
            [vector_eq w; rewrite !ip_vsum, <- sum_mul; apply sum_ext; intros; products; reflexivity
            |rewrite (changes_centred n b Hb Hbn); vector_eq w; ring])
      ltac:(intros past i j Hi Hj; replace (sub _ _) with (scale q (sub (changes n b grad eta noise start past i)
              (changes n b grad eta noise start past j))) by (vector_eq w; ring);
            rewrite norm_scale, Rabs_right by lra; apply Rmult_le_compat_l; [assumption|];
            apply (changes_apart n b grad zeta het); assumption)
      T (2 / 5 * nu / INR T) HT Hdel)) as Many.
  replace (INR T * (2 / 5 * nu / INR T)) with (2 * nu / 5) in Many by (field; lra).
  eapply with_probability_weaken; [apply Rle_refl| |exact Many].
  intros past Pp H t Ht. pose proof (history_length _ _ _ Pp) as Len.
  change (sq (part_b_mean n b grad eta noise start T1 t past) <= C ^ 2 * zeta ^ 2 / B * window T1 t past).
  rewrite (part_b_mean_is n b Hb Hbn grad eta noise start) by lia.
  destruct (Nat.eq_dec t 0) as [Z|Z].
  { subst t.
    destruct (at_time 0 past) eqn:e; [|apply (f_equal (@length batch)) in e; rewrite at_time_length in e by lia;
      discriminate].
    cbn [discounted_sum sum]. rewrite sq_zero. lra. }
  specialize (H (t - T1)%nat ltac:(lia) t Ht). eapply Rle_trans; [exact H|].
  pose proof (radius_b (2 / 5) ltac:(lra) ltac:(lra)) as R3.
  pose proof (radius_above (INR (b * T)) (2 / 5 * nu / INR T)) as R0.
  pose proof (weighted_radius_bound n b Hb Hbn grad zeta eta noise start (t - T1) (at_time t past)) as W.
  rewrite (at_time_length t past) in W by lia.
  pose proof (squares_nonneg n b grad eta noise start (t - (t - T1)) (at_time t past)) as S0.
  pose proof (squares_monotone n b grad eta noise start (t - (t - T1)) T1 (at_time t past) ltac:(lia)) as S1.
  rewrite (moves_are n b grad eta noise start T1) in S1 by lia.
  set (r := radius (INR (b * T)) (2 / 5 * nu / INR T)) in *.
  assert (r2 : 0 <= r * r) by apply Rle_0_sqr.
  assert (zB : 0 <= zeta * zeta / B) by (apply Rmult_le_pos; [apply Rle_0_sqr|left; apply Rinv_0_lt_compat; lra]).
  assert (X : zeta * zeta / B * squares n b grad eta noise start (t - (t - T1)) (at_time t past)
    <= zeta * zeta / B * window T1 t past) by (apply Rmult_le_compat_l; assumption).
  assert (WN : 0 <= zeta * zeta / B * window T1 t past) by (apply Rmult_le_pos; [assumption|apply window_nonneg]).
  apply Rle_trans with (r * r * (zeta * zeta / B * window T1 t past)).
  - apply Rmult_le_compat_l; [assumption|]. lra.
  - replace (C ^ 2 * zeta ^ 2 / B * window T1 t past) with (C * C * (zeta * zeta / B * window T1 t past)) by (field;
    lra).
    apply Rmult_le_compat_r; [assumption|]. apply Rmult_le_compat; lra.
Qed.

(* Lemma 18 (lines 1178-1188). *)
Theorem lemma_18 T1 : 3 <= c -> (1 <= T1)%nat -> INR T1 <= N / B * C ->
  with_probability (sledge_history n b T) (1 - nu) (fun past => forall t, (t <= T)%nat ->
    sq (over n (vsum t (fun s => if (t - T1 <=? s)%nat
      then scale (size n (undrawn (S s) (at_time t past)) / B)
        (vsum_in n (minibatch (S s) past) (change n grad (x s past) (x (S s) past))) else zero)))
    <= 4 * C ^ 8 * zeta ^ 2 / B
       * sum t (fun s => if (t - T1 <=? s)%nat then sq (sub (x (S s) past) (x s past)) else 0)).
Proof.
  intros Hc HT1 H1. pose proof parts as [A [N1 [[B1 BN] [D E]]]]. pose proof l_above as L.
  assert (Q : 3 * l <= C) by (apply Rmult_le_compat_r; lra).
  assert (Hnu2 : 0 < nu / 2 < 1) by lra.
  assert (HC : B / N * INR (T1 - 1) <= C).
  { apply Rle_trans with (B / N * (N / B * C)); [|right; field; lra].
    apply Rmult_le_compat_l; [left; apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra]|].
    apply Rle_trans with (INR T1); [apply le_INR; lia|assumption]. }
  pose proof (part_a_likely n b Hb Hbn grad zeta zeta0 het eta noise start (nu / 2) T1 T HT Hnu2) as LA.
  pose proof (windows_likely n b Hb Hbn grad zeta zeta0 het eta noise start (nu / 2) T1 T C HT HT1 Hnu2 HC ltac:(lra))
    as LB.
  assert (Hw : 1 - nu <= 1 - (nu / 2 + nu / 2)) by lra.
  eapply (with_probability_weaken _ _ _ _ _ Hw); [|apply (union_bound _ _ _ _ _ LA LB)].
  intros past Pp [HA HB] t Ht. pose proof (history_length _ _ _ Pp) as Len. specialize (HA t Ht). specialize (HB t Ht).
  change (sq (part_b n b grad eta noise start T1 t past) <= 4 * C ^ 8 * zeta ^ 2 / B * window T1 t past).
  rewrite (rows_error_parts n b Hb Hbn grad eta noise start) in HB by lia.
  set (pa := part_a n b grad eta noise start T1 t past) in *. set (pb := part_b n b grad eta noise start T1 t past) in
    *.
  pose proof (sq_add_le (sub pb pa) pa) as S. replace (add (sub pb pa) pa) with pb in S by (vector_eq w; ring).
  pose proof radius_a as [R3 _]. pose proof (radius_above N (nu / 2 / (INR T * INR T))) as R0.
  pose proof (radius_b (/ 2) ltac:(lra) ltac:(lra)) as R3'. replace (/ 2 * nu / INR T)
    with (nu / 2 / INR T) in R3' by (field; lra).
  pose proof (radius_above (INR (b * T)) (nu / 2 / INR T)) as R0'.
  set (W := window T1 t past) in *. assert (W0 : 0 <= W) by apply window_nonneg.
  assert (XA : sq pa <= C ^ 3 * (zeta * zeta) / B * W).
  { eapply Rle_trans; [exact HA|]. apply part_a_text; [|lra|assumption].
    split; [apply Rle_0_sqr|]. apply Rmult_le_compat; lra. }
  assert (k0 : 0 <= zeta * zeta / B * W).
  { apply Rmult_le_pos; [|assumption]. apply Rmult_le_pos; [apply Rle_0_sqr|left; apply Rinv_0_lt_compat; lra]. }
  set (r := radius (INR (b * T)) (nu / 2 / INR T)) in *.
  assert (XB : sq (sub pb pa) <= 2 * C ^ 3 * (zeta * zeta / B * W)).
  { eapply Rle_trans; [exact HB|].
    replace (r * r * (1 + C) * (zeta * zeta) / B * W) with (r * r * (1 + C) * (zeta * zeta / B * W)) by (field; lra).
    apply Rmult_le_compat_r; [assumption|]. replace (2 * C ^ 3) with (C * C * (2 * C)) by ring.
    apply Rmult_le_compat; [apply Rle_0_sqr|lra| |lra]. apply Rmult_le_compat; lra. }
  replace (C ^ 3 * (zeta * zeta) / B * W) with (C ^ 3 * (zeta * zeta / B * W)) in XA by (field; lra).
  replace (4 * C ^ 8 * zeta ^ 2 / B * W) with (4 * C ^ 8 * (zeta * zeta / B * W)) by (field; lra).
  assert (C8 : 6 * C ^ 3 <= 4 * C ^ 8).
  { replace (C ^ 8) with (C ^ 3 * C ^ 5) by ring. assert (1 <= C ^ 3) by (apply pow_R1_Rle; lra).
    assert (3 ^ 5 <= C ^ 5) by (apply pow_incr; lra). replace (3 ^ 5) with 243 in * by ring.
    assert (C ^ 3 * 243 <= C ^ 3 * C ^ 5) by (apply Rmult_le_compat_l; lra). lra. }
  assert (6 * C ^ 3 * (zeta * zeta / B * W) <= 4 * C ^ 8 * (zeta * zeta / B * W)) by (apply Rmult_le_compat_r;
    assumption).
  lra.
Qed.
End Any_start.

(* ---- Option I ---- *)

Section Option_I.
Variables (x0 : V) (sigma_c G_c : R).
(* Assumption 3 (i) of the appendix (lines 888-892), at x^0 *)
Hypothesis mean_square : deviation n grad x0 <= sigma_c ^ 2.
Hypothesis largest : forall i, (i < n)%nat -> norm (sub (grad i x0) (gradient n grad x0)) <= G_c.
Notation dev i := (sub (grad i x0) (gradient n grad x0)).
Notation start I0 := (sledge_start_I n b grad x0 I0).

Lemma dev_centred : vsum n (fun i => dev i) = zero.
Proof.
  pose proof parts as [_ [N1 _]]. vector_eq w. rewrite ip_vsum.
  rewrite (sum_ext n _ (fun i => ip (grad i x0) w - ip (gradient n grad x0) w)) by (intros; products; reflexivity).
  rewrite sum_sub, sum_const, ip_gradient. field. lra.
Qed.
Lemma dev_square : sum n (fun i => sq (dev i)) <= N * sigma_c ^ 2.
Proof.
  pose proof parts as [_ [N1 _]]. unfold deviation in mean_square.
  apply Rmult_le_reg_l with (/ N); [apply Rinv_0_lt_compat; lra|]. rewrite <- (Rmult_assoc (/ N) N), Rinv_l by lra. lra.
Qed.
Notation delta := (nu / (2 * INR (S T))).
Notation kappa := (3 / 2 + 2 * ln (2 / delta)).
Lemma delta_kappa : 0 < delta < 1 /\ 0 <= kappa /\ (10 <= c -> kappa <= C).
Proof.
  pose proof parts as [A [N1 [[B1 BN] [D E]]]]. pose proof l_above as L.
  assert (ST : 2 <= INR (S T) <= 2 * INR T) by (rewrite S_INR; lra).
  assert (Hdel : 0 < delta < 1) by (apply share_of_nu; lra).
  assert (D2 : 1 < 2 / delta).
  { apply Rmult_lt_reg_r with delta; [lra|]. replace (2 / delta * delta) with 2 by (field; lra). lra. }
  assert (Ln : 0 < ln (2 / delta)) by (rewrite <- ln_1; apply ln_increasing; lra).
  split; [exact Hdel|]. split; [lra|]. intro Hc.
  assert (Q : 3 / 2 + 2 * ln (2 / delta) <= 10 * l).
  { cut (ln (2 / delta) <= 4 * l); [lra|].
    apply Rle_trans with (ln (4 * 2 * INR T * / nu)).
    - apply ln_grows; [lra|]. replace (2 / delta) with (4 * INR (S T) * / nu) by (field; lra).
      apply Rmult_le_compat_r; lra.
    - rewrite !ln_mult by (repeat apply Rmult_lt_0_compat; lra).
      pose proof (log_small 4 ltac:(lra)). pose proof (log_small 2 ltac:(lra)).
      pose proof (pos_INR P). pose proof (pos_INR d). pose proof (pos_INR K).
      assert (ln (INR T) <= l) by (apply ln_grows; lra). assert (ln (/ nu) <= l) by (apply ln_grows; lra). lra. }
  assert (10 * l <= C) by (apply Rmult_le_compat_r; lra). lra.
Qed.
Lemma s_nonneg : 0 <= sigma_c ^ 2. Proof. replace (sigma_c ^ 2) with (sigma_c * sigma_c) by ring. apply Rle_0_sqr. Qed.
Lemma sample_square m : (m <= n)%nat -> with_probability (uniform n m) (1 - delta) (fun I =>
  sq (vsum_in n I (fun i => dev i)) <= kappa * kappa * (INR m * sigma_c ^ 2 + G_c * G_c)).
Proof.
  intro Hm. destruct delta_kappa as [Hdel [K0 _]]. pose proof s_nonneg as s0. pose proof (Rle_0_sqr G_c) as g0. unfold
    Rsqr in g0.
  destruct m as [|m].
  - apply (with_probability_weaken _ 1 _ (fun _ => True)); [lra| |apply surely; auto]. intros I PI _.
    pose proof (uniform_size n 0 I (Nat.le_0_l n) PI) as Sz.
    replace (vsum_in n I (fun i => dev i)) with (zero : V).
    + rewrite sq_zero. apply Rmult_le_pos; [apply Rle_0_sqr|]. simpl (INR 0). lra.
    + symmetry. transitivity (vsum n (fun _ => zero : V)).
      * apply vsum_ext. intros i Hi. destruct (I i) eqn:e; [|reflexivity]. exfalso.
        assert (ind I i <= 0).
        { apply Rle_trans with (sum n (ind I)); [|rewrite Sz; simpl; lra].
          rewrite <- (sum_one n i (ind I i) Hi) at 1. apply sum_le. intros j Hj.
          pose proof (ind_bounds I j). destruct (Nat.eq_dec i j); [subst; lra|lra]. }
        unfold ind in H. rewrite e in H. lra.
      * vector_eq w. rewrite ip_vsum. apply sum_zero. intros. apply ip_zero.
  - eapply with_probability_weaken; [apply Rle_refl| |
      apply (noreplace_bernstein n (S m) ltac:(lia) Hm (fun i => dev i) G_c (sigma_c ^ 2) dev_centred largest dev_square
        delta Hdel)].
    intros I _ H. apply sq_le in H. eapply Rle_trans; [exact H|].
    set (w := INR (S m) * sigma_c ^ 2 + G_c * G_c). assert (w0 : 0 <= w).
    { unfold w. pose proof (pos_INR (S m)). assert (0 <= INR (S m) * sigma_c ^ 2) by (apply Rmult_le_pos; assumption).
      lra. }
    right. replace (kappa * sqrt w * (kappa * sqrt w)) with (kappa * kappa * (sqrt w * sqrt w)) by ring.
    rewrite sqrt_sqrt by assumption. reflexivity.
Qed.
Lemma missed_square t : (t <= T)%nat -> with_probability (sledge_history n b T) (1 - delta) (fun past =>
  let U := left_out (at_time t past) in
  sq (vsum_in n U (fun i => dev i)) <= kappa * kappa * (size n U * sigma_c ^ 2 + G_c * G_c)).
Proof.
  intro Ht. set (bad := fun U : batch => exceeds (kappa * kappa * (size n U * sigma_c ^ 2 + G_c * G_c))
    (sq (vsum_in n U (fun i => dev i)))).
  apply (unless _ (fun past => bad (left_out (at_time t past)))).
  - unfold probability.
    eapply Rle_trans; [right; apply (Ex_history_at (fun _ => uniform n b) t T
      (fun p => if bad (left_out p) then 1 else 0) Ht)|].
    apply (left_out_rare n b Hbn t bad delta).
    + intros I J E. unfold bad. replace (size n J) with (size n I).
      * replace (vsum_in n J (fun i => dev i)) with (vsum_in n I (fun i => dev i)); [reflexivity|].
        apply vsum_ext. intros i Hi. rewrite (E i Hi). reflexivity.
      * apply sum_ext. intros i Hi. unfold ind. rewrite (E i Hi). reflexivity.
    + intros m Hm. apply (rare_of _ delta _ bad (sample_square m Hm)). intros I PI H. unfold bad, exceeds.
      destruct (Rlt_dec _ _) as [e|e]; [|reflexivity]. exfalso. revert e. apply Rle_not_lt.
      unfold size. rewrite (uniform_size n m I Hm PI). exact H.
  - intros past _ e. apply exceeds_false, e.
Qed.
Lemma undrawn_all p : undrawn 1 p = left_out p.
Proof. unfold undrawn, from_step. rewrite Nat.sub_succ, Nat.sub_0_r, firstn_all. reflexivity. Qed.
(* The first rows, where nothing has been drawn yet: by the two samples. *)
Lemma first_rows I0 U : possible (uniform n b) I0 ->
  over n (vsum_in n U (fun i => sub (table (start I0) i) (grad i x0)))
  = over n (sub (scale (size n U / B) (vsum_in n I0 (fun i => dev i))) (vsum_in n U (fun i => dev i))).
Proof.
  intro PI. pose proof parts as [_ [N1 [[B1 BN] _]]]. pose proof (uniform_size n b I0 Hbn PI) as Sz.
  f_equal. vector_eq w. rewrite !ip_vsum_in. cbn [sledge_start_I table snd].
  rewrite (sum_ext n _ (fun i => / B * ip (vsum_in n I0 (fun j => grad j x0)) w * ind U i - ind U i * ip (grad i x0) w))
    by (intros; products; ring).
  rewrite (sum_ext n (fun i => ind I0 i * ip (dev i) w)
    (fun i => ind I0 i * ip (grad i x0) w - ip (gradient n grad x0) w * ind I0 i)) by (intros; products; ring).
  rewrite (sum_ext n (fun i => ind U i * ip (dev i) w)
    (fun i => ind U i * ip (grad i x0) w - ip (gradient n grad x0) w * ind U i)) by (intros; products; ring).
  rewrite !sum_sub, !sum_mul, Sz, ip_vsum_in. unfold size. field. lra.
Qed.
(* Lemma 19 (lines 1189-1204), for Option I and for Option II. *)
Theorem lemma_19 : 10 <= c ->
  with_probability (sledge_history_I n b T) (1 - nu) (fun o => let I0 := fst o in let past := snd o in
    forall t, (t <= T)%nat ->
    sq (over n (vsum_in n (undrawn 1 (at_time t past))
      (fun i => sub (table (sledge_start_I n b grad x0 I0) i) (grad i x0))))
    <= 4 * C ^ 2 / B * (sigma_c ^ 2 + G_c ^ 2 / B))
  /\ forall past, over n (vsum_in n (undrawn 1 past)
      (fun i => sub (table (sledge_start_II grad x0) i) (grad i x0))) = zero.
Proof.
  intro Hc. split.
  2:{ intro past. vector_eq w. rewrite ip_vsum_in, sum_zero; [ring|]. intros i _. cbn [sledge_start_II table snd].
      rewrite sub_self, ip_zero. ring. }
  pose proof parts as [A [N1 [[B1 BN] [D E]]]]. destruct delta_kappa as [Hdel [K0 KC]]. specialize (KC Hc).
  pose proof (first_of (uniform n b) (sledge_history n b T) _ _ (sample_square b Hbn)) as L1.
  pose proof (second_of (uniform n b) (sledge_history n b T) _ _
    (union_bound_many (sledge_history n b T) (S T) delta _ (fun t Ht => missed_square t ltac:(lia)))) as L2.
  assert (ST : 2 <= INR (S T)) by (rewrite S_INR; lra).
  assert (Hw : 1 - nu <= 1 - (delta + INR (S T) * delta)).
  { replace (INR (S T) * delta) with (nu / 2) by (field; lra).
    assert (delta <= nu / 2); [|lra]. apply Rmult_le_reg_r with (2 * INR (S T)); [lra|].
    replace (delta * (2 * INR (S T))) with nu by (field; lra).
    replace (nu / 2 * (2 * INR (S T))) with (nu * INR (S T)) by field.
    rewrite <- (Rmult_1_r nu) at 1. apply Rmult_le_compat_l; lra. }
  eapply (with_probability_weaken _ _ _ _ _ Hw); [|apply (union_bound _ _ _ _ _ L1 L2)].
  intros o [I0 [PI [past [Pp e]]]] [H1 H2] i0 past' t Ht. simpl in e. subst o. unfold i0, past' in *. cbn [fst snd] in
    *.
  rewrite undrawn_all. set (U := left_out (at_time t past)).
  specialize (H2 t ltac:(lia)). cbv zeta in H2. fold U in H2.
  rewrite (first_rows I0 U PI). set (s1 := vsum_in n I0 (fun i => dev i)) in *.
  set (s2 := vsum_in n U (fun i => dev i)) in *.
  assert (SU : 0 <= size n U <= N).
  { split; [apply sum_nonneg; intros; apply ind_bounds|]. unfold size. rewrite <- (Rmult_1_r N), <- sum_const.
    apply sum_le. intros. apply ind_bounds. }
  rewrite sq_over. pose proof (sq_add_le (scale (size n U / B) s1) (scale (-1) s2)) as Sp.
  replace (add (scale (size n U / B) s1) (scale (-1) s2)) with (sub (scale (size n U / B) s1) s2) in Sp by (vector_eq
    w; ring).
  rewrite !sq_scale in Sp.
  pose proof s_nonneg as sg. pose proof (Rle_0_sqr G_c) as gg. unfold Rsqr in gg.
  assert (KK : kappa * kappa <= C * C) by (apply Rmult_le_compat; lra).
  set (w1 := B * sigma_c ^ 2 + G_c * G_c) in *.
  assert (B1' : B * sigma_c ^ 2 >= 0) by (apply Rle_ge, Rmult_le_pos; lra).
  assert (Q1 : sq s1 <= C * C * w1).
  { eapply Rle_trans; [exact H1|]. apply Rmult_le_compat_r; [unfold w1; lra|exact KK]. }
  assert (Q2 : sq s2 <= C * C * (N * sigma_c ^ 2 + G_c * G_c)).
  { eapply Rle_trans; [exact H2|]. assert (0 <= size n U * sigma_c ^ 2) by (apply Rmult_le_pos; lra).
    assert (size n U * sigma_c ^ 2 <= N * sigma_c ^ 2) by (apply Rmult_le_compat_r; lra).
    apply Rmult_le_compat; [apply Rle_0_sqr|lra|exact KK|lra]. }
  assert (Fr : 0 <= size n U / B * (size n U / B) <= N / B * (N / B)).
  { assert (0 <= size n U / B <= N / B).
    { unfold Rdiv. assert (0 < / B) by (apply Rinv_0_lt_compat; lra). split; [apply Rmult_le_pos; lra|].
      apply Rmult_le_compat_r; lra. }
    split; [apply Rle_0_sqr|]. apply Rmult_le_compat; lra. }
  assert (Q3 : size n U / B * (size n U / B) * sq s1 <= N / B * (N / B) * (C * C * w1)).
  { apply Rmult_le_compat; [lra|apply sq_nonneg|lra|exact Q1]. }
  assert (I2 : 0 < / N * / N) by (apply Rmult_lt_0_compat; apply Rinv_0_lt_compat; lra).
  apply Rle_trans with (/ N * / N * (2 * (N / B * (N / B) * (C * C * w1)) + 2 * (C * C * (N * sigma_c ^ 2 + G_c *
    G_c)))).
  - apply Rmult_le_compat_l; [lra|]. lra.
  - replace (/ N * / N * (2 * (N / B * (N / B) * (C * C * w1)) + 2 * (C * C * (N * sigma_c ^ 2 + G_c * G_c))))
      with (C * C * (2 * (/ B * sigma_c ^ 2 + / B * / B * (G_c * G_c)) + 2 * (/ N * sigma_c ^ 2 + / N * / N * (G_c *
        G_c))))
      by (unfold w1; field; lra).
    replace (4 * C ^ 2 / B * (sigma_c ^ 2 + G_c ^ 2 / B))
      with (C * C * (2 * (/ B * sigma_c ^ 2 + / B * / B * (G_c * G_c)) + 2 * (/ B * sigma_c ^ 2 + / B * / B * (G_c *
        G_c))))
      by (field; lra).
    assert (NB : 0 < / N <= / B) by (split; [apply Rinv_0_lt_compat; lra|apply Rinv_le_contravar; lra]).
    assert (/ N * / N <= / B * / B) by (apply Rmult_le_compat; lra).
    assert (/ N * sigma_c ^ 2 <= / B * sigma_c ^ 2) by (apply Rmult_le_compat_r; lra).
    assert (/ N * / N * (G_c * G_c) <= / B * / B * (G_c * G_c)) by (apply Rmult_le_compat_r; lra).
    apply Rmult_le_compat_l; [apply Rle_0_sqr|]. lra.
Qed.

(* The error: of rows that were exact at the start, and of the first rows that are left. *)
Variable noise1 : batch -> list batch -> V.
Notation run I0 := (sledge n b eta (noise1 I0) grad (start I0)).
Lemma error_parts I0 t past : possible (sledge_history n b t) past ->
  error n grad (run I0 past) = add (rows_error n b grad eta (noise1 I0) (start I0) 0 (fun _ => zero) past)
    (over n (vsum_in n (left_out past) (fun i => sub (table (start I0) i) (grad i x0)))).
Proof.
  intro Pt. assert (R : forall i, row_error grad (run I0 past) i
    = add (rows n b grad eta (noise1 I0) (start I0) 0 (fun _ => zero) past i)
        (if left_out past i then row_error grad (start I0) i else zero)).
  { revert past Pt. induction t as [|t IH]; intros past Pt i.
    - simpl in Pt. subst past. cbn [sledge rows left_out drawn existsb negb]. vector_eq w. ring.
    - pose proof (history_length _ _ _ Pt) as Len. destruct past as [|J before]; [discriminate|].
      apply history_possible in Pt. destruct Pt as [Pt PJ].
      rewrite (row_error_run n b Hb Hbn grad eta (noise1 I0) (start I0) J before i PJ). cbn [rows Nat.leb].
      unfold new_row, left_out. cbn [drawn existsb]. fold (drawn before i).
      destruct (J i); cbn [orb negb]; [vector_eq w; ring|]. rewrite (IH before Pt i). unfold left_out.
      vector_eq w. ring. }
  rewrite error_is_mean. unfold sledge_tails.rows_error, mean_of, vsum_in. vector_eq w. rewrite !ip_vsum, <-
    Rmult_plus_distr_l.
  f_equal. rewrite <- sum_add. apply sum_ext. intros i _. rewrite R. products. reflexivity.
Qed.
Notation x I0 t past := (x_at n b grad eta (noise1 I0) (start I0) t past).

(* Lemma 1, Option I (lines 1147-1160). *)
Theorem lemma_1_option_I T1 : 10 <= c -> N / B * C <= INR T1 -> INR T1 <= N / B * C + 1 ->
  with_probability (sledge_history_I n b T) (1 - 3 * nu) (fun o => let I0 := fst o in let past := snd o in
    let x t := point (run I0 (at_time t past)) in
    forall t, (t <= T)%nat ->
    sq (error n grad (run I0 (at_time t past)))
    <= 15 * C ^ 8 * (zeta * zeta) / B
         * sum t (fun s => if (t - T1 <=? s)%nat then sq (sub (x (S s)) (x s)) else 0)
       + if (t <? T1)%nat then 12 * C ^ 2 / B * (sigma_c ^ 2 + G_c ^ 2 / B) else 0).
Proof.
  intros Hc H1 H2. pose proof parts as [A [N1 [[B1 BN] [D E]]]]. pose proof l_above as L.
  assert (Q : 10 * l <= C) by (apply Rmult_le_compat_r; lra).
  assert (HT1 : (1 <= T1)%nat).
  { apply INR_le. simpl (INR 1). apply Rle_trans with (N / B * C); [|assumption].
    replace 1 with (1 * 1) by ring. apply Rmult_le_compat; try lra.
    apply Rmult_le_reg_r with B; [lra|]. replace (N / B * B) with N by (field; lra). lra. }
  assert (HC : B / N * INR (T1 - 1) <= C).
  { rewrite minus_INR by assumption. simpl (INR 1). apply Rle_trans with (B / N * (N / B * C)); [|right; field; lra].
    apply Rmult_le_compat_l; [left; apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra]|lra]. }
  pose proof (log_printed nu n P d T K ltac:(lra) Hn HP Hd HT HK) as LP.
  pose proof (second_of (uniform n b) (sledge_history n b T) _ _
    (coverage_printed n b T T1 Hb Hbn C nu HT1 HT ltac:(lra) ltac:(lra) H1)) as Cov.
  pose proof (given_first (uniform n b) (sledge_history n b T) T nu _ _ (fun I0 _ =>
    windows_likely n b Hb Hbn grad zeta zeta0 het eta (noise1 I0) (start I0) nu T1 T C HT HT1 Hnu HC ltac:(lra))) as
      Win.
  pose proof (proj1 (lemma_19 Hc)) as L19.
  assert (Hw : 1 - 3 * nu <= 1 - (nu + nu + nu)) by lra.
  eapply (with_probability_weaken _ _ _ _ _ Hw);
    [|apply (union_bound _ _ _ _ _ (union_bound _ _ _ _ _ Cov Win) L19)].
  intros o Po [[HF HW] HL] I0 past x' t Ht. destruct Po as [I1 [PI [past1 [Pp e]]]]. simpl in e. subst o.
  unfold I0, past in *. cbn [fst snd] in *. clear I0 past. rename I1 into I0, past1 into past.
  pose proof (history_length _ _ _ Pp) as Len. pose proof (possible_at_time _ t T past Pp Ht) as Pt.
  specialize (HW t Ht). specialize (HL t Ht). rewrite undrawn_all in HL.
  set (W := sum t (fun s => if (t - T1 <=? s)%nat then sq (sub (x' (S s)) (x' s)) else 0)).
  change (sum t _) with W in HW.
  assert (W0 : 0 <= W) by (apply sum_nonneg; intros s _; destruct (Nat.leb _ _); [apply sq_nonneg|lra]).
  pose proof (radius_b 1 ltac:(lra) ltac:(lra)) as R3. rewrite Rmult_1_l in R3.
  pose proof (radius_above (INR (b * T)) (nu / INR T)) as R0.
  set (r := radius (INR (b * T)) (nu / INR T)) in *.
  assert (k0 : 0 <= zeta * zeta / B * W).
  { apply Rmult_le_pos; [|assumption]. apply Rmult_le_pos; [apply Rle_0_sqr|left; apply Rinv_0_lt_compat; lra]. }
  set (re := sledge_tails.rows_error n b grad eta (noise1 I0) (start I0) (t - T1) (fun _ => zero) (at_time t past)) in
    *.
  assert (XB : sq re <= 2 * C ^ 3 * (zeta * zeta / B * W)).
  { eapply Rle_trans; [exact HW|].
    replace (r * r * (1 + C) * (zeta * zeta) / B * W) with (r * r * (1 + C) * (zeta * zeta / B * W)) by (field; lra).
    apply Rmult_le_compat_r; [assumption|]. replace (2 * C ^ 3) with (C * C * (2 * C)) by ring.
    apply Rmult_le_compat; [apply Rle_0_sqr|lra| |lra]. apply Rmult_le_compat; lra. }
  replace (15 * C ^ 8 * (zeta * zeta) / B * W) with (15 * C ^ 8 * (zeta * zeta / B * W)) by (field; lra).
  assert (C8 : 4 * C ^ 3 <= 15 * C ^ 8).
  { replace (C ^ 8) with (C ^ 3 * C ^ 5) by ring. assert (1 <= C ^ 3) by (apply pow_R1_Rle; lra).
    assert (1 <= C ^ 5) by (apply pow_R1_Rle; lra).
    assert (C ^ 3 * 1 <= C ^ 3 * C ^ 5) by (apply Rmult_le_compat_l; lra). lra. }
  assert (Y : 4 * C ^ 3 * (zeta * zeta / B * W) <= 15 * C ^ 8 * (zeta * zeta / B * W)) by (apply Rmult_le_compat_r;
    assumption).
  assert (C3 : 0 <= C ^ 3) by (apply pow_le; lra).
  assert (Z3 : 0 <= C ^ 3 * (zeta * zeta / B * W)) by (apply Rmult_le_pos; assumption).
  destruct (Nat.ltb_spec t T1) as [g|g].
  - rewrite (error_parts I0 t (at_time t past) Pt).
    replace (sledge_tails.rows_error n b grad eta (noise1 I0) (start I0) 0 (fun _ => zero) (at_time t past)) with re
      by (unfold re; replace (t - T1)%nat with 0%nat by lia; reflexivity).
    eapply Rle_trans; [apply sq_add_le|].
    pose proof s_nonneg as sg. assert (g2 : 0 <= G_c ^ 2 / B).
    { apply Rmult_le_pos; [replace (G_c ^ 2) with (G_c * G_c) by ring; apply Rle_0_sqr|left; apply Rinv_0_lt_compat;
      lra]. }
    assert (0 <= C ^ 2 / B * (sigma_c ^ 2 + G_c ^ 2 / B)).
    { apply Rmult_le_pos; [|lra]. apply Rmult_le_pos; [apply pow_le; lra|left; apply Rinv_0_lt_compat; lra]. }
    replace (4 * C ^ 2 / B * (sigma_c ^ 2 + G_c ^ 2 / B)) with (4 * (C ^ 2 / B * (sigma_c ^ 2 + G_c ^ 2 / B))) in HL by
      (field; lra).
    replace (12 * C ^ 2 / B * (sigma_c ^ 2 + G_c ^ 2 / B)) with (12 * (C ^ 2 / B * (sigma_c ^ 2 + G_c ^ 2 / B))) by
      (field; lra).
    lra.
  - rewrite <- (rows_error_refreshed n b Hb Hbn grad eta (noise1 I0) (start I0) t (t - T1) (at_time t past) Pt).
    + fold re. lra.
    + right. intros i Hi. rewrite (at_time_length t past) by lia. specialize (HF t i Ht Hi). lia.
Qed.
End Option_I.
End Printed.
