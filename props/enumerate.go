package props

import (
	"math"
	"slices"
)

// Enumeration of small domains. Ranges may depend on earlier choices, so the tree of choices is
// discovered by walking it.
const (
	// a domain is enumerated if it has at most so many times the instances that a search may try
	roomForAll = 1.25
	// random paths from which the number of instances is estimated before the walk starts
	probes   = 8
	doubtful = 16.0 // times the room beyond which the first path, and
	// times beyond which the mean over the random paths, says that the domain is not small
	tooManySure = 2.0
)

// branches returns how many values a choice has, Inf if it names a stream or a number of a
// continuum.
func (c *Choice) branches() float64 {
	switch {
	case c.Hi == c.Lo:
		return 1
	case !c.Int || c.Seed:
		return math.Inf(1)
	}
	return c.Hi - c.Lo + 1
}

// breadth is the product of the branches along a path. Over paths that are drawn evenly its mean is
// the number of instances (Knuth, Estimating the efficiency of backtrack programs, 1975).
func breadth(drawn []Choice) float64 {
	p := 1.0
	for i := range drawn {
		p *= drawn[i].branches()
	}
	return p
}

// stem begins a path through the tree of choices: the places of the first values, each counted from
// the low end of its range. A path that goes on beyond its stem keeps to the low ends.
type stem []float64

func (s stem) chooser() Chooser {
	place := replayed(s, func(Choice) float64 { return 0 })
	return func(c Choice) float64 { return c.Lo + place(c) }
}

// fork is a choice on a path that was walked at its first value only.
type fork struct {
	stem   stem    // the way to it
	values float64 // how many it has
}

// enumerate tries every instance of the domain if it has at most as many as given, and reports
// whether it did. What the middle of the domain drew tells whether that is worth trying.
func (d *Deterministic) enumerate(e *execution, l *ledger, middle []Choice,
	most float64) (bool, error) {
	if breadth(middle) > doubtful*most {
		return false, nil
	}
	var b bench
	r := e.stream("probes").Rand()
	sum := 0.0
	for range probes {
		if err := d.evaluate(&b, uniform(r)); err != nil {
			return false, err
		}
		l.absorb(&b.src, &b.rec)
		l.survey(&b.src, &b.rec, true)
		sum += breadth(b.src.Drawn)
	}
	if sum > tooManySure*most*probes {
		return false, nil
	}
	w := walk{d: d, e: e, most: most, pending: 1}
	complete, err := w.all()
	if complete {
		*l = w.ledger
		l.whole = true
	}
	return complete, err
}

// walk visits the instances of a small domain: level by level from the first choice on, so that
// their number shows early.
type walk struct {
	d       *Deterministic
	e       *execution
	ledger  ledger
	forks   [][]fork // by depth
	pending float64  // instances known to be there and not visited yet
	most    float64
}

// all reports whether the domain has at most w.most instances, in which case all of them have been
// tried.
func (w *walk) all() (bool, error) {
	if err := w.visit([]stem{nil}); err != nil {
		return false, err
	}
	for depth := 0; depth < len(w.forks); depth++ {
		for i := 0; i < len(w.forks[depth]); i++ { // no fork at this depth is found from here on
			f := w.forks[depth][i]
			for k := 1.0; k < f.values; {
				if float64(w.ledger.tried)+w.pending > w.most {
					return false, nil
				}
				var batch []stem
				for ; k < f.values && len(batch) < 8*chunk; k++ {
					batch = append(batch, append(append(stem{}, f.stem...), k))
				}
				if err := w.visit(batch); err != nil {
					return false, err
				}
			}
		}
	}
	return true, nil
}

// visit tries the first instance beyond each stem and notes the forks on the way.
func (w *walk) visit(batch []stem) error {
	found := make([][]Choice, len(batch))
	err := w.ledger.gather(w.e, len(batch), func(b *bench, i int) (even bool, err error) {
		if err := w.d.evaluate(b, batch[i].chooser()); err != nil {
			return false, err
		}
		found[i] = slices.Clone(b.src.Drawn)
		return false, b.rec.settleExactly()
	})
	if err != nil {
		return err
	}
	w.pending -= float64(len(batch))
	for i, drawn := range found {
		path := make(stem, len(drawn))
		copy(path, batch[i])
		for depth := len(batch[i]); depth < len(drawn); depth++ {
			n := drawn[depth].branches()
			w.pending += n - 1
			for depth >= len(w.forks) {
				w.forks = append(w.forks, nil)
			}
			if n > 1 {
				w.forks[depth] = append(w.forks[depth], fork{path[:depth:depth], n})
			}
		}
	}
	return nil
}

// settleExactly decides by exact arithmetic what has it, where one comparison was made under a
// name. A domain of which every instance is decided so is proved.
func (r *Recorder) settleExactly() error {
	if r.skipped != "" {
		return nil
	}
	for _, s := range r.live {
		if s.count != 1 || s.exact == 1 || s.worst.exact == nil {
			continue
		}
		at, err := s.worst.judgeExactly()
		if err != nil {
			return err
		}
		s.at = at
		if s.worst.exactNow { // and not left to floating point after all
			s.exact = 1
		}
		if at.broken {
			s.violations = 1
		}
	}
	return nil
}
