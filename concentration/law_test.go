package concentration_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mathext"
	"pgregory.net/rapid"

	"sledge/concentration"
	"sledge/props/enclosure"
)

func asFloat(r *big.Rat) float64 { f, _ := r.Float64(); return f }

// agree compares a fast law with an exact one, point by point and tail by tail, in relative terms.
func agree(t *testing.T, what string, fast concentration.Law, exact concentration.ExactLaw) {
	t.Helper()
	if d := cmp.Diff(exact.Support(), fast.Support()); d != "" {
		t.Fatalf("%s: supports differ (-exact +fast):\n%s", what, d)
	}
	approx := exact.Approximate()
	for _, x := range exact.Support() {
		for name, pair := range map[string][2]float64{
			"P(X = %d)": {fast.LogProb(x), approx.LogProb(x)},
			"P(X ≥ %d)": {fast.LogUpper(x), approx.LogUpper(x)},
			"P(X ≤ %d)": {fast.LogLower(x), approx.LogLower(x)},
		} {
			if math.Abs(pair[0]-pair[1]) > 1e-12*max(1, math.Abs(pair[1])) {
				t.Errorf("%s: log "+name+" = %v, exactly %v", what, x, pair[0], pair[1])
			}
		}
		for name, pair := range map[string][2]float64{
			"P(X ≥ %d)": {approx.LogUpper(x), asFloat(exact.Upper(x))},
			"P(X ≤ %d)": {approx.LogLower(x), asFloat(exact.Lower(x))},
			"P(X = %d)": {approx.LogProb(x), asFloat(exact.Prob(x))},
		} {
			if p := pair[1]; p > 1e-300 && math.Abs(math.Exp(pair[0])/p-1) > 1e-10 {
				t.Errorf("%s: "+name+" = %v, exactly %v", what, x, math.Exp(pair[0]), p)
			}
		}
	}
	mean := asFloat(exact.Mean())
	if math.Abs(fast.Mean()-mean) > 1e-9*max(1, math.Abs(mean)) {
		t.Errorf("%s: mean %v, exactly %v", what, fast.Mean(), mean)
	}
	variance := asFloat(exact.Moment(func(x int64) *big.Rat {
		d := new(big.Rat).Sub(new(big.Rat).SetInt64(x), exact.Mean())
		return d.Mul(d, d)
	}))
	if math.Abs(fast.Variance()-variance) > 1e-8*max(1, variance) {
		t.Errorf("%s: variance %v, exactly %v", what, fast.Variance(), variance)
	}
}

func TestFastLawsAgreeWithExactOnes(t *testing.T) {
	checks := 0
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(rt, "n")
		den := rapid.Int64Range(2, 1000).Draw(rt, "den")
		num := rapid.Int64Range(1, den-1).Draw(rt, "num")
		p := float64(num) / float64(den)
		agree(t, "binomial", concentration.Binomial(n, p), concentration.ExactBinomial(n, num, den))
		lo := rapid.Int64Range(-9, 3).Draw(rt, "lo")
		hi := lo + rapid.Int64Range(1, 40).Draw(rt, "width")
		copies := n%7 + 1
		agree(t, "sum of two-point variables", concentration.TwoPoint(lo, hi, p).Times(copies),
			concentration.ExactTwoPoint(lo, hi, num, den).Times(copies))
		a, b := concentration.TwoPoint(lo, hi, p), concentration.ExactTwoPoint(lo, hi, num, den)
		square := func(x int64) int64 { return x * x }
		shift := rapid.Int64Range(-30, 30).Draw(rt, "shift")
		agree(t, "squares of one sum", a.Times(copies).Squares(3, shift),
			b.Times(copies).Map(func(x int64) int64 { return square(3*x - shift) }))
		agree(t, "squares", a.Times(copies).Map(square).Plus(a),
			b.Times(copies).Map(square).Plus(b))
		population := rapid.IntRange(1, 80).Draw(rt, "population")
		marked, sample := rapid.IntRange(0, population).Draw(rt, "marked"), rapid.IntRange(0,
			population).Draw(rt, "sample")
		exact := concentration.ExactHypergeometric(population, marked, sample)
		agree(t, "hypergeometric", concentration.Hypergeometric(population, marked, sample), exact)
		if m := big.NewRat(int64(sample)*int64(marked),
			int64(population)); exact.Mean().Cmp(m) != 0 {
			t.Errorf("hypergeometric mean %v, want %v", exact.Mean(), m)
		}
		checks++
	})
	least := 50
	if testing.Short() { // rapid makes a fifth of its checks then
		least = 20
	}
	if checks < least {
		t.Errorf("only %d checks were executed", checks)
	}
}

// Far tails: independent formulas where float64 has no numbers left, and the incomplete beta
// function where it has.
func TestFarTails(t *testing.T) {
	if got, want := concentration.Binomial(2000,
		1e-3).LogUpper(2000), 2000*math.Log(1e-3); math.Abs(got/want-1) > 1e-12 {
		t.Errorf("log P(Bin(2000, 0.001) = 2000) = %v, want %v", got, want)
	}
	law := concentration.Binomial(3000, 0.3)
	for x := 901; x < 1400; x += 50 {
		want := mathext.RegIncBeta(float64(x), float64(3000-x+1), 0.3)
		if got := math.Exp(law.LogUpper(int64(x))); math.Abs(got/want-1) > 1e-9 {
			t.Errorf("P(Bin(3000, 0.3) ≥ %d) = %v, want %v", x, got, want)
		}
	}
	// All 500 marked items in a sample of 500 out of 1000: one subset.
	subsets := new(big.Float).SetInt(new(big.Int).Binomial(1000, 500))
	mantissa, _ := new(big.Float).SetMantExp(subsets, -900).Float64()
	if got, want := concentration.Hypergeometric(1000, 500,
		500).LogUpper(500), -math.Log(mantissa)-900*math.Ln2; math.Abs(got/want-1) > 1e-12 {
		t.Errorf("log P(all marked) = %v, want %v", got, want)
	}
	far := concentration.TwoPoint(0, 1, 1e-12).Times(64)
	if got, want := far.LogUpper(64), 64*math.Log(1e-12); math.Abs(got/want-1) > 1e-12 {
		t.Errorf("log P(all 64 happen) = %v, want %v", got, want)
	}
}

// Enclosures of tails contain the exact ones and are narrow.
func TestEnclosedTails(t *testing.T) {
	encloses := func(what string, a enclosure.Interval, p *big.Rat) {
		t.Helper()
		if a.Lower().Cmp(p) > 0 || a.Upper().Cmp(p) < 0 {
			t.Errorf("%s: [%v, %v] misses %v", what, a.Lower().FloatString(40),
				a.Upper().FloatString(40), p.FloatString(40))
		}
		width := new(big.Rat).Sub(a.Upper(), a.Lower())
		if width.Mul(width, big.NewRat(1e15, 1)).Mul(width, big.NewRat(1e4, 1)).Cmp(p) > 0 {
			t.Errorf("%s: relative width above 1e-19", what)
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 400).Draw(rt, "n")
		den := rapid.Int64Range(2, 1000).Draw(rt, "den")
		num := rapid.Int64Range(1, den-1).Draw(rt, "num")
		x := rapid.IntRange(-1, n+1).Draw(rt, "x")
		encloses("binomial", concentration.EncloseBinomial(n, num, den, x),
			concentration.ExactBinomial(n, num, den).Upper(int64(x)))
		marked, sample := rapid.IntRange(0, n).Draw(rt, "marked"),
			rapid.IntRange(0, n).Draw(rt, "sample")
		encloses("hypergeometric", concentration.EncloseHypergeometric(n, marked, sample, x),
			concentration.ExactHypergeometric(n, marked, sample).Upper(int64(x)))
	})
	lo, hi := concentration.EncloseBinomial(100_000, 1, 2, 51_000).Float64()
	if want := math.Exp(concentration.Binomial(100_000, 0.5).LogUpper(51_000)); math.Abs(
		lo/want-1) > 1e-10 || lo > hi {
		t.Errorf("P(Bin(100000, 1/2) ≥ 51000) in [%v, %v], want near %v", lo, hi, want)
	}
}

func TestQuantile(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		law := concentration.Binomial(rapid.IntRange(1, 40).Draw(rt, "n"),
			rapid.Float64Range(0.01, 0.99).Draw(rt, "p"))
		logDelta := -rapid.Float64Range(0, 60).Draw(rt, "-log δ")
		q := law.Quantile(logDelta)
		if tail := law.LogUpper(q + 1); tail > logDelta+1e-9 {
			t.Errorf("log P(X > %d) = %v > %v", q, tail, logDelta)
		}
		if q > law.Min() && law.LogUpper(q) <= logDelta-1e-9 {
			t.Errorf("%d is not the smallest quantile of level e^%v", q, logDelta)
		}
	})
}

// A sample of a small population, enumerated subset by subset, against the class-wise computation.
func TestSampleLawAgainstEnumeration(t *testing.T) {
	type item struct{ class, sign int }
	var items []item
	for range 3 {
		items = append(items, item{class: 0})
	}
	for range 2 {
		items = append(items, item{1, 1}, item{1, -1}, item{2, 1}, item{2, -1})
	}
	square := func(v int) int64 { return int64(v) * int64(v) }
	for sample := 0; sample <= len(items); sample++ {
		want, total := map[int64]int64{}, int64(0)
		for subset := range 1 << len(items) {
			var sums [3]int
			size := 0
			for i, it := range items {
				if subset>>i&1 == 1 {
					size++
					if it.class == 0 {
						sums[0]++
					} else {
						sums[it.class] += it.sign
					}
				}
			}
			if size == sample {
				want[7*square(sums[0])+square(sums[1])+3*square(sums[2])]++
				total++
			}
		}
		law := concentration.SampleLaw(sample,
			concentration.Alike(3, func(c int) int64 { return 7 * square(c) }),
			concentration.Opposites(2, square),
			concentration.Opposites(2, func(d int) int64 { return 3 * square(d) }))
		if len(law.Support()) != len(want) {
			t.Fatalf("sample %d: support %v, want the keys of %v", sample, law.Support(), want)
		}
		for x, ways := range want {
			if law.Prob(x).Cmp(big.NewRat(ways, total)) != 0 {
				t.Errorf("sample %d: P(%d) = %v, want %d/%d", sample, x, law.Prob(x), ways, total)
			}
		}
	}
}

func TestBadLawsPanic(t *testing.T) {
	for name, f := range map[string]func(){
		"probability above 1": func() { concentration.Binomial(3, 1.1) },
		"NaN probability":     func() { concentration.Binomial(3, math.NaN()) },
		"negative trials":     func() { concentration.ExactBinomial(-1, 1, 2) },
		"certain two-point":   func() { concentration.ExactTwoPoint(0, 1, 2, 2) },
		"equal points":        func() { concentration.TwoPoint(1, 1, 0.5) },
		"sample above":        func() { concentration.Hypergeometric(3, 1, 4) },
		"marked above":        func() { concentration.ExactHypergeometric(3, 4, 1) },
		"no copies":           func() { concentration.TwoPoint(0, 1, 0.5).Times(0) },
		"classes too small": func() {
			concentration.SampleLaw(3, concentration.Alike(2, func(int) int64 { return 0 }))
		},
		"exact without copies": func() { concentration.ExactTwoPoint(0, 1, 1, 2).Times(0) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}
