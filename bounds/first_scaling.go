package bounds

import (
	"math"
	"math/bits"

	"sledge/algos"
	"sledge/props"
	"sledge/props/keyed"
)

// landscape is a problem on which rounds are counted.
type landscape interface {
	algos.Problem
	gradientNorm(x []float64) float64 // ‖∇f(x)‖
	// candidates returns the points of a round that count: all local iterates where the target is
	// narrower than the way of a round, else the last one.
	candidates(m *algos.FLEDGE) [][]float64
}

// rampProblem is a landscape of one variable with a long way to go at constant slope: f(x) = s·√(x² +
// a²), slope up to s on both sides of the minimum at 0 and curvature up to s/a. The data of a
// client differ by ±ripples c·w²(1 − cos(x/w)) of curvature up to c and slope up to cw, the sign
// alternating from one to the next; clients do not differ. So ζ = 0, σ = G = within·w, and L = s/a +
// within bounds the curvature of data.
type rampProblem struct {
	clients, data int // data even
	slope, bend   float64
	within, width float64

	// The last point, with the slope of the mean and the ripple there: a full pass asks each client
	// at the same one. So a problem belongs to one run at a time, in one direction of rounding.
	met                 bool
	last, slopes, waves float64
}

func (p *rampProblem) Clients() int { return p.clients }
func (p *rampProblem) Size(int) int { return p.data }
func (p *rampProblem) Dim() int     { return 1 }

// Gradient sets dst to f_ij'(x).
func (p *rampProblem) Gradient(dst, x []float64, _, j int) {
	if u := x[0]; !p.met || u != p.last {
		p.met, p.last = true, u
		p.slopes, p.waves = p.slope*u/math.Hypot(u, p.bend), math.Sin(u/p.width)
	}
	dst[0] = p.slopes + p.within*sign(j, 1)*p.width*p.waves
}

func (p *rampProblem) gradientNorm(x []float64) float64 {
	return p.slope * math.Abs(x[0]) / math.Hypot(x[0], p.bend)
}

func (p *rampProblem) candidates(m *algos.FLEDGE) [][]float64 { return m.LocalPoints() }

// at returns the point right of the minimum with f(x) − f(0) = gap.
func (p *rampProblem) at(gap float64) []float64 {
	return []float64{p.bend * math.Sqrt(sq(1+gap/(p.slope*p.bend))-1)}
}

// crossed is a landscape of quadratics f_i(x) = ½Σ_k(c_k ± ζ/2)x_k², with signs that no two
// coordinates and no two clients have in common: a power of two of clients, more than there are
// coordinates.
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

func (p *crossed) candidates(m *algos.FLEDGE) [][]float64 { return m.LocalPoints()[m.LocalSteps:] }

// start returns the point where the gradient has norm 1 and equal entries.
func (p *crossed) start() []float64 {
	x := make([]float64, len(p.curvature))
	for k, c := range p.curvature {
		x[k] = 1 / (c * math.Sqrt(float64(len(x))))
	}
	return x
}

// roundsUntil runs FLEDGE, Option II, and returns the number of rounds, at most limit, that it
// takes until ‖∇f‖ ≤ ε at one of the points that the landscape looks at.
func roundsUntil(p landscape, m algos.FLEDGE, x0 []float64, eps float64, key keyed.Key,
	limit int) int {
	m.Option, m.Cap = algos.OptionII, true
	if err := m.Start(algos.NewOracle(p), x0, algos.Keyed(key)); err != nil {
		panic(err) // the sweeps below set valid parameters
	}
	for t := 1; t <= limit; t++ {
		m.Step()
		for _, x := range p.candidates(&m) {
			if p.gradientNorm(x) <= eps {
				return t
			}
		}
	}
	return limit
}

// tuned returns the smallest over the step sizes of the rounds that the slowest of some runs takes.
func tuned(p landscape, m algos.FLEDGE, x0 []float64, eps float64, etas []float64,
	key keyed.Key, runs,
	limit int) float64 {
	best := limit
	for k, eta := range etas {
		m.Eta = eta
		slowest := 0
		for i := 0; i < runs && slowest < best; i++ {
			slowest = max(slowest, roundsUntil(p, m, x0, eps, key.At(k).At(i), best))
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

// scaled returns the multiples of unit, the most promising step size first: it limits the runs with
// the others.
func scaled(unit float64, multiples ...float64) []float64 {
	x := make([]float64, len(multiples))
	for i, m := range multiples {
		x[i] = m * unit
	}
	return x
}

// sweep is a slope check of a single trial, about the median: the theorems bound the rounds with
// high probability.
func sweep(t props.SlopeTrial) *props.Randomised[props.SlopeTrial] {
	t.Regime = props.Where(props.Sweep(t.XLabel, t.X))
	t.Of = props.OfMedian
	return props.Slope(func(*props.Source) props.SlopeTrial { return t })
}

// roundsOnSlope is the scaling with κ = LΔ/ε² of what FLEDGE needs where clients agree, P = κ^power
// and p = K = b = 1: against a claim, and one power of C_1 = log(PT/ν), all that the printed step
// size has where ζ = 0. The steps tried are 1/(2L) and multiples of the one that balances the claim
// of the repaired lemma, ratio gets the rounds that the best of them takes.
func roundsOnSlope(label string, from, power float64, ratio func(s parameters,
	took float64) float64) *props.Randomised[props.SlopeTrial] {
	return sweep(props.SlopeTrial{XLabel: "LΔ/ε²", YLabel: label, X: powersOfTwo(from, 6),
		Run: func(t props.Trial, kappa float64) float64 {
			const eps, L = 1.0, 1.0
			p := &rampProblem{clients: int(math.Pow(kappa, power)), data: 2, slope: 1.5, bend: 3,
				within: 0.5, width: 2}
			s := parameters{C1: 1, L: L, P: float64(p.clients), Chosen: 1, K: 1, B: 1, Delta: kappa,
				Eps: eps}
			root := math.Sqrt(s.P)
			took := tuned(p, algos.FLEDGE{Chosen: 1, Batch: 1, LocalSteps: 1}, p.at(kappa), eps,
				[]float64{4 / root, 2 / root, 1 / (2 * L)},
				t.Key.At(int(kappa)), 4, int(20*kappa*root))
			return ratio(s, took) / math.Log(s.P*took/0.1)
		}})
}

// withLocalSteps measures rounds on a ramp where L/K dominates, clients agree, p = √P and b = K
// (proper), or where one datum at a time makes it L/√K.
func withLocalSteps(proper bool) *props.Randomised[props.SlopeTrial] {
	t := props.SlopeTrial{XLabel: "K", TwoSided: true}
	if proper {
		t.YLabel, t.X = "rounds·K", powersOfTwo(1, 6)
		t.Run = func(t props.Trial, x float64) float64 {
			K := int(x)
			p := &rampProblem{clients: 4, data: 2 * K * K, slope: 1.5, bend: 3, within: 0.5,
				width: 2}
			return x * tuned(p, algos.FLEDGE{Chosen: 2, Batch: K, LocalSteps: K}, p.at(6000), 1,
				[]float64{8, 4, 2}, t.Key.At(K),
				3, 3000)
		}
		return sweep(t).Effort(2)
	}
	t.YLabel, t.X, t.Margin = "rounds·√K", powersOfTwo(4, 6), noisyMargin
	t.Run = func(t props.Trial, x float64) float64 {
		K := int(x)
		p := &rampProblem{clients: 64, data: 2 * K, slope: 1.5, bend: 3, within: 0.5, width: 30}
		return math.Sqrt(x) * tuned(p, algos.FLEDGE{Chosen: 8, Batch: 1, LocalSteps: K},
			p.at(2000), 1, scaled(1/math.Sqrt(x), 4, 8), t.Key.At(K), 3, 1000)
	}
	return sweep(t).Effort(4)
}

// noisyMargin is the margin of sweeps whose hitting times vary: the slowest of a few runs at the
// best step size on a coarse grid.
const noisyMargin = 0.2

// acrossHeterogeneity measures rounds where ζ dominates: four clients that all take part, one datum
// each, curvatures 1, ζ/4 and 0.002, ζK ≥ 4L.
func acrossHeterogeneity() *props.Randomised[props.SlopeTrial] {
	return sweep(props.SlopeTrial{XLabel: "ζ", YLabel: "rounds/ζ", X: powersOfTwo(0.08, 6),
		TwoSided: true, Margin: noisyMargin,
		Run: func(t props.Trial, zeta float64) float64 { return crossedRounds(zeta, 50, t.Key) / zeta }})
}

// acrossLocalSteps does the same for fixed ζ = 0.5 and a range of K with ζK ≥ 6L.
func acrossLocalSteps() *props.Randomised[props.SlopeTrial] {
	return sweep(props.SlopeTrial{XLabel: "K", YLabel: "rounds", X: powersOfTwo(16, 6),
		TwoSided: true, Margin: noisyMargin,
		Run: func(t props.Trial, K float64) float64 {
			return crossedRounds(0.5, int(K), t.Key.At(int(K)))
		}})
}

func crossedRounds(zeta float64, K int, key keyed.Key) float64 {
	p := &crossed{curvature: []float64{1, zeta / 4, 0.002}, clients: 4, zeta: zeta}
	return tuned(p, algos.FLEDGE{Chosen: 4, Batch: 1, LocalSteps: K}, p.start(), 0.1,
		scaled(1/(zeta*float64(K)), 4, 8), key, 2, 3000)
}

func scalingClaims() []props.Binding {
	return []props.Binding{
		props.Bind("dist-rounds-versus-local-steps",
			props.All(withLocalSteps(true), withLocalSteps(false))),
		props.Bind("dist-rounds-versus-heterogeneity", props.All(acrossHeterogeneity().Effort(3),
			acrossLocalSteps().Effort(3))),
	}
}
