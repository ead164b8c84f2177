package algos

import "sledge/props/keyed"

// Footprint returns how many float64 a method keeps between steps on a problem with the given
// number of clients, or of components, in the given dimension, and whether it is a [Linear] model.
// It is measured on small problems: what methods keep grows with each of the two numbers as a
// straight line, and, for a linear model with many components, no faster. Of a method that does not
// start on them, or does not say what it keeps, it is taken for a vector for each client and four
// more.
func Footprint(method func() Method, clients, dim int, linear bool) float64 {
	few, some, low, high := 64, 128, 2, 4 // clients and dimensions that are tried
	if linear {
		some, high = max(2, min(clients, 1<<17)), max(2, min(dim, 32))
		few, low = some/2, high/2
	}
	at := func(clients, dim int) (float64, bool) {
		m := method()
		p := Problem(idle{clients, dim})
		if linear {
			p = Sum(idleRows{clients, dim})
		}
		if err := m.Start(NewOracle(p), make([]float64, dim), Keyed(keyed.New(0))); err != nil {
			return 0, false
		}
		kept := memory(m)
		return float64(kept), kept > 0
	}
	a, ok1 := at(few, low)
	b, ok2 := at(some, low)
	c, ok3 := at(few, high)
	d, ok4 := at(some, high)
	n, v := float64(clients), float64(dim)
	if !ok1 || !ok2 || !ok3 || !ok4 {
		return (n + 4) * v
	}
	x, y := (n-float64(few))/float64(some-few), (v-float64(low))/float64(high-low)
	return a*(1-x)*(1-y) + b*x*(1-y) + c*(1-x)*y + d*x*y
}

// idle is a problem whose gradients are zero, with as many data for each client as methods may
// want.
type idle struct{ clients, dim int }

func (p idle) Clients() int { return p.clients }

func (p idle) Size(int) int { return 1 << 10 }

func (p idle) Dim() int { return p.dim }

func (p idle) Gradient(dst, _ []float64, _, _ int) { clear(dst) }

func (p idle) Value([]float64) float64 { return 0 }

// idleRows is a linear model whose rows and slopes are zero, with a part that components share.
type idleRows struct{ n, dim int }

func (p idleRows) Components() int { return p.n }

func (p idleRows) Dim() int { return p.dim }

func (p idleRows) Gradient(dst, _ []float64, _ int) { clear(dst) }

func (p idleRows) FullGradient(dst, _ []float64) { clear(dst) }

func (p idleRows) Value([]float64) float64 { return 0 }

func (p idleRows) Linear() Linear { return p }

func (p idleRows) Row(int) ([]int32, []float64) { return []int32{}, nil }

func (p idleRows) Slope(int, float64) float64 { return 0 }

func (p idleRows) AddShared([]float64, float64, []float64) bool { return true }
