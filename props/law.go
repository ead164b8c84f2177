package props

import (
	"fmt"
	"math"

	"sledge/props/keyed"
)

func (t *LawTrial) tolerance() float64 {
	if t.Tolerance > 0 {
		return t.Tolerance
	}
	return 0.05
}

func lawRun(inst *LawTrial, _ *bench, t Trial) (float64, error) {
	x := inst.Run(t)
	if math.IsNaN(x) {
		return x, fmt.Errorf("run %d returns %v", t.N, x)
	}
	return x, nil
}

var lawMethod = &method[LawTrial]{
	refuse: func(t *LawTrial) (vacuous string, malformed error) {
		if t.tolerance() >= 1 {
			return fmt.Sprintf("the tolerance %.3g allows everything", t.tolerance()), nil
		}
		return "", nil
	},
	pilot: func(inst *LawTrial, b *bench, key keyed.Key, runs int, s *suspicion) error {
		xs := make([]float64, 4*runs)
		for i := range xs {
			var err error
			if xs[i], err = lawRun(inst, b, Trial{Key: key.At(i), N: i}); err != nil {
				return err
			}
		}
		d, _ := CDFDistance(xs, inst.CDF)
		s.add(false, d*math.Sqrt(float64(len(xs)))) // of the same size for samples of any size when the law is right
		s.score = s.mean()
		return nil
	},
	confirm: confirmLaw,
}

// confirmLaw compares a sample whose size makes the band as wide as 0.6 tolerances at the quick tier, so that a true law is supported.
func confirmLaw(e *execution, effort float64, again func() *LawTrial, key keyed.Key) (Evidence, error) {
	inst := again()
	level, tol := e.level(), inst.tolerance()
	band := 0.6 * tol
	n := int(math.Ceil(effort * math.Log(2/level) / (2 * band * band) * [3]float64{1, 4, 16}[e.cfg.Tier]))
	n = max(n, 20)
	xs := make([]float64, 0, n)
	err := trials(e, again, key, n, lawRun, itself, func(x float64) bool { xs = append(xs, x); return true })
	if err != nil {
		return Evidence{}, err
	}
	d, at := CDFDistance(xs, inst.CDF)
	half := DKW(n, level)
	ev := Evidence{What: naming("distance of the distribution functions", inst.What), Measured: d, Claimed: 0, Relation: Near, Tightness: d / tol, Constant: nan,
		Level: level, Low: max(0, d-half), High: d + half, Trials: n}
	switch {
	case d > half:
		ev.outcome, ev.Violations = Refuted, n
	case d+half <= tol:
		ev.outcome = Supported
	default:
		ev.outcome = Inconclusive
	}
	c := Curve{Title: "distribution function", XLabel: "x", YLabel: "probability"}
	for k := 0; k <= pathPoints; k++ {
		i := k * (n - 1) / pathPoints
		c.X = append(c.X, xs[i])
		c.Median = append(c.Median, float64(i+1)/float64(n))
		c.Claimed = append(c.Claimed, inst.CDF(xs[i]))
	}
	ev.Curves = []Curve{c}
	ev.Note = fmt.Sprintf("largest at %.4g; band ±%.3g, tolerance %.3g", at, half, tol)
	ev.Power = fmt.Sprintf("a law at distance %.3g or more would be refuted with probability at least 0.9", half+DKW(n, 0.1))
	return ev, nil
}
