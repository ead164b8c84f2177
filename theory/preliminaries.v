(* Remarks of Sections 1 and 2 about zeta, zeta' and sigma_c.

   Contents
     hessian_distance      zeta = sup |Hess f_i(x) - Hess f_j(x)| is at most 2L (lines 112, 383)
     hessian_range         zeta is at most L + l if the values of the Hessians are between -l and L
     hessians_alike        Hessians within zeta of each other make grad f_i - grad f_j zeta-Lipschitz (Assumption 5)
     data_apart            zeta may be as small as one likes beside zeta' (lines 190-192)
     data_within           zeta is at most 2 zeta', and at most zeta' where that is read pairwise (lines 190-192)
     variance_of_clients   the variance between P clients may be as large as P (line 189)
     largest_deviation     the least sigma_c^2 of Assumption 3 is between V and (n - 1)V, V that of line 891
     strong_convexity      a mu-strongly convex function satisfies Assumption 6 with the same mu (lines 273-279)

   A Hessian is the derivative of a gradient along lines, a map H of vectors; its norm is the least
   bound of |H u| over |u| <= 1. Nothing is asked of H but that: it need not be linear. *)
From Coq Require Import Reals Lra Lia PeanoNat.
From Sledge Require Import vectors problems instances steps.
Open Scope R_scope.

(* ---- zeta at most 2L ---- *)

(* (G(x + hu) - G(x))/h tends to H u as h does to 0. *)
Definition is_derivative {V : space} (G : V -> V) (x : V) (H : V -> V) : Prop :=
  forall u e, 0 < e -> exists d, 0 < d /\ forall h, h <> 0 -> Rabs h < d ->
    norm (sub (scale (/ h) (sub (G (add x (scale h u))) (G x))) (H u)) <= e.

Lemma derivative_bound {V : space} (G : V -> V) L x H u : lipschitz L G -> is_derivative G x H ->
  norm (H u) <= L * norm u.
Proof.
  intros Lip D. apply le_epsilon. intros e He. destruct (D u e He) as [d [Hd K]].
  assert (Hh : d / 2 <> 0) by lra. specialize (K (d / 2) Hh).
  rewrite Rabs_right in K by lra. specialize (K ltac:(lra)).
  set (q := scale (/ (d / 2)) (sub (G (add x (scale (d / 2) u))) (G x))) in *.
  assert (Q : norm q <= L * norm u).
  { unfold q. rewrite norm_scale, Rabs_right by (left; apply Rinv_0_lt_compat; lra).
    pose proof (Lip (add x (scale (d / 2) u)) x) as LL.
    replace (sub (add x (scale (d / 2) u)) x) with (scale (d / 2) u) in LL by (vector_eq w; ring).
    rewrite norm_scale, Rabs_right in LL by lra.
    apply Rmult_le_reg_l with (d / 2); [lra|]. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra. lra. }
  replace (H u) with (sub q (sub q (H u))) by (vector_eq w; ring).
  eapply Rle_trans; [apply norm_sub|]. lra.
Qed.
Theorem hessian_distance {V : space} n (f : nat -> V -> R) grad L (hess : nat -> V -> V -> V) zeta : 0 <= L ->
  smooth n f grad L -> (forall i x, (i < n)%nat -> is_derivative (grad i) x (hess i x)) ->
  is_lub (fun y => exists i j x u, (i < n)%nat /\ (j < n)%nat /\ norm u <= 1
    /\ y = norm (sub (hess i x u) (hess j x u))) zeta ->
  zeta <= 2 * L.
Proof.
  intros HL S D [_ Least]. apply Least. intros y [i [j [x [u [Hi [Hj [Hu E]]]]]]]. subst y.
  pose proof (derivative_bound (grad i) L x (hess i x) u (proj2 (S i Hi)) (D i x Hi)) as A.
  pose proof (derivative_bound (grad j) L x (hess j x) u (proj2 (S j Hj)) (D j x Hj)) as B.
  pose proof (norm_sub (hess i x u) (hess j x u)) as C.
  assert (L * norm u <= L * 1) by (apply Rmult_le_compat_l; assumption). lra.
Qed.

(* Here the maps are symmetric, as Hessians are. *)
Theorem hessian_range {V : space} n (hess : nat -> V -> V -> V) l L zeta : 0 <= L + l ->
  (forall i x, (i < n)%nat -> symmetric (hess i x)) ->
  (forall i x u, (i < n)%nat -> - l * sq u <= ip (hess i x u) u <= L * sq u) ->
  is_lub (fun y => exists i j x u, (i < n)%nat /\ (j < n)%nat /\ norm u <= 1
    /\ y = norm (sub (hess i x u) (hess j x u))) zeta ->
  zeta <= L + l.
Proof.
  intros C Sy B [_ Least]. apply Least. intros y [i [j [x [u [Hi [Hj [Hu E]]]]]]]. subst y.
  assert (A : norm (sub (hess i x u) (hess j x u)) <= (L + l) * norm u).
  { apply (form_norm (fun u => sub (hess i x u) (hess j x u)) (L + l)); [|assumption|].
    - intros v w. cbv beta. rewrite ip_sub, ip_sub_r, (Sy i x Hi v w), (Sy j x Hj v w). ring.
    - intro v. cbv beta. rewrite ip_sub. pose proof (B i x v Hi). pose proof (B j x v Hj). lra. }
  assert ((L + l) * norm u <= (L + l) * 1) by (apply Rmult_le_compat_l; assumption). lra.
Qed.

(* ---- Hessians within zeta of each other ---- *)

Lemma derivative_along {V : space} (G : V -> V) (H : V -> V -> V) y u w t :
  is_derivative G (add y (scale t u)) (H (add y (scale t u))) ->
  derivable_pt_lim (fun t => ip (G (add y (scale t u))) w) t (ip (H (add y (scale t u)) u) w).
Proof.
  intros D eps He. pose proof (norm_nonneg w) as W.
  destruct (D u (eps / (2 * (norm w + 1)))) as [d [Hd K]]; [apply Rdiv_lt_0_compat; lra|].
  exists (mkposreal d Hd). intros h Hh Small. simpl in Small. specialize (K h Hh Small).
  set (q := scale (/ h) (sub (G (add (add y (scale t u)) (scale h u))) (G (add y (scale t u))))) in *.
  replace ((ip (G (add y (scale (t + h) u))) w - ip (G (add y (scale t u))) w) / h
    - ip (H (add y (scale t u)) u) w) with (ip (sub q (H (add y (scale t u)) u)) w).
  2:{ rewrite ip_sub. unfold q. rewrite ip_scale, ip_sub.
      replace (add (add y (scale t u)) (scale h u)) with (add y (scale (t + h) u)) by (vector_eq v; ring).
      field. assumption. }
  assert (A : Rabs (ip (sub q (H (add y (scale t u)) u)) w)
    <= norm (sub q (H (add y (scale t u)) u)) * norm w).
  { set (v := sub q (H (add y (scale t u)) u)). apply Rabs_le. split; [|apply ip_le].
    pose proof (ip_le (scale (-1) v) w) as B. rewrite ip_scale, norm_scale, Rabs_left in B by lra. lra. }
  eapply Rle_lt_trans; [exact A|].
  apply Rle_lt_trans with (eps / (2 * (norm w + 1)) * norm w).
  - apply Rmult_le_compat_r; assumption.
  - apply Rmult_lt_reg_r with (2 * (norm w + 1)); [lra|].
    replace (eps / (2 * (norm w + 1)) * norm w * (2 * (norm w + 1))) with (eps * norm w) by (field; lra). nra.
Qed.
(* Assumption 5 as it is printed: Hessians hess i x of the components, any two of them within zeta of each other. *)
Definition hessians_within {V : space} n (grad : nat -> V -> V) (hess : nat -> V -> V -> V) (zeta : R) : Prop :=
  (forall i x, (i < n)%nat -> is_derivative (grad i) x (hess i x)) /\
  (forall i j x u, (i < n)%nat -> (j < n)%nat -> norm (sub (hess i x u) (hess j x u)) <= zeta * norm u).
(* It gives the form that the theorems take: the mean value inequality. *)
Theorem hessians_alike {V : space} n (grad : nat -> V -> V) hess zeta : hessians_within n grad hess zeta ->
  heterogeneous n grad zeta.
Proof.
  intros [D Hz] i j Hi Hj x y. set (u := sub x y).
  set (w := sub (sub (grad i x) (grad j x)) (sub (grad i y) (grad j y))).
  pose (g := fun t => ip (grad i (add y (scale t u))) w - ip (grad j (add y (scale t u))) w).
  pose (g' := fun t => ip (hess i (add y (scale t u)) u) w - ip (hess j (add y (scale t u)) u) w).
  destruct (MVT_cor2 g g' 0 1) as [c [E _]]; [lra| |].
  - intros t _. unfold g, g'. apply derivable_pt_lim_minus; apply (derivative_along _ (hess _)); apply D; assumption.
  - assert (Q : sq w = ip (sub (hess i (add y (scale c u)) u) (hess j (add y (scale c u)) u)) w).
    { rewrite ip_sub. transitivity (g 1 - g 0); [|rewrite E; unfold g'; ring]. unfold g.
      replace (add y (scale 1 u)) with x by (unfold u; vector_eq v; ring).
      replace (add y (scale 0 u)) with y by (unfold u; vector_eq v; ring).
      change (ip w w = ip (grad i x) w - ip (grad j x) w - (ip (grad i y) w - ip (grad j y) w)).
      unfold w at 1. rewrite !ip_sub. ring. }
    pose proof (ip_le (sub (hess i (add y (scale c u)) u) (hess j (add y (scale c u)) u)) w) as I.
    rewrite <- Q, <- norm_sq in I. pose proof (Hz i j (add y (scale c u)) u Hi Hj) as B.
    pose proof (norm_nonneg w) as W.
    assert (N : 0 <= zeta * norm u)
      by (pose proof (norm_nonneg (sub (hess i (add y (scale c u)) u) (hess j (add y (scale c u)) u))); lra).
    destruct (Rle_lt_or_eq_dec 0 (norm w) W) as [P|P]; [|change (norm w <= zeta * norm u); lra].
    apply Rmult_le_reg_r with (norm w); [assumption|].
    eapply Rle_trans; [exact I|]. apply Rmult_le_compat_r; [apply norm_nonneg|exact B].
Qed.

(* ---- Quadratics on the line ---- *)

Definition bowl (c : R) (x : line) : R := c * (x * x) / 2.
Definition bowl_gradient (c : R) (x : line) : line := c * x.
Lemma bowl_is_gradient c : is_gradient (bowl c) (bowl_gradient c).
Proof.
  intros x u t. unfold bowl, bowl_gradient. simpl in x, u |- *.
  apply (derivable_pt_lim_ext (fun t => c / 2 * (x * x) + (c * x * u * t + c / 2 * u * u * (t * t)))).
  - intro s. field.
  - replace (c * (x + t * u) * u) with (0 + (c * x * u * 1 + c / 2 * u * u * (1 * t + t * 1))) by field.
    apply derivable_pt_lim_plus; [apply derivable_pt_lim_const|].
    apply derivable_pt_lim_plus; apply derivable_pt_lim_scal; [apply derivable_pt_lim_id|].
    apply (derivable_pt_lim_mult id id t 1 1); apply derivable_pt_lim_id.
Qed.
Lemma linear_lipschitz (G : line -> line) a zeta : (forall x, G x = a * x) -> lipschitz zeta G <-> Rabs a <= zeta.
Proof.
  intro E. split.
  - intro H. specialize (H (1 : line) (0 : line)). rewrite !norm_line, !E in H. simpl in H.
    rewrite Rmult_1_r, Rmult_0_r, !Rminus_0_r, Rabs_R1, Rmult_1_r in H. exact H.
  - intros H x y. rewrite !norm_line, !E. simpl. rewrite <- Rmult_minus_distr_l, Rabs_mult.
    apply Rmult_le_compat_r; [apply Rabs_pos|exact H].
Qed.

(* ---- zeta beside zeta' ---- *)

(* P clients with two data each: the heterogeneity of the clients is z, no more and no less, while some datum is Z
   apart from the mean, for any 0 <= z <= Z: so z tends to 0 at a fixed zeta', and zeta/zeta' is as small as one
     likes. *)
Theorem data_apart P z Z : (2 <= P)%nat -> 0 <= z -> 0 <= Z ->
  exists (f : nat -> nat -> line -> R) (grad : nat -> nat -> line -> line),
    (forall i j, is_gradient (f i j) (grad i j)) /\
    let client i := gradient 2 (grad i) in
    (forall zeta, heterogeneous P client zeta <-> z <= zeta) /\
    (forall zeta', (forall i j, (i < P)%nat -> (j < 2)%nat ->
       lipschitz zeta' (fun x => sub (grad i j x) (gradient P client x))) -> Z <= zeta').
Proof.
  intros HP Hz HZ. set (c := fun i j => apart i * z + (match j with O => Z | _ => - Z end)).
  exists (fun i j => bowl (c i j)), (fun i j => bowl_gradient (c i j)).
  split; [intros; apply bowl_is_gradient|]. intro client.
  assert (Cl : forall i x, client i x = apart i * z * x).
  { intros i x. unfold client, gradient, bowl_gradient, c. simpl. field. }
  assert (P2 : 2 <= INR P) by (change 2 with (INR 2); apply le_INR; exact HP).
  assert (Fu : forall x, gradient P client x = / INR P * z * x).
  { intro x. unfold gradient. rewrite vsum_line. change (/ INR P * sum P (fun i => client i x) = / INR P * z * x).
    rewrite (sum_ext P _ (fun i => apart i * (z * x))) by (intros; rewrite Cl; ring).
    rewrite sum_apart by lia. ring. }
  split.
  - intro zeta. assert (E : forall i j x, sub (client i x) (client j x) = (apart i - apart j) * z * x).
    { intros i j x. rewrite !Cl. simpl. ring. }
    split.
    + intro H. specialize (H 0%nat 1%nat ltac:(lia) ltac:(lia)). apply (linear_lipschitz _ _ zeta (E 0%nat 1%nat)) in H.
      simpl in H. replace ((1 - 0) * z) with z in H by ring. rewrite Rabs_right in H by lra. exact H.
    + intros H i j _ _. apply (linear_lipschitz _ _ zeta (E i j)). rewrite Rabs_mult, (Rabs_right z) by lra.
      pose proof (apart_bounds i). pose proof (apart_bounds j).
      assert (Rabs (apart i - apart j) <= 1) by (apply Rabs_le; lra).
      pose proof (Rabs_pos (apart i - apart j)). nra.
  - intros zeta' H. specialize (H 0%nat 0%nat ltac:(lia) ltac:(lia)).
    apply (linear_lipschitz _ (z + Z - / INR P * z) zeta') in H.
    2:{ intro x. rewrite Fu. unfold bowl_gradient, c. simpl. ring. }
    assert (0 < / INR P <= 1).
    { split; [apply Rinv_0_lt_compat; lra|]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra. }
    assert (0 <= (1 - / INR P) * z) by nra. pose proof (Rle_abs (z + Z - / INR P * z)). lra.
Qed.

(* What is at most zeta apart from every datum of a client is so from their mean. *)
Lemma mean_within {V : space} m (G : nat -> V -> V) (F : V -> V) z : (1 <= m)%nat ->
  (forall j, (j < m)%nat -> lipschitz z (fun x => sub (G j x) (F x))) ->
  lipschitz z (fun x => sub (gradient m G x) (F x)).
Proof.
  intros Hm H x y. assert (M0 : 0 < INR m) by (apply lt_0_INR; lia). cbv beta.
  replace (sub (sub (gradient m G x) (F x)) (sub (gradient m G y) (F y)))
    with (over m (vsum m (fun j => sub (sub (G j x) (F x)) (sub (G j y) (F y))))).
  2:{ vector_eq w. rewrite ip_vsum, !ip_gradient.
      rewrite (sum_ext m _ (fun j => (ip (G j x) w - ip (G j y) w) - (ip (F x) w - ip (F y) w)))
        by (intros; products; ring).
      rewrite !sum_sub, !sum_const. field. lra. }
  rewrite norm_over. apply Rmult_le_reg_l with (INR m); [assumption|].
  rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra. eapply Rle_trans; [apply norm_vsum|].
  rewrite <- sum_const. apply sum_le. intros j Hj. exact (H j Hj x y).
Qed.
Lemma within_opposite {V : space} (F G : V -> V) z : lipschitz z (fun x => sub (F x) (G x)) ->
  lipschitz z (fun x => sub (G x) (F x)).
Proof.
  intros H x y. replace (sub (sub (G x) (F x)) (sub (G y) (F y)))
    with (sub (sub (F y) (G y)) (sub (F x) (G x))) by (vector_eq w; ring).
  rewrite (norm_sub_sym x y). exact (H y x).
Qed.
(* The same for differences of gradients at two points and for Hessians, which are maps of directions. *)
Theorem data_within {V : space} P (data : nat -> nat) (grad : nat -> nat -> V -> V) zeta' :
  (forall i, (i < P)%nat -> (1 <= data i)%nat) ->
  let client i := gradient (data i) (grad i) in
  ((forall i j, (i < P)%nat -> (j < data i)%nat ->
     lipschitz zeta' (fun x => sub (grad i j x) (gradient P client x))) -> heterogeneous P client (2 * zeta')) /\
  ((forall i j k l, (i < P)%nat -> (j < data i)%nat -> (k < P)%nat -> (l < data k)%nat ->
     lipschitz zeta' (fun x => sub (grad i j x) (grad k l x))) -> heterogeneous P client zeta').
Proof.
  intros Hd client. split; intros H i k Hi Hk.
  - pose proof (mean_within (data i) (grad i) (gradient P client) zeta' (Hd i Hi) (fun j => H i j Hi)) as A.
    pose proof (mean_within (data k) (grad k) (gradient P client) zeta' (Hd k Hk) (fun j => H k j Hk)) as B.
    fold (client i) in A. fold (client k) in B. intros x y. specialize (A x y). specialize (B x y). cbv beta in A, B.
    replace (sub (sub (client i x) (client k x)) (sub (client i y) (client k y)))
      with (sub (sub (sub (client i x) (gradient P client x)) (sub (client i y) (gradient P client y)))
        (sub (sub (client k x) (gradient P client x)) (sub (client k y) (gradient P client y))))
      by (vector_eq w; ring).
    eapply Rle_trans; [apply norm_sub|]. lra.
  - apply (mean_within (data i) (grad i) (client k) zeta' (Hd i Hi)). intros j Hj. apply within_opposite.
    apply (mean_within (data k) (grad k) (grad i j) zeta' (Hd k Hk)). intros l Hl. apply within_opposite.
    apply H; assumption.
Qed.

(* ---- The variance between clients ---- *)

(* For every P >= 2 there are P clients and a point where the mean gradient has length 1 and the mean square of the
   deviations is P + 1 + 2/P: one client carries the gradient, a second pulls back. *)
Theorem variance_of_clients P : (2 <= P)%nat ->
  exists (f : nat -> line -> R) (grad : nat -> line -> line) (x0 : line),
    (forall i, is_gradient (f i) (grad i)) /\ norm (gradient P grad x0) = 1 /\
    INR P <= deviation P grad x0 <= INR P + 2.
Proof.
  intro HP. set (c := fun i => match i with O => INR P + 1 | S O => -1 | _ => 0 end).
  exists (fun i => bowl (c i)), (fun i => bowl_gradient (c i)), (1 : line).
  split; [intros; apply bowl_is_gradient|].
  assert (P2 : 2 <= INR P) by (change 2 with (INR 2); apply le_INR; exact HP).
  destruct P as [|[|m]]; [lia|lia|].
  assert (Sc : forall h : R -> R, sum (S (S m)) (fun i => h (c i)) = h (INR (S (S m)) + 1) + h (-1) + INR m * h 0).
  { intro h. rewrite !sum_first. rewrite (sum_ext m _ (fun _ => h 0)) by reflexivity. rewrite sum_const.
    unfold c. ring. }
  assert (M : INR (S (S m)) = INR m + 2) by (rewrite !S_INR; ring).
  assert (Fu : gradient (S (S m)) (fun i => bowl_gradient (c i)) (1 : line) = 1).
  { unfold gradient. rewrite vsum_line. change (/ INR (S (S m)) * sum (S (S m)) (fun i => c i * 1) = 1).
    rewrite (Sc (fun y => y * 1)), M. field. pose proof (pos_INR m). lra. }
  split; [rewrite Fu, norm_line; apply Rabs_R1|].
  unfold deviation. rewrite (sum_ext _ _ (fun i => (c i - 1) * (c i - 1))).
  2:{ intros i _. rewrite Fu, sq_line. unfold bowl_gradient. simpl. ring. }
  rewrite (Sc (fun y => (y - 1) * (y - 1))).
  assert (E : / INR (S (S m)) * ((INR (S (S m)) + 1 - 1) * (INR (S (S m)) + 1 - 1) + (-1 - 1) * (-1 - 1)
      + INR m * ((0 - 1) * (0 - 1))) = INR (S (S m)) + 1 + 2 * / INR (S (S m))).
  { rewrite M. field. pose proof (pos_INR m). lra. }
  rewrite E. assert (0 < / INR (S (S m)) <= / 2).
  { split; [apply Rinv_0_lt_compat; lra|]. apply Rinv_le_contravar; lra. }
  lra.
Qed.

(* The mean square deviation is at most the square of the largest deviation, and each square at most n - 1 times the
   mean one: the deviations sum up to zero. *)
Theorem largest_deviation {V : space} n (grad : nat -> V -> V) x : (1 <= n)%nat ->
  let apart i := sq (sub (grad i x) (gradient n grad x)) in
  (forall s, (forall i, (i < n)%nat -> apart i <= s) -> deviation n grad x <= s) /\
  (forall i, (i < n)%nat -> apart i <= (INR n - 1) * deviation n grad x).
Proof.
  intros Hn apart. assert (N0 : 0 < INR n) by (apply lt_0_INR; lia). unfold deviation. fold apart. split.
  - intros s H. apply Rmult_le_reg_l with (INR n); [assumption|].
    rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra. rewrite <- sum_const. apply sum_le. assumption.
  - intros i Hi. set (D := fun j => sub (grad j x) (gradient n grad x)). set (Q := sum n apart).
    assert (Z : sum n (fun j => ip (D j) (D i)) = 0).
    { rewrite (sum_ext n _ (fun j => ip (grad j x) (D i) - ip (gradient n grad x) (D i)))
        by (intros; unfold D; apply ip_sub).
      rewrite sum_sub, sum_const, ip_gradient. field. lra. }
    assert (K : forall c, (1 + c) * (1 + c) * apart i <= Q + INR n * (c * c * apart i)).
    { intro c. set (a := fun j => sq (add (D j) (scale c (D i)))).
      assert (S1 : sum n a = Q + INR n * (c * c * apart i)).
      { unfold a. rewrite (sum_ext n _ (fun j => apart j + (2 * c * ip (D j) (D i) + c * c * apart i))).
        2:{ intros j _. rewrite sq_add, sq_scale, ip_scale_r. unfold apart. fold (D j) (D i). ring. }
        rewrite !sum_add, sum_mul, Z, sum_const. unfold Q. ring. }
      pose proof (sum_all_but n i a Hi) as B.
      assert (0 <= sum n (fun j => if Nat.eq_dec i j then 0 else a j)).
      { apply sum_nonneg. intros j _. destruct (Nat.eq_dec i j); [lra|apply sq_nonneg]. }
      assert (a i = (1 + c) * (1 + c) * apart i).
      { unfold a. replace (add (D i) (scale c (D i))) with (scale (1 + c) (D i)) by (vector_eq w; ring).
        rewrite sq_scale. reflexivity. }
      lra. }
    assert (A0 : 0 <= apart i) by apply sq_nonneg.
    destruct (Nat.eq_dec n 1) as [E|E].
    + assert (Q = apart i) by (unfold Q; rewrite E in Hi |- *; replace i with 0%nat by lia; simpl; ring).
      specialize (K 1). rewrite E in K |- *. simpl in K |- *. lra.
    + assert (N1 : 1 < INR n) by (change 1 with (INR 1); apply lt_INR; lia).
      specialize (K (/ (INR n - 1))). apply Rmult_le_reg_l with (INR n / (INR n - 1)).
      { apply Rdiv_lt_0_compat; lra. }
      replace (INR n / (INR n - 1) * ((INR n - 1) * (/ INR n * Q))) with Q by (field; lra).
      assert (I : (1 + / (INR n - 1)) * (1 + / (INR n - 1)) * apart i
        - INR n * (/ (INR n - 1) * / (INR n - 1) * apart i) = INR n / (INR n - 1) * apart i) by (field; lra).
      lra.
Qed.

(* ---- strong convexity ---- *)

Definition strongly_convex {V : space} (mu : R) (f : V -> R) (df : V -> V) : Prop := forall x u,
  f x + ip (df x) u + mu / 2 * sq u <= f (add x u).

(* fstar is the infimum, which need not be attained. *)
Theorem strong_convexity {V : space} mu fstar (f : V -> R) (df : V -> V) : 0 <= mu ->
  strongly_convex mu f df -> (forall e, 0 < e -> exists y, f y < fstar + e) -> polyak mu fstar f df.
Proof.
  intros Hmu S Inf x. apply le_epsilon. intros e He.
  destruct (Inf (e / (2 * mu + 1))) as [y Hy]; [apply Rdiv_lt_0_compat; lra|].
  pose proof (S x (sub y x)) as C. replace (add x (sub y x)) with y in C by (vector_eq w; ring).
  pose proof (sq_nonneg (add (df x) (scale mu (sub y x)))) as Q.
  rewrite sq_add, sq_scale, ip_scale_r in Q.
  assert (D : 2 * mu * (f x - f y) <= sq (df x)).
  { assert (2 * mu * (f x - f y) <= 2 * mu * (- ip (df x) (sub y x) - mu / 2 * sq (sub y x)))
      by (apply Rmult_le_compat_l; lra). lra. }
  assert (2 * mu * (e / (2 * mu + 1)) <= e).
  { replace (2 * mu * (e / (2 * mu + 1))) with (e - e / (2 * mu + 1)) by (field; lra).
    assert (0 < e / (2 * mu + 1)) by (apply Rdiv_lt_0_compat; lra). lra. }
  assert (2 * mu * (f y - fstar) <= 2 * mu * (e / (2 * mu + 1))) by (apply Rmult_le_compat_l; lra). lra.
Qed.
