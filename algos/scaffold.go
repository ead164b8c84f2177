package algos

import "math"

// SCAFFOLD corrects the drift of local steps by control variates: client i steps along g − c_i + c.
// S. P. Karimireddy et al., SCAFFOLD: stochastic controlled averaging for federated learning, ICML
// 2020. After its steps the client renews c_i, by Option II (zero value) to c_i − c + (x − y)/(Kη),
// by Option I to a fresh minibatch gradient at x (all its data with FullControl). c stays the mean
// of all c_i. A round costs pKb gradients (Option I: another pb, or all data of the clients), 2p
// vectors down and 2p up.
//
// Estimator returns the displacement of the last round for each unit of step, (x^{t-1} − x^t)/(ηK);
// zero before the first round.
type SCAFFOLD struct {
	LocalTuning
	Option      Option // how control variates are renewed
	FullControl bool   // Option I uses all data of the client
	Warm        bool   // start with c_i = ∇f_i(x⁰) (one more round, all clients) instead of zero

	roundState
	control []float64 // P×d
	c, dc   []float64
}

var _ Method = (*SCAFFOLD)(nil)

var (
	scaffoldIEntry = scaffold(OptionI, "local SGD with control variates from fresh gradients",
		"the largest step of Karimireddy et al. 2020, for Option II")
	scaffoldIIEntry = scaffold(OptionII,
		"local SGD with control variates from the steps themselves",
		"the largest step of Karimireddy et al. 2020")
)

func scaffold(option Option, summary, by string) Entry {
	return Entry{
		Name:      "SCAFFOLD-" + option.String(),
		Summary:   summary,
		Source:    "Karimireddy et al. 2020",
		Federated: true,
		New: func(s Setting) Method {
			return &SCAFFOLD{LocalTuning: s.local(), Option: option}
		},
		Prescribed: func(f *Facts) Prescription {
			p, K, b := f.Round(1)
			m := PrescribedSCAFFOLD(f.Clients, p, K, f.NeedL())
			m.Batch, m.Cap, m.Option = b, true, option
			return Prescription{Method: m, Eta: m.Eta, By: by}
		},
	}
}

// PrescribedSCAFFOLD returns SCAFFOLD, Option II, with the local step size (p/P)^{2/3}/(24KL) of
// its nonconvex theorem for a server step size of 1 and control variates started at the clients'
// gradients. The theorem asks ηK ≤ (p/P)^{2/3}/(24L) of the product with the server step size, as a
// formalisation of its proof has it.
func PrescribedSCAFFOLD(P, p, K int, L float64) *SCAFFOLD {
	share := float64(p) / float64(P)
	return &SCAFFOLD{LocalTuning: LocalTuning{Eta: math.Cbrt(share*share) / (24 * float64(K) * L),
		Chosen: p, LocalSteps: K}, Warm: true}
}

// Name returns "SCAFFOLD-I" or "SCAFFOLD-II".
func (m *SCAFFOLD) Name() string { return "SCAFFOLD-" + m.Option.String() }

// Start sets the control variates, to zero unless Warm.
func (m *SCAFFOLD) Start(o *Oracle, x0 []float64, r Randomness) error {
	c := checker{method: m.Name()}
	c.local(o, &m.LocalTuning)
	if err := m.begin(&c, o, x0, r, m.Chosen, m.Batch); err != nil {
		return err
	}
	m.control, m.c, m.dc = make([]float64, m.P*m.d), make([]float64, m.d), make([]float64, m.d)
	if m.Warm {
		for i := range m.P {
			o.Local(m.control[i*m.d:(i+1)*m.d], m.x, i, m.h)
		}
		sumRows(m.c, m.control)
		scale(1/float64(m.P), m.c)
		o.Down(m.P)
		o.Up(m.P)
		o.Round(m.P)
	}
	return nil
}

// Controls returns the control variates: the server's c and the clients' c_i, row by row; views.
func (m *SCAFFOLD) Controls() (c, clients []float64) { return m.c, m.control }

// Step performs one communication round.
func (m *SCAFFOLD) Step() {
	m.invite()
	m.o.Down(2 * m.Chosen)
	copy(m.s, m.x)
	clear(m.dc)
	for _, i := range m.chosen {
		ci := m.control[i*m.d : (i+1)*m.d]
		copy(m.y, m.x)
		for range m.LocalSteps {
			m.o.Mean(m.g, m.y, i, m.draw(i, m.Batch), m.h)
			for l, g := range m.g {
				m.y[l] -= m.Eta * (g - ci[l] + m.c[l])
			}
		}
		switch {
		case m.Option == OptionII:
			for l, c := range ci {
				m.g[l] = c - m.c[l] + (m.x[l]-m.y[l])/(float64(m.LocalSteps)*m.Eta)
			}
		case m.FullControl:
			m.o.Local(m.g, m.x, i, m.h)
		default:
			m.o.Mean(m.g, m.x, i, m.draw(i, m.Batch), m.h)
		}
		for l, fresh := range m.g {
			m.dc[l] += (fresh - ci[l]) / float64(m.P)
			ci[l] = fresh
			m.s[l] += m.ServerEta / float64(m.Chosen) * (m.y[l] - m.x[l])
		}
	}
	add(m.c, m.dc)
	m.o.Up(2 * m.Chosen)
	m.o.Round(m.Chosen)
	m.pseudo(m.s, m.Eta*float64(m.LocalSteps))
}

// Memory returns the number of float64 that server and clients keep between rounds.
func (m *SCAFFOLD) Memory() int { return len(m.control) + 2*m.d }
