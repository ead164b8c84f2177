// Package algotest is a conformance suite for methods, one's own or those of package algos: what
// must hold of every method, and what must hold of one that declares a law of its estimator.
//
//	func TestMine(t *testing.T) {
//		algotest.Test(t, func(n int, eta float64) algos.Method { return &Mine{Eta: eta} }, algotest.Options{})
//	}
//
// [Test] runs the suite as subtests and [Check] outside of tests; [Examine] reports also what it
// could not check; a case that fails says why it exists. The suite is deterministic. A failure is a
// defect of the method, or a property that the method does not have and names in the Skip of its
// [Options]; a method that passes may still be wrong.
//
// # What is checked
//
// Without any declaration: that runs repeat and restart, that every gradient goes through the
// metered oracle, that bad inputs are refused, that a step allocates nothing, and that a run
// follows translations, rotations, changes of scale and new labels of the components. The gradients
// asked for must be those of the drawn sets, and the order of a set must not matter.
//
// On small problems the suite takes the mean of the estimator over all outcomes of the draws of a
// step, index sets and coins, and compares it with the [Law] that the method declares. Where
// nothing is declared it looks for a law by itself: a finite-sum method whose estimator is neither
// unbiased nor has a mean error that contracts, nor is an average of gradients, fails until it
// declares [NoLaw]; what was found is among what was not checked. A method that declares
// [AlongEstimator] must step by −η v plus the drawn noise. One that comes with an independent naive
// form of itself must make the same run.
//
// # What is not
//
// Without a naive form the suite cannot see what leaves these means alone: another variance (two
// independent sets in one difference, a table that is renewed too rarely), another batch size or
// period than was meant, a wrong probability of a coin. Of federated methods with several local
// steps it knows no law; with a naive form it sees all that changes a run. Where a step has more
// outcomes than can be enumerated it says so.
//
// # Besides
//
// [Forms] lists the methods of the catalogue with what they declare. [Faults] are defects that turn
// any method into a wrong one, for those who want to test a test. [Observe] runs a method and says,
// seen from the problem, what it asked for and what it holds.
package algotest
