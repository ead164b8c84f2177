package claims

import (
	"math/big"
	"slices"

	"sledge/algos"
	"sledge/props"
)

// memo remembers every gradient of every component and counts those that had to be computed. A
// method that runs on it is the thrifty version of itself.
type memo struct {
	algos.Problem
	at, grad [][][]float64
	computed int64
}

func (m *memo) Gradient(dst, x []float64, i, j int) {
	k := slices.IndexFunc(m.at[i], func(y []float64) bool { return slices.Equal(x, y) })
	if k < 0 {
		k = len(m.at[i])
		m.computed++
		m.at[i], m.grad[i] = append(m.at[i], slices.Clone(x)),
			append(m.grad[i], make([]float64, len(x)))
		m.Problem.Gradient(m.grad[i][k], x, i, j)
	}
	copy(dst, m.grad[i][k])
}

func sledgeClaims() []props.Binding {
	return []props.Binding{
		props.Bind("sledge-literal-update", settledRuns(0.5, checkListing)),
		props.Bind("sledge-zero-heterogeneity-exact/sharper", settledFlat()),
		props.Bind("sledge-gradient-count/sharper", checkReuse()),
	}
}

// checkReuse counts the gradients of a run that reuses those of the step before.
func checkReuse() props.Check {
	return props.All(
		settledRuns(0.5, func(a instance, rec *props.Recorder) {
			if a.formal == nil {
				a.radius += 0.01 // keeps iterates apart
			}
			thrifty, m := a, &memo{Problem: a.p, at: make([][][]float64, a.P),
				grad: make([][][]float64, a.P)}
			thrifty.pose(m)
			tape := thrifty.tape(a.sledge())
			want := int64(a.b)
			if a.option == algos.OptionII {
				want = int64(a.P - a.b)
			}
			for t := 1; t <= a.T; t++ {
				want += int64(2*a.b - overlap(tape.Batch(t), tape.Batch(t-1)))
			}
			rec.Rats("gradients computed", big.NewRat(m.computed, 1), props.EQ, big.NewRat(want, 1))
			a.recordSameRun(rec, "with and without reuse", tape, a.tape(a.sledge()))
		}),
		props.ExactSizes("mean of |I^t ∩ I^{t−1}| over all pairs of minibatches, n ≤ 6",
			func(rec *props.Recorder) {
				for n, b := range batchSizes(1, 6) {
					shared, pairs := int64(0), int64(0)
					batchSequences(n, b, 2, func(batches [][]int) {
						shared += int64(overlap(batches[1], batches[2]))
						pairs++
					})
					rec.Rats("mean overlap", big.NewRat(shared, pairs), props.EQ,
						big.NewRat(int64(b*b), int64(n)))
				}
			}),
	)
}
