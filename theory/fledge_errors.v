(* The error of FLEDGE's estimate in expectation (ledger: dist-variance-lemma/expectation; beside
   Lemma 24, lemma:Dist-First-VarianceBound, lines 2240-2257, which is refuted as printed: zeta
   stands for L in one term).

   Let f = (1/P) sum_i f_i, f_i the mean of its data f_{i,j}, each grad f_{i,j} L-Lipschitz, the f_i
   zeta-heterogeneous, |grad f_{i,j} - grad f_i|^2 <= sigma^2. The error of a local step is
   e + B + Z: e that of the table, B how the gradient of client i_t moves away from that of f on the
   way from x^{t,0}, Z a sum of martingale differences.

   For all spaces, 1 <= p <= P, K, b >= 1, clients with at least Kb data, step sizes, noises, and T
   rounds:

       sum_{t<T} sum_{k<K} E |v^{t,k} - grad f(x^{t,k})|^2
           <= Lambda sum_{t<T} sum_{k<K} E |x^{t,k+1} - x^{t,k}|^2
           + (2K-1) min(T, w) (S + 5 T p sigma^2/(P^2 Kb)),
       Lambda = (2K-1) K w (K_0 (P-1) zeta^2/(2Pp) + (P-p)(2(P-p)+3) L^2/(P^2 pKb))
           + (K-1)(zeta^2 K + 2L^2/b),
       w = P/(p(2 - p/P)), K_0 = movement_factor 1 P p <= 12,
       S = 4 sigma^2/(PKb) for Option II and
       S = (rho/p + (3/P)(1 + rho/p)) sigma_c^2 + (1 + 3/P) sigma^2/(pKb), rho = (P-p)/(P-1),
           for Option I,
   sigma_c^2 the mean squared deviation of the clients' gradients at x^0.

   The ledger has 2K for 2K - 1. Theorems [fledge_errors_II], [fledge_errors_I]. *)
From Coq Require Import Reals Lra Lia PeanoNat List.
From Sledge Require Import vectors means minibatches algorithms problems second_moments
  sledge_errors fledge_sampling.
Import ListNotations.
Open Scope R_scope.

(* ---- The federated problem ---- *)

Section Problem.
Context {V : space}.
Variables (P : nat) (data : nat -> nat).
Variables (f : nat -> nat -> V -> R) (grad : nat -> nat -> V -> V).
(* f_i and its gradient *)
Definition client_objective (i : nat) (x : V) : R := objective (data i) (f i) x.
Definition client_gradient (i : nat) (x : V) : V := gradient (data i) (grad i) x.
(* Assumption 1 for the data, and Assumption 3 (ii). *)
Definition data_smooth (L : R) : Prop := forall i, (i < P)%nat -> smooth (data i) (f i) (grad i) L.
Definition data_lipschitz (L : R) : Prop :=
  forall i j, (i < P)%nat -> (j < data i)%nat -> lipschitz L (grad i j).
Definition data_bounded (sigma : R) : Prop := forall i j x, (i < P)%nat -> (j < data i)%nat ->
  sq (sub (grad i j x) (client_gradient i x)) <= sigma * sigma.
Lemma clients_smooth L : (forall i, (i < P)%nat -> (1 <= data i)%nat) -> data_smooth L ->
  smooth P client_objective client_gradient L.
Proof.
  intros D H i Hi. split.
  - apply (gradient_of_objective (data i) (f i) (grad i) L). apply H, Hi.
  - apply (gradient_lipschitz (data i) (f i) (grad i) L); [apply D, Hi|apply H, Hi].
Qed.
End Problem.

Section Table.
Context {V : space}.
Variables (P p K b : nat).
Hypothesis Hp : (1 <= p)%nat.
Hypothesis HpP : (p <= P)%nat.
Hypothesis HK : (1 <= K)%nat.
Hypothesis Hb : (1 <= b)%nat.
Variables (data : nat -> nat) (grad : nat -> nat -> V -> V) (L zeta sigma : R).
Hypothesis enough_data : forall i, (i < P)%nat -> (K * b <= data i)%nat.
Hypothesis lip : data_lipschitz P data grad L.
Hypothesis het : heterogeneous P (client_gradient data grad) zeta.
Hypothesis bounded : data_bounded P data grad sigma.
Notation NP := (INR P).
Notation Np := (INR p).
Notation M := (INR (K * b)).
Notation G := (client_gradient data grad).
Notation fresh_laws := (fresh_law P data (K * b)).

Lemma Kb_pos : (1 <= K * b)%nat.
Proof. clear - HK Hb. nia. Qed.
Lemma M_pos : 1 <= M.
Proof. change 1 with (INR 1). apply le_INR, Kb_pos. Qed.

(* What the minibatch of client i adds to its gradient at x', and to the change of its gradient. *)
Definition fresh_error (x' : V) (i : nat) (J : batch)
  : V := sub (fresh_gradient K b data grad i J x') (G i x').
Definition change_error (x x' : V) (i : nat) (J : batch) : V :=
  sub (fresh_change K b data grad i J x' x) (sub (G i x') (G i x)).

Lemma fresh_error_mean x' i w : (i < P)%nat ->
  Ex (uniform (data i) (K * b)) (fun J => ip (fresh_error x' i J) w) = 0.
Proof.
  intro Hi. apply (sample_mean (data i) (K * b) Kb_pos (enough_data i Hi) (fun j => grad i j x')).
Qed.
Lemma fresh_error_square x' i : (i < P)%nat ->
  Ex (uniform (data i) (K * b)) (fun J => sq (fresh_error x' i J)) <= sigma * sigma / M.
Proof.
  intro Hi. apply (sample_bound (data i) (K * b) Kb_pos (enough_data i Hi) (fun j => grad i j x')).
  intros j Hj. apply bounded; assumption.
Qed.
Lemma change_average x x' i : (i < P)%nat ->
  sub (G i x') (G i x) = average_vector (data i) (fun j => sub (grad i j x') (grad i j x)).
Proof.
  intro Hi. unfold average_vector, client_gradient, gradient. vector_eq w. rewrite !ip_vsum.
  rewrite <- Rmult_minus_distr_l, <- sum_sub. f_equal. apply sum_ext. intros. symmetry.
  apply ip_sub.
Qed.
Lemma data_change x x' i j : (i < P)%nat -> (j < data i)%nat ->
  sq (sub (grad i j x') (grad i j x)) <= L * L * sq (sub x' x).
Proof.
  intros Hi Hj. pose proof (sq_le _ _ (lip i j Hi Hj x' x)) as S. rewrite <- (norm_sq (sub x' x)).
  lra.
Qed.
Lemma change_error_mean x x' i w : (i < P)%nat ->
  Ex (uniform (data i) (K * b)) (fun J => ip (change_error x x' i J) w) = 0.
Proof.
  intro Hi. unfold change_error. rewrite (change_average x x' i Hi).
  apply (sample_mean (data i) (K * b) Kb_pos (enough_data i Hi) (fun j => sub (grad i j x')
    (grad i j x))).
Qed.
Lemma change_error_square x x' i : (i < P)%nat ->
  Ex (uniform (data i) (K * b)) (fun J => sq (change_error x x' i J)) <= L * L * sq (sub x' x) / M.
Proof.
  intro Hi. unfold change_error. rewrite (change_average x x' i Hi).
  apply (sample_change (data i) (K * b) Kb_pos (enough_data i Hi) (fun j => sub (grad i j x')
    (grad i j x))).
  intros j Hj. apply data_change; assumption.
Qed.

(* ---- A refresh: SLEDGE's step of the table plus independent errors ---- *)

Notation row_err := (row_error G).
Notation c x x' := (change P G x x').
Notation sledge_row s x' I := (new_row P p (row_err s) (c (fst s) x') I).
Definition extra (x x' : V) (i : nat) (J : batch) : V :=
  add (fresh_error x' i J) (scale ((NP - Np) / Np) (change_error x x' i J)).
Notation refreshed s x' I J := (refresh P p K b data grad s x' I J).

Lemma refreshed_row s x' I J i : possible (uniform P p) I ->
  row_err (refreshed s x' I J) i = add (sledge_row s x' I i)
    (if I i then fresh_error x' i (J i) else over p (vsum_in P I (fun l => change_error (fst s)
      x' l (J l)))).
Proof.
  intro PI. unfold row_error at 1, new_row, table, point. cbn [refresh fst snd]. destruct (I i).
  - unfold fresh_error. vector_eq w. ring.
  - pose proof (batch_change P p Hp HpP G I (fst s) x' PI) as BC.
    replace (over p (vsum_in P I (fun l => fresh_change K b data grad l (J l) x' (fst s))))
      with (add (over p (vsum_in P I (fun l => sub (G l x') (G l (fst s)))))
        (over p (vsum_in P I (fun l => change_error (fst s) x' l (J l))))).
    2:{ vector_eq w. rewrite !ip_vsum_in, <- Rmult_plus_distr_l, <- sum_add. f_equal. apply sum_ext.
        intros. unfold change_error. rewrite !ip_sub. ring. }
    rewrite BC. unfold row_error, point, table. set (C := over p (vsum_in P I (c (fst s) x'))).
    set (D := over p _). vector_eq w. unfold change. products. ring.
Qed.
Lemma refreshed_error s x' I J : possible (uniform P p) I ->
  mean_of P (row_err (refreshed s x' I J)) = add (mean_of P (sledge_row s x' I))
    (over P (vsum_in P I (fun l => extra (fst s) x' l (J l)))).
Proof.
  intro PI. pose proof (uniform_size P p I HpP PI) as Size.
  pose proof (Nn P p Hp HpP). pose proof (Bb P p Hp HpP). vector_eq w.
  rewrite !ip_mean_of, ip_vsum_in.
  set (D := over p (vsum_in P I (fun l => change_error (fst s) x' l (J l)))).
  rewrite (sum_ext P _ (fun i => ip (sledge_row s x' I i) w + (ind I i * ip (fresh_error x' i (J i))
    w
    + ip D w * (1 - ind I i)))).
  2:{ intros i _. rewrite (refreshed_row s x' I J i PI), ip_add. fold D. unfold ind.
      destruct (I i); ring. }
  rewrite !sum_add, sum_mul, sum_sub, sum_const, Size. unfold D. rewrite ip_over, ip_vsum_in.
  rewrite (sum_ext P (fun i => ind I i * ip (extra (fst s) x' i (J i)) w)
    (fun i => ind I i * ip (fresh_error x' i (J i)) w
      + (NP - Np) / Np * (ind I i * ip (change_error (fst s) x' i (J i)) w))).
  2:{ intros. unfold extra. products. ring. }
  rewrite sum_add, sum_mul. field. lra.
Qed.

(* What the minibatches add to the potential in a round, for the squared movement m = |x' - x|^2. *)
Definition fresh_noise : R := 5 * Np * (sigma * sigma) / (NP * NP * M).
Definition change_noise : R := (NP - Np) * (2 * (NP - Np) + 3) * (L * L) / (NP * NP * Np * M).

Lemma sum_in_bound I (a : nat -> R) B :
  possible (uniform P p) I -> (forall i, (i < P)%nat -> a i <= B) ->
  sum P (fun i => ind I i * a i) <= Np * B.
Proof.
  intros PI H. rewrite <- (uniform_size P p I HpP PI), Rmult_comm, <- sum_mul. apply sum_le.
  intros i Hi.
  rewrite (Rmult_comm B). apply Rmult_le_compat_l; [apply ind_bounds|apply H, Hi].
Qed.
Lemma extra_mean x x' i w : (i < P)%nat ->
  Ex (uniform (data i) (K * b)) (fun J => ip (extra x x' i J) w) = 0.
Proof.
  intro Hi. rewrite (Ex_ext _ _ (fun J => ip (fresh_error x' i J) w
    + (NP - Np) / Np * ip (change_error x x' i J) w)) by (intros; unfold extra; products;
        reflexivity).
  rewrite Ex_add, Ex_mul, fresh_error_mean, change_error_mean by assumption. ring.
Qed.
Lemma extra_square x x' i : (i < P)%nat -> Ex (uniform (data i) (K * b))
  (fun J => sq (extra x x' i J))
  <= 2 * (sigma * sigma / M) + 2 * ((NP - Np) / Np * ((NP - Np) / Np)) * (L * L * sq (sub x' x)
    / M).
Proof.
  intro Hi. pose proof (fresh_error_square x' i Hi) as A1.
  pose proof (change_error_square x x' i Hi) as A2.
  assert (C : 0 <= (NP - Np) / Np * ((NP - Np) / Np)) by (apply Rle_0_sqr).
  apply Rle_trans with (Ex (uniform (data i) (K * b)) (fun J => 2 * sq (fresh_error x' i J)
    + 2 * ((NP - Np) / Np * ((NP - Np) / Np)) * sq (change_error x x' i J))).
  - apply Ex_le. intros J _. unfold extra. eapply Rle_trans; [apply sq_add_le|]. rewrite sq_scale.
    lra.
  - rewrite Ex_add, !Ex_mul. apply Rplus_le_compat; apply Rmult_le_compat_l; lra.
Qed.
Lemma refresh_given_I s x' I : possible (uniform P p) I ->
  Ex fresh_laws (fun J => phi P G (refreshed s x' I J))
  <= potential P (sledge_row s x' I) + fresh_noise + change_noise * sq (sub x' (fst s)).
Proof.
  intro PI. pose proof (Nn P p Hp HpP) as P1. pose proof (Bb P p Hp HpP) as [p1 pP].
  pose proof M_pos as M1.
  pose proof (uniform_size P p I HpP PI) as Size.
  set (x := fst s). set (m := sq (sub x' x)). set (S := fun i => sledge_row s x' I i).
  set (e := mean_of P S).
  set (law := fun i => uniform (data i) (K * b)).
  pose (X := fun J : nat -> batch => vsum_in P I (fun l => extra x x' l (J l))).
  pose (Y := fun J : nat -> batch => vsum_in P I (fun l => change_error x x' l (J l))).
  (* the squared error of the mean *)
  assert (A : Ex fresh_laws (fun J => sq (mean_of P (row_err (refreshed s x' I J))))
    <= sq e + / NP * / NP * (Np * (2 * (sigma * sigma / M) + 2 * ((NP - Np) / Np * ((NP - Np) / Np))
      * (L * L * m / M)))).
  { rewrite (Ex_ext _ _ (fun J => sq e + (2 * / NP * ip (X J) e + / NP * / NP * sq (X J)))).
    2:{ intros J _. rewrite (refreshed_error s x' I J PI). fold x. fold (X J).
        change (mean_of P (new_row P p (row_err s) (c x x') I)) with e.
        rewrite sq_add, sq_over, ip_over_r, (ip_sym e). ring. }
    rewrite !Ex_add, !Ex_mul, Ex_const. unfold X. change fresh_laws with (family none P law).
    rewrite (independent_cross none P law (fun i J => extra x x' i J)
      (fun i w Hi => extra_mean x x' i w Hi) P I e (le_n P)).
    rewrite (independent_squares none law (fun i J => extra x x' i J) I P
      (fun i w Hi => extra_mean x x' i w Hi)).
    rewrite Rmult_0_r, Rplus_0_l. apply Rplus_le_compat_l. apply Rmult_le_compat_l.
    - apply Rmult_le_pos; left; apply Rinv_0_lt_compat; lra.
    - apply (sum_in_bound I (fun i => Ex (law i) (fun J => sq (extra x x' i J)))); [assumption|].
      intros. apply extra_square. assumption. }
  (* the squared errors of the rows *)
  assert (B : Ex fresh_laws (fun J => mean_sq P (row_err (refreshed s x' I J)))
    <= mean_sq P S + / NP * (Np * (sigma * sigma / M)) + / NP * ((NP - Np)
      * (/ Np * / Np * (Np * (L * L * m / M))))).
  { unfold mean_sq. rewrite Ex_mul.
    rewrite (Ex_ext _ _ (fun J => sum P (fun i => sq (S i)) + (sum P
      (fun i => ind I i * sq (fresh_error x' i (J i)))
      + (2 * / Np * ip (Y J) (vsum P (fun i => scale (1 - ind I i) (S i))) + (NP - Np)
          * (/ Np * / Np) * sq (Y J))))).
    2:{ intros J _. rewrite (sum_ext P _ (fun i => sq (S i) + (ind I i * sq (fresh_error x' i (J i))
          + (2 * / Np * ip (Y J) (scale (1 - ind I i) (S i)) + / Np * / Np * sq (Y J)
              * (1 - ind I i))))).
        - rewrite !sum_add, !sum_mul, sum_sub, sum_const, Size, ip_vsum_r. ring.
        - intros i _. rewrite (refreshed_row s x' I J i PI). fold x. fold (Y J).
          change (new_row P p (row_err s) (c x x') I i) with (S i).
          unfold ind. destruct (I i) eqn:h.
          + assert (Z : S i = zero) by (unfold S, new_row; rewrite h; reflexivity). rewrite Z.
            rewrite sq_add, sq_zero, ip_zero, ip_scale_r, ip_zero_r. ring.
          + rewrite sq_add, sq_over, ip_over_r, ip_scale_r, (ip_sym (S i)). ring. }
    rewrite !Ex_add, !Ex_mul, Ex_const. unfold Y. change fresh_laws with (family none P law).
    rewrite (independent_cross none P law (fun i J => change_error x x' i J)
      (fun i w Hi => change_error_mean x x' i w Hi) P I _ (le_n P)).
    rewrite (independent_squares none law (fun i J => change_error x x' i J) I P
      (fun i w Hi => change_error_mean x x' i w Hi)).
    rewrite Ex_sum.
    rewrite (sum_ext P (fun i => Ex _ (fun J : nat -> batch => ind I i * sq (fresh_error x' i (J
      i))))
      (fun i => ind I i * Ex (law i) (fun J => sq (fresh_error x' i J)))).
    2:{ intros i Hi. rewrite Ex_mul. f_equal.
        apply (Ex_family_one none P law i (fun J => sq (fresh_error x' i J)) Hi). }
    pose proof (sum_in_bound I (fun i => Ex (law i) (fun J => sq (fresh_error x' i J))) _ PI
      (fun i Hi => fresh_error_square x' i Hi)) as B1.
    pose proof (sum_in_bound I (fun i => Ex (law i) (fun J => sq (change_error x x' i J))) _ PI
      (fun i Hi => change_error_square x x' i Hi)) as B2. fold m in B2.
    set (s1 := sum P (fun i => ind I i * Ex (law i) (fun J => sq (fresh_error x' i J)))) in *.
    set (s2 := sum P (fun i => ind I i * Ex (law i) (fun J => sq (change_error x x' i J)))) in *.
    assert (i0 : 0 < / NP) by (apply Rinv_0_lt_compat; lra).
    assert (j0 : 0 < / Np) by (apply Rinv_0_lt_compat; lra).
    assert (C2 : (NP - Np) * (/ Np * / Np) * s2 <= (NP - Np)
      * (/ Np * / Np * (Np * (L * L * m / M)))).
    { rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; [nra|exact B2].
      }
    rewrite Rmult_0_r, Rplus_0_l, <- !Rmult_plus_distr_l. apply Rmult_le_compat_l; lra. }
  unfold phi, potential. rewrite Ex_add, Ex_mul.
  change (mean_of P (new_row P p (row_err s) (c x x') I)) with e.
  change (mean_sq P (new_row P p (row_err s) (c x x') I)) with (mean_sq P S).
  assert (T0 : 0 <= 3 / NP) by (apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]).
  apply Rmult_le_compat_l with (r := 3 / NP) in B; [|assumption].
  apply Rle_trans with (sq e + / NP * / NP * (Np * (2 * (sigma * sigma / M) + 2 * ((NP - Np)
    / Np * ((NP - Np) / Np)) * (L * L * m / M)))
    + 3 / NP * (mean_sq P S + / NP * (Np * (sigma * sigma / M)) + / NP * ((NP - Np)
        * (/ Np * / Np * (Np * (L * L * m / M)))))).
  - apply Rplus_le_compat; assumption.
  - right. unfold fresh_noise, change_noise. fold x. fold m. field. lra.
Qed.
(* The potential over a refresh, given x'; s0 is the share of what the rows lose that is used up. *)
Theorem refresh_moment s x' s0 : 0 < s0 <= 1 ->
  Ex (uniform P p) (fun I => Ex fresh_laws (fun J => phi P G (refreshed s x' I J)))
  <= (1 - Np / NP) * (1 - Np / NP) * sq (error P G s)
     + 3 / NP * (1 - (1 - s0) * (Np / NP) * (1 - rho P p / 3)) * mean_sq P (row_err s)
     + (movement_factor s0 P p * (NP - 1) / (2 * Np * NP) * (zeta * zeta) + change_noise)
         * sq (sub x' (fst s)) + fresh_noise.
Proof.
  intro Hs. pose proof (Nn P p Hp HpP) as P1. pose proof (Bb P p Hp HpP) as [p1 pP].
  eapply Rle_trans.
  - apply (Ex_le _ _ (fun I => potential P (sledge_row s x' I) + (fresh_noise
      + change_noise * sq (sub x' (fst s))))).
    intros I PI. pose proof (refresh_given_I s x' I PI). lra.
  - rewrite Ex_add, Ex_const.
    pose proof (potential_moment P p (row_err s) (c (fst s) x')
      s0 Hp HpP (change_centred P p Hp HpP G (fst s) x') Hs) as H.
    rewrite <- (error_is_mean P G s) in H.
    pose proof (change_bound P p Hp HpP G zeta het (fst s) x') as C.
    apply Rmult_le_compat_l with (r := movement_factor s0 P p / Np) in C.
    2:{ apply Rmult_le_pos; [apply movement_factor_nonneg; assumption || lra|left;
          apply Rinv_0_lt_compat; lra]. }
    replace (movement_factor s0 P p / Np * ((NP - 1) / (2 * NP)
      * (zeta * zeta * sq (sub x' (fst s)))))
      with (movement_factor s0 P p * (NP - 1) / (2 * Np * NP) * (zeta * zeta) * sq (sub x' (fst s)))
        in C by (field; lra).
    lra.
Qed.
End Table.
(* ---- The local steps of a round ---- *)

Section Local.
Context {V : space}.
Variables (P K b : nat).
Hypothesis HP : (1 <= P)%nat.
Hypothesis Hb : (1 <= b)%nat.
Variables (data : nat -> nat) (grad : nat -> nat -> V -> V) (L zeta : R).
Hypothesis lip : data_lipschitz P data grad L.
Hypothesis het : heterogeneous P (client_gradient data grad) zeta.
Variables (eta : R) (noise : list round -> nat -> list batch -> V).
Notation G := (client_gradient data grad).
Notation grad_f := (gradient P G).

Section Round.
Variables (past : list round) (s : V * (nat -> V)) (i : nat).
Hypothesis Hi : (i < P)%nat.
Hypothesis enough : (b <= data i)%nat.
Notation v := (estimate P s).
Notation x := (fst s).
(* x^{t,k} and z^{t,k}, the next point, its squared distance, the error of the estimate *)
Definition local_state (Js : list batch) : V * V := local_run b eta noise data grad past i v x Js.
Definition local_x (Js : list batch) : V := fst (local_state Js).
Definition local_next (Js : list batch) : V := local_point eta noise past i v Js (local_state Js).
Definition local_moved (Js : list batch) : R := sq (sub (local_next Js) (local_x Js)).
Definition local_error (Js : list batch) : V := sub (local_estimate v (local_state Js))
  (grad_f (local_x Js)).
Notation e := (error P G s).
Notation E k := (Ex (history (uniform (data i) b) k)).
Notation paths k := (sum k (fun l => E l local_moved)).
(* the martingale part, and the drift *)
Definition local_noise (Js : list batch) : V := sub (snd (local_state Js)) (sub (G i (local_x Js))
  (G i x)).
Definition drift (y : V) : V := sub (sub (G i y) (G i x)) (sub (grad_f y) (grad_f x)).

Lemma B_pos : 1 <= INR b. Proof. change 1 with (INR 1). apply le_INR. assumption. Qed.
Lemma local_x_step J Js : local_x (J :: Js) = local_next Js.
Proof. reflexivity. Qed.
Lemma local_moved_nonneg Js : 0 <= local_moved Js.
Proof. apply sq_nonneg. Qed.
Lemma paths_nonneg k : 0 <= paths k.
Proof. apply sum_nonneg. intros. apply Ex_nonneg. intros. apply local_moved_nonneg. Qed.
Lemma error_split Js : local_error Js = add (add e (local_noise Js)) (drift (local_x Js)).
Proof.
  unfold local_error, local_estimate, error, point, local_noise, drift. set (y := local_x Js).
  set (z := snd (local_state Js)). vector_eq w. ring.
Qed.
Lemma drift_bound y : sq (drift y) <= zeta * zeta * sq (sub y x).
Proof.
  assert (P1 : 1 <= INR P) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (D : drift y = over P (vsum P (fun j => sub (sub (G i y) (G j y)) (sub (G i x) (G j x))))).
  { unfold drift. vector_eq w. rewrite ip_vsum, !ip_gradient.
    rewrite (sum_ext P (fun j => ip (sub (sub (G i y) (G j y)) (sub (G i x) (G j x))) w)
      (fun j => (ip (G i y) w - ip (G i x) w) - (ip (G j y) w - ip (G j x) w))).
    2:{ intros. products. ring. }
    rewrite sum_sub, sum_const, sum_sub. field. lra. }
  rewrite <- (norm_sq (sub y x)). replace (zeta * zeta * (norm (sub y x) * norm (sub y x)))
    with (zeta * norm (sub y x) * (zeta * norm (sub y x))) by ring.
  apply sq_le. rewrite D, norm_over. apply Rmult_le_reg_l with (INR P); [lra|].
  rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra. eapply Rle_trans; [apply norm_vsum|].
  rewrite <- sum_const. apply sum_le. intros j Hj. apply (het i j Hi Hj y x).
Qed.
(* E |e + Z_k|^2 <= |e|^2 + (L^2/b) sum of the squared steps *)
Lemma martingale_part k : E k (fun Js => sq (add e (local_noise Js))) <= sq e
  + L * L / INR b * paths k.
Proof.
  pose proof B_pos as B1. induction k as [|k IH].
  - rewrite Ex_history_O. cbn [sum]. unfold local_noise.
    cbn [local_state local_run local_x fst snd].
    replace (add e (sub zero (sub (G i x) (G i x)))) with e by (vector_eq w; ring). lra.
  - rewrite Ex_history_S. cbn [sum].
    apply Rle_trans with (E k (fun Js => sq (add e (local_noise Js))
      + L * L / INR b * local_moved Js)).
    2:{ rewrite Ex_add, Ex_mul. lra. }
    apply Ex_le. intros Js _. set (y := local_x Js). set (y' := local_next Js).
    set (a := fun j => sub (grad i j y') (grad i j y)).
    set (D := fun J : batch => sub (over b (vsum_in (data i) J a)) (average_vector (data i) a)).
    assert (Avg : average_vector (data i) a = sub (G i y') (G i y)).
    { symmetry. apply (change_average P data grad y y' i Hi). }
    rewrite (Ex_ext _ _ (fun J => sq (add e (local_noise Js)) + (2 * ip (D J)
      (add e (local_noise Js)) + sq (D J)))).
    2:{ intros J _. replace (add e (local_noise (J :: Js))) with (add (add e (local_noise Js))
          (D J)).
        - rewrite sq_add, (ip_sym (add e _)). ring.
        - unfold D. rewrite Avg. unfold local_noise. rewrite local_x_step.
          change (snd (local_state (J :: Js))) with (add (snd (local_state Js))
            (over b (vsum_in (data i) J a))).
          fold y. fold y'. set (g := over b (vsum_in (data i) J a)).
          set (z := snd (local_state Js)).
          vector_eq w. ring. }
    rewrite !Ex_add, Ex_mul, Ex_const. unfold D at 1.
    rewrite (sample_mean (data i) b Hb enough a), Rmult_0_r, Rplus_0_l. apply Rplus_le_compat_l.
    eapply Rle_trans; [apply (sample_change (data i) b Hb enough a (L * L * local_moved Js))|right;
      field; lra].
    intros j Hj. unfold a, local_moved. fold y. fold y'.
    apply (data_change P data grad L lip); assumption.
Qed.
(* E |x^{t,k} - x^{t,0}|^2 <= k times the sum of the squared steps *)
Lemma path_part k : E k (fun Js => sq (sub (local_x Js) x)) <= INR k * paths k.
Proof.
  induction k as [|k IH].
  - rewrite Ex_history_O. cbn. rewrite sub_self, sq_zero. lra.
  - rewrite Ex_history_S. rewrite S_INR. cbn [sum]. set (q := E k local_moved).
    assert (Q0 : 0 <= q) by (apply Ex_nonneg; intros; apply local_moved_nonneg).
    rewrite (Ex_ext _ _ (fun Js => sq (sub (local_next Js) x))).
    2:{ intros Js _. rewrite (Ex_ext _ _ (fun _ => sq (sub (local_next Js) x))) by reflexivity.
        apply Ex_const. }
    destruct k as [|k].
    + cbn [sum]. simpl (INR 0). unfold q. rewrite !Ex_history_O. unfold local_moved.
      change (local_x []) with x. lra.
    + set (k' := INR (S k)) in *. assert (K0 : 0 < k') by (apply lt_0_INR; lia).
      apply Rle_trans with (E (S k) (fun Js => (1 + / k') * sq (sub (local_x Js) x) + (1 + k')
        * local_moved Js)).
      * apply Ex_le. intros Js _. replace (sub (local_next Js) x)
          with (add (sub (local_x Js) x) (sub (local_next Js) (local_x Js))) by (vector_eq w; ring).
        rewrite sq_add. fold (local_moved Js).
        pose proof (young (/ k') (sub (local_x Js) x) (sub (local_next Js) (local_x Js))
          (Rinv_0_lt_compat _ K0)) as Y.
        fold (local_moved Js) in Y.
        replace (local_moved Js / / k') with (k' * local_moved Js) in Y by (field; lra). lra.
      * rewrite Ex_add, !Ex_mul. fold q.
        assert (i0 : 0 < / k') by (apply Rinv_0_lt_compat; assumption).
        apply Rle_trans with ((1 + / k') * (k' * paths (S k)) + (1 + k') * q).
        -- apply Rplus_le_compat_r. apply Rmult_le_compat_l; [lra|exact IH].
        -- right. cbn [sum]. field. lra.
Qed.
Lemma local_errors_k k : (1 <= k)%nat ->
  E k (fun Js => sq (local_error Js)) <= 2 * sq e + (2 * (zeta * zeta) * INR k
    + 2 * (L * L / INR b)) * paths k.
Proof.
  intro Hk. apply Rle_trans with (E k (fun Js => 2 * sq (add e (local_noise Js)) + 2 * (zeta * zeta)
    * sq (sub (local_x Js) x))).
  - apply Ex_le. intros Js _. rewrite error_split. eapply Rle_trans; [apply sq_add_le|].
    pose proof (drift_bound (local_x Js)). lra.
  - rewrite Ex_add, !Ex_mul. pose proof (martingale_part k). pose proof (path_part k) as Q.
    assert (Z : 0 <= 2 * (zeta * zeta)) by (pose proof (Rle_0_sqr zeta) as Z; unfold Rsqr in Z;
      lra).
    apply Rmult_le_compat_l with (r := 2 * (zeta * zeta)) in Q; [lra|assumption].
Qed.
Lemma local_errors_0 : E 0%nat (fun Js => sq (local_error Js)) = sq e.
Proof.
  rewrite Ex_history_O. f_equal. unfold local_error, local_estimate, error, point.
  cbn [local_state local_run local_x fst snd].
  vector_eq w. ring.
Qed.
Definition local_factor (k : nat) : R := (INR k - 1) * (INR k * (zeta * zeta)
  + 2 * (L * L / INR b)).
Theorem local_errors k : sum (S k) (fun l => E l (fun Js => sq (local_error Js)))
  <= (2 * INR (S k) - 1) * sq e + local_factor (S k) * paths (S k).
Proof.
  pose proof B_pos as B1. pose proof (sq_nonneg e) as e0.
  assert (Z : 0 <= zeta * zeta) by apply Rle_0_sqr.
  assert (LL : 0 <= L * L / INR b) by (apply Rmult_le_pos; [apply Rle_0_sqr|left;
    apply Rinv_0_lt_compat; lra]).
  induction k as [|k IH].
  - cbn [sum]. rewrite local_errors_0. unfold local_factor. simpl INR. lra.
  - cbn [sum] in IH |- *. pose proof (local_errors_k (S k) ltac:(lia)) as A. cbn [sum] in A.
    set (S1 := sum k (fun l => E l local_moved) + E k local_moved) in *.
    set (m := E (S k) local_moved) in *.
    assert (m0 : 0 <= m) by (apply Ex_nonneg; intros; apply local_moved_nonneg).
    assert (S0 : 0 <= S1) by (apply (paths_nonneg (S k))).
    set (k1 := INR (S k)) in *. assert (K1 : 1 <= k1) by (change 1 with (INR 1); apply le_INR; lia).
    unfold local_factor in *. rewrite (S_INR (S k)). fold k1. fold k1 in IH.
    assert (C : 0 <= (k1 + 1 - 1) * ((k1 + 1) * (zeta * zeta) + 2 * (L * L / INR b)) * m).
    { apply Rmult_le_pos; [|assumption]. apply Rmult_le_pos; [lra|].
      assert (0 <= (k1 + 1) * (zeta * zeta)) by (apply Rmult_le_pos; lra). lra. }
    lra.
Qed.
End Round.
End Local.

(* ---- A run ---- *)

(* Lambda_0: the weight of the squared movement of a round in the potential of the table. *)
Definition table_factor (P p K b : nat) (L zeta : R) : R :=
  movement_factor 1 P p * (INR P - 1) / (2 * INR p * INR P) * (zeta * zeta)
    + change_noise P p K b L.
(* Lambda *)
Definition fledge_factor (P p K b : nat) (L zeta : R) : R :=
  (2 * INR K - 1) * (lifetime P p * (table_factor P p K b L zeta * INR K))
    + local_factor b L zeta K.

Section Run.
Context {V : space}.
Variables (P p K b : nat).
Hypothesis Hp : (1 <= p)%nat.
Hypothesis HpP : (p <= P)%nat.
Hypothesis HK : (1 <= K)%nat.
Hypothesis Hb : (1 <= b)%nat.
Variables (data : nat -> nat) (grad : nat -> nat -> V -> V) (L zeta sigma : R).
Hypothesis enough_data : forall i, (i < P)%nat -> (K * b <= data i)%nat.
Hypothesis lip : data_lipschitz P data grad L.
Hypothesis het : heterogeneous P (client_gradient data grad) zeta.
Hypothesis bounded : data_bounded P data grad sigma.
Variables (eta : R) (noise : list round -> nat -> list batch -> V).
Notation G := (client_gradient data grad).
Notation NP := (INR P).
Notation Np := (INR p).
Notation fn := (fresh_noise P p K b sigma).
Notation tf := (table_factor P p K b L zeta).

(* Over the client of a round and the first k of its minibatches. *)
Definition local_mean (k : nat) (q : nat -> list batch -> R) : R :=
  Ex (index P) (fun i => Ex (history (uniform (data i) b) k) (q i)).
Notation moved_in past s := (local_moved P b data grad eta noise past s).
Notation error_in past s := (local_error P b data grad eta noise past s).

Lemma P_pos : (1 <= P)%nat. Proof. exact (Nat.le_trans _ _ _ Hp HpP). Qed.
Lemma b_data i : (i < P)%nat -> (b <= data i)%nat.
Proof. intro Hi. specialize (enough_data i Hi). nia. Qed.
Lemma local_mean_le k (q q' : nat -> list batch -> R) :
  (forall i Js, (i < P)%nat -> q i Js <= q' i Js) -> local_mean k q <= local_mean k q'.
Proof.
  intro H. apply Ex_le. intros i Hi. apply index_possible in Hi; [|exact P_pos]. apply Ex_le.
  intros. apply H, Hi.
Qed.
Lemma local_mean_sum k (q : nat -> nat -> list batch -> R) :
  Ex (index P) (fun i => sum k (fun l => Ex (history (uniform (data i) b) l) (q l i)))
  = sum k (fun l => local_mean l (q l)).
Proof. apply (Ex_sum (index P) k). Qed.

(* The sum over the local steps of a round, in the mean. *)
Theorem round_errors past s :
  sum K (fun k => local_mean k (fun i Js => sq (error_in past s i Js)))
  <= (2 * INR K - 1) * sq (error P G s)
     + local_factor b L zeta K * sum K (fun k => local_mean k (moved_in past s)).
Proof.
  rewrite <- (local_mean_sum K (fun _ i Js => sq (error_in past s i Js))), <- (local_mean_sum K
    (fun _ => moved_in past s)).
  rewrite <- Ex_mul, <- (Ex_const (index P) ((2 * INR K - 1) * sq (error P G s))), <- Ex_add.
  apply Ex_le. intros i Hi. apply index_possible in Hi; [|exact P_pos].
  assert (Kk : K = S (pred K)) by lia. pose proof (b_data i Hi) as Db. rewrite Kk.
  apply (local_errors P b P_pos Hb data grad L zeta lip het eta noise past s i Hi Db).
Qed.
Lemma tf_nonneg : 0 <= tf.
Proof.
  pose proof (Nn P p Hp HpP). pose proof (Bb P p Hp HpP) as [p1 pP]. pose proof (M_pos K b HK Hb).
  unfold table_factor, change_noise. apply Rplus_le_le_0_compat.
  - apply Rmult_le_pos; [|apply Rle_0_sqr]. apply Rmult_le_pos.
    + apply Rmult_le_pos; [apply movement_factor_nonneg; assumption || lra|lra].
    + left. apply Rinv_0_lt_compat. nra.
  - apply Rmult_le_pos.
    + apply Rmult_le_pos; [apply Rmult_le_pos; lra|apply Rle_0_sqr].
    + left. apply Rinv_0_lt_compat. repeat apply Rmult_lt_0_compat; lra.
Qed.
Theorem round_phi past s :
  Ex (round_law P p K b data) (fun c => phi P G (fledge_round P p K b eta noise data grad past s c))
  <= phi P G s - Np / NP * (2 - Np / NP) * sq (error P G s)
     + (tf * INR K * sum K (fun k => local_mean k (moved_in past s)) + fn).
Proof.
  rewrite <- (local_mean_sum K (fun _ => moved_in past s)). rewrite <- Ex_mul.
  rewrite <- (Ex_const (index P) fn), <- Ex_add.
  rewrite <- (Ex_const (index P) (phi P G s - Np / NP * (2 - Np / NP) * sq (error P G s))),
    <- Ex_add.
  unfold round_law. rewrite Ex_bind. apply Ex_le. intros i Hi.
  apply index_possible in Hi; [|exact P_pos].
  rewrite Ex_bind. set (base := phi P G s - Np / NP * (2 - Np / NP) * sq (error P G s)).
  set (xK := fun Js => local_x P b data grad eta noise past s i Js).
  pose proof tf_nonneg as T0.
  apply Rle_trans with (Ex (history (uniform (data i) b) K) (fun Js => base + fn
    + tf * sq (sub (xK Js) (fst s)))).
  - apply Ex_le. intros Js _.
    change (Ex (uniform P p) (fun I => Ex (fresh_law P data (K * b)) (fun J =>
      phi P G (refresh P p K b data grad s (xK Js) I J))) <= base + fn + tf * sq (sub (xK Js)
        (fst s))).
    pose proof (refresh_moment P p K b Hp HpP HK Hb data grad L zeta sigma enough_data lip het
      bounded s (xK Js) 1 ltac:(lra)) as H.
    unfold base, table_factor, phi, potential in *. rewrite <- (error_is_mean P G s) in *. lra.
  - rewrite Ex_add, Ex_const, Ex_mul.
    pose proof (path_part P b P_pos Hb data grad eta noise past s i Hi (b_data i Hi) K) as Q.
    apply Rmult_le_compat_l with (r := tf) in Q; [|assumption]. fold xK in Q. unfold xK in *. lra.
Qed.

Variable start : V * (nat -> V).
Notation run := (fledge P p K b eta noise data grad start).
Notation E t := (Ex (fledge_history P p K b data t)).
(* E over the rounds before, the client and the first minibatches *)
Definition errors_of_round (t : nat) : R :=
  E t (fun past => sum K (fun k => local_mean k (fun i Js => sq (error_in past (run past) i Js)))).
Definition movement_of_round (t : nat) : R :=
  E t (fun past => sum K (fun k => local_mean k (moved_in past (run past)))).

Lemma movement_nonneg t : 0 <= movement_of_round t.
Proof.
  apply Ex_nonneg. intros past _. apply sum_nonneg. intros k _. apply Ex_nonneg. intros i _.
  apply Ex_nonneg. intros Js _. apply sq_nonneg.
Qed.
Lemma fn_nonneg : 0 <= fn.
Proof.
  pose proof (Nn P p Hp HpP). pose proof (Bb P p Hp HpP) as [p1 pP]. pose proof (M_pos K b HK Hb).
  unfold fresh_noise.
  apply Rmult_le_pos; [apply Rmult_le_pos; [lra|apply Rle_0_sqr]|]. left. apply Rinv_0_lt_compat.
  repeat apply Rmult_lt_0_compat; lra.
Qed.
Theorem table_errors T :
  sum T (fun t => E t (fun past => sq (error P G (run past))))
  <= Rmin (INR T) (lifetime P p) * (phi P G start + INR T * fn)
    + lifetime P p * (tf * INR K * sum T movement_of_round).
Proof.
  pose proof (Nn P p Hp HpP) as P1. pose proof (Bb P p Hp HpP) as [p1 pP].
  pose proof (BN_1 P p Hp HpP) as [r0 r1].
  set (err := fun t => E t (fun past => sq (error P G (run past)))).
  set (a := fun t => E t (fun past => phi P G (run past))).
  set (k := Np / NP * (2 - Np / NP)). assert (k0 : 0 < k) by (unfold k; nra).
  assert (Lk : lifetime P p = / k).
  { unfold lifetime, k. assert (2 * NP - Np <> 0) by lra. field. repeat split; lra. }
  set (g := tf * INR K). assert (g0 : 0 <= g) by (apply Rmult_le_pos;
    [exact tf_nonneg|apply pos_INR]).
  pose proof fn_nonneg as F0. pose proof (phi_nonneg P p Hp HpP G start) as S0.
  assert (step : forall t, a (S t) <= a t - k * err t + (g * movement_of_round t + fn)).
  { intro t. unfold a, err, movement_of_round, fledge_history. rewrite Ex_history_S.
    rewrite <- (Ex_mul _ g), <- (Ex_mul _ k), <- Ex_sub,
      <- (Ex_const (history (round_law P p K b data) t) fn), <- !Ex_add.
    apply Ex_le. intros past _. cbn [fledge]. apply round_phi. }
  assert (err0 : forall t, 0 <= err t) by (intro t; apply Ex_nonneg; intros; apply sq_nonneg).
  assert (err_a : forall t, err t <= a t) by (intro t; apply Ex_le; intros;
    apply (error_phi P p Hp HpP)).
  set (X := phi P G start + INR T * fn + g * sum T movement_of_round).
  (* by the decrease, and term by term *)
  assert (T1 : sum T err <= lifetime P p * X).
  { pose proof (telescope a (fun t => k * err t) (fun t => g * movement_of_round t + fn) T
      (fun t _ => step t)) as H.
    rewrite sum_add, !sum_mul, sum_const in H. change (a O) with (phi P G start) in H.
    assert (0 <= a T) by (apply Ex_nonneg; intros; apply (phi_nonneg P p Hp HpP)).
    rewrite Lk. apply Rmult_le_reg_l with k; [assumption|].
    rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra. unfold X. lra. }
  assert (T2 : sum T err <= INR T * X).
  { rewrite <- sum_const. apply sum_le. intros t Ht. eapply Rle_trans; [apply err_a|].
    pose proof (telescope a (fun t => k * err t) (fun t => g * movement_of_round t + fn) t
      (fun t _ => step t)) as H.
    rewrite sum_add, !sum_mul, sum_const in H. change (a O) with (phi P G start) in H.
    assert (0 <= k * sum t err) by (apply Rmult_le_pos; [lra|apply sum_nonneg; intros; apply err0]).
    assert (M1 : sum t movement_of_round <= sum T movement_of_round).
    { clear - Ht HpP Hp. induction T as [|T IH]; [lia|]. cbn [sum]. pose proof (movement_nonneg T).
      destruct (Nat.eq_dec t T) as [e|e]; [subst; lra|].
      assert (sum t movement_of_round <= sum T movement_of_round) by (apply IH; lia). lra. }
    assert (INR t * fn <= INR T * fn) by (apply Rmult_le_compat_r; [assumption|apply le_INR; lia]).
    assert (g * sum t movement_of_round <= g * sum T movement_of_round) by (apply Rmult_le_compat_l;
      assumption).
    unfold X. lra. }
  assert (w0 : 0 < lifetime P p) by (rewrite Lk; apply Rinv_0_lt_compat; assumption).
  assert (Mv : 0 <= g * sum T movement_of_round) by (apply Rmult_le_pos;
    [assumption|apply sum_nonneg; intros; apply movement_nonneg]).
  apply Rle_trans with (Rmin (INR T) (lifetime P p) * X).
  - unfold Rmin. destruct Rle_dec; assumption.
  - unfold X. rewrite (Rmult_plus_distr_l _ (_ + _)). apply Rplus_le_compat_l.
    apply Rmult_le_compat_r; [assumption|apply Rmin_r].
Qed.
Theorem fledge_errors T :
  sum T errors_of_round <= fledge_factor P p K b L zeta * sum T movement_of_round
    + (2 * INR K - 1) * (Rmin (INR T) (lifetime P p) * (phi P G start + INR T * fn)).
Proof.
  pose proof (table_errors T) as H.
  set (err := fun t => E t (fun past => sq (error P G (run past)))) in *.
  assert (K1 : 1 <= INR K) by (change 1 with (INR 1); apply le_INR; assumption).
  apply Rle_trans with (sum T (fun t => (2 * INR K - 1) * err t
    + local_factor b L zeta K * movement_of_round t)).
  - apply sum_le. intros t _. unfold errors_of_round, err, movement_of_round.
    rewrite <- !Ex_mul, <- Ex_add.
    apply Ex_le. intros past _. apply round_errors.
  - rewrite sum_add, !sum_mul. unfold fledge_factor.
    apply Rmult_le_compat_l with (r := 2 * INR K - 1) in H; [|lra]. lra.
Qed.
End Run.

(* ---- The starts ---- *)

(* The potential after the start of Option I, for the deviation of the clients' gradients at x^0. *)
Definition fledge_start_factor (P p K b : nat) (sigma dev : R) : R :=
  start_factor P p * dev + (1 + 3 / INR P) * (sigma * sigma / (INR p * INR (K * b))).

Section Starts.
Context {V : space}.
Variables (P p K b : nat).
Hypothesis HP : (1 <= P)%nat.
Hypothesis HK : (1 <= K)%nat.
Hypothesis Hb : (1 <= b)%nat.
Variables (data : nat -> nat) (grad : nat -> nat -> V -> V) (sigma : R) (x0 : V).
Hypothesis enough_data : forall i, (i < P)%nat -> (K * b <= data i)%nat.
Hypothesis bounded : data_bounded P data grad sigma.
Notation G := (client_gradient data grad).
Notation M := (INR (K * b)).

Theorem fledge_start_II_moment :
  Ex (fresh_law P data (K * b)) (fun J => phi P G (fledge_start_II K b data grad x0 J))
  <= 4 * (sigma * sigma) / (INR P * M).
Proof.
  pose proof (M_pos K b HK Hb) as M1.
  assert (P1 : 1 <= INR P) by (change 1 with (INR 1); apply le_INR; assumption).
  set (law := fun i => uniform (data i) (K * b)).
  pose (u := fun i J => fresh_error K b data grad x0 i J).
  rewrite (Ex_ext _ _ (fun J => / INR P * / INR P * sq (vsum_in P full (fun i => u i (J i)))
    + 3 / INR P * (/ INR P * sum P (fun i => sq (u i (J i)))))).
  2:{ intros J _. unfold phi, potential, mean_of, mean_sq. rewrite sq_over. reflexivity. }
  change (fresh_law P data (K * b)) with (family none P law).
  rewrite Ex_add, !Ex_mul.
  rewrite (independent_squares none law u full P (fun i w Hi => fresh_error_mean P K b HK Hb data
    grad enough_data x0 i w Hi)).
  rewrite Ex_sum.
  assert (S : sum P (fun i => Ex (law i) (fun J => sq (u i J))) <= INR P * (sigma * sigma / M)).
  { rewrite <- sum_const. apply sum_le. intros i Hi.
    apply (fresh_error_square P K b HK Hb data grad sigma enough_data bounded x0 i Hi). }
  rewrite (sum_ext P (fun i => ind full i * Ex (law i) (fun o => sq (u i o))) (fun i => Ex (law i)
    (fun J => sq (u i J)))).
  2:{ intros. unfold ind, full. ring. }
  rewrite (sum_ext P (fun i => Ex (family none P law) (fun J => sq (u i (J i))))
    (fun i => Ex (law i) (fun J => sq (u i J)))).
  2:{ intros i Hi. apply (Ex_family_one none P law i (fun J => sq (u i J)) Hi). }
  set (s := sum P _) in *. assert (i0 : 0 < / INR P) by (apply Rinv_0_lt_compat; lra).
  replace (4 * (sigma * sigma) / (INR P * M))
    with (4 * / INR P * / INR P * (INR P * (sigma * sigma / M))) by (field; lra).
  replace (/ INR P * / INR P * s + 3 / INR P * (/ INR P * s)) with (4 * / INR P * / INR P * s)
    by (field; lra).
  apply Rmult_le_compat_l; [nra|exact S].
Qed.
(* Option I: all rows are the mean of what p clients answer. Each is off by what SLEDGE's start is and
   by the mean of the errors of the minibatches. *)
Hypothesis Hp : (1 <= p)%nat.
Hypothesis HpP : (p <= P)%nat.
Theorem fledge_start_I_moment :
  Ex (uniform P p) (fun I0 => Ex (fresh_law P data (K * b)) (fun J =>
    phi P G (fledge_start_I P p K b data grad x0 I0 J)))
  <= fledge_start_factor P p K b sigma (deviation P G x0).
Proof.
  pose proof (M_pos K b HK Hb) as M1. pose proof (Nn P p Hp HpP) as P1.
  pose proof (Bb P p Hp HpP) as [p1 pP].
  set (law := fun i => uniform (data i) (K * b)).
  pose (u := fun i J => fresh_error K b data grad x0 i J).
  set (S := fun I0 => sledge_start_I P p G x0 I0).
  assert (One : forall I0, possible (uniform P p) I0 ->
    Ex (fresh_law P data (K * b)) (fun J => phi P G (fledge_start_I P p K b data grad x0 I0 J))
    <= phi P G (S I0) + (1 + 3 / INR P) * (sigma * sigma / (INR p * M))).
  { intros I0 PI. set (w := fun J : nat -> batch => over p (vsum_in P I0 (fun i => u i (J i)))).
    assert (R : forall J i, row_error G (fledge_start_I P p K b data grad x0 I0 J) i
      = add (row_error G (S I0) i) (w J)).
    { intros J i. unfold row_error, S, w, u, table, point, fresh_error.
      cbn [fledge_start_I sledge_start_I fst snd]. vector_eq q. rewrite !ip_vsum_in.
      rewrite (sum_ext P (fun l => ind I0 l * ip (sub (fresh_gradient K b data grad l (J l) x0)
        (G l x0)) q) (fun l => ind I0 l * ip (fresh_gradient K b data grad l (J l) x0) q
          - ind I0 l * ip (G l x0) q)) by (intros; products; ring).
      rewrite sum_sub. ring. }
    set (e := mean_of P (row_error G (S I0))).
    rewrite (Ex_ext _ _ (fun J => phi P G (S I0) + (2 * (1 + 3 / INR P) * / INR p
      * ip (vsum_in P I0 (fun i => u i (J i))) e
      + (1 + 3 / INR P) * (/ INR p * / INR p) * sq (vsum_in P I0 (fun i => u i (J i)))))).
    2:{ intros J _. unfold phi, potential. fold e.
        assert (E1 : mean_of P (row_error G (fledge_start_I P p K b data grad x0 I0 J))
          = add e (w J)).
        { unfold e. vector_eq q. rewrite !ip_mean_of.
          rewrite (sum_ext P _ (fun i => ip (row_error G (S I0) i) q + ip (w J) q))
            by (intros; rewrite R; apply ip_add).
          rewrite sum_add, sum_const. field. lra. }
        assert (E2 : mean_sq P (row_error G (fledge_start_I P p K b data grad x0 I0 J))
          = mean_sq P (row_error G (S I0)) + 2 * ip (w J) e + sq (w J)).
        { unfold mean_sq. rewrite (sum_ext P _ (fun i => sq (row_error G (S I0) i)
            + (2 * ip (row_error G (S I0) i) (w J) + sq (w J)))) by (intros; rewrite R, sq_add; ring).
          rewrite !sum_add, sum_mul, sum_const, (ip_sym (w J) e). unfold e. rewrite ip_mean_of.
          field. lra. }
        rewrite E1, E2, sq_add, (ip_sym e). unfold w. rewrite sq_over, ip_over. ring. }
    rewrite !Ex_add, !Ex_mul, Ex_const. change (fresh_law P data (K * b)) with (family none P law).
    pose proof (fun i w Hi => fresh_error_mean P K b HK Hb data grad enough_data x0 i w Hi) as Z.
    rewrite (independent_cross none P law u Z P I0 e (le_n P)).
    rewrite (independent_squares none law u I0 P Z).
    assert (Sq : sum P (fun i => ind I0 i * Ex (law i) (fun o => sq (u i o)))
      <= INR p * (sigma * sigma / M)).
    { rewrite <- (uniform_size P p I0 HpP PI), Rmult_comm, <- sum_mul. apply sum_le. intros i Hi.
      rewrite (Rmult_comm (sigma * sigma / M)). apply Rmult_le_compat_l; [apply ind_bounds|].
      apply (fresh_error_square P K b HK Hb data grad sigma enough_data bounded x0 i Hi). }
    set (s := sum P _) in *. assert (t0 : 0 < 3 / INR P)
      by (apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra]).
    assert (i0 : 0 < / INR p) by (apply Rinv_0_lt_compat; lra).
    replace ((1 + 3 / INR P) * (sigma * sigma / (INR p * M)))
      with ((1 + 3 / INR P) * (/ INR p * / INR p) * (INR p * (sigma * sigma / M))) by (field; lra).
    assert ((1 + 3 / INR P) * (/ INR p * / INR p) * s
      <= (1 + 3 / INR P) * (/ INR p * / INR p) * (INR p * (sigma * sigma / M))).
    { apply Rmult_le_compat_l; [|exact Sq]. apply Rmult_le_pos; nra. }
    lra. }
  eapply Rle_trans; [apply Ex_le; exact One|]. rewrite Ex_add, Ex_const. unfold S.
  rewrite (phi_start_I P p Hp HpP G x0). unfold fledge_start_factor. lra.
Qed.
End Starts.

(* ---- dist-variance-lemma/expectation ---- *)

Section Sums.
Context {V : space}.
Variables (P p K b : nat).
Hypothesis Hp : (1 <= p)%nat.
Hypothesis HpP : (p <= P)%nat.
Hypothesis HK : (1 <= K)%nat.
Hypothesis Hb : (1 <= b)%nat.
Variables (data : nat -> nat) (grad : nat -> nat -> V -> V) (L zeta sigma : R).
Hypothesis enough_data : forall i, (i < P)%nat -> (K * b <= data i)%nat.
Hypothesis lip : data_lipschitz P data grad L.
Hypothesis het : heterogeneous P (client_gradient data grad) zeta.
Hypothesis bounded : data_bounded P data grad sigma.
Variables (eta : R) (x0 : V) (T : nat).

Notation fn := (fresh_noise P p K b sigma).
(* A start that is drawn, and noise that may depend on it. *)
Lemma fledge_errors_start {O} (m : mean O) (start : O -> V * (nat -> V))
    (noise : O -> list round -> nat -> list batch -> V) s0 :
  Ex m (fun o => phi P (client_gradient data grad) (start o)) <= s0 ->
  Ex m (fun o => sum T (errors_of_round P p K b data grad eta (noise o) (start o)))
  <= fledge_factor P p K b L zeta * Ex m (fun o =>
       sum T (movement_of_round P p K b data grad eta (noise o) (start o)))
     + (2 * INR K - 1) * (Rmin (INR T) (lifetime P p) * (s0 + INR T * fn)).
Proof.
  intro S0. assert (K1 : 1 <= INR K) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (M0 : 0 <= Rmin (INR T) (lifetime P p)).
  { pose proof (Nn P p Hp HpP). pose proof (Bb P p Hp HpP). pose proof (BN_1 P p Hp HpP).
    apply Rmin_glb; [apply pos_INR|].
    unfold lifetime. apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; nra]. }
  eapply Rle_trans.
  - apply Ex_le. intros o _. apply (fledge_errors P p K b Hp HpP HK Hb data grad L zeta sigma
      enough_data lip het bounded eta (noise o) (start o) T).
  - rewrite Ex_add, Ex_mul. apply Rplus_le_compat_l. rewrite !Ex_mul, Ex_add, Ex_const.
    apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; [assumption|].
    apply Rplus_le_compat_r. exact S0.
Qed.
Theorem fledge_errors_II (noise : (nat -> batch) -> list round -> nat -> list batch -> V) :
  let start := fledge_start_II K b data grad x0 in
  Ex (fresh_law P data (K * b)) (fun J =>
    sum T (errors_of_round P p K b data grad eta (noise J) (start J)))
  <= fledge_factor P p K b L zeta * Ex (fresh_law P data (K * b)) (fun J =>
       sum T (movement_of_round P p K b data grad eta (noise J) (start J)))
     + (2 * INR K - 1) * (Rmin (INR T) (lifetime P p)
       * (4 * (sigma * sigma) / (INR P * INR (K * b)) + INR T * fn)).
Proof.
  intro start. apply fledge_errors_start.
  apply (fledge_start_II_moment P K b (Nat.le_trans _ _ _ Hp HpP) HK Hb data grad sigma x0
    enough_data bounded).
Qed.
(* Option I: p clients are drawn first; the noise may depend on them. *)
Theorem fledge_errors_I (noise : batch -> (nat -> batch) -> list round -> nat -> list batch -> V) :
  let start := fledge_start_I P p K b data grad x0 in
  Ex (uniform P p) (fun I0 => Ex (fresh_law P data (K * b)) (fun J =>
    sum T (errors_of_round P p K b data grad eta (noise I0 J) (start I0 J))))
  <= fledge_factor P p K b L zeta * Ex (uniform P p) (fun I0 => Ex (fresh_law P data (K * b))
       (fun J => sum T (movement_of_round P p K b data grad eta (noise I0 J) (start I0 J))))
     + (2 * INR K - 1) * (Rmin (INR T) (lifetime P p) * (fledge_start_factor P p K b sigma
       (deviation P (client_gradient data grad) x0) + INR T * fn)).
Proof.
  intro start.
  apply (fledge_errors_start (fledge_start_law_I P p K b data) (fun o => start (fst o) (snd o))
    (fun o => noise (fst o) (snd o))).
  apply (fledge_start_I_moment P p K b HK Hb data grad sigma x0
    enough_data bounded Hp HpP).
Qed.
End Sums.
