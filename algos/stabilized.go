package algos

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// StabilizedSVRG is SVRG that perturbs a snapshot with a small gradient and, while it escapes,
// follows the estimator less that gradient, so that it moves along negative curvature only. R. Ge,
// Z. Li, W. Wang and X. Wang, Stabilized SVRG: simple variance reduction for nonconvex
// optimization, COLT 2019. Without Stabilize it is their Perturbed SVRG. The original stops normal
// epochs at a random inner index; here epochs have full length. Reconstructed from the paper's
// description. Batch is by default ⌈n^{2/3}⌉, the theory's size; Radius is that of the
// perturbation, and 0 makes it SVRG.
type StabilizedSVRG struct {
	Tuning
	Period    int     // epoch length m; 0 stands for ⌈n/b⌉
	Threshold float64 // perturb a snapshot where ‖∇f‖ ≤ Threshold, at least 0
	Distance  float64 // a super-epoch ends at this distance from its snapshot; 0 for no such limit
	Wait      int     // longest super-epoch in steps; 0 stands for Period
	Perturbed bool    // do not subtract the snapshot's gradient: Perturbed SVRG

	state
	snap, mu, anchor, removed []float64
	inEpoch, searchStart      int
	searching                 bool
}

var _ Method = (*StabilizedSVRG)(nil)

var stabilizedSVRGEntry = Entry{
	Name:    "Stabilized SVRG",
	Summary: "SVRG that escapes along negative curvature only",
	Source:  "Ge et al. 2019",
	New: func(s Setting) Method {
		return &StabilizedSVRG{Tuning: s.Tuning, Period: s.Period, Threshold: s.eps()}
	},
	Prescribed: func(f *Facts) Prescription {
		L := f.NeedL()
		rho, _ := f.NeedCurvature()
		m := PrescribedStabilizedSVRG(f.N, L, rho, f.NeedEps(), escapeLogs)
		return Prescription{Method: m, Eta: m.Eta, By: "Ge et al. 2019, without its constants"}
	},
}

// PrescribedStabilizedSVRG returns Stabilized SVRG for ε-second-order stationary points (δ = √(ρε))
// with b = ⌈n^{2/3}⌉, epochs of ⌈n/b⌉ steps, perturbations where ‖∇f‖ ≤ ε and super-epochs of
// logs/(η√(ρε)) steps. The orders are those of the original; constants and logarithms are dropped,
// the step size is 1/(4L), and the radius of the perturbation √(ε/ρ)/logs², the distance
// √(ε/ρ)/logs.
func PrescribedStabilizedSVRG(n int, L, rho, eps, logs float64) *StabilizedSVRG {
	// Provenance: the orders are not compared with the original's text.
	b := min(n, int(math.Ceil(twoThirds(n))))
	eta, reach := 1/(4*L), math.Sqrt(eps/rho)
	return &StabilizedSVRG{Tuning: Tuning{Eta: eta, Batch: b, Radius: reach / (logs * logs)},
		Period: (n + b - 1) / b, Threshold: eps,
		Distance: reach / logs,
		Wait:     max(1, int(math.Ceil(logs/(eta*math.Sqrt(rho*eps)))))}
}

// Name returns "Stabilized SVRG" or "Perturbed SVRG".
func (m *StabilizedSVRG) Name() string {
	if m.Perturbed {
		return "Perturbed SVRG"
	}
	return "Stabilized SVRG"
}

// Start takes the first snapshot.
func (m *StabilizedSVRG) Start(o *Oracle, x0 []float64, r Randomness) error {
	n := o.Components()
	if m.Batch == 0 {
		m.Batch = min(n, int(math.Ceil(twoThirds(n))))
	}
	c := checker{method: m.Name()}
	c.tuning(o, &m.Tuning)
	c.nonnegative("Threshold", m.Threshold)
	c.nonnegative("Distance", m.Distance)
	c.period("Period", &m.Period, n, m.Batch)
	if m.Wait == 0 {
		m.Wait = m.Period
	}
	if m.Wait < 1 {
		c.complain("Wait", "must be at least 1, got %d", m.Wait)
	}
	if err := m.begin(&c, o, x0, r, m.Batch, m.WithReplacement); err != nil {
		return err
	}
	m.snap, m.mu = make([]float64, m.d), make([]float64, m.d)
	m.anchor, m.removed = make([]float64, m.d), make([]float64, m.d)
	m.searching = false
	m.snapshot()
	return nil
}

func (m *StabilizedSVRG) snapshot() {
	m.inEpoch = 0
	m.full()
	copy(m.snap, m.x)
	copy(m.mu, m.v)
	if m.searching {
		axpy(m.v, -1, m.removed)
	}
}

// perturb starts a super-epoch if one is due; x is the snapshot and v its gradient.
func (m *StabilizedSVRG) perturb() {
	if m.searching || m.Radius == 0 || floats.Norm(m.v, 2) > m.Threshold {
		return
	}
	m.searching, m.searchStart = true, m.t
	copy(m.anchor, m.x)
	if !m.Perturbed {
		copy(m.removed, m.mu)
	}
	m.r.Ball(m.noise, m.Radius, Noise)
	add(m.x, m.noise)
	m.estimate()
}

func (m *StabilizedSVRG) estimate() {
	m.control(m.mu, m.snap)
	if m.searching {
		axpy(m.v, -1, m.removed)
	}
}

// Step moves and estimates the gradient at the new point.
func (m *StabilizedSVRG) Step() {
	if m.inEpoch == 0 {
		m.perturb()
	}
	m.move(m.Eta, 0)
	m.inEpoch++
	if m.searching && (m.t-m.searchStart >= m.Wait || m.Distance > 0 &&
		floats.Distance(m.x, m.anchor, 2) >= m.Distance) {
		m.searching = false
		m.snapshot()
		return
	}
	if m.inEpoch == m.Period {
		m.snapshot()
		return
	}
	m.estimate()
}

// Memory returns the number of float64 the method keeps between steps.
func (m *StabilizedSVRG) Memory() int { return 6 * m.d }
