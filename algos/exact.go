package algos

// exact answers every question with ∇f.
type exact struct {
	Problem
	full FullGradienter
}

// Gradient sets dst to ∇f(x).
func (p exact) Gradient(dst, x []float64, _, _ int) { p.full.FullGradient(dst, x) }

// FullGradient does the same.
func (p exact) FullGradient(dst, x []float64) { p.full.FullGradient(dst, x) }

// Exactly returns the problem with every component, and every datum of a client, answering with the
// gradient of the mean of all: what runs are without the errors of estimators. It panics if the
// problem has no full gradient.
func Exactly(p Problem) Problem {
	full, ok := As[FullGradienter](p)
	if !ok {
		panic("algos: a problem without a full gradient has no exact answers")
	}
	return exact{p, full}
}
