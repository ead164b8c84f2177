package verify

import (
	"io"

	"sledge/props"
	"sledge/props/ledger"
	"sledge/reports"
)

// The commands of the scripts.
var (
	Toy      = func() App { return toy(toys) }
	Odd      = func() App { return toy(oddities) }
	Stopping = func() App { return toy(stopping) }
	Slow     = func() App { return toy(slow) }
	Empty    = func() App { return toy(nil) }
	Own      = own
	Long     = func() App { return toy(long) }
	Drifted  = func() App { return toy(drifted) }
)

// Annotate writes what is not as expected for GitHub Actions.
func Annotate(w io.Writer, r *reports.Report) error { return annotate(w, r) }

// Slip is a command whose ledger has a slip.
func Slip() App {
	return App{Name: "verify", Claims: func() ([]props.Claim, error) {
		_, err := ledger.Parse("toy.ledger", "[square]  printed\n  expect: true\n")
		return nil, err
	}}
}

// Twice has a ledger that the engine refuses: two claims have the same id.
func Twice() App { return toy(func() []props.Claim { return append(toys(), toys()...) }) }
