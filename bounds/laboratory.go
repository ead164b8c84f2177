package bounds

import (
	"cmp"
	"math"
	"slices"

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
	n, b      int
	etaL      float64 // η times the gradient Lipschitz constant of the components
	r         float64 // noise radius
	seed      uint64  // of the rotation and the directions
	afterward bool    // steps count from where the first saddle is left

	p        *problems.SaddleChain
	eta, law float64 // step size, and the expected number of steps for one saddle
}

// escaper makes a method that is to leave saddles, with the given noise radius.
type escaper struct {
	make func(c chained, r float64) algos.Method
	// the largest dimension in which it is tried at the second saddle
	largest int
	// whether it has no estimator, or refreshes it where it perturbs
	refreshed bool
}

// smallGradient is the gradient norm below which SSRGD and PGD perturb, over γ.
const smallGradient = 0.02

func sledgeEscaper(option algos.Option) func(c chained, r float64) algos.Method {
	return func(c chained, r float64) algos.Method {
		return &algos.SLEDGE{Eta: c.eta, Batch: c.b, Radius: r, Option: option}
	}
}

var escapers = map[string]escaper{
	"SLEDGE-I":  {sledgeEscaper(algos.OptionI), 256, false},
	"SLEDGE-II": {sledgeEscaper(algos.OptionII), 256, false},
	// with b of n clients, which have one datum each
	"FLEDGE-II": {func(c chained, r float64) algos.Method {
		return &algos.FLEDGE{Eta: c.eta, Chosen: c.b, Batch: 1, LocalSteps: 4, Radius: r, Cap: true}
	}, 128, false},
	"SSRGD": {func(c chained, r float64) algos.Method {
		return &algos.SSRGD{Tuning: algos.Tuning{Eta: c.eta, Batch: c.b, Radius: r},
			Period: algos.RootBatch(c.n), Threshold: smallGradient * c.Gamma, Wait: int(c.law)}
	}, 256, true},
	"PGD": {func(c chained, r float64) algos.Method {
		return &algos.PGD{Eta: c.eta, Radius: r, Threshold: smallGradient * c.Gamma, Wait: int(c.law)}
	}, 1000, true},
}

// built makes the problem, and sets step size and law: the typical number of steps to leave a ball of
// radius R = π/2 around a strict saddle of curvature −γ under noise of radius r in every step, the
// solution of (1+ηγ)^t r/√(2dηγ) = R with log(1+ηγ) replaced by ηγ. It has the shape log(1/r)/(ηγ) of
// T_2 (line 1555) with every constant inside the logarithm spelt out: along e the iterate is (1+ηγ)^t
// times a number of standard deviation r/√((d+2)·2ηγ).
func (c chained) built() chained {
	c.p = props.Must(problems.MakeSaddleChain(c.n, c.SaddleChainMean, keyed.New(c.seed).Rand()))
	c.eta = c.etaL / c.p.Constants(c.p.Saddle(0)).L.Value
	rate := c.eta * c.Gamma
	c.law = math.Log(math.Pi/2*math.Sqrt(2*float64(c.p.Dim())*rate)/c.r) / rate
	return c
}

// passage tells when all saddles are left, and from where on steps count.
func (c chained) passage(run algos.Problem) func(step int, x []float64) (since int, ok bool) {
	own, _ := algos.As[*problems.SaddleChain](run)
	left, since := 0, 0
	return func(step int, x []float64) (int, bool) {
		for u := own.Along(x); left < c.Saddles && math.Abs(u[left]) >= math.Pi/2; left++ {
			if left == 0 && c.afterward {
				since = step
			}
		}
		return since, left == c.Saddles
	}
}

// drawChain draws a chain with the batch size of the lemma, b ≥ √n + ζ²/γ².
func drawChain(src *props.Source, saddles, dimension problems.Range) chained {
	c := chained{n: 2 * src.Int("n/2", 4, 10), etaL: src.LogReal("ηL", 0.2, 0.5),
		seed: src.Seed("directions")}
	c.SaddleChainMean = drawSaddles(src, saddles, dimension, 0.1, 0.2, 1.5, 0.1)
	c.b = stuckBatch(c.n, 1, c.Zeta, c.Gamma)
	c.r = src.LogReal("r", 1e-6, 1e-3) * c.Gamma * c.etaL
	return c.built()
}

// leaving is the search of the method for a way out of the last saddle, which counts where the
// regime holds.
func (c chained) leaving(on escaper, regime props.Regime) *quest {
	q := &quest{regime: regime, problem: algos.Sum(c.p), found: c.passage,
		values: map[string]float64{"η": c.eta, "γ": c.Gamma, "d": float64(c.p.Dim()), "R": math.Pi / 2,
			"r": c.r, "m": float64(c.Saddles)}}
	if c.afterward {
		q.values["m"]--
		q.lead = int(5 * c.law)
	}
	q.start = func(t props.Trial) (algos.Method, []float64, algos.Randomness) {
		return on.make(c, radius(t, c.r)), c.p.Saddle(0), algos.Keyed(t.Key)
	}
	return q
}

// regime asks for several components that differ, and more.
func (c chained) regime(more ...props.Condition) props.Regime {
	return props.Where(props.Min("n", c.n, 8), props.Positive("ζ", c.Zeta)).And(more...)
}

// throughChain draws a chain from whose first saddle on steps count.
func throughChain(src *props.Source, s *searches) *quest {
	c, on := drawChain(src, problems.Sizes(2, 3), problems.Sizes(8, 40)), escapers[s.method]
	regime := (&tuning{b: c.b}).sampling(c.n, c.p.Dim(), c.Zeta).And(
		props.Min("d", c.p.Dim(), 8), noiseWithin(c.r, math.Pi/2))
	if !on.refreshed {
		regime = reporting(erringAtAll, regime)
	}
	return c.leaving(on, regime)
}

// atSecond draws a chain of two saddles, of which the second holds a run that arrives there from the
// first. Where γ is much below λ the next direction is one of descent only when a run has come
// closer to the saddle, which adds log(λ/γ)/(ηγ) to the time; so γ/λ is not swept, nor is b: with b
// = n nothing but the noise stirs a run, and the time rises to the law itself. So it does with the
// dimension, in which a slope tells nothing: it is large on the way there.
func atSecond(widely bool) func(src *props.Source, s *searches) *quest {
	return func(src *props.Source, s *searches) *quest {
		on, dimension := escapers[s.method], problems.Sizes(4, 16)
		if widely {
			dimension = problems.Sizes(8, on.largest)
		}
		c := drawChain(src, problems.Sizes(2, 2), dimension)
		c.afterward = true
		regime := c.regime()
		if widely {
			regime = regime.And(props.Min("d", c.p.Dim(), 8), noiseWithin(c.r, math.Pi/2))
		}
		q := c.leaving(on, regime)
		q.at = func(x float64) *quest {
			v := c
			if s.label == "ηL" {
				v.etaL = x
			} else {
				v.r = c.Gamma * c.etaL / x
			}
			return v.built().leaving(on, regime)
		}
		return q
	}
}

// alongChain draws a chain of 34 dimensions whose saddles after the first count: at the first one
// the run starts in its very middle, from afar it never comes that close.
func alongChain(src *props.Source, s *searches) *quest {
	c, on := drawChain(src, problems.Sizes(1, 1), problems.Sizes(34, 34)), escapers[s.method]
	c.n, c.etaL, c.r, c.afterward = 8, 0.5, 1e-3*c.Gamma, true // a chain takes as few steps as it can
	c.b = stuckBatch(c.n, 1, c.Zeta, c.Gamma)
	with := func(x float64) *quest {
		v := c
		v.Saddles, v.Rest = 1+int(math.Round(x)), 33-int(math.Round(x))
		return v.built().leaving(on, c.regime())
	}
	q := with(1)
	q.at = with
	return q
}

// escapeRadius is the radius R that the scaling checks look at: a twentieth of the length scale of
// the saddle.
const escapeRadius = 0.05

// escapeSetting is what one run of SLEDGE from a single saddle depends on.
type escapeSetting struct {
	shape     saddleShape
	seed      uint64  // of the directions
	etaL      float64 // η·L
	overNoise float64 // R/r
	b         int     // that of the lemma for δ = γ unless given
}

// single draws the setting of a sweep, ζ at most about zeta times γ.
func single(n problems.Range, gamma, zeta, overNoise float64) func(src *props.Source,
	s *searches) *quest {
	return func(src *props.Source, s *searches) *quest {
		w := escapeSetting{
			shape: drawSaddleShape(src, saddleRange{P: n, d: problems.Sizes(2, 4), zeta: zeta,
				patterns: []problems.Pattern{problems.TwoCluster, problems.Outlier}}),
			seed: src.Seed("directions"), etaL: 0.5, overNoise: overNoise}
		w.setGamma(gamma)
		q := w.leaving()
		q.regime = props.Where(props.Min("n", w.shape.P, 2),
			props.Positive("ζ", w.shape.Between.Hessian))
		q.at = func(x float64) *quest {
			v := w
			switch s.label {
			case "γ":
				v.setGamma(x)
			case "ηL":
				v.etaL = x
			case "R/r":
				v.overNoise = x
			case "b":
				v.b = int(math.Round(x))
			case "d": // without components
				v.shape = saddleShape{P: 1, data: 1, SaddleMean: problems.SaddleMean{Gamma: w.shape.Gamma,
					Well: w.shape.Well, Parabolas: slices.Repeat([]float64{1}, int(math.Round(x))-1)}}
			}
			return v.leaving()
		}
		return q
	}
}

func (w *escapeSetting) setGamma(gamma float64) {
	w.shape.Between.Hessian *= gamma / w.shape.Gamma
	w.shape.Between.Amplitude *= gamma / w.shape.Gamma
	w.shape.Gamma = gamma
}

// leaving is the search for a point at the distance R from the saddle.
func (w escapeSetting) leaving() *quest {
	s := w.shape.build(keyed.New(w.seed).Rand())
	eta, r, b := w.etaL/s.L, escapeRadius/w.overNoise, cmp.Or(w.b, stuckBatch(s.P, 1, s.zeta, s.gamma))
	return &quest{problem: algos.Sum(s.ByClient()),
		values: map[string]float64{"n": float64(s.P), "b": float64(b), "d": float64(s.d), "η": eta,
			"γ": s.gamma, "ζ": s.zeta, "R": escapeRadius, "r": r},
		start: func(t props.Trial) (algos.Method, []float64, algos.Randomness) {
			return &algos.SLEDGE{Eta: eta, Batch: b, Radius: r}, make([]float64, s.d),
				algos.Keyed(t.Key)
		},
		found: arriving(func(algos.Problem) func([]float64) bool {
			return func(x []float64) bool { return floats.Norm(x, 2) >= escapeRadius }
		})}
}
