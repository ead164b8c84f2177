package bounds

import (
	"math"
	"slices"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/bounds/coupled"
	"sledge/props"
)

func secondRunClaims() []props.Binding {
	return []props.Binding{
		props.Bind("dsecond-rounds-versus-local-steps", props.All(
			localSweep(1.0/32, []float64{1, 3, 10, 32}, func(K float64) float64 { return 1 / K }).Effort(1.25),
			localSweep(1.0/4, []float64{8, 26, 80, 256}, func(float64) float64 { return 1 }).Effort(2.5))),
	}
}

// search runs FLEDGE for at most so many rounds and returns the number of local steps after which found holds.
func fledgeSearch(m *algos.FLEDGE, p algos.Problem, x0 []float64, t props.Trial, rounds int, found func(x []float64) bool) (step int, ok bool) {
	if err := m.Start(algos.NewOracle(p), x0, algos.Keyed(t.Key)); err != nil {
		panic(err) // the caller's ranges are valid
	}
	if found(x0) {
		return 0, true
	}
	for range rounds {
		m.Step()
		for _, x := range m.LocalPoints()[1:] {
			if step++; found(x) {
				return step, true
			}
		}
		if x := m.Point()[0]; math.IsNaN(x) || math.IsInf(x, 0) {
			break // it has diverged
		}
	}
	return step, false
}

// within turns a search into a hitting trial in rounds.
func within(rounds int, delta float64, K int, regime props.Regime, run func(t props.Trial) (step int, ok bool)) props.HittingTrial {
	regime = regime.And(Steps(rounds), props.Allowed(delta))
	return props.HittingTrial{Horizon: rounds, Delta: delta, Regime: regime, Run: func(t props.Trial) (int, bool) {
		step, ok := run(t)
		return (step + K - 1) / K, ok
	}}
}

// setupLoud draws a separable cosine function, the same for four clients that all take part, and an accuracy ε of at least its largest gradient,
// and runs FLEDGE with one local step and the noise radius ηε/2.
func setupFLEDGELoud(src *props.Source, option algos.Option) props.HittingTrial {
	d := src.Int("d", 20, 26)
	gamma, width := src.LogReal("γ", 0.1, 10), src.LogReal("w", 0.3, 3)
	r := src.Rand("x0")
	p := props.Must(problems.MakeFederatedSaddle(slices.Repeat([]int{1}, 4),
		problems.SaddleMean{Gamma: gamma, Width: width, Well: problems.CosineWell, Wells: d}, r))
	x0 := make([]float64, d)
	for k := range x0 {
		x0[k] = math.Pi * width * (2*r.Float64() - 1)
	}
	c := p.Constants(x0)
	s := FLEDGESecondOrder{K: 1, L: c.L.Value, Rho: c.Rho.Value, Delta: c.Delta.Value, Curvature: 0.7 * gamma}
	s.Zeta = 1.1 * s.Curvature // valid for identical clients: √4 + 1.21 + a minibatch of any size is at most p = 4
	s.Eps = gamma * width * math.Sqrt(float64(d)) * src.LogReal("ε/largest gradient", 1, 1e5)
	s.Eta = 1 / (4 * s.L)
	rounds := s.MainRounds()
	if option == algos.OptionI {
		rounds = s.L * s.Delta * s.accuracies()
	}
	T := int(math.Ceil(fledgeHiddenFactor * rounds))
	return within(T, fledgeSospNu, 1, props.Where(props.Min("d", d, 20)), func(t props.Trial) (int, bool) {
		m := &algos.FLEDGE{Eta: s.Eta, Chosen: 4, LocalSteps: 1, Batch: 1, Radius: s.Eta * s.Eps / 2, Option: option}
		return fledgeSearch(m, p, x0, t, T, coupled.Second(p, len(x0), s.Eps, s.Curvature))
	})
}

// setupDrift draws two groups of clients of curvatures h ± ζ/2 along a line and K far beyond L/ζ, and asks for a point of small gradient.
func setupDrift(src *props.Source) props.HittingTrial {
	P := 2 * src.Int("P/2", 4, 10)
	h := src.LogReal("h", 0.1, 10)
	s := FLEDGESecondOrder{P: float64(P), Zeta: h * src.LogReal("ζ/h", 10, 30)}
	p := props.Must(problems.MakeFederatedQuadratic(slices.Repeat([]int{1}, P),
		problems.QuadraticMean{Spectrum: []float64{h}, Between: problems.Heterogeneity{Pattern: problems.TwoCluster, Hessian: s.Zeta}}, src.Rand("directions")))
	x0 := []float64{1}
	c := p.Constants(x0)
	s.L, s.Delta = c.L.Value, c.Delta.Value
	s.Curvature = 0.9 * s.Zeta
	s.Eps = h * src.Real("ε/‖∇f(x⁰)‖", 0.05, 0.2)
	s.Eta = src.Real("ηL", 0.25, 0.5) / s.L
	K := int(math.Ceil(src.Real("ηζK", 20, 40) / (s.Eta * s.Zeta)))
	s.K = float64(K)
	T := int(math.Ceil(fledgeHiddenFactor * s.MainRounds()))
	g := make([]float64, 1)
	return within(T, fledgeSospNu, K, props.Where(props.Min("P", P, 2), props.Min("K", K, 2), props.Positive("ζ", s.Zeta)), func(t props.Trial) (int, bool) {
		m := &algos.FLEDGE{Eta: s.Eta, Chosen: P, LocalSteps: K, Batch: 1, Cap: true, Radius: 1e-3 * s.Eta * s.Eps}
		return fledgeSearch(m, p, x0, t, T, func(x []float64) bool {
			p.FullGradient(g, x)
			return math.Abs(g[0]) <= s.Eps
		})
	})
}

// setupQuiet draws a strict saddle whose clients and data differ, starts there, and runs FLEDGE with the repaired conditions for as many rounds
// as the proof asks, all constants being 1.
func setupFLEDGEQuiet(src *props.Source, option algos.Option) props.HittingTrial {
	P, data := src.Int("P", 9, 16), src.Int("data per client", 1, 6)
	m := problems.SaddleMean{Gamma: src.LogReal("γ", 0.3, 1), Width: src.LogReal("w", 0.3, 3),
		Well:  props.OneOf(src, "well", problems.DoubleWell, problems.CosineWell),
		Wells: src.Int("wells", 1, 2), Parabolas: []float64{1}}
	m.Between = problems.Heterogeneity{Pattern: problems.TwoCluster, Hessian: m.Gamma * src.Real("ζ/γ", 0.5, 1),
		Linear: src.Real("linear spread of clients", 0, 1)}
	m.Within = problems.Heterogeneity{Pattern: problems.Outlier, Hessian: m.Gamma * src.Real("Hessian distance of data / γ", 0, 1)}
	p := props.Must(problems.MakeFederatedSaddle(slices.Repeat([]int{data}, P), m, src.Rand("directions")))
	x0 := make([]float64, p.Dim())
	c := p.Constants(x0)
	s := FLEDGESecondOrder{Option: option, P: float64(P), L: c.L.Value, Rho: c.Rho.Value, Zeta: c.Zeta.Value, Delta: c.Delta.Value, SigmaC: c.SigmaC.Value,
		GC: c.GC.Value}
	s.Curvature = min(m.Gamma, s.Zeta) * src.Real("δ/min{γ,ζ}", 0.7, 0.95)
	s.Eps = sq(s.Curvature) / s.Rho * src.LogReal("ε/(δ²/ρ)", 0.3, 1e3)
	K := src.Int("K", 1, max(1, min(6, int(s.L/s.Zeta))))
	s.K = float64(K)
	b := K
	for ; algos.EnoughClients(s.P, 1, s.Zeta, s.L, s.Curvature, float64(K*b)) > s.P && b < 1000; b++ {
	}
	s.Batch = float64(b)
	s.Sampled = math.Ceil(min(s.P, algos.EnoughClients(s.P, 1, s.Zeta, s.L, s.Curvature, float64(K*b))))
	s.Eta = s.SecondStep()
	T := 1.0
	for range 20 { // r and T depend on the logarithm, which depends on both
		s.R = s.noiseRadius()
		s.Log = math.Log(max(math.E, s.Curvature*T*s.K*math.Sqrt(float64(p.Dim()))/(s.Rho*s.R*fledgeSospNu)))
		s.R = s.noiseRadius()
		T = s.Horizon()
	}
	rounds := int(math.Ceil(T))
	regime := Clients(P, int(s.Sampled), K, p.Dim(), s.Zeta).And(Within(s.R, s.Curvature/s.Rho))
	return within(rounds, fledgeSospNu, K, regime, func(t props.Trial) (int, bool) {
		method := &algos.FLEDGE{Eta: s.Eta, Chosen: int(s.Sampled), LocalSteps: K, Batch: min(b, data), Cap: true, Radius: s.R, Option: option}
		return fledgeSearch(method, p, x0, t, rounds, coupled.Second(p, len(x0), s.Eps, s.Curvature))
	})
}

// tryNoNoise runs Option II with r = 0 and all data from a strict saddle and looks for a point without the negative curvature.
func tryFLEDGENoNoise(src *props.Source, rec *props.Recorder) {
	p := problems.DrawFederatedSaddle(src, problems.Limits{Clients: problems.Sizes(1, 3), Data: problems.Sizes(1, 3), D: problems.Sizes(1, 2)})
	x0 := make([]float64, p.Dim())
	m := &algos.FLEDGE{Eta: src.Real("ηL", 0.1, 1) / p.Constants(x0).L.Value, Chosen: p.Clients(), LocalSteps: src.Int("K", 1, 4), Batch: 3, Cap: true}
	curvature := p.Gamma * src.Real("δ/γ", 0.1, 0.9)
	best := p.MinEigen(x0)
	fledgeSearch(m, p, x0, props.Trial{Key: src.Key("run")}, src.Int("T", 1, 12), func(x []float64) bool {
		best = max(best, p.MinEigen(x))
		return false
	})
	rec.AtLeast("largest λ_min(∇²f(x^{t,k})) against −δ, r = 0", best, -curvature)
}

// localSweep sweeps K for a double well with the given ζ, L being about 1; law is the claimed number of rounds as a function of K.
func localSweep(zeta float64, K []float64, law func(K float64) float64) *props.Randomised[props.SlopeTrial] {
	return props.Slope(func(src *props.Source) props.SlopeTrial {
		P := src.Int("P", 4, 8)
		m := problems.SaddleMean{Gamma: zeta * src.Real("γ/ζ", 0.6, 0.9), Parabolas: []float64{1}, Confinement: 1,
			Between: problems.Heterogeneity{Pattern: problems.Pairs, Hessian: zeta}}
		p := props.Must(problems.MakeFederatedSaddle(slices.Repeat([]int{1}, P), m, src.Rand("directions")))
		sampled := src.Int("p", (P+1)/2, P)
		x0 := make([]float64, p.Dim())
		c := p.Constants(x0)
		curvature := 0.5 * m.Gamma
		eps := sq(curvature) / c.Rho.Value
		regime := props.Where(props.Less("p", sampled, "P", P), props.Positive("ζ", c.Zeta.Value), props.Sweep("K", K))
		return props.SlopeTrial{XLabel: "K", YLabel: "rounds over the law", X: K, TwoSided: true, Of: props.OfMedian,
			Regime: regime, Run: func(t props.Trial, x float64) float64 {
				k := int(x)
				method := &algos.FLEDGE{Eta: min(1/(4*c.L.Value), 1/(4*c.Zeta.Value*x)), Chosen: sampled, LocalSteps: k, Batch: 1, Cap: true}
				method.Radius = 1e-6 * method.Eta * eps
				const most = 1 << 19 // local steps
				step, _ := fledgeSearch(method, p, x0, t, most/k+1, coupled.Second(p, len(x0), eps, curvature))
				return float64(step) / x / law(x)
			}}
	})
}
