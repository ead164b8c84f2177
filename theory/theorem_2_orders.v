(* Theorem 2 as printed (theorem:First-Main, lines 370-382), with what O~ and Theta~ hide written out.

   Printed: under Assumptions 1, 2, 5 (and 3 (i) for Option I) with eta = Theta~(1/L and b/(zeta sqrt n), the smaller)
   and r <= eta eps/2 SLEDGE finds an epsilon-first-order stationary point using
       O~((Delta max{zeta sqrt n, Lb} + (n/b) sigma_c^2)/eps^2)   (Option I),
       O~(n + Delta max{zeta sqrt n, Lb}/eps^2)                   (Option II)
   stochastic gradients with probability at least 1 - nu.
   Proved [theorem_2_option_II, theorem_2_option_I], for all spaces, functions, 1 <= b <= n, 0 < nu < 1, eps > 0: let G
   be what stands in the O~ and l = 1 + log(G/nu) (for Option I, 1 + log((n + G)/nu)). There are a number of steps T
   and a step size eta with
       (1/(76 l^2)) min{1/L, b/(zeta sqrt n)} <= eta <= min{1/L, b/(zeta sqrt n)}
   (312 l^2 for Option I) such that, for every noise of length at most r <= eta eps/2, also such that depends on the
   past, SLEDGE meets a point with |grad f| <= eps within T steps with probability at least 1 - nu; and the n + 2bT
   (b + 2bT) gradients are at most 1216 l^2 G (43000 l^3 G). Minima are written as 1/max{L, zeta sqrt n/b}, which has a
   meaning for zeta = 0. Option I is for eps^2 <= 2 L Delta; else x^0 is a stationary point.

   Proof. With the step size and the steps of theorem_2_probability.v and theorem_2_option_I.v; T contains
   log((n + bT)/nu) and is found by taking a multiple of l, which is large enough since log(l) <= l - 1. *)
From Coq Require Import Reals Lra Lia List PeanoNat Bool.
From Sledge Require Import vectors means minibatches algorithms problems second_moments sledge_errors.
From Sledge Require Import theorem_2_expectation probability azuma bernstein concentration.
From Sledge Require Import theorem_2_probability theorem_2_option_I.
Import ListNotations.
Open Scope R_scope.

(* Radii and logarithms, of steps T whose logarithm is at most k l. *)
Lemma ln_below y : 0 < y -> ln y <= y - 1.
Proof. intro H. pose proof (exp_ineq1_le (ln y)). rewrite exp_ln in H0 by assumption. lra. Qed.
Lemma ln_1500 : ln 1216 <= 9 /\ ln 8000 <= 12.
Proof.
  assert (E : 9 / 4 <= exp 1).
  { replace 1 with (/ 2 + / 2) by lra. rewrite exp_plus. pose proof (exp_ineq1_le (/ 2)).
    replace (9 / 4) with (3 / 2 * (3 / 2)) by lra. apply Rmult_le_compat; lra. }
  assert (P : forall k, (9 / 4) ^ k <= exp (INR k)).
  { induction k as [|k IH]; [simpl; rewrite exp_0; lra|]. rewrite S_INR, exp_plus. cbn [pow].
    rewrite (Rmult_comm (9 / 4)). pose proof (pow_le (9 / 4) k ltac:(lra)).
    apply Rmult_le_compat; lra. }
  split.
  - replace 9 with (INR 9) by (simpl; lra). rewrite <- ln_exp. apply ln_grows; [lra|].
    eapply Rle_trans; [|apply P]. cbn [pow]. lra.
  - replace 12 with (INR 12) by (simpl; lra). rewrite <- ln_exp. apply ln_grows; [lra|].
    eapply Rle_trans; [|apply P]. cbn [pow]. lra.
Qed.
Lemma radius_coarse a delta k l : 1 <= l -> 0 <= k -> ln (a / delta) <= k * l -> radius a delta <= (3 / 2 + k / 4) * l.
Proof.
  intros Hl Hk H. unfold radius. assert (k * l >= 0) by (apply Rle_ge, Rmult_le_pos; lra).
  destruct (Rle_dec 0 (ln (a / delta) / 2)) as [g|g]; [|rewrite sqrt_neg_0 by lra; lra].
  pose proof (sqrt_sqrt _ g) as S. set (s := sqrt (ln (a / delta) / 2)) in *.
  pose proof (Rle_0_sqr (s - 1)) as Q. unfold Rsqr in Q. lra.
Qed.

Lemma sum_above c (g : nat -> R) m : (1 <= m)%nat -> (forall t, (t < m)%nat -> c < g t) ->
  sum m (fun _ => c) < sum m g.
Proof.
  destruct m as [|m]; [lia|]. intros _ H. induction m as [|m IH]; [simpl; specialize (H 0%nat ltac:(lia)); lra|].
  cbn [sum] in *. specialize (IH ltac:(intros; apply H; lia)). specialize (H (S m) ltac:(lia)). lra.
Qed.

Section Theorem_2.
Context {V : space}.
Variables (n b : nat).
Hypothesis Hb : (1 <= b)%nat.
Hypothesis Hbn : (b <= n)%nat.
Variables (f : nat -> V -> R) (grad : nat -> V -> V) (L zeta fstar : R).
Hypothesis HL : 0 < L.
Hypothesis Hz : 0 <= zeta.
Hypothesis smoothness : smooth n f grad L.
Hypothesis infimum : forall x, fstar <= objective n f x.
Hypothesis het : heterogeneous n grad zeta.
Variables (x0 : V) (nu eps : R).
Hypothesis Hnu : 0 < nu < 1.
Hypothesis Heps : 0 < eps.
Notation N := (INR n).
Notation B := (INR b).
Notation F := (objective n f).
Notation grad_f := (gradient n grad).
Notation Delta := (F x0 - fstar).
(* max{zeta sqrt n, Lb}, and the same over b *)
Notation Q := (Rmax (zeta * sqrt N) (L * B)).
Notation M := (Rmax L (zeta * sqrt N / B)).

Lemma D0 : 0 <= Delta. Proof. specialize (infimum x0). lra. Qed.
Lemma e2 : 0 < eps * eps. Proof. apply Rmult_lt_0_compat; assumption. Qed.
Lemma QM : Q = B * M /\ 0 < M /\ L <= M /\ zeta * sqrt N / B <= M.
Proof.
  pose proof (Bb n b Hb Hbn) as [B1 BN]. pose proof (Rmax_l L (zeta * sqrt N / B)). pose proof (Rmax_r L (zeta * sqrt N
    / B)).
  repeat split; try lra. rewrite Rmax_comm, (Rmult_comm L).
  replace (zeta * sqrt N) with (B * (zeta * sqrt N / B)) at 1 by (field; lra).
  rewrite <- RmaxRmult by lra. reflexivity.
Qed.
(* sqrt(lifetime/b) between sqrt(n)/(2b) and sqrt(n)/b *)
Lemma weight_bounds : sqrt N / (2 * B) <= sqrt (lifetime n b / B) <= sqrt N / B /\ 0 <= lifetime n b / B <= N / (B * B).
Proof.
  pose proof (Bb n b Hb Hbn) as [B1 BN]. pose proof (BN_1 n b Hb Hbn) as [p0 p1]. pose proof (Nn n b Hb Hbn) as N1.
  assert (E : lifetime n b / B = N / (B * B) * / (2 - B / N)).
  { unfold lifetime. field. repeat split; lra. }
  assert (I1 : / 2 <= / (2 - B / N) <= 1).
  { split; [apply Rinv_le_contravar; lra|]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra. }
  assert (b2 : 0 < / (B * B)) by (apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra).
  assert (NB : 0 < N / (B * B)) by (apply Rmult_lt_0_compat; lra).
  assert (H0 : 0 <= lifetime n b / B <= N / (B * B)).
  { rewrite E. split; [apply Rmult_le_pos; lra|]. rewrite <- (Rmult_1_r (N / (B * B))) at 2. apply Rmult_le_compat_l;
    lra. }
  split; [|exact H0]. pose proof (sqrt_pos N) as s0. pose proof (sqrt_sqrt N ltac:(lra)) as ss.
  assert (IB : 0 < / B) by (apply Rinv_0_lt_compat; lra).
  split.
  - apply Rsqr_incr_0_var; [|apply sqrt_pos]. unfold Rsqr. rewrite sqrt_sqrt by lra. rewrite E.
    replace (sqrt N / (2 * B) * (sqrt N / (2 * B))) with (N / (B * B) * / 4).
    + apply Rmult_le_compat_l; lra.
    + rewrite <- ss at 1. field. lra.
  - apply Rsqr_incr_0_var; [|unfold Rdiv; apply Rmult_le_pos; lra]. unfold Rsqr. rewrite sqrt_sqrt by lra.
    eapply Rle_trans; [apply H0|]. right. rewrite <- ss at 1. field. lra.
Qed.
(* A step size 1/(2 (max{L, zeta w})) with sqrt(n)/(2b) <= w <= k sqrt(n)/b. *)
Lemma step_size_range w k : 1 <= k -> sqrt N / (2 * B) <= w <= k * (sqrt N / B) ->
  / (2 * k * M) <= / (2 * Rmax L (zeta * w)) <= / M.
Proof.
  intros Hk [W0 W1]. pose proof QM as [_ [M0 [ML MZ]]]. pose proof (Bb n b Hb Hbn) as [B1 BN].
  pose proof (Rmax_l L (zeta * w)) as R1. pose proof (Rmax_r L (zeta * w)) as R2.
  split; apply Rinv_le_contravar; try lra.
  - assert (zeta * w <= k * M).
    { apply Rle_trans with (zeta * (k * (sqrt N / B))); [apply Rmult_le_compat_l; lra|].
      replace (zeta * (k * (sqrt N / B))) with (k * (zeta * sqrt N / B)) by (field; lra). apply Rmult_le_compat_l; lra.
        }
    assert (1 * M <= k * M) by (apply Rmult_le_compat_r; lra).
    assert (Rmax L (zeta * w) <= k * M) by (apply Rmax_lub; lra). lra.
  - assert (zeta * (sqrt N / (2 * B)) <= zeta * w) by (apply Rmult_le_compat_l; assumption).
    replace (zeta * (sqrt N / (2 * B))) with (/ 2 * (zeta * sqrt N / B)) in H by (field; lra).
    apply Rmax_lub; lra.
Qed.
Lemma ceiling_steps y : 0 <= y -> y <= INR (Nat.max 1 (ceiling y)) <= y + 1.
Proof.
  intro H. pose proof (ceiling_above y). pose proof (ceiling_below y H).
  destruct (Nat.max_spec 1 (ceiling y)) as [[g ->]|[g ->]]; [lra|]. simpl (INR 1).
  apply le_INR in g. simpl (INR 1) in g. lra.
Qed.

Theorem theorem_2_option_II :
  let G := N + Delta * Q / (eps * eps) in let l := 1 + ln (G / nu) in
  exists (T : nat) (eta : R),
    0 < eta /\ / (76 * l ^ 2 * M) <= eta <= / M
    /\ N + 2 * B * INR T <= 1216 * l ^ 2 * G
    /\ forall r noise, 0 <= r <= eta * eps / 2 -> (forall past, norm (noise past) <= r) ->
       with_probability (sledge_history n b T) (1 - nu) (fun past => exists t, (t < T)%nat /\
         norm (grad_f (point (sledge n b eta noise grad (sledge_start_II grad x0) (at_time t past)))) <= eps).
Proof.
  intros G l. pose proof (Bb n b Hb Hbn) as [B1 BN]. pose proof (Nn n b Hb Hbn) as N1. pose proof D0 as d0.
  pose proof e2 as E2. pose proof QM as [QB [M0 [ML MZ]]]. pose proof (sqrt_pos N) as s0.
  set (H := Delta * M / (eps * eps)).
  assert (H0 : 0 <= H). { unfold H. apply Rmult_le_pos; [apply Rmult_le_pos; lra|left; apply Rinv_0_lt_compat; lra]. }
  assert (GH : G = N + B * H) by (unfold G, H; rewrite QB; field; lra).
  assert (BH : 0 <= B * H) by (apply Rmult_le_pos; lra).
  assert (I1 : 1 < / nu) by (rewrite <- Rinv_1; apply Rinv_lt_contravar; lra).
  assert (Gnu : 1 < G / nu). { unfold Rdiv. apply Rlt_le_trans with (1 * / nu); [lra|]. apply Rmult_le_compat_r; lra. }
  assert (l1 : 1 <= l). { unfold l. assert (0 < ln (G / nu)) by (rewrite <- ln_1; apply ln_increasing; lra). lra. }
  assert (l2 : 1 <= l ^ 2) by (apply pow_R1_Rle; lra).
  set (Y := 304 * l ^ 2 * H). assert (Y0 : 0 <= Y) by (apply Rmult_le_pos; lra).
  set (T := Nat.max 1 (ceiling Y)). pose proof (ceiling_steps Y Y0) as [T0 T1]. fold T in T0, T1.
  assert (HT : (1 <= T)%nat) by (unfold T; lia).
  assert (Cost : N + B * INR T <= 304 * l ^ 2 * G).
  { apply Rle_trans with (2 * N + B * Y).
    - assert (B * INR T <= B * (Y + 1)) by (apply Rmult_le_compat_l; lra). lra.
    - unfold Y. rewrite GH. replace (B * (304 * l ^ 2 * H)) with (304 * l ^ 2 * (B * H)) by ring.
      assert (1 * N <= l ^ 2 * N) by (apply Rmult_le_compat_r; lra). lra. }
  assert (NT0 : 1 <= N + B * INR T).
  { assert (0 <= B * INR T) by (apply Rmult_le_pos; [lra|apply pos_INR]). lra. }
  (* the logarithm of T *)
  assert (Log : ln ((N + B * INR T) / (nu / 2)) <= 9 * l).
  { apply Rle_trans with (ln (1216 * (l * l) * (G / nu))).
    - apply ln_grows; [apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra]|].
      replace ((N + B * INR T) / (nu / 2)) with (2 * (N + B * INR T) * / nu) by (field; lra).
      replace (1216 * (l * l) * (G / nu)) with (1216 * l ^ 2 * G * / nu) by (field; lra).
      apply Rmult_le_compat_r; [lra|]. assert (0 <= l ^ 2 * G) by (apply Rmult_le_pos; lra). lra.
    - rewrite !ln_mult by (repeat apply Rmult_lt_0_compat; lra). pose proof (proj1 ln_1500).
      pose proof (ln_below l ltac:(lra)). unfold l at 3. fold l. replace (ln (G / nu)) with (l - 1) by (unfold l; ring).
      lra. }
  set (lam := lambda b T (nu / 2)). set (C := log_factor n b T (nu / 2)).
  assert (HC : C <= 9 * l) by exact Log.
  assert (C0 : 0 < C) by (apply (log_factor_pos n b Hb Hbn); lra).
  assert (Hlam : 1 <= lam <= 15 / 4 * l).
  { split; [apply radius_above|]. replace (15 / 4) with (3 / 2 + 9 / 4) by field. apply radius_coarse;
    [assumption|lra|].
    eapply Rle_trans; [|exact Log]. rewrite mult_INR. apply ln_grows.
    - assert (1 <= INR T) by (change 1 with (INR 1); apply le_INR; assumption).
      apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; lra|apply Rinv_0_lt_compat; lra].
    - apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|]. lra. }
  pose proof weight_bounds as [[w0 w1] _].
  assert (LC : 1 <= lam * (1 + C) <= 38 * l ^ 2).
  { assert (X : lam * (1 + C) <= 15 / 4 * l * (10 * l)) by (apply Rmult_le_compat; lra).
    assert (1 * 1 <= lam * (1 + C)) by (apply Rmult_le_compat; lra). split; [lra|]. lra. }
  pose proof (sqrt_pos (lifetime n b / B)) as w2.
  assert (sB : 0 <= sqrt N / B) by (apply Rmult_le_pos; [assumption|left; apply Rinv_0_lt_compat; lra]).
  assert (W : sqrt N / (2 * B) <= lam * (1 + C) * sqrt (lifetime n b / B) <= 38 * l ^ 2 * (sqrt N / B)).
  { split; [|apply Rmult_le_compat; lra].
    assert (1 * sqrt (lifetime n b / B) <= lam * (1 + C) * sqrt (lifetime n b / B)) by (apply Rmult_le_compat_r; lra).
      lra. }
  pose proof (step_size_range _ (38 * l ^ 2) ltac:(lra) W) as SR.
  exists T, (high_step_size n b T L zeta (nu / 2)).
  change (high_step_size n b T L zeta (nu / 2)) with (/ (2 * Rmax L (zeta * (lam * (1 + C) * sqrt (lifetime n b /
    B))))) in *.
  set (eta := / (2 * Rmax L (zeta * (lam * (1 + C) * sqrt (lifetime n b / B))))) in *.
  assert (e0 : 0 < eta).
  { apply Rlt_le_trans with (/ (2 * (38 * l ^ 2) * M)); [|apply SR]. apply Rinv_0_lt_compat.
    apply Rmult_lt_0_compat; lra. }
  split; [exact e0|]. split; [replace (76 * l ^ 2) with (2 * (38 * l ^ 2)) by ring; exact SR|]. split.
  { assert (N + 2 * B * INR T <= 2 * (N + B * INR T)) by lra. assert (0 <= l ^ 2 * G) by (apply Rmult_le_pos; lra).
    lra. }
  intros r noise [r0 r1] Hr.
  assert (Enough : 4 * Delta / (eta * (eps * eps)) <= INR T).
  { eapply Rle_trans; [|exact T0]. unfold Y, H.
    assert (IE : / eta <= 76 * l ^ 2 * M).
    { replace (76 * l ^ 2 * M) with (/ / (2 * (38 * l ^ 2) * M)) by (rewrite Rinv_inv; ring).
      apply Rinv_le_contravar; [|apply SR]. apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra. }
    replace (4 * Delta / (eta * (eps * eps))) with (4 * Delta / (eps * eps) * / eta) by (field; lra).
    replace (304 * l ^ 2 * (Delta * M / (eps * eps))) with (4 * Delta / (eps * eps) * (76 * l ^ 2 * M)) by (field; lra).
    apply Rmult_le_compat_l; [|exact IE]. apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]. }
  assert (Hw : 1 - nu <= 1 - 2 * (nu / 2)) by lra.
  eapply (with_probability_weaken _ _ _ _ _ Hw); [|apply (theorem_2_option_II_stationary n b Hb Hbn f grad L zeta fstar
    HL
    Hz smoothness infimum het x0 T (nu / 2) eps r HT ltac:(lra) r0 noise Hr Heps r1 Enough)].
  intros past _ X. exact X.
Qed.

(* ---- Option I ---- *)

Section Option_I.
Variable sigma_c : R.
(* Assumption 3 (i) of line 257, at x^0 *)
Hypothesis sigma0 : 0 <= sigma_c.
Hypothesis bounded : forall i, (i < n)%nat -> norm (sub (grad i x0) (grad_f x0)) <= sigma_c.

Lemma apart_at_x0 i j : (i < n)%nat -> (j < n)%nat -> norm (sub (grad i x0) (grad j x0)) <= 2 * sigma_c.
Proof.
  intros Hi Hj. replace (sub (grad i x0) (grad j x0))
    with (sub (sub (grad i x0) (grad_f x0)) (sub (grad j x0) (grad_f x0))) by (vector_eq w; ring).
  eapply Rle_trans; [apply norm_sub|]. pose proof (bounded i Hi). pose proof (bounded j Hj). lra.
Qed.
Theorem theorem_2_option_I :
  let G := (Delta * Q + N / B * sigma_c ^ 2) / (eps * eps) in let l := 1 + ln ((N + G) / nu) in
  (2 * L * Delta <= eps * eps -> norm (grad_f x0) <= eps) /\
  (eps * eps <= 2 * L * Delta -> exists (T : nat) (eta : R),
    0 < eta /\ / (312 * l ^ 2 * M) <= eta <= / M
    /\ B + 2 * B * INR T <= 43000 * l ^ 3 * G
    /\ forall r noise, 0 <= r <= eta * eps / 2 -> (forall I0 past, norm (noise I0 past) <= r) ->
       with_probability (sledge_history_I n b T) (1 - nu) (fun o => exists t, (t < T)%nat /\
         norm (grad_f (point (sledge n b eta (noise (fst o)) grad (sledge_start_I n b grad x0 (fst o))
           (at_time t (snd o))))) <= eps)).
Proof.
  intros G l. pose proof (Bb n b Hb Hbn) as [B1 BN]. pose proof (Nn n b Hb Hbn) as N1.
  pose proof D0 as d0. pose proof e2 as E2.
  pose proof QM as [QB [M0 [ML MZ]]]. pose proof (sqrt_pos N) as s0.
  assert (Hn : (1 <= n)%nat) by lia.
  split.
  { intro Small. apply norm_le; [lra|]. eapply Rle_trans; [|exact Small].
    apply (gradient_below_gap L F grad_f fstar x0 HL (objective_below_quadratic n f grad L Hn smoothness) infimum). }
  intro Large.
  set (H := Delta * M / (eps * eps)). set (S := N / (B * B) * (sigma_c * sigma_c) / (eps * eps)).
  assert (H0 : / 2 <= H).
  { unfold H. apply Rmult_le_reg_r with (2 * (eps * eps)); [lra|].
    replace (/ 2 * (2 * (eps * eps))) with (eps * eps) by field.
    replace (Delta * M / (eps * eps) * (2 * (eps * eps))) with (2 * (M * Delta)) by (field; lra).
    assert (L * Delta <= M * Delta) by (apply Rmult_le_compat_r; lra). lra. }
  assert (S0 : 0 <= S).
  { unfold S. repeat apply Rmult_le_pos; try lra; left; apply Rinv_0_lt_compat; [apply Rmult_lt_0_compat|]; lra. }
  assert (GH : G = B * (H + S)) by (unfold G, H, S; rewrite QB; field; lra).
  assert (BHS : B * (/ 2) <= B * (H + S)) by (apply Rmult_le_compat_l; lra).
  assert (I1 : 1 < / nu) by (rewrite <- Rinv_1; apply Rinv_lt_contravar; lra).
  assert (Gnu : 1 < (N + G) / nu). { unfold Rdiv. apply Rlt_le_trans with (1 * / nu); [lra|]. apply Rmult_le_compat_r;
    lra. }
  assert (l1 : 1 <= l). { unfold l. assert (0 < ln ((N + G) / nu)) by (rewrite <- ln_1; apply ln_increasing; lra). lra.
    }
  assert (l2 : 1 <= l ^ 2) by (apply pow_R1_Rle; lra). assert (l3 : 1 <= l ^ 3) by (apply pow_R1_Rle; lra).
  assert (l23 : l ^ 2 <= l ^ 3).
  { replace (l ^ 3) with (l ^ 2 * l) by ring. rewrite <- (Rmult_1_r (l ^ 2)) at 1. apply Rmult_le_compat_l; lra. }
  set (Y := 21000 * l ^ 3 * (H + S)). assert (Y0 : 0 <= Y) by (apply Rmult_le_pos; lra).
  set (T := Nat.max 1 (ceiling Y)). pose proof (ceiling_steps Y Y0) as [T0 T1]. fold T in T0, T1.
  assert (HT : (1 <= T)%nat) by (unfold T; lia).
  assert (T1' : 1 <= INR T) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (GT : B * INR T <= 21002 * l ^ 3 * G).
  { apply Rle_trans with (B * (Y + 1)); [apply Rmult_le_compat_l; lra|]. unfold Y. rewrite GH.
    replace (B * (21000 * l ^ 3 * (H + S) + 1)) with (21000 * l ^ 3 * (B * (H + S)) + B) by ring.
    assert (2 * 1 * (B * (H + S)) <= 2 * l ^ 3 * (B * (H + S))) by (apply Rmult_le_compat_r; lra). lra. }
  assert (G0 : B <= 2 * G) by lra.
  assert (Log : ln ((N + B * INR (Datatypes.S T)) / (nu / 2)) <= 17 * l).
  { apply Rle_trans with (ln (8000 * 8 * (l * (l * l)) * ((N + G) / nu))).
    - apply ln_grows.
      + apply Rmult_lt_0_compat; [|apply Rinv_0_lt_compat; lra].
        assert (0 <= B * INR (Datatypes.S T)) by (apply Rmult_le_pos; [lra|apply pos_INR]). lra.
      + rewrite S_INR. replace ((N + B * (INR T + 1)) / (nu / 2)) with (2 * (N + B * INR T + B) * / nu) by (field; lra).
        replace (8000 * 8 * (l * (l * l)) * ((N + G) / nu)) with (64000 * l ^ 3 * (N + G) * / nu) by (field; lra).
        apply Rmult_le_compat_r; [lra|].
        assert (1 * N <= l ^ 3 * N) by (apply Rmult_le_compat_r; lra).
        assert (1 * G <= l ^ 3 * G) by (apply Rmult_le_compat_r; lra).
        assert (0 <= l ^ 3 * G) by (apply Rmult_le_pos; lra). lra.
    - rewrite !ln_mult by (repeat apply Rmult_lt_0_compat; lra). pose proof (proj2 ln_1500).
      pose proof (ln_below l ltac:(lra)). pose proof (ln_below 8 ltac:(lra)) as L8.
      assert (L8' : ln 8 <= 3).
      { replace 8 with (2 * 2 * 2) by ring. rewrite !ln_mult by lra. pose proof (ln_below 2 ltac:(lra)). lra. }
      replace (ln ((N + G) / nu)) with (l - 1) by (unfold l; ring). lra. }
  set (lam := lambda b (Datatypes.S T) (nu / 2)). set (C := log_factor n b T (nu / 2)).
  assert (PT : 0 < N + B * INR T) by (assert (0 <= B * INR T) by (apply Rmult_le_pos; lra); lra).
  assert (HC : C <= 17 * l).
  { eapply Rle_trans; [|exact Log]. apply ln_grows.
    - apply Rmult_lt_0_compat; [exact PT|apply Rinv_0_lt_compat; lra].
    - apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|]. apply Rplus_le_compat_l, Rmult_le_compat_l; [lra|].
      apply le_INR; lia. }
  assert (C0 : 0 < C) by (apply (log_factor_pos n b Hb Hbn); lra).
  assert (Hlam : 1 <= lam <= 23 / 4 * l).
  { split; [apply radius_above|]. replace (23 / 4) with (3 / 2 + 17 / 4) by field. apply radius_coarse;
    [assumption|lra|].
    eapply Rle_trans; [|exact Log]. rewrite mult_INR. pose proof (pos_INR (Datatypes.S T)). apply ln_grows.
    - apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; [lra|apply lt_0_INR; lia]|apply Rinv_0_lt_compat; lra].
    - apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|]. lra. }
  pose proof weight_bounds as [[w0 w1] [v0 v1]].
  pose proof (sqrt_pos (lifetime n b / B)) as w2.
  assert (sB : 0 <= sqrt N / B) by (apply Rmult_le_pos; [assumption|left; apply Rinv_0_lt_compat; lra]).
  set (w := (1 + C) * sqrt (2 * start_weight n b T (nu / 2))).
  assert (We : w = (1 + C) * (sqrt 2 * lam * sqrt (lifetime n b / B))).
  { unfold w, start_weight. fold lam. f_equal. rewrite sqrt_mult by (try apply Rmult_le_pos; try apply Rle_0_sqr; lra).
    rewrite sqrt_mult by (try apply Rle_0_sqr; lra). rewrite sqrt_square by lra. ring. }
  assert (R2 : 1 <= sqrt 2 <= 3 / 2).
  { split; [rewrite <- sqrt_1 at 1; apply sqrt_le_1_alt; lra|]. apply Rsqr_incr_0_var; [|lra]. unfold Rsqr.
    rewrite sqrt_sqrt by lra. lra. }
  assert (LC : 1 <= (1 + C) * (sqrt 2 * lam) <= 156 * l ^ 2).
  { assert (X1 : sqrt 2 * lam <= 3 / 2 * (23 / 4 * l)) by (apply Rmult_le_compat; lra).
    assert (X2 : 1 * 1 <= sqrt 2 * lam) by (apply Rmult_le_compat; lra).
    assert (X3 : (1 + C) * (sqrt 2 * lam) <= 18 * l * (3 / 2 * (23 / 4 * l))) by (apply Rmult_le_compat; lra).
    assert (1 * 1 <= (1 + C) * (sqrt 2 * lam)) by (apply Rmult_le_compat; lra). split; lra. }
  assert (W : sqrt N / (2 * B) <= w <= 156 * l ^ 2 * (sqrt N / B)).
  { rewrite We. replace ((1 + C) * (sqrt 2 * lam * sqrt (lifetime n b / B)))
      with ((1 + C) * (sqrt 2 * lam) * sqrt (lifetime n b / B)) by ring.
    split; [|apply Rmult_le_compat; lra].
    assert (1 * sqrt (lifetime n b / B) <= (1 + C) * (sqrt 2 * lam) * sqrt (lifetime n b / B))
      by (apply Rmult_le_compat_r; lra). lra. }
  pose proof (step_size_range w (156 * l ^ 2) ltac:(lra) W) as SR.
  exists T, (high_step_size_I n b T L zeta (nu / 2)).
  change (high_step_size_I n b T L zeta (nu / 2)) with (/ (2 * Rmax L (zeta * w))) in *.
  set (eta := / (2 * Rmax L (zeta * w))) in *.
  assert (e0 : 0 < eta).
  { apply Rlt_le_trans with (/ (2 * (156 * l ^ 2) * M)); [|apply SR]. apply Rinv_0_lt_compat.
    apply Rmult_lt_0_compat; lra. }
  split; [exact e0|]. split; [replace (312 * l ^ 2) with (2 * (156 * l ^ 2)) by ring; exact SR|]. split.
  { assert (1 * G <= l ^ 3 * G) by (apply Rmult_le_compat_r; lra). lra. }
  intros r noise [r0 r1] Hr.
  set (sw := start_weight n b T (nu / 2)).
  assert (SW : 0 <= sw <= 34 * l ^ 2 * (N / (B * B))).
  { unfold sw, start_weight. fold lam. split; [apply Rmult_le_pos; [apply Rle_0_sqr|assumption]|].
    assert (lam * lam <= 34 * l ^ 2).
    { assert (lam * lam <= 23 / 4 * l * (23 / 4 * l)) by (apply Rmult_le_compat; lra). lra. }
    apply Rmult_le_compat; [apply Rle_0_sqr|assumption|assumption|assumption]. }
  assert (Hw : 1 - nu <= 1 - 2 * (nu / 2)) by lra.
  eapply (with_probability_weaken _ _ _ _ _ Hw); [|apply (theorem_2_option_I_high_probability n b Hb Hbn f grad L zeta
    fstar HL Hz smoothness infimum het x0 (2 * sigma_c) T (nu / 2) eps r ltac:(lra) apart_at_x0 HT ltac:(lra) r0 noise
      Hr r1)].
  intros o _ X. cbv zeta in X.
  change (high_step_size_I n b T L zeta (nu / 2)) with eta in X. fold sw in X. fold C in X.
  set (g := fun t => sq (grad_f (point (sledge n b eta (noise (fst o)) grad (sledge_start_I n b grad x0 (fst o))
    (at_time t (snd o)))))) in *.
  assert (Mean : sum T g <= INR T * (eps * eps)).
  { apply Rmult_le_reg_r with (/ INR T); [apply Rinv_0_lt_compat; lra|].
    replace (INR T * (eps * eps) * / INR T) with (eps * eps) by (field; lra).
    eapply Rle_trans; [exact X|].
    cut (2 * Delta / eta + 2 * (sw * (3 + 2 * C) * (2 * sigma_c * (2 * sigma_c))) <= INR T * (eps * eps / 2)).
    { intro K. replace (2 * Delta / (eta * INR T)) with (2 * Delta / eta * / INR T) by (field; lra).
      assert (K2 : (2 * Delta / eta + 2 * (sw * (3 + 2 * C) * (2 * sigma_c * (2 * sigma_c)))) * / INR T
        <= INR T * (eps * eps / 2) * / INR T) by (apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|exact K]).
      replace (INR T * (eps * eps / 2) * / INR T) with (eps * eps / 2) in K2 by (field; lra). unfold Rdiv in *. lra. }
    assert (IE : / eta <= 312 * l ^ 2 * M).
    { replace (312 * l ^ 2 * M) with (/ / (2 * (156 * l ^ 2) * M)) by (rewrite Rinv_inv; ring).
      apply Rinv_le_contravar; [|apply SR]. apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra. }
    assert (P1 : 2 * Delta / eta <= 624 * l ^ 3 * (H * (eps * eps))).
    { replace (H * (eps * eps)) with (Delta * M) by (unfold H; field; lra).
      apply Rle_trans with (2 * Delta * (312 * l ^ 2 * M)); [apply Rmult_le_compat_l; lra|].
      replace (2 * Delta * (312 * l ^ 2 * M)) with (624 * l ^ 2 * (Delta * M)) by ring.
      apply Rmult_le_compat_r; [apply Rmult_le_pos; lra|lra]. }
    assert (ss : 0 <= sigma_c * sigma_c) by apply Rle_0_sqr.
    assert (P2 : 2 * (sw * (3 + 2 * C) * (2 * sigma_c * (2 * sigma_c))) <= 10064 * l ^ 3 * (S * (eps * eps))).
    { replace (S * (eps * eps)) with (N / (B * B) * (sigma_c * sigma_c)) by (unfold S; field; lra).
      assert (NB : 0 <= N / (B * B)) by lra.
      assert (sw * (3 + 2 * C) <= 34 * l ^ 2 * (N / (B * B)) * (37 * l)) by (apply Rmult_le_compat; lra).
      apply Rle_trans with (8 * (34 * l ^ 2 * (N / (B * B)) * (37 * l)) * (sigma_c * sigma_c)).
      - replace (2 * (sw * (3 + 2 * C) * (2 * sigma_c * (2 * sigma_c)))) with (8 * (sw * (3 + 2 * C)) * (sigma_c *
        sigma_c)) by ring.
        apply Rmult_le_compat_r; lra.
      - right. ring. }
    assert (P3 : Y * (eps * eps / 2) <= INR T * (eps * eps / 2)) by (apply Rmult_le_compat_r; lra).
    unfold Y in P3.
    assert (HH : 0 <= l ^ 3 * (H * (eps * eps))) by (apply Rmult_le_pos; [lra|apply Rmult_le_pos; lra]).
    assert (SS : 0 <= l ^ 3 * (S * (eps * eps))) by (apply Rmult_le_pos; [lra|apply Rmult_le_pos; lra]).
    lra. }
  destruct (Classical_Prop.classic (exists t, (t < T)%nat /\ g t <= eps * eps)) as [[t [Ht Gt]]|No].
  - exists t. split; [assumption|]. apply norm_le; [lra|exact Gt].
  - exfalso. assert (Big : sum T (fun _ => eps * eps) < sum T g).
    { apply sum_above; [assumption|]. intros t Ht. apply Rnot_le_lt. intro Le. apply No. exists t. auto. }
    rewrite sum_const in Big. lra.
Qed.
End Option_I.
End Theorem_2.
