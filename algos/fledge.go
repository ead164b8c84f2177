package algos

import "slices"

// FLEDGE is the federated version of SLEDGE (alg:dist, lines 463-491; Option I from
// alg:dist-Appendix, lines 2150-2156). One round: a random client i_t runs K local steps
//
//	x^{t,k} = x^{t,k-1} − η (ȳ^{t-1} + z^{t,k-1}) + ξ^{t,k},
//	z^{t,k} = z^{t,k-1} + mean over J^{t,k} of (∇f_{i_t,j}(x^{t,k}) − ∇f_{i_t,j}(x^{t,k-1})),
//
// then p random clients refresh their rows of the table with Kb data gradients at x^t, and the
// others shift by the mean of the refreshed clients' differences. The server keeps the rows and
// updates their mean in O(pd).
//
// The refreshing clients need x^{t-1} besides the x^t that the printed algorithm sends them; both
// are counted. The last local increment z^{t,K} is never used; it is not computed (its minibatch is
// drawn all the same, so that the streams match the literal form).
type FLEDGE struct {
	Eta        float64 // step size η > 0
	Chosen     int     // clients p sampled in a round, 1 ≤ p ≤ P; 0 stands for ⌈√P⌉
	Batch      int     // local minibatch size b ≥ 1; 0 stands for LocalSteps (the theory's b ≥ K)
	LocalSteps int     // local steps K ≥ 1 of a round; 0 stands for 1
	Radius     float64 // noise radius r ≥ 0
	Option     Option  // Option II lets all clients take part at x⁰, Option I only p of them
	// draw all of a client's data where Kb (or b) exceeds what it has; otherwise that is an error
	Cap bool
	// Schedule, if not nil, overrides the minibatch size of local step k ≥ 1, capped at what the
	// client has (the relaxed schedule of lemma:D-Small-Stuck-Region-Relax, lines 3130-3134, draws
	// large minibatches at every T_7-th local step).
	Schedule func(k int) int

	roundState
	worker          [1]int
	last            []int // minibatch of the last local step
	prev, before, z []float64
	shift, rows     []float64
	fresh, diff     []float64 // p×d: y_i^t and Δy_i^t of the round's clients
	local, localV   [][]float64
}

var _ Method = (*FLEDGE)(nil)

var (
	fledgeIEntry = fledge(OptionI, "federated SLEDGE with local steps, started from p clients",
		"alg:dist-Appendix, lines 2147-2184")
	fledgeIIEntry = fledge(OptionII, "federated SLEDGE with local steps, started from all clients",
		"alg:dist, lines 463-491")
)

func fledge(option Option, summary, source string) Entry {
	return Entry{
		Name:      "FLEDGE-" + option.String(),
		Summary:   summary,
		Source:    source,
		Federated: true,
		New: func(s Setting) Method {
			return &FLEDGE{Eta: s.Eta, Chosen: s.Chosen, Batch: s.Batch, LocalSteps: s.LocalSteps,
				Radius: s.Radius, Option: option, Cap: s.Cap}
		},
		Prescribed: prescribedFLEDGE(option),
	}
}

// Name returns "FLEDGE-I" or "FLEDGE-II".
func (m *FLEDGE) Name() string { return "FLEDGE-" + m.Option.String() }

// LocalPoints returns x^{t,0} … x^{t,K} of the last round.
func (m *FLEDGE) LocalPoints() [][]float64 { return m.local }

// LocalEstimators returns v^{t,0} … v^{t,K-1} of the last round: the vectors that the local steps
// moved along.
func (m *FLEDGE) LocalEstimators() [][]float64 { return m.localV }

// ready checks the parameters, fills in defaults and allocates all state.
func (m *FLEDGE) ready(o *Oracle, x0 []float64, r Randomness) error {
	if m.Batch == 0 {
		m.Batch = max(1, m.LocalSteps)
	}
	c := checker{method: m.Name()}
	c.positive("Eta", m.Eta)
	c.nonnegative("Radius", m.Radius)
	c.federated(o, &m.Chosen, &m.LocalSteps, &m.Batch, m.Cap,
		func() (int, string) { return m.LocalSteps * m.Batch, "LocalSteps*Batch" })
	most := m.LocalSteps * m.Batch
	if m.Schedule != nil {
		for i := range o.Clients() {
			most = max(most, o.Size(i))
		}
	}
	if err := m.begin(&c, o, x0, r, m.Chosen, most); err != nil {
		return err
	}
	d := m.d
	m.rows, m.fresh, m.diff = sized(m.rows, m.P*d), sized(m.fresh, m.Chosen*d),
		sized(m.diff, m.Chosen*d)
	m.local, m.localV = make([][]float64, m.LocalSteps+1), make([][]float64, m.LocalSteps)
	vectors := append(make([]*[]float64, 0, 2*m.LocalSteps+5), &m.prev, &m.before, &m.z, &m.shift)
	for k := range m.local {
		vectors = append(vectors, &m.local[k])
	}
	for k := range m.localV {
		vectors = append(vectors, &m.localV[k])
	}
	allot(d, vectors...)
	return nil
}

// localBatch draws the minibatch of local step k.
func (m *FLEDGE) localBatch(i, k int) []int {
	if m.Schedule != nil {
		return m.draw(i, max(1, m.Schedule(k)))
	}
	return m.draw(i, m.Batch)
}

// Start fills the table: PKb data gradients and one round of full participation for Option II, pKb
// and p clients for Option I.
func (m *FLEDGE) Start(o *Oracle, x0 []float64, r Randomness) error {
	if err := m.ready(o, x0, r); err != nil {
		return err
	}
	d, Kb := m.d, m.LocalSteps*m.Batch
	row := func(i int) []float64 { return m.rows[i*d : (i+1)*d] }
	if m.Option == OptionI {
		r.Subset(m.chosen, m.P, Clients)
		for _, i := range m.chosen {
			o.Mean(m.g, m.x, i, m.draw(i, Kb), m.h)
			axpy(m.v, 1/float64(m.Chosen), m.g)
		}
		for i := range m.P {
			copy(row(i), m.v)
		}
	} else {
		for i := range m.P {
			o.Mean(row(i), m.x, i, m.draw(i, Kb), m.h)
		}
		sumRows(m.v, m.rows)
		scale(1/float64(m.P), m.v)
	}
	participants := m.P
	if m.Option == OptionI {
		participants = m.Chosen
	}
	o.Round(participants)
	o.Down(participants)
	o.Up(participants)
	return nil
}

// localSteps runs the K local steps of a round on a random client, from x^{t-1} to x^t.
func (m *FLEDGE) localSteps() {
	m.r.Indices(m.worker[:], m.P, Worker)
	i := m.worker[0]
	m.o.Down(2) // the mean of the table and x^{t-1}
	copy(m.prev, m.x)
	copy(m.local[0], m.x)
	clear(m.z)
	for k := range m.LocalSteps {
		m.r.Ball(m.noise, m.Radius, Noise)
		copy(m.before, m.x)
		x, v, z, noise, eta := m.x[:m.d], m.localV[k][:m.d], m.z[:m.d], m.noise[:m.d], m.Eta
		for l, y := range m.v[:m.d] {
			v[l] = y + z[l]
			x[l] += noise[l] - eta*v[l]
		}
		copy(m.local[k+1], m.x)
		batch := m.localBatch(i, k+1)
		m.last = batch
		if k+1 < m.LocalSteps {
			m.addDifference(m.z, m.x, m.before, i, batch)
		}
	}
}

// refresh lets the clients of I^t compute y_i^t and Δy_i^t on the same data; their mean difference
// goes to s.
func (m *FLEDGE) refresh() {
	m.r.Subset(m.chosen, m.P, Clients)
	m.o.Up(1)              // x^t leaves the local client
	m.o.Down(2 * m.Chosen) // x^t and x^{t-1} reach the sampled clients
	d, p := m.d, float64(m.Chosen)
	s, before := m.s[:d], m.g[:d]
	clear(s)
	for k, i := range m.chosen {
		fresh, diff := m.fresh[k*d:][:d], m.diff[k*d:][:d]
		batch := m.draw(i, m.LocalSteps*m.Batch)
		m.o.Means(fresh, before, m.x, m.prev, i, batch, m.h)
		for l, y := range fresh {
			diff[l] = y - before[l]
			s[l] += diff[l] / p
		}
	}
	m.o.Up(2 * m.Chosen)
	participants := m.Chosen
	if !slices.Contains(m.chosen, m.worker[0]) {
		participants++
	}
	m.o.Round(participants)
}

// Step performs one communication round.
func (m *FLEDGE) Step() {
	m.localSteps()
	m.refresh()
	d, P, p := m.d, float64(m.P), float64(m.Chosen)
	// mean^t = mean^{t-1} + (1/P) Σ_{i∈I} (y_i^t − y_i^{t-1}) + (1 − p/P) s, with y_i^{t-1} =
	// rows[i] + shift.
	refreshed, shift, v := m.g[:d], m.shift[:d], m.v[:d]
	clear(refreshed)
	for k, i := range m.chosen {
		row := m.rows[i*d:][:d]
		for l, y := range m.fresh[k*d:][:d] {
			refreshed[l] += y - row[l]
		}
	}
	others := 1 - p/P
	for l, s := range m.s[:d] {
		v[l] += (refreshed[l]-p*shift[l])/P + others*s
		shift[l] += s
	}
	for k, i := range m.chosen {
		row := m.rows[i*d:][:d]
		for l, y := range m.fresh[k*d:][:d] {
			row[l] = y - shift[l]
		}
	}
}

// Memory returns the number of float64 that server and clients keep between rounds.
func (m *FLEDGE) Memory() int { return len(m.rows) + 3*m.d }

// Reference returns the same algorithm in its literal form, which keeps every y_i^t, spends O(Pd)
// at the server, and computes z^{t,K}.
func (m *FLEDGE) Reference() *ReferenceFLEDGE {
	return &ReferenceFLEDGE{FLEDGE{Eta: m.Eta, Chosen: m.Chosen, Batch: m.Batch,
		LocalSteps: m.LocalSteps, Radius: m.Radius, Option: m.Option, Cap: m.Cap,
		Schedule: m.Schedule}, nil}
}

// ReferenceFLEDGE is alg:dist (lines 463-491) to the letter. Make it with [FLEDGE.Reference].
type ReferenceFLEDGE struct {
	p FLEDGE
	y [][]float64
}

var _ Method = (*ReferenceFLEDGE)(nil)

// Name returns the name with the mark of the reference.
func (m *ReferenceFLEDGE) Name() string { return m.p.Name() + " (reference)" }

// Point returns x^t.
func (m *ReferenceFLEDGE) Point() []float64 { return m.p.x }

// Estimator returns (1/P) Σ_i y_i^t.
func (m *ReferenceFLEDGE) Estimator() []float64 { return m.p.v }

// Table returns the stored y_i^t; a view.
func (m *ReferenceFLEDGE) Table() [][]float64 { return m.y }

// LocalPoints returns x^{t,0} … x^{t,K} of the last round.
func (m *ReferenceFLEDGE) LocalPoints() [][]float64 { return m.p.local }

// LocalEstimators returns v^{t,0} … v^{t,K-1} of the last round.
func (m *ReferenceFLEDGE) LocalEstimators() [][]float64 { return m.p.localV }

// Start fills the table.
func (m *ReferenceFLEDGE) Start(o *Oracle, x0 []float64, r Randomness) error {
	if err := m.p.Start(o, x0, r); err != nil {
		return err
	}
	m.y = make([][]float64, m.p.P)
	for i := range m.y {
		m.y[i] = clone(m.p.rows[i*m.p.d : (i+1)*m.p.d])
	}
	return nil
}

// Step performs one communication round.
func (m *ReferenceFLEDGE) Step() {
	p := &m.p
	p.localSteps()
	p.addDifference(p.z, p.x, p.before, p.worker[0], p.last)
	p.refresh()
	for i, y := range m.y {
		if k := slices.Index(p.chosen, i); k >= 0 {
			copy(y, p.fresh[k*p.d:(k+1)*p.d])
		} else {
			add(y, p.s)
		}
	}
	clear(p.v)
	for _, y := range m.y {
		axpy(p.v, 1/float64(p.P), y)
	}
}
