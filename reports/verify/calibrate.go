package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/peterbourgon/ff/v3/ffcli"

	"sledge/props"
	"sledge/props/calibration"
	"sledge/reports"
)

// calibrationSchema names the format of the JSON of verify calibrate.
const calibrationSchema = "sledge/calibration/v1"

// shortRuns is the part of the runs that verify calibrate -short makes.
const shortRuns = 0.2

// calibrateVerb is "verify calibrate".
func (p *program) calibrateVerb() *ffcli.Command {
	flags := flag.NewFlagSet("calibrate", flag.ContinueOnError)
	var spend budget
	spend.flags(flags)
	runs := 1.0
	flags.Func("runs", "`factor` for the number of seeds with which each statement is posed, 1 unless given", func(s string) (err error) {
		if runs, err = strconv.ParseFloat(s, 64); err != nil || !(runs > 0 && runs <= 1e4) {
			return errors.New("want a number above 0")
		}
		return nil
	})
	short := flags.Bool("short", false, "a fifth of the seeds, and nothing at the standard tier")
	whole := flags.Int("whole", 0, "instead, run all claims, or those selected, with `K` fresh seeds and count what is not as expected")
	asJSON := flags.Bool("json", false, "write JSON")
	return verb("calibrate", "verify calibrate [flags] [ID-PATTERN...]", "pose statements whose truth is known and see how often the engine errs",
		"True statements at the boundary, near misses, needles, rounding, laws and orders are posed with many seeds. Every rate has an exact confidence interval; the exit\n"+
			"status is 1 if one lies above its level, or a power below what is asked, beyond the luck of the seeds. With -whole the claims of the ledger are run instead, at the\n"+
			"tier given and with seeds from -seed on; a refutation of a claim that is expected to stand fails.", flags,
		func(ctx context.Context, args []string) error {
			if *whole < 0 {
				return usagef("-whole %d is negative", *whole)
			}
			if *whole > 0 {
				claims, err := choose(p.claims, args)
				if err != nil {
					return err
				}
				return p.wholeRuns(ctx, claims, &spend, *whole, *asJSON)
			}
			battery := calibration.Battery()
			if len(args) > 0 {
				if battery = namedStatements(battery, args); len(battery) == 0 {
					return &status{exitNothing, fmt.Sprintf("no statement is named like %q", args)}
				}
			}
			if *short {
				battery = slices.DeleteFunc(battery, func(s calibration.Statement) bool { return s.Tier != props.Quick })
				runs *= shortRuns
			}
			started := time.Now()
			rows, err := calibration.Run(ctx, battery, calibration.Config{Seed: spend.seed, Workers: spend.workers, Runs: runs})
			switch {
			case ctx.Err() != nil:
				return &status{exitInterrupted, "interrupted"}
			case err != nil:
				return &internal{err}
			}
			if *asJSON {
				err = writeJSON(p.stdout, struct {
					Schema     string            `json:"schema"`
					Seed       uint64            `json:"seed"`
					Confidence float64           `json:"confidence"`
					Seconds    float64           `json:"seconds"`
					Statements []calibration.Row `json:"statements"`
				}{calibrationSchema, spend.seed, calibration.Confidence, time.Since(started).Seconds(), rows})
			} else {
				err = writeCalibration(p.stdout, rows, fmt.Sprintf("seed %d, %v", spend.seed, time.Since(started).Round(time.Second)))
			}
			if err != nil {
				return &internal{err}
			}
			missed := 0
			for i := range rows {
				if !rows[i].Satisfied() {
					missed++
				}
			}
			if missed > 0 {
				return &status{exitUnexpected, fmt.Sprintf("%s outside their limits", plural(missed, "statement"))}
			}
			return nil
		})
}

// namedStatements keeps the statements whose name or kind contains one of the words.
func namedStatements(battery []calibration.Statement, words []string) []calibration.Statement {
	return slices.DeleteFunc(battery, func(s calibration.Statement) bool {
		return !slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s.Name, w) || s.Kind == w })
	})
}

// counts writes numbers of verdicts, what needs attention first.
func counts(by map[props.Verdict]int) string {
	var words []string
	for _, v := range reports.Verdicts {
		if by[v] > 0 {
			words = append(words, fmt.Sprintf("%d %s", by[v], v))
		}
	}
	return strings.Join(words, ", ")
}

func writeCalibration(w io.Writer, rows []calibration.Row, how string) error {
	tw := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	kind := ""
	for i := range rows {
		r := &rows[i]
		if r.Kind != kind {
			kind = r.Kind
			fmt.Fprintf(tw, "%s\tTRUTH\tVERDICTS\tRATE\tINTERVAL\tDEMAND\t\n", strings.ToUpper(kind))
		}
		name := r.Name
		for k, o := range r.Outcomes {
			verdicts, truth := counts(r.Verdicts), r.Truth
			if k > 0 {
				name, truth, verdicts = "", "", ""
			}
			demand, word := "at most", "PASS"
			if o.AtLeast {
				demand = "at least"
			}
			if !o.Satisfied {
				word = "FAIL"
			}
			fmt.Fprintf(tw, "  %s\t%s\t%s\t%s %s\t%s to %s\t%s %s\t%s\n", name, truth, verdicts, o.Of, reports.Num(o.Rate), reports.Num(o.Low), reports.Num(o.High), demand,
				reports.Num(o.Allowed), word)
		}
		if r.Error != "" && r.Kind != "not comparable" {
			fmt.Fprintf(tw, "  error: %.120s\n", strings.ReplaceAll(r.Error, "\n", " "))
		}
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "Intervals are exact at confidence %v; a demand fails if its interval does. (%s)\n", calibration.Confidence, how)
	return err
}

// wholeRuns runs claims with seeds from that of the budget on.
func (p *program) wholeRuns(ctx context.Context, claims []props.Claim, spend *budget, n int, asJSON bool) error {
	seeds := make([]uint64, n)
	for i := range seeds {
		seeds[i] = spend.seed + uint64(i)
	}
	started := time.Now()
	w, err := calibration.RunWhole(ctx, claims, seeds, spend.config(p.claims), func(seed uint64, results []props.Result) {
		odd := 0
		for i := range results {
			if !results[i].AsExpected() {
				odd++
			}
		}
		fmt.Fprintf(p.stderr, "verify: seed %d: %d not as expected, %v\n", seed, odd, time.Since(started).Round(time.Second))
	})
	if err != nil && ctx.Err() == nil {
		return &internal{err}
	}
	if asJSON {
		err = writeJSON(p.stdout, struct {
			Schema string             `json:"schema"`
			Seeds  []uint64           `json:"seeds"`
			Tier   string             `json:"tier"`
			Whole  *calibration.Whole `json:"whole"`
		}{calibrationSchema, seeds[:w.Seeds], spend.tier, w})
	} else {
		err = writeWhole(p.stdout, w)
	}
	switch {
	case err != nil:
		return &internal{err}
	case ctx.Err() != nil:
		return &status{exitInterrupted, fmt.Sprintf("interrupted after %s", plural(w.Seeds, "seed"))}
	case len(w.Refuted) > 0:
		return &status{exitUnexpected, fmt.Sprintf("%s refuted though expected to stand", plural(len(w.Refuted), "claim"))}
	}
	return nil
}

func writeWhole(w io.Writer, r *calibration.Whole) error {
	var b strings.Builder
	ids := make([]string, 0, len(r.Unexpected))
	for id := range r.Unexpected {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	seedsWith := map[uint64]bool{}
	for _, id := range ids {
		fmt.Fprintf(&b, "%s: %d of %s not as expected", id, len(r.Unexpected[id]), plural(r.Seeds, "seed"))
		if n := len(r.Refuted[id]); n > 0 {
			fmt.Fprintf(&b, ", REFUTED with %d", n)
		}
		b.WriteString("\n")
		said := map[string]bool{}
		for _, s := range r.Unexpected[id] {
			if text := strings.Join(s.What, "; "); !said[text] {
				said[text] = true
				fmt.Fprintf(&b, "    seed %d: %s\n", s.Seed, text)
			}
		}
		for _, seed := range r.Refuted[id] {
			seedsWith[seed] = true
		}
	}
	low, high := props.ClopperPearson(len(seedsWith), max(r.Seeds, 1), 0.025)
	fmt.Fprintf(&b, "%s of %s: %s.\n%d of %s refute a claim that is expected to stand (95 %% limits of the probability %s and %s).\n", plural(r.Seeds, "run"), plural(r.Claims, "claim"),
		counts(r.Verdicts), len(seedsWith), plural(r.Seeds, "seed"), reports.Num(low), reports.Num(high))
	_, err := io.WriteString(w, b.String())
	return err
}
