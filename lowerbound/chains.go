package lowerbound

import (
	"fmt"
	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
)

// Chains is a finite sum of chains on R^d. Component i is
//
//	f_i(x) = (ℓσ²/s)·f̄_T(x_{B(i)}/σ) + (R/2)(cos(√(2λ/R) y) − 1),
//
// where f̄_T is a [chain], s = 152, or a [ladder], s = 33/4, B(i) a block of T coordinates, common
// to all components or one for each, and y the last coordinate. The chain part of f_i is ℓ-gradient
// Lipschitz. The last term, the same for all i and λ-gradient Lipschitz, raises the value gap by R
// without helping anybody: its gradient is zero where y = 0. Coordinate 0 has no influence on f; it
// is there for starting points other than the origin. In other orthonormal coordinates this is a
// hard instance for any given x⁰.
//
// It is a [problems.Certified] problem. Its infimum is not attained. Make one with the methods of
// [Class].
type Chains struct {
	n     int
	T     links
	own   bool    // every component has its own block
	l     float64 // ℓ
	sigma float64 // σ
	pad   pad     // R, λ
}

// links is a function of T variables that reveal each other one by one,
//
//	Σ_k (V(s_{k−1}x_k) − G(x_{k−1})K(s_{k−1}x_k)),  G(x_0) = s_0 = 1.
type links interface {
	length() int
	smooth() (first, second float64)
	Infimum() float64
	Gap() float64
	gate(x float64) (g [3]float64, sign float64) // G with its derivatives, and s
	link(y float64) (k, v [3]float64)            // K and V with theirs
}

// value returns f(x).
func value(T links, x []float64) (f float64) {
	open, sign := [3]float64{1}, 1.0
	for _, y := range x {
		link, wall := T.link(sign * y)
		f += wall[0] - open[0]*link[0]
		open, sign = T.gate(y)
	}
	return f
}

// addGradient adds a∇f(sx) to dst.
func addGradient(T links, dst, x []float64, a, s float64) {
	open, sign := [3]float64{1}, 1.0
	for k := range x {
		y := s * x[k]
		link, wall := T.link(sign * y)
		dst[k] += a * sign * (wall[1] - open[0]*link[1])
		if k > 0 {
			dst[k-1] -= a * open[1] * link[0]
		}
		open, sign = T.gate(y)
	}
}

// addHessian adds a∇²f(sx)u to dst.
func addHessian(T links, dst, x, u []float64, a, s float64) {
	open, sign := [3]float64{1}, 1.0
	for k := range x {
		y := s * x[k]
		link, wall := T.link(sign * y)
		dst[k] += a * (wall[2] - open[0]*link[2]) * u[k]
		if k > 0 {
			side := -a * sign * open[1] * link[1]
			dst[k] += side * u[k-1]
			dst[k-1] += side*u[k] - a*open[2]*link[0]*u[k-1]
		}
		open, sign = T.gate(y)
	}
}

var (
	_ problems.Certified       = (*Chains)(nil)
	_ algos.ComponentHessianer = (*Chains)(nil)
	_ algos.Hessianer          = (*Chains)(nil)
)

// Components returns n.
func (p *Chains) Components() int { return p.n }

// Length returns T.
func (p *Chains) Length() int { return p.T.length() }

func (p *Chains) blocks() int {
	if p.own {
		return p.n
	}
	return 1
}

// Dim returns d = T·(number of blocks) + 2.
func (p *Chains) Dim() int { return p.blocks()*p.T.length() + 2 }

// start returns an x⁰ with the given entry at the coordinate that has no influence, and zero
// elsewhere.
func (p *Chains) start(entry float64) []float64 {
	x := make([]float64, p.Dim())
	x[0] = entry
	return x
}

// part returns the entries of v that belong to block k.
func (p *Chains) part(v []float64, k int) []float64 {
	T := p.T.length()
	return v[1+k*T : 1+(k+1)*T]
}

func (p *Chains) block(i int) int {
	if p.own {
		return i
	}
	return 0
}

// height is the factor of f̄_T.
func (p *Chains) height() float64 { return p.unit() * p.sigma * p.sigma }

// unit is the factor of the Hessian of f̄_T.
func (p *Chains) unit() float64 {
	first, _ := p.T.smooth()
	return p.l / first
}

// Gradient sets dst to ∇f_i(x).
func (p *Chains) Gradient(dst, x []float64, i int) {
	clear(dst)
	k := p.block(i)
	addGradient(p.T, p.part(dst, k), p.part(x, k), p.height()/p.sigma, 1/p.sigma)
	p.pad.addGradient(dst, x)
}

// FullGradient sets dst to ∇f(x).
func (p *Chains) FullGradient(dst, x []float64) {
	clear(dst)
	m := p.blocks()
	for k := range m {
		addGradient(p.T, p.part(dst, k), p.part(x, k), p.height()/p.sigma/float64(m), 1/p.sigma)
	}
	p.pad.addGradient(dst, x)
}

// Value returns f(x).
func (p *Chains) Value(x []float64) float64 {
	m, T := p.blocks(), p.T.length()
	f, y := 0.0, make([]float64, T)
	for k := range m {
		floats.ScaleTo(y, 1/p.sigma, p.part(x, k))
		f += value(p.T, y)
	}
	return p.height()*f/float64(m) + p.pad.value(x)
}

// Minimum returns inf f.
func (p *Chains) Minimum() (float64, bool) { return p.height()*p.T.Infimum() - p.pad.height, true }

// ComponentHessianVector sets dst to ∇²f_i(x)u.
func (p *Chains) ComponentHessianVector(dst, x, u []float64, i int) {
	clear(dst)
	k := p.block(i)
	addHessian(p.T, p.part(dst, k), p.part(x, k), p.part(u, k), p.unit(), 1/p.sigma)
	p.pad.addHessian(dst, x, u)
}

// HessianVector sets dst to ∇²f(x)u.
func (p *Chains) HessianVector(dst, x, u []float64) {
	clear(dst)
	m := p.blocks()
	for k := range m {
		addHessian(p.T, p.part(dst, k), p.part(x, k), p.part(u, k), p.unit()/float64(m), 1/p.sigma)
	}
	p.pad.addHessian(dst, x, u)
}

// Constants returns the constants of the problem for a run from x0.
func (p *Chains) Constants(x0 []float64) problems.Constants {
	n, rows := float64(p.n), "largest sum of a row of derivatives of the chain"
	bound := func(v float64) problems.Constant { return problems.Constant{Value: v, Why: rows} }
	_, third := p.T.smooth()
	third *= p.unit() / p.sigma
	c := problems.Constants{
		L:     bound(max(p.l, p.pad.curvature())),
		LMean: bound(max(p.l/float64(p.blocks()), p.pad.curvature())),
		Rho:   bound(max(third, p.pad.third())),
	}
	if p.own && p.n > 1 {
		// Hessians on different blocks: the norm of a difference is the larger of the norms
		c.Zeta = problems.Constant{Value: p.l, Why: "Hessians on different blocks"}
		c.ZetaPrime = problems.Constant{Value: p.l * (1 - 1/n),
			Why: "Hessians on different blocks"}.Itself
	} else {
		equal := problems.Constant{Exact: true, Why: "all components are equal"}
		c.Zeta, c.ZetaPrime = equal, equal.Itself
	}
	c.Mu = problems.Constant{Why: "none is known"}
	complete(&c, p, x0)
	return c
}

func (p *Chains) String() string {
	kind := "one chain common to"
	if p.own {
		kind = "a chain for each of"
	}
	return fmt.Sprintf("%s %d components, length %d", kind, p.n, p.T.length())
}
