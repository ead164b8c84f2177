package verify

import (
	"sledge/props"
	"sledge/props/ledger"
)

// The commands of the scripts.
var (
	Toy      = func() App { return toy(toys) }
	Odd      = func() App { return toy(oddities) }
	Stopping = func() App { return toy(stopping) }
	Slow     = func() App { return toy(slow) }
	Empty    = func() App { return toy(nil) }
	Own      = own
)

// Slip is a command whose ledger has a slip.
func Slip() App {
	return App{Name: "verify", Claims: func() ([]props.Claim, error) {
		_, err := ledger.Parse("toy.ledger", "[square]  printed\n  expect: true\n")
		return nil, err
	}}
}

// Twice has a ledger that the engine refuses: two claims have the same id.
func Twice() App { return toy(func() []props.Claim { return append(toys(), toys()...) }) }
