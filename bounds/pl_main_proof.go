package bounds

import (
	"sledge/algos/problems"
	"sledge/props"
)

// plContraction is the right-hand side of the step inequality under the PL condition (lines
// 2070-2075): a bound on f(x^t) − f* by gap = f(x^{t−1}) − f*, errSq = ‖∇f(x^{t−1}) − v^{t−1}‖² and
// movedSq = ‖x^t − x^{t−1}‖². It is the descent lemma with the least squared gradient that the PL
// condition leaves, 2μ·gap.
func plContraction(gap, errSq, movedSq, eta, mu, L, r float64) float64 {
	return descent(gap, errSq, 2*mu*gap, movedSq, eta, L, r)
}

func plProofClaims() []props.Binding {
	return []props.Binding{
		props.Bind("pl-contraction-step",
			props.Settled(props.Inequality(tryContraction), contraction)),
		props.Bind("dpl-one-step", oneStep(func(plStepRecord) float64 { return 0 })),
		props.Bind("dpl-one-step/corrected",
			props.Settled(oneStep(func(s plStepRecord) float64 { return s.MovedSq }),
				halfContraction)),
		props.Bind("dpl-remark-final/sharper", checkExpectedPLRounds()),
	}
}

// plStepRecord is one step x⁺ = x − ηv + ξ with ‖ξ‖ ≤ r on a function with smoothness constant L
// and PL constant μ, with any v.
type plStepRecord struct {
	Gap, GapAfter          float64 // f(x) − f* and f(x⁺) − f*
	GradSq, ErrSq, MovedSq float64 // ‖∇f(x)‖², ‖∇f(x) − v‖², ‖x⁺ − x‖²
	Eta, L, Mu, R          float64
	Scale                  float64 // size of the terms of the descent lemma
}

// drawDescentStep draws a quadratic or a nonconvex PL function, a point on it, η > 0, an estimate v
// whose error is partly aligned with the noise, and the noise.
func drawDescentStep(src *props.Source) plStepRecord {
	one := problems.Limits{N: problems.Sizes(1, 1), D: problems.Sizes(1, 4)}
	var p problems.Certified
	if src.Pick("family", "quadratic", "nonconvex PL") == 0 {
		p = problems.DrawQuadratic(src, one).ByClient()
	} else {
		p = problems.DrawNonconvexPL(src, one).ByClient()
	}
	d := p.Dim()
	x := problems.DrawPoint(src, "x", d, 10)
	c := p.Constants(x)
	s := plStepRecord{L: c.LMean.Value, Mu: c.Mu.Value}
	s.Eta = src.LogReal("ηL", 1e-3, 10) / s.L
	s.R = src.LogReal("r", 1e-3, 10)
	noise := problems.DrawPoint(src, "ξ/r", d, 1)
	// v = ∇f + a·ξ/η + something else
	a := src.Real("a", -2, 2)
	other := problems.DrawPoint(src, "other error", d, 2)
	g, to := make([]float64, d), make([]float64, d)
	p.FullGradient(g, x)
	for k := range to {
		e := a*s.R*noise[k]/s.Eta + other[k]
		step := -s.Eta*(g[k]+e) + s.R*noise[k]
		to[k] = x[k] + step
		s.ErrSq += e * e
		s.MovedSq += step * step
	}
	least, _ := p.Minimum()
	s.Gap, s.GapAfter, s.GradSq = p.Value(x)-least, p.Value(to)-least, normSq(g)
	s.Scale = s.Gap + s.Eta*s.ErrSq + (1/(2*s.Eta)+s.L/2)*s.MovedSq + s.R*s.R/s.Eta
	return s
}

// tryContraction compares the two sides of the step inequality for an arbitrary step.
func tryContraction(src *props.Source, rec *props.Recorder) {
	s := drawDescentStep(src)
	bound := plContraction(s.Gap, s.ErrSq, s.MovedSq, s.Eta, s.Mu, s.L, s.R)
	without := plContraction(s.Gap, s.ErrSq, s.MovedSq, s.Eta, 0, s.L, s.R)
	rec.AtMost("f(x^t) − f*", s.GapAfter, bound).Scale(s.Scale)
	rec.AtMost("solved for ημ(f(x^{t−1}) − f*)", without-bound, without-s.GapAfter).Scale(s.Scale)
}

// oneStep compares the lines of the step inequality; moved is what the line between has for
// ‖x^{t,k}−x^{t,k−1}‖².
func oneStep(moved func(s plStepRecord) float64) props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		s := drawDescentStep(src)
		coefficient := 1/(2*s.Eta) - s.L/2
		first := descent(s.Gap, s.ErrSq, s.GradSq, s.MovedSq, s.Eta, s.L, s.R)
		second := s.Gap + s.Eta*s.ErrSq - s.Eta/4*s.GradSq - s.Eta*s.Mu/2*s.Gap -
			coefficient*moved(s) + s.R*s.R/s.Eta
		last := (1-s.Eta*s.Mu/2)*s.Gap + s.Eta*s.ErrSq - coefficient*s.MovedSq + s.R*s.R/s.Eta
		scale := s.Scale + s.Eta*s.GradSq
		rec.AtMost("f(x^{t,k})−f* against the first line", s.GapAfter, first).Scale(scale)
		rec.AtMost("the first line against the second", first, second).Scale(scale)
		rec.Equal("the second line, rearranged, against the last", second+s.Eta/4*s.GradSq,
			last).Scale(scale)
		rec.AtMost("f(x^{t,k})−f* + (η/4)‖∇f(x^{t,k−1})‖² against the last line",
			s.GapAfter+s.Eta/4*s.GradSq, last).Scale(scale)
	})
}
