package claims

import "slices"

// The algorithms of the text, to the letter, as linear maps of gradients: grad(i, s) is ∇f_i(x^s),
// batches[t] is I^t.

// sledgeTables is lines 287-298 of algorithm:main: y_i^t for t = 0 … T. The initialisation is
// Option I if there is an I^0, Option II if it is nil.
func sledgeTables[V any](sp space[V], grad func(i, s int) V, n int, batches [][]int) [][]V {
	y := make([][]V, len(batches))
	for t, batch := range batches {
		y[t] = make([]V, n)
		switch {
		case t == 0 && batch == nil:
			for i := range n {
				y[t][i] = grad(i, 0)
			}
		case t == 0:
			first := mean(sp, batch, len(batch), func(j int) V { return grad(j, 0) })
			for i := range n {
				y[t][i] = first
			}
		default:
			inc := increment(sp, grad, batch, t)
			for i := range n {
				if slices.Contains(batch, i) {
					y[t][i] = grad(i, t)
				} else {
					y[t][i] = plus(sp, y[t-1][i], inc)
				}
			}
		}
	}
	return y
}

// increment is (1/b) Σ_{j∈I^t} (∇f_j(x^t) − ∇f_j(x^{t−1})).
func increment[V any](sp space[V], grad func(i, s int) V, batch []int, t int) V {
	var out V
	for _, j := range batch {
		out = sp.add(out, 1, len(batch), grad(j, t))
		out = sp.add(out, -1, len(batch), grad(j, t-1))
	}
	return out
}

// plus returns a + b in memory of its own.
func plus[V any](sp space[V], a, b V) V {
	var out V
	return sp.add(sp.add(out, 1, 1, a), 1, 1, b)
}

// average is (1/n) Σ_i y_i.
func average[V any](sp space[V], y []V) V {
	return mean(sp, upTo(len(y)), len(y), func(i int) V { return y[i] })
}

// fullGradient is ∇f(x^s).
func fullGradient[V any](sp space[V], grad func(i, s int) V, n, s int) V {
	return mean(sp, upTo(n), n, func(i int) V { return grad(i, s) })
}

// lastSampled returns T(t, i) for all i: the last step up to t whose minibatch held i, 0 if there
// is none.
func lastSampled(n int, batches [][]int, t int) []int {
	out := make([]int, n)
	for s := 1; s <= t; s++ {
		for _, i := range batches[s] {
			out[i] = s
		}
	}
	return out
}

// auxiliary are the variables of the efficient implementation (lines 355-361) after each step: the
// common shift v^t, and for every component the shift v_i^t and the gradient w_i^t of its last
// refresh.
type auxiliary[V any] struct {
	v      []V
	vi, wi [][]V
}

func efficientVariables[V any](sp space[V], grad func(i, s int) V, y0 []V,
	batches [][]int) auxiliary[V] {
	n := len(y0)
	a := auxiliary[V]{v: make([]V, len(batches)), vi: [][]V{make([]V, n)}, wi: [][]V{y0}}
	for t := 1; t < len(batches); t++ {
		a.v[t] = plus(sp, a.v[t-1], increment(sp, grad, batches[t], t))
		vi, wi := slices.Clone(a.vi[t-1]), slices.Clone(a.wi[t-1])
		for _, i := range batches[t] {
			vi[i], wi[i] = a.v[t], grad(i, t)
		}
		a.vi, a.wi = append(a.vi, vi), append(a.wi, wi)
	}
	return a
}

// meanUpdate is line 362: the mean of the y_i^t from that of the y_i^{t−1}. As printed (shiftAfter)
// the refreshed rows are taken to be w_i^{t−1} + v_i^t − v_i^{t−1}; they are w_i^{t−1} + v^{t−1} −
// v_i^{t−1}.
func (a auxiliary[V]) meanUpdate(sp space[V], grad func(i, s int) V, old V, batch []int, t int,
	shiftAfter bool) V {
	n, b := len(a.vi[t]), len(batch)
	var out V
	out = sp.add(out, 1, 1, old)
	for _, i := range batch {
		out = sp.add(out, 1, b, grad(i, t))
		out = sp.add(out, -(n - b), n*b, grad(i, t-1))
		out = sp.add(out, -1, n, a.wi[t-1][i])
		if shiftAfter {
			out = sp.add(out, -1, n, a.vi[t][i])
		} else {
			out = sp.add(out, -1, n, a.v[t-1])
		}
		out = sp.add(out, 1, n, a.vi[t-1][i])
	}
	return out
}

// decomposition is the right-hand side of the error formula of the proof (lines 1387-1392), v^t −
// ∇f(x^t) as a sum over steps, with the given sets for Ĩ_s^t.
func decomposition[V any](sp space[V], grad func(i, s int) V, y0 []V, batches [][]int, t int,
	set func(s int) []int) V {
	n := len(y0)
	var out V
	for s := 1; s <= t; s++ {
		left := set(s)
		b := len(batches[s])
		for _, i := range batches[s] {
			out = sp.add(out, len(left), n*b, grad(i, s))
			out = sp.add(out, -len(left), n*b, grad(i, s-1))
		}
		for _, i := range left {
			out = sp.add(out, -1, n, grad(i, s))
			out = sp.add(out, 1, n, grad(i, s-1))
		}
	}
	for _, i := range set(1) {
		out = sp.add(out, 1, n, y0[i])
		out = sp.add(out, -1, n, grad(i, 0))
	}
	return out
}

// tiny runs through all sequences of minibatches of up to four components and three minibatches,
// I^1 … I^3 (from = 1) or I^0 … I^2 (from = 0).
func tiny(from int, visit func(n int, batches [][]int)) {
	for n := 1; n <= 4; n++ {
		for b := 1; b <= n; b++ {
			batchSequences(n, b, from, 2+from, func(batches [][]int) { visit(n, batches) })
		}
	}
}

const tinyDomain = "all functions and paths, all sequences of minibatches of every size with n ≤ 4 and three draws"
