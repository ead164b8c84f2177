package concentration_test

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/combin"
	"pgregory.net/rapid"

	"sledge/concentration"
	"sledge/props/enclosure"
	"sledge/props/proptest"
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*max(1, math.Abs(want))) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

// The radius is the bound solved for it.
func TestRadiusInvertsTheBound(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		logInverse := rapid.Float64Range(0.01, 400).Draw(rt, "log 1/δ")
		n := rapid.IntRange(1, 1000).Draw(rt, "n")
		r := concentration.HoeffdingRadius(n, logInverse)
		near(t, "2exp(-2r²/n)/failure", 2*math.Exp(-2*r*r/float64(n)+logInverse), 1, 1e-9)
	})
}

// A counterexample to the printed bound for sampling without replacement, certified from scratch:
// 1000 ones among 100000, 1000 draws.
func TestPrintedNoReplacementFails(t *testing.T) {
	const k, marked, l = 100_000, 1000, 1000
	// the sum of the centred sample is 50 - 10 = 40 or more
	p := concentration.ExactHypergeometric(k, marked, l).Upper(50)
	sigma2 := big.NewRat(marked*(k-marked), k*k)
	R := big.NewRat(k-marked, k)
	bound := func(a, b *big.Rat) enclosure.Interval {
		den := new(big.Rat).Mul(a, new(big.Rat).Mul(big.NewRat(l, 1), sigma2))
		den.Add(den, new(big.Rat).Mul(b, new(big.Rat).Mul(R, big.NewRat(40, 1))))
		return enclosure.Rat(den.Quo(big.NewRat(-1600, 1), den)).Exp().Mul(enclosure.Int(2))
	}
	printed := bound(big.NewRat(2, 1), big.NewRat(1, 3))
	if p.Cmp(printed.Upper()) <= 0 {
		t.Errorf("P = %v does not exceed the printed bound %v", asFloat(p),
			asFloat(printed.Upper()))
	}
	if ratio := asFloat(p) / asFloat(printed.Upper()); math.Abs(ratio-21.03) > 0.01 {
		t.Errorf("P is %v times the printed bound, expected 21.03", ratio)
	}
	correct := bound(big.NewRat(2, 1), big.NewRat(2, 3))
	if p.Cmp(correct.Lower()) >= 0 {
		t.Errorf("P = %v exceeds the corrected bound %v", asFloat(p), asFloat(correct.Lower()))
	}
}

// WorstMartingale against a direct recursion over all adapted choices of two-point laws, in exact
// arithmetic.
func TestWorstMartingale(t *testing.T) {
	var best func(steps []concentration.Increments, y, threshold int) *big.Rat
	best = func(steps []concentration.Increments, y, threshold int) *big.Rat {
		if len(steps) == 0 {
			if y >= threshold || -y >= threshold {
				return big.NewRat(1, 1)
			}
			return new(big.Rat)
		}
		max := best(steps[1:], y, threshold)
		for up := 1; up <= steps[0].Range; up++ {
			for down := 1; down <= steps[0].Range; down++ {
				if v := steps[0].Variance; v > 0 && up*down > v {
					continue
				}
				p := new(big.Rat).Mul(big.NewRat(int64(down), int64(up+down)),
					best(steps[1:], y+up, threshold))
				p.Add(p, new(big.Rat).Mul(big.NewRat(int64(up), int64(up+down)),
					best(steps[1:], y-down, threshold)))
				if p.Cmp(max) > 0 {
					max = p
				}
			}
		}
		return max
	}
	for _, steps := range [][]concentration.Increments{
		{{Range: 3}}, {{1, 0}, {2, 0}, {3, 0}}, {{3, 2}, {3, 2}, {3, 2}}, {{2, 1}, {2, 0}, {1, 1},
			{2, 3}}, {{0, 0}, {2, 2}},
	} {
		for threshold := range 9 {
			near(t, "worst martingale", concentration.WorstMartingale(steps, threshold),
				asFloat(best(steps, 0, threshold)),
				1e-14)
		}
	}
	// Against signs the adversary can only decide when to stop: the probability of reaching the
	// threshold, counted over all paths.
	const k = 10
	for threshold := 1; threshold <= k; threshold++ {
		hits := 0
		for path := range 1 << k {
			y := 0
			for i := range k {
				y += 1 - 2*(path>>i&1)
				if y == threshold || y == -threshold {
					hits++
					break
				}
			}
		}
		steps := make([]concentration.Increments, k)
		for i := range steps {
			steps[i].Range = 1
		}
		near(t, "signs", concentration.WorstMartingale(steps, threshold),
			float64(hits)/(1<<k), 1e-14)
	}
}

func TestWorstSignedWalk(t *testing.T) {
	for k := 1; k <= 12; k++ {
		near(t, "always orthogonal", concentration.WorstSignedWalk(k, k), 1, 0)
		near(t, "always parallel", concentration.WorstSignedWalk(k, k*k),
			math.Pow(2, 1-float64(k)), 1e-14)
		near(t, "out of reach", concentration.WorstSignedWalk(k, k*k+1), 0, 0)
		for square := 1; square <= k*k; square++ {
			line := make([]concentration.Increments, k)
			for i := range line {
				line[i].Range = 1
			}
			root := int(math.Ceil(math.Sqrt(float64(square))))
			if p, q := concentration.WorstSignedWalk(k, square), concentration.WorstMartingale(line,
				root); p < q-1e-14 {
				t.Errorf("k = %d, square %d: more directions lower the maximum from %v to %v", k,
					square, q, p)
			}
		}
	}
}

func TestUnsampledLaw(t *testing.T) {
	for _, c := range []struct {
		n, b, steps int
	}{{1, 1, 1}, {5, 2, 0}, {6, 1, 4}, {12, 5, 3}, {20, 3, 9}, {9, 9, 2}} {
		agree(t, "unsampled indexes", concentration.UnsampledLaw(c.n, c.b, c.steps),
			concentration.ExactUnsampledLaw(c.n, c.b, c.steps))
	}
	// Inclusion and exclusion over the unsampled set, an independent formula: P(|Ĩ| = u) = C(n,u)
	// Σ_i (−1)^i C(n−u,i) (C(n−u−i,b)/C(n,b))^steps.
	const n, b, steps = 9, 2, 5
	law := concentration.ExactUnsampledLaw(n, b, steps)
	for u := 0; u <= n; u++ {
		sum := new(big.Rat)
		for i := 0; i <= n-u-b; i++ {
			term := big.NewRat(int64(combin.Binomial(n-u, i))*int64(1-2*(i%2)), 1)
			for range steps {
				term.Mul(term, big.NewRat(int64(combin.Binomial(n-u-i, b)),
					int64(combin.Binomial(n, b))))
			}
			sum.Add(sum, term)
		}
		sum.Mul(sum, big.NewRat(int64(combin.Binomial(n, u)), 1))
		if law.Prob(int64(u)).Cmp(sum) != 0 {
			t.Errorf("P(|Ĩ| = %d) = %v, want %v", u, law.Prob(int64(u)), sum)
		}
	}
}

func TestNeverDrawnAgainstAllPatterns(t *testing.T) {
	for _, c := range []struct {
		n, b, length, T int
	}{{3, 1, 2, 9}, {5, 2, 1, 6}, {4, 3, 4, 12}, {10, 1, 5, 5},
		{10, 1, 6, 5}, {4, 4, 1, 3}} {
		miss, want := 1-float64(c.b)/float64(c.n), 0.0
		for pattern := range 1 << c.T {
			p, run, longest := 1.0, 0, 0
			for i := range c.T {
				if pattern>>i&1 == 1 {
					p *= miss
					run++
					longest = max(longest, run)
				} else {
					p *= 1 - miss
					run = 0
				}
			}
			if longest >= c.length {
				want += p
			}
		}
		near(t, "probability of a long gap",
			math.Exp(concentration.NeverDrawn(c.n, c.b, c.length, c.T)), want, 1e-13)
	}
}

func TestSlab(t *testing.T) {
	near(t, "slab of an interval", concentration.SlabFraction(1, 2, 1), 0.25, 1e-13)
	near(t, "slab of a disc", concentration.SlabFraction(2, 1, 1),
		(math.Sqrt(3)/2+math.Pi/3)/math.Pi, 1e-12)
	near(t, "slab of a ball", concentration.SlabFraction(3, 1, 0.5),
		(3*0.25-math.Pow(0.25, 3))/2, 1e-12)
	near(t, "everything", concentration.SlabFraction(3, 1, 2), 1, 0)
	for d, want := range map[int]float64{1: 0.5, 2: 2 / math.Pi, 3: 0.75, 4: 8 / (3 * math.Pi),
		5: 15. / 16} {
		near(t, "V_{d-1}/V_d", concentration.BallRatio(d), want, 1e-13)
	}
	for d := 1; d <= 400; d++ { // the derivative of the slab at thickness 0
		near(t, "thin slab over its thickness", concentration.SlabFraction(d, 1,
			1e-7)/1e-7/concentration.BallRatio(d), 1,
			1e-8)
		if half := mathext.RegIncBeta(0.5, float64(d+1)/2, 1); half != 1 {
			t.Errorf("incomplete beta at 1 is %v", half)
		}
	}
}

// The search must notice statements that are a little too good.
func TestWrongStatementsAreRefuted(t *testing.T) { proptest.Refuted(t, concentration.Wrong()) }

// What is wrong with a statement is said in one sentence, which names it and what is known.
func TestBadStatements(t *testing.T) {
	for _, w := range [][4]string{
		{"tails", "urns", "tail ≤ 1", `there are no tails of "urns"; there are tails of independent`},
		{"tails", "samples", "tail ≥ exp(−t/R)", "a tail is at most a bound: tail ≤ …"},
		{"tails", "samples", "tail ≤ exp(−t²/(V + Rt))", "V is not known here; known are t, l, k, σ, R, d"},
		{"tails", "samples", "tail ≤ exp(−t²/R)", "t²/R has the unit x"},
		{"tails", "samples", "tail ≤ t", "tail has the unit 1, but t has x"},
		{"laws", "urns", "radius ≤ R", `there are no laws of "urns"; there are laws of balls, `},
		{"laws", "tries", "radius ≤ R", "radius is not known here; known are N, ν, reached"},
	} {
		if err := concentration.Said(w[0], w[1], w[2]); err == nil ||
			!strings.Contains(err.Error(), w[3]) {
			t.Errorf("%s of %s: %s: %v, not %q", w[0], w[1], w[2], err, w[3])
		}
	}
}
