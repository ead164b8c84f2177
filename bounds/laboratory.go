package bounds

import (
	"math"
	"math/big"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
	"sledge/props/keyed"
)

// The saddle laboratory: methods on chains of rotated saddles that do not separate
// ([problems.SaddleChain]). A run starts at the first saddle and arrives at each later one from
// afar, with a table, or a recursion, that is as old as it is, and with the direction in which it
// will have to leave contracted. A saddle is left when |u| in its direction has reached π/2,
// halfway to the next one.

// chained is a method on a chain of saddles.
type chained struct {
	problems.SaddleChainMean
	n, b int
	etaL float64 // η times the gradient Lipschitz constant of the components
	r    float64 // noise radius
	seed uint64  // of the rotation and the directions
	on   escaper

	p        *problems.SaddleChain
	eta, law float64 // step size, and the expected number of steps for one saddle
}

// escaper makes a method that is to leave saddles.
type escaper struct {
	id, name string // the end of the ids of its claims, and what it is called
	make     func(c chained) algos.Method
	local    int // gradient steps that a step of the method makes
	// how many times the law it may take for a saddle: those that perturb once must notice first
	// where they are
	slow float64
	// the largest dimension in which its law is tried, 0 if it is not
	largest int
}

// String returns the name of the method.
func (e escaper) String() string { return e.name }

// smallGradient is the gradient norm below which SSRGD and PGD perturb, over γ.
const smallGradient = 0.02

func sledgeEscaper(option algos.Option) func(c chained) algos.Method {
	return func(c chained) algos.Method {
		return &algos.SLEDGE{Eta: c.eta, Batch: c.b, Radius: c.r, Option: option}
	}
}

var escapers = []escaper{
	{"sledge-1", "SLEDGE-I", sledgeEscaper(algos.OptionI), 1, 1.5, 0},
	{"sledge-2", "SLEDGE-II", sledgeEscaper(algos.OptionII), 1, 1.5, 256},
	// with b of n clients, which have one datum each
	{"fledge", "FLEDGE-II", func(c chained) algos.Method {
		return &algos.FLEDGE{Eta: c.eta, Chosen: c.b, Batch: 1, LocalSteps: 4, Radius: c.r, Cap: true}
	}, 4, 1.5, 128},
	{"ssrgd", "SSRGD", func(c chained) algos.Method {
		return &algos.SSRGD{Tuning: algos.Tuning{Eta: c.eta, Batch: c.b, Radius: c.r},
			Period: algos.RootBatch(c.n), Threshold: smallGradient * c.Gamma, Wait: int(c.law)}
	}, 1, 2.5, 256},
	{"pgd", "PGD", func(c chained) algos.Method {
		return &algos.PGD{Eta: c.eta, Radius: c.r, Threshold: smallGradient * c.Gamma, Wait: int(c.law)}
	}, 1, 2.5, 1000},
}

// built makes the problem, and sets step size and law, escapeLaw from the noise to π/2.
func (c chained) built() chained {
	c.p = props.Must(problems.MakeSaddleChain(c.n, c.SaddleChainMean, keyed.New(c.seed).Rand()))
	c.eta = c.etaL / c.p.Constants(c.p.Saddle(0)).L.Value
	c.law = escapeLaw(math.Pi/2, c.r, c.p.Dim(), c.eta, c.Gamma)
	return c
}

// passages runs the method from the first saddle for at most so many gradient steps, and returns
// after how many of them each saddle was left, those that were not left out. It calls visit at
// every step, if there is one, with a monitor of the problem.
func (c chained) passages(most float64, key keyed.Key,
	visit func(m algos.Method, monitor *algos.Monitor)) []float64 {
	run := algos.Recall(algos.Sum(c.p))
	own, _ := algos.As[*problems.SaddleChain](run)
	m, monitor := c.on.make(c), algos.NewMonitor(run)
	var times []float64
	step := -c.on.local
	search(struct{ algos.Method }{m}, run, c.p.Saddle(0), algos.Keyed(key), int(most)/c.on.local,
		func(x []float64) bool {
			if step += c.on.local; step > 0 && visit != nil {
				visit(m, monitor)
			}
			u := own.Along(x)
			for len(times) < c.Saddles && math.Abs(u[len(times)]) >= math.Pi/2 {
				times = append(times, float64(step))
			}
			return len(times) == c.Saddles
		})
	return times
}

// drawChain draws a chain with the batch size of the lemma, b ≥ √n + ζ²/γ², for runs of the given
// method.
func drawChain(src *props.Source, on escaper, saddles, dimension problems.Range) chained {
	c := chained{on: on, n: 2 * src.Int("n/2", 4, 10), etaL: src.LogReal("ηL", 0.2, 0.5),
		seed: src.Seed("directions")}
	c.SaddleChainMean = drawSaddles(src, saddles, dimension, 0.1, 0.2, 1.5, 0.1)
	c.b = stuckBatch(c.n, 1, c.Zeta, c.Gamma)
	c.r = src.LogReal("r", 1e-6, 1e-3) * c.Gamma * c.etaL
	return c.built()
}

// regime asks for several components that differ, and more.
func (c chained) regime(more ...props.Condition) props.Regime {
	return props.Where(props.Min("n", c.n, 8), props.Positive("ζ", c.Zeta)).And(more...)
}

// leavesAll is the statement that all saddles are left within slow times the law for each of them,
// but for a probability of 0.1.
func leavesAll(src *props.Source, on escaper) props.HittingTrial {
	c := drawChain(src, on, problems.Sizes(2, 3), problems.Sizes(8, 40))
	steps := on.slow * c.law * float64(c.Saddles)
	sampling := (&tuning{b: c.b}).sampling(c.n, c.p.Dim(), c.Zeta)
	regime := withSmallErrors(sampling.And(props.Min("d", c.p.Dim(), 8),
		props.Min("steps", int(steps), 50), noiseWithin(c.r, math.Pi/2)))
	if on.id == "pgd" || on.id == "ssrgd" {
		regime.Least = 0 // the one has no estimator, the other refreshes it where it perturbs
	}
	return props.HittingTrial{Horizon: int(steps), Delta: 0.1, Regime: regime,
		Run: func(t props.Trial) (int, bool) {
			share := stepShare{from: smallErrors}
			defer share.Report(t)
			count := 0
			c := c
			c.r = radius(t, c.r)
			most := float64(t.Patience(int(steps)))
			times := c.passages(most, t.Key,
				func(m algos.Method, monitor *algos.Monitor) {
					if count++; count%16 == 0 {
						share.look(m, monitor, m.Point())
					}
				})
			if len(times) < c.Saddles {
				return 0, false
			}
			return max(1, int(times[c.Saddles-1])), true
		}}
}

// atSecond sweeps one number of the setting: how long the second saddle holds a run that arrives
// there from the first one, over the law. It may be shorter: on the way the errors of the estimator
// stir the run more than the noise does.
func atSecond(on escaper, label string, x []float64, set func(*chained, float64)) props.Check {
	return props.Slope(func(src *props.Source) props.SlopeTrial {
		c := drawChain(src, on, problems.Sizes(2, 2), problems.Sizes(4, 16))
		return props.SlopeTrial{XLabel: label,
			YLabel: "time at the second saddle·ηγ/log(π√(2dηγ)/(2r))", X: x, Margin: 0.2,
			Of:     props.OfMedian,
			Regime: c.regime(props.Sweep(label, x)),
			Run: func(t props.Trial, x float64) float64 {
				v := c
				set(&v, x)
				v = v.built()
				const censored = 10
				times := v.passages(2*censored*v.law, t.Key, nil)
				if len(times) < 2 {
					return censored
				}
				return min(censored, (times[1]-times[0])/v.law)
			}}
	})
}

// timesTheLaw is how many times the law the second saddle may hold a run, whatever the dimension.
const timesTheLaw = 2.5

// inDimensions is the statement that the second saddle holds a run no longer than a multiple of the
// law in 8 to the largest number of dimensions, but for a probability of 0.1. With the dimension
// the time rises towards that of perturbed gradient descent, which is of the order of the law, so
// that the slope of a sweep tells nothing: it is large on the way there. A run that has not left
// the second saddle after 8 multiples in all counts as one that is held.
func inDimensions(on escaper, multiple float64) props.Check {
	return props.Hitting(func(src *props.Source) props.HittingTrial {
		c := drawChain(src, on, problems.Sizes(2, 2), problems.Sizes(8, on.largest))
		horizon := int(multiple * c.law)
		return props.HittingTrial{Horizon: horizon, Delta: 0.1,
			Regime: c.regime(props.Min("d", c.p.Dim(), 8), props.Min("steps", horizon, 50),
				noiseWithin(c.r, math.Pi/2)),
			Run: func(t props.Trial) (int, bool) {
				c := c
				c.r = radius(t, c.r)
				most := min(multiple*c.law, float64(t.Patience(horizon)+1))
				times := c.passages(8*most, t.Key, nil)
				if len(times) < 2 || times[1]-times[0] > float64(horizon) {
					return 0, false
				}
				return int(times[1] - times[0]), true
			}}
	}).Effort(0.05)
}

// escapeLaws are the sweeps of a method, and what holds in all dimensions. Where γ is much below λ
// the next direction is one of descent only when a run has come closer to the saddle, which adds
// log(λ/γ)/(ηγ) to the time; so γ/λ is not swept, nor is b: with b = n nothing but the noise stirs
// a run, and the time rises to the law itself.
func escapeLaws(on escaper) props.Check {
	return props.All(
		atSecond(on, "ηL", fourTo(0.0158, 0.5), func(c *chained, x float64) { c.etaL = x }),
		atSecond(on, "1/r", fourTo(1e3, 1e8),
			func(c *chained, x float64) { c.r = c.Gamma * c.etaL / x }),
		inDimensions(on, timesTheLaw))
}

// perSaddle compares the time that a chain takes after its first saddle with the law times the
// number of those that remain. At the first one the run starts in its very middle, from afar it
// never comes that close.
func perSaddle(src *props.Source) props.SlopeTrial {
	c := drawChain(src, escapers[1], problems.Sizes(1, 1), problems.Sizes(34, 34))
	c.n, c.etaL, c.r = 8, 0.5, 1e-3*c.Gamma // a chain takes as few steps as it can
	c.b = stuckBatch(c.n, 1, c.Zeta, c.Gamma)
	x := []float64{1, 3, 10, 33}
	return props.SlopeTrial{XLabel: "saddles after the first",
		YLabel: "time over their number times the law", X: x, TwoSided: true, Margin: 0.1,
		Of: props.OfMedian, Regime: c.regime(props.Sweep("saddles after the first", x)),
		Run: func(t props.Trial, x float64) float64 {
			v := c
			v.Saddles, v.Rest = 1+int(x), 33-int(x)
			v = v.built()
			times := v.passages(4*(1+x)*v.law, t.Key, nil)
			if len(times) < v.Saddles {
				return 4
			}
			return (times[v.Saddles-1] - times[0]) / (x * v.law)
		}}
}

// slowDescent follows gradient descent from a point at the given distance from the first saddle in
// every direction: the second saddle holds it about 1 + λ/γ times as long as the first.
func slowDescent(src *props.Source, rec *props.Recorder) {
	c := drawChain(src, escaper{}, problems.Sizes(2, 4), problems.Sizes(8, 40))
	p := c.p
	x, u := make([]float64, p.Dim()), make([]float64, p.Dim())
	apart := src.LogReal("distance in each direction", 1e-4, 1e-2)
	floats.AddConst(apart, x)
	p.Point(x, x)
	g, passed := make([]float64, p.Dim()), []float64{}
	for step := 1; len(passed) < 2 && step < 1e6; step++ {
		p.FullGradient(g, x)
		floats.AddScaled(x, -c.eta, g)
		p.Coordinates(u, x)
		if math.Abs(u[len(passed)]) >= math.Pi/2 {
			passed = append(passed, float64(step))
		}
	}
	if len(passed) < 2 {
		rec.Skip("the second saddle is not left in a million steps")
		return
	}
	rec.AtLeast("steps at the second saddle over those at the first, against 0.6(1 + λ/γ)",
		(passed[1]-passed[0])/passed[0], 0.6*(1+c.Lambda/c.Gamma))
}

func laboratoryClaims() []props.Binding {
	claims := []props.Binding{
		props.Bind("saddle-chain/saddles",
			props.Identity(func(src *props.Source, rec *props.Recorder) {
				c := drawChain(src, escaper{}, problems.Sizes(1, 8), problems.Sizes(8, 1000))
				p, j := c.p, src.Int("saddle", 0, c.Saddles-1)
				x, g := p.Saddle(j), make([]float64, p.Dim())
				p.FullGradient(g, x)
				rec.Equal("‖∇f‖ at the saddle", floats.Norm(g, 2),
					0).Scale(p.Constants(x).L.Value * math.Pi *
					float64(c.Saddles))
				count := func(below float64) *big.Rat {
					return big.NewRat(int64(p.Eigenvalues(x, below)), 1)
				}
				const rounding = 1e-9
				rec.Rats("eigenvalues of ∇²f below −(1 + 1e-9)γ", count(-(1+rounding)*c.Gamma),
					props.EQ, new(big.Rat))
				rec.Rats("eigenvalues of ∇²f below −(1 − 1e-9)γ", count(-(1-rounding)*c.Gamma),
					props.EQ, big.NewRat(1, 1))
				rec.Rats("eigenvalues of ∇²f below (1 − 1e-9)min{γ, λ}",
					count((1-rounding)*min(c.Gamma, c.Lambda)), props.EQ,
					big.NewRat(1, 1))
			}).Effort(0.1)),
		props.Bind("saddle-chain/without-noise",
			props.Identity(func(src *props.Source, rec *props.Recorder) {
				c := drawChain(src, props.OneOf(src, "method", escapers[1:]...),
					problems.Sizes(2, 5), problems.Sizes(8, 40))
				c.r = 0
				far := 0.0
				c.passages(3*c.law, src.Key("run"),
					func(m algos.Method, _ *algos.Monitor) {
						far = max(far, floats.Norm(m.Point(), 2))
					})
				rec.Rats("distance from the saddle", new(big.Rat).SetFloat64(far), props.EQ,
					new(big.Rat))
			}).Effort(0.03)),
		props.Bind("saddle-chain/gradient-descent", props.Inequality(slowDescent).Effort(0.1)),
		props.Bind("saddle-chain/linear", props.Slope(perSaddle).Effort(0.05)),
	}
	for _, e := range escapers {
		leaves := func(src *props.Source) props.HittingTrial { return leavesAll(src, e) }
		claims = append(claims, props.Bind("saddle-chain/escape-"+e.id,
			props.Hitting(leaves).Effort(0.05)))
		if e.largest > 0 {
			claims = append(claims, props.Bind("saddle-chain/law-"+e.id, escapeLaws(e)))
		}
	}
	return claims
}
