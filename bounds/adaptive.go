package bounds

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/concentration"
	"sledge/props"
)

// Sharp forms of lemma:First-VarianceBound and its parts: what two tools give that fit them,
// martingales whose radii depend on the past and samples without replacement
// (azuma-high-probability/adaptive and noreplace-bernstein-high-probability/sharper). Both are free
// of the dimension, and carry the square root of a logarithm.

// since returns Σ_r ‖x^r − x^{r−1}‖ over the steps r ≤ s after the oldest row of step s was
// refreshed.
func (p *path) since(s int) float64 {
	oldest, sum := s, 0.0
	for _, l := range p.last[s] {
		oldest = min(oldest, l)
	}
	for r := oldest + 1; r <= s; r++ {
		sum += math.Sqrt(p.moved[r])
	}
	return sum
}

// norm returns ‖v‖ of a vector of gradient size on the path, or 0 where that is nothing but
// rounding.
func (p *path) norm(v []float64) float64 { return math.Sqrt(p.squared(v)) }

// longSteps are runs that come close to bounds on sums over steps: two clusters of components,
// steps of about the same length, and minibatches of all orders of magnitude. The Hessians of the
// clusters lie a tenth of L apart at least, so that errors come to a tenth of the gradient.
var longSteps = ranges{P: problems.Sizes(2, 60), d: manyDimensions, T: problems.Sizes(20, 40),
	etaL: 0.1, few: true, differ: 0.1, between: []problems.Pattern{problems.TwoCluster}}

// sampleTail looks at two clusters of components whose changes are ζ‖x^s − x^{s−1}‖ = 1 apart: it
// compares the smallest norm that the sum of the deviations of l of n components exceeds with no
// more than the probability ν/T^power, which sampling cannot reach, with the bound for samples
// without replacement.
func sampleTail(power float64) props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		n := src.LogInt("n", 2, 1000)
		l, marked := src.LogInt("l", 1, n), src.Int("size of the first cluster", 1, n-1)
		logInverse := power*math.Log(float64(src.LogInt("T", 1, 1e6))) -
			math.Log(src.LogReal("nu", 1e-9, 0.5))
		// n² times the square
		squares := concentration.Hypergeometric(n, marked, l).Squares(int64(n),
			int64(l)*int64(marked))
		rec.AtMost("smallest norm of probability 1 − ν/T^"+props.Number(power, 1),
			math.Sqrt(float64(squares.Quantile(-logInverse)))/float64(n),
			concentration.SampleNorm(n, l, concentration.Spread(n), 1, logInverse))
	})
}

// deviationTail compares, for two clusters and a single pair s, t, the smallest value that the
// product of ||Ĩ_s^t| − E|Ĩ_s^t|| and the norm of the sum over the minibatch exceeds with no more
// than the probability ν/T², with the product of the bounds on the two, at half that probability
// each. The two are independent: whatever the minibatch is, the number of its components in a
// uniformly random set has the same law.
func deviationTail(src *props.Source, rec *props.Recorder) {
	n := src.LogInt("n", 2, 60)
	b, marked := src.LogInt("b", 1, n-1), src.Int("size of the first cluster", 1, n-1)
	steps := src.LogInt("t−s", 1, 30)
	logInverse := 2*math.Log(float64(src.LogInt("T", 1, 1e4))) -
		math.Log(src.LogReal("nu", 1e-8, 0.5))
	counts, sums := concentration.UnsampledLaw(n, b, steps+1),
		concentration.Hypergeometric(n, marked, b)
	mean := concentration.UnsampledMean(n, b, steps+1)
	quantile := concentration.ProductQuantile(counts, mean, sums,
		float64(b)*float64(marked)/float64(n), -logInverse)
	rec.AtMost("smallest product of probability 1 − ν/T²", quantile,
		concentration.HoeffdingRadius(n, logInverse+math.Ln2)*
			concentration.SampleNorm(n, b, concentration.Spread(n), 1, logInverse+math.Ln2))
}

func adaptiveClaims() []props.Binding {
	return []props.Binding{
		props.Bind("aux-a-bernstein-step/sharper", sampleTail(2)),
		props.Bind("aux-b-minibatch-bound/sharper", sampleTail(1)),
		props.Bind("aux-b-deviation-term/sharper", props.Inequality(deviationTail).Effort(0.3)),
	}
}

func adaptivePairClaims() []props.Binding {
	return []props.Binding{
		props.Bind("pair-aux-lemma/sharper", onPairs(drawTailPair, 1,
			func(in *stuckInstance, p *coupledRuns, rec *props.Recorder) {
				rec.Plot("error that the runs do not share against the sharp bound", "t − τ",
					"‖g^t‖")
				bound := p.adaptiveGaps(in.share)
				in.eachStep(p, rec, func(t int) {
					if t == p.tau+1 {
						rec.AtMost("‖g^τ‖", p.fn[p.tau], bound[p.tau]).Scale(rounding)
					}
					rec.AtMost("‖g^t‖ for t > τ", p.fn[t], bound[t]).Scale(rounding)
					rec.Point(float64(t-p.tau), p.fn[t], bound[t])
				})
			}).Effort(0.5)),
		props.Bind("pair-second-term/sharper", onPairs(drawTailPair, 0.25,
			secondTermSharper).Effort(0.25)),
		props.Bind("dsecond-aux-b/sharper", localErrorTail(drawUnlikePair, 1,
			func(in *stuckInstance, p *coupledRuns) float64 {
				return math.Sqrt(concentration.AdaptiveRadius(p.b*p.K*p.T, in.share))
			}, func(_ *stuckInstance, p *coupledRuns, start, m int) float64 {
				far := 0.0
				for l := start; l <= m; l++ {
					far = max(far, p.reach(l, start))
				}
				return p.rho * far
			}).Effort(0.1)),
		props.Bind("dsecond-d-second-term/sharper", freshNoise(drawUnlikePair,
			func(in *stuckInstance, p *coupledRuns, t int) float64 {
				PKb, square := float64(p.P*p.K*p.b), 0.0
				for _, s := range p.past().last[t] {
					square += sq(p.wn[s*p.K]) / float64(p.P)
				}
				return concentration.AdaptiveRadius(p.P*p.K*p.b*p.T, in.share) * 2 * p.L *
					math.Sqrt(square/PKb)
			}).Effort(0.1)),
	}
}

// gapSizes bounds, for the steps s of two coupled runs, the largest distance between two of the
// u_i^s: 0 before the perturbation, ζr_e at it, and ζ‖w^s − w^{s−1}‖ + 2ρ(R_s‖w^s‖ +
// R_{s−1}‖w^{s−1}‖) after it, R_s being the larger of the distances of the two runs from x^τ.
func (p *coupledRuns) gapSizes() []float64 {
	size := make([]float64, p.T+1)
	for s := p.tau; s <= p.T; s++ {
		if size[s] = p.zeta * p.dw[s]; s > p.tau {
			size[s] += 2 * p.rho * (p.reach(s, p.tau)*p.wn[s] + p.reach(s-1, p.tau)*p.wn[s-1])
		}
	}
	return size
}

// adaptiveGaps bounds ‖g^t‖ at the steps 0 … T as variance-lemma-option-two/adaptive bounds the
// error of one run: by λ√(Σ_{s≤t} (1 − b/n)^{2(t−s)} (S/b²) D_s²), with D_s the largest distance
// between two of the vectors that the minibatch of step s is drawn from, and S that of
// [concentration.SampleSquares].
//
// With c_i^s the centred changes of the components and z_i = y_i − ∇f_i before the step these are
// c_i − (b/n)z_i up to a common vector. So D_s is at most the size of the change and b/n times
// those of the steps since the oldest row was refreshed.
func (p *coupledRuns) adaptiveGaps(nu float64) []float64 {
	bound, size, last, sum := make([]float64, p.T+1), p.gapSizes(), make([]int, p.P), 0.0
	share, squares := float64(p.b)/float64(p.P), concentration.SampleSquares(p.P, p.b)
	lambda := concentration.AdaptiveRadius(p.b*(p.T-p.tau+1), nu)
	for t := 1; t <= p.T; t++ {
		oldest := slices.Min(last)
		before := floats.Sum(size[oldest+1 : max(t, oldest+1)])
		sum = sq(1-share)*sum + squares/sq(float64(p.b))*sq(size[t]+share*before)
		bound[t] = lambda * math.Sqrt(sum)
		for _, i := range p.pair.Run.Batch(t) {
			last[i] = t
		}
	}
	return bound
}

// secondTermSharper bounds the second term by the adaptive error of the runs and what the first one
// and the third can come to.
func secondTermSharper(in *stuckInstance, p *coupledRuns, rec *props.Recorder) {
	size, whole := p.gapSizes(), p.adaptiveGaps(in.share/8)
	logInverse := math.Log(8 * (sq(float64(p.T-p.tau+1)) + 1) / in.share)
	sample := func(l int) float64 {
		return concentration.SampleNorm(p.P, l, concentration.Spread(p.P), 1, logInverse)
	}
	u := p.gapsUpTo(p.tau, p.inside(in.radius, p.tau))
	in.eachStep(p, rec, func(t int) {
		_, batches, _, _ := p.pairTerms(u, p.tau, t)
		bound, unsampled := whole[t], p.pair.Run.Unsampled(p.P, t, algos.Batches)
		for s := p.tau; s <= t; s++ {
			bound += size[s] * sample(len(unsampled[s])) / float64(p.P)
		}
		bound += size[p.tau] * float64(len(unsampled[p.tau])) / float64(p.P*p.b) * sample(p.b)
		rec.AtMost("second term", floats.Norm(batches, 2), bound).Scale(rounding)
	})
}
