package claims

import (
	"math/rand/v2"

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

// follow makes the step t of a run of which batches are known.
func (l *efficientUpdate[V]) follow(grad func(i, s int) V, batches [][]int, t int) {
	l.step(batches[t], func(i int) V { return grad(i, t) }, func(i int) V { return grad(i, t-1) })
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

func efficientClaims() []props.Binding {
	return []props.Binding{
		props.Bind("efficient-auxiliary-variables", props.ExactSizes(tinyDomain+", both options",
			efficientAuxiliaryVariables)),
		props.Bind("efficient-mean-update", props.All(
			props.ExactSizes(tinyDomain+", both options", meanUpdates),
			props.Identity(func(src *props.Source, rec *props.Recorder) {
				meanUpdateRun(drawSLEDGERun(src), rec, true)
			}).Effort(0.3),
		)),
		props.Bind("efficient-mean-update/corrected",
			settledRuns(0.3, func(a instance, rec *props.Recorder) {
				meanUpdateRun(a, rec, false)
			})),
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
				a := drawSLEDGERun(src)
				tape := a.tape(a.sledge())
				grad, scale := a.alongSum(tape)
				y := sledgeTables(floatSpace{}, grad, a.P, batches(tape))
				l := newEfficientUpdate(floatSpace{}, y[0])
				for t := 1; t <= a.T; t++ {
					l.follow(grad, batches(tape), t)
					rec.EqualVectors("mean of the rows", l.mean,
						average(floatSpace{}, y[t])).Scale(scale)
				}
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

// efficientAuxiliaryVariables tries efficient-auxiliary-variables.
func efficientAuxiliaryVariables(rec *props.Recorder) {
	eachUpdate(func(l *efficientUpdate[form], y [][]form, batches [][]int) {
		for t := range y {
			if t > 0 {
				l.follow(anyGradients, batches, t)
			}
			for i, row := range y[t] {
				row = forms{}.add(row.minus(l.w[i]).minus(l.common), 1, 1, l.v[i])
				recordZero(rec, "y_i^t − (w_i^t + v^t − v_i^t)", row)
			}
		}
	})
}

// eachUpdate visits all tiny index sequences with the rows, and the efficient implementation at its
// start.
func eachUpdate(visit func(l *efficientUpdate[form], y [][]form, batches [][]int)) {
	tinyBoth(func(n int, batches [][]int) {
		y := sledgeTables(forms{}, anyGradients, n, batches)
		visit(newEfficientUpdate(forms{}, y[0]), y, batches)
	})
}

// meanUpdates compares line 362 as printed with the mean of the literal rows for all tiny index
// sequences.
func meanUpdates(rec *props.Recorder) {
	eachUpdate(func(l *efficientUpdate[form], y [][]form, batches [][]int) {
		l.asPrinted = true
		for t := 1; t < len(batches); t++ {
			l.mean = average(forms{}, y[t-1])
			l.follow(anyGradients, batches, t)
			recordZero(rec, "mean of the rows − update", average(forms{}, y[t]).minus(l.mean))
		}
	})
}

// meanUpdateRun follows the update along a recorded run of SLEDGE and compares it with the mean of
// the rows at the end.
func meanUpdateRun(a instance, rec *props.Recorder, asPrinted bool) {
	if a.formal == nil {
		a.radius += 0.01 // keeps iterates apart
	}
	tape := a.tape(a.sledge())
	grad, scale := a.alongSum(tape)
	sets := batches(tape)
	l := newEfficientUpdate(floatSpace{}, sledgeTables(floatSpace{}, grad, a.P, sets)[0])
	l.asPrinted = asPrinted
	for t := 1; t <= a.T; t++ {
		l.follow(grad, sets, t)
	}
	a.recordSame(rec, "mean of the rows after T steps of a run", l.mean, tape.V[a.T], scale)
}
