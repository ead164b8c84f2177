package algos

// SAGA keeps the last gradient a_i seen of every component and uses v = mean over I of (∇f_i(x) −
// a_i) + mean of all a_i, then stores the new gradients. A. Defazio, F. Bach and S. Lacoste-Julien,
// SAGA: a fast incremental gradient method with support for non-strongly convex composite
// objectives, NIPS 2014. The table is filled at x⁰ (n gradients); a step costs b gradients, or 2b
// with TwoDraws, the form of S. Reddi, S. Sra, B. Poczos and A. Smola, Fast incremental method for
// smooth nonconvex optimization, CDC 2016, which refreshes the table on an independent second index
// set J. The paper's discrepancy formula (lines 305-313) and its experiments are about J = I. With
// single components of a [Linear] model, or few, whose rows are sparse, a step costs as much as
// these have entries, if there is no noise and what the components share is nothing, or is a
// [Ridge] and Separate; asking for the point or the estimator costs d.
type SAGA struct {
	Tuning
	TwoDraws bool // refresh the table on a second, independent index set
	// Separate takes the gradient of what the components of a [Linear] model share as it is, and
	// not from the table, as public implementations do with a regulariser.
	Separate bool

	state
	second        *sample
	rows, average []float64
	table         *table // instead of rows
	separate      bool   // the problem has something to separate
	lagged        *lagged
	touched       []row   // of the minibatch, for the lagging point
	made          int     // the step that x and v are of, where the point lags
	coming        [32]int // components to come, −1 before there are any
	next          [32]row // their rows
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

// PrescribedSAGA returns SAGA with two draws and the step size b/(3Ln^{2/3}) of the nonconvex
// theorem of Reddi et al. for b ≤ n^{2/3}. The Lyapunov argument for two draws leaves at least a
// fifth of −η‖∇f‖² in every step.
func PrescribedSAGA(n, b int, L float64) *SAGA {
	// Provenance: the constant and minibatches of two draws are not compared with the original; the
	// condition is tested.
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
	m.separate = m.Separate && o.linear != nil
	m.rows, m.table = m.gradients(true, m.separate)
	m.average = clone(m.v)
	if m.separate {
		o.linear.AddShared(m.v, 1, m.x)
	}
	m.lagged, m.made = m.lag(), 0
	if m.TwoDraws {
		m.second = m.sample(m.Batch, m.WithReplacement, SecondBatch)
	}
	return nil
}

// lag makes the point one that lags behind, where that is possible and steps touch few numbers.
func (m *SAGA) lag() *lagged {
	if m.table == nil || m.Radius > 0 || m.TwoDraws || m.WithReplacement {
		return nil
	}
	ridge := 0.0
	if m.o.linear.AddShared(m.work, 0, m.x) {
		r, ok := m.o.linear.(Ridge)
		if !ok || !m.separate {
			return nil
		}
		if ridge, ok = r.Ridge(); !ok || m.Eta*ridge > 0.5 {
			return nil
		}
	}
	const few = 4 // how many times fewer the entries of a minibatch are than coordinates
	entries, sparse := 0.0, true
	for i := range m.n {
		a := m.o.row(i)
		entries += float64(len(a.values)) / float64(m.n)
		sparse = sparse && a.columns != nil
	}
	sparse = sparse && entries*float64(m.Batch)*few <= float64(m.d)
	if !sparse && m.Batch > 1 {
		return nil
	}
	m.touched = make([]row, m.Batch)
	for k := range m.coming {
		m.coming[k] = -1
	}
	return newLagged(m.x, m.average, m.Eta, ridge, sparse)
}

func (m *SAGA) lags() bool { return m.lagged != nil }

// Point returns x^t.
func (m *SAGA) Point() []float64 {
	if m.lagged != nil && m.made != m.t {
		m.lagged.point(m.x, m.v)
		for k, a := range m.touched {
			a.addTo(m.v, m.s.now[k]/float64(m.Batch))
		}
		m.made = m.t
	}
	return m.x
}

// Estimator returns v^t.
func (m *SAGA) Estimator() []float64 {
	m.Point()
	return m.v
}

// lagStep is Step on a lagging point. The sample holds the changes of slopes, which the point and
// the average of the table take up as late as here, where the next step moves.
func (m *SAGA) lagStep() {
	g, n, b := m.lagged, float64(m.n), float64(m.Batch)
	if m.t > 0 {
		c := m.Eta * (1/b - 1/n) / g.q // beyond the drift along the new average
		for k, a := range m.touched {
			g.add(a, -c*m.s.now[k], m.s.now[k]/n)
		}
	}
	m.t++
	g.step()
	m.foresee()
	m.draw(m.s)
	m.o.counts.Calls++
	soon := m.t % len(m.coming)
	for k, i := range m.s.idx {
		a, e := m.next[soon], &m.table.entries[i]
		if m.coming[soon] != i {
			a = m.o.row(i)
		}
		slope := m.o.slopeAt(i, g.dot(a))
		m.s.now[k], e.scalar, m.touched[k] = slope-e.scalar, slope, a
	}
}

// foresee has what the next steps with one component need on its way, where the randomness says
// what that is: such a step is shorter than the wait for its row.
func (m *SAGA) foresee() {
	if m.t%len(m.coming) != 0 || m.Batch > 1 {
		return
	}
	if f, ok := m.r.(foresighted); ok && f.foresee(m.coming[:], m.n, Batches) {
		for k, i := range m.coming {
			m.next[k] = m.o.row(i)
		}
		m.table.prefetch(m.coming[:])
		for k := range m.next {
			m.next[k].prefetch()
		}
	}
}

// Step moves, estimates the gradient at the new point with the old table, and refreshes the table
// there.
func (m *SAGA) Step() {
	if m.lagged != nil {
		m.lagStep()
		return
	}
	m.move(m.Eta, m.Radius)
	m.draw(m.s)
	if m.table != nil {
		m.tableStep()
		return
	}
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

// tableStep is the rest of a step with a table of numbers.
func (m *SAGA) tableStep() {
	m.innovation(m.table, m.s)
	addTo(m.v, m.average, 1/float64(len(m.s.idx)), m.work)
	if m.separate {
		m.o.linear.AddShared(m.v, 1, m.x)
	}
	fresh := m.s
	if m.TwoDraws {
		fresh = m.second
		m.draw(fresh)
		m.innovation(m.table, fresh)
	}
	m.store(m.table, m.average, fresh)
}

// Memory returns the number of float64 the method keeps between steps.
func (m *SAGA) Memory() int {
	kept := len(m.rows) + m.table.size() + 3*m.d
	if m.lagged != nil {
		kept += 3 * m.d
	}
	return kept
}
