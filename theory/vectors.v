(* Vectors: modules, in which the algorithms are written, and inner product spaces, in which they
   are analysed.

   A module has the operations that Algorithms 1 and 2 need: 0, u + v, u - v, c u for a scalar c,
   and u/k for a count k. Nothing is assumed of them, so that the same definition of an algorithm
   can be computed with rational numbers and reasoned about over the reals.
   A space is a module over the reals with a real inner product <u, v> of which the operations are
   what their names say; vectors with the same products are equal. Any dimension, also infinite.

   Contents: sums over 0 .. n-1 of numbers and of vectors, squared lengths, lengths, the inequality
   of Cauchy and Schwarz, Young's inequality. *)
From Coq Require Import Reals Lra Lia PeanoNat FunctionalExtensionality.
Open Scope R_scope.

(* ---- Modules and spaces ---- *)

Record module (scalar : Type) := {
  vector :> Type;
  zero : vector;
  add : vector -> vector -> vector;
  sub : vector -> vector -> vector;
  scale : scalar -> vector -> vector;
  over : nat -> vector -> vector  (* over k u = u / k *)
}.
Arguments zero {scalar m}.
Arguments add {scalar m}.
Arguments sub {scalar m}.
Arguments scale {scalar m}.
Arguments over {scalar m}.

Record space := {
  vectors :> module R;
  ip : vectors -> vectors -> R;
  ip_sym : forall u v, ip u v = ip v u;
  ip_zero : forall w, ip zero w = 0;
  ip_add : forall u v w, ip (add u v) w = ip u w + ip v w;
  ip_sub : forall u v w, ip (sub u v) w = ip u w - ip v w;
  ip_scale : forall c u w, ip (scale c u) w = c * ip u w;
  ip_over : forall k u w, ip (over k u) w = / INR k * ip u w;
  ip_nonneg : forall u, 0 <= ip u u;
  ip_ext : forall u v, (forall w, ip u w = ip v w) -> u = v
}.
Arguments ip {s}.
Arguments ip_sym {s}.
Arguments ip_zero {s}.
Arguments ip_add {s}.
Arguments ip_sub {s}.
Arguments ip_scale {s}.
Arguments ip_over {s}.
Arguments ip_nonneg {s}.
Arguments ip_ext {s}.

(* ---- Sums over 0 .. n-1 ---- *)

Fixpoint sum (n : nat) (a : nat -> R) : R :=
  match n with O => 0 | S m => sum m a + a m end.

Fixpoint vsum {scalar} {M : module scalar} (n : nat) (a : nat -> M) : M :=
  match n with O => zero | S m => add (vsum m a) (a m) end.

(* A set of indices, such as a minibatch, and the sum over those of its members that are below n. *)
Definition batch := nat -> bool.
Definition vsum_in {scalar} {M : module scalar} (n : nat) (I : batch) (a : nat -> M) : M :=
  vsum n (fun i => if I i then a i else zero).
Definition ind (I : batch) (i : nat) : R := if I i then 1 else 0.

(* ---- Lengths ---- *)

Definition sq {V : space} (u : V) : R := ip u u.
Definition norm {V : space} (u : V) : R := sqrt (sq u).

(* ---- Proofs about sums of numbers ---- *)

Lemma sum_ext n a b : (forall i, (i < n)%nat -> a i = b i) -> sum n a = sum n b.
Proof.
  induction n as [|n IH]; simpl; intro H; [reflexivity|].
  rewrite IH by (intros; apply H; lia). rewrite H by lia. reflexivity.
Qed.
Lemma sum_add n a b : sum n (fun i => a i + b i) = sum n a + sum n b.
Proof. induction n as [|n IH]; simpl; [lra|]. rewrite IH. lra. Qed.
Lemma sum_sub n a b : sum n (fun i => a i - b i) = sum n a - sum n b.
Proof. induction n as [|n IH]; simpl; [lra|]. rewrite IH. lra. Qed.
Lemma sum_mul n c a : sum n (fun i => c * a i) = c * sum n a.
Proof. induction n as [|n IH]; simpl; [lra|]. rewrite IH. lra. Qed.
Lemma sum_const n c : sum n (fun _ => c) = INR n * c.
Proof. induction n as [|n IH]; [simpl; lra|]. rewrite S_INR. simpl sum. rewrite IH. lra. Qed.
Lemma sum_zero n a : (forall i, (i < n)%nat -> a i = 0) -> sum n a = 0.
Proof. intro H. rewrite (sum_ext n a (fun _ => 0) H), sum_const. ring. Qed.
Lemma sum_le n a b : (forall i, (i < n)%nat -> a i <= b i) -> sum n a <= sum n b.
Proof.
  induction n as [|n IH]; simpl; intro H; [lra|].
  assert (sum n a <= sum n b) by (apply IH; intros; apply H; lia).
  assert (a n <= b n) by (apply H; lia). lra.
Qed.
Lemma sum_nonneg n a : (forall i, (i < n)%nat -> 0 <= a i) -> 0 <= sum n a.
Proof. intro H. rewrite <- (sum_zero n (fun _ => 0)) by reflexivity. apply sum_le, H. Qed.
Lemma sum_swap n m (a : nat -> nat -> R) :
  sum n (fun i => sum m (fun j => a i j)) = sum m (fun j => sum n (fun i => a i j)).
Proof.
  induction n as [|n IH]; simpl; [rewrite sum_const; lra|]. rewrite IH, <- sum_add. reflexivity.
Qed.
Lemma sum_first n a : sum (S n) a = a O + sum n (fun i => a (S i)).
Proof. induction n as [|n IH]; [simpl; lra|]. cbn [sum] in *. rewrite IH. lra. Qed.
Lemma sum_all_but n k a : (k < n)%nat ->
  sum n (fun i => if Nat.eq_dec k i then 0 else a i) = sum n a - a k.
Proof.
  induction n as [|n IH]; intro H; [lia|]. simpl sum. destruct (Nat.eq_dec k n) as [e|e].
  - subst. rewrite (sum_ext n _ a); [lra|]. intros i Hi.
    destruct (Nat.eq_dec n i); [lia|reflexivity].
  - rewrite IH by lia. lra.
Qed.
Lemma ind_square I i : ind I i * ind I i = ind I i.
Proof. unfold ind. destruct (I i); lra. Qed.
Lemma ind_bounds I i : 0 <= ind I i <= 1.
Proof. unfold ind. destruct (I i); lra. Qed.

(* ---- Proofs about vectors ---- *)

Lemma vsum_ext {scalar} {M : module scalar} n (a b : nat -> M) :
  (forall i, (i < n)%nat -> a i = b i) -> vsum n a = vsum n b.
Proof.
  induction n as [|n IH]; simpl; intro H; [reflexivity|].
  rewrite IH by (intros; apply H; lia). rewrite H by lia. reflexivity.
Qed.
Lemma vsum_in_ext {scalar} {M : module scalar} n I (a b : nat -> M) :
  (forall i, (i < n)%nat -> I i = true -> a i = b i) -> vsum_in n I a = vsum_in n I b.
Proof.
  intro H. apply vsum_ext. intros i Hi. destruct (I i) eqn:e; [apply H; assumption|reflexivity].
Qed.

Section Products.
Context {V : space}.
Implicit Types u v w : V.

Lemma ip_zero_r w : ip w zero = 0.
Proof. rewrite ip_sym. apply ip_zero. Qed.
Lemma ip_add_r w u v : ip w (add u v) = ip w u + ip w v.
Proof. rewrite !(ip_sym w). apply ip_add. Qed.
Lemma ip_sub_r w u v : ip w (sub u v) = ip w u - ip w v.
Proof. rewrite !(ip_sym w). apply ip_sub. Qed.
Lemma ip_scale_r w c u : ip w (scale c u) = c * ip w u.
Proof. rewrite !(ip_sym w). apply ip_scale. Qed.
Lemma ip_over_r w k u : ip w (over k u) = / INR k * ip w u.
Proof. rewrite !(ip_sym w). apply ip_over. Qed.
Lemma ip_vsum n (a : nat -> V) w : ip (vsum n a) w = sum n (fun i => ip (a i) w).
Proof. induction n as [|n IH]; simpl; [apply ip_zero|]. rewrite ip_add, IH. reflexivity. Qed.
Lemma ip_vsum_r n (a : nat -> V) w : ip w (vsum n a) = sum n (fun i => ip w (a i)).
Proof. rewrite ip_sym, ip_vsum. apply sum_ext. intros. apply ip_sym. Qed.
Lemma ip_vsum_in n I (a : nat -> V) w :
  ip (vsum_in n I a) w = sum n (fun i => ind I i * ip (a i) w).
Proof.
  unfold vsum_in. rewrite ip_vsum. apply sum_ext. intros i _. unfold ind.
  destruct (I i); [ring|rewrite ip_zero; ring].
Qed.
Lemma ip_vsum_in_r n I (a : nat -> V) w :
  ip w (vsum_in n I a) = sum n (fun i => ind I i * ip w (a i)).
Proof. rewrite ip_sym, ip_vsum_in. apply sum_ext. intros. rewrite (ip_sym w). reflexivity. Qed.
End Products.

(* Products of combinations of vectors become combinations of products. *)
#[global] Hint Rewrite @ip_zero @ip_add @ip_sub @ip_scale @ip_over : ip.
#[global] Hint Rewrite @ip_zero_r @ip_add_r @ip_sub_r @ip_scale_r @ip_over_r : ip.
Ltac products := autorewrite with ip.
(* Two vectors are equal when their products with every vector w are. *)
Ltac vector_eq w := apply ip_ext; intro w; products.

Section Lengths.
Context {V : space}.
Implicit Types u v w : V.

Lemma sq_nonneg u : 0 <= sq u.
Proof. apply ip_nonneg. Qed.
Lemma sq_zero : sq (zero : V) = 0.
Proof. apply ip_zero. Qed.
Lemma sq_add u v : sq (add u v) = sq u + 2 * ip u v + sq v.
Proof. unfold sq. products. rewrite (ip_sym v u). ring. Qed.
Lemma sq_sub u v : sq (sub u v) = sq u - 2 * ip u v + sq v.
Proof. unfold sq. products. rewrite (ip_sym v u). ring. Qed.
Lemma sq_sub_sym u v : sq (sub u v) = sq (sub v u).
Proof. rewrite !sq_sub, (ip_sym v u). ring. Qed.
Lemma sq_scale c u : sq (scale c u) = c * c * sq u.
Proof. unfold sq. products. ring. Qed.
Lemma sq_over k u : sq (over k u) = / INR k * / INR k * sq u.
Proof. unfold sq. products. ring. Qed.
Lemma sub_self u : sub u u = zero.
Proof. vector_eq w. ring. Qed.
Lemma add_sub_cancel u v : add u (sub v u) = v.
Proof. vector_eq w. ring. Qed.
Lemma sub_add_cancel u v : sub (add u v) u = v.
Proof. vector_eq w. ring. Qed.
Lemma sq_zero_eq u : sq u = 0 -> u = zero.
Proof.
  intro H. vector_eq w. destruct (Req_dec (ip u w) 0) as [e|e]; [assumption|]. exfalso.
  (* the square of t u + w is |w|^2 + 2 t <u, w>, negative for some t *)
  pose proof (sq_nonneg (add (scale (- (sq w + 1) / (2 * ip u w)) u) w)) as P.
  rewrite sq_add, sq_scale, H, ip_scale in P.
  replace (2 * (- (sq w + 1) / (2 * ip u w) * ip u w)) with (- (sq w + 1)) in P by (field;
    assumption).
  lra.
Qed.

Lemma cauchy_schwarz u v : ip u v * ip u v <= sq u * sq v.
Proof.
  destruct (Req_dec (sq v) 0) as [Z|Z].
  - rewrite (sq_zero_eq v Z), ip_zero_r, sq_zero. lra.
  - pose proof (sq_nonneg v). pose proof (sq_nonneg (sub (scale (sq v) u) (scale (ip u v) v))) as P.
    rewrite sq_sub, !sq_scale, ip_scale, ip_scale_r in P.
    apply Rmult_le_reg_l with (sq v); [lra|]. lra.
Qed.
(* 2 <u, v> <= t |u|^2 + |v|^2/t *)
Lemma young t u v : 0 < t -> 2 * ip u v <= t * sq u + sq v / t.
Proof.
  intro H. pose proof (sq_nonneg (sub (scale t u) v)) as P. rewrite sq_sub, sq_scale, ip_scale in P.
  apply Rmult_le_reg_l with t; [assumption|].
  replace (t * (t * sq u + sq v / t)) with (t * t * sq u + sq v) by (field; lra). lra.
Qed.
Lemma sq_add_le u v : sq (add u v) <= 2 * sq u + 2 * sq v.
Proof. rewrite sq_add. pose proof (young 1 u v Rlt_0_1). lra. Qed.

Lemma norm_nonneg u : 0 <= norm u.
Proof. apply sqrt_pos. Qed.
Lemma norm_sq u : norm u * norm u = sq u.
Proof. apply sqrt_sqrt, ip_nonneg. Qed.
Lemma norm_le u r : 0 <= r -> sq u <= r * r -> norm u <= r.
Proof.
  intros H K. apply Rsqr_incr_0_var; [|assumption]. unfold Rsqr. rewrite norm_sq. assumption.
Qed.
Lemma sq_le u r : norm u <= r -> sq u <= r * r.
Proof. intro H. rewrite <- norm_sq. pose proof (norm_nonneg u). apply Rmult_le_compat; lra. Qed.
Lemma ip_le u v : ip u v <= norm u * norm v.
Proof.
  pose proof (norm_nonneg u). pose proof (norm_nonneg v).
  apply Rsqr_incr_0_var; [|apply Rmult_le_pos; assumption]. unfold Rsqr.
  replace (norm u * norm v * (norm u * norm v)) with ((norm u * norm u) * (norm v * norm v))
    by ring.
  rewrite !norm_sq. apply cauchy_schwarz.
Qed.
Lemma norm_add u v : norm (add u v) <= norm u + norm v.
Proof.
  pose proof (norm_nonneg u). pose proof (norm_nonneg v). apply norm_le; [lra|].
  rewrite sq_add. pose proof (ip_le u v). pose proof (norm_sq u). pose proof (norm_sq v). lra.
Qed.
Lemma norm_scale c u : norm (scale c u) = Rabs c * norm u.
Proof.
  unfold norm. rewrite sq_scale, sqrt_mult; [|apply Rle_0_sqr|apply ip_nonneg].
  change (sqrt (c * c)) with (sqrt (Rsqr c)). rewrite sqrt_Rsqr_abs. reflexivity.
Qed.
Lemma norm_sub_sym u v : norm (sub u v) = norm (sub v u).
Proof. unfold norm. rewrite sq_sub_sym. reflexivity. Qed.
Lemma norm_sub u v : norm (sub u v) <= norm u + norm v.
Proof.
  replace (sub u v) with (add u (scale (-1) v)) by (vector_eq w; ring).
  eapply Rle_trans; [apply norm_add|]. rewrite norm_scale, Rabs_left by lra. lra.
Qed.
Lemma norm_zero : norm (zero : V) = 0.
Proof. unfold norm. rewrite sq_zero. apply sqrt_0. Qed.
Lemma norm_over k u : norm (over k u) = / INR k * norm u.
Proof.
  destruct k as [|k].
  - simpl. rewrite Rinv_0, Rmult_0_l. rewrite (sq_zero_eq (over 0 u)); [apply norm_zero|].
    rewrite sq_over. simpl. rewrite Rinv_0. ring.
  - assert (0 < INR (S k)) by (apply lt_0_INR; lia).
    replace (over (S k) u) with (scale (/ INR (S k)) u) by (vector_eq w; reflexivity).
    rewrite norm_scale, Rabs_right; [reflexivity|]. left. apply Rinv_0_lt_compat. assumption.
Qed.
Lemma norm_vsum n (a : nat -> V) : norm (vsum n a) <= sum n (fun i => norm (a i)).
Proof.
  induction n as [|n IH]; simpl; [rewrite norm_zero; lra|].
  pose proof (norm_add (vsum n a) (a n)). lra.
Qed.
(* n numbers or vectors: |sum|^2 <= n sum of squares *)
Lemma sq_vsum n (a : nat -> V) : sq (vsum n a) <= INR n * sum n (fun i => sq (a i)).
Proof.
  induction n as [|n IH]; [simpl; rewrite sq_zero; lra|]. cbn [vsum sum]. rewrite S_INR, sq_add.
  destruct n as [|n].
  - simpl. rewrite ip_zero, sq_zero. lra.
  - assert (0 < INR (S n)) by (apply lt_0_INR; lia). set (N := INR (S n)) in *.
    pose proof (young (/ N) (vsum (S n) a) (a (S n)) (Rinv_0_lt_compat _ H)) as Y.
    set (s := sum (S n) (fun i => sq (a i))) in *.
    assert (/ N * sq (vsum (S n) a) <= s).
    { apply Rmult_le_reg_l with N; [assumption|]. rewrite <- Rmult_assoc, Rinv_r by lra. lra. }
    replace (sq (a (S n)) / / N) with (N * sq (a (S n))) in Y by (field; lra). lra.
Qed.
End Lengths.
