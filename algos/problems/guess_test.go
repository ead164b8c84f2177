package problems

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Files as people have them are read; where the label is not clear the cure is named.
func TestGuessCSV(t *testing.T) {
	people := "age,income,debt,bought\n31, 52000, 100,yes\n45,81000,0,no\n22,18000,7500,yes\n"
	for _, k := range []struct {
		text, named, said, wrong string
		column                   int
		header                   bool
		labels                   Labels
	}{
		{text: people, said: `bought, the only one with words; "yes" counts as 1`, column: 3,
			header: true},
		{text: "a,target,b\n1,0,2\n2,1,3\n7,1,0\n", said: "target, by its name", column: 1,
			header: true},
		{text: "0,1.5,2\n1,2.5,4\n0,3.5,9\n", said: "column 0, the only one with two values",
			column: 0},
		{text: "1.5,2,0\n2.5,4,1\n9,3.5,1\n", said: "column 2, the only one with two values",
			column: 2},
		{text: "1.5,2,3\n2.5,4,1\n9,3.5,4\n",
			wrong: "Say its name or its number (-label or -label-column of the " +
				"command)"},
		{text: "1.5,2,3\n2.5,4,1\n9,3.5,4\n", said: "column 0, the first", labels: Real},
		{text: "a,b,c\n1,x,y\n2,z,w\n", wrong: "the columns are a, b, c"},
		{text: "y,b\n1,0\n2,1\n", named: "b", said: "b, as asked for", column: 1, header: true},
		{text: people, named: "sold", wrong: `0 columns are called "sold"`},
	} {
		opt, said, err := GuessCSV([]byte(k.text), k.named, ReadOptions{Labels: k.labels})
		switch {
		case k.wrong != "":
			if err == nil || !strings.Contains(err.Error(), k.wrong) {
				t.Errorf("%q: %v, want %q", k.text, err, k.wrong)
			}
		case err != nil || said != k.said || opt.LabelColumn != k.column || opt.Header != k.header:
			t.Errorf("%q: %q, %+v, %v", k.text, said, opt, err)
		default:
			if _, err := ReadCSV(strings.NewReader(k.text), "f", opt); err != nil {
				t.Errorf("%q: %v", k.text, err)
			}
		}
	}
}

// Columns have mean 0 and root mean square 1, constant ones are 0, and the last is 1.
func TestStandardise(t *testing.T) {
	table := &Table{Width: 2, Start: []int{0, 2, 4, 6}, Value: []float64{1e6, 3, 2e6, 3, 6e6, 3},
		Target: []float64{1,
			-1, 1}}
	if table.LargestRow() != 36e12+9 {
		t.Errorf("the largest row is %v", table.LargestRow())
	}
	part := table.Select([]int{2, 0})
	scaling, ok := table.Scaling()
	if !ok {
		t.Fatal("no scaling")
	}
	table.Standardise(scaling)
	part.Standardise(scaling)
	for k, from := range []int{2, 0} {
		_, row := part.Row(k)
		if _, same := table.Row(from); !slices.Equal(row, same) ||
			part.Target[k] != table.Target[from] {
			t.Errorf("row %d of a selection is %v, and %v in the whole", k, row, same)
		}
	}
	table.Intercept()
	sum, square := 0.0, 0.0
	for k := range table.Rows() {
		_, row := table.Row(k)
		if len(row) != 3 || row[1] != 0 || row[2] != 1 {
			t.Errorf("row %d is %v", k, row)
		}
		sum, square = sum+row[0], square+row[0]*row[0]
	}
	if math.Abs(sum) > 1e-12 || math.Abs(square-3) > 1e-12 {
		t.Errorf("sum %v, sum of squares %v", sum, square)
	}
	sparse := &Table{Width: 2, Start: []int{0, 1}, Column: []int32{1}, Value: []float64{5},
		Target: []float64{1}}
	if _, ok := sparse.Scaling(); ok {
		t.Error("a sparse table has a scaling")
	}
	if s := sparse.Select([]int{0, 0}); s.Rows() != 2 || !slices.Equal(s.Column, []int32{1, 1}) {
		t.Errorf("a selection of a sparse table is %v", s)
	}
	if sparse.Intercept(); sparse.Width != 3 || !slices.Equal(sparse.Column, []int32{1, 2}) ||
		sparse.validate() != nil {
		t.Errorf("with an intercept it is %v", sparse)
	}
}

func FuzzGuessCSV(f *testing.F) {
	f.Add("age,y\n1,yes\n2,no\n", "", false)
	f.Add("\"a\nb\",1\n", "a", true)
	f.Fuzz(func(t *testing.T, text, named string, regression bool) {
		opt := ReadOptions{}
		if regression {
			opt.Labels = Real
		}
		if got, _, err := GuessCSV([]byte(text), named, opt); err == nil && got.LabelColumn < 0 {
			t.Errorf("%q: column %d", text, got.LabelColumn)
		}
	})
}

// A line that cannot be read is told with its number before it is asked which column is the label,
// and the lines before it say what they say.
func TestDefectiveCSV(t *testing.T) {
	for text, want := range map[string]string{
		"\"age\",\"income\",\"default\"\n30,\"20,yes\n31,21,no\n": ":2: extraneous or missing \"",
		"age,income,default\n30,20,yes\n31,21\n":                  ":3: 2 fields, the lines before have 3",
		"age;income;default\n30;20;yes\n31;21;no;1\n":             ":3: 4 fields, the lines before have 3",
	} {
		path := filepath.Join(t.TempDir(), "people.csv")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, _, err := ReadFile(path, FileOptions{}); err == nil ||
			!strings.Contains(err.Error(), "people.csv"+want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	text := "age,default\n30,yes\n31,no\n32,\"no\n"
	if opt, said, err := GuessCSV([]byte(text), "", ReadOptions{}); err != nil || !opt.Header ||
		said != `default, the only one with words; "yes" counts as 1` {
		t.Errorf("%+v, %q, %v", opt, said, err)
	}
}
