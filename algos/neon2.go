package algos

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// Neon2 looks for a direction of negative curvature at a point with gradients alone. Z. Allen-Zhu
// and Y. Li, Neon2: finding local minima via first-order oracles, NeurIPS 2018. It follows
// differences of component gradients from a tiny random displacement: along an eigenvalue below −δ
// the displacement grows by the factor 1+ηδ a step. The original lets it grow from a length near
// 10^{-16} or less, which float64 cannot follow; here it grows from Start to Reach, by the factor
// 100·d, inside a ball where the Hessian changes by at most δ/8. Reconstructed from the paper's
// statements; the constant C of its step size and horizon is a parameter.
type Neon2 struct {
	L     float64 // smoothness of the components, > 0
	Rho   float64 // Hessian Lipschitz constant, > 0
	Delta float64 // curvature δ to detect, 0 < δ ≤ L
	// Failure is the probability p of missing a direction in the online form; default 0.05.
	Failure float64
	C       float64 // default 2
	// Deterministic uses full gradients and a Chebyshev iteration (√(L/δ) of them) instead of
	// single components. For finite sums the original also has a form by shift-and-invert with
	// SVRG, which is not here.
	Deterministic bool
	Batch         int // components drawn in each weak step; default 1
}

// check validates the parameters and fills in defaults.
func (c *checker) neon(m *Neon2, n int) {
	if m.Failure == 0 {
		m.Failure = 0.05
	}
	if m.C == 0 {
		m.C = 2
	}
	if m.Batch == 0 {
		m.Batch = 1
	}
	c.positive("Neon.L", m.L)
	c.positive("Neon.Rho", m.Rho)
	c.positive("Neon.Delta", m.Delta)
	c.positive("Neon.C", m.C)
	c.between("Neon.Batch", m.Batch, 1, n, " (the number of components)")
	if !(m.Failure > 0 && m.Failure < 1) {
		c.complain("Neon.Failure", "must lie strictly between 0 and 1, got %v", m.Failure)
	}
}

// Search looks for a unit vector w with w'∇²f(x)w ≤ −δ/2 and reports whether it found one; not
// finding one says that, with probability about 1−p, no eigenvalue lies below −δ. It is metered
// like any method. A parameter error is returned before any gradient is computed.
func (m Neon2) Search(o *Oracle, x []float64, r Randomness) (w []float64, found bool, err error) {
	c := checker{method: "Neon2"}
	c.neon(&m, o.Components())
	c.start(x, o.Dim())
	if c.err != nil {
		return nil, false, c.err
	}
	s := &neonRun{Neon2: m, state: state{o: o, r: r, n: o.Components(), d: o.Dim()}, at: x}
	d := len(x)
	s.y, s.next, s.g, s.h = make([]float64, d), make([]float64, d), make([]float64, d),
		make([]float64, d)
	s.work = make([]float64, d)
	s.reach = m.Delta / (8 * m.Rho)
	s.start = s.reach / (100 * float64(d))
	if m.Deterministic {
		w, found = s.chebyshev()
		return w, found, nil
	}
	for range int(math.Ceil(math.Log2(1/m.Failure))) + 1 {
		if w, ok := s.weak(); ok && s.verify(w) {
			return w, true, nil
		}
	}
	return nil, false, nil
}

type neonRun struct {
	Neon2
	state
	at            []float64 // the point searched
	y, next, g, h []float64 // displacement and scratch
	reach, start  float64
}

// displace draws the first displacement.
func (s *neonRun) displace() {
	s.r.Normal(s.y, Noise)
	if norm := floats.Norm(s.y, 2); norm > 0 {
		scale(s.start/norm, s.y)
	}
}

// weak is one run of the weak online form.
func (s *neonRun) weak() ([]float64, bool) {
	logd := math.Log(100 * float64(s.d))
	eta := s.Delta / (s.C * s.C * s.L * s.L * logd)
	T := int(math.Ceil(s.C * s.C * logd / (eta * s.Delta)))
	batch := s.sample(s.Batch, false, Batches)
	point := make([]float64, s.d)
	near := 0.99 * s.reach * s.reach // squares of lengths below it need no root
	s.displace()
	for range T {
		s.draw(batch)
		copy(point, s.at)
		add(point, s.y)
		s.difference(s.y, -eta, point, s.at, batch)
		if floats.Dot(s.y, s.y) < near {
			continue
		}
		if norm := floats.Norm(s.y, 2); norm >= s.reach {
			w := clone(s.y)
			scale(1/norm, w)
			return w, true
		}
	}
	return nil, false
}

// verify accepts a candidate if the measured curvature along it is at most −3δ/4.
func (s *neonRun) verify(w []float64) bool {
	want := int(math.Ceil(s.C * s.L * s.L * math.Log(1/s.Failure) / (s.Delta * s.Delta)))
	batch := s.sample(min(max(want, 1), s.n), false, SecondBatch)
	s.draw(batch)
	point := clone(s.at)
	axpy(point, s.reach, w)
	clear(s.g)
	s.difference(s.g, 1, point, s.at, batch)
	return floats.Dot(w, s.g)/s.reach <= -0.75*s.Delta
}

// chebyshev is the deterministic form: y_{t+1} = 2M y_t − y_{t-1} with M = (1 − 3δ/(4L))I − H/L,
// whose eigenvalues lie in [−1, 1] but for those that belong to eigenvalues of H below −3δ/4: these
// alone grow.
func (s *neonRun) chebyshev() ([]float64, bool) {
	base := make([]float64, s.d)
	s.o.Full(base, s.at, s.work)
	apply := func(dst, y []float64) {
		copy(s.h, s.at)
		add(s.h, y)
		s.o.Full(dst, s.h, s.work)
		for l := range dst {
			dst[l] = -(dst[l]-base[l])/s.L + (1-3*s.Delta/(4*s.L))*y[l]
		}
	}
	s.displace()
	y := make([]float64, s.d)
	copy(y, s.y)
	last := make([]float64, s.d)
	T := int(math.Ceil(s.C * math.Log(100*float64(s.d)/s.Failure) * math.Sqrt(s.L/s.Delta)))
	for range T {
		apply(s.next, y)
		// the tested point y_{t+1} − M y_t = M y_t − y_{t-1}
		for l := range s.g {
			s.g[l] = s.next[l] - last[l]
		}
		if norm := floats.Norm(s.g, 2); norm >= s.reach {
			w := clone(s.g)
			scale(1/norm, w)
			point := clone(s.at)
			axpy(point, s.reach, w)
			s.o.Full(s.next, point, s.work)
			floats.Sub(s.next, base)
			// along the segment; at x itself it may be larger by δ/16
			if floats.Dot(w, s.next)/s.reach <= -(0.5+1.0/16)*s.Delta {
				return w, true
			}
			return nil, false
		}
		for l := range y {
			y[l], last[l] = 2*s.next[l]-last[l], y[l]
		}
	}
	return nil, false
}
