package bounds

import (
	"math"

	"sledge/algos/problems"
	"sledge/props"
	"sledge/props/formula"
)

// auxiliaryD is the bound of lemma:Dist-First-Auxiliary-D (lines 2271-2278); moved is the sum of
// ‖x^s − x^{s−1}‖² over the last T_3 rounds. The lemma is false with ζ_d = ζ, the distance of the
// Hessians of clients, and true with the gradient Lipschitz constant L.
var auxiliaryD = formula.Must(words, "(4C_1¹⁰ζ_d²/(pKb))moved").Of("C_1", "ζ_d", "p", "K",
	"b", "moved")

// constantOf picks the constant that a reading of the lemmas uses for the data of a client.
type constantOf func(in *instance) float64

func zetaOf(in *instance) float64      { return in.Zeta.Value }
func lipschitzOf(in *instance) float64 { return in.L.Value }

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

func auxiliaryDClaims() []props.Binding {
	azuma := func(p *path, c1, moved float64) float64 {
		return math.Pow(c1, 6) * sq(p.L.Value) / float64(p.p*p.K*p.b) * moved
	}
	return []props.Binding{
		props.Bind("dist-lemma-d/corrected", batchPart(varied, 1, "b", "‖(b)‖²", (*path).counted,
			func(p *path, c1, moved float64) float64 {
				return auxiliaryD.At(c1, p.L.Value, float64(p.p), float64(p.K), float64(p.b), moved)
			})),
		props.Bind("dist-lemma-d-bernstein/corrected", oneBatch(varied.rounds(2, 4), 4,
			"‖(1/(pKb))Σ_{I^s}Σ_J(…)‖²", func(p *path, c1 float64) float64 {
				return math.Pow(c1, 4) * sq(p.L.Value) / float64(p.p*p.K*p.b)
			}).Effort(runEffort)),
		props.Bind("dist-lemma-d-azuma/corrected", batchPart(varied, 0.5, "", "mean part of (b)",
			(*path).expected, azuma)),
		props.Bind("dist-lemma-d-second/corrected", deviationPart(varied, 0.5,
			func(p *path, c1, moved float64) float64 {
				return math.Pow(c1, 10) * sq(p.L.Value) / float64(p.p*p.p*p.K*p.b) * moved
			})),
	}
}
