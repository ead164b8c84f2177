package reports

import (
	"fmt"
	"io"
	"strings"

	"sledge/props"
	"sledge/props/plain"
)

// WriteMarkdown writes a summary: the verdict, what needs attention, what was refuted and what
// depends on it, and the coverage.
func (r *Report) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Verification report\n\n**%s** %s\n\n%s.\n\n%s.\n", md(r.Headline()),
		md(list(" ", r.Judgement(), r.Overall(), r.LooseWords(), r.SettledWords())), r.Counts(),
		md(r.Settings()))
	if s := r.Deeper(); s != "" {
		fmt.Fprintf(&b, "\n%s.\n", md(s))
	}
	if r.Run.Partial != "" {
		fmt.Fprintf(&b, "\nPartial: %s.\n", md(r.Run.Partial))
	}

	if len(r.Summary.Unexpected) > 0 {
		b.WriteString("\n## Not as expected\n\n| Claim | Lines | Verdict | Expected | Because |\n" +
			"| --- | --- | --- | --- | --- |\n")
		for _, c := range r.ByAttention() {
			if c.AsExpected() {
				break
			}
			fmt.Fprintf(&b, "| %s | %s | **%s** | %s | %s |\n", md(c.ID), md(c.Lines), md(c.Word()),
				md(expectation(c)), md(c.Because()))
		}
	}

	refuted := r.Refuted()
	if len(refuted) > 0 {
		b.WriteString("\n## Refuted\n")
	}
	usedBy := r.usedBy()
	for _, c := range refuted {
		fmt.Fprintf(&b, "\n### %s\n\n- claimed (%s): %s\n- found: %s\n", md(c.ID), md(c.Place()),
			md(props.Unmarked(c.Statement)), md(c.Because()))
		for _, said := range c.Formally {
			fmt.Fprintf(&b, "- formally: %s\n", md(props.Unmarked(said)))
		}
		if said := c.Notice(); said != "" {
			fmt.Fprintf(&b, "- the check %s\n", md(said))
		}
		if c.Notes != "" {
			fmt.Fprintf(&b, "- why: %s\n", md(props.Unmarked(c.Notes)))
		}
		if f := r.Corrected(c.ID); f != nil {
			fmt.Fprintf(&b, "- corrected form (%s): %s\n", md(f.Word()),
				md(props.Unmarked(f.Statement)))
		} else if c.Form == props.Printed {
			b.WriteString("- corrected form: none given\n")
		}
		if deps := r.dependents(usedBy, c.ID); len(deps) > 0 {
			names := make([]string, len(deps))
			for i, d := range deps {
				names[i] = fmt.Sprintf("%s (%s)", md(d.Claim.ID), md(d.Claim.Word()))
			}
			fmt.Fprintf(&b, "- what rests on it: %s\n", strings.Join(names, ", "))
		}
	}

	if loose := r.LooseClaims(); len(loose) > 0 {
		b.WriteString(
			"\n## Loose\n\n| Claim | Verdict | Why, and sharper forms |\n| --- | --- | --- |\n")
		for _, c := range loose {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", md(c.ID), c.Verdict, md(r.WhyLoose(c)))
		}
	}

	b.WriteString("\n## Coverage\n\n| Part | Printed claims |")
	for _, v := range Verdicts {
		fmt.Fprintf(&b, " %s |", v)
	}
	b.WriteString(" Other forms | Not as expected |\n| --- |" +
		strings.Repeat(" ---: |", len(Verdicts)+3) + "\n")
	for _, p := range r.Coverage() {
		fmt.Fprintf(&b, "| %s | %d |", md(p.Name), p.Claims)
		for _, v := range Verdicts {
			fmt.Fprintf(&b, " %s |", blankZero(p.ByVerdict[v]))
		}
		fmt.Fprintf(&b, " %s | %s |\n", blankZero(p.Others), blankZero(p.Unexpected))
	}
	fmt.Fprintf(&b, "\n%s %s. Digest `%s`.\n", md(r.Tool.Name), md(r.Tool.String()),
		plain.Code(r.Run.Digest))
	_, err := io.WriteString(w, b.String())
	return err
}

// expectation is the expected verdict, or what else differs from the expectations.
func expectation(c *Claim) string { return strings.TrimPrefix(c.Differs(), "expected to be ") }

func blankZero(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

// md makes a line of text of s in which Markdown reads no sign of a formula as mark-up.
func md(s string) string { return plain.Markdown(strings.ReplaceAll(s, "\n", " ")) }
