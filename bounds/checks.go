package bounds

import (
	"slices"

	"sledge/props"
)

// Claims binds the checks of the results about SLEDGE and FLEDGE to the ids of their entries in the
// ledger, with the file and line of each.
func Claims() []props.Binding {
	return slices.Concat(
		descentClaims(),
		estimatorClaims(), clientEstimatorClaims(),
		varianceClaims(),
		exactTailClaims(),
		auxiliaryAClaims(), auxiliaryBClaims(), auxiliaryCClaims(), initialNoiseClaims(),
		adaptiveClaims(), adaptivePairClaims(), adaptiveClientClaims(), laboratoryClaims(),
		auxiliaryDClaims(), auxiliaryEClaims(), auxiliaryFClaims(),
		momentClaims(), tableMomentClaims(), bracketClaims(),
		targetClaims(), horizonUseClaims(), sampleTailClaims(),
		scalingClaims(),
		couplingClaims(), pairClaims(), pairTermClaims(), tablePairClaims(),
		inductionClaims(), stuckClaims(), escapeTimeClaims(), relaxClaims(), refinedClaims(),
		sospClaims(), phaseClaims(), plClaims(), plAssumptionClaims(),
	)
}
