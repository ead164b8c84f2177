package reports

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"sledge/props"
)

// weighty reports whether a slip changes what a result says, and not a logarithm, a constant, a
// step or a sign alone.
func (e *erratum) weighty() bool { return gravity(e.Worst.Harm) < gravity(props.Logarithm) }

// cite is how the software is cited: name, version with its commit, and a place for an identifier.
func (r *Report) cite() string {
	said := fmt.Sprintf("%s, version %s, %s tier, seed %d", r.Tool.Name, r.Tool.Version, r.Run.Tier,
		r.Run.Seed)
	return list(", ", said, "started "+r.Run.Started.UTC().Format("2 January 2006"))
}

const corrigendumHead = `% ` + errataMark + `
\documentclass[10pt]{article}
\usepackage{amsmath,amssymb,array,longtable}
\textwidth=18cm \oddsidemargin=-1cm \textheight=26cm \topmargin=-2.5cm
\setlength{\parindent}{0pt}\setlength{\parskip}{2pt}
\setlength{\LTpre}{2pt}\setlength{\LTpost}{2pt}\setlength{\tabcolsep}{3pt}
\newcommand{\entry}[2]{\medskip\textbf{#1.} \textbf{#2}\par}
\newcommand{\doi}[1]{DOI: #1}
\emergencystretch=3em
\begin{document}
`

// spot names the place of a claim as a reader of the printed text finds it, without house names.
func (r *Report) spot(c *Claim) string {
	lines := ""
	if c.Lines != "" {
		lines = "l.\u00a0" + c.Lines
	}
	return list(", ", c.Theorem, r.equations(c), lines)
}

// WriteCorrigendumLaTeX writes a corrigendum that authors may submit, a document of a few pages for
// LaTeX with amsmath, amssymb, array and longtable: what changes a result with its corrected form
// and a counterexample, the other slips as a table of what to read for what. The long form is
// [Report.WriteErrataLaTeX].
func (r *Report) WriteCorrigendumLaTeX(w io.Writer) error {
	var b strings.Builder
	b.WriteString(corrigendumHead)
	title := "Corrigendum"
	if r.Text.Title != "" {
		title += " to ``" + latexText(r.Text.Title) + "''"
	}
	fmt.Fprintf(&b, "\\begin{center}\\large\\textbf{%s}\\end{center}\n", title)
	if r.Text.Authors != "" {
		fmt.Fprintf(&b, "\\begin{center}%s\\end{center}\n",
			latexText(list(". ", r.Text.Authors, r.Text.Source)))
	}
	all := newSite(r, Pages{}).errata()
	stands := 0
	for _, e := range all {
		for _, c := range e.Claims {
			if c.Corrected != nil && c.Corrected.Stands() {
				stands++
			}
		}
	}
	refuted := 0
	for _, e := range all {
		refuted += len(e.Claims)
	}
	fmt.Fprintf(&b,
		"We correct %d statements, which go back to %d slips; %d of them have a corrected form "+
			"that stands. %s ", refuted, len(all), stands,
		latexText("They were found by checking each statement of the text with the software named at the "+
			"end. The supplement (errata.tex) has the long form of each entry under the same number, with a line that "+
			"evaluates its counterexample again. We number places and displays as the text "+
			"does; l. is the line of its source."))
	b.WriteString("\n\n\\section*{Corrections that change a statement}\n")
	rest := false
	for _, e := range all {
		if !e.weighty() {
			rest = true
			continue
		}
		fmt.Fprintf(&b, "\\entry{%d}{%s}\n", e.number, latexText(e.title()))
		b.WriteString("{\\small ")
		var spots []string
		for _, c := range e.Claims {
			if s := r.spot(c.Claim); !slices.Contains(spots, s) {
				spots = append(spots, s)
			}
		}
		fmt.Fprintf(&b, "%s. ", latexText(strings.Join(spots, "; ")))
		c := e.Worst
		if c.Corrected != nil {
			if found := slips(c.Statement, c.Corrected.Statement); len(found) > 0 {
				for _, s := range found {
					fmt.Fprintf(&b, "For %s read %s. ", latexText(s.instead), latexText(s.read))
				}
			} else {
				fmt.Fprintf(&b, "Read: %s. ",
					latexText(strings.TrimSuffix(c.Corrected.Statement, ".")))
			}
		}
		if lines := e.worked(); lines != "" {
			fmt.Fprintf(&b, "\\emph{Counterexample.} %s ", lines)
		} else if shown := e.Witness.shown(); shown != "" {
			fmt.Fprintf(&b, "\\emph{Counterexample.} %s ", latexText(shown))
		}
		b.WriteString("\\par}\n")
	}
	if rest {
		b.WriteString(
			"\n\\section*{Logarithms, constants, steps of proofs and misprints}\n{\\scriptsize\n" +
				"\\begin{longtable}{r@{\\ " +
				"}>{\\raggedright}p{3.6cm}>{\\raggedright}p{6.6cm}" +
				">{\\raggedright\\arraybackslash}p{6.6cm}}\n&\\textit{place}&\\textit{for}" +
				"&\\textit{read}\\\\\\hline\\endhead\n")
		var whole []string
		for _, e := range all {
			if !e.weighty() && !r.tabulate(&b, &e) {
				whole = append(whole, fmt.Sprint(e.number))
			}
		}
		b.WriteString("\\end{longtable}}\n")
		if len(whole) > 0 {
			fmt.Fprintf(&b,
				"Entries %s of the supplement replace a display or a statement as a whole.\n",
				strings.Join(whole, ", "))
		}
	}
	fmt.Fprintf(&b, "\n\\section*{Software}\n%s. \\doi{\\rule{4cm}{0.4pt}} %s\n",
		latexText(r.cite()),
		latexText("The statements, the checks and every counterexample are part of it."))
	b.WriteString("\\end{document}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// longSlip is the number of characters above which a correction is left to the supplement.
const longSlip = 180

// tabulate writes the rows of a slip, and reports whether each of its statements that has a
// corrected form has one that is short.
func (r *Report) tabulate(b *strings.Builder, e *erratum) bool {
	told := true
	var before []slip // of one slip, which often stands in several places
	for _, c := range e.Claims {
		if c.Corrected == nil {
			told = false
			continue
		}
		found := slips(c.Statement, c.Corrected.Statement)
		short := len(found) > 0
		for _, s := range found {
			short = short && utf8.RuneCountInString(s.instead+s.read) <= longSlip
		}
		if !short {
			told = false
			continue
		}
		if slices.Equal(found, before) {
			continue
		}
		before = found
		var instead, read []string
		for i, s := range found {
			mark := ""
			if len(found) > 1 {
				mark = fmt.Sprintf("(%c) ", 'a'+i)
			}
			instead, read = append(instead, mark+latexText(s.instead)),
				append(read, mark+latexText(s.read))
		}
		fmt.Fprintf(b, "%d&%s&%s&%s\\\\\n", e.number, latexText(r.spot(c.Claim)),
			strings.Join(instead, "; "), strings.Join(read, "; "))
	}
	return told
}

// verbatim sets a line letter by letter, so that it can be taken out of the document and used, in
// the fixed font of LaTeX, whose signs are those of ASCII but for the straight quotation mark. It
// may break after every eighth one that is no hyphen.
func verbatim(s string) string {
	var b strings.Builder
	together, before := 0, ' '
	for _, r := range s {
		// readers of PDF take a hyphen at the end of a line for that of a broken word
		if together >= 8 && before != '-' {
			b.WriteString(`\allowbreak{}`)
			together = 0
		}
		together, before = together+1, r
		switch {
		case r == '\'': // the straight one
			b.WriteString(`{\char13}`)
		case r < 0x80 && (isASCIILetter(r) || r >= '0' && r <= '9' || r == ' ' || r == ':' ||
			r == '.'):
			b.WriteRune(r)
		case r > ' ' && r < 0x7F:
			fmt.Fprintf(&b, `{\char%d}`, r)
		default:
			b.WriteString(latexText(string(r)))
		}
	}
	return b.String()
}
