package claims

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"sledge/props"
	"sledge/props/keyed"
	"sledge/props/settle"
)

// efficientUpdate is SLEDGE's efficient implementation (lines 355-363): the common shift v^t, for
// every component the shift v_i^t and the gradient w_i^t of its last refresh, and the mean of the
// y_i^t. It does nothing that the text does not ask for.
type efficientUpdate[V any] struct {
	space     space[V]
	w, v      []V
	common    V
	mean      V
	asPrinted bool // line 362 has the shift after the step, v_i^t, where that before it belongs
}

func newEfficientUpdate[V any](sp space[V], y0 []V) *efficientUpdate[V] {
	zero := func() V { return sp.add(*new(V), 0, 1, y0[0]) }
	l := &efficientUpdate[V]{space: sp, common: zero(), mean: average(sp, y0)}
	for _, y := range y0 {
		l.w, l.v = append(l.w, l.copy(y)), append(l.v, zero())
	}
	return l
}

func (l *efficientUpdate[V]) copy(x V) V { return l.space.add(*new(V), 1, 1, x) }

// step updates the mean with the gradients of the batch at x^t and x^{t−1}.
func (l *efficientUpdate[V]) step(batch []int, now, before func(i int) V) {
	n, b := len(l.w), len(batch)
	shift := l.common
	if l.asPrinted {
		shift = l.copy(l.common)
		for _, i := range batch {
			shift = l.space.add(shift, 1, b, now(i))
			shift = l.space.add(shift, -1, b, before(i))
		}
	}
	for _, i := range batch {
		l.mean = l.space.add(l.mean, 1, b, now(i))
		l.mean = l.space.add(l.mean, -(n - b), n*b, before(i))
		l.mean = l.space.add(l.mean, -1, n, l.w[i])
		l.mean = l.space.add(l.mean, -1, n, shift)
		l.mean = l.space.add(l.mean, 1, n, l.v[i])
	}
	for _, i := range batch {
		l.common = l.space.add(l.common, 1, b, now(i))
		l.common = l.space.add(l.common, -1, b, before(i))
	}
	for _, i := range batch {
		l.w[i], l.v[i] = l.copy(now(i)), l.copy(l.common)
	}
}

// counting is R^d, with a count of the numbers that are read or written.
type counting struct {
	floatSpace
	touched *int
}

func (c counting) add(dst []float64, num, den int, v []float64) []float64 {
	*c.touched += 2 * len(v)
	return c.floatSpace.add(dst, num, den, v)
}

// countUpdate compares what one step of the efficient implementation, on random gradients, touches
// and stores.
func countUpdate(rec *props.Recorder, n, b, d int, r *rand.Rand) {
	y0 := make([][]float64, n)
	for i := range y0 {
		y0[i] = make([]float64, d)
	}
	touched, g := 0, normal(d, r)
	l := newEfficientUpdate(counting{touched: &touched}, y0)
	stored := len(l.common) + len(l.mean)
	for i := range y0 {
		stored += len(l.w[i]) + len(l.v[i])
	}
	touched = 0
	gradient := func(int) []float64 { return g }
	l.step(upTo(b), gradient, gradient)
	recordCount(rec, "numbers read or written by a step, 18bd", touched, props.EQ, 18*b*d)
	recordCount(rec, "numbers stored, 2(n + 1)d", stored, props.EQ, 2*(n+1)*d)
}

// checkUpdate follows a run with the efficient update, with the p clients of a round for the b
// components of a minibatch, and compares what it keeps with the rows of the listing.
func checkUpdate(a instance, rec *props.Recorder) { checkUpdateWith(a, rec, false) }

func checkUpdateWith(a instance, rec *props.Recorder, asPrinted bool) {
	r, touched := a.followed(), 0
	l := newEfficientUpdate(counting{touched: &touched}, r.y[0])
	l.asPrinted = asPrinted
	for t := 1; t <= a.T; t++ {
		touched = 0
		l.step(r.rounds[t].clients, r.answer(t, t*r.K), r.answer(t, (t-1)*r.K))
		a.recordSame(rec, "mean kept on lines 355-362", l.mean, r.mean(t), r.scale)
		if asPrinted {
			continue
		}
		a.recordSame(rec, "mean kept by the implementation", r.V[t], r.mean(t), r.scale)
		recordCount(rec, "numbers read or written by a step, 18bd (18pd)", touched, props.EQ,
			18*len(r.rounds[t].clients)*a.d)
		for i, row := range r.y[t] {
			kept := plus(floatSpace{}, l.w[i], l.common)
			floats.Sub(kept, l.v[i])
			a.recordSame(rec, "w_i^t + v^t − v_i^t against y_i^t", kept, row, r.scale)
		}
	}
}

// checkPrinted is checkUpdate of line 362 as printed.
func checkPrinted(a instance, rec *props.Recorder) { checkUpdateWith(a, rec, true) }

func efficientClaims() []props.Binding {
	return []props.Binding{
		props.Bind("efficient-auxiliary-variables", settledRuns(0.3, checkUpdate)),
		props.Bind("efficient-mean-update", props.All(
			tinyRuns().exact(checkPrinted),
			props.Identity(func(src *props.Source, rec *props.Recorder) {
				checkPrinted(drawSLEDGERun(src), rec)
			}).Effort(0.3),
		)),
		props.Bind("efficient-mean-update/corrected", settledRuns(0.3, checkUpdate)),
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
			props.Settled(props.Identity(func(src *props.Source, rec *props.Recorder) {
				checkUpdate(drawSLEDGERun(src), rec)
			}).Effort(0.3), settle.Identity(settle.TableMean, "the mean by the efficient update",
				settle.Runs(4, 3))),
		)),
		props.Bind("efficient-update-cost/implementation",
			props.Identity(func(src *props.Source, rec *props.Recorder) {
				a := drawSLEDGERun(src)
				m := a.sledge()
				a.tape(m)
				rec.Equal("numbers kept", float64(m.Memory()), float64((a.P+4)*a.d))
			}).Effort(0.1)),
	}
}
