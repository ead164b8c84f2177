package props

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"sledge/props/keyed"
)

// Most runs of a slope check at each tier, before effort. There are always as many as the limits of a median need.
var slopeRuns = [3]int{24, 96, 384}

// sweeps is how many runs go along the whole grid. The others visit the points on which the verdict rests.
const sweeps = 8

const leastDecades = 1.5

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
		return nan, fmt.Errorf("seed %d gives %v at %v, more than the certified %v", trial.N, v, t.X[i], t.Most(t.X[i]))
	}
	return math.Log(v), nil
}

// sweep returns the logarithms of the quantity along the grid for one seed. Later seeds leave out, as NaN, what no
// limit rests on.
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
	confirm: func(e *execution, c *confirmation[SlopeTrial]) (Evidence, error) { return confirmSlope(e, c) },
}

// ladder holds the logarithms of the measured quantity at each point of the grid.
type ladder struct {
	of      Location
	most    func(x float64) float64
	x, lx   []float64
	columns [][]float64
}

func (l *ladder) add(y []float64) {
	for i, v := range y {
		if v == v {
			l.columns[i] = append(l.columns[i], v)
		}
	}
}

// location estimates the logarithm of the median or of the mean at a point, with a standard error.
func (l *ladder) location(i int) (at, se float64) {
	col := l.columns[i]
	n := float64(len(col))
	if l.of == OfMedian {
		mean, half := 0.0, 0.0
		for _, v := range col {
			mean += v / n
		}
		for _, v := range col {
			half += sq(v-mean) / max(1, n-1)
		}
		return Quantiles(slices.Clone(col), 0.5)[0], math.Sqrt(math.Pi / 2 * half / n)
	}
	mean, ss := 0.0, 0.0
	for _, v := range col {
		mean += math.Exp(v) / n
	}
	for _, v := range col {
		ss += sq(math.Exp(v)-mean) / max(1, n-1)
	}
	return math.Log(mean), math.Sqrt(ss/n) / mean
}

// limits returns one-sided confidence limits of level 1-alpha each for the logarithm of the median or mean at a point.
func (l *ladder) limits(i int, alpha float64) (low, high float64) {
	col := l.columns[i]
	if l.of == OfMedian {
		return medianLimits(slices.Clone(col), alpha)
	}
	most := math.Inf(1)
	if l.most != nil {
		most = l.most(l.x[i])
	}
	ys := make([]float64, len(col))
	for k, v := range col {
		ys[k] = min(math.Exp(v), most)
	}
	low, high = bettingLimits(ys, 0, most, alpha)
	return math.Log(low), math.Log(high)
}

// slope returns the estimated exponent between two points of the grid, with a standard error.
func (l *ladder) slope(i, j int) (slope, se float64) {
	a, sa := l.location(i)
	b, sb := l.location(j)
	return (b - a) / (l.lx[j] - l.lx[i]), math.Hypot(sa, sb) / (l.lx[j] - l.lx[i])
}

// between returns limits of level 1-alpha each for the exponent between two points. Points of a run depend on each
// other: each of the two gets half.
func (l *ladder) between(i, j int, alpha float64) (low, high float64) {
	lowI, highI := l.limits(i, alpha/2)
	lowJ, highJ := l.limits(j, alpha/2)
	width := l.lx[j] - l.lx[i]
	return (lowJ - highI) / width, (highJ - lowI) / width
}

// wobble is the deviation of the local slopes from a straight trend, by noise or by nature.
func (l *ladder) wobble() float64 {
	var middle, slopes []float64
	for i := 1; i < len(l.x); i++ {
		s, _ := l.slope(i-1, i)
		middle, slopes = append(middle, l.lx[i-1]+l.lx[i]), append(slopes, s)
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
	outcome                 Verdict
	slope, low, high        float64 // between the ends
	last, lastLow, lastHigh float64 // over the last third, with limits of level 0.95 each
	against                 string  // why the limits alone do not decide
	blurred                 bool    // that is a trend of the slopes alone, which is no better known than the margin
}

// trend is how the slopes change along the grid.
type trend struct {
	last, bend  float64 // the slope over the last third, and its difference from that over the first
	late, noise float64 // standard errors of the two
	wobble      float64
	next, error float64 // what the slope becomes one length of the grid further, if this goes on, with a standard error
}

func (l *ladder) trend(head, tail int) trend {
	end := len(l.x) - 1
	first, firstSE := l.slope(0, head)
	last, lastSE := l.slope(tail, end)
	further := (l.lx[end] - l.lx[0]) / ((l.lx[end] + l.lx[tail] - l.lx[head] - l.lx[0]) / 2)
	t := trend{last: last, late: lastSE, bend: last - first, noise: math.Hypot(firstSE, lastSE) + 1e-9, wobble: l.wobble()}
	t.next, t.error = last+further*t.bend, math.Hypot((1+further)*lastSE, further*firstSE)
	return t
}

// leads reports whether the slopes move towards a side, have come to it beyond their noise, and lead beyond the margin.
func (t *trend) leads(side, margin float64) bool {
	return side*t.next > margin && side*t.bend > math.Hypot(t.noise, math.Sqrt2*t.wobble) && side*t.last > 2*t.late
}

// leaves reports whether the slopes lead beyond the margin on a side that counts.
func (t *trend) leaves(twoSided bool, margin float64) bool {
	return t.leads(1, margin) || twoSided && t.leads(-1, margin)
}

// look compares the exponent between the ends with the margin, by limits of level 1-alpha each. A refutation must
// hold for the last third of the grid by limits of its own, and not where the slopes fall so clearly that the
// quantity may level off. Support is withheld where the last third contradicts it, or where the trend of the slopes
// leads out of the margin.
func (l *ladder) look(twoSided bool, margin, alpha float64, head, tail int) slopeView {
	end := len(l.x) - 1
	var v slopeView
	v.slope, _ = l.slope(0, end)
	v.low, v.high = l.between(0, end, alpha)
	v.lastLow, v.lastHigh = l.between(tail, end, 0.05)
	t := l.trend(head, tail)
	v.last = t.last
	beyond := func(low, high float64) float64 { // +1 or -1 on the side on which an interval lies outside the margin
		switch {
		case low > margin:
			return 1
		case twoSided && high < -margin:
			return -1
		}
		return 0
	}
	v.outcome = Inconclusive
	side := beyond(v.low, v.high)
	switch {
	case side != 0:
		switch {
		case beyond(v.lastLow, v.lastHigh) != side:
			v.against = "the last third does not say the same by itself: not asymptotic yet"
		case side*t.next <= margin && -side*t.bend > 2*t.noise:
			v.against = "the slopes fall towards the margin: it may level off"
		default:
			v.outcome = Refuted
		}
	case v.high <= margin && (!twoSided || v.low >= -margin):
		switch {
		case beyond(v.lastLow, v.lastHigh) != 0:
			v.against = "the last third says otherwise: not asymptotic yet"
		case t.leaves(twoSided, margin):
			v.against, v.blurred = t.away(), t.error > margin/2
		default:
			v.outcome = Supported
		}
	}
	return v
}

func (t *trend) away() string {
	return fmt.Sprintf("the slopes move out of the margin, to %.2g one length of the grid further: not asymptotic yet",
		t.next)
}

// looksAt returns the numbers of runs after which a slope is looked at, and the level of each limit then. The last
// number is about most, or twice what the limits of a median need at least: there are two looks always, so that limits
// which nearly decide get another chance.
func looksAt(level float64, most int) (runs []int, alpha float64) {
	for looks := 2; ; looks++ {
		alpha = level / float64(looks)
		// the extreme values of so many runs are limits for a median at level alpha/2
		first := int(math.Ceil(math.Log2(2 / alpha)))
		runs = runs[:0]
		for k := range looks {
			runs = append(runs, first<<k)
		}
		if last := runs[looks-1]; last >= most || 3*last > 2*most {
			return runs, alpha
		}
	}
}

// steadfast reports whether the growth between the ends survives the perturbation of last bits, in which numbers that
// rest on rounding change as a whole: at each end, three quarters of the runs move by less than an eighth of what the
// growth is beyond the margin.
func steadfast(e *execution, c *confirmation[SlopeTrial], was *ladder, excess float64) (bool, error) {
	end := len(was.x) - 1
	var moved [2][]float64
	err := perturbedEnds(e, c, min(len(was.columns[0]), steadyRuns), func(y [2]float64) bool {
		for k, i := range [2]int{0, end} {
			moved[k] = append(moved[k], math.Abs(y[k]-was.columns[i][len(moved[k])]))
		}
		return true
	})
	width := was.lx[end] - was.lx[0]
	for _, m := range moved {
		if err != nil || !(Quantiles(m, 0.75)[0] <= excess*width/8) {
			return false, err
		}
	}
	return true, nil
}

// steadyRuns is the number of runs, at most, that are made again with their last bits perturbed.
const steadyRuns = 24

// perturbedEnds makes runs at both ends of the grid with their last bits perturbed.
func perturbedEnds(e *execution, c *confirmation[SlopeTrial], runs int, take func(y [2]float64) bool) error {
	return trials(e, func() *SlopeTrial { return c.shaken(1) }, c.key.Perturbed(1).Stirred(), runs,
		func(t *SlopeTrial, _ *bench, trial Trial) (y [2]float64, _ error) {
			for k, i := range [2]int{0, len(t.X) - 1} {
				var err error
				if y[k], err = t.at(trial, i); err != nil {
					y[k] = math.Inf(1) // no number at all any more
				}
			}
			return y, nil
		}, func(y [2]float64) float64 { return y[1] }, take)
}

// sliceSlope makes what belongs to a slice beside the runs themselves: what is drawn beside the sweep, and, of a
// statement that is expected to fail, the perturbed runs.
func sliceSlope(e *execution, conf *confirmation[SlopeTrial]) error {
	inst := conf.again()
	others := len(inst.Beside)
	if inst.Control != nil {
		others++
	}
	for k := range others {
		for i := range inst.X {
			if e.slice.next++; inst.Law != nil || k == len(inst.Beside) && (i == 0 || i == len(inst.X)-1) {
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

// confirmSlope makes runs until a look at them decides, or their number is spent. If then nothing but a trend
// withholds support, which is no better known than the margin, it goes on until that is known twice as well, and
// looks at it once more.
func confirmSlope(e *execution, conf *confirmation[SlopeTrial]) (Evidence, error) {
	if e.cfg.Tier > Quick {
		conf = conf.replaced(large)
	}
	inst := conf.again()
	level, margin := e.level(), inst.margin()
	head, tail := inst.thirds()
	refuteLevel := level
	if inst.TwoSided { // a slope may leave the margin on either side
		refuteLevel = level / 2
	}
	looks, alpha := looksAt(refuteLevel, e.budget(conf.effort*cmp.Or(inst.Share, 1), 1, slopeRuns))
	l := &ladder{of: inst.Of, most: inst.Most, x: inst.X, lx: inst.logX(), columns: make([][]float64, len(inst.X))}
	var v slopeView
	made, planned := 0, looks[len(looks)-1]
	longest := e.longest(planned)
	err := trials(e, conf.again, conf.key, longest,
		func(t *SlopeTrial, _ *bench, trial Trial) ([]float64, error) { return t.sweep(trial) },
		func(y []float64) float64 { return y[len(y)-1] },
		func(y []float64) bool {
			l.add(y)
			made++
			switch {
			case made > planned && made%planned == 0:
				t := l.trend(head, tail)
				if t.error > margin/2 && made+planned <= longest {
					return true
				}
				if v.against = t.away(); !t.leaves(inst.TwoSided, margin) {
					v.outcome, v.against = Supported, ""
				}
				return false
			case slices.Contains(looks, made):
				v = l.look(inst.TwoSided, margin, alpha, head, tail)
				return v.outcome == Inconclusive && (made < planned || v.blurred)
			}
			return true
		})
	if errors.Is(err, errSliced) {
		err = sliceSlope(e, conf)
	}
	if err != nil {
		return Evidence{}, err
	}
	end := len(l.x) - 1
	what := "median"
	if inst.Of == OfMean {
		what = "mean"
	}
	ev := Evidence{What: fmt.Sprintf("slope of log %s against log %s", inst.YLabel, inst.XLabel), Measured: v.slope,
		Claimed: 0, Relation: LE,
		Tightness: nan, Ratio: nan, Constant: nan, Excluded: nan, Level: level, Low: finite(v.low),
		High: finite(v.high), Trials: made}
	if inst.TwoSided {
		ev.Relation = Near
	}
	ev.outcome = v.outcome
	note := fmt.Sprintf("exponent of the %s between the ends of the grid, margin %.3g; over the last third %.3g, "+
		"limits %.3g and %.3g", what, margin, v.last,
		v.lastLow, v.lastHigh)
	unbounded := inst.Of == OfMean && inst.Most == nil
	if unbounded {
		ev.Level = nan
		note = fmt.Sprintf("exponent of the mean between the ends of the grid, margin %.3g; over the last third %.3g; "+
			"without a certified range no "+
			"exponent of a mean can be shown: large values may be rare", margin, v.last)
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
			for k := range l.columns[0] {
				own := (l.columns[end][k] - l.columns[0][k]) / (l.lx[end] - l.lx[0])
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
	for i := range l.columns {
		q := Quantiles(slices.Clone(l.columns[i]), 0.1, 0.5, 0.9)
		c.Low, c.Median, c.High = append(c.Low, math.Exp(q[0])), append(c.Median, math.Exp(q[1])), append(c.High,
			math.Exp(q[2]))
		c.Claimed = append(c.Claimed, 1)
		if i > 0 {
			s, _ := l.slope(i-1, i)
			local += fmt.Sprintf(" %.2f", s)
		}
	}
	ev.Curves = []Curve{c}
	said := ""
	if inst.Control != nil {
		same, words, err := controlled(e, conf, l, v.slope, margin)
		if err != nil {
			return Evidence{}, err
		}
		if said = words; same && ev.outcome != Refuted {
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

// controlRuns is how many runs of a control are made at each point, and besideRuns of what is drawn beside a law.
const controlRuns, besideRuns = 5, 3

// sameWithin is the factor up to which a control is taken for the same.
const sameWithin = 2

// controlled compares a sweep with its control: in exponent and, at the ends of the grid, in size.
func controlled(e *execution, conf *confirmation[SlopeTrial], l *ladder, slope, margin float64) (
	same bool, words string, err error) {
	end := len(l.x) - 1
	apart := 1.0
	var ends [2]float64
	for k, i := range [2]int{0, end} {
		y, err := beside(e, conf, i, len(conf.again().Beside))
		if err != nil {
			return false, "", err
		}
		ends[k] = math.Log(y)
		own, _ := l.location(i)
		apart = max(apart, math.Exp(math.Abs(own-ends[k])))
	}
	its := (ends[1] - ends[0]) / (l.lx[end] - l.lx[0])
	words = fmt.Sprintf("%s: exponent %.2g in the place of %.2g, %s times apart", conf.again().Control.Name, its, slope,
		Number(apart, 2))
	same = math.Abs(its-slope) <= margin && apart <= sameWithin
	if same {
		words += ", which is the same: the sweep says nothing of the law"
	}
	return same, words, nil
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
	switch y, ok := recall[float64](e, at, new(content)); {
	case ok:
		return y, nil
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
		e.keep(at, y, content{})
	}
	return y, err
}

// besides draws a sweep with its control and what else there is, all without the division by the law.
func besides(e *execution, conf *confirmation[SlopeTrial], c *Curve) (Curve, error) {
	inst := conf.again()
	quantity, _, _ := strings.Cut(inst.YLabel, "/")
	all := Curve{Title: quantity + " against " + inst.XLabel, XLabel: inst.XLabel, YLabel: quantity, X: inst.X}
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
