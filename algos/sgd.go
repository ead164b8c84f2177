package algos

// SGD is minibatch stochastic gradient descent, x^t = x^{t-1} − η v^{t-1} + ξ^t with v the mean
// gradient of a fresh minibatch: b gradients a step. With a positive Radius every iterate is
// perturbed by a uniform point of the ball B(0, r).
type SGD struct {
	Tuning

	state
}

var _ Method = (*SGD)(nil)

var sgdEntry = Entry{
	Name:    "SGD",
	Summary: "minibatch stochastic gradient descent, without replacement inside a batch",
	Source:  "Robbins and Monro 1951",
	New:     func(s Setting) Method { return &SGD{Tuning: s.Tuning} },
	Prescribed: func(f *Facts) Prescription {
		L, sigma, eps := f.NeedL(), f.need("σ", f.Spread), f.NeedEps()
		if f.Goal == UnderPL {
			m := PrescribedPLSGD(f.Minibatch(), L, f.NeedMu(), sigma, eps*eps/(2*L))
			return Prescription{Method: m, Eta: m.Eta, By: "Karimi et al. 2016, theorem 4"}
		}
		m := PrescribedSGD(f.Minibatch(), L, sigma, eps)
		return Prescription{Method: m, Eta: m.Eta, By: "descent lemma: min{1/L, bε²/(2Lσ²)}"}
	},
}

// PrescribedSGD returns SGD with the step size min{1/L, bε²/(2Lσ²)} for component gradients of root
// mean square distance σ from ∇f. It comes from the descent lemma: for η ≤ 1/L the mean of
// E‖∇f(x^t)‖² over T steps is at most 2Δ/(ηT) + ηLσ²/b, so that T ≥ 4Δ/(ηε²) makes it at most ε².
func PrescribedSGD(b int, L, sigma, eps float64) *SGD {
	return &SGD{Tuning: Tuning{Eta: min(1/L, float64(b)*eps*eps/(2*L*sigma*sigma)), Batch: b}}
}

// PrescribedPLSGD returns SGD with the step size min{1/L, bμε/(Lσ²)} for a function gap of ε under
// the PL condition: E f(x^t) − f* then tends to at most ε/2, by the factor 1−ημ a step (H. Karimi,
// J. Nutini and M. Schmidt, ECML 2016, theorem 4, for a constant step size).
func PrescribedPLSGD(b int, L, mu, sigma, eps float64) *SGD {
	return &SGD{Tuning: Tuning{Eta: min(1/L, float64(b)*mu*eps/(L*sigma*sigma)), Batch: b}}
}

// Name returns "SGD".
func (m *SGD) Name() string { return "SGD" }

// Start draws the first minibatch at x0.
func (m *SGD) Start(o *Oracle, x0 []float64, r Randomness) error {
	c := checker{method: m.Name()}
	c.tuning(o, &m.Tuning)
	if err := m.begin(&c, o, x0, r, m.Batch, m.WithReplacement); err != nil {
		return err
	}
	m.sampled(m.s)
	return nil
}

// Step moves and draws a new minibatch at the new point.
func (m *SGD) Step() {
	m.move(m.Eta, m.Radius)
	m.sampled(m.s)
}

// Memory returns the number of float64 the method keeps between steps.
func (m *SGD) Memory() int { return 2 * m.d }
