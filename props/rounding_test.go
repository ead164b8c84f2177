package props

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"sledge/props/keyed"
)

// A perturbed source moves the numbers of choices by last bits, equal ones equally, within their
// ranges, and remembers them as they were.
func TestPerturbedSource(t *testing.T) {
	given := []float64{0.3, 0.3, 0.6, -0.3, 1, 5, 0, 0.1, 0.7}
	draw := func(s *Source) []float64 {
		out := []float64{s.Real("a", 0, 2), s.LogReal("b", 0.01, 3), s.Real("2a", 0, 2),
			s.Real("-a", -1, 1), s.Real("top", 0, 1)}
		return append(out, float64(s.Int("n", 1, 9)), s.Real("zero", -1, 1), s.Real("other", 0, 1),
			s.Real("bottom", 0.7, 2))
	}
	plain := NewSource(replayed(given, middle))
	want := draw(plain)
	moved, apart := 0, 0
	for j := range 50 {
		s := perturbedSource(replayed(given, middle), keyed.New(uint64(j)).Perturbed(j+1))
		got := draw(s)
		for i := range got {
			if s.Drawn[i].Value != given[i] {
				t.Fatalf("%d: the source remembers %v for %v", j, s.Drawn[i].Value, given[i])
			}
			if math.Abs(got[i]-want[i]) > 2*trembles*0x1p-38*math.Abs(want[i]) {
				t.Fatalf("%d: %v became %v", j, want[i], got[i])
			}
		}
		if got[1] != got[0] || got[2] != 2*got[0] || got[3] != -got[0] || got[5] != 5 ||
			got[6] != 0 || got[4] > 1 ||
			got[8] < 0.7 {
			t.Fatalf("%d: %v became %v", j, want, got)
		}
		if got[0] != want[0] && got[4] != want[4] && got[8] != want[8] {
			moved++
		}
		if got[7]*3 != got[0] {
			apart++
		}
	}
	if moved < 50 || apart < 30 {
		t.Errorf("the numbers moved %d times out of 50, apart from each other %d times",
			moved, apart)
	}
	a, b := perturbedSource(middle, keyed.Key{}).Key("run"), NewSource(middle).Key("run")
	if a != b || a.Trembles() {
		t.Error("a source that is not perturbed gives keys that are")
	}
	if c := perturbedSource(middle, keyed.New(1).Perturbed(1)).Key("run"); !c.Trembles() ||
		c.Seed() != a.Seed() {
		t.Error("the key of a perturbed source is not the same key, perturbed")
	}
}

// cancelling are true statements whose evaluation in floating point fails.
func cancelling() map[string]func(*Source, *Recorder) {
	return map[string]func(*Source, *Recorder){
		"(a+b)−a = b": func(s *Source, r *Recorder) {
			a, b := s.LogReal("a", 1, 1e16), s.Real("b", 0, 1)
			r.Equal("b", (a+b)-a, b)
		},
		"(k+b)−k = b": func(s *Source, r *Recorder) {
			k, b := float64(s.LogInt("k", 1, 1e16)), s.Real("b", 0, 1)
			r.Equal("b", (k+b)-k, b)
		},
		"E x² − (E x)² ≥ 0, offset 1e9, times a choice":            variance(false, 3),
		"E x² − (E x)² ≥ 0, offset 1e9, perturbed, times a choice": variance(true, 3),
		"E x² − (E x)² is tiny at least, offset 1e9":               tinyVariance(true),
		"E x² − (E x)² is tiny at most, equal numbers, offset 1e9": tinyVariance(false),
		"a converged run": func(s *Source, r *Recorder) {
			// (1/2)^t beside a rounding error of 4e-15
			x := s.Real("x", 1, 2)
			for t := range 60 {
				v := math.Ldexp(x, -t)
				r.AtMost("f", v+4e-15, v)
			}
		},
		"the same backwards": func(s *Source, r *Recorder) {
			x := s.Real("x", 1, 2)
			for t := range 60 {
				v := math.Ldexp(x, t-59)
				r.AtMost("f", v+4e-15, v)
			}
		},
	}
}

// variance is the statement that a variance is not negative, of numbers near 10⁹ that no choice
// says to be so large.
func variance(perturbed bool, most float64) func(*Source, *Recorder) {
	return func(s *Source, r *Recorder) {
		v := make([]float64, s.Int("n", 2, 50))
		rng := s.Rand("deviations")
		for i := range v {
			v[i] = 1e9 + rng.NormFloat64()
		}
		if perturbed {
			s.Perturb(v)
		}
		sum, squares := 0.0, 0.0
		for _, x := range v {
			sum += x
			squares += x * x
		}
		mean := sum / float64(len(v))
		factor := 1.0
		if most > 1 {
			factor = s.Real("factor", 1, most)
		}
		r.AtLeast("variance", factor*(squares/float64(len(v))-mean*mean), 0)
	}
}

// tinyVariance is the statement that the same numbers have a variance of at least, or equal numbers
// one of at most, a tiny number.
func tinyVariance(least bool) func(*Source, *Recorder) {
	return func(s *Source, r *Recorder) {
		recordTiny(r, s.Rand("numbers"), s.Int("n", 2, 50), s.Real("factor", 1, 3), least)
	}
}

func recordTiny(rec *Recorder, rng *rand.Rand, n int, factor float64, least bool) {
	sum, squares, shared := 0.0, 0.0, rng.NormFloat64()
	for range n {
		x := 1e9 + shared
		if least {
			x = 1e9 + rng.NormFloat64()
		}
		sum += x
		squares += x * x
	}
	mean := sum / float64(n)
	if v := factor * (squares/float64(n) - mean*mean); least {
		rec.AtLeast("variance", v, 1e-12)
	} else {
		rec.AtMost("variance", v, 1e-12)
	}
}

// The same of runs, whose numbers nobody perturbs.
func TestRoundingOfRunsDoesNotRefute(t *testing.T) {
	for _, least := range []bool{true, false} {
		for seed := range uint64(20) {
			r := runOne(t, seed, Quick, Tail(func(s *Source) TailTrial {
				n, factor := s.Int("n", 2, 50), s.Real("factor", 1, 3)
				return TailTrial{Delta: 0.1, Run: func(trial Trial, rec *Recorder) {
					recordTiny(rec, trial.Key.Rand(), n, factor, least)
				}}
			}))
			if r.Verdict != Inconclusive || !strings.Contains(r.Evidence[0].Note, "rounding") {
				t.Errorf("at least: %v, seed %d: %v %s", least, seed, r.Verdict, r.Evidence[0].Note)
			}
		}
	}
}

func TestRoundingDoesNotRefute(t *testing.T) {
	for name, try := range cancelling() {
		doubts := 0
		for seed := range uint64(few(60)) {
			r := runOne(t, seed, Quick, Inequality(try))
			if r.Verdict == Refuted || r.Verdict == Error {
				t.Errorf("%s, seed %d: %v %s %+v", name, seed, r.Verdict, r.Err, r.Evidence)
				break
			}
			if r.Verdict == Inconclusive {
				if doubts++; !strings.Contains(r.Evidence[0].Note, "rounding") {
					t.Errorf("%s, seed %d: %s", name, seed, r.Evidence[0].Note)
				}
			}
		}
		if doubts == 0 && !strings.Contains(name, "run") && !strings.Contains(name, "backwards") {
			t.Errorf("%s: rounding was never seen, the test tests nothing", name)
		}
	}
}

// Real violations are refuted, small ones and those at special places too; what the engine cannot
// tell from rounding it does not pass either.
func TestViolationsAreNoRounding(t *testing.T) {
	for _, c := range []struct {
		name string
		try  func(*Source, *Recorder)
		want Verdict
	}{
		{"by a millionth", func(s *Source, r *Recorder) {
			x := s.LogReal("x", 1e-3, 1e3)
			r.AtMost("x", x*(1+1e-6), x)
		}, Refuted},
		{"by a millionth on the scale of a thousandth", func(s *Source, r *Recorder) {
			x := s.Real("x", 1e-3, 2e-3)
			r.AtMost("x²", x*x*(1+1e-6), x*x)
		}, Refuted},
		{"by a millionth, of a power", func(s *Source, r *Recorder) {
			eta, t := s.Real("eta", 0.01, 0.5), s.Int("t", 1, 100)
			v := math.Pow(1-eta, float64(t))
			r.AtMost("power", v*(1+1e-6), v)
		}, Refuted},
		{"a difference of perturbed numbers", func(s *Source, r *Recorder) {
			rng := s.Rand("numbers")
			v := []float64{rng.NormFloat64(), rng.NormFloat64()}
			s.Perturb(v)
			r.AtMost("difference", v[0]-v[1], 0)
		}, Refuted},
		{"a difference that nobody moves", func(s *Source, r *Recorder) {
			rng := s.Rand("numbers")
			r.AtMost("difference", rng.NormFloat64()-rng.NormFloat64(), 0)
		}, Refuted},
		{"a difference of integers", func(s *Source, r *Recorder) {
			r.AtMost("difference", float64(s.Int("a", 1, 9)-s.Int("b", 1, 9)), 0)
		}, Refuted},
		{"a difference of constants", func(s *Source, r *Recorder) {
			s.Real("x", 0, 1)
			r.AtMost("difference", 1e-3, 0)
		}, Inconclusive},
		{"the same with its scale", func(s *Source, r *Recorder) {
			s.Real("x", 0, 1)
			r.AtMost("difference", 1e-3, 0).Scale(1)
		}, Refuted},
		{"where two numbers are equal", func(s *Source, r *Recorder) {
			a, b := s.Real("a", 0, 1), s.Real("b", 0, 2)
			v := math.Abs(a - b)
			if a == b {
				v = -1
			}
			r.AtLeast("distance", v, 0).Scale(1)
		}, Refuted},
		{"beside a jump, at which a climb ends", func(s *Source, r *Recorder) {
			c, x := s.Real("c", 1, 10), s.Real("x", 1, 2)
			r.AtMost("share", x/math.Ceil(c), 0.1*x)
		}, Refuted},
		{"at the end of a range", func(s *Source, r *Recorder) {
			x := s.Real("x", 0, 3)
			r.AtMost("x", x, 3*(1-1e-8))
		}, Refuted},
		{"a rate that is wrong by a constant factor", func(s *Source, r *Recorder) {
			x, eta := s.LogReal("x", 1e-2, 1e2), s.Real("eta", 0.1, 0.4)
			v, bound := x, x
			for range 300 {
				v, bound = v*(1-eta), bound*(1-eta)*(1-eta)
				r.AtMost("f", v, bound)
			}
		}, Refuted},
		{"exact, but equal in floating point", func(s *Source, r *Recorder) {
			n := s.Int("n", 1, 100000)
			x := new(big.Rat).Add(big.NewRat(int64(n), 1), new(big.Rat).SetFrac64(1, 1<<62))
			v, _ := x.Float64()
			r.AtMost("n", v, float64(n)).Exactly(func() (*big.Rat, *big.Rat) {
				return x, big.NewRat(int64(n), 1)
			})
		}, Refuted},
		{"exact, but equal, on few instances", func(s *Source, r *Recorder) {
			n := s.Int("n", 1, 2000)
			x := s.Real("x", 1, 2)
			tiny := new(big.Rat).SetFrac64(int64(max(0, n-1800)), 1<<62)
			exact := new(big.Rat).SetFloat64(x)
			r.AtMost("x", x, x).Exactly(func() (*big.Rat, *big.Rat) {
				return new(big.Rat).Add(exact, tiny), exact
			})
		}, Refuted},
		{"both sides overflow", func(s *Source, r *Recorder) {
			x := s.Real("x", 720, 1000)
			r.AtMost("exp 2x", math.Exp(2*x), math.Exp(x))
		}, Error},
		{"an infinite bound", func(s *Source, r *Recorder) {
			r.AtMost("x", s.Real("x", 0, 1), math.Inf(1))
		}, Error},
		{"an infinite bound below", func(s *Source, r *Recorder) {
			r.AtLeast("x", s.Real("x", 0, 1),
				math.Inf(-1))
		}, Error},
		{"both sides underflow", func(s *Source, r *Recorder) {
			x := s.Real("x", 800, 1000)
			r.AtMost("exp −x", math.Exp(-x), math.Exp(-2*x))
		}, Error},
		{"among subnormal numbers", func(s *Source, r *Recorder) {
			x := s.Real("x", 1, 2)
			r.AtMost("x", x*2e-307, x*1e-307)
		}, Error},
		{"NaN", func(s *Source, r *Recorder) { r.AtMost("x", s.Real("x", 0, 1)*nan, 1) }, Error},
		{"far below everything", func(s *Source, r *Recorder) {
			x := s.Real("x", 1, 2)
			r.AtMost("x", x*2e-30, x*1e-30)
		}, Inconclusive},
	} {
		for seed := range uint64(few(20)) {
			if r := runOne(t, seed, Quick, Inequality(c.try)); r.Verdict != c.want {
				t.Errorf("%s, seed %d: %v, want %v: %s %+v", c.name, seed, r.Verdict, c.want, r.Err,
					r.Evidence)
				break
			}
		}
	}
}

// Instances on which nothing can be compared are counted, and do not hide what the others show.
func TestIncomparableIsCounted(t *testing.T) {
	r := runOne(t, 0, Quick, Inequality(func(s *Source, rec *Recorder) {
		n := s.Int("n", 0, 9)
		x := s.Real("x", 0.5, 1)
		switch n {
		case 0:
			rec.AtMost("x", x, math.Inf(1))
		case 1:
			rec.AtMost("x", 0, 0)
		default:
			rec.AtMost("x", x, 2)
		}
	}))
	ev := &r.Evidence[0]
	if r.Verdict != Consistent || !near(ev.Tightness, 0.5, 1e-2) ||
		!strings.Contains(ev.Note, "not comparable") ||
		!strings.Contains(ev.Note, "of 0 with 0") {
		t.Errorf("%v: %+v", r.Verdict, ev)
	}
	if r := runOne(t, 0, Quick, Identity(func(s *Source, rec *Recorder) {
		s.Int("n", 0, 9)
		rec.Equal("difference", 0, 0).Scale(1)
	})); r.Verdict != Consistent {
		t.Errorf("an identity that is exact: %v %s", r.Verdict, r.Err)
	}
}

// Huge ranges are drawn evenly.
func TestHugeRanges(t *testing.T) {
	for _, c := range []Choice{{Lo: 1e-200, Hi: 1e200, Log: true}, {Lo: -1.5e308, Hi: 1.5e308},
		{Lo: 5e-324, Hi: math.MaxFloat64, Log: true}} {
		for k := range 101 {
			u := float64(k) / 100
			v := c.At(u)
			if v < c.Lo || v > c.Hi || math.Abs(c.position(v)-u) > 1e-2 && c.Lo > 1e-300 ||
				math.Abs(c.position(v)-u) > 1e-9 &&
					c.Lo == 1e-200 {
				t.Errorf("%+v at %v: %v, at %v", c, u, v, c.position(v))
			}
		}
	}
	below := 0
	r := runOne(t, 0, Quick,
		Inequality(func(s *Source, rec *Recorder) { rec.AtMost("x", s.LogReal("x", 1e-200, 1e200), 1e10) }))
	if r.Verdict != Refuted {
		t.Errorf("%v", r.Verdict)
	}
	for i := range 1000 {
		if NewSource(uniform(keyed.New(1).At(i).Rand())).LogReal("x", 1e-200, 1e200) < 1 {
			below++
		}
	}
	if below < 430 || below > 570 { // 4.4 standard deviations
		t.Errorf("%d of 1000 draws from 1e-200 to 1e200 lie below 1", below)
	}
}

// What is lost in larger numbers that cancel decides nothing, and what is lost in part is said to
// be seen as far as it is.
func TestWhatIsLostDecidesNothing(t *testing.T) {
	for _, c := range []struct {
		offset, most float64 // the largest relative excess that may be said to go unnoticed
		want         Verdict
	}{
		{0, RoundingBand, Consistent},
		{1e4, 1e-9, Consistent},
		{1e9, 1e-4, Consistent},
		{1e12, 1e-1, Consistent},
		{1e18, 0, Inconclusive},
		{1e25, 0, Inconclusive},
	} {
		r := runOne(t, 1, Quick, Inequality(func(s *Source, rec *Recorder) {
			x := s.Real("x", 0.1, 10)
			rec.AtMost("x", x+c.offset-c.offset, 0.99*x+0.2)
		}))
		size := float64(r.Evidence[0].Power.Size)
		switch {
		case r.Verdict != c.want:
			t.Errorf("beside %g: %v, want %v: %s", c.offset, r.Verdict, c.want, r.Evidence[0].Note)
		case c.want == Inconclusive && !strings.Contains(r.Evidence[0].Note, "not decidable"):
			t.Errorf("beside %g: %s", c.offset, r.Evidence[0].Note)
		case c.want == Consistent && !(RoundingBand <= size && size <= c.most):
			t.Errorf("beside %g an excess of %g is said to be noticed", c.offset, size)
		case c.offset == 1e9 && size <= RoundingBand:
			t.Error("nothing is said to be lost")
		}
	}
}

// An equality that fails by less than [RoundingBand] is refuted where no arithmetic moves the
// difference, and what rounding makes of a true one is not.
func TestEqualitiesAreLookedAtFinely(t *testing.T) {
	sides := map[string]func(x, y float64) (float64, float64){
		"square": func(x, y float64) (float64, float64) { return (x + y) * (x + y), x*x + 2*x*y + y*y },
		"exp":    func(x, y float64) (float64, float64) { return math.Exp(x + y), math.Exp(x) * math.Exp(y) },
		"small difference": func(x, y float64) (float64, float64) {
			d := 1e-5 * y
			return (x+d)*(x+d) - x*x, 2*x*d + d*d
		},
		"sum": func(x, y float64) (float64, float64) {
			up, down := 0.0, 0.0
			for i := range 3000 {
				up += x / float64(1+i)
				down += 1 / float64(3000-i)
			}
			return up + y, x*down + y
		},
	}
	for name, of := range sides {
		for _, off := range []float64{0, 1e-10, 6e-10} {
			if off > 0 && name == "small difference" {
				continue // rounding moves it by as much
			}
			check := Identity(func(s *Source, rec *Recorder) {
				m, c := of(s.Real("x", 0.1, 3), s.Real("y", 0.1, 3))
				rec.Equal("two sides", m*(1+off), c)
			})
			want := Consistent
			if off > 0 {
				want = Refuted
			}
			r := runOne(t, 1, Quick, check)
			if r.Verdict != want {
				t.Errorf("%s off by %v: %v", name, off, r.Verdict)
			}
			if off == 0 {
				continue
			}
			again, _, err := Replay([]Claim{r.Claim}, r.Evidence[0].Replay)
			if err != nil || again.outcome != Refuted {
				t.Errorf("%s off by %v: the replay says %v, %v", name, off, again, err)
			}
		}
	}
}
