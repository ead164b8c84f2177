package lowerbound

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"

	"sledge/props"
	"sledge/props/proptest"
)

// Values, gradients and Hessians of a ladder are each other's derivatives, but at the kinks of the
// Hessian.
func TestLadderDerivatives(t *testing.T) {
	proptest.Instances(t, 300, func(src *props.Source) {
		T, x := drawRungs(src)
		r := src.Rand("direction")
		u, y, g, h := make([]float64, T), make([]float64, T), make([]float64, T), make([]float64, T)
		for j := range u {
			u[j] = r.NormFloat64()
		}
		floats.Scale(1/floats.Norm(u, 2), u)
		along := func(t float64) []float64 { floats.AddScaledTo(y, x, t, u); return y }
		gradientOf(T, g, x)
		if got, want := slope(func(t float64) float64 { return value(T, along(t)) }),
			floats.Dot(g, u); math.Abs(got-want) > 0.02 {
			t.Errorf("slope of the values %v, of the gradient %v", got, want)
		}
		const far = 1e-2 // from every kink
		for _, v := range x {
			for _, kink := range []float64{-ladderWidth, 0, 0.5, 1, 1 + ladderWidth} {
				if math.Abs(v-kink) < far {
					return
				}
			}
		}
		clear(h)
		addHessian(T, h, x, u, 1, 1)
		for j := range h {
			got := slope(func(t float64) float64 { gradientOf(T, g, along(t)); return g[j] })
			if math.Abs(got-h[j]) > 1e-6 {
				t.Errorf("slope of entry %d of the gradient %v, of the Hessian %v", j, got, h[j])
			}
		}
	})
}

// The row sums of the Hessian come as near to their bound as its proof says.
func TestLadderRows(t *testing.T) {
	most := 0.0
	for v := -0.2; v < 1.3; v += 1e-3 {
		for _, between := range []float64{0.5 - 1e-9, 0.5 + 1e-9} {
			h := make([]float64, 3)
			row := 0.0
			for j := range 3 {
				u := make([]float64, 3)
				u[j] = 1
				clear(h)
				addHessian(ladder(3), h, []float64{0.5, between, v}, u, 1, 1)
				row += math.Abs(h[1])
			}
			most = max(most, row)
		}
	}
	if most > ladderSmooth || most < ladderSmooth-1e-2 {
		t.Errorf("the largest sum of a row is %v, its bound %v", most, ladderSmooth)
	}
}
