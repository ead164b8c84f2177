package problems

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sledge/algos/internal/datafile"
	"sledge/props"
)

// write formats a table in the LIBSVM format with exact values.
func (t *Table) write(sep, newline string) string {
	var b strings.Builder
	for k := range t.Rows() {
		fmt.Fprintf(&b, "%v", t.Target[k])
		columns, values := t.Row(k)
		for e, v := range values {
			fmt.Fprintf(&b, "%s%d:%v", sep, columns[e]+1, v)
		}
		b.WriteString(newline)
	}
	return b.String()
}

// What is written is what is read, with any white space and any end of line, and without the last
// one.
func TestLIBSVMRoundTrip(t *testing.T) {
	want := Classification(40, 7, 0.5, 0.1, rand.New(rand.NewPCG(1, 2)))
	for _, sep := range []string{" ", "\t", "  "} {
		for _, newline := range []string{"\n", "\r\n", " \n", " \r\n", " # comment\n",
			"\n\n# only a comment\n"} {
			text := want.write(sep, newline)
			for _, text := range []string{text, strings.TrimRight(text, "\r\n")} {
				got, err := ReadLIBSVM(strings.NewReader(text), "data", ReadOptions{Width: 7})
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(got.Value, want.Value) || !slices.Equal(got.Column, want.Column) ||
					!slices.Equal(got.Start, want.Start) ||
					!slices.Equal(got.Target, want.Target) || got.Width != 7 {
					t.Fatalf("with %q and %q: read %+v, want %+v", sep, newline, got, want)
				}
				if err := got.validate(); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

func TestLIBSVMOddities(t *testing.T) {
	for _, row := range []struct {
		text string
		opt  ReadOptions
		want string // what the table looks like, or the error
	}{
		{"+1 1:0.5\n-1 3:-2e-1", ReadOptions{}, "width 3: 1[0:0.5] -1[2:-0.2]"},
		{"1 2:1\n0 1:1\n", ReadOptions{}, "width 2: 1[1:1] -1[0:1]"},
		{"1 1:1\n2 1:1\n", ReadOptions{}, "width 1: -1[0:1] 1[0:1]"},
		{"1 1:1\n", ReadOptions{}, "width 1: 1[0:1]"},
		{"-1\n+1 2:7\n", ReadOptions{Width: 4}, "width 4: -1[] 1[1:7]"},
		{"1 1:0 2:3\n", ReadOptions{}, "width 2: 1[1:3]"}, // a stored zero is no entry
		{"2.5 1:1\n-3 1:2\n", ReadOptions{Labels: Real}, "width 1: 2.5[0:1] -3[0:2]"},
		{"A 1:1\nB 1:2\n", ReadOptions{Positive: "B"}, "width 1: -1[0:1] 1[0:2]"},
		{"\xef\xbb\xbf1 1:1\n", ReadOptions{}, "data:1: label"}, // a byte order mark is no number

		{"", ReadOptions{}, "data: no examples"},
		{"\n \n# nothing\n", ReadOptions{}, "data: no examples"},
		{"1\n", ReadOptions{}, "data: no features"},
		{"1 1:1\n1 1:1 1:2\n", ReadOptions{}, "data:2: index 1 after 1, want ascending indices"},
		{"1 2:1 1:2\n", ReadOptions{}, "data:1: index 1 after 2, want ascending indices"},
		{"1 0:1\n", ReadOptions{}, "data:1: index 0, want indices from 1"},
		{"1 -3:1\n", ReadOptions{}, "data:1: index -3, want indices from 1"},
		{"1 1:1\n\n1 5:1\n", ReadOptions{Width: 4}, "data:3: index 5 above the width 4"},
		{"1 99999999999:1\n", ReadOptions{}, "data:1: index 99999999999, want at most 67108864"},
		{"1 999999999999999999999:1\n", ReadOptions{},
			`data:1: index "999999999999999999999" is not an integer`},
		{"1 1:nan\n", ReadOptions{}, `data:1: value "nan" of index 1 is not a finite number`},
		{"1 1:-Inf\n", ReadOptions{}, `data:1: value "-Inf" of index 1 is not a finite number`},
		{"1 1:1e999\n", ReadOptions{}, `data:1: value "1e999" of index 1 is not a finite number`},
		{"1 1:0x10\n", ReadOptions{}, `data:1: value "0x10" of index 1 is not a finite number`},
		{"1 1:\n", ReadOptions{}, `data:1: value "" of index 1 is not a finite number`},
		{"1 :1\n", ReadOptions{}, `data:1: index "" is not an integer`},
		{"1 1\n", ReadOptions{}, `data:1: field "1" is not of the form index:value`},
		{"1 qid:3 1:1\n", ReadOptions{}, `data:1: index "qid" is not an integer`},
		{"1 1:1:1\n", ReadOptions{}, `data:1: value "1:1" of index 1 is not a finite number`},
		{"NaN 1:1\n", ReadOptions{}, `data:1: label "NaN" is not a finite number`},
		{"1 1:1\n3 1:1\n", ReadOptions{},
			"data:2: label 3, want one of -1 and 1, 0 and 1, or 1 and 2"},
		{"0 1:1\n1 1:1\n-1 1:1\n", ReadOptions{},
			"data:3: label -1 does not go with the labels before it"},
		{"0 1:1\n2 1:1\n", ReadOptions{}, "data:2: label 2 does not go with the labels before it"},
		{"1 1:1\n", ReadOptions{Width: -1},
			"problems: data: width -1, want 0 (from the data) to 67108864"},
		{"b 1:1\na 1:2\nb 1:3\n", ReadOptions{Labels: Classes}, "width 1: 1[0:1] 0[0:2] 1[0:3]"},
		{"10 1:1\n9 1:2\n", ReadOptions{Labels: Classes}, "width 1: 1[0:1] 0[0:2]"},
		{"1 1:1\n", ReadOptions{Labels: 9}, "problems: data: unknown meaning 9 of labels"},
	} {
		got, err := ReadLIBSVM(strings.NewReader(row.text), "data", row.opt)
		compareTable(t, row.text, got, err, row.want)
	}
}

func TestCSVOddities(t *testing.T) {
	for _, row := range []struct {
		text string
		opt  ReadOptions
		want string
	}{
		{"1,2,3\n-1,4,5", ReadOptions{}, "width 2: 1[0:2 1:3] -1[0:4 1:5]"},
		{"1,2,3\r\n-1, 4 ,5\r\n", ReadOptions{}, "width 2: 1[0:2 1:3] -1[0:4 1:5]"},
		{"2;3;1\n4;5;0\n", ReadOptions{Comma: ';', LabelColumn: -1},
			"width 2: 1[0:2 1:3] -1[0:4 1:5]"},
		{"a,b,c\n2,1,3\n", ReadOptions{Header: true, LabelColumn: 1}, "width 2: 1[0:2 1:3]"},
		{"T,2\nI,3\n\nT,4\n", ReadOptions{Positive: "T"}, "width 1: 1[0:2] -1[0:3] 1[0:4]"},
		{"T,2\nI,3\nT,4\n", ReadOptions{Labels: Classes}, "width 1: 1[0:2] 0[0:3] 1[0:4]"},
		{"T,2\n,3\n", ReadOptions{Labels: Classes}, "data:2: the label is empty"},
		{"\"0.5\",\"2\"\n", ReadOptions{Labels: Real}, "width 1: 0.5[0:2]"},

		{"", ReadOptions{}, "data: no examples"},
		{"a,b\n", ReadOptions{Header: true}, "data: no examples"},
		{"1\n", ReadOptions{}, "data:1: 1 fields, want a label and at least one feature"},
		{"1,2\n1,2,3\n", ReadOptions{}, "data:2: 3 fields, the lines before have 2"},
		{"1,2\n", ReadOptions{Width: 2}, "data:1: 1 features, want 2"},
		{"1,2\n", ReadOptions{LabelColumn: 2}, "data:1: no column 2 for the label among 2"},
		{"1,2\n", ReadOptions{LabelColumn: -3}, "data:1: no column -3 for the label among 2"},
		{"1,2\n1,x\n", ReadOptions{}, `data:2: field 2 is "x", not a finite number`},
		{"1,2\n1,\n", ReadOptions{}, `data:2: field 2 is "", not a finite number`},
		{"1,Inf\n", ReadOptions{}, `data:1: field 2 is "Inf", not a finite number`},
		{"1,\"2\n", ReadOptions{}, "data:"},
		{"1,2\"3\n", ReadOptions{}, "data:1: bare"},
		{"y,2\n", ReadOptions{}, `data:1: label "y" is not a finite number`},
		{"5,2\n", ReadOptions{}, "data:1: label 5, want one of"},
		{"a,2\nb,3\na,4\n", ReadOptions{Positive: "c"},
			`data: no example has the label "c", which is to count as positive; the first labels are ["a" "b"]`},
		{"1;0,5\n1;2,5\n", ReadOptions{Positive: "1"},
			`data:1: the label "1;0" has a semicolon or a tab in it: want fields that are ` +
				`separated by ',', and decimal`},
		{"1,2\n", ReadOptions{Comma: '\n'}, "data: csv: invalid field or comment delimiter"},
	} {
		got, err := ReadCSV(strings.NewReader(row.text), "data", row.opt)
		compareTable(t, row.text, got, err, row.want)
	}
}

func compareTable(t *testing.T, text string, got *Table, err error, want string) {
	t.Helper()
	if err != nil {
		if !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: error %q, want %q", text, err, want)
		}
		return
	}
	if err := got.validate(); err != nil {
		t.Errorf("%q: %v", text, err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "width %d:", got.Width)
	for k := range got.Rows() {
		columns, values := got.Row(k)
		var entries []string
		for e, v := range values {
			c := e
			if columns != nil {
				c = int(columns[e])
			}
			entries = append(entries, fmt.Sprintf("%d:%v", c, v))
		}
		fmt.Fprintf(&b, " %v%v", got.Target[k], entries)
	}
	if b.String() != want {
		t.Errorf("%q: %s, want %s", text, b.String(), want)
	}
}

// A reader that fails half way is an error, not a short table.
func TestReadersPassOnErrors(t *testing.T) {
	for name, read := range map[string]func() error{
		"LIBSVM": func() error {
			_, err := ReadLIBSVM(&broken{"1 1:1\n"}, "data", ReadOptions{})
			return err
		},
		"CSV": func() error { _, err := ReadCSV(&broken{"1,1\n"}, "data", ReadOptions{}); return err },
	} {
		if err := read(); err == nil || !strings.Contains(err.Error(), "torn") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// A line without an end does not fill the memory.
func TestEndlessLines(t *testing.T) {
	for name, read := range map[string]func(io.Reader) error{
		"LIBSVM": func(in io.Reader) error { _, err := ReadLIBSVM(in, "data", ReadOptions{}); return err },
		"CSV":    func(in io.Reader) error { _, err := ReadCSV(in, "data", ReadOptions{}); return err },
		"quoted": func(in io.Reader) error {
			_, err := ReadCSV(io.MultiReader(strings.NewReader("\""), in), "data", ReadOptions{})
			return err
		},
	} {
		if testing.Short() && name != "quoted" {
			continue // 64 MiB each
		}
		in := &endless{}
		err := read(in)
		if want := "data:1: the line is longer than 64 MiB"; err == nil ||
			!strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", name, err, want)
		}
		if in.given > 2*maxLine {
			t.Errorf("%s: read %d bytes of a line without an end", name, in.given)
		}
	}
}

type endless struct{ given int }

func (e *endless) Read(p []byte) (int, error) {
	clear(p)
	e.given += len(p)
	return len(p), nil
}

type broken struct{ text string }

func (b *broken) Read(p []byte) (int, error) {
	n := copy(p, b.text)
	if b.text = b.text[n:]; n == 0 {
		return 0, fmt.Errorf("torn")
	}
	return n, nil
}

func FuzzReadLIBSVM(f *testing.F) {
	for _, s := range []string{"+1 1:0.5 3:-2e-1 \r\n-1 2:1", "1 1:1 # c\n\n0 2:1\n", "2 5:1\n1\n",
		"1 1:1:1",
		"1 999999999:1"} {
		f.Add(s, 0)
		f.Add(s, 4)
	}
	f.Fuzz(func(t *testing.T, text string, width int) {
		table, err := ReadLIBSVM(strings.NewReader(text), "data", ReadOptions{Width: width})
		checkParsed(t, table, err)
		if err != nil || len(table.Value) > 1000 {
			return
		}
		again, err := ReadLIBSVM(strings.NewReader(table.write(" ", "\n")), "data",
			ReadOptions{Width: table.Width, Labels: Real})
		if err != nil || !slices.Equal(again.Value, table.Value) ||
			!slices.Equal(again.Column, table.Column) ||
			!slices.Equal(again.Target, table.Target) {
			t.Fatalf("written and read again: %v %v, was %v", again, err, table)
		}
	})
}

func FuzzReadCSV(f *testing.F) {
	for _, s := range []string{"1,2,3\n-1,4,5", "a,b\n1,2\r\n", "\"1\",\" 2\"\n", "1,2\n3",
		"T,1\nB,2\n"} {
		for column := range 2 {
			f.Add(s, column, false, "")
			f.Add(s, -1-column, true, "T")
		}
	}
	f.Fuzz(func(t *testing.T, text string, column int, header bool, positive string) {
		table, err := ReadCSV(strings.NewReader(text), "data",
			ReadOptions{LabelColumn: column, Header: header, Positive: positive})
		checkParsed(t, table, err)
	})
}

func checkParsed(t *testing.T, table *Table, err error) {
	if (table == nil) == (err == nil) {
		t.Fatalf("table %v, error %v", table, err)
	}
	if err != nil {
		if !strings.Contains(err.Error(), "data:") {
			t.Fatalf("error %v does not name the file", err)
		}
		return
	}
	if err := table.validate(); err != nil {
		t.Fatal(err)
	}
	for _, y := range table.Target {
		if y != 1 && y != -1 {
			t.Fatalf("target %v", y)
		}
	}
}

func TestRealFiles(t *testing.T) {
	for _, want := range []struct {
		name                          string
		opt                           ReadOptions
		rows, width, values, positive int
		largestSq                     float64 // squared norm of a row, where it is known
		csv                           bool
	}{
		{name: "heart_scale", rows: 270, width: 13, values: 3378, positive: 120},
		{name: "a1a", rows: 1605, width: 119, values: 22249, positive: 395, largestSq: 14},
		{name: "a1a", opt: ReadOptions{Width: 123}, rows: 1605, width: 123, values: 22249,
			positive: 395, largestSq: 14},
		{name: "a9a", rows: 32561, width: 123, values: 451592, positive: 7841, largestSq: 14},
		{name: "letter-recognition.data", opt: ReadOptions{Positive: "U"}, rows: 20000, width: 16,
			values: 320000, positive: 813, csv: true},
		{name: "letter-recognition.data", opt: ReadOptions{Positive: "H"}, rows: 20000, width: 16,
			values: 320000, positive: 734, csv: true},
	} {
		t.Run(want.name, func(t *testing.T) {
			read := ReadLIBSVM
			if want.csv {
				read = ReadCSV
			}
			table, err := read(datafile.Open(t, want.name), want.name, want.opt)
			if err != nil {
				t.Fatal(err)
			}
			positive := 0
			for _, y := range table.Target {
				if y == 1 {
					positive++
				}
			}
			if table.Rows() != want.rows || table.Width != want.width ||
				len(table.Value) != want.values ||
				positive != want.positive {
				t.Errorf("%d rows, width %d, %d values, %d positive; want %+v", table.Rows(),
					table.Width, len(table.Value), positive, want)
			}
			p, err := NewLogistic(table, nil, LogisticOptions{Alpha: 0.1})
			if err != nil {
				t.Fatal(err)
			}
			c := p.Constants(make([]float64, table.Width))
			if want.largestSq > 0 {
				near(t, "L", c.L.Value, want.largestSq/4+0.2, 1, 1e-9)
			}
			near(t, "Δ at the origin", c.Delta.Value, math.Ln2, 1, 1e-12)
			for _, constant := range []Constant{c.LMean, c.Zeta, c.ZetaPrime(), c.Rho,
				c.SigmaC, c.GC} {
				if !(constant.Value > 0) || math.IsInf(constant.Value, 1) {
					t.Errorf("constant %+v", constant)
				}
			}
		})
	}
}

// Every row goes to exactly one client, sizes are nearly equal, and skew separates the targets.
func TestSplits(t *testing.T) {
	target := make([]float64, 103)
	for k := range target {
		target[k] = float64(k % 2)
	}
	for _, clients := range []int{1, 2, 10, 103} {
		for _, skew := range []float64{0, 0.3, 1} {
			split, err := SplitByTarget(target, clients, skew, rand.New(rand.NewPCG(1, 2)))
			if err != nil {
				t.Fatal(err)
			}
			var all []int
			mixed := 0
			for _, rows := range split {
				if len(rows) < 103/clients || len(rows) > 103/clients+1 {
					t.Errorf("%d clients: sizes %d", clients, len(rows))
				}
				all = append(all, rows...)
				sum := 0.0
				for _, k := range rows {
					sum += target[k]
				}
				if sum > 0 && sum < float64(len(rows)) {
					mixed++
				}
			}
			slices.Sort(all)
			for k, row := range all {
				if k != row {
					t.Fatalf("row %d missing or twice", k)
				}
			}
			if skew == 1 && mixed > 1 {
				t.Errorf("%d of %d clients are mixed after sorting", mixed, clients)
			}
			if skew == 0 && clients == 10 && mixed < 8 {
				t.Errorf("only %d of %d clients are mixed without sorting", mixed, clients)
			}
		}
	}
	for _, err := range []error{second(SplitByTarget(target[:3], 4, 0, nil)),
		second(SplitByTarget(target[:3], 0, 0, nil)),
		second(SplitByTarget(target, 2, 1.5, nil))} {
		if err == nil {
			t.Error("bad split accepted")
		}
	}
}

func TestBadTables(t *testing.T) {
	good := func() *Table {
		return &Table{Width: 2, Start: []int{0, 1, 2}, Column: []int32{0, 1},
			Value: []float64{1, 2}, Target: []float64{1, -1}}
	}
	all := [][]int{{0}, {1}}
	for name, spoil := range map[string]func(*Table){
		"width 0":                       func(t *Table) { t.Width = 0 },
		"2 rows with 1 targets":         func(t *Table) { t.Target = t.Target[:1] },
		"1 values":                      func(t *Table) { t.Value = t.Value[:1] },
		"row 1 has column 5":            func(t *Table) { t.Column[1] = 5 },
		"value NaN":                     func(t *Table) { t.Value[0] = math.NaN() },
		"target of row 1 is +Inf":       func(t *Table) { t.Target[1] = math.Inf(1) },
		"target of row 0 is 3":          func(t *Table) { t.Target[0] = 3 },
		"without rows":                  func(t *Table) { t.Start = []int{0} },
		"row 0 has 1 values in a table": func(t *Table) { t.Column = nil },
	} {
		table := good()
		spoil(table)
		if _, err := NewLogistic(table, nil, LogisticOptions{}); err == nil ||
			!strings.Contains(err.Error(), name) {
			t.Errorf("error %v, want one with %q", err, name)
		}
	}
	for want, err := range map[string]error{
		"alpha is -1": second(
			NewLogistic(good(), nil, LogisticOptions{Alpha: -1})),
		"ridge is NaN":   second(NewLeastSquares(good(), nil, math.NaN())),
		"unknown loss 9": second(NewRobust(good(), nil, RobustOptions{Loss: 9})),
		"scale -1":       second(NewRobust(good(), nil, RobustOptions{Scale: -1})),
		"no clients":     second(NewLogistic(good(), [][]int{}, LogisticOptions{})),
		"client 1 has no data": second(
			NewLogistic(good(), [][]int{{0}, {}}, LogisticOptions{})),
		"client 0 has row 7": second(NewRobust(good(), [][]int{{7}}, RobustOptions{})),
		"row 1 has 2 features, want 1": second(
			NewTable([][]float64{{1}, {1, 2}}, []float64{1, 1})),
		"table of 1 rows with 0 targets": second(NewTable([][]float64{{1}}, nil)),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	if err := second(NewLogistic(good(), all, LogisticOptions{})); err != nil {
		t.Errorf("a good table: %v", err)
	}
}

// A sparse and a dense table of the same numbers give the same problem.
func TestSparseEqualsDense(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	sparse := Classification(20, 18, 0.4, 0.1, r)
	rows := make([][]float64, sparse.Rows())
	for k := range rows {
		rows[k] = make([]float64, sparse.Width)
		columns, values := sparse.Row(k)
		for e, c := range columns {
			rows[k][c] = values[e]
		}
	}
	dense, err := NewTable(rows, sparse.Target)
	if err != nil {
		t.Fatal(err)
	}
	a, b := props.Must(NewLogistic(sparse, nil, LogisticOptions{Alpha: 0.1})),
		props.Must(NewLogistic(dense, nil, LogisticOptions{Alpha: 0.1}))
	x, g, h := normal(18, r), make([]float64, 18), make([]float64, 18)
	near(t, "value", a.Value(x), b.Value(x), 1, 1e-14)
	a.FullGradient(g, x)
	b.FullGradient(h, x)
	nearVectors(t, "full gradient", g, h, 1, 1e-14)
	for i := range 20 {
		a.Gradient(g, x, i, 0)
		b.Gradient(h, x, i, 0)
		nearVectors(t, "gradient", g, h, 1, 1e-14)
	}
	ca, cb := a.Constants(x), b.Constants(x)
	for k, v := range constantList(ca) {
		near(t, v.name, v.Value, constantList(cb)[k].Value, 1, 1e-12)
	}
}

// Sparse rows whose entries are all the same number share them, whatever their lengths and labels.
func TestRowsShareEqualEntries(t *testing.T) {
	table := &Table{Width: 6, Start: []int{0, 2, 5, 6, 8, 8, 10},
		Column: []int32{0, 3, 1, 2, 5, 4, 0, 1, 2, 5}, Value: []float64{1, 1, 1, 1, 1, 1, 1, 2, 1, 1},
		Target: []float64{1, -1, -1, 1, 1, -1}}
	p, err := NewLogistic(table, nil, LogisticOptions{})
	if err != nil {
		t.Fatal(err)
	}
	rows := p.engine.(*linear)
	for k, y := range table.Target {
		columns, values := rows.Row(k)
		from, to := table.Start[k], table.Start[k+1]
		if !slices.Equal(columns, table.Column[from:to]) || len(values) != to-from {
			t.Errorf("row %d has columns %v and values %v", k, columns, values)
			continue
		}
		for e, v := range values {
			if want := -y * table.Value[from+e]; v != want {
				t.Errorf("entry %d of row %d is %g, want %g", e, k, v, want)
			}
		}
	}
	if got := len(rows.val); got != 2+3+2 {
		t.Errorf("%d values are kept, want 7", got)
	}
}
