package algos

// roundState is what federated methods share while they run.
type roundState struct {
	o          *Oracle
	r          Randomness
	P, d, t    int
	x, v       []float64 // server iterate and estimator
	chosen     []int     // clients of the round
	data       []int     // a client's minibatch
	y, g, h, s []float64 // a client's iterate, gradients, scratch
	noise      []float64
}

// Point returns x^t.
func (w *roundState) Point() []float64 { return w.x }

// Estimator returns the estimate of the gradient; see the method.
func (w *roundState) Estimator() []float64 { return w.v }

// begin checks the start and, if there is nothing to complain about, allocates for p clients a
// round and minibatches of at most most data.
func (w *roundState) begin(c *checker, o *Oracle, x0 []float64, r Randomness, p, most int) error {
	d := o.Dim()
	if c.start(x0, d); c.err != nil {
		return c.err
	}
	o.tremor = tremorOf(r)
	*w = roundState{o: o, r: r, P: o.Clients(), d: d, chosen: make([]int, p),
		data: make([]int, most)}
	allot(d, &w.x, &w.v, &w.y, &w.g, &w.h, &w.s, &w.noise)
	copy(w.x, x0)
	return nil
}

// draw returns want distinct data points of client i, all of them if it has fewer.
func (w *roundState) draw(i, want int) []int {
	size := w.o.Size(i)
	batch := w.data[:min(want, size)]
	w.r.Subset(batch, size, LocalBatches)
	return batch
}

// invite begins a round with p clients drawn without replacement.
func (w *roundState) invite() {
	w.t++
	w.r.Subset(w.chosen, w.P, Clients)
}

// descend sets y to where K steps of stochastic gradient descent take client i from x.
func (w *roundState) descend(i int, eta float64, K, b int) {
	copy(w.y, w.x)
	for range K {
		w.o.Mean(w.g, w.y, i, w.draw(i, b), w.h)
		axpy(w.y, -eta, w.g)
	}
}

// addDifference adds the mean difference of gradients of client i between x and y over a minibatch
// to dst.
func (w *roundState) addDifference(dst, x, y []float64, i int, batch []int) {
	if w.o.addMeanDifference(dst, x, y, i, batch) {
		return
	}
	w.o.Means(w.g, w.noise, x, y, i, batch, w.h)
	add(dst, w.g)
	axpy(dst, -1, w.noise)
}

// pseudo sets x to next and the estimator to the round's displacement per unit of step, (x^{t-1} −
// x^t)/step.
func (w *roundState) pseudo(next []float64, step float64) {
	for l, x := range w.x {
		w.v[l] = (x - next[l]) / step
	}
	copy(w.x, next)
}

// federated checks the parameters that federated methods share and fills in defaults: ⌈√P⌉ clients,
// one local step, one datum. need is the number of data points that a client must hold unless
// capped.
func (c *checker) federated(o *Oracle, clients, steps, batch *int, capped bool,
	need func() (int, string)) {
	if *clients == 0 {
		*clients = RootBatch(o.Clients())
	}
	if *steps == 0 {
		*steps = 1
	}
	if *batch == 0 {
		*batch = 1
	}
	c.between("Chosen", *clients, 1, o.Clients(), " (the number of clients P)")
	if *steps < 1 {
		c.complain("LocalSteps", "must be at least 1, got %d", *steps)
	}
	if *batch < 1 {
		c.complain("Batch", "must be at least 1, got %d", *batch)
	}
	want, name := need()
	for i := range o.Clients() {
		if size := o.Size(i); !capped && want > size {
			c.complain(name,
				"is %d but client %d holds only %d data points (set Cap to use them all)",
				want, i, size)
			return
		}
	}
}

// LocalTuning holds the parameters that federated methods with local SGD steps and a server step
// share; they embed it.
type LocalTuning struct {
	Eta        float64 // local step size η > 0
	ServerEta  float64 // server step size; 0 stands for 1
	Chosen     int     // clients p of a round; 0 stands for ⌈√P⌉
	Batch      int     // local minibatch size b; 0 stands for 1
	LocalSteps int     // local steps K; 0 stands for 1
	Cap        bool    // draw all of a client's data where b exceeds what it has
}

// local is the part of the setting that methods with local SGD steps have.
func (s Setting) local() LocalTuning {
	return LocalTuning{Eta: s.Eta, Chosen: s.Chosen, Batch: s.Batch, LocalSteps: s.LocalSteps,
		Cap: s.Cap}
}

// local checks what methods with local SGD steps and a server step share, filling in defaults.
func (c *checker) local(o *Oracle, t *LocalTuning) {
	if t.ServerEta == 0 {
		t.ServerEta = 1
	}
	c.positive("Eta", t.Eta)
	c.positive("ServerEta", t.ServerEta)
	c.federated(o, &t.Chosen, &t.LocalSteps, &t.Batch, t.Cap,
		func() (int, string) { return t.Batch, "Batch" })
}
