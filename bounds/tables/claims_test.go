package tables_test

import (
	"testing"

	"sledge/algos/claims"
	"sledge/bounds"
	"sledge/bounds/tables"
	"sledge/claimtest"
)

// Every claim that this package answers for comes out as the ledger expects: what entries say of the
// growth of costs.
func TestClaims(t *testing.T) {
	claimtest.Run(t, claimtest.Share{
		Of: []string{"growth"}, Stated: tables.Stated(bounds.Stated(claims.Stated()))}, nil)
}
