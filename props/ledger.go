package props

import (
	"fmt"
	"slices"
)

// candidate is a suspect instance that a search came upon. It is not evidence and cannot become any: only [Deterministic.confirm], which
// evaluates the instance again from its choices, makes a confirmed.
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

// keep is how many candidates a ledger keeps for each name.
const keep = 6

// tally is what a search remembers of the comparisons of one name.
type tally struct {
	what       string
	relation   Relation
	instances  int // that recorded it
	violations int // of these
	pairs      int
	constant   float64     // largest ratio seen in worst pairs
	best       []candidate // worst first, at most keep
	apart      candidate   // the worst one whose numbers differ by more than rounding
	landscape
}

// ledger is what a search remembers.
type ledger struct {
	tallies []*tally
	tried   int // evaluations
	met     int // evaluations that compared something
	skips   []skip
	whole   bool // every instance of the domain has been tried
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
		t.instances++
		t.pairs += s.count
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
	return len(t.best) < keep || at.over(t.best[len(t.best)-1].at) || at.apart() && (t.apart.drawn == nil || at.over(t.apart.at))
}

func (t *tally) insert(c candidate) {
	if c.at.apart() && (t.apart.drawn == nil || c.at.over(t.apart.at)) {
		t.apart = c
	}
	if len(t.best) == keep && !c.at.over(t.best[keep-1].at) {
		return
	}
	i := len(t.best)
	for i > 0 && c.at.over(t.best[i-1].at) {
		i--
	}
	t.best = append(t.best, candidate{})
	copy(t.best[i+1:], t.best[i:])
	t.best[i] = c
	if len(t.best) > keep {
		t.best = t.best[:keep]
	}
}

// merge takes over another ledger, whose evaluations came later.
func (l *ledger) merge(m *ledger) {
	l.tried += m.tried
	l.met += m.met
	for _, s := range m.skips {
		l.skipped(s.why, s.count)
	}
	for _, u := range m.tallies {
		t := l.tally(u.what)
		t.relation = u.relation
		t.instances += u.instances
		t.violations += u.violations
		t.pairs += u.pairs
		t.constant = max(t.constant, u.constant)
		t.landscape.merge(&u.landscape)
		for _, c := range u.best {
			t.insert(c)
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
