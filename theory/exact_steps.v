(* What the entries say of SLEDGE that runs over all choices decide for small sizes alone: here for every space, all
   functions, n, b, T, step sizes and noise.

   Contents
     error_contracts             given the past, the mean of the next error is 1 - b/n times the last (lines 333,
       347-349)
     error_unbiased_II, _I       along a run the error has mean zero, Options II and I
     changes_unbiased            so has each summand of its identity
     step_moments                what a step does to squared errors in the mean
     centred_minibatch           the differences of Lemma 18's proof have mean zero (lines 1269-1271)
     deviation_law               u_s^t given the later sets (lines 1309-1312)
     error_everywhere            Option II on every path: zeta times the path, weighted by what is left out
     error_in_window             the same where every index was drawn in a window
     three_terms                 the error and three of its parts (lines 1207-1219, 1404-1435)
     split_by_means              the part of the minibatches, by the mean number of what is left out (lines 1251-1266)
     first_rows_split            Option I: the rows of the start (lines 1343-1362)
     step_and_polarisation       a step, and an inner product as a difference of squares (lines 1109-1137)
     saga_target                 the mean of what changed since the last draws (lines 326-330)
     zero_heterogeneity_descent  zeta = 0, Option II: SLEDGE is gradient descent, whatever b
     saga_unbiased, sarah_contracts, sarah_zero_heterogeneity
                                 the next errors of SAGA and SARAH in the mean; SARAH for zeta = 0
     phases                      the classes of phases, and what those of the first class cost (lines
                                 1930-1942, 3045-3061) *)
From Coq Require Import Reals Lra Lia PeanoNat List Bool.
From Sledge Require Import vectors means minibatches algorithms problems second_moments sledge_errors steps coverage.
From Sledge Require Import identities special_cases.
Import ListNotations.
Open Scope R_scope.

Section Steps.
Context {V : space}.
Variables (n b : nat).
Hypothesis Hb : (1 <= b)%nat.
Hypothesis Hbn : (b <= n)%nat.
Variables (grad : nat -> V -> V) (eta : R).
Notation N := (INR n).
Notation B := (INR b).
Notation q := (1 - B / N).
Notation full := (gradient n grad).
Notation err := (error n grad).

Lemma at_least_one : 1 <= B <= N.
Proof. split; [change 1 with (INR 1)|]; apply le_INR; lia. Qed.

(* Given what was drawn before, E <e^t, w> = (1 - b/n) <e^{t-1}, w> for every w, from any table. *)
Theorem error_contracts (noise : list batch -> V) past s w :
  Ex (uniform n b) (fun I => ip (err (sledge_step n b eta noise grad past s I)) w) = q * ip (err s) w.
Proof.
  pose proof at_least_one as [B1 BN].
  rewrite (Ex_ext _ _ (fun I => ip (mean_of n (new_row n b (row_error grad s)
    (change n grad (point s) (next_point n eta noise past s)) I)) w)).
  2:{ intros I PI. rewrite error_is_mean. unfold mean_of. do 2 f_equal. apply vsum_ext. intros i _.
      apply row_step; assumption. }
  rewrite error_is_mean. destruct (Nat.eq_dec n 1) as [e|e].
  - assert (b = 1)%nat by lia. subst n b.
    rewrite (Ex_ext _ _ (fun _ => 0)).
    + rewrite Ex_const. simpl INR. field.
    + intros I PI. apply uniform_1 in PI. unfold mean_of, new_row. cbn [vsum]. rewrite PI. products. ring.
  - apply error_mean; try assumption; [lia|]. apply (change_centred n b Hb Hbn).
Qed.

(* Along a run the error has mean zero: for Option II from any point, *)
Theorem error_unbiased_II (noise : list batch -> V) x0 t w :
  Ex (sledge_history n b t) (fun past => ip (err (sledge n b eta noise grad (sledge_start_II grad x0) past)) w) = 0.
Proof.
  unfold sledge_history. induction t as [|t IH].
  - rewrite Ex_history_O. cbn [sledge]. unfold error, estimate, gradient. cbn [sledge_start_II table point fst snd].
    rewrite sub_self. apply ip_zero.
  - rewrite Ex_history_S. cbn [sledge].
    rewrite (Ex_ext _ _ _ (fun past _ => error_contracts noise past _ w)), Ex_mul, IH. ring.
Qed.
(* and for Option I in the mean over the first minibatch too, which the noise may know. *)
Theorem error_unbiased_I (noise : batch -> list batch -> V) x0 t w :
  Ex (uniform n b) (fun I0 => Ex (sledge_history n b t) (fun past =>
    ip (err (sledge n b eta (noise I0) grad (sledge_start_I n b grad x0 I0) past)) w)) = 0.
Proof.
  pose proof at_least_one as [B1 BN]. unfold sledge_history. induction t as [|t IH].
  - rewrite (Ex_ext _ _ (fun I0 => / B * ip (vsum_in n I0 (fun i => grad i x0)) w - ip (full x0) w)).
    + rewrite Ex_sub, Ex_mul, Ex_const, (minibatch_mean n b Hbn), ip_gradient, <- ip_vsum. field. lra.
    + intros I0 _. rewrite Ex_history_O. cbn [sledge]. unfold error, estimate.
      cbn [sledge_start_I table point fst snd]. products. rewrite ip_vsum. products. rewrite sum_const. field. lra.
  - rewrite (Ex_ext _ _ (fun I0 => q * Ex (history (uniform n b) t) (fun past =>
      ip (err (sledge n b eta (noise I0) grad (sledge_start_I n b grad x0 I0) past)) w))).
    + rewrite Ex_mul, IH. ring.
    + intros I0 _. rewrite Ex_history_S. cbn [sledge].
      rewrite (Ex_ext _ _ _ (fun past _ => error_contracts (noise I0) past _ w)). apply Ex_mul.
Qed.

(* What a step does to the squares in the mean, n >= 2: with z_i the errors of the rows before it, e their mean, c_i
   how
   much the change of grad f_i exceeds that of grad f, P = (1/n) sum |z_i|^2, kappa = (1/n) sum |c_i|^2 and
   X = (1/n) sum <c_i, z_i>. *)
Theorem step_moments (noise : list batch -> V) past s : (2 <= n)%nat ->
  let c := change n grad (point s) (next_point n eta noise past s) in
  let P st := mean_sq n (row_error grad st) in
  let kappa := mean_sq n c in
  let X := / N * sum n (fun i => ip (c i) (row_error grad s i)) in
  let after := sledge_step n b eta noise grad past s in
  Ex (uniform n b) (fun I => sq (err (after I)))
    = q ^ 2 * sq (err s) + q * N / (N - 1) * (kappa / B - 2 * X / N + B / N ^ 2 * (P s - sq (err s)))
  /\ Ex (uniform n b) (fun I => P (after I))
    = q * (P s - 2 * X * N / (N - 1) + kappa * ((N + 1) / (N - 1) + (N - B) / (B * (N - 1))))
  /\ forall w, Ex (uniform n b) (fun I => ip (err (after I)) w) = q * ip (err s) w.
Proof.
  intros Hn c P kappa X after. pose proof at_least_one as [B1 BN].
  assert (N2 : 2 <= N) by (change 2 with (INR 2); apply le_INR; assumption).
  assert (C : vsum n c = zero) by (apply (change_centred n b Hb Hbn)).
  assert (R : forall I, possible (uniform n b) I -> forall i, row_error grad (after I) i
    = new_row n b (row_error grad s) c I i) by (intros; apply row_step; assumption).
  split; [|split].
  - rewrite (Ex_ext _ _ (fun I => sq (mean_of n (new_row n b (row_error grad s) c I)))).
    + rewrite (error_moment n b Hn Hb Hbn _ _ C), <- error_is_mean. fold kappa. unfold rho, mean_ip.
      fold X. fold (P s). field. lra.
    + intros I PI. rewrite error_is_mean. unfold mean_of. do 2 f_equal. apply vsum_ext. intros i _.
      apply R, PI.
  - rewrite (Ex_ext _ _ (fun I => mean_sq n (new_row n b (row_error grad s) c I))).
    + rewrite (rows_moment n b Hn Hb Hbn _ _ C). fold kappa. unfold mean_ip. fold X. fold (P s). field. lra.
    + intros I PI. unfold P, mean_sq. f_equal. apply sum_ext. intros i _. rewrite (R I PI). reflexivity.
  - intro w. apply error_contracts.
Qed.

(* Given the run up to x^s, the mean over I^s of a number times the sum of what is centred is zero. *)
Theorem centred_minibatch a x x' w : Ex (uniform n b) (fun I => ip (scale a (vsum_in n I (change n grad x x'))) w) =
  0.
Proof.
  rewrite (Ex_ext _ _ (fun I => a * ip (vsum_in n I (change n grad x x')) w)) by (intros; apply ip_scale).
  rewrite Ex_mul, (minibatch_mean n b Hbn), (change_centred n b Hb Hbn). products. ring.
Qed.
End Steps.

(* u_s^t = |U_s| - (1 - b/n) |U_{s+1}| given the later sets, U_s being what none of I^s, ..., I^t has: it is the
   mean of a
   sum over a minibatch minus that sum, of the numbers 1[i in U_{s+1}]; so its mean is zero. For s = t, where
     nothing is
   later, it is zero. *)
Theorem deviation_law n b later : (1 <= n)%nat -> (b <= n)%nat ->
  let a := ind (left_out later) in
  let u I := size n (left_out (later ++ [I])) - (1 - INR b / INR n) * size n (left_out later) in
  (forall I, u I = Ex (uniform n b) (fun J => sum n (fun i => ind J i * a i)) - sum n (fun i => ind I i * a i))
  /\ Ex (uniform n b) u = 0
  /\ (later = [] -> forall I, possible (uniform n b) I -> u I = 0).
Proof.
  intros Hn Hbn a u. assert (N0 : 0 < INR n) by (apply lt_0_INR; lia).
  assert (E : forall I, u I = Ex (uniform n b) (fun J => sum n (fun i => ind J i * a i)) - sum n (fun i => ind I i *
    a i)).
  { intro I. rewrite (Ex_linear n b Hbn). unfold u. unfold size at 1.
    rewrite (sum_ext n _ (fun i => a i - ind I i * a i)) by (intros; rewrite left_out_earlier; unfold a; ring).
    rewrite sum_sub. unfold size, a. field. lra. }
  split; [exact E|]. split.
  - rewrite (Ex_ext _ _ _ (fun I _ => E I)), Ex_sub, Ex_const. ring.
  - intros L I PI. rewrite E, (Ex_linear n b Hbn).
    rewrite (sum_ext n a (fun _ => 1)) by (intros; unfold a; rewrite L; reflexivity).
    rewrite (sum_ext n (fun i => ind I i * a i) (ind I)) by (intros; unfold a; rewrite L; unfold ind, left_out;
      simpl; ring).
    rewrite sum_const, (uniform_size n b I Hbn PI). field. lra.
Qed.

(* ---- Sums over a window ---- *)

(* A sum whose terms vanish before the last T1. *)
Lemma windowed t T1 (a : nat -> R) : (forall k, (k < t)%nat -> (k + T1 < t)%nat -> a k = 0) ->
  sum t a = sum t (fun k => if (t - T1 <=? k)%nat then a k else 0).
Proof.
  intro H. apply sum_ext. intros k Hk. destruct (Nat.leb_spec (t - T1) k); [reflexivity|]. apply H; lia.
Qed.
Lemma window_count t T1 : sum t (fun k => if (t - T1 <=? k)%nat then 1 else 0) <= INR T1.
Proof.
  assert (E : forall m, sum m (fun k => if (t - T1 <=? k)%nat then 1 else 0) = INR (m - (t - T1))).
  { induction m as [|m IH]; [reflexivity|]. cbn [sum]. rewrite IH. destruct (Nat.leb_spec (t - T1) m).
    - replace (S m - (t - T1))%nat with (S (m - (t - T1))) by lia. rewrite S_INR. lra.
    - replace (S m - (t - T1))%nat with (m - (t - T1))%nat by lia. lra. }
  rewrite E. apply le_INR. lia.
Qed.
(* Cauchy-Schwarz in a window. *)
Lemma window_square t T1 (a : nat -> R) : sum t (fun k => if (t - T1 <=? k)%nat then a k else 0) ^ 2
  <= INR T1 * sum t (fun k => if (t - T1 <=? k)%nat then a k * a k else 0).
Proof.
  set (o := fun k => if (t - T1 <=? k)%nat then 1 else 0).
  set (s := sum t (fun k => if (t - T1 <=? k)%nat then a k else 0)).
  set (s2 := sum t (fun k => if (t - T1 <=? k)%nat then a k * a k else 0)).
  pose proof (window_count t T1) as W. fold o in W. set (m := sum t o) in *.
  assert (Q : forall r, 0 <= s2 - 2 * r * s + r * r * m).
  { intro r. replace (s2 - 2 * r * s + r * r * m) with (sum t (fun k => o k * ((a k - r) * (a k - r)))).
    - apply sum_nonneg. intros k _. unfold o. destruct (Nat.leb (t - T1) k); [|lra].
      rewrite Rmult_1_l. apply Rle_0_sqr.
    - unfold s2, s, m. rewrite <- !sum_mul, <- sum_sub, <- sum_add. apply sum_ext. intros k _. unfold o.
      destruct (Nat.leb (t - T1) k); ring. }
  assert (M0 : 0 <= m) by (apply sum_nonneg; intros k _; unfold o; destruct (Nat.leb (t - T1) k); lra).
  assert (S0 : 0 <= s2) by (apply sum_nonneg; intros k _; destruct (Nat.leb (t - T1) k); [apply Rle_0_sqr|lra]).
  destruct (Rle_lt_or_eq_dec 0 m M0) as [P|Z].
  - pose proof (Q (s / m)) as H. replace (s2 - 2 * (s / m) * s + s / m * (s / m) * m) with (s2 - s * s / m) in H
      by (field; lra).
    assert (s * s <= m * s2).
    { apply Rmult_le_reg_l with (/ m); [apply Rinv_0_lt_compat; assumption|].
      replace (/ m * (m * s2)) with s2 by (field; lra). unfold Rdiv in H. lra. }
    apply Rle_trans with (m * s2); [simpl; lra|]. apply Rmult_le_compat_r; assumption.
  - assert (s = 0).
    { destruct (Rtotal_order s 0) as [l|[e|g]]; [|assumption|].
      - pose proof (Q ((s2 + 1) / (2 * s))) as H. replace (2 * ((s2 + 1) / (2 * s)) * s) with (s2 + 1) in H by
        (field; lra).
        rewrite <- Z in H. lra.
      - pose proof (Q ((s2 + 1) / (2 * s))) as H. replace (2 * ((s2 + 1) / (2 * s)) * s) with (s2 + 1) in H by
        (field; lra).
        rewrite <- Z in H. lra. }
    rewrite H. assert (0 <= INR T1 * s2) by (apply Rmult_le_pos; [apply pos_INR|assumption]). simpl. lra.
Qed.

(* ---- Bounds that hold on every path ---- *)

Section Paths.
Context {V : space}.
Variables (n b : nat).
Hypothesis Hb : (1 <= b)%nat.
Hypothesis Hbn : (b <= n)%nat.
Variables (grad : nat -> V -> V) (eta zeta : R) (noise : list batch -> V) (start : V * (nat -> V)).
Notation N := (INR n).
Notation B := (INR b).
Notation full := (gradient n grad).
Notation run := (sledge n b eta noise grad start).
Notation path := (path n b eta noise grad start).
Notation delta := (path_change n b eta noise grad start).
Notation U s past := (undrawn s past).

(* grad f_i(x^s) - grad f_i(x^{s-1}) less the same of grad f *)
Definition excess (s : nat) (past : list batch) (i : nat) : V :=
  sub (delta s past i) (sub (full (path s past)) (full (path (s - 1) past))).

Lemma drawn_possible s past : Forall (possible (uniform n b)) past -> (1 <= s <= length past)%nat ->
  possible (uniform n b) (minibatch s past).
Proof.
  intros F. revert s. induction F as [|I past PI F IH]; intros s H; [simpl in H; lia|]. cbn [length] in H.
  destruct (Nat.eq_dec s (S (length past))) as [->|e]; [rewrite minibatch_now; assumption|].
  rewrite minibatch_before by lia. apply IH. lia.
Qed.

(* One summand of the identity of the error: |U_s| of the mean change over I^s, less the changes in U_s. *)
Lemma summand s past w : Forall (possible (uniform n b)) past -> (1 <= s <= length past)%nat ->
  ip (sub (scale (size n (U s past) / B) (vsum_in n (minibatch s past) (delta s past))) (vsum_in n (U s past) (delta
    s past))) w
  = ip (vsum_in n (U s past) (fun i => over b (vsum_in n (minibatch s past) (fun j =>
      sub (delta s past j) (delta s past i))))) w.
Proof.
  intros F Hs. pose proof (uniform_size n b _ Hbn (drawn_possible s past F Hs)) as Size.
  assert (B0 : 0 < B) by (apply lt_0_INR; lia).
  set (D i := ip (delta s past i) w). set (I := minibatch s past) in *. symmetry.
  rewrite ip_vsum_in, (sum_ext n _
    (fun i => / B * sum n (fun j => ind I j * D j) * ind (U s past) i - ind (U s past) i * D i)).
  2:{ intros i _. rewrite ip_over, ip_vsum_in.
      rewrite (sum_ext n _ (fun j => ind I j * D j - D i * ind I j)) by (intros; rewrite ip_sub; unfold D; ring).
      rewrite sum_sub, sum_mul, Size. field. lra. }
  rewrite sum_sub, sum_mul, ip_sub, ip_scale, !ip_vsum_in. unfold size, Rdiv. unfold D. ring.
Qed.

(* The identity of the error, with summands that compare components. *)
Lemma error_compared past w : Forall (possible (uniform n b)) past ->
  ip (error n grad (run past)) w
  = ip (over n (vsum (length past) (fun k => vsum_in n (U (S k) past) (fun i => over b (vsum_in n (minibatch (S k)
    past)
      (fun j => sub (delta (S k) past j) (delta (S k) past i))))))) w
    + ip (over n (vsum_in n (U 1 past) (fun i => sub (table start i) (grad i (point start))))) w.
Proof.
  intro F. unfold error. pose proof (error_identity n b eta noise grad start past) as E. cbn zeta in E. rewrite E.
  rewrite ip_add, !ip_over, !ip_vsum. do 2 f_equal. apply sum_ext. intros k Hk. apply summand; [assumption|lia].
Qed.

(* The three parts of the error where what comes before the last T1 steps leaves nothing: with c_i^s = [excess],
     (a) = (1/n) sum_s sum_{i in U_s} c_i^s,   (b) = (1/n) sum_s (|U_s|/b) sum_{i in I^s} c_i^s,
   s over the last T1 steps, and (c) = (1/n) sum_{i in U_1} (y_i^0 - grad f_i(x^0)) if t <= T1. *)
Definition part_left (T1 : nat) (past : list batch) : V := over n (vsum (length past) (fun k =>
  if (length past - T1 <=? k)%nat then vsum_in n (U (S k) past) (excess (S k) past) else zero)).
Definition part_drawn (T1 : nat) (past : list batch) : V := over n (vsum (length past) (fun k =>
  if (length past - T1 <=? k)%nat
  then scale (size n (U (S k) past) / B) (vsum_in n (minibatch (S k) past) (excess (S k) past)) else zero)).
Definition part_first (past : list batch) : V :=
  over n (vsum_in n (U 1 past) (fun i => sub (table start i) (grad i (point start)))).

Lemma sum_excess I s past w : ip (vsum_in n I (excess s past)) w = ip (vsum_in n I (delta s past)) w
  - size n I * ip (sub (full (path s past)) (full (path (s - 1) past))) w.
Proof.
  rewrite !ip_vsum_in. unfold size. rewrite (Rmult_comm (sum n (ind I))), <- sum_mul, <- sum_sub. apply sum_ext.
  intros i _. unfold excess. rewrite ip_sub. ring.
Qed.
Lemma sq_three (u v w : V) : sq (add (sub u v) w) <= 3 * (sq v + sq u + sq w).
Proof.
  pose proof (sq_nonneg (add u v)) as H1. pose proof (sq_nonneg (sub u w)) as H2. pose proof (sq_nonneg (add v w))
    as H3.
  rewrite sq_add in H1, H3. rewrite sq_sub in H2. rewrite sq_add, sq_sub, ip_sub. lra.
Qed.
Theorem three_terms past T1 : Forall (possible (uniform n b)) past ->
  (forall s, (1 <= s)%nat -> (s + T1 <= length past)%nat -> forall i, (i < n)%nat -> U s past i = false) ->
  let t := length past in
  sq (error n grad (run past)) <= 3 * (sq (part_left T1 past) + sq (part_drawn T1 past)
    + (if (t <=? T1)%nat then sq (part_first past) else 0))
  /\ sq (part_left T1 past) <= INR T1 / N ^ 2 * sum t (fun k => if (t - T1 <=? k)%nat
       then sq (vsum_in n (U (S k) past) (excess (S k) past)) else 0).
Proof.
  intros F W t. assert (N0 : 0 < N) by (apply lt_0_INR; lia). assert (B0 : 0 < B) by (apply lt_0_INR; lia).
  assert (None : forall s a, (1 <= s)%nat -> (s + T1 <= t)%nat -> vsum_in n (U s past) a = (zero : V)).
  { intros s a H1 H2. apply ip_ext. intro w. rewrite ip_vsum_in, ip_zero. apply sum_zero. intros i Hi. unfold ind.
    rewrite W by assumption. ring. }
  assert (None0 : forall s, (1 <= s)%nat -> (s + T1 <= t)%nat -> size n (U s past) = 0).
  { intros s H1 H2. apply sum_zero. intros i Hi. unfold ind. rewrite W by assumption. reflexivity. }
  split.
  - assert (E : error n grad (run past) = add (sub (part_drawn T1 past) (part_left T1 past))
      (if (t <=? T1)%nat then part_first past else zero)).
    { apply ip_ext. intro w. unfold error. pose proof (error_identity n b eta noise grad start past) as E. cbn zeta
      in E.
      rewrite E, ip_add. clear E. rewrite (ip_add (sub _ _)). f_equal.
      - unfold part_drawn, part_left. rewrite ip_sub, !ip_over, !ip_vsum, <- Rmult_minus_distr_l, <- sum_sub. f_equal.
        fold t. apply sum_ext. intros k Hk. destruct (Nat.leb_spec (t - T1) k).
        + rewrite ip_sub, !ip_scale, !sum_excess.
          pose proof (uniform_size n b _ Hbn (drawn_possible (S k) past F ltac:(fold t; lia))) as Size.
          change (sum n (ind (minibatch (S k) past))) with (size n (minibatch (S k) past)) in Size. rewrite Size.
          field. lra.
        + rewrite ip_zero, None, None0 by lia. rewrite ip_sub, ip_scale, ip_zero. unfold Rdiv. ring.
      - destruct (Nat.leb_spec t T1); [reflexivity|]. unfold part_first. rewrite None by lia.
        rewrite ip_over, ip_zero. ring. }
    rewrite E. eapply Rle_trans; [apply sq_three|]. right. destruct (Nat.leb t T1); [ring|]. rewrite sq_zero. ring.
  - unfold part_left. rewrite sq_over. fold t.
    set (f k := if (t - T1 <=? k)%nat then vsum_in n (U (S k) past) (excess (S k) past) else zero).
    set (s2 := sum t (fun k => if (t - T1 <=? k)%nat then sq (vsum_in n (U (S k) past) (excess (S k) past)) else 0)).
    assert (S0 : 0 <= s2) by (apply sum_nonneg; intros k _; destruct (Nat.leb (t - T1) k); [apply sq_nonneg|lra]).
    assert (Q : sq (vsum t f) <= INR T1 * s2).
    { assert (M : norm (vsum t f) <= sum t (fun k => if (t - T1 <=? k)%nat then norm (f k) else 0)).
      { eapply Rle_trans; [apply norm_vsum|]. right. apply sum_ext. intros k _. unfold f.
        destruct (Nat.leb (t - T1) k); [reflexivity|apply norm_zero]. }
      apply sq_le in M. eapply Rle_trans; [exact M|].
      pose proof (window_square t T1 (fun k => norm (f k))) as C. cbn beta in C.
      replace (sum t (fun k => if (t - T1 <=? k)%nat then norm (f k) * norm (f k) else 0)) with s2 in C; [simpl in
        C; lra|].
      apply sum_ext. intros k _. unfold f. destruct (Nat.leb (t - T1) k); [rewrite norm_sq|]; reflexivity. }
    replace (INR T1 / N ^ 2 * s2) with (/ N * / N * (INR T1 * s2)) by (field; lra).
    apply Rmult_le_compat_l; [|exact Q]. apply Rlt_le, Rmult_lt_0_compat; apply Rinv_0_lt_compat; assumption.
Qed.

(* Sums over the last T1 steps, of vectors a with weights. *)
Lemma window_sq t T1 (c : nat -> R) (a : nat -> V) :
  sq (vsum t (fun k => if (t - T1 <=? k)%nat then scale (c k) (a k) else zero))
  <= INR T1 * sum t (fun k => if (t - T1 <=? k)%nat then c k ^ 2 * sq (a k) else 0).
Proof.
  assert (M : norm (vsum t (fun k => if (t - T1 <=? k)%nat then scale (c k) (a k) else zero))
    <= sum t (fun k => if (t - T1 <=? k)%nat then norm (scale (c k) (a k)) else 0)).
  { eapply Rle_trans; [apply norm_vsum|]. right. apply sum_ext. intros k _.
    destruct (Nat.leb (t - T1) k); [reflexivity|apply norm_zero]. }
  apply sq_le in M. eapply Rle_trans; [exact M|].
  pose proof (window_square t T1 (fun k => norm (scale (c k) (a k)))) as C. cbn beta in C.
  replace (sum t (fun k => if (t - T1 <=? k)%nat then norm (scale (c k) (a k)) * norm (scale (c k) (a k)) else 0))
    with (sum t (fun k => if (t - T1 <=? k)%nat then c k ^ 2 * sq (a k) else 0)) in C.
  { rewrite <- Rsqr_pow2 in C. exact C. }
  apply sum_ext. intros k _. destruct (Nat.leb (t - T1) k); [|reflexivity]. rewrite norm_sq, sq_scale. simpl. ring.
Qed.
(* With a^s = (1/b) sum_{i in I^s} c_i^s and m_s = n (1 - b/n)^{t-s+1}, the mean of |U_s| (undrawn_mean). *)
Definition mean_left (t s : nat) : R := N * (1 - B / N) ^ (t - s + 1).
Definition drawn_excess (past : list batch) (k : nat) : V :=
  over b (vsum_in n (minibatch (S k) past) (excess (S k) past)).
Definition by_weights (T1 : nat) (past : list batch) (c : nat -> R) : V := over n (vsum (length past) (fun k =>
  if (length past - T1 <=? k)%nat then scale (c (S k)) (drawn_excess past k) else zero)).
Theorem split_by_means past T1 : let t := length past in
  let u s := size n (U s past) in let m s := mean_left t s in
  sq (by_weights T1 past u) <= 2 * sq (by_weights T1 past m) + 2 * sq (by_weights T1 past (fun s => u s - m s))
  /\ 2 * sq (by_weights T1 past (fun s => u s - m s)) <= 2 * INR T1 / N ^ 2 * sum t (fun k =>
    if (t - T1 <=? k)%nat then (u (S k) - m (S k)) ^ 2 * sq (drawn_excess past k) else 0).
Proof.
  intros t u m. assert (N0 : 0 < N) by (apply lt_0_INR; lia). split.
  - assert (E : by_weights T1 past u = add (by_weights T1 past m) (by_weights T1 past (fun s => u s - m s))).
    { apply ip_ext. intro w. unfold by_weights. rewrite ip_add, !ip_over, !ip_vsum, <- Rmult_plus_distr_l, <- sum_add.
      f_equal. apply sum_ext. intros k _. destruct (Nat.leb (length past - T1) k); [rewrite !ip_scale|rewrite
        ip_zero];
        ring. }
    rewrite E. pose proof (sq_add_le (by_weights T1 past m) (by_weights T1 past (fun s => u s - m s))). lra.
  - unfold by_weights. rewrite sq_over. fold t.
    pose proof (window_sq t T1 (fun k => u (S k) - m (S k)) (drawn_excess past)) as W. cbn beta in W.
    set (A := sq _) in *. set (D := sum t _) in *.
    replace (2 * INR T1 / N ^ 2 * D) with (/ N * / N * (2 * (INR T1 * D))) by (field; lra).
    replace (2 * (/ N * / N * A)) with (/ N * / N * (2 * A)) by ring.
    apply Rmult_le_compat_l; [|lra]. apply Rlt_le, Rmult_lt_0_compat; apply Rinv_0_lt_compat; assumption.
Qed.
(* Option I: what the rows that are still those of the start are wrong by, of any set W of them. *)
Theorem first_rows_split I0 x0 (W : batch) : possible (uniform n b) I0 ->
  let y0 := table (sledge_start_I n b grad x0 I0) in
  let first := over n (vsum_in n W (fun i => sub (y0 i) (grad i x0))) in
  let drawn := over n (scale (size n W / B) (vsum_in n I0 (fun i => sub (grad i x0) (full x0)))) in
  let own := over n (vsum_in n W (fun i => sub (full x0) (grad i x0))) in
  first = add drawn own /\ sq first <= 2 * (sq drawn + sq own).
Proof.
  intros PI y0 first drawn own. assert (B0 : 0 < B) by (apply lt_0_INR; lia).
  pose proof (uniform_size n b I0 Hbn PI) as Size.
  assert (E : first = add drawn own).
  { apply ip_ext. intro w. unfold first, drawn, own, y0. cbn [sledge_start_I table snd].
    rewrite ip_add, !ip_over, ip_scale, !ip_vsum_in, <- Rmult_plus_distr_l. f_equal.
    rewrite (sum_ext n (fun i => ind I0 i * ip (sub (grad i x0) (full x0)) w)
      (fun i => ind I0 i * ip (grad i x0) w - ip (full x0) w * ind I0 i)) by (intros; rewrite ip_sub; ring).
    rewrite sum_sub, sum_mul, Size.
    set (A := sum n (fun i => ind I0 i * ip (grad i x0) w)).
    rewrite (sum_ext n (fun i => ind W i * ip (sub (over b (vsum_in n I0 (fun j => grad j x0))) (grad i x0)) w)
      (fun i => (/ B * A - ip (full x0) w) * ind W i + ind W i * ip (sub (full x0) (grad i x0)) w)).
    2:{ intros i _. rewrite !ip_sub, ip_over, ip_vsum_in. fold A. ring. }
    rewrite sum_add, sum_mul. unfold size. field. lra. }
  split; [exact E|]. rewrite E. eapply Rle_trans; [apply sq_add_le|]. lra.
Qed.
(* x^t - x^{t-1} = -eta v^{t-1} + xi^t, and <b - a, b> = (|a - b|^2 - |a|^2 + |b|^2)/2. *)
Theorem step_and_polarisation I past (u v : V) :
  sub (point (run (I :: past))) (point (run past)) = add (scale (- eta) (estimate n (run past))) (noise past)
  /\ ip (sub v u) v = / 2 * (sq (sub u v) - sq u + sq v).
Proof.
  split.
  - cbn [sledge sledge_step point fst]. unfold next_point, point. apply ip_ext. intro w.
    rewrite !ip_sub, !ip_add, !ip_sub, !ip_scale. ring.
  - rewrite sq_sub, ip_sub. unfold sq. field.
Qed.

Notation step s past := (norm (sub (path s past) (path (s - 1) past))).

Hypothesis zeta0 : 0 <= zeta.
Hypothesis het : heterogeneous n grad zeta.

Lemma compared s past i j : (i < n)%nat -> (j < n)%nat -> norm (sub (delta s past j) (delta s past i)) <= zeta *
  step s past.
Proof.
  intros Hi Hj. eapply Rle_trans; [|apply (het j i Hj Hi (path s past) (path (s - 1) past))]. right. f_equal.
  unfold path_change. vector_eq w. ring.
Qed.
Lemma norm_vsum_in I (a : nat -> V) r : (forall i, (i < n)%nat -> norm (a i) <= r) ->
  norm (vsum_in n I a) <= size n I * r.
Proof.
  intro H. unfold vsum_in. eapply Rle_trans; [apply norm_vsum|]. unfold size.
  rewrite Rmult_comm, <- sum_mul. apply sum_le. intros i Hi. unfold ind. destruct (I i); [rewrite Rmult_1_r; apply
    H, Hi|].
  rewrite norm_zero. lra.
Qed.
Lemma summand_bound s past : Forall (possible (uniform n b)) past -> (1 <= s <= length past)%nat ->
  norm (vsum_in n (U s past) (fun i => over b (vsum_in n (minibatch s past) (fun j =>
      sub (delta s past j) (delta s past i))))) <= size n (U s past) * (zeta * step s past).
Proof.
  intros F Hs. assert (B0 : 0 < B) by (apply lt_0_INR; lia).
  apply norm_vsum_in. intros i Hi. rewrite norm_over. apply Rmult_le_reg_l with B; [assumption|].
  rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra.
  rewrite <- (uniform_size n b _ Hbn (drawn_possible s past F Hs)) at 1. apply norm_vsum_in. intros j Hj.
  apply compared; assumption.
Qed.

(* Option II, whatever was drawn: |v^t - grad f(x^t)| <= zeta sum_{s <= t} (|U_s|/n) |x^s - x^{s-1}|. *)
Theorem error_everywhere past : start = sledge_start_II grad (fst start) -> Forall (possible (uniform n b)) past ->
  norm (error n grad (run past))
  <= zeta * sum (length past) (fun k => size n (U (S k) past) / N * step (S k) past).
Proof.
  intros St F. assert (N0 : 0 < N) by (apply lt_0_INR; lia).
  replace (error n grad (run past)) with (over n (vsum (length past) (fun k => vsum_in n (U (S k) past)
    (fun i => over b (vsum_in n (minibatch (S k) past) (fun j => sub (delta (S k) past j) (delta (S k) past i))))))).
  2:{ apply ip_ext. intro w. rewrite (error_compared past w F), (ip_over n (vsum_in n (U 1 past) _)), ip_vsum_in.
      rewrite (sum_zero n (fun i => ind (U 1 past) i * _)); [ring|]. intros i _. rewrite St.
      cbn [sledge_start_II table point fst snd]. rewrite sub_self, ip_zero. ring. }
  rewrite norm_over. eapply Rle_trans; [apply Rmult_le_compat_l; [left; apply Rinv_0_lt_compat; assumption|apply
    norm_vsum]|].
  rewrite <- !sum_mul. apply sum_le. intros k Hk.
  eapply Rle_trans; [apply Rmult_le_compat_l; [left; apply Rinv_0_lt_compat; assumption|apply summand_bound;
    [assumption|lia]]|].
  right. unfold Rdiv. ring.
Qed.

(* Hence, where every index was drawn in the last T1 <= (n/b) C steps (or there were no more):
   |v^t - grad f(x^t)|^2 <= (C n zeta^2/b) sum over these steps of |x^s - x^{s-1}|^2. *)
Theorem error_in_window past T1 C : start = sledge_start_II grad (fst start) -> Forall (possible (uniform n b)) past
  ->
  (forall s, (1 <= s)%nat -> (s + T1 <= length past)%nat -> forall i, (i < n)%nat -> U s past i = false) ->
  INR T1 <= N / B * C ->
  let t := length past in
  sq (error n grad (run past))
  <= C * N * zeta ^ 2 / B * sum t (fun k => if (t - T1 <=? k)%nat
       then sq (sub (path (S k) past) (path (S k - 1) past)) else 0).
Proof.
  intros St F W HC t. assert (N0 : 0 < N) by (apply lt_0_INR; lia). assert (B0 : 0 < B) by (apply lt_0_INR; lia).
  assert (U1 : forall s, 0 <= size n (U s past) / N <= 1).
  { intro s. assert (0 <= size n (U s past) <= N).
    { unfold size. split; [apply sum_nonneg; intros; apply ind_bounds|].
      rewrite <- (Rmult_1_r N), <- sum_const. apply sum_le. intros. apply ind_bounds. }
    split; [apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]|].
    apply Rmult_le_reg_r with N; [lra|]. replace (size n (U s past) / N * N) with (size n (U s past)) by (field;
      lra). lra. }
  set (a k := step (S k) past).
  assert (E : norm (error n grad (run past)) <= zeta * sum t (fun k => if (t - T1 <=? k)%nat then a k else 0)).
  { eapply Rle_trans; [apply error_everywhere; assumption|]. apply Rmult_le_compat_l; [assumption|]. fold t.
    rewrite (windowed t T1).
    - apply sum_le. intros k _. destruct (Nat.leb (t - T1) k); [|lra]. fold (a k).
      assert (0 <= a k) by apply norm_nonneg. rewrite <- (Rmult_1_l (a k)) at 2. apply Rmult_le_compat_r;
        [assumption|].
      apply U1.
    - intros k Hk Hw. replace (size n (U (S k) past)) with 0; [unfold Rdiv; ring|]. symmetry. apply sum_zero. intros
      i Hi.
      unfold ind. rewrite W by (assumption || lia). reflexivity. }
  apply sq_le in E. eapply Rle_trans; [exact E|].
  set (A := sum t (fun k => if (t - T1 <=? k)%nat then a k else 0)) in *.
  replace (sum t (fun k => if (t - T1 <=? k)%nat then sq (sub (path (S k) past) (path (S k - 1) past)) else 0))
    with (sum t (fun k => if (t - T1 <=? k)%nat then a k * a k else 0)).
  2:{ apply sum_ext. intros k _. unfold a. rewrite norm_sq. reflexivity. }
  pose proof (window_square t T1 a) as Q. fold A in Q.
  set (A2 := sum t (fun k => if (t - T1 <=? k)%nat then a k * a k else 0)) in *.
  assert (A0 : 0 <= A2) by (apply sum_nonneg; intros k _; destruct (Nat.leb (t - T1) k); [apply Rle_0_sqr|lra]).
  replace (C * N * zeta ^ 2 / B * A2) with (zeta * zeta * (N / B * C * A2)) by (field; lra).
  replace (zeta * A * (zeta * A)) with (zeta * zeta * A ^ 2) by ring.
  apply Rmult_le_compat_l; [apply Rle_0_sqr|]. eapply Rle_trans; [exact Q|]. apply Rmult_le_compat_r; assumption.
Qed.
End Paths.

(* ---- When an index was drawn last ---- *)

(* T(t,i) after the t steps of a history, 0 if i was never drawn. *)
Definition last_draw (past : list batch) (i : nat) : nat := (length past - age past i)%nat.
Lemma last_draw_step I past i : last_draw (I :: past) i = if I i then S (length past) else last_draw past i.
Proof.
  unfold last_draw. cbn [age length]. pose proof (age_length past i). destruct (I i); lia.
Qed.
Lemma last_draw_length past i : (last_draw past i <= length past)%nat.
Proof. unfold last_draw. lia. Qed.
(* U_s are the indices that were drawn last before step s. *)
Lemma undrawn_last s past i : (1 <= s <= S (length past))%nat -> undrawn s past i = (last_draw past i <? s)%nat.
Proof.
  intro H. destruct s as [|k]; [lia|]. apply eq_true_iff_eq. rewrite Nat.ltb_lt.
  enough (ind (undrawn (S k) past) i = if (last_draw past i <? S k)%nat then 1 else 0) as E.
  { unfold ind in E. destruct (undrawn (S k) past i), (Nat.ltb_spec (last_draw past i) (S k)); split; intro; try
    lra; try lia;
      try discriminate; try reflexivity. }
  induction past as [|I past IH].
  - assert (k = 0%nat) by (simpl in H; lia). subst k. rewrite (undrawn_none []). reflexivity.
  - cbn [length] in H. destruct (Nat.eq_dec k (S (length past))) as [->|e].
    + change (S (length past)) with (length (I :: past)). rewrite undrawn_none.
      pose proof (last_draw_length (I :: past) i). destruct (Nat.ltb_spec (last_draw (I :: past) i) (S (length (I ::
        past))));
        [reflexivity|lia].
    + rewrite undrawn_more, IH by lia. rewrite last_draw_step. unfold ind. destruct (I i).
      * destruct (Nat.ltb_spec (S (length past)) (S k)); [lia|ring].
      * ring.
Qed.

Section Last.
Context {V : space}.
Variables (n b : nat) (grad : nat -> V -> V) (eta : R) (noise : list batch -> V) (start : V * (nat -> V)).
Notation path := (path n b eta noise grad start).
Notation delta := (path_change n b eta noise grad start).
Notation U s past := (undrawn s past).

Lemma path_before I s past : (s <= length past)%nat -> path s (I :: past) = path s past.
Proof. intro H. unfold identities.path. rewrite at_time_before by assumption. reflexivity. Qed.
(* What changed in grad f_i since i was drawn last. *)
Lemma change_since past i w :
  ip (sub (grad i (path (length past) past)) (grad i (path (last_draw past i) past))) w
  = sum (length past) (fun k => ind (U (S k) past) i * ip (delta (S k) past i) w).
Proof.
  induction past as [|I past IH]; [cbn [length sum]; rewrite sub_self; apply ip_zero|].
  cbn [length sum]. rewrite last_draw_step, undrawn_more, undrawn_none by lia.
  rewrite (sum_ext _ _ (fun k => (1 - ind I i) * (ind (U (S k) past) i * ip (delta (S k) past i) w))).
  2:{ intros k Hk. rewrite undrawn_more, path_change_before by lia. ring. }
  rewrite sum_mul, <- IH. unfold ind. destruct (I i); [rewrite sub_self, ip_zero; ring|].
  unfold path_change. replace (S (length past) - 1)%nat with (length past) by lia.
  pose proof (last_draw_length past i).
  rewrite (path_before I (length past)), (path_before I (last_draw past i)) by lia. rewrite !ip_sub. ring.
Qed.
(* (1/n) sum_i (grad f_i(x^t) - grad f_i(x^{T(t,i)})) = (1/n) sum_s sum_{i in U_s} (grad f_i(x^s) - grad
   f_i(x^{s-1})), s
   from the step after the first of the last draws; and with the last draws before step t, where U_t is everybody. *)
Theorem saga_target past least : (forall i, (i < n)%nat -> (least <= last_draw past i)%nat) ->
  let t := length past in
  over n (vsum n (fun i => sub (grad i (path t past)) (grad i (path (last_draw past i) past))))
    = over n (vsum t (fun k => if (least <=? k)%nat then vsum_in n (U (S k) past) (delta (S k) past) else zero))
  /\ forall I before, past = I :: before ->
    over n (vsum n (fun i => sub (grad i (path t past)) (grad i (path (last_draw before i) past))))
    = over n (vsum t (fun k => vsum_in n (U (S k) before) (delta (S k) past)))
    /\ forall i, U t before i = true.
Proof.
  intros H t. split.
  - apply ip_ext. intro w. rewrite !ip_over, !ip_vsum. f_equal.
    rewrite (sum_ext n _ (fun i => sum t (fun k => ind (U (S k) past) i * ip (delta (S k) past i) w)))
      by (intros; apply change_since). rewrite sum_swap. apply sum_ext. intros k Hk. fold t in Hk.
    destruct (Nat.leb_spec least k); [rewrite ip_vsum_in; reflexivity|]. rewrite ip_zero. apply sum_zero. intros i Hi.
    unfold ind. rewrite undrawn_last by lia. specialize (H i Hi). destruct (Nat.ltb_spec (last_draw past i) (S k));
      [lia|ring].
  - intros I before ->. subst t. cbn [length]. split.
    + apply ip_ext. intro w. rewrite !ip_over, !ip_vsum. f_equal.
      rewrite (sum_ext n _ (fun i => sum (length before) (fun k => ind (U (S k) before) i * ip (delta (S k) before
        i) w)
        + ip (delta (S (length before)) (I :: before) i) w)).
      * rewrite sum_add, sum_swap. cbn [sum]. f_equal.
        -- apply sum_ext. intros k Hk. rewrite ip_vsum_in. apply sum_ext. intros i _.
           rewrite path_change_before by lia. reflexivity.
        -- rewrite ip_vsum_in. apply sum_ext. intros i _. rewrite undrawn_none. ring.
      * intros i _. rewrite <- change_since. unfold path_change.
        replace (S (length before) - 1)%nat with (length before) by lia. pose proof (last_draw_length before i).
        rewrite (path_before I (length before)), (path_before I (last_draw before i)) by lia. rewrite !ip_sub. ring.
    + intro i. pose proof (undrawn_none before i) as E. unfold ind in E.
      destruct (undrawn (S (length before)) before i); [reflexivity|lra].
Qed.
End Last.

(* A history of k + m minibatches: k, and then m. *)
Lemma Ex_history_app {O} (law : mean O) k m (f : list O -> R) :
  Ex (history law (m + k)) f = Ex (history law k) (fun early => Ex (history law m) (fun late => f (late ++ early))).
Proof.
  revert f. induction m as [|m IH]; intro f.
  - apply Ex_ext. intros early _. rewrite Ex_history_O. reflexivity.
  - cbn [Nat.add]. rewrite Ex_history_S, IH. apply Ex_ext. intros early _. rewrite Ex_history_S. reflexivity.
Qed.
(* Along a run (|U_s|/b) sum_{i in I^s} a_i - sum_{i in U_s} a_i, with a_i = grad f_i(x^s) - grad f_i(x^{s-1}), has
   mean
   zero (line 333): x^s is fixed before I^s is drawn. *)
Theorem changes_unbiased {V : space} n b (grad : nat -> V -> V) eta noise start s t w : (1 <= b)%nat -> (b <= n)%nat
  ->
  (1 <= s <= t)%nat ->
  let a past := path_change n b eta noise grad start s past in
  Ex (sledge_history n b t) (fun past => ip (sub
    (scale (size n (undrawn s past) / INR b) (vsum_in n (minibatch s past) (a past)))
    (vsum_in n (undrawn s past) (a past))) w) = 0.
Proof.
  intros Hb Hbn Hs a. replace t with (S (t - s) + (s - 1))%nat by lia. unfold sledge_history. rewrite Ex_history_app.
  rewrite (Ex_ext _ _ (fun _ => 0)); [apply Ex_const|]. intros early PE. apply history_length in PE.
  set (x' := next_point n eta noise early (sledge n b eta noise grad start early)).
  set (x := point (sledge n b eta noise grad start early)).
  pose proof (surrogate_unbiased n b ltac:(lia) Hbn (fun i => sub (grad i x') (grad i x)) w 1 (S (t - s)) Hb (le_n 1)
    ltac:(lia)) as E.
  rewrite <- E. apply Ex_ext. intros late PL. apply history_length in PL.
  assert (U : undrawn s (late ++ early) = undrawn 1 late).
  { unfold undrawn, from_step. f_equal. rewrite app_length, firstn_app.
    replace (S (length late + length early) - s - length late)%nat with 0%nat by lia.
    cbn [firstn]. rewrite app_nil_r, !firstn_all2 by lia. reflexivity. }
  assert (A : exists I, at_time s (late ++ early) = I :: early /\ at_time 1 late = [I]).
  { destruct (exists_last (l := late)) as [first [I ->]]; [intro N; rewrite N in PL; discriminate|]. exists I.
    rewrite app_length in PL. simpl in PL. unfold at_time. rewrite !app_length. simpl length.
    replace (length first + 1 + length early - s)%nat with (length first) by lia.
    replace (length first + 1 - 1)%nat with (length first) by lia.
    rewrite <- app_assoc, !skipn_app, !skipn_all, Nat.sub_diag. split; reflexivity. }
  destruct A as [I [A A1]].
  assert (M : minibatch s (late ++ early) = minibatch 1 late) by (unfold minibatch; rewrite A, A1; reflexivity).
  assert (D : forall i, a (late ++ early) i = sub (grad i x') (grad i x)).
  { intro i. unfold a, path_change, identities.path. rewrite A.
    assert (B : at_time (s - 1) (late ++ early) = early).
    { unfold at_time. rewrite app_length. replace (length late + length early - (s - 1))%nat with (length late) by
      lia.
      rewrite skipn_app, skipn_all, Nat.sub_diag. reflexivity. }
    rewrite B. reflexivity. }
  rewrite U, M. do 2 f_equal; [f_equal|]; apply vsum_in_ext; intros; apply D.
Qed.

(* zeta = 0 and Option II: SLEDGE makes the steps of gradient descent with its noise, whatever b. *)
Theorem zero_heterogeneity_descent {V : space} n b (grad : nat -> V -> V) eta noise x0 past : (1 <= b)%nat -> (b <=
  n)%nat ->
  heterogeneous n grad 0 -> Forall (possible (uniform n b)) past ->
  point (sledge n b eta noise grad (sledge_start_II grad x0) past) = descent n eta noise grad x0 past.
Proof.
  intros Hb Hbn Z F. induction F as [|I past PI F IH]; [reflexivity|].
  cbn [sledge descent sledge_step point fst]. unfold next_point. rewrite IH.
  pose proof (zero_heterogeneity_exact n b eta noise grad x0 past Hb Hbn Z F) as [E _]. cbn zeta in E. rewrite E, IH.
  reflexivity.
Qed.

(* ---- SAGA and SARAH ---- *)

Section Others.
Context {V : space}.
Variables (n b : nat).
Hypothesis Hb : (1 <= b)%nat.
Hypothesis Hbn : (b <= n)%nat.
Variables (eta : R) (grad : nat -> V -> V) (x0 : V).
Notation full := (gradient n grad).

(* Given the past, the mean of the error of SAGA's estimate is zero. *)
Theorem saga_unbiased past w :
  let s := saga n b eta grad x0 past in
  Ex (uniform n b) (fun I => ip (sub (saga_estimate n b grad s I) (full (fst s))) w) = 0.
Proof.
  intro s. assert (N0 : 0 < INR n) by (apply lt_0_INR; lia). assert (B0 : 0 < INR b) by (apply lt_0_INR; lia).
  set (a i := sub (grad i (fst s)) (snd s i)).
  rewrite (Ex_ext _ _ (fun I => / INR b * ip (vsum_in n I a) w - / INR n * ip (vsum n a) w)).
  - rewrite Ex_sub, Ex_mul, Ex_const, (minibatch_mean n b Hbn). field. lra.
  - intros I _. unfold saga_estimate. fold a. rewrite ip_sub, ip_add, !ip_over, ip_gradient, !ip_vsum.
    rewrite (sum_ext n (fun i => ip (a i) w) (fun i => ip (grad i (fst s)) w - ip (snd s i) w))
      by (intros; unfold a; apply ip_sub).
    rewrite sum_sub. ring.
Qed.
(* Given the past, the mean of the error of SARAH after a step with a minibatch is the error before it. *)
Theorem sarah_contracts past w :
  let err c := sub (snd (sarah n b eta grad x0 c)) (full (fst (sarah n b eta grad x0 c))) in
  Ex (uniform n b) (fun I => ip (err (Some I :: past)) w) = ip (err past) w.
Proof.
  intro err. assert (N0 : 0 < INR n) by (apply lt_0_INR; lia). assert (B0 : 0 < INR b) by (apply lt_0_INR; lia).
  unfold err. cbn [sarah fst snd]. set (s := sarah n b eta grad x0 past). set (x' := sub (fst s) (scale eta (snd s))).
  set (a i := sub (grad i x') (grad i (fst s))).
  rewrite (Ex_ext _ _ (fun I => / INR b * ip (vsum_in n I a) w - (ip (full x') w - ip (snd s) w))).
  - rewrite Ex_sub, Ex_mul, Ex_const, (minibatch_mean n b Hbn), ip_sub, !ip_gradient, ip_vsum.
    rewrite (sum_ext n (fun i => ip (a i) w) (fun i => ip (grad i x') w - ip (grad i (fst s)) w))
      by (intros; unfold a; apply ip_sub).
    rewrite sum_sub. field. lra.
  - intros I _. unfold sarah_change. fold a. rewrite ip_sub, ip_add, ip_over. ring.
Qed.
(* zeta = 0: SARAH has no error, and is gradient descent. *)
Theorem sarah_zero_heterogeneity past : heterogeneous n grad 0 ->
  Forall (fun c => forall I, c = Some I -> possible (uniform n b) I) past ->
  let s := sarah n b eta grad x0 past in
  snd s = full (fst s) /\ fst s = Nat.iter (length past) (fun x => sub x (scale eta (full x))) x0.
Proof.
  intros Z F. assert (N0 : 0 < INR n) by (apply lt_0_INR; lia). assert (B0 : 0 < INR b) by (apply lt_0_INR; lia).
  assert (E : forall I x' x, possible (uniform n b) I -> over b (vsum_in n I (fun i => sub (grad i x') (grad i x)))
    = sub (full x') (full x)).
  { intros I x' x PI. pose proof (uniform_size n b I Hbn PI) as Size. apply ip_ext. intro w.
    assert (A : forall i, (i < n)%nat -> ip (sub (grad i x') (grad i x)) w = ip (sub (grad 0%nat x') (grad 0%nat x))
      w).
    { intros i Hi. f_equal. apply norm_eq. pose proof (Z i 0%nat Hi ltac:(lia) x' x) as H. rewrite Rmult_0_l in H.
      eapply Rle_trans; [|exact H]. right. f_equal. vector_eq u. ring. }
    rewrite ip_over, ip_vsum_in, ip_sub, !ip_gradient.
    rewrite (sum_ext n _ (fun i => ip (sub (grad 0%nat x') (grad 0%nat x)) w * ind I i)).
    2:{ intros i Hi. rewrite (A i Hi). ring. }
    rewrite sum_mul, Size.
    rewrite <- Rmult_minus_distr_l, <- sum_sub.
    rewrite (sum_ext n (fun i => ip (grad i x') w - ip (grad i x) w)
      (fun _ => ip (sub (grad 0%nat x') (grad 0%nat x)) w)).
    2:{ intros i Hi. rewrite <- (A i Hi). rewrite ip_sub. reflexivity. }
    rewrite sum_const. field. lra. }
  induction F as [|c past PC F [IH1 IH2]]; [split; reflexivity|]. cbn zeta in *. cbn [sarah length Nat.iter fst snd].
  assert (X : sub (fst (sarah n b eta grad x0 past)) (scale eta (snd (sarah n b eta grad x0 past)))
    = Nat.iter (S (length past)) (fun x => sub x (scale eta (full x))) x0).
  { cbn [Nat.iter nat_rect]. rewrite IH1, IH2. reflexivity. }
  split; [|exact X]. destruct c as [I|]; [|reflexivity]. unfold sarah_change. rewrite E by (apply PC; reflexivity).
  rewrite <- IH1. apply add_sub_cancel.
Qed.
End Others.

(* ---- Phases ---- *)

(* Of M phases of 2H steps with gradients of norm g_j, phase k is of class 1 if at least H of its steps have norm
   above
   eps; it has the other classes if one of its first H steps has not. Every phase has a class: if the first half has
     no
   small gradient, its H steps are large. N_1 phases of class 1 cost N_1 H eps^2 <= sum of g_j^2. *)
Definition large (eps : R) (g : nat -> R) (j : nat) : R := if Rle_dec (g j) eps then 0 else 1.
Definition first_class (H : nat) (eps : R) (g : nat -> R) (k : nat) : R :=
  if Rle_dec (INR H) (sum (2 * H) (fun j => large eps g (k * (2 * H) + j))) then 1 else 0.
Lemma sum_blocks m l (a : nat -> R) : sum (m * l) a = sum m (fun k => sum l (fun j => a (k * l + j)%nat)).
Proof.
  assert (A : forall p q (a : nat -> R), sum (p + q) a = sum p a + sum q (fun j => a (p + j)%nat)).
  { intros p q f. induction q as [|q IH]; [rewrite Nat.add_0_r; cbn [sum]; ring|].
    rewrite Nat.add_succ_r. cbn [sum]. rewrite IH. ring. }
  induction m as [|m IH]; [reflexivity|]. cbn [sum]. rewrite <- IH, <- A. f_equal. lia.
Qed.
Theorem phases M H eps (g : nat -> R) : 0 <= eps ->
  (forall k, let small := exists j, (j < H)%nat /\ g (k * (2 * H) + j)%nat <= eps in
    (first_class H eps g k = 1 \/ small)
    /\ (~ small -> sum H (fun j => large eps g (k * (2 * H) + j)) = INR H))
  /\ sum M (first_class H eps g) * INR H * eps ^ 2 <= sum (M * (2 * H)) (fun j => g j ^ 2).
Proof.
  intro e0. assert (L : forall j, 0 <= large eps g j <= 1) by (intro j; unfold large; destruct (Rle_dec _ _); lra).
  split.
  - intros k small.
    assert (C : ~ small -> sum H (fun j => large eps g (k * (2 * H) + j)) = INR H).
    { intro N. rewrite <- (Rmult_1_r (INR H)), <- sum_const. apply sum_ext. intros j Hj. unfold large.
      destruct (Rle_dec (g (k * (2 * H) + j)%nat) eps); [|reflexivity]. exfalso. apply N. exists j. split;
        assumption. }
    split; [|exact C]. destruct (Classical_Prop.classic small) as [S|N]; [right; exact S|left].
    unfold first_class. destruct (Rle_dec _ _) as [|F]; [reflexivity|]. exfalso. apply F. rewrite <- (C N) at 1.
    assert (A : forall p q (a : nat -> R), (forall j, 0 <= a j) -> sum p a <= sum (p + q) a).
    { intros p q a Ha. induction q as [|q IH]; [rewrite Nat.add_0_r; lra|]. rewrite Nat.add_succ_r. cbn [sum].
      specialize (Ha (p + q)%nat). lra. }
    replace (2 * H)%nat with (H + H)%nat at 2 by lia. apply A. intro j. apply L.
  - rewrite sum_blocks, <- !(Rmult_comm (eps ^ 2)), <- (Rmult_comm (INR H)), <- !sum_mul. apply sum_le. intros k _.
    assert (Q : forall y, eps < y -> eps ^ 2 * 1 <= y ^ 2) by (intros y Hy; simpl; nra).
    assert (B : eps ^ 2 * sum (2 * H) (fun j => large eps g (k * (2 * H) + j))
      <= sum (2 * H) (fun j => g (k * (2 * H) + j)%nat ^ 2)).
    { rewrite <- sum_mul. apply sum_le. intros j _. unfold large.
      destruct (Rle_dec (g (k * (2 * H) + j)%nat) eps) as [l|l]; [|apply Q, Rnot_le_lt, l].
      rewrite Rmult_0_r. simpl. rewrite Rmult_1_r. apply Rle_0_sqr. }
    eapply Rle_trans; [|exact B]. apply Rmult_le_compat_l; [simpl; nra|]. unfold first_class.
    destruct (Rle_dec _ _) as [l|l]; [lra|]. rewrite Rmult_0_r. apply sum_nonneg. intros. apply L.
Qed.
