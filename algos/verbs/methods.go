package verbs

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/reports/verify"
)

// methods returns the methods of the library and one's own; of two with the same name, one's own.
func methods(own []algos.Entry) []algos.Entry {
	known := slices.DeleteFunc(algos.WithSchedules(), func(c algos.Entry) bool {
		return slices.ContainsFunc(own,
			func(o algos.Entry) bool { return strings.EqualFold(o.Name, c.Name) })
	})
	return append(known, own...)
}

// listedMethod is a method as "list methods -json" shows it.
type listedMethod struct {
	Name      string `json:"name"`
	Federated bool   `json:"federated"`
	Summary   string `json:"summary"`
	Source    string `json:"source"`
	// Prescribed says that the method can race with the parameters of its theory, which Needs these
	// constants of the problem.
	Prescribed bool     `json:"prescribed"`
	Needs      []string `json:"needs,omitempty"`
}

// Methods lists what can race: the methods of [algos.WithSchedules] and one's own.
func Methods(own ...algos.Entry) verify.List {
	return verify.List{Name: "methods", Summary: "the methods that can race",
		Write: func(w io.Writer, asJSON bool) error {
			var out []listedMethod
			for _, m := range methods(own) {
				out = append(out, listedMethod{m.Name, m.Federated, m.Summary, m.Source,
					m.Prescribed != nil, m.Needs()})
			}
			if asJSON {
				return verify.WriteJSON(w, out)
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
The last column lists the constants of a problem that parameters as the theory prescribes are made from
(besides ζ, for which 2L stands in): race -prescribed. – where no result with constants is known. What
runs share is set by the flags of race: noise (-r), minibatches (-b), epochs (-period).`)
			return err
		}}
}

// listedProblem is a problem family as "list problems -json" shows it.
type listedProblem struct {
	Name      string `json:"name"`
	TakesData bool   `json:"takesData"`
	Summary   string `json:"summary"`
}

// Problems lists the problem families that methods can race on.
func Problems() verify.List {
	return verify.List{Name: "problems", Summary: "the problems to race on",
		Write: func(w io.Writer, asJSON bool) error {
			var out []listedProblem
			for _, c := range problems.Catalogue() {
				out = append(out, listedProblem{c.Name, c.TakesData, c.Summary})
			}
			out = append(out, listedProblem{networks, true,
				"classification by a fully connected network, of letters drawn from type faces " +
					"or of examples in files; no certified constants"})
			if asJSON {
				return verify.WriteJSON(w, out)
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
		}}
}
