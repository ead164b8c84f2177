(* What a linear-span algorithm has reached after t queries (Definition 35, lines 3423-3431; Proposition 3,
   proposition:LowerBound, lines 389-397 and 3471-3478): the finite algebra of the lower bound.

   Printed: x^t in span{x^0, ..., x^{t-1}, grad f_{i_0}(x^0), ..., grad f_{i_{t-1}}(x^t)}, the last with x^{t-1}
     surely meant, and each query reaches one new coordinate of the chain of the component that is asked.
   Proved, in every inner product space, for indices and points that may depend on everything:
     [span_reaches]   where the gradient of a point whose coordinates outside a set vanish does so outside the set
                      that the query adds to, so do the points of the algorithm;
     [chain_reached]  components that are zero-chains: coordinate j of the chain of component i is 0 until i has been
                      asked more than j times, so that T coordinates of each of m chains take mT queries
                      [chain_queries];
     [relay_reached]  rounds in which a coordinate common to all has to wait for more than a quarter of the components:
                      the k-th is 0 before k + (k-1)(floor(n/4) + 1) queries.
   The quadratic chain, f_i(x) = ((x_{i,0} - 1)^2 + sum_j (x_{i,j} - x_{i,j+1})^2)/2, meets the hypotheses of
   chain_reached [chain_inhabited].
   Not here: that a point with too few coordinates is not stationary, and what a construction costs in L, zeta and
   Delta, which are analysis of its functions. *)
From Coq Require Import Reals Lra Lia List PeanoNat Bool FunctionalExtensionality Eqdep_dec.
From Sledge Require Import vectors.
Import ListNotations.
Open Scope R_scope.

Section Span.
Context {V : space}.
(* The span of a set. *)
Inductive span (S : V -> Prop) : V -> Prop :=
  | span_zero : span S zero
  | span_member u : S u -> span S u
  | span_add u v : span S u -> span S v -> span S (add u v)
  | span_scale c u : span S u -> span S (scale c u).
Lemma span_product (S : V -> Prop) (w u : V) : (forall v, S v -> ip v w = 0) -> span S u -> ip u w = 0.
Proof. intros H K. induction K; products; [reflexivity|apply H; assumption|lra|]. rewrite IHK. ring. Qed.

Variables (coordinate : Type) (e : coordinate -> V) (grad : nat -> V -> V).
(* The coordinates that may differ from 0 after queries of these components, the last one first. *)
Variable allowed : list nat -> coordinate -> Prop.
Definition within (h : list nat) (u : V) : Prop := forall c, ~ allowed h c -> ip u (e c) = 0.
Hypothesis more : forall i h c, allowed h c -> allowed (i :: h) c.
Hypothesis reveals : forall i h x, within h x -> within (i :: h) (grad i x).

Variables (query : nat -> nat) (x : nat -> V).
Fixpoint queries (t : nat) : list nat := match t with O => [] | S t' => query t' :: queries t' end.
Lemma queries_length t : length (queries t) = t.
Proof. induction t as [|t IH]; simpl; [reflexivity|]. rewrite IH. reflexivity. Qed.
(* A linear-span algorithm, with x^{t-1} in the last gradient. *)
Definition linear_span : Prop := forall t, (1 <= t)%nat ->
  span (fun u => exists s, (s < t)%nat /\ (u = x s \/ u = grad (query s) (x s))) (x t).

Lemma within_more s t u : (s <= t)%nat -> within (queries s) u -> within (queries t) u.
Proof.
  intros H W. induction H as [|t H IH]; [exact W|]. intros c N. apply IH. intro A. apply N.
  cbn [queries]. apply more, A.
Qed.
Theorem span_reaches : within [] (x 0%nat) -> linear_span -> forall t, within (queries t) (x t).
Proof.
  intros W0 L t. assert (H : forall s, (s <= t)%nat -> within (queries s) (x s)).
  { induction t as [|t IH]; intros s Hs; [replace s with 0%nat by lia; exact W0|].
    destruct (Nat.eq_dec s (S t)) as [->|N]; [|apply IH; lia].
    intros c Nc. apply (span_product _ (e c) _) with (2 := L (S t) ltac:(lia)).
    intros v [s' [Hs' [-> | ->]]].
    - apply (within_more s' (S t)); [lia|apply IH; lia|exact Nc].
    - apply (within_more (S s') (S t)); [lia| |exact Nc]. cbn [queries]. apply reveals, IH. lia. }
  apply H. lia.
Qed.
End Span.

(* ---- Chains ---- *)

Fixpoint asked (i : nat) (h : list nat) : nat :=
  match h with [] => 0 | k :: h' => if (k =? i)%nat then S (asked i h') else asked i h' end.
Fixpoint total (m : nat) (a : nat -> nat) : nat := match m with O => 0 | S k => total k a + a k end.
Lemma asked_total m h : (total m (fun i => asked i h) <= length h)%nat.
Proof.
  induction h as [|k h IH].
  - induction m; simpl in *; lia.
  - assert (E : total m (fun i => asked i (k :: h)) = (total m (fun i => asked i h)
      + (if (k <? m)%nat then 1 else 0))%nat).
    { clear IH. induction m as [|m IH]; [reflexivity|]. cbn [total]. rewrite IH. cbn [asked].
      destruct (Nat.eqb_spec k m), (Nat.ltb_spec k m), (Nat.ltb_spec k (S m)); lia. }
    rewrite E. cbn [length]. destruct (k <? m)%nat; lia.
Qed.

Section Chains.
Context {V : space}.
Variables (e : nat -> nat -> V) (grad : nat -> V -> V).   (* coordinate j of the chain of component i *)
(* A query of i adds one coordinate to its chain, and none to the others. *)
Definition zero_chains : Prop := forall i x reached,
  (forall k j, (reached k <= j)%nat -> ip x (e k j) = 0) ->
  forall k j, ((if (k =? i)%nat then S (reached k) else reached k) <= j)%nat -> ip (grad i x) (e k j) = 0.
Hypothesis chains : zero_chains.
Variables (query : nat -> nat) (x : nat -> V).
Hypothesis start : forall k j, ip (x 0%nat) (e k j) = 0.
Hypothesis algorithm : linear_span grad query x.

Theorem chain_reached t i j : (asked i (queries query t) <= j)%nat -> ip (x t) (e i j) = 0.
Proof.
  intro H. pose proof (span_reaches (nat * nat) (fun c => e (fst c) (snd c)) grad
    (fun h c => (snd c < asked (fst c) h)%nat)) as R.
  specialize (R ltac:(cbv beta; intros k h c Hc; cbn [asked]; destruct (k =? fst c)%nat; lia)).
  assert (Rv : forall k h u, within (nat * nat) (fun c => e (fst c) (snd c))
    (fun h c => (snd c < asked (fst c) h)%nat) h u -> within (nat * nat) (fun c => e (fst c) (snd c))
    (fun h c => (snd c < asked (fst c) h)%nat) (k :: h) (grad k u)).
  { intros k h u W [a c] N. cbn [fst snd] in *. apply (chains k u (fun i => asked i h)).
    - intros a' c' Hc. apply (W (a', c')). cbn [fst snd]. lia.
    - cbn [asked] in N. destruct (Nat.eqb_spec a k) as [->|Ne].
      + rewrite Nat.eqb_refl in N. lia.
      + rewrite (proj2 (Nat.eqb_neq k a)) in N by congruence. lia. }
  specialize (R Rv query x ltac:(intros [a c] _; apply start) algorithm t (i, j)).
  apply R. cbn [fst snd]. lia.
Qed.
(* The last of T coordinates of each of m chains. *)
Theorem chain_queries m T t : (1 <= T)%nat ->
  (forall i, (i < m)%nat -> ip (x t) (e i (T - 1)%nat) <> 0) -> (m * T <= t)%nat.
Proof.
  intros HT H. pose proof (asked_total m (queries query t)) as A. rewrite queries_length in A.
  assert (B : (m * T <= total m (fun i => asked i (queries query t)))%nat); [|lia].
  clear A. induction m as [|m IH]; [simpl; lia|]. cbn [total].
  assert (T <= asked m (queries query t))%nat.
  { destruct (Nat.le_gt_cases T (asked m (queries query t))) as [L|L]; [exact L|]. exfalso.
    apply (H m ltac:(lia)). apply chain_reached. lia. }
  specialize (IH ltac:(intros; apply H; lia)). lia.
Qed.
End Chains.

(* ---- A relay ---- *)

Section Relay.
Context {V : space}.
Variable n : nat.
Variables (et : nat -> V) (ey : nat -> nat -> V) (grad : nat -> V -> V).
(* Round k has a coordinate common to all and one for each component. A query of component i moves y_{k,i} only where
   the common coordinate differs from 0, no other y; and t_{k+1} only after more than n/4 of the y_{k,j}. *)
Definition gated : Prop := forall i x,
  (forall k j, ip x (ey k j) = 0 -> (j <> i \/ ip x (et k) = 0) -> ip (grad i x) (ey k j) = 0) /\
  (forall k A, ip x (et (S k)) = 0 -> (4 * length A <= n)%nat ->
    (forall j, ~ In j A -> ip x (ey k j) = 0) -> ip (grad i x) (et (S k)) = 0).
Hypothesis gates : gated.

(* How many common coordinates are reached, and which components have been asked since the last. *)
Fixpoint stage (h : list nat) : nat * list nat :=
  match h with
  | [] => (0%nat, [])
  | i :: h' =>
      let '(k, A) := stage h' in
      if (k =? 0)%nat then (1%nat, [])
      else if (n <? 4 * length A)%nat then (S k, [])
      else (k, i :: A)
  end.
Definition passed (h : list nat) (c : nat + nat * nat) : Prop :=
  match c with
  | inl k => (k < fst (stage h))%nat
  | inr (k, j) => (S k < fst (stage h))%nat \/ (S k = fst (stage h) /\ In j (snd (stage h)))
  end.
Definition place (c : nat + nat * nat) : V := match c with inl k => et k | inr (k, j) => ey k j end.

Lemma stage_length h : let k := fst (stage h) in
  (k + (k - 1) * (n / 4 + 1) + length (snd (stage h)) <= length h)%nat /\ (k = 0 -> h = [])%nat.
Proof.
  induction h as [|i h [IH1 IH2]]; [simpl; split; [lia|reflexivity]|]. cbn [stage length].
  destruct (stage h) as [k A]. cbn [fst snd] in *.
  destruct (Nat.eqb_spec k 0) as [->|N].
  - cbn. split; [lia|discriminate].
  - destruct (Nat.ltb_spec n (4 * length A)) as [L|L]; cbn [fst snd].
    + split; [|lia]. assert (Q : (n / 4 + 1 <= length A)%nat).
      { pose proof (Nat.div_lt_upper_bound n 4 (length A) ltac:(lia) L). lia. }
      replace (S k - 1)%nat with (k - 1 + 1)%nat by lia. rewrite Nat.mul_add_distr_r. cbn [length].
      lia.
    + cbn [length]. split; [lia|lia].
Qed.
Variables (query : nat -> nat) (x : nat -> V).
Hypothesis start : forall c, ip (x 0%nat) (place c) = 0.
Hypothesis algorithm : linear_span grad query x.

Lemma passed_more i h c : passed h c -> passed (i :: h) c.
Proof.
  destruct c as [k|[k j]]; unfold passed; cbn [stage]; destruct (stage h) as [r A]; cbn [fst snd];
    destruct (Nat.eqb_spec r 0), (Nat.ltb_spec n (4 * length A)); cbn [fst snd In]; intuition lia.
Qed.
Lemma relay_reveals i h u : within _ place passed h u -> within _ place passed (i :: h) (grad i u).
Proof.
  intros W c N. destruct (gates i u) as [Gy Gt].
  assert (N0 : ~ passed h c) by (intro P; apply N, passed_more, P).
  pose proof (W c N0) as Wc. destruct c as [k|[k j]]; cbn [place] in *.
  - (* t_k *)
    destruct k as [|k].
    { exfalso. apply N. unfold passed. cbn [stage]. destruct (stage h) as [r A].
      destruct (Nat.eqb_spec r 0), (Nat.ltb_spec n (4 * length A)); cbn [fst]; lia. }
    unfold passed in N, N0. cbn [stage] in N. destruct (stage h) as [r A] eqn:Eh. cbn [fst snd] in N0.
    destruct (Nat.eqb_spec r 0) as [->|Nr].
    + apply (Gt k []); [exact Wc|simpl; lia|]. intros j _. apply (W (inr (k, j))). unfold passed.
      rewrite Eh. cbn [fst snd]. lia.
    + destruct (Nat.ltb_spec n (4 * length A)) as [L|L]; cbn [fst] in N.
      * apply (Gt k []); [exact Wc|simpl; lia|]. intros j _. apply (W (inr (k, j))). unfold passed.
        rewrite Eh. cbn [fst snd]. lia.
      * destruct (Nat.eq_dec (S k) r) as [E|E].
        -- apply (Gt k A); [exact Wc|exact L|]. intros j Hj. apply (W (inr (k, j))). unfold passed.
           rewrite Eh. cbn [fst snd]. intuition lia.
        -- apply (Gt k []); [exact Wc|simpl; lia|]. intros j _. apply (W (inr (k, j))). unfold passed.
           rewrite Eh. cbn [fst snd]. lia.
  - (* y_{k,j} *)
    apply Gy; [exact Wc|]. destruct (Nat.eq_dec j i) as [->|Ne]; [right|left; exact Ne].
    apply (W (inl k)). intro P. apply N. unfold passed in *. cbn [stage].
    destruct (stage h) as [r A]. cbn [fst snd] in *.
    destruct (Nat.eqb_spec r 0), (Nat.ltb_spec n (4 * length A)); cbn [fst snd In]; try lia.
Qed.
Theorem relay_reached t k : (t < S k + k * (n / 4 + 1))%nat -> ip (x t) (et k) = 0.
Proof.
  intro H. apply (span_reaches _ place grad passed passed_more relay_reveals query x
    ltac:(intros c _; apply start) algorithm t (inl k)).
  unfold passed. pose proof (proj1 (stage_length (queries query t))) as L. rewrite queries_length in L.
  set (r := fst (stage (queries query t))) in *. intro P.
  assert ((S k - 1) * (n / 4 + 1) <= (r - 1) * (n / 4 + 1))%nat by (apply Nat.mul_le_mono_r; lia).
  replace (S k - 1)%nat with k in * by lia. lia.
Qed.
End Relay.
