package claims

import (
	"slices"

	"sledge/algos"
	"sledge/props"
)

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
			// Every gradient of a component is remembered: a point, and what it was there.
			thrifty, known, computed := a, make([][][2][]float64, a.P), 0
			thrifty.pose(altered{a.p, 1, func(dst, x []float64, i, _ int) {
				k := slices.IndexFunc(known[i],
					func(of [2][]float64) bool { return slices.Equal(x, of[0]) })
				if k < 0 {
					k = len(known[i])
					computed++
					g := make([]float64, len(x))
					a.p.Gradient(g, x, i, 0)
					known[i] = append(known[i], [2][]float64{slices.Clone(x), g})
				}
				copy(dst, known[i][k][1])
			}})
			tape := thrifty.tape(a.sledge())
			want := a.b
			if a.option == algos.OptionII {
				want = a.P - a.b
			}
			for t := 1; t <= a.T; t++ {
				want += 2*a.b - overlap(tape.Batch(t), tape.Batch(t-1))
			}
			recordCount(rec, "gradients computed", computed, props.EQ, want)
			a.formal.recordSameRun(rec, "with and without reuse", tape, a.tape(a.sledge()))
		}),
		props.ExactSizes("mean of |I^t ∩ I^{t−1}| over all pairs of minibatches, n ≤ 6",
			func(rec *props.Recorder) {
				for n, b := range batchSizes(1, 6) {
					shared, pairs := 0, 0
					batchSequences(n, b, 2, func(batches [][]int) {
						shared += overlap(batches[1], batches[2])
						pairs++
					})
					recordCount(rec, "n times the overlap of all pairs", n*shared, props.EQ,
						b*b*pairs)
				}
			}),
	)
}
