package props

import (
	"fmt"
	"math"
	"testing"
)

// parameters draws d of them, each from 1e-6 to 1e6, as logarithms.
func parameters(s *Source, d int) []float64 {
	y := make([]float64, d)
	for i := range y {
		y[i] = math.Log(s.LogReal(fmt.Sprintf("a%d", i), 1e-6, 1e6))
	}
	return y
}

// ridge grows like a0^0.2 where the other parameters follow it, each with its own power, and falls
// off to all sides.
func ridge(s *Source) (measured, claimed float64) {
	y := parameters(s, 5)
	r := 0.2 * y[0]
	for i, c := range []float64{0.5, -1, 0.3, -0.7} {
		r -= math.Abs(y[i+1] - c*y[0])
	}
	return math.Exp(r), 1
}

// peak is at most 100 and 1 but for a neighbourhood of one point in 6 dimensions, whose width is a
// share of the range.
func peak(width float64) func(s *Source) (measured, claimed float64) {
	return func(s *Source) (float64, float64) {
		y := parameters(s, 6)
		r := 0.0
		for i, c := range []float64{0.83, -0.61, 0.92, 0.47, -0.88, 0.74} {
			r += sq((y[i]/math.Log(1e6) - c) / width)
		}
		return 1 + 99*math.Exp(-r), 1
	}
}

// TestOrderBattery poses statements with a hidden constant whose truth is known, over many seeds.
func TestOrderBattery(t *testing.T) {
	if testing.Short() {
		t.Skip("many seeds: seconds")
	}
	terms := func(s *Source) (n, b, zeta, eps float64) {
		return s.LogReal("n", 1, 1e12), s.LogReal("b", 1, 1e6), s.LogReal("ζ", 1e-8,
			1), s.LogReal("ε", 1e-8, 1)
	}
	complexity := func(n, b, zeta, eps float64) float64 { return n + max(zeta*math.Sqrt(n), b)/(eps*eps) }
	mutant := func(f func(n, b, zeta, eps float64) float64) func(*Source) (float64, float64) {
		return func(s *Source) (float64, float64) {
			n, b, zeta, eps := terms(s)
			return complexity(n, b, zeta, eps), complexity(n, b, zeta, eps) * f(n, b, zeta, eps)
		}
	}
	for _, c := range []struct {
		name     string
		formulas func(*Source) (float64, float64)
		never    Verdict
		want     Verdict
		rate     float64
	}{
		{"ridge", ridge, Proved, Refuted, 0.9},
		{"narrow peak", peak(0.05), Refuted, Consistent, 0.5},
		{"peak", peak(0.2), Refuted, Consistent, 0},
		{"broad peak", peak(0.5), Refuted, Consistent, 0},
		{"equal up to constants", func(s *Source) (float64, float64) {
			n, b, zeta, eps := terms(s)
			return complexity(n, b, zeta, eps), n + (zeta*math.Sqrt(n)+b)/(eps*eps)
		}, Refuted, Consistent, 0.95},
		{"weighted means", func(s *Source) (float64, float64) {
			y := parameters(s, 5)
			return math.Exp(0.2*y[0] + 0.3*y[1] + 0.1*y[2] +
				0.4*y[3]), math.Exp(y[0]) + math.Exp(y[1]) + math.Exp(y[2]) + math.Exp(y[3])
		}, Refuted, Consistent, 0.95},
		{"weighted means, weights above one", func(s *Source) (float64, float64) {
			y := parameters(s, 5)
			return math.Exp(0.3*y[0] + 0.3*y[1] + 0.1*y[2] +
				0.4*y[3]), math.Exp(y[0]) + math.Exp(y[1]) + math.Exp(y[2]) + math.Exp(y[3])
		}, Proved, Refuted, 0.95},
		{"logarithm", func(s *Source) (float64, float64) {
			return 1 + math.Log(s.LogReal("n", 1, 1e6)), 1
		}, Refuted,
			Inconclusive, 1},
		{"cube of a logarithm", func(s *Source) (float64, float64) {
			n := s.LogReal("n", 1, 1e6)
			return n * math.Pow(1+math.Log(n), 3), n
		}, Refuted, Inconclusive, 1},
		{"logarithm on one side", func(s *Source) (float64, float64) {
			n, b, zeta, eps := terms(s)
			return complexity(n, b, zeta, eps) *
				s.Logarithm("C_1", 1e3), complexity(n, b, zeta, eps)
		}, Refuted, Consistent, 1},
		{"claimed times a power of a logarithm, short by √b", func(s *Source) (float64, float64) {
			n, b, zeta, eps := terms(s)
			return complexity(n, b, zeta, eps), complexity(n, b, zeta, eps) / math.Sqrt(b) *
				math.Pow(s.Logarithm("C_1", 1e3), 6.5)
		}, Proved, Refuted, 1},
		{"claimed short by b^0.1", mutant(func(_, b, _, _ float64) float64 { return math.Pow(b, -0.2) }),
			Proved, Refuted,
			0.95},
		{"claimed short by √n", mutant(func(n, _, _, _ float64) float64 { return 1 / math.Sqrt(n) }), Proved,
			Refuted, 0.95},
		{"claimed short by √ε", mutant(func(_, _, _, eps float64) float64 { return math.Sqrt(eps) }), Proved,
			Refuted, 0.95},
		{"claimed short by ζ^½", mutant(func(_, _, zeta, _ float64) float64 {
			return math.Sqrt(zeta)
		}), Proved,
			Refuted,
			0.95},
		{"b for ζ√n", func(s *Source) (float64, float64) {
			n, b, zeta, eps := terms(s)
			return complexity(n, b, zeta, eps), n + b/(eps*eps)
		}, Proved, Refuted, 0.95},
		{"no n", func(s *Source) (float64, float64) {
			n, b, zeta, eps := terms(s)
			return complexity(n, b, zeta, eps), max(zeta*math.Sqrt(n), b) / (eps * eps)
		}, Proved, Refuted, 0.95},
	} {
		const runs = 30
		count := map[Verdict]int{}
		for seed := range uint64(runs) {
			r := runOne(t, seed, Quick, Order(c.formulas))
			if count[r.Verdict]++; r.Verdict == c.never || r.Verdict == Error {
				t.Errorf("%s, seed %d: %v (%s %s)", c.name, seed, r.Verdict, r.Err,
					r.Evidence[0].Note)
				break
			}
			if seed == 0 {
				t.Log(r.Evidence[0].Trials, r.Evidence[0].Note)
			}
		}
		if got := float64(count[c.want]) / runs; got < c.rate {
			t.Errorf("%s: %v in %.0f %% of the runs, want at least %.0f %%: %v", c.name,
				c.want, 100*got, 100*c.rate, count)
		}
		t.Log(c.name, count)
	}
}
