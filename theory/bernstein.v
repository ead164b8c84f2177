(* Bernstein's inequality for vectors with literal constants, in every inner product space, beside Propositions 10 and
   12 (proposition:Bernstein, lines 925-941; proposition:BernsteinNoReplacement, lines 949-973).

   1. Independent vectors [bernstein_independent, vector_bernstein]. Printed: |x_i - E x_i| <= R and sigma^2 =
      sum_i E|x_i - E x_i|^2 give |sum_i (x_i - E x_i)|^2 <= C_1^2 (sigma^2 + R^2) with probability
      1 - nu/poly(n,P,T,K), C_1 = O(log(1/nu + n + P + d + T + K)). Proved: for every delta in (0, 1), with probability
      at least 1 - delta,
          |sum_i (x_i - E x_i)| <= (3/2 + log(2/delta)) sqrt(sigma^2 + R^2),
      without the dimension; and the printed form for every power k of nPTK, with
      C_1 = (4k + 4) log(1/nu + n + P + d + T + K).
   2. Sampling without replacement [noreplace_bernstein]. Printed: l of k vectors of sum zero, |a_i| <= R, mean square
      sigma^2: |sum|^2 <= C_1^2 (l sigma^2 + R^2) (false without 1/nu in the logarithm). Proved: with probability at
      least 1 - delta
          |sum_{i in I} a_i| <= (3/2 + 2 log(2/delta)) sqrt(l sigma^2 + R^2)
      for every l <= k: no complement has to be taken for l > k/2.

   Proof. For a vector s and a vector x of length r
       cosh |s + x| <= cosh|s| (e^r - r) + (sinh|s|/|s|) <s, x>                                       [cosh_step]
   (Pinelis): |s + x|^2 lies between (|s| - r)^2 and (|s| + r)^2, and cosh is a convex function of the square. So a
   step of mean zero, no longer than R <= 1, multiplies the mean of the cosh by at most exp(3/2 E|x|^2), and Markov's
   inequality does the rest. Draws without replacement are the martingale of minibatch_tails.v; given that k of n are
   drawn, the next step has a mean square of at most ((n-b)/(n-k-1))^2 (n/(n-k)) sigma^2, and these add up to at most
   b sigma^2. *)
From Coq Require Import Reals Lra Lia List PeanoNat Bool.
From Sledge Require Import vectors means minibatches probability minibatch_tails.
Import ListNotations.
Open Scope R_scope.

(* ---- The hyperbolic cosine as a function of the square ---- *)

Lemma cosh_pos x : 0 < cosh x.
Proof. unfold cosh. pose proof (exp_pos x). pose proof (exp_pos (- x)). lra. Qed.
Lemma cosh_even x : cosh (- x) = cosh x.
Proof. unfold cosh. rewrite Ropp_involutive. lra. Qed.
Lemma sinh_nonneg x : 0 <= x -> 0 <= sinh x.
Proof. intros [H| <-]; [rewrite <- sinh_0; left; apply sinh_lt; assumption|rewrite sinh_0; lra]. Qed.
Lemma cosh_grows x y : 0 <= x -> x <= y -> cosh x <= cosh y.
Proof.
  intros Hx [H| ->]; [|lra]. destruct (MVT_cor2 cosh sinh x y H) as [c [E C]];
    [intros; apply derivable_pt_lim_cosh|].
  assert (0 <= sinh c * (y - x)) by (apply Rmult_le_pos; [apply sinh_nonneg|]; lra). lra.
Qed.
Lemma sinh_below x : 0 <= x -> sinh x <= x * cosh x.
Proof.
  intros [H| <-]; [|rewrite sinh_0; lra].
  destruct (MVT_cor2 sinh cosh 0 x H) as [c [E C]]; [intros; apply derivable_pt_lim_sinh|].
  rewrite sinh_0 in E. pose proof (cosh_grows c x ltac:(lra) ltac:(lra)).
  replace (sinh x) with (cosh c * x) by lra. rewrite Rmult_comm. apply Rmult_le_compat_l; lra.
Qed.
Lemma sinh_above x : 0 <= x -> x <= sinh x.
Proof.
  intros [H| <-]; [|rewrite sinh_0; lra].
  destruct (MVT_cor2 sinh cosh 0 x H) as [c [E C]]; [intros; apply derivable_pt_lim_sinh|].
  rewrite sinh_0 in E. pose proof (cosh_grows 0 c ltac:(lra) ltac:(lra)) as G. rewrite cosh_0 in G.
  assert (1 * x <= cosh c * x) by (apply Rmult_le_compat_r; lra). lra.
Qed.
(* sinh(x)/x grows *)
Lemma sinh_ratio x y : 0 < x -> x <= y -> sinh x * y <= sinh y * x.
Proof.
  intros Hx [H| ->]; [|lra].
  destruct (MVT_cor2 (fun y => sinh y * x - sinh x * y) (fun y => cosh y * x - sinh x) x y H) as [c [E C]].
  - intros c _. apply derivable_pt_lim_minus.
    + rewrite (Rmult_comm (cosh c)). apply (derivable_pt_lim_ext (mult_real_fct x sinh)).
      * intro. unfold mult_real_fct. ring.
      * apply derivable_pt_lim_scal, derivable_pt_lim_sinh.
    + apply (derivable_pt_lim_ext (mult_real_fct (sinh x) id)); [reflexivity|].
      replace (sinh x) with (sinh x * 1) at 2 by ring. apply derivable_pt_lim_scal, derivable_pt_lim_id.
  - pose proof (sinh_below x ltac:(lra)). pose proof (cosh_grows x c ltac:(lra) ltac:(lra)).
    assert (cosh x * x <= cosh c * x) by (apply Rmult_le_compat_r; lra).
    assert (0 <= (cosh c * x - sinh x) * (y - x)) by (apply Rmult_le_pos; lra). lra.
Qed.
(* A chord of cosh(sqrt z): between p and q *)
Lemma cosh_chord p h q : 0 <= p -> p <= h -> h <= q ->
  (q * q - p * p) * cosh h <= (h * h - p * p) * cosh q + (q * q - h * h) * cosh p.
Proof.
  intros Hp [Hh| ->]; [|intro; lra]. intros [Hq| ->]; [|lra].
  assert (D : forall k c, derivable_pt_lim (fun x => cosh x - k * (x * x)) c (sinh c - k * (2 * c))).
  { intros k c. apply derivable_pt_lim_minus; [apply derivable_pt_lim_cosh|].
    apply derivable_pt_lim_scal. replace (2 * c) with (1 * c + c * 1) by ring.
    apply (derivable_pt_lim_mult id id c 1 1); apply derivable_pt_lim_id. }
  set (k := (cosh h - cosh p) / (h * h - p * p)).
  assert (G0 : 0 < h * h - p * p).
  { replace (h * h - p * p) with ((h - p) * (h + p)) by ring. apply Rmult_lt_0_compat; lra. }
  assert (G1 : 0 < q * q - h * h).
  { replace (q * q - h * h) with ((q - h) * (q + h)) by ring. apply Rmult_lt_0_compat; lra. }
  assert (K : k * (h * h - p * p) = cosh h - cosh p) by (unfold k; field; lra).
  destruct (MVT_cor2 (fun x => cosh x - k * (x * x)) (fun c => sinh c - k * (2 * c)) p h Hh) as [c [E C]];
    [intros; apply D|].
  assert (Z : (sinh c - k * (2 * c)) * (h - p) = 0) by lra.
  apply Rmult_integral in Z. destruct Z as [Z|Z]; [|lra].
  destruct (MVT_cor2 (fun x => cosh x - k * (x * x)) (fun c => sinh c - k * (2 * c)) h q Hq) as [e [E' C']];
    [intros; apply D|].
  pose proof (sinh_ratio c e ltac:(lra) ltac:(lra)) as S.
  replace (sinh c) with (k * (2 * c)) in S by lra.
  assert (S2 : 0 <= sinh e - k * (2 * e)).
  { apply Rmult_le_reg_r with c; [lra|]. lra. }
  assert (0 <= (sinh e - k * (2 * e)) * (q - h)) by (apply Rmult_le_pos; lra).
  assert (Q : k * (q * q - h * h) <= cosh q - cosh h) by lra.
  assert (Q2 : (h * h - p * p) * (k * (q * q - h * h)) <= (h * h - p * p) * (cosh q - cosh h))
    by (apply Rmult_le_compat_l; lra).
  replace ((h * h - p * p) * (k * (q * q - h * h))) with ((k * (h * h - p * p)) * (q * q - h * h)) in Q2 by ring.
  rewrite K in Q2. lra.
Qed.

Lemma cosh_plus x y : cosh (x + y) = cosh x * cosh y + sinh x * sinh y.
Proof. unfold cosh, sinh. rewrite Ropp_plus_distr, !exp_plus. field. Qed.
Lemma cosh_minus x y : cosh (x - y) = cosh x * cosh y - sinh x * sinh y.
Proof. unfold cosh, sinh. unfold Rminus. rewrite Ropp_plus_distr, !exp_plus, Ropp_involutive. field. Qed.
Lemma sinh_below_cosh x : sinh x <= cosh x.
Proof. unfold sinh, cosh. pose proof (exp_pos (- x)). lra. Qed.
Lemma cosh_abs x : cosh (Rabs x) = cosh x.
Proof. unfold Rabs. destruct (Rcase_abs x); [apply cosh_even|reflexivity]. Qed.
Lemma cosh_exp x : 0 <= x -> exp x <= 2 * cosh x.
Proof. intro. unfold cosh. pose proof (exp_pos (- x)). lra. Qed.
(* e^r - r <= 1 + (3/2) r^2 up to 1 *)
Lemma exp_linear r : 0 <= r <= 1 -> exp r - r <= 1 + 3 / 2 * (r * r).
Proof.
  intros [[H| <-] H1]; [|rewrite exp_0; lra].
  assert (E : forall c, 0 <= c <= 1 -> exp c <= 1 + 3 * c).
  { intros c [[Hc| <-] Hc1]; [|rewrite exp_0; lra].
    destruct (MVT_cor2 exp exp 0 c Hc) as [d [E D]]; [intros; apply derivable_pt_lim_exp|]. rewrite exp_0 in E.
    assert (exp d <= 3). { apply Rle_trans with (exp 1); [left; apply exp_increasing; lra|apply exp_le_3]. }
    assert (exp d * (c - 0) <= 3 * (c - 0)) by (apply Rmult_le_compat_r; lra). lra. }
  destruct (MVT_cor2 (fun x => exp x - (x + 3 / 2 * (x * x))) (fun x => exp x - (1 + 3 / 2 * (1 * x + x * 1))) 0 r H)
    as [c [E' C]].
  - intros c _. apply derivable_pt_lim_minus; [apply derivable_pt_lim_exp|].
    apply derivable_pt_lim_plus; [apply derivable_pt_lim_id|]. apply derivable_pt_lim_scal.
    apply (derivable_pt_lim_mult id id c 1 1); apply derivable_pt_lim_id.
  - rewrite exp_0 in E'. specialize (E c ltac:(lra)).
    assert ((exp c - (1 + 3 / 2 * (1 * c + c * 1))) * (r - 0) <= 0 * (r - 0)) by (apply Rmult_le_compat_r; lra). lra.
Qed.

(* ---- One step ---- *)

Section Step.
Context {V : space}.

(* sinh|s|/|s| s *)
Definition pull (s : V) : V := scale (if Req_EM_T (norm s) 0 then 0 else sinh (norm s) / norm s) s.

Theorem cosh_step (s x : V) : cosh (norm (add s x)) <= cosh (norm s) * (exp (norm x) - norm x) + ip (pull s) x.
Proof.
  pose proof (norm_nonneg s) as a0. pose proof (norm_nonneg x) as r0. pose proof (norm_nonneg (add s x)) as h0.
  pose proof (norm_sq s) as A2. pose proof (norm_sq x) as R2. pose proof (norm_sq (add s x)) as H2.
  rewrite sq_add in H2. set (a := norm s) in *. set (r := norm x) in *. set (h := norm (add s x)) in *.
  assert (EX : exp r = cosh r + sinh r) by (unfold cosh, sinh; lra).
  pose proof (sinh_above r r0) as SR. pose proof (cosh_pos a) as CA.
  destruct (Req_dec a 0) as [Za|Za].
  { assert (S0 : s = zero) by (apply sq_zero_eq; rewrite <- A2, Za; ring).
    unfold pull. fold a. destruct (Req_EM_T a 0) as [_|n]; [|contradiction].
    replace (ip (scale 0 s) x) with 0 by (products; ring).
    assert (Hr : h = r). { unfold h, r. rewrite S0. f_equal. vector_eq w. ring. }
    rewrite Hr, Za, cosh_0. lra. }
  destruct (Req_dec r 0) as [Zr|Zr].
  { assert (X0 : x = zero) by (apply sq_zero_eq; rewrite <- R2, Zr; ring).
    assert (Ha : h = a). { unfold h, a. rewrite X0. f_equal. vector_eq w. ring. }
    rewrite Ha, Zr, exp_0, X0, ip_zero_r. lra. }
  unfold pull. fold a. destruct (Req_EM_T a 0) as [z|_]; [contradiction|]. rewrite ip_scale.
  assert (a1 : 0 < a) by lra. assert (r1 : 0 < r) by lra. clear a0 r0 Za Zr.
  set (c := ip s x) in *.
  assert (CS : c <= a * r) by apply ip_le.
  assert (CS' : - (a * r) <= c).
  { pose proof (ip_le (scale (-1) s) x) as I. rewrite ip_scale, norm_scale, Rabs_left in I by lra. fold c a r in I.
    lra. }
  assert (Up : h <= a + r).
  { apply Rsqr_incr_0_var; [|lra]. unfold Rsqr. rewrite H2. lra. }
  assert (Lo : Rabs (a - r) <= h).
  { apply Rsqr_incr_0_var; [|assumption]. rewrite <- Rsqr_abs. unfold Rsqr. rewrite H2. lra. }
  pose proof (cosh_chord (Rabs (a - r)) h (a + r) (Rabs_pos _) Lo Up) as Ch.
  rewrite cosh_abs, cosh_plus, cosh_minus in Ch.
  replace (Rabs (a - r) * Rabs (a - r)) with ((a - r) * (a - r)) in Ch by (apply (Rsqr_abs (a - r))).
  rewrite H2, <- A2, <- R2 in Ch.
  assert (K : cosh h <= cosh a * cosh r + c / (a * r) * (sinh a * sinh r)).
  { assert (ar : 0 < a * r) by (apply Rmult_lt_0_compat; assumption).
    apply Rmult_le_reg_l with (4 * (a * r)); [lra|].
    replace (4 * (a * r) * (cosh a * cosh r + c / (a * r) * (sinh a * sinh r)))
      with (4 * (a * r) * (cosh a * cosh r) + 4 * c * (sinh a * sinh r)) by (field; lra).
    lra. }
  eapply Rle_trans; [exact K|]. rewrite EX.
  pose proof (sinh_nonneg a ltac:(lra)) as SA. pose proof (sinh_below_cosh a) as SC.
  assert (E : c / (a * r) * (sinh a * sinh r) = sinh a / a * c + sinh a * (sinh r - r) * (c / (a * r))) by (field; lra).
  assert (U : c / (a * r) <= 1).
  { apply Rmult_le_reg_r with (a * r); [apply Rmult_lt_0_compat; assumption|].
    replace (c / (a * r) * (a * r)) with c by (field; lra). lra. }
  assert (M : sinh a * (sinh r - r) * (c / (a * r)) <= cosh a * (sinh r - r)).
  { apply Rle_trans with (sinh a * (sinh r - r) * 1).
    - apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|assumption].
    - rewrite Rmult_1_r. apply Rmult_le_compat_r; lra. }
  rewrite E. lra.
Qed.

(* cosh(lambda |u|) *)
Definition lift (lambda : R) (u : V) : R := cosh (lambda * norm u).
Lemma lift_pos lambda u : 0 < lift lambda u.
Proof. apply cosh_pos. Qed.

(* A step of mean zero, at most R long, lambda R <= 1, of mean square at most s2. *)
Lemma lift_step {O} (m : mean O) lambda (s : V) (x : O -> V) R0 s2 : 0 <= lambda -> lambda * R0 <= 1 ->
  (forall u, Ex m (fun o => ip u (x o)) = 0) -> (forall o, possible m o -> norm (x o) <= R0) ->
  Ex m (fun o => sq (x o)) <= s2 ->
  Ex m (fun o => lift lambda (add s (x o))) <= lift lambda s * exp (3 / 2 * (lambda * lambda * s2)).
Proof.
  intros L0 L1 Z Sz S2. set (u := pull (scale lambda s)). pose proof (lift_pos lambda s) as P.
  assert (NS : forall v : V, norm (scale lambda v) = lambda * norm v).
  { intro v. rewrite norm_scale, Rabs_right by lra. reflexivity. }
  apply Rle_trans with (Ex m (fun o => lift lambda s * (1 + 3 / 2 * (lambda * lambda * sq (x o)))
    + lambda * ip u (x o))).
  - apply Ex_le. intros o Po. specialize (Sz o Po). pose proof (norm_nonneg (x o)) as n0.
    pose proof (cosh_step (scale lambda s) (scale lambda (x o))) as C.
    replace (add (scale lambda s) (scale lambda (x o))) with (scale lambda (add s (x o))) in C by (vector_eq w; ring).
    fold u in C. rewrite !NS, ip_scale_r in C. fold (lift lambda (add s (x o))) (lift lambda s) in C.
    assert (l0 : 0 <= lambda * norm (x o)) by (apply Rmult_le_pos; assumption).
    assert (l1 : lambda * norm (x o) <= 1).
    { apply Rle_trans with (lambda * R0); [apply Rmult_le_compat_l; assumption|assumption]. }
    pose proof (exp_linear (lambda * norm (x o)) ltac:(lra)) as E.
    replace (lambda * norm (x o) * (lambda * norm (x o))) with (lambda * lambda * sq (x o)) in E
      by (rewrite <- norm_sq; ring).
    assert (lift lambda s * (exp (lambda * norm (x o)) - lambda * norm (x o))
      <= lift lambda s * (1 + 3 / 2 * (lambda * lambda * sq (x o)))) by (apply Rmult_le_compat_l; lra). lra.
  - rewrite Ex_add, Ex_mul, Ex_mul, Z, Ex_add, Ex_const.
    rewrite (Ex_ext m _ (fun o => 3 / 2 * (lambda * lambda) * sq (x o))) by (intros; ring). rewrite Ex_mul.
    assert (Q : 0 <= lambda * lambda) by (apply Rle_0_sqr).
    assert (3 / 2 * (lambda * lambda) * Ex m (fun o => sq (x o)) <= 3 / 2 * (lambda * lambda * s2)).
    { rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; assumption. }
    pose proof (exp_ineq1_le (3 / 2 * (lambda * lambda * s2))).
    assert (lift lambda s * (1 + 3 / 2 * (lambda * lambda) * Ex m (fun o => sq (x o)))
      <= lift lambda s * exp (3 / 2 * (lambda * lambda * s2))) by (apply Rmult_le_compat_l; lra). lra.
Qed.

(* From the mean of the cosh to a tail. [w] is sigma^2 + R^2, and lambda = c/sqrt w. *)
Lemma lift_tail {O} (m : mean O) (S : O -> V) c w v delta : 0 < c -> 0 < w -> 0 < delta < 1 -> v <= c * c * w ->
  Ex m (fun o => lift (c / sqrt w) (S o)) <= exp (3 / 2 * (/ w * v)) ->
  with_probability m (1 - delta) (fun o => norm (S o) <= (3 / 2 * c + / c * ln (2 / delta)) * sqrt w).
Proof.
  intros Hc Hw Hd Hv H. pose proof (sqrt_lt_R0 w Hw) as s0. set (B := (3 / 2 * c + / c * ln (2 / delta)) * sqrt w).
  assert (D2 : 1 < 2 / delta).
  { apply Rmult_lt_reg_r with delta; [lra|]. replace (2 / delta * delta) with 2 by (field; lra). lra. }
  assert (Ln : 0 < ln (2 / delta)) by (rewrite <- ln_1; apply ln_increasing; lra).
  assert (Ic : 0 < / c) by (apply Rinv_0_lt_compat; assumption).
  assert (C0 : 0 <= / c * ln (2 / delta)) by (apply Rmult_le_pos; lra).
  apply (unless _ (fun o => exceeds B (norm (S o)))).
  2:{ intros o _ e. apply exceeds_false, e. }
  set (lambda := c / sqrt w) in *.
  assert (l0 : 0 < lambda) by (unfold lambda; apply Rmult_lt_0_compat; [assumption|apply Rinv_0_lt_compat; assumption]).
  assert (LB : lambda * B = 3 / 2 * (c * c) + ln (2 / delta)) by (unfold lambda, B; field; lra).
  set (h := exp (lambda * B) / 2).
  assert (h0 : 0 < h) by (unfold h; pose proof (exp_pos (lambda * B)); lra).
  eapply Rle_trans; [apply (markov m (fun o => lift lambda (S o)) _ h); [exact h0| |]|].
  - intros o _. pose proof (lift_pos lambda (S o)). lra.
  - intros o _ e. apply exceeds_true in e. unfold lift, h.
    pose proof (norm_nonneg (S o)).
    assert (0 <= lambda * norm (S o)) by (apply Rmult_le_pos; lra).
    pose proof (cosh_exp (lambda * norm (S o)) H1).
    assert (exp (lambda * B) <= exp (lambda * norm (S o))).
    { left. apply exp_increasing. apply Rmult_lt_compat_l; lra. }
    lra.
  - apply Rmult_le_reg_r with h; [assumption|]. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    eapply Rle_trans; [exact H|]. unfold h. rewrite LB, exp_plus, exp_ln by lra.
    replace (delta * (exp (3 / 2 * (c * c)) * (2 / delta) / 2)) with (exp (3 / 2 * (c * c))) by (field; lra).
    assert (/ w * v <= c * c).
    { apply Rmult_le_reg_l with w; [assumption|]. rewrite <- Rmult_assoc, Rinv_r by lra. lra. }
    destruct (Req_dec (3 / 2 * (/ w * v)) (3 / 2 * (c * c))) as [->|]; [lra|]. left. apply exp_increasing. lra.
Qed.
End Step.

(* ---- 1. Independent vectors ---- *)

Section Independent.
Context {V : space} {O : Type}.
Variables (default : O) (law : nat -> mean O).
Variables (x : nat -> O -> V) (mu : nat -> V).      (* x_i as a function of the outcome o_i, and E x_i *)
Hypothesis means : forall i u, Ex (law i) (fun o => ip u (x i o)) = ip u (mu i).
Variables (n : nat) (R0 : R).
Hypothesis range : forall i o, (i < n)%nat -> possible (law i) o -> norm (sub (x i o) (mu i)) <= R0.

(* sigma^2 *)
Definition variance (k : nat) : R := sum k (fun i => Ex (law i) (fun o => sq (sub (x i o) (mu i)))).
Definition total_deviation (k : nat) (a : nat -> O) : V := vsum k (fun i => sub (x i (a i)) (mu i)).

Lemma variance_nonneg k : 0 <= variance k.
Proof. apply sum_nonneg. intros. apply Ex_nonneg. intros. apply sq_nonneg. Qed.
Lemma independent_lift lambda k : 0 <= lambda -> lambda * R0 <= 1 -> (k <= n)%nat ->
  Ex (family default k law) (fun a => lift lambda (total_deviation k a))
  <= exp (3 / 2 * (lambda * lambda * variance k)).
Proof.
  intros L0 L1. unfold total_deviation, variance. induction k as [|k IH]; intro Hk.
  - simpl. unfold lift. rewrite norm_zero, !Rmult_0_r, cosh_0, exp_0. lra.
  - cbn [family vsum sum]. rewrite Ex_bind.
    set (s := fun a : nat -> O => vsum k (fun i => sub (x i (a i)) (mu i))).
    set (s2 := Ex (law k) (fun o => sq (sub (x k o) (mu k)))).
    apply Rle_trans with (Ex (family default k law) (fun a => exp (3 / 2 * (lambda * lambda * s2))
      * lift lambda (s a))).
    + apply Ex_le. intros a _. rewrite Ex_bind, (Rmult_comm (exp _)).
      eapply Rle_trans; [|apply (lift_step (law k) lambda (s a) (fun o => sub (x k o) (mu k)) R0 s2 L0 L1)].
      * right. apply Ex_ext. intros o _. simpl. rewrite Nat.eqb_refl. f_equal. f_equal.
        unfold s. apply vsum_ext. intros i Hi. destruct (Nat.eqb_spec i k); [lia|reflexivity].
      * intro u. rewrite (Ex_ext _ _ (fun o => ip u (x k o) - ip u (mu k)))
          by (intros; rewrite !(ip_sym u); products; reflexivity).
        rewrite Ex_sub, means, Ex_const. ring.
      * intros o P. apply range; [lia|assumption].
      * apply Rle_refl.
    + rewrite Ex_mul. specialize (IH ltac:(lia)).
      replace (3 / 2 * (lambda * lambda * (sum k (fun i => Ex (law i) (fun o => sq (sub (x i o) (mu i)))) + s2)))
        with (3 / 2 * (lambda * lambda * s2)
          + 3 / 2 * (lambda * lambda * sum k (fun i => Ex (law i) (fun o => sq (sub (x i o) (mu i)))))) by ring.
      rewrite exp_plus. apply Rmult_le_compat_l; [left; apply exp_pos|exact IH].
Qed.
Theorem bernstein_independent delta : 0 < delta < 1 ->
  with_probability (family default n law) (1 - delta) (fun a =>
    norm (vsum n (fun i => sub (x i (a i)) (mu i)))
    <= (3 / 2 + ln (2 / delta)) * sqrt (variance n + R0 * R0)).
Proof.
  intro Hd. pose proof (variance_nonneg n) as v0. pose proof (Rle_0_sqr R0) as r0. unfold Rsqr in r0.
  set (w := variance n + R0 * R0) in *.
  destruct (Req_dec w 0) as [Z|Z].
  - (* nothing moves *)
    assert (R00 : R0 = 0). { unfold w in Z. assert (R0 * R0 = 0) as Q by lra. apply Rmult_integral in Q. tauto. }
    apply (with_probability_weaken _ 1 _ (fun _ => True)); [lra| |apply surely; auto].
    intros a P _. rewrite Z, sqrt_0, Rmult_0_r. eapply Rle_trans; [apply norm_vsum|].
    rewrite <- (Rmult_0_r (INR n)), <- sum_const. apply sum_le. intros i Hi. rewrite <- R00.
    apply range; [assumption|]. apply (family_possible default n law a i P Hi).
  - assert (w0 : 0 < w) by (unfold w in *; lra). pose proof (sqrt_lt_R0 w w0) as s0.
    pose proof (sqrt_sqrt w ltac:(lra)) as ss.
    assert (LR : 1 / sqrt w * R0 <= 1).
    { apply Rmult_le_reg_l with (sqrt w); [assumption|].
      replace (sqrt w * (1 / sqrt w * R0)) with R0 by (field; lra). rewrite Rmult_1_r.
      apply Rsqr_incr_0_var; [|lra]. unfold Rsqr. rewrite ss. unfold w. lra. }
    assert (L0 : 0 <= 1 / sqrt w).
    { left. unfold Rdiv. rewrite Rmult_1_l. apply Rinv_0_lt_compat. assumption. }
    pose proof (independent_lift (1 / sqrt w) n L0 LR (le_n _)) as M.
    replace (1 / sqrt w * (1 / sqrt w)) with (/ w) in M by (rewrite <- ss at 1; field; lra).
    eapply with_probability_weaken; [apply Rle_refl| |apply (lift_tail (family default n law) (total_deviation n) 1 w
      (variance n) delta Rlt_0_1 w0 Hd)]; [|unfold w; lra|exact M].
    intros a _ H. eapply Rle_trans; [exact H|]. right. field.
Qed.
End Independent.

(* log(1/nu + n + P + d + T + K), of which C_1 is a multiple (line 936) *)
Definition log_all (nu : R) (n P d T K : nat) : R := ln (/ nu + INR n + INR P + INR d + INR T + INR K).
Section Logarithm.
Variables (nu : R) (n P d T K : nat).
Hypothesis Hnu : 0 < nu <= 1.
Hypothesis Hn : (1 <= n)%nat.
Hypothesis HP : (1 <= P)%nat.
Hypothesis Hd : (1 <= d)%nat.
Hypothesis HT : (1 <= T)%nat.
Hypothesis HK : (1 <= K)%nat.
Notation total := (/ nu + INR n + INR P + INR d + INR T + INR K).
Lemma total_parts : 1 <= / nu /\ 1 <= INR n /\ 1 <= INR P /\ 1 <= INR d /\ 1 <= INR T /\ 1 <= INR K.
Proof.
  split; [rewrite <- Rinv_1; apply Rinv_le_contravar; lra|].
  repeat split; change 1 with (INR 1); apply le_INR; assumption.
Qed.
Lemma ln_grows x y : 0 < x -> x <= y -> ln x <= ln y.
Proof. intros H [E| ->]; [left; apply ln_increasing; assumption|lra]. Qed.
Lemma log_all_above : 1 <= log_all nu n P d T K.
Proof.
  pose proof total_parts. rewrite <- (ln_exp 1). unfold log_all. apply ln_grows; [apply exp_pos|].
  pose proof exp_le_3. lra.
Qed.
Lemma log_of_part y : 0 < y -> y <= total -> ln y <= log_all nu n P d T K.
Proof. intros. apply ln_grows; assumption. Qed.
(* log(nT/nu) is at most three of it *)
Lemma log_printed : ln (INR n * INR T / nu) <= 3 * log_all nu n P d T K.
Proof.
  pose proof total_parts as [A [B [C [D [E F]]]]].
  unfold Rdiv. rewrite !ln_mult by (try apply Rmult_lt_0_compat; lra).
  pose proof (log_of_part (INR n) ltac:(lra) ltac:(lra)). pose proof (log_of_part (INR T) ltac:(lra) ltac:(lra)).
  pose proof (log_of_part (/ nu) ltac:(lra) ltac:(lra)). lra.
Qed.
Lemma log_power x k : 0 < x -> ln (x ^ k) = INR k * ln x.
Proof.
  intro Hx. induction k as [|k IH]; [simpl; rewrite ln_1; ring|]. cbn [pow].
  rewrite ln_mult, IH, S_INR by (try apply pow_lt; assumption). ring.
Qed.
(* log(2 (nPTK)^k/nu) *)
Lemma log_poly k : ln (2 * (INR n * INR P * INR T * INR K) ^ k / nu) <= (4 * INR k + 2) * log_all nu n P d T K.
Proof.
  pose proof total_parts as [A [B [C [D [E F]]]]]. pose proof log_all_above as L.
  assert (X0 : 0 < INR n * INR P * INR T * INR K) by (repeat apply Rmult_lt_0_compat; lra).
  assert (X1 : 0 < (INR n * INR P * INR T * INR K) ^ k) by (apply pow_lt; assumption).
  unfold Rdiv. rewrite ln_mult by (try apply Rmult_lt_0_compat; lra). rewrite ln_mult by lra.
  rewrite log_power by assumption.
  rewrite !ln_mult by (repeat apply Rmult_lt_0_compat; lra).
  pose proof (log_of_part (INR n) ltac:(lra) ltac:(lra)). pose proof (log_of_part (INR P) ltac:(lra) ltac:(lra)).
  pose proof (log_of_part (INR T) ltac:(lra) ltac:(lra)). pose proof (log_of_part (INR K) ltac:(lra) ltac:(lra)).
  pose proof (log_of_part (/ nu) ltac:(lra) ltac:(lra)). pose proof (log_of_part 2 ltac:(lra) ltac:(lra)).
  pose proof (pos_INR k).
  assert (INR k * (ln (INR n) + ln (INR P) + ln (INR T) + ln (INR K)) <= INR k * (4 * log_all nu n P d T K))
    by (apply Rmult_le_compat_l; lra).
  lra.
Qed.
End Logarithm.

(* As printed: for every power k, with probability at least 1 - nu/(nPTK)^k,
     |sum (x_i - E x_i)|^2 <= C_1^2 (sigma^2 + R^2),  C_1 = (4k + 4) log(1/nu + n + P + d + T + K). *)
Theorem vector_bernstein {V : space} {O : Type} (default : O) (law : nat -> mean O) (x : nat -> O -> V) (mu : nat -> V)
  (n P d T K k : nat) (R0 nu : R) :
  (1 <= n)%nat -> (1 <= P)%nat -> (1 <= d)%nat -> (1 <= T)%nat -> (1 <= K)%nat -> 0 < nu < 1 ->
  (forall i u, Ex (law i) (fun o => ip u (x i o)) = ip u (mu i)) ->
  (forall i o, (i < n)%nat -> possible (law i) o -> norm (sub (x i o) (mu i)) <= R0) ->
  let sigma2 := sum n (fun i => Ex (law i) (fun o => sq (sub (x i o) (mu i)))) in
  let C_1 := (4 * INR k + 4) * log_all nu n P d T K in
  with_probability (family default n law) (1 - nu / (INR n * INR P * INR T * INR K) ^ k) (fun a =>
    sq (vsum n (fun i => sub (x i (a i)) (mu i))) <= C_1 ^ 2 * (sigma2 + R0 ^ 2)).
Proof.
  intros Hn HP Hd HT HK Hnu Mu Ra sigma2 C_1.
  pose proof (total_parts nu n P d T K ltac:(lra) Hn HP Hd HT HK) as [A [B [C [D [E F]]]]].
  set (X := (INR n * INR P * INR T * INR K) ^ k).
  assert (X0 : 1 <= X).
  { unfold X. apply pow_R1_Rle. replace 1 with (1 * 1 * 1 * 1) by ring.
    repeat apply Rmult_le_compat; try lra; repeat apply Rmult_le_pos; lra. }
  assert (Del : 0 < nu / X < 1).
  { split; [apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra]|].
    apply Rmult_lt_reg_r with X; [lra|]. replace (nu / X * X) with nu by (field; lra). lra. }
  eapply with_probability_weaken; [apply Rle_refl| |
    apply (bernstein_independent default law x mu Mu n R0 Ra (nu / X) Del)].
  intros a _ H. fold sigma2 in H. pose proof (log_all_above nu n P d T K ltac:(lra) Hn HP Hd HT HK) as L.
  pose proof (log_poly nu n P d T K ltac:(lra) Hn HP Hd HT HK k) as LP. fold X in LP.
  replace (2 * X / nu) with (2 / (nu / X)) in LP by (field; lra).
  assert (S0 : 0 <= sigma2 + R0 * R0).
  { pose proof (variance_nonneg law x mu n) as v0. fold sigma2 in v0. pose proof (Rle_0_sqr R0). unfold Rsqr in *.
    fold sigma2. unfold variance in v0. fold sigma2 in v0. lra. }
  assert (D2 : 0 < ln (2 / (nu / X))).
  { rewrite <- ln_1. apply ln_increasing; [lra|]. apply Rmult_lt_reg_r with (nu / X); [lra|].
    replace (2 / (nu / X) * (nu / X)) with 2 by (field; lra). lra. }
  pose proof (pos_INR k). unfold variance in H. fold sigma2 in H.
  apply sq_le in H.
  assert (Q : 3 / 2 + ln (2 / (nu / X)) <= C_1) by (unfold C_1; lra).
  pose proof (sqrt_pos (sigma2 + R0 * R0)) as q0. pose proof (sqrt_sqrt _ S0) as qq.
  eapply Rle_trans; [exact H|].
  replace ((3 / 2 + ln (2 / (nu / X))) * sqrt (sigma2 + R0 * R0) * ((3 / 2 + ln (2 / (nu / X))) * sqrt (sigma2 + R0 *
    R0)))
    with ((3 / 2 + ln (2 / (nu / X))) * (3 / 2 + ln (2 / (nu / X))) * (sqrt (sigma2 + R0 * R0) * sqrt (sigma2 + R0 *
      R0)))
    by ring.
  rewrite qq. replace (C_1 ^ 2 * (sigma2 + R0 ^ 2)) with (C_1 * C_1 * (sigma2 + R0 * R0)) by ring.
  apply Rmult_le_compat_r; [assumption|]. apply Rmult_le_compat; lra.
Qed.

(* ---- 2. Sampling without replacement ---- *)

Section Noreplace.
Context {V : space}.
Variables (n b : nat).
Hypothesis Hb : (1 <= b)%nat.
Hypothesis Hbn : (b <= n)%nat.
Variables (a : nat -> V) (R0 sigma2 : R).
Hypothesis sum_zero : vsum n a = zero.
Hypothesis length_a : forall i, (i < n)%nat -> norm (a i) <= R0.
Hypothesis mean_square : sum n (fun i => sq (a i)) <= INR n * sigma2.
Notation N := (INR n).
Notation B := (INR b).
Notation part := (partial n b a zero).
Notation move := (increment n b a).

Lemma R0_nonneg : 0 <= R0.
Proof. eapply Rle_trans; [apply (norm_nonneg (a 0))|apply length_a; lia]. Qed.
(* What has been drawn is the opposite of what is left. *)
Lemma rest_norm k J : (k < n)%nat -> sum n (ind J) = INR k ->
  norm (scale (/ (N - INR k)) (vsum_in n J a)) <= R0.
Proof.
  intros Hk HJ. assert (NK : INR k < N) by (apply lt_INR; assumption).
  assert (I0 : 0 < / (N - INR k)) by (apply Rinv_0_lt_compat; lra).
  replace (vsum_in n J a) with (scale (-1) (vsum n (fun i => scale (1 - ind J i) (a i)))).
  2:{ vector_eq w. rewrite ip_vsum_in, ip_vsum.
      rewrite (sum_ext n _ (fun i => ip (a i) w - ind J i * ip (a i) w)) by (intros; products; ring).
      rewrite sum_sub, <- ip_vsum, sum_zero, ip_zero. ring. }
  rewrite !norm_scale, (Rabs_left (-1)), Rabs_right by lra.
  apply Rmult_le_reg_l with (N - INR k); [lra|]. rewrite <- Rmult_assoc, Rinv_r by lra.
  replace (1 * (- -1 * norm (vsum n (fun i => scale (1 - ind J i) (a i)))))
    with (norm (vsum n (fun i => scale (1 - ind J i) (a i)))) by ring.
  eapply Rle_trans; [apply norm_vsum|]. apply Rle_trans with (sum n (fun i => R0 * (1 - ind J i))).
  - apply sum_le. intros i Hi. pose proof (ind_bounds J i). rewrite norm_scale, Rabs_right by lra.
    rewrite Rmult_comm. apply Rmult_le_compat_r; [lra|apply length_a, Hi].
  - rewrite sum_mul, sum_sub, sum_const, HJ. lra.
Qed.
Lemma scale_nonneg k : (k < b)%nat -> 0 <= / B * shrink n b (S k) <= / B.
Proof.
  intro Hk. pose proof (shrink_bounds n b (S k) ltac:(lia) Hbn).
  assert (0 < / B) by (apply Rinv_0_lt_compat, lt_0_INR; lia). split; [apply Rmult_le_pos; lra|].
  rewrite <- (Rmult_1_r (/ B)) at 2. apply Rmult_le_compat_l; lra.
Qed.
Lemma move_norm k J i : (k < b)%nat -> (i < n)%nat -> sum n (ind J) = INR k -> norm (move k J i) <= / B * (2 * R0).
Proof.
  intros Hk Hi HJ. unfold increment. pose proof (scale_nonneg k Hk) as [c0 c1]. pose proof R0_nonneg.
  rewrite norm_scale, Rabs_right by lra.
  apply Rmult_le_compat; [assumption|apply norm_nonneg|assumption|].
  eapply Rle_trans; [apply norm_add|]. pose proof (rest_norm k J ltac:(lia) HJ). specialize (length_a i Hi). lra.
Qed.
(* The mean square of a step, given what was drawn. *)
Definition share (k : nat) : R := shrink n b (S k) * shrink n b (S k) * (N / (N - INR k)).
Lemma move_square k J : (k < b)%nat -> sum n (ind J) = INR k ->
  Ex (pick n J) (fun i => sq (move k J i)) <= / B * / B * (share k * sigma2).
Proof.
  intros Hk HJ. assert (NK : INR k < N) by (apply lt_INR; lia).
  set (v := scale (/ (N - INR k)) (vsum_in n J a)). set (c := / B * shrink n b (S k)).
  rewrite (Ex_ext _ _ (fun i => c * c * (sq (a i) + (2 * ip (a i) v + sq v)))).
  2:{ intros i _. unfold increment. fold v c. rewrite sq_scale, sq_add. ring. }
  rewrite Ex_mul, Ex_pick by lra. rewrite HJ.
  assert (E : sum n (fun i => (1 - ind J i) * (sq (a i) + (2 * ip (a i) v + sq v)))
    = sum n (fun i => (1 - ind J i) * sq (a i)) - (N - INR k) * sq v).
  { rewrite (sum_ext n _ (fun i => (1 - ind J i) * sq (a i) + (2 * ip (a i) v - 2 * (ind J i * ip (a i) v)
      + (sq v - sq v * ind J i)))) by (intros; ring).
    rewrite sum_add, sum_add, sum_sub, sum_sub, !sum_mul, sum_const, HJ, <- ip_vsum, sum_zero, ip_zero, <- ip_vsum_in.
    replace (vsum_in n J a) with (scale (N - INR k) v) by (unfold v; vector_eq w; field; lra).
    rewrite ip_scale. unfold sq. ring. }
  rewrite E. assert (L : sum n (fun i => (1 - ind J i) * sq (a i)) <= N * sigma2).
  { eapply Rle_trans; [|exact mean_square]. apply sum_le. intros i _. pose proof (ind_bounds J i).
    pose proof (sq_nonneg (a i)). assert (ind J i * sq (a i) >= 0) by (apply Rle_ge, Rmult_le_pos; lra). lra. }
  pose proof (sq_nonneg v). assert (V0 : 0 <= (N - INR k) * sq v) by (apply Rmult_le_pos; lra).
  assert (c0 : 0 <= c * c) by apply Rle_0_sqr.
  replace (/ B * / B * (share k * sigma2)) with (c * c * (/ (N - INR k) * (N * sigma2)))
    by (unfold c, share; field; split; [lra|]; apply Rgt_not_eq, lt_0_INR; lia).
  apply Rmult_le_compat_l; [assumption|]. apply Rmult_le_compat_l; [|lra].
  left. apply Rinv_0_lt_compat. lra.
Qed.
(* The shares add up to at most b. *)
Lemma shares : (b < n)%nat -> sum b share <= B.
Proof.
  intro H. assert (BN : B < N) by (apply lt_INR; assumption).
  assert (b1 : 1 <= B) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (E : forall m, (m <= b)%nat -> sum m (fun k => N * (N - B) * (/ (N - INR (S k)) - / (N - INR k)))
    = N * (N - B) * (/ (N - INR m) - / N)).
  { induction m as [|m IH]; intro Hm; [simpl; rewrite Rminus_0_r; ring|]. cbn [sum]. rewrite IH by lia. ring. }
  apply Rle_trans with (sum b (fun k => N * (N - B) * (/ (N - INR (S k)) - / (N - INR k)))).
  - apply sum_le. intros k Hk. unfold share, shrink.
    assert (K1 : INR (S k) <= B) by (apply le_INR; lia). rewrite S_INR in *. pose proof (pos_INR k).
    replace (/ (N - (INR k + 1)) - / (N - INR k)) with (/ ((N - (INR k + 1)) * (N - INR k))) by (field; lra).
    replace ((N - B) / (N - (INR k + 1)) * ((N - B) / (N - (INR k + 1))) * (N / (N - INR k)))
      with (N * (N - B) * / ((N - (INR k + 1)) * (N - INR k)) * ((N - B) / (N - (INR k + 1)))) by (field; lra).
    rewrite <- (Rmult_1_r (N * (N - B) * / ((N - (INR k + 1)) * (N - INR k)))) at 2.
    apply Rmult_le_compat_l.
    + apply Rmult_le_pos; [apply Rmult_le_pos; lra|]. left. apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra.
    + apply Rmult_le_reg_r with (N - (INR k + 1)); [lra|].
      replace ((N - B) / (N - (INR k + 1)) * (N - (INR k + 1))) with (N - B) by (field; lra). lra.
  - rewrite E by lia. right. field. lra.
Qed.
Lemma shares_nonneg k : (k < b)%nat -> 0 <= share k.
Proof.
  intro Hk. assert (INR k < N) by (apply lt_INR; lia). unfold share. pose proof (pos_INR n).
  apply Rmult_le_pos; [apply Rle_0_sqr|]. apply Rmult_le_pos; [assumption|left; apply Rinv_0_lt_compat; lra].
Qed.

Lemma draws_lift lambda (s : V) m : forall k J, (k + m = b)%nat -> (b < n)%nat -> sum n (ind J) = INR k ->
  0 <= lambda -> lambda * (2 * R0) <= B ->
  Ex (draws n m J) (fun I => lift lambda (partial n b a s b I)) <= lift lambda (partial n b a s k J)
    * exp (3 / 2 * (lambda * lambda * (/ B * / B * (sum m (fun j => share (k + j)) * sigma2)))).
Proof.
  induction m as [|m IH]; intros k J Hk H HJ L0 L1.
  - replace k with b by lia. simpl. replace (3 / 2 * _) with 0 by ring. rewrite exp_0. lra.
  - assert (Lt : sum n (ind J) < N) by (rewrite HJ; apply lt_INR; lia).
    assert (b0 : 0 < B) by (apply lt_0_INR; lia).
    change (draws n (S m) J) with (bind (pick n J) (fun i => draws n m (insert i J))). rewrite Ex_bind.
    set (tail := exp (3 / 2 * (lambda * lambda * (/ B * / B * (sum m (fun j => share (S k + j)) * sigma2))))).
    apply Rle_trans with (Ex (pick n J) (fun i => tail * lift lambda (add (partial n b a s k J) (move k J i)))).
    + apply Ex_le. intros i Q. destruct (pick_possible n J i Lt Q) as [Q1 Q2].
      replace (add (partial n b a s k J) (move k J i)) with (partial n b a s (S k) (insert i J)).
      * rewrite Rmult_comm. apply IH; try assumption; [lia|].
        rewrite (sum_ext n _ (fun j => ind (insert i J) j * 1)) by (intros; ring).
        rewrite (sum_insert n i J (fun _ => 1)) by assumption.
        rewrite (sum_ext n _ (ind J)) by (intros; ring). rewrite HJ, S_INR. reflexivity.
      * rewrite (partial_step n b Hb Hbn a s k J i) by (assumption || lia). vector_eq w. ring.
    + rewrite Ex_mul. rewrite sum_first.
      rewrite (sum_ext m _ (fun j => share (S k + j))) by (intros; f_equal; lia). rewrite Nat.add_0_r.
      replace (3 / 2 * (lambda * lambda * (/ B * / B * ((share k + sum m (fun j => share (S k + j))) * sigma2))))
        with (3 / 2 * (lambda * lambda * (/ B * / B * (share k * sigma2)))
          + 3 / 2 * (lambda * lambda * (/ B * / B * (sum m (fun j => share (S k + j)) * sigma2)))) by ring.
      rewrite exp_plus. fold tail. rewrite <- (Rmult_assoc (lift lambda (partial n b a s k J))), (Rmult_comm _ tail).
      apply Rmult_le_compat_l; [left; apply exp_pos|].
      apply (lift_step (pick n J) lambda (partial n b a s k J) (move k J) (/ B * (2 * R0))); try assumption.
      * apply Rmult_le_reg_l with B; [assumption|].
        replace (B * (lambda * (/ B * (2 * R0)))) with (lambda * (2 * R0)) by (field; lra). lra.
      * intro u. apply (increment_mean n b Hb Hbn a sum_zero k J u); [lia|assumption|assumption].
      * intros i Q. destruct (pick_possible n J i Lt Q) as [Q1 _]. apply move_norm; [lia|assumption|assumption].
      * apply move_square; [lia|assumption].
Qed.
(* A minibatch mean, added to s. *)
Lemma sample_lift lambda (s : V) : 0 <= lambda -> lambda * (2 * R0) <= B ->
  Ex (uniform n b) (fun I => lift lambda (add s (over b (vsum_in n I a))))
  <= lift lambda s * exp (3 / 2 * (lambda * lambda * (sigma2 / B))).
Proof.
  intros L0 L1. assert (b0 : 0 < B) by (apply lt_0_INR; lia). assert (n0 : 0 < N) by (apply lt_0_INR; lia).
  assert (s0 : 0 <= sigma2).
  { apply Rmult_le_reg_l with N; [assumption|]. rewrite Rmult_0_r. eapply Rle_trans; [|exact mean_square].
    apply sum_nonneg. intros. apply sq_nonneg. }
  pose proof (lift_pos lambda s) as P. assert (ll : 0 <= lambda * lambda) by apply Rle_0_sqr.
  assert (iB : 0 < / B) by (apply Rinv_0_lt_compat; assumption).
  assert (sB : 0 <= sigma2 / B) by (apply Rmult_le_pos; lra).
  destruct (Nat.eq_dec b n) as [e|e].
  - rewrite (Ex_ext _ _ (fun _ => lift lambda s)).
    + rewrite Ex_const. rewrite <- (Rmult_1_r (lift lambda s)) at 1. apply Rmult_le_compat_l; [lra|].
      pose proof (exp_ineq1_le (3 / 2 * (lambda * lambda * (sigma2 / B)))) as Q.
      assert (0 <= lambda * lambda * (sigma2 / B)) by (apply Rmult_le_pos; assumption). lra.
    + intros I PI. rewrite (whole_batch n b Hbn a sum_zero I e PI). f_equal. vector_eq u. ring.
  - rewrite uniform_is_draws by assumption.
    pose proof (draws_lift lambda s b 0 none ltac:(lia) ltac:(lia) ltac:(apply vectors.sum_zero; reflexivity) L0 L1) as M.
    rewrite (Ex_ext _ _ (fun I => lift lambda (partial n b a s b I))).
    + eapply Rle_trans; [exact M|]. replace (partial n b a s 0 none) with s.
      2:{ unfold partial. vector_eq u. rewrite ip_vsum_in, vectors.sum_zero; [ring|]. intros. unfold ind, none. ring. }
      apply Rmult_le_compat_l; [lra|].
      assert (X : 3 / 2 * (lambda * lambda * (/ B * / B * (sum b (fun j => share (0 + j)) * sigma2)))
        <= 3 / 2 * (lambda * lambda * (sigma2 / B))).
      { apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; [assumption|].
        replace (sigma2 / B) with (/ B * / B * (B * sigma2)) by (field; lra).
        apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|]. apply Rmult_le_compat_r; [assumption|].
        apply shares. lia. }
      destruct X as [X| ->]; [left; apply exp_increasing, X|lra].
    + intros I _. f_equal. unfold partial. assert (BN : B < N) by (apply lt_INR; lia).
      vector_eq u. unfold shrink. field. lra.
Qed.
Theorem noreplace_bernstein delta : 0 < delta < 1 ->
  with_probability (uniform n b) (1 - delta) (fun I =>
    norm (vsum_in n I a) <= (3 / 2 + 2 * ln (2 / delta)) * sqrt (B * sigma2 + R0 * R0)).
Proof.
  intro Hd. assert (b0 : 0 < B) by (apply lt_0_INR; lia). assert (n0 : 0 < N) by (apply lt_0_INR; lia).
  assert (s0 : 0 <= sigma2).
  { apply Rmult_le_reg_l with N; [assumption|]. rewrite Rmult_0_r. eapply Rle_trans; [|exact mean_square].
    apply sum_nonneg. intros. apply sq_nonneg. }
  assert (D2 : 1 < 2 / delta).
  { apply Rmult_lt_reg_r with delta; [lra|]. replace (2 / delta * delta) with 2 by (field; lra). lra. }
  assert (Ln : 0 < ln (2 / delta)) by (rewrite <- ln_1; apply ln_increasing; lra).
  set (w := B * sigma2 + R0 * R0). pose proof (Rle_0_sqr R0) as r0. unfold Rsqr in r0.
  assert (bs : 0 <= B * sigma2) by (apply Rmult_le_pos; lra).
  assert (Trivial : (forall I, possible (uniform n b) I -> vsum_in n I a = zero) ->
    with_probability (uniform n b) (1 - delta) (fun I =>
      norm (vsum_in n I a) <= (3 / 2 + 2 * ln (2 / delta)) * sqrt w)).
  { intro Z. apply (with_probability_weaken _ 1 _ (fun _ => True)); [lra| |apply surely; auto].
    intros I P _. rewrite Z, norm_zero by assumption. apply Rmult_le_pos; [lra|apply sqrt_pos]. }
  destruct (Nat.eq_dec b n) as [e|e].
  - apply Trivial. intros I P. apply (whole_batch n b Hbn a sum_zero I e P).
  - destruct (Req_dec w 0) as [Z|Z].
    + apply Trivial. intros I P. assert (R00 : R0 = 0).
      { unfold w in Z. assert (Q : R0 * R0 = 0) by lra. apply Rmult_integral in Q. tauto. }
      apply sq_zero_eq. pose proof (sq_nonneg (vsum_in n I a)). cut (norm (vsum_in n I a) <= 0).
      { intro Q. apply sq_le in Q. lra. }
      eapply Rle_trans; [apply norm_vsum|]. rewrite <- (Rmult_0_r N), <- sum_const. apply sum_le. intros i Hi.
      destruct (I i); [rewrite <- R00; apply length_a, Hi|rewrite norm_zero; lra].
    + assert (w0 : 0 < w) by (unfold w in *; lra). pose proof (sqrt_lt_R0 w w0) as q0.
      pose proof (sqrt_sqrt w ltac:(lra)) as qq. pose proof R0_nonneg as R00.
      set (lambda := B * (/ 2 / sqrt w)).
      assert (l0 : 0 < / 2 / sqrt w) by (apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; assumption]).
      assert (L0 : 0 <= lambda) by (unfold lambda; apply Rmult_le_pos; lra).
      assert (LR : lambda * (2 * R0) <= B).
      { unfold lambda. rewrite <- (Rmult_1_r B) at 2. rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|].
        apply Rmult_le_reg_l with (sqrt w); [assumption|].
        replace (sqrt w * (/ 2 / sqrt w * (2 * R0))) with R0 by (field; lra). rewrite Rmult_1_r.
        apply Rsqr_incr_0_var; [|lra]. unfold Rsqr. rewrite qq. unfold w. lra. }
      pose proof (draws_lift lambda zero b 0 none ltac:(lia) ltac:(lia)) as M.
      specialize (M ltac:(apply vectors.sum_zero; reflexivity) L0 LR).
      assert (P0 : part 0 none = zero).
      { unfold partial. vector_eq u. rewrite ip_vsum_in, vectors.sum_zero; [ring|]. intros. unfold ind, none. ring. }
      rewrite P0 in M. unfold lift at 2 in M. rewrite norm_zero, Rmult_0_r, cosh_0, Rmult_1_l in M.
      assert (T1 : Ex (uniform n b) (fun I => lift (/ 2 / sqrt w) (vsum_in n I a))
        <= exp (3 / 2 * (/ w * (/ 4 * (B * sigma2))))).
      { rewrite uniform_is_draws by assumption. eapply Rle_trans; [|eapply Rle_trans; [exact M|]].
        - right. apply Ex_ext. intros I _. unfold lift, partial. f_equal.
          replace (shrink n b b) with 1.
          + replace (add zero (scale (/ B * 1) (vsum_in n I a))) with (scale (/ B) (vsum_in n I a)) by (vector_eq u;
            ring).
            rewrite norm_scale, Rabs_right by (apply Rle_ge; left; apply Rinv_0_lt_compat; lra).
            unfold lambda. field. lra.
          + unfold shrink. field. assert (B < N) by (apply lt_INR; lia). lra.
        - assert (X : 3 / 2 * (lambda * lambda * (/ B * / B * (sum b (fun j => share (0 + j)) * sigma2)))
            <= 3 / 2 * (/ w * (/ 4 * (B * sigma2)))).
          { replace (lambda * lambda * (/ B * / B * (sum b (fun j => share (0 + j)) * sigma2)))
              with (/ w * (/ 4 * (sum b share * sigma2))).
            2:{ change (fun j => share (0 + j)) with share. unfold lambda. replace (/ w) with (/ (sqrt w * sqrt w)) by
              (rewrite qq; reflexivity). field. lra. }
            apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; [left; apply Rinv_0_lt_compat; assumption|].
            apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_r; [assumption|]. apply shares. lia. }
          destruct X as [X| ->]; [left; apply exp_increasing, X|lra]. }
      eapply with_probability_weaken; [apply Rle_refl| |apply (lift_tail (uniform n b) (fun I => vsum_in n I a) (/ 2) w
        (/ 4 * (B * sigma2)) delta ltac:(lra) w0 Hd)]; [|unfold w; lra|exact T1].
      intros I _ Q. eapply Rle_trans; [exact Q|]. apply Rmult_le_compat_r; [lra|]. rewrite Rinv_involutive by lra. lra.
Qed.
End Noreplace.
