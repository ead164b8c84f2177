package props

import (
	"fmt"
	"math"
	"math/big"
)

// RoundingBand is the relative size, against the larger of the two numbers and the stated [Pair.Scale], below which a difference counts as
// rounding. A float64 computation of a few thousand operations stays some thousand times below it unless terms cancel, and for cancelling
// terms there is Scale. Inside the band a pair is decided by exact arithmetic where [Pair.Exactly] supplies it, and counts as holding where not.
const RoundingBand = 1e-9

// leastScale is the magnitude below which float64 loses digits to gradual underflow, so that rounding is no longer relative to the numbers.
const leastScale = 1e-305

// sameBand is the relative difference above which the rounded and the exact numbers of a pair cannot be those of one comparison. It leaves room
// for rounding errors that the check has not stated by Scale.
const sameBand = 1e-3

// tieBand is the relative difference above which a pair inside RoundingBand is worth an exact evaluation: about a thousand unit roundoffs.
const tieBand = 1e-13

// Recorder collects the comparisons that a check makes on one instance or in one trial. It keeps for every name (What) only the worst
// comparison and counts, so long runs may record every step.
type Recorder struct {
	live, free []*slot // by What, in the order of first recording
	hint       int     // position in live after the last one found
	skipped    string
	links      []Link
	points     []point
	axis       [3]string
	exactOnly  bool // comparisons without exact arithmetic are refused
}

// Pair is one recorded comparison. Scale and Exactly are to be called before the next comparison of the same name is recorded.
type Pair struct {
	What              string
	Measured, Claimed float64
	Relation          Relation
	sense             Sense
	scale             float64 // magnitude of the terms behind the numbers; rounding errors are relative to it
	exact             func() (measured, claimed *big.Rat)
	proxy             bool // exact decides the comparison, but by other numbers
	exactNow          bool // the numbers themselves are exact: no rounding band
}

type point struct{ x, measured, claimed float64 }

// slot is what a Recorder keeps of the comparisons of one name.
type slot struct {
	now        Pair
	pending    bool // now has not been weighed yet
	worst      Pair
	at         standing // of worst
	count      int
	exact      int // comparisons of these that were decided by exact numbers
	violations int
	bad        string // why a comparison could not be judged
}

// standing is what one pair says.
type standing struct {
	excess float64 // by how much the relation fails, relative to the size of the numbers; negative where there is room; in [-2, 2]
	ratio  float64 // tightness: measured/claimed for LE, claimed/measured for GE, relative difference for EQ
	broken bool    // fails by more than rounding, or exactly
	tie    bool    // seems to fail within the rounding band, by enough to deserve exact arithmetic
}

// over reports whether s is a worse standing than t.
func (s standing) over(t standing) bool {
	if s.broken != t.broken {
		return s.broken
	}
	if s.excess != t.excess {
		return s.excess > t.excess
	}
	return s.ratio > t.ratio
}

// apart reports whether the two numbers differ by more than rounding: equality at a degenerate instance tells less than a small distance
// at a proper one.
func (s standing) apart() bool { return math.Abs(s.excess) > RoundingBand }

// judge weighs a pair. An error says that its numbers cannot be compared.
func (p *Pair) judge() (standing, error) {
	m, c := p.Measured, p.Claimed
	switch {
	case math.IsNaN(m) || math.IsNaN(c):
		return standing{}, fmt.Errorf("%q compares %v with %v", p.What, m, c)
	case math.IsInf(m, 0) && m != c:
		return standing{}, fmt.Errorf("%q measured %v (claimed %v)", p.What, m, c)
	case m == c && !p.exactNow:
		return standing{excess: degenerate(m, c, p.scale), ratio: p.ratio()}, nil
	case math.IsInf(c, 0):
		gap := 1.0
		if p.Relation == LE && c > 0 || p.Relation == GE && c < 0 {
			gap = -1
		}
		return standing{excess: gap, ratio: p.ratio(), broken: gap > 0}, nil
	}
	gap := p.gap()
	size := max(math.Abs(m), math.Abs(c), p.scale, leastScale)
	s := standing{ratio: p.ratio()}
	if size > 0 {
		s.excess = gap / size
	}
	if p.exactNow {
		s.broken = gap > 0
		if p.exact != nil {
			s.broken = !holdsExactly(p)
		}
		if !s.broken {
			s.excess = min(s.excess, 0)
			if m == c {
				s.excess = degenerate(m, c, 0)
			}
		}
		return s, nil
	}
	s.broken = s.excess > RoundingBand
	if s.broken && p.exact != nil {
		return p.judgeExactly()
	}
	s.tie = !s.broken && s.excess > tieBand && p.exact != nil
	if larger := max(math.Abs(m), math.Abs(c)); !s.broken && p.Relation != EQ {
		if larger <= RoundingBand*p.scale {
			s.excess, s.ratio = -1, math.NaN() // both numbers are rounding noise on the stated scale: nothing to learn
		} else if gap < 0 {
			s.excess = gap / larger // how close they come, not how small both are
		}
	}
	return s, nil
}

// judgeExactly weighs the pair by its exact numbers, which replace the rounded ones. They must be the numbers of the same comparison: a formula
// that is wrong in one of the two places only would be hidden by the other.
func (p *Pair) judgeExactly() (standing, error) {
	m, c := p.exact()
	measured, _ := m.Float64()
	claimed, _ := c.Float64()
	far := sameBand * max(math.Abs(p.Measured), math.Abs(p.Claimed), p.scale)
	if !p.proxy && (math.Abs(measured-p.Measured) > far || math.Abs(claimed-p.Claimed) > far) {
		return standing{}, fmt.Errorf("%q compares %v with %v, but in exact arithmetic %v with %v", p.What, p.Measured, p.Claimed, measured, claimed)
	}
	p.exact = func() (*big.Rat, *big.Rat) { return m, c }
	p.Measured, p.Claimed = measured, claimed
	p.exactNow = true
	return p.judge()
}

// degenerate is the excess of two equal numbers: none, but 0 against 0 tells less than any proper comparison.
func degenerate(m, c, scale float64) float64 {
	if m == 0 && c == 0 && scale == 0 {
		return -1
	}
	return 0
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

// ratio is the tightness that a reader sees. NaN where a quotient says nothing.
func (p *Pair) ratio() float64 {
	num, den := p.Measured, p.Claimed
	switch p.Relation {
	case GE:
		num, den = den, num
	case EQ, Near:
		size := max(math.Abs(num), math.Abs(den), p.scale)
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
	r.live = append(r.live, s)
	r.hint = len(r.live)
	return s
}

func (r *Recorder) add(what string, measured, claimed float64, rel Relation) *Pair {
	s := r.slot(what)
	s.settle(r.exactOnly)
	s.now = Pair{What: what, Measured: measured, Claimed: claimed, Relation: rel}
	s.pending = true
	return &s.now
}

// settle weighs the latest pair against the worst one.
func (s *slot) settle(exactOnly bool) {
	if !s.pending {
		return
	}
	s.pending = false
	s.count++
	if exactOnly && s.now.exact == nil && !s.now.exactNow {
		s.bad = fmt.Sprintf("%q is compared in floating point, but the check promises exact arithmetic", s.now.What)
		return
	}
	s.now.exactNow = s.now.exactNow || exactOnly
	at, err := s.now.judge()
	if err != nil {
		if s.bad == "" {
			s.bad = err.Error()
		}
		return
	}
	if s.now.exactNow {
		s.exact++
	}
	if at.broken {
		s.violations++
	}
	if s.worst.What == "" || at.over(s.at) {
		s.worst, s.at = s.now, at
	}
}

// settle weighs everything that is pending. The engine calls it once the check has returned.
func (r *Recorder) settle() error {
	if r.skipped != "" {
		return nil
	}
	for _, s := range r.live {
		s.settle(r.exactOnly)
		if s.bad != "" {
			return fmt.Errorf("%s", s.bad)
		}
	}
	return nil
}

func (r *Recorder) reset() {
	r.free = append(r.free, r.live...)
	r.live, r.hint, r.skipped = r.live[:0], 0, ""
	r.links, r.points, r.axis = r.links[:0], r.points[:0], [3]string{}
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

// EqualVectors records that two vectors of equal length are asserted to agree up to rounding: it compares the norm of their difference
// with zero on the scale of the larger of their norms.
func (r *Recorder) EqualVectors(what string, measured, claimed []float64) *Pair {
	if len(measured) != len(claimed) {
		panic(fmt.Sprintf("props: %q compares vectors of lengths %d and %d", what, len(measured), len(claimed)))
	}
	var diff, m2, c2 float64
	for i, m := range measured {
		c := claimed[i]
		diff = math.Hypot(diff, m-c)
		m2 += m * m
		c2 += c * c
	}
	return r.add(what, diff, 0, EQ).Scale(math.Sqrt(max(m2, c2)))
}

// Truth records that a proposition is asserted: a finite combinatorial fact, exact by nature. Where numbers exist, compare numbers instead.
func (r *Recorder) Truth(what string, holds bool) *Pair {
	m := 0.0
	if holds {
		m = 1
	}
	p := r.add(what, m, 1, EQ)
	p.sense, p.exactNow = Proposition, true
	return p
}

// Rats records an exact comparison of rational numbers. It keeps copies of them.
func (r *Recorder) Rats(what string, measured *big.Rat, rel Relation, claimed *big.Rat) *Pair {
	m, _ := measured.Float64()
	c, _ := claimed.Float64()
	p := r.add(what, m, c, rel)
	measured, claimed = new(big.Rat).Set(measured), new(big.Rat).Set(claimed)
	p.exact = func() (*big.Rat, *big.Rat) { return measured, claimed }
	p.exactNow = true
	return p
}

// Scale states the magnitude of the terms that were added and subtracted to obtain the two numbers, where cancellation may have
// made them much smaller than that. Differences below [RoundingBand] of it count as rounding.
func (p *Pair) Scale(s float64) *Pair { p.scale = max(p.scale, math.Abs(s)); return p }

// Exactly supplies the two numbers in exact arithmetic, evaluated only to confirm a violation or a near tie, when the check has gone on or
// has returned: the closure must not depend on state that changes afterwards. Numbers of another size are an error of the check.
func (p *Pair) Exactly(f func() (measured, claimed *big.Rat)) *Pair { p.exact = f; return p }

// Decidedly is Exactly with numbers that decide the comparison without being its own, such as their squares, or bounds on them.
func (p *Pair) Decidedly(f func() (measured, claimed *big.Rat)) *Pair {
	p.proxy = true
	return p.Exactly(f)
}

// Holds reports whether the comparison holds, up to rounding.
func (p *Pair) Holds() bool {
	at, err := p.judge()
	return err == nil && !at.broken
}

// Skip declares that the instance does not meet the premise of the claim. All its comparisons are dropped.
func (r *Recorder) Skip(why string) { r.skipped = why }

// Link adds a step to the slack waterfall of a proof: the value of the expression that the step arrives at, in the order of the proof.
func (r *Recorder) Link(name string, value float64) {
	r.links = append(r.links, Link{name, value})
}

// Plot names the axes of the curve that Point draws.
func (r *Recorder) Plot(title, xlabel, ylabel string) { r.axis = [3]string{title, xlabel, ylabel} }

// Point adds a point to the curve of measured against claimed values. The engine takes quantiles over trials at equal abscissae.
func (r *Recorder) Point(x, measured, claimed float64) {
	r.points = append(r.points, point{x, measured, claimed})
}

// Judged is what a function asserts under one name: its worst comparison, and whether all of them hold.
type Judged struct {
	Pair
	Holds bool
}

// Judge calls a function that records comparisons, apart from any claim, and returns what it asserts in the order of first recording. The error
// names a comparison of numbers that cannot be compared.
func Judge(try func(*Recorder)) ([]Judged, error) {
	var rec Recorder
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
