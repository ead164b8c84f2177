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
// from its recorded choices alone, and make a counterexample as simple as they can. Randomised checks search by short pilot runs and then
// test the most suspicious instances on randomness that the search has not seen: judged on the runs that selected it, the worst of many
// true instances looks false.
//
// # Rounding
//
// A comparison fails if the numbers differ by more than [RoundingBand], relative to the larger of them and to the magnitude that
// [Pair.Scale] states. Pairs with [Pair.Exactly] are decided in rational arithmetic wherever that could matter, and such a decision is
// certified. Numbers that cannot be compared (NaN, an infinite measurement) are an error of the check.
//
// # Significance
//
// The family-wise level of a run, [Config.Alpha], is divided equally among slots, one for each confirmatory test; a refutation and a
// support of the same statement are exclusive and share a slot. The number of slots is the power of two that has room for all tests of the ledger
// at the tier ([Config.Tests]), so neither a selection of the claims nor a further one changes a number, and the division is valid under any
// dependence between tests. Probabilities and means are tested by e-processes in both
// directions, which may be watched after every run and stopped at any time; distributions by the Dvoretzky-Kiefer-Wolfowitz band; slopes
// by t intervals over seeds. Support of a statement about all instances extends to the tested instances only; the search is what
// stands behind the rest.
//
// # Randomness
//
// Every stream is derived from the seed, the id of the claim and its purpose (package keyed). Results are the same, to the bit, for any
// number of workers and any division of the claims among runs.
//
// The package knows nothing of any particular theory.
package props
