package sledge

import (
	"context"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"

	"sledge/props"
	"sledge/props/certificate/checker"
	"sledge/props/proptest"
	"sledge/reports"
)

// once runs all claims as the command does when it is given nothing.
var once = sync.OnceValues(func() ([]props.Result, error) {
	return props.Run(context.Background(), props.Must(Claims()),
		props.Config{Workers: runtime.GOMAXPROCS(0), Alpha: props.DefaultAlpha,
			Check: checker.Accept})
})

// run returns the results of all claims. Under -short they are not checked, and the test is skipped.
func run(t *testing.T) []props.Result {
	t.Helper()
	if testing.Short() {
		t.Skip("all claims would be run: one to two minutes")
	}
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

// A report of the command on another number of workers, where VERIFY_REPORT names one of all claims
// at the quick tier and seed 0, has the same bits.
func TestReportHasTheSameBits(t *testing.T) {
	path := os.Getenv("VERIFY_REPORT")
	if path == "" {
		t.Skip("VERIFY_REPORT names no report")
	}
	want, err := reports.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	got := reports.New(run(t), reports.Run{Tests: want.Run.Tests})
	if got.Run.Digest == want.Run.Digest {
		return
	}
	var said strings.Builder
	if err := reports.Compare(want, got, 1+1e-15).WriteText(&said); err != nil {
		t.Error(err)
	}
	t.Errorf("the digest is %s, that of the report %s: %s", got.Run.Digest, want.Run.Digest, &said)
}

// Run is run, for tests outside of the package.
func Run(t *testing.T) []props.Result { return run(t) }
