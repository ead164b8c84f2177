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

// logarithmOf is what C_1 is a multiple of (proposition:Bernstein, line 940).
var logarithmOf = formula.Must(words, "log(1/ν + n + P + d + T + K)").Of("ν", "n", "P", "d", "T", "K")

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
