package claims

import (
	"iter"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/combin"

	"sledge/algos"
)

// The printed algorithms are linear in gradients once their index sets are known. Each is written
// down here once, over vectors, and run over two kinds of them: gradients about which nothing is
// known (see universal), where an identity that holds for all index sets of a given size is proved
// for all functions, paths and step sizes of that size, and those of runs of the package algos.

// add returns dst + cv, in the memory of dst. A nil vector is the origin.
func add(dst []float64, c float64, v []float64) []float64 {
	if v == nil {
		return dst
	}
	if dst == nil {
		dst = make([]float64, len(v))
	}
	floats.AddScaled(dst, c, v)
	return dst
}

// minus returns a − b in memory of its own.
func minus(a, b []float64) []float64 { return add(slices.Clone(a), -1, b) }

// sum returns Σ v(i) over the indices.
func sum(indices []int, v func(i int) []float64) (out []float64) {
	for _, i := range indices {
		out = add(out, 1, v(i))
	}
	return out
}

// mean returns the mean of the v(i).
func mean(indices []int, v func(i int) []float64) []float64 {
	out := sum(indices, v)
	floats.Scale(1/float64(len(indices)), out)
	return out
}

// average is (1/n) Σ_i y_i.
func average(y [][]float64) []float64 {
	return mean(upTo(len(y)), func(i int) []float64 { return y[i] })
}

// upTo returns 0, …, n−1.
func upTo(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// batchSizes runs through n from least to most, and b from 1 to n for each.
func batchSizes(least, most int) iter.Seq2[int, int] {
	return func(yield func(n, b int) bool) {
		for n := least; n <= most; n++ {
			for b := 1; b <= n; b++ {
				if !yield(n, b) {
					return
				}
			}
		}
	}
}

// batchSequences calls visit with every sequence I^1, …, I^T of minibatches of size b out of n, in
// the places 1 … T.
func batchSequences(n, b, T int, visit func(batches [][]int)) {
	all, batches, o := combin.Combinations(n, b), make([][]int, T+1), algos.Outcomes{}
	for more := true; more; more = o.Turn() {
		for t := T; t >= 1; t-- {
			batches[t] = all[o.Next(len(all))]
		}
		visit(batches)
	}
}

// unsampled returns the indices of [0, n) that none of the sets holds.
func unsampled(n int, sets ...[]int) []int {
	return slices.DeleteFunc(upTo(n), func(i int) bool {
		return slices.ContainsFunc(sets, func(set []int) bool { return slices.Contains(set, i) })
	})
}
