package concentration

import (
	_ "embed"

	"sledge/props"
	"sledge/props/formula"
	"sledge/props/ledger"
)

//go:embed symbols.ledger
var symbolsText string

var symbols = props.Must(ledger.Parse("symbols.ledger", symbolsText))

// words is the vocabulary of the tail inequalities.
var words = props.Must(symbols.Vocabulary("tails"))

// Sizes are the quantities inside the logarithm of C_1. Zero counts are absent.
type Sizes struct {
	N, P, D, T, K int     // components, clients, dimension, horizon, local steps
	Nu            float64 // failure probability ν in (0, 1)
}

// The logarithm that C_1 is a multiple of (proposition:Bernstein, line 940), and log(ν/poly), where
// poly is the polynomial that lines 936 and 942-944 leave open ("we do not specify poly(n, P, T,
// K)"). The proofs divide ν by at most the square of a count, as in ν/T² (line 1236) and ν/(5T²)
// (line 1276).
const (
	logarithm = "log(1/ν + n + P + d + T + K)"
	allowance = "log(ν/(nPTK)²)"
)

var (
	logarithmOf = formula.Must(words, logarithm).Of("ν", "n", "P", "d", "T", "K")
	allowanceOf = formula.Must(words, allowance).Of("ν", "n", "P", "T", "K")
)

// Log returns log(1/ν + n + P + d + T + K), the logarithm that C_1 is a multiple of.
func (s Sizes) Log() float64 {
	return logarithmOf.At(s.Nu, float64(s.N), float64(s.P), float64(s.D), float64(s.T),
		float64(s.K))
}

// C1 is the constant of the high-probability tools, C_1 = c·log(1/ν + n + P + d + T + K) (lines
// 936-945), never below 1 (line 1477). The paper leaves the factor c unspecified ("as large as
// O(log …)"); c = 1 is the reading with the smallest literal constant, so that a bound found
// vacuous with it is vacuous with every larger c.
func C1(c float64, s Sizes) float64 { return max(1, c*s.Log()) }

// LogAllowance returns log(ν/poly) with poly = (nPTK)², the failure probability that one use of a
// high-probability tool may have. Zero counts are absent.
func (s Sizes) LogAllowance() float64 {
	count := func(v int) float64 { return float64(max(1, v)) }
	return allowanceOf.At(s.Nu, count(s.N), count(s.P), count(s.T), count(s.K))
}

// HighProbabilityFactor is a factor c with which the high-probability tools hold literally for C_1
// = c·log(1/ν + n + P + d + T + K), poly = (nPTK)² and all counts at least 1. Write Λ for the
// logarithm. Then ℓ = log((d+1)·poly/ν) ≤ 10Λ, and t = C·√(σ² + R²) makes (d+1)exp(−(t²/2)/(σ² +
// Rt/3)) at most ν/poly as soon as C² ≥ 2ℓ(1 + C/3), so for C = (2/3)ℓ + 3 ≤ (20/3)Λ + 3 and, since
// Λ ≥ log 6, for C = 8.5Λ.
const HighProbabilityFactor = 8.5
