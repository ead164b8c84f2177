(* Where FLEDGE is a simpler method, how SLEDGE is computed, and the errors of SAGA and SARAH from which it is built.

   One datum per client is read as data that are all alike, as many as a minibatch takes: FLEDGE's minibatches have
   b and Kb data.

   Contents
     fledge_is_sledge              K = 1, one datum per client: SLEDGE with n = P and minibatches of p (lines 457-458)
     fledge_zero_heterogeneity     zeta = 0, one datum per client, Option II: gradient descent with TK steps (512-513)
     fledge_full_participation     p = P, Kb data per client, all used: the mean of the table is the gradient (line 631)
     local_increment_unbiased      the mean of what a local step adds to z (line 477)
     local_with_one_datum          z itself, with one datum per client
     server_mean                   the mean of the table from the rows of the clients of the round alone (line 488)
     efficient_rows, efficient_mean  SLEDGE with one shift for all rows (lines 355-362, v^{t-1} for v_i^t)
     saga_error, sarah_error       the errors of SAGA and of SARAH (lines 305-321) *)
From Coq Require Import Reals Lra Lia PeanoNat List Bool.
From Sledge Require Import vectors means minibatches algorithms problems fledge_sampling fledge_errors identities.
Import ListNotations.
Open Scope R_scope.

(* ---- Rounds that can be drawn ---- *)

Lemma possible_round P p K b data c : (1 <= P)%nat -> possible (round_law P p K b data) c ->
  (worker c < P)%nat /\ (length (local c) = K /\ Forall (possible (uniform (data (worker c)) b)) (local c))
  /\ possible (uniform P p) (clients c)
  /\ forall i, (i < P)%nat -> possible (uniform (data i) (K * b)) (fresh c i).
Proof.
  intros HP [i [Pi [Js [PJ [I [PI [J [PJ' e]]]]]]]]. simpl in e. subst c. cbn [worker local clients fresh].
  split; [apply index_possible in Pi; assumption|]. split; [split; [apply (history_length _ _ _ PJ)|]|].
  - apply (history_forall _ _ _ PJ).
  - split; [exact PI|]. intros l Hl. exact (family_possible none P _ J l PJ' Hl).
Qed.

(* ---- One datum per client ---- *)

Section One_datum.
Context {V : space}.
Variables (P p K b : nat).
Hypothesis HP : (1 <= P)%nat.
Hypothesis HK : (1 <= K)%nat.
Hypothesis Hb : (1 <= b)%nat.
Variables (eta : R) (data : nat -> nat) (noise : list round -> nat -> list batch -> V) (grad : nat -> nat -> V -> V).
Hypothesis enough_data : forall i, (i < P)%nat -> (K * b <= data i)%nat.
(* The data of client i are copies of one, with the gradient G i. *)
Variable G : nat -> V -> V.
Hypothesis one_datum : forall i j x, (i < P)%nat -> (j < data i)%nat -> grad i j x = G i x.
Notation rounds past := (Forall (possible (round_law P p K b data)) past).

Lemma data_mean_one i k J (a : nat -> V) u : (1 <= k)%nat -> (k <= data i)%nat -> possible (uniform (data i) k) J ->
  (forall j, (j < data i)%nat -> a j = u) -> data_mean data i k J a = u.
Proof.
  intros Hk Hi PJ E. apply mean_of_equal; [assumption|apply (uniform_size (data i) k J Hi PJ)|]. intros. apply E.
  assumption.
Qed.
Lemma fresh_one i J x : (i < P)%nat -> possible (uniform (data i) (K * b)) J ->
  fresh_gradient K b data grad i J x = G i x.
Proof.
  intros Hi PJ. apply data_mean_one; [nia|apply enough_data, Hi|exact PJ|]. intros. apply one_datum; assumption.
Qed.
Lemma fresh_change_one i J x' x : (i < P)%nat -> possible (uniform (data i) (K * b)) J ->
  fresh_change K b data grad i J x' x = sub (G i x') (G i x).
Proof.
  intros Hi PJ. apply data_mean_one; [nia|apply enough_data, Hi|exact PJ|]. intros. rewrite !one_datum by assumption.
  reflexivity.
Qed.
(* With one datum per client z^{t,k} = grad f_i(x^{t,k}) - grad f_i(x^{t,0}) for the worker i, k = |Js|. *)
Theorem local_with_one_datum past i v x Js : (i < P)%nat -> Forall (possible (uniform (data i) b)) Js ->
  let s := local_run b eta noise data grad past i v x Js in snd s = sub (G i (fst s)) (G i x).
Proof.
  intros Hi F s. unfold s. clear s. induction Js as [|J Js IH]; [symmetry; apply sub_self|].
  inversion F as [|? ? FJ FF]; subst. specialize (IH FF). cbn [local_run local_step snd fst]. rewrite IH.
  set (s := local_run b eta noise data grad past i v x Js) in *. set (x' := local_point _ _ _ _ _ _ _).
  rewrite (data_mean_one i b J _ (sub (G i x') (G i (fst s)))); try assumption.
  - vector_eq w. ring.
  - specialize (enough_data i Hi). nia.
  - intros. rewrite !one_datum by assumption. reflexivity.
Qed.
(* The start and a round for rows. *)
Notation exact s := (forall i, (i < P)%nat -> snd s i = G i (fst s)).
Lemma start_one x0 J : (forall i, (i < P)%nat -> possible (uniform (data i) (K * b)) (J i)) ->
  exact (fledge_start_II K b data grad x0 J).
Proof. intros PJ i Hi. apply fresh_one; [assumption|apply PJ, Hi]. Qed.

(* zeta = 0 and Option II: every estimate of a local step is the gradient of f, so that each local step is one of
   gradient descent with the noise of that step, and T rounds without noise are TK steps of gradient descent. *)
Theorem fledge_zero_heterogeneity x0 J past : (p <= P)%nat -> (1 <= p)%nat -> heterogeneous P G 0 ->
  (forall i, (i < P)%nat -> possible (uniform (data i) (K * b)) (J i)) -> rounds past ->
  let full x := gradient P G x in
  let run past := fledge P p K b eta noise data grad (fledge_start_II K b data grad x0 J) past in
  let at_step past i Js := local_run b eta noise data grad past i (estimate P (run past)) (point (run past)) Js in
  (forall i Js, (i < P)%nat -> Forall (possible (uniform (data i) b)) Js ->
    local_estimate (estimate P (run past)) (at_step past i Js) = full (fst (at_step past i Js))
    /\ forall J, let x := fst (at_step past i Js) in
      fst (at_step past i (J :: Js)) = add (sub x (scale eta (full x))) (noise past i Js))
  /\ ((forall h i l, noise h i l = zero) ->
      point (run past) = Nat.iter (length past * K) (fun x => sub x (scale eta (full x))) x0).
Proof.
  intros Hp1 Hp2 Z PJ F full run at_step.
  assert (D : forall i j x x', (i < P)%nat -> (j < P)%nat -> sub (G i x') (G i x) = sub (G j x') (G j x)).
  { intros i j x x' Hi Hj. specialize (Z i j Hi Hj x' x). rewrite Rmult_0_l in Z. apply norm_eq in Z.
    vector_eq w. pose proof (f_equal (fun z => ip z w) Z) as E. cbn beta in E. autorewrite with ip in E. lra. }
  assert (P0 : 0 < INR P) by (apply lt_0_INR; lia).
  assert (Df : forall i x x', (i < P)%nat -> sub (full x') (full x) = sub (G i x') (G i x)).
  { intros i x x' Hi. unfold full. vector_eq w. rewrite !ip_gradient, <- Rmult_minus_distr_l, <- sum_sub.
    rewrite (sum_ext P _ (fun _ => ip (G i x') w - ip (G i x) w)).
    - rewrite sum_const. field. lra.
    - intros j Hj. rewrite <- !ip_sub, (D j i x x') by assumption. reflexivity. }
  assert (X : forall past, rounds past -> exact (run past)).
  { clear past F. intros past F. induction past as [|c past IH]; [apply start_one, PJ|].
    inversion F as [|? ? Fc FF]; subst. specialize (IH FF).
    destruct (possible_round P p K b data c HP Fc) as [_ [_ [PI Pf]]]. intros i Hi.
    cbn [run fledge]. fold (run past). unfold fledge_round. set (x' := fst (local_run _ _ _ _ _ _ _ _ _ _)).
    cbn [refresh fst snd]. destruct (clients c i); [apply fresh_one; [assumption|apply Pf, Hi]|].
    rewrite (mean_of_equal P p (clients c) _ (sub (G i x') (G i (fst (run past))))).
    - rewrite IH by assumption. vector_eq w. ring.
    - assumption.
    - apply (uniform_size P p _ Hp1 PI).
    - intros l Hl _. rewrite fresh_change_one by auto. apply D; assumption. }
  assert (Ev : forall past, rounds past -> estimate P (run past) = full (point (run past))).
  { intros h Fh. unfold estimate, full, gradient. f_equal. apply vsum_ext. intros i Hi. apply X; assumption. }
  assert (L : forall past i Js, rounds past -> (i < P)%nat -> Forall (possible (uniform (data i) b)) Js ->
    local_estimate (estimate P (run past)) (at_step past i Js) = full (fst (at_step past i Js))).
  { intros h i Js Fh Hi FJ. unfold local_estimate, at_step. rewrite local_with_one_datum by assumption.
    rewrite <- (Df i) by assumption. rewrite Ev by assumption. vector_eq w. ring. }
  split.
  - intros i Js Hi FJ. split; [apply L; assumption|]. intros J' x. unfold x. rewrite <- (L past i Js) by assumption.
    reflexivity.
  - intro Q. induction past as [|c past IH]; [reflexivity|]. inversion F as [|? ? Fc FF]; subst. specialize (IH FF).
    destruct (possible_round P p K b data c HP Fc) as [Pw [[Len Pl] _]].
    assert (S : forall Js, Forall (possible (uniform (data (worker c)) b)) Js ->
      fst (at_step past (worker c) Js)
      = Nat.iter (length Js) (fun x => sub x (scale eta (full x))) (point (run past))).
    { intros Js FJ. induction FJ as [|J' Js FJ' FJ IH']; [reflexivity|].
      change (Nat.iter (length (J' :: Js)) ?f ?x) with (f (Nat.iter (length Js) f x)). rewrite <- IH'.
      rewrite <- (L past (worker c) Js) by assumption.
      change (fst (at_step past (worker c) (J' :: Js)))
        with (local_point eta noise past (worker c) (estimate P (run past)) Js (at_step past (worker c) Js)).
      unfold local_point. rewrite Q. vector_eq w. ring. }
    specialize (S (local c) Pl). rewrite Len, IH in S.
    change (point (run (c :: past))) with (fst (at_step past (worker c) (local c))). rewrite S.
    cbn [length Nat.mul]. set (g := fun x => sub x (scale eta (full x))).
    generalize (length past * K)%nat. intro m. clear. induction K as [|k IHk]; [reflexivity|].
    simpl. f_equal. exact IHk.
Qed.
End One_datum.

(* K = 1 and one datum per client, both options: FLEDGE's points and table are those of SLEDGE for the gradients G of
   the clients, n = P, minibatches of p, the noise of the one local step; the worker i_t does not matter. *)
Section One_step.
Context {V : space}.
Variables (P p b : nat).
Hypothesis HP : (1 <= P)%nat.
Hypothesis Hb : (1 <= b)%nat.
Variables (eta : R) (data : nat -> nat) (noise : list round -> nat -> list batch -> V) (noise' : list batch -> V).
Hypothesis same_noise : forall past i, noise past i [] = noise' (map clients past).
Variables (grad : nat -> nat -> V -> V) (G : nat -> V -> V).
Hypothesis enough_data : forall i, (i < P)%nat -> (b <= data i)%nat.
Hypothesis one_datum : forall i j x, (i < P)%nat -> (j < data i)%nat -> grad i j x = G i x.

Theorem fledge_is_sledge x0 first J past :
  (forall i, (i < P)%nat -> possible (uniform (data i) (1 * b)) (J i)) ->
  Forall (possible (round_law P p 1 b data)) past ->
  let run := fledge P p 1 b eta noise data grad
    match first with
    | Some I0 => fledge_start_I P p 1 b data grad x0 I0 J
    | None => fledge_start_II 1 b data grad x0 J
    end past in
  let run' := sledge P p eta noise' G
    match first with Some I0 => sledge_start_I P p G x0 I0 | None => sledge_start_II G x0 end (map clients past) in
  point run = point run' /\ estimate P run = estimate P run' /\ forall i, (i < P)%nat -> table run i = table run' i.
Proof.
  assert (E1 : forall i, (i < P)%nat -> (1 * b <= data i)%nat) by (intros; rewrite Nat.mul_1_l; auto).
  intros PJ F run run'. enough (H : point run = point run' /\ forall i, (i < P)%nat -> table run i = table run' i).
  { destruct H as [H H']. split; [exact H|]. split; [|exact H']. unfold estimate. f_equal. apply vsum_ext, H'. }
  unfold run, run'. clear run run'. induction past as [|c past IH].
  - cbn [map fledge sledge]. destruct first as [I0|]; split; try reflexivity; intros i Hi.
    + cbn [fledge_start_I sledge_start_I table snd]. f_equal. apply vsum_in_ext. intros l Hl _.
      apply (fresh_one P 1 b HP (le_n 1) Hb data grad E1 G one_datum); auto.
    + apply (fresh_one P 1 b HP (le_n 1) Hb data grad E1 G one_datum); auto.
  - inversion F as [|? ? Fc FF]; subst. specialize (IH FF). cbn [map fledge sledge].
    destruct (possible_round P p 1 b data c HP Fc) as [_ [[Len _] [_ Pf]]].
    set (s := fledge P p 1 b eta noise data grad _ past) in *. set (s' := sledge P p eta noise' G _ _) in *.
    clearbody s s'. destruct IH as [X T]. unfold point, table in X, T.
    assert (E : estimate P s = estimate P s') by (unfold estimate; f_equal; apply vsum_ext, T).
    assert (Y : fst (local_run b eta noise data grad past (worker c) (estimate P s) (fst s) (local c))
      = next_point P eta noise' (map clients past) s').
    { destruct (local c) as [|J' [|]]; try discriminate. cbn [local_run local_step fst].
      unfold local_point, local_estimate, next_point, point. cbn [fst snd]. rewrite same_noise, X, E. f_equal. f_equal.
      f_equal. vector_eq w. ring. }
    unfold fledge_round. rewrite Y. split; [reflexivity|]. intros i Hi. cbn [refresh sledge_step table snd point].
    destruct (clients c i); [apply (fresh_one P 1 b HP (le_n 1) Hb data grad E1 G one_datum); auto|].
    f_equal; [apply T, Hi|]. f_equal. apply vsum_in_ext. intros l Hl _.
    rewrite (fresh_change_one P 1 b HP (le_n 1) Hb data grad E1 G one_datum) by auto. rewrite X. reflexivity.
Qed.
End One_step.

(* ---- All clients, all data ---- *)

(* p = P, and each client has just the Kb data that it uses: the mean of the table is the gradient of f after every
   round, and at the start. Both options. *)
Theorem fledge_full_participation {V : space} P K b eta data noise (grad : nat -> nat -> V -> V) x0 first J past :
  (1 <= P)%nat -> (forall i, (i < P)%nat -> data i = K * b)%nat ->
  (forall i, (i < P)%nat -> possible (uniform (data i) (K * b)) (J i)) ->
  match first with Some I0 => possible (uniform P P) I0 | None => True end ->
  Forall (possible (round_law P P K b data)) past ->
  let run := fledge P P K b eta noise data grad
    match first with
    | Some I0 => fledge_start_I P P K b data grad x0 I0 J
    | None => fledge_start_II K b data grad x0 J
    end past in
  estimate P run = gradient P (client_gradient data grad) (point run).
Proof.
  intros HP HD PJ PI F run. assert (P0 : 0 < INR P) by (apply lt_0_INR; lia).
  assert (A : forall i B x, (i < P)%nat -> possible (uniform (data i) (K * b)) B ->
    fresh_gradient K b data grad i B x = client_gradient data grad i x).
  { intros i B x Hi PB. rewrite <- (HD i Hi) in PB. unfold fresh_gradient, data_mean, client_gradient, gradient.
    rewrite <- (HD i Hi). f_equal. apply vsum_ext. intros j Hj.
    rewrite (size_full (data i) B (uniform_size _ _ B (le_n _) PB) j Hj). reflexivity. }
  destruct past as [|c past].
  - unfold run. cbn [fledge]. destruct first as [I0|].
    + unfold estimate, gradient. cbn [fledge_start_I table point fst snd].
      pose proof (size_full P I0 (uniform_size _ _ I0 (le_n _) PI)) as Full.
      replace (vsum_in P I0 (fun i => fresh_gradient K b data grad i (J i) x0))
        with (vsum P (fun i => client_gradient data grad i x0)).
      * vector_eq w. rewrite ip_vsum, sum_const, ip_over. field. lra.
      * apply vsum_ext. intros i Hi. rewrite (Full i Hi). symmetry. apply A; auto.
    + unfold estimate, gradient. f_equal. apply vsum_ext. intros i Hi. apply A; auto.
  - inversion F as [|? ? Fc FF]; subst. destruct (possible_round P P K b data c HP Fc) as [_ [_ [Pc Pf]]].
    pose proof (size_full P _ (uniform_size _ _ _ (le_n _) Pc)) as Full.
    unfold estimate, gradient. f_equal. apply vsum_ext. intros i Hi. unfold run. cbn [fledge]. unfold fledge_round.
    cbn [refresh table point fst snd]. rewrite (Full i Hi). apply A; auto.
Qed.

(* ---- A local step, and the server ---- *)

Section Local.
Context {V : space}.
Variables (P p K b : nat) (eta : R) (data : nat -> nat) (noise : list round -> nat -> list batch -> V).
Variable grad : nat -> nat -> V -> V.

(* Given the worker i and all before the minibatch J^{t,k}: the point x^{t,k} does not depend on it, and what it adds to
   z has the mean grad f_i(x^{t,k}) - grad f_i(x^{t,k-1}). *)
Theorem local_increment_unbiased past i v before s w : (1 <= b)%nat -> (b <= data i)%nat ->
  let step J := local_step b eta noise data grad past i v before s J in
  let x' := local_point eta noise past i v before s in
  (forall J, fst (step J) = x')
  /\ Ex (uniform (data i) b) (fun J => ip (sub (snd (step J)) (snd s)) w)
    = ip (sub (client_gradient data grad i x') (client_gradient data grad i (fst s))) w.
Proof.
  intros Hb Hi step x'. split; [reflexivity|].
  pose proof (sample_mean (data i) b Hb Hi (fun j => sub (grad i j x') (grad i j (fst s))) w) as S.
  rewrite (Ex_ext _ _ (fun J => ip (over b (vsum_in (data i) J (fun j => sub (grad i j x') (grad i j (fst s))))) w
    - ip (average_vector (data i) (fun j => sub (grad i j x') (grad i j (fst s)))) w)) in S
    by (intros; apply ip_sub).
  rewrite Ex_sub, Ex_const in S.
  replace (ip (sub (client_gradient data grad i x') (client_gradient data grad i (fst s))) w)
    with (ip (average_vector (data i) (fun j => sub (grad i j x') (grad i j (fst s)))) w).
  - rewrite (Ex_ext _ _ (fun J => ip (over b (vsum_in (data i) J (fun j => sub (grad i j x') (grad i j (fst s))))) w));
      [lra|]. intros J _. unfold step. cbn [local_step snd]. fold x'. unfold data_mean. products. ring.
  - unfold average_vector, client_gradient, gradient. products. rewrite !ip_vsum, <- Rmult_minus_distr_l, <- sum_sub.
    f_equal. apply sum_ext. intros. apply ip_sub.
Qed.

(* With what the clients I of the round send, y_i and Delta y_i, the mean of the new table is a sum over these clients:
     mean' = mean + (1/P) sum_I (y_i - old row i) + (1 - p/P) (1/p) sum_I Delta y_i *)
Theorem server_mean s x' I J : (1 <= P)%nat -> size P I = INR p ->
  let shift := over p (vsum_in P I (fun i => fresh_change K b data grad i (J i) x' (fst s))) in
  estimate P (refresh P p K b data grad s x' I J)
  = add (add (estimate P s) (over P (vsum_in P I (fun i => sub (fresh_gradient K b data grad i (J i) x') (table s i)))))
      (scale (1 - INR p / INR P) shift).
Proof.
  intros HP S shift. assert (P0 : 0 < INR P) by (apply lt_0_INR; lia). unfold estimate. vector_eq w.
  rewrite !ip_vsum, ip_vsum_in. cbn [refresh table snd]. fold shift.
  rewrite (sum_ext P _ (fun i => ip (snd s i) w
    + (ind I i * ip (sub (fresh_gradient K b data grad i (J i) x') (snd s i)) w
       + (ip shift w - ip shift w * ind I i)))).
  - rewrite !sum_add, sum_sub, sum_const, sum_mul. fold (size P I). rewrite S. unfold table. field. lra.
  - intros i _. unfold ind. rewrite ip_sub. destruct (I i); [ring|]. rewrite ip_add. ring.
Qed.
End Local.

(* ---- The efficient implementation of SLEDGE ---- *)

Section Efficient.
Context {V : space}.
Variables (n b : nat) (eta : R) (noise : list batch -> V) (grad : nat -> V -> V) (start : V * (nat -> V)).
Notation run := (sledge n b eta noise grad start).
(* v^t, and w_i^t and v_i^t, which change where i is drawn *)
Fixpoint shift (past : list batch) : V :=
  match past with
  | [] => zero
  | B :: before => add (shift before) (over b (vsum_in n B (fun j =>
      sub (grad j (point (run (B :: before)))) (grad j (point (run before))))))
  end.
Fixpoint kept_shift (past : list batch) (i : nat) : V :=
  match past with [] => zero | B :: before => if B i then shift (B :: before) else kept_shift before i end.
Fixpoint kept_gradient (past : list batch) (i : nat) : V :=
  match past with
  | [] => table start i
  | B :: before => if B i then grad i (point (run (B :: before))) else kept_gradient before i
  end.

(* y_i^t = w_i^t + v^t - v_i^t *)
Theorem efficient_rows past i :
  table (run past) i = sub (add (kept_gradient past i) (shift past)) (kept_shift past i).
Proof.
  induction past as [|B past IH].
  - cbn [sledge kept_gradient shift kept_shift]. vector_eq w. ring.
  - cbn [kept_gradient kept_shift]. change (table (run (B :: past)) i) with (if B i
      then grad i (point (run (B :: past))) else add (table (run past) i) (over b (vsum_in n B (fun j =>
        sub (grad j (point (run (B :: past)))) (grad j (point (run past))))))).
    destruct (B i); [vector_eq w; ring|]. rewrite IH. cbn [shift]. vector_eq w. ring.
Qed.
(* (1/n) sum y_i^t = (1/b) sum_{i in I^t} (grad f_i(x^t) - ((n-b)/n) grad f_i(x^{t-1})) + (1/n) sum y_i^{t-1}
                     - (1/n) sum_{i in I^t} (w_i^{t-1} + v^{t-1} - v_i^{t-1}) *)
Theorem efficient_mean B past : (1 <= n)%nat -> (1 <= b)%nat -> size n B = INR b ->
  let x' := point (run (B :: past)) in let x := point (run past) in
  estimate n (run (B :: past))
  = sub (add (over b (vsum_in n B (fun i => sub (grad i x') (scale ((INR n - INR b) / INR n) (grad i x)))))
           (estimate n (run past)))
      (over n (vsum_in n B (fun i => sub (add (kept_gradient past i) (shift past)) (kept_shift past i)))).
Proof.
  intros Hn Hb S x' x. assert (N0 : 0 < INR n) by (apply lt_0_INR; lia).
  assert (B0 : 0 < INR b) by (apply lt_0_INR; lia).
  replace (vsum_in n B (fun i => sub (add (kept_gradient past i) (shift past)) (kept_shift past i)))
    with (vsum_in n B (table (run past))) by (apply vsum_in_ext; intros; apply efficient_rows).
  unfold estimate. vector_eq w. rewrite !ip_vsum, !ip_vsum_in.
  set (A := over b (vsum_in n B (fun j => sub (grad j x') (grad j x)))).
  rewrite (sum_ext n (fun i => ip (table (run (B :: past)) i) w) (fun i => ind B i * ip (grad i x') w
    + (ip (table (run past) i) w - ind B i * ip (table (run past) i) w + (ip A w - ip A w * ind B i)))).
  - rewrite !sum_add, !sum_sub, sum_const, sum_mul. fold (size n B). rewrite S. unfold A. rewrite ip_over, ip_vsum_in.
    rewrite (sum_ext n (fun i => ind B i * ip (sub (grad i x') (grad i x)) w)
      (fun i => ind B i * ip (grad i x') w - ind B i * ip (grad i x) w)) by (intros; products; ring).
    rewrite (sum_ext n (fun i => ind B i * ip (sub (grad i x') (scale ((INR n - INR b) / INR n) (grad i x))) w)
      (fun i => ind B i * ip (grad i x') w - (INR n - INR b) / INR n * (ind B i * ip (grad i x) w)))
      by (intros; products; ring).
    rewrite !sum_sub, sum_mul. field. lra.
  - intros i _. change (table (run (B :: past)) i) with (if B i then grad i x' else add (table (run past) i) A).
    unfold ind. destruct (B i); [ring|]. rewrite ip_add. ring.
Qed.
End Efficient.

(* ---- SAGA and SARAH ---- *)

Section SAGA.
Context {V : space}.
Variables (n b : nat) (eta : R) (grad : nat -> V -> V) (x0 : V).
(* At x^t, with the minibatch I^t and the stored gradients g,
     v^t = (1/b) sum_{I^t} (grad f_i(x^t) - g_i) + (1/n) sum g_i.
   The history has I^{t-1}, ..., I^0; the gradients at x^0 are stored first. *)
Definition saga_estimate (s : V * (nat -> V)) (B : batch) : V :=
  add (over b (vsum_in n B (fun i => sub (grad i (fst s)) (snd s i)))) (over n (vsum n (snd s))).
Fixpoint saga (past : list batch) : V * (nat -> V) :=
  match past with
  | [] => (x0, fun i => grad i x0)
  | B :: before => let s := saga before in
      (sub (fst s) (scale eta (saga_estimate s B)), fun i => if B i then grad i (fst s) else snd s i)
  end.
(* T(t,i), the last step before t that has i in its minibatch *)
Fixpoint last_sampled (past : list batch) (i : nat) : nat :=
  match past with [] => 0 | B :: before => if B i then length before else last_sampled before i end.
Lemma last_sampled_before past i : (last_sampled past i <= length past)%nat.
Proof. induction past as [|B past IH]; [reflexivity|]. cbn [last_sampled length]. destruct (B i); lia. Qed.
Lemma saga_table past i : snd (saga past) i = grad i (fst (saga (at_time (last_sampled past i) past))).
Proof.
  induction past as [|B past IH]; [reflexivity|]. cbn [saga snd last_sampled]. destruct (B i).
  - rewrite at_time_before, at_time_all by lia. reflexivity.
  - rewrite at_time_before by apply last_sampled_before. exact IH.
Qed.
(* grad f(x^t) - v^t = sum_i (grad f_i(x^t) - grad f_i(x^{T(t,i)}))/n - sum_{i in I^t} (the same)/b *)
Theorem saga_error past B :
  let x := fst (saga past) in
  let since i := sub (grad i x) (grad i (fst (saga (at_time (last_sampled past i) past)))) in
  sub (gradient n grad x) (saga_estimate (saga past) B) = sub (over n (vsum n since)) (over b (vsum_in n B since)).
Proof.
  intros x since. unfold saga_estimate. fold x.
  replace (vsum_in n B (fun i => sub (grad i x) (snd (saga past) i))) with (vsum_in n B since)
    by (apply vsum_in_ext; intros; rewrite saga_table; reflexivity).
  vector_eq w. rewrite ip_gradient, !ip_vsum.
  rewrite (sum_ext n (fun i => ip (since i) w) (fun i => ip (grad i x) w - ip (snd (saga past) i) w))
    by (intros; rewrite saga_table; apply ip_sub).
  rewrite sum_sub. ring.
Qed.
End SAGA.

Section SARAH.
Context {V : space}.
Variables (n b : nat) (eta : R) (grad : nat -> V -> V) (x0 : V).
Notation full x := (gradient n grad x).
(* A step computes the full gradient, None, or adds the mean change over a minibatch. The state is (x^t, v^t). *)
Definition sarah_change (x' x : V) (c : option batch) : V :=
  match c with Some B => over b (vsum_in n B (fun i => sub (grad i x') (grad i x))) | None => zero end.
Fixpoint sarah (past : list (option batch)) : V * V :=
  match past with
  | [] => (x0, full x0)
  | c :: before => let s := sarah before in
      let x' := sub (fst s) (scale eta (snd s)) in
      (x', match c with Some _ => add (snd s) (sarah_change x' (fst s) c) | None => full x' end)
  end.
(* T(t), the last step with a full gradient *)
Fixpoint last_full (past : list (option batch)) : nat :=
  match past with [] => 0 | Some _ :: before => last_full before | None :: before => S (length before) end.
Lemma last_full_before past : (last_full past <= length past)%nat.
Proof. induction past as [|[B|] past IH]; cbn [last_full length]; lia. Qed.
(* grad f(x^t) - v^t = sum_{s=T(t)+1}^t (grad f(x^s) - grad f(x^{s-1})
                                        - sum_{i in I^s} (grad f_i(x^s) - grad f_i(x^{s-1}))/b) *)
Theorem sarah_error past :
  let x s := fst (sarah (at_time s past)) in
  let T := last_full past in
  sub (full (fst (sarah past))) (snd (sarah past))
  = vsum (length past - T) (fun k => let s := (T + 1 + k)%nat in
      sub (sub (full (x s)) (full (x (s - 1)%nat))) (sarah_change (x s) (x (s - 1)%nat) (hd None (at_time s past)))).
Proof.
  induction past as [|c past IH]; [apply sub_self|]. cbn zeta in *. destruct c as [B|].
  - pose proof (last_full_before past) as L. cbn [last_full length]. rewrite Nat.sub_succ_l by assumption. cbn [vsum].
    rewrite (vsum_ext _ _ (fun k => let s := (last_full past + 1 + k)%nat in
      sub (sub (full (fst (sarah (at_time s past)))) (full (fst (sarah (at_time (s - 1) past)))))
        (sarah_change (fst (sarah (at_time s past))) (fst (sarah (at_time (s - 1) past))) (hd None (at_time s past))))).
    + cbn zeta. rewrite <- IH.
      replace (last_full past + 1 + (length past - last_full past))%nat with (S (length past)) by lia.
      rewrite (at_time_all (Some B :: past) : at_time (S (length past)) (Some B :: past) = _).
      rewrite Nat.sub_succ, Nat.sub_0_r, at_time_before, at_time_all by lia. cbn [sarah hd fst snd].
      set (x' := sub (fst (sarah past)) (scale eta (snd (sarah past)))). vector_eq w. ring.
    + intros k Hk. cbn zeta. rewrite !at_time_before by lia. reflexivity.
  - cbn [last_full length]. rewrite Nat.sub_diag. cbn [sarah fst snd vsum]. apply sub_self.
Qed.
End SARAH.

(* The premises about zeta = 0 and data that are alike are met, by clients whose gradients differ by constants. *)
Example fledge_zero_heterogeneity_inhabited {V : space} P K b eta (c : nat -> V) x0 J past : (1 <= P)%nat ->
  (1 <= K)%nat -> (1 <= b)%nat -> let data := fun _ => (K * b)%nat in let grad i (j : nat) x := add x (c i) in
  (forall i, (i < P)%nat -> possible (uniform (data i) (K * b)) (J i)) ->
  Forall (possible (round_law P P K b data)) past ->
  point (fledge P P K b eta (fun _ _ _ => zero) data grad (fledge_start_II K b data grad x0 J) past)
  = Nat.iter (length past * K) (fun x => sub x (scale eta (gradient P (fun i x => add x (c i)) x))) x0.
Proof.
  intros HP HK Hb data grad PJ F.
  refine (proj2 (fledge_zero_heterogeneity P P K b HP HK Hb eta data _ grad _ (fun i x => add x (c i)) _ x0 J past
    _ HP _ PJ F) _); try reflexivity; unfold data; try lia.
  intros i j _ _ x y. replace (sub _ _) with (zero : V) by (vector_eq w; ring). rewrite norm_zero, Rmult_0_l. lra.
Qed.
