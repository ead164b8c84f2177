package props

import (
	"fmt"
	"math"

	"sledge/props/keyed"
)

// A violation in floating point refutes only if it survives a second arithmetic: the instance is evaluated again, several times, with the last bits of
// all its numbers moved at random.
const (
	perturbations = 8  // evaluations in the second arithmetic
	margin        = 10 // times that a violation must exceed their spread
)

// rounding returns why the violation of a confirmed instance may be rounding, and nothing if it stands.
func (d *Deterministic) rounding(e *execution, c *confirmed) string {
	switch {
	case !c.at.broken || c.certified:
		return ""
	case c.at.doubt:
		return fmt.Sprintf("the difference of %s may be rounding of the numbers behind it", Number(c.pair.gap(), 3))
	}
	key := e.stream("rounding")
	made, spread := 0, 0.0
	for j := 1; made < perturbations && j <= 2*perturbations; j++ {
		at, ok := d.tremble(c, key.Perturbed(j))
		if !ok {
			continue
		}
		made++
		spread = max(spread, math.Abs(at.clear-c.at.clear))
		if !at.broken {
			return "it may be rounding: with the last bits of the numbers moved the violation disappears"
		}
	}
	switch {
	case made < perturbations/2:
		return "it may be rounding: with the last bits of the numbers moved the premise fails"
	case c.at.clear < margin*spread:
		return fmt.Sprintf("it may be rounding: with the last bits of the numbers moved the difference changes by %s %% of itself", Number(100*spread/c.at.clear, 2))
	}
	return ""
}

// tremble evaluates an instance in a second arithmetic. It reports where the comparison stands, unless the instance cannot be evaluated so.
func (d *Deterministic) tremble(c *confirmed, key keyed.Key) (at standing, ok bool) {
	defer func() { _ = recover() }() // a panic says that the perturbed instance lies outside the domain
	var b bench
	if err := d.evaluatePerturbed(&b, replayed(c.choices, middle), key); err != nil || b.rec.skipped != "" {
		return at, false
	}
	for _, s := range b.rec.live {
		if s.worst.What == c.pair.What {
			return s.at, true
		}
	}
	return at, false
}

// magnitude returns the size of the largest choice: rounding errors may be relative to it. The names of streams and alternatives have none.
func magnitude(drawn []Choice) float64 {
	largest := 0.0
	for i := range drawn {
		if c := &drawn[i]; !c.Seed && c.Names == nil {
			largest = max(largest, math.Abs(c.Value))
		}
	}
	return largest
}

// nothing says what was compared where nothing was comparable.
func (t *tally) nothing() string {
	switch {
	case t.zeros == 0:
		return "numbers that overflow or underflow"
	case t.void == 0:
		return "0 with 0"
	}
	return "0 with 0 or numbers that overflow or underflow"
}

// incomparable says how many comparisons had nothing to compare.
func (t *tally) incomparable() string {
	var parts []string
	if t.void > 0 {
		parts = append(parts, fmt.Sprintf("%d of %s not comparable (overflow or underflow)", t.void, plural(t.pairs, "comparison")))
	}
	if t.zeros > 0 {
		parts = append(parts, fmt.Sprintf("%d of %s of 0 with 0", t.zeros, plural(t.pairs, "comparison")))
	}
	return sentence(parts...)
}
