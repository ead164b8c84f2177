package claims

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
	"sledge/props/keyed"
)

// path is a prescribed path through a finite sum, on which estimators with minibatches of size b
// (drawn without replacement) are compared.
type path struct {
	sum         algos.Problem
	n, b, m, T  int // m is the period of full gradients, T the number of steps
	probability float64
	lambda      float64
	L, zeta     float64
	x0          []float64
	// x^t − x^{t−1} for t = 1 … T; index 0 is empty. Nil where methods find their way
	steps [][]float64
}

// distSq is ‖x^t − x^s‖².
func (p *path) distSq(s, t int) float64 {
	d := make([]float64, len(p.x0))
	for _, step := range p.steps[s+1 : t+1] {
		floats.Add(d, step)
	}
	return floats.Dot(d, d)
}

// tuning is that of methods which follow the path.
func (p *path) tuning() algos.Tuning { return algos.Tuning{Eta: negligibleStep, Batch: p.b} }

// sledge is SLEDGE, Option II, that follows it.
func (p *path) sledge() *algos.SLEDGE { return &algos.SLEDGE{Eta: negligibleStep, Batch: p.b} }

// run follows the path with a method and calls see after each step with the squared step length and
// a way to compute the squared error ‖v^t − ∇f(x^t)‖².
func (p *path) run(m algos.Method, r algos.Randomness,
	see func(t int, stepSq float64, errSq func() float64)) {
	if p.steps != nil {
		r = p.along(r)
	}
	if err := m.Start(algos.NewOracle(p.sum), p.x0, r); err != nil {
		panic(err)
	}
	mon := algos.NewMonitor(p.sum)
	errSq := func() float64 { return mon.ErrorSquared(m.Estimator(), m.Point()) }
	before := slices.Clone(p.x0)
	for t := 1; t <= p.T; t++ {
		m.Step()
		length := floats.Distance(m.Point(), before, 2)
		copy(before, m.Point())
		see(t, length*length, errSq)
	}
}

// errors are the squared errors of a method after 0 … T steps of the path.
func (p *path) errors(m algos.Method, r algos.Randomness) []float64 {
	out := make([]float64, 1, p.T+1)
	p.run(m, r, func(_ int, _ float64, errSq func() float64) { out = append(out, errSq()) })
	return out
}

// sampling is (n−b)/(b(n−1)), the variance of a minibatch mean of vectors of variance 1.
func (p *path) sampling() float64 {
	if p.n == 1 {
		return 0
	}
	return float64(p.n-p.b) / float64(p.b*(p.n-1))
}

// incrementVariances is the variance over the components of ∇f_i(x^t) − ∇f_i(x^{t−1}).
func (p *path) incrementVariances() []float64 {
	out, x, d := make([]float64, p.T+1), slices.Clone(p.x0), len(p.x0)
	for t := 1; t < len(out); t++ {
		before, diff := slices.Clone(x), make([][]float64, p.n)
		floats.Add(x, p.steps[t])
		mean, g := make([]float64, d), make([]float64, d)
		for i := range diff {
			diff[i] = make([]float64, d)
			p.sum.Gradient(diff[i], x, i, 0)
			p.sum.Gradient(g, before, i, 0)
			floats.Sub(diff[i], g)
			floats.AddScaled(mean, 1/float64(p.n), diff[i])
		}
		for i := range diff {
			g := floats.Distance(diff[i], mean, 2)
			out[t] += g * g / float64(p.n)
		}
	}
	return out
}

// largestIncrementVariances is the largest variance that heterogeneity ζ allows, ½ζ²‖x^t −
// x^{t−1}‖²: half the mean squared distance of two components.
func (p *path) largestIncrementVariances() []float64 {
	out := make([]float64, p.T+1)
	for t := 1; t < len(out); t++ {
		out[t] = p.zeta * p.zeta / 2 * floats.Dot(p.steps[t], p.steps[t])
	}
	return out
}

// staleness is the mean over the components of L²‖x^t − x^{T_i}‖², T_i ≤ s the last step up to s in
// which component i was sampled (0 if there is none).
func (p *path) staleness(s, t int) float64 {
	q := 1 - float64(p.b)/float64(p.n)
	sum, left := 0.0, 1.0
	for at := s; at >= 1; at-- {
		sum += left * (1 - q) * p.distSq(at, t)
		left *= q
	}
	return p.L * p.L * (sum + left*p.distSq(0, t))
}

// estimator is one of the compared methods with its mean squared error on a prescribed path.
type estimator struct {
	id     string
	method func(p *path) algos.Method
	// most makes what bounds the mean squared error after step t, given that after the step before
	// and the variance of incrementVariances or, for a bound by ζ, of largestIncrementVariances.
	most func(p *path) func(t int, last, variance float64) float64
	// exact says that most with the variances themselves is the mean squared error.
	exact bool
}

// bound is what most comes to after 0 … T steps.
func (e *estimator) bound(p *path, variances []float64) []float64 {
	out, most := make([]float64, p.T+1), e.most(p)
	for t := 1; t < len(out); t++ {
		out[t] = most(t, out[t-1], variances[t])
	}
	return out
}

var estimators = []estimator{
	{
		id:     "sledge",
		method: func(p *path) algos.Method { return p.sledge() },
		most: func(p *path) func(int, float64, float64) float64 {
			bound := newMeanBound(p.zeta, p.n, p.b)
			return func(t int, _, _ float64) float64 {
				return bound.add(floats.Dot(p.steps[t], p.steps[t]))
			}
		},
	},
	{
		id:     "sarah",
		method: func(p *path) algos.Method { return &algos.SARAH{Tuning: p.tuning(), Period: p.m} },
		most: func(p *path) func(int, float64, float64) float64 {
			return func(t int, last, variance float64) float64 {
				if t%p.m == 0 {
					return 0
				}
				return last + p.sampling()*variance
			}
		},
		exact: true,
	},
	{
		id: "page",
		method: func(p *path) algos.Method {
			return &algos.PAGE{Tuning: p.tuning(), Probability: p.probability}
		},
		most: func(p *path) func(int, float64, float64) float64 {
			return func(_ int, last, variance float64) float64 {
				return (1 - p.probability) * (last + p.sampling()*variance)
			}
		},
		exact: true,
	},
	{
		id:     "saga",
		method: func(p *path) algos.Method { return &algos.SAGA{Tuning: p.tuning()} },
		most: func(p *path) func(int, float64, float64) float64 {
			return func(t int, _, _ float64) float64 { return p.sampling() * p.staleness(t-1, t) }
		},
	},
	{
		id: "zerosarah",
		method: func(p *path) algos.Method {
			return &algos.ZeroSARAH{Tuning: p.tuning(), Lambda: p.lambda}
		},
		most: func(p *path) func(int, float64, float64) float64 {
			return func(t int, last, variance float64) float64 {
				return (1-p.lambda)*(1-p.lambda)*last +
					2*p.sampling()*(variance+p.lambda*p.lambda*p.staleness(t-1, t-1))
			}
		},
	},
}

// drawPath draws a path of T steps through a quadratic sum, straight or at random, with step
// lengths between 0 and 1.
func drawPath(src *props.Source, n, steps problems.Range) *path {
	q := problems.DrawQuadratic(src,
		problems.Limits{N: n, D: problems.Sizes(1, 3), Patterns: heterogeneousPatterns}).ByClient()
	p := &path{sum: algos.Sum(q), n: q.Components(), x0: make([]float64, q.Dim())}
	p.b, p.m = src.Int("b", 1, p.n), src.Int("m", 1, steps.Max+1)
	p.probability, p.lambda = src.Real("p", 0.05, 1), src.Real("λ", 0.05, 1)
	p.T = src.Int("T", steps.Min, steps.Max)
	straight := src.Bool("straight")
	c := q.Constants(p.x0)
	p.L, p.zeta = c.L.Value, c.Zeta.Value
	r := src.Rand("steps")
	p.steps = make([][]float64, p.T+1)
	direction := normal(q.Dim(), r)
	for t := 1; t <= p.T; t++ {
		if !straight {
			direction = normal(q.Dim(), r)
		}
		p.steps[t] = slices.Clone(direction)
		floats.Scale(r.Float64()/floats.Norm(direction, 2), p.steps[t])
	}
	return p
}

// enumerated is the mean squared error after T steps over all minibatches and coins.
func (p *path) enumerated(e estimator) float64 {
	sum, weight := 0.0, 0.0
	everyOutcome(func(o *outcome) {
		errSq := p.errors(e.method(p), o.run())[p.T]
		w := o.Probability()
		for _, side := range o.of(kind{algos.Coins, 2}) {
			if side == 0 { // heads
				w *= 2 * p.probability
			} else {
				w *= 2 * (1 - p.probability)
			}
		}
		sum += w * errSq
		weight += w
	})
	return sum / weight
}

// size is the scale of squared errors on the path.
func (p *path) size() float64 {
	length := 0.0
	for _, s := range p.steps[1:] {
		length += floats.Norm(s, 2)
	}
	return p.L * p.L * length * length
}

func estimatorClaims() []props.Binding {
	var out []props.Binding
	for _, e := range estimators {
		out = append(out, props.Bind("measured/estimator-"+e.id, props.All(
			props.Inequality(func(src *props.Source, rec *props.Recorder) {
				p := drawPath(src, problems.Sizes(2, 4), problems.Sizes(1, 3))
				mean, T := p.enumerated(e), p.T
				if e.exact {
					rec.Equal("mean squared error against its formula", mean,
						e.bound(p, p.incrementVariances())[T]).Scale(p.size())
				}
				rec.AtMost("mean squared error", mean,
					e.bound(p, p.largestIncrementVariances())[T]).Scale(p.size())
			}).Effort(0.2),
			props.Mean(func(src *props.Source) props.MeanTrial {
				p := drawPath(src, problems.Sizes(2, 24), problems.Sizes(2, 40))
				if e.id == "sarah" && p.T%p.m == 0 {
					p.m++ // not at a full gradient, where there is no error
				}
				bound := e.bound(p, p.largestIncrementVariances())[p.T]
				return props.MeanTrial{What: "‖v^T − ∇f(x^T)‖² over its bound", Claimed: 1,
					Relation: props.LE,
					Regime:   errorRegime(p.n, p.b, p.T), Run: func(t props.Trial) float64 {
						if bound < 1e-12*p.size() {
							return 0 // b = n, or p = 1
						}
						return p.errors(e.method(p), algos.Keyed(t.Key))[p.T] / bound
					}}
			}).Effort(0.3),
			props.Tail(func(src *props.Source) props.TailTrial {
				const nu = 0.05
				n, straight := 8*src.Int("n/8", 2, 4), src.Bool("straight")
				p := standardPath(n, 4, n, 4, straight, keyed.New(src.Seed("problem")).Rand())
				bound := e.bound(p, p.largestIncrementVariances())
				regime := props.Where(props.Min("n", n, 16), props.Less("b", p.b, "n", n),
					props.Allowed(nu))
				return props.TailTrial{Delta: nu, Regime: regime,
					Run: func(t props.Trial, rec *props.Recorder) {
						rec.Plot("squared error of the estimator on a prescribed path, "+
							"and the bound on its mean", "t", "‖v^t − ∇f(x^t)‖²")
						for t, errSq := range p.errors(e.method(p), algos.Keyed(t.Key))[1:] {
							rec.Point(float64(t+1), errSq, bound[t+1])
							rec.AtMost(
								"squared error of a run at every t, against T/ν times the bound",
								errSq, float64(p.T)/nu*bound[t+1]).Scale(p.size() * 1e-15)
						}
					}}
			}).Effort(0.3),
		)))
	}
	return append(out, estimatorOrderClaim())
}

// standardPath is a path of T unit steps through a sum of quadratics in dimension d with curvatures
// 1 ± ½: ζ = 1, L =
// 1.5, with full gradients as often as the theory of SARAH and PAGE asks and the λ of ZeroSARAH.
func standardPath(n, b, T, d int, straight bool, r *rand.Rand) *path {
	return &path{sum: newDiagonal(n, d, 1, true, r), n: n, b: b, m: n / b, T: T,
		probability: float64(b) / float64(n+b), lambda: float64(b) / float64(2*n), L: 1.5, zeta: 1,
		x0: make([]float64, d), steps: unitSteps(T, d, straight, r)}
}

// delayMoments describes, in the long run, the numbers A_i of steps since component i was last
// sampled (at least 1) with minibatches of size b: E A_i, E A_i² and E A_iA_j on straight paths; E
// A_i twice and E min{A_i, A_j} where steps are uncorrelated.
func delayMoments(n, b int, straight bool) (mean, square, product float64) {
	N, B := float64(n), float64(b)
	p := B / N
	both := B * (B - 1) / (N * (N - 1))
	one, none := p-both, 1-2*p+both
	mean = 1 / p
	if !straight {
		return mean, mean, 1 / (1 - none)
	}
	return mean, (2 - p) / (p * p), (none*(2*mean+1) + 2*one*(mean+1) + both) / (1 - none)
}

// weightedVariance is the mean variance over i of W_i(h + δ_i), ‖h‖² = H, for deviations δ_i of
// mean 0 and variance α² and exchangeable weights, independent of them, with E W_i² = square and E
// W_iW_j = product.
func weightedVariance(n int, square, product, H, alphaSq float64) float64 {
	N := float64(n)
	return (1-1/N)*square*(H+alphaSq) + product/N*(H+alphaSq) - product*H
}

// longRunSAGA is the mean squared error in the long run of SAGA with one index set where ∇f_i(x^s)
// − ∇f_i(x^{s−1}) = h^s + δ_i^s has mean square H and variance α² over i: always the same vectors
// (straight), or uncorrelated ones.
func longRunSAGA(n, b int, straight bool, H, alphaSq float64) float64 {
	_, square, product := delayMoments(n, b, straight)
	p := path{n: n, b: b}
	return p.sampling() * weightedVariance(n, square, product, H, alphaSq)
}

// longRunZeroSARAH is that of ZeroSARAH on a straight path: the weights are 1 + λ(A_i − 1).
func longRunZeroSARAH(n, b int, lambda, H, alphaSq float64) float64 {
	mean, square, product := delayMoments(n, b, true)
	weight := func(second float64) float64 {
		return 1 + 2*lambda*(mean-1) + lambda*lambda*(second-2*mean+1)
	}
	p := path{n: n, b: b}
	return p.sampling() * weightedVariance(n, weight(square), weight(product), H, alphaSq) /
		(1 - (1-lambda)*(1-lambda))
}

// The paths on which the estimators are compared with each other in the long run: ∇f_i(x^s) −
// ∇f_i(x^{s−1}) has mean square 1 and variance ¼.
const orderH, orderAlphaSq = 1, 0.25

// multiple is the error of an estimator over that of SLEDGE: its limit for large n/b, n and b, and
// between which numbers it stays for b ≤ n/4.
type multiple struct {
	name               string
	ratio              float64
	limit, least, most float64
}

// multiples are those of the estimators for minibatches of b out of n.
func multiples(n, b int) []multiple {
	const H, alphaSq = orderH, orderAlphaSq
	p := &path{n: n, b: b}
	cycle, heads := float64(n)/float64(b), float64(b)/float64(n+b)
	straight, random := alphaSq*longRunError(n, b, true), alphaSq*longRunError(n, b, false)
	return []multiple{
		{"SARAH", p.sampling() * alphaSq * (math.Ceil(cycle) - 1) / 2 / straight, 1.0 / 5,
			3.0 / 22, 14.0 / 61},
		{"PAGE", p.sampling() * alphaSq * (1 - heads) / heads / straight, 2.0 / 5, 4.0 / 11,
			28.0 / 61},
		{"ZeroSARAH", longRunZeroSARAH(n, b, float64(b)/float64(2*n), H, alphaSq) / straight,
			7.0 / 5, 343.0 / 330, 7.0 / 5},
		{"SAGA on straight paths, over n/b",
			longRunSAGA(n, 2*b, true, H, alphaSq) / straight / cycle, 3.0 / 10, 21.0 / 220,
			3.0 / 10},
		{"SAGA on paths of uncorrelated steps", longRunSAGA(n, 2*b, false, H, alphaSq) / random,
			3.0 / 2, 7.0 / 15, 3.0 / 2},
	}
}

// estimatorOrderClaim compares the estimators with each other.
func estimatorOrderClaim() props.Binding {
	return props.Bind("measured/estimator-order", props.All(
		props.Inequality(func(src *props.Source, rec *props.Recorder) {
			n := src.LogInt("n", 4, 1e8)
			for _, e := range multiples(n, src.LogInt("b", 1, n/4)) {
				rec.AtMost("multiple of SLEDGE's error: "+e.name, e.ratio, e.most)
				rec.AtLeast("multiple of SLEDGE's error, from below: "+e.name, e.ratio, e.least)
			}
		}).Effort(0.5),
		props.Inequality(func(src *props.Source, rec *props.Recorder) {
			b := src.LogInt("b", 1, 1e3)
			for _, e := range multiples(b*src.LogInt("n/b", 1e5, 1e6), b) {
				rec.AtMost("distance from the limit, relatively: "+e.name,
					math.Abs(e.ratio/e.limit-1), 1e-3)
			}
		}).Effort(0.2),
		props.Mean(func(src *props.Source) props.MeanTrial {
			const H, alphaSq = orderH, orderAlphaSq
			const d, cycles, times = 4, 10, 8
			n := 8 * src.Int("n/8", 1, 6)
			b, straight := src.Int("b", 1, n/4), src.Bool("straight")
			zero := straight && src.Bool("ZeroSARAH")
			cycle, lambda := n/b, src.Real("λ", 0.2, 1)
			method := func(p *path) algos.Method { return &algos.SAGA{Tuning: p.tuning()} }
			want := longRunSAGA(n, b, straight, H, alphaSq)
			if zero {
				method = func(p *path) algos.Method {
					return &algos.ZeroSARAH{Tuning: p.tuning(), Lambda: lambda}
				}
				want = longRunZeroSARAH(n, b, lambda, H, alphaSq)
			}
			return props.MeanTrial{What: "‖v^t − ∇f(x^t)‖² in the long run over its value",
				Claimed: 1, Relation: props.Near, Tolerance: 0.1,
				Regime: errorRegime(n, b, cycles*cycle+times),
				Run: func(t props.Trial) float64 {
					p := balancedPath(n, b, cycles*cycle+times, d, straight, t.Key.With("path"))
					sum := 0.0
					p.run(method(p), algos.Keyed(t.Key),
						func(t int, _ float64, errSq func() float64) {
							if t > cycles*cycle {
								sum += errSq() / times
							}
						})
					return sum / want
				}}
		}).Effort(0.3),
	))
}

// balancedPath is standardPath with as many curvatures ½ as 3/2 in every coordinate, so that the
// variances over components are exactly ¼ on all paths.
func balancedPath(n, b, T, d int, straight bool, key keyed.Key) *path {
	p := standardPath(n, b, T, d, straight, keyed.New(key.Rand().Uint64()).Rand())
	curvatures, r := make([]float64, n*d), key.With("signs").Rand()
	for l := range d {
		for i, k := range r.Perm(n) {
			curvatures[i*d+l] = 0.5 + float64(k%2)
		}
	}
	p.sum = algos.Sum(&diagonal{n, d, curvatures})
	return p
}
