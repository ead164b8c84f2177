package problems

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Labels says how the labels of a file become targets.
type Labels uint8

// The meanings of labels.
const (
	// Binary labels come from {-1, 1}, {0, 1} or {1, 2}; the larger one becomes 1 and the smaller
	// one -1.
	Binary Labels = iota
	// Real labels are numbers and are taken as they are.
	Real
	// Classes labels may be any text. The different ones are numbered in order (of their values if
	// all are numbers), and targets are these numbers.
	Classes
)

// ReadOptions says how to read a file of examples. The zero value reads binary labels, from the
// first column of a CSV file without a header.
type ReadOptions struct {
	// Width is the number of features. By default it is the largest index present (LIBSVM) or the
	// number of columns without the label (CSV).
	Width int
	// Labels says how labels become targets.
	Labels Labels
	// Positive, if not empty, makes examples with exactly this label 1 and all others -1. Labels
	// may be any text then.
	Positive string
	// LabelColumn is the column of the label in a CSV file, from 0; negative numbers count from the
	// last column, which is -1.
	LabelColumn int
	// Header says that the first line of a CSV file holds names, to be skipped.
	Header bool
	// Words makes a column of 0 and 1 of each word in the columns of a CSV file that hold words, as
	// their first row tells.
	Words bool
	// Drop names columns of a CSV file with a header that are left out.
	Drop []string
	// SkipMissing leaves rows of a CSV file out in which a field is empty, NA, N/A, NaN, null, none
	// or a question mark.
	SkipMissing bool
	// Comma separates the fields of a CSV file; default ','.
	Comma rune
	// Most is how many bytes reading may take, with those that a table takes as it grows; 0 for no
	// bound. With a bound, a file without a Width whose largest index exceeds 2²⁰ and 64 times its
	// numbers is refused: one damaged index would make vectors that no file of that size is about.
	Most int64
}

// maxWidth bounds the feature indices of a file, so that a damaged index does not become a vector
// that fills the memory.
const maxWidth = 1 << 26

// maxLine bounds the bytes of a line, so that a file without line ends does not fill the memory.
const maxLine = 1 << 26

// positive is the cure of labels that are not those of two classes.
const positive = "; or say which label counts as 1, and all others as -1 (-positive of the command)"

// tooLong is what is wrong with a line of more than maxLine bytes.
const tooLong = "the line is longer than 64 MiB, the most that is read"

func (o ReadOptions) validate(name string) error {
	switch {
	case o.Width < 0 || o.Width > maxWidth:
		return fmt.Errorf("problems: %s: width %d, want 0 (from the data) to %d", name, o.Width,
			maxWidth)
	case o.Labels > Classes:
		return fmt.Errorf("problems: %s: unknown meaning %d of labels", name, o.Labels)
	}
	return nil
}

// reader collects the rows of a file.
type reader struct {
	ReadOptions
	name    string
	table   Table
	lines   []int32  // of each row
	texts   []string // label of each row, for Classes
	letters int      // bytes that these take
	other   []string // the first labels that are not Positive, each once, as long as no label is
	found   bool     // a label is Positive

	kept    []int // columns of a CSV file that are features
	worded  worded
	skipped int // rows in which a value is missing
}

// room complains where the bytes that reading takes are more than it may take: twice those of the
// table, which is copied as it grows.
func (r *reader) room(line int) error {
	t := &r.table
	took := int64(8*(cap(t.Start)+cap(t.Value)+cap(t.Target)) + 4*(cap(t.Column)+cap(r.lines)) +
		r.letters)
	if r.Most > 0 && 2*took > r.Most {
		return r.fail(line,
			"the examples up to here take %.3g GB of memory, of which there are no more",
			float64(2*took)/1e9)
	}
	return nil
}

func (r *reader) fail(line int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", r.name, line, fmt.Sprintf(format, args...))
}

func (r *reader) label(field string, line int) error {
	r.lines = append(r.lines, int32(line))
	if r.Positive != "" {
		target := -1.0
		switch {
		case field == r.Positive:
			target, r.found = 1, true
		case !r.found && len(r.other) < 4 && !slices.Contains(r.other, clip(field)):
			r.other = append(r.other, strings.Clone(clip(field)))
		}
		r.table.Target = append(r.table.Target, target)
		return nil
	}
	if r.Labels == Classes {
		if field == "" {
			return r.fail(line, "the label is empty")
		}
		r.texts = append(r.texts, strings.Clone(field))
		r.letters += len(field) + 16
		r.table.Target = append(r.table.Target, 0)
		return nil
	}
	v, err := number(field)
	if err != nil {
		cure := ""
		if r.Labels == Binary {
			cure = positive
		}
		return r.fail(line, "label %q is not a finite number%s", clip(field), cure)
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
	if most := max(1<<20, 64*len(t.Value)); r.Most > 0 && r.Width == 0 && t.Width > most {
		return nil, fmt.Errorf(
			"%s: the largest index is %d, and the rows hold %d numbers in all: the width must "+
				"be given if that is meant", r.name, t.Width, len(t.Value))
	}
	if r.Positive != "" && !r.found {
		return nil, fmt.Errorf(
			"%s: no example has the label %q, which is to count as positive; the first labels "+
				"are %q", r.name, clip(r.Positive), r.other)
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
		slices.SortStableFunc(t.Classes,
			func(a, b string) int { return cmp.Compare(values[a], values[b]) })
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
			return r.fail(int(r.lines[k]),
				"label %v, want one of -1 and 1, 0 and 1, or 1 and 2"+positive, v)
		}
		present[v] = true
		if len(present) > 2 || present[-1] && (present[0] || present[2]) ||
			present[0] && present[2] {
			return r.fail(int(r.lines[k]),
				"label %v does not go with the labels before it: want two of -1 and 1, 0 and 1, or 1 and 2"+positive, v)
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

// ReadLIBSVM reads examples in the LIBSVM format: a line "label index:value index:value ..." each,
// indices from 1 and ascending, a comment after '#'. Lines may end in LF or CRLF, the last one in
// neither; spaces and tabs separate fields; blank lines are skipped. name stands in for the file in
// errors, which read "name:line: what is wrong".
func ReadLIBSVM(in io.Reader, name string, opt ReadOptions) (*Table, error) {
	if err := opt.validate(name); err != nil {
		return nil, err
	}
	r := &reader{ReadOptions: opt, name: name}
	r.table = Table{Width: opt.Width, Start: []int{0}, Column: []int32{}}
	s := bufio.NewScanner(in)
	s.Buffer(make([]byte, 0, 1<<16), maxLine)
	line := 0
	for s.Scan() {
		line++
		if err := r.example(s.Bytes(), line); err != nil && s.Err() == nil {
			// else the line is torn, and this is why
			return nil, err
		}
	}
	switch err := s.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, r.fail(line+1, tooLong)
	case err != nil:
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
			return r.fail(line, "value %q of index %d is not a finite number",
				clip(string(value)), index)
		}
		last = index
		if v != 0 {
			t.Column = append(t.Column, int32(index-1))
			t.Value = append(t.Value, v)
		}
	}
	t.Width = max(t.Width, last)
	t.Start = append(t.Start, len(t.Value))
	return r.room(line)
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

// ReadCSV reads examples of numbers separated by commas, one a line, with the label in one column.
// Errors read "name:line: what is wrong".
func ReadCSV(in io.Reader, name string, opt ReadOptions) (*Table, error) {
	return readCSV(in, name, opt, func(string, string) {})
}

// readCSV is [ReadCSV], and tells in a word and a sentence what was done to the columns and rows.
func readCSV(in io.Reader, name string, opt ReadOptions,
	notes func(what, said string)) (*Table, error) {
	if err := opt.validate(name); err != nil {
		return nil, err
	}
	r := &reader{ReadOptions: opt, name: name, table: Table{Start: []int{0}}}
	tally := &tallied{counted{in: in}}
	c := fields(tally, opt.Comma)
	c.ReuseRecord = true
	line, names := 0, []string(nil)
	for header := opt.Header; ; header = false {
		tally.bytes = 0
		record, err := c.Read()
		if errors.Is(err, io.EOF) {
			return r.spread(notes)
		}
		var bad *csv.ParseError
		switch {
		case errors.Is(err, errTooLong):
			return nil, r.fail(line+1, tooLong)
		case errors.As(err, &bad) && errors.Is(err, csv.ErrFieldCount):
			return nil, r.fail(bad.Line, "%d fields, the lines before have %d", len(record),
				c.FieldsPerRecord)
		case errors.As(err, &bad):
			return nil, r.fail(bad.Line, "%v", bad.Err)
		case err != nil:
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		line, _ = c.FieldPos(0)
		if header {
			names = slices.Clone(record)
			continue
		}
		if r.kept == nil {
			if err := r.columns(line, names, len(record)); err != nil {
				return nil, err
			}
		}
		if err := r.record(record, c); err != nil {
			return nil, err
		}
	}
}

// tallied counts what is read from a file and ends it where more than maxLine bytes were read since
// the count was last set to 0.
type tallied struct{ counted }

var errTooLong = errors.New(tooLong)

func (t *tallied) Read(p []byte) (int, error) {
	if t.bytes > maxLine {
		return 0, errTooLong
	}
	return t.counted.Read(p)
}

// fields returns a reader of the fields of a CSV file that the comma separates, 0 for ','.
func fields(in io.Reader, comma rune) *csv.Reader {
	c := csv.NewReader(in)
	c.TrimLeadingSpace = true
	if comma != 0 {
		c.Comma = comma
	}
	return c
}

// columns finds which columns are features, by the names of the header, if there is one, and the
// number of columns.
func (r *reader) columns(line int, names []string, width int) error {
	label := r.LabelColumn
	if label < 0 {
		label += width
	}
	switch {
	case label < 0 || label >= width:
		return r.fail(line, "no column %d for the label among %d", r.LabelColumn, width)
	case width < 2:
		return r.fail(line, "%d fields, want a label and at least one feature", width)
	}
	r.worded = worded{columns: make([]map[string]int, width), named: names != nil}
	for k := range width {
		name := fmt.Sprintf("column %d", k)
		if names != nil {
			name = strings.TrimSpace(names[k])
		}
		r.worded.names = append(r.worded.names, name)
	}
	for _, name := range r.Drop {
		switch at := slices.Index(r.worded.names, name); {
		case at < 0:
			return r.fail(line, "no column is called %q; they are %s", clip(name),
				strings.Join(r.worded.names, ", "))
		case at == label:
			return r.fail(line, "the column %s is the label, and cannot be left out", clip(name))
		}
	}
	for k, name := range r.worded.names {
		if k != label && !slices.Contains(r.Drop, name) {
			r.kept = append(r.kept, k)
			if names != nil {
				r.table.Names = append(r.table.Names, name)
			}
		}
	}
	if len(r.kept) == 0 {
		return r.fail(line, "no column is left")
	}
	if r.Width > 0 && r.Width != len(r.kept) {
		return r.fail(line, "%d features, want %d", len(r.kept), r.Width)
	}
	r.table.Width = len(r.kept)
	return nil
}

// spread ends a CSV file.
func (r *reader) spread(notes func(what, said string)) (*Table, error) {
	if r.skipped > 0 && len(r.table.Target) == 0 {
		return nil, fmt.Errorf("%s: no examples: a value is missing in each of %d rows", r.name,
			r.skipped)
	}
	t, err := r.finish()
	if err != nil {
		return nil, err
	}
	said, err := r.worded.spread(t, r.kept, r.Most)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", r.name, err)
	case said != "":
		notes("Words", "a column of 0 and 1 for each word of "+said)
	}
	if len(r.Drop) > 0 {
		notes("Left out", strings.Join(r.Drop, ", "))
	}
	if r.skipped > 0 {
		notes("Missing", fmt.Sprintf("%d of %d rows are left out, in which a value is missing",
			r.skipped, r.skipped+t.Rows()))
	}
	return t, nil
}

func (r *reader) record(record []string, c *csv.Reader) error {
	line, _ := c.FieldPos(0)
	label := r.LabelColumn
	if label < 0 {
		label += len(record)
	}
	text := strings.TrimSpace(record[label])
	if r.SkipMissing && (absent(text) || slices.ContainsFunc(r.kept, func(k int) bool {
		return absent(strings.TrimSpace(record[k]))
	})) {
		r.skipped++
		return nil
	}
	if c.Comma != ';' && strings.ContainsAny(text, ";\t") {
		return r.fail(line, "the label %q has a semicolon or a tab in it: "+
			"want fields that are separated by %q, and decimal points", clip(text), c.Comma)
	}
	if err := r.label(text, line); err != nil {
		return err
	}
	first := len(r.table.Start) == 1
	for _, k := range r.kept {
		v, err := r.worded.take(k, strings.TrimSpace(record[k]), first, r.Words)
		if err != nil {
			at, _ := c.FieldPos(k)
			return r.fail(at, "%v", err)
		}
		r.table.Value = append(r.table.Value, v)
	}
	r.table.Start = append(r.table.Start, len(r.table.Value))
	return r.room(line)
}
