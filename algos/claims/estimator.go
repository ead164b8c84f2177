package claims

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
	"sledge/props/formula"
	"sledge/props/ledger"
)

// path is a prescribed path through a finite sum, on which estimators with minibatches of size b
// (drawn without replacement) are compared.
type path struct {
	sum        algos.Problem
	n, b, m, T int // m is the period of full gradients, T the number of steps
	p, lambda  float64
	L, zeta    float64
	x          [][]float64 // x⁰ … x^T
}

// distSq is ‖x^t − x^s‖².
func (p *path) distSq(s, t int) float64 {
	d := floats.Distance(p.x[t], p.x[s], 2)
	return d * d
}

// errors are the squared errors ‖v^t − ∇f(x^t)‖² of an estimator after every so many steps of the
// path. The step size is so small that nothing but the "noise" moves the method.
func (p *path) errors(of *configured, r algos.Randomness, each int) []float64 {
	at := 0
	along := &algos.Altered{Randomness: r, Floats: func(dst []float64, _ algos.Purpose) {
		at++
		floats.SubTo(dst, p.x[at], p.x[at-1])
	}}
	m := of.make(values{"η": math.SmallestNonzeroFloat64, "b": float64(p.b)}, p.values())
	if err := m.Start(algos.NewOracle(p.sum), p.x[0], along); err != nil {
		panic(err)
	}
	var out []float64
	mon := algos.NewMonitor(p.sum)
	for t := 1; t <= p.T; t++ {
		if m.Step(); t%each == 0 {
			out = append(out, mon.ErrorSquared(m.Estimator(), m.Point()))
		}
	}
	return out
}

func (p *path) values() values {
	return values{"n": float64(p.n), "b": float64(p.b), "m": float64(p.m), "p": p.p,
		"λ": p.lambda, "S": spread(p.n, p.b), "L": p.L, "ζ": p.zeta}
}

// settledError is the mean of the squared errors after every so many steps, but for the first of
// them, in which the start is not yet forgotten.
func (p *path) settledError(of *configured, r algos.Randomness, forgotten, each int) float64 {
	return stat.Mean(p.errors(of, r, each)[forgotten:], nil)
}

// variance is that over the components of ∇f_i(x^t) − ∇f_i(x^{t−1}).
func (p *path) variance(t int) (sum float64) {
	change := func(i int) []float64 {
		now, before := make([]float64, p.sum.Dim()), make([]float64, p.sum.Dim())
		p.sum.Gradient(now, p.x[t], i, 0)
		p.sum.Gradient(before, p.x[t-1], i, 0)
		return minus(now, before)
	}
	middle := mean(upTo(p.n), change)
	for i := range p.n {
		d := floats.Distance(change(i), middle, 2)
		sum += d * d / float64(p.n)
	}
	return sum
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

// errorsOf are what a statement about the mean squared error of an estimator after step t of a
// prescribed path may name besides n, b, m, p and λ: the bound after the step before (last); the
// variance over i of ∇f_i(x^t) − ∇f_i(x^{t−1}); S = (n−b)/(b(n−1)), the variance of a minibatch mean
// of vectors of variance 1; the length of the step, and of that before; and the mean over i of
// L²‖x^t − x^{T_i}‖² (stale) and of L²‖x^{t−1} − x^{T_i}‖² (older), T_i < t the last step in which i
// was sampled (0 if there is none).
var errorsOf = map[string]string{"last": "bound after the step before, 0 at the start",
	"variance": "that of $∇f_i(x^t) − ∇f_i(x^{t−1})$ over $i$",
	"S":        "$(n − b)/(b(n − 1))$",
	"step":     "$‖x^t − x^{t−1}‖$", "before": "length of the step before",
	"stale": "mean of $L²‖x^t − x^{T_i}‖²$, $T_i < t$ the last step that sampled $i$",
	"older": "mean of $L²‖x^{t−1} − x^{T_i}‖²$, $T_i < t$ the last step that sampled $i$"}

const meanError = "E‖v−∇f‖²"

// errorWords are the symbols of such a statement.
var errorWords = func() *formula.Vocabulary {
	words := formula.Words("n", "b", "m", "p", "λ", "t", "S")
	for _, some := range [][]string{{"f/x²", "L", "ζ"}, {"x", "step", "before"},
		{"f²/x²", "last", "variance", "stale", "older", meanError}} {
		for _, name := range some[1:] {
			words = words.With(formula.Symbol{Name: name, Unit: props.Must(formula.ParseUnit(some[0]))})
		}
	}
	return words
}()

// estimator is a method with what its mean squared error is, or is at most.
type estimator struct {
	method *configured
	relation
}

// boundOf makes the check of such a statement.
func boundOf(known []algos.Entry, r ledger.Runs) (props.Check, string, error) {
	symbols := []string{"n", "b", "m", "p", "λ", "t", "L", "ζ"}
	m, err := readMethod(known, r.Method, r.With, symbols)
	if err != nil {
		return nil, "", err
	}
	all, err := readRelations(r.Statement, r.Statement, errorWords)
	if err != nil {
		return nil, "", err
	}
	if len(all) != 1 || all[0].Sign == "≥" || all[0].Left != meanError ||
		strings.Contains(all[0].What[1:], meanError) || m.Federated {
		return nil, "", &formula.Error{Text: r.Statement, Column: 1,
			What: "of errors of a method for finite sums one relation is stated: " + meanError +
				" = or ≤ a formula"}
	}
	said := "prescribed paths, n ≤ 24, T ≤ 40"
	for _, name := range slices.Sorted(maps.Keys(errorsOf)) {
		if all[0].speaksOf(name) {
			said += "; " + name + ": " + errorsOf[name]
		}
	}
	e := estimator{m, all[0]}
	if e.Sign == "=" {
		return e.enumerated(), said, nil
	}
	return e.bounded(), said, nil
}

// estimatorOf is a method with parameters.
func estimatorOf(method, with string) *configured {
	return props.Must(readMethod(algos.Catalogue(), method, with, []string{"λ"}))
}

var (
	ofSLEDGE    = estimatorOf("SLEDGE-II", "")
	ofSAGA      = estimatorOf("SAGA", "")
	ofZeroSARAH = estimatorOf("ZeroSARAH-II", "λ")
)

// bound is what the formula comes to after 0 … T steps.
func (e estimator) bound(p *path) []float64 {
	out, v := make([]float64, p.T+1), p.values()
	for t := 1; t < len(out); t++ {
		v["t"], v["last"], v["before"] = float64(t), out[t-1], v["step"]
		if v["step"] = math.Sqrt(p.distSq(t-1, t)); e.speaksOf("variance") {
			v["variance"] = p.variance(t)
		}
		v["stale"], v["older"] = p.staleness(t-1, t), p.staleness(t-1, t-1)
		_, out[t] = e.of(v)
	}
	return out
}

// spread is the variance of the mean of a minibatch of vectors of variance 1.
func spread(n, b int) float64 { return float64(n-b) / float64(b*max(n-1, 1)) }

// drawPath draws a path of T steps through a quadratic sum, straight or at random, with step
// lengths between 0 and 1.
func drawPath(src *props.Source, n, steps problems.Range) *path {
	q := problems.DrawQuadratic(src,
		problems.Limits{N: n, D: problems.Sizes(1, 3), Patterns: problems.Differing}).ByClient()
	p := &path{sum: algos.Sum(q), n: q.Components()}
	p.b, p.m = src.Int("b", 1, p.n), src.Int("m", 1, steps.Max+1)
	p.p, p.lambda = src.Real("p", 0.05, 1), src.Real("λ", 0.05, 1)
	p.T = src.Int("T", steps.Min, steps.Max)
	straight := src.Bool("straight")
	r := src.Rand("steps")
	p.x = walk(p.T, q.Dim(), straight, r, r.Float64)
	c := q.Constants(p.x[0])
	p.L, p.zeta = c.L.Value, c.Zeta.Value
	return p
}

// walk goes T steps of some lengths from the origin: in the same direction (straight), or in
// independent ones.
func walk(T, d int, straight bool, r *rand.Rand, length func() float64) [][]float64 {
	x, direction := [][]float64{make([]float64, d)}, normal(d, r)
	for t := range T {
		if !straight {
			direction = normal(d, r)
		}
		x = append(x, add(slices.Clone(x[t]), length()/floats.Norm(direction, 2), direction))
	}
	return x
}

func unitLength() float64 { return 1 }

// enumerated is the mean squared error after T steps over all minibatches and coins.
func (p *path) enumerated(of *configured) float64 {
	sum, weight := 0.0, 0.0
	everyOutcome(func(o *outcome) {
		errSq := p.errors(of, o.run(), p.T)[0]
		w := o.Probability()
		for _, side := range o.fell[kind{algos.Coins, 2}] {
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
	for t := range p.T {
		length += math.Sqrt(p.distSq(t, t+1))
	}
	return p.L * p.L * length * length
}

// enumerated compares the mean over everything that may be drawn in a few steps.
func (e estimator) enumerated() props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		p := drawPath(src, problems.Sizes(2, 4), problems.Sizes(1, 3))
		mean, claimed := p.enumerated(e.method), e.bound(p)[p.T]
		if e.Sign == "=" {
			rec.Equal("mean squared error against its formula", mean, claimed).Scale(p.size())
		} else {
			rec.AtMost("mean squared error", mean, claimed).Scale(p.size())
		}
	}).Effort(0.2)
}

// bounded compares errors with their bounds besides: the mean of longer runs, and single runs.
func (e estimator) bounded() props.Check {
	const nu = 0.05
	return props.All(e.enumerated(),
		props.Mean(func(src *props.Source) props.MeanTrial {
			p := drawPath(src, problems.Sizes(2, 24), problems.Sizes(2, 40))
			if slices.Contains(e.method.used, "m") && p.T%p.m == 0 {
				p.m++ // not at a full gradient, where there is no error
			}
			bound := e.bound(p)[p.T]
			return props.MeanTrial{What: "‖v^T − ∇f(x^T)‖² over its bound", Claimed: 1,
				Relation: props.LE, Regime: errorRegime(p.n, p.b, p.T),
				Run: func(t props.Trial) float64 {
					if bound < 1e-12*p.size() {
						return 0 // b = n, or p = 1
					}
					return p.errors(e.method, algos.Keyed(t.Key), p.T)[0] / bound
				}}
		}).Effort(0.3),
		props.Tail(func(src *props.Source) props.TailTrial {
			n, straight := 8*src.Int("n/8", 2, 4), src.Bool("straight")
			problem := src.Key("problem")
			regime := props.Where(props.Min("n", n, 16), props.Less("b", 4, "n", n),
				props.Allowed(nu))
			return props.TailTrial{Delta: nu, Regime: regime,
				Run: func(t props.Trial, rec *props.Recorder) {
					p := unitPath(n, 4, n, 4, straight, problem.Rand())
					bound := e.bound(p)
					rec.Plot("squared error of the estimator on a prescribed path, "+
						"and the bound on its mean", "t", "‖v^t − ∇f(x^t)‖²")
					for t, errSq := range p.errors(e.method, algos.Keyed(t.Key), 1) {
						rec.Point(float64(t+1), errSq, bound[t+1])
						rec.AtMost("squared error of a run at every t, against T/ν times the bound",
							errSq, float64(p.T)/nu*bound[t+1]).Scale(p.size() * 1e-15)
					}
				}}
		}).Effort(0.3),
	)
}

// unitPath is a path of T steps of length 1 through a sum of quadratics in dimension d, always the
// same step (straight) or with independent signs of the coordinates. In each coordinate half of the
// components, whose number is even, have curvature ½ and half 3/2: ζ = 1, L = 1.5, and the variance
// over components is exactly ¼. Full gradients are as often as the theory of SARAH and PAGE asks,
// and λ is that of ZeroSARAH.
func unitPath(n, b, T, d int, straight bool, r *rand.Rand) *path {
	a := make([]float64, n*d)
	for l := range d {
		for i, k := range r.Perm(n) {
			a[i*d+l] = 0.5 + float64(k%2)
		}
	}
	return &path{sum: diagonal(n, d, a), n: n, b: b, m: n / b, T: T, p: float64(b) / float64(n+b),
		lambda: float64(b) / float64(2*n), L: 1.5, zeta: 1,
		x: walk(T, d, straight, r, unitLength)}
}

// staleErrors are the mean squared errors of ZeroSARAH with λ and, with λ = 1, of SAGA with one
// index set, after steps for which ∇f_i(x^s) − ∇f_i(x^{s−1}) = h + δ_i has mean square 1 and
// variance ¼ over i: the same ones (straight) or, for SAGA, uncorrelated ones. The weight of the
// last of them in what a minibatch adds for component i is 1, that of earlier ones since i was last
// sampled λ. Weights are independent of the δ_i; v is their mean, u and w that of the squares of
// their sums (for uncorrelated steps of the sums of their squares) and of the products for two
// components, both of which are sampled with probability both, and neither with probability none.
func staleErrors(n, b, T int, straight bool, lambda float64) (e float64) {
	N := float64(n)
	q := float64(b) / N
	both := q * float64(b-1) / (N - 1)
	none := 1 - 2*q + both
	u, v, w := 1.0, 1.0, 1.0
	for range T {
		e = (1-lambda)*(1-lambda)*e + spread(n, b)*(5*(1-1/N)*u/4+5*w/(4*N)-w)
		more, one := lambda*lambda, 1.0
		if straight {
			more, one = lambda*(2*v+lambda), v+lambda
		}
		u, v, w = (1-q)*(u+more)+q, (1-q)*(v+lambda)+q, none*(w+more)+2*(q-both)*one+both
	}
	return e
}

// settledErrors compares runs of SAGA and ZeroSARAH with their errors in the long run.
func settledErrors() props.Check {
	return props.Mean(func(src *props.Source) props.MeanTrial {
		const d, cycles, times = 4, 10, 8
		n := 8 * src.Int("n/8", 1, 6)
		b, straight := src.Int("b", 1, n/4), src.Bool("straight")
		e, lambda, forgotten := ofSAGA, 1.0, cycles*(n/b)
		if straight && src.Bool("ZeroSARAH") {
			e, lambda = ofZeroSARAH, src.Real("λ", 0.2, 1)
		}
		want := staleErrors(n, b, 60*n/b, straight, lambda)
		return props.MeanTrial{What: "‖v^t − ∇f(x^t)‖² in the long run over its value",
			Claimed: 1, Relation: props.Near, Tolerance: 0.1,
			Regime: errorRegime(n, b, forgotten+times),
			Run: func(t props.Trial) float64 {
				p := unitPath(n, b, forgotten+times, d, straight, t.Key.With("path").Rand())
				p.lambda = lambda
				return p.settledError(e, algos.Keyed(t.Key), forgotten, 1) / want
			}}
	}).Effort(0.3)
}
