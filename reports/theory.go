package reports

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"maps"
	"slices"
	"strings"

	"sledge/props"
	"sledge/props/development"
)

//go:embed theory.html
var theoryText string

// theoryFile is the page of a machine-checked development.
const theoryFile = "theory.html"

// blueprint is a development laid out on its page: the theorems, what each rests on, and which
// statements they are.
type blueprint struct {
	*site
	By       string
	Stale    string // why the record does not speak of the files; empty if it does
	Files    []theoryFileOf
	Theorems int
	Proved   int // with lemmas
	Named    int // claims that are theorems
	Axioms   []string
	Graph    template.HTML
	Apart    []*node      // theorems of claims that no arrow of the drawing leads to or from
	Open     []*pageClaim // printed main results no form of which is a theorem
	Places   []theoryPlace
	States   []theoryState
	Missing  []string // what the development says that it does not prove
}

// theoryState is what has become of printed statements, in the classes and words of the page.
type theoryState struct {
	Class, Words string
	Count        int
}

// theoryPlace is a place of the text with its printed statements and the class of each.
type theoryPlace struct {
	*Section
	Marks []theoryMark
}

type theoryMark struct {
	*pageClaim
	Class string
}

// theoryStates are in the order in which the page counts them.
var theoryStates = [...]theoryState{
	{Class: "printed", Words: "accepted by the kernel as printed"},
	{Class: "repaired", Words: "refuted, a form that holds accepted by the kernel"},
	{Class: "certified", Words: "settled by another certificate"},
	{Class: "refuted", Words: "refuted, what holds not a theorem here"},
	{Class: "tested", Words: "tested"},
	{Class: "open", Words: "open"},
}

// state is the class of a printed statement; kernel says which claims are theorems, and of which
// printed ones some form is.
func state(c *pageClaim, kernel, formed map[string]bool) string {
	switch {
	case kernel[c.ID] && c.Verdict == props.Proved:
		return "printed"
	case c.Verdict == props.Refuted && formed[c.ID]:
		return "repaired"
	case c.Verdict == props.Refuted:
		return "refuted"
	case c.Verdict == props.Proved:
		return "certified"
	case c.Stands():
		return "tested"
	}
	return "open"
}

// places sorts the printed statements of the text by what has become of them.
func (b *blueprint) places(kernel, formed map[string]bool) {
	count := map[string]int{}
	for _, r := range b.Results {
		place := theoryPlace{Section: r.Section}
		for _, c := range r.Claims {
			if c.Form == props.Printed || c.Form == "" {
				class := state(c, kernel, formed)
				count[class]++
				place.Marks = append(place.Marks, theoryMark{c, class})
			}
		}
		if len(place.Marks) > 0 {
			b.Places = append(b.Places, place)
		}
	}
	for _, s := range theoryStates {
		s.Count = count[s.Class]
		b.States = append(b.States, s)
	}
}

// theoryFileOf is a file with what stands at its head, and its theorems in their order.
type theoryFileOf struct {
	Name     string
	Preface  string
	Theorems []*node
}

// node is a theorem.
type node struct {
	Name string
	development.Result
	Said   string       // the remark before it, if there is one
	Claims []*pageClaim // that are this theorem
	On     []*node      // theorems that it rests on, directly or through lemmas
	Way    []wayStation // all that it rests on, for the theorems of claims
	depth  int
	row    int
}

// wayStation is a file with those of its results that a theorem rests on.
type wayStation struct {
	File  string
	Names []string
}

// newBlueprint lays a development out beside the claims of a report.
func newBlueprint(s *site, d *development.Development) *blueprint {
	b := &blueprint{site: s, By: d.Record.By, Missing: d.Missing}
	if err := d.Current(); err != nil {
		b.Stale = err.Error()
	}
	nodes := map[string]*node{}
	axioms := map[string]bool{}
	for name, r := range d.Record.Results {
		if !r.Definition {
			b.Proved++
		}
		if r.Statement == "" {
			continue
		}
		b.Theorems++
		nodes[name] = &node{Name: name, Result: r}
		for _, a := range r.Axioms {
			axioms[a] = true
		}
	}
	b.Axioms = slices.Sorted(maps.Keys(axioms))
	settled := map[string]bool{} // printed statements a form of which is a theorem
	kernel := map[string]bool{}  // claims that are theorems
	for _, c := range s.Claims {
		for _, name := range development.Names(c.Formal) {
			if n := nodes[name]; n != nil {
				n.Claims = append(n.Claims, c)
				kernel[c.ID] = true
				settled[baseID(c.ID)] = true
			}
		}
		if c.Formal != "" {
			b.Named++
		}
	}
	for _, c := range s.Claims {
		if c.Tier == 1 && (c.Form == props.Printed || c.Form == "") && !settled[c.ID] {
			b.Open = append(b.Open, c)
		}
	}
	for _, n := range nodes {
		n.On = below(d, nodes, n.Name)
	}
	for _, f := range d.Files {
		of := theoryFileOf{Name: f.Name, Preface: f.Preface()}
		for _, n := range nodes {
			if n.File == f.Name {
				n.Said = f.Before(n.Line)
				if len(n.Claims) > 0 {
					n.Way = way(d, n.Name)
				}
				of.Theorems = append(of.Theorems, n)
			}
		}
		slices.SortFunc(of.Theorems, func(x, y *node) int { return cmp.Compare(x.Line, y.Line) })
		if len(of.Theorems) > 0 {
			b.Files = append(b.Files, of)
		}
	}
	b.places(kernel, settled)
	b.Graph = b.draw()
	return b
}

// walk visits what a result uses, each once, and goes on from where visit says so.
func walk(d *development.Development, name string, visit func(used string) (on bool)) {
	seen := map[string]bool{name: true}
	var from func(string)
	from = func(name string) {
		for _, u := range d.Record.Results[name].Uses {
			if !seen[u] {
				if seen[u] = true; visit(u) {
					from(u)
				}
			}
		}
	}
	from(name)
}

// below lists the theorems that a result uses, looking through lemmas and definitions, in the order
// of their names.
func below(d *development.Development, nodes map[string]*node, name string) []*node {
	var out []*node
	walk(d, name, func(used string) bool {
		n := nodes[used]
		if n != nil {
			out = append(out, n)
		}
		return n == nil
	})
	slices.SortFunc(out, func(x, y *node) int { return cmp.Compare(x.Name, y.Name) })
	return out
}

// way lists all results and definitions that a theorem rests on, file by file in the order of
// compilation.
func way(d *development.Development, name string) []wayStation {
	var all []string
	walk(d, name, func(used string) bool {
		_, known := d.Record.Results[used]
		if known {
			all = append(all, used)
		}
		return known
	})
	var out []wayStation
	for _, f := range d.Files {
		var names []string
		for _, u := range all {
			if d.Record.Results[u].File == f.Name {
				names = append(names, u)
			}
		}
		if len(names) > 0 {
			slices.SortFunc(names, func(x, y string) int {
				return cmp.Or(cmp.Compare(d.Record.Results[x].Line, d.Record.Results[y].Line),
					cmp.Compare(x, y))
			})
			out = append(out, wayStation{f.Name, names})
		}
	}
	return out
}

// Rests counts the results and definitions that a theorem rests on.
func (n *node) Rests() (count int) {
	for _, w := range n.Way {
		count += len(w.Names)
	}
	return count
}

// class says what a theorem is to the text: a statement as printed, its repair, a sharper form, a
// statement of one's own, or a tool.
func (n *node) class() string {
	class := "tool"
	for _, c := range n.Claims {
		switch {
		case c.Form == props.Printed:
			return "printed"
		case c.Form == props.Corrected:
			class = "repaired"
		case class == "tool" || class == "own":
			class = "own"
			if c.Form == props.Sharper {
				class = "sharper"
			}
		}
	}
	return class
}

// place is the number of the result that a theorem belongs to.
func (n *node) place() string {
	for _, c := range n.Claims {
		if c.Theorem != "" {
			return c.Theorem
		}
	}
	return ""
}

// Sizes of the drawing, in pixels.
const (
	theoremWidth, theoremHeight = 230, 40
	columnStep, rowStep         = 275, 50
)

// draw draws the theorems that statements of the ledger are, with all that they rest on: what a
// theorem uses stands to its left. Of an arrow that others imply only these are drawn.
func (b *blueprint) draw() template.HTML {
	shown := map[*node]bool{}
	var show func(n *node)
	show = func(n *node) {
		if shown[n] {
			return
		}
		shown[n] = true
		for _, m := range n.On {
			show(m)
			n.depth = max(n.depth, m.depth+1)
		}
	}
	var order []*node
	used := map[*node]bool{}
	for _, f := range b.Files {
		for _, n := range f.Theorems {
			if len(n.Claims) > 0 {
				show(n)
			}
		}
	}
	for n := range shown {
		for _, m := range n.On {
			used[m] = true
		}
	}
	rows, columns := map[int]int{}, 0
	for _, f := range b.Files {
		for _, n := range f.Theorems {
			switch {
			case !shown[n]:
			case len(n.On) == 0 && !used[n] && len(n.Claims) > 0:
				b.Apart = append(b.Apart, n)
			default:
				n.row = rows[n.depth]
				rows[n.depth]++
				columns = max(columns, n.depth+1)
				order = append(order, n)
			}
		}
	}
	if len(order) == 0 {
		return ""
	}
	tall := 0
	for _, r := range rows {
		tall = max(tall, r)
	}
	var svg strings.Builder
	fmt.Fprintf(&svg,
		`<svg class="blueprint" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-label="what each `+
			`theorem rests on">`, columns*columnStep, tall*rowStep+10, columns*columnStep,
		tall*rowStep+10)
	at := func(n *node) (x, y int) {
		free := (tall - rows[n.depth]) * rowStep / 2
		return n.depth*columnStep + 10, free + n.row*rowStep + 5
	}
	for _, n := range order {
		x, y := at(n)
		for _, m := range n.On {
			if implied(n, m) {
				continue
			}
			u, v := at(m)
			u += theoremWidth
			fmt.Fprintf(&svg, `<path d="M%d %dC%d %d %d %d %d %d"/>`, u, v+theoremHeight/2, u+40,
				v+theoremHeight/2, x-40,
				y+theoremHeight/2, x, y+theoremHeight/2)
		}
	}
	for _, n := range order {
		x, y := at(n)
		place, middle := n.place(), theoremHeight/2+4
		if place != "" {
			middle -= 9
		}
		fmt.Fprintf(&svg,
			`<a href="#%s"><rect class="%s" x="%d" y="%d" width="%d" height="%d" rx="4"/><text `+
				`x="%d" y="%d">%s</text>`, n.Anchor(), n.class(), x, y, theoremWidth, theoremHeight,
			x+8, y+middle, template.HTMLEscapeString(n.Words()))
		if place != "" {
			fmt.Fprintf(&svg, `<text class="place" x="%d" y="%d">%s</text>`, x+8, y+theoremHeight-8,
				template.HTMLEscapeString(place))
		}
		svg.WriteString("</a>")
	}
	svg.WriteString("</svg>")
	return template.HTML(svg.String())
}

// implied reports whether n rests on m through another theorem as well.
func implied(n, m *node) bool {
	for _, k := range n.On {
		if k != m && slices.Contains(k.On, m) {
			return true
		}
	}
	return false
}

// Anchor is where a theorem stands on the page.
func (n *node) Anchor() string { return "theorem-" + strings.ReplaceAll(n.Name, "'", "-prime") }

// Words is the name of a theorem in words.
func (n *node) Words() string { return strings.ReplaceAll(n.Name, "_", " ") }
