package verify

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"sledge/reports"
	"sledge/reports/store"
)

func errataVerb() Verb {
	return Verb{
		Bind: func(flags *flag.FlagSet) Action {
			var dir string
			style := styles[0]
			flags.Var(place{&dir}, "out", "")
			Choice(flags, &style, "style", styles, "")
			return func(ctx context.Context, c *Call) error {
				return errata(ctx, c, dir, style)
			}
		},
	}.Described(help, "errata")
}

// styles of errata: every slip with all forms and evidence, or a few pages that authors may submit
// besides.
var styles = []string{"supplement", "corrigendum"}

func errata(ctx context.Context, c *Call, dir, style string) error {
	if err := c.AtMost(1); err != nil {
		return err
	}
	from := defaultDir
	if len(c.Args) == 1 {
		from = c.Args[0]
	}
	rs, err := intact(ctx, []string{from})
	if err != nil {
		return err
	}
	if dir == "" {
		if dir = from; reports.IsJSON(from) {
			dir = filepath.Dir(from)
		}
	}
	r := rs[0]
	if len(r.Refuted()) == 0 {
		return Exitf(Nothing, "nothing is refuted in %s", from)
	}
	if err := CheckPages(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return Usagef("-out: %v", err)
	}
	type file struct {
		name  string
		write func(io.Writer) error
	}
	files := []file{{"errata.tex", r.WriteErrataLaTeX}, {"errata.md", r.WriteErrataMarkdown}}
	if style == "corrigendum" {
		files = append([]file{{"corrigendum.tex", r.WriteCorrigendumLaTeX}}, files...)
	}
	for _, f := range files {
		if err := replaceable("-out", filepath.Join(dir, f.name), reports.IsErrata); err != nil {
			return err
		}
	}
	for _, f := range files {
		path := filepath.Join(dir, f.name)
		if err := store.Write(path, f.write); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(c.Out, path); err != nil {
			return err
		}
	}
	return nil
}
