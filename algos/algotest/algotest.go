// Package algotest says what must hold of a method: a conformance suite for any method, and the claims about the
// algorithms themselves.
//
// [Test] and [Check] run the suite, [Examine] reports also what it could not check, [Cases] lists what it does. On
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
// [Faults] are defects that turn any method into a wrong one, for those who want to test a test.
package algotest

import "sledge/props"

// Claims returns the claims of the package, result by result in the order of the paper.
func Claims() []props.Binding {
	var out []props.Binding
	for _, file := range []func() []props.Binding{
		preliminaryClaims,
		auditClaims,
		sledgeClaims,
		equivarianceClaims,
		decompositionClaims,
		efficientClaims,
		estimatorErrorClaims,
		fledgeClaims,
		protocolClaims,
		formalClaims,
		identityClaims,
		federatedIdentityClaims,
		costClaims,
		estimatorClaims,
		curvatureClaims,
	} {
		out = append(out, file()...)
	}
	return out
}
