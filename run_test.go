package sledge

import (
	"context"
	"runtime"
	"sync"
	"testing"

	"sledge/props"
	"sledge/props/certificate/checker"
	"sledge/props/proptest"
)

// once runs all claims as the command does when it is given nothing.
var once = sync.OnceValues(func() ([]props.Result, error) {
	return props.Run(context.Background(), props.Must(Claims()),
		props.Config{Workers: runtime.GOMAXPROCS(0), Check: checker.Accept})
})

// run returns the results of all claims.
func run(t *testing.T) []props.Result {
	t.Helper()
	results, err := once()
	if err != nil {
		t.Fatal(err)
	}
	return results
}

// Every claim comes out as the ledger expects, and those that hold survive the search of rapid.
func TestClaims(t *testing.T) {
	for _, r := range run(t) {
		t.Run(r.Claim.ID, func(t *testing.T) {
			t.Parallel()
			proptest.Examine(t, &r)
		})
	}
}

// Run is run, for tests outside of the package.
func Run(t *testing.T) []props.Result { return run(t) }
