(* What a change of the problem does to a run: the same random choices lead the changed run along the changed path.

   Contents
     gradient_unique        a function has one gradient; those of f(x - c), f(Q^T x) and c f
     sledge_translation     f_i(x - c) and x^0 + c: all points move by c
     sledge_rotation        f_i(Q^T x), Q x^0 and Q xi, Q orthogonal: all points turn by Q
     sledge_scaling         c f_i and eta/c: the same points, and estimates that are c times as large
     sledge_relabelling     components and minibatches under other names: the same points
     fledge_translation, fledge_rotation, fledge_scaling, fledge_relabelling
                            the same for FLEDGE, where clients and the data of each have names
   for Algorithms 1 (lines 284-298) and 2 (463-491), both options, all sizes, step sizes, minibatches and noises. *)
From Coq Require Import Reals Lra Lia PeanoNat List.
From Sledge Require Import vectors means minibatches algorithms problems instances.
Import ListNotations.
Open Scope R_scope.

(* ---- Gradients of changed functions ---- *)

Section Gradients.
Context {V : space}.
Theorem gradient_unique (f : V -> R) df df' x : is_gradient f df -> is_gradient f df' -> df x = df' x.
Proof.
  intros D D'. vector_eq u. specialize (D x u 0). specialize (D' x u 0). rewrite line_0 in D, D'.
  exact (uniqueness_limite _ _ _ _ D D').
Qed.
Lemma gradient_ext (f f' : V -> R) df : (forall x, f' x = f x) -> is_gradient f df -> is_gradient f' df.
Proof.
  intros E D x u t. apply (derivable_pt_lim_ext (fun t => f (add x (scale t u)))); [intro; symmetry; apply E|apply D].
Qed.
Lemma shifted_gradient (f : V -> R) df c : is_gradient f df ->
  is_gradient (fun x => f (sub x c)) (fun x => df (sub x c)).
Proof.
  intros D x u t. assert (E : forall s, sub (add x (scale s u)) c = add (sub x c) (scale s u))
    by (intro; vector_eq w; ring).
  rewrite E. apply (derivable_pt_lim_ext (fun t => f (add (sub x c) (scale t u)))); [|apply D].
  intro s. rewrite E. reflexivity.
Qed.
(* Q with its transpose. *)
Definition orthogonal (Q Qt : V -> V) : Prop :=
  (forall u w, ip (Q u) w = ip u (Qt w)) /\ (forall u, Q (Qt u) = u) /\ (forall u, Qt (Q u) = u).
Lemma rotated_gradient (f : V -> R) df Q Qt : orthogonal Q Qt -> is_gradient f df ->
  is_gradient (fun x => f (Qt x)) (fun x => Q (df (Qt x))).
Proof.
  intros [T _] D x u t. assert (E : forall s, Qt (add x (scale s u)) = add (Qt x) (scale s (Qt u))).
  { intro s. vector_eq w. rewrite !(ip_sym _ w), <- !T. products. reflexivity. }
  rewrite T, E. apply (derivable_pt_lim_ext (fun t => f (add (Qt x) (scale t (Qt u))))); [|apply D].
  intro s. rewrite E. reflexivity.
Qed.
Lemma scaled_gradient (f : V -> R) df c : is_gradient f df -> is_gradient (fun x => c * f x) (fun x => scale c (df x)).
Proof.
  intros D x u t. rewrite ip_scale. apply (derivable_pt_lim_scal (fun t => f (add x (scale t u)))). apply D.
Qed.
End Gradients.

(* ---- Points by one map, gradients by a linear one ---- *)

Section Linear.
Context {V W : space}.
Definition linear (B : V -> W) : Prop :=
  (forall u w, B (add u w) = add (B u) (B w)) /\ (forall c u, B (scale c u) = scale c (B u)).
Variable B : V -> W.
Hypothesis B_linear : linear B.
Lemma B_add u w : B (add u w) = add (B u) (B w).
Proof. apply B_linear. Qed.
Lemma B_scale c u : B (scale c u) = scale c (B u).
Proof. apply B_linear. Qed.
Lemma B_zero : B zero = zero.
Proof. replace (zero : V) with (scale 0 (zero : V)) by (vector_eq w; ring). rewrite B_scale. vector_eq w. ring. Qed.
Lemma B_sub u w : B (sub u w) = sub (B u) (B w).
Proof.
  replace (sub u w) with (add u (scale (-1) w)) by (vector_eq z; ring). rewrite B_add, B_scale. vector_eq z. ring.
Qed.
Lemma B_over k u : B (over k u) = over k (B u).
Proof.
  replace (over k u) with (scale (/ INR k) u) by (vector_eq z; ring). rewrite B_scale. vector_eq z. ring.
Qed.
Lemma B_vsum n a a' : (forall i, (i < n)%nat -> a' i = B (a i)) -> vsum n a' = B (vsum n a).
Proof.
  induction n as [|n IH]; intro H; cbn [vsum]; [symmetry; apply B_zero|].
  rewrite IH, H, B_add by (intros; try apply H; lia). reflexivity.
Qed.
Lemma B_vsum_in n I a a' : (forall i, (i < n)%nat -> a' i = B (a i)) -> vsum_in n I a' = B (vsum_in n I a).
Proof. intro H. apply B_vsum. intros i Hi. destruct (I i); [apply H, Hi|symmetry; apply B_zero]. Qed.

(* The changed state. *)
Definition changed (n : nat) (A : V -> W) (s : V * (nat -> V)) (s' : W * (nat -> W)) : Prop :=
  fst s' = A (fst s) /\ forall i, (i < n)%nat -> snd s' i = B (snd s i).
Lemma changed_estimate n A s s' : changed n A s s' -> estimate n s' = B (estimate n s).
Proof. intros [_ H]. unfold estimate. rewrite B_over. f_equal. apply B_vsum, H. Qed.
End Linear.

Section SLEDGE.
Context {V W : space}.
Variables (A B : V -> W).
Hypothesis B_linear : linear B.
Variables (n b : nat) (eta eta' : R) (noise : list batch -> V) (noise' : list batch -> W).
Variables (grad : nat -> V -> V) (grad' : nat -> W -> W).
Hypothesis A_step : forall x v past,
  A (add (sub x (scale eta v)) (noise past)) = add (sub (A x) (scale eta' (B v))) (noise' past).
Hypothesis B_grad : forall i x, (i < n)%nat -> grad' i (A x) = B (grad i x).

(* Option I with the minibatch I0, or Option II. *)
Definition sledge_start {X : space} (G : nat -> X -> X) (x0 : X) (first : option batch) : X * (nat -> X) :=
  match first with Some I0 => sledge_start_I n b G x0 I0 | None => sledge_start_II G x0 end.

Lemma sledge_changed x0 first past : changed B n A
  (sledge n b eta noise grad (sledge_start grad x0 first) past)
  (sledge n b eta' noise' grad' (sledge_start grad' (A x0) first) past).
Proof.
  induction past as [|I past IH].
  - cbn [sledge]. destruct first as [I0|]; split; try reflexivity; intros i Hi.
    + cbn [sledge_start sledge_start_I snd]. rewrite (B_over _ B_linear). f_equal. apply (B_vsum_in _ B_linear).
      intros j Hj. apply B_grad, Hj.
    + cbn [sledge_start sledge_start_II snd]. apply B_grad, Hi.
  - cbn [sledge]. set (s := sledge n b eta noise _ _ past) in *. set (s' := sledge n b eta' noise' _ _ past) in *.
    clearbody s s'. assert (X : next_point n eta' noise' past s' = A (next_point n eta noise past s)).
    { unfold next_point, point. rewrite A_step, (changed_estimate _ B_linear n A s s' IH). destruct IH as [-> _].
      reflexivity. }
    split; [exact X|]. intros i Hi. destruct IH as [P T]. cbn [sledge_step snd].
    destruct (I i); [rewrite X; apply B_grad, Hi|]. unfold table, point.
    rewrite (B_add _ B_linear), (B_over _ B_linear), (T i Hi). f_equal. f_equal. apply (B_vsum_in _ B_linear).
    intros j Hj.
    rewrite (B_sub _ B_linear), X, P, !B_grad by assumption. reflexivity.
Qed.
End SLEDGE.

Section FLEDGE.
Context {V W : space}.
Variables (A B : V -> W).
Hypothesis B_linear : linear B.
Variables (P p K b : nat) (eta eta' : R) (data : nat -> nat).
Variables (noise : list round -> nat -> list batch -> V) (noise' : list round -> nat -> list batch -> W).
Variables (grad : nat -> nat -> V -> V) (grad' : nat -> nat -> W -> W).
Hypothesis A_step : forall x v past i before,
  A (add (sub x (scale eta v)) (noise past i before)) = add (sub (A x) (scale eta' (B v))) (noise' past i before).
Hypothesis B_grad : forall i j x, (i < P)%nat -> (j < data i)%nat -> grad' i j (A x) = B (grad i j x).

(* The minibatches J of the clients at the start, and for Option I the clients I0 that are asked. *)
Definition fledge_start {X : space} (G : nat -> nat -> X -> X) (x0 : X) (first : option batch) (J : nat -> batch)
  : X * (nat -> X) :=
  match first with
  | Some I0 => fledge_start_I P p K b data G x0 I0 J
  | None => fledge_start_II K b data G x0 J
  end.

Lemma data_changed i k J a a' : (forall j, (j < data i)%nat -> a' j = B (a j)) ->
  data_mean data i k J a' = B (data_mean data i k J a).
Proof. intro H. unfold data_mean. rewrite (B_over _ B_linear). f_equal. apply (B_vsum_in _ B_linear), H. Qed.
Lemma fresh_changed i J x : (i < P)%nat ->
  fresh_gradient K b data grad' i J (A x) = B (fresh_gradient K b data grad i J x).
Proof. intro Hi. apply data_changed. intros. apply B_grad; assumption. Qed.
Lemma local_changed past i v x Js : (i < P)%nat ->
  fst (local_run b eta' noise' data grad' past i (B v) (A x) Js)
    = A (fst (local_run b eta noise data grad past i v x Js))
  /\ snd (local_run b eta' noise' data grad' past i (B v) (A x) Js)
    = B (snd (local_run b eta noise data grad past i v x Js)).
Proof.
  intro Hi. induction Js as [|J Js [IH1 IH2]]; [split; [reflexivity|symmetry; apply (B_zero _ B_linear)]|].
  cbn [local_run]. set (s := local_run b eta noise data grad past i v x Js) in *.
  set (s' := local_run b eta' noise' data grad' past i (B v) (A x) Js) in *. clearbody s s'.
  assert (X : local_point eta' noise' past i (B v) Js s' = A (local_point eta noise past i v Js s)).
  { unfold local_point, local_estimate. rewrite A_step, (B_add _ B_linear), IH1, IH2. reflexivity. }
  split; [exact X|]. cbn [local_step snd]. rewrite (B_add _ B_linear), IH2. f_equal. apply data_changed. intros j Hj.
  rewrite (B_sub _ B_linear), X, IH1, !B_grad by assumption. reflexivity.
Qed.
Lemma fledge_changed x0 first J past : Forall (fun c => (worker c < P)%nat) past -> changed B P A
  (fledge P p K b eta noise data grad (fledge_start grad x0 first J) past)
  (fledge P p K b eta' noise' data grad' (fledge_start grad' (A x0) first J) past).
Proof.
  induction past as [|c past IH]; intro F.
  - cbn [fledge]. destruct first as [I0|]; split; try reflexivity; intros i Hi.
    + cbn [fledge_start fledge_start_I snd]. rewrite (B_over _ B_linear). f_equal. apply (B_vsum_in _ B_linear).
      intros. apply fresh_changed. assumption.
    + cbn [fledge_start fledge_start_II snd]. apply fresh_changed, Hi.
  - inversion F as [|? ? Fc FF]; subst. specialize (IH FF). cbn [fledge].
    set (s := fledge P p K b eta noise _ _ _ past) in *. set (s' := fledge P p K b eta' noise' _ _ _ past) in *.
    clearbody s s'. pose proof (changed_estimate _ B_linear P A s s' IH) as E. destruct IH as [X T].
    unfold fledge_round. destruct (local_changed past (worker c) (estimate P s) (fst s) (local c) Fc) as [X' _].
    rewrite <- E, <- X in X'. split; [exact X'|]. intros i Hi. cbn [refresh snd].
    destruct (clients c i); [rewrite X'; apply fresh_changed, Hi|].
    rewrite (B_add _ B_linear), (B_over _ B_linear), (T i Hi). f_equal. f_equal. apply (B_vsum_in _ B_linear).
    intros l Hl. unfold fresh_change. apply data_changed. intros j Hj.
    rewrite (B_sub _ B_linear), X', X, !B_grad by assumption. reflexivity.
Qed.
End FLEDGE.

(* ---- Translation, rotation, scaling ---- *)

Lemma identity_linear {V : space} : linear (fun u : V => u).
Proof. split; reflexivity. Qed.
Lemma scale_linear {V : space} c : linear (fun u : V => scale c u).
Proof. split; intros; apply ip_ext; intro z; products; ring. Qed.
Lemma orthogonal_linear {V : space} (Q Qt : V -> V) : orthogonal Q Qt -> linear Q.
Proof. intros [T _]. split; intros; apply ip_ext; intro z; rewrite T; products; rewrite !T; reflexivity. Qed.

Section Changes_of_SLEDGE.
Context {V : space}.
Variables (n b : nat) (eta : R) (noise : list batch -> V) (f f' : nat -> V -> R) (grad grad' : nat -> V -> V).
Hypothesis are_gradients : forall i, (i < n)%nat -> is_gradient (f i) (grad i).
Hypothesis are_gradients' : forall i, (i < n)%nat -> is_gradient (f' i) (grad' i).
Variables (x0 : V) (first : option batch) (past : list batch).
Notation run := (sledge n b eta noise grad (sledge_start n b grad x0 first) past).

(* f'_i(x) = f_i(x - c), from x^0 + c. *)
Theorem sledge_translation c : (forall i x, (i < n)%nat -> f' i x = f i (sub x c)) ->
  point (sledge n b eta noise grad' (sledge_start n b grad' (add x0 c) first) past) = add (point run) c.
Proof.
  intro E. apply (sledge_changed (fun x => add x c) (fun v => v) identity_linear).
  - intros. vector_eq w. ring.
  - intros i x Hi. rewrite (gradient_unique (f' i) (grad' i) (fun x => grad i (sub x c)) _ (are_gradients' i Hi)).
    + f_equal. vector_eq w. ring.
    + apply (gradient_ext (fun x => f i (sub x c))); [intro; apply E, Hi|]. apply shifted_gradient, are_gradients, Hi.
Qed.
(* f'_i(x) = f_i(Q^T x), from Q x^0, with the noise Q xi. *)
Theorem sledge_rotation Q Qt : orthogonal Q Qt -> (forall i x, (i < n)%nat -> f' i x = f i (Qt x)) ->
  point (sledge n b eta (fun h => Q (noise h)) grad' (sledge_start n b grad' (Q x0) first) past) = Q (point run).
Proof.
  intros O E. pose proof (orthogonal_linear Q Qt O) as Lin. apply (sledge_changed Q Q Lin).
  - intros. rewrite (B_add _ Lin), (B_sub _ Lin), (B_scale _ Lin). reflexivity.
  - intros i x Hi. rewrite (gradient_unique (f' i) (grad' i) (fun x => Q (grad i (Qt x))) _ (are_gradients' i Hi)).
    + destruct O as [_ [_ O]]. rewrite O. reflexivity.
    + apply (gradient_ext (fun x => f i (Qt x))); [intro; apply E, Hi|]. apply rotated_gradient, are_gradients, Hi.
      exact O.
Qed.
(* f'_i = c f_i with the step size eta/c. *)
Theorem sledge_scaling c : 0 < c -> (forall i x, (i < n)%nat -> f' i x = c * f i x) ->
  let run' := sledge n b (eta / c) noise grad' (sledge_start n b grad' x0 first) past in
  point run' = point run /\ estimate n run' = scale c (estimate n run).
Proof.
  intros Hc E run'. assert (C : changed (fun v => scale c v) n (fun x => x) run run').
  { apply (sledge_changed (fun x => x) (fun v => scale c v) (scale_linear c)).
    - intros. vector_eq w. field. lra.
    - intros i x Hi. apply (gradient_unique (f' i) (grad' i) (fun x => scale c (grad i x)) x (are_gradients' i Hi)).
      apply (gradient_ext (fun x => c * f i x)); [intro; apply E, Hi|]. apply scaled_gradient, are_gradients, Hi. }
  split; [apply C|]. apply (changed_estimate _ (scale_linear c) n (fun x => x)), C.
Qed.
End Changes_of_SLEDGE.

Section Changes_of_FLEDGE.
Context {V : space}.
Variables (P p K b : nat) (eta : R) (data : nat -> nat) (noise : list round -> nat -> list batch -> V).
Variables (f f' : nat -> nat -> V -> R) (grad grad' : nat -> nat -> V -> V).
Hypothesis are_gradients : forall i j, (i < P)%nat -> (j < data i)%nat -> is_gradient (f i j) (grad i j).
Hypothesis are_gradients' : forall i j, (i < P)%nat -> (j < data i)%nat -> is_gradient (f' i j) (grad' i j).
Variables (x0 : V) (first : option batch) (J : nat -> batch) (past : list round).
Hypothesis workers : Forall (fun c => (worker c < P)%nat) past.
Notation start G x := (fledge_start P p K b data G x first J).
Notation run := (fledge P p K b eta noise data grad (start grad x0) past).
(* x^{t,k} of a round [c] after the rounds [past] *)
Notation local_at e xi G s past i Js := (fst (local_run b e xi data G past i (estimate P s) (fst s) Js)).

Theorem fledge_translation c :
  (forall i j x, (i < P)%nat -> (j < data i)%nat -> f' i j x = f i j (sub x c)) ->
  let run' := fledge P p K b eta noise data grad' (start grad' (add x0 c)) past in
  point run' = add (point run) c
  /\ forall i Js, (i < P)%nat ->
    local_at eta noise grad' run' past i Js = add (local_at eta noise grad run past i Js) c.
Proof.
  intros E run'. assert (S : forall x v h i l, add (add (sub x (scale eta v)) (noise h i l)) c
    = add (sub (add x c) (scale eta v)) (noise h i l)) by (intros; vector_eq w; ring).
  assert (G : forall i j x, (i < P)%nat -> (j < data i)%nat -> grad' i j (add x c) = grad i j x).
  { intros i j x Hi Hj.
    rewrite (gradient_unique (f' i j) (grad' i j) (fun x => grad i j (sub x c)) _ (are_gradients' i j Hi Hj)).
    - f_equal. vector_eq w. ring.
    - apply (gradient_ext (fun x => f i j (sub x c))); [intro; apply E; assumption|].
      apply shifted_gradient, are_gradients; assumption. }
  assert (C : changed (fun v => v) P (fun x => add x c) run run').
  { exact (fledge_changed (fun x => add x c) (fun v => v) identity_linear P p K b eta eta data noise noise grad grad'
      S G x0 first J past workers). }
  split; [apply C|]. intros i Js Hi.
  rewrite (changed_estimate _ identity_linear P _ _ _ C). destruct C as [-> _].
  apply (local_changed (fun x => add x c) (fun v => v) identity_linear P b eta eta data noise noise grad grad' S G).
  exact Hi.
Qed.
Theorem fledge_rotation Q Qt : orthogonal Q Qt ->
  (forall i j x, (i < P)%nat -> (j < data i)%nat -> f' i j x = f i j (Qt x)) ->
  let noise' h i l := Q (noise h i l) in
  let run' := fledge P p K b eta noise' data grad' (start grad' (Q x0)) past in
  point run' = Q (point run)
  /\ forall i Js, (i < P)%nat -> local_at eta noise' grad' run' past i Js = Q (local_at eta noise grad run past i Js).
Proof.
  intros O E noise' run'. pose proof (orthogonal_linear Q Qt O) as Lin.
  assert (S : forall x v h i l, Q (add (sub x (scale eta v)) (noise h i l))
    = add (sub (Q x) (scale eta (Q v))) (noise' h i l)).
  { intros. rewrite (B_add _ Lin), (B_sub _ Lin), (B_scale _ Lin). reflexivity. }
  assert (G : forall i j x, (i < P)%nat -> (j < data i)%nat -> grad' i j (Q x) = Q (grad i j x)).
  { intros i j x Hi Hj.
    rewrite (gradient_unique (f' i j) (grad' i j) (fun x => Q (grad i j (Qt x))) _ (are_gradients' i j Hi Hj)).
    - destruct O as [_ [_ O]]. rewrite O. reflexivity.
    - apply (gradient_ext (fun x => f i j (Qt x))); [intro; apply E; assumption|].
      apply rotated_gradient; [exact O|]. apply are_gradients; assumption. }
  assert (C : changed Q P Q run run')
    by exact (fledge_changed Q Q Lin P p K b eta eta data noise noise' grad grad' S G x0 first J past workers).
  split; [apply C|]. intros i Js Hi. rewrite (changed_estimate _ Lin P _ _ _ C). destruct C as [-> _].
  apply (local_changed Q Q Lin P b eta eta data noise noise' grad grad' S G). exact Hi.
Qed.
Theorem fledge_scaling c : 0 < c ->
  (forall i j x, (i < P)%nat -> (j < data i)%nat -> f' i j x = c * f i j x) ->
  let run' := fledge P p K b (eta / c) noise data grad' (start grad' x0) past in
  point run' = point run
  /\ forall i Js, (i < P)%nat -> local_at (eta / c) noise grad' run' past i Js = local_at eta noise grad run past i Js.
Proof.
  intros Hc E run'. pose proof (scale_linear (V := V) c) as Lin.
  assert (S : forall (x v : V) h i l, add (sub x (scale eta v)) (noise h i l)
    = add (sub x (scale (eta / c) (scale c v))) (noise h i l)) by (intros; vector_eq w; field; lra).
  assert (G : forall i j x, (i < P)%nat -> (j < data i)%nat -> grad' i j x = scale c (grad i j x)).
  { intros i j x Hi Hj.
    apply (gradient_unique (f' i j) (grad' i j) (fun x => scale c (grad i j x)) x (are_gradients' i j Hi Hj)).
    apply (gradient_ext (fun x => c * f i j x)); [intro; apply E; assumption|].
    apply scaled_gradient, are_gradients; assumption. }
  assert (C : changed (fun v => scale c v) P (fun x => x) run run').
  { exact (fledge_changed (fun x => x) (fun v => scale c v) Lin P p K b eta (eta / c) data noise noise grad grad' S G
      x0 first J past workers). }
  split; [apply C|]. intros i Js Hi. rewrite (changed_estimate _ Lin P _ _ _ C). destruct C as [-> _].
  apply (local_changed (fun x => x) (fun v => scale c v) Lin P b eta (eta / c) data noise noise grad grad' S G).
  exact Hi.
Qed.
End Changes_of_FLEDGE.

(* ---- Other names ---- *)

(* new and old give the indices below n other names, and back. *)
Definition renames (n : nat) (old new : nat -> nat) : Prop :=
  forall i, (i < n)%nat -> (old i < n)%nat /\ (new i < n)%nat /\ old (new i) = i /\ new (old i) = i.
Lemma sum_one n k c : (k < n)%nat -> sum n (fun i => if Nat.eq_dec k i then c else 0) = c.
Proof.
  intro H. pose proof (sum_all_but n k (fun _ => c) H) as E.
  rewrite (sum_ext n _ (fun i => c - (if Nat.eq_dec k i then 0 else c))) by (intros; destruct (Nat.eq_dec k i); ring).
  rewrite sum_sub, E. ring.
Qed.
Lemma sum_renamed n old new a : renames n old new -> sum n (fun i => a (old i)) = sum n a.
Proof.
  intro R. rewrite (sum_ext n _ (fun i => sum n (fun j => if Nat.eq_dec (old i) j then a j else 0))).
  - rewrite sum_swap. apply sum_ext. intros j Hj.
    rewrite (sum_ext n _ (fun i => if Nat.eq_dec (new j) i then a j else 0)); [apply sum_one, (R j Hj)|].
    intros i Hi. destruct (R i Hi) as [_ [_ [_ Ri]]], (R j Hj) as [_ [_ [Rj _]]].
    destruct (Nat.eq_dec (old i) j), (Nat.eq_dec (new j) i); try reflexivity; exfalso; subst; auto.
  - intros i Hi. symmetry. rewrite (sum_ext n _ (fun j => if Nat.eq_dec (old i) j then a (old i) else 0)).
    + apply sum_one, (R i Hi).
    + intros j _. destruct (Nat.eq_dec (old i) j); [subst|]; reflexivity.
Qed.
Lemma vsum_renamed {V : space} n old new (a a' : nat -> V) : renames n old new ->
  (forall i, (i < n)%nat -> a' i = a (old i)) -> vsum n a' = vsum n a.
Proof.
  intros R E. rewrite (vsum_ext n a' (fun i => a (old i)) E). vector_eq w. rewrite !ip_vsum.
  apply (sum_renamed n old new (fun i => ip (a i) w) R).
Qed.
Lemma vsum_in_renamed {V : space} n old new I (a a' : nat -> V) : renames n old new ->
  (forall i, (i < n)%nat -> a' i = a (old i)) -> vsum_in n (fun i => I (old i)) a' = vsum_in n I a.
Proof.
  intros R E. apply (vsum_renamed n old new (fun i => if I i then a i else zero) _ R). intros i Hi.
  destruct (I (old i)); [apply E, Hi|reflexivity].
Qed.

Section Names_of_components.
Context {V : space}.
Variables (n b : nat) (eta : R) (noise noise' : list batch -> V) (grad grad' : nat -> V -> V).
Variables (old new : nat -> nat).
Hypothesis R : renames n old new.
(* Component i was component old i, and a minibatch has the new names of its members. *)
Definition renamed (I : batch) : batch := fun i => I (old i).
Hypothesis same_components : forall i x, (i < n)%nat -> grad' i x = grad (old i) x.
Hypothesis same_noise : forall past, noise' (map renamed past) = noise past.

Theorem sledge_relabelling x0 first past :
  let run := sledge n b eta noise grad (sledge_start n b grad x0 first) past in
  let run' := sledge n b eta noise' grad' (sledge_start n b grad' x0 (option_map renamed first)) (map renamed past) in
  point run' = point run /\ estimate n run' = estimate n run
  /\ forall i, (i < n)%nat -> table run' i = table run (old i).
Proof.
  intros run run'. enough (H : point run' = point run /\ forall i, (i < n)%nat -> table run' i = table run (old i)).
  { destruct H as [H H']. split; [exact H|]. split; [|exact H']. unfold estimate. f_equal.
    apply (vsum_renamed n old new _ _ R), H'. }
  unfold run, run'. clear run run'. induction past as [|I past IH].
  - cbn [map sledge]. destruct first as [I0|]; split; try reflexivity; intros i Hi; [|apply same_components, Hi].
    cbn [option_map sledge_start sledge_start_I table snd]. f_equal.
    apply (vsum_in_renamed n old new I0 _ _ R). intros. apply same_components. assumption.
  - cbn [map sledge]. set (s := sledge n b eta noise _ _ past) in *.
    set (s' := sledge n b eta noise' _ _ (map renamed past)) in *. clearbody s s'. destruct IH as [X T].
    assert (Y : next_point n eta noise' (map renamed past) s' = next_point n eta noise past s).
    { unfold next_point. rewrite X, same_noise. f_equal. f_equal. f_equal. unfold estimate. f_equal.
      apply (vsum_renamed n old new _ _ R), T. }
    split; [exact Y|]. intros i Hi. cbn [sledge_step table snd]. unfold renamed at 1.
    destruct (I (old i)); [rewrite Y; apply same_components, Hi|]. f_equal; [apply T, Hi|]. f_equal.
    apply (vsum_in_renamed n old new I _ _ R). intros j Hj. rewrite !same_components, Y, X by assumption. reflexivity.
Qed.
End Names_of_components.

Section Names_of_clients.
Context {V : space}.
Variables (P p K b : nat) (eta : R) (data data' : nat -> nat).
Variables (noise noise' : list round -> nat -> list batch -> V) (grad grad' : nat -> nat -> V -> V).
(* Client i was client old i, its datum j was datum old_datum i j of that client. *)
Variables (old new : nat -> nat) (old_datum new_datum : nat -> nat -> nat).
Hypothesis R : renames P old new.
Hypothesis same_numbers : forall i, (i < P)%nat -> data' i = data (old i).
Hypothesis R_data : forall i, (i < P)%nat -> renames (data' i) (old_datum i) (new_datum i).
Hypothesis same_data : forall i j x, (i < P)%nat -> (j < data' i)%nat -> grad' i j x = grad (old i) (old_datum i j) x.
Definition renamed_data (i : nat) (J : batch) : batch := fun j => J (old_datum i j).
Definition renamed_family (J : nat -> batch) (i : nat) : batch := renamed_data i (J (old i)).
Definition renamed_round (c : round) : round :=
  {| worker := new (worker c); local := map (renamed_data (new (worker c))) (local c);
     clients := renamed old (clients c); fresh := renamed_family (fresh c) |}.
Hypothesis same_noise : forall past i before, (i < P)%nat ->
  noise' (map renamed_round past) (new i) (map (renamed_data (new i)) before) = noise past i before.

Lemma data_mean_renamed i k J (a a' : nat -> V) : (i < P)%nat ->
  (forall j, (j < data' i)%nat -> a' j = a (old_datum i j)) ->
  data_mean data' i k (renamed_data i J) a' = data_mean data (old i) k J a.
Proof.
  intros Hi E. unfold data_mean. f_equal. rewrite <- same_numbers by assumption.
  apply (vsum_in_renamed (data' i) (old_datum i) (new_datum i) J a a' (R_data i Hi) E).
Qed.
Lemma fresh_renamed i J x : (i < P)%nat ->
  fresh_gradient K b data' grad' i (renamed_data i J) x = fresh_gradient K b data grad (old i) J x.
Proof. intro Hi. apply data_mean_renamed; [assumption|]. intros. apply same_data; assumption. Qed.
Lemma local_renamed past i v x Js : (i < P)%nat ->
  local_run b eta noise' data' grad' (map renamed_round past) (new i) v x (map (renamed_data (new i)) Js)
  = local_run b eta noise data grad past i v x Js.
Proof.
  intro Hi. destruct (R i Hi) as [_ [Ni [Oi _]]]. induction Js as [|J Js IH]; [reflexivity|].
  cbn [map local_run]. rewrite IH. set (s := local_run b eta noise data grad past i v x Js). clearbody s.
  unfold local_step, local_point. rewrite same_noise by assumption. f_equal. f_equal.
  set (x' := add _ _). transitivity (data_mean data (old (new i)) b J (fun j => sub (grad i j x') (grad i j (fst s))));
    [|rewrite Oi; reflexivity].
  apply data_mean_renamed; [assumption|]. intros j Hj. rewrite !same_data, Oi by assumption. reflexivity.
Qed.
Theorem fledge_relabelling x0 first J past : Forall (fun c => (worker c < P)%nat) past ->
  let run := fledge P p K b eta noise data grad (fledge_start P p K b data grad x0 first J) past in
  let run' := fledge P p K b eta noise' data' grad'
    (fledge_start P p K b data' grad' x0 (option_map (renamed old) first) (renamed_family J))
    (map renamed_round past) in
  point run' = point run /\ estimate P run' = estimate P run
  /\ forall i Js, (i < P)%nat ->
    local_run b eta noise' data' grad' (map renamed_round past) (new i) (estimate P run') (point run')
      (map (renamed_data (new i)) Js)
    = local_run b eta noise data grad past i (estimate P run) (point run) Js.
Proof.
  intros F run run'.
  enough (H : point run' = point run /\ forall i, (i < P)%nat -> table run' i = table run (old i)).
  { destruct H as [H H']. split; [exact H|].
    assert (E : estimate P run' = estimate P run).
    { unfold estimate. f_equal. apply (vsum_renamed P old new _ _ R), H'. }
    split; [exact E|]. intros. rewrite E, H. apply local_renamed. assumption. }
  unfold run, run'. clear run run'. induction past as [|c past IH].
  - cbn [map fledge]. destruct first as [I0|]; split; try reflexivity; intros i Hi.
    + cbn [option_map fledge_start fledge_start_I table snd]. f_equal.
      apply (vsum_in_renamed P old new I0 _ _ R). intros. apply fresh_renamed. assumption.
    + cbn [option_map fledge_start fledge_start_II table snd]. apply fresh_renamed, Hi.
  - inversion F as [|? ? Fc FF]; subst. specialize (IH FF). cbn [map fledge].
    set (s := fledge P p K b eta noise _ _ _ past) in *. set (s' := fledge P p K b eta noise' _ _ _ _) in *.
    clearbody s s'. destruct IH as [X T]. unfold point, table in X, T.
    assert (E : estimate P s' = estimate P s) by (unfold estimate; f_equal; apply (vsum_renamed P old new _ _ R), T).
    unfold fledge_round. cbn [renamed_round worker local clients fresh]. rewrite E, X, local_renamed by assumption.
    set (x' := fst (local_run _ _ _ _ _ _ _ _ _ _)). split; [reflexivity|]. intros i Hi.
    cbn [refresh table snd]. unfold renamed at 1. destruct (clients c (old i)); [apply fresh_renamed, Hi|].
    f_equal; [apply T, Hi|]. f_equal. apply (vsum_in_renamed P old new (clients c) _ _ R). intros l Hl.
    unfold fresh_change, renamed_family. rewrite X. apply data_mean_renamed; [assumption|]. intros j Hj.
    rewrite !same_data by assumption. reflexivity.
Qed.
End Names_of_clients.

(* The premises are met: the instance of instances.v, moved. *)
Example sledge_translation_inhabited n b eta noise (x0 c : line) first past :
  point (sledge n b eta noise (fun i x => outlier_gradient i (sub x c))
    (sledge_start n b (fun i x => outlier_gradient i (sub x c)) (add x0 c) first) past)
  = add (point (sledge n b eta noise outlier_gradient (sledge_start n b outlier_gradient x0 first) past)) c.
Proof.
  apply (sledge_translation n b eta noise outlier (fun i x => outlier i (sub x c))); try reflexivity; intros i _.
  - apply outlier_is_gradient.
  - apply shifted_gradient, outlier_is_gradient.
Qed.
(* Other names: the first two of n >= 2 indices change places. *)
Example renames_inhabited n : (2 <= n)%nat ->
  let swap i := match i with 0%nat => 1%nat | 1%nat => 0%nat | _ => i end in renames n swap swap.
Proof. intros Hn swap i Hi. destruct i as [|[|i]]; cbn; repeat split; lia. Qed.
