package algos

// Option says how the tables of SLEDGE and FLEDGE are initialised.
type Option uint8

// The two options of the paper.
const (
	OptionII Option = iota // every component (client) contributes its own gradient at x⁰
	OptionI                // one minibatch (client sample) at x⁰ fills the whole table
)

func (o Option) String() string { return [...]string{"II", "I"}[o] }

// SLEDGE is the single-loop gradient estimator of algorithm:main (lines 280-299). With y_i the
// stored estimate of component i,
//
//	x^t = x^{t-1} − (η/n) Σ_i y_i^{t-1} + ξ^t,  ξ^t uniform in the ball B(0, r),
//	y_i^t = ∇f_i(x^t) for i in the minibatch I^t,
//	y_i^t = y_i^{t-1} + (1/b) Σ_{j∈I^t} (∇f_j(x^t) − ∇f_j(x^{t-1})) for all others.
//
// A step costs 2b component gradients and O(bd) arithmetic whatever n is, with n·d numbers of
// memory: the common shift of all rows is kept in one vector. For a linear model (see [Linear]) it
// keeps a number for each component, and the shifts of past steps that are still needed. The mean
// is updated with y_i^{t-1} recovered from the shift before the step (lines 355-362 print the shift
// after it, which is not the same thing). [SLEDGE.Reference] is the same algorithm without that
// economy.
type SLEDGE struct {
	Eta    float64 // step size η > 0
	Batch  int     // minibatch size b, 1 ≤ b ≤ n; 0 stands for ⌈√n⌉
	Radius float64 // noise radius r ≥ 0
	Option Option  // initialisation; the zero value is Option II
	// Schedule, if not nil, overrides the minibatch size: Schedule(t) for step t ≥ 1 (and t = 0 for
	// Option I), capped at n.
	Schedule func(t int) int

	state
	batch []int
	// Σ over past steps of the common increment; row i stands for rows[i] + shift
	shift       []float64
	rows        []float64 // n×d
	now, before []float64 // gradients of the batch at x^t and x^{t-1}
	// of a linear model, instead of rows: y_i = s_i a_i + shift − base + ∇r(x^t), with mean = (1/n)
	// Σ_i y_i − ∇r(x^t)
	table *table
	mean  []float64
}

var _ Method = (*SLEDGE)(nil)

var (
	sledgeIEntry = sledge(OptionI,
		"single-loop estimator, started from one minibatch: never a full gradient")
	sledgeIIEntry = sledge(OptionII, "single-loop estimator, started from a full gradient")
)

func sledge(option Option, summary string) Entry {
	return Entry{
		Name:    "SLEDGE-" + option.String(),
		Summary: summary,
		Source:  "algorithm:main, lines 280-299",
		New: func(s Setting) Method {
			return &SLEDGE{Eta: s.Eta, Batch: s.Batch, Radius: s.Radius, Option: option}
		},
		Prescribed: prescribedSLEDGE(option),
	}
}

// Name returns "SLEDGE-I" or "SLEDGE-II".
func (m *SLEDGE) Name() string { return "SLEDGE-" + m.Option.String() }

// ready checks the parameters, fills in the default batch size and allocates what all methods have.
func (m *SLEDGE) ready(o *Oracle, x0 []float64, r Randomness) error {
	c := checker{method: m.Name()}
	c.positive("Eta", m.Eta)
	c.nonnegative("Radius", m.Radius)
	c.batchSize("Batch", &m.Batch, o.Components(), false)
	return m.begin(&c, o, x0, r, 0, false)
}

func (m *SLEDGE) batchSize() int {
	b := m.Batch
	if m.Schedule != nil {
		b = min(max(m.Schedule(m.t), 1), m.n)
	}
	if b > cap(m.batch) {
		m.batch = make([]int, b)
		if m.table == nil {
			m.now, m.before = make([]float64, b*m.d), make([]float64, b*m.d)
		}
	}
	return b
}

// Start initialises the table at x0: b gradients for Option I, n for Option II.
func (m *SLEDGE) Start(o *Oracle, x0 []float64, r Randomness) error {
	n, d := o.Components(), o.Dim()
	if err := m.ready(o, x0, r); err != nil {
		return err
	}
	m.shift, m.batch, m.table = make([]float64, d), make([]int, m.Batch), nil
	if m.linear {
		m.table = newTable(n, d, m.Batch, true)
	}
	if m.table != nil {
		m.tableStart()
		return nil
	}
	m.rows = sized(m.rows, n*d)
	m.now, m.before = sized(m.now, m.Batch*d), sized(m.before, m.Batch*d)
	if m.Option == OptionI {
		b := m.batchSize()
		r.Subset(m.batch[:b], n, Batches)
		o.Batch(m.now, m.x, m.batch[:b])
		sumRows(m.v, m.now[:b*d])
		scale(1/float64(b), m.v)
		for i := range n {
			copy(m.rows[i*d:], m.v)
		}
		return nil
	}
	m.fill(m.rows)
	return nil
}

// Step performs one iteration.
func (m *SLEDGE) Step() {
	m.move(m.Eta, m.Radius)
	b, d := m.batchSize(), m.d
	batch := m.batch[:b]
	m.r.Subset(batch, m.n, Batches)
	if m.table != nil {
		m.tableStep(batch)
		return
	}
	m.o.Batch(m.now, m.x, batch)
	m.o.Batch(m.before, m.prev, batch)

	// mean^t = mean^{t-1} + (1/n) Σ_{i∈I} (∇f_i(x^t) − y_i^{t-1}) + (1 − b/n) · common increment.
	clear(m.noise)
	clear(m.work)
	refreshed, common := m.noise[:d], m.work[:d]
	for k, i := range batch {
		row, before := m.rows[i*d:][:d], m.before[k*d:][:d]
		for l, g := range m.now[k*d:][:d] {
			refreshed[l] += g - row[l]
			common[l] += g - before[l]
		}
	}
	n, bf := float64(m.n), float64(b)
	others := 1 - bf/n
	shift, v := m.shift[:d], m.v[:d]
	for l, c := range common {
		old, inc := shift[l], c/bf
		v[l] += (refreshed[l]-bf*old)/n + others*inc
		shift[l] = old + inc
	}
	for k, i := range batch {
		row := m.rows[i*d:][:d]
		for l, g := range m.now[k*d:][:d] {
			row[l] = g - shift[l]
		}
	}
}

// tableStart is Start with a table of numbers. With Option I all rows start from the mean gradient
// of a minibatch, which is then a base.
func (m *SLEDGE) tableStart() {
	if m.Option == OptionI {
		batch := m.batch[:m.batchSize()]
		m.r.Subset(batch, m.n, Batches)
		m.o.counts.Calls++
		for _, i := range batch {
			a := m.o.row(i)
			a.addTo(m.v, m.o.slope(i, a, m.x)/float64(len(batch)))
		}
		base, first := m.table.fresh()
		addTo(first, m.shift, -1, m.v)
		for i := range m.n {
			m.table.set(i, 0, base)
		}
	} else {
		m.fillTable(m.table, -1)
	}
	m.mean = clone(m.v)
	m.o.linear.AddShared(m.v, 1, m.x)
}

// tableStep is the rest of Step with a table of numbers. What all components share changes all rows
// alike.
func (m *SLEDGE) tableStep(batch []int) {
	t, n, b := m.table, float64(m.n), float64(len(batch))
	t.prefetch(batch)
	axpy(m.mean, -b/n, m.shift)
	t.addBases(m.mean, 1/n, batch)
	base, shift := t.fresh()
	m.o.counts.Calls += 2
	for k, i := range batch {
		a := m.o.rowOf(batch, k)
		now, before := m.o.slopes(i, a, m.x, m.prev)
		a.addTo(m.mean, (now-t.entries[i].scalar)/n+(1/b-1/n)*(now-before))
		a.addTo(m.shift, (now-before)/b)
		t.set(i, now, base)
	}
	copy(shift, m.shift)
	copy(m.v, m.mean)
	m.o.linear.AddShared(m.v, 1, m.x)
}

// Memory returns the number of float64 the method keeps between steps.
func (m *SLEDGE) Memory() int { return len(m.rows) + m.table.size() + len(m.mean) + 4*m.d }

// Reference returns the same algorithm in its literal form, which keeps every y_i and spends O(nd)
// on each step. It is the yardstick for the efficient form and shows the table to claims about it.
func (m *SLEDGE) Reference() *ReferenceSLEDGE {
	return &ReferenceSLEDGE{p: SLEDGE{Eta: m.Eta, Batch: m.Batch, Radius: m.Radius,
		Option: m.Option, Schedule: m.Schedule}}
}

// ReferenceSLEDGE is algorithm:main (lines 280-299) to the letter. Make it with [SLEDGE.Reference].
type ReferenceSLEDGE struct {
	p             SLEDGE
	y             [][]float64
	batch         []int
	isIn          []bool
	grad, old, in []float64
}

var _ Method = (*ReferenceSLEDGE)(nil)

// Name returns the name with the mark of the reference.
func (m *ReferenceSLEDGE) Name() string { return m.p.Name() + " (reference)" }

// Point returns x^t.
func (m *ReferenceSLEDGE) Point() []float64 { return m.p.x }

// Estimator returns (1/n) Σ_i y_i^t.
func (m *ReferenceSLEDGE) Estimator() []float64 { return m.p.v }

// Table returns the stored y_i^t; a view.
func (m *ReferenceSLEDGE) Table() [][]float64 { return m.y }

// Start initialises the table.
func (m *ReferenceSLEDGE) Start(o *Oracle, x0 []float64, r Randomness) error {
	p, n, d := &m.p, o.Components(), o.Dim()
	if err := p.ready(o, x0, r); err != nil {
		return err
	}
	m.grad, m.old, m.in, m.isIn = make([]float64, d), make([]float64, d), make([]float64, d),
		make([]bool, n)
	m.y = make([][]float64, n)
	for i := range m.y {
		m.y[i] = make([]float64, d)
		if p.Option == OptionII {
			o.Gradient(m.y[i], x0, i)
		}
	}
	if p.Option == OptionI {
		m.draw()
		for _, j := range m.batch {
			o.Gradient(m.grad, x0, j)
			axpy(m.in, 1/float64(len(m.batch)), m.grad)
		}
		for i := range m.y {
			copy(m.y[i], m.in)
		}
	}
	m.average()
	return nil
}

func (m *ReferenceSLEDGE) draw() {
	b := m.p.Batch
	if m.p.Schedule != nil {
		b = min(max(m.p.Schedule(m.p.t), 1), m.p.n)
	}
	m.batch = make([]int, b)
	m.p.r.Subset(m.batch, m.p.n, Batches)
}

func (m *ReferenceSLEDGE) average() {
	clear(m.p.v)
	for _, y := range m.y {
		axpy(m.p.v, 1/float64(m.p.n), y)
	}
}

// Step performs one iteration.
func (m *ReferenceSLEDGE) Step() {
	p := &m.p
	p.t++
	copy(p.prev, p.x)
	p.r.Ball(p.noise, p.Radius, Noise)
	for l := range p.x {
		p.x[l] = p.prev[l] - p.Eta*p.v[l] + p.noise[l]
	}
	m.draw()
	clear(m.isIn)
	clear(m.in)
	for _, j := range m.batch {
		m.isIn[j] = true
		p.o.Gradient(m.grad, p.x, j)
		p.o.Gradient(m.old, p.prev, j)
		copy(m.y[j], m.grad)
		for l := range m.in {
			m.in[l] += (m.grad[l] - m.old[l]) / float64(len(m.batch))
		}
	}
	for i, y := range m.y {
		if !m.isIn[i] {
			add(y, m.in)
		}
	}
	m.average()
}
