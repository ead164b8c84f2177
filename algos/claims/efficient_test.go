package claims

import "testing"

// The ledger says of the printed update of the mean what it subtracts too much: (1/n) Σ_{i∈I^t}
// (∇f_i(x^t) − ∇f_i(x^{t−1})), for all functions and paths and all tiny index sequences.
func TestPrintedMeanUpdateSubtractsTooMuch(t *testing.T) {
	tried, wrong := 0, 0
	sizes := threeSteps()
	sizes.all = append(sizes.all, tinyRuns().all...)
	sizes.visit(func(a instance) {
		r := a.followed()
		l, printed := newEfficientUpdate(r.y[0]), newEfficientUpdate(r.y[0])
		printed.asPrinted = true
		for s := 1; s <= a.T; s++ {
			copy(printed.mean, l.mean)
			now, before := r.answer(s, s), r.answer(s, s-1)
			l.step(r.Batch(s), now, before)
			printed.step(r.Batch(s), now, before)
			tooMuch := sum(r.Batch(s), r.change(s))
			tried++
			if a.formal.apart(l.mean, average(r.y[s])) != 0 ||
				a.formal.apart(l.mean, add(printed.mean, 1/float64(a.P), tooMuch)) != 0 {
				t.Fatalf("n = %d, minibatches %v, step %d", a.P, r.rounds, s)
			}
			if a.formal.apart(tooMuch, make([]float64, a.d)) != 0 {
				wrong++
			}
		}
	})
	if tried < 1000 || wrong < tried/2 {
		t.Errorf("%d steps were tried, on %d of them something is subtracted", tried, wrong)
	}
}
