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

// checkLemmaD compares (b) with its bound at all rounds of a run.
func checkLemmaD() props.Check {
	return termOnRuns(varied, 1, "b", "‖(b)‖²",
		func(p *path, v []float64, c1 float64, t3, t int) float64 {
			from, count := windowStart(t, t3), p.unsampled(t)
			p.changeTerm(v, from, t, func(s int) float64 { return float64(count[s]) })
			return auxiliaryD.At(c1, p.L.Value, float64(p.p), float64(p.K),
				float64(p.b), p.window(from, t))
		})
}

// checkNoiseOfRound compares ‖ΣΣ(…)‖² of one round with C_1⁴L²pKb‖x^s − x^{s−1}‖², all rounds
// together with the probability T·ν/(4T²).
func checkNoiseOfRound() props.Check {
	return props.Tail(func(src *props.Source) props.TailTrial {
		in := draftRun(src, varied.rounds(2, 4))
		nu := src.LogReal("nu", 0.3, 0.6)
		c1 := in.literalC1(nu)
		delta := nu / (4 * float64(in.T))
		return props.TailTrial{Delta: delta, Regime: in.content().And(props.Allowed(delta)),
			Run: func(t props.Trial, rec *props.Recorder) {
				p := in.trial(t)
				for s := 1; s <= p.T; s++ {
					rec.AtMost("‖Σ_{I^s}Σ_J(…)‖² at every s", p.squared(p.changeNoise()[s]),
						math.Pow(c1, 4)*sq(in.L.Value)*float64(in.p*in.K*in.b)*p.moved[s])
				}
			}}
	}).Effort(runEffort)
}

// checkMeanPart compares the part of (b) with E|Ĩ_s^t| with a power of C_1 times L²/(pKb) and the
// movement in the window.
func checkMeanPart(l ranges, power float64) props.Check {
	return termOnRuns(l, 0.5, "", "mean part of (b)",
		func(p *path, v []float64, c1 float64, t3, t int) float64 {
			from := windowStart(t, t3)
			p.changeTerm(v, from, t, func(s int) float64 { return p.expectedUnsampled(s, t) })
			return math.Pow(c1, power) * sq(p.L.Value) / float64(p.p*p.K*p.b) *
				p.window(from, t)
		})
}

// checkDeviationPart compares Σ_s C_1(|Ĩ_s^t| − E|Ĩ_s^t|)²/(Pp³K²b²)‖ΣΣ(…)‖² with
// (C_1¹⁰L²/(p²Kb))Σ‖x^s − x^{s−1}‖² at all rounds of a run.
func checkDeviationPart() props.Check {
	return tailOnRuns(varied, 0.5, func(p *path, c1 float64, t3 int, rec *props.Recorder) {
		for t := 1; t <= p.T; t++ {
			from, count, sum := windowStart(t, t3), p.unsampled(t), 0.0
			for s := from; s <= t; s++ {
				sum += sq(float64(count[s])-p.expectedUnsampled(s, t)) *
					p.squared(p.changeNoise()[s])
			}
			pKb := float64(p.p * p.K * p.b)
			rec.AtMost("deviation part at every t", c1*sum/(float64(p.P*p.p)*sq(pKb)),
				math.Pow(c1, 10)*sq(p.L.Value)/(float64(p.p)*pKb)*p.window(from, t))
		}
	})
}

func auxiliaryDClaims() []props.Binding {
	return []props.Binding{
		props.Bind("dist-lemma-d/corrected", checkLemmaD()),
		props.Bind("dist-lemma-d-bernstein/corrected", checkNoiseOfRound()),
		props.Bind("dist-lemma-d-azuma/corrected", checkMeanPart(varied, 6)),
		props.Bind("dist-lemma-d-second/corrected", checkDeviationPart()),
	}
}
