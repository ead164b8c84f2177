package props

import (
	"fmt"
	"math"

	"sledge/props/keyed"
)

func (t *MeanTrial) bounded() bool { return t.Lo != 0 || t.Hi != 0 }

func (t *MeanTrial) tolerance() float64 {
	if t.Tolerance > 0 {
		return t.Tolerance
	}
	return 0.05 * (t.Hi - t.Lo)
}

func meanRun(inst *MeanTrial, _ *bench, t Trial) (float64, error) {
	x := inst.Run(t)
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return x, fmt.Errorf("run %d returns %v", t.N, x)
	case inst.bounded() && !(x >= inst.Lo && x <= inst.Hi):
		return x, fmt.Errorf("run %d returns %v, outside its certified range [%v, %v]", t.N, x, inst.Lo, inst.Hi)
	case !inst.bounded() && x < 0:
		return x, fmt.Errorf("run %d returns %v, but without a certified range values must not be negative", t.N, x)
	}
	return x, nil
}

var meanMethod = &method[MeanTrial]{
	refuse: func(t *MeanTrial) (vacuous string, malformed error) {
		switch {
		case t.Relation != LE && t.Relation != GE && t.Relation != Near:
			return "", fmt.Errorf("a mean is compared by %q, %q or %q, not %q", LE, GE, Near, t.Relation)
		case math.IsNaN(t.Claimed) || math.IsInf(t.Claimed, 0):
			return "", fmt.Errorf("the claimed mean is %v", t.Claimed)
		case !(t.Lo <= t.Hi):
			return "", fmt.Errorf("the range [%v, %v] is empty", t.Lo, t.Hi)
		case t.Relation == GE && !t.bounded():
			return "", fmt.Errorf("a lower bound on a mean needs a certified range")
		case t.bounded() && (t.Relation == LE && t.Claimed >= t.Hi || t.Relation == GE && t.Claimed <= t.Lo):
			return fmt.Sprintf("the claimed bound %.4g is outside the range [%.4g, %.4g] of every sample", t.Claimed, t.Lo, t.Hi), nil
		}
		return "", nil
	},
	pilot: func(inst *MeanTrial, b *bench, key keyed.Key, runs int, s *suspicion) error {
		for i := range runs {
			x, err := meanRun(inst, b, Trial{Key: key.At(i), N: i})
			if err != nil {
				return err
			}
			s.add(false, x)
		}
		excess := s.mean() - inst.Claimed
		size := max(math.Abs(inst.Claimed), math.Abs(s.mean()), math.SmallestNonzeroFloat64)
		switch {
		case inst.Relation == LE:
			s.score = excess / size
		case inst.Relation == GE:
			s.score = -excess / size
		case inst.bounded():
			s.score = math.Abs(excess) / (inst.Hi - inst.Lo)
		default:
			s.score = math.Abs(excess) / size
		}
		return nil
	},
	confirm: confirmMean,
}

// bettor is a test of a hypothesis about a mean, or a hypothesis that the range of the values decides by itself.
type bettor struct {
	p       *BettingMean // nil if the range decides
	decided bool
}

func (b *bettor) observe(x float64) {
	if b.p != nil {
		b.p.Observe(x)
	}
}

func (b *bettor) logE() float64 {
	switch {
	case b.p != nil:
		return b.p.LogE()
	case b.decided:
		return math.Inf(1)
	}
	return 0
}

// most returns the largest log e-value of bettors of which one suffices, least the smallest of bettors that are all needed.
func most(list []*bettor) float64 {
	e := math.Inf(-1)
	for _, b := range list {
		e = max(e, b.logE())
	}
	return e
}

func least(list []*bettor) float64 {
	e := math.Inf(1)
	for _, b := range list {
		e = min(e, b.logE())
	}
	return e
}

// above tests "mean ≤ m" for values ≥ lo.
func above(m, lo float64) *bettor {
	if m <= lo {
		return &bettor{decided: m < lo}
	}
	return &bettor{p: NewBettingAbove(m, lo)}
}

// below tests "mean ≥ m" for values ≤ hi.
func below(m, hi float64) *bettor {
	if m >= hi {
		return &bettor{decided: m > hi}
	}
	return &bettor{p: NewBettingBelow(m, hi)}
}

// itself marks a run by its value.
func itself(x float64) float64 { return x }

func confirmMean(e *execution, effort float64, again func() *MeanTrial, key keyed.Key) (Evidence, error) {
	inst := again()
	lo, hi, c := inst.Lo, inst.Hi, inst.Claimed
	if !inst.bounded() {
		lo, hi = 0, math.Inf(1)
	}
	level := e.level()
	budget := e.budget(effort, 20, runsPerTier)
	var refuters, supporters []*bettor // one refuter suffices to refute; all supporters are needed to support
	refuteLevel := level
	switch inst.Relation {
	case LE:
		refuters = append(refuters, above(c, lo))
		supporters = append(supporters, below(c, hi))
	case GE:
		refuters = append(refuters, below(c, hi))
		supporters = append(supporters, above(c, lo))
	case Near:
		refuteLevel = level / 2
		refuters = append(refuters, above(c, lo), below(c, hi))
		supporters = append(supporters, above(c-inst.tolerance(), lo), below(c+inst.tolerance(), hi))
	}
	outcome := Inconclusive
	var path path
	var xs []float64
	sum := 0.0
	err := trials(e, again, key, stretch*budget, meanRun, itself, func(x float64) bool {
		xs = append(xs, x)
		sum += x
		for _, b := range refuters {
			b.observe(x)
		}
		if inst.bounded() {
			for _, b := range supporters {
				b.observe(x)
			}
		}
		against, favour := most(refuters)/-math.Log(refuteLevel), 0.0
		if inst.bounded() {
			favour = least(supporters) / -math.Log(level)
		}
		path.observe(len(xs), budget, most(refuters), least(supporters))
		if x > c && c == lo && inst.Relation == LE { // a mean at the bottom of the range allows no other value
			against = 1
		}
		switch {
		case against >= 1:
			outcome = Refuted
		case favour >= 1:
			outcome = Supported
		}
		return goOn(len(xs), budget, max(against, favour))
	})
	if err != nil {
		return Evidence{}, err
	}
	mean := sum / float64(len(xs))
	ev := Evidence{What: naming("mean", inst.What), Measured: mean, Claimed: c, Relation: inst.Relation, Tightness: nan, Constant: nan, Level: level, Trials: len(xs)}
	ev.Low, ev.High = BettingLimits(xs, lo, hi, level)
	p := Pair{Measured: mean, Claimed: c, Relation: inst.Relation}
	ev.Tightness = p.ratio()
	if inst.Relation != Near && !math.IsNaN(ev.Tightness) {
		ev.Constant = ev.Tightness
	}
	switch {
	case outcome == Inconclusive && !inst.bounded() && !(inst.Relation == Near && ev.Low > c):
		outcome = Consistent
		ev.Note = "without a certified range of the samples no mean can be shown to be small"
	case outcome == Supported && inst.Relation == Near:
		ev.Note = fmt.Sprintf("shown within ±%.3g", inst.tolerance())
	}
	ev.outcome = outcome
	ev.Curves = path.curves(level)
	if outcome == Refuted {
		ev.Violations = len(xs)
	}
	ev.Power = meanPower(xs, mean, lo, refuteLevel, budget)
	return ev, nil
}

// meanPower says which excess of the mean the betting test would have found, from the variance seen: the optimal bet on an excess of
// g standard deviations grows the log wealth by g²/2 each time, and the mixture loses the logarithm of its size.
func meanPower(xs []float64, mean, lo, level float64, budget int) string {
	ss := 0.0
	for _, x := range xs {
		ss += (x - mean) * (x - mean)
	}
	sd := math.Sqrt(ss / max(1, float64(len(xs)-1)))
	g := math.Sqrt(2 * (math.Log(float64(len(bets))) - math.Log(level)) / float64(budget))
	return fmt.Sprintf("an excess of the mean by about %.3g would be found within %s (from the observed deviation %.3g, approximately)",
		g*sd, plural(budget, "run"), sd)
}
