package props

import (
	"fmt"
	"slices"
)

// candidate is a suspect instance that a search came upon. It is not evidence and cannot become
// any: only [Deterministic.confirm], which evaluates the instance again from its choices, makes a
// confirmed.
type candidate struct {
	choices []float64
	drawn   []Choice
	pair    Pair
	at      standing
}

// confirmed is an instance that has been evaluated again, apart from the search that proposed it.
type confirmed struct {
	choices   []float64
	drawn     []Choice
	pair      Pair
	at        standing
	certified bool // its violation, or its compliance, is exact
	links     []Link
	points    []point
	axis      [3]string
}

// Candidates that a ledger keeps for each name.
const (
	keep      = 6
	keepClear = 3 // violations that stand out most from the numbers behind them
	keepEven  = 6 // violations among the even draws
)

// tally is what a search remembers of the comparisons of one name.
type tally struct {
	what       string
	relation   Relation
	instances  int // that recorded it
	violations int // of these
	pairs      int
	void       int         // pairs of infinite numbers, or of what underflow leaves
	zeros      int         // pairs of zeros that may be underflow
	blank      int         // pairs of zeros on no scale
	constant   float64     // largest ratio seen in worst pairs
	best       []candidate // worst first, at most keep
	// violations, those least to be explained by rounding first, at most keepClear
	clear []candidate
	// violations met by even draws, worst first, at most keepEven: a climb ends at a jump, these do
	// not
	even  []candidate
	apart candidate // the worst one whose numbers differ by more than rounding
	landscape
}

// ledger is what a search remembers.
type ledger struct {
	tallies []*tally
	tried   int // evaluations
	met     int // evaluations that compared something
	skips   []skip
	whole   bool // every instance of the domain has been tried
	// of a check that takes part in controls: instances that were drawn evenly, see [Control]
	asked bool
	drawn []drawn
}

type skip struct {
	why   string
	count int
}

func (l *ledger) tally(what string) *tally {
	for _, t := range l.tallies {
		if t.what == what {
			return t
		}
	}
	t := &tally{what: what}
	l.tallies = append(l.tallies, t)
	return t
}

func (l *ledger) skipped(why string, count int) {
	for i := range l.skips {
		if l.skips[i].why == why {
			l.skips[i].count += count
			return
		}
	}
	l.skips = append(l.skips, skip{why, count})
}

// absorb takes over what one evaluation recorded.
func (l *ledger) absorb(src *Source, rec *Recorder) {
	l.tried++
	if rec.skipped != "" {
		l.skipped(rec.skipped, 1)
		return
	}
	if len(rec.live) > 0 {
		l.met++
	}
	for _, s := range rec.live {
		t := l.tally(s.worst.What)
		t.relation = s.worst.Relation
		t.pairs += s.count
		t.void += s.void
		t.zeros += s.zeros
		t.blank += s.blank
		if s.at.void {
			continue
		}
		t.instances++
		if s.violations > 0 {
			t.violations++
		}
		if t.relation != EQ && s.at.ratio > t.constant {
			t.constant = s.at.ratio
		}
		if t.wants(s.at) {
			t.insert(candidate{values(src.Drawn), slices.Clone(src.Drawn), s.worst, s.at})
		}
	}
}

// wants reports whether insert would keep a candidate of this standing.
func (t *tally) wants(at standing) bool {
	return len(t.best) < keep || at.over(t.best[len(t.best)-1].at) || at.apart() &&
		(t.apart.drawn == nil || at.over(t.apart.at)) ||
		at.clear > 0 && (len(t.clear) < keepClear || at.clear > t.clear[len(t.clear)-1].at.clear)
}

func (t *tally) insert(c candidate) {
	if c.at.apart() && (t.apart.drawn == nil || c.at.over(t.apart.at)) {
		t.apart = c
	}
	t.best = ranked(t.best, c, keep, standing.over)
	if c.at.clear > 0 {
		t.clear = ranked(t.clear, c, keepClear, clearer)
	}
}

// ranked inserts a candidate into a list of at most the given length, behind those that it does not
// outrank.
func ranked(list []candidate, c candidate, most int, over func(a, b standing) bool) []candidate {
	i := len(list)
	for i > 0 && over(c.at, list[i-1].at) {
		i--
	}
	if i == most {
		return list
	}
	return slices.Insert(list, i, c)[:min(len(list)+1, most)]
}

func clearer(a, b standing) bool { return a.clear > b.clear }

// merge takes over another ledger, whose evaluations came later.
func (l *ledger) merge(m *ledger) {
	l.tried += m.tried
	l.met += m.met
	l.asked = l.asked || m.asked
	l.drawn = append(l.drawn, m.drawn[:min(len(m.drawn), controlPairs-len(l.drawn))]...)
	for _, s := range m.skips {
		l.skipped(s.why, s.count)
	}
	for _, u := range m.tallies {
		t := l.tally(u.what)
		t.relation = u.relation
		t.instances += u.instances
		t.violations += u.violations
		t.pairs += u.pairs
		t.void += u.void
		t.zeros += u.zeros
		t.blank += u.blank
		t.constant = max(t.constant, u.constant)
		t.landscape.merge(&u.landscape)
		for _, c := range u.best {
			t.best = ranked(t.best, c, keep, standing.over)
		}
		for _, c := range u.clear {
			t.clear = ranked(t.clear, c, keepClear, clearer)
		}
		for _, c := range u.even {
			t.even = ranked(t.even, c, keepEven, standing.over)
		}
		if u.apart.drawn != nil && (t.apart.drawn == nil || u.apart.at.over(t.apart.at)) {
			t.apart = u.apart
		}
	}
}

// premise reports in words how often the premise was met.
func (l *ledger) premise() string {
	if l.met == l.tried {
		return ""
	}
	s := fmt.Sprintf("premise met in %d of %d instances", l.met, l.tried)
	for _, k := range l.skips {
		s += fmt.Sprintf("; %s: %d", k.why, k.count)
	}
	return s
}
