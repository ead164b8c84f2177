package sledge

import (
	"embed"

	"sledge/algos/claims"
	"sledge/algos/experiments"
	"sledge/bounds"
	"sledge/bounds/tables"
	"sledge/concentration"
	"sledge/lowerbound"
	"sledge/props"
	"sledge/props/ledger"
)

//go:embed docs/ledger/*.ledger
var files embed.FS

// Ledger returns what is said about the text: what it is, and all claims in its order, without their checks.
func Ledger() *ledger.Ledger { return props.Must(ledger.Read(files, "docs/ledger/*.ledger")) }

// Claims returns the claims of the ledger with the checks that the packages bind to them.
func Claims() []props.Claim {
	return props.Must(Ledger().Join(
		claims.Claims(),
		concentration.Claims(),
		bounds.Claims(),
		tables.Claims(),
		lowerbound.Claims(),
		experiments.Claims(),
	))
}
