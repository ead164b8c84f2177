package lowerbound

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
)

// instance is a member of a class of problems with known infimum.
type instance interface {
	algos.FiniteSum
	algos.Valuer
	algos.FullGradienter
	Minimum() (float64, bool)
}

// complete fills in the constants that depend on x0.
func complete(c *problems.Constants, p instance, x0 []float64) {
	exact := func(v float64, why string) problems.Constant {
		return problems.Constant{Value: v, Exact: true, Why: why}
	}
	low, _ := p.Minimum()
	c.Delta = exact(p.Value(x0)-low, "f(x0) minus the known infimum")
	mean, g, sum, most := make([]float64, p.Dim()), make([]float64, p.Dim()), 0.0, 0.0
	p.FullGradient(mean, x0)
	for i := range p.Components() {
		p.Gradient(g, x0, i)
		far := floats.Distance(g, mean, 2)
		sum, most = sum+far*far, max(most, far)
	}
	c.SigmaC = exact(math.Sqrt(sum/float64(p.Components())), "computed at x0")
	c.GC = exact(most, "computed at x0")
	c.Sigma = exact(0, "no data within components")
	c.G = c.Sigma
}

// pad is the function (R/2)(cos(√(2λ/R) y) − 1) of the last coordinate y: it raises the value gap
// by R without helping anybody, since its gradient is zero where y = 0. Its gradient is
// λ-Lipschitz.
type pad struct{ height, bend float64 } // R, λ

func (p pad) omega() float64 {
	if p.height == 0 {
		return 0
	}
	return math.Sqrt(2 * p.bend / p.height)
}

func (p pad) value(x []float64) float64 {
	return p.height / 2 * (math.Cos(p.omega()*x[len(x)-1]) - 1)
}

func (p pad) addGradient(dst, x []float64) {
	w, last := p.omega(), len(x)-1
	dst[last] -= p.height / 2 * w * math.Sin(w*x[last])
}

func (p pad) addHessian(dst, x, u []float64) {
	w, last := p.omega(), len(x)-1
	dst[last] -= p.height / 2 * w * w * math.Cos(w*x[last]) * u[last]
}

func (p pad) curvature() float64 { return p.height / 2 * p.omega() * p.omega() }
func (p pad) third() float64     { return p.curvature() * p.omega() }

// norm returns the largest absolute eigenvalue of the symmetric d×d matrix by which apply
// multiplies u, from below, by power iteration.
func norm(d int, apply func(dst, u []float64)) float64 {
	u, v, size := make([]float64, d), make([]float64, d), 0.0
	for l := range u { // a direction without symmetries
		u[l] = math.Sin(float64(3*l + 1))
	}
	for range 60 {
		length := floats.Norm(u, 2)
		if length < 1e-200 { // nothing, or too small to be normalised
			return length
		}
		floats.Scale(1/length, u)
		apply(v, u)
		size = floats.Norm(v, 2)
		u, v = v, u
	}
	return size
}

// curved is a finite sum with second derivatives.
type curved interface {
	algos.FiniteSum
	algos.ComponentHessianer
}

// steepness returns ‖∇²f_i(x)‖ and ‖∇²f_i(x) − ∇²f_j(x)‖, from below.
func steepness(p curved, x []float64, i, j int) (single, difference float64) {
	h := make([]float64, p.Dim())
	single = norm(p.Dim(), func(dst, u []float64) { p.ComponentHessianVector(dst, x, u, i) })
	if i != j {
		difference = norm(p.Dim(), func(dst, u []float64) {
			p.ComponentHessianVector(dst, x, u, i)
			p.ComponentHessianVector(h, x, u, j)
			floats.Sub(dst, h)
		})
	}
	return single, difference
}

// meanSteepness returns the norm of ((1/n) Σ_i ∇²f_i(x)²)^{1/2}, from below.
func meanSteepness(p curved, x []float64) float64 {
	n := p.Components()
	g, h := make([]float64, p.Dim()), make([]float64, p.Dim())
	return math.Sqrt(norm(p.Dim(), func(dst, u []float64) {
		clear(dst)
		for k := range n {
			p.ComponentHessianVector(g, x, u, k)
			p.ComponentHessianVector(h, x, g, k)
			floats.AddScaled(dst, 1/float64(n), h)
		}
	}))
}
