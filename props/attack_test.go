package props

import (
	"fmt"
	"math"
	"testing"
)

// valley is an ill-conditioned quadratic in rotated coordinates with its minimum 0 at 0.37 in every
// coordinate.
func valley(x []float64) float64 {
	s := 0.0
	for i := range x {
		v := 0.0
		for j := range x {
			v += math.Cos(float64(i*j+i+1)) * (x[j] - 0.37)
		}
		s += math.Pow(10, 3*float64(i)/float64(len(x)-1)) * v * v
	}
	return s
}

func valleyClaim(dim int, depth float64) func(*Source, *Recorder) {
	return func(s *Source, r *Recorder) {
		x := make([]float64, dim)
		for i := range x {
			x[i] = s.Real(fmt.Sprint("x", i), 0, 1)
		}
		r.AtMost("valley", 1+depth-valley(x)/100, 1)
	}
}

// TestAttackFindsSmallRegions counts in how many of 20 runs the quick tier refutes statements that
// fail only in a small region. Even draws alone find none of them reliably. The counts are lower
// limits with some room; they guard against a search that has lost its edge.
func TestAttackFindsSmallRegions(t *testing.T) {
	seeds := few(20)
	for _, c := range []struct {
		name  string
		try   func(*Source, *Recorder)
		least int // of 20
	}{
		{"bump of volume 3e-5", func(s *Source, r *Recorder) {
			a, b := s.Real("a", 0, 1), s.Real("b", 0, 1)
			r.AtMost("m", 1.00001-((a-.3)*(a-.3)+(b-.7)*(b-.7)), 1)
		}, 20},
		{"curved valley", func(s *Source, r *Recorder) {
			x, y := s.Real("x", -2, 2), s.Real("y", -2, 2)
			r.AtMost("m", 1.00001-(100*(y-x*x)*(y-x*x)+(1-x)*(1-x))/1000, 1)
		}, 20},
		{"straight valley, 4 dimensions", valleyClaim(4, 0.001), 17},
		{"straight valley, 7 dimensions", valleyClaim(7, 0.01), 14},
		{"integers and a ridge", func(s *Source, r *Recorder) {
			n := s.Int("n", 1, 40)
			b := s.Int("b", 1, n)
			e := s.LogReal("eta", 1e-4, 1e2)
			r.AtMost("m", 1.001-math.Pow(float64(b)/float64(n)-0.5,
				2)-math.Pow(math.Log(e*float64(n)), 2)/50-math.Pow(float64(n)-17, 2)/1000, 1)
		}, 19},
		{"lucky stream and a ridge", func(s *Source, r *Recorder) {
			g, sum := s.Rand("g"), 0.0
			for range 5 {
				sum += g.NormFloat64()
			}
			r.AtMost("m", sum/5+1-math.Pow(s.Real("e", 0, 10)-3, 2), 2)
		}, 12},
		{"beside a degenerate equality", func(s *Source, r *Recorder) {
			x, y := s.Real("x", 0, 1), s.Real("y", 0, 1)
			r.AtMost("m", x*y*(1.0001-math.Pow(x-0.61, 2)-math.Pow(y-0.27, 2)), x*y)
		}, 18},
	} {
		found := 0
		for seed := range uint64(seeds) {
			if runOne(t, seed, Quick, Inequality(c.try)).Verdict == Refuted {
				found++
			}
		}
		if found < c.least*seeds/20 {
			t.Errorf("%s: found in %d of %d runs, expected at least %d", c.name, found,
				seeds, c.least*seeds/20)
		}
		t.Logf("%s: %d of %d", c.name, found, seeds)
	}
}
