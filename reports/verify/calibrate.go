package verify

import (
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"sledge/props"
	"sledge/props/calibration"
	"sledge/reports"
)

// calibrationSchema names the format of the JSON of the verb calibrate.
const calibrationSchema = "sledge/calibration/v1"

// shortRuns is the part of the runs that calibrate -short makes.
const shortRuns = 0.2

// mostWhole is how many runs of claims may be asked for.
const mostWhole = 100000

// calibrate holds the flags of the verb.
type calibrate struct {
	Budget
	runs   float64
	short  bool
	whole  int
	asJSON bool
}

func calibrateVerb() Verb {
	return Verb{
		Bind: func(flags *flag.FlagSet) Action {
			k := calibrate{runs: 1}
			k.Flags(flags)
			factor(flags, &k.runs, "runs", 0, 1e4)
			flags.BoolVar(&k.short, "short", false, "")
			Count(flags, &k.whole, "whole")
			flags.BoolVar(&k.asJSON, "json", false, "")
			return k.do
		},
	}.Described(help, "calibrate")
}

func (k *calibrate) do(ctx context.Context, c *Call) error {
	if k.whole > 0 {
		claims, err := c.Choose(c.Args)
		if err != nil {
			return err
		}
		return k.wholeRuns(ctx, c, claims)
	}
	battery, runs := calibration.Battery(), k.runs
	if len(c.Args) > 0 {
		if battery = namedStatements(battery, c.Args); len(battery) == 0 {
			return Exitf(Nothing, "no statement is named like %q", c.Args)
		}
	}
	if k.short {
		battery = slices.DeleteFunc(battery,
			func(s calibration.Statement) bool { return s.Tier != props.Quick })
		runs *= shortRuns
	}
	started := time.Now()
	rows, err := calibration.Run(ctx, battery,
		calibration.Config{Seed: k.Seed, Workers: k.Workers, Runs: runs})
	if err != nil {
		return err
	}
	if k.asJSON {
		err = WriteJSON(c.Out, struct {
			Schema     string            `json:"schema"`
			Seed       uint64            `json:"seed"`
			Confidence float64           `json:"confidence"`
			Seconds    float64           `json:"seconds"`
			Statements []calibration.Row `json:"statements"`
		}{calibrationSchema, k.Seed, calibration.Confidence, time.Since(started).Seconds(), rows})
	} else {
		err = writeCalibration(c.Out, rows,
			fmt.Sprintf("seed %d, %v", k.Seed, time.Since(started).Round(time.Second)))
	}
	if err != nil {
		return err
	}
	missed := 0
	for i := range rows {
		if !rows[i].Satisfied() {
			missed++
		}
	}
	if missed > 0 {
		return Exitf(Unexpected, "%s outside their limits", Plural(missed, "statement"))
	}
	return nil
}

// namedStatements keeps the statements whose name or kind contains one of the words.
func namedStatements(battery []calibration.Statement, words []string) []calibration.Statement {
	return slices.DeleteFunc(battery, func(s calibration.Statement) bool {
		return !slices.ContainsFunc(words,
			func(w string) bool { return strings.Contains(s.Name, w) || s.Kind == w })
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
			fmt.Fprintf(tw, "%s\tTRUTH\tVERDICTS\tRATE\tINTERVAL\tDEMAND\t\n",
				strings.ToUpper(kind))
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
			fmt.Fprintf(tw, "  %s\t%s\t%s\t%s %s\t%s to %s\t%s %s\t%s\n", name, truth,
				verdicts, o.Of, reports.Num(o.Rate), reports.Num(o.Low), reports.Num(o.High),
				demand, reports.Num(o.Allowed), word)
		}
		if r.Error != "" && r.Kind != "not comparable" {
			fmt.Fprintf(tw, "  error: %.120s\n", strings.ReplaceAll(r.Error, "\n", " "))
		}
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w,
		"Intervals are exact at confidence %v; a demand fails if its interval does. (%s)\n",
		calibration.Confidence, how)
	return err
}

// wholeRuns runs claims with seeds from that of the budget on.
func (k *calibrate) wholeRuns(ctx context.Context, c *Call, claims []props.Claim) error {
	if k.whole > mostWhole {
		return Usagef("-whole must be at most %d, got %d", mostWhole, k.whole)
	}
	seeds := make([]uint64, k.whole)
	for i := range seeds {
		seeds[i] = k.Seed + uint64(i)
	}
	started := time.Now()
	said := func(seed uint64, results []props.Result) {
		odd := 0
		for i := range results {
			if !results[i].AsExpected() {
				odd++
			}
		}
		fmt.Fprintf(c.Err, "%s: seed %d: %d not as expected, %v\n",
			c.Name(), seed, odd, time.Since(started).Round(time.Second))
	}
	w, err := calibration.RunWhole(ctx, claims, seeds, k.Config(c.Claims()), said)
	if err != nil && ctx.Err() == nil {
		return err
	}
	if k.asJSON {
		err = WriteJSON(c.Out, struct {
			Schema string             `json:"schema"`
			Seeds  []uint64           `json:"seeds"`
			Tier   string             `json:"tier"`
			Whole  *calibration.Whole `json:"whole"`
		}{calibrationSchema, seeds[:w.Seeds], k.Tier().String(), w})
	} else {
		err = writeWhole(c.Out, w)
	}
	switch {
	case err != nil:
		return err
	case ctx.Err() != nil:
		return Exitf(Interrupted, "interrupted after %s", Plural(w.Seeds, "seed"))
	case len(w.Refuted) > 0:
		return Exitf(Unexpected, "%s refuted though expected to stand",
			Plural(len(w.Refuted), "claim"))
	case len(w.Unexpected) > 0:
		return Exitf(Unexpected, "%s not as expected at some seed",
			Plural(len(w.Unexpected), "claim"))
	}
	return nil
}

func writeWhole(w io.Writer, r *calibration.Whole) error {
	var b strings.Builder
	seedsWith := map[uint64]bool{}
	for _, id := range slices.Sorted(maps.Keys(r.Unexpected)) {
		fmt.Fprintf(&b, "%s: %d of %s not as expected", id, len(r.Unexpected[id]),
			Plural(r.Seeds, "seed"))
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
	fmt.Fprintf(&b, "%s of %s: %s.\n", Plural(r.Seeds, "run"), Plural(r.Claims, "claim"),
		counts(r.Verdicts))
	fmt.Fprintf(&b,
		"%d of %s refute a claim that is expected to stand (95 %% limits of the probability %s "+
			"and %s).\n", len(seedsWith), Plural(r.Seeds, "seed"), reports.Num(low),
		reports.Num(high))
	_, err := io.WriteString(w, b.String())
	return err
}
