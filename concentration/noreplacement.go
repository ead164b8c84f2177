package concentration

import (
	"math"

	"sledge/props"
)

// NoReplacement bounds P(‖Σ_{i≤l} x_i‖ ≥ t) for l vectors drawn without replacement from k vectors of dimension d with sum zero, length at most R and
// mean square sigma2: (d+1)·exp(−(t²/2)/(min(l, k−l)·σ² + Rt/3)). It corrects and sharpens proposition:BernsteinNoReplacement (lines 949-966). Sampling
// without replacement is dominated in the convex order by sampling with replacement, and a sample and its complement have opposite sums.
//
// Sources: W. Hoeffding, Probability inequalities for sums of bounded random variables, JASA 58 (1963), theorem 4; D. Gross and V. Nesme, Note on
// sampling without replacing from a finite collection of matrices, arXiv 1001.2738 (2010).
func NoReplacement(d, l, k int, t, sigma2, R float64) float64 {
	return math.Exp(bernstein.logBound(d+1, t, float64(min(l, k-l))*sigma2, R))
}

// NoReplacementPrinted is the bound as printed in line 963, (d+1)·exp(−t²/(2lσ² + Rt/3)). It is too small.
func NoReplacementPrinted(d, l int, t, sigma2, R float64) float64 {
	return math.Exp(printedNoReplacement.logBound(d+1, t, float64(l)*sigma2, R))
}

func drawDraws(src *props.Source, p *population) int {
	return src.LogInt("l", 1, min(p.k-1, mostDrawn))
}

var noReplacementTail = []props.Claim{{
	ID: "noreplace-bernstein-tail", Part: "concentration", Tier: 1, Kind: "tail", Lines: "949-966, 1045-1051", Label: "proposition:BernsteinNoReplacement",
	Holds: []string{"P(‖S‖ ≥ t) at the worst t with a bound in [1e-3, 1)"},
	Statement: "Sampling l < k vectors without replacement from a_1..a_k with Σa_i = 0, ‖a_i‖ ≤ R, σ² = (1/k) Σ‖a_i‖²: " +
		"P(‖Σ_{i≤l} x_i‖ ≥ t) ≤ (d+1) exp(−t²/(2lσ² + Rt/3)) for each t ≥ 0",
	Notes: "Fails: the exponent should be t²/(2lσ² + 2Rt/3). The last step of the proof cancels the 2 of t²/2 against the variance and forgets the other term. A centred 0/1 " +
		"population with few ones is nearly Poisson: with v = lσ²/R² and t = uvR the true exponent is v((1+u)log(1+u) − u), below the printed vu²/(2 + u/3) for all u up to " +
		"about 30. With 1000 ones among 100000 and l = 1000, P(‖Σx_i‖ ≥ 40) is 3.7e-20 and the bound 1.8e-21. Violations begin at probability 3e-8 (in the Poisson limit, v near 3) and at " +
		"populations of about 7000, so no simulation meets them; the bound falls short by any factor as v grows. The high-probability form, with 1/ν inside the logarithm, only loses a factor " +
		"in C_1, so the results that use it survive.",
	Uses: []string{"matrix-freedman-tail", "noreplace-scaled-sum-martingale", "noreplace-increment-range", "noreplace-increment-variance",
		"noreplace-freedman-substitution"},
	Expect: props.Refuted,
	Check: props.Inequality(func(src *props.Source, rec *props.Recorder) {
		p := drawPopulation(src)
		l := drawDraws(src, p)
		p.sample(l, l).against(rec, printedNoReplacement)
	}).Effort(2),
}, {
	ID: "noreplace-bernstein-tail/corrected", Part: "concentration", Tier: 1, Kind: "tail", Lines: "949-966, 1045-1051", Label: "proposition:BernsteinNoReplacement",
	Statement: "Under the same premises P(‖Σ_{i≤l} x_i‖ ≥ t) ≤ (d+1) exp(−t²/(2lσ² + 2Rt/3)), the bound for independent draws",
	Notes: "The printed bound with R doubled. The printed proof gives less, (d+1) exp(−t²/(4lσ² + 4Rt/3)): it loses a factor 2 by bounding 1/(k−i) by 2/k and another in " +
		"the range of the increments. The form here follows from Hoeffding's comparison with independent draws, which holds for matrices (Gross and Nesme 2010).",
	Uses:   []string{"matrix-bernstein-tail"},
	Expect: props.Consistent,
	Check: props.Inequality(func(src *props.Source, rec *props.Recorder) {
		p := drawPopulation(src)
		l := drawDraws(src, p)
		p.sample(l, l).against(rec, bernstein)
	}).Effort(2),
}, {
	ID: "noreplace-bernstein-tail/sharper", Part: "concentration", Tier: 1, Kind: "tail", Lines: "949-966, 1045-1054", Label: "proposition:BernsteinNoReplacement",
	Statement: "Under the same premises P(‖Σ_{i≤l} x_i‖ ≥ t) ≤ (d+1) exp(−(t²/2)/(min(l, k−l)σ² + Rt/3))",
	Notes:     "The sums of a sample and of its complement are opposite (line 1053), so l may be replaced by k − l throughout, not only for l ≥ k/2.",
	Uses:      []string{"noreplace-bernstein-tail/corrected"},
	Expect:    props.Consistent,
	Check: props.Inequality(func(src *props.Source, rec *props.Recorder) {
		p := drawPopulation(src)
		l := drawDraws(src, p)
		p.sample(l, min(l, p.k-l)).against(rec, bernstein)
	}).Effort(2),
}}

// drawSample draws a sample that is cheap enough for the thousands of evaluations of an order check.
func drawSample(src *props.Source) *deviation {
	k := src.LogInt("k", 2, 300_000)
	p := twoValues(k, src.LogInt("marked", 1, min(k-1, 200)))
	l := src.LogInt("l", 1, min(k-1, 2000))
	return p.sample(l, l)
}

var noReplacementHighProbability = []props.Claim{{
	ID: "noreplace-bernstein-high-probability", Part: "concentration", Tier: 1, Kind: "tail", Lines: "967-973", Label: "proposition:BernsteinNoReplacement",
	Statement: "With probability ≥ 1 − ν/poly(n,P,T,K), ‖Σ_{i≤l} x_i‖² ≤ C_1²(lσ² + R²) where C_1 = O(log(n + P + d + T + K))",
	Notes: "Fails: the logarithm lacks 1/ν, which its own proof has (line 1055). As ν → 0 the statement would have to hold almost surely with a fixed C_1, but l draws from " +
		"a population of ±1 can all be +1. Only the wording is affected: wherever the bound is used, C_1 contains 1/ν (line 945).",
	Uses:   []string{"noreplace-bernstein-tail", "noreplace-threshold-choice"},
	Expect: props.Refuted,
	Check: props.All(
		props.Order(func(src *props.Source) (measured, claimed float64) {
			l := src.LogInt("l", 1, 2000) // of 2l signs, half of them +1
			sum := twoValues(2*l, l).sample(l, l)
			sizes := Sizes{N: src.LogInt("n", 1, 1e6), P: 1, D: 1, T: 1, K: 1, Nu: math.Exp(-src.LogReal("log 1/ν", 1e-3, 250))}
			withoutNu := sizes
			withoutNu.Nu = math.Inf(1)
			return sum.sufficient(sizes.LogAllowance()), withoutNu.Log()
		}),
		// Every constant c drawn has a counterexample, even with the population tied to the number of components: signs, half of them drawn.
		props.Implication(func(src *props.Source, rec *props.Recorder) {
			c := src.LogReal("c", 0.1, 1000)
			l, bound := 1, 0.0
			for {
				c1 := c * math.Log(float64(2*l+4)) // n = k = 2l and P = d = T = K = 1
				if bound = c1 * math.Sqrt(float64(l)+1); float64(l) > bound {
					break
				}
				l += l/8 + 1
			}
			rec.AtMost("‖Σx_i‖ when all l draws are +1, with ν below the probability of that", float64(l), bound)
		}).Effort(0.1),
	),
}, {
	ID: "noreplace-bernstein-high-probability/corrected", Part: "concentration", Tier: 1, Kind: "tail", Lines: "967-973", Label: "proposition:BernsteinNoReplacement",
	Statement: "With probability ≥ 1 − ν/poly(n,P,T,K), ‖Σ_{i≤l} x_i‖² ≤ C_1²(lσ² + R²) where C_1 = O(log(1/ν + n + P + d + T + K))",
	Notes:     "Read as vector-bernstein-high-probability and checked with the same factor c = 8.5.",
	Uses:      []string{"noreplace-bernstein-tail/corrected", "noreplace-threshold-choice/corrected"},
	Expect:    props.Consistent,
	Check: props.Inequality(func(src *props.Source, rec *props.Recorder) {
		drawSample(src).literalConstant(rec, drawSizes(src, 1))
	}),
}}
