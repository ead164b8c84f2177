package experiments_test

import (
	"testing"

	"sledge/algos/claims"
	"sledge/algos/experiments"
	"sledge/claimtest"
)

// Every claim that this package answers for comes out as the ledger expects: what entries say is
// found in figures.
func TestClaims(t *testing.T) {
	claimtest.Run(t, claimtest.Share{
		Of: []string{"findings"}, Stated: experiments.Stated(claims.Stated())}, nil)
}
