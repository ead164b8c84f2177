From Coq Require Import Reals ZArith Lra Psatz.
From Interval Require Import Tactic.
Open Scope R_scope.

(* A comparison of numbers without variables. *)
Ltac minimum side := match goal with
  | |- context [Rmin ?a ?b] => first [rewrite (Rmin_left a b) by side | rewrite (Rmin_right a b) by side]
  | |- context [Rmax ?a ?b] => first [rewrite (Rmax_left a b) by side | rewrite (Rmax_right a b) by side]
  end.
Ltac plainly := first [reflexivity | lra | interval | unfold Rpower; interval with (i_prec 200) | field; lra].
Ltac numbers := first [plainly | minimum numbers; numbers].

