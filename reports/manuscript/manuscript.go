// Package manuscript reads the LaTeX source of a paper: its results with their numbers and labels,
// its displays with their lines and digests, and what refers to what. A skeleton of a ledger is
// made of that, and later a comparison with another version of the source.
package manuscript

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Paper is what was read.
type Paper struct {
	Title, Authors string
	SHA256         string // of the source, in hexadecimal
	Lines          int    // of the source and of what it includes
	Results        []Result
	Displays       []Display // outside of results and their proofs
	// kinds of results that the source uses and no \newtheorem defines: they are counted together,
	// but for assumptions
	Missing  []string
	Included []File   // files that the source includes, in the order of the text
	Missed   []string // those that it includes and that cannot be read
}

// File is a file that a source includes.
type File struct {
	Name   string // with slashes, relative to the directory of the source
	SHA256 string // in hexadecimal
}

// Result is a theorem, a lemma, an assumption or the like, with the proof that follows it.
type Result struct {
	ID      string // for a ledger: the label in small letters, or kind and number
	Kind    string // as it is printed: Theorem
	Number  string // as it is printed: 3, or 2.1; empty if it has none
	Label   string
	Section string // in which it stands
	Lines   Lines
	// the words, with formulas between dollar signs in the notation of ledgers as far as possible
	Text     string
	Displays []Display // those of the statement, and then those of the proof
	Uses     []string  // labels that statement and proof refer to, of other results
	proof    int       // how many displays are those of the statement
	again    string    // the command that states it again; empty if there is none
}

// Lines are lines of a file, from 1; both are meant.
type Lines struct {
	File        string // "" for the source itself
	First, Last int
}

// String is such as "12-14", or "proofs.tex:12-14".
func (l Lines) String() string {
	at := ""
	if l.File != "" {
		at = l.File + ":"
	}
	if l.First == l.Last {
		return at + strconv.Itoa(l.First)
	}
	return fmt.Sprintf("%s%d-%d", at, l.First, l.Last)
}

// Display is a displayed formula, with all its rows.
type Display struct {
	Lines   Lines
	Numbers string // "(3)", "(3)-(5)"; empty if no row has one
	Label   string
	Formula string // in the notation of ledgers as far as possible
	// the first twelve digits of the SHA-256 of the source, with any space as one blank
	Digest string
}

// Read reads the source of a paper, with the files that it includes and of the style files that lie
// beside it the definitions, of which only \newtheorem and \newcommand count. An error says that
// the source cannot be read, is no source of a paper, is too large, or includes itself.
func Read(source string, files Files) (*Paper, error) {
	text, err := files(source)
	if err != nil {
		return nil, err
	}
	if !strings.Contains(text, `\begin`) && !strings.Contains(text, `\documentclass`) {
		return nil, fmt.Errorf(`%s: there is no \begin in it: want the LaTeX source of a paper`,
			source)
	}
	j := joiner{files: files, source: source, paper: &Paper{SHA256: digestOf(text)}}
	if err := j.join(source, text); err != nil {
		return nil, err
	}
	r := &reader{text: j.text.String(), pieces: j.pieces, paper: j.paper, counts: map[string]int{},
		kinds: map[string]kind{}, macros: map[string]macro{}}
	r.paper.Lines = strings.Count(r.text, "\n") + 1
	for _, d := range append(styles(r.text, files), r.text) {
		r.define(uncommented(d))
	}
	for at, c := range r.text {
		if c == '\n' {
			r.ends = append(r.ends, at)
		}
	}
	r.read()
	r.name()
	return r.paper, nil
}

// withoutComment is what LaTeX reads of a line: all before a percent sign that is not escaped.
func withoutComment(line string) string {
	for at := range len(line) {
		if line[at] == '%' && (at-len(strings.TrimRight(line[:at], `\`)))%2 == 0 {
			return line[:at]
		}
	}
	return line
}

// uncommented takes comments away and leaves lines and their number as they are.
func uncommented(s string) string {
	lines := strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	verbatim := false
	for i, l := range lines {
		if !verbatim {
			lines[i] = withoutComment(l)
		}
		if strings.Contains(l, `\begin{verbatim}`) || strings.Contains(l, `\begin{lstlisting}`) {
			verbatim = true
		}
		if verbatim {
			lines[i] = ""
		}
		if strings.Contains(l, `\end{verbatim}`) || strings.Contains(l, `\end{lstlisting}`) {
			verbatim = false
		}
	}
	return strings.Join(lines, "\n")
}

// kind is an environment of results.
type kind struct {
	title   string
	counter string // "" for no number
	within  string // the section level that its number begins with
}

// macro is what a command of the author stands for.
type macro struct {
	args int
	body string
}

type reader struct {
	text   string  // of the source, with what it includes
	pieces []piece // of the text, in its order
	ends   []int   // of lines
	paper  *Paper
	kinds  map[string]kind
	macros map[string]macro
	counts map[string]int
	within string // what numbers of equations begin with: section, or nothing

	appendix bool
	section  string
	open     *Result // the result whose environment is open
	called   string  // that environment
	proofOf  int     // index of the result that a proof is of, −1 for none
}

var (
	newTheorem = regexp.MustCompile(`\\newtheorem(\*?)\s*\{([^{}]*)\}\s*(?:\[([^\]]*)\])?\s*`)
	newCommand = regexp.MustCompile(
		`\\(?:(?:re)?newcommand|providecommand|DeclareMathOperator)\*?\s*\{?\s*(\\[A-Za-z]+)\s*\}?\s*(?:\[(\d)\])?\s*`)
	definition = regexp.MustCompile(`\\def\s*(\\[A-Za-z]+)\s*((?:#\d)*)`)
	numberIn   = regexp.MustCompile(`\\numberwithin\s*\{equation\}\s*\{(section|subsection)\}`)
)

// define takes what a text defines.
func (r *reader) define(text string) {
	for _, m := range newTheorem.FindAllStringSubmatchIndex(text, -1) {
		title, end := group(text, m[1])
		if end < 0 {
			continue
		}
		name, k := text[m[4]:m[5]], kind{title: plainWords(title), counter: text[m[4]:m[5]]}
		if m[6] >= 0 {
			k.counter = text[m[6]:m[7]]
			k.within = r.kinds[k.counter].within
		}
		if rest := strings.TrimLeft(text[end:], " "); strings.HasPrefix(rest, "[") {
			k.within, _, _ = strings.Cut(rest[1:], "]")
		}
		if m[3] > m[2] {
			k.counter = ""
		}
		r.kinds[name] = k
	}
	for _, m := range newCommand.FindAllStringSubmatchIndex(text, -1) {
		if body, end := group(text, m[1]); end >= 0 {
			args := 0
			if m[4] >= 0 {
				args, _ = strconv.Atoi(text[m[4]:m[5]])
			}
			r.macros[text[m[2]:m[3]]] = macro{args, body}
		}
	}
	for _, m := range definition.FindAllStringSubmatchIndex(text, -1) {
		if body, end := group(text, m[1]); end >= 0 {
			r.macros[text[m[2]:m[3]]] = macro{strings.Count(text[m[4]:m[5]], "#"), body}
		}
	}
	if m := numberIn.FindStringSubmatch(text); m != nil {
		r.within = m[1]
	}
}

// group returns what is between the brace at a place and the one that closes it, and the place
// behind; −1 if no group begins or ends.
func group(s string, at int) (inner string, end int) {
	if at >= len(s) || s[at] != '{' {
		return "", -1
	}
	depth := 0
	for i := at; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return s[at+1 : i], i + 1
			}
		}
	}
	return "", -1
}

// token is what the structure of a source is made of. A doubled backslash is one, so that a bracket
// behind it is none.
var token = regexp.MustCompile(
	`\\\\|\\(?:begin|end)\s*\{([^{}]*)\}|\\(?:sub)*section\*?\s*(?:\[[^\]]*\]\s*)?\{|` +
		`\\appendix\b|\\\[|\$\$|\\(?:[Cc]ref|ref|eqref|autoref|Cpageref)\*?\s*\{([^{}]*)\}|` +
		`\\(?:title|author)\s*(?:\[[^\]]*\]\s*)?\{|\\(set|addto)counter\s*\{([^{}]*)\}\s*\{(-?[0-9]{1,9})\}`)

// displays are the environments that show a formula, and whether each row has a number.
var displays = map[string]bool{"equation": false, "multline": false, "align": true, "gather": true,
	"eqnarray": true, "flalign": true, "alignat": true, "displaymath": false}

// usual are the environments of results that most papers have.
var usual = map[string]string{"theorem": "Theorem", "lemma": "Lemma", "proposition": "Proposition",
	"corollary": "Corollary", "definition": "Definition", "assumption": "Assumption",
	"remark": "Remark", "claim": "Claim",
	"fact": "Fact", "conjecture": "Conjecture", "observation": "Observation", "thm": "Theorem",
	"lem": "Lemma", "prop": "Proposition", "cor": "Corollary", "defn": "Definition",
	"assump": "Assumption", "rem": "Remark", "example": "Example", "property": "Property",
	"condition": "Condition"}

// lines are the lines from a place to another one, both meant, up to the end of the file in which
// they begin.
func (r *reader) lines(from, to int) Lines {
	line := func(at int) (p piece, line int) {
		k, is := slices.BinarySearchFunc(r.pieces, at,
			func(p piece, at int) int { return p.at - at })
		for ; is && k+1 < len(r.pieces) && r.pieces[k+1].at == at; k++ {
		}
		if !is {
			k--
		}
		before, _ := slices.BinarySearch(r.ends, r.pieces[k].at)
		n, _ := slices.BinarySearch(r.ends, at)
		return r.pieces[k], r.pieces[k].line + n - before
	}
	p, first := line(from)
	q, last := line(to)
	if q.file != p.file {
		last = first
	}
	return Lines{p.file, first, last}
}

func (r *reader) read() {
	r.proofOf = -1
	for at := 0; at < len(r.text); {
		m := token.FindStringSubmatchIndex(r.text[at:])
		if m == nil {
			return
		}
		for i := range m {
			if m[i] >= 0 {
				m[i] += at
			}
		}
		at = max(r.one(m), m[1])
	}
}

// one takes a token and returns where to go on.
func (r *reader) one(m []int) int {
	word := r.text[m[0]:m[1]]
	command := strings.TrimLeft(word, `\`)
	switch {
	case strings.HasPrefix(word, `\\`):
	case strings.HasPrefix(command, "begin"):
		return r.begin(strings.TrimSpace(r.text[m[2]:m[3]]), m[0], m[1])
	case strings.HasPrefix(command, "end"):
		r.end(strings.TrimSpace(r.text[m[2]:m[3]]))
	case command == "[" || word == "$$":
		closing := map[string]string{"[": `\]`, "$$": "$$"}[command]
		if n := strings.Index(r.text[m[1]:], closing); n >= 0 {
			r.display(r.text[m[1]:m[1]+n], "", m[0], m[1]+n+len(closing))
			return m[1] + n + len(closing)
		}
	case command == "appendix":
		r.appendix = true
		r.counts["section"] = 0
	case m[4] >= 0:
		r.refer(r.text[m[4]:m[5]])
	case m[6] >= 0:
		counter, by := r.counter(r.text[m[8]:m[9]]), 0
		by, _ = strconv.Atoi(r.text[m[10]:m[11]])
		if strings.HasPrefix(command, "set") {
			r.counts[counter] = 0
		}
		r.counts[counter] = max(0, r.counts[counter]+by)
	case strings.HasPrefix(command, "title") || strings.HasPrefix(command, "author"):
		inner, end := group(r.text, m[1]-1)
		if end < 0 {
			break
		}
		if strings.HasPrefix(command, "title") {
			r.paper.Title = cmp.Or(r.paper.Title, r.words(inner))
		} else {
			r.paper.Authors = cmp.Or(r.paper.Authors, names(inner))
		}
		return end
	case strings.Contains(command, "section"):
		inner, end := group(r.text, m[1]-1)
		if end < 0 {
			break
		}
		level, _, _ := strings.Cut(command, "{")
		r.enter(strings.TrimSpace(level), inner)
		return end
	}
	return m[1]
}

// counter is what counts the results of a name.
func (r *reader) counter(name string) string {
	if k, defined := r.kinds[name]; defined {
		return k.counter
	}
	switch title := usual[name]; title {
	case "":
		return name
	case "Assumption", "Condition":
		return "assumptions that nothing defines"
	}
	return "results that nothing defines"
}

// enter enters a section.
func (r *reader) enter(level, title string) {
	if level, numbered := strings.CutSuffix(level, "*"); !numbered {
		r.counts[level]++
		inner := map[string][]string{"section": {"subsection", "subsubsection"},
			"subsection": {"subsubsection"}}[level]
		for _, l := range inner {
			r.counts[l] = 0
		}
		for _, k := range append(slices.Collect(maps.Values(r.kinds)),
			kind{counter: "equation", within: r.within}) {
			if k.within != "" && (k.within == level || slices.Contains(inner, k.within)) {
				r.counts[k.counter] = 0
			}
		}
	}
	if level == "section" || level == "section*" {
		r.section = r.words(title)
	}
	r.proofOf = -1
}

// number counts one on and returns the number as it is printed.
func (r *reader) number(counter, within string) string {
	r.counts[counter]++
	n := strconv.Itoa(r.counts[counter])
	switch within {
	case "section":
		return r.sectionNumber() + "." + n
	case "subsection":
		return r.sectionNumber() + "." + strconv.Itoa(r.counts["subsection"]) + "." + n
	}
	return n
}

func (r *reader) sectionNumber() string {
	if n := r.counts["section"]; r.appendix && n > 0 && n <= 26 {
		return string(rune('A' + n - 1))
	}
	return strconv.Itoa(r.counts["section"])
}

// restated matches what follows \begin{restatable}: a note, the environment that it is, the command
// that states it again.
var restated = regexp.MustCompile(`^\s*(\[[^\]]*\])?\s*\{([^{}]*)\}\s*\{([^{}]*)\}`)

// ending is where an environment of a name ends in a text; nil if it does not.
func ending(text, name string) []int {
	return regexp.MustCompile(`\\end\s*\{` + regexp.QuoteMeta(name) + `\}`).FindStringIndex(text)
}

// begin takes the beginning of an environment, from a place to another one.
func (r *reader) begin(name string, from, to int) int {
	plain := strings.TrimSuffix(name, "*")
	if _, is := displays[plain]; is {
		closing := ending(r.text[to:], name)
		if closing == nil {
			return to
		}
		r.display(r.text[to:to+closing[0]], name, from, to+closing[1])
		return to + closing[1]
	}
	if name == "proof" {
		r.proofOf = len(r.paper.Results) - 1
		before := strings.TrimSpace(r.text[:from])
		if k := slices.IndexFunc(r.paper.Results, func(s Result) bool {
			return s.again != "" && strings.HasSuffix(before, `\`+s.again+"*")
		}); k >= 0 { // it stands again, without a number of its own, and is proved there
			r.proofOf = k
		}
		if about := regexp.MustCompile(`^\s*\[[^\]]*?ref\*?\s*\{([^{}]*)\}`).FindStringSubmatch(
			r.text[to:]); about != nil {
			if k := slices.IndexFunc(r.paper.Results,
				func(s Result) bool { return s.Label == about[1] }); k >= 0 {
				r.proofOf = k
			}
		}
		return to
	}
	called, note, again := name, "", ""
	if m := restated.FindStringSubmatch(r.text[to:]); name == "restatable" && m != nil {
		note, name, again, to = m[1], strings.TrimSpace(m[2]), strings.TrimSpace(m[3]), to+len(m[0])
	}
	k, defined := r.kinds[name]
	if title, is := usual[name]; is && !defined {
		k, defined = kind{title: title, counter: r.counter(name)}, true
		if !slices.Contains(r.paper.Missing, name) {
			r.paper.Missing = append(r.paper.Missing, name)
		}
	}
	if !defined || r.open != nil {
		return to
	}
	s := Result{Kind: k.title, Section: r.section, again: again}
	if k.counter != "" {
		s.Number = r.number(k.counter, k.within)
	}
	end := ending(r.text[to:], called)
	if end == nil {
		return to // without an end it is none
	}
	body := r.text[to : to+end[0]]
	s.Label = labelOf(body)
	s.Text = r.words(regexp.MustCompile(`^\s*\[([^\]]*)\]`).ReplaceAllString(note+body, "$1. "))
	s.Lines = r.lines(from, to+end[1]-1)
	r.paper.Results = append(r.paper.Results, s)
	r.open, r.called = &r.paper.Results[len(r.paper.Results)-1], called
	return to
}

// end takes the end of an environment.
func (r *reader) end(name string) {
	switch {
	case r.open != nil && name == r.called:
		r.open.proof = len(r.open.Displays)
		r.open = nil
	case name == "proof":
		r.proofOf = -1
	}
}

// current is the result that a place belongs to, nil if it belongs to none.
func (r *reader) current() *Result {
	switch {
	case r.open != nil:
		return r.open
	case r.proofOf >= 0:
		return &r.paper.Results[r.proofOf]
	}
	return nil
}

var label = regexp.MustCompile(`\\label\s*\{([^{}]*)\}`)

// labelOf is the first label outside of displays.
func labelOf(body string) string {
	if end := regexp.MustCompile(`\\begin\s*\{|\\\[|\$\$`).FindStringIndex(body); end != nil {
		body = body[:end[0]]
	}
	return firstLabel(body)
}

func firstLabel(tex string) string {
	if m := label.FindStringSubmatch(tex); m != nil {
		return clean(m[1])
	}
	return ""
}

var (
	unnumbered = regexp.MustCompile(`\\(?:nonumber|notag)\b`)
	tag        = regexp.MustCompile(`\\tag\*?\s*\{([^{}]*)\}`)
	row        = regexp.MustCompile(`\\\\|\\(?:begin|end)\s*\{[^{}]*\}`)
)

// display takes a displayed formula.
func (r *reader) display(tex, name string, from, to int) {
	rows := []string{tex}
	plain, starred := strings.CutSuffix(name, "*")
	numbered := name != "" && !starred && plain != "displaymath"
	if displays[plain] {
		rows = splitRows(tex)
	}
	var numbers []string
	for _, one := range rows {
		switch m := tag.FindStringSubmatch(one); {
		case m != nil:
			numbers = append(numbers, clean(m[1]))
		case numbered && !unnumbered.MatchString(one):
			numbers = append(numbers, r.number("equation", r.within))
		}
	}
	written := r.formulas(rows)
	for i, one := range written {
		written[i] = r.formula(one)
	}
	d := Display{Lines: r.lines(from, to-1), Formula: strings.Join(written, "; "),
		Label: firstLabel(tex), Digest: digest(tex)}
	switch n := len(numbers); {
	case n == 1:
		d.Numbers = "(" + numbers[0] + ")"
	case n > 1:
		d.Numbers = "(" + numbers[0] + ")-(" + numbers[n-1] + ")"
	}
	for _, m := range regexp.MustCompile(
		`\\(?:[Cc]ref|ref|eqref)\*?\s*\{([^{}]*)\}`).FindAllStringSubmatch(tex, -1) {
		r.refer(m[1])
	}
	if d.Formula == "" { // nothing is displayed
		return
	}
	if s := r.current(); s != nil {
		s.Displays = append(s.Displays, d)
	} else {
		r.paper.Displays = append(r.paper.Displays, d)
	}
}

// formulas joins the rows of a display that go on with each other.
func (r *reader) formulas(rows []string) []string {
	var out []string
	for _, one := range rows {
		if n := len(out); n > 0 && goesOn(r.formula(out[n-1]), r.formula(one)) {
			out[n-1] += " " + one
		} else {
			out = append(out, one)
		}
	}
	return out
}

// goesOn reports whether the row of a display that is next goes on with those before it: an
// operator, an open bracket, a comma or an "and" is between them.
func goesOn(before, next string) bool {
	if before == "" || next == "" {
		return true
	}
	const open = "=≤≥≪≫≲≳≼≽≠≡≈∼∈<>+−·×/∨∧→⇒⇔≔∪∩⊂⊆"
	last, _ := utf8.DecodeLastRuneInString(before)
	first, _ := utf8.DecodeRuneInString(next)
	depth := 0
	for _, c := range before {
		switch {
		case strings.ContainsRune("([{", c):
			depth++
		case strings.ContainsRune(")]}", c):
			depth--
		}
	}
	return depth != 0 || strings.HasSuffix(before, " and") || strings.HasSuffix(before, " or") ||
		strings.ContainsRune(open+",;.:([{‖|", last) ||
		strings.ContainsRune(open+")]},;.:", first)
}

// splitRows splits the rows of a display, but for those of environments inside of it.
func splitRows(tex string) []string {
	var out []string
	depth, from := 0, 0
	for _, m := range row.FindAllStringIndex(tex, -1) {
		switch word := tex[m[0]:m[1]]; {
		case strings.HasPrefix(word, `\begin`):
			depth++
		case strings.HasPrefix(word, `\end`):
			depth--
		case depth == 0:
			out, from = append(out, tex[from:m[0]]), m[1]
		}
	}
	if rest := tex[from:]; strings.TrimSpace(rest) != "" || len(out) == 0 {
		out = append(out, rest)
	}
	return out
}

// refer notes that what is being read refers to labels.
func (r *reader) refer(labels string) {
	s := r.current()
	if s == nil {
		return
	}
	for l := range strings.SplitSeq(labels, ",") {
		if l = clean(l); l != "" && l != s.Label && !slices.Contains(s.Uses, l) {
			s.Uses = append(s.Uses, l)
		}
	}
}

// digest identifies a formula, however its source is set in lines.
func digest(tex string) string {
	return digestOf(strings.Join(strings.Fields(tex), " "))[:12]
}

// name gives the results ids, and leaves of what they use the results.
func (r *reader) name() {
	taken, of := map[string]bool{}, map[string]string{}
	for i := range r.paper.Results {
		s := &r.paper.Results[i]
		id := cmp.Or(slug(s.Label), slug(s.Kind+" "+s.Number), "result")
		for k, base := 2, id; taken[id]; k++ {
			id = fmt.Sprintf("%s-%d", base, k)
		}
		s.ID, taken[id] = id, true
		if s.Label != "" {
			of[s.Label] = id
		}
	}
	for i := range r.paper.Results {
		s := &r.paper.Results[i]
		var ids []string
		for _, l := range s.Uses {
			if id := of[l]; id != "" && id != s.ID {
				ids = append(ids, id)
			}
		}
		s.Uses = ids
	}
}

// slug makes an id of words.
func slug(s string) string {
	var b strings.Builder
	for _, c := range strings.ToLower(s) {
		switch {
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			b.WriteRune(c)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	return strings.Trim(b.String(), "-")
}
