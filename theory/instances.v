(* An instance for every theorem, so that none is about nothing: the line, n >= 2 components, one of
   them apart,
       f_0(x) = x^2/2,  f_i(x) = 0 for i >= 1,  f(x) = x^2/(2n).
   It is smooth with L = 1, heterogeneous with zeta = 1 and no smaller number, has infimum 0 and
   meets the PL condition with mu = 1/n. *)
From Coq Require Import Reals Lra Lia PeanoNat.
From Sledge Require Import vectors problems.
Open Scope R_scope.

Definition reals : module R := {| vector := R; zero := 0; add := Rplus; sub := Rminus;
  scale := Rmult;
  over := fun k u => / INR k * u |}.
Definition line : space.
Proof.
  refine {| vectors := reals; ip := Rmult |}; simpl; intros; try ring.
  - apply Rle_0_sqr.
  - specialize (H 1). lra.
Defined.
Lemma norm_line (x : line) : norm x = Rabs x.
Proof. unfold norm, sq. simpl. apply sqrt_Rsqr_abs. Qed.
Lemma sq_line (x : line) : sq x = x * x.
Proof. reflexivity. Qed.
Lemma vsum_line n (a : nat -> line) : vsum n a = sum n a.
Proof. induction n as [|n IH]; [reflexivity|]. change (vsum n a + a n = sum n a + a n). rewrite IH.
reflexivity. Qed.

Definition apart (i : nat) : R := match i with O => 1 | _ => 0 end.
Definition outlier (i : nat) (x : line) : R := apart i * (x * x) / 2.
Definition outlier_gradient (i : nat) (x : line) : line := apart i * x.

Lemma apart_bounds i : 0 <= apart i <= 1.
Proof. destruct i; simpl; lra. Qed.
Lemma sum_apart n (c : R) : (1 <= n)%nat -> sum n (fun i => apart i * c) = c.
Proof.
  intro H. destruct n as [|n]; [lia|]. rewrite sum_first. simpl apart.
  rewrite (sum_zero n) by (intros; simpl; ring). ring.
Qed.

Section Outlier.
Variable n : nat.
Hypothesis Hn : (2 <= n)%nat.
Notation N := (INR n).
Lemma N_pos : 2 <= N. Proof. change 2 with (INR 2). apply le_INR. assumption. Qed.
Lemma outlier_objective (x : line) : objective n outlier x = x * x / (2 * N).
Proof.
  pose proof N_pos. unfold objective, outlier.
  rewrite (sum_ext n _ (fun i => apart i * (x * x / 2))) by (intros; field).
  rewrite sum_apart by lia. field. lra.
Qed.
Lemma outlier_full_gradient (x : line) : gradient n outlier_gradient x = / N * x.
Proof.
  unfold gradient. rewrite vsum_line. change (/ N * sum n (fun i => apart i * x) = / N * x).
  rewrite sum_apart by lia. reflexivity.
Qed.
Lemma outlier_is_gradient i : is_gradient (outlier i) (outlier_gradient i).
Proof.
  intros x u t. unfold outlier, outlier_gradient. simpl in x, u |- *.
  apply (derivable_pt_lim_ext (fun t => apart i / 2 * (x * x) + (apart i * x * u * t
    + apart i / 2 * u * u * (t * t)))).
  - intro s. field.
  - replace (apart i * (x + t * u) * u) with (0 + (apart i * x * u * 1
      + apart i / 2 * u * u * (1 * t + t * 1))) by field.
    apply derivable_pt_lim_plus; [apply derivable_pt_lim_const|].
    apply derivable_pt_lim_plus; apply derivable_pt_lim_scal; [apply derivable_pt_lim_id|].
    apply (derivable_pt_lim_mult id id t 1 1); apply derivable_pt_lim_id.
Qed.
Lemma outlier_smooth : smooth n outlier outlier_gradient 1.
Proof.
  intros i _. split; [apply outlier_is_gradient|]. intros x y. rewrite !norm_line. simpl.
  unfold outlier_gradient. rewrite <- Rmult_minus_distr_l, Rabs_mult. pose proof (apart_bounds i).
  rewrite (Rabs_right (apart i)) by lra. apply Rmult_le_compat_r; [apply Rabs_pos|lra].
Qed.
Lemma outlier_heterogeneous : heterogeneous n outlier_gradient 1.
Proof.
  intros i j _ _ x y. rewrite !norm_line. simpl. unfold outlier_gradient.
  replace (apart i * x - apart j * x - (apart i * y - apart j * y)) with ((apart i - apart j)
    * (x - y)) by ring.
  rewrite Rabs_mult. apply Rmult_le_compat_r; [apply Rabs_pos|]. apply Rabs_le.
  pose proof (apart_bounds i). pose proof (apart_bounds j). lra.
Qed.
Lemma outlier_not_less zeta : heterogeneous n outlier_gradient zeta -> 1 <= zeta.
Proof.
  intro H. specialize (H 0%nat 1%nat ltac:(lia) ltac:(lia) (1 : line) (0 : line)).
  rewrite !norm_line in H.
  simpl in H. unfold outlier_gradient in H. simpl in H.
  replace (1 * 1 - 0 * 1 - (1 * 0 - 0 * 0)) with 1 in H by ring.
  replace (1 - 0) with 1 in H by ring.
  rewrite Rabs_R1 in H. lra.
Qed.
Lemma outlier_infimum (x : line) : 0 <= objective n outlier x.
Proof.
  pose proof N_pos. rewrite outlier_objective. apply Rmult_le_pos; [apply Rle_0_sqr|].
  left. apply Rinv_0_lt_compat. lra.
Qed.
Lemma outlier_polyak : polyak (/ N) 0 (objective n outlier) (gradient n outlier_gradient).
Proof.
  intro x. pose proof N_pos. rewrite outlier_objective, outlier_full_gradient, sq_line. right.
  field. lra.
Qed.
End Outlier.
