// Package props is an engine that tries to refute quantitative statements and reports what it
// found.
//
// A [Claim] is a statement with an identity (id, place in the text, wording) and a [Check], one of
// a few kinds: [Identity], [Inequality], [Implication], [Order], [Exact] for statements without
// probability, and [Tail], [Mean], [Law], [Slope] and [Hitting] for statements about random
// quantities. The check brings the mathematics as a function; the kind brings the statistics, the
// search for counterexamples, their confirmation, their shrinking and their replay. Running a claim
// yields [Evidence], and the evidence alone determines the [Verdict].
//
// # Search and confirmation
//
// A search may look as long as it likes, but what it finds is a candidate, not evidence.
// Deterministic checks draw instances evenly, at corners and round values and in structured ways,
// attack the worst of them by mutations and by the simplex method, evaluate the winner again from
// its recorded choices alone, and make of a counterexample one as simple as they can
// ([Evidence.Simplest]).
//
// Randomised checks screen many instances by a few runs each, all of them where there are few, go
// on with the half that violates the statement most often, and vary what remains. Then they test
// several instances on randomness that the search has not seen: judged on the runs that selected
// it, the worst of many true instances looks false. Those that looked suspicious come first; the
// others are spread over sizes, alternatives and allowed probabilities. One instance that refutes
// is enough, and support takes all of them, inside the [Regime] in which the statement has content.
// Half of the screened instances or more lie evenly, every whole number of a short range among
// them, and where a run makes few comparisons, the effort is 1 or more and nothing is proved, four
// times as many are screened. The evidence says how many there were and, counting the even ones
// alone, which share of bad ones would have been met; reports say it beside the verdict. Runs that
// do not meet the premise count for neither side unless [TailTrial].Joint says so.
//
// # Rounding
//
// A comparison fails if the numbers differ by more than [RoundingBand], relative to the larger of
// them, to the magnitude that [Pair.Scale] states, and to whatever has been measured under the same
// name on the same instance: of an error that has fallen from 1 to 1e-10, nothing is judged but
// rounding. Two numbers that are asserted to be equal, without a stated scale, are looked at down
// to 1e-12 besides: a difference that stays what it is in every other arithmetic refutes, also one
// that an iteration leaves which ends at a tolerance: state its Scale. Pairs with [Pair.Exactly]
// are decided in rational arithmetic wherever that could matter, even where the rounded numbers are
// equal, and such a decision is certified.
//
// A violation that is not certified refutes only if it stands in other arithmetics: with all
// operations rounded down, up and to zero (package direction); with the last bits of all choices,
// of the vectors that the check gives to [Source.Perturb] and of whatever runs on a perturbed key
// ([keyed.Key.Perturbed]) moved at random besides, several times; and along rays from the instance.
// The comparison that fails must be there each time, ten times as large as its signed difference
// changes and larger than what the direction of rounding makes of other violations of its name. A
// check must therefore end in every direction of rounding: a loop that waits until a number no
// longer changes may not. Where the check perturbs none of its bulk numbers, their generators are
// stirred as well. Errors that no perturbation shows, such as those of 1 − cos x near 0, are
// bounded by the scale: a difference below a thousand unit roundoffs of 1, of the largest choice,
// of the stated scale, or of anything measured under the name, is in doubt. Where nothing but such
// violations is found, the evidence is inconclusive. A true violation among numbers far below 1
// needs Exactly.
//
// Some comparisons say nothing: an infinite bound, infinity against infinity, and two numbers below
// 1e-300, such as 0 against 0 without a scale, which may be what underflow has left of others. They
// are counted and never pass; a check that compares nothing else under a name is an error, and so
// are NaN and an infinite measurement.
//
// # Significance
//
// The family-wise level of a run, [Config.Alpha], is divided equally among slots, one for each
// confirmatory test; a refutation and a support of the same statement are exclusive and share a
// slot. The number of slots is the power of two that has room for all tests of the ledger at the
// tier ([Config.Tests]), so neither a selection of the claims nor a further one changes a number,
// and the division is valid under any dependence between tests. Probabilities and means are tested
// by e-processes in both directions, which may be watched after every run and stopped at any time,
// as may the limits that invert them; distributions by the Dvoretzky-Kiefer-Wolfowitz band; slopes
// by sign tests of the exponents of runs, which may be watched as well. An agreement up to a
// tolerance is refuted outside it, supported inside, and inconclusive where the test cannot tell. A
// violating run counts against a statement only if the violation is there again, as large to a
// tenth, when the last bits of everything are perturbed and its generators stirred. A claim is as
// good as its worst part. It is called loose if less than a hundredth of its bound supports it, or
// if its runs cannot be told from those of its negative control ([Control]); without a sharper form
// beside it, it is then consistent.
//
// # Randomness
//
// Every stream is derived from the seed, the id of the claim and its purpose (package keyed).
// Results are the same, to the bit, for any number of workers and any division of the claims among
// runs.
//
// The package knows nothing of any particular theory.
package props
