package verify

import "sledge/props"

// The commands of the scripts.
var (
	Toy      = func() App { return toy(toys) }
	Odd      = func() App { return toy(oddities) }
	Stopping = func() App { return toy(stopping) }
	Empty    = func() App { return toy(nil) }
	Own      = own
)

// Twice has a ledger that the engine refuses: two claims have the same id.
func Twice() App { return toy(func() []props.Claim { return append(toys(), toys()...) }) }
