package algos

// FedAvg lets p clients take K local stochastic gradient steps each and averages their iterates. H.
// B. McMahan, E. Moore, D. Ramage, S. Hampson and B. Agüera y Arcas, Communication-efficient
// learning of deep networks from decentralized data, AISTATS 2017, with uniform weights. A round
// costs pKb gradients, p vectors down and p up.
//
// Estimator returns the displacement of the last round for each unit of step, (x^{t-1} − x^t)/(ηK);
// zero before the first round.
type FedAvg struct {
	LocalTuning

	roundState
}

var _ Method = (*FedAvg)(nil)

var fedAvgEntry = Entry{
	Name:      "FedAvg",
	Summary:   "local SGD, averaged",
	Source:    "McMahan et al. 2017",
	Federated: true,
	New:       func(s Setting) Method { return &FedAvg{LocalTuning: s.local()} },
	Prescribed: func(f *Facts) Prescription {
		p, K, b := f.Round(1)
		m := PrescribedFedAvg(p, K, f.NeedL(), f.noise(K, b), f.NeedEps())
		m.Batch, m.Cap = b, true
		return Prescription{Method: m, Eta: m.Eta,
			By: "balances the terms of its rounds in table 2"}
	},
}

// PrescribedFedAvg returns FedAvg for gradient norms of ε, with local step sizes η for which Kη is
// min{1/(8L), pε²/(Lσ_c²), ε/(Lσ_c)}, σ_c the root mean square distance of client gradients from
// ∇f: the three entries balance the three terms 1/ε², σ_c²/(pε⁴) and σ_c/ε³ of the rounds that
// table:Intro-FL quotes (line 174). The constants beside 8 are 1.
func PrescribedFedAvg(p, K int, L, sigmaC, eps float64) *FedAvg {
	// Provenance: 8 after Karimireddy et al. 2020, not compared with their text.
	step := min(1/(8*L), float64(p)*eps*eps/(L*sigmaC*sigmaC), eps/(L*sigmaC))
	return &FedAvg{LocalTuning: LocalTuning{Eta: step / float64(K), Chosen: p, LocalSteps: K}}
}

// Name returns "FedAvg".
func (m *FedAvg) Name() string { return "FedAvg" }

// Start asks for nothing.
func (m *FedAvg) Start(o *Oracle, x0 []float64, r Randomness) error {
	c := checker{method: m.Name()}
	c.local(o, &m.LocalTuning)
	if err := m.begin(&c, o, x0, r, m.Chosen, m.Batch); err != nil {
		return err
	}
	return nil
}

// Step performs one communication round.
func (m *FedAvg) Step() {
	m.invite()
	m.o.Down(m.Chosen)
	copy(m.s, m.x)
	for _, i := range m.chosen {
		m.descend(i, m.Eta, m.LocalSteps, m.Batch)
		for l, y := range m.y {
			m.s[l] += m.ServerEta / float64(m.Chosen) * (y - m.x[l])
		}
	}
	m.o.Up(m.Chosen)
	m.o.Round(m.Chosen)
	m.pseudo(m.s, m.Eta*float64(m.LocalSteps))
}

// Memory returns the number of float64 that server and clients keep between rounds.
func (m *FedAvg) Memory() int { return m.d }
