package lowerbound_test

import (
	"testing"

	"sledge/algos/claims"
	"sledge/bounds"
	"sledge/bounds/tables"
	"sledge/claimtest"
	"sledge/lowerbound"
)

// Every claim that this package answers for comes out as the ledger expects.
func TestClaims(t *testing.T) {
	claimtest.Run(t, claimtest.Share{Of: []string{"members"},
		Stated: lowerbound.Stated(bounds.Stated(tables.Stated(claims.Stated())))}, nil)
}
