(* What the entries say of FLEDGE that runs over all choices decide for small sizes alone: here for every space, all
   functions, P, p, K, b, T, step sizes and noise.

   Contents
     last_refresh_is         which clients have not refreshed their rows since a round, and when one did last
     table_identity          the error of the table: its parts (a), (b), (c), (d) (lines 2451-2469)
     table_identity_II, _I   the same with the starts of both options
     estimate_identity       the error at a local step: that of the table and that of the local steps; of two runs
     estimate_split          the square of that error, by its two parts (lines 2438-2447)
     local_split             the error of the local steps: the data, and what clients differ by (lines 2404-2417)
     pair_identity           what the errors of the tables of two runs differ by, and their local estimates
                             (lines 2637-2638, 2724-2739) *)
From Coq Require Import Reals Lra Lia PeanoNat List Bool.
From Sledge Require Import vectors means minibatches algorithms problems second_moments sledge_errors steps.
From Sledge Require Import identities fledge_sampling fledge_errors fledge_tails fledge_fresh fledge_variance.
Import ListNotations.
Open Scope R_scope.

Local Notation left s past := (undrawn s (map clients past)).

(* The clients that no round from s on asked are those that were asked last before round s; the last round that
   asked i is
   the largest of them, 0 if there is none. *)
Theorem last_refresh_is past i :
  (forall s, (1 <= s <= S (length past))%nat -> left s past i = (last_refresh past i <? s)%nat)
  /\ (last_refresh past i <= length past)%nat
  /\ (forall s, (1 <= s <= length past)%nat -> minibatch s (map clients past) i = true -> (s <= last_refresh past
    i)%nat)
  /\ ((1 <= last_refresh past i)%nat -> minibatch (last_refresh past i) (map clients past) i = true).
Proof.
  assert (E : forall s, (1 <= s <= S (length past))%nat ->
    ind (left s past) i = if (last_refresh past i <? s)%nat then 1 else 0).
  { induction past as [|c past IH]; intros s H.
    - assert (s = 1%nat) by (simpl in H; lia). subst s. apply (undrawn_none []).
    - cbn [length] in H. destruct s as [|k]; [lia|].
      destruct (Nat.eq_dec k (S (length past))) as [->|e].
      + replace (S (length past)) with (length (map clients (c :: past))) at 1 by (simpl; rewrite map_length;
        reflexivity).
        rewrite undrawn_none. pose proof (last_refresh_length (c :: past) i) as L. cbn [length] in L.
        destruct (Nat.ltb_spec (last_refresh (c :: past) i) (S (S (length past)))); [reflexivity|lia].
      + cbn [map]. rewrite undrawn_more, IH by (try rewrite map_length; lia). cbn [last_refresh length]. unfold ind.
        destruct (clients c i).
        * destruct (Nat.ltb_spec (S (length past)) (S k)); [lia|ring].
        * ring. }
  assert (U : forall s, (1 <= s <= S (length past))%nat -> left s past i = (last_refresh past i <? s)%nat).
  { intros s H. specialize (E s H). unfold ind in E. destruct (left s past i), (last_refresh past i <? s)%nat;
      try reflexivity; lra. }
  split; [exact U|]. split; [apply last_refresh_length|]. clear E U.
  induction past as [|c past [IH1 IH2]]; [split; [intros s H; simpl in H; lia|simpl; lia]|].
  cbn [last_refresh length map]. pose proof (last_refresh_length past i) as L. split.
  - intros s H. destruct (Nat.eq_dec s (S (length past))) as [->|e].
    + replace (S (length past)) with (S (length (map clients past))) by (rewrite map_length; reflexivity).
      rewrite minibatch_now. intros ->. rewrite map_length. lia.
    + rewrite minibatch_before by (rewrite map_length; lia). intro M. destruct (clients c i); [lia|]. apply IH1;
      [lia|exact M].
  - destruct (clients c i) eqn:e; intro H.
    + replace (S (length past)) with (S (length (map clients past))) by (rewrite map_length; reflexivity).
      rewrite minibatch_now. exact e.
    + rewrite minibatch_before by (rewrite map_length; exact L). apply IH2, H.
Qed.

Section Table.
Context {V : space}.
Variables (P p K b : nat).
Hypothesis Hp : (1 <= p)%nat.
Hypothesis HpP : (p <= P)%nat.
Hypothesis HK : (1 <= K)%nat.
Hypothesis Hb : (1 <= b)%nat.
Variables (data : nat -> nat) (grad : nat -> nat -> V -> V).
Hypothesis enough_data : forall i, (i < P)%nat -> (K * b <= data i)%nat.
Variables (eta : R) (noise : list round -> nat -> list batch -> V) (start : V * (nat -> V)).
Notation G := (client_gradient data grad).
Notation NP := (INR P).
Notation Np := (INR p).
Notation M := (INR (K * b)).
Notation run := (fledge P p K b eta noise data grad start).
(* x^s *)
Definition x_of (s : nat) (past : list round) : V := fst (run (at_time s past)).
(* The round s: its clients and their data. *)
Definition clients_of (s : nat) (past : list round) : batch := minibatch s (map clients past).
Definition data_of (s : nat) (past : list round) : nat -> batch := drawn_at (fun _ => none) (at_time s past).
(* How grad f_i and grad f_ij change from x^{s-1} to x^s. *)
Definition client_change (s : nat) (past : list round) (i : nat) : V :=
  sub (G i (x_of s past)) (G i (x_of (s - 1) past)).
Definition datum_change (s : nat) (past : list round) (i j : nat) : V :=
  sub (grad i j (x_of s past)) (grad i j (x_of (s - 1) past)).

Lemma x_of_before c s past : (s <= length past)%nat -> x_of s (c :: past) = x_of s past.
Proof. intro H. unfold x_of. rewrite at_time_before by assumption. reflexivity. Qed.
Lemma x_of_now c past : x_of (S (length past)) (c :: past) = fst (run (c :: past)).
Proof. unfold x_of. change (S (length past)) with (length (c :: past)). rewrite at_time_all. reflexivity. Qed.
Lemma asked_before c s past : (s <= length past)%nat -> clients_of s (c :: past) = clients_of s past.
Proof. intro H. unfold clients_of. cbn [map]. apply minibatch_before. rewrite map_length. assumption. Qed.
Lemma asked_now c past : clients_of (S (length past)) (c :: past) = clients c.
Proof.
  unfold clients_of. replace (S (length past)) with (S (length (map clients past))) by (rewrite map_length;
    reflexivity).
  apply minibatch_now.
Qed.
Lemma data_before c s past : (s <= length past)%nat -> data_of s (c :: past) = data_of s past.
Proof. intro H. unfold data_of. rewrite at_time_before by assumption. reflexivity. Qed.
Lemma data_now c past : data_of (S (length past)) (c :: past) = fresh c.
Proof. unfold data_of. change (S (length past)) with (length (c :: past)). rewrite at_time_all. reflexivity. Qed.
Lemma left_more c k past i : (k <= length past)%nat ->
  ind (left (S k) (c :: past)) i = (1 - ind (clients c) i) * ind (left (S k) past) i.
Proof. intro H. cbn [map]. apply undrawn_more. rewrite map_length. assumption. Qed.
Lemma left_none past i : ind (left (S (length past)) past) i = 1.
Proof.
  replace (S (length past)) with (S (length (map clients past))) by (rewrite map_length; reflexivity). apply
    undrawn_none.
Qed.

(* The mean over the data of a client, and what a row holds when it is refreshed, less the gradient of the client. *)
Notation datum s past l := (data_mean data l (K * b) (data_of s past l) (fun j => datum_change s past l j)).
Definition held_since (past : list round) (i : nat) : V := let s := last_refresh past i in
  if (1 <=? s)%nat then sub (fresh_gradient K b data grad i (data_of s past i) (x_of s past)) (G i (x_of s past))
    else zero.

Lemma table_row_parts past i w :
  ip (sub (snd (run past) i) (G i (fst (run past)))) w
  = sum (length past) (fun k => ind (left (S k) past) i
      * (/ Np * sum P (fun l => ind (clients_of (S k) past) l * ip (datum (S k) past l) w)
         - ip (client_change (S k) past i) w))
    + ip (held_since past i) w + ind (left 1 past) i * ip (sub (snd start i) (G i (fst start))) w.
Proof.
  induction past as [|c past IH].
  - unfold held_since. cbn [fledge length sum last_refresh Nat.leb]. rewrite (left_none []), ip_zero. ring.
  - assert (E : forall k, (k < length past)%nat -> ind (left (S k) (c :: past)) i
      * (/ Np * sum P (fun l => ind (clients_of (S k) (c :: past)) l * ip (datum (S k) (c :: past) l) w)
         - ip (client_change (S k) (c :: past) i) w)
      = (1 - ind (clients c) i) * (ind (left (S k) past) i
      * (/ Np * sum P (fun l => ind (clients_of (S k) past) l * ip (datum (S k) past l) w)
         - ip (client_change (S k) past i) w))).
    { intros k Hk. rewrite left_more, asked_before by lia. unfold client_change, datum_change.
      rewrite !x_of_before, data_before by lia. ring. }
    assert (H : ip (held_since (c :: past) i) w
      = ind (clients c) i * ip (sub (fresh_gradient K b data grad i (fresh c i) (fst (run (c :: past))))
          (G i (fst (run (c :: past))))) w + (1 - ind (clients c) i) * ip (held_since past i) w).
    { unfold held_since. cbn [last_refresh length]. unfold ind. destruct (clients c i).
      - cbn [Nat.leb]. rewrite data_now, x_of_now. ring.
      - pose proof (last_refresh_length past i). rewrite data_before, x_of_before by lia. ring. }
    cbn [length sum]. rewrite (sum_ext _ _ _ E), sum_mul, H, !left_more, left_none, asked_now by lia.
    unfold client_change at 2, datum_change at 2. replace (S (length past) - 1)%nat with (length past) by lia.
    rewrite !x_of_now, !(x_of_before c (length past)) by lia.
    replace (x_of (length past) past) with (fst (run past)) by (unfold x_of; rewrite at_time_all; reflexivity).
    rewrite (sum_ext P (fun l => ind (clients c) l * _) (fun l => ind (clients c) l * ip (fresh_change K b data grad l
      (fresh c l) (fst (run (c :: past))) (fst (run past))) w)).
    2:{ intros l _. rewrite data_now. reflexivity. }
    rewrite <- ip_vsum_in. clear E H. cbn [fledge]. set (s := run past) in *.
    assert (R : exists x', fledge_round P p K b eta noise data grad past s c = refresh P p K b data grad s x'
      (clients c) (fresh c))
      by (eexists; reflexivity).
    destruct R as [x' ->]. clearbody s. unfold refresh. cbn [fst snd].
    set (A := vsum_in P (clients c) _). rewrite !ip_sub in IH |- *. change (ind (clients c) i) with (if clients c i
      then 1 else 0).
    destruct (clients c i); [rewrite (ip_sub (fresh_gradient _ _ _ _ _ _ _)); ring|]. rewrite ip_add, ip_over.
      rewrite (ip_sub (snd start i)). lra.
Qed.

(* ---- The parts of the error of the table ---- *)

Definition part_clients (from : nat) (past : list round) : V := over P (vsum (length past) (fun k => if (from <=?
  k)%nat
  then sub (scale (size P (left (S k) past) / Np) (vsum_in P (clients_of (S k) past) (client_change (S k) past)))
    (vsum_in P (left (S k) past) (client_change (S k) past)) else zero)).
Definition part_data (from : nat) (past : list round) : V := over (P * (p * (K * b))) (vsum (length past) (fun k =>
  if (from <=? k)%nat then scale (size P (left (S k) past)) (vsum_in P (clients_of (S k) past) (fun i =>
    vsum_in (data i) (data_of (S k) past i) (fun j => sub (datum_change (S k) past i j) (client_change (S k) past
      i))))
  else zero)).
Definition part_held (from : nat) (past : list round) : V := over (P * (K * b)) (vsum P (fun i =>
  let s := last_refresh past i in if (Nat.max 1 from <=? s)%nat then vsum_in (data i) (data_of s past i) (fun j =>
    sub (grad i j (x_of s past)) (G i (x_of s past))) else zero)).
Definition part_start (past : list round) : V :=
  over P (vsum_in P (left 1 past) (fun i => sub (snd start i) (G i (fst start)))).

Lemma round_at s past : Forall (possible (round_law P p K b data)) past -> (1 <= s <= length past)%nat ->
  possible (uniform P p) (clients_of s past) /\ forall i, (i < P)%nat -> possible (uniform (data i) (K * b))
    (data_of s past i).
Proof.
  intros F. revert s. induction F as [|c past PI F IH]; intros s H; [simpl in H; lia|]. cbn [length] in H.
  destruct (Nat.eq_dec s (S (length past))) as [->|e].
  - rewrite asked_now, data_now. apply round_possible in PI; try assumption. destruct PI as [_ [_ [PI PF]]].
    split; [exact PI|]. intros i Hi. exact (family_possible none P _ (fresh c) i PF Hi).
  - rewrite asked_before, data_before by lia. apply IH. lia.
Qed.
Lemma sample_centred s past i (a : nat -> V) (g : V) : (i < P)%nat -> possible (uniform (data i) (K * b)) (data_of s
  past i) ->
  data_mean data i (K * b) (data_of s past i) a = add g (over (K * b) (vsum_in (data i) (data_of s past i) (fun j =>
    sub (a j) g))).
Proof.
  intros Hi PJ. assert (M0 : 0 < M) by (apply lt_0_INR; nia). apply ip_ext. intro w. unfold data_mean.
  rewrite ip_add, !ip_over, !ip_vsum_in.
  rewrite (sum_ext (data i) (fun j => ind (data_of s past i) j * ip (sub (a j) g) w)
    (fun j => ind (data_of s past i) j * ip (a j) w - ip g w * ind (data_of s past i) j)) by (intros; rewrite
      ip_sub; ring).
  rewrite sum_sub, sum_mul, (uniform_size (data i) (K * b) _ (enough_data i Hi) PJ). field. lra.
Qed.
Lemma held_is past i : Forall (possible (round_law P p K b data)) past -> (i < P)%nat -> held_since past i
  = let s := last_refresh past i in over (K * b) (if (1 <=? s)%nat then vsum_in (data i) (data_of s past i) (fun j =>
      sub (grad i j (x_of s past)) (G i (x_of s past))) else zero).
Proof.
  intros F Hi. unfold held_since. cbn zeta. pose proof (last_refresh_length past i).
  destruct (Nat.leb_spec 1 (last_refresh past i)) as [l|l].
  - unfold fresh_gradient. rewrite (sample_centred _ past i _ (G i (x_of (last_refresh past i) past)) Hi).
    + apply sub_add_cancel.
    + apply round_at; [exact F|lia|exact Hi].
  - apply ip_ext. intro w. rewrite ip_over, ip_zero. ring.
Qed.

(* The error of the table after t rounds, lines 2453-2467: the clients that were not asked, the data of those that
   were,
   the data that the rows still hold, and the rows that are those of the start; of all rounds, or, where every
     client was
   asked since round [from], of those from it on. *)
Theorem table_identity past from : Forall (possible (round_law P p K b data)) past ->
  (forall s, (1 <= s <= from)%nat -> forall i, (i < P)%nat -> left s past i = false) ->
  error P G (run past) = add (add (part_clients from past) (part_data from past))
    (add (part_held from past) (part_start past)).
Proof.
  intros F W. apply ip_ext. intro w. assert (P0 : 0 < NP) by (apply lt_0_INR; lia). assert (p0 : 0 < Np) by (apply
    lt_0_INR; lia).
  assert (M0 : 0 < M) by (apply lt_0_INR; nia).
  assert (R : ip (error P G (run past)) w = / NP * sum P (fun i => ip (sub (snd (run past) i) (G i (fst (run
    past)))) w)).
  { unfold error, estimate, gradient, table, point. rewrite ip_sub, !ip_over, !ip_vsum, <- Rmult_minus_distr_l, <-
    sum_sub.
    f_equal. apply sum_ext. intros. rewrite ip_sub. reflexivity. }
  rewrite R, (sum_ext P _ _ (fun i _ => table_row_parts past i w)), !sum_add, !Rmult_plus_distr_l. clear R.
  rewrite !ip_add. rewrite Rplus_assoc. f_equal; [|f_equal].
  - (* the rounds *)
    unfold part_clients, part_data. rewrite !ip_over, !ip_vsum, sum_swap, !mult_INR.
    replace (/ (NP * (Np * (INR K * INR b)))) with (/ NP * (/ (Np * M))) by (rewrite mult_INR; field; rewrite
      mult_INR in M0;
      repeat split; nra).
    rewrite Rmult_assoc, <- Rmult_plus_distr_l. f_equal. rewrite <- sum_mul, <- sum_add. apply sum_ext. intros k Hk.
    destruct (round_at (S k) past F ltac:(lia)) as [PI PJ]. pose proof (uniform_size P p _ HpP PI) as Size.
    destruct (Nat.leb_spec from k) as [l|l].
    + set (J := fun i => vsum_in (data i) (data_of (S k) past i)
        (fun j => sub (datum_change (S k) past i j) (client_change (S k) past i))).
      rewrite ip_sub, !ip_scale, !ip_vsum_in. unfold size.
      rewrite (sum_ext P (fun l => ind (clients_of (S k) past) l * ip (J l) w) (fun l => M * (ind (clients_of (S k)
        past) l *
        (ip (datum (S k) past l) w - ip (client_change (S k) past l) w)))).
      2:{ intros i Hi. rewrite (sample_centred (S k) past i _ (client_change (S k) past i) Hi (PJ i Hi)).
          rewrite ip_add, ip_over. fold (J i). field. lra. }
      rewrite sum_mul.
      rewrite (sum_ext P (fun l => ind (clients_of (S k) past) l * (_ - _)) (fun l => ind (clients_of (S k) past) l
        * ip (datum (S k) past l) w
        - ind (clients_of (S k) past) l * ip (client_change (S k) past l) w)) by (intros; ring).
      rewrite sum_sub.
      set (A := sum P (fun l => ind (clients_of (S k) past) l * ip (datum (S k) past l) w)).
      rewrite (sum_ext P _ (fun i => / Np * A * ind (left (S k) past) i - ind (left (S k) past) i * ip
        (client_change (S k) past i) w))
        by (intros; ring).
      rewrite sum_sub, sum_mul. field. lra.
    + rewrite !ip_zero, sum_zero; [ring|]. intros i Hi. unfold ind at 1. rewrite W by (assumption || lia). ring.
  - (* the rows *)
    unfold part_held. rewrite ip_over, ip_vsum, mult_INR.
    replace (/ (NP * M)) with (/ NP * / M) by (field; lra). rewrite Rmult_assoc. f_equal. rewrite <- sum_mul. apply
      sum_ext.
    intros i Hi. rewrite held_is by assumption. cbn zeta. rewrite ip_over. do 2 f_equal.
    destruct (Nat.eq_dec from 0) as [->|n0]; [reflexivity|].
    assert (L : (from <= last_refresh past i)%nat).
    { destruct (Nat.le_gt_cases from (last_refresh past i)) as [l|l]; [exact l|exfalso].
      pose proof (last_refresh_is past i) as [U _]. pose proof (last_refresh_length past i) as B.
      assert (S1 : left (S (last_refresh past i)) past i = true) by (rewrite U by lia; apply Nat.ltb_lt; lia).
      rewrite W in S1 by (assumption || lia). discriminate. }
    destruct (Nat.leb_spec (Nat.max 1 from) (last_refresh past i)), (Nat.leb_spec 1 (last_refresh past i)); try lia.
      reflexivity.
  - (* the start *)
    unfold part_start. rewrite ip_over, ip_vsum_in. reflexivity.
Qed.

(* Option II: no row is the start's alone, but the data of round 0 are held as well. *)
Theorem table_identity_II past from x0 J0 : start = fledge_start_II K b data grad x0 J0 ->
  possible (fresh_law P data (K * b)) J0 -> Forall (possible (round_law P p K b data)) past ->
  (forall s, (1 <= s <= from)%nat -> forall i, (i < P)%nat -> left s past i = false) ->
  error P G (run past) = add (add (part_clients from past) (part_data from past))
    (fresh_part P p K b data grad eta noise start J0 from past).
Proof.
  intros St PJ F W. rewrite (table_identity past from F W). f_equal. apply ip_ext. intro w.
  unfold part_held, part_start, fresh_part. rewrite ip_add, !ip_over, ip_vsum_in, !ip_vsum.
  assert (P0 : 0 < NP) by (apply lt_0_INR; lia). assert (M0 : 0 < M) by (apply lt_0_INR; nia).
  rewrite mult_INR.
  replace (/ NP * sum P (fun i => ind (left 1 past) i * ip (sub (snd start i) (G i (fst start))) w))
    with (/ (NP * M) * (M * sum P (fun i => ind (left 1 past) i * ip (sub (snd start i) (G i (fst start))) w))) by
      (field; lra).
  rewrite <- Rmult_plus_distr_l.
  f_equal. rewrite <- sum_mul, <- sum_add. apply sum_ext. intros i Hi.
  pose proof (last_refresh_is past i) as [U _]. unfold ind. rewrite U by lia.
  pose proof (last_refresh_length past i) as Lt. cbn zeta.
  destruct (Nat.eq_dec (last_refresh past i) 0) as [e|e].
  - rewrite e. cbn [Nat.ltb Nat.leb]. destruct from as [|f].
    + cbn [Nat.max Nat.leb]. rewrite ip_zero, Rplus_0_l, Rmult_1_l. unfold at_time. rewrite Nat.sub_0_r, skipn_all.
      cbn [fledge drawn_at]. rewrite St. cbn [fledge_start_II fst snd].
      pose proof (family_possible none P _ J0 i PJ Hi) as PI. cbv beta in PI.
      unfold fresh_gradient, data_mean. rewrite ip_sub, ip_over, !ip_vsum_in.
      rewrite (sum_ext (data i) (fun j => ind (J0 i) j * ip (sub (grad i j x0) (G i x0)) w)
        (fun j => ind (J0 i) j * ip (grad i j x0) w - ip (G i x0) w * ind (J0 i) j)) by (intros; rewrite ip_sub;
          ring).
      rewrite sum_sub, sum_mul, (uniform_size (data i) (K * b) _ (enough_data i Hi) PI). field. lra.
    + exfalso. assert (T : left 1 past i = true) by (rewrite U by lia; apply Nat.ltb_lt; lia).
      rewrite W in T by (assumption || lia). discriminate.
  - destruct (Nat.ltb_spec (last_refresh past i) 1); [lia|]. rewrite Rmult_0_l, Rmult_0_r, Rplus_0_r. f_equal.
    destruct (Nat.leb_spec (Nat.max 1 from) (last_refresh past i)), (Nat.leb_spec from (last_refresh past i)); try
      lia;
      [|reflexivity].
    unfold data_of, x_of. destruct (at_time (last_refresh past i) past) as [|c l] eqn:A; [|reflexivity].
    exfalso. apply (f_equal (@length round)) in A. unfold at_time in A. rewrite skipn_length in A. simpl in A. lia.
Qed.
(* Option I: all rows are those of the start, of which the mean of the gradients of the p clients is g. *)
Theorem table_identity_I past from x0 I0 J0 : start = fledge_start_I P p K b data grad x0 I0 J0 ->
  Forall (possible (round_law P p K b data)) past ->
  (forall s, (1 <= s <= from)%nat -> forall i, (i < P)%nat -> left s past i = false) ->
  let g := over p (vsum_in P I0 (fun l => G l x0)) in
  error P G (run past) = add (add (add (part_clients from past)
      (over P (vsum_in P (left 1 past) (fun i => sub g (G i x0))))) (part_data from past))
    (add (part_held from past) (over P (vsum_in P (left 1 past) (fun i => sub (snd start i) g)))).
Proof.
  intros St F W g. rewrite (table_identity past from F W). apply ip_ext. intro w. rewrite !ip_add.
  unfold part_start. rewrite !ip_over, !ip_vsum_in.
  replace (fst start) with x0 by (rewrite St; reflexivity).
  rewrite (sum_ext P (fun i => ind (left 1 past) i * ip (sub (snd start i) (G i x0)) w)
    (fun i => ind (left 1 past) i * ip (sub g (G i x0)) w + ind (left 1 past) i * ip (sub (snd start i) g) w))
    by (intros; rewrite !ip_sub; ring).
  rewrite sum_add. ring.
Qed.
End Table.

(* ---- Two runs with the same choices ---- *)

Section Pair.
Context {V : space}.
Variables (P p K b : nat).
Hypothesis Hp : (1 <= p)%nat.
Hypothesis HpP : (p <= P)%nat.
Hypothesis HK : (1 <= K)%nat.
Hypothesis Hb : (1 <= b)%nat.
Variables (data : nat -> nat) (grad : nat -> nat -> V -> V).
Hypothesis enough_data : forall i, (i < P)%nat -> (K * b <= data i)%nat.
Variables (eta : R) (start : V * (nat -> V)).
Notation G := (client_gradient data grad).
Notation F := (gradient P G).
Notation NP := (INR P).
Notation Np := (INR p).

(* The error of the estimate at a local step, of one run: that of the table before the round, and that of the local
   steps
   with what the gradient changed on them; z^{t,k} gains the mean over the minibatch of what the gradients change. *)
Theorem estimate_identity noise past i Js :
  let s := fledge P p K b eta noise data grad start past in
  let v := estimate P s in
  let at_step := local_run b eta noise data grad past i v (fst s) in
  let x := fst (at_step Js) in let z := snd (at_step Js) in
  sub (local_estimate v (at_step Js)) (F x)
    = add (sub v (F (fst s))) (add (sub z (F x)) (F (fst s)))
  /\ forall J, snd (at_step (J :: Js)) = add z (data_mean data i b J (fun j => sub (grad i j (fst (at_step (J ::
    Js)))) (grad i j x))).
Proof.
  cbn zeta. split; [|reflexivity]. unfold local_estimate. apply ip_ext. intro w.
  rewrite !ip_sub, !ip_add, !ip_sub. ring.
Qed.

(* |v^{t,k} - grad f(x^{t,k})|^2 <= 2 |v^{t,0} - grad f(x^{t-1})|^2 + 2 |z^{t,k} - (grad f(x^{t,k}) - grad
   f(x^{t,0}))|^2 *)
Theorem estimate_split noise past i Js :
  let s := fledge P p K b eta noise data grad start past in
  let v := estimate P s in
  let at_step := local_run b eta noise data grad past i v (fst s) in
  let x := fst (at_step Js) in let z := snd (at_step Js) in
  local_estimate v (at_step Js) = add v z
  /\ sq (sub (add v z) (F x)) <= 2 * sq (sub v (F (fst s))) + 2 * sq (sub z (sub (F x) (F (fst s)))).
Proof.
  cbn zeta. split; [reflexivity|]. set (s := fledge _ _ _ _ _ _ _ _ _ _). set (v := estimate P s).
  set (a := local_run _ _ _ _ _ _ _ _ _ _).
  replace (sub (add v (snd a)) (F (fst a))) with (add (sub v (F (fst s))) (sub (snd a) (sub (F (fst a)) (F (fst s)))))
    by (apply ip_ext; intro w; rewrite !ip_add, !ip_sub, !ip_add; ring).
  apply sq_add_le.
Qed.

(* The error of the local steps is that of their minibatches, and what the client differs by from the mean of the
   clients; with |grad f_i - grad f| zeta-Lipschitz the second is at most zeta^2 K sum |x^{t,l} - x^{t,l-1}|^2. *)
Theorem local_split noise past i Js zeta : heterogeneous P G zeta -> (i < P)%nat -> (length Js <= K)%nat ->
  Forall (possible (uniform (data i) b)) Js ->
  let s := fledge P p K b eta noise data grad start past in
  let at_step := local_run b eta noise data grad past i (estimate P s) (fst s) in
  let x l := fst (at_step (at_time l Js)) in let z := snd (at_step Js) in let k := length Js in
  let data_error := vsum k (fun l => over b (vsum_in (data i) (minibatch (S l) Js) (fun j =>
    sub (sub (grad i j (x (S l))) (grad i j (x l))) (sub (G i (x (S l))) (G i (x l)))))) in
  sub z (sub (G i (x k)) (G i (x 0%nat))) = data_error
  /\ sq (sub z (sub (F (x k)) (F (x 0%nat))))
    <= 2 * sq data_error + 2 * (zeta ^ 2 * INR K * sum k (fun l => sq (sub (x (S l)) (x l)))).
Proof.
  intros het Hi HJ FJ s at_step x z k data_error. assert (P0 : 0 < NP) by (apply lt_0_INR; lia).
  assert (B0 : 0 < INR b) by (apply lt_0_INR; lia). assert (bd : (b <= data i)%nat).
  { pose proof (enough_data i Hi). nia. }
  assert (Z : sub z (sub (G i (x k)) (G i (x 0%nat))) = data_error).
  { unfold z, data_error, x, k. clear HJ. clearbody s. induction FJ as [|J Js PJ FJ IH].
    - unfold at_time. cbn [length vsum skipn Nat.sub]. unfold at_step. cbn [local_run fst snd].
      apply ip_ext. intro w. rewrite !ip_sub, !ip_zero. ring.
    - cbn [length vsum]. apply ip_ext. intro w. rewrite ip_add.
      assert (E : ip (vsum (length Js) (fun l => over b (vsum_in (data i) (minibatch (S l) (J :: Js)) (fun j =>
          sub (sub (grad i j (fst (at_step (at_time (S l) (J :: Js))))) (grad i j (fst (at_step (at_time l (J ::
            Js))))))
            (sub (G i (fst (at_step (at_time (S l) (J :: Js))))) (G i (fst (at_step (at_time l (J :: Js)))))))))) w
        = ip (sub (snd (at_step Js)) (sub (G i (fst (at_step (at_time (length Js) Js)))) (G i (fst (at_step (at_time
          0 Js)))))) w).
      { rewrite IH, !ip_vsum. apply sum_ext. intros l Hl. rewrite minibatch_before, !at_time_before by lia.
        reflexivity. }
      rewrite E. clear E IH. rewrite minibatch_now. rewrite (at_time_before (length Js) J Js), (at_time_before 0 J
        Js) by lia.
      rewrite (at_time_all (J :: Js) : at_time (S (length Js)) (J :: Js) = J :: Js), (at_time_all Js).
      set (x' := fst (at_step (J :: Js))). set (x1 := fst (at_step Js)).
      change (snd (at_step (J :: Js))) with (add (snd (at_step Js)) (data_mean data i b J (fun j => sub (grad i j
        x') (grad i j x1)))).
      repeat (rewrite ip_sub || rewrite ip_add). unfold data_mean. rewrite !ip_over, !ip_vsum_in.
      rewrite (sum_ext (data i) (fun j => ind J j * ip (sub (sub (grad i j x') (grad i j x1)) (sub (G i x') (G i
        x1))) w)
        (fun j => ind J j * ip (sub (grad i j x') (grad i j x1)) w - ip (sub (G i x') (G i x1)) w * ind J j))
        by (intros; rewrite ip_sub; ring).
      rewrite sum_sub, sum_mul, (uniform_size (data i) b J bd PJ), ip_sub. field. lra. }
  split; [exact Z|].
  set (gap y := sub (G i y) (F y)).
  assert (Gap : forall y y', norm (sub (gap y') (gap y)) <= zeta * norm (sub y' y)).
  { intros y y'. assert (D : sub (gap y') (gap y) = over P (vsum P (fun j => sub (sub (G i y') (G j y')) (sub (G i
    y) (G j y))))).
    { apply ip_ext. intro w. unfold gap. rewrite !ip_sub, ip_over, ip_vsum, !ip_gradient.
      rewrite (sum_ext P (fun j => ip (sub (sub (G i y') (G j y')) (sub (G i y) (G j y))) w)
        (fun j => (ip (G i y') w - ip (G i y) w) - (ip (G j y') w - ip (G j y) w))) by (intros; rewrite !ip_sub;
          ring).
      rewrite sum_sub, sum_const, sum_sub. field. lra. }
    rewrite D, norm_over. apply Rmult_le_reg_l with NP; [assumption|]. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by
      lra.
    eapply Rle_trans; [apply norm_vsum|]. rewrite <- sum_const. apply sum_le. intros j Hj. apply het; assumption. }
  set (drift := vsum k (fun l => sub (gap (x (S l))) (gap (x l)))).
  assert (Dr : sub z (sub (F (x k)) (F (x 0%nat))) = add data_error drift).
  { rewrite <- Z. assert (T : drift = sub (gap (x k)) (gap (x 0%nat))).
    { unfold drift. generalize k. intro m. induction m as [|m IH]; [cbn [vsum]; symmetry; apply sub_self|].
      cbn [vsum]. rewrite IH. apply ip_ext. intro w. rewrite ip_add, !ip_sub. ring. }
    rewrite T. unfold gap. apply ip_ext. intro w. rewrite ip_add, !ip_sub. ring. }
  rewrite Dr. eapply Rle_trans; [apply sq_add_le|]. apply Rplus_le_compat_l, Rmult_le_compat_l; [lra|].
  eapply Rle_trans; [apply sq_vsum|].
  apply Rle_trans with (INR k * (zeta ^ 2 * sum k (fun l => sq (sub (x (S l)) (x l))))).
  - apply Rmult_le_compat_l; [apply pos_INR|]. rewrite <- sum_mul. apply sum_le. intros l _.
    pose proof (sq_le _ _ (Gap (x l) (x (S l)))) as H. eapply Rle_trans; [exact H|]. right.
    rewrite <- (norm_sq (sub (x (S l)) (x l))). simpl. ring.
  - assert (S0 : 0 <= zeta ^ 2 * sum k (fun l => sq (sub (x (S l)) (x l)))).
    { apply Rmult_le_pos; [simpl; rewrite Rmult_1_r; apply Rle_0_sqr|]. apply sum_nonneg. intros. apply sq_nonneg. }
    replace (zeta ^ 2 * INR K * sum k (fun l => sq (sub (x (S l)) (x l))))
      with (INR K * (zeta ^ 2 * sum k (fun l => sq (sub (x (S l)) (x l))))) by ring.
    apply Rmult_le_compat_r; [exact S0|]. apply le_INR. exact HJ.
Qed.

Variables (noise noise' : list round -> nat -> list batch -> V).
Notation x_1 := (x_of P p K b data grad eta noise start).
Notation x_2 := (x_of P p K b data grad eta noise' start).
Notation run_1 := (fledge P p K b eta noise data grad start).
Notation run_2 := (fledge P p K b eta noise' data grad start).
(* u_i^s and u_ij^s: what changes of grad f_i, and of grad f_ij - grad f_i, over round s in the one run and not in
   the other *)
Definition client_gap (s : nat) (past : list round) (i : nat) : V :=
  sub (client_change P p K b data grad eta noise start s past i) (client_change P p K b data grad eta noise' start s
    past i).
Definition datum_gap (s : nat) (past : list round) (i j : nat) : V :=
  sub (sub (datum_change P p K b data grad eta noise start s past i j) (client_change P p K b data grad eta noise
    start s past i))
    (sub (datum_change P p K b data grad eta noise' start s past i j) (client_change P p K b data grad eta noise'
      start s past i)).

(* g^t, the difference of the errors of the two tables, where the runs agree before round tau. *)
Theorem pair_identity past tau : (1 <= tau)%nat -> Forall (possible (round_law P p K b data)) past ->
  (forall s, (s < tau)%nat -> x_1 s past = x_2 s past) ->
  sub (error P G (run_1 past)) (error P G (run_2 past))
  = add (add
      (over P (vsum (length past) (fun k => let s := S k in if (tau <=? s)%nat
        then sub (scale (size P (left s past) / Np) (vsum_in P (clients_of s past) (client_gap s past)))
          (vsum_in P (left s past) (client_gap s past)) else zero)))
      (over (P * (K * b)) (vsum (length past) (fun k => let s := S k in if (tau <=? s)%nat
        then scale (size P (left s past) / Np) (vsum_in P (clients_of s past) (fun i =>
          vsum_in (data i) (data_of s past i) (datum_gap s past i))) else zero))))
      (over (P * (K * b)) (vsum P (fun i => let s := last_refresh past i in if (tau <=? s)%nat
        then vsum_in (data i) (data_of s past i) (fun j => sub (sub (grad i j (x_1 s past)) (G i (x_1 s past)))
          (sub (grad i j (x_2 s past)) (G i (x_2 s past)))) else zero))).
Proof.
  intros Ht Fo Same. assert (P0 : 0 < NP) by (apply lt_0_INR; lia). assert (p0 : 0 < Np) by (apply lt_0_INR; lia).
  assert (M0 : 0 < INR (K * b)) by (apply lt_0_INR; nia).
  assert (No : forall s, (1 <= s <= 0)%nat -> forall i, (i < P)%nat -> left s past i = false) by (intros; lia).
  rewrite (table_identity P p K b Hp HpP HK Hb data grad enough_data eta noise start past 0 Fo No).
  rewrite (table_identity P p K b Hp HpP HK Hb data grad enough_data eta noise' start past 0 Fo No).
  apply ip_ext. intro w. unfold part_clients, part_data, part_held, part_start. cbn zeta.
  rewrite ip_sub, !ip_add, !ip_over, !ip_vsum, !mult_INR.
  assert (A : sum (length past) (fun k => ip (sub (scale (size P (left (S k) past) / Np) (vsum_in P (clients_of (S
    k) past)
        (client_change P p K b data grad eta noise start (S k) past)))
        (vsum_in P (left (S k) past) (client_change P p K b data grad eta noise start (S k) past))) w)
      - sum (length past) (fun k => ip (sub (scale (size P (left (S k) past) / Np) (vsum_in P (clients_of (S k) past)
        (client_change P p K b data grad eta noise' start (S k) past)))
        (vsum_in P (left (S k) past) (client_change P p K b data grad eta noise' start (S k) past))) w)
    = sum (length past) (fun k => ip (if (tau <=? S k)%nat
        then sub (scale (size P (left (S k) past) / Np) (vsum_in P (clients_of (S k) past) (client_gap (S k) past)))
          (vsum_in P (left (S k) past) (client_gap (S k) past)) else zero) w)).
  { rewrite <- sum_sub. apply sum_ext. intros k Hk.
    assert (E : forall I, ip (vsum_in P I (client_gap (S k) past)) w
      = ip (vsum_in P I (client_change P p K b data grad eta noise start (S k) past)) w
        - ip (vsum_in P I (client_change P p K b data grad eta noise' start (S k) past)) w).
    { intro I. rewrite !ip_vsum_in, <- sum_sub. apply sum_ext. intros i _. unfold client_gap. rewrite ip_sub. ring. }
    destruct (Nat.leb_spec tau (S k)) as [l|l].
    - rewrite !ip_sub, !ip_scale, !E. ring.
    - assert (C : client_change P p K b data grad eta noise start (S k) past = client_change P p K b data grad eta
      noise' start (S k) past).
      { unfold client_change. rewrite !Same by lia. reflexivity. }
      rewrite C, ip_zero. ring. }
  assert (B : sum (length past) (fun k => ip (scale (size P (left (S k) past)) (vsum_in P (clients_of (S k) past)
    (fun i =>
        vsum_in (data i) (data_of (S k) past i) (fun j => sub (datum_change P p K b data grad eta noise start (S k)
          past i j)
          (client_change P p K b data grad eta noise start (S k) past i))))) w)
      - sum (length past) (fun k => ip (scale (size P (left (S k) past)) (vsum_in P (clients_of (S k) past) (fun i =>
        vsum_in (data i) (data_of (S k) past i) (fun j => sub (datum_change P p K b data grad eta noise' start (S k)
          past i j)
          (client_change P p K b data grad eta noise' start (S k) past i))))) w)
    = Np * sum (length past) (fun k => ip (if (tau <=? S k)%nat
        then scale (size P (left (S k) past) / Np) (vsum_in P (clients_of (S k) past) (fun i =>
          vsum_in (data i) (data_of (S k) past i) (datum_gap (S k) past i))) else zero) w)).
  { rewrite <- sum_sub, <- sum_mul. apply sum_ext. intros k Hk. rewrite !ip_scale, !ip_vsum_in.
    rewrite <- Rmult_minus_distr_l, <- sum_sub.
    rewrite (sum_ext P _ (fun i => ind (clients_of (S k) past) i * ip (vsum_in (data i) (data_of (S k) past i)
      (datum_gap (S k) past i)) w)).
    - destruct (Nat.leb_spec tau (S k)) as [l|l].
      + rewrite ip_scale, ip_vsum_in. field. lra.
      + rewrite ip_zero, sum_zero; [ring|]. intros i Hi. rewrite ip_vsum_in, sum_zero; [ring|]. intros j _.
        unfold datum_gap, datum_change, client_change. rewrite !Same by lia. rewrite sub_self, ip_zero. ring.
    - intros i _. rewrite !ip_vsum_in, <- Rmult_minus_distr_l, <- sum_sub. f_equal. apply sum_ext. intros j _.
      unfold datum_gap. rewrite !ip_sub. ring. }
  assert (C : sum P (fun i => ip (if (Nat.max 1 0 <=? last_refresh past i)%nat then vsum_in (data i) (data_of
    (last_refresh past i) past i)
        (fun j => sub (grad i j (x_1 (last_refresh past i) past)) (G i (x_1 (last_refresh past i) past))) else zero)
          w)
      - sum P (fun i => ip (if (Nat.max 1 0 <=? last_refresh past i)%nat then vsum_in (data i) (data_of
        (last_refresh past i) past i)
        (fun j => sub (grad i j (x_2 (last_refresh past i) past)) (G i (x_2 (last_refresh past i) past))) else zero)
          w)
    = sum P (fun i => ip (if (tau <=? last_refresh past i)%nat
        then vsum_in (data i) (data_of (last_refresh past i) past i) (fun j =>
          sub (sub (grad i j (x_1 (last_refresh past i) past)) (G i (x_1 (last_refresh past i) past)))
            (sub (grad i j (x_2 (last_refresh past i) past)) (G i (x_2 (last_refresh past i) past)))) else zero) w)).
  { rewrite <- sum_sub. apply sum_ext. intros i _. cbn [Nat.max].
    destruct (Nat.leb_spec tau (last_refresh past i)) as [l|l].
    - destruct (Nat.leb_spec 1 (last_refresh past i)); [|lia]. rewrite !ip_vsum_in, <- sum_sub. apply sum_ext.
      intros j _.
      rewrite !ip_sub. ring.
    - rewrite Same by lia. rewrite ip_zero. ring. }
  cbn [Nat.leb] in *. rewrite <- A, <- C.
  match type of B with _ = Np * ?y => set (Y := y) in * end.
  match type of B with ?l - ?r = _ => set (Y1 := l) in *; set (Y2 := r) in * end.
  assert (EY : Y = (Y1 - Y2) / Np) by (rewrite B; field; lra). rewrite EY.
  replace (/ (NP * (Np * (INR K * INR b)))) with (/ NP * / Np * / (INR K * INR b))
    by (rewrite mult_INR in M0; field; repeat split; nra).
  unfold Rdiv. replace (/ (NP * (INR K * INR b))) with (/ NP * / (INR K * INR b))
    by (rewrite mult_INR in M0; field; repeat split; nra).
  ring.
Qed.
End Pair.
