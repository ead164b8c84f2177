(* Real inner product spaces. *)
Record space := { vector :> Type;
  add : vector -> vector -> vector;
  scale : R -> vector -> vector;
  ip : vector -> vector -> R;
  ip_sym : forall u v, ip u v = ip v u;
  ip_add : forall u v w, ip (add u v) w = ip u w + ip v w;
  ip_scale : forall c u v, ip (scale c u) v = c * ip u v;
  ip_nonneg : forall u, 0 <= ip u u }.
Arguments add {s}.
Arguments scale {s}.
Arguments ip {s}.
Arguments ip_sym {s}.
Arguments ip_add {s}.
Arguments ip_scale {s}.
Arguments ip_nonneg {s}.

Lemma ip_add_r (E : space) (u v w : E) : ip u (add v w) = ip u v + ip u w.
Proof. rewrite !(ip_sym u). apply ip_add. Qed.
Lemma ip_scale_r (E : space) c (u v : E) : ip u (scale c v) = c * ip u v.
Proof. rewrite !(ip_sym u). apply ip_scale. Qed.
Lemma free a b t : a = b -> 0 <= t * (b - a).
Proof. intro H. rewrite H. lra. Qed.

Ltac expand := repeat first [rewrite ip_add | rewrite ip_add_r | rewrite ip_scale | rewrite ip_scale_r].

