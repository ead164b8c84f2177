package props

import (
	"fmt"
	"math"

	"sledge/props/keyed"
)

// A violation in floating point refutes only if it survives a second arithmetic: the instance is evaluated again,
// several times, with all its numbers moved at random, by last bits at first and by more each time.
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
	why, stir := d.shake(c, key.Perturbed, false)
	if why == "" && stir {
		stirred := func(i int) keyed.Key { return key.Perturbed(i).Stirred() }
		why, _ = d.shake(c, stirred, true)
	}
	return why
}

// shake returns why the violation may be rounding as far as some perturbations of its instance tell, and whether
// generators must be stirred to know.
func (d *Deterministic) shake(c *confirmed, key func(i int) keyed.Key, stir bool) (why string, more bool) {
	made, still, spread := 0, true, 0.0
	for j := 1; made < perturbations && j <= 2*perturbations; j++ {
		at, ok := d.tremble(c, key(j))
		if !ok {
			continue
		}
		made++
		if !at.broken {
			return "it may be rounding: with the numbers moved a little the violation disappears", false
		}
		still = still && at.pair.Measured == c.pair.Measured
		more = more || at.bulk
		off := math.Abs(at.clear-c.at.clear) / c.at.clear
		if small := math.Abs(c.pair.Claimed) <= math.Abs(c.pair.Measured)/16; small && c.pair.scale == 0 {
			// what fails by all that it is fails by as much of itself whatever it is
			off = math.Abs(at.pair.gap()/c.pair.gap() - 1)
		}
		spread = max(spread, off)
	}
	odd := math.Abs(math.Mod(c.pair.Measured, 2)) == 1 // what rounding leaves of large integers is even
	switch {
	case made < perturbations/2:
		return "it may be rounding: with the numbers moved a little the premise fails", false
	case c.pair.unsized() && still && (stir || !more && !odd):
		return "it may be rounding: nothing moves the number that is compared with 0, and no Scale says of which size " +
			"it is", false
	case margin*spread > 1:
		return fmt.Sprintf("it may be rounding: with the numbers moved a little the difference changes by %s %% of itself",
			Number(100*spread, 2)), false
	}
	return "", more
}

// unsized reports that nothing says which differences of the pair are large: it compares a number with 0, or with
// next to nothing, on no stated scale.
func (p *Pair) unsized() bool {
	return math.Abs(p.Claimed) <= doubtBand*math.Abs(p.Measured) && p.scale == 0 && !p.exactNow
}

// shaken is where a comparison stands on a perturbed instance.
type shaken struct {
	standing
	pair Pair
	bulk bool // the instance has numbers from generators that nobody has moved
}

// tremble evaluates an instance in a second arithmetic. It reports where the comparison stands, unless the instance
// cannot be evaluated so.
func (d *Deterministic) tremble(c *confirmed, key keyed.Key) (at shaken, ok bool) {
	defer func() { _ = recover() }() // a panic says that the perturbed instance lies outside the domain
	var b bench
	if err := d.evaluatePerturbed(&b, replayed(c.choices, middle), key); err != nil || b.rec.skipped != "" {
		return at, false
	}
	for _, s := range b.rec.live {
		if s.worst.What == c.pair.What {
			return shaken{s.at, s.worst, b.src.bulk && !b.src.moved}, true
		}
	}
	return at, false
}

// magnitude returns the size of the largest choice: rounding errors may be relative to it. The names of streams and
// alternatives have none.
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
		parts = append(parts, fmt.Sprintf("%d of %s not comparable (overflow or underflow)", t.void,
			plural(t.pairs, "comparison")))
	}
	if t.zeros > 0 {
		parts = append(parts, fmt.Sprintf("%d of %s of 0 with 0", t.zeros, plural(t.pairs, "comparison")))
	}
	return sentence(parts...)
}
