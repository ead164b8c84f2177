package props

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"sledge/props/direction"
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
		return x, fmt.Errorf("run %d returns %v, outside its certified range [%v, %v]", t.N, x,
			inst.Lo, inst.Hi)
	case !inst.bounded() && x < 0:
		return x, fmt.Errorf(
			"run %d returns %v, but without a certified range values must not be negative", t.N, x)
	}
	return x, nil
}

var meanMethod = &method[MeanTrial]{
	refuse: func(t *MeanTrial) (vacuous string, malformed error) {
		switch {
		case t.Relation != LE && t.Relation != GE && t.Relation != Near:
			return "", fmt.Errorf("a mean is compared by %q, %q or %q, not %q", LE, GE, Near,
				t.Relation)
		case math.IsNaN(t.Claimed) || math.IsInf(t.Claimed, 0):
			return "", fmt.Errorf("the claimed mean is %v", t.Claimed)
		case !(t.Lo <= t.Hi):
			return "", fmt.Errorf("the range [%v, %v] is empty", t.Lo, t.Hi)
		case t.Relation == GE && !t.bounded():
			return "", fmt.Errorf("a lower bound on a mean needs a certified range")
		case t.bounded() && (t.Relation == LE && t.Claimed >= t.Hi ||
			t.Relation == GE && t.Claimed <= t.Lo):
			return fmt.Sprintf(
				"the claimed bound %.4g is outside the range [%.4g, %.4g] of every sample",
				t.Claimed, t.Lo,
				t.Hi), nil
		}
		return "", nil
	},
	regime: func(t *MeanTrial) *Regime { return &t.Regime },
	pilot: func(inst *MeanTrial, b *bench, key keyed.Key, runs int, s *suspicion) error {
		for i := range runs {
			x, err := meanRun(inst, b, b.trial(key, i))
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
	coheres: func(_ *execution, inst *MeanTrial, _ float64, ev *Evidence) error {
		if ev.Claimed != inst.Claimed || ev.Relation != inst.Relation ||
			ev.What != naming("mean", inst.What) {
			return fmt.Errorf("it claims a mean of %v, the instance %v", ev.Claimed, inst.Claimed)
		}
		if ev.tried() == Supported && !inst.bounded() {
			return errors.New("without a range of its samples no mean is shown to be small")
		}
		return errors.Join(ev.tightly(), ev.decided())
	},
	number: meanNumber,
}

// betters are the tests of a statement about a mean: one refuter suffices to refute, and all
// supporters are needed to support.
type betters struct {
	refuters, supporters []*bettingMean
	refuteLevel          float64 // of each refuter
}

// bet sets up the tests.
func (t *MeanTrial) bet(level float64) *betters {
	lo, hi := t.span()
	c := t.Claimed
	b := &betters{refuteLevel: level}
	switch t.Relation {
	case LE:
		b.refuters = []*bettingMean{newBettingAbove(c, lo)}
		b.supporters = []*bettingMean{newBettingBelow(c, hi)}
	case GE:
		b.refuters = []*bettingMean{newBettingBelow(c, hi)}
		b.supporters = []*bettingMean{newBettingAbove(c, lo)}
	case Near:
		low, high := c-t.tolerance(), c+t.tolerance()
		b.refuteLevel = level / 2
		b.refuters = []*bettingMean{newBettingAbove(high, lo), newBettingBelow(low, hi)}
		b.supporters = []*bettingMean{newBettingAbove(low, lo), newBettingBelow(high, hi)}
	}
	return b
}

// against observes a value and returns how far the refuters have come, as a part of the way to a
// decision.
func (b *betters) against(t *MeanTrial, x float64) float64 {
	for _, r := range b.refuters {
		r.Observe(x)
	}
	// a mean at the bottom of the range allows no other value
	if lo, _ := t.span(); t.Relation == LE && x > t.Claimed && t.Claimed == lo {
		return 1
	}
	return most(b.refuters) / -math.Log(b.refuteLevel)
}

// eValues is what the tests have found so far. The larger of two e-values, each of which is
// compared with half of the level, is no e-value, but half of it is.
func (b *betters) eValues(level float64, bounded bool) *EValues {
	toLog10 := func(x float64) Num { return Num(x / math.Ln10) }
	ev := &EValues{toLog10(most(b.refuters) + math.Log(b.refuteLevel/level)), Num(nan), 1, 0}
	if bounded {
		ev.For = toLog10(least(b.supporters))
	}
	return ev
}

// span is the range of the values.
func (t *MeanTrial) span() (lo, hi float64) {
	if !t.bounded() {
		return 0, math.Inf(1)
	}
	return t.Lo, t.Hi
}

// most returns the largest log e-value of tests of which one suffices, least the smallest of tests
// that are all needed.
func most(list []*bettingMean) float64 {
	e := math.Inf(-1)
	for _, b := range list {
		e = max(e, b.LogE())
	}
	return e
}

func least(list []*bettingMean) float64 {
	e := math.Inf(1)
	for _, b := range list {
		e = min(e, b.LogE())
	}
	return e
}

// itself marks a run by its value.
func itself(x float64) float64 { return x }

// meanStretch is how many times its budget a test of a mean may run on for.
const meanStretch = 5

func confirmMean(e *execution, conf *confirmation[MeanTrial]) (Evidence, error) {
	inst := conf.again()
	c := inst.Claimed
	lo, hi := inst.span()
	level := e.level()
	budget := e.budget(conf.effort, 20, runsPerTier)
	longest := min(e.longest(budget), meanStretch*budget)
	b := inst.bet(level)
	outcome := Inconclusive
	var path path
	var xs []float64
	sum := 0.0
	err := trials(e, conf.again, conf.key, longest, meanRun, itself, func(x float64) bool {
		xs = append(xs, x)
		sum += x
		against, favour := b.against(inst, x), 0.0
		if inst.bounded() {
			for _, s := range b.supporters {
				s.Observe(x)
			}
			favour = least(b.supporters) / -math.Log(level)
		}
		path.observe(len(xs), budget, most(b.refuters), least(b.supporters))
		switch {
		case against >= 1:
			outcome = Refuted
		case favour >= 1:
			outcome = Supported
		}
		return goOn(len(xs), budget, longest, max(against, favour))
	})
	if err != nil {
		return Evidence{}, err
	}
	mean := sum / float64(len(xs))
	ev := Evidence{What: naming("mean", inst.What), Measured: mean, Claimed: c,
		Relation: inst.Relation, Tightness: nan, Constant: nan, Level: level, Trials: len(xs)}
	ev.Low, ev.High = bettingLimits(xs, lo, hi, level)
	p := ev.pair()
	ev.Tightness = p.ratio()
	if inst.Relation != Near && !math.IsNaN(ev.Tightness) {
		ev.Constant = ev.Tightness
	}
	rounded := false
	if outcome == Refuted {
		ev.Violations = len(xs)
		if why := roundingOfMean(e, conf, inst, xs); why != "" {
			outcome, ev.Note, ev.Violations, rounded = Inconclusive, why, 0, true
		}
	}
	switch {
	case outcome == Inconclusive && ev.Note == "" && !inst.bounded() &&
		!(inst.Relation == Near && ev.Low > c):
		outcome = Consistent
		ev.Note = "without a certified range of the samples no mean can be shown to be small"
	case inst.Relation == Near && outcome != Refuted:
		ev.Note = sentence(ev.Note, fmt.Sprintf("tolerance ±%.3g", inst.tolerance()))
	}
	ev.outcome = outcome
	ev.EValues = b.eValues(level, inst.bounded())
	if rounded {
		ev.EValues.Against = Num(nan)
	}
	ev.Curves = path.curves(level)
	if outcome != Refuted {
		ev.Power = inst.power(e, xs, mean, level, budget)
	}
	return ev, nil
}

// Of a refuted mean the samples are drawn again with their last bits perturbed, so many times; if
// fewer than fewOff are off, these so much more often that it comes to as many repetitions.
const (
	meanShakes = 4
	fewOff     = 10
)

// A refutation of a mean must exceed what perturbations change by this factor, and so must most
// samples.
const (
	overSpread  = 10
	mostSamples = 0.9
)

// lastPlaces is the square of four last places of 1: what rounding leaves of equal numbers may be
// as much in every arithmetic, and a square has lost the sign that would tell.
const lastPlaces = 0x1p-100

// steadySamples is the least number of samples that are looked at.
const steadySamples = 40

// resampled are the samples of a refuted mean, with what becomes of them in other arithmetics.
type resampled struct {
	inst       *MeanTrial
	made       int       // the first of them are those of the test
	xs         []float64 // as they were
	favourable []float64 // those of the test, each the most favourable one of its repetitions
	off        []float64 // the largest change; infinite where a repetition is
	least      []float64 // the repetition that is least favourable
	spread     float64   // mean change of those of the test
}

// roundingOfMean says why a refutation may be one of rounding: because it does not survive when
// each sample is the one most favourable to the claim of its repetitions in other arithmetics,
// because they differ by too much, or because nothing says that the difference is more than
// rounding.
func roundingOfMean(e *execution, conf *confirmation[MeanTrial], inst *MeanTrial,
	xs []float64) string {
	r := &resampled{inst: inst, made: len(xs),
		xs: append(slices.Clone(xs), make([]float64, max(0, steadySamples-len(xs)))...)}
	e.spread(len(r.xs)-r.made, func(_, i int) {
		x, err := guard(func() (float64, error) {
			return meanRun(conf.again(), nil, Trial{Key: conf.key.At(r.made + i), N: r.made + i})
		})
		if err != nil {
			x = inst.Claimed // which says nothing
		}
		r.xs[r.made+i] = x
	})
	r.favourable, r.least = slices.Clone(r.xs[:r.made]), slices.Clone(r.xs)
	r.off = make([]float64, len(r.xs))
	all := make([]int, len(r.xs))
	for i := range all {
		all[i] = i
	}
	for j := range meanShakes {
		r.spread += r.repeat(e, conf, all, j) / float64(meanShakes*r.made)
	}
	if off := r.against(); len(off) > 0 {
		for j := meanShakes; j*len(off) < meanShakes*fewOff; j++ {
			r.repeat(e, conf, off, j)
		}
	}
	return r.why(e.level())
}

// against are the samples that are off as the mean is, in one arithmetic at least.
func (r *resampled) against() []int {
	var off []int
	for i, x := range r.least {
		if r.better(r.inst.Claimed, x) {
			off = append(off, i)
		}
	}
	return off
}

// repeat makes the given samples again in the j-th other arithmetic, and returns the sum of changes
// of those of the test. One that cannot be made there says nothing, one that is no number there is
// nothing but rounding.
func (r *resampled) repeat(e *execution, conf *confirmation[MeanTrial], samples []int,
	j int) (changed float64) {
	insts := make([]*MeanTrial, e.cfg.workers())
	again, ok := make([]float64, len(samples)), make([]bool, len(samples))
	e.spread(len(samples), func(worker, k int) {
		i := samples[k]
		x, err := guard(func() (x float64, err error) {
			direction.Do(direction.Turn(j+j/meanShakes), func() {
				if insts[worker] == nil {
					insts[worker] = conf.shaken(j + 1)
				}
				x = insts[worker].Run(Trial{Key: conf.key.At(i).Perturbed(2*j + 1).Stirred(), N: i})
			})
			return x, nil
		})
		lo, hi := r.inst.span()
		again[k], ok[k] = min(max(x, lo), hi), err == nil
		if err == nil && (math.IsNaN(x) || math.IsInf(x, 0)) {
			again[k] = math.Inf(1)
		}
	})
	for k, x := range again {
		if !ok[k] {
			continue
		}
		i := samples[k]
		change := math.Abs(x - r.xs[i])
		r.off[i] = max(r.off[i], change)
		if r.better(r.least[i], x) {
			r.least[i] = x
		}
		if i < r.made {
			changed += change
			if r.better(x, r.favourable[i]) {
				r.favourable[i] = x
			}
		}
	}
	return changed
}

// better reports whether x is more favourable to the claim than y.
func (r *resampled) better(x, y float64) bool {
	switch {
	case r.inst.Relation == LE:
		return x < y
	case r.inst.Relation == GE:
		return x > y
	}
	return math.Abs(x-r.inst.Claimed) < math.Abs(y-r.inst.Claimed)
}

func (r *resampled) why(level float64) string {
	inst, b := r.inst, r.inst.bet(level)
	refuted := false
	size, sum := math.Abs(inst.Claimed), 0.0
	for i, x := range r.favourable {
		refuted = b.against(inst, x) >= 1 || refuted
		size = max(size, math.Abs(r.xs[i]))
		sum += r.xs[i]
	}
	if inst.bounded() {
		size = max(size, inst.Hi-inst.Lo)
	} else if inst.Claimed == 0 {
		size = max(size, 1) // nothing says on which scale zero is meant
	}
	excess := math.Abs(sum/float64(r.made) - inst.Claimed)
	steady, count := 0, len(r.against())
	for _, i := range r.against() {
		if overSpread*r.off[i] <= math.Abs(r.least[i]-inst.Claimed) {
			steady++
		}
	}
	switch {
	case !refuted:
		return "rounding: the mean is refuted by the samples as they are, but not when their last bits are perturbed"
	case excess <= overSpread*r.spread:
		return fmt.Sprintf(
			"not decidable in floating point: rounding in other directions and perturbing last bits moves a "+
				"sample by %.3g on average, the mean is off by %.3g", r.spread, excess)
	case float64(steady) < mostSamples*float64(count):
		return fmt.Sprintf(
			"not decidable in floating point: rounding in other directions and perturbing last bits moves "+
				"%d of %s by a tenth or more of what they are off by", count-steady,
			plural(count, "sample"))
	case !inst.bounded() && size <= lastPlaces:
		return fmt.Sprintf("not decidable in floating point: no sample exceeds %.3g, the square of some "+
			"last places of 1, and no certified range says of which size they are", size)
	case excess <= RoundingBand*size:
		return fmt.Sprintf("rounding: the mean is off by %.3g, with numbers of size %.3g",
			excess, size)
	}
	return ""
}

// power finds, by simulation, the smallest excess of the mean that the test would refute within its
// budget with probability 0.9. The samples are those recorded, drawn again with replacement and
// shifted, within their range.
func (t *MeanTrial) power(e *execution, xs []float64, mean, level float64, budget int) Power {
	const repetitions, enough = 60, 0.9
	lo, hi := t.span()
	bound, edge, sign := t.Claimed, lo, 1.0
	switch t.Relation {
	case GE:
		edge, sign = hi, -1
	case Near:
		bound, level = bound+t.tolerance(), level/2
	}
	room := sign * (bound - edge)
	if !(room > 0) {
		return Power{SampleValue, Num(bound), 1, 1}
	}
	key := e.stream("power")
	ys := make([]float64, len(xs))
	threshold := float64(len(bets)) / level
	// refutes simulates the test on samples whose mean exceeds the bound.
	refutes := func(excess float64) (power, reached float64) {
		shift := bound + sign*excess - mean
		for i, x := range xs {
			ys[i] = min(max(x+shift, lo), hi)
			reached += ys[i] / float64(len(xs))
		}
		won := 0
		for k := range repetitions {
			rng := key.At(k).PCG()
			var wealth [len(bets)]float64
			for i := range wealth {
				wealth[i] = 1
			}
			for range budget {
				gain := sign * (ys[int(rng.Uint64()>>33)%len(ys)] - bound) / room
				sum := 0.0
				for i, b := range bets {
					wealth[i] *= 1 + b*gain
					sum += wealth[i]
				}
				if sum >= threshold {
					won++
					break
				}
			}
		}
		return float64(won) / repetitions, reached
	}
	low, high := 0.0, room/1024
	power, reached := refutes(high)
	for ; power < enough && high < 1e6*room; power, reached = refutes(high) {
		if low = high; high > hi-lo {
			return Power{MeanValue, Num(nan), enough, budget}
		}
		high *= 4
	}
	if power < enough {
		return Power{MeanValue, Num(nan), enough, budget}
	}
	for range 6 {
		mid := (low + high) / 2
		if p, r := refutes(mid); p >= enough {
			high, reached = mid, r
		} else {
			low = mid
		}
	}
	return Power{MeanValue, Num(reached), enough, budget}
}
