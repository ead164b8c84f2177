package props

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"sledge/props/certificate"
)

// agree is by how much a number may differ that is computed again in another order.
const agree = 1e-9

// rough is the same for numbers of which one may be exact.
const rough = 1e-6

// Coheres returns nil if the evidence is what the check of the claim can have written, whatever its
// runs have shown: in the order of its parts, none twice and none left out, with the fields of its
// kind, of the instances that the tokens name, and with decisions, limits and e-values that follow
// from the counts of runs where these say all. What runs and searches have counted it cannot know.
// Of evidence that is pooled over seeds the counts are those of several runs, and what a pooled
// test says is not looked at.
func (r *Remade) Coheres(evidence []Evidence, pooled bool) error {
	parts := r.claim.Check.parts()
	of := make([][]*Evidence, len(parts))
	last := 0
	for i := range evidence {
		e := &evidence[i]
		if e.Part < last || e.Part >= len(parts) {
			return fmt.Errorf("%q does not stand in the order of the parts of the check", e.What)
		}
		last = e.Part
		for _, other := range of[e.Part] {
			if e.What == other.What && e.Replay == other.Replay {
				return fmt.Errorf("%q is there twice", e.What)
			}
		}
		of[e.Part] = append(of[e.Part], e)
	}
	for i, p := range parts {
		if len(of[i]) == 0 {
			return fmt.Errorf("there is no evidence of part %d of the check", i)
		}
		for _, e := range of[i] {
			if err := r.coheres(p, e, pooled); err != nil {
				return fmt.Errorf("%q: %w", e.What, err)
			}
		}
		if pooled {
			continue
		}
		if err := r.unsettled(p, of[i]); err != nil {
			return err
		}
		x := newExecution(context.Background(), r.claim, &Config{Tier: r.tier}, i)
		if err := p.complete(x, of[i]); err != nil {
			return err
		}
	}
	return nil
}

// unsettled compares why a procedure has made no certificate with what it says.
func (r *Remade) unsettled(p part, evidence []*Evidence) error {
	why := ""
	if s := p.settlement(); s != nil && r.by[evidence[0].Part] == nil {
		_, why = s.make(r.tier)
	}
	for i, e := range evidence {
		_, searched := p.(*Deterministic)
		if want := why; i > 0 || want == "" {
			if e.Unsettled != "" && !(searched && e.outcome == Refuted) {
				return fmt.Errorf("%q: nobody has tried to settle it, and it is said why that failed",
					e.What)
			}
		} else if e.Unsettled != want {
			return fmt.Errorf("%q: the procedure gives another reason why it is not settled", e.What)
		}
	}
	return nil
}

// coheres looks at one piece of evidence: at what all kinds have in common, and then at its own.
func (r *Remade) coheres(p part, e *Evidence, pooled bool) error {
	by := r.by[e.Part]
	settled := by != nil && !by.Refutes && e.outcome == Proved
	_, whole := p.(*Enumerated)
	switch {
	case (e.Sense == Hidden) == math.IsNaN(e.Ratio), e.Sense == Hidden && !math.IsNaN(e.Tightness):
		return errors.New("a ratio belongs to a statement up to a constant, a tightness to others")
	case (e.Sense == Runs) == math.IsNaN(e.Allowed):
		return errors.New("runs alone are allowed to violate a statement with a probability")
	case !slices.Contains([]Sense{Plain, Hidden, Runs, Proposition, Distance}, e.Sense):
		return fmt.Errorf("its numbers stand for %q, which is nothing", e.Sense)
	case e.Sense == Proposition && (e.Relation != EQ || e.Claimed != 1 ||
		e.Measured != 0 && e.Measured != 1):
		return errors.New("it is no proposition, which is 1 or 0 and claimed to be 1")
	case e.Sense == Distance && (e.Relation != EQ || e.Claimed != 0):
		return errors.New("it is no distance, which is claimed to be 0")
	case e.Trials < 0 || e.Violations < 0 || e.Violations > e.Trials || e.Instances < 0:
		return errors.New("its counts do not fit each other")
	case !math.IsNaN(e.Excluded) && !(e.Excluded > 0 && e.Excluded <= 1):
		return fmt.Errorf("the excluded share is %v", e.Excluded)
	case e.Constant < 0:
		return fmt.Errorf("its constant is %v", e.Constant)
	case e.Low > e.High:
		return errors.New("its limits are exchanged")
	case e.Certified && !whole && !settled && e.Certificate == nil && e.outcome != Refuted,
		!e.Certified && (whole || settled):
		return errors.New("it is not what is said to be certified")
	case e.outcome != Proved && (e.Scope != "" || e.Covers != ""):
		return errors.New("it has the scope of a proof and is none")
	case e.SaidPower != "" || e.SaidRegime != "":
		return errors.New("it has fields of earlier programs")
	}
	if e.Replay == "" {
		if e.outcome == Vacuous && e.Measured == 0 && e.Claimed == 1 && e.Relation == GE {
			return nil
		}
		return errors.New("its replay token is missing")
	}
	if pooled && strings.HasPrefix(e.Note, pooledOver) {
		return nil
	}
	t, err := parseToken(e.Replay)
	if err != nil {
		return err
	}
	cfg := &Config{Seed: t.seed, Tier: t.tier, Alpha: t.alpha, Tests: t.tests}
	x := newExecution(context.Background(), r.claim, cfg, e.Part)
	x.proved, x.pooled = by != nil && !by.Refutes, pooled
	return p.coheres(x, t, e)
}

// plainly refuses the fields of evidence about runs in other evidence.
func (e *Evidence) plainly() error {
	s := e.Screening
	switch {
	case !math.IsNaN(e.Level) || !math.IsNaN(e.Low) || !math.IsNaN(e.High),
		e.EValues != nil, e.Quantiles != nil, s != Screening{}, e.Control != nil,
		e.Content != Content{}, e.Regime != nil, e.Shared, e.Loose:
		return errors.New("it has what evidence about runs alone has")
	}
	return nil
}

func (d *Deterministic) coheres(x *execution, _ *token, e *Evidence) error {
	if e.Power.Of != Excess || e.Power.Probability != 1 || e.Power.Size <= 0 || e.Power.Within < 0 {
		return errors.New("what it would have noticed is not what a search notices")
	}
	reach := multiple(e.Relation, e.Tightness)
	if e.Relation == LE && e.Constant < reach*(1-rough) ||
		e.Relation == GE && e.Constant > reach*(1+rough) {
		return fmt.Errorf("its constant is %v, and its instance needs %v", e.Constant, reach)
	}
	if x.control == nil {
		return e.plainly()
	}
	plain := *e
	plain.Control, plain.Loose = nil, false
	return errors.Join(plain.plainly(), x.controls(e))
}

// complete holds the comparisons of the evidence against those that its instances make.
func (d *Deterministic) complete(_ *execution, evidence []*Evidence) error {
	told := map[string]bool{}
	for _, e := range evidence {
		if told[e.What] {
			return fmt.Errorf("%q is there twice", e.What)
		}
		told[e.What] = true
	}
	for _, e := range evidence {
		t, err := parseToken(e.Replay)
		if err != nil {
			continue
		}
		names, err := guard(func() (names []string, err error) {
			var b bench
			err = d.evaluate(&b, replayed(t.choices, middle))
			for _, s := range b.rec.live {
				names = append(names, s.worst.What)
			}
			return names, err
		})
		for _, what := range names {
			if err == nil && !told[what] {
				return fmt.Errorf("the check compares %q, of which there is no evidence", what)
			}
		}
	}
	return nil
}

func (x *Enumerated) coheres(_ *execution, t *token, e *Evidence) error {
	switch {
	case e.Where != x.domain:
		return errors.New("what is enumerated is something else")
	case t.domain != domainWhole || t.what != e.What:
		return errors.New("the replay token is of other evidence")
	case (e.Violations > 0) != (e.outcome == Refuted) && e.Tried == Unknown,
		e.Power != Power{}, e.Simplest != nil, e.Instances != 0, !math.IsNaN(e.Excluded),
		math.IsNaN(e.Constant) != (e.Relation == EQ || math.IsNaN(e.Tightness)),
		!math.IsNaN(e.Constant) && e.Constant != e.Tightness:
		return errors.New("it is not what an enumeration finds")
	}
	return e.plainly()
}

// complete compares the counts and the numbers of an enumeration with its certificate.
func (x *Enumerated) complete(by *execution, evidence []*Evidence) error {
	count := 0
	for _, e := range evidence {
		count += e.Trials
	}
	for _, e := range evidence {
		if e.Certificate == nil {
			continue
		}
		var proof certificate.EnumerationProof
		if e.Certificate.Kind != certificate.Enumeration ||
			json.Unmarshal(e.Certificate.Proof, &proof) != nil {
			return x.again(by, evidence) // a procedure has the last word, of other numbers
		}
		if proof.Comparisons != count {
			return fmt.Errorf("%q: there are %d comparisons, and %d in the certificate", e.What,
				count, proof.Comparisons)
		}
		if len(proof.Rows) == 0 { // too many to be made here
			return nil
		}
		return x.again(by, evidence)
	}
	return errors.New("the certificate of the enumeration is missing")
}

// again makes a short enumeration again, all of whose numbers must come out.
func (x *Enumerated) again(by *execution, evidence []*Evidence) error {
	made, err := guard(func() ([]Evidence, error) { return x.run(by) })
	if err != nil {
		return err
	}
	if len(made) != len(evidence) {
		return fmt.Errorf("there are %d comparisons of an enumeration, it makes %d", len(evidence),
			len(made))
	}
	for i, e := range evidence {
		if m := &made[i]; e.What != m.What || e.Relation != m.Relation || e.Sense != m.Sense ||
			e.Trials != m.Trials || e.Violations != m.Violations ||
			!sameNumber(e.Measured, m.Measured) || !sameNumber(e.Claimed, m.Claimed) ||
			e.Sense != Hidden && !sameNumber(e.Tightness, m.Tightness) ||
			!sameNumbers(e.Chain, m.Chain) || !sameNumbers(e.Curves, m.Curves) {
			return fmt.Errorf("%q: made again, the enumeration finds something else", e.What)
		}
	}
	return nil
}

func (o *order) coheres(_ *execution, t *token, e *Evidence) error {
	inverse := e.What == sideName(true)
	relation := map[bool]Relation{false: LE, true: GE}[inverse]
	if e.What != sideName(inverse) || inverse && !o.both || e.Relation != relation ||
		e.Sense != Hidden || t.domain != domainWhole || t.what != e.What ||
		e.Power != (Power{GrowthRate, growing, 1, 0}) || e.Instances != 0 ||
		!math.IsNaN(e.Excluded) {
		return errors.New("it is not what the search for the largest ratio finds")
	}
	type found struct{ ratio, measured, claimed float64 }
	var src *Source
	f, err := guard(func() (f found, err error) {
		src = NewSource(replayed(t.choices, middle))
		f.ratio, f.measured, f.claimed, err = o.ratio(src, inverse)
		return f, err
	})
	switch {
	case err != nil:
		return err
	case where(src.Drawn) != e.Where:
		return errors.New("the instance of the replay token is not the one that is told")
	case f.measured != e.Measured || f.claimed != e.Claimed || math.Exp(f.ratio) != e.Ratio:
		return fmt.Errorf("measured %v and claimed %v are recorded, and %v and %v are found",
			e.Measured, e.Claimed, f.measured, f.claimed)
	}
	if e.Constant != e.Ratio && !(math.IsNaN(e.Constant) && e.tried() == Refuted) {
		return errors.New("its constant is not the largest ratio")
	}
	return errors.Join(e.plainly(), o.levels(e))
}

// levels holds the outcome against the curve of the largest ratios, from which it follows.
func (o *order) levels(e *Evidence) error {
	if len(e.Curves) != 1 || len(e.Curves[0].X) != len(fractions) ||
		len(e.Curves[0].Median) != len(fractions) {
		return errors.New("the curve of the largest ratios is missing")
	}
	x, m := e.Curves[0].X, e.Curves[0].Median
	end := len(m) - 1
	if m[end] != e.Ratio {
		return errors.New("the curve of the largest ratios does not end in the ratio")
	}
	growth := func(k int) float64 { return math.Log(m[k]/m[k-1]) / ((x[k] - x[k-1]) * math.Ln10) }
	last, before := growth(end), growth(end-1)
	outcome := e.tried()
	grows := last > growing-agree && before > growing-agree && last > before/2-agree
	certified := e.Certificate != nil && e.Certificate.Refutes
	if outcome == Consistent && last > levelled+agree || outcome == Refuted && !grows && !certified {
		return fmt.Errorf("the curve of the largest ratios does not say that it is %s", outcome)
	}
	return nil
}

func (o *order) complete(_ *execution, evidence []*Evidence) error {
	want := 1
	if o.both {
		want = 2
	}
	if len(evidence) != want {
		return fmt.Errorf("%d sides of an order have evidence, %s of it are compared", len(evidence),
			plural(want, "side"))
	}
	return nil
}

func (r *sampled[T]) coheres(e *execution, t *token, ev *Evidence) error {
	if t.domain != domainConfirm || t.what != ev.What {
		return errors.New("the replay token is of other evidence")
	}
	if ev.Sense != Runs && ev.Sense != Plain {
		return fmt.Errorf("runs compare no %s", ev.Sense)
	}
	if r.standIn != "" {
		e.own = standInLevel
	}
	var src *Source
	inst, err := guard(func() (inst T, err error) {
		src = NewSource(replayed(t.choices, middle))
		return r.setup(src), nil
	})
	if err != nil {
		return err
	}
	if err := t.fits(src.Drawn); err != nil {
		return err
	}
	regime := r.method.regime(&inst)
	content := Content{regime.Matter, ev.Content.Share, Num(regime.Least)}
	switch share := ev.Content.Share; {
	case where(src.Drawn) != ev.Where:
		return errors.New("the instance of the replay token is not the one that is told")
	case !slices.Equal(ev.Regime, regime.Conditions):
		return errors.New("the conditions of its regime are not those of the instance")
	case ev.Content == Content{} && (regime.Matter == "" || !(regime.Least > 0)):
	case ev.Content.Matter != content.Matter || ev.Content.Least != content.Least || share.Known() &&
		!(share >= 0 && share <= 1):
		return errors.New("its content is not what the statement asks for")
	}
	if err := e.controls(ev); err != nil {
		return err
	}
	if t.rank == r.tested(e.cfg.Tier) { // what the search met beyond those tested
		return nil
	}
	if ev.outcome == Vacuous {
		return nil
	}
	within := regime.Met() && regime.Shown(float64(ev.Content.Share))
	if !within && ev.tried() != Refuted {
		return errors.New("its instance has no content, and nothing is refuted on it")
	}
	if ev.outcome == Proved && ev.Tried == Unknown || ev.Certified && ev.Certificate == nil &&
		ev.outcome != Proved {
		return errors.New("no run proves anything")
	}
	if slope := r.kind == "slope"; ev.Level != e.level() && !(slope && math.IsNaN(ev.Level)) {
		return fmt.Errorf("its level is %v, that of the run %v", ev.Level, e.level())
	}
	if v := ev.EValues; v != nil && (v.Tested < 1 || v.Tested > r.tested(e.cfg.Tier) ||
		v.Doubtful < 0 || v.Doubtful+ev.Violations > ev.Trials && ev.Sense == Runs) {
		return errors.New("the counts of its tests do not fit")
	}
	if r.method.coheres == nil || e.pooled && ev.EValues == nil { // whose counts are summed
		return nil
	}
	return r.method.coheres(e, &inst, r.effort, ev)
}

func (r *sampled[T]) complete(*execution, []*Evidence) error { return nil }

// tried is what trying came to.
func (e *Evidence) tried() Verdict {
	if e.Tried != Unknown {
		return e.Tried
	}
	return e.outcome
}

// decided holds the outcome of a test by e-values against these. Those of a stand-in are not kept,
// and one that is infinite is null.
func (e *Evidence) decided() error {
	v := e.EValues
	if v == nil {
		return nil
	}
	need := Num(-math.Log10(e.Level))
	switch outcome := e.tried(); {
	case outcome == Supported && v.For.Known() && v.For < need-agree,
		outcome == Refuted && e.Certificate == nil && v.Against.Known() && v.Against < need-agree &&
			e.Sense == Runs,
		outcome != Refuted && outcome != Inconclusive && v.Against > need+agree:
		return fmt.Errorf("its e-values do not say that it is %s", outcome)
	}
	return nil
}

// bernoulli holds evidence about the probability of an event against the counts of runs, on which
// the test rests.
func (e *Evidence) bernoulli(x *execution, effort, delta float64) error {
	if e.Sense != Runs || e.Allowed != delta {
		return fmt.Errorf("it allows the probability %v, the instance %v", e.Allowed, delta)
	}
	test := newBernoulliTest(x, effort, delta)
	test.n, test.k = e.Trials, e.Violations
	if e.EValues != nil {
		test.unsettled = e.EValues.Doubtful
	}
	same := func(a, b float64) bool {
		return a == b || math.IsNaN(a) && math.IsNaN(b) ||
			math.Abs(a-b) <= agree*max(1, math.Abs(a), math.Abs(b))
	}
	low, _ := bernoulliLimits(test.k, test.n, test.level)
	if !same(low, e.Low) {
		return fmt.Errorf("the lower limit is %v, that of its runs %v", e.Low, low)
	}
	// a test that would have refuted, but for rounding, has noticed what there is
	need := -math.Log(test.level) - agree
	decided := delta > 0 && logAgainst(float64(test.k), float64(test.n), delta) >= need
	if p := test.power(); e.tried() != Refuted && !decided && x.own == 0 &&
		(p.Of != e.Power.Of || p.Within != e.Power.Within ||
			p.Probability != e.Power.Probability || !same(float64(p.Size), float64(e.Power.Size))) {
		return errors.New("what its runs would have noticed is something else")
	}
	if delta == 0 {
		if e.tried() == Refuted && test.k == 0 && e.Certificate == nil ||
			e.tried() == Consistent && test.k > 0 {
			return fmt.Errorf("%s of %s do not say that it is %s", plural(test.k, "violation"),
				plural(test.n, "run"), e.tried())
		}
		return nil
	}
	if e.EValues == nil {
		if x.own > 0 && e.outcome == Inconclusive {
			return nil
		}
		return errors.New("its e-values are missing")
	}
	_, high := bernoulliLimits(test.k+test.unsettled, test.n, test.level)
	against := logAgainst(float64(test.k), float64(test.n), delta)
	favour := logFor(float64(test.k+test.unsettled), float64(test.n), delta)
	v := e.EValues
	switch {
	case !same(high, e.High):
		return fmt.Errorf("the upper limit is %v, that of its runs %v", e.High, high)
	case !same(against/math.Ln10, float64(v.Against)) && !math.IsInf(against, 0),
		!same(favour/math.Ln10, float64(v.For)) && !math.IsInf(favour, 0):
		return errors.New("its e-values are not those of its runs")
	}
	o, supported, refuted := e.tried(), favour >= need, against >= need
	if (o == Supported || o == Consistent) && !supported ||
		o == Refuted && !refuted && e.Certificate == nil {
		return fmt.Errorf("%s of %s do not say that it is %s", plural(test.k, "violation"),
			plural(test.n, "run"), o)
	}
	return nil
}

// tightly holds the tightness against the numbers that it is of, and the constant against it.
func (e *Evidence) tightly() error {
	if e.Constant != e.Tightness && !(math.IsNaN(e.Constant) && e.Relation == Near) &&
		!math.IsNaN(e.Tightness) {
		return fmt.Errorf("its constant is %v, its tightness %v", e.Constant, e.Tightness)
	}
	p := e.pair()
	if r := p.ratio(); r != e.Tightness && !math.IsNaN(r) && !math.IsInf(r, 0) {
		return fmt.Errorf("its tightness is %v, that of its numbers %v", e.Tightness, r)
	}
	return nil
}

// controls refuses what no control of the claim can have shown.
func (e *execution) controls(ev *Evidence) error {
	if c := ev.Control; c != nil && (e.control == nil || c.Control != *e.control || c.Changed < 0 ||
		c.Against < 0 || c.Changed+c.Against > c.Pairs || c.Tells && c.Open) {
		return errors.New("the control is not that of the claim")
	}
	return nil
}
