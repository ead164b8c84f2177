// Package bounds holds the results of the theory, SLEDGE's and FLEDGE's form of each in one file
// that is named by it, as checks that [Claims] binds to the entries of the ledger; package tables
// below it holds the two comparison tables. A claim in real parameters is a statement in the
// formulas of [Vocabulary]; claims about algorithms are checked on runs of drawn instances.
//
// Exported are the formulas that other packages compute with: rates as text in the notation of
// package formula, and functions of numbers. Their parameters have the symbols of the paper and one
// meaning each: n components or P clients of which b or p take part in a step, K local steps, L and
// ζ the Lipschitz constants of gradients and of their differences between components (0 ≤ ζ ≤ 2L),
// μ the PL constant (0 < μ ≤ L), Δ = f(x⁰) − inf f, σ_c and G_c the root mean square and the
// largest distance of component gradients from ∇f(x⁰), ε the gradient norm and δ the negative
// curvature that are asked for, ν a probability of failure, C_1 ≥ 1 the logarithm of the
// concentration tools. Functions return finite numbers for positive finite constants in these
// ranges and do not check them.
package bounds

import (
	_ "embed"
	"math"
	"slices"

	"sledge/concentration"
	"sledge/props"
	"sledge/props/formula"
	"sledge/props/ledger"
)

// coverageC1 is the explicit constant that the coverage argument needs, C_1 = log(nT/ν) (lines
// 1398-1399).
func coverageC1(n, T int, nu float64) float64 {
	return max(1, math.Log(float64(n)*float64(T)/nu))
}

// tailC1 is the constant with which tail claims about runs are evaluated: C_1 = log(nT/ν), which
// coverage of n indexes asks for, and at least log(1/ν + n + P + d + T + K), the smallest reading
// of proposition:Bernstein.
func tailC1(n int, s concentration.Sizes) float64 {
	return max(coverageC1(n, s.T, s.Nu), concentration.C1(1, s))
}

// coverWindow is the window (n/b)·C_1 after which every index has been drawn with high probability
// (lemma:First-VarianceBound, line 1145), as a whole number of steps, rounded up. T_3 = (P/p)·C_1
// (line 2240) is the same with clients for components.
func coverWindow(n, b int, c1 float64) int {
	return int(math.Ceil(float64(n) / float64(b) * c1))
}

// windowStart is the first step of the window of length T_1 that ends at t: max{1, t − T_1 + 1}
// (line 1150).
func windowStart(t, t1 int) int { return max(1, t-t1+1) }

// Several is the least number of components, or of clients, between which there can be any
// difference. With one alone ζ = σ_c = G_c = 0: where these constants are positive, at least so
// many are drawn.
const Several = 2

// Claims binds the checks of the results about SLEDGE and FLEDGE to the ids of their entries in the
// ledger, with the file and line of each.
func Claims() []props.Binding {
	return slices.Concat(
		varianceClaims(),
		pairTermClaims(), tablePairClaims(),
		relaxClaims(),
		plClaims(),
	)
}

//go:embed symbols.ledger
var symbolsText string

var symbols = props.Must(ledger.Parse("symbols.ledger", symbolsText))

// Symbols returns the symbols that symbols.ledger declares by the name. It panics if there are
// none.
func Symbols(name string) *formula.Vocabulary { return props.Must(symbols.Vocabulary(name)) }

// Vocabulary is the symbols of the theory with their units, and the ranges from which formulas draw
// them where they say nothing else. Claims in its formulas are settled by the coefficients of their
// polynomials where those decide.
var Vocabulary = Symbols("theory")
