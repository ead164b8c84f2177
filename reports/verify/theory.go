package verify

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"sledge/props/development"
)

// modelRuns is how many runs of each algorithm of a theory, in each of its options, are compared
// with the program, and runsOnRows how many on a file of data.
const (
	modelRuns  = 50
	runsOnRows = 10
)

// develop compiles the theory of the command from scratch, compares what the kernel says with the
// record, and has it evaluate the definitions on runs of the program.
func (p *proving) develop(ctx context.Context, c *Call, coqc, version string) error {
	if c.app.Theory == nil {
		return nil
	}
	d, err := c.app.Theory()
	if err != nil {
		return Usagef("%v", err)
	}
	dir := filepath.Join(p.dir, "theory")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return Usagef("-rocq: %v", err)
	}
	r, err := d.Compile(ctx, coqc, version, dir, p.workers)
	if ctx.Err() != nil {
		return Exitf(Interrupted, "interrupted while Rocq was at work")
	}
	if err != nil {
		return Exitf(Unexpected, "the theory: %v", err)
	}
	theorems, results := 0, 0
	for _, result := range r.Results {
		if !result.Definition {
			results++
		}
		if result.Statement != "" {
			theorems++
		}
	}
	fmt.Fprintf(c.Out,
		"%s accepts the theory: %d files, %d results, of them %d theorems, which rest on the axioms of the "+
			"classical reals alone.\n", version, len(d.Files), results, theorems)
	if err := d.Same(r); err != nil {
		return Exitf(Unexpected, "the theory: %v", err)
	}
	if c.app.Model == nil {
		return nil
	}
	seed := rand.Uint64()
	text, err := c.app.Model(seed, modelRuns)
	if err != nil {
		return err
	}
	exact, all, err := p.compare(ctx, d, coqc, dir, text)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.Out,
		"Its definitions, evaluated over the rationals, make the %d runs of the program that were drawn "+
			"(seed %d): %d to the last bit, the others but for rounding.\n", all, seed, exact)
	if p.rows == "" {
		return nil
	}
	if exact, all, err = p.compare(ctx, d, coqc, dir, p.onRows); err != nil {
		return err
	}
	fmt.Fprintf(c.Out, "So they do with %d runs on rows of %s, whose numbers are taken for the "+
		"fractions that they are: %d to the last bit.\n", all, p.rows, exact)
	return nil
}

// compare has the kernel go over a file of runs, beside the compiled theory.
func (p *proving) compare(ctx context.Context, d *development.Development,
	coqc, dir, text string) (exact, all int, err error) {
	said, err := d.Run(ctx, coqc, dir, "runs.v", text)
	switch {
	case errors.Is(err, context.Canceled):
		return 0, 0, Exitf(Interrupted, "interrupted while Rocq was at work")
	case err != nil:
		return 0, 0, Exitf(Unexpected,
			"runs are not those of the theory's definitions, see runs.v in %s: %v", dir, err)
	}
	said = strings.ReplaceAll(strings.TrimSpace(said), "%nat", "")
	if _, err := fmt.Sscanf(said, "= (%d, %d)", &exact, &all); err != nil {
		return 0, 0, Exitf(Unexpected,
			"the theory does not say how many runs it has compared: %s", said)
	}
	return exact, all, nil
}
