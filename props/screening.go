package props

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"sledge/props/keyed"
)

// A search looks at this many instances at each tier, at this many where runs are dear, which an
// effort below 1 says, and at this many of costly kinds.
var (
	screened       = [3]int{240, 960, 4800}
	screenedDear   = [3]int{160, 960, 4800}
	screenedCostly = [3]int{6, 16, 40}
)

// wider is how many times as many instances a search looks at where runs are cheap: where the check
// has an effort of 1 or more, and a run makes cheapRun comparisons at most.
const (
	wider    = 4
	cheapRun = 16
)

// firstRuns is how many runs of each instance are made first, at effort 1. They mostly suffice to
// see one violation of an instance that fails every second time; what fails more rarely has to show
// in the size of the numbers, or in more than one instance.
var firstRuns = [3]int{4, 6, 10}

// generations is how often a search goes on to variations of its most suspicious instances.
const generations = 3

// suspicion is what pilot runs of an instance add up to.
type suspicion struct {
	runs, events float64 // runs that meet the premise, and how many of them contradict the claim
	sum, squares float64 // of a number for each run that grows with the suspicion, if there is one
	allowed      float64 // claimed probability of an event
	score        float64 // larger is more suspicious
	skipped      float64 // runs that do not meet the premise
	largest      float64 // tightness of a run
	compared     float64 // comparisons, or steps of a time, of all runs
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

// tail estimates the probability of a number above 1 from mean and deviation, as if the numbers
// were normal.
func (s *suspicion) tail() float64 {
	m := s.mean()
	v := max(0, s.squares/s.runs-m*m) * s.runs / max(1, s.runs-1)
	return 0.5 * math.Erfc((1-m)/math.Sqrt(2*(v+1e-4*m*m)+1e-300))
}

// against is the logarithm of the e-value of the events against the claimed probability. It is
// valid at any time and so, multiplied by the number of instances that were looked at, even for the
// worst of them.
func (s *suspicion) against() float64 {
	switch {
	case s.runs == 0 || s.events == 0 && s.allowed == 0:
		return 0
	case s.allowed == 0:
		return math.Inf(1)
	}
	return logAgainst(s.events, s.runs, s.allowed)
}

// rate scores an instance by the evidence that events are more frequent than allowed. What the
// numbers say about the tail counts as one more run: with few runs, or rare events, it is all that
// there is, and many runs outweigh it. Where nothing has happened, the estimated probability
// decides, relative to the allowed one, and among equals the size of the numbers.
func (s *suspicion) rate() float64 {
	if s.runs == 0 {
		return math.Inf(-1) // the premise was not met
	}
	tail := s.tail()
	size := min(s.mean(), 1.5)
	if s.allowed == 0 {
		return 1e3*s.events + 10*tail + 0.5*size
	}
	near := min(max(math.Log10(tail/s.allowed), -2), 2)
	return logAgainst(s.events+tail, s.runs+1, s.allowed) + 0.2*near + 0.02*size
}

// proposal is an instance that a search looks at: a candidate, no evidence.
type proposal[T any] struct {
	choices   []float64
	drawn     []Choice
	inst      *T // kept as long as the search may come back to it
	within    bool
	even      bool // drawn evenly
	matter    content
	least     float64 // share of content that it must show
	suspicion suspicion
}

// inside reports whether the instance lies in the regime of the statement, as far as is known.
func (p *proposal[T]) inside() bool {
	return p.within && (p.least <= 0 || p.matter.count == 0 || p.matter.mean() >= p.least)
}

// screening is one search for instances that violate a statement about all of them. It screens many
// by a few runs, makes more runs of the more suspicious half of them, and of the half of these;
// goes on to variations of the worst, and compares at last what has remained. All of it is on
// randomness that no confirmation uses.
type screening[T any] struct {
	r       *sampled[T]
	e       *execution
	all     []*proposal[T] // those whose statement says something, with their runs
	seen    map[string]bool
	tried   int
	whole   bool // all holds every instance that there is
	vacuous string
	never   string  // a condition that no instance met
	cuts    []cut   // of the halvings, for what the search would have found
	runs    int     // of each instance at first
	made    int     // of each that has remained
	delta   float64 // middle of the allowed probabilities
	found   float64 // how often a bad instance would have been found; NaN if that is not known
}

// cut is the score of the last instance that a halving kept, after so many runs.
type cut struct{ runs, score float64 }

func (s *screening[T]) search() error {
	s.found = nan
	src := NewSource(middle)
	if inst := s.r.setup(src); len(src.Drawn) == 0 { // there is only one instance
		return s.only(&inst)
	}
	n := screened[s.e.cfg.Tier]
	s.runs = s.e.budget(min(2, s.r.effort), 1, firstRuns)
	switch {
	case s.r.method.costly:
		n, s.runs = screenedCostly[s.e.cfg.Tier], 1
	case s.r.effort < 1:
		n = screenedDear[s.e.cfg.Tier]
	}
	key := s.e.stream("pilot")
	if err := s.draw(key.With("draws"), n, src.Drawn); err != nil || len(s.all) == 0 {
		return err
	}
	list, plain, err := s.first(key.With("first"), s.all, max(4, n/4))
	if err != nil {
		return err
	}
	wide := !plain && s.cheap()
	var others []*proposal[T]
	if wide {
		if others, plain, err = s.widen(key, n); err != nil {
			return err
		}
	}
	s.setDelta()
	if plain {
		return nil
	}
	s.made = s.runs
	if wide {
		if list, err = s.join(key.With("again").With("wide"), list, others, n); err != nil {
			return err
		}
		n *= 2 // of which each stage below keeps its part
	}
	rounds, vary := 2, max(4, n/10)
	if s.quiet() && s.r.method.allowed != nil {
		// nothing happens anywhere, and the sizes of the numbers lead on
		rounds, vary = 1, max(4, n/24)
		list = s.halve(list, max(4, n/8))
	}
	for round := range rounds {
		list = s.halve(list, max(4, n>>(round+1)))
		more := s.runs << round
		if err := s.look(list, key.With("again").At(round), more); err != nil {
			return err
		}
		s.made += more
	}
	last := min(vary, max(4, n/16))
	if !s.whole {
		if list, err = s.generate(key.With("generation"), list, vary, last, max(4, n/4)); err != nil {
			return err
		}
	}
	bySuspicion(list)
	if err := s.atLast(key.With("at last"), s.halve(list, last)); err != nil {
		return err
	}
	bySuspicion(s.all)
	s.detect()
	return nil
}

// only takes the one instance of a domain without choices: there is nothing to search.
func (s *screening[T]) only(inst *T) error {
	vacuous, err := s.r.method.refuse(inst)
	s.tried, s.vacuous, s.whole = 1, vacuous, true
	if vacuous == "" && err == nil {
		regime := s.r.method.regime(inst)
		s.conditions([]*Regime{regime})
		s.all = []*proposal[T]{{within: regime.Met(), least: regime.Least}}
	}
	return err
}

// widen draws further instances, all of them evenly, and makes their first runs.
func (s *screening[T]) widen(key keyed.Key, n int) (others []*proposal[T], plain bool, err error) {
	drawn := key.With("wide")
	others, err = s.add(drawn, (wider-1)*n, n/4, even(drawn, (wider-1)*n))
	if err != nil {
		return nil, false, err
	}
	return s.first(key.With("first").With("wide"), others, n)
}

// setDelta takes the middle of the allowed probabilities.
func (s *screening[T]) setDelta() {
	if s.r.method.allowed == nil {
		return
	}
	var deltas []float64
	for _, p := range s.all {
		deltas = append(deltas, p.suspicion.allowed)
	}
	s.delta = Quantiles(deltas, 0.5)[0]
}

// join makes the first runs of a list and of what it was widened by once more, and adds the more
// suspicious of the others. The even draws come to the others one by three: where an edge of the
// domain is bad, few of them are.
func (s *screening[T]) join(key keyed.Key, list, others []*proposal[T],
	n int) ([]*proposal[T], error) {
	if !s.quiet() {
		others = s.halve(others, len(others)/2)
	}
	for i, part := range [][]*proposal[T]{list, others} {
		if err := s.look(part, key.At(i), s.runs); err != nil {
			return nil, err
		}
	}
	s.made += s.runs
	list = append(list, s.halve(others, n)...)
	bySuspicion(list)
	return list, nil
}

// generate goes on to so many variations of the last instances, the most suspicious ones, and to
// variations of the worst among all of these. It keeps the worst.
func (s *screening[T]) generate(key keyed.Key, list []*proposal[T],
	vary, last, keep int) ([]*proposal[T], error) {
	for g := range generations {
		key := key.At(g)
		parents := list[:min(len(list), last)]
		more, err := s.vary(key.With("variations"), vary, parents, 0.25/float64(int(1)<<g))
		if err != nil {
			return nil, err
		}
		if err := s.look(more, key.With("first"), 2*s.runs); err != nil {
			return nil, err
		}
		list = append(list, more...)
		bySuspicion(list)
		list = s.halve(list, keep)
		if err := s.look(list[:min(len(list), last)], key.With("again"), 2*s.runs); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// atLast compares what has remained by more runs. What happens nearly as often as it may is looked
// at until a few instances stand out.
func (s *screening[T]) atLast(key keyed.Key, list []*proposal[T]) error {
	for round, more := 0, 4*s.runs; len(list) > 0; round++ {
		if err := s.look(list, key.At(round), more); err != nil {
			return err
		}
		worst := &list[0].suspicion
		if len(list) <= 2 || round >= 4 || s.r.method.allowed == nil ||
			worst.events < 0.5*worst.allowed*worst.runs {
			break
		}
		list, more = list[:(len(list)+1)/2], 2*more
	}
	return nil
}

// quiet reports whether no run has contradicted the statement on any instance so far.
func (s *screening[T]) quiet() bool {
	return !slices.ContainsFunc(s.all, func(p *proposal[T]) bool { return p.suspicion.events > 0 })
}

// cheap reports whether runs are so cheap that more instances can be looked at. Only what the runs
// did decides that, and no clock.
func (s *screening[T]) cheap() bool {
	if s.whole || s.r.method.allowed == nil || s.r.method.costly || s.r.effort < 1 ||
		s.r.standIn != "" || s.e.proved {
		return false
	}
	var runs, compared float64
	for _, p := range s.all {
		runs += p.suspicion.runs
		compared += p.suspicion.compared
	}
	return runs > 0 && compared <= cheapRun*runs
}

// first makes the first runs, of a block of instances at a time. It ends the search, and says so,
// as soon as a block has an instance that plainly violates the statement: no more than that is
// needed to test it. Then only what was looked at remains.
func (s *screening[T]) first(key keyed.Key, all []*proposal[T],
	block int) (list []*proposal[T], plain bool,
	err error) {
	for from := 0; from < len(all); from += block {
		upto := min(from+block, len(all))
		part := slices.Clone(all[from:upto])
		if err := s.look(part, key.At(from), s.runs); err != nil {
			return nil, false, err
		}
		list = append(list, part...)
		if s.r.method.allowed == nil {
			continue
		}
		plain, err := s.plainly(s.plainest(part), key.At(from).With("again"))
		if err != nil {
			return nil, false, err
		}
		if plain {
			looked := func(p *proposal[T]) bool { return p.suspicion.runs+p.suspicion.skipped > 0 }
			s.all = slices.DeleteFunc(s.all, func(p *proposal[T]) bool { return !looked(p) })
			s.tried = len(s.all)
			bySuspicion(s.all)
			return list, true, nil
		}
	}
	bySuspicion(list)
	return list, false, nil
}

// plainest returns the instance of a sorted list that is asked first whether it violates the
// statement plainly: the most suspicious one, but of those that all runs contradict, where all
// contradictions are alike, the one that takes the fewest steps to be refuted.
func (s *screening[T]) plainest(list []*proposal[T]) []*proposal[T] {
	best, least := list[:1], math.Inf(1)
	if !s.r.method.alike {
		return best
	}
	for i, p := range list {
		q := &p.suspicion
		if q.runs == 0 || q.events < q.runs || !p.inside() {
			continue
		}
		if steps := q.compared / q.runs / max(-math.Log(q.allowed), negligible); steps < least {
			best, least = list[i:i+1], steps
		}
	}
	return best
}

// plainLooks is how often a search looks again at an instance that seems to violate the statement
// plainly.
const plainLooks = 5

// plainly reports whether the only instance of a list plainly violates the statement. Where the
// first runs are so few that they cannot show it, all of them must be violations to begin with.
func (s *screening[T]) plainly(one []*proposal[T], key keyed.Key) (bool, error) {
	p := &one[0].suspicion
	if !(p.against() > suspect) && (p.events == 0 || p.events < p.runs) {
		return false, nil
	}
	for again := range plainLooks {
		if err := s.look(one, key.At(again), 4*s.runs); err != nil {
			return false, err
		}
		switch log := p.against(); {
		case log > math.Log(20*float64(s.tried)):
			return true, nil
		case !(log > suspect):
			return false, nil
		}
	}
	return false, nil
}

// bySuspicion sorts the most suspicious instances to the front, and among equals those in which the
// mechanism of the statement matters more.
func bySuspicion[T any](list []*proposal[T]) {
	slices.SortStableFunc(list, func(a, b *proposal[T]) int {
		x, y := a.suspicion.score+1e-3*a.matter.mean(), b.suspicion.score+1e-3*b.matter.mean()
		return cmp.Compare(y, x)
	})
}

// draw makes the instances that are screened. A domain with no more of them than that is
// enumerated. Otherwise they are drawn evenly, at corners and in structured ways, each once, until
// there are n within the regime, or too many have been drawn; of the others a quarter as many are
// kept, since a contradiction counts wherever it is met.
func (s *screening[T]) draw(key keyed.Key, n int, first []Choice) error {
	s.seen = map[string]bool{}
	if list, ok := s.enumerate(n, first); ok {
		s.whole, s.runs = true, min(8*s.runs, max(2*s.runs, s.runs*n/max(1, len(list))))
		_, err := s.add(key, len(list), len(list), func(i int, _ *rand.Rand) (Chooser, bool) {
			return replayed(list[i], middle), false
		})
		return err
	}
	var met, unmet int
	for pass := 0; pass < 4 && met < n; pass++ {
		spread := even(key.At(pass), n-met)
		added, err := s.add(key.At(pass), n-met, n/4-unmet,
			func(i int, rng *rand.Rand) (Chooser, bool) {
				switch i % 8 {
				case 1, 5:
					if pass < 2 {
						return corners(rng), false
					}
				case 3:
					if pass < 2 {
						return structured(rng), false
					}
				}
				return spread(i, rng)
			})
		if err != nil {
			return err
		}
		for _, p := range added {
			if p.within {
				met++
			} else {
				unmet++
			}
		}
	}
	return nil
}

// enumerate lists all instances of a domain of integers and alternatives, if there are at most n.
func (s *screening[T]) enumerate(n int, drawn []Choice) ([][]float64, bool) {
	product := 1.0
	for i := range drawn {
		if !drawn[i].Int || drawn[i].Seed {
			return nil, false
		}
		product *= drawn[i].Hi - drawn[i].Lo + 1
	}
	if product > 16*float64(n) { // ranges may depend on earlier choices
		return nil, false
	}
	var list [][]float64
	var prefix []float64
	for {
		src := NewSource(replayed(prefix, func(c Choice) float64 { return c.Lo }))
		s.r.setup(src)
		for i := range src.Drawn {
			if !src.Drawn[i].Int || src.Drawn[i].Seed {
				return nil, false
			}
		}
		if list = append(list, values(src.Drawn)); len(list) > n {
			return nil, false
		}
		i := len(src.Drawn) - 1
		for i >= 0 && src.Drawn[i].Value >= src.Drawn[i].Hi {
			i--
		}
		if i < 0 {
			return list, true
		}
		prefix = values(src.Drawn)[:i+1]
		prefix[i]++
	}
}

// add makes n new instances and keeps those whose statement says anything and that are not known
// yet; of those outside the regime at most outside.
func (s *screening[T]) add(key keyed.Key, n, outside int,
	chooser func(int, *rand.Rand) (choose Chooser, even bool)) ([]*proposal[T], error) {
	found := make([]*proposal[T], n)
	why := make([]string, n)
	regimes := make([]*Regime, n)
	err := s.e.each(n, func(b *bench, i int) error {
		choose, even := chooser(i, key.At(i).With("instance").Rand())
		src, _ := b.draw(choose)
		inst := s.r.setup(src)
		drawn := slices.Clone(src.Drawn)
		empty, err := s.r.method.refuse(&inst)
		if err != nil {
			return fmt.Errorf("%w at %s", err, where(drawn))
		}
		why[i], regimes[i] = empty, s.r.method.regime(&inst)
		found[i] = &proposal[T]{choices: values(drawn), drawn: drawn, inst: &inst,
			within: regimes[i].Met(), least: regimes[i].Least, even: even}
		if s.r.method.allowed != nil {
			found[i].suspicion.allowed = s.r.method.allowed(&inst)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var added []*proposal[T]
	for i, p := range found {
		id := identity(p.choices)
		switch {
		case s.seen[id]:
			continue
		case why[i] != "":
			s.vacuous = why[i]
		case p.within || outside > 0:
			added = append(added, p)
			if !p.within {
				outside--
			}
		}
		s.seen[id] = true
		s.tried++
	}
	s.conditions(regimes)
	s.all = append(s.all, added...)
	return added, nil
}

// conditions remembers a condition that no instance has met so far.
func (s *screening[T]) conditions(regimes []*Regime) {
	unmet := map[string]bool{}
	var order []string
	for _, r := range regimes {
		for _, c := range r.Conditions {
			if _, ok := unmet[c.What]; !ok {
				order = append(order, c.What)
			}
			unmet[c.What] = unmet[c.What] || c.Met
		}
	}
	s.never = ""
	for _, what := range order {
		if !unmet[what] {
			s.never = strings.TrimPrefix(s.never+", "+what, ", ")
		}
	}
}

func identity(choices []float64) string {
	var b []byte
	for _, v := range choices {
		b = strconv.AppendUint(b, math.Float64bits(v), 36)
		b = append(b, ' ')
	}
	return string(b)
}

// vary makes new instances in the neighbourhood of others.
func (s *screening[T]) vary(key keyed.Key, n int, parents []*proposal[T],
	reach float64) ([]*proposal[T], error) {
	return s.add(key, n, n/4, func(i int, rng *rand.Rand) (Chooser, bool) {
		return replayed(mutated(rng, parents[i%len(parents)].drawn, reach), uniform(rng)), false
	})
}

// look adds pilot runs to instances and sorts them anew.
func (s *screening[T]) look(list []*proposal[T], key keyed.Key, runs int) error {
	err := s.e.each(len(list), func(b *bench, i int) error {
		p := list[i]
		b.matter = content{}
		if err := s.r.method.pilot(p.inst, b, key.At(i), runs, &p.suspicion); err != nil {
			return fmt.Errorf("%w at %s", err, where(p.drawn))
		}
		p.matter.add(b.matter)
		return nil
	})
	bySuspicion(list)
	return err
}

// halve keeps the k most suspicious instances of a sorted list, among them a quarter outside the
// regime at most, and lets go of the others.
func (s *screening[T]) halve(list []*proposal[T], k int) []*proposal[T] {
	outside := k / 4
	var kept []*proposal[T]
	for _, p := range list {
		switch {
		case len(kept) == k, !p.inside() && outside == 0:
			p.inst = nil
			continue
		case !p.inside():
			outside--
		}
		kept = append(kept, p)
	}
	if len(kept) == k {
		s.cuts = append(s.cuts, cut{float64(s.made), kept[k-1].suspicion.score})
	}
	return kept
}

// suspect is the logarithm of the e-value from which on an instance is tested for its own sake.
const suspect = 2

// choose returns at most k instances to be tested. First come those that violate the statement
// suspiciously often, the worst first, but those outside the regime last. The others are spread
// over the halves of sizes, the alternatives and the allowed probabilities, as suspicious as
// possible: what holds where the search was led need not hold elsewhere. Of those it is asked
// before whether the statement has content there, see [screening.assured].
func (s *screening[T]) choose(k int) ([]*proposal[T], error) {
	var chosen, outside, rest []*proposal[T] // outside the regime one at most
	for _, p := range s.all {
		suspicious := len(chosen)+len(outside) < k && p.suspicion.against() >= suspect
		switch {
		case suspicious && p.inside():
			chosen = append(chosen, p)
		case suspicious && len(outside) == 0:
			outside = append(outside, p)
		case p.inside():
			rest = append(rest, p)
		}
	}
	chosen = append(chosen, outside...) // where the statement has content it is refuted first
	if proper := s.proper(rest); len(proper) > 0 {
		rest = proper
	}
	if len(chosen) == 0 && len(rest) == 0 {
		return s.all[:min(k, len(s.all))], nil
	}
	var doubtful []*proposal[T]
	for len(chosen) < k && len(rest) > 0 {
		best, value := 0, math.Inf(-1)
		for i, p := range rest {
			if v := s.novelty(p, chosen) - float64(i)/float64(len(rest)); v > value {
				best, value = i, v
			}
		}
		p := rest[best]
		rest = slices.Delete(rest, best, best+1)
		assured, err := len(doubtful) == asked*k, error(nil)
		if !assured {
			if assured, err = s.assured(p); err != nil {
				return nil, err
			}
		}
		if !assured {
			doubtful = append(doubtful, p)
			continue
		}
		chosen = append(chosen, p)
	}
	// better than nothing: the confirmation has the word
	return append(chosen, doubtful[:min(len(doubtful), k-len(chosen))]...), nil
}

// Instances whose content is in doubt are asked for it by contentRuns runs; so many times as many
// as are chosen at most.
const (
	asked       = 4
	contentRuns = 20
)

// assured reports whether the statement has content on an instance, where the few runs of the
// search leave it open: below twice what is asked for. It looks at fresh runs alone, because those
// of the search are why the instance is a candidate: the largest of many rough estimates is too
// large.
func (s *screening[T]) assured(p *proposal[T]) (bool, error) {
	// the one instance that there is: nothing was looked for
	alone := p.suspicion.runs+p.suspicion.skipped == 0
	if p.least <= 0 || alone || p.matter.count > 0 && p.matter.mean() >= 2*p.least {
		return true, nil
	}
	var b bench
	var fresh suspicion
	fresh.allowed = p.suspicion.allowed
	inst := s.r.setup(NewSource(replayed(p.choices, middle)))
	key := s.e.stream("content").With(identity(p.choices))
	if err := s.r.method.pilot(&inst, &b, key, contentRuns, &fresh); err != nil {
		return false, fmt.Errorf("%w at %s", err, where(p.drawn))
	}
	p.matter.add(b.matter)
	return b.matter.count == 0 || b.matter.mean() >= p.least, nil
}

// proper returns the instances on which a test can decide: they meet their premise often enough and
// allow a probability that is large enough to be shown.
func (s *screening[T]) proper(list []*proposal[T]) []*proposal[T] {
	var out []*proposal[T]
	budget := s.e.budget(s.r.effort, 20, runsPerTier)
	for _, p := range list {
		q := &p.suspicion
		share := q.runs / (q.runs + q.skipped)
		if d := q.allowed; q.runs > 0 &&
			(s.r.method.allowed == nil || d == 0 ||
				logFor(0, 0.7*share*float64(s.e.longest(budget)), d) > -math.Log(s.e.level())) {
			out = append(out, p)
		}
	}
	return out
}

// novelty is the share of features in which an instance differs from each of those taken already.
func (s *screening[T]) novelty(p *proposal[T], taken []*proposal[T]) float64 {
	least := 1.0
	for _, q := range taken {
		same, features := 0.0, 0.0
		if s.r.method.allowed != nil {
			features++
			if (p.suspicion.allowed < s.delta) == (q.suspicion.allowed < s.delta) {
				same++
			}
		}
		for i := range p.drawn {
			c := &p.drawn[i]
			if !c.Int || c.Seed || c.Hi == c.Lo || i >= len(q.drawn) || q.drawn[i].Name != c.Name {
				continue
			}
			features++
			o := &q.drawn[i]
			if c.Names != nil && c.Value == o.Value || c.Names == nil &&
				(c.position(c.Value) < 0.5) == (o.position(o.Value) < 0.5) {
				same++
			}
		}
		if features > 0 {
			least = min(least, 1-same/features)
		}
	}
	return least
}

// tightness is the largest one that a pilot run within the regime has shown.
func (s *screening[T]) tightness() float64 {
	t := 0.0
	for _, p := range s.all {
		if p.inside() {
			t = max(t, p.suspicion.largest)
		}
	}
	return t
}

// unresolved is evidence that the search met violations that are too frequent, on an instance
// beyond those that could be tested.
func (s *screening[T]) unresolved(chosen []*proposal[T]) (Evidence, bool) {
	for _, p := range s.all {
		if slices.Contains(chosen, p) || !p.inside() ||
			!(p.suspicion.against() > math.Log(20*float64(s.tried))) {
			continue
		}
		q := &p.suspicion
		ev := Evidence{What: "violations that the search met on an instance beyond those tested",
			Measured: q.events / q.runs, Claimed: q.allowed, Relation: LE,
			Sense: Runs, Allowed: q.allowed, Tightness: nan, Constant: nan, Level: nan,
			Trials: int(q.runs), Violations: int(q.events), Instances: s.tried, Excluded: nan,
			Where: where(p.drawn), outcome: Inconclusive}
		ev.Low, ev.High = nan, nan
		ev.Replay = s.e.ranked(ev.What, domainConfirm, s.r.tested(s.e.cfg.Tier), p.choices)
		ev.Note = "these were pilot runs"
		return ev, true
	}
	return Evidence{}, false
}

// bad is the probability of a violation on the instances that the search is measured by.
func (s *screening[T]) bad() float64 { return max(s.delta, min(3*s.delta, 0.5)) }

// detect works out, by repetitions, how often an instance that violates three times as often as
// allowed, but at most every second time, would have come through the halvings to be tested, if the
// sizes of its numbers do not show it.
func (s *screening[T]) detect() {
	const repetitions = 200
	if s.r.method.allowed == nil || s.delta == 0 {
		return
	}
	rng := s.e.stream("detection").Rand()
	found := 0
	for range repetitions {
		q := suspicion{allowed: s.delta}
		through := true
		for _, c := range s.cuts {
			for q.runs < c.runs {
				q.add(rng.Float64() < s.bad(), 0)
			}
			if q.score = q.rate(); q.score < c.score {
				through = false
				break
			}
		}
		if through {
			found++
		}
	}
	s.found = float64(found) / repetitions
}

// excluded is the share of bad instances of which one would have been found with probability 0.95.
func (s *screening[T]) excluded() float64 {
	n := 0.0
	for _, p := range s.all {
		if s.whole || p.even && p.inside() {
			n++
		}
	}
	switch {
	case math.IsNaN(s.found) || s.found == 0 || n == 0:
		return nan
	case s.whole:
		if s.found == 1 {
			return 1 / n
		}
		return min(1, math.Ceil(math.Log(0.05)/math.Log1p(-s.found))/n)
	}
	return min(1, -math.Expm1(math.Log(0.05)/n)/s.found)
}

// screened says how the search came to the instances that were tested; nothing if there was only
// one.
func (s *screening[T]) screened() Screening {
	switch {
	case s.tried == 1:
		return Screening{}
	case math.IsNaN(s.excluded()):
		return Screening{Whole: s.whole, Rate: Num(nan), Found: Num(nan)}
	}
	return Screening{s.whole, Num(s.bad()), Num(s.found)}
}
