package concentration

import (
	"fmt"
	"math"

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

// drawHorizon draws a horizon T, a number of components and a failure probability.
func drawHorizon(src *props.Source) (n, b, T int, nu float64) {
	n = src.LogInt("n", 1, 1e6)
	return n, src.LogInt("b", 1, n), src.LogInt("T", 1, 3000), src.LogReal("ν", 1e-12, 0.999)
}

// missed returns a rigorous upper bound, n times the exact probability for one index, on the
// probability that Ĩ_s^t is not empty for some t ≤ T and some 1 ≤ s ≤ t − T_1 with T_1 = C_1n/b.
// The set shrinks as s decreases, so the largest s counts: ⌈T_1⌉ + 1 minibatches in a row.
func missed(n, b, T int, c1 float64) float64 {
	length := math.Ceil(c1*float64(n)/float64(b)*(1-1e-14)) + 1
	if length > float64(T) {
		return 0
	}
	return float64(n) * math.Exp(NeverDrawn(n, b, int(length), T))
}

// checkCoverage compares the probability that some index is missed for longer than T_1 = C_1n/b
// with ν.
func checkCoverage(c1 func(n, b, T, nu float64) float64) props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		n, b, T, nu := drawHorizon(src)
		p := missed(n, b, T, c1(float64(n), float64(b), float64(T), nu))
		if p == 0 {
			rec.Skip("the horizon is shorter than the window, so nothing is claimed")
			return
		}
		rec.AtMost("n·P(one index is missed for longer than T_1)", p, nu)
	})
}

var coverageUnion = []props.Binding{
	props.Bind("coverage-union-bound", checkCoverage(func(n, _, T, nu float64) float64 {
		return math.Log(n * T / nu)
	})),
	props.Bind("coverage-union-bound/sharper",
		checkCoverage(func(n, b, T, nu float64) float64 { return math.Log((n + b*T) / nu) })),
}
