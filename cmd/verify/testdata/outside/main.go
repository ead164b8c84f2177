// Command outside is the companion of another paper: its own three claims, and its own method beside those of the
// library.
package main

import (
	"sledge/algos/algotest"
	"sledge/algos/verbs"
	"sledge/reports/verify"
)

func main() {
	verify.Execute(verify.App{Name: "outside", Summary: "Checks the claims about L-SVRG.",
		Ledger: text, Claims: claims,
		Verbs: []verify.Verb{verbs.Race(method()), verbs.Conformance(algotest.FormsOf(method())...)},
		Lists: []verify.List{verbs.Methods(method())}})
}
