package algos

import (
	"gonum.org/v1/gonum/floats"

	"sledge/algos/internal/prefetch"
)

// Linear is a linear model, f_i(x) = φ_i(a_i'x) + r(x): a component's gradient is the number
// φ_i'(a_i'x) times the row a_i, plus what all components share. Methods then keep a number instead
// of a gradient for each component, and touch the entries of a row only. Implementations are safe
// for concurrent use by readers.
type Linear interface {
	// Row returns a_i: its entries, and the columns they stand in, ascending and less than d; nil
	// columns for a row of d entries. Both are views, not to be changed.
	Row(i int) (columns []int32, values []float64)
	// Slope returns φ_i'(u).
	Slope(i int, u float64) float64
	// AddShared adds c∇r(x) to dst; both have length d. If r is a constant it does nothing and
	// returns false.
	AddShared(dst []float64, c float64, x []float64) bool
}

// Ridge is the optional ability of a [Linear] model to share nothing but a ridge, r(x) = (λ/2)‖x‖²;
// ok is false if it shares something else.
type Ridge interface {
	Ridge() (lambda float64, ok bool)
}

// LinearModeler is the optional ability of a finite sum to be a linear model. Linear returns nil if
// it is none.
type LinearModeler interface{ Linear() Linear }

// row is a row of a linear model.
type row struct {
	columns []int32
	values  []float64
}

// dot returns a'x.
func (a row) dot(x []float64) float64 {
	if a.columns == nil {
		return inner(a.values, x)
	}
	even, odd := 0.0, 0.0
	columns := a.columns[:len(a.values)]
	for e := 1; e < len(columns); e += 2 {
		even += a.values[e-1] * x[columns[e-1]]
		odd += a.values[e] * x[columns[e]]
	}
	if last := len(columns) - 1; last&1 == 0 {
		even += a.values[last] * x[columns[last]]
	}
	return even + odd
}

// addTo adds c·a to dst.
func (a row) addTo(dst []float64, c float64) {
	if a.columns == nil {
		axpy(dst, c, a.values)
		return
	}
	columns := a.columns[:len(a.values)]
	for e, v := range a.values {
		dst[columns[e]] += c * v
	}
}

func inner(a, x []float64) float64 {
	if len(a) > short {
		return floats.Dot(a, x)
	}
	s := 0.0
	for l, v := range a {
		s += v * x[l]
	}
	return s
}

// row returns the row of component i of a linear model.
func (o *Oracle) row(i int) row {
	columns, values := o.linear.Row(i)
	return row{columns, values}
}

// rowOf returns the row of batch[k], and asks for the one that is [prefetch.Ahead] places further;
// with the first row it asks for all before that one.
func (o *Oracle) rowOf(batch []int, k int) row {
	if k == 0 {
		for _, i := range batch[1:min(prefetch.Ahead, len(batch))] {
			o.row(i).prefetch()
		}
	}
	if next := k + prefetch.Ahead; next < len(batch) {
		o.row(batch[next]).prefetch()
	}
	return o.row(batch[k])
}

// prefetch asks for the row.
func (a row) prefetch() {
	prefetch.Slice(a.values)
	prefetch.Slice(a.columns)
}

// slope returns φ_i'(a_i'x), where a is the row of component i. It counts as a gradient.
func (o *Oracle) slope(i int, a row, x []float64) float64 { return o.slopeAt(i, a.dot(x)) }

// slopeAt returns φ_i'(u). It counts as a gradient.
func (o *Oracle) slopeAt(i int, u float64) float64 {
	o.took(i, 1)
	return o.tremor.One(o.linear.Slope(i, u))
}

// slopes is slope at two points. It counts as two gradients.
func (o *Oracle) slopes(i int, a row, x, y []float64) (float64, float64) {
	o.took(i, 2)
	return o.linear.Slope(i, a.dot(x)), o.linear.Slope(i, a.dot(y))
}
