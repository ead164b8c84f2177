package problems

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// Table is a set of examples: rows of features, stored densely or sparsely, and a target for each.
type Table struct {
	Width  int       // number of features d
	Start  []int     // row k holds entries Start[k] to Start[k+1]-1; length rows+1
	Column []int32   // column of each entry, ascending within a row; nil if every row holds all Width features
	Value  []float64 // entries
	Target []float64 // class ±1, a real number for regression, or the number of one of the Classes
	// Classes names the classes if the targets are their numbers 0, 1, …; nil otherwise.
	Classes []string
}

// Rows returns the number of examples.
func (t *Table) Rows() int { return len(t.Start) - 1 }

// Row returns the entries of row k and, if the table is sparse, their columns.
func (t *Table) Row(k int) (columns []int32, values []float64) {
	from, to := t.Start[k], t.Start[k+1]
	if t.Column != nil {
		columns = t.Column[from:to]
	}
	return columns, t.Value[from:to]
}

// NewTable returns a dense table of the given rows and targets, which it copies.
func NewTable(rows [][]float64, target []float64) (*Table, error) {
	if len(rows) == 0 || len(rows) != len(target) {
		return nil, fmt.Errorf("problems: table of %d rows with %d targets, want equal numbers above 0", len(rows),
			len(target))
	}
	t := &Table{Width: len(rows[0]), Start: []int{0}, Target: append([]float64(nil), target...)}
	for k, row := range rows {
		if len(row) != t.Width {
			return nil, fmt.Errorf("problems: row %d has %d features, want %d", k, len(row), t.Width)
		}
		t.Value = append(t.Value, row...)
		t.Start = append(t.Start, len(t.Value))
	}
	return t, t.validate()
}

func (t *Table) validate() error {
	n := t.Rows()
	switch {
	case n < 1:
		return fmt.Errorf("problems: table without rows")
	case t.Width < 1:
		return fmt.Errorf("problems: table of width %d, want at least 1", t.Width)
	case len(t.Target) != n:
		return fmt.Errorf("problems: table of %d rows with %d targets", n, len(t.Target))
	case t.Start[0] != 0 || t.Start[n] != len(t.Value) || t.Column != nil && len(t.Column) != len(t.Value):
		return fmt.Errorf("problems: table of %d values with %d columns and rows from %d to %d", len(t.Value),
			len(t.Column), t.Start[0], t.Start[n])
	}
	for k := range n {
		if t.Start[k+1] < t.Start[k] || t.Column == nil && t.Start[k+1]-t.Start[k] != t.Width {
			return fmt.Errorf("problems: row %d has %d values in a table of width %d", k, t.Start[k+1]-t.Start[k],
				t.Width)
		}
		if !finiteNumber(t.Target[k]) {
			return fmt.Errorf("problems: target of row %d is %v", k, t.Target[k])
		}
		columns, values := t.Row(k)
		for e, v := range values {
			if !finiteNumber(v) {
				return fmt.Errorf("problems: row %d has the value %v", k, v)
			}
			if columns != nil && (columns[e] < 0 || int(columns[e]) >= t.Width || e > 0 && columns[e] <= columns[e-1]) {
				return fmt.Errorf("problems: row %d has column %d out of order or out of [0, %d)", k, columns[e],
					t.Width)
			}
		}
	}
	return nil
}

// Labels says how the labels of a file become targets.
type Labels uint8

// The meanings of labels.
const (
	// Binary labels come from {-1, 1}, {0, 1} or {1, 2}; the larger one becomes 1 and the smaller one -1.
	Binary Labels = iota
	// Real labels are numbers and are taken as they are.
	Real
	// Classes labels may be any text. The different ones are numbered in order (of their values if all are numbers),
	// and targets are these numbers.
	Classes
)

// ReadOptions says how to read a file of examples. The zero value reads binary labels, from the first column of a CSV
// file without a header.
type ReadOptions struct {
	// Width is the number of features. By default it is the largest index present (LIBSVM) or the number of columns
	// without the label (CSV).
	Width int
	// Labels says how labels become targets.
	Labels Labels
	// Positive, if not empty, makes examples with exactly this label 1 and all others -1. Labels may be any text then.
	Positive string
	// LabelColumn is the column of the label in a CSV file, from 0; negative numbers count from the last column, which
	// is -1.
	LabelColumn int
	// Header says that the first line of a CSV file holds names, to be skipped.
	Header bool
	// Comma separates the fields of a CSV file; default ','.
	Comma rune
}

// maxWidth bounds the feature indices of a file, so that a damaged index does not become a vector that fills the
// memory.
const maxWidth = 1 << 26

func (o ReadOptions) validate(name string) error {
	switch {
	case o.Width < 0 || o.Width > maxWidth:
		return fmt.Errorf("problems: %s: width %d, want 0 (from the data) to %d", name, o.Width, maxWidth)
	case o.Labels > Classes:
		return fmt.Errorf("problems: %s: unknown meaning %d of labels", name, o.Labels)
	}
	return nil
}

// reader collects the rows of a file.
type reader struct {
	ReadOptions
	name  string
	table Table
	lines []int32  // of each row
	texts []string // label of each row, for Classes
}

func (r *reader) fail(line int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", r.name, line, fmt.Sprintf(format, args...))
}

func (r *reader) label(field string, line int) error {
	r.lines = append(r.lines, int32(line))
	if r.Positive != "" {
		target := -1.0
		if field == r.Positive {
			target = 1
		}
		r.table.Target = append(r.table.Target, target)
		return nil
	}
	if r.Labels == Classes {
		if field == "" {
			return r.fail(line, "the label is empty")
		}
		r.texts = append(r.texts, strings.Clone(field))
		r.table.Target = append(r.table.Target, 0)
		return nil
	}
	v, err := number(field)
	if err != nil {
		return r.fail(line, "label %q is not a finite number", clip(field))
	}
	r.table.Target = append(r.table.Target, v)
	return nil
}

func (r *reader) finish() (*Table, error) {
	t := &r.table
	if len(t.Target) == 0 {
		return nil, fmt.Errorf("%s: no examples", r.name)
	}
	if t.Width == 0 {
		return nil, fmt.Errorf("%s: no features", r.name)
	}
	if r.Labels == Binary && r.Positive == "" {
		if err := r.binary(); err != nil {
			return nil, err
		}
	}
	if r.Labels == Classes && r.Positive == "" {
		r.classes()
	}
	return t, nil
}

// classes numbers the different labels.
func (r *reader) classes() {
	t := &r.table
	t.Classes = slices.Compact(slices.Sorted(slices.Values(r.texts)))
	values := map[string]float64{}
	for _, name := range t.Classes {
		if v, err := number(name); err == nil {
			values[name] = v
		}
	}
	if len(values) == len(t.Classes) {
		slices.SortStableFunc(t.Classes, func(a, b string) int { return cmp.Compare(values[a], values[b]) })
	}
	at := map[string]float64{}
	for k, name := range t.Classes {
		at[name] = float64(k)
	}
	for k, name := range r.texts {
		t.Target[k] = at[name]
	}
}

// binary maps the labels to ±1. A file with the single label 1 is all positive.
func (r *reader) binary() error {
	present := map[float64]bool{}
	for k, v := range r.table.Target {
		if v != -1 && v != 0 && v != 1 && v != 2 {
			return r.fail(int(r.lines[k]), "label %v, want one of -1 and 1, 0 and 1, or 1 and 2", v)
		}
		present[v] = true
		if len(present) > 2 || present[-1] && (present[0] || present[2]) || present[0] && present[2] {
			return r.fail(int(r.lines[k]),
				"label %v does not go with the labels before it: want two of -1 and 1, 0 and 1, or 1 and 2", v)
		}
	}
	top := 1.0
	if present[2] {
		top = 2
	}
	for k, v := range r.table.Target {
		r.table.Target[k] = -1
		if v == top {
			r.table.Target[k] = 1
		}
	}
	return nil
}

// number parses a finite decimal number.
func number(s string) (float64, error) {
	if strings.ContainsAny(s, "xX_pP") {
		return 0, strconv.ErrSyntax
	}
	v, err := strconv.ParseFloat(s, 64)
	if err == nil && !finiteNumber(v) {
		err = strconv.ErrRange
	}
	return v, err
}

// clip shortens a field for a message.
func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "…"
	}
	return s
}

// ReadLIBSVM reads examples in the LIBSVM format: a line "label index:value index:value ..." each, indices from 1 and
// ascending, a comment after '#'. Lines may end in LF or CRLF, the last one in neither; spaces and tabs separate
// fields; blank lines are skipped. name stands in for the file in errors, which read "name:line: what is wrong".
func ReadLIBSVM(in io.Reader, name string, opt ReadOptions) (*Table, error) {
	if err := opt.validate(name); err != nil {
		return nil, err
	}
	r := &reader{ReadOptions: opt, name: name}
	r.table = Table{Width: opt.Width, Start: []int{0}, Column: []int32{}}
	s := bufio.NewScanner(in)
	s.Buffer(make([]byte, 0, 1<<16), 1<<26)
	line := 0
	for s.Scan() {
		line++
		if err := r.example(s.Bytes(), line); err != nil {
			return nil, err
		}
	}
	if err := s.Err(); err != nil {
		return nil, r.fail(line+1, "%v", err)
	}
	return r.finish()
}

func (r *reader) example(text []byte, line int) error {
	if k := bytes.IndexByte(text, '#'); k >= 0 {
		text = text[:k]
	}
	label, rest := nextField(text)
	if len(label) == 0 {
		return nil
	}
	if err := r.label(string(label), line); err != nil {
		return err
	}
	t, last := &r.table, 0
	for {
		var field []byte
		if field, rest = nextField(rest); len(field) == 0 {
			break
		}
		at, value, found := bytes.Cut(field, []byte{':'})
		if !found {
			return r.fail(line, "field %q is not of the form index:value", clip(string(field)))
		}
		index, err := strconv.Atoi(string(at))
		switch {
		case err != nil:
			return r.fail(line, "index %q is not an integer", clip(string(at)))
		case index < 1:
			return r.fail(line, "index %d, want indices from 1", index)
		case index <= last:
			return r.fail(line, "index %d after %d, want ascending indices", index, last)
		case r.Width > 0 && index > r.Width:
			return r.fail(line, "index %d above the width %d", index, r.Width)
		case index > maxWidth:
			return r.fail(line, "index %d, want at most %d", index, maxWidth)
		}
		v, err := number(string(value))
		if err != nil {
			return r.fail(line, "value %q of index %d is not a finite number", clip(string(value)), index)
		}
		last = index
		if v != 0 {
			t.Column = append(t.Column, int32(index-1))
			t.Value = append(t.Value, v)
		}
	}
	t.Width = max(t.Width, last)
	t.Start = append(t.Start, len(t.Value))
	return nil
}

// nextField cuts the first field off a line: bytes other than ASCII white space.
func nextField(s []byte) (field, rest []byte) {
	space := func(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }
	for len(s) > 0 && space(s[0]) {
		s = s[1:]
	}
	for k, c := range s {
		if space(c) {
			return s[:k], s[k:]
		}
	}
	return s, nil
}

// ReadCSV reads examples of numbers separated by commas, one a line, with the label in one column. Errors read
// "name:line: what is wrong".
func ReadCSV(in io.Reader, name string, opt ReadOptions) (*Table, error) {
	if err := opt.validate(name); err != nil {
		return nil, err
	}
	r := &reader{ReadOptions: opt, name: name, table: Table{Start: []int{0}}}
	c := csv.NewReader(in)
	c.ReuseRecord, c.TrimLeadingSpace = true, true
	if opt.Comma != 0 {
		c.Comma = opt.Comma
	}
	for header := opt.Header; ; header = false {
		record, err := c.Read()
		if errors.Is(err, io.EOF) {
			return r.finish()
		}
		var bad *csv.ParseError
		switch {
		case errors.As(err, &bad) && errors.Is(err, csv.ErrFieldCount):
			return nil, r.fail(bad.Line, "%d fields, the lines before have %d", len(record), c.FieldsPerRecord)
		case errors.As(err, &bad):
			return nil, r.fail(bad.Line, "%v", bad.Err)
		case err != nil:
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if header {
			continue
		}
		if err := r.record(record, c); err != nil {
			return nil, err
		}
	}
}

func (r *reader) record(record []string, c *csv.Reader) error {
	line, _ := c.FieldPos(0)
	label := r.LabelColumn
	if label < 0 {
		label += len(record)
	}
	width := len(record) - 1
	switch {
	case label < 0 || label >= len(record):
		return r.fail(line, "no column %d for the label among %d", r.LabelColumn, len(record))
	case width < 1:
		return r.fail(line, "%d fields, want a label and at least one feature", len(record))
	case r.Width > 0 && r.Width != width:
		return r.fail(line, "%d features, want %d", width, r.Width)
	}
	if err := r.label(strings.TrimSpace(record[label]), line); err != nil {
		return err
	}
	for k, field := range record {
		if k == label {
			continue
		}
		v, err := number(strings.TrimSpace(field))
		if err != nil {
			at, _ := c.FieldPos(k)
			return r.fail(at, "field %d is %q, not a finite number", k+1, clip(field))
		}
		r.table.Value = append(r.table.Value, v)
	}
	r.table.Width = width
	r.table.Start = append(r.table.Start, len(r.table.Value))
	return nil
}

// Classification returns a synthetic table of n rows with d normal features, scaled so that the mean squared row norm
// is 1, and classes ±1 from a random hyperplane; the given share of the labels is flipped. Rows are sparse if density,
// the share of features present, is below 1.
func Classification(n, d int, density, flipped float64, r *rand.Rand) *Table {
	t := &Table{Width: d, Start: []int{0}}
	if density < 1 {
		t.Column = []int32{}
	}
	plane := normal(d, r)
	for range n {
		margin := 0.0
		for k := range d {
			if t.Column != nil {
				if r.Float64() >= density {
					continue
				}
				t.Column = append(t.Column, int32(k))
			}
			v := r.NormFloat64() / math.Sqrt(float64(d)*min(1, density))
			t.Value = append(t.Value, v)
			margin += v * plane[k]
		}
		y := 1.0
		if (margin < 0) != (r.Float64() < flipped) {
			y = -1
		}
		t.Target = append(t.Target, y)
		t.Start = append(t.Start, len(t.Value))
	}
	return t
}

// Regression returns a synthetic table of n dense rows with d normal features, scaled so that the mean squared row norm
// is 1, and targets from a random linear function plus normal noise; the given share of the targets are outliers, ten
// times as large.
func Regression(n, d int, noise, outliers float64, r *rand.Rand) *Table {
	t := &Table{Width: d, Start: []int{0}}
	slope := normal(d, r)
	for range n {
		row := scaled(normal(d, r), 1/math.Sqrt(float64(d)))
		y := dot(row, slope) + noise*r.NormFloat64()
		if r.Float64() < outliers {
			y = 10 * r.NormFloat64()
		}
		t.Value = append(t.Value, row...)
		t.Target = append(t.Target, y)
		t.Start = append(t.Start, len(t.Value))
	}
	return t
}

// SplitByTarget deals the rows with the given targets to clients in nearly equal shares. A share of skew of them, from
// 0 to 1, is dealt in the order of the targets, so that a client sees few different ones; the others are dealt at
// random.
func SplitByTarget(target []float64, clients int, skew float64, r *rand.Rand) ([][]int, error) {
	n := len(target)
	switch {
	case clients < 1 || clients > n:
		return nil, fmt.Errorf("problems: %d clients for %d rows, want 1 to %d", clients, n, n)
	case !(skew >= 0 && skew <= 1):
		return nil, fmt.Errorf("problems: skew %v, want a number from 0 to 1", skew)
	}
	sizes := make([]int, clients)
	for i := range sizes {
		sizes[i] = (i+1)*n/clients - i*n/clients
	}
	return deal(target, sizes, skew, r), nil
}

// deal shares out the rows with the given targets to clients of the given sizes: a share of skew of the rows stands in
// the order of the targets, the others are scattered at random among them.
func deal(target []float64, sizes []int, skew float64, r *rand.Rand) [][]int {
	n := len(target)
	order, sorted := r.Perm(n), r.Perm(n)[:int(math.Round(skew*float64(n)))]
	slices.Sort(sorted) // the places that get rows in order
	rows := make([]int, len(sorted))
	for k, at := range sorted {
		rows[k] = order[at]
	}
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(target[a], target[b]) })
	for k, at := range sorted {
		order[at] = rows[k]
	}
	clients := make([][]int, len(sizes))
	for i, m := range sizes {
		clients[i], order = order[:m:m], order[m:]
	}
	return clients
}
