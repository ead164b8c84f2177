(* The two listings of FLEDGE, Algorithm 2 (lines 463-491) and Algorithm 3 (lines 2147-2184), Option II, as programs
   that run forwards, with the lines of Algorithm 3 that are misprinted as corrected: eta in the local step, bK samples
   in the refresh, gradients in both terms of Delta y, and (y_i, Delta y_i) sent.

   Proved [formal_equals_short]: with the same random choices both produce the same points x^{t,k} and the same tables,
   and those of [fledge] in algorithms.v, of which all other theorems speak.
   What differs: Algorithm 2 divides each term of a local minibatch by b, Algorithm 3 the sum; Algorithm 3 says what is
   sent: the worker of a round starts from the mean of the table that the server holds, and the other clients change
   their rows by the mean of the Delta y that it gets. *)
From Coq Require Import Reals Lra List Bool PeanoNat.
From Sledge Require Import vectors means minibatches algorithms.
Import ListNotations.
Open Scope R_scope.

Section Listings.
Context {V : space}.
Variables (P p K b : nat) (eta : R) (noise : list round -> nat -> list batch -> V) (data : nat -> nat)
  (grad : nat -> nat -> V -> V).

(* A loop over the local steps; [next] is the line for z. It returns the points, the first one first. *)
Section Loop.
Variable next : nat -> batch -> V -> V -> V.    (* client, minibatch, x^{t,k}, x^{t,k-1}: what is added to z *)
Fixpoint local_loop (past : list round) (i : nat) (v x z : V) (before Js : list batch) : list V :=
  match Js with
  | [] => [x]
  | J :: later =>
      let x' := add (sub x (scale eta (add v z))) (noise past i before) in
      x :: local_loop past i v x' (add z (next i J x' x)) (J :: before) later
  end.
End Loop.

(* Algorithm 2: each term divided by b; rows by cases. *)
Definition short_next (i : nat) (J : batch) (x' x : V) : V :=
  vsum_in (data i) J (fun j => over b (sub (grad i j x') (grad i j x))).
Definition short_round (past : list round) (x : V) (y : nat -> V) (c : round) : list V * (nat -> V) :=
  let v := over P (vsum P y) in
  let points := local_loop short_next past (worker c) v x zero [] (rev (local c)) in
  let x' := last points x in
  let dy i := over (K * b) (vsum_in (data i) (fresh c i) (fun j => sub (grad i j x') (grad i j x))) in
  (points, fun i => if clients c i then over (K * b) (vsum_in (data i) (fresh c i) (fun j => grad i j x'))
                    else add (y i) (over p (vsum_in P (clients c) dy))).

(* Algorithm 3: the sum divided by b; what the clients send is a list of pairs of vectors. *)
Definition formal_next (i : nat) (J : batch) (x' x : V) : V :=
  over b (vsum_in (data i) J (fun j => sub (grad i j x') (grad i j x))).
Definition messages (c : round) (x' x : V) : nat -> option (V * V) := fun i =>
  if clients c i then Some (over (K * b) (vsum_in (data i) (fresh c i) (fun j => grad i j x')),
    over (K * b) (vsum_in (data i) (fresh c i) (fun j => sub (grad i j x') (grad i j x)))) else None.
Definition sent (m : option (V * V)) : V := match m with Some (_, dy) => dy | None => zero end.
Definition formal_round (past : list round) (x : V) (y : nat -> V) (c : round) : list V * (nat -> V) :=
  let mean := over P (vsum P y) in   (* the server to i_t *)
  let points := local_loop formal_next past (worker c) mean x zero [] (rev (local c)) in
  let m := messages c (last points x) x in
  let change := over p (vsum P (fun i => sent (m i))) in
  (points, fun i => match m i with Some (row, _) => row | None => add (y i) change end).

(* T rounds, the first one first: all points x^{t,k}, and the last point with the table. *)
Section Rounds.
Variable one : list round -> V -> (nat -> V) -> round -> list V * (nat -> V).
Fixpoint run_rounds (past : list round) (x : V) (y : nat -> V) (cs : list round)
    : list (list V) * (V * (nat -> V)) :=
  match cs with
  | [] => ([], (x, y))
  | c :: later =>
      let (points, y') := one past x y c in
      let (more, state) := run_rounds (c :: past) (last points x) y' later in (points :: more, state)
  end.
End Rounds.
Definition start_rows (x0 : V) (J : nat -> batch) (i : nat) : V :=
  over (K * b) (vsum_in (data i) (J i) (fun j => grad i j x0)).
Definition short_listing (x0 : V) (J : nat -> batch) (cs : list round) := run_rounds short_round [] x0 (start_rows x0
  J) cs.
Definition formal_listing (x0 : V) (J : nat -> batch) (cs : list round) := run_rounds formal_round [] x0 (start_rows
  x0 J) cs.

Lemma next_same i J x' x : short_next i J x' x = formal_next i J x' x.
Proof.
  unfold short_next, formal_next. vector_eq w. rewrite !ip_vsum_in, <- sum_mul. apply sum_ext. intros j _.
  products. ring.
Qed.
Lemma loop_ext f g past i v : (forall J x' x, f i J x' x = g i J x' x) -> forall Js x z before,
  local_loop f past i v x z before Js = local_loop g past i v x z before Js.
Proof.
  intros E Js. induction Js as [|J later IH]; intros; [reflexivity|]. cbn [local_loop]. rewrite IH, E. reflexivity.
Qed.
Lemma round_same past x y c : short_round past x y c = formal_round past x y c.
Proof.
  unfold short_round, formal_round.
  rewrite (loop_ext short_next formal_next) by (intros; apply next_same). cbv zeta. f_equal.
  apply FunctionalExtensionality.functional_extensionality. intro i. unfold messages. destruct (clients c i) eqn:e;
    [reflexivity|].
  f_equal. f_equal. unfold vsum_in. apply vsum_ext. intros l _. destruct (clients c l); reflexivity.
Qed.
Lemma rounds_same cs : forall past x y, run_rounds short_round past x y cs = run_rounds formal_round past x y cs.
Proof.
  induction cs as [|c later IH]; intros; [reflexivity|]. cbn [run_rounds]. rewrite round_same.
  destruct (formal_round past x y c). rewrite IH. reflexivity.
Qed.

(* The forward loop follows [local_run]. *)
Notation lrun past i v x Js := (local_run b eta noise data grad past i v x Js).
Lemma loop_follows past i v x later : forall earlier,
  local_loop formal_next past i v (fst (lrun past i v x earlier)) (snd (lrun past i v x earlier)) earlier later
  = map (fun k => fst (lrun past i v x (rev (firstn k later) ++ earlier))) (seq 0 (S (length later))).
Proof.
  induction later as [|J later IH]; intro earlier; [reflexivity|].
  cbn [local_loop length]. rewrite <- cons_seq, <- seq_shift, map_cons, map_map. f_equal.
  specialize (IH (J :: earlier)). cbn [local_run local_step fst snd] in IH. unfold local_point, local_estimate in IH.
  unfold formal_next, data_mean in *. rewrite IH. apply map_ext. intro k. cbn [firstn rev]. rewrite <- app_assoc.
  reflexivity.
Qed.
Lemma last_map_seq {A} (f : nat -> A) n d : last (map f (seq 0 (S n))) d = f n.
Proof. rewrite seq_S, map_app. cbn [map]. apply last_last. Qed.
Lemma round_follows past s c :
  formal_round past (fst s) (snd s) c
  = (map (fun k => fst (lrun past (worker c) (estimate P s) (fst s) (rev (firstn k (rev (local c))))))
       (seq 0 (S (length (local c)))), snd (fledge_round P p K b eta noise data grad past s c))
  /\ last (fst (formal_round past (fst s) (snd s) c)) (fst s) = fst (fledge_round P p K b eta noise data grad past s c).
Proof.
  assert (L : local_loop formal_next past (worker c) (over P (vsum P (snd s))) (fst s) zero [] (rev (local c))
    = map (fun k => fst (lrun past (worker c) (estimate P s) (fst s) (rev (firstn k (rev (local c))))))
       (seq 0 (S (length (local c))))).
  { pose proof (loop_follows past (worker c) (estimate P s) (fst s) (rev (local c)) []) as E.
    cbn [local_run fst snd] in E. unfold estimate, table in *. rewrite E, rev_length. apply map_ext. intro k.
    rewrite app_nil_r. reflexivity. }
  assert (X : last (map (fun k => fst (lrun past (worker c) (estimate P s) (fst s) (rev (firstn k (rev (local c))))))
       (seq 0 (S (length (local c))))) (fst s) = fst (lrun past (worker c) (estimate P s) (fst s) (local c))).
  { rewrite last_map_seq, firstn_all2 by (rewrite rev_length; apply le_n). rewrite rev_involutive. reflexivity. }
  unfold formal_round. cbv zeta. cbn [fst]. rewrite L, X. split; [|reflexivity]. f_equal.
  unfold fledge_round, refresh. cbv zeta. cbn [snd].
  apply FunctionalExtensionality.functional_extensionality. intro i. unfold messages, fresh_gradient, fresh_change,
    data_mean.
  destruct (clients c i) eqn:e; [reflexivity|]. f_equal. f_equal. unfold vsum_in. apply vsum_ext. intros l _.
  destruct (clients c l); reflexivity.
Qed.
Lemma rounds_follow later : forall past s,
  snd (run_rounds formal_round past (fst s) (snd s) later)
  = snd (fold_left (fun st c => (c :: fst st, fledge_round P p K b eta noise data grad (fst st) (snd st) c))
      later (past, s)).
Proof.
  induction later as [|c later IH]; intros past s; [destruct s; reflexivity|]. cbn [run_rounds fold_left fst snd].
  destruct (round_follows past s c) as [R X]. rewrite R in X |- *. cbn [fst] in X. rewrite X.
  specialize (IH (c :: past) (fledge_round P p K b eta noise data grad past s c)).
  destruct (run_rounds _ _ _ _ later) as [more state]. exact IH.
Qed.
Lemma fold_is_fledge s cs : fold_left (fun st c => (c :: fst st, fledge_round P p K b eta noise data grad (fst st)
  (snd st) c))
    cs ([], s) = (rev cs, fledge P p K b eta noise data grad s (rev cs)).
Proof.
  induction cs as [|c cs IH] using rev_ind; [reflexivity|]. rewrite fold_left_app, IH, rev_unit. reflexivity.
Qed.
(* All points and the table of both listings are the same, and x^T and y^T are those of [fledge]. *)
Theorem formal_equals_short x0 J cs :
  formal_listing x0 J cs = short_listing x0 J cs
  /\ snd (formal_listing x0 J cs) = fledge P p K b eta noise data grad (fledge_start_II K b data grad x0 J) (rev cs).
Proof.
  split; [symmetry; apply rounds_same|]. unfold formal_listing.
  pose proof (rounds_follow cs [] (fledge_start_II K b data grad x0 J)) as F. rewrite fold_is_fledge in F. exact F.
Qed.
End Listings.
