package problems

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// GuessCSV completes options from the first lines of a CSV file: whether the first names the
// columns, which column is the label, and which of two words counts as 1. It says in words what it
// took. The label is the column of the given name; else one that is called label, y, target or
// class; else the only one that holds words; else, where labels are classes, the only one that
// holds two values; else the first. Where several columns hold words, or none is named so and the
// first holds more than two values, an error says how to name it.
func GuessCSV(head []byte, named string, opt ReadOptions) (ReadOptions, string, error) {
	if end := bytes.LastIndexByte(head, '\n'); end >= 0 {
		head = head[:end]
	}
	c := fields(bytes.NewReader(head), opt.Comma)
	c.FieldsPerRecord = -1
	var records [][]string
	for { // what is wrong is told by the reader
		record, err := c.Read()
		if err != nil {
			break
		}
		records = append(records, record)
	}
	if len(records) == 0 || len(records[0]) < 2 {
		return opt, "", nil
	}
	isNumber := func(s string) bool { _, err := number(strings.TrimSpace(s)); return err == nil }
	if !opt.Header {
		opt.Header = len(records) > 1 && !slices.ContainsFunc(records[0], isNumber) &&
			slices.ContainsFunc(records[1], isNumber)
	}
	names := make([]string, len(records[0]))
	for k, name := range records[0] {
		if names[k] = fmt.Sprintf("column %d", k); opt.Header {
			names[k] = strings.TrimSpace(name)
		}
	}
	if opt.Header {
		records = records[1:]
	}
	values, words := make([][]string, len(names)), make([]bool, len(names))
	for _, record := range records {
		for k := range min(len(record), len(names)) {
			text := strings.TrimSpace(record[k])
			if absent(text) {
				continue
			}
			words[k] = words[k] || !isNumber(text)
			if len(values[k]) < 3 && !slices.Contains(values[k], text) {
				values[k] = append(values[k], text)
			}
		}
	}
	var of []int // columns that may be it
	why := ""
	pick := func(reason string, is func(k int) bool) {
		if len(of) > 0 {
			return
		}
		for k := range names {
			if is(k) {
				of, why = append(of, k), reason
			}
		}
	}
	cure := fmt.Sprintf(
		"which column is the label? Say its name or its number (-label or -label-column of the "+
			"command); "+
			"the columns are %s", strings.Join(names, ", "))
	if named != "" {
		pick("as asked for", func(k int) bool { return names[k] == named })
		if len(of) != 1 {
			return opt, "", fmt.Errorf("%d columns are called %q: %s", len(of), named, cure)
		}
	}
	pick("by its name", func(k int) bool {
		return opt.Header && slices.Contains([]string{"label", "y", "target", "class"},
			strings.ToLower(names[k]))
	})
	pair := func(k int) bool { return len(values[k]) == 2 }
	if opt.Labels != Real || opt.Positive != "" {
		pick("the only one with words", func(k int) bool { return words[k] })
		pairs := 0
		for k := range names {
			if pair(k) {
				pairs++
			}
		}
		switch two := slices.DeleteFunc(slices.Clone(of), func(k int) bool { return !pair(k) }); {
		case why != "the only one with words" || opt.Labels != Binary:
		case len(of) > 1 && len(two) == 1 && pairs == 1: // the others are features
			of, why = two, "the only one with two values"
		case len(of) == 1 && pairs > 1 && opt.Words: // the words may be those of a feature
			of = append(of, -1) // nobody can tell
		}
	}
	if len(of) == 0 && opt.Labels == Binary {
		pick("the only one with two values", pair)
		if len(of) > 1 && of[0] == 0 {
			of, why = of[:1], "the first"
		}
	}
	switch {
	case len(of) > 1 || len(of) == 0 && opt.Labels == Binary && len(values[0]) > 2:
		return opt, "", fmt.Errorf("%s", cure)
	case len(of) == 0:
		of, why = []int{0}, "the first"
	}
	opt.LabelColumn = of[0]
	said := fmt.Sprintf("%s, %s", names[of[0]], why)
	if k := of[0]; words[k] && opt.Positive == "" && opt.Labels == Binary && len(values[k]) == 2 {
		opt.Positive = slices.Max(values[k])
		for _, v := range values[k] {
			if slices.Contains([]string{"yes", "true", "positive", "1", "y", "t"},
				strings.ToLower(v)) {
				opt.Positive = v
			}
		}
		said += fmt.Sprintf("; %q counts as 1", opt.Positive)
	}
	return opt, said, nil
}

// defect says on which line of a CSV file the first field or line is that cannot be read, and why;
// nothing if there is none.
func defect(text []byte, comma rune) (line int, what string) {
	c := fields(bytes.NewReader(text), comma)
	c.ReuseRecord = true
	for {
		record, err := c.Read()
		var bad *csv.ParseError
		switch {
		case err == nil:
		case errors.As(err, &bad) && errors.Is(err, csv.ErrFieldCount):
			return bad.Line, fmt.Sprintf("%d fields, the lines before have %d", len(record),
				c.FieldsPerRecord)
		case errors.As(err, &bad):
			return bad.StartLine, bad.Err.Error()
		default:
			return 0, ""
		}
	}
}

// Scaling moves and scales columns: v of column k becomes (v − Mean[k])/Scale[k], or 0 where
// Scale[k] is 0.
type Scaling struct{ Mean, Scale []float64 }

// Scaling returns the means and the root mean squares around them of the columns of a table without
// missing entries; a column that is constant has scale 0. Of a sparse or empty table there is none.
func (t *Table) Scaling() (s Scaling, ok bool) {
	if t.Column != nil || t.Rows() == 0 {
		return s, false
	}
	n := float64(t.Rows())
	for k := range t.Width {
		mean, square := 0.0, 0.0
		for at := k; at < len(t.Value); at += t.Width {
			mean += t.Value[at] / n
		}
		for at := k; at < len(t.Value); at += t.Width {
			square += (t.Value[at] - mean) * (t.Value[at] - mean) / n
		}
		scale := math.Sqrt(square)
		if !(scale > 1e-12*math.Abs(mean)) {
			scale = 0
		}
		s.Mean, s.Scale = append(s.Mean, mean), append(s.Scale, scale)
	}
	return s, true
}

// Standardise moves and scales the columns of a table without missing entries, to mean 0 and root
// mean square 1 if the scaling is its own. It panics if the table is sparse or has another number
// of columns.
func (t *Table) Standardise(s Scaling) {
	if t.Column != nil || len(s.Mean) != t.Width || len(s.Scale) != t.Width {
		panic(fmt.Sprintf("problems: a scaling of %d columns for %d, or for a sparse table",
			len(s.Mean), t.Width))
	}
	for at, v := range t.Value {
		k := at % t.Width
		if t.Value[at] = 0; s.Scale[k] > 0 {
			t.Value[at] = (v - s.Mean[k]) / s.Scale[k]
		}
	}
}

// LargestRow returns the largest squared norm of a row, to which the smoothness of a linear model
// is proportional.
func (t *Table) LargestRow() float64 {
	most := 0.0
	for k := range t.Rows() {
		_, row := t.Row(k)
		most = max(most, dot(row, row))
	}
	return most
}

// Select returns a table of the given rows, in their order.
func (t *Table) Select(rows []int) *Table {
	out := &Table{Width: t.Width, Start: []int{0}, Classes: t.Classes, Names: t.Names}
	if t.Column != nil {
		out.Column = []int32{}
	}
	for _, k := range rows {
		columns, values := t.Row(k)
		out.Column, out.Value = append(out.Column, columns...), append(out.Value, values...)
		out.Target = append(out.Target, t.Target[k])
		out.Start = append(out.Start, len(out.Value))
	}
	return out
}

// Intercept adds a last column of ones.
func (t *Table) Intercept() {
	values, columns := make([]float64, 0, len(t.Value)+t.Rows()), []int32(nil)
	start := []int{0}
	for k := range t.Rows() {
		c, row := t.Row(k)
		values = append(append(values, row...), 1)
		if t.Column != nil {
			columns = append(append(columns, c...), int32(t.Width))
		}
		start = append(start, len(values))
	}
	t.Value, t.Column, t.Start, t.Width = values, columns, start, t.Width+1
	if t.Names != nil {
		t.Names = append(slices.Clip(t.Names), "intercept")
	}
}
