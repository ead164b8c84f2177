// Package naive holds naive forms of the methods, written for reading: they share no code with
// package algos but its oracles, keep everything, and compute every mean from scratch. They ask for
// the same draws in the same order for each purpose. The conformance tests and the claims about
// runs compare the methods with them.
package naive

import (
	"cmp"
	"math"
	"slices"

	"sledge/algos"
)

type vec []float64

func (a vec) plus(b vec) vec           { return a.lin(1, b) }
func (a vec) minus(b vec) vec          { return a.lin(-1, b) }
func (a vec) times(s float64) vec      { return make(vec, len(a)).lin(s, a) }
func (a vec) norm() float64            { return math.Sqrt(a.dot(a)) }
func (a vec) mix(s float64, b vec) vec { return a.times(1-s).lin(s, b) }
func (a vec) lin(s float64, b vec) vec {
	out := slices.Clone(a)
	for l := range out {
		out[l] += s * b[l]
	}
	return out
}

func (a vec) dot(b vec) float64 {
	sum := 0.0
	for l := range a {
		sum += a[l] * b[l]
	}
	return sum
}

func average(vs []vec) vec {
	out := make(vec, len(vs[0]))
	for _, v := range vs {
		out = out.lin(1/float64(len(vs)), v)
	}
	return out
}

// rows are those of a set.
func rows(table []vec, set []int) []vec {
	var out []vec
	for _, i := range set {
		out = append(out, table[i])
	}
	return out
}

func ceil(x float64) int { return int(math.Ceil(x)) }

func root(n int) int { return ceil(math.Sqrt(float64(n))) }

// epoch is the usual number of steps with minibatches of b from one full gradient to the next.
func epoch(n, b int) int { return ceil(float64(n) / float64(b)) }

// state is what every method has.
type state struct {
	o    *algos.Oracle
	r    algos.Randomness
	d, t int
	x, v vec
}

func (m *state) Name() string         { return "naive" }
func (m *state) Point() []float64     { return m.x }
func (m *state) Estimator() []float64 { return m.v }

func (m *state) start(o *algos.Oracle, x0 []float64, r algos.Randomness) {
	*m = state{o: o, r: r, d: o.Dim(), x: slices.Clone(x0), v: make(vec, o.Dim())}
}

func (m *state) ball(r float64) vec {
	out := make(vec, m.d)
	m.r.Ball(out, r, algos.Noise)
	return out
}

// naive is a finite-sum method given by what it does first and in every step.
type naive struct {
	state
	eta     float64
	begin   func(m *naive)
	step    func(m *naive)
	replace bool
	n       int
}

func (m *naive) Start(o *algos.Oracle, x0 []float64, r algos.Randomness) error {
	m.start(o, x0, r)
	m.n = o.Components()
	m.begin(m)
	return nil
}

func (m *naive) Step() {
	m.t++
	m.step(m)
}

// g is the gradient of component i.
func (m *naive) g(i int, x vec) vec {
	out := make(vec, m.d)
	m.o.Gradient(out, x, i)
	return out
}

// each are the gradients of a set, at their mean.
func (m *naive) each(set []int, x vec) []vec {
	var all []vec
	for _, i := range set {
		all = append(all, m.g(i, x))
	}
	return all
}

func (m *naive) at(set []int, x vec) vec { return average(m.each(set, x)) }

func (m *naive) all() []int {
	out := make([]int, m.n)
	for i := range out {
		out[i] = i
	}
	return out
}

func (m *naive) full(x vec) vec { return m.at(m.all(), x) }

func (m *naive) draw(b int, p algos.Purpose) []int {
	out := make([]int, b)
	if m.replace {
		m.r.Indices(out, m.n, p)
	} else {
		m.r.Subset(out, m.n, p)
	}
	return out
}

// walk moves along the estimator and adds noise; it returns where it was.
func (m *naive) walk(radius float64) (before vec) {
	before = m.x
	m.x = m.x.lin(-m.eta, m.v).plus(m.ball(radius))
	return before
}

// sarah adds a mean difference to the estimator.
func (m *naive) sarah(b int, before vec) {
	set := m.draw(b, algos.Batches)
	m.v = m.v.plus(m.at(set, m.x)).minus(m.at(set, before))
}

func naiveGD(eta, r float64) *naive {
	return &naive{eta: eta, begin: func(m *naive) { m.v = m.full(m.x) },
		step: func(m *naive) { m.walk(r); m.v = m.full(m.x) }}
}

func naiveSGD(eta float64, b int, r float64, replace bool) *naive {
	estimate := func(m *naive) { m.v = m.at(m.draw(cmp.Or(b, root(m.n)), algos.Batches), m.x) }
	return &naive{eta: eta, replace: replace, begin: estimate,
		step: func(m *naive) { m.walk(r); estimate(m) }}
}

func naiveNoisySGD(eta, sigma float64, replace bool) *naive {
	return &naive{eta: eta, replace: replace,
		begin: func(m *naive) { m.v = m.at(m.draw(root(m.n), algos.Batches), m.x) },
		step: func(m *naive) {
			u := make(vec, m.d)
			if sigma > 0 {
				m.r.Normal(u, algos.Noise)
				u = u.times(sigma / u.norm())
			}
			m.x = m.x.lin(-eta, m.v.plus(u))
			m.v = m.at(m.draw(root(m.n), algos.Batches), m.x)
		}}
}

func naivePGD(eta, r, threshold float64, wait int, decrease float64) *naive {
	var anchor vec
	var value float64
	var perturbed int
	var done bool
	return &naive{eta: eta,
		begin: func(m *naive) { m.v, perturbed, done = m.full(m.x), -wait-1, false },
		step: func(m *naive) {
			at := m.t - 1 // steps taken
			if done {
				return
			}
			if m.full(m.x).norm() <= threshold && at-perturbed > wait {
				anchor, value, perturbed = m.x, m.o.Value(m.x), at
				m.x = m.x.plus(m.ball(r))
			}
			if at-perturbed == wait && m.o.Value(m.x)-value > -decrease {
				m.x, done = anchor, true
				m.v = m.full(m.x)
				return
			}
			m.x = m.x.lin(-eta, m.full(m.x))
			m.ball(0)
			m.v = m.full(m.x)
		}}
}

func naiveSVRG(eta float64, period int, r float64, replace bool) *naive {
	var snap vec
	snapshot := func(m *naive) { snap, m.v = m.x, m.full(m.x) }
	return &naive{eta: eta, replace: replace, begin: snapshot,
		step: func(m *naive) {
			b := root(m.n)
			m.walk(r)
			if m.t%cmp.Or(period, epoch(m.n, b)) == 0 {
				snapshot(m)
				return
			}
			set := m.draw(b, algos.Batches)
			m.v = m.at(set, m.x).minus(m.at(set, snap)).plus(m.full(snap))
		}}
}

func naiveSAGA(eta float64, two bool, r float64, replace bool) *naive {
	var table []vec
	return &naive{eta: eta, replace: replace,
		begin: func(m *naive) {
			table = m.each(m.all(), m.x)
			m.v = average(table)
		},
		step: func(m *naive) {
			m.walk(r)
			set := m.draw(root(m.n), algos.Batches)
			m.v = m.at(set, m.x).minus(average(rows(table, set))).plus(average(table))
			if two {
				set = m.draw(root(m.n), algos.SecondBatch)
			}
			for _, i := range set {
				table[i] = m.g(i, m.x)
			}
		}}
}

func naiveSARAH(eta float64, period int, r float64, replace bool) *naive {
	refresh := func(m *naive) { m.v = m.full(m.x) }
	return &naive{eta: eta, replace: replace, begin: refresh, step: func(m *naive) {
		b := root(m.n)
		before := m.walk(r)
		if m.t%cmp.Or(period, epoch(m.n, b)) == 0 {
			refresh(m)
			return
		}
		m.sarah(b, before)
	}}
}

// naiveInexact is inexact SARAH with restarts from a sample, of all components if the size is 0.
func naiveInexact(eta float64, b, period, restart int, r float64, replace bool) *naive {
	size := func(m *naive) int { return min(cmp.Or(restart, m.n), m.n) }
	refresh := func(m *naive) { m.v = m.at(m.draw(size(m), algos.SecondBatch), m.x) }
	return &naive{eta: eta, replace: replace, begin: refresh, step: func(m *naive) {
		b := cmp.Or(b, 1)
		before := m.walk(r)
		if m.t%cmp.Or(period, epoch(size(m), b)) == 0 {
			refresh(m)
			return
		}
		m.sarah(b, before)
	}}
}

func naiveSPIDER(eta, eps float64, period, refresh int, normalized, replace bool) *naive {
	taken, done := 0, false
	renew := func(m *naive) {
		switch {
		case refresh == 0 && replace:
			m.v = m.at(m.draw(m.n, algos.SecondBatch), m.x)
		case refresh == 0 || !replace && refresh >= m.n:
			m.v = m.full(m.x)
		default:
			m.v = m.at(m.draw(refresh, algos.SecondBatch), m.x)
		}
	}
	return &naive{eta: eta, replace: replace,
		begin: func(m *naive) { taken, done = 0, false; renew(m) },
		step: func(m *naive) {
			length := m.v.norm()
			if done = done || normalized && length <= 2*eps; done {
				return
			}
			factor := 0.5
			if normalized {
				factor = eps / length
			} else if length > 0 {
				factor = min(eps/length, 0.5)
			}
			before := m.x
			m.x = m.x.lin(-eta*factor, m.v)
			m.ball(0)
			if taken++; taken%cmp.Or(period, epoch(m.n, root(m.n))) == 0 {
				renew(m)
			} else {
				m.sarah(root(m.n), before)
			}
		}}
}

func naiveSSRGD(eta float64, period int, r, threshold float64, wait int, decrease float64,
	replace bool) *naive {
	var inEpoch, since int
	var searching bool
	var value float64
	return &naive{eta: eta, replace: replace,
		begin: func(m *naive) { inEpoch, searching, m.v = 0, false, m.full(m.x) },
		step: func(m *naive) {
			period := cmp.Or(period, epoch(m.n, root(m.n)))
			wait := cmp.Or(wait, period)
			if inEpoch == 0 && !searching && r > 0 && threshold >= 0 &&
				(threshold == 0 || m.full(m.x).norm() <= threshold) {
				searching, since = true, 0
				if decrease > 0 {
					value = m.o.Value(m.x)
				}
				m.x = m.x.plus(m.ball(r))
				m.v = m.full(m.x)
			}
			before := m.walk(0)
			inEpoch++
			since++
			stop := inEpoch == period
			if searching && (since >= wait || decrease > 0 && value-m.o.Value(m.x) >= decrease) {
				searching, stop = false, true
			}
			if stop {
				inEpoch, m.v = 0, m.full(m.x)
				return
			}
			m.sarah(root(m.n), before)
		}}
}

func naiveStabilized(eta float64, b, period int, r, threshold, distance float64, wait int,
	perturbed,
	replace bool) *naive {
	var snap, removed, anchor vec
	var inEpoch, since int
	var searching bool
	snapshot := func(m *naive) {
		inEpoch, snap, m.v = 0, m.x, m.full(m.x)
		if searching {
			m.v = m.v.minus(removed)
		}
	}
	return &naive{eta: eta, replace: replace,
		begin: func(m *naive) { searching, removed = false, make(vec, m.d); snapshot(m) },
		step: func(m *naive) {
			b := cmp.Or(b, min(m.n, ceil(math.Cbrt(float64(m.n*m.n)))))
			period := cmp.Or(period, epoch(m.n, b))
			wait := cmp.Or(wait, period)
			estimate := func() {
				set := m.draw(b, algos.Batches)
				m.v = m.at(set, m.x).minus(m.at(set, snap)).plus(m.full(snap))
				if searching {
					m.v = m.v.minus(removed)
				}
			}
			if inEpoch == 0 && !searching && r > 0 && m.full(m.x).norm() <= threshold {
				searching, since, anchor = true, 0, m.x
				if !perturbed {
					removed = m.full(m.x)
				}
				m.x = m.x.plus(m.ball(r))
				estimate()
			}
			m.walk(0)
			inEpoch++
			since++
			switch {
			case searching && (since >= wait ||
				distance > 0 && m.x.minus(anchor).norm() >= distance):
				searching = false
				snapshot(m)
			case inEpoch == period:
				snapshot(m)
			default:
				estimate()
			}
		}}
}

func naiveNested(eta float64, lengths, sizes []int, base int, r float64, replace bool) *naive {
	var ref []vec
	var terms []vec
	begin := func(m *naive, level int) {
		for l := level; l <= len(lengths); l++ {
			ref[l], terms[l] = m.x, make(vec, m.d)
		}
		switch size := min(cmp.Or(base, m.n), m.n); {
		case level > 0:
			set := m.draw(min(sizes[level-1], m.n), algos.Batches)
			terms[level] = m.at(set, ref[level]).minus(m.at(set, ref[level-1]))
		case size == m.n:
			terms[0] = m.full(m.x)
		default:
			terms[0] = m.at(m.draw(size, algos.Batches), m.x)
		}
		m.v = average(terms).times(float64(len(terms)))
	}
	given := lengths
	return &naive{eta: eta, replace: replace,
		begin: func(m *naive) {
			if given == nil {
				lengths, sizes = naiveLevels(m.n)
			}
			ref, terms = make([]vec, len(lengths)+1), make([]vec, len(lengths)+1)
			begin(m, 0)
		},
		step: func(m *naive) {
			m.walk(r)
			level := 0
			for ; level < len(lengths); level++ {
				span := 1
				for _, T := range lengths[level:] {
					span *= T
				}
				if m.t%span == 0 {
					break
				}
			}
			begin(m, level)
		}}
}

// naiveLevels is T_1 = 2, T_l = 2^(2^(l−2)), B_1 = 6^K B and B_l = 6^(K−l+1) B / 2^(2^(l−1)) for K
// = max(1, ⌊log₂ log₂ B⌋) levels.
func naiveLevels(B int) (lengths, sizes []int) {
	K := 1
	for math.Pow(2, math.Pow(2, float64(K+1))) <= float64(B) {
		K++
	}
	for l := 1; l <= K; l++ {
		T, size := 2.0, math.Pow(6, float64(K))*float64(B)
		if l > 1 {
			T = math.Pow(2, math.Pow(2, float64(l-2)))
			size = math.Pow(6, float64(K-l+1)) * float64(B) / math.Pow(2, math.Pow(2, float64(l-1)))
		}
		lengths, sizes = append(lengths, int(T)), append(sizes, ceil(size))
	}
	return lengths, sizes
}

func naiveZeroSARAH(eta, lambda float64, zero bool, r float64, replace bool) *naive {
	var table []vec
	store := func(m *naive, set []int) {
		for _, i := range set {
			table[i] = m.g(i, m.x)
		}
	}
	return &naive{eta: eta, replace: replace,
		begin: func(m *naive) {
			table = make([]vec, m.n)
			for i := range table {
				table[i] = make(vec, m.d)
			}
			set := m.all()
			if zero {
				set = m.draw(root(m.n), algos.Batches)
			}
			m.v = m.at(set, m.x)
			store(m, set)
		},
		step: func(m *naive) {
			lambda := cmp.Or(lambda, float64(root(m.n))/float64(2*m.n))
			before := m.walk(r)
			set := m.draw(root(m.n), algos.Batches)
			saga := m.at(set, before).minus(average(rows(table, set))).plus(average(table))
			m.v = m.at(set, m.x).minus(m.at(set, before)).plus(m.v.mix(lambda, saga))
			store(m, set)
		}}
}

func naivePAGE(eta, p float64, never bool, r float64, replace bool) *naive {
	return &naive{eta: eta, replace: replace, begin: func(m *naive) { m.v = m.full(m.x) },
		step: func(m *naive) {
			b := root(m.n)
			p := cmp.Or(p, float64(b)/float64(m.n+b))
			before := m.walk(r)
			if m.r.Uniform(algos.Coins) < p && !never {
				m.v = m.full(m.x)
			} else {
				m.sarah(b, before)
			}
		}}
}

func naiveSTORM(eta, a float64, full bool, r float64, replace bool) *naive {
	return &naive{eta: eta, replace: replace,
		begin: func(m *naive) {
			if m.v = nil; full {
				m.v = m.full(m.x)
			} else {
				m.v = m.at(m.draw(root(m.n), algos.Batches), m.x)
			}
		},
		step: func(m *naive) {
			before := m.walk(r)
			set := m.draw(root(m.n), algos.Batches)
			m.v = m.at(set, m.x).lin(1-a, m.v.minus(m.at(set, before)))
		}}
}

func naiveAdaptiveSTORM(k, w, c, r float64, replace bool) *naive {
	var fresh vec
	var sum float64
	return &naive{replace: replace,
		begin: func(m *naive) {
			fresh, sum = m.at(m.draw(root(m.n), algos.Batches), m.x), 0
			m.v = fresh
		},
		step: func(m *naive) {
			sum += fresh.dot(fresh)
			m.eta = k / math.Pow(w+sum, 1.0/3)
			a := min(1, c*m.eta*m.eta)
			before := m.walk(r)
			set := m.draw(root(m.n), algos.Batches)
			fresh = m.at(set, m.x)
			m.v = fresh.lin(1-a, m.v.minus(m.at(set, before)))
		}}
}

func naiveHybrid(eta, beta float64, first int, same bool, r float64, replace bool) *naive {
	return &naive{eta: eta, replace: replace,
		begin: func(m *naive) {
			m.v = m.at(m.draw(min(cmp.Or(first, m.n), m.n), algos.Coins), m.x)
		},
		step: func(m *naive) {
			before := m.walk(r)
			set := m.draw(root(m.n), algos.Batches)
			recursive := m.v.plus(m.at(set, m.x)).minus(m.at(set, before))
			if !same {
				set = m.draw(root(m.n), algos.SecondBatch)
			}
			m.v = recursive.times(beta).lin(1-beta, m.at(set, m.x))
		}}
}

func naiveSLEDGE(eta float64, b int, optionI bool, r float64, schedule func(t int) int) *naive {
	var y []vec
	size := func(m *naive) int {
		if schedule != nil {
			return min(m.n, max(1, schedule(m.t)))
		}
		return cmp.Or(b, root(m.n))
	}
	return &naive{eta: eta,
		begin: func(m *naive) {
			var first vec
			if optionI {
				first = m.at(m.draw(size(m), algos.Batches), m.x)
			}
			y = make([]vec, m.n)
			for i := range y {
				if y[i] = first; !optionI {
					y[i] = m.g(i, m.x)
				}
			}
			m.v = average(y)
		},
		step: func(m *naive) {
			before := m.walk(r)
			set := m.draw(size(m), algos.Batches)
			common := m.at(set, m.x).minus(m.at(set, before))
			for i := range y {
				if slices.Contains(set, i) {
					y[i] = m.g(i, m.x)
				} else {
					y[i] = y[i].plus(common)
				}
			}
			m.v = average(y)
		}}
}

// naiveClients is a federated method given by what it does first and in every round.
type naiveClients struct {
	state
	begin func(m *naiveClients)
	round func(m *naiveClients)
	P     int
}

func (m *naiveClients) Start(o *algos.Oracle, x0 []float64, r algos.Randomness) error {
	m.start(o, x0, r)
	m.P = o.Clients()
	m.begin(m)
	return nil
}

func (m *naiveClients) Step() {
	m.t++
	m.round(m)
}

func (m *naiveClients) at(i int, data []int, x vec) vec {
	var all []vec
	for _, j := range data {
		g := make(vec, m.d)
		m.o.Datum(g, x, i, j)
		all = append(all, g)
	}
	return average(all)
}

// local is the gradient of client i.
func (m *naiveClients) local(i int, x vec) vec {
	data := make([]int, m.o.Size(i))
	for j := range data {
		data[j] = j
	}
	return m.at(i, data, x)
}

func (m *naiveClients) data(i, b int) []int {
	out := make([]int, min(b, m.o.Size(i)))
	m.r.Subset(out, m.o.Size(i), algos.LocalBatches)
	return out
}

func (m *naiveClients) some(p int) []int {
	out := make([]int, cmp.Or(p, root(m.P)))
	m.r.Subset(out, m.P, algos.Clients)
	return out
}

func (m *naiveClients) worker() int {
	out := make([]int, 1)
	m.r.Indices(out, m.P, algos.Worker)
	return out[0]
}

// descend takes K steps of stochastic gradient descent at client i, with b data each.
func (m *naiveClients) descend(i, b, K int, eta float64) vec {
	y := m.x
	for range K {
		y = y.lin(-eta, m.at(i, m.data(i, b), y))
	}
	return y
}

// finish moves the server from x by a share of the mean displacement of the clients, which took K
// steps of eta.
func (m *naiveClients) finish(ys []vec, server, eta float64, K int) {
	before := m.x
	m.x = before.lin(server, average(ys).minus(before))
	m.v = before.minus(m.x).times(1 / (eta * float64(K)))
}

func nothing(*naiveClients) {}

func naiveFedAvg(eta, server float64, b, K int) *naiveClients {
	return &naiveClients{begin: nothing, round: func(m *naiveClients) {
		var ys []vec
		for _, i := range m.some(0) {
			ys = append(ys, m.descend(i, b, K, eta))
		}
		m.finish(ys, server, eta, K)
	}}
}

func naiveSCAFFOLD(eta, server float64, b, K int, optionI, fullControl, warm bool) *naiveClients {
	var c []vec
	return &naiveClients{
		begin: func(m *naiveClients) {
			c = make([]vec, m.P)
			for i := range c {
				if c[i] = make(vec, m.d); warm {
					c[i] = m.local(i, m.x)
				}
			}
		},
		round: func(m *naiveClients) {
			mean := average(c)
			var ys []vec
			for _, i := range m.some(0) {
				y := m.x
				for range K {
					y = y.lin(-eta, m.at(i, m.data(i, b), y).minus(c[i]).plus(mean))
				}
				switch {
				case !optionI:
					c[i] = c[i].minus(mean).lin(1/(float64(K)*eta), m.x.minus(y))
				case fullControl:
					c[i] = m.local(i, m.x)
				default:
					c[i] = m.at(i, m.data(i, b), m.x)
				}
				ys = append(ys, y)
			}
			m.finish(ys, server, eta, K)
		}}
}

func naiveMime(eta, server float64, b, K int, beta float64, lite bool) *naiveClients {
	var state vec
	return &naiveClients{begin: func(m *naiveClients) { state = make(vec, m.d) },
		round: func(m *naiveClients) {
			chosen := m.some(0)
			var locals, ys []vec
			for _, i := range chosen {
				locals = append(locals, m.local(i, m.x))
			}
			c := average(locals)
			for _, i := range chosen {
				y := m.x
				for range K {
					data := m.data(i, b)
					g := m.at(i, data, y)
					if !lite {
						g = g.minus(m.at(i, data, m.x)).plus(c)
					}
					y = y.lin(-eta, g.mix(beta, state))
				}
				ys = append(ys, y)
			}
			state = c.mix(beta, state)
			m.finish(ys, server, eta, K)
		}}
}

func naiveMimeMVR(eta, a float64, first, b, K int) *naiveClients {
	var before vec
	return &naiveClients{begin: nothing, round: func(m *naiveClients) {
		p := root(m.P)
		asked := p
		if m.t == 1 && first > p {
			asked = min(first, m.P)
		}
		clients := m.some(asked)
		mean := func(x vec) vec {
			var all []vec
			for _, i := range clients {
				all = append(all, m.local(i, x))
			}
			return average(all)
		}
		if m.t == 1 {
			m.v = mean(m.x)
		} else {
			m.v = mean(m.x).lin(1-a, m.v.minus(mean(before)))
		}
		before = m.x
		var ys []vec
		for _, i := range clients[:p] {
			y := m.x
			for range K {
				data := m.data(i, b)
				y = y.lin(-eta, m.at(i, data, y).minus(m.at(i, data, m.x)).plus(m.v))
			}
			ys = append(ys, y)
		}
		m.x = average(ys)
	}}
}

func naiveFedVARP(eta, server float64, b, K int) *naiveClients {
	var u []vec
	return &naiveClients{
		begin: func(m *naiveClients) {
			u = make([]vec, m.P)
			for i := range u {
				u[i] = make(vec, m.d)
			}
		},
		round: func(m *naiveClients) {
			mean := average(u)
			var corrections []vec
			fresh := map[int]vec{}
			for _, i := range m.some(0) {
				fresh[i] = m.x.minus(m.descend(i, b, K, eta))
				corrections = append(corrections, fresh[i].minus(u[i]))
			}
			for i, f := range fresh {
				u[i] = f
			}
			before := m.x
			m.x = m.x.lin(-server, mean.plus(average(corrections)))
			m.v = before.minus(m.x).times(1 / (eta * float64(K)))
		}}
}

func naiveBVR(eta float64, b, K, large, stage int, r float64) *naiveClients {
	var each []vec
	var before vec
	estimate := func(m *naiveClients) {
		for i := range each {
			switch {
			case m.t%cmp.Or(stage, root(m.P)) != 0:
				data := m.data(i, K*b)
				each[i] = each[i].plus(m.at(i, data, m.x)).minus(m.at(i, data, before))
			case large > 0:
				each[i] = m.at(i, m.data(i, large), m.x)
			default:
				each[i] = m.local(i, m.x)
			}
		}
		m.v = average(each)
	}
	return &naiveClients{
		begin: func(m *naiveClients) { each = make([]vec, m.P); estimate(m) },
		round: func(m *naiveClients) {
			before = m.x
			i, v := m.worker(), m.v
			var last vec
			for k := range K {
				if k > 0 {
					data := m.data(i, b)
					v = v.plus(m.at(i, data, m.x)).minus(m.at(i, data, last))
				}
				last = m.x
				m.x = m.x.lin(-eta, v).plus(m.ball(r))
			}
			estimate(m)
		}}
}

func naiveFLEDGE(eta float64, b, K int, optionI bool, r float64,
	schedule func(k int) int) *naiveClients {
	var y []vec
	return &naiveClients{
		begin: func(m *naiveClients) {
			y = make([]vec, m.P)
			if optionI {
				var first []vec
				for _, i := range m.some(0) {
					first = append(first, m.at(i, m.data(i, K*b), m.x))
				}
				for i := range y {
					y[i] = average(first)
				}
			} else {
				for i := range y {
					y[i] = m.at(i, m.data(i, K*b), m.x)
				}
			}
			m.v = average(y)
		},
		round: func(m *naiveClients) {
			start, i := m.x, m.worker()
			z := make(vec, m.d)
			for k := 1; k <= K; k++ {
				before := m.x
				m.x = m.x.lin(-eta, average(y).plus(z)).plus(m.ball(r))
				size := b
				if schedule != nil {
					size = max(1, schedule(k))
				}
				data := m.data(i, size)
				z = z.plus(m.at(i, data, m.x)).minus(m.at(i, data, before))
			}
			fresh := map[int]vec{}
			var shifts []vec
			for _, i := range m.some(0) {
				data := m.data(i, K*b)
				fresh[i] = m.at(i, data, m.x)
				shifts = append(shifts, fresh[i].minus(m.at(i, data, start)))
			}
			for i := range y {
				if f, ok := fresh[i]; ok {
					y[i] = f
				} else {
					y[i] = y[i].plus(average(shifts))
				}
			}
			m.v = average(y)
		}}
}

// naiveSPIDERPlus walks δ/ρ along a direction of negative curvature if it finds one, and else as
// far by normalized SPIDER steps.
func naiveSPIDERPlus(eta, eps float64, period int, neon algos.Neon2, replace bool) *naive {
	renew := func(m *naive) {
		if m.v = nil; replace {
			m.v = m.at(m.draw(m.n, algos.SecondBatch), m.x)
		} else {
			m.v = m.full(m.x)
		}
	}
	var left, taken int
	var direction vec
	var done bool
	return &naive{eta: eta, replace: replace,
		begin: func(m *naive) { left, taken, done, direction = 0, 0, false, nil; renew(m) },
		step: func(m *naive) {
			if done {
				return
			}
			if left == 0 {
				left = max(1, ceil(neon.Delta/(neon.Rho*eta*eps)))
				if direction = naiveNeon(m, neon); direction != nil &&
					m.r.Uniform(algos.Coins) < 0.5 {
					direction = direction.times(-1)
				}
			}
			left--
			along := direction
			if along == nil {
				if m.v.norm() <= 2*eps {
					done = true
					return
				}
				along = m.v.times(1 / m.v.norm())
			}
			before := m.x
			m.x = m.x.lin(-eta*eps, along)
			if taken++; taken%cmp.Or(period, epoch(m.n, root(m.n))) == 0 {
				renew(m)
			} else {
				m.sarah(root(m.n), before)
			}
		}}
}

// Neon is the curvature search at x: the direction that it finds, nil if it finds none.
func Neon(neon algos.Neon2, o *algos.Oracle, x []float64, r algos.Randomness) []float64 {
	return naiveNeon(&naive{state: state{o: o, r: r, d: o.Dim(), x: x}, n: o.Components()}, neon)
}

// naiveNeon is the curvature search at m.x.
func naiveNeon(m *naive, neon algos.Neon2) vec {
	failure, C, b := cmp.Or(neon.Failure, 0.05), cmp.Or(neon.C, 2), max(1, neon.Batch)
	L, delta, d := neon.L, neon.Delta, float64(m.d)
	reach := delta / (8 * neon.Rho)
	displaced := func() vec {
		u := make(vec, m.d)
		m.r.Normal(u, algos.Noise)
		return u.times(reach / (100 * d) / u.norm())
	}
	hessian := func(u vec) vec { return m.full(m.x.plus(u)).minus(m.full(m.x)) } // ∇²f(x)u, nearly
	if neon.Deterministic {
		last, y := make(vec, m.d), displaced()
		for range ceil(C * math.Log(100*d/failure) * math.Sqrt(L/delta)) {
			My := y.times(1-3*delta/(4*L)).lin(-1/L, hessian(y))
			if test := My.minus(last); test.norm() >= reach {
				w := test.times(1 / test.norm())
				if w.dot(hessian(w.times(reach)))/reach <= -(0.5+1.0/16)*delta {
					return w
				}
				return nil
			}
			y, last = My.times(2).minus(last), y
		}
		return nil
	}
	logs := math.Log(100 * d)
	eta := delta / (C * C * L * L * logs)
	for range ceil(math.Log2(1/failure)) + 1 {
		y := displaced()
		for range ceil(C * C * logs / (eta * delta)) {
			set := make([]int, b)
			m.r.Subset(set, m.n, algos.Batches)
			if y = y.lin(-eta, m.at(set, m.x.plus(y)).minus(m.at(set, m.x))); y.norm() >= reach {
				w := y.times(1 / y.norm())
				set := make([]int, min(m.n, max(1, ceil(C*L*L*math.Log(1/failure)/(delta*delta)))))
				m.r.Subset(set, m.n, algos.SecondBatch)
				if w.dot(m.at(set, m.x.lin(reach, w)).minus(m.at(set, m.x)))/reach <= -0.75*delta {
					return w
				}
				break
			}
		}
	}
	return nil
}
