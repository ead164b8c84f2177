package algos

// FedVARP keeps the last update of every client at the server and corrects the round's mean by it,
// as SAGA does with gradients:
//
//	v = mean of all u_i + mean over the chosen of (Δ_i − u_i),  x ← x − η_s v,  u_i ← Δ_i,
//
// with Δ_i = x − y_i after K local steps. D. Jhunjhunwala, P. Sharma, A. Nagarkatti and G. Joshi,
// FedVARP: tackling the variance due to partial client participation in federated learning, UAI
// 2022, as in public implementations. A round costs pKb gradients, p vectors down and p up.
//
// Estimator returns the displacement of the last round for each unit of step, (x^{t-1} − x^t)/(ηK);
// zero before the first round.
type FedVARP struct {
	LocalTuning

	roundState
	updates, average, fresh []float64 // P×d, d, p×d
}

var _ Method = (*FedVARP)(nil)

var fedVARPEntry = Entry{
	Name:      "FedVARP",
	Summary:   "FedAvg corrected by a table of past updates",
	Source:    "Jhunjhunwala et al. 2022",
	Federated: true,
	New:       func(s Setting) Method { return &FedVARP{LocalTuning: s.local()} },
}

// Name returns "FedVARP".
func (m *FedVARP) Name() string { return "FedVARP" }

// Start asks for nothing.
func (m *FedVARP) Start(o *Oracle, x0 []float64, r Randomness) error {
	c := checker{method: m.Name()}
	c.local(o, &m.LocalTuning)
	if err := m.begin(&c, o, x0, r, m.Chosen, m.Batch); err != nil {
		return err
	}
	m.updates, m.average, m.fresh = make([]float64, m.P*m.d), make([]float64, m.d),
		make([]float64, m.Chosen*m.d)
	return nil
}

// Step performs one communication round.
func (m *FedVARP) Step() {
	m.invite()
	m.o.Down(m.Chosen)
	copy(m.s, m.x)
	axpy(m.s, -m.ServerEta, m.average)
	for k, i := range m.chosen {
		m.descend(i, m.Eta, m.LocalSteps, m.Batch)
		u, fresh := m.updates[i*m.d:(i+1)*m.d], m.fresh[k*m.d:(k+1)*m.d]
		for l, y := range m.y {
			fresh[l] = m.x[l] - y
			m.s[l] -= m.ServerEta / float64(m.Chosen) * (fresh[l] - u[l])
		}
	}
	for k, i := range m.chosen {
		u, fresh := m.updates[i*m.d:(i+1)*m.d], m.fresh[k*m.d:(k+1)*m.d]
		for l := range u {
			m.average[l] += (fresh[l] - u[l]) / float64(m.P)
			u[l] = fresh[l]
		}
	}
	m.o.Up(m.Chosen)
	m.o.Round(m.Chosen)
	m.pseudo(m.s, m.Eta*float64(m.LocalSteps))
}

// Memory returns the number of float64 that server and clients keep between rounds.
func (m *FedVARP) Memory() int { return len(m.updates) + 2*m.d }
