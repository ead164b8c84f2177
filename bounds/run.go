package bounds

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/bounds/internal/num"
	"sledge/concentration"
	"sledge/props"
	"sledge/props/keyed"
)

// setting is what runs of both methods start from: the certified constants of a problem, a starting
// point, and the parameters of T steps, or rounds.
type setting struct {
	problems.Constants
	x0     []float64
	d, T   int
	eta, r float64
	option algos.Option
}

// recorded is a run.
type recorded struct {
	tape *algos.Tape
	// bound on the gradients of components, or data, and on L‖x^t‖ on the way: rounding errors of
	// gradients are relative to it
	size float64
}

// squared returns ‖v‖² of a vector of gradient size on the run, or 0 where that is nothing but
// rounding: below (1e-12)² of the largest gradient.
func (h *recorded) squared(v []float64) float64 { return num.Squared(v, h.size) }

// rounding is the scale of squared gradients on the run: [props.RoundingBand] of it is the square
// of 1e-12 of the largest gradient.
func (h *recorded) rounding() float64 { return num.Rounding(h.size) }

// slack is the scale of a comparison of squared vectors on the run, given the smaller square:
// [props.RoundingBand] of it is what an error of 1e-13 of the largest gradient in the vector makes
// of its square.
func (h *recorded) slack(square float64) float64 {
	return 2e-13 / props.RoundingBand * h.size * math.Sqrt(square)
}

// harness is an instance for claims about the runs R of a method on it.
type harness[R any] interface {
	trial(t props.Trial) R
	tailRegime(delta float64) props.Regime
	literalC1(nu float64) float64
	lemmaWindow(c1 float64) int
}

// tailOnRuns is the shape of the tail claims about runs: instances from the given ranges, a
// probability ν of which the statement allows the given share, C_1 as the proof takes it, and what
// to compare on a run with the window of the lemmas.
func tailOnRuns[R any](l interface {
	instance(src *props.Source, share float64) (in harness[R], nu float64)
}, share float64, compare func(
	run R, c1 float64, window int, rec *props.Recorder)) *props.Randomised[props.TailTrial] {
	return props.Tail(func(src *props.Source) props.TailTrial {
		in, nu := l.instance(src, share)
		c1 := in.literalC1(nu)
		return props.TailTrial{Delta: share * nu, Regime: in.tailRegime(share * nu),
			Run: func(t props.Trial, rec *props.Recorder) {
				compare(in.trial(t), c1, in.lemmaWindow(c1), rec)
			}}
	}).Effort(runEffort)
}

// runEffort is the effort of tail claims about whole runs, which cost much: many instances are
// worth more than many runs of each.
const runEffort = 0.25

// instance is a finite sum and a run of SLEDGE on it.
type instance struct {
	setting
	problem problems.Certified
	n, b    int
}

// heterogeneous lists the patterns in which the Hessians of components differ.
var heterogeneous = []problems.Pattern{problems.TwoCluster, problems.Signs, problems.Outlier,
	problems.Pairs, problems.RankOne, problems.Random}

// ranges says what drawInstance draws from. The zero value of each field stands for its default.
type ranges struct {
	n, d, T problems.Range // defaults 1 to 16, 1 to 3, 2 to 30
	option  algos.Option
	quiet   bool               // no noise
	shapes  []problems.Shape   // default: all
	pattern []problems.Pattern // default: all
	etaL    float64            // largest η·L; default 2
	few     bool               // minibatches evenly on the scale of log b
	apart   float64            // least Hessian distance of components over L; default 1e-3
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

// drawInstance draws a quadratic finite sum (random, two-cluster, outlier, paired and rank-one
// heterogeneity) and the parameters of a run.
func drawInstance(src *props.Source, l ranges) *instance {
	l = l.orDefault()
	p := problems.DrawQuadratic(src,
		problems.Limits{N: l.n, D: l.d, Shapes: l.shapes, Patterns: l.pattern,
			Apart: l.apart}).ByClient()
	in := &instance{setting: setting{d: p.Dim(), option: l.option}, problem: p, n: p.Components()}
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

// manyDimensions are those of main results that runs decide.
var manyDimensions = problems.Sizes(8, 10)

// drawRun draws an instance for a claim about runs: components that differ, n up to 32,
// [manyDimensions] and 12 to 60 steps where l says nothing else, so that most instances lie in the
// regime of such claims.
func drawRun(src *props.Source, l ranges) *instance {
	if l.pattern == nil {
		l.pattern = heterogeneous
	}
	l.n, l.d, l.T = cmp.Or(l.n, problems.Sizes(1, 32)), cmp.Or(l.d, manyDimensions),
		cmp.Or(l.T, problems.Sizes(12, 60))
	return drawInstance(src, l)
}

// regime is that of a claim about runs on the instance that may fail with probability delta.
func (in *instance) regime(delta float64) props.Regime {
	return withErrors(in.shape().And(longEnough(in.T), props.Allowed(delta)))
}

// leastTailSteps is the least number of steps in the regime of tail claims about the auxiliary
// lemmas.
const leastTailSteps = 11

func (in *instance) tailRegime(delta float64) props.Regime {
	return withErrors(in.shape().And(props.Min("T", in.T, leastTailSteps), props.Allowed(delta)))
}

// literalC1 is the C_1 of tail claims for a run on the instance; see [tailC1].
func (in *instance) literalC1(nu float64) float64 {
	return tailC1(in.n, concentration.Sizes{N: in.n, D: in.d, T: in.T, Nu: nu})
}

// lemmaWindow is T_1.
func (in *instance) lemmaWindow(c1 float64) int { return coverWindow(in.n, in.b, c1) }

func (l ranges) instance(src *props.Source, share float64) (harness[*path], float64) {
	return drawRun(src, l), drawNu(src, "nu", share)
}

// shape is the part of the regime that concerns the problem and the minibatch.
func (in *instance) shape() props.Regime { return sumRegime(in.n, in.b, in.d, in.Zeta.Value) }

// method returns SLEDGE with the parameters of the instance.
func (in *instance) method() *algos.SLEDGE {
	return &algos.SLEDGE{Eta: in.eta, Batch: in.b, Radius: in.r, Option: in.option}
}

// path is a run of SLEDGE together with everything the proof of lemma:First-VarianceBound looks at.
// Steps count from 1 to T, index 0 is the start.
type path struct {
	*instance
	recorded
	grad  [][]float64 // ∇f(x^t)
	err   [][]float64 // v^t − ∇f(x^t)
	moved []float64   // ‖x^s − x^{s−1}‖²
	last  [][]int     // last[t][i] is the last step ≤ t that drew component i, 0 if none did
	start []float64   // row i: y_i^0 − ∇f_i(x^0)
	// row i of the n×d matrix at[s]: ∇f_i(x^s), until somebody asks for their deviations
	at               [][]float64
	dev, mean, total [][]float64 // see deviations, means and totals
}

// follow runs SLEDGE on the instance.
func (in *instance) follow(key keyed.Key) *path {
	return in.followWith(algos.Keyed(key))
}

// trial runs SLEDGE on the instance and reports the share of steps at which the estimator errs.
func (in *instance) trial(t props.Trial) *path {
	p := in.under(t).follow(t.Key)
	var s stepShare
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
	tape := props.Must(algos.RecordRun(in.method(), algos.NewOracle(algos.Sum(in.problem)), in.x0,
		r, in.T))
	n, d, T := in.n, in.d, in.T
	p := &path{instance: in, recorded: recorded{tape: tape}}
	p.grad, p.err, p.at = rows(T+1, d), rows(T+1, d), rows(T+1, n*d)
	p.moved, p.last = make([]float64, T+1), make([][]int, T+1)
	last, gradients := make([]int, (T+1)*n), allGradients(in.problem)
	for t := range T + 1 {
		x := tape.X[t]
		gradients(p.at[t], x)
		p.size = num.Larger(p.size, in.L.Value, x)
		for i := range n {
			g := p.at[t][i*d : (i+1)*d]
			p.size = num.Larger(p.size, 1, g)
			floats.AddScaled(p.grad[t], 1/float64(n), g)
		}
		floats.SubTo(p.err[t], tape.V[t], p.grad[t])
		p.last[t] = last[t*n : (t+1)*n]
		if t == 0 {
			p.start = p.startErrors(p.at[0])
			continue
		}
		p.moved[t] = distSq(x, tape.X[t-1])
		copy(p.last[t], p.last[t-1])
		for _, i := range tape.Batch(t) {
			p.last[t][i] = t
		}
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

// window returns Σ_{s=from}^t ‖x^s − x^{s−1}‖².
func (p *path) window(from, t int) float64 { return floats.Sum(p.moved[from : t+1]) }

// unsampled returns |Ĩ_s^t|; see unsampled.
func (p *path) unsampled(t int) []int { return unsampled(p.last[t], t) }

// deviations returns ∇f_i(x^s) − ∇f_i(x^{s−1}) − (∇f(x^s) − ∇f(x^{s−1})) in row i of the n×d matrix
// number s ≥ 1.
func (p *path) deviations() [][]float64 {
	if p.dev == nil {
		p.dev, p.at = p.at, nil
		for s := p.T; s > 0; s-- {
			floats.Sub(p.dev[s], p.dev[s-1])
			for i := range p.n {
				row := p.dev[s][i*p.d : (i+1)*p.d]
				floats.Sub(row, p.grad[s])
				floats.Add(row, p.grad[s-1])
			}
		}
		clear(p.dev[0])
	}
	return p.dev
}

// means returns the means of the deviations over I^s.
func (p *path) means() [][]float64 {
	if p.mean == nil {
		p.mean = rows(p.T+1, p.d)
		for s, dev := range p.deviations() {
			for _, i := range p.tape.Batch(s) {
				floats.AddScaled(p.mean[s], 1/float64(p.b), dev[i*p.d:(i+1)*p.d])
			}
		}
	}
	return p.mean
}

// totals returns the sums of the deviations up to s for all s.
func (p *path) totals() [][]float64 {
	if p.total == nil {
		dev := p.deviations()
		p.total = rows(len(dev), p.n*p.d)
		for s := 1; s < len(dev); s++ {
			floats.AddTo(p.total[s], p.total[s-1], dev[s])
		}
	}
	return p.total
}

// termA sets dst to (1/n) Σ_{s=from}^t Σ_{i∈Ĩ_s^t} dev_i^s, the vector in (a) of lines 1420-1434.
func (p *path) termA(dst []float64, from, t int) {
	clear(dst)
	total := p.totals()
	for i, s := range p.last[t] {
		s = max(s, from-1)
		floats.AddScaled(dst, 1/float64(p.n), total[t][i*p.d:(i+1)*p.d])
		floats.AddScaled(dst, -1/float64(p.n), total[s][i*p.d:(i+1)*p.d])
	}
}

// termB sets dst to (1/n) Σ_{s=from}^t weight(s) (1/b) Σ_{i∈I^s} dev_i^s; with weight |Ĩ_s^t| it is
// the vector in (b).
func (p *path) termB(dst []float64, from, t int, weight func(s int) float64) {
	clear(dst)
	for s := from; s <= t; s++ {
		floats.AddScaled(dst, weight(s)/float64(p.n), p.means()[s])
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

// Short names for the shared arithmetic.
var (
	rows   = num.Rows
	normSq = num.NormSq
	distSq = num.DistSq
	sq     = num.Sq
	rat    = num.Rat
)

// federation is a federated problem and a run of FLEDGE on it.
type federation struct {
	setting
	problem problems.CertifiedFederated
	P, p    int // clients, clients in a round
	K, b    int // local steps, local minibatch
}

// federationRanges says what drawFederation draws from. The zero value of each field stands for its
// default.
type federationRanges struct {
	P, d, K, b, T problems.Range // defaults 1 to 10, 1 to 3, 1 to 4, 1 to 3, 2 to 25
	spare         problems.Range // data of a client beyond Kb; default 0 to 6
	option        algos.Option
	// data of a client differ by linear terms and ripples only: Sigma and G are finite
	bounded bool
	// clients may agree up to their linear terms: ζ = 0 in half of the draws
	agree bool
	quiet bool // no noise
	// data of a client are alike, steps small: little but noise moves the iterate
	drift   bool
	shapes  []problems.Shape   // default: all
	between []problems.Pattern // default: all
	within  []problems.Pattern // default: all; None if bounded
	// least Hessian distance of data of a client over L where they differ; default 1e-3
	apart    float64
	differ   float64 // least Hessian distance of the clients over L where they differ; default 2e-9
	flattest float64 // least of the largest mean curvatures; default 0.1
	etaL     float64 // largest η·L; default 2
	noise    float64 // largest spread of the data of a client over L where bounded; default 3
	few      bool    // samples of the clients evenly on the scale of log p
}

func (l federationRanges) orDefault() federationRanges {
	l.P, l.d = cmp.Or(l.P, problems.Sizes(1, 10)), cmp.Or(l.d, problems.Sizes(1, 3))
	l.K, l.b = cmp.Or(l.K, problems.Sizes(1, 4)), cmp.Or(l.b, problems.Sizes(1, 3))
	l.T, l.spare = cmp.Or(l.T, problems.Sizes(2, 25)), cmp.Or(l.spare, problems.Sizes(0, 6))
	if l.shapes == nil {
		l.shapes = []problems.Shape{problems.Convex, problems.Degenerate, problems.Indefinite}
	}
	all := []problems.Pattern{problems.TwoCluster, problems.Signs, problems.Outlier, problems.Pairs,
		problems.RankOne, problems.Random}
	if l.between == nil {
		l.between = append([]problems.Pattern{problems.None}, all...)
	}
	if l.within == nil {
		l.within = append([]problems.Pattern{problems.None}, all...)
	}
	l.apart, l.differ, l.flattest = cmp.Or(l.apart, 1e-3), cmp.Or(l.differ, 2e-9),
		cmp.Or(l.flattest, 0.1)
	l.etaL, l.noise = cmp.Or(l.etaL, 2), cmp.Or(l.noise, 3)
	return l
}

// draw draws an integer from a range.
func draw(src *props.Source, name string, r problems.Range) int { return src.Int(name, r.Min, r.Max) }

// drawDeviations draws how much n clients, or the data of a client, differ: the distance of their
// Hessians from least·scale to 2·scale. A single one differs from nothing.
func drawDeviations(src *props.Source, what string, n int, from []problems.Pattern, scale,
	least float64) problems.Heterogeneity {
	if n == 1 {
		return problems.Heterogeneity{}
	}
	h := problems.Heterogeneity{Pattern: props.OneOf(src, what+" pattern", from...)}
	if h.Pattern != problems.None {
		h.Hessian = scale * src.LogReal(what+" Hessian distance / L", least, 2)
	}
	h.Linear = scale * src.Real(what+" linear spread / L", 0, 3)
	return h
}

// drawSizes draws how many data the clients hold: equally many, or up to so many beyond Kb.
func (in *federation) drawSizes(src *props.Source, l federationRanges) []int {
	sizes := make([]int, in.P)
	spare := draw(src, "data of a client beyond Kb", l.spare)
	unequal := spare > 0 && src.Bool("unequal clients")
	for i := range sizes {
		sizes[i] = in.K*in.b + spare
		if unequal {
			sizes[i] -= i % (spare + 1)
		}
	}
	return sizes
}

// drawFederation draws a federated quadratic, its heterogeneity between clients and within them set
// apart from each other, and the parameters of a run. Where l.bounded asks for it the data of a
// client have ripples instead of Hessians of their own.
func drawFederation(src *props.Source, l federationRanges) *federation {
	l = l.orDefault()
	in := &federation{P: draw(src, "P", l.P)}
	in.d, in.K, in.b, in.option = draw(src, "d", l.d), draw(src, "K", l.K),
		draw(src, "b", l.b), l.option
	if l.few {
		in.p = src.LogInt("p", 1, in.P)
	} else {
		in.p = src.Int("p", 1, in.P)
	}
	sizes := in.drawSizes(src, l)
	shape := props.OneOf(src, "shape", l.shapes...)
	top, cond := src.LogReal("largest mean curvature", l.flattest, 10),
		src.LogReal("condition number", 1, 1000)
	m := problems.QuadraticMean{Spectrum: make([]float64, in.d)}
	for k := range m.Spectrum {
		m.Spectrum[k] = top * math.Pow(cond, -float64(k)/math.Max(1, float64(in.d-1)))
	}
	switch {
	case shape == problems.Degenerate && in.d > 1:
		m.Spectrum[in.d-1] = 0
	case shape == problems.Indefinite:
		m.Spectrum[in.d-1] = -top / cond
	}
	if l.agree && src.Bool("clients agree") {
		l.between = []problems.Pattern{problems.None}
	}
	m.Between = drawDeviations(src, "between", in.P, l.between, top, l.differ)
	switch {
	case l.drift:
	case l.bounded:
		m.Ripple = src.LogReal("ripple width", 0.1, 10)
		m.Within = problems.Heterogeneity{
			Linear:    top * src.Real("within linear spread / L", 0, l.noise),
			Amplitude: top * src.Real("ripple amplitude / L", 0, l.noise/2)}
	default:
		m.Within = drawDeviations(src, "within", slices.Max(sizes), l.within, top, l.apart)
	}
	p := props.Must(problems.Make(sizes, m, src.Rand("directions")))
	in.problem = p
	in.x0 = problems.DrawPoint(src, "x0", in.d, 10)
	in.Constants = p.Constants(in.x0)
	in.T = draw(src, "T", l.T)
	switch {
	case l.drift:
		in.eta, in.r = src.LogReal("eta L", 1e-4, 1)/in.L.Value, src.LogReal("r", 1e-3, 10)
		return in
	case !l.quiet && src.Bool("noise"):
		in.r = src.LogReal("r", 1e-6, 1)
	}
	in.eta = src.LogReal("eta L", 1e-2, l.etaL) / in.L.Value
	return in
}

// drawRounds draws an instance for a claim about runs: P up to 12, d up to 4 and 20 to 28 rounds
// where l says nothing else, so that most instances lie in the regime of such claims, and none is
// larger than that needs.
func drawRounds(src *props.Source, l federationRanges) *federation {
	l.P, l.d, l.T = cmp.Or(l.P, problems.Sizes(1, 12)), cmp.Or(l.d, manyDimensions), cmp.Or(l.T,
		problems.Sizes(LeastSteps, 28))
	return drawFederation(src, l)
}

// sampled is the part of the regime that asks for a sample of the clients, and of the data of each
// of them, in more dimensions than one. Errors of the estimator come from the data alone where
// clients agree.
func (in *federation) sampled() props.Regime {
	most := 0
	for i := range in.P {
		most = max(most, in.problem.Size(i))
	}
	return withErrors(props.Where(props.Min("P", in.P, 2), props.Less("p", in.p, "P", in.P),
		props.Min("d", in.d, 2), props.Less("Kb", in.K*in.b, "data of a client", most)))
}

// regime is that of a claim about runs on the instance that may fail with probability delta.
func (in *federation) regime(delta float64) props.Regime {
	return in.sampled().And(longEnough(in.T), props.Allowed(delta))
}

// method returns FLEDGE with the parameters of the instance.
func (in *federation) method() *algos.FLEDGE {
	return &algos.FLEDGE{Eta: in.eta, Chosen: in.p, Batch: in.b, LocalSteps: in.K, Radius: in.r,
		Option: in.option}
}

// literalC1 is the C_1 of tail claims for a run on the instance; see [tailC1].
func (in *federation) literalC1(nu float64) float64 {
	return tailC1(in.P, concentration.Sizes{P: in.P, D: in.d, T: in.T, K: in.K, Nu: nu})
}

// lemmaWindow is T_3 = (P/p)·C_1 (line 2240), rounded up to whole rounds.
func (in *federation) lemmaWindow(c1 float64) int { return coverWindow(in.P, in.p, c1) }

func (in *federation) tailRegime(delta float64) props.Regime { return in.regime(delta) }

func (l federationRanges) instance(src *props.Source,
	share float64) (harness[*roundPath], float64) {
	return drawRounds(src, l), drawTenth(src, "nu", share)
}

// roundPath is a run of FLEDGE together with what the proof of lemma:Dist-First-VarianceBound looks
// at. Rounds count from 1 to T, index 0 is the start.
type roundPath struct {
	*federation
	recorded
	grad  [][][]float64 // grad[t][k] = ∇f(x^{t,k}) for k = 0 … K, t ≥ 1
	err   [][][]float64 // err[t][k] = v^{t,k} − ∇f(x^{t,k}) for k = 0 … K−1, t ≥ 1
	table [][]float64   // table[t] = (1/P)Σ_i y_i^t − ∇f(x^t)
	local [][]float64   // local[t][k] = ‖x^{t,k} − x^{t,k−1}‖² for k = 1 … K; local[t][0] = 0
	moved []float64     // moved[t] = ‖x^t − x^{t−1}‖²

	change [][]float64 // see changeNoise
	fresh  [][]float64 // see valueNoise
	last   [][]int     // see refreshed
}

// follow runs FLEDGE on the instance.
func (in *federation) follow(key keyed.Key) *roundPath { return in.followWith(algos.Keyed(key)) }

// trial runs FLEDGE on the instance and reports the share of local steps at which the estimator
// errs.
func (in *federation) trial(t props.Trial) *roundPath {
	p := in.under(t).follow(t.Key)
	var s stepShare
	for t := 1; t <= in.T; t++ {
		for k, e := range p.err[t] {
			s.Step(p.squared(e), normSq(p.grad[t][k]))
		}
	}
	s.Report(t)
	return p
}

// drawPath runs FLEDGE with randomness that is part of the instance.
func (in *federation) drawPath(src *props.Source) *roundPath {
	return in.follow(src.Key("run"))
}

func (in *federation) followWith(r algos.Randomness) *roundPath {
	tape := props.Must(algos.RecordRun(in.method(), algos.NewOracle(in.problem), in.x0, r, in.T))
	d, K, T := in.d, in.K, in.T
	p := &roundPath{federation: in, recorded: recorded{tape: tape}, grad: make([][][]float64, T+1),
		err: make([][][]float64, T+1)}
	p.table, p.local, p.moved = rows(T+1, d), rows(T+1, K+1), make([]float64, T+1)
	g, far := make([]float64, d), 0.0
	for i := range in.P {
		for j := range in.problem.Size(i) {
			in.problem.Gradient(g, in.x0, i, j)
			p.size = max(p.size, floats.Norm(g, 2))
		}
	}
	// a round begins where the one before has ended, with a gradient that is known
	grad, err := rows(1+T*K, d), rows(T*K, d)
	in.problem.FullGradient(grad[0], in.x0)
	for t := range T + 1 {
		far = max(far, in.L.Value*(floats.Distance(tape.X[t], in.x0, 2)+floats.Norm(tape.X[t], 2)))
		if t > 0 {
			p.moved[t] = distSq(tape.X[t], tape.X[t-1])
			p.grad[t], p.err[t] = grad[(t-1)*K:t*K+1], err[(t-1)*K:t*K]
			for k := 1; k <= K; k++ {
				x, before := tape.Local[t][k], tape.Local[t][k-1]
				in.problem.FullGradient(p.grad[t][k], x)
				floats.SubTo(p.err[t][k-1], tape.LocalV[t][k-1], p.grad[t][k-1])
				p.local[t][k] = distSq(x, before)
			}
		}
		floats.SubTo(p.table[t], tape.V[t], grad[t*K])
	}
	p.size += far
	return p
}

// window returns Σ_{s=from}^t Σ_{l≤K} ‖x^{s,l} − x^{s,l−1}‖².
func (p *roundPath) window(from, t int) float64 {
	sum := 0.0
	for s := from; s <= t; s++ {
		sum += floats.Sum(p.local[s])
	}
	return sum
}

// within returns Σ_{l≤k} ‖x^{t,l} − x^{t,l−1}‖².
func (p *roundPath) within(t, k int) float64 { return floats.Sum(p.local[t][:k+1]) }

// clients returns I^t.
func (p *roundPath) clients(t int) []int { return p.tape.Sets(t, algos.Clients)[0] }

// worker returns i_t.
func (p *roundPath) worker(t int) int { return p.tape.Sets(t, algos.Worker)[0][0] }

// localBatch returns J^{t,k} for t ≥ 1.
func (p *roundPath) localBatch(t, k int) []int { return p.tape.Sets(t, algos.LocalBatches)[k-1] }

// batches returns the J_i^t of the clients that took part at x^t with their numbers; at t = 0 these
// are all clients (Option II) or those of I^0.
func (p *roundPath) batches(t int) (clients []int, data [][]int) {
	data = p.tape.Sets(t, algos.LocalBatches)
	switch {
	case t > 0:
		return p.clients(t), data[p.K:]
	case p.option == algos.OptionI:
		return p.clients(0), data
	}
	clients = make([]int, p.P)
	for i := range clients {
		clients[i] = i
	}
	return clients, data
}

// clientGradient sets dst to ∇f_i(x). Not every problem has a short way to compute it.
func (in *federation) clientGradient(dst, x []float64, i int) {
	if q, ok := in.problem.(interface {
		ClientGradient(dst, x []float64, i int)
	}); ok {
		q.ClientGradient(dst, x, i)
		return
	}
	g, size := make([]float64, len(dst)), in.problem.Size(i)
	clear(dst)
	for j := range size {
		in.problem.Gradient(g, x, i, j)
		floats.Add(dst, g)
	}
	for l := range dst {
		dst[l] /= float64(size)
	}
}

// noise adds factor·Σ_{j∈J}(∇f_ij(x) − ∇f_i(x)) to dst.
func (in *federation) noise(dst []float64, factor float64, x []float64, i int, J []int) {
	g := make([]float64, in.d)
	for _, j := range J {
		in.problem.Gradient(g, x, i, j)
		floats.AddScaled(dst, factor, g)
	}
	in.clientGradient(g, x, i)
	floats.AddScaled(dst, -factor*float64(len(J)), g)
}

// changeNoise returns Σ_{i∈I^s}Σ_{j∈J_i^s}(∇f_ij(x^s) − ∇f_ij(x^{s−1}) − (∇f_i(x^s) −
// ∇f_i(x^{s−1}))) for s = 1 … T, the vectors of lemma:Dist-First-Auxiliary-D.
func (p *roundPath) changeNoise() [][]float64 {
	if p.change == nil {
		p.change = rows(p.T+1, p.d)
		for s := 1; s <= p.T; s++ {
			clients, data := p.batches(s)
			for k, i := range clients {
				p.noise(p.change[s], 1, p.tape.X[s], i, data[k])
				p.noise(p.change[s], -1, p.tape.X[s-1], i, data[k])
			}
		}
	}
	return p.change
}

// valueNoise returns row i of the P×d matrix number t: Σ_{j∈J_i^t}(∇f_ij(x^t) − ∇f_i(x^t)) for the
// clients that took part at x^t, 0 for the others.
func (p *roundPath) valueNoise(t, i int) []float64 {
	if p.fresh == nil {
		p.fresh = rows(p.T+1, p.P*p.d)
		for s := range p.T + 1 {
			clients, data := p.batches(s)
			for k, i := range clients {
				p.noise(p.fresh[s][i*p.d:(i+1)*p.d], 1, p.tape.X[s], i, data[k])
			}
		}
	}
	return p.fresh[t][i*p.d : (i+1)*p.d]
}

// refreshed returns T_4(t,i) for every client i: the last round ≤ t whose I^s contains i, 0 if none
// does (line 2269).
func (p *roundPath) refreshed(t int) []int {
	if p.last == nil {
		p.last = make([][]int, p.T+1)
		p.last[0] = make([]int, p.P)
		for s := 1; s <= p.T; s++ {
			p.last[s] = append([]int(nil), p.last[s-1]...)
			for _, i := range p.clients(s) {
				p.last[s][i] = s
			}
		}
	}
	return p.last[t]
}

// unsampled returns |Ĩ_s^t|; see unsampled.
func (p *roundPath) unsampled(t int) []int { return unsampled(p.refreshed(t), t) }

// expectedUnsampled returns E|Ĩ_s^t| = P(1 − p/P)^{t−s+1}.
func (in *federation) expectedUnsampled(s, t int) float64 {
	return float64(in.P) * math.Pow(1-float64(in.p)/float64(in.P), float64(t-s+1))
}

// termA sets dst to the vector (a) of lines 2453-2457, what the estimator would be off if every
// client used all its data.
func (p *roundPath) termA(dst []float64, from, t int) {
	clear(dst)
	g, h := make([]float64, p.d), make([]float64, p.d)
	change := func(i, s int) []float64 {
		p.clientGradient(g, p.tape.X[s], i)
		p.clientGradient(h, p.tape.X[s-1], i)
		floats.Sub(g, h)
		return g
	}
	count, last := p.unsampled(t), p.refreshed(t)
	for s := from; s <= t; s++ {
		for _, i := range p.clients(s) {
			floats.AddScaled(dst, float64(count[s])/float64(p.p*p.P), change(i, s))
		}
		for i, l := range last {
			if l < s {
				floats.AddScaled(dst, -1/float64(p.P), change(i, s))
			}
		}
	}
	if p.option == algos.OptionII || from > 1 {
		return
	}
	for i, l := range last {
		if l == 0 {
			p.clientGradient(g, p.x0, i)
			floats.AddScaled(dst, -1/float64(p.P), g)
		}
	}
	for _, i := range p.clients(0) {
		p.clientGradient(g, p.x0, i)
		floats.AddScaled(dst, float64(count[1])/float64(p.p*p.P), g)
	}
}

// termB sets dst to Σ_{s=from}^t (weight(s)/(PpKb)) Σ_{i∈I^s}Σ_{j∈J_i^s}(…); with weight |Ĩ_s^t| it
// is the vector (b).
func (p *roundPath) termB(dst []float64, from, t int, weight func(s int) float64) {
	clear(dst)
	change := p.changeNoise()
	for s := from; s <= t; s++ {
		floats.AddScaled(dst, weight(s)/float64(p.P*p.p*p.K*p.b), change[s])
	}
}

// termC sets dst to (1/(PKb)) Σ_{i: T_4(t,i) ≥ least} Σ_{j∈J_i^{T_4}}(∇f_ij − ∇f_i)(x^{T_4}), the
// vector (c). With Option I and least = 0 the printed sum asks for the J_i^0 of clients that drew
// none; they are left out.
func (p *roundPath) termC(dst []float64, least, t int) {
	clear(dst)
	for i, s := range p.refreshed(t) {
		if s >= least {
			floats.AddScaled(dst, 1/float64(p.P*p.K*p.b), p.valueNoise(s, i))
		}
	}
}

// termD sets dst to (1/P) Σ_{i∈Ĩ_1^t}(y_i^0 − ỹ_i^0), the vector (d).
func (p *roundPath) termD(dst []float64, t int) {
	clear(dst)
	if p.option == algos.OptionII {
		for i, s := range p.refreshed(t) {
			if s == 0 {
				floats.AddScaled(dst, 1/float64(p.P*p.K*p.b), p.valueNoise(0, i))
			}
		}
		return
	}
	if t == 0 {
		p.startNoise(dst, float64(p.P))
		return
	}
	p.startNoise(dst, float64(p.unsampled(t)[1]))
}

// startNoise sets dst to (count/P)(1/(pKb)) Σ_{i∈I^0}Σ_{j∈J_i^0}(∇f_ij(x^0) − ∇f_i(x^0)).
func (p *roundPath) startNoise(dst []float64, count float64) {
	clear(dst)
	for _, i := range p.clients(0) {
		floats.AddScaled(dst, count/float64(p.P*p.p*p.K*p.b), p.valueNoise(0, i))
	}
}

// drawTenth is [drawNu] for a probability share·ν of about 0.1: the smaller it is the more runs it
// takes to show.
func drawTenth(src *props.Source, name string, share float64) float64 {
	return src.LogReal(name, 0.08/share, 0.11/share)
}
