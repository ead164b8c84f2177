package bounds_test

import (
	"testing"

	"sledge/bounds"
	"sledge/claimtest"
	"sledge/props"
)

// Every claim that this package answers for comes out as the ledger expects, and runs decide in
// dimensions that are worth the name.
func TestClaims(t *testing.T) {
	claimtest.Run(t, claimtest.Share{Bindings: [][]props.Binding{bounds.Claims()}},
		func(t *testing.T, results []props.Result) {
			claimtest.InManyDimensions(t, 200, results)
		})
}
