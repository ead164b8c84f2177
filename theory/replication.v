(* What the proof of Proposition 3 makes of two lower bounds (lines 3480-3484): the function for n = 1, n times over,
  and
   the larger of two bounds for their sum.

   Printed: f_1 = ... = f_n = f* transfers the bound Omega(Delta L/eps^2) for n = 1 to F_{n,Delta}^{L,zeta}; with a
     member
   of that class that needs Omega(n + Delta zeta sqrt n/eps^2) gradients this gives Omega(n + Delta (zeta sqrt n +
     L)/eps^2).
   Proved, with d free, so for all inner product spaces:
     [copies_in_class], [copies_need]  n copies of a function of one component lie in the class for every zeta >= 0, and
                        every linear-span algorithm needs as many queries as for the one;
     [replication]      the conclusion, with half the smaller of the two constants. The two bounds are assumed. *)
From Coq Require Import Reals Lra Lia PeanoNat.
From Sledge Require Import vectors problems lower_bound.
Open Scope R_scope.

(* f in F_{n,Delta}^{L,zeta} with start x0: zeta-heterogeneous, each f_i smooth with L, f(x0) - inf f = Delta. *)
Definition in_class {V : space} (n : nat) (L zeta Delta : R) (x0 : V) (f : nat -> V -> R) (grad : nat -> V -> V) :
  Prop :=
  smooth n f grad L /\ heterogeneous n grad zeta /\
  exists least, (forall x, least <= objective n f x) /\ (forall m, (forall x, m <= objective n f x) -> m <= least) /\
    objective n f x0 - least = Delta.
(* Every linear-span algorithm that starts at x0 and asks for components below n has a gradient longer than eps
   before k queries. *)
Definition needs {V : space} (n : nat) (eps : R) (x0 : V) (grad : nat -> V -> V) (k : R) : Prop :=
  forall (query : nat -> nat) (x : nat -> V), (forall t, (query t < n)%nat) -> x 0%nat = x0 -> linear_span grad query
    x ->
  forall t, norm (gradient n grad (x t)) <= eps -> k <= INR t.

Section Copies.
Context {V : space}.
Variables (f : V -> R) (df : V -> V).
Lemma objective_copies m x : (1 <= m)%nat -> objective m (fun _ => f) x = f x.
Proof.
  intro Hm. unfold objective. rewrite sum_const. field. apply Rgt_not_eq, lt_0_INR. lia.
Qed.
Lemma gradient_copies m x : (1 <= m)%nat -> gradient m (fun _ => df) x = df x.
Proof.
  intro Hm. assert (0 < INR m) by (apply lt_0_INR; lia). vector_eq w. rewrite ip_gradient, sum_const. field. lra.
Qed.
Variable n : nat.
Hypothesis Hn : (1 <= n)%nat.
Theorem copies_in_class L zeta Delta x0 zeta1 : 0 <= zeta -> in_class 1 L zeta1 Delta x0 (fun _ => f) (fun _ => df) ->
  in_class n L zeta Delta x0 (fun _ => f) (fun _ => df).
Proof.
  intros Hz [S [_ [least [A [B C]]]]]. split; [|split].
  - intros i _. apply (S 0%nat). lia.
  - intros i j _ _ x y. rewrite !sub_self, norm_zero. apply Rmult_le_pos; [exact Hz|apply norm_nonneg].
  - exists least. rewrite objective_copies in * by (exact Hn || lia). split; [|split].
    + intro x. specialize (A x). rewrite objective_copies in * by (exact Hn || lia). exact A.
    + intros m H. apply B. intro x. specialize (H x). rewrite objective_copies in * by (exact Hn || lia). exact H.
    + exact C.
Qed.
Theorem copies_need eps x0 k : needs 1 eps x0 (fun _ => df) k -> needs n eps x0 (fun _ => df) k.
Proof.
  intros H query x Q X Sp t G. apply (H (fun _ => 0%nat) x); [lia|exact X| |].
  - intros s Hs. exact (Sp s Hs).
  - rewrite gradient_copies in * by (exact Hn || lia). exact G.
Qed.
End Copies.

(* The member of the class may live in any space. *)
Definition hard (n : nat) (L zeta Delta eps k : R) : Prop :=
  exists (V : space) (x0 : V) (f : nat -> V -> R) (grad : nat -> V -> V),
    in_class n L zeta Delta x0 f grad /\ needs n eps x0 grad k.
(* The bound for n = 1 is that of one function, c1 Delta L/eps^2; the other is that of a member of the class. *)
Theorem replication n L zeta Delta eps c1 c2 : (1 <= n)%nat -> 0 < L -> 0 <= zeta -> 0 <= Delta -> 0 < eps ->
  0 < c1 -> 0 < c2 ->
  (exists (V : space) (x0 : V) (f : V -> R) (df : V -> V), in_class 1 L 0 Delta x0 (fun _ => f) (fun _ => df)
     /\ needs 1 eps x0 (fun _ => df) (c1 * (Delta * L / eps ^ 2))) ->
  hard n L zeta Delta eps (c2 * (INR n + Delta * zeta * sqrt (INR n) / eps ^ 2)) ->
  hard n L zeta Delta eps (Rmin c1 c2 / 2 * (INR n + Delta * (zeta * sqrt (INR n) + L) / eps ^ 2)).
Proof.
  intros Hn HL Hz HD He H1 H2 [V1 [x1 [f [df [C1 N1]]]]] [V2 [x2 [g [dg [C2 N2]]]]].
  set (a := Delta * L / eps ^ 2) in *. set (b := INR n + Delta * zeta * sqrt (INR n) / eps ^ 2) in *.
  assert (e2 : 0 < / eps ^ 2) by (apply Rinv_0_lt_compat, pow_lt, He).
  assert (a0 : 0 <= a) by (unfold a, Rdiv; repeat apply Rmult_le_pos; lra).
  assert (b0 : 0 <= b).
  { unfold b, Rdiv. pose proof (pos_INR n). pose proof (sqrt_pos (INR n)).
    apply Rplus_le_le_0_compat; [assumption|]. repeat apply Rmult_le_pos; lra. }
  replace (INR n + Delta * (zeta * sqrt (INR n) + L) / eps ^ 2) with (a + b) by (unfold a, b; field; lra).
  pose proof (Rmin_l c1 c2) as M1. pose proof (Rmin_r c1 c2) as M2.
  assert (M0 : 0 < Rmin c1 c2) by (apply Rmin_glb_lt; assumption). set (c := Rmin c1 c2) in *.
  destruct (Rle_lt_dec a b) as [Le|Lt].
  - exists V2, x2, g, dg. split; [exact C2|]. intros query x Q X Sp t G. specialize (N2 query x Q X Sp t G).
    assert (c * b <= c2 * b) by (apply Rmult_le_compat_r; lra). assert (c * a <= c * b) by (apply Rmult_le_compat_l;
      lra).
    lra.
  - exists V1, x1, (fun _ => f), (fun _ => df). split; [apply (copies_in_class f df n Hn L zeta Delta x1 0 Hz C1)|].
    intros query x Q X Sp t G. pose proof (copies_need df n Hn eps x1 _ N1 query x Q X Sp t G) as K.
    assert (c * a <= c1 * a) by (apply Rmult_le_compat_r; lra). assert (c * b <= c * a) by (apply Rmult_le_compat_l;
      lra).
    lra.
Qed.
