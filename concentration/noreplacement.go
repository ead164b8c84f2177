package concentration

import (
	"math"

	"sledge/props"
)

// drawSample draws a sample that is cheap enough for the thousands of evaluations of an order
// check.
func drawSample(src *props.Source) *deviation {
	k := src.LogInt("k", 2, 300_000)
	p := twoValues(k, src.LogInt("marked", 1, min(k-1, 200)))
	l := src.LogInt("l", 1, min(k-1, 2000))
	return p.sample(l, l)
}

var noReplacementHighProbability = []props.Binding{
	props.Bind("noreplace-bernstein-high-probability", props.All(
		props.Order(func(src *props.Source) (measured, claimed float64) {
			l := src.LogInt("l", 1, 2000) // of 2l signs, half of them +1
			sum := twoValues(2*l, l).sample(l, l)
			sizes := Sizes{N: src.LogInt("n", 1, 1e6), P: 1, D: 1, T: 1, K: 1,
				Nu: math.Exp(-src.LogReal("log 1/ν", 1e-3, 250))}
			withoutNu := sizes
			withoutNu.Nu = math.Inf(1)
			return sum.sufficient(sizes.LogAllowance()), withoutNu.Log()
		}),
		// Every constant c drawn has a counterexample, even with the population tied to the number
		// of components: signs, half of them drawn.
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
			rec.AtMost("‖Σx_i‖ when all l draws are +1, with ν below the probability of that",
				float64(l), bound)
		}).Effort(0.1),
	)),
	props.Bind("noreplace-bernstein-high-probability/corrected",
		props.Inequality(func(src *props.Source, rec *props.Recorder) {
			drawSample(src).literalConstant(rec, drawSizes(src, 1))
		})),
}
