package tables_test

import (
	"testing"

	"sledge/algos/claims"
	"sledge/bounds/tables"
	"sledge/claimtest"
	"sledge/props"
)

// Every claim that this package answers for comes out as the ledger expects: those that it binds,
// and what entries say of the growth of costs.
func TestClaims(t *testing.T) {
	claimtest.Run(t, claimtest.Share{Bindings: [][]props.Binding{tables.Claims()},
		Of: []string{"growth"}, Stated: tables.Stated(claims.Stated())}, nil)
}
