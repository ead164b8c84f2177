package reports

import (
	"html"
	"html/template"
	"slices"
	"strings"
	"unicode"
)

// mathematics sets a text, in which formulas such as $(1/n) Σ_{i∈I^t} ‖∇f_i(x^t)‖² ≤ ζ²$ stand
// between dollar signs, as text with MathML. A long formula becomes several elements, between which
// a line may break; browsers do not break within one.
func mathematics(s string) template.HTML { return typeset{}.text([]rune(s), nil) }

// typeset says how formulas are set.
type typeset struct {
	display bool   // fractions are stacked, and sums have their limits above and below
	class   string // of what is marked
}

// text sets a text with its formulas. Runes whose mark is true get the class.
func (t typeset) text(s []rune, marks []bool) template.HTML {
	var b strings.Builder
	math := false
	for len(s) > 0 {
		n := slices.Index(s, '$')
		if n < 0 {
			n = len(s)
		}
		if math {
			t.math(&b, s[:n], cut(marks, 0, n))
		} else {
			t.prose(&b, s[:n], cut(marks, 0, n))
		}
		if n == len(s) {
			break
		}
		s, marks, math = s[n+1:], cut(marks, n+1, len(s)), !math
	}
	return template.HTML(b.String()) // everything in it has been escaped
}

// cut is marks[from:to], or nothing if nothing is marked.
func cut(marks []bool, from, to int) []bool {
	if marks == nil {
		return nil
	}
	return marks[from:to]
}

func (t typeset) prose(b *strings.Builder, s []rune, marks []bool) {
	for i := 0; i < len(s); {
		j := i + 1
		for j < len(s) && (marks == nil || marks[j] == marks[i]) {
			j++
		}
		if words := html.EscapeString(string(s[i:j])); marks != nil && marks[i] {
			b.WriteString(`<span class="` + t.class + `">` + words + "</span>")
		} else {
			b.WriteString(words)
		}
		i = j
	}
}

var functionNames = []string{"log", "ln", "exp", "max", "min", "sup", "inf", "span", "diag", "tr",
	"det", "dim", "polylog", "polyloglog", "loglog", "const"}

const (
	relations = "=≤≥<>≈≡≪≫≲≳≼∝∈∉⊂⊆→←↦"
	binaries  = "+−±×·∧∨∩∪∖"
	fences    = "()[]{}‖|⟨⟩⌈⌉⌊⌋"
)

func isASCIILetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

// carriesScript reports whether an index or an exponent stands at s[i]: the letters before it are a
// product then, such as PKG_c.
func carriesScript(s []rune, i int) bool {
	return i < len(s) && (s[i] == '_' || s[i] == '^' || superscripts[s[i]] != 0 ||
		subscripts[s[i]] != 0)
}

func letterRun(s []rune) int {
	n := 0
	for n < len(s) && isASCIILetter(s[n]) {
		n++
	}
	return n
}

// mixedCase reports whether letters look like a product, such as PKb or LPK, and not like a word or
// an acronym.
func mixedCase(s []rune) bool {
	lower, upper := false, false
	for i, r := range s {
		lower = lower || r >= 'a' && r <= 'z'
		upper = upper || r >= 'A' && r <= 'Z' && i > 0
	}
	return lower && upper && len(s) <= 4
}

// numeral reports whether some letters are the number of the word before them: Option I, Option II.
func numeral(s []rune, i, run int) bool {
	if run < 1 || run > 3 || strings.Trim(string(s[i:i+run]), "I") != "" || i < 1 || s[i-1] != ' ' {
		return false
	}
	k := i - 1
	for k > 0 && isASCIILetter(s[k-1]) {
		k--
	}
	return i-1-k > 2
}

// mostTogether is the number of elements of a formula after which the next operator ends a line, if
// need be.
const mostTogether = 8

func (t typeset) math(b *strings.Builder, s []rune, marks []bool) {
	if len(s) == 0 {
		return
	}
	head := "<math>"
	if t.display {
		head = `<math displaystyle="true">`
	}
	parts := fold(t.parse(s, marks), t.display)
	for start := 0; start < len(parts); {
		end := start + 1
		for end < len(parts) && !(end-start >= mostTogether && parts[end-1].breaks) {
			end++
		}
		if start > 0 {
			b.WriteString("<wbr>")
		}
		b.WriteString(head)
		for _, p := range parts[start:end] {
			b.WriteString(p.html)
		}
		b.WriteString("</math>")
		start = end
	}
}

// part is a part of a formula: a sign with its scripts, or a group in round brackets.
type part struct {
	html     string // of a group, its closing bracket with its scripts
	kind     kind
	near     bool   // no blank stands before it
	breaks   bool   // a line may end after it
	scripted bool   // it has an index or an exponent
	fence    rune   // which bracket it is
	open     string // the opening bracket of a group
	inner    []part // what stands within a group
}

type kind int

const (
	isSign    kind = iota // what has no other kind
	isLetter              // a letter of a product
	isNamed               // a function with a name, such as log
	isSum                 // a sum or a product
	isBetween             // a relation, an operator, a comma, a word
	isSlash
	isRoot
	isGroup
	isBracket
	isFraction
)

// closing is the number of runes from the bracket at s[0] to the one that closes it, or 0.
func closing(s []rune) int {
	depth := 0
	for i, r := range s {
		switch r {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return 0
}

// parse returns the parts of a formula.
func (t typeset) parse(s []rune, marks []bool) []part {
	var parts []part
	near := false
	for i := 0; i < len(s); {
		if s[i] == ' ' {
			i, near = i+1, false
			continue
		}
		p := part{near: near}
		near = true
		from := i
		if end := closing(s[i:]); s[i] == '(' && end > 0 {
			p.kind, p.open = isGroup, t.marked(fenced('('), s, marks, i, 1)
			p.inner = t.parse(s[i+1:i+end], cut(marks, i+1, i+end))
			from, i = i+end, i+end
		}
		base, n, operator := mathAtom(s, i)
		if p.kind != isGroup {
			p.kind, p.fence = kindOf(s[i], base)
			p.breaks = operator
			if t.display && s[i] == 'Σ' {
				base = "<mo>∑</mo>"
			}
		}
		i += n
		base = t.marked(base, s, marks, from, max(n, 1))
		var sub, sup string
		sub, sup, i = t.scripts(s, marks, i)
		const thin = `<mspace width=".17em"></mspace>`
		if p.kind == isNamed && i < len(s) && s[i] == ' ' {
			base += thin
		}
		if n := len(parts); p.kind == isNamed && n > 0 &&
			(parts[n-1].kind == isGroup || parts[n-1].kind == isLetter) {
			base = thin + base
		}
		p.scripted = sub != "" || sup != ""
		p.html = scripted(base, sub, sup, t.display && (s[from] == 'Σ' || p.kind == isNamed))
		p.breaks = p.breaks && i < len(s)
		parts = append(parts, p)
	}
	return parts
}

// kindOf tells the kind of a part that begins with a rune, and which bracket it is.
func kindOf(r rune, html string) (kind, rune) {
	switch {
	case r == '/':
		return isSlash, 0
	case r == '√':
		return isRoot, 0
	case r == 'Σ' || r == 'Π':
		return isSum, 0
	case strings.ContainsRune(fences, r):
		return isBracket, r
	case strings.ContainsRune(relations+binaries+",-:;", r), strings.HasPrefix(html, "<mtext>"):
		return isBetween, 0
	case unicode.IsLetter(r) && slices.Contains(functionNames,
		strings.TrimSuffix(html[strings.Index(html, ">")+1:], "</mi>")):
		return isNamed, 0
	case unicode.IsLetter(r):
		return isLetter, 0
	}
	return isSign, 0
}

// marked puts an element into its class if one of the n runes at s[i] is marked.
func (t typeset) marked(element string, s []rune, marks []bool, i, n int) string {
	if marks == nil || !slices.Contains(marks[i:min(i+n, len(s))], true) {
		return element
	}
	return `<mrow class="` + t.class + `">` + element + "</mrow>"
}

// scripts returns what stands below and above the line at s[i], and where it ends.
func (t typeset) scripts(s []rune, marks []bool, i int) (sub, sup string, end int) {
	flat := typeset{class: t.class}
	inner := func(script []rune, at int) string {
		return row(fold(flat.parse(script, cut(marks, at, at+len(script))), false))
	}
	for i < len(s) {
		switch r := s[i]; {
		case r == '_' || r == '^':
			script, n := argument(s, i)
			if n == 0 || r == '_' && sub != "" || r == '^' && sup != "" {
				return sub, sup, i
			}
			at := i + 1
			if len(script) < n { // it stands in brackets
				at++
			}
			if r == '_' {
				sub = inner(script, at)
			} else {
				sup = inner(script, at)
			}
			i += 1 + n
		case superscripts[r] != 0 && sup == "":
			plain := plainRun(s[i:], superscripts)
			sup = inner(plain, i)
			i += len(plain)
		case subscripts[r] != 0 && sub == "":
			plain := plainRun(s[i:], subscripts)
			sub = inner(plain, i)
			i += len(plain)
		case (r == '\'' || r == '′') && sup == "":
			sup = t.marked("<mo>′</mo>", s, marks, i, 1)
			i++
		case r == '*' && sup == "" && (i+1 == len(s) ||
			!isASCIILetter(s[i+1]) && !unicode.IsDigit(s[i+1])):
			sup = t.marked("<mo>*</mo>", s, marks, i, 1)
			i++
		default:
			return sub, sup, i
		}
	}
	return sub, sup, i
}

func scripted(base, sub, sup string, limits bool) string {
	tag := "sub"
	if limits {
		tag = "under"
	}
	switch {
	case sub != "" && sup != "" && limits:
		return "<munderover>" + base + sub + sup + "</munderover>"
	case sub != "" && sup != "":
		return "<msubsup>" + base + sub + sup + "</msubsup>"
	case sub != "":
		return "<m" + tag + ">" + base + sub + "</m" + tag + ">"
	case sup != "":
		return "<msup>" + base + sup + "</msup>"
	}
	return base
}

// fold puts roots over what they are of and, if fractions are to be stacked, what is divided over
// what divides it; the parts of other groups take the place of the group, so that a line may break
// between them.
func fold(parts []part, stacked bool) []part {
	parts = underRoots(parts)
	if stacked {
		parts = stack(parts)
	}
	var out []part
	for i, p := range parts {
		if p.kind != isGroup {
			out = append(out, p)
			continue
		}
		inner := fold(p.inner, stacked)
		applied := p.near && i > 0 && (parts[i-1].kind == isLetter || parts[i-1].kind == isNamed)
		if len(inner) == 1 && inner[0].kind == isFraction && !p.scripted && !applied {
			out = append(out, inner[0])
			continue
		}
		if slices.ContainsFunc(inner, func(p part) bool { return p.kind == isFraction }) {
			// brackets as high as it
			p.open, p.html = strings.ReplaceAll(p.open, low, ""),
				strings.ReplaceAll(p.html, low, "")
		}
		out = append(out, part{html: p.open, kind: isBracket, near: p.near})
		out = append(out, inner...)
		out = append(out, part{html: p.html, kind: isBracket, near: true})
	}
	return out
}

// underRoots draws the bar of each root over what follows it. Bars of msqrt would cut through
// letters where there is no mathematical font, so it is the border of a row.
func underRoots(parts []part) []part {
	parts = slices.Clone(parts)
	for i := len(parts) - 2; i >= 0; i-- {
		if next := parts[i+1]; parts[i].kind == isRoot && !parts[i].scripted &&
			next.kind != isBetween &&
			next.kind != isSlash && next.kind != isBracket && next.kind != isRoot {
			end := i + 2
			for next.kind == isSum && end < len(parts) && parts[end].kind != isBetween &&
				parts[end].kind != isSlash {
				end++ // a sum with all that it adds up
			}
			parts[i].html = "<mrow>" + parts[i].html + `<mrow class="o">` + onLine(parts[i+1:end]) +
				"</mrow></mrow>"
			parts[i].kind = isLetter
			parts = slices.Delete(parts, i+1, end)
		}
	}
	return parts
}

// onLine sets parts on one line, a single group without its brackets.
func onLine(parts []part) string {
	if len(parts) == 1 && parts[0].kind == isGroup && !parts[0].scripted {
		return row(fold(parts[0].inner, false))
	}
	return row(fold(parts, false))
}

// stack replaces each division by a stacked fraction, if both of its sides are there.
func stack(parts []part) []part {
	var out []part
	for i := 0; i < len(parts); i++ {
		from, to := len(out), i+1
		if parts[i].kind == isSlash && !parts[i].scripted {
			from, to = numerator(out), i+1+denominator(parts[i+1:])
		}
		if from == len(out) || to == i+1 {
			out = append(out, parts[i])
			continue
		}
		f := part{kind: isFraction, near: out[from].near,
			html: "<mfrac>" + onLine(out[from:]) + onLine(parts[i+1:to]) + "</mfrac>"}
		out, i = append(out[:from], f), to-1
	}
	return out
}

// numerator returns where in the parts what is divided begins: a product without blanks.
func numerator(parts []part) int {
	k := len(parts)
	for k > 0 {
		p := parts[k-1]
		if p.kind == isBetween || p.kind == isSlash {
			break
		}
		from := k - 1
		if p.kind == isBracket {
			if from = opening(parts[:k]); from < 0 {
				break
			}
		}
		k = from
		if !parts[k].near {
			break
		}
	}
	return k
}

var closedBy = map[rune]rune{'[': ']', '{': '}', '⟨': '⟩', '⌈': '⌉', '⌊': '⌋', '‖': '‖', '|': '|'}

// opening returns where the bracket is that the last part closes, or −1.
func opening(parts []part) int {
	last := parts[len(parts)-1].fence
	depth := 0
	for k := len(parts) - 2; k >= 0; k-- {
		switch r := parts[k].fence; {
		case closedBy[r] == last && r != 0 && depth == 0:
			return k
		case closedBy[r] == last && r != 0:
			depth--
		case r == last:
			depth++
		}
	}
	return -1
}

// denominator returns how many of the parts divide: one factor, a function with its argument, or a
// norm.
func denominator(parts []part) int {
	if len(parts) == 0 || !parts[0].near {
		return 0
	}
	switch p := parts[0]; p.kind {
	case isNamed:
		if len(parts) > 1 && parts[1].kind == isGroup && parts[1].near {
			return 2
		}
		return 0
	case isLetter, isGroup, isFraction, isSign:
		return 1
	case isBracket:
		if p.fence == '‖' || p.fence == '|' {
			for k := 1; k < len(parts); k++ {
				if parts[k].fence == p.fence {
					return k + 1
				}
			}
		}
	}
	return 0
}

// row is what parts are in one element.
func row(parts []part) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.html)
	}
	if len(parts) == 1 {
		return b.String()
	}
	return "<mrow>" + b.String() + "</mrow>"
}

const low = ` stretchy="false"`

func fenced(r rune) string { return "<mo" + low + ">" + string(r) + "</mo>" }

// apart is a blank that browsers keep, if there is one at a place and a letter beside it: words
// stand apart.
func apart(s []rune, at, beside int) string {
	if at < 0 || beside < 0 || max(at, beside) >= len(s) || s[at] != ' ' ||
		!unicode.IsLetter(s[beside]) {
		return ""
	}
	return "\u00a0"
}

// mathAtom returns the element that begins at s[i], without its scripts, how many runes it takes,
// and whether it is an operator that may end a line.
func mathAtom(s []rune, i int) (element string, n int, operator bool) {
	r := s[i]
	switch {
	case unicode.IsDigit(r) || strings.ContainsRune("½¼¾", r):
		n = 1
		for i+n < len(s) && (unicode.IsDigit(s[i+n]) ||
			s[i+n] == '.' && i+n+1 < len(s) && unicode.IsDigit(s[i+n+1])) {
			n++
		}
		return "<mn>" + string(s[i:i+n]) + "</mn>", n, false
	case strings.ContainsRune("ΣΠ∇", r):
		return "<mo>" + string(r) + "</mo>", 1, false
	case unicode.IsLetter(r):
		run := letterRun(s[i:])
		for n := min(run, 10); n > 1; n-- {
			if word := string(s[i : i+n]); slices.Contains(functionNames, word) && n == run ||
				slices.Contains(indexWords, word) && n == run && n > 2 {
				return "<mi>" + word + "</mi>", n, false
			}
		}
		if run > 2 && !carriesScript(s, i+run) && !mixedCase(s[i:i+run]) {
			return "<mtext>" + apart(s, i-1, i-2) + string(s[i:i+run]) + apart(s, i+run, i+run+1) +
					"</mtext>", run,
				false
		}
		if numeral(s, i, run) {
			return "<mtext>" + string(s[i:i+run]) + apart(s, i+run, i+run+1) + "</mtext>", run,
				false
		}
		n = 1
		for i+n < len(s) && unicode.Is(unicode.Mn, s[i+n]) {
			n++
		}
		tag := "<mi>"
		if n > 1 || r >= 0xC0 && r < 0x370 || r >= 0x1E00 && r < 0x2000 {
			tag = `<mi class="i">` // no italic letter of its own
		} else if unicode.Is(unicode.Greek, r) && unicode.IsUpper(r) {
			tag = `<mi mathvariant="normal">`
		}
		return tag + string(s[i:i+n]) + "</mi>", n, false
	case r == '√': // see underRoots
		return `<mo class="r" form="prefix">√</mo>`, 1, false
	case r == '/':
		return `<mo lspace="0" rspace="0">/</mo>`, 1, false
	case r == '-':
		return "<mo>−</mo>", 1, true
	case strings.ContainsRune(fences, r):
		return fenced(r), 1, false
	case strings.ContainsRune(relations+binaries, r):
		return "<mo>" + html.EscapeString(string(r)) + "</mo>", 1, true
	case superscripts[r] != 0 || subscripts[r] != 0 || r == '_' || r == '^':
		if r == '_' || r == '^' {
			if _, n := argument(s, i); n == 0 {
				return "<mo>" + string(r) + "</mo>", 1, false
			}
		}
		return "<mrow></mrow>", 0, false // a script without a base
	}
	return "<mo>" + html.EscapeString(string(r)) + "</mo>", 1, r == ','
}

// What raised and lowered signs stand for.
var (
	superscripts = map[rune]rune{'⁰': '0', '¹': '1', '²': '2', '³': '3', '⁴': '4', '⁵': '5',
		'⁶': '6', '⁷': '7', '⁸': '8',
		'⁹': '9', '⁺': '+', '⁻': '−', 'ᵀ': 'T'}
	subscripts = map[rune]rune{'₀': '0', '₁': '1', '₂': '2', '₃': '3', '₄': '4', '₅': '5', '₆': '6',
		'₇': '7', '₈': '8', '₉': '9'}
)

// plainRun returns what the raised or lowered signs that s begins with stand for.
func plainRun(s []rune, of map[rune]rune) (plain []rune) {
	for n := 0; n < len(s) && of[s[n]] != 0; n++ {
		plain = append(plain, of[s[n]])
	}
	return plain
}
