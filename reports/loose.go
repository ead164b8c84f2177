package reports

import (
	"cmp"
	"fmt"
	"strings"

	"sledge/props"
)

// Sharper lists the sharper forms of a claim that stand: of the printed statement that it is, or is
// a form of.
func (r *Report) Sharper(c *Claim) []*Claim {
	of := cmp.Or(c.Of, c.ID)
	return r.those(func(s *Claim) bool {
		return s.Form == props.Sharper && s.Of == of && s.ID != c.ID && s.Stands()
	})
}

// LooseClaims are the claims that stand and are loose, in the order of the report.
func (r *Report) LooseClaims() []*Claim {
	return r.those(func(c *Claim) bool { return c.Loose && c.Stands() })
}

// LooseWords says in a sentence how many claims are loose; nothing if none is.
func (r *Report) LooseWords() string {
	loose, sharper := r.LooseClaims(), 0
	if len(loose) == 0 {
		return ""
	}
	for _, c := range loose {
		if len(r.Sharper(c)) > 0 {
			sharper++
		}
	}
	s := fmt.Sprintf(
		"%d of the statements that stand %s loose: below a hundredth of the bound wherever it was tried, or "+
			"not told from runs without what it is about", len(loose),
		either(len(loose), "is", "are"))
	if sharper > 0 {
		s += fmt.Sprintf("; beside %d of them a sharper form stands", sharper)
	}
	return s + "."
}

// WhyLoose says on a line why a claim is loose, and which sharper forms stand beside it; nothing if
// it is not.
func (r *Report) WhyLoose(c *Claim) string {
	if !c.Loose {
		return ""
	}
	s, told := "loose", false
	var by *props.Controlled
	for i := range c.Evidence {
		if e := &c.Evidence[i]; e.Control != nil {
			by, told = e.Control, told || e.Control.Tells
		}
	}
	if by != nil && !told {
		s += fmt.Sprintf(", not told from its control (%s)", by.Without)
	}
	var ids []string
	for _, f := range r.Sharper(c) {
		ids = append(ids, f.ID)
	}
	if len(ids) > 0 {
		s += ", see " + strings.Join(ids, ", ")
	}
	return s
}

// Controlled says what the control showed; nothing if none was run.
func (e *Evidence) Controlled() string {
	c := e.Control
	if c == nil {
		return ""
	}
	by := "without bound"
	if c.Median.Known() {
		by = "by " + props.Number(float64(c.Median), 3)
	}
	against := ""
	if c.Against > 0 {
		against = fmt.Sprintf(", in the other direction in %d", c.Against)
	}
	return fmt.Sprintf(
		"%s: the number changes %s in the median of %s of runs, by %s or more in %d of them%s",
		c.Without, by,
		plural(c.Pairs, "pair"), props.Number(c.Factor, 3), c.Changed, against)
}
