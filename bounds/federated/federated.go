// Package federated holds the results about FLEDGE, one file each: formulas with the constants of the paper beside the claims about them.
package federated

import "sledge/props"

// Claims returns the claims of the package, result by result in the order of the paper.
func Claims() []props.Binding {
	var out []props.Binding
	for _, file := range []func() []props.Binding{
		estimatorClaims,
		varianceClaims,
		auxiliaryDClaims,
		auxiliaryEClaims,
		auxiliaryCClaims,
		auxiliaryFClaims,
		stationaryClaims,
		roundsClaims,
		scalingClaims,
		momentClaims,
		pairClaims,
		inductionClaims,
		stuckClaims,
		escapeClaims,
		relaxClaims,
		secondClaims,
		secondRunClaims,
		phaseClaims,
		plClaims,
		plAssumptionClaims,
		plRateClaims,
		plProofClaims,
	} {
		out = append(out, file()...)
	}
	return out
}
