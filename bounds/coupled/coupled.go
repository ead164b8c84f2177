// Package coupled holds what the escape proofs for SLEDGE and FLEDGE (lines 1547-1925, 2632-3042)
// share: the linear algebra of two runs that differ by one perturbation near a saddle, and the
// horizon after which they are apart. The runs themselves are [sledge/algos.Coupling].
package coupled

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"
)

// Strayed is what pairs of runs report of themselves, see [props.Trial.Content].
const Strayed = "steps after the perturbation at which the runs differ in error by at least " +
	"a hundredth of γ‖w‖"

// Horizon is C log(R/r_e)/(ηγ), the time T_2 or T_5 in which a separation r_e grows to the radius R
// = δ/(C_bρ) along curvature −γ (lines 1555, 2641). It is a real number, not rounded, and negative
// for r_e > R.
func Horizon(c, radius, re, eta, gamma float64) float64 {
	return c * math.Log(radius/re) / (eta * gamma)
}

// Product sets dst to ∇²f(x)u for some twice differentiable f.
type Product func(dst, x, u []float64)

// Hessian returns ∇²f(x).
func Hessian(f Product, x []float64) *mat.SymDense {
	d := len(x)
	h, u, col := mat.NewSymDense(d, nil), make([]float64, d), make([]float64, d)
	for k := range d {
		u[k] = 1
		f(col, x, u)
		u[k] = 0
		for l := range k + 1 {
			h.SetSym(l, k, col[l])
		}
	}
	return h
}

// gaussLegendre are 16 nodes and weights on [0, 1]: exact for polynomials up to degree 31.
var gaussLegendre = func() (rule struct{ node, weight [16]float64 }) {
	quad.Legendre{}.FixedLocations(rule.node[:], rule.weight[:], 0, 1)
	return rule
}()

// Segment returns ∫_0^1 ∇²f(a + θ(b − a)) dθ by Gauss-Legendre quadrature with 16 nodes on each of
// a number of equal pieces. Pieces no longer than the length on which ∇²f changes give full
// precision.
func Segment(f Product, a, b []float64, pieces int) *mat.SymDense {
	sum, x := mat.NewSymDense(len(a), nil), make([]float64, len(a))
	for piece := range pieces {
		for k, node := range gaussLegendre.node {
			theta := (float64(piece) + node) / float64(pieces)
			for l := range x {
				x[l] = a[l] + theta*(b[l]-a[l])
			}
			AddScaled(sum, gaussLegendre.weight[k]/float64(pieces), Hessian(f, x))
		}
	}
	return sum
}

// AddScaled adds c·a to dst.
func AddScaled(dst *mat.SymDense, c float64, a *mat.SymDense) {
	floats.AddScaled(dst.RawSymmetric().Data, c, a.RawSymmetric().Data)
}

// Lowest returns γ = −λ_min and a unit eigenvector of λ_min.
func Lowest(h *mat.SymDense) (gamma float64, e []float64) {
	var eig mat.EigenSym
	if !eig.Factorize(h, true) {
		panic("coupled: no eigenvalues")
	}
	var v mat.Dense
	eig.VectorsTo(&v)
	return -eig.Values(nil)[0], mat.Col(nil, 0, &v)
}

// Norm returns the spectral norm.
func Norm(h *mat.SymDense) float64 {
	var eig mat.EigenSym
	if !eig.Factorize(h, false) {
		panic("coupled: no eigenvalues")
	}
	return floats.Norm(eig.Values(nil), math.Inf(1))
}

// Apply adds c·A v to dst.
func Apply(dst []float64, c float64, a mat.Matrix, v []float64) {
	out := mat.NewVecDense(len(v), nil)
	out.MulVec(a, mat.NewVecDense(len(v), v))
	floats.AddScaled(dst, c, out.RawVector().Data)
}

// Times returns A v.
func Times(a mat.Matrix, v []float64) []float64 {
	out := make([]float64, len(v))
	Apply(out, 1, a, v)
	return out
}
