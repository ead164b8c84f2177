package claims_test

import (
	"testing"

	"sledge/algos/claims"
	"sledge/claimtest"
	"sledge/props"
)

// Every claim that this package answers for comes out as the ledger expects: those that it binds,
// and what entries say of runs.
func TestClaims(t *testing.T) {
	claimtest.Run(t, claimtest.Share{Bindings: [][]props.Binding{claims.Claims()},
		Of: []string{"runs", "steps", "errors", "messages", "means", "cost",
			"constants"}, Stated: claims.Stated()}, nil)
}
