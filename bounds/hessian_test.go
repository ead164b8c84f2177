package bounds

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// ripple is f(x) = cos(x_0 + 2x_1): gradient −sin(·)(1, 2).
func ripple(dst, x, u []float64) {
	c := -math.Cos(x[0]+2*x[1]) * (u[0] + 2*u[1])
	dst[0], dst[1] = c, 2*c
}

func TestSegmentIntegratesTheGradientDifference(t *testing.T) {
	for pieces, b := range map[int][]float64{1: {-0.9, 0.7}, 3: {-0.9, 0.7}, 12: {20, -31}} {
		a := []float64{0.3, -0.2}
		diff := []float64{b[0] - a[0], b[1] - a[1]}
		got := times(product(ripple).along(a, b, pieces), diff)
		s := math.Sin(a[0]+2*a[1]) - math.Sin(b[0]+2*b[1])
		if floats.Distance(got, []float64{s, 2 * s}, 2) > 1e-13 {
			t.Errorf("%d pieces: got %v, want %v", pieces, got, []float64{s, 2 * s})
		}
	}
}

func TestSpectrum(t *testing.T) {
	h := mat.NewSymDense(2, []float64{1, 2, 2, 1}) // eigenvalues −1 and 3
	values, e := spectrum(h)
	if math.Abs(values[0]+1) > 1e-14 || math.Abs(e[0]+e[1]) > 1e-14 ||
		math.Abs(floats.Norm(e, 2)-1) > 1e-14 {
		t.Errorf("eigenvalues %v, e %v", values, e)
	}
	if got := spectralNorm(h); math.Abs(got-3) > 1e-14 {
		t.Errorf("norm %v", got)
	}
}
