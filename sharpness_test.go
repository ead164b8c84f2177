package sledge

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"sledge/props"
)

// The checks of claims with a sharp floor in the ledger come as close to their bounds as it says: a statement that
// claimed less would be refuted. The floors lie a little below what the quick tier reaches with five seeds. The fresh
// run settles nothing, so that its searches have their whole budgets; where a proof has left a search a part of it,
// in the other run, nothing is asked.
func TestSharpClaimsStaySharp(t *testing.T) {
	var claims []props.Claim
	for _, c := range props.Must(Claims()) {
		if len(c.Sharp) > 0 {
			claims = append(claims, c)
		}
	}
	if len(claims) < 60 {
		t.Errorf("only %d claims have sharp floors", len(claims))
	}
	fresh, err := props.Run(context.Background(), claims, props.Config{Seed: 1, Workers: runtime.GOMAXPROCS(0)})
	if err != nil {
		t.Fatal(err)
	}
	for seed, results := range [][]props.Result{run(t), fresh} {
		for _, r := range results {
			for _, f := range r.Claim.Sharp {
				// the instances of a randomised part are spread, not sharp: the best of them counts
				reached, settled := map[string]float64{}, false
				for _, e := range r.Evidence {
					if e.Relation != props.LE && e.Relation != props.GE || e.Sense == props.Hidden ||
						!strings.Contains(e.What, f.What) {
						continue
					}
					if e.Scope != "" {
						settled = true
						continue
					}
					name := e.What
					if e.Sense == props.Runs {
						name = fmt.Sprint("runs of part ", e.Part)
					}
					if before := reached[name]; !(e.Tightness > before) { // NaN reaches nothing
						reached[name] = before
					} else {
						reached[name] = e.Tightness
					}
				}
				for name, tightness := range reached {
					if tightness < f.Share {
						t.Errorf("%s, seed %d: %q reaches %.3g of its bound, less than %v", r.Claim.ID, seed, name, tightness, f.Share)
					}
				}
				if len(reached) == 0 && !settled {
					t.Errorf("%s, seed %d: no inequality about %q", r.Claim.ID, seed, f.What)
				}
			}
		}
	}
}
