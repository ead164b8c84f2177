package manuscript

import (
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sledge/props/ledger"
)

const small = `\documentclass{article}
\usepackage{own}
\newtheorem{theorem}{Theorem}[section]
\newtheorem{lemma}[theorem]{Lemma} % shares the counter
\newtheorem*{note}{Note}
\newcommand{\norm}[1]{\left\|#1\right\|}
\def\eps{\varepsilon}
\title{On \\ things}
\author{A. Author\thanks{nobody} \and B. Author}
\begin{document}
\section{Results}
\begin{lemma}[Descent]\label{lem:descent}
  Let $\eta\leq\frac{1}{2L}$. Then % a comment with \begin{theorem}
  \begin{align}
    f(y) &\le f(x) - \frac{\eta}{2}\norm{\nabla f(x)}^2, \label{eq:a}\\
    f(y) &\geq f^*. \nonumber
  \end{align}
\end{lemma}
\begin{proof}
  By smoothness, \[ 1 = 1. \]
\end{proof}
\begin{theorem}\label{main}
  $\min_{t<T}\norm{\nabla f(x^t)}^2\le\eps^2$ after $T\geq 2\Delta/(\eta\eps^2)$ steps, see \eqref{eq:a}.
  \begin{equation*} T = 1 \end{equation*}
\end{theorem}
\begin{note} Nothing. \end{note}
\section*{More}
\appendix
\section{Proofs}
\begin{proof}[Proof of \Cref{main}]
  Sum \cref{lem:descent} up:
  \begin{equation}\label{eq:sum}
    \begin{aligned} a &= b \\ c &= d \end{aligned}
  \end{equation}
\end{proof}
\begin{theorem} No label: $a_{i+1} \in \mathbb{R}$. \end{theorem}
\input{rest}
\end{document}
`

// read reads a source beside which a style file or none lies, and nothing else.
func read(source string, style ...string) (*Paper, error) {
	files := map[string]string{"it.tex": source}
	for _, s := range style {
		files["own.sty"] = s
	}
	return Read("it.tex", in(files))
}

// in are files in memory.
func in(files map[string]string) Files {
	return func(path string) (string, error) {
		if text, is := files[path]; is {
			return text, nil
		}
		return "", fs.ErrNotExist
	}
}

func TestRead(t *testing.T) {
	p, err := read(small)
	if err != nil {
		t.Fatal(err)
	}
	if p.Title != "On things" || p.Authors != "A. Author, B. Author" || len(p.Missing) != 0 ||
		!slices.Equal(p.Missed, []string{"rest"}) || len(p.Included) != 0 {
		t.Errorf("%+v", p)
	}
	var got []string
	for _, s := range p.Results {
		got = append(got, s.ID+"|"+s.Kind+" "+s.Number+"|"+s.Lines.String()+"|"+strings.Join(s.Uses,
			",")+"|"+s.Text)
		for k, d := range s.Displays {
			where := " "
			if k >= s.proof {
				where = " proof "
			}
			got = append(got, where+d.Lines.String()+" "+d.Numbers+" "+d.Label+" "+d.Formula)
		}
	}
	want := []string{
		"lem-descent|Lemma 1.1|12-18||Descent. Let $η ≤ 1/(2L)$. Then $f(y) ≤ f(x) − (η/2)‖∇f(x)‖², f(y) ≥ f*.$",
		" 14-17 (1) eq:a f(y) ≤ f(x) − (η/2)‖∇f(x)‖², f(y) ≥ f*.",
		" proof 20   1 = 1.",
		"main|Theorem 1.2|22-25|lem-descent|$min_{t < T}‖∇f(x^t)‖² ≤ ε²$ after $T ≥ 2Δ/(ηε²)$ steps, see [eq:a]. " +
			"$T = 1$",
		" 24   T = 1",
		" proof 32-34 (2) eq:sum a = b c = d",
		"note|Note |26||Nothing.",
		"theorem-a-1|Theorem A.1|36||No label: $a_{i+1} ∈ ℝ$.",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if _, err := read("no source"); err == nil ||
		!strings.Contains(err.Error(), `no \begin in it`) {
		t.Errorf("a text that is no source: %v", err)
	}
}

// A statement that stands twice, by a command of its own, is one result, and its proof is the one
// after the second place.
func TestRestated(t *testing.T) {
	p, err := read(`\newtheorem{theorem}{Theorem}
\begin{restatable}[Rate]{theorem}{rate}\label{t:rate} $a \leq b$. \[ a = b \] \end{restatable}
\begin{theorem}\label{t:other} $c$. \end{theorem}
\appendix
\rate*
\begin{proof} By \cref{t:other}, \[ d = e \] \end{proof}
`)
	if err != nil || len(p.Results) != 2 {
		t.Fatal(err, p)
	}
	r := p.Results[0]
	if r.Kind != "Theorem" || r.Number != "1" || r.Label != "t:rate" ||
		!strings.HasPrefix(r.Text, "Rate. $a ≤ b$.") ||
		len(r.Displays) != 2 || r.proof != 1 || !slices.Equal(r.Uses, []string{"t-other"}) {
		t.Errorf("%+v", r)
	}
	if o := p.Results[1]; o.Number != "2" || len(o.Displays) != 0 {
		t.Errorf("%+v", o)
	}
}

// Environments and macros of a style file count, those that nothing defines are counted together,
// and counters are set.
func TestDefinitions(t *testing.T) {
	text := `\usepackage{own}\begin{document}\begin{obs}$\half$\end{obs}\begin{lemma}a\end{lemma}
\begin{assumption}c\end{assumption}
\setcounter{theorem}{7}\begin{theorem}b\end{theorem}\end{document}`
	p, err := read(text, `\newtheorem{obs}{Observation}\newcommand\half{\frac12}`)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range p.Results {
		got = append(got, s.Kind+" "+s.Number+" "+s.Text)
	}
	if want := []string{"Observation 1 $1/2$", "Lemma 1 a", "Assumption 1 c",
		"Theorem 8 b"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if p.Uncertain() == "" || !slices.Equal(p.Missing, []string{"lemma", "assumption", "theorem"}) {
		t.Errorf("%q", p.Missing)
	}
}

// A display is the same however its source is set in lines, and another one if a sign of it
// changes.
func TestCompare(t *testing.T) {
	p, _ := read(small)
	skeleton := p.Skeleton("small.tex")
	gone, same, moved := p.Compare(skeleton)
	if len(gone) != 0 || same != 4 || moved != 0 {
		t.Errorf("against itself: %v gone, %d the same, %d moved", gone, same, moved)
	}
	q, err := read(strings.NewReplacer(`f(y) &\le`, `f(y)  &\le`, "1 = 1.", "1 = 2.", `\title`,
		"\n\\title").Replace(small))
	if err != nil {
		t.Fatal(err)
	}
	if gone, same, moved = q.Compare(skeleton); !slices.Equal(gone, []string{"20"}) || same != 0 ||
		moved != 3 {
		t.Errorf("against a revision: %v gone, %d the same, %d moved", gone, same, moved)
	}
}

// live takes the remarks away from the entries of a skeleton, but for formal lines, which are
// empty.
func live(skeleton string) string {
	var b strings.Builder
	entry := false
	for line := range strings.Lines(skeleton) {
		entry = entry && line != "\n" || strings.HasPrefix(line, "# [")
		if bare, is := strings.CutPrefix(line, "# "); is && entry && bare != "  formal:\n" {
			line = bare
		}
		b.WriteString(line)
	}
	return b.String()
}

func TestSkeleton(t *testing.T) {
	p, _ := read(small)
	text := p.Skeleton("small.tex")
	if l, err := ledger.Parse("small.ledger", text); err != nil || len(l.Claims) != 0 ||
		l.Text.SHA256 != p.SHA256 {
		t.Errorf("%v, %+v", err, l)
	}
	l, err := ledger.Parse("small.ledger", live(text))
	if err != nil || len(l.Claims) != 4 {
		t.Fatalf("%v in\n%s", err, live(text))
	}
	if c := l.Claims[1]; c.ID != "main" || c.Theorem != "Theorem 1.2" || c.Lines != "22-25" ||
		c.Part != "results" ||
		!slices.Equal(c.Uses, []string{"lem-descent"}) || c.Kind != "theorem" || c.Tier != 1 {
		t.Errorf("%+v", c)
	}
}

// Whatever a source holds, its skeleton is a ledger, with its entries in remarks and without.
func FuzzRead(f *testing.F) {
	f.Add("\\begin{restatable}[a]{theorem}{b} $c$ \\end{restatable}\\b*\\begin{proof}\\[d\\]\\end{proof}")
	f.Add(small)
	f.Add(`\begin{theorem}\label{a]b;c}note: $x$ [y]: \frac\frac{1}{`)
	f.Add(
		"\\begin{lemma}\u202e\x00\tformal: a\\end{lemma}\\section{}\\begin{align}\\\\[2mm]\\tag{\n}\\end{align}$$ $")
	f.Add(
		"\\begin{theorem}\\[\\]$$ $$\\label{a b}\\begin{equation}\\label{(1 –}\\tag{ " +
			"}x\\end{equation}\\end{theorem}\\[\\left.\\]")
	f.Add(
		`\newcommand{\a}{\a\a}\newtheorem{x}{}[section]\begin{x}\a\end{x}\appendix\section{a}\begin{x}\end{x}`)
	f.Fuzz(func(t *testing.T, source string) {
		p, err := read(source, source)
		if err != nil {
			return
		}
		text := p.Skeleton("it.tex")
		if _, err := ledger.Parse("it.ledger", text); err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if l, err := ledger.Parse("it.ledger", live(text)); err != nil ||
			len(l.Claims) != len(p.Results) {
			t.Fatalf("%v in\n%s", err, live(text))
		}
	})
}

// Displays outside of results stand at the end of a skeleton, and are compared like the others.
func TestDisplaysOutsideOfResults(t *testing.T) {
	source := strings.Replace(small, `\begin{document}`,
		"\\begin{document}\n\\[ \\left. x \\right|_{t} = 0 \\]", 1)
	p, err := read(source)
	if err != nil || len(p.Displays) != 1 || strings.Contains(p.Displays[0].Formula, ".") {
		t.Fatalf("%v, %+v", err, p.Displays)
	}
	text := p.Skeleton("small.tex")
	l, err := ledger.Parse("small.ledger", text)
	if err != nil || len(l.Text.Displays) != 5 {
		t.Fatalf("%v, %d displays", err, len(l.Text.Displays))
	}
	if got := l.Text.Displays[4]; got.Formula != p.Displays[0].Formula ||
		got.Digest != p.Displays[0].Digest {
		t.Errorf("%+v", got)
	}
	if gone, same, _ := p.Compare(text); len(gone) > 0 || same != 5 {
		t.Errorf("%v gone, %d the same", gone, same)
	}
}

// What a source includes is read where it stands: numbers go on, macros count, and lines are those
// of its file.
func TestIncluded(t *testing.T) {
	files := map[string]string{
		"it.tex": `\documentclass{article}
\input defs
\begin{document}
\begin{lemma}\label{one} $a \leq b$. \end{lemma} \input{parts/first} \begin{lemma} $e$. \end{lemma}
% \input{hidden}
\include{parts/second.tex}\import{parts/}{third}
\input{nowhere}\input{../outside}\input{/etc/hosts}
\end{document}
`,
		"defs.tex": "% macros\n\\newtheorem{lemma}{Lemma}\n\\newcommand{\\half}{\\frac12}\n",
		"parts/first.tex": `
\begin{lemma}\label{two}
  \[ c = \half \]
\end{lemma}
\begin{proof} By \cref{one}. \input{deeper} \end{proof}`,
		"parts/deeper.tex": "\n\\begin{equation}\n d \\end{equation}",
		"parts/second.tex": "\\documentclass{subfiles}\n\\begin{lemma} f \\end{lemma}",
		"parts/third.tex":  "\\begin{lemma} \\input{parts/body} \\end{lemma}",
		"parts/body.tex":   "\n\\[ g \\]",
		"hidden.tex":       `\begin{lemma} h \end{lemma}`,
	}
	p, err := Read("it.tex", in(files))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range p.Results {
		got = append(got, s.Number+" "+s.Lines.String()+" "+s.Text)
		for _, d := range s.Displays {
			got = append(got, "  "+d.Lines.String()+" "+d.Formula)
		}
	}
	want := []string{"1 4 $a ≤ b$.", "2 parts/first.tex:2-4 $c = 1/2$", "  parts/first.tex:3 c = 1/2",
		"  parts/deeper.tex:2-3 d", "3 4 $e$.", "4 parts/second.tex:2 f", "5 parts/third.tex:1 $g$",
		"  parts/body.tex:2 g"}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if want := []string{"nowhere", "../outside", "/etc/hosts"}; !slices.Equal(p.Missed, want) {
		t.Errorf("not read: %q, want %q", p.Missed, want)
	}
	text := p.Skeleton("it.tex")
	l, err := ledger.Parse("it.ledger", live(text))
	if err != nil || len(l.Claims) != 5 || len(l.Text.Displays) != 3 {
		t.Fatalf("%v in\n%s", err, text)
	}
	if c := l.Claims[1]; c.Lines != "parts/first.tex:2-4" || len(l.Text.Shown(c.Lines)) != 1 ||
		len(l.Text.Shown("2-4")) != 0 {
		t.Errorf("%+v shows %v", c, l.Text.Shown(c.Lines))
	}
	if gone, same, moved := p.Compare(text); len(gone) != 0 || same != 3 || moved != 0 {
		t.Errorf("against itself: %v gone, %d the same, %d moved", gone, same, moved)
	}
	if !strings.Contains(text, "\n# sha256 of parts/deeper.tex: "+digestOf(files["parts/deeper.tex"])) {
		t.Error("a file that is read is not named with its digest")
	}
}

// Files that include themselves, by whatever way, that are too many or too large are refused in one
// sentence.
func TestIncludedWithoutEnd(t *testing.T) {
	many := map[string]string{"it.tex": `\begin{document}\input{f0}`}
	for k := range 20 {
		many[fmt.Sprintf("f%d.tex", k)] = strings.Repeat(fmt.Sprintf(`\input{f%d}`, k+1), 2)
	}
	large := map[string]string{"it.tex": `\begin{a}` + strings.Repeat(`\input{f}`, 20),
		"f.tex": strings.Repeat("a", 1<<20)}
	for _, c := range []struct {
		files map[string]string
		said  string
	}{
		{map[string]string{"it.tex": `\begin{document}\input{it}`}, "it.tex, which includes it.tex again"},
		{map[string]string{"it.tex": `\begin{document}\input{a}`, "a.tex": `\input{b}`,
			"b.tex": `\subfile{a}`}, "a.tex includes b.tex, which includes a.tex again"},
		{many, "the source includes more than 1000 files"},
		{large, "the source has more than 16777216 bytes with the files that it includes"},
		{map[string]string{}, fs.ErrNotExist.Error()},
	} {
		if _, err := Read("it.tex", in(c.files)); err == nil || err.Error() != c.said {
			t.Errorf("%v, want %s", err, c.said)
		}
	}
	if _, err := Read("it.tex", func(string) (string, error) {
		return "", errors.New("unreadable")
	}); err == nil {
		t.Error("a source that cannot be read is none")
	}
}

// Rows of a display that do not go on with each other are formulas of their own.
func TestRows(t *testing.T) {
	p, err := read(`\newtheorem{lemma}{Lemma}\begin{document}\begin{lemma}We have
\begin{align} x &\ge 0 \\ y &\le 1 \\ &= 2, \\ z &= \max( a, \\ &\quad b) \text{ and} \\ w &= 3 \end{align}
\end{lemma}\end{document}`)
	if err != nil {
		t.Fatal(err)
	}
	r := p.Results[0]
	if got, want := r.Displays[0].Formula, "x ≥ 0; y ≤ 1 = 2, z = max ( a, b) and w = 3"; got != want {
		t.Errorf("the display is %q, want %q", got, want)
	}
	if got, want := r.Text, "We have $x ≥ 0$; $y ≤ 1 = 2, z = max ( a, b) and w = 3$"; got != want {
		t.Errorf("the lemma is %q, want %q", got, want)
	}
}

// A command that is the argument of another one, or stands above the line, keeps its own arguments.
func TestArguments(t *testing.T) {
	r := &reader{}
	for tex, want := range map[string]string{
		`C_1^\frac12 C_c`: "C_1^{1/2} C_c",
		`f = \begin{cases} 0 & (t < 1) \\ t & (t \ge 1) \\ \end{cases}`: "f = 0 (t < 1); t (t ≥ 1)",
		`n^\frac{2}{3}`:             "n^{2/3}",
		`\frac{C^\frac12}{\sqrt n}`: "(C^{1/2})/√n",
		`x^\alpha y`:                "x^α y",
	} {
		if got := r.formula(tex); got != want {
			t.Errorf("%s is %q, want %q", tex, got, want)
		}
	}
}
