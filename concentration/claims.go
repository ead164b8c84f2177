package concentration

import (
	"slices"

	"sledge/props"
)

// Claims returns the claims about tail inequalities and their proofs, in the order of the paper.
func Claims() []props.Binding {
	return slices.Concat(
		vectorBernstein,
		noReplacementHighProbability,
		scaledSumMartingale,
		[]props.Binding{incrementVariance},
		eigenPower,
		[]props.Binding{unsampledConditionalMean},
		unsampledDeviationTail,
		[]props.Binding{unsampledCountUnrolled, unsampledCountMean},
		unsampledCountConcentration,
		coverageUnion,
	)
}
