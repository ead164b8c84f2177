package federated

import (
	"math"
	"math/bits"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/bounds"
	"sledge/props"
	"sledge/props/keyed"
)

// course is a problem on which rounds are counted.
type course interface {
	algos.Problem
	gradientNorm(x []float64) float64 // ‖∇f(x)‖
	// looked returns the points of a round that count: all local iterates where the target is narrower than the way of a round, else the last one.
	looked(m *algos.FLEDGE) [][]float64
}

// ramp is a course of one variable with a long way to go at constant slope: f(x) = s·√(x² + a²), slope up to s on both sides of the minimum at 0 and curvature
// up to s/a. Clients, and the data of a client, differ by ±ripples c·w²(1 − cos(x/w)) of curvature up to c and slope up to cw, the sign
// alternating from one to the next. So ζ = 2·between, σ = G = within·w, and L = s/a + between + within bounds the curvature of data.
type ramp struct {
	clients, data   int // even, or 1 if there are no ripples of that kind
	slope, bend     float64
	between, within float64
	width           float64
}

func (p *ramp) Clients() int { return p.clients }
func (p *ramp) Size(int) int { return p.data }
func (p *ramp) Dim() int     { return 1 }

// Gradient sets dst to f_ij'(x).
func (p *ramp) Gradient(dst, x []float64, i, j int) {
	c := p.between * sign(i, 1)
	c += p.within * sign(j, 1)
	dst[0] = p.slope * x[0] / math.Hypot(x[0], p.bend)
	if c != 0 {
		dst[0] += c * p.width * math.Sin(x[0]/p.width)
	}
}

func (p *ramp) gradientNorm(x []float64) float64 {
	return p.slope * math.Abs(x[0]) / math.Hypot(x[0], p.bend)
}

func (p *ramp) looked(m *algos.FLEDGE) [][]float64 { return m.LocalPoints() }

// at returns the point right of the minimum with f(x) − f(0) = gap.
func (p *ramp) at(gap float64) []float64 {
	return []float64{p.bend * math.Sqrt(sq(1+gap/(p.slope*p.bend))-1)}
}

// crossed is a course of quadratics f_i(x) = ½Σ_k(c_k ± ζ/2)x_k², with signs that no two coordinates and no two clients have in common: a power
// of two of clients, more than there are coordinates.
type crossed struct {
	clients   int
	curvature []float64
	zeta      float64
}

func (p *crossed) Clients() int { return p.clients }
func (p *crossed) Size(int) int { return 1 }
func (p *crossed) Dim() int     { return len(p.curvature) }

// sign is a Walsh function: ±1, with mean 0 over i < 2^m for 0 < mask < 2^m.
func sign(i, mask int) float64 { return float64(1 - 2*(bits.OnesCount(uint(i&mask))&1)) }

// Gradient sets dst to ∇f_i(x).
func (p *crossed) Gradient(dst, x []float64, i, _ int) {
	for k, c := range p.curvature {
		dst[k] = (c + p.zeta/2*sign(i, k+1)) * x[k]
	}
}

func (p *crossed) gradientNorm(x []float64) float64 {
	s := 0.0
	for k, c := range p.curvature {
		s += sq(c * x[k])
	}
	return math.Sqrt(s)
}

func (p *crossed) looked(m *algos.FLEDGE) [][]float64 { return m.LocalPoints()[m.LocalSteps:] }

// start returns the point where the gradient has norm 1 and equal entries.
func (p *crossed) start() []float64 {
	x := make([]float64, len(p.curvature))
	for k, c := range p.curvature {
		x[k] = 1 / (c * math.Sqrt(float64(len(x))))
	}
	return x
}

// rounds runs FLEDGE, Option II, and returns the number of rounds, at most limit, that it takes until ‖∇f‖ ≤ ε at one of the points
// that the course looks at.
func rounds(p course, m algos.FLEDGE, x0 []float64, eps float64, key keyed.Key, limit int) int {
	m.Option, m.Cap = algos.OptionII, true
	if err := m.Start(algos.NewOracle(p), x0, algos.Keyed(key)); err != nil {
		panic(err) // the sweeps below set valid parameters
	}
	for t := 1; t <= limit; t++ {
		m.Step()
		for _, x := range p.looked(&m) {
			if p.gradientNorm(x) <= eps {
				return t
			}
		}
	}
	return limit
}

// tuned returns the smallest over the step sizes of the rounds that the slowest of some runs takes.
func tuned(p course, m algos.FLEDGE, x0 []float64, eps float64, etas []float64, key keyed.Key, runs, limit int) float64 {
	best := limit
	for k, eta := range etas {
		m.Eta = eta
		slowest := 0
		for i := 0; i < runs && slowest < best; i++ {
			slowest = max(slowest, rounds(p, m, x0, eps, key.At(k).At(i), best))
		}
		best = min(best, slowest)
	}
	return float64(best)
}

// powersOfTwo returns from, 2·from, … with n entries.
func powersOfTwo(from float64, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = math.Ldexp(from, i)
	}
	return x
}

// scaled returns the multiples of unit, the most promising step size first: it limits the runs with the others.
func scaled(unit float64, multiples ...float64) []float64 {
	x := make([]float64, len(multiples))
	for i, m := range multiples {
		x[i] = m * unit
	}
	return x
}

// sweep is a slope check of a single trial, about the median: the theorems bound the rounds with high probability.
func sweep(t props.SlopeTrial) *props.Randomised[props.SlopeTrial] {
	t.Regime = props.Where(props.Sweep(t.XLabel, t.X))
	t.Of = props.OfMedian
	return props.Slope(func(*props.Source) props.SlopeTrial { return t })
}

// longWay is the scaling with κ = LΔ/ε² of what FLEDGE needs where clients agree, P = κ^power and p = K = b = 1: against a claim, and one power
// of C_1 = log(PT/ν), all that the printed step size has where ζ = 0. The steps tried are 1/(2L) and multiples of the one that balances the
// claim of the repaired lemma, ratio gets the rounds that the best of them takes.
func longWay(label string, from, power float64, ratio func(s Parameters, took float64) float64) *props.Randomised[props.SlopeTrial] {
	return sweep(props.SlopeTrial{XLabel: "LΔ/ε²", YLabel: label, X: powersOfTwo(from, 6),
		Run: func(t props.Trial, kappa float64) float64 {
			const eps, L = 1.0, 1.0
			p := &ramp{clients: int(math.Pow(kappa, power)), data: 2, slope: 1.5, bend: 3, within: 0.5, width: 2}
			s := Parameters{C1: 1, L: L, P: float64(p.clients), Chosen: 1, K: 1, B: 1, Delta: kappa, Eps: eps}
			root := math.Sqrt(s.P)
			took := tuned(p, algos.FLEDGE{Clients: 1, Batch: 1, LocalSteps: 1}, p.at(kappa), eps, []float64{4 / root, 2 / root, 1 / (2 * L)},
				t.Key.At(int(kappa)), 4, int(20*kappa*root))
			return ratio(s, took) / math.Log(s.P*took/0.1)
		}})
}

// withLocalSteps measures rounds on a ramp where L/K dominates, clients agree, p = √P and b = K (proper), or where one datum at a time makes it L/√K.
func withLocalSteps(proper bool) *props.Randomised[props.SlopeTrial] {
	t := props.SlopeTrial{XLabel: "K", TwoSided: true}
	if proper {
		t.YLabel, t.X = "rounds·K", powersOfTwo(1, 6)
		t.Run = func(t props.Trial, x float64) float64 {
			K := int(x)
			p := &ramp{clients: 4, data: 2 * K * K, slope: 1.5, bend: 3, within: 0.5, width: 2}
			return x * tuned(p, algos.FLEDGE{Clients: 2, Batch: K, LocalSteps: K}, p.at(6000), 1, []float64{8, 4, 2}, t.Key.At(K), 3, 3000)
		}
		return sweep(t).Effort(2)
	}
	t.YLabel, t.X, t.Margin = "rounds·√K", powersOfTwo(4, 6), noisyMargin
	t.Run = func(t props.Trial, x float64) float64 {
		K := int(x)
		p := &ramp{clients: 64, data: 2 * K, slope: 1.5, bend: 3, within: 0.5, width: 30}
		return math.Sqrt(x) * tuned(p, algos.FLEDGE{Clients: 8, Batch: 1, LocalSteps: K}, p.at(2000), 1, scaled(1/math.Sqrt(x), 4, 8), t.Key.At(K), 3, 1000)
	}
	return sweep(t).Effort(4)
}

// noisyMargin is the margin of sweeps whose hitting times vary: the slowest of a few runs at the best step size on a coarse grid.
const noisyMargin = 0.2

// acrossHeterogeneity measures rounds where ζ dominates: four clients that all take part, one datum each, curvatures 1, ζ/4 and 0.002, ζK ≥ 4L.
func acrossHeterogeneity() *props.Randomised[props.SlopeTrial] {
	return sweep(props.SlopeTrial{XLabel: "ζ", YLabel: "rounds/ζ", X: powersOfTwo(0.08, 6), TwoSided: true, Margin: noisyMargin,
		Run: func(t props.Trial, zeta float64) float64 {
			return crossedRounds(zeta, 50, t.Key) / zeta
		}})
}

// acrossLocalSteps does the same for fixed ζ = 0.5 and a range of K with ζK ≥ 6L.
func acrossLocalSteps() *props.Randomised[props.SlopeTrial] {
	return sweep(props.SlopeTrial{XLabel: "K", YLabel: "rounds", X: powersOfTwo(16, 6), TwoSided: true, Margin: noisyMargin,
		Run: func(t props.Trial, K float64) float64 {
			return crossedRounds(0.5, int(K), t.Key.At(int(K)))
		}})
}

func crossedRounds(zeta float64, K int, key keyed.Key) float64 {
	p := &crossed{curvature: []float64{1, zeta / 4, 0.002}, clients: 4, zeta: zeta}
	return tuned(p, algos.FLEDGE{Clients: 4, Batch: 1, LocalSteps: K}, p.start(), 0.1, scaled(1/(zeta*float64(K)), 4, 8), key, 2, 3000)
}

// acrossClients measures rounds on a ramp where ζ√P/p dominates: K = 1, one datum for each client, ζ ≥ L/2 and a way long enough for every
// client to be drawn many times.
func acrossClients(label, law string, x []float64, sizes func(x float64) (P, p int), claimed func(x float64) float64) *props.Randomised[props.SlopeTrial] {
	return sweep(props.SlopeTrial{XLabel: label, YLabel: "rounds" + law, X: x, TwoSided: true, Margin: noisyMargin,
		Run: func(t props.Trial, x float64) float64 {
			P, chosen := sizes(x)
			p := &ramp{clients: P, data: 1, slope: 1.5, bend: 3, between: 0.5, width: 2}
			etas := scaled(float64(chosen)/math.Sqrt(float64(P)), 4, 2)
			return tuned(p, algos.FLEDGE{Clients: chosen, Batch: 1, LocalSteps: 1}, p.at(300), 1, etas, t.Key.At(P).At(chosen), 3, 20000) / claimed(x)
		}})
}

// setupTarget draws an instance with p ≥ √P, b ≥ K and bounded gradient noise, and parameters as the theorem has them with all hidden logarithms 1.
func setupTarget(src *props.Source) props.HittingTrial {
	K := src.Int("local steps", 1, 4)
	in := drawRun(src, ranges{P: problems.Sizes(1, 24), noise: 0.2, K: problems.Sizes(K, K), b: problems.Sizes(K, K+2), bounded: true, quiet: true,
		option: algos.OptionII, shapes: []problems.Shape{problems.Convex, problems.Degenerate}})
	in.p = max(in.p, algos.RootBatch(in.P))
	s := Parameters{C1: 1, L: in.L.Value, Zeta: in.Zeta.Value, Data: in.L.Value, P: float64(in.P), Chosen: float64(in.p), K: float64(K), B: float64(in.b),
		Delta: in.Delta.Value}
	in.eta = s.StepSize(NeededStepPower)
	T := src.LogInt("budget of rounds", 20, 4000)
	// the smallest ε for which PKb ≥ 128σ²/ε² + 8√2G/ε, and the one that the budget promises
	n, g := s.P*s.K*s.B, 8*math.Sqrt2*in.G.Value
	s.Eps = max((g+math.Sqrt(g*g+512*sq(in.Sigma.Value)*n))/(2*n), math.Sqrt(4*s.Delta/(in.eta*float64(T)*s.K)))
	in.r = in.eta * s.Eps / (2 * math.Sqrt2) * src.Real("r / (ηε/(2√2))", 0, 1)
	if !(s.Delta > 0) {
		return props.HittingTrial{Delta: 1} // x⁰ is a minimum: nothing to find
	}
	in.T = int(s.Horizon(4, in.eta, 0))
	nu := drawNu(src, "nu", 1)
	far := props.Condition{What: "‖∇f(x⁰)‖ > ε", Met: algos.NewMonitor(in.problem).GradientNorm(in.x0) > s.Eps}
	regime := bounds.Clients(in.P, in.p, K, in.d, in.Zeta.Value).And(bounds.Steps(in.T), props.Allowed(nu), far)
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

func scalingClaims() []props.Claim {
	const part, label = "fledge-first-order", "theorem:Dist-First-Main"
	root := func(x float64) int { return int(math.Sqrt(x)) }
	return []props.Claim{
		{
			ID: "dist-reaches-target", Part: part, Tier: 1, Kind: "simulation", Lines: "496-511", Label: label,
			Statement: `FLEDGE with the stated parameters finds ‖∇f‖ ≤ ε within the stated rounds for p ≥ √P, b ≥ K`,
			Notes: "p ≥ √P and b ≥ K, Option II, gradient noise bounded for all x, with or without perturbation. All hidden logarithms are read as 1: η of line 2547 with C_1 = 1, K² and L as repaired, PKb ≥ 128σ²/ε² + 8√2G/ε, r ≤ ηε/(2√2), and TK ≥ 4Δ/(ηε²) as the budget; " +
				"the event is ‖∇f(x^{t,k−1})‖ ≤ ε for some t ≤ T, k ≤ K. Runs need a tenth of the budget or less. With literal logarithms nothing can be run: P = 100, p = K = b = 10, LΔ/ε² = 50, ν = 0.05 and ζ = 0 make C_1 = 33, 1/(ηL) = 5.6e9 and 1.1e11 rounds, " +
				"against 1/(ηL) = 25 and 498 rounds with C_1 = 1, and 5 for the stated expression alone; with the printed lemma in place of the repaired one C_1 = 15 and 1174 rounds.",
			Uses:   []string{"dist-rounds-option-two", "dist-step-size-list", "dist-batch-size-condition"},
			Expect: props.Supported,
			Check:  props.Hitting(setupTarget).Effort(runEffort),
		},
		{
			ID: "dist-rounds-versus-local-steps", Part: part, Tier: 1, Kind: "scaling", Lines: "506, 512", Label: label,
			Statement: `While L/K dominates (small ζ, b ≥ K) rounds are proportional to 1/K; with b=1 and intra-client noise to 1/√K`,
			Notes: "First a ramp of constant slope, Δ/ε² = 6000/L, clients that agree, data with bounded noise of σ = ε, P = 4, p = 2, b = K, the step size tuned over 2/L … 8/L: 347 rounds at K = 1, 11 at K = 32. Then the same with P = 64, p = 8, b = 1 and noise of wide ripples: the best step size " +
				"falls like 1/√K, and the rounds with it. Between clients that differ, 1/K lasts up to about K = L/ζ: with ζ = L/10 quadratics take 1753, 438, 222, 115, 49, 36, 38, 26, 24, 22 rounds for K = 1, 2, 4, … 512.",
			Uses:   []string{"dist-rounds-option-two"},
			Expect: props.Supported,
			Check:  props.All(withLocalSteps(true), withLocalSteps(false)),
		},
		{
			ID: "dist-rounds-versus-heterogeneity", Part: part, Tier: 1, Kind: "scaling", Lines: "506", Label: label,
			Statement: `When ζ dominates rounds grow proportionally to ζ and do not depend on K`,
			Notes: "Quadratics with curvatures 1, ζ/4 and 0.002, four clients with ±ζ/2 in each direction and one datum each, p = P, to a tenth of the first gradient; η = 4/(ζK) or 8/(ζK), of which the latter diverges or is no better. From ζ = 0.08 to 2.56 at K = 50 the rounds go from 11 to 332; for ζ = 0.5 and K from " +
				"16 to 512 they go from 70 to 63. The direction of curvature ζ/4 matters: without one that some clients see as negative, steps of several times 1/(ζK) work and the rounds fall below the law.",
			Uses:   []string{"dist-rounds-option-two"},
			Expect: props.Supported,
			Check:  props.All(acrossHeterogeneity().Effort(3), acrossLocalSteps().Effort(3)),
		},
		{
			ID: "dist-rounds-versus-clients", Part: part, Tier: 1, Kind: "scaling", Lines: "506", Label: label,
			Statement: `Rounds fall like 1/p for p < √P, grow like √P at fixed p, and are flat at p = √P`,
			Notes: "A ramp with clients that differ by ±ripples of curvature L/2, one datum each, K = 1, η = 4 or 2 times p/(ζ√P): P = 2048 and p = 1 … 32 (3060 to 73 rounds), p = 1 and P = 32 … 1024 (287 to 2190), p = √P and P = 16 … 1024 (41 to 46). The law needs a way of more than P/p rounds: on a shorter one clients are not drawn " +
				"a second time, and the rounds do not depend on P. For p < √P it needs clients with one datum, or whole minibatches: else L√P/(p√(Kb)) comes on top (dist-rounds-option-two).",
			Uses:   []string{"dist-rounds-option-two"},
			Expect: props.Supported,
			Check: props.All(
				acrossClients("p", "·p, P = 2048", powersOfTwo(1, 6), func(x float64) (int, int) { return 2048, int(x) },
					func(x float64) float64 { return 1 / x }).Effort(4),
				acrossClients("P", "/√P, p = 1", powersOfTwo(32, 6), func(x float64) (int, int) { return int(x), 1 }, math.Sqrt).Effort(4),
				acrossClients("P", ", p = √P", []float64{16, 64, 256, 1024}, func(x float64) (int, int) { return int(x), root(x) },
					func(float64) float64 { return 1 }).Effort(4)),
		},
	}
}
