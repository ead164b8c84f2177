package concentration

import (
	"math"

	"sledge/props"
	"sledge/props/formula"
)

// HoeffdingRadius is the distance from its mean that the number of n events that happen exceeds
// with probability at most e^−logInverse, √(n(log 2 + logInverse)/2), if they are independent or
// negatively associated. The indicators of being unsampled are, whatever b and t − s.
//
// Source: K. Joag-Dev and F. Proschan, Negative association of random variables with applications,
// Ann. Statist. 11 (1983).
func HoeffdingRadius(n int, logInverse float64) float64 {
	return hoeffdingRadius.At(float64(n), logInverse)
}

var hoeffdingRadius = formula.Must(words, "√(n(log(2) + ℓ)/2)").Of("n", "ℓ")

// drawStep draws the number of indexes, the batch size and the number m of indexes left by the
// later sets, and returns the law of (n·u_s)².
func drawStep(src *props.Source) (n, b int, law Law) {
	n = src.LogInt("n", 2, 100_000)
	b = src.LogInt("b", 1, min(n, 2000))
	m := src.LogInt("|Ĩ_{s+1}|", 1, n)
	return n, b, Hypergeometric(n, m, b).Squares(int64(n), int64(b)*int64(m))
}

var unsampledDeviationTail = []props.Binding{
	props.Bind("unsampled-deviation-tail",
		props.Inequality(func(src *props.Source, rec *props.Recorder) {
			n, b, law := drawStep(src)
			T := src.LogInt("T", 1, 1e6)
			sizes := Sizes{N: n, P: 1, D: 1, T: T, K: 1,
				Nu: math.Exp(-src.LogReal("log 1/ν", 0.1, 250))}
			quantile := law.Quantile(-math.Log(5) - 2*math.Log(float64(T)))
			rec.AtMost("smallest radius of probability 1 − 1/(5T²) against C_1√b, c = 1",
				math.Sqrt(float64(quantile))/float64(n), C1(1, sizes)*math.Sqrt(float64(b)))
		})),
}

// drawCount draws a window of at most T_1 steps and returns the law of |Ĩ_s^t|.
func drawCount(src *props.Source) (n, b, steps int, law Law) {
	n = src.LogInt("n", 2, 150)
	b = src.LogInt("b", 1, n)
	steps = src.LogInt("t−s+1", 1, 40)
	return n, b, steps, UnsampledLaw(n, b, steps)
}

// deviationQuantile returns the smallest radius around the mean that |Ĩ_s^t| leaves with
// probability at most e^logDelta.
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

// drawLevel draws sizes and returns the logarithm of the failure probability 2ν/(5T) of line 1319.
func drawLevel(src *props.Source, n int) (sizes Sizes, logLevel float64) {
	lognu := -src.LogReal("log 1/ν", 0.1, 250)
	sizes = Sizes{N: n, P: 1, D: 1, T: src.LogInt("T", 1, 1e6), K: 1, Nu: math.Exp(lognu)}
	return sizes, math.Log(0.4) + lognu - math.Log(float64(sizes.T))
}

// countConcentration is the tail part of the statement, for the first of the printed bounds with
// C_1 = log(1/ν + n + P
// + d + T + K).
var countConcentration = props.Inequality(func(src *props.Source, rec *props.Recorder) {
	n, b, steps, law := drawCount(src)
	sizes, logLevel := drawLevel(src, n)
	radius := deviationQuantile(law, UnsampledMean(n, b, steps), logLevel)
	sum := float64(n) - UnsampledMean(n, b, steps) // b Σ_{j<steps} (1 − b/n)^j
	rec.AtMost("smallest squared radius of probability 1 − 2ν/(5T) against C_1⁴ b Σ_τ (1−b/n)^(τ−s), c = 1",
		radius*radius, math.Pow(C1(1, sizes), 4)*sum)
})

var unsampledCountConcentration = []props.Binding{
	props.Bind("unsampled-count-concentration", countConcentration),
	props.Bind("unsampled-count-concentration/corrected", countConcentration),
}
