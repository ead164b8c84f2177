package verbs

import (
	"flag"
	"testing"

	"sledge"
	"sledge/algos/experiments"
	"sledge/props"
	"sledge/reports/verify"
	"sledge/reports/verify/verifytest"
)

var _ = flag.Bool("update", false, "rewrite what the scripts expect")

func TestMain(m *testing.M) {
	app := func(figures verify.Verb) func() verify.App {
		return func() verify.App {
			return verify.App{Name: "verify", Claims: sledge.Claims, Ledger: sledge.Ledger,
				Verbs: []verify.Verb{Race(), Conformance(), Conjecture(), figures},
				Lists: []verify.List{Methods(), Problems()}}
		}
	}
	tiny := func(props.Tier) experiments.Scale { // takes a blink
		return experiments.Scale{Name: "tiny", Letters: 3, Side: 5, Group: 1, Client: 4, Width: 3,
			LocalBatch: 1, LocalSteps: 2, Steps: 8,
			Rounds: 4, Records: 4, Held: 2, Rates: []float64{0.3, 0.1}, Seeds: 2}
	}
	verifytest.Main(m, map[string]func() verify.App{"verify": app(Figures()),
		"verify-tiny": app(figuresAt(tiny))})
}

// The scripts in testdata show every verb, what it writes, and every refusal.
func TestScripts(t *testing.T) { verifytest.Run(t, "testdata") }
