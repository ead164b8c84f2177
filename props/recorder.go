package props

import (
	"fmt"
	"math"
	"math/big"
)

// RoundingBand is the relative size, against the larger of the two numbers, the stated [Pair.Scale]
// and whatever has been measured under the same name on the same instance, below which a difference
// counts as rounding. A float64 computation of a few thousand operations stays some thousand times
// below it unless terms cancel, and for cancelling terms there is Scale. Inside the band a pair is
// decided by exact arithmetic where [Pair.Exactly] supplies it, and counts as holding where not,
// unless it is an equality of two numbers without a stated scale that differ by more than 1e-12 of
// themselves and by as much in every other arithmetic: that is no rounding.
const RoundingBand = 1e-9

// fineBand is the relative size of differences that are looked at within [RoundingBand] where an
// equality is asserted: what rounds otherwise in another arithmetic is rounding, and what stays is
// none. It is ten times doubtBand.
const fineBand = 1e-12

// leastScale is the magnitude below which float64 loses digits to gradual underflow, so that
// rounding is no longer relative to the numbers.
const leastScale = 1e-305

// leastNumber is the magnitude up to which two numbers may be what underflow has left of others.
const leastNumber = 1e-300

// doubtBand is the relative size, against the largest number that the engine knows to be behind a
// comparison and against 1, up to which rounding may explain a violation. It is a thousand unit
// roundoffs: 1 − cos x at x = 10⁻⁸ is wrong by 5·10⁻¹⁷, and no perturbation of x shows that.
const doubtBand = 0x1p-43

// sameBand is the relative difference above which the rounded and the exact numbers of a pair
// cannot be those of one comparison. It leaves room for rounding errors that the check has not
// stated by Scale.
const sameBand = 1e-3

// tieBand is the relative room below which a pair that seems to hold may fail in exact arithmetic:
// about a thousand unit roundoffs.
const tieBand = 1e-13

// Recorder collects the comparisons that a check makes on one instance or in one trial. It keeps
// for every name (What) only the worst comparison and counts, so long runs may record every step.
type Recorder struct {
	live, free []*slot // by What, in the order of first recording
	hint       int     // position in live after the last one found
	skipped    string
	links      []Link
	points     []point
	axis       [3]string
	fine       bool  // equalities are weighed on fineBand
	exactOnly  bool  // comparisons without exact arithmetic are refused
	tape       *tape // of all comparisons; nil unless they are listed
	// near ties that are still to be decided exactly at once; the others wait for a confirmation
	quota   int
	later   bool    // a confirmation will decide exactly what fails clearly
	inputs  float64 // the largest magnitude of the choices behind the instance
	watched *Pair   // the comparison that is watched for, by name and place; nil if none is
	again   Pair    // that comparison, once it has been made
	// by how much stronger than written the statement is to be, see [Mutant]; nil if as written
	strength func() float64
}

// Pair is one recorded comparison. Scale and Exactly are to be called before the next comparison of
// the same name is recorded.
type Pair struct {
	What              string
	Measured, Claimed float64
	Relation          Relation
	sense             Sense
	apart             bool // no certificate of the statement is about it
	proxy             bool // exact decides the comparison, but by other numbers
	exactNow          bool // the numbers themselves are exact: no rounding band
	fine              bool // weighed on fineBand
	later             bool // exact need not be asked where the comparison fails clearly
	// magnitude of the terms behind the numbers; rounding errors are relative to it
	scale float64
	// the largest magnitude measured under the name so far, which is also one of terms behind the
	// numbers
	seen   float64
	exact  func() (measured, claimed *big.Rat)
	factor float64 // what a mutant has multiplied the claimed number by; 0 if there is none
	place  int     // among the comparisons of its name, from 1
}

type point struct{ x, measured, claimed float64 }

// slot is what a Recorder keeps of the comparisons of one name.
type slot struct {
	now        Pair
	pending    bool     // now has not been weighed yet
	worst      Pair     // of those that hold, and once the recorder has settled, of all
	at         standing // of worst
	failed     *failed  // nil if all hold
	seen       float64  // largest magnitude measured
	count      int
	exact      int // comparisons of these that were decided by exact numbers
	void       int // that compared infinite numbers, or what underflow leaves of numbers
	zeros      int // that compared 0 with 0, which may be underflow
	blank      int // that compared 0 with 0 on no scale
	violations int
	bad        string // why a comparison could not be judged
}

// failed holds comparisons of one name that fail: the worst one, and the one that fails by most,
// which is the last to become rounding when larger numbers turn up under the name.
type failed struct {
	worst, widest Pair
	at            standing // of worst
	gap           float64  // of widest
}

// standing is what one pair says.
type standing struct {
	// by how much the relation fails, relative to the size of the numbers; negative where there is
	// room; in [-2, 2]
	excess float64
	// tightness: measured/claimed for LE, claimed/measured for GE, relative difference for EQ
	ratio  float64
	broken bool // fails by more than rounding, or exactly
	// holds up to rounding, but so nearly or not at all that exact arithmetic, which there is, must
	// tell
	tie   bool
	doubt bool // fails by so little that rounding may explain it
	void  bool // says nothing: the numbers are infinite, or what underflow leaves of numbers
	// the largest difference of comparisons that fail, relative to the largest number behind them
	// and to 1
	clear float64
}

// over reports whether s is a worse standing than t. What may be rounding ranks below what is not.
func (s standing) over(t standing) bool {
	if s.broken || t.broken || s.void || t.void {
		if a, b := s.rank(), t.rank(); a != b {
			return a > b
		}
	}
	if s.excess != t.excess {
		return s.excess > t.excess
	}
	return s.ratio > t.ratio
}

func (s standing) rank() int {
	switch {
	case s.void:
		return 0
	case !s.broken:
		return 1
	case s.doubt:
		return 2
	}
	return 3
}

// apart reports whether the two numbers differ by more than rounding: equality at a degenerate
// instance tells less than a small distance at a proper one.
func (s standing) apart() bool { return math.Abs(s.excess) > RoundingBand }

// judge weighs a pair. An error says that its numbers cannot be compared.
func (p *Pair) judge() (standing, error) {
	m, c := p.Measured, p.Claimed
	larger := max(math.Abs(m), math.Abs(c))
	switch {
	case p.exactNow && larger == larger:
		return p.judged(), nil
	case !(larger <= math.MaxFloat64):
		return p.judgeInfinite()
	case larger < leastNumber && p.scale < leastNumber && p.exact == nil:
		return nothing, nil // underflow may have left these numbers of others
	case m == c:
		return standing{excess: degenerate(m, c, p.scale), ratio: p.ratio(),
			tie: p.exact != nil}, nil
	}
	gap := p.gap()
	terms := max(p.scale, p.seen)
	s := standing{ratio: p.ratio(), excess: gap / max(larger, terms, leastScale)}
	s.broken = s.excess > RoundingBand || p.fine && s.excess > fineBand && p.plain()
	if p.exact != nil {
		size := max(larger, p.scale, leastScale)
		switch {
		case s.broken && p.later && !p.proxy && gap > 3*sameBand*size+4*doubtBand:
			// whatever the exact numbers are
			return standing{ratio: s.ratio, excess: gap / size, broken: true}, nil
		case s.broken:
			return p.judgeExactly()
		}
		s.tie = s.excess > -tieBand
	}
	if !s.broken && p.Relation != EQ {
		if larger <= RoundingBand*terms {
			// both numbers are rounding noise on the scale of the terms: nothing to learn
			s.excess, s.ratio = -1, nan
		} else if gap < 0 {
			s.excess = gap / larger // how close they come, not how small both are
		}
	}
	return s, nil
}

// nothing is where a pair stands whose numbers cannot be told from what overflow or underflow makes
// of numbers.
var nothing = standing{excess: -1, ratio: math.NaN(), void: true}

// judgeInfinite weighs a pair with a number that is not finite. An infinite bound contradicts
// nothing, or has overflowed itself.
func (p *Pair) judgeInfinite() (standing, error) {
	m, c := p.Measured, p.Claimed
	switch {
	case p.exact != nil:
		return p.judgeExactly()
	case math.IsNaN(m) || math.IsNaN(c):
		return standing{}, fmt.Errorf("%q compares %v with %v", p.What, m, c)
	case math.IsInf(m, 0) && m != c:
		return standing{}, fmt.Errorf("%q measured %v (claimed %v)", p.What, m, c)
	}
	return nothing, nil
}

// judged weighs numbers that are exact, or that stand for exact ones.
func (p *Pair) judged() standing {
	gap := p.gap()
	s := standing{ratio: p.ratio(), broken: gap > 0}
	if p.exact != nil {
		s.broken = !holdsExactly(p)
	}
	size := max(math.Abs(p.Measured), math.Abs(p.Claimed), p.scale, leastScale)
	switch {
	case !math.IsInf(size, 0):
		s.excess = gap / size
	case s.broken:
		s.excess = 1
	default:
		s.excess = -1
	}
	if s.broken {
		s.excess = max(s.excess, leastNumber) // the numbers may be equal in floating point
	} else if s.excess = min(s.excess, 0); p.Measured == p.Claimed {
		s.excess = degenerate(p.Measured, p.Claimed, 0)
	}
	return s
}

// suspect says of a pair that fails how clear that is, given the largest number among the choices
// behind it.
func (p *Pair) suspect(s *standing, inputs float64) {
	if !s.broken || p.exactNow || p.exact != nil {
		return
	}
	terms := max(math.Abs(p.Measured), math.Abs(p.Claimed), p.scale, p.seen, inputs, 1)
	s.clear = p.gap() / terms
	s.doubt = s.clear <= doubtBand
}

// judgeExactly weighs the pair by its exact numbers, which replace the rounded ones. They must be
// the numbers of the same comparison: a formula that is wrong in one of the two places only would
// be hidden by the other.
func (p *Pair) judgeExactly() (standing, error) {
	m, c := p.exact()
	if m == nil || c == nil {
		p.exact = nil
		return p.judge()
	}
	measured, _ := m.Float64()
	claimed, _ := c.Float64()
	far := sameBand*max(math.Abs(p.Measured), math.Abs(p.Claimed), p.scale) + doubtBand
	if !p.proxy && (math.Abs(measured-p.Measured) > far || math.Abs(claimed-p.Claimed) > far) {
		return standing{}, fmt.Errorf("%q compares %v with %v, but in exact arithmetic %v with %v",
			p.What, p.Measured, p.Claimed, measured, claimed)
	}
	p.exact = func() (*big.Rat, *big.Rat) { return m, c }
	p.Measured, p.Claimed = measured, claimed
	p.exactNow = true
	return p.judged(), nil
}

// degenerate is the excess of two equal numbers: none, but 0 against 0 tells less than any proper
// comparison.
func degenerate(m, c, scale float64) float64 {
	if m == 0 && c == 0 && scale == 0 {
		return -1
	}
	return 0
}

// plain reports whether the pair asserts that two numbers are equal of which neither is 0 and for
// which no scale is stated nor exact arithmetic given: where they differ, it is by a part of what
// the statement is about.
func (p *Pair) plain() bool {
	return p.Relation == EQ && p.sense == "" && p.Measured != 0 && p.Claimed != 0 && p.scale == 0 &&
		p.exact == nil &&
		!p.exactNow
}

func (p *Pair) gap() float64 {
	switch p.Relation {
	case LE:
		return p.Measured - p.Claimed
	case GE:
		return p.Claimed - p.Measured
	}
	return math.Abs(p.Measured - p.Claimed)
}

// signed is the gap, with the sign of the difference where either sign fails.
func (p *Pair) signed() float64 {
	if p.Relation == GE {
		return p.Claimed - p.Measured
	}
	return p.Measured - p.Claimed
}

// ratio is the tightness that a reader sees. NaN where a quotient says nothing.
func (p *Pair) ratio() float64 {
	num, den := p.Measured, p.Claimed
	switch p.Relation {
	case GE:
		num, den = den, num
	case EQ, Near:
		size := max(math.Abs(num), math.Abs(den), p.scale, p.seen)
		if num == den {
			return 0
		}
		return math.Abs(num-den) / size
	}
	if den <= 0 || num < 0 || math.IsInf(num, 0) {
		return math.NaN()
	}
	return num / den
}

// holdsExactly evaluates the pair in exact arithmetic.
func holdsExactly(p *Pair) bool {
	m, c := p.exact()
	switch cmp := m.Cmp(c); p.Relation {
	case LE:
		return cmp <= 0
	case GE:
		return cmp >= 0
	default:
		return cmp == 0
	}
}

func (r *Recorder) slot(what string) *slot {
	for k := range r.live {
		i := r.hint + k
		if i >= len(r.live) {
			i -= len(r.live)
		}
		if r.live[i].now.What == what {
			r.hint = i + 1
			return r.live[i]
		}
	}
	var s *slot
	if n := len(r.free); n > 0 {
		s, r.free = r.free[n-1], r.free[:n-1]
		*s = slot{}
	} else {
		s = new(slot)
	}
	s.now.What = what
	r.live = append(r.live, s)
	r.hint = len(r.live)
	return s
}

func (r *Recorder) add(what string, measured, claimed float64, rel Relation) *Pair {
	s := r.slot(what)
	s.settle(r)
	p := &s.now // field by field: this is what long runs spend their time on
	p.Measured, p.Claimed, p.Relation, p.sense = measured, claimed, rel, ""
	p.scale, p.factor, p.proxy, p.exactNow, p.apart = 0, 0, false, false, false
	p.fine = r.fine
	if p.exact != nil {
		p.exact = nil
	}
	if r.strength != nil {
		p.strengthen(r.strength())
	}
	s.pending = true
	return p
}

// settle weighs the latest pair against the worst one.
func (s *slot) settle(r *Recorder) {
	if !s.pending {
		return
	}
	s.pending = false
	s.count++
	p := &s.now
	p.place = s.count
	if w := r.watched; w != nil && w.place == p.place && w.What == p.What {
		r.again = *p
	}
	if r.exactOnly && p.exact == nil && !p.exactNow {
		s.bad = fmt.Sprintf(
			"%q is compared in floating point, but the check promises exact arithmetic", p.What)
		return
	}
	p.exactNow = p.exactNow || r.exactOnly
	if r.tape != nil {
		r.tape.add(p)
	}
	if m := math.Abs(p.Measured); m > s.seen && m <= math.MaxFloat64 {
		s.seen = m
	}
	p.seen, p.later = s.seen, r.later
	if p.Measured == 0 && p.Claimed == 0 && p.scale == 0 {
		s.blank++
	}
	at, err := p.judge()
	if at.tie && r.quota > 0 {
		r.quota--
		at, err = p.judgeExactly()
	}
	switch {
	case err != nil:
		if s.bad == "" {
			s.bad = err.Error()
		}
		return
	case p.exactNow:
		s.exact++
	case at.void:
		if p.Measured == 0 && p.Claimed == 0 {
			s.zeros++
		} else {
			s.void++
		}
	}
	if at.broken {
		s.violations++
		s.fail(at)
	} else if s.worst.What == "" || at.over(s.at) {
		s.worst, s.at = *p, at
	}
}

// fail keeps the latest pair, which fails, if it is the worst or the widest of these.
func (s *slot) fail(at standing) {
	gap := s.now.gap()
	switch f := s.failed; {
	case f == nil:
		s.failed = &failed{s.now, s.now, at, gap}
	default:
		if at.over(f.at) {
			f.worst, f.at = s.now, at
		}
		if gap > f.gap {
			f.widest, f.gap = s.now, gap
		}
	}
}

// conclude makes worst the worst of all. A violation counts on the scale of the largest number that
// was measured under the name, even afterwards.
func (s *slot) conclude(inputs float64) {
	if s.failed == nil {
		return
	}
	var worst *Pair
	var at standing
	clear := 0.0
	for _, p := range [...]*Pair{&s.failed.worst, &s.failed.widest} {
		p.seen = s.seen
		now, err := p.judge()
		if err != nil {
			s.bad = err.Error()
			return
		}
		p.suspect(&now, inputs)
		clear = max(clear, now.clear)
		if worst == nil || now.over(at) {
			worst, at = p, now
		}
	}
	at.clear = clear // which changes steadily with the instance, whichever comparison is the worst
	if !at.broken {
		s.violations = 0
	}
	if s.worst.What == "" || at.over(s.at) {
		s.worst, s.at = *worst, at
	}
	s.failed = nil
}

// settle weighs everything that is pending. The engine calls it once the check has returned.
func (r *Recorder) settle() error {
	if r.skipped != "" {
		return nil
	}
	for _, s := range r.live {
		s.settle(r)
		s.conclude(r.inputs)
		if s.bad != "" {
			return fmt.Errorf("%s", s.bad)
		}
	}
	return nil
}

// compared is the number of comparisons that were recorded.
func (r *Recorder) compared() float64 {
	n := 0
	for _, s := range r.live {
		n += s.count
	}
	return float64(n)
}

func (r *Recorder) reset() {
	r.free = append(r.free, r.live...)
	r.live, r.hint, r.skipped = r.live[:0], 0, ""
	r.links, r.points, r.axis = r.links[:0], r.points[:0], [3]string{}
	r.inputs = 0
	r.watched, r.again, r.fine = nil, Pair{}, false
}

// AtMost records that measured ≤ claimed is asserted.
func (r *Recorder) AtMost(what string, measured, claimed float64) *Pair {
	return r.add(what, measured, claimed, LE)
}

// AtLeast records that measured ≥ claimed is asserted.
func (r *Recorder) AtLeast(what string, measured, claimed float64) *Pair {
	return r.add(what, measured, claimed, GE)
}

// Equal records that measured = claimed is asserted, up to rounding.
func (r *Recorder) Equal(what string, measured, claimed float64) *Pair {
	return r.add(what, measured, claimed, EQ)
}

// EqualVectors records that two vectors of equal length are asserted to agree up to rounding: it
// compares the norm of their difference with zero on the scale of the larger of their norms.
func (r *Recorder) EqualVectors(what string, measured, claimed []float64) *Pair {
	if len(measured) != len(claimed) {
		panic(fmt.Sprintf("props: %q compares vectors of lengths %d and %d", what, len(measured),
			len(claimed)))
	}
	var diff, m2, c2 float64
	f := 1.0
	if r.strength != nil {
		f = r.strength()
	}
	for i, m := range measured {
		c := f * claimed[i]
		diff = math.Hypot(diff, m-c)
		m2 += m * m
		c2 += c * c
	}
	p := r.add(what, diff, 0, EQ).Scale(math.Sqrt(max(m2, c2)))
	p.sense = Distance
	return p
}

// Truth records that a proposition is asserted: a finite combinatorial fact, exact by nature. Where
// numbers exist, compare numbers instead.
func (r *Recorder) Truth(what string, holds bool) *Pair {
	m := 0.0
	if holds {
		m = 1
	}
	p := r.add(what, m, 1, EQ)
	p.Claimed, p.sense, p.exactNow = 1, Proposition, true // no mutant changes what is true
	return p
}

// Rats records an exact comparison of rational numbers. It keeps copies of them.
func (r *Recorder) Rats(what string, measured *big.Rat, rel Relation, claimed *big.Rat) *Pair {
	m, _ := measured.Float64()
	c, _ := claimed.Float64()
	p := r.add(what, m, c, rel)
	measured, claimed = new(big.Rat).Set(measured), new(big.Rat).Set(claimed)
	p.exactNow = true
	return p.Exactly(func() (*big.Rat, *big.Rat) { return measured, claimed })
}

// Floats is Rats of two numbers that are what they are in floating point: counts, and what else no
// operation has rounded.
func (r *Recorder) Floats(what string, measured float64, rel Relation, claimed float64) *Pair {
	p := r.add(what, measured, claimed, rel)
	p.exactNow = true
	return p
}

// Scale states the magnitude of the terms that were added and subtracted to obtain the two numbers,
// where cancellation may have made them much smaller than that. Differences below [RoundingBand] of
// it count as rounding.
func (p *Pair) Scale(s float64) *Pair { p.scale = max(p.scale, math.Abs(s)); return p }

// Exactly supplies the two numbers in exact arithmetic, evaluated only to confirm a violation or a
// near tie, when the check has gone on or has returned: the closure must not depend on state that
// changes afterwards. At a tie the last bit decides, so whatever was rounded on the way to these
// numbers, such as a constant from eigenvalues or a computed step size, must have been rounded in
// favour of the statement. Numbers of another size are an error of the check. Numbers that are nil
// say that exact arithmetic cannot tell, and leave the pair to floating point; where a check
// promises exact arithmetic they are an error of it.
func (p *Pair) Exactly(f func() (measured, claimed *big.Rat)) *Pair {
	if p.exact = f; p.factor != 0 {
		p.exact = p.follow(f)
	}
	return p
}

// Decidedly is Exactly with numbers that decide the comparison without being its own, such as their
// squares, or bounds on them.
func (p *Pair) Decidedly(f func() (measured, claimed *big.Rat)) *Pair {
	if p.factor != 0 {
		return p // the other numbers are those of the statement as written
	}
	p.proxy = true
	return p.Exactly(f)
}

// Apart says that the comparison is no part of what a certificate of the check settles, see
// [Settled].
func (p *Pair) Apart() *Pair { p.apart = true; return p }

// Holds reports whether the comparison holds, up to rounding.
func (p *Pair) Holds() bool {
	at, err := p.judge()
	return err == nil && !at.broken
}

// Skip declares that the instance does not meet the premise of the claim. All its comparisons are
// dropped.
func (r *Recorder) Skip(why string) { r.skipped = why }

// Link adds a step to the slack waterfall of a proof: the value of the expression that the step
// arrives at, in the order of the proof.
func (r *Recorder) Link(name string, value float64) {
	r.links = append(r.links, Link{name, Num(value)})
}

// Plot names the axes of the curve that Point draws.
func (r *Recorder) Plot(title, xlabel, ylabel string) { r.axis = [3]string{title, xlabel, ylabel} }

// Point adds a point to the curve of measured against claimed values. The engine takes quantiles
// over trials at equal abscissae.
func (r *Recorder) Point(x, measured, claimed float64) {
	r.points = append(r.points, point{x, measured, claimed})
}

// Judged is what a function asserts under one name: its worst comparison, and whether all of them
// hold.
type Judged struct {
	Pair
	Holds bool
}

// Judge calls a function that records comparisons, apart from any claim, and returns what it
// asserts in the order of first recording, near ties decided exactly where they can be. The error
// names a comparison of numbers that cannot be compared.
func Judge(try func(*Recorder)) ([]Judged, error) {
	rec := Recorder{quota: exactAtLast}
	try(&rec)
	if err := rec.settle(); err != nil {
		return nil, err
	}
	var out []Judged
	for _, s := range rec.live {
		out = append(out, Judged{s.worst, s.violations == 0})
	}
	return out, nil
}
