package props

import (
	"math"
	"runtime/debug"
	"testing"

	"sledge/props/keyed"
)

// TestMain gives the collector the room that the command gives it.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	m.Run()
}

// family is a set of instances of a high-probability statement whose probability of violation is
// known: times the allowed one, at most m and there somewhere equal to it.
type family struct {
	name  string
	times func(s *Source, m float64) float64
}

// bump is 1 at 0 and small beyond a few widths.
func bump(width float64, at ...float64) float64 {
	sum := 0.0
	for _, x := range at {
		sum += x * x
	}
	return math.Exp(-sum / (2 * width * width))
}

var families = []family{
	{"hill in two parameters", func(s *Source, m float64) float64 {
		return 0.3 + (m-0.3)*bump(0.15, s.Real("x", 0, 1)-0.63, s.Real("y", 0, 1)-0.21)
	}},
	{"hill in four parameters", func(s *Source, m float64) float64 {
		return 0.3 + (m-0.3)*bump(0.4, s.Real("x", 0, 1)-0.63, s.Real("y", 0, 1)-0.21,
			s.Real("z", 0, 1)-0.4, s.Real("w", 0, 1)-0.8)
	}},
	{"hill over decades", func(s *Source, m float64) float64 {
		return 0.2 + (m-0.2)*bump(0.8, math.Log10(s.LogReal("eta", 1e-4, 1))+2.6,
			math.Log10(s.LogReal("L", 1e-2, 1e2))-0.5)
	}},
	{"corner", func(s *Source, m float64) float64 {
		return 0.2 + (m-0.2)*math.Pow(s.Real("x", 0, 1)*s.Real("y", 0, 1)*(1-s.Real("z", 0, 1)), 3)
	}},
	{"large sizes", func(s *Source, m float64) float64 {
		n := s.LogInt("n", 1, 1000)
		s.Int("d", 1, 20)
		return 0.1 + (m-0.1)*float64(n)/1000
	}},
	{"batches of half the components", func(s *Source, m float64) float64 {
		n := s.Int("n", 1, 60)
		if b := s.Int("b", 1, n); n-2*b >= 0 && n-2*b <= 2 {
			return m
		}
		return 0.4
	}},
	{"one of sixty combinations", func(s *Source, m float64) float64 {
		if s.Pick("kind", "a", "b", "c", "d") == 2 && s.Int("n", 1, 5) == 3 &&
			s.Pick("start", "here", "there", "far") == 1 {
			return m
		}
		return 0.5
	}},
	{"one pattern, then a ridge", func(s *Source, m float64) float64 {
		kind, x, y := s.Pick("kind", "a", "b", "c", "d", "e"), s.Real("x", 0, 1), s.Real("y", 0, 1)
		s.Rand("data")
		if kind != 3 {
			return 0.3
		}
		return 0.3 + (m-0.3)*bump(0.2, x-y)
	}},
}

// posed claims the probability delta for an event of known probability. With sizes the numbers tell
// by how much a run fails, without only whether.
func posed(delta float64, sizes bool, times func(s *Source) float64) *Randomised {
	return Tail(func(s *Source) TailTrial {
		p := min(delta*times(s), 1)
		return TailTrial{Delta: delta, Run: func(t Trial, rec *Recorder) {
			u := t.Key.Rand().Float64()
			if sizes {
				rec.AtMost("-log u", -math.Log(u), -math.Log(p))
			} else {
				rec.Truth("u > p", u > p)
			}
		}}
	})
}

// count runs a check over seeds and counts the verdicts.
func count(t *testing.T, tier Tier, seeds int, c func(seed uint64) Check) map[Verdict]int {
	n := map[Verdict]int{}
	for seed := range uint64(seeds) {
		n[runOne(t, 1000+seed, tier, c(seed)).Verdict]++
	}
	return n
}

// TestFalseStatementsAreRefuted: violations somewhere in a family, 1.5 to 3 times as often as
// allowed, are found and refuted, and hardly ever supported.
func TestFalseStatementsAreRefuted(t *testing.T) {
	if testing.Short() {
		t.Skip("many seeds: seconds")
	}
	const seeds = 4
	total := map[Verdict]int{}
	runs := 0
	for _, f := range families {
		for _, m := range []float64{1.5, 2, 3} {
			for _, delta := range []float64{0.05, 0.1} {
				for _, sizes := range []bool{false, true} {
					n := count(t, Quick, seeds,
						func(uint64) Check {
							return posed(delta, sizes,
								func(s *Source) float64 { return f.times(s, m) })
						})
					if n[Refuted] < seeds {
						t.Logf("%s, %v times %v, sizes %v: %v", f.name, m, delta, sizes, n)
					}
					for v, k := range n {
						total[v] += k
						runs += k
					}
				}
			}
		}
	}
	t.Logf("%d runs: %v", runs, total)
	if total[Refuted] < 9*runs/10 || total[Supported] > runs/50 {
		t.Errorf("of %d false statements %v", runs, total)
	}
}

// needles is false on an unstructured share of its instances, where half of the runs violate it.
func needles(share float64, seed uint64) Check {
	return posed(0.1, false, func(s *Source) float64 {
		s.Real("x", 0, 1)
		if keyed.New(seed).At(s.Int("n", 1, 1000)).At(
			s.LogInt("b", 1, 1000)).Rand().Float64() < share {
			return 5
		}
		return 0.2
	})
}

// TestNeedles: what is false on a hundredth of the instances, without any pattern, is rarely
// supported.
func TestNeedles(t *testing.T) {
	for _, c := range []struct {
		share float64
		tier  Tier
		seeds int
		most  int // supported
	}{{0.01, Quick, 100, 20}, {0.03, Quick, 40, 1}, {0.01, Standard, 40, 2}} {
		seeds := few(c.seeds)
		n := count(t, c.tier, seeds, func(seed uint64) Check { return needles(c.share, seed) })
		t.Logf("a share of %v at the %v tier: %v", c.share, c.tier, n)
		if most := max(1, c.most*seeds/c.seeds); n[Supported] > most {
			t.Errorf(
				"false on a share of %v of the instances, at the %v tier: %v, want at most %d supported",
				c.share, c.tier,
				n, most)
		}
	}
}

// TestTrueStatementsAreSupported: where the probability is clearly below the allowed one, all
// confirmed instances say so.
func TestTrueStatementsAreSupported(t *testing.T) {
	total := map[Verdict]int{}
	// half of 0.01 takes more runs than there are
	for delta, share := range map[float64]float64{0.01: 0.25, 0.05: 0.5, 0.1: 0.5, 0.3: 0.5} {
		for _, f := range families {
			n := count(t, Quick, few(2), func(uint64) Check {
				return posed(delta, true, func(s *Source) float64 { return share * f.times(s, 1) })
			})
			if n[Supported] < few(2) {
				t.Logf("%s, %v of %v at most: %v", f.name, share, delta, n)
			}
			for v, k := range n {
				total[v] += k
			}
		}
	}
	if all := 32 * few(2); total[Supported] < all-3 {
		t.Errorf("of %d true statements %v", all, total)
	}
}

// TestSkippedRunsAreNoSuccesses: a premise that is met in a twentieth of the runs, and violated
// each time, refutes, unless the joint probability is claimed.
func TestSkippedRunsAreNoSuccesses(t *testing.T) {
	check := func(joint bool) Check {
		return Tail(func(s *Source) TailTrial {
			k := s.Int("k", 1, 1000)
			return TailTrial{Delta: 0.1, Joint: joint, Run: func(t Trial, rec *Recorder) {
				if t.Key.At(k).Rand().Float64() > 0.05 {
					rec.Skip("premise")
				}
				rec.AtMost("1", 1, 0.5)
			}}
		})
	}
	all := few(20)
	if n := count(t, Quick, all, func(uint64) Check { return check(false) }); n[Refuted] < all {
		t.Errorf("%v", n)
	}
	if n := count(t, Quick, all, func(uint64) Check { return check(true) }); n[Supported] < all-1 {
		t.Errorf("joint: %v", n)
	}
}

// TestRegime: support comes from within the regime, contradictions from everywhere, and a regime
// that is never met is vacuous.
func TestRegime(t *testing.T) {
	check := func(outside, least float64, met func(n int) bool) Check {
		return Tail(func(s *Source) TailTrial {
			n := s.Int("n", 1, 400)
			p := 0.01
			if !met(n) {
				p = outside
			}
			return TailTrial{Delta: 0.1,
				Regime: Regime{Conditions: []Condition{{"n > 1", met(n)}},
					Matter: "steps that matter", Least: least},
				Run: func(t Trial, rec *Recorder) {
					t.Content(0.3)
					rec.Truth("u > p", t.Key.Rand().Float64() > p)
				}}
		})
	}
	above := func(k int) func(int) bool { return func(n int) bool { return n > k } }
	for _, c := range []struct {
		name  string
		check Check
		want  Verdict
	}{
		{"holds inside", check(0.01, 0.2, above(1)), Supported},
		{"degenerate ones are no support", check(0.09, 0.2, above(300)), Supported},
		{"contradiction outside", check(0.5, 0.2, above(300)), Refuted},
		{"never met", check(0.01, 0.2, above(500)), Vacuous},
		{"never matters", check(0.01, 0.4, above(1)), Vacuous},
		{"one instance outside", Tail(func(*Source) TailTrial {
			return TailTrial{Delta: 0.2, Regime: Regime{Conditions: []Condition{{"n > 1", false}}},
				Run: func(t Trial, rec *Recorder) { rec.Truth("true", true) }}
		}), Vacuous},
	} {
		r := runOne(t, 3, Quick, c.check)
		if r.Verdict != c.want || len(r.Evidence[0].Regime) == 0 {
			t.Errorf("%s: %v, want %v: %+v", c.name, r.Verdict, c.want, r.Evidence)
		}
		if r.Verdict == Supported && (len(r.Evidence) != 3 || !(r.Evidence[0].Excluded < 0.05) ||
			r.Evidence[0].Instances < 200) {
			t.Errorf("%s: %+v", c.name, r.Evidence)
		}
	}
}

// TestContentThatFewRunsOverrate: where few runs say that nearly every instance has content and
// only one in four has, the tested ones are those that have it.
func TestContentThatFewRunsOverrate(t *testing.T) {
	n := count(t, Quick, 20, func(uint64) Check {
		return Tail(func(s *Source) TailTrial {
			share := 0.06
			if s.Int("n", 1, 400) > 300 {
				share = 0.15
			}
			return TailTrial{Delta: 0.1, Regime: Regime{Matter: "runs that matter", Least: 0.1},
				Run: func(t Trial, rec *Recorder) {
					rng := t.Key.Rand()
					content := 0.0
					if rng.Float64() < share {
						content = 1
					}
					t.Content(content)
					rec.Truth("u > 0.01", rng.Float64() > 0.01)
				}}
		})
	})
	if n[Supported] < 18 {
		t.Errorf("%v", n)
	}
	t.Log(n)
}

// TestRunsThatCompareNothingHaveNoContent: what mattered in runs that do not meet their premise is
// no content of a joint statement about those that do.
func TestRunsThatCompareNothingHaveNoContent(t *testing.T) {
	check := func(met float64) Check {
		return Tail(func(s *Source) TailTrial {
			s.Int("n", 1, 400)
			return TailTrial{Delta: 0.1, Joint: true,
				Regime: Regime{Matter: "steps that matter", Least: 0.5},
				Run: func(t Trial, rec *Recorder) {
					t.Content(1)
					if t.Key.Rand().Float64() > met {
						rec.Skip("premise")
					}
					rec.AtMost("0", 0, 0.5)
				}}
		})
	}
	for met, want := range map[float64]Verdict{0.05: Vacuous, 0.95: Supported} {
		r := runOne(t, 7, Quick, check(met))
		if share := float64(r.Evidence[0].Content.Share); r.Verdict != want ||
			math.Abs(share-met) > 0.1 {
			t.Errorf("premise met in %v of the runs: %v, content %v", met, r.Verdict, share)
		}
	}
}

// TestSmallDomainsAreScreened: every instance of a small domain of integers is screened.
func TestSmallDomainsAreScreened(t *testing.T) {
	n := count(t, Quick, 20, func(seed uint64) Check {
		return posed(0.1, false, func(s *Source) float64 {
			k := s.Int("n", 1, 20)
			if b := s.Int("b", 1, k); k == 1+int(seed) && b == 1+int(seed)/2 {
				return 5
			}
			return 0.1
		})
	})
	if n[Refuted] < 20 {
		t.Errorf("one bad pair among 210: %v", n)
	}
}

// TestViolationsByRounding: a violation that does not survive other last bits is none for the
// refuter, and no compliance for the supporter.
func TestViolationsByRounding(t *testing.T) {
	r := runOne(t, 1, Quick, Tail(func(*Source) TailTrial {
		return TailTrial{Delta: 0.1, Run: func(t Trial, rec *Recorder) {
			x := []float64{t.Key.Rand().Float64()}
			was := x[0]
			t.Key.Perturb(x)
			rec.Truth("bits", x[0] != was)
		}}
	}))
	if r.Verdict != Inconclusive {
		t.Errorf("a proposition about last bits: %v: %+v", r.Verdict, r.Evidence)
	}
	r = runOne(t, 1, Quick, Tail(func(s *Source) TailTrial {
		return TailTrial{Delta: 0.1, Run: func(t Trial, rec *Recorder) {
			x := []float64{1 + t.Key.Rand().Float64()}
			was := x[0]
			t.Key.Perturb(x)
			rec.AtMost("difference", 1-math.Abs(x[0]-was)*1e17, 0.5)
		}}
	}))
	if r.Verdict != Inconclusive {
		t.Errorf("%v: %+v", r.Verdict, r.Evidence)
	}
	for _, size := range []float64{1, 1e-30} {
		r := runOne(t, 1, Quick, Mean(func(*Source) MeanTrial {
			return MeanTrial{Relation: LE,
				Run: func(t Trial) float64 { return size * t.Key.Rand().Float64() }}
		}))
		if want := map[float64]Verdict{1: Refuted, 1e-30: Inconclusive}[size]; r.Verdict != want {
			t.Errorf("a mean of size %v against 0: %v, want %v (%s)", size, r.Verdict, want,
				r.Evidence[0].Note)
		}
	}
}

// TestLimitsAtTheStoppingTime: limits that are read off when a test has decided to stop cover the
// probability.
func TestLimitsAtTheStoppingTime(t *testing.T) {
	const level = 0.05
	reps := few(2000)
	for _, p := range []float64{0.05, 0.1, 0.2} {
		missed := 0
		for k := range reps {
			rng := keyed.New(5).At(k).Rand()
			refute, support := newBernoulliRefuter(0.1), newBernoulliSupporter(0.1)
			n, events := 0, 0
			for n < 1000 && !refute.Rejects(level) && !support.Rejects(level) {
				hit := rng.Float64() < p
				refute.Observe(hit)
				support.Observe(hit)
				n++
				if hit {
					events++
				}
			}
			if low, high := bernoulliLimits(events, n, level); p < low || p > high {
				missed++
			}
		}
		// each limit may fail with the level: three deviations of a binomial with 0.1, and
		// probability 0.002 at most
		if n := float64(reps); float64(missed) > 0.1*n+3*math.Sqrt(0.09*n) {
			t.Errorf("p = %v is missed %d times of %d", p, missed, reps)
		}
	}
	for _, c := range []struct{ k, n int }{{0, 50}, {3, 50}, {50, 50}, {200, 1000}} {
		low, high := bernoulliLimits(c.k, c.n, 1e-6)
		cl, ch := ClopperPearson(c.k, c.n, 1e-6)
		if share := float64(c.k) / float64(c.n); !(low <= share && share <= high) || low > cl ||
			high < ch {
			t.Errorf("%d of %d: [%v, %v], Clopper-Pearson [%v, %v]", c.k, c.n, low, high, cl, ch)
		}
	}
}

// TestOneMeaningOfAgreement: within the tolerance a mean and a law are supported, beyond it
// refuted, whatever the tier.
func TestOneMeaningOfAgreement(t *testing.T) {
	near := func(mean float64) Check {
		return Mean(func(*Source) MeanTrial {
			return MeanTrial{Claimed: 0.5, Relation: Near, Hi: 1, Tolerance: 0.2,
				Run: func(t Trial) float64 {
					if t.Key.Rand().Float64() < mean {
						return 1
					}
					return 0
				}}
		})
	}
	law := func(shift float64) Check {
		return Law(func(*Source) LawTrial {
			return LawTrial{Tolerance: 0.1,
				CDF: func(x float64) float64 { return min(max(x, 0), 1) },
				Run: func(t Trial) float64 { return t.Key.Rand().Float64() + shift }}
		})
	}
	for _, tier := range []Tier{Quick, Standard} {
		for name, c := range map[string]struct {
			check Check
			want  []Verdict
		}{
			"mean inside":  {near(0.6), []Verdict{Supported, Inconclusive}},
			"mean outside": {near(0.95), []Verdict{Refuted}},
			"law itself":   {law(0), []Verdict{Supported}},
			"law inside":   {law(0.05), []Verdict{Supported, Inconclusive}},
			"law outside":  {law(0.25), []Verdict{Refuted}},
		} {
			ok := false
			r := runOne(t, 2, tier, c.check)
			for _, v := range c.want {
				ok = ok || v == r.Verdict
			}
			if !ok {
				t.Errorf("%s at %v: %v, want %v", name, tier, r.Verdict, c.want)
			}
		}
	}
	for name, cdf := range map[string]func(float64) float64{
		"NaN":      func(float64) float64 { return math.NaN() },
		"beyond 1": func(x float64) float64 { return 2 * x },
		"falling":  func(x float64) float64 { return 1 - x },
		"below 0":  func(x float64) float64 { return x - 0.5 },
	} {
		r := runOne(t, 1, Quick, Law(func(*Source) LawTrial {
			return LawTrial{CDF: cdf, Run: func(t Trial) float64 { return t.Key.Rand().Float64() }}
		}))
		if r.Verdict != Error {
			t.Errorf("%s: %v", name, r.Verdict)
		}
	}
}

// TestLoose: what is supported with a hundredth of its bound is called consistent, unless a sharper
// form stands beside it.
func TestLoose(t *testing.T) {
	check := Tail(func(*Source) TailTrial {
		return TailTrial{Delta: 0.2, Run: func(t Trial, rec *Recorder) {
			rec.AtMost("u", t.Key.Rand().Float64(), 500)
		}}
	})
	r := runOne(t, 1, Quick, check)
	if r.Verdict != Consistent || !r.Evidence[0].Loose || r.Evidence[0].Outcome() != Supported {
		t.Errorf("%v: %+v", r.Verdict, r.Evidence)
	}
	r.Claim.Sharpened = true
	if v := fold(&r); v != Supported {
		t.Errorf("with a sharper form %v", v)
	}
}

// TestFoldIsAsGoodAsTheWorst orders the verdicts.
func TestFoldIsAsGoodAsTheWorst(t *testing.T) {
	order := []Verdict{Refuted, Inconclusive, Vacuous, Consistent, Supported, Proved}
	for i, worse := range order {
		for _, better := range order[i:] {
			r := &Result{Evidence: []Evidence{{outcome: better}, {outcome: worse}}}
			if v := fold(r); v != worse {
				t.Errorf("%v beside %v gives %v", worse, better, v)
			}
		}
	}
}

// TestPowerOfMeans: the printed power is that of the test, for samples that vary little too.
func TestPowerOfMeans(t *testing.T) {
	for _, sd := range []float64{1e-6, 0.1} {
		at := func(mean float64) Check {
			return Mean(func(*Source) MeanTrial {
				return MeanTrial{Claimed: 0.5, Relation: LE, Hi: 1,
					Run: func(t Trial) float64 { return mean + sd*(2*t.Key.Rand().Float64()-1) }}
			})
		}
		r := runOne(t, 1, Quick, at(0.499))
		p := r.Evidence[0].Power
		if p.Of != MeanValue || p.Probability != 0.9 {
			t.Fatalf("%+v", p)
		}
		mean := float64(p.Size)
		excess := mean - 0.5
		if n := count(t, Quick, 20, func(uint64) Check { return at(0.5 + 1.3*excess) }); n[Refuted] < 16 {
			t.Errorf("deviation %v: a mean of %v is found %v", sd, mean, n)
		}
		if n := count(t, Quick, 20, func(uint64) Check { return at(0.5 + 0.1*excess) }); n[Refuted] > 4 {
			t.Errorf("deviation %v: a tenth of the excess %v is found %v", sd, excess, n)
		}
	}
}

// TestRunsThatSayNothing: runs whose comparisons all say nothing are no successes, and differences
// that rounding may explain are no compliance.
func TestRunsThatSayNothing(t *testing.T) {
	for _, c := range []struct {
		name string
		run  func(x float64, rec *Recorder)
		want Verdict
	}{
		{"overflow in each run", func(x float64, rec *Recorder) {
			rec.AtMost("exp", math.Exp(1e4+x), math.Exp(1e3+x))
		},
			Error},
		{"0 with 0 in each run", func(x float64, rec *Recorder) { rec.AtMost("0", 0, 0) }, Vacuous},
		{"0 with 0 where it is not violated", func(x float64, rec *Recorder) {
			if rec.AtMost("0", 0, 0); x < 0.05 {
				rec.AtMost("1", 1, 0.5)
			}
		}, Refuted},
		{"by less than rounding", func(x float64, rec *Recorder) { rec.AtMost("x", x*1e-20, 0) },
			Inconclusive},
		{"by less than rounding of a large choice",
			func(x float64, rec *Recorder) { rec.AtMost("x", 2e-9*x, 1e-9*x) }, Inconclusive},
	} {
		r := runOne(t, 1, Quick, Tail(func(s *Source) TailTrial {
			s.LogReal("size", 1e6, 1e7)
			return TailTrial{Delta: 0.1, Run: func(t Trial, rec *Recorder) {
				c.run(t.Key.Rand().Float64(), rec)
			}}
		}))
		if r.Verdict != c.want {
			t.Errorf("%s: %v, want %v: %s %+v", c.name, r.Verdict, c.want, r.Err, r.Evidence)
		}
	}
}

// few is a fifth of the rounds of a test under -short, one at least, and else all of them.
func few(all int) int {
	if testing.Short() {
		return max(1, all/5)
	}
	return all
}
