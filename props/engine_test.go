package props

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"sledge/props/keyed"
)

func runOne(t *testing.T, seed uint64, tier Tier, c Check) Result {
	t.Helper()
	r, err := Run(context.Background(), []Claim{{ID: "x", Check: c}},
		Config{Seed: seed, Tier: tier, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	return r[0]
}

// canary is a statement whose truth is known.
type canary struct {
	name  string
	check Check
	want  Verdict
}

func square(factor float64) Check {
	return Inequality(func(s *Source, r *Recorder) {
		a, b := s.Real("a", -10, 10), s.Real("b", -10, 10)
		r.AtMost("2ab", 2*a*b, factor*(a*a+b*b))
	})
}

func binomialFormula(sign float64) Check {
	return Identity(func(s *Source, r *Recorder) {
		a, b := s.Real("a", -10, 10), s.Real("b", -10, 10)
		r.Equal("(a+b)²", (a+b)*(a+b), a*a+sign*2*a*b+b*b).Scale(a*a + b*b)
	})
}

// stepSize claims that eta ≤ 1/L makes 1 - eta L/2 at least the given number.
func stepSize(least float64) Check {
	return Implication(func(s *Source, r *Recorder) {
		L, eta := s.LogReal("L", 1e-6, 1e6), s.LogReal("eta", 1e-9, 1e9)
		if eta*L > 1 {
			r.Skip("eta > 1/L")
		}
		r.AtLeast("1-ηL/2", 1-eta*L/2, least)
	})
}

// uniformTail claims probability delta for an event of probability factor·delta.
func uniformTail(factor float64) *Randomised {
	return Tail(func(s *Source) TailTrial {
		delta := s.Real("delta", 0.05, 0.2)
		return TailTrial{Delta: delta, Run: func(t Trial, rec *Recorder) {
			rec.AtMost("u", t.Key.Rand().Float64(), 1-factor*delta)
			rec.Point(1, 0.5, 1)
			rec.Point(2, t.Key.Rand().Float64(), 1)
			rec.Link("start", 1)
		}}
	})
}

func powerMean(claimed float64, rel Relation, hi float64) Check {
	return Mean(func(s *Source) MeanTrial {
		k := s.Int("k", 1, 3) // the mean of U^k is 1/(k+1)
		return MeanTrial{Claimed: claimed, Relation: rel, Hi: hi, Run: func(t Trial) float64 {
			return math.Pow(t.Key.Rand().Float64(), float64(k))
		}}
	})
}

func powerLaw(p float64) Check {
	return Law(func(s *Source) LawTrial {
		return LawTrial{CDF: func(x float64) float64 { return x },
			Run: func(t Trial) float64 { return math.Pow(t.Key.Rand().Float64(), p) }}
	})
}

func powerSlope(exponent float64, twoSided bool) Check {
	return Slope(func(s *Source) SlopeTrial {
		c := s.LogReal("c", 0.1, 10)
		return SlopeTrial{XLabel: "x", YLabel: "y", X: []float64{1, 2, 4, 8, 16, 32, 64},
			TwoSided: twoSided, Of: OfMedian,
			Run: func(t Trial, x float64) float64 {
				return c * math.Pow(x, exponent) *
					math.Exp(0.02*t.Key.At(int(x)).Rand().NormFloat64())
			}}
	})
}

// geometric waits for an event of probability q in each step and claims that it comes within the
// horizon with probability 1-delta.
func geometric(q float64, horizon int) Check {
	return Hitting(func(s *Source) HittingTrial {
		return HittingTrial{Horizon: horizon, Delta: 0.1, Run: func(t Trial) (int, bool) {
			r := t.Key.Rand()
			for k := 1; k <= horizon; k++ {
				if r.Float64() < q {
					return k, true
				}
			}
			return 0, false
		}}
	})
}

func orders(f func(n, b float64) (float64, float64)) Check {
	return Order(func(s *Source) (float64, float64) {
		return f(s.LogReal("n", 1, 1e6), s.LogReal("b", 1, 1e6))
	})
}

func canaries() []canary {
	return []canary{
		{"square", square(1), Consistent},
		{"square, factor 2 short", square(0.5), Refuted},
		{"square, 0.1 % short", square(0.999), Refuted},
		{"square, a billionth short", square(1 - 1e-8), Refuted},
		{"binomial formula", binomialFormula(1), Consistent},
		{"binomial formula, wrong sign", binomialFormula(-1), Refuted},
		{"step size", stepSize(0.5), Consistent},
		{"step size, off", stepSize(0.51), Refuted},
		{"only at a corner", Inequality(func(s *Source, r *Recorder) {
			n := s.Int("n", 1, 1000)
			r.AtMost("b", 1, float64(s.Int("b", 1, n)+1000-n)-0.5)
		}), Refuted},
		{"narrow valley", Inequality(func(s *Source, r *Recorder) {
			x, y := s.Real("x", -2, 2), s.Real("y", -2, 2)
			r.AtMost("banana", 1.00001-(100*(y-x*x)*(y-x*x)+(1-x)*(1-x))/1000, 1)
		}), Refuted},
		{"narrow valley, true", Inequality(func(s *Source, r *Recorder) {
			x, y := s.Real("x", -2, 2), s.Real("y", -2, 2)
			r.AtMost("banana", 1-(100*(y-x*x)*(y-x*x)+(1-x)*(1-x))/1000, 1)
		}), Consistent},
		{"vectors", Identity(func(s *Source, r *Recorder) {
			g := s.Rand("g")
			x := []float64{g.NormFloat64(), g.NormFloat64(), g.NormFloat64()}
			y := []float64{x[0] * 3 / 3, x[1] + 1 - 1, x[2]}
			r.EqualVectors("x", x, y)
		}), Consistent},
		{"vectors, off by a millionth", Identity(func(s *Source, r *Recorder) {
			g := s.Rand("g")
			x := []float64{g.NormFloat64(), g.NormFloat64(), g.NormFloat64()}
			r.EqualVectors("x", x, []float64{x[0] + 1e-6, x[1], x[2]})
		}), Refuted},
		{"rounding alone", Inequality(func(s *Source, r *Recorder) {
			a := s.Real("a", 0, 1)
			r.AtMost("a", a*(1+1e-12), a)
		}), Consistent},
		{"rounding alone, but exactly", Inequality(func(s *Source, r *Recorder) {
			k := s.Int("k", 1, 1000)
			a := float64(k)
			r.AtMost("k", a*(1+1e-12), a).Exactly(func() (*big.Rat, *big.Rat) {
				return new(big.Rat).Add(big.NewRat(int64(k), 1),
					big.NewRat(1, 1<<40)), big.NewRat(int64(k), 1)
			})
		}), Refuted},
		{"cancellation, but exactly", Inequality(func(s *Source, r *Recorder) {
			k := s.Int("k", 1, 1000)
			big_ := 1e16
			r.AtMost("k", (big_+float64(k))-big_,
				float64(k)).Decidedly(func() (*big.Rat, *big.Rat) {
				return big.NewRat(int64(k), 1), big.NewRat(int64(k), 1)
			})
		}), Proved},
		{"premise never met", Inequality(func(s *Source, r *Recorder) {
			s.Int("n", 1, 2)
			r.Skip("never")
		}), Vacuous},
		{"nothing but zeros", multiples(LE, 0), Vacuous},
		{"nothing but zeros that are equal", multiples(EQ, 0), Consistent},
		{"zeros and others", multiples(LE, 2), Consistent},
		{"nothing recorded", Inequality(func(s *Source, r *Recorder) { s.Int("n", 1, 2) }), Error},
		{"NaN", Inequality(func(s *Source, r *Recorder) { r.AtMost("nan", math.NaN(), 1) }), Error},
		{"infinite", Inequality(func(s *Source, r *Recorder) { r.AtMost("inf", math.Inf(1), 1) }),
			Error},
		{"infinite bound", Inequality(func(s *Source, r *Recorder) { r.AtMost("1", 1, math.Inf(1)) }), Error},
		{"panic", Inequality(func(s *Source, r *Recorder) { panic("boo") }), Error},
		{"empty range", Inequality(func(s *Source, r *Recorder) { s.Int("n", 2, 1) }), Error},
		{"hidden randomness", hidden(), Error},
		{"exact", Exact("2+2", func(r *Recorder) { r.Truth("sum", 2+2 == 4) }), Proved},
		{"exact, wrong", Exact("2+2", func(r *Recorder) { r.Truth("sum", 2+2 == 5) }), Refuted},
		{"exact, rational", Exact("1/3",
			func(r *Recorder) {
				r.Rats("third", big.NewRat(1, 3), LE, big.NewRat(333333, 1000000))
			}), Refuted},
		{"exact, inexact", Exact("1/3", func(r *Recorder) { r.AtMost("third", 1.0/3, 1) }), Error},
		{"exact, empty", Exact("", func(r *Recorder) {}), Error},
		{"tail, conservative", uniformTail(0.2), Supported},
		{"tail, two and a half times", uniformTail(2.5), Refuted},
		{"tail, stands in for another and holds", uniformTail(0.2).StandIn("a smaller one"),
			Inconclusive},
		{"tail, stands in for another and fails", uniformTail(2.5).StandIn("a smaller one"),
			Inconclusive},
		{"tail, delta 1", Tail(func(*Source) TailTrial { return TailTrial{Delta: 1} }), Vacuous},
		{"tail, premise never met", Tail(func(*Source) TailTrial {
			return TailTrial{Delta: 0.1, Run: func(_ Trial, r *Recorder) { r.Skip("never") }}
		}), Vacuous},
		{"tail, certain", Tail(func(*Source) TailTrial {
			return TailTrial{Run: func(t Trial, r *Recorder) { r.AtMost("u", t.Key.Rand().Float64(), 1) }}
		}), Consistent},
		{"tail, certain but wrong", Tail(func(*Source) TailTrial {
			return TailTrial{Run: func(t Trial, r *Recorder) { r.AtMost("u", t.Key.Rand().Float64(), 0.98) }}
		}), Refuted},
		{"mean", powerMean(0.6, LE, 1), Supported},
		{"mean, without range", powerMean(0.6, LE, 0), Consistent},
		{"mean, half", powerMean(0.25, LE, 0), Refuted},
		{"mean at least", powerMean(0.15, GE, 1), Supported},
		{"mean at least, twice", powerMean(0.5, GE, 1), Refuted},
		{"mean bound outside the range", powerMean(1, LE, 1), Vacuous},
		{"mean at least, without range", powerMean(1, GE, 0), Error},
		{"mean outside its range", powerMean(0.1, LE, 0.2), Error},
		{"mean of nothing", Mean(func(*Source) MeanTrial {
			return MeanTrial{Claimed: 0, Relation: LE,
				Run: func(t Trial) float64 { return t.Key.Rand().Float64() }}
		}), Refuted},
		{"fair coin", Mean(func(*Source) MeanTrial {
			return MeanTrial{Claimed: 0.5, Relation: Near, Hi: 1, Tolerance: 0.2,
				Run: func(t Trial) float64 { return float64(t.Key.Rand().IntN(2)) }}
		}), Supported},
		{"unfair coin", Mean(func(*Source) MeanTrial {
			return MeanTrial{Claimed: 0.25, Relation: Near, Hi: 1,
				Run: func(t Trial) float64 { return float64(t.Key.Rand().IntN(2)) }}
		}), Refuted},
		{"law", powerLaw(1), Supported},
		{"law, other power", powerLaw(1.5), Refuted},
		{"slope", powerSlope(0, false), Supported},
		{"slope, falling", powerSlope(-0.5, false), Supported},
		{"slope, rising", powerSlope(0.3, false), Refuted},
		{"slope, two-sided", powerSlope(0, true), Supported},
		{"slope, two-sided, falling", powerSlope(-0.3, true), Refuted},
		{"slope, not yet asymptotic", Slope(func(*Source) SlopeTrial {
			return SlopeTrial{XLabel: "x", YLabel: "y", X: []float64{1, 2, 4, 8, 16, 32, 64},
				Of: OfMedian,
				Run: func(_ Trial, x float64) float64 {
					return 1/x + 0.01*math.Pow(x, 0.8)
				}}
		}), Inconclusive},
		{"slope of a short grid", Slope(func(*Source) SlopeTrial {
			return SlopeTrial{X: []float64{1, 2, 3, 4}}
		}), Error},
		{"runs share state", Mean(func(*Source) MeanTrial {
			calls := 0.0
			return MeanTrial{Claimed: 0.5, Relation: LE, Hi: 1,
				Run: func(t Trial) float64 { calls++; return 1 / calls }}
		}), Error},
		{"hitting", geometric(0.2, 40), Supported},
		{"hitting, horizon too short", geometric(0.2, 5), Refuted},
		{"order", orders(func(n, b float64) (float64, float64) { return n + b, max(n, b) }),
			Consistent},
		{"order, wrong exponent", orders(func(n, b float64) (float64, float64) {
			return n * math.Sqrt(b), max(n, b)
		}),
			Refuted},
		{"order, exponent off by 0.1", orders(func(n, b float64) (float64, float64) {
			return math.Pow(n, 1.1) + b, n + b
		}),
			Refuted},
		{"order, ray of one parameter", orders(func(n, b float64) (float64, float64) {
			return n + b, n + 5*math.Sqrt(b)
		}),
			Refuted},
		{"order, dependent range", Order(func(s *Source) (float64, float64) {
			n := s.LogInt("n", 1, 1e6)
			b := s.LogInt("b", 1, n)
			return float64(n + 9*b), float64(n)
		}), Consistent},
		{"order, dependent range, growing inwards", Order(func(s *Source) (float64, float64) {
			n := s.LogReal("n", 1, 1e4)
			eps := s.LogReal("eps", 1e-6, 1/n)
			return 1 / eps, math.Pow(eps, -0.8)
		}), Refuted},
		{"order, saturated on the way", Order(func(s *Source) (float64, float64) {
			n := s.LogReal("n", 1, 1e8)
			return n, n + 100
		}), Consistent},
		{"order, not yet saturated", Order(func(s *Source) (float64, float64) {
			n := s.LogReal("n", 1, 1e6)
			return n, n + 1e5
		}), Inconclusive},
		{"same order", SameOrder(func(s *Source) (float64, float64) {
			n := s.LogReal("n", 1, 1e6)
			return n + math.Sqrt(n), 3 * n
		}), Consistent},
		{"same order, one way only", SameOrder(func(s *Source) (float64, float64) {
			n := s.LogReal("n", 1, 1e6)
			return math.Sqrt(n), n
		}), Refuted},
		{"order without parameters", Order(func(s *Source) (float64, float64) {
			return s.Real("n", 1, 2), 1
		}), Error},
		{"all", All(square(1), uniformTail(0.2)), Consistent},
		{"all, one wrong", All(square(1), uniformTail(2.5)), Refuted},
		{"all of nothing", All(), Error},
		{"none", nil, Error},
	}
}

// hidden depends on a counter instead of its source alone.
func hidden() Check {
	n := make(chan float64, 1)
	n <- 0
	return Inequality(func(s *Source, r *Recorder) {
		k := <-n + 1
		n <- k
		r.AtMost("k", k, 1e9+float64(s.Int("n", 1, 2)))
	})
}

// multiples compares x up to size with 2x, exactly.
func multiples(rel Relation, size float64) Check {
	return Inequality(func(s *Source, r *Recorder) {
		x := s.Real("x", 0, 1) * size
		r.add("x", x, 2*x, rel).Exactly(func() (*big.Rat, *big.Rat) {
			m := new(big.Rat).SetFloat64(x)
			return m, new(big.Rat).Add(m, m)
		})
	})
}

// TestCanaries: the engine must notice the false statements and must not accuse the true ones,
// whatever the seed.
func TestCanaries(t *testing.T) {
	for _, c := range canaries() {
		for seed := range uint64(few(6)) {
			tier := Quick
			if seed == 5 {
				tier = Standard
			}
			r := runOne(t, seed, tier, c.check)
			if r.Verdict != c.want {
				t.Errorf("%s, seed %d: %v, want %v (%s %+v)", c.name, seed, r.Verdict, c.want,
					r.Err, r.Evidence)
			}
			for i := range r.Evidence {
				ev := &r.Evidence[i]
				if ev.What == "" || ev.Relation == "" || ev.Outcome() == Unknown {
					t.Errorf("%s: incomplete evidence %+v", c.name, ev)
				}
				if ev.Outcome() == Refuted && ev.Violations == 0 {
					t.Errorf("%s: refuted without a violation: %+v", c.name, ev)
				}
			}
		}
	}
}

func canaryClaims() []Claim {
	var claims []Claim
	for i, c := range canaries() {
		if c.name == "hidden randomness" { // not reproducible by design
			continue
		}
		claims = append(claims, Claim{ID: fmt.Sprintf("canary-%d", i), Statement: c.name,
			Check: c.check, Expect: c.want})
	}
	return claims
}

// digest writes results without times.
func digest(results []Result) string {
	var b strings.Builder
	for _, r := range results {
		fmt.Fprintf(&b, "%s %v %q\n", r.Claim.ID, r.Verdict, r.Err)
		for _, ev := range r.Evidence {
			text, err := json.Marshal(ev) // in full precision
			fmt.Fprintf(&b, "\t%s%v\n", text, err)
		}
	}
	return b.String()
}

// TestSameBitsForAnyWorkersAndShards runs the canaries on different numbers of workers, alone, in
// two shards, and in reverse order.
func TestSameBitsForAnyWorkersAndShards(t *testing.T) {
	var claims []Claim
	for i, c := range canaryClaims() {
		if i%5 == 0 || !testing.Short() {
			claims = append(claims, c)
		}
	}
	run := func(claims []Claim, workers int) []Result {
		results, err := Run(context.Background(), claims, Config{Seed: 7, Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		return results
	}
	want := run(claims, 1)
	compare := func(name string, got []Result) {
		t.Helper()
		if g, w := digest(got), digest(want); g != w {
			gl, wl := strings.Split(g, "\n"), strings.Split(w, "\n")
			for i := range gl {
				if i >= len(wl) || gl[i] != wl[i] {
					t.Errorf("%s differs:\n%s\n%s", name, gl[i], wl[min(i, len(wl)-1)])
					return
				}
			}
			t.Errorf("%s is shorter", name)
		}
	}
	compare("3 workers", run(claims, 3))
	var shards [2][]Claim
	for i, c := range claims {
		shards[i%2] = append(shards[i%2], c)
	}
	a, b := run(shards[0], 2), run(shards[1], 1)
	var merged []Result
	for i := range claims {
		half := a
		if i%2 == 1 {
			half = b
		}
		merged = append(merged, half[i/2])
	}
	compare("two shards", merged)
	var alone []Result
	for i := range claims {
		alone = append(alone, run(claims[i:i+1], 4)...) // idle workers share the one claim
	}
	compare("one by one", alone)
}

// TestReplay reproduces every piece of evidence bit for bit.
func TestReplay(t *testing.T) {
	claims := canaryClaims()
	results, err := Run(context.Background(), claims, Config{Seed: 11, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	replayed := 0
	for _, r := range results {
		for i := range r.Evidence {
			ev := &r.Evidence[i]
			if ev.Outcome() == Vacuous {
				continue
			}
			again, pairs, err := Replay(claims, ev.Replay)
			if err != nil {
				t.Errorf("%s: %v", r.Claim.Statement, err)
				continue
			}
			replayed++
			if !same(again.Measured, ev.Measured) || !same(again.Claimed, ev.Claimed) ||
				!same(again.Tightness, ev.Tightness) || again.What != ev.What ||
				again.Where != ev.Where || again.Replay != ev.Replay ||
				again.Relation != ev.Relation ||
				again.Outcome() != ev.Outcome() && ev.Outcome() != Proved {
				t.Errorf("%s: replayed\n%+v\nwant\n%+v", r.Claim.Statement, again, ev)
			}
			if len(pairs) == 0 {
				t.Errorf("%s: replay shows nothing", r.Claim.Statement)
			}
		}
	}
	if replayed < 40 {
		t.Errorf("replayed %d pieces of evidence only", replayed)
	}
}

func same(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }

func TestRunRefusesBadInput(t *testing.T) {
	many := func(*Source) TailTrial { return TailTrial{Delta: 1} }
	var tests []Check
	for range 300 {
		tests = append(tests, Tail(many))
	}
	for _, c := range []struct {
		name   string
		claims []Claim
		cfg    Config
		want   string
	}{
		{"equal ids", []Claim{{ID: "a"}, {ID: "a"}}, Config{}, `two claims have the id "a"`},
		{"no id", []Claim{{}}, Config{}, "claim 0"},
		{"colon", []Claim{{ID: "a:b"}}, Config{}, "a:b"},
		{"alpha", nil, Config{Alpha: 1.5}, "Alpha"},
		{"tier", nil, Config{Tier: 9}, "tier 9"},
		{"tests", []Claim{{ID: "a", Check: All(tests...)}}, Config{Tests: 20},
			"its error level is divided among 256"},
		{"negative tests", nil, Config{Tests: -1}, "Tests"},
	} {
		if _, err := Run(context.Background(), c.claims, c.cfg); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
	if results, err := Run(context.Background(), nil, Config{}); err != nil || len(results) != 0 {
		t.Errorf("no claims: %v, %v", results, err)
	}
}

func TestCancellationKeepsWhatIsReady(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	claims := []Claim{
		{ID: "first", Check: square(1)},
		{ID: "second", Check: Inequality(func(s *Source, r *Recorder) {
			cancel()
			r.AtMost("n", float64(s.Int("n", 1, 9)), 9)
		})},
		{ID: "third", Check: square(1)},
	}
	results, err := Run(ctx, claims, Config{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if len(results) != 1 || results[0].Claim.ID != "first" || results[0].Verdict != Consistent {
		t.Errorf("results %+v", results)
	}
}

// A check in the middle of a long step does not keep a cancelled run from ending, and is not heard
// of afterwards.
func TestCancellationLeavesLongStepsBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		until, left, once := make(chan struct{}), make(chan struct{}), sync.Once{}
		claims := []Claim{
			{ID: "first", Check: square(1)},
			{ID: "second", Check: Inequality(func(s *Source, r *Recorder) {
				cancel()
				<-until
				r.AtMost("n", float64(s.Int("n", 1, 9)), 9)
				once.Do(func() { close(left) })
			})},
		}
		heard := 0
		began := time.Now()
		results, err := Run(ctx, claims, Config{Progress: func(Event) { heard++ }})
		if took := time.Since(began); took != grace {
			t.Errorf("the run ends after %v, want %v", took, grace)
		}
		if !errors.Is(err, context.Canceled) || len(results) != 1 ||
			results[0].Claim.ID != "first" {
			t.Errorf("error %v, results %+v", err, results)
		}
		before := heard
		close(until)
		<-left
		synctest.Wait()
		if heard != before {
			t.Error("a check that was left behind is heard of")
		}
	})
}

func TestProgress(t *testing.T) {
	var started, finished []string
	_, err := Run(context.Background(), canaryClaims()[:4],
		Config{Workers: 2, Progress: func(e Event) {
			if e.Total != 4 {
				t.Errorf("total %d", e.Total)
			}
			if e.Result == nil {
				started = append(started, e.Claim)
				return
			}
			finished = append(finished, e.Claim)
			if e.Done != len(finished) || e.Result.Claim.ID != e.Claim {
				t.Errorf("event %+v after %d", e, len(finished))
			}
		}})
	if err != nil || len(started) != 4 || len(finished) != 4 {
		t.Errorf("%v: started %v, finished %v", err, started, finished)
	}
}

func TestPanicNamesItsPlace(t *testing.T) {
	r := runOne(t, 0, Quick, Inequality(func(s *Source, rec *Recorder) {
		var x []float64
		rec.AtMost("x", x[s.Int("i", 3, 5)], 1)
	}))
	if !strings.Contains(r.Err, "index out of range") ||
		!strings.Contains(r.Err, "engine_test.go") ||
		strings.Contains(r.Err, "0x") {
		t.Errorf("%s", r.Err)
	}
}

func TestShrinkingFindsSimpleCounterexamples(t *testing.T) {
	for seed := range uint64(5) {
		check := Inequality(func(s *Source, rec *Recorder) {
			n, kind, x, y := s.Int("n", 1, 1000), s.Pick("kind", "plain", "odd"), s.Real("x", -100,
				100), s.LogReal("y", 1e-6,
				1e6)
			_ = kind
			if n >= 17 && x > 3 {
				rec.AtMost("x", x, 3)
			} else {
				rec.AtMost("x", 0, y)
			}
		})
		r := runOne(t, seed, Quick, check)
		const want = "n = 17, kind = plain, x = 8, y = 1"
		simple := r.Evidence[0].Simplest
		if r.Verdict != Refuted || simple.Where != want || simple.Measured != 8 ||
			r.Evidence[0].Measured != 100 {
			t.Errorf("seed %d: %v at %q and %+v, want %q", seed, r.Verdict, r.Evidence[0].Where,
				simple, want)
			continue
		}
		claim := Claim{ID: "x", Check: check}
		ev, _, err := Replay([]Claim{claim}, simple.Replay)
		if err != nil || ev.Outcome() != Refuted || ev.Where != want ||
			Num(ev.Measured) != simple.Measured ||
			Num(ev.Claimed) != simple.Claimed {
			t.Errorf("seed %d: the simplest counterexample replays as %+v, %v", seed, ev, err)
		}
	}
}

func TestExactConfirmationIsCertified(t *testing.T) {
	for _, c := range canaries() {
		if c.name != "rounding alone, but exactly" {
			continue
		}
		if r := runOne(t, 0, Quick, c.check); !r.Evidence[0].Certified {
			t.Errorf("%+v", r.Evidence[0])
		}
	}
}

// TestConstants reads off the smallest constants that suffice.
func TestConstants(t *testing.T) {
	if r := runOne(t, 0, Quick, square(4)); !near(r.Evidence[0].Constant, 0.25, 1e-4) {
		t.Errorf("2ab ≤ 4(a²+b²) would do with the multiple %v", r.Evidence[0].Constant)
	}
	if r := runOne(t, 0, Quick, stepSize(0.25)); !near(r.Evidence[0].Constant, 2, 1e-3) {
		t.Errorf("1-ηL/2 ≥ 1/4 would do with the multiple %v", r.Evidence[0].Constant)
	}
	r := runOne(t, 0, Standard, Tail(func(*Source) TailTrial {
		// u ≤ 1.8 at level 0.1; 0.9 is the quantile
		return TailTrial{Delta: 0.1, Run: func(t Trial, rec *Recorder) {
			rec.AtMost("u", t.Key.Rand().Float64(), 1.8)
		}}
	}))
	if c := r.Evidence[0].Constant; math.Abs(c-0.5) > 0.05 {
		t.Errorf("u ≤ 1.8 would do with the multiple %v", c)
	}
	r = runOne(t, 0, Quick, orders(func(n, b float64) (float64, float64) { return n + b, max(n, b) }))
	if c := r.Evidence[0].Constant; !near(c, 2, 1e-3) {
		t.Errorf("n+b ≤ C max(n, b) with C = %v", c)
	}
}

// TestLevelsOfTrueClaimsAtTheBoundary: with a large level, so that a few hundred runs can see it,
// statements that hold with equality are not refuted more often than the level says. Config.Alpha
// is divided among at least 256 slots, hence its odd value here.
func TestLevelsOfTrueClaimsAtTheBoundary(t *testing.T) {
	const alpha = 0.9999 // level of a test: about 1/1024
	reps, refuted := 100, 0
	if testing.Short() {
		reps = 10
	}
	for seed := range uint64(reps) {
		claims := []Claim{{ID: "tail", Check: uniformTail(1)},
			{ID: "mean", Check: powerMean(0.5, LE, 1)},
			{ID: "law", Check: powerLaw(1)}}
		results, err := Run(context.Background(), claims,
			Config{Seed: seed, Alpha: alpha, Tests: 1024, Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range results {
			if r.Verdict == Refuted {
				refuted++
			}
		}
	}
	// 700 tests at level 1/1024, of several instances: more than 5 refutations have probability
	// 7e-5
	if refuted > 5 {
		t.Errorf("%d refutations of true statements", refuted)
	}
}

func TestSelectionDoesNotInflateErrors(t *testing.T) {
	// Every instance violates with probability exactly delta. Judged on the pilot runs that
	// selected it, the worst one would look refuted; fresh runs must not be.
	check := Tail(func(s *Source) TailTrial {
		k := s.Int("k", 0, 1<<30)
		return TailTrial{Delta: 0.05,
			Run: func(t Trial, rec *Recorder) { rec.AtMost("u", t.Key.At(k).Rand().Float64(), 0.95) }}
	})
	for seed := range uint64(few(40)) {
		if r := runOne(t, seed, Quick, check); r.Verdict == Refuted {
			t.Errorf("seed %d refutes a true statement", seed)
		}
	}
}

func TestStreamsOfDomainsDiffer(t *testing.T) {
	e := &execution{key: keyed.New(1)}
	if reflect.DeepEqual(e.stream("pilot"), e.stream("confirm")) {
		t.Error("pilot and confirmation share their randomness")
	}
}

func TestSamplesHaveNames(t *testing.T) {
	for want, check := range map[string]Check{
		"mean of heads": Mean(func(*Source) MeanTrial {
			return MeanTrial{What: "heads", Claimed: 0.9, Hi: 1, Relation: LE,
				Run: func(t Trial) float64 { return math.Round(t.Key.Rand().Float64()) }}
		}),
		"distance of the distribution functions of u": Law(func(*Source) LawTrial {
			return LawTrial{What: "u", CDF: func(x float64) float64 { return x }, Tolerance: 0.3,
				Run: func(t Trial) float64 { return t.Key.Rand().Float64() }}
		}),
	} {
		if r := runOne(t, 1, Quick, check); r.Verdict != Supported || r.Evidence[0].What != want {
			t.Errorf("%v: %+v, want %q", r.Verdict, r.Evidence, want)
		}
	}
}
