package verify

import (
	"flag"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// writeHelp writes what -h says about a verb; with verbs, about the whole command, whose default
// the verb is.
func writeHelp(w io.Writer, command string, v *Verb, flags *flag.FlagSet, verbs []Verb) {
	fmt.Fprintf(w, "DESCRIPTION\n  %s\n\nUSAGE\n  %s\n\n", v.Summary,
		strings.TrimSpace(command+" "+v.Name+" "+v.Usage))
	if v.Help != "" {
		fmt.Fprintf(w, "%s\n\n", v.Help)
	}
	examples := v.Examples
	table := func(title string, rows [][2]string) {
		if len(rows) == 0 {
			return
		}
		fmt.Fprintln(w, title)
		tw := tabwriter.NewWriter(w, 0, 2, 2, ' ', 0)
		for _, r := range rows {
			fmt.Fprintf(tw, "  %s\t%s\n", r[0], r[1])
		}
		tw.Flush()
		fmt.Fprintln(w)
	}
	var rows [][2]string
	for _, other := range verbs {
		rows = append(rows, [2]string{other.Name, other.Summary})
		if other.Name != verbs[0].Name && len(other.Examples) > 0 {
			examples = append(examples[:len(examples):len(examples)], other.Examples[0])
		}
	}
	table(fmt.Sprintf("VERBS (%s VERB -h explains one)", command), rows)
	table("FLAGS", flagRows(flags))
	rows = nil
	for _, e := range examples {
		rows = append(rows, [2]string{strings.TrimSpace(command + " " + e.Args), e.What})
	}
	table("EXAMPLES", rows)
}

// flagRows are the flags with their values, and what they mean; a default is added that the text
// does not name.
func flagRows(flags *flag.FlagSet) [][2]string {
	var rows [][2]string
	flags.VisitAll(func(f *flag.Flag) {
		value, text := flag.UnquoteUsage(f)
		if d := f.DefValue; d != "" && d != "0" && d != "false" &&
			!strings.Contains(text, "default") &&
			!strings.Contains(text, "unless given") {
			text += fmt.Sprintf(" (default %s)", d)
		}
		rows = append(rows, [2]string{strings.TrimSpace("-" + f.Name + " " + value), text})
	})
	return rows
}
