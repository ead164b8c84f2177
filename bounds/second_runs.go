package bounds

import (
	"fmt"
	"math"
	"slices"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/bounds/operating"
	"sledge/props"
	"sledge/props/formula"
	"sledge/props/keyed"
)

// This file holds the runs that claims of the second-order theorems are about.

// sospNu is ν in the simulations of the second-order theorems.
const sospNu = 0.1

// loud is a setting in which a method, SLEDGE or FLEDGE with all clients, runs on a separable cosine
// function, the same for all components or clients with one datum each, from a drawn start, with an
// accuracy ε of so many times its largest gradient.
type loud struct {
	tuning
	gamma, width, share float64
	claimed             *formula.Formula // steps or rounds
	// what follows in some dimension
	terrain   *operating.Terrain
	steps     int // as many as claimed
	values    map[string]float64
	eps, curv float64
}

// in makes the function in d dimensions, for η = 1/(4L).
func (l loud) in(d int, key keyed.Key) loud {
	wave := operating.Shape{
		Value: func(u float64) float64 { return sq(l.width) * l.gamma * (1 + math.Cos(u/l.width)) },
		Slope: func(u float64) float64 { return -l.width * l.gamma * math.Sin(u/l.width) },
		Bend:  func(u float64) float64 { return -l.gamma * math.Cos(u/l.width) },
		Low:   -l.gamma, High: l.gamma, Third: l.gamma / l.width,
	}
	start, r := make([]float64, d), key.Rand()
	for k := range start {
		start[k] = math.Pi * l.width * (2*r.Float64() - 1)
	}
	l.terrain = operating.New(operating.Site{Shapes: slices.Repeat([]operating.Shape{wave}, d),
		Start: start, Clients: max(1, l.p)}, key)
	c := l.terrain.Constants(l.terrain.X0())
	l.curv, l.eps = 0.7*l.gamma, l.gamma*l.width*math.Sqrt(float64(d))*l.share
	l.eta = 1 / (4 * c.L.Value)
	l.values = constantsOf(c, float64(max(1, l.p)), l.eta, l.eps, l.curv)
	l.values["K"], l.values["ζ"] = 1, 1.1*l.curv
	l.steps = int(math.Ceil(l.claimed.At(l.values)))
	return l
}

// run looks for an (ε,δ)-second-order point.
func (l loud) run(t keyed.Key, radius float64) bool {
	p := l.terrain.Alone()
	l.r = radius
	goal := p.SecondOrder(l.eps, l.curv)
	_, ok := search(l.method(), p, p.X0(), algos.Keyed(t), l.steps,
		func(_ int, x []float64) bool { return goal(x) })
	return ok
}

// printed and repaired are the noise radii of theorem:Second-Main, with the constants of the second
// as 1.
func (l loud) printed() float64 { return l.eta * l.eps / 2 }
func (l loud) repaired() float64 {
	return l.eta * min(l.eps, sq(l.curv)/(math.Sqrt2*l.values["ρ"])) / 4
}

// Dimensions in which the printed noise radius is tried: so many that points that are spread evenly
// over the torus would have the wanted curvatures less than once in ten thousand steps, see
// [successes].
const leastLoud, mostLoud = 32, 48

// underLargeNoise draws such a function and a method with the printed noise radius where ε ≫ δ²/ρ:
// FLEDGE with one local step and all of four clients, for which ζ = 1.1δ is valid, so that √4 + 1.21
// and a minibatch of any size ask for at most p = 4. The picture shows how many runs succeed in drawn
// dimensions, with both radii.
func underLargeNoise(src *props.Source, s *searches) *quest {
	d := src.Int("d", leastLoud, mostLoud)
	on := loud{tuning: tuning{b: 1, option: s.option()}, claimed: s.bound,
		gamma: src.LogReal("γ", 0.1, 10), width: src.LogReal("w", 0.3, 3),
		share: src.LogReal("ε/largest gradient", 1, 20)}
	if s.federated() {
		on.p, on.K = 4, 1
	}
	l := on.in(d, src.Key("x0"))
	l.r = l.printed()
	return &quest{K: l.K, values: l.values, problem: l.terrain,
		regime: props.Where(props.Min("d", d, leastLoud)),
		found:  secondOrder(l.eps, l.curv),
		start: func(t props.Trial) (algos.Method, []float64, algos.Randomness) {
			return l.method(), l.terrain.X0(), algos.Keyed(t.Key)
		},
		picture: func(key keyed.Key) props.Curve { return on.successes(key, mostLoud/2) }}
}

// secondOrder tells (ε,δ)-second-order points of a terrain.
func secondOrder(eps, curvature float64) func(run algos.Problem) func(int, []float64) (int, bool) {
	return arriving(func(run algos.Problem) func([]float64) bool {
		return run.(*operating.Terrain).SecondOrder(eps, curvature)
	})
}

// successes counts the runs that succeed in drawn dimensions, up to twice as many as given, each
// from a start of its own, with the printed radius and with the repaired one. A share of
// arccos(−0.7)/π of all curvatures γcos u is at least −0.7γ, which tells how often points that are
// spread evenly have no other one.
func (s loud) successes(key keyed.Key, most int) props.Curve {
	const dimensions, runs = 10, 12
	dims, r := []int{most}, key.With("d").Rand()
	for len(dims) < dimensions {
		if d := 2 + r.IntN(2*most-1); !slices.Contains(dims, d) {
			dims = append(dims, d)
		}
	}
	slices.Sort(dims)
	c := props.Curve{Title: fmt.Sprintf("share of %d runs that succeed within the claimed number "+
		"of steps, with the printed radius", runs), XLabel: "d", YLabel: props.ShareOfRuns,
		Others: []props.Line{{Name: "with the repaired one"}, {Name: "points spread evenly"}}}
	for _, d := range dims {
		var printed, repaired, steps float64
		for i := range runs {
			key := key.At(d).At(i)
			l := s.in(d, key.With("x0"))
			steps = float64(l.steps)
			if l.run(key.With("printed"), l.printed()) {
				printed++
			}
			if l.run(key.With("repaired"), l.repaired()) {
				repaired++
			}
		}
		c.X, c.Claimed = append(c.X, float64(d)), append(c.Claimed, 1-sospNu)
		c.Median = append(c.Median, printed/runs)
		c.Others[0].Y = append(c.Others[0].Y, repaired/runs)
		flat := math.Pow(math.Acos(-0.7)/math.Pi, float64(d))
		c.Others[1].Y = append(c.Others[1].Y, -math.Expm1((steps+1)*math.Log1p(-flat)))
	}
	return c
}

// drawSaddles draws a chain of rotated saddles that do not separate, whose components differ in
// curvature by from least to most times γ.
func drawSaddles(src *props.Source, saddles, d problems.Range, leastGamma, least, most,
	spread float64) problems.SaddleChainMean {
	m := problems.SaddleChainMean{Saddles: draw(src, "saddles", saddles)}
	m.Rest = src.LogInt("d", max(d.Min, m.Saddles), d.Max) - m.Saddles
	m.Gamma = src.LogReal("γ", leastGamma, 1)
	m.Lambda, m.Zeta = m.Gamma*src.Real("λ/γ", 1, 2), m.Gamma*src.Real("ζ/γ", least, most)
	m.Spread = m.Gamma * src.LogReal("σ_c/γ", 1e-3, spread)
	return m
}

// passed tells (ε,δ)-second-order stationary points of a chain of saddles.
func passed(eps, curvature float64) func(run algos.Problem) func(int, []float64) (int, bool) {
	return arriving(func(run algos.Problem) func([]float64) bool {
		p, _ := algos.As[*problems.SaddleChain](run)
		g := make([]float64, p.Dim())
		return func(x []float64) bool {
			p.FullGradient(g, x)
			return normSq(g) <= eps*eps && p.Eigenvalues(x, -curvature) == 0
		}
	})
}

// constantsOf returns the values of the symbols of a problem of n components or clients, of a
// method that asks for ε and δ by steps of η, and C_1 and the constants of the radii as 1.
func constantsOf(c problems.Constants, n, eta, eps, delta float64) map[string]float64 {
	return map[string]float64{"L": c.L.Value, "ρ": c.Rho.Value, "ζ": c.Zeta.Value,
		"Δ": c.Delta.Value, "σ_c": c.SigmaC.Value, "G_c": c.GC.Value, "σ": 0, "G": 0, "C_1": 1,
		"C_b": 1, "C_e": 1, "n": n, "P": n, "η": eta, "ε": eps, "δ": delta}
}

// fromChain is a method that starts at the first of a chain of saddles, with the constants of its
// theorem as 1.
type fromChain struct {
	tuning
	chain  *problems.SaddleChain
	values map[string]float64 // of the symbols of the proof that the noise does not change
	// the noise radius, and T_2 or T_6, for the logarithm that the theorem hides
	radii func(log float64) (r, time float64)
}

// settle sets the noise radius, which depends on the logarithm, which depends on it and the bound.
func (c *fromChain) settle(bound *formula.Formula) {
	T := 1.0
	c.r, _ = c.radii(0)
	for range 20 {
		moves := T * float64(max(1, c.K))
		r, time := c.radii(math.Log(max(math.E,
			c.values["δ"]*moves*math.Sqrt(float64(c.chain.Dim()))/(c.values["ρ"]*c.r*sospNu))))
		c.r, c.values["r"], c.values["T_2"], c.values["T_6"] = r, r, time, time
		T = bound.At(c.values)
	}
}

// fromSaddle is the search of a method of the second-order theorems for an (ε,δ)-second-order point.
func fromSaddle(src *props.Source, s *searches) *quest {
	draw := stepsFromSaddle
	if s.federated() {
		draw = roundsFromSaddle
	}
	c := draw(src)
	c.option = s.option()
	d := c.chain.Dim()
	c.values["m"], c.values["d"], c.values["R"], c.values["γ"] = float64(c.chain.Saddles), float64(d),
		math.Pi/2, c.chain.Gamma
	c.settle(s.bound)
	q := &quest{K: c.K, values: c.values, problem: algos.Sum(c.chain),
		found: passed(c.values["ε"], c.values["δ"]),
		regime: c.sampling(c.chain.Components(), d, c.values["ζ"]).And(props.Min("d", d, 8),
			noiseWithin(c.r, c.values["δ"]/c.values["ρ"]))}
	if c.K == 0 {
		q.regime = reporting(erringAtAll, q.regime)
	}
	q.start = func(t props.Trial) (algos.Method, []float64, algos.Randomness) {
		made := c.tuning
		made.r = radius(t, c.r)
		return made.method(), c.chain.Saddle(0), algos.Keyed(t.Key)
	}
	return q
}

// stepsFromSaddle draws one of SLEDGE, with the repaired noise radius and batch size.
func stepsFromSaddle(src *props.Source) *fromChain {
	n := 2 * src.Int("n/2", 8, 24)
	p := props.Must(problems.MakeSaddleChain(n, drawSaddles(src, problems.Sizes(1, 2),
		problems.Sizes(8, 16), 0.1, 0.1, 2, 1), src.Rand("directions")))
	c := p.Constants(p.Saddle(0))
	s := algos.SLEDGETheory{N: n, L: c.L.Value, Rho: c.Rho.Value, Zeta: c.Zeta.Value}
	s.Curvature = p.Gamma * src.Real("δ/γ", 0.3, 0.9)
	s.Eps = sq(s.Curvature) / s.Rho * src.LogReal("ε/(δ²/ρ)", 0.1, 1e3)
	s.B = stuckBatch(n, 1, s.Zeta, s.Curvature)
	eta := phaseStepSizeAt(s.L, s.Zeta, n, s.B, 1)
	values := constantsOf(c, float64(n), eta, s.Eps, s.Curvature)
	values["b"] = float64(s.B)
	return &fromChain{tuning: tuning{eta: eta, b: s.B}, chain: p, values: values,
		radii: func(log float64) (r, time float64) {
			s.Log = log
			return s.NoiseRadius(eta), s.EscapeTime(eta)
		}}
}

// roundsFromSaddle draws one of FLEDGE and a single saddle, with clients of one datum each and the
// repaired conditions on p, b and K.
func roundsFromSaddle(src *props.Source) *fromChain {
	P := 2 * src.Int("P/2", 8, 16)
	one := problems.Sizes(1, 1) // a chain: saddle-chain/escape-fledge
	p := props.Must(problems.MakeSaddleChain(P,
		drawSaddles(src, one, problems.Sizes(8, 16), 0.3, 0.5, 1.5, 1), src.Rand("directions")))
	c := p.Constants(p.Saddle(0))
	s := algos.FLEDGETheory{P: float64(P), L: c.L.Value, Data: c.L.Value, Rho: c.Rho.Value,
		Zeta: c.Zeta.Value}
	s.Curvature = min(p.Gamma, s.Zeta) * src.Real("δ/min{γ,ζ}", 0.7, 0.95)
	s.Eps = sq(s.Curvature) / s.Rho * src.LogReal("ε/(δ²/ρ)", 0.3, 1e3)
	K := src.Int("K", 1, max(1, min(6, int(s.L/s.Zeta))))
	b := K
	enough := func() float64 {
		return algos.EnoughClients(s.P, 1, s.Zeta, s.L, s.Curvature, float64(K*b))
	}
	for enough() > s.P && b < 1000 {
		b++
	}
	s.K, s.B, s.Chosen = float64(K), float64(b), math.Ceil(min(s.P, enough()))
	eta := s.SecondStep()
	values := constantsOf(c, s.P, eta, s.Eps, s.Curvature)
	values["p"], values["K"], values["b"] = s.Chosen, s.K, s.B
	return &fromChain{tuning: tuning{eta: eta, p: int(s.Chosen), K: K, b: 1}, chain: p, values: values,
		radii: func(log float64) (r, time float64) {
			s.Log = log
			return s.NoiseRadius(eta), s.HalfPhase(eta)
		}}
}

// withDrift draws two groups of clients of curvatures h ± ζ/2 along a line and K far beyond L/ζ, and
// asks for a point of small gradient.
func withDrift(src *props.Source, _ *searches) *quest {
	P := 2 * src.Int("P/2", 4, 10)
	h := src.LogReal("h", 0.1, 10)
	zeta := h * src.LogReal("ζ/h", 10, 30)
	p := props.Must(problems.Make(problems.OneEach(P),
		problems.QuadraticMean{Spectrum: []float64{h},
			Between: problems.Heterogeneity{Pattern: problems.TwoCluster, Hessian: zeta}},
		src.Rand("directions")))
	x0 := []float64{1}
	c := p.Constants(x0)
	eps := h * src.Real("ε/‖∇f(x⁰)‖", 0.05, 0.2)
	eta := src.Real("ηL", 0.25, 0.5) / c.L.Value
	K := int(math.Ceil(src.Real("ηζK", 20, 40) / (eta * zeta)))
	values := constantsOf(c, float64(P), eta, eps, 0.9*zeta)
	values["K"], values["ζ"], values["ρ"] = float64(K), zeta, 0 // of a quadratic
	return &quest{K: K, values: values, problem: p,
		regime: props.Where(props.Min("P", P, 2), props.Min("K", K, 2), props.Positive("ζ", zeta)),
		start: func(t props.Trial) (algos.Method, []float64, algos.Randomness) {
			return &algos.FLEDGE{Eta: eta, Chosen: P, LocalSteps: K, Batch: 1, Cap: true,
				Radius: 1e-3 * eta * eps}, x0, algos.Keyed(t.Key)
		},
		found: arriving(func(run algos.Problem) func([]float64) bool {
			monitor := algos.NewMonitor(run)
			return func(x []float64) bool { return monitor.GradientNorm(x) <= eps }
		})}
}
