package bounds

import (
	"math"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/concentration"
	"sledge/props"
)

// Sharp forms of lemma:First-VarianceBound and its parts: what two tools give that fit them, martingales whose radii
// depend on the past and samples without replacement (azuma-high-probability/adaptive and
// noreplace-bernstein-high-probability/sharper). Both are free of the dimension, and carry the square root of a
// logarithm.

// AdaptiveError follows the bound on the error of SLEDGE, Option II, that holds at all of at most T steps with
// probability at least 1 − ν: λ√(Σ_{s≤t} (1 − b/n)^{2(t−s)} (S/b²) D_s²), with D_s the largest distance between two of
// the vectors u_i^s that the minibatch of step s is drawn from, λ = 1 + √(log(bT/ν)/2) and S ≤ b the sum of the squared
// radii of b draws without replacement.
//
// With c_i^s the centred changes of the components and z_i = y_i − ∇f_i before the step, u_i = c_i − (b/n)z_i up to a
// common vector, because v^s − ∇f(x^s) = (1 − b/n)(v^{s−1} − ∇f(x^{s−1})) + (1/b)Σ_{i∈I^s}(u_i − mean). So D_s is at
// most ζ(‖x^s − x^{s−1}‖ + (b/n)Σ_r ‖x^r − x^{r−1}‖), r over the steps since the oldest row was refreshed.
type AdaptiveError struct {
	lambda, keep, share, squares, sum float64
}

// NewAdaptiveError returns the bound before the first step, for n components, minibatches of b, T steps.
func NewAdaptiveError(n, b, T int, nu float64) *AdaptiveError {
	share := float64(b) / float64(n)
	return &AdaptiveError{lambda: concentration.AdaptiveRadius(b*T, nu), keep: 1 - share, share: share,
		squares: concentration.SampleSquares(n, b) / sq(float64(b))}
}

// Step returns the bound after a step in which no two components change by vectors farther apart than change, the sum
// of these distances over the steps before it since the oldest row was refreshed being before.
func (a *AdaptiveError) Step(change, before float64) float64 {
	a.sum = sq(a.keep)*a.sum + a.squares*sq(change+a.share*before)
	return a.lambda * math.Sqrt(a.sum)
}

// since returns ζΣ_r ‖x^r − x^{r−1}‖ over the steps r ≤ s after the oldest row of step s was refreshed.
func (p *path) since(s int) float64 {
	oldest, sum := s, 0.0
	for _, l := range p.last[s] {
		oldest = min(oldest, l)
	}
	for r := oldest + 1; r <= s; r++ {
		sum += math.Sqrt(p.moved[r])
	}
	return p.Zeta.Value * sum
}

// adaptiveErrors returns the bound at the steps 0 … T.
func (p *path) adaptiveErrors(nu float64) []float64 {
	bound, a := make([]float64, p.T+1), NewAdaptiveError(p.n, p.b, p.T, nu)
	for t := 1; t <= p.T; t++ {
		bound[t] = a.Step(p.Zeta.Value*math.Sqrt(p.moved[t]), p.since(t-1))
	}
	return bound
}

// remainingBound bounds the norm of (a) at step t: (ζ/n)Σ_{s≤t} ‖x^s − x^{s−1}‖ times the bound on samples of |Ĩ_s^t|
// of n components, each of the at most T² of them with probability 1 − ν/T².
func (p *path) remainingBound(t int, nu float64) float64 {
	sum, logInverse := 0.0, math.Log(sq(float64(p.T))/nu)
	for s, count := range p.unsampled(t) {
		if s > 0 && count > 0 {
			sum += math.Sqrt(p.moved[s]) *
				concentration.SampleNorm(p.n, count, concentration.Spread(p.n), 1, logInverse)
		}
	}
	return p.Zeta.Value / float64(p.n) * sum
}

// norm returns ‖v‖ of a vector of gradient size on the path, or 0 where that is nothing but rounding.
func (p *path) norm(v []float64) float64 { return math.Sqrt(p.squared(v)) }

// longSteps are runs that come close to bounds on sums over steps: two clusters of components, steps of about the same
// length, and minibatches of all orders of magnitude.
var longSteps = ranges{n: problems.Sizes(2, 60), d: problems.Sizes(2, 8), T: problems.Sizes(20, 40), etaL: 0.1,
	few: true, pattern: []problems.Pattern{problems.TwoCluster}}

// sharpTail is a tail claim about such runs that may fail with probability share·ν.
func sharpTail(l ranges, share float64, compare func(p *path, nu float64, rec *props.Recorder)) props.Check {
	return props.Tail(func(src *props.Source) props.TailTrial {
		in := drawRun(src, l)
		nu := drawNu(src, "nu", share)
		return props.TailTrial{Delta: share * nu, Regime: in.regime(share * nu),
			Run: func(t props.Trial, rec *props.Recorder) { compare(in.trial(t), nu, rec) }}
	}).Effort(0.1)
}

// sampleTail looks at two clusters of components whose changes are ζ‖x^s − x^{s−1}‖ = 1 apart: it compares the smallest
// norm that the sum of the deviations of l of n components exceeds with no more than the probability ν/T^power, which
// sampling cannot reach, with the bound for samples without replacement.
func sampleTail(power float64) props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		n := src.LogInt("n", 2, 1000)
		l, marked := src.LogInt("l", 1, n), src.Int("size of the first cluster", 1, n-1)
		logInverse := power*math.Log(float64(src.LogInt("T", 1, 1e6))) - math.Log(src.LogReal("nu", 1e-9, 0.5))
		squares := concentration.Hypergeometric(n, marked, l).Squares(int64(n), int64(l)*int64(marked)) // n² times the square
		rec.AtMost("smallest norm of probability 1 − ν/T^"+props.Number(power, 1),
			math.Sqrt(float64(squares.Quantile(-logInverse)))/float64(n),
			concentration.SampleNorm(n, l, concentration.Spread(n), 1, logInverse))
	})
}

// deviationTail compares, for two clusters and a single pair s, t, the smallest value that the product of ||Ĩ_s^t| −
// E|Ĩ_s^t|| and the norm of the sum over the minibatch exceeds with no more than the probability ν/T², with the product
// of the bounds on the two, at half that probability each. The two are independent: whatever the minibatch is, the
// number of its components in a uniformly random set has the same law.
func deviationTail(src *props.Source, rec *props.Recorder) {
	n := src.LogInt("n", 2, 60)
	b, marked := src.LogInt("b", 1, n-1), src.Int("size of the first cluster", 1, n-1)
	steps := src.LogInt("t−s", 1, 30)
	logInverse := 2*math.Log(float64(src.LogInt("T", 1, 1e4))) - math.Log(src.LogReal("nu", 1e-8, 0.5))
	counts, sums := concentration.UnsampledLaw(n, b, steps+1), concentration.Hypergeometric(n, marked, b)
	mean := concentration.UnsampledMean(n, b, steps+1)
	quantile := concentration.ProductQuantile(counts, mean, sums, float64(b)*float64(marked)/float64(n), -logInverse)
	rec.AtMost("smallest product of probability 1 − ν/T²", quantile,
		concentration.HoeffdingRadius(n, logInverse+math.Ln2)*
			concentration.SampleNorm(n, b, concentration.Spread(n), 1, logInverse+math.Ln2))
}

func adaptiveClaims() []props.Binding {
	return []props.Binding{
		props.Bind("variance-lemma-option-two/adaptive", sharpTail(longSteps, 1,
			func(p *path, nu float64, rec *props.Recorder) {
				rec.Plot("error of the estimator against the sharp bound", "t", "‖v^t − ∇f(x^t)‖")
				for t, bound := range p.adaptiveErrors(nu)[1:] {
					e := p.norm(p.err[t+1])
					rec.AtMost("‖v^t − ∇f(x^t)‖ at every t", e, bound)
					rec.Point(float64(t+1), e, bound)
				}
			})),
		props.Bind("variance-lemma-option-two/second-power", sharpTail(longSteps, 2,
			func(p *path, nu float64, rec *props.Recorder) {
				c1 := coverageC1(p.n, p.T, nu)
				factor := math.Sqrt(2*(1+c1)*concentration.SampleSquares(p.n, p.b)) / float64(p.b) * p.Zeta.Value *
					concentration.AdaptiveRadius(p.b*p.T*p.T, nu)
				for t := 1; t <= p.T; t++ {
					rec.AtMost("‖v^t − ∇f(x^t)‖ at every t", p.norm(p.err[t]),
						factor*math.Sqrt(p.window(windowStart(t, T1(p.n, p.b, c1)), t)))
				}
			})),
		props.Bind("aux-a-sledge/sharper", sharpTail(longSteps, 1, func(p *path, nu float64, rec *props.Recorder) {
			v := make([]float64, p.d)
			for t := 1; t <= p.T; t++ {
				p.termA(v, 1, t)
				rec.AtMost("‖(a)‖ at every t", p.norm(v), p.remainingBound(t, nu))
			}
		})),
		props.Bind("aux-a-bernstein-step/sharper", sampleTail(2)),
		props.Bind("aux-b-minibatch-bound/sharper", sampleTail(1)),
		props.Bind("aux-b-azuma-step/sharper", sharpTail(longSteps, 1, func(p *path, nu float64, rec *props.Recorder) {
			v, a := make([]float64, p.d), NewAdaptiveError(p.n, p.b, p.T, nu)
			for t := 1; t <= p.T; t++ {
				p.termB(v, 1, t, func(s int) float64 { return concentration.UnsampledMean(p.n, p.b, t-s+1) })
				rec.AtMost("‖mean part of (b)‖ at every t", p.norm(v), a.keep*a.Step(p.Zeta.Value*math.Sqrt(p.moved[t]), 0))
			}
		})),
		props.Bind("aux-b-deviation-term/sharper", props.Inequality(deviationTail).Effort(0.3)),
		props.Bind("aux-b-sledge/sharper", sharpTail(longSteps, 1, func(p *path, nu float64, rec *props.Recorder) {
			v, whole := make([]float64, p.d), p.adaptiveErrors(nu/2)
			for t := 1; t <= p.T; t++ {
				count := p.unsampled(t)
				p.termB(v, 1, t, func(s int) float64 { return float64(count[s]) })
				rec.AtMost("‖(b)‖ at every t", p.norm(v), whole[t]+p.remainingBound(t, nu/2))
			}
		})),
		props.Bind("aux-c-sledge/sharper", sharpTail(startSteps, 1, func(p *path, nu float64, rec *props.Recorder) {
			v, logInverse := make([]float64, p.d), math.Log(float64(p.T+1)/nu)
			sample := func(l int) float64 {
				return concentration.SampleNorm(p.n, l, p.SigmaC.Value, 2*p.GC.Value, logInverse)
			}
			for t := 1; t <= p.T; t++ {
				left := p.unsampled(t)[1]
				p.termC(v, t)
				rec.AtMost("‖(c)‖ at every t", p.norm(v),
					float64(left)/float64(p.n*p.b)*sample(p.b)+sample(left)/float64(p.n))
			}
		})),
	}
}

// startSteps are runs of Option I with minibatches of all orders of magnitude.
var startSteps = ranges{n: longSteps.n, d: longSteps.d, T: longSteps.T, etaL: longSteps.etaL, few: true,
	option: algos.OptionI, pattern: []problems.Pattern{problems.TwoCluster, problems.Signs}}
