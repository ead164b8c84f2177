package claims

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
	"sledge/props/keyed"
)

// journey is a prescribed path through a finite sum, on which estimators with minibatches of size b (drawn without replacement) are compared.
type journey struct {
	p       algos.FiniteSum
	n, b, m int // m is the period of full gradients
	heads   float64
	lambda  float64
	L, zeta float64
	x0      []float64
	steps   [][]float64 // x^t − x^{t−1} for t = 1 … T; index 0 is empty
}

// T is the number of steps.
func (j *journey) T() int { return len(j.steps) - 1 }

// distSq is ‖x^t − x^s‖².
func (j *journey) distSq(s, t int) float64 {
	d := make([]float64, len(j.x0))
	for _, step := range j.steps[s+1 : t+1] {
		floats.Add(d, step)
	}
	return floats.Dot(d, d)
}

// run follows the path with a method and calls see after each step. The method must have the step size standstill.
func (j *journey) run(m algos.Method, r algos.Randomness, see func(t int, errSq func() float64)) {
	t := 0
	follow(m, j.p, j.T(), j.x0, walk{r, func(dst []float64) {
		t++
		copy(dst, j.steps[t])
	}}, func(t int, _ float64, errSq func() float64) { see(t, errSq) })
}

// errors are the squared errors of a method after 0 … T steps of the path.
func (j *journey) errors(m algos.Method, r algos.Randomness) []float64 {
	out := make([]float64, 1, j.T()+1)
	j.run(m, r, func(_ int, errSq func() float64) { out = append(out, errSq()) })
	return out
}

// sampling is (n−b)/(b(n−1)), the variance of a minibatch mean of vectors of variance 1.
func (j *journey) sampling() float64 {
	if j.n == 1 {
		return 0
	}
	return float64(j.n-j.b) / float64(j.b*(j.n-1))
}

// spread is the variance over the components of ∇f_i(x^t) − ∇f_i(x^{t−1}).
func (j *journey) spread() []float64 {
	d, x := len(j.x0), slices.Clone(j.x0)
	before, now, mean := make([]float64, j.n*d), make([]float64, j.n*d), make([]float64, d)
	out := make([]float64, j.T()+1)
	for t := range out {
		if t > 0 {
			floats.Add(x, j.steps[t])
		}
		for i := range j.n {
			j.p.Gradient(now[i*d:(i+1)*d], x, i)
		}
		if t > 0 {
			diff := slices.Clone(now)
			floats.Sub(diff, before)
			clear(mean)
			for i := range j.n {
				floats.AddScaled(mean, 1/float64(j.n), diff[i*d:(i+1)*d])
			}
			for i := range j.n {
				g := floats.Distance(diff[i*d:(i+1)*d], mean, 2)
				out[t] += g * g / float64(j.n)
			}
		}
		copy(before, now)
	}
	return out
}

// mostSpread is the largest variance that heterogeneity ζ allows, ½ζ²‖x^t − x^{t−1}‖²: half the mean squared distance of two components.
func (j *journey) mostSpread() []float64 {
	out := make([]float64, j.T()+1)
	for t := 1; t < len(out); t++ {
		out[t] = j.zeta * j.zeta / 2 * floats.Dot(j.steps[t], j.steps[t])
	}
	return out
}

// age is the mean over the components of L²‖x^t − x^{T_i}‖², T_i ≤ s the last step up to s in which component i was sampled (0 if there is none).
func (j *journey) age(s, t int) float64 {
	q := 1 - float64(j.b)/float64(j.n)
	sum, left := 0.0, 1.0
	for at := s; at >= 1; at-- {
		sum += left * (1 - q) * j.distSq(at, t)
		left *= q
	}
	return j.L * j.L * (sum + left*j.distSq(0, t))
}

// estimator is one of the compared methods with its mean squared error on a prescribed path.
type estimator struct {
	id     string
	method func(j *journey) algos.Method
	// most bounds the mean squared error after 0 … T steps, given the variances of spread or, for a bound by ζ, mostSpread.
	most func(j *journey, spread []float64) []float64
	// exact says that most with the variances themselves is the mean squared error.
	exact bool
}

var estimators = []estimator{
	{
		id:     "sledge",
		method: func(j *journey) algos.Method { return &algos.SLEDGE{Eta: standstill, Batch: j.b} },
		most: func(j *journey, _ []float64) []float64 {
			bound, out := newMeanBound(j.zeta, j.n, j.b), make([]float64, j.T()+1)
			for t := 1; t < len(out); t++ {
				out[t] = bound.add(floats.Dot(j.steps[t], j.steps[t]))
			}
			return out
		},
	},
	{
		id:     "sarah",
		method: func(j *journey) algos.Method { return &algos.SARAH{Eta: standstill, Batch: j.b, Period: j.m} },
		most: func(j *journey, spread []float64) []float64 {
			out := make([]float64, len(spread))
			for t := 1; t < len(out); t++ {
				if t%j.m != 0 {
					out[t] = out[t-1] + j.sampling()*spread[t]
				}
			}
			return out
		},
		exact: true,
	},
	{
		id: "page",
		method: func(j *journey) algos.Method {
			return &algos.PAGE{Eta: standstill, Batch: j.b, Probability: j.heads}
		},
		most: func(j *journey, spread []float64) []float64 {
			out := make([]float64, len(spread))
			for t := 1; t < len(out); t++ {
				out[t] = (1 - j.heads) * (out[t-1] + j.sampling()*spread[t])
			}
			return out
		},
		exact: true,
	},
	{
		id: "saga",
		method: func(j *journey) algos.Method {
			return &algos.SAGA{Eta: standstill, Batch: j.b}
		},
		most: func(j *journey, _ []float64) []float64 {
			out := make([]float64, j.T()+1)
			for t := 1; t < len(out); t++ {
				out[t] = j.sampling() * j.age(t-1, t)
			}
			return out
		},
	},
	{
		id: "zerosarah",
		method: func(j *journey) algos.Method {
			return &algos.ZeroSARAH{Eta: standstill, Batch: j.b, Lambda: j.lambda}
		},
		most: func(j *journey, spread []float64) []float64 {
			out := make([]float64, len(spread))
			for t := 1; t < len(out); t++ {
				out[t] = (1-j.lambda)*(1-j.lambda)*out[t-1] + 2*j.sampling()*(spread[t]+j.lambda*j.lambda*j.age(t-1, t-1))
			}
			return out
		},
	},
}

// drawJourney draws a path of T steps through a quadratic sum, straight or at random, with step lengths between 0 and 1.
func drawJourney(src *props.Source, n, steps problems.Range) *journey {
	q := problems.DrawQuadratic(src, problems.Limits{N: n, D: problems.Sizes(1, 3), Patterns: apart})
	j := &journey{p: q, n: q.Components(), x0: make([]float64, q.Dim())}
	j.b, j.m = src.Int("b", 1, j.n), src.Int("m", 1, steps.Max+1)
	j.heads, j.lambda = src.Real("p", 0.05, 1), src.Real("λ", 0.05, 1)
	T, straight := src.Int("T", steps.Min, steps.Max), src.Bool("straight")
	c := q.Constants(j.x0)
	j.L, j.zeta = c.L.Value, c.Zeta.Value
	r := src.Rand("steps")
	j.steps = make([][]float64, T+1)
	direction := normal(q.Dim(), r)
	for t := 1; t <= T; t++ {
		if !straight {
			direction = normal(q.Dim(), r)
		}
		j.steps[t] = slices.Clone(direction)
		floats.Scale(r.Float64()/floats.Norm(direction, 2), j.steps[t])
	}
	return j
}

// enumerated is the mean squared error after T steps over all sequences of minibatches, and of coins for PAGE.
func (j *journey) enumerated(e estimator) float64 {
	sum, weight := 0.0, 0.0
	coinSides := 1
	if e.id == "page" {
		coinSides = 1 << j.T()
	}
	batchSequences(j.n, j.b, 1, j.T(), func(batches [][]int) {
		for side := range coinSides {
			w, used := 1.0, append([][]int(nil), batches[1:]...)
			if e.id == "page" {
				used = used[:0]
				for t := 1; t <= j.T(); t++ {
					if side>>(t-1)&1 == 1 {
						w *= j.heads
					} else {
						w *= 1 - j.heads
						used = append(used, batches[t])
					}
				}
			}
			if e.id == "sarah" {
				used = used[:0]
				for t := 1; t <= j.T(); t++ {
					if t%j.m != 0 {
						used = append(used, batches[t])
					}
				}
			}
			r := &coins{Randomness: algos.Script{algos.Batches: used}, heads: func(flip int) bool { return side>>(flip-1)&1 == 1 }}
			sum += w * j.errors(e.method(j), r)[j.T()]
			weight += w
		}
	})
	return sum / weight
}

// size is the scale of squared errors on the path.
func (j *journey) size() float64 {
	length := 0.0
	for _, s := range j.steps[1:] {
		length += floats.Norm(s, 2)
	}
	return j.L * j.L * length * length
}

func estimatorClaims() []props.Binding {
	var out []props.Binding
	for _, e := range estimators {
		out = append(out, props.Bind("measured/estimator-"+e.id, props.All(
			props.Inequality(func(src *props.Source, rec *props.Recorder) {
				j := drawJourney(src, problems.Sizes(2, 4), problems.Sizes(1, 3))
				mean, T := j.enumerated(e), j.T()
				if e.exact {
					rec.Equal("mean squared error against its formula", mean, e.most(j, j.spread())[T]).Scale(j.size())
				}
				rec.AtMost("mean squared error", mean, e.most(j, j.mostSpread())[T]).Scale(j.size())
			}).Effort(0.2),
			props.Mean(func(src *props.Source) props.MeanTrial {
				j := drawJourney(src, problems.Sizes(2, 24), problems.Sizes(2, 40))
				if e.id == "sarah" && j.T()%j.m == 0 {
					j.m++ // not at a full gradient, where there is no error
				}
				bound := e.most(j, j.mostSpread())[j.T()]
				return props.MeanTrial{What: "‖v^T − ∇f(x^T)‖² over its bound", Claimed: 1, Relation: props.LE,
					Regime: erring(j.n, j.b, j.T()), Run: func(t props.Trial) float64 {
						if bound < 1e-12*j.size() {
							return 0 // b = n, or p = 1
						}
						return j.errors(e.method(j), algos.Keyed(t.Key))[j.T()] / bound
					}}
			}).Effort(0.3),
			props.Tail(func(src *props.Source) props.TailTrial {
				const nu = 0.05
				n, straight := 8*src.Int("n/8", 2, 4), src.Bool("straight")
				j := standardJourney(n, 4, n, 4, straight, src.Rand("problem").Uint64())
				bound := e.most(j, j.mostSpread())
				regime := props.Where(props.Min("n", n, 16), props.Less("b", j.b, "n", n), props.Allowed(nu))
				return props.TailTrial{Delta: nu, Regime: regime, Run: func(t props.Trial, rec *props.Recorder) {
					rec.Plot("squared error of the estimator on a prescribed path, and the bound on its mean", "t", "‖v^t − ∇f(x^t)‖²")
					for t, errSq := range j.errors(e.method(j), algos.Keyed(t.Key))[1:] {
						rec.Point(float64(t+1), errSq, bound[t+1])
						rec.AtMost("squared error of a run at every t, against T/ν times the bound", errSq,
							float64(j.T())/nu*bound[t+1]).Scale(j.size() * 1e-15)
					}
				}}
			}).Effort(0.3),
		)))
	}
	return append(out, estimatorOrderClaim())
}

// standardJourney is a path of T unit steps through a sum of quadratics in dimension d with curvatures 1 ± ½: ζ = 1, L = 1.5, with full gradients as often as
// the theory of SARAH and PAGE asks and the λ of ZeroSARAH.
func standardJourney(n, b, T, d int, straight bool, seed uint64) *journey {
	r := keyed.New(seed).Rand()
	j := &journey{p: newDiagonal(n, d, 1, true, r), n: n, b: b, m: n / b, heads: float64(b) / float64(n+b), lambda: float64(b) / float64(2*n), L: 1.5, zeta: 1,
		x0: make([]float64, d), steps: make([][]float64, T+1)}
	step := constantSteps(d, straight, r)
	for t := 1; t <= T; t++ {
		j.steps[t] = make([]float64, d)
		step(j.steps[t])
	}
	return j
}

// ages describes, in the long run, the numbers A_i of steps since component i was last sampled (at least 1) with minibatches of size b: E A_i, E A_i² and
// E A_iA_j on straight paths; E A_i twice and E min{A_i, A_j} where steps are uncorrelated.
func ages(n, b int, straight bool) (mean, square, product float64) {
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

// weightedSpread is the mean variance over i of W_i(h + δ_i), ‖h‖² = H, for deviations δ_i of mean 0 and variance α² and exchangeable weights, independent of
// them, with E W_i² = square and E W_iW_j = product.
func weightedSpread(n int, square, product, H, alphaSq float64) float64 {
	N := float64(n)
	return (1-1/N)*square*(H+alphaSq) + product/N*(H+alphaSq) - product*H
}

// settledSAGA is the mean squared error in the long run of SAGA with one index set where ∇f_i(x^s) − ∇f_i(x^{s−1}) = h^s + δ_i^s has mean square H and
// variance α² over i: always the same vectors (straight), or uncorrelated ones.
func settledSAGA(n, b int, straight bool, H, alphaSq float64) float64 {
	_, square, product := ages(n, b, straight)
	j := journey{n: n, b: b}
	return j.sampling() * weightedSpread(n, square, product, H, alphaSq)
}

// settledZeroSARAH is that of ZeroSARAH on a straight path: the weights are 1 + λ(A_i − 1).
func settledZeroSARAH(n, b int, lambda, H, alphaSq float64) float64 {
	mean, square, product := ages(n, b, true)
	weight := func(second float64) float64 { return 1 + 2*lambda*(mean-1) + lambda*lambda*(second-2*mean+1) }
	j := journey{n: n, b: b}
	return j.sampling() * weightedSpread(n, weight(square), weight(product), H, alphaSq) / (1 - (1-lambda)*(1-lambda))
}

// estimatorOrderClaim compares the estimators with each other in the long run, on paths where ∇f_i(x^s) − ∇f_i(x^{s−1}) has mean square 1 and variance ¼.
func estimatorOrderClaim() props.Binding {
	const H, alphaSq = 1, 0.25
	return props.Bind("measured/estimator-order", props.All(
		props.Inequality(func(src *props.Source, rec *props.Recorder) {
			n := src.LogInt("n", 4, 1e8)
			b := src.LogInt("b", 1, n/4)
			j := &journey{n: n, b: b}
			cycle, heads := float64(n)/float64(b), float64(b)/float64(n+b)
			straight, random := alphaSq*settledError(n, b, true), alphaSq*settledError(n, b, false)
			for _, e := range []struct {
				name                string
				ratio, least, limit float64
			}{
				{"SARAH", j.sampling() * alphaSq * (math.Ceil(cycle) - 1) / 2 / straight, 3.0 / 22, 14.0 / 61},
				{"PAGE", j.sampling() * alphaSq * (1 - heads) / heads / straight, 4.0 / 11, 28.0 / 61},
				{"ZeroSARAH", settledZeroSARAH(n, b, float64(b)/float64(2*n), H, alphaSq) / straight, 343.0 / 330, 7.0 / 5},
				{"SAGA on straight paths, over n/b", settledSAGA(n, 2*b, true, H, alphaSq) / straight / cycle, 21.0 / 220, 3.0 / 10},
				{"SAGA on paths of uncorrelated steps", settledSAGA(n, 2*b, false, H, alphaSq) / random, 7.0 / 15, 3.0 / 2},
			} {
				rec.AtMost("multiple of SLEDGE's error: "+e.name, e.ratio, e.limit)
				rec.AtLeast("multiple of SLEDGE's error, from below: "+e.name, e.ratio, e.least)
			}
		}).Effort(0.5),
		props.Inequality(func(src *props.Source, rec *props.Recorder) {
			b := src.LogInt("b", 1, 1e3)
			n := b * src.LogInt("n/b", 1e5, 1e6)
			j := &journey{n: n, b: b}
			cycle, heads := float64(n)/float64(b), float64(b)/float64(n+b)
			straight, random := alphaSq*settledError(n, b, true), alphaSq*settledError(n, b, false)
			for _, e := range []struct {
				name        string
				ratio, want float64
			}{
				{"SARAH", j.sampling() * alphaSq * (cycle - 1) / 2 / straight, 1.0 / 5},
				{"PAGE", j.sampling() * alphaSq * (1 - heads) / heads / straight, 2.0 / 5},
				{"ZeroSARAH", settledZeroSARAH(n, b, float64(b)/float64(2*n), H, alphaSq) / straight, 7.0 / 5},
				{"SAGA on straight paths, over n/b", settledSAGA(n, 2*b, true, H, alphaSq) / straight / cycle, 3.0 / 10},
				{"SAGA on paths of uncorrelated steps", settledSAGA(n, 2*b, false, H, alphaSq) / random, 3.0 / 2},
			} {
				rec.AtMost("distance from the limit, relatively: "+e.name, math.Abs(e.ratio/e.want-1), 1e-3)
			}
		}).Effort(0.2),
		props.Mean(func(src *props.Source) props.MeanTrial {
			const d, cycles, times = 4, 10, 8
			n := 8 * src.Int("n/8", 1, 6)
			b, straight := src.Int("b", 1, n/4), src.Bool("straight")
			zero := straight && src.Bool("ZeroSARAH")
			cycle, lambda := n/b, src.Real("λ", 0.2, 1)
			m := func() algos.Method { return &algos.SAGA{Eta: standstill, Batch: b} }
			want := settledSAGA(n, b, straight, H, alphaSq)
			if zero {
				m = func() algos.Method { return &algos.ZeroSARAH{Eta: standstill, Batch: b, Lambda: lambda} }
				want = settledZeroSARAH(n, b, lambda, H, alphaSq)
			}
			return props.MeanTrial{What: "‖v^t − ∇f(x^t)‖² in the long run over its value", Claimed: 1, Relation: props.Near, Tolerance: 0.1,
				Regime: erring(n, b, cycles*cycle+times),
				Run: func(t props.Trial) float64 {
					j := balancedJourney(n, b, cycles*cycle+times, d, straight, t.Key.With("path"))
					sum := 0.0
					j.run(m(), algos.Keyed(t.Key), func(t int, errSq func() float64) {
						if t > cycles*cycle {
							sum += errSq() / times
						}
					})
					return sum / want
				}}
		}).Effort(0.3),
	))
}

// balancedJourney is standardJourney with as many curvatures ½ as 3/2 in every coordinate, so that the variances over components are exactly ¼ on all paths.
func balancedJourney(n, b, T, d int, straight bool, key keyed.Key) *journey {
	j := standardJourney(n, b, T, d, straight, key.Rand().Uint64())
	p, r := j.p.(*diagonal), key.With("signs").Rand()
	for l := range d {
		for i, k := range r.Perm(n) {
			p.a[i*d+l] = 0.5 + float64(k%2)
		}
	}
	return j
}
