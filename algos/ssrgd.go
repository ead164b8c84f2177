package algos

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// SSRGD is SARAH that perturbs the iterate at the start of an epoch where the gradient is small. Z.
// Li, SSRGD: simple stochastic recursive gradient descent for escaping saddle points, NeurIPS 2019.
// From a perturbation until Wait steps later (or, where the problem can evaluate f and Decrease is
// positive, until f has fallen by Decrease) no further perturbation is made; then a new epoch
// begins. An epoch costs n + 2b(m−1) gradients, a perturbed one another n. The flow is
// reconstructed from the paper's description; thresholds are free parameters there. Radius is that
// of the perturbation.
type SSRGD struct {
	Tuning
	Period int // epoch length m; 0 stands for ⌈n/b⌉
	// perturb where ‖∇f(x)‖ ≤ Threshold; 0 stands for always, a negative value for never
	Threshold float64
	Wait      int     // steps of a super-epoch; 0 stands for Period
	Decrease  float64 // fall of f that ends a super-epoch early; 0 for no test

	state
	inEpoch     int
	searching   bool
	searchStart int
	anchorF     float64
}

var _ Method = (*SSRGD)(nil)

var ssrgdEntry = Entry{
	Name:    "SSRGD",
	Summary: "SARAH that perturbs at the start of an epoch",
	Source:  "Li 2019",
	New:     func(s Setting) Method { return &SSRGD{Tuning: s.Tuning, Period: s.Period} },
	Prescribed: func(f *Facts) Prescription {
		L := f.NeedL()
		rho, delta := f.NeedCurvature()
		m := PrescribedSSRGD(f.N, L, rho, f.NeedEps(), delta, escapeLogs)
		return Prescription{Method: m, Eta: m.Eta, By: "Li 2019, without its constants"}
	},
}

// PrescribedSSRGD returns SSRGD for (ε,δ)-second-order stationary points of functions with
// ρ-Lipschitz Hessians: b = m = ⌈√n⌉, the step size of [PrescribedSARAH] with m = b, thus at least
// (√5−1)/(2L), perturbations where ‖∇f‖ ≤ ε, of radius min{δ³/(ρ²ε), √(δ³/(ρ²L))}, and super-epochs
// of logs/(ηδ) steps, where logs stands for the logarithm in the original. Other logarithms and
// constants are dropped, as is the test of f.
func PrescribedSSRGD(n int, L, rho, eps, delta, logs float64) *SSRGD {
	// Provenance: the orders of radius and super-epoch are not compared with the original's text.
	b := RootBatch(n)
	eta, cube := recursiveStep(L, float64(b)*sampleVariance(n, b)), delta*delta*delta/(rho*rho)
	return &SSRGD{Tuning: Tuning{Eta: eta, Batch: b, Radius: min(cube/eps, math.Sqrt(cube/L))},
		Period: b, Threshold: eps,
		Wait: max(1, int(math.Ceil(logs/(eta*delta))))}
}

// Name returns "SSRGD".
func (m *SSRGD) Name() string { return "SSRGD" }

// Start computes the full gradient at x0.
func (m *SSRGD) Start(o *Oracle, x0 []float64, r Randomness) error {
	c := checker{method: m.Name()}
	c.tuning(o, &m.Tuning)
	c.nonnegative("Decrease", m.Decrease)
	c.period("Period", &m.Period, o.Components(), m.Batch)
	if m.Wait == 0 {
		m.Wait = m.Period
	}
	if m.Wait < 1 {
		c.complain("Wait", "must be at least 1, got %d", m.Wait)
	}
	if math.IsNaN(m.Threshold) {
		c.complain("Threshold", "must be a number")
	}
	if m.Decrease > 0 && !o.HasValues() {
		c.complain("Decrease", "needs a problem that can evaluate f")
	}
	if err := m.begin(&c, o, x0, r, m.Batch, m.WithReplacement); err != nil {
		return err
	}
	m.inEpoch, m.searching = 0, false
	m.full()
	return nil
}

// perturb starts a super-epoch if one is due; the estimator holds the full gradient.
func (m *SSRGD) perturb() {
	if m.searching || m.Radius == 0 || m.Threshold < 0 ||
		m.Threshold > 0 && floats.Norm(m.v, 2) > m.Threshold {
		return
	}
	m.searching, m.searchStart = true, m.t
	if m.Decrease > 0 {
		m.anchorF = m.o.Value(m.x)
	}
	m.r.Ball(m.noise, m.Radius, Noise)
	add(m.x, m.noise)
	m.full()
}

// Step moves (from a perturbed point, at the start of an epoch that asks for it) and updates the
// estimator.
func (m *SSRGD) Step() {
	if m.inEpoch == 0 {
		m.perturb()
	}
	m.move(m.Eta, 0)
	m.inEpoch++
	if m.searching && (m.t-m.searchStart >= m.Wait ||
		m.Decrease > 0 && m.anchorF-m.o.Value(m.x) >= m.Decrease) {
		m.searching, m.inEpoch = false, m.Period
	}
	if m.inEpoch == m.Period {
		m.inEpoch = 0
		m.full()
		return
	}
	m.recur()
}

// Memory returns the number of float64 the method keeps between steps.
func (m *SSRGD) Memory() int { return 3 * m.d }
