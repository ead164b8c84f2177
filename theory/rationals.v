(* The algorithms over rational numbers, where they can be computed, and comparisons with runs of a
   program.

   A program for SLEDGE or FLEDGE computes with floating point numbers, which are rational. Given
   the minibatches, the clients and the noise that it drew, the definitions of algorithms.v say
   which points x^t and which estimates v^t it should have reached: [agrees_sledge] and
   [agrees_fledge] compare the two at every step. A number of the program may differ by its
   rounding, 2^-40 of itself or of 1; [exactly] counts the runs that agree to the last bit.

   A vector is the list of its coordinates. Gradients are those of quadratic functions,
   f_i(x) = x'H_i x/2 - c_i'x, or of least squares, f_i(x) = (a_i'x - y_i)^2/2. *)
From Coq Require Import List Bool PeanoNat QArith Qabs Qreduction.
From Sledge Require Import vectors means minibatches algorithms.
Import ListNotations.
Open Scope Q_scope.

(* ---- Rational vectors ---- *)

Fixpoint pairwise (f : Q -> Q -> Q) (u v : list Q) : list Q :=
  match u, v with a :: u, b :: v => Qred (f a b) :: pairwise f u v | _, _ => [] end.
Definition rational_vectors (d : nat) : module Q := {|
  vector := list Q;
  zero := repeat 0 d;
  add := pairwise Qplus;
  sub := pairwise Qminus;
  scale := fun c => map (fun a => Qred (c * a));
  over := fun k => map (fun a => Qred (a * (1 # Pos.of_nat k)))
|}.
Definition product (u v : list Q) : Q := Qred (fold_right Qplus 0 (pairwise Qmult u v)).

(* H x - c, with H given by its rows. *)
Definition quadratic (f : list (list Q) * list Q) (x : list Q) : list Q :=
  pairwise Qminus (map (fun row => product row x) (fst f)) (snd f).
(* (a'x - y) a *)
Definition square (f : list Q * Q) (x : list Q) : list Q :=
  let residual := product (fst f) x - snd f in map (fun a => Qred (residual * a)) (fst f).

(* ---- Comparisons ---- *)

Definition near (a b : Q) : bool := Qle_bool (Qabs (a - b)) ((1 # 1099511627776) * (1 + Qabs b)).
Fixpoint alike (close : Q -> Q -> bool) (u v : list Q) : bool :=
  match u, v with
  | [], [] => true
  | a :: u, b :: v => close a b && alike close u v
  | _, _ => false
  end.

(* What the program reached: x^t and v^t for t = 0, 1, ... *)
Definition reached := list (list Q * list Q).

(* The states after the first 0, 1, ..., T choices of a list, [next past state choice] being a step. *)
Fixpoint states {S C} (next : list C -> S -> C -> S) (past : list C) (s : S) (choices : list C) : list S :=
  s :: match choices with [] => [] | c :: rest => states next (c :: past) (next past s c) rest end.
Fixpoint agree {S} (close : Q -> Q -> bool) (estimate : S -> list Q) (point : S -> list Q)
    (l : list S) (r : reached) : bool :=
  match l, r with
  | [], [] => true
  | s :: l, (x, v) :: r =>
      alike close (point s) x && alike close (estimate s) v && agree close estimate point l r
  | _, _ => false
  end.

Definition at_step (d : nat) (noises : list (list Q)) (t : nat) : list Q := nth t noises (repeat 0 d).

(* A run of SLEDGE in d dimensions. [first] is the minibatch of Option I. *)
Definition agrees_sledge (d n b : nat) (eta : Q) (grad : nat -> list Q -> list Q) (x0 : list Q)
    (first : option (list nat)) (noises : list (list Q)) (minibatches : list (list nat)) (r : reached)
    (close : Q -> Q -> bool) : bool :=
  let M := rational_vectors d in
  let noise := fun past : list batch => at_step d noises (length past) in
  let start := match first with
    | Some I0 => sledge_start_I (M := M) n b grad x0 (members I0)
    | None => sledge_start_II (M := M) grad x0
    end in
  agree close (estimate (M := M) n) (point (M := M))
    (states (sledge_step (M := M) n b eta noise grad) [] start (map members minibatches)) r.

(* What stands beside i in a list of pairs. *)
Fixpoint beside (i : nat) (l : list (nat * list nat)) : list nat :=
  match l with [] => [] | (k, J) :: l => if Nat.eqb i k then J else beside i l end.

(* A round as the program has it: the worker, its minibatches J^{t,1}, ..., J^{t,K}, and the clients, each with
   its minibatch. *)
Definition given : Type := nat * list (list nat) * list (nat * list nat).
Definition round_of (c : given) : round :=
  let '(i, Js, chosen) := c in
  {| worker := i; local := rev (map members Js); clients := members (map fst chosen);
     fresh := fun k => members (beside k chosen) |}.

(* A run of FLEDGE in d dimensions. [first] has the clients at x^0 with their minibatches: all of them for Option II
   ([all_clients]), p of them for Option I. [noises] has for each round the noise of each local step. *)
Definition agrees_fledge (d P p K b : nat) (eta : Q) (data : nat -> nat) (grad : nat -> nat -> list Q -> list Q)
    (x0 : list Q) (all_clients : bool) (first : list (nat * list nat)) (noises : list (list (list Q)))
    (rounds : list given) (r : reached) (close : Q -> Q -> bool) : bool :=
  let M := rational_vectors d in
  let noise := fun (past : list round) (_ : nat) (before : list batch) =>
    at_step d (nth (length past) noises []) (length before) in
  let J := fun i => members (beside i first) in
  let start := if all_clients then fledge_start_II (M := M) K b data grad x0 J
    else fledge_start_I (M := M) P p K b data grad x0 (members (map fst first)) J in
  agree close (estimate (M := M) P) (point (M := M))
    (states (fledge_round (M := M) P p K b eta noise data grad) [] start (map round_of rounds)) r.

(* Of some runs: all agree but for rounding; how many agree to the last bit. *)
Definition all_agree (runs : list ((Q -> Q -> bool) -> bool)) : bool := forallb (fun run => run near) runs.
Definition exactly (runs : list ((Q -> Q -> bool) -> bool)) : nat :=
  length (filter (fun run => run Qeq_bool) runs).

(* ---- Means ---- *)

(* A mean of rational quantities, computed: the laws of means.v, minibatches.v and algorithms.v in the same words.
   exact_means.v proves that they are those laws. *)
Definition rational_mean (O : Type) : Type := (O -> Q) -> Q.
Definition q_sure {O} (o : O) : rational_mean O := fun f => f o.
Definition q_bind {O O'} (m : rational_mean O) (k : O -> rational_mean O') : rational_mean O' :=
  fun f => m (fun o => k o f).
Definition q_sum {O} (l : list O) (f : O -> Q) : Q := fold_right (fun o s => Qred (f o + s)) 0 l.
Definition q_average {O} (default : O) (l : list O) : rational_mean O := fun f =>
  match l with [] => f default | _ => Qred (q_sum l f / inject_Z (Z.of_nat (length l))) end.
Definition q_index (n : nat) : rational_mean nat := q_average O (seq 0 n).
Definition q_uniform (n b : nat) : rational_mean batch := q_average full (subsets n b).
Fixpoint q_history {O} (m : rational_mean O) (T : nat) : rational_mean (list O) :=
  match T with
  | 0%nat => q_sure []
  | S T' => q_bind (q_history m T') (fun past => q_bind m (fun o => q_sure (o :: past)))
  end.
Fixpoint q_family {O} (default : O) (n : nat) (law : nat -> rational_mean O) : rational_mean (nat -> O) :=
  match n with
  | 0%nat => q_sure (fun _ => default)
  | S m => q_bind (q_family default m law) (fun a => q_bind (law m) (fun o =>
      q_sure (fun i => if Nat.eqb i m then o else a i)))
  end.
Definition q_sledge_history (n b T : nat) : rational_mean (list batch) := q_history (q_uniform n b) T.
Definition q_fresh (P : nat) (data : nat -> nat) (k : nat) : rational_mean (nat -> batch) :=
  q_family none P (fun i => q_uniform (data i) k).
Definition q_round (P p K b : nat) (data : nat -> nat) : rational_mean round :=
  q_bind (q_index P) (fun i => q_bind (q_history (q_uniform (data i) b) K) (fun Js =>
  q_bind (q_uniform P p) (fun I => q_bind (q_fresh P data (K * b)) (fun J =>
  q_sure {| worker := i; local := Js; clients := I; fresh := J |})))).
Definition q_fledge_history (P p K b : nat) (data : nat -> nat) (T : nat) : rational_mean (list round) :=
  q_history (q_round P p K b data) T.

(* E |v^T - grad f(x^T)|^2 and E |x^T|^2 over all runs without noise, beside what a program has found by going through
   all of them. *)
Definition two_means {S O} (m : rational_mean O) (run : O -> S) (error point : S -> list Q) (found : Q * Q) : bool :=
  near (m (fun o => let s := run o in product (error s) (error s))) (fst found)
  && near (m (fun o => let s := run o in product (point s) (point s))) (snd found).
Definition sledge_means (d n b : nat) (eta : Q) (grad : nat -> list Q -> list Q) (x0 : list Q) (one : bool)
    (T : nat) : Q * Q -> bool :=
  let M := rational_vectors d in
  let run := fun start => sledge (M := M) n b eta (fun _ => zero) grad start in
  let error := fun s => sub (m := M) (estimate (M := M) n s) (over (m := M) n (vsum (M := M) n
    (fun i => grad i (fst s)))) in
  if one
  then two_means (q_bind (q_uniform n b) (fun I0 => q_bind (q_sledge_history n b T) (fun past => q_sure (I0, past))))
    (fun o => run (sledge_start_I (M := M) n b grad x0 (fst o)) (snd o)) error (fun s => fst s)
  else two_means (q_sledge_history n b T) (run (sledge_start_II (M := M) grad x0)) error (fun s => fst s).
Definition fledge_means (d P p K b : nat) (eta : Q) (data : nat -> nat) (grad : nat -> nat -> list Q -> list Q)
    (x0 : list Q) (one : bool) (T : nat) : Q * Q -> bool :=
  let M := rational_vectors d in
  let run := fun start => fledge (M := M) P p K b eta (fun _ _ _ => zero) data grad start in
  let error := fun s => sub (m := M) (estimate (M := M) P s) (over (m := M) P (vsum (M := M) P (fun i =>
    over (m := M) (data i) (vsum (M := M) (data i) (fun j => grad i j (fst s)))))) in
  let start := fun o => if one then fledge_start_I (M := M) P p K b data grad x0 (fst o) (snd o)
    else fledge_start_II (M := M) K b data grad x0 (snd o) in
  two_means (q_bind (if one then q_uniform P p else q_sure full) (fun I0 => q_bind (q_fresh P data (K * b)) (fun J =>
    q_bind (q_fledge_history P p K b data T) (fun past => q_sure ((I0, J), past)))))
    (fun o => run (start (fst o)) (snd o)) error (fun s => fst s).
