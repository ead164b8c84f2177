package algos

import "math"

// HybridSGD estimates the gradient by a convex combination of the SARAH recursion and an
// independent minibatch gradient,
//
//	v^t = β (v^{t-1} + mean over B of (∇f_i(x^t) − ∇f_i(x^{t-1}))) + (1−β) mean over H of ∇f_i(x^t).
//
// Q. Tran-Dinh, N. Pham, D. Phan and L. Nguyen, A hybrid stochastic optimization framework for
// composite nonconvex optimization, Mathematical Programming 2022. A step costs 2|B| + |H|
// gradients. The combination is in the abstract; sample sizes and parameters are reconstructed.
// Batch is the size of B and of H.
type HybridSGD struct {
	Tuning
	// weight β in [0, 1] of the recursion; 0 is SGD on H. See PrescribedHybridSGD for the theory's
	// choice
	Beta      float64
	First     int  // size of the first sample; 0 stands for n
	SameBatch bool // H = B, which makes the method STORM with a = 1 − β

	state
	h, first *sample
}

var _ Method = (*HybridSGD)(nil)

var hybridSGDEntry = Entry{
	Name:    "Hybrid-SGD",
	Summary: "convex combination of SARAH and SGD estimators",
	Source:  "Tran-Dinh et al. 2022",
	New:     func(s Setting) Method { return &HybridSGD{Tuning: s.Tuning, Beta: 0.9} },
	Prescribed: func(f *Facts) Prescription {
		if f.Steps == 0 {
			f.need("T", Fact{})
		}
		m := PrescribedHybridSGD(f.Minibatch(), f.N, f.Steps, f.NeedL())
		return Prescription{Method: m, Eta: m.Eta,
			By: "β of Tran-Dinh et al. 2022, step size derived"}
	},
}

// PrescribedHybridSGD returns Hybrid-SGD for a run of T steps from a first sample of the given
// size: β = 1 − 1/√(first·(T+1)), the form that the original gives, and the step size that the
// error of such a recursion with minibatches of size b allows, for E‖e^t‖² ≤ β²E‖e^{t−1}‖² +
// β²(L²/b)‖x^t − x^{t−1}‖² + (1−β)²σ²/b. That step size is derived here.
func PrescribedHybridSGD(b, first, T int, L float64) *HybridSGD {
	// Provenance: β is not compared with the original's text.
	beta := 1 - 1/math.Sqrt(float64(first)*float64(T+1))
	return &HybridSGD{Tuning: Tuning{Eta: recursiveStep(L, beta*beta/(float64(b)*(1-beta*beta))),
		Batch: b}, Beta: beta,
		First: first}
}

// Name returns "Hybrid-SGD".
func (m *HybridSGD) Name() string { return "Hybrid-SGD" }

// Start makes the first estimate from First components.
func (m *HybridSGD) Start(o *Oracle, x0 []float64, r Randomness) error {
	n := o.Components()
	if m.First == 0 {
		m.First = n
	}
	c := checker{method: m.Name()}
	c.tuning(o, &m.Tuning)
	c.unit("Beta", m.Beta)
	c.batchSize("First", &m.First, n, m.WithReplacement)
	if err := m.begin(&c, o, x0, r, m.Batch, m.WithReplacement); err != nil {
		return err
	}
	m.h = m.sample(m.Batch, m.WithReplacement, SecondBatch)
	m.first = m.largeSample(m.First, m.WithReplacement, Coins)
	m.sampled(m.first)
	return nil
}

// Step moves and updates the estimator.
func (m *HybridSGD) Step() {
	m.move(m.Eta, m.Radius)
	m.recur()
	if m.SameBatch {
		copy(m.h.idx, m.s.idx)
	} else {
		m.draw(m.h)
	}
	m.mean(m.work, m.x, m.h)
	for l, g := range m.work {
		m.v[l] += (1 - m.Beta) * (g - m.v[l])
	}
}

// Memory returns the number of float64 the method keeps between steps.
func (m *HybridSGD) Memory() int { return 3 * m.d }
