package algos

// SAGA keeps the last gradient a_i seen of every component and uses v = mean over I of (∇f_i(x) − a_i) + mean of all
// a_i, then stores the new gradients. A. Defazio, F. Bach and S. Lacoste-Julien, SAGA: a fast incremental gradient
// method with support for non-strongly convex composite objectives, NIPS 2014. The table is filled at x⁰ (n gradients);
// a step costs b gradients, or 2b with TwoDraws, the form of S. Reddi, S. Sra, B. Poczos and A. Smola, Fast incremental
// method for smooth nonconvex optimization, CDC 2016, which refreshes the table on an independent second index set J.
// The paper's discrepancy formula (lines 305-313) and its experiments are about J = I.
type SAGA struct {
	Tuning
	TwoDraws bool // refresh the table on a second, independent index set

	state
	second        *sample
	rows, average []float64
}

var _ Method = (*SAGA)(nil)

var (
	sagaEntry = Entry{
		Name:    "SAGA",
		Summary: "control variate from a table of past gradients",
		Source:  "Defazio et al. 2014",
		New:     func(s Setting) Method { return &SAGA{Tuning: s.Tuning} },
	}
	sagaTwoDrawsEntry = Entry{
		Name:    "SAGA (two draws)",
		Summary: "SAGA with an independent index set for the table",
		Source:  "Reddi et al. 2016",
		New:     func(s Setting) Method { return &SAGA{Tuning: s.Tuning, TwoDraws: true} },
		Prescribed: func(f *Facts) Prescription {
			m := PrescribedSAGA(f.N, f.smallBatch(), f.NeedL())
			return Prescription{Method: m, Eta: m.Eta, By: "Reddi et al. 2016, for b ≤ n^{2/3}"}
		},
	}
)

// PrescribedSAGA returns SAGA with two draws and the step size b/(3Ln^{2/3}) of the nonconvex theorem of Reddi et al.
// for b ≤ n^{2/3}. The Lyapunov argument for two draws leaves at least a fifth of −η‖∇f‖² in every step.
func PrescribedSAGA(n, b int, L float64) *SAGA {
	// Provenance: the constant and minibatches of two draws are not compared with the original; the condition is
	// tested.
	return &SAGA{Tuning: Tuning{Eta: float64(b) / (3 * L * twoThirds(n)), Batch: b}, TwoDraws: true}
}

// Name returns "SAGA" or "SAGA (two draws)".
func (m *SAGA) Name() string {
	if m.TwoDraws {
		return "SAGA (two draws)"
	}
	return "SAGA"
}

// Start fills the table at x0.
func (m *SAGA) Start(o *Oracle, x0 []float64, r Randomness) error {
	c := checker{method: m.Name()}
	c.tuning(o, &m.Tuning)
	if err := m.begin(&c, o, x0, r, m.Batch, m.WithReplacement); err != nil {
		return err
	}
	if m.TwoDraws {
		m.second = newSample(m.Batch, m.d, m.WithReplacement, SecondBatch)
	}
	m.rows, m.average = make([]float64, m.n*m.d), make([]float64, m.d)
	m.fill(m.rows)
	copy(m.average, m.v)
	return nil
}

// Step moves, estimates the gradient at the new point with the old table, and refreshes the table there.
func (m *SAGA) Step() {
	m.move(m.Eta, m.Radius)
	m.draw(m.s)
	m.o.Batch(m.s.now, m.x, m.s.idx)
	copy(m.v, m.average)
	for k, i := range m.s.idx {
		g, a := m.s.now[k*m.d:(k+1)*m.d], m.rows[i*m.d:(i+1)*m.d]
		for l := range g {
			m.v[l] += (g[l] - a[l]) / float64(len(m.s.idx))
		}
	}
	fresh := m.s
	if m.TwoDraws {
		fresh = m.second
		m.draw(fresh)
		m.o.Batch(fresh.now, m.x, fresh.idx)
	}
	for k, i := range fresh.idx {
		g, a := fresh.now[k*m.d:(k+1)*m.d], m.rows[i*m.d:(i+1)*m.d]
		for l := range g {
			m.average[l] += (g[l] - a[l]) / float64(m.n)
			a[l] = g[l]
		}
	}
}

// Memory returns the number of float64 the method keeps between steps.
func (m *SAGA) Memory() int { return len(m.rows) + 3*m.d }
