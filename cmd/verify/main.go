// Command verify runs the claims of the companion, reports their verdicts with the evidence, and
// replays, merges and compares what it found. "verify -h" explains its verbs, flags and exit
// status.
package main

import (
	"sledge"
	"sledge/algos/verbs"
	"sledge/cmd/verify/internal/measured"
	"sledge/reports/verify"
	"sledge/theory"
)

func main() {
	verify.Execute(verify.App{
		Name:     "verify",
		Summary:  "Tries to refute every claim and reports the verdicts with their evidence.",
		Claims:   sledge.Claims,
		Ledger:   sledge.Ledger,
		Accepted: sledge.Accepted,
		Theory:   theory.Read,
		Model:    theory.Runs,
		ModelOn:  theory.RunsOnFile,
		Costs:    sledge.Costs,
		Verbs: []verify.Verb{verbs.Race(), verbs.Figures(), measured.Tables(), measured.Operate(),
			verbs.Conformance(), verbs.Conjecture()},
		Lists:  []verify.List{verbs.Methods(), verbs.Problems()},
		Replay: "go run ./cmd/verify replay",
	})
}
