(* The means that rationals.v computes are those of the theorems: where a quantity over the reals
   is, for every outcome, the real number of a rational one, so is its mean [sledge_law],
   [fledge_law]. A run over the rationals is one over the reals (sledge_morphism, fledge_morphism in
   algorithms.v). *)
From Coq Require Import Reals Lra List PeanoNat QArith Qreduction Qreals.
From Sledge Require Import vectors means minibatches algorithms rationals.
Import ListNotations.
Open Scope R_scope.

Definition same_mean {O} (m : mean O) (q : rational_mean O) : Prop :=
  forall (f : O -> R) (g : O -> Q), (forall o, f o = Q2R (g o)) -> Ex m f = Q2R (q g).

Lemma Q2R_red a : Q2R (Qred a) = Q2R a.
Proof. apply Qeq_eqR, Qred_correct. Qed.
Lemma Q2R_nat k : Q2R (inject_Z (Z.of_nat k)) = INR k.
Proof. rewrite INR_IZR_INZ. unfold Q2R, inject_Z. simpl. rewrite Rinv_1. ring. Qed.
Lemma same_sure {O} (o : O) : same_mean (sure o) (q_sure o).
Proof. intros f g H. apply H. Qed.
Lemma same_bind {O O'} (m : mean O) (q : rational_mean O) (k : O -> mean O') (k' : O -> rational_mean O') :
  same_mean m q -> (forall o, same_mean (k o) (k' o)) -> same_mean (bind m k) (q_bind q k').
Proof. intros Hm Hk f g H. rewrite Ex_bind. apply Hm. intro o. apply (Hk o), H. Qed.
Lemma same_sum {O} (l : list O) (f : O -> R) (g : O -> Q) :
  (forall o, f o = Q2R (g o)) -> list_sum l f = Q2R (q_sum l g).
Proof.
  intro H. induction l as [|o l IH]; [simpl; unfold Q2R; simpl; lra|].
  cbn [list_sum]. unfold q_sum in *. cbn [fold_right]. rewrite Q2R_red, Q2R_plus, <- IH, H. reflexivity.
Qed.
Lemma same_average {O} (d : O) l : same_mean (average d l) (q_average d l).
Proof.
  intros f g H. destruct l as [|o l]; [apply H|]. rewrite average_is by discriminate.
  unfold q_average. rewrite Q2R_red. unfold Qdiv. rewrite Q2R_mult, Q2R_inv.
  - rewrite Q2R_nat, <- (same_sum (o :: l) f g H). ring.
  - intro e. apply Qeq_eqR in e. rewrite Q2R_nat in e. pose proof (length_pos (o :: l) ltac:(discriminate)) as L.
    rewrite e in L. unfold Q2R in L. simpl in L. lra.
Qed.
Lemma same_history {O} (m : mean O) q T : same_mean m q -> same_mean (history m T) (q_history q T).
Proof.
  intro H. induction T as [|T IH]; [apply same_sure|].
  apply (same_bind (history m T) (q_history q T)); [exact IH|]. intro past. apply same_bind; [exact H|].
  intro o. apply same_sure.
Qed.
Lemma same_family {O} (d : O) n law law' : (forall i, same_mean (law i) (law' i)) ->
  same_mean (family d n law) (q_family d n law').
Proof.
  intro H. induction n as [|n IH]; [apply same_sure|].
  apply (same_bind (family d n law) (q_family d n law')); [exact IH|]. intro a. apply same_bind; [apply H|].
  intro o. apply same_sure.
Qed.

Theorem sledge_law n b T : same_mean (sledge_history n b T) (q_sledge_history n b T).
Proof. apply same_history, same_average. Qed.
Theorem fledge_law P p K b data T : same_mean (fledge_history P p K b data T) (q_fledge_history P p K b data T).
Proof.
  apply same_history. apply same_bind; [apply same_average|]. intro i.
  apply same_bind; [apply same_history, same_average|]. intro Js.
  apply same_bind; [apply same_average|]. intro I.
  apply same_bind; [apply same_family; intro; apply same_average|]. intro J. apply same_sure.
Qed.
