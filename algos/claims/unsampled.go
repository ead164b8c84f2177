package claims

import (
	"slices"

	"sledge/props"
)

func unsampledClaims() []props.Binding {
	return []props.Binding{
		props.Bind("unsampled-set-definition", threeSteps().exact(checkPrintedSets)),
		props.Bind("unsampled-set-definition/corrected",
			settled(drawRun, 0.3, threeSteps().bothOptions(), checkDecomposition)),
	}
}

// checkPrintedSets compares the readings of Ĩ_s^t that the text admits.
func checkPrintedSets(a instance, rec *props.Recorder) {
	r := a.followed()
	between := r.unsampled(a.T)
	printed := make([][]int, len(between))
	for s := 1; s <= a.T; s++ {
		printed[s] = unsampled(a.P, r.Batch(a.T))
		rec.Truth("[n] ∖ ∪_τ I^t is the set of indexes not sampled between s and t",
			slices.Equal(printed[s], between[s]))
		rec.Truth("the descriptions of lines 331 and 1163 agree",
			slices.Equal(between[s+1], between[s]))
	}
	r.checkError(rec, "n times the error, with [n] ∖ ∪_τ I^t", a.T, printed)
	r.checkError(rec, "n times the error, with the sets of line 1163", a.T, between[1:])
}

// checkError compares the error with its decomposition for some sets.
func (r *followed) checkError(rec *props.Recorder, what string, t int, left [][]int) {
	err := sum(upTo(r.P), func(int) []float64 { return r.error(t) })
	r.same(rec, what, err, r.decomposition(t, left))
}

// checkDecomposition decomposes the error with the sets of all that was not sampled since.
func checkDecomposition(a instance, rec *props.Recorder) {
	r := a.followed()
	for t := 1; t <= a.T; t++ {
		r.checkError(rec, "n(v^t − ∇f(x^t))", t, r.unsampled(t))
	}
}
