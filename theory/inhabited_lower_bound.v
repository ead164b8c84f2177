(* The hypotheses of lower_bound.v are met, in R^d: the gradients of the quadratic chains
     f_i(x) = ((x_{i,0} - 1)^2 + sum_{j < T-1} (x_{i,j} - x_{i,j+1})^2 + x_{i,T-1}^2)/2
   of m components, and a map whose rounds wait for more than a quarter of n components. In both, gradient descent
   that asks one component after the other, in any order, is a linear-span algorithm. *)
From Coq Require Import Reals Lra Lia List PeanoNat Bool FunctionalExtensionality Eqdep_dec.
From Sledge Require Import vectors lower_bound.
Import ListNotations.
Open Scope R_scope.

(* ---- R^d ---- *)

Section Tuples.
Variable d : nat.
Definition tuple : Type := {u : nat -> R | forall i, (d <= i)%nat -> u i = 0}.
Definition entry (u : tuple) : nat -> R := proj1_sig u.
Lemma tuple_eq (u v : tuple) : (forall i, entry u i = entry v i) -> u = v.
Proof.
  destruct u as [u Hu], v as [v Hv]. unfold entry. simpl. intro H.
  assert (E : u = v) by (extensionality i; apply H). subst v. f_equal. extensionality i. extensionality h.
  apply (UIP_dec Req_EM_T).
Qed.
Definition make (u : nat -> R) : tuple.
Proof.
  exists (fun i => if (i <? d)%nat then u i else 0). intros i Hi. destruct (Nat.ltb_spec i d); [lia|reflexivity].
Defined.
Lemma entry_make u i : (i < d)%nat -> entry (make u) i = u i.
Proof. intro H. unfold entry, make. simpl. rewrite (proj2 (Nat.ltb_lt i d) H). reflexivity. Qed.
Lemma entry_outside (u : tuple) i : (d <= i)%nat -> entry u i = 0.
Proof. intro H. apply (proj2_sig u i H). Qed.
Definition tuples : module R := {| vector := tuple; zero := make (fun _ => 0);
  add := fun u v => make (fun i => entry u i + entry v i); sub := fun u v => make (fun i => entry u i - entry v i);
  scale := fun c u => make (fun i => c * entry u i); over := fun k u => make (fun i => / INR k * entry u i) |}.
Definition dot (u v : tuple) : R := sum d (fun i => entry u i * entry v i).
Definition unit (k : nat) : tuple := make (fun i => if (i =? k)%nat then 1 else 0).
Lemma dot_unit u k : (k < d)%nat -> dot u (unit k) = entry u k.
Proof.
  intro H. unfold dot. rewrite (sum_ext d _ (fun i => entry u i - (if Nat.eq_dec k i then 0 else entry u i))).
  - rewrite sum_sub, sum_all_but by exact H. ring.
  - intros i Hi. unfold unit. rewrite entry_make by exact Hi.
    destruct (Nat.eqb_spec i k), (Nat.eq_dec k i); try lia; ring.
Qed.
Definition euclid : space.
Proof.
  refine {| vectors := tuples; ip := dot |}; simpl; unfold dot.
  - intros. apply sum_ext. intros. ring.
  - intros. apply sum_zero. intros i Hi. rewrite entry_make by exact Hi. ring.
  - intros. rewrite <- sum_add. apply sum_ext. intros i Hi. rewrite entry_make by exact Hi. ring.
  - intros. rewrite <- sum_sub. apply sum_ext. intros i Hi. rewrite entry_make by exact Hi. ring.
  - intros. rewrite <- sum_mul. apply sum_ext. intros i Hi. rewrite entry_make by exact Hi. ring.
  - intros. rewrite <- sum_mul. apply sum_ext. intros i Hi. rewrite entry_make by exact Hi. ring.
  - intros. apply sum_nonneg. intros. apply Rle_0_sqr.
  - intros u v H. apply tuple_eq. intro k. destruct (Nat.lt_ge_cases k d) as [L|L].
    + rewrite <- !dot_unit by exact L. apply H.
    + rewrite !entry_outside by exact L. reflexivity.
Defined.
(* The k-th coordinate vector of those below some number, 0 from there on. *)
Definition axis (inside : bool) (k : nat) : euclid := if inside then unit k else zero.
Lemma on_axis (u : euclid) k : (k < d)%nat -> ip u (axis true k) = entry u k.
Proof. apply dot_unit. Qed.
End Tuples.

(* Gradient descent, one query a step, from 0. *)
Fixpoint descent {V : space} (eta : R) (grad : nat -> V -> V) (query : nat -> nat) (t : nat) : V :=
  match t with
  | O => zero
  | S t' => let x := descent eta grad query t' in sub x (scale eta (grad (query t') x))
  end.
Lemma descent_in_span {V : space} eta (grad : nat -> V -> V) query :
  linear_span grad query (descent eta grad query).
Proof.
  intros t Ht. destruct t as [|t]; [lia|]. cbn [descent]. set (x := descent eta grad query t).
  replace (sub x (scale eta (grad (query t) x))) with (add x (scale (- eta) (grad (query t) x)))
    by (vector_eq w; ring).
  apply span_add; [|apply span_scale]; apply span_member; exists t; split; try lia; [left|right]; reflexivity.
Qed.

(* ---- Quadratic chains ---- *)

Section Chains.
Variables (m T : nat).
Hypothesis HT : (1 <= T)%nat.
Notation d := (m * T)%nat.
Definition chain_axis (i j : nat) : euclid d := axis d ((i <? m) && (j <? T))%nat (i * T + j).
Definition chain_gradient (i : nat) (x : euclid d) : euclid d := make d (fun q =>
  if (q / T =? i)%nat then
    (entry d x q - (if (q mod T =? 0)%nat then 1 else entry d x (q - 1)))
    + (entry d x q - (if (S (q mod T) <? T)%nat then entry d x (S q) else 0))
  else 0).
Lemma chain_place i j : (i < m)%nat -> (j < T)%nat -> (i * T + j < d)%nat /\ ((i * T + j) / T = i)%nat /\
  ((i * T + j) mod T = j)%nat.
Proof.
  intros Hi Hj. split; [nia|]. split.
  - rewrite Nat.div_add_l, Nat.div_small by lia. lia.
  - rewrite Nat.add_comm, Nat.mod_add, Nat.mod_small by lia. reflexivity.
Qed.
Lemma chain_entry (x : euclid d) i j : (i < m)%nat -> (j < T)%nat ->
  ip x (chain_axis i j) = entry d x (i * T + j).
Proof.
  intros Hi Hj. unfold chain_axis. rewrite (proj2 (Nat.ltb_lt i m) Hi), (proj2 (Nat.ltb_lt j T) Hj).
  apply on_axis, chain_place; assumption.
Qed.
Lemma chain_zero_chains : zero_chains chain_axis chain_gradient.
Proof.
  intros i x reached H k j Hj. destruct (Nat.lt_ge_cases k m) as [Hk|Hk].
  2:{ unfold chain_axis. rewrite (proj2 (Nat.ltb_ge k m) Hk). apply ip_zero_r. }
  destruct (Nat.lt_ge_cases j T) as [Ht|Ht].
  2:{ unfold chain_axis. rewrite (proj2 (Nat.ltb_ge j T) Ht), andb_false_r. apply ip_zero_r. }
  destruct (chain_place k j Hk Ht) as [Q1 [Q2 Q3]]. rewrite (chain_entry _ k j Hk Ht).
  unfold chain_gradient. rewrite entry_make, Q2, Q3 by exact Q1.
  destruct (Nat.eqb_spec k i) as [->|Ne]; [|reflexivity].
  pose proof (H i j ltac:(lia)) as E0. rewrite (chain_entry x i j Hk Ht) in E0.
  pose proof (H i (j - 1)%nat ltac:(lia)) as E1. rewrite (chain_entry x i (j - 1) Hk ltac:(lia)) in E1.
  replace (i * T + (j - 1))%nat with (i * T + j - 1)%nat in E1 by lia.
  rewrite (proj2 (Nat.eqb_neq j 0)) by lia. rewrite E0, E1.
  destruct (Nat.ltb_spec (S j) T) as [L|L]; [|ring].
  pose proof (H i (S j) ltac:(lia)) as E2. rewrite (chain_entry x i (S j) Hk L) in E2.
  replace (S (i * T + j)) with (i * T + S j)%nat by lia. rewrite E2. ring.
Qed.
Example chain_inhabited eta query t i j : (asked i (queries query t) <= j)%nat ->
  ip (descent eta chain_gradient query t) (chain_axis i j) = 0.
Proof.
  apply (chain_reached chain_axis chain_gradient chain_zero_chains query (descent eta chain_gradient query)).
  - intros. apply ip_zero.
  - apply descent_in_span.
Qed.
End Chains.

(* ---- Rounds that wait ---- *)

Section Relay.
Variables (n T : nat).
Notation d := (T * S n)%nat.
Definition common_axis (k : nat) : euclid d := axis d (k <? T)%nat (k * S n).
Definition own_axis (k j : nat) : euclid d := axis d ((k <? T) && (j <? n))%nat (k * S n + S j).
(* How many of the entries of round k differ from 0. *)
Definition awake (x : euclid d) (k : nat) : nat :=
  length (filter (fun j => if Req_EM_T (entry d x (k * S n + S j)) 0 then false else true) (seq 0 n)).
Definition relay_gradient (i : nat) (x : euclid d) : euclid d := make d (fun q =>
  let k := (q / S n)%nat in
  match (q mod S n)%nat with
  | O => match k with O => entry d x q - 1 | S k' => if (n <? 4 * awake x k')%nat then entry d x q - 1 else 0 end
  | S j => if (j =? i)%nat then entry d x q - entry d x (k * S n) else entry d x q
  end).
Lemma relay_place k j : (k < T)%nat -> (j < S n)%nat -> (k * S n + j < d)%nat /\ ((k * S n + j) / S n = k)%nat /\
  ((k * S n + j) mod S n = j)%nat.
Proof.
  intros Hk Hj. split; [nia|]. split.
  - rewrite Nat.div_add_l, Nat.div_small by lia. lia.
  - rewrite Nat.add_comm, Nat.mod_add, Nat.mod_small by lia. reflexivity.
Qed.
Lemma common_entry (x : euclid d) k : (k < T)%nat -> ip x (common_axis k) = entry d x (k * S n).
Proof.
  intro H. unfold common_axis. rewrite (proj2 (Nat.ltb_lt k T) H). apply on_axis.
  pose proof (relay_place k 0 H ltac:(lia)). lia.
Qed.
Lemma own_entry (x : euclid d) k j : (k < T)%nat -> (j < n)%nat ->
  ip x (own_axis k j) = entry d x (k * S n + S j).
Proof.
  intros H Hj. unfold own_axis. rewrite (proj2 (Nat.ltb_lt k T) H), (proj2 (Nat.ltb_lt j n) Hj).
  apply on_axis, relay_place; lia.
Qed.
Lemma awake_few x k A : (k < T)%nat -> (forall j, ~ In j A -> ip x (own_axis k j) = 0) ->
  (awake x k <= length A)%nat.
Proof.
  intros Hk H. apply NoDup_incl_length; [apply NoDup_filter, seq_NoDup|]. intros j Hj.
  apply filter_In in Hj. destruct Hj as [Hj e]. apply in_seq in Hj.
  destruct (in_dec Nat.eq_dec j A) as [I|N]; [exact I|]. specialize (H j N).
  rewrite own_entry in H by lia. destruct (Req_EM_T _ 0); [discriminate|contradiction].
Qed.
Lemma relay_gated : gated n common_axis own_axis relay_gradient.
Proof.
  intros i x. split.
  - intros k j Hy Ht. destruct (Nat.lt_ge_cases k T) as [Hk|Hk].
    2:{ unfold own_axis. rewrite (proj2 (Nat.ltb_ge k T) Hk). apply ip_zero_r. }
    destruct (Nat.lt_ge_cases j n) as [Hj|Hj].
    2:{ unfold own_axis. rewrite (proj2 (Nat.ltb_ge j n) Hj), andb_false_r. apply ip_zero_r. }
    destruct (relay_place k (S j) Hk ltac:(lia)) as [Q1 [Q2 Q3]].
    rewrite own_entry in * by assumption. unfold relay_gradient. rewrite entry_make, Q2, Q3, Hy by exact Q1.
    destruct (Nat.eqb_spec j i) as [->|Ne]; [|reflexivity]. destruct Ht as [Ht|Ht]; [contradiction|].
    rewrite common_entry in Ht by exact Hk. rewrite Ht. ring.
  - intros k A Hx HA Hy. destruct (Nat.lt_ge_cases (S k) T) as [Hk|Hk].
    2:{ unfold common_axis. rewrite (proj2 (Nat.ltb_ge (S k) T) Hk). apply ip_zero_r. }
    destruct (relay_place (S k) 0 Hk ltac:(lia)) as [Q1 [Q2 Q3]]. rewrite Nat.add_0_r in *.
    rewrite common_entry by exact Hk. unfold relay_gradient. rewrite entry_make, Q2, Q3 by exact Q1.
    pose proof (awake_few x k A ltac:(lia) Hy). rewrite (proj2 (Nat.ltb_ge n (4 * awake x k))) by lia.
    reflexivity.
Qed.
Example relay_inhabited eta query t k : (t < S k + k * (n / 4 + 1))%nat ->
  ip (descent eta relay_gradient query t) (common_axis k) = 0.
Proof.
  apply (relay_reached n common_axis own_axis relay_gradient relay_gated query
    (descent eta relay_gradient query)).
  - intros. apply ip_zero.
  - apply descent_in_span.
Qed.
End Relay.
