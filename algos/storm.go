package algos

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// STORM is stochastic gradient descent with recursive momentum, d^t = ∇f(x^t; ξ^t) + (1−a)(d^{t-1}
// − ∇f(x^{t-1}; ξ^t)). A. Cutkosky and F. Orabona, Momentum-based variance reduction in non-convex
// SGD, NeurIPS 2019. Step size and a are constant, or adapt as in its theorem 1: η_t = k/(w +
// Σ_{s≤t} G_s²)^{1/3} with G_s the norm of the fresh stochastic gradient, and a_{t+1} = c η_t², at
// most 1. A step costs 2b gradients. Eta is the constant step size, unused with Adaptive.
type STORM struct {
	Tuning
	// momentum weight a in [0, 1] of the constant rule; 0 is SARAH without refresh
	A         float64
	Adaptive  bool    // step size and a follow the adaptive rule
	K, W, C   float64 // constants of the adaptive rule; 0 stands for 0.1, 0.1 and 100
	FullStart bool    // start from the full gradient instead of a minibatch

	state
	sumSq  float64
	before []float64
	norm   float64
}

var _ Method = (*STORM)(nil)

var (
	stormEntry = Entry{
		Name:    "STORM",
		Summary: "recursive momentum with constant step size",
		Source:  "Cutkosky and Orabona 2019",
		New: func(s Setting) Method {
			if s.Momentum == 0 {
				s.Momentum = 0.1
			}
			return &STORM{Tuning: s.Tuning, A: s.Momentum}
		},
		Prescribed: func(f *Facts) Prescription {
			m := PrescribedConstantSTORM(f.Minibatch(), f.NeedL(), f.need("σ", f.Spread),
				f.NeedEps())
			return Prescription{Method: m, Eta: m.Eta, By: "derived: a = min{1, bε²/(4σ²)}"}
		},
	}
	stormAdaptiveEntry = Entry{
		Name:    "STORM (adaptive)",
		Summary: "recursive momentum with its adaptive rule",
		Source:  "Cutkosky and Orabona 2019",
		New: func(s Setting) Method {
			return &STORM{Adaptive: true, K: s.Eta, Tuning: s.Tuning}
		},
		Prescribed: func(f *Facts) Prescription {
			m := PrescribedSTORM(f.NeedL(), f.need("G", f.Bound), 1)
			return Prescription{Method: m, Eta: m.K,
				By: "Cutkosky and Orabona 2019, single components, β = 1"}
		},
	}
)

// PrescribedSTORM returns adaptive STORM on single components with the constants of its theorem for
// L-smooth components whose gradients are at most G: k = βG^{2/3}/L, c = 28L² + G²/(7Lk³) and w =
// max{(4Lk)³, 2G², (ck/(4L))³}, β > 0 free.
func PrescribedSTORM(L, G, beta float64) *STORM {
	k := beta * math.Cbrt(G*G) / L
	c := 28*L*L + G*G/(7*L*k*k*k)
	return &STORM{Adaptive: true, Tuning: Tuning{Batch: 1}, K: k, C: c,
		W: max(math.Pow(4*L*k, 3), 2*G*G, math.Pow(c*k/(4*L), 3))}
}

// PrescribedConstantSTORM returns STORM with constant parameters for gradient norms of ε, from the
// full gradient: a = min{1, bε²/(4σ²)} for component gradients of root mean square distance σ from
// ∇f, which keeps the error that fresh minibatches bring at ε²/2, and the step size that the error
// of such a recursion allows. Both are derived here, from E‖e^t‖² ≤ (1−a)²E‖e^{t−1}‖² +
// (2/b)((1−a)²L²‖x^t − x^{t−1}‖² + a²σ²).
func PrescribedConstantSTORM(b int, L, sigma, eps float64) *STORM {
	a := min(1, float64(b)*eps*eps/(4*sigma*sigma))
	keep := (1 - a) * (1 - a)
	return &STORM{Tuning: Tuning{Eta: recursiveStep(L, 2*keep/(float64(b)*(1-keep))), Batch: b},
		A: a, FullStart: true}
}

// Name returns "STORM" or "STORM (adaptive)".
func (m *STORM) Name() string {
	if m.Adaptive {
		return "STORM (adaptive)"
	}
	return "STORM"
}

// Start makes the first estimate.
func (m *STORM) Start(o *Oracle, x0 []float64, r Randomness) error {
	c := checker{method: m.Name()}
	for _, p := range []struct {
		v         *float64
		byDefault float64
	}{{&m.K, 0.1}, {&m.W, 0.1}, {&m.C, 100}} {
		if *p.v == 0 {
			*p.v = p.byDefault
		}
	}
	if !m.Adaptive {
		c.positive("Eta", m.Eta)
	}
	c.unit("A", m.A)
	c.positive("K", m.K)
	c.positive("W", m.W)
	c.positive("C", m.C)
	c.nonnegative("Radius", m.Radius)
	c.batchSize("Batch", &m.Batch, o.Components(), m.WithReplacement)
	if err := m.begin(&c, o, x0, r, m.Batch, m.WithReplacement); err != nil {
		return err
	}
	m.before, m.sumSq = make([]float64, m.d), 0
	if m.FullStart {
		m.full()
	} else {
		m.sampled(m.s)
	}
	m.norm = floats.Norm(m.v, 2)
	return nil
}

// Step moves and updates the estimator.
func (m *STORM) Step() {
	eta, a := m.Eta, m.A
	if m.Adaptive {
		m.sumSq += m.norm * m.norm
		eta = m.K / math.Cbrt(m.W+m.sumSq)
		a = min(1, m.C*eta*eta)
	}
	m.move(eta, m.Radius)
	m.draw(m.s)
	m.mean(m.work, m.x, m.s)
	m.mean(m.before, m.prev, m.s)
	for l, g := range m.work {
		m.v[l] = g + (1-a)*(m.v[l]-m.before[l])
	}
	m.norm = floats.Norm(m.work, 2)
}

// Memory returns the number of float64 the method keeps between steps.
func (m *STORM) Memory() int { return 3 * m.d }
