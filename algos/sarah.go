package algos

import "math"

// SARAH accumulates gradient differences, v^t = v^{t-1} + mean over I^t of (∇f_i(x^t) −
// ∇f_i(x^{t-1})), and replaces v by the full gradient at every m-th step. L. Nguyen, J. Liu, K.
// Scheinberg and M. Takáč, SARAH, ICML 2017; this is the fixed-length nonconvex variant of the same
// authors (Stochastic recursive gradient algorithm for nonconvex optimization, 2017), which goes on
// from the last iterate. m steps cost n + 2b(m−1).
type SARAH struct {
	Tuning
	Period int // steps m between full gradients; 0 stands for ⌈n/b⌉

	state
}

var _ Method = (*SARAH)(nil)

var sarahEntry = Entry{
	Name:    "SARAH",
	Summary: "accumulated differences, restarted by full gradients",
	Source:  "Nguyen et al. 2017",
	New:     func(s Setting) Method { return &SARAH{Tuning: s.Tuning, Period: s.Period} },
	Prescribed: func(f *Facts) Prescription {
		m := PrescribedSARAH(f.N, f.NeedL())
		return Prescription{Method: m, Eta: m.Eta, By: "Nguyen et al. 2017, b = ⌈√n⌉"}
	},
}

// PrescribedSARAH returns SARAH with b = ⌈√n⌉, a full gradient at every ⌈n/b⌉-th step and the step
// size 2/(L(1 + √(1 + 4(m/b)(n−b)/(n−1)))) of the nonconvex theorem of 2017 (see recursiveStep).
func PrescribedSARAH(n int, L float64) *SARAH {
	// Provenance: derived; not compared with the original's text.
	b := RootBatch(n)
	m := (n + b - 1) / b
	return &SARAH{Tuning: Tuning{Eta: recursiveStep(L, float64(m)*sampleVariance(n, b)), Batch: b},
		Period: m}
}

// recursiveStep is the largest step size with which an estimator converges whose squared error,
// summed over a run, is at most a·L²‖x^t − x^{t−1}‖², summed: the descent lemma leaves ‖x^t −
// x^{t−1}‖² the factor −(1/(2η) − L/2 − aL²η/2), which is not positive for ηL ≤ 2/(1 + √(1+4a)).
func recursiveStep(L, a float64) float64 { return 2 / (L * (1 + math.Sqrt(1+4*a))) }

// sampleVariance is the variance of a mean of b out of n values drawn without replacement, for
// values of variance 1.
func sampleVariance(n, b int) float64 {
	if n == 1 {
		return 0
	}
	return float64(n-b) / (float64(b) * float64(n-1))
}

// Name returns "SARAH".
func (m *SARAH) Name() string { return "SARAH" }

// Start computes the full gradient at x0.
func (m *SARAH) Start(o *Oracle, x0 []float64, r Randomness) error {
	c := checker{method: m.Name()}
	c.tuning(o, &m.Tuning)
	c.period("Period", &m.Period, o.Components(), m.Batch)
	if err := m.begin(&c, o, x0, r, m.Batch, m.WithReplacement); err != nil {
		return err
	}
	m.full()
	return nil
}

// Step moves and updates the estimator.
func (m *SARAH) Step() {
	m.move(m.Eta, m.Radius)
	if m.t%m.Period == 0 {
		m.full()
		return
	}
	m.recur()
}

// Memory returns the number of float64 the method keeps between steps.
func (m *SARAH) Memory() int { return 3 * m.d }
