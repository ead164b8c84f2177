package props

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"sledge/props/keyed"
)

// power is the quantity x^exponent times lognormal noise of the given coefficient of variation.
func power(exponent, cv float64) func(Trial, float64) float64 {
	sd := math.Sqrt(math.Log1p(cv * cv))
	return func(t Trial, x float64) float64 {
		return math.Pow(x, exponent) * math.Exp(sd*t.Key.At(int(x)).Rand().NormFloat64())
	}
}

// times multiplies a law by the same noise.
func times(law func(x float64) float64, cv float64) func(Trial, float64) float64 {
	noise := power(0, cv)
	return func(t Trial, x float64) float64 { return law(x) * noise(t, x) }
}

// decades is a grid of the given number of points on as many decades from lo.
func decades(lo, length float64, points int) []float64 {
	x := make([]float64, points)
	for i := range x {
		x[i] = math.Round(lo * math.Pow(10, length*float64(i)/float64(points-1)))
	}
	return slices.Compact(x)
}

// TestSlopeBattery poses laws whose truth is known, over many seeds: what is false is never
// supported, what is true never refuted, and both are decided where the noise lets them. The level
// of each decision is about 1e-6, so that one error in these runs is a mistake.
func TestSlopeBattery(t *testing.T) {
	if testing.Short() {
		t.Skip("many seeds: seconds")
	}
	half := decades(1, 2, 7)
	long := decades(1, 4, 7)
	cases := []struct {
		name   string
		trial  SlopeTrial
		effort float64
		never  Verdict
		want   Verdict // in most runs
		rate   float64 // least share of them
	}{
		{"two values", SlopeTrial{X: half, Of: OfMedian, Run: func(t Trial, x float64) float64 {
			return float64(1 + t.Key.At(int(x)).Rand().IntN(2))
		}}, 1, Refuted, Supported, 0.99},
		{"two values, mean", SlopeTrial{X: half, Most: func(float64) float64 { return 2 },
			Run: func(t Trial, x float64) float64 {
				return float64(1 + t.Key.At(int(x)).Rand().IntN(2))
			}}, 2, Refuted, Supported, 0.85},
		{"rare large values, unknown range", SlopeTrial{X: half, Run: rareGrowth}, 1, Supported,
			Consistent, 0.3},
		{"rare large values, known range",
			SlopeTrial{X: half, Most: func(x float64) float64 { return 1 + 100*x },
				Run: rareGrowth}, 1, Supported, Inconclusive, 0.5},
		{"bounded, still rising", SlopeTrial{X: decades(1, 2, 7), Of: OfMedian,
			Run: times(saturating, 0.05)},
			0.5, Refuted,
			Inconclusive, 0.95},
		{"bounded, still rising, three decades",
			SlopeTrial{X: decades(1, 3, 7), Of: OfMedian, Run: times(saturating,
				0.05)}, 0.5, Refuted, Inconclusive, 0.95},
		{"bounded, still rising, no noise", SlopeTrial{X: decades(1, 2.5, 5), Of: OfMedian,
			Run: times(saturating, 0)}, 1,
			Refuted, Inconclusive, 1},
		{"grows after a flat start", SlopeTrial{X: decades(1, 2.5, 7), Of: OfMedian,
			Run: times(flatStart, 0.01)}, 1,
			Supported, Inconclusive, 0.9},
		{"grows after a flat start, three decades",
			SlopeTrial{X: decades(1, 3, 7), Of: OfMedian, Run: times(flatStart,
				0.1)}, 0.5, Supported, Inconclusive, 0.5},
		{"grows after a flat start, four decades",
			SlopeTrial{X: long, Of: OfMedian, Run: times(flatStart, 0.1)}, 0.5, Supported,
			Refuted, 0.9},
		{"logarithm", SlopeTrial{X: decades(10, 2, 7), Of: OfMedian, Run: times(math.Log, 0.05)},
			0.5, Refuted, Inconclusive,
			0.9},
		{"one and a logarithm", SlopeTrial{X: decades(1, 1.5, 5), Of: OfMedian,
			Run: times(oneLog, 0.02)}, 0.5, Refuted,
			Inconclusive, 0.9},
		{"true, 5 %", SlopeTrial{X: half, Of: OfMedian, Run: power(0, 0.05)}, 1, Refuted,
			Supported, 0.85},
		{"true, a trend as noisy as the margin",
			SlopeTrial{X: decades(1, 1.5, 5), TwoSided: true, Of: OfMedian,
				Run: power(0, 0.25)}, 1, Refuted, Supported, 0.99},
		{"true, 25 %", SlopeTrial{X: long, Of: OfMedian, Run: power(0, 0.25)}, 1, Refuted,
			Supported, 0.85},
		{"true, 100 %", SlopeTrial{X: long, Of: OfMedian, Run: power(0, 1)}, 4, Refuted,
			Supported, 0.85},
		{"true, two-sided", SlopeTrial{X: half, TwoSided: true, Of: OfMedian, Run: power(0, 0.05)},
			1, Refuted, Supported,
			0.85},
		{"falling", SlopeTrial{X: half, Of: OfMedian, Run: power(-0.5, 0.3)}, 1, Refuted,
			Supported, 0.85},
		{"wrong by a quarter, 5 %", SlopeTrial{X: half, Of: OfMedian, Run: power(0.25, 0.05)}, 1,
			Supported, Refuted, 0.95},
		{"wrong by a quarter, 25 %", SlopeTrial{X: long, Of: OfMedian, Run: power(0.25, 0.25)}, 1,
			Supported, Refuted, 0.9},
		{"wrong by a quarter, 100 %", SlopeTrial{X: long, Of: OfMedian, Run: power(0.25, 1)}, 4,
			Supported, Refuted, 0.9},
		{"wrong by a quarter downwards",
			SlopeTrial{X: half, TwoSided: true, Of: OfMedian, Run: power(-0.25, 0.05)}, 1,
			Supported, Refuted, 0.95},
	}
	for _, c := range cases {
		c.trial.XLabel, c.trial.YLabel = "x", "y"
		const runs = 50
		count := map[Verdict]int{}
		for seed := range uint64(runs) {
			r := runOne(t, seed, Quick, Slope(func(*Source) SlopeTrial { return c.trial }).Effort(c.effort))
			if count[r.Verdict]++; r.Verdict == c.never {
				t.Errorf("%s, seed %d: %v (%s)", c.name, seed, r.Verdict, r.Evidence[0].Note)
				break
			}
			if r.Verdict == Error {
				t.Fatalf("%s: %s", c.name, r.Err)
			}
		}
		if got := float64(count[c.want]) / float64(runs); got < c.rate {
			t.Errorf("%s: %v in %.0f %% of the runs, want at least %.0f %%: %v", c.name,
				c.want, 100*got, 100*c.rate, count)
		}
		t.Log(c.name, count)
	}
}

func saturating(x float64) float64 { return x / (x + 10) }
func flatStart(x float64) float64  { return 1 + 0.001*x }
func oneLog(x float64) float64     { return 1 + math.Log(x) }

// rareGrowth has mean 1 + x and is 1 but for one run in a hundred.
func rareGrowth(t Trial, x float64) float64 {
	if t.Key.At(int(x)).Rand().Float64() < 0.01 {
		return 1 + 100*x
	}
	return 1
}

// TestRoundingIsNoGrowth: what is left of a difference that is zero grows with the size of the
// numbers, and is refuted by every run, but not when last bits move.
func TestRoundingIsNoGrowth(t *testing.T) {
	r := runOne(t, 1, Quick, Slope(func(*Source) SlopeTrial {
		return SlopeTrial{XLabel: "x", YLabel: "y", X: decades(1, 3, 7), Of: OfMedian,
			Run: func(t Trial, x float64) float64 {
				v := []float64{1.1 * x, 2.3 * x, 3.4 * x}
				t.Key.At(int(x)).Perturb(v)
				return 1e-18 + math.Abs(v[0]+v[1]-v[2])
			}}
	}))
	if r.Verdict == Refuted {
		t.Errorf("%v: %s", r.Verdict, r.Evidence[0].Note)
	}
	// two values of a function above an offset, which often round to the same side
	for seed := range uint64(200) {
		offset, l, near := math.Exp(10+0.05*float64(seed)), 1+float64(seed)/200, 1e-6
		r := runOne(t, seed, Quick, Slope(func(*Source) SlopeTrial {
			return SlopeTrial{XLabel: "x", YLabel: "y", X: []float64{1, 3, 10, 30, 100}, Of: OfMedian,
				Run: func(t Trial, x float64) float64 {
					r := t.Key.Rand()
					p, f := 4*r.Float64()-2, func(y float64) float64 { return x*offset + l/2*y*y }
					q := p + near*(0.1+0.9*r.Float64())
					bound := l / 2 * (q - p) * (q - p)
					return 1 + math.Abs(f(q)-f(p)-l*p*(q-p)-bound)/bound
				}}
		}))
		if r.Verdict == Refuted {
			t.Errorf("above %v, seed %d: %v: %s", offset, seed, r.Verdict, r.Evidence[0].Note)
		}
	}
	grows := power(0.5, 0.05)
	r = runOne(t, 1, Quick, Slope(func(*Source) SlopeTrial {
		return SlopeTrial{XLabel: "x", YLabel: "y", X: decades(1, 3, 7), Of: OfMedian,
			Run: func(t Trial, x float64) float64 {
				v := []float64{grows(t, x)}
				t.Key.At(int(x)).Perturb(v)
				return v[0]
			}}
	}))
	if r.Verdict != Refuted {
		t.Errorf("true growth: %v: %s", r.Verdict, r.Evidence[0].Note)
	}
}

// TestPairedLimits counts how often limits that are looked at after every value ever miss a median,
// for laws with and without atoms.
func TestPairedLimits(t *testing.T) {
	if testing.Short() {
		t.Skip("many seeds: seconds")
	}
	const reps, alpha, most = 4000, 0.05, 120
	for name, law := range map[string]func(u float64) (x, low, high float64){
		"uniform": func(u float64) (float64, float64, float64) { return u, 0.5, 0.5 },
		"lopsided": func(u float64) (float64, float64, float64) {
			return math.Exp(9 * u), math.Exp(4.5),
				math.Exp(4.5)
		},
		"two values": func(u float64) (float64, float64, float64) { return math.Round(u), 0, 1 },
		"atom":       func(u float64) (float64, float64, float64) { return max(u, 0.6), 0.6, 0.6 },
	} {
		below, above := 0, 0
		for rep := range reps {
			r := keyed.New(5).With(name).At(rep).Rand()
			var xs []float64
			under, over := false, false
			for range most {
				x, low, high := law(r.Float64())
				xs = append(xs, x)
				l, h := pairedLimits(xs, alpha)
				under, over = under || l > high, over || h < low
			}
			if under {
				below++
			}
			if over {
				above++
			}
		}
		for _, missed := range []int{below, above} {
			if binomialAtLeast(missed, reps, alpha) < 1e-6 {
				t.Errorf("%s: %d of %d missed on one side", name, missed, reps)
			}
		}
		if name == "uniform" && below+above < reps/100 {
			t.Errorf("%s: %d and %d of %d missed: the limits are wider than they need to be", name,
				below, above, reps)
		}
	}
	if l, h := pairedLimits([]float64{1, 2, 3}, 0.05); !math.IsInf(l, -1) || !math.IsInf(h, 1) {
		t.Error("three values have limits")
	}
}

// TestSharedRandomness: what both ends of a run share drops out of its exponent.
func TestSharedRandomness(t *testing.T) {
	trial := SlopeTrial{XLabel: "x", YLabel: "y", X: decades(1, 1.5, 4), Of: OfMedian,
		TwoSided: true}
	count := map[bool]int{}
	for _, shared := range []bool{true, false} {
		trial.Run = func(t Trial, x float64) float64 {
			key := t.Key
			if !shared {
				key = key.At(int(x))
			}
			return math.Exp(0.5*key.Rand().NormFloat64() +
				0.02*t.Key.With("own").At(int(x)).Rand().NormFloat64())
		}
		for seed := range uint64(20) {
			r := runOne(t, seed, Quick, Slope(func(*Source) SlopeTrial { return trial }))
			if r.Verdict != Supported {
				t.Errorf("shared %v, seed %d: %v (%s)", shared, seed, r.Verdict, r.Evidence[0].Note)
			}
			count[shared] += r.Evidence[0].Trials
		}
	}
	if 3*count[true] > count[false] {
		t.Errorf("%d runs where both ends share their noise, %d where they do not", count[true],
			count[false])
	}
}

// TestExponentsBeyondTheMargin: what is off by twice the margin is refuted, by either side, and
// never supported, however noisy; what is off by a little more than the margin is not supported.
func TestExponentsBeyondTheMargin(t *testing.T) {
	for _, off := range []float64{0.2, -0.2, 0.11, -0.11} {
		count := map[Verdict]int{}
		seeds := few(100)
		for seed := range uint64(seeds) {
			trial := SlopeTrial{XLabel: "x", YLabel: "y", X: decades(1, 2, 5), Of: OfMedian,
				TwoSided: true, Run: power(off, 0.3)}
			r := runOne(t, seed, Quick, Slope(func(*Source) SlopeTrial { return trial }))
			count[r.Verdict]++
		}
		if count[Supported] > 0 || math.Abs(off) == 0.2 && 100*count[Refuted] < 95*seeds {
			t.Errorf("off by %v with the margin 0.1: %v", off, count)
		}
	}
}

// TestTrendsSeldomWithholdSupport: the trend of a law that has none withholds support at its level,
// one in ten thousand for each of its tests. Where noise has long tails or only two values,
// Student's t is a little off.
func TestTrendsSeldomWithholdSupport(t *testing.T) {
	noises := map[string]func(r *rand.Rand) float64{
		"normal":     func(r *rand.Rand) float64 { return r.NormFloat64() },
		"lognormal":  func(r *rand.Rand) float64 { return math.Exp(r.NormFloat64()) },
		"two values": func(r *rand.Rand) float64 { return float64(r.IntN(2)) },
	}
	for name, noise := range noises {
		withheld, reps := 0, few(2000)
		for rep := range reps {
			r := keyed.New(9).With(name).At(rep).Rand()
			l := &ladder{of: OfMedian, x: []float64{1, 3, 10, 32}}
			for _, x := range l.x {
				l.lx = append(l.lx, math.Log(x))
			}
			for range 24 {
				l.runs = append(l.runs, []float64{noise(r), noise(r), noise(r), noise(r)})
			}
			tr := l.trend(1, 2)
			for _, side := range []float64{1, -1} { // with the margin that is hardest to keep
				if tr.last.above(side, 0, trendLevel) || tr.leads(side, 0) {
					withheld++
				}
			}
		}
		if binomialAtLeast(withheld, 4*reps, 2*trendLevel) < 1e-6 {
			t.Errorf("%s: %d of %d", name, withheld, reps)
		}
	}
}

// TestControlsThatShareTheExponent: what such a sweep shows is a ratio, and its evidence says so.
func TestControlsThatShareTheExponent(t *testing.T) {
	for _, c := range []struct {
		control func(x float64) float64
		want    Verdict
		shared  bool
	}{
		{func(float64) float64 { return 1.5 }, Vacuous, true},
		{func(float64) float64 { return 2.3 }, Supported, true},
		{func(float64) float64 { return 0.1 }, Supported, true},
		{func(x float64) float64 { return 1 / x }, Supported, false},
	} {
		r := runOne(t, 1, Quick, Slope(func(*Source) SlopeTrial {
			return SlopeTrial{XLabel: "x", YLabel: "y", X: decades(1, 2, 5), Of: OfMedian,
				TwoSided: true, Run: power(0, 0.05),
				Control: &Beside{Name: "control",
					Run: func(_ Trial, x float64) float64 { return c.control(x) }}}
		}))
		if r.Verdict != c.want || r.Evidence[0].Shared != c.shared {
			t.Errorf("a control that is %v at 1 and %v at 100: %v, shared %v: %s", c.control(1),
				c.control(100), r.Verdict,
				r.Evidence[0].Shared, r.Evidence[0].Note)
		}
	}
}
