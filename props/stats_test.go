package props

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"sledge/props/keyed"
)

// near reports whether a and b agree to a relative tolerance.
func near(a, b, tol float64) bool {
	return a == b || math.Abs(a-b) <= tol*max(math.Abs(a), math.Abs(b))
}

// exactBinomialAtLeast sums the tail in rational arithmetic.
func exactBinomialAtLeast(k, n int, p float64) float64 {
	P := new(big.Rat).SetFloat64(p)
	Q := new(big.Rat).Sub(big.NewRat(1, 1), P)
	power := func(x *big.Rat, m int) *big.Rat {
		r := big.NewRat(1, 1)
		for range m {
			r.Mul(r, x)
		}
		return r
	}
	sum := new(big.Rat)
	for j := k; j <= n; j++ {
		c := new(big.Int).Binomial(int64(n), int64(j))
		t := new(big.Rat).SetInt(c)
		t.Mul(t, power(P, j)).Mul(t, power(Q, n-j))
		sum.Add(sum, t)
	}
	f, _ := sum.Float64()
	return f
}

func TestBinomialTailsAreExact(t *testing.T) {
	for _, n := range []int{1, 2, 7, 40} {
		for _, p := range []float64{0.001, 0.05, 0.5, 0.93} {
			for k := 0; k <= n+1; k += max(1, n/7) {
				want := exactBinomialAtLeast(k, n, p)
				if got := binomialAtLeast(k, n, p); !near(got, want, 1e-11) {
					t.Errorf("P(Bin(%d, %v) ≥ %d) = %v, want %v", n, p, k, got, want)
				}
				if got := binomialAtMost(k-1, n, p); math.Abs(got-(1-want)) > 1e-12 {
					t.Errorf("P(Bin(%d, %v) ≤ %d) = %v, want %v", n, p, k-1, got, 1-want)
				}
			}
		}
	}
}

// The tables below are those of the statistics page of the project, computed independently of this
// code.

// The number of runs without an event that show that its probability is at most delta.
func TestRunsForZero(t *testing.T) {
	alphas := []float64{0.05, 0.01, 0.001}
	for delta, want := range map[float64][]int{
		0.2:   {14, 21, 31},
		0.1:   {29, 44, 66},
		0.05:  {59, 90, 135},
		0.01:  {299, 459, 688},
		0.001: {2995, 4603, 6905},
	} {
		for i, alpha := range alphas {
			n := want[i]
			if _, high := ClopperPearson(0, n, alpha); high > delta {
				t.Errorf("upper limit after %d runs without an event is %v, above %v", n,
					high, delta)
			}
			if _, high := ClopperPearson(0, n-1, alpha); high <= delta {
				t.Errorf("upper limit after %d runs without an event is %v already", n-1, high)
			}
		}
	}
}

func TestClopperPearson(t *testing.T) {
	for _, c := range []struct {
		k, n int
		want float64
	}{{0, 300, 0.0099}, {5, 300, 0.0347}} {
		if _, high := ClopperPearson(c.k, c.n, 0.05); math.Abs(high-c.want) > 5e-5 {
			t.Errorf("%d/%d: upper limit %v, want %v", c.k, c.n, high, c.want)
		}
	}
	for _, n := range []int{1, 10, 400} {
		for k := 0; k <= n; k += max(1, n/10) {
			for _, alpha := range []float64{0.05, 1e-6} {
				low, high := ClopperPearson(k, n, alpha)
				if k > 0 && !near(binomialAtLeast(k, n, low), alpha, 1e-9) || k == 0 && low != 0 {
					t.Errorf("%d/%d at %v: lower limit %v has tail %v", k, n, alpha, low,
						binomialAtLeast(k, n, low))
				}
				if k < n && !near(binomialAtMost(k, n, high), alpha, 1e-9) || k == n && high != 1 {
					t.Errorf("%d/%d at %v: upper limit %v has tail %v", k, n, alpha, high,
						binomialAtMost(k, n, high))
				}
			}
		}
	}
}

func TestPowerTable(t *testing.T) {
	const delta = 0.05
	for _, c := range []struct {
		alpha    float64
		n, k     int
		power    [4]float64 // at 1.25, 1.5, 2 and 3 delta
		accuracy float64
	}{
		{0.01, 100, 12, [4]float64{0.02, 0.07, 0.30, 0.84}, 0.005},
		{0.01, 200, 19, [4]float64{0.05, 0.17, 0.63, 0.99}, 0.005},
		{0.01, 500, 38, [4]float64{0.13, 0.49, 0.97, 1.00}, 0.005},
		{0.01, 1000, 68, [4]float64{0.25, 0.82, 1.00, 1.00}, 0.005},
		{0.01 / 40, 500, 45, [4]float64{0.01, 0.12, 0.79, 1.00}, 0.005},
		{0.01 / 40, 1000, 77, [4]float64{0.04, 0.42, 0.995, 1.00}, 0.005},
	} {
		if binomialAtLeast(c.k, c.n, delta) > c.alpha ||
			binomialAtLeast(c.k-1, c.n, delta) <= c.alpha {
			t.Errorf("alpha %v, n %d: %d is not the critical count", c.alpha, c.n, c.k)
		}
		for i, m := range []float64{1.25, 1.5, 2, 3} {
			if p := binomialAtLeast(c.k, c.n, m*delta); math.Abs(p-c.power[i]) > c.accuracy {
				t.Errorf("alpha %v, n %d, true %v delta: power %v, want %v", c.alpha, c.n, m, p,
					c.power[i])
			}
		}
	}
	// the e-process stops by run 528 in 90 % at twice the rate
	if p := detectableRate(500, delta, 0.01, 0.9); p < 2*delta || p > 2.2*delta {
		t.Errorf("500 runs detect %v with power 0.97, want about %v", p, 2*delta)
	}
}

// expectation returns the mean of the e-value after one observation with probability p of the
// event.
func (p *bernoulliEProcess) expectation(prob float64) float64 {
	e := 0.0
	for i, w := range p.logWealth {
		e += math.Exp(w) * (prob*math.Exp(p.hit[i]) + (1-prob)*math.Exp(p.miss[i]))
	}
	return e
}

// TestBernoulliEProcessIsASupermartingale checks the defining inequality exactly, in place of
// simulating it.
func TestBernoulliEProcessIsASupermartingale(t *testing.T) {
	for _, delta := range []float64{1e-6, 0.01, 0.05, 0.3, 0.5, 0.9} {
		for _, f := range []float64{0, 0.25, 0.5, 0.9, 1} {
			if e := newBernoulliRefuter(delta).expectation(f * delta); e > 1+1e-12 {
				t.Errorf("refuter of %v: e-value has mean %v at probability %v", delta, e, f*delta)
			}
			if e := newBernoulliSupporter(delta).expectation(delta + f*(1-delta)); e > 1+1e-12 {
				t.Errorf("supporter of %v: e-value has mean %v at probability %v", delta, e,
					delta+f*(1-delta))
			}
		}
		if e := newBernoulliRefuter(delta).expectation(min(1, 2*delta)); delta < 0.6 && e <= 1 {
			t.Errorf("refuter of %v does not grow at twice it", delta)
		}
		if e := newBernoulliSupporter(delta).expectation(delta / 4); e <= 1 {
			t.Errorf("supporter of %v does not grow at a quarter of it", delta)
		}
	}
}

func bernoulliRefutes(r *rand.Rand, delta, p, alpha float64, horizon int) (stop int, refuted bool) {
	e := newBernoulliRefuter(delta)
	for n := 1; n <= horizon; n++ {
		e.Observe(r.Float64() < p)
		if e.Rejects(alpha) {
			return n, true
		}
	}
	return horizon, false
}

// TestBernoulliEProcessOperatingCharacteristics repeats the simulation of the statistics page with
// fewer repetitions: delta 0.05, alpha 0.01, horizon 2000.
func TestBernoulliEProcessOperatingCharacteristics(t *testing.T) {
	const delta, alpha, horizon, reps = 0.05, 0.01, 2000, 600
	for i, c := range []struct{ p, refutes, slack, median float64 }{
		{0.05, 0.0073, 0.016, 0},
		{0.0625, 0.25, 0.06, 0},
		{0.075, 0.92, 0.04, 837},
		{0.10, 1, 0.005, 246},
		{0.30, 1, 0.005, 17},
	} {
		var stops []float64
		count := 0.0
		for rep := range reps {
			stop, refuted := bernoulliRefutes(keyed.New(1).At(i).At(rep).Rand(), delta, c.p,
				alpha, horizon)
			if refuted {
				count++
			}
			stops = append(stops, float64(stop))
		}
		if f := count / reps; math.Abs(f-c.refutes) > c.slack {
			t.Errorf("true %v: refuted in %v of the repetitions, want %v", c.p, f, c.refutes)
		}
		if m := Quantiles(stops, 0.5)[0]; c.median > 0 && math.Abs(m/c.median-1) > 0.15 {
			t.Errorf("true %v: median stop %v, want %v", c.p, m, c.median)
		}
	}
}

func TestSupportNeedsAnUnbrokenSeries(t *testing.T) {
	const delta, alpha = 0.05, 0.01
	e := newBernoulliSupporter(delta)
	n := 0
	for ; !e.Rejects(alpha); n++ {
		e.Observe(false)
	}
	// between all weight on 0 (90 runs) and half of it there (⌈ln(2/alpha)/-ln(1-delta)⌉ = 104
	// runs)
	if n < 90 || n > 104 {
		t.Errorf("supported after %d runs without an event", n)
	}
}

// TestBettingBoundary repeats the simulation of the statistics page at the boundary and beyond it
// for lognormal values.
func TestBettingBoundary(t *testing.T) {
	const alpha, horizon, reps, sigma = 0.01, 1000, 300, 1.0
	for i, c := range []struct{ ratio, atLeast, atMost float64 }{{1, 0, 0.03}, {1.5, 0.97, 1}, {2, 1, 1}} {
		count := 0.0
		for rep := range reps {
			r := keyed.New(2).At(i).At(rep).Rand()
			e := newBettingAbove(1, 0)
			for range horizon {
				e.Observe(c.ratio * math.Exp(sigma*r.NormFloat64()-sigma*sigma/2))
				if e.Rejects(alpha) {
					count++
					break
				}
			}
		}
		if f := count / reps; f < c.atLeast || f > c.atMost {
			t.Errorf("mean %v times the bound: refuted in %v of the repetitions", c.ratio, f)
		}
	}
}

// TestBettingSupport checks that heavy tails do not support a false bound: a value that is rarely
// large looks small most of the time.
func TestBettingSupport(t *testing.T) {
	const alpha, reps, n = 0.01, 400, 300
	count := 0.0
	for rep := range reps {
		r := keyed.New(3).At(rep).Rand()
		e := newBettingBelow(0.01, 1)
		for range n {
			x := 0.0
			if r.Float64() < 0.0101 {
				x = 1
			}
			e.Observe(x)
			if e.Rejects(alpha) {
				count++
				break
			}
		}
	}
	if f := count / reps; f > 0.025 {
		t.Errorf("false support in %v of the repetitions", f)
	}
}

func TestBettingLimitsCover(t *testing.T) {
	const alpha, reps, n, mean = 0.05, 200, 200, 0.3
	miss, width := 0.0, 0.0
	for rep := range reps {
		r := keyed.New(4).At(rep).Rand()
		xs := make([]float64, n)
		for i := range xs {
			xs[i] = 0.6 * r.Float64()
		}
		low, high := bettingLimits(xs, 0, 1, alpha)
		if low > mean || high < mean {
			miss++
		}
		width += (high - low) / reps
	}
	if f := miss / reps; f > 2*alpha {
		t.Errorf("limits miss the mean in %v of the repetitions", f)
	}
	if width > 0.15 {
		t.Errorf("limits are %v apart on average", width)
	}
}

func TestDKW(t *testing.T) {
	if got := dkw(200, 0.05); !near(got, math.Sqrt(math.Log(40)/400), 1e-14) {
		t.Errorf("half width %v", got)
	}
	xs := []float64{0.9, 0.1, 0.5}
	if d, at := cdfDistance(xs, func(x float64) float64 { return x }); !near(d, 0.9-2.0/3, 1e-12) ||
		at != 0.9 {
		t.Errorf("distance %v at %v", d, at)
	}
	miss := 0.0
	for rep := range 400 {
		r := keyed.New(5).At(rep).Rand()
		xs := make([]float64, 50)
		for i := range xs {
			xs[i] = r.Float64()
		}
		if d, _ := cdfDistance(xs, func(x float64) float64 { return x }); d > dkw(50, 0.1) {
			miss++
		}
	}
	if f := miss / 400; f > 0.14 || f < 0.02 {
		t.Errorf("the band of level 0.9 is left in %v of the repetitions", f)
	}
}

func TestQuantiles(t *testing.T) {
	if q := Quantiles([]float64{3, 1, 2, 5, 4}, 0, 0.1, 0.5, 1); q[0] != 1 ||
		!near(q[1], 1.4, 1e-14) || q[2] != 3 ||
		q[3] != 5 {
		t.Errorf("quantiles %v", q)
	}
	if q := Quantiles(nil, 0.5); !math.IsNaN(q[0]) {
		t.Errorf("quantile of nothing %v", q)
	}
}
