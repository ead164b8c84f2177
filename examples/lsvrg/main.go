// Command lsvrg is the companion of note.txt: its own claims, and its own method beside those of
// the library.
package main

import (
	"sledge/algos/algotest"
	"sledge/algos/verbs"
	"sledge/reports/verify"
)

func main() {
	verify.Execute(verify.App{Name: "lsvrg", Summary: "Checks the claims about L-SVRG.",
		Ledger: text, Claims: claims, Verbs: []verify.Verb{verbs.Race(method()),
			verbs.Conformance(algotest.FormsOf(method())...), verbs.Conjecture(method())},
		Lists: []verify.List{verbs.Methods(method())}})
}
