package claims

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/combin"

	"sledge/algos"
	"sledge/algos/internal/testproblem"
	"sledge/props"
	"sledge/props/keyed"
)

// diagonal is a finite sum of quadratics with diagonal Hessians and minimum at the origin:
// ∇f_i(x)_l = a_il x_l. It is not to be shared by runs at the same time.
func diagonal(n, d int, a []float64) algos.Problem {
	p := &testproblem.Problem{P: n, Data: 1, D: d, Grad: func(dst, x []float64, i, _ int) {
		floats.MulTo(dst, a[i*d:(i+1)*d], x)
	}}
	return algos.Sum(p.FiniteSum())
}

// meanErrors is the mean squared error after each of T steps (Option II) along paths where the
// vectors a_i^s = ∇f_i(x^s) − ∇f_i(x^{s−1}) have variance 1 over i at each step: the same vectors
// at each step (straight), or vectors uncorrelated between steps. M is the mean over i of the
// products of a_i with ∇f_i(x^t) − y_i^t (zero for uncorrelated steps), S the mean of ‖∇f_i(x^t) −
// y_i^t‖².
func meanErrors(n, b, T int, straight bool) (out []float64) {
	N, B := float64(n), float64(b)
	var m, s, e float64
	for range T {
		next := e*((N-B)*(N-B)-B*(N-B)/(N-1))/(N*N) + s*B*(N-B)/(N*N*(N-1)) +
			(N-B)/(N-1)*(2*m/N+1/B)
		s = s*(N-B)/N + (N-B)/(N-1)*(2*m+(B+1)/B)
		if straight {
			m = m*(N-B)/N + (N-B)/(N-1)
		}
		e = next
		out = append(out, e)
	}
	return out
}

// doubling lists lo, 2lo, …, hi.
func doubling(lo, hi int) (x []float64) {
	for ; lo <= hi; lo *= 2 {
		x = append(x, float64(lo))
	}
	return x
}

func estimatorErrorClaims() []props.Binding {
	return []props.Binding{
		props.Bind("estimator-error-informal", props.Slope(estimatorErrorInformal).Effort(2)),
		props.Bind("estimator-error-zeta-exponent",
			props.Identity(estimatorErrorZetaExponent).Effort(0.5)),
		props.Bind("estimator-error-batch-exponent",
			props.Slope(estimatorErrorBatchExponent).Effort(2)),
		props.Bind("estimator-error-batch-exponent/sharper", props.All(
			props.ExactSizes(
				"unit vectors for the ∇f_i(x^s) − ∇f_i(x^{s−1}), all sequences of minibatches with "+
					"n ≤ 4, T ≤ 3 and n = 5, T ≤ 2", enumeratedErrors),
			props.Inequality(func(src *props.Source, rec *props.Recorder) {
				n := src.LogInt("n", 2, 100)
				b := src.Int("b", 1, n)
				errs := meanErrors(n, b, 60*n/b, src.Bool("straight"))
				for t, e := range errs[1:] {
					rec.AtLeast("growth in T", e, errs[t]).Scale(errs[len(errs)-1])
				}
			}).Effort(0.3),
		)),
	}
}

// estimatorErrorBatchExponent compares runs with the formula, at times one cycle n/b apart, after
// the start is forgotten.
func estimatorErrorBatchExponent(src *props.Source) props.SlopeTrial {
	const n, d, times = 64, 32, 24
	straight, x := src.Bool("straight"), doubling(1, 32)
	return props.SlopeTrial{XLabel: "b", YLabel: "mean squared error/formula", X: x,
		TwoSided: true, Of: props.OfMedian, Regime: props.Where(props.Sweep("b", x)),
		Run: func(t props.Trial, x float64) float64 {
			b := int(x)
			p := unitPath(n, b, (4+times)*n/b, d, straight, t.Key.With("problem").Rand())
			steps := 60 * n / b // more of them change nothing
			return p.settledError(ofSLEDGE, algos.Keyed(t.Key), 4, n/b) /
				(meanErrors(n, b, steps, straight)[steps-1] / 4)
		}}
}

// estimatorErrorInformal asks whether the largest ratio of both sides of estimator-error-informal
// along a path, with log(nT/ν) for C_1, grows with n. Every step of the paths has length 1.
func estimatorErrorInformal(src *props.Source) props.SlopeTrial {
	straight, root := src.Bool("straight"), src.Bool("b = √n")
	x := doubling(16, 512)
	return props.SlopeTrial{XLabel: "n", YLabel: "largest ratio / log(nT/ν)", X: x,
		Of: props.OfMedian, Regime: props.Where(props.Sweep("n", x)),
		Run: func(t props.Trial, x float64) float64 {
			n, b := int(x), 4
			if root {
				b = algos.RootBatch(n)
			}
			const nu, paths = 0.1, 12
			T, sum := 6*n/b, 0.0
			logs := math.Log(float64(n*T) / nu)
			window := int(math.Ceil(float64(n) / float64(b) * logs))
			for k := range paths {
				key := t.Key.At(k)
				p := unitPath(n, b, T, 2, straight, key.With("problem").Rand())
				each, worst := 1+n/b/8, 0.0
				for k, errSq := range p.errors(ofSLEDGE, algos.Keyed(key), each) {
					worst = max(worst, errSq*float64(b)/float64(min((k+1)*each, window)))
				}
				sum += worst / logs
			}
			return sum
		}}
}

// estimatorErrorZetaExponent tries estimator-error-zeta-exponent.
func estimatorErrorZetaExponent(src *props.Source, rec *props.Recorder) {
	n, d := src.Int("n", 1, 30), src.Int("d", 1, 4)
	b, T := src.Int("b", 1, n), src.Int("T", 1, 30)
	zeta := src.LogReal("zeta", 1e-3, 1e3)
	straight := src.Bool("straight")
	seed := src.Seed("problem")
	along := func(zeta float64) []float64 {
		r, a := keyed.New(seed).Rand(), make([]float64, n*d)
		for k := range a {
			a[k] = 1 + zeta*(r.Float64()-0.5)
		}
		p := &path{sum: diagonal(n, d, a), n: n, b: b, T: T, x: walk(T, d, straight, r, unitLength)}
		return p.errors(ofSLEDGE, algos.Keyed(keyed.New(seed)), 1)
	}
	unit := along(1)
	for t, errSq := range along(zeta) {
		rec.Equal("‖v^t − ∇f(x^t)‖ against ζ times its value for ζ = 1", math.Sqrt(errSq),
			zeta*math.Sqrt(unit[t])).Scale((1 + zeta) * float64(T))
	}
}

// errorRegime is the regime of claims about the estimator's error: several components, minibatches
// of some of them, and steps enough for rows to grow old.
func errorRegime(n, b, T int) props.Regime {
	return props.Where(props.Min("n", n, 2), props.Less("b", b, "n", n), props.Min("T", T, 20))
}

// enumeratedErrors compares meanErrors with complete enumerations. With unit vectors for the a_i^s
// coefficients of the error are multiples of 1/(nb); the variance of n unit vectors is 1 − 1/n.
func enumeratedErrors(rec *props.Recorder) {
	for n, b := range batchSizes(2, 5) {
		T := min(3, 7-n)
		for _, straight := range []bool{true, false} {
			units := &testproblem.Problem{P: n, Data: 1, D: n * T,
				Grad: func(dst, x []float64, i, _ int) {
					clear(dst)
					for u := range int(math.Round(x[0])) {
						if straight {
							u = 0
						}
						dst[u*n+i]++
					}
				}}
			p := &path{sum: algos.Sum(units.FiniteSum()), n: n, b: b}
			for t := range T + 1 {
				p.x = append(p.x, make([]float64, n*T))
				p.x[t][0] = float64(t)
			}
			for t, want := range meanErrors(n, b, T, straight) {
				p.T = t + 1
				times := math.Pow(float64(combin.Binomial(n, b)), float64(p.T)) * float64(n*n*b*b)
				// whole numbers that were computed in floating point
				both := [2]float64{p.enumerated(ofSLEDGE) * times, want * (1 - 1/float64(n)) * times}
				for k, value := range both {
					if near := math.Round(value); math.Abs(value-near) < 1e-6 {
						both[k] = near
					}
				}
				rec.Floats("mean squared error, (nb)² times its sum", both[0], props.EQ, both[1])
			}
		}
	}
}
