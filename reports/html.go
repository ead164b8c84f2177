package reports

import (
	"bytes"
	_ "embed"
	"html/template"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"

	"sledge/props"
)

var (
	//go:embed page.html
	pageText string
	//go:embed page.css
	pageStyle string
	//go:embed page.js
	pageScript string
)

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"breaks":      func(s string) string { return strings.ReplaceAll(s, ":", ":\u200b") }, // where a long label may go on in the next line
	"duration":    duration,
	"enough":      enough,
	"formula":     formula,
	"mathematics": mathematics,
	"interval":    interval,
	"known":       known,
	"meaning":     Meaning,
	"number":      number,
	"numbers":     func(e Evidence) [2]string { m, c := e.Numbers(); return [2]string{m, c} },
	"percent":     func(x float64) float64 { return math.Round(x*10) / 10 },
	"place":       place,
	"plural":      plural,
	"symbol":      symbol,
	"words":       func(s string) string { return strings.ReplaceAll(s, "-", " ") },
}).Parse(pageText))

// page is what the template sees.
type page struct {
	*Report
	Style    template.CSS
	Script   template.JS
	Verdicts []props.Verdict
	Claims   []*pageClaim
	Refuted  []*pageClaim // printed statements
	Others   []*pageClaim // other refuted statements
	Odd      []*pageClaim // not as expected
	Index    []refutedGroup
}

// refutedGroup is a list of refuted claims of equal harm, by cause.
type refutedGroup struct {
	Title   string
	Meaning string
	Count   int
	Causes  []causeGroup
}

// causeGroup is a slip of the text with the statements that it breaks.
type causeGroup struct {
	Title  string // empty if the statements have no cause in common
	Claims []*pageClaim
}

// pageClaim is a claim with what the page shows of its surroundings.
type pageClaim struct {
	*Claim
	Lead       *Evidence
	Further    []string // names of the other comparisons that fail
	Corrected  *Claim
	Dependents []Dependent
	UsedBy     []*Claim
	Uses       []use
	Figures    [][]figure // by piece of evidence
	Chains     [][]bar    // by piece of evidence
	NewPart    bool       // the first claim of its part
}

type use struct {
	ID    string
	Claim *Claim // nil if the report has no such claim
}

// bar is a row of a slack waterfall: it reaches from the previous value to its own on a logarithmic axis, in percent of its length.
type bar struct {
	Name        string
	Value       Num
	Factor      Num // by which the value exceeds the previous one
	Left, Width float64
	Down        bool // the value is below the previous one
}

// WriteHTML writes the report as one HTML page that needs no other file, no network and no JavaScript.
func (r *Report) WriteHTML(w io.Writer) error {
	p := page{Report: r, Style: template.CSS(pageStyle), Script: template.JS(pageScript), Verdicts: Verdicts}
	usedBy := r.usedBy()
	byID := map[string]*Claim{}
	for i := range r.Claims {
		byID[r.Claims[i].ID] = &r.Claims[i]
	}
	of := map[*Claim]*pageClaim{}
	for i := range r.Claims {
		c := &r.Claims[i]
		pc := &pageClaim{Claim: c, Lead: c.Lead(), Corrected: byID[c.ID+"/corrected"], UsedBy: usedBy[c.ID],
			NewPart: i == 0 || r.Claims[i-1].Part != c.Part}
		for _, id := range c.Uses {
			pc.Uses = append(pc.Uses, use{id, byID[id]})
		}
		if c.Verdict == props.Refuted {
			pc.Dependents = r.dependents(usedBy, c.ID)
			for k := range c.Evidence {
				if e := &c.Evidence[k]; e.Outcome() == props.Refuted && e != pc.Lead && e.What != "" {
					pc.Further = append(pc.Further, e.What)
				}
			}
			if c.Form == props.Printed {
				p.Refuted = append(p.Refuted, pc)
			} else {
				p.Others = append(p.Others, pc)
			}
		}
		p.Claims = append(p.Claims, pc)
		of[c] = pc
	}
	for _, c := range r.ByAttention() {
		if c.AsExpected() {
			break
		}
		p.Odd = append(p.Odd, of[c])
	}
	p.Index = r.groups(p.Refuted, p.Others)
	p.Refuted = p.Refuted[:0]
	for _, g := range p.Index {
		for _, c := range g.Causes {
			if len(c.Claims) > 0 && c.Claims[0].Form == props.Printed {
				p.Refuted = append(p.Refuted, c.Claims...)
			}
		}
	}
	drawAll(p.Claims)
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, p); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// groups sorts refuted claims by their harm, the gravest first, and by what causes it; those that are not judged follow.
func (r *Report) groups(printed, others []*pageClaim) []refutedGroup {
	var out []refutedGroup
	for _, h := range append(slices.Clone(props.Harms), "") {
		g := refutedGroup{Title: capital(string(h)), Meaning: MeaningOfHarm(h)}
		if h == "" {
			g.Title = "Further"
		}
		take := func(title string, of func(c *pageClaim) bool) {
			cause := causeGroup{Title: title}
			for _, c := range printed {
				if c.Harm == h && of(c) {
					cause.Claims = append(cause.Claims, c)
				}
			}
			if len(cause.Claims) > 0 {
				g.Causes = append(g.Causes, cause)
				g.Count += len(cause.Claims)
			}
		}
		known := map[string]bool{}
		for _, cause := range r.Causes {
			known[cause.Name] = true
			take(cause.Title, func(c *pageClaim) bool { return c.Cause == cause.Name })
		}
		take("", func(c *pageClaim) bool { return !known[c.Cause] })
		if g.Count > 0 {
			out = append(out, g)
		}
	}
	if len(others) > 0 {
		out = append(out, refutedGroup{Title: "Not printed", Meaning: "other readings, and controls that must fail",
			Count: len(others), Causes: []causeGroup{{Claims: others}}})
	}
	return out
}

// drawAll draws the plots, which is most of the work, on all processors.
func drawAll(claims []*pageClaim) {
	todo := make(chan *pageClaim)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for c := range todo {
				c.draw()
			}
		})
	}
	for _, c := range claims {
		todo <- c
	}
	close(todo)
	wg.Wait()
}

func (c *pageClaim) draw() {
	c.Figures, c.Chains = make([][]figure, len(c.Evidence)), make([][]bar, len(c.Evidence))
	for i := range c.Evidence {
		e := &c.Evidence[i]
		for j := range e.Curves {
			for _, draw := range []func(*props.Curve) (figure, bool){drawCurve, drawSlopes} {
				if f, ok := draw(&e.Curves[j]); ok {
					c.Figures[i] = append(c.Figures[i], f)
				}
			}
		}
		c.Chains[i] = waterfall(e.Chain)
	}
}

// waterfall lays out a chain of bounds. Values that are not positive have no place on a logarithmic axis and get no bar.
func waterfall(chain []props.Link) []bar {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, l := range chain {
		if l.Value > 0 && l.Value.Known() {
			v := math.Log(float64(l.Value))
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	at := func(v Num) float64 {
		if hi <= lo {
			return 0
		}
		return 100 * (math.Log(float64(v)) - lo) / (hi - lo)
	}
	var out []bar
	before := Num(math.NaN())
	for _, l := range chain {
		b := bar{Name: l.Name, Value: l.Value, Factor: Num(math.NaN())}
		if l.Value > 0 && l.Value.Known() {
			from := l.Value
			if before.Known() {
				from, b.Factor = before, l.Value/before
			}
			x, y := at(from), at(l.Value)
			b.Left, b.Width, b.Down = min(x, y), math.Abs(y-x), y < x
			before = l.Value
		}
		out = append(out, b)
	}
	return out
}
