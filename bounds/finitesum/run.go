package finitesum

import (
	"cmp"
	"math"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/bounds"
	"sledge/bounds/internal/num"
	"sledge/props"
	"sledge/props/keyed"
)

// instance is a finite sum with certified constants, a starting point, and the parameters of a SLEDGE run of T steps on it.
type instance struct {
	problem problems.Certified
	problems.Constants
	x0      []float64
	n, d, b int
	T       int
	eta, r  float64
	option  algos.Option
}

// heterogeneous lists the patterns in which the Hessians of components differ.
var heterogeneous = []problems.Pattern{problems.TwoCluster, problems.Signs, problems.Outlier, problems.Pairs, problems.RankOne, problems.Random}

// ranges says what drawInstance draws from. The zero value of each field stands for its default.
type ranges struct {
	n, d, T problems.Range // defaults 1 to 16, 1 to 3, 2 to 30
	option  algos.Option
	quiet   bool               // no noise
	shapes  []problems.Shape   // default: all
	pattern []problems.Pattern // default: all
	etaL    float64            // largest η·L; default 2
	few     bool               // minibatches evenly on the scale of log b
}

func (l ranges) orDefault() ranges {
	l.n, l.d = cmp.Or(l.n, problems.Sizes(1, 16)), cmp.Or(l.d, problems.Sizes(1, 3))
	l.T = cmp.Or(l.T, problems.Sizes(2, 30))
	if l.shapes == nil {
		l.shapes = []problems.Shape{problems.Convex, problems.Degenerate, problems.Indefinite}
	}
	l.etaL = cmp.Or(l.etaL, 2)
	return l
}

// drawInstance draws a quadratic finite sum (random, two-cluster, outlier, paired and rank-one heterogeneity) and the parameters of a run.
func drawInstance(src *props.Source, l ranges) *instance {
	l = l.orDefault()
	p := problems.DrawQuadratic(src, problems.Limits{N: l.n, D: l.d, Shapes: l.shapes, Patterns: l.pattern})
	in := &instance{problem: p, n: p.Components(), d: p.Dim(), option: l.option}
	in.x0 = problems.DrawPoint(src, "x0", in.d, 10)
	in.Constants = p.Constants(in.x0)
	if l.few {
		in.b = src.LogInt("b", 1, in.n)
	} else {
		in.b = src.Int("b", 1, in.n)
	}
	in.T = src.Int("T", l.T.Min, l.T.Max)
	in.eta = src.LogReal("eta L", 1e-2, l.etaL) / in.L.Value
	if !l.quiet && src.Bool("noise") {
		in.r = src.LogReal("r", 1e-6, 1)
	}
	return in
}

// drawRun draws an instance for a claim about runs: components that differ, n up to 32, d up to 5 and 12 to 60 steps where l says nothing else, so that most instances lie in the
// regime of such claims.
func drawRun(src *props.Source, l ranges) *instance {
	if l.pattern == nil {
		l.pattern = heterogeneous
	}
	l.n, l.d, l.T = cmp.Or(l.n, problems.Sizes(1, 32)), cmp.Or(l.d, problems.Sizes(1, 5)), cmp.Or(l.T, problems.Sizes(12, 60))
	return drawInstance(src, l)
}

// regime is that of a claim about runs on the instance that may fail with probability delta.
func (in *instance) regime(delta float64) props.Regime {
	return bounds.WithErrors(in.shape().And(bounds.Steps(in.T), props.Allowed(delta)))
}

// shape is the part of the regime that concerns the problem and the minibatch.
func (in *instance) shape() props.Regime { return bounds.Sum(in.n, in.b, in.d, in.Zeta.Value) }

// method returns SLEDGE with the parameters of the instance.
func (in *instance) method() *algos.SLEDGE {
	return &algos.SLEDGE{Eta: in.eta, Batch: in.b, Radius: in.r, Option: in.option}
}

// path is a run of SLEDGE together with everything the proof of lemma:First-VarianceBound looks at. Steps count from 1 to T, index 0 is the start.
type path struct {
	*instance
	tape  *algos.Tape
	grad  [][]float64 // ∇f(x^t)
	err   [][]float64 // v^t − ∇f(x^t)
	moved []float64   // ‖x^s − x^{s−1}‖²
	dev   [][]float64 // row i of the n×d matrix dev[s]: ∇f_i(x^s) − ∇f_i(x^{s−1}) − (∇f(x^s) − ∇f(x^{s−1}))
	total [][]float64 // Σ_{τ≤s} dev[τ]
	mean  [][]float64 // mean of dev[s] over I^s
	last  [][]int     // last[t][i] is the last step ≤ t that drew component i, 0 if none did
	start []float64   // row i: y_i^0 − ∇f_i(x^0)
	size  float64     // largest ‖∇f_i(x^t)‖ and L‖x^t‖ on the path: rounding errors of gradients are relative to it
}

// follow runs SLEDGE on the instance.
func (in *instance) follow(key keyed.Key) *path {
	return in.followWith(algos.Keyed(key))
}

// trial runs SLEDGE on the instance and reports the share of steps at which the estimator errs.
func (in *instance) trial(t props.Trial) *path {
	p := in.follow(t.Key)
	var s bounds.Share
	for k, e := range p.err {
		s.Step(p.squared(e), normSq(p.grad[k]))
	}
	s.Report(t)
	return p
}

// drawPath runs SLEDGE with randomness that is part of the instance.
func (in *instance) drawPath(src *props.Source) *path {
	return in.follow(src.Key("run"))
}

func (in *instance) followWith(r algos.Randomness) *path {
	tape := props.Must(algos.RecordRun(in.method(), algos.NewOracle(algos.Sum(in.problem)), in.x0, r, in.T))
	n, d, T := in.n, in.d, in.T
	p := &path{instance: in, tape: tape}
	p.grad, p.err, p.dev, p.total, p.mean = rows(T+1, d), rows(T+1, d), rows(T+1, n*d), rows(T+1, n*d), rows(T+1, d)
	p.moved, p.last = make([]float64, T+1), make([][]int, T+1)
	now, before := make([]float64, n*d), make([]float64, n*d)
	last, gradients := make([]int, (T+1)*n), allGradients(in.problem)
	for t := range T + 1 {
		x := tape.X[t]
		gradients(now, x)
		p.size = num.Larger(p.size, in.L.Value, x)
		for i := range n {
			g := now[i*d : (i+1)*d]
			p.size = num.Larger(p.size, 1, g)
			floats.AddScaled(p.grad[t], 1/float64(n), g)
		}
		floats.SubTo(p.err[t], tape.V[t], p.grad[t])
		p.last[t] = last[t*n : (t+1)*n]
		if t == 0 {
			p.start = p.startErrors(now)
			now, before = before, now
			continue
		}
		p.moved[t] = distSq(x, tape.X[t-1])
		floats.SubTo(p.dev[t], now, before)
		for i := range n {
			row := p.dev[t][i*d : (i+1)*d]
			floats.Sub(row, p.grad[t])
			floats.Add(row, p.grad[t-1])
		}
		floats.AddTo(p.total[t], p.total[t-1], p.dev[t])
		copy(p.last[t], p.last[t-1])
		for _, i := range tape.Batch(t) {
			p.last[t][i] = t
			floats.AddScaled(p.mean[t], 1/float64(in.b), p.dev[t][i*d:(i+1)*d])
		}
		now, before = before, now
	}
	return p
}

// allGradients returns a function that sets row i of dst to ∇f_i(x), for all i.
func allGradients(f algos.FiniteSum) func(dst, x []float64) {
	n, d := f.Components(), f.Dim()
	together, ok := f.(algos.BatchGradienter)
	if !ok {
		return func(dst, x []float64) {
			for i := range n {
				f.Gradient(dst[i*d:(i+1)*d], x, i)
			}
		}
	}
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return func(dst, x []float64) { together.BatchGradient(dst, x, all) }
}

// startErrors returns y_i^0 − ∇f_i(x^0), given the component gradients at x^0.
func (p *path) startErrors(at0 []float64) []float64 {
	e := make([]float64, len(at0))
	if p.option == algos.OptionII {
		return e
	}
	for k := range e {
		e[k] = p.tape.V[0][k%p.d] - at0[k]
	}
	return e
}

// squared returns ‖v‖² of a vector of gradient size on the path, or 0 where that is nothing but rounding: below (1e-12)² of the largest gradient.
func (p *path) squared(v []float64) float64 { return num.Squared(v, p.size) }

// rounding is the scale of squared gradients on the path: [props.RoundingBand] of it is the square of 1e-12 of the largest gradient.
func (p *path) rounding() float64 { return num.Rounding(p.size) }

// slack is the scale of a comparison of squared vectors on the path, given the smaller square: [props.RoundingBand] of it is what an error of 1e-13 of the
// largest gradient in the vector makes of its square.
func (p *path) slack(square float64) float64 {
	return 2e-13 / props.RoundingBand * p.size * math.Sqrt(square)
}

// window returns Σ_{s=from}^t ‖x^s − x^{s−1}‖².
func (p *path) window(from, t int) float64 { return floats.Sum(p.moved[from : t+1]) }

// unsampled returns |Ĩ_s^t|; see [bounds.Unsampled].
func (p *path) unsampled(t int) []int { return bounds.Unsampled(p.last[t], t) }

// termA sets dst to (1/n) Σ_{s=from}^t Σ_{i∈Ĩ_s^t} dev_i^s, the vector in (a) of lines 1420-1434.
func (p *path) termA(dst []float64, from, t int) {
	clear(dst)
	for i, s := range p.last[t] {
		s = max(s, from-1)
		floats.AddScaled(dst, 1/float64(p.n), p.total[t][i*p.d:(i+1)*p.d])
		floats.AddScaled(dst, -1/float64(p.n), p.total[s][i*p.d:(i+1)*p.d])
	}
}

// termB sets dst to (1/n) Σ_{s=from}^t weight(s) (1/b) Σ_{i∈I^s} dev_i^s; with weight |Ĩ_s^t| it is the vector in (b).
func (p *path) termB(dst []float64, from, t int, weight func(s int) float64) {
	clear(dst)
	for s := from; s <= t; s++ {
		floats.AddScaled(dst, weight(s)/float64(p.n), p.mean[s])
	}
}

// termC sets dst to (1/n) Σ_{i∈Ĩ_1^t} (y_i^0 − ∇f_i(x^0)), the vector in (c).
func (p *path) termC(dst []float64, t int) {
	clear(dst)
	for i, s := range p.last[t] {
		if s == 0 {
			floats.AddScaled(dst, 1/float64(p.n), p.start[i*p.d:(i+1)*p.d])
		}
	}
}

// search runs a method for at most so many steps and returns the number of the first one, from 0 on, after which found holds at the iterate.
func search(m algos.Method, p algos.FiniteSum, x0 []float64, r algos.Randomness, most int, found func(x []float64) bool) (step int, ok bool) {
	if err := m.Start(algos.NewOracle(algos.Sum(p)), x0, r); err != nil {
		panic(err) // the ranges of the checks are valid
	}
	for step := range most + 1 {
		if step > 0 {
			m.Step()
		}
		if found(m.Point()) {
			return step, true
		}
	}
	return most, false
}

// Short names for the shared arithmetic.
var (
	rows   = num.Rows
	normSq = num.NormSq
	distSq = num.DistSq
	sq     = num.Sq
	rat    = num.Rat
	power  = num.Power
)
