package algos

import "math"

// SPIDERPlus is SPIDER-SFO⁺ with Neon2: before every stretch of M = δ/(ρ·ηε) steps it looks for
// negative curvature at the current point. If it finds a direction w it walks along ±w, the sign a
// fair coin, in M steps of length ηε; otherwise it takes M normalized SPIDER steps and is finished
// when ‖v‖ ≤ 2ε. The estimator follows all steps. C. Fang et al., SPIDER, NeurIPS 2018, with Z.
// Allen-Zhu and Y. Li, Neon2, NeurIPS 2018; the combination is reconstructed from the papers'
// statements.
type SPIDERPlus struct {
	Eta             float64 // η = 1/(L n₀) > 0
	Eps             float64 // target gradient norm ε > 0
	Batch           int     // minibatch size b; 0 stands for ⌈√n⌉
	Period          int     // steps between full gradients; 0 stands for ⌈n/b⌉
	Neon            Neon2   // the curvature search, with L, ρ and δ
	WithReplacement bool    // draw minibatches with replacement, as in the original

	inner SPIDER

	left      int
	direction []float64
}

var _ Method = (*SPIDERPlus)(nil)

var (
	spiderPlusEntry     = spiderPlus(Neon2{}, "SPIDER-SFO with Neon2 curvature searches")
	spiderPlusFullEntry = spiderPlus(Neon2{Deterministic: true},
		"SPIDER-SFO with curvature searches by full gradients")
)

// spiderPlus takes from search only whether it is deterministic.
func spiderPlus(search Neon2, summary string) Entry {
	return Entry{
		Name:    (&SPIDERPlus{Neon: search}).Name(),
		Summary: summary,
		Source:  "Fang et al. 2018; Allen-Zhu and Li 2018",
		New: func(s Setting) Method {
			n := s.neon()
			n.Deterministic = search.Deterministic
			return &SPIDERPlus{Eta: s.Eta, Eps: s.eps(), Batch: s.Batch, Period: s.Period, Neon: n,
				WithReplacement: s.WithReplacement}
		},
		Prescribed: func(f *Facts) Prescription {
			m := prescribedSPIDERPlus(f)
			m.Neon.Deterministic = search.Deterministic
			return Prescription{Method: m, Eta: m.Eta,
				By: "Fang et al. 2018, n₀ = 1, target ε/3 as it stops where ‖v‖ ≤ 2ε"}
		},
	}
}

// PrescribedSPIDERPlus returns SPIDER-SFO⁺ with the parameters of PrescribedSPIDER and the given
// curvature search.
func PrescribedSPIDERPlus(n int, L, rho, eps, n0, delta float64) *SPIDERPlus {
	s := PrescribedSPIDER(n, L, eps, n0)
	return &SPIDERPlus{Eta: s.Eta, Eps: eps, Batch: s.Batch, Period: s.Period,
		Neon: Neon2{L: L, Rho: rho, Delta: delta}}
}

// prescribedSPIDERPlus aims at ε/3, as the method stops where ‖v‖ ≤ 2ε.
func prescribedSPIDERPlus(f *Facts) *SPIDERPlus {
	rho, delta := f.NeedCurvature()
	return PrescribedSPIDERPlus(f.N, f.NeedL(), rho, f.NeedEps()/3, 1, delta)
}

// Name returns "SPIDER-SFO+" or, with a deterministic curvature search, "SPIDER-SFO+ (finite-sum
// Neon2)".
func (m *SPIDERPlus) Name() string {
	if m.Neon.Deterministic {
		return "SPIDER-SFO+ (finite-sum Neon2)"
	}
	return "SPIDER-SFO+"
}

// Point returns x^t.
func (m *SPIDERPlus) Point() []float64 { return m.inner.Point() }

// Estimator returns v^t.
func (m *SPIDERPlus) Estimator() []float64 { return m.inner.Estimator() }

// Finished reports whether a point without detectable negative curvature and with ‖v‖ ≤ 2ε has been
// found.
func (m *SPIDERPlus) Finished() bool { return m.inner.finished }

// Start computes the full gradient at x0.
func (m *SPIDERPlus) Start(o *Oracle, x0 []float64, r Randomness) error {
	c := checker{method: m.Name()}
	c.neon(&m.Neon, o.Components())
	if c.err != nil {
		return c.err
	}
	m.inner = SPIDER{Eta: m.Eta, Eps: m.Eps, Batch: m.Batch, Period: m.Period, Normalized: true,
		WithReplacement: m.WithReplacement}
	m.left, m.direction = 0, nil
	return m.inner.Start(o, x0, r)
}

// Step looks for negative curvature where a stretch begins, and moves.
func (m *SPIDERPlus) Step() {
	s := &m.inner
	if s.finished {
		return
	}
	if m.left == 0 {
		m.left = max(1, int(math.Ceil(m.Neon.Delta/(m.Neon.Rho*m.Eta*m.Eps))))
		// parameters were checked by Start; x is finite or the run has diverged
		m.direction, _, _ = m.Neon.Search(s.o, s.x, s.r)
		if m.direction != nil && s.r.Uniform(Coins) < 0.5 {
			scale(-1, m.direction)
		}
	}
	m.left--
	if m.direction == nil {
		s.Step()
		return
	}
	s.t++
	s.x, s.prev = s.prev, s.x
	for l, p := range s.prev {
		s.x[l] = p - m.Eta*m.Eps*m.direction[l]
	}
	s.estimate()
}

// Memory returns the number of float64 the method keeps between steps.
func (m *SPIDERPlus) Memory() int { return m.inner.Memory() + 5*len(m.Point()) }
