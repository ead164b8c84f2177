package claims

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/props"
	"sledge/props/settle"
)

func decompositionClaims() []props.Binding {
	return []props.Binding{
		props.Bind("saga-error-decomposition",
			settled(drawSum(1, 24, true, "r"), 0.5, tinyRuns(), func(a instance,
				rec *props.Recorder) {
				r := a.follow(&algos.SAGA{
					Tuning: algos.Tuning{Eta: a.eta, Batch: a.b, Radius: a.radius}})
				for t := 1; t <= a.T; t++ {
					r.same(rec, "∇f(x^t) on runs of SAGA", r.full(t),
						add(r.sagaError(t), 1, r.V[t]))
				}
			})),
		props.Bind("sarah-error-decomposition",
			searched(drawSum(1, 24, true, "r", "m"), 0.5, func(a instance, rec *props.Recorder) {
				r := a.follow(&algos.SARAH{Period: a.period,
					Tuning: algos.Tuning{Eta: a.eta, Batch: a.b, Radius: a.radius}})
				for t := range r.X {
					r.same(rec, "∇f(x^t) on runs of SARAH", r.full(t),
						add(r.sarahError(t, t-t%a.period), 1, r.V[t]))
				}
			})),
		props.Bind("saga-target-decomposition",
			tinyOf("all functions and paths, all minibatches of every size with n = 2, 3 and T = 3",
				[5]int{2, 1, 0, 1, 3}, [5]int{2, 1, 0, 2, 3}, [5]int{3, 1, 0, 1, 3},
				[5]int{3, 1, 0, 2, 3}, [5]int{3, 1, 0, 3, 3}).exact(checkPrintedTarget)),
		props.Bind("saga-target-decomposition/corrected",
			props.Settled(threeSteps().exact(checkTarget),
				settle.Identity("(1/n)Σ_i(∇f_i(x^t) − ∇f_i(x^{T(t,i)}))",
					"(1/n)Σ_sΣ_{i∈Ĩ_s^t}(∇f_i(x^s) − ∇f_i(x^{s−1}))",
					settle.OptionII(settle.Runs(4, 3))))),
		props.Bind("unsampled-set-definition", threeSteps().exact(checkPrintedSets)),
		props.Bind("unsampled-set-definition/corrected",
			settled(drawRun, 0.3, threeSteps().bothOptions(), checkDecomposition)),
	}
}

// lastSampled returns T(t, i) for all i: the last step up to t whose minibatch held i, 0 if there
// is none.
func (r *followed) lastSampled(t int) []int {
	out := make([]int, r.P)
	for s := 1; s <= t; s++ {
		for _, i := range r.Batch(s) {
			out[i] = s
		}
	}
	return out
}

// target is Σ_i (∇f_i(x^t) − ∇f_i(x^{T(u,i)})), T(u, i) the last step up to u when f_i was sampled.
func (r *followed) target(t, u int) []float64 {
	last := r.lastSampled(u)
	return sum(upTo(r.P),
		func(i int) []float64 { return minus(r.grad(i, 0, t), r.grad(i, 0, last[i])) })
}

// telescope is Σ_{s≤until} Σ_{i∈Ĩ_s^u} (f_i(s) − f_i(s − 1)), n times the right-hand side of line
// 328, whose outer sum begins at min_i T(u, i) + 1: the sets before are empty. Beyond u the union
// in Ĩ_s^u is, and it is everything.
func (r *followed) telescope(until, u int, f func(i, s int) []float64) []float64 {
	left, out := r.unsampled(u), make([]float64, len(r.X[0]))
	for s := 1; s <= until; s++ {
		out = add(out, 1, sum(left[min(s, u+1)],
			func(i int) []float64 { return minus(f(i, s), f(i, s-1)) }))
	}
	return out
}

// sagaError is the expression of lines 305-307, with T(t,i) < t.
func (r *followed) sagaError(t int) []float64 {
	last := r.lastSampled(t - 1)
	out := r.target(t, t-1)
	floats.Scale(1/float64(r.P), out)
	return add(out, -1, mean(r.Batch(t),
		func(i int) []float64 { return minus(r.grad(i, 0, t), r.grad(i, 0, last[i])) }))
}

// sarahError is the expression of lines 318-320 with T(t) = last.
func (r *followed) sarahError(t, last int) []float64 {
	out := make([]float64, len(r.X[0]))
	for s := last + 1; s <= t; s++ {
		out = add(out, 1, minus(r.full(s), r.full(s-1)))
		out = add(out, -1, mean(r.Batch(s), r.change(s)))
	}
	return out
}

// component is ∇f_i(x^s).
func (r *followed) component(i, s int) []float64 { return r.grad(i, 0, s) }

// checkTarget compares n times both sides of line 328, corrected.
func checkTarget(a instance, rec *props.Recorder) {
	r := a.follow(a.sledge())
	for t := 1; t <= a.T; t++ {
		r.same(rec, "T(t,i) ≤ t, sets Ĩ_s^t", r.target(t, t), r.telescope(t, t, r.component))
		r.same(rec, "T(t,i) < t, sets Ĩ_s^{t−1}", r.target(t, t-1),
			r.telescope(t, t-1, r.component))
	}
}

// checkPrintedTarget compares them as they are printed, in one dimension: the values f_i(x^s) are
// unknown numbers as well as the gradients, those of points that the run does not reach.
func checkPrintedTarget(a instance, rec *props.Recorder) {
	r := a.follow(a.sledge())
	value := func(i, s int) []float64 {
		v := make([]float64, a.d)
		v[a.formal.unknown(i, a.T+1+s)] = a.formal.length
		return v
	}
	for t := 1; t <= a.T; t++ {
		target := r.target(t, t)
		r.same(rec, "as printed", target, r.telescope(a.P, t, value))
		r.same(rec, "with gradients, up to n", target, r.telescope(a.P, t, r.component))
		r.same(rec, "with values, up to t", target, r.telescope(t, t, value))
	}
}

// checkPrintedSets compares the readings of Ĩ_s^t that the text admits.
func checkPrintedSets(a instance, rec *props.Recorder) {
	r := a.followed()
	between := r.unsampled(a.T)
	printed := make([][]int, len(between))
	for s := 1; s <= a.T; s++ {
		printed[s] = unsampled(a.P, r.Batch(a.T))
		rec.Truth("[n] ∖ ∪_τ I^t is the set of indexes not sampled between s and t",
			slices.Equal(printed[s], between[s]))
		rec.Truth("the descriptions of lines 331 and 1163 agree",
			slices.Equal(between[s+1], between[s]))
	}
	r.checkError(rec, "n times the error, with [n] ∖ ∪_τ I^t", a.T, printed)
	r.checkError(rec, "n times the error, with the sets of line 1163", a.T, between[1:])
}

// checkError compares the error with its decomposition for some sets.
func (r *followed) checkError(rec *props.Recorder, what string, t int, left [][]int) {
	err := sum(upTo(r.P), func(int) []float64 { return r.error(t) })
	r.same(rec, what, err, r.decomposition(t, left))
}

// checkDecomposition decomposes the error with the sets of all that was not sampled since.
func checkDecomposition(a instance, rec *props.Recorder) {
	r := a.followed()
	for t := 1; t <= a.T; t++ {
		r.checkError(rec, "n(v^t − ∇f(x^t))", t, r.unsampled(t))
	}
}
