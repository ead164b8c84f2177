package bounds

import (
	_ "embed"

	"sledge/props"
	"sledge/props/formula"
	"sledge/props/ledger"
)

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
