package algos

// GD is (perturbed) gradient descent, x^t = x^{t-1} − η ∇f(x^{t-1}) + ξ^t with ξ^t uniform in B(0,
// r): n gradients a step.
type GD struct {
	Eta    float64 // step size η > 0
	Radius float64 // noise radius r ≥ 0

	state
}

var _ Method = (*GD)(nil)

var gdEntry = Entry{
	Name:    "GD",
	Summary: "gradient descent",
	Source:  "Cauchy 1847",
	New:     func(s Setting) Method { return &GD{Eta: s.Eta, Radius: s.Radius} },
	Prescribed: func(f *Facts) Prescription {
		m := prescribedGD(f.NeedL())
		return Prescription{Method: m, Eta: m.Eta, By: "descent lemma: 1/L"}
	},
}

// prescribedGD returns GD with the step size 1/L of the descent lemma.
func prescribedGD(L float64) *GD { return &GD{Eta: 1 / L} }

// Name returns "GD".
func (m *GD) Name() string { return "GD" }

// Start computes the full gradient at x0.
func (m *GD) Start(o *Oracle, x0 []float64, r Randomness) error {
	c := checker{method: m.Name()}
	c.positive("Eta", m.Eta)
	c.nonnegative("Radius", m.Radius)
	if err := m.begin(&c, o, x0, r, 0, false); err != nil {
		return err
	}
	m.full()
	return nil
}

// Step moves and computes the full gradient at the new point.
func (m *GD) Step() {
	m.move(m.Eta, m.Radius)
	m.full()
}

// Memory returns the number of float64 the method keeps between steps.
func (m *GD) Memory() int { return 2 * m.d }
