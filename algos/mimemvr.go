package algos

import "math"

// MimeMVR is Mime with the momentum-based variance reduction of STORM as its base optimiser: with
// c_t the mean full gradient of the chosen clients,
//
//	m_t = c_t(x_t) + (1−a)(m_{t-1} − c_t(x_{t-1})),
//	y ← y − η (∇f_i(y; J) − ∇f_i(x_t; J) + m_t),
//	x_{t+1} = mean of the clients' y.
//
// S. P. Karimireddy et al., Breaking the centralized barrier for cross-device federated learning,
// NeurIPS 2021. The paper describes the variant in words; this form is the one that reduces exactly
// to STORM on the clients for K = 1 and full local batches (a claim under "identity/"). A round
// costs 2pKb gradients and all data of the p clients twice, 3p vectors down and 2p up; the first
// round all data of its clients once, and a vector up and down for each of them besides the p for
// local steps.
//
// Estimator returns m_t of the last round; zero before the first.
type MimeMVR struct {
	Eta    float64 // local step size η > 0
	A      float64 // momentum weight a in (0, 1]; 0 stands for 0.1
	Chosen int     // clients p of a round; 0 stands for ⌈√P⌉
	// clients whose gradients at x⁰ make up m in the first round, at least p; 0 stands for p
	First      int
	Batch      int  // local minibatch size b; 0 stands for 1
	LocalSteps int  // local steps K; 0 stands for 1
	Cap        bool // draw all of a client's data where b exceeds what it has

	roundState
	prev, now, before []float64
	first             []int // clients of the first round; the p that take local steps come first
}

var _ Method = (*MimeMVR)(nil)

var mimeMVREntry = Entry{
	Name:      "MimeMVR",
	Summary:   "Mime with STORM as its base optimiser",
	Source:    "Karimireddy et al. 2021",
	Federated: true,
	New: func(s Setting) Method {
		return &MimeMVR{Eta: s.Eta, Chosen: s.Chosen, Batch: s.Batch, LocalSteps: s.LocalSteps,
			Cap: s.Cap}
	},
	Prescribed: func(f *Facts) Prescription {
		p, K, b := f.Round(1)
		m := PrescribedMimeMVR(f.Clients, p, K, f.NeedL(), f.NeedZetaPrime(),
			f.need("σ_c", f.Spread), f.NeedEps())
		m.Batch, m.Cap = b, true
		return Prescription{Method: m, Eta: m.Eta,
			By: "balances the terms of its rounds in table 2"}
	},
}

// PrescribedMimeMVR returns MimeMVR for gradient norms of ε, L-smooth data whose Hessians are at
// most ζ' from that of f, and client gradients of root mean square distance σ_c from ∇f, from a
// first round with all P clients. The weight a = min{1, pε²/(4σ_c²)} makes the error of m that
// fresh clients bring of order ε, and with local step sizes η for which Kη is min{K/L, 1/ζ',
// √a/ζ'}/4 so are the errors that movement brings. These choices give the rounds that
// table:Intro-FL quotes (line 176). From p clients instead, the error of the start, σ_c²/p, would
// stay for 1/a rounds and cost σ_c⁴/(p²ε⁴) of them. The original's constants, and its start, are
// not known to us; these are ours.
func PrescribedMimeMVR(P, p, K int, L, zetaPrime, sigmaC, eps float64) *MimeMVR {
	a := min(1, float64(p)*eps*eps/(4*sigmaC*sigmaC))
	step := float64(K) / L
	if zetaPrime > 0 {
		step = min(step, 1/zetaPrime, math.Sqrt(a)/zetaPrime)
	}
	return &MimeMVR{Eta: step / (4 * float64(K)), A: a, Chosen: p, LocalSteps: K, First: P}
}

// Name returns "MimeMVR".
func (m *MimeMVR) Name() string { return "MimeMVR" }

// Start asks for nothing.
func (m *MimeMVR) Start(o *Oracle, x0 []float64, r Randomness) error {
	if m.A == 0 {
		m.A = 0.1
	}
	c := checker{method: m.Name()}
	c.positive("Eta", m.Eta)
	c.unit("A", m.A)
	c.federated(o, &m.Chosen, &m.LocalSteps, &m.Batch, m.Cap,
		func() (int, string) { return m.Batch, "Batch" })
	if m.First == 0 {
		m.First = m.Chosen
	}
	c.between("First", m.First, m.Chosen, o.Clients(), " (the number of clients P)")
	if err := m.begin(&c, o, x0, r, m.Chosen, m.Batch); err != nil {
		return err
	}
	m.first = make([]int, m.First)
	m.prev, m.now, m.before = make([]float64, m.d), make([]float64, m.d), make([]float64, m.d)
	return nil
}

// Step performs one communication round.
func (m *MimeMVR) Step() {
	asked := m.chosen
	if m.t == 0 {
		m.t, asked = 1, m.first
		m.r.Subset(asked, m.P, Clients)
		copy(m.chosen, asked)
	} else {
		m.invite()
	}
	clear(m.now)
	clear(m.before)
	for _, i := range asked {
		m.o.Local(m.g, m.x, i, m.h)
		axpy(m.now, 1/float64(len(asked)), m.g)
		if m.t > 1 {
			m.o.Local(m.g, m.prev, i, m.h)
			axpy(m.before, 1/float64(len(asked)), m.g)
		}
	}
	if m.t == 1 {
		copy(m.v, m.now)
		m.o.Down(len(asked) + m.Chosen)
	} else {
		for l, g := range m.now {
			m.v[l] = g + (1-m.A)*(m.v[l]-m.before[l])
		}
		m.o.Down(3 * m.Chosen)
	}
	copy(m.prev, m.x)
	clear(m.s)
	for _, i := range m.chosen {
		copy(m.y, m.prev)
		for range m.LocalSteps {
			g := m.now
			copy(g, m.v)
			m.addDifference(g, m.y, m.prev, i, m.draw(i, m.Batch))
			axpy(m.y, -m.Eta, g)
		}
		axpy(m.s, 1/float64(m.Chosen), m.y)
	}
	copy(m.x, m.s)
	m.o.Up(len(asked) + m.Chosen)
	m.o.Round(len(asked))
}

// Memory returns the number of float64 that server and clients keep between rounds.
func (m *MimeMVR) Memory() int { return 3 * m.d }
