package bounds

import (
	"sledge/algos"
	"sledge/props/formula"
)

// words is the vocabulary of the first-order theorems.
var words = Symbols("first")

// initialTermAt is what Option I pays for its inexact start, in units of ‖∇f‖²: twice what the
// bracket of lines 1491-1506 has, as the horizon of line 1526 needs it.
var initialTermAt = formula.Must(words, "(24C_1³n/b²)(σ_c² + G_c²/b)").
	Of("n", "b", "C_1", "σ_c", "G_c")

// FirstComplexity is the number of stochastic gradients of theorem:First-Main without logarithms,
// with either option, for positive constants and 1 ≤ b ≤ n.
func FirstComplexity(option algos.Option, n, b, L, zeta, delta, sigmaC, eps float64) float64 {
	if option == algos.OptionI {
		return firstOneRate.At(n, b, L, zeta, delta, sigmaC, eps)
	}
	return firstTwoRate.At(n, b, L, zeta, delta, eps)
}
