package props

import (
	"math"
	"slices"
)

// landscape is what a search learns about the comparisons of one name besides the worst of them:
// whether there is anything to climb on, and how many of the instances were drawn evenly.
type landscape struct {
	seen      int     // instances
	low, high float64 // between which the heights of these lie
	evens     int     // instances among them that were drawn evenly
	exact     int     // and those on which every comparison was decided by exact numbers
}

// survey adds what one evaluation recorded, which absorb has taken over before.
func (l *ledger) survey(src *Source, rec *Recorder, even bool) {
	if rec.skipped != "" {
		return
	}
	if l.asked = l.asked || src.asked; src.asked && even && len(l.drawn) < controlPairs {
		l.drawn = append(l.drawn, drawn{values(src.Drawn), rec.tightest()})
	}
	for _, s := range rec.live {
		if s.at.void {
			continue
		}
		h := s.at.height()
		if s.worst.Relation == EQ {
			h = s.at.excess // the logarithm of a rounding error is no slope
		}
		one := landscape{seen: 1, low: h, high: h}
		if even {
			one.evens = 1
		}
		if s.exact == s.count {
			one.exact = 1
		}
		t := l.tally(s.worst.What)
		t.landscape.merge(&one)
		if even && s.at.broken && (len(t.even) < keepEven || s.at.over(t.even[len(t.even)-1].at)) {
			c := candidate{values(src.Drawn), slices.Clone(src.Drawn), s.worst, s.at}
			t.even = ranked(t.even, c, keepEven, standing.over)
		}
	}
}

func (v *landscape) merge(w *landscape) {
	switch {
	case w.seen == 0:
		return
	case v.seen == 0:
		*v = *w
		return
	}
	v.seen += w.seen
	v.low, v.high = min(v.low, w.low), max(v.high, w.high)
	v.evens += w.evens
	v.exact += w.exact
}

// flat reports whether nothing but rounding tells the instances apart.
func (v *landscape) flat() bool { return v.high-v.low <= RoundingBand }

// flat reports whether all comparisons lie on flat landscapes.
func (l *ledger) flat() bool {
	return !slices.ContainsFunc(l.tallies, func(t *tally) bool { return !t.flat() })
}

// excluded is the share of the instances such that a violation on more of them would have been met
// with probability
// 0.95 by n even draws.
func excluded(n int) float64 {
	if n == 0 {
		return nan
	}
	return -math.Expm1(math.Log(0.05) / float64(n))
}

// evens is its inverse.
func evens(share float64) int {
	if math.IsNaN(share) {
		return 0
	}
	return int(math.Round(math.Log(0.05) / math.Log1p(-share)))
}
