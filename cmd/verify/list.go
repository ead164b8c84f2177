package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/peterbourgon/ff/v3/ffcli"

	"sledge/algos/problems"
	"sledge/props"
	"sledge/reports"
)

// listed is a claim as "verify list -json" shows it.
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
}

// listedMethod is a method as "verify list methods -json" shows it.
type listedMethod struct {
	Name      string `json:"name"`
	Federated bool   `json:"federated"`
	Summary   string `json:"summary"`
	Source    string `json:"source"`
	// Prescribed says that the method can race with the parameters of its theory, which Needs these constants of the problem.
	Prescribed bool     `json:"prescribed"`
	Needs      []string `json:"needs,omitempty"`
}

// listVerb is "verify list".
func (p *program) listVerb() *ffcli.Command {
	flags := flag.NewFlagSet("list", flag.ContinueOnError)
	asJSON := flags.Bool("json", false, "write JSON")
	return verb("list", "verify list [-json] [claims [ID-PATTERN...] | methods | problems]", "list the claims, one line each, the methods, or the problems", patternManual, flags,
		func(_ context.Context, args []string) error {
			what := "claims"
			if len(args) > 0 {
				what, args = args[0], args[1:]
			}
			switch what {
			case "claims":
				claims, err := choose(p.claims, args)
				if err != nil {
					return err
				}
				return listClaims(p.stdout, claims, *asJSON)
			case "methods":
				if err := atMost(0, args); err != nil {
					return err
				}
				return listMethods(p.stdout, *asJSON)
			case "problems":
				if err := atMost(0, args); err != nil {
					return err
				}
				return listProblems(p.stdout, *asJSON)
			}
			return usagef("list knows claims, methods and problems, not %q", what)
		})
}

func listClaims(w io.Writer, claims []props.Claim, asJSON bool) error {
	r := unrun(claims)
	if asJSON {
		out := make([]listed, len(r.Claims))
		for i, c := range r.Claims {
			out[i] = listed{c.ID, c.Part, c.Tier, c.Kind, c.Form, c.Lines, c.Label, props.Unmarked(c.Statement), props.Unmarked(c.Notes), c.Expect, c.Uses}
		}
		return writeJSON(w, out)
	}
	tw := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(tw, "CLAIM\tPART\tLINES\tEXPECTED")
	for _, c := range r.Claims {
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\n", c.ID, c.Part, c.Lines, c.Expect)
	}
	return tw.Flush()
}

// listedProblem is a problem family as "verify list problems -json" shows it.
type listedProblem struct {
	Name      string `json:"name"`
	TakesData bool   `json:"takesData"`
	Summary   string `json:"summary"`
}

func listProblems(w io.Writer, asJSON bool) error {
	var out []listedProblem
	for _, c := range problems.Catalogue() {
		out = append(out, listedProblem{c.Name, c.TakesData, c.Summary})
	}
	out = append(out, listedProblem{networks, true, "classification by a fully connected network, of letters drawn from type faces or of examples in files; no certified constants"})
	if asJSON {
		return writeJSON(w, out)
	}
	tw := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(tw, "PROBLEM\tDATA\tSUMMARY")
	for _, c := range out {
		data := "generated"
		if c.TakesData {
			data = "file or generated"
		}
		fmt.Fprintf(tw, "%s\t%s\t%s\n", c.Name, data, c.Summary)
	}
	return tw.Flush()
}

func listMethods(w io.Writer, asJSON bool) error {
	var out []listedMethod
	for _, m := range catalogue() {
		out = append(out, listedMethod{m.Name, m.Federated, m.Summary, m.Source, m.Prescribed != nil, m.Needs()})
	}
	if asJSON {
		return writeJSON(w, out)
	}
	tw := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(tw, "METHOD\tSETTING\tWHAT IT IS\tSOURCE\tPRESCRIBED FROM")
	for _, m := range out {
		setting, needs := "finite sum", "–"
		if m.Federated {
			setting = "federated"
		}
		if m.Prescribed {
			needs = strings.Join(m.Needs, " ")
		}
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\t%s\n", m.Name, setting, m.Summary, m.Source, needs)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, `
The last column lists the constants of a problem that parameters as the theory prescribes are made from (besides ζ, for which 2L stands in): verify race
-prescribed. – where no result with constants is known. What runs share is set by the flags of verify race: noise (-r), minibatches (-b), epochs (-period).`)
	return err
}

// unrun puts claims into a report without running them, which orders them and knows what uses what.
func unrun(claims []props.Claim) *reports.Report {
	results := make([]props.Result, len(claims))
	for i := range claims {
		results[i].Claim = claims[i]
	}
	return reports.New(results, reports.Run{})
}

// find returns the claim with the id, or says which ids are like it.
func (p *program) find(r *reports.Report, id string) (*reports.Claim, error) {
	if c := r.Claim(id); c != nil {
		return c, nil
	}
	message := fmt.Sprintf("there is no claim %q", id)
	var like []string
	for i := range r.Claims {
		if known := r.Claims[i].ID; strings.Contains(known, id) && len(like) < 3 {
			like = append(like, known)
		}
	}
	if len(like) > 0 {
		message += "; is it " + alternatives(like) + "?"
	} else {
		message += "; \"verify list\" shows the claims"
	}
	return nil, &status{exitNothing, message}
}

// explainVerb is "verify explain".
func (p *program) explainVerb() *ffcli.Command {
	return verb("explain", "verify explain ID...", "what a claim says, where it stands, how it is checked and what uses it", "", nil,
		func(_ context.Context, args []string) error {
			if len(args) == 0 {
				return usagef("explain needs the id of a claim")
			}
			r := unrun(p.claims)
			found := make([]*reports.Claim, len(args))
			for i, id := range args {
				var err error
				if found[i], err = p.find(r, id); err != nil {
					return err
				}
			}
			for i, c := range found {
				if i > 0 {
					fmt.Fprintln(p.stdout)
				}
				explain(p.stdout, r, c)
			}
			return nil
		})
}

func explain(w io.Writer, r *reports.Report, c *reports.Claim) {
	tell := func(name, text string) {
		if text != "" {
			fmt.Fprintf(w, "%s%s\n", pad(name, 12), strings.ReplaceAll(text, "\n", "\n"+strings.Repeat(" ", 12)))
		}
	}
	fmt.Fprintln(w, c.ID)
	tell("statement", props.Unmarked(c.Statement))
	tell("where", c.Place())
	rank := [...]string{"", "main result", "proof step", "remark"}[max(0, min(c.Tier, 3))]
	tell("kind", strings.Trim(fmt.Sprintf("%s, %s, %s", c.Kind, rank, c.Form), ", "))
	tell("checked", c.Checked)
	tell("expected", fmt.Sprintf("%s: %s", c.Expect, reports.Meaning(c.Expect)))
	tell("notes", props.Unmarked(c.Notes))
	base, _, _ := strings.Cut(c.ID, "/")
	var forms []string
	for i := range r.Claims {
		if other := r.Claims[i].ID; other != c.ID && (other == base || strings.HasPrefix(other, base+"/")) {
			forms = append(forms, fmt.Sprintf("%s (expected %s)", other, r.Claims[i].Expect))
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
