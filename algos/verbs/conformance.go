package verbs

import (
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"sledge/algos/algotest"
	"sledge/props/parallel"
	"sledge/reports"
	"sledge/reports/verify"
)

// faultsSchema and conformanceSchema name the formats of the JSON of conformance, with -faults and
// without.
const (
	faultsSchema      = "sledge/method-mutants/v1"
	conformanceSchema = "sledge/conformance/v1"
)

// mostSurvivors is the share of the faults that change runs which may pass the conformance suite; a
// single one may, however small the sample.
const mostSurvivors = 0.05

// conformance holds the flags of the verb.
type conformance struct {
	verify.Random
	own    []algotest.Form
	faults bool
	sample int
	asJSON bool
}

// Conformance is the verb that puts methods through the conformance suite: those of
// [algotest.Forms] and one's own, for which [algotest.FormsOf] makes forms.
func Conformance(own ...algotest.Form) verify.Verb {
	return verify.Verb{
		Alone: true,
		Bind: func(flags *flag.FlagSet) verify.Action {
			k := conformance{own: own}
			flags.BoolVar(&k.faults, "faults", false, "")
			verify.Count(flags, &k.sample, "sample")
			flags.BoolVar(&k.asJSON, "json", false, "")
			k.Flags(flags, "faults")
			return k.do
		},
	}.Described(help, "conformance")
}

func (k *conformance) do(ctx context.Context, c *verify.Call) error {
	forms, err := k.choose(c.Args)
	if err != nil {
		return err
	}
	if k.faults {
		return k.tryFaults(ctx, c, forms)
	}
	return k.examine(ctx, c, forms)
}

// choose returns the forms that the patterns name.
func (k *conformance) choose(patterns []string) ([]algotest.Form, error) {
	forms := append(algotest.Forms(), k.own...)
	if len(patterns) == 0 {
		return forms, nil
	}
	for _, pattern := range patterns {
		if _, err := path.Match(pattern, ""); err != nil {
			return nil, verify.Usagef("pattern %q: %v", pattern, err)
		}
	}
	forms = slices.DeleteFunc(forms, func(f algotest.Form) bool {
		return !slices.ContainsFunc(patterns,
			func(p string) bool { return named(p, f.Name) || named(p, f.Base()) })
	})
	if len(forms) == 0 {
		return nil, verify.Exitf(verify.Nothing, "no method is named like %q", patterns)
	}
	return forms, nil
}

// examined is what the suite says of a form.
type examined struct {
	Form       string   `json:"form"`
	Failures   []string `json:"failures"`
	NotChecked []string `json:"notChecked"`
}

// examine puts the forms through the suite, one after the other, as one of its cases counts
// allocations.
func (k *conformance) examine(ctx context.Context, c *verify.Call, forms []algotest.Form) error {
	started := time.Now()
	var rows []examined
	failing := 0
	for i := range forms {
		if ctx.Err() != nil {
			return verify.Exitf(verify.Interrupted, "interrupted")
		}
		report := algotest.Examine(forms[i].Method, forms[i].Options)
		row := examined{Form: forms[i].Name, Failures: []string{},
			NotChecked: append([]string{}, report.NotChecked...)}
		for _, err := range report.Failures {
			row.Failures = append(row.Failures, err.Error())
		}
		if len(row.Failures) > 0 {
			failing++
		}
		rows = append(rows, row)
	}
	var err error
	if k.asJSON {
		err = verify.WriteJSON(c.Out, struct {
			Schema string     `json:"schema"`
			Forms  []examined `json:"forms"`
		}{conformanceSchema, rows})
	} else {
		err = writeExamined(c.Out, rows, failing, time.Since(started))
	}
	if err == nil && failing > 0 {
		err = verify.Exitf(verify.Unexpected, "%d of %s do not conform", failing,
			verify.Plural(len(forms), "form"))
	}
	return err
}

func writeExamined(w io.Writer, rows []examined, failing int, took time.Duration) error {
	var b strings.Builder
	tw := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
	fmt.Fprintln(tw, "METHOD\tFAILURES\tNOT CHECKED")
	for _, r := range rows {
		fmt.Fprintf(tw, "%s\t%d\t%d\n", r.Form, len(r.Failures), len(r.NotChecked))
	}
	tw.Flush()
	for _, r := range rows {
		for _, f := range r.Failures {
			fmt.Fprintf(&b, "\n%s: %s\n", r.Form, f)
		}
	}
	fmt.Fprintf(&b, "\n%d of %s conform (%v).\n",
		len(rows)-failing, verify.Plural(len(rows), "form"), took.Round(100*time.Millisecond))
	_, err := io.WriteString(w, b.String())
	return err
}

// fault is a form of a method with a fault to try.
type fault struct {
	form  algotest.Form
	fault algotest.Fault
}

// tryFaults puts faults into the forms and asks the suite.
func (k *conformance) tryFaults(ctx context.Context, c *verify.Call, forms []algotest.Form) error {
	var all []fault
	for _, f := range forms {
		for _, bad := range algotest.Faults() {
			all = append(all, fault{f, bad})
		}
	}
	all = verify.Sample(all, k.sample, k.Seed, "sample of faults")
	started := time.Now()
	outcomes := make([]algotest.Outcome, len(all))
	parallel.Each(k.Workers, len(all), func(i int) {
		if ctx.Err() == nil {
			outcomes[i] = all[i].form.Try(all[i].fault)
		}
	})
	if ctx.Err() != nil {
		return verify.Exitf(verify.Interrupted, "interrupted")
	}
	changing, surviving := 0, 0
	for i := range outcomes {
		if outcomes[i].Changes {
			changing++
		}
		if outcomes[i].Survives() {
			surviving++
		}
	}
	var err error
	if k.asJSON {
		err = verify.WriteJSON(c.Out, struct {
			Schema  string             `json:"schema"`
			Seed    uint64             `json:"seed"` // of the sample
			Seconds float64            `json:"seconds"`
			Faults  []algotest.Outcome `json:"faults"`
		}{faultsSchema, k.Seed, time.Since(started).Seconds(), outcomes})
	} else {
		err = writeFaults(c.Out, outcomes, changing, surviving, time.Since(started))
	}
	if err == nil && surviving > 1 && float64(surviving) > mostSurvivors*float64(changing) {
		err = verify.Exitf(verify.Unexpected, "%d of %s that change runs survive", surviving,
			verify.Plural(changing, "fault"))
	}
	return err
}

// named reports whether a pattern names a method, in capital or small letters.
func named(pattern, name string) bool {
	ok, _ := path.Match(strings.ToLower(pattern), strings.ToLower(name))
	return ok
}

// writeFaults writes a line for each form, with what killed its faults, and what survives below.
func writeFaults(w io.Writer, outcomes []algotest.Outcome, changing, surviving int,
	took time.Duration) error {
	tw := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(tw, "METHOD\tKILLED\tCHANGE NO RUN\tKILLED BY")
	var survivors strings.Builder
	for len(outcomes) > 0 {
		form := outcomes[0].Form
		killed, still, tried := map[string]int{}, 0, 0
		for ; len(outcomes) > 0 && outcomes[0].Form == form; outcomes = outcomes[1:] {
			o := &outcomes[0]
			switch {
			case !o.Changes:
				still++
				continue
			case o.Survives():
				fmt.Fprintf(&survivors, "survives: %s with %s\n", o.Form, o.Fault)
			default:
				killed[o.Case]++
			}
			tried++
		}
		dead, words := 0, []string{}
		for _, name := range slices.Sorted(maps.Keys(killed)) {
			dead += killed[name]
			words = append(words, fmt.Sprintf("%s %d", name, killed[name]))
		}
		fmt.Fprintf(tw, "%s\t%d/%d\t%d\t%s\n", form, dead, tried, still, strings.Join(words, ", "))
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	share := "–"
	if changing > 0 {
		share = fmt.Sprintf("%v %%", reports.Num(100*float64(changing-surviving)/float64(changing)))
	}
	_, err := fmt.Fprintf(w,
		"\n%s%d of %s that change runs killed by the conformance suite alone (%s, %v).\n",
		survivors.String(), changing-surviving, verify.Plural(changing,
			"fault"), share, took.Round(100*time.Millisecond))
	return err
}
