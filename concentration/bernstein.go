package concentration

import (
	"math"

	"sledge/props"
	"sledge/props/formula"
)

// MatrixBernstein bounds P(‖ΣX_i‖ ≥ t) for independent d1×d2 matrices of mean zero with ‖X_i‖ ≤ R
// almost surely, where variance is the larger of ‖ΣE X_iX_iᵀ‖ and ‖ΣE X_iᵀX_i‖ and dims = d1 + d2
// (d + 1 for vectors): dims·exp(−(t²/2)/(variance + Rt/3)), lines 904-924. The result may exceed 1.
//
// Source: J. A. Tropp, User-friendly tail bounds for sums of random matrices, Found. Comput. Math.
// 12 (2012), theorem
// 1.6.
func MatrixBernstein(dims int, t, variance, R float64) float64 {
	return bernstein.At(float64(dims), t, variance, R)
}

var bernstein = formula.Must(lawWords, "d'exp(−(t²/2)/(V + Rt/3))").Of("d'", "t", "V", "R")

// VectorBernsteinRadius is the radius that the norm of Σ(x_i − E x_i) exceeds with probability at
// most e^−logInverse, for independent vectors of dimension d within R of their means and total
// variance V: √(2Vℓ) + (2/3)Rℓ with ℓ = log(d+1) + logInverse. It is MatrixBernstein solved for t,
// rounded up, and it needs no C_1.
func VectorBernsteinRadius(d int, variance, R, logInverse float64) float64 {
	return vectorRadius.At(math.Log(float64(d)+1)+logInverse, variance, R)
}

var vectorRadius = formula.Must(words, "√(2Vℓ) + 2Rℓ/3").Of("ℓ", "V", "R")

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
