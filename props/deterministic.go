package props

import (
	"fmt"
	"slices"

	"sledge/props/certificate"
	"sledge/props/keyed"
)

// Instances drawn by a deterministic check at each tier, before its effort; the attack that follows
// may evaluate as many again.
var draws = [3]int{400, 10000, 200000}

// Evaluations spent on making one counterexample simpler, before effort.
var shrinks = [3]int{400, 1000, 1000}

const (
	leastDraws   = 20
	leastShrinks = 60
	pilotShare   = 5 // of the draws: one in so many tells whether the landscape is flat
	// times that the draws are repeated while fewer than half of one round have met the premise
	premiseRounds = 4
	chunk         = 32 // draws handed to a worker at once
	// names of comparisons that are attacked, nearest to failure first; the rest rely on the
	// attacks on these
	attackedNames = 8
	leastAttack   = 10 // evaluations below which an attack on a further name is not worth starting
	// near ties decided exactly in a chunk of draws or in an attack; others that matter wait for
	// their confirmation,
	exactAtOnce = 8
	exactAtLast = 256 // where so many are decided
)

func (d *Deterministic) parts() []part  { return []part{d} }
func (d *Deterministic) tests(Tier) int { return 0 }

// evaluate runs the check on one instance.
func (d *Deterministic) evaluate(b *bench, choose Chooser) error {
	return d.judge(b.draw(choose))
}

// judge runs the check on the instance of a source and weighs what it records.
func (d *Deterministic) judge(src *Source, rec *Recorder) error {
	d.try(src, rec)
	rec.inputs = magnitude(src.Drawn)
	if err := rec.settle(); err != nil {
		return fmt.Errorf("%w at %s", err, where(src.Drawn))
	}
	return nil
}

// search tries all instances of a small domain. From any other it draws some, evenly and otherwise,
// and attacks the worst of them.
func (d *Deterministic) search(e *execution) (*ledger, error) {
	n := e.budget(d.effort, leastDraws, draws)
	var l ledger
	var b bench
	if err := d.evaluate(&b, middle); err != nil {
		return nil, err
	}
	l.absorb(&b.src, &b.rec)
	l.survey(&b.src, &b.rec, false)
	if len(b.src.Drawn) == 0 { // there is only one instance
		return &l, nil
	}
	if whole, err := d.enumerate(e, &l, b.src.Drawn, roomForAll*float64(1+2*n)); whole ||
		err != nil {
		return &l, err
	}
	s := sampler{d: d, key: e.stream("draws"),
		even: newStratified(e.stream("even"), b.src.Drawn, n)}
	for round := 0; round < premiseRounds && 2*l.met < n; round++ {
		for _, part := range [...]int{n / pilotShare, n - n/pilotShare} {
			if err := s.draw(e, &l, part); err != nil {
				return nil, err
			}
		}
	}
	left, err := d.attack(e, &l, n)
	if err != nil {
		return nil, err
	}
	s.plain = true
	return &l, s.draw(e, &l, left)
}

// sampler draws instances, numbered through.
type sampler struct {
	d     *Deterministic
	key   keyed.Key
	even  *stratified
	plain bool // nothing is left to climb on
	next  int
}

// evenly reports whether the i-th instance is drawn evenly. Most are where nothing leads to the
// violations; implications lean on corners where something does.
func (s *sampler) evenly(i int, flat bool) bool {
	i %= 10
	if !flat && s.d.kind == "implication" {
		return i == 2 || i == 3
	}
	return i < 4 || flat && i != 5 && i != 9
}

// other is the way to draw the i-th instance, one that is not drawn evenly.
func (s *sampler) other(i int) Chooser {
	r := s.key.At(i).Rand()
	switch i % 10 {
	case 6, 7:
		return structured(r)
	case 8, 9:
		return related(r)
	case 5:
		if i%20 == 5 {
			return structured(r)
		}
	}
	return corners(r)
}

func (s *sampler) chooser(i, even int) Chooser {
	if even >= 0 {
		return s.even.chooser(even)
	}
	return s.other(i)
}

// draw evaluates the next n random instances.
func (s *sampler) draw(e *execution, l *ledger, n int) error {
	flat := s.plain || l.flat()
	start := s.next
	s.next += n
	evens := make([]int, n) // the numbers of the even draws among them, -1 for others
	for i := range evens {
		evens[i] = -1
		if s.evenly(start+i, flat) {
			evens[i] = s.even.take()
		}
	}
	return l.gather(e, n, func(b *bench, i int) (even bool, err error) {
		if i%chunk == 0 {
			b.rec.quota, b.rec.later = exactAtOnce, true
		}
		return evens[i] >= 0, s.d.evaluate(b, s.chooser(start+i, evens[i]))
	})
}

// gather takes over what n evaluations record, a chunk at a time on idle workers. The function makes
// the i-th of them and says whether it is drawn evenly.
func (l *ledger) gather(e *execution, n int,
	evaluate func(b *bench, i int) (even bool, err error)) error {
	ledgers := make([]ledger, (n+chunk-1)/chunk)
	err := e.each(len(ledgers), func(b *bench, k int) error {
		for i := k * chunk; i < min(n, (k+1)*chunk) && e.ctx.Err() == nil; i++ {
			even, err := evaluate(b, i)
			if err != nil {
				return err
			}
			ledgers[k].absorb(&b.src, &b.rec)
			ledgers[k].survey(&b.src, &b.rec, even)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for k := range ledgers {
		l.merge(&ledgers[k])
	}
	return nil
}

func (d *Deterministic) run(e *execution) ([]Evidence, error) {
	l, err := d.search(e)
	if err != nil {
		return nil, err
	}
	if l.met == 0 {
		if len(l.skips) == 0 {
			return nil, fmt.Errorf("the check recorded nothing in %d instances", l.tried)
		}
		return []Evidence{unmet(l.tried, l.premise())}, nil
	}
	evidence := make([]Evidence, len(l.tallies))
	lead := confirmed{} // the worst of all: its run is drawn, and its chain shown
	leader := 0
	for i, t := range l.tallies {
		ev, c, err := d.decide(e, l, t)
		if err != nil {
			return nil, err
		}
		if evidence[i] = ev; i == 0 || c.at.over(lead.at) {
			lead, leader = c, i
		}
	}
	evidence[leader].Chain, evidence[leader].Curves = lead.links, curveOf(lead.points, lead.axis)
	return evidence, d.control(e, l, evidence)
}

// multiple turns the largest tightness found into the multiple of the claimed bound that would have
// sufficed.
func multiple(rel Relation, tightness float64) float64 {
	switch {
	case !(tightness > 0):
		return nan
	case rel == LE:
		return tightness
	case rel == GE:
		return 1 / tightness
	}
	return nan
}

// unmet is the evidence of a check whose premise no instance met.
func unmet(tried int, why string) Evidence {
	return Evidence{What: "instances that meet the premise", Measured: 0, Claimed: 1, Relation: GE,
		Tightness: nan, Constant: nan, Level: nan, Low: nan,
		High: nan, Trials: tried, Note: why, outcome: Vacuous}
}

// decide turns what the search knows about one name into evidence: about a counterexample, or else
// about the tightest instance. Where the tightest instances have equality, which is often a
// degenerate case, the evidence is about the tightest one apart from them.
func (d *Deterministic) decide(e *execution, l *ledger, t *tally) (Evidence, confirmed, error) {
	found, doubt, err := d.accuse(e, t)
	if err != nil {
		return Evidence{}, found, err
	}
	if doubt == "" && !found.at.broken {
		fine, err := d.finer(e, t)
		if err != nil {
			return Evidence{}, found, err
		}
		if fine.at.broken {
			found = fine
		}
	}
	equality := ""
	if !found.at.broken && !found.at.apart() && t.relation != EQ && t.apart.at.ratio > 0 {
		c, err := d.confirm(&t.apart)
		if err != nil {
			return Evidence{}, c, err
		}
		equality = "equality at " + where(found.drawn)
		found = c
	}
	ev := found.evidence()
	ev.Trials, ev.Violations, ev.Constant = t.instances, t.violations,
		multiple(t.relation, t.constant)
	ev.outcome = Consistent
	how := fmt.Sprintf("%s drawn and attacked", plural(l.tried, "instance"))
	ev.Instances, ev.Excluded = t.instances, excluded(t.evens)
	switch {
	case l.whole:
		ev.Excluded = nan
		how = fmt.Sprintf("all %s of the domain", plural(l.tried, "instance"))
		if t.exact == t.instances {
			ev.outcome, ev.Scope, ev.Covers = Proved, certificate.Instances,
				"all instances that the check draws"
			how += ", in exact arithmetic"
		}
	case t.relation != EQ && t.blank == t.pairs:
		ev.outcome = Vacuous
		how += ", and nothing but 0 against 0 was seen"
	}
	if found.at.broken {
		ev.Violations = max(1, t.violations)
		how = fmt.Sprintf("%d of %s violate it", ev.Violations, plural(t.instances, "instance"))
	}
	switch {
	case doubt != "":
		ev.outcome = Inconclusive
	case found.at.broken:
		ev.outcome = Refuted
		simple := d.shrink(e, found)
		if !simple.certified && d.rays(e, &simple) != "" {
			simple = found
		}
		ev.Simplest = &Example{Num(simple.pair.Measured), Num(simple.pair.Claimed),
			where(simple.drawn), e.token(t.what, domainInstance, simple.choices)}
		if !found.pair.apart {
			if ev.Certificate, ev.Unsettled = d.certify(e.cfg, simple.choices,
				found.choices); ev.Certificate != nil {
				ev.Certified = true
			}
		}
		for _, c := range [...]*confirmed{&simple, &found} {
			if ev.Certificate == nil && c.certified && c.at.broken {
				ev.Certificate = c.comparison()
			}
		}
	}
	blind := RoundingBand
	if ev.outcome == Consistent {
		if blind, doubt = d.blind(e, &found); doubt != "" {
			ev.outcome = Inconclusive
		}
	}
	ev.Note = sentence(how, doubt, equality, t.incomparable(), l.premise())
	if ev.Power = (Power{Excess, Num(blind), 1, t.pairs}); doubt != "" {
		ev.Power.Size = Num(nan) // what rounding hides is noticed by nothing
	}
	ev.Replay = e.token(t.what, domainInstance, found.choices)
	return ev, found, nil
}

// accuse confirms the candidates of one name, the worst first, until a violation stands that
// rounding does not explain. If there is none it returns the worst candidate, or the worst
// violation and why that may be rounding.
func (d *Deterministic) accuse(e *execution, t *tally) (found confirmed, doubt string, err error) {
	if len(t.best) == 0 {
		return found, "", fmt.Errorf("%q compares %s throughout", t.what, t.nothing())
	}
	all := slices.Concat(t.best, t.clear, t.even)
	for i, c := range all {
		if !c.at.broken && !c.at.tie && i > 0 {
			continue
		}
		f, err := d.confirm(&c)
		if err != nil {
			return f, "", err
		}
		if i == 0 {
			found = f
		}
		if !f.at.broken {
			continue
		}
		why := d.doubtful(e, &f)
		if why == "" {
			why = d.drowned(e, &f, all)
		}
		if why == "" {
			return f, "", nil
		}
		if g := d.beside(e, &f); g.at.broken && g.certified {
			return g, "", nil
		}
		if doubt == "" {
			found, doubt = f, why
		}
	}
	return found, doubt, nil
}

// finer looks among the worst instances of an equality that holds up to [RoundingBand] for a
// difference that is no rounding. Where there is none, what it returns is not broken.
func (d *Deterministic) finer(e *execution, t *tally) (none confirmed, err error) {
	for i := range t.best {
		c := &t.best[i]
		if c.at.broken || !c.pair.plain() || !(c.at.excess > fineBand) {
			continue
		}
		f, err := d.finely(e, confirmed{choices: c.choices, pair: c.pair, at: c.at})
		if err != nil || f.at.broken && d.drowned(e, &f, t.best) == "" {
			return f, err
		}
	}
	return none, nil
}

// finely examines an instance again on fineBand: a difference stands there if it stays what it is
// in every other arithmetic. If it does not, the instance is returned as it was.
func (d *Deterministic) finely(e *execution, c confirmed) (confirmed, error) {
	if !c.pair.plain() || !(c.at.excess > fineBand) {
		return c, nil
	}
	f, err := d.examineOn(fineBand, c.pair.What, c.choices)
	if err != nil || f.at.broken && d.doubtful(e, &f) == "" {
		return f, err
	}
	return c, nil
}

// confirm evaluates a candidate again, from its choices alone, and decides it exactly where the
// pair can.
func (d *Deterministic) confirm(c *candidate) (confirmed, error) {
	f, err := d.examine(c.pair.What, c.choices)
	same := f.pair.Measured == c.pair.Measured && f.pair.Claimed == c.pair.Claimed || c.at.tie ||
		c.pair.exactNow || c.pair.exact != nil
	if err == nil && (!same || c.at.broken && !f.at.broken) {
		err = fmt.Errorf(
			"%q is not reproducible: %v against %v, then %v against %v at %s; all randomness must come "+
				"from the source",
			c.pair.What, c.pair.Measured, c.pair.Claimed, f.pair.Measured, f.pair.Claimed,
			where(c.drawn))
	}
	return f, err
}

// examine evaluates the instance with the given choices on a fresh recorder and decides the named
// pair, exactly if it can be.
func (d *Deterministic) examine(what string, choices []float64) (confirmed, error) {
	return d.examineOn(RoundingBand, what, choices)
}

// examineOn is examine with the band of equalities.
func (d *Deterministic) examineOn(band float64, what string, choices []float64) (confirmed, error) {
	var b bench
	src, rec := b.draw(replayed(choices, middle))
	rec.quota, rec.fine = exactAtLast, band == fineBand
	if err := d.judge(src, rec); err != nil {
		return confirmed{}, err
	}
	f := confirmed{choices: values(b.src.Drawn), drawn: b.src.Drawn, links: b.rec.links,
		points: b.rec.points, axis: b.rec.axis}
	if b.rec.skipped != "" {
		return f, nil
	}
	for _, s := range b.rec.live {
		if s.worst.What != what {
			continue
		}
		f.pair, f.at = s.worst, s.at
		if f.at.tie {
			var err error
			if f.at, err = f.pair.judgeExactly(); err != nil {
				return f, err
			}
		}
		f.certified = f.pair.exactNow
	}
	return f, nil
}

// evidence fills in what a confirmed instance shows.
func (c *confirmed) evidence() Evidence {
	return Evidence{
		What: c.pair.What, Measured: c.pair.Measured, Claimed: c.pair.Claimed,
		Relation: c.pair.Relation, Sense: c.pair.sense, Tightness: c.at.ratio, Constant: nan,
		Level: nan, Low: nan, High: nan, Certified: c.certified && c.at.broken,
		Where: where(c.drawn), apart: c.pair.apart,
	}
}

// curveOf draws the points of a single instance.
func curveOf(points []point, axis [3]string) []Curve {
	if len(points) == 0 {
		return nil
	}
	c := Curve{Title: axis[0], XLabel: axis[1], YLabel: axis[2]}
	for _, p := range points {
		c.X = append(c.X, p.x)
		c.Claimed = append(c.Claimed, p.claimed)
		c.Median = append(c.Median, p.measured)
	}
	return []Curve{c}
}

func (d *Deterministic) replay(e *execution, t *token) (*Evidence, []Pair, error) {
	if t.domain != domainInstance {
		return nil, nil, errKind
	}
	var b bench
	if err := d.evaluate(&b, replayed(t.choices, middle)); err != nil {
		return nil, nil, err
	}
	if err := t.fits(b.src.Drawn); err != nil {
		return nil, nil, err
	}
	f, err := d.examine(t.what, t.choices)
	if err == nil && !f.at.broken {
		f, err = d.finely(e, f)
	}
	if err != nil {
		return nil, nil, err
	}
	var pairs []Pair
	for _, s := range b.rec.live {
		pairs = append(pairs, s.worst)
	}
	if f.pair.What == "" {
		return nil, pairs, fmt.Errorf("props: the instance of the token records no %q", t.what)
	}
	ev := f.evidence()
	ev.Trials, ev.outcome = 1, Consistent
	ev.Chain, ev.Curves = f.links, curveOf(f.points, f.axis)
	if f.at.broken {
		ev.outcome, ev.Violations, ev.Note = Refuted, 1, d.doubtful(e, &f)
	}
	if ev.Note != "" {
		ev.outcome = Inconclusive
	}
	ev.Replay = e.token(t.what, domainInstance, t.choices)
	return &ev, pairs, nil
}
