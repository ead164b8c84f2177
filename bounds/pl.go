package bounds

import (
	"math"

	"sledge/algos"
	"sledge/props"
	"sledge/props/formula"
)

func plClaims() []props.Binding {
	return []props.Binding{
		props.Bind("dpl-remark-final/sharper", checkExpectedPLRounds()),
		props.Bind("dpl-step-size-list/corrected",
			props.Order(func(src *props.Source) (float64, float64) {
				s := drawPLSizes(src)
				eta := s.PLStep(algos.FLEDGEPLFactor)
				return plMovementLoss(s, eta), 1 / (2 * eta)
			})),
		props.Bind("dpl-step-size-coefficient",
			props.Implication(func(src *props.Source, rec *props.Recorder) {
				s := drawPLStep(src)
				eta := s.PLStep(algos.FLEDGEPLFactor * src.LogReal("27c", 1e-3, 1))
				rec.AtMost("L/2 + Σ_s… + ηΣ_k… against 1/(2η)", plMovementLoss(s, eta), 1/(2*eta))
			})),
	}
}

// The right-hand side of lemma:Dist-First-VarianceBound (lines 2242-2254) in two parts: what
// clients and their data, of Hessian distance ζ_d, cost in the table for each unit of movement, and
// what the local steps of a round cost.
var (
	lossWords   = Symbols("local")
	tableLossAt = formula.Must(lossWords, "K(120C_1⁸ζ²K/p + 32C_1¹⁰ζ_d²/(pb))").
			Of("C_1", "ζ", "ζ_d", "p", "K", "b")
	localLossAt = formula.Must(lossWords, "4ζ²K + 4C_1²L²/b").Of("C_1", "ζ", "L", "K", "b")
)

// plMovementLoss is what lines 3294-3297 subtract from 1/(2η) in the coefficient of ‖x^{t,k} −
// x^{t,k−1}‖², with ⌈T_3⌉ rounds in the window.
func plMovementLoss(s algos.FLEDGETheory, eta float64) float64 {
	table := tableLossAt.At(s.C1, s.Zeta, s.Data, s.Chosen, s.K, s.B)
	local := localLossAt.At(s.C1, s.Zeta, s.L, s.K, s.B)
	perRound := -s.K * math.Log1p(-eta*s.Mu/2)
	return s.L/2 + eta*table*math.Exp(perRound)*powerSum(perRound, math.Ceil(s.P/s.Chosen*s.C1)) +
		eta*local*powerSum(perRound/s.K, s.K)*math.Exp(-perRound/s.K)
}

// powerSum is Σ_{j=1}^n e^{jx} for x > 0.
func powerSum(x, n float64) float64 { return math.Exp(x) * math.Expm1(n*x) / math.Expm1(x) }

// drawPLSizes draws the setting over many decades, in units with L = 1. Counts are real numbers. An
// [props.Order] check enlarges its ranges from the middle outwards: half of each is clamped to its
// end next to 1, so that this end is in sight from the start, and only unbounded growth shows as
// growth.
func drawPLSizes(src *props.Source) algos.FLEDGETheory {
	const most = 1e9
	from := func(least float64, name string) float64 {
		return src.Clamped(name, 1/most, most, least, most)
	}
	share := func(name string) float64 { return src.Clamped(name, 1/most, most, 1/most, 1) }
	s := algos.FLEDGETheory{L: 1, Data: 1, C1: 1, P: from(Several, "P"), K: from(1, "K"),
		B: from(1, "b")}
	s.Chosen = max(1, s.P*share("p/P"))
	s.Mu = 1 / from(1, "L/μ")
	s.Zeta = 2 * share("ζ/2L")
	return s
}

// drawPLStep draws what the coefficient depends on, with clients and data of any heterogeneity up
// to 2L.
func drawPLStep(src *props.Source) algos.FLEDGETheory {
	s := algos.FLEDGETheory{L: 1, C1: src.LogReal("C_1", 1, 100),
		P: float64(src.LogInt("P", Several, 1e6)), K: float64(src.LogInt("K", 1, 1e4)),
		B: float64(src.LogInt("b", 1, 1e6))}
	s.Chosen = float64(src.LogInt("p", 1, int(s.P)))
	s.Mu, s.Zeta = src.LogReal("μ/L", 1e-6, 1), src.LogReal("ζ/L", 1e-6, 2)
	s.Data = src.LogReal("Hessian distance of data / L", 1e-6, 2)
	// all parts of the coefficient count where entries are alike, and most where the window is much
	// longer than C_1P/p for being whole
	if src.Bool("entries of the step size alike") {
		s.C1 = src.Real("C_1 there", 1, 2)
		s.P = float64(src.Int("P there", Several, 8))
		s.Chosen = float64(src.Int("p there", 1, int(s.P)))
		part := s.Chosen / (s.C1 * s.K * s.P)
		s.Mu = min(1, part*src.LogReal("μ over where its entry is 1/L", 0.1, 10))
		s.Zeta = min(2, 1/s.K, part*math.Sqrt(s.P)/math.Pow(s.C1, 3.5))
		s.Data = min(2, part*math.Sqrt(s.P*s.K*s.B)/math.Pow(s.C1, 4.5))
	}
	return s
}
