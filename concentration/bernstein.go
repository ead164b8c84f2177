package concentration

import "sledge/props"

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
