package verbs

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"sledge/algos/problems"
	"sledge/props/keyed"
	"sledge/reports/verify"
)

// Examples are the flags that say how a file of examples is read, and what is done to its columns.
type Examples struct {
	format, positive       string
	width, labelColumn     int
	header                 bool
	label                  string
	standardise, intercept bool
	drop, missing          string
	flags                  *flag.FlagSet
}

// Flags declares the flags, with their texts.
func (e *Examples) Flags(fs *flag.FlagSet) {
	e.flags, e.format, e.missing = fs, "auto", "refuse"
	verify.Choice(fs, &e.format, "format", []string{"auto", "libsvm", "csv"}, "")
	fs.IntVar(&e.width, "width", 0, "")
	fs.StringVar(&e.positive, "positive", "", "")
	fs.IntVar(&e.labelColumn, "label-column", 0, "")
	fs.BoolVar(&e.header, "header", false, "")
	fs.StringVar(&e.label, "label", "", "")
	fs.BoolVar(&e.standardise, "standardise", true, "")
	fs.BoolVar(&e.intercept, "intercept", true, "")
	fs.StringVar(&e.drop, "drop", "", "")
	verify.Choice(fs, &e.missing, "missing", []string{"refuse", "skip"}, "")
	verify.Explain(fs, help, "examples")
}

// Read reads a file: labels of two kinds as ±1, or numbers as they are. The notes say what was done
// to it. The error is for whoever has named the file with -data.
func (e *Examples) Read(path string, numbers bool) (t *problems.Table, notes [][2]string,
	err error) {
	if e.width < 0 {
		return nil, nil, verify.Usagef("-width must not be negative, got %d", e.width)
	}
	opt := problems.FileOptions{ReadOptions: problems.ReadOptions{Width: e.width,
		Positive: e.positive, LabelColumn: e.labelColumn, Header: e.header, Most: mostTable(),
		SkipMissing: e.missing == "skip"},
		Label: e.label}
	e.flags.Visit(func(f *flag.Flag) { opt.Fixed = opt.Fixed || f.Name == "label-column" })
	if numbers && e.positive == "" {
		opt.Labels = problems.Real
	}
	if e.format != "auto" {
		opt.Format = e.format
	}
	if e.drop != "" {
		for name := range strings.SplitSeq(e.drop, ",") {
			opt.Drop = append(opt.Drop, strings.TrimSpace(name))
		}
	}
	t, said, err := problems.ReadFile(path, opt)
	if err != nil {
		return nil, nil, verify.Usagef("-data: %v", withoutPackage(err))
	}
	for _, n := range said {
		notes = append(notes, [2]string{n.What, n.Said})
	}
	return t, notes, nil
}

// read reads the data file, holds out a share of its rows and prepares its columns.
func (r *race) read() (*problems.Table, error) {
	t, notes, err := r.Read(r.data, r.problem != "logistic")
	if err != nil {
		return nil, err
	}
	r.notes = append(r.notes, notes...)
	r.print = Fingerprint(t)
	if r.holdout > 0 {
		order := keyed.New(r.Seed).With("holdout").Rand().Perm(t.Rows())
		out := int(r.holdout * float64(len(order)))
		if out == 0 || out == len(order) {
			return nil, verify.Usagef(
				"-holdout: %v of %d examples leaves none for testing, or none for training",
				r.holdout,
				len(order))
		}
		slices.Sort(order[:out])
		slices.Sort(order[out:])
		r.held, t = t.Select(order[:out]), t.Select(order[out:])
		r.notes = append(r.notes, [2]string{"Held out",
			fmt.Sprintf("%d of %d examples, on which nothing is "+
				"trained or tuned",
				out, len(order))})
	}
	r.notes = append(r.notes, r.Columns(t, r.held)...)
	return t, nil
}

// Columns standardises the columns of a table that has none missing, as CSV files have, and adds an
// intercept, unless flags say otherwise; rows that are held out, nil for none, follow. The notes
// say what was done.
func (e *Examples) Columns(t, held *problems.Table) (notes [][2]string) {
	if t.Column != nil {
		return nil
	}
	if s, ok := t.Scaling(); ok {
		before := t.LargestRow()
		if !e.standardise {
			notes = append(notes, [2]string{"Columns", fmt.Sprintf(
				"as they are; the largest squared norm of a row, to which L is proportional, is %s",
				short(before))})
		} else {
			t.Standardise(s)
			notes = append(notes, [2]string{"Columns",
				fmt.Sprintf("standardised, which takes the largest "+
					"squared norm "+
					"of a row, to which L is proportional, from %s to %s; -standardise=false "+
					"leaves them", short(before),
					short(t.LargestRow()))})
			if held != nil {
				held.Standardise(s)
			}
		}
	}
	if e.intercept {
		t.Intercept()
		notes = append(notes, [2]string{"Intercept", "added; -intercept=false leaves it out"})
		if held != nil {
			held.Intercept()
		}
	}
	return notes
}

// onHeldOut returns what is observed on examples that are held out: their mean loss without
// regularisers, and the share of classes that is right.
func onHeldOut(problem string, t *problems.Table) (func(x []float64) []float64, []quantity, error) {
	p, err := problems.Build(problem, problems.Setting{Table: t, Alpha: -1},
		rand.New(rand.NewPCG(0, 0)))
	if err != nil {
		return nil, nil, verify.Usagef("-holdout: %v", withoutPackage(err))
	}
	loss := quantity{"Held-out loss", "mean loss", false, observed(0)}
	if problem != "logistic" {
		return func(x []float64) []float64 { return []float64{p.Value(x)} }, []quantity{loss}, nil
	}
	right := quantity{"Held-out accuracy", "share correct", false, observed(1)}
	return func(x []float64) []float64 {
		return []float64{p.Value(x), t.Accuracy(x)}
	}, []quantity{right, loss}, nil
}

// Fingerprint identifies the contents of a table.
func Fingerprint(t *problems.Table) string {
	h := sha256.New()
	for _, part := range []any{int64(t.Width), int64(t.Rows()), t.Column, t.Value, t.Target} {
		binary.Write(h, binary.LittleEndian, part) // a hash takes everything
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}
