package props

import (
	"fmt"
	"math"
	"slices"

	"sledge/props/keyed"
)

// Runs of a confirmation at each tier, before effort.
var runsPerTier = [3]int{400, 4000, 40000}

// curveRuns is the number of runs of which points are kept for a curve.
const curveRuns = 200

var tailMethod = &method[TailTrial]{
	refuse: func(t *TailTrial) (vacuous string, malformed error) { return refuseProbability(t.Delta) },
	pilot: func(inst *TailTrial, b *bench, key keyed.Key, runs int, s *suspicion) error {
		s.allowed = inst.Delta
		for i := range runs {
			o, err := tailRun(inst, b, Trial{Key: key.At(i), N: i})
			if err != nil {
				return err
			}
			s.add(o.broken, min(o.ratio, 10))
		}
		s.score = s.excess()
		return nil
	},
	confirm: confirmTail,
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
	ratio           float64 // largest tightness in the run
	pair            Pair    // the worst one
	at              standing
	names           int
	first           string
	points          []point
	axis            [3]string
	links           []Link
}

// mark is a number that a repetition of the run must reproduce.
func (o tailOutcome) mark() float64 { return o.pair.Measured - 0.5*o.pair.Claimed }

func tailRun(inst *TailTrial, b *bench, t Trial) (tailOutcome, error) {
	b.rec.reset()
	inst.Run(t, &b.rec)
	var o tailOutcome
	if err := b.rec.settle(); err != nil {
		return o, fmt.Errorf("%w in run %d", err, t.N)
	}
	if b.rec.skipped != "" || len(b.rec.live) == 0 {
		o.skipped = true
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
	o.broken = o.at.broken && !o.at.doubt
	if t.N < curveRuns {
		o.points, o.links, o.axis = slices.Clone(b.rec.points), slices.Clone(b.rec.links), b.rec.axis
	}
	return o, nil
}

func confirmTail(e *execution, effort float64, again func() *TailTrial, key keyed.Key) (Evidence, error) {
	delta := again().Delta
	test := newBernoulliTest(e, effort, delta)
	var worst tailOutcome
	var name string
	var ratios []float64
	var sheaf sheaf
	skipped := 0
	err := trials(e, again, key, stretch*test.budget, tailRun, tailOutcome.mark, func(o tailOutcome) bool {
		if o.skipped {
			skipped++
		} else {
			if name == "" {
				name = o.first
				if o.names > 1 {
					name = fmt.Sprintf("%s, and %d more together", o.first, o.names-1)
				}
			}
			if worst.names == 0 || o.at.over(worst.at) {
				worst = o
			}
			sheaf.add(o.points, o.axis)
		}
		ratios = append(ratios, o.ratio)
		return test.observe(o.broken)
	})
	if err != nil {
		return Evidence{}, err
	}
	ev := test.evidence()
	ev.What, ev.Measured, ev.Claimed, ev.Relation = name, worst.pair.Measured, worst.pair.Claimed, worst.pair.Relation
	ev.Tightness, ev.Chain, ev.Curves = worst.at.ratio, worst.links, append(sheaf.curves(), ev.Curves...)
	if skipped == test.n {
		return unmet(test.n, "no run met the premise"), nil
	}
	slices.Sort(ratios)
	if largest := ratios[len(ratios)-1]; largest > 0 {
		allowed := min(int(math.Floor(delta*float64(len(ratios)))), len(ratios)-1)
		ev.Constant = multiple(worst.pair.Relation, ratios[len(ratios)-1-allowed])
		ev.Note = sentence(ev.Note, "tightness of the worst run "+Number(largest, 4))
	}
	if skipped > 0 {
		ev.Note = sentence(ev.Note, fmt.Sprintf("premise met in %d of %d runs", test.n-skipped, test.n))
	}
	return ev, nil
}

// bernoulliTest decides between "the probability is at most delta" and its contrary.
type bernoulliTest struct {
	delta, level    float64
	budget, n, k    int
	refute, support *BernoulliEProcess
	path            path
}

func newBernoulliTest(e *execution, effort, delta float64) *bernoulliTest {
	t := &bernoulliTest{delta: delta, level: e.level()}
	t.budget = e.budget(effort, 20, runsPerTier)
	if delta > 0 {
		t.refute, t.support = NewBernoulliRefuter(delta), NewBernoulliSupporter(delta)
	}
	return t
}

// observe takes a run into account and reports whether another one is wanted.
func (t *bernoulliTest) observe(violated bool) bool {
	t.n++
	if violated {
		t.k++
	}
	if t.delta == 0 {
		return !violated
	}
	t.refute.Observe(violated)
	t.support.Observe(violated)
	t.path.observe(t.n, t.budget, t.refute.LogE(), t.support.LogE())
	return goOn(t.n, t.budget, max(t.refute.LogE(), t.support.LogE())/-math.Log(t.level))
}

// evidence reports the decision. Its limits are those of Clopper and Pearson for the runs made; the decision rests on the e-processes,
// which may be looked at after every run.
func (t *bernoulliTest) evidence() Evidence {
	ev := Evidence{Sense: Runs, Measured: nan, Claimed: nan, Tightness: nan, Constant: nan, Level: t.level, Trials: t.n, Violations: t.k}
	ev.Low, ev.High = ClopperPearson(t.k, t.n, t.level)
	ev.Note = fmt.Sprintf("%d of %s violate it, the claim allows a probability of %.4g", t.k, plural(t.n, "run"), t.delta)
	if t.delta == 0 {
		ev.outcome = Consistent
		if t.k > 0 {
			ev.outcome = Refuted
		}
		ev.Power = fmt.Sprintf("would have noticed a violation probability above %.3g with probability 0.9", -math.Expm1(math.Log(0.1)/float64(t.n)))
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
	ev.Note = sentence(ev.Note, fmt.Sprintf("log10 e-value against the claim %.3g, for it %.3g", t.refute.LogE()/math.Ln10, t.support.LogE()/math.Ln10))
	ev.Power = fmt.Sprintf("a violation probability of %.3g would be refuted with probability 0.9 within %s (exact binomial at level %.2g)",
		DetectableRate(t.budget, t.delta, t.level, 0.9), plural(t.budget, "run"), t.level)
	return ev
}

// sheaf gathers curves of several runs for quantiles at equal abscissae.
type sheaf struct {
	axis    [3]string
	order   []float64
	at      map[float64][]float64
	claimed map[float64]float64
	runs    int
}

func (s *sheaf) add(points []point, axis [3]string) {
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

func (s *sheaf) curves() []Curve {
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
