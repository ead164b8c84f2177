package algos

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// SPIDER is SPIDER-SFO: the SARAH recursion with steps of bounded length,
//
//	x^{t+1} = x^t − η min(ε/‖v‖, 1/2) v   (Option II of the original), or
//	x^{t+1} = x^t − η (ε/‖v‖) v, finished as soon as ‖v‖ ≤ 2ε   (Option I, here Normalized),
//
// with η = 1/(L n₀). C. Fang, C. Li, Z. Lin and T. Zhang, SPIDER: near-optimal non-convex
// optimization via stochastic path-integrated differential estimator, NeurIPS 2018. The recursion
// and both options are as in a formalisation of the algorithm. For a finite sum the refresh is the
// full gradient, q = n₀√n and b = √n/n₀ with 1 ≤ n₀ ≤ √n (q steps of length ηε then make a root
// mean square error of at most ε, since qL²(ηε)²/b = ε²).
type SPIDER struct {
	Eta             float64 // η = 1/(L n₀) > 0
	Eps             float64 // target gradient norm ε > 0
	Batch           int     // minibatch size b; 0 stands for ⌈√n⌉ (n₀ = 1)
	Period          int     // steps q between refreshes; 0 stands for ⌈n/b⌉
	Refresh         int     // size of the refresh sample; 0 stands for n, the full gradient
	Normalized      bool    // steps of exact length ηε, and stop at ‖v‖ ≤ 2ε
	WithReplacement bool    // draw samples with replacement, as in the original

	state
	large    *sample
	finished bool
}

var _ Method = (*SPIDER)(nil)

var spiderEntry = Entry{
	Name:    "SPIDER-SFO",
	Summary: "SARAH recursion with steps of bounded length",
	Source:  "Fang et al. 2018",
	New: func(s Setting) Method {
		return &SPIDER{Eta: s.Eta, Eps: s.eps(), Batch: s.Batch, Period: s.Period,
			WithReplacement: s.WithReplacement}
	},
	Prescribed: func(f *Facts) Prescription {
		m := PrescribedSPIDER(f.N, f.NeedL(), f.NeedEps(), 1)
		return Prescription{Method: m, Eta: m.Eta, By: "Fang et al. 2018, finite sums, n₀ = 1"}
	},
}

// PrescribedSPIDER returns SPIDER-SFO with the parameters of its finite-sum theorem, 1 ≤ n₀ ≤ √n.
func PrescribedSPIDER(n int, L, eps, n0 float64) *SPIDER {
	// Provenance: q and b are not compared with the original; the error bound is tested.
	root := math.Sqrt(float64(n))
	return &SPIDER{Eta: 1 / (L * n0), Eps: eps, Batch: max(1, min(n, int(math.Ceil(root/n0)))),
		Period: max(1, int(math.Ceil(n0*root)))}
}

// Name returns "SPIDER-SFO".
func (m *SPIDER) Name() string { return "SPIDER-SFO" }

// Finished reports whether the normalized form has met its stopping rule.
func (m *SPIDER) Finished() bool { return m.finished }

// Start makes the first estimate.
func (m *SPIDER) Start(o *Oracle, x0 []float64, r Randomness) error {
	n := o.Components()
	if m.Refresh == 0 {
		m.Refresh = n
	}
	c := checker{method: m.Name()}
	c.positive("Eta", m.Eta)
	c.positive("Eps", m.Eps)
	c.batchSize("Batch", &m.Batch, n, m.WithReplacement)
	c.batchSize("Refresh", &m.Refresh, n, m.WithReplacement)
	c.period("Period", &m.Period, n, m.Batch)
	if err := m.begin(&c, o, x0, r, m.Batch, m.WithReplacement); err != nil {
		return err
	}
	m.large, m.finished = nil, false
	if m.Refresh < n || m.WithReplacement {
		m.large = m.largeSample(m.Refresh, m.WithReplacement, SecondBatch)
	}
	m.refresh()
	return nil
}

func (m *SPIDER) refresh() {
	if m.large == nil {
		m.full()
		return
	}
	m.sampled(m.large)
}

// estimate updates the estimator at a new point.
func (m *SPIDER) estimate() {
	if m.t%m.Period == 0 {
		m.refresh()
		return
	}
	m.recur()
}

// Step moves and updates the estimator.
func (m *SPIDER) Step() {
	norm := floats.Norm(m.v, 2)
	if m.finished = m.finished || m.Normalized && norm <= 2*m.Eps; m.finished {
		return
	}
	factor := 0.5
	if norm > 0 && (m.Normalized || m.Eps/norm < factor) {
		factor = m.Eps / norm
	}
	m.move(m.Eta*factor, 0)
	m.estimate()
}

// Memory returns the number of float64 the method keeps between steps.
func (m *SPIDER) Memory() int { return 3 * m.d }
