package algos

// Mime makes local steps mimic a centralised optimiser: its state s is frozen during a round, and
// local gradients are corrected to ∇f_i(y; J) − ∇f_i(x; J) + c with c the mean of the chosen
// clients' full gradients at x. S. P. Karimireddy et al., Breaking the centralized barrier for
// cross-device federated learning, NeurIPS 2021. The optimiser here is SGD with momentum: direction
// (1−β) g + β s, and s ← (1−β) c + β s after the round, c taken at the round's start, as in a
// public implementation, which weighs clients by their data. β = 0 is MimeSGD. Lite leaves the
// correction out (MimeLite). A round costs 2pKb gradients (Lite: pKb) and all data of the p clients
// once; 2p vectors up; 2p down and p more for the momentum (Lite: one p less).
//
// Estimator returns the displacement of the last round for each unit of step, (x^{t-1} − x^t)/(ηK);
// zero before the first round.
type Mime struct {
	LocalTuning
	Momentum float64 // momentum β in [0, 1]
	Lite     bool    // no correction of local gradients

	roundState
	c, state []float64
}

var _ Method = (*Mime)(nil)

var (
	mimeEntry = Entry{
		Name:      "Mime",
		Summary:   "local steps that mimic SGD with momentum 0.9",
		Source:    "Karimireddy et al. 2021",
		Federated: true,
		New:       func(s Setting) Method { return &Mime{LocalTuning: s.local(), Momentum: 0.9} },
	}
	mimeLiteEntry = Entry{
		Name:      "MimeLite",
		Summary:   "Mime without the correction of local gradients",
		Source:    "Karimireddy et al. 2021",
		Federated: true,
		New: func(s Setting) Method {
			return &Mime{LocalTuning: s.local(), Momentum: 0.9, Lite: true}
		},
	}
	mimeSGDEntry = Entry{
		Name:      "MimeSGD",
		Summary:   "Mime without momentum",
		Source:    "Karimireddy et al. 2021",
		Federated: true,
		New:       func(s Setting) Method { return &Mime{LocalTuning: s.local()} },
		Prescribed: func(f *Facts) Prescription {
			p, K, b := f.Round(1)
			m := PrescribedPLMime(p, K, f.NeedL(), f.need("σ_c", f.Spread), f.NeedEps())
			m.Batch, m.Cap = b, true
			return Prescription{Method: m, Eta: m.Eta,
				By: "balances the terms of its rounds in table 2"}
		},
	}
)

// PrescribedPLMime returns MimeSGD for gradient norms of ε under the PL condition, with local step
// sizes η for which Kη is min{1/(2L), pε²/(2Lσ_c²)}: the entries balance the terms L/μ and
// σ_c²/(μpε²) of the rounds that table:Intro-FL quotes (line 182). The constants are derived for K
// = 1, where MimeSGD is SGD on clients.
func PrescribedPLMime(p, K int, L, sigmaC, eps float64) *Mime {
	return &Mime{LocalTuning: LocalTuning{
		Eta:    min(1/(2*L), float64(p)*eps*eps/(2*L*sigmaC*sigmaC)) / float64(K),
		Chosen: p, LocalSteps: K}}
}

// Name returns "Mime", "MimeSGD" (no momentum) or "MimeLite".
func (m *Mime) Name() string {
	switch {
	case m.Lite:
		return "MimeLite"
	case m.Momentum == 0:
		return "MimeSGD"
	}
	return "Mime"
}

// Start asks for nothing.
func (m *Mime) Start(o *Oracle, x0 []float64, r Randomness) error {
	c := checker{method: m.Name()}
	c.local(o, &m.LocalTuning)
	c.unit("Momentum", m.Momentum)
	if err := m.begin(&c, o, x0, r, m.Chosen, m.Batch); err != nil {
		return err
	}
	m.c, m.state = make([]float64, m.d), make([]float64, m.d)
	return nil
}

// Step performs one communication round.
func (m *Mime) Step() {
	m.invite()
	clear(m.c)
	for _, i := range m.chosen {
		m.o.Local(m.g, m.x, i, m.h)
		axpy(m.c, 1/float64(m.Chosen), m.g)
	}
	down := m.Chosen // x
	if !m.Lite {
		down += m.Chosen // c
	}
	if m.Momentum > 0 {
		down += m.Chosen // s
	}
	m.o.Down(down)
	copy(m.s, m.x)
	for _, i := range m.chosen {
		copy(m.y, m.x)
		for range m.LocalSteps {
			batch, g := m.draw(i, m.Batch), m.v
			if m.Lite {
				m.o.Mean(g, m.y, i, batch, m.h)
			} else {
				copy(g, m.c)
				m.addDifference(g, m.y, m.x, i, batch)
			}
			for l, g := range g {
				m.y[l] -= m.Eta * ((1-m.Momentum)*g + m.Momentum*m.state[l])
			}
		}
		for l, y := range m.y {
			m.s[l] += m.ServerEta / float64(m.Chosen) * (y - m.x[l])
		}
	}
	for l, c := range m.c {
		m.state[l] = (1-m.Momentum)*c + m.Momentum*m.state[l]
	}
	m.o.Up(2 * m.Chosen)
	m.o.Round(m.Chosen)
	m.pseudo(m.s, m.Eta*float64(m.LocalSteps))
}

// Memory returns the number of float64 that server and clients keep between rounds.
func (m *Mime) Memory() int {
	if m.Momentum == 0 {
		return m.d
	}
	return 2 * m.d
}
