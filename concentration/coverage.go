package concentration

import (
	"fmt"
	"math"
	"sort"

	"sledge/props"
)

// NeverDrawn returns the logarithm of the probability that some run of the given length of T
// independent minibatches of size b out of n misses a given index, computed exactly by first
// completions; -Inf if T is below the length.
func NeverDrawn(n, b, length, T int) float64 {
	if b < 0 || b > n || length < 1 {
		panic(fmt.Sprintf("concentration: no runs of %d minibatches of size %d of %d",
			length, b, n))
	}
	if T < length || b == n {
		return math.Inf(-1)
	}
	miss := math.Log1p(-float64(b) / float64(n))
	run, hit := float64(length)*miss, math.Log(float64(b)/float64(n))
	// first[t]: logarithm of the probability that a run of misses is completed for the first time
	// at step t; total[t]: by step t
	total := make([]float64, T+1)
	for t := range total {
		total[t] = math.Inf(-1)
	}
	for t := length; t <= T; t++ {
		first := run
		if t > length { // the step before the run draws the index, and no run ended before that
			first += hit + math.Log1p(-math.Exp(total[t-length-1]))
		}
		total[t] = logAdd(total[t-1], first)
	}
	return total[T]
}

// gaps are the steps that an index may wait for. Longest is the largest T_1 for which n times the
// exact probability of one index, a rigorous upper bound on the probability that Ĩ_s^t is not empty
// for some t ≤ T and s ≤ t − T_1, is above ν. The set shrinks as s decreases, so the largest s
// counts: T_1 + 1 minibatches in a row.
var gaps = measured("for $n ≤ 10⁶$, $T ≤ 3000$, exactly", "n b T ν",
	"longest: the largest $T_1$ for which $n$ times the probability that $T_1 + 1$ minibatches in a "+
		"row miss an index is above $ν$", 1,
	func(src *props.Source) (string, map[string]float64) {
		n := src.LogInt("n", 1, 1e6)
		b, T, nu := src.LogInt("b", 1, n), src.LogInt("T", 1, 3000), src.LogReal("ν", 1e-12, 0.999)
		rarely := func(short int) bool { return float64(n)*math.Exp(NeverDrawn(n, b, short+1, T)) <= nu }
		return "", map[string]float64{"n": float64(n), "b": float64(b), "T": float64(T), "ν": nu,
			"longest": float64(sort.Search(T, rarely) - 1)}
	})
