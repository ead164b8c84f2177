package claims

import (
	"iter"
	"maps"
	"math/big"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/combin"

	"sledge/algos"
	"sledge/props/certificate/algebra"
)

// space is a vector space over the rationals. The printed algorithms are linear in gradients once
// their index sets are known, so each is written down here once, over any space, and run over two:
// formal gradients (forms), where an identity that holds for all sequences of index sets of a given
// size is proved for all functions, paths and step sizes of that size, and float64 vectors
// (floatSpace), where a run of the package algos is compared with it.
type space[V any] interface {
	// add returns dst + (num/den)·v, which may share memory with dst. A zero dst (of the type's
	// zero value) is the origin.
	add(dst V, num, den int, v V) V
}

// symbol names an unknown vector, such as the gradient of component i, datum j, at point number s.
type symbol struct {
	name    byte
	i, j, s int
}

// form is a linear combination of unknown vectors with rational coefficients, none of them zero.
// The nil form is the origin.
type form map[symbol]algebra.Rational

// forms is the space of linear combinations of unknown vectors. Adding never changes an operand.
type forms struct{}

func (forms) add(dst form, num, den int, v form) form {
	if num == 0 {
		return dst
	}
	out := maps.Clone(dst)
	if out == nil {
		out = make(form, len(v))
	}
	factor := algebra.Whole(int64(num)).Mul(algebra.Whole(int64(den)).Inv())
	for s, c := range v {
		if out[s] = out[s].Add(factor.Mul(c)); out[s].Sign() == 0 {
			delete(out, s)
		}
	}
	return out
}

// minus returns a − b.
func (a form) minus(b form) form { return forms{}.add(a, -1, 1, b) }

// size returns the sum of the squared coefficients: zero exactly for the origin.
func (a form) size() *big.Rat {
	sum := new(big.Rat)
	for _, c := range a {
		sum.Add(sum, c.Mul(c).Rat())
	}
	return sum
}

func unknown(name byte, i, j, s int) form { return form{{name, i, j, s}: algebra.Whole(1)} }

// anyGradients are gradients about which nothing is known: ∇f_i at point s is an unknown vector of
// its own.
func anyGradients(i, s int) form { return unknown('f', i, 0, s) }

// floatSpace is R^d. Adding changes dst unless it is nil.
type floatSpace struct{}

func (floatSpace) add(dst []float64, num, den int, v []float64) []float64 {
	if v == nil {
		return dst
	}
	if dst == nil {
		dst = make([]float64, len(v))
	}
	floats.AddScaled(dst, float64(num)/float64(den), v)
	return dst
}

// rats is the space of rational numbers. A nil number is 0.
type rats struct{}

func (rats) add(dst *big.Rat, num, den int, v *big.Rat) *big.Rat {
	out := new(big.Rat)
	if v != nil {
		out.Mul(big.NewRat(int64(num), int64(den)), v)
	}
	if dst != nil {
		out.Add(out, dst)
	}
	return out
}

// mean returns Σ v(i)/den over the indices.
func mean[V any](sp space[V], indices []int, den int, v func(i int) V) V {
	var out V
	for _, i := range indices {
		out = sp.add(out, 1, den, v(i))
	}
	return out
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

// batchSequences calls visit with every sequence I^from, …, I^T of minibatches of size b out of n;
// entries before from are nil.
func batchSequences(n, b, from, T int, visit func(batches [][]int)) {
	all, batches, o := combin.Combinations(n, b), make([][]int, T+1), algos.Outcomes{}
	for more := true; more; more = o.Turn() {
		for t := T; t >= from; t-- {
			batches[t] = all[o.Next(len(all))]
		}
		visit(batches)
	}
}

// unsampled returns the indices of [0, n) that none of the sets holds.
func unsampled(n int, sets ...[]int) []int {
	out := []int{}
	for i := range n {
		if !slices.ContainsFunc(sets, func(set []int) bool { return slices.Contains(set, i) }) {
			out = append(out, i)
		}
	}
	return out
}
