package props

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"sledge/props/keyed"
)

// Mechanism is what a negative control takes away from the runs of a claim.
type Mechanism string

// The mechanisms, in the words of a ledger.
const (
	// Errors are those of a gradient estimator: in the control the oracle answers every question
	// with ∇f.
	Errors Mechanism = "exact gradients"
	// Heterogeneity is taken away by components, or clients, that are all alike.
	Heterogeneity Mechanism = "zeta = 0"
	Noise         Mechanism = "no noise" // that a method adds to its steps
	// Tenth leaves a tenth of the horizon of a [HittingTrial], by the engine alone.
	Tenth     Mechanism = "a tenth of the horizon"
	OneClient Mechanism = "one client"
)

// Mechanisms lists them.
var Mechanisms = []Mechanism{Errors, Heterogeneity, Noise, Tenth, OneClient}

// Control is the negative control of a claim about runs: the number that its runs yield, a time or
// a tightness, is to change by a factor without the mechanism that the claim is about. A claim
// whose control is not told from it is [Evidence.Loose].
//
// Pairs of runs on the same randomness decide, one with and one without, each on an instance of its
// own, until a sequential test has decided. The instances are drawn evenly: first come those that
// the search for bad ones has drawn so, in random order. The share of pairs that change by the
// factor upwards less the share that change downwards is between -1 and 1, and 0 where the
// mechanism does nothing but shift luck about. If it is shown to be above a tenth, in one direction
// or the other, the control is told from the claim; if it is shown to be below a quarter in both,
// it is not. Each of these words is wrong with a probability of at most 2e-4 whatever the share is,
// for independent draws, than which those of the search are spread more evenly; between the two
// shares either may come out, and nothing does if a thousand pairs do not show one: then the claim
// is not as expected.
//
// A check takes part by asking [Trial.Without] where it makes a run, or [Source.Without] where it
// draws an instance. One that asks neither has the same runs with and without, and is loose. Checks
// without randomness, such as means over all outcomes of a run, take part if they ask their source:
// the tightness of their tightest inequality is the number.
type Control struct {
	Without Mechanism `json:"without"`
	Factor  float64   `json:"factor"` // above 1
}

// DefaultFactor is that of a [Control] which names none.
const DefaultFactor = 2.2

// ParseControl reads the words of a ledger: a mechanism, and "changes time by" or "changes
// tightness by" with a factor after it if that is not [DefaultFactor].
func ParseControl(text string) (Control, error) {
	name, change, given := strings.Cut(text, " changes ")
	c := Control{Mechanism(name), DefaultFactor}
	if !slices.Contains(Mechanisms, c.Without) {
		return c, fmt.Errorf("%q is no control; they are %q", name, Mechanisms)
	}
	if !given {
		return c, nil
	}
	_, by, ok := strings.Cut(change, " by ")
	if _, err := fmt.Sscanf(by, "%g", &c.Factor); !ok || err != nil || !(c.Factor > 1) {
		return c, fmt.Errorf("%q does not say by which factor above 1 the evidence changes", text)
	}
	return c, nil
}

// Without reports whether an instance is drawn for a control that takes the mechanism away. It is
// to have the same choices, constants and bounds as with it.
func (s *Source) Without(m Mechanism) bool {
	s.asked = true
	return s.without == m
}

// Controlled is what a control showed, by pairs of runs on the same randomness, mostly each on an
// instance of its own.
type Controlled struct {
	Control
	// factor by which the number changes, 1 or more, null if that is infinite; for times a lower
	// bound once it is above the factor of the control, beyond which they are not followed
	Median Num `json:"median"`
	Pairs  int `json:"pairs"` // of runs
	// pairs in which it changes by the factor of the control, in the direction of most
	Changed int  `json:"changed"`
	Against int  `json:"against,omitempty"` // pairs in which it does so in the other direction
	Tells   bool `json:"tells"`             // apart the runs of the claim and those of its control
	Open    bool `json:"open,omitempty"`    // whether it does could not be decided
}

// The two hypotheses about the share of pairs that change, see [Control], and the level at which
// each of four tests rejects: above and below, in both directions.
const (
	shareOfNone  = 0.1
	shareOfSome  = 0.25
	controlLevel = 1e-4
)

// controlPairs are made at most. Their instances are drawn evenly; but where of so many instances
// as controlLook, beyond those of the search, less than one in controlRare lies in the regime of
// the statement and shows its content, the others are those that the search has met there, again
// and again. These are kin to each other, and a share of them says less.
const (
	controlPairs = 1000
	controlLook  = 1500
	controlRare  = 100
	controlTries = 40 * controlPairs
)

// numbered is one run of a control: ok is false if it says nothing.
type numbered[T any] func(inst *T, b *bench, t Trial) (x float64, ok bool, err error)

// pairing makes the pairs of runs of a control.
type pairing[T any] struct {
	r       *sampled[T]
	key     keyed.Key
	control Control
	b       bench
}

// factor makes the i-th pair of runs on the instance with the given choices, and returns by which
// factor the number is larger with the mechanism than without; ok is false if the instance lies
// outside the regime, or the run with the mechanism says nothing or does not show the content that
// the regime asks for.
func (p *pairing[T]) factor(choose Chooser, i int) (x float64, ok bool, err error) {
	src := NewSource(choose)
	with := p.r.setup(src)
	if vacuous, malformed := p.r.method.refuse(&with); vacuous != "" || malformed != nil {
		return 0, false, malformed
	}
	regime := p.r.method.regime(&with)
	if !regime.Met() {
		return 0, false, nil
	}
	var m content
	key := p.key.At(i).With("run")
	x, ok, err = p.r.method.number(&with, &p.b, Trial{Key: key, N: i, matter: &m, room: &p.b.room})
	if err != nil || !ok || !regime.Shown(m.mean()) {
		return 0, false, err
	}
	without := with
	if src.asked { // else it is the same instance
		src = NewSource(replayed(values(src.Drawn), middle))
		src.without = p.control.Without
		without = p.r.setup(src)
	}
	if p.control.Without == Tenth {
		p.r.method.tenth(&without)
	}
	run := Trial{Key: key, N: i, without: p.control.Without, room: &p.b.room}
	if p.r.method.tenth != nil && p.control.Factor*x < 1e9 { // numbers are times
		run.enough = int(math.Ceil(p.control.Factor * x))
	}
	y, some, err := p.r.method.number(&without, &p.b, run)
	if err != nil {
		return 0, false, fmt.Errorf("%w in a control (%s)", err, run.without)
	}
	if !some { // nothing is left to be compared
		y = 0
	}
	if run.enough > 0 { // whoever is later has perhaps not been followed longer
		y = min(y, float64(run.enough)+1)
	}
	return change(x, y), true, nil
}

// controlled makes pairs of runs until they have decided.
func (r *sampled[T]) controlled(e *execution, s *screening[T]) (*Controlled, error) {
	if e.control.Without == Tenth && r.method.tenth == nil {
		return nil, fmt.Errorf(
			"props: a check of the kind %q has no horizon of which a control takes a tenth", r.kind)
	}
	p := &pairing[T]{r: r, key: e.stream("control"), control: *e.control}
	var known, even []*proposal[T] // in the regime
	for _, q := range s.all {
		if q.inside() {
			if known = append(known, q); q.even {
				even = append(even, q)
			}
		}
	}
	// the search has sorted them by suspicion
	p.key.With("order").Rand().Shuffle(len(even),
		func(i, j int) { even[i], even[j] = even[j], even[i] })
	look := len(even) + controlLook
	pairs := newPaired(*e.control)
	own, rare := 0, false // pairs on instances of the search
	for i := 0; i < controlTries && len(pairs.factors) < controlPairs; i++ {
		if err := e.ctx.Err(); err != nil {
			return nil, err
		}
		switch i {
		case len(even):
			own = len(pairs.factors)
		case look:
			rare = (len(pairs.factors)-own)*controlRare < controlLook
		}
		if rare && (len(known) == 0 || i == look+2*controlPairs) {
			break
		}
		var choose Chooser
		switch {
		case i < len(even):
			choose = replayed(even[i].choices, middle)
		case rare:
			choose = replayed(known[i%len(known)].choices, middle)
		default:
			choose = uniform(p.key.At(i).With("instance").Rand())
		}
		factor, ok, err := p.factor(choose, i)
		if err != nil {
			return nil, err
		}
		if ok && pairs.observe(factor) {
			break
		}
	}
	return pairs.shown(), nil
}

// paired is what the pairs of a control have shown so far.
type paired struct {
	control       Control
	up, down      shareTest
	factors       []float64
	higher, lower int
}

func newPaired(c Control) *paired {
	return &paired{control: c, up: newShareTest(), down: newShareTest()}
}

// observe adds the factor of a pair, and reports whether it is decided what the control shows.
func (p *paired) observe(factor float64) (decided bool) {
	sign := 0.0
	if p.factors = append(p.factors, factor); factor >= p.control.Factor {
		sign = 1
		p.higher++
	} else if factor <= 1/p.control.Factor {
		sign = -1
		p.lower++
	}
	p.up.observe(sign)
	p.down.observe(-sign)
	return p.tells() || p.none()
}

func (p *paired) tells() bool { return p.up.some() || p.down.some() }
func (p *paired) none() bool  { return p.up.none() && p.down.none() }

func (p *paired) shown() *Controlled {
	out := &Controlled{Control: p.control, Pairs: len(p.factors), Tells: p.tells(),
		Changed: max(p.higher, p.lower), Against: min(p.higher, p.lower), Median: Num(nan)}
	out.Open = out.Pairs > 0 && !out.Tells && !p.none()
	if out.Pairs > 0 {
		slices.Sort(p.factors)
		m := p.factors[out.Pairs/2]
		out.Median = Num(max(m, 1/m))
	}
	return out
}

// shareTest decides whether the mean of independent numbers between -1 and 1 is above shareOfNone
// or below shareOfSome.
type shareTest struct{ above, below *bettingMean }

func newShareTest() shareTest {
	return shareTest{newBettingAbove(shareOfNone, -1), newBettingBelow(shareOfSome, 1)}
}

func (t shareTest) observe(x float64) {
	t.above.Observe(x)
	t.below.Observe(x)
}

func (t shareTest) some() bool { return t.above.Rejects(controlLevel) }
func (t shareTest) none() bool { return t.below.Rejects(controlLevel) }

// negligible is what a time or a tightness is of the size of: below it there is rounding alone.
const negligible = 0x1p-53

// change is x/y, 1 for two numbers that are both nothing, or both infinite.
func change(x, y float64) float64 {
	if x == y || max(x, y) < negligible {
		return 1
	}
	return x / y
}

// control runs the control of the claim where evidence stands. If it is not told from the claim all
// of that is loose.
func (r *sampled[T]) control(e *execution, s *screening[T], evidence []Evidence) error {
	if e.control == nil || r.standIn != "" || r.method.number == nil {
		return nil
	}
	stands := func(ev *Evidence) bool { return ev.outcome == Supported || ev.outcome == Consistent }
	return withControl(evidence, stands, func() (*Controlled, error) { return r.controlled(e, s) })
}

// withControl makes a control, once, where evidence stands, and has it decide which of that is loose.
func withControl(evidence []Evidence, stands func(*Evidence) bool,
	control func() (*Controlled, error)) error {
	var c *Controlled
	for k := range evidence {
		ev := &evidence[k]
		if !stands(ev) {
			continue
		}
		if c == nil {
			var err error
			if c, err = control(); err != nil {
				return err
			}
			ev.Control, ev.Note = c, sentence(ev.Note, c.words())
		}
		ev.Loose = ev.Loose || !c.Tells && !c.Open
	}
	return nil
}

// drawn is an instance of a search, and how tight its tightest inequality is.
type drawn struct {
	choices   []float64
	tightness float64
}

// tightest is the tightness of the tightest inequality that was recorded, 0 if there is none.
func (r *Recorder) tightest() float64 {
	most := 0.0
	for _, s := range r.live {
		if s.worst.Relation != EQ && !s.at.void && r.skipped == "" {
			most = max(most, unless(s.at.ratio, 0))
		}
	}
	return most
}

// control evaluates instances without the mechanism of the control of the claim, where evidence
// stands and the check asks its source about it: first those that the search has drawn evenly. An
// instance on which nothing but 0 is compared with a bound says nothing.
func (d *Deterministic) control(e *execution, l *ledger, evidence []Evidence) error {
	if e.control == nil || !l.asked {
		return nil
	}
	stands := func(ev *Evidence) bool { return ev.outcome == Consistent && ev.Relation != EQ }
	return withControl(evidence, stands, func() (*Controlled, error) { return d.controlled(e, l) })
}

func (d *Deterministic) controlled(e *execution, l *ledger) (*Controlled, error) {
	pairs, key := newPaired(*e.control), e.stream("control")
	var with, without bench
	without.src.without = e.control.Without
	for i := 0; i < len(l.drawn)+controlLook && len(pairs.factors) < controlPairs; i++ {
		if err := e.ctx.Err(); err != nil {
			return nil, err
		}
		var one drawn
		if i < len(l.drawn) {
			one = l.drawn[i]
		} else {
			if err := d.evaluate(&with, uniform(key.At(i).Rand())); err != nil {
				return nil, err
			}
			one = drawn{values(with.src.Drawn), with.rec.tightest()}
		}
		if one.tightness < negligible {
			continue
		}
		if err := d.evaluate(&without, replayed(one.choices, middle)); err != nil {
			return nil, fmt.Errorf("%w in a control (%s)", err, e.control.Without)
		}
		if pairs.observe(change(one.tightness, without.rec.tightest())) {
			break
		}
	}
	return pairs.shown(), nil
}

// words says that a control is not told from its claim; nothing if it is.
func (c *Controlled) words() string {
	switch {
	case c.Tells:
		return ""
	case c.Pairs == 0:
		return fmt.Sprintf("loose: no run of its control (%s) meets the premise", c.Without)
	case c.Open:
		return fmt.Sprintf(
			"whether its control (%s) is told from it is open: it changes the number by %s or more in %d of "+
				"%d pairs of runs", c.Without, Number(c.Factor, 3), c.Changed, c.Pairs)
	}
	return fmt.Sprintf(
		"loose: its control (%s) changes the number by %s in the median of %d pairs of runs, and by %s or "+
			"more in %d of them: in fewer than a quarter, at error level %.0e", c.Without,
		Number(float64(c.Median), 3), c.Pairs,
		Number(c.Factor, 3), c.Changed, 2*controlLevel)
}

func tailNumber(inst *TailTrial, b *bench, t Trial) (float64, bool, error) {
	o, err := tailRun(inst, b, t)
	if o.broken && !(o.ratio > 1) { // by more than a ratio can say
		o.ratio = math.Inf(1)
	}
	return o.ratio, !o.skipped, err
}

func hittingNumber(inst *HittingTrial, _ *bench, t Trial) (float64, bool, error) {
	time, ok := inst.Run(t)
	if !ok || time > inst.Horizon {
		return math.Inf(1), true, nil
	}
	return float64(time), true, nil
}

func meanNumber(inst *MeanTrial, b *bench, t Trial) (float64, bool, error) {
	x, err := meanRun(inst, b, t)
	return math.Abs(x), true, err
}

// isLoose reports whether some evidence is loose, and all that runs support or leave standing is.
func isLoose(evidence []Evidence) bool {
	found := false
	for i := range evidence {
		ev := &evidence[i]
		switch {
		case ev.Loose:
			found = true
		case ev.outcome == Supported, ev.outcome == Consistent && (ev.EValues != nil ||
			ev.Control != nil):
			return false
		}
	}
	return found
}

// Loose reports whether the statement says more than its runs can be asked to show: all that they
// support is below a hundredth of its bound, or cannot be told from its [Control].
func (r *Result) Loose() bool { return r.Err == "" && isLoose(r.Evidence) }

// untold says that a control is not told from the claim, where the claim is expected to have one
// that is.
func (r *Result) untold() string {
	if r.Claim.Control == nil || r.Claim.MayBeLoose {
		return ""
	}
	var best *Controlled
	for i := range r.Evidence {
		c := r.Evidence[i].Control
		switch {
		case c == nil:
			continue
		case c.Tells:
			return ""
		case best == nil || c.Changed*best.Pairs > best.Changed*c.Pairs:
			best = c
		}
	}
	if best == nil {
		return ""
	}
	return fmt.Sprintf(
		"the control (%s) is not told from the claim: it changes the number in %d of %s of runs",
		best.Without, best.Changed, plural(best.Pairs, "pair"))
}
