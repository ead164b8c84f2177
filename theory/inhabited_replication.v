(* The hypotheses of replication.v are met, with zeta = 1: by f(x) = x^2/2 on the line from x^0 = 1, L = 1, Delta = 1/2,
   which needs one query to come below eps = 1/2. Nothing here is used elsewhere. *)
From Coq Require Import Reals Lra Lia PeanoNat.
From Sledge Require Import vectors problems instances preliminaries lower_bound replication.
Open Scope R_scope.

Lemma bowl_in_class : in_class 1 1 0 (1 / 2) (1 : line) (fun _ => bowl 1) (fun _ => bowl_gradient 1).
Proof.
  split; [|split].
  - intros i _. split; [apply bowl_is_gradient|]. apply (linear_lipschitz _ 1); [reflexivity|]. rewrite Rabs_R1. lra.
  - intros i j _ _ x y. rewrite !sub_self, norm_zero. lra.
  - exists 0. split; [|split].
    + intro x. rewrite objective_copies by lia. unfold bowl. nra.
    + intros m H. specialize (H (0 : line)). rewrite objective_copies in H by lia. unfold bowl in H. lra.
    + rewrite objective_copies by lia. unfold bowl. lra.
Qed.
Lemma bowl_needs : needs 1 (1 / 2) (1 : line) (fun _ => bowl_gradient 1) 1.
Proof.
  intros query x _ X _ t G. destruct t as [|t].
  - rewrite X, gradient_copies, norm_line in G by lia. unfold bowl_gradient in G.
    rewrite Rmult_1_l, Rabs_R1 in G. lra.
  - change 1 with (INR 1). apply le_INR. lia.
Qed.
Example replication_inhabited : hard 1 1 1 (1 / 2) (1 / 2)
  (Rmin (1 / 2) (1 / 3) / 2 * (INR 1 + 1 / 2 * (1 * sqrt (INR 1) + 1) / (1 / 2) ^ 2)).
Proof.
  apply replication; try lra; [lia| |].
  - exists line, (1 : line), (bowl 1), (bowl_gradient 1). split; [exact bowl_in_class|].
    replace (1 / 2 * (1 / 2 * 1 / (1 / 2) ^ 2)) with 1 by field. exact bowl_needs.
  - exists line, (1 : line), (fun _ => bowl 1), (fun _ => bowl_gradient 1). split.
    + apply (copies_in_class _ _ 1 (le_n 1) 1 1 (1 / 2) _ 0); [lra|exact bowl_in_class].
    + change (INR 1) with 1. rewrite sqrt_1. replace (1 / 3 * (1 + 1 / 2 * 1 * 1 / (1 / 2) ^ 2)) with 1 by field.
      exact bowl_needs.
Qed.
