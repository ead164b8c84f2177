package bounds

import "sledge/props/formula"

// lowerTerms are the numbers of gradients of lower-bound-main/sharper, with the constants of the
// constructions.
var lowerTerms = [...]*formula.Program{
	formula.Must(Vocabulary, "n/2").Of("n", "L", "ζ", "Δ", "ε"),
	formula.Must(Vocabulary, "LΔ/(14ε²)").Of("n", "L", "ζ", "Δ", "ε"),
	formula.Must(Vocabulary, "Δζ√n/(3200ε²)").Of("n", "L", "ζ", "Δ", "ε"),
}

// LowerBounds are numbers of stochastic gradients that every linear-span method needs for some sum
// of n ≥ 2 components with f(x⁰) − inf f = Δ, L-Lipschitz gradients and 0 ≤ ζ ≤ 2L, for 0 < ε ≤
// √(LΔ): for what is to be seen of all components, for the descent, and for how much they differ.
func LowerBounds(n, L, zeta, delta, eps float64) (terms [3]float64) {
	for k, f := range lowerTerms {
		terms[k] = f.At(n, L, zeta, delta, eps)
	}
	return terms
}
