package verify

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sledge/props"
	"sledge/reports"
	"sledge/reports/store"
)

// defaultDir is where a report is written and looked for.
const defaultDir = "sledge-report"

// output says where results go and which of them fail.
type output struct {
	dir, json, junit string
	failOn           []props.Verdict
	verbose          bool
	pages            reports.Pages
	lock             io.Closer
	kept             bool // a whole report in dir, which a partial one has not replaced
}

func (o *output) flags(fs *flag.FlagSet) {
	o.dir = defaultDir
	fs.Var(place{&o.dir}, "out",
		"`directory` for index.html and the pages behind it, report.json, report.md and junit.xml")
	fs.Var(place{&o.json}, "json",
		"also write report.json to `file`; - is standard output, the table then goes to standard error")
	fs.Var(place{&o.junit}, "junit", "also write JUnit XML to `file`")
	fs.Func("fail-on",
		"comma-separated `list` of inconclusive, vacuous: verdicts that fail even where they are "+
			"expected",
		func(list string) error {
			o.failOn = nil
			for word := range strings.SplitSeq(list, ",") {
				switch word {
				case props.Inconclusive.String():
					o.failOn = append(o.failOn, props.Inconclusive)
				case props.Vacuous.String():
					o.failOn = append(o.failOn, props.Vacuous)
				default:
					return fmt.Errorf("%q is not inconclusive or vacuous", word)
				}
			}
			return nil
		})
	fs.BoolVar(&o.pages.Single, "single", false, "also write report.html, one page with everything")
	fs.BoolVar(&o.pages.Paths, "paths", false,
		"draw the paths of sequential tests in the pages, too")
	fs.BoolVar(&o.verbose, "v", false, "show every claim in the table")
}

// replaceable refuses, in the name of a flag, a file that cannot be written or whose content is not
// ours.
func replaceable(flag, path string, ours func(path string) bool) error {
	if err := store.CheckFile(path); err != nil {
		return Usagef("%s: %v", flag, err)
	}
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Size() > 0 &&
		!ours(path) {
		return Usagef(
			"%s: %s exists and is nothing that this program writes there; name another file",
			flag, path)
	}
	return nil
}

// check refuses places that cannot be written to, and keeps other processes out of the directory
// until release.
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
	var err error
	if o.lock, err = reports.Take(o.dir); err != nil {
		return Usagef("-out: %v", err)
	}
	return nil
}

// release lets other processes write into the directory.
func (o *output) release() {
	if o.lock != nil {
		o.lock.Close() // of a directory that was only read
	}
}

// deliver writes the report everywhere it is wanted and returns the status that its verdicts call
// for.
func (o *output) deliver(ctx context.Context, c *Call, r *reports.Report) (err error) {
	if c.app.Theory != nil {
		if o.pages.Theory, err = c.app.Theory(); err != nil {
			return err
		}
	}
	dir, err := r.Place(o.dir)
	if err != nil {
		return fmt.Errorf("the report in %s is whole, and the partial one cannot lie beside it: %w",
			o.dir, err)
	}
	o.kept = dir != o.dir
	if err := r.WriteDir(dir, o.pages); err != nil {
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
		if err := write(ctx, o.json, r.WriteJSON, dir); err != nil {
			return err
		}
	}
	if o.junit != "" {
		if err := write(ctx, o.junit, r.WriteJUnit, dir); err != nil {
			return err
		}
	}
	if err := writeTable(table, r, o.verbose, filepath.Join(dir, reports.IndexFile)); err != nil {
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

// write writes a file besides the report in dir. A pipe may have no reader, for whom a call waits
// no longer than its context lasts.
func write(ctx context.Context, path string, to func(io.Writer) error, dir string) error {
	if info, err := os.Stat(path); err != nil || info.Mode().IsRegular() {
		return store.Write(path, to)
	}
	return ended(ctx, fmt.Sprintf("interrupted as nobody read %s; the report is in %s", path, dir),
		func() error { return store.Write(path, to) })
}

// Check runs claims of the ledger with progress on standard error.
func (c *Call) Check(ctx context.Context, claims []props.Claim,
	cfg props.Config) ([]props.Result, error) {
	results, _, err := c.check(ctx, claims, nil, cfg, func(props.Event) {})
	return results, err
}

// Resume is [Call.Check] for a work that goes on where an earlier call with the same claims and
// settings was stopped: results are kept in dir as they come, until use has made of them what is
// wanted. Where it is stopped again, the error says so after the given words.
func (c *Call) Resume(ctx context.Context, claims []props.Claim, cfg props.Config, dir,
	interrupted string, use func([]reports.Claim) error) error {
	info := c.report(nil, reports.Run{Seed: cfg.Seed, Tier: cfg.Tier.String(),
		Alpha: reports.Num(cfg.Alpha), Tests: cfg.Tests, Started: time.Now()}).Run
	before, _, err := reports.ReadJournal(dir, info, claims, nil)
	if err != nil {
		before = nil // of another work, or damaged: it is replaced
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	journal, err := reports.OpenJournal(dir, info, before, nil)
	if err != nil {
		return err
	}
	w := work{claims: claims}
	w.leave(before, nil)
	results, _, err := c.check(ctx, w.claims, nil, cfg, journal.Add)
	switch n := len(before) + len(results); {
	case ctx.Err() != nil && n > 0:
		err = Exitf(Interrupted,
			"%s; %d of %d results are kept in %s, and the same command goes on "+
				"from there", interrupted, n, len(claims), filepath.Join(dir, reports.JournalFile))
		return errors.Join(journal.Close(false), err)
	case ctx.Err() != nil:
		err = errors.Join(journal.Close(true),
			Exitf(Interrupted, "%s; nothing was written", interrupted))
		os.Remove(dir) // unless something is in it
		return err
	case err != nil:
		return errors.Join(err, journal.Close(false))
	}
	report := c.report(results, info)
	report.Include(before)
	used := use(report.Claims)
	return errors.Join(used, journal.Close(used == nil || errors.As(used, new(*status))))
}

// check is Check that makes slices as well, and hands on news as they come, one at a time.
func (c *Call) check(ctx context.Context, claims []props.Claim, slices []props.Slice,
	cfg props.Config,
	keep func(props.Event)) ([]props.Result, []props.Sliced, error) {
	progress := newProgress(c.Err, c.app.Name, len(claims)+len(slices))
	defer progress.end()
	cfg.Progress = func(e props.Event) {
		keep(e)
		progress.event(e)
	}
	return props.RunSlices(ctx, claims, slices, cfg)
}

func runVerb() Verb {
	return Verb{
		Ends: true,
		Bind: func(flags *flag.FlagSet) Action {
			var out output
			var budget Budget
			var part Shard
			out.flags(flags)
			budget.Flags(flags)
			part.Flag(flags,
				"the work, which is divided by what claims cost (see the verb shards); the verb merge joins the "+
					"reports")
			costs := ""
			flags.Var(place{&costs}, "costs",
				"`report` by whose times the work is divided, the same for all parts; else by those that are known")
			resume := flags.Bool("resume", false,
				"go on with the run in the directory of -out that was stopped, if there is one")
			return func(ctx context.Context, c *Call) error {
				claims, err := c.Choose(c.Args)
				if err != nil {
					return err
				}
				known, err := c.costs(ctx, costs, budget.Tier())
				if err != nil {
					return err
				}
				own, slices, division, err := part.of(claims, known)
				if err != nil {
					return err
				}
				defer out.release()
				if err := out.check(); err != nil {
					return err
				}
				return run(ctx, c, &work{own, slices, division, part.String()}, &budget,
					&out, *resume)
			}
		},
	}.Described(help, "run")
}

// work is what a run has to do.
type work struct {
	claims   []props.Claim
	slices   []props.Slice
	division string
	shard    string
}

// run checks the claims and delivers the report.
func run(ctx context.Context, c *Call, w *work, budget *Budget, out *output, resume bool) error {
	cfg := budget.Config(c.Claims())
	started := time.Now()
	info := reports.Run{Seed: cfg.Seed, Tier: cfg.Tier.String(), Shard: w.shard,
		Division: w.division, Selection: c.Args,
		Replayer: c.app.replay(), Alpha: reports.Num(cfg.Alpha), Tests: cfg.Tests,
		Started: started, Planned: len(w.claims)}
	var before []reports.Claim
	var made []props.Sliced
	if resume {
		var err error
		if before, made, err = reports.ReadJournal(out.dir, info, w.claims, w.slices); err != nil {
			return Usagef("-resume: %v", err)
		}
		w.leave(before, made)
	}
	journal, err := reports.OpenJournal(out.dir, info, before, made)
	if err != nil {
		return err
	}
	results, sliced, err := c.check(ctx, w.claims, w.slices, cfg, journal.Add)
	info.Seconds = time.Since(started).Seconds()
	switch {
	case err != nil && ctx.Err() == nil:
		// what another run has found is kept
		return errors.Join(err, journal.Close(len(before)+len(made) == 0))
	case err != nil:
		info.Partial = fmt.Sprintf("interrupted, %d of %d claims were checked",
			len(before)+len(results), info.Planned)
		if n := len(w.slices) - len(sliced); n > 0 {
			info.Partial += fmt.Sprintf("; %d slices of others are missing", n)
		}
	}
	report := c.report(results, info)
	report.Include(before)
	report.Slices = append(made, sliced...)
	delivered := out.deliver(ctx, c, report)
	if err := journal.Close(info.Partial == "" && (delivered == nil ||
		errors.As(delivered, new(*status)))); err != nil {
		return errors.Join(delivered, err)
	}
	if info.Partial != "" && (delivered == nil || errors.As(delivered, new(*status))) {
		if out.kept {
			return Exitf(Interrupted,
				"%s; the whole report in %s is left as it was; -resume goes on",
				info.Partial, out.dir)
		}
		return Exitf(Interrupted, "%s; -resume goes on", info.Partial)
	}
	return delivered
}

// leave takes out of the work what was done before.
func (w *work) leave(claims []reports.Claim, made []props.Sliced) {
	w.claims = slices.DeleteFunc(slices.Clone(w.claims), func(claim props.Claim) bool {
		return slices.ContainsFunc(claims, func(b reports.Claim) bool { return b.ID == claim.ID })
	})
	w.slices = slices.DeleteFunc(slices.Clone(w.slices), func(s props.Slice) bool {
		return slices.ContainsFunc(made,
			func(b props.Sliced) bool { return b.Claim == s.Claim && b.K == s.K })
	})
}
