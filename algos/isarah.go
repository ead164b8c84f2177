package algos

import "math"

// InexactSARAH is SARAH with restarts from a sample of b₀ components instead of the full gradient,
// for objectives whose full gradient is out of reach. L. Nguyen, K. Scheinberg and M. Takáč,
// Inexact SARAH algorithm for stochastic optimization, Optimization Methods and Software 2021. b₀ =
// n without replacement is SARAH. Batch is the size b of the inner minibatches, by default 1.
type InexactSARAH struct {
	Tuning
	Restart int // size b₀ of the restart sample; 0 stands for n
	Period  int // steps m between restarts; 0 stands for ⌈b₀/b⌉

	state
	large *sample
}

var _ Method = (*InexactSARAH)(nil)

var inexactSARAHEntry = Entry{
	Name:    "iSARAH",
	Summary: "SARAH restarted from a sample",
	Source:  "Nguyen et al. 2021",
	New:     func(s Setting) Method { return &InexactSARAH{Tuning: s.Tuning, Period: s.Period} },
	Prescribed: func(f *Facts) Prescription {
		m := PrescribedInexactSARAH(f.N, f.NeedL(), f.need("σ", f.Spread), f.NeedEps())
		return Prescription{Method: m, Eta: m.Eta, By: "derived: restarts from 2σ²/ε² components"}
	},
}

// PrescribedInexactSARAH returns inexact SARAH for gradient norms of ε: restarts from min{n,
// ⌈2σ²/ε²⌉} components, σ the root mean square distance of component gradients from ∇f, so that the
// restart has at most the mean squared error ε²/2; b₀ inner steps with single components, and the
// step size that the error of a recursion of that length allows. The batch size has the order that
// the original names; the constants are derived here.
func PrescribedInexactSARAH(n int, L, sigma, eps float64) *InexactSARAH {
	restart := int(min(float64(n), math.Ceil(2*sigma*sigma/(eps*eps))))
	return &InexactSARAH{Tuning: Tuning{Eta: recursiveStep(L, float64(max(1, restart))), Batch: 1},
		Restart: max(1, restart), Period: max(1, restart)}
}

// Name returns "iSARAH".
func (m *InexactSARAH) Name() string { return "iSARAH" }

// Start estimates the gradient at x0 from the first restart sample.
func (m *InexactSARAH) Start(o *Oracle, x0 []float64, r Randomness) error {
	n := o.Components()
	if m.Batch == 0 {
		m.Batch = 1
	}
	if m.Restart == 0 {
		m.Restart = n
	}
	c := checker{method: m.Name()}
	c.tuning(o, &m.Tuning)
	c.batchSize("Restart", &m.Restart, n, m.WithReplacement)
	c.period("Period", &m.Period, m.Restart, m.Batch)
	if err := m.begin(&c, o, x0, r, m.Batch, m.WithReplacement); err != nil {
		return err
	}
	m.large = m.largeSample(m.Restart, m.WithReplacement, SecondBatch)
	m.restart()
	return nil
}

func (m *InexactSARAH) restart() {
	m.sampled(m.large)
}

// Step moves and updates the estimator.
func (m *InexactSARAH) Step() {
	m.move(m.Eta, m.Radius)
	if m.t%m.Period == 0 {
		m.restart()
		return
	}
	m.recur()
}

// Memory returns the number of float64 the method keeps between steps.
func (m *InexactSARAH) Memory() int { return 3 * m.d }
