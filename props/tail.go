package props

import (
	"fmt"
	"math"
	"slices"

	"sledge/props/direction"
	"sledge/props/keyed"
)

// Runs of a confirmation at each tier, before effort.
var runsPerTier = [3]int{400, 4000, 40000}

// curveRuns is the number of runs of which points are kept for a curve.
const curveRuns = 200

var tailMethod = &method[TailTrial]{
	refuse: func(t *TailTrial) (vacuous string, malformed error) {
		return refuseProbability(t.Delta)
	},
	regime:  func(t *TailTrial) *Regime { return &t.Regime },
	allowed: func(t *TailTrial) float64 { return t.Delta },
	pilot: func(inst *TailTrial, b *bench, key keyed.Key, runs int, s *suspicion) error {
		for i := range runs {
			o, err := tailRun(inst, b, b.trial(key, i))
			if err != nil {
				return err
			}
			s.compared += b.rec.compared()
			if o.skipped && !inst.Joint {
				s.skipped++
				continue
			}
			s.add(o.broken && !o.unsettled, min(o.ratio, 10))
			s.largest = max(s.largest, o.ratio)
		}
		s.score = s.rate()
		return nil
	},
	confirm: confirmTail,
	coheres: func(e *execution, inst *TailTrial, effort float64, ev *Evidence) error {
		if e.cfg.Tier > Quick && ev.Where == "" && inst.Large != nil {
			larger := inst.Large(e.cfg.Tier)
			inst = &larger
		}
		p := ev.pair()
		if r := p.ratio(); ev.Relation != EQ && math.Abs(r-ev.Tightness) > rough*math.Abs(r) {
			return fmt.Errorf("its tightness is %v, that of its numbers %v", ev.Tightness, r)
		}
		return ev.bernoulli(e, effort, inst.Delta)
	},
	number: tailNumber,
}

func refuseProbability(delta float64) (vacuous string, malformed error) {
	switch {
	case !(delta >= 0):
		return "", fmt.Errorf("the claimed probability is %v", delta)
	case delta >= 1:
		return fmt.Sprintf("the claimed probability %.4g allows everything", delta), nil
	}
	return "", nil
}

// tailOutcome is what one run of a tail check shows.
type tailOutcome struct {
	broken, skipped bool
	// broken, but by so little that rounding may explain it, or not when the numbers are moved a
	// little
	unsettled bool
	noise     float64 // by how much other arithmetics change the difference of the worst comparison
	void      bool    // skipped because no comparison says anything
	ratio     float64 // largest tightness in the run
	pair      Pair    // the worst one
	at        standing
	names     int
	first     string
	points    []point
	axis      [3]string
	links     []Link
}

// mark is a number that a repetition of the run must reproduce.
func (o tailOutcome) mark() float64 { return o.pair.Measured - 0.5*o.pair.Claimed }

func tailRun(inst *TailTrial, b *bench, t Trial) (tailOutcome, error) {
	b.rec.reset()
	b.rec.inputs, b.rec.watched = b.inputs, b.watched
	var reported content
	if t.matter != nil {
		reported = *t.matter
	}
	inst.Run(t, &b.rec)
	var o tailOutcome
	if err := b.rec.settle(); err != nil {
		return o, fmt.Errorf("%w in run %d", err, t.N)
	}
	if b.rec.skipped != "" || len(b.rec.live) == 0 {
		o.skipped = true
		if t.matter != nil { // what matters in a run that compares nothing is no content
			t.matter.sum = reported.sum
		}
		return o, nil
	}
	o.names, o.first = len(b.rec.live), b.rec.live[0].worst.What
	for i, s := range b.rec.live {
		if s.worst.Relation != EQ && s.at.ratio > o.ratio {
			o.ratio = s.at.ratio
		}
		if i == 0 || s.at.over(o.at) {
			o.pair, o.at = s.worst, s.at
		}
	}
	if o.at.void { // which ranks below everything else
		return tailOutcome{skipped: true, void: true, pair: o.pair}, nil
	}
	o.broken, o.unsettled = o.at.broken, o.at.broken && o.at.doubt
	if t.N < curveRuns {
		o.points, o.links, o.axis = slices.Clone(b.rec.points), slices.Clone(b.rec.links),
			b.rec.axis
	}
	return o, nil
}

// Perturbations of its last bits that a violation must survive, out of twice as many that may be
// tried: a perturbed instance may leave the range that its makers admit. A miss says only that it
// is one, and must survive more of them.
const (
	shakes       = 3
	shakesOfMiss = 6
)

// perturbable is an instance with perturbed ones beside it.
type perturbable[T any] struct {
	inst   *T
	c      *confirmation[T]
	shaken [2 * shakesOfMiss]*T
}

func (c *confirmation[T]) perturbable() *perturbable[T] {
	return &perturbable[T]{inst: c.again(), c: c}
}

// survives reports whether a violation in run t is there again in perturbed repetitions of the run:
// whether it is one, and none of rounding. The function repeats the run on an instance and says
// whether the violation is there, and whether it can be judged.
func (s *perturbable[T]) survives(t Trial, shakes int,
	again func(inst *T, t Trial) (broken, judged bool)) bool {
	survived := 0
	for j := range 2 * shakes {
		type answer struct{ broken, judged bool }
		a, err := guard(func() (a answer, _ error) {
			direction.Do(direction.Turn(j), func() {
				if s.shaken[j] == nil {
					s.shaken[j] = s.c.shaken(j + 1)
				}
				a.broken, a.judged = again(s.shaken[j],
					Trial{Key: t.Key.Perturbed(j + 1).Stirred(), N: t.N})
			})
			return a, nil
		})
		switch {
		case err != nil || !a.judged:
			continue
		case !a.broken:
			return false
		}
		if survived++; survived == shakes {
			return true
		}
	}
	return false
}

func confirmTail(e *execution, c *confirmation[TailTrial]) (Evidence, error) {
	if e.cfg.Tier > Quick && len(c.values) == 0 {
		c = c.replaced(func(t TailTrial) TailTrial {
			if t.Large == nil {
				return t
			}
			return t.Large(e.cfg.Tier)
		})
	}
	inst := c.again()
	runs := &tailRuns{inst: inst, test: newBernoulliTest(e, c.effort, inst.Delta)}
	err := trials(e, c.perturbable, c.key, e.longest(runs.test.budget),
		func(s *perturbable[TailTrial], b *bench, t Trial) (tailOutcome, error) {
			b.inputs = c.inputs
			o, err := tailRun(s.inst, b, t)
			if err == nil && o.broken && !o.unsettled && o.pair.exact == nil && e.own == 0 {
				o.unsettled = !staysBroken(s, b, t, &o)
			}
			return o, err
		}, tailOutcome.mark, runs.take)
	if err != nil {
		return Evidence{}, err
	}
	return runs.evidence()
}

// staysBroken reports whether the violation of a run is there again in other arithmetics, where it is
// to move with the last bits only by a small part of itself if it is no pattern of rounding errors.
// It remembers by how much it moves.
func staysBroken(s *perturbable[TailTrial], b *bench, t Trial, o *tailOutcome) bool {
	return s.survives(t, shakes, func(inst *TailTrial, t Trial) (broken, judged bool) {
		b.watched = &o.pair
		again, err := tailRun(inst, b, t)
		b.watched = nil
		still := again.pair.Measured == o.pair.Measured && o.pair.unsized()
		gap, moved := o.pair.signed(), false
		for _, p := range [...]*Pair{&again.pair, &b.rec.again} {
			if p.What == o.pair.What {
				off := math.Abs(p.signed() - gap)
				o.noise = max(o.noise, off)
				moved = moved || margin*off > math.Abs(gap)
			}
		}
		return again.broken && !again.unsettled && !still && !moved, err == nil && !again.skipped
	})
}

// tailRuns is what the runs of a confirmation show.
type tailRuns struct {
	inst       *TailTrial
	test       *bernoulliTest
	worst      tailOutcome
	name       string
	ratios     []float64
	violations []violation
	noise      float64 // the largest one of runs whose violation does not survive
	ensemble   ensemble
	skipped    int
	voids      int
	void       *Pair // of the first run whose comparisons all say nothing
}

// take takes a run into account and reports whether another one is wanted.
func (r *tailRuns) take(o tailOutcome) bool {
	if o.skipped {
		return r.skip(&o)
	}
	if r.name == "" {
		r.name = o.first
		if o.names > 1 {
			r.name = fmt.Sprintf("%s, and %d more together", o.first, o.names-1)
		}
	}
	if r.worst.names == 0 || o.at.over(r.worst.at) {
		r.worst = o
	}
	r.ensemble.add(o.points, o.axis)
	r.ratios = append(r.ratios, o.ratio)
	r.violations = append(r.violations, violation{o.pair.gap(), o.broken, o.unsettled})
	if o.unsettled && !o.at.doubt {
		r.noise = max(r.noise, o.noise)
	}
	return r.test.observe(o.broken, o.unsettled)
}

// skip takes a run into account that says nothing. Such runs cost as much as others: without a
// single one that counts the test ends after its budget.
func (r *tailRuns) skip(o *tailOutcome) bool {
	r.skipped++
	if o.void {
		if r.voids++; r.void == nil {
			r.void = &o.pair
		}
	}
	if r.inst.Joint {
		r.ratios, r.violations = append(r.ratios, 0), append(r.violations, violation{})
		return r.test.observe(false, false)
	}
	return r.test.n > 0 || r.skipped < r.test.budget
}

func (r *tailRuns) evidence() (Evidence, error) {
	switch {
	case r.worst.names > 0:
	case r.voids > 0 && r.voids == r.skipped && (r.void.Measured != 0 || r.void.Claimed != 0):
		return Evidence{}, fmt.Errorf("%q compares numbers that overflow or underflow in every run",
			r.void.What)
	case r.voids > 0:
		return unmet(r.skipped, "no run compares anything but 0 with 0"), nil
	default:
		return unmet(r.skipped, "no run met the premise"), nil
	}
	test, worst := r.test, &r.worst
	if test.refuted() && r.noise > 0 {
		test = test.without(r.violations, r.noise)
	}
	ev := test.evidence()
	ev.What, ev.Measured, ev.Claimed, ev.Relation = r.name, worst.pair.Measured, worst.pair.Claimed,
		worst.pair.Relation
	ev.Tightness, ev.Chain, ev.Curves = worst.at.ratio, worst.links,
		append(r.ensemble.curves(), ev.Curves...)
	slices.Sort(r.ratios)
	if n := len(r.ratios); r.ratios[n-1] > 0 {
		allowed := min(int(math.Floor(r.inst.Delta*float64(n))), n-1)
		ev.Constant = multiple(worst.pair.Relation, r.ratios[n-1-allowed])
	}
	switch {
	case r.skipped > 0 && r.inst.Joint:
		ev.Note = sentence(ev.Note, fmt.Sprintf("premise met in %d of %d runs, of which all count",
			test.n-r.skipped, test.n))
	case r.skipped > 0:
		ev.Note = sentence(ev.Note,
			fmt.Sprintf("premise met in %d of %d runs, which alone count", test.n,
				test.n+r.skipped))
	}
	return ev, nil
}

// bernoulliTest decides between "the probability is at most delta" and its contrary.
type bernoulliTest struct {
	delta, level    float64
	budget, longest int
	// runs, violations among them, and runs of which it is open whether they are any
	n, k, unsettled int
	refute, support *bernoulliEProcess
	path            path
}

func newBernoulliTest(e *execution, effort, delta float64) *bernoulliTest {
	t := &bernoulliTest{delta: delta, level: e.level()}
	least := 20
	if e.own > 0 {
		least = 6
	}
	t.budget = e.budget(effort, least, runsPerTier)
	t.longest = e.longest(t.budget)
	if delta > 0 {
		t.refute, t.support = newBernoulliRefuter(delta), newBernoulliSupporter(delta)
	}
	return t
}

// observe takes a run into account and reports whether another one is wanted. A violation that
// rounding may have made counts for neither side: the refuter sees none, the supporter sees one.
func (t *bernoulliTest) observe(violated, unsettled bool) bool {
	t.n++
	if unsettled {
		t.unsettled++
	} else if violated {
		t.k++
	}
	if t.delta == 0 {
		return t.k == 0 && t.n < t.budget
	}
	t.refute.Observe(violated && !unsettled)
	t.support.Observe(violated)
	t.path.observe(t.n, t.budget, t.refute.LogE(), t.support.LogE())
	return t.goOn()
}

// violation is what a test keeps of a run: by how much its worst comparison fails, if it does.
type violation struct {
	gap               float64
	broken, unsettled bool
}

func (t *bernoulliTest) refuted() bool {
	if t.delta == 0 {
		return t.k > 0
	}
	return t.refute.Rejects(t.level)
}

// without is the test of the same runs where violations count for neither side that are no larger
// than what rounding makes of others.
func (t *bernoulliTest) without(runs []violation, noise float64) *bernoulliTest {
	u := &bernoulliTest{delta: t.delta, level: t.level, budget: t.budget, longest: t.longest}
	if u.delta > 0 {
		u.refute, u.support = newBernoulliRefuter(u.delta), newBernoulliSupporter(u.delta)
	}
	for _, v := range runs {
		u.observe(v.broken, v.unsettled || v.broken && v.gap <= noise)
	}
	return u
}

// goOn reports whether another run is wanted: until the test has decided, within its budget, and
// beyond it as long as the frequency of violations, a standard deviation away from the allowed one,
// would decide before the longest test ends.
func (t *bernoulliTest) goOn() bool {
	switch {
	case max(t.refute.LogE(), t.support.LogE()) >= -math.Log(t.level):
		return false
	case t.n < t.budget:
		return true
	case t.n >= t.longest:
		return false
	}
	n, most := float64(t.n), float64(t.longest)
	share := (float64(t.k) + 0.5) / (n + 1)
	away := math.Sqrt(share * (1 - share) / n)
	low, high := max(0, float64(t.k+t.unsettled)/n-away), min(1, share+away)
	return high > t.delta && logAgainst(high*most, most, t.delta) >= -math.Log(t.level) ||
		low < t.delta && logFor(low*most, most, t.delta) >= -math.Log(t.level)
}

// evidence reports the decision. Its limits invert the e-processes on which the decision rests, so
// that they hold at the time when it stopped.
func (t *bernoulliTest) evidence() Evidence {
	ev := Evidence{Sense: Runs, Measured: nan, Claimed: nan, Tightness: nan, Constant: nan,
		Allowed: t.delta, Level: t.level, Trials: t.n,
		Violations: t.k}
	ev.Low, _ = bernoulliLimits(t.k, t.n, t.level)
	_, ev.High = bernoulliLimits(t.k+t.unsettled, t.n, t.level)
	if t.unsettled > 0 {
		ev.Note = sentence(ev.Note,
			fmt.Sprintf("%s more may be rounding: no violation, or another one, when operations "+
				"are rounded in other directions and the last bits perturbed",
				plural(t.unsettled, "violation")))
	}
	if t.delta == 0 {
		ev.outcome = Consistent
		switch {
		case t.k > 0:
			ev.outcome = Refuted
		case t.unsettled > 0:
			ev.outcome = Inconclusive
		}
		ev.Power = t.power()
		return ev
	}
	ev.Curves = t.path.curves(t.level)
	switch {
	case t.refute.Rejects(t.level):
		ev.outcome = Refuted
	case t.support.Rejects(t.level):
		ev.outcome = Supported
	default:
		ev.outcome = Inconclusive
	}
	ev.EValues = &EValues{Num(t.refute.LogE() / math.Ln10), Num(t.support.LogE() / math.Ln10), 1,
		t.unsettled}
	if ev.outcome != Refuted {
		ev.Power = t.power()
	}
	return ev
}

// power is the violation rate that the test would have noticed: in the runs that were made if a
// single violation refutes, else within its budget.
func (t *bernoulliTest) power() Power {
	if t.delta == 0 {
		return Power{ViolationRate, Num(-math.Expm1(math.Log(0.1) / float64(t.n))), 0.9, t.n}
	}
	return Power{ViolationRate, Num(detectableRate(t.budget, t.delta, t.level, 0.9)), 0.9, t.budget}
}

// ensemble gathers curves of several runs for quantiles at equal abscissae.
type ensemble struct {
	axis    [3]string
	order   []float64
	at      map[float64][]float64
	claimed map[float64]float64
	runs    int
}

func (s *ensemble) add(points []point, axis [3]string) {
	if len(points) == 0 || s.runs >= curveRuns {
		return
	}
	if s.at == nil {
		s.at, s.claimed, s.axis = map[float64][]float64{}, map[float64]float64{}, axis
	}
	s.runs++
	for _, p := range points {
		if _, ok := s.at[p.x]; !ok {
			s.order = append(s.order, p.x)
			s.claimed[p.x] = p.claimed
		}
		s.at[p.x] = append(s.at[p.x], p.measured)
	}
}

func (s *ensemble) curves() []Curve {
	if s.runs == 0 {
		return nil
	}
	slices.Sort(s.order)
	c := Curve{Title: s.axis[0], XLabel: s.axis[1], YLabel: s.axis[2]}
	for _, x := range s.order {
		q := Quantiles(s.at[x], 0.1, 0.5, 0.9)
		c.X = append(c.X, x)
		c.Claimed = append(c.Claimed, s.claimed[x])
		c.Low, c.Median, c.High = append(c.Low, q[0]), append(c.Median, q[1]), append(c.High, q[2])
	}
	return []Curve{c}
}
