package reports

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"image/color"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/tabwriter"

	"gonum.org/v1/plot/vg"

	"sledge/props"
	"sledge/reports/store"
)

// Comparison is a page of charts and tables about several runs side by side: a race, or a figure of
// an experiment.
type Comparison struct {
	Schema string      `json:"schema"` // "sledge/comparison/v1"
	Title  string      `json:"title"`
	Lead   string      `json:"lead"`  // one sentence that says what came out
	Facts  [][2]string `json:"facts"` // settings, name and value
	// Notes are what a reader should know before the numbers, name and words: they stand below the
	// lead.
	Notes [][2]string `json:"notes,omitempty"`
	// Findings are what a source reports about the runs. Where there are any, they come first on
	// the page, then the charts, then the tables.
	Findings []Finding  `json:"findings,omitempty"`
	Charts   []Chart    `json:"charts"`
	Tables   []Grid     `json:"tables"`
	Pages    []PageLink `json:"pages,omitempty"` // other pages beside this one, if it is an index
}

// Finding is a statement about one run of every method, judged on each of several runs.
type Finding struct {
	Name      string `json:"name"`
	Claim     string `json:"claim"` // id
	Statement string `json:"statement"`
	Reading   string `json:"reading,omitempty"` // what is judged
	Runs      int    `json:"runs"`              // 0: the claim settles the statement
	Held      int    `json:"held"`              // runs in which all comparisons hold
	// limits of the share of runs in which it holds, at level 0.95
	Low         Num          `json:"low"`
	High        Num          `json:"high"`
	Comparisons []Comparable `json:"comparisons,omitempty"`
}

// Comparable is what a finding compares: medians over the runs, and the number of runs in which the
// relation holds.
type Comparable struct {
	What     string         `json:"what"`
	Relation props.Relation `json:"relation"`
	Measured Num            `json:"measured"`
	Claimed  Num            `json:"claimed"`
	Held     int            `json:"held"`
}

// Verdict says in words in how many runs the finding holds.
func (f *Finding) Verdict() string {
	if f.Runs == 0 {
		return "needs no runs"
	}
	return fmt.Sprintf("held in %d of %s", f.Held, plural(f.Runs, "run"))
}

// PageLink points to another page in the same directory.
type PageLink struct {
	Title string `json:"title"`
	File  string `json:"file"`
	Lead  string `json:"lead"`
}

// ComparisonSchema is the schema of comparison files.
const ComparisonSchema = "sledge/comparison/v1"

// Foreign names a file in the place of a page of a comparison that is none: its page, or its data,
// would have the mark of one. Nothing is returned if there is none.
func Foreign(dir, name string) string {
	path := func(ending string) string { return filepath.Join(dir, name+ending) }
	if store.Begins(path(".html"), comparisonMark) ||
		store.Begins(path(".json"), `"`+ComparisonSchema+`"`) {
		return ""
	}
	for _, ending := range []string{".html", ".json", ".md"} {
		info, err := os.Stat(path(ending))
		if err == nil && info.Mode().IsRegular() && info.Size() > 0 {
			return path(ending)
		}
	}
	return ""
}

// comparisonMark stands at the head of every page of a comparison.
const comparisonMark = `content="sledge/comparison"`

// Chart is a plot of several lines over one abscissa.
type Chart struct {
	Title  string `json:"title"`
	XLabel string `json:"xLabel"`
	YLabel string `json:"yLabel"`
	LogX   bool   `json:"logX,omitempty"`
	LogY   bool   `json:"logY,omitempty"`
	Note   string `json:"note,omitempty"`
	Lines  []Line `json:"lines"`
}

// Line is one line of a chart: the median over repetitions, with the extremes if they are given. A
// missing value is NaN (null in JSON).
type Line struct {
	Name   string `json:"name"`
	Style  int    `json:"style"` // lines of the same style look alike in all charts of a page
	X      []Num  `json:"x"`
	Low    []Num  `json:"low,omitempty"`
	Median []Num  `json:"median"`
	High   []Num  `json:"high,omitempty"`
}

// Add adds a point with an interval around it.
func (l *Line) Add(x, low, median, high float64) {
	l.X, l.Low = append(l.X, Num(x)), append(l.Low, Num(low))
	l.Median, l.High = append(l.Median, Num(median)), append(l.High, Num(high))
}

// Grid is a table of words.
type Grid struct {
	Title string     `json:"title"`
	Note  string     `json:"note,omitempty"`
	Head  []string   `json:"head"`
	Rows  [][]string `json:"rows"`
}

// There are lineColours colours and lineDashings ways to dash: styles up to their product can be
// told apart, the first few by colour alone.
const (
	lineColours  = 8
	lineDashings = 4
)

func lineColor(style int) color.Color { return color.RGBA{0x01, 0x03, byte(style % lineColours), 0xff} }
func bandOf(style int) color.Color    { return color.RGBA{0x01, 0x04, byte(style % lineColours), 0xff} }

// dashing returns how a style is dashed, which tells lines apart without colour.
func dashing(style int) int { return (style + style/lineColours) % lineDashings }

func lineDashes(style int) []vg.Length {
	switch dashing(style) {
	case 1:
		return []vg.Length{6, 2}
	case 2:
		return []vg.Length{2, 2}
	case 3:
		return []vg.Length{7, 2, 2, 2}
	}
	return nil
}

// recolourLines turns the stand-ins of line colours into variables of the style sheet.
var recolourLines = func() *strings.Replacer {
	var pairs []string
	for i := range lineColours {
		pairs = append(pairs, fmt.Sprintf("#0103%02X", i), fmt.Sprintf("var(--line-%d)", i),
			fmt.Sprintf("#0104%02X", i),
			fmt.Sprintf("var(--haze-%d)", i))
	}
	return strings.NewReplacer(pairs...)
}()

func drawChart(c *Chart) template.HTML {
	p := newPlot(c.XLabel, c.YLabel)
	var xs, ys []float64
	lines := make([][3]series, len(c.Lines))
	for i := range c.Lines {
		l := &c.Lines[i]
		for k, v := range [3][]Num{l.Low, l.Median, l.High} {
			for _, y := range v {
				f := float64(y)
				if !drawable(f) || c.LogY && f <= 0 {
					f = math.NaN()
				}
				lines[i][k] = append(lines[i][k], f)
			}
			ys = append(ys, lines[i][k]...)
		}
		for _, x := range l.X {
			if f := float64(x); drawable(f) && (!c.LogX || f > 0) {
				xs = append(xs, f)
			}
		}
	}
	known := slices.DeleteFunc(slices.Clone(ys), math.IsNaN)
	if len(xs) == 0 || len(known) == 0 {
		return ""
	}
	setAxis(&p.X, c.LogX, xs)
	setAxis(&p.Y, c.LogY, ys)
	addGrid(p)
	for pass := range 2 { // bands below all lines
		for i := range c.Lines {
			l := &c.Lines[i]
			var keep []int
			var x []float64
			for k, v := range l.X {
				x = append(x, float64(v))
				if drawable(float64(v)) && (!c.LogX || v > 0) {
					keep = append(keep, k)
				}
			}
			if step := len(keep) / 160; step > 1 {
				var few []int
				for k := 0; k < len(keep); k += step {
					few = append(few, keep[k])
				}
				keep = append(few, keep[len(keep)-1])
			}
			if pass == 0 {
				addBand(p, x, lines[i][0], lines[i][2], keep, bandOf(l.Style))
			} else if pts := xys(x, lines[i][1], keep); len(pts) > 0 {
				addLine(p, pts, lineColor(l.Style), lineDashes(l.Style)...)
			}
		}
	}
	svg := render(p, plotHeight*5/4, c.seen())
	return template.HTML(recolourLines.Replace(string(svg)))
}

// seen says what the chart shows to readers who do not see it: where each line ends, and from
// where.
func (c *Chart) seen() string {
	said := fmt.Sprintf("%s: %s against %s", c.Title, c.YLabel, c.XLabel)
	for i := range c.Lines {
		var known []Num
		for _, y := range c.Lines[i].Median {
			if y.Known() {
				known = append(known, y)
			}
		}
		if n := len(known); n > 0 {
			said += fmt.Sprintf("; %s from %s to %s", c.Lines[i].Name, known[0], known[n-1])
		}
	}
	return said
}

//go:embed comparison.html
var comparisonText string

// comparisonTemplate is read when a page is wanted, as most processes write none.
var comparisonTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("comparison").Funcs(template.FuncMap{
		"symbol":      symbol,
		"mathematics": mathematics,
		"draw":        func(c Chart) template.HTML { return drawChart(&c) },
		"colour":      func(l Line) int { return l.Style % lineColours },
		"dashes":      func(l Line) int { return dashing(l.Style) },
	}).Parse(comparisonText))
})

// WriteHTML writes the comparison as one HTML page that needs no other file, no network and no
// JavaScript.
func (c *Comparison) WriteHTML(w io.Writer) error {
	var b bytes.Buffer
	if err := comparisonTemplate().Execute(&b, struct {
		*Comparison
		Style template.CSS
	}{c, template.CSS(pageStyle)}); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// WriteJSON writes the comparison, numbers and all.
func (c *Comparison) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	return e.Encode(c)
}

// WriteText writes the lead, the notes and the tables for a terminal, and where the page is.
func (c *Comparison) WriteText(w io.Writer, page string) error {
	var b strings.Builder
	fmt.Fprintln(&b, c.Lead)
	for _, n := range c.Notes {
		fmt.Fprintf(&b, "%s: %s.\n", n[0], n[1])
	}
	for _, t := range c.Tables {
		fmt.Fprintf(&b, "\n%s\n", t.Title)
		tw := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
		for _, row := range append([][]string{t.Head}, t.Rows...) {
			fmt.Fprintf(tw, "  %s\n", strings.Join(row, "\t"))
		}
		tw.Flush()
		if t.Note != "" {
			fmt.Fprintln(&b, "  "+t.Note)
		}
	}
	fmt.Fprintf(&b, "\n%s\n", page)
	_, err := io.WriteString(w, b.String())
	return err
}

// Count writes a whole number with thousands set apart by narrow spaces that do not break.
func Count(v float64) string {
	s := strconv.FormatFloat(math.Round(v), 'f', 0, 64)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "\u202f" + s[i:]
	}
	return s
}

// WriteMarkdown writes title, lead, notes, settings, links and tables.
func (c *Comparison) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n\n", c.Title, c.Lead)
	for _, n := range c.Notes {
		fmt.Fprintf(&b, "- **%s**: %s\n", n[0], n[1])
	}
	if len(c.Notes) > 0 {
		b.WriteString("\nSettings:\n\n")
	}
	for _, f := range c.Facts {
		fmt.Fprintf(&b, "- %s: %s\n", f[0], f[1])
	}
	for i, l := range c.Pages {
		if i == 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "- [%s](%s): %s\n", l.Title, l.File, l.Lead)
	}
	for i, f := range c.Findings {
		if i == 0 {
			b.WriteString("\n## What the paper reports\n\n")
		}
		fmt.Fprintf(&b, "- **%s** %s (%s): %s\n", f.Name, f.Verdict(), f.Claim,
			props.Unmarked(f.Statement))
	}
	for _, t := range c.Tables {
		fmt.Fprintf(&b, "\n## %s\n\n", t.Title)
		for i, row := range append([][]string{t.Head}, t.Rows...) {
			fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
			if i == 0 {
				fmt.Fprintf(&b, "|%s\n", strings.Repeat(" --- |", len(row)))
			}
		}
		if t.Note != "" {
			fmt.Fprintf(&b, "\n%s\n", t.Note)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteDir writes name.html, name.md and name.json into the directory, which it makes if need be:
// all of them beside those of an earlier call before the first of these is replaced, the last one
// last. Other files there stay, but for what killed processes have left unfinished, unless another
// one is writing there.
func (c *Comparison) WriteDir(dir, name string) error {
	for _, t := range c.Tables {
		for _, row := range t.Rows {
			if len(row) != len(t.Head) {
				return fmt.Errorf("reports: the table %q has %d columns, and a row of %d", t.Title,
					len(t.Head), len(row))
			}
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if lock, err := store.Lock(dir); err == nil {
		defer lock.Close()
	}
	return store.Replace(dir, []store.File{{Name: name + ".html", Write: c.WriteHTML},
		{Name: name + ".md", Write: c.WriteMarkdown}, {Name: name + ".json", Write: c.WriteJSON}})
}
