(* Means: what probability the theory needs.

   A mean of quantities over random outcomes is a functional Ex that is linear, is 1 for the
   constant 1 and is monotone: Ex f <= Ex g where f <= g at all outcomes that are possible. Every
   average over finitely many outcomes, with any weights, is one, and so are expectations over any
   probability space. Drawing in steps nests: the mean of f over "draw o, then draw o' from a law
   that may depend on o" is the mean over o of the mean over o' of f ([bind]). A run of T steps
   draws T outcomes one after the other ([history]); it is the list of them, the last one first, so
   that what has happened before the last draw is the tail of the list.

   Contents: sure outcomes, averages over lists, an index below n, nested draws, histories, families
   of independent draws; probabilities as means of indicators, and "at some time in the run". *)
From Coq Require Import Reals Lra Lia List Bool FunctionalExtensionality.
From Sledge Require Import vectors.
Import ListNotations.
Open Scope R_scope.

Record mean (O : Type) := {
  possible : O -> Prop;
  Ex : (O -> R) -> R;
  Ex_add : forall f g, Ex (fun o => f o + g o) = Ex f + Ex g;
  Ex_mul : forall c f, Ex (fun o => c * f o) = c * Ex f;
  Ex_one : Ex (fun _ => 1) = 1;
  Ex_le : forall f g, (forall o, possible o -> f o <= g o) -> Ex f <= Ex g
}.
Arguments possible {O}.
Arguments Ex {O}.
Arguments Ex_add {O}.
Arguments Ex_mul {O}.
Arguments Ex_one {O}.
Arguments Ex_le {O}.

Section Rules.
Context {O : Type} (m : mean O).

Lemma Ex_ext f g : (forall o, possible m o -> f o = g o) -> Ex m f = Ex m g.
Proof. intro H. apply Rle_antisym; apply Ex_le; intros o P; rewrite H by assumption; lra. Qed.
Lemma Ex_const c : Ex m (fun _ => c) = c.
Proof. rewrite (Ex_ext _ (fun _ => c * 1)) by (intros; lra). rewrite Ex_mul, Ex_one. lra. Qed.
Lemma Ex_sub f g : Ex m (fun o => f o - g o) = Ex m f - Ex m g.
Proof.
  rewrite (Ex_ext _ (fun o => f o + -1 * g o)) by (intros; lra). rewrite Ex_add, Ex_mul. lra.
Qed.
Lemma Ex_sum n (a : nat -> O -> R) : Ex m (fun o => sum n (fun i => a i o)) = sum n
  (fun i => Ex m (a i)).
Proof. induction n as [|n IH]; simpl; [apply Ex_const|]. rewrite Ex_add, IH. reflexivity. Qed.
Lemma Ex_at_most f c : (forall o, possible m o -> f o <= c) -> Ex m f <= c.
Proof. intro H. rewrite <- (Ex_const c). apply Ex_le. assumption. Qed.
Lemma Ex_at_least f c : (forall o, possible m o -> c <= f o) -> c <= Ex m f.
Proof. intro H. rewrite <- (Ex_const c). apply Ex_le. assumption. Qed.
Lemma Ex_nonneg f : (forall o, possible m o -> 0 <= f o) -> 0 <= Ex m f.
Proof. apply Ex_at_least. Qed.
(* Something is possible. *)
Lemma not_impossible : ~ forall o, ~ possible m o.
Proof.
  intro H. assert (K : Ex m (fun _ => 1) <= 0) by (apply Ex_at_most; intros o P; destruct (H o P)).
  rewrite Ex_one in K. lra.
Qed.
End Rules.

(* ---- Laws ---- *)

(* One outcome, for sure. *)
Definition sure {O} (o : O) : mean O.
Proof.
  refine {| possible := fun o' => o' = o; Ex := fun f => f o |}; intros; auto.
Defined.

(* The average over a list; that of an empty list is taken at a default. *)
Fixpoint list_sum {O} (l : list O) (f : O -> R) : R :=
  match l with [] => 0 | o :: l' => f o + list_sum l' f end.
Lemma list_sum_add {O} (l : list O) f g : list_sum l (fun o => f o + g o) = list_sum l f
  + list_sum l g.
Proof. induction l as [|o l IH]; simpl; [lra|]. rewrite IH. lra. Qed.
Lemma list_sum_mul {O} (l : list O) c f : list_sum l (fun o => c * f o) = c * list_sum l f.
Proof. induction l as [|o l IH]; simpl; [lra|]. rewrite IH. lra. Qed.
Lemma list_sum_one {O} (l : list O) : list_sum l (fun _ => 1) = INR (length l).
Proof. induction l as [|o l IH]; [reflexivity|]. cbn [list_sum length]. rewrite IH, S_INR. lra. Qed.
Lemma list_sum_le {O} (l : list O) f g :
  (forall o, In o l -> f o <= g o) -> list_sum l f <= list_sum l g.
Proof.
  induction l as [|o l IH]; simpl; intro H; [lra|].
  assert (f o <= g o) by (apply H; auto). assert (list_sum l f <= list_sum l g) by (apply IH; auto).
  lra.
Qed.
Lemma list_sum_ext {O} (l : list O) f g :
  (forall o, In o l -> f o = g o) -> list_sum l f = list_sum l g.
Proof. intro H. apply Rle_antisym; apply list_sum_le; intros o P; rewrite H by assumption; lra. Qed.
Lemma list_sum_app {O} (l k : list O) f : list_sum (l ++ k) f = list_sum l f + list_sum k f.
Proof. induction l as [|o l IH]; simpl; [lra|]. rewrite IH. lra. Qed.
Lemma list_sum_map {O O'} (h : O' -> O) l f : list_sum (map h l) f = list_sum l (fun o => f (h o)).
Proof. induction l as [|o l IH]; simpl; [reflexivity|]. rewrite IH. reflexivity. Qed.
Lemma list_sum_seq n f : list_sum (seq 0 n) f = sum n f.
Proof.
  induction n as [|n IH]; [reflexivity|]. rewrite seq_S, list_sum_app, IH. simpl. lra.
Qed.
Lemma list_sum_filter {O} p (l : list O) f :
  list_sum (filter p l) f = list_sum l (fun o => (if p o then 1 else 0) * f o).
Proof. induction l as [|o l IH]; simpl; [reflexivity|]. destruct (p o); simpl; rewrite IH; lra. Qed.

Lemma length_pos {O} (l : list O) : l <> [] -> 0 < INR (length l).
Proof. intro H. apply lt_0_INR. destruct l; [contradiction|simpl; lia]. Qed.
Definition average_of {O} (l : list O) (H : l <> []) : mean O.
Proof.
  refine {| possible := fun o => In o l; Ex := fun f => / INR (length l) * list_sum l f |}.
  - intros. rewrite list_sum_add. ring.
  - intros. rewrite list_sum_mul. ring.
  - rewrite list_sum_one. apply Rinv_l. pose proof (length_pos l H). lra.
  - intros f g K. apply Rmult_le_compat_l; [|apply list_sum_le, K].
    left. apply Rinv_0_lt_compat, length_pos, H.
Defined.
Definition average {O} (default : O) (l : list O) : mean O :=
  match l with [] => sure default | o :: l' => average_of (o :: l') (fun e => nil_cons (eq_sym e))
    end.
Lemma average_is {O} (d : O) l f : l <> [] -> Ex (average d l) f = / INR (length l) * list_sum l f.
Proof. destruct l; [contradiction|reflexivity]. Qed.
Lemma average_possible {O} (d : O) l o : l <> [] -> possible (average d l) o <-> In o l.
Proof. destruct l; [contradiction|]. intros _. split; auto. Qed.

(* An index below n, all alike. *)
Definition index (n : nat) : mean nat := average O (seq 0 n).
Lemma seq_nonempty n : (1 <= n)%nat -> seq 0 n <> [].
Proof. intros H e. apply (f_equal (@length nat)) in e. rewrite seq_length in e. simpl in e. lia.
Qed.
Lemma Ex_index n f : (1 <= n)%nat -> Ex (index n) f = / INR n * sum n f.
Proof.
  intro H. unfold index. rewrite average_is by (apply seq_nonempty, H).
  rewrite seq_length, list_sum_seq. reflexivity.
Qed.
Lemma index_possible n i : (1 <= n)%nat -> possible (index n) i -> (i < n)%nat.
Proof.
  intros H P. apply average_possible in P; [|apply seq_nonempty, H]. apply in_seq in P. lia.
Qed.

(* Draw o, then o' from a law that may depend on o; keep what k makes of both. *)
Definition bind {O O'} (m : mean O) (k : O -> mean O') : mean O'.
Proof.
  refine {| possible := fun o' => exists o, possible m o /\ possible (k o) o';
            Ex := fun f => Ex m (fun o => Ex (k o) f) |}.
  - intros. rewrite <- Ex_add. apply Ex_ext. intros. apply Ex_add.
  - intros. rewrite <- Ex_mul. apply Ex_ext. intros. apply Ex_mul.
  - rewrite (Ex_ext _ _ (fun _ => 1)) by (intros; apply Ex_one). apply Ex_one.
  - intros f g H. apply Ex_le. intros o P. apply Ex_le. intros o' P'. apply H. eauto.
Defined.
Lemma Ex_bind {O O'} (m : mean O) (k : O -> mean O') f : Ex (bind m k) f = Ex m (fun o => Ex (k o)
  f).
Proof. reflexivity. Qed.

(* T draws, each from a law that may depend on those before it;
  the last one is the head of the list. *)
Fixpoint history_of {O} (law : list O -> mean O) (T : nat) : mean (list O) :=
  match T with
  | 0%nat => sure []
  | S T' => bind (history_of law T') (fun past => bind (law past) (fun o => sure (o :: past)))
  end.
(* T independent draws from one law. *)
Definition history {O} (m : mean O) (T : nat) : mean (list O) := history_of (fun _ => m) T.

Lemma Ex_history_of_O {O} (law : list O -> mean O) f : Ex (history_of law 0) f = f [].
Proof. reflexivity. Qed.
Lemma Ex_history_of_S {O} (law : list O -> mean O) T f :
  Ex (history_of law (S T)) f = Ex (history_of law T) (fun past => Ex (law past)
    (fun o => f (o :: past))).
Proof. reflexivity. Qed.
Lemma Ex_history_O {O} (m : mean O) f : Ex (history m 0) f = f [].
Proof. reflexivity. Qed.
Lemma Ex_history_S {O} (m : mean O) T f :
  Ex (history m (S T)) f = Ex (history m T) (fun past => Ex m (fun o => f (o :: past))).
Proof. reflexivity. Qed.
Lemma history_of_possible {O} (law : list O -> mean O) T o past :
  possible (history_of law (S T)) (o :: past) <-> possible (history_of law T)
    past /\ possible (law past) o.
Proof.
  split.
  - intros [past' [P [o' [P' e]]]]. injection e. intros. subst. auto.
  - intros [P P']. exists past. split; [assumption|]. exists o. split; [assumption|reflexivity].
Qed.
Lemma history_possible {O} (m : mean O) T o past :
  possible (history m (S T)) (o :: past) <-> possible (history m T) past /\ possible m o.
Proof. apply history_of_possible. Qed.
Lemma history_of_length {O} (law : list O -> mean O) T past :
  possible (history_of law T) past -> length past = T.
Proof.
  revert past. induction T as [|T IH]; intros past P; [simpl in P; subst; reflexivity|].
  destruct past as [|o past].
  - destruct P as [past' [P [o' [P' e]]]]. discriminate.
  - apply history_of_possible in P. simpl. rewrite IH; tauto.
Qed.
Lemma history_length {O} (m : mean O) T past : possible (history m T) past -> length past = T.
Proof. apply history_of_length. Qed.
Lemma history_forall {O} (m : mean O) T past :
  possible (history m T) past -> Forall (possible m) past.
Proof.
  revert past. induction T as [|T IH]; intros past P; [simpl in P; subst; constructor|].
  destruct past as [|o past]; [constructor|]. apply history_possible in P. constructor; [tauto|].
  apply IH. tauto.
Qed.

(* The part of a history up to time t. *)
Definition at_time {O} (t : nat) (past : list O) : list O := skipn (length past - t) past.
Lemma at_time_all {O} (past : list O) : at_time (length past) past = past.
Proof. unfold at_time. rewrite Nat.sub_diag. reflexivity. Qed.
Lemma at_time_before {O} t (o : O) past : (t <= length past)%nat -> at_time t (o :: past)
  = at_time t past.
Proof.
  intro H. unfold at_time. simpl length. rewrite Nat.sub_succ_l by assumption. reflexivity.
Qed.
(* What is known at time t does not depend on the draws after it. *)
Lemma Ex_history_at {O} (law : list O -> mean O) t T f : (t <= T)%nat ->
  Ex (history_of law T) (fun past => f (at_time t past)) = Ex (history_of law t) f.
Proof.
  induction T as [|T IH]; intro H; [replace t with 0%nat by lia; reflexivity|].
  destruct (Nat.eq_dec t (S T)) as [e|e].
  - subst. apply Ex_ext. intros past P. apply history_of_length in P. rewrite <- P, at_time_all.
    reflexivity.
  - rewrite <- IH by lia. rewrite Ex_history_of_S. apply Ex_ext. intros past P.
    apply history_of_length in P. rewrite <- (Ex_const (law past) (f (at_time t past))).
    apply Ex_ext. intros o _. rewrite at_time_before by lia. reflexivity.
Qed.

(* Independent draws for the indices below n, each from its own law;
  those from n on are a default. *)
Fixpoint family {O} (default : O) (n : nat) (law : nat -> mean O) : mean (nat -> O) :=
  match n with
  | 0%nat => sure (fun _ => default)
  | S m => bind (family default m law) (fun a => bind (law m) (fun o =>
      sure (fun i => if Nat.eqb i m then o else a i)))
  end.
Lemma family_possible {O} (d : O) n law a i :
  possible (family d n law) a -> (i < n)%nat -> possible (law i) (a i).
Proof.
  revert a. induction n as [|n IH]; intros a P Hi; [lia|].
  destruct P as [a' [P [o [P' e]]]]. simpl in e. subst a. destruct (Nat.eqb_spec i n) as [e|e].
  - subst. assumption.
  - apply IH; [assumption|lia].
Qed.
(* The mean of what depends on one member, and of a product of functions of two. *)
Lemma Ex_family_one {O} (d : O) n law i (f : O -> R) : (i < n)%nat ->
  Ex (family d n law) (fun a => f (a i)) = Ex (law i) f.
Proof.
  induction n as [|n IH]; intro Hi; [lia|]. simpl. destruct (Nat.eqb_spec i n) as [e|e].
  - subst. rewrite (Ex_ext _ _ (fun _ => Ex (law n) f)) by reflexivity. apply Ex_const.
  - rewrite (Ex_ext _ _ (fun a => f (a i))) by (intros; apply Ex_const). apply IH. lia.
Qed.
Lemma Ex_family_two {O} (d : O) n law i j (f g : O -> R) : (i < n)%nat -> (j < n)%nat -> i <> j ->
  Ex (family d n law) (fun a => f (a i) * g (a j)) = Ex (law i) f * Ex (law j) g.
Proof.
  induction n as [|n IH]; intros Hi Hj N; [lia|]. simpl.
  destruct (Nat.eqb_spec i n) as [e|e], (Nat.eqb_spec j n) as [e'|e']; try (subst; lia).
  - subst. rewrite (Ex_ext _ _ (fun a => Ex (law n) f * g (a j))).
    + rewrite Ex_mul, Ex_family_one by lia. reflexivity.
    + intros a _. rewrite (Ex_ext _ _ (fun o => g (a j) * f o)) by (intros; ring). rewrite Ex_mul.
      ring.
  - subst. rewrite (Ex_ext _ _ (fun a => Ex (law n) g * f (a i))).
    + rewrite Ex_mul, Ex_family_one by lia. ring.
    + intros. rewrite Ex_mul. ring.
  - rewrite (Ex_ext _ _ (fun a => f (a i) * g (a j))) by (intros; apply Ex_const). apply IH; lia.
Qed.

(* ---- Probabilities ---- *)

Definition probability {O} (m : mean O) (A : O -> bool) : R := Ex m (fun o => if A o then 1 else 0).
(* At some time in the history of a run, its beginning included. *)
Fixpoint ever {O} (A : list O -> bool) (past : list O) : bool :=
  A past || match past with [] => false | _ :: before => ever A before end.

Lemma probability_bounds {O} (m : mean O) A : 0 <= probability m A <= 1.
Proof.
  unfold probability. split; [apply Ex_nonneg|apply Ex_at_most]; intros o _; destruct (A o); lra.
Qed.
Lemma probability_le {O} (m : mean O) A B :
  (forall o, possible m o -> A o = true -> B o = true) -> probability m A <= probability m B.
Proof.
  intro H. apply Ex_le. intros o P. specialize (H o P). destruct (A o); [|destruct (B o); lra].
  rewrite (H eq_refl). lra.
Qed.
Lemma probability_or {O} (m : mean O) A B :
  probability m (fun o => A o || B o) <= probability m A + probability m B.
Proof.
  unfold probability. rewrite <- Ex_add. apply Ex_le. intros o _. destruct (A o), (B o); simpl; lra.
Qed.
(* Markov's inequality. *)
Lemma markov {O} (m : mean O) (f : O -> R) (A : O -> bool) c :
  0 < c -> (forall o, possible m o -> 0 <= f o) -> (forall o, possible m o -> A o = true -> c
    <= f o) ->
  probability m A <= Ex m f / c.
Proof.
  intros C P H. apply Rmult_le_reg_l with c; [assumption|].
  replace (c * (Ex m f / c)) with (Ex m f) by (field; lra). unfold probability. rewrite <- Ex_mul.
  apply Ex_le. intros o Q. specialize (P o Q). specialize (H o Q). destruct (A o); [|lra].
  specialize (H eq_refl). lra.
Qed.
