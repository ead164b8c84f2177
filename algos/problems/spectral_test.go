package problems

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Prescribed spectra are found, in low and in high dimension, also with many zeros, with clusters,
// and with blocks of very different sizes.
func TestEigenvalues(t *testing.T) {
	for _, d := range []int{1, 2, 3, 7, maxJacobi, maxJacobi + 1, 60} {
		for kind, value := range map[string]func(k int) float64{
			"spread":   func(k int) float64 { return math.Pow(-0.7, float64(k)) },
			"clusters": func(k int) float64 { return float64(k%3) - 1 },
			"low rank": func(k int) float64 { return float64(max(0, 2-k)) },
			"tiny":     func(k int) float64 { return math.Pow(10, -float64(10*k)) },
		} {
			want := make([]float64, d)
			lo, hi := math.Inf(1), math.Inf(-1)
			for k := range want {
				want[k] = value(k)
				lo, hi = min(lo, want[k]), max(hi, want[k])
			}
			a := withSpectrum(want, rand.New(rand.NewPCG(uint64(d), 2)))
			e := newEigen(d)
			gotLo, gotHi := e.spectrum(a)
			if gotLo > lo+1e-14 || gotHi < hi-1e-14 {
				t.Errorf("%s, d = %d: [%v, %v] does not contain [%v, %v]", kind, d, gotLo,
					gotHi, lo, hi)
			}
			near(t, kind+": smallest", gotLo, lo, norm(want), 1e-12)
			near(t, kind+": largest", gotHi, hi, norm(want), 1e-12)
			values, vectors := e.decompose(a)
			for k, v := range values {
				residual := make([]float64, d)
				addProduct(residual, a, vectors[k])
				addScaled(residual, -v, vectors[k])
				near(t, kind+": residual", norm(residual), 0, norm(want), 1e-13)
				near(t, kind+": unit vector", norm(vectors[k]), 1, 1, 1e-13)
			}
		}
	}
	// a matrix that is nearly diagonal with entries at the end of the range of floating-point
	// numbers
	d := maxJacobi + 5
	a := make([]float64, d*d)
	a[0] = 2
	for k := 1; k < d; k++ {
		a[k*d+k] = 1e-160
		a[k*d+k-1], a[(k-1)*d+k] = 1e-170, 1e-170
	}
	if lo, hi := newEigen(d).spectrum(a); math.Abs(lo) > 1e-12 || math.Abs(hi-2) > 1e-12 {
		t.Errorf("ends %v, %v, want 0 and 2", lo, hi)
	}
}

// Deviations are as far apart as they should be, and that ζ is known from how they were made gives
// what a search of all pairs of Hessians finds.
func TestDiameterOfDeviations(t *testing.T) {
	for p := range patterns {
		for _, d := range []int{1, 2, 5, 10} {
			for n := 2; n <= 9; n++ {
				h := Heterogeneity{Pattern: p, Hessian: 0.3}
				if p == None {
					h.Hessian = 0
				}
				q, err := Make(OneEach(n), QuadraticMean{Spectrum: powers(2, 100, d), Between: h},
					rand.New(rand.NewPCG(uint64(n), uint64(d))))
				if err != nil {
					t.Fatal(err)
				}
				c, e, far := q.engine.(*composite), newEigen(d), 0.0
				for _, a := range c.part.items() {
					for _, b := range c.part.items() {
						far = e.larger(far, a, b, nil, nil)
					}
				}
				near(t, p.String()+": distance", far, h.Hessian, 1, 1e-12)
				known := c.certify(false).Zeta
				if near(t, p.String()+": ζ", known.Value, far, 1, 2e-14*float64(d)); !known.Exact {
					t.Errorf("%v, d = %d, n = %d: ζ is said not to be exact", p, d, n)
				}
			}
		}
	}
}

// spectrum returns bounds on the smallest and largest eigenvalue of a.
func (e *eigen) spectrum(a []float64) (lo, hi float64) {
	none := math.Inf(-1)
	return -e.extreme(none, a, -1), e.extreme(none, a, 1)
}
