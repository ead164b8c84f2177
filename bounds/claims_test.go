package bounds_test

import (
	"runtime/debug"
	"strings"
	"testing"

	"sledge/algos/claims"
	"sledge/bounds"
	"sledge/claimtest"
	"sledge/props"
)

// TestMain gives the collector the room that the command gives it.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	m.Run()
}

// Every claim that this package binds comes out as the ledger expects, and runs decide in dimensions
// that are worth the name; those of the chapters on FLEDGE are run by package federated.
func TestClaims(t *testing.T) {
	claimtest.Run(t, claimtest.Share{Bindings: [][]props.Binding{bounds.Claims()},
		Of: []string{"parts", "pairs", "samples", "searches",
			"instances"}, Stated: bounds.Stated(claims.Stated()),
		Only: func(c *props.Claim) bool { return !strings.HasPrefix(c.Part, "fledge-") },
	}, func(t *testing.T, results []props.Result) {
		claimtest.InManyDimensions(t, 38, results)
	})
}
