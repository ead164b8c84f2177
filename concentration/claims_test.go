package concentration_test

import (
	"testing"

	"sledge/claimtest"
	"sledge/concentration"
	"sledge/props"
)

// Every claim that this package answers for comes out as the ledger expects.
func TestClaims(t *testing.T) {
	claimtest.Run(t, claimtest.Share{Bindings: [][]props.Binding{concentration.Claims()},
		Of: []string{"tails", "laws"}, Stated: concentration.Stated(nil)}, nil)
}
