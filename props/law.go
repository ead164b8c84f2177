package props

import (
	"errors"
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
	regime: func(t *LawTrial) *Regime { return &t.Regime },
	pilot: func(inst *LawTrial, b *bench, key keyed.Key, runs int, s *suspicion) error {
		xs := make([]float64, 4*runs)
		for i := range xs {
			var err error
			if xs[i], err = lawRun(inst, b, b.trial(key, i)); err != nil {
				return err
			}
		}
		d, _, err := inst.distance(xs)
		if err != nil {
			return err
		}
		// of the same size for samples of any size when the law is right
		s.add(false, d*math.Sqrt(float64(len(xs))))
		s.score = s.mean()
		return nil
	},
	confirm: confirmLaw,
	coheres: func(e *execution, inst *LawTrial, _ float64, ev *Evidence) error {
		half, tol := dkw(ev.Trials, ev.Level), inst.tolerance()
		low, high := max(0, ev.Measured-half), ev.Measured+half
		outcome := besideTolerance(ev.Measured, half, tol)
		if ev.Claimed != 0 || ev.Relation != Near || ev.Tightness != ev.Measured/tol ||
			ev.Low != low || ev.High != high || e.own == 0 && ev.tried() != outcome {
			return errors.New("limits and outcome are not those of the distance")
		}
		return nil
	},
}

// distance is CDFDistance for a function that is a distribution function, as far as the sample
// shows.
func (t *LawTrial) distance(xs []float64) (distance, at float64, err error) {
	distance, at = cdfDistance(xs, t.CDF)
	last := 0.0
	for _, x := range xs {
		f := t.CDF(x)
		if !(f >= 0 && f <= 1) {
			return distance, at, fmt.Errorf("the distribution function is %v at %v", f, x)
		}
		if f < last-RoundingBand {
			return distance, at, fmt.Errorf("the distribution function falls from %v to %v at %v",
				last, f, x)
		}
		last = max(last, f)
	}
	return distance, at, nil
}

// besideTolerance says on which side of a tolerance a distance lies, give or take half a band.
func besideTolerance(distance, half, tolerance float64) Verdict {
	switch {
	case distance-half > tolerance:
		return Refuted
	case distance+half <= tolerance:
		return Supported
	}
	return Inconclusive
}

// bandShare is the half width of the band at the quick tier as a part of the tolerance: what it
// leaves is as wide as the band, so that a sample of the law itself stays inside but for the level
// of the test.
const bandShare = 0.5

// confirmLaw compares a sample with the law: it is refuted if the distance exceeds the tolerance by
// more than the band, and supported if it stays inside it by as much.
func confirmLaw(e *execution, conf *confirmation[LawTrial]) (Evidence, error) {
	inst := conf.again()
	level, tol := e.level(), inst.tolerance()
	band := bandShare * tol
	n := int(math.Ceil(max(1, conf.effort) * math.Log(2/level) / (2 * band * band) *
		[3]float64{1, 4, 16}[e.cfg.Tier]))
	xs := make([]float64, 0, n)
	err := trials(e, conf.again, conf.key, n, lawRun, itself,
		func(x float64) bool { xs = append(xs, x); return true })
	if err != nil {
		return Evidence{}, err
	}
	d, at, err := inst.distance(xs)
	if err != nil {
		return Evidence{}, err
	}
	half := dkw(n, level)
	ev := Evidence{What: naming("distance of the distribution functions", inst.What), Measured: d,
		Claimed: 0, Relation: Near, Tightness: d / tol, Constant: nan,
		Level: level, Low: max(0, d-half), High: d + half, Trials: n}
	if ev.outcome = besideTolerance(d, half, tol); ev.outcome == Refuted {
		ev.Violations = n
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
	ev.Power = Power{LawDistance, Num(tol + half + dkw(n, 0.1)), 0.9, n}
	return ev, nil
}
