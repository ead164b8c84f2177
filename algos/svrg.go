package algos

import "math"

// SVRG is stochastic variance-reduced gradient descent: at a snapshot s the full gradient is
// computed, and between snapshots
//
//	v = mean over I of (∇f_i(x) − ∇f_i(s)) + ∇f(s).
//
// R. Johnson and T. Zhang, Accelerating stochastic gradient descent using predictive variance
// reduction, NIPS 2013. The next snapshot is the last inner iterate (their option I; the nonconvex
// analysis of S. Reddi et al., Stochastic variance reduction for nonconvex optimization, ICML 2016,
// carries it over too). At the snapshot itself v is the full gradient, and no minibatch is drawn:
// an epoch of m steps costs n + 2b(m−1).
type SVRG struct {
	Tuning
	Period int // steps m between snapshots; 0 stands for ⌈n/b⌉

	state
	snap, mu []float64
}

var _ Method = (*SVRG)(nil)

var svrgEntry = Entry{
	Name:    "SVRG",
	Summary: "control variate from a snapshot's full gradient",
	Source:  "Johnson and Zhang 2013",
	New:     func(s Setting) Method { return &SVRG{Tuning: s.Tuning, Period: s.Period} },
	Prescribed: func(f *Facts) Prescription {
		m := PrescribedSVRG(f.N, f.smallBatch(), f.NeedL())
		return Prescription{Method: m, Eta: m.Eta, By: "Reddi et al. 2016, for b ≤ n^{2/3}"}
	},
}

// PrescribedSVRG returns SVRG with the parameters of the nonconvex theorem of Reddi et al.: b ≤
// n^{2/3}, η = b/(4Ln^{2/3}) and ⌊4n/(3b)⌋ steps between snapshots (their μ₀ = 1/4). Their Lyapunov
// argument leaves at least half of −η‖∇f‖² in every step.
func PrescribedSVRG(n, b int, L float64) *SVRG {
	// Provenance: the constants are not compared with the original; the condition is tested.
	const mu0 = 0.25
	return &SVRG{Tuning: Tuning{Eta: mu0 * float64(b) / (L * twoThirds(n)), Batch: b},
		Period: max(1, int(float64(n)/(3*mu0*float64(b))))}
}

// twoThirds is n^{2/3}.
func twoThirds(n int) float64 { return math.Cbrt(float64(n) * float64(n)) }

// Name returns "SVRG".
func (m *SVRG) Name() string { return "SVRG" }

// Start takes the first snapshot.
func (m *SVRG) Start(o *Oracle, x0 []float64, r Randomness) error {
	c := checker{method: m.Name()}
	c.tuning(o, &m.Tuning)
	c.period("Period", &m.Period, o.Components(), m.Batch)
	if err := m.begin(&c, o, x0, r, m.Batch, m.WithReplacement); err != nil {
		return err
	}
	m.snap, m.mu = make([]float64, m.d), make([]float64, m.d)
	m.snapshot()
	return nil
}

func (m *SVRG) snapshot() {
	m.full()
	copy(m.snap, m.x)
	copy(m.mu, m.v)
}

// Step moves and estimates the gradient at the new point.
func (m *SVRG) Step() {
	m.move(m.Eta, m.Radius)
	if m.t%m.Period == 0 {
		m.snapshot()
		return
	}
	m.control(m.mu, m.snap)
}

// Memory returns the number of float64 the method keeps between steps.
func (m *SVRG) Memory() int { return 4 * m.d }
