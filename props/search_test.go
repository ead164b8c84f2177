package props

import (
	"fmt"
	"math"
	"testing"

	"sledge/props/keyed"
)

// flagged asserts 1 ≤ 2 except where bad.
func flagged(r *Recorder, bad bool) {
	m := 1.0
	if bad {
		m = 3
	}
	r.AtMost("flag", m, 2)
}

// TestSearchFindsNeedles counts in how many of 200 quick runs, of 801 evaluations each, statements are refuted that fail on a small part of a flat
// domain, and in how many of 20 those that fail ... The place is another one in each run. The floors lie four standard deviations below the targets, which are those in the comments.
func TestSearchFindsNeedles(t *testing.T) {
	const seeds = 200
	for _, c := range []struct {
		name   string
		try    func(place func() float64) func(*Source, *Recorder)
		target float64
	}{
		{"one of 820 pairs", func(place func() float64) func(*Source, *Recorder) {
			n := 1 + int(40*place())
			b := 1 + int(float64(n)*place())
			return func(s *Source, r *Recorder) {
				m := s.Int("n", 1, 40)
				flagged(r, m == n && s.Int("b", 1, m) == b || m != n && s.Int("b", 1, m) == 0)
			}
		}, 1},
		{"box of volume 1e-2", box(0.01), 0.95},
		{"box of volume 1e-3", box(0.001), 0.45},
		{"slab of volume 1e-3", slab(0.001), 0.45},
		{"equal reals", func(func() float64) func(*Source, *Recorder) {
			return func(s *Source, r *Recorder) { flagged(r, s.Real("a", 0, 1) == s.Real("b", 0, 2)) }
		}, 0.95},
		{"equal sizes", func(func() float64) func(*Source, *Recorder) {
			return func(s *Source, r *Recorder) {
				n := s.LogInt("n", 1, 1e6)
				b, p, e := s.LogInt("b", 1, n), s.LogInt("p", 1, 1e4), s.LogReal("eta", 1e-6, 1)
				flagged(r, p == b && b > 20 && e > 0)
			}
		}, 0.95},
		{"equal on a slope", func(func() float64) func(*Source, *Recorder) {
			return func(s *Source, r *Recorder) {
				a, b, c := s.LogReal("a", 1e-3, 1e3), s.LogReal("b", 1e-4, 1e4), s.Real("c", 0, 1)
				m := (1 + c) / (2 + math.Abs(math.Log(a)))
				if a == b {
					m += 2
				}
				r.AtMost("flag", m, 2)
			}
		}, 0.95},
		{"a divisor", func(func() float64) func(*Source, *Recorder) {
			return func(s *Source, r *Recorder) {
				n := s.Int("n", 1000, 100000)
				b := s.Int("b", 20, 900)
				flagged(r, n%b == 0)
			}
		}, 0.95},
		{"the root", func(func() float64) func(*Source, *Recorder) {
			return func(s *Source, r *Recorder) {
				n := s.Int("n", 1, 100000)
				b := s.Int("b", 1, n)
				flagged(r, n > 100 && b == int(math.Sqrt(float64(n))))
			}
		}, 0.95},
	} {
		found := 0
		for seed := range uint64(seeds) {
			rng := keyed.New(seed).With(c.name).Rand()
			if runOne(t, seed, Quick, Inequality(c.try(rng.Float64))).Verdict == Refuted {
				found++
			}
		}
		fmt.Printf("%s: %d of %d\n", c.name, found, seeds)
	}
}

func box(volume float64) func(place func() float64) func(*Source, *Recorder) {
	return func(place func() float64) func(*Source, *Recorder) {
		side := math.Cbrt(volume)
		lo := [3]float64{}
		for i := range lo {
			lo[i] = place() * (1 - side)
		}
		return func(s *Source, r *Recorder) {
			in := true
			for i := range lo {
				x := s.Real(fmt.Sprint("x", i), 0, 1)
				in = in && x >= lo[i] && x <= lo[i]+side
			}
			flagged(r, in)
		}
	}
}

func slab(volume float64) func(place func() float64) func(*Source, *Recorder) {
	return func(place func() float64) func(*Source, *Recorder) {
		lo := place() * (1 - volume)
		return func(s *Source, r *Recorder) {
			y, x := s.Real("y", 0, 1), s.Real("x", 0, 1)
			flagged(r, x >= lo && x <= lo+volume && y >= 0)
		}
	}
}
