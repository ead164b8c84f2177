package federated

import (
	"strings"
	"testing"

	"sledge/algos/claims"
	"sledge/bounds"
	"sledge/bounds/tables"
	"sledge/claimtest"
	"sledge/props"
)

// Every claim of the chapters on FLEDGE that package bounds binds comes out as the ledger expects,
// and runs decide in dimensions that are worth the name.
func TestClaims(t *testing.T) {
	claimtest.Run(t, claimtest.Share{Bindings: [][]props.Binding{bounds.Claims()},
		Of: []string{"parts", "pairs", "samples", "searches",
			"instances"}, Stated: bounds.Stated(tables.Stated(claims.Stated())),
		Only: func(c *props.Claim) bool { return strings.HasPrefix(c.Part, "fledge-") },
	}, func(t *testing.T, results []props.Result) {
		claimtest.InManyDimensions(t, 25, results)
	})
}
