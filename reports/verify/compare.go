package verify

import (
	"context"
	"errors"
	"flag"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"sledge/props"
	"sledge/props/certificate/checker"
	"sledge/reports"
	"sledge/reports/store"
)

func mergeVerb() Verb {
	return Verb{
		Bind: func(flags *flag.FlagSet) Action {
			var out output
			out.flags(flags)
			workers := 0
			workersFlag(flags, &workers, "claims and trials of those that were divided")
			partial := flags.Bool("partial", false, "")
			return func(ctx context.Context, c *Call) error {
				return merge(ctx, c, &out, *partial, workers)
			}
		},
	}.Described(help, "merge")
}

func merge(ctx context.Context, c *Call, out *output, partial bool, workers int) error {
	if len(c.Args) == 0 {
		return Usagef("merge needs the report directories to join")
	}
	rs, err := intact(ctx, c.Args)
	if err != nil {
		return err
	}
	for _, a := range c.Args {
		if same(a, out.dir) || same(filepath.Dir(a), out.dir) {
			return Usagef("-out: %s is one of the reports to be merged; name another directory",
				out.dir)
		}
	}
	var failed *status
	merged, err := reports.Merge(func(r *reports.Report) error { return c.join(ctx, r, workers) },
		rs...)
	switch {
	case errors.As(err, &failed):
		return err
	case err != nil:
		return Usagef("merge: %v", err)
	}
	if gap := merged.Run.Partial; gap != "" && !partial {
		return Usagef("merge: %s; -partial joins what is there", gap)
	}
	defer out.release()
	if err := out.check(); err != nil {
		return err
	}
	return out.deliver(ctx, c, merged)
}

// join decides the claims of which the shards of a run have made slices.
func (c *Call) join(ctx context.Context, r *reports.Report, workers int) error {
	kept := r.Sliced()
	if len(kept) == 0 {
		return nil
	}
	if err := r.Ours(); err != nil {
		return Usagef(
			"merge: the reports hold slices of claims, which only the program that made them can join: %v", err)
	}
	cfg := props.Config{Seed: r.Run.Seed, Workers: workers, Alpha: float64(r.Run.Alpha),
		Tests: r.Run.Tests, Check: checker.Accept, Kept: map[string][]uint64{}}
	var err error
	if cfg.Tier, err = tierOf(r.Run.Tier); err != nil {
		return Usagef("merge: %v", err)
	}
	var claims []props.Claim
	for _, claim := range c.Claims() {
		if kept[claim.ID] != nil {
			claims = append(claims, claim)
			maps.Copy(cfg.Kept, kept[claim.ID])
		}
	}
	if len(claims) < len(kept) {
		return Usagef("merge: the reports hold slices of claims that are not in the ledger")
	}
	results, err := c.Check(ctx, claims, cfg)
	if ctx.Err() != nil {
		return Exitf(Interrupted, nothingWritten)
	}
	if err != nil {
		return err
	}
	r.Join(results)
	r.Accept(c.kernel)
	return nil
}

func same(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && x.IsDir() && os.SameFile(x, y)
}

// read reads reports; what cannot be read is the user's to mend.
func read(ctx context.Context, paths []string) ([]*reports.Report, error) {
	var out []*reports.Report
	if err := Await(ctx, nothingWritten, func() error {
		for _, path := range paths {
			r, err := reports.Read(path)
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return Usagef("there is no report at %s", path)
			case err != nil:
				return Usagef("%v", err)
			}
			out = append(out, r)
		}
		return nil
	}); err != nil {
		return nil, err
	}
	return out, nil
}

// intact reads reports whose digests are those of their claims.
func intact(ctx context.Context, paths []string) ([]*reports.Report, error) {
	rs, err := read(ctx, paths)
	if err != nil {
		return nil, err
	}
	for i := range rs {
		if err := rs[i].Intact(); err != nil {
			return nil, Usagef("%s: %v", paths[i], err)
		}
	}
	return rs, nil
}

func diffVerb() Verb {
	return Verb{
		Bind: func(flags *flag.FlagSet) Action {
			ratio := 2.0
			factor(flags, &ratio, "factor", 1, 1e300)
			asJSON := flags.Bool("json", false, "")
			asMarkdown := flags.Bool("markdown", false, "")
			drift := false
			flags.Func("fail-on", "", func(text string) error {
				what, by, given := strings.Cut(text, ":")
				if drift = true; what != "drift" {
					return errors.New("want drift or drift:F")
				}
				if given {
					return flags.Set("factor", by)
				}
				return nil
			})
			return func(ctx context.Context, c *Call) error {
				if *asJSON && *asMarkdown {
					return Usagef("-json and -markdown exclude each other")
				}
				write := (*reports.Diff).WriteText
				switch {
				case *asJSON:
					write = func(d *reports.Diff, w io.Writer) error { return WriteJSON(w, d) }
				case *asMarkdown:
					write = (*reports.Diff).WriteMarkdown
				}
				return diff(ctx, c, ratio, drift, write)
			}
		},
	}.Described(help, "diff")
}

func diff(ctx context.Context, c *Call, ratio float64, drift bool,
	write func(*reports.Diff, io.Writer) error) error {
	if len(c.Args) != 2 {
		return Usagef("diff needs two reports, OLD and NEW, not %d", len(c.Args))
	}
	rs, err := intact(ctx, c.Args)
	if err != nil {
		return err
	}
	d := reports.Compare(rs[0], rs[1], ratio)
	if err := write(d, c.Out); err != nil {
		return err
	}
	if !d.Same() || drift && len(d.Tightness) > 0 {
		return Exitf(Unexpected, "")
	}
	return nil
}

func baselineVerb() Verb {
	return Verb{
		Bind: func(flags *flag.FlagSet) Action {
			path := "baseline.json"
			flags.Var(place{&path}, "out", "")
			return func(ctx context.Context, c *Call) error {
				if len(c.Args) != 1 {
					return Usagef("baseline needs one report, not %d", len(c.Args))
				}
				rs, err := intact(ctx, c.Args)
				if err != nil {
					return err
				}
				if err := replaceable("-out", path, reports.IsBaseline); err != nil {
					return err
				}
				return store.Write(path, rs[0].WriteBaseline)
			}
		},
	}.Described(help, "baseline")
}

func versionVerb() Verb {
	return Verb{
		Alone: true,
		Bind: func(*flag.FlagSet) Action {
			return func(_ context.Context, c *Call) error {
				if err := c.AtMost(0); err != nil {
					return err
				}
				_, err := io.WriteString(c.Out, c.app.Name+" "+reports.Build()+"\n")
				return err
			}
		},
	}.Described(help, "version")
}
