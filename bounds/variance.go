package bounds

import (
	"math"
	"slices"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/concentration"
	"sledge/props"
	"sledge/props/formula"
)

// remaining returns Σ_{i∈Ĩ_s^t} dev_i^s.
func (p *path) remaining(s, t int) []float64 {
	sum := make([]float64, p.d)
	for i, last := range p.last[t] {
		if last < s {
			for k := range sum {
				sum[k] += p.deviations()[s][i*p.d+k]
			}
		}
	}
	return sum
}

// apart returns Σ_{s=from}^t‖Σ_{i∈Ĩ_s^t} dev_i^s‖².
func (p *path) apart(from, t int) (square float64) {
	for s := from; s <= t; s++ {
		square += normSq(p.remaining(s, t))
	}
	return square
}

func varianceClaims() []props.Binding {
	return []props.Binding{
		props.Bind("variance-lemma-option-two/sharper",
			props.Settled(props.Inequality(varianceLemmaOptionTwoSharper).Effort(0.5),
				lengthAndSquares)),
		props.Bind("dist-variance-lemma", props.Slope(growth)),
	}
}

// varianceLemmaOptionTwoSharper tries variance-lemma-option-two/sharper.
func varianceLemmaOptionTwoSharper(src *props.Source, rec *props.Recorder) {
	in := drawInstance(src, ranges{P: problems.Sizes(2, 16), T: problems.Sizes(1, 30),
		between: problems.Differing, few: true})
	key := src.Key("run")
	if src.Bool("the first minibatch has the first component") { // an outlier, where there is one
		for first := make([]int, in.b); ; key = key.With("again") {
			if algos.Keyed(key).Subset(first, in.P, algos.Batches); slices.Contains(first, 0) {
				break
			}
		}
	}
	p := in.follow(key)
	for t := 1; t <= p.T; t++ {
		length, square, window, from := 0.0, 0.0, 0.0, t+1
		for s, count := range p.unsampled(t) {
			if s > 0 && count > 0 {
				share := float64(count) / float64(p.P)
				length += share * math.Sqrt(p.moved[s])
				square += share * share
				window += p.moved[s]
				from = min(from, s)
			}
		}
		e := math.Sqrt(p.squared(p.err[t]))
		rec.AtMost("‖v^t − ∇f(x^t)‖ against ζΣ(|Ĩ_s^t|/n)‖x^s − x^{s−1}‖", e,
			p.Zeta.Value*length).Scale(1e-4 * p.size)
		rec.AtMost(
			"‖v^t − ∇f(x^t)‖² against ζ²·(steps since the last uncovered one)·Σ‖x^s − x^{s−1}‖²",
			e*e, sq(p.Zeta.Value)*float64(t-from+1)*window).Scale(p.slack(e * e))
	}
}

// mostOutcomes is how many runs an instance may have for a claim to be checked on all of them.
const mostOutcomes = 600

// outcomes calls visit with every run of SLEDGE on an instance without noise, if there are few
// enough, else with some of them. The initial minibatch of Option I is one of the choices.
func (in *instance) outcomes(visit func(p *path)) (all bool) {
	e := &algos.Outcomes{}
	for range mostOutcomes {
		if visit(in.followWith(e)); !e.Turn() {
			return true
		}
	}
	return false
}

// quantileOfRatio is the quantile of the largest ratio of a run, over all runs.
func quantileOfRatio(src *props.Source, rec *props.Recorder) formula.Values {
	in := enumerable(src, algos.OptionII, 2)
	nu := src.LogReal("nu", 0.01, 0.3)
	c1 := in.literalC1(nu)
	t1 := in.lemmaWindow(c1)
	var ratios []float64
	if !in.outcomes(func(p *path) { // all are equally likely
		worst := 0.0
		for t := 1; t <= p.T; t++ {
			if e := p.squared(p.err[t]); e > 0 {
				worst = max(worst,
					e*float64(in.b)/(sq(in.Zeta.Value)*p.walked(windowStart(t, t1), t)))
			}
		}
		ratios = append(ratios, worst)
	}) {
		rec.Skip("too many runs")
		return nil
	}
	slices.Sort(ratios)
	allowed := int(3 * nu * float64(len(ratios))) // so many runs may lie above the quantile
	return formula.Given(map[string]float64{"C_1": c1,
		"quantile": ratios[max(0, len(ratios)-1-allowed)]})
}

// stall draws sizes and probabilities, and bounds the probability of a stretch of steps that violates
// the lemma from below.
//
// The quadratics are f_i = x²/2 for i > 1 and f_1 = (1 − n)x²/2 + nx, so f(x) = x, and η = 1. In a
// stretch of steps without f_1 in which all others have been drawn, their rows are exact and stay
// so, every row changes by −v in the next step, and v = 0 from then on, while ∇f = 1: whatever
// happened before, the bound fails T_1 steps later, when the last movement has left the window. One
// run checks that.
func stall(src *props.Source, _ *props.Recorder) formula.Values {
	n := src.Int("n", 2, 16)
	b := src.Int("b", 1, n-1)
	nu := src.LogReal("nu", 1e-7, 0.1)
	T := src.LogInt("T", 10, 100000)
	terms := make([]problems.QuadraticTerm, n)
	for i := range terms {
		terms[i].A = []float64{1}
	}
	terms[0] = problems.QuadraticTerm{A: []float64{1 - float64(n)}, B: []float64{float64(n)}}
	p := props.Must(problems.NewQuadratic(1, problems.EachAlone(terms)...)).ByClient()
	in := &instance{tuning: tuning{eta: 1, b: b}}
	in.set(ofSum(p), []float64{0})
	c1 := concentration.C1(1, concentration.Sizes{N: n, D: 1, T: T, Nu: nu})
	t1 := in.lemmaWindow(c1)

	r := src.Rand("batches")
	var script [][]int
	for range n { // any history
		script = append(script, r.Perm(n)[:b])
	}
	left := map[int]bool{}
	for i := 1; i < n; i++ {
		left[i] = true
	}
	for after := 0; after < t1+2; {
		if len(left) == 0 {
			after++
		}
		var batch []int
		for _, i := range r.Perm(n - 1)[:b] {
			batch = append(batch, i+1)
			delete(left, i+1)
		}
		script = append(script, batch)
	}
	in.T = len(script)
	run := in.followWith(algos.Script{algos.Batches: script})

	// Given a stretch without f_1, its first h steps miss one of the n − 1 others with probability
	// at most (n−1)(1 − b/(n−1))^h. The best h is about log(2(n−1))(n−1)/b.
	q, others := 1-float64(b)/float64(n), float64(n-1)
	covered := func(h int) float64 { return 1 - others*math.Pow(1-float64(b)/others, float64(h)) }
	best := 1
	for h := 2; float64(h) < 2+2*others/float64(b)*math.Log(2*others+1); h++ {
		if covered(h)*math.Pow(q, float64(h-best)) > covered(best) {
			best = h
		}
	}
	return formula.Given(map[string]float64{"ν": nu, "C_1": c1, "ζ": in.Zeta.Value, "b": float64(b),
		"chance": covered(best) * longRun(T, best+t1+2, q), "error": normSq(run.err[in.T]),
		"moved": run.walked(windowStart(in.T, t1), in.T)})
}

// longRun is the probability that T independent trials, each failing with probability q, contain a
// run of at least m failures: the complement f of no such run has f(t) = f(t−1) − (1−q)q^m
// f(t−m−1).
func longRun(T, m int, q float64) float64 {
	if T < m {
		return 0
	}
	run := math.Pow(q, float64(m))
	with := make([]float64, m+1) // the last 1 − f, that of t at t modulo m + 1
	last, at := run, m
	with[at] = run
	for range T - m {
		if at++; at > m {
			at = 0
		}
		last += (1 - q) * run * (1 - with[at])
		with[at] = last
	}
	return last
}

// draftSparse drafts instances with P ≫ p, up to P/p = most, whose clients agree, or nearly so, in
// most draws, while their data have ripples of opposite signs and nothing else: where minibatches
// are all that keeps the table from being exact. The noise moves the iterate by about the width of
// a ripple.
func draftSparse(src *props.Source, most int) *instance {
	in := &instance{tuning: tuning{p: src.Int("p", 1, 2), K: src.Int("K", 1, 2),
		b: src.Int("b", 1, 2)}}
	in.d = draw(src, "d", manyDimensions)
	ratio := src.LogInt("P/p", 10, most)
	in.P = in.p * ratio
	in.data = in.K*in.b + src.Int("data of a client beyond Kb", 1, 4)
	m := problems.QuadraticMean{Spectrum: slices.Repeat([]float64{1}, in.d),
		Ripple: src.LogReal("ripple width", 0.1, 10),
		Within: problems.Heterogeneity{Pattern: problems.TwoCluster,
			Amplitude: src.Real("ripple amplitude / L", 0.2, 1.5)}}
	if src.Pick("clients", "agree", "do not") > 0 {
		m.Between = problems.Heterogeneity{Pattern: problems.TwoCluster,
			Hessian: 2 * src.LogReal("between Hessian distance / 2L", 1e-12, 1)}
	}
	directions := src.Rand("directions")
	x0 := problems.DrawPoint(src, "x0", in.d, 10)
	in.T = ratio * src.Int("T p/P", 1, 2)
	etaL := src.LogReal("eta L", 1e-2, 1)
	in.r = m.Ripple * src.LogReal("r / ripple width", 0.3, 10)
	return in.draft(func() {
		sizes := slices.Repeat([]int{in.data}, in.P)
		in.set(ofClients(props.Must(problems.Make(sizes, m, directions))), x0)
		in.eta = etaL / in.L.Value
	})
}

// growth measures, over a range of P/p, the squared error of the table in runs with ζ = 0, averaged
// over their second half, against what is left of the printed bound for k = 0, its floor with C_1 =
// 1.
func growth(*props.Source) props.SlopeTrial {
	x := []float64{16, 32, 64, 128, 256, 512}
	return props.SlopeTrial{XLabel: "P/p", YLabel: "mean ‖v^{t,0} − ∇f‖² / floor", X: x,
		Of: props.OfMedian, Regime: props.Where(props.Sweep("P/p", x)),
		Run: func(t props.Trial, ratio float64) float64 {
			in := &instance{T: 4 * int(ratio), tuning: tuning{eta: 0.01, r: 3, p: 1, K: 1, b: 1}}
			p, err := problems.Make(slices.Repeat([]int{2}, int(ratio)),
				problems.QuadraticMean{Spectrum: []float64{1, 1, 1, 1}, Ripple: 1,
					Within: problems.Heterogeneity{Pattern: problems.TwoCluster,
						Amplitude: 1}}, t.Key.With("problem").Rand())
			if err != nil {
				panic(err) // the numbers above are valid
			}
			in.set(ofClients(p), make([]float64, 4))
			m, monitor, sum, round := in.method(), algos.NewMonitor(p), 0.0, -1
			search(m, p, in.x0, algos.Keyed(t.Key.At(in.P)), in.T, func(_ int, x []float64) bool {
				if 2*round >= in.T {
					sum += monitor.ErrorSquared(m.Estimator(), x) / float64(in.T/2)
				}
				round++
				return false
			})
			data := float64(in.P*in.K) * float64(in.b)
			return sum / (8 / data * (sq(in.Sigma.Value) + sq(in.G.Value)/data))
		}}
}
