package cited

import (
	"testing"

	"sledge/algos/claims"
	"sledge/bounds"
	"sledge/bounds/tables"
	"sledge/claimtest"
	"sledge/concentration"
	"sledge/lowerbound"
	"sledge/props"
	"sledge/theory"
)

// Every claim that names a theorem comes out as the ledger expects: proved by it, and tried.
func TestClaims(t *testing.T) {
	d, err := theory.Read()
	if err != nil {
		t.Fatal(err)
	}
	claimtest.Run(t, claimtest.Share{
		Bindings: [][]props.Binding{claims.Claims(), bounds.Claims()},
		Of:       claimtest.Kinds, Settle: d.Settle, Stated: concentration.Stated(lowerbound.Stated(
			bounds.Stated(tables.Stated(claims.Stated())))),
	}, func(t *testing.T, results []props.Result) {
		claimtest.InManyDimensions(t, 24, results)
	})
}
