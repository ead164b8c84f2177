package bounds

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"
)

// product sets dst to ∇²f(x)u for some twice differentiable f.
type product func(dst, x, u []float64)

// at returns ∇²f(x).
func (f product) at(x []float64) *mat.SymDense {
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

// along returns ∫_0^1 ∇²f(a + θ(b − a)) dθ by Gauss-Legendre quadrature with 16 nodes on each of a
// number of equal pieces. Pieces no longer than the length on which ∇²f changes give full precision.
func (f product) along(a, b []float64, pieces int) *mat.SymDense {
	sum, x := mat.NewSymDense(len(a), nil), make([]float64, len(a))
	for piece := range pieces {
		for k, node := range gaussLegendre.node {
			theta := (float64(piece) + node) / float64(pieces)
			for l := range x {
				x[l] = a[l] + theta*(b[l]-a[l])
			}
			addMatrix(sum, gaussLegendre.weight[k]/float64(pieces), f.at(x))
		}
	}
	return sum
}

// addMatrix adds c·a to dst.
func addMatrix(dst *mat.SymDense, c float64, a *mat.SymDense) {
	floats.AddScaled(dst.RawSymmetric().Data, c, a.RawSymmetric().Data)
}

// spectrum returns the eigenvalues of h in increasing order, and a unit eigenvector of the first.
func spectrum(h *mat.SymDense) (values, e []float64) {
	var eig mat.EigenSym
	if !eig.Factorize(h, true) {
		panic("bounds: no eigenvalues")
	}
	var v mat.Dense
	eig.VectorsTo(&v)
	return eig.Values(nil), mat.Col(nil, 0, &v)
}

// lowest returns γ = −λ_min and a unit eigenvector of λ_min.
func lowest(h *mat.SymDense) (gamma float64, e []float64) {
	values, e := spectrum(h)
	return -values[0], e
}

// spectralNorm returns ‖h‖.
func spectralNorm(h *mat.SymDense) float64 {
	values, _ := spectrum(h)
	return floats.Norm(values, math.Inf(1))
}

// times returns Hv.
func times(h *mat.SymDense, v []float64) []float64 {
	out := mat.NewVecDense(len(v), nil)
	out.MulVec(h, mat.NewVecDense(len(v), v))
	return out.RawVector().Data
}
