package problems

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
)

// SaddleChain is a finite sum whose mean has strict saddles one after the other, in coordinates of
// their own that no axis is parallel to: f(x) = F(Qx) with an orthogonal Q, and for u = Qx
//
//	F(u) = γ(cos u_1 − 1) + Σ_{k=1}^{m−1} A(u_k)(1 − cos u_{k+1}) + (λ/2)Σ_{k>m} u_k²,
//	A(v) = (λ − γ)/2 + ((λ + γ)/2)cos v.
//
// At the saddle number j = 0 … m − 1, where |u_1| = … = |u_j| = π and the rest is 0, the smallest
// eigenvalue of ∇²f is −γ, along u_{j+1} alone; the others are at least min{γ, λ}, those of the
// directions of later saddles are λ. So a run is led from each saddle to the next, and on its way
// contracts the direction in which it will have to leave that one: gradient descent takes a time
// that grows like (λ/γ)^j, as on the functions of S. Du, C. Jin, J. Lee, M. Jordan, A. Singh and B.
// Póczos, Gradient descent can take exponential time to escape saddle points, NeurIPS 2017. The
// terms of two coordinates, quartic at the saddles, do not separate. f is smallest, −2γm, where all
// |u_k| = π, k ≤ m.
//
// Components come in pairs of mean f: f(x) ± ((ζ/4)⟨q,x⟩² + ⟨l,x⟩) with a unit vector q and a
// vector l of length σ of their own for each pair. Make one with [MakeSaddleChain]. It is a
// [Certified] problem with second derivatives.
type SaddleChain struct {
	SaddleChainMean
	n, d    int
	mirrors [][]float64 // unit normals of the reflections that Q is made of
	bend    [][]float64 // q of each pair
	tilt    [][]float64 // l of each pair

	// within one run: ∇f and u_1 … u_m at the last points
	recent *algos.Recent
}

// SaddleChainMean describes a chain of saddles.
type SaddleChainMean struct {
	Saddles int     // m ≥ 1
	Rest    int     // coordinates with parabolas, ≥ 0; the dimension is Saddles + Rest
	Gamma   float64 // γ > 0
	Lambda  float64 // λ > 0; 0 stands for γ
	Zeta    float64 // ζ ≥ 0, the largest distance of the Hessians of two components
	// σ ≥ 0, the deviation of the gradients of the components from ∇f at the first saddle
	Spread float64
}

var (
	_ Certified                = (*SaddleChain)(nil)
	_ algos.Hessianer          = (*SaddleChain)(nil)
	_ algos.ComponentHessianer = (*SaddleChain)(nil)
	_ algos.BatchGradienter    = (*SaddleChain)(nil)
)

// mirrorsOfRotation is the number of reflections of a rotation: enough to turn the saddles out of
// the axes, and cheap in any dimension.
const mirrorsOfRotation = 2

// MakeSaddleChain returns the finite sum of n ≥ 2 components, an even number, of the given
// description; r supplies the rotation and the directions.
func MakeSaddleChain(n int, m SaddleChainMean, r *rand.Rand) (*SaddleChain, error) {
	if m.Lambda == 0 {
		m.Lambda = m.Gamma
	}
	switch {
	case n < 2 || n%2 == 1:
		return nil, fmt.Errorf(
			"problems: %d components of a chain of saddles, want a positive even number", n)
	case m.Saddles < 1 || m.Rest < 0:
		return nil,
			fmt.Errorf("problems: a chain of %d saddles with %d parabolas, want at least 1 and 0",
				m.Saddles, m.Rest)
	case !positiveNumber(m.Gamma) || !positiveNumber(m.Lambda):
		return nil, fmt.Errorf("problems: curvatures γ = %v, λ = %v, want positive numbers",
			m.Gamma, m.Lambda)
	case !(m.Zeta >= 0) || !(m.Spread >= 0) || math.IsInf(m.Zeta+m.Spread, 1):
		return nil, fmt.Errorf("problems: ζ = %v and spread %v, want numbers that are not negative",
			m.Zeta, m.Spread)
	}
	p := &SaddleChain{SaddleChainMean: m, n: n, d: m.Saddles + m.Rest}
	unit := func() []float64 {
		v := normal(p.d, r)
		floats.Scale(1/floats.Norm(v, 2), v)
		return v
	}
	for range mirrorsOfRotation {
		p.mirrors = append(p.mirrors, p.mirror(unit(), unit()))
	}
	for range n / 2 {
		p.bend = append(p.bend, unit())
		l := unit()
		floats.Scale(m.Spread, l)
		p.tilt = append(p.tilt, l)
	}
	return p, nil
}

// mirror returns a unit normal half of whose square is in the directions of the saddles, and half
// in the others, so that the former are turned far also where they are few.
func (p *SaddleChain) mirror(a, b []float64) []float64 {
	clear(a[p.Saddles:])
	clear(b[:p.Saddles])
	floats.Scale(1/floats.Norm(a, 2), a)
	if p.Rest > 0 {
		floats.AddScaled(a, 1/floats.Norm(b, 2), b)
		floats.Scale(math.Sqrt2/2, a)
	}
	return a
}

// Components returns n.
func (p *SaddleChain) Components() int { return p.n }

// Dim returns d.
func (p *SaddleChain) Dim() int { return p.d }

// Coordinates sets u to Qx. The slices may be the same.
func (p *SaddleChain) Coordinates(u, x []float64) {
	for _, v := range p.mirrors {
		floats.AddScaledTo(u, x, -2*floats.Dot(v, x), v)
		x = u
	}
}

// Along returns the coordinates u_1 … u_m of Qx, along which saddles are left. Within one run they
// are a view that is valid until the next question.
func (p *SaddleChain) Along(x []float64) []float64 {
	if p.recent != nil {
		_, u := p.at(x)
		return u
	}
	u := make([]float64, p.d)
	p.Coordinates(u, x)
	return u[:p.Saddles]
}

// at returns ∇f(x) and the coordinates [SaddleChain.Along] within one run, views.
func (p *SaddleChain) at(x []float64) (gradient, along []float64) {
	values, known := p.recent.At(x)
	gradient, along = values[:p.d], values[p.d:]
	if !known {
		p.compute(gradient, along, x)
	}
	return gradient, along
}

// Point sets x to Qᵀu. The slices may be the same.
func (p *SaddleChain) Point(x, u []float64) {
	for k := len(p.mirrors) - 1; k >= 0; k-- {
		v := p.mirrors[k]
		floats.AddScaledTo(x, u, -2*floats.Dot(v, u), v)
		u = x
	}
}

// Saddle returns the saddle number j, 0 ≤ j < m, with positive coordinates; for j = m it is a
// minimum.
func (p *SaddleChain) Saddle(j int) []float64 {
	x := make([]float64, p.d)
	for k := range j {
		x[k] = math.Pi
	}
	p.Point(x, x)
	return x
}

// gate returns A(v) and its first two derivatives, given sin v and cos v.
func (p *SaddleChain) gate(sin, cos float64) (a, d1, d2 float64) {
	half := (p.Lambda + p.Gamma) / 2
	return (p.Lambda-p.Gamma)/2 + half*cos, -half * sin, -half * cos
}

// Value returns f(x).
func (p *SaddleChain) Value(x []float64) float64 {
	u := make([]float64, p.d)
	p.Coordinates(u, x)
	f, weight := 0.0, -p.Gamma
	for k, v := range u {
		if k >= p.Saddles {
			f += p.Lambda / 2 * v * v
			continue
		}
		sin := math.Sin(v / 2)
		f += weight * 2 * sin * sin
		weight, _, _ = p.gate(math.Sincos(v))
	}
	return f
}

// FullGradient sets dst to ∇f(x).
func (p *SaddleChain) FullGradient(dst, x []float64) {
	if mean := p.mean(dst, x); p.recent != nil {
		copy(dst, mean)
	}
}

// compute sets dst to ∇f(x), and along to as many coordinates of Qx as it has room for.
func (p *SaddleChain) compute(dst, along, x []float64) {
	p.Coordinates(dst, x)
	copy(along, dst)
	floats.Scale(p.Lambda, dst[p.Saddles:])
	weight, slope, before := -p.Gamma, 0.0, 0.0
	for k, v := range dst[:p.Saddles] {
		sin, cos := math.Sincos(v)
		dst[k] = weight * sin
		if k > 0 {
			dst[k-1] = before + slope*(1-cos)
		}
		before = dst[k]
		weight, slope, _ = p.gate(sin, cos)
	}
	p.Point(dst, dst)
}

// Gradient sets dst to ∇f_i(x).
func (p *SaddleChain) Gradient(dst, x []float64, i int) {
	p.deviate(dst, p.mean(dst, x), x, i)
}

// mean returns ∇f(x): a view within one run, else dst.
func (p *SaddleChain) mean(dst, x []float64) []float64 {
	if p.recent != nil {
		gradient, _ := p.at(x)
		return gradient
	}
	p.compute(dst, nil, x)
	return dst
}

// deviate sets dst to ∇f_i(x), given ∇f(x), which may be dst.
func (p *SaddleChain) deviate(dst, mean, x []float64, i int) {
	sign, q := 1-2*float64(i%2), p.bend[i/2]
	floats.AddScaledTo(dst, mean, sign*p.Zeta/2*floats.Dot(q, x), q)
	floats.AddScaled(dst, sign, p.tilt[i/2])
}

// BatchGradient sets row l of dst (batch×d) to the gradient of the component with number batch[l]:
// the common part is computed once.
func (p *SaddleChain) BatchGradient(dst, x []float64, batch []int) {
	if len(batch) == 0 {
		return
	}
	mean := p.mean(dst[:p.d], x)
	for l := len(batch) - 1; l >= 0; l-- { // the row that may be the mean comes last
		p.deviate(dst[l*p.d:(l+1)*p.d], mean, x, batch[l])
	}
}

// Recalling returns the chain for one run if whole is its view; see [algos.Recaller].
func (p *SaddleChain) Recalling(whole algos.Problem) algos.Problem {
	if p.recent != nil || whole != algos.Sum(p) {
		return nil
	}
	own := *p
	own.recent = algos.NewRecent(p.d, p.d+p.Saddles)
	return algos.Sum(&own)
}

// hessian returns the first m entries of the diagonal of the Hessian of F, given u_1 … u_m, and
// what stands above it. The Hessian is tridiagonal, and the other entries of its diagonal are λ.
func (p *SaddleChain) hessian(along []float64) (diagonal, above []float64) {
	diagonal, above = make([]float64, p.Saddles), make([]float64, p.Saddles-1)
	weight, slope, bend := -p.Gamma, 0.0, 0.0
	for k, v := range along {
		sin, cos := math.Sincos(v)
		diagonal[k] = weight * cos
		if k > 0 {
			diagonal[k-1] += bend * (1 - cos)
			above[k-1] = slope * sin
		}
		weight, slope, bend = p.gate(sin, cos)
	}
	return diagonal, above
}

// HessianVector sets dst to ∇²f(x)u.
func (p *SaddleChain) HessianVector(dst, x, u []float64) {
	w := make([]float64, p.d)
	p.Coordinates(w, u)
	floats.ScaleTo(dst, p.Lambda, w)
	diagonal, above := p.hessian(p.Along(x))
	for k, v := range diagonal {
		dst[k] = v * w[k]
		if k > 0 {
			dst[k] += above[k-1] * w[k-1]
		}
		if k < len(above) {
			dst[k] += above[k] * w[k+1]
		}
	}
	p.Point(dst, dst)
}

// ComponentHessianVector sets dst to ∇²f_i(x)u.
func (p *SaddleChain) ComponentHessianVector(dst, x, u []float64, i int) {
	p.HessianVector(dst, x, u)
	sign, q := 1-2*float64(i%2), p.bend[i/2]
	floats.AddScaled(dst, sign*p.Zeta/2*floats.Dot(q, u), q)
}

// Eigenvalues returns how many eigenvalues of ∇²f(x) are below the bound, from the signs of the
// pivots of the tridiagonal matrix.
func (p *SaddleChain) Eigenvalues(x []float64, below float64) int {
	diagonal, above := p.hessian(p.Along(x))
	count, pivot := 0, 0.0
	for k, v := range diagonal {
		v -= below
		if k > 0 {
			v -= above[k-1] * above[k-1] / pivot
		}
		if v == 0 {
			v = -1e-300
		}
		if pivot = v; v < 0 {
			count++
		}
	}
	if p.Lambda <= below {
		count += p.Rest
	}
	return count
}

// Minimum returns inf f = −2γm.
func (p *SaddleChain) Minimum() (float64, bool) { return -2 * p.Gamma * float64(p.Saddles), true }

// Constants returns the constants of the problem for a run from x0. L and ρ are sums of rows of the
// derivatives of F.
func (p *SaddleChain) Constants(x0 []float64) Constants {
	half, steepest := (p.Lambda+p.Gamma)/2, max(p.Lambda, p.Gamma)
	mean, third, rows := steepest, steepest, "largest sum of a row of derivatives"
	if p.Saddles > 1 {
		mean, third = steepest+4*half, steepest+8*half
	}
	c := Constants{
		L:         bound(mean+p.Zeta/2, rows),
		LMean:     bound(mean, rows),
		Zeta:      exactly(p.Zeta, "the components of a pair differ by ζqqᵀ"),
		ZetaPrime: exactly(p.Zeta/2, "half of the distance within a pair").Itself,
		Rho:       bound(third, rows),
		Mu:        bound(0, "none is known"),
		Delta:     exactly(p.Value(x0)+2*p.Gamma*float64(p.Saddles), "the minimum is known"),
		Sigma:     exactly(0, "one datum each"),
		G:         exactly(0, "one datum each"),
	}
	square := 0.0
	for i, q := range p.bend {
		v := append([]float64(nil), p.tilt[i]...)
		floats.AddScaled(v, p.Zeta/2*floats.Dot(q, x0), q)
		s := floats.Dot(v, v)
		square += s / float64(len(p.bend))
		c.GC = exactly(max(c.GC.Value, math.Sqrt(s)), "all components")
	}
	c.SigmaC = exactly(math.Sqrt(square), "all components")
	return c
}
