package algos

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// PGD is gradient descent that perturbs the iterate where the gradient is small and checks after a
// while whether the value has fallen. C. Jin, R. Ge, P. Netrapalli, S. Kakade and M. Jordan, How to
// escape saddle points efficiently, ICML 2017. When the value has not fallen enough Wait steps
// after a perturbation, the point before the perturbation is returned: the method is finished and
// stays there. A step costs n gradients, a perturbation another n, and the value test 2n component
// values. The constants below are those of a public implementation.
type PGD struct {
	Eta       float64 // step size η > 0
	Radius    float64 // radius of the perturbation, r ≥ 0
	Threshold float64 // perturb where ‖∇f(x)‖ ≤ Threshold; at least 0
	Wait      int     // steps between a perturbation and its test; 0 stands for 1
	Decrease  float64 // fall of f that the test demands, at least 0

	state
	perturbed int // step of the last perturbation
	anchor    []float64
	anchorF   float64
	finished  bool
}

var _ Method = (*PGD)(nil)

var pgdEntry = Entry{
	Name:    "PGD",
	Summary: "gradient descent that perturbs where the gradient is small",
	Source:  "Jin et al. 2017",
	New: func(s Setting) Method {
		return &PGD{Eta: s.Eta, Radius: s.Radius, Threshold: s.eps(), Wait: max(1, s.Period),
			Decrease: s.eps() * s.eps() * s.Eta}
	},
	Prescribed: func(f *Facts) Prescription {
		L := f.NeedL()
		rho, _ := f.NeedCurvature()
		m := prescribedPGD(L, rho, f.NeedEps(), 1, 0.1, f.NeedGap(), f.Dim)
		return Prescription{Method: m, Eta: m.Eta, By: "Jin et al. 2017, theorem 3, with c = 1"}
	},
}

// prescribedPGD returns PGD with the parameters of its theorem for an L-smooth, ρ-Hessian Lipschitz
// objective in dimension d: accuracy ε, failure probability q, value gap Δ and an absolute constant
// c ≤ 1.
func prescribedPGD(L, rho, eps, c, q, delta float64, d int) *PGD {
	chi := 3 * max(math.Log(float64(d)*L*delta/(c*eps*eps*q)), 4)
	return &PGD{
		Eta:       c / L,
		Radius:    math.Sqrt(c) / (chi * chi) * eps / L,
		Threshold: math.Sqrt(c) / (chi * chi) * eps,
		Wait:      int(math.Ceil(chi / (c * c) * L / math.Sqrt(rho*eps))),
		Decrease:  c / (chi * chi * chi) * math.Sqrt(eps*eps*eps/rho),
	}
}

// Name returns "PGD".
func (m *PGD) Name() string { return "PGD" }

// Finished reports whether the method has returned a point.
func (m *PGD) Finished() bool { return m.finished }

// Start computes the full gradient at x0. The problem must be able to evaluate f.
func (m *PGD) Start(o *Oracle, x0 []float64, r Randomness) error {
	if m.Wait == 0 {
		m.Wait = 1
	}
	c := checker{method: m.Name()}
	c.positive("Eta", m.Eta)
	c.nonnegative("Radius", m.Radius)
	c.nonnegative("Threshold", m.Threshold)
	c.nonnegative("Decrease", m.Decrease)
	if m.Wait < 1 {
		c.complain("Wait", "must be at least 1, got %d", m.Wait)
	}
	if !o.HasValues() {
		c.complain("problem", "cannot evaluate f, which the method needs")
	}
	if err := m.begin(&c, o, x0, r, 0, false); err != nil {
		return err
	}
	m.anchor, m.perturbed, m.finished = make([]float64, m.d), -m.Wait-1, false
	m.full()
	return nil
}

// Step perturbs or tests where that is due, and moves.
func (m *PGD) Step() {
	if m.finished {
		return
	}
	if m.t-m.perturbed > m.Wait && floats.Norm(m.v, 2) <= m.Threshold {
		copy(m.anchor, m.x)
		m.anchorF, m.perturbed = m.o.Value(m.x), m.t
		m.r.Ball(m.noise, m.Radius, Noise)
		add(m.x, m.noise)
		m.full()
	}
	if m.t-m.perturbed == m.Wait && m.o.Value(m.x)-m.anchorF > -m.Decrease {
		copy(m.x, m.anchor)
		m.full()
		m.finished = true
		return
	}
	m.move(m.Eta, 0)
	m.full()
}

// Memory returns the number of float64 the method keeps between steps.
func (m *PGD) Memory() int { return 3 * m.d }
