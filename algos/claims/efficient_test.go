package claims

import "testing"

// The ledger says of the printed update of the mean what it subtracts too much: (1/n) Σ_{i∈I^t}
// (∇f_i(x^t) − ∇f_i(x^{t−1})), for all functions and paths and all tiny index sequences.
func TestPrintedMeanUpdateSubtractsTooMuch(t *testing.T) {
	tried, wrong := 0, 0
	for from := range 2 {
		tiny(from, func(n int, batches [][]int) {
			y := sledgeTables(forms{}, anyGradients, n, batches)
			a := efficientVariables(forms{}, anyGradients, y[0], batches)
			for s := 1; s < len(batches); s++ {
				update := func(asPrinted bool) form {
					return a.meanUpdate(forms{}, anyGradients, average(forms{}, y[s-1]), batches[s], s,
						asPrinted)
				}
				tooMuch := forms{}.add(nil, len(batches[s]), n,
					increment(forms{}, anyGradients, batches[s], s))
				tried++
				if update(false).minus(average(forms{}, y[s])).size().Sign() != 0 ||
					update(false).minus(update(true)).minus(tooMuch).size().Sign() != 0 {
					t.Fatalf("n = %d, minibatches %v, step %d", n, batches, s)
				}
				if tooMuch.size().Sign() != 0 {
					wrong++
				}
			}
		})
	}
	if tried < 1000 || wrong < tried/2 {
		t.Errorf("%d steps were tried, on %d of them something is subtracted", tried, wrong)
	}
}
