// Package props is an engine that tries to refute quantitative statements and reports what it found.
//
// A [Claim] is a statement with an identity (id, place in the text, wording) and a [Check], one of a few kinds: [Identity],
// [Inequality], [Implication], [Order], [Exact], [Dimensional] for statements without probability, and [Tail], [Mean], [Law], [Slope] and
// [Hitting] for statements about random quantities. The check brings the mathematics as a function; the kind brings the statistics, the search
// for counterexamples, their confirmation, their shrinking and their replay. Running a claim yields [Evidence], and the evidence
// alone determines the [Verdict].
//
// # Search and confirmation
//
// A search may look as long as it likes, but what it finds is a candidate, not evidence. Deterministic checks draw instances evenly, at
// corners and round values and in structured ways, attack the worst of them by mutations and by the simplex method, evaluate the winner again
// from its recorded choices alone, and make a counterexample as simple as they can.
//
// Randomised checks screen many instances by a few runs each, all of them where there are few, go on with the half that violates the statement most
// often, and vary what remains. Then they test several instances on randomness that the search has not seen: judged on the runs that
// selected it, the worst of many true instances looks false. Those that looked suspicious come first; the others are spread over sizes, alternatives and
// allowed probabilities. One instance that refutes is enough, and support takes all of them, inside the [Regime] in which the statement has content.
// The evidence says how many instances were screened and which share of bad ones would have been met. Runs that do not meet the premise count for
// neither side unless [TailTrial].Joint says so.
//
// # Rounding
//
// A comparison fails if the numbers differ by more than [RoundingBand], relative to the larger of them and to the magnitude that
// [Pair.Scale] states. Pairs with [Pair.Exactly] are decided in rational arithmetic wherever that could matter, and such a decision is
// certified. Numbers that cannot be compared (NaN, an infinite measurement) are an error of the check.
//
// # Significance
//
// The family-wise level of a run, [Config.Alpha], is divided among 1024 fixed slots, one for each confirmatory test; a refutation and a
// support of the same statement are exclusive and share a slot. The division does not depend on which claims are run, so adding a claim
// changes no number, and it is valid under any dependence between tests. Probabilities and means are tested by e-processes in both
// directions, which may be watched after every run and stopped at any time, as may the limits that invert them; distributions by the
// Dvoretzky-Kiefer-Wolfowitz band; slopes by t intervals over seeds. An agreement up to a tolerance is refuted outside it, supported inside, and
// inconclusive where the test cannot tell. A violating run counts against a statement only if the violation is there again when the last bits of
// everything are perturbed. A claim is as good as its worst part; supported with less than a hundredth of its bound, and without a sharper form,
// it is consistent and called loose.
//
// # Randomness
//
// Every stream is derived from the seed, the id of the claim and its purpose (package keyed). Results are the same, to the bit, for any
// number of workers and any division of the claims among runs.
//
// The package knows nothing of any particular theory.
package props
