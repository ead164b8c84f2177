// Package num is the arithmetic that the packages of results share.
package num

import (
	"gonum.org/v1/gonum/floats"

	"sledge/props"
)

// Split returns the rows of an n×d matrix that lie one after the other.
func Split[T any](all []T, n, d int) [][]T {
	out := make([][]T, n)
	for i := range out {
		out[i] = all[i*d : (i+1)*d : (i+1)*d]
	}
	return out
}

// NormSq returns ‖v‖².
func NormSq(v []float64) float64 { return floats.Dot(v, v) }

// Larger returns the larger of size and c·‖v‖, which it computes only where it may be the larger
// one.
func Larger(size, c float64, v []float64) float64 {
	if c*c*NormSq(v) < 0.999*size*size {
		return size
	}
	return max(size, c*floats.Norm(v, 2))
}

// DistSq returns ‖a − b‖².
func DistSq(a, b []float64) float64 {
	s := 0.0
	for k, v := range a {
		s += (v - b[k]) * (v - b[k])
	}
	return s
}

// Squared returns ‖v‖² of a vector computed from gradients of norm up to size, or 0 where that is
// nothing but rounding: below (1e-12)² of the size.
func Squared(v []float64, size float64) float64 {
	s := NormSq(v)
	if s < Rounding(size)*props.RoundingBand {
		return 0
	}
	return s
}

// Rounding is the scale of squares of such vectors: [props.RoundingBand] of it is the square of
// 1e-12 of the size.
func Rounding(size float64) float64 { return size * size * 1e-24 / props.RoundingBand }

// Sq returns x².
func Sq(x float64) float64 { return x * x }
