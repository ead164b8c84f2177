// Package testproblem holds the smooth nonconvex problems on which methods are tried by the
// conformance suite and by the claims about algorithms.
package testproblem

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"sledge/props/keyed"
)

// Problem is a test problem given by its gradients; it counts how often it is asked.
type Problem struct {
	P         int                              // clients; components, if each holds one datum
	Data      int                              // of each client
	D         int                              // dimension
	Grad      func(dst, x []float64, i, j int) // writes ∇f_ij(x) to dst
	Asked     int64                            // gradients asked for
	PerClient []int64                          // the same by client, if not nil
}

func (p *Problem) Clients() int { return p.P }
func (p *Problem) Size(int) int { return p.Data }
func (p *Problem) Dim() int     { return p.D }
func (p *Problem) Gradient(dst, x []float64, i, j int) {
	p.Asked++
	if p.PerClient != nil {
		p.PerClient[i]++
	}
	p.Grad(dst, x, i, j)
}

// Sum is a problem as the sum over its clients, each with its first datum alone.
type Sum struct{ *Problem }

// FiniteSum returns the sum.
func (p *Problem) FiniteSum() Sum { return Sum{p} }

func (p Sum) Components() int                  { return p.P }
func (p Sum) Gradient(dst, x []float64, i int) { p.Problem.Gradient(dst, x, i, 0) }

// Value returns f(x) − f(0), by integration of the gradients along the segment from the origin:
// that serves every gradient field of the suite, transformed or not.
func (p *Problem) Value(x []float64) float64 {
	const nodes = 64
	g, y, f := make([]float64, p.D), make([]float64, p.D), 0.0
	for k := range nodes {
		s := (float64(k) + 0.5) / nodes
		for l := range y {
			y[l] = s * x[l]
		}
		for i := range p.P {
			for j := range p.Data {
				p.Grad(g, y, i, j)
				f += floats.Dot(g, x) / nodes / float64(p.P*p.Data)
			}
		}
	}
	return f
}

// Wells returns the smooth nonconvex problem of P clients with the given number of data each
//
//	f_ij(x) = Σ_l ½ a_ijl u_l² + 0.3 cos(u_l), u = x − c_ij, 0.4 ≤ a ≤ 1.6,
//
// always the same for the same arguments.
func Wells(P, data, d int) *Problem {
	return DrawWells(P, data, d, keyed.New(11).At(P).At(data).At(d).Rand())
}

// DrawWells is [Wells] with coefficients drawn from r.
func DrawWells(P, data, d int, r *rand.Rand) *Problem {
	a, c := make([]float64, P*data*d), make([]float64, P*data*d)
	for k := range a {
		a[k], c[k] = 0.4+1.2*r.Float64(), r.NormFloat64()
	}
	return &Problem{P: P, Data: data, D: d, Grad: func(dst, x []float64, i, j int) {
		for l := range dst {
			k := (i*data+j)*d + l
			u := x[l] - c[k]
			dst[l] = a[k]*u - 0.3*math.Sin(u)
		}
	}}
}

// Saddles is [Wells] with strong negative curvature between them.
func Saddles(P, data, d int) *Problem {
	p := Wells(P, data, d)
	inner := p.Grad
	p.Grad = func(dst, x []float64, i, j int) {
		inner(dst, x, i, j)
		for l := range dst {
			dst[l] -= 3 * math.Sin(x[l])
		}
	}
	return p
}

// FullGradient returns ∇f(x) in memory of its own, uncounted.
func (p *Problem) FullGradient(x []float64) []float64 {
	out, g := make([]float64, p.D), make([]float64, p.D)
	for i := range p.P {
		for j := range p.Data {
			p.Grad(g, x, i, j)
			floats.AddScaled(out, 1/float64(p.P*p.Data), g)
		}
	}
	return out
}
