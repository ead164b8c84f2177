package lowerbound

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
)

// explorer is the linear-span method that is as fast as any on [Chains]: it asks one component for
// its gradient, walks a long way against the part of the gradient that is new, and repeats; after
// Length new directions it goes on to the next component. It shows that the lower bounds cannot be
// raised without better instances. A step costs one gradient.
type explorer struct {
	Reach  float64 // length of the walks, > 0; some ten times the scale σ of the chains
	Length int     // new directions to take from a component, at least 1

	o        *algos.Oracle
	x, g     []float64
	known    basis
	i, taken int
}

var _ algos.Method = (*explorer)(nil)

// Name returns "explorer".
func (m *explorer) Name() string { return "explorer" }

// Point returns the current point.
func (m *explorer) Point() []float64 { return m.x }

// Estimator returns the last gradient; zero before the first step.
func (m *explorer) Estimator() []float64 { return m.g }

// Start asks for nothing.
func (m *explorer) Start(o *algos.Oracle, x0 []float64, _ algos.Randomness) error {
	switch {
	case !(m.Reach > 0):
		return &algos.ParameterError{Method: m.Name(), Parameter: "Reach",
			Reason: fmt.Sprintf("must be positive, got %v", m.Reach)}
	case m.Length < 1:
		return &algos.ParameterError{Method: m.Name(), Parameter: "Length",
			Reason: fmt.Sprintf("must be at least 1, got %d", m.Length)}
	case len(x0) != o.Dim():
		return &algos.ParameterError{Method: m.Name(), Parameter: "x0",
			Reason: fmt.Sprintf("has length %d, the problem has dimension %d", len(x0), o.Dim())}
	}
	m.o, m.x, m.g = o, append([]float64(nil), x0...), make([]float64, len(x0))
	m.known, m.i, m.taken = basis{}, 0, 0
	return nil
}

// Step asks for one gradient and walks.
func (m *explorer) Step() {
	m.o.Gradient(m.g, m.x, m.i)
	if q := m.known.add(m.g); q != nil {
		floats.AddScaled(m.x, -m.Reach, q)
		m.taken++
	}
	if m.taken == m.Length {
		m.i, m.taken = (m.i+1)%m.o.Components(), 0
	}
}

// runner takes a relay as fast as it can: it passes every gate with as few components as the gate
// demands, and settles the others in the end, all rounds of one component at once.
type runner struct {
	p *Relay

	o     *algos.Oracle
	x, g  []float64
	known basis
	round int
	next  int // component to ask; -1 for the one that reveals t
}

func (m *runner) Name() string         { return "runner" }
func (m *runner) Point() []float64     { return m.x }
func (m *runner) Estimator() []float64 { return m.g }

func (m *runner) Start(o *algos.Oracle, x0 []float64, _ algos.Randomness) error {
	m.o, m.x, m.g, m.known, m.round, m.next = o, append([]float64(nil), x0...),
		make([]float64, len(x0)), basis{}, 0, -1
	return nil
}

func (m *runner) Step() {
	m.o.Gradient(m.g, m.x, max(0, m.next))
	q := m.known.add(m.g)
	if q == nil {
		return
	}
	switch enough := m.p.n/4 + 1; {
	case m.next < 0:
		floats.AddScaled(m.x, -2*m.p.w, q)
	case m.next < enough:
		floats.AddScaled(m.x, -m.p.settled, q)
	default:
		floats.AddScaled(m.x, -m.p.settled*math.Sqrt(float64(m.p.T)), q)
	}
	if m.next++; m.next == m.p.n/4+1 && m.round < m.p.T-1 {
		m.round, m.next = m.round+1, -1
	}
}

// wanderer is a random linear-span method: each point is x⁰ plus a random combination of the
// gradients seen so far, with coefficients of very different sizes. A step asks a random component
// for its gradient there.
type wanderer struct {
	r     *rand.Rand
	reach float64

	o     *algos.Oracle
	x0    []float64
	x, g  []float64
	known basis
}

func (m *wanderer) Name() string         { return "wanderer" }
func (m *wanderer) Point() []float64     { return m.x }
func (m *wanderer) Estimator() []float64 { return m.g }

func (m *wanderer) Start(o *algos.Oracle, x0 []float64, _ algos.Randomness) error {
	m.o, m.x0, m.x, m.g, m.known = o, x0, append([]float64(nil), x0...),
		make([]float64, len(x0)), basis{}
	return nil
}

func (m *wanderer) Step() {
	m.o.Gradient(m.g, m.x, m.r.IntN(m.o.Components()))
	m.known.add(m.g)
	copy(m.x, m.x0)
	for _, q := range m.known.rows {
		// Signs are the explorer's more often than not, which makes progress along chains likely.
		c := -m.reach * m.r.Float64()
		if m.r.IntN(4) == 0 {
			c = m.reach * m.r.NormFloat64()
		}
		floats.AddScaled(m.x, c, q)
	}
}

// witness stands between a method and a problem and notes how many gradients had been given when a
// query was first made at an ε-stationary point of f.
type witness struct {
	instance
	eps   float64
	given int
	found int // -1 until then
	last  []float64
	mean  []float64
}

func newWitness(p instance, eps float64) *witness {
	return &witness{instance: p, eps: eps, found: -1, mean: make([]float64, p.Dim())}
}

// Gradient sets dst to ∇f_i(x).
func (w *witness) Gradient(dst, x []float64, i int) {
	w.look(x)
	w.given++
	w.instance.Gradient(dst, x, i)
}

func (w *witness) look(x []float64) {
	if w.found >= 0 || w.last != nil && floats.Equal(w.last, x) {
		return
	}
	w.last = append(w.last[:0], x...)
	w.FullGradient(w.mean, x)
	if floats.Norm(w.mean, 2) <= w.eps {
		w.found = w.given
	}
}

// component hides the other abilities of a witness, so that every gradient passes through it.
type component struct{ w *witness }

func (c component) Components() int                  { return c.w.Components() }
func (c component) Dim() int                         { return c.w.Dim() }
func (c component) Gradient(dst, x []float64, i int) { c.w.Gradient(dst, x, i) }
func (c component) Value(x []float64) float64        { return c.w.Value(x) }

// spent runs the method until a query or its current point is ε-stationary or limit gradients have
// been given, and returns the number of gradients given before the stationary point appeared, or
// before the run ended.
func spent(m algos.Method, p instance, x0 []float64, r algos.Randomness, eps float64,
	limit int) (gradients int,
	found bool) {
	w := newWitness(p, eps)
	started(m, component{w}, x0, r)
	for idle := 0; ; idle++ {
		before := w.given
		w.look(m.Point())
		if f, ok := m.(algos.Finisher); w.found >= 0 || w.given >= limit || ok && f.Finished() {
			break
		}
		m.Step()
		if w.given > before {
			idle = 0
		}
		if idle > 10*limit { // a method that asks for nothing any more
			break
		}
	}
	if w.found >= 0 {
		return w.found, true
	}
	return w.given, false
}
