package verbs

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"sledge/algos/problems"
	"sledge/props/keyed"
	"sledge/reports/verify"
)

// read reads the data file, holds out a share of its rows and prepares its columns.
func (r *race) read() (*problems.Table, error) {
	opt := problems.FileOptions{ReadOptions: problems.ReadOptions{Width: r.width,
		Positive: r.positive, LabelColumn: r.labelColumn, Header: r.header, Most: mostTable(),
		SkipMissing: r.missing == "skip"},
		Label: r.label, Fixed: r.given["label-column"]}
	if r.problem != "logistic" && r.positive == "" {
		opt.Labels = problems.Real
	}
	if r.format != "auto" {
		opt.Format = r.format
	}
	if r.drop != "" {
		for name := range strings.SplitSeq(r.drop, ",") {
			opt.Drop = append(opt.Drop, strings.TrimSpace(name))
		}
	}
	t, notes, err := problems.ReadFile(r.data, opt)
	if err != nil {
		return nil, verify.Usagef("-data: %v", withoutPackage(err))
	}
	for _, n := range notes {
		r.notes = append(r.notes, [2]string{n.What, n.Said})
	}
	r.print = fingerprint(t)
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
	if t.Column == nil {
		r.columns(t)
	}
	return t, nil
}

// columns standardises the columns of a CSV file, and adds an intercept; the rows that are held out
// follow.
func (r *race) columns(t *problems.Table) {
	if s, ok := t.Scaling(); ok {
		before := t.LargestRow()
		if !r.standardise {
			r.notes = append(r.notes, [2]string{"Columns", fmt.Sprintf(
				"as they are; the largest squared norm of a row, to which L is proportional, is %s",
				short(before))})
		} else {
			t.Standardise(s)
			r.notes = append(r.notes, [2]string{"Columns",
				fmt.Sprintf("standardised, which takes the largest "+
					"squared norm "+
					"of a row, to which L is proportional, from %s to %s; -standardise=false "+
					"leaves them", short(before),
					short(t.LargestRow()))})
			if r.held != nil {
				r.held.Standardise(s)
			}
		}
	}
	if r.intercept {
		t.Intercept()
		r.notes = append(r.notes, [2]string{"Intercept", "added; -intercept=false leaves it out"})
		if r.held != nil {
			r.held.Intercept()
		}
	}
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

// fingerprint identifies the contents of a table.
func fingerprint(t *problems.Table) string {
	h := sha256.New()
	for _, part := range []any{int64(t.Width), int64(t.Rows()), t.Column, t.Value, t.Target} {
		binary.Write(h, binary.LittleEndian, part) // a hash takes everything
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}
