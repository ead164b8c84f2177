package bounds

import (
	"math"
	"slices"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
)

// firstTarget is an instance with a horizon, the accuracy that a theorem promises within it, and the probability with
// which it may fail.
type firstTarget struct {
	*instance
	eps, fail float64
}

// hit runs SLEDGE for T−1 steps and returns the first t with ‖∇f(x^t)‖ ≤ ε.
func (in *firstTarget) hit(t props.Trial) (int, bool) {
	monitor, m, share := algos.NewMonitor(algos.Sum(in.problem)), in.method(), Share{}
	defer share.Report(t)
	return search(m, in.problem, in.x0, algos.Keyed(t.Key), in.T-1, func(x []float64) bool {
		norm := monitor.GradientNorm(x)
		share.Step(monitor.ErrorSquared(m.Estimator(), x), sq(norm))
		return norm <= in.eps
	})
}

// regime asks besides the usual that x⁰ is no solution, by a factor of 2.
func (in *firstTarget) regime() props.Regime {
	far := props.Condition{What: "‖∇f(x⁰)‖ ≥ 2ε",
		Met: algos.NewMonitor(algos.Sum(in.problem)).GradientNorm(in.x0) >= 2*in.eps}
	return in.shape().And(Steps(in.T), props.Allowed(in.fail), far)
}

// drawFirstTarget draws a quadratic with the given heterogeneity relative to its curvature and a start from which x⁰ is
// not a solution already: along the direction of largest curvature.
func drawFirstTarget(src *props.Source, least, most float64) *firstTarget {
	n, d := src.Int("n", 2, 32), src.Int("d", 1, 5)
	between := problems.Heterogeneity{Pattern: props.OneOf(src, "pattern", heterogeneous...),
		Hessian: src.LogReal("zeta / largest mean curvature", least, most), Linear: src.Real("linear spread", 0, 3)}
	spectrum := []float64{1}
	for len(spectrum) < d {
		spectrum = append(spectrum, spectrum[len(spectrum)-1]/src.LogReal("ratio of curvatures", 1, 30))
	}
	p := props.Must(problems.MakeQuadratic(n, problems.QuadraticMean{Spectrum: spectrum, Between: between},
		src.Rand("directions")))
	in := &firstTarget{instance: &instance{problem: p, n: n, d: d, b: src.Int("b", 1, n)}}
	in.option = algos.Option(src.Pick("option", "II", "I"))
	in.T = src.LogInt("T", 50, 2000)
	// Power iteration from a fixed vector turns x⁰ towards the direction of largest curvature; the centre is the origin.
	in.x0 = slices.Repeat([]float64{1}, d)
	g := make([]float64, d)
	for range 20 {
		p.FullGradient(g, in.x0)
		size := math.Sqrt(normSq(g))
		for k := range g {
			in.x0[k] = 10 * g[k] / size
		}
	}
	in.Constants = p.Constants(in.x0)
	return in
}

func targetClaims() []props.Binding {
	return []props.Binding{
		props.Bind("first-main-reaches-target", props.Hitting(func(src *props.Source) props.HittingTrial {
			in := drawFirstTarget(src, 1e-8, 1e-5)
			in.fail = DrawNu(src, "nu", 1)
			c1 := coverageC1(in.n, in.d, in.T, in.fail)
			in.eta = StepSize(in.L.Value, in.Zeta.Value, in.n, in.b, c1, NeededStepPower)
			initial := 0.0
			if in.option == algos.OptionI {
				initial = InitialTerm(24, in.n, in.b, c1, in.SigmaC.Value, in.GC.Value)
			}
			in.eps = math.Sqrt((2*in.Delta.Value/in.eta + initial) * 2 / float64(in.T)) // Horizon(...) = T
			in.r = in.eta * in.eps / 2 * src.Real("r / (ηε/2)", 0, 1)
			return props.HittingTrial{Horizon: in.T - 1, Delta: in.fail, Regime: in.regime(), Run: in.hit}
		})),
		props.Bind("first-main-reaches-target/sharper", props.Hitting(func(src *props.Source) props.HittingTrial {
			in := drawFirstTarget(src, 1e-3, 2)
			in.fail = DrawNu(src, "nu", 1)
			in.eta = ExpectedStepSize(in.L.Value, in.Zeta.Value, in.n, in.b)
			initial := 0.0
			if in.option == algos.OptionI {
				initial = 2 * InitialBudget(in.n, in.b, in.SigmaC.Value)
			}
			in.eps = math.Sqrt((2*in.Delta.Value/in.eta + initial) / (in.fail * float64(in.T)))
			return props.HittingTrial{Horizon: in.T - 1, Delta: in.fail, Regime: WithErrors(in.regime()), Run: in.hit}
		})),
	}
}
