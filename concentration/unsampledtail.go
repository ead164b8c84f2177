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
