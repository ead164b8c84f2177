(* Minibatches: b of the indices 0 .. n-1, all sets of b alike (Algorithm 1, lines 287 and 291).

   [uniform n b] is the average over the list of all sets of b of n indices.
   [draws n b] draws b indices one after the other, each from those that are left, all alike.
   Theorem [uniform_is_draws]: they are one law. For every quantity f of the minibatch, b <= n,
       Ex (uniform n b) f = Ex (draws n b none) f.
   Moments: with p = b/n and i <> j,
       P(i in I) = b/n,     P(i, j in I) = b(b - 1)/(n(n - 1)),
   and for the sum over a minibatch of vectors a_i, of sum A and sum of products D (n >= 2):
       E <sum_I a, w> = (b/n) <A, w>,
       E <sum_I a, sum_I c> = (b(n - b)/(n(n - 1))) sum_i <a_i, c_i> + (b(b - 1)/(n(n - 1))) <A, C>.
   *)
From Coq Require Import Reals Lra Lia List Bool PeanoNat FunctionalExtensionality.
From Sledge Require Import vectors means.
Import ListNotations.
Open Scope R_scope.

Definition none : batch := fun _ => false.
Definition full : batch := fun _ => true.
Definition insert (i : nat) (I : batch) : batch := fun k => if Nat.eqb k i then true else I k.

(* All sets of b of the indices 0 .. n-1. *)
Fixpoint subsets (n b : nat) : list batch :=
  match b, n with
  | 0%nat, _ => [none]
  | S _, 0%nat => []
  | S b', S m => map (insert m) (subsets m b') ++ subsets m b
  end.
(* There is no set of more than n; all indices stand for it. *)
Definition uniform (n b : nat) : mean batch := average full (subsets n b).

(* One of the indices below n that are not in I. *)
Definition outside (n : nat) (I : batch) : list nat := filter (fun i => negb (I i)) (seq 0 n).
Definition pick (n : nat) (I : batch) : mean nat := average O (outside n I).
Fixpoint draws (n b : nat) (I : batch) : mean batch :=
  match b with 0%nat => sure I | S b' => bind (pick n I) (fun i => draws n b' (insert i I)) end.

(* ---- The list of all sets ---- *)

Lemma subsets_0 n : subsets n 0 = [none].
Proof. destruct n; reflexivity. Qed.
Lemma subsets_S n b : subsets (S n) (S b) = map (insert n) (subsets n b) ++ subsets n (S b).
Proof. reflexivity. Qed.
Lemma subsets_nonempty n b : (b <= n)%nat -> subsets n b <> [].
Proof.
  revert b. induction n as [|n IH]; intros [|b] H; try discriminate; try lia.
  cbn [subsets]. intro e. apply app_eq_nil in e. destruct e as [e _]. apply map_eq_nil in e.
  apply (IH b); [lia|assumption].
Qed.
Lemma subsets_above n b I i : In I (subsets n b) -> (n <= i)%nat -> I i = false.
Proof.
  revert b I. induction n as [|n IH]; intros [|b] I P Hi; cbn [subsets] in P.
  - destruct P as [<-|[]]. reflexivity.
  - destruct P.
  - destruct P as [<-|[]]. reflexivity.
  - apply in_app_or in P. destruct P as [P|P]; [|apply (IH (S b)); [assumption|lia]].
    apply in_map_iff in P. destruct P as [J [<- P]]. unfold insert.
    rewrite (proj2 (Nat.eqb_neq i n)) by lia. apply (IH b); [assumption|lia].
Qed.
Lemma insert_ind i I k : k <> i -> ind (insert i I) k = ind I k.
Proof. intro H. unfold ind, insert. rewrite (proj2 (Nat.eqb_neq k i)) by assumption. reflexivity.
Qed.
Lemma insert_same i I : ind (insert i I) i = 1.
Proof. unfold ind, insert. rewrite Nat.eqb_refl. reflexivity. Qed.
Lemma insert_swap i j I : insert i (insert j I) = insert j (insert i I).
Proof. extensionality k. unfold insert. destruct (Nat.eqb k i), (Nat.eqb k j); reflexivity. Qed.
(* Sums over a set with one more member. *)
Lemma sum_insert n i I (a : nat -> R) : (i < n)%nat -> I i = false ->
  sum n (fun k => ind (insert i I) k * a k) = sum n (fun k => ind I k * a k) + a i.
Proof.
  induction n as [|n IH]; intros H N; [lia|]. cbn [sum]. destruct (Nat.eq_dec i n) as [e|e].
  - subst. rewrite insert_same. rewrite (sum_ext n _ (fun k => ind I k * a k)).
    + unfold ind at 3. rewrite N. lra.
    + intros k Hk. rewrite insert_ind by lia. reflexivity.
  - rewrite IH by (try assumption; lia). rewrite insert_ind by lia. lra.
Qed.
Lemma subsets_size n b I : In I (subsets n b) -> sum n (ind I) = INR b.
Proof.
  revert b I. induction n as [|n IH]; intros [|b] I P; cbn [subsets] in P.
  - reflexivity.
  - destruct P.
  - destruct P as [<-|[]]. apply sum_zero. reflexivity.
  - cbn [sum]. apply in_app_or in P. destruct P as [P|P].
    + apply in_map_iff in P. destruct P as [J [<- P]]. rewrite insert_same.
      rewrite (sum_ext n _ (ind J)) by (intros; apply insert_ind; lia). rewrite (IH b J P), S_INR.
      ring.
    + rewrite (IH (S b) I P). unfold ind. rewrite (subsets_above n (S b) I n P) by lia. lra.
Qed.
(* (b + 1) |subsets (n + 1) (b + 1)| = (n + 1) |subsets n b| *)
Lemma subsets_length n : forall b,
  INR (S b) * INR (length (subsets (S n) (S b))) = INR (S n) * INR (length (subsets n b)).
Proof.
  induction n as [|n IH]; intros b.
  - destruct b as [|b]; simpl; lra.
  - rewrite subsets_S, app_length, map_length, plus_INR, Rmult_plus_distr_l, (IH b).
    destruct b as [|b].
    + rewrite !subsets_0, !S_INR. simpl. lra.
    + pose proof (IH b) as K. rewrite subsets_S, app_length, map_length, plus_INR in *.
      rewrite !S_INR in *. lra.
Qed.
Lemma subsets_length_pos n b : (b <= n)%nat -> 0 < INR (length (subsets n b)).
Proof. intro H. apply length_pos, subsets_nonempty, H. Qed.

(* ---- The uniform law, by its last index ---- *)

Lemma uniform_size n b I : (b <= n)%nat -> possible (uniform n b) I -> sum n (ind I) = INR b.
Proof. intros H P. apply average_possible in P; [|apply subsets_nonempty, H]. apply subsets_size, P.
Qed.
Lemma uniform_above n b I i : (b <= n)%nat -> possible (uniform n b) I -> (n <= i)%nat -> I i
  = false.
Proof.
  intros H P. apply average_possible in P; [|apply subsets_nonempty, H].
  apply (subsets_above n b), P.
Qed.
Lemma Ex_uniform n b f : (b <= n)%nat ->
  Ex (uniform n b) f = / INR (length (subsets n b)) * list_sum (subsets n b) f.
Proof. intro H. apply average_is, subsets_nonempty, H. Qed.
Lemma uniform_0 n f : Ex (uniform n 0) f = f none.
Proof. rewrite Ex_uniform by lia. rewrite subsets_0. simpl. field. Qed.
Lemma uniform_S n b f : (b <= n)%nat ->
  Ex (uniform (S n) (S b)) f = INR (S b) / INR (S n) * Ex (uniform n b) (fun I => f (insert n I))
    + (1 - INR (S b) / INR (S n)) * Ex (uniform n (S b)) f.
Proof.
  intro H. pose proof (subsets_length n b) as L. pose proof (subsets_length_pos (S n) (S b)) as L1.
  pose proof (subsets_length_pos n b H) as L2. specialize (L1 ltac:(lia)).
  assert (N0 : 0 < INR (S n)) by (apply lt_0_INR; lia).
  assert (B0 : 0 < INR (S b)) by (apply lt_0_INR; lia).
  rewrite (Ex_uniform (S n)) by lia. rewrite (Ex_uniform n b) by lia.
  set (A := INR (length (subsets (S n) (S b)))) in *. set (D := INR (length (subsets n b))) in *.
  assert (EA : / A = INR (S b) / INR (S n) * / D).
  { apply Rmult_eq_reg_l with (A * D * INR (S n)); [|apply Rgt_not_eq;
      repeat apply Rmult_lt_0_compat; lra].
    replace (A * D * INR (S n) * / A) with (INR (S n) * D) by (field; lra).
    replace (A * D * INR (S n) * (INR (S b) / INR (S n) * / D)) with (INR (S b) * A) by (field;
      lra).
    lra. }
  rewrite subsets_S, list_sum_app, list_sum_map, EA.
  destruct (Nat.eq_dec b n) as [e|e].
  - subst b. replace (1 - INR (S n) / INR (S n)) with 0 by (field; lra).
    assert (Z : subsets n (S n) = []).
    { destruct (subsets n (S n)) as [|I l] eqn:q; [reflexivity|]. exfalso.
      assert (P : In I (subsets n (S n))) by (rewrite q; left; reflexivity).
      apply subsets_size in P. assert (K : sum n (ind I) <= sum n (fun _ => 1)).
      { apply sum_le. intros. apply ind_bounds. }
      rewrite sum_const, P, S_INR in K. lra. }
    rewrite Z. simpl (list_sum [] f). ring.
  - rewrite (Ex_uniform n (S b)) by lia.
    pose proof (subsets_length_pos n (S b) ltac:(lia)) as L3.
    set (F := INR (length (subsets n (S b)))) in *.
    assert (AF : A = D + F) by (unfold A; rewrite subsets_S, app_length, map_length, plus_INR;
      reflexivity).
    assert (EF : (1 - INR (S b) / INR (S n)) * / F = INR (S b) / INR (S n) * / D).
    { apply Rmult_eq_reg_l with (F * D * INR (S n)); [|apply Rgt_not_eq;
        repeat apply Rmult_lt_0_compat; lra].
      replace (F * D * INR (S n) * ((1 - INR (S b) / INR (S n)) * / F))
        with (D * INR (S n) - D * INR (S b)) by (field; lra).
      replace (F * D * INR (S n) * (INR (S b) / INR (S n) * / D)) with (INR (S b) * F) by (field;
        lra).
      rewrite AF in L. lra. }
    rewrite <- (Rmult_assoc (1 - _)), EF. ring.
Qed.

(* ---- Both laws are one ---- *)

Lemma outside_sum n I f : list_sum (outside n I) f = sum n (fun i => (1 - ind I i) * f i).
Proof.
  unfold outside. rewrite list_sum_filter, list_sum_seq. apply sum_ext. intros i _. unfold ind.
  destruct (I i); simpl; ring.
Qed.
Lemma outside_length n I : INR (length (outside n I)) = INR n - sum n (ind I).
Proof.
  rewrite <- list_sum_one, outside_sum.
  rewrite (sum_ext n _ (fun i => 1 - ind I i)) by (intros; ring). rewrite sum_sub, sum_const. ring.
Qed.
Lemma outside_nonempty n I : sum n (ind I) < INR n -> outside n I <> [].
Proof. intros H e. pose proof (outside_length n I) as L. rewrite e in L. simpl in L. lra. Qed.
Lemma Ex_pick n I f : sum n (ind I) < INR n ->
  Ex (pick n I) f = / (INR n - sum n (ind I)) * sum n (fun i => (1 - ind I i) * f i).
Proof.
  intro H. unfold pick. rewrite average_is by (apply outside_nonempty, H).
  rewrite outside_length, outside_sum. reflexivity.
Qed.
Lemma pick_possible n I i : sum n (ind I) < INR n -> possible (pick n I) i -> (i < n)%nat /\ I i
  = false.
Proof.
  intros H P. apply average_possible in P; [|apply outside_nonempty, H].
  apply filter_In in P. destruct P as [P Q]. apply in_seq in P. apply negb_true_iff in Q.
  split; [lia|assumption].
Qed.
(* Every set of b + 1 arises from b + 1 sets of b by one more index. *)
Lemma one_more n : forall b f,
  list_sum (subsets n b) (fun I => sum n (fun i => (1 - ind I i) * f (insert i I)))
  = INR (S b) * list_sum (subsets n (S b)) f.
Proof.
  induction n as [|n IH]; intros b f.
  - destruct b; simpl; ring.
  - assert (A : list_sum (subsets n b) (fun I => sum (S n) (fun i => (1 - ind I i)
      * f (insert i I)))
      = INR (S b) * list_sum (subsets n (S b)) f + list_sum (subsets n b)
        (fun I => f (insert n I))).
    { rewrite <- (IH b f), <- list_sum_add. apply list_sum_ext. intros I P. cbn [sum].
      unfold ind at 2. rewrite (subsets_above n b I n P) by lia. ring. }
    destruct b as [|b].
    + rewrite subsets_0 in *. rewrite subsets_S, subsets_0, list_sum_app, list_sum_map.
      cbn [list_sum] in *. simpl (INR 1) in *. rewrite Rplus_0_r in A. rewrite Rplus_0_r, A. ring.
    + rewrite subsets_S, (subsets_S n (S b)), !list_sum_app, !list_sum_map, A. clear A.
      rewrite (list_sum_ext _ (fun I => sum (S n) (fun i => (1 - ind (insert n I) i)
        * f (insert i (insert n I))))
        (fun I => sum n (fun i => (1 - ind I i) * f (insert n (insert i I))))).
      * rewrite (IH b (fun I => f (insert n I))). rewrite !S_INR. ring.
      * intros I P. cbn [sum]. rewrite insert_same.
        rewrite Rminus_diag_eq, Rmult_0_l, Rplus_0_r by reflexivity.
        apply sum_ext. intros i Hi. rewrite insert_ind by lia. rewrite insert_swap. reflexivity.
Qed.
Lemma uniform_one_more n b f : (b < n)%nat ->
  Ex (uniform n b) (fun I => Ex (pick n I) (fun i => f (insert i I))) = Ex (uniform n (S b)) f.
Proof.
  intro H. assert (NB : INR b < INR n) by (apply lt_INR; assumption).
  rewrite (Ex_ext _ _ (fun I => / (INR n - INR b) * sum n (fun i => (1 - ind I i)
    * f (insert i I)))).
  2:{ intros I P. pose proof (uniform_size n b I ltac:(lia) P) as Z.
      rewrite (Ex_pick n I) by lra. rewrite Z. reflexivity. }
  rewrite Ex_mul, !Ex_uniform by lia. rewrite one_more.
  pose proof (subsets_length_pos n b ltac:(lia)) as L1.
  pose proof (subsets_length_pos n (S b) H) as L2.
  (* (b + 1) |sets of b + 1| = (n - b) |sets of b|, from the case f = 1 *)
  pose proof (one_more n b (fun _ => 1)) as K. rewrite list_sum_one in K.
  rewrite (list_sum_ext _ _ (fun _ => (INR n - INR b) * 1)) in K.
  2:{ intros I P. rewrite (sum_ext n _ (fun i => 1 - ind I i)) by (intros; ring).
      rewrite sum_sub, sum_const, (subsets_size n b I P). ring. }
  rewrite list_sum_mul, list_sum_one in K.
  set (A := INR (length (subsets n b))) in *. set (D := INR (length (subsets n (S b)))) in *.
  assert (E1 : INR (S b) = (INR n - INR b) * A / D).
  { apply Rmult_eq_reg_r with D; [|lra]. rewrite <- K. field. lra. }
  rewrite E1. field. repeat split; lra.
Qed.
Lemma draws_one_more n b : forall I f,
  Ex (draws n (S b) I) f = Ex (draws n b I) (fun J => Ex (pick n J) (fun i => f (insert i J))).
Proof.
  induction b as [|b IH]; intros I f; [reflexivity|].
  change (Ex (draws n (S (S b)) I) f) with (Ex (pick n I) (fun i => Ex (draws n (S b) (insert i I))
    f)).
  change (Ex (draws n (S b) I) ?h) with (Ex (pick n I) (fun i => Ex (draws n b (insert i I)) h)).
  apply Ex_ext. intros i _. apply IH.
Qed.
Theorem uniform_is_draws n b f : (b <= n)%nat -> Ex (uniform n b) f = Ex (draws n b none) f.
Proof.
  revert f. induction b as [|b IH]; intros f H; [apply uniform_0|].
  rewrite draws_one_more, <- uniform_one_more by lia. apply IH. lia.
Qed.

(* ---- Moments ---- *)

Lemma uniform_first n b i : (b <= n)%nat -> (i < n)%nat ->
  Ex (uniform n b) (fun I => ind I i) = INR b / INR n.
Proof.
  revert b. induction n as [|n IH]; intros b Hb Hi; [lia|].
  assert (N0 : 0 < INR (S n)) by (apply lt_0_INR; lia).
  destruct b as [|b]; [rewrite uniform_0; unfold ind, none; simpl (INR 0); field; lra|].
  rewrite uniform_S by lia. destruct (Nat.eq_dec i n) as [e|e].
  - subst. rewrite (Ex_ext _ _ (fun _ => 1)) by (intros; apply insert_same). rewrite Ex_one.
    destruct (Nat.eq_dec b n) as [k|k]; [subst; field; lra|].
    rewrite (Ex_ext (uniform n (S b)) _ (fun _ => 0)); [rewrite Ex_const; ring|].
    intros I P. unfold ind. rewrite (uniform_above n (S b) I n); [reflexivity|lia|assumption|lia].
  - rewrite (Ex_ext (uniform n b) _ (fun I => ind I i)) by (intros; apply insert_ind; assumption).
    assert (N1 : 0 < INR n) by (apply lt_0_INR; lia). rewrite (IH b) by lia.
    destruct (Nat.eq_dec b n) as [k|k]; [subst; field; lra|]. rewrite (IH (S b)) by lia.
    rewrite !S_INR in *. field. lra.
Qed.
Lemma uniform_second n b i j : (b <= n)%nat -> (i < n)%nat -> (j < n)%nat -> i <> j ->
  Ex (uniform n b) (fun I => ind I i * ind I j) = INR b * (INR b - 1) / (INR n * (INR n - 1)).
Proof.
  revert b. induction n as [|n IH]; intros b Hb Hi Hj N; [lia|].
  assert (N0 : 0 < INR (S n)) by (apply lt_0_INR; lia).
  assert (N1 : 1 <= INR n) by (change 1 with (INR 1); apply le_INR; lia).
  destruct b as [|b]; [rewrite uniform_0; unfold ind, none; simpl (INR 0); rewrite S_INR in *;
    field; lra|].
  assert (last : forall k, (k < n)%nat -> forall I, ind (insert n I) n * ind (insert n I) k
    = ind I k).
  { intros k Hk I. rewrite insert_same, insert_ind by lia. ring. }
  assert (none_above : forall k, (b < n)%nat -> Ex (uniform n (S b)) (fun I => ind I n * ind I k)
    = 0).
  { intros k Hk. rewrite (Ex_ext _ _ (fun _ => 0)); [apply Ex_const|]. intros I P. unfold ind at 1.
    rewrite (uniform_above n (S b) I n); [ring|lia|assumption|lia]. }
  rewrite uniform_S by lia.
  destruct (Nat.eq_dec i n) as [e|e]; [|destruct (Nat.eq_dec j n) as [e'|e']].
  - subst i. rewrite (Ex_ext (uniform n b) _ (fun I => ind I j)) by (intros; apply last; lia).
    rewrite uniform_first by lia. destruct (Nat.eq_dec b n) as [k|k].
    + subst. rewrite !S_INR in *. field. lra.
    + rewrite none_above by lia. rewrite !S_INR in *. field. lra.
  - subst j. rewrite (Ex_ext (uniform n b) _ (fun I => ind I i)).
    2:{ intros. rewrite Rmult_comm. apply last. lia. }
    rewrite uniform_first by lia. rewrite (Ex_ext (uniform n (S b)) _ (fun I => ind I n * ind I i))
      by (intros; ring).
    destruct (Nat.eq_dec b n) as [k|k].
    + subst. rewrite !S_INR in *. field. lra.
    + rewrite none_above by lia. rewrite !S_INR in *. field. lra.
  - rewrite (Ex_ext (uniform n b) _ (fun I => ind I i * ind I j)).
    2:{ intros. rewrite !insert_ind by assumption. reflexivity. }
    assert (N2 : 2 <= INR n) by (change 2 with (INR 2); apply le_INR; lia).
    rewrite (IH b) by lia. destruct (Nat.eq_dec b n) as [k|k].
    + subst. rewrite !S_INR in *. field. lra.
    + rewrite (IH (S b)) by lia. rewrite !S_INR in *. field. lra.
Qed.

Section Moments.
Variables (n b : nat).
Hypothesis Hbn : (b <= n)%nat.
Hypothesis Hn : (2 <= n)%nat.
Notation N := (INR n).
Notation B := (INR b).

Lemma Ex_linear (a : nat -> R) :
  Ex (uniform n b) (fun I => sum n (fun i => ind I i * a i)) = B / N * sum n a.
Proof.
  rewrite Ex_sum, <- sum_mul. apply sum_ext. intros i Hi.
  rewrite (Ex_ext _ _ (fun I => a i * ind I i)) by (intros; ring).
  rewrite Ex_mul, uniform_first by assumption.
  ring.
Qed.
Lemma Ex_quadratic (a : nat -> nat -> R) :
  Ex (uniform n b) (fun I => sum n (fun i => sum n (fun j => ind I i * ind I j * a i j)))
  = B * (N - B) / (N * (N - 1)) * sum n (fun i => a i i)
    + B * (B - 1) / (N * (N - 1)) * sum n (fun i => sum n (fun j => a i j)).
Proof.
  assert (N2 : 2 <= N) by (change 2 with (INR 2); apply le_INR; assumption).
  rewrite Ex_sum, <- !sum_mul, <- sum_add. apply sum_ext. intros i Hi. rewrite Ex_sum.
  rewrite (sum_ext n _ (fun j => B * (B - 1) / (N * (N - 1)) * a i j
    + (B / N - B * (B - 1) / (N * (N - 1))) * (a i j - (if Nat.eq_dec i j then 0 else a i j)))).
  - rewrite sum_add, !sum_mul, sum_sub, sum_all_but by assumption.
    change (sum n (fun j => a i j)) with (sum n (a i)). field. lra.
  - intros j Hj. rewrite (Ex_ext _ _ (fun I => a i j * (ind I i * ind I j))) by (intros; ring).
    rewrite Ex_mul. destruct (Nat.eq_dec i j) as [e|e].
    + subst. rewrite (Ex_ext _ _ (fun I => ind I j)) by (intros; apply ind_square).
      rewrite uniform_first by assumption. field. lra.
    + rewrite uniform_second by assumption. ring.
Qed.

Context {V : space}.
Theorem minibatch_mean (a : nat -> V) w :
  Ex (uniform n b) (fun I => ip (vsum_in n I a) w) = B / N * ip (vsum n a) w.
Proof.
  rewrite (Ex_ext _ _ (fun I => sum n (fun i => ind I i * ip (a i) w))) by (intros;
    apply ip_vsum_in).
  rewrite Ex_linear, ip_vsum. reflexivity.
Qed.
Theorem minibatch_product (a c : nat -> V) :
  Ex (uniform n b) (fun I => ip (vsum_in n I a) (vsum_in n I c))
  = B * (N - B) / (N * (N - 1)) * sum n (fun i => ip (a i) (c i))
    + B * (B - 1) / (N * (N - 1)) * ip (vsum n a) (vsum n c).
Proof.
  rewrite (Ex_ext _ _ (fun I => sum n (fun i => sum n (fun j => ind I i * ind I j * ip (a i)
    (c j))))).
  - rewrite Ex_quadratic, ip_vsum. f_equal. f_equal. apply sum_ext. intros. rewrite ip_vsum_r.
    reflexivity.
  - intros I _. rewrite ip_vsum_in. apply sum_ext. intros i _. rewrite ip_vsum_in_r, <- sum_mul.
    apply sum_ext. intros. ring.
Qed.
End Moments.
