(* What the proof of Lemma 21 (lemma:Second-Auxiliary-A, lines 1583-1656) says of the pair of runs before it bounds
   anything: both statements of it that are equations. Here x^t, x~^t are the two runs of coupling.v, w^t = x^t - x~^t,
   g^t the difference of the errors of their estimates, and
     u_i^s = (grad f_i(x^s) - grad f_i(x~^s)) - (grad f_i(x^{s-1}) - grad f_i(x~^{s-1}))
             - (grad f(x^s) - grad f(x~^s)) + (grad f(x^{s-1}) - grad f(x~^{s-1})).

   Contents
     pair_error_unrolled     g^t = (1/n) sum_{s=tau}^t ((|U_s|/b) sum_{i in I^s} u_i^s - sum_{i in U_s} u_i^s) on
       every run,
                             U_s the indices in none of I^s, ..., I^t
     pair_error_identity     the same from s = max(tau, t - T_1 + 1) on (lines 1632-1656), with probability at least
                             1 - nu/T for all t at once, where C_1 >= log(n T^2/nu) and T_1 >= (n/b) C_1
     difference_expansion    E_i u_i^s = 0, and u_i^s = (H_i + dH_i^s) w^s - (H_i + dH_i^{s-1}) w^{s-1} - (H + dH^s) w^s
                             + (H + dH^{s-1}) w^{s-1} for all s >= 1, with Hessians at any point z (lines 1583-1617)

   Integrals of vectors are those of their products with every vector; a Hessian is linear, and what differentiates
   the gradient along every line, continuously. *)
From Coq Require Import Reals Lra Lia PeanoNat List Bool.
From Coquelicot Require Import Coquelicot.
From Sledge Require Import vectors means minibatches algorithms problems second_moments sledge_errors probability.
From Sledge Require Import lemma_1 steps coverage coupling identities run_sums.
Import ListNotations.
Open Scope R_scope.

(* The integral of h over theta from 0 to 1 is v. *)
Definition integral {V : space} (h : R -> V) (v : V) : Prop :=
  forall e, is_RInt (fun theta => ip (h theta) e) 0 1 (ip v e).
(* g has the Hessian hess: linear, the derivative of g along every line, continuous there. *)
Definition is_hessian {V : space} (g : V -> V) (hess : V -> V -> V) : Prop :=
  (forall x u v, hess x (add u v) = add (hess x u) (hess x v)) /\
  (forall x c u, hess x (scale c u) = scale c (hess x u)) /\
  forall x w e t, is_derive (fun theta => ip (g (add x (scale theta w))) e) t (ip (hess (add x (scale t w)) w) e)
    /\ continuous (fun theta => ip (hess (add x (scale theta w)) w) e) t.

(* The fundamental theorem: g(y + w) - g(y) = (H + dH) w with dH w the integral of (hess(y + theta w) - H) w. *)
Lemma hessian_between {V : space} (g : V -> V) hess z (y w d : V) : is_hessian g hess ->
  integral (fun theta => sub (hess (add y (scale theta w)) w) (hess z w)) d ->
  sub (g (add y w)) (g y) = add (hess z w) d.
Proof.
  intros [_ [_ H]] D. vector_eq e.
  pose proof (is_RInt_derive (fun theta => ip (g (add y (scale theta w))) e)
    (fun theta => ip (hess (add y (scale theta w)) w) e) 0 1 (fun t _ => proj1 (H y w e t)) (fun t _ => proj2 (H y w e
      t)))
    as F.
  pose proof (is_RInt_const 0 1 (ip (hess z w) e)) as K.
  pose proof (is_RInt_minus _ _ _ _ _ _ F K) as M. specialize (D e).
  assert (D' : is_RInt (fun theta => minus (ip (hess (add y (scale theta w)) w) e) (ip (hess z w) e)) 0 1 (ip d e)).
  { eapply is_RInt_ext; [|exact D]. intros t _. cbn beta. rewrite ip_sub. reflexivity. }
  pose proof (is_RInt_unique (V := R_CompleteNormedModule) _ _ _ _ M) as U1.
  pose proof (is_RInt_unique (V := R_CompleteNormedModule) _ _ _ _ D') as U2.
  pose proof (eq_trans (eq_sym U1) U2) as U. clear U1 U2.
  unfold minus, plus, opp, Hierarchy.scal in U. simpl in U. unfold mult in U. simpl in U.
  replace (add y (scale 1 w)) with (add y w) in U by (vector_eq u; ring).
  replace (add y (scale 0 w)) with y in U by (vector_eq u; ring). lra.
Qed.

Section Pair.
Context {V : space}.
Variables (n b : nat) (grad : nat -> V -> V) (eta : R) (noise : list batch -> V) (start : @state R V).
Variables (tau : nat) (kick : V).
Hypothesis Htau : (1 <= tau)%nat.
Notation run := (sledge n b eta noise grad start).
Notation run' := (sledge n b eta (kicked noise tau kick) grad start).
Notation full := (gradient n grad).
Notation w s past := (pair_w n b grad eta noise start tau kick (at_time s past)).
Notation g past := (pair_g n b grad eta noise start tau kick past).
Notation x s past := (point (run (at_time s past))).
Notation x' s past := (point (run' (at_time s past))).

(* G(x^s) - G(x~^s) - (G(x^{s-1}) - G(x~^{s-1})) *)
Definition pair_change (G : V -> V) (s : nat) (past : list batch) : V :=
  sub (sub (G (x s past)) (G (x' s past))) (sub (G (x (s - 1) past)) (G (x' (s - 1) past))).
Definition pair_u (i s : nat) (past : list batch) : V :=
  add (sub (sub (sub (grad i (x s past)) (grad i (x' s past)))
                (sub (grad i (x (s - 1) past)) (grad i (x' (s - 1) past))))
           (sub (full (x s past)) (full (x' s past))))
      (sub (full (x (s - 1) past)) (full (x' (s - 1) past))).
Lemma pair_u_change i s past : pair_u i s past = sub (pair_change (grad i) s past) (pair_change full s past).
Proof. unfold pair_u, pair_change. vector_eq e. ring. Qed.
Lemma pair_u_before i s past : (s < tau)%nat -> pair_u i s past = zero.
Proof.
  intro H. assert (E : forall r, (r < tau)%nat -> run' (at_time r past) = run (at_time r past)).
  { intros r Hr. apply (same_run n b grad eta noise start tau kick Htau).
    pose proof (skipn_length (length past - r) past) as K. unfold at_time. rewrite K. lia. }
  unfold pair_u. rewrite !E by lia. vector_eq e. ring.
Qed.
Lemma pair_u_mean s past : (1 <= n)%nat -> vsum n (fun i => pair_u i s past) = zero.
Proof.
  intro Hn. assert (0 < INR n) by (apply lt_0_INR; lia). vector_eq e. rewrite ip_vsum.
  rewrite (sum_ext n _ (fun i => (ip (grad i (x s past)) e - ip (grad i (x' s past)) e
    - (ip (grad i (x (s - 1) past)) e - ip (grad i (x' (s - 1) past)) e))
    - (ip (full (x s past)) e - ip (full (x' s past)) e
    - (ip (full (x (s - 1) past)) e - ip (full (x' (s - 1) past)) e)))) by (intros; unfold pair_u; products; ring).
  rewrite sum_sub, sum_const, !ip_gradient, !sum_sub. field. lra.
Qed.

(* The term of step s, with U = U_s. *)
Definition pair_term (past : list batch) (s : nat) : V :=
  let U := undrawn s past in
  sub (scale (size n U / INR b) (vsum_in n (minibatch s past) (fun i => pair_u i s past)))
    (vsum_in n U (fun i => pair_u i s past)).

Lemma pair_error_steps t past : (1 <= b)%nat -> (b <= n)%nat -> possible (sledge_history n b t) past ->
  g past = over n (vsum t (fun k => pair_term past (S k))).
Proof.
  intros Hb Hbn P. assert (B0 : 0 < INR b) by (apply lt_0_INR; lia).
  assert (Len : length past = t) by (apply (history_length _ _ _ P)).
  unfold pair_g, error. rewrite !error_identity, Len.
  set (S1 := over n (vsum_in n (undrawn 1 past) _)).
  replace (sub _ _) with (over n (vsum t (fun k => let s := S k in let U := undrawn s past in
      sub (scale (size n U / INR b) (vsum_in n (minibatch s past) (fun i => pair_change (grad i) s past)))
        (vsum_in n U (fun i => pair_change (grad i) s past))))).
  - f_equal. apply vsum_ext. intros k Hk. cbn zeta. unfold pair_term. set (s := S k). set (U := undrawn s past).
    assert (Sz : size n (minibatch s past) = INR b).
    { assert (PJ : possible (sledge_history n b s) (at_time s past)).
      { apply (possible_at_time _ s t past P). unfold s. lia. }
      unfold minibatch. destruct (at_time s past) as [|J before]; [pose proof (history_length _ _ _ PJ); discriminate|].
      apply history_possible in PJ. apply (uniform_size n b J Hbn (proj2 PJ)). }
    set (I := minibatch s past) in *. set (c := pair_change full s past).
    vector_eq e. rewrite !ip_vsum_in.
    rewrite (sum_ext n (fun i => ind I i * ip (pair_u i s past) e)
      (fun i => ind I i * ip (pair_change (grad i) s past) e - ip c e * ind I i))
      by (intros; rewrite pair_u_change, ip_sub; fold c; ring).
    rewrite (sum_ext n (fun i => ind U i * ip (pair_u i s past) e)
      (fun i => ind U i * ip (pair_change (grad i) s past) e - ip c e * ind U i))
      by (intros; rewrite pair_u_change, ip_sub; fold c; ring).
    rewrite !sum_sub, !sum_mul. fold (size n I). fold (size n U). rewrite Sz. field. lra.
  - cbn zeta. vector_eq e. rewrite !ip_vsum.
    transitivity (/ INR n * (sum t (fun k => ip (sub (scale (size n (undrawn (S k) past) / INR b)
        (vsum_in n (minibatch (S k) past) (path_change n b eta noise grad start (S k) past)))
        (vsum_in n (undrawn (S k) past) (path_change n b eta noise grad start (S k) past))) e)
      - sum t (fun k => ip (sub (scale (size n (undrawn (S k) past) / INR b)
        (vsum_in n (minibatch (S k) past) (path_change n b eta (kicked noise tau kick) grad start (S k) past)))
        (vsum_in n (undrawn (S k) past) (path_change n b eta (kicked noise tau kick) grad start (S k) past))) e))).
    + f_equal. rewrite <- sum_sub. apply sum_ext. intros k _. products. rewrite !ip_vsum_in.
      rewrite (sum_ext n (fun i => ind (minibatch (S k) past) i * _)
        (fun i => ind (minibatch (S k) past) i * ip (path_change n b eta noise grad start (S k) past i) e
          - ind (minibatch (S k) past) i * ip (path_change n b eta (kicked noise tau kick) grad start (S k) past i) e))
        by (intros; unfold pair_change, path_change, path; products; ring).
      rewrite (sum_ext n (fun i => ind (undrawn (S k) past) i * ip (pair_change _ _ _) e)
        (fun i => ind (undrawn (S k) past) i * ip (path_change n b eta noise grad start (S k) past i) e
          - ind (undrawn (S k) past) i * ip (path_change n b eta (kicked noise tau kick) grad start (S k) past i) e))
        by (intros; unfold pair_change, path_change, path; products; ring).
      rewrite !sum_sub. ring.
    + ring.
Qed.
Lemma pair_term_before past s : (s < tau)%nat -> pair_term past s = zero.
Proof.
  intro H. unfold pair_term. vector_eq e. rewrite !ip_vsum_in.
  rewrite (sum_zero n (fun i => ind (minibatch s past) i * _)) by (intros; rewrite pair_u_before, ip_zero by lia; ring).
  rewrite (sum_zero n (fun i => ind (undrawn s past) i * _)) by (intros; rewrite pair_u_before, ip_zero by lia; ring).
  ring.
Qed.
(* Every run, no window; terms are numbered from s = tau on. *)
Theorem pair_error_unrolled t past : (1 <= b)%nat -> (b <= n)%nat -> possible (sledge_history n b t) past ->
  g past = over n (vsum (S t - tau) (fun k => pair_term past (tau + k))).
Proof.
  intros Hb Hbn P. rewrite (pair_error_steps t past Hb Hbn P). f_equal. vector_eq e. rewrite !ip_vsum.
  destruct (Nat.le_gt_cases tau t) as [H|H].
  - replace t with ((tau - 1) + (S t - tau))%nat at 1 by lia. rewrite sum_after, sum_zero.
    + rewrite Rplus_0_l. apply sum_ext. intros k _. replace (S (tau - 1 + k)) with (tau + k)%nat by lia. reflexivity.
    + intros k Hk. rewrite pair_term_before, ip_zero by lia. reflexivity.
  - replace (S t - tau)%nat with 0%nat by lia. apply sum_zero. intros k Hk.
    rewrite pair_term_before, ip_zero by lia. reflexivity.
Qed.

(* An index that is at most k steps old at time t is in one of I^{t-k}, ..., I^t. *)
Lemma undrawn_fresh past s i : (age past i < S (length past) - s)%nat -> (1 <= s)%nat -> (s <= length past)%nat ->
  undrawn s past i = false.
Proof.
  intros A H1 H2. unfold undrawn, left_out, from_step. apply negb_false_iff. unfold drawn.
  assert (K : forall m, (age past i < m)%nat -> (m <= length past)%nat ->
    existsb (fun B => B i) (firstn m past) = true).
  { clear. induction past as [|J before IH]; intros m A L; [cbn [length age] in *; lia|]. destruct m as [|m]; [lia|].
    cbn [firstn existsb age length] in *. destruct (J i); [reflexivity|]. cbn [orb]. apply IH; lia. }
  apply K; lia.
Qed.
Theorem pair_error_identity T T1 C nu : (1 <= b)%nat -> (b <= n)%nat -> (1 <= T)%nat -> 0 < nu -> (1 <= T1)%nat ->
  ln (INR n * INR T ^ 2 / nu) <= C -> INR n / INR b * C <= INR T1 ->
  with_probability (sledge_history n b T) (1 - nu / INR T) (fun past => forall t, (t <= T)%nat ->
    let now := at_time t past in let first := Nat.max tau (S t - T1) in
    g now = over n (vsum (S t - first) (fun k => let s := (first + k)%nat in
      sub (scale (size n (undrawn s now) / INR b) (vsum_in n (minibatch s now) (fun i => pair_u i s now)))
        (vsum_in n (undrawn s now) (fun i => pair_u i s now))))).
Proof.
  intros Hb Hbn HT Hnu H1 HC HT1. assert (T0 : 0 < INR T) by (apply lt_0_INR; lia).
  assert (N0 : 0 < INR n) by (apply lt_0_INR; lia).
  eapply with_probability_weaken; [apply Rle_refl| |apply (coverage_printed n b T T1 Hb Hbn C (nu / INR T) H1 HT)].
  - intros past P F t Ht now first. pose proof (history_length _ _ _ P) as Len.
    assert (Ln : length now = t) by (apply at_time_length; lia).
    pose proof (possible_at_time _ t T past P Ht) as Pt.
    rewrite (pair_error_unrolled t now Hb Hbn Pt). f_equal. vector_eq e. rewrite !ip_vsum.
    set (a := fun s => ip (pair_term now s) e).
    change (sum (S t - tau) (fun k => a (tau + k)%nat) = sum (S t - first) (fun k => a (first + k)%nat)).
    destruct (Nat.le_gt_cases (S t - T1) tau) as [L|L]; [unfold first; rewrite Nat.max_l by lia; reflexivity|].
    assert (Ef : first = (S t - T1)%nat) by (unfold first; lia).
    replace (S t - tau)%nat with ((first - tau) + (S t - first))%nat by lia.
    rewrite sum_after, sum_zero.
    + rewrite Rplus_0_l. apply sum_ext. intros k _. f_equal. lia.
    + intros k Hk. unfold a, pair_term. set (s := (tau + k)%nat).
      assert (Z : forall i, (i < n)%nat -> ind (undrawn s now) i = 0).
      { intros i Hi. unfold ind. rewrite undrawn_fresh; [reflexivity| | |]; rewrite ?Ln; unfold s; try lia.
        specialize (F t i Ht Hi). fold now in F. lia. }
      products. rewrite !ip_vsum_in. unfold size. rewrite (sum_zero n (ind (undrawn s now))) by assumption.
      rewrite (sum_zero n (fun i => ind (undrawn s now) i * _)) by (intros; rewrite Z by assumption; ring).
      unfold Rdiv. ring.
  - apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra].
  - replace (INR n * INR T / (nu / INR T)) with (INR n * INR T ^ 2 / nu) by (field; lra). exact HC.
  - exact HT1.
Qed.

(* H_i = hess_i(z) and H = hess(z), the mean; dH_i^s u is the integral of (hess_i(x~^s + theta (x^s - x~^s)) - H_i) u.
  *)
Definition integrated (hess : V -> V -> V) (z : V) (past : list batch) (dH : nat -> V -> V) : Prop :=
  forall s u, integral (fun theta => sub (hess (add (x' s past) (scale theta (w s past))) u) (hess z u)) (dH s u).
Lemma mean_hessian hess : (forall i, is_hessian (grad i) (hess i)) ->
  is_hessian full (fun y u => over n (vsum n (fun i => hess i y u))).
Proof.
  intro H. split; [|split].
  - intros y u v. vector_eq e. rewrite !ip_vsum, <- Rmult_plus_distr_l, <- sum_add. f_equal. apply sum_ext. intros i _.
    rewrite (proj1 (H i)). products. reflexivity.
  - intros y c u. vector_eq e. rewrite !ip_vsum. replace (c * (/ INR n * sum n (fun i => ip (hess i y u) e)))
      with (/ INR n * (c * sum n (fun i => ip (hess i y u) e))) by ring. f_equal. rewrite <- sum_mul. apply sum_ext.
    intros i _. rewrite (proj1 (proj2 (H i))). products. reflexivity.
  - intros y v e t. assert (K : forall m,
      is_derive (fun theta => sum m (fun i => ip (grad i (add y (scale theta v))) e)) t
        (sum m (fun i => ip (hess i (add y (scale t v)) v) e))
      /\ continuous (fun theta => sum m (fun i => ip (hess i (add y (scale theta v)) v) e)) t).
    { induction m as [|m [IH1 IH2]]; cbn [sum].
      - split; [apply @is_derive_const|apply continuous_const].
      - destruct (proj2 (proj2 (H m)) y v e t) as [D1 D2]. split; [apply (is_derive_plus _ _ _ _ _ IH1 D1)|].
        apply (continuous_plus _ _ _ IH2 D2). }
    destruct (K n) as [K1 K2]. split.
    + apply is_derive_ext with (fun theta => / INR n * sum n (fun i => ip (grad i (add y (scale theta v))) e)).
      * intro theta. unfold gradient. products. rewrite ip_vsum. reflexivity.
      * rewrite ip_over, ip_vsum. apply is_derive_scal. exact K1.
    + apply continuous_ext with (fun theta => / INR n * sum n (fun i => ip (hess i (add y (scale theta v)) v) e)).
      * intro theta. rewrite ip_over, ip_vsum. reflexivity.
      * apply (continuous_scal_r (/ INR n) _ _ K2).
Qed.
Theorem difference_expansion hess z dHi dH past : (1 <= n)%nat -> (forall i, is_hessian (grad i) (hess i)) ->
  let H u := over n (vsum n (fun i => hess i z u)) in
  (forall i, (i < n)%nat -> integrated (hess i) z past (dHi i)) ->
  integrated (fun y u => over n (vsum n (fun i => hess i y u))) z past dH ->
  forall s, (1 <= s)%nat ->
  over n (vsum n (fun i => pair_u i s past)) = zero
  /\ forall i, (i < n)%nat -> pair_u i s past
    = add (sub (sub (add (hess i z (w s past)) (dHi i s (w s past)))
                    (add (hess i z (w (s - 1) past)) (dHi i (s - 1)%nat (w (s - 1) past))))
               (add (H (w s past)) (dH s (w s past))))
          (add (H (w (s - 1) past)) (dH (s - 1)%nat (w (s - 1) past))).
Proof.
  intros Hn Hess H Ii If s Hs. split.
  - rewrite pair_u_mean by assumption. vector_eq e. ring.
  - intros i Hi. assert (E : forall (G : V -> V) hs d, is_hessian G hs -> integrated hs z past d -> forall r,
      sub (G (x r past)) (G (x' r past)) = add (hs z (w r past)) (d r (w r past))).
    { intros G hs d HG Id r. rewrite <- (hessian_between G hs z (x' r past) (w r past) _ HG (Id r (w r past))).
      unfold pair_w. f_equal. f_equal. vector_eq e. ring. }
    unfold pair_u. rewrite !(E (grad i) (hess i) (dHi i) (Hess i) (Ii i Hi)).
    rewrite !(E full _ dH (mean_hessian hess Hess) If). reflexivity.
Qed.
End Pair.
