(* Coverage: every component is drawn again and again (proof of Lemma 1, lines 343 and 1385-1400;
   ledger: coverage-union-bound, coverage-union-bound/sharper).

   Printed: with C_1 = Omega(log(nT/nu)) and T_1 = (n/b) C_1, with probability at least 1 - nu every
   component is in one of the minibatches s+1, ..., t, for all t <= T and s <= t - T_1.
   Proved: for every whole k >= 1, with probability at least
       1 - (n + b (T - k)) (1 - b/n)^k     (1 if k > T)                                   [coverage]
   no component is ever, up to T, k steps old. (n + b(T - k)) is at most n + bT and at most nT, so
   that any whole k >= (n/b) C_1 will do, with C_1 = log((n + bT)/nu) [coverage_sharper] or
   log(nT/nu) [coverage_printed].

   Proof. A component of age a < k that can still get k steps old by time T has the potential
   (1 - b/n)^(k-a); a component that is drawn starts anew, if time is left. So the potential of a
   component grows by at most (b/n)(1 - b/n)^k a step in the mean, in the first T - k steps. *)
From Coq Require Import Reals Lra Lia List PeanoNat Bool.
From Sledge Require Import vectors means minibatches algorithms probability.
Import ListNotations.
Open Scope R_scope.

(* The steps since component i was in a minibatch, or since the start. *)
Fixpoint age (past : list batch) (i : nat) : nat :=
  match past with [] => 0 | B :: before => if B i then 0 else S (age before i) end.

Lemma age_length past i : (age past i <= length past)%nat.
Proof. induction past as [|B before IH]; simpl; [lia|]. destruct (B i); lia. Qed.

Section Coverage.
Variables (n b T k : nat).
Hypothesis Hb : (1 <= b)%nat.
Hypothesis Hbn : (b <= n)%nat.
Notation N := (INR n).
Notation B := (INR b).
Definition stay : R := 1 - B / N.

Lemma N_pos : 0 < N.
Proof. apply lt_0_INR. lia. Qed.
Lemma stay_bounds : 0 <= stay < 1.
Proof.
  pose proof N_pos. assert (1 <= B) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (B <= N) by (apply le_INR; assumption). unfold stay.
  assert (0 < B / N) by (apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra]).
  assert (B / N <= 1); [|lra]. apply Rmult_le_reg_r with N; [lra|].
  replace (B / N * N) with B by (field; lra). lra.
Qed.
(* The mean of what depends on whether i is drawn. *)
Lemma Ex_drawn i u v : (i < n)%nat ->
  Ex (uniform n b) (fun I => if I i then u else v) = (1 - stay) * u + stay * v.
Proof.
  intro Hi. rewrite (Ex_ext _ _ (fun I : batch => v + (u - v) * ind I i)).
  - rewrite Ex_add, Ex_mul, Ex_const, uniform_first by assumption. unfold stay. ring.
  - intros I _. unfold ind. destruct (I i); ring.
Qed.

Section One.
Variable i : nat.
Hypothesis Hi : (i < n)%nat.
Hypothesis Hk : (1 <= k)%nat.

Definition old (past : list batch) : bool := (k <=? age past i)%nat.
Definition chance (past : list batch) : R :=
  if old past then 1 else if (k + length past <=? T + age past i)%nat then stay ^ (k - age past i)
    else 0.
(* What a step that starts anew gives. *)
Definition anew (t : nat) : R := if (k + S t <=? T)%nat then B / N * stay ^ k else 0.

Lemma chance_nonneg past : 0 <= chance past.
Proof.
  unfold chance. destruct (old past); [lra|]. destruct (Nat.leb _ _); [|lra].
  apply pow_le, stay_bounds.
Qed.
Lemma anew_nonneg t : 0 <= anew t.
Proof.
  pose proof stay_bounds. unfold anew. destruct (Nat.leb _ _); [|lra].
  apply Rmult_le_pos; [unfold stay in *; lra|apply pow_le; lra].
Qed.
Lemma chance_step past : old past = false -> (length past < T)%nat ->
  Ex (uniform n b) (fun I => chance (I :: past)) <= chance past + anew (length past).
Proof.
  intros H Ht. pose proof stay_bounds as [Q0 Q1]. unfold old in H. apply Nat.leb_gt in H.
  set (a := age past i) in *. set (t := length past) in *.
  set (u := if (k + S t <=? T)%nat then stay ^ k else 0).
  set (v := if (k + t <=? T + a)%nat then stay ^ (k - S a) else 0).
  rewrite (Ex_ext _ _ (fun I : batch => if I i then u else v)).
  2:{ intros I _. unfold chance, old. cbn [age length]. fold a. fold t. destruct (I i).
      - rewrite (proj2 (Nat.leb_gt k 0)) by lia. unfold u. rewrite Nat.add_0_r, Nat.sub_0_r.
        reflexivity.
      - unfold v. destruct (Nat.leb_spec k (S a)) as [l|l].
        + replace (k - S a)%nat with 0%nat by lia. simpl pow.
          rewrite (proj2 (Nat.leb_le (k + t) (T + a))) by lia. reflexivity.
        + destruct (Nat.leb_spec (k + t) (T + a)), (Nat.leb_spec (k + S t) (T + S a));
          lia || reflexivity. }
  rewrite Ex_drawn by assumption. unfold chance, old, anew. fold a. fold t.
  rewrite (proj2 (Nat.leb_gt k a)) by lia. unfold u, v. clear u v.
  assert (E : stay * stay ^ (k - S a) = stay ^ (k - a)).
  { replace (k - a)%nat with (S (k - S a)) by lia. reflexivity. }
  assert (E1 : 1 - stay = B / N) by (unfold stay; ring). rewrite E1.
  destruct (Nat.leb (k + S t) T), (Nat.leb (k + t) (T + a)); lra.
Qed.
Lemma sum_anew m : sum m anew = INR (Nat.min m (T - k)) * (B / N * stay ^ k).
Proof.
  induction m as [|m IH]; [simpl; ring|]. cbn [sum]. rewrite IH. unfold anew.
  destruct (Nat.leb_spec (k + S m) T) as [l|l].
  - rewrite !Nat.min_l by lia. rewrite S_INR. ring.
  - rewrite !Nat.min_r by lia. ring.
Qed.
Lemma one_component : (k <= T)%nat ->
  probability (sledge_history n b T) (ever old) <= stay ^ k + INR (T - k) * (B / N * stay ^ k).
Proof.
  intro HT. pose proof (maximal_inequality (fun _ => uniform n b) chance old anew 1 T) as M.
  rewrite sum_anew, Nat.min_r in M by lia.
  replace (chance []) with (stay ^ k) in M.
  2:{ unfold chance, old. cbn [age length]. rewrite (proj2 (Nat.leb_gt k 0)) by lia.
      rewrite (proj2 (Nat.leb_le (k + 0) (T + 0))) by lia. rewrite Nat.sub_0_r. reflexivity. }
  rewrite Rmult_1_l in M. apply M.
  - intros. apply chance_nonneg.
  - intros t past _ e. unfold chance. rewrite e. lra.
  - intros t past Ht P e. pose proof (history_of_length _ _ _ P) as L.
    rewrite <- L. apply chance_step; [|lia]. destruct past; cbn [ever] in e;
      apply orb_false_iff in e; tauto.
  - apply anew_nonneg.
Qed.
End One.

(* No component is k steps old at any time up to T. *)
Definition fresh_up_to (past : list batch) : Prop :=
  forall t i, (t <= T)%nat -> (i < n)%nat -> (age (at_time t past) i < k)%nat.

Theorem coverage : (1 <= k)%nat ->
  with_probability (sledge_history n b T) (1 - (N + B * INR (T - k)) * stay ^ k) fresh_up_to.
Proof.
  intro Hk. pose proof N_pos as N0. pose proof stay_bounds as [Q0 Q1].
  assert (QK : 0 <= stay ^ k) by (apply pow_le, Q0).
  destruct (Nat.le_gt_cases k T) as [HT|HT].
  - apply (with_probability_weaken _ (1 - N * (stay ^ k + INR (T - k) * (B / N * stay ^ k))) _
      (fun past => forall i, (i < n)%nat -> forall t, (t <= T)%nat -> (age (at_time t past) i <
        k)%nat)).
    + right. field. lra.
    + intros past _ H t i Ht Hi. apply H; assumption.
    + apply union_bound_many. intros i Hi. apply (unless _ (ever (old i))); [apply one_component;
      assumption|].
      intros past P e t Ht. pose proof (history_length _ _ _ P) as L.
      pose proof (never_at_time (old i) past t e ltac:(lia)) as F. apply Nat.leb_gt in F.
      assumption.
  - apply (with_probability_weaken _ 1 _ (fun _ => True));
    [|intros past P _ t i Ht Hi|apply surely; auto].
    + replace (T - k)%nat with 0%nat by lia. simpl INR. rewrite Rmult_0_r, Rplus_0_r.
      assert (0 <= N * stay ^ k) by (apply Rmult_le_pos; lra). lra.
    + pose proof (history_length _ _ _ P) as L. pose proof (age_length (at_time t past) i) as A.
      unfold at_time in A. rewrite skipn_length in A. unfold at_time. lia.
Qed.
(* (1 - b/n)^k <= e^(-C) for k >= (n/b) C *)
Lemma stay_exp C : N / B * C <= INR k -> stay ^ k <= exp (- C).
Proof.
  intro H. pose proof stay_bounds as [Q0 Q1]. pose proof N_pos.
  assert (1 <= B) by (change 1 with (INR 1); apply le_INR; assumption).
  apply Rle_trans with (exp (- (B / N) * INR k)).
  - clear H. induction k as [|m IH]; [simpl; rewrite Rmult_0_r, exp_0; lra|].
    rewrite S_INR. replace (- (B / N) * (INR m + 1)) with (- (B / N) + - (B / N) * INR m) by ring.
    rewrite exp_plus. cbn [pow]. pose proof (exp_ineq1_le (- (B / N))).
    apply Rmult_le_compat; [lra|apply pow_le; lra|unfold stay; lra|assumption].
  - assert (K : - (B / N) * INR k <= - C).
    { assert (B / N * (N / B * C) <= B / N * INR k).
      { apply Rmult_le_compat_l; [|assumption]. left. apply Rmult_lt_0_compat;
        [lra|apply Rinv_0_lt_compat; lra]. }
      replace (B / N * (N / B * C)) with C in H2 by (field; lra). lra. }
    destruct K as [K|K]; [left; apply exp_increasing, K|rewrite K; lra].
Qed.
Lemma coverage_by a C nu : (1 <= k)%nat -> 0 < nu -> 0 < a -> N + B * INR (T - k) <= a -> ln (a /
  nu) <= C ->
  N / B * C <= INR k -> with_probability (sledge_history n b T) (1 - nu) fresh_up_to.
Proof.
  intros Hk Hnu Ha Hm HC HT. apply (with_probability_weaken _ (1 - (N + B * INR (T - k)) * stay ^
    k) _ fresh_up_to);
    [|auto|apply coverage, Hk].
  pose proof (stay_exp C HT) as S. pose proof stay_bounds as [Q0 _].
  assert (P : 0 <= stay ^ k) by (apply pow_le, Q0).
  assert (E : a * exp (- C) <= nu).
  { rewrite exp_Ropp. apply Rmult_le_reg_r with (exp C); [apply exp_pos|]. pose proof (exp_pos C).
    replace (a * / exp C * exp C) with a by (field; lra).
    assert (a / nu <= exp C).
    { rewrite <- (exp_ln (a / nu)) by (apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra]).
      destruct HC as [HC|HC]; [left; apply exp_increasing, HC|rewrite HC; lra]. }
    apply Rmult_le_reg_r with (/ nu); [apply Rinv_0_lt_compat; lra|].
    replace (nu * exp C * / nu) with (exp C) by (field; lra). assumption. }
  assert ((N + B * INR (T - k)) * stay ^ k <= a * exp (- C)); [|lra].
  pose proof N_pos. pose proof (pos_INR (T - k)). pose proof (pos_INR b).
  assert (0 <= B * INR (T - k)) by (apply Rmult_le_pos; assumption).
  apply Rmult_le_compat; lra.
Qed.
Theorem coverage_sharper C nu : (1 <= k)%nat -> 0 < nu -> ln ((N + B * INR T) / nu) <= C -> N / B
  * C <= INR k ->
  with_probability (sledge_history n b T) (1 - nu) fresh_up_to.
Proof.
  intros Hk Hnu. pose proof N_pos. pose proof (pos_INR b). pose proof (pos_INR T).
  assert (0 <= B * INR T) by (apply Rmult_le_pos; assumption).
  apply coverage_by; try assumption; [lra|]. apply Rplus_le_compat_l, Rmult_le_compat_l;
    [assumption|].
  apply le_INR. lia.
Qed.
Theorem coverage_printed C nu : (1 <= k)%nat -> (1 <= T)%nat -> 0 < nu -> ln (N * INR T / nu) <= C
  ->
  N / B * C <= INR k -> with_probability (sledge_history n b T) (1 - nu) fresh_up_to.
Proof.
  intros Hk HT Hnu. pose proof N_pos. pose proof (pos_INR b).
  assert (B <= N) by (apply le_INR; assumption).
  assert (1 <= INR T) by (change 1 with (INR 1); apply le_INR; assumption).
  apply coverage_by; try assumption; [apply Rmult_lt_0_compat; lra|].
  assert (E : INR (T - k) <= INR T - 1).
  { replace T with (S (T - 1)) at 2 by lia. rewrite S_INR.
    assert (INR (T - k) <= INR (T - 1)) by (apply le_INR; lia). lra. }
  pose proof (pos_INR (T - k)). assert (B * INR (T - k) <= N * (INR T - 1))
    by (apply Rmult_le_compat; lra). lra.
Qed.
End Coverage.
