package bounds

import (
	"slices"

	"sledge/props"
)

// Claims binds the checks of the results about SLEDGE and FLEDGE.
func Claims() []props.Binding {
	return slices.Concat(
		descentClaims(),
		estimatorClaims(),
		varianceClaims(),
		auxiliaryAClaims(), auxiliaryBClaims(), auxiliaryCClaims(),
		auxiliaryDClaims(), auxiliaryEClaims(), auxiliaryFClaims(),
		momentClaims(), fledgeMomentClaims(),
		firstMainClaims(), targetClaims(), roundsClaims(), scalingClaims(),
		pairClaims(), pairTermClaims(), fledgePairClaims(),
		inductionClaims(), fledgeInductionClaims(),
		stuckClaims(), stuckClientClaims(),
		escapeClaims(), escapeRoundClaims(), relaxClaims(), refinedClaims(),
		sospClaims(), secondClaims(), secondRunClaims(), phaseClaims(), roundPhaseClaims(),
		plClaims(), plProofClaims(), fledgePLClaims(), plAssumptionClaims(), plRateClaims(), fledgePLProofClaims(),
	)
}
