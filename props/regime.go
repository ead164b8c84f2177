package props

import (
	"fmt"
	"slices"
	"strings"

	"sledge/props/keyed"
)

// Declared reports whether the regime asks for anything at all.
func (r Regime) Declared() bool { return len(r.Conditions) > 0 || r.Least > 0 }

// Met reports whether the instance meets all conditions. What its runs are to show besides is asked
// by [Regime.Shown].
func (r Regime) Met() bool {
	return !slices.ContainsFunc(r.Conditions, func(c Condition) bool { return !c.Met })
}

// Shown reports whether runs that reported this mean share by [Trial.Content] show what the regime
// asks for. Runs that reported nothing have the share NaN, which shows nothing.
func (r Regime) Shown(share float64) bool { return r.Least == 0 || share >= r.Least }

// Words says what the regime asks for: "n > 1, b < n, at least 10 % of steps with an error".
func (r Regime) Words() string {
	var words []string
	for _, c := range r.Conditions {
		words = append(words, c.What)
	}
	if r.Least > 0 {
		words = append(words, fmt.Sprintf("at least %.3g %% of %s", 100*r.Least, r.Matter))
	}
	return strings.Join(words, ", ")
}

// And returns the regime with further conditions.
func (r Regime) And(more ...Condition) Regime {
	r.Conditions = append(r.Conditions[:len(r.Conditions):len(r.Conditions)], more...)
	return r
}

// Where returns the regime with these conditions.
func Where(c ...Condition) Regime { return Regime{Conditions: c} }

// Min is the condition that a number is at least so large.
func Min(what string, value, least int) Condition {
	return Condition{fmt.Sprintf("%s ≥ %d", what, least), value >= least}
}

// Less is the condition that one number is less than another, both by name.
func Less(what string, value int, bound string, most int) Condition {
	return Condition{what + " < " + bound, value < most}
}

// Positive is the condition that a quantity is positive.
func Positive(what string, value float64) Condition { return Condition{what + " > 0", value > 0} }

// Allowed is the condition that a statement may fail with a probability of at most 0.1.
func Allowed(delta float64) Condition {
	const most = 0.1
	return Condition{fmt.Sprintf("allowed probability ≤ %g", most), delta <= most*(1+1e-9)}
}

// Sweep is the condition that the grid of a scaling law has four points or more and spans a factor
// of 30, about a decade and a half.
func Sweep(what string, x []float64) Condition {
	const span = 30
	return Condition{fmt.Sprintf("%s over a factor of at least %d", what, span),
		len(x) > 3 && x[len(x)-1] >= span*x[0]}
}

// Survey is what one randomised part of a claim asks of its instances, and how many of those drawn
// meet it.
type Survey struct {
	Part int // number of the part of the check
	// what the regime asks for; one entry unless it differs between instances, and none if some
	// instance declares nothing
	Words []string
	Drawn int // instances that were drawn and whose statement says anything
	Met   int // those of them that meet all conditions
	// StandIn tells that the instances only stand in for those of the statement, see
	// [Randomised.StandIn].
	StandIn bool
}

// Surveys draws so many instances for each randomised part of a claim, in the ways of a search, and
// asks for their regimes. No runs are made, so what runs must show is not looked at.
func Surveys(c *Claim, instances int) ([]Survey, error) {
	var surveys []Survey
	for i, part := range c.Check.parts() {
		p, ok := part.(interface{ survey(int) (Survey, error) })
		if !ok {
			continue
		}
		s, err := guard(func() (Survey, error) { return p.survey(instances) })
		if err != nil {
			return nil, err
		}
		s.Part = i
		surveys = append(surveys, s)
	}
	return surveys, nil
}

func (r *sampled[T]) survey(instances int) (Survey, error) {
	s := Survey{StandIn: r.standIn != ""}
	undeclared, words := false, map[string]bool{}
	for i := range instances {
		src := NewSource(Mixed(keyed.New(0).With("survey"), i))
		inst := r.setup(src)
		if i > 0 && len(src.Drawn) == 0 { // there is only one instance
			break
		}
		vacuous, err := r.method.refuse(&inst)
		if err != nil {
			return s, err
		}
		if vacuous != "" {
			continue
		}
		g := r.method.regime(&inst)
		undeclared = undeclared || !g.Declared()
		if w := g.Words(); !words[w] {
			words[w] = true
			s.Words = append(s.Words, w)
		}
		s.Drawn++
		if g.Met() {
			s.Met++
		}
	}
	if undeclared {
		s.Words = nil
	}
	return s, nil
}
