package problems

import "sledge/algos"

// recalled is a composite within one run, which remembers the gradient of the core at the last
// points.
type recalled struct {
	*composite
	slopes  *algos.Recent
	product []float64 // room for one
}

// recall returns the engine of one run, nil if there is nothing to remember.
func recall(e engine) engine {
	p, ok := e.(*composite)
	if !ok || p.core == nil {
		return nil
	}
	return &recalled{p, algos.NewRecent(p.d, p.d), make([]float64, p.d)}
}

// at returns ∇φ(x), a view.
func (r *recalled) at(x []float64) []float64 {
	slope, known := r.slopes.At(x)
	if !known {
		r.coreSlope(slope, x)
	}
	return slope
}

func (r *recalled) datum(dst, x []float64, k int) { r.gradient(dst, x, &r.data, k, r.at(x)) }

func (r *recalled) average(dst, x []float64, i int, batch []int) {
	r.averageAt(dst, x, i, batch, r.at(x), r.product)
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
