package bounds

import (
	"strings"

	"sledge/props/formula"
)

// The rates of the theorems as formulas in [Vocabulary], without constants and logarithms: numbers of stochastic
// gradients for SLEDGE, numbers of communication rounds for FLEDGE, after the first. Each has the place it is from.
const (
	FirstOneRate    = "(Δ(ζ√n ∨ Lb) + (n/b)σ_c²)/ε²"    // theorem:First-Main, Option I (lines 376-379)
	FirstTwoRate    = "n + Δ(ζ√n ∨ Lb)/ε²"              // the same, Option II
	SecondOneRate   = "(LΔ + σ_c²)(1/ε² + ρ²/δ⁴)b"      // theorem:Second-Main, Option I (lines 411-414)
	secondTwoRate   = "n + LΔ(1/ε² + ρ²/δ⁴)b"           // the same, Option II
	PLRate          = "max{Lb/μ, ζ√n/μ, n}"             // theorem:PL-Main (line 446)
	LowerRate       = "n + Δ(ζ√n + L)/ε²"               // proposition:LowerBound (line 395)
	firstRoundsRate = "max{L/K, ζ√P/p, ζ, L/√(Kb)}Δ/ε²" // theorem:Dist-First-Main (lines 504-506)
	// RepairedRounds adds to firstRoundsRate what the minibatches of the sampled clients cost; it is the rate of its
	// proof.
	RepairedRounds = "(L/K ∨ ζ√P/p ∨ L√P/(p√(Kb)) ∨ ζ ∨ L/√(Kb))Δ/ε²"
	SecondRounds   = "Δ(L/K + ζ)(1/ε² + ρ²/δ⁴)" // theorem:D-Second-Main (lines 527-528)
)

// plTerms are the numbers of rounds that theorem:D-PL joins by ∧ (lines 579-588).
var plTerms = []string{"L/(μK)", "ζ√P/(μp)", "P/p", "ζ/μ", "L/(μ√(Kb))"}

// PLRounds are the numbers of rounds that theorem:D-PL joins by ∧ (lines 579-588), in braces after "min" or "max".
// RepairedPLRounds is the largest of them and of what the minibatches of the sampled clients cost, the rate of its
// proof.
var (
	PLRounds         = "{" + strings.Join(plTerms, ", ") + "}"
	RepairedPLRounds = "max{" + strings.Join(plTerms, ", ") + ", L√P/(μp√(Kb))}"
)

// The rates that other claims compute with.
var (
	firstOneRate = formula.Must(Vocabulary, FirstOneRate).Of("n", "b", "L", "ζ", "Δ", "σ_c", "ε")
	firstTwoRate = formula.Must(Vocabulary, FirstTwoRate).Of("n", "b", "L", "ζ", "Δ", "ε")
	firstRounds  = formula.Must(Vocabulary, firstRoundsRate).Of("L", "K", "ζ", "P", "p", "b", "Δ", "ε")
	secondRounds = formula.Must(Vocabulary, SecondRounds).Of("Δ", "L", "K", "ζ", "ε", "ρ", "δ")
)

// lowerTerms are the numbers of gradients of lower-bound-main/sharper, with the constants of the constructions.
var lowerTerms = [...]*formula.Program{
	formula.Must(Vocabulary, "n/2").Of("n", "L", "ζ", "Δ", "ε"),
	formula.Must(Vocabulary, "LΔ/(14ε²)").Of("n", "L", "ζ", "Δ", "ε"),
	formula.Must(Vocabulary, "Δζ√n/(3200ε²)").Of("n", "L", "ζ", "Δ", "ε"),
}

// LowerBounds are numbers of stochastic gradients that every linear-span method needs for some sum of n ≥ 2 components
// with f(x⁰) − inf f = Δ, L-Lipschitz gradients and 0 ≤ ζ ≤ 2L, for 0 < ε ≤ √(LΔ): for what is to be seen of all
// components, for the descent, and for how much they differ.
func LowerBounds(n, L, zeta, delta, eps float64) (terms [3]float64) {
	for k, f := range lowerTerms {
		terms[k] = f.At(n, L, zeta, delta, eps)
	}
	return terms
}
