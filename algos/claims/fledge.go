package claims

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/combin"

	"sledge/props"
)

func fledgeClaims() []props.Binding {
	return []props.Binding{
		props.Bind("fledge-server-mean-update", settledRounds(1, checkUpdate)),
		props.Bind("fledge-client-permutation-equivariance", props.Identity(tryPermutations)),
		props.Bind("fledge-server-mean-update/mean-alone", props.ExactSizes(
			"any table y_i^{t−1}, messages and client sets, P ≤ 5", checkMeanAlone)),
	}
}

// checkMeanAlone has two tables with the same mean, of which one is 0 but for rows 1 and −1, and
// looks at what is left of the mean when the first of these is replaced by 0 and no row changes.
func checkMeanAlone(rec *props.Recorder) {
	for P, p := range batchSizes(2, 5) {
		for _, chosen := range combin.Combinations(P, p) {
			table := make([]float64, P)
			if left := unsampled(P, chosen); len(left) > 0 {
				table[chosen[0]], table[left[0]] = 1, -1
			}
			mean := floats.Sum(table)
			for _, i := range chosen {
				table[i] = 0
			}
			rec.Truth("tables of the same mean have one after the same messages, only if p = P",
				mean == 0 && (floats.Sum(table) == mean) == (p == P))
		}
	}
}
