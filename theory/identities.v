(* What holds exactly, run by run: the error of SLEDGE's estimate as a sum over the steps, the runs that have no error,
   and how many indices go undrawn in the mean.

   Here the s-th minibatch of a history is I^s, and undrawn s is the set of the indices that are in none of
   I^s, ..., I^t: the set of line 331 with I^tau for I^t under the union. The theorems about runs hold for every
   history, step size and noise; those that ask for minibatches of b indices say so by [possible].

   Contents
     error_identity              the error as a sum over the steps (lines 1376-1384), from any start
     zero_heterogeneity_error    zeta = 0: only rows that are not drawn yet have errors, their first ones
     zero_heterogeneity_exact    zeta = 0, Option II: the estimate is the gradient (line 345), and every row is exact
     full_batch_exact            b = n: SLEDGE is gradient descent, with the same noise (line 385), both options
     undrawn_mean                E |undrawn s| = n (1 - b/n)^{t-s+1} (lines 1250, 1314)
     undrawn_given_later         given I^t, ..., I^{s+1} the mean of |undrawn s| is (1 - b/n) |undrawn (s+1)| (1308)
     undrawn_unrolled            |undrawn s| as a sum of its deviations (line 1314)
     surrogate_unbiased          (|undrawn s|/b) sum_{I^s} a_i and sum_{undrawn s} a_i have the same mean (line 333)
     scaled_sum_martingale       sums of draws without replacement, divided by what is left (lines 1015-1024) *)
From Coq Require Import Reals Lra Lia PeanoNat List Bool.
From Sledge Require Import vectors means minibatches algorithms problems second_moments sledge_errors steps.
Import ListNotations.
Open Scope R_scope.

(* ---- Minibatches of a history, and what they leave out ---- *)

(* The numbers |I| of the indices below n in I, I^s, and those in none of some minibatches. *)
Definition size (n : nat) (I : batch) : R := sum n (ind I).
Definition minibatch (s : nat) (past : list batch) : batch := hd none (at_time s past).
Definition left_out (later : list batch) : batch := fun i => negb (drawn later i).
(* I^t, ..., I^s, and the indices in none of them *)
Definition from_step {O} (s : nat) (past : list O) : list O := firstn (S (length past) - s) past.
Definition undrawn (s : nat) (past : list batch) : batch := left_out (from_step s past).

Lemma left_out_more B later i : ind (left_out (B :: later)) i = (1 - ind B i) * ind (left_out later) i.
Proof. unfold ind, left_out. cbn [drawn existsb]. unfold drawn. destruct (B i), (existsb _ later); simpl; ring. Qed.
Lemma left_out_earlier B later i :
  ind (left_out (later ++ [B])) i = ind (left_out later) i * (1 - ind B i).
Proof.
  unfold ind, left_out, drawn. rewrite existsb_app. simpl. destruct (B i), (existsb _ later); simpl; ring.
Qed.
Lemma from_step_more {O} (o : O) k past : (k <= length past)%nat ->
  from_step (S k) (o :: past) = o :: from_step (S k) past.
Proof.
  intro H. unfold from_step. cbn [length]. replace (S (S (length past)) - S k)%nat with (S (length past - k)) by lia.
  replace (S (length past) - S k)%nat with (length past - k)%nat by lia. reflexivity.
Qed.
Lemma undrawn_more B k past i : (k <= length past)%nat ->
  ind (undrawn (S k) (B :: past)) i = (1 - ind B i) * ind (undrawn (S k) past) i.
Proof. intro H. unfold undrawn. rewrite from_step_more by assumption. apply left_out_more. Qed.
Lemma undrawn_none past i : ind (undrawn (S (length past)) past) i = 1.
Proof. unfold undrawn, from_step. rewrite Nat.sub_diag. reflexivity. Qed.
Lemma at_time_now {O} (o : O) past : at_time (S (length past)) (o :: past) = o :: past.
Proof. apply (at_time_all (o :: past)). Qed.
Lemma minibatch_before B s past : (s <= length past)%nat -> minibatch s (B :: past) = minibatch s past.
Proof. intro H. unfold minibatch. rewrite at_time_before by assumption. reflexivity. Qed.
Lemma minibatch_now B past : minibatch (S (length past)) (B :: past) = B.
Proof. unfold minibatch. rewrite at_time_now. reflexivity. Qed.

(* ---- The error as a sum over the steps ---- *)

Section Error.
Context {V : space}.
Variables (n b : nat) (eta : R) (noise : list batch -> V) (grad : nat -> V -> V) (start : V * (nat -> V)).
Notation run := (sledge n b eta noise grad start).
(* x^s, and how grad f_i changes from x^{s-1} to x^s *)
Definition path (s : nat) (past : list batch) : V := point (run (at_time s past)).
Definition path_change (s : nat) (past : list batch) (i : nat) : V :=
  sub (grad i (path s past)) (grad i (path (s - 1) past)).
Notation delta := path_change.

Lemma path_change_before B s past i : (s <= length past)%nat -> delta s (B :: past) i = delta s past i.
Proof. intro H. unfold path_change, path. rewrite !at_time_before by lia. reflexivity. Qed.

(* The error of a row that no minibatch from step s on has drawn is what the steps from s on made of it. *)
Lemma row_identity past i w :
  ip (sub (table (run past) i) (grad i (point (run past)))) w
  = sum (length past) (fun k => ind (undrawn (S k) past) i
      * (/ INR b * ip (vsum_in n (minibatch (S k) past) (delta (S k) past)) w - ip (delta (S k) past i) w))
    + ind (undrawn 1 past) i * ip (sub (table start i) (grad i (point start))) w.
Proof.
  induction past as [|B past IH].
  - cbn [sledge length sum]. rewrite (undrawn_none []). ring.
  - assert (E : forall k, (k < length past)%nat ->
      ind (undrawn (S k) (B :: past)) i
      * (/ INR b * ip (vsum_in n (minibatch (S k) (B :: past)) (delta (S k) (B :: past))) w
         - ip (delta (S k) (B :: past) i) w)
      = (1 - ind B i) * (ind (undrawn (S k) past) i
      * (/ INR b * ip (vsum_in n (minibatch (S k) past) (delta (S k) past)) w - ip (delta (S k) past i) w))).
    { intros k Hk. rewrite undrawn_more, minibatch_before, path_change_before by lia.
      replace (vsum_in n (minibatch (S k) past) (delta (S k) (B :: past)))
        with (vsum_in n (minibatch (S k) past) (delta (S k) past)); [ring|].
      apply vsum_in_ext. intros. symmetry. apply path_change_before. lia. }
    assert (D : forall j, delta (S (length past)) (B :: past) j
      = sub (grad j (next_point n eta noise past (run past))) (grad j (point (run past)))).
    { intro j. unfold path_change, path. rewrite at_time_now, Nat.sub_succ, Nat.sub_0_r.
      rewrite at_time_before, at_time_all by lia. reflexivity. }
    cbn [length sum]. rewrite (sum_ext _ _ _ E), sum_mul, minibatch_now, !undrawn_more by lia.
    rewrite undrawn_none. cbn [sledge]. set (s := run past) in *.
    replace (vsum_in n B (delta (S (length past)) (B :: past)))
      with (vsum_in n B (fun j => sub (grad j (next_point n eta noise past s)) (grad j (point s))))
      by (apply vsum_in_ext; intros; symmetry; apply D).
    rewrite D. clear E D. clearbody s. cbn [sledge_step table point fst snd]. set (x' := next_point _ _ _ _ _).
    set (A := vsum_in n B _). autorewrite with ip in IH |- *. unfold point, table in *.
    transitivity ((1 - ind B i) * (ip (snd s i) w - ip (grad i (fst s)) w
      + (/ INR b * ip A w - (ip (grad i x') w - ip (grad i (fst s)) w)))); [|rewrite IH; ring].
    unfold ind. destruct (B i); [ring|]. rewrite ip_add, ip_over. ring.
Qed.

(* The error identity, line by line of 1376-1384: with U_s = undrawn s,
     v^t - grad f(x^t) = (1/n) sum_{s=1}^t ((|U_s|/b) sum_{i in I^s} (grad f_i(x^s) - grad f_i(x^{s-1}))
                                           - sum_{i in U_s} (grad f_i(x^s) - grad f_i(x^{s-1})))
                         + (1/n) sum_{i in U_1} (y_i^0 - grad f_i(x^0)). *)
Theorem error_identity past :
  let U s := undrawn s past in
  sub (estimate n (run past)) (gradient n grad (point (run past)))
  = add (over n (vsum (length past) (fun k => let s := S k in
           sub (scale (size n (U s) / INR b) (vsum_in n (minibatch s past) (delta s past)))
             (vsum_in n (U s) (delta s past)))))
      (over n (vsum_in n (U 1%nat) (fun i => sub (table start i) (grad i (point start))))).
Proof.
  cbn zeta. unfold estimate, gradient. vector_eq w. rewrite !ip_vsum, <- Rmult_minus_distr_l, <- sum_sub.
  rewrite <- Rmult_plus_distr_l. f_equal. rewrite ip_vsum_in.
  rewrite (sum_ext n _ _ (fun i _ => eq_trans (eq_sym (ip_sub _ _ w)) (row_identity past i w))), sum_add. f_equal.
  rewrite sum_swap. apply sum_ext. intros k _.
  rewrite ip_sub, ip_scale, (ip_vsum_in n (undrawn (S k) past)). unfold size, Rdiv.
  rewrite (sum_ext n _ (fun i => / INR b * ip (vsum_in n (minibatch (S k) past) (delta (S k) past)) w
    * ind (undrawn (S k) past) i - ind (undrawn (S k) past) i * ip (delta (S k) past i) w)) by (intros; ring).
  rewrite sum_sub, sum_mul. ring.
Qed.
End Error.

(* ---- Runs without error ---- *)

Lemma norm_eq {V : space} (u v : V) : norm (sub u v) <= 0 -> u = v.
Proof.
  intro H. pose proof (sq_le _ _ H) as Q. pose proof (sq_nonneg (sub u v)).
  assert (Z : sub u v = zero) by (apply sq_zero_eq; lra).
  vector_eq w. pose proof (f_equal (fun z => ip z w) Z) as E. cbn beta in E. rewrite ip_sub, ip_zero in E. lra.
Qed.
(* The mean of b equal vectors. *)
Lemma mean_of_equal {V : space} n b I (a : nat -> V) u : (1 <= b)%nat -> size n I = INR b ->
  (forall i, (i < n)%nat -> I i = true -> a i = u) -> over b (vsum_in n I a) = u.
Proof.
  intros Hb S E. assert (0 < INR b) by (apply lt_0_INR; lia). rewrite (vsum_in_ext n I a (fun _ => u) E).
  vector_eq w. rewrite ip_vsum_in. rewrite (sum_ext n _ (fun i => ip u w * ind I i)) by (intros; ring).
  rewrite sum_mul. fold (size n I). rewrite S. field. lra.
Qed.
(* All of n indices. *)
Lemma size_full n I : size n I = INR n -> forall i, (i < n)%nat -> I i = true.
Proof.
  intros S i Hi. destruct (I i) eqn:e; [reflexivity|]. exfalso.
  assert (L : size n I <= sum n (fun j => if Nat.eq_dec i j then 0 else 1)).
  { apply sum_le. intros j _. destruct (Nat.eq_dec i j) as [q|q]; [subst j; unfold ind; rewrite e; lra|].
    apply ind_bounds. }
  rewrite (sum_all_but n i (fun _ => 1)), sum_const in L by assumption. lra.
Qed.

Section No_error.
Context {V : space}.
Variables (n b : nat) (eta : R) (noise : list batch -> V) (grad : nat -> V -> V) (x0 : V).
Notation full x := (gradient n grad x).

(* zeta = 0, any start: a row keeps its first error until it is drawn, and has none from then on; so the error of the
   estimate is (1/n) sum over the indices not drawn yet of y_i^0 - grad f_i(x^0). *)
Theorem zero_heterogeneity_error start past : (1 <= b)%nat -> (b <= n)%nat -> heterogeneous n grad 0 ->
  Forall (possible (uniform n b)) past ->
  let run := sledge n b eta noise grad start in
  let first i := sub (table start i) (grad i (point start)) in
  sub (estimate n (run past)) (full (point (run past))) = over n (vsum_in n (left_out past) first)
  /\ (forall i, (i < n)%nat -> sub (table (run past) i) (grad i (point (run past)))
      = if left_out past i then first i else zero)
  /\ ((forall i, (i < n)%nat -> drawn past i = true) -> estimate n (run past) = full (point (run past))).
Proof.
  intros Hb Hbn Z F run first.
  assert (R : forall i, (i < n)%nat -> sub (table (run past) i) (grad i (point (run past)))
    = if left_out past i then first i else zero).
  { induction past as [|B past IH]; [reflexivity|]. inversion F as [|? ? FB FF]; subst. specialize (IH FF).
    intros i Hi. unfold left_out in *. cbn [run sledge drawn existsb]. fold run. fold (drawn past i).
    set (s := run past) in *. clearbody s.
    cbn [sledge_step table point fst snd]. set (x' := next_point _ _ _ _ _).
    destruct (B i); [apply sub_self|]. cbn [orb]. rewrite <- IH by assumption.
    rewrite (mean_of_equal n b B _ (sub (grad i x') (grad i (point s)))); try assumption.
    - unfold table, point. vector_eq w. ring.
    - apply (uniform_size n b B Hbn FB).
    - intros j Hj _. specialize (Z j i Hj Hi x' (point s)). rewrite Rmult_0_l in Z. apply norm_eq in Z.
      vector_eq w. pose proof (f_equal (fun z => ip z w) Z) as E. cbn beta in E. autorewrite with ip in E. lra. }
  assert (E : sub (estimate n (run past)) (full (point (run past))) = over n (vsum_in n (left_out past) first)).
  { unfold estimate, gradient, vsum_in. vector_eq w. rewrite !ip_vsum, <- Rmult_minus_distr_l, <- sum_sub. f_equal.
    apply sum_ext. intros i Hi. rewrite <- ip_sub, R by assumption. reflexivity. }
  split; [exact E|]. split; [exact R|]. intro A. unfold estimate, gradient. f_equal. apply vsum_ext. intros i Hi.
  apply norm_eq. rewrite R by assumption. unfold left_out. rewrite A by assumption. cbn [negb]. rewrite norm_zero. lra.
Qed.
(* zeta = 0 and Option II: the estimate is the gradient at all times, for every b (line 345), and every row is exact. *)
Theorem zero_heterogeneity_exact past : (1 <= b)%nat -> (b <= n)%nat -> heterogeneous n grad 0 ->
  Forall (possible (uniform n b)) past ->
  let run := sledge n b eta noise grad (sledge_start_II grad x0) in
  estimate n (run past) = full (point (run past))
  /\ forall i, (i < n)%nat -> table (run past) i = grad i (point (run past)).
Proof.
  intros Hb Hbn Z F run. pose proof (zero_heterogeneity_error (sledge_start_II grad x0) past Hb Hbn Z F) as [_ [R _]].
  fold run in R. assert (E : forall i, (i < n)%nat -> table (run past) i = grad i (point (run past))).
  { intros i Hi. apply norm_eq. rewrite R by assumption. cbn [sledge_start_II table point fst snd].
    rewrite sub_self. destruct (left_out past i); rewrite norm_zero; lra. }
  split; [|exact E]. unfold estimate, gradient. f_equal. apply vsum_ext, E.
Qed.

(* Gradient descent, perturbed by the noise. *)
Fixpoint descent (past : list batch) : V :=
  match past with
  | [] => x0
  | _ :: before => add (sub (descent before) (scale eta (full (descent before)))) (noise before)
  end.

(* b = n: the estimate is the gradient at all times, and SLEDGE is gradient descent with the same noise; without
   noise, gradient descent (line 385). Both options. *)
Theorem full_batch_exact start past : (1 <= n)%nat ->
  start = sledge_start_II grad x0 \/ (exists I0, possible (uniform n n) I0 /\ start = sledge_start_I n n grad x0 I0) ->
  Forall (possible (uniform n n)) past ->
  let run := sledge n n eta noise grad start in
  estimate n (run past) = full (point (run past)) /\ point (run past) = descent past
  /\ ((forall h, norm (noise h) <= 0) ->
      point (run past) = Nat.iter (length past) (fun x => sub x (scale eta (full x))) x0).
Proof.
  intros Hn St F run. assert (N0 : 0 < INR n) by (apply lt_0_INR; lia).
  assert (A : forall I, possible (uniform n n) I -> forall i, (i < n)%nat -> I i = true).
  { intros I P. apply size_full, (uniform_size n n I (le_n n) P). }
  assert (G : forall I x, (forall i, (i < n)%nat -> I i = true) ->
    over n (vsum_in n I (fun i => grad i x)) = full x).
  { intros I x H. unfold gradient. f_equal. apply vsum_ext. intros i Hi. rewrite H by assumption. reflexivity. }
  assert (E : forall past, Forall (possible (uniform n n)) past -> estimate n (run past) = full (point (run past))).
  { clear past F. intros past F. destruct past as [|B past].
    - destruct St as [->|[I0 [P0 ->]]]; [reflexivity|]. unfold run, estimate.
      cbn [sledge sledge_start_I table point fst snd]. rewrite (G I0) by (apply A, P0).
      vector_eq w. rewrite ip_vsum, sum_const. field. lra.
    - inversion F as [|? ? FB FF]; subst. unfold estimate, gradient. f_equal. apply vsum_ext. intros i Hi.
      cbn [run sledge sledge_step table point fst snd]. rewrite (A B FB i Hi). reflexivity. }
  split; [apply E, F|].
  assert (D : point (run past) = descent past).
  { induction past as [|B past IH]; [destruct St as [->|[I0 [P0 ->]]]; reflexivity|].
    inversion F as [|? ? FB FF]; subst. specialize (IH FF). specialize (E past FF).
    cbn [run sledge descent]. fold run. cbn [sledge_step point fst]. unfold next_point. fold (point (run past)).
    rewrite E, IH. reflexivity. }
  split; [exact D|]. intro Q. rewrite D. clear - Q. induction past as [|B past IH]; [reflexivity|].
  cbn [descent length]. change (Nat.iter (S (length past)) ?f ?x) with (f (Nat.iter (length past) f x)). rewrite <- IH.
  rewrite (norm_eq (noise past) zero); [vector_eq w; ring|].
  replace (sub (noise past) zero) with (noise past) by (vector_eq w; ring). apply Q.
Qed.
End No_error.

(* ---- How many indices go undrawn ---- *)

(* The last k + 1 minibatches of a history of t = s + k, and of these the first. *)
Lemma Ex_from_step {O} (m : mean O) s t (f : list O -> R) : (s <= t)%nat ->
  Ex (history m t) (fun past => f (from_step (S s) past)) = Ex (history m (t - s)) f.
Proof.
  intro H. revert f. induction H as [|t H IH]; intro f.
  - rewrite Nat.sub_diag. rewrite (Ex_ext _ _ (fun _ => f [])); [apply Ex_const|].
    intros past P. unfold from_step. apply history_length in P. rewrite P, Nat.sub_diag. reflexivity.
  - rewrite Nat.sub_succ_l by assumption. rewrite !Ex_history_S.
    rewrite <- (IH (fun l => Ex m (fun o => f (o :: l)))). apply Ex_ext. intros past P. apply history_length in P.
    apply Ex_ext. intros o _. rewrite from_step_more by lia. reflexivity.
Qed.
Lemma Ex_history_first {O} (m : mean O) k (f : list O -> R) :
  Ex (history m (S k)) f = Ex m (fun o => Ex (history m k) (fun later => f (later ++ [o]))).
Proof.
  revert f. induction k as [|k IH]; intro f; [reflexivity|].
  rewrite Ex_history_S, (IH (fun past => Ex m (fun o => f (o :: past)))). apply Ex_ext. intros o _.
  rewrite Ex_history_S. reflexivity.
Qed.

Section Undrawn.
Variables (n b : nat).
Hypothesis Hn : (1 <= n)%nat.
Hypothesis Hbn : (b <= n)%nat.
Notation q := (1 - INR b / INR n).
Notation U s past := (size n (undrawn s past)).

Lemma Ex_left_out i k : (i < n)%nat -> Ex (sledge_history n b k) (fun later => ind (left_out later) i) = q ^ k.
Proof.
  intro Hi. rewrite <- (Ex_undrawn n b i k Hbn Hi). apply Ex_ext. intros later _. unfold ind, left_out.
  destruct (drawn later i); reflexivity.
Qed.
Lemma Ex_undrawn_index s t i : (1 <= s)%nat -> (s <= t)%nat -> (i < n)%nat ->
  Ex (sledge_history n b t) (fun past => ind (undrawn s past) i) = q ^ (t - s + 1).
Proof.
  intros Hs Hst Hi. destruct s as [|s]; [lia|].
  rewrite <- (Ex_left_out i (t - S s + 1) Hi). replace (t - S s + 1)%nat with (t - s)%nat by lia.
  apply (Ex_from_step (uniform n b) s t (fun later => ind (left_out later) i)). lia.
Qed.
(* E |undrawn s| = n (1 - b/n)^{t-s+1} for 1 <= s <= t (lines 1250, 1314). *)
Theorem undrawn_mean s t : (1 <= s)%nat -> (s <= t)%nat ->
  Ex (sledge_history n b t) (fun past => U s past) = INR n * q ^ (t - s + 1).
Proof.
  intros Hs Hst. unfold size. rewrite Ex_sum.
  rewrite (sum_ext n _ (fun _ => q ^ (t - s + 1))) by (intros; apply Ex_undrawn_index; assumption).
  apply sum_const.
Qed.

(* Given I^t, ..., I^{s+1}, here [later], the next set I^s, here B, takes b/n of what they left out in the mean, and
   leaves 1 - b/n of it (lines 1301-1308). *)
Theorem undrawn_given_later later :
  Ex (uniform n b) (fun B => size n (left_out later) - size n (left_out (later ++ [B])))
    = INR b / INR n * size n (left_out later)
  /\ Ex (uniform n b) (fun B => size n (left_out (later ++ [B]))) = q * size n (left_out later).
Proof.
  assert (E : Ex (uniform n b) (fun B => size n (left_out (later ++ [B]))) = q * size n (left_out later)).
  { unfold size. rewrite Ex_sum, <- sum_mul. apply sum_ext. intros i Hi.
    rewrite (Ex_ext _ _ (fun B => ind (left_out later) i - ind (left_out later) i * ind B i))
      by (intros; rewrite left_out_earlier; ring).
    rewrite Ex_sub, Ex_const, Ex_mul, uniform_first by assumption. ring. }
  split; [|exact E]. rewrite Ex_sub, Ex_const, E. ring.
Qed.

(* With u_tau = |undrawn tau| - (1 - b/n) |undrawn (tau+1)|, and all n undrawn from t + 1 on:
     |undrawn s| = sum_{tau=s}^t (1 - b/n)^{tau-s} u_tau + n (1 - b/n)^{t-s+1} (line 1314). *)
Theorem undrawn_unrolled s past : (1 <= s)%nat -> (s <= S (length past))%nat ->
  let t := length past in let u tau := U tau past - q * U (S tau) past in
  U s past = sum (S t - s) (fun k => q ^ k * u (s + k)%nat) + INR n * q ^ (S t - s).
Proof.
  intros Hs Hst t u.
  assert (K : forall k, (k <= S t - s)%nat ->
    U s past = sum k (fun k => q ^ k * u (s + k)%nat) + q ^ k * U (s + k) past).
  { induction k as [|k IH]; intro H; [rewrite Nat.add_0_r; cbn [sum pow]; ring|]. rewrite IH by lia.
    cbn [sum pow]. unfold u.
    rewrite Nat.add_succ_r. ring. }
  rewrite (K (S t - s)%nat (le_n _)) at 1. f_equal. replace (s + (S t - s))%nat with (S t) by lia.
  unfold size. rewrite (sum_ext n _ (fun _ => 1)) by (intros; apply undrawn_none). rewrite sum_const. ring.
Qed.

(* Fixed vectors a_i: (|undrawn s|/b) sum_{i in I^s} a_i is sum_{i in undrawn s} a_i in the mean (line 333). *)
Theorem surrogate_unbiased {V : space} (a : nat -> V) w s t : (1 <= b)%nat -> (1 <= s)%nat -> (s <= t)%nat ->
  Ex (sledge_history n b t) (fun past =>
    ip (sub (scale (U s past / INR b) (vsum_in n (minibatch s past) a)) (vsum_in n (undrawn s past) a)) w) = 0.
Proof.
  intros Hb Hs Hst. assert (B0 : 0 < INR b) by (apply lt_0_INR; lia). assert (N0 : 0 < INR n) by (apply lt_0_INR; lia).
  destruct s as [|s]; [lia|].
  rewrite (Ex_ext _ _ (fun past => let later := from_step (S s) past in
    / INR b * (size n (left_out later) * ip (vsum_in n (last later none) a) w) - ip (vsum_in n (left_out later) a) w)).
  2:{ intros past P. apply history_length in P. rewrite ip_sub, ip_scale. cbn zeta.
      change (left_out (from_step (S s) past)) with (undrawn (S s) past).
      replace (last (from_step (S s) past) none) with (minibatch (S s) past); [unfold Rdiv; ring|].
      subst t. unfold minibatch, at_time, from_step.
      set (k := (length past - S s)%nat). replace (S (length past) - S s)%nat with (S k) by (unfold k; lia).
      assert (L : (k < length past)%nat) by (unfold k; lia). clearbody k. clear - L. revert k L.
      induction past as [|B past IH]; intros k L; [simpl in L; lia|]. destruct k as [|k]; [reflexivity|].
      simpl in L. cbn [skipn]. rewrite (IH k) by lia. destruct past; [simpl in L; lia|reflexivity]. }
  cbn zeta. unfold sledge_history. rewrite (Ex_from_step (uniform n b) s t (fun later =>
    / INR b * (size n (left_out later) * ip (vsum_in n (last later none) a) w)
    - ip (vsum_in n (left_out later) a) w)) by lia.
  replace (t - s)%nat with (S (t - S s)) by lia. set (k := (t - S s)%nat). rewrite Ex_history_first.
  rewrite (Ex_ext _ _ (fun B => q ^ k * ((/ INR b * (INR n - INR b) + 1) * ip (vsum_in n B a) w - ip (vsum n a) w))).
  - rewrite Ex_mul, Ex_sub, Ex_const, Ex_mul.
    rewrite (Ex_ext _ (fun B => ip (vsum_in n B a) w) (fun B => sum n (fun i => ind B i * ip (a i) w)))
      by (intros; apply ip_vsum_in).
    rewrite (Ex_linear n b Hbn), ip_vsum. field. lra.
  - intros B PB.
    rewrite (Ex_ext _ _ (fun later =>
      / INR b * ip (vsum_in n B a) w * sum n (fun i => (1 - ind B i) * ind (left_out later) i)
      - sum n (fun i => (1 - ind B i) * ip (a i) w * ind (left_out later) i))).
    + fold (sledge_history n b k). rewrite Ex_sub, Ex_mul, !Ex_sum.
      rewrite (sum_ext n _ (fun i => q ^ k * (1 - ind B i)))
        by (intros; rewrite Ex_mul, Ex_left_out by assumption; ring).
      rewrite (sum_ext n (fun i => Ex _ _) (fun i => q ^ k * (ip (a i) w - ind B i * ip (a i) w)))
        by (intros; rewrite Ex_mul, Ex_left_out by assumption; ring).
      rewrite !sum_mul, !sum_sub, sum_const, (uniform_size n b B Hbn PB), <- ip_vsum, <- ip_vsum_in. ring.
    + intros later _. rewrite last_last, (ip_vsum_in n (left_out (later ++ [B]))). unfold size.
      rewrite (sum_ext n (ind (left_out (later ++ [B]))) (fun i => (1 - ind B i) * ind (left_out later) i))
        by (intros; rewrite left_out_earlier; ring).
      rewrite (sum_ext n (fun i => ind (left_out (later ++ [B])) i * ip (a i) w)
        (fun i => (1 - ind B i) * ip (a i) w * ind (left_out later) i)) by (intros; rewrite left_out_earlier; ring).
      ring.
Qed.
End Undrawn.

(* ---- Sums of draws without replacement ---- *)

(* Of k vectors with sum 0, i have been drawn, those in I; y_i is their sum. The mean of y_{i+1} given what was drawn is
   y_i + (1/(k-i)) (sum of all - y_i) = ((k-i-1)/(k-i)) y_i, and so y_i/(k-i) is a martingale (lines 1015-1024). *)
Theorem scaled_sum_martingale {V : space} k i (a : nat -> V) I w : (i < k)%nat -> size k I = INR i ->
  let y J := vsum_in k J a in
  Ex (pick k I) (fun j => ip (y (insert j I)) w)
    = ip (add (y I) (scale (/ (INR k - INR i)) (sub (vsum k a) (y I)))) w
  /\ (vsum k a = zero ->
      Ex (pick k I) (fun j => ip (y (insert j I)) w) = ip (scale ((INR k - INR i - 1) / (INR k - INR i)) (y I)) w
      /\ ((S i < k)%nat -> Ex (pick k I) (fun j => ip (scale (/ (INR k - INR (S i))) (y (insert j I))) w)
        = ip (scale (/ (INR k - INR i)) (y I)) w)).
Proof.
  intros Hi S y. assert (L : INR i < INR k) by (apply lt_INR; assumption).
  assert (E : Ex (pick k I) (fun j => ip (y (insert j I)) w)
    = ip (add (y I) (scale (/ (INR k - INR i)) (sub (vsum k a) (y I)))) w).
  { rewrite (Ex_ext _ _ (fun j => ip (y I) w + ip (a j) w)).
    - rewrite Ex_add, Ex_const, Ex_pick; fold (size k I); rewrite S; [|assumption].
      rewrite (sum_ext k _ (fun j => ip (a j) w - ind I j * ip (a j) w)) by (intros; ring).
      rewrite sum_sub. products. unfold y. rewrite ip_vsum, ip_vsum_in. ring.
    - intros j P. apply pick_possible in P; [|fold (size k I); rewrite S; assumption]. destruct P as [P Q].
      unfold y. rewrite !ip_vsum_in. apply sum_insert; assumption. }
  split; [exact E|]. intro Z.
  assert (F : Ex (pick k I) (fun j => ip (y (insert j I)) w)
    = ip (scale ((INR k - INR i - 1) / (INR k - INR i)) (y I)) w).
  { rewrite E, Z. products. field. lra. }
  split; [exact F|]. intro Hs. assert (INR (Datatypes.S i) < INR k) by (apply lt_INR; assumption). rewrite S_INR in *.
  rewrite (Ex_ext _ _ (fun j => / (INR k - (INR i + 1)) * ip (y (insert j I)) w)) by (intros; apply ip_scale).
  rewrite Ex_mul, F. products. field. lra.
Qed.

(* The premises of the theorems about zeta = 0 are met: components that differ by linear functions, and any history of
   minibatches that can be drawn, of which there is one of every length. *)
Example zero_heterogeneity_inhabited {V : space} n b eta noise (c : nat -> V) x0 T : (1 <= b)%nat -> (b <= n)%nat ->
  let grad i x := add x (c i) in
  let run := sledge n b eta noise grad (sledge_start_II grad x0) in
  (exists past, possible (sledge_history n b T) past)
  /\ forall past, possible (sledge_history n b T) past -> estimate n (run past) = gradient n grad (point (run past)).
Proof.
  intros Hb Hbn grad run. split.
  - destruct (Classical_Prop.classic (exists past, possible (sledge_history n b T) past)) as [H|H]; [assumption|].
    exfalso. apply (not_impossible (sledge_history n b T)). intros past P. apply H. exists past. assumption.
  - intros past P. apply history_forall in P. apply zero_heterogeneity_exact; try assumption.
    intros i j _ _ x y. unfold grad. replace (sub _ _) with (zero : V) by (vector_eq w; ring).
    rewrite norm_zero, Rmult_0_l. lra.
Qed.
