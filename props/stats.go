package props

import (
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

var nan = math.NaN()

// binomialAtLeast returns P(Bin(n, p) ≥ k) as an incomplete beta function, which does not cancel.
func binomialAtLeast(k, n int, p float64) float64 {
	switch {
	case k <= 0:
		return 1
	case k > n:
		return 0
	}
	return mathext.RegIncBeta(float64(k), float64(n-k+1), p)
}

// binomialAtMost returns P(Bin(n, p) ≤ k).
func binomialAtMost(k, n int, p float64) float64 {
	return distuv.Binomial{N: float64(n), P: p}.CDF(float64(k))
}

// ClopperPearson returns one-sided confidence limits for the probability of an event seen k times
// in n runs, each of level 1-alpha (Clopper and Pearson, Biometrika 26, 1934): the smallest p with
// P(Bin(n,p) ≥ k) ≥ alpha and the largest with P(Bin(n,p) ≤ k) ≥ alpha.
func ClopperPearson(k, n int, alpha float64) (low, high float64) {
	if n == 0 {
		return 0, 1
	}
	low, high = 0, 1
	if k > 0 {
		low = bisect(func(p float64) bool { return binomialAtLeast(k, n, p) >= alpha })
	}
	if k == 0 {
		high = -math.Expm1(math.Log(alpha) / float64(n))
	} else if k < n {
		high = bisect(func(p float64) bool { return binomialAtMost(k, n, p) < alpha })
	}
	return low, high
}

// bisect returns where a monotone proposition on [0, 1] turns true.
func bisect(turned func(float64) bool) float64 {
	lo, hi := 0.0, 1.0
	for range 200 {
		mid := (lo + hi) / 2
		if mid == lo || mid == hi {
			break
		}
		if turned(mid) {
			hi = mid
		} else {
			lo = mid
		}
	}
	return hi
}

// eProcess is a mixture of test martingales: a nonnegative process that has mean at most 1 under
// its null hypothesis at any stopping time, so that reaching 1/alpha at any time rejects the
// hypothesis at level alpha (Ville's inequality).
type eProcess struct {
	logWealth []float64 // of each component, its weight included
	logSum    float64
}

func newEProcess(weights []float64) *eProcess {
	p := &eProcess{logWealth: make([]float64, len(weights))}
	total := floats.Sum(weights)
	for i, w := range weights {
		p.logWealth[i] = math.Log(w / total)
	}
	return p
}

// LogE returns the logarithm of the e-value so far.
func (p *eProcess) LogE() float64 { return p.logSum }

// Rejects reports whether the e-value has reached 1/alpha.
func (p *eProcess) Rejects(alpha float64) bool { return p.logSum >= -math.Log(alpha) }

// update adds to the logarithm of each component.
func (p *eProcess) update(gains []float64) {
	floats.Add(p.logWealth, gains)
	p.logSum = logSum(p.logWealth, 1)
}

// logSum returns the logarithm of the sum of exponentials, divided by a total.
func logSum(logs []float64, total float64) float64 {
	top := slices.Max(logs)
	if math.IsInf(top, 0) {
		return top
	}
	sum := 0.0
	for _, x := range logs {
		sum += math.Exp(x - top)
	}
	return top + math.Log(sum/total)
}

// bernoulliEProcess tests a hypothesis about the probability of an event by the likelihood ratios
// of a mixture of alternatives.
type bernoulliEProcess struct {
	eProcess
	hit, miss []float64 // logarithms of the likelihood ratios of one run with and without the event
}

// refuteMultiples are the alternatives, as multiples of delta, against which "the probability is at
// most delta" is tested.
var refuteMultiples = [...]float64{1.25, 1.5, 2, 3, 5, 10}

// supportMultiples are those against which "the probability is above delta" is tested; the first
// has half of the weight.
var supportMultiples = [...]float64{0, 0.1, 0.25, 0.5, 0.75}

var (
	refuteWeights  = equalWeights(len(refuteMultiples))
	supportWeights = []float64{float64(len(supportMultiples) - 1), 1, 1, 1, 1}
)

// newBernoulliRefuter returns the e-process whose hypothesis is that the probability is at most
// delta, 0 < delta < 1. Its alternatives are 1.25, 1.5, 2, 3, 5 and 10 times delta with equal
// weights, capped half way between delta and 1.
func newBernoulliRefuter(delta float64) *bernoulliEProcess {
	p := &bernoulliEProcess{eProcess: *newEProcess(refuteWeights)}
	for _, m := range refuteMultiples {
		p.add(min(m*delta, (1+delta)/2), delta)
	}
	return p
}

// newBernoulliSupporter returns the e-process whose hypothesis is that the probability is above
// delta, 0 < delta < 1. Half of its weight lies on the alternative 0 and the rest on 0.1, 0.25, 0.5
// and 0.75 times delta.
func newBernoulliSupporter(delta float64) *bernoulliEProcess {
	p := &bernoulliEProcess{eProcess: *newEProcess(supportWeights)}
	for _, m := range supportMultiples {
		p.add(m*delta, delta)
	}
	return p
}

func (p *bernoulliEProcess) add(alternative, null float64) {
	p.hit = append(p.hit, math.Log(alternative/null))
	p.miss = append(p.miss, math.Log1p(-alternative)-math.Log1p(-null))
}

// Observe takes one independent run into account.
func (p *bernoulliEProcess) Observe(event bool) {
	if event {
		p.update(p.hit)
	} else {
		p.update(p.miss)
	}
}

// at returns the logarithm of the e-value after n runs with k events, which depends on nothing
// else. Neither needs to be an integer.
func (p *bernoulliEProcess) at(k, n float64, weights []float64) float64 {
	var room [8]float64
	logs := room[:len(weights)]
	for i, w := range weights {
		logs[i] = math.Log(w) + (n-k)*p.miss[i]
		if k > 0 {
			logs[i] += k * p.hit[i]
		}
	}
	return logSum(logs, floats.Sum(weights))
}

// logAgainst returns the logarithm of the e-value of n runs with k events against "the probability
// is at most delta", 0 < delta < 1.
func logAgainst(k, n, delta float64) float64 {
	return newBernoulliRefuter(delta).at(k, n, refuteWeights)
}

// logFor returns that against "the probability is above delta".
func logFor(k, n, delta float64) float64 {
	return newBernoulliSupporter(delta).at(k, n, supportWeights)
}

// bernoulliLimits returns one-sided confidence limits of level 1-alpha each for the probability of
// an event seen k times in n runs: the probabilities that the e-processes of [newBernoulliRefuter]
// and [newBernoulliSupporter] do not reject. They hold whatever rule, looking at the runs, has
// stopped them there.
func bernoulliLimits(k, n int, alpha float64) (low, high float64) {
	if n == 0 {
		return 0, 1
	}
	threshold, events, runs := -math.Log(alpha), float64(k), float64(n)
	if low = 0; k > 0 {
		low = bisect(func(p float64) bool {
			return p >= 1 || logAgainst(events, runs, p) < threshold
		})
	}
	if high = 1; k < n {
		high = bisect(func(p float64) bool {
			return p >= 1 || p > events/runs && logFor(events, runs, p) >= threshold
		})
	}
	return low, high
}

// bets are the fractions of the largest admissible stake that the components of a betting test put
// at risk.
var bets = [...]float64{0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 0.95}

// bettingMean tests a hypothesis about the mean of independent bounded or nonnegative variables by
// betting against it (Waudby-Smith and Ramdas, Estimating means of bounded random variables by
// betting, JRSS B 86, 2024).
type bettingMean struct {
	eProcess
	mean, room float64 // without room the range decides the hypothesis by itself
	sign       float64
	gains      [len(bets)]float64
}

// newBettingAbove returns the process whose hypothesis is that variables with values at least lo
// have mean at most m; it grows when the mean is larger.
func newBettingAbove(m, lo float64) *bettingMean { return newBetting(m, m-lo, 1) }

// newBettingBelow returns the process whose hypothesis is that variables with values at most hi
// have mean at least m; it grows when the mean is smaller.
func newBettingBelow(m, hi float64) *bettingMean { return newBetting(m, hi-m, -1) }

func newBetting(mean, room, sign float64) *bettingMean {
	p := &bettingMean{eProcess: *newEProcess(equalWeights(len(bets))), mean: mean, room: room,
		sign: sign}
	if room < 0 {
		p.logSum = math.Inf(1)
	}
	return p
}

func equalWeights(n int) []float64 {
	w := make([]float64, n)
	for i := range w {
		w[i] = 1
	}
	return w
}

// Observe takes one independent value into account.
func (p *bettingMean) Observe(x float64) {
	if p.room <= 0 {
		return
	}
	gain := p.sign * (x - p.mean) / p.room
	for i, b := range bets {
		p.gains[i] = math.Log1p(b * gain)
	}
	p.update(p.gains[:])
}

// dkw returns the half width of the band around an empirical distribution function of n independent
// values that contains the true one with probability at least 1-alpha (Dvoretzky, Kiefer and
// Wolfowitz with the constant of Massart, Ann. Probab. 18, 1990).
func dkw(n int, alpha float64) float64 {
	return math.Sqrt(math.Log(2/alpha) / (2 * float64(n)))
}

// cdfDistance returns the largest distance between the empirical distribution function of xs, which
// it sorts, and a continuous distribution function, and where it is attained.
func cdfDistance(xs []float64, cdf func(float64) float64) (distance, at float64) {
	sort.Float64s(xs)
	n := float64(len(xs))
	for i, x := range xs {
		f := cdf(x)
		if d := max(f-float64(i)/n, float64(i+1)/n-f); d > distance {
			distance, at = d, x
		}
	}
	return distance, at
}

// Quantiles returns the quantiles of xs, which it sorts, at the given levels, interpolating
// linearly between order statistics.
func Quantiles(xs []float64, levels ...float64) []float64 {
	sort.Float64s(xs)
	out := make([]float64, len(levels))
	for i, q := range levels {
		if len(xs) == 0 {
			out[i] = nan
			continue
		}
		h := q * float64(len(xs)-1)
		k := min(int(h), len(xs)-1)
		out[i] = xs[k]
		if k+1 < len(xs) && h > float64(k) {
			out[i] += (h - float64(k)) * (xs[k+1] - xs[k])
		}
	}
	return out
}

// signs are the alternatives to one half, and their weights, of the sign tests behind
// [pairedLimits]: half of the weight lies on 1, so that values which agree decide soonest.
var signs, signWeights = [...]float64{1, 0.92, 0.8, 0.7, 0.6}, [...]float64{4, 1, 1, 1, 1}

// logSign returns the logarithm of the e-value of n independent values, k of which lie beyond a
// point, against "the median does not": a mixture of likelihood ratios, which depends on nothing
// else.
func logSign(k, n int) float64 {
	var logs [len(signs)]float64
	for j, p := range signs {
		logs[j] = math.Log(signWeights[j]) + float64(n)*math.Ln2 + float64(k)*math.Log(p)
		if n > k {
			logs[j] += float64(n-k) * math.Log1p(-p)
		}
	}
	return logSum(logs[:], floats.Sum(signWeights[:]))
}

// pairedLimits returns one-sided confidence limits of level 1-alpha each for every median of the
// law of independent values xs, which it sorts: what the sign tests of [logSign] do not reject.
// They hold whatever the law, and whatever rule, looking at the values, has stopped them there.
// With too few values they are infinite.
func pairedLimits(xs []float64, alpha float64) (low, high float64) {
	sort.Float64s(xs)
	n := len(xs)
	k := n/2 + sort.Search(n-n/2+1,
		func(k int) bool { return n/2+k > n || logSign(n/2+k, n) >= -math.Log(alpha) })
	if k > n {
		return math.Inf(-1), math.Inf(1)
	}
	return xs[n-k], xs[k-1]
}

// OLS returns slope and intercept of the least-squares line through (x, y).
func OLS(x, y []float64) (slope, intercept float64) {
	n := float64(len(x))
	var mx, my float64
	for i := range x {
		mx += x[i] / n
		my += y[i] / n
	}
	var sxx, sxy float64
	for i := range x {
		sxx += (x[i] - mx) * (x[i] - mx)
		sxy += (x[i] - mx) * (y[i] - my)
	}
	slope = sxy / sxx
	return slope, my - slope*mx
}

// detectableRate returns a probability that the e-process of "at most delta" refutes at level alpha
// within n runs with the given power: the smallest one with which it stands above its threshold
// after the last run, by the exact binomial law.
func detectableRate(n int, delta, alpha, power float64) float64 {
	p := newBernoulliRefuter(delta)
	k := sort.Search(n+1, func(k int) bool {
		return p.at(float64(k), float64(n), refuteWeights) >= -math.Log(alpha)
	})
	if k > n {
		return 1
	}
	return bisect(func(p float64) bool { return binomialAtLeast(k, n, p) >= power })
}

// bettingLimits returns one-sided confidence limits of level 1-alpha each for the mean of
// independent values in [lo, hi], by inverting the betting tests. hi may be infinite; then there is
// no upper limit.
func bettingLimits(xs []float64, lo, hi, alpha float64) (low, high float64) {
	low, high = lo, hi
	if len(xs) == 0 {
		return low, high
	}
	mean := 0.0
	for _, x := range xs {
		mean += x / float64(len(xs))
	}
	// rejected evaluates the test of the mean m at the end of the series. Products of a few factors
	// at a time save logarithms.
	rejected := func(m, room, sign float64) bool {
		p := newEProcess(equalWeights(len(bets)))
		var gains [len(bets)]float64
		for i, b := range bets {
			product := 1.0
			for _, x := range xs {
				product *= 1 + b*sign*(x-m)/room
				if product < 1e-200 || product > 1e200 {
					gains[i] += math.Log(product)
					product = 1
				}
			}
			gains[i] += math.Log(product)
		}
		p.update(gains[:])
		return p.Rejects(alpha)
	}
	invert := func(outside float64, rejected func(m float64) bool) float64 {
		inside := mean
		for range 40 {
			m := (inside + outside) / 2
			if m == inside || m == outside {
				break
			}
			if rejected(m) {
				outside = m
			} else {
				inside = m
			}
		}
		return outside
	}
	if mean > lo {
		low = invert(lo, func(m float64) bool { return rejected(m, m-lo, 1) })
	}
	if !math.IsInf(hi, 1) && mean < hi {
		high = invert(hi, func(m float64) bool { return rejected(m, hi-m, -1) })
	}
	return low, high
}
