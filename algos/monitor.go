package algos

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// Monitor looks at a problem from outside: its gradients are not counted. It is not safe for
// concurrent use; it shares the problem.
type Monitor struct {
	full  func(dst, x []float64)
	value func(x []float64) float64
	both  func(dst, x []float64) float64
	dim   int
	grad  []float64
}

// NewMonitor returns a monitor of the problem. It uses what the problem has of FullGradient, Value
// and ValueGradient.
func NewMonitor(p Problem) *Monitor {
	m := &Monitor{dim: p.Dim(), grad: make([]float64, p.Dim()),
		value: func([]float64) float64 { return math.NaN() }}
	if v, ok := As[Valuer](p); ok {
		m.value = v.Value
	}
	m.both = func(dst, x []float64) float64 {
		m.full(dst, x)
		return m.value(x)
	}
	if b, ok := As[ValueGradienter](p); ok {
		m.both = b.ValueGradient
	}
	if f, ok := As[FullGradienter](p); ok {
		m.full = f.FullGradient
		return m
	}
	g := make([]float64, m.dim)
	m.full = func(dst, x []float64) {
		clear(dst)
		P := p.Clients()
		for i := range P {
			size := p.Size(i)
			for j := range size {
				p.Gradient(g, x, i, j)
				axpy(dst, 1/(float64(P)*float64(size)), g)
			}
		}
	}
	return m
}

// Dim returns d.
func (m *Monitor) Dim() int { return m.dim }

// Gradient sets dst to ∇f(x).
func (m *Monitor) Gradient(dst, x []float64) { m.full(dst, x) }

// Value returns f(x), or NaN if the problem cannot say.
func (m *Monitor) Value(x []float64) float64 { return m.value(x) }

// ValueGradient sets dst to ∇f(x) and returns f(x), or NaN if the problem cannot say.
func (m *Monitor) ValueGradient(dst, x []float64) float64 { return m.both(dst, x) }

// GradientNorm returns ‖∇f(x)‖.
func (m *Monitor) GradientNorm(x []float64) float64 {
	m.full(m.grad, x)
	return floats.Norm(m.grad, 2)
}

// ErrorSquared returns ‖v − ∇f(x)‖².
func (m *Monitor) ErrorSquared(v, x []float64) float64 {
	m.full(m.grad, x)
	e := floats.Distance(v, m.grad, 2)
	return e * e
}
