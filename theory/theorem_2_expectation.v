(* Theorem 2 (theorem:First-Main, lines 370-382) in expectation: SLEDGE finds epsilon-stationary
   points.
   Ledger: first-main-option-two/sharper, first-main-option-one/sharper, descent-lemma (Lemma 16).

   Printed: under Assumptions 1, 2, 5 (and 3 (i) for Option I), with
   eta = Theta~(1/L ∧ b/(zeta sqrt n)) and r <= eta eps/2, SLEDGE finds an epsilon-stationary point
   with
       O~((Delta (zeta sqrt n ∨ Lb) + (n/b) sigma_c^2)/eps^2)    gradients (Option I)
       O~(n + Delta (zeta sqrt n ∨ Lb)/eps^2)                    gradients (Option II)
   with probability at least 1 - nu.

   Proved, for all spaces, f_i, 1 <= b <= n, T >= 1, and noises with |xi| <= r, also such that
   depend on the past: with eta = 1/(2 max(L, zeta sqrt Lambda)),
   Lambda = K(n-1)/(2b^2(2 - b/n)) <= 6n/b^2, K <= 12,
       (1/T) sum_{t<T} E |grad f(x^t)|^2 <= 2 Delta/(eta T) + S/T + 2 r^2/eta^2,
   S = 0 (Option II), S = (2n/(b(2 - b/n)))(rho/b + (3/n)(1 + rho/b)) sigma^2 (Option I), sigma^2
   the mean square of the deviations |grad f_i - grad f| at x^0, rho = (n-b)/(n-1). So for
   r <= eta eps/2 and
       T = max(1, ceil((4 Delta/eta + 2S)/eps^2))
   the point at a random time t < T has E |grad f(x^t)|^2 <= eps^2, after at most n + 2bT gradients
   (b + 2bT for Option I), and   n + 2bT <= n + 2b + (16 L b + 40 zeta sqrt n) Delta/eps^2.
   With probability (Markov): that none of x^0 .. x^{T-1} has |grad f|^2 <= eps^2/nu has probability
   at most nu.

   Stronger than printed: literal constants, no logarithm, no failure probability, noise chosen by
   an adversary, the mean square of the deviations for the largest, zeta without second derivatives,
   infinite dimension.
   Weaker: a mean over the points met and over the minibatches; the form with high probability is
   theorem_2 of the files on probability. *)
From Coq Require Import Reals Lra Lia PeanoNat List.
From Sledge Require Import vectors means minibatches algorithms problems second_moments
  sledge_errors.
Import ListNotations.
Open Scope R_scope.

(* ---- Parameters as functions of the inputs ---- *)

(* The least whole number that is at least x (0 if x is negative). *)
Definition ceiling (x : R) : nat := Z.to_nat (- Int_part (- x)).
(* eta *)
Definition first_step_size (n b : nat) (L zeta : R)
  : R := / (2 * Rmax L (zeta * sqrt (variance_factor n b))).
(* S: what Option I pays for its start *)
Definition first_start (n b : nat) (sigma2 : R)
  : R := 2 * (lifetime n b * (start_factor n b * sigma2)).
(* T *)
Definition first_steps (eta Delta S eps : R) : nat := Nat.max 1 (ceiling ((4 * Delta / eta + 2 * S)
  / (eps * eps))).
(* Gradients of f_i that T steps evaluate: b or n at the start, 2b a step (lines 287-295). *)
Definition gradients_I (b T : nat) : nat := (b + 2 * b * T)%nat.
Definition gradients_II (n b T : nat) : nat := (n + 2 * b * T)%nat.

Lemma ceiling_above x : x <= INR (ceiling x).
Proof.
  unfold ceiling. destruct (base_Int_part (- x)) as [A B]. rewrite INR_IZR_INZ.
  apply Rle_trans with (IZR (- Int_part (- x))); [rewrite opp_IZR; lra|]. apply IZR_le. lia.
Qed.
Lemma ceiling_below x : 0 <= x -> INR (ceiling x) < x + 1.
Proof.
  intro H. unfold ceiling. destruct (base_Int_part (- x)) as [A B]. rewrite INR_IZR_INZ.
  assert (Int_part (- x) <= 0)%Z by (apply le_IZR; lra).
  rewrite Z2Nat.id by lia. rewrite opp_IZR. lra.
Qed.

(* ---- Lemma 16 (lemma:DescentLemma, lines 1098-1108): printed and proved alike ---- *)

Theorem descent_lemma {V : space} (f : V -> R) (df : V -> V) (L eta r : R) (x v xi : V) :
  below_quadratic L f df -> 0 < eta -> norm xi <= r ->
  let x' := add (sub x (scale eta v)) xi in
  f x' <= f x + eta * sq (sub v (df x)) - eta / 2 * sq (df x) - (1 / (2 * eta) - L / 2)
    * sq (sub x' x) + r * r / eta.
Proof.
  intros S He Hr x'. specialize (S x (sub x' x)). rewrite add_sub_cancel in S.
  apply sq_le in Hr. set (u := sub x' x) in *. set (g := df x) in *.
  (* eta g + u = xi - eta (v - g) *)
  assert (U : add (scale eta g) u = sub xi (scale eta (sub v g))) by (unfold u, x'; vector_eq w;
    ring).
  assert (A : sq (add (scale eta g) u) <= 2 * (r * r) + 2 * (eta * eta * sq (sub v g))).
  { rewrite U. replace (sub xi (scale eta (sub v g))) with (add xi (scale (- eta) (sub v g)))
      by (vector_eq w; ring).
    eapply Rle_trans; [apply sq_add_le|]. rewrite sq_scale. nra. }
  rewrite sq_add, sq_scale, ip_scale in A.
  apply Rmult_le_reg_l with (2 * eta); [lra|].
  replace (2 * eta * (f x + eta * sq (sub v g) - eta / 2 * sq g - (1 / (2 * eta) - L / 2) * sq u
    + r * r / eta))
    with (2 * eta * (f x + L / 2 * sq u) + (2 * (eta * eta * sq (sub v g))
      - eta * eta * sq g - sq u + 2 * (r * r)))
    by (field; lra).
  apply Rle_trans with (2 * eta * (f x + ip g u + L / 2 * sq u)); [apply Rmult_le_compat_l; lra|].
  lra.
Qed.

(* ---- The step size ---- *)

Section StepSize.
Variables (n b : nat).
Hypothesis Hb : (1 <= b)%nat.
Hypothesis Hbn : (b <= n)%nat.
Notation N := (INR n).
Notation B := (INR b).

Lemma two_minus : 1 <= 2 - B / N.
Proof. pose proof (BN_1 n b Hb Hbn). lra. Qed.
Lemma variance_factor_nonneg : 0 <= variance_factor n b.
Proof.
  pose proof (Nn n b Hb Hbn). pose proof (Bb n b Hb Hbn). pose proof two_minus.
  unfold variance_factor.
  apply Rmult_le_pos.
  - apply Rmult_le_pos; [apply movement_factor_nonneg; assumption || lra|lra].
  - left. apply Rinv_0_lt_compat. nra.
Qed.
Lemma variance_factor_bound : variance_factor n b <= 6 * N / (B * B).
Proof.
  pose proof (Nn n b Hb Hbn). pose proof (Bb n b Hb Hbn). pose proof two_minus.
  unfold variance_factor.
  assert (K : 0 <= movement_factor 1 n b <= 12).
  { destruct (Nat.eq_dec n 1) as [e|e].
    - subst n. assert (b = 1)%nat by lia. subst b. rewrite movement_factor_1. lra.
    - pose proof (movement_factor_bounds n b ltac:(lia) Hb Hbn 1 Rlt_0_1). lra. }
  apply Rmult_le_reg_r with (2 * (B * B) * (2 - B / N)); [nra|].
  replace (movement_factor 1 n b * (N - 1) / (2 * (B * B) * (2 - B / N)) * (2 * (B * B)
    * (2 - B / N)))
    with (movement_factor 1 n b * (N - 1)).
  2:{ assert (2 * N - B <> 0) by lra. field. repeat split; lra. }
  replace (6 * N / (B * B) * (2 * (B * B) * (2 - B / N))) with (12 * N * (2 - B / N)) by (field;
    lra). nra.
Qed.
Lemma lifetime_pos : 0 < lifetime n b.
Proof.
  pose proof (Nn n b Hb Hbn). pose proof (Bb n b Hb Hbn). pose proof two_minus. unfold lifetime.
  apply Rmult_lt_0_compat; [lra|]. apply Rinv_0_lt_compat. nra.
Qed.

Variables (L zeta : R).
Hypothesis HL : 0 < L.
Hypothesis Hz : 0 <= zeta.
Notation eta := (first_step_size n b L zeta).
Notation Lambda := (variance_factor n b).

Lemma first_step_size_pos : 0 < eta.
Proof. unfold first_step_size. apply Rinv_0_lt_compat. pose proof (Rmax_l L (zeta * sqrt Lambda)).
lra. Qed.
Lemma first_step_size_L : 2 * eta * L <= 1.
Proof.
  unfold first_step_size. pose proof (Rmax_l L (zeta * sqrt Lambda)) as M. set (m := Rmax _ _) in *.
  apply Rmult_le_reg_r with m; [lra|]. replace (2 * / (2 * m) * L * m) with L by (field; lra). lra.
Qed.
Lemma first_step_size_zeta : 4 * eta * eta * (zeta * zeta * Lambda) <= 1.
Proof.
  unfold first_step_size. pose proof (Rmax_l L (zeta * sqrt Lambda)).
  pose proof (Rmax_r L (zeta * sqrt Lambda)) as M.
  set (m := Rmax _ _) in *. rewrite <- (sqrt_sqrt Lambda variance_factor_nonneg).
  set (s := sqrt Lambda) in *. assert (0 <= s) by apply sqrt_pos.
  apply Rmult_le_reg_r with (m * m); [nra|].
  replace (4 * / (2 * m) * / (2 * m) * (zeta * zeta * (s * s)) * (m * m))
    with (zeta * s * (zeta * s)) by (field; lra).
  rewrite Rmult_1_l. apply Rmult_le_compat; try assumption; apply Rmult_le_pos; assumption.
Qed.
Lemma first_step_size_inverse : / eta <= 2 * L + 5 * zeta * sqrt N / B.
Proof.
  pose proof (Nn n b Hb Hbn). pose proof (Bb n b Hb Hbn).
  unfold first_step_size. rewrite Rinv_inv. pose proof variance_factor_nonneg as V0.
  assert (S : sqrt Lambda <= 5 / 2 * sqrt N / B).
  { apply Rsqr_incr_0_var; [|apply Rmult_le_pos; [apply Rmult_le_pos; [lra|apply sqrt_pos]|left;
      apply Rinv_0_lt_compat; lra]].
    unfold Rsqr. rewrite sqrt_sqrt by assumption.
    replace (5 / 2 * sqrt N / B * (5 / 2 * sqrt N / B)) with (25 / 4 * (sqrt N * sqrt N) / (B * B))
      by (field; lra).
    rewrite sqrt_sqrt by lra. eapply Rle_trans; [apply variance_factor_bound|].
    apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; nra|lra]. }
  assert (Z : zeta * sqrt Lambda <= zeta * (5 / 2 * sqrt N / B)) by (apply Rmult_le_compat_l;
    assumption).
  assert (P : 0 <= zeta * (5 / 2 * sqrt N / B)) by (eapply Rle_trans; [|exact Z];
    apply Rmult_le_pos; [assumption|apply sqrt_pos]).
  replace (5 * zeta * sqrt N / B) with (2 * (zeta * (5 / 2 * sqrt N / B))) by (field; lra).
  apply Rle_trans with (2 * (L + zeta * (5 / 2 * sqrt N / B))); [|lra].
  apply Rmult_le_compat_l; [lra|]. apply Rmax_lub; lra.
Qed.
End StepSize.

(* ---- The theorem ---- *)

Section Theorem2.
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
Notation F := (objective n f).
Notation grad_f := (gradient n grad).
Notation E t := (Ex (sledge_history n b t)).

Lemma quadratic : below_quadratic L F grad_f.
Proof. apply objective_below_quadratic; [lia|exact smoothness]. Qed.

(* Any start, any step size that is small enough. *)
Section AnyStart.
Variables (eta r : R) (noise : list batch -> V) (start : @state R V).
Hypothesis He : 0 < eta.
Hypothesis He_L : 2 * eta * L <= 1.
Hypothesis He_zeta : 4 * eta * eta * (zeta * zeta * variance_factor n b) <= 1.
Hypothesis noise_r : forall past, norm (noise past) <= r.
Notation run := (sledge n b eta noise grad start).

Lemma one_step past : eta / 2 * sq (grad_f (point (run past)))
  <= F (point (run past)) - F (next_point n eta noise past (run past))
    + eta * sq (error n grad (run past))
     - (1 / (2 * eta) - L / 2) * moved n eta noise past (run past) + r * r / eta.
Proof.
  pose proof (descent_lemma F grad_f L eta r (point (run past)) (estimate n (run past)) (noise past)
    quadratic He (noise_r past)) as D.
  cbv zeta in D. fold (next_point n eta noise past (run past)) in D.
  fold (error n grad (run past)) in D. unfold moved. lra.
Qed.
Theorem sum_of_gradients T : sum T (fun t => E t (fun past => sq (grad_f (point (run past)))))
  <= 2 * (F (point start) - fstar) / eta + 2 * (lifetime n b * phi n grad start)
    + INR T * (2 * (r * r) / (eta * eta)).
Proof.
  pose proof (sledge_errors n b Hb Hbn grad zeta het eta noise start) as V1.
  pose proof (phi_nonneg n b Hb Hbn grad start) as P0. pose proof (lifetime_pos n b Hb Hbn) as L0.
  set (err := fun t => E t (fun past => sq (error n grad (run past)))) in *.
  set (mov := fun t => E t (fun past => moved n eta noise past (run past))) in *.
  set (gr := fun t => E t (fun past => sq (grad_f (point (run past))))).
  assert (M0 : forall t, 0 <= mov t) by (intro t; apply Ex_nonneg; intros; apply sq_nonneg).
  (* the descent lemma, summed *)
  assert (S : sum T (fun t => eta / 2 * gr t) + E T (fun past => F (point (run past)))
    <= E O (fun past => F (point (run past))) + sum T (fun t => eta * err t - (1 / (2 * eta)
      - L / 2) * mov t + r * r / eta)).
  { apply (telescope (fun t => E t (fun past => F (point (run past))))). intros t _.
    unfold gr, err, mov, sledge_history. rewrite Ex_history_S.
    rewrite <- !Ex_mul, <- Ex_sub, <- Ex_sub.
    rewrite <- (Ex_const (history (uniform n b) t) (r * r / eta)).
    rewrite <- !Ex_add. apply Ex_le. intros past _.
    rewrite (Ex_ext _ _ (fun _ => F (next_point n eta noise past (run past)))) by reflexivity.
    rewrite Ex_const. pose proof (one_step past) as O. lra. }
  rewrite sum_add, sum_const, sum_sub, !sum_mul in S.
  change (E O (fun past => F (point (run past)))) with (F (point start)) in S.
  assert (I : fstar <= E T (fun past => F (point (run past)))) by (apply Ex_at_least; intros;
    apply infimum).
  (* the errors, by their movement *)
  assert (EM : eta * sum T err <= (1 / (2 * eta) - L / 2) * sum T mov
    + eta * (lifetime n b * phi n grad start)).
  { assert (G : 0 <= 1 / (2 * eta) - L / 2 - eta * (variance_factor n b * (zeta * zeta))).
    { apply Rmult_le_reg_l with (4 * eta); [lra|]. rewrite Rmult_0_r.
      replace (4 * eta * (1 / (2 * eta) - L / 2 - eta * (variance_factor n b * (zeta * zeta))))
        with (2 - 2 * eta * L - 4 * eta * eta * (zeta * zeta * variance_factor n b)) by (field;
          lra). lra. }
    assert (X0 : 0 <= lifetime n b * phi n grad start) by (apply Rmult_le_pos; lra).
    destruct T as [|T].
    - cbn [sum]. rewrite !Rmult_0_r. nra.
    - specialize (V1 T). cbn [sum] in *. set (m := sum T mov) in *.
      assert (0 <= m) by (apply sum_nonneg; intros; apply M0).
      assert (0 <= eta * (variance_factor n b * (zeta * zeta))).
      { apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [apply variance_factor_nonneg;
          assumption|nra]. }
      apply Rle_trans with (eta * (variance_factor n b * (zeta * zeta) * m
        + lifetime n b * phi n grad start)).
      + apply Rmult_le_compat_l; [lra|exact V1].
      + specialize (M0 T). nra. }
  apply Rmult_le_reg_l with (eta / 2); [lra|].
  replace (eta / 2 * (2 * (F (point start) - fstar) / eta + 2 * (lifetime n b * phi n grad start)
      + INR T * (2 * (r * r) / (eta * eta))))
    with (F (point start) - fstar + eta * (lifetime n b * phi n grad start) + INR T * (r * r / eta))
      by (field; lra).
  lra.
Qed.
End AnyStart.

Notation eta := (first_step_size n b L zeta).
Variables (r : R) (x0 : V).
Notation Delta := (F x0 - fstar).

(* The mean over the times t < T. *)
Definition random_time (T : nat) (q : nat -> R) : R := Ex (index T) q.
Lemma random_time_is T q : (1 <= T)%nat -> random_time T q = / INR T * sum T q.
Proof. intro H. apply Ex_index, H. Qed.

Theorem theorem_2_option_II_rate (noise : list batch -> V) T :
  (forall past, norm (noise past) <= r) -> (1 <= T)%nat ->
  let run := sledge n b eta noise grad (sledge_start_II grad x0) in
  random_time T (fun t => E t (fun past => sq (grad_f (point (run past)))))
  <= 2 * Delta / (eta * INR T) + 2 * (r * r) / (eta * eta).
Proof.
  intros Hr HT run. pose proof (first_step_size_pos n b L zeta HL) as He.
  assert (T0 : 0 < INR T) by (apply lt_0_INR; lia).
  pose proof (sum_of_gradients eta r noise (sledge_start_II grad x0) He
    (first_step_size_L n b L zeta HL) (first_step_size_zeta n b Hb Hbn L zeta HL Hz) Hr T) as S.
  fold run in S. rewrite phi_start_II in S by assumption. rewrite random_time_is by assumption.
  apply Rmult_le_reg_l with (INR T); [assumption|].
  rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra.
  eapply Rle_trans; [exact S|]. cbn [sledge_start_II point fst]. right. field. lra.
Qed.
Theorem theorem_2_option_I_rate (noise : batch -> list batch -> V) T :
  (forall I0 past, norm (noise I0 past) <= r) -> (1 <= T)%nat ->
  let run I0 := sledge n b eta (noise I0) grad (sledge_start_I n b grad x0 I0) in
  Ex (uniform n b) (fun I0 => random_time T (fun t => E t
    (fun past => sq (grad_f (point (run I0 past))))))
  <= 2 * Delta / (eta * INR T) + first_start n b (deviation n grad x0) / INR T + 2 * (r * r)
    / (eta * eta).
Proof.
  intros Hr HT run. pose proof (first_step_size_pos n b L zeta HL) as He.
  assert (T0 : 0 < INR T) by (apply lt_0_INR; lia).
  apply Rle_trans with (Ex (uniform n b) (fun I0 => 2 * Delta / (eta * INR T) + 2 * (r * r)
    / (eta * eta)
    + 2 * lifetime n b / INR T * phi n grad (sledge_start_I n b grad x0 I0))).
  - apply Ex_le. intros I0 _.
    pose proof (sum_of_gradients eta r (noise I0) (sledge_start_I n b grad x0 I0) He
      (first_step_size_L n b L zeta HL) (first_step_size_zeta n b Hb Hbn L zeta HL Hz) (Hr I0) T)
        as S.
    rewrite random_time_is by assumption. apply Rmult_le_reg_l with (INR T); [assumption|].
    rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra. eapply Rle_trans; [exact S|].
    cbn [sledge_start_I point fst]. right. field. lra.
  - rewrite Ex_add, Ex_const, Ex_mul, (phi_start_I n b Hb Hbn). unfold first_start. right. field.
    lra.
Qed.

(* How many steps reach eps. *)
Lemma enough_steps (S eps : R) T : 0 < eps -> 0 <= S -> T = first_steps eta Delta S eps ->
  (1 <= T)%nat /\ 2 * Delta / (eta * INR T) + S / INR T <= eps * eps / 2.
Proof.
  intros Heps HS ->. set (T := first_steps _ _ _ _).
  assert (HT : (1 <= T)%nat) by (unfold T, first_steps; lia).
  split; [assumption|]. assert (T0 : 0 < INR T) by (apply lt_0_INR; lia).
  pose proof (first_step_size_pos n b L zeta HL) as He.
  assert (C : (4 * Delta / eta + 2 * S) / (eps * eps) <= INR T).
  { eapply Rle_trans; [apply ceiling_above|]. apply le_INR. unfold T, first_steps. lia. }
  apply Rmult_le_reg_r with (INR T); [assumption|].
  replace ((2 * Delta / (eta * INR T) + S / INR T) * INR T)
    with (eps * eps / 2 * ((4 * Delta / eta + 2 * S) / (eps * eps)))
    by (field; lra).
  apply Rmult_le_compat_l; [nra|assumption].
Qed.
Lemma noise_share eps : 0 < eps -> 0 <= r -> r <= eta * eps / 2 -> 2 * (r * r) / (eta * eta)
  <= eps * eps / 2.
Proof.
  intros Heps H0 Hr. pose proof (first_step_size_pos n b L zeta HL) as He.
  apply Rmult_le_reg_r with (eta * eta); [nra|].
  replace (2 * (r * r) / (eta * eta) * (eta * eta)) with (2 * (r * r)) by (field; lra).
  assert (r * r <= eta * eps / 2 * (eta * eps / 2)) by (apply Rmult_le_compat; lra). nra.
Qed.

Theorem theorem_2_option_II_expectation (noise : list batch -> V) eps :
  0 < eps -> r <= eta * eps / 2 -> (forall past, norm (noise past) <= r) ->
  let T := first_steps eta Delta 0 eps in
  let run := sledge n b eta noise grad (sledge_start_II grad x0) in
  random_time T (fun t => E t (fun past => sq (grad_f (point (run past))))) <= eps * eps.
Proof.
  intros Heps Hr Hnoise T run. assert (H := Rle_trans _ _ _ (norm_nonneg _) (Hnoise []) : 0 <= r).
  destruct (enough_steps 0 eps T Heps (Rle_refl 0) eq_refl) as [HT A].
  pose proof (noise_share eps Heps H Hr).
  eapply Rle_trans; [apply theorem_2_option_II_rate; assumption|].
  replace (0 / INR T) with 0 in A by (unfold Rdiv; ring). lra.
Qed.
Theorem theorem_2_option_I_expectation (noise : batch -> list batch -> V) eps :
  0 < eps -> r <= eta * eps / 2 -> (forall I0 past, norm (noise I0 past) <= r) ->
  let T := first_steps eta Delta (first_start n b (deviation n grad x0)) eps in
  let run I0 := sledge n b eta (noise I0) grad (sledge_start_I n b grad x0 I0) in
  Ex (uniform n b) (fun I0 => random_time T (fun t => E t
    (fun past => sq (grad_f (point (run I0 past))))))
  <= eps * eps.
Proof.
  intros Heps Hr Hnoise T run. assert (H := Rle_trans _ _ _ (norm_nonneg _) (Hnoise full []) : 0
    <= r).
  assert (S0 : 0 <= first_start n b (deviation n grad x0)).
  { unfold first_start. rewrite <- (phi_start_I n b Hb Hbn). pose proof (lifetime_pos n b Hb Hbn).
    assert (0 <= Ex (uniform n b) (fun I0 => phi n grad (sledge_start_I n b grad x0 I0))).
    { apply Ex_nonneg. intros. apply (phi_nonneg n b); assumption. } nra. }
  destruct (enough_steps _ eps T Heps S0 eq_refl) as [HT A]. pose proof (noise_share eps Heps H Hr).
  eapply Rle_trans; [apply theorem_2_option_I_rate; assumption|]. lra.
Qed.
(* By Markov's inequality: that all points up to time T - 1 have |grad f|^2 > eps^2/nu has
  probability at most nu. *)
Definition larger (c y : R) : bool := if Rlt_dec c y then true else false.
Theorem theorem_2_option_II_probability (noise : list batch -> V) eps nu :
  0 < eps -> r <= eta * eps / 2 -> (forall past, norm (noise past) <= r) -> 0 < nu ->
  let T := first_steps eta Delta 0 eps in
  let run := sledge n b eta noise grad (sledge_start_II grad x0) in
  probability (sledge_history n b T) (fun past =>
    forallb (fun t => larger (eps * eps / nu) (sq (grad_f (point (run (at_time t past))))))
      (seq 0 T)) <= nu.
Proof.
  intros Heps Hr Hnoise Hnu T run.
  pose proof (theorem_2_option_II_expectation noise eps Heps Hr Hnoise) as M.
  cbv zeta in M. fold run in M. fold T in M.
  assert (HT : (1 <= T)%nat) by (unfold T, first_steps; lia).
  rewrite random_time_is in M by assumption. assert (T0 : 0 < INR T) by (apply lt_0_INR; lia).
  assert (C : 0 < INR T * (eps * eps / nu)).
  { apply Rmult_lt_0_compat; [assumption|].
    apply Rmult_lt_0_compat; [nra|apply Rinv_0_lt_compat; assumption]. }
  eapply Rle_trans; [apply (markov _ (fun past => sum T
    (fun t => sq (grad_f (point (run (at_time t past)))))) _ _ C)|].
  - intros. apply sum_nonneg. intros. apply sq_nonneg.
  - intros past _ A. rewrite <- sum_const. apply sum_le. intros t Ht.
    rewrite forallb_forall in A. specialize (A t). unfold larger in A. destruct Rlt_dec; [lra|].
    discriminate A. apply in_seq. lia.
  - rewrite Ex_sum. rewrite (sum_ext T _ (fun t => E t
      (fun past => sq (grad_f (point (run past)))))).
    2:{ intros t Ht. apply (Ex_history_at (fun _ => uniform n b) t T
          (fun past => sq (grad_f (point (run past))))). lia. }
    set (S := sum T _) in *. apply Rmult_le_reg_r with (INR T * (eps * eps / nu)); [assumption|].
    replace (S / (INR T * (eps * eps / nu)) * (INR T * (eps * eps / nu))) with S by (field;
      repeat split; nra).
    replace (nu * (INR T * (eps * eps / nu))) with (INR T * (eps * eps)) by (field; lra).
    replace S with (INR T * (/ INR T * S)) by (field; lra). apply Rmult_le_compat_l; lra.
Qed.
(* The number of gradients in closed form. *)
Theorem theorem_2_option_II_gradients eps : 0 < eps ->
  INR (gradients_II n b (first_steps eta Delta 0 eps))
  <= INR n + 2 * INR b + (16 * L * INR b + 40 * zeta * sqrt (INR n)) * Delta / (eps * eps).
Proof.
  intro Heps. pose proof (first_step_size_pos n b L zeta HL) as He.
  pose proof (first_step_size_inverse n b Hb Hbn L zeta HL Hz) as I. pose proof (infimum x0) as D0.
  pose proof (Bb n b Hb Hbn) as [B1 _]. pose proof (sqrt_pos (INR n)) as SN.
  set (T := first_steps eta Delta 0 eps). set (X := 4 * Delta / eta / (eps * eps)).
  assert (E2 : 0 < / (eps * eps)) by (apply Rinv_0_lt_compat; nra).
  assert (X0 : 0 <= X).
  { unfold X. apply Rmult_le_pos; [|lra].
    apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; assumption]. }
  assert (TX : INR T <= 1 + X).
  { unfold T, first_steps. replace ((4 * Delta / eta + 2 * 0) / (eps * eps)) with X by (unfold X;
      field; lra).
    pose proof (ceiling_below X X0).
    destruct (Nat.max_spec 1 (ceiling X)) as [[_ ->]|[_ ->]]; simpl (INR 1); lra. }
  assert (XB : X <= (8 * L + 20 * zeta * sqrt (INR n) / INR b) * Delta / (eps * eps)).
  { unfold X. apply Rmult_le_compat_r; [lra|].
    replace (4 * Delta / eta) with (4 * / eta * Delta) by (field; lra).
    apply Rmult_le_compat_r; [lra|].
    replace (8 * L + 20 * zeta * sqrt (INR n) / INR b) with (4 * (2 * L + 5 * zeta * sqrt (INR n)
      / INR b)) by (field; lra).
    lra. }
  unfold gradients_II. rewrite plus_INR, !mult_INR. simpl (INR 2).
  apply Rle_trans with (INR n + 2 * INR b * (1 + X)); [apply Rplus_le_compat_l, Rmult_le_compat_l;
    lra|].
  assert (2 * INR b * X <= 2 * INR b * ((8 * L + 20 * zeta * sqrt (INR n) / INR b)
    * Delta / (eps * eps)))
    by (apply Rmult_le_compat_l; lra).
  replace (2 * INR b * ((8 * L + 20 * zeta * sqrt (INR n) / INR b) * Delta / (eps * eps)))
    with ((16 * L * INR b + 40 * zeta * sqrt (INR n)) * Delta / (eps * eps)) in H by (field; lra).
  lra.
Qed.
End Theorem2.
