package problems

import (
	"fmt"
	"math"

	"sledge/algos"
)

// Audited is what an audit saw of one constant.
type Audited struct {
	Name      string   // the symbol, such as ζ' or L_f
	Certified Constant // what the problem states
	Seen      float64  // the largest (for μ the smallest) value that the points imply
	// Seen/Certified, for μ Certified/Seen: at most 1 unless the certificate is wrong; differences
	// at the level of rounding count as 1
	Ratio float64
	Where string // the points and the component, client or datum
}

// Audit looks for contradictions between the constants of a problem for a run from x0 and what is
// seen at the given points, such as the iterates of a run: secants of gradients between successive
// points against L, LMean, Zeta, ZetaPrime, and of Hessians, where the problem has them, against
// Rho; values and gradients at the points against Mu and Delta; deviations of gradients at x0
// against SigmaC and GC. Besides, around the first and the last point it turns the secant towards
// the largest differences by power iteration. Constants of which nothing can be seen are left out.
// An audit can refute a certificate, never confirm it. It costs O(n(d + m)) for each point, m the
// cost of a gradient.
func Audit(p Certified, x0 []float64, points [][]float64) []Audited {
	a := newAuditor(p, p, p.Dim(), p.Constants(x0))
	for i := range p.Components() {
		a.off = append(a.off, i+1)
	}
	a.gradient = func(dst, x []float64, i, _ int) { p.Gradient(dst, x, i) }
	if h, ok := p.(algos.ComponentHessianer); ok {
		a.hessian = func(dst, x, u []float64, i, _ int) { h.ComponentHessianVector(dst, x, u, i) }
	}
	a.low, a.lowKnown = p.Minimum()
	return a.run(x0, points)
}

// AuditFederated is Audit for federated problems, where L, ZetaPrime and Rho speak of all data, and
// the deviations of the gradients of a client's data are compared with Sigma and G.
func AuditFederated(p CertifiedFederated, x0 []float64, points [][]float64) []Audited {
	a := newAuditor(p, p, p.Dim(), p.Constants(x0))
	for i := range p.Clients() {
		a.off = append(a.off, a.off[i]+p.Size(i))
	}
	a.federated = true
	a.gradient = p.Gradient
	if h, ok := p.(interface {
		DatumHessianVector(dst, x, u []float64, i, j int)
	}); ok {
		a.hessian = h.DatumHessianVector
	}
	a.low, a.lowKnown = p.Minimum()
	return a.run(x0, points)
}

// WorstAudited returns the entry with the largest ratio.
func WorstAudited(all []Audited) Audited {
	worst := all[0]
	for _, a := range all {
		if a.Ratio > worst.Ratio {
			worst = a
		}
	}
	return worst
}

type auditor struct {
	d         int
	off       []int // data of the clients; components are clients with one datum
	federated bool
	value     algos.Valuer
	full      algos.FullGradienter
	gradient  func(dst, x []float64, i, j int)
	hessian   func(dst, x, u []float64, i, j int) // nil if not available
	low       float64
	lowKnown  bool
	c         Constants
	seen      map[string]*Audited
	order     []string
}

func newAuditor(v algos.Valuer, f algos.FullGradienter, d int, c Constants) *auditor {
	return &auditor{d: d, off: []int{0}, value: v, full: f, c: c, seen: map[string]*Audited{}}
}

// upper takes note of a value that must not exceed a constant; scale is the magnitude of the terms
// from which it was computed, for rounding.
func (a *auditor) upper(name string, certified Constant, seen, scale float64, where func() string) {
	ratio := seen / certified.Value
	switch {
	case seen == 0 || math.IsInf(certified.Value, 1), max(seen, certified.Value) <= 1e-9*scale:
		ratio = 0 // what is nothing but rounding bears out no constant
	case seen > certified.Value && seen <= certified.Value+1e-9*scale:
		ratio = 1
	}
	a.note(name, certified, seen, ratio, where)
}

func (a *auditor) note(name string, certified Constant, seen, ratio float64, where func() string) {
	old, ok := a.seen[name]
	if !ok {
		old = &Audited{Name: name, Certified: certified, Ratio: -1}
		a.seen[name] = old
		a.order = append(a.order, name)
	}
	if ratio > old.Ratio || math.IsNaN(ratio) {
		old.Seen, old.Ratio, old.Where = seen, ratio, where()
	}
}

// at holds the gradients at one point.
type at struct {
	x             []float64
	data, clients [][]float64
	mean          []float64
}

func (a *auditor) gradients(x []float64) *at {
	P := len(a.off) - 1
	g := &at{x: x, data: rows(a.off[P], a.d), mean: make([]float64, a.d)}
	g.clients = g.data
	if a.federated {
		g.clients = rows(P, a.d)
	}
	for i := range P {
		for k := a.off[i]; k < a.off[i+1]; k++ {
			a.gradient(g.data[k], x, i, k-a.off[i])
			if a.federated {
				addScaled(g.clients[i], 1/float64(a.off[i+1]-a.off[i]), g.data[k])
			}
		}
	}
	a.full.FullGradient(g.mean, x)
	return g
}

func (a *auditor) run(x0 []float64, points [][]float64) []Audited {
	start := a.gradients(x0)
	a.start(start)
	least := math.Inf(1)
	previous := start
	for t, x := range points {
		name := func() string { return fmt.Sprintf("point %d", t) }
		now := a.gradients(x)
		a.point(now, name)
		a.secant(previous, now, name)
		if t == 0 || t == len(points)-1 {
			a.probe(now, name)
		}
		if v := a.value.Value(x); v < least {
			least = v
			if f0 := a.value.Value(x0); f0 >= v && !math.IsInf(a.c.Delta.Value, 1) {
				a.upper("Δ", a.c.Delta, f0-v, math.Abs(f0)+math.Abs(v)+math.Abs(a.low), name)
			}
		}
		previous = now
	}
	list := make([]Audited, len(a.order))
	for k, name := range a.order {
		list[k] = *a.seen[name]
	}
	return list
}

// start looks at the spread of the client gradients at x0.
func (a *auditor) start(g *at) {
	sum, most, who, scale := 0.0, 0.0, 0, norm(g.mean)
	for _, datum := range g.data { // those of a client may cancel in their mean
		scale = max(scale, norm(datum))
	}
	for i, c := range g.clients {
		sq := distSq(c, g.mean)
		sum += sq
		if sq > most {
			most, who = sq, i
		}
	}
	a.upper("σ_c", a.c.SigmaC, math.Sqrt(sum/float64(len(g.clients))), scale,
		func() string { return "x0" })
	a.upper("G_c", a.c.GC, math.Sqrt(most), scale,
		func() string { return fmt.Sprintf("x0, component %d", who) })
}

// leastGap is the function gap below which squares of gradients lose their digits to underflow.
const leastGap = 1e-290

// point looks at the PL inequality and at the spread of data gradients within clients.
func (a *auditor) point(g *at, name func() string) {
	if a.lowKnown && a.c.Mu.Value > 0 {
		v, seen := a.value.Value(g.x), dot(g.mean, g.mean)
		// of the terms that the gap is a difference of
		size := math.Abs(v) + math.Abs(a.low) + a.c.L.Value*dot(g.x, g.x)
		if gap := v - a.low; gap > 1e-9*size && gap > leastGap {
			seen /= 2 * gap
			ratio := a.c.Mu.Value / seen
			if ratio > 1 && ratio < 1+1e-14*size/gap {
				ratio = 1
			}
			a.note("μ", a.c.Mu, seen, ratio, name)
		}
	}
	if !a.federated {
		return
	}
	for i, c := range g.clients {
		where := func() string { return fmt.Sprintf("%s, client %d", name(), i) }
		sum, most, scale := 0.0, 0.0, norm(c)
		for _, datum := range g.data[a.off[i]:a.off[i+1]] {
			sq := distSq(datum, c)
			sum += sq
			most = max(most, sq)
			scale = max(scale, norm(datum))
		}
		a.upper("σ", a.c.Sigma, math.Sqrt(sum/float64(a.off[i+1]-a.off[i])), scale, where)
		a.upper("G", a.c.G, math.Sqrt(most), scale, where)
	}
}

// secant looks at differences between two points.
func (a *auditor) secant(p, q *at, name func() string) {
	step := math.Sqrt(distSq(p.x, q.x))
	if !(step > 1e-7*(norm(p.x)+norm(q.x))) {
		return
	}
	difference := func(p, q [][]float64) [][]float64 {
		d := rows(len(p), a.d)
		for k := range d {
			for l := range d[k] {
				d[k][l] = (q[k][l] - p[k][l]) / step
			}
		}
		return d
	}
	data, mean := difference(p.data, q.data),
		difference([][]float64{p.mean}, [][]float64{q.mean})[0]
	clients := data
	if a.federated {
		clients = difference(p.clients, q.clients)
	}
	size := 0.0
	for k, g := range p.data {
		size = max(size, norm(g), norm(q.data[k]))
	}
	// Rounding of a difference of gradients is below 1e-15 of their terms, which are below ‖∇f‖ +
	// L‖x‖.
	scale := a.c.L.Value + (size+a.c.L.Value*norm(q.x))*1e-6/step
	a.upper("L_f", a.c.LMean, norm(mean), scale, name)
	for k, v := range data {
		where := func() string { return fmt.Sprintf("%s, datum %d", name(), k) }
		a.upper("L", a.c.L, norm(v), scale, where)
		a.upper("ζ'", a.c.zetaPrime(), math.Sqrt(distSq(v, mean)), scale, where)
	}
	i, j := farthest(clients, mean)
	a.upper("ζ", a.c.Zeta, math.Sqrt(distSq(clients[i], clients[j])), scale,
		func() string { return fmt.Sprintf("%s, components %d and %d", name(), i, j) })
	if a.hessian == nil {
		return
	}
	u := scaled(minus(q.x, p.x), 1/step)
	h1, h2 := make([]float64, a.d), make([]float64, a.d)
	for i := range len(a.off) - 1 {
		for k := a.off[i]; k < a.off[i+1]; k++ {
			a.hessian(h1, p.x, u, i, k-a.off[i])
			a.hessian(h2, q.x, u, i, k-a.off[i])
			a.upper("ρ", a.c.Rho, math.Sqrt(distSq(h1, h2))/step, 1e-6*(norm(h1)+norm(h2))/step,
				func() string { return fmt.Sprintf("%s, datum %d", name(), k) })
		}
	}
}

// farthest returns two vectors far from each other: the farthest pair of a few, and of many the one
// that is farthest from the mean with the one that is farthest from it.
func farthest(v [][]float64, mean []float64) (i, j int) {
	from := func(p []float64) int {
		best := 0
		for k := range v {
			if distSq(v[k], p) > distSq(v[best], p) {
				best = k
			}
		}
		return best
	}
	if len(v) > 64 {
		i = from(mean)
		return i, from(v[i])
	}
	for k := range v {
		if l := from(v[k]); distSq(v[k], v[l]) > distSq(v[i], v[j]) {
			i, j = k, l
		}
	}
	return i, j
}

// probe does a few steps of power iteration on the data gradient that changes most and on the pair
// of clients that change most differently, by secants around the point.
func (a *auditor) probe(g *at, name func() string) {
	h := 1e-3 * (1 + norm(g.x))
	for what := range 2 {
		u := make([]float64, a.d)
		for l := range u {
			// any direction that is not special
			u[l] = 1 / math.Sqrt(float64(a.d)) * (1 + 0.1*math.Sin(float64(l)))
		}
		for range 8 {
			x := append([]float64(nil), g.x...)
			addScaled(x, h/norm(u), u)
			next := a.gradients(x)
			a.secant(g, next, func() string { return "near " + name() })
			if what == 0 {
				k := 0
				for l := range next.data {
					if distSq(next.data[l], g.data[l]) > distSq(next.data[k], g.data[k]) {
						k = l
					}
				}
				u = minus(next.data[k], g.data[k])
			} else {
				d := rows(len(g.clients), a.d)
				for k := range d {
					d[k] = minus(next.clients[k], g.clients[k])
				}
				i, j := farthest(d, minus(next.mean, g.mean))
				u = minus(d[i], d[j])
			}
			if norm(u) == 0 {
				break
			}
		}
	}
}

func minus(a, b []float64) []float64 {
	c := make([]float64, len(a))
	for k := range c {
		c[k] = a[k] - b[k]
	}
	return c
}
