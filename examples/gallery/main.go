// Command gallery checks five papers by their ledgers alone, in which every statement is its own
// check: SVRG, SAGA, SARAH, PAGE and STORM. Its first argument is which one, or a ledger of one's
// own or a directory of them; what follows is as for every command of its kind. Without arguments
// it checks all five and prints the page docs/gallery.md.
package main

import (
	"context"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sledge/algos/verbs"
	"sledge/props"
	"sledge/props/certificate/checker"
	"sledge/reports/verify"
)

//go:embed */*.ledger
var files embed.FS

var papers = []string{"svrg", "saga", "sarah", "page", "storm"}

// companion is the command of a paper.
func companion(paper string) verify.App {
	return verbs.Companion("gallery "+paper, "Checks the statements of a paper: "+paper+".",
		props.Must(fs.Sub(files, paper)))
}

// head is how the page begins.
//
//go:embed head.md
var head string

// page checks all papers and writes what becomes of their statements. Its second result says what
// is not as expected.
func page(ctx context.Context, w io.Writer, seed uint64) (amiss []string, err error) {
	fmt.Fprint(w, head)
	for _, paper := range papers {
		app := companion(paper)
		l, err := app.Ledger()
		if err != nil {
			return nil, err
		}
		claims, err := app.Claims()
		if err != nil {
			return nil, err
		}
		results, err := props.Run(ctx, claims,
			props.Config{Seed: seed, Alpha: props.DefaultAlpha, Check: checker.Check})
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(w, "\n## %s\n\n%s, %s.\n\n", l.Text.Title, l.Text.Authors, l.Text.Source)
		fmt.Fprint(w, "| statement | as in the paper | formally | verdict |\n|---|---|---|---|\n")
		for i := range results {
			c := &results[i].Claim
			place := c.Theorem
			switch {
			case c.Form != props.Printed:
				place = "a false twin"
			case place == "":
				place = "without a number"
			}
			fmt.Fprintf(w, "| `%s` | %s | %s | %s |\n", c.ID, place, c.Formally[0],
				results[i].Verdict)
			for _, what := range results[i].Unexpected() {
				amiss = append(amiss, fmt.Sprintf("%s, %s: %s", paper, c.ID, what))
			}
		}
	}
	return amiss, nil
}

func main() {
	switch {
	case len(os.Args) < 2:
		amiss, err := page(context.Background(), os.Stdout, 0)
		if err != nil || len(amiss) > 0 {
			fmt.Fprintln(os.Stderr, "gallery:", strings.Join(amiss, "; "), err)
			os.Exit(1)
		}
		return
	}
	app, err := chosen(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "gallery:", err)
		os.Exit(2)
	}
	os.Args = append(os.Args[:1], os.Args[2:]...)
	verify.Execute(app)
}

// chosen is the command of one of the five papers, or of ledgers on disk.
func chosen(paper string) (verify.App, error) {
	if slices.Contains(papers, paper) {
		return companion(paper), nil
	}
	info, err := os.Stat(paper)
	if err != nil {
		return verify.App{}, fmt.Errorf(
			"there is no paper %q and no ledger of that name; the papers are %s", paper,
			strings.Join(papers, ", "))
	}
	summary := "Checks the statements of a ledger: " + paper + "."
	if info.IsDir() {
		return verbs.Companion("gallery "+paper, summary, os.DirFS(paper)), nil
	}
	return verbs.Companion("gallery "+paper, summary,
		single{os.DirFS(filepath.Dir(paper)), filepath.Base(paper)}), nil
}

// single is one file of a directory.
type single struct {
	fs.FS
	name string
}

// Glob finds that file, whatever its ending.
func (s single) Glob(string) ([]string, error) { return []string{s.name}, nil }
