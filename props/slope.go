package props

import (
	"fmt"
	"math"

	"sledge/props/keyed"
)

// Seeds of a slope check at each tier, before effort.
var seedsPerTier = [3]int{8, 16, 48}

const leastDecades = 1.5

func (t *SlopeTrial) margin() float64 {
	if t.Margin > 0 {
		return t.Margin
	}
	return 0.1
}

// sweep returns the logarithms of the quantity along the grid for one seed.
func (t *SlopeTrial) sweep(trial Trial) ([]float64, error) {
	y := make([]float64, len(t.X))
	for i, x := range t.X {
		v := t.Run(trial, x)
		if !(v > 0) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("seed %d gives %v at %v, not a positive number", trial.N, v, x)
		}
		y[i] = math.Log(v)
	}
	return y, nil
}

func (t *SlopeTrial) logX() []float64 {
	lx := make([]float64, len(t.X))
	for i, x := range t.X {
		lx[i] = math.Log(x)
	}
	return lx
}

var slopeMethod = &method[SlopeTrial]{
	refuse: func(t *SlopeTrial) (vacuous string, malformed error) {
		if len(t.X) < 4 {
			return "", fmt.Errorf("a slope needs at least 4 grid points, not %d", len(t.X))
		}
		for i, x := range t.X {
			if !(x > 0) || i > 0 && !(x > t.X[i-1]) {
				return "", fmt.Errorf("the grid is not positive and increasing at position %d (%v)", i, x)
			}
		}
		if d := math.Log10(t.X[len(t.X)-1] / t.X[0]); d < leastDecades-1e-9 {
			return "", fmt.Errorf("the grid spans %.2f decades, a slope needs %v", d, leastDecades)
		}
		return "", nil
	},
	regime: func(t *SlopeTrial) *Regime { return &t.Regime },
	costly: true,
	pilot: func(inst *SlopeTrial, b *bench, key keyed.Key, runs int, s *suspicion) error {
		y, err := inst.sweep(b.trial(key, 0))
		if err != nil {
			return err
		}
		slope, _ := OLS(inst.logX(), y)
		s.add(false, slope)
		if s.score = s.mean(); inst.TwoSided {
			s.score = math.Abs(s.score)
		}
		return nil
	},
	confirm: func(e *execution, c *confirmation[SlopeTrial]) (Evidence, error) {
		return confirmSlope(e, c.effort, c.again, c.key)
	},
}

// confirmSlope fits a slope for each seed and compares a t interval over seeds with the margin. Nothing is decided where the last third of
// the grid says otherwise, because the law is not asymptotic yet: a refutation must hold for the mean slope there, and a support must not be
// contradicted by the 95 % interval of the slope there, which is wider as there are fewer points.
func confirmSlope(e *execution, effort float64, again func() *SlopeTrial, key keyed.Key) (Evidence, error) {
	inst := again()
	level, margin := e.level(), inst.margin()
	seeds := e.budget(effort, 4, seedsPerTier)
	lx := inst.logX()
	tail := len(lx) - max(2, (len(lx)+2)/3)
	var slopes, lastSlopes []float64
	columns := make([][]float64, len(lx))
	err := trials(e, again, key, seeds,
		func(t *SlopeTrial, _ *bench, trial Trial) ([]float64, error) { return t.sweep(trial) },
		func(y []float64) float64 { return y[len(y)-1] },
		func(y []float64) bool {
			s, _ := OLS(lx, y)
			slopes = append(slopes, s)
			s, _ = OLS(lx[tail:], y[tail:])
			lastSlopes = append(lastSlopes, s)
			for i, v := range y {
				columns[i] = append(columns[i], math.Exp(v))
			}
			return true
		})
	if err != nil {
		return Evidence{}, err
	}
	two := level // a slope may leave the margin on either side
	if !inst.TwoSided {
		two = 2 * level
	}
	slope, half := TInterval(slopes, two)
	last, lastHalf := TInterval(lastSlopes, 0.05)
	decide := func(low, high float64) Verdict {
		switch {
		case low > margin, inst.TwoSided && high < -margin:
			return Refuted
		case high <= margin && (!inst.TwoSided || low >= -margin):
			return Supported
		}
		return Inconclusive
	}
	ev := Evidence{What: fmt.Sprintf("slope of log %s against log %s", inst.YLabel, inst.XLabel), Measured: slope, Claimed: 0, Relation: LE,
		Tightness: nan, Constant: nan, Level: level, Low: slope - half, High: slope + half, Trials: seeds}
	if inst.TwoSided {
		ev.Relation = Near
	}
	ev.outcome = decide(ev.Low, ev.High)
	note := fmt.Sprintf("margin %.3g; slope over the last third of the grid %.3g ± %.2g", margin, last, lastHalf)
	if ev.outcome == Supported && decide(last-lastHalf, last+lastHalf) == Refuted || ev.outcome == Refuted && decide(last, last) != Refuted {
		ev.outcome = Inconclusive
		note += ", which says otherwise: not asymptotic yet"
	}
	if ev.outcome == Refuted {
		for _, s := range slopes {
			if decide(s, s) == Refuted {
				ev.Violations++
			}
		}
	}
	c := Curve{Title: ev.What, XLabel: inst.XLabel, YLabel: inst.YLabel, X: inst.X}
	local := ""
	previous := nan
	for i, col := range columns {
		q := Quantiles(col, 0.1, 0.5, 0.9)
		c.Low, c.Median, c.High = append(c.Low, q[0]), append(c.Median, q[1]), append(c.High, q[2])
		c.Claimed = append(c.Claimed, 1)
		if i > 0 {
			local += fmt.Sprintf(" %.2f", math.Log(q[1]/previous)/(lx[i]-lx[i-1]))
		}
		previous = q[1]
	}
	ev.Curves = []Curve{c}
	ev.Note = sentence(note, "local slopes"+local)
	ev.Power = fmt.Sprintf("a slope beyond %.3g would be refuted, most of the time (margin and twice the half width %.3g of the interval)", margin+2*half, half)
	return ev, nil
}
