package tables

import (
	"math"

	"sledge/algos"
	"sledge/algos/problems"
)

// curve is a function of one variable that is 0 at its least, with its first and second derivative.
type curve struct {
	value, slope, bend func(u float64) float64
	low, high          float64 // infimum and supremum of the second derivative
	third              float64 // Lipschitz constant of the second derivative
	mu                 float64 // PL constant, 0 if there is none
}

// ramp is s(√(w²+u²) − w) with w = s/bend: curvature bend at 0, and far away a slope of nearly s however far it is.
func ramp(s, bend float64) curve {
	w := s / bend
	return curve{
		value: func(u float64) float64 { return s * (math.Hypot(w, u) - w) },
		slope: func(u float64) float64 { return s * u / math.Hypot(w, u) },
		bend:  func(u float64) float64 { h := math.Hypot(w, u); return s * w * w / (h * h * h) },
		high:  bend,
		third: 48 / (25 * math.Sqrt(5)) * bend / w, // of 3v/(1+v²)^{5/2}, at v = 1/2
	}
}

// parabola is ½mu·u².
func parabola(mu float64) curve {
	return curve{
		value: func(u float64) float64 { return mu * u * u / 2 },
		slope: func(u float64) float64 { return mu * u },
		bend:  func(float64) float64 { return mu },
		low:   mu, high: mu, mu: mu,
	}
}

// saddleThird is the Lipschitz constant of the second derivative of well for γ = w = 1: twice that of log(1+v²/2),
// reached at v = √2(√2−1).
var saddleThird = func() float64 {
	t := math.Sqrt2 - 1
	return 2 * math.Sqrt2 * t * (3 - t*t) / math.Pow(1+t*t, 3)
}()

// saddleDepth is the depth of well for γ = w = 1.
var saddleDepth = 2*math.Ln2 - 1

// well is γ(u²/2 − 2w² log(1+u²/(2w²))) plus a constant: a maximum at 0 with curvature −γ, minima at ±√2·w with
// curvature γ. Its width makes the second derivative 1-Lipschitz.
func well(gamma float64) curve {
	w := gamma * saddleThird
	return curve{
		value: func(u float64) float64 {
			v := u * u / (2 * w * w)
			return gamma * w * w * (v - 2*math.Log1p(v) + saddleDepth)
		},
		slope: func(u float64) float64 { return gamma * u * (1 - 2/(1+u*u/(2*w*w))) },
		bend:  func(u float64) float64 { v := u * u / (2 * w * w); return gamma * (1 - 2*(1-v)/((1+v)*(1+v))) },
		low:   -gamma, high: 1.25 * gamma, third: 1,
	}
}

// plane is a federated sum in two variables with the mean f(x) = curve(x_1) + ½·flat·x_2². Clients (components) differ
// by ±¼ζ(x−x⁰)'S(x−x⁰) with a reflection S that mixes the variables, so that ζ is their Hessian heterogeneity, and by
// linear terms of length σ_c; the two signs are independent and balanced. The data of a client differ by
// ±¼·within·(x−x⁰)'S(x−x⁰). All deviations of gradients at x⁰ are those of the linear terms, of length σ_c exactly.
type plane struct {
	curve
	flat         float64
	clients      int // a multiple of 4
	data         int // of each client: 1, or 2 if within > 0
	zeta, within float64
	sigmaC       float64
	x0           [2]float64
}

// The reflection S, and the direction of the linear terms.
var (
	mixing  = [2]float64{0.6, 0.8} // S = (0.6 0.8; 0.8 −0.6)
	pushing = [2]float64{0.6, 0.8}
)

// Clients returns P.
func (p *plane) Clients() int { return p.clients }

// Size returns the number of data of client i.
func (p *plane) Size(int) int { return p.data }

// Dim returns 2.
func (p *plane) Dim() int { return 2 }

// signs are those of component i: of its Hessian and of its linear term.
func signs(i int) (hessian, linear float64) {
	return 1 - float64(i&2), 1 - 2*float64(i&1)
}

// deviation adds the gradient of the deviation with the given factors to dst.
func (p *plane) deviation(dst, x []float64, hessian, linear float64) {
	u, v := x[0]-p.x0[0], x[1]-p.x0[1]
	dst[0] += hessian*(mixing[0]*u+mixing[1]*v) + linear*pushing[0]
	dst[1] += hessian*(mixing[1]*u-mixing[0]*v) + linear*pushing[1]
}

// Gradient sets dst to ∇f_ij(x).
func (p *plane) Gradient(dst, x []float64, i, j int) {
	p.FullGradient(dst, x)
	h, l := signs(i)
	d := 0.0
	if p.data > 1 {
		d = (1 - 2*float64(j&1)) * p.within / 2
	}
	p.deviation(dst, x, h*p.zeta/2+d, l*p.sigmaC)
}

// FullGradient sets dst to ∇f(x).
func (p *plane) FullGradient(dst, x []float64) { dst[0], dst[1] = p.slope(x[0]), p.flat*x[1] }

// Value returns f(x).
func (p *plane) Value(x []float64) float64 { return p.value(x[0]) + p.flat*x[1]*x[1]/2 }

// Minimum returns inf f = 0.
func (p *plane) Minimum() (float64, bool) { return 0, true }

// leastCurvature is the smallest eigenvalue of ∇²f(x).
func (p *plane) leastCurvature(x []float64) float64 { return min(p.bend(x[0]), p.flat) }

// Constants returns the constants of the problem for a run from x0, exact but for L and Mu. Sigma and G are +Inf if
// data differ.
func (p *plane) Constants(x0 []float64) problems.Constants {
	bound := func(v float64) problems.Constant { return problems.Constant{Value: v, Why: "by construction"} }
	exactly := func(v float64) problems.Constant {
		return problems.Constant{Value: v, Exact: true, Why: "by construction"}
	}
	mean := max(p.high, -p.low, p.flat)
	spread := 0.0
	for _, c := range [...]float64{1, -1} {
		var d [2]float64
		p.deviation(d[:], x0, p.zeta/2, c*p.sigmaC)
		spread = max(spread, math.Hypot(d[0], d[1]))
	}
	square := 0.0
	for i := range 4 {
		var d [2]float64
		h, l := signs(i)
		p.deviation(d[:], x0, h*p.zeta/2, l*p.sigmaC)
		square += (d[0]*d[0] + d[1]*d[1]) / 4
	}
	within := 0.0
	if p.data > 1 {
		within = p.within
	}
	c := problems.Constants{L: bound(mean + p.zeta/2 + within/2), LMean: bound(mean), Zeta: exactly(p.zeta),
		ZetaPrime: bound(p.zeta/2 + within/2),
		Rho:       exactly(p.third),
		Mu:        bound(min(p.mu, p.flat)),
		Delta:     exactly(p.Value(x0)),
		SigmaC:    exactly(math.Sqrt(square)),
		GC:        exactly(spread),
		Sigma:     exactly(0),
		G:         exactly(0),
	}
	if within > 0 {
		c.Sigma, c.G = bound(math.Inf(1)), bound(math.Inf(1))
	}
	return c
}

// sum is the plane as a finite sum, with the clients as components.
type sum struct{ *plane }

// Components returns n.
func (p sum) Components() int { return p.clients }

// Gradient sets dst to ∇f_i(x).
func (p sum) Gradient(dst, x []float64, i int) {
	p.FullGradient(dst, x)
	h, l := signs(i)
	p.deviation(dst, x, h*p.zeta/2, l*p.sigmaC)
}

// BatchGradient sets row k of dst to ∇f_i(x) for i = batch[k]. There are only four different ones.
func (p sum) BatchGradient(dst, x []float64, batch []int) {
	if len(batch) < 4 {
		for k, i := range batch {
			p.Gradient(dst[2*k:2*k+2], x, i)
		}
		return
	}
	var four [8]float64
	for i := range 4 {
		p.Gradient(four[2*i:2*i+2], x, i)
	}
	for k, i := range batch {
		copy(dst[2*k:2*k+2], four[2*(i&3):])
	}
}

var (
	_ problems.Certified          = sum{}
	_ problems.CertifiedFederated = (*plane)(nil)
	_ algos.BatchGradienter       = sum{}
)
