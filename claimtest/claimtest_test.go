package claimtest_test

import (
	"testing"

	"sledge/claimtest"
	"sledge/props/ledger"
)

// Every claim that is formulas alone comes out as the ledger expects.
func TestClaims(t *testing.T) {
	claimtest.Run(t, claimtest.Share{Of: []string{ledger.Formulas}}, nil)
}
