package manuscript

import (
	"cmp"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"sledge/props/plain"
	"sledge/reports"
)

// signs are what commands stand for beside those that reports set formulas with.
var signs = sync.OnceValue(func() map[string]string {
	out := reports.Signs()
	for _, pair := range strings.Fields(
		`leq:≤ geq:≥ neq:≠ leqslant:≤ geqslant:≥ preceq:≼ epsilon:ε varphi:φ ` +
			`phi:φ rightarrow:→ ` +
			`longrightarrow:→ Longrightarrow:⇒ implies:⇒ sim:∼ sum:Σ prod:Π dots:… cdots:… ldots:… vdots:… lVert:‖ ` +
			`rVert:‖ Vert:‖ ` +
			`lvert:| rvert:| vert:| mid:| lbrace:{ rbrace:} cup:∪ bigcup:∪ bigcap:∩ setminus:∖ ` +
			`ell:ℓ prime:′ ast:* star:* ` +
			`eps:ε because:∵ therefore:∴ R:ℝ E:E N:ℕ Z:ℤ colon:: succeq:≽ iff:⇔ Leftrightarrow:⇔ coloneqq:≔ ` +
			`triangleq:≔ top:ᵀ wedge:∧ vee:∨ infty:∞ land:∧ lor:∨ neg:¬`) {
		name, sign, _ := strings.Cut(pair, ":")
		out[`\`+name] = sign
	}
	return out
})

// silent are commands that change how a formula looks and not what it says.
var silent = map[string]bool{}

func init() {
	for _, w := range strings.Fields(
		`left right big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr Biggl Biggr ` +
			`displaystyle ` +
			`textstyle scriptstyle limits nolimits nonumber notag rm bf it cal small footnotesize centering noindent ` +
			`quad qquad ` +
			`mathrm mathbf mathit mathcal mathsf mathbb boldsymbol bm text textit textbf textrm emph mbox hbox ` +
			`operatorname ` +
			`ensuremath underline overbrace underbrace mathop mathbbm substack mathrel item ` +
			`hfill newline par protect ` +
			`xspace label`) {
		silent[w] = true
	}
}

// accents are commands that set a sign above a letter.
var accents = map[string]string{"tilde": "\u0303", "widetilde": "\u0303", "bar": "\u0304",
	"overline": "\u0304", "hat": "\u0302", "widehat": "\u0302"}

// mostExpanded bounds what macros make of a formula.
const mostExpanded = 1 << 16

// formula writes a formula in the notation of ledgers, as far as there is a sign for what stands
// there. Commands that are not known stay as they are.
func (r *reader) formula(tex string) string {
	tex = label.ReplaceAllString(tex, "")
	tex = tag.ReplaceAllString(tex, "")
	tex = cases.ReplaceAllStringFunc(tex, func(s string) string {
		s = continued.ReplaceAllString(ended.ReplaceAllString(s, `$1`), ", ")
		return between.ReplaceAllString(s, "; ")
	})
	return clean(apart.ReplaceAllString(setDeep(r.expand(tex), 0), " $1 "))
}

// cases are rows of which one holds.
var cases = regexp.MustCompile(`(?s)\\begin\s*\{[dr]?cases\*?\}.*?\\end\s*\{[dr]?cases\*?\}`)

// between two rows, after a comma and after the last one.
var (
	continued = regexp.MustCompile(`,\s*\\\\\s*`)
	between   = regexp.MustCompile(`\s*\\\\\s*`)
	ended     = regexp.MustCompile(`\s*\\\\\s*(\\end\s*\{[dr]?cases)`)
)

// apart are relations, which stand between blanks.
var apart = regexp.MustCompile(`([≤≥≪≫≲≳≼≽≠≡≈∼∈∉⊂⊆→⇒⇔≔∀]|:=|[<>]|=)`)

var command = regexp.MustCompile(`\\[A-Za-z]+`)

// expand puts what macros of the author stand for.
func (r *reader) expand(tex string) string {
	for range 8 {
		changed := false
		var b strings.Builder
		at := 0
		for _, m := range command.FindAllStringIndex(tex, -1) {
			if m[0] < at {
				continue
			}
			known, is := r.macros[tex[m[0]:m[1]]]
			if !is {
				continue
			}
			body, end := known.body, m[1]
			for k := range known.args {
				next := end + len(tex[end:]) - len(strings.TrimLeft(tex[end:], " \n"))
				arg, after := group(tex, next)
				if after < 0 {
					break
				}
				body, end = strings.ReplaceAll(body, "#"+string(rune('1'+k)), arg), after
			}
			b.WriteString(tex[at:m[0]])
			b.WriteString("{" + body + "}")
			at, changed = end, true
			if b.Len() > mostExpanded {
				return tex
			}
		}
		b.WriteString(tex[at:])
		if !changed {
			break
		}
		tex = b.String()
	}
	return tex
}

// setDeep sets a formula whose macros are expanded.
func setDeep(tex string, depth int) string {
	if depth > 40 {
		return tex
	}
	var b strings.Builder
	for at := 0; at < len(tex); {
		switch c := tex[at]; {
		case c == '\\' && at+1 < len(tex) && !isLetter(tex[at+1]):
			b.WriteString(map[byte]string{'|': "‖", '\\': " ", '{': "{", '}': "}", ',': " ",
				';': " ", ':': " ", ' ': " ",
				'%': "%", '_': "_", '&': "&", '#': "#", '(': "", ')': "", '[': "",
				']': ""}[tex[at+1]])
			at += 2
		case c == '\\':
			end := pastLetters(tex, at+1)
			at = setCommand(&b, tex, tex[at+1:end], end, depth)
		case c == '^' || c == '_':
			inner, end := argument(tex, at+1)
			b.WriteString(script(c, setDeep(inner, depth+1)))
			at = end
		case c == '{':
			inner, end := group(tex, at)
			if end < 0 {
				return b.String() + tex[at+1:]
			}
			b.WriteString(setDeep(inner, depth+1))
			at = end
		case c == '&' || c == '~' || c == '\n':
			b.WriteByte(' ')
			at++
		case c == '$' || c == '}':
			at++
		case c == '-':
			b.WriteString("−")
			at++
		default:
			b.WriteByte(c)
			at++
		}
	}
	return b.String()
}

// setCommand sets a command whose name ends at a place, and returns the place behind what belongs
// to it.
func setCommand(b *strings.Builder, tex, name string, end, depth int) int {
	if end < len(tex) && tex[end] == '*' && !strings.HasSuffix(name, "ast") {
		if starred := strings.HasSuffix(name, "ref") || name == "operatorname" || name == "tag" ||
			name == "vspace" ||
			name == "hspace"; starred {
			end++
		}
	}
	one := func() (s string) {
		s, end = argument(tex, end)
		return setDeep(s, depth+1)
	}
	switch {
	case strings.HasSuffix(name, "frac") && len(name) <= 5:
		over := clean(one())
		if sum.MatchString(over) {
			over = "(" + over + ")"
		}
		over += "/" + bracketed(one())
		if !last(tex[end:]) {
			over = "(" + over + ")"
		}
		b.WriteString(over)
	case name == "sqrt":
		b.WriteString("√" + bracketed(one()))
	case name == "binom":
		over := one()
		b.WriteString("C(" + over + ", " + one() + ")")
	case accents[name] != "":
		over := strings.TrimSpace(one())
		if b.WriteString(over); utf8.RuneCountInString(over) == 1 {
			b.WriteString(accents[name])
		}
	case name == "begin" || name == "end":
		_, end = argument(tex, end)
		b.WriteByte(' ')
	case name == "mathbb":
		inner := one()
		b.WriteString(cmp.Or(map[string]string{"R": "ℝ"}[inner], inner))
	case strings.HasPrefix(name, "cite") || name == "vspace" || name == "hspace" ||
		name == "footnote" || name == "textsuperscript":
		_, end = argument(tex, end)
	case strings.HasSuffix(name, "ref") && len(name) <= 8:
		inner, after := argument(tex, end)
		end = after
		b.WriteString("[" + clean(inner) + "]")
	case signs()[`\`+name] != "":
		b.WriteString(signs()[`\`+name])
		for end < len(tex) && tex[end] == ' ' { // as LaTeX does behind a command
			end++
		}
	case silent[name]:
		if strings.HasSuffix(name, "quad") {
			b.WriteString("  ")
		}
		if blank := len(tex[end:]) - len(strings.TrimLeft(tex[end:], " ")); (name == "left" ||
			name == "right") &&
			strings.HasPrefix(tex[end+blank:], ".") { // no bracket
			end += blank + 1
		}
	case strings.Contains(" log exp min max inf sup lim det tr arg deg dim ker ln sin cos tan Pr ",
		" "+name+" "):
		b.WriteString(" " + name)
		if rest := strings.TrimLeft(tex[end:], " \n"); !strings.HasPrefix(rest, "_") &&
			!strings.HasPrefix(rest, "^") {
			b.WriteByte(' ')
		}
	default:
		b.WriteString(`\` + name + " ")
	}
	return end
}

// taken is how many arguments go with a command that is one itself, as in x^\frac12.
var taken = map[string]int{"frac": 2, "dfrac": 2, "tfrac": 2, "sqrt": 1, "text": 1, "mathrm": 1,
	"mathbf": 1, "mathcal": 1}

// argument is what a command or a script takes at a place: a group, a command with what it takes,
// or one character.
func argument(tex string, at int) (inner string, end int) {
	for at < len(tex) && (tex[at] == ' ' || tex[at] == '\n') {
		at++
	}
	switch {
	case at >= len(tex):
		return "", at
	case tex[at] == '{':
		if inner, end := group(tex, at); end >= 0 {
			return inner, end
		}
		return "", at + 1
	case tex[at] == '\\':
		end := pastLetters(tex, at+1)
		if end == at+1 {
			end = min(len(tex), at+2)
		}
		for range taken[tex[at+1:end]] {
			_, end = argument(tex, end)
		}
		return tex[at:end], end
	}
	_, size := utf8.DecodeRuneInString(tex[at:])
	return tex[at : at+size], at + size
}

// pastLetters is where the letters from a place on end.
func pastLetters(tex string, at int) int {
	for at < len(tex) && isLetter(tex[at]) {
		at++
	}
	return at
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

var raised = map[string]string{"0": "⁰", "1": "¹", "2": "²", "3": "³", "4": "⁴", "*": "*", "′": "′",
	"ᵀ": "ᵀ"}

// script sets what stands above or below the line.
func script(c byte, inner string) string {
	inner = clean(inner)
	switch {
	case inner == "":
		return ""
	case c == '^' && raised[inner] != "":
		return raised[inner]
	case len([]rune(inner)) == 1:
		return string(c) + inner
	}
	return string(c) + "{" + inner + "}"
}

// sum is what a fraction does not bind: everything but products.
var sum = regexp.MustCompile(`[-+−±=<>≤≥∈,∧∨/:]| [a-z]`)

// atom is a number, or a letter with what stands above and below it.
var atom = regexp.MustCompile(`^(?:[0-9.]+|\pL\pM?)(?:[⁰¹²³⁴′ᵀ*]|[_^](?:.|\{[^{}]*\}))*$`)

// bracketed is what stands below a fraction or under a root: in brackets, but for an atom.
func bracketed(s string) string {
	if s = clean(s); atom.MatchString(s) ||
		strings.HasPrefix(s, "√") && atom.MatchString(strings.TrimPrefix(s, "√")) {
		return s
	}
	return "(" + s + ")"
}

// last reports whether nothing that a fraction would multiply stands at the beginning of what
// follows it.
func last(rest string) bool {
	rest = strings.TrimLeft(rest, " \n")
	if name := command.FindString(rest); name != "" && strings.HasPrefix(rest, name) {
		return name == `\right` || name == `\end` || strings.HasSuffix(name, "quad") ||
			silent[name[1:]] && name != `\left` || apart.MatchString(signs()[name])
	}
	if len(rest) > 1 && rest[0] == '\\' {
		return rest[1] == '\\' || rest[1] == '}' ||
			strings.ContainsRune(",;:! ", rune(rest[1])) && last(rest[2:])
	}
	return rest == "" || strings.ContainsRune("+-=<>)],.}&;:|$", rune(rest[0]))
}

// clean makes one line of a text, without signs that would steer a terminal or end a formula.
func clean(s string) string {
	s = strings.Map(func(c rune) rune {
		switch {
		case unicode.IsSpace(c):
			return ' '
		case c == '$' || plain.Steers(c) || c == unicode.ReplacementChar:
			return -1
		}
		return c
	}, strings.ToValidUTF8(s, ""))
	return strings.Join(strings.Fields(s), " ")
}

// inline is a formula inside of a text.
var inline = regexp.MustCompile(`\$[^$]*\$|\\\([^$]*?\\\)`)

// shown is a display inside of a text.
var shown = regexp.MustCompile(
	`(?s)\\begin\s*\{(equation|multline|align|gather|eqnarray|flalign|alignat|displaymath)(\*?)\}.*?` +
		`\\end\s*\{(equation|multline|align|gather|eqnarray|flalign|alignat|displaymath)(\*?)\}|` +
		`\\\[.*?\\\]|\$\$.*?\$\$`)

// around is what stands at both ends of a display.
var around = regexp.MustCompile(`^\\begin\s*\{[^{}]*\}|\\end\s*\{[^{}]*\}$|^\\\[|\\\]$`)

// words writes a text in which formulas stand between dollar signs.
func (r *reader) words(tex string) string {
	tex = label.ReplaceAllString(tex, "")
	tex = shown.ReplaceAllStringFunc(tex, func(s string) string {
		inside := splitRows(around.ReplaceAllString(strings.ReplaceAll(s, "$", ""), ""))
		return "$" + strings.Join(r.formulas(inside), "$; $") + "$"
	})
	tex = strings.ReplaceAll(tex, `\\`, " ")
	var b strings.Builder
	at := 0
	for _, m := range inline.FindAllStringIndex(tex, -1) {
		b.WriteString(r.prose(tex[at:m[0]]))
		inner := strings.TrimSuffix(strings.TrimPrefix(strings.Trim(tex[m[0]:m[1]], "$"), `\(`),
			`\)`)
		if f := r.formula(inner); f != "" {
			b.WriteString(" $" + f + "$ ")
		}
		at = m[1]
	}
	b.WriteString(r.prose(tex[at:]))
	s := strings.Join(strings.Fields(b.String()), " ")
	return strings.ReplaceAll(behind.ReplaceAllString(s, "$1$2"), "( $", "($")
}

// behind is what stands close to the formula before it.
var behind = regexp.MustCompile(`(\$) ([.,;:)-])`)

// prose sets what stands between formulas.
func (r *reader) prose(tex string) string {
	s := strings.ReplaceAll(setDeep(r.expand(tex), 0), "−", "-")
	lead, trail := strings.TrimLeft(s, " \n") != s, strings.TrimRight(s, " \n") != s
	if s = clean(s); lead {
		s = " " + s
	}
	if trail {
		s += " "
	}
	return s
}

// plainWords are the words of a title, without commands.
func plainWords(tex string) string {
	return strings.Trim(
		clean(command.ReplaceAllString(strings.NewReplacer("{", "", "}", "", "~", " ").Replace(tex),
			"")), " '")
}

// names are the names of authors.
func names(tex string) string {
	tex = regexp.MustCompile(
		`(?s)\\(?:textsuperscript|thanks|footnote|inst|email|affil|orcid)\s*\{[^{}]*\}`).ReplaceAllString(tex, "")
	tex = strings.NewReplacer(`\and`, ",", `\And`, ",", `\AND`, ",", `\\`, ",").Replace(tex)
	var out []string
	for name := range strings.SplitSeq(plainWords(tex), ",") {
		if name = strings.TrimSpace(name); name != "" {
			out = append(out, name)
		}
	}
	return strings.Join(out, ", ")
}
