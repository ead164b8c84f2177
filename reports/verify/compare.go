package verify

import (
	"context"
	"errors"
	"flag"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"sledge/reports"
)

func mergeVerb() Verb {
	return Verb{
		Name: "merge", Usage: "[flags] DIR...",
		Summary: "join the reports of the shards of one run",
		Help: "DIR is a report directory or a report.json. Reports of different runs, and the same claim twice,\n" +
			"are refused.",
		Examples: []Example{{"merge -out whole part1 part2 part3 part4", "the report of the whole run"}},
		Bind: func(flags *flag.FlagSet) Action {
			var out output
			out.flags(flags)
			return func(_ context.Context, c *Call) error { return merge(c, &out) }
		},
	}
}

func merge(c *Call, out *output) error {
	if len(c.Args) == 0 {
		return Usagef("merge needs the report directories to join")
	}
	rs, err := read(c.Args)
	if err != nil {
		return err
	}
	for _, a := range c.Args {
		if same(a, out.dir) || same(filepath.Dir(a), out.dir) {
			return Usagef("-out: %s is one of the reports to be merged; name another directory", out.dir)
		}
	}
	merged, err := reports.Merge(rs...)
	if err != nil {
		return Usagef("merge: %v", err)
	}
	if err := out.check(); err != nil {
		return err
	}
	return out.deliver(c, merged)
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
			return nil, Usagef("there is no report at %s", path)
		case err != nil:
			return nil, Usagef("%v", err)
		}
		out = append(out, r)
	}
	return out, nil
}

func diffVerb() Verb {
	return Verb{
		Name: "diff", Usage: "[flags] OLD NEW",
		Summary: "compare two reports",
		Help: "OLD and NEW are report directories or report.json files. The exit status is 1 if a verdict or an\n" +
			"expectation has changed or a claim is gone.",
		Examples: []Example{{"diff old new", "what changed between two reports"}},
		Bind: func(flags *flag.FlagSet) Action {
			ratio := 2.0
			factor(flags, &ratio, "factor", 1, 1e300,
				"report a tightness that has moved by more than this `factor`, 2 unless given")
			asJSON := flags.Bool("json", false, "write the differences as JSON")
			return func(_ context.Context, c *Call) error { return diff(c, ratio, *asJSON) }
		},
	}
}

func diff(c *Call, ratio float64, asJSON bool) error {
	if len(c.Args) != 2 {
		return Usagef("diff needs two reports, OLD and NEW, not %d", len(c.Args))
	}
	rs, err := read(c.Args)
	if err != nil {
		return err
	}
	d := reports.Compare(rs[0], rs[1], ratio)
	if asJSON {
		err = WriteJSON(c.Out, d)
	} else {
		err = d.WriteText(c.Out)
	}
	if err == nil && !d.Same() {
		err = Exitf(Unexpected, "")
	}
	return err
}

func versionVerb() Verb {
	return Verb{
		Name: "version", Summary: "print the version and what it was built with",
		Examples: []Example{{"version", "which build this is"}},
		Bind: func(*flag.FlagSet) Action {
			return func(_ context.Context, c *Call) error {
				if err := c.AtMost(0); err != nil {
					return err
				}
				_, err := io.WriteString(c.Out, c.app.Name+" "+reports.Build()+"\n")
				return err
			}
		},
	}
}
