package claims

import (
	"math/rand/v2"
	"slices"

	"sledge/props"
	"sledge/props/keyed"
	"sledge/props/settle"
)

func sledgeClaims() []props.Binding {
	return []props.Binding{
		props.Bind("sledge-gradient-count/sharper", props.ExactSizes(
			"mean of |I^t ∩ I^{t−1}| over all pairs of minibatches, n ≤ 6", countShared)),
		props.Bind("efficient-update-cost", props.All(
			props.Settled(props.Identity(func(src *props.Source, rec *props.Recorder) {
				n, d := src.LogInt("n", 1, 2000), src.LogInt("d", 1, 30)
				b := min(n, src.LogInt("b", 1, 200))
				countUpdate(rec, n, b, d, src.Rand("gradients"))
			}).Effort(0.3), props.ExactSizes("n ≤ 6, every b and d ≤ 3", func(rec *props.Recorder) {
				for n, b := range batchSizes(1, 6) {
					for d := 1; d <= 3; d++ {
						countUpdate(rec, n, b, d, keyed.New(1).Rand())
					}
				}
			}).Procedure()),
			props.Settled(searched(drawRun, 0.3, checkUpdate), settle.Identity(settle.TableMean,
				"the mean by the efficient update", settle.Runs(4, 3))),
		)),
	}
}

// countShared compares the mean number of indices that two minibatches share with b²/n.
func countShared(rec *props.Recorder) {
	for n, b := range batchSizes(1, 6) {
		shared, pairs := 0, 0
		batchSequences(n, b, 2, func(batches [][]int) {
			shared += overlap(batches[1], batches[2])
			pairs++
		})
		recordCount(rec, "n times the overlap of all pairs", n*shared, props.EQ, b*b*pairs)
	}
}

// efficientUpdate is SLEDGE's efficient implementation (lines 355-363): the common shift v^t, for
// every component the shift v_i^t and the gradient w_i^t of its last refresh, and the mean of the
// y_i^t. It does nothing that the text does not ask for.
type efficientUpdate struct {
	w, v    [][]float64
	common  []float64
	mean    []float64
	touched int // numbers read or written by steps
}

func newEfficientUpdate(y0 [][]float64) *efficientUpdate {
	d := len(y0[0])
	l := &efficientUpdate{common: make([]float64, d), mean: average(y0)}
	for _, y := range y0 {
		l.w, l.v = append(l.w, slices.Clone(y)), append(l.v, make([]float64, d))
	}
	return l
}

// add is the function of that name, counted.
func (l *efficientUpdate) add(dst []float64, c float64, v []float64) []float64 {
	l.touched += 2 * len(v)
	return add(dst, c, v)
}

// step updates the mean with the gradients of the batch at x^t and x^{t−1}.
func (l *efficientUpdate) step(batch []int, now, before func(i int) []float64) {
	n, b := float64(len(l.w)), float64(len(batch))
	for _, i := range batch {
		l.mean = l.add(l.mean, 1/b, now(i))
		l.mean = l.add(l.mean, -(n-b)/(n*b), before(i))
		l.mean = l.add(l.mean, -1/n, l.w[i])
		l.mean = l.add(l.mean, -1/n, l.common)
		l.mean = l.add(l.mean, 1/n, l.v[i])
	}
	for _, i := range batch {
		l.common = l.add(l.common, 1/b, now(i))
		l.common = l.add(l.common, -1/b, before(i))
	}
	for _, i := range batch {
		l.w[i], l.v[i] = l.add(nil, 1, now(i)), l.add(nil, 1, l.common)
	}
}

// countUpdate compares what one step of the efficient implementation, on random gradients, touches
// and stores.
func countUpdate(rec *props.Recorder, n, b, d int, r *rand.Rand) {
	g := normal(d, r)
	l := newEfficientUpdate(slices.Repeat([][]float64{g}, n))
	stored := slices.Concat(append(append(l.w, l.v...), l.common, l.mean)...)
	gradient := func(int) []float64 { return g }
	l.step(upTo(b), gradient, gradient)
	recordCount(rec, "numbers read or written by a step, 18bd", l.touched, props.EQ, 18*b*d)
	recordCount(rec, "numbers stored, 2(n + 1)d", len(stored), props.EQ, 2*(n+1)*d)
}

// checkUpdate follows a run with the efficient update, with the p clients of a round for the b
// components of a minibatch, and compares what it keeps with the rows of the literal form.
func checkUpdate(a instance, rec *props.Recorder) {
	r := a.followed()
	l := newEfficientUpdate(r.kept()[0])
	for t := 1; t <= a.T; t++ {
		l.touched = 0
		now := r.drew(t)
		answer := func(s int) func(i int) []float64 {
			return func(i int) []float64 { return r.grad.of(i, now.of(i), s*r.K) }
		}
		l.step(now.clients, answer(t), answer(t-1))
		r.same(rec, "mean kept on lines 355-362", l.mean, average(r.kept()[t]))
		recordCount(rec, "numbers read or written by a step, 18bd (18pd)", l.touched, props.EQ,
			18*len(now.clients)*a.d)
	}
}
