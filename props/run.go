package props

import "sledge/props/certificate"

// Tier is how much work a run may spend on each claim. Budgets are counts, never times, so that
// results do not depend on the machine.
type Tier uint8

// The tiers.
const (
	Quick    Tier = iota // about a sixth of a second for each claim
	Standard             // about ten times as much, see docs/command.md
	Deep                 // more than that again; never measured in full
)

func (t Tier) String() string { return [...]string{"quick", "standard", "deep"}[t] }

// Config says how to run claims. The zero Config is a quick run with seed 0 on one worker.
type Config struct {
	Seed    uint64
	Tier    Tier
	Workers int // parallel claims and trials; results do not depend on it
	// family-wise error level of all refutations and supports of a run; default 1e-3
	Alpha float64
	// Tests is the number of significance tests among which Alpha is divided, rounded up to a power
	// of two and to 256 at least; 0 stands for those of the given claims. With the number that all
	// claims of a ledger make together ([Tests]), a selection of them gets the same numbers as the
	// whole. A run that makes more tests is refused.
	Tests int
	// Check decides whether a certificate settles its statement; it returns nil if so. With nil
	// nothing is settled by certificates: procedures ([Settled]) are not asked, and counterexamples
	// are not written as certificates.
	Check func(*certificate.Certificate) error
	// Kept are outcomes of runs that slices have made ([Sliced]), on the same seed; they are not
	// made again.
	Kept     map[string][]uint64
	Progress func(Event) // called from one goroutine at a time; may be nil
}

// Event reports progress.
type Event struct {
	Claim       string  // id
	Result      *Result // nil when the claim has just started
	Sliced      *Sliced // a slice of the claim is ready
	Done, Total int
}
