package claims

import (
	"math/big"

	"sledge/algos"
	"sledge/props"
	"sledge/props/keyed"
	"sledge/props/settle"
)

// target is (1/n) Σ_i (∇f_i(x^t) − ∇f_i(x^{T(t,i)})).
func target[V any](sp space[V], grad func(i, s int) V, n, t int, last []int) V {
	out := mean(sp, upTo(n), n, func(i int) V { return grad(i, t) })
	for i := range n {
		out = sp.add(out, -1, n, grad(i, last[i]))
	}
	return out
}

// sagaError is the expression of lines 305-307, with T(t,i) < t.
func sagaError[V any](sp space[V], grad func(i, s int) V, n int, batches [][]int, t int) V {
	last := lastSampled(n, batches, t-1)
	out := target(sp, grad, n, t, last)
	for _, i := range batches[t] {
		out = sp.add(out, -1, len(batches[t]), grad(i, t))
		out = sp.add(out, 1, len(batches[t]), grad(i, last[i]))
	}
	return out
}

// sarahError is the expression of lines 318-320 with T(t) = last.
func sarahError[V any](sp space[V], grad func(i, s int) V, n int, batches [][]int, t, last int) V {
	var out V
	for s := last + 1; s <= t; s++ {
		out = sp.add(out, 1, 1, fullGradient(sp, grad, n, s))
		out = sp.add(out, -1, 1, fullGradient(sp, grad, n, s-1))
		out = sp.add(out, -1, 1, increment(sp, grad, batches[s], s))
	}
	return out
}

// telescope is (1/n) Σ_{s≤t} Σ_{i∈Ĩ_s^{until}} (∇f_i(x^s) − ∇f_i(x^{s−1})), the right-hand side of
// line 328, whose outer sum begins at min_i T(t,i) + 1: the sets before are empty. Beyond until the
// union in Ĩ_s^{until} is empty, and it is everything.
func telescope[V any](sp space[V], grad func(i, s int) V, n int, batches [][]int, t, until int) V {
	var out V
	for s := 1; s <= t; s++ {
		left := upTo(n)
		if s <= until {
			left = unsampled(n, batches[s:until+1]...)
		}
		for _, i := range left {
			out = sp.add(out, 1, n, grad(i, s))
			out = sp.add(out, -1, n, grad(i, s-1))
		}
	}
	return out
}

func decompositionClaims() []props.Binding {
	return []props.Binding{
		props.Bind("saga-error-decomposition",
			settledRuns(0.5, func(a instance, rec *props.Recorder) {
				tape := a.tape(&algos.SAGA{Tuning: a.tuning()})
				grad, scale := a.alongSum(tape)
				for t := 1; t <= a.T; t++ {
					right := plus(floatSpace{}, tape.V[t],
						sagaError(floatSpace{}, grad, a.P, batches(tape), t))
					a.recordSame(rec, "∇f(x^t) on runs of SAGA",
						fullGradient(floatSpace{}, grad, a.P, t), right, scale)
				}
			})),
		props.Bind("sarah-error-decomposition",
			props.Identity(sarahErrorDecomposition).Effort(0.5)),
		props.Bind("saga-target-decomposition",
			props.Identity(sagaTargetDecomposition).Effort(0.5)),
		props.Bind("saga-target-decomposition/corrected",
			props.Settled(props.ExactSizes(tinyDomain, func(rec *props.Recorder) {
				tiny(1, func(n int, batches [][]int) {
					for t := 1; t < len(batches); t++ {
						upToT := target(forms{}, anyGradients, n, t, lastSampled(n, batches, t))
						recordZero(rec, "T(t,i) ≤ t, sets Ĩ_s^t",
							upToT.minus(telescope(forms{}, anyGradients, n, batches, t, t)))
						before := target(forms{}, anyGradients, n, t, lastSampled(n, batches, t-1))
						recordZero(rec, "T(t,i) < t, sets Ĩ_s^{t−1}",
							before.minus(telescope(forms{}, anyGradients, n, batches, t, t-1)))
					}
				})
			}), settle.Identity("(1/n)Σ_i(∇f_i(x^t) − ∇f_i(x^{T(t,i)}))",
				"(1/n)Σ_sΣ_{i∈Ĩ_s^t}(∇f_i(x^s) − ∇f_i(x^{s−1}))",
				settle.OptionII(settle.Runs(4, 3))))),
	}
}

// sagaTargetDecomposition tries saga-target-decomposition.
func sagaTargetDecomposition(src *props.Source, rec *props.Recorder) {
	n := src.Int("n", 2, 5)
	b, t := src.Int("b", 1, n), src.Int("t", 1, 5)
	r := src.Rand("problem")
	p := drawScalar(n, 1, 4, r)
	batches, random := make([][]int, max(n, t)+1), algos.Keyed(keyed.New(r.Uint64()))
	for s := 1; s < len(batches); s++ {
		batches[s] = make([]int, b)
		random.Subset(batches[s], n, algos.Batches)
	}
	x, _, gradient := p.sledge(batches, 2)
	value := func(i, s int) *big.Rat { return p.value(i, 0, x[s]) }
	left := target(rats{}, gradient, n, t, lastSampled(n, batches, t))
	right := func(term func(i, s int) *big.Rat, last int) *big.Rat {
		return plus(rats{}, telescope(rats{}, term, n, batches, last, t), nil)
	}
	rec.Rats("as printed", left, props.EQ, right(value, n))
	rec.Rats("with gradients, up to n", left, props.EQ, right(gradient, n))
	rec.Rats("with values, up to t", left, props.EQ, right(value, t))
}

// sarahErrorDecomposition compares ∇f(x^t) with its expression along a run of SARAH.
func sarahErrorDecomposition(src *props.Source, rec *props.Recorder) {
	a, period := drawSLEDGERun(src), src.Int("period", 1, 10)
	tape := a.tape(&algos.SARAH{Tuning: a.tuning(), Period: period})
	grad, scale := a.alongSum(tape)
	for t := 0; t <= a.T; t++ {
		right := plus(floatSpace{}, tape.V[t],
			sarahError(floatSpace{}, grad, a.P, batches(tape), t, t-t%period))
		a.recordSame(rec, "∇f(x^t) on runs of SARAH", fullGradient(floatSpace{}, grad, a.P, t),
			right, scale)
	}
}
