package props

import (
	"fmt"
	"math"

	"sledge/props/keyed"
)

// A violation in floating point refutes only if it survives a second arithmetic: the instance is evaluated again, several times, with all its numbers
// moved at random, by last bits at first and by more each time.
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
	made, still, spread, unsized := 0, true, 0.0, c.pair.unsized()
	for j := 1; made < perturbations && j <= 2*perturbations; j++ {
		pair, at, moved, bulk, ok := d.tremble(c, key.Perturbed(j))
		if !ok {
			continue
		}
		made++
		if !at.broken {
			return "it may be rounding: with the numbers moved a little the violation disappears"
		}
		still = still && !moved && (bulk || c.pair.Claimed == 0)
		off := math.Abs(at.clear-c.at.clear) / c.at.clear
		if unsized { // what fails by all that it is fails by as much of itself whatever it is
			off = math.Abs(pair.gap()/c.pair.gap() - 1)
		}
		spread = max(spread, off)
	}
	switch {
	case made < perturbations/2:
		return "it may be rounding: with the numbers moved a little the premise fails"
	case still && unsized:
		return "it may be rounding: nothing moves the numbers behind the comparison, whose size only Scale can state"
	case margin*spread > 1:
		return fmt.Sprintf("it may be rounding: with the numbers moved a little the difference changes by %s %% of itself", Number(100*spread, 2))
	}
	return ""
}

// unsized reports that nothing says which differences of the pair are large: it compares a number with one that is much smaller, on no stated scale.
func (p *Pair) unsized() bool {
	return p.scale == 0 && !p.exactNow && math.Abs(p.Claimed) <= math.Abs(p.Measured)/16
}

// tremble evaluates an instance in a second arithmetic. It reports the comparison, where it stands and whether its numbers were moved, unless the instance
// cannot be evaluated so. Bulk numbers that come from a generator are not moved unless the check asks for it.
func (d *Deterministic) tremble(c *confirmed, key keyed.Key) (pair Pair, at standing, moved, bulk, ok bool) {
	defer func() { _ = recover() }() // a panic says that the perturbed instance lies outside the domain
	var b bench
	if err := d.evaluatePerturbed(&b, replayed(c.choices, middle), key); err != nil || b.rec.skipped != "" {
		return pair, at, false, false, false
	}
	for _, s := range b.rec.live {
		if s.worst.What == c.pair.What {
			bulk = b.src.bulk && !b.src.moved
			return s.worst, s.at, s.worst.Measured != c.pair.Measured && !bulk, bulk, true
		}
	}
	return pair, at, false, false, false
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
