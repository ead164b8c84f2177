(* Steps of the paper's proofs that are results of their own, each for the whole domain of its
   statement.

   Contents
     minibatch_law                 an index that steps s+1, ..., t leave out is in I^s with
                                   probability b/n (line 291)
     error_scales                  on a fixed path the error is zeta times that of the deviations
                                   (lines 344-345)
     client_coverage               after T_3 = (P/p) C_1 rounds every client has refreshed its row
                                   (line 2270)
     noreplace_increment_variance  second moment of the increment of Proposition 12
                                   (lines 1037-1044)
     eigen_power_bound             Lemma 15:
                                   |A(I - A)^k| <= -lambda_min (1 - lambda_min)^k + 1/(k+1)
     induction_operator_norm       |I - eta H| <= 1 + eta gamma (line 1787); eta <= 2/L is enough
     induction_reduction           half of (1 + eta gamma)^m r_e for the sum is enough for (a)
                                   (lines 1764-1772)
     variance_inserted             the sum of the bounds of Lemma 1 over a run (lines 1491-1506)

   Symmetric matrices are symmetric operators u |-> A u, <A u, w> = <u, A w>, of any inner product
   space; that lambda_min is no more than their eigenvalues is lambda_min |u|^2 <= <A u, u>. No
   eigenvectors are used. *)
From Coq Require Import Reals Lra Lia PeanoNat List Bool.
From Sledge Require Import vectors means minibatches algorithms problems probability coverage
  fledge_tails.
Import ListNotations.
Open Scope R_scope.

(* ---- The law of the minibatches ---- *)

(* Whether some of the minibatches has i. *)
Definition drawn (later : list batch) (i : nat) : bool := existsb (fun B : batch => B i) later.

Lemma Ex_undrawn n b i k : (b <= n)%nat -> (i < n)%nat ->
  Ex (sledge_history n b k) (fun later => if drawn later i then 0 else 1) = (1 - INR b / INR n) ^ k.
Proof.
  intros Hb Hi. unfold sledge_history. induction k as [|k IH]; [reflexivity|]. rewrite Ex_history_S.
  rewrite (Ex_ext _ _ (fun later => (1 - INR b / INR n) * (if drawn later i then 0 else 1))).
  - rewrite Ex_mul, IH. reflexivity.
  - intros later _. rewrite (Ex_ext _ _ (fun B : batch => (if drawn later i then 0 else 1)
      + - (if drawn later i then 0 else 1) * ind B i)).
    + rewrite Ex_add, Ex_mul, Ex_const, uniform_first by assumption. ring.
    + intros B _. cbn [drawn existsb]. unfold ind, drawn. destruct (B i), (existsb _ later); simpl; ring.
Qed.

(* I^s is drawn, then the later minibatches [later]: P(i in I^s and in none of them) = (b/n) P(i in none of them), and
   that condition has a positive probability if b < n. *)
Theorem minibatch_law n b i k : (1 <= b)%nat -> (b <= n)%nat -> (i < n)%nat ->
  let both := bind (uniform n b) (fun B => bind (sledge_history n b k) (fun later => sure (B, later))) in
  probability both (fun o => fst o i && negb (drawn (snd o) i))
  = INR b / INR n * probability both (fun o => negb (drawn (snd o) i))
  /\ ((b < n)%nat -> 0 < probability both (fun o => negb (drawn (snd o) i))).
Proof.
  intros Hb1 Hb Hi both. assert (N0 : 0 < INR n) by (apply lt_0_INR; lia).
  assert (E : probability both (fun o => negb (drawn (snd o) i)) = (1 - INR b / INR n) ^ k).
  { unfold probability, both. rewrite Ex_bind.
    rewrite (Ex_ext _ _ (fun _ => (1 - INR b / INR n) ^ k)); [apply Ex_const|]. intros B _. rewrite Ex_bind.
    rewrite <- (Ex_undrawn n b i k Hb Hi). apply Ex_ext. intros later _. simpl. destruct (drawn later i); reflexivity. }
  rewrite E. split.
  - unfold probability, both. rewrite Ex_bind.
    rewrite (Ex_ext _ _ (fun B : batch => (1 - INR b / INR n) ^ k * ind B i)).
    + rewrite Ex_mul, uniform_first by assumption. ring.
    + intros B _. rewrite Ex_bind. rewrite <- (Ex_undrawn n b i k Hb Hi).
      rewrite (Ex_ext _ _ (fun later => ind B i * (if drawn later i then 0 else 1))); [rewrite Ex_mul; ring|].
      intros later _. simpl. unfold ind. destruct (B i), (drawn later i); simpl; ring.
  - intro H. apply pow_lt. assert (INR b < INR n) by (apply lt_INR; assumption).
    apply Rmult_lt_reg_r with (INR n); [assumption|].
    replace ((1 - INR b / INR n) * INR n) with (INR n - INR b) by (field; lra). lra.
Qed.

(* ---- The error on a fixed path ---- *)

Section Fixed_path.
Context {V : space}.
Variables (n b : nat) (eta : R).
Hypothesis Hn : (1 <= n)%nat.
Variables (mean_gradient : V -> V) (deviation : nat -> V -> V).
Hypothesis centred : forall x, vsum n (fun i => deviation i x) = zero.
(* The gradients of the problem whose deviations from the mean are z times as large. *)
Definition gradients (z : R) (i : nat) (x : V) : V := add (mean_gradient x) (scale z (deviation i x)).
Variable x0 : V.
(* The noise that leads each of the two runs along one and the same path. *)
Variables noise1 noise2 : list batch -> V.
Variables z : R.
Notation run1 := (sledge n b eta noise1 (gradients 1) (sledge_start_II (gradients 1) x0)).
Notation run2 := (sledge n b eta noise2 (gradients z) (sledge_start_II (gradients z) x0)).
Definition error_of (w : R) (s : V * (nat -> V)) : V :=
  sub (estimate n s) (over n (vsum n (fun i => gradients w i (point s)))).

Lemma full_gradient w x : over n (vsum n (fun i => gradients w i x)) = mean_gradient x.
Proof.
  assert (N0 : 0 < INR n) by (apply lt_0_INR; lia).
  vector_eq u. rewrite ip_vsum. unfold gradients.
  rewrite (sum_ext n _ (fun i => ip (mean_gradient x) u + w * ip (deviation i x) u))
    by (intros; products; reflexivity).
  rewrite sum_add, sum_const, sum_mul, <- ip_vsum, centred, ip_zero. field. lra.
Qed.

Theorem error_scales past : (1 <= b)%nat ->
  Forall (possible (uniform n b)) past -> (b <= n)%nat ->
  (forall k, point (run2 (skipn k past)) = point (run1 (skipn k past))) ->
  error_of z (run2 past) = scale z (error_of 1 (run1 past)).
Proof.
  intros Hb F Hbn P.
  assert (B0 : 0 < INR b) by (apply lt_0_INR; lia). assert (N0 : 0 < INR n) by (apply lt_0_INR; lia).
  assert (K : forall i, sub (table (run2 past) i) (mean_gradient (point (run2 past)))
    = scale z (sub (table (run1 past) i) (mean_gradient (point (run1 past))))).
  { induction past as [|B before IH].
    - intro i. cbn [sledge sledge_start_II table point fst snd]. unfold gradients. vector_eq u. ring.
    - inversion F as [|? ? FB FF]; subst.
      specialize (IH FF (fun k => P (S k))).
      pose proof (P 0%nat) as P0. cbn [skipn] in P0. pose proof (P 1%nat) as P1. cbn [skipn] in P1.
      intro i. cbn [sledge] in *. set (s1 := run1 before) in *. set (s2 := run2 before) in *.
      cbn [sledge_step point table fst snd] in *. rewrite P0.
      set (x' := next_point n eta noise1 before s1) in *.
      assert (Q : fst s2 = fst s1) by exact P1. clearbody s1 s2 x'.
      unfold point, table in *. rewrite Q in *. set (x := fst s1) in *.
      destruct (B i); [unfold gradients; vector_eq u; ring|].
      specialize (IH i). apply (f_equal (fun v => forall u, ip v u = ip (scale z (sub (snd s1 i) (mean_gradient x))) u))
        in IH as IH'.
      vector_eq u. rewrite !ip_vsum_in. unfold gradients.
      assert (E : forall w, sum n (fun j => ind B j * ip (sub (add (mean_gradient x') (scale w (deviation j x')))
          (add (mean_gradient x) (scale w (deviation j x)))) u)
        = INR b * (ip (mean_gradient x') u - ip (mean_gradient x) u)
          + w * sum n (fun j => ind B j * (ip (deviation j x') u - ip (deviation j x) u))).
      { intro w. rewrite <- (uniform_size n b B Hbn FB). rewrite Rmult_comm, <- sum_mul, <- sum_mul, <- sum_add.
        apply sum_ext. intros j _. products. ring. }
      rewrite !E. assert (IHu : ip (snd s2 i) u - ip (mean_gradient x) u
        = z * (ip (snd s1 i) u - ip (mean_gradient x) u)).
      { pose proof (f_equal (fun v => ip v u) IH) as J. cbn beta in J. autorewrite with ip in J. exact J. }
      set (D := sum n _). replace (ip (snd s2 i) u)
        with (ip (mean_gradient x) u + z * (ip (snd s1 i) u - ip (mean_gradient x) u)) by (rewrite <- IHu; ring).
      field. lra. }
  unfold error_of. rewrite !full_gradient. unfold estimate. vector_eq u. rewrite !ip_vsum.
  assert (S : sum n (fun i => ip (table (run2 past) i) u) - INR n * ip (mean_gradient (point (run2 past))) u
    = z * (sum n (fun i => ip (table (run1 past) i) u) - INR n * ip (mean_gradient (point (run1 past))) u)).
  { rewrite <- !sum_const, <- !sum_sub, <- sum_mul. apply sum_ext. intros i _.
    pose proof (f_equal (fun v => ip v u) (K i)) as J. cbn beta in J. autorewrite with ip in J. exact J. }
  apply Rmult_eq_reg_l with (INR n); [|lra].
  replace (INR n * (/ INR n * sum n (fun i => ip (table (run2 past) i) u) - ip (mean_gradient (point (run2 past))) u))
    with (sum n (fun i => ip (table (run2 past) i) u) - INR n * ip (mean_gradient (point (run2 past))) u)
    by (field; lra).
  rewrite S. field. lra.
Qed.
End Fixed_path.

(* ---- Coverage of clients ---- *)

Theorem client_coverage P p K b data T T3 C nu : (1 <= p)%nat -> (p <= P)%nat -> (1 <= T3)%nat -> (1 <= T)%nat ->
  0 < nu -> ln (INR P * INR T / nu) <= C -> INR P / INR p * C <= INR T3 ->
  with_probability (fledge_history P p K b data T) (1 - nu)
    (fun past => forall t i, (t <= T)%nat -> (i < P)%nat -> (age (map clients (at_time t past)) i < T3)%nat).
Proof.
  intros Hp HpP HT3 HT Hnu HC H3.
  pose proof (of_clients P p K b data T _ _ (coverage_printed P p T T3 Hp HpP C nu HT3 HT Hnu HC H3)) as H.
  eapply with_probability_weaken; [apply Rle_refl| |exact H].
  intros past _ F t i Ht Hi. rewrite map_at_time. apply F; assumption.
Qed.

(* ---- Proposition 12: the increment ---- *)

Section Increment.
Context {V : space}.
(* k vectors with sum zero, of which the minibatch I of i has been drawn; sigma^2 is their mean squared length. *)
Variables (k l i : nat) (a : nat -> V) (sigma2 : R) (I : batch).
Hypothesis centred : vsum k a = zero.
Hypothesis moment : sum k (fun j => sq (a j)) <= INR k * sigma2.
Hypothesis size : sum k (ind I) = INR i.

(* The vector that is drawn next is one of those left, all alike. The martingale is (x_1 + ... + x_i)/(k - i): with
   x_{i+1} it changes by x_{i+1}/(k-i-1) + (x_1 + ... + x_i)(1/(k-i-1) - 1/(k-i)). *)
Definition before_it : V := vsum_in k I a.
Definition increment (j : nat) : V :=
  sub (over (k - i - 1) (add before_it (a j))) (over (k - i) before_it).

Theorem noreplace_increment_variance : (i < l)%nat -> (2 * l <= k)%nat ->
  Ex (pick k I) (fun j => ip (increment j) (increment j)) <= 2 * sigma2 / (INR (k - l) * INR (k - l)).
Proof.
  intros Hi Hl.
  assert (D1 : 0 < INR (k - i)) by (apply lt_0_INR; lia).
  assert (D2 : INR (k - i - 1) = INR (k - i) - 1) by (rewrite minus_INR by lia; reflexivity).
  assert (D3 : 0 < INR (k - i - 1)) by (apply lt_0_INR; lia).
  assert (D4 : INR (k - i) = INR k - INR i) by (apply minus_INR; lia).
  set (m := INR (k - i)) in *. set (m' := INR (k - i - 1)) in *.
  assert (Lt : sum k (ind I) < INR k) by (rewrite size; apply lt_INR; lia).
  rewrite Ex_pick by exact Lt. rewrite size, <- D4.
  set (S := before_it).
  (* the sum of those left is - S *)
  assert (L1 : forall u, sum k (fun j => (1 - ind I j) * ip (a j) u) = - ip S u).
  { intro u. rewrite (sum_ext k _ (fun j => ip (a j) u - ind I j * ip (a j) u)) by (intros; ring).
    rewrite sum_sub, <- ip_vsum, centred, ip_zero. unfold S, before_it. rewrite ip_vsum_in. ring. }
  assert (L2 : sum k (fun j => (1 - ind I j)) = m).
  { rewrite sum_sub, sum_const, size, D4. ring. }
  assert (E : sum k (fun j => (1 - ind I j) * ip (increment j) (increment j))
    = / m' * / m' * (sum k (fun j => (1 - ind I j) * sq (a j))) - / m' * / m' * / m * sq S).
  { rewrite (sum_ext k _ (fun j => / m' * / m' * ((1 - ind I j) * sq (a j))
      + 2 * (/ m' * (/ m' - / m)) * ((1 - ind I j) * ip (a j) S)
      + (/ m' - / m) * (/ m' - / m) * sq S * (1 - ind I j))).
    - rewrite !sum_add, !sum_mul, L1, L2. change (ip S S) with (sq S). rewrite D2. field. lra.
    - intros j _. unfold increment. fold S. products. fold m m'. change (ip S S) with (sq S).
      change (ip (a j) (a j)) with (sq (a j)). rewrite (ip_sym S (a j)). ring. }
  rewrite E. clear E.
  set (Q := sum k (fun j => (1 - ind I j) * sq (a j))).
  assert (HQ : Q <= INR k * sigma2).
  { eapply Rle_trans; [|exact moment]. apply sum_le. intros j _. pose proof (ind_bounds I j).
    pose proof (sq_nonneg (a j)). nra. }
  assert (Q0 : 0 <= Q).
  { apply sum_nonneg. intros j _. pose proof (ind_bounds I j). pose proof (sq_nonneg (a j)). nra. }
  assert (K0 : 0 < INR k) by (apply lt_0_INR; lia).
  assert (KM : INR k <= 2 * m). { rewrite D4. assert (INR (2 * i) <= INR k) by (apply le_INR; lia).
    rewrite mult_INR in H. simpl (INR 2) in H. lra. }
  assert (KL : 0 < INR (k - l)) by (apply lt_0_INR; lia).
  assert (LM : INR (k - l) <= m') by (apply le_INR; lia).
  set (r := INR (k - l)) in *.
  assert (S2 : 0 <= sigma2). { apply Rmult_le_reg_l with (INR k); [assumption|]. lra. }
  assert (IM : 0 < / m') by (apply Rinv_0_lt_compat; assumption).
  assert (IN : 0 < / m) by (apply Rinv_0_lt_compat; assumption).
  apply Rle_trans with (/ m' * / m' * Q / m).
  - replace (/ m' * / m' * Q / m) with (/ m * (/ m' * / m' * Q)) by (field; lra).
    apply Rmult_le_compat_l; [lra|]. pose proof (sq_nonneg S).
    assert (0 <= / m' * / m' * / m * sq S) by (repeat apply Rmult_le_pos; lra). lra.
  - assert (Q / m <= 2 * sigma2).
    { apply Rmult_le_reg_r with m; [assumption|]. replace (Q / m * m) with Q by (field; lra).
      apply Rle_trans with (INR k * sigma2); [assumption|]. apply Rle_trans with (2 * m * sigma2); [|lra].
      apply Rmult_le_compat_r; assumption. }
    assert (/ m' <= / r) by (apply Rinv_le_contravar; assumption).
    replace (/ m' * / m' * Q / m) with (Q / m * (/ m' * / m')) by (field; lra).
    replace (2 * sigma2 / (r * r)) with (2 * sigma2 * (/ r * / r)) by (field; lra).
    apply Rmult_le_compat; [apply Rmult_le_pos; lra|apply Rmult_le_pos; lra|assumption|].
    apply Rmult_le_compat; lra.
Qed.
End Increment.

(* ---- Symmetric operators ---- *)

Section Operators.
Context {V : space}.
Definition symmetric (A : V -> V) : Prop := forall u w, ip (A u) w = ip u (A w).
Fixpoint power (A : V -> V) (k : nat) (u : V) : V := match k with O => u | S k => A (power A k u) end.

(* |<S u, u>| <= c |u|^2 for all u makes |S u| <= c |u|: the norm of a symmetric operator is that of its form. *)
Lemma form_norm (S : V -> V) c : symmetric S -> 0 <= c ->
  (forall u, - (c * sq u) <= ip (S u) u <= c * sq u) -> forall u, norm (S u) <= c * norm u.
Proof.
  intros Sy C F u.
  assert (H : forall t, 2 * t * sq (S u) <= c * (sq u + t * t * sq (S u))).
  { intro t. set (w := scale t (S u)).
    assert (E : forall v v', S (add v v') = add (S v) (S v')).
    { intros. vector_eq x. rewrite !Sy. products. ring. }
    assert (E' : forall v v', S (sub v v') = sub (S v) (S v')).
    { intros. vector_eq x. rewrite !Sy. products. ring. }
    pose proof (proj2 (F (add u w))) as F1. pose proof (proj1 (F (sub u w))) as F2.
    rewrite E in F1. rewrite E' in F2. rewrite sq_add in F1. rewrite sq_sub in F2.
    autorewrite with ip in F1, F2. rewrite (Sy w u) in F1, F2. rewrite (ip_sym w (S u)) in F1, F2.
    assert (W : ip (S u) w = t * sq (S u)) by (unfold w; rewrite ip_scale_r; reflexivity).
    assert (W2 : sq w = t * t * sq (S u)) by apply sq_scale.
    rewrite W, W2 in F1, F2. lra. }
  apply norm_le; [apply Rmult_le_pos; [assumption|apply norm_nonneg]|].
  replace (c * norm u * (c * norm u)) with (c * c * (norm u * norm u)) by ring. rewrite norm_sq.
  destruct (Req_dec c 0) as [e|e].
  - specialize (H 1). subst c. pose proof (sq_nonneg (S u)). lra.
  - specialize (H (/ c)). assert (0 < c) by lra.
    apply Rmult_le_reg_l with (/ c); [apply Rinv_0_lt_compat; assumption|].
    replace (/ c * (c * c * sq u)) with (c * sq u) by (field; lra).
    replace (c * (sq u + / c * / c * sq (S u))) with (c * sq u + / c * sq (S u)) in H by (field; lra). lra.
Qed.

Section Powers.
Variable A : V -> V.
Variable low : R.                               (* lambda_min, or any lower bound *)
Hypothesis A_symmetric : symmetric A.
Hypothesis A_low : forall u, low * sq u <= ip (A u) u.
Hypothesis A_high : forall u, ip (A u) u <= sq u.
Hypothesis low_negative : low <= 0.
Notation B := (fun u => sub u (A u)).
Notation P := (power B).

Lemma B_symmetric : symmetric B.
Proof. intros u w. cbv beta. products. rewrite A_symmetric. ring. Qed.
Lemma P_symmetric j : symmetric (P j).
Proof.
  induction j as [|j IH]; intros u w; [reflexivity|]. cbn [power]. rewrite B_symmetric, IH.
  f_equal. clear. induction j as [|j IH]; [reflexivity|]. cbn [power]. rewrite IH. reflexivity.
Qed.
Lemma P_add i j u : P i (P j u) = P (i + j) u.
Proof. induction i as [|i IH]; [reflexivity|]. cbn [power Nat.add]. rewrite IH. reflexivity. Qed.
Lemma P_inner j u : P j (B u) = B (P j u).
Proof. induction j as [|j IH]; [reflexivity|]. cbn [power]. rewrite IH. reflexivity. Qed.
Lemma B_form u : 0 <= ip (B u) u <= (1 - low) * sq u.
Proof. specialize (A_low u). specialize (A_high u). cbv beta. products. unfold sq in *. lra. Qed.
Lemma B_square u : sq (B u) <= (1 - low) * ip (B u) u.
Proof.
  set (c := 1 - low). assert (C : 0 < c) by (unfold c; lra).
  remember (fun v : V => sub v (A v)) as G eqn:EG.
  assert (GS : symmetric G) by (subst G; apply B_symmetric).
  assert (GF : forall v, 0 <= ip (G v) v <= c * sq v) by (intro v; subst G; apply B_form).
  clear EG. change (sq (G u) <= c * ip (G u) u).
  pose proof (proj1 (GF (sub u (scale (/ c) (G u))))) as F.
  set (w := G u) in *.
  assert (E : G (sub u (scale (/ c) w)) = sub w (scale (/ c) (G w))).
  { vector_eq x. rewrite GS. products. unfold w. rewrite !GS. ring. }
  rewrite E in F. autorewrite with ip in F.
  assert (W : ip (G w) u = sq w) by (rewrite GS; reflexivity).
  pose proof (proj2 (GF w)) as K.
  assert (F' : 0 <= ip w u - 2 * / c * sq w + / c * / c * ip (G w) w).
  { rewrite W in F. unfold sq in *. lra. }
  assert (M : / c * / c * ip (G w) w <= / c * sq w).
  { replace (/ c * sq w) with (/ c * / c * (c * sq w)) by (field; lra).
    apply Rmult_le_compat_l; [|assumption]. apply Rmult_le_pos; left; apply Rinv_0_lt_compat; assumption. }
  apply Rmult_le_reg_l with (/ c); [apply Rinv_0_lt_compat; assumption|].
  replace (/ c * (c * ip w u)) with (ip w u) by (field; lra). lra.
Qed.

Definition m (j : nat) (u : V) : R := ip (P j u) u.
Lemma m_double i u : m (i + i) u = sq (P i u).
Proof. unfold m. rewrite <- P_add, P_symmetric. reflexivity. Qed.
Lemma m_double_S i u : m (S (i + i)) u = ip (B (P i u)) (P i u).
Proof.
  unfold m. change (S (i + i)) with (S i + i)%nat. rewrite <- P_add. cbn [power].
  rewrite <- P_inner, P_symmetric. reflexivity.
Qed.
Lemma halves j : exists i, j = (i + i)%nat \/ j = S (i + i).
Proof. induction j as [|j [i [e|e]]]; [exists 0%nat; auto|exists i; lia|exists (S i); lia]. Qed.
Lemma m_nonneg j u : 0 <= m j u.
Proof.
  destruct (halves j) as [i [e|e]]; subst; [rewrite m_double; apply sq_nonneg|rewrite m_double_S; apply B_form].
Qed.
Lemma m_grows j u : m (S j) u <= (1 - low) * m j u.
Proof.
  destruct (halves j) as [i [e|e]]; subst.
  - rewrite m_double_S, m_double. apply B_form.
  - rewrite m_double_S. replace (S (S (i + i))) with (S i + S i)%nat by lia. rewrite m_double. cbn [power].
    apply B_square.
Qed.
Lemma difference (G : V -> V) p u : symmetric G ->
  ip (sub p (G p)) (sub u (G u)) = ip p u - 2 * ip (G p) u + ip (G (G p)) u.
Proof. intro GS. products. rewrite (GS (G p) u), (GS p u). ring. Qed.
Lemma m_difference j u : m j (A u) = m j u - 2 * m (S j) u + m (S (S j)) u.
Proof.
  assert (E : A u = sub u (B u)) by (vector_eq w; ring).
  assert (L : P j (sub u (B u)) = sub (P j u) (B (P j u))).
  { rewrite <- P_inner. vector_eq w. rewrite !P_symmetric. products. ring. }
  unfold m at 1. rewrite E, L. apply (difference B (P j u) u B_symmetric).
Qed.
Lemma m_convex j k u : (j <= k)%nat -> m k u - m (S k) u <= m j u - m (S j) u.
Proof.
  induction 1 as [|k H IH]; [lra|]. pose proof (m_nonneg k (A u)). rewrite m_difference in H0. lra.
Qed.
Lemma m_power j u : m j u <= (1 - low) ^ j * sq u.
Proof.
  induction j as [|j IH]; [unfold m; simpl; unfold sq; lra|]. cbn [pow].
  eapply Rle_trans; [apply m_grows|]. rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|assumption].
Qed.
Lemma m_sum k u : INR (S k) * (m k u - m (S k) u) <= sq u.
Proof.
  assert (H : sum (S k) (fun _ => m k u - m (S k) u) <= sum (S k) (fun j => m j u - m (S j) u)).
  { apply sum_le. intros j Hj. apply m_convex. lia. }
  rewrite sum_const in H. eapply Rle_trans; [exact H|].
  assert (T : forall K, sum K (fun j => m j u - m (S j) u) = m 0 u - m K u).
  { induction K as [|K IH]; [simpl; ring|]. cbn [sum]. rewrite IH. ring. }
  rewrite T. pose proof (m_nonneg (S k) u). change (m 0 u) with (sq u). lra.
Qed.

Theorem eigen_power_bound k u :
  norm (A (P k u)) <= (- low * (1 - low) ^ k + 1 / INR (S k)) * norm u.
Proof.
  assert (K : 0 < INR (S k)) by (apply lt_0_INR; lia). assert (IK : 0 < 1 / INR (S k)).
  { unfold Rdiv. rewrite Rmult_1_l. apply Rinv_0_lt_compat. assumption. }
  assert (G : 0 <= - low * (1 - low) ^ k) by (apply Rmult_le_pos; [lra|apply pow_le; lra]).
  assert (E : forall v, A (P k v) = P k (A v)).
  { intro v. assert (A (P k v) = sub (P k v) (B (P k v))) as -> by (vector_eq w; ring).
    rewrite <- P_inner. vector_eq w. rewrite !P_symmetric. products. ring. }
  apply (form_norm (fun v => A (P k v))).
  - intros v w. rewrite A_symmetric, P_symmetric, E. reflexivity.
  - lra.
  - intro v. assert (F : ip (A (P k v)) v = m k v - m (S k) v).
    { unfold m. cbn [power]. products. ring. }
    rewrite F. pose proof (sq_nonneg v). split.
    + pose proof (m_grows k v). pose proof (m_power k v) as Q.
      assert (- low * m k v <= - low * ((1 - low) ^ k * sq v)) by (apply Rmult_le_compat_l; lra).
      assert (0 <= 1 / INR (S k) * sq v) by (apply Rmult_le_pos; lra). lra.
    + pose proof (m_sum k v) as Q. assert (0 <= - low * (1 - low) ^ k * sq v) by (apply Rmult_le_pos; assumption).
      assert (m k v - m (S k) v <= 1 / INR (S k) * sq v); [|lra].
      apply Rmult_le_reg_l with (INR (S k)); [assumption|].
      replace (INR (S k) * (1 / INR (S k) * sq v)) with (sq v) by (field; lra). assumption.
Qed.
End Powers.

(* H is a Hessian with -gamma <= H <= L: eta H has no eigenvalue above 1 and none below - eta gamma. *)
Theorem induction_operator_norm (H : V -> V) eta gamma L : symmetric H -> 0 <= eta -> 0 <= gamma ->
  (forall u, - gamma * sq u <= ip (H u) u) -> (forall u, ip (H u) u <= L * sq u) ->
  (eta * L <= 1 -> forall u, ip (scale eta (H u)) u <= sq u)
  /\ (forall u, - (eta * gamma) * sq u <= ip (scale eta (H u)) u)
  /\ (forall u, ip (H u) u = - gamma * sq u -> ip (scale eta (H u)) u = - (eta * gamma) * sq u)
  /\ (eta * L <= 2 -> forall u, norm (sub u (scale eta (H u))) <= (1 + eta * gamma) * norm u).
Proof.
  intros Sy He Hg Lo Hi. repeat split.
  - intros HL u. rewrite ip_scale. pose proof (sq_nonneg u).
    apply Rle_trans with (eta * (L * sq u)); [apply Rmult_le_compat_l; auto|].
    rewrite <- Rmult_assoc. rewrite <- (Rmult_1_l (sq u)) at 2. apply Rmult_le_compat_r; assumption.
  - intro u. rewrite ip_scale. replace (- (eta * gamma) * sq u) with (eta * (- gamma * sq u)) by ring.
    apply Rmult_le_compat_l; auto.
  - intros u E. rewrite ip_scale, E. ring.
  - intro HL. assert (0 <= eta * gamma) by (apply Rmult_le_pos; assumption).
    apply (form_norm (fun u => sub u (scale eta (H u)))); [intros u w; products; rewrite Sy; ring|lra|].
    intro u. rewrite ip_sub, ip_scale. change (ip u u) with (sq u). pose proof (sq_nonneg u).
    assert (eta * ip (H u) u <= eta * L * sq u) by (rewrite Rmult_assoc; apply Rmult_le_compat_l; auto).
    assert (eta * L * sq u <= 2 * sq u) by (apply Rmult_le_compat_r; assumption).
    assert (- (eta * gamma) * sq u <= eta * ip (H u) u).
    { replace (- (eta * gamma) * sq u) with (eta * (- gamma * sq u)) by ring. apply Rmult_le_compat_l; auto. }
    assert (0 <= eta * gamma * sq u) by (apply Rmult_le_pos; assumption). split; lra.
Qed.

(* (a) at m steps after the kick, with w = growth r_e e minus the sum, growth = (1 + eta gamma)^m and |e| = 1. *)
Theorem induction_reduction (e rest : V) growth r_e : norm e = 1 -> 0 <= growth -> 0 <= r_e ->
  norm rest <= 1 / 2 * (growth * r_e) ->
  1 / 2 * (growth * r_e) <= norm (sub (scale (growth * r_e) e) rest) <= 2 * (growth * r_e).
Proof.
  intros He Hg Hr H. assert (0 <= growth * r_e) by (apply Rmult_le_pos; assumption).
  assert (E : norm (scale (growth * r_e) e) = growth * r_e) by (rewrite norm_scale, He, Rabs_right by lra; ring).
  split.
  - pose proof (norm_add (sub (scale (growth * r_e) e) rest) rest) as T.
    replace (add (sub (scale (growth * r_e) e) rest) rest) with (scale (growth * r_e) e) in T
      by (vector_eq u; ring). lra.
  - pose proof (norm_sub (scale (growth * r_e) e) rest). lra.
Qed.
End Operators.

(* ---- Lemma 1 inserted into the sum over a run ---- *)

(* Each step is in the windows of no more than T1 times. *)
Lemma windows T T1 (a : nat -> R) : (forall s, 0 <= a s) ->
  sum T (fun t => sum t (fun s => if (t - T1 <=? s)%nat then a s else 0)) <= INR T1 * sum T a.
Proof.
  intro A0.
  assert (E : forall t, (t <= T)%nat -> sum t (fun s => if (t - T1 <=? s)%nat then a s else 0)
    = sum T (fun s => if ((t - T1 <=? s) && (s <? t))%nat then a s else 0)).
  { intros t Ht. replace T with (t + (T - t))%nat by lia. induction (T - t)%nat as [|d IH].
    - rewrite Nat.add_0_r. apply sum_ext. intros s Hs. rewrite (proj2 (Nat.ltb_lt s t) Hs), andb_true_r. reflexivity.
    - rewrite Nat.add_succ_r. cbn [sum]. rewrite <- IH, (proj2 (Nat.ltb_ge (t + d) t)), andb_false_r by lia. ring. }
  rewrite (sum_ext T _ _ (fun t Ht => E t (Nat.lt_le_incl _ _ Ht))), sum_swap, <- sum_mul. apply sum_le. intros s Hs.
  (* the times t with t - T1 <= s < t *)
  assert (C : forall K, sum K (fun t => if ((t - T1 <=? s) && (s <? t))%nat then 1 else 0)
    = INR (Nat.min (K - S s) T1)).
  { induction K as [|K IH]; [reflexivity|]. cbn [sum]. rewrite IH.
    destruct (Nat.leb_spec (K - T1) s), (Nat.ltb_spec s K); simpl andb; cbv iota.
    - replace (Nat.min (S K - S s) T1) with (S (Nat.min (K - S s) T1)) by lia. rewrite S_INR. reflexivity.
    - replace (Nat.min (S K - S s) T1) with (Nat.min (K - S s) T1) by lia. ring.
    - replace (Nat.min (S K - S s) T1) with (Nat.min (K - S s) T1) by lia. ring.
    - replace (Nat.min (S K - S s) T1) with (Nat.min (K - S s) T1) by lia. ring. }
  rewrite (sum_ext T _ (fun t => a s * (if ((t - T1 <=? s) && (s <? t))%nat then 1 else 0)))
    by (intros t _; destruct (andb _ _); ring).
  rewrite sum_mul, C, Rmult_comm. apply Rmult_le_compat_r; [apply A0|apply le_INR; lia].
Qed.

Section Inserted.
Variables (n b T T1 : nat) (C zeta sigma_c2 G_c2 eta L r start final : R).
Hypothesis Hn : (1 <= n)%nat.
Hypothesis Hb : (1 <= b)%nat.
Hypothesis HC : 1 <= C.
Hypothesis HT1 : INR T1 = INR n / INR b * C.
Hypothesis Heta : 0 < eta.
Hypothesis Hs : 0 <= sigma_c2.
Hypothesis Hg : 0 <= G_c2.
(* the squared gradients, the squared steps |x^{s+1} - x^s|^2 and the squared errors *)
Variables gradient2 step2 error2 : nat -> R.
Hypothesis steps : forall s, 0 <= step2 s.
(* first-sum-descent, lines 1484-1490 *)
Hypothesis descent : sum T gradient2 <= 2 / eta * (start - final - sum T (fun s => (1 / (2 * eta) - L / 2) * step2 s)
  + eta * sum T error2) + 2 * INR T * (r * r) / (eta * eta).
Notation window t := (sum t (fun s => if (t - T1 <=? s)%nat then step2 s else 0)).
Notation factor := (15 * C ^ 8 * (zeta * zeta) / INR b).
Notation first t := (if (t <? T1)%nat then 12 * C ^ 2 / INR b * (sigma_c2 + G_c2 / INR b) else 0).

Lemma inserted (init : R) : 0 <= init ->
  (forall t, (t < T)%nat -> error2 t <= factor * window t + (if (t <? T1)%nat then init else 0)) ->
  sum T gradient2 <= 2 / eta * (start - final
    - (1 / (2 * eta) - L / 2 - 15 * C ^ 9 * eta * (zeta * zeta) * INR n / (INR b * INR b)) * sum T step2
    + eta * (INR T1 * init)) + 2 * INR T * (r * r) / (eta * eta).
Proof.
  intros I0 H. assert (B0 : 0 < INR b) by (apply lt_0_INR; lia).
  eapply Rle_trans; [exact descent|]. apply Rplus_le_compat_r, Rmult_le_compat_l.
  { apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; assumption]. }
  rewrite sum_mul.
  assert (E : sum T error2 <= factor * (INR T1 * sum T step2) + INR T1 * init).
  { apply Rle_trans with (sum T (fun t => factor * window t + (if (t <? T1)%nat then init else 0)));
      [apply sum_le, H|]. rewrite sum_add, sum_mul. apply Rplus_le_compat.
    - apply Rmult_le_compat_l; [|apply windows, steps]. unfold Rdiv.
      apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat; lra]. apply Rmult_le_pos; [|apply Rle_0_sqr].
      apply Rmult_le_pos; [lra|apply pow_le; lra].
    - assert (Q : forall K, sum K (fun t => if (t <? T1)%nat then init else 0) = INR (Nat.min K T1) * init).
      { induction K as [|K IH]; [simpl; ring|]. cbn [sum]. rewrite IH. destruct (Nat.ltb_spec K T1).
        - rewrite !Nat.min_l by lia. rewrite S_INR. ring.
        - rewrite !Nat.min_r by lia. ring. }
      rewrite Q. apply Rmult_le_compat_r; [assumption|apply le_INR; lia]. }
  assert (eta * sum T error2 <= eta * (factor * (INR T1 * sum T step2) + INR T1 * init))
    by (apply Rmult_le_compat_l; lra).
  replace (eta * (factor * (INR T1 * sum T step2) + INR T1 * init))
    with (15 * C ^ 9 * eta * (zeta * zeta) * INR n / (INR b * INR b) * sum T step2 + eta * (INR T1 * init)) in H0.
  - lra.
  - rewrite HT1. simpl pow. field. lra.
Qed.

Theorem variance_inserted :
  ((forall t, (t < T)%nat -> error2 t <= factor * window t) ->
   sum T gradient2 <= 2 / eta * (start - final
     - (1 / (2 * eta) - L / 2 - 15 * C ^ 9 * eta * (zeta * zeta) * INR n / (INR b * INR b)) * sum T step2)
     + 2 * INR T * (r * r) / (eta * eta))
  /\ ((forall t, (t < T)%nat -> error2 t <= factor * window t + first t) ->
   sum T gradient2 <= 2 / eta * (start - final
     - (1 / (2 * eta) - L / 2 - 15 * C ^ 9 * eta * (zeta * zeta) * INR n / (INR b * INR b)) * sum T step2
     + 12 * eta * C ^ 3 * INR n / (INR b * INR b) * (sigma_c2 + G_c2 / INR b))
     + 2 * INR T * (r * r) / (eta * eta)).
Proof.
  assert (B0 : 0 < INR b) by (apply lt_0_INR; lia). split; intro H.
  - pose proof (inserted 0 ltac:(lra)) as I. rewrite !Rmult_0_r, Rplus_0_r in I. apply I. intros t Ht.
    destruct (t <? T1)%nat; rewrite Rplus_0_r; apply H, Ht.
  - pose proof (inserted (12 * C ^ 2 / INR b * (sigma_c2 + G_c2 / INR b))) as I.
    replace (12 * eta * C ^ 3 * INR n / (INR b * INR b) * (sigma_c2 + G_c2 / INR b))
      with (eta * (INR T1 * (12 * C ^ 2 / INR b * (sigma_c2 + G_c2 / INR b)))) by (rewrite HT1; simpl pow; field; lra).
    apply I; [|exact H]. assert (0 <= G_c2 / INR b)
      by (apply Rmult_le_pos; [assumption|left; apply Rinv_0_lt_compat; lra]).
    apply Rmult_le_pos; [|lra]. unfold Rdiv. apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat; lra].
    apply Rmult_le_pos; [lra|apply pow_le; lra].
Qed.
End Inserted.
