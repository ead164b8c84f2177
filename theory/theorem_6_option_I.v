(* Theorem 6 (theorem:Dist-First-Main, lines 496-511 and 2191-2227) with probability, Option I: the
   rounds of FLEDGE grow with logarithms of 1/nu.

   Printed: as for Option II (theorem_6_high_probability.v), with sigma_c^2 + G_c^2/p beside Delta.
   Proved [theorem_6_option_I_high_probability], for all that is admitted there and gradients of the
   clients at x^0 at most d0 apart (at most 2 sigma_c in the words of Assumption 3 (i)): with C_1,
   lambda and eta of Option II, m = max(1, ceil(P C_1/p)) [oldest_row], E = d0 + 2 lambda sigma/sqrt(Kb),
   with probability at least 1 - 2 nu
       (1/(TK)) sum_{t<T} sum_{k<K} |grad f(x^{t,k})|^2
           <= 2 Delta/(eta TK) + 240 lambda^4 sigma^2/(PKb) + 4 r^2/eta^2 + 4 m E^2/T.
   Stronger than printed: as there. Weaker: the term of the start has P C_1/p and the largest deviation,
   where a mean over the clients that are asked would give it divided by p.

   Proof. Option I is a run whose table is exact at the start, disturbed by an adversary [follow]: the rows of
   two runs that differ in their starts differ as long as they have not been refreshed, and an adversary who adds eta
   times the mean of these differences to every local step makes the one run visit the points of the other. The
   disturbance is at most r + eta E in the first m rounds, where no client misses more than m of them, and r after
   that; what is proved for Option II admits any noise. *)
From Coq Require Import Reals Lra Lia List PeanoNat Bool.
From Sledge Require Import vectors means minibatches algorithms problems second_moments
  sledge_errors fledge_sampling fledge_errors.
From Sledge Require Import theorem_2_expectation theorem_6_expectation.
From Sledge Require Import probability hoeffding azuma minibatch_tails coverage sledge_tails lemma_1.
From Sledge Require Import theorem_2_probability theorem_6_probability fledge_tails theorem_6_high_probability.
Import ListNotations.
Open Scope R_scope.

(* ---- A run that follows another one ---- *)

(* Whether client i has refreshed its row. *)
Fixpoint refreshed (past : list round) (i : nat) : bool :=
  match past with [] => false | c :: before => (clients c i || refreshed before i)%bool end.
Lemma never_refreshed past i : refreshed past i = false -> row_age past i = length past.
Proof.
  unfold row_age. induction past as [|c before IH]; [reflexivity|]. cbn [refreshed map age length]. intro H.
  apply orb_false_iff in H. destruct H as [H1 H2]. rewrite H1, IH by exact H2. reflexivity.
Qed.

Section Follow.
Context {V : space}.
Variables (P p K b : nat) (data : nat -> nat) (grad : nat -> nat -> V -> V) (eta : R).
Variables (noise : list round -> nat -> list batch -> V) (x0 : V) (y0 y1 : nat -> V).
(* the mean of the rows of the second run less those of the first *)
Definition difference (past : list round) : V :=
  over P (vsum P (fun i => if refreshed past i then zero else sub (y1 i) (y0 i))).
Definition follower (past : list round) (i : nat) (before : list batch) : V :=
  add (noise past i before) (scale eta (difference past)).
Notation run := (fledge P p K b eta noise data grad (x0, y0)).
Notation run1 := (fledge P p K b eta follower data grad (x0, y1)).

Lemma follow_locally past i v x Js :
  local_run b eta follower data grad past i (add v (difference past)) x Js
  = local_run b eta noise data grad past i v x Js.
Proof.
  induction Js as [|J Js IH]; [reflexivity|]. cbn [local_run]. rewrite IH. unfold local_step.
  set (s := local_run b eta noise data grad past i v x Js).
  assert (E : local_point eta follower past i (add v (difference past)) Js s = local_point eta noise past i v Js s).
  { unfold local_point, local_estimate, follower. vector_eq w. ring. }
  rewrite E. reflexivity.
Qed.
Lemma follow past : fst (run1 past) = fst (run past) /\
  (forall i, snd (run1 past) i = if refreshed past i then snd (run past) i
    else add (snd (run past) i) (sub (y1 i) (y0 i))) /\
  estimate P (run1 past) = add (estimate P (run past)) (difference past).
Proof.
  assert (Mean : forall past, (forall i, snd (run1 past) i = if refreshed past i then snd (run past) i
    else add (snd (run past) i) (sub (y1 i) (y0 i))) ->
    estimate P (run1 past) = add (estimate P (run past)) (difference past)).
  { intros q H. unfold estimate, table, difference. vector_eq w. rewrite !ip_vsum, <- Rmult_plus_distr_l, <- sum_add.
    f_equal. apply sum_ext. intros i _. rewrite H. destruct (refreshed q i); products; ring. }
  induction past as [|c before IH].
  - assert (R : forall i, snd (run1 []) i = if refreshed [] i then snd (run []) i
      else add (snd (run []) i) (sub (y1 i) (y0 i))) by (intro i; cbn; vector_eq w; ring).
    split; [reflexivity|]. split; [exact R|exact (Mean [] R)].
  - destruct IH as [F [R E]].
    assert (X : fst (run1 (c :: before)) = fst (run (c :: before))).
    { cbn [fledge]. unfold fledge_round, refresh. cbn [fst]. rewrite E, F, follow_locally. reflexivity. }
    assert (R' : forall i, snd (run1 (c :: before)) i = if refreshed (c :: before) i then snd (run (c :: before)) i
      else add (snd (run (c :: before)) i) (sub (y1 i) (y0 i))).
    { intro i. cbn [fledge refreshed]. unfold fledge_round, refresh. cbn [snd]. rewrite E, F, follow_locally, R.
      destruct (clients c i); cbn [orb]; [reflexivity|]. destruct (refreshed before i); [reflexivity|].
      vector_eq w. ring. }
    split; [exact X|]. split; [exact R'|exact (Mean _ R')].
Qed.
Lemma follow_step k past : step_point P p K b data grad eta follower (x0, y1) k past
  = step_point P p K b data grad eta noise (x0, y0) k past.
Proof.
  destruct past as [|c before]; [reflexivity|]. cbn [step_point]. unfold local_x, local_state.
  destruct (follow before) as [F [_ E]]. rewrite E, F, follow_locally. reflexivity.
Qed.

(* The disturbance, where rows start at most E apart and none is older than m. *)
Variables (E : R) (m : nat).
Hypothesis HP : (1 <= P)%nat.
Hypothesis E0 : 0 <= E.
Hypothesis starts : forall i, (i < P)%nat -> norm (sub (y1 i) (y0 i)) <= E.
Lemma difference_bound past : (oldest P (row_age past) <= m)%nat ->
  norm (difference past) <= if (length past <=? m)%nat then E else 0.
Proof.
  intro Old. unfold difference. rewrite norm_over. assert (N0 : 0 < INR P) by (apply lt_0_INR; lia).
  apply Rmult_le_reg_l with (INR P); [exact N0|]. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra.
  eapply Rle_trans; [apply norm_vsum|]. rewrite <- sum_const. apply sum_le. intros i Hi.
  destruct (refreshed past i) eqn:e; [rewrite norm_zero; destruct (_ <=? _)%nat; lra|].
  apply never_refreshed in e. pose proof (oldest_above P (row_age past) i Hi).
  rewrite (proj2 (Nat.leb_le (length past) m)) by lia. apply starts, Hi.
Qed.
End Follow.

(* ---- The event of probability at least 1 - 2 nu ---- *)

Section Event.
Context {V : space}.
Variables (P p K b : nat).
Hypothesis Hp : (1 <= p)%nat.
Hypothesis HpP : (p <= P)%nat.
Hypothesis HK : (1 <= K)%nat.
Hypothesis Hb : (1 <= b)%nat.
Variables (data : nat -> nat) (grad : nat -> nat -> V -> V) (L zeta sigma : R).
Hypothesis enough_data : forall i, (i < P)%nat -> (K * b <= data i)%nat.
Hypothesis L0 : 0 <= L.
Hypothesis zeta0 : 0 <= zeta.
Hypothesis sigma0 : 0 <= sigma.
Hypothesis lip : data_lipschitz P data grad L.
Notation G := (client_gradient data grad).
Hypothesis het : heterogeneous P G zeta.
Hypothesis bounded : data_bounded P data grad sigma.
Variables (x0 : V) (d0 : R) (T : nat) (nu : R).
Hypothesis d0_nonneg : 0 <= d0.
Hypothesis apart_at_x0 : forall i j, (i < P)%nat -> (j < P)%nat -> norm (sub (G i x0) (G j x0)) <= d0.
Hypothesis HT : (1 <= T)%nat.
Hypothesis Hnu : 0 < nu < 1.
Notation NP := (INR P).
Notation Np := (INR p).
Notation M := (INR (K * b)).
Notation l := (fledge_lambda P K b T nu).
Notation C_1 := (log_factor P p T nu).
Notation start o := (fledge_start_I P p K b data grad x0 (fst o) (snd o)).
Notation exact_rows := (fun i => G i x0).
(* E *)
Definition start_error : R := d0 + fresh_radius K b sigma l.

Lemma start_error_nonneg : 0 <= start_error.
Proof.
  pose proof (radius_above (INR (5 * (P * (K * b)) * S T)) nu) as l1.
  pose proof (proj1 (radii K b HK Hb L sigma L0 sigma0 l ltac:(unfold fledge_lambda; lra))) as f0.
  unfold start_error. lra.
Qed.
Theorem fledge_good_event_I eta
    (noise : batch * (nat -> batch) -> list round -> nat -> list batch -> V) :
  with_probability (fledge_history_I P p K b data T) (1 - 2 * nu) (fun o =>
    (forall i, (i < P)%nat -> norm (sub (G i x0) (snd (start (fst o)) i)) <= start_error) /\
    good P p K b data grad L zeta sigma eta l (follower P eta (noise (fst o)) (snd (start (fst o))) exact_rows)
      (x0, exact_rows) 0 (oldest_row P p T nu - 1) (snd o)).
Proof.
  destruct (best_theta (INR (5 * (P * (K * b)) * S T)) nu (draws_1 P p K b Hp HpP HK Hb T HT) Hnu) as [theta [Ht E]].
  fold l in E. pose proof (lambda_1 P K b T nu) as l1. assert (Hl : 0 <= l) by lra.
  pose proof (exp_pos (theta * (l * l))) as h0. pose proof (exp_pos (kappa theta)) as k0.
  pose proof (M_pos K b HK Hb) as M1. pose proof (Nn P p Hp HpP) as P1. pose proof (Bb P p Hp HpP) as [p1 pP].
  set (h := exp (theta * (l * l))) in *. set (cost := exp (kappa theta)) in *.
  set (st := (x0, exact_rows) : V * (nat -> V)).
  set (ns := fun o => follower P eta (noise o) (snd (start o)) exact_rows).
  set (off := fun J : nat -> batch => existsb (fun i => exceeds (l * l * (2 * sigma * (2 * sigma) / M))
    (sq (fresh_error K b data grad x0 i (J i)))) (seq 0 P)).
  set (bad := fun o past => (ever (round_bad P p K b data grad L sigma eta (ns o) st l) past
    || table_far P p K b data grad L zeta sigma eta (ns o) st l 0 past)%bool).
  assert (Row : forall i, row_error G st i = zero) by (intro i; apply sub_self).
  assert (Err : error P G st = zero).
  { rewrite error_is_mean. vector_eq w. rewrite ip_mean_of, (sum_zero P); [ring|].
    intros i _. rewrite Row. apply ip_zero. }
  assert (Far : forall o, h * probability (fledge_history P p K b data T) (ever (bad o))
    <= INR T * (5 * (NP * M) * cost)).
  { intro o. pose proof (fledge_tail P p K b Hp HpP HK Hb data grad L zeta sigma enough_data L0 zeta0 sigma0 lip
      het bounded eta (ns o) st theta l Ht Hl 0) as H. rewrite Err in H.
    specialize (H ltac:(intros i _; rewrite Row, norm_zero; apply (radii K b HK Hb L sigma L0 sigma0 l Hl))
      ltac:(split; [lra|auto]) T). rewrite tower_zero, Rplus_0_l in H.
    eapply Rle_trans; [exact H|].
    - apply Rmult_le_compat_l; [apply pos_INR|]. unfold round_cost. fold cost. apply Rmult_le_compat_r; [lra|].
      assert (a1 : 1 * M <= NP * M) by (apply Rmult_le_compat_r; lra).
      assert (a2 : NP * 1 <= NP * M) by (apply Rmult_le_compat_l; lra).
      assert (a3 : Np * M <= NP * M) by (apply Rmult_le_compat_r; lra). lra. }
  assert (Ev : with_probability (fledge_history_I P p K b data T) (1 - nu) (fun o =>
    off (snd (fst o)) = false /\ ever (bad (fst o)) (snd o) = false)).
  { apply (unless _ (fun o => off (snd (fst o)) || ever (bad (fst o)) (snd o))%bool).
    2:{ intros o _ e. apply orb_false_iff, e. }
    apply Rmult_le_reg_l with h; [exact h0|].
    change (h * Ex (uniform P p) (fun I0 => Ex (fresh_law P data (K * b)) (fun J =>
      Ex (fledge_history P p K b data T) (fun past =>
        if (off J || ever (bad (I0, J)) past)%bool then 1 else 0))) <= h * nu).
    assert (N5 : INR (5 * (P * (K * b)) * S T) = 5 * (NP * M) * (INR T + 1)).
    { rewrite mult_INR, S_INR, mult_INR, (mult_INR P). replace (INR 5) with 5 by (simpl; ring). ring. }
    rewrite (Rmult_comm h nu), <- E, N5, <- Ex_mul. apply Ex_at_most. intros I0 _. rewrite <- Ex_mul.
    apply Rle_trans with (Ex (fresh_law P data (K * b)) (fun J => h * (if off J then 1 else 0)
      + INR T * (5 * (NP * M) * cost))).
    - apply Ex_le. intros J _. rewrite <- (Ex_const (fledge_history P p K b data T) (if off J then 1 else 0)).
      eapply Rle_trans; [|apply Rplus_le_compat_l, (Far (I0, J))]. unfold probability.
      rewrite <- Rmult_plus_distr_l, <- Ex_add. apply Rmult_le_compat_l; [lra|]. apply Ex_le. intros past _.
      destruct (off J), (ever (bad (I0, J)) past); cbn [orb]; lra.
    - rewrite Ex_add, Ex_mul, Ex_const.
      pose proof (fresh_rare P K b HK Hb data grad sigma enough_data sigma0 bounded theta l Ht x0) as S2.
      fold h in S2. fold cost in S2. unfold probability in S2. fold off in S2.
      assert (0 <= NP * M * cost) by (apply Rmult_le_pos; [apply Rmult_le_pos; lra|lra]).
      change (h * Ex (fresh_law P data (K * b)) (fun J => if off J then 1 else 0) <= NP * (M * cost)) in S2. lra. }
  pose proof (log_factor_pos P p Hp HpP T nu Hnu) as C0.
  set (k := oldest_row P p T nu). assert (Hk : (1 <= k)%nat) by (unfold k, oldest_row; lia).
  assert (Kk : NP / Np * C_1 <= INR k).
  { eapply Rle_trans; [apply ceiling_above|]. apply le_INR. unfold k, oldest_row. lia. }
  pose proof (of_clients P p K b data T _ _ (coverage_sharper P p T k Hp HpP C_1 nu Hk ltac:(lra)
    (Rle_refl _) Kk)) as [A [A1 A2]].
  assert (Cov : with_probability (fledge_history_I P p K b data T) (1 - nu) (fun o =>
    fresh_up_to P T k (map clients (snd o)))).
  { exists (fun o => A (snd o)). split.
    - change (1 - nu <= Ex (uniform P p) (fun _ => Ex (fresh_law P data (K * b)) (fun _ =>
        probability (fledge_history P p K b data T) A))). rewrite !Ex_const. exact A1.
    - intros [o past] [o' [_ [past' [PP Eq]]]] e. simpl in Eq. injection Eq as E1 E2. subst o' past'.
      apply A2; assumption. }
  assert (Hw : 1 - 2 * nu <= 1 - (nu + nu)) by lra.
  eapply (with_probability_weaken _ _ _ _ _ Hw); [|apply (union_bound _ _ _ _ _ Ev Cov)].
  intros [[I0 J] past] [o' [Po [past' [PP Eq]]]] [[Off Good] Fresh]. simpl in Eq. injection Eq as E1 E2.
  subst o' past'. cbn [fst snd] in *. destruct Po as [I' [PI [J' [PJ Eq]]]]. simpl in Eq. injection Eq as E1 E2.
  subst I' J'. pose proof (history_length _ _ _ PP) as Len. split.
  - intros i Hi. cbn [fledge_start_I snd fst].
    replace (sub (G i x0) _) with (scale (-1) (sub (over p (vsum_in P I0 (fun j => fresh_gradient K b data grad j (J j)
      x0))) (G i x0))) by (vector_eq w; ring).
    rewrite norm_scale. replace (Rabs (-1)) with 1 by (rewrite Rabs_left; lra). rewrite Rmult_1_l.
    apply (mean_in_ball P p Hp HpP I0 _ _ _ PI). intros j Hj.
    replace (sub (fresh_gradient K b data grad j (J j) x0) (G i x0))
      with (add (sub (G j x0) (G i x0)) (fresh_error K b data grad x0 j (J j)))
      by (unfold fresh_error; vector_eq w; ring).
    eapply Rle_trans; [apply norm_add|]. apply Rplus_le_compat; [apply apart_at_x0; assumption|].
    pose proof (existsb_false _ P j Off Hj) as Fe. cbv beta in Fe.
    pose proof (family_possible none P _ J j PJ Hj) as Pj. cbv beta in Pj.
    rewrite (fresh_is P K b HK Hb data grad enough_data x0 j (J j) Hj Pj) in *.
    apply (sample_norm (data j) (K * b) (Kb_1 K b HK Hb) (enough_data j Hj) _ (2 * sigma));
      [lra|exact Hl|exact Fe].
  - apply (good_where_never_bad P p K b Hp HpP HK Hb data grad L zeta sigma T nu HT eta (ns (I0, J)) st 0 k T);
      try assumption.
    intros t i Ht' Hi. unfold row_age. rewrite map_at_time. apply Fresh; lia.
Qed.
End Event.

(* ---- The theorem ---- *)

Section Theorem6.
Context {V : space}.
Variables (P p K b : nat).
Hypothesis Hp : (1 <= p)%nat.
Hypothesis HpP : (p <= P)%nat.
Hypothesis HK : (1 <= K)%nat.
Hypothesis Hb : (1 <= b)%nat.
Variables (data : nat -> nat) (f : nat -> nat -> V -> R) (grad : nat -> nat -> V -> V)
  (L zeta sigma fstar : R).
Hypothesis enough_data : forall i, (i < P)%nat -> (K * b <= data i)%nat.
Hypothesis HL : 0 < L.
Hypothesis zeta0 : 0 <= zeta.
Hypothesis sigma0 : 0 <= sigma.
Hypothesis smoothness : data_smooth P data f grad L.
Notation G := (client_gradient data grad).
Notation F := (objective P (client_objective data f)).
Notation grad_f := (gradient P G).
Hypothesis infimum : forall x, fstar <= F x.
Hypothesis het : heterogeneous P G zeta.
Hypothesis bounded : data_bounded P data grad sigma.
Variables (x0 : V) (d0 : R) (T : nat) (nu r : R).
Hypothesis d0_nonneg : 0 <= d0.
Hypothesis apart_at_x0 : forall i j, (i < P)%nat -> (j < P)%nat -> norm (sub (G i x0) (G j x0)) <= d0.
Hypothesis HT : (1 <= T)%nat.
Hypothesis Hnu : 0 < nu < 1.
Notation NP := (INR P).
Notation Np := (INR p).
Notation NK := (INR K).
Notation M := (INR (K * b)).
Notation l := (fledge_lambda P K b T nu).
Notation E := (start_error P K b sigma d0 T nu).
Notation start o := (fledge_start_I P p K b data grad x0 (fst o) (snd o)).
Notation eta := (fledge_high_step_size P p K b T L zeta nu).
Variable noise : batch * (nat -> batch) -> list round -> nat -> list batch -> V.
Hypothesis noise_r : forall o past i before, norm (noise o past i before) <= r.
Notation Delta := (F x0 - fstar).
Notation visited := (fun o t k => step_point P p K b data grad eta (noise (fst o)) (start (fst o)) k
  (at_time (S t) (snd o))).

(* The squares of the disturbances, r in all rounds and eta E in the first m + 1 besides. *)
Lemma disturbance (y0 y1 : nat -> V) m past st ns :
  (forall i, (i < P)%nat -> norm (sub (y1 i) (y0 i)) <= E) ->
  good P p K b data grad L zeta sigma eta l ns st 0 m past ->
  discounted 1 (fun past => (r + eta * norm (difference P y0 y1 past)) * (r + eta * norm (difference P y0 y1 past))
    / eta) past
  <= INR (length past) * (2 * (r * r) / eta) + INR (Nat.min (length past) (S m)) * (2 * eta * (E * E)).
Proof.
  intro Y. pose proof (fledge_high_step_size_facts P p K b Hp HpP HK Hb L zeta HL T nu HT) as [e0 _].
  pose proof (start_error_nonneg P K b HK Hb L sigma ltac:(lra) sigma0 d0 T nu d0_nonneg) as E0.
  induction past as [|c before IH]; intro Gd; [simpl; lra|].
  destruct Gd as [Gd [_ [_ [_ [_ Old]]]]]. specialize (IH Gd). cbn [discounted length]. rewrite S_INR.
  pose proof (difference_bound P y0 y1 E m ltac:(lia) E0 Y before Old) as D.
  set (n := norm (difference P y0 y1 before)) in *. assert (n0 : 0 <= n) by apply norm_nonneg.
  assert (Sq : (r + eta * n) * (r + eta * n) / eta <= 2 * (r * r) / eta + 2 * eta * (n * n)).
  { apply Rmult_le_reg_r with eta; [exact e0|].
    replace ((r + eta * n) * (r + eta * n) / eta * eta) with ((r + eta * n) * (r + eta * n)) by (field; lra).
    replace ((2 * (r * r) / eta + 2 * eta * (n * n)) * eta) with (2 * (r * r) + 2 * (eta * n * (eta * n)))
      by (field; lra).
    pose proof (Rle_0_sqr (r - eta * n)) as Q. unfold Rsqr in Q. lra. }
  revert D. destruct (Nat.leb_spec (length before) m) as [h|h]; intro D.
  - rewrite Nat.min_l in IH by lia. rewrite Nat.min_l by lia. rewrite S_INR.
    assert (nn : n * n <= E * E) by (apply Rmult_le_compat; assumption).
    apply Rmult_le_compat_l with (r := 2 * eta) in nn; [|lra]. lra.
  - rewrite Nat.min_r in IH by lia. rewrite Nat.min_r by lia. assert (nz : n = 0) by lra.
    assert (nn : 2 * eta * (n * n) = 0) by (rewrite nz; ring). lra.
Qed.
Theorem theorem_6_option_I_high_probability :
  with_probability (fledge_history_I P p K b data T) (1 - 2 * nu) (fun o =>
    sum T (fun t => sum K (fun k => sq (grad_f (visited o t k)))) / (INR T * NK)
    <= 2 * Delta / (eta * (INR T * NK)) + 240 * (l * l * (l * l)) * (sigma * sigma) / (NP * M)
       + 4 * (r * r) / (eta * eta) + 4 * INR (oldest_row P p T nu) * (E * E) / INR T).
Proof.
  pose proof (fledge_high_step_size_facts P p K b Hp HpP HK Hb L zeta HL T nu HT) as [e0 [e1 e2]].
  pose proof (lambda_1 P K b T nu) as l1.
  pose proof (M_pos K b HK Hb) as M1. pose proof (Nn P p Hp HpP) as P1.
  pose proof (Bb P p Hp HpP) as [p1 pP]. pose proof (BN_1 P p Hp HpP) as [q0 q1].
  assert (K1 : 1 <= NK) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (T1 : 1 <= INR T) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (TK : 0 < INR T * NK) by (apply Rmult_lt_0_compat; lra).
  eapply with_probability_weaken; [apply Rle_refl| |apply (fledge_good_event_I P p K b Hp HpP HK Hb data grad L zeta
    sigma enough_data ltac:(lra) zeta0 sigma0 (data_lip P data f grad L smoothness) het bounded x0 d0 T nu
    apart_at_x0 HT Hnu eta noise)].
  intros [o past] [o' [Po [past' [PP Eq]]]] [Y Gd]. simpl in Eq. injection Eq as Eq1 Eq2.
  subst o' past'. cbn [fst snd] in *. pose proof (history_length _ _ _ PP) as Len.
  set (y0 := snd (start o)) in *. set (y1 := fun i => G i x0) in *. set (m := (oldest_row P p T nu - 1)%nat) in *.
  pose proof (fledge_path_gradients P p K b Hp HpP HK Hb data f grad L zeta sigma fstar enough_data HL
    zeta0 sigma0 smoothness infimum het eta (fun past => r + eta * norm (difference P y0 y1 past)) l
    (log_factor P p T nu) (follower P eta (noise o) y0 y1) (x0, y1) e0) as H.
  specialize (H ltac:(intros q i before; unfold follower; eapply Rle_trans; [apply norm_add|];
    rewrite norm_scale, Rabs_right by lra; apply Rplus_le_compat_r, noise_r) l1 0 m (Rle_refl 0)
    (oldest_row_bound P p Hp HpP T nu Hnu) e1 e2 past Gd).
  pose proof (disturbance y0 y1 m past _ _ Y Gd) as Ds.
  assert (Mn : INR (Nat.min (length past) (S m)) <= INR (oldest_row P p T nu)).
  { apply le_INR. unfold m, oldest_row. lia. }
  rewrite Len in H, Ds, Mn. cbn [fst] in H.
  set (Gs := sum T _). set (Gt := totals _ past) in H.
  assert (GE : Gt = Gs).
  { unfold Gt, Gs. rewrite totals_is, Len. apply sum_ext. intros t Ht.
    assert (Vis : forall k, step_point P p K b data grad eta (noise o) (start o) k (at_time (S t) past)
      = step_point P p K b data grad eta (follower P eta (noise o) y0 y1) (x0, y1) k (at_time (S t) past))
      by (intro k; rewrite follow_step; reflexivity).
    rewrite (sum_ext K _ (fun k => sq (grad_f (step_point P p K b data grad eta (follower P eta (noise o) y0 y1)
      (x0, y1) k (at_time (S t) past))))) by (intros k _; rewrite Vis; reflexivity).
    destruct (at_time_step t past ltac:(lia)) as [c Ec]. rewrite Ec.
    assert (Pc : possible (fledge_history P p K b data (S t)) (c :: at_time t past)).
    { rewrite <- Ec. apply (possible_at_time (fun _ => round_law P p K b data) (S t) T past PP). lia. }
    apply history_possible in Pc. destruct Pc as [_ Pc].
    destruct (round_possible P p K b Hp HpP HK Hb data c Pc) as [_ [Hh _]].
    cbn [in_round step_point]. rewrite discounted_one, (history_length _ _ _ Hh). reflexivity. }
  rewrite GE in H. clear GE Gt.
  set (g := sigma * sigma / (NP * M)).
  assert (g0 : 0 <= g) by (apply Rmult_le_pos; [apply Rle_0_sqr|left; apply Rinv_0_lt_compat,
    Rmult_lt_0_compat; lra]).
  assert (l2 : 1 * 1 <= l * l) by (apply Rmult_le_compat; lra).
  assert (Fl : lifetime P p * round_noise P p K b sigma l <= 8 * (1 + 4 * (l * l)) * g).
  { unfold lifetime, round_noise.
    replace (NP / (Np * (2 - Np / NP)) * (8 * Np * (1 + 4 * (l * l)) * (sigma * sigma) / (NP * NP * M)))
      with (8 * (1 + 4 * (l * l)) * g * / (2 - Np / NP)).
    2:{ unfold g. assert (2 * NP - Np <> 0) by lra. field. repeat split; lra. }
    rewrite <- (Rmult_1_r (8 * (1 + 4 * (l * l)) * g)) at 2. apply Rmult_le_compat_l.
    - apply Rmult_le_pos; [lra|assumption].
    - rewrite <- Rinv_1. apply Rinv_le_contravar; lra. }
  assert (Fl2 : l * l * (0 + lifetime P p * round_noise P p K b sigma l) <= 40 * (l * l * (l * l)) * g).
  { apply Rle_trans with (l * l * (8 * (1 + 4 * (l * l)) * g)); [apply Rmult_le_compat_l; lra|].
    assert (0 <= l * l * g * (l * l - 1)) by (apply Rmult_le_pos; [apply Rmult_le_pos; lra|lra]). lra. }
  assert (EE : 0 <= 2 * eta * (E * E)) by (apply Rmult_le_pos; [lra|apply Rle_0_sqr]).
  apply Rmult_le_compat_r with (r := 2 * eta * (E * E)) in Mn; [|exact EE].
  assert (Ds2 : NK * (INR T * (2 * (r * r) / eta) + INR (oldest_row P p T nu) * (2 * eta * (E * E)))
    >= NK * discounted 1 (fun past => (r + eta * norm (difference P y0 y1 past)) * (r + eta * norm (difference P y0 y1
      past)) / eta) past).
  { apply Rle_ge, Rmult_le_compat_l; lra. }
  apply Rmult_le_reg_l with (eta / 2 * (INR T * NK)); [apply Rmult_lt_0_compat; lra|].
  replace (eta / 2 * (INR T * NK) * (Gs / (INR T * NK))) with (eta / 2 * Gs) by (field; lra).
  eapply Rle_trans; [exact H|].
  replace (240 * (l * l * (l * l)) * (sigma * sigma) / (NP * M)) with (6 * (40 * (l * l * (l * l)) * g))
    by (unfold g; field; lra).
  set (fl := 0 + lifetime P p * round_noise P p K b sigma l) in *.
  replace (eta / 2 * (INR T * NK) * (2 * Delta / (eta * (INR T * NK)) + 6 * (40 * (l * l * (l * l)) * g)
    + 4 * (r * r) / (eta * eta) + 4 * INR (oldest_row P p T nu) * (E * E) / INR T))
    with (Delta + 3 * (eta * (INR T * NK)) * (40 * (l * l * (l * l)) * g)
      + NK * (INR T * (2 * (r * r) / eta) + INR (oldest_row P p T nu) * (2 * eta * (E * E))))
    by (field; lra).
  assert (X : 0 <= 3 * (eta * (INR T * NK))) by (apply Rmult_le_pos; [lra|apply Rmult_le_pos; lra]).
  apply Rmult_le_compat_l with (r := 3 * (eta * (INR T * NK))) in Fl2; [|exact X]. lra.
Qed.
End Theorem6.
