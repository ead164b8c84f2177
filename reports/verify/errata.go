package verify

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"sledge/reports"
)

func errataVerb() Verb {
	return Verb{
		Bind: func(flags *flag.FlagSet) Action {
			var dir string
			flags.Var(place{&dir}, "out", "")
			return func(_ context.Context, c *Call) error { return errata(c, dir) }
		},
	}.Described(help, "errata")
}

func errata(c *Call, dir string) error {
	if err := c.AtMost(1); err != nil {
		return err
	}
	from := defaultDir
	if len(c.Args) == 1 {
		from = c.Args[0]
	}
	rs, err := read([]string{from})
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
	tex, md := filepath.Join(dir, "errata.tex"), filepath.Join(dir, "errata.md")
	for _, path := range []string{tex, md} {
		if err := replaceable("-out", path, reports.IsErrata); err != nil {
			return err
		}
	}
	if err := reports.WriteFile(tex, r.WriteErrataLaTeX); err != nil {
		return err
	}
	if err := reports.WriteFile(md, r.WriteErrataMarkdown); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.Out, "%s\n%s\n", tex, md)
	return err
}
