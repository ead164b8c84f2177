package finitesum

import (
	"math"
	"math/big"
	"slices"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/bounds"
	"sledge/concentration"
	"sledge/props"
)

// The literal constants of lemma:First-VarianceBound (lines 1147-1157).
const (
	varianceFactor = 15 // of C_1⁸ζ²/b
	variancePower  = 8
	initialFactor  = 12 // of C_1²/b
	initialPower   = 2
)

// Variance is the bound of lemma:First-VarianceBound (lines 1143-1160) on ‖v^t − ∇f(x^t)‖².
type Variance struct {
	C1, Zeta   float64
	N, B       int
	SigmaC, GC float64 // Option I only
	T1         int     // 0 stands for (n/b)C_1, rounded up to whole steps
}

// Window is T_1.
func (v Variance) Window() int {
	if v.T1 > 0 {
		return v.T1
	}
	return bounds.T1(v.N, v.B, v.C1)
}

// Bound returns the bound at step t, moved being Σ ‖x^s − x^{s−1}‖² over the last T_1 steps up to t.
func (v Variance) Bound(t int, moved float64, option algos.Option) float64 {
	b := float64(v.B)
	bound := varianceFactor * math.Pow(v.C1, variancePower) * v.Zeta * v.Zeta / b * moved
	if option == algos.OptionI && t < v.Window() {
		bound += initialFactor * math.Pow(v.C1, initialPower) / b * (v.SigmaC*v.SigmaC + v.GC*v.GC/b)
	}
	return bound
}

// coverageC1 is the C_1 of tail claims for a run of T steps; see [bounds.TailC1].
func coverageC1(n, d, T int, nu float64) float64 {
	return bounds.TailC1(n, bounds.Sizes{N: n, D: d, T: T, Nu: nu})
}

// variance returns the lemma's bound for the instance.
func (in *instance) variance(c1 float64) Variance {
	return Variance{C1: c1, Zeta: in.Zeta.Value, N: in.n, B: in.b, SigmaC: in.SigmaC.Value, GC: in.GC.Value}
}

// checkVariance compares the squared error with the lemma's bound at all steps of a run.
func (p *path) checkVariance(v Variance, rec *props.Recorder) {
	t1 := v.Window()
	rec.Plot("squared error of the estimator against the bound", "t", "‖v^t − ∇f(x^t)‖²")
	worst, ratio := 0, -1.0
	for t := 1; t <= p.T; t++ {
		e, bound := p.squared(p.err[t]), v.Bound(t, p.window(bounds.WindowStart(t, t1), t), p.option)
		rec.AtMost("‖v^t − ∇f(x^t)‖² at every t", e, bound)
		rec.Point(float64(t), e, bound)
		if bound > 0 && e/bound > ratio {
			worst, ratio = t, e/bound
		}
	}
	if worst > 0 {
		p.waterfall(v, worst, rec)
	}
}

// waterfall records the chain of upper bounds of the proof at step t: what each step of the proof loses on this path.
func (p *path) waterfall(v Variance, t int, rec *props.Recorder) {
	from := bounds.WindowStart(t, v.Window())
	n, b, c1 := float64(p.n), float64(p.b), v.C1
	count, expected := p.unsampled(t), func(s int) float64 { return concentration.UnsampledMean(p.n, p.b, t-s+1) }
	vec := make([]float64, p.d)
	p.termA(vec, from, t)
	a := normSq(vec)
	p.termB(vec, from, t, func(s int) float64 { return float64(count[s]) })
	bb := normSq(vec)
	p.termC(vec, t)
	c := normSq(vec)
	p.termB(vec, from, t, expected)
	mean := normSq(vec)
	apart, deviation := 0.0, 0.0
	for s := from; s <= t; s++ {
		apart += normSq(p.remaining(s, t))
		deviation += sq(float64(count[s])-expected(s)) * normSq(p.mean[s])
	}
	T1, z := float64(v.Window()), v.Zeta*v.Zeta*p.window(from, t)
	initial := v.Bound(t, 0, p.option)
	rec.Link("‖v^t − ∇f(x^t)‖²", p.squared(p.err[t]))
	rec.Link("3(a) + 3(b) + 3(c)", 3*(a+bb+c))
	rec.Link("(a) by Cauchy-Schwarz over T_1 steps", 3*(T1/(n*n)*apart+bb+c))
	rec.Link("(b) split at E|Ĩ|, Cauchy-Schwarz in its second part", 3*(T1/(n*n)*apart+2*mean+2*T1/(n*n)*deviation+c))
	rec.Link("Bernstein in (a) and (c): C_1³, C_1²", 3*(c1*c1*c1*z/b+2*mean+2*T1/(n*n)*deviation)+initial)
	rec.Link("Azuma in (b): C_1²", 3*(c1*c1*c1*z/b+2*c1*c1*z/b+2*T1/(n*n)*deviation)+initial)
	rec.Link("deviations of |Ĩ| in (b): C_1⁸/b²", 3*(c1*c1*c1*z/b+2*c1*c1*z/b+2*math.Pow(c1, 8)*z/(b*b))+initial)
	rec.Link("15C_1⁸", v.Bound(t, p.window(from, t), p.option))
}

// remaining returns Σ_{i∈Ĩ_s^t} dev_i^s.
func (p *path) remaining(s, t int) []float64 {
	sum := make([]float64, p.d)
	for i, last := range p.last[t] {
		if last < s {
			for k := range sum {
				sum[k] += p.dev[s][i*p.d+k]
			}
		}
	}
	return sum
}

// tailOfVariance draws instances and probabilities and checks the lemma on every run.
func tailOfVariance(option algos.Option) props.Check {
	return props.Tail(func(src *props.Source) props.TailTrial {
		in := drawRun(src, ranges{option: option})
		nu := bounds.DrawNu(src, "nu", 3)
		v := in.variance(coverageC1(in.n, in.d, in.T, nu))
		return props.TailTrial{Delta: 3 * nu, Regime: in.regime(3 * nu), Run: func(t props.Trial, rec *props.Recorder) {
			in.trial(t).checkVariance(v, rec)
		}}
	})
}

// tailOfFirstPower checks the bounds with the first power of C_1 and without numerical factors.
func tailOfFirstPower(option algos.Option) props.Check {
	return props.Tail(func(src *props.Source) props.TailTrial {
		in := drawRun(src, ranges{option: option, pattern: heterogeneous})
		nu := bounds.DrawNu(src, "nu", 3)
		c1 := coverageC1(in.n, in.d, in.T, nu)
		t1, b := bounds.T1(in.n, in.b, c1), float64(in.b)
		return props.TailTrial{Delta: 3 * nu, Regime: in.regime(3 * nu), Run: func(t props.Trial, rec *props.Recorder) {
			p := in.trial(t)
			rec.Plot("squared error of the estimator against the first power of C_1", "t", "‖v^t − ∇f(x^t)‖²")
			for t := 1; t <= p.T; t++ {
				e, bound := p.squared(p.err[t]), c1*sq(in.Zeta.Value)/b*p.window(bounds.WindowStart(t, t1), t)
				if option == algos.OptionI && t < t1 {
					bound += c1 / b * (sq(in.SigmaC.Value) + sq(in.GC.Value)/b)
				}
				rec.AtMost("‖v^t − ∇f(x^t)‖² at every t", e, bound)
				rec.Point(float64(t), e, bound)
			}
		}}
	})
}

func varianceClaims() []props.Binding {
	return []props.Binding{
		props.Bind("variance-lemma-option-two", tailOfVariance(algos.OptionII)),
		props.Bind("variance-lemma-option-two/sharper", props.Inequality(func(src *props.Source, rec *props.Recorder) {
			in := drawInstance(src, ranges{n: problems.Sizes(2, 16), T: problems.Sizes(1, 30), pattern: heterogeneous})
			p := in.drawPath(src)
			for t := 1; t <= p.T; t++ {
				length, square, window, from := 0.0, 0.0, 0.0, t+1
				for s, count := range p.unsampled(t) {
					if s > 0 && count > 0 {
						share := float64(count) / float64(p.n)
						length += share * math.Sqrt(p.moved[s])
						square += share * share
						window += p.moved[s]
						from = min(from, s)
					}
				}
				e := math.Sqrt(p.squared(p.err[t]))
				rec.AtMost("‖v^t − ∇f(x^t)‖ against ζΣ(|Ĩ_s^t|/n)‖x^s − x^{s−1}‖", e, p.Zeta.Value*length).Scale(1e-4 * p.size)
				rec.AtMost("‖v^t − ∇f(x^t)‖² against ζ²·(steps since the last uncovered one)·Σ‖x^s − x^{s−1}‖²", e*e,
					sq(p.Zeta.Value)*float64(t-from+1)*window).Scale(p.slack(e * e))
			}
		}).Effort(0.5)),
		props.Bind("variance-lemma-option-two/literal-constant", props.Implication(func(src *props.Source, rec *props.Recorder) {
			n := src.LogReal("n", 2, 1e11)
			c1 := max(1, math.Log(n*src.LogReal("T", 1, 1e9)/src.LogReal("nu", 1e-9, 1)))
			rec.AtLeast("15C_1⁸ against C_1n", varianceFactor*math.Pow(c1, variancePower), c1*n)
		})),
		props.Bind("variance-lemma-option-two/unit-factor", props.Inequality(stall)),
		props.Bind("variance-lemma-option-one", tailOfVariance(algos.OptionI)),
		props.Bind("variance-lemma-option-two/first-power", tailOfFirstPower(algos.OptionII)),
		props.Bind("variance-lemma-option-two/enumerated", props.Inequality(quantileOfRatio).Effort(0.3)),
		props.Bind("variance-lemma-option-one/first-power", tailOfFirstPower(algos.OptionI)),
		props.Bind("variance-lemma-failure-probability", props.Exact("disjoint events of probability ν = 1/20; T_1 = 1 … 20, T = 1 … 40", func(rec *props.Recorder) {
			nu := big.NewRat(1, 20)
			rec.Rats("probability of success, Option I, against 1 − 3ν", oneMinus(4, nu), props.GE, oneMinus(3, nu))
			rec.Rats("probability of success, Option II, against 1 − 2ν", oneMinus(3, nu), props.GE, oneMinus(2, nu))
			stepsWithInitialTerm(rec, "steps that carry the initial term under 1[t ≤ T_1] against T_1", func(t, t1 int) bool { return t <= t1 })
		})),
		props.Bind("variance-lemma-failure-probability/corrected", props.Exact("all patterns of up to four failing events; T_1 = 1 … 20, T = 1 … 40", func(rec *props.Recorder) {
			for pattern := range 16 {
				some, count := int64(0), int64(0)
				for k := range 4 {
					if pattern>>k&1 == 1 {
						some = 1
						count++
					}
				}
				rec.Rats("indicator of a union against the sum of indicators", big.NewRat(some, 1), props.LE, big.NewRat(count, 1))
			}
			stepsWithInitialTerm(rec, "steps that carry the initial term under 1[t < T_1] against T_1", func(t, t1 int) bool { return t < t1 })
		})),
		props.Bind("variance-constant-arithmetic", props.Exact("all real C_1 ≥ 1 and b ≥ 1, by coefficients in u = C_1 − 1 and w = b − 1", func(rec *props.Recorder) {
			zero := new(big.Rat)
			coefficient := func(factor, power, of int) *big.Rat {
				c := new(big.Int).Binomial(int64(power), int64(of))
				return new(big.Rat).SetInt(c.Mul(c, big.NewInt(int64(factor))))
			}
			for k := 0; k <= 8; k++ {
				minus := func(factor, power, factor2, power2 int) *big.Rat {
					return new(big.Rat).Sub(coefficient(factor, power, k), coefficient(factor2, power2, k))
				}
				rec.Rats("coefficients of b²(4C_1⁸/b − 2C_1²/b − 2C_1⁸/b²)", minus(2, 8, 2, 2), props.GE, zero)
				rec.Rats("coefficients of b²(4C_1⁸/b − 2C_1²/b − 2C_1⁸/b²)", minus(4, 8, 2, 2), props.GE, zero)
				rec.Rats("coefficients of 15C_1⁸ − 3C_1³ − 12C_1⁸", minus(3, 8, 3, 3), props.GE, zero)
			}
		})),
	}
}

// quantileOfRatio compares the quantile of the largest ratio of a run with the first power of C_1.
func quantileOfRatio(src *props.Source, rec *props.Recorder) {
	in := enumerable(src, algos.OptionII, 2)
	nu := src.LogReal("nu", 0.01, 0.3)
	c1 := coverageC1(in.n, in.d, in.T, nu)
	t1 := bounds.T1(in.n, in.b, c1)
	var ratios []float64
	in.outcomes(func(p *path) {
		worst := 0.0
		for t := 1; t <= p.T; t++ {
			if e := p.squared(p.err[t]); e > 0 {
				worst = max(worst, e*float64(in.b)/(sq(in.Zeta.Value)*p.window(bounds.WindowStart(t, t1), t)))
			}
		}
		ratios = append(ratios, worst)
	})
	slices.Sort(ratios)
	allowed := int(3 * nu * float64(len(ratios))) // so many runs may lie above the quantile
	rec.AtMost("quantile of the largest ratio of a run", ratios[max(0, len(ratios)-1-allowed)], c1)
}

// stall draws sizes and probabilities and compares a lower bound on the probability of a stretch of steps that violates the lemma with the 3ν that it allows.
//
// The quadratics are f_i = x²/2 for i > 1 and f_1 = (1 − n)x²/2 + nx, so f(x) = x, and η = 1. In a stretch of steps without f_1 in which all
// others have been drawn, their rows are exact and stay so, every row changes by −v in the next step, and v = 0 from then on, while ∇f = 1:
// whatever happened before, the bound fails T_1 steps later, when the last movement has left the window. One run checks that.
func stall(src *props.Source, rec *props.Recorder) {
	n := src.Int("n", 2, 16)
	b := src.Int("b", 1, n-1)
	nu := src.LogReal("nu", 1e-7, 0.1)
	T := src.LogInt("T", 10, 100000)
	terms := make([]problems.QuadraticTerm, n)
	for i := range terms {
		terms[i].A = []float64{1}
	}
	terms[0] = problems.QuadraticTerm{A: []float64{1 - float64(n)}, B: []float64{float64(n)}}
	p := props.Must(problems.NewQuadratic(1, terms))
	in := &instance{problem: p, x0: []float64{0}, n: n, d: 1, b: b, eta: 1}
	in.Constants = p.Constants(in.x0)
	v := in.variance(bounds.C1(1, bounds.Sizes{N: n, D: 1, T: T, Nu: nu}))

	r := src.Rand("batches")
	var script [][]int
	for range n { // any history
		script = append(script, r.Perm(n)[:b])
	}
	left := map[int]bool{}
	for i := 1; i < n; i++ {
		left[i] = true
	}
	for after := 0; after < v.Window()+2; {
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
	bound := v.Bound(in.T, run.window(bounds.WindowStart(in.T, v.Window()), in.T), algos.OptionII)
	rec.AtLeast("squared error at the end of the stretch, against the bound there", normSq(run.err[in.T]), bound)

	// Given a stretch without f_1, its first h steps miss one of the n − 1 others with probability at most (n−1)(1 − b/(n−1))^h. The best h is
	// about log(2(n−1))(n−1)/b.
	q, others := 1-float64(b)/float64(n), float64(n-1)
	covered := func(h int) float64 { return 1 - others*math.Pow(1-float64(b)/others, float64(h)) }
	best := 1
	for h := 2; float64(h) < 2+2*others/float64(b)*math.Log(2*others+1); h++ {
		if covered(h)*math.Pow(q, float64(h-best)) > covered(best) {
			best = h
		}
	}
	rec.AtMost("probability that a run violates the bound (lower bound), against 3ν", covered(best)*longRun(T, best+v.Window()+2, q), 3*nu)
}

// longRun is the probability that T independent trials, each failing with probability q, contain a run of at least m failures: the complement f of no such run
// has f(t) = f(t−1) − (1−q)q^m f(t−m−1).
func longRun(T, m int, q float64) float64 {
	if T < m {
		return 0
	}
	run := math.Pow(q, float64(m))
	with := make([]float64, T+1) // 1 − f
	with[m] = run
	for t := m + 1; t <= T; t++ {
		with[t] = with[t-1] + (1-q)*run*(1-with[t-m-1])
	}
	return with[T]
}

func oneMinus(k int64, nu *big.Rat) *big.Rat {
	return new(big.Rat).Sub(rat(1), new(big.Rat).Mul(big.NewRat(k, 1), nu))
}

// stepsWithInitialTerm compares the number of the steps 0 … T−1 that the indicator lets through with T_1.
func stepsWithInitialTerm(rec *props.Recorder, name string, indicator func(t, t1 int) bool) {
	for t1 := 1; t1 <= 20; t1++ {
		for T := 1; T <= 40; T++ {
			count := int64(0)
			for t := range T {
				if indicator(t, t1) {
					count++
				}
			}
			rec.Rats(name, big.NewRat(count, 1), props.LE, big.NewRat(int64(t1), 1))
		}
	}
}
