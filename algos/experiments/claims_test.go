package experiments_test

import (
	"testing"

	"sledge/algos/experiments"
	"sledge/claimtest"
	"sledge/props"
)

// Every claim that this package answers for comes out as the ledger expects.
func TestClaims(t *testing.T) {
	claimtest.Run(t, claimtest.Share{Bindings: [][]props.Binding{experiments.Claims()}}, nil)
}
