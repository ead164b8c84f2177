package bounds

import (
	"math"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
	"sledge/props/formula"
)

// The formulas of remark:ReduceDeltaDependency (lines 2022-2048).
const (
	// The second factors of lines 2028-2032 and 2041-2045: of the variant with large minibatches in the middle of each
	// phase, and of that with full gradients there.
	reducedFactor = "(√n/ε² + ρ²√n/δ⁴ + ζ²/(Lε²δ) + ζ²ρ²/(Lδ⁵))"
	fullFactor    = "(√n/ε² + ρ²√n/δ⁴ + nδ/(Lε²) + nρ²/(Lδ³))"
	// Over the first factor, the number of stochastic gradients of a run in phases of 2T_2 = 2L/δ steps, with one large
	// minibatch in each phase and √n otherwise; logarithms are 1.
	reducedCount = "(1/ε² + ρ²/δ⁴)(√n + (δ/(2L))ζ²/δ²)"
	fullCount    = "(1/ε² + ρ²/δ⁴)(√n + (δ/(2L))n)"
)

// refined is where the counts are compared with the formulas: Δ is at least 2δ³/(3ρ²), see
// phase-horizon-choice/corrected.
var refined = Vocabulary.MustDomain(`n ∈ [2, 1e9], L, ρ, ζ ∈ [2e-6 L, 2L], δ ∈ [1e-6 L, L], ε ∈ [1e-6, 1e6],
	Δ ∈ [2δ³/(3ρ²), 1e6 (2δ³/(3ρ²))], σ_c ∈ [1e-6 ε, 1e6 ε], G_c ∈ [σ_c, 1e6 σ_c]`)

// normalised is where methods are compared, in units with L = ρ = Δ = 1.
var normalised = unitsOfL.With(formula.Symbol{Name: "L"}, formula.Symbol{Name: "ρ"}).
	MustDomain("n ∈ [2, 1e20], L = 1, ρ = 1, ε ∈ [1e-6, 1], ζ ∈ [2e-6, 2]")

// The ranges of δ that the comparisons are about: what δ = O(√(ρε)) admits, and δ of the order √(ρε).
const (
	atMostRoot  = "δ ∈ [1e-6√ε, √ε]"
	aboutRoot   = "δ ∈ [√ε/2, 2√ε]"
	versusNests = "n + " + fullFactor + " = O(n + √n/ε² + n/δ³ + n^{3/4}/δ^{7/2})"
	versusPath  = "n + " + reducedFactor + " = O(n + √n/ε² + " + spiderTerms + ")"
)

func refinedClaims() []props.Binding {
	return []props.Binding{
		props.Bind("remark-batch-only-at-kick", props.Tail(setupPerturbation).Effort(0.25)),
		props.Bind("remark-reduced-complexity", props.All(
			refined.Order("n + LΔ"+reducedCount+" = Θ(n + LΔ"+reducedFactor+")"),
			props.Identity(tryPhaseCount).Effort(0.5))),
		props.Bind("remark-versus-spider", normalised.Order(atMostRoot+"; "+versusPath)),
		props.Bind("remark-versus-spider/corrected", normalised.Order(aboutRoot+"; "+versusPath)),
		// The count with full gradients in the middle of each phase, for Option I with b = √n.
		props.Bind("remark-full-gradient-variant", refined.Order("b = ⌈√n⌉; (LΔ + (n/b²)(σ_c² + G_c²/b))"+fullCount+
			" = Θ((LΔ + σ_c² + G_c²/b)"+fullFactor+")")),
		props.Bind("remark-versus-nested", normalised.Order(atMostRoot+"; "+versusNests)),
		props.Bind("remark-versus-nested/corrected", props.All(
			normalised.Order(aboutRoot+"; "+versusNests),
			normalised.Order(atMostRoot+", n ∈ [1/δ², 1e20 (1/δ²)]; "+versusNests))),
	}
}

// tryPhaseCount runs SLEDGE with the schedule of the remark and counts gradients.
func tryPhaseCount(src *props.Source, rec *props.Recorder) {
	in := drawInstance(src, ranges{n: problems.Sizes(1, 12), d: problems.Sizes(1, 2)})
	t2, phases := src.Int("T_2", 1, 5), src.Int("phases", 1, 4)
	small, large := algos.RootBatch(in.n), src.Int("large batch", 1, in.n)
	m := in.method()
	m.Batch, m.Schedule = small, algos.EscapeSchedule(t2, small, large)
	o := algos.NewOracle(algos.Sum(in.problem))
	if err := m.Start(o, in.x0, algos.Keyed(src.Key("run"))); err != nil {
		panic(err) // the ranges are valid
	}
	for range 2 * t2 * phases {
		m.Step()
	}
	rec.Equal("gradients of T/(2T_2) phases", float64(o.Counts().Gradients), float64(in.n+2*phases*((2*t2-1)*small+large)))
}

// stuckCB is the constant C_b of the simulation of coupled runs, both of the region δ/(C_bρ) and of the minibatch √n +
// C_b²ζ²/δ².
const stuckCB = 4

// setupPerturbation draws two coupled runs near a saddle, with the minibatch of the stuck region lemma at the
// perturbation and ⌈√n⌉ at all other steps.
func setupPerturbation(src *props.Source) props.TailTrial {
	in := drawStuck(src, saddleRange{P: problems.Sizes(2, 100), zeta: 10}, stuckCB, stuckCB).drawStart(src)
	large := in.b
	in.b = algos.RootBatch(in.P)
	in.eta = phaseStepSizeAt(in.L, in.zeta, in.P, in.b, 1)
	in.T = in.tau + int(math.Ceil(math.Log(4*in.radius/in.re)/math.Log1p(in.eta*in.gamma)))
	in.schedule = func(t int) int {
		if t == in.tau {
			return large
		}
		return in.b
	}
	return in.trial(in.share, true, func(t props.Trial, rec *props.Recorder) { in.growthBand(t, rec, 3, 1) })
}
