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

// adaptiveError follows the bound on the error of SLEDGE, Option II, that holds at all of at most T
// steps with probability at least 1 − ν: λ√(Σ_{s≤t} (1 − b/n)^{2(t−s)} (S/b²) D_s²), with D_s the
// largest distance between two of the vectors u_i^s that the minibatch of step s is drawn from, λ =
// 1 + √(log(bT/ν)/2) and S ≤ b the sum of the squared radii of b draws without replacement.
//
// With c_i^s the centred changes of the components and z_i = y_i − ∇f_i before the step, u_i = c_i
// − (b/n)z_i up to a common vector, because v^s − ∇f(x^s) = (1 − b/n)(v^{s−1} − ∇f(x^{s−1})) +
// (1/b)Σ_{i∈I^s}(u_i − mean). So D_s is at most ζ(‖x^s − x^{s−1}‖ + (b/n)Σ_r ‖x^r − x^{r−1}‖), r
// over the steps since the oldest row was refreshed.
type adaptiveError struct {
	lambda, keep, share, squares, sum float64
}

// newAdaptiveError returns the bound before the first step, for n components, minibatches of b, T
// steps.
func newAdaptiveError(n, b, T int, nu float64) *adaptiveError {
	share := float64(b) / float64(n)
	return &adaptiveError{lambda: concentration.AdaptiveRadius(b*T, nu), keep: 1 - share,
		share: share, squares: concentration.SampleSquares(n, b) / sq(float64(b))}
}

// plStepRecord returns the bound after a step in which no two components change by vectors farther
// apart than change, the sum of these distances over the steps before it since the oldest row was
// refreshed being before.
func (a *adaptiveError) Step(change, before float64) float64 {
	a.sum = sq(a.keep)*a.sum + a.squares*sq(change+a.share*before)
	return a.lambda * math.Sqrt(a.sum)
}

// since returns ζΣ_r ‖x^r − x^{r−1}‖ over the steps r ≤ s after the oldest row of step s was
// refreshed.
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
	bound, a := make([]float64, p.T+1), newAdaptiveError(p.P, p.b, p.T, nu)
	for t := 1; t <= p.T; t++ {
		bound[t] = a.Step(p.Zeta.Value*math.Sqrt(p.moved[t]), p.since(t-1))
	}
	return bound
}

// remainingBound bounds the norm of (a) at step t: (ζ/n)Σ_{s≤t} ‖x^s − x^{s−1}‖ times the bound on
// samples of |Ĩ_s^t| of n components, each of the at most T² of them with probability 1 − ν/T².
func (p *path) remainingBound(t int, nu float64) float64 {
	sum, logInverse := 0.0, math.Log(sq(float64(p.T))/nu)
	for s, count := range p.unsampled(t) {
		if s > 0 && count > 0 {
			sum += math.Sqrt(p.moved[s]) *
				concentration.SampleNorm(p.P, count, concentration.Spread(p.P), 1, logInverse)
		}
	}
	return p.Zeta.Value / float64(p.P) * sum
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
		props.Bind("variance-lemma-option-two/adaptive", norms.runs(longSteps, 1,
			func(p *path, at level, rec *props.Recorder) {
				rec.Plot("error of the estimator against the sharp bound", "t", "‖v^t − ∇f(x^t)‖")
				for t, bound := range p.adaptiveErrors(at.nu)[1:] {
					e := p.norm(p.err[t+1])
					rec.AtMost("‖v^t − ∇f(x^t)‖ at every t", e, bound)
					rec.Point(float64(t+1), e, bound)
				}
			})),
		props.Bind("variance-lemma-option-two/second-power", norms.runs(longSteps, 2,
			func(p *path, at level, rec *props.Recorder) {
				c1 := coverageC1(p.P, p.T, at.nu)
				factor := math.Sqrt(2*(1+c1)*concentration.SampleSquares(p.P, p.b)) / float64(p.b) *
					p.Zeta.Value * concentration.AdaptiveRadius(p.b*p.T*p.T, at.nu)
				for t := 1; t <= p.T; t++ {
					rec.AtMost("‖v^t − ∇f(x^t)‖ at every t", p.norm(p.err[t]),
						factor*math.Sqrt(p.window(windowStart(t, coverWindow(p.P, p.b, c1)), t)))
				}
			})),
		props.Bind("aux-a-sledge/sharper", norms.term(longSteps, 1, "", "‖(a)‖",
			func(p *path, v []float64, at level, t int) float64 {
				p.remainingTerm(v, 1, t)
				return p.remainingBound(t, at.nu)
			})),
		props.Bind("aux-a-bernstein-step/sharper", sampleTail(2)),
		props.Bind("aux-b-minibatch-bound/sharper", sampleTail(1)),
		props.Bind("aux-b-azuma-step/sharper",
			norms.runs(longSteps, 1, func(p *path, at level, rec *props.Recorder) {
				v, a := make([]float64, p.d), newAdaptiveError(p.P, p.b, p.T, at.nu)
				for t := 1; t <= p.T; t++ {
					p.batchTerm(v, 1, t, p.expected(t))
					rec.AtMost("‖mean part of (b)‖ at every t", p.norm(v),
						a.keep*a.Step(p.Zeta.Value*math.Sqrt(p.moved[t]), 0))
				}
			})),
		props.Bind("aux-b-deviation-term/sharper", props.Inequality(deviationTail).Effort(0.3)),
		props.Bind("aux-b-sledge/sharper",
			norms.runs(longSteps, 1, func(p *path, at level, rec *props.Recorder) {
				v, whole := make([]float64, p.d), p.adaptiveErrors(at.nu/2)
				for t := 1; t <= p.T; t++ {
					p.batchTerm(v, 1, t, p.counted(t))
					rec.AtMost("‖(b)‖ at every t", p.norm(v), whole[t]+p.remainingBound(t, at.nu/2))
				}
			})),
		props.Bind("aux-c-sledge/sharper", norms.term(startSteps, 1, "", "‖(c)‖",
			func(p *path, v []float64, at level, t int) float64 {
				left, logInverse := p.unsampled(t)[1], math.Log(float64(p.T+1)/at.nu)
				sample := func(l int) float64 {
					return concentration.SampleNorm(p.P, l, p.SigmaC.Value, 2*p.GC.Value,
						logInverse)
				}
				p.initialTerm(v, t)
				return float64(left)/float64(p.P*p.b)*sample(p.b) + sample(left)/float64(p.P)
			})),
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

func adaptiveClientClaims() []props.Binding {
	return []props.Binding{
		props.Bind("dist-lemma-d/sharper", changeTail(1, "‖(b)‖", (*path).counted,
			func(p *path, pKb int, nu float64) float64 {
				return concentration.AdaptiveRadius(pKb*p.T*p.T, nu)
			})),
		props.Bind("dist-lemma-d-azuma/sharper", changeTail(0.5, "‖mean part of (b)‖",
			(*path).expected, func(p *path, pKb int, nu float64) float64 {
				return concentration.AdaptiveRadius(pKb*p.T, nu/2)
			})),
		props.Bind("dist-lemma-d-bernstein/sharper",
			norms.runs(steadyRounds, 0.5, func(p *path, at level, rec *props.Recorder) {
				// The norm of the mean of pKb data, independent between clients and without
				// replacement within them, that deviate from the means of their clients by vectors
				// of root mean square 1 and at most 2 apart exceeds (1 + √(2·logInverse))/√(pKb)
				// with probability at most e^−logInverse.
				pKb, logInverse := float64(p.p*p.K*p.b), math.Log(2*float64(p.T)/at.nu)
				factor := p.L.Value * ((1 + math.Sqrt(2*logInverse)) / math.Sqrt(pKb))
				for s := 1; s <= p.T; s++ {
					rec.AtMost("‖(1/(pKb))Σ_{I^s}Σ_J(…)‖ at every s", p.norm(p.means()[s]),
						factor*math.Sqrt(p.moved[s]))
				}
			})),
		props.Bind("dist-lemma-f/sharper", localTail(true)),
		props.Bind("dist-lemma-f-bernstein/sharper", localTail(false)),
		props.Bind("dist-lemma-c-option-one/sharper", startNoiseTerm(algos.OptionI)),
		props.Bind("dist-lemma-c-option-two/sharper", startNoiseTerm(algos.OptionII)),
	}
}

// startSteps are runs of Option I with minibatches of all orders of magnitude.
var startSteps = ranges{P: longSteps.P, d: longSteps.d, T: longSteps.T, etaL: longSteps.etaL,
	few: true, option: algos.OptionI,
	between: []problems.Pattern{problems.TwoCluster, problems.Signs}}

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

// adaptiveGaps bounds ‖g^t‖ at the steps 0 … T as adaptiveError bounds the error of one run.
func (p *coupledRuns) adaptiveGaps(nu float64) []float64 {
	bound, size, last := make([]float64, p.T+1), p.gapSizes(), make([]int, p.P)
	a := newAdaptiveError(p.P, p.b, p.T-p.tau+1, nu)
	for t := 1; t <= p.T; t++ {
		oldest := slices.Min(last)
		bound[t] = a.Step(size[t], floats.Sum(size[oldest+1:max(t, oldest+1)]))
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

// startNoiseTerm compares (d) with the noise of the minibatches at the start: of those of the
// clients of I^0, which all rows that are left share, or of those of these rows.
func startNoiseTerm(option algos.Option) *props.Randomised {
	return norms.term(noisyData.with(option), 1, "", "‖(d)‖",
		func(p *path, v []float64, at level, t int) float64 {
			share, clients, log := float64(p.unsampled(t)[1])/float64(p.P), p.p, -math.Log(at.nu)
			if option == algos.OptionII {
				share, clients, log = math.Sqrt(share), p.P, math.Log(float64(p.T)/at.nu)
			}
			p.startTerm(v, t)
			return share * ((p.Sigma.Value + 2*p.G.Value*math.Sqrt(log/2)) /
				math.Sqrt(float64(clients*p.K*p.b)))
		})
}

// changeTail compares (b), or its part with E|Ĩ_s^t|, with λ(2L/√(pKb))√Σ_s(w_s/P)²‖x^s − x^{s−1}‖²
// for its weights w_s.
func changeTail(share float64, what string, weights func(p *path, t int) func(s int) float64,
	lambda func(p *path, pKb int, nu float64) float64) props.Check {
	return norms.term(steadyRounds, share, "", what,
		func(p *path, v []float64, at level, t int) float64 {
			pKb, weight, square := p.p*p.K*p.b, weights(p, t), 0.0
			p.batchTerm(v, 1, t, weight)
			for s := 1; s <= t; s++ {
				square += sq(weight(s)/float64(p.P)) * p.moved[s]
			}
			return 2 * p.L.Value / math.Sqrt(float64(pKb)) * lambda(p, pKb, at.nu) *
				math.Sqrt(square)
		})
}

// localTail compares, at all local steps of runs with clients whose data form two clusters, the
// sums of the noise of the local minibatches of a round with λ(2L/√b)√Σ_{l≤k}‖x^{t,l} −
// x^{t,l−1}‖², λ = 1 + √(log(bKT/ν)/2), or the whole local error with that and ζ‖x^{t,k} −
// x^{t,0}‖.
func localTail(whole bool) props.Check {
	l := local
	l.within, l.apart, l.etaL = []problems.Pattern{problems.TwoCluster}, 0.5, 0.3
	return norms.runs(l, 1, func(p *path, at level, rec *props.Recorder) {
		v, what := make([]float64, p.d), "‖Σ_{l≤k}(1/b)Σ_{J^{t,l}}(…)‖ at all t, k"
		factor := 2 * p.L.Value / math.Sqrt(float64(p.b)) *
			concentration.AdaptiveRadius(p.b*p.K*p.T, at.nu)
		for t := 1; t <= p.T; t++ {
			clear(v)
			for k := 1; k < p.K; k++ {
				bound := factor * math.Sqrt(p.within(t, k))
				if whole {
					what = "‖z^{t,k} − (∇f(x^{t,k}) − ∇f(x^{t,0}))‖ at all t, k"
					p.localError(v, t, k)
					bound += p.Zeta.Value * floats.Distance(p.tape.Local[t][k],
						p.tape.Local[t][0], 2)
				} else {
					p.localNoise(v, t, k)
				}
				rec.AtMost(what, p.norm(v), bound)
			}
		}
	})
}
