package props

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"sledge/props/keyed"
)

type hit struct {
	time      int
	ok        bool
	unsettled bool // a miss, but not when the last bits are perturbed
}

func (h hit) mark() float64 {
	if !h.ok {
		return math.Inf(1)
	}
	return float64(h.time)
}

func hittingRun(inst *HittingTrial, _ *bench, t Trial) (hit, error) {
	time, ok := inst.Run(t)
	if ok && (time < 0 || time > inst.Horizon) {
		return hit{}, fmt.Errorf("run %d reports the time %d, outside 0..%d", t.N, time,
			inst.Horizon)
	}
	return hit{time: time, ok: ok}, nil
}

var hittingMethod = &method[HittingTrial]{
	refuse: func(t *HittingTrial) (vacuous string, malformed error) {
		if t.Horizon < 0 {
			return "", fmt.Errorf("the horizon is %d", t.Horizon)
		}
		return refuseProbability(t.Delta)
	},
	regime:  func(t *HittingTrial) *Regime { return &t.Regime },
	allowed: func(t *HittingTrial) float64 { return t.Delta },
	alike:   true,
	pilot: func(inst *HittingTrial, b *bench, key keyed.Key, runs int, s *suspicion) error {
		for i := range runs {
			h, err := hittingRun(inst, b, b.trial(key, i))
			if err != nil {
				return err
			}
			s.compared += float64(inst.Horizon)
			x := 1.0 // a miss: later than the horizon, nobody knows by how much
			if h.ok {
				x = float64(h.time) / float64(inst.Horizon+1)
			}
			s.add(!h.ok, x)
			s.largest = max(s.largest, x)
		}
		s.score = s.rate()
		return nil
	},
	confirm: confirmHitting,
	coheres: func(e *execution, inst *HittingTrial, effort float64, ev *Evidence) error {
		if ev.Claimed != float64(inst.Horizon) || ev.Relation != LE {
			return fmt.Errorf("it claims a time of %v, the instance %d", ev.Claimed, inst.Horizon)
		}
		if len(ev.Quantiles) != 2 || ev.Quantiles[0].At != 0.5 || ev.Quantiles[1].At != 0.9 {
			return errors.New("its quantiles are missing")
		}
		if ev.Constant != ev.Tightness && !(math.IsNaN(ev.Constant) && math.IsNaN(ev.Tightness)) {
			return fmt.Errorf("its constant is %v, its tightness %v", ev.Constant, ev.Tightness)
		}
		return ev.bernoulli(e, effort, inst.Delta)
	},
	number: hittingNumber,
	tenth:  func(t *HittingTrial) { t.Horizon /= 10 },
}

// missesPerHit is of how many misses that stay one must turn into a hit in another arithmetic to
// put them all in doubt: a miss does not say by how much it is one.
const missesPerHit = 8

// missesInDoubt is over how many misses that share is taken as soon as one of them has turned: the
// few misses that refute may stay misses by luck.
const missesInDoubt = 64

// inDoubt reports whether so many misses that have turned put all in doubt.
func inDoubt(turned, misses int) bool {
	return turned > 0 && missesPerHit*turned >= misses-turned
}

// confirmHitting tests the probability of missing the horizon. Times are censored there: a miss
// counts as later than any hit.
func confirmHitting(e *execution, c *confirmation[HittingTrial]) (Evidence, error) {
	inst := c.again()
	test := newBernoulliTest(e, c.effort, inst.Delta)
	var times []int
	run := func(s *perturbable[HittingTrial], b *bench, t Trial) (hit, error) {
		h, err := hittingRun(s.inst, b, t)
		if err == nil && !h.ok && e.own == 0 {
			h.unsettled = !s.survives(t, shakesOfMiss,
				func(inst *HittingTrial, t Trial) (broken, judged bool) {
					again, err := hittingRun(inst, b, t)
					return !again.ok, err == nil
				})
		}
		return h, err
	}
	misses, turned, decided := 0, 0, false
	err := trials(e, c.perturbable, c.key, e.longest(test.budget), run, hit.mark, func(h hit) bool {
		if !h.ok {
			misses++
		}
		if h.unsettled {
			turned++
		}
		if !decided {
			if h.ok {
				times = append(times, h.time)
			}
			decided = !test.observe(!h.ok, h.unsettled)
		}
		// further misses are made as long as they may tell
		left := missesInDoubt - misses
		return !decided || test.refuted() && turned > 0 && left > 0 &&
			inDoubt(turned+left, misses+left) && !inDoubt(turned, misses+left)
	})
	if err != nil {
		return Evidence{}, err
	}
	slices.Sort(times)
	ev := test.evidence()
	if ev.outcome == Refuted && inDoubt(turned, misses) {
		ev.outcome = Inconclusive
		ev.Note = sentence(ev.Note,
			fmt.Sprintf("not decidable in floating point: whether the event is met within the "+
				"horizon depends on the direction of rounding in %d of %s", turned,
				plural(misses, "miss")))
	}
	ev.What, ev.Relation, ev.Claimed = fmt.Sprintf(
		"time by which a share of %.4g of the runs has met the event",
		1-inst.Delta), LE, float64(inst.Horizon)
	quantile := func(q float64) (int, bool) { // of censored times
		k := int(q * float64(test.n))
		if k < len(times) {
			return times[k], true
		}
		return 0, false
	}
	if q, ok := quantile(1 - inst.Delta); ok {
		ev.Measured = float64(q)
		if inst.Horizon > 0 {
			ev.Tightness = ev.Measured / ev.Claimed
			ev.Constant = ev.Tightness
		}
	}
	for _, at := range [...]float64{0.5, 0.9} {
		q := Quantile{Num(at), Num(nan)}
		if t, ok := quantile(at); ok {
			q.Value = Num(t)
		}
		ev.Quantiles = append(ev.Quantiles, q)
	}
	ev.Curves = append([]Curve{met(times, test.n, inst.Horizon, 1-inst.Delta)}, ev.Curves...)
	if inst.Picture != nil {
		ev.Curves = append([]Curve{inst.Picture(c.key.With("picture"))}, ev.Curves...)
	}
	return ev, nil
}

// met is the share of the runs that have met the event by a time, up to the horizon, where the
// claimed share is due. Times is in increasing order. The abscissae are spread evenly, or in the
// logarithm where the first event is early.
func met(times []int, runs, horizon int, due float64) Curve {
	c := Curve{Title: fmt.Sprintf("share of %d runs that are there by a time, up to the claimed one, %d",
		runs, horizon), XLabel: "time", YLabel: ShareOfRuns}
	first := 1.0
	if len(times) > 0 {
		first = max(1, float64(times[0])/2)
	}
	far := float64(horizon) / first
	for k := 0; k <= pathPoints; k++ {
		share := float64(k) / pathPoints
		x := float64(horizon) * share
		if far > 8 {
			x = first * math.Pow(far, share)
		}
		if k == pathPoints {
			x = float64(horizon)
		}
		by := sort.Search(len(times), func(i int) bool { return float64(times[i]) > x })
		c.X = append(c.X, x)
		c.Median = append(c.Median, float64(by)/float64(runs))
		c.Claimed = append(c.Claimed, due)
	}
	return c
}
