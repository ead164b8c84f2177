package reports

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"math"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"sync"

	"sledge/props"
	"sledge/props/development"
	"sledge/props/ledger"
	"sledge/props/parallel"
)

var (
	//go:embed page.html
	pageText string
	//go:embed page.css
	pageStyle string
	//go:embed page.js
	pageScript string
)

// pageTemplate is read when a page is wanted, as most processes write none.
var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{
		// where a long label may go on in the next line
		"breaks":      func(s string) string { return strings.ReplaceAll(s, ":", ":\u200b") },
		"capital":     capital,
		"duration":    duration,
		"enough":      enough,
		"formula":     formula,
		"mathematics": mathematics,
		"harmMeaning": MeaningOfHarm,
		"interval":    interval,
		"known":       known,
		"light":       light,
		"right":       right,
		"wrong":       wrong,
		"meaning":     Meaning,
		"number":      number,
		"numbers":     func(e Evidence) [2]string { m, c := e.Numbers(); return [2]string{m, c} },
		"percent":     func(x float64) float64 { return math.Round(x*10) / 10 },
		"place":       place,
		"plural":      plural,
		"short":       short,
		"symbol":      symbol,
		"words":       func(s string) string { return strings.ReplaceAll(s, "-", " ") },
		// Where links lead depends on the page; see [site.on].
		"claimAt":   func(string) template.URL { return "" },
		"sectionAt": func(*Section) template.URL { return "" },
		"home":      func() template.URL { return "" },
		"why":       func(*Claim) string { return "" },
		"shown":     func(*Claim) []shownDisplay { return nil },
		"all":       func() template.URL { return "" },
	}).Parse(pageText + theoryText))
})

// Pages says how much of a report is laid out for people.
type Pages struct {
	Single bool // one file with everything as well, beside the pages
	Paths  bool // the paths of sequential tests are drawn
	// Theory, if not nil, is the machine-checked development whose theorems claims are: it gets a
	// page of its own.
	Theory *development.Development
}

// site is a report laid out on pages.
type site struct {
	*Report
	Style    template.CSS
	Script   template.JS
	Verdicts []props.Verdict
	Claims   []*pageClaim
	Odd      []*pageClaim // not as expected
	Results  []*pageSection
	Main     []*pageSection // with main results
	Harms    []harmGroup
	Told     int          // slips that the front page tells at length
	Others   []*pageClaim // refuted, but not printed
	Loose    []*pageClaim // standing bounds, the loosest first
	Horizons []*horizon   // of the main results
	Least    string       // where their axis begins
	Index    template.JS  // what the script searches

	Theory string // the page of the development; empty if there is none

	survey *survey
	claims map[string]*pageClaim
	files  map[*Section]string // names of the pages of sections
	pages  map[*Section]*pageSection
}

// pageSection is a section with what its page shows of its surroundings.
type pageSection struct {
	*Section
	*site
	Claims       []*pageClaim
	Before, Next *pageSection
	Statements   []statement      // its main results
	Displays     [][]shownDisplay // of each of them, those that are shown above without formula
	Supports     []support
	Chains       []chain    // Supports by what the results use directly
	Total        int        // printed statements that the main results rest on
	Harm         props.Harm // the gravest of the main results that are refuted
	Broken       bool       // something that it rests on has no form that stands
	Constant     Num        // that suffices for all bounds of the main results that stand
	Ratio        Num        // of the sides of those up to a constant
	Small        template.HTML
	Hands        []*pageClaim // whose counterexamples of hand size are shown, the gravest first
	Sides        *figure      // both sides of one of them
	Picture      *figure      // of what is printed or of what stands
	UsedBy       []*Section   // whose claims use one of these
	Label, Lines string       // of the first main result
	Anchor       string
}

// chain is one thing that the main results of a section use directly, with the places below it
// where something is refuted.
type chain struct {
	First  *Section
	Own    bool // the proof itself
	Count  int  // statements refuted there
	Harm   props.Harm
	Fallen int // refuted statements without a form that stands, there and below
	Below  []*Section
}

// short names the sections, the later ones of a kind by their numbers alone: "Lemma 1", "2",
// "Theorem 3".
func short(sections []*Section) []string {
	var out []string
	last := ""
	for _, s := range sections {
		kind, number, numbered := strings.Cut(s.Name, " ")
		if numbered && s.Numbered && kind == last {
			out = append(out, number)
		} else {
			out = append(out, strings.ReplaceAll(s.Name, "-", " "))
		}
		last = kind
	}
	return out
}

func (p *pageSection) chains() []chain {
	var out []chain
	supports := slices.Clone(p.Supports)
	slices.SortStableFunc(supports, func(a, b support) int {
		kind := func(x support) string { k, _, _ := strings.Cut(x.Section.Name, " "); return k }
		return cmp.Compare(kind(a), kind(b))
	})
	at := map[*Section]int{}
	for _, x := range supports {
		first := x.Section
		if len(x.Via) > 0 {
			first = x.Via[0]
		}
		k, known := at[first]
		if !known {
			k = len(out)
			at[first] = k
			out = append(out, chain{First: first, Own: first == p.Section})
		}
		c := &out[k]
		c.Fallen += len(x.Fallen)
		if x.Section == first {
			c.Count, c.Harm = len(x.Refuted), x.Harm
		} else {
			c.Below = append(c.Below, x.Section)
		}
	}
	return out
}

// statement is a printed main result and what became of it.
type statement struct {
	*Claim
	Fate Fate
	Form *Claim // that stands; nil if none does
}

// harmGroup is the causes of equal harm.
type harmGroup struct {
	Harm   props.Harm
	Count  int           // statements
	Causes []*causeGroup // the gravest
	Rest   []*causeGroup // those of a table
}

// causeGroup is a slip of the text with the printed statements that it breaks.
type causeGroup struct {
	Name     string
	Title    string // empty if the statements have no cause in common
	Claims   []*pageClaim
	Worst    *pageClaim // whose harm is the gravest; the first of them that has a corrected form
	Witness  *witness   // nil if there are no numbers
	Hand     *worked    // nil if no certificate has one
	Picture  *figure
	Survives []*Section // main results that rest on a broken statement, and stand
	Falls    []*Section // and those that do not
}

// witness is the simplest counterexample to one of the statements that a slip breaks.
type witness struct {
	Claim             *pageClaim
	What              string
	Measured, Claimed string // empty where Said says it
	Said              string
	Relation          props.Relation
	Where, Replay     string
	Certified         bool
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
	Section    *Section
	Because    string
	Hand       *worked // of a refuted claim, if a certificate has one
	report     *Report
}

// Kernel is [Report.Kernel].
func (c *pageClaim) Kernel() string { return c.report.Kernel(c.Claim) }

// ReplayLine is the line that evaluates a piece of evidence again.
func (c *pageClaim) ReplayLine(token string) string { return c.report.ReplayLine(token) }

type use struct {
	ID    string
	Claim *Claim // nil if the report has no such claim
}

// bar is a row of a slack waterfall: it reaches from the previous value to its own on a logarithmic
// axis, in percent of its length.
type bar struct {
	Name        string
	Value       Num
	Factor      Num // by which the value exceeds the previous one
	Left, Width float64
	Down        bool // the value is below the previous one
}

// newSite lays a report out.
func newSite(r *Report, p Pages) *site {
	s := &site{Report: r, Style: template.CSS(pageStyle), Script: template.JS(pageScript),
		Verdicts: Verdicts, survey: newSurvey(r), claims: map[string]*pageClaim{},
		files: map[*Section]string{}, pages: map[*Section]*pageSection{}}
	usedBy := r.usedBy()
	for i := range r.Claims {
		c := &r.Claims[i]
		pc := &pageClaim{Claim: c, Lead: c.Lead(), UsedBy: usedBy[c.ID], Section: s.survey.of[c.ID],
			Because: c.Because(),
			report:  r}
		pc.Corrected = s.survey.claims[c.ID+"/corrected"]
		for _, id := range c.Uses {
			pc.Uses = append(pc.Uses, use{id, s.survey.claims[id]})
		}
		if c.Verdict == props.Refuted {
			pc.Dependents = r.dependents(usedBy, c.ID)
			for k := range c.Evidence {
				if e := &c.Evidence[k]; e.Outcome() == props.Refuted && e != pc.Lead &&
					e.What != "" {
					pc.Further = append(pc.Further, e.What)
				}
			}
			if c.Form != props.Printed {
				s.Others = append(s.Others, pc)
			}
		}
		s.Claims = append(s.Claims, pc)
		s.claims[c.ID] = pc
	}
	for _, c := range r.ByAttention() {
		if c.AsExpected() {
			break
		}
		s.Odd = append(s.Odd, s.claims[c.ID])
	}
	s.lay()
	s.Harms = s.causes()
	s.Horizons, s.Least = s.horizons()
	for _, c := range s.Claims {
		if e := c.Lead; c.Form != props.Extension && c.Stands() && e != nil && known(e.Tightness) &&
			e.isBound() {
			s.Loose = append(s.Loose, c)
		}
	}
	slices.SortStableFunc(s.Loose,
		func(a, b *pageClaim) int { return cmp.Compare(a.Lead.Tightness, b.Lead.Tightness) })
	s.Index = s.search()
	// most of the work
	parallel.Each(runtime.GOMAXPROCS(0), len(s.Claims), func(i int) { s.Claims[i].draw(p) })
	s.front()
	return s
}

// lay makes a page of each section.
func (s *site) lay() {
	taken := map[string]bool{}
	for _, sec := range s.survey.sections {
		file := slug(sec)
		for k := 2; taken[file]; k++ {
			file = fmt.Sprintf("%s-%d", slug(sec), k)
		}
		taken[file] = true
		s.files[sec] = file
		p := &pageSection{Section: sec, site: s, Anchor: file, Constant: Num(math.NaN()),
			Ratio: Num(math.NaN())}
		for _, c := range sec.Claims {
			p.Claims = append(p.Claims, s.claims[c.ID])
		}
		if n := len(s.Results); n > 0 {
			p.Before, s.Results[n-1].Next = s.Results[n-1], p
		}
		s.Results = append(s.Results, p)
		s.pages[sec] = p
		if !sec.Numbered {
			continue
		}
		for _, c := range sec.Main() {
			st := statement{Claim: c}
			st.Fate, st.Form = s.Fate(c)
			p.Statements = append(p.Statements, st)
			if c.Verdict == props.Refuted && (p.Harm == "" || gravity(c.Harm) < gravity(p.Harm)) {
				p.Harm = c.Harm
			}
			if st.Form != nil {
				constant, ratio := needs(st.Form)
				if !(float64(p.Constant) >= constant) && known(constant) {
					p.Constant = Num(constant)
				}
				if !(float64(p.Ratio) >= ratio) && known(ratio) {
					p.Ratio = Num(ratio)
				}
			}
		}
		if len(p.Statements) == 0 {
			continue
		}
		p.Lines, p.Label = p.Statements[0].Lines, p.Statements[0].Label
		p.Supports, p.Total = s.survey.rests(sec)
		p.Chains = p.chains()
		p.Broken = slices.ContainsFunc(p.Supports,
			func(x support) bool { return len(x.Fallen) > 0 })
		p.Small = p.small()
		s.Main = append(s.Main, p)
	}
}

// gravest is how many slips the front page tells at length.
const gravest = 10

// front chooses what the front page and the heads of pages show of what has been drawn.
func (s *site) front() {
	for i := range s.Harms {
		h := &s.Harms[i]
		n := min(gravest-s.Told, len(h.Causes))
		s.Told += n
		h.Causes, h.Rest = h.Causes[:n], h.Causes[n:]
		for _, g := range h.Causes {
			s.illustrate(g)
		}
	}
	for _, p := range s.Main {
		var of []*pageClaim
		above := map[shownDisplay]bool{}
		for _, st := range p.Statements {
			of = append(of, s.claims[st.ID])
			displays := s.shown(st.Claim)
			for i, d := range displays {
				if above[d] {
					displays[i].Set = ""
				}
				above[d] = true
			}
			p.Displays = append(p.Displays, displays)
		}
		p.Hands = hand(of)
		for _, c := range p.Hands {
			if p.Sides = drawSides(c); p.Sides != nil {
				if p.Small == "" {
					p.Small = sparkline(&c.Hand.Sides.curve, boundMet)
				}
				break
			}
		}
		for _, st := range p.Statements {
			if st.Form != nil {
				of = append(of, s.claims[st.Form.ID])
			}
		}
		p.Picture = picture(append(of, p.Claims...))
		for _, c := range p.Section.Claims {
			for _, by := range s.claims[c.ID].UsedBy {
				if sec := s.survey.of[by.ID]; sec != p.Section && sec.Numbered &&
					!slices.Contains(p.UsedBy, sec) {
					p.UsedBy = append(p.UsedBy, sec)
				}
			}
		}
	}
}

// illustrate finds a counterexample and a picture for a slip.
func (s *site) illustrate(g *causeGroup) {
	of := append([]*pageClaim{g.Worst}, g.Claims...)
	var sides *figure
	for _, c := range hand(of) {
		if !c.Hand.Instance { // an instance is its witness
			g.Hand, sides = c.Hand, drawSides(c)
		}
	}
	for _, c := range g.Claims {
		if c.Corrected != nil {
			of = append(of, s.claims[c.Corrected.ID])
		}
	}
	if g.Picture = picture(of); sides != nil && (g.Picture == nil || g.Picture.Telling < runsTell) {
		g.Picture = sides
	}
}

// runsTell is how much a picture has to tell to stand in the place of both sides of a
// counterexample.
const runsTell = 0.1

// hand is the gravest of the claims that have a counterexample of hand size, and if that is none in
// formulas, the gravest that has one in formulas besides.
func hand(claims []*pageClaim) []*pageClaim {
	var best, formal *pageClaim
	for _, c := range claims {
		switch {
		case c.Hand == nil:
			continue
		case best == nil || gravity(c.Harm) < gravity(best.Harm):
			best = c
		}
		if !c.Hand.Instance && (formal == nil || gravity(c.Harm) < gravity(formal.Harm)) {
			formal = c
		}
	}
	switch {
	case best == nil:
		return nil
	case formal == nil:
		return []*pageClaim{best}
	case gravity(formal.Harm) == gravity(best.Harm):
		return []*pageClaim{formal}
	}
	return []*pageClaim{best, formal}
}

// picture is the plot that tells most of the claims, the first of equals; see [telling].
func picture(claims []*pageClaim) *figure {
	var best *figure
	for _, c := range claims {
		for i := range c.Figures {
			for j := range c.Figures[i] {
				if f := c.Figures[i][j]; f.Telling > 0 &&
					(best == nil || f.Telling > best.Telling) {
					f.Of, best = c.ID, &f
				}
			}
		}
	}
	return best
}

// slug is the name of a section in file names and links.
func slug(s *Section) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, s.Name)
	if !s.Numbered {
		name = "part-" + name
	}
	return name
}

// Becomes says what becomes of the whole result, which is as bad as the worst statement inside it;
// empty if it is none.
func (p *pageSection) Becomes() string {
	fate, known := p.site.Report.fate(p.Section)
	if !known {
		return ""
	}
	for _, f := range becomes {
		if f.fate == fate {
			return p.Name + " " + f.one + "."
		}
	}
	return ""
}

// small draws bound against run for one line of a table: of a statement that stands and keeps its
// bound, else of any claim here, else what was measured alone; of several curves that which tells
// most, the first of equals.
func (p *pageSection) small() template.HTML {
	var of []*Claim
	for _, st := range p.Statements {
		if st.Form != nil {
			of = append(of, st.Form)
		}
	}
	of = append(of, p.Section.Claims...)
	for _, wanted := range []smallPlot{boundKept, boundMet, runAlone} {
		var curves []*props.Curve
		for _, c := range of {
			if wanted == boundKept && !c.Stands() {
				continue
			}
			for i := range c.Evidence {
				for j := range c.Evidence[i].Curves {
					if v := &c.Evidence[i].Curves[j]; v.YLabel != eValue {
						curves = append(curves, v)
					}
				}
			}
		}
		slices.SortStableFunc(curves, func(a, b *props.Curve) int {
			return cmp.Compare(tells(b), tells(a))
		})
		for _, v := range curves {
			if drawing := sparkline(v, wanted); drawing != "" {
				return drawing
			}
		}
	}
	return ""
}

// tells is how much a curve tells that has both of its lines.
func tells(c *props.Curve) float64 { return telling(c, &figure{Bound: "bound", Data: "run"}) }

// causes sorts refuted printed claims by their harm, the gravest first, and by what causes it;
// those that are not judged follow.
func (s *site) causes() []harmGroup {
	var out []harmGroup
	title, order := map[string]string{}, map[string]int{}
	for i, c := range s.Report.Causes {
		title[c.Name], order[c.Name] = c.Title, i
	}
	groups := map[string]*causeGroup{}
	var all []*causeGroup
	for _, c := range s.Claims {
		if c.Verdict != props.Refuted || c.Form != props.Printed {
			continue
		}
		name := c.Cause
		if title[name] == "" {
			name = "none: " + c.ID // a group of its own
		}
		g := groups[name]
		if g == nil {
			g = &causeGroup{Name: name, Title: title[name]}
			groups[name], all = g, append(all, g)
		}
		g.Claims = append(g.Claims, c)
	}
	for _, g := range all {
		g.judge(s)
	}
	rank := func(g *causeGroup) int {
		if k, named := order[g.Name]; named {
			return k
		}
		return len(order)
	}
	slices.SortStableFunc(all, func(a, b *causeGroup) int {
		return cmp.Or(cmp.Compare(gravity(a.Worst.Harm), gravity(b.Worst.Harm)),
			cmp.Compare(rank(a), rank(b)))
	})
	for _, g := range all {
		if n := len(out); n == 0 || out[n-1].Harm != g.Worst.Harm {
			out = append(out, harmGroup{Harm: g.Worst.Harm})
		}
		last := &out[len(out)-1]
		last.Causes, last.Count = append(last.Causes, g), last.Count+len(g.Claims)
	}
	return out
}

// judge finds the gravest statement of a cause, its simplest counterexample, and what becomes of
// the results that rest on it.
func (g *causeGroup) judge(s *site) {
	better := func(a, b *pageClaim) bool {
		if x, y := gravity(a.Harm), gravity(b.Harm); x != y {
			return x < y
		}
		return a.Corrected != nil && b.Corrected == nil
	}
	g.Worst = g.Claims[0]
	broken := map[string]bool{}
	for _, c := range g.Claims {
		broken[c.ID] = true
		if better(c, g.Worst) {
			g.Worst = c
		}
		for i := range c.Evidence {
			if w := newWitness(c, &c.Evidence[i]); w != nil &&
				(g.Witness == nil || w.simpler(g.Witness)) {
				g.Witness = w
			}
		}
	}
	for _, p := range s.Main {
		hit := slices.ContainsFunc(p.Statements,
			func(st statement) bool { return broken[st.ID] }) ||
			slices.ContainsFunc(p.Supports, func(x support) bool {
				return slices.ContainsFunc(x.Refuted, func(c *Claim) bool { return broken[c.ID] })
			})
		switch {
		case !hit:
		case p.falls():
			g.Falls = append(g.Falls, p.Section)
		case slices.ContainsFunc(p.Statements, func(st statement) bool { return st.Form != nil }):
			g.Survives = append(g.Survives, p.Section)
		}
	}
}

// Amended is how many statements that the main results rest on are refuted and have a form that
// stands, Unmended how many have none.
func (p *pageSection) Amended() (n int) {
	for _, x := range p.Supports {
		n += len(x.Refuted) - len(x.Fallen)
	}
	return n
}

// Unmended is what is left of them.
func (p *pageSection) Unmended() (n int) {
	for _, x := range p.Supports {
		n += len(x.Fallen)
	}
	return n
}

// falls reports whether a main result of the section, or something that it rests on, has no form
// that stands.
func (p *pageSection) falls() bool {
	return p.Broken || slices.ContainsFunc(p.Statements,
		func(st statement) bool { return st.Fate == fallen })
}

func newWitness(c *pageClaim, e *Evidence) *witness {
	if e.Outcome() != props.Refuted || e.Where == "" && e.Simplest == nil {
		return nil
	}
	w := &witness{Claim: c, What: e.What, Relation: e.Relation, Where: e.Where, Replay: e.Replay,
		Certified: e.Certified}
	w.Measured, w.Claimed = e.Numbers()
	if x := e.Simplest; x != nil {
		w.Measured, w.Claimed, w.Where, w.Replay = x.Measured.String(), x.Claimed.String(),
			x.Where, x.Replay
	}
	if !known(e.Measured) {
		w.Measured = "no finite value"
	}
	if e.Sense == props.Hidden || e.Sense == props.Proposition {
		w.Measured, w.Said = "", e.Contradiction() // the numbers are no two sides
	}
	return w
}

// simpler prefers the gravest statement, then exact counterexamples, then those with the fewest
// words.
func (w *witness) simpler(v *witness) bool {
	if a, b := gravity(w.Claim.Harm), gravity(v.Claim.Harm); a != b {
		return a < b
	}
	if (w.Measured != "") != (v.Measured != "") {
		return w.Measured != ""
	}
	if w.Certified != v.Certified {
		return w.Certified
	}
	return len(w.Where) < len(v.Where)
}

// search writes what the script of the front page looks through: places as name and file, verdicts,
// and claims as id, number of the place, lines, number of the verdict, label, and theorem if it is
// not the name of the place.
func (s *site) search() template.JS {
	type entry []any
	number := map[*Section]int{}
	var places [][2]string
	for i, p := range s.Results {
		number[p.Section] = i
		places = append(places, [2]string{p.Name, s.files[p.Section]})
	}
	entries := make([]entry, len(s.Claims))
	for i, c := range s.Claims {
		entries[i] = entry{c.ID, number[c.Section], c.Lines,
			slices.Index(s.Verdicts, c.Verdict), c.Label}
		if c.Theorem != c.Section.Name && c.Theorem != "" {
			entries[i] = append(entries[i], c.Theorem)
		}
	}
	b, err := json.Marshal(struct {
		Places   [][2]string     `json:"places"`
		Verdicts []props.Verdict `json:"verdicts"`
		Claims   []entry         `json:"claims"`
	}{places, s.Verdicts, entries})
	if err != nil {
		panic("reports: " + err.Error()) // strings and numbers can be written
	}
	return template.JS(b) // json.Marshal escapes <, > and &
}

// Places where links lead from.
type origin int

const (
	fromFront   origin = iota
	fromSection        // of which the template is told
	fromSingle         // everything in one file
)

// directory of the pages of sections, beside the front page.
const sectionDir = "results"

// on returns the template for pages of one kind; here is the section that a page is about.
func (s *site) on(from origin, here *Section) *template.Template {
	sectionAt := func(sec *Section) template.URL {
		switch {
		case from == fromSingle:
			return template.URL("#" + s.files[sec])
		case from == fromFront:
			return template.URL(sectionDir + "/" + s.files[sec] + ".html")
		case sec == here:
			return "#top"
		}
		return template.URL(s.files[sec] + ".html")
	}
	up := map[origin]string{fromSection: "../"}[from]
	return template.Must(pageTemplate().Clone()).Funcs(template.FuncMap{
		"sectionAt": sectionAt,
		"why":       s.WhyLoose,
		"shown":     s.shown,
		"claimAt": func(id string) template.URL {
			fragment := "#" + url.PathEscape(id)
			if sec := s.survey.of[id]; from != fromSingle && sec != here {
				return sectionAt(sec) + template.URL(fragment)
			}
			return template.URL(fragment)
		},
		"home": func() template.URL {
			if from == fromSingle {
				return "#top"
			}
			return template.URL(up + IndexFile)
		},
		"all": func() template.URL {
			if from == fromSingle {
				return "#all"
			}
			return template.URL(up + allFile)
		},
	})
}

// mostShown is how many displays are shown beside a statement that stands in more: the steps of a
// long proof are to be read in the text.
const mostShown = 4

// shownDisplay is a display of the text as a page shows it.
type shownDisplay struct {
	ledger.Display
	Set template.HTML
}

// shown returns the displays of the text that a printed statement stands in. What is wrong in the
// statement is marked in those that have it.
func (s *site) shown(c *Claim) []shownDisplay {
	if c.Form != props.Printed {
		return nil
	}
	var slipped marking
	if f := s.Report.Corrected(c.ID); f != nil && c.Verdict == props.Refuted {
		slipped, _ = compared(c.Statement, f.Statement)
	}
	var out []shownDisplay
	for _, d := range s.Report.Text.Shown(c.Lines) {
		m := slipped.in(d.Formula)
		out = append(out, shownDisplay{d,
			typeset{display: true, class: "wrong"}.text(m.text, m.marks)})
	}
	return out[:min(len(out), mostShown)]
}

// execute writes one page.
func (s *site) execute(w io.Writer, from origin, here *Section, name string, data any) error {
	var b bytes.Buffer
	if err := s.on(from, here).ExecuteTemplate(&b, name, data); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// WriteHTML writes the report as one HTML page that needs no other file, no network and no
// JavaScript.
func (r *Report) WriteHTML(w io.Writer, p Pages) error {
	s := newSite(r, p)
	return s.execute(w, fromSingle, nil, "single", s)
}

// draw draws the plots of a claim.
func (c *pageClaim) draw(p Pages) {
	c.Hand = c.Worked()
	c.Figures, c.Chains = make([][]figure, len(c.Evidence)), make([][]bar, len(c.Evidence))
	for i := range c.Evidence {
		e := &c.Evidence[i]
		for j := range e.Curves {
			if e.Curves[j].YLabel == eValue && !p.Paths {
				continue
			}
			for _, draw := range []func(*props.Curve) (figure, bool){drawCurve, drawSlopes} {
				if f, ok := draw(e.titled(&e.Curves[j])); ok {
					c.Figures[i] = append(c.Figures[i], f)
				}
			}
		}
		c.Chains[i] = waterfall(e.Chain)
	}
}

// titled is a curve of a statement up to a constant with the formulas in its title, as far as they
// are known.
func (e *Evidence) titled(c *props.Curve) *props.Curve {
	if e.Certificate == nil || e.Sense != props.Hidden || e.Certificate.Statement == "" {
		return c
	}
	named := *c
	named.Title = "how far " + e.Certificate.Statement + " is exceeded as the ranges widen"
	return &named
}

// waterfall lays out a chain of bounds. Values that are not positive have no place on a logarithmic
// axis and get no bar.
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
