package bounds

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/concentration"
	"sledge/props"
)

// estimatorErrorIdentityThreeTerms tries estimator-error-identity/three-terms.
func estimatorErrorIdentityThreeTerms(src *props.Source, rec *props.Recorder) {
	in := drawInstance(src, ranges{P: problems.Sizes(2, 8), T: problems.Sizes(1, 15),
		option: algos.Option(src.Pick("option", "II", "I"))})
	p, t1 := in.drawPath(src), src.Int("T_1", 1, 15)
	v, apart := make([]float64, in.d), make([]float64, in.T+1)
	p.eachRemaining(t1, func(_, t, _ int, sum []float64) { apart[t] += normSq(sum) })
	for t := 1; t <= in.T; t++ {
		count := p.unsampled(t)
		if t > t1 && count[t-t1] > 0 {
			continue // not covered
		}
		from := windowStart(t, t1)
		p.remainingTerm(v, from, t)
		sum := normSq(v)
		rec.AtMost("(a) against (T_1/n²)Σ_s‖…‖²", p.squared(v),
			float64(t1)/sq(float64(in.P))*apart[t]).Scale(p.slack(sum))
		p.batchTerm(v, from, t, p.counted(t))
		sum += normSq(v)
		if t <= t1 {
			p.initialTerm(v, t)
			sum += normSq(v)
		}
		rec.AtMost("‖v^t − ∇f(x^t)‖² against 3((a) + (b) + (c))", p.squared(p.err[t]),
			3*sum).Scale(p.slack(sum))
	}
}

// parts sets dst to (a) + (b) + (c) + (d) at round t (lines 2453-2467), the sums over rounds
// beginning at from, (c) summed over the clients with T_4(t,i) ≥ least.
func (p *path) parts(dst []float64, from, least, t int, initial bool) {
	term := make([]float64, p.d)
	p.clientTerm(dst, from, t)
	p.batchTerm(term, from, t, p.counted(t))
	floats.Add(dst, term)
	p.freshTerm(term, least, t)
	floats.Add(dst, term)
	if initial {
		p.startTerm(term, t)
		floats.Add(dst, term)
	}
}

// covered reports whether Ĩ_s^t is empty for all 1 ≤ s ≤ t − t3.
func (p *path) covered(t, t3 int) bool { return t <= t3 || p.unsampled(t)[t-t3] == 0 }

// checkIdentity compares the error of the table with its parts at the last round of a run, when the
// window has covered all clients.
func checkIdentity(name string, options []algos.Option, least func(t, t3 int) int,
	initial func(algos.Option) bool) props.Check {
	return props.Identity(func(src *props.Source, rec *props.Recorder) {
		in := drawInstance(src, ranges{P: problems.Sizes(1, 6),
			T: problems.Sizes(1, 30), b: problems.Sizes(1, 2), K: problems.Sizes(1, 2),
			option: props.OneOf(src, "option", options...)})
		p, t := in.drawPath(src), in.T
		t3 := in.lemmaWindow(in.literalC1(0.1))
		if !p.covered(t, t3) {
			rec.Skip("some client was not drawn in the last T_3 rounds")
			return
		}
		right := make([]float64, in.d)
		p.parts(right, max(1, t-t3+1), least(t, t3), t, initial(in.option))
		rec.EqualVectors(name, p.table[t], right).Scale(p.size)
	}).Effort(0.5)
}

func always(algos.Option) bool { return true }

func estimatorClaims() []props.Binding {
	both := []algos.Option{algos.OptionII, algos.OptionI}
	return []props.Binding{
		props.Bind("estimator-error-identity/three-terms",
			props.Settled(props.Inequality(estimatorErrorIdentityThreeTerms).Effort(0.5), threeParts)),
		props.Bind("dist-coverage", props.Inequality(func(src *props.Source, rec *props.Recorder) {
			P := src.LogInt("P", 1, 1e6)
			p, T, nu := src.LogInt("p", 1, P), src.LogInt("T", 1, 3000),
				src.LogReal("ν", 1e-12, 0.999)
			length := math.Ceil(float64(P) / float64(p) * math.Log(float64(P)*float64(T)/nu) *
				(1 - 1e-14))
			if length > float64(T) {
				rec.Skip("the horizon is shorter than the window, so nothing is claimed")
				return
			}
			rec.AtMost("P·P(one client is missed for T_3 rounds)",
				float64(P)*math.Exp(concentration.NeverDrawn(P, p, int(length), T)), nu)
		})),
		props.Bind("dist-error-identity/corrected", props.All(
			checkIdentity("(1/P)Σy_i^t − ∇f(x^t) against (a) + (b) + (c) + (d)", both,
				func(t, t3 int) int { return max(1, t-t3) }, always),
			checkIdentity("(1/P)Σy_i^t − ∇f(x^t) against (a) + (b) + (c), Option II", both[:1],
				func(t, t3 int) int { return max(0, t-t3) },
				func(algos.Option) bool { return false }))),
	}
}

// localError sets dst to z^{t,k} − (∇f(x^{t,k}) − ∇f(x^{t,0})).
func (p *path) localError(dst []float64, t, k int) {
	now, before := p.grad[p.number(t, k)], p.grad[p.number(t, 0)]
	for l := range dst {
		dst[l] = p.tape.LocalV[t][k][l] - p.tape.V[t-1][l] - (now[l] - before[l])
	}
}
