package concentration

import (
	"math"

	"sledge/props"
)

// matrixFreedman bounds P(‖Y_l‖ ≥ t) for a martingale of d1×d2 matrices with Y_0 = 0, increments of
// norm at most R and conditional second moments of norm at most sigma2, dims = d1 + d2:
// dims·exp(−(t²/2)/(l·sigma2 + Rt/3)), lines 992-1012. The result may exceed 1.
//
// Source: J. A. Tropp, Freedman's inequality for matrix martingales, Electron. Commun. Probab. 16
// (2011), corollary
// 1.3, which bounds the probability that some Y_l exceeds t while the sum of the conditional
// moments is below its limit.
func matrixFreedman(dims, l int, t, sigma2, R float64) float64 {
	return math.Exp(bernstein.logBound(dims, float64(l)*sigma2, R)(t))
}

// freedmanInstance is an adversarial martingale on the integers, or the diagonal matrix of several
// independent ones.
type freedmanInstance struct {
	l, rng, variance, threshold, copies int
}

func drawFreedman(src *props.Source) freedmanInstance {
	f := freedmanInstance{l: src.LogInt("l", 1, 60), rng: src.Int("R'", 1, 6),
		copies: src.LogInt("d", 1, 100)}
	f.variance = src.Int("σ'²", 1, f.rng*f.rng)
	f.threshold = src.LogInt("t", 1, min(f.l*f.rng, 80))
	return f
}

// tail returns the largest P(‖Y_l‖ ≥ t) the adversary reaches.
func (f freedmanInstance) tail() float64 {
	steps := make([]Increments, f.l)
	for i := range steps {
		steps[i] = Increments{f.rng, f.variance}
	}
	p := WorstMartingale(steps, f.threshold)
	return -math.Expm1(float64(f.copies) * math.Log1p(-p))
}

func (f freedmanInstance) bound() float64 {
	return matrixFreedman(2*f.copies, f.l, float64(f.threshold), float64(f.variance),
		float64(f.rng))
}

var freedmanClaims = []props.Binding{
	props.Bind("matrix-freedman-tail/corrected",
		props.Inequality(func(src *props.Source, rec *props.Recorder) {
			f := drawFreedman(src)
			atMost(rec, "P(‖Y_l‖ ≥ t) of the worst martingale", f.tail(), f.bound())
		})),
	props.Bind("matrix-freedman-tail",
		props.Inequality(func(src *props.Source, rec *props.Recorder) {
			atMost(rec, "P(‖Y_l‖ ≥ t) of the constant martingale Y_i = Y_0 with ‖Y_0‖ = t", 1,
				drawFreedman(src).bound())
		})),
}
