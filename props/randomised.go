package props

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"sledge/props/keyed"
)

// Instances that are tested on fresh randomness at each tier, worst first. Each is one significance test.
var testedInstances = [3]int{1, 2, 3}

// A pilot search looks at this many instances first at each tier, with this many runs of each.
var (
	pilotInstances = [3]int{24, 64, 160}
	pilotRuns      = [3]int{4, 10, 30}
)

// generations is how often a pilot search goes on to variations of its most suspicious instances.
const generations = 3

// suspicion is what pilot runs of an instance add up to.
type suspicion struct {
	runs, events float64 // runs, and how many of them contradict the claim
	sum, squares float64 // of a number for each run that grows with the suspicion, if there is one
	allowed      float64 // claimed probability of an event
	score        float64 // larger is more suspicious
}

func (s *suspicion) add(event bool, x float64) {
	s.runs++
	if event {
		s.events++
	}
	s.sum += x
	s.squares += x * x
}

func (s *suspicion) mean() float64 { return s.sum / s.runs }

// excess estimates how many times the allowed probability an event has, when events are the runs with a number above 1. A handful of
// runs says little by its events alone, so half of the estimate comes from the mean and deviation of the numbers, as if they were normal.
func (s *suspicion) excess() float64 {
	m := s.mean()
	v := max(0, s.squares/s.runs-m*m) * s.runs / max(1, s.runs-1)
	tail := 0.5 * math.Erfc((1-m)/math.Sqrt(2*(v+1e-4*m*m)+1e-300))
	return (s.events/s.runs+tail)/(2*max(s.allowed, 1e-3)) + 1e-6*m
}

// method is how one kind of randomised check looks for bad instances and how it tests one.
type method[T any] struct {
	// refuse returns why an instance is malformed, or why its statement is empty.
	refuse func(*T) (vacuous string, malformed error)
	// pilot makes a few runs on the streams key.At(0), ..., key.At(runs-1), adds them up and brings the score up to date.
	pilot func(inst *T, b *bench, key keyed.Key, runs int, s *suspicion) error
	// costly kinds look at a quarter of the usual number of instances.
	costly bool
	// confirm tests an instance on fresh randomness. again builds it anew, for each worker.
	confirm func(e *execution, effort float64, again func() *T, key keyed.Key) (Evidence, error)
}

func (r *Randomised[T]) parts() []part       { return []part{r} }
func (r *Randomised[T]) tests(tier Tier) int { return testedInstances[tier] }

// proposal is an instance that a pilot found suspicious: a candidate, no evidence.
type proposal struct {
	candidate
	suspicion suspicion
}

func (r *Randomised[T]) run(e *execution) ([]Evidence, error) {
	proposals, vacuous, err := r.search(e)
	if err != nil {
		return nil, err
	}
	if len(proposals) == 0 {
		return []Evidence{unmet(pilotInstances[e.cfg.Tier], vacuous)}, nil
	}
	var evidence []Evidence
	for rank := range min(len(proposals), testedInstances[e.cfg.Tier]) {
		ev, err := r.confirm(e, rank, proposals[rank].choices)
		if err != nil {
			return nil, err
		}
		evidence = append(evidence, ev)
	}
	return evidence, nil
}

// search looks at instances by short pilot runs, all on randomness that no confirmation uses. It starts from even, corner and structured
// draws; then, for a few generations, it looks longer at the most suspicious quarter and tries as many variations of them; at last it looks
// much longer at those that have remained. It returns the most suspicious instances first.
func (r *Randomised[T]) search(e *execution) (list []proposal, vacuous string, err error) {
	src := NewSource(middle)
	if inst := r.setup(src); len(src.Drawn) == 0 { // there is only one instance
		if vacuous, err = r.method.refuse(&inst); vacuous != "" || err != nil {
			return nil, vacuous, err
		}
		return make([]proposal, 1), "", nil
	}
	n := float64(pilotInstances[e.cfg.Tier]) * min(1, math.Sqrt(r.effort))
	if r.method.costly {
		n /= 4
	}
	quarter := max(2, int(math.Round(n/4)))
	runs := max(2, int(math.Round(r.effort*float64(pilotRuns[e.cfg.Tier]))))
	key := e.stream("pilot")
	list, vacuous, err = r.propose(e, key.With("draws"), 4*quarter, runs, func(i int, rng *rand.Rand) Chooser {
		switch i % 4 {
		case 1:
			return corners(rng)
		case 3:
			return structured(rng)
		}
		return uniform(rng)
	})
	if err != nil || len(list) == 0 {
		return nil, vacuous, err
	}
	for g := range generations {
		key := key.With("generation").At(g)
		list = list[:min(len(list), quarter)]
		if err := r.look(e, list, key.With("again"), runs); err != nil {
			return nil, "", err
		}
		parents := list[:(len(list)+1)/2]
		reach := 0.25 / float64(int(1)<<g)
		more, _, err := r.propose(e, key.With("variations"), quarter, runs, func(i int, rng *rand.Rand) Chooser {
			return replayed(mutated(rng, parents[i%len(parents)].drawn, reach), uniform(rng))
		})
		if err != nil {
			return nil, "", err
		}
		list = append(list, more...)
		slices.SortStableFunc(list, bySuspicion)
	}
	list = list[:min(len(list), quarter)]
	err = r.look(e, list, key.With("at last"), 3*runs)
	return list, "", err
}

// propose makes pilot runs on n new instances and returns those whose statement says anything, the most suspicious first.
func (r *Randomised[T]) propose(e *execution, key keyed.Key, n, runs int, chooser func(int, *rand.Rand) Chooser) ([]proposal, string, error) {
	found := make([]proposal, n)
	why := make([]string, n)
	err := r.each(e, n, func(b *bench, i int) error {
		src, _ := b.draw(chooser(i, key.At(i).With("instance").Rand()))
		inst := r.setup(src)
		drawn := slices.Clone(src.Drawn)
		found[i].candidate = candidate{choices: values(drawn), drawn: drawn}
		empty, err := r.method.refuse(&inst)
		if why[i] = empty; err == nil && empty == "" {
			err = r.method.pilot(&inst, b, key.At(i), runs, &found[i].suspicion)
		}
		if err != nil {
			return fmt.Errorf("%w at %s", err, where(drawn))
		}
		return nil
	})
	if err != nil {
		return nil, "", err
	}
	var list []proposal
	vacuous := ""
	for i := range found {
		if why[i] != "" {
			vacuous = why[i]
		} else {
			list = append(list, found[i])
		}
	}
	slices.SortStableFunc(list, bySuspicion)
	return list, vacuous, nil
}

// look adds pilot runs to instances and sorts them anew.
func (r *Randomised[T]) look(e *execution, list []proposal, key keyed.Key, runs int) error {
	err := r.each(e, len(list), func(b *bench, i int) error {
		src, _ := b.draw(replayed(list[i].choices, middle))
		inst := r.setup(src)
		if err := r.method.pilot(&inst, b, key.At(i), runs, &list[i].suspicion); err != nil {
			return fmt.Errorf("%w at %s", err, where(list[i].drawn))
		}
		return nil
	})
	slices.SortStableFunc(list, bySuspicion)
	return err
}

// each calls f for 0, ..., n-1 on idle workers and returns the first error.
func (r *Randomised[T]) each(e *execution, n int, f func(b *bench, i int) error) error {
	errs := make([]error, n)
	benches := make([]bench, e.cfg.workers())
	e.spread(n, func(worker, i int) { errs[i] = f(&benches[worker], i) })
	return errors.Join(e.ctx.Err(), first(errs))
}

func bySuspicion(a, b proposal) int { return cmp.Compare(b.suspicion.score, a.suspicion.score) }

func first(errs []error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// confirm tests the instance with the given choices on the confirmation stream of its rank.
func (r *Randomised[T]) confirm(e *execution, rank int, choices []float64) (Evidence, error) {
	again := func() *T {
		src := NewSource(replayed(choices, middle))
		inst := r.setup(src)
		return &inst
	}
	src := NewSource(replayed(choices, middle))
	r.setup(src)
	ev, err := r.method.confirm(e, r.effort, again, e.stream("confirm").At(rank))
	if err != nil {
		return ev, fmt.Errorf("%w at %s", err, where(src.Drawn))
	}
	if err := e.ctx.Err(); err != nil {
		return ev, err
	}
	if r.standIn != "" && ev.outcome == Refuted {
		ev.outcome = Inconclusive
		ev.Note = sentence(ev.Note, "it does not hold for "+r.standIn+", which is no counterexample to the statement itself")
	}
	ev.Where = where(src.Drawn)
	ev.Replay = e.ranked(ev.What, domainConfirm, rank, choices)
	return ev, nil
}

func (r *Randomised[T]) replay(e *execution, t *token) (*Evidence, []Pair, error) {
	if t.domain != domainConfirm {
		return nil, nil, errKind
	}
	src := NewSource(replayed(t.choices, middle))
	r.setup(src)
	if err := t.fits(src.Drawn); err != nil {
		return nil, nil, err
	}
	ev, err := r.confirm(e, t.rank, t.choices)
	if err != nil {
		return nil, nil, err
	}
	return &ev, []Pair{{What: ev.What, Measured: ev.Measured, Claimed: ev.Claimed, Relation: ev.Relation}}, nil
}

// stretch is how many times its budget a test may run on for.
const stretch = 5

// goOn reports whether a test should make another run after n. Progress is the logarithm of its e-value as a part of the one that decides.
// It goes on within its budget until it has decided, and beyond as long as it has come far enough to decide within the stretched
// budget: e-values may be watched, and runs added, at will.
func goOn(n, budget int, progress float64) bool {
	switch {
	case progress >= 1:
		return false
	case n < budget:
		return true
	}
	return n < stretch*budget && float64(n) <= progress*float64(stretch*budget)
}

// trials makes runs 0, 1, ... on the streams key.At(0), key.At(1), ..., a batch at a time on all idle workers, and hands their outcomes
// to take in order until take returns false or there have been budget runs. Every worker has an instance of its own. Run 0 comes first on a
// fresh instance; at the end it is repeated after run 1 on another one. It must come out as before, to its mark: else runs share state, and
// nothing that they show can be trusted.
func trials[T, R any](e *execution, again func() *T, key keyed.Key, budget int, run func(*T, *bench, Trial) (R, error), mark func(R) float64, take func(R) bool) error {
	const least, batch = 4, 32
	trial := func(i int) Trial { return Trial{Key: key.At(i), N: i} }
	insts := make([]*T, e.cfg.workers())
	benches := make([]bench, e.cfg.workers())
	insts[0] = again()
	zero, err := run(insts[0], &benches[0], trial(0))
	if err != nil {
		return err
	}
	was := mark(zero)
	var out [batch]R
	var errs [batch]error
	for made, more := 1, take(zero); more && made < budget; {
		n := min(max(least, made/4), batch, budget-made) // what a batch has beyond the last run that is wanted is wasted
		e.spread(n, func(worker, i int) {
			if insts[worker] == nil {
				insts[worker] = again()
			}
			out[i], errs[i] = run(insts[worker], &benches[worker], trial(made+i))
		})
		if err := e.ctx.Err(); err != nil {
			return err
		}
		for i := 0; i < n && more; i++ {
			if errs[i] != nil {
				return errs[i]
			}
			made++
			more = take(out[i])
		}
	}
	inst := again()
	if _, err := run(inst, &benches[0], trial(1)); err != nil {
		return err
	}
	repeated, err := run(inst, &benches[0], trial(0))
	if err != nil {
		return err
	}
	if is := mark(repeated); math.Float64bits(was) != math.Float64bits(is) {
		return fmt.Errorf("run 0 gives %v at first and %v when it is repeated after run 1: runs share state, or take randomness from elsewhere than their key", was, is)
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
		{Title: "evidence against the claim", XLabel: "runs", YLabel: "e-value", X: p.runs, Claimed: threshold, Median: p.against},
		{Title: "evidence for the claim", XLabel: "runs", YLabel: "e-value", X: p.runs, Claimed: threshold, Median: p.favour},
	}
}
