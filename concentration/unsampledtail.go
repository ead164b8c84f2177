package concentration

import (
	"math"
	"math/big"

	"sledge/props"
)

// UnsampledRadius is the distance from its mean n(1 − b/n)^(t−s+1) that |Ĩ_s^t| exceeds with probability at most failure: √(n·log(2/failure)/2), whatever b
// and t − s. The indicators of being unsampled are negatively associated, so Hoeffding's bound for independent ones holds.
//
// Source: K. Joag-Dev and F. Proschan, Negative association of random variables with applications, Ann. Statist. 11 (1983).
func UnsampledRadius(n int, failure float64) float64 {
	return math.Sqrt(float64(n) * math.Log(2/failure) / 2)
}

// drawStep draws the number of indexes, the batch size and the number m of indexes left by the later sets, and returns the law of (n·u_s)².
func drawStep(src *props.Source) (n, b int, law Law) {
	n = src.LogInt("n", 2, 100_000)
	b = src.LogInt("b", 1, min(n, 2000))
	m := src.LogInt("|Ĩ_{s+1}|", 1, n)
	return n, b, Hypergeometric(n, m, b).Squares(int64(n), int64(b)*int64(m))
}

var unsampledDeviationTail = []props.Binding{props.Bind("unsampled-deviation-tail", props.Inequality(func(src *props.Source, rec *props.Recorder) {
	n, b, law := drawStep(src)
	T := src.LogInt("T", 1, 1e6)
	sizes := Sizes{N: n, P: 1, D: 1, T: T, K: 1, Nu: math.Exp(-src.LogReal("log 1/ν", 0.1, 250))}
	quantile := law.Quantile(-math.Log(5) - 2*math.Log(float64(T)))
	rec.AtMost("smallest radius of probability 1 − 1/(5T²) against C_1√b, c = 1", math.Sqrt(float64(quantile))/float64(n), C1(1, sizes)*math.Sqrt(float64(b)))
})), props.Bind("unsampled-deviation-tail/sharper", props.Inequality(func(src *props.Source, rec *props.Recorder) {
	n, b, law := drawStep(src)
	logDelta := -src.LogReal("log 1/δ", 1e-3, 600)
	rec.AtMost("smallest radius of probability 1 − δ", math.Sqrt(float64(law.Quantile(logDelta)))/float64(n), math.Sqrt(float64(b)*(math.Ln2-logDelta)/2))
}))}

// drawCount draws a window of at most T_1 steps and returns the law of |Ĩ_s^t|.
func drawCount(src *props.Source) (n, b, steps int, law Law) {
	n = src.LogInt("n", 2, 150)
	b = src.LogInt("b", 1, n)
	steps = src.LogInt("t−s+1", 1, 40)
	return n, b, steps, UnsampledLaw(n, b, steps)
}

// deviationQuantile returns the smallest radius around the mean that |Ĩ_s^t| leaves with probability at most e^logDelta.
func deviationQuantile(law Law, mean, logDelta float64) float64 {
	i, j := 0, len(law.x)-1
	outside := math.Inf(-1)
	for { // the farther end leaves first
		low, high := mean-float64(law.x[i]), float64(law.x[j])-mean
		radius, p := high, law.logp[j]
		if low > high {
			radius, p = low, law.logp[i]
		}
		if outside = logAdd(outside, p); outside > logDelta || i == j {
			return radius
		}
		if low > high {
			i++
		} else {
			j--
		}
	}
}

// drawLevel draws sizes and returns the logarithm of the failure probability 2ν/(5T) of line 1318.
func drawLevel(src *props.Source, n int) (sizes Sizes, logLevel float64) {
	lognu := -src.LogReal("log 1/ν", 0.1, 250)
	sizes = Sizes{N: n, P: 1, D: 1, T: src.LogInt("T", 1, 1e6), K: 1, Nu: math.Exp(lognu)}
	return sizes, math.Log(0.4) + lognu - math.Log(float64(sizes.T))
}

// countConcentration is the tail part of the statement, for the first of the printed bounds with C_1 = log(1/ν + n + P + d + T + K).
var countConcentration = props.Inequality(func(src *props.Source, rec *props.Recorder) {
	n, b, steps, law := drawCount(src)
	sizes, logLevel := drawLevel(src, n)
	radius := deviationQuantile(law, UnsampledMean(n, b, steps), logLevel)
	sum := float64(n) - UnsampledMean(n, b, steps) // b Σ_{j<steps} (1 − b/n)^j
	rec.AtMost("smallest squared radius of probability 1 − 2ν/(5T) against C_1⁴ b Σ_τ (1−b/n)^(τ−s), c = 1", radius*radius, math.Pow(C1(1, sizes), 4)*sum)
})

// countChain is the deterministic part: Σ_τ C_1²·C_1²(1−b/n)^(τ−s) b ≤ C_1⁴ b T_1 for at most T_1 terms; bT_1 = C_1 n defines T_1.
var countChain = props.Implication(func(src *props.Source, rec *props.Recorder) {
	n := src.LogInt("n", 1, 1000)
	b, t1 := src.LogInt("b", 1, n), src.LogInt("T_1", 1, 60)
	steps := src.LogInt("t−s+1", 1, t1)
	sum, term, keep := new(big.Rat), big.NewRat(1, 1), frac(int64(n-b), int64(n))
	for range steps {
		sum.Add(sum, term)
		term = new(big.Rat).Mul(term, keep)
	}
	rec.Rats("Σ_τ (1−b/n)^(τ−s) against T_1", sum, props.LE, frac(int64(t1), 1))
})

var unsampledCountConcentration = []props.Binding{props.Bind("unsampled-count-concentration", props.All(countConcentration, countChain, props.Implication(func(src *props.Source, rec *props.Recorder) {
	nu, T := new(big.Rat).SetFloat64(src.LogReal("ν", 1e-9, 0.999)), int64(src.LogInt("T", 1, 1e6))
	each := new(big.Rat).Mul(nu, frac(1, 5*T))
	terms := new(big.Rat).Mul(new(big.Rat).Mul(nu, frac(1, 5*T*T)), frac(T, 1))
	level := new(big.Rat).Sub(big.NewRat(1, 1), new(big.Rat).Add(each, terms))
	rec.Rats("1 − ν/(5T) − T·ν/(5T²) as 2ν/(5T)", level, props.EQ, new(big.Rat).Add(each, each))
}))), props.Bind("unsampled-count-concentration/corrected", props.All(countConcentration, countChain)), props.Bind("unsampled-count-concentration/sharper", props.Inequality(func(src *props.Source, rec *props.Recorder) {
	n, b, steps, law := drawCount(src)
	logDelta := -src.LogReal("log 1/δ", 1e-3, 500)
	radius := deviationQuantile(law, UnsampledMean(n, b, steps), logDelta)
	rec.AtMost("smallest radius of probability 1 − δ", radius, math.Sqrt(float64(n)*(math.Ln2-logDelta)/2))
}))}
