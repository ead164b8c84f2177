package reports

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"sledge/props"
	"sledge/props/plain"
	"sledge/reports/store"
)

// erratum is a slip of the text: what it breaks, how that is seen, how it is mended, and what it
// costs.
type erratum struct {
	*causeGroup
	number int
	first  bool // of its harm
}

// errata are the slips of a report, gravest first.
func (s *site) errata() []erratum {
	var out []erratum
	for _, g := range s.Harms {
		for i, c := range append(slices.Clone(g.Causes), g.Rest...) {
			out = append(out, erratum{c, len(out) + 1, i == 0})
		}
	}
	return out
}

// title says in a line what is wrong.
func (e *erratum) title() string {
	if e.Title != "" {
		return e.Title
	}
	return "The statement " + e.Worst.ID + " fails"
}

// equations are the numbers of the displays that a claim stands in, if they are few enough to be a
// place.
func (r *Report) equations(c *Claim) string {
	var numbers []string
	for _, d := range r.Text.Shown(c.Lines) {
		if d.Numbers != "" {
			numbers = append(numbers, d.Numbers)
		}
	}
	if len(numbers) > 3 {
		return ""
	}
	return strings.Join(numbers, ", ")
}

// where says in which places of the text a claim stands.
func (r *Report) where(c *Claim) string {
	place := list(", ", c.Theorem, r.equations(c))
	if c.Lines != "" {
		if strings.ContainsAny(c.Lines, "-,") {
			place = list(", ", place, "lines "+c.Lines)
		} else {
			place = list(", ", place, "line "+c.Lines)
		}
	}
	return list(" ", place, "("+c.ID+")")
}

// shown says in words what the counterexample shows; empty if there is none in numbers.
func (w *witness) shown() string {
	switch {
	case w == nil:
		return ""
	case w.Measured == "" && w.Where == "":
		return capital(w.Said)
	case w.Measured == "":
		return capital(w.Said) + " At " + w.Where + "."
	}
	s := fmt.Sprintf("%s, where %s %s is claimed", w.Measured, symbol(w.Relation), w.Claimed)
	return strings.TrimPrefix(w.What+": ", ": ") + list(", at ", s, w.Where) + "."
}

// consequences says what a slip costs and what survives it.
func (e *erratum) consequences() string {
	s := ""
	if e.Worst.Reason != "" {
		s = strings.TrimSuffix(e.Worst.Reason, ".") + "."
	}
	if len(e.Survives) > 0 {
		s = list(" ", s,
			"What rests on it survives the correction: "+strings.Join(short(e.Survives), ", ")+".")
	}
	if len(e.Falls) > 0 {
		s = list(" ", s, "Without a form that stands: "+strings.Join(short(e.Falls), ", ")+".")
	}
	return s
}

// cited is the citation of the text.
func (r *Report) cited() string { return list(". ", r.Text.Authors, r.Text.Source) }

// intro says what the errata are.
func (r *Report) intro() string {
	s := r.Overall()
	if r.Text.SHA256 != "" {
		s = list(" ", s,
			"Lines are those of the source file with the SHA-256 digest "+r.Text.SHA256+".")
	}
	return list(" ", s,
		"Found with "+r.cite()+". Each counterexample can be evaluated again by the line that follows it.")
}

// field is a line of an erratum: its name and a text, in which formulas stand between dollar signs.
type field struct{ name, text string }

// heading says of what harm the slips are that follow.
func (e *erratum) heading() string {
	return capital(strings.TrimPrefix(string(e.Worst.Harm)+": "+MeaningOfHarm(e.Worst.Harm), ": "))
}

// forms are a statement that a slip breaks, as it is printed, read and corrected.
func (c *pageClaim) forms() []field {
	out := append([]field{{"Printed", c.Statement}}, formally(c.Claim)...)
	if c.Reading != "" {
		out = append(out, field{"Read with", c.Reading})
	}
	if c.Corrected != nil {
		out = append(out, field{"Corrected", c.Corrected.Statement})
		out = append(out, formally(c.Corrected)...)
	}
	return out
}

// formally are the formal statements of a claim.
func formally(c *Claim) []field {
	var out []field
	for _, said := range c.Formally {
		out = append(out, field{"Formally", said})
	}
	return out
}

// found says how the slip is seen, with the line that replays it if there is one.
func (e *erratum) found(r *Report) (f field, replay string) {
	if shown := e.Witness.shown(); shown != "" {
		return field{"Counterexample to " + e.Witness.Claim.ID, shown}, r.quoted(e.Witness.Replay)
	}
	return field{"Found", e.Worst.Because}, ""
}

// quoted is the line that replays a token, with the token between quotes where a command stands
// before it: a document breaks it into several lines, and a replay passes over white space.
func (r *Report) quoted(token string) string {
	if r.Run.Replayer == "" {
		return token
	}
	return r.ReplayLine("'" + token + "'")
}

func (r *Report) errataTitle(of string) string {
	if r.Text.Title == "" {
		return "Errata"
	}
	return "Errata" + of + r.Text.Title
}

// errataStyle is how a kind of document writes errata: formats of its parts, and how texts are set.
type errataStyle struct {
	head, foot            string
	of                    string // between Errata and the title of the text
	title, heading, entry string
	place, form, found    string
	replay, consequences  string

	plain, formulas func(string) string // a text without formulas, and one with
	name            func(string) string // of a form
	intro, line     func(string) string // the introduction, and a line of replay
}

// writeErrata writes an erratum for each slip of the text, gravest first: where it stands, what is
// printed, a counterexample with the line that replays it, the corrected form, and what the slip
// costs.
func (r *Report) writeErrata(w io.Writer, as *errataStyle) error {
	var b strings.Builder
	b.WriteString(as.head)
	fmt.Fprintf(&b, as.title, as.plain(r.errataTitle(as.of)))
	if src := r.cited(); src != "" {
		fmt.Fprintf(&b, "%s.\n\n", as.plain(src))
	}
	fmt.Fprintf(&b, "%s\n", as.intro(r.intro()))
	for _, e := range newSite(r, Pages{}).errata() {
		if e.first {
			fmt.Fprintf(&b, as.heading, as.plain(e.heading()))
		}
		fmt.Fprintf(&b, as.entry, e.number, as.plain(e.title()))
		for _, c := range e.Claims {
			fmt.Fprintf(&b, as.place, as.plain(r.where(c.Claim)))
			for _, f := range c.forms() {
				fmt.Fprintf(&b, as.form, as.name(f.name), as.formulas(f.text))
			}
		}
		f, replay := e.found(r)
		fmt.Fprintf(&b, as.found, as.plain(f.name), as.formulas(f.text))
		if replay != "" {
			fmt.Fprintf(&b, as.replay, as.line(replay))
		}
		if said := e.consequences(); said != "" {
			fmt.Fprintf(&b, as.consequences, as.formulas(said))
		}
	}
	b.WriteString(as.foot)
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteErrataMarkdown writes errata as Markdown.
func (r *Report) WriteErrataMarkdown(w io.Writer) error {
	return r.writeErrata(w, &errataStyle{head: "<!-- " + errataMark + " -->\n\n", of: " of ",
		title: "# %s\n\n", heading: "\n## %s\n", entry: "\n### %d. %s\n",
		place: "\n- **%s**\n", form: "  - %s: %s\n", found: "\n%s: %s\n", replay: "\n    %s\n",
		consequences: "\nConsequences: %s\n",
		plain:        md, intro: md, name: strings.ToLower, line: plain.Line,
		formulas: func(s string) string { return md(props.Unmarked(s)) }})
}

// errataMark stands at the head of errata.
const errataMark = "sledge/errata"

// IsErrata reports whether the file at path looks like errata that this package has written.
func IsErrata(path string) bool { return store.Begins(path, errataMark) }

const errataHead = `% ` + errataMark + `
\documentclass[10pt]{article}
\usepackage{amsmath,amssymb}
\textwidth=16cm \oddsidemargin=0cm \textheight=23cm \topmargin=-1.5cm
\setlength{\parindent}{0pt}\setlength{\parskip}{4pt}
\newcommand{\entry}[2]{\bigskip\textbf{#1.} \textbf{#2}\par}
\newcommand{\field}[2]{\textit{#1}: #2\par}
\newcommand{\replay}[1]{{\interlinepenalty10000\footnotesize\ttfamily\raggedright #1\par}}
\emergencystretch=3em
`

// WriteErrataLaTeX writes the same as a document for LaTeX that needs amsmath and amssymb alone.
func (r *Report) WriteErrataLaTeX(w io.Writer) error {
	const field = "\\field{%s}{%s}\n"
	return r.writeErrata(w, &errataStyle{head: errataHead + "\\begin{document}\n", of: ": ",
		title: "\\section*{%s}\n", heading: "\n\\subsection*{%s}\n",
		entry: "\n\\entry{%d}{%s}\n", place: "\\field{Place}{%s}\n", form: field, found: field,
		replay: "\\replay{%s}\n", consequences: "\\field{Consequences}{%s}\n",
		foot:  "\\end{document}\n",
		plain: latexText, formulas: latexText, name: latexText, line: verbatim,
		intro: func(s string) string { return breakable(latexText(s), 16) }})
}

// breakable allows a line to break after every so many letters or digits of a word, as long names
// need it.
func breakable(s string, every int) string {
	var b strings.Builder
	run, command := 0, false
	for _, r := range s {
		letter := r >= '0' && r <= '9' || r < 0x80 && isASCIILetter(r)
		command = r == '\\' || command && letter
		if !letter && r != '_' && r != '-' {
			run = 0
		} else if run++; !command && letter && run > every {
			b.WriteString(`\allowbreak{}`)
			run = 1
		}
		b.WriteRune(r)
	}
	return b.String()
}
