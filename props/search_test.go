package props

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

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

// TestSearchFindsNeedles counts in how many of 200 quick runs, of 801 evaluations each, statements
// are refuted that fail on a small part of a domain only, where nothing leads to it; the part is
// another one in each run where it has a place. A search that finds them as often as the target
// says fails here with probability below 1e-4.
func TestSearchFindsNeedles(t *testing.T) {
	seeds := few(200)
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
				c := s.Int("b", 1, m)
				flagged(r, m == n && c == b)
			}
		}, 0.9999},
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
		}, 0.8},
	} {
		found := 0
		for seed := range uint64(seeds) {
			rng := keyed.New(seed).With(c.name).Rand()
			if runOne(t, seed, Quick, Inequality(c.try(rng.Float64))).Verdict == Refuted {
				found++
			}
		}
		if binomialAtMost(found, seeds, c.target) < 1e-4 {
			t.Errorf("%s: found in %d of %d runs, which is less than a share of %v", c.name, found,
				seeds, c.target)
		}
		t.Logf("%s: %d of %d", c.name, found, seeds)
	}
}

// box has its place anywhere in the unit cube.
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

// slab depends on one of two numbers.
func slab(volume float64) func(place func() float64) func(*Source, *Recorder) {
	return func(place func() float64) func(*Source, *Recorder) {
		lo := place() * (1 - volume)
		return func(s *Source, r *Recorder) {
			y, x := s.Real("y", 0, 1), s.Real("x", 0, 1)
			flagged(r, x >= lo && x <= lo+volume && y >= 0)
		}
	}
}

// TestSmallDomainsAreEnumerated: a domain whose ranges depend on each other is tried as a whole,
// instance by instance, and a statement whose comparisons are exact is proved on it.
func TestSmallDomainsAreEnumerated(t *testing.T) {
	pairs := func(s *Source) (n, b int) {
		n = s.Int("n", 1, 40)
		return n, s.Int("b", 1, n)
	}
	for _, c := range []struct {
		name string
		try  func(*Source, *Recorder)
		want Verdict
		all  int
	}{
		{"floats", func(s *Source, r *Recorder) {
			n, b := pairs(s)
			r.AtMost("b", float64(b), float64(n))
		}, Consistent, 820},
		{"rationals", func(s *Source, r *Recorder) {
			n, b := pairs(s)
			r.Rats("b/n", big.NewRat(int64(b), int64(n)), LE, big.NewRat(1, 1))
		}, Proved, 820},
		{"floats with rationals", func(s *Source, r *Recorder) {
			n, b := pairs(s)
			r.AtMost("b/n", float64(b)/float64(n), 1).Exactly(func() (*big.Rat, *big.Rat) {
				return big.NewRat(int64(b), int64(n)), big.NewRat(1, 1)
			})
		}, Proved, 820},
		{"one pair by too little for floats", func(s *Source, r *Recorder) {
			n, b := pairs(s)
			measured := big.NewRat(1, 1)
			if n == 17 && b == 5 {
				measured.Add(measured, big.NewRat(1, 1<<60))
			}
			r.AtMost("b/n", 1, 1).Exactly(func() (*big.Rat, *big.Rat) { return measured, big.NewRat(1, 1) })
		}, Refuted, 820},
		{"choices that depend on a choice", func(s *Source, r *Recorder) {
			sum := 0
			for k := range s.Int("length", 0, 6) {
				sum += s.Pick(fmt.Sprint(k), "0", "1", "2")
			}
			r.Truth("sum", sum <= 12)
		}, Consistent, 0}, // 1 + 3 + … + 3⁶ = 1093 are more than 1001
		{"a real number", func(s *Source, r *Recorder) {
			r.Truth("x", s.Int("n", 1, 3) > 0 && s.Real("x", 0, 1) >= 0)
		}, Consistent, 0},
		{"a stream", func(s *Source, r *Recorder) {
			r.Truth("x", s.Int("n", 1, 3) > 0 && s.Rand("x") != nil)
		}, Consistent, 0},
	} {
		r := runOne(t, 1, Quick, Inequality(c.try))
		e := r.Evidence[0]
		whole := e.Trials == c.all && e.Instances == c.all && !(e.Excluded > 0)
		if r.Verdict != c.want || whole != (c.all > 0) || !whole && !(e.Excluded > 0) {
			t.Errorf("%s: %v on %d instances, %v excluded: %s", c.name, r.Verdict, e.Instances,
				e.Excluded, e.Note)
		}
	}
}

// TestEnumerationVisitsEachInstanceOnce walks a tree with branches of every kind.
func TestEnumerationVisitsEachInstanceOnce(t *testing.T) {
	var mu sync.Mutex
	seen := map[string]int{}
	runOne(t, 0, Quick, Inequality(func(s *Source, r *Recorder) {
		a := s.Int("a", 2, 5)
		if s.Bool("more") {
			b := s.LogInt("b", 1, a)
			s.Real("fixed", 3, 3)
			s.Int("c", -b, b)
		}
		mu.Lock()
		seen[s.String()]++
		mu.Unlock()
		r.Truth("fine", true)
	}))
	want := 0 // besides the confirmation, the middle and the probes, which are seen again
	for a := 2; a <= 5; a++ {
		want++
		for b := 1; b <= a; b++ {
			want += 2*b + 1
		}
	}
	if len(seen) != want {
		t.Errorf("%d different instances of %d", len(seen), want)
	}
}

// TestEvenDrawsExclude: a set of instances is missed by n even draws with probability at most
// (1-x)^n, x its share, whatever its shape: here stripes, which fit the cells badly, and a corner,
// which fits them well.
func TestEvenDrawsExclude(t *testing.T) {
	like := []Choice{{Hi: 1}, {Hi: 1, Seed: true}, {Hi: 1}}
	const share, n = 0.01, 200
	runs := few(3000)
	for name, in := range map[string]func(x, y float64) bool{
		"stripes": func(x, y float64) bool { return math.Mod(64*x, 1) < 0.1 && math.Mod(64*y, 1) < 0.1 },
		"corner":  func(x, y float64) bool { return x < 0.1 && y < 0.1 },
	} {
		missed := 0
		for run := range runs {
			v := newStratified(keyed.New(uint64(run)), like, n)
			hit := false
			for range n {
				choose := v.chooser(v.take())
				x, _, y := choose(like[0]), choose(like[1]), choose(like[2])
				hit = hit || in(x, y)
			}
			if !hit {
				missed++
			}
		}
		if binomialAtLeast(missed, runs, math.Pow(1-share, n)) < 1e-4 {
			t.Errorf("%s: missed in %d of %d runs, more than (1-x)^n", name, missed, runs)
		}
	}
	if got := excluded(200); math.Abs(math.Pow(1-got, 200)-0.05) > 1e-12 {
		t.Errorf("excluded(200) = %v", got)
	}
}

// TestRelatedChoicesFitTheirRanges: what is made of earlier choices is an admissible value, and the
// simple functions all occur.
func TestRelatedChoicesFitTheirRanges(t *testing.T) {
	met := map[string]int{}
	for i := range 4000 {
		r := keyed.New(5).At(i).Rand()
		s := NewSource(related(r))
		n := s.Int("n", 2, 60)
		c := Choice{Name: "b", Lo: 1, Hi: 1000, Int: true}
		b := s.choose(c)
		if b < c.Lo || b > c.Hi || b != math.Round(b) {
			t.Fatalf("b = %v", b)
		}
		v := float64(n)
		for name, is := range map[string]bool{"same": b == v, "next": b == v+1, "last": b == v-1,
			"double": b == 2*v,
			"root":   b == math.Floor(math.Sqrt(v)), "divisor": b > 1 && b < v && n%int(b) == 0,
			"square": b == v*v} {
			if is {
				met[name]++
			}
		}
	}
	for _, name := range []string{"same", "next", "last", "double", "root", "divisor", "square"} {
		if met[name] < 20 {
			t.Errorf("%s: %d times", name, met[name])
		}
	}
}

// TestSearchIsReproducible: flat, sloped and enumerated searches give the same evidence for any
// number of workers.
func TestSearchIsReproducible(t *testing.T) {
	check := All(
		Inequality(func(s *Source, r *Recorder) {
			flagged(r, s.Real("x", 0, 1) > 0.99 && s.Real("y", 0, 1) > 0.5)
		}),
		Implication(func(s *Source, r *Recorder) {
			r.AtMost("m", s.Real("x", 0, 1)*s.LogReal("y", 1e-3, 1), 1.5)
		}),
		Identity(func(s *Source, r *Recorder) {
			n := s.Int("n", 1, 30)
			r.Equal("m", float64(n-s.Int("b", 0, n)), 0).Scale(1e12)
		}))
	for _, tier := range []Tier{Quick, Standard} {
		var before []Result
		for _, workers := range []int{1, 3} {
			cfg := Config{Tier: tier, Workers: workers}
			results, err := Run(context.Background(), []Claim{{ID: "x", Check: check}}, cfg)
			if err != nil {
				t.Fatal(err)
			}
			results[0].Seconds, results[0].Cost, results[0].Claim.Check = 0, nil, nil
			d := cmp.Diff(before, results, cmpopts.EquateNaNs(),
				cmpopts.IgnoreUnexported(Evidence{}))
			if before != nil && d != "" {
				t.Errorf("%v, %d workers: %s", tier, workers, d)
			}
			before = results
		}
	}
}
