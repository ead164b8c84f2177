package claims

import (
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
	"sledge/props/formula"
	"sledge/props/keyed"
)

// path is a prescribed path through a finite sum, on which estimators with minibatches of size b
// (drawn without replacement) are compared.
type path struct {
	sum        algos.Problem
	n, b, m, T int // m is the period of full gradients, T the number of steps
	p, lambda  float64
	L, zeta    float64
	x0         []float64
	steps      [][]float64 // x^t − x^{t−1} for t = 1 … T; index 0 is empty
}

// distSq is ‖x^t − x^s‖².
func (p *path) distSq(s, t int) float64 {
	d := make([]float64, len(p.x0))
	for _, step := range p.steps[s+1 : t+1] {
		floats.Add(d, step)
	}
	return floats.Dot(d, d)
}

// sledge is SLEDGE, Option II, that follows it.
func (p *path) sledge() *algos.SLEDGE { return &algos.SLEDGE{Eta: negligibleStep, Batch: p.b} }

// run follows the path with a method and calls see after each step with a way to compute the
// squared error ‖v^t − ∇f(x^t)‖².
func (p *path) run(m algos.Method, r algos.Randomness, see func(t int, errSq func() float64)) {
	if err := m.Start(algos.NewOracle(p.sum), p.x0, p.along(r)); err != nil {
		panic(err)
	}
	mon := algos.NewMonitor(p.sum)
	for t := 1; t <= p.T; t++ {
		m.Step()
		see(t, func() float64 { return mon.ErrorSquared(m.Estimator(), m.Point()) })
	}
}

// errors are the squared errors of a method after 0 … T steps of the path.
func (p *path) errors(m algos.Method, r algos.Randomness) []float64 {
	out := make([]float64, 1, p.T+1)
	p.run(m, r, func(_ int, errSq func() float64) { out = append(out, errSq()) })
	return out
}

// settledError is the mean of the squared errors at some times after those of which it is said that
// the start is not yet forgotten: after every so many steps.
func (p *path) settledError(m algos.Method, r algos.Randomness, forgotten, each int) float64 {
	var errs []float64
	p.run(m, r, func(t int, errSq func() float64) {
		if t > forgotten && t%each == 0 {
			errs = append(errs, errSq())
		}
	})
	return stat.Mean(errs, nil)
}

// incrementVariances is the variance over the components of ∇f_i(x^t) − ∇f_i(x^{t−1}).
func (p *path) incrementVariances() []float64 {
	out, x := make([]float64, p.T+1), p.x0
	for t := 1; t < len(out); t++ {
		before := x
		x = add(slices.Clone(x), 1, p.steps[t])
		change := func(i int) []float64 {
			now, g := make([]float64, len(x)), make([]float64, len(x))
			p.sum.Gradient(now, x, i, 0)
			p.sum.Gradient(g, before, i, 0)
			return minus(now, g)
		}
		middle := mean(upTo(p.n), change)
		for i := range p.n {
			d := floats.Distance(change(i), middle, 2)
			out[t] += d * d / float64(p.n)
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

// estimator is one of the compared methods with a formula that bounds its mean squared error after
// step t of a prescribed path. Besides the parameters this knows the bound after the step before
// (last); the variance over i of ∇f_i(x^t) − ∇f_i(x^{t−1}) and of the step before (previous), as
// they are or, for a bound by ζ, the largest; S = (n−b)/(b(n−1)), the variance of a minibatch mean
// of vectors of variance 1; and the mean over i of L²‖x^t − x^{T_i}‖² (stale) and of L²‖x^{t−1} −
// x^{T_i}‖² (older), T_i < t the last step in which i was sampled (0 if there is none).
type estimator struct {
	id, name, with, most string
	exact                bool // with the variances as they are it is the mean squared error

	made    *configured
	names   []string // in most
	program *formula.Program
}

// The bound of SLEDGE is (4.5ζ²/b) Σ_{s≤t} (1 − b/(2n))^{max(t−s−1, 0)} ‖x^s − x^{s−1}‖², that of
// estimator-error-informal/sharper, where its proof is.
var estimators = []estimator{
	{id: "sledge", name: "SLEDGE-II",
		most: "(1 − b/(2n)) last + (9/b)(variance + b previous/(2n))"},
	{id: "sarah", name: "SARAH", with: "m", exact: true,
		most: "(⌈t/m⌉ − ⌊t/m⌋)(last + S variance)"},
	{id: "page", name: "PAGE", with: "p", exact: true, most: "(1 − p)(last + S variance)"},
	{id: "saga", name: "SAGA", most: "S stale"},
	{id: "zerosarah", name: "ZeroSARAH-II", with: "λ",
		most: "(1 − λ)² last + 2S(variance + λ² older)"},
}

// Parameters of methods, and what formulas know besides.
var (
	ofPaths  = []string{"n", "b", "m", "p", "λ"}
	ofBounds = append(ofPaths, "t", "S", "last", "variance", "previous", "stale", "older")
)

// values are those of the parameters.
func (p *path) values() values {
	v := values{"n": float64(p.n), "b": float64(p.b), "m": float64(p.m), "p": p.p, "λ": p.lambda}
	if p.n > 1 {
		v["S"] = float64(p.n-p.b) / float64(p.b*(p.n-1))
	}
	return v
}

// read reads the formula and the method.
func (e estimator) read() *estimator {
	f := formula.Must(vocabularyOf(ofBounds), e.most)
	e.names, e.program = f.Symbols(), f.Of(ofBounds...)
	e.made = props.Must(readMethod(algos.Catalogue(), e.name, e.with, ofPaths))
	return &e
}

// method makes the method for a path.
func (e *estimator) method(p *path) algos.Method {
	return e.made.make(values{"η": negligibleStep, "b": float64(p.b)}, p.values())
}

// bound is what most comes to after 0 … T steps.
func (e *estimator) bound(p *path, variances []float64) []float64 {
	out, v := make([]float64, p.T+1), p.values()
	for t := 1; t < len(out); t++ {
		v["t"], v["last"], v["variance"], v["previous"] = float64(t), out[t-1], variances[t],
			variances[t-1]
		for u, name := range map[int]string{t: "stale", t - 1: "older"} {
			if slices.Contains(e.names, name) {
				v[name] = p.staleness(t-1, u)
			}
		}
		out[t] = e.program.At(v.of(ofBounds)...)
	}
	return out
}

// drawPath draws a path of T steps through a quadratic sum, straight or at random, with step
// lengths between 0 and 1.
func drawPath(src *props.Source, n, steps problems.Range) *path {
	q := problems.DrawQuadratic(src,
		problems.Limits{N: n, D: problems.Sizes(1, 3), Patterns: heterogeneousPatterns}).ByClient()
	p := &path{sum: algos.Sum(q), n: q.Components(), x0: make([]float64, q.Dim())}
	p.b, p.m = src.Int("b", 1, p.n), src.Int("m", 1, steps.Max+1)
	p.p, p.lambda = src.Real("p", 0.05, 1), src.Real("λ", 0.05, 1)
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
func (p *path) enumerated(e *estimator) float64 {
	sum, weight := 0.0, 0.0
	everyOutcome(func(o *outcome) {
		errSq := p.errors(e.method(p), o.run())[p.T]
		w := o.Probability()
		for _, side := range o.made[o.of(kind{algos.Coins, 2})].fell {
			if side == 0 { // heads
				w *= 2 * p.p
			} else {
				w *= 2 * (1 - p.p)
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
	var all []*estimator
	for _, e := range estimators {
		e := e.read()
		all = append(all, e)
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
	return append(out, estimatorOrderClaim(all[3], all[4]))
}

// standardPath is a path of T unit steps through a sum of quadratics in dimension d with curvatures
// 1 ± ½: ζ = 1, L = 1.5, with full gradients as often as the theory of SARAH and PAGE asks and the
// λ of ZeroSARAH.
func standardPath(n, b, T, d int, straight bool, r *rand.Rand) *path {
	return &path{sum: newDiagonal(n, d, 1, true, r), n: n, b: b, m: n / b, T: T,
		p: float64(b) / float64(n+b), lambda: float64(b) / float64(2*n), L: 1.5, zeta: 1,
		x0: make([]float64, d), steps: unitSteps(T, d, straight, r)}
}

// multiple is the error of an estimator over that of SLEDGE in the long run, with minibatches of g:
// a formula, its limit for large n/b, n and b, and between which numbers it stays for b ≤ n/4.
type multiple struct{ name, given, ratio, limit, least, most string }

// The paths are those on which ∇f_i(x^s) − ∇f_i(x^{s−1}) has mean square 1 and variance ¼.
var multiples = []multiple{
	{"SARAH", "s = 1, g = b, λ = 1", "(n − b)/(b(n − 1)) · (⌈n/b⌉ − 1)/(2E)", "1/5", "3/22",
		"14/61"},
	{"PAGE", "s = 1, g = b, λ = 1", "(n − b)/(b(n − 1)) · n/(bE)", "2/5", "4/11", "28/61"},
	{"ZeroSARAH", "s = 1, g = b, λ = b/(2n)", "4Z/E", "7/5", "343/330", "7/5"},
	{"SAGA on straight paths, over n/b", "s = 1, g = 2b, λ = 1", "4Z b/(nE)", "3/10", "21/220",
		"3/10"},
	{"SAGA on paths of uncorrelated steps", "s = 0, g = 2b, λ = 1", "4Z/E", "3/2", "7/15", "3/2"},
}

// estimatorOrderClaim compares the estimators with each other.
func estimatorOrderClaim(saga, zeroSARAH *estimator) props.Binding {
	var checks []props.Check
	for _, e := range multiples {
		within := longRun("n ∈ [4, 1e8], b ∈ [1, n/4], " + e.given)
		checks = append(checks, within.Implies(e.least+" ≤ "+e.ratio+" ≤ "+e.most).Effort(0.1))
		far := longRun("b ∈ [1, 1e3], c ∈ [1e5, 1e6], n = c b, " + e.given)
		checks = append(checks,
			far.Implies("|("+e.ratio+")/("+e.limit+") − 1| ≤ 1e-3").Effort(0.04))
	}
	return props.Bind("measured/estimator-order", props.All(append(checks,
		props.Mean(func(src *props.Source) props.MeanTrial {
			const d, cycles, times = 4, 10, 8
			n := 8 * src.Int("n/8", 1, 6)
			b, straight := src.Int("b", 1, n/4), src.Bool("straight")
			e, lambda, cycle := saga, 1.0, n/b
			if straight && src.Bool("ZeroSARAH") {
				e, lambda = zeroSARAH, src.Real("λ", 0.2, 1)
			}
			want := inLongRun(n, b, straight, lambda)["Z"]
			return props.MeanTrial{What: "‖v^t − ∇f(x^t)‖² in the long run over its value",
				Claimed: 1, Relation: props.Near, Tolerance: 0.1,
				Regime: errorRegime(n, b, cycles*cycle+times),
				Run: func(t props.Trial) float64 {
					p := balancedPath(n, b, cycles*cycle+times, d, straight, t.Key.With("path"))
					p.lambda = lambda
					return p.settledError(e.method(p), algos.Keyed(t.Key), cycles*cycle, 1) / want
				}}
		}).Effort(0.3))...))
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
