(* Hoeffding's lemma: if E X = 0 and X takes its values in an interval of length d, then
       E exp X <= exp(d^2/8).                                                            [hoeffding]
   Not printed in the paper; it stands behind its Azuma-Hoeffding inequality (Proposition 13,
   proposition:Azuma, lines 975-988). Proved for every mean of means.v.

   The interval need not be known: that any two possible values are at most d apart is enough. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Sledge Require Import vectors means.
Open Scope R_scope.

(* A function with a nonnegative derivative grows. *)
Lemma grows (f f' : R -> R) : (forall x, 0 <= x -> is_derive f x (f' x)) -> (forall x, 0 <= x -> 0
  <= f' x) ->
  forall x, 0 <= x -> f 0 <= f x.
Proof.
  intros D P x Hx. destruct (MVT_gen f 0 x f') as [c [[C1 C2] C3]].
  - intros y. rewrite Rmin_left, Rmax_right by assumption. intros [Y1 Y2]. apply D. lra.
  - intros y. rewrite Rmin_left, Rmax_right by assumption. intros [Y1 Y2].
    apply continuity_pt_filterlim.
    apply (ex_derive_continuous f y). exists (f' y). apply D. assumption.
  - rewrite Rmin_left in C1 by assumption. specialize (P c C1).
    assert (0 <= f' c * (x - 0)) by (apply Rmult_le_pos; lra). lra.
Qed.

(* Two points: 0 with weight 1 - p and u with weight p, p u away from their mean. *)
Section Two_points.
Variable p : R.
Hypothesis P0 : 0 <= p.
Hypothesis P1 : p <= 1.
Let w u := 1 - p + p * exp u.
Lemma w_pos u : 0 < w u.
Proof.
  unfold w. pose proof (exp_pos u). destruct (Req_dec p 1) as [e|e]; [subst; lra|].
  assert (0 <= p * exp u) by (apply Rmult_le_pos; lra). lra.
Qed.
Lemma two_points u : 0 <= u -> exp (- p * u) * w u <= exp (u * u / 8).
Proof.
  intro Hu.
  (* h(x) = x^2/8 + p x - log w(x); h(0) = h'(0) = 0 and h'' = 1/4 - p e^x (1 - p)/w^2 >= 0 *)
  pose (h1 := fun x => x / 4 + p - p * exp x / w x).
  assert (S1 : forall x, 0 <= x -> 0 <= h1 x).
  { intros x Hx. replace 0 with (h1 0). 2:{ unfold h1, w. rewrite exp_0. field. lra. }
    apply (grows h1 (fun x => 1 / 4 - p * exp x * (1 - p) / (w x * w x))); [| |assumption].
    - intros y _. pose proof (w_pos y) as W. unfold h1, w in *. auto_derive; [repeat split; lra|].
      field. lra.
    - intros y _. pose proof (w_pos y) as W. pose proof (exp_pos y).
      apply Rmult_le_reg_r with (w y * w y); [apply Rmult_lt_0_compat; assumption|].
      rewrite Rmult_0_l.
      replace ((1 / 4 - p * exp y * (1 - p) / (w y * w y)) * (w y * w y))
        with (w y * w y / 4 - p * exp y * (1 - p)) by (field; lra).
      unfold w. pose proof (Rle_0_sqr (1 - p - p * exp y)) as Z. unfold Rsqr in Z. lra. }
  pose (h := fun x => x * x / 8 + p * x - ln (w x)).
  assert (S0 : 0 <= h u).
  { replace 0 with (h 0).
    2:{ unfold h, w. rewrite exp_0. replace (1 - p + p * 1) with 1 by ring. rewrite ln_1. lra. }
    apply (grows h h1); [| |assumption].
    - intros y _. pose proof (w_pos y) as W. unfold h, h1, w in *.
      auto_derive; [repeat split; lra|].
      field. lra.
    - assumption. }
  rewrite <- (exp_ln (w u)) by apply w_pos. rewrite <- exp_plus. unfold h in S0.
  destruct (Rle_lt_or_eq_dec (- p * u + ln (w u)) (u * u / 8)) as [k|k];
    [lra|left; apply exp_increasing; assumption|rewrite k; lra].
Qed.
End Two_points.

Lemma exp_le x y : x <= y -> exp x <= exp y.
Proof. intros [H|H]; [left; apply exp_increasing; assumption|rewrite H; lra]. Qed.
Lemma exp_above x : 1 + x <= exp x.
Proof. apply exp_ineq1_le. Qed.
Lemma exp_convex t x y : 0 <= t <= 1 -> exp ((1 - t) * x + t * y) <= (1 - t) * exp x + t * exp y.
Proof.
  intro H. set (m := (1 - t) * x + t * y). pose proof (exp_above (x - m)) as X.
  pose proof (exp_above (y - m)) as Y. pose proof (exp_pos m).
  replace (exp x) with (exp m * exp (x - m)) by (rewrite <- exp_plus; f_equal; ring).
  replace (exp y) with (exp m * exp (y - m)) by (rewrite <- exp_plus; f_equal; ring).
  assert (X' : (1 - t) * (1 + (x - m)) <= (1 - t) * exp (x - m)) by (apply Rmult_le_compat_l; lra).
  assert (Y' : t * (1 + (y - m)) <= t * exp (y - m)) by (apply Rmult_le_compat_l; lra).
  assert (E : (1 - t) * (1 + (x - m)) + t * (1 + (y - m)) = 1) by (unfold m; ring).
  assert (K : exp m * 1 <= exp m * ((1 - t) * exp (x - m) + t * exp (y - m)))
    by (apply Rmult_le_compat_l; lra).
  lra.
Qed.

Section Lemma_of_Hoeffding.
Context {O : Type} (m : mean O).

Lemma hoeffding_interval (X : O -> R) lo d : 0 <= d -> (forall o, possible m o -> lo <= X o <= lo
  + d) ->
  Ex m X = 0 -> Ex m (fun o => exp (X o)) <= exp (d * d / 8).
Proof.
  intros Hd H Z.
  assert (L1 : lo <= 0). { rewrite <- Z. apply Ex_at_least. intros o P. apply H, P. }
  assert (L2 : 0 <= lo + d). { rewrite <- Z at 1. apply Ex_at_most. intros o P. apply H, P. }
  destruct Hd as [Hd|Hd].
  2:{ subst d. rewrite (Ex_ext m _ (fun _ => 1)).
      2:{ intros o P. specialize (H o P). replace (X o) with 0 by lra. apply exp_0. }
      rewrite Ex_one. pose proof (exp_above (0 * 0 / 8)). lra. }
  set (p := - lo / d).
  assert (Pd : p * d = - lo) by (unfold p; field; lra).
  assert (P0 : 0 <= p) by (apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]).
  assert (P1 : p <= 1) by (apply Rmult_le_reg_r with d; lra).
  (* exp lies below its chord *)
  eapply Rle_trans; [apply (Ex_le m _ (fun o =>
    ((lo + d) / d * exp lo - lo / d * exp (lo + d)) * 1 + ((exp (lo + d) - exp lo) / d) * X o))|].
  - intros o P. specialize (H o P). set (t := (X o - lo) / d).
    assert (T : t * d = X o - lo) by (unfold t; field; lra).
    assert (T01 : 0 <= t <= 1) by (split; apply Rmult_le_reg_r with d; lra).
    replace (X o) with ((1 - t) * lo + t * (lo + d)) at 1 by lra.
    eapply Rle_trans; [apply exp_convex, T01|]. right. unfold t. field. lra.
  - rewrite Ex_add, !Ex_mul, Ex_one, Z.
    replace (((lo + d) / d * exp lo - lo / d * exp (lo + d)) * 1 + (exp (lo + d) - exp lo) / d * 0)
      with (exp (- p * d) * (1 - p + p * exp d)).
    + apply two_points; lra.
    + replace (- p * d) with lo by lra. rewrite exp_plus. unfold p. field. lra.
Qed.
Theorem hoeffding (X : O -> R) d : (forall o o', possible m o -> possible m o' -> X o - X o' <= d)
  ->
  Ex m X = 0 -> Ex m (fun o => exp (X o)) <= exp (d * d / 8).
Proof.
  intros H Z.
  (* 0 lies between: X <= d and -X <= d *)
  assert (U : forall o, possible m o -> X o <= d).
  { intros o P. assert (K : X o - Ex m X <= d); [|lra]. rewrite <- (Ex_const m (X o)), <- Ex_sub.
    apply Ex_at_most. intros o' P'. apply H; assumption. }
  assert (L : forall o, possible m o -> - X o <= d).
  { intros o P. assert (K : Ex m X - X o <= d); [|lra]. rewrite <- (Ex_const m (X o)), <- Ex_sub.
    apply Ex_at_most. intros o' P'. apply H; assumption. }
  assert (D : 0 <= d). { rewrite <- Z. apply Ex_at_most, U. }
  destruct (completeness (fun x => x = 0 \/ exists o, possible m o /\ x = - X o)) as [s [S1 S2]].
  - exists d. intros x [->|[o [P ->]]]; [assumption|apply L, P].
  - exists 0. left. reflexivity.
  - apply (hoeffding_interval X (- s) d); [assumption| |assumption]. intros o P.
    assert (- X o <= s) by (apply S1; right; eauto).
    assert (s <= d - X o).
    { apply S2. intros x [->|[o' [P' ->]]]; [specialize (U o P); lra|specialize (H o o' P P');
      lra]. }
    lra.
Qed.
End Lemma_of_Hoeffding.
