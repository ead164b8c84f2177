package props

import (
	"fmt"
	"math"
	"slices"

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
		return hit{}, fmt.Errorf("run %d reports the time %d, outside 0..%d", t.N, time, inst.Horizon)
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
	pilot: func(inst *HittingTrial, b *bench, key keyed.Key, runs int, s *suspicion) error {
		for i := range runs {
			h, err := hittingRun(inst, b, b.trial(key, i))
			if err != nil {
				return err
			}
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
}

// confirmHitting tests the probability of missing the horizon. Times are censored there: a miss counts as later than
// any hit.
func confirmHitting(e *execution, c *confirmation[HittingTrial]) (Evidence, error) {
	inst := c.again()
	test := newBernoulliTest(e, c.effort, inst.Delta)
	var times []int
	run := func(s *perturbable[HittingTrial], b *bench, t Trial) (hit, error) {
		h, err := hittingRun(s.inst, b, t)
		if err == nil && !h.ok && e.own == 0 {
			h.unsettled = !s.survives(t, func(inst *HittingTrial, t Trial) (broken, judged bool) {
				again, err := hittingRun(inst, b, t)
				return !again.ok, err == nil
			})
		}
		return h, err
	}
	again := func() *perturbable[HittingTrial] { return &perturbable[HittingTrial]{inst: c.again(), c: c} }
	err := trials(e, again, c.key, e.longest(test.budget), run, hit.mark, func(h hit) bool {
		if h.ok {
			times = append(times, h.time)
		}
		return test.observe(!h.ok, h.unsettled)
	})
	if err != nil {
		return Evidence{}, err
	}
	slices.Sort(times)
	ev := test.evidence()
	ev.What, ev.Relation, ev.Claimed = fmt.Sprintf("time by which a share of %.4g of the runs has met the event",
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
	if len(times) > 0 { // the empirical survival function: all censoring is at the horizon
		c := Curve{Title: "runs without the event", XLabel: "time", YLabel: "fraction of runs"}
		for k := 0; k <= pathPoints; k++ {
			i := k * (len(times) - 1) / pathPoints
			c.X = append(c.X, float64(times[i]))
			c.Median = append(c.Median, 1-float64(i+1)/float64(test.n))
			c.Claimed = append(c.Claimed, inst.Delta)
		}
		ev.Curves = append([]Curve{c}, ev.Curves...)
	}
	return ev, nil
}
