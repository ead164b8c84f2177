package bounds

import (
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/combin"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
	"sledge/props/settle"
)

// decomposition is the right-hand side of the error identity (lines 1376-1384) at step t, written
// with plain loops over the printed sums. The set that its two sums call Ĩ_s^t is that of
// tape.Unsampled at from(s, t); initial is the index of the set in the last sum.
func (p *path) decomposition(t int, from func(s, t int) int, initial int) []float64 {
	n, d := float64(p.P), p.d
	sets := p.tape.Unsampled(p.P, t, algos.Batches)
	now, before, out := make([]float64, d), make([]float64, d), make([]float64, d)
	addChange := func(factor float64, i, s int) {
		p.problem.Gradient(now, p.tape.X[s], i, 0)
		p.problem.Gradient(before, p.tape.X[s-1], i, 0)
		floats.AddScaled(out, factor, now)
		floats.AddScaled(out, -factor, before)
	}
	for s := 1; s <= t; s++ {
		for _, i := range p.tape.Batch(s) {
			addChange(float64(len(sets[from(s, t)]))/float64(p.b)/n, i, s)
		}
		for _, i := range sets[from(s, t)] {
			addChange(-1/n, i, s)
		}
	}
	for _, i := range sets[initial] {
		floats.AddScaled(out, 1/n, p.start[i*d:(i+1)*d])
	}
	return out
}

func same(s, _ int) int { return s }
func next(s, _ int) int { return s + 1 }

// checkDecomposition compares the error of the estimator with the decomposition at the last step of
// a run; the set of the last sum is that of s = 1, or of the given number.
func checkDecomposition(name string, from func(s, t int) int,
	initial ...int) *props.Deterministic {
	return props.Identity(func(src *props.Source, rec *props.Recorder) {
		option := algos.Option(src.Pick("option", "II", "I"))
		in := drawInstance(src, ranges{P: problems.Sizes(1, 7), T: problems.Sizes(1, 8),
			option: option})
		p := in.drawPath(src)
		rec.EqualVectors("v^t − ∇f(x^t) against the decomposition"+name, p.err[in.T],
			p.decomposition(in.T, from, append(initial, from(1, in.T))[0])).Scale(p.size)
	}).Effort(0.5)
}

// sequences calls visit with every sequence of t subsets of [0, n) with b elements. The argument is
// overwritten by the next call.
func sequences(n, b, t int, visit func([][]int)) {
	all, batches, at := combin.Combinations(n, b), make([][]int, t), make([]int, t)
	for g := combin.NewCartesianGenerator(slices.Repeat([]int{len(all)}, t)); g.Next(); {
		for k, v := range g.Product(at) {
			batches[k] = all[v]
		}
		visit(batches)
	}
}

// identityOfSizes settles the error identity for the sizes that the checker runs through.
var identityOfSizes = settle.Identity(settle.TableError, settle.Decomposition, settle.Runs(4, 3))

// fromIdentity is a check of what follows from the error identity by an inequality of vectors. The
// identity is a part of it: a proof of the inequality is one of the whole for the sizes alone for
// which the identity is proved.
func fromIdentity(check props.Check) props.Check {
	return props.All(check, props.Settled(
		checkDecomposition("", same).Effort(0.1),
		identityOfSizes))
}

func estimatorClaims() []props.Binding {
	return []props.Binding{
		props.Bind("estimator-error-identity", checkDecomposition("", same)),
		props.Bind("estimator-error-identity/words",
			checkDecomposition(" with sets over s+1 … t", next)),
		props.Bind("estimator-error-identity/literal-union",
			checkDecomposition(" with sets [n] \\ I^t", func(_, t int) int { return t })),
		props.Bind("estimator-error-identity/three-terms",
			fromIdentity(props.Settled(props.Inequality(estimatorErrorIdentityThreeTerms).Effort(
				0.5), threeParts))),
	}
}

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
