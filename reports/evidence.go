package reports

import (
	"fmt"
	"math"
	"strings"

	"sledge/props"
)

// Evidence is a piece of evidence for which words are found. A number that does not apply, and one
// that is infinite, is null in report.json.
type Evidence struct{ props.Evidence }

// Noticeable says what the evidence could have noticed; nothing if that is not known.
func (e *Evidence) Noticeable() string { return list("; ", e.SaidPower, e.power(), e.screened()) }

func (e *Evidence) power() string {
	p := &e.Power
	size := props.Number(float64(p.Size), 3)
	runs := plural(p.Within, "run")
	switch p.Of {
	case props.Excess:
		if !p.Size.Known() {
			return ""
		}
		s := fmt.Sprintf("would have noticed a relative excess above %s at any of %s", size,
			plural(p.Within, "comparison"))
		if known(e.Excluded) {
			s += fmt.Sprintf(
				"; a violation on more than %s %% of the instances would have been met with probability 0.95",
				props.Number(100*e.Excluded, 2))
		}
		return s
	case props.ViolationRate:
		if e.Allowed == 0 {
			return fmt.Sprintf(
				"would have noticed a violation probability above %s with probability %s", size,
				p.Probability)
		}
		return fmt.Sprintf(
			"a violation probability of %s would be refuted with probability at least %s within %s "+
				"(the e-process at level %s, by the exact binomial law)", size, p.Probability, runs,
			props.Number(e.Level, 2))
	case props.MeanValue:
		if !p.Size.Known() {
			return fmt.Sprintf(
				"no mean that a sample admits would be refuted with probability %s within %s",
				p.Probability,
				runs)
		}
		return fmt.Sprintf("a mean of %s would be refuted with probability %s within %s "+
			"(simulated with the samples seen, shifted)",
			p.Size, p.Probability, runs)
	case props.SampleValue:
		return fmt.Sprintf("a single sample beyond %s would refute it", p.Size)
	case props.LawDistance:
		return fmt.Sprintf(
			"a law at distance %s or more would be refuted with probability at least %s", size,
			p.Probability)
	case props.GrowthRate:
		return fmt.Sprintf(
			"persistent growth by a power above %s of the widest parameter would be refuted", size)
	case props.SlopeValue:
		switch {
		case p.Size.Known():
			return fmt.Sprintf("an exponent beyond %s would be refuted, most of the time "+
				"(margin and the width %s between the limits)",
				size, props.Number(e.High-e.Low, 3))
		case !known(e.Level):
			return "exponents of means of unknown range are not decided"
		}
		return "the limits do not bound the exponent yet: more runs, or a smaller range, would be needed"
	}
	return ""
}

// screened says what the search for the instances would have found.
func (e *Evidence) screened() string {
	s := &e.Screening
	if *s == (props.Screening{}) {
		return ""
	}
	drawn := plural(e.Instances, "instance") + " drawn and screened"
	if s.Whole {
		drawn = fmt.Sprintf("all %s screened", plural(e.Instances, "instance"))
	}
	if !s.Found.Known() {
		return drawn
	}
	digits := func(n props.Num, digits int) string { return props.Number(float64(n), digits) }
	return fmt.Sprintf(
		"%s: one that violates it with probability %s would have come to be tested with probability %s, "+
			"and one of a share of %s "+
			"of such instances with probability 0.95", drawn, digits(s.Rate, 3), digits(s.Found,
			2), props.Number(e.Excluded, 2))
}

// Conditions says which conditions for the content of the statement the instance meets, and what
// its runs showed; nothing if none are declared.
func (e *Evidence) Conditions() string {
	var met, unmet []string
	for _, c := range e.Regime {
		if c.Met {
			met = append(met, c.What)
		} else {
			unmet = append(unmet, c.What)
		}
	}
	s := list("; ", e.SaidRegime, strings.Join(met, ", "))
	if len(unmet) > 0 {
		s = list("; ", s, "not met: "+strings.Join(unmet, ", "))
	}
	percent := func(share props.Num) string { return props.Number(100*float64(share), 3) + " %" }
	switch c := &e.Content; {
	case c.Matter == "":
	case !c.Share.Known():
		s = list("; ", s, c.Matter+": never reported")
	case c.Least > 0:
		s = list("; ", s, fmt.Sprintf("%s: %s, at least %s asked", c.Matter, percent(c.Share),
			percent(c.Least)))
	default:
		s = list("; ", s, c.Matter+": "+percent(c.Share))
	}
	return s
}

// Times says the quantiles of the values of runs, against what is claimed of them; nothing if there
// are none.
func (e *Evidence) Times() string {
	var said []string
	for _, q := range e.Quantiles {
		name := props.Number(100*float64(q.At), 3) + " % quantile"
		if q.Value.Known() {
			said = append(said, fmt.Sprintf("%s %s of %s", name, q.Value, number(e.Claimed)))
		} else {
			said = append(said, fmt.Sprintf("%s beyond %s", name, number(e.Claimed)))
		}
	}
	return list("; ", said...)
}

// Remarks is what else there is to say about the evidence: how often runs violate the claim and
// may, quantiles, the note, and numbers that are infinite.
func (e *Evidence) Remarks() string {
	var said []string
	if e.Sense == props.Runs && known(e.Allowed) {
		said = append(said, fmt.Sprintf("%d of %s violate it, the claim allows a probability of %s",
			e.Violations, plural(e.Trials, "run"), number(e.Allowed)))
	}
	said = append(said, e.Times())
	switch {
	case e.Tried != props.Unknown:
		said = append(said, "tried beside the proof: "+e.Tried.String())
	case e.Outcome() == props.Proved && e.Certified && e.Sense != props.Hidden:
		said = append(said, plural(e.Trials, "comparison")+" in exact arithmetic")
	}
	said = append(said, e.Note, e.eValues())
	for _, n := range []struct {
		name  string
		value float64
	}{{"measured", e.Measured}, {"claimed", e.Claimed}, {"tightness", e.Tightness},
		{"ratio", e.Ratio},
		{"constant", e.Constant}} {
		if math.IsInf(n.value, 0) {
			said = append(said, n.name+" is infinite")
		}
	}
	if math.IsInf(e.Low, 0) || math.IsInf(e.High, 0) {
		said = append(said, "one-sided confidence limit")
	}
	return list("; ", said...)
}

// eValues says what a sequential test had found when it stopped.
func (e *Evidence) eValues() string {
	v := e.EValues
	if v == nil || !v.Against.Known() {
		return ""
	}
	s := fmt.Sprintf("log10 e-value against the claim %.3g", float64(v.Against))
	if v.For.Known() {
		s += fmt.Sprintf(", for it %.3g", float64(v.For))
	}
	return s
}

// Numbers writes the measured and the claimed number, with more digits than usual where it takes
// them to tell the two apart. Where they differ by no more than rounding may, and nothing is
// refuted, they are not told apart.
func (e *Evidence) Numbers() (measured, claimed string) {
	most := 10
	if e.Outcome() == props.Refuted {
		most = 17
	}
	for prec := 4; prec <= most; prec++ {
		measured, claimed = props.Number(e.Measured, prec), props.Number(e.Claimed, prec)
		if measured != claimed {
			return measured, claimed
		}
	}
	return number(e.Measured), number(e.Claimed)
}

// reach is the tightness or, of a statement up to a constant, the ratio of its sides.
func (e *Evidence) reach() float64 {
	if e.Sense == props.Hidden {
		return e.Ratio
	}
	return e.Tightness
}

// isBound reports whether one side is claimed to be a bound on the other.
func (e *Evidence) isBound() bool {
	return (e.Relation == props.LE || e.Relation == props.GE) && e.Sense != props.Proposition
}

// excess grows with how far the evidence goes beyond the claim; the lowest value stands for
// unknown.
func (e *Evidence) excess() float64 {
	if !known(e.reach()) {
		return math.Inf(-1)
	}
	return e.reach()
}

// Named names the number of [Evidence.Tight]: the violation of a bound that fails, the tightness of
// one that holds, the relative difference of two sides that are claimed to be equal, or the ratio
// of two that are compared up to a constant.
func (e *Evidence) Named() string {
	switch {
	case e.Sense == props.Hidden:
		return "ratio"
	case e.Relation == props.EQ:
		return "relative difference"
	case e.Outcome() == props.Refuted && e.Relation != props.Near:
		return "violation"
	}
	return "tightness"
}

// Tight writes the number that [Evidence.Named] names, or a word where a number would mislead:
// "unbounded" if no constant suffices, "false" for a proposition that is, and "differs" for an
// equation that fails.
func (e *Evidence) Tight() string {
	if e.Outcome() == props.Refuted {
		switch {
		case e.Sense == props.Hidden:
			return "unbounded"
		case e.Sense == props.Proposition:
			return "false"
		case e.Relation == props.EQ:
			return "differs"
		}
	}
	return number(e.reach())
}

// Extent says in a few words how far the evidence goes; nothing if there is no number to tell.
func (e *Evidence) Extent() string {
	switch word := e.Tight(); {
	case !known(e.reach()):
		return ""
	case word == "unbounded":
		return "no constant suffices"
	case word == "false":
		return word
	case word == "differs":
		return "relative difference " + number(e.Tightness)
	default:
		return e.Named() + " " + word
	}
}

// Contradiction says in words what the evidence shows against the claim, with its numbers.
func (e *Evidence) Contradiction() string {
	m, c := e.Numbers()
	var b strings.Builder
	if e.What != "" && e.Sense != props.Hidden {
		b.WriteString(e.What + ": ")
	}
	ratio := math.NaN()
	if e.Measured > 0 && e.Claimed > 0 {
		ratio = e.Measured / e.Claimed
	}
	switch {
	case !known(e.Measured):
		fmt.Fprintf(&b, "no finite value was reached, where %s %s is claimed", words(e.Relation), c)
	case e.Sense == props.Hidden:
		fmt.Fprintf(&b,
			"No constant C makes %s: at the farthest point the two are %s and %s, a factor of %s apart, "+
				"and that keeps growing",
			asOrder(e.Relation), m, c, props.Number(e.Ratio, 3))
	case e.Sense == props.Proposition && e.Claimed == 1,
		// a certificate tells equal numbers apart, or refutes the statement elsewhere
		e.Certified && e.Relation == props.EQ && e.Measured == e.Claimed:
		b.WriteString("this is false")
	case e.Relation == props.LE:
		fmt.Fprintf(&b, "measured %s, but at most %s is claimed", m, c)
		if known(ratio) {
			fmt.Fprintf(&b, "; the bound is exceeded by %s", beyond(ratio))
		}
	case e.Relation == props.GE:
		fmt.Fprintf(&b, "measured %s, but at least %s is claimed", m, c)
		if known(ratio) {
			fmt.Fprintf(&b, "; the bound is missed by %s", beyond(1/ratio))
		}
	case e.Sense == props.Distance:
		fmt.Fprintf(&b, "they differ by %s, but equality is claimed", m)
	default:
		fmt.Fprintf(&b, "measured %s, but %s is claimed", m, c)
	}
	b.WriteString(".")
	switch {
	case e.Remarks() != "":
		b.WriteString(" " + capital(e.Remarks()) + ".")
	case e.Trials > 1:
		fmt.Fprintf(&b, " %d of %d trials contradict the claim.", e.Violations, e.Trials)
	}
	if known(e.Low) && known(e.High) {
		of := ""
		if e.Sense == props.Runs {
			of = " of the probability that a run violates it"
		}
		fmt.Fprintf(&b, " Confidence limits%s %s and %s", of, number(e.Low), number(e.High))
		if known(e.Level) {
			fmt.Fprintf(&b, " at level %s", number(e.Level))
		}
		b.WriteString(".")
	}
	if e.Certified {
		b.WriteString(" Confirmed in exact arithmetic.")
	}
	return b.String()
}

// asOrder says what a statement with a hidden constant asserts.
func asOrder(r props.Relation) string {
	if r == props.GE {
		return "the claimed side at most C times the measured one"
	}
	return "the measured side at most C times the claimed one"
}

// Finding says in words what the evidence shows, whatever that is.
func (e *Evidence) Finding() string {
	if e.Outcome() == props.Refuted {
		return e.Contradiction()
	}
	m, c := e.Numbers()
	s := fmt.Sprintf("measured %s, claimed %s %s", m, symbol(e.Relation), c)
	switch {
	case e.Sense == props.Hidden:
		s = fmt.Sprintf("%s is at most %s", e.What, number(e.Ratio))
	case e.Sense == props.Proposition && e.Measured == 1:
		s = e.What + ": true throughout"
	case e.What != "":
		s = e.What + ": " + s
	}
	if said := e.Remarks(); said != "" {
		s += "; " + said
	}
	return s + "."
}

// interval writes confidence limits, one or both.
func interval(e Evidence) string {
	switch low, high := known(e.Low), known(e.High); {
	case low && high:
		return number(e.Low) + " to " + number(e.High)
	case low:
		return "from " + number(e.Low)
	case high:
		return "up to " + number(e.High)
	}
	return ""
}

// list joins what is not empty.
func list(separator string, parts ...string) string {
	var said []string
	for _, p := range parts {
		if p != "" {
			said = append(said, p)
		}
	}
	return strings.Join(said, separator)
}
