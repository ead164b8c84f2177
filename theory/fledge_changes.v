(* Lemma 25 (lemma:Dist-First-Auxiliary-D, lines 2271-2278) with L for zeta: the changes of gradients at the data
   that FLEDGE's clients draw.

   Printed: with probability at least 1 - nu, for all t = 1, ..., T, the sums over s = max(1, t-T_3+1), ..., t,
       |sum_s (|U_s^t|/(PpKb)) sum_{i in I^s} sum_{j in J_i^s} d_{i,j}^s|^2
           <= (4 C_1^10 zeta^2/(pKb)) sum_s |x^s - x^{s-1}|^2,
       d_{i,j}^s = grad f_{i,j}(x^s) - grad f_{i,j}(x^{s-1}) - (grad f_i(x^s) - grad f_i(x^{s-1})),
   U_s^t the clients that none of I^s, ..., I^t has. That is false, since zeta does not bound what data of one client
   are apart; they are at most 2L|x^s - x^{s-1}| apart.
   Proved, for every space, f_{i,j} with L-Lipschitz gradients, 1 <= p <= P, K, b, T, T_3, clients with at least Kb
   data, step size, noise and start:
     lemma_25          the statement with L for zeta, C_1 any multiple c >= 3 of log(1/nu + n + P + d + T + K), n at
                       least the Kb data of a client's minibatch
     lemma_25_second_power  C_1^2 in the place of C_1^10
     lemma_25_sharper  without a window, for lambda = 1 + sqrt(log(pKbT^2/nu)/2), with probability at least 1 - nu,
                         |sum_s (|U_s^t|/(PpKb)) sum sum d_{i,j}^s|
                             <= lambda (2L/sqrt(pKb)) sqrt(sum_s (|U_s^t|/P)^2 |x^s - x^{s-1}|^2)
     weighted_changes  the same for any weights that depend on I^s, ..., I^t in the place of |U_s^t|/P
     and of the printed proof, with L for zeta,
     one_round_changes      |sum_{I^s} sum_{J_i^s} d_{i,j}^s|^2 <= C_1^4 L^2 pKb |x^s - x^{s-1}|^2, 1 - nu/(4T^2),
                            c >= 3
     mean_weights           |sum_s (E|U_s^t|/(PpKb)) sum sum d_{i,j}^s|^2 <= (C_1^6 L^2/(pKb)) sum_s |x^s - x^{s-1}|^2,
                            1 - nu/2, c >= 3
     second_part            where (|U_s^t| - E|U_s^t|)^2 <= C_1^5 P in the window,
                            |sum_s ((|U_s^t| - E|U_s^t|)/(PpKb)) sum sum d_{i,j}^s|^2
                                <= (C_1^10 L^2/(p^2 Kb)) sum_s |x^s - x^{s-1}|^2, 1 - nu/2, c >= 3
     mean_weights_sharper   without a window, for lambda = 1 + sqrt(log(2pKbT/nu)/2), with probability 1 - nu/2,
                            |sum_s (E|U_s^t|/(PpKb)) sum sum d_{i,j}^s|
                                <= lambda (2L/sqrt(pKb)) sqrt(sum_s (1 - p/P)^{2(t-s+1)} |x^s - x^{s-1}|^2).

   Proof. The clients of the last rounds are drawn first, which does not change the law of the minibatches; given them
   the weights are numbers, and the sum is a martingale, drawn one datum at a time, with radii known before each draw
   (azuma.v): no power of the logarithm is lost, and |U_s^t| is not split at its mean. *)
From Coq Require Import Reals Lra Lia List PeanoNat Bool.
From Sledge Require Import vectors means minibatches algorithms problems second_moments
  sledge_errors fledge_sampling fledge_errors.
From Sledge Require Import probability hoeffding azuma minibatch_tails bernstein coverage sledge_tails lemma_1
  identities.
From Sledge Require Import theorem_2_probability theorem_6_probability fledge_tails auxiliary fledge_local fledge_fresh.
Import ListNotations.
Open Scope R_scope.

Section Changes.
Context {V : space}.
Variables (P p K b : nat).
Hypothesis Hp : (1 <= p)%nat.
Hypothesis HpP : (p <= P)%nat.
Hypothesis HK : (1 <= K)%nat.
Hypothesis Hb : (1 <= b)%nat.
Variables (data : nat -> nat) (grad : nat -> nat -> V -> V) (L : R).
Hypothesis enough_data : forall i, (i < P)%nat -> (K * b <= data i)%nat.
Hypothesis L0 : 0 <= L.
Hypothesis lip : data_lipschitz P data grad L.
Notation G := (client_gradient data grad).
Variables (eta : R) (noise : list round -> nat -> list batch -> V) (start : V * (nat -> V)).
Notation run := (fledge P p K b eta noise data grad start).
Notation Np := (INR p).
Notation M := (INR (K * b)).

(* (1/(pKb)) sum_{i in I^s} sum_{j in J_i^s} d_{i,j}^s of the last round *)
Definition round_change (past : list round) : V :=
  match past with
  | [] => zero
  | c :: before => let x := fst (run before) in let x' := fst (run past) in
      over (p * (K * b)) (vsum_in P (clients c) (fun i => vsum_in (data i) (fresh c i) (fun j =>
        sub (sub (grad i j x') (grad i j x)) (sub (G i x') (G i x)))))
  end.
(* x^s - x^{s-1} *)
Definition round_move (past : list round) : V :=
  match past with [] => zero | _ :: before => sub (fst (run past)) (fst (run before)) end.
(* The weight of round s + 1, which depends on I^{s+1} and the sets after it *)
Variable weight : nat -> list batch -> R.
Definition weighted (later : list batch) (past : list round) : V := vsum (length past) (fun s =>
  scale (weight s (later ++ from_step (S s) (map clients past))) (round_change (at_time (S s) past))).
Definition moved (later : list batch) (past : list round) : R := sum (length past) (fun s =>
  weight s (later ++ from_step (S s) (map clients past)) ^ 2 * sq (round_move (at_time (S s) past))).
Notation beta later past := (4 * (L * L) / (Np * M) * moved later past).

Lemma parts_now (c : round) before later s : (s < length before)%nat ->
  later ++ from_step (S s) (map clients (c :: before))
  = (later ++ [clients c]) ++ from_step (S s) (map clients before).
Proof.
  intro H. cbn [map]. rewrite from_step_more by (rewrite map_length; lia). rewrite <- app_assoc. reflexivity.
Qed.
Lemma part_last (c : round) before (later : list batch) :
  later ++ from_step (S (length before)) (map clients (c :: before)) = later ++ [clients c].
Proof.
  cbn [map]. rewrite from_step_more by (rewrite map_length; lia). unfold from_step. rewrite map_length, Nat.sub_diag.
  reflexivity.
Qed.
Lemma weighted_step c before later : weighted later (c :: before) = add (weighted (later ++ [clients c]) before)
  (scale (weight (length before) (later ++ [clients c])) (round_change (c :: before))).
Proof.
  unfold weighted. cbn [length vsum]. rewrite part_last, at_time_now. f_equal. apply vsum_ext. intros s Hs.
  rewrite parts_now, at_time_before by lia. reflexivity.
Qed.
Lemma moved_step c before later : moved later (c :: before) = moved (later ++ [clients c]) before
  + weight (length before) (later ++ [clients c]) ^ 2 * sq (round_move (c :: before)).
Proof.
  unfold moved. cbn [length sum]. rewrite part_last, at_time_now. f_equal. apply sum_ext. intros s Hs.
  rewrite parts_now, at_time_before by lia. reflexivity.
Qed.

(* One round, given the clients of it and of the later ones *)
Section Step.
Variable theta : R.
Hypothesis Ht : 0 < theta < 2.
Notation cost := (exp (kappa theta)).
Lemma round_tower (A : V) be before i Js I a : proper A be -> possible (uniform P p) I ->
  let o J := {| worker := i; local := Js; clients := I; fresh := J |} in
  let be' := be + 4 * (L * L) / (Np * M) * (a ^ 2 * sq (round_move (o (fun _ => none) :: before))) in
  Ex (fresh_law P data (K * b)) (fun J => tower theta (add A (scale a (round_change (o J :: before)))) be')
    <= tower theta A be + Np * (M * cost) /\
  forall J, possible (fresh_law P data (K * b)) J -> proper (add A (scale a (round_change (o J :: before)))) be'.
Proof.
  intros PA PI o be'. pose proof (M_pos K b HK Hb) as M1. pose proof (Bb P p Hp HpP) as [p1 pP].
  pose proof (uniform_size P p I HpP PI) as Sz.
  set (x := fst (run before)). set (x' := fst (run (o (fun _ => none) :: before))).
  set (w := fun l j => scale (a / Np) (centre (data l) (fun j => sub (grad l j x') (grad l j x)) j)).
  set (D := Rabs a / Np * (2 * (L * norm (sub x' x)))).
  assert (r0 : 0 <= Rabs a / Np) by (apply Rmult_le_pos; [apply Rabs_pos|left; apply Rinv_0_lt_compat; lra]).
  assert (D0 : 0 <= D).
  { apply Rmult_le_pos; [assumption|]. apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [assumption|apply norm_nonneg]. }
  pose proof (samples_tower theta Ht data (K * b) w D I A be (Kb_1 K b HK Hb) D0 PA P enough_data) as H.
  cbv zeta in H. rewrite Sz in H.
  replace (be + Np * (D * D / M)) with be' in H.
  2:{ unfold be', D. cbn [round_move]. fold x x'. rewrite <- (norm_sq (sub x' x)).
      replace (a ^ 2) with (Rabs a * Rabs a) by (rewrite <- Rabs_mult, Rabs_right; [ring|apply Rle_ge, Rle_0_sqr]).
      field. lra. }
  assert (E : forall J, vsum_in P I (fun l => over (K * b) (vsum_in (data l) (J l) (w l)))
    = scale a (round_change (o J :: before))).
  { intro J. cbn [round_change clients fresh o].
    change (fst (run (o J :: before))) with x'. fold x. vector_eq u. rewrite !ip_vsum_in, <- !sum_mul.
    apply sum_ext. intros l Hl. products. rewrite !ip_vsum_in.
    rewrite (sum_ext (data l) (fun j => ind (J l) j * ip (w l j) u) (fun j => a / Np * (ind (J l) j *
      ip (sub (sub (grad l j x') (grad l j x)) (sub (G l x') (G l x))) u))).
    - rewrite sum_mul, (mult_INR p). field. lra.
    - intros j Hj. unfold w, centre. rewrite (change_average P data grad x x' l Hl). products. ring. }
  destruct H as [H1 H2].
  - intros l Hl. unfold w. pose proof (centre_zero (data l) (K * b) (Kb_1 K b HK Hb) (enough_data l Hl)
      (fun j => sub (grad l j x') (grad l j x))) as Cz.
    vector_eq u. rewrite ip_vsum. rewrite (sum_ext (data l) _ (fun j => a / Np * ip (centre (data l)
      (fun j => sub (grad l j x') (grad l j x)) j) u)) by (intros; products; reflexivity).
    rewrite sum_mul, <- ip_vsum, Cz, ip_zero. ring.
  - intros l j j' Hl Hj Hj'. unfold w.
    match goal with |- norm (sub (scale ?k ?u) (scale ?k ?v)) <= _ =>
      replace (sub (scale k u) (scale k v)) with (scale k (sub u v)) by (vector_eq q; ring) end.
    rewrite norm_scale. unfold D. replace (Rabs (a / Np)) with (Rabs a / Np).
    + apply Rmult_le_compat_l; [assumption|]. apply centre_apart.
      apply (change_apart P data grad L lip x x' l j j'); assumption.
    + unfold Rdiv. rewrite Rabs_mult, (Rabs_right (/ Np)); [reflexivity|]. left. apply Rinv_0_lt_compat. lra.
  - split.
    + eapply Rle_trans; [|exact H1]. right. apply Ex_ext. intros J _. rewrite E. reflexivity.
    + intros J PJ. rewrite <- E. apply H2, PJ.
Qed.

Lemma weighted_proper T : forall later past, possible (fledge_history P p K b data T) past ->
  proper (weighted later past) (beta later past).
Proof.
  induction T as [|T IH]; intros later past Q.
  - simpl in Q. subst past. unfold weighted, moved. cbn [length vsum sum]. rewrite Rmult_0_r. split; [lra|reflexivity].
  - pose proof (history_length _ _ _ Q) as Len. destruct past as [|c before]; [discriminate|].
    apply history_possible in Q. destruct Q as [Q Qc].
    destruct (round_possible P p K b Hp HpP HK Hb data c Qc) as [_ [_ [PI PJ]]].
    rewrite weighted_step, moved_step, Rmult_plus_distr_l.
    pose proof (proj2 (round_tower _ _ before (worker c) (local c) (clients c) (weight (length before)
      (later ++ [clients c])) (IH (later ++ [clients c]) before Q) PI) (fresh c) PJ) as H.
    destruct c. exact H.
Qed.
(* The clients of the last round are drawn before the rounds. *)
Theorem weighted_tower T : forall later, Ex (fledge_history P p K b data T) (fun past =>
  tower theta (weighted later past) (beta later past)) <= INR T * (Np * (M * cost)).
Proof.
  induction T as [|T IH]; intro later.
  - cbn. unfold weighted. cbn [length vsum]. rewrite tower_zero. lra.
  - apply Rle_trans with (Ex (fledge_history P p K b data T) (fun past => Ex (uniform P p) (fun I =>
      tower theta (weighted (later ++ [I]) past) (beta (later ++ [I]) past) + Np * (M * cost)))).
    + unfold fledge_history. rewrite Ex_history_S. apply Ex_le. intros past Q.
      change (Ex (index P) (fun i => Ex (history (uniform (data i) b) K) (fun Js =>
        Ex (uniform P p) (fun I => Ex (fresh_law P data (K * b)) (fun J =>
          let o := {| worker := i; local := Js; clients := I; fresh := J |} in
          tower theta (weighted later (o :: past)) (beta later (o :: past))))))
        <= Ex (uniform P p) (fun I =>
          tower theta (weighted (later ++ [I]) past) (beta (later ++ [I]) past) + Np * (M * cost))).
      apply Ex_at_most. intros i _. apply Ex_at_most. intros Js _. apply Ex_le. intros I PI.
      eapply Rle_trans; [|apply (round_tower _ _ past i Js I (weight (length past) (later ++ [I]))
        (weighted_proper T (later ++ [I]) past Q) PI)].
      right. apply Ex_ext. intros J _. cbv zeta. rewrite weighted_step, moved_step, Rmult_plus_distr_l. reflexivity.
    + rewrite (Ex_ext _ _ (fun past => Ex (uniform P p) (fun I =>
        tower theta (weighted (later ++ [I]) past) (beta (later ++ [I]) past)) + Np * (M * cost)))
        by (intros; rewrite Ex_add, Ex_const; reflexivity).
      rewrite Ex_add, Ex_const, Ex_uniform_swap, S_INR by exact HpP.
      assert (X : Ex (uniform P p) (fun I => Ex (fledge_history P p K b data T) (fun past =>
        tower theta (weighted (later ++ [I]) past) (beta (later ++ [I]) past))) <= INR T * (Np * (M * cost)))
        by (apply Ex_at_most; intros I _; apply IH).
      lra.
Qed.
End Step.

(* x^s, I^s and the deviations of the changes in round s *)
Notation x past s := (fst (run (at_time s past))).
Notation I past s := (minibatch s (map clients past)).
Notation J past s := (drawn_at (fun _ => none) (at_time s past)).
Notation deviations past s := (vsum_in P (I past (S s)) (fun i => vsum_in (data i) (J past (S s) i) (fun j =>
  sub (sub (grad i j (x past (S s))) (grad i j (x past s)))
    (sub (G i (x past (S s))) (G i (x past s)))))).
Notation later past t s := (from_step (S s) (map clients (at_time t past))).
Lemma weighted_is past t : (t <= length past)%nat -> weighted [] (at_time t past)
  = vsum t (fun s => scale (weight s (later past t s) / (Np * M)) (deviations past s)).
Proof.
  intro H. pose proof (M_pos K b HK Hb) as M1. pose proof (Bb P p Hp HpP) as [p1 pP].
  unfold weighted. rewrite at_time_length by assumption. apply vsum_ext. intros s Hs. cbn [app].
  rewrite at_time_twice by lia. destruct (at_time_step s past ltac:(lia)) as [r Er].
  unfold minibatch. rewrite <- map_at_time, Er. cbn [map hd round_change drawn_at]. vector_eq u.
  rewrite mult_INR. field. lra.
Qed.
Lemma moved_is past t : (t <= length past)%nat -> moved [] (at_time t past)
  = sum t (fun s => weight s (later past t s) ^ 2 * sq (sub (x past (S s)) (x past s))).
Proof.
  intro H. unfold moved. rewrite at_time_length by assumption. apply sum_ext. intros s Hs. cbn [app].
  rewrite at_time_twice by lia. destruct (at_time_step s past ltac:(lia)) as [r Er]. rewrite Er. reflexivity.
Qed.

Variables (T : nat) (nu : R).
Hypothesis HT : (1 <= T)%nat.
Hypothesis Hnu : 0 < nu < 1.
(* lambda *)
Notation l := (radius (INR (p * (K * b) * (T * T))) nu).
Theorem weighted_changes : with_probability (fledge_history P p K b data T) (1 - nu) (fun past =>
  forall t, (t <= T)%nat ->
  sq (vsum t (fun s => scale (weight s (later past t s) / (Np * M)) (deviations past s)))
  <= l * l * (4 * (L * L) / (Np * M)
    * sum t (fun s => weight s (later past t s) ^ 2 * sq (sub (x past (S s)) (x past s))))).
Proof.
  pose proof (Kb_1 K b HK Hb) as K1.
  assert (N1 : 1 <= INR (p * (K * b) * (T * T))) by (change 1 with (INR 1); apply le_INR; nia).
  destruct (best_theta _ nu N1 Hnu) as [theta [Ht E]].
  pose proof (exp_pos (theta * (l * l))) as h0. set (h := exp (theta * (l * l))) in *.
  set (far := fun s past => exceeds (l * l * beta [] (at_time (S s) past)) (sq (weighted [] (at_time (S s) past)))).
  apply (unless _ (fun past => existsb (fun s => far s past) (seq 0 T))).
  - eapply Rle_trans; [apply probability_some|]. apply Rmult_le_reg_l with h; [exact h0|].
    apply Rle_trans with (INR T * (INR T * (Np * (M * exp (kappa theta))))).
    + rewrite <- sum_mul, <- sum_const. apply sum_le. intros s Hs. unfold probability. rewrite <- Ex_mul.
      apply Rle_trans with (Ex (fledge_history P p K b data T) (fun past => tower theta
        (weighted [] (at_time (S s) past)) (beta [] (at_time (S s) past)))).
      * apply Ex_le. intros past Q. unfold far. destruct (exceeds _ _) eqn:e.
        -- rewrite Rmult_1_r. apply tower_outside; [assumption| |apply exceeds_true, e].
           apply (weighted_proper theta Ht (S s)).
           apply (possible_at_time (fun _ => round_law P p K b data) (S s) T past Q Hs).
        -- rewrite Rmult_0_r. apply tower_nonneg.
      * eapply Rle_trans; [right; apply (Ex_history_at (fun _ => round_law P p K b data) (S s) T (fun past =>
          tower theta (weighted [] past) (beta [] past)) Hs)|].
        eapply Rle_trans; [apply (weighted_tower theta Ht (S s) [])|].
        apply Rmult_le_compat_r; [|apply le_INR, Hs]. pose proof (exp_pos (kappa theta)).
        repeat apply Rmult_le_pos; try apply pos_INR. lra.
    + rewrite (Rmult_comm h nu), <- E, !mult_INR. right. ring.
  - intros past Q e t Ht'. pose proof (history_length _ _ _ Q) as Len.
    rewrite <- weighted_is, <- moved_is by lia. destruct t as [|s].
    + rewrite at_time_none. unfold weighted, moved. cbn [length vsum sum]. rewrite sq_zero. lra.
    + apply exceeds_false. apply (existsb_false (fun s => far s past) T s e). lia.
Qed.
End Changes.

Lemma tower_discounted {V : space} theta a (A : V) be : tower theta (scale a A) (a * a * be) <= tower theta A be.
Proof.
  unfold tower. rewrite sq_scale. destruct (Req_EM_T (sq A) 0) as [e|e].
  - rewrite e, Rmult_0_r. destruct (Req_EM_T 0 0); [lra|contradiction].
  - destruct (Req_EM_T (a * a * sq A) 0) as [_|f]; [left; apply exp_pos|]. right. f_equal.
    assert (a <> 0) by (intro Z; apply f; rewrite Z; ring).
    destruct (Req_dec be 0) as [->|]; [|field; split; assumption].
    rewrite Rmult_0_r. unfold Rdiv. rewrite Rinv_0. ring.
Qed.

Section Printed.
Context {V : space}.
Variables (b P p T K : nat).
Hypothesis Hp : (1 <= p)%nat.
Hypothesis HpP : (p <= P)%nat.
Hypothesis HK : (1 <= K)%nat.
Hypothesis Hb : (1 <= b)%nat.
Hypothesis HT : (1 <= T)%nat.
Variables (data : nat -> nat) (grad : nat -> nat -> V -> V) (L : R).
Hypothesis enough_data : forall i, (i < P)%nat -> (K * b <= data i)%nat.
Hypothesis L0 : 0 <= L.
Hypothesis lip : data_lipschitz P data grad L.
Notation G := (client_gradient data grad).
Variables (eta : R) (noise : list round -> nat -> list batch -> V) (start : V * (nat -> V)).
Variable nu : R.
Hypothesis Hnu : 0 < nu < 1.
Notation NP := (INR P).
Notation Np := (INR p).
Notation M := (INR (K * b)).
Notation run := (fledge P p K b eta noise data grad start).
Notation x past s := (fst (run (at_time s past))).
Notation I past s := (minibatch s (map clients past)).
Notation J past s := (drawn_at (fun _ => none) (at_time s past)).
Notation deviations past s := (vsum_in P (I past (S s)) (fun i => vsum_in (data i) (J past (S s) i) (fun j =>
  sub (sub (grad i j (x past (S s))) (grad i j (x past s)))
    (sub (G i (x past (S s))) (G i (x past s)))))).
(* |x^{s+1} - x^s|^2 and |U_{s+1}^t| *)
Notation move past s := (sq (sub (x past (S s)) (x past s))).
Notation unasked past t s := (size P (undrawn (S s) (map clients (at_time t past)))).
Notation changes := (fun weight nu => weighted_changes P p K b Hp HpP HK Hb data grad L enough_data L0 lip eta noise
  start weight T nu HT).

Lemma unasked_share past t s : 0 <= unasked past t s / NP <= 1.
Proof.
  assert (P1 : 1 <= NP) by (change 1 with (INR 1); apply le_INR; lia).
  set (U := undrawn _ _). assert (SU : 0 <= size P U <= NP).
  { split; [apply sum_nonneg; intros; apply ind_bounds|]. unfold size. rewrite <- (Rmult_1_r NP), <- sum_const.
    apply sum_le. intros. apply ind_bounds. }
  assert (i1 : 0 < / NP) by (apply Rinv_0_lt_compat; lra).
  split; [apply Rmult_le_pos; lra|]. apply Rmult_le_reg_r with NP; [lra|].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.
Lemma sizes_1 : 1 <= Np /\ 1 <= M /\ 1 <= NP /\ 1 <= INR T.
Proof. repeat split; change 1 with (INR 1); apply le_INR; try lia. Qed.

Theorem lemma_25_sharper : with_probability (fledge_history P p K b data T) (1 - nu) (fun past =>
  forall t, (t <= T)%nat ->
  norm (vsum t (fun s => scale (unasked past t s / (NP * Np * M)) (deviations past s)))
  <= radius (INR (p * (K * b) * (T * T))) nu * (2 * L / sqrt (Np * M))
    * sqrt (sum t (fun s => (unasked past t s / NP) ^ 2 * move past s))).
Proof.
  pose proof sizes_1 as [p1 [M1 [P1 _]]]. pose proof (radius_above (INR (p * (K * b) * (T * T))) nu) as l1.
  eapply with_probability_weaken; [apply Rle_refl| |
    exact (changes (fun _ later => size P (left_out later) / NP) nu Hnu)].
  intros past Pp H t Ht. specialize (H t Ht).
  rewrite (vsum_ext t _ (fun s => scale (unasked past t s / (NP * Np * M)) (deviations past s))) in H.
  2:{ intros s _. fold (undrawn (S s) (map clients (at_time t past))). f_equal. field. lra. }
  fold (undrawn) in H.
  set (m := sum t (fun s => (unasked past t s / NP) ^ 2 * move past s)).
  assert (m0 : 0 <= m).
  { apply sum_nonneg. intros s _. apply Rmult_le_pos; [apply pow2_ge_0|apply sq_nonneg]. }
  assert (pM : 0 < Np * M) by (apply Rmult_lt_0_compat; lra).
  pose proof (sqrt_lt_R0 _ pM) as q0. pose proof (sqrt_sqrt _ (Rlt_le _ _ pM)) as qq.
  pose proof (sqrt_sqrt m m0) as mm. pose proof (sqrt_pos m).
  assert (lL : 0 <= radius (INR (p * (K * b) * (T * T))) nu * (2 * L / sqrt (Np * M))).
  { apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; assumption]. }
  apply norm_le; [apply Rmult_le_pos; assumption|]. eapply Rle_trans; [exact H|]. right.
  change (sum t _) with m. set (l := radius _ _) in *. rewrite <- mm at 1. rewrite <- qq at 1. field. lra.
Qed.

(* E|U_{s+1}^t| *)
Notation a := (1 - INR p / INR P).
Notation mean_unasked t s := (Ex (sledge_history P p t) (fun sets => size P (undrawn (S s) sets))).
Lemma mean_unasked_share t s : (s < t)%nat -> mean_unasked t s / NP = a ^ (t - s) /\ 0 <= mean_unasked t s / NP <= 1.
Proof.
  intro Hs. pose proof sizes_1 as [p1 [_ [P1 _]]]. pose proof (Bb P p Hp HpP) as [_ pP].
  rewrite (undrawn_mean P p ltac:(lia) HpP (S s) t) by lia. replace (t - S s + 1)%nat with (t - s)%nat by lia.
  replace (NP * a ^ (t - s) / NP) with (a ^ (t - s)) by (field; lra). split; [reflexivity|].
  assert (0 <= Np / NP <= 1).
  { split; [apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]|]. apply Rmult_le_reg_r with NP; [lra|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  pose proof (pow_incr a 1 (t - s) ltac:(lra)) as I1. rewrite pow1 in I1. split; [apply pow_le; lra|exact I1].
Qed.
(* The discounted sum is a martingale itself, so that no union over the rounds is needed. *)
Notation discount := (fun (_ : nat) (later : list batch) => a ^ length later).
Notation sum_of := (weighted P p K b data grad eta noise start discount).
Notation path_of := (moved P p K b data grad eta noise start discount).
Lemma discounted_weighted (I : batch) before : sum_of [I] before = scale a (sum_of [] before).
Proof.
  unfold weighted. vector_eq u. rewrite !ip_vsum, <- sum_mul. apply sum_ext. intros s _. products.
  cbn [app length pow]. ring.
Qed.
Lemma discounted_moved (I : batch) before : path_of [I] before = a * a * path_of [] before.
Proof.
  unfold moved. rewrite <- sum_mul. apply sum_ext. intros s _. cbn [app length pow]. ring.
Qed.
Theorem mean_weights_sharper : with_probability (fledge_history P p K b data T) (1 - nu / 2) (fun past =>
  forall t, (t <= T)%nat ->
  norm (vsum t (fun s => scale (mean_unasked t s / (NP * Np * M)) (deviations past s)))
  <= radius (INR (p * (K * b) * T)) (nu / 2) * (2 * L / sqrt (Np * M))
    * sqrt (sum t (fun s => a ^ (2 * (t - s)) * move past s))).
Proof.
  pose proof sizes_1 as [p1 [M1 [P1 T1]]]. set (l := radius (INR (p * (K * b) * T)) (nu / 2)).
  pose proof (radius_above (INR (p * (K * b) * T)) (nu / 2)) as l1. fold l in l1.
  pose proof (Kb_1 K b HK Hb) as K1.
  assert (N1 : 1 <= INR (p * (K * b) * T)) by (change 1 with (INR 1); apply le_INR; nia).
  destruct (best_theta _ (nu / 2) N1 ltac:(lra)) as [theta [Ht E]]. fold l in E.
  pose proof (exp_pos (theta * (l * l))) as h0. set (h := exp (theta * (l * l))) in *.
  pose proof (exp_pos (kappa theta)) as k0.
  set (be := fun past => 4 * (L * L) / (Np * M) * path_of [] past).
  set (far := fun past => exceeds (l * l * be past) (sq (sum_of [] past))).
  pose proof (weighted_proper P p K b Hp HpP HK Hb data grad L enough_data L0 lip eta noise start discount theta Ht)
    as Pr.
  apply (unless _ (ever far)).
  - pose proof (maximal_inequality (fun _ => round_law P p K b data) (fun past => tower theta (sum_of [] past) (be past))
      far (fun _ => Np * (M * exp (kappa theta))) h T) as X. rewrite sum_const in X.
    assert (Z : tower theta (sum_of [] []) (be []) = 0) by apply tower_zero. cbv beta in X. rewrite Z, Rplus_0_l in X.
    apply Rmult_le_reg_l with h; [exact h0|]. rewrite (Rmult_comm h (nu / 2)), <- E.
    replace (INR (p * (K * b) * T) * exp (kappa theta)) with (INR T * (Np * (M * exp (kappa theta))))
      by (rewrite (mult_INR (p * (K * b))), (mult_INR p); ring).
    apply X.
    + intros. apply tower_nonneg.
    + intros t past Q e. apply tower_outside; [assumption|apply (Pr t [] past Q)|apply exceeds_true, e].
    + intros t past _ Q _.
      change (Ex (index P) (fun i => Ex (history (uniform (data i) b) K) (fun Js =>
        Ex (uniform P p) (fun I => Ex (fresh_law P data (K * b)) (fun J =>
          let o := {| worker := i; local := Js; clients := I; fresh := J |} in
          tower theta (sum_of [] (o :: past)) (be (o :: past))))))
        <= tower theta (sum_of [] past) (be past) + Np * (M * exp (kappa theta))).
      apply Ex_at_most. intros i _. apply Ex_at_most. intros Js _. apply Ex_at_most. intros I PI.
      eapply Rle_trans; [|apply Rplus_le_compat_r, (tower_discounted theta a (sum_of [] past) (be past))].
      assert (PA : proper (scale a (sum_of [] past)) (a * a * be past)).
      { pose proof (Pr t [I] past Q) as Y. rewrite discounted_weighted, discounted_moved in Y.
        replace (a * a * be past) with (4 * (L * L) / (Np * M) * (a * a * path_of [] past)) by (unfold be; ring).
        exact Y. }
      eapply Rle_trans; [|apply (round_tower P p K b Hp HpP HK Hb data grad L enough_data L0 lip eta noise start
        theta Ht _ _ past i Js I a PA PI)].
      right. apply Ex_ext. intros J _. cbv zeta. unfold be. rewrite weighted_step, moved_step by assumption.
      cbn [app clients length pow]. rewrite discounted_weighted, discounted_moved, Rmult_1_r.
      f_equal. set (m := sq (round_move P p K b data grad eta noise start
        ({| worker := i; local := Js; clients := I; fresh := J |} :: past))).
      match goal with |- _ = _ + _ * (_ * ?q) => change q with m end. ring.
    + intros. repeat apply Rmult_le_pos; lra || apply pos_INR.
  - intros past Pp e t Ht'. pose proof (history_length _ _ _ Pp) as Len.
    pose proof (never_at_time far past t e ltac:(lia)) as F. apply exceeds_false in F. unfold be in F.
    rewrite (weighted_is P p K b Hp HpP HK Hb) in F by lia. rewrite moved_is in F by lia.
    assert (W : forall s, (s < t)%nat -> length (from_step (S s) (map clients (at_time t past))) = (t - s)%nat).
    { intros s Hs. unfold from_step. rewrite firstn_length, map_length, at_time_length by lia. lia. }
    rewrite (vsum_ext t _ (fun s => scale (mean_unasked t s / (NP * Np * M)) (deviations past s))) in F.
    2:{ intros s Hs. rewrite W by assumption. destruct (mean_unasked_share t s Hs) as [<- _]. f_equal. field. lra. }
    rewrite (sum_ext t _ (fun s => a ^ (2 * (t - s)) * move past s)) in F.
    2:{ intros s Hs. rewrite W by assumption. rewrite <- pow_mult, (Nat.mul_comm 2). reflexivity. }
    set (m := sum t (fun s => a ^ (2 * (t - s)) * move past s)) in *.
    assert (m0 : 0 <= m).
    { apply sum_nonneg. intros s _. apply Rmult_le_pos; [|apply sq_nonneg]. rewrite pow_mult. apply pow_le, pow2_ge_0. }
    assert (pM : 0 < Np * M) by (apply Rmult_lt_0_compat; lra).
    pose proof (sqrt_lt_R0 _ pM) as q0. pose proof (sqrt_sqrt _ (Rlt_le _ _ pM)) as qq.
    pose proof (sqrt_sqrt m m0) as mm. pose proof (sqrt_pos m).
    assert (lL : 0 <= l * (2 * L / sqrt (Np * M))).
    { apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; assumption]. }
    apply norm_le; [apply Rmult_le_pos; assumption|]. eapply Rle_trans; [exact F|]. right.
    rewrite <- mm at 1. rewrite <- qq at 1. field. lra.
Qed.

(* As printed, T_3 any number *)
Variables (n d : nat) (c : R).
Hypothesis Hd : (1 <= d)%nat.
Hypothesis Hn : (K * b <= n)%nat.
Hypothesis Hc : 3 <= c.
Notation log_1 := (log_all nu n P d T K).
(* C_1 *)
Notation C := (c * log_all nu n P d T K).
Lemma logs : 1 <= log_1 /\ ln NP <= log_1 /\ ln Np <= log_1 /\ ln M <= log_1 /\ ln (INR T) <= log_1 /\
  ln (/ nu) <= log_1 /\ ln 4 <= 2 * log_1.
Proof.
  assert (HP : (1 <= P)%nat) by lia. pose proof (Kb_1 K b HK Hb) as K1. assert (N1 : (1 <= n)%nat) by lia.
  pose proof (total_parts nu n P d T K ltac:(lra) N1 HP Hd HT HK) as Q.
  pose proof (log_all_above nu n P d T K ltac:(lra) N1 HP Hd HT HK) as A.
  assert (pP : Np <= NP) by (apply le_INR; assumption).
  assert (p1 : 1 <= Np) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (M1 : 1 <= M) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (Mn : M <= INR n) by (apply le_INR; assumption).
  assert (Ln : forall y, 0 < y -> y <= / nu + INR n + NP + INR d + INR T + INR K -> ln y <= log_1)
    by (intros; apply ln_grows; lra).
  repeat split; try (apply Ln; lra); try assumption.
  pose proof (Ln 4 ltac:(lra) ltac:(lra)). lra.
Qed.

Theorem lemma_25_second_power T3 : with_probability (fledge_history P p K b data T) (1 - nu) (fun past =>
  forall t, (t <= T)%nat ->
  sq (vsum t (fun s => if (t - T3 <=? s)%nat
    then scale (unasked past t s / (NP * Np * M)) (deviations past s) else zero))
  <= 4 * C ^ 2 * L ^ 2 / (Np * M) * sum t (fun s => if (t - T3 <=? s)%nat then move past s else 0)).
Proof.
  pose proof sizes_1 as [p1 [M1 [P1 T1]]]. set (l := radius (INR (p * (K * b) * (T * T))) nu).
  pose proof (radius_above (INR (p * (K * b) * (T * T))) nu) as l1. fold l in l1.
  pose proof logs as [A [B [B' [D [E [F _]]]]]].
  assert (lC : l <= C).
  { apply Rle_trans with (3 * log_1); [|apply Rmult_le_compat_r; lra]. apply radius_text; [assumption|].
    rewrite (mult_INR (p * (K * b))), (mult_INR p), (mult_INR T). unfold Rdiv.
    rewrite !ln_mult by (repeat apply Rmult_lt_0_compat; try apply Rinv_0_lt_compat; lra). lra. }
  assert (C1 : 1 <= C) by lra.
  eapply with_probability_weaken; [apply Rle_refl| |exact (changes (fun _ later =>
    if (length later <=? T3)%nat then size P (left_out later) / NP else 0) nu Hnu)].
  intros past Pp H t Ht. specialize (H t Ht). pose proof (history_length _ _ _ Pp) as Len.
  assert (W : forall s, (s < t)%nat -> (length (from_step (S s) (map clients (at_time t past))) <=? T3)%nat
    = (t - T3 <=? s)%nat).
  { intros s Hs. unfold from_step. rewrite firstn_length, map_length, at_time_length by lia.
    destruct (Nat.leb_spec (t - T3) s); [apply Nat.leb_le|apply Nat.leb_gt]; lia. }
  rewrite (vsum_ext t _ (fun s => if (t - T3 <=? s)%nat
    then scale (unasked past t s / (NP * Np * M)) (deviations past s) else zero)) in H.
  2:{ intros s Hs. rewrite W by assumption. fold (undrawn (S s) (map clients (at_time t past))).
      destruct (Nat.leb _ _); [f_equal; field; lra|vector_eq u; field; lra]. }
  eapply Rle_trans; [exact H|]. fold l.
  set (m := sum t (fun s => if (t - T3 <=? s)%nat then move past s else 0)).
  assert (Q : sum t (fun s => (if (length (from_step (S s) (map clients (at_time t past))) <=? T3)%nat
      then size P (left_out (from_step (S s) (map clients (at_time t past)))) / NP else 0) ^ 2 * move past s) <= m).
  { apply sum_le. intros s Hs. rewrite W by assumption. pose proof (unasked_share past t s) as [u0 u1].
    fold (undrawn (S s) (map clients (at_time t past))).
    pose proof (sq_nonneg (sub (x past (S s)) (x past s))) as m0. destruct (Nat.leb _ _); [|lra].
    rewrite <- (Rmult_1_l (move past s)) at 2. apply Rmult_le_compat_r; [assumption|].
    rewrite <- (pow1 2). apply pow_incr. lra. }
  assert (m0 : 0 <= m).
  { apply sum_nonneg. intros s _. destruct (Nat.leb _ _); [apply sq_nonneg|lra]. }
  assert (iM : 0 < / (Np * M)) by (apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra).
  assert (LL : 0 <= L * L) by apply Rle_0_sqr.
  assert (q0 : 0 <= 4 * (L * L) / (Np * M)) by (apply Rmult_le_pos; lra).
  apply Rle_trans with (l * l * (4 * (L * L) / (Np * M) * m)).
  - apply Rmult_le_compat_l; [apply Rle_0_sqr|]. apply Rmult_le_compat_l; assumption.
  - replace (4 * C ^ 2 * L ^ 2 / (Np * M) * m) with (C * C * (4 * (L * L) / (Np * M) * m)) by (field; lra).
    apply Rmult_le_compat_r; [apply Rmult_le_pos; assumption|apply Rmult_le_compat; lra].
Qed.
Theorem lemma_25 T3 : with_probability (fledge_history P p K b data T) (1 - nu) (fun past =>
  forall t, (t <= T)%nat ->
  sq (vsum t (fun s => if (t - T3 <=? s)%nat
    then scale (unasked past t s / (NP * Np * M)) (deviations past s) else zero))
  <= 4 * C ^ 10 * L ^ 2 / (Np * M) * sum t (fun s => if (t - T3 <=? s)%nat then move past s else 0)).
Proof.
  pose proof sizes_1 as [p1 [M1 _]]. pose proof logs as [A _].
  assert (C1 : 1 <= C) by (replace 1 with (1 * 1) by ring; apply Rmult_le_compat; lra).
  eapply with_probability_weaken; [apply Rle_refl| |exact (lemma_25_second_power T3)].
  intros past _ H t Ht. eapply Rle_trans; [exact (H t Ht)|].
  apply Rmult_le_compat_r.
  { apply sum_nonneg. intros s _. destruct (Nat.leb _ _); [apply sq_nonneg|lra]. }
  unfold Rdiv. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra|].
  apply Rmult_le_compat_r; [apply pow2_ge_0|]. apply Rmult_le_compat_l; [lra|]. apply Rle_pow; [assumption|lia].
Qed.

(* The steps of the printed proof *)
Theorem mean_weights T3 : with_probability (fledge_history P p K b data T) (1 - nu / 2) (fun past =>
  forall t, (t <= T)%nat ->
  sq (vsum t (fun s => if (t - T3 <=? s)%nat
    then scale (mean_unasked t s / (NP * Np * M)) (deviations past s) else zero))
  <= C ^ 6 * L ^ 2 / (Np * M) * sum t (fun s => if (t - T3 <=? s)%nat then move past s else 0)).
Proof.
  pose proof sizes_1 as [p1 [M1 [P1 T1]]]. set (l := radius (INR (p * (K * b) * (T * T))) (nu / 2)).
  pose proof (radius_above (INR (p * (K * b) * (T * T))) (nu / 2)) as l1. fold l in l1.
  pose proof logs as [A [B [B' [D [E [F F4]]]]]].
  assert (lC : l <= C).
  { apply Rle_trans with (3 * log_1); [|apply Rmult_le_compat_r; lra]. unfold l, radius.
    set (y := ln (INR (p * (K * b) * (T * T)) / (nu / 2)) / 2).
    cut (sqrt y <= 2 * log_1); [lra|].
    assert (Y : y <= 7 / 2 * log_1).
    { assert (y = ln (2 * (INR (p * (K * b) * (T * T)) * / nu)) / 2) as -> by (unfold y; do 2 f_equal; field; lra).
      rewrite (mult_INR (p * (K * b))), (mult_INR p), (mult_INR T).
      rewrite !ln_mult by (repeat apply Rmult_lt_0_compat; try apply Rinv_0_lt_compat; lra).
      assert (ln 2 <= ln 4) by (apply ln_grows; lra). lra. }
    destruct (Rle_dec 0 y) as [g|g]; [|rewrite sqrt_neg_0 by lra; lra].
    apply Rsqr_incr_0_var; [|lra]. unfold Rsqr. rewrite sqrt_sqrt by assumption.
    assert (1 * log_1 <= log_1 * log_1) by (apply Rmult_le_compat_r; lra). lra. }
  assert (C3 : 3 <= C) by (apply Rle_trans with (3 * 1); [lra|]; apply Rmult_le_compat; lra).
  eapply with_probability_weaken; [apply Rle_refl| |exact (changes (fun s later =>
    if (length later <=? T3)%nat then a ^ length later else 0) (nu / 2) ltac:(lra))].
  intros past Pp H t Ht. specialize (H t Ht). pose proof (history_length _ _ _ Pp) as Len.
  assert (W : forall s, (s < t)%nat -> length (from_step (S s) (map clients (at_time t past))) = (t - s)%nat).
  { intros s Hs. unfold from_step. rewrite firstn_length, map_length, at_time_length by lia. lia. }
  assert (W' : forall s, (s < t)%nat -> (t - s <=? T3)%nat = (t - T3 <=? s)%nat).
  { intros s Hs. destruct (Nat.leb_spec (t - T3) s); [apply Nat.leb_le|apply Nat.leb_gt]; lia. }
  rewrite (vsum_ext t _ (fun s => if (t - T3 <=? s)%nat
    then scale (mean_unasked t s / (NP * Np * M)) (deviations past s) else zero)) in H.
  2:{ intros s Hs. rewrite W, W' by assumption. destruct (mean_unasked_share t s Hs) as [<- _].
      destruct (Nat.leb _ _); [f_equal; field; lra|vector_eq u; field; lra]. }
  eapply Rle_trans; [exact H|]. fold l.
  set (m := sum t (fun s => if (t - T3 <=? s)%nat then move past s else 0)).
  match goal with |- l * l * (_ * ?q) <= _ => assert (Q : q <= m) end.
  { apply sum_le. intros s Hs. rewrite W, W' by assumption. destruct (mean_unasked_share t s Hs) as [<- [u0 u1]].
    pose proof (sq_nonneg (sub (x past (S s)) (x past s))) as m0. destruct (Nat.leb _ _); [|lra].
    rewrite <- (Rmult_1_l (move past s)) at 2. apply Rmult_le_compat_r; [assumption|].
    rewrite <- (pow1 2). apply pow_incr. lra. }
  assert (m0 : 0 <= m).
  { apply sum_nonneg. intros s _. destruct (Nat.leb _ _); [apply sq_nonneg|lra]. }
  assert (iM : 0 < / (Np * M)) by (apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra).
  assert (LL : 0 <= L * L) by apply Rle_0_sqr.
  assert (q0 : 0 <= L * L / (Np * M)) by (apply Rmult_le_pos; lra).
  apply Rle_trans with (l * l * (4 * (L * L) / (Np * M) * m)).
  - apply Rmult_le_compat_l; [apply Rle_0_sqr|]. apply Rmult_le_compat_l; [|assumption].
    replace (4 * (L * L) / (Np * M)) with (4 * (L * L / (Np * M))) by (field; lra). lra.
  - replace (C ^ 6 * L ^ 2 / (Np * M) * m) with (C ^ 6 * (L * L / (Np * M) * m)) by (field; lra).
    replace (l * l * (4 * (L * L) / (Np * M) * m)) with (4 * (l * l) * (L * L / (Np * M) * m)) by (field; lra).
    apply Rmult_le_compat_r; [apply Rmult_le_pos; assumption|].
    apply Rle_trans with (C * C * (C * C)).
    + apply Rmult_le_compat; [lra|apply Rle_0_sqr| |apply Rmult_le_compat; lra].
      apply Rle_trans with (3 * 3); [lra|]. apply Rmult_le_compat; lra.
    + replace (C * C * (C * C)) with (C ^ 4) by ring. apply Rle_pow; [lra|lia].
Qed.
(* The second part (lines 2327-2338), where |U_s^t| is near its mean, and both together *)
Theorem second_part T3 :
  2 * (C ^ 6 * L ^ 2 / (Np * M)) + 2 * (C ^ 10 * L ^ 2 / (Np ^ 2 * M)) <= 4 * C ^ 10 * L ^ 2 / (Np * M) /\
  with_probability (fledge_history P p K b data T) (1 - nu / 2) (fun past =>
  forall t, (t <= T)%nat ->
  (forall s, (s < t)%nat -> (t - T3 <= s)%nat -> (unasked past t s - mean_unasked t s) ^ 2 <= C ^ 5 * NP) ->
  sq (vsum t (fun s => if (t - T3 <=? s)%nat
    then scale ((unasked past t s - mean_unasked t s) / (NP * Np * M)) (deviations past s) else zero))
  <= C ^ 10 * L ^ 2 / (Np ^ 2 * M) * sum t (fun s => if (t - T3 <=? s)%nat then move past s else 0)).
Proof.
  pose proof sizes_1 as [p1 [M1 [P1 T1]]]. set (l := radius (INR (p * (K * b) * (T * T))) (nu / 2)).
  pose proof (radius_above (INR (p * (K * b) * (T * T))) (nu / 2)) as l1. fold l in l1.
  pose proof logs as [A [B [B' [D [E [F F4]]]]]].
  assert (pP : Np <= NP) by (apply le_INR; assumption).
  assert (lC : l <= C).
  { apply Rle_trans with (3 * log_1); [|apply Rmult_le_compat_r; lra]. unfold l, radius.
    set (y := ln (INR (p * (K * b) * (T * T)) / (nu / 2)) / 2).
    cut (sqrt y <= 2 * log_1); [lra|].
    assert (Y : y <= 7 / 2 * log_1).
    { assert (y = ln (2 * (INR (p * (K * b) * (T * T)) * / nu)) / 2) as -> by (unfold y; do 2 f_equal; field; lra).
      rewrite (mult_INR (p * (K * b))), (mult_INR p), (mult_INR T).
      rewrite !ln_mult by (repeat apply Rmult_lt_0_compat; try apply Rinv_0_lt_compat; lra).
      assert (ln 2 <= ln 4) by (apply ln_grows; lra). lra. }
    destruct (Rle_dec 0 y) as [g|g]; [|rewrite sqrt_neg_0 by lra; lra].
    apply Rsqr_incr_0_var; [|lra]. unfold Rsqr. rewrite sqrt_sqrt by assumption.
    assert (1 * log_1 <= log_1 * log_1) by (apply Rmult_le_compat_r; lra). lra. }
  assert (C3 : 3 <= C) by (apply Rle_trans with (3 * 1); [lra|]; apply Rmult_le_compat; lra).
  split.
  { assert (i1 : 0 < / (Np * M)) by (apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra).
    assert (i2 : / Np <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra).
    assert (c6 : C ^ 6 <= C ^ 10) by (apply Rle_pow; [lra|lia]). assert (c10 : 0 <= C ^ 10) by (apply pow_le; lra).
    assert (q0 : 0 <= L ^ 2 * / (Np * M)) by (apply Rmult_le_pos; [apply pow2_ge_0|lra]).
    replace (C ^ 10 * L ^ 2 / (Np ^ 2 * M)) with (C ^ 10 * / Np * (L ^ 2 * / (Np * M))) by (field; lra).
    assert (X : C ^ 10 * / Np <= C ^ 10 * 1) by (apply Rmult_le_compat_l; lra).
    apply (Rmult_le_compat_r _ _ _ q0) in X. apply (Rmult_le_compat_r _ _ _ q0) in c6. unfold Rdiv. lra. }
  eapply with_probability_weaken; [apply Rle_refl| |exact (changes (fun s later =>
    if (length later <=? T3)%nat then (size P (left_out later) - NP * a ^ length later) / NP else 0) (nu / 2) ltac:(lra))].
  intros past Pp H t Ht Near. specialize (H t Ht). pose proof (history_length _ _ _ Pp) as Len.
  assert (W : forall s, (s < t)%nat -> length (from_step (S s) (map clients (at_time t past))) = (t - s)%nat).
  { intros s Hs. unfold from_step. rewrite firstn_length, map_length, at_time_length by lia. lia. }
  assert (W' : forall s, (s < t)%nat -> (t - s <=? T3)%nat = (t - T3 <=? s)%nat).
  { intros s Hs. destruct (Nat.leb_spec (t - T3) s); [apply Nat.leb_le|apply Nat.leb_gt]; lia. }
  assert (U : forall s, (s < t)%nat -> (size P (left_out (from_step (S s) (map clients (at_time t past))))
      - NP * a ^ (t - s)) / NP = (unasked past t s - mean_unasked t s) / NP).
  { intros s Hs. destruct (mean_unasked_share t s Hs) as [Q _].
    assert (Q' : NP * a ^ (t - s) = mean_unasked t s) by (rewrite <- Q; field; lra). rewrite Q'. reflexivity. }
  rewrite (vsum_ext t _ (fun s => if (t - T3 <=? s)%nat
    then scale ((unasked past t s - mean_unasked t s) / (NP * Np * M)) (deviations past s) else zero)) in H.
  2:{ intros s Hs. rewrite W, W', U by assumption.
      destruct (Nat.leb _ _); [f_equal; field; lra|vector_eq u; field; lra]. }
  eapply Rle_trans; [exact H|]. fold l.
  set (m := sum t (fun s => if (t - T3 <=? s)%nat then move past s else 0)).
  assert (C5 : 0 <= C ^ 5) by (apply pow_le; lra).
  match goal with |- l * l * (_ * ?q) <= _ => assert (Q : q <= C ^ 5 / NP * m) end.
  { unfold m. rewrite <- sum_mul. apply sum_le. intros s Hs. rewrite W, W', U by assumption.
    pose proof (sq_nonneg (sub (x past (S s)) (x past s))) as m0. destruct (Nat.leb_spec (t - T3) s) as [g|g]; [|lra].
    specialize (Near s Hs g). apply Rmult_le_compat_r; [assumption|].
    replace (((unasked past t s - mean_unasked t s) / NP) ^ 2)
      with ((unasked past t s - mean_unasked t s) ^ 2 * / (NP * NP)) by (field; lra).
    replace (C ^ 5 / NP) with (C ^ 5 * NP * / (NP * NP)) by (field; lra).
    apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra|exact Near]. }
  assert (m0 : 0 <= m).
  { apply sum_nonneg. intros s _. destruct (Nat.leb _ _); [apply sq_nonneg|lra]. }
  assert (iM : 0 < / (Np * M)) by (apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra).
  assert (LL : 0 <= L * L) by apply Rle_0_sqr.
  assert (ll : l * l <= C * C) by (apply Rmult_le_compat; lra).
  apply Rle_trans with (C * C * (4 * (L * L) / (Np * M) * (C ^ 5 / NP * m))).
  - assert (q0 : 0 <= 4 * (L * L) / (Np * M)) by (apply Rmult_le_pos; lra).
    assert (iP : 0 < / NP) by (apply Rinv_0_lt_compat; lra).
    assert (q1 : 0 <= C ^ 5 / NP * m) by (apply Rmult_le_pos; [apply Rmult_le_pos; lra|assumption]).
    apply Rle_trans with (l * l * (4 * (L * L) / (Np * M) * (C ^ 5 / NP * m))).
    + apply Rmult_le_compat_l; [apply Rle_0_sqr|]. apply Rmult_le_compat_l; assumption.
    + apply Rmult_le_compat_r; [apply Rmult_le_pos; assumption|exact ll].
  - replace (C * C * (4 * (L * L) / (Np * M) * (C ^ 5 / NP * m))) with (4 * C ^ 7 * (L * L * / (Np * M) * m) * / NP)
      by (field; lra).
    replace (C ^ 10 * L ^ 2 / (Np ^ 2 * M) * m) with (C ^ 10 * (L * L * / (Np * M) * m) * / Np) by (field; lra).
    assert (y0 : 0 <= L * L * / (Np * M) * m) by (apply Rmult_le_pos; [apply Rmult_le_pos; lra|assumption]).
    assert (C7 : 0 <= C ^ 7) by (apply pow_le; lra).
    apply Rmult_le_compat; [|left; apply Rinv_0_lt_compat; lra| |apply Rinv_le_contravar; lra].
    + apply Rmult_le_pos; lra.
    + apply Rmult_le_compat_r; [assumption|]. replace (C ^ 10) with (C ^ 3 * C ^ 7) by ring.
      apply Rmult_le_compat_r; [assumption|]. apply Rle_trans with (3 ^ 3); [simpl; lra|]. apply pow_incr. lra.
Qed.
(* The sum over the data of a round *)
Theorem one_round_changes s : (s < T)%nat ->
  with_probability (fledge_history P p K b data T) (1 - nu / (4 * INR T ^ 2)) (fun past =>
    sq (deviations past s) <= C ^ 4 * L ^ 2 * (Np * M) * move past s).
Proof.
  intro Hs. pose proof sizes_1 as [p1 [M1 [P1 T1]]]. set (nu' := nu / (4 * INR T ^ 2)).
  set (l := radius (INR (p * (K * b) * (T * T))) nu').
  pose proof (radius_above (INR (p * (K * b) * (T * T))) nu') as l1. fold l in l1.
  pose proof logs as [A [B [B' [D [E [F F4]]]]]].
  assert (T2 : 1 <= INR T ^ 2) by (rewrite <- (pow1 2); apply pow_incr; lra).
  assert (Hnu' : 0 < nu' < 1).
  { unfold nu'. split; [apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra]|].
    apply Rmult_lt_reg_r with (4 * INR T ^ 2); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (l7 : 2 * l <= 7 * log_1).
  { unfold l, radius. set (y := ln (INR (p * (K * b) * (T * T)) / nu') / 2).
    cut (sqrt y <= 5 / 2 * log_1); [lra|].
    assert (Y : y <= 9 / 2 * log_1).
    { assert (y = ln (4 * (INR (p * (K * b) * (T * T)) * (INR T * INR T * / nu))) / 2) as ->
        by (unfold y, nu'; do 2 f_equal; field; lra).
      rewrite (mult_INR (p * (K * b))), (mult_INR p), (mult_INR T).
      rewrite !ln_mult by (repeat apply Rmult_lt_0_compat; try apply Rinv_0_lt_compat; lra). lra. }
    destruct (Rle_dec 0 y) as [g|g]; [|rewrite sqrt_neg_0 by lra; lra].
    apply Rsqr_incr_0_var; [|lra]. unfold Rsqr. rewrite sqrt_sqrt by assumption.
    assert (1 * log_1 <= log_1 * log_1) by (apply Rmult_le_compat_r; lra). lra. }
  assert (C3 : 3 * log_1 <= C) by (apply Rmult_le_compat_r; lra).
  eapply with_probability_weaken; [apply Rle_refl| |exact (changes (fun s' _ =>
    if Nat.eqb s' s then 1 else 0) nu' Hnu')].
  intros past Pp H. specialize (H (S s) Hs). cbn [vsum sum] in H. rewrite Nat.eqb_refl in H.
  rewrite (sum_zero s) in H.
  2:{ intros s' H'. rewrite (proj2 (Nat.eqb_neq s' s)) by lia. ring. }
  match type of H with sq (add ?u ?v) <= _ => replace (add u v) with (scale (/ (Np * M)) (deviations past s)) in H end.
  2:{ vector_eq u. rewrite ip_vsum, sum_zero; [field; lra|]. intros s' H'.
      rewrite (proj2 (Nat.eqb_neq s' s)) by lia. products. field. lra. }
  rewrite sq_scale in H. fold l in H. set (q := sq (deviations past s)) in *. set (m := move past s) in *.
  assert (m0 : 0 <= m) by apply sq_nonneg. assert (pM : 0 < Np * M) by (apply Rmult_lt_0_compat; lra).
  apply Rmult_le_compat_l with (r := Np * M * (Np * M)) in H; [|apply Rle_0_sqr].
  replace (Np * M * (Np * M) * (/ (Np * M) * / (Np * M) * q)) with q in H by (field; lra).
  eapply Rle_trans; [exact H|].
  replace (Np * M * (Np * M) * (l * l * (4 * (L * L) / (Np * M) * (0 + 1 ^ 2 * m))))
    with (2 * l * (2 * l) * (L * L * (Np * M) * m)) by (field; lra).
  replace (C ^ 4 * L ^ 2 * (Np * M) * m) with (C * C * (C * C) * (L * L * (Np * M) * m)) by ring.
  apply Rmult_le_compat_r.
  - repeat apply Rmult_le_pos; try lra; apply Rle_0_sqr || assumption.
  - assert (lC : 2 * l <= C * C).
    { assert (3 * log_1 * (3 * log_1) <= C * C) by (apply Rmult_le_compat; lra).
      assert (1 * log_1 <= log_1 * log_1) by (apply Rmult_le_compat_r; lra). lra. }
    apply Rmult_le_compat; lra.
Qed.
End Printed.
