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

// sospNu is ν in the simulations of the second-order theorems, hiddenFactor the constant that those
// of the theorems as printed allow them to hide.
const (
	sospNu       = 0.1
	hiddenFactor = 4
)

// search runs a method for at most so many steps, or rounds, and returns the number of steps, local
// ones where there are such, after which found holds at the iterate. A run that diverges ends.
func search(m algos.Method, p algos.Problem, x0 []float64, r algos.Randomness, most int,
	found func(x []float64) bool) (
	step int, ok bool) {
	if err := m.Start(algos.NewOracle(p), x0, r); err != nil {
		panic(err) // the ranges of the checks are valid
	}
	if found(x0) {
		return 0, true
	}
	local, _ := m.(interface{ LocalPoints() [][]float64 })
	for range most {
		m.Step()
		x := m.Point()
		if local == nil {
			if step++; found(x) {
				return step, true
			}
		} else {
			for _, x := range local.LocalPoints()[1:] {
				if step++; found(x) {
					return step, true
				}
			}
		}
		if math.IsNaN(x[0]) || math.IsInf(x[0], 0) {
			break
		}
	}
	return step, false
}

// within turns a search into a hitting trial in rounds of K steps that may fail with probability
// sospNu.
func within(rounds, K int, regime props.Regime,
	run func(t props.Trial) (step int, ok bool)) props.HittingTrial {
	regime = regime.And(longEnough(rounds), props.Allowed(sospNu))
	return props.HittingTrial{Horizon: rounds, Delta: sospNu, Regime: regime,
		Run: func(t props.Trial) (int, bool) {
			step, ok := run(t)
			return (step + K - 1) / K, ok
		}}
}

// loud is a setting in which a method, SLEDGE or FLEDGE with all clients, runs on a separable cosine
// function, the same for all components or clients with one datum each, from a drawn start, with an
// accuracy ε of so many times its largest gradient.
type loud struct {
	tuning
	gamma, width, share float64
	claimed             *formula.Program // steps or rounds, of L, Δ, ε, δ and ρ
	// what follows in some dimension
	terrain        *operating.Terrain
	steps          int // hiddenFactor times as many as claimed
	eps, curv, rho float64
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
	l.eta, l.rho = 1/(4*c.L.Value), c.Rho.Value
	l.steps = int(math.Ceil(hiddenFactor *
		l.claimed.At(c.L.Value, c.Delta.Value, l.eps, l.curv, l.rho)))
	return l
}

// run looks for an (ε,δ)-second-order point.
func (l loud) run(t keyed.Key, radius float64) (int, bool) {
	p := l.terrain.Alone()
	l.r = radius
	return search(l.method(), p, p.X0(), algos.Keyed(t), l.steps, p.SecondOrder(l.eps, l.curv))
}

// printed and repaired are the noise radii of theorem:Second-Main, with the constants of the second
// as 1.
func (l loud) printed() float64 { return l.eta * l.eps / 2 }
func (l loud) repaired() float64 {
	return l.eta * min(l.eps, sq(l.curv)/(math.Sqrt2*l.rho)) / 4
}

// Dimensions in which the printed noise radius is tried: so many that points that are spread evenly
// over the torus would have the wanted curvatures less than once in ten thousand steps, see
// [successes].
const leastLoud, mostLoud = 32, 48

// underLargeNoise draws such a function and runs a method with the printed noise radius where ε ≫
// δ²/ρ. The picture shows how many runs succeed in drawn dimensions, with both radii.
func underLargeNoise(method tuning, claimed *formula.Program) *props.Randomised {
	return props.Hitting(func(src *props.Source) props.HittingTrial {
		d := src.Int("d", leastLoud, mostLoud)
		s := loud{tuning: method, claimed: claimed, gamma: src.LogReal("γ", 0.1, 10),
			width: src.LogReal("w", 0.3, 3), share: src.LogReal("ε/largest gradient", 1, 20)}
		l := s.in(d, src.Key("x0"))
		trial := within(l.steps, 1, props.Where(props.Min("d", d, leastLoud)),
			func(t props.Trial) (int, bool) { return l.run(t.Key, l.printed()) })
		trial.Picture = func(key keyed.Key) props.Curve { return s.successes(key, mostLoud/2) }
		return trial
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
	c := props.Curve{Title: fmt.Sprintf(
		"share of %d runs that succeed within %d times the claimed number of steps, "+
			"with the printed radius", runs, hiddenFactor), XLabel: "d", YLabel: props.ShareOfRuns,
		Others: []props.Line{{Name: "with the repaired one"}, {Name: "points spread evenly"}}}
	for _, d := range dims {
		var printed, repaired, steps float64
		for i := range runs {
			key := key.At(d).At(i)
			l := s.in(d, key.With("x0"))
			steps = float64(l.steps)
			if _, ok := l.run(key.With("printed"), l.printed()); ok {
				printed++
			}
			if _, ok := l.run(key.With("repaired"), l.repaired()); ok {
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

// leading is LΔ(1/ε² + ρ²/δ⁴), the order of the steps of the theorem for SLEDGE, and claimedRounds
// the rounds of that for FLEDGE with one local step and ζ = 1.1δ.
var leading, claimedRounds = ofAccuracy("LΔ" + accuracies), ofAccuracy(
	"1 + Δ(L + 1.1δ)" + accuracies)

func ofAccuracy(text string) *formula.Program {
	return formula.Must(Vocabulary, text).Of("L", "Δ", "ε", "δ", "ρ")
}

// fourClients runs FLEDGE with one local step and all of four clients. For them ζ = 1.1δ is valid:
// √4 + 1.21 and a minibatch of any size ask for at most p = 4.
func fourClients(option algos.Option) tuning { return tuning{p: 4, K: 1, b: 1, option: option} }

// The numbers of steps and of rounds of the proofs, by option.
var (
	stepsOfProof = [...]*formula.Formula{
		algos.OptionII: formula.Must(saddleWords, escapeSteps),
		algos.OptionI:  formula.Must(saddleWords, escapeStepsI)}
	roundsOfProof = [...]*formula.Formula{
		algos.OptionII: formula.Must(saddleWords, escapeRounds),
		algos.OptionI:  formula.Must(saddleWords, escapeRoundsI)}
)

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

// passed tells (ε,δ)-second-order stationary points of a chain of saddles on a run.
func passed(run algos.Problem, eps, curvature float64) func(x []float64) bool {
	p, _ := algos.As[*problems.SaddleChain](run)
	g := make([]float64, p.Dim())
	return func(x []float64) bool {
		p.FullGradient(g, x)
		return normSq(g) <= eps*eps && p.Eigenvalues(x, -curvature) == 0
	}
}

// constantsOf returns the values of the symbols of a problem of n components or clients, of a
// method that asks for ε and δ by steps of η, and C_1 and the constants of the radii as 1.
func constantsOf(c problems.Constants, n, eta, eps, delta float64) map[string]float64 {
	return map[string]float64{"L": c.L.Value, "ρ": c.Rho.Value, "ζ": c.Zeta.Value,
		"Δ": c.Delta.Value, "σ_c": c.SigmaC.Value, "G_c": c.GC.Value, "σ": 0, "G": 0, "C_1": 1,
		"C_b": 1, "C_e": 1, "n": n, "P": n, "η": eta, "ε": eps, "δ": delta}
}

// chainTime is how many gradient steps a method may take from the first saddle of a chain to where
// ‖∇f‖ ≤ ε beyond the last: half more than [escapeLaw] for each, and a contraction from a gradient
// of γπ.
func chainTime(p *problems.SaddleChain, r, eta, eps float64) float64 {
	law := escapeLaw(math.Pi/2, r, p.Dim(), eta, p.Gamma)
	return 1.5 * (float64(p.Saddles)*law + math.Log1p(math.Pi*p.Gamma/eps)/(eta*p.Gamma))
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

// fromSaddle runs the method for as long as the proof asks, or for the time of the chain.
func fromSaddle(draw func(src *props.Source, proof bool) *fromChain, option algos.Option,
	proof bool) *props.Randomised {
	return props.Hitting(func(src *props.Source) props.HittingTrial {
		c := draw(src, proof)
		c.option = option
		return c.trial(proof)
	})
}

// settle sets the noise radius and returns the number of steps, or rounds, of the proof: both
// depend on the logarithm, which depends on both.
func (c *fromChain) settle() float64 {
	T, count := 1.0, stepsOfProof[c.option]
	if c.K > 0 {
		count = roundsOfProof[c.option]
	}
	c.r, _ = c.radii(0)
	for range 20 {
		moves := T * float64(max(1, c.K))
		r, time := c.radii(math.Log(max(math.E,
			c.values["δ"]*moves*math.Sqrt(float64(c.chain.Dim()))/(c.values["ρ"]*c.r*sospNu))))
		c.r, c.values["r"], c.values["T_2"], c.values["T_6"] = r, r, time, time
		T = count.At(c.values)
	}
	return T
}

func (c *fromChain) trial(proof bool) props.HittingTrial {
	T, K := c.settle(), max(1, c.K)
	if !proof {
		T = chainTime(c.chain, c.r, c.eta, c.values["ε"]) / float64(K)
	}
	horizon := int(math.Ceil(T))
	d := c.chain.Dim()
	regime := c.sampling(c.chain.Components(), d, c.values["ζ"]).And(props.Min("d", d, 8),
		noiseWithin(c.r, c.values["δ"]/c.values["ρ"]))
	if c.K == 0 {
		regime = withSmallErrors(regime)
	}
	return within(horizon, K, regime, func(t props.Trial) (int, bool) {
		made, share := c.tuning, stepShare{from: smallErrors}
		made.r = radius(t, c.r)
		defer share.Report(t)
		m, run := made.method(), algos.Recall(algos.Sum(c.chain))
		monitor, done, count := algos.NewMonitor(run), passed(run, c.values["ε"], c.values["δ"]), 0
		return search(m, answers(t, run), c.chain.Saddle(0), algos.Keyed(t.Key),
			patience(t, horizon), func(x []float64) bool {
				if count++; c.K == 0 && count%16 == 0 {
					share.look(m, monitor, x)
				}
				return done(x)
			})
	})
}

// stepsFromSaddle draws one of SLEDGE, with the repaired noise radius and batch size.
func stepsFromSaddle(src *props.Source, proof bool) *fromChain {
	saddles, most, d := 2, 24, 16
	if proof { // the rate alone is at stake
		saddles, most, d = 1, 12, 10
	}
	n := 2 * src.Int("n/2", 8, most)
	p := props.Must(problems.MakeSaddleChain(n, drawSaddles(src, problems.Sizes(1, saddles),
		problems.Sizes(8, d), 0.1, 0.1, 2, 1), src.Rand("directions")))
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
func roundsFromSaddle(src *props.Source, proof bool) *fromChain {
	most, d := 16, 16
	if proof {
		most, d = 12, 10
	}
	P := 2 * src.Int("P/2", 8, most)
	one := problems.Sizes(1, 1) // a chain: saddle-chain/escape-fledge
	p := props.Must(problems.MakeSaddleChain(P,
		drawSaddles(src, one, problems.Sizes(8, d), 0.3, 0.5, 1.5, 1), src.Rand("directions")))
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

// roundsWithDrift draws two groups of clients of curvatures h ± ζ/2 along a line and K far beyond
// L/ζ, and asks for a point of small gradient.
func roundsWithDrift(src *props.Source) props.HittingTrial {
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
	const rho = 0 // of a quadratic
	rounds := 1 + secondRounds.At(c.Delta.Value, c.L.Value, float64(K), zeta, eps, rho, 0.9*zeta)
	T := int(math.Ceil(hiddenFactor * rounds))
	g := make([]float64, 1)
	regime := props.Where(props.Min("P", P, 2), props.Min("K", K, 2), props.Positive("ζ", zeta))
	return within(T, K, regime, func(t props.Trial) (int, bool) {
		m := &algos.FLEDGE{Eta: eta, Chosen: P, LocalSteps: K, Batch: 1, Cap: true,
			Radius: 1e-3 * eta * eps}
		return search(m, p, x0, algos.Keyed(t.Key), T, func(x []float64) bool {
			p.FullGradient(g, x)
			return math.Abs(g[0]) <= eps
		})
	})
}
