package reports

import (
	"math"

	"sledge/props"
)

// horizon is what runs take of the time that a statement claims to be enough: a row of the picture
// that has the main results on one axis, which is logarithmic, in percent of its length, and ends
// at the claimed time.
type horizon struct {
	Section      *Section
	Claim        *pageClaim
	Half, Ninety Num // times by which these shares of the runs are there; NaN if that is never seen
	Claimed      Num
	Runs, Late   int
	Left, Width  float64
}

// part is the part of the horizon that nine tenths of the runs take; more than all of it if they
// are late.
func (h *horizon) part() float64 {
	if !h.Ninety.Known() {
		return math.Inf(1)
	}
	return float64(h.Ninety / h.Claimed)
}

// newHorizon reads the times of runs off a piece of evidence; nil if it has none.
func newHorizon(c *pageClaim, e *Evidence) *horizon {
	if len(e.Quantiles) == 0 || e.Sense != props.Runs || !(e.Claimed > 0) {
		return nil
	}
	h := &horizon{Claim: c, Section: c.Section, Half: Num(math.NaN()), Ninety: Num(math.NaN()),
		Claimed: Num(e.Claimed), Runs: e.Trials, Late: e.Violations}
	for _, q := range e.Quantiles {
		switch q.At {
		case 0.5:
			h.Half = q.Value
		case 0.9:
			h.Ninety = q.Value
		}
	}
	return h
}

// horizons are the times of the runs of the main results: of each the printed statement whose runs
// are late, if there is one, and of what stands the one whose runs take the largest part.
func (s *site) horizons() (out []*horizon, least string) {
	for _, p := range s.Main {
		var late, used *horizon
		for _, c := range p.Claims {
			for i := range c.Evidence {
				h := newHorizon(c, &c.Evidence[i])
				switch {
				case h == nil:
				case c.Verdict == props.Refuted && c.Form == props.Printed && h.part() > 1:
					if late == nil {
						late = h
					}
				case c.Stands() && h.part() <= 1 && (used == nil || h.part() > used.part()):
					used = h
				}
			}
		}
		for _, h := range []*horizon{late, used} {
			if h != nil {
				out = append(out, h)
			}
		}
	}
	return out, spread(out)
}

// spread puts times on their common axis, and returns the part of the claimed time at its left end.
func spread(rows []*horizon) string {
	least := 0.1
	for _, h := range rows {
		if h.Half > 0 {
			least = min(least, float64(h.Half/h.Claimed))
		}
	}
	decades := math.Ceil(-math.Log10(least))
	at := func(part float64) float64 {
		return 100 * max(0, 1+math.Log10(part)/decades)
	}
	for _, h := range rows {
		if h.part() > 1 {
			h.Left, h.Width = 99, 1
			continue
		}
		h.Left = at(float64(h.Half / h.Claimed))
		h.Width = at(h.part()) - h.Left
	}
	return props.Number(100*math.Pow(10, -decades), 1) + " %"
}
