package props

import (
	"fmt"
	"strings"

	"sledge/props/keyed"
)

// Declared reports whether the regime asks for anything at all.
func (r Regime) Declared() bool { return len(r.Conditions) > 0 || r.Least > 0 }

// Met reports whether the instance meets all conditions. What its runs are to show besides is asked by [Regime.Shown].
func (r Regime) Met() bool {
	for _, c := range r.Conditions {
		if !c.Met {
			return false
		}
	}
	return true
}

// Shown reports whether runs that reported this mean share by [Trial.Content] show what the regime asks for. Runs that reported nothing have the
// share NaN, which shows nothing.
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

// Unmet lists the conditions that the instance does not meet; it is empty if there are none.
func (r Regime) Unmet() string {
	var words []string
	for _, c := range r.Conditions {
		if !c.Met {
			words = append(words, c.What)
		}
	}
	return strings.Join(words, ", ")
}

// And returns the regime with further conditions.
func (r Regime) And(more ...Condition) Regime {
	r.Conditions = append(r.Conditions[:len(r.Conditions):len(r.Conditions)], more...)
	return r
}

func (t *TailTrial) regime() Regime    { return t.Regime }
func (t *MeanTrial) regime() Regime    { return t.Regime }
func (t *LawTrial) regime() Regime     { return t.Regime }
func (t *SlopeTrial) regime() Regime   { return t.Regime }
func (t *HittingTrial) regime() Regime { return t.Regime }

// regime returns the regime of an instance.
func (r *Randomised[T]) regime(inst *T) Regime {
	return any(inst).(interface{ regime() Regime }).regime()
}

// Survey is what one randomised part of a claim asks of its instances, and how many of those drawn meet it.
type Survey struct {
	Part  int      // number of the part of the check
	Words []string // what the regime asks for; one entry unless it differs between instances, and none if some instance declares nothing
	Drawn int      // instances that were drawn and whose statement says anything
	Met   int      // those of them that meet all conditions
}

// Surveys draws so many instances for each randomised part of a claim, in the ways of a search, and asks for their regimes. No runs are made, so
// what runs must show is not looked at.
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

func (r *Randomised[T]) survey(instances int) (Survey, error) {
	var s Survey
	undeclared, words := false, map[string]bool{}
	for i := range instances {
		inst := r.setup(NewSource(Mixed(keyed.New(0).With("survey"), i)))
		vacuous, err := r.method.refuse(&inst)
		if err != nil {
			return s, err
		}
		if vacuous != "" {
			continue
		}
		g := r.regime(&inst)
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
