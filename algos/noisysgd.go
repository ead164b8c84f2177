package algos

import "gonum.org/v1/gonum/floats"

// NoisySGD adds a random unit vector to every stochastic gradient, x^t = x^{t-1} − η (g^{t-1} + σ
// u^{t-1}), u uniform on the unit sphere. R. Ge, F. Huang, C. Jin and Y. Yuan, Escaping from saddle
// points: online stochastic gradient for tensor decomposition, COLT 2015, with σ = 1. A step costs
// b gradients.
type NoisySGD struct {
	Eta             float64 // step size η > 0
	Batch           int     // minibatch size b; 0 stands for ⌈√n⌉
	Sigma           float64 // length σ ≥ 0 of the added vector; 0 adds nothing
	WithReplacement bool    // draw the minibatch with replacement

	state
}

var _ Method = (*NoisySGD)(nil)

var noisySGDEntry = Entry{
	Name:    "Noisy SGD",
	Summary: "SGD with a random unit vector added to every gradient",
	Source:  "Ge et al. 2015",
	New: func(s Setting) Method {
		return &NoisySGD{Eta: s.Eta, Batch: s.Batch, Sigma: s.Radius,
			WithReplacement: s.WithReplacement}
	},
}

// Name returns "Noisy SGD".
func (m *NoisySGD) Name() string { return "Noisy SGD" }

// Start draws the first minibatch at x0.
func (m *NoisySGD) Start(o *Oracle, x0 []float64, r Randomness) error {
	c := checker{method: m.Name()}
	c.positive("Eta", m.Eta)
	c.nonnegative("Sigma", m.Sigma)
	c.batchSize("Batch", &m.Batch, o.Components(), m.WithReplacement)
	if err := m.begin(&c, o, x0, r, m.Batch, m.WithReplacement); err != nil {
		return err
	}
	m.sampled(m.s)
	return nil
}

// Step moves and draws a new minibatch at the new point.
func (m *NoisySGD) Step() {
	// Provenance: the form of the noise is not compared with the original's text.
	if m.Sigma > 0 {
		m.r.Normal(m.work, Noise)
		if norm := floats.Norm(m.work, 2); norm > 0 {
			axpy(m.v, m.Sigma/norm, m.work)
		}
	}
	m.move(m.Eta, 0)
	m.sampled(m.s)
}

// Memory returns the number of float64 the method keeps between steps.
func (m *NoisySGD) Memory() int { return 2 * m.d }
