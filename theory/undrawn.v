(* Given how many indices some minibatches leave out, the set of them is a sample without replacement: all sets of that
   size alike (used without proof in lines 1228-1236 and 1363-1370).

   [left_out_given_size]  for every quantity f of a set of indices below n
       E f(left out by k minibatches) = E (the mean of f over all sets of as many indices).
   Proof. The law of the minibatches does not change if two indices exchange their names, so f may be replaced by its
   mean over n random exchanges (those of Fisher and Yates), which carry any set to all sets of its size alike.

   Besides, histories in two parts, and what happens with probability at most delta given the first part. *)
From Coq Require Import Reals Lra Lia PeanoNat List Bool FunctionalExtensionality.
From Sledge Require Import vectors means minibatches algorithms probability symmetries steps identities.
Import ListNotations.
Open Scope R_scope.

(* ---- Exchanging two indices ---- *)

Definition swapped (k l i : nat) : nat := if Nat.eqb i k then l else if Nat.eqb i l then k else i.
Definition swap (k l : nat) (I : batch) : batch := fun i => I (swapped k l i).
Lemma swapped_twice k l i : swapped k l (swapped k l i) = i.
Proof.
  unfold swapped. destruct (Nat.eqb_spec i k) as [->|].
  - rewrite Nat.eqb_refl. destruct (Nat.eqb_spec l k); congruence.
  - destruct (Nat.eqb_spec i l) as [->|]; [rewrite Nat.eqb_refl; reflexivity|].
    destruct (Nat.eqb_spec i k), (Nat.eqb_spec i l); congruence.
Qed.
Lemma swapped_below n k l i : (k < n)%nat -> (l < n)%nat -> (i < n)%nat -> (swapped k l i < n)%nat.
Proof. intros. unfold swapped. destruct (Nat.eqb i k), (Nat.eqb i l); assumption. Qed.
Lemma swapped_renames n k l : (k < n)%nat -> (l < n)%nat -> renames n (swapped k l) (swapped k l).
Proof.
  intros Hk Hl i Hi. repeat split; try (apply swapped_below; assumption); apply swapped_twice.
Qed.
Lemma swap_insert k l i I : swap k l (insert i I) = insert (swapped k l i) (swap k l I).
Proof.
  extensionality j. unfold swap, insert.
  destruct (Nat.eqb_spec (swapped k l j) i) as [<-|e]; [rewrite swapped_twice, Nat.eqb_refl; reflexivity|].
  destruct (Nat.eqb_spec j (swapped k l i)) as [->|]; [rewrite swapped_twice in e; congruence|reflexivity].
Qed.
Lemma ind_swap k l I i : ind (swap k l I) i = ind I (swapped k l i).
Proof. reflexivity. Qed.
Lemma size_swap n k l I : (k < n)%nat -> (l < n)%nat -> size n (swap k l I) = size n I.
Proof. intros Hk Hl. apply (sum_renamed n _ _ (ind I) (swapped_renames n k l Hk Hl)). Qed.
Lemma draws_swap n b k l : (k < n)%nat -> (l < n)%nat -> forall I f, size n I + INR b <= INR n ->
  Ex (draws n b I) (fun J => f (swap k l J)) = Ex (draws n b (swap k l I)) f.
Proof.
  intros Hk Hl. induction b as [|b IH]; intros I f H; [reflexivity|]. rewrite S_INR in H. pose proof (pos_INR b).
  cbn [draws]. rewrite !Ex_bind. unfold size in H.
  assert (Sz : sum n (ind (swap k l I)) = sum n (ind I)) by (apply (size_swap n k l I Hk Hl)).
  rewrite !Ex_pick by (rewrite ?Sz; lra). rewrite Sz. f_equal.
  rewrite <- (sum_renamed n _ _ (fun i => (1 - ind (swap k l I) i) * Ex (draws n b (insert i (swap k l I))) f)
    (swapped_renames n k l Hk Hl)).
  apply sum_ext. intros i Hi. rewrite ind_swap, swapped_twice. unfold ind.
  destruct (I i) eqn:e; [ring|]. f_equal. rewrite <- swap_insert. apply IH.
  unfold size. rewrite (sum_ext n _ (fun j => ind (insert i I) j * 1)) by (intros; ring).
  rewrite (sum_insert n i I (fun _ => 1)) by assumption. rewrite (sum_ext n _ (ind I)) by (intros; ring). lra.
Qed.
Lemma uniform_swap n b k l f : (b <= n)%nat -> (k < n)%nat -> (l < n)%nat ->
  Ex (uniform n b) (fun J => f (swap k l J)) = Ex (uniform n b) f.
Proof.
  intros H Hk Hl. rewrite !uniform_is_draws by assumption. apply draws_swap; try assumption.
  unfold size. rewrite sum_zero by reflexivity. apply le_INR in H. lra.
Qed.
Lemma history_swap n b k l t f : (b <= n)%nat -> (k < n)%nat -> (l < n)%nat ->
  Ex (sledge_history n b t) (fun past => f (map (swap k l) past)) = Ex (sledge_history n b t) f.
Proof.
  intros H Hk Hl. unfold sledge_history. revert f. induction t as [|t IH]; intro f; [reflexivity|].
  rewrite !Ex_history_S. rewrite <- (IH (fun past => Ex (uniform n b) (fun B => f (B :: past)))).
  apply Ex_ext. intros past _. cbn [map].
  apply (uniform_swap n b k l (fun B => f (B :: map (swap k l) past))); assumption.
Qed.
Lemma left_out_swap k l later : left_out (map (swap k l) later) = swap k l (left_out later).
Proof.
  extensionality i. unfold left_out, drawn, swap. f_equal.
  induction later as [|B later IH]; [reflexivity|]. simpl. rewrite IH. reflexivity.
Qed.

(* ---- Random exchanges ---- *)

(* f depends on the indices below n only. *)
Definition below (n : nat) (f : batch -> R) : Prop := forall I J, (forall i, (i < n)%nat -> I i = J i) -> f I = f J.
Fixpoint count (n : nat) (I : batch) : nat :=
  match n with 0%nat => 0%nat | S m => if I m then S (count m I) else count m I end.
Lemma count_size n I : INR (count n I) = size n I.
Proof.
  induction n as [|n IH]; [reflexivity|]. unfold size in *. cbn [count sum]. rewrite <- IH. unfold ind.
  destruct (I n); [rewrite S_INR|]; ring.
Qed.
Lemma count_le n I : (count n I <= n)%nat.
Proof. induction n as [|n IH]; simpl; [lia|]. destruct (I n); lia. Qed.
Lemma count_ext n I J : (forall i, (i < n)%nat -> I i = J i) -> count n I = count n J.
Proof. intro E. induction n as [|n IH]; [reflexivity|]. simpl. rewrite E, IH by (auto with arith). reflexivity. Qed.

(* The mean of f over the exchanges of n - 1, then n - 2, ..., with an index not above it, all alike. *)
Fixpoint shuffle (n : nat) (f : batch -> R) (I : batch) : R :=
  match n with 0%nat => f I | S m => Ex (index (S m)) (fun k => shuffle m f (swap k m I)) end.

Lemma shuffle_ext m n c f g : (m <= n)%nat -> (forall J, J n = c -> f J = g J) ->
  forall I, I n = c -> shuffle m f I = shuffle m g I.
Proof.
  intros H E. induction m as [|m IH]; intros I HI; [apply E, HI|]. cbn [shuffle]. apply Ex_ext. intros k P.
  apply index_possible in P; [|lia]. apply IH; [lia|]. unfold swap, swapped.
  rewrite (proj2 (Nat.eqb_neq n k)), (proj2 (Nat.eqb_neq n m)) by lia. exact HI.
Qed.
Definition put (c : bool) (n : nat) (I : batch) : batch := fun i => if Nat.eqb i n then c else I i.
Lemma shuffle_uniform n : forall f I, below n f -> shuffle n f I = Ex (uniform n (count n I)) f.
Proof.
  induction n as [|n IH]; intros f I F.
  - cbn [shuffle count]. rewrite uniform_0. apply F. lia.
  - cbn [shuffle]. rewrite Ex_index by lia.
    set (c := count (S n) I). pose proof (count_le (S n) I) as CL. fold c in CL.
    assert (N0 : 0 < INR (S n)) by (apply lt_0_INR; lia).
    set (up := Ex (uniform n (c - 1)) (fun J => f (insert n J))).
    set (down := Ex (uniform n c) (fun J => f (put false n J))).
    assert (Step : forall k, (k < S n)%nat -> shuffle n f (swap k n I) = ind I k * up + (1 - ind I k) * down).
    { intros k Hk.
      assert (Vn : swap k n I n = I k).
      { unfold swap, swapped. destruct (Nat.eqb_spec n k) as [->|]; [reflexivity|]. rewrite Nat.eqb_refl. reflexivity. }
      assert (Cn : count (S n) (swap k n I) = c).
      { apply INR_eq. unfold c. rewrite !count_size. apply size_swap; lia. }
      rewrite (shuffle_ext n n (I k) f (fun J => f (put (I k) n J)) (le_n n)).
      - rewrite IH.
        + cbn [count] in Cn. rewrite Vn in Cn. unfold ind. destruct (I k).
          * unfold up. rewrite <- Cn. rewrite Nat.sub_succ, Nat.sub_0_r.
            transitivity (Ex (uniform n (count n (swap k n I))) (fun J => f (insert n J)));
              [|rewrite Rmult_1_l, (Rminus_diag_eq 1 1 eq_refl), Rmult_0_l, Rplus_0_r; reflexivity].
            apply Ex_ext. intros J _. apply F. intros i Hi. unfold put, insert. reflexivity.
          * unfold down. rewrite <- Cn, Rmult_0_l, Rplus_0_l, Rminus_0_r, Rmult_1_l. reflexivity.
        + intros J J' E. apply F. intros i Hi. unfold put. destruct (Nat.eqb_spec i n); [reflexivity|]. apply E. lia.
      - intros J HJ. apply F. intros i Hi. unfold put. destruct (Nat.eqb_spec i n) as [->|]; [assumption|reflexivity].
      - exact Vn. }
    rewrite (sum_ext (S n) _ _ Step).
    rewrite (sum_ext (S n) _ (fun k => up * ind I k + (down - down * ind I k))) by (intros; ring).
    rewrite sum_add, sum_sub, !sum_mul, sum_const. fold (size (S n) I). rewrite <- count_size. fold c.
    assert (D : (c <= n)%nat -> down = Ex (uniform n c) f).
    { intro Hc. apply Ex_ext. intros J P. apply F. intros i Hi. unfold put.
      destruct (Nat.eqb_spec i n) as [->|]; [|reflexivity]. symmetry. apply (uniform_above n c J n);
        [assumption|assumption|lia]. }
    destruct c as [|c].
    + rewrite (D ltac:(lia)), !uniform_0. simpl (INR 0). field. lra.
    + rewrite uniform_S by lia. unfold up. rewrite Nat.sub_succ, Nat.sub_0_r.
      destruct (Nat.eq_dec c n) as [->|e]; [field; lra|]. rewrite (D ltac:(lia)). field. lra.
Qed.

Section Left_out.
Variables (n b : nat).
Hypothesis Hbn : (b <= n)%nat.

Lemma shuffle_harmless k f m : (m <= n)%nat ->
  Ex (sledge_history n b k) (fun later => shuffle m f (left_out later))
  = Ex (sledge_history n b k) (fun later => f (left_out later)).
Proof.
  intro Hm. induction m as [|m IH]; [reflexivity|]. cbn [shuffle].
  rewrite (Ex_ext _ _ (fun later => / INR (S m) * sum (S m) (fun i => shuffle m f (swap i m (left_out later)))))
    by (intros; apply Ex_index; lia).
  rewrite Ex_mul, Ex_sum.
  rewrite (sum_ext (S m) _ (fun _ => Ex (sledge_history n b k) (fun later => f (left_out later)))).
  - rewrite sum_const. field. apply Rgt_not_eq, lt_0_INR. lia.
  - intros i Hi. rewrite <- IH by lia.
    rewrite <- (history_swap n b i m k (fun later => shuffle m f (left_out later))) by lia.
    apply Ex_ext. intros later _. rewrite left_out_swap. reflexivity.
Qed.
Theorem left_out_given_size k f : below n f ->
  Ex (sledge_history n b k) (fun later => f (left_out later))
  = Ex (sledge_history n b k) (fun later => Ex (uniform n (count n (left_out later))) f).
Proof.
  intro F. rewrite <- (shuffle_harmless k f n (le_n n)). apply Ex_ext. intros later _. apply shuffle_uniform, F.
Qed.
(* What is rare for samples of every size is rare for the indices left out. *)
Lemma left_out_rare k (A : batch -> bool) delta :
  (forall I J, (forall i, (i < n)%nat -> I i = J i) -> A I = A J) ->
  (forall m, (m <= n)%nat -> probability (uniform n m) A <= delta) ->
  probability (sledge_history n b k) (fun later => A (left_out later)) <= delta.
Proof.
  intros F H. unfold probability. rewrite (left_out_given_size k (fun I => if A I then 1 else 0)).
  - apply Ex_at_most. intros later _. apply H, count_le.
  - intros I J E. rewrite (F I J E). reflexivity.
Qed.
End Left_out.

(* ---- Histories in two parts ---- *)

Lemma rare_of {O} (m : mean O) delta (P : O -> Prop) (A : O -> bool) : with_probability m (1 - delta) P ->
  (forall o, possible m o -> P o -> A o = false) -> probability m A <= delta.
Proof.
  intros [E [E1 E2]] H. pose proof (probability_not m E) as N.
  apply Rle_trans with (probability m (fun o => negb (E o))); [|lra].
  apply probability_le. intros o Q e. destruct (E o) eqn:f; [|reflexivity].
  rewrite (H o Q (E2 o Q f)) in e. discriminate.
Qed.
Lemma skipn_twice {O} i j (l : list O) : skipn i (skipn j l) = skipn (i + j) l.
Proof.
  revert l. induction j as [|j IH]; intro l; [rewrite Nat.add_0_r; reflexivity|]. rewrite Nat.add_succ_r.
  destruct l as [|o l]; [apply skipn_nil|apply IH].
Qed.
Lemma Ex_history_parts {O} (m : mean O) s k f :
  Ex (history m (k + s)) f = Ex (history m s) (fun before => Ex (history m k) (fun later => f (later ++ before))).
Proof.
  revert f. induction k as [|k IH]; intro f; [reflexivity|]. cbn [Nat.add]. rewrite Ex_history_S, IH.
  apply Ex_ext. intros before _. rewrite Ex_history_S. reflexivity.
Qed.
(* An event of the first s and the k draws after them, which is rare whatever the first ones were. *)
Lemma rare_later {O} (m : mean O) s k T delta (A : list O -> list O -> bool) : (k + s <= T)%nat ->
  (forall before, possible (history m s) before -> probability (history m k) (fun later => A later before) <= delta) ->
  probability (history m T) (fun past => A (from_step (S s) (at_time (k + s) past)) (at_time s past)) <= delta.
Proof.
  intros HT H. unfold probability.
  rewrite (Ex_ext _ _ (fun past => (fun p => if A (from_step (S s) p) (at_time s p) then 1 else 0) (at_time (k + s)
    past))).
  - eapply Rle_trans; [right; apply (Ex_history_at (fun _ => m) (k + s) T
      (fun p => if A (from_step (S s) p) (at_time s p) then 1 else 0) HT)|].
    change (Ex (history m (k + s)) (fun p => if A (from_step (S s) p) (at_time s p) then 1 else 0) <= delta).
    rewrite Ex_history_parts. apply Ex_at_most. intros before P. specialize (H before P).
    eapply Rle_trans; [|exact H]. right. apply Ex_ext. intros later Q.
    apply history_length in P. apply history_length in Q.
    replace (from_step (S s) (later ++ before)) with later.
    + replace (at_time s (later ++ before)) with before; [reflexivity|].
      unfold at_time. rewrite app_length. replace (length later + length before - s)%nat with (length later) by lia.
      rewrite skipn_app, skipn_all, Nat.sub_diag. reflexivity.
    + unfold from_step. rewrite app_length. replace (S (length later + length before) - S s)%nat with (length later) by
      lia.
      rewrite firstn_app, firstn_all, Nat.sub_diag. simpl. rewrite app_nil_r. reflexivity.
  - intros past P. apply history_length in P.
    replace (at_time s (at_time (k + s) past)) with (at_time s past); [reflexivity|].
    unfold at_time. rewrite skipn_length, skipn_twice. f_equal. lia.
Qed.
