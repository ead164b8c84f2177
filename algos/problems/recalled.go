package problems

import (
	"math"
	"slices"

	"sledge/algos"
)

// recalled is a composite within one run, which meets two points again and again: it remembers the
// gradient of the core at the last three. With two the point before, which is asked for after the
// new one, would put that out.
type recalled struct {
	*composite
	met [3]struct{ x, slope []float64 } // the last met first
}

// recall returns the engine of one run, nil if there is nothing to remember.
func recall(e engine) engine {
	p, ok := e.(*composite)
	if !ok || p.core == nil {
		return nil
	}
	r := &recalled{composite: p}
	room := make([]float64, 2*len(r.met)*p.d)
	for k := range r.met {
		m := &r.met[k]
		m.x, m.slope, room = room[:p.d:p.d], room[p.d:2*p.d:2*p.d], room[2*p.d:]
		m.x[0] = math.NaN() // no point has been met yet, and NaN equals nothing
	}
	return r
}

// at returns ∇φ(x), a view.
func (r *recalled) at(x []float64) []float64 {
	last, known := len(r.met)-1, false
	for k := range r.met {
		if slices.Equal(r.met[k].x, x) {
			last, known = k, true
			break
		}
	}
	m := r.met[last]
	copy(r.met[1:last+1], r.met[:last])
	r.met[0] = m
	if !known {
		copy(m.x, x)
		r.coreSlope(m.slope, x)
	}
	return m.slope
}

func (r *recalled) datum(dst, x []float64, k int) { r.gradient(dst, x, &r.data, k, r.at(x)) }

func (r *recalled) average(dst, x []float64, i int, batch []int) {
	r.averageAt(dst, x, i, batch, r.at(x))
}

func (r *recalled) client(dst, x []float64, i int) { r.gradient(dst, x, &r.part, i, r.at(x)) }
func (r *recalled) full(dst, x []float64)          { r.gradient(dst, x, &r.mean, 0, r.at(x)) }

func (r *recalled) clients(dst, x []float64, batch []int) { r.clientsAt(dst, x, batch, r.at(x)) }

// Recalling returns the finite sum for one run if p is its view; see [algos.Recaller].
func (p FiniteSum) Recalling(whole algos.Problem) algos.Problem {
	if e := recall(p.engine); e != nil && whole == algos.Sum(p) {
		return algos.Sum(FiniteSum{objective{e}})
	}
	return nil
}

// Recalling returns the problem for one run if whole is the problem itself; see
// [algos.Recaller].
func (p Federated) Recalling(whole algos.Problem) algos.Problem {
	if e := recall(p.engine); e != nil && whole == algos.Problem(p) {
		return Federated{objective{e}}
	}
	return nil
}
