package bounds

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/combin"

	"sledge/algos/problems"
	"sledge/concentration"
	"sledge/props"
	"sledge/props/formula"
)

// checkSplit compares the two sides of the split of (b) at E|Ĩ_s^t| (lines 1251-1266) at all steps
// of a run; squared is the misprinted square of the deviation.
func checkSplit(squared bool) props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		in := drawInstance(src, ranges{P: problems.Sizes(2, 8), T: problems.Sizes(1, 8), etaL: 8})
		p := in.drawPath(src)
		left, first := make([]float64, in.d), make([]float64, in.d)
		second, term := make([]float64, in.d), make([]float64, in.d)
		for t := 1; t <= in.T; t++ {
			count := p.unsampled(t)
			p.batchTerm(left, 1, t, p.counted(t))
			clear(first)
			clear(second)
			apart := 0.0
			for s := 1; s <= t; s++ {
				copy(term, p.means()[s])
				e := concentration.UnsampledMean(in.P, in.b, t-s+1)
				deviation := float64(count[s]) - e
				apart += sq(deviation) * normSq(term)
				if squared {
					deviation *= deviation
				}
				floats.AddScaled(first, e/float64(in.P), term)
				floats.AddScaled(second, deviation/float64(in.P), term)
			}
			rec.AtMost("(b) against 2‖mean part‖² + 2‖deviation part‖²", p.squared(left),
				2*normSq(first)+2*normSq(second)).Scale(p.slack(normSq(left)))
			if !squared {
				rec.AtMost("2‖deviation part‖² against (2T_1/n²)Σ(|Ĩ| − E|Ĩ|)²‖…‖²",
					2*p.squared(second), 2*float64(t)/sq(float64(in.P))*apart).Scale(
					p.slack(normSq(second)))
			}
		}
	}).Effort(0.5)
}

// checkDifferences compares the conditional mean of the summands of the mean part of (b), the
// average over all batches of the step, with zero.
func checkDifferences() props.Check {
	return props.Identity(func(src *props.Source, rec *props.Recorder) {
		in := drawInstance(src, ranges{P: problems.Sizes(1, 6), T: problems.Sizes(1, 4)})
		p := in.drawPath(src)
		s := in.T
		weight := concentration.UnsampledMean(in.P, in.b, 1+src.Int("t − s", 0, 5))
		mean, size := make([]float64, in.d), weight*p.size
		all := combin.Combinations(in.P, in.b)
		for _, batch := range all {
			for _, i := range batch {
				floats.AddScaled(mean, weight/float64(in.b*len(all)),
					p.deviations()[s][i*in.d:(i+1)*in.d])
			}
		}
		rec.EqualVectors("conditional mean of a difference against 0", mean,
			make([]float64, in.d)).Scale(size)
	}).Effort(0.5)
}

// batchPart compares (b), or its part with E|Ĩ_s^t| for |Ĩ_s^t|, with a bound by C_1 and the
// movement in the window, at every step, or round.
func batchPart(l ranges, share float64, letter, what string,
	weight func(p *path, t int) func(s int) float64, bound string) *props.Randomised {
	return squares.below(l, share, letter, what, bound,
		func(p *path, v []float64, at level, t int) {
			p.batchTerm(v, windowStart(t, at.window), t, weight(p, t))
		})
}

// deviationPart compares C_1/(nb)·Σ(|Ĩ_s^t| − E|Ĩ_s^t|)²‖(1/b)Σ_{I^s}(…)‖², which is (T_1/n²)Σ… for
// T_1 = nC_1/b, with such a bound; for FLEDGE with p for b and P for n.
func deviationPart(l ranges, share float64, bound string) *props.Randomised {
	f := ofRun(bound)
	return squares.runs(l, share, func(p *path, at level, rec *props.Recorder) {
		for t := 1; t <= p.T; t++ {
			rec.AtMost("deviation part at every t",
				at.c1/float64(p.P*p.sampled())*p.deviation(windowStart(t, at.window), t),
				p.value(f, at.c1, p.sums(at.window, t)))
		}
	})
}

// oneBatch compares the squared norms of the means over minibatches with a bound, in units of
// ‖x^s − x^{s−1}‖², at all steps together with the probability T·ν/(times·T²).
func oneBatch(l ranges, times float64, what, bound string) *props.Randomised {
	f := ofRun(bound)
	return props.Tail(func(src *props.Source) props.TailTrial {
		in := draftRun(src, l)
		nu := src.LogReal("nu", 0.3, 0.6)
		c1 := in.literalC1(nu)
		delta := nu / (times * float64(in.T))
		return props.TailTrial{Delta: delta, Regime: in.content().And(props.Allowed(delta)),
			Run: func(t props.Trial, rec *props.Recorder) { in.trial(t).meansWithin(f, c1, what, rec) }}
	})
}

// meansWithin compares the squared norms of the means over minibatches with a bound at every step.
func (p *path) meansWithin(f *formula.Program, c1 float64, what string, rec *props.Recorder) {
	for s := 1; s <= p.T; s++ {
		rec.AtMost(what+" at every s", p.squared(p.means()[s]),
			p.value(f, c1, sums{moved: p.moved[s]}))
	}
}

// evenSteps are two clusters of components that take steps of about the same length with
// minibatches of all orders of magnitude: with few components in them the sums over steps come
// closest to Azuma's bound. Components differ so much that errors matter in one instance of ten.
var evenSteps = ranges{P: problems.Sizes(1, 60), d: manyComponents.d, T: manyComponents.T,
	etaL: 0.3, differ: 0.3, few: true, between: []problems.Pattern{problems.TwoCluster}}

func auxiliaryBClaims() []props.Binding {
	ofBatch := ofRun("(C_1ζ)²moved/b")
	return []props.Binding{
		props.Bind("aux-b-sledge", batchPart(manyComponents, 1, "b", "(b)", (*path).counted,
			"(4C_1⁸ζ²/b)moved")),
		props.Bind("aux-b-split/corrected",
			props.Settled(checkSplit(false), twoPartsOfSums)),
		props.Bind("aux-b-difference-sequence/corrected", checkDifferences()),
		props.Bind("aux-b-step-bound", oneBatch(ranges{P: problems.Sizes(2, 30),
			T: problems.Sizes(2, 4)}, 5, "‖(1/b)Σ_{I^s}(…)‖²", "C_1ζ²moved/b")),
		props.Bind("aux-b-azuma-step", batchPart(evenSteps, 0.4, "", "mean part of (b)",
			(*path).expected, "(C_1ζ)²moved/b")),
		// steps of length 1 and ζ = 1, E|Ĩ_s^t|/n = (1 − b/n)^{t−s+1}
		props.Bind("aux-b-minibatch-bound/corrected", squares.runs(manyComponents, 0.2,
			func(p *path, at level, rec *props.Recorder) {
				p.meansWithin(ofBatch, at.c1, "‖(1/b)Σ_{I^s}(…)‖²", rec)
			})),
		props.Bind("aux-b-deviation-term/corrected", deviationPart(manyComponents, 0.6,
			"C_1⁸(ζ/b)²moved")),
	}
}
