// Package algotest is a conformance suite for methods, one's own or those of package algos: it says what must hold of
// any method, and what must hold of one that declares a law of its estimator.
//
//	func TestMine(t *testing.T) {
//		algotest.Test(t, func(n int, eta float64) algos.Method { return &Mine{Eta: eta} }, algotest.Options{})
//	}
//
// [Test] and [Check] run the suite, [Examine] reports also what it could not check, [Cases] lists what it does. It is
// deterministic: a failure is a defect of the method, or a property that the method does not have and should name in
// [Options].Skip. It may miss a defect. On
// small problems it takes the mean of the estimator over all outcomes of the draws of a step, index sets and coins,
// and compares it with the [Law] that the method declares; it checks that a step is −η v plus the drawn noise where
// that is declared ([Move]), that the gradients asked for are those of the drawn sets, that their order does not
// matter, and, where an independent naive form is given, that both make the same run. Where nothing is declared it
// looks for a law by itself: a finite-sum method whose estimator is neither unbiased nor has a mean error that
// contracts, nor is an average of gradients, fails until it declares [NoLaw]; what it found is among what was not
// checked.
//
// Without a naive form it cannot see what leaves these means alone: another variance (two independent sets in one
// difference, a table that is renewed too rarely), another batch size or period than was meant, a wrong probability
// of a coin. Of federated methods with several local steps it knows no law; with a naive form it sees all that
// changes a run. Where a step has more outcomes than can be enumerated it says so.
//
// [Forms] lists the methods of the catalogue with what they declare. [Faults] are defects that turn any method into a
// wrong one, for those who want to test a test. [Observe] runs a method and says what it asked for and what it holds,
// seen from the problem.
package algotest
