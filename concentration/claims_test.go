package concentration_test

import (
	"testing"

	"sledge/claimtest"
	"sledge/concentration"
)

// Every claim that this package answers for comes out as the ledger expects.
func TestClaims(t *testing.T) {
	claimtest.Run(t, claimtest.Share{Of: []string{"tails", "laws"}, Stated: concentration.Stated(nil)}, nil)
}
