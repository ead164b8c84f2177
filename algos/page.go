package algos

import "math"

// PAGE flips a coin at every step: with probability p it computes the full gradient, otherwise it
// adds a minibatch difference to the estimator. Z. Li, H. Bao, X. Zhang and P. Richtárik, PAGE: a
// simple and optimal probabilistic gradient estimator for nonconvex optimization, ICML 2021. The
// coin is independent of the minibatch (a public implementation takes both from one key, which
// makes them dependent). The expected cost of a step is pn + 2(1−p)b gradients.
type PAGE struct {
	Tuning
	Probability float64 // p in [0, 1]; 0 stands for b/(n+b). Use Never for p = 0
	Never       bool    // p = 0: the full gradient at x⁰ only

	state
}

var _ Method = (*PAGE)(nil)

var pageEntry = Entry{
	Name:    "PAGE",
	Summary: "SARAH recursion with full gradients at random steps",
	Source:  "Li et al. 2021",
	New:     func(s Setting) Method { return &PAGE{Tuning: s.Tuning, Probability: s.Probability} },
	Prescribed: func(f *Facts) Prescription {
		if f.Goal == UnderPL {
			m := PrescribedPLPAGE(f.N, f.NeedL(), f.NeedMu())
			return Prescription{Method: m, Eta: m.Eta, By: "Li et al. 2021 under PL, b = ⌈√n⌉"}
		}
		m := PrescribedPAGE(f.N, f.NeedL())
		return Prescription{Method: m, Eta: m.Eta, By: "Li et al. 2021, b = ⌈√n⌉"}
	},
}

// Name returns "PAGE".
func (m *PAGE) Name() string { return "PAGE" }

// Start computes the full gradient at x0.
func (m *PAGE) Start(o *Oracle, x0 []float64, r Randomness) error {
	n := o.Components()
	c := checker{method: m.Name()}
	c.tuning(o, &m.Tuning)
	if m.Probability == 0 && !m.Never {
		m.Probability = float64(m.Batch) / float64(n+m.Batch)
	}
	c.unit("Probability", m.Probability)
	if err := m.begin(&c, o, x0, r, m.Batch, m.WithReplacement); err != nil {
		return err
	}
	m.full()
	return nil
}

// Step moves, flips the coin and updates the estimator.
func (m *PAGE) Step() {
	m.move(m.Eta, m.Radius)
	p := m.Probability
	if m.Never {
		p = 0
	}
	if m.r.Uniform(Coins) < p {
		m.full()
		return
	}
	m.recur()
}

// Memory returns the number of float64 the method keeps between steps.
func (m *PAGE) Memory() int { return 3 * m.d }

// PrescribedPAGE returns PAGE with b = ⌈√n⌉, p = b/(n+b) and the step size 1/(L(1 + √((1−p)/(pb))))
// of its theorem for nonconvex objectives. With them f + (η/2p)‖v − ∇f‖² falls.
func PrescribedPAGE(n int, L float64) *PAGE {
	// Provenance: not compared with the original; the Lyapunov condition is tested.
	b := RootBatch(n)
	p := float64(b) / float64(n+b)
	return &PAGE{Tuning: Tuning{Eta: 1 / (L * (1 + math.Sqrt((1-p)/(p*float64(b))))), Batch: b},
		Probability: p}
}

// PrescribedPLPAGE is PrescribedPAGE with the step size also at most p/(2μ), as its theorem under
// the PL condition asks. For b ≥ √n, f + (η/p)‖v − ∇f‖² contracts by the factor 1 − ημ.
func PrescribedPLPAGE(n int, L, mu float64) *PAGE {
	// Provenance: not compared with the original; the Lyapunov condition is tested.
	m := PrescribedPAGE(n, L)
	m.Eta = min(m.Eta, m.Probability/(2*mu))
	return m
}
