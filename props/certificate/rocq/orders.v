(* Formulas up to constants: what the least of some monomials is at most, up to a constant, by weights. *)
From Coq Require Import Reals Lra List QArith Qreals Lia ZArith Bool.
Import ListNotations.
Open Scope R_scope.
Arguments Qred : simpl never.
Arguments Qplus : simpl never.
Arguments Qmult : simpl never.
Arguments Q2R : simpl never.

Definition Rceil (x : R) : R := IZR (- Int_part (- x)).

Inductive expr :=
  | Var (i : nat) | Int (p : positive) | Add (a b : expr) | Mul (a b : expr) | Quo (a b : expr)
  | Sqrt (a : expr) | Max (a b : expr) | Min (a b : expr) | Pow (a : expr) (n : nat)
  | Root (a : expr) (z : Z) (p : positive) | Ceil (a : expr).

Fixpoint eval (e : expr) (x : nat -> R) : R := match e with
  | Var i => x i
  | Int p => IZR (Zpos p)
  | Add a b => eval a x + eval b x
  | Mul a b => eval a x * eval b x
  | Quo a b => eval a x / eval b x
  | Sqrt a => sqrt (eval a x)
  | Max a b => Rmax (eval a x) (eval b x)
  | Min a b => Rmin (eval a x) (eval b x)
  | Pow a n => eval a x ^ n
  | Root a z p => Rpower (eval a x) (IZR z / IZR (Zpos p))
  | Ceil a => Rceil (eval a x)
  end.

(* The logarithm of a formula, up to a constant, in the logarithms of its variables. *)
Fixpoint v (e : expr) (y : nat -> R) : R := match e with
  | Var i => y i
  | Int p => 0
  | Add a b | Max a b => Rmax (v a y) (v b y)
  | Min a b => Rmin (v a y) (v b y)
  | Mul a b => v a y + v b y
  | Quo a b => v a y - v b y
  | Sqrt a => Q2R (1 # 2) * v a y
  | Pow a n => Q2R (Z.of_nat n # 1) * v a y
  | Root a z p => Q2R (z # p) * v a y
  | Ceil a => Rmax (v a y) 0
  end.

Lemma ceil_bounds x : 0 < x -> Rmax x 1 <= Rceil x <= 2 * Rmax x 1.
Proof.
  intro Hx. unfold Rceil. destruct (base_Int_part (- x)) as [H1 H2]. rewrite opp_IZR.
  assert (H : 1 <= - IZR (Int_part (- x))).
  { rewrite <- opp_IZR. apply IZR_le.
    assert (Int_part (- x) < 0)%Z by (apply lt_IZR; lra). lia. }
  split.
  - apply Rmax_lub; lra.
  - pose proof (Rmax_l x 1). pose proof (Rmax_r x 1). lra.
Qed.

Lemma ln_max a b : 0 < a -> 0 < b -> ln (Rmax a b) = Rmax (ln a) (ln b).
Proof.
  intros Ha Hb. destruct (Rle_dec a b) as [H|H].
  - rewrite Rmax_right by lra. destruct H as [H|H]; [|subst; rewrite Rmax_left; lra].
    pose proof (ln_increasing a b Ha H). rewrite Rmax_right; lra.
  - pose proof (ln_increasing b a Hb ltac:(lra)). rewrite !Rmax_left; lra.
Qed.

Lemma ln_min a b : 0 < a -> 0 < b -> ln (Rmin a b) = Rmin (ln a) (ln b).
Proof.
  intros Ha Hb. destruct (Rle_dec a b) as [H|H].
  - rewrite Rmin_left by lra. destruct H as [H|H]; [|subst; rewrite Rmin_left; lra].
    pose proof (ln_increasing a b Ha H). rewrite Rmin_left; lra.
  - pose proof (ln_increasing b a Hb ltac:(lra)). rewrite !Rmin_right; lra.
Qed.

Lemma ln_le a b : 0 < a -> a <= b -> ln a <= ln b.
Proof. intros Ha [H|H]; [left; apply ln_increasing; lra | subst; lra]. Qed.

Definition near (K a b : R) := a <= b + K /\ b <= a + K.

Lemma near_max K1 K2 a a' b b' : 0 <= K1 -> 0 <= K2 -> near K1 a a' -> near K2 b b' ->
  near (K1 + K2) (Rmax a b) (Rmax a' b').
Proof. unfold near. intros. split; unfold Rmax; repeat destruct Rle_dec; lra. Qed.

Lemma near_min K1 K2 a a' b b' : 0 <= K1 -> 0 <= K2 -> near K1 a a' -> near K2 b b' ->
  near (K1 + K2) (Rmin a b) (Rmin a' b').
Proof. unfold near. intros. split; unfold Rmin; repeat destruct Rle_dec; lra. Qed.

Lemma near_scale K q a b : 0 <= K -> near K a b -> near (Rabs q * K) (q * a) (q * b).
Proof.
  unfold near. intros HK [H1 H2]. unfold Rabs. destruct (Rcase_abs q) as [Hq|Hq]; split; nra.
Qed.

Definition positive_at (x : nat -> R) := forall i, 0 < x i.
Definition logs (x : nat -> R) : nat -> R := fun i => ln (x i).

Lemma ln_pow_nat a n : 0 < a -> ln (a ^ n) = INR n * ln a.
Proof.
  intro Ha. induction n.
  - simpl. rewrite ln_1. lra.
  - rewrite S_INR. simpl pow. rewrite ln_mult; [|lra|apply pow_lt; lra]. rewrite IHn. lra.
Qed.

Lemma approximate e : exists K, 0 <= K /\
  forall x, positive_at x -> 0 < eval e x /\ near K (ln (eval e x)) (v e (logs x)).
Proof.
  assert (L2 : 0 < ln 2) by (rewrite <- ln_1; apply ln_increasing; lra).
  induction e as [i|p|a [K1 [P1 H1]] b [K2 [P2 H2]]|a [K1 [P1 H1]] b [K2 [P2 H2]]|a [K1 [P1 H1]] b [K2 [P2 H2]]
    |a [K1 [P1 H1]]|a [K1 [P1 H1]] b [K2 [P2 H2]]|a [K1 [P1 H1]] b [K2 [P2 H2]]|
    a [K1 [P1 H1]] n|a [K1 [P1 H1]] z p|a [K1 [P1 H1]]].
  - exists 0. split; [lra|]. intros x Hx. simpl. unfold near, logs. split; [apply Hx|lra].
  - exists (Rabs (ln (IZR (Zpos p)))). split; [apply Rabs_pos|]. intros x Hx. simpl. split; [apply IZR_lt; lia|].
    unfold near. pose proof (Rle_abs (ln (IZR (Zpos p)))). pose proof (Rle_abs (- ln (IZR (Zpos p)))).
    rewrite Rabs_Ropp in *. lra.
  - exists (K1 + K2 + ln 2). split; [lra|]. intros x Hx. simpl. destruct (H1 x Hx) as [A1 A2], (H2 x Hx) as [B1 B2].
    split; [lra|]. destruct (near_max _ _ _ _ _ _ P1 P2 A2 B2) as [C1 C2]. rewrite <- ln_max in C1, C2 by assumption.
    pose proof (Rmax_l (eval a x) (eval b x)). pose proof (Rmax_r (eval a x) (eval b x)).
    assert (ln (Rmax (eval a x) (eval b x)) <= ln (eval a x + eval b x)).
    { apply ln_le; [lra|]. unfold Rmax. destruct Rle_dec; lra. }
    assert (ln (eval a x + eval b x) <= ln (2 * Rmax (eval a x) (eval b x))) by (apply ln_le; lra).
    rewrite ln_mult in * by lra. unfold near. lra.
  - exists (K1 + K2). split; [lra|]. intros x Hx. simpl. destruct (H1 x Hx) as [A1 A2], (H2 x Hx) as [B1 B2].
    split; [apply Rmult_lt_0_compat; lra|]. rewrite ln_mult by lra. unfold near in *. lra.
  - exists (K1 + K2). split; [lra|]. intros x Hx. simpl. destruct (H1 x Hx) as [A1 A2], (H2 x Hx) as [B1 B2].
    split; [apply Rdiv_lt_0_compat; lra|]. unfold Rdiv. rewrite ln_mult; [|lra|apply Rinv_0_lt_compat; lra].
    rewrite ln_Rinv by lra. unfold near in *. lra.
  - exists (Rabs (Q2R (1 # 2)) * K1). split; [apply Rmult_le_pos; [apply Rabs_pos|lra]|]. intros x Hx. simpl.
    destruct (H1 x Hx) as [A1 A2]. split; [apply sqrt_lt_R0; lra|].
    replace (ln (sqrt (eval a x))) with (Q2R (1 # 2) * ln (eval a x)); [apply near_scale; assumption|].
    pose proof (sqrt_lt_R0 _ A1). rewrite <- (sqrt_sqrt (eval a x)) at 1 by lra. rewrite ln_mult by lra.
    unfold Q2R. simpl. lra.
  - exists (K1 + K2). split; [lra|]. intros x Hx. simpl. destruct (H1 x Hx) as [A1 A2], (H2 x Hx) as [B1 B2].
    split; [unfold Rmax; destruct Rle_dec; lra|]. rewrite ln_max by assumption. apply near_max; assumption.
  - exists (K1 + K2). split; [lra|]. intros x Hx. simpl. destruct (H1 x Hx) as [A1 A2], (H2 x Hx) as [B1 B2].
    split; [unfold Rmin; destruct Rle_dec; lra|]. rewrite ln_min by assumption. apply near_min; assumption.
  - exists (Rabs (Q2R (Z.of_nat n # 1)) * K1). split; [apply Rmult_le_pos; [apply Rabs_pos|lra]|]. intros x Hx. simpl.
    destruct (H1 x Hx) as [A1 A2]. split; [apply pow_lt; lra|]. rewrite ln_pow_nat by lra.
    replace (INR n) with (Q2R (Z.of_nat n # 1)) by (unfold Q2R; simpl; rewrite INR_IZR_INZ; field).
    apply near_scale; assumption.
  - exists (Rabs (Q2R (z # p)) * K1). split; [apply Rmult_le_pos; [apply Rabs_pos|lra]|]. intros x Hx. simpl.
    destruct (H1 x Hx) as [A1 A2]. split; [unfold Rpower; apply exp_pos|]. unfold Rpower. rewrite ln_exp.
    replace (IZR z / IZR (Zpos p)) with (Q2R (z # p)) by (unfold Q2R; simpl; reflexivity). apply near_scale; assumption.
  - exists (K1 + ln 2). split; [lra|]. intros x Hx. simpl. destruct (H1 x Hx) as [A1 A2].
    destruct (ceil_bounds _ A1) as [B1 B2]. pose proof (Rmax_r (eval a x) 1).
    split; [lra|].
    assert (C1 : ln (Rmax (eval a x) 1) <= ln (Rceil (eval a x))) by (apply ln_le; lra).
    assert (C2 : ln (Rceil (eval a x)) <= ln (2 * Rmax (eval a x) 1)) by (apply ln_le; lra).
    rewrite ln_mult in C2 by lra. rewrite ln_max in * by lra. rewrite ln_1 in *.
    assert (D : near (K1 + 0) (Rmax (ln (eval a x)) 0) (Rmax (v a (logs x)) 0))
      by (apply near_max; unfold near in *; lra).
    unfold near in *. lra.
Qed.

(* Linear forms in the logarithms. *)
Definition mono := list Q.
Fixpoint dot (m : mono) (y : nat -> R) : R := match m with
  | [] => 0
  | q :: m' => Q2R q * y O + dot m' (fun i => y (S i))
  end.
Fixpoint plus (a b : mono) : mono := match a, b with
  | [], _ => b | _, [] => a
  | p :: a', q :: b' => Qred (p + q) :: plus a' b'
  end.
Definition scale (q : Q) (m : mono) : mono := map (fun p => Qred (q * p)) m.

Lemma Q2R_red q : Q2R (Qred q) = Q2R q.
Proof. apply Qeq_eqR, Qred_correct. Qed.

Lemma dot_plus a : forall b y, dot (plus a b) y = dot a y + dot b y.
Proof.
  induction a as [|p a IH]; intros [|q b] y; simpl; try lra. rewrite IH, Q2R_red, Q2R_plus. lra.
Qed.

Lemma dot_scale q m : forall y, dot (scale q m) y = Q2R q * dot m y.
Proof. induction m as [|p m IH]; intro y; simpl; [lra|]. unfold scale in IH. rewrite IH, Q2R_red, Q2R_mult. lra. Qed.

Fixpoint unit (i : nat) : mono := match i with O => [1%Q] | S j => 0%Q :: unit j end.

Lemma dot_unit i : forall y, dot (unit i) y = y i.
Proof. induction i as [|i IH]; intro y; simpl; [|rewrite IH]; unfold Q2R; simpl; lra. Qed.

Definition pairs {A B C} (f : A -> B -> C) (l : list A) (m : list B) : list C := flat_map (fun a => map (f a) m) l.

Lemma in_pairs {A B C} (f : A -> B -> C) l m c : In c (pairs f l m) <-> exists a b, In a l /\ In b m /\ c = f a b.
Proof.
  unfold pairs. rewrite in_flat_map. split.
  - intros [a [Ha H]]. apply in_map_iff in H. destruct H as [b [E Hb]]. exists a, b. auto.
  - intros [a [b [Ha [Hb E]]]]. exists a. split; [assumption|]. apply in_map_iff. exists b. auto.
Qed.

(* Bounds of v from above (up = true) by the largest of least forms, and from below by the least of largest forms. *)
Fixpoint nf (up : bool) (e : expr) : list (list mono) := match e with
  | Var i => [[unit i]]
  | Int _ => [[ [] ]]
  | Add a b | Max a b => if up then nf up a ++ nf up b else pairs (@app mono) (nf up a) (nf up b)
  | Min a b => if up then pairs (@app mono) (nf up a) (nf up b) else nf up a ++ nf up b
  | Mul a b => pairs (pairs plus) (nf up a) (nf up b)
  | Quo a b => pairs (pairs plus) (nf up a) (map (map (scale (-1))) (nf (negb up) b))
  | Sqrt a => map (map (scale (1 # 2))) (nf up a)
  | Pow a n => map (map (scale (Z.of_nat n # 1))) (nf up a)
  | Root a z p => map (map (scale (z # p))) (nf (if Z.leb 0 z then up else negb up) a)
  | Ceil a => if up then nf up a ++ [[ [] ]] else pairs (@app mono) (nf up a) [[ [] ]]
  end.

Definition side (up : bool) (a b : R) := if up then a <= b else b <= a.

Definition bounded (up : bool) (e : expr) y := exists g, In g (nf up e) /\
  forall m, In m g -> side up (v e y) (dot m y).

Lemma bounded_scale up q (l : list (list mono)) w y :
  (exists g, In g l /\ forall m, In m g -> side (if Qle_bool 0 q then up else negb up) w (dot m y)) ->
  exists g, In g (map (map (scale q)) l) /\ forall m, In m g -> side up (Q2R q * w) (dot m y).
Proof.
  intros [g [Hg H]]. exists (map (scale q) g). split; [apply in_map; assumption|].
  intros m Hm. apply in_map_iff in Hm. destruct Hm as [m' [E Hm]]. subst m. rewrite dot_scale. specialize (H m' Hm).
  destruct (Qle_bool 0 q) eqn:Eq.
  - apply Qle_bool_iff in Eq. apply Qle_Rle in Eq. unfold Q2R at 1 in Eq. simpl in Eq.
    assert (0 <= Q2R q) by lra. destruct up; simpl in *; nra.
  - assert (Hq : ~ (0 <= q)%Q) by (intro H0; apply Qle_bool_iff in H0; congruence).
    apply Qnot_le_lt in Hq. apply Qlt_Rlt in Hq. unfold Q2R at 2 in Hq. simpl in Hq.
    assert (Q2R q < 0) by lra. destruct up; simpl in *; nra.
Qed.

Lemma app_bound up (la lb : list (list mono)) wa wb w y : (side up w wa) -> (side up w wb) ->
  (exists g, In g la /\ forall m, In m g -> side up wa (dot m y)) ->
  (exists g, In g lb /\ forall m, In m g -> side up wb (dot m y)) ->
  exists g, In g (pairs (@app mono) la lb) /\ forall m, In m g -> side up w (dot m y).
Proof.
  intros Sa Sb [g [Hg H]] [h [Hh K]]. exists (g ++ h). split; [apply in_pairs; exists g, h; auto|].
  intros m Hm. apply in_app_or in Hm. destruct Hm as [Hm|Hm]; [specialize (H m Hm)|specialize (K m Hm)];
    destruct up; simpl in *; lra.
Qed.

Lemma either_bound up (la lb : list (list mono)) wa wb w y : (side up w wa) \/ (side up w wb) ->
  (exists g, In g la /\ forall m, In m g -> side up wa (dot m y)) ->
  (exists g, In g lb /\ forall m, In m g -> side up wb (dot m y)) ->
  exists g, In g (la ++ lb) /\ forall m, In m g -> side up w (dot m y).
Proof.
  intros S [g [Hg H]] [h [Hh K]]. destruct S as [S|S]; [exists g|exists h]; (split; [apply in_or_app; auto|]);
    intros m Hm; [specialize (H m Hm)|specialize (K m Hm)]; destruct up; simpl in *; lra.
Qed.

Lemma sum_bound up (la lb : list (list mono)) wa wb y :
  (exists g, In g la /\ forall m, In m g -> side up wa (dot m y)) ->
  (exists g, In g lb /\ forall m, In m g -> side up wb (dot m y)) ->
  exists g, In g (pairs (pairs plus) la lb) /\ forall m, In m g -> side up (wa + wb) (dot m y).
Proof.
  intros [g [Hg H]] [h [Hh K]]. exists (pairs plus g h). split; [apply in_pairs; exists g, h; auto|].
  intros m Hm. apply in_pairs in Hm. destruct Hm as [a [b [Ha [Hb E]]]]. subst m. rewrite dot_plus.
  specialize (H a Ha). specialize (K b Hb). destruct up; simpl in *; lra.
Qed.

Lemma zero_bound up w y : w = 0 -> exists g, In g [[ [] ]] /\ forall m : mono, In m g -> side up w (dot m y).
Proof. intro E. exists [ [] ]. split; [left; reflexivity|]. intros m [Hm|[]]. subst. destruct up; simpl; lra. Qed.

Lemma normal e : forall up y, bounded up e y.
Proof.
  induction e as [i|p|a IHa b IHb|a IHa b IHb|a IHa b IHb|a IHa|a IHa b IHb|a IHa b IHb|a IHa n|a IHa z p|a IHa];
    intros up y; unfold bounded; simpl.
  - exists [unit i]. split; [left; reflexivity|]. intros m [Hm|[]]. subst. rewrite dot_unit. destruct up; simpl; lra.
  - apply zero_bound. reflexivity.
  - destruct up; [eapply either_bound|eapply app_bound]; try apply IHa; try apply IHb; simpl; unfold Rmax;
    destruct Rle_dec; lra.
  - apply sum_bound; [apply IHa|apply IHb].
  - unfold Rminus. apply sum_bound; [apply IHa|]. replace (- v b y) with (Q2R (-1) * v b y) by (unfold Q2R; simpl; lra).
    apply bounded_scale. simpl. apply IHb.
  - apply bounded_scale. simpl. apply IHa.
  - destruct up; [eapply either_bound|eapply app_bound]; try apply IHa; try apply IHb; simpl; unfold Rmax;
    destruct Rle_dec; lra.
  - destruct up; [eapply app_bound|eapply either_bound]; try apply IHa; try apply IHb; simpl; unfold Rmin;
    destruct Rle_dec; lra.
  - apply bounded_scale. replace (Qle_bool 0 (Z.of_nat n # 1)) with true; [apply IHa|].
    symmetry. apply Qle_bool_iff. unfold Qle. simpl. lia.
  - apply bounded_scale. replace (Qle_bool 0 (z # p)) with (Z.leb 0 z); [apply IHa|].
    unfold Qle_bool. simpl. f_equal. lia.
  - destruct up.
    + eapply either_bound with (wb := 0); [|apply IHa|apply zero_bound; reflexivity]. simpl.
      unfold Rmax; destruct Rle_dec; lra.
    + eapply app_bound with (wb := 0); [| |apply IHa|apply zero_bound; reflexivity]; simpl; unfold Rmax;
      destruct Rle_dec; lra.
Qed.

(* The domain: a <= b for pairs of formulas; in logarithms, rows that are bounded, of which there may be
   alternatives. *)
Definition domain := list (expr * expr).
Fixpoint holds (d : domain) (x : nat -> R) : Prop := match d with
  | [] => True
  | (a, b) :: d' => eval a x <= eval b x /\ holds d' x
  end.
Definition rows_of (c : expr * expr) : list (list mono) :=
  pairs (pairs plus) (nf false (fst c)) (map (map (scale (-1))) (nf true (snd c))).
Fixpoint regions (d : domain) : list (list mono) := match d with
  | [] => [[]]
  | c :: d' => pairs (@app mono) (rows_of c) (regions d')
  end.

Lemma in_regions d : exists K, 0 <= K /\ forall x, positive_at x -> holds d x ->
  exists g, In g (regions d) /\ forall m, In m g -> dot m (logs x) <= K.
Proof.
  induction d as [|[a b] d [K [P H]]].
  - exists 0. split; [lra|]. intros x Hx _. exists []. split; [left; reflexivity|]. intros m [].
  - destruct (approximate a) as [Ka [Pa Ha]], (approximate b) as [Kb [Pb Hb]]. exists (K + Ka + Kb). split; [lra|].
    intros x Hx [Hab Hd]. destruct (H x Hx Hd) as [g [Hg G]].
    destruct (Ha x Hx) as [A1 [A2 A3]], (Hb x Hx) as [B1 [B2 B3]].
    pose proof (ln_le _ _ A1 Hab) as L. assert (D : v a (logs x) <= v b (logs x) + Ka + Kb) by lra.
    destruct (normal a false (logs x)) as [ga [Ia Ga]], (normal b true (logs x)) as [gb [Ib Gb]].
    exists (pairs plus ga (map (scale (-1)) gb) ++ g). split.
    + apply in_pairs. exists (pairs plus ga (map (scale (-1)) gb)), g. split; [|auto]. unfold rows_of. simpl.
      apply in_pairs. exists ga, (map (scale (-1)) gb). split; [assumption|].
      split; [apply in_map; assumption|reflexivity].
    + intros m Hm. apply in_app_or in Hm. destruct Hm as [Hm|Hm]; [|specialize (G m Hm); lra].
      apply in_pairs in Hm. destruct Hm as [p [q [Hp [Hq E]]]]. subst m. rewrite dot_plus.
      apply in_map_iff in Hq. destruct Hq as [q' [E Hq]]. subst q. rewrite dot_scale.
      specialize (Ga p Hp). specialize (Gb q' Hq). simpl in Ga, Gb. unfold Q2R. simpl. lra.
Qed.

(* Facts: weights of the left, of the right, and of rows. *)
Definition combination := list (Q * mono).
Fixpoint total (c : combination) : Q := match c with [] => 0%Q | (w, _) :: c' => (w + total c')%Q end.
Fixpoint sum (c : combination) : mono := match c with [] => [] | (w, m) :: c' => plus (scale w m) (sum c') end.
Definition zero (m : mono) : bool := forallb (fun q => Qeq_bool q 0) m.
Fixpoint same (a b : mono) : bool := match a, b with
  | [], _ => zero b
  | _, [] => zero a
  | p :: a', q :: b' => Qeq_bool p q && same a' b'
  end.
Definition within (c : combination) (l : list mono) : bool :=
  forallb (fun wm => Qle_bool 0 (fst wm) && existsb (same (snd wm)) l) c.
Record fact := Fact { left : combination; right : combination; rows : combination }.
Definition valid (f : fact) : bool :=
  Qeq_bool (total (left f)) 1 && Qeq_bool (total (right f)) 1 &&
  same (sum (left f)) (plus (sum (right f)) (sum (rows f))).
Definition applies (g h r : list mono) (f : fact) : bool :=
  within (left f) g && within (right f) h && within (rows f) r.
Definition decided (d : domain) (a b : expr) (facts : list fact) : bool :=
  let up := nf true a in let low := nf false b in
  forallb valid facts &&
  forallb (fun r => forallb (fun g => forallb (fun h => existsb (applies g h r) facts) low) up) (regions d).

Lemma zero_dot m : zero m = true -> forall y, dot m y = 0.
Proof.
  induction m as [|q m IH]; intros H y; [reflexivity|]. simpl in *. apply andb_true_iff in H. destruct H as [H1 H2].
  apply Qeq_bool_iff, Qeq_eqR in H1. rewrite IH by assumption. rewrite H1. unfold Q2R. simpl. lra.
Qed.

Lemma same_dot a : forall b, same a b = true -> forall y, dot a y = dot b y.
Proof.
  induction a as [|p a IH]; intros [|q b] H y.
  - reflexivity.
  - rewrite (zero_dot (q :: b)) by exact H. reflexivity.
  - rewrite (zero_dot (p :: a)) by exact H. reflexivity.
  - simpl in H. apply andb_true_iff in H. destruct H as [H1 H2]. apply Qeq_bool_iff, Qeq_eqR in H1.
    simpl. rewrite (IH b H2), H1. reflexivity.
Qed.

Lemma total_nonneg c l : within c l = true -> 0 <= Q2R (total c).
Proof.
  induction c as [|[w m] c IH]; simpl; intro H; [unfold Q2R; simpl; lra|].
  apply andb_true_iff in H. destruct H as [H1 H2]. apply andb_true_iff in H1. destruct H1 as [H1 _].
  apply Qle_bool_iff, Qle_Rle in H1. unfold Q2R at 1 in H1. simpl in H1. rewrite Q2R_plus. specialize (IH H2). lra.
Qed.

Lemma weighted up c l w y : within c l = true -> (forall m, In m l -> side up w (dot m y)) ->
  side up (Q2R (total c) * w) (dot (sum c) y).
Proof.
  intros H Hl. induction c as [|[q m] c IH]; simpl in *.
  - unfold Q2R. simpl. destruct up; simpl; lra.
  - apply andb_true_iff in H. destruct H as [H1 H2]. apply andb_true_iff in H1. destruct H1 as [Hq Hm].
    apply Qle_bool_iff, Qle_Rle in Hq. unfold Q2R at 1 in Hq. simpl in Hq. apply existsb_exists in Hm.
    destruct Hm as [m' [Im Sm]]. specialize (IH H2). specialize (Hl m' Im). rewrite <- (same_dot _ _ Sm y) in Hl.
    rewrite dot_plus, dot_scale, Q2R_plus. assert (0 <= Q2R q) by lra. destruct up; simpl in *; nra.
Qed.

Fixpoint slack (facts : list fact) : R := match facts with
  | [] => 0
  | f :: l => Rmax 0 (Q2R (total (rows f))) + slack l
  end.
Lemma slack_nonneg l : 0 <= slack l.
Proof. induction l as [|f l IH]; simpl; [lra|]. pose proof (Rmax_l 0 (Q2R (total (rows f)))). lra. Qed.
Lemma slack_in f l : In f l -> Q2R (total (rows f)) <= slack l.
Proof.
  induction l as [|g l IH]; simpl; [tauto|]. intros [E|H].
  - subst. pose proof (Rmax_r 0 (Q2R (total (rows f)))). pose proof (slack_nonneg l). lra.
  - specialize (IH H). pose proof (Rmax_l 0 (Q2R (total (rows g)))). lra.
Qed.

Theorem order d a b facts : decided d a b facts = true ->
  exists C, 0 < C /\ forall x, positive_at x -> holds d x -> eval a x <= C * eval b x.
Proof.
  intro H. unfold decided in H. apply andb_true_iff in H. destruct H as [V H]. rewrite forallb_forall in V, H.
  destruct (in_regions d) as [K [PK HK]], (approximate a) as [Ka [Pa Ha]], (approximate b) as [Kb [Pb Hb]].
  exists (exp (Ka + Kb + slack facts * K)). split; [apply exp_pos|]. intros x Hx Hd.
  destruct (HK x Hx Hd) as [r [Ir Hr]], (normal a true (logs x)) as [g [Ig Hg]],
    (normal b false (logs x)) as [h [Ih Hh]].
  specialize (H r Ir). rewrite forallb_forall in H. specialize (H g Ig). rewrite forallb_forall in H.
  specialize (H h Ih).
  apply existsb_exists in H. destruct H as [f [If Af]]. specialize (V f If). unfold valid in V. unfold applies in Af.
  apply andb_true_iff in V. destruct V as [V V3]. apply andb_true_iff in V. destruct V as [V1 V2].
  apply andb_true_iff in Af. destruct Af as [Af A3]. apply andb_true_iff in Af. destruct Af as [A1 A2].
  apply Qeq_bool_iff, Qeq_eqR in V1. apply Qeq_bool_iff, Qeq_eqR in V2.
  pose proof (weighted true _ _ _ _ A1 Hg) as W1. pose proof (weighted false _ _ _ _ A2 Hh) as W2.
  pose proof (weighted false (rows f) r K (logs x) A3 Hr) as W3. simpl in W1, W2, W3.
  pose proof (same_dot _ _ V3 (logs x)) as E. rewrite dot_plus in E. rewrite V1 in W1. rewrite V2 in W2.
  unfold Q2R in W1 at 1. unfold Q2R in W2 at 1. simpl in W1, W2.
  pose proof (slack_in f facts If). pose proof (total_nonneg _ _ A3).
  assert (T : Q2R (total (rows f)) * K <= slack facts * K) by (apply Rmult_le_compat_r; assumption).
  destruct (Ha x Hx) as [EA [A4 A5]], (Hb x Hx) as [EB [B4 B5]].
  rewrite <- (exp_ln (eval a x)) at 1 by assumption. rewrite <- (exp_ln (eval b x)) at 1 by assumption.
  rewrite <- exp_plus.
  assert (L : ln (eval a x) <= Ka + Kb + slack facts * K + ln (eval b x)) by lra.
  destruct L as [L|L]; [left; apply exp_increasing; assumption|right; rewrite L; reflexivity].
Qed.
