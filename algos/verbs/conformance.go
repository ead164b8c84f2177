package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"sledge/algos/algotest"
	"sledge/props/keyed"
	"sledge/reports"
)

// methodsSchema names the format of the JSON of verify mutate -methods.
const methodsSchema = "sledge/method-mutants/v1"

// mostSurvivors is the share of the faults that change runs which may pass the conformance suite; a single one may,
// however small the sample.
const mostSurvivors = 0.05

// fault is a form of a method with a fault to try.
type fault struct {
	form  algotest.Form
	fault algotest.Fault
}

// mutateMethods puts faults into the methods of the catalogue that the patterns name, and asks the conformance suite.
func (p *program) mutateMethods(ctx context.Context, patterns []string, sample int, spend *budget, asJSON bool) error {
	for _, pattern := range patterns {
		if _, err := path.Match(pattern, ""); err != nil {
			return usagef("pattern %q: %v", pattern, err)
		}
	}
	var all []fault
	for _, f := range algotest.Forms() {
		names := func(pattern string) bool { return named(pattern, f.Name) || named(pattern, f.Base()) }
		if len(patterns) > 0 && !slices.ContainsFunc(patterns, names) {
			continue
		}
		for _, bad := range algotest.Faults() {
			all = append(all, fault{f, bad})
		}
	}
	if len(all) == 0 {
		return &status{exitNothing, fmt.Sprintf("no method is named like %q", patterns)}
	}
	if sample > 0 && sample < len(all) {
		order := keyed.New(spend.seed).With("sample of faults").Rand().Perm(len(all))[:sample]
		slices.Sort(order)
		for k, i := range order {
			all[k] = all[i]
		}
		all = all[:sample]
	}
	started := time.Now()
	outcomes := make([]algotest.Outcome, len(all))
	var wait sync.WaitGroup
	next := make(chan int)
	for range spend.workers {
		wait.Go(func() {
			for k := range next {
				outcomes[k] = all[k].form.Try(all[k].fault)
			}
		})
	}
	for k := range all {
		if ctx.Err() != nil {
			break
		}
		next <- k
	}
	close(next)
	if wait.Wait(); ctx.Err() != nil {
		return &status{exitInterrupted, "interrupted"}
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
	if asJSON {
		err = writeJSON(p.stdout, struct {
			Schema  string             `json:"schema"`
			Seed    uint64             `json:"seed"` // of the sample
			Seconds float64            `json:"seconds"`
			Faults  []algotest.Outcome `json:"faults"`
		}{methodsSchema, spend.seed, time.Since(started).Seconds(), outcomes})
	} else {
		err = writeFaults(p.stdout, outcomes, changing, surviving, time.Since(started))
	}
	if err != nil {
		return &internal{err}
	}
	if surviving > 1 && float64(surviving) > mostSurvivors*float64(changing) {
		return &status{exitUnexpected, fmt.Sprintf("%d of %s that change runs survive", surviving, plural(changing, "fault"))}
	}
	return nil
}

// named reports whether a pattern names a method, in capital or small letters.
func named(pattern, name string) bool {
	ok, _ := path.Match(strings.ToLower(pattern), strings.ToLower(name))
	return ok
}

// writeFaults writes a line for each form, with what killed its faults, and what survives below.
func writeFaults(w io.Writer, outcomes []algotest.Outcome, changing, surviving int, took time.Duration) error {
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
	_, err := fmt.Fprintf(w, "\n%s%d of %s that change runs killed by the conformance suite alone (%s, %v).\n",
		survivors.String(), changing-surviving, plural(changing, "fault"), share, took.Round(100*time.Millisecond))
	return err
}
