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
	monitor, m, share := algos.NewMonitor(algos.Sum(in.problem)), in.method(), stepShare{}
	defer share.Report(t)
	return search(m, algos.Sum(in.problem), in.x0, algos.Keyed(t.Key), in.T-1, func(x []float64) bool {
		norm := monitor.GradientNorm(x)
		share.Step(monitor.ErrorSquared(m.Estimator(), x), sq(norm))
		return norm <= in.eps
	})
}

// regime asks besides the usual that x⁰ is no solution, by a factor of 2.
func (in *firstTarget) regime() props.Regime {
	far := props.Condition{What: "‖∇f(x⁰)‖ ≥ 2ε",
		Met: algos.NewMonitor(algos.Sum(in.problem)).GradientNorm(in.x0) >= 2*in.eps}
	return in.shape().And(longEnough(in.T), props.Allowed(in.fail), far)
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
	p := props.Must(problems.Make(problems.OneEach(n), problems.QuadraticMean{Spectrum: spectrum, Between: between},
		src.Rand("directions"))).ByClient()
	in := &firstTarget{instance: &instance{setting: setting{d: d}, problem: p, n: n, b: src.Int("b", 1, n)}}
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

// setupClientsTarget draws an instance with p ≥ √P, b ≥ K and bounded gradient noise, and parameters as the theorem has
// them with all hidden logarithms 1.
func setupClientsTarget(src *props.Source) props.HittingTrial {
	K := src.Int("local steps", 1, 4)
	in := drawRounds(src, federationRanges{P: problems.Sizes(1, 24), noise: 0.2, K: problems.Sizes(K, K),
		b: problems.Sizes(K, K+2), bounded: true, quiet: true,
		option: algos.OptionII, shapes: []problems.Shape{problems.Convex, problems.Degenerate}})
	in.p = max(in.p, algos.RootBatch(in.P))
	s := parameters{C1: 1, L: in.L.Value, Zeta: in.Zeta.Value, Data: in.L.Value, P: float64(in.P), Chosen: float64(in.p),
		K: float64(K), B: float64(in.b),
		Delta: in.Delta.Value}
	in.eta = s.StepSize()
	T := src.LogInt("budget of rounds", 20, 4000)
	// the smallest ε for which PKb ≥ 128σ²/ε² + 8√2G/ε, and the one that the budget promises
	n, g := s.P*s.K*s.B, 8*math.Sqrt2*in.G.Value
	s.Eps = max((g+math.Sqrt(g*g+512*sq(in.Sigma.Value)*n))/(2*n), math.Sqrt(4*s.Delta/(in.eta*float64(T)*s.K)))
	in.r = in.eta * s.Eps / (2 * math.Sqrt2) * src.Real("r / (ηε/(2√2))", 0, 1)
	if !(s.Delta > 0) || !resolved(in.problem, in.x0, s.Eps) {
		return props.HittingTrial{Delta: 1} // x⁰ is a minimum: nothing to find
	}
	in.T = int(max(1, math.Ceil(4*s.Delta/(in.eta*sq(s.Eps)*s.K))))
	nu := drawTenth(src, "nu", 1)
	far := props.Condition{What: "‖∇f(x⁰)‖ > ε", Met: algos.NewMonitor(in.problem).GradientNorm(in.x0) > s.Eps}
	regime := clientsRegime(in.P, in.p, K, in.d, in.Zeta.Value).And(longEnough(in.T), props.Allowed(nu), far)
	return props.HittingTrial{Horizon: in.T - 1, Delta: nu, Regime: regime, Run: func(t props.Trial) (int, bool) {
		m, monitor := in.method(), algos.NewMonitor(in.problem)
		if err := m.Start(algos.NewOracle(in.problem), in.x0, algos.Keyed(t.Key)); err != nil {
			panic(err) // the ranges of the instance are valid
		}
		for round := range in.T {
			m.Step()
			for _, x := range m.LocalPoints()[:K] {
				if monitor.GradientNorm(x) <= s.Eps {
					return round, true
				}
			}
		}
		return 0, false
	}}
}

func targetClaims() []props.Binding {
	return []props.Binding{
		props.Bind("first-main-reaches-target", props.Hitting(func(src *props.Source) props.HittingTrial {
			in := drawFirstTarget(src, 1e-8, 1e-5)
			in.fail = drawNu(src, "nu", 1)
			c1 := in.literalC1(in.fail)
			in.eta = StepSize(in.L.Value, in.Zeta.Value, in.n, in.b, c1)
			initial := 0.0
			if in.option == algos.OptionI {
				initial = initialTermAt(24, in.n, in.b, c1, in.SigmaC.Value, in.GC.Value)
			}
			in.eps = math.Sqrt((2*in.Delta.Value/in.eta + initial) * 2 / float64(in.T)) // Horizon(...) = T
			in.r = in.eta * in.eps / 2 * src.Real("r / (ηε/2)", 0, 1)
			return props.HittingTrial{Horizon: in.T - 1, Delta: in.fail, Regime: in.regime(), Run: in.hit}
		})),
		props.Bind("first-main-reaches-target/sharper", props.Hitting(func(src *props.Source) props.HittingTrial {
			in := drawFirstTarget(src, 1e-3, 2)
			in.fail = drawNu(src, "nu", 1)
			in.eta = expectedStepSize(in.L.Value, in.Zeta.Value, in.n, in.b)
			initial := 0.0
			if in.option == algos.OptionI {
				initial = 2 * initialBudgetAt(in.n, in.b, in.SigmaC.Value)
			}
			in.eps = math.Sqrt((2*in.Delta.Value/in.eta + initial) / (in.fail * float64(in.T)))
			return props.HittingTrial{Horizon: in.T - 1, Delta: in.fail, Regime: withErrors(in.regime()), Run: in.hit}
		})),
		props.Bind("dist-reaches-target", props.Hitting(setupClientsTarget).Effort(runEffort)),
	}
}
