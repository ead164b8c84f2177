package verify

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strings"

	"sledge/props"
	"sledge/props/plain"
	"sledge/reports"
)

func explainVerb() Verb {
	return Verb{
		Bind: func(flags *flag.FlagSet) Action {
			dir := defaultDir
			flags.Var(place{&dir}, "report", "")
			return func(ctx context.Context, c *Call) error {
				if len(c.Args) == 0 {
					return Usagef("explain needs the id of a claim")
				}
				given := false
				flags.Visit(func(f *flag.Flag) { given = given || f.Name == "report" })
				var last *reports.Report
				err := Await(ctx, nothingWritten, func() (err error) {
					last, err = reports.Read(dir)
					return err
				})
				switch {
				case ctx.Err() != nil:
					return err
				case given && err != nil:
					return Usagef("-report: %v", err)
				}
				r := c.unrun(c.Claims())
				var found []*reports.Claim
				for _, id := range c.Args {
					if claim := r.Claim(id); claim != nil {
						found = append(found, claim)
						continue
					}
					claims, err := c.Choose([]string{id})
					if err != nil {
						return Exitf(Nothing, "there is no claim %q; %s", id, c.alike(id))
					}
					for i := range claims {
						found = append(found, r.Claim(claims[i].ID))
					}
				}
				for i, claim := range found {
					if i > 0 {
						fmt.Fprintln(c.Out)
					}
					explain(c.Out, r, claim)
					if err == nil {
						measured(c.Out, last, claim.ID)
					}
				}
				return nil
			}
		},
	}.Described(help, "explain")
}

// alike names up to three claims whose ids contain the word, and else what the word may have been
// meant for.
func (c *Call) alike(word string) string {
	var like []string
	for _, claim := range c.Claims() {
		if strings.Contains(claim.ID, word) && len(like) < 3 {
			like = append(like, claim.ID)
		}
	}
	if len(like) > 0 {
		return "is it " + alternatives(like) + "?"
	}
	return c.meant(word)
}

// measured writes what a report found about a claim, comparison by comparison.
func measured(w io.Writer, r *reports.Report, id string) {
	c := r.Claim(id)
	if c == nil {
		return
	}
	fmt.Fprintf(w, "%s%s (%s tier, seed %d)\n", pad("last found", 12), plain.Line(c.Word()),
		plain.Line(r.Run.Tier), r.Run.Seed)
	for i := range c.Evidence {
		e := &c.Evidence[i]
		found, claimed := e.Numbers()
		word := e.Outcome().String()
		if c.Formal != "" && e.Tried != props.Unknown {
			word = "beside the theorem " + e.Tried.String()
		}
		line := fmt.Sprintf("%s, measured %s, claimed %s %s", word, found, e.Relation, claimed)
		if e.What != "" {
			line = e.What + ": " + line
		}
		fmt.Fprintf(w, "%s%s\n", pad("", 12), plain.Line(line))
	}
}

func explain(w io.Writer, r *reports.Report, c *reports.Claim) {
	tell := func(name, text string) {
		if text != "" {
			fmt.Fprintf(w, "%s%s\n", pad(name, 12),
				strings.ReplaceAll(text, "\n", "\n"+strings.Repeat(" ", 12)))
		}
	}
	fmt.Fprintln(w, c.ID)
	tell("statement", props.Unmarked(c.Statement))
	tell("where", c.Place())
	rank := [...]string{"", "main result", "proof step", "remark"}[max(0, min(c.Tier, 3))]
	tell("kind", strings.Trim(fmt.Sprintf("%s, %s, %s", c.Kind, rank, c.Form), ", "))
	tell("read with", c.Reading)
	for _, said := range c.Formally {
		tell("formally", props.Unmarked(said))
	}
	if c.Formal != "" {
		tell("formally", c.Formal+", in the theory")
	}
	if c.Object != "" {
		given := ", given "
		if c.Expect == props.Refuted {
			given = ", "
		}
		tell("object", strings.TrimSuffix(string(c.Object)+given+props.Unmarked(c.Given), given))
	}
	tell("checked", c.Checked)
	tell("guard", c.Notice())
	tell("bound at", c.At)
	expected := strings.TrimSpace(c.Expect.String() + " " + string(c.Within))
	tell("expected", expected+": "+reports.Meaning(c.Expect))
	tell("notes", props.Unmarked(c.Notes))
	if c.Harm != "" {
		tell("harm", fmt.Sprintf("%s: %s. %s", c.Harm, reports.MeaningOfHarm(c.Harm), c.Reason))
		tell("cause", r.Cause(c))
	}
	base, _, _ := strings.Cut(c.ID, "/")
	var forms []string
	if r.Claim(base) == nil { // what stands before the slash is no statement
		base = c.ID
	}
	for i := range r.Claims {
		if other := r.Claims[i].ID; other != c.ID &&
			(other == base || strings.HasPrefix(other, base+"/")) {
			forms = append(forms, fmt.Sprintf("%s (expected to be %s)", other, r.Claims[i].Expect))
		}
	}
	tell("other forms", strings.Join(forms, ", "))
	tell("uses", strings.Join(c.Uses, ", "))
	var direct, indirect []string
	for _, d := range r.Dependents(c.ID) {
		if d.Via == "" {
			direct = append(direct, d.Claim.ID)
		} else {
			indirect = append(indirect, d.Claim.ID)
		}
	}
	tell("used by", strings.Join(direct, ", "))
	tell("indirectly", strings.Join(indirect, ", "))
}
