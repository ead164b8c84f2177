package bounds

import (
	"sledge/algos/problems"
	"sledge/props"
)

// varied are the ranges in which the data of a client do differ in Hessian, and clients agree in
// half of the draws.
var varied = ranges{K: localSteps, agree: true,
	within: []problems.Pattern{problems.TwoCluster, problems.Signs,
		problems.Outlier, problems.Pairs, problems.RankOne, problems.Random},
	spare: problems.Sizes(1, 6), apart: 0.5}

// steadyRounds are ranges of rounds of about the same length, with clients that agree, hold two
// clusters of data and are mostly not drawn a second time: there sums over rounds come closest to
// bounds on them.
var steadyRounds = ranges{P: problems.Sizes(8, 40), K: problems.Sizes(1, 2),
	b: problems.Sizes(1, 2), spare: problems.Sizes(1, 4), few: true,
	between: []problems.Pattern{problems.None}, within: []problems.Pattern{problems.TwoCluster},
	apart: 1, etaL: 0.1}

func (l ranges) rounds(lo, hi int) ranges { l.T = problems.Sizes(lo, hi); return l }

// The lemma is false with ζ, the distance of the Hessians of clients, and true with L, the gradient
// Lipschitz constant.
func auxiliaryDClaims() []props.Binding {
	return []props.Binding{
		props.Bind("dist-lemma-d/corrected", batchPart(varied, 1, "b", "‖(b)‖²", (*path).counted,
			"(4C_1¹⁰L²/(pKb))moved")),
		props.Bind("dist-lemma-d-bernstein/corrected", oneBatch(varied.rounds(2, 4), 4,
			"‖(1/(pKb))Σ_{I^s}Σ_J(…)‖²", "C_1⁴L²moved/(pKb)").Effort(runEffort)),
		props.Bind("dist-lemma-d-azuma/corrected", batchPart(varied, 0.5, "", "mean part of (b)",
			(*path).expected, "(C_1⁶L²/(pKb))moved")),
		props.Bind("dist-lemma-d-second/corrected", deviationPart(varied, 0.5,
			"(C_1¹⁰L²/(p²Kb))moved")),
	}
}
