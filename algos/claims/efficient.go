package claims

import (
	"math/rand/v2"

	"sledge/props"
	"sledge/props/keyed"
	"sledge/props/settle"
)

// efficientUpdate is SLEDGE's efficient implementation (lines 355-363, with the shift before the
// step in the mean update) on storage that counts how many numbers are read or written. It does
// nothing that the text does not ask for.
type efficientUpdate struct {
	n, d            int
	w, v            [][]float64 // the stored rows w_i and v_i
	common, mean    []float64   // v^t and (1/n) Σ y_i^t
	touched, stored int
}

func newEfficientUpdate(y0 [][]float64) *efficientUpdate {
	l := &efficientUpdate{n: len(y0), d: len(y0[0])}
	l.common, l.mean = l.vector(), l.vector()
	for _, y := range y0 {
		w := l.vector()
		copy(w, y)
		l.w, l.v = append(l.w, w), append(l.v, l.vector())
		l.axpy(l.mean, 1/float64(l.n), w)
	}
	l.touched = 0
	return l
}

func (l *efficientUpdate) vector() []float64 {
	l.stored += l.d
	return make([]float64, l.d)
}

func (l *efficientUpdate) axpy(dst []float64, a float64, x []float64) {
	l.touched += 2 * l.d
	for k, v := range x {
		dst[k] += a * v
	}
}

func (l *efficientUpdate) copy(dst, x []float64) {
	l.touched += 2 * l.d
	copy(dst, x)
}

// step updates the mean with the gradients of the batch at x^t and x^{t−1}.
func (l *efficientUpdate) step(batch []int, now, before func(i int) []float64) {
	n, b := float64(l.n), float64(len(batch))
	for _, i := range batch {
		l.axpy(l.mean, 1/b, now(i))
		l.axpy(l.mean, -(n-b)/(n*b), before(i))
		l.axpy(l.mean, -1/n, l.w[i])
		l.axpy(l.mean, -1/n, l.common)
		l.axpy(l.mean, 1/n, l.v[i])
	}
	for _, i := range batch {
		l.axpy(l.common, 1/b, now(i))
		l.axpy(l.common, -1/b, before(i))
	}
	for _, i := range batch {
		l.copy(l.w[i], now(i))
		l.copy(l.v[i], l.common)
	}
}

// drawEfficientUpdate runs one step of the efficient implementation on random gradients.
func drawEfficientUpdate(src *props.Source) (l *efficientUpdate, b int) {
	n, d := src.LogInt("n", 1, 2000), src.LogInt("d", 1, 30)
	b = min(n, src.LogInt("b", 1, 200))
	return efficientStep(n, b, d, src.Rand("gradients")), b
}

// efficientStep runs one step of the efficient implementation on random gradients.
func efficientStep(n, b, d int, r *rand.Rand) *efficientUpdate {
	y0 := make([][]float64, n)
	for i := range y0 {
		y0[i] = make([]float64, d)
	}
	g := normal(d, r)
	l := newEfficientUpdate(y0)
	for _, batch := range drawBatches(n, b, 1, r)[1:] {
		l.step(batch, func(int) []float64 { return g }, func(int) []float64 { return g })
	}
	return l
}

// countUpdate compares what a step of the efficient implementation touches and stores.
func countUpdate(rec *props.Recorder, l *efficientUpdate, b int) {
	recordCount(rec, "numbers read or written by a step, 18bd", int64(l.touched), props.EQ,
		18*b*l.d)
	recordCount(rec, "numbers stored, 2(n + 1)d", int64(l.stored), props.EQ, 2*(l.n+1)*l.d)
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
				l, b := drawEfficientUpdate(src)
				countUpdate(rec, l, b)
			}).Effort(0.3), props.ExactSizes("n ≤ 6, every b and d ≤ 3", func(rec *props.Recorder) {
				for n := 1; n <= 6; n++ {
					for b := 1; b <= n; b++ {
						for d := 1; d <= 3; d++ {
							countUpdate(rec, efficientStep(n, b, d, keyed.New(1).Rand()), b)
						}
					}
				}
			}).Procedure()),
			props.Settled(props.Identity(func(src *props.Source, rec *props.Recorder) {
				a := drawSLEDGERun(src)
				tape := a.tape(a.sledge())
				grad, scale := a.alongSum(tape)
				y := sledgeTables(floatSpace{}, grad, a.P, batches(tape))
				l := newEfficientUpdate(y[0])
				for t := 1; t <= a.T; t++ {
					l.step(tape.Batch(t), func(i int) []float64 { return grad(i, t) },
						func(i int) []float64 { return grad(i, t-1) })
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
	for from := range 2 {
		tiny(from, func(n int, batches [][]int) {
			y := sledgeTables(forms{}, anyGradients, n, batches)
			a := efficientVariables(forms{}, anyGradients, y[0], batches)
			for t := range y {
				for i, row := range y[t] {
					row = forms{}.add(row.minus(a.wi[t][i]).minus(a.v[t]), 1, 1, a.vi[t][i])
					recordZero(rec, "y_i^t − (w_i^t + v^t − v_i^t)", row)
				}
			}
		})
	}
}

// meanUpdates compares line 362 as printed with the mean of the literal rows for all tiny index
// sequences.
func meanUpdates(rec *props.Recorder) {
	for from := range 2 {
		tiny(from, func(n int, batches [][]int) {
			y := sledgeTables(forms{}, anyGradients, n, batches)
			a := efficientVariables(forms{}, anyGradients, y[0], batches)
			for t := 1; t < len(batches); t++ {
				updated := a.meanUpdate(forms{}, anyGradients, average(forms{}, y[t-1]), batches[t],
					t, true)
				recordZero(rec, "mean of the rows − update", average(forms{}, y[t]).minus(updated))
			}
		})
	}
}

// meanUpdateRun follows the update along a recorded run of SLEDGE and compares it with the mean of
// the rows at the end.
func meanUpdateRun(run instance, rec *props.Recorder, asPrinted bool) {
	if run.formal == nil {
		run.radius += 0.01 // keeps iterates apart
	}
	tape := run.tape(run.sledge())
	grad, scale := run.alongSum(tape)
	sets := batches(tape)
	y := sledgeTables(floatSpace{}, grad, run.P, sets)
	a := efficientVariables(floatSpace{}, grad, y[0], sets)
	updated := average(floatSpace{}, y[0])
	for t := 1; t <= run.T; t++ {
		updated = a.meanUpdate(floatSpace{}, grad, updated, sets[t], t, asPrinted)
	}
	run.recordSame(rec, "mean of the rows after T steps of a run", updated, tape.V[run.T], scale)
}
