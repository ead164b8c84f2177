package concentration

import (
	"math"

	"sledge/props"
)

// freedmanInstance is an adversarial martingale on the integers, or the diagonal matrix of several
// independent ones, with Y_0 = 0, increments of norm at most R' and conditional second moments of
// norm at most σ'² (J. A. Tropp, Freedman's inequality for matrix martingales, Electron. Commun.
// Probab. 16 (2011), corollary 1.3).
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
