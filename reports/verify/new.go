package verify

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"sledge/reports/manuscript"
	"sledge/reports/store"
)

// mostSource is how many bytes the source of a paper, or a ledger, may have.
const mostSource = 16 << 20

func newVerb() Verb {
	return Verb{
		Bind: func(flags *flag.FlagSet) Action {
			var out, against string
			flags.Var(place{&out}, "out", "")
			flags.Var(place{&against}, "against", "")
			return func(_ context.Context, c *Call) error {
				if len(c.Args) != 1 {
					return Usagef("new needs the LaTeX source of one paper, got %s",
						Plural(len(c.Args), "argument"))
				}
				if against != "" && out != "" {
					return Usagef("-against writes nothing; leave out -out")
				}
				return newLedger(c, c.Args[0], out, against)
			}
		},
	}.Described(help, "new")
}

// newLedger reads a source and writes the skeleton of its ledger, or compares it with one.
func newLedger(c *Call, source, out, against string) error {
	if source == "" {
		return Usagef("the name of the paper is empty")
	}
	paper, err := manuscript.Read(filepath.Base(source), func(path string) (string, error) {
		if path = filepath.FromSlash(path); !filepath.IsLocal(path) {
			return "", fmt.Errorf("%s lies outside of the directory of the paper", path)
		}
		text, err := store.Read(filepath.Join(filepath.Dir(source), path), mostSource)
		return string(text), err
	})
	if err != nil {
		return Usagef("%v", err)
	}
	if against != "" {
		return compareSource(c, paper, source, against)
	}
	if out == "" {
		name := filepath.Base(source)
		out = strings.TrimSuffix(name, filepath.Ext(name)) + ".ledger"
	}
	switch _, err := os.Lstat(out); {
	case err == nil:
		return Usagef("-out: %s is there already, and nothing is overwritten", out)
	case !errors.Is(err, fs.ErrNotExist):
		return Usagef("-out: %v", err)
	}
	if err := store.Write(out, func(w io.Writer) error {
		_, err := io.WriteString(w, paper.Skeleton(filepath.Base(source)))
		return err
	}); err != nil {
		return Usagef("-out: %v", err)
	}
	shown := len(paper.Displays)
	for _, s := range paper.Results {
		shown += len(s.Displays)
	}
	from := Plural(paper.Lines, "line")
	if n := len(paper.Included); n > 0 {
		from += " of " + Plural(n+1, "file")
	}
	fmt.Fprintf(c.Out,
		"%s: %s with %s, from %s. Nothing is checked yet: write formal lines, and take the # of their "+
			"entries away.\n", out, Plural(len(paper.Results), "result"), Plural(shown, "display"),
		from)
	if len(paper.Missing) > 0 {
		fmt.Fprintln(c.Out, paper.Uncertain())
	}
	if len(paper.Missed) > 0 {
		fmt.Fprintf(c.Out, "Not read are files that it includes, as they are not there, cannot be "+
			"read, or lie outside of its directory: %s.\n", strings.Join(paper.Missed, ", "))
	}
	return nil
}

// compareSource says which displays of a ledger are no longer in a source.
func compareSource(c *Call, paper *manuscript.Paper, path, against string) error {
	text, err := store.Read(against, mostSource)
	if err != nil {
		return Usagef("-against: %v", err)
	}
	gone, same, moved := paper.Compare(string(text))
	if len(gone)+same+moved == 0 {
		return Usagef("-against: %s names no displays: want a ledger that new has written", against)
	}
	fmt.Fprintf(c.Out,
		"Of %s in %s, %d are as they were at the same lines of %s, %d at other lines, and %d are "+
			"changed or gone.\n",
		Plural(len(gone)+same+moved, "display"), against, same, path, moved, len(gone))
	switch others, known := paper.Others(string(text), path); {
	case len(others) > 0:
		fmt.Fprintf(c.Out, "By their SHA-256 these are not the files of the ledger: %s.\n",
			strings.Join(others, ", "))
	case known:
		fmt.Fprintln(c.Out, "By its SHA-256 the source is that of the ledger.")
	}
	for _, lines := range gone {
		fmt.Fprintf(c.Out, "  changed or gone: lines %s\n", lines)
	}
	if len(gone) > 0 {
		return Exitf(Unexpected, "%s changed or gone", Plural(len(gone), "display"))
	}
	return nil
}
