package props

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"sync"

	"sledge/props/keyed"
)

// Instances that are tested on fresh randomness at each tier, at most. Each is one significance
// test.
var testedInstances = [3]int{3, 5, 8}

// The same for costly kinds.
var testedCostly = [3]int{1, 2, 3}

// standInLevel is the level at which a stand-in is said to agree or to disagree, of which nothing
// follows.
const standInLevel = 0.05

// looseBelow is the share of the claimed bound that would have done, below which a supported bound
// is called loose.
const looseBelow = 0.01

// method is how one kind of randomised check looks for bad instances and how it tests one.
type method[T any] struct {
	// refuse returns why an instance is malformed, or why its statement is empty.
	refuse func(*T) (vacuous string, malformed error)
	// regime returns where the statement has content.
	regime func(*T) *Regime
	// allowed returns the claimed probability of an event; nil for kinds that are not about one.
	allowed func(*T) float64
	// pilot makes a few runs on the streams key.At(0), ..., key.At(runs-1), adds them up and brings
	// the score up to date.
	pilot func(inst *T, b *bench, key keyed.Key, runs int, s *suspicion) error
	// costly kinds look at few instances.
	costly bool
	// alike are contradictions that do not say by how much they are one
	alike bool
	// confirm tests an instance on fresh randomness.
	confirm func(e *execution, c *confirmation[T]) (Evidence, error)
	// coheres returns why the confirmation of an instance cannot have written evidence.
	coheres func(e *execution, inst *T, effort float64, ev *Evidence) error
	// number makes a run of a control; nil for kinds without
	number numbered[T]
	// tenth leaves a tenth of the horizon; nil for kinds that have none
	tenth func(*T)
}

// confirmation is an instance to be tested.
type confirmation[T any] struct {
	effort float64
	key    keyed.Key
	setup  func(*Source) T
	values []float64
	inputs float64 // the largest magnitude of the choices
}

// again builds the instance anew, for each worker.
func (c *confirmation[T]) again() *T { return c.shaken(0) }

// shaken builds the instance with the i-th perturbation of its last bits; 0 is the instance itself.
func (c *confirmation[T]) shaken(i int) *T {
	src := NewSource(replayed(c.values, middle))
	if i > 0 {
		src = perturbedSource(replayed(c.values, middle),
			c.key.With("rounding").Perturbed(i).Stirred())
	}
	inst := c.setup(src)
	return &inst
}

func (r *sampled[T]) parts() []part { return []part{r} }

func (r *sampled[T]) tests(tier Tier) int {
	if r.standIn != "" {
		return 0
	}
	return r.tested(tier)
}

// tested is how many instances are tested at most.
func (r *sampled[T]) tested(tier Tier) int {
	switch {
	case r.standIn != "":
		return 1
	case r.method.costly:
		return testedCostly[tier]
	}
	return testedInstances[tier]
}

// enough is on how many instances the statement is to stand. Where it is about an event that no run
// of the search has met anywhere, half of those that could be tested, rounded up, say what all would,
// and beside a proof one.
func (s *screening[T]) enough() int {
	k := s.r.tested(s.e.cfg.Tier)
	switch {
	case s.r.method.allowed == nil || !s.quiet():
		return k
	case s.e.proved:
		return 1
	}
	return (k + 1) / 2
}

// run searches, tests the chosen instances until one refutes, and drops what says nothing about the
// statement: instances outside its regime that do not contradict it, and such as never meet its
// premise, if there are others.
func (r *sampled[T]) run(e *execution) ([]Evidence, error) {
	s := &screening[T]{r: r, e: e}
	if err := s.search(); err != nil {
		return nil, err
	}
	if len(s.all) == 0 {
		return []Evidence{unmet(s.tried, s.vacuous)}, nil
	}
	chosen, err := s.choose(r.tested(e.cfg.Tier))
	if err != nil {
		return nil, err
	}
	var evidence, empty []Evidence
	for rank, p := range chosen {
		if len(evidence) == s.enough() {
			break
		}
		ev, within, err := r.confirm(e, rank, p.choices)
		if err != nil {
			return nil, err
		}
		ev.Instances, ev.Excluded = s.tried, s.excluded()
		if ev.EValues != nil {
			ev.EValues.Tested = len(chosen)
		}
		if ev.outcome == Refuted {
			return append(evidence, ev), nil
		}
		if ev.outcome == Vacuous || !within {
			empty = append(empty, ev)
			continue
		}
		ev.Screening = s.screened()
		// Where the measured quantity is zero all along the search says how far the bound is from
		// what there is.
		t := s.tightness()
		none := math.IsNaN(ev.Constant) && t > 0 && ev.outcome == Supported
		if ev.Loose = (ev.Loose || none) && t < looseBelow; ev.Loose {
			done := fmt.Sprintf("loose: %s of the bound would have done", Number(ev.Constant, 2))
			if t > 0 {
				done = fmt.Sprintf(
					"loose: %s of the bound would have done in every run of the search",
					Number(t, 2))
			}
			ev.Note = sentence(ev.Note, done)
		}
		evidence = append(evidence, ev)
	}
	if err := r.control(e, s, evidence); err != nil {
		return nil, err
	}
	if ev, ok := s.unresolved(chosen); ok && r.standIn == "" {
		evidence = append(evidence, ev)
	}
	switch {
	case len(evidence) > 0:
		return evidence, nil
	case empty[0].outcome == Vacuous:
		return empty[:1], nil
	}
	why := "no instance lies in the regime in which the statement has content"
	if s.never != "" {
		why += ": never " + s.never
	}
	ev := unmet(s.tried, why)
	ev.What, ev.Where, ev.Regime = "instances in the regime of the statement", empty[0].Where,
		empty[0].Regime
	ev.Content = empty[0].Content
	return []Evidence{ev}, nil
}

// each calls f for 0, ..., n-1 on idle workers and returns the first error.
func (e *execution) each(n int, f func(b *bench, i int) error) error {
	errs := make([]error, n)
	benches := make([]bench, e.cfg.workers())
	e.spread(n, func(worker, i int) { errs[i] = f(&benches[worker], i) })
	return errors.Join(e.ctx.Err(), cmp.Or(errs...))
}

// confirm tests the instance with the given choices on the confirmation stream of its rank, and
// says whether it lies within the regime.
func (r *sampled[T]) confirm(e *execution, rank int, choices []float64) (Evidence, bool, error) {
	src := NewSource(replayed(choices, middle))
	inst := r.setup(src)
	e.matter = content{}
	if r.standIn != "" {
		e.own = standInLevel
	}
	ev, err := r.method.confirm(e,
		&confirmation[T]{r.effort, e.stream("confirm").At(rank), r.setup, choices,
			magnitude(src.Drawn)})
	if err != nil {
		return ev, false, fmt.Errorf("%w at %s", err, where(src.Drawn))
	}
	if err := e.ctx.Err(); err != nil {
		return ev, false, err
	}
	ev.Where = where(src.Drawn)
	ev.Replay = e.ranked(ev.What, domainConfirm, rank, choices)
	regime := r.method.regime(&inst)
	within := regime.Met() && regime.Shown(e.matter.mean())
	ev.Regime, ev.Content = regime.Conditions, regime.content(&e.matter)
	if ev.outcome == Supported && ev.Relation != Near &&
		(ev.Constant < looseBelow || ev.Relation == GE && ev.Constant > 1/looseBelow) {
		ev.Loose = true
	}
	if said := map[Verdict]string{Refuted: "contradicts", Supported: "agrees with",
		Consistent: "agrees with"}[ev.outcome]; said != "" && r.standIn != "" {
		ev.outcome, ev.Loose, ev.EValues = Inconclusive, false, nil
		ev.Note = sentence(ev.Note,
			fmt.Sprintf(
				"the stand-in (%s) %s the statement at level %v, which settles nothing about the statement itself",
				r.standIn, said, standInLevel))
	}
	return ev, within, nil
}

// content is what the runs showed of the matter of the regime; nothing if nobody looks at it.
func (r *Regime) content(m *content) Content {
	switch {
	case r.Matter == "" || m.count == 0 && !(r.Least > 0):
		return Content{}
	case m.count == 0:
		return Content{r.Matter, Num(nan), Num(r.Least)}
	}
	return Content{r.Matter, Num(m.mean()), Num(r.Least)}
}

func (m *content) add(o content) {
	m.sum += o.sum
	m.count += o.count
}

// mean is 0 if nothing was reported.
func (m *content) mean() float64 {
	if m.count == 0 {
		return 0
	}
	return m.sum / m.count
}

func (r *sampled[T]) replay(e *execution, t *token) (*Evidence, []Pair, error) {
	if t.domain != domainConfirm {
		return nil, nil, errKind
	}
	src := NewSource(replayed(t.choices, middle))
	r.setup(src)
	if err := t.fits(src.Drawn); err != nil {
		return nil, nil, err
	}
	ev, _, err := r.confirm(e, t.rank, t.choices)
	if err != nil {
		return nil, nil, err
	}
	return &ev, []Pair{ev.pair()}, nil
}

// stretch is how many times its budget a test may run on for at each tier, if it is about to
// decide.
var stretch = [3]int{25, 6, 5}

// longest is the number of runs at which every test ends. Tests from which nothing is concluded do
// not run on.
func (e *execution) longest(budget int) int {
	if e.own > 0 {
		return budget
	}
	return stretch[e.cfg.Tier] * budget
}

// goOn reports whether a test should make another run after n. Progress is the logarithm of its
// e-value as a part of the one that decides. It goes on within its budget until it has decided, and
// beyond as long as it has come far enough to decide before the longest test ends. E-values may be
// watched, and runs added, at will.
func goOn(n, budget, longest int, progress float64) bool {
	switch {
	case progress >= 1:
		return false
	case n < budget:
		return true
	}
	return n < longest && float64(n) <= progress*float64(longest)
}

// trials makes runs 0, 1, ... on the streams key.At(0), key.At(1), ..., a batch at a time on all
// idle workers, and hands their outcomes to take in order until take returns false or there have
// been budget runs. Every worker has an instance of its own, and starts no run once take has
// returned false. Run 0 comes first on a fresh instance; at the end it is repeated after run 1 on
// another one. It must come out as before, to its mark: else runs share state, and nothing that
// they show can be trusted.
func trials[T, R any](e *execution, again func() *T, key keyed.Key, budget int,
	run func(*T, *bench, Trial) (R, error), mark func(R) float64, take func(R) bool) error {
	const least, batch = 4, 32
	var matter [batch]content
	insts := make([]*T, e.cfg.workers())
	benches := make([]bench, e.cfg.workers())
	var second *T // of run 1
	do := func(worker, i int, m *content) (R, error) {
		if out, ok := recall[R](e, key.At(i), m); ok {
			return out, nil
		}
		inst := &insts[worker]
		if i == 1 {
			inst = &second
		}
		if *inst == nil {
			*inst = again()
		}
		*m = content{}
		b := &benches[worker]
		return run(*inst, b, Trial{Key: key.At(i), N: i, matter: m, room: &b.room})
	}
	zero, err := do(0, 0, &matter[0])
	if err != nil {
		return err
	}
	e.matter.add(matter[0])
	was := mark(zero)
	var out [batch]R
	var errs [batch]error
	for made, more := 1, take(zero); more && made < budget; {
		n, taken := min(max(least, made/4), batch, budget-made), 0
		var ready [batch]bool
		var mu sync.Mutex // of more, taken, ready and what take sees
		wanted := func() bool {
			mu.Lock()
			defer mu.Unlock()
			return more
		}
		e.spread(n, func(worker, i int) {
			if !wanted() {
				return
			}
			out[i], errs[i] = guard(func() (R, error) { return do(worker, made+i, &matter[i]) })
			mu.Lock()
			defer mu.Unlock()
			ready[i] = true
			for ; more && taken < n && ready[taken]; taken++ {
				if err = errs[taken]; err != nil {
					more = false
					return
				}
				e.matter.add(matter[taken])
				more = take(out[taken])
			}
		})
		var p *panicked
		switch {
		case e.ctx.Err() != nil:
			return e.ctx.Err()
		case errors.As(err, &p):
			panic(p)
		case err != nil:
			return err
		}
		made += taken
	}
	repeated, ok := recall[R](e, key.With("repeated"), &matter[0])
	if !ok {
		if repeated, err = repetition(second, again, key, run); err != nil {
			return err
		}
	}
	if is := mark(repeated); math.Float64bits(was) != math.Float64bits(is) {
		return fmt.Errorf(
			"run 0 gives %v at first and %v when it is repeated after run 1: runs share state, or take "+
				"randomness from elsewhere than their key", was, is)
	}
	return nil
}

// path keeps about a hundred points of the e-values of a test along its runs.
type path struct {
	runs, against, favour []float64
}

const pathPoints = 100

func (p *path) observe(run, budget int, logAgainst, logFavour float64) {
	if run%max(1, budget/pathPoints) == 0 {
		p.runs = append(p.runs, float64(run))
		p.against = append(p.against, plottable(logAgainst))
		p.favour = append(p.favour, plottable(logFavour))
	}
}

// plottable returns an e-value within bounds that a logarithmic axis can show.
func plottable(logE float64) float64 { return math.Exp(min(max(logE, -30), 30)) }

// curves draws the paths against the threshold that decides.
func (p *path) curves(level float64) []Curve {
	if len(p.runs) == 0 {
		return nil
	}
	threshold := make([]float64, len(p.runs))
	for i := range threshold {
		threshold[i] = 1 / level
	}
	return []Curve{
		{Title: "evidence against the claim", XLabel: "runs", YLabel: "e-value", X: p.runs,
			Claimed: threshold, Median: p.against},
		{Title: "evidence for the claim", XLabel: "runs", YLabel: "e-value", X: p.runs,
			Claimed: threshold, Median: p.favour},
	}
}
