package algos

import "gonum.org/v1/gonum/floats"

// state is what finite-sum methods share while they run: where they are, where they were, and what
// they move along.
type state struct {
	o              *Oracle
	r              Randomness
	n, d, t        int
	x, prev        []float64 // x^t and x^{t-1}
	v, noise, work []float64 // estimator, perturbation, scratch
	s              *sample   // the minibatch of a step
	linear         bool      // gradients are numbers times rows; never where they are perturbed
}

// Point returns x^t.
func (w *state) Point() []float64 { return w.x }

// Estimator returns v^t.
func (w *state) Estimator() []float64 { return w.v }

// begin checks the start and, if there is nothing to complain about, allocates all that is shared,
// with a minibatch of b components for each step.
func (w *state) begin(c *checker, o *Oracle, x0 []float64, r Randomness, b int,
	replace bool) error {
	d := o.Dim()
	if c.start(x0, d); c.err != nil {
		return c.err
	}
	o.tremor = tremorOf(r)
	*w = state{o: o, r: r, n: o.Components(), d: d,
		linear: o.linear != nil && !o.tremor.Active()}
	allot(d, &w.x, &w.prev, &w.v, &w.noise, &w.work)
	copy(w.x, x0)
	copy(w.prev, x0)
	w.s = w.sample(b, replace, Batches)
	return nil
}

// move sets x^t = x^{t-1} − η v^{t-1} + ξ^t with ξ^t uniform in the ball of the radius.
func (w *state) move(eta, radius float64) {
	w.t++
	w.x, w.prev = w.prev, w.x
	w.r.Ball(w.noise, radius, Noise)
	if w.d > short {
		floats.AddScaledTo(w.x, w.prev, -eta, w.v)
		floats.Add(w.x, w.noise)
		return
	}
	x, v, noise := w.x[:w.d], w.v[:w.d], w.noise[:w.d]
	for l, p := range w.prev[:w.d] {
		x[l] = p - eta*v[l] + noise[l]
	}
}

// full sets the estimator to ∇f(x^t).
func (w *state) full() { w.o.Full(w.v, w.x, w.work) }

// fill sets row i of the table (length n·d) to ∇f_i(x^t) and the estimator to their mean.
func (w *state) fill(rows []float64) {
	all := make([]int, w.n)
	for i := range all {
		all[i] = i
	}
	w.o.Batch(rows, w.x, all)
	clear(w.v)
	sumRows(w.v, rows)
	scale(1/float64(w.n), w.v)
}

// sampled sets the estimator to the mean gradient of a fresh sample at x^t.
func (w *state) sampled(s *sample) {
	w.draw(s)
	w.mean(w.v, w.x, s)
}

// recur adds the mean difference of gradients between x^t and x^{t-1} over a fresh minibatch to the
// estimator.
func (w *state) recur() {
	w.draw(w.s)
	w.difference(w.v, 1, w.x, w.prev, w.s)
}

// control sets the estimator to the gradient mu at the snapshot plus the mean difference of
// gradients between x^t and the snapshot over a fresh minibatch.
func (w *state) control(mu, snapshot []float64) {
	w.draw(w.s)
	copy(w.v, mu)
	w.difference(w.v, 1, w.x, snapshot, w.s)
}

// sample is an index set with room for its gradients at two points, of which some are held at a
// time. In a linear model it has room for their slopes at a point instead.
type sample struct {
	idx         []int
	replace     bool
	purpose     Purpose
	held        int
	now, before []float64
}

// sample makes an index set of b components.
func (w *state) sample(b int, replace bool, p Purpose) *sample {
	s := &sample{idx: make([]int, b), replace: replace, purpose: p, held: b}
	if w.linear {
		s.now = make([]float64, b)
	} else {
		s.now, s.before = make([]float64, b*w.d), make([]float64, b*w.d)
	}
	return s
}

// rowsOfLarge is how many gradients of a large sample are held at a time.
const rowsOfLarge = 32

// largeSample makes an index set whose mean gradient alone is wanted: it holds few gradients at a
// time.
func (w *state) largeSample(b int, replace bool, p Purpose) *sample {
	s := &sample{idx: make([]int, b), replace: replace, purpose: p, held: min(b, rowsOfLarge)}
	if !w.linear {
		s.now = make([]float64, s.held*w.d)
	}
	return s
}

func (w *state) draw(s *sample) {
	if s.replace {
		w.r.Indices(s.idx, w.n, s.purpose)
	} else {
		w.r.Subset(s.idx, w.n, s.purpose)
	}
}

// mean sets dst to the mean gradient of the sample at x.
func (w *state) mean(dst, x []float64, s *sample) {
	clear(dst)
	if w.linear {
		c := 1 / float64(len(s.idx))
		w.o.counts.Calls += int64((len(s.idx) + s.held - 1) / s.held)
		for k, i := range s.idx {
			a := w.o.rowOf(s.idx, k)
			a.addTo(dst, c*w.o.slope(i, a, x))
		}
		w.o.linear.AddShared(dst, 1, x)
		return
	}
	for left := s.idx; len(left) > 0; {
		k := min(len(left), s.held)
		w.o.Batch(s.now, x, left[:k])
		sumRows(dst, s.now[:k*w.d])
		left = left[k:]
	}
	scale(1/float64(len(s.idx)), dst)
}

// difference adds a times the mean difference of gradients between x and y over the sample to dst.
func (w *state) difference(dst []float64, a float64, x, y []float64, s *sample) {
	if w.linear {
		c := a / float64(len(s.idx))
		w.o.counts.Calls += 2
		for k, i := range s.idx {
			row := w.o.rowOf(s.idx, k)
			now, before := w.o.slopes(i, row, x, y)
			row.addTo(dst, c*(now-before))
		}
		if w.o.linear.AddShared(dst, a, x) {
			w.o.linear.AddShared(dst, -a, y)
		}
		return
	}
	if w.o.addDifference(dst, a, x, y, s.idx) {
		return
	}
	w.o.Batch(s.now, x, s.idx)
	w.o.Batch(s.before, y, s.idx)
	a /= float64(len(s.idx))
	dst = dst[:w.d]
	for k := range s.idx {
		before := s.before[k*len(dst):][:len(dst)]
		for l, g := range s.now[k*len(dst):][:len(dst)] {
			dst[l] += a * (g - before[l])
		}
	}
}

// tuning checks what methods on minibatches share, filling in the default batch size.
func (c *checker) tuning(o *Oracle, t *Tuning) {
	c.positive("Eta", t.Eta)
	c.nonnegative("Radius", t.Radius)
	c.batchSize("Batch", &t.Batch, o.Components(), t.WithReplacement)
}

// batchSize checks a minibatch size, filling in the default ⌈√n⌉.
func (c *checker) batchSize(parameter string, b *int, n int, replace bool) {
	if *b == 0 {
		*b = RootBatch(n)
	}
	if *b < 1 || !replace {
		c.between(parameter, *b, 1, n, " (the number of components)")
	}
}

// period checks an epoch length, filling in the default ⌈n/b⌉.
func (c *checker) period(parameter string, m *int, n, b int) {
	if *m == 0 {
		*m = (n + b - 1) / max(b, 1)
	}
	if *m < 1 {
		c.complain(parameter, "must be at least 1, got %d", *m)
	}
}

// unit checks a parameter that lies in [0, 1].
func (c *checker) unit(parameter string, v float64) {
	if !(v >= 0 && v <= 1) {
		c.complain(parameter, "must be between 0 and 1, got %v", v)
	}
}
