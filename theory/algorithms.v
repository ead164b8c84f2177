(* The algorithms: SLEDGE (Algorithm 1, algorithm:main, lines 284-298) and FLEDGE
   (Algorithms 2 and 3, alg:dist and alg:dist-Appendix, lines 463-491 and 2147-2184), over any
   module.

   Every theorem of this development speaks of these definitions and of nothing else. Over the reals
   they are analysed, over the rationals they are computed.

   A run is a function of its random choices. A [history] is the list of the choices so far, the
   last one first: minibatches I^t for SLEDGE, rounds for FLEDGE. The state after t steps is
       sledge ... start past   with past = [I^t; ...; I^1],
   the point x^t and the table y^t. What is random is the list, under the law [sledge_history] or
   [fledge_history] of means.v; the rest is plain recursion.

   Noise. The perturbation xi^t of the step to x^t is any function of the choices before it. So a
   bound for all noises with |xi| <= r covers noise that is drawn at random, which may be fixed
   first, and an adversary who sees everything but the minibatches to come.

   Corrections. SLEDGE is as printed. FLEDGE is Algorithm 2 (the formal listing, Algorithm 3, lacks
   eta in line 2166, has b samples for bK in 2176 and a value for a gradient in 2178);
   lines 2154-2156, Option I, have P for n. A client of the round gets x^{t-1} as well as x^t, which
   the protocol needs. *)
From Coq Require Import List Bool PeanoNat.
From Sledge Require Import vectors means minibatches.
Import ListNotations.

(* ---- SLEDGE ---- *)

Section SLEDGE.
Context {scalar : Type} {M : module scalar}.
Variables (n b : nat).                  (* components, minibatch size *)
Variable eta : scalar.                  (* step size *)
Variable noise : list batch -> M.       (* the perturbation after these minibatches *)
Variable grad : nat -> M -> M.          (* grad i x is the gradient of f_i at x *)

Definition state : Type := M * (nat -> M).  (* x^t and y^t *)
Definition point (s : state) : M := fst s.
Definition table (s : state) : nat -> M := snd s.

(* v^t = (1/n) sum_i y_i^t *)
Definition estimate (s : state) : M := over n (vsum n (table s)).

(* Line 292: x^{t+1} = x^t - eta v^t + xi^{t+1} *)
Definition next_point (past : list batch) (s : state) : M :=
  add (sub (point s) (scale eta (estimate s))) (noise past).

(* Lines 291-294. [x'] and [shift] are computed once, before the table is asked for. *)
Definition sledge_step (past : list batch) (s : state) (I : batch) : state :=
  let x := point s in
  let y := table s in
  let x' := next_point past s in
  let shift := over b (vsum_in n I (fun j => sub (grad j x') (grad j x))) in
  (x', fun i => if I i then grad i x' else add (y i) shift).

(* Lines 287-289: Option I fills the table from one minibatch, Option II
  with all gradients at x^0. *)
Definition sledge_start_I (x0 : M) (I0 : batch) : state :=
  let mean := over b (vsum_in n I0 (fun j => grad j x0)) in (x0, fun _ => mean).
Definition sledge_start_II (x0 : M) : state := (x0, fun i => grad i x0).

Fixpoint sledge (start : state) (past : list batch) : state :=
  match past with
  | [] => start
  | B :: before => sledge_step before (sledge start before) B
  end.
End SLEDGE.

(* The minibatches of t steps: independent sets of b of the n indices, all alike. *)
Definition sledge_history (n b t : nat) : mean (list batch) := history (uniform n b) t.

(* ---- FLEDGE ---- *)

(* The choices of a round: the client i_t of the local steps, its minibatches J^{t,K}, ...,
  J^{t,1} (the last
   one first), the clients I^t that refresh, and the minibatch J_i^t of each (one is ready for every
   client; those of the clients in I^t are used). *)
Record round := { worker : nat; local : list batch; clients : batch; fresh : nat -> batch }.

Section FLEDGE.
Context {scalar : Type} {M : module scalar}.
Variables (P p K b : nat).             (* clients, of which p refresh, local steps,
  local minibatch size *)
Variable eta : scalar.
(* the perturbation of a local step: after these rounds, at client i,
  after these local minibatches *)
Variable noise : list round -> nat -> list batch -> M.
Variable data : nat -> nat.            (* client i has data 0 .. data i - 1 *)
Variable grad : nat -> nat -> M -> M.  (* grad i j x is the gradient of f_{i,j} at x *)

(* The mean over the minibatch J, of size k, of what the data of client i give. *)
Definition data_mean (i k : nat) (J : batch) (a : nat -> M) : M := over k (vsum_in (data i) J a).
Definition fresh_gradient (i : nat) (J : batch) (x : M) : M := data_mean i (K * b) J
  (fun j => grad i j x).
Definition fresh_change (i : nat) (J : batch) (x' x : M) : M :=
  data_mean i (K * b) J (fun j => sub (grad i j x') (grad i j x)).

(* Lines 472-475: x^{t,k+1} and z^{t,k+1} from x^{t,k} and z^{t,k}; v is the mean of the table. *)
Definition local_estimate (v : M) (s : M * M) : M := add v (snd s).
Definition local_point (past : list round) (i : nat) (v : M) (before : list batch) (s : M * M)
  : M :=
  add (sub (fst s) (scale eta (local_estimate v s))) (noise past i before).
Definition local_step (past : list round) (i : nat) (v : M) (before : list batch) (s : M * M)
  (J : batch)
    : M * M :=
  let x := fst s in
  let x' := local_point past i v before s in
  (x', add (snd s) (data_mean i b J (fun j => sub (grad i j x') (grad i j x)))).
(* Lines 470-476: x^{t,k} and z^{t,k} after the minibatches Js = [J^{t,k}; ...; J^{t,1}]. *)
Fixpoint local_run (past : list round) (i : nat) (v x : M) (Js : list batch) : M * M :=
  match Js with
  | [] => (x, zero)
  | J :: before => local_step past i v before (local_run past i v x before) J
  end.

(* Lines 468-489: a round, from x^{t-1} and y^{t-1} to x^t = x^{t,K} and y^t. *)
Definition refresh (s : M * (nat -> M)) (x' : M) (I : batch) (J : nat -> batch) : M * (nat -> M) :=
  let x := fst s in
  let y := snd s in
  let shift := over p (vsum_in P I (fun i => fresh_change i (J i) x' x)) in
  (x', fun i => if I i then fresh_gradient i (J i) x' else add (y i) shift).
Definition fledge_round (past : list round) (s : M * (nat -> M)) (c : round) : M * (nat -> M) :=
  let v := estimate P s in
  let x' := fst (local_run past (worker c) v (fst s) (local c)) in
  refresh s x' (clients c) (fresh c).

(* Lines 466-467 and 2150-2160: the minibatches J_i^0 of the clients;
  Option I asks the clients I0 only. *)
Definition fledge_start_I (x0 : M) (I0 : batch) (J : nat -> batch) : M * (nat -> M) :=
  let mean := over p (vsum_in P I0 (fun i => fresh_gradient i (J i) x0)) in (x0, fun _ => mean).
Definition fledge_start_II (x0 : M) (J : nat -> batch) : M * (nat -> M) :=
  (x0, fun i => fresh_gradient i (J i) x0).

Fixpoint fledge (start : M * (nat -> M)) (past : list round) : M * (nat -> M) :=
  match past with
  | [] => start
  | c :: before => fledge_round before (fledge start before) c
  end.
End FLEDGE.

(* A minibatch of k of its data for each client. *)
Definition fresh_law (P : nat) (data : nat -> nat) (k : nat) : mean (nat -> batch) :=
  family none P (fun i => uniform (data i) k).
(* The start of Option I: p clients, and Kb data of each client. *)
Definition fledge_start_law_I (P p K b : nat) (data : nat -> nat) : mean (batch * (nat -> batch)) :=
  bind (uniform P p) (fun I0 => bind (fresh_law P data (K * b)) (fun J => sure (I0, J))).
(* A round: a client, K minibatches of b of its data, p clients, and Kb data of each. *)
Definition round_law (P p K b : nat) (data : nat -> nat) : mean round :=
  bind (index P) (fun i => bind (history (uniform (data i) b) K) (fun Js =>
  bind (uniform P p) (fun I => bind (fresh_law P data (K * b)) (fun J =>
  sure {| worker := i; local := Js; clients := I; fresh := J |})))).
Definition fledge_history (P p K b : nat) (data : nat -> nat) (t : nat) : mean (list round) :=
  history (round_law P p K b data) t.

(* Computing: a minibatch given as a list of indices. *)
Definition members (l : list nat) : batch := fun i => existsb (Nat.eqb i) l.

(* ---- What respects the operations respects the runs ---- *)

(* So a run that is computed over the rationals is a run over the reals. *)
Section Morphism.
Context {s1 s2 : Type} {M1 : module s1} {M2 : module s2}.
Variables (f : M1 -> M2) (c : s1 -> s2).
Hypothesis f_zero : f zero = zero.
Hypothesis f_add : forall u v, f (add u v) = add (f u) (f v).
Hypothesis f_sub : forall u v, f (sub u v) = sub (f u) (f v).
Hypothesis f_scale : forall a u, f (scale a u) = scale (c a) (f u).
Hypothesis f_over : forall k u, f (over k u) = over k (f u).

Lemma f_vsum n a1 a2 : (forall i, f (a1 i) = a2 i) -> f (vsum n a1) = vsum n a2.
Proof. intro H. induction n as [|n IH]; simpl; [apply f_zero|]. rewrite f_add, IH, H. reflexivity.
Qed.
Lemma f_vsum_in n I a1 a2 : (forall i, f (a1 i) = a2 i) -> f (vsum_in n I a1) = vsum_in n I a2.
Proof. intro H. apply f_vsum. intro i. destruct (I i); [apply H|apply f_zero]. Qed.

(* The same state in both modules. *)
Definition same_state (t1 : M1 * (nat -> M1)) (t2 : M2 * (nat -> M2)) : Prop :=
  f (fst t1) = fst t2 /\ forall i, f (snd t1 i) = snd t2 i.
Lemma f_estimate n t1 t2 : same_state t1 t2 -> f (estimate n t1) = estimate n t2.
Proof. intros [_ H]. unfold estimate. rewrite f_over. f_equal. apply f_vsum, H. Qed.

Section Run_SLEDGE.
Variables (n b : nat) (eta : s1) (noise1 : list batch -> M1) (noise2 : list batch -> M2).
Variables (grad1 : nat -> M1 -> M1) (grad2 : nat -> M2 -> M2).
Hypothesis f_noise : forall past, f (noise1 past) = noise2 past.
Hypothesis f_grad : forall i x, f (grad1 i x) = grad2 i (f x).

Theorem sledge_morphism start1 start2 past : same_state start1 start2 ->
  same_state (sledge n b eta noise1 grad1 start1 past) (sledge n b (c eta)
    noise2 grad2 start2 past).
Proof.
  intro H. induction past as [|B before IH]; [assumption|].
  cbn [sledge]. set (t1 := sledge n b eta noise1 grad1 start1 before) in *.
  set (t2 := sledge n b (c eta) noise2 grad2 start2 before) in *. clearbody t1 t2.
  assert (X : f (next_point n eta noise1 before t1) = next_point n (c eta) noise2 before t2).
  { unfold next_point, point. rewrite f_add, f_sub, f_scale, (f_estimate n t1 t2 IH), f_noise.
    destruct IH as [-> _]. reflexivity. }
  destruct IH as [IH1 IH2]. unfold point in *. split; [exact X|]. intro i. cbn [sledge_step snd].
  destruct (B i); [rewrite f_grad, X; reflexivity|]. rewrite f_add, f_over. unfold table.
  rewrite IH2.
  f_equal. f_equal. apply f_vsum_in. intro j. rewrite f_sub, !f_grad, X. unfold point. rewrite IH1.
  reflexivity.
Qed.
Lemma start_I_morphism x0 I0 :
  same_state (sledge_start_I n b grad1 x0 I0) (sledge_start_I n b grad2 (f x0) I0).
Proof.
  split; [reflexivity|]. intro i. cbn [sledge_start_I snd]. rewrite f_over. f_equal.
  apply f_vsum_in. intro j. apply f_grad.
Qed.
Lemma start_II_morphism x0 : same_state (sledge_start_II grad1 x0) (sledge_start_II grad2 (f x0)).
Proof. split; [reflexivity|]. intro i. apply f_grad. Qed.
End Run_SLEDGE.

Section Run_FLEDGE.
Variables (P p K b : nat) (eta : s1) (data : nat -> nat).
Variables (noise1 : list round -> nat -> list batch -> M1)
  (noise2 : list round -> nat -> list batch -> M2).
Variables (grad1 : nat -> nat -> M1 -> M1) (grad2 : nat -> nat -> M2 -> M2).
Hypothesis f_noise : forall past i before, f (noise1 past i before) = noise2 past i before.
Hypothesis f_grad : forall i j x, f (grad1 i j x) = grad2 i j (f x).

Lemma f_data_mean i k J a1 a2 : (forall j, f (a1 j) = a2 j) ->
  f (data_mean data i k J a1) = data_mean data i k J a2.
Proof. intro H. unfold data_mean. rewrite f_over. f_equal. apply f_vsum_in, H. Qed.
Lemma f_fresh_gradient i J x :
  f (fresh_gradient K b data grad1 i J x) = fresh_gradient K b data grad2 i J (f x).
Proof. apply f_data_mean. intro j. apply f_grad. Qed.
Lemma local_run_morphism past i v x Js :
  f (fst (local_run b eta noise1 data grad1 past i v x Js))
    = fst (local_run b (c eta) noise2 data grad2 past i (f v) (f x) Js) /\
  f (snd (local_run b eta noise1 data grad1 past i v x Js))
    = snd (local_run b (c eta) noise2 data grad2 past i (f v) (f x) Js).
Proof.
  induction Js as [|J before [IH1 IH2]]; [split; [reflexivity|apply f_zero]|].
  cbn [local_run]. set (t1 := local_run b eta noise1 data grad1 past i v x before) in *.
  set (t2 := local_run b (c eta) noise2 data grad2 past i (f v) (f x) before) in *. clearbody t1 t2.
  assert (X : f (local_point eta noise1 past i v before t1) = local_point (c eta)
    noise2 past i (f v) before t2).
  { unfold local_point, local_estimate. rewrite f_add, f_sub, f_scale, f_add, f_noise, IH1, IH2.
    reflexivity. }
  split; [exact X|]. cbn [local_step snd]. rewrite f_add, IH2. f_equal. apply f_data_mean.
  intro j. rewrite f_sub, !f_grad, X, IH1. reflexivity.
Qed.
Theorem fledge_morphism start1 start2 past : same_state start1 start2 ->
  same_state (fledge P p K b eta noise1 data grad1 start1 past)
    (fledge P p K b (c eta) noise2 data grad2 start2 past).
Proof.
  intro H. induction past as [|r before IH]; [assumption|].
  cbn [fledge]. set (t1 := fledge P p K b eta noise1 data grad1 start1 before) in *.
  set (t2 := fledge P p K b (c eta) noise2 data grad2 start2 before) in *. clearbody t1 t2.
  pose proof (f_estimate P t1 t2 IH) as E. destruct IH as [IH1 IH2]. unfold fledge_round.
  pose proof (local_run_morphism before (worker r) (estimate P t1) (fst t1) (local r)) as [X _].
  rewrite E, IH1 in X. split; [exact X|]. intro i. cbn [refresh snd].
  destruct (clients r i); [rewrite f_fresh_gradient, X; reflexivity|].
  rewrite f_add, IH2, f_over. f_equal. f_equal. apply f_vsum_in. intro l. unfold fresh_change.
  apply f_data_mean. intro j. rewrite f_sub, !f_grad, X, IH1. reflexivity.
Qed.
Lemma fledge_start_I_morphism x0 I0 J :
  same_state (fledge_start_I P p K b data grad1 x0 I0 J) (fledge_start_I P p K b data grad2 (f x0)
    I0 J).
Proof.
  split; [reflexivity|]. intro i. cbn [fledge_start_I snd]. rewrite f_over. f_equal.
  apply f_vsum_in. intro l. apply f_fresh_gradient.
Qed.
Lemma fledge_start_II_morphism x0 J :
  same_state (fledge_start_II K b data grad1 x0 J) (fledge_start_II K b data grad2 (f x0) J).
Proof. split; [reflexivity|]. intro i. apply f_fresh_gradient. Qed.
End Run_FLEDGE.
End Morphism.
