package bounds

import (
	"gonum.org/v1/gonum/floats"

	"sledge/algos"
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
		props.Bind("pl-variance-inserted/corrected", props.Tail(setupPLInserted)),
		props.Bind("pl-final-inequality", props.Tail(setupPLFinal)),
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

// setupPLFinal follows the proof along a run: the contraction steps unrolled with the errors of the
// run itself, then the final bound.
func setupPLFinal(src *props.Source) props.TailTrial {
	d, ok := drawPLRun(src, true)
	if !ok {
		return nothing
	}
	first, T := d.constants(1), d.constants(3)
	smooth := d.p.Constants(d.x0).LMean.Value
	return props.TailTrial{Delta: 3 * plNu, Regime: d.regime(T),
		Run: func(t props.Trial, rec *props.Recorder) {
			before := make([]float64, len(d.x0))
			unrolled, errSq, scale := d.Delta, 0.0, d.Delta
			d.run(t, T, func(mon *algos.Monitor, step int, m *algos.SLEDGE) {
				x := m.Point()
				movedSq := floats.Distance(x, before, 2)
				movedSq *= movedSq
				errBefore := errSq
				errSq = mon.ErrorSquared(m.Estimator(), x)
				copy(before, x)
				if step == 0 {
					return
				}
				unrolled = plContraction(unrolled, errBefore, movedSq, d.Eta, d.Mu, smooth, d.R)
				scale = (1-d.Eta*d.Mu)*scale + d.Eta*errBefore + movedSq/d.Eta
				gap := d.gap(x)
				rec.AtMost("f(x^T) − f* against the unrolled steps", gap, unrolled).Scale(scale)
				if step >= first {
					rec.AtMost("f(x^T) − f* against the final bound", gap, d.Bound(step))
				}
				if step == T {
					rec.Link("f(x^T) − f*", gap)
					rec.Link("steps unrolled with the errors of the run", unrolled)
					rec.Link("final bound", d.Bound(step))
				}
			})
		}}
}

// setupPLInserted compares every step of a run with the contraction in which the lemma's bound
// stands for the error.
func setupPLInserted(src *props.Source) props.TailTrial {
	in := draftRun(src, ranges{P: problems.Sizes(1, 24), T: problems.Sizes(1, 50),
		option: algos.Option(src.Pick("option", "II", "I")),
		shapes: []problems.Shape{problems.Convex, problems.Degenerate}})
	return props.TailTrial{Delta: 3 * plNu, Regime: in.regime(3 * plNu),
		Run: func(t props.Trial, rec *props.Recorder) {
			p := in.trial(t)
			v := p.variance(in.literalC1(plNu))
			least, _ := in.problem.Minimum()
			// f is evaluated to about 1e-16 of the size of its terms, for which its values at x⁰
			// and at the origin stand; see props.RoundingBand
			rounding := 1e-6 * (in.Delta.Value + in.problem.Value(make([]float64, in.d)) - least)
			for step := 1; step <= p.T; step++ {
				errSq := v.Bound(step-1, p.window(max(1, step-v.Window()), step-1), p.option)
				gap := in.problem.Value(p.tape.X[step-1]) - least
				bound := plContraction(gap, errSq, p.moved[step], in.eta, in.Mu.Value,
					in.LMean.Value, in.r)
				rec.AtMost("f(x^t) − f*", in.problem.Value(p.tape.X[step])-least, bound).
					Scale(gap + in.eta*errSq + p.moved[step]*(1/in.eta+in.LMean.Value) + rounding)
			}
		}}
}
