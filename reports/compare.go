package reports

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"sledge/props"
	"sledge/props/plain"
)

// Diff is what has changed from one report to another.
type Diff struct {
	Verdicts []VerdictChange `json:"verdicts"`
	// Comparisons are the claims of one verdict in which the comparisons that differ from the
	// expectations have changed.
	Comparisons []ComparisonChange `json:"comparisons"`
	Tightness   []TightnessChange  `json:"tightness"`
	Removed     []string           `json:"removed"`
	Added       []string           `json:"added"`
	// differences of the runs that may explain the others
	Notes []string `json:"notes"`
}

// VerdictChange is a claim whose verdict or whose expected verdict has changed.
type VerdictChange struct {
	ID          string        `json:"id"`
	Old         props.Verdict `json:"old"`
	New         props.Verdict `json:"new"`
	OldExpected props.Verdict `json:"old_expected"`
	NewExpected props.Verdict `json:"new_expected"`
}

// ComparisonChange is a claim with what was not as expected inside it, before and now.
type ComparisonChange struct {
	ID  string   `json:"id"`
	Old []string `json:"old"`
	New []string `json:"new"`
}

// now says what is not as expected now.
func (c *ComparisonChange) now() string {
	return cmp.Or(strings.Join(c.New, "; "), "as expected")
}

// TightnessChange is a comparison whose tightness, or ratio up to a constant, has changed by more
// than the factor asked for.
type TightnessChange struct {
	ID   string `json:"id"`
	What string `json:"what"`
	Old  Num    `json:"old"`
	New  Num    `json:"new"`
}

// Same reports whether no verdict and no expectation has changed, inside claims neither, and no
// claim is gone.
func (d *Diff) Same() bool { return len(d.Verdicts)+len(d.Comparisons)+len(d.Removed) == 0 }

// none reports whether there is nothing to tell of the claims.
func (d *Diff) none() bool { return d.Same() && len(d.Added)+len(d.Tightness) == 0 }

// Compare finds what has changed. A tightness counts as changed if it has moved by more than the
// given factor, which must exceed 1, or has become known, unknown or of the other sign.
func Compare(before, after *Report, factor float64) *Diff {
	if !(factor > 1) {
		panic(fmt.Sprintf("reports: factor %v, want more than 1", factor))
	}
	d := &Diff{Verdicts: []VerdictChange{}, Comparisons: []ComparisonChange{},
		Tightness: []TightnessChange{}, Removed: []string{}, Added: []string{}, Notes: []string{}}
	if err := sameRun(before, after); err != nil {
		d.Notes = append(d.Notes, err.Error())
	}
	for _, r := range []*Report{before, after} {
		if r.Run.Partial != "" {
			d.Notes = append(d.Notes, "one report is partial: "+r.Run.Partial)
		}
	}
	earlier, later := before.byID(), after.byID()
	for i := range before.Claims {
		o := &before.Claims[i]
		n := later[o.ID]
		if n == nil {
			d.Removed = append(d.Removed, o.ID)
			continue
		}
		if o.Verdict != n.Verdict || o.Expect != n.Expect {
			d.Verdicts = append(d.Verdicts,
				VerdictChange{o.ID, o.Verdict, n.Verdict, o.Expect, n.Expect})
		} else if !slices.Equal(o.Unexpected, n.Unexpected) {
			d.Comparisons = append(d.Comparisons, ComparisonChange{o.ID,
				append([]string{}, o.Unexpected...), append([]string{}, n.Unexpected...)})
		}
		// the same words may name several comparisons; they are matched in order
		was := map[string][]*Evidence{}
		for j := range o.Evidence {
			was[o.Evidence[j].What] = append(was[o.Evidence[j].What], &o.Evidence[j])
		}
		for j := range n.Evidence {
			e := &n.Evidence[j]
			if len(was[e.What]) == 0 {
				continue
			}
			if old := was[e.What][0]; moved(old.reach(), e.reach(), factor) {
				d.Tightness = append(d.Tightness,
					TightnessChange{o.ID, e.What, Num(old.reach()), Num(e.reach())})
			}
			was[e.What] = was[e.What][1:]
		}
	}
	for i := range after.Claims {
		if earlier[after.Claims[i].ID] == nil {
			d.Added = append(d.Added, after.Claims[i].ID)
		}
	}
	return d
}

// byID finds the claims by their ids.
func (r *Report) byID() map[string]*Claim {
	out := make(map[string]*Claim, len(r.Claims))
	for i := range r.Claims {
		out[r.Claims[i].ID] = &r.Claims[i]
	}
	return out
}

func moved(a, b, factor float64) bool {
	switch {
	case math.IsNaN(a) || math.IsNaN(b):
		return math.IsNaN(a) != math.IsNaN(b)
	case a == b:
		return false
	case a*b <= 0:
		return true
	}
	return math.Abs(math.Log(b/a)) > math.Log(factor)
}

// WriteBaseline writes what [Compare] looks at, as a report that [Read] reads: verdicts,
// expectations, and how far comparisons are from their bounds.
func (r *Report) WriteBaseline(w io.Writer) error {
	type evidence struct {
		What      string        `json:"what"`
		Outcome   props.Verdict `json:"outcome"`
		Tightness Num           `json:"tightness"`
		Ratio     Num           `json:"ratio"`
		Sense     props.Sense   `json:"sense,omitempty"`
	}
	type claim struct {
		ID         string        `json:"id"`
		Verdict    props.Verdict `json:"verdict"`
		Expect     props.Verdict `json:"expected"`
		Unexpected []string      `json:"unexpected,omitempty"`
		Evidence   []evidence    `json:"evidence"`
	}
	out := struct {
		Schema string  `json:"schema"`
		Tool   Tool    `json:"tool"`
		Run    Run     `json:"run"`
		Claims []claim `json:"claims"`
	}{r.Schema, r.Tool, r.Run, []claim{}}
	var texts []json.RawMessage
	for _, c := range r.Claims {
		short := claim{c.ID, c.Verdict, c.Expect, c.Unexpected, []evidence{}}
		for i := range c.Evidence {
			e := &c.Evidence[i]
			short.Evidence = append(short.Evidence, evidence{e.What, e.Outcome(), Num(e.Tightness),
				Num(e.Ratio), e.Sense})
		}
		out.Claims, texts = append(out.Claims, short), append(texts, said(short))
	}
	var err error
	if out.Run.Digest, err = digestOf(texts); err != nil { // of what is here
		return err
	}
	b, err := json.MarshalIndent(out, "", " ")
	if err == nil {
		_, err = w.Write(append(b, '\n'))
	}
	return err
}

// IsBaseline reports whether the file at path is what WriteBaseline writes: a report without
// wordings.
func IsBaseline(path string) bool {
	r, err := Read(path)
	if err != nil {
		return false
	}
	for i := range r.Claims {
		if r.Claims[i].Statement != "" {
			return false
		}
	}
	return true
}

// mostRows is the number of rows of each kind that a comment shows.
const mostRows = 25

// WriteMarkdown writes the differences as Markdown, short enough for a comment on a change.
func (d *Diff) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	count := func(n int, one, many string) string {
		return fmt.Sprintf("%d %s", n, either(n, one, many))
	}
	if d.none() {
		b.WriteString("**No difference** in verdicts or tightness.\n")
	} else {
		fmt.Fprintf(&b, "**%s**, %s, %s, %s.\n",
			count(len(d.Verdicts)+len(d.Comparisons), "verdict or comparison changed",
				"verdicts or comparisons changed"),
			count(len(d.Removed), "claim gone", "claims gone"),
			count(len(d.Added), "claim new", "claims new"),
			count(len(d.Tightness), "comparison moved", "comparisons moved"))
	}
	table := func(head string, rows []string) {
		if len(rows) == 0 {
			return
		}
		fmt.Fprintf(&b, "\n%s\n", head)
		for _, row := range rows[:min(mostRows, len(rows))] {
			b.WriteString(row)
		}
		if more := len(rows) - mostRows; more > 0 {
			fmt.Fprintf(&b, "\nand %d more\n", more)
		}
	}
	var verdicts, drift []string
	for _, v := range d.Verdicts {
		verdicts = append(verdicts, fmt.Sprintf("| `%s` | %s | **%s** | %s |\n", plain.Code(v.ID),
			v.Old, v.New, v.NewExpected))
	}
	for _, c := range d.Comparisons {
		verdicts = append(verdicts, fmt.Sprintf("| `%s` | | %s | inside |\n", plain.Code(c.ID),
			md(c.now())))
	}
	for _, t := range d.Tightness {
		drift = append(drift, fmt.Sprintf("| `%s` | %s | %s | %s |\n", plain.Code(t.ID), md(t.What),
			t.Old, t.New))
	}
	table("| claim | was | is | expected |\n|---|---|---|---|", verdicts)
	table("| claim | comparison | tightness was | is |\n|---|---|---|---|", drift)
	for _, list := range []struct {
		name string
		ids  []string
	}{{"Gone", d.Removed}, {"New", d.Added}, {"Note", d.Notes}} {
		if ids := list.ids; len(ids) > 0 {
			more := ""
			if len(ids) > mostRows {
				more = fmt.Sprintf(" and %d more", len(ids)-mostRows)
			}
			fmt.Fprintf(&b, "\n%s: %s%s\n", list.name,
				md(strings.Join(ids[:min(mostRows, len(ids))], ", ")), more)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteText writes the differences for people, verdicts first.
func (d *Diff) WriteText(w io.Writer) error {
	var b strings.Builder
	for _, n := range d.Notes {
		fmt.Fprintf(&b, "note: %s\n", plain.Line(n))
	}
	for _, v := range d.Verdicts {
		fmt.Fprintf(&b, "verdict    %s: %s -> %s", plain.Line(v.ID), v.Old, v.New)
		switch {
		case v.OldExpected != v.NewExpected:
			fmt.Fprintf(&b, " (expected %s -> %s)", v.OldExpected, v.NewExpected)
		case v.New != v.NewExpected:
			fmt.Fprintf(&b, " (expected %s)", v.NewExpected)
		}
		b.WriteByte('\n')
	}
	for _, c := range d.Comparisons {
		fmt.Fprintf(&b, "inside     %s: %s\n", plain.Line(c.ID), plain.Line(c.now()))
	}
	for _, id := range d.Removed {
		fmt.Fprintf(&b, "removed    %s\n", plain.Line(id))
	}
	for _, id := range d.Added {
		fmt.Fprintf(&b, "added      %s\n", plain.Line(id))
	}
	for _, t := range d.Tightness {
		what := t.ID
		if t.What != "" {
			what += " (" + t.What + ")"
		}
		fmt.Fprintf(&b, "tightness  %s: %s -> %s\n", plain.Line(what), t.Old, t.New)
	}
	if d.none() {
		b.WriteString("no difference in verdicts or tightness\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
