package reports

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func sampleComparison() *Comparison {
	nan := Num(math.NaN())
	return &Comparison{
		Schema: ComparisonSchema, Title: "Race on <toys>", Lead: "A ends first.",
		Facts: [][2]string{{"Seed", "0"}},
		Charts: []Chart{
			{Title: "Gradient norm", XLabel: "gradients", YLabel: "‖∇f‖", LogY: true, Lines: []Line{
				{Name: "A & co", Style: 0, X: []Num{0, 10, 20}, Low: []Num{1, 0.1, nan},
					Median: []Num{1, 0.2, nan}, High: []Num{1, 0.4, nan}},
				{Name: "B", Style: 9, X: []Num{0, 10, 20}, Median: []Num{1, 0, Num(math.Inf(1))}},
			}},
			{Title: "Nothing to draw", LogY: true,
				Lines: []Line{{Name: "C", X: []Num{1}, Median: []Num{-1}}}},
		},
		Tables: []Grid{{Title: "End", Head: []string{"Method", "f"},
			Rows: [][]string{{"A & co", "0.1"}, {"B", "–"}}, Note: "Medians."}},
		Pages: []PageLink{{Title: "Another <page>", File: "other.html", Lead: "It is short."}},
	}
}

// A page of somebody else is foreign, whatever else there is; one that was being replaced when its
// writer was killed is not, and neither is one of an earlier version, whose data say so.
func TestForeign(t *testing.T) {
	for name, test := range map[string]struct {
		others, gone []string
		foreign      string
	}{
		"nothing there":       {gone: []string{".html", ".md", ".json"}},
		"a comparison":        {},
		"killed after a page": {gone: []string{".md", ".json"}},
		"an earlier page":     {others: []string{".html"}},
		"a page of others":    {others: []string{".html"}, gone: []string{".md", ".json"}, foreign: ".html"},
		"data of others":      {others: []string{".json"}, gone: []string{".html", ".md"}, foreign: ".json"},
		"words of others":     {others: []string{".md"}, gone: []string{".html", ".json"}, foreign: ".md"},
		"a page of a report":  {others: []string{".html", ".json"}, foreign: ".html"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := sampleComparison().WriteDir(dir, "race"); err != nil {
				t.Fatal(err)
			}
			for _, ending := range test.others {
				text := "<!doctype html><meta name=\"generator\" " + pageMark + ">"
				if err := os.WriteFile(filepath.Join(dir, "race"+ending), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			for _, ending := range test.gone {
				if err := os.Remove(filepath.Join(dir, "race"+ending)); err != nil {
					t.Fatal(err)
				}
			}
			want := ""
			if test.foreign != "" {
				want = filepath.Join(dir, "race"+test.foreign)
			}
			if got := Foreign(dir, "race"); got != want {
				t.Errorf("%q is foreign, not %q", got, want)
			}
		})
	}
}

func TestComparisonFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "race")
	if err := sampleComparison().WriteDir(dir, "race"); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]string{
		"race.html": {"<svg class=\"plot\"", "var(--line-0)", "var(--haze-0)", "var(--line-1)",
			"A &amp; co", "Race on &lt;toys&gt;", `<a href="other.html">Another &lt;page&gt;</a>`,
			"line line-1 dash-2"},
		"race.md": {"# Race on <toys>", "| Method | f |", "| --- | --- |", "| B | – |", "- Seed: 0",
			"- [Another <page>](other.html): It is short."},
		"race.json": {`"schema": "sledge/comparison/v1"`, "null"},
	} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range want {
			if !strings.Contains(string(b), w) {
				t.Errorf("%s lacks %q", name, w)
			}
		}
		if strings.Contains(string(b), "http://") || strings.Contains(string(b), "https://") ||
			strings.Contains(string(b), "<script") {
			t.Errorf("%s reaches outside itself", name)
		}
		if strings.HasSuffix(name, ".json") {
			var back Comparison
			if err := json.Unmarshal(b, &back); err != nil {
				t.Error(err)
			}
			if n := back.Charts[0].Lines[0].Median; len(n) != 3 || n[2].Known() || n[1] != 0.2 {
				t.Errorf("numbers came back as %v", n)
			}
		}
	}
}

// A line that is constant up to rounding has no room for ticks between its values.
func TestFlatLinesAreDrawn(t *testing.T) {
	for _, logY := range []bool{false, true} {
		c := Chart{Title: "flat", LogY: logY,
			Lines: []Line{{Name: "A", X: []Num{192, 192 + 2e-13},
				Median: []Num{5e-3, 5e-3 * (1 + 1e-15)}}}}
		if svg := drawChart(&c); len(svg) == 0 || len(svg) > 20000 {
			t.Errorf("the drawing has %d bytes", len(svg))
		}
	}
}

// A row that is longer or shorter than its table is an error, not a page.
func TestRowsFitTheirTables(t *testing.T) {
	c := sampleComparison()
	c.Tables = append(c.Tables, Grid{Title: "odd", Head: []string{"a", "b"},
		Rows: [][]string{{"1"}}})
	if err := c.WriteDir(t.TempDir(), "odd"); err == nil ||
		!strings.Contains(err.Error(), `"odd" has 2 columns`) {
		t.Errorf("%v", err)
	}
}
