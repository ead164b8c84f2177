package claims

import (
	"slices"

	"sledge/props"
)

func unsampledClaims() []props.Binding {
	return []props.Binding{
		props.Bind("unsampled-set-definition", props.ExactSizes(tinyDomain+", Option II, t = 3",
			func(rec *props.Recorder) {
				tiny(1, func(n int, batches [][]int) {
					const t = 3
					y := sledgeTables(forms{}, anyGradients, n, batches)
					err := errorOf(anyGradients, y, t)
					for s := 1; s <= t; s++ {
						between := unsampled(n, batches[s:t+1]...)
						rec.Truth("[n] ∖ ∪_τ I^t is the set of indexes not sampled between s and t",
							slices.Equal(unsampled(n, batches[t]), between))
						rec.Truth("the descriptions of lines 331 and 1163 agree",
							slices.Equal(unsampled(n, batches[s+1:t+1]...), between))
					}
					printed := decomposition(forms{}, anyGradients, y[0], batches, t,
						func(int) []int { return unsampled(n, batches[t]) })
					recordZero(rec, "error − decomposition with [n] ∖ ∪_τ I^t", err.minus(printed))
					other := decomposition(forms{}, anyGradients, y[0], batches, t,
						func(s int) []int { return unsampled(n, batches[s+1:t+1]...) })
					recordZero(rec, "error − decomposition with the sets of line 1163",
						err.minus(other))
				})
			})),
		props.Bind("unsampled-set-definition/corrected",
			props.ExactSizes(tinyDomain+", both options", func(rec *props.Recorder) {
				tinyBoth(func(n int, batches [][]int) {
					y := sledgeTables(forms{}, anyGradients, n, batches)
					for t := 1; t < len(batches); t++ {
						right := decomposition(forms{}, anyGradients, y[0], batches, t,
							func(s int) []int { return unsampled(n, batches[s:t+1]...) })
						recordZero(rec, "v^t − ∇f(x^t) − decomposition",
							errorOf(anyGradients, y, t).minus(right))
					}
				})
			})),
	}
}
