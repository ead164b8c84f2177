(* The problem and the assumptions (Section 2, lines 244-280).

   f = (1/n) sum_i f_i on a space V, with gradients grad i of the f_i.

   Printed                                           Here
   Assumption 1 (assumption:GradLipschitz):
     each grad f_i is                                [lipschitz L (grad i)], and [is_gradient]:
     L-Lipschitz                                     derivatives along lines are <grad f_i, u>
   Assumption 2 (assumption:GlobalInfimum):
     inf f exists                                    fstar <= f x for all x
   Assumption 3 (assumption:BoundedGradient) (i):
     at x^0                                          the mean square of |grad f_i - grad f| at x^0
     |grad f_i - grad f|^2 <= sigma_c^2
   Assumption 5 (assumption:Heterogeneity):          grad f_i - grad f_j is zeta-Lipschitz
     |Hess f_i - Hess f_j| <= zeta                   (weaker: no second derivatives are needed; it
                                                      follows, by hessians_alike of preliminaries.v)
   Assumption 6 (assumption:PL):
     |grad f|^2 >= 2 mu (f - inf f)                  the same

   Proved here: a Lipschitz gradient gives f(x + u) <= f(x) + <grad f(x), u> + (L/2)|u|^2; the mean
   of gradients is the gradient of the mean, and Lipschitz with the same constant; mu <= L. *)
From Coq Require Import Reals Lra Lia PeanoNat.
From Sledge Require Import vectors.
Open Scope R_scope.

Section Functions.
Context {V : space}.

(* The derivative of f along every line. *)
Definition is_gradient (f : V -> R) (df : V -> V) : Prop := forall x u t,
  derivable_pt_lim (fun t => f (add x (scale t u))) t (ip (df (add x (scale t u))) u).
Definition lipschitz (L : R) (G : V -> V) : Prop := forall x y,
  norm (sub (G x) (G y)) <= L * norm (sub x y).
(* The upper bound by a quadratic that smoothness gives. *)
Definition below_quadratic (L : R) (f : V -> R) (df : V -> V) : Prop := forall x u,
  f (add x u) <= f x + ip (df x) u + L / 2 * sq u.
(* The condition of Polyak and Lojasiewicz. *)
Definition polyak (mu fstar : R) (f : V -> R) (df : V -> V) : Prop := forall x,
  2 * mu * (f x - fstar) <= sq (df x).

Lemma line_0 (x u : V) : add x (scale 0 u) = x.
Proof. vector_eq w. ring. Qed.
Lemma line_1 (x u : V) : add x (scale 1 u) = add x u.
Proof. vector_eq w. ring. Qed.
Theorem lipschitz_below_quadratic L f df :
  is_gradient f df -> lipschitz L df -> below_quadratic L f df.
Proof.
  intros D Lip x u.
  (* g(t) = f(x + tu) - t <df x, u> - (L/2) t^2 |u|^2 falls *)
  pose (g := fun t => f (add x (scale t u)) - (ip (df x) u * t + L / 2 * sq u * (t * t))).
  pose (g' := fun t => ip (df (add x (scale t u))) u - (ip (df x) u * 1 + L / 2 * sq u * (1 * t
    + t * 1))).
  destruct (MVT_cor2 g g' 0 1) as [c [E C]]; [lra| |].
  - intros c _. unfold g, g'. apply derivable_pt_lim_minus; [apply D|].
    apply derivable_pt_lim_plus; apply derivable_pt_lim_scal; [apply derivable_pt_lim_id|].
    apply (derivable_pt_lim_mult id id c 1 1); apply derivable_pt_lim_id.
  - unfold g at 1 2 in E. rewrite line_0, line_1 in E.
    assert (G : g' c <= 0).
    { unfold g'. pose proof (ip_le (sub (df (add x (scale c u))) (df x)) u) as I.
      rewrite ip_sub in I.
      pose proof (Lip (add x (scale c u)) x) as LL.
      replace (sub (add x (scale c u)) x) with (scale c u) in LL by (vector_eq w; ring).
      rewrite norm_scale, Rabs_right in LL by lra. pose proof (norm_nonneg u) as U.
      pose proof (norm_sq u) as U2.
      set (nu := norm u) in *. set (d := norm (sub (df (add x (scale c u))) (df x))) in *.
      assert (d * nu <= L * (c * nu) * nu) by (apply Rmult_le_compat_r; assumption).
      replace (L * (c * nu) * nu) with (L * c * (nu * nu)) in * by ring. rewrite U2 in *. lra. }
    lra.
Qed.
(* A Lipschitz gradient and f* <= f: |df x|^2 <= 2L (f x - inf f). *)
Lemma gradient_below_gap L f df fstar x : 0 < L -> below_quadratic L f df -> (forall y, fstar
  <= f y) ->
  sq (df x) <= 2 * L * (f x - fstar).
Proof.
  intros HL S I. specialize (S x (scale (- / L) (df x))).
  specialize (I (add x (scale (- / L) (df x)))).
  rewrite sq_scale, ip_scale_r in S. change (ip (df x) (df x)) with (sq (df x)) in S.
  assert (E : - / L * sq (df x) + L / 2 * (- / L * - / L * sq (df x)) = - (sq (df x) / (2 * L)))
    by (field; lra).
  assert (F : sq (df x) = 2 * L * (sq (df x) / (2 * L))) by (field; lra).
  rewrite F. apply Rmult_le_compat_l; lra.
Qed.
(* Of a function that is not constant. *)
Lemma polyak_at_most_L L mu fstar f df x : 0 < L -> below_quadratic L f df -> (forall y, fstar
  <= f y) ->
  polyak mu fstar f df -> fstar < f x -> mu <= L.
Proof.
  intros HL S I Pl G. pose proof (gradient_below_gap L f df fstar x HL S I). specialize (Pl x).
  apply Rmult_le_reg_r with (2 * (f x - fstar)); lra.
Qed.
End Functions.

Section FiniteSum.
Context {V : space}.
Variables (n : nat) (f : nat -> V -> R) (grad : nat -> V -> V).

Definition objective (x : V) : R := / INR n * sum n (fun i => f i x).
Definition gradient (x : V) : V := over n (vsum n (fun i => grad i x)).

(* Assumption 1 for the components, Assumption 5,
  and the mean square deviation of Assumption 3 (i). *)
Definition smooth (L : R) : Prop := forall i, (i < n)%nat -> is_gradient (f i) (grad i)
  /\ lipschitz L (grad i).
Definition heterogeneous (zeta : R) : Prop := forall i j, (i < n)%nat -> (j < n)%nat ->
  lipschitz zeta (fun x => sub (grad i x) (grad j x)).
Definition deviation (x : V) : R := / INR n * sum n (fun i => sq (sub (grad i x) (gradient x))).

Lemma ip_gradient x w : ip (gradient x) w = / INR n * sum n (fun i => ip (grad i x) w).
Proof. unfold gradient. rewrite ip_over, ip_vsum. reflexivity. Qed.
Lemma gradient_of_objective L : smooth L -> is_gradient objective gradient.
Proof.
  intros H x u t. rewrite ip_gradient. unfold objective.
  apply (derivable_pt_lim_scal (fun t => sum n (fun i => f i (add x (scale t u)))) (/ INR n) t).
  assert (G : forall m, (m <= n)%nat -> derivable_pt_lim (fun t => sum m
    (fun i => f i (add x (scale t u)))) t
    (sum m (fun i => ip (grad i (add x (scale t u))) u))).
  { induction m as [|m IH]; intro Hm; [apply derivable_pt_lim_const|]. cbn [sum].
    apply (derivable_pt_lim_plus (fun t => sum m (fun i => f i (add x (scale t u))))); [apply IH;
      lia|].
    apply H. lia. }
  apply G. lia.
Qed.
Lemma gradient_lipschitz L : (1 <= n)%nat -> smooth L -> lipschitz L gradient.
Proof.
  intros Hn H x y. assert (N0 : 0 < INR n) by (apply lt_0_INR; lia).
  replace (sub (gradient x) (gradient y)) with (over n (vsum n (fun i => sub (grad i x)
    (grad i y)))).
  2:{ vector_eq w. rewrite !ip_vsum, !ip_gradient, <- Rmult_minus_distr_l, <- sum_sub. f_equal.
      apply sum_ext. intros. apply ip_sub. }
  rewrite norm_over. apply Rmult_le_reg_l with (INR n); [assumption|].
  rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra. eapply Rle_trans; [apply norm_vsum|].
  rewrite <- sum_const. apply sum_le. intros i Hi. apply H. assumption.
Qed.
Theorem objective_below_quadratic L : (1 <= n)%nat -> smooth L -> below_quadratic L objective
  gradient.
Proof.
  intros Hn H. apply lipschitz_below_quadratic; [apply (gradient_of_objective L), H|].
  apply gradient_lipschitz; assumption.
Qed.
(* Printed: zeta is at most 2L (line 382). *)
Lemma zeta_at_most_2L L : smooth L -> heterogeneous (2 * L).
Proof.
  intros H i j Hi Hj x y. pose proof (proj2 (H i Hi) x y). pose proof (proj2 (H j Hj) x y).
  replace (sub (sub (grad i x) (grad j x)) (sub (grad i y) (grad j y)))
    with (sub (sub (grad i x) (grad i y)) (sub (grad j x) (grad j y))) by (vector_eq w; ring).
  eapply Rle_trans; [apply norm_sub|]. lra.
Qed.
(* The form that the proofs use. *)
Lemma heterogeneous_sq zeta i j x y : heterogeneous zeta -> (i < n)%nat -> (j < n)%nat ->
  sq (sub (sub (grad i y) (grad i x)) (sub (grad j y) (grad j x))) <= zeta * zeta * sq (sub y x).
Proof.
  intros H Hi Hj. replace (sub (sub (grad i y) (grad i x)) (sub (grad j y) (grad j x)))
    with (sub (sub (grad i y) (grad j y)) (sub (grad i x) (grad j x))) by (vector_eq w; ring).
  pose proof (sq_le _ _ (H i j Hi Hj y x)) as S. rewrite <- (norm_sq (sub y x)). lra.
Qed.
End FiniteSum.
