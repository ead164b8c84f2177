package props

import (
	"fmt"
	"slices"
)

// Verdict is the outcome of checking a claim. It is computed from evidence, never assigned.
type Verdict uint8

// The verdicts. The zero Verdict is Unknown, which no run returns.
const (
	Unknown Verdict = iota
	Proved          // exact or certified arithmetic settles it in the scope that is named
	// the claimed probability, mean or slope is shown at the stated level, with the power stated
	Supported
	Consistent // hard search found no contradiction, and support is not decidable
	Refuted    // a counterexample, confirmed apart from the search that found it
	// the premise was never met, or the bound is weaker than the trivial one everywhere it was
	// tried
	Vacuous
	Inconclusive // budget or power too small, or pre-asymptotic
	Error        // the check itself failed
)

var verdictNames = [...]string{"unknown", "proved", "supported", "consistent", "refuted", "vacuous",
	"inconclusive", "error"}

func (v Verdict) String() string { return verdictNames[v] }

// MarshalText writes the verdict as its lower-case name.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText reads a lower-case name.
func (v *Verdict) UnmarshalText(b []byte) error {
	i := slices.Index(verdictNames[:], string(b))
	if i < 0 {
		return fmt.Errorf("props: unknown verdict %q", b)
	}
	*v = Verdict(i)
	return nil
}
