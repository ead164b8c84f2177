package sledge

import (
	"context"
	"runtime"
	"testing"

	"sledge/props"
)

// The checks of claims with a sharp floor in the ledger come as close to their bounds as it says: a
// statement that claimed less would be refuted. Every run of the command asks for half of that;
// here one with a fixed seed settles nothing, so that all searches have their whole budgets: where
// a proof has left a search a part of it nothing is asked.
func TestSharpClaimsStaySharp(t *testing.T) {
	if testing.Short() {
		t.Skip("all sharp claims are run: seconds")
	}
	var claims []props.Claim
	for _, c := range props.Must(MadeOnce()) {
		if len(c.Sharp) > 0 {
			claims = append(claims, c)
		}
	}
	if len(claims) < 60 {
		t.Errorf("only %d claims have sharp floors", len(claims))
	}
	results, err := props.Run(context.Background(), claims,
		props.Config{Seed: 1, Workers: runtime.GOMAXPROCS(0)})
	if err != nil {
		t.Fatal(err)
	}
	for i := range results {
		for _, s := range results[i].Unsharp(1) {
			t.Errorf("%s: %s", results[i].Claim.ID, s)
		}
	}
}
