package props

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"sledge/props/direction"
	"sledge/props/keyed"
)

// Most runs of a slope check at each tier, before effort, and least ones: larger tiers know
// exponents better.
var slopeRuns, slopeLeast = [3]int{600, 1200, 2400}, [3]int{0, 96, 384}

// sweeps is how many runs go along the whole grid. The others visit the points on which the verdict
// rests.
const sweeps = 8

const leastDecades = 1.5

// Error levels of what a trend withholds from limits that have decided. Support is withheld where
// the trend is shown at trendLevel to lead out of the margin. A refutation waits until the last
// third is shown at lateLevel to say the same, and as long as the slopes are shown at that level to
// fall back; for good where the contrary of it is shown at trendLevel.
const trendLevel, lateLevel = 1e-4, 0.01

func (t *SlopeTrial) margin() float64 {
	if t.Margin > 0 {
		return t.Margin
	}
	return 0.1
}

// at returns the logarithm of the quantity at the i-th point of the grid.
func (t *SlopeTrial) at(trial Trial, i int) (float64, error) {
	v := t.Run(trial, t.X[i])
	switch {
	case !(v > 0) || math.IsInf(v, 0):
		return nan, fmt.Errorf("seed %d gives %v at %v, not a positive number", trial.N, v, t.X[i])
	case t.Of == OfMean && t.Most != nil && v > t.Most(t.X[i]):
		return nan, fmt.Errorf("seed %d gives %v at %v, more than the certified %v", trial.N, v,
			t.X[i], t.Most(t.X[i]))
	}
	return math.Log(v), nil
}

// sweep returns the logarithms of the quantity along the grid for one seed. Later seeds leave out,
// as NaN, what no limit rests on.
func (t *SlopeTrial) sweep(trial Trial) ([]float64, error) {
	y := make([]float64, len(t.X))
	head, tail := t.thirds()
	for i := range t.X {
		y[i] = nan
		if trial.N < sweeps || i == 0 || i == head || i == tail || i == len(t.X)-1 {
			var err error
			if y[i], err = t.at(trial, i); err != nil {
				return nil, err
			}
		}
	}
	return y, nil
}

// thirds returns where the first third of the grid ends and where the last one begins.
func (t *SlopeTrial) thirds() (head, tail int) {
	return max(1, (len(t.X)-1)/3), len(t.X) - max(2, (len(t.X)+2)/3)
}

// ends are the positions of the first and the last point of the grid.
func (t *SlopeTrial) ends() [2]int { return [2]int{0, len(t.X) - 1} }

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
				return "", fmt.Errorf("the grid is not positive and increasing at position %d (%v)",
					i, x)
			}
		}
		if d := math.Log10(t.X[len(t.X)-1] / t.X[0]); d < leastDecades-1e-9 {
			return "", fmt.Errorf("the grid spans %.2f decades, a slope needs %v", d, leastDecades)
		}
		return "", nil
	},
	regime: func(t *SlopeTrial) *Regime { return &t.Regime },
	costly: true,
	coheres: func(e *execution, inst *SlopeTrial, _ float64, ev *Evidence) error {
		if e.cfg.Tier > Quick {
			larger := large(*inst)
			inst = &larger
		}
		relation, margin := LE, inst.margin()
		if inst.TwoSided {
			relation = Near
		}
		supported := ev.High <= margin && (!inst.TwoSided || ev.Low >= -margin)
		refuted := ev.Low > margin || inst.TwoSided && ev.High < -margin
		unbounded := inst.Of == OfMean && inst.Most == nil
		switch o := ev.tried(); {
		case unbounded != math.IsNaN(ev.Level), ev.Power.Of != SlopeValue,
			ev.Power.Within != ev.Trials, ev.Claimed != 0 || ev.Relation != relation || ev.Sense != Plain:
			return errors.New("it is not the slope that the instance claims")
		case o == Supported && !supported, o == Refuted && !refuted && ev.Certificate == nil,
			o == Consistent && !math.IsNaN(ev.Level):
			return fmt.Errorf("the limits of its slope do not say that it is %s", o)
		}
		return nil
	},
	pilot: func(inst *SlopeTrial, b *bench, key keyed.Key, runs int, s *suspicion) error {
		var y [2]float64 // the exponent that a confirmation tests is that between the ends
		for k, i := range inst.ends() {
			var err error
			if y[k], err = inst.at(b.trial(key, 0), i); err != nil {
				return err
			}
		}
		s.add(false, (y[1]-y[0])/math.Log(inst.X[len(inst.X)-1]/inst.X[0]))
		if s.score = s.mean(); inst.TwoSided {
			s.score = math.Abs(s.score)
		}
		return nil
	},
	confirm: func(e *execution, c *confirmation[SlopeTrial]) (Evidence, error) {
		return confirmSlope(e, c)
	},
}

// ladder holds the logarithms of the measured quantity: of each run at each point of the grid, NaN
// where it has not been.
type ladder struct {
	of     Location
	most   func(x float64) float64
	jitter float64
	x, lx  []float64
	runs   [][]float64
}

// column returns what is known at a point.
func (l *ladder) column(i int) (col []float64) {
	for _, y := range l.runs {
		if y[i] == y[i] {
			col = append(col, y[i])
		}
	}
	return col
}

// location estimates the logarithm of the mean at a point, with a standard error.
func (l *ladder) location(i int) (at, se float64) {
	col := l.column(i)
	n := float64(len(col))
	mean, ss := 0.0, 0.0
	for _, v := range col {
		mean += math.Exp(v) / n
	}
	for _, v := range col {
		ss += sq(math.Exp(v)-mean) / max(1, n-1)
	}
	return math.Log(mean), math.Sqrt(ss/n) / mean
}

// contrast gives weights to points of the grid: a slope, or what is computed from slopes.
type contrast []float64

// slope is the contrast of the exponent between two points.
func (l *ladder) slope(i, j int) contrast {
	c := make(contrast, len(l.x))
	c[i], c[j] = -1/(l.lx[j]-l.lx[i]), 1/(l.lx[j]-l.lx[i])
	return c
}

// plus adds a multiple of another contrast.
func (c contrast) plus(times float64, d contrast) contrast {
	out := slices.Clone(c)
	for i := range out {
		out[i] += times * d[i]
	}
	return out
}

// paired returns the value of a contrast in each run that has been at its points. Both ends of a
// run share its randomness.
func (l *ladder) paired(c contrast) (values []float64) {
	for _, y := range l.runs {
		v := 0.0
		for i, w := range c {
			if w != 0 {
				v += w * y[i]
			}
		}
		if v == v {
			values = append(values, v)
		}
	}
	return values
}

// measured is a contrast with a standard error over runs, and what jumps of the quantity may add to
// it.
type measured struct {
	value, se float64
	runs      int
	jumps     float64
}

func (l *ladder) measure(c contrast) (m measured) {
	for _, w := range c {
		m.jumps += math.Abs(w) * l.jitter
	}
	if l.of == OfMean {
		for i, w := range c {
			if w != 0 {
				at, se := l.location(i)
				m.value, m.se, m.runs = m.value+w*at, math.Hypot(m.se, w*se), len(l.column(i))
			}
		}
		return m
	}
	values := l.paired(c)
	m.runs = len(values)
	n, ss := float64(m.runs), 0.0
	for _, v := range values {
		m.value += v / n
	}
	for _, v := range values {
		ss += sq(v - m.value)
	}
	m.se = math.Sqrt(ss / max(1, n-1) / n)
	return m
}

// above reports whether the mean of a contrast over runs is shown to exceed x on the given side, +1
// or −1, by Student's t at a level.
func (m *measured) above(side, x, level float64) bool {
	if m.runs < 2 {
		return false
	}
	t := distuv.StudentsT{Sigma: 1, Nu: float64(m.runs - 1)}.Quantile(1 - level)
	return side*m.value-t*m.se > x+1e-9
}

// exponent is the estimated exponent between two points.
func (l *ladder) exponent(i, j int) float64 {
	c := l.slope(i, j)
	if l.of == OfMean {
		m := l.measure(c)
		return m.value
	}
	return Quantiles(l.paired(c), 0.5)[0]
}

// limits returns one-sided confidence limits of level 1-alpha each for the exponent between the
// ends, valid whatever rule, looking at the runs, has stopped them: of the median of what each run
// has, or of the mean at both ends, each of which gets half.
func (l *ladder) limits(alpha float64) (low, high float64) {
	end := len(l.x) - 1
	if l.of == OfMedian {
		return pairedLimits(l.paired(l.slope(0, end)), alpha)
	}
	at := func(i int) (low, high float64) {
		most := math.Inf(1)
		if l.most != nil {
			most = l.most(l.x[i])
		}
		ys := l.column(i)
		for k, v := range ys {
			ys[k] = min(math.Exp(v), most)
		}
		low, high = bettingLimits(ys, 0, most, alpha/2)
		return math.Log(low), math.Log(high)
	}
	low0, high0 := at(0)
	low1, high1 := at(end)
	width := l.lx[end] - l.lx[0]
	return (low1 - high0) / width, (high1 - low0) / width
}

// wobble is the deviation of the local slopes from a straight trend, by noise or by nature.
func (l *ladder) wobble() float64 {
	var middle, slopes []float64
	for i := 1; i < len(l.x); i++ {
		middle, slopes = append(middle, l.lx[i-1]+l.lx[i]), append(slopes, l.exponent(i-1, i))
	}
	trend, intercept := OLS(middle, slopes)
	ss := 0.0
	for i := range slopes {
		ss += sq(slopes[i] - intercept - trend*middle[i])
	}
	return math.Sqrt(ss / float64(len(slopes)-2))
}

// slopeView is what a ladder shows after some runs.
type slopeView struct {
	outcome          Verdict
	slope, low, high float64 // between the ends
	against          string  // why the limits alone do not decide
	settled          bool    // nothing more can come of it
	trend            trend
}

// trend is how the slopes change along the grid: that over the last third, its difference from that
// over the first, and what it becomes one length of the grid further if this goes on.
type trend struct {
	last, bend, next measured
	wobble           float64
}

func (l *ladder) trend(head, tail int) trend {
	end := len(l.x) - 1
	first, last := l.slope(0, head), l.slope(tail, end)
	further := (l.lx[end] - l.lx[0]) / ((l.lx[end] + l.lx[tail] - l.lx[head] - l.lx[0]) / 2)
	bend := last.plus(-1, first)
	return trend{l.measure(last), l.measure(bend), l.measure(last.plus(further, bend)), l.wobble()}
}

// leads reports whether the slopes are shown to move towards a side, to have come to it, and to
// lead beyond the margin.
func (t *trend) leads(side, margin float64) bool {
	return t.next.above(side, margin+t.next.jumps, trendLevel) &&
		t.bend.above(side, max(t.bend.jumps, math.Sqrt2*t.wobble), trendLevel) &&
		t.last.above(side, t.last.jumps, trendLevel)
}

// look compares the exponent between the ends with the margin, by limits of level 1-alpha each. See
// the levels of trends for what withholds a decision.
func (l *ladder) look(twoSided bool, margin, alpha float64, head, tail int) slopeView {
	end := len(l.x) - 1
	v := slopeView{outcome: Inconclusive, slope: l.exponent(0, end)}
	v.low, v.high = l.limits(alpha)
	jumps := 2 * l.jitter / (l.lx[end] - l.lx[0])
	side := 0.0
	switch {
	case v.low > margin+jumps:
		side = 1
	case twoSided && v.high < -margin-jumps:
		side = -1
	case v.high <= margin && (!twoSided || v.low >= -margin):
	default:
		return v
	}
	v.trend = l.trend(head, tail)
	t := &v.trend
	sides := []float64{1}
	if twoSided {
		sides = []float64{1, -1}
	}
	switch {
	case side != 0 && !t.last.above(side, margin, lateLevel):
		v.against = "the last third does not say the same by itself: not asymptotic yet"
		v.settled = t.last.above(-side, -margin, trendLevel)
	case side != 0 && side*t.next.value <= margin && t.bend.above(-side, 0, lateLevel):
		v.against = "the slopes fall towards the margin: it may level off"
		v.settled = t.bend.above(-side, 0, trendLevel)
	case side != 0:
		v.outcome = Refuted
	default:
		v.outcome = Supported
		for _, side := range sides {
			switch {
			case t.last.above(side, margin+t.last.jumps, trendLevel):
				v.against = "the last third says otherwise: not asymptotic yet"
			case t.leads(side, margin):
				v.against = fmt.Sprintf(
					"the slopes move out of the margin, to %.2g one length of the grid further: not "+
						"asymptotic yet", t.next.value)
			}
		}
		if v.against != "" {
			v.outcome, v.settled = Inconclusive, true
		}
	}
	return v
}

// steadfast reports whether the growth between the ends survives the perturbation of last bits, in
// which numbers that rest on rounding change as a whole: at each end, three quarters of the runs
// move by less than an eighth of what the growth is beyond the margin, and seven eighths by no more
// than [amplified] when nothing but last bits moves. Half of the runs that rest on rounding may not
// move at all: where what is lost of two numbers lies on the same side, their difference is the
// same in every direction. All of the first [unmovedRuns] say so with a probability of 2e-5 then,
// and are enough.
func steadfast(e *execution, c *confirmation[SlopeTrial], was *ladder,
	excess float64) (bool, error) {
	end := len(was.x) - 1
	far := excess * (was.lx[end] - was.lx[0]) / 8
	var moved, lost [2][]float64
	unmoved := 0
	err := perturbedEnds(e, c, steadyRuns, func(y []float64) bool {
		still := true
		for k, i := range [2]int{0, end} {
			if run := len(lost[k]); run < len(was.runs) {
				moved[k] = append(moved[k], math.Abs(y[k]-was.runs[run][i]))
				still = still && moved[k][run] <= far
			}
			lost[k] = append(lost[k], y[2+k])
			still = still && y[2+k] <= amplified
		}
		if still {
			unmoved++
		}
		return unmoved < len(lost[0]) || unmoved < unmovedRuns
	})
	for k := range moved {
		if err != nil || !(Quantiles(moved[k], 0.75)[0] <= far) ||
			!(Quantiles(lost[k], 0.875)[0] <= amplified) {
			return false, err
		}
	}
	return true, nil
}

// steadyRuns is the number of runs, at most, that are made again with their last bits perturbed,
// and unmovedRuns how many suffice if none of them moves.
const steadyRuns, unmovedRuns = 32, 16

// amplified is the part of itself by which a run may change when its last bits do: what changes by
// more has lost all but six bits of its numbers.
const amplified = 0x1p-6

// perturbedEnds makes runs at both ends of the grid as they were, with generators stirred, and with
// their last bits perturbed and operations rounded in each direction. What it takes is at each end
// the value that lies farthest from the first, and then, at each end, by how much a run changes
// with last bits and directions alone.
func perturbedEnds(e *execution, c *confirmation[SlopeTrial], runs int,
	take func(y []float64) bool) error {
	shaken := func() *SlopeTrial { return c.shaken(1) }
	return slopeTrials(e, shaken, c.key.Perturbed(1).Stirred(), runs,
		func(t *SlopeTrial, _ *bench, trial Trial) (y []float64, _ error) {
			at := func(key keyed.Key, m direction.Mode, i int) (v float64) {
				direction.Do(m, func() {
					var err error
					if v, err = t.at(Trial{Key: key, N: trial.N}, i); err != nil {
						v = math.Inf(1) // no number at all any more
					}
				})
				return v
			}
			y = make([]float64, 4)
			for k, i := range t.ends() {
				plain := at(trial.Key.Perturbed(0), direction.Nearest, i)
				y[k] = at(trial.Key, direction.Nearest, i)
				for j := range 4 { // each direction, each with other bits
					v := at(trial.Key.Perturbed(1+j*keyed.Reaches), direction.Turn(j), i)
					off := math.Abs(v - plain)
					if y[2+k] = max(y[2+k], off); off > math.Abs(y[k]-plain) {
						y[k] = v
					}
				}
			}
			return y, nil
		}, func(y []float64) float64 { return y[1] }, take)
}

// slopeTrials makes runs, or those of a slice alone.
func slopeTrials(e *execution, again func() *SlopeTrial, key keyed.Key, most int,
	run func(*SlopeTrial, *bench, Trial) ([]float64, error), mark func([]float64) float64,
	take func([]float64) bool) error {
	if e.slice != nil {
		return makeSlice(e, again, key, most, run)
	}
	return trials(e, again, key, most, run, mark, take)
}

// sliceSlope makes what belongs to a slice beside the runs themselves: what is drawn beside the
// sweep, and, of a statement that is expected to fail, the perturbed runs.
func sliceSlope(e *execution, conf *confirmation[SlopeTrial]) error {
	inst := conf.again()
	others := len(inst.Beside)
	if inst.Control != nil {
		others++
	}
	for k := range others {
		for i := range inst.X {
			if e.slice.next++; inst.Law != nil ||
				k == len(inst.Beside) && (i == 0 || i == len(inst.X)-1) {
				if _, err := beside(e, conf, i, k); err != nil {
					return err
				}
			}
		}
	}
	if e.slice.claim.Expect == Refuted {
		return perturbedEnds(e, conf, steadyRuns, nil)
	}
	return errSliced
}

// confirmSlope makes runs until they decide, or show that they will not, or their number is spent.
func confirmSlope(e *execution, conf *confirmation[SlopeTrial]) (Evidence, error) {
	if e.cfg.Tier > Quick {
		conf = conf.replaced(large)
	}
	inst := conf.again()
	level, margin := e.level(), inst.margin()
	head, tail := inst.thirds()
	alpha := level
	if inst.TwoSided { // a slope may leave the margin on either side
		alpha = level / 2
	}
	l := &ladder{of: inst.Of, most: inst.Most, jitter: inst.Jitter, x: inst.X, lx: inst.logX()}
	// the first look is as soon as limits for a median exist
	least := max(int(math.Ceil(math.Log2(2/alpha))), slopeLeast[e.cfg.Tier])
	most := e.budget(conf.effort, 3*least, slopeRuns)
	every := 32 // runs are looked at when they have grown by such a part
	if inst.Of == OfMean {
		every = 4 // limits by bets take long
		if inst.Most == nil {
			most = 3 * least
		}
	}
	var v slopeView
	err := slopeTrials(e, conf.again, conf.key, most,
		func(t *SlopeTrial, _ *bench, trial Trial) ([]float64, error) { return t.sweep(trial) },
		func(y []float64) float64 { return y[len(y)-1] },
		func(y []float64) bool {
			l.runs = append(l.runs, y)
			made := len(l.runs)
			if made < least && made < most || made%max(1, made/every) != 0 && made < most {
				return true
			}
			v = l.look(inst.TwoSided, margin, alpha, head, tail)
			return v.outcome == Inconclusive && !v.settled
		})
	if errors.Is(err, errSliced) {
		err = sliceSlope(e, conf)
	}
	if err != nil {
		return Evidence{}, err
	}
	made := len(l.runs)
	end := len(l.x) - 1
	what := "median"
	if inst.Of == OfMean {
		what = "mean"
	}
	ev := Evidence{What: fmt.Sprintf("slope of log %s against log %s", inst.YLabel, inst.XLabel),
		Measured: v.slope, Claimed: 0, Relation: LE,
		Tightness: nan, Ratio: nan, Constant: nan, Excluded: nan, Level: level, Low: finite(v.low),
		High: finite(v.high), Trials: made}
	if inst.TwoSided {
		ev.Relation = Near
	}
	ev.outcome = v.outcome
	last := l.measure(l.slope(tail, end))
	note := fmt.Sprintf(
		"exponent of the %s between the ends of the grid, margin %.3g; over the last third %.3g, "+
			"standard error %.2g; a trend withholds support with probability %.2g at most where it "+
			"stays in the margin", what,
		margin, last.value, last.se, trendLevel)
	unbounded := inst.Of == OfMean && inst.Most == nil
	if unbounded {
		ev.Level = nan
		note = fmt.Sprintf(
			"exponent of the mean between the ends of the grid, margin %.3g; over the last third %.3g; "+
				"without a certified range no "+
				"exponent of a mean can be shown: large values may be rare", margin, last.value)
		if v.slope <= margin && (!inst.TwoSided || v.slope >= -margin) {
			ev.outcome = Consistent
		}
	}
	if ev.outcome == Refuted {
		excess := max(v.slope, -v.slope) - margin
		steady, err := steadfast(e, conf, l, excess)
		if err != nil {
			return Evidence{}, err
		}
		if steady {
			for _, own := range l.paired(l.slope(0, end)) {
				if own > margin && v.slope > 0 || own < -margin && v.slope < 0 {
					ev.Violations++
				}
			}
		} else {
			ev.outcome = Inconclusive
			note += "; the growth does not survive the perturbation of last bits: rounding"
		}
	}
	c := Curve{Title: ev.What, XLabel: inst.XLabel, YLabel: inst.YLabel, X: inst.X}
	local := ""
	for i := range l.x {
		q := Quantiles(l.column(i), 0.1, 0.5, 0.9)
		c.Low, c.Median, c.High = append(c.Low, math.Exp(q[0])), append(c.Median, math.Exp(q[1])),
			append(c.High, math.Exp(q[2]))
		c.Claimed = append(c.Claimed, 1)
		if i > 0 {
			local += fmt.Sprintf(" %.2f", l.exponent(i-1, i))
		}
	}
	ev.Curves = []Curve{c}
	said := ""
	if inst.Control != nil {
		c, err := controlled(e, conf, l, v.slope, margin)
		if err != nil {
			return Evidence{}, err
		}
		said, ev.Shared = c.words, c.shared
		if c.same && ev.outcome != Refuted {
			ev.outcome = Vacuous
		}
	}
	if inst.Law != nil {
		together, err := besides(e, conf, &c)
		if err != nil {
			return Evidence{}, err
		}
		ev.Curves = []Curve{together, c}
	}
	ev.Note = sentence(note, v.against, said, "local slopes"+local)
	ev.Power = Power{SlopeValue, Num(finite(margin + v.high - v.low)), Num(nan), made}
	return ev, nil
}

// replaced is the confirmation of what takes the place of an instance.
func (c *confirmation[T]) replaced(by func(T) T) *confirmation[T] {
	larger := *c
	larger.setup = func(src *Source) T { return by(c.setup(src)) }
	return &larger
}

// large is the sweep of the standard and the deep tier.
func large(t SlopeTrial) SlopeTrial {
	if t.Large == nil {
		return t
	}
	return t.Large()
}

// controlRuns is how many runs of a control are made at each point, and besideRuns of what is drawn
// beside a law.
const controlRuns, besideRuns = 11, 3

// sameWithin is the factor up to which a control is taken for the same.
const sameWithin = 2

// comparison is that of a sweep with its control.
type comparison struct {
	shared bool // the exponent is the same within the margin
	same   bool // and so is the size, at both ends: the sweep says nothing
	words  string
}

// controlled compares a sweep with its control: in exponent and, at the ends of the grid, in size.
// What has the same exponent shows no exponent of its own, but a ratio.
func controlled(e *execution, conf *confirmation[SlopeTrial], l *ladder, slope,
	margin float64) (c comparison,
	err error) {
	inst := conf.again()
	end := len(l.x) - 1
	apart := 1.0
	var ends, times [2]float64
	for k, i := range [2]int{0, end} {
		y, err := beside(e, conf, i, len(inst.Beside))
		if err != nil {
			return c, err
		}
		ends[k] = math.Log(y)
		own := Quantiles(l.column(i), 0.5)[0]
		times[k] = math.Exp(own - ends[k])
		apart = max(apart, times[k], 1/times[k])
	}
	its := (ends[1] - ends[0]) / (l.lx[end] - l.lx[0])
	c.shared = math.Abs(its-slope) <= margin
	c.same = c.shared && apart <= sameWithin
	c.words = fmt.Sprintf(
		"%s: exponent %.2g in the place of %.2g; it takes %s times as much at the first point and %s "+
			"at the last", inst.Control.Name, its, slope, Number(times[0], 2), Number(times[1], 2))
	if inst.InFull != nil {
		c.words += fmt.Sprintf(", %s and %s where they are paid in full",
			Number(times[0]/inst.InFull(l.x[0]), 2), Number(times[1]/inst.InFull(l.x[end]), 2))
	}
	switch {
	case c.same:
		c.words += ": the same, the sweep says nothing of the law"
	case c.shared:
		c.words += ": the exponent is shared, what is shown beyond it is this ratio"
	}
	return c, nil
}

// other returns the k-th of what is drawn beside a sweep, or after those its control.
func (t *SlopeTrial) other(k int) *Beside {
	if k == len(t.Beside) {
		return t.Control
	}
	return &t.Beside[k]
}

// beside is the median of a few runs at the i-th point of the k-th of what is drawn beside a sweep.
func beside(e *execution, conf *confirmation[SlopeTrial], i, k int) (float64, error) {
	key := conf.key.With("beside")
	at := key.With("point").At(k).At(i)
	switch y, ok := recall[[]float64](e, at, new(content)); {
	case ok:
		return y[0], nil
	case e.slice != nil && !e.slice.mine(e.slice.next):
		return nan, nil
	}
	runs := besideRuns
	if k == len(conf.again().Beside) {
		runs = controlRuns
	}
	ys := make([]float64, runs)
	err := e.each(runs, func(_ *bench, run int) error {
		t := conf.again()
		ys[run] = t.other(k).Run(Trial{Key: key.At(run), N: run}, t.X[i])
		return nil
	})
	y := Quantiles(slices.Clone(ys), 0.5)[0]
	if slices.ContainsFunc(ys, func(y float64) bool { return !(y > 0) || math.IsInf(y, 0) }) {
		y = nan
	}
	if err == nil && e.slice != nil {
		e.keep(at, []float64{y}, content{})
	}
	return y, err
}

// besides draws a sweep with its control and what else there is, all without the division by the
// law.
func besides(e *execution, conf *confirmation[SlopeTrial], c *Curve) (Curve, error) {
	inst := conf.again()
	quantity, _, _ := strings.Cut(inst.YLabel, "/")
	all := Curve{Title: quantity + " against " + inst.XLabel, XLabel: inst.XLabel, YLabel: quantity,
		X: inst.X}
	times := func(ys Series) (out Series) {
		for i, y := range ys {
			out = append(out, y*inst.Law(inst.X[i]))
		}
		return out
	}
	all.Low, all.Median, all.High = times(c.Low), times(c.Median), times(c.High)
	at := c.Median[0] // the law through the first point
	for _, x := range inst.X {
		all.Claimed = append(all.Claimed, at*inst.Law(x))
	}
	line := func(by func(Series) Series, k int) error {
		ys, known := make(Series, len(inst.X)), false
		for i := range ys {
			var err error
			if ys[i], err = beside(e, conf, i, k); err != nil {
				return err
			}
			known = known || ys[i] == ys[i]
		}
		if known {
			all.Others = append(all.Others, Line{inst.other(k).Name, by(ys)})
		}
		return nil
	}
	if inst.Control != nil {
		if err := line(times, len(inst.Beside)); err != nil {
			return all, err
		}
	}
	for k := range inst.Beside {
		if err := line(func(ys Series) Series { return ys }, k); err != nil {
			return all, err
		}
	}
	return all, nil
}

// finite returns x, or NaN for what is no number to print.
func finite(x float64) float64 {
	if math.IsInf(x, 0) {
		return nan
	}
	return x
}

func sq(x float64) float64 { return x * x }
