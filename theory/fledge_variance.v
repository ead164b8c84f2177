(* Lemma 24 (lemma:Dist-First-VarianceBound, lines 2239-2257) with L for one zeta: the error of FLEDGE's estimate at
   each local step, v^{t,k} = (1/P) sum_i y_i^{t-1} + z^{t,k}.

   Printed: with probability at least 1 - 8 nu, for all t = 1, ..., T and k = 0, ..., K-1, with T_3 = (P/p) C_1,
       |v^{t,k} - grad f(x^{t,k})|^2
           <= (120 C_1^8 zeta^2 K/p + 32 C_1^10 zeta^2/(pb)) sum_s sum_l |x^{s,l} - x^{s,l-1}|^2
              + (4 zeta^2 K + 4 C_1^2 L^2/b) sum_{l<=k} |x^{t,l} - x^{t,l-1}|^2 + (8 C_1^2/(PKb))(sigma^2 + G^2/(PKb))
              + (Option I) 1[t <= T_3] 96 C_1^2 (sigma^2/(pKb) + G^2/(pKb)^2 + sigma_c^2/p + G_c^2/p^2),
   s = max(1, t - T_3), ..., t-1. That is false, since zeta does not bound what data of one client are apart.
   Proved, with L for zeta in 32 C_1^10 zeta^2/(pb), C_1 = c log(1/nu + n + P + d + T + K), n at least the Kb data of a
   client's minibatch, T_3 rounded up, for every space, f_{i,j} with L-Lipschitz gradients, zeta-heterogeneous clients,
   1 <= p <= P, K, b, T, step size and noise, clients with at least Kb data whose deviations have at each point the mean
   square sigma^2 and the length G at most, also for k = K:
     lemma_24_option_II     the statement for Option II, with probability 1 - 7 nu, c >= 5
     lemma_24_option_I      the statement for Option I, with probability 1 - 8 nu, c >= 10, the clients' deviations at
                            x^0 having the mean square sigma_c^2 and the length G_c at most
     lemma_24_second_power  Option II with 64 C_1^2 and 32 C_1^2 in the place of 120 C_1^8 and 32 C_1^10

   Proof. Let all but the clients of the rounds be given: the minibatches, the clients of the local steps, the noise.
   The points of FLEDGE are then functions of the clients of the rounds before, and so those of a run of SLEDGE over the
   clients, with the step size 0 and a noise that leads it along them [leading]. To the error of that run, the part (a),
   Lemma 1 applies as it stands, since it holds for every noise. The rows of FLEDGE have beyond those of SLEDGE the
   changes at data that were added since their last refresh, and the error of that refresh [shadow_rows]: (b), (c) and
   (d), which are Lemmas 25, 26 and 27. With Option II (d) is part of (c). The local steps are Lemma 28. *)
From Coq Require Import Reals Lra Lia List PeanoNat Bool FunctionalExtensionality.
From Sledge Require Import vectors means minibatches algorithms problems second_moments
  sledge_errors fledge_sampling fledge_errors.
From Sledge Require Import probability hoeffding azuma minibatch_tails bernstein coverage sledge_tails lemma_1
  concentration identities undrawn steps.
From Sledge Require Import theorem_2_probability theorem_6_probability fledge_tails theorem_6_high_probability
  auxiliary fledge_local fledge_start fledge_fresh fledge_changes.
Import ListNotations.
Open Scope R_scope.

(* ---- The clients of the rounds drawn after all else ---- *)

Definition with_clients (c : round) (I : batch) : round :=
  {| worker := worker c; local := local c; clients := I; fresh := fresh c |}.
(* The rounds, these sets in the place of their clients *)
Fixpoint asking (rounds : list round) (sets : list batch) : list round :=
  match rounds, sets with
  | c :: rounds', B :: sets' => with_clients c B :: asking rounds' sets'
  | _, _ => []
  end.
Lemma asking_own past : asking past (map clients past) = past.
Proof. induction past as [|[i Js I J] past IH]; [reflexivity|]. cbn [map asking]. rewrite IH. reflexivity. Qed.
Lemma asking_twice rounds sets sets' : length rounds = length sets ->
  asking (asking rounds sets) sets' = asking rounds sets'.
Proof.
  revert sets sets'. induction rounds as [|c rounds IH]; intros [|I sets] sets' H; try discriminate; [reflexivity|].
  destruct sets' as [|I' sets']; [reflexivity|]. cbn [asking]. rewrite IH by (injection H; auto). reflexivity.
Qed.
Lemma asking_length rounds sets : length rounds = length sets -> length (asking rounds sets) = length sets.
Proof.
  revert sets. induction rounds as [|c rounds IH]; intros [|I sets] H; try discriminate; [reflexivity|].
  cbn [asking length]. rewrite IH by (injection H; auto). reflexivity.
Qed.
Lemma clients_asked rounds sets : length rounds = length sets -> map clients (asking rounds sets) = sets.
Proof.
  revert sets. induction rounds as [|c rounds IH]; intros [|I sets] H; try discriminate; [reflexivity|].
  cbn [asking map]. rewrite IH by (injection H; auto). reflexivity.
Qed.
Lemma skipn_asking k : forall rounds sets, skipn k (asking rounds sets) = asking (skipn k rounds) (skipn k sets).
Proof.
  induction k as [|k IH]; intros [|c rounds] [|I sets]; try reflexivity; [|apply IH].
  cbn [asking]. destruct (skipn (S k) (c :: rounds)); reflexivity.
Qed.
Lemma at_time_asking t rounds sets : length rounds = length sets ->
  at_time t (asking rounds sets) = asking (at_time t rounds) (at_time t sets).
Proof. intro H. unfold at_time. rewrite asking_length, skipn_asking, H by assumption. reflexivity. Qed.

Section Law.
Variables (P p K b : nat).
Hypothesis HpP : (p <= P)%nat.
Variable data : nat -> nat.
Lemma Ex_round_clients g : Ex (round_law P p K b data) g
  = Ex (round_law P p K b data) (fun c => Ex (uniform P p) (fun I => g (with_clients c I))).
Proof.
  change (Ex (index P) (fun i => Ex (history (uniform (data i) b) K) (fun Js =>
    Ex (uniform P p) (fun I => Ex (fresh_law P data (K * b)) (fun J =>
      g {| worker := i; local := Js; clients := I; fresh := J |}))))
  = Ex (index P) (fun i => Ex (history (uniform (data i) b) K) (fun Js =>
    Ex (uniform P p) (fun _ => Ex (fresh_law P data (K * b)) (fun J => Ex (uniform P p) (fun I =>
      g {| worker := i; local := Js; clients := I; fresh := J |})))))).
  apply Ex_ext. intros i _. apply Ex_ext. intros Js _. rewrite Ex_const. symmetry.
  apply (Ex_uniform_swap (fresh_law P data (K * b)) P p (fun J I =>
    g {| worker := i; local := Js; clients := I; fresh := J |}) HpP).
Qed.
Theorem Ex_asking T : forall f, Ex (fledge_history P p K b data T) f
  = Ex (fledge_history P p K b data T) (fun rounds => Ex (sledge_history P p T) (fun sets => f (asking rounds sets))).
Proof.
  induction T as [|T IH]; intro f; [reflexivity|]. unfold fledge_history, sledge_history in *.
  rewrite !Ex_history_S.
  rewrite (Ex_ext _ _ (fun past => Ex (round_law P p K b data) (fun c => Ex (uniform P p) (fun I =>
    f (with_clients c I :: past))))) by (intros past _; apply Ex_round_clients).
  rewrite IH. apply Ex_ext. intros rounds _.
  symmetry. etransitivity; [|apply (Ex_history_swap (round_law P p K b data) P p T (fun c sets =>
    Ex (uniform P p) (fun I => f (with_clients c I :: asking rounds sets))) HpP)].
  apply Ex_ext. intros c _. reflexivity.
Qed.

(* Bounds that are likely whatever all but the clients of the rounds is *)
Lemma given_rest {O} (m : mean O) T nu (X Y : O -> nat -> list round -> R) :
  (forall o rounds, possible m o -> possible (fledge_history P p K b data T) rounds ->
    with_probability (sledge_history P p T) (1 - nu) (fun sets => forall t, (t <= T)%nat ->
      X o t (asking rounds sets) <= Y o t (asking rounds sets))) ->
  with_probability (fledge_from m P p K b data T) (1 - nu) (fun o => forall t, (t <= T)%nat ->
    X (fst o) t (snd o) <= Y (fst o) t (snd o)).
Proof.
  intro H. set (bad := fun o past => existsb (fun t => exceeds (Y o t past) (X o t past)) (seq 0 (S T))).
  apply (unless _ (fun o => bad (fst o) (snd o))).
  - unfold fledge_from, probability. rewrite Ex_bind. apply Ex_at_most. intros o Po. rewrite Ex_bind.
    cbn [Ex sure fst snd]. change (Ex (fledge_history P p K b data T) (fun past => if bad o past then 1 else 0) <= nu).
    rewrite Ex_asking. apply Ex_at_most. intros rounds Pr.
    apply (rare_of (sledge_history P p T) nu _ (fun sets => bad o (asking rounds sets)) (H o rounds Po Pr)).
    intros sets _ Q. unfold bad. destruct (existsb _ _) eqn:e; [|reflexivity]. exfalso. apply existsb_exists in e.
    destruct e as [t [It Et]]. apply in_seq in It. apply exceeds_true in Et. specialize (Q t ltac:(lia)). lra.
  - intros o _ e t Ht. apply exceeds_false. destruct (exceeds _ _) eqn:f; [|reflexivity]. unfold bad in e.
    rewrite <- e. symmetry. apply existsb_exists. exists t. split; [apply in_seq; lia|exact f].
Qed.
(* and the clients of the start of Option I *)
Lemma given_rest_I T nu (X Y : batch * (nat -> batch) -> nat -> list round -> R) :
  (forall J rounds, possible (fledge_history P p K b data T) rounds ->
    with_probability (sledge_history_I P p T) (1 - nu) (fun o => forall t, (t <= T)%nat ->
      X (fst o, J) t (asking rounds (snd o)) <= Y (fst o, J) t (asking rounds (snd o)))) ->
  with_probability (fledge_history_I P p K b data T) (1 - nu) (fun o => forall t, (t <= T)%nat ->
    X (fst o) t (snd o) <= Y (fst o) t (snd o)).
Proof.
  intro H. set (bad := fun o past => existsb (fun t => exceeds (Y o t past) (X o t past)) (seq 0 (S T))).
  apply (unless _ (fun o => bad (fst o) (snd o))).
  - change (Ex (uniform P p) (fun I0 => Ex (fresh_law P data (K * b)) (fun J =>
      Ex (fledge_history P p K b data T) (fun past => if bad (I0, J) past then 1 else 0))) <= nu).
    rewrite <- (Ex_uniform_swap (fresh_law P data (K * b)) P p (fun J I0 =>
      Ex (fledge_history P p K b data T) (fun past => if bad (I0, J) past then 1 else 0)) HpP).
    apply Ex_at_most. intros J _.
    rewrite (Ex_ext _ _ (fun I0 => Ex (fledge_history P p K b data T) (fun rounds =>
      Ex (sledge_history P p T) (fun sets => if bad (I0, J) (asking rounds sets) then 1 else 0))))
      by (intros I0 _; apply Ex_asking).
    rewrite <- (Ex_uniform_swap (fledge_history P p K b data T) P p (fun rounds I0 =>
      Ex (sledge_history P p T) (fun sets => if bad (I0, J) (asking rounds sets) then 1 else 0)) HpP).
    apply Ex_at_most. intros rounds Pr.
    apply (rare_of (sledge_history_I P p T) nu _ (fun o => bad (fst o, J) (asking rounds (snd o))) (H J rounds Pr)).
    intros o _ Q. unfold bad. destruct (existsb _ _) eqn:e; [|reflexivity]. exfalso. apply existsb_exists in e.
    destruct e as [t [It Et]]. apply in_seq in It. apply exceeds_true in Et. specialize (Q t ltac:(lia)). lra.
  - intros o _ e t Ht. apply exceeds_false. destruct (exceeds _ _) eqn:f; [|reflexivity]. unfold bad in e.
    rewrite <- e. symmetry. apply existsb_exists. exists t. split; [apply in_seq; lia|exact f].
Qed.
End Law.
(* Bounds with any finite set of indices, likely whatever was drawn first *)
Lemma given_any {O O' I} (m : mean O) (k : mean O') (indices : list I) nu (X Y : O -> I -> O' -> R) :
  (forall a, possible m a -> with_probability k (1 - nu) (fun o => forall i, In i indices -> X a i o <= Y a i o)) ->
  with_probability (bind m (fun a => bind k (fun o => sure (a, o)))) (1 - nu) (fun o => forall i, In i indices ->
    X (fst o) i (snd o) <= Y (fst o) i (snd o)).
Proof.
  intro H. set (bad := fun (a : O) (o : O') => existsb (fun t => exceeds (Y a t o) (X a t o)) indices).
  apply (unless _ (fun o => bad (fst o) (snd o))).
  - unfold probability. rewrite Ex_bind. apply Ex_at_most. intros a Pa. rewrite Ex_bind. cbn [Ex sure fst snd].
    apply (rare_of k nu _ (bad a) (H a Pa)). intros o _ Q. unfold bad.
    destruct (existsb _ _) eqn:e; [|reflexivity]. exfalso. apply existsb_exists in e. destruct e as [t [It Et]].
    apply exceeds_true in Et. specialize (Q t It). lra.
  - intros o _ e i Hi. apply exceeds_false. destruct (exceeds _ _) eqn:f; [|reflexivity]. unfold bad in e.
    rewrite <- e. symmetry. apply existsb_exists. exists i. split; assumption.
Qed.

(* ---- A run of SLEDGE over clients that follows a run of FLEDGE ---- *)

Lemma age_drawn k : forall (sets : list batch) i, (age sets i < k)%nat -> (k <= length sets)%nat ->
  drawn (firstn k sets) i = true.
Proof.
  induction k as [|k IH]; intros [|I sets] i H Hk; cbn [age length] in *; try lia.
  cbn [firstn drawn existsb]. destruct (I i); [reflexivity|]. apply (IH sets i); lia.
Qed.
(* |x_k - x_0|^2 <= k sum of the squares of the steps *)
Lemma path_square {V : space} (x : nat -> V) k :
  sq (sub (x k) (x 0%nat)) <= INR k * sum k (fun l => sq (sub (x (S l)) (x l))).
Proof.
  induction k as [|k IH]; [rewrite sub_self, sq_zero; cbn; lra|].
  set (s := sum k (fun l => sq (sub (x (S l)) (x l)))) in *. rewrite S_INR. cbn [sum].
  replace (sub (x (S k)) (x 0%nat)) with (add (sub (x (S k)) (x k)) (sub (x k) (x 0%nat))) by (vector_eq u; ring).
  pose proof (norm_nonneg (sub (x (S k)) (x k))) as a0. pose proof (norm_nonneg (sub (x k) (x 0%nat))) as t0.
  assert (s0 : 0 <= s) by (apply sum_nonneg; intros; apply sq_nonneg).
  rewrite <- (norm_sq (sub (x k) (x 0%nat))) in IH.
  pose proof (square_of_path _ 1 _ s (INR k) a0 ltac:(lra) t0 s0 (pos_INR k) IH) as Q.
  pose proof (norm_add (sub (x (S k)) (x k)) (sub (x k) (x 0%nat))) as N. rewrite norm_sq in Q.
  rewrite <- norm_sq. fold s.
  eapply Rle_trans; [apply Rmult_le_compat; [apply norm_nonneg|apply norm_nonneg|exact N|exact N]|].
  rewrite Rmult_1_l in Q. lra.
Qed.

Section Shadow.
Context {V : space}.
Variables (P p K b : nat).
Hypothesis Hp : (1 <= p)%nat.
Hypothesis HpP : (p <= P)%nat.
Hypothesis HK : (1 <= K)%nat.
Hypothesis Hb : (1 <= b)%nat.
Variables (data : nat -> nat) (grad : nat -> nat -> V -> V).
Hypothesis enough_data : forall i, (i < P)%nat -> (K * b <= data i)%nat.
Notation G := (client_gradient data grad).
Variables (eta : R) (noise : list round -> nat -> list batch -> V) (start : V * (nat -> V)).
Notation run := (fledge P p K b eta noise data grad start).
Notation change := (round_change P p K b data grad eta noise start).

(* What leads SLEDGE, with eta = 0, along the points of FLEDGE *)
Definition leading (rounds : list round) (sets : list batch) : V :=
  sub (fst (run (asking (at_time (S (length sets)) rounds) (none :: sets))))
    (fst (run (asking (at_time (length sets) rounds) sets))).
Lemma leading_asking rounds sets : length rounds = length sets -> leading (asking rounds sets) = leading rounds.
Proof.
  intro H. apply functional_extensionality. intro sets'. unfold leading. rewrite !at_time_asking by assumption.
  assert (L : forall k, length (at_time k rounds) = length (at_time k sets))
    by (intro k; unfold at_time; rewrite !skipn_length, H; reflexivity).
  rewrite !asking_twice by apply L. reflexivity.
Qed.
Variable first : nat -> V.
Notation shadow rounds := (sledge P p 0 (leading rounds) G (fst start, first)).

(* What the rows have beyond those of SLEDGE: the changes at data, and the gradients at data of the last refresh. *)
Fixpoint shifts (past : list round) (i : nat) : V :=
  match past with
  | [] => zero
  | c :: before => if clients c i then zero else add (shifts before i) (change past)
  end.
Fixpoint held_errors (past : list round) (i : nat) : V :=
  match past with
  | [] => sub (snd start i) (first i)
  | c :: before => if clients c i
      then sub (fresh_gradient K b data grad i (fresh c i) (fst (run past))) (G i (fst (run past)))
      else held_errors before i
  end.

Lemma fresh_split i (J : nat -> batch) x : possible (fresh_law P data (K * b)) J -> (i < P)%nat ->
  sub (fresh_gradient K b data grad i (J i) x) (G i x)
  = over (K * b) (vsum_in (data i) (J i) (fun j => sub (grad i j x) (G i x))).
Proof.
  intros PJ Hi. pose proof (M_pos K b HK Hb) as M1. pose proof (family_possible none P _ J i PJ Hi) as Pi.
  cbv beta in Pi. pose proof (uniform_size (data i) (K * b) (J i) (enough_data i Hi) Pi) as Sz.
  unfold fresh_gradient, data_mean. vector_eq u. rewrite !ip_vsum_in.
  rewrite (sum_ext (data i) (fun j => ind (J i) j * ip (sub (grad i j x) (G i x)) u)
    (fun j => ind (J i) j * ip (grad i j x) u - ip (G i x) u * ind (J i) j)) by (intros; products; ring).
  rewrite sum_sub, sum_mul, Sz. field. lra.
Qed.
Lemma change_split c before : possible (fresh_law P data (K * b)) (fresh c) ->
  let x := fst (run before) in let x' := fst (run (c :: before)) in
  over p (vsum_in P (clients c) (fun i => fresh_change K b data grad i (fresh c i) x' x))
  = add (over p (vsum_in P (clients c) (fun i => sub (G i x') (G i x)))) (change (c :: before)).
Proof.
  intros PJ x x'. pose proof (M_pos K b HK Hb) as M1. pose proof (Bb P p Hp HpP) as [p1 pP].
  cbn [round_change]. fold x x'. vector_eq u. rewrite !ip_vsum_in, mult_INR.
  rewrite (sum_ext P (fun i => ind (clients c) i * ip (vsum_in (data i) (fresh c i) (fun j =>
      sub (sub (grad i j x') (grad i j x)) (sub (G i x') (G i x)))) u)
    (fun i => INR (K * b) * (ind (clients c) i * ip (fresh_change K b data grad i (fresh c i) x' x) u
      - ind (clients c) i * ip (sub (G i x') (G i x)) u))).
  - rewrite sum_mul, sum_sub. field. lra.
  - intros i Hi. pose proof (family_possible none P _ (fresh c) i PJ Hi) as Pi. cbv beta in Pi.
    pose proof (uniform_size (data i) (K * b) (fresh c i) (enough_data i Hi) Pi) as Sz.
    unfold fresh_change, data_mean. products. rewrite !ip_vsum_in.
    rewrite (sum_ext (data i) (fun j => ind (fresh c i) j * ip (sub (sub (grad i j x') (grad i j x))
      (sub (G i x') (G i x))) u) (fun j => ind (fresh c i) j * ip (sub (grad i j x') (grad i j x)) u
      - ip (sub (G i x') (G i x)) u * ind (fresh c i) j)) by (intros; products; ring).
    rewrite sum_sub, sum_mul, Sz. products. field. lra.
Qed.

Variables (T : nat) (past : list round).
Hypothesis Pp : possible (fledge_history P p K b data T) past.
Notation after t := (at_time t past).
Notation shadow_at t := (shadow past (at_time t (map clients past))).
Theorem shadow_rows t : (t <= T)%nat -> fst (shadow_at t) = fst (run (after t)) /\ forall i, (i < P)%nat ->
  snd (run (after t)) i = add (snd (shadow_at t) i) (add (shifts (after t) i) (held_errors (after t) i)).
Proof.
  pose proof (history_length _ _ _ Pp) as Len. rewrite <- map_at_time.
  induction t as [|t IH]; intro Ht.
  - rewrite at_time_none. split; [reflexivity|]. intros i _. cbn. vector_eq u. ring.
  - destruct (IH ltac:(lia)) as [X Y]. clear IH.
    pose proof (possible_at_time (fun _ => round_law P p K b data) (S t) T past Pp Ht) as Pt.
    destruct (at_time_step t past ltac:(lia)) as [c Ec]. rewrite Ec in *. apply history_possible in Pt.
    destruct Pt as [_ Pc]. destruct (round_possible P p K b Hp HpP HK Hb data c Pc) as [_ [_ [PI PJ]]].
    assert (Lt : length (map clients (after t)) = t) by (rewrite map_length, at_time_length by lia; reflexivity).
    assert (E : fst (shadow past (map clients (c :: after t))) = fst (run (c :: after t))).
    { cbn [map sledge sledge_step fst]. unfold next_point, point. rewrite X. unfold leading. rewrite Lt, Ec.
      cbn [asking]. rewrite asking_own.
      change (fst (run (with_clients c none :: after t))) with (fst (run (c :: after t))). vector_eq u. ring. }
    split; [exact E|]. intros i Hi. pose proof (change_split c (after t) PJ) as Ch. cbv zeta in Ch.
    set (x' := fst (run (c :: after t))) in *. cbn [map sledge sledge_step snd] in *.
    change (next_point P 0 (leading past) (map clients (after t)) (shadow past (map clients (after t))))
      with (fst (shadow past (map clients (c :: after t)))). cbn [map]. cbn [sledge sledge_step fst] in E.
    cbn [sledge sledge_step fst]. rewrite E. unfold point, table. rewrite X.
    cbn [shifts held_errors]. fold x'.
    change (snd (run (c :: after t)) i) with (if clients c i then fresh_gradient K b data grad i (fresh c i) x'
      else add (snd (run (after t)) i) (over p (vsum_in P (clients c) (fun l =>
        fresh_change K b data grad l (fresh c l) x' (fst (run (after t))))))).
    destruct (clients c i); [vector_eq u; ring|]. rewrite Ch, (Y i Hi).
    set (v := over p _). set (w := change _). vector_eq u. ring.
Qed.
Lemma shadow_error t : (t <= T)%nat -> error P G (run (after t))
  = add (error P G (shadow_at t)) (add (over P (vsum P (shifts (after t)))) (over P (vsum P (held_errors (after t))))).
Proof.
  intro Ht. destruct (shadow_rows t Ht) as [X Y]. unfold error, point. rewrite X. unfold estimate, table.
  rewrite (vsum_ext P (snd (run (after t))) (fun i => add (snd (shadow_at t) i) (add (shifts (after t) i)
    (held_errors (after t) i)))) by exact Y.
  set (g := gradient P G (fst (run (after t)))). vector_eq u. rewrite !ip_vsum.
  rewrite (sum_ext P (fun i => ip (add (snd (shadow_at t) i) (add (shifts (after t) i) (held_errors (after t) i))) u)
    (fun i => ip (snd (shadow_at t) i) u + (ip (shifts (after t) i) u + ip (held_errors (after t) i) u)))
    by (intros; products; ring).
  rewrite !sum_add. ring.
Qed.

(* The term (b) *)
Notation share := (fun (_ : nat) (later : list batch) => size P (left_out later) / INR P).
Lemma shifts_weighted q : forall later, over P (vsum_in P (left_out later) (shifts q))
  = weighted P p K b data grad eta noise start share later q.
Proof.
  pose proof (Bb P p Hp HpP) as [p1 pP].
  induction q as [|c before IH]; intro later.
  - unfold weighted. cbn [length vsum shifts]. vector_eq u. rewrite ip_vsum_in, sum_zero; [ring|].
    intros i _. rewrite ip_zero. ring.
  - rewrite (weighted_step P p K b Hp HpP HK Hb), <- IH. set (w := change (c :: before)).
    assert (L : forall i, left_out (later ++ [clients c]) i = left_out later i && negb (clients c i)).
    { intro i. unfold left_out, drawn. rewrite existsb_app. cbn [existsb]. destruct (existsb _ _), (clients c i);
      reflexivity. }
    vector_eq u. rewrite !ip_vsum_in. unfold size.
    rewrite (sum_ext P _ (fun i => ind (left_out (later ++ [clients c])) i * ip (shifts before i) u
      + ip w u * ind (left_out (later ++ [clients c])) i)).
    + rewrite sum_add, sum_mul. field. lra.
    + intros i _. cbn [shifts]. fold w. unfold ind. rewrite L. destruct (left_out later i), (clients c i); products;
        cbn [andb negb]; ring.
Qed.

(* The terms (c) and (d) *)
Lemma held_errors_are J0 t i : (t <= T)%nat -> (i < P)%nat ->
  let s := last_refresh (after t) i in let x := fst (run (after s)) in
  held_errors (after t) i = if (1 <=? s)%nat
    then over (K * b) (vsum_in (data i) (drawn_at J0 (after s) i) (fun j => sub (grad i j x) (G i x)))
    else sub (snd start i) (first i).
Proof.
  pose proof (history_length _ _ _ Pp) as Len. intros Ht Hi.
  induction t as [|t IH]; [rewrite at_time_none; reflexivity|].
  pose proof (possible_at_time (fun _ => round_law P p K b data) (S t) T past Pp Ht) as Pt.
  destruct (at_time_step t past ltac:(lia)) as [c Ec]. rewrite Ec in *. apply history_possible in Pt.
  destruct Pt as [_ Pc]. destruct (round_possible P p K b Hp HpP HK Hb data c Pc) as [_ [_ [PI PJ]]].
  cbn [held_errors last_refresh]. destruct (clients c i) eqn:e; [|apply IH; lia].
  cbn [length]. rewrite at_time_length by lia. cbn [Nat.leb]. cbv zeta. rewrite Ec. cbn [drawn_at].
  apply fresh_split; assumption.
Qed.
Lemma left_refresh q i : left_out (map clients q) i = negb (1 <=? last_refresh q i)%nat.
Proof.
  induction q as [|c q IH]; [reflexivity|]. cbn [map last_refresh]. unfold left_out in *. cbn [drawn existsb].
  destruct (clients c i); [reflexivity|]. exact IH.
Qed.

(* The clients that T_3 rounds in a row have *)
Lemma none_left T3 t s : (forall i, (i < P)%nat -> (age (map clients (after t)) i < T3)%nat) -> (t <= T)%nat ->
  (T3 + s <= t)%nat -> forall i, (i < P)%nat -> undrawn (S s) (map clients (after t)) i = false.
Proof.
  intros A Ht Hs i Hi. pose proof (history_length _ _ _ Pp) as Len. unfold undrawn, left_out, from_step.
  apply negb_false_iff.
  assert (Lt : length (map clients (after t)) = t) by (rewrite map_length, at_time_length by lia; reflexivity).
  apply age_drawn; [|lia]. specialize (A i Hi). lia.
Qed.
Lemma nobody (U : batch) (a : nat -> V) : (forall i, (i < P)%nat -> U i = false) -> vsum_in P U a = zero.
Proof.
  intro H. vector_eq u. rewrite ip_vsum_in. apply sum_zero. intros i Hi. unfold ind. rewrite (H i Hi). ring.
Qed.
Lemma nobody_size (U : batch) : (forall i, (i < P)%nat -> U i = false) -> size P U = 0.
Proof. intro H. apply sum_zero. intros i Hi. unfold ind. rewrite (H i Hi). reflexivity. Qed.

(* x^s - x^{s-1} by the local steps of the round *)
Notation x t k := (step_point P p K b data grad eta noise start k (after (S t))).
Lemma round_ends s : (s < T)%nat -> x s K = fst (run (after (S s))) /\ x s 0%nat = fst (run (after s)).
Proof.
  intro Hs. pose proof (history_length _ _ _ Pp) as Len.
  pose proof (possible_at_time (fun _ => round_law P p K b data) (S s) T past Pp Hs) as Pt.
  destruct (at_time_step s past ltac:(lia)) as [c Ec]. rewrite Ec in *. apply history_possible in Pt.
  destruct Pt as [_ Pc]. destruct (round_possible P p K b Hp HpP HK Hb data c Pc) as [_ [Hh _]].
  pose proof (history_length _ _ _ Hh) as Lh. cbn [step_point]. split.
  - replace (at_time K (local c)) with (local c) by (rewrite <- Lh; symmetry; apply at_time_all). reflexivity.
  - rewrite at_time_none. reflexivity.
Qed.
Lemma round_moves s : (s < T)%nat -> sq (sub (fst (run (after (S s)))) (fst (run (after s))))
  <= INR K * sum K (fun l => sq (sub (x s (S l)) (x s l))).
Proof. intro Hs. destruct (round_ends s Hs) as [<- <-]. apply (path_square (fun k => x s k) K). Qed.
Lemma local_error_split t k : (t < T)%nat ->
  sub (add (estimate P (run (after t))) (step_change b P p K data grad eta noise start k (after (S t))))
    (gradient P G (x t k))
  = add (error P G (run (after t))) (sub (step_change b P p K data grad eta noise start k (after (S t)))
      (sub (gradient P G (x t k)) (gradient P G (x t 0%nat)))).
Proof.
  intro Ht. destruct (round_ends t Ht) as [_ E]. unfold error, point. rewrite <- E. vector_eq u. ring.
Qed.
End Shadow.

(* ---- Lemma 24 ---- *)

Section Printed.
Context {V : space}.
Variables (n b P p d T K T3 : nat).
Hypothesis Hp : (1 <= p)%nat.
Hypothesis HpP : (p <= P)%nat.
Hypothesis HK : (1 <= K)%nat.
Hypothesis Hb : (1 <= b)%nat.
Hypothesis Hn : (K * b <= n)%nat.
Hypothesis Hd : (1 <= d)%nat.
Hypothesis HT : (1 <= T)%nat.
Variables (data : nat -> nat) (grad : nat -> nat -> V -> V) (x0 : V) (L zeta sigma G_ : R).
Hypothesis enough_data : forall i, (i < P)%nat -> (K * b <= data i)%nat.
Hypothesis L0 : 0 <= L.
Hypothesis lip : data_lipschitz P data grad L.
Notation G := (client_gradient data grad).
Hypothesis zeta0 : 0 <= zeta.
Hypothesis het : heterogeneous P G zeta.
Notation dev i j x := (sub (grad i j x) (G i x)).
Hypothesis mean_square : forall i x, (i < P)%nat ->
  sum (data i) (fun j => sq (dev i j x)) <= INR (data i) * (sigma * sigma).
Hypothesis largest : forall i j x, (i < P)%nat -> (j < data i)%nat -> norm (dev i j x) <= G_.
Variables (eta nu c : R).
Hypothesis Hnu : 0 < nu < 1.
(* C_1 and T_3 = (P/p) C_1, rounded up *)
Notation C := (c * log_all nu n P d T K).
Notation NP := (INR P).
Notation Np := (INR p).
Notation M := (INR (K * b)).
Hypothesis window : NP / Np * C <= INR T3 <= NP / Np * C + 1.

Lemma constants : 5 <= c -> 5 <= C /\ ln (NP * INR T / nu) <= C /\ (1 <= T3)%nat /\
  log_all nu P n d T K = log_all nu n P d T K /\ (1 <= n)%nat /\ 1 <= Np /\ 1 <= M /\ 1 <= NP /\ 1 <= INR T.
Proof.
  intro Hc. pose proof (Kb_1 K b HK Hb) as K1. assert (N1 : (1 <= n)%nat) by lia. assert (HP : (1 <= P)%nat) by lia.
  pose proof (log_all_above nu n P d T K ltac:(lra) N1 HP Hd HT HK) as A.
  assert (E : log_all nu P n d T K = log_all nu n P d T K) by (unfold log_all; f_equal; ring).
  pose proof (log_printed nu P n d T K ltac:(lra) HP N1 Hd HT HK) as Q. rewrite E in Q.
  assert (C5 : 5 * log_all nu n P d T K <= C) by (apply Rmult_le_compat_r; lra).
  pose proof (Bb P p Hp HpP) as [p1 pP].
  assert (M1 : 1 <= M) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (T1 : 1 <= INR T) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (H3 : (1 <= T3)%nat).
  { apply INR_le. simpl (INR 1). apply Rle_trans with (NP / Np * C); [|apply window].
    replace 1 with (1 * 1) by ring. apply Rmult_le_compat; try lra.
    apply Rmult_le_reg_r with Np; [lra|]. replace (NP / Np * Np) with NP by (field; lra). lra. }
  repeat split; try assumption; lra.
Qed.

Section Run.
Variables (noise : list round -> nat -> list batch -> V) (start : V * (nat -> V)) (first : nat -> V).
Notation run := (fledge P p K b eta noise data grad start).
Notation after past t := (at_time t past).
Notation x past t k := (step_point P p K b data grad eta noise start k (after past (S t))).
Notation z past t k := (step_change b P p K data grad eta noise start k (after past (S t))).
Notation shadow past t := (sledge P p 0 (leading P p K b data grad eta noise start past) G (fst start, first)
  (at_time t (map clients past))).
Notation held past t := (held_errors P p K b data grad eta noise start first (after past t)).
Notation point_at past s := (fst (run (after past s))).
(* sum of |x^s - x^{s-1}|^2 over the window that ends at t, and of the local steps *)
Notation moves past t := (sum t (fun s => if (t - T3 <=? s)%nat
  then sq (sub (point_at past (S s)) (point_at past s)) else 0)).
Notation steps past t := (sum t (fun s => if (t - T3 <=? s)%nat
  then sum K (fun l => sq (sub (x past s (S l)) (x past s l))) else 0)).
Notation shadow_moves past t := (sum t (fun s => if (t - T3 <=? s)%nat
  then sq (sub (point (shadow past (S s))) (point (shadow past s))) else 0)).
Notation changes past t := (vsum t (fun s => if (t - T3 <=? s)%nat
  then scale (size P (undrawn (S s) (map clients (after past t))) / (NP * Np * M))
    (vsum_in P (minibatch (S s) (map clients past)) (fun i => vsum_in (data i)
      (drawn_at (fun _ => none) (after past (S s)) i) (fun j =>
        sub (sub (grad i j (point_at past (S s))) (grad i j (point_at past s)))
          (sub (G i (point_at past (S s))) (G i (point_at past s))))))
  else zero)).
(* The right hand side with q for 15 C_1^8 and C_1^2 for C_1^10, without the term of Option I *)
Notation bound q past t k := ((8 * q * zeta ^ 2 * INR K / Np + 32 * C ^ 2 * L ^ 2 / (Np * INR b)) * steps past t
  + (4 * zeta ^ 2 * INR K + 4 * C ^ 2 * L ^ 2 / INR b) * sum k (fun l => sq (sub (x past t (S l)) (x past t l)))
  + 8 * C ^ 2 / (NP * M) * (sigma ^ 2 + G_ ^ 2 / (NP * M))).

Variable past : list round.
Hypothesis Pp : possible (fledge_history P p K b data T) past.
Lemma moves_steps t : (t <= T)%nat -> moves past t <= INR K * steps past t.
Proof.
  intro Ht. rewrite <- sum_mul. apply sum_le. intros s Hs. destruct (Nat.leb _ _); [|lra].
  apply (round_moves P p K b Hp HpP HK Hb data grad eta noise start T past Pp s). lia.
Qed.
Lemma shadow_moves_are t : (t <= T)%nat -> shadow_moves past t = moves past t.
Proof.
  intro Ht. apply sum_ext. intros s Hs. destruct (Nat.leb _ _); [|reflexivity]. unfold point.
  destruct (shadow_rows P p K b Hp HpP HK Hb data grad enough_data eta noise start first T past Pp s ltac:(lia))
    as [-> _].
  destruct (shadow_rows P p K b Hp HpP HK Hb data grad enough_data eta noise start first T past Pp (S s) ltac:(lia))
    as [-> _].
  reflexivity.
Qed.
Lemma changes_are t : 5 <= c -> (t <= T)%nat -> (forall i, (i < P)%nat ->
    (age (map clients (after past t)) i < T3)%nat) ->
  over P (vsum P (shifts P p K b data grad eta noise start (after past t))) = changes past t.
Proof.
  intros Hc Ht Cov. destruct (constants Hc) as [_ [_ [_ [_ [_ [p1 [M1 [P1 _]]]]]]]].
  pose proof (history_length _ _ _ Pp) as Len.
  change (vsum P ?a) with (vsum_in P (left_out []) a).
  rewrite (shifts_weighted P p K b Hp HpP HK Hb data grad eta noise start (after past t) []).
  rewrite (weighted_is P p K b Hp HpP HK Hb) by lia. apply vsum_ext. intros s Hs.
  fold (undrawn (S s) (map clients (after past t))).
  destruct (Nat.leb_spec (t - T3) s) as [g|g]; [f_equal; field; lra|].
  rewrite nobody_size by (apply (none_left P p K b Hp HpP HK Hb data T past Pp T3 t s Cov Ht ltac:(lia))).
  vector_eq u. field. lra.
Qed.
(* The parts put together *)
Lemma combined q t k A D sa sd : 5 <= c -> 0 <= q -> (t < T)%nat -> (k <= K)%nat ->
  (forall i, (i < P)%nat -> (age (map clients (after past t)) i < T3)%nat) ->
  over P (vsum P (held past t)) = add A D ->
  sq (error P G (shadow past t)) <= q * (zeta * zeta) / Np * shadow_moves past t + sa ->
  sq (changes past t) <= 4 * C ^ 2 * L ^ 2 / (Np * M) * moves past t ->
  sq A <= C ^ 2 / (NP * M) * (sigma ^ 2 + G_ ^ 2 / (NP * M)) -> sq D <= sd ->
  sq (sub (z past t k) (sub (gradient P G (x past t k)) (gradient P G (x past t 0%nat))))
    <= (2 * zeta ^ 2 * INR K + 2 * C ^ 2 * L ^ 2 / INR b) * sum k (fun l => sq (sub (x past t (S l)) (x past t l))) ->
  sq (sub (add (estimate P (run (after past t))) (z past t k)) (gradient P G (x past t k)))
    <= bound q past t k + 8 * sa + 8 * sd.
Proof.
  intros Hc q0 Ht Hk Cov EH HA HB HC HD HF.
  destruct (constants Hc) as [C5 [_ [_ [_ [_ [p1 [M1 [P1 _]]]]]]]].
  rewrite (shadow_moves_are t ltac:(lia)) in HA. pose proof (moves_steps t ltac:(lia)) as Mv.
  rewrite (local_error_split P p K b Hp HpP HK Hb data grad eta noise start T past Pp t k Ht).
  rewrite (shadow_error P p K b Hp HpP HK Hb data grad enough_data eta noise start first T past Pp t ltac:(lia)).
  rewrite (changes_are t Hc ltac:(lia) Cov), EH.
  set (a := error P G (shadow past t)) in *. set (B := changes past t) in *.
  set (F := sub (z past t k) _) in *. set (W := moves past t) in *. set (WW := steps past t) in *.
  set (m := sum k _) in *.
  pose proof (sq_add_le (add a (add B (add A D))) F) as Q1.
  pose proof (sq_add_le (add a B) (add A D)) as Q2.
  replace (add (add a B) (add A D)) with (add a (add B (add A D))) in Q2 by (vector_eq u; ring).
  pose proof (sq_add_le a B) as Q3. pose proof (sq_add_le A D) as Q4.
  assert (b1 : 1 <= INR b) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (K1 : 1 <= INR K) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (ip : 0 < / Np) by (apply Rinv_0_lt_compat; lra).
  assert (iM : 0 < / (Np * M)) by (apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra).
  assert (C2 : 0 <= C ^ 2) by apply pow2_ge_0.
  assert (c1 : 0 <= 8 * q * zeta ^ 2 / Np).
  { apply Rmult_le_pos; [|lra]. apply Rmult_le_pos; [lra|apply pow2_ge_0]. }
  assert (c2 : 0 <= 32 * C ^ 2 * L ^ 2 / (Np * M)).
  { apply Rmult_le_pos; [|lra]. apply Rmult_le_pos; [lra|apply pow2_ge_0]. }
  apply Rmult_le_compat_l with (r := 8 * q * zeta ^ 2 / Np + 32 * C ^ 2 * L ^ 2 / (Np * M)) in Mv; [|lra].
  replace ((8 * q * zeta ^ 2 * INR K / Np + 32 * C ^ 2 * L ^ 2 / (Np * INR b)) * WW) with
    ((8 * q * zeta ^ 2 / Np + 32 * C ^ 2 * L ^ 2 / (Np * M)) * (INR K * WW)) by (rewrite mult_INR; field; lra).
  replace (q * (zeta * zeta) / Np * W) with (/ 8 * (8 * q * zeta ^ 2 / Np * W)) in HA by (field; lra).
  replace (4 * C ^ 2 * L ^ 2 / (Np * M) * W) with (/ 8 * (32 * C ^ 2 * L ^ 2 / (Np * M) * W)) in HB by (field; lra).
  replace (8 * C ^ 2 / (NP * M) * (sigma ^ 2 + G_ ^ 2 / (NP * M))) with
    (8 * (C ^ 2 / (NP * M) * (sigma ^ 2 + G_ ^ 2 / (NP * M)))) by (field; lra).
  replace ((4 * zeta ^ 2 * INR K + 4 * C ^ 2 * L ^ 2 / INR b) * m) with
    (2 * ((2 * zeta ^ 2 * INR K + 2 * C ^ 2 * L ^ 2 / INR b) * m)) by (field; lra).
  rewrite Rmult_plus_distr_r in Mv.
  set (y1 := 8 * q * zeta ^ 2 / Np * W) in *. set (y2 := 32 * C ^ 2 * L ^ 2 / (Np * M) * W) in *.
  lra.
Qed.
End Run.
Lemma printed_larger q s y : 5 <= c -> 0 <= s -> q <= 15 * C ^ 8 ->
  (8 * q * zeta ^ 2 * INR K / Np + 32 * C ^ 2 * L ^ 2 / (Np * INR b)) * s + y
  <= (120 * C ^ 8 * zeta ^ 2 * INR K / Np + 32 * C ^ 10 * L ^ 2 / (Np * INR b)) * s + y.
Proof.
  intros Hc s0 Q. destruct (constants Hc) as [C5 [_ [_ [_ [_ [p1 [M1 [P1 _]]]]]]]].
  assert (b1 : 1 <= INR b) by (change 1 with (INR 1); apply le_INR; assumption).
  assert (i1 : 0 < / Np) by (apply Rinv_0_lt_compat; lra).
  assert (i2 : 0 < / (Np * INR b)) by (apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra).
  assert (C ^ 2 <= C ^ 10) by (apply Rle_pow; [lra|lia]).
  apply Rplus_le_compat_r, Rmult_le_compat_r; [assumption|]. apply Rplus_le_compat.
  - unfold Rdiv. apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat_r; [apply pos_INR|].
    apply Rmult_le_compat_r; [apply pow2_ge_0|lra].
  - unfold Rdiv. apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat_r; [apply pow2_ge_0|lra].
Qed.

(* The parts that do not depend on the option *)
Section Likely.
Context {O : Type}.
Variables (m : mean O) (noise : O -> list round -> nat -> list batch -> V) (start : O -> V * (nat -> V)).
Notation run o := (fledge P p K b eta (noise o) data grad (start o)).
Notation point_at o past s := (fst (run o (at_time s past))).
Notation x o past t k := (step_point P p K b data grad eta (noise o) (start o) k (at_time (S t) past)).
Notation z o past t k := (step_change b P p K data grad eta (noise o) (start o) k (at_time (S t) past)).
Lemma changes_likely : 5 <= c -> with_probability (fledge_from m P p K b data T) (1 - nu) (fun o => forall t,
  (t <= T)%nat -> sq (vsum t (fun s => if (t - T3 <=? s)%nat
    then scale (size P (undrawn (S s) (map clients (at_time t (snd o)))) / (NP * Np * M))
      (vsum_in P (minibatch (S s) (map clients (snd o))) (fun i => vsum_in (data i)
        (drawn_at (fun _ => none) (at_time (S s) (snd o)) i) (fun j =>
          sub (sub (grad i j (point_at (fst o) (snd o) (S s))) (grad i j (point_at (fst o) (snd o) s)))
            (sub (G i (point_at (fst o) (snd o) (S s))) (G i (point_at (fst o) (snd o) s))))))
    else zero))
  <= 4 * C ^ 2 * L ^ 2 / (Np * M) * sum t (fun s => if (t - T3 <=? s)%nat
    then sq (sub (point_at (fst o) (snd o) (S s)) (point_at (fst o) (snd o) s)) else 0)).
Proof.
  intro Hc. apply (given_first m (fledge_history P p K b data T) T nu (fun o t past => sq (vsum t (fun s =>
    if (t - T3 <=? s)%nat
    then scale (size P (undrawn (S s) (map clients (at_time t past))) / (NP * Np * M))
      (vsum_in P (minibatch (S s) (map clients past)) (fun i => vsum_in (data i)
        (drawn_at (fun _ => none) (at_time (S s) past) i) (fun j =>
          sub (sub (grad i j (point_at o past (S s))) (grad i j (point_at o past s)))
            (sub (G i (point_at o past (S s))) (G i (point_at o past s))))))
    else zero))) (fun o t past => 4 * C ^ 2 * L ^ 2 / (Np * M) * sum t (fun s => if (t - T3 <=? s)%nat
    then sq (sub (point_at o past (S s)) (point_at o past s)) else 0))).
  intros o _. apply (lemma_25_second_power b P p T K Hp HpP HK Hb HT data grad L enough_data L0 lip eta (noise o)
    (start o) nu Hnu n d c Hd Hn ltac:(lra) T3).
Qed.
Lemma local_likely : 5 <= c -> with_probability (fledge_from m P p K b data T) (1 - nu) (fun o => forall t k,
  (t < T)%nat -> (k <= K)%nat ->
  sq (sub (z (fst o) (snd o) t k) (sub (gradient P G (x (fst o) (snd o) t k))
      (gradient P G (x (fst o) (snd o) t 0%nat))))
    <= (2 * zeta ^ 2 * INR K + 2 * C ^ 2 * L ^ 2 / INR b)
      * sum k (fun l => sq (sub (x (fst o) (snd o) t (S l)) (x (fst o) (snd o) t l)))).
Proof.
  intro Hc. eapply with_probability_weaken; [apply Rle_refl| |apply (given_any m (fledge_history P p K b data T)
    (list_prod (seq 0 T) (seq 0 (S K))) nu (fun o i past =>
      sq (sub (z o past (fst i) (snd i)) (sub (gradient P G (x o past (fst i) (snd i)))
        (gradient P G (x o past (fst i) 0%nat)))))
    (fun o i past => (2 * zeta ^ 2 * INR K + 2 * C ^ 2 * L ^ 2 / INR b)
      * sum (snd i) (fun l => sq (sub (x o past (fst i) (S l)) (x o past (fst i) l)))))].
  - intros o _ H t k Ht Hk. apply (H (t, k)). apply in_prod; apply in_seq; lia.
  - intros o _. eapply with_probability_weaken; [apply Rle_refl| |apply (lemma_28 b P p T K Hp HpP HK Hb HT data grad L
      zeta enough_data L0 lip het eta (noise o) (start o) nu Hnu n d c Hd Hn Hc)].
    intros past _ H [t k] I. apply in_prod_iff in I. destruct I as [I1 I2]. apply in_seq in I1, I2. apply H; cbn; lia.
Qed.
Lemma coverage_likely : 5 <= c -> with_probability (fledge_from m P p K b data T) (1 - nu) (fun o => forall t i,
  (t <= T)%nat -> (i < P)%nat -> (age (map clients (at_time t (snd o))) i < T3)%nat).
Proof.
  intro Hc. destruct (constants Hc) as [_ [Q [H3 _]]].
  apply (second_of m _ _ _ (client_coverage P p K b data T T3 C nu Hp HpP H3 HT ltac:(lra) Q (proj1 window))).
Qed.
End Likely.

(* ---- Option II ---- *)

Section Option_II.
Variable noise : (nat -> batch) -> list round -> nat -> list batch -> V.
Notation start J0 := (fledge_start_II K b data grad x0 J0).
Notation first := (fun i => G i x0).
Notation run J0 := (fledge P p K b eta (noise J0) data grad (start J0)).
Notation shadow J0 past t := (sledge P p 0 (leading P p K b data grad eta (noise J0) (start J0) past) G
  (fst (start J0), first) (at_time t (map clients past))).
Lemma clients_II : 5 <= c -> with_probability (fledge_history_II P p K b data T) (1 - 2 * nu) (fun o => forall t,
  (t <= T)%nat -> sq (error P G (shadow (fst o) (snd o) t))
  <= 8 * C ^ 2 * (zeta * zeta) / Np * sum t (fun s => if (t - T3 <=? s)%nat
    then sq (sub (point (shadow (fst o) (snd o) (S s))) (point (shadow (fst o) (snd o) s))) else 0) + 0).
Proof.
  intro Hc. destruct (constants Hc) as [C5 [Q [H3 [_ [_ [p1 [M1 [P1 T1]]]]]]]].
  apply (given_rest P p K b HpP data (fresh_law P data (K * b)) T (2 * nu) (fun J0 t past =>
    sq (error P G (shadow J0 past t))) (fun J0 t past => 8 * C ^ 2 * (zeta * zeta) / Np *
    sum t (fun s => if (t - T3 <=? s)%nat
      then sq (sub (point (shadow J0 past (S s))) (point (shadow J0 past s))) else 0) + 0)).
  intros J0 rounds _ Pr. pose proof (history_length _ _ _ Pr) as Lr.
  eapply with_probability_weaken; [apply Rle_refl| |apply (lemma_1_eight P p Hp HpP G zeta zeta0 het 0
    (leading P p K b data grad eta (noise J0) (start J0) rounds) x0 T T3 nu C HT Hnu ltac:(lra) Q (proj1 window)
    (proj2 window))].
  intros sets Ps H t Ht. pose proof (history_length _ _ _ Ps) as Ls. specialize (H t Ht). cbv zeta in H.
  rewrite leading_asking, clients_asked by congruence.
  change (fst (start J0), first) with (sledge_start_II G x0).
  rewrite Rplus_0_r. exact H.
Qed.
Lemma held_II J0 past t : possible (fresh_law P data (K * b)) J0 -> possible (fledge_history P p K b data T) past ->
  (t <= T)%nat -> over P (vsum P (held_errors P p K b data grad eta (noise J0) (start J0) first (at_time t past)))
  = over (P * (K * b)) (vsum P (fun i => let s := last_refresh (at_time t past) i in
      let x := fst (run J0 (at_time s past)) in
      vsum_in (data i) (drawn_at J0 (at_time s past) i) (fun j => dev i j x))).
Proof.
  intros PJ Pp Ht. assert (P1 : 1 <= NP) by (change 1 with (INR 1); apply le_INR; lia).
  assert (M1 : 1 <= M) by (change 1 with (INR 1); apply le_INR, Kb_1; assumption).
  vector_eq u. rewrite !ip_vsum, <- !sum_mul, mult_INR. apply sum_ext. intros i Hi.
  rewrite (held_errors_are P p K b Hp HpP HK Hb data grad enough_data eta (noise J0) (start J0) first T past Pp J0
    t i Ht Hi).
  cbv zeta. destruct (last_refresh (at_time t past) i) as [|s].
  - cbn [Nat.leb]. rewrite at_time_none. cbn [drawn_at fledge fledge_start_II fst snd].
    rewrite (fresh_split P K b HK Hb data grad enough_data i J0 x0 PJ Hi). products. field. lra.
  - cbn [Nat.leb]. products. field. lra.
Qed.

(* Lemma 24 for Option II, with C_1^2 only *)
Theorem lemma_24_second_power : 5 <= c ->
  with_probability (fledge_history_II P p K b data T) (1 - 7 * nu) (fun o => let J0 := fst o in
    let after t := at_time t (snd o) in
    let x t k := step_point P p K b data grad eta (noise J0) (start J0) k (after (S t)) in
    let v t k := add (estimate P (run J0 (after t)))
      (step_change b P p K data grad eta (noise J0) (start J0) k (after (S t))) in
    forall t k, (t < T)%nat -> (k <= K)%nat ->
    sq (sub (v t k) (gradient P G (x t k)))
    <= (64 * C ^ 2 * zeta ^ 2 * INR K / Np + 32 * C ^ 2 * L ^ 2 / (Np * INR b))
        * sum t (fun s => if (t - T3 <=? s)%nat then sum K (fun l => sq (sub (x s (S l)) (x s l))) else 0)
      + (4 * zeta ^ 2 * INR K + 4 * C ^ 2 * L ^ 2 / INR b) * sum k (fun l => sq (sub (x t (S l)) (x t l)))
      + 8 * C ^ 2 / (NP * M) * (sigma ^ 2 + G_ ^ 2 / (NP * M))).
Proof.
  intro Hc. destruct (constants Hc) as [C5 [_ [_ [_ [N1 [p1 [M1 [P1 T1]]]]]]]].
  pose proof (fledge_fresh.sizes P p K b Hp HpP HK Hb data grad sigma G_ enough_data largest) as [_ [_ [g0 [w0 s0]]]].
  assert (Hd' : 0 < nu / INR T < 1).
  { split; [apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra]|].
    apply Rmult_lt_reg_r with (INR T); [lra|]. replace (nu / INR T * INR T) with nu by (field; lra). lra. }
  set (m := fresh_law P data (K * b)).
  pose proof (clients_II Hc) as LA. pose proof (coverage_likely m Hc) as LV.
  pose proof (changes_likely m noise (fun J0 => start J0) Hc) as LB.
  pose proof (local_likely m noise (fun J0 => start J0) Hc) as LF.
  pose proof (lemma_26 n b P p d T K T Hp HpP HK Hb N1 Hd HT data grad x0 sigma G_ enough_data mean_square largest eta
    nu c Hnu noise ltac:(lra)) as LC.
  pose proof (first_of m (fledge_history P p K b data T) _ _ (shares_likely b P p K Hp HpP HK Hb data grad x0 sigma G_
    enough_data mean_square largest nu Hnu full (nu / INR T) Hd')) as LS.
  pose proof (union_bound _ _ _ _ _ LA (union_bound _ _ _ _ _ LV (union_bound _ _ _ _ _ LB
    (union_bound _ _ _ _ _ LF (union_bound _ _ _ _ _ LC LS))))) as U.
  eapply with_probability_weaken; [| |exact U].
  - assert (nu / INR T <= nu); [|lra]. apply Rmult_le_reg_r with (INR T); [lra|].
    replace (nu / INR T * INR T) with (nu * 1) by (field; lra). apply Rmult_le_compat_l; lra.
  - intros o [J0 [PJ [past [Pp e]]]] [HA [HV [HB [HF [HC HS]]]]]. simpl in e. subst o. cbn [fst snd] in *.
    intros t k Ht Hk.
    set (A := over P (vsum P (held_errors P p K b data grad eta (noise J0) (start J0) first (at_time t past)))).
    assert (SA : sq A <= C ^ 2 / (NP * M) * (sigma ^ 2 + G_ ^ 2 / (NP * M))).
    { unfold A. rewrite (held_II J0 past t PJ Pp ltac:(lia)). destruct t as [|t].
      - rewrite at_time_none. cbn [last_refresh]. cbv zeta. rewrite at_time_none.
        cbn [drawn_at fledge fledge_start_II fst].
        replace (over (P * (K * b)) _) with (vsum_in P full (share_of P K b data grad x0 J0)).
        + eapply Rle_trans; [exact HS|].
          replace (size P full) with NP
            by (unfold size; rewrite (sum_ext P (ind full) (fun _ => 1)) by reflexivity; rewrite sum_const; ring).
          pose proof (fledge_fresh.factor n b P p d T K Hp HpP HK Hb N1 Hd HT nu c Hnu ltac:(lra)) as F.
          assert (D2 : 0 < ln (2 / (nu / INR T))).
          { rewrite <- ln_1. apply ln_increasing; [lra|]. apply Rmult_lt_reg_r with (nu / INR T); [lra|].
            replace (2 / (nu / INR T) * (nu / INR T)) with 2 by (field; lra). lra. }
          replace (NP / NP * (sigma * sigma)) with (sigma * sigma) by (field; lra).
          replace (C ^ 2 / (NP * M) * (sigma ^ 2 + G_ ^ 2 / (NP * M)))
            with (C ^ 2 * ((sigma * sigma + G_ * G_ / (NP * M)) / (NP * M))) by (field; lra).
          apply Rmult_le_compat_r; [assumption|]. apply pow_incr. lra.
        + vector_eq u. rewrite ip_vsum_in, ip_vsum, <- sum_mul, mult_INR. apply sum_ext. intros i _.
          unfold share_of, full, ind. products. rewrite !ip_vsum_in, <- !sum_mul. apply sum_ext. intros j _.
          products. field. lra.
      - specialize (HC (S t) ltac:(lia)). cbv zeta in HC. replace (S t - T)%nat with 0%nat in HC by lia. exact HC. }
    assert (C2 : 0 <= 8 * C ^ 2) by (pose proof (pow2_ge_0 C); lra).
    pose proof (combined (noise J0) (start J0) first past Pp (8 * C ^ 2) t k A zero 0 0 Hc C2 Ht Hk
      (fun i Hi => HV t i ltac:(lia) Hi)) as X.
    specialize (X ltac:(unfold A; vector_eq u; ring) (HA t ltac:(lia)) (HB t ltac:(lia)) SA
      ltac:(rewrite sq_zero; lra) (HF t k Ht Hk)).
    replace (8 * (8 * C ^ 2)) with (64 * C ^ 2) in X by ring. eapply Rle_trans; [exact X|]. lra.
Qed.
(* Lemma 24 for Option II *)
Theorem lemma_24_option_II : 5 <= c ->
  with_probability (fledge_history_II P p K b data T) (1 - 7 * nu) (fun o => let J0 := fst o in
    let after t := at_time t (snd o) in
    let x t k := step_point P p K b data grad eta (noise J0) (start J0) k (after (S t)) in
    let v t k := add (estimate P (run J0 (after t)))
      (step_change b P p K data grad eta (noise J0) (start J0) k (after (S t))) in
    forall t k, (t < T)%nat -> (k <= K)%nat ->
    sq (sub (v t k) (gradient P G (x t k)))
    <= (120 * C ^ 8 * zeta ^ 2 * INR K / Np + 32 * C ^ 10 * L ^ 2 / (Np * INR b))
        * sum t (fun s => if (t - T3 <=? s)%nat then sum K (fun l => sq (sub (x s (S l)) (x s l))) else 0)
      + (4 * zeta ^ 2 * INR K + 4 * C ^ 2 * L ^ 2 / INR b) * sum k (fun l => sq (sub (x t (S l)) (x t l)))
      + 8 * C ^ 2 / (NP * M) * (sigma ^ 2 + G_ ^ 2 / (NP * M))).
Proof.
  intro Hc. destruct (constants Hc) as [C5 _].
  eapply with_probability_weaken; [apply Rle_refl| |exact (lemma_24_second_power Hc)].
  intros o _ H J0 after x v t k Ht Hk. specialize (H t k Ht Hk). fold J0 in H. fold after in H.
  set (S := sum t (fun s => if (t - T3 <=? s)%nat then sum K (fun l => sq (sub (x s (S l)) (x s l))) else 0)).
  assert (S0 : 0 <= S).
  { apply sum_nonneg. intros s _. destruct (Nat.leb _ _); [|lra]. apply sum_nonneg. intros. apply sq_nonneg. }
  assert (Q : 8 * C ^ 2 <= 15 * C ^ 8).
  { assert (C ^ 2 <= C ^ 8) by (apply Rle_pow; [lra|lia]). pose proof (pow2_ge_0 C). lra. }
  rewrite Rplus_assoc. eapply Rle_trans; [|apply (printed_larger (8 * C ^ 2) S _ Hc S0 Q)].
  replace (8 * (8 * C ^ 2)) with (64 * C ^ 2) by ring. rewrite <- Rplus_assoc. exact H.
Qed.
End Option_II.

(* ---- Option I ---- *)

Section Option_I.
Variables (sigma_c G_c : R).
(* Assumption 3 (i) of the appendix (lines 888-892), at x^0 *)
Hypothesis clients_square : deviation P G x0 <= sigma_c ^ 2.
Hypothesis clients_largest : forall i, (i < P)%nat -> norm (sub (G i x0) (gradient P G x0)) <= G_c.
Variable noise : batch -> (nat -> batch) -> list round -> nat -> list batch -> V.
Notation start o := (fledge_start_I P p K b data grad x0 (fst o) (snd o)).
Notation noise' o := (noise (fst o) (snd o)).
Notation first o := (fun _ : nat => asked P p data grad x0 (fst o)).
Notation run o := (fledge P p K b eta (noise' o) data grad (start o)).
Notation shadow o past t := (sledge P p 0 (leading P p K b data grad eta (noise' o) (start o) past) G
  (fst (start o), first o) (at_time t (map clients past))).
Notation start_term t := (if (t <? T3)%nat then 12 * C ^ 2 / Np * (sigma_c ^ 2 + G_c ^ 2 / Np) else 0).
Lemma clients_I : 10 <= c -> with_probability (fledge_history_I P p K b data T) (1 - 3 * nu) (fun o => forall t,
  (t <= T)%nat -> sq (error P G (shadow (fst o) (snd o) t))
  <= 15 * C ^ 8 * (zeta * zeta) / Np * sum t (fun s => if (t - T3 <=? s)%nat
    then sq (sub (point (shadow (fst o) (snd o) (S s))) (point (shadow (fst o) (snd o) s))) else 0) + start_term t).
Proof.
  intro Hc. destruct (constants ltac:(lra)) as [C5 [Q [H3 [E [N1 [p1 [M1 [P1 T1]]]]]]]].
  apply (given_rest_I P p K b HpP data T (3 * nu) (fun o t past => sq (error P G (shadow o past t)))
    (fun o t past => 15 * C ^ 8 * (zeta * zeta) / Np * sum t (fun s => if (t - T3 <=? s)%nat
      then sq (sub (point (shadow o past (S s))) (point (shadow o past s))) else 0) + start_term t)).
  intros J0 rounds Pr. pose proof (history_length _ _ _ Pr) as Lr.
  pose proof (lemma_1_option_I P p n d T K Hp HpP N1 Hd HT HK nu c Hnu G zeta zeta0 het 0 x0 sigma_c G_c clients_square
    clients_largest (fun I0 => leading P p K b data grad eta (noise I0 J0) (start (I0, J0)) rounds) T3 Hc) as LI.
  rewrite E in LI. specialize (LI (proj1 window) (proj2 window)).
  eapply with_probability_weaken; [apply Rle_refl| |exact LI].
  intros o [I0 [PI [sets [Ps e]]]] H t Ht. simpl in e. subst o. cbn [fst snd] in *.
  pose proof (history_length _ _ _ Ps) as Ls. specialize (H t Ht). cbv zeta in H.
  rewrite leading_asking, clients_asked by congruence. exact H.
Qed.
Lemma held_I o past t : possible (fledge_history P p K b data T) past -> (t <= T)%nat ->
  over P (vsum P (held_errors P p K b data grad eta (noise' o) (start o) (first o) (at_time t past)))
  = add (over (P * (K * b)) (vsum P (fun i => let s := last_refresh (at_time t past) i in
      let x := fst (run o (at_time s past)) in
      if (1 <=? s)%nat then vsum_in (data i) (drawn_at (snd o) (at_time s past) i) (fun j => dev i j x) else zero)))
    (over P (vsum_in P (undrawn 1 (map clients (at_time t past)))
      (fun i => sub (table (start o) i) (asked P p data grad x0 (fst o))))).
Proof.
  intros Pp Ht. assert (P1 : 1 <= NP) by (change 1 with (INR 1); apply le_INR; lia).
  assert (M1 : 1 <= M) by (change 1 with (INR 1); apply le_INR, Kb_1; assumption).
  rewrite undrawn_all. vector_eq u. rewrite ip_vsum_in, !ip_vsum, <- !sum_mul, <- sum_add, mult_INR.
  apply sum_ext. intros i Hi.
  rewrite (held_errors_are P p K b Hp HpP HK Hb data grad enough_data eta (noise' o) (start o) (first o) T past Pp
    (snd o) t i Ht Hi).
  unfold ind. rewrite left_refresh. cbv zeta. destruct (1 <=? _)%nat; cbn [negb]; products; [field; lra|].
  unfold table. field. lra.
Qed.

(* Lemma 24 for Option I *)
Theorem lemma_24_option_I : 10 <= c ->
  with_probability (fledge_history_I P p K b data T) (1 - 8 * nu) (fun o =>
    let after t := at_time t (snd o) in
    let x t k := step_point P p K b data grad eta (noise' (fst o)) (start (fst o)) k (after (S t)) in
    let v t k := add (estimate P (run (fst o) (after t)))
      (step_change b P p K data grad eta (noise' (fst o)) (start (fst o)) k (after (S t))) in
    forall t k, (t < T)%nat -> (k <= K)%nat ->
    sq (sub (v t k) (gradient P G (x t k)))
    <= (120 * C ^ 8 * zeta ^ 2 * INR K / Np + 32 * C ^ 10 * L ^ 2 / (Np * INR b))
        * sum t (fun s => if (t - T3 <=? s)%nat then sum K (fun l => sq (sub (x s (S l)) (x s l))) else 0)
      + (4 * zeta ^ 2 * INR K + 4 * C ^ 2 * L ^ 2 / INR b) * sum k (fun l => sq (sub (x t (S l)) (x t l)))
      + 8 * C ^ 2 / (NP * M) * (sigma ^ 2 + G_ ^ 2 / (NP * M))
      + if (S t <=? T3)%nat then 96 * C ^ 2 * (sigma ^ 2 / (Np * M) + G_ ^ 2 / (Np * M) ^ 2 + sigma_c ^ 2 / Np
          + G_c ^ 2 / Np ^ 2) else 0).
Proof.
  intro Hc. destruct (constants ltac:(lra)) as [C5 [_ [_ [_ [N1 [p1 [M1 [P1 T1]]]]]]]].
  pose proof (fledge_fresh.sizes P p K b Hp HpP HK Hb data grad sigma G_ enough_data largest) as [_ [_ [g0 [w0 s0]]]].
  set (m := fledge_start_law_I P p K b data).
  pose proof (clients_I Hc) as LA. pose proof (coverage_likely m ltac:(lra)) as LV.
  pose proof (changes_likely m (fun o => noise' o) (fun o => start o) ltac:(lra)) as LB.
  pose proof (local_likely m (fun o => noise' o) (fun o => start o) ltac:(lra)) as LF.
  pose proof (lemma_26_option_I n b P p d T K T Hp HpP HK Hb N1 Hd HT data grad x0 sigma G_ enough_data mean_square
    largest eta nu c Hnu noise ltac:(lra)) as LC.
  pose proof (lemma_27 n b P p d T K T Hp HpP HK Hb N1 Hd HT data grad x0 sigma G_ enough_data
    (fun i Hi => mean_square i x0 Hi) (fun i j Hi Hj => largest i j x0 Hi Hj) nu c Hnu ltac:(lra)) as LD.
  pose proof (union_bound _ _ _ _ _ LA (union_bound _ _ _ _ _ LV (union_bound _ _ _ _ _ LB
    (union_bound _ _ _ _ _ LF (union_bound _ _ _ _ _ LC LD))))) as U.
  eapply with_probability_weaken; [| |exact U]; [lra|].
  intros o [st [_ [past [Pp e]]]] [HA [HV [HB [HF [HC HD]]]]]. simpl in e. subst o. cbn [fst snd] in *.
  intros t k Ht Hk.
  set (A := over (P * (K * b)) (vsum P (fun i => let s := last_refresh (at_time t past) i in
      let x := fst (run st (at_time s past)) in
      if (1 <=? s)%nat then vsum_in (data i) (drawn_at (snd st) (at_time s past) i) (fun j => dev i j x) else zero))).
  set (D := over P (vsum_in P (undrawn 1 (map clients (at_time t past)))
      (fun i => sub (table (start st) i) (asked P p data grad x0 (fst st))))).
  assert (q0 : 0 <= C ^ 2) by (apply pow_le; lra).
  assert (SA : sq A <= C ^ 2 / (NP * M) * (sigma ^ 2 + G_ ^ 2 / (NP * M))).
  { unfold A. destruct t as [|t].
    - rewrite at_time_none. cbn [last_refresh]. cbv zeta. cbn [Nat.leb].
      replace (over (P * (K * b)) _) with (zero : V) by (vector_eq u; rewrite ip_vsum, sum_zero;
        [ring|intros; apply ip_zero]).
      rewrite sq_zero. replace (C ^ 2 / (NP * M) * (sigma ^ 2 + G_ ^ 2 / (NP * M)))
        with (C ^ 2 * ((sigma * sigma + G_ * G_ / (NP * M)) / (NP * M))) by (field; lra).
      apply Rmult_le_pos; assumption.
    - specialize (HC (S t) ltac:(lia)). cbv zeta in HC. replace (S t - T)%nat with 0%nat in HC by lia. exact HC. }
  set (sa := start_term t). set (sd := if (t <? T3)%nat then C ^ 2 / (Np * M) * (sigma ^ 2 + G_ ^ 2 / (Np * M)) else 0).
  assert (SD : sq D <= sd).
  { unfold sd. destruct (Nat.ltb_spec t T3) as [g|g].
    - specialize (HD t ltac:(lia)). rewrite (proj2 (Nat.leb_le t T)) in HD by lia. exact HD.
    - unfold D. rewrite nobody; [rewrite sq_over, sq_zero; lra|].
      apply (none_left P p K b Hp HpP HK Hb data T past Pp T3 t 0 (fun i Hi => HV t i ltac:(lia) Hi)); lia. }
  assert (i1 : 0 < / Np) by (apply Rinv_0_lt_compat; lra).
  assert (i2 : 0 < / (Np * M)) by (apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra).
  assert (sc : 0 <= sigma_c ^ 2) by apply pow2_ge_0. assert (gc : 0 <= G_c ^ 2) by apply pow2_ge_0.
  assert (ss : 0 <= sigma ^ 2) by apply pow2_ge_0. assert (gg : 0 <= G_ ^ 2) by apply pow2_ge_0.
  assert (C8 : 0 <= 15 * C ^ 8) by (apply Rmult_le_pos; [lra|apply pow_le; lra]).
  pose proof (combined (noise' st) (start st) (first st) past Pp (15 * C ^ 8) t k A D sa sd ltac:(lra) C8 Ht Hk
    (fun i Hi => HV t i ltac:(lia) Hi) (held_I st past t Pp ltac:(lia)) (HA t ltac:(lia)) (HB t ltac:(lia)) SA SD
    (HF t k Ht Hk)) as X.
  eapply Rle_trans; [exact X|]. rewrite (Rplus_assoc _ (8 * sa)). apply Rplus_le_compat.
  { rewrite !(Rplus_assoc (_ * sum t _)). apply printed_larger; [lra| |apply Rle_refl].
    apply sum_nonneg. intros s _. destruct (Nat.leb _ _); [|lra]. apply sum_nonneg. intros. apply sq_nonneg. }
  unfold sa, sd. change (S t <=? T3)%nat with (t <? T3)%nat. destruct (Nat.ltb t T3); [|lra].
  replace (8 * (12 * C ^ 2 / Np * (sigma_c ^ 2 + G_c ^ 2 / Np))
      + 8 * (C ^ 2 / (Np * M) * (sigma ^ 2 + G_ ^ 2 / (Np * M))))
    with (C ^ 2 * (96 * (sigma_c ^ 2 / Np + G_c ^ 2 / Np ^ 2) + 8 * (sigma ^ 2 / (Np * M) + G_ ^ 2 / (Np * M) ^ 2)))
    by (field; lra).
  replace (96 * C ^ 2 * (sigma ^ 2 / (Np * M) + G_ ^ 2 / (Np * M) ^ 2 + sigma_c ^ 2 / Np + G_c ^ 2 / Np ^ 2)) with
    (C ^ 2 * (96 * (sigma_c ^ 2 / Np + G_c ^ 2 / Np ^ 2) + 96 * (sigma ^ 2 / (Np * M) + G_ ^ 2 / (Np * M) ^ 2)))
    by ring.
  apply Rmult_le_compat_l; [assumption|].
  assert (0 <= sigma ^ 2 / (Np * M)) by (apply Rmult_le_pos; lra).
  assert (0 <= G_ ^ 2 / (Np * M) ^ 2).
  { replace (G_ ^ 2 / (Np * M) ^ 2) with (G_ * / (Np * M) * (G_ * / (Np * M))) by (field; lra). apply Rle_0_sqr. }
  lra.
Qed.
End Option_I.
End Printed.
