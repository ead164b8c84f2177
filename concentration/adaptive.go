package concentration

import (
	"math"

	"sledge/props"
	"sledge/props/formula"
)

// SampleNorm is a distance that the norm of the sum of l ≥ 0 of k ≥ 2 vectors with sum zero, drawn
// without replacement, exceeds with probability at most e^−logInverse, in every dimension, where
// rms is the root mean square of their norms and no two of them are farther apart than diameter:
// rms√(l(k−l)/(k−1)) + diameter√(SampleSquares(k, l)·logInverse/2). rms itself is at most
// diameter√((k−1)/(2k)), which Spread returns for diameter 1.
//
// The first term bounds the mean; the second is McDiarmid's inequality for the norm, which moves by
// at most (k−l)/(k−j) times the diameter on average when the j-th draw is exchanged for another
// one.
func SampleNorm(k, l int, rms, diameter, logInverse float64) float64 {
	return sampleNorm.At(float64(k), float64(l), rms, diameter, SampleSquares(k, l), logInverse)
}

var sampleNorm = formula.Must(words, "σ√(l(k − l)/(k − 1)) + R√(xℓ/2)").Of("k", "l", "σ", "R",
	"x", "ℓ")

// Spread is √((k−1)/(2k)).
func Spread(k int) float64 { return math.Sqrt(float64(k-1) / float64(2*k)) }

// SampleSquares is the sum of the squared radii of the draws of l of k vectors with sum zero
// without replacement if no two of them are farther apart than 1: (k−l)²Σ_{j=1}^l (k−j)^{-2} for l
// ≤ k/2, at most l, and that of the complement for l > k/2, whose sum is opposite.
func SampleSquares(k, l int) float64 {
	l = min(l, k-l)
	sum := 0.0
	for j := 1; j <= l; j++ {
		sum += 1 / float64((k-j)*(k-j))
	}
	return float64((k-l)*(k-l)) * sum
}

// walk is a martingale on the line whose steps are 1 − p with probability p and −p otherwise, all
// of them in a set of diameter 1, stopped as soon as its distance from 0 is at least λ√t.
type walk struct {
	steps int
	p     float64
}

// reaches returns the probability that the walk is stopped by its last step, by a sum over the
// paths that are not.
func (w walk) reaches(lambda float64) float64 {
	// the steps up, of which lo … hi are possible
	at, lo, hi, stopped := make([]float64, w.steps+1), 0, 0, 0.0
	at[0] = 1
	for t := 1; t <= w.steps; t++ {
		hi++
		for k := hi; k > lo; k-- {
			at[k] = at[k]*(1-w.p) + at[k-1]*w.p
		}
		at[lo] *= 1 - w.p
		limit := lambda * math.Sqrt(float64(t))
		for lo <= hi && w.p*float64(t)-float64(lo) >= limit {
			stopped += at[lo]
			lo++
		}
		for lo <= hi && float64(hi)-w.p*float64(t) >= limit {
			stopped += at[hi]
			at[hi] = 0
			hi--
		}
	}
	return stopped
}

// quantile returns a λ that is reached with a probability above nu, the largest one up to 0.1 %.
func (w walk) quantile(nu float64) float64 {
	lo, hi := 0.0, math.Sqrt(float64(w.steps))+1
	for hi-lo > 1e-3*hi {
		if middle := (lo + hi) / 2; w.reaches(middle) > nu {
			lo = middle
		} else {
			hi = middle
		}
	}
	return lo
}

// drawAdversary draws a martingale that knows its past: blocks of equal steps, each forgotten at
// the beginning of the next (a_t = 0) unless the walk was stopped in it, so that the blocks are
// independent tries. It returns the number of all steps, the allowed probability, and the largest
// multiple of B_t that is reached with more than it.
func drawAdversary(src *props.Source) (steps int, nu, reached float64) {
	w := walk{steps: src.LogInt("steps of a block", 1, 200),
		p: 1 / (1 + src.LogReal("skewness", 1, 1e3))}
	blocks := src.LogInt("blocks", 1, 1000)
	nu = src.LogReal("ν", 1e-9, 0.5)
	return blocks * w.steps, nu, w.quantile(-math.Expm1(math.Log1p(-nu) / float64(blocks)))
}
