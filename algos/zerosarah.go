package algos

import "math"

// ZeroSARAH mixes the SARAH recursion with a SAGA-like table:
//
//	v^k = mean over I of (∇f_i(x^k) − ∇f_i(x^{k-1})) + (1−λ) v^{k-1}
//	    + λ (mean over I of (∇f_i(x^{k-1}) − y_i) + mean of all y_i),
//
// with the old table, which then stores ∇f_i(x^k) for i ∈ I. Z. Li, S. Hanzely and P. Richtárik,
// ZeroSARAH: efficient nonconvex finite-sum optimization with zero full gradient computation, 2021.
// From a zero table (Option I here) the first estimator is one minibatch gradient and no full
// gradient is ever computed; Option II fills the table at x⁰ with n gradients. A step costs 2b
// gradients. Recursion and order of updates are those of public implementations.
type ZeroSARAH struct {
	Tuning
	// mixing weight λ in (0, 1]; 0 stands for b/(2n), the original's. The paper's experiments use
	// b/n
	Lambda float64
	Option Option // Option II (zero value): table filled at x⁰; Option I: zero table

	state
	rows, average []float64
	table         *table // instead of rows
}

var _ Method = (*ZeroSARAH)(nil)

var (
	zeroSARAHIEntry  = zeroSARAH(OptionI, "SARAH mixed with a table, from a zero table")
	zeroSARAHIIEntry = zeroSARAH(OptionII, "SARAH mixed with a table, from a full one")
)

func zeroSARAH(option Option, summary string) Entry {
	return Entry{
		Name:    "ZeroSARAH-" + option.String(),
		Summary: summary,
		Source:  "Li et al. 2021",
		New:     func(s Setting) Method { return &ZeroSARAH{Tuning: s.Tuning, Option: option} },
		Prescribed: func(f *Facts) Prescription {
			m := PrescribedZeroSARAH(f.N, f.NeedL(), option)
			return Prescription{Method: m, Eta: m.Eta, By: "Li et al. 2021, b = ⌈√n⌉, λ = b/(2n)"}
		},
	}
}

// Name returns "ZeroSARAH-I" (zero start) or "ZeroSARAH-II" (warm start).
func (m *ZeroSARAH) Name() string { return "ZeroSARAH-" + m.Option.String() }

// Start makes the first estimate: b gradients for Option I, n for Option II.
func (m *ZeroSARAH) Start(o *Oracle, x0 []float64, r Randomness) error {
	n := o.Components()
	c := checker{method: m.Name()}
	c.tuning(o, &m.Tuning)
	if m.Lambda == 0 {
		m.Lambda = float64(m.Batch) / float64(2*n)
	}
	c.unit("Lambda", m.Lambda)
	if err := m.begin(&c, o, x0, r, m.Batch, m.WithReplacement); err != nil {
		return err
	}
	m.rows, m.table = m.gradients(m.Option == OptionII, false)
	if m.Option == OptionII {
		m.average = clone(m.v)
		return nil
	}
	m.average = make([]float64, m.d)
	if m.table != nil {
		m.draw(m.s)
		m.innovation(m.table, m.s) // λ_0 = 1 and a zero table
		addTo(m.v, m.v, 1/float64(len(m.s.idx)), m.work)
		m.store(m.table, m.average, m.s)
		return nil
	}
	m.sampled(m.s)
	m.refresh()
	return nil
}

// refresh writes the sample's gradients at x^t into the table.
func (m *ZeroSARAH) refresh() {
	for k, i := range m.s.idx {
		g, y := m.s.now[k*m.d:(k+1)*m.d], m.rows[i*m.d:(i+1)*m.d]
		for l := range g {
			m.average[l] += (g[l] - y[l]) / float64(m.n)
			y[l] = g[l]
		}
	}
}

// Step moves and updates estimator and table.
func (m *ZeroSARAH) Step() {
	m.move(m.Eta, m.Radius)
	m.draw(m.s)
	lambda, b := m.Lambda, float64(len(m.s.idx))
	for l := range m.v {
		m.v[l] += lambda * (m.average[l] - m.v[l])
	}
	if m.table != nil {
		m.tableStep()
		return
	}
	m.o.Batch(m.s.now, m.x, m.s.idx)
	m.o.Batch(m.s.before, m.prev, m.s.idx)
	for k, i := range m.s.idx {
		now, before, y := m.s.now[k*m.d:(k+1)*m.d], m.s.before[k*m.d:(k+1)*m.d],
			m.rows[i*m.d:(i+1)*m.d]
		for l := range now {
			m.v[l] += (now[l] - before[l] + lambda*(before[l]-y[l])) / b
		}
	}
	m.refresh()
}

// tableStep is the rest of a step with a table of numbers: by the gradients at x^{t-1}, the mean
// over I of ∇f_i(x^k) − y_i, and (1−λ) times that of y_i − ∇f_i(x^{k-1}).
func (m *ZeroSARAH) tableStep() {
	c, t := (1-m.Lambda)/float64(len(m.s.idx)), m.table
	m.o.counts.Calls++
	for k, i := range m.s.idx {
		a := m.o.rowOf(m.s.idx, k)
		a.addTo(m.v, c*(t.entries[i].scalar-m.o.slope(i, a, m.prev)))
	}
	t.addBases(m.v, c, m.s.idx)
	m.o.linear.AddShared(m.v, m.Lambda-1, m.prev)
	m.innovation(t, m.s)
	axpy(m.v, 1/float64(len(m.s.idx)), m.work)
	m.store(t, m.average, m.s)
}

// Memory returns the number of float64 the method keeps between steps.
func (m *ZeroSARAH) Memory() int { return len(m.rows) + m.table.size() + 4*m.d }

// PrescribedZeroSARAH returns ZeroSARAH with b = ⌈√n⌉, λ = b/(2n) and the step size 1/(L(1 +
// √(8n)/b)) of its theorem (from a public implementation). With it a weighted sum of f, ‖v − ∇f‖²
// and the mean squared distance of the table from the gradients falls, which is derived anew.
func PrescribedZeroSARAH(n int, L float64, option Option) *ZeroSARAH {
	b := RootBatch(n)
	return &ZeroSARAH{Tuning: Tuning{Eta: 1 / (L * (1 + math.Sqrt(8*float64(n))/float64(b))),
		Batch: b}, Option: option}
}
