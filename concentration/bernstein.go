package concentration

import (
	"math"

	"sledge/props"
)

// drawSizes draws the quantities inside C_1. The failure probability is drawn through its
// logarithm, over a hundred decades, because the statements are uniform in it.
func drawSizes(src *props.Source, d int) Sizes {
	count := func(name string) int { return src.LogInt(name, 1, 1e6) }
	return Sizes{N: count("n"), P: count("P"), D: d, T: count("T"), K: count("K"),
		Nu: math.Exp(-src.LogReal("log 1/ν", 1e-3, 250))}
}

// drawVectorSum draws a sum of independent vectors that is cheap enough for the thousands of
// evaluations of an order check.
func drawVectorSum(src *props.Source) *deviation {
	q := int64(src.LogInt("q", 2, 2000))
	if src.Bool("orthogonal") {
		return orthogonalSum(src.Int("d", 2, 3), src.Int("terms per direction", 1, 4), q)
	}
	k := src.LogInt("k", 1, 150)
	return &deviation{law: skewedSquare(k, q), variance: int64(k) * (q - 1),
		range2: square(q - 1), dims: 2}
}

// sufficient returns the smallest C with P(‖S‖² > C²(V + R²)) ≤ e^logDelta.
func (d *deviation) sufficient(logDelta float64) float64 {
	return math.Sqrt(float64(d.law.Quantile(logDelta)) / float64(d.variance+d.range2))
}

// literalConstant records that C_1 with [HighProbabilityFactor] is as large as the exact law
// requires, in units of the logarithm, so that the recorded tightness times the factor is the
// smallest factor that would have done.
func (d *deviation) literalConstant(rec *props.Recorder, sizes Sizes) {
	rec.AtMost("smallest sufficient C_1 over log(1/ν + n + P + d + T + K)",
		d.sufficient(sizes.LogAllowance())/sizes.Log(), HighProbabilityFactor)
}

var vectorBernstein = []props.Binding{
	props.Bind("vector-bernstein-high-probability",
		props.Inequality(func(src *props.Source, rec *props.Recorder) {
			sum := drawVectorSum(src)
			sum.literalConstant(rec, drawSizes(src, sum.dims-1))
		})),
}
