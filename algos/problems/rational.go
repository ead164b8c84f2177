package problems

import (
	"fmt"
	"math/big"
	"slices"

	"sledge/algos"
	"sledge/props/certificate/algebra"
)

// RatQuadratic is a quadratic in exact rational arithmetic: the same numbers as the floating-point
// one it was made from, without rounding. The gradient of a client is the exact mean of those of
// its data, and f the exact mean over clients.
type RatQuadratic struct {
	d    int
	off  []int
	mats [][]*big.Rat
	mat  []int
	lin  [][]*big.Rat
	con  []*big.Rat
}

// Rat returns the problem in exact arithmetic. It panics if its data are not plain quadratics.
func (o objective) Rat() *RatQuadratic {
	p, ok := o.engine.(*composite)
	if !ok || p.core != nil {
		panic("problems: what is not a plain quadratic has no rational form")
	}
	q := &RatQuadratic{d: p.d, off: p.off, mat: p.data.mat}
	for _, m := range p.data.mats {
		if m == nil {
			m = make([]float64, p.d*p.d)
		}
		q.mats = append(q.mats, RatVector(m))
	}
	for k := range p.data.mat {
		_, b := p.data.at(k, p.d)
		q.lin = append(q.lin, RatVector(b))
	}
	q.con = RatVector(p.data.con)
	return q
}

// RatVector returns the exact values of x.
func RatVector(x []float64) []*big.Rat {
	v := make([]*big.Rat, len(x))
	for k := range v {
		v[k] = new(big.Rat).SetFloat64(x[k])
	}
	return v
}

// Components returns n, or P for a federated quadratic.
func (q *RatQuadratic) Components() int { return len(q.off) - 1 }

// Size returns the number of data of component (client) i.
func (q *RatQuadratic) Size(i int) int { return q.off[i+1] - q.off[i] }

// Dim returns d.
func (q *RatQuadratic) Dim() int { return q.d }

// DatumGradient returns ∇f_ij(x).
func (q *RatQuadratic) DatumGradient(x []*big.Rat, i, j int) []*big.Rat {
	k := q.off[i] + j
	a, g, t := q.mats[q.mat[k]], make([]*big.Rat, q.d), new(big.Rat)
	for r := range g {
		g[r] = new(big.Rat).Set(q.lin[k][r])
		for c, v := range x {
			g[r].Add(g[r], t.Mul(a[r*q.d+c], v))
		}
	}
	return g
}

// Gradient returns ∇f_i(x).
func (q *RatQuadratic) Gradient(x []*big.Rat, i int) []*big.Rat {
	return ratMean(q.Size(i), func(j int) []*big.Rat { return q.DatumGradient(x, i, j) })
}

var _ algos.PreciseSum = (*RatQuadratic)(nil)

// PreciseGradient sets dst to ∇f_i(x) with the precision of its elements.
func (q *RatQuadratic) PreciseGradient(dst, x []*big.Float, i int) {
	exact := make([]*big.Rat, len(x))
	for k, v := range x {
		exact[k], _ = v.Rat(nil)
	}
	for k, g := range q.Gradient(exact, i) {
		dst[k].SetRat(g)
	}
}

// FullGradient returns ∇f(x).
func (q *RatQuadratic) FullGradient(x []*big.Rat) []*big.Rat {
	return ratMean(q.Components(), func(i int) []*big.Rat { return q.Gradient(x, i) })
}

// Value returns f(x).
func (q *RatQuadratic) Value(x []*big.Rat) *big.Rat {
	half := big.NewRat(1, 2)
	return ratMean(q.Components(), func(i int) []*big.Rat {
		return ratMean(q.Size(i), func(j int) []*big.Rat {
			k := q.off[i] + j
			g, v, t := q.DatumGradient(x, i, j), new(big.Rat).Set(q.con[k]), new(big.Rat)
			for r, xr := range x { // ½x'Ax + b'x = ½x'(∇f_ij + b)
				t.Add(g[r], q.lin[k][r])
				v.Add(v, t.Mul(t, half).Mul(t, xr))
			}
			return []*big.Rat{v}
		})
	})[0]
}

// SmoothConstant returns L, or the least L(1 + 2^k) with k ≥ -52 for which the gradient of the
// exact f is certainly Lipschitz with that constant: for which LI − ∇²f and LI + ∇²f are positive
// semidefinite in exact arithmetic. A constant of the floating-point problem has been rounded, and
// so has the mean of its matrices. It panics if even k = -30 does not do: such a constant is not
// rounded but wrong.
func (q *RatQuadratic) SmoothConstant(L float64) *big.Rat {
	h := q.hessian()
	at := new(big.Rat).SetFloat64(L)
	for k := uint(52); !algebra.Semidefinite(q.shifted(h, at, -1)) ||
		!algebra.Semidefinite(q.shifted(h, at, 1)); k-- {
		if k < 30 {
			panic(fmt.Sprintf("problems: the gradient of a quadratic is not Lipschitz with constant %v", L))
		}
		at.SetFloat64(L)
		at.Mul(at, new(big.Rat).Add(big.NewRat(1, 1), big.NewRat(1, 1<<k)))
	}
	return at
}

// hessian returns the exact ∇²f by rows.
func (q *RatQuadratic) hessian() []*big.Rat {
	return ratMean(q.Components(), func(i int) []*big.Rat {
		return ratMean(q.Size(i), func(j int) []*big.Rat {
			h := make([]*big.Rat, q.d*q.d)
			for k, v := range q.mats[q.mat[q.off[i]+j]] {
				h[k] = new(big.Rat).Set(v)
			}
			return h
		})
	})
}

// shifted returns the rows of sI ± h.
func (q *RatQuadratic) shifted(h []*big.Rat, s *big.Rat, sign int64) [][]*big.Rat {
	m, c := make([]*big.Rat, len(h)), big.NewRat(sign, 1)
	for k, v := range h {
		if m[k] = new(big.Rat).Mul(c, v); k/q.d == k%q.d {
			m[k].Add(m[k], s)
		}
	}
	return slices.Collect(slices.Chunk(m, q.d))
}

func ratMean(n int, at func(int) []*big.Rat) []*big.Rat {
	mean := at(0)
	for i := 1; i < n; i++ {
		for r, v := range at(i) {
			mean[r].Add(mean[r], v)
		}
	}
	w := big.NewRat(1, int64(n))
	for _, v := range mean {
		v.Mul(v, w)
	}
	return mean
}
