package props

import (
	"fmt"
	"math"
	"slices"

	"sledge/props/direction"
	"sledge/props/keyed"
)

// A violation in floating point refutes only if it survives other arithmetics: the instance is
// evaluated again, with all operations rounded down, up and to zero, and then several times with
// all its numbers moved at random besides, by last bits at first and by more each time. The
// comparison that fails must be there each time, and its difference, with its sign, must change by
// little.
const (
	perturbations = 8  // evaluations with numbers moved
	margin        = 10 // times that a violation must exceed their spread
	strides       = 16 // evaluations along a ray from the instance
	// turns back of a difference along a ray, by half of it or more, from which on it is not the
	// statement that turns
	zigzag = 5
	// further instances at which it is asked what rounding may hide
	blindLooks = 4
	// points near an instance at which it is asked whether it lies at a jump, how far they go, and
	// the part of a violation by which it may change there
	nearLooks  = 8
	nearLength = 0x1p-20
	nearStill  = 0x1p-30
	// instances beside a doubtful one that are asked for at each distance
	besideLooks = 4
)

// Relative lengths of rays. What is added to a number and lost in it leaves no trace in any
// direction of rounding, but a difference that depends on it jumps up and down as soon as the
// instance moves by the share that is lost.
var lengths = [...]float64{0x1p-11, 0x1p-14, 0x1p-18, 0x1p-22, 0x1p-26, 0x1p-30, 0x1p-34}

// rounding returns why the violation of a confirmed instance may be rounding, and nothing if it
// stands.
func (d *Deterministic) rounding(e *execution, c *confirmed) string {
	switch {
	case !c.at.broken || c.certified:
		return ""
	case c.at.doubt:
		return fmt.Sprintf("the difference of %s may be rounding of the numbers behind it",
			Number(c.pair.gap(), 3))
	}
	if why := d.turned(c).why(); why != "" {
		return why
	}
	key := e.stream("rounding")
	why, stir := d.shake(c, key.Perturbed, false)
	if why == "" && stir {
		stirred := func(i int) keyed.Key { return key.Perturbed(i).Stirred() }
		why, _ = d.shake(c, stirred, true)
	}
	return why
}

// doubtful is rounding with a look along rays from the instance, for violations that are to be told
// of.
func (d *Deterministic) doubtful(e *execution, c *confirmed) string {
	if why := d.rounding(e, c); why != "" || !c.at.broken || c.certified {
		return why
	}
	return d.rays(e, c)
}

// rays returns why the violation may be rounding as far as its difference along rays from the
// instance tells: rays that move the choices alone, along which a statement stays what it is, and
// rays that move what is perturbed as well, which leave the runs of a method, with a trend of their
// own that may hide the jumps.
func (d *Deterministic) rays(e *execution, c *confirmed) string {
	for _, apart := range [...]bool{true, false} {
		for k, length := range lengths {
			r := d.ray(c, e.stream("rays").At(k), length, apart)
			if r.turns >= zigzag {
				return fmt.Sprintf(
					"not decidable in floating point: the difference of %q, %s, goes up and down between %s and %s "+
						"as the numbers of the instance move by %s of themselves: a part of it is lost "+
						"in larger numbers that cancel",
					c.pair.What, Number(c.pair.signed(), 3), Number(r.least, 3), Number(r.most, 3),
					Number(length, 1))
			}
			if r.least == r.most {
				break // nothing of the instance moves
			}
		}
	}
	return ""
}

// sighted is what the difference does along a ray.
type sighted struct {
	turns       int // back, by half of what it is or more
	least, most float64
}

// ray follows the difference along one ray, as long as it may still turn back often enough.
func (d *Deterministic) ray(c *confirmed, heads keyed.Key, length float64, apart bool) sighted {
	far := c.pair.signed()
	r, heading := sighted{0, far, far}, 0.0
	for j := 1; j <= strides && (r.least == r.most || r.turns+strides-j+1 >= zigzag); j++ {
		at, ok := d.evaluateAlong(c, heads, length*float64(j)/strides, apart)
		if !ok {
			continue
		}
		g := at.signed()
		r.least, r.most = min(r.least, g), max(r.most, g)
		switch step := g - far; {
		case heading == 0 || step*heading > 0: // on in the same way
			if heading = step; step != 0 {
				far = g
			}
		case 2*math.Abs(step) >= c.pair.gap():
			r.turns++
			heading, far = step, g
		}
	}
	return r
}

// evaluateAlong evaluates an instance with its numbers, or its choices alone, moved along a ray and
// returns the comparison that failed, unless it is not made there.
func (d *Deterministic) evaluateAlong(c *confirmed, heads keyed.Key, by float64,
	apart bool) (p Pair, ok bool) {
	defer func() { _ = recover() }()
	var b bench
	src, rec := b.draw(replayed(c.choices, middle))
	src.ray, src.heads, src.apart = by, heads, apart
	rec.watched, rec.fine = &c.pair, c.pair.fine
	if err := d.judge(src, rec); err != nil || rec.skipped != "" {
		return p, false
	}
	return rec.again, rec.again.What != ""
}

// beside looks for an instance near a doubtful one at which exact arithmetic decides: a number at
// an end of its range, or at a jump, is the worst one and the one of which exact arithmetic may not
// even say that it belongs to the domain.
func (d *Deterministic) beside(e *execution, c *confirmed) (found confirmed) {
	for k, length := range [...]float64{0x1p-30, 0x1p-20, 0x1p-10} {
		for j := range besideLooks {
			r := e.stream("beside").At(k).At(j).Rand()
			choices := slices.Clone(c.choices)
			for i := range c.drawn {
				if x := &c.drawn[i]; !x.Seed && !x.Int {
					v := choices[i] * (1 + length*(2*r.Float64()-1))
					within := length * r.Float64() * min(max(math.Abs(x.Lo),
						math.Abs(x.Hi-x.Lo)*length),
						x.Hi-x.Lo)
					choices[i] = max(x.Lo+within, min(v, x.Hi-within))
				}
			}
			if f, ok := d.attempt(&c.pair, choices); ok && f.at.broken && f.certified {
				return f
			}
		}
	}
	return found
}

// turned evaluates the instance with its operations rounded in other directions.
func (d *Deterministic) turned(c *confirmed) *span {
	s := newSpan(&c.pair)
	for _, m := range [...]direction.Mode{direction.Down, direction.Up, direction.Zero} {
		if at, ok := d.tremble(c, keyed.Key{}, m); ok {
			s.add(&at.pair, at.broken)
			s.add(&at.again, true)
		}
	}
	return s
}

// drowned returns why the violation may be rounding as far as other violations of the same name
// tell: what the direction of rounding makes of those may be lost here.
func (d *Deterministic) drowned(e *execution, c *confirmed, others []candidate) string {
	if c.certified {
		return ""
	}
	noise := 0.0
	for i := range others {
		if o := &others[i]; o.at.broken && !o.pair.exactNow {
			at := &confirmed{choices: o.choices, pair: o.pair}
			off := d.turned(at).off
			if off >= c.pair.gap() && (d.jumps(at, e.stream("near"), 1) ||
				d.jumps(at, e.stream("near"), -1)) {
				continue
			}
			noise = max(noise, off)
		}
	}
	if c.pair.gap() > noise {
		return ""
	}
	return fmt.Sprintf(
		"not decidable in floating point: %q is off by %s, and by the direction of rounding alone it "+
			"changes by %s on another instance: a part of it is lost in larger numbers that cancel",
		c.pair.What, Number(c.pair.gap(), 3), Number(noise, 3))
}

// jumps reports whether an instance that the direction of rounding changes lies at a jump, as where
// a number is rounded up to a whole one: at all points near it, on the given side, the statement is
// violated by half as much or more, and the direction changes that by next to nothing. What is lost
// in larger numbers is lost there too.
func (d *Deterministic) jumps(c *confirmed, heads keyed.Key, side float64) bool {
	for j := 1; j <= nearLooks; j++ {
		by := side * nearLength * float64(j) / nearLooks
		at, ok := d.evaluateAlong(c, heads, by, true)
		if !ok || !(2*at.signed() >= c.pair.signed() && c.pair.signed() > 0 ||
			2*at.signed() <= c.pair.signed() && c.pair.signed() < 0) {
			return false
		}
		for _, m := range [...]direction.Mode{direction.Down, direction.Up, direction.Zero} {
			off := math.Inf(1)
			direction.Do(m, func() {
				if p, ok := d.evaluateAlong(c, heads, by, true); ok {
					off = math.Abs(p.signed() - at.signed())
				}
			})
			if off > nearStill*c.pair.gap() {
				return false
			}
		}
	}
	return true
}

// blind returns which relative excess at an instance that holds would have been noticed, in spite
// of what the direction of rounding makes of its sides. Where one of these is 0, or may be off by
// all that it is, it asks further instances, and returns why the comparison says nothing if most of
// those with something to compare are so: what is lost in larger numbers that cancel violates
// nothing.
func (d *Deterministic) blind(e *execution, c *confirmed) (size float64, why string) {
	size = RoundingBand
	if c.certified || c.pair.exactNow || c.pair.sense != "" {
		return size, ""
	}
	looked, lost := 0, 0
	look := func(c *confirmed) {
		s := d.turned(c)
		whole := max(math.Abs(c.pair.Measured), math.Abs(c.pair.Claimed), c.pair.scale)
		if whole == 0 && s.off == 0 {
			return
		}
		looked++
		if off := margin * s.off; off >= whole {
			lost, why = lost+1, s.cancels()
		} else {
			size = max(size, off/whole)
		}
	}
	if look(c); c.pair.Measured != 0 && c.pair.Claimed != 0 && lost == 0 {
		return size, ""
	}
	key := e.stream("blind")
	for i := range blindLooks {
		if other, ok := d.drawn(key.At(i), c.pair.What); ok {
			look(other)
		}
	}
	if 2*lost <= looked {
		why = ""
	}
	return size, why
}

// drawn draws an instance and returns the named comparison, unless it is not made there.
func (d *Deterministic) drawn(key keyed.Key, what string) (c *confirmed, ok bool) {
	defer func() { _ = recover() }()
	var b bench
	if err := d.evaluate(&b, uniform(key.Rand())); err != nil || b.rec.skipped != "" {
		return nil, false
	}
	for _, s := range b.rec.live {
		if s.worst.What == what && !s.worst.exactNow {
			return &confirmed{choices: values(b.src.Drawn), pair: s.worst}, true
		}
	}
	return nil, false
}

// span is where a failing comparison lies as its operations are rounded in several directions.
type span struct {
	of                *Pair
	measured, claimed [2]float64 // least and largest
	off               float64    // largest change of the signed difference
	gone              bool       // in one of them it holds
}

func newSpan(p *Pair) *span {
	return &span{of: p, measured: [2]float64{p.Measured, p.Measured},
		claimed: [2]float64{p.Claimed, p.Claimed}}
}

// add takes over what the comparison is in another direction, unless it is not made there.
func (s *span) add(p *Pair, broken bool) {
	if p.What == "" {
		return
	}
	if !broken {
		s.gone = true
	}
	if p.place != s.of.place {
		return
	}
	s.off = max(s.off, math.Abs(p.signed()-s.of.signed()))
	s.measured = [2]float64{min(s.measured[0], p.Measured), max(s.measured[1], p.Measured)}
	s.claimed = [2]float64{min(s.claimed[0], p.Claimed), max(s.claimed[1], p.Claimed)}
}

// why names the side that is left of larger numbers, if the difference of the sides is no more than
// what the direction of rounding makes of them.
func (s *span) why() string {
	if !s.gone && margin*s.off <= s.of.gap() {
		return ""
	}
	return s.cancels()
}

// cancels says which side it is, and of which numbers it is left.
func (s *span) cancels() string {
	side, at := "measured", s.measured
	if s.claimed[1]-s.claimed[0] > at[1]-at[0] {
		side, at = "claimed", s.claimed
	}
	return fmt.Sprintf(
		"not decidable in floating point: the %s side of %q cancels: it lies between %s and %s, by the "+
			"direction of rounding, as what is left of numbers near %s may", side, s.of.What,
		Number(at[0], 3), Number(at[1], 3), Number((at[1]-at[0])*0x1p52, 1))
}

// shake returns why the violation may be rounding as far as some perturbations of its instance
// tell, and whether generators must be stirred to know.
func (d *Deterministic) shake(c *confirmed, key func(i int) keyed.Key,
	stir bool) (why string, more bool) {
	made, still, spread := 0, true, 0.0
	for j := 1; made < perturbations && j <= 2*perturbations; j++ {
		at, ok := d.tremble(c, key(j), direction.Turn(j-1))
		if !ok {
			continue
		}
		made++
		if !at.broken {
			return "it may be rounding: with the numbers moved a little the violation disappears",
				false
		}
		still = still && at.pair.Measured == c.pair.Measured
		more = more || at.bulk
		off := math.Abs(at.clear-c.at.clear) / c.at.clear
		if small := math.Abs(c.pair.Claimed) <= math.Abs(c.pair.Measured)/16; small &&
			c.pair.scale == 0 || at.pair.exactNow || at.pair.exact != nil {
			// what fails by all that it is fails by as much of itself whatever it is, and how clear
			// an exact violation is nobody has asked
			off = math.Abs(at.pair.signed()/c.pair.signed() - 1)
		}
		if at.again.What != "" {
			off = max(off, math.Abs(at.again.signed()/c.pair.signed()-1))
		}
		spread = max(spread, off)
	}
	// what rounding leaves of large integers is even
	odd := math.Abs(math.Mod(c.pair.Measured, 2)) == 1
	switch {
	case made < perturbations/2:
		return "it may be rounding: with the numbers moved a little the premise fails", false
	case c.pair.unsized() && still && (stir || !more && !odd):
		return "it may be rounding: nothing moves the number that is compared with 0, and no " +
			"Scale says of which size " +
			"it is", false
	case margin*spread > 1:
		return fmt.Sprintf(
			"it may be rounding: with the numbers moved a little the difference changes by %s %% of itself",
			Number(100*spread, 2)), false
	}
	return "", more
}

// unsized reports that nothing says which differences of the pair are large: it compares a number
// with 0, or with next to nothing, on no stated scale.
func (p *Pair) unsized() bool {
	return math.Abs(p.Claimed) <= doubtBand*math.Abs(p.Measured) && p.scale == 0 && !p.exactNow
}

// shaken is where a comparison stands in another arithmetic.
type shaken struct {
	standing
	pair  Pair // the worst one of its name
	again Pair // the very one that failed, if it was made
	bulk  bool // the instance has numbers from generators that nobody has moved
}

// tremble evaluates an instance in another arithmetic. It reports where the comparison stands,
// unless the instance cannot be evaluated so.
func (d *Deterministic) tremble(c *confirmed, key keyed.Key,
	m direction.Mode) (at shaken, ok bool) {
	// a panic says that the perturbed instance lies outside the domain
	defer func() { _ = recover() }()
	var b bench
	var err error
	direction.Do(m, func() {
		src, rec := b.drawPerturbed(replayed(c.choices, middle), key)
		rec.watched, rec.fine = &c.pair, c.pair.fine
		err = d.judge(src, rec)
	})
	if err != nil || b.rec.skipped != "" {
		return at, false
	}
	for _, s := range b.rec.live {
		if s.worst.What == c.pair.What {
			return shaken{s.at, s.worst, b.rec.again, b.src.bulk && !b.src.moved}, true
		}
	}
	return at, false
}

// magnitude returns the size of the largest choice: rounding errors may be relative to it. The
// names of streams and alternatives have none.
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
		parts = append(parts, fmt.Sprintf("%d of %s of 0 with 0", t.zeros,
			plural(t.pairs, "comparison")))
	}
	return sentence(parts...)
}
