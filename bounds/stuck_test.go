package bounds

import (
	"math"
	"testing"

	"sledge/props/formula"
)

// TestUnsampledSpread compares the closed sum of pair-third-term, U = Σ_k E|Ĩ|(n − |Ĩ|)/(n − 1)
// over k minibatches, of which a pair of indices is left out with probability (1 − x)^k, with the
// law of |Ĩ| after k batches, stepped as a Markov chain of hypergeometric transitions.
func TestUnsampledSpread(t *testing.T) {
	choose := func(n, k int) float64 {
		if k < 0 || k > n {
			return 0
		}
		c := 1.0
		for i := range k {
			c *= float64(n-i) / float64(i+1)
		}
		return c
	}
	symbols := Symbols("induction")
	for _, size := range [][3]int{{2, 1, 1}, {5, 2, 3}, {9, 4, 6}, {12, 1, 20}} {
		n, b, K := size[0], size[1], size[2]
		law, want := make([]float64, n+1), 0.0
		law[n] = 1
		for range K {
			next := make([]float64, n+1)
			for m, p := range law {
				for drawn := range min(m, b) + 1 {
					next[m-drawn] += p * choose(m, drawn) * choose(n-m, b-drawn) / choose(n, b)
				}
			}
			law = next
			for m, p := range law {
				want += p * float64(m*(n-m)) / float64(n-1)
			}
		}
		x := formula.Must(symbols, "b/n + (1 − b/n)b/(n − 1)").Of("n", "b").At(float64(n),
			float64(b))
		spread := formula.Must(symbols,
			"n((1 − b/n)(1 − (1 − b/n)^T)n/b − (1 − x)(1 − (1 − x)^T)/x)").
			Of("n", "b", "T", "x")
		if got := spread.At(float64(n), float64(b), float64(K),
			x); math.Abs(got-want) > 1e-12*want {
			t.Errorf("n=%d b=%d K=%d: %v, want %v", n, b, K, got, want)
		}
	}
}

func TestBallBelow(t *testing.T) {
	for x := -1.0; x <= 1; x += 0.125 {
		for d, want := range map[int]float64{1: (1 + x) / 2, 3: (2 + 3*x - x*x*x) / 4} {
			if got := ballBelow(d, x); math.Abs(got-want) > 1e-14 {
				t.Errorf("d=%d x=%v: %v, want %v", d, x, got, want)
			}
		}
	}
}

// TestProofConstants checks that the constants meet every condition that the repaired steps put on
// C_b.
func TestProofConstants(t *testing.T) {
	for _, c1 := range []float64{4, 7, 30} {
		for _, x := range []float64{2, 50, 1e9} {
			for _, u := range []float64{1, 0.1, 1e-4} {
				logX := math.Log(x)
				horizon := stuckCd * logX / u
				errors, cc := stepErrors(c1), pairCc(c1)
				constant := proofConstant(errors, logX, horizon)
				for name, need := range map[string]float64{
					"Hessian sum": 8 * stuckCd * logX,
					"error sum":   12 * math.Sqrt(c1) * cc * stuckCd * logX,
					"increments":  (u*horizon + 1 + math.Log(horizon)) * (2 + 3*math.Sqrt(c1)*cc),
				} {
					if constant < need*(1-1e-12) {
						t.Errorf("C1=%v R/r_e=%v ηγ=%v: C_b = %v, %s needs %v", c1, x, u, constant,
							name, need)
					}
				}
			}
		}
	}
}
