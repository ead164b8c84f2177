package problems

import (
	"math"
	"testing"
)

var scalars = []*scalar{square, sine, cosine, doubleWell(0.5), doubleWell(1), doubleWell(7),
	logistic, gemanMcClure, welsch, tukey, cauchy}

// Derivatives are derivatives, and every constant of a scalar function is respected everywhere and
// reached somewhere.
func TestScalars(t *testing.T) {
	for _, s := range scalars {
		t.Run(s.name, func(t *testing.T) {
			lo, hi, slope, third, least, mu := math.Inf(1), math.Inf(-1), 0.0, 0.0, math.Inf(1),
				math.Inf(1)
			visit := func(v float64) {
				const h = 1e-5
				c := s.ddf(v)
				near(t, "derivative", (s.f(v+h)-s.f(v-h))/(2*h), s.df(v), 1+math.Abs(v)*10, 2e-9)
				// the remainder at a kink
				near(t, "second derivative", (s.df(v+h)-s.df(v-h))/(2*h), c, 1+math.Abs(v),
					1e-6+h*s.third)
				third = max(third, math.Abs(s.ddf(v+h)-s.ddf(v-h))/(2*h), math.Abs(s.ddf(v+h)-c)/h)
				lo, hi, slope, least = min(lo, c), max(hi, c), max(slope, math.Abs(s.df(v))),
					min(least, s.f(v))
				if gap := s.f(v) - s.least; gap > 1e-12 {
					mu = min(mu, s.df(v)*s.df(v)/(2*gap))
				}
			}
			for v := -60.0; v <= 60; v += 0.0037 {
				visit(v)
			}
			for _, v := range append([]float64{0}, s.corners...) {
				visit(v)
				visit(-v)
			}
			for _, v := range []float64{1e30, 1e160, 1e300} {
				for _, d := range []float64{s.df(v), s.ddf(v), s.df(-v), s.ddf(-v)} {
					if math.IsNaN(d) {
						t.Errorf("not a number at %v", v)
					}
				}
			}
			near(t, "smallest curvature", lo, s.curvLo, 1, 1e-9)
			near(t, "largest curvature", hi, s.curvHi, 1, 1e-9)
			near(t, "third derivative", third, s.third, 1+s.third, 3e-5)
			near(t, "infimum", least, s.least, 1, 1e-9)
			if math.IsInf(s.slope, 1) {
				if slope < 10 {
					t.Errorf("slope at most %v, certified as unbounded", slope)
				}
			} else {
				near(t, "slope", slope, s.slope, 1, 1e-9)
			}
			if s.mu > 0 {
				near(t, "PL constant", mu, s.mu, 1, 1e-8)
			} else if mu > 1e-3 {
				t.Errorf("PL constant %v, but none certified", mu)
			}
		})
	}
}

// sineMu is certified by subdivision: on each cell the function f'² − 2μf is bounded below by its
// Taylor expansion of first order and a bound on its second derivative. Near 0 and far away it is
// positive by inspection.
func TestSineMuIsCertified(t *testing.T) {
	if sineMu <= karimiMu {
		t.Fatal("the best constant is below the published one")
	}
	const start, end = 0.1, 10.0
	// |v| ≤ 0.1: f' ≥ (2+6cos 0.2)v ≥ 7.8v and f ≤ 4v². |v| ≥ 10: |f'| ≥ 2|v|−3 and f ≤ v²+3.
	if !(7.8*7.8 >= 2*sineMu*4) || !(math.Pow(2*end-3, 2) >= 2*sineMu*(end*end+3)) {
		t.Fatal("the ends are not certified")
	}
	// bound on the second derivative 2f''² + 2f'f''' − 2μf''
	const bend = 2*8*8 + 2*(2*end+3)*12 + 2*sineMu*8
	cells := 0
	for stack := [][2]float64{{start, end}}; len(stack) > 0; {
		lo, hi := stack[len(stack)-1][0], stack[len(stack)-1][1]
		stack = stack[:len(stack)-1]
		m, h := (lo+hi)/2, (hi-lo)/2
		g := sine.df(m)*sine.df(m) - 2*sineMu*sine.f(m)
		dg := 2 * sine.df(m) * (sine.ddf(m) - sineMu)
		if g-math.Abs(dg)*h-bend*h*h/2 >= 1e-12 {
			continue
		}
		if cells++; cells > 1e6 || g < 0 {
			t.Fatalf("no certificate at v = %v: f'² − 2μf = %v", m, g)
		}
		stack = append(stack, [2]float64{lo, m}, [2]float64{m, hi})
	}
}

// karimiMu is the PL constant stated for v² + 3 sin²v by Karimi, Nutini and Schmidt, Linear
// convergence of gradient and proximal-gradient methods under the Polyak-Łojasiewicz condition,
// ECML 2016, section 2.2.
const karimiMu = 1.0 / 32
