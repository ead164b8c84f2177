package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/peterbourgon/ff/v3/ffcli"

	"sledge/props"
	"sledge/reports"
)

var tiers = []props.Tier{props.Quick, props.Standard, props.Deep}

// output says where results go and which of them fail.
type output struct {
	dir, json, junit string
	failOn           failOn
	verbose          bool
}

func (o *output) flags(fs *flag.FlagSet) {
	o.dir = "sledge-report"
	fs.Var(place{&o.dir}, "out", "`directory` for report.html, report.json, report.md and junit.xml")
	fs.Var(place{&o.json}, "json", "also write report.json to `file`; - is standard output, the table then goes to standard error")
	fs.Var(place{&o.junit}, "junit", "also write JUnit XML to `file`")
	fs.Var(&o.failOn, "fail-on", "comma-separated `list` of inconclusive, vacuous: verdicts that fail even where they are expected")
	fs.BoolVar(&o.verbose, "v", false, "show every claim in the table")
}

// place is a flag whose value is the name of a file. A name that looks like a flag is more likely a value that was forgotten.
type place struct{ name *string }

func (p place) String() string {
	if p.name == nil {
		return ""
	}
	return *p.name
}

func (p place) Set(s string) error {
	if len(s) > 1 && s[0] == '-' {
		return fmt.Errorf("that is a flag; write ./%s if it is a name", s)
	}
	*p.name = s
	return nil
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
			return usagef("%s needs a file; only -json writes to standard output", f.flag)
		}
		if err := reports.CheckFile(f.path); err != nil {
			return usagef("%s: %v", f.flag, err)
		}
		if info, err := os.Stat(f.path); err == nil && info.Mode().IsRegular() && info.Size() > 0 && !f.ours(f.path) {
			return usagef("%s: %s exists and is nothing that this program writes there; name another file", f.flag, f.path)
		}
	}
	if o.json != "" && o.json == o.junit {
		return usagef("-json and -junit name the same file, %s", o.json)
	}
	if o.dir == "" {
		return usagef("-out needs a directory")
	}
	if err := reports.CheckDir(o.dir); err != nil {
		return usagef("-out: %v", err)
	}
	return nil
}

// deliver writes the report everywhere it is wanted and returns the status that its verdicts call for.
func (o *output) deliver(p *program, r *reports.Report) error {
	if err := r.WriteDir(o.dir); err != nil {
		return &internal{err}
	}
	table := p.stdout
	switch o.json {
	case "":
	case "-":
		table = p.stderr
		if err := r.WriteJSON(p.stdout); err != nil {
			return &internal{err}
		}
	default:
		if err := reports.WriteFile(o.json, r.WriteJSON); err != nil {
			return &internal{err}
		}
	}
	if o.junit != "" {
		if err := reports.WriteFile(o.junit, r.WriteJUnit); err != nil {
			return &internal{err}
		}
	}
	if err := writeTable(table, r, o.verbose, filepath.Join(o.dir, reports.HTMLFile)); err != nil {
		return &internal{err}
	}
	if len(r.Summary.Unexpected) > 0 {
		return &status{code: exitUnexpected}
	}
	for _, v := range o.failOn {
		if r.Summary.ByVerdict[v] > 0 {
			return &status{exitUndecided, fmt.Sprintf("%d claims are %s (-fail-on)", r.Summary.ByVerdict[v], v)}
		}
	}
	return nil
}

// budget is what a run of claims may spend, and the root of its randomness.
type budget struct {
	tier    string
	seed    uint64
	workers int
}

func (b *budget) flags(fs *flag.FlagSet) {
	b.tier, b.workers = props.Quick.String(), runtime.GOMAXPROCS(0)
	fs.Var(choice{&b.tier, tierNames()}, "tier", "`budget` of the run: "+alternatives(tierNames()))
	fs.Func("seed", "root of all randomness, 0 unless given: `N` from 0 to 2^64-1", func(s string) (err error) {
		if b.seed, err = strconv.ParseUint(s, 10, 64); err != nil {
			return errors.New("want a whole number from 0 to 2^64-1")
		}
		return nil
	})
	fs.Func("j", "`N` claims and trials at once, as many as there are processors unless given; results do not depend on it", func(s string) (err error) {
		if b.workers, err = strconv.Atoi(s); err != nil || b.workers < 1 {
			return errors.New("want a whole number from 1 on")
		}
		return nil
	})
}

// config is that of a run of some of the claims. Its error level is divided among the tests of all of them.
func (b *budget) config(all []props.Claim) props.Config {
	cfg := props.Config{Seed: b.seed, Workers: b.workers, Alpha: props.DefaultAlpha, Tier: tiers[slices.Index(tierNames(), b.tier)]}
	cfg.Tests = props.Tests(all, cfg.Tier)
	return cfg
}

func tierNames() []string {
	var words []string
	for _, t := range tiers {
		words = append(words, t.String())
	}
	return words
}

// replayer is the command line of replayVerb in a clone of the repository.
const replayer = "go run ./cmd/verify replay"

// runVerb is "verify run" and "verify" alone.
func (p *program) runVerb(name string) *ffcli.Command {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	var out output
	out.flags(flags)
	var spend budget
	spend.flags(flags)
	var part shard
	flags.Var(&part, "shard", "check only the `k/K`-th part of the claims; verify merge joins the reports")
	return verb(name, "verify run [flags] [ID-PATTERN...]", "check claims and write a report (the default verb)", patternManual, flags,
		func(ctx context.Context, args []string) error {
			claims, err := choose(p.claims, args)
			if err != nil {
				return err
			}
			if claims, err = part.of(claims); err != nil {
				return err
			}
			if err := out.check(); err != nil {
				return err
			}
			cfg := spend.config(p.claims)
			progress := newProgress(p.stderr, len(claims))
			cfg.Progress = progress.event
			started := time.Now()
			results, err := props.Run(ctx, claims, cfg)
			progress.end()
			info := reports.Run{Seed: spend.seed, Tier: spend.tier, Shard: part.String(), Selection: args, Replayer: replayer, Alpha: reports.Num(cfg.Alpha), Tests: cfg.Tests, Started: started,
				Seconds: time.Since(started).Seconds(), Planned: len(claims)}
			switch {
			case err != nil && ctx.Err() == nil:
				return &internal{err}
			case err != nil:
				info.Partial = fmt.Sprintf("interrupted, %d of %d claims were checked", len(results), len(claims))
			}
			delivered := out.deliver(p, reports.New(results, info))
			if info.Partial != "" && !errors.As(delivered, new(*internal)) {
				return &status{exitInterrupted, info.Partial}
			}
			return delivered
		})
}

// mergeVerb is "verify merge".
func (p *program) mergeVerb() *ffcli.Command {
	flags := flag.NewFlagSet("merge", flag.ContinueOnError)
	var out output
	out.flags(flags)
	return verb("merge", "verify merge [flags] DIR...", "join the reports of the shards of one run",
		"DIR is a report directory or a report.json. Reports of different runs, and the same claim twice, are refused.", flags,
		func(_ context.Context, args []string) error {
			if len(args) == 0 {
				return usagef("merge needs the report directories to join")
			}
			rs, err := read(args)
			if err != nil {
				return err
			}
			for _, a := range args {
				if same(a, out.dir) || same(filepath.Dir(a), out.dir) {
					return usagef("-out: %s is one of the reports to be merged; name another directory", out.dir)
				}
			}
			merged, err := reports.Merge(rs...)
			if err != nil {
				return usagef("merge: %v", err)
			}
			if err := out.check(); err != nil {
				return err
			}
			return out.deliver(p, merged)
		})
}

func same(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && x.IsDir() && os.SameFile(x, y)
}

// read reads reports; what cannot be read is the user's to mend.
func read(paths []string) ([]*reports.Report, error) {
	var out []*reports.Report
	for _, path := range paths {
		r, err := reports.Read(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, usagef("there is no report at %s", path)
		case err != nil:
			return nil, usagef("%v", err)
		}
		out = append(out, r)
	}
	return out, nil
}

// diffVerb is "verify diff".
func (p *program) diffVerb() *ffcli.Command {
	flags := flag.NewFlagSet("diff", flag.ContinueOnError)
	factor := 2.0
	flags.Func("factor", "report a tightness that has moved by more than this `factor`, 2 unless given", func(s string) (err error) {
		if factor, err = strconv.ParseFloat(s, 64); err != nil || !(factor > 1 && factor < 1e300) {
			return errors.New("want a number above 1")
		}
		return nil
	})
	asJSON := flags.Bool("json", false, "write the differences as JSON")
	return verb("diff", "verify diff [flags] OLD NEW", "compare two reports",
		"OLD and NEW are report directories or report.json files. The exit status is 1 if a verdict or an expectation has changed or a claim is gone.",
		flags, func(_ context.Context, args []string) error {
			if len(args) != 2 {
				return usagef("diff needs two reports, OLD and NEW, not %d", len(args))
			}
			rs, err := read(args)
			if err != nil {
				return err
			}
			d := reports.Compare(rs[0], rs[1], factor)
			if *asJSON {
				err = writeJSON(p.stdout, d)
			} else {
				err = d.WriteText(p.stdout)
			}
			switch {
			case err != nil:
				return &internal{err}
			case !d.Same():
				return &status{code: exitUnexpected}
			}
			return nil
		})
}

// versionVerb is "verify version".
func (p *program) versionVerb() *ffcli.Command {
	return verb("version", "verify version", "print the version and what it was built with", "", nil, func(_ context.Context, args []string) error {
		if err := atMost(0, args); err != nil {
			return err
		}
		_, err := io.WriteString(p.stdout, "verify "+reports.Build()+"\n")
		return err
	})
}
