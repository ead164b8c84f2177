package verify

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"sledge/props"
	"sledge/reports"
)

// listed is a claim as "list -json" shows it.
type listed struct {
	ID        string        `json:"id"`
	Part      string        `json:"part"`
	Tier      int           `json:"tier"`
	Kind      string        `json:"kind"`
	Form      props.Form    `json:"form"`
	Lines     string        `json:"lines"`
	Label     string        `json:"label"`
	Statement string        `json:"statement"`
	Notes     string        `json:"notes,omitempty"`
	Expected  props.Verdict `json:"expected"`
	Uses      []string      `json:"uses"`
	Theorem   string        `json:"theorem,omitempty"`
	Harm      props.Harm    `json:"harm,omitempty"`
	Cause     string        `json:"cause,omitempty"`
	Reading   string        `json:"reading,omitempty"`
	At        string        `json:"at,omitempty"`
	// how many planted mistakes the check notices; null if it was asked about none
	Notices *props.Notices `json:"notices"`
}

// listVerb lists the claims or what the owner of the command has lists of.
func listVerb(lists []List) Verb {
	names, usage := []string{"claims", "parts"}, "[-json] [-idle] [claims [ID-PATTERN...] | parts"
	summary := "list the claims, one line each, the parts of the text"
	examples := []Example{{"list claims '*/corrected'", "the corrected forms"},
		{"list -idle", "the claims of which nothing shows that they would notice a mistake in the code"},
		{"list parts", "the parts of the text, with how much is claimed in them"},
		{"list -json", "everything about every claim"}}
	for _, l := range lists {
		names = append(names, l.Name)
		usage += " | " + l.Name
		summary += ", " + l.Summary
		examples = append(examples, Example{"list " + l.Name, l.Summary})
	}
	return Verb{
		Name: "list", Usage: usage + "]", Summary: summary, Help: patterns(), Examples: examples,
		Bind: func(flags *flag.FlagSet) Action {
			asJSON := flags.Bool("json", false, "write JSON")
			idle := flags.Bool("idle", false,
				"only claims that notice no planted mistake, with the "+
					"number that they were asked about: decoration, as far as that is known")
			return func(_ context.Context, c *Call) error {
				what := "claims"
				if len(c.Args) > 0 {
					what = c.Args[0]
				}
				if what == "claims" {
					claims, err := c.Choose(c.Args[min(1, len(c.Args)):])
					if err != nil {
						return err
					}
					if *idle {
						claims = slices.DeleteFunc(slices.Clone(claims), func(c props.Claim) bool {
							return c.Notices != nil && c.Notices.Noticed > 0
						})
					}
					return c.listClaims(claims, *asJSON, *idle)
				}
				if *idle {
					return Usagef("-idle is about claims, not about %s", what)
				}
				k := slices.Index(names, what)
				if k < 0 {
					known := strings.Replace(alternatives(names), " or ", " and ", 1)
					return Usagef("list knows %s, not %q", known, what)
				}
				if err := c.AtMost(1); err != nil {
					return err
				}
				if what == "parts" {
					return c.listParts(*asJSON)
				}
				return lists[k-2].Write(c.Out, *asJSON)
			}
		},
	}
}

func (c *Call) listClaims(claims []props.Claim, asJSON, asked bool) error {
	r := c.unrun(claims)
	if asJSON {
		out := make([]listed, len(r.Claims))
		for i, c := range r.Claims {
			out[i] = listed{c.ID, c.Part, c.Tier, c.Kind, c.Form, c.Lines, c.Label,
				props.Unmarked(c.Statement), props.Unmarked(c.Notes), c.Expect, c.Uses,
				c.Theorem, c.Harm, c.Cause, c.Reading, c.At, c.Notices}
		}
		return WriteJSON(c.Out, out)
	}
	tw := tabwriter.NewWriter(c.Out, 0, 8, 2, ' ', 0)
	heading := "CLAIM\tPART\tLINES\tEXPECTED"
	if asked {
		heading += "\tMISTAKES NOTICED"
	}
	fmt.Fprintln(tw, heading)
	for _, c := range r.Claims {
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s", c.ID, c.Part, c.Lines, c.Expect)
		switch {
		case asked && c.Notices == nil:
			fmt.Fprint(tw, "\tnever asked")
		case asked:
			fmt.Fprintf(tw, "\t%d of %d", c.Notices.Noticed, c.Notices.Tried)
		}
		fmt.Fprintln(tw)
	}
	return tw.Flush()
}

// listParts lists the parts of the text in its order.
func (c *Call) listParts(asJSON bool) error {
	type part struct {
		Name    string `json:"part"`
		Claims  int    `json:"claims"`
		Printed int    `json:"printed"` // of them, statements of the text
		Refuted int    `json:"refuted"` // of these, expected to be
	}
	parts := []part{}
	for _, claim := range c.unrun(c.Claims()).Claims {
		if k := len(parts); k == 0 || parts[k-1].Name != claim.Part {
			parts = append(parts, part{Name: claim.Part})
		}
		p := &parts[len(parts)-1]
		p.Claims++
		if claim.Form == props.Printed {
			p.Printed++
			if claim.Expect == props.Refuted {
				p.Refuted++
			}
		}
	}
	if asJSON {
		return WriteJSON(c.Out, parts)
	}
	tw := tabwriter.NewWriter(c.Out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(tw, "PART\tCLAIMS\tPRINTED\tOF THEM REFUTED")
	for _, p := range parts {
		fmt.Fprintf(tw, "%s\t%d\t%d\t%d\n", p.Name, p.Claims, p.Printed, p.Refuted)
	}
	return tw.Flush()
}

// unrun puts claims into a report without running them, which orders them and knows what uses what.
func (c *Call) unrun(claims []props.Claim) *reports.Report {
	results := make([]props.Result, len(claims))
	for i := range claims {
		results[i].Claim = claims[i]
	}
	return c.report(results, reports.Run{})
}

// report makes a report of results that says what text they are about.
func (c *Call) report(results []props.Result, run reports.Run) *reports.Report {
	r := reports.New(results, run)
	if l := c.text; l != nil {
		r.Text, r.Causes = l.Text, l.Causes
	}
	r.Accept(c.kernel)
	return r
}
