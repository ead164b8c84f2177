package concentration

import (
	"math"

	"sledge/props"
	"sledge/props/formula"
)

// AdaptiveRadius is the factor λ = 1 + √(log(N/ν)/2), N ≥ 1, 0 < ν ≤ 1, of the bound on martingales
// whose radii depend on the past: let A_t = a_tA_{t−1} + x_t in a Euclidean space of any dimension,
// E[x_t|F_{t−1}] = 0, where a_t ∈ [0, 1] and the diameter D_t of a set that x_t lies in are known
// at time t − 1, and let B_t² = a_t²B_{t−1}² + D_t². Then P(‖A_t‖ > λB_t for some t ≤ N) ≤ ν.
// Nothing has to be known about the sizes of the D_t in advance.
//
// The proof, in the ledger under azuma-high-probability/adaptive, bounds the mean of
// exp(θ‖A_t‖²/B_t²).
func AdaptiveRadius(steps int, nu float64) float64 { return adaptiveRadius.At(float64(steps), nu) }

var adaptiveRadius = formula.Must(words, "1 + √(log(n/ν)/2)").Of("n", "ν")

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

var adaptive = []props.Binding{
	props.Bind("azuma-high-probability/adaptive",
		props.Inequality(func(src *props.Source, rec *props.Recorder) {
			steps, nu, reached := drawAdversary(src)
			rec.AtMost("largest ‖A_t‖/B_t that is reached with probability above ν", reached,
				AdaptiveRadius(steps, nu))
		}).Effort(0.1)),
	props.Bind("azuma-high-probability/adaptive-dropped-steps",
		props.Inequality(func(src *props.Source,
			rec *props.Recorder) {
			_, nu, reached := drawAdversary(src)
			rec.AtMost("largest ‖A_t‖/B_t that is reached with probability above ν", reached,
				AdaptiveRadius(1, nu))
		}).Effort(0.5)),
	props.Bind("noreplace-bernstein-high-probability/sharper",
		sampleRadius(func(k, l int, logInverse float64) float64 {
			return SampleNorm(k, l, Spread(k), 1, logInverse)
		})),
	props.Bind("noreplace-bernstein-high-probability/hoeffding",
		sampleRadius(func(k, l int, logInverse float64) float64 {
			squares := 0.0
			for j := 1; j <= min(l, k-1); j++ {
				squares += math.Pow(float64(k-l)/float64(k-j), 2)
			}
			return (1 + math.Sqrt((math.Log(float64(l))+logInverse)/2)) * math.Sqrt(squares)
		})),
}

// sampleRadius compares a bound on the norm of the sum of l of k vectors of sum zero, no two
// farther apart than 1, which is to hold with probability 1 − δ, with exact tails on the line and
// with orthogonal vectors.
func sampleRadius(bound func(k, l int, logInverse float64) float64) props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		k := src.LogInt("k", 2, 1000)
		l, logInverse := src.LogInt("l", 1, k), -math.Log(src.LogReal("δ", 1e-100, 0.9))
		if src.Bool("orthogonal") {
			// k vectors e_i/√2: the norm of the sum of l of them is not random
			rec.AtMost("norm of a sum of orthogonal vectors",
				math.Sqrt(float64(l)*float64(k-l)/float64(2*k)), bound(k, l, logInverse))
			return
		}
		marked := src.Int("marked", 1, k-1)
		// k² times the square
		squares := Hypergeometric(k, marked, l).Squares(int64(k), int64(l)*int64(marked))
		rec.AtMost("smallest radius of probability 1 − δ on the line",
			math.Sqrt(float64(squares.Quantile(-logInverse)))/float64(k), bound(k, l, logInverse))
	})
}
