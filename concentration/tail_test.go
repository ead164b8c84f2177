package concentration_test

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"sledge/concentration"
	"sledge/props/enclosure"
)

// logUpper compares the fast logarithm of a tail with the certified tail.
func logUpper(t *testing.T, population, marked, sample, x int) {
	t.Helper()
	got := concentration.HypergeometricLogUpper(population, marked, sample, x)
	tail := concentration.EncloseHypergeometric(population, marked, sample, x)
	if tail.Sign() <= 0 {
		if !math.IsInf(got, -1) {
			t.Errorf("log P(N ≥ %d) = %v for %d of %d marked and %d drawn, want −Inf", x,
				got, marked, population, sample)
		}
		return
	}
	want, _ := tail.Log().Float64()
	if math.Abs(got-want) > 1e-13*max(1, math.Abs(want)) &&
		math.Abs(got-want) > 1e-13*math.Abs(math.Expm1(want)) {
		t.Errorf("log P(N ≥ %d) = %v for %d of %d marked and %d drawn, in certified arithmetic %v",
			x, got, marked, population, sample, want)
	}
}

func TestHypergeometricLogUpper(t *testing.T) {
	for population := range 13 { // all small cases
		for marked := range population + 1 {
			for sample := range population + 1 {
				exact := concentration.ExactHypergeometric(population, marked, sample)
				for x := -1; x <= population+1; x++ {
					got := math.Exp(concentration.HypergeometricLogUpper(population, marked,
						sample, x))
					if want := asFloat(exact.Upper(int64(x))); math.Abs(got-want) > 1e-14*want {
						t.Errorf("P(N ≥ %d) = %v for %d of %d marked and %d drawn, exactly %v", x,
							got, marked, population, sample,
							want)
					}
				}
			}
		}
	}
	for _, population := range []int{100, 1000, 30_000, 1_000_000, 1 << 24} { // a wide grid
		for _, part := range [][2]float64{{1e-5, 1e-4}, {1e-3, 0.5}, {0.01, 0.01}, {0.1, 0.3},
			{0.5, 0.5}, {0.9, 0.2},
			{0.97, 0.9}} {
			marked, sample := max(1, int(part[0]*float64(population))),
				max(1, int(part[1]*float64(population)))
			mean := float64(marked) * float64(sample) / float64(population)
			deviation := math.Sqrt(mean*(1-float64(marked)/float64(population))) + 1
			for _, far := range []float64{-30, -6, -1, 0, 0.3, 1, 2.5, 7, 38, 200} {
				logUpper(t, population, marked, sample, int(mean+far*deviation))
			}
			logUpper(t, population, marked, sample, min(marked, sample))
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		population := int(math.Exp2(rapid.Float64Range(1, 24).Draw(rt, "bits")))
		marked := int(rapid.Float64Range(0, 1).Draw(rt, "marked") * float64(population))
		sample := int(rapid.Float64Range(0, 1).Draw(rt, "sample") * float64(population))
		mean := float64(marked) / float64(population) * float64(sample)
		logUpper(t, population, marked, sample,
			int(mean+rapid.Float64Range(-8, 40).Draw(rt, "far")*math.Sqrt(mean)))
	})
}

// The tail of large populations with 600 bits: the first term multiplied out, the others from their
// quotients.
func TestEnclosedTailsOfLargePopulations(t *testing.T) {
	const bits = 600
	number := func(n int) *big.Float { return new(big.Float).SetPrec(bits).SetInt64(int64(n)) }
	falling := func(n, k int) *big.Float { // n(n−1)…(n−k+1)
		product := number(1)
		for i := range k {
			product.Mul(product, number(n-i))
		}
		return product
	}
	for _, c := range [][4]int{{1_000_000, 1000, 5000, 5}, {1_000_000, 1000, 5000, 25},
		{1_000_000, 5000, 500_000, 2510},
		{1_000_000, 5000, 500_000, 2490}, {1 << 31, 1 << 30, 1 << 12, 2100},
		{100_000, 700, 99_000, 690},
		{1 << 31, 1<<31 - 1, 7, 7}, {40_000, 20_000, 300, 149}, {1_000_000, 999_999, 3, 2}} {
		population, marked, sample, x := c[0], c[1], c[2], c[3]
		small, large := min(marked, sample), max(marked, sample)
		term := falling(large, x)
		term.Mul(term, falling(population-large, small-x)).Mul(term, falling(small, x))
		term.Quo(term, falling(population, small)).Quo(term, falling(x, x))
		sum := number(0)
		for i := x; i <= small; i++ {
			sum.Add(sum, term)
			term.Mul(term, number((marked-i)*(sample-i)))
			term.Quo(term, number((i+1)*(population-marked-sample+i+1)))
		}
		within(t, fmt.Sprint(c), concentration.EncloseHypergeometric(population, marked, sample, x),
			sum)
	}
}

func within(t *testing.T, what string, a enclosure.Interval, v *big.Float) {
	t.Helper()
	r, _ := v.Rat(nil)
	width := new(big.Rat).Sub(a.Upper(), a.Lower())
	if a.Lower().Cmp(r) > 0 || a.Upper().Cmp(r) < 0 {
		t.Errorf("%s: the enclosure misses %v", what, v)
	}
	if w, _ := width.Quo(width, r).Float64(); w > 1e-19 {
		t.Errorf("%s: relative width %g", what, w)
	}
}

// tails are the cases of the benchmarks: a population of a million, from the middle to far out.
var tails = []struct{ marked, sample, x int }{
	{1000, 5000, 5}, {1000, 5000, 30}, {10_000, 10_000, 150}, {200_000, 1000, 300},
	{500_000, 500_000, 250_010},
}

func BenchmarkHypergeometricLogUpper(b *testing.B) {
	for _, c := range tails {
		b.Run(fmt.Sprint(c.marked, c.sample, c.x), func(b *testing.B) {
			for b.Loop() {
				concentration.HypergeometricLogUpper(1_000_000, c.marked, c.sample, c.x)
			}
		})
	}
}

func BenchmarkEncloseHypergeometric(b *testing.B) {
	for _, c := range tails {
		b.Run(fmt.Sprint(c.marked, c.sample, c.x), func(b *testing.B) {
			for b.Loop() {
				concentration.EncloseHypergeometric(1_000_000, c.marked, c.sample, c.x)
			}
		})
	}
}
