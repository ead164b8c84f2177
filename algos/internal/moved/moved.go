// Package moved changes the coordinates, the units and the names in which a problem is given, and
// with them the runs of methods that depend on none of these.
package moved

import (
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"sledge/algos"
)

// Change is x ↦ Q(x) + shift, f ↦ factor·f, and other names of the components.
type Change struct {
	Q      *mat.Dense // orthogonal; nil for the identity
	Shift  []float64  // nil for none
	Factor float64
	Names  []int // the new name of each component (client); nil for the same
}

func multiplied(q mat.Matrix, x []float64) []float64 {
	y := make([]float64, len(x))
	mat.NewVecDense(len(x), y).MulVec(q, mat.NewVecDense(len(x), x))
	return y
}

// rotated is Qx in memory of its own.
func (c Change) rotated(x []float64) []float64 {
	if c.Q == nil {
		return slices.Clone(x)
	}
	return multiplied(c.Q, x)
}

// Point maps a point to the new coordinates.
func (c Change) Point(x []float64) []float64 {
	y := c.rotated(x)
	if c.Shift != nil {
		floats.Add(y, c.Shift)
	}
	return y
}

// Estimator maps a gradient.
func (c Change) Estimator(v []float64) []float64 {
	y := c.rotated(v)
	floats.Scale(c.Factor, y)
	return y
}

// Randomness turns the noise along, and names the components; the data of a client keep their
// names.
func (c Change) Randomness(r algos.Randomness) algos.Randomness {
	return &algos.Altered{Randomness: r,
		Floats: func(dst []float64, _ algos.Purpose) { copy(dst, c.rotated(dst)) },
		Ints: func(dst []int, _ int, p algos.Purpose) {
			for k, i := range dst {
				if c.Names != nil && p != algos.LocalBatches {
					dst[k] = c.Names[i]
				}
			}
		}}
}

// Gradient is that of the changed problem.
func (c Change) Gradient(of func(dst, x []float64, i, j int)) func(dst, x []float64, i, j int) {
	return func(dst, x []float64, i, j int) {
		if c.Names != nil {
			i = slices.Index(c.Names, i)
		}
		y := slices.Clone(x)
		if c.Shift != nil {
			floats.Sub(y, c.Shift)
		}
		if c.Q != nil {
			y = multiplied(c.Q.T(), y)
		}
		g := make([]float64, len(x))
		of(g, y, i, j)
		copy(dst, c.Estimator(g))
	}
}
