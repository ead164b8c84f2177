package bounds

import (
	"gonum.org/v1/gonum/floats"

	"sledge/algos/problems"
	"sledge/bounds/internal/num"
	"sledge/props"
)

// manyComponents has enough components for minibatches and sets of unsampled components larger than
// C_1², below which Bernstein's bounds are weaker than the trivial ones, and no more steps than
// their runs can afford.
var manyComponents = ranges{P: problems.Sizes(1, 150), d: manyDimensions, T: problems.Sizes(6, 16)}

// eachRemaining calls visit for every step s and every t of the following window with |Ĩ_s^t| and
// Σ_{i∈Ĩ_s^t} dev_i^s.
func (p *path) eachRemaining(t1 int, visit func(s, t, count int, sum []float64)) {
	sum := make([]float64, p.d)
	for s := 1; s <= p.T; s++ {
		clear(sum)
		count := p.P
		for t := s; t <= min(p.T, s+t1-1); t++ {
			for _, i := range p.tape.Batch(t) {
				if p.last[t-1][i] < s {
					floats.Sub(sum, p.deviations()[s][i*p.d:(i+1)*p.d])
					count--
				}
			}
			if count == 0 {
				clear(sum) // rid of rounding
			}
			visit(s, t, count, sum)
		}
	}
}

func allButOne(n int) float64 { return 1 - 1/float64(n) }

// checkHeterogeneity compares the deviation of component gradient differences with factor(n)·ζ
// times the distance of the points.
func checkHeterogeneity(name string, factor func(n int) float64) props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		p := problems.DrawQuadratic(src,
			problems.Limits{N: problems.Sizes(2, 40), D: problems.Sizes(1, 4),
				Patterns: heterogeneous}).ByClient()
		x, y := problems.DrawPoint(src, "x", p.Dim(), 10), problems.DrawPoint(src, "y", p.Dim(), 10)
		most, size := largestDeviation(p, x, y)
		rec.AtMost(name, most,
			factor(p.Components())*p.Constants(x).Zeta.Value*floats.Distance(x, y,
				2)).Scale(size * 1e-3)
	})
}

// largestDeviation returns the largest ‖∇f_i(x) − ∇f_i(y) − (∇f(x) − ∇f(y))‖ and the largest norm
// of a component gradient at x or y.
func largestDeviation(p problems.Certified, x, y []float64) (most, size float64) {
	d := p.Dim()
	gx, gy, dev, common := make([]float64, d), make([]float64, d), make([]float64, d),
		make([]float64, d)
	p.FullGradient(gx, x)
	p.FullGradient(gy, y)
	floats.SubTo(common, gx, gy)
	for i := range p.Components() {
		p.Gradient(gx, x, i)
		p.Gradient(gy, y, i)
		size = max(size, floats.Norm(gx, 2), floats.Norm(gy, 2))
		floats.SubTo(dev, gx, gy)
		floats.Sub(dev, common)
		most = max(most, floats.Norm(dev, 2))
	}
	return most, size
}

func auxiliaryAClaims() []props.Binding {
	return []props.Binding{
		props.Bind("heterogeneity-gradient-difference",
			checkHeterogeneity("‖deviation of a component‖ against ζ‖x − y‖",
				func(int) float64 { return 1 })),
		props.Bind("heterogeneity-gradient-difference/sharper", props.All(
			checkHeterogeneity("‖deviation of a component‖ against (1 − 1/n)ζ‖x − y‖", allButOne),
			props.Identity(func(src *props.Source, rec *props.Recorder) {
				p := problems.DrawQuadratic(src,
					problems.Limits{N: problems.Sizes(2, 40), D: problems.Sizes(1, 1),
						Patterns: []problems.Pattern{problems.Outlier}}).ByClient()
				x, y := problems.DrawPoint(src, "x", 1, 10), problems.DrawPoint(src, "y", 1, 10)
				most, size := largestDeviation(p, x, y)
				rec.Equal("‖deviation of the outlier‖ on a line", most,
					allButOne(p.Components())*p.Constants(x).Zeta.Value*floats.Distance(x, y,
						2)).Scale(size)
			}).Effort(0.5))),
		props.Bind("aux-a-sledge", squares.below(manyComponents, 1, "a", "(a)", "(C_1³ζ²/b)moved",
			func(p *path, v []float64, at level, t int) {
				p.remainingTerm(v, windowStart(t, at.window), t)
			})),
		props.Bind("aux-a-bernstein-step", squares.runs(manyComponents, 1,
			func(p *path, at level, rec *props.Recorder) {
				p.eachRemaining(at.window, func(s, _, count int, sum []float64) {
					square := num.Squared(sum, float64(p.P)*p.size) // n vectors of gradient size
					rec.AtMost("‖Σ over Ĩ_s^t‖² at all s, t", square,
						at.c1*at.c1*float64(count)*sq(p.Zeta.Value)*p.moved[s])
				})
			})),
	}
}
