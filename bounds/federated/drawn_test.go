package federated

import (
	"context"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"testing"

	"sledge/algos/conjecture"
	"sledge/claimtest"
	"sledge/props"
	"sledge/props/ledger"
)

// mistakes are factors that are not 1 but for some sizes, and where they are 1.
var mistakes = map[string]string{"(min{b, K}/K)^99": "b ≥ K", "(min{b, K}/b)^99": "b ≤ K"}

// smaller is a statement whose larger side has a factor.
func smaller(r ledger.Runs, factor string) ledger.Runs {
	body, premises, conditional := strings.Cut(r.Statement, " if ")
	if left, right, found := strings.Cut(body, " ≤ "); found {
		body = left + " ≤ " + factor + "(" + right + ")"
	} else {
		left, right, _ := strings.Cut(body, " ≥ ")
		body = factor + "(" + left + ") ≥ " + right
	}
	if r.Statement = body; conditional {
		r.Statement += " if " + premises
	}
	return r
}

// verdict is that of a statement about runs at a drawn seed.
func verdict(t *testing.T, r ledger.Runs) (v props.Verdict, seed uint64) {
	seed = rand.Uint64()
	check, _, err := conjecture.Stated()(r)
	if err != nil {
		t.Fatalf("%s: %v: %v", r.ID, r, err)
	}
	results, err := props.Run(context.Background(), []props.Claim{{ID: "a", Check: check}},
		props.Config{Seed: seed, Workers: runtime.GOMAXPROCS(0)})
	if err != nil {
		t.Fatal(err)
	}
	return results[0].Verdict, seed
}

// noticed reports whether a mistake is refuted at one of three drawn seeds: a search draws what it
// tries, and may by chance come by no instance of the kind at one of them.
func noticed(t *testing.T, r ledger.Runs) (found bool, seed uint64) {
	for range 3 {
		var v props.Verdict
		if v, seed = verdict(t, r); v == props.Refuted {
			return true, seed
		}
	}
	return false, seed
}

// A bound that is wrong for b < K alone, or for b > K alone, or for steps that are long alone, is
// noticed in every statement of the ledger about runs of FLEDGE, unless its premises leave no such
// sizes: instances are drawn from all that the statement is for. Where they are not it goes
// unnoticed.
func TestMistakesOfSomeSizesAreNoticed(t *testing.T) {
	l, err := ledger.Read(os.DirFS("../.."), claimtest.Files...)
	if err != nil {
		t.Fatal(err)
	}
	fledge := l.Only(func(c *props.Claim) bool {
		return strings.HasPrefix(c.Part, "fledge-") && c.Expect != props.Refuted
	}).Statements()
	tried, long := rand.IntN(3), map[string]bool{}
	first := tried
	for _, r := range fledge {
		_, premises, _ := strings.Cut(r.Statement, " if ")
		if r.Of != "runs" || r.Family == "" || !strings.HasPrefix(r.Method, "FLEDGE") {
			continue
		}
		for factor, apart := range mistakes {
			if strings.Contains(premises, apart) {
				continue
			}
			if tried++; tried%3 != 0 || testing.Short() && tried%9 != 0 { // a third, which is drawn
				continue
			}
			wrong := smaller(r, factor)
			if found, seed := noticed(t, wrong); !found {
				t.Errorf("%s is not refuted, at last at seed %d: %s of %s with %s", r.ID, seed,
					wrong.Statement, r.Method, r.Drawn)
			}
			if wrong.Drawn = strings.TrimPrefix(r.Drawn+", "+apart, ", "); tried%9 == 0 {
				if v, seed := verdict(t, wrong); v == props.Refuted {
					t.Errorf("%s is %v at seed %d where %s is drawn: %s", r.ID, v, seed, apart,
						wrong.Statement)
				}
			}
		}
		if strings.Contains(premises, "η") || testing.Short() || long[r.ID] {
			continue
		}
		var seed uint64
		long[r.ID], seed = noticed(t, smaller(r, "min{1, 1/(2ηL)}^99"))
		if !long[r.ID] { // another line of it may have them
			t.Logf("%s is not refuted, at last at seed %d, with long steps alone: %s", r.ID, seed,
				r.Statement)
		}
	}
	for id, found := range long {
		if !found {
			t.Errorf("%s is a statement about all steps, and draws no long ones", id)
		}
	}
	if tried-first < 60 || len(long) < 4 && !testing.Short() {
		t.Errorf("%d statements with a mistake of some sizes, and %v about all steps", tried-first, long)
	}
}
