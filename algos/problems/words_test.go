package problems

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Files with words, with values that are missing, with other separators and with a mark of byte
// order are read as their authors mean them; what cannot be read names line, column and cure.
func TestWords(t *testing.T) {
	path := filepath.Join(t.TempDir(), "people.csv")
	people := "age,school,income,city,bought\n31,high,52,Rome,yes\n" +
		"45,low,81,Oslo,no\n22,high,18,Rome,yes\n51,middle,64,Bern,no\n"
	for _, c := range []struct {
		text   string
		opt    FileOptions
		names  string
		values []float64 // of the second row
		said   string
		wrong  string
	}{
		{text: people,
			names:  "age school=high school=low school=middle income city=Bern city=Oslo city=Rome",
			values: []float64{45, 0, 1, 0, 81, 0, 1, 0},
			said: `Label: bought, the only one with two values; "yes" counts as 1|Words: a column of 0 and 1 ` +
				`for each word of school (high, low, middle); city (Bern, Oslo, Rome)`},
		{text: people, opt: FileOptions{ReadOptions: ReadOptions{Drop: []string{"city", "school"}}},
			names:  "age income",
			values: []float64{45, 81},
			said: `Label: bought, the only one with two values; "yes" counts as 1|Left ` +
				`out: city, school`},
		{text: "\ufeffy;b\n1;2,5\n",
			wrong: `:2: field 2 is "2,5": want a point in the place of the comma`},
		{text: "\ufeffy;b\n1;2.5\n0;3\n", names: "b", values: []float64{3},
			said: "Separator: a semicolon|Label: y, by its name"},
		{text: "y\tb\n1\t2.5\n0\t3\n", names: "b", values: []float64{3},
			said: "Separator: a tab|Label: y, by its name"},
		{text: "a,y\n1,1\nNA,0\n3,0\n",
			wrong: ":3: the column a has no value: leave such rows out"},
		{text: "a,y\n1,1\nNA,0\n3,0\n",
			opt: FileOptions{ReadOptions: ReadOptions{SkipMissing: true}}, names: "a",
			values: []float64{3},
			said: "Label: y, by its name|Missing: 1 of 3 rows are left out, in which a " +
				"value is missing"},
		{text: "a,y\n,1\n", opt: FileOptions{ReadOptions: ReadOptions{SkipMissing: true}},
			wrong: "a value is missing in each of 1 rows"},
		{text: "a,y\n1,1\nx,0\n", wrong: `:3: the column a holds numbers before, and here "x"`},
		{text: people, opt: FileOptions{ReadOptions: ReadOptions{Drop: []string{"town"}}},
			wrong: `no column is called "town"`},
		{text: people, opt: FileOptions{ReadOptions: ReadOptions{Drop: []string{"bought"}}},
			wrong: "is the label, and cannot"},
		{text: "sex,a,bought\nf,1.5,0\nm,2,1\nf,3,1\n", wrong: "which column is the label?"},
		{text: "sex,a,bought\nf,1.5,0\nm,2,1\nf,3,1\n", opt: FileOptions{Label: "bought"},
			names: "sex=f sex=m a", values: []float64{0, 1, 2},
			said: "Label: bought, as asked for|Words: a column of 0 and 1 for each " +
				"word of sex (f, m)"},
		{text: "a,y\n" + strings.Repeat("w", 3) + ",1\n" + many(),
			wrong: "the column a holds more than 100 " +
				"different words"},
	} {
		if err := os.WriteFile(path, []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		table, notes, err := ReadFile(path, c.opt)
		if c.wrong != "" {
			if err == nil || !strings.Contains(err.Error(), c.wrong) ||
				!strings.Contains(err.Error(), path) {
				t.Errorf("%.60q: %v, want %q", c.text, err, c.wrong)
			}
			continue
		}
		if err != nil {
			t.Errorf("%.60q: %v", c.text, err)
			continue
		}
		var said []string
		for _, n := range notes {
			said = append(said, n.What+": "+n.Said)
		}
		_, row := table.Row(1)
		if strings.Join(table.Names, " ") != c.names || !slices.Equal(row, c.values) ||
			strings.Join(said, "|") != c.said {
			t.Errorf("%.60q: %q, %v, %q", c.text, table.Names, row, said)
		}
		if err := table.validate(); err != nil {
			t.Errorf("%.60q: %v", c.text, err)
		}
	}
}

// many are rows with more words than a column may hold.
func many() string {
	var b strings.Builder
	for k := range mostWords {
		b.WriteString("w" + strings.Repeat("x", k) + ",0\n")
	}
	return b.String()
}

// Whatever a file holds, it is refused in a sentence that names it, or its table is whole and as
// wide as its names.
func FuzzReadFile(f *testing.F) {
	f.Add("a,b,y\n1,x,0\n2,z,1\n", true)
	f.Add("\ufeffa;y\n;1\n2;0\n", false)
	f.Fuzz(func(t *testing.T, text string, skip bool) {
		path := filepath.Join(t.TempDir(), "f.csv")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		table, _, err := ReadFile(path, FileOptions{ReadOptions: ReadOptions{SkipMissing: skip}})
		switch {
		case err != nil && (!strings.Contains(err.Error(), path) ||
			strings.Contains(err.Error(), "\n")):
			t.Fatalf("%q", err)
		case err == nil && (table.validate() != nil ||
			table.Names != nil && len(table.Names) != table.Width):
			t.Fatalf("%v: %+v", table.validate(), table)
		}
	})
}
