#!/usr/bin/env bash
# Compiles the theory from scratch, in a directory of its own: build.sh [DIR]. Needs coqc (8.16) and the library
# Coquelicot. Refuses what is admitted or assumed, prints on what the main theorems rest.
set -euo pipefail
cd "$(dirname "$0")"
dir=${1:-$(mktemp -d)}
mkdir -p "$dir"
if grep -nE '^[[:space:]]*(Admitted|Axiom|Axioms|Parameter|Parameters|Conjecture)\b|\b(admit|Admitted)[.;]' ./*.v; then
  echo "theory: the lines above assume what is to be proved" >&2
  exit 1
fi
cp _CoqProject ./*.v "$dir"
cd "$dir"
coq_makefile -f _CoqProject -o Makefile
make -j"${JOBS:-2}"
known='ClassicalDedekindReals.sig_forall_dec|ClassicalDedekindReals.sig_not_dec|Classical_Prop.classic'
known+='|FunctionalExtensionality.functional_extensionality_dep'
# Names of assumptions begin their lines; what they say may follow on the next.
if coqc -Q . Sledge assumptions.v | grep -vE '^ |^Axioms:|^Closed under' | sed 's/ *:.*//' | grep -vxE "$known"; then
  echo "theory: the lines above are assumed, besides the axioms of the classical reals" >&2
  exit 1
fi
