package verify

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sledge/props"
	"sledge/reports"
)

// defaultDir is where a report is written and looked for.
const defaultDir = "sledge-report"

// output says where results go and which of them fail.
type output struct {
	dir, json, junit string
	failOn           failOn
	verbose          bool
	pages            reports.Pages
}

func (o *output) flags(fs *flag.FlagSet) {
	o.dir = defaultDir
	fs.Var(place{&o.dir}, "out",
		"`directory` for index.html and the pages behind it, report.json, report.md and junit.xml")
	fs.Var(place{&o.json}, "json",
		"also write report.json to `file`; - is standard output, the table then goes to standard error")
	fs.Var(place{&o.junit}, "junit", "also write JUnit XML to `file`")
	fs.Var(&o.failOn, "fail-on",
		"comma-separated `list` of inconclusive, vacuous: verdicts that fail even where they are expected")
	fs.BoolVar(&o.pages.Single, "single", false, "also write report.html, one page with everything")
	fs.BoolVar(&o.pages.Paths, "paths", false, "draw the paths of sequential tests in the pages, too")
	fs.BoolVar(&o.verbose, "v", false, "show every claim in the table")
}

// failOn is a list of verdicts.
type failOn []props.Verdict

func (f *failOn) String() string {
	var words []string
	for _, v := range *f {
		words = append(words, v.String())
	}
	return strings.Join(words, ",")
}

func (f *failOn) Set(list string) error {
	*f = nil
	for word := range strings.SplitSeq(list, ",") {
		switch word {
		case props.Inconclusive.String():
			*f = append(*f, props.Inconclusive)
		case props.Vacuous.String():
			*f = append(*f, props.Vacuous)
		default:
			return fmt.Errorf("%q is not inconclusive or vacuous", word)
		}
	}
	return nil
}

// replaceable refuses, in the name of a flag, a file that cannot be written or whose content is not ours.
func replaceable(flag, path string, ours func(path string) bool) error {
	if err := reports.CheckFile(path); err != nil {
		return Usagef("%s: %v", flag, err)
	}
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Size() > 0 && !ours(path) {
		return Usagef("%s: %s exists and is nothing that this program writes there; name another file", flag, path)
	}
	return nil
}

// check refuses places that cannot be written to.
func (o *output) check() error {
	for _, f := range []struct {
		flag, path string
		ours       func(path string) bool
	}{{"-json", o.json, reports.IsJSON}, {"-junit", o.junit, reports.IsJUnit}} {
		if f.path == "" || f.flag == "-json" && f.path == "-" {
			continue
		}
		if f.path == "-" {
			return Usagef("%s needs a file; only -json writes to standard output", f.flag)
		}
		if err := replaceable(f.flag, f.path, f.ours); err != nil {
			return err
		}
	}
	if o.json != "" && o.json == o.junit {
		return Usagef("-json and -junit name the same file, %s", o.json)
	}
	if o.dir == "" {
		return Usagef("-out needs a directory")
	}
	if err := reports.CheckDir(o.dir); err != nil {
		return Usagef("-out: %v", err)
	}
	return nil
}

// deliver writes the report everywhere it is wanted and returns the status that its verdicts call for.
func (o *output) deliver(c *Call, r *reports.Report) error {
	if err := r.WriteDir(o.dir, o.pages); err != nil {
		return err
	}
	table := c.Out
	switch o.json {
	case "":
	case "-":
		table = c.Err
		if err := r.WriteJSON(c.Out); err != nil {
			return err
		}
	default:
		if err := reports.WriteFile(o.json, r.WriteJSON); err != nil {
			return err
		}
	}
	if o.junit != "" {
		if err := reports.WriteFile(o.junit, r.WriteJUnit); err != nil {
			return err
		}
	}
	if err := writeTable(table, r, o.verbose, filepath.Join(o.dir, reports.IndexFile)); err != nil {
		return err
	}
	if os.Getenv("GITHUB_ACTIONS") == "true" {
		if err := annotate(table, r); err != nil {
			return err
		}
	}
	if len(r.Summary.Unexpected) > 0 {
		return Exitf(Unexpected, "")
	}
	for _, v := range o.failOn {
		if r.Summary.ByVerdict[v] > 0 {
			return Exitf(Undecided, "%d claims are %s (-fail-on)", r.Summary.ByVerdict[v], v)
		}
	}
	return nil
}

// Check runs claims of the ledger with progress on standard error.
func (c *Call) Check(ctx context.Context, claims []props.Claim, cfg props.Config) ([]props.Result, error) {
	return c.check(ctx, claims, cfg, func(*props.Result) {})
}

// check is Check that hands on each result as it comes, one at a time.
func (c *Call) check(ctx context.Context, claims []props.Claim, cfg props.Config,
	keep func(*props.Result)) ([]props.Result, error) {
	progress := newProgress(c.Err, c.app.Name, len(claims))
	defer progress.end()
	cfg.Progress = func(e props.Event) {
		if e.Result != nil {
			keep(e.Result)
		}
		progress.event(e)
	}
	return props.Run(ctx, claims, cfg)
}

func runVerb() Verb {
	return Verb{
		Name: "run", Usage: "[flags] [ID-PATTERN...]",
		Summary: "check claims and write a report (the default verb)",
		Help:    patterns(),
		Examples: []Example{
			{"", "all claims at the quick tier"},
			{"-tier standard -out report", "ten times the work; deep is a hundred times"},
			{"'*/corrected'", "the claims whose ids match"},
			{"-shard 1/4 -out part1", "a quarter of the claims, to be merged with the others"},
			{"-tier deep -resume", "go on with a run that was stopped"},
		},
		Bind: func(flags *flag.FlagSet) Action {
			var out output
			var budget Budget
			var part shard
			out.flags(flags)
			budget.Flags(flags)
			flags.Var(&part, "shard",
				"check only the `k/K`-th part of the claims; the verb merge joins the reports; auto asks "+
					"the environment which part (an array of Slurm, an indexed job, a matrix), auto/K where that does not "+
					"say how many parts there are")
			resume := flags.Bool("resume", false,
				"go on with the run in the directory of -out that was stopped, if there is one")
			return func(ctx context.Context, c *Call) error {
				claims, err := c.Choose(c.Args)
				if err != nil {
					return err
				}
				if claims, err = part.of(claims); err != nil {
					return err
				}
				if err := out.check(); err != nil {
					return err
				}
				return run(ctx, c, claims, &part, &budget, &out, *resume)
			}
		},
	}
}

// run checks the claims and delivers the report.
func run(ctx context.Context, c *Call, claims []props.Claim, part *shard, budget *Budget, out *output,
	resume bool) error {
	cfg := budget.Config(c.Claims())
	started := time.Now()
	info := reports.Run{Seed: cfg.Seed, Tier: cfg.Tier.String(), Shard: part.String(), Selection: c.Args,
		Replayer: c.app.replay(), Alpha: reports.Num(cfg.Alpha), Tests: cfg.Tests, Started: started,
		Planned: len(claims)}
	var before []reports.Claim
	if resume {
		var err error
		if before, err = reports.ReadJournal(out.dir, info); err != nil {
			return Usagef("-resume: %v", err)
		}
		claims = slices.DeleteFunc(slices.Clone(claims), func(claim props.Claim) bool {
			return slices.ContainsFunc(before, func(b reports.Claim) bool { return b.ID == claim.ID })
		})
	}
	journal, err := reports.OpenJournal(out.dir, info, before)
	if err != nil {
		return err
	}
	results, err := c.check(ctx, claims, cfg, journal.Add)
	info.Seconds = time.Since(started).Seconds()
	switch {
	case err != nil && ctx.Err() == nil:
		return errors.Join(err, journal.Close(len(before) == 0)) // what another run has found is kept
	case err != nil:
		info.Partial = fmt.Sprintf("interrupted, %d of %d claims were checked", len(before)+len(results), info.Planned)
	}
	report := c.report(results, info)
	report.Include(before)
	delivered := out.deliver(c, report)
	if err := journal.Close(info.Partial == "" && (delivered == nil || errors.As(delivered, new(*status)))); err != nil {
		return errors.Join(delivered, err)
	}
	if info.Partial != "" && (delivered == nil || errors.As(delivered, new(*status))) {
		return Exitf(Interrupted, "%s; -resume goes on", info.Partial)
	}
	return delivered
}
