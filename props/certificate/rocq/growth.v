
(* Curves along which one formula outgrows another: the logarithm of variable i is c i + k i t. *)
Lemma max_times t a b : 0 <= t -> Rmax (t * a) (t * b) = t * Rmax a b.
Proof. intro H. unfold Rmax. repeat destruct Rle_dec; nra. Qed.
Lemma min_times t a b : 0 <= t -> Rmin (t * a) (t * b) = t * Rmin a b.
Proof. intro H. unfold Rmin. repeat destruct Rle_dec; nra. Qed.

Lemma straight e c k : exists K, 0 <= K /\ forall t, 0 <= t -> near K (v e (fun i => c i + k i * t)) (t * v e k).
Proof.
  induction e as [i|p|a [K1 [P1 H1]] b [K2 [P2 H2]]|a [K1 [P1 H1]] b [K2 [P2 H2]]|a [K1 [P1 H1]] b [K2 [P2 H2]]
    |a [K1 [P1 H1]]|a [K1 [P1 H1]] b [K2 [P2 H2]]|a [K1 [P1 H1]] b [K2 [P2 H2]]|a [K1 [P1 H1]] n|a [K1 [P1 H1]] z p
    |a [K1 [P1 H1]]]; simpl.
  - exists (Rabs (c i)). split; [apply Rabs_pos|]. intros t Ht. unfold near. pose proof (Rle_abs (c i)).
    pose proof (Rle_abs (- c i)). rewrite Rabs_Ropp in *. lra.
  - exists 0. split; [lra|]. intros t Ht. unfold near. lra.
  - exists (K1 + K2). split; [lra|]. intros t Ht. rewrite <- max_times by assumption. apply near_max; auto.
  - exists (K1 + K2). split; [lra|]. intros t Ht. specialize (H1 t Ht). specialize (H2 t Ht). unfold near in *. lra.
  - exists (K1 + K2). split; [lra|]. intros t Ht. specialize (H1 t Ht). specialize (H2 t Ht). unfold near in *. lra.
  - exists (Rabs (Q2R (1 # 2)) * K1). split; [apply Rmult_le_pos; [apply Rabs_pos|lra]|]. intros t Ht.
    replace (t * (Q2R (1 # 2) * v a k)) with (Q2R (1 # 2) * (t * v a k)) by ring. apply near_scale; auto.
  - exists (K1 + K2). split; [lra|]. intros t Ht. rewrite <- max_times by assumption. apply near_max; auto.
  - exists (K1 + K2). split; [lra|]. intros t Ht. rewrite <- min_times by assumption. apply near_min; auto.
  - exists (Rabs (Q2R (Z.of_nat n # 1)) * K1). split; [apply Rmult_le_pos; [apply Rabs_pos|lra]|]. intros t Ht.
    replace (t * (Q2R (Z.of_nat n # 1) * v a k)) with (Q2R (Z.of_nat n # 1) * (t * v a k)) by ring.
    apply near_scale; auto.
  - exists (Rabs (Q2R (z # p)) * K1). split; [apply Rmult_le_pos; [apply Rabs_pos|lra]|]. intros t Ht.
    replace (t * (Q2R (z # p) * v a k)) with (Q2R (z # p) * (t * v a k)) by ring. apply near_scale; auto.
  - exists (K1 + 0). split; [lra|]. intros t Ht. replace 0 with (t * 0) at 3 by ring.
    rewrite <- max_times by assumption. apply near_max; auto; [lra|unfold near; lra].
Qed.

Definition Qmaximum (a b : Q) : Q := if Qle_bool a b then b else a.
Definition Qminimum (a b : Q) : Q := if Qle_bool a b then a else b.
Fixpoint vQ (e : expr) (k : nat -> Q) : Q := match e with
  | Var i => k i
  | Int p => 0%Q
  | Add a b | Max a b => Qmaximum (vQ a k) (vQ b k)
  | Min a b => Qminimum (vQ a k) (vQ b k)
  | Mul a b => Qred (vQ a k + vQ b k)
  | Quo a b => Qred (vQ a k - vQ b k)
  | Sqrt a => Qred ((1 # 2) * vQ a k)
  | Pow a n => Qred ((Z.of_nat n # 1) * vQ a k)
  | Root a z p => Qred ((z # p) * vQ a k)
  | Ceil a => Qmaximum (vQ a k) 0
  end.

Lemma Q2R_maximum a b : Q2R (Qmaximum a b) = Rmax (Q2R a) (Q2R b).
Proof.
  unfold Qmaximum. destruct (Qle_bool a b) eqn:E.
  - apply Qle_bool_iff, Qle_Rle in E. rewrite Rmax_right; lra.
  - assert (H : ~ (a <= b)%Q) by (intro H; apply Qle_bool_iff in H; congruence).
    apply Qnot_le_lt, Qlt_Rlt in H. rewrite Rmax_left; lra.
Qed.
Lemma Q2R_minimum a b : Q2R (Qminimum a b) = Rmin (Q2R a) (Q2R b).
Proof.
  unfold Qminimum. destruct (Qle_bool a b) eqn:E.
  - apply Qle_bool_iff, Qle_Rle in E. rewrite Rmin_left; lra.
  - assert (H : ~ (a <= b)%Q) by (intro H; apply Qle_bool_iff in H; congruence).
    apply Qnot_le_lt, Qlt_Rlt in H. rewrite Rmin_right; lra.
Qed.
Lemma Q2R_zero : Q2R 0 = 0.
Proof. unfold Q2R. simpl. lra. Qed.

Lemma v_rational e k : v e (fun i => Q2R (k i)) = Q2R (vQ e k).
Proof.
  induction e as [i|p|a IHa b IHb|a IHa b IHb|a IHa b IHb|a IHa|a IHa b IHb|a IHa b IHb|a IHa n|a IHa z p|a IHa]; simpl;
    rewrite ?Q2R_maximum, ?Q2R_minimum, ?Q2R_red, ?Q2R_plus, ?Q2R_minus, ?Q2R_mult, ?Q2R_zero; congruence.
Qed.

Definition whole (x : R) := exists z, x = IZR z.
Lemma whole_curve c m n : whole (IZR c * INR m ^ n).
Proof.
  exists (c * Z.of_nat m ^ Z.of_nat n)%Z. rewrite mult_IZR, <- pow_IZR, INR_IZR_INZ. reflexivity.
Qed.
Lemma whole_constant c : whole (IZR c).
Proof. exists c. reflexivity. Qed.

Definition outgrows (a b : expr) (k : nat -> Q) : bool := negb (Qle_bool (vQ a k) (vQ b k)).

Theorem growth (a b : expr) (c : nat -> R) (k : nat -> Q) : outgrows a b k = true -> forall C, 0 < C ->
  exists M, forall x s, M <= s -> 1 <= s -> positive_at x -> (forall i, ln (x i) = c i + Q2R (k i) * ln s) ->
    C * eval b x < eval a x.
Proof.
  intros G C HC. assert (D : Q2R (vQ b k) < Q2R (vQ a k)).
  { apply Qlt_Rlt, Qnot_le_lt. intro H. apply Qle_bool_iff in H. unfold outgrows in G. rewrite H in G. discriminate. }
  destruct (approximate a) as [Ka [Pa Ha]], (approximate b) as [Kb [Pb Hb]].
  destruct (straight a c (fun i => Q2R (k i))) as [La [Qa Sa]], (straight b c (fun i => Q2R (k i))) as [Lb [Qb Sb]].
  set (g := Q2R (vQ a k) - Q2R (vQ b k)). set (W := ln C + Ka + Kb + La + Lb + 1).
  exists (exp (W / g)). intros x s HM Hs Hx Hl.
  assert (Pg : 0 < g) by (unfold g; lra).
  assert (T0 : 0 <= ln s) by (destruct Hs as [Hs|Hs]; [rewrite <- ln_1; left; apply ln_increasing; lra|
    subst; rewrite ln_1; lra]).
  assert (T1 : W / g <= ln s) by (rewrite <- (ln_exp (W / g)); apply ln_le; [apply exp_pos|assumption]).
  assert (T2 : W <= g * ln s).
  { apply Rmult_le_reg_r with (/ g); [apply Rinv_0_lt_compat; assumption|].
    replace (g * ln s * / g) with (ln s) by (field; lra). exact T1. }
  destruct (Ha x Hx) as [Ea [A1 A2]], (Hb x Hx) as [Eb [B1 B2]].
  destruct (Sa _ T0) as [A3 A4], (Sb _ T0) as [B3 B4].
  assert (E : forall e, v e (logs x) = v e (fun i => c i + Q2R (k i) * ln s)).
  { intro e. induction e; simpl; unfold logs in *; rewrite ?Hl; congruence. }
  rewrite E in A1, A2, B1, B2. rewrite v_rational in A3, A4, B3, B4.
  assert (L : ln (C * eval b x) < ln (eval a x)).
  { rewrite ln_mult by assumption. unfold g in T2. assert (W = ln C + Ka + Kb + La + Lb + 1) by reflexivity. nra. }
  apply ln_lt_inv in L; [assumption|apply Rmult_lt_0_compat; assumption|assumption].
Qed.

Lemma ln_up c s n : 0 < c -> 1 <= s -> ln (c * s ^ n) = ln c + Q2R (Z.of_nat n # 1) * ln s.
Proof.
  intros H S. rewrite ln_mult; [|assumption|apply pow_lt; lra]. rewrite ln_pow_nat by lra.
  replace (Q2R (Z.of_nat n # 1)) with (INR n) by (unfold Q2R; simpl; rewrite INR_IZR_INZ; field). reflexivity.
Qed.
Lemma ln_down c s n : 0 < c -> 1 <= s -> ln (c * / s ^ n) = ln c + Q2R (- Z.of_nat n # 1) * ln s.
Proof.
  intros H S. assert (0 < s ^ n) by (apply pow_lt; lra).
  rewrite ln_mult; [|assumption|apply Rinv_0_lt_compat; assumption].
  rewrite ln_Rinv, ln_pow_nat by lra.
  replace (Q2R (- Z.of_nat n # 1)) with (- INR n); [ring|].
  unfold Q2R. simpl Qnum. rewrite opp_IZR, <- INR_IZR_INZ. simpl. field.
Qed.
Lemma ln_still c s : ln c = ln c + Q2R 0 * ln s.
Proof. rewrite Q2R_zero. ring. Qed.
Lemma far M : exists m, M <= INR m /\ 1 <= INR m.
Proof.
  exists (S (Z.to_nat (up M))). rewrite S_INR. pose proof (pos_INR (Z.to_nat (up M))). split; [|lra].
  destruct (archimed M) as [U _]. destruct (Z_le_gt_dec 0 (up M)) as [Z|Z].
  - rewrite INR_IZR_INZ, Z2Nat.id by assumption. lra.
  - assert (IZR (up M) < 0) by (apply IZR_lt; lia). lra.
Qed.

Lemma le_sqrt x y : 0 <= x -> x * x <= y -> x <= sqrt y.
Proof. intros H K. rewrite <- (sqrt_square x) by assumption. apply sqrt_le_1_alt. assumption. Qed.
Lemma sqrt_le x y : 0 <= y -> x <= y * y -> sqrt x <= y.
Proof. intros H K. rewrite <- (sqrt_square y) by assumption. apply sqrt_le_1_alt. assumption. Qed.

Lemma le_times_sqrt x c y : 0 <= x -> 0 <= c -> x * x <= c * c * y -> x <= c * sqrt y.
Proof.
  intros H K L. rewrite <- (sqrt_square c), <- sqrt_mult_alt by (try assumption; apply Rmult_le_pos; assumption).
  apply le_sqrt; assumption.
Qed.
Lemma one_times a b : 1 <= a -> 1 <= b -> 1 <= a * b.
Proof. nra. Qed.
Lemma one_plus a b : 1 <= a -> 0 <= b -> 1 <= a + b.
Proof. lra. Qed.
Lemma le_div x y z : 0 < y -> x * y <= z -> x <= z / y.
Proof.
  intros H K. apply Rmult_le_reg_r with y; [assumption|]. replace (z / y * y) with z by (field; lra). assumption.
Qed.
Lemma div_le x y z : 0 < y -> x <= z * y -> x / y <= z.
Proof.
  intros H K. apply Rmult_le_reg_r with y; [assumption|]. replace (x / y * y) with x by (field; lra). assumption.
Qed.
Lemma Rpower_whole x p : 0 < x -> Rpower x (IZR (Z.neg p) / IZR 1) = / x ^ Pos.to_nat p.
Proof.
  intro H. replace (IZR (Z.neg p) / IZR 1) with (- INR (Pos.to_nat p)).
  - rewrite Rpower_Ropp, Rpower_pow by assumption. reflexivity.
  - rewrite INR_IZR_INZ, positive_nat_Z. change (Z.neg p) with (- Z.pos p)%Z. rewrite opp_IZR. lra.
Qed.

(* Bounds of powers of s and of their inverses. *)
Ltac powers s :=
  assert (0 < s) by lra;
  let rec go k := lazymatch k with
    | O => idtac
    | S ?j => go j; assert (s ^ j <= s ^ k) by (apply Rle_pow; [lra|lia]);
        assert (0 < / s ^ k <= 1) by (split; [apply Rinv_0_lt_compat, pow_lt; lra|
          rewrite <- Rinv_1; apply Rinv_le_contravar; [lra|apply pow_R1_Rle; lra]])
    end in go 8%nat; rewrite ?pow_O, ?pow_1 in *.

(* What holds along the curve from s = 1 on. *)
Ltac size := first [lra | apply Rmult_lt_0_compat; size | apply Rinv_0_lt_compat; size | apply pow_lt; size
  | apply Rlt_le; size | nra].
Ltac along := first
  [ lra
  | match goal with
    | |- context [Rpower ?x (IZR ?z / IZR 1)] => let w := eval compute in z in lazymatch w with
        | Z.neg ?p => change (Rpower x (IZR z / IZR 1)) with (Rpower x (IZR (Z.neg p) / IZR 1));
            rewrite (Rpower_whole x p) by size; simpl Pos.to_nat; along
        end
    | |- context [Rmax ?a ?b] => first [rewrite (Rmax_left a b) by along | rewrite (Rmax_right a b) by along]; along
    | |- context [Rmin ?a ?b] => first [rewrite (Rmin_left a b) by along | rewrite (Rmin_right a b) by along]; along
    | |- 1 <= Rmin _ _ => apply Rmin_glb; along
    | |- 1 <= Rmax 1 _ => apply Rmax_l
    | |- 1 <= ?a * ?b => apply one_times; along
    | |- 1 <= ?a + ?b =>
      first [apply one_plus; [along | size] | rewrite (Rplus_comm a b); apply one_plus; [along | size]]
    | |- _ <= sqrt _ => apply le_sqrt; [size | along]
    | |- _ <= _ * sqrt _ => apply le_times_sqrt; [size | size | along]
    | |- sqrt _ <= _ => apply sqrt_le; [size | along]
    | |- _ <= _ / _ => apply le_div; [size | along]
    | |- _ / _ <= _ => apply div_le; [size | along]
    end
  | field_simplify; [lra | size ..]
  | field_simplify; [apply div_le; [size|lra] | size ..]
  | nra ].

(* Points of the curve are positive, and so is what is a product of constants and powers. *)
Lemma rising c s n : 0 < s -> 0 < c -> 0 < c * s ^ n.
Proof. intros S C. apply Rmult_lt_0_compat; [assumption|apply pow_lt; assumption]. Qed.
Lemma falling c s n : 0 < s -> 0 < c -> 0 < c * / s ^ n.
Proof. intros S C. apply Rmult_lt_0_compat; [assumption|apply Rinv_0_lt_compat, pow_lt; assumption]. Qed.
Ltac point := first [lra | apply rising; lra | apply falling; lra].
Ltac factors := repeat apply Rmult_lt_0_compat; try apply pow_lt; lra.

(* The first premise of a hypothesis holds along the curve. *)
Ltac premise H := match type of H with ?P -> _ => let A := fresh "A" in assert (A : P);
  [first [reflexivity | apply rising; lra | apply falling; lra | apply whole_constant | apply whole_curve | along]
  |specialize (H A); clear A] end.
