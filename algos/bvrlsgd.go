package algos

import "cmp"

// BVRLSGD is BVR-L-SGD: SARAH over rounds in which all clients take part, and SARAH again over the
// local steps of one of them. T. Murata and T. Suzuki, Bias-variance reduced local SGD for less
// heterogeneous federated learning, ICML
// 2021. In the first round of a stage every client estimates its gradient at x from a large batch,
// in the others it adds a difference over Kb data. From the mean v of all clients a random client
// starts v_1 = v and takes K steps x_k = x_{k-1} − η v_k + ξ_k, v_k = v_{k-1} + minibatch
// difference between x_{k-1} and x_{k-2}. With noise (Radius > 0, uniform in the ball) it is
// BVR-L-PSGD, T. Murata and T. Suzuki, Escaping saddle points with bias-variance reduced local
// perturbed SGD, NeurIPS 2022; there the placement of the noise is that of FLEDGE here. The
// original lets all clients run and picks one result, which has the same law at P times the cost.
// The recursion across rounds is reconstructed from the papers' statements. A round costs 2PKb
// gradients (the first of a stage: the large batches) and 2b(K−1) local ones; 2P vectors down, P+1
// up.
type BVRLSGD struct {
	Eta        float64 // step size η > 0
	Batch      int     // local minibatch size b; 0 stands for LocalSteps
	LocalSteps int     // local steps K; 0 stands for 1
	Large      int     // data of a client in the first round of a stage; 0 stands for all
	Stage      int     // rounds of a stage; 0 stands for ⌈√P⌉
	Radius     float64 // noise radius r ≥ 0
	Cap        bool    // draw all of a client's data where a batch exceeds what it has

	roundState
	prev, last []float64
	vs         []float64 // P×d: every client's estimate
	worker     [1]int
}

var _ Method = (*BVRLSGD)(nil)

var (
	bvrLSGDEntry = bvrLSGD(false,
		"SARAH over rounds and over local steps, all clients in every round",
		"Murata and Suzuki 2021", ", b = K")
	bvrLPSGDEntry = bvrLSGD(true, "BVR-L-SGD with perturbed local steps", "Murata and Suzuki 2022",
		", b = K, r = ηε/4")
)

func bvrLSGD(perturbed bool, summary, source, choices string) Entry {
	name := "BVR-L-SGD"
	if perturbed {
		name = "BVR-L-PSGD"
	}
	return Entry{
		Name:      name,
		Summary:   summary,
		Source:    source,
		Federated: true,
		New: func(s Setting) Method {
			m := &BVRLSGD{Eta: s.Eta, Batch: s.Batch, LocalSteps: s.LocalSteps, Cap: s.Cap}
			if perturbed {
				m.Radius = cmp.Or(s.Radius, 1e-3)
			}
			return m
		},
		Prescribed: func(f *Facts) Prescription {
			_, K, _ := f.Round(1)
			m := PrescribedBVRLSGD(K, f.NeedL(), f.NeedZeta())
			if m.Cap = true; perturbed {
				m.Radius = m.Eta * f.NeedEps() / 4
			}
			return Prescription{Method: m, Eta: m.Eta, By: source + choices}
		},
	}
}

// PrescribedBVRLSGD returns BVR-L-SGD with b = K, stages of K rounds or more and the step size
// min{1/L, 1/(ζK)}/4: its entries balance the terms 1/(Kε²) and ζ/ε² of the rounds that
// table:Intro-FL quotes (line 177). The order of the step size is that of the original, its
// constants are ours.
func PrescribedBVRLSGD(K int, L, zeta float64) *BVRLSGD {
	// Provenance: the order is not compared with the original's text.
	step := 1 / L
	if zeta > 0 {
		step = min(step, 1/(zeta*float64(K)))
	}
	return &BVRLSGD{Eta: step / 4, Batch: K, LocalSteps: K, Stage: max(4, K)}
}

// Name returns "BVR-L-SGD", or "BVR-L-PSGD" with noise.
func (m *BVRLSGD) Name() string {
	if m.Radius > 0 {
		return "BVR-L-PSGD"
	}
	return "BVR-L-SGD"
}

// Start makes the first estimate with all clients.
func (m *BVRLSGD) Start(o *Oracle, x0 []float64, r Randomness) error {
	if m.Batch == 0 {
		m.Batch = max(1, m.LocalSteps)
	}
	if m.Stage == 0 {
		m.Stage = RootBatch(o.Clients())
	}
	c := checker{method: m.Name()}
	c.positive("Eta", m.Eta)
	c.nonnegative("Radius", m.Radius)
	if m.Large < 0 {
		c.complain("Large", "must be nonnegative, got %d", m.Large)
	}
	if m.Stage < 1 {
		c.complain("Stage", "must be at least 1, got %d", m.Stage)
	}
	all := o.Clients()
	c.federated(o, &all, &m.LocalSteps, &m.Batch, m.Cap, func() (int, string) {
		if m.Large > m.LocalSteps*m.Batch {
			return m.Large, "Large"
		}
		return m.LocalSteps * m.Batch, "LocalSteps*Batch"
	})
	if err := m.begin(&c, o, x0, r, 0, max(m.Large, m.LocalSteps*m.Batch)); err != nil {
		return err
	}
	m.prev, m.last, m.vs = make([]float64, m.d), make([]float64, m.d), make([]float64, m.P*m.d)
	m.estimate()
	return nil
}

// estimate updates every client's estimate at x and their mean.
func (m *BVRLSGD) estimate() {
	for i := range m.P {
		vi := m.vs[i*m.d : (i+1)*m.d]
		switch {
		case m.t%m.Stage != 0:
			m.addDifference(vi, m.x, m.prev, i, m.draw(i, m.LocalSteps*m.Batch))
		case m.Large > 0:
			m.o.Mean(vi, m.x, i, m.draw(i, m.Large), m.h)
		default:
			m.o.Local(vi, m.x, i, m.h)
		}
	}
	clear(m.v)
	sumRows(m.v, m.vs)
	scale(1/float64(m.P), m.v)
	m.o.Down(m.P) // x
	m.o.Up(m.P)
	m.o.Round(m.P)
}

// Step performs the local steps and one communication round.
func (m *BVRLSGD) Step() {
	m.t++
	copy(m.prev, m.x)
	m.r.Indices(m.worker[:], m.P, Worker)
	i := m.worker[0]
	m.o.Down(m.P) // v reaches all clients
	copy(m.s, m.v)
	for k := range m.LocalSteps {
		if k > 0 {
			m.addDifference(m.s, m.x, m.last, i, m.draw(i, m.Batch))
		}
		m.r.Ball(m.noise, m.Radius, Noise)
		copy(m.last, m.x)
		for l, v := range m.s {
			m.x[l] += m.noise[l] - m.Eta*v
		}
	}
	m.o.Up(1)
	m.estimate()
}

// Memory returns the number of float64 that server and clients keep between rounds.
func (m *BVRLSGD) Memory() int { return len(m.vs) + 3*m.d }
