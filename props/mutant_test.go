package props

import (
	"math"
	"math/big"
	"slices"
	"testing"
)

// A mutant makes every kind of statement wrong where it is stronger, and nothing of a bound where
// it is weaker.
func TestMutants(t *testing.T) {
	even := func(src *Source, rec *Recorder) {
		n := src.Int("n", 2, 30)
		rec.AtMost("2n ≤ n²", float64(2*n),
			float64(n*n)).Exactly(func() (*big.Rat, *big.Rat) {
			return big.NewRat(int64(2*n), 1),
				big.NewRat(int64(n*n), 1)
		})
		rec.AtLeast("n² ≥ 2n", float64(n*n), float64(2*n))
		rec.AtLeast("−2n ≥ −n²", float64(-2*n), float64(-n*n))
		rec.AtMost("−n² ≤ −2n", float64(-n*n), float64(-2*n))
	}
	same := func(src *Source, rec *Recorder) {
		n := src.Int("n", 2, 30)
		rec.Equal("n + n", float64(n+n), float64(2*n))
		rec.EqualVectors("(n)", []float64{float64(n)}, []float64{float64(n)})
		rec.Rats("2n/2", big.NewRat(int64(2*n), 2), EQ, big.NewRat(int64(n), 1))
	}
	times := func(f float64) Mutant { return Mutant{Strength: f} }
	power := func(p float64) Mutant { return Mutant{Parameter: "n", Power: p} }
	for _, c := range []struct {
		name   string
		check  Check
		mutant Mutant
		noted  int // groups of evidence that are refuted
	}{
		{"stronger inequalities", Inequality(even), times(1.01), 4},
		{"weaker inequalities", Inequality(even), times(0.5), 0},
		{"stronger exponents", Inequality(even), power(0.5), 4},
		{"weaker exponents", Inequality(even), power(-1), 0},
		{"a lost logarithm", Inequality(even),
			Mutant{Parameter: "n", Power: 1, Logarithm: true}, 4},
		{"a logarithm too many", Inequality(even),
			Mutant{Parameter: "n", Power: -1, Logarithm: true}, 0},
		{"stronger identities", Identity(same), times(1.01), 3},
		{"weaker identities", Identity(same), times(0.99), 3},
		{"another parameter", Identity(same), Mutant{Parameter: "m", Power: 1}, 0},
		{"exact", Exact("all", func(rec *Recorder) {
			rec.Rats("1/3", big.NewRat(1, 3), LE, big.NewRat(1, 3))
		}),
			times(1.25), 1},
		{"exact and weaker", Exact("all", func(rec *Recorder) {
			rec.Rats("1/3", big.NewRat(1, 3), LE, big.NewRat(1, 3))
		}),
			times(0.75), 0},
		{"truths have no factor", Exact("all", func(rec *Recorder) { rec.Truth("1 < 2", true) }),
			times(2), 0},
		{"orders", Order(func(s *Source) (float64, float64) { n := s.LogReal("n", 1, 1e6); return n, n }),
			power(0.5), 1},
		{"orders up to a constant", Order(func(s *Source) (float64, float64) {
			n := s.LogReal("n", 1, 1e6)
			return n, n
		}),
			times(10), 0},
		{"tails", uniformTail(0.9), times(2), 1},
		{"probabilities", uniformTail(0.9), Mutant{Delta: 0.25}, 1},
		{"means", powerMean(0.5, LE, 1), times(2), 1},
		{"laws", powerLaw(1), times(2), 1},
	} {
		r := runOne(t, 1, Quick, c.mutant.Of(Claim{Check: c.check}, 1).Check)
		refuted := 0
		for _, e := range r.Evidence {
			if e.outcome == Refuted {
				refuted++
			}
		}
		if r.Err != "" || refuted != c.noted {
			t.Errorf("%s, %v: %d refuted, want %d: %v %s", c.name, c.mutant, refuted, c.noted,
				r.Verdict, r.Err)
		}
	}
}

// The factor of a mutant is exact wherever the numbers are.
func TestMutantsOfExactNumbers(t *testing.T) {
	third := func(rec *Recorder) {
		rec.Rats("1/3", big.NewRat(1, 3), LE, big.NewRat(2, 3))
	}
	for strength, want := range map[float64]Verdict{2: Proved, math.Nextafter(2, 3): Refuted} {
		r := runOne(t, 0, Quick, Mutant{Strength: strength}.Of(Claim{Check: Exact("1/3", third)},
			1).Check)
		if r.Verdict != want {
			t.Errorf("2/3 divided by %v against 1/3: %v, want %v", strength, r.Verdict, want)
		}
	}
}

func TestParametersOfAClaim(t *testing.T) {
	c := Claim{Check: All(Inequality(func(s *Source, rec *Recorder) {
		s.LogInt("n", 1, 100)
		s.Real("share", 0.9, 1)
		s.Real("x", -1, 1)
		s.Pick("law", "a", "b")
		s.Rand("matrix")
		rec.AtMost("a", s.LogReal("b", 1e-3, 1), 1)
	}), uniformTail(1))}
	if got := Parameters(&c); !slices.Equal(got, []string{"b", "delta", "n"}) {
		t.Errorf("%q", got)
	}
}
