package claims

import "testing"

// The ledger says of the printed update of the mean what it subtracts too much: (1/n) Σ_{i∈I^t}
// (∇f_i(x^t) − ∇f_i(x^{t−1})), for all functions and paths and all tiny index sequences.
func TestPrintedMeanUpdateSubtractsTooMuch(t *testing.T) {
	tried, wrong := 0, 0
	follow := func(l *efficientUpdate[form], batches [][]int, t int) {
		l.step(batches[t], func(i int) form { return anyGradients(i, t) },
			func(i int) form { return anyGradients(i, t-1) })
	}
	tinyBoth(func(n int, batches [][]int) {
		y := sledgeTables(forms{}, anyGradients, n, batches)
		l, printed := newEfficientUpdate(forms{}, y[0]), newEfficientUpdate(forms{}, y[0])
		printed.asPrinted = true
		for s := 1; s < len(batches); s++ {
			printed.mean = l.mean
			follow(l, batches, s)
			follow(printed, batches, s)
			tooMuch := forms{}.add(nil, len(batches[s]), len(l.w),
				increment(forms{}, anyGradients, batches[s], s))
			tried++
			if l.mean.minus(average(forms{}, y[s])).size().Sign() != 0 ||
				l.mean.minus(printed.mean).minus(tooMuch).size().Sign() != 0 {
				t.Fatalf("n = %d, minibatches %v, step %d", len(l.w), batches, s)
			}
			if tooMuch.size().Sign() != 0 {
				wrong++
			}
		}
	})
	if tried < 1000 || wrong < tried/2 {
		t.Errorf("%d steps were tried, on %d of them something is subtracted", tried, wrong)
	}
}
