(* Inequalities by nonnegative coefficients: lemmas and tactics. *)
From Coq Require Import Reals Lra Psatz Lia.
Open Scope R_scope.

Definition Rceil (x : R) : R := IZR (- Int_part (- x)).

Lemma above x : Rceil x <= x + 1.
Proof. unfold Rceil. destruct (base_Int_part (- x)). rewrite opp_IZR. lra. Qed.
Lemma below x : x <= Rceil x.
Proof. unfold Rceil. destruct (base_Int_part (- x)). rewrite opp_IZR. lra. Qed.
Lemma ceil_one x : 0 < x -> 1 <= Rceil x.
Proof.
  intro H. pose proof (below x) as B. unfold Rceil in *. apply IZR_le.
  assert (0 < - Int_part (- x))%Z by (apply lt_IZR; lra). lia.
Qed.

Lemma conclude a b u : 0 <= u -> b - a = u -> a <= b.
Proof. lra. Qed.
Lemma strictly a b u : 0 < u -> b - a = u -> a < b.
Proof. lra. Qed.
Lemma same a b c d : a <= b -> c = a -> d = b -> c <= d.
Proof. lra. Qed.
Lemma less a b c d : a < b -> c = a -> d = b -> c < d.
Proof. lra. Qed.
Lemma gap a b : a <= b -> 0 <= b - a.
Proof. lra. Qed.
Lemma wide a b : a < b -> 0 < b - a.
Proof. lra. Qed.
Lemma sum_nn a b : 0 <= a -> 0 <= b -> 0 <= a + b.
Proof. lra. Qed.
Lemma sum_sn a b : 0 < a -> 0 <= b -> 0 < a + b.
Proof. lra. Qed.
Lemma sum_ns a b : 0 <= a -> 0 < b -> 0 < a + b.
Proof. lra. Qed.
Lemma squared a : 0 <= a * a.
Proof. nra. Qed.
Lemma Req_ge a b : a = b -> b <= a.
Proof. lra. Qed.

Lemma power_lt x y q : 0 <= x -> x < y -> x ^ S q < y ^ S q.
Proof.
  intros Hx H. induction q as [|q IH]; [simpl; lra|].
  change (x * x ^ S q < y * y ^ S q). assert (0 <= x ^ S q) by (apply pow_le; lra).
  apply Rle_lt_trans with (x * y ^ S q); [apply Rmult_le_compat_l; lra|apply Rmult_lt_compat_r; lra].
Qed.
Lemma raised x y p q : 0 <= x -> 0 <= y -> x ^ S q <= y ^ S q -> x ^ p <= y ^ p.
Proof.
  intros Hx Hy H. apply pow_incr. split; [lra|]. destruct (Rle_or_lt x y) as [K|K]; [lra|].
  pose proof (power_lt y x q Hy K). lra.
Qed.
Lemma raised_strictly x y p q : 0 <= x -> 0 <= y -> x ^ S q < y ^ S q -> x ^ S p < y ^ S p.
Proof.
  intros Hx Hy H. apply power_lt; [lra|]. destruct (Rlt_or_le x y) as [K|K]; [lra|].
  assert (y ^ S q <= x ^ S q) by (apply pow_incr; lra). lra.
Qed.

Lemma root_of x n : 0 < x -> exists s, 0 < s /\ x = s ^ S n.
Proof.
  intro H. exists (Rpower x (/ INR (S n))). split; [apply exp_pos|].
  assert (INR (S n) <> 0) by (apply not_0_INR; lia).
  rewrite <- Rpower_pow by apply exp_pos. rewrite Rpower_mult. rewrite Rinv_l by assumption. rewrite Rpower_1; lra.
Qed.
Lemma root_of_0 x n : 0 <= x -> exists s, 0 <= s /\ x = s ^ S n.
Proof.
  intros [H|H].
  - destruct (root_of x n H) as [s [P E]]. exists s. split; [lra|assumption].
  - exists 0. split; [lra|]. simpl. lra.
Qed.
Lemma sqrt_is e m : 0 <= m -> e = m * m -> sqrt e = m.
Proof. intros H E. rewrite E. apply sqrt_square. assumption. Qed.
Lemma Rpower_is b x m p q v : 0 < m -> b = m ^ S q -> x * INR (S q) = INR p -> v = m ^ p -> Rpower b x = v.
Proof.
  intros H B X V. subst b v. rewrite <- Rpower_pow by assumption. rewrite Rpower_mult.
  replace (INR (S q) * x) with (INR p) by lra. apply Rpower_pow. assumption.
Qed.
Lemma Rpower_is_inverse b x m p q v : 0 < m -> b = m ^ S q -> - x * INR (S q) = INR p -> v = / m ^ p -> Rpower b x = v.
Proof.
  intros H B X V. rewrite <- (Ropp_involutive x), Rpower_Ropp. subst v. f_equal. eapply Rpower_is; eauto.
Qed.

Lemma exp_above x : 1 + x <= exp x.
Proof.
  destruct (Req_dec x 0) as [E|E]; [subst; rewrite exp_0; lra|]. left. apply exp_ineq1. assumption.
Qed.
Lemma ln_above x : 0 < x -> ln x <= x - 1.
Proof. intro H. pose proof (exp_above (ln x)) as E. rewrite exp_ln in E; lra. Qed.
Lemma ln_below x : 0 < x -> 1 - / x <= ln x.
Proof.
  intro H. pose proof (ln_above (/ x) (Rinv_0_lt_compat x H)) as E. rewrite ln_Rinv in E; lra.
Qed.
Lemma ln_nonneg x : 1 <= x -> 0 <= ln x.
Proof. intros [H|H]; [rewrite <- ln_1; left; apply ln_increasing; lra|subst; rewrite ln_1; lra]. Qed.
Lemma ln_pos x : 1 < x -> 0 < ln x.
Proof. intro H. rewrite <- ln_1. apply ln_increasing; lra. Qed.
Lemma exp_le_1 x : x <= 0 -> exp x <= 1.
Proof. intros [H|H]; rewrite <- exp_0; [left; apply exp_increasing; lra|subst; lra]. Qed.

(* Powers with exponents that are not negative. *)
Lemma ln_not_above b : 0 < b -> b <= 1 -> ln b <= 0.
Proof. intros H K. pose proof (ln_above b H). lra. Qed.
Lemma Rpower_le_1 b e : 0 < b -> 0 <= e -> 0 <= 1 - b -> Rpower b e <= 1.
Proof.
  intros H E K. unfold Rpower. apply exp_le_1. pose proof (ln_not_above b H ltac:(lra)). nra.
Qed.
Lemma Rpower_ge_1 b e : 0 < b -> 0 <= e -> 0 <= b - 1 -> 1 <= Rpower b e.
Proof.
  intros H E K. unfold Rpower. pose proof (ln_nonneg b ltac:(lra)). pose proof (exp_above (e * ln b)). nra.
Qed.
Lemma Bernoulli b e : 0 < b -> 0 <= e - 1 -> 1 - (1 - b) * e <= Rpower b e.
Proof.
  intros H E. set (y := Rpower b e). assert (P : 0 < y) by apply exp_pos. set (m := (y + (e - 1)) / e).
  assert (M : 0 < m) by (apply Rdiv_lt_0_compat; lra). pose proof (Rinv_0_lt_compat m M) as I.
  pose proof (ln_above (y * / m) ltac:(apply Rmult_lt_0_compat; lra)) as A. pose proof (ln_above (/ m) I) as B.
  rewrite ln_mult in A by lra. rewrite ln_Rinv in * by assumption.
  assert (L : ln y = e * ln b) by (unfold y, Rpower; apply ln_exp).
  assert (C : ln b <= ln m).
  { apply Rmult_le_reg_l with e; [lra|]. rewrite <- L.
    assert (S : y * / m + (e - 1) * / m = e) by (unfold m; field; lra). nra. }
  assert (D : b <= m).
  { destruct C as [C|C]; [left; apply ln_lt_inv; assumption|right; apply ln_inv; assumption]. }
  assert (e * b <= e * m) by (apply Rmult_le_compat_l; lra).
  assert (e * m = y + (e - 1)) by (unfold m; field; lra). lra.
Qed.
Lemma Rpower_by_ln b e y : 0 < b -> 0 < y -> 0 <= e -> 0 <= (1 - b) * e - ln y -> Rpower b e <= / y.
Proof.
  intros H Y E K. rewrite <- (exp_ln (/ y)) by (apply Rinv_0_lt_compat; assumption). rewrite ln_Rinv by assumption.
  pose proof (ln_above b H). unfold Rpower. assert (L : e * ln b <= - ln y) by nra.
  destruct L as [L|L]; [left; apply exp_increasing; assumption|rewrite L; lra].
Qed.

(* Signs of what is made of numbers that are known to be positive, or not negative. *)
Ltac pos := lazymatch goal with
  | |- 0 <= _ => first [assumption | nonneg]
  | |- 0 < _ => first [assumption | positive]
  | |- _ <> 0 => first [assumption | apply Rgt_not_eq; unfold Rgt; pos | apply Rlt_not_eq; lra]
  end
with positive := lazymatch goal with
  | |- 0 < ?a * ?b => apply Rmult_lt_0_compat; pos
  | |- 0 < ?a / ?b => apply Rdiv_lt_0_compat; pos
  | |- 0 < / ?a => apply Rinv_0_lt_compat; pos
  | |- 0 < ?a ^ ?n => apply pow_lt; pos
  | |- 0 < exp _ => apply exp_pos
  | |- 0 < ln _ => apply ln_pos; lra
  | |- 0 < Rpower _ _ => apply exp_pos
  | |- 0 < sqrt _ => apply sqrt_lt_R0; pos
  | |- 0 < Rmin _ _ => apply Rmin_glb_lt; pos
  | |- 0 < ?a + ?b => first [apply Rplus_lt_0_compat; [pos|pos] | apply Rplus_lt_le_0_compat; [pos|pos]
      | apply Rplus_le_lt_0_compat; [pos|pos] | lra | nra]
  | |- _ => first [lra | nra]
  end
with nonneg := lazymatch goal with
  | |- 0 <= ?a * ?a => apply squared
  | |- 0 <= ?a * ?b => apply Rmult_le_pos; pos
  | |- 0 <= ?a / ?b => apply Rle_mult_inv_pos; pos
  | |- 0 <= / ?a => left; apply Rinv_0_lt_compat; pos
  | |- 0 <= ?a ^ ?n => apply pow_le; pos
  | |- 0 <= sqrt _ => apply sqrt_pos
  | |- 0 <= Rmin _ _ => apply Rmin_glb; pos
  | |- 0 <= Rabs _ => apply Rabs_pos
  | |- 0 <= ?a + ?b => first [apply Rplus_le_le_0_compat; [pos|pos] | lra | nra]
  | |- _ => first [lra | left; positive | nra]
  end.
Ltac nz := repeat split; pos.

(* The sign of a variable, from a lower bound of it. *)
Ltac sign x := first
  [ lazymatch goal with H : 0 < x |- _ => idtac end
  | assert (0 < x) by first [lra | match goal with
      | H : ?a <= x |- _ => apply Rlt_le_trans with (2 := H); pos
      | H : x >= ?a |- _ => apply Rlt_le_trans with (2 := Rge_le _ _ H); pos
      | H : ?a < x |- _ => apply Rle_lt_trans with (2 := H); pos
      | H : x > ?a |- _ => apply Rle_lt_trans with (2 := Rgt_lt _ _ H); pos
      end]
  | idtac ].

