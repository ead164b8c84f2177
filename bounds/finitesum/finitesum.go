// Package finitesum holds the results about SLEDGE, one file each: formulas with the constants of the paper beside the claims about them.
package finitesum

import "sledge/props"

// Claims returns the claims of the package, result by result in the order of the paper.
func Claims() []props.Binding {
	var out []props.Binding
	for _, file := range []func() []props.Binding{
		descentClaims,
		estimatorClaims,
		varianceClaims,
		auxiliaryAClaims,
		auxiliaryBClaims,
		auxiliaryCClaims,
		momentClaims,
		stationaryClaims,
		targetClaims,
		pairClaims,
		pairTermClaims,
		inductionClaims,
		stuckClaims,
		escapeClaims,
		sospClaims,
		phaseClaims,
		refinedClaims,
		plClaims,
		plProofClaims,
	} {
		out = append(out, file()...)
	}
	return out
}
