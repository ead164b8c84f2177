(* What Tables 1 and 2 say of formulas for numbers of gradients and of rounds, in units with L = rho = 1.

   Contents
     table_1_second_order  the entry of Option II for second-order points, expanded (line 104)
     table_2_dominance     FLEDGE's entry is at most a constant times those of FedAvg, SCAFFOLD and
                           MimeMVR if p >= sqrt P (line 223) *)
From Coq Require Import Reals Lra.
Open Scope R_scope.

(* sqrt n/eps^2 + sqrt n/delta^4 + zeta^2/(eps^2 delta^2) + zeta^2/delta^6 = (sqrt n + zeta^2/delta^2)(1/eps^2 +
  1/delta^4) *)
Theorem table_1_second_order n zeta eps delta : 0 < eps -> 0 < delta ->
  sqrt n / eps ^ 2 + sqrt n / delta ^ 4 + zeta ^ 2 / (eps ^ 2 * delta ^ 2) + zeta ^ 2 / delta ^ 6
  = (sqrt n + zeta ^ 2 / delta ^ 2) * (1 / eps ^ 2 + 1 / delta ^ 4).
Proof. intros. field. lra. Qed.

(* With 0 <= zeta <= 2 L = 2, zeta <= zeta' and any numbers of clients P, of which p take part, and of local steps K,
   at sqrt P <= p <= P, K >= 1:
       1/(K eps^2) + zeta sqrt P/(p eps^2) + zeta/eps^2
   is at most 5 times the entries of FedAvg and SCAFFOLD and 2 times that of MimeMVR. *)
Theorem table_2_dominance P p K zeta zeta' sigma eps : 1 <= K -> 1 <= P -> sqrt P <= p <= P -> 0 <= zeta <= 2 ->
  zeta <= zeta' -> 0 <= sigma -> 0 < eps ->
  let fledge := 1 / (K * eps ^ 2) + zeta * sqrt P / (p * eps ^ 2) + zeta / eps ^ 2 in
  fledge <= 5 * (sigma ^ 2 / (p * eps ^ 4) + sigma / eps ^ 3 + 1 / eps ^ 2)
  /\ fledge <= 5 * (1 / eps ^ 2 * Rpower (P / p) (2 / 3))
  /\ fledge <= 2 * (zeta' * sigma / (sqrt p * eps ^ 3) + sigma ^ 2 / (p * eps ^ 2) + 1 / (K * eps ^ 2) + zeta' / eps ^
    2).
Proof.
  intros HK HP [Hp Hp'] Hz Hz' Hs He fledge.
  assert (s1 : 1 <= sqrt P) by (rewrite <- sqrt_1; apply sqrt_le_1; lra).
  assert (p0 : 0 < p) by lra.
  assert (e2 : 0 < / eps ^ 2) by (apply Rinv_0_lt_compat, pow_lt, He).
  assert (K1 : 0 < / K <= 1).
  { split; [apply Rinv_0_lt_compat; lra|]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra. }
  assert (R1 : sqrt P / p <= 1).
  { apply Rmult_le_reg_r with p; [assumption|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (R0 : 0 <= sqrt P / p) by (apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]).
  assert (F : fledge = / eps ^ 2 * (/ K + zeta * (sqrt P / p) + zeta)) by (unfold fledge; field; lra).
  assert (Z : zeta * (sqrt P / p) <= zeta * 1) by (apply Rmult_le_compat_l; lra).
  assert (F5 : fledge <= 5 * (1 / eps ^ 2)).
  { rewrite F. unfold Rdiv. rewrite Rmult_1_l, (Rmult_comm 5). apply Rmult_le_compat_l; lra. }
  assert (N : forall k m : R, 0 <= k -> 0 < m -> 0 <= k / m).
  { intros k m Hk Hm. apply Rmult_le_pos; [assumption|left; apply Rinv_0_lt_compat, Hm]. }
  assert (pe : forall k, 0 < eps ^ k) by (intro; apply pow_lt, He).
  assert (s2 : 0 <= sigma ^ 2) by (apply pow_le, Hs).
  split; [|split].
  - pose proof (N (sigma ^ 2) (p * eps ^ 4) s2 (Rmult_lt_0_compat _ _ p0 (pe _))).
    pose proof (N sigma (eps ^ 3) Hs (pe _)). lra.
  - eapply Rle_trans; [exact F5|]. apply Rmult_le_compat_l; [lra|].
    rewrite <- (Rmult_1_r (1 / eps ^ 2)) at 1. apply Rmult_le_compat_l; [apply N; [lra|apply pe]|].
    assert (Q : 1 <= P / p).
    { apply Rmult_le_reg_r with p; [assumption|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
    destruct Q as [Q|Q].
    + rewrite <- (Rpower_O (P / p)) by lra. left. apply Rpower_lt; lra.
    + rewrite <- Q. unfold Rpower. rewrite ln_1, Rmult_0_r, exp_0. lra.
  - assert (sp : 0 < sqrt p) by (apply sqrt_lt_R0, p0).
    assert (zs : 0 <= zeta' * sigma) by (apply Rmult_le_pos; lra).
    pose proof (N (zeta' * sigma) (sqrt p * eps ^ 3) zs (Rmult_lt_0_compat _ _ sp (pe _))).
    pose proof (N (sigma ^ 2) (p * eps ^ 2) s2 (Rmult_lt_0_compat _ _ p0 (pe _))).
    assert (F2 : fledge <= 2 * (1 / (K * eps ^ 2) + zeta' / eps ^ 2)); [|lra].
    replace (2 * (1 / (K * eps ^ 2) + zeta' / eps ^ 2)) with (/ eps ^ 2 * (2 * / K + 2 * zeta')) by (field; lra).
    rewrite F. apply Rmult_le_compat_l; lra.
Qed.
