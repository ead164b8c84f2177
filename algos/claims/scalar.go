package claims

import (
	"math/big"
	"math/rand/v2"
)

// scalar is a sum of quadratics of one variable with integer coefficients, f_ij(x) = ½ a x² + c x,
// over clients with the same number of data, evaluated exactly: a place where values and gradients
// can stand in one formula.
type scalar struct {
	a, c []int64
	size int
}

// drawScalar draws coefficients of at most so much.
func drawScalar(P, size int, most int64, r *rand.Rand) scalar {
	p := scalar{size: size}
	for range P * size {
		p.a, p.c = append(p.a, r.Int64N(2*most+1)-most), append(p.c, r.Int64N(2*most+1)-most)
	}
	return p
}

func (p scalar) gradient(i, j int, x *big.Rat) *big.Rat {
	k := i*p.size + j
	g := new(big.Rat).Mul(big.NewRat(p.a[k], 1), x)
	return g.Add(g, big.NewRat(p.c[k], 1))
}

func (p scalar) value(i, j int, x *big.Rat) *big.Rat {
	k := i*p.size + j
	v := new(big.Rat).Mul(big.NewRat(p.a[k], 2), x)
	v.Add(v, big.NewRat(p.c[k], 1))
	return v.Mul(v, x)
}

// sledge runs SLEDGE, Option II, from x⁰ = 1 with the given minibatches and a step size of 1/den. It
// returns the iterates, the estimators, and the gradients on the way.
func (p scalar) sledge(batches [][]int, den int) (x, v []*big.Rat, grad func(i, s int) *big.Rat) {
	x = []*big.Rat{big.NewRat(1, 1)}
	grad = func(i, s int) *big.Rat { return p.gradient(i, 0, x[s]) }
	y, _ := listing(rats{}, func(i, _, s int) *big.Rat { return grad(i, s) }, len(p.a), 1,
		asRounds(len(p.a), batches), func(v *big.Rat) {
			x = append(x, rats{}.add(x[len(x)-1], -1, den, v))
		})
	for _, rows := range y {
		v = append(v, average(rats{}, rows))
	}
	return x, v, grad
}
