package lowerbound

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"sledge/props"
	"sledge/props/proptest"
)

// The five-point formula for a derivative from values.
func slope(f func(t float64) float64) float64 {
	const h = 1e-3
	return (f(-2*h) - 8*f(-h) + 8*f(h) - f(2*h)) / (12 * h)
}

// gradientOf sets dst to ∇f(x).
func gradientOf(T links, dst, x []float64) {
	clear(dst)
	addGradient(T, dst, x, 1, 1)
}

func TestChainDerivatives(t *testing.T) {
	proptest.Instances(t, 300, func(src *props.Source) {
		T, x := drawChainPoint(src, 1, 6)
		r := src.Rand("direction")
		u, y, g, h := make([]float64, T), make([]float64, T), make([]float64, T), make([]float64, T)
		for j := range u {
			u[j] = r.NormFloat64()
		}
		floats.Scale(1/floats.Norm(u, 2), u)
		along := func(t float64) []float64 { floats.AddScaledTo(y, x, t, u); return y }
		gradientOf(T, g, x)
		if got, want := slope(func(t float64) float64 { return value(T, along(t)) }), floats.Dot(g,
			u); math.Abs(got-want) > 1e-5 {
			t.Errorf("slope of the values %v, of the gradient %v", got, want)
		}
		addHessian(T, h, x, u, 1, 1)
		for j := range h {
			got := slope(func(t float64) float64 { gradientOf(T, g, along(t)); return g[j] })
			if math.Abs(got-h[j]) > 1e-4 {
				t.Errorf("slope of entry %d of the gradient %v, of the Hessian %v", j, got, h[j])
			}
		}
	})
}

// psi near its kink: no NaN where 1/(2x−1)² overflows, and nothing below 1/2.
func TestPsiAtOneHalf(t *testing.T) {
	for _, x := range []float64{-3, 0, 0.5, math.Nextafter(0.5, 1), 0.5 + 1e-9, 0.51} {
		v, d1, d2 := psi(x)
		if x <= 0.51 && (v > 1e-100 || d1 > 1e-100 || d2 > 1e-100 || v < 0 || v != v || d1 != d1 ||
			d2 != d2) {
			t.Errorf("Ψ(%v) = %v with derivatives %v, %v", x, v, d1, d2)
		}
	}
	if v, _, _ := psi(1); v != 1 {
		t.Errorf("Ψ(1) = %v", v)
	}
	if v, d := phi(1), phiSlope(1); math.Abs(d-1) > 1e-15 ||
		math.Abs(v-math.Sqrt(2*math.Pi*math.E)*0.8413447460685429) > 1e-14 {
		t.Errorf("Φ(1) = %v, Φ'(1) = %v", v, d)
	}
}

// The suprema behind 152, 23 and the bound on third derivatives, from the closed forms of their
// arguments: with s = 1/(2x−1)², Ψ″ is extremal where 16s² − 72s + 48 = 0. Third derivatives are
// bounded from a grid.
func TestRowSums(t *testing.T) {
	second := 0.0
	for _, s := range []float64{(9 + math.Sqrt(33)) / 4, (9 - math.Sqrt(33)) / 4} {
		_, _, d2 := psi(0.5 + 0.5/math.Sqrt(s))
		second = max(second, math.Abs(d2))
	}
	first := math.Sqrt(54 / math.E)
	top, steep := math.Sqrt(2*math.Pi*math.E), math.Sqrt(math.E)
	if sum := second*top + math.E + 2*first*steep; sum > chainSmooth || sum < chainSmooth-1 {
		t.Errorf("row sum of the Hessian %v, constant %v", sum, chainSmooth)
	}
	if sum := math.E*steep + first*top; sum > chainGradient || sum < chainGradient-1 {
		t.Errorf("entry of the gradient %v, constant %v", sum, chainGradient)
	}
	third := 0.0
	for x := 0.5; x < 4; x += 1e-5 {
		third = max(third,
			math.Abs(slope(func(t float64) float64 { _, _, d2 := psi(x + t/10); return d2 })*10))
	}
	if sum := third*top + math.E*steep + 3*second*steep + 3*first; sum > chainThirdNorm ||
		sum < chainThirdNorm-5 {
		t.Errorf("row sum of the third derivatives %v, constant %v", sum, chainThirdNorm)
	}
}

func TestNorm(t *testing.T) {
	a := mat.NewSymDense(3, []float64{1, 2, 0, 2, -5, 1e-200, 0, 1e-200, 1e-180})
	got := norm(3, func(dst, u []float64) { mat.NewVecDense(3, dst).MulVec(a, mat.NewVecDense(3, u)) })
	if want := 2 + math.Sqrt(13); math.Abs(got-want) > 1e-14 {
		t.Errorf("norm %v, want %v", got, want)
	}
	if got := norm(2, func(dst, u []float64) { clear(dst) }); got != 0 {
		t.Errorf("norm of zero is %v", got)
	}
}
