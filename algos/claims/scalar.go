package claims

import (
	"math/big"
	"math/rand/v2"

	"sledge/algos"
	"sledge/props/keyed"
)

// scalar is a finite sum of quadratics of one variable with integer coefficients, f_i(x) = ½ a_i x² +
// c_i x, evaluated exactly: a place where values and gradients can stand in one formula.
type scalar struct{ a, c []int64 }

func (p scalar) gradient(i int, x *big.Rat) *big.Rat {
	g := new(big.Rat).Mul(big.NewRat(p.a[i], 1), x)
	return g.Add(g, big.NewRat(p.c[i], 1))
}

func (p scalar) value(i int, x *big.Rat) *big.Rat {
	v := new(big.Rat).Mul(big.NewRat(p.a[i], 2), x)
	v.Add(v, big.NewRat(p.c[i], 1))
	return v.Mul(v, x)
}

// run performs SLEDGE, Option II, on the problem with the given minibatches and returns the
// iterates and the estimators.
func (p scalar) run(batches [][]int, eta, x0 *big.Rat) (x, v []*big.Rat) {
	n := len(p.a)
	x = []*big.Rat{x0}
	grad := func(i, s int) *big.Rat { return p.gradient(i, x[s]) }
	var y []*big.Rat
	for t := range batches {
		if t == 0 {
			y = sledgeTables(rats{}, grad, n, batches[:1])[0]
		} else {
			inc := increment(rats{}, grad, batches[t], t)
			for i := range y {
				y[i] = plus(rats{}, y[i], inc)
			}
			for _, i := range batches[t] {
				y[i] = grad(i, t)
			}
		}
		v = append(v, average(rats{}, y))
		x = append(x, new(big.Rat).Sub(x[t], new(big.Rat).Mul(eta, v[t])))
	}
	return x[:len(batches)], v
}

// drawBatches draws I^1, …, I^T for n components, with entry 0 nil.
func drawBatches(n, b, T int, r *rand.Rand) [][]int {
	out := make([][]int, T+1)
	random := algos.Keyed(keyed.New(r.Uint64()))
	for t := 1; t <= T; t++ {
		out[t] = make([]int, b)
		random.Subset(out[t], n, algos.Batches)
	}
	return out
}
