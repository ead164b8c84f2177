package claims

import (
	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/props"
	"sledge/props/keyed"
	"sledge/props/settle"
)

// lastSampled returns T(t, i) for all i: the last step up to t whose minibatch held i, 0 if there
// is none.
func lastSampled(n int, batches [][]int, t int) []int {
	out := make([]int, n)
	for s := 1; s <= t; s++ {
		for _, i := range batches[s] {
			out[i] = s
		}
	}
	return out
}

// target is Σ_i (∇f_i(x^t) − ∇f_i(x^{T(u,i)})), T(u, i) the last step up to u when f_i was sampled.
func (r *followed) target(t, u int) []float64 {
	last := lastSampled(r.P, r.batches, u)
	return sum(upTo(r.P),
		func(i int) []float64 { return minus(r.grad(i, 0, t), r.grad(i, 0, last[i])) })
}

// telescope is Σ_{s≤t} Σ_{i∈Ĩ_s^u} (∇f_i(x^s) − ∇f_i(x^{s−1})), n times the right-hand side of line
// 328, whose outer sum begins at min_i T(u, i) + 1: the sets before are empty.
func (r *followed) telescope(t, u int) []float64 {
	left := r.unsampled(u)
	return sum(upTo(t), func(s int) []float64 {
		return add(make([]float64, len(r.X[0])), 1, sum(left[s+1], r.change(s+1)))
	})
}

// sagaError is the expression of lines 305-307, with T(t,i) < t.
func (r *followed) sagaError(t int) []float64 {
	last := lastSampled(r.P, r.batches, t-1)
	out := r.target(t, t-1)
	floats.Scale(1/float64(r.P), out)
	return add(out, -1, mean(r.batches[t],
		func(i int) []float64 { return minus(r.grad(i, 0, t), r.grad(i, 0, last[i])) }))
}

// sarahError is the expression of lines 318-320 with T(t) = last.
func (r *followed) sarahError(t, last int) []float64 {
	out := make([]float64, len(r.X[0]))
	for s := last + 1; s <= t; s++ {
		out = add(out, 1, minus(r.full(s), r.full(s-1)))
		out = add(out, -1, mean(r.batches[s], r.change(s)))
	}
	return out
}

func decompositionClaims() []props.Binding {
	return []props.Binding{
		props.Bind("saga-error-decomposition",
			settledRuns(0.5, func(a instance, rec *props.Recorder) {
				r := a.follow(&algos.SAGA{Tuning: a.tuning()})
				for t := 1; t <= a.T; t++ {
					r.same(rec, "∇f(x^t) on runs of SAGA", r.full(t), add(r.sagaError(t), 1, r.V[t]))
				}
			})),
		props.Bind("sarah-error-decomposition",
			props.Identity(func(src *props.Source, rec *props.Recorder) {
				a, period := drawRun(src), src.Int("period", 1, 10)
				r := a.follow(&algos.SARAH{Tuning: a.tuning(), Period: period})
				for t := range r.X {
					r.same(rec, "∇f(x^t) on runs of SARAH", r.full(t),
						add(r.sarahError(t, t-t%period), 1, r.V[t]))
				}
			}).Effort(0.5)),
		props.Bind("saga-target-decomposition",
			props.Identity(sagaTargetDecomposition).Effort(0.5)),
		props.Bind("saga-target-decomposition/corrected",
			props.Settled(threeSteps().exact(checkTarget),
				settle.Identity("(1/n)Σ_i(∇f_i(x^t) − ∇f_i(x^{T(t,i)}))",
					"(1/n)Σ_sΣ_{i∈Ĩ_s^t}(∇f_i(x^s) − ∇f_i(x^{s−1}))",
					settle.OptionII(settle.Runs(4, 3))))),
	}
}

// checkTarget compares n times both sides of line 328, corrected.
func checkTarget(a instance, rec *props.Recorder) {
	r := a.follow(a.sledge())
	for t := 1; t <= a.T; t++ {
		r.same(rec, "T(t,i) ≤ t, sets Ĩ_s^t", r.target(t, t), r.telescope(t, t))
		r.same(rec, "T(t,i) < t, sets Ĩ_s^{t−1}", r.target(t, t-1), r.telescope(t, t-1))
	}
}

// sagaTargetDecomposition tries n times both sides of line 328 as it is printed, along any path.
func sagaTargetDecomposition(src *props.Source, rec *props.Recorder) {
	n := src.Int("n", 2, 5)
	b, t := src.Int("b", 1, n), src.Int("t", 1, 5)
	r := src.Rand("problem")
	p := drawScalars(n, 1, 4, r)
	x := []int{1}
	for range max(n, t) {
		x = append(x, r.IntN(9)-4)
	}
	batches, random := make([][]int, t+1), algos.Keyed(keyed.New(r.Uint64()))
	for s := 1; s <= t; s++ {
		batches[s] = make([]int, b)
		random.Subset(batches[s], n, algos.Batches)
	}
	left := 0
	for i, last := range lastSampled(n, batches, t) {
		left += p.gradient(i, 0, x[t]) - p.gradient(i, 0, x[last])
	}
	right := func(term func(i, j, x int) int, until int) (sum int) {
		for s := 1; s <= until; s++ { // beyond t the union in Ĩ_s^t is empty
			for _, i := range unsampled(n, batches[min(s, t+1):]...) {
				sum += term(i, 0, x[s]) - term(i, 0, x[s-1])
			}
		}
		return sum
	}
	recordCount(rec, "as printed", left, props.EQ, right(p.value, n))
	recordCount(rec, "with gradients, up to n", left, props.EQ, right(p.gradient, n))
	recordCount(rec, "with values, up to t", left, props.EQ, right(p.value, t))
}
