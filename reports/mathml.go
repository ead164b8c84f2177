package reports

import (
	"html"
	"html/template"
	"slices"
	"strings"
	"unicode"
)

// mathematics sets a text, in which formulas such as $(1/n) Σ_{i∈I^t} ‖∇f_i(x^t)‖² ≤ ζ²$ stand between dollar signs, as
// text with MathML. A long formula becomes several elements, between which a line may break; browsers do not break
// within one.
func mathematics(s string) template.HTML {
	var b strings.Builder
	for i, piece := range strings.Split(s, "$") {
		if i%2 == 1 {
			setMath(&b, []rune(piece))
		} else {
			b.WriteString(html.EscapeString(piece))
		}
	}
	return template.HTML(b.String()) // everything in it has been escaped
}

var functionNames = []string{"log", "ln", "exp", "max", "min", "sup", "inf", "span", "diag", "tr", "det", "dim",
	"polylog", "polyloglog", "loglog", "const"}

const (
	relations = "=≤≥<>≈≡≪≫≲≳≼∝∈∉⊂⊆→←↦"
	binaries  = "+−±×·∧∨∩∪∖"
	fences    = "()[]{}‖|⟨⟩⌈⌉⌊⌋"
)

func isASCIILetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

// carriesScript reports whether an index or an exponent stands at s[i]: the letters before it are a product then, such
// as PKG_c.
func carriesScript(s []rune, i int) bool {
	return i < len(s) && (s[i] == '_' || s[i] == '^' || superscripts[s[i]] != 0 || subscripts[s[i]] != 0)
}

func letterRun(s []rune) int {
	n := 0
	for n < len(s) && isASCIILetter(s[n]) {
		n++
	}
	return n
}

// mixedCase reports whether letters look like a product, such as PKb or LPK, and not like a word or an acronym.
func mixedCase(s []rune) bool {
	lower, upper := false, false
	for i, r := range s {
		lower = lower || r >= 'a' && r <= 'z'
		upper = upper || r >= 'A' && r <= 'Z' && i > 0
	}
	return lower && upper && len(s) <= 4
}

// mostTogether is the number of elements of a formula after which the next operator ends a line, if need be.
const mostTogether = 8

func setMath(b *strings.Builder, s []rune) {
	if len(s) == 0 {
		return
	}
	elements, breaks := parseMath(s)
	for start := 0; start < len(elements); {
		end := start + 1
		for end < len(elements) && !(end-start >= mostTogether && breaks[end-1]) {
			end++
		}
		if start > 0 {
			b.WriteString("<wbr>")
		}
		b.WriteString("<math>" + strings.Join(elements[start:end], "") + "</math>")
		start = end
	}
}

// parseMath returns the MathML elements of a formula and after which of them a line may break.
func parseMath(s []rune) (elements []string, breaks []bool) {
	for i := 0; i < len(s); {
		if s[i] == ' ' {
			i++
			continue
		}
		base, n, operator := mathAtom(s, i)
		i += n
		sub, sup := "", ""
	scripts:
		for i < len(s) {
			switch r := s[i]; {
			case r == '_' || r == '^':
				script, n := argument(s, i)
				if n == 0 || r == '_' && sub != "" || r == '^' && sup != "" {
					break scripts
				}
				inner, _ := parseMath(script)
				if r == '_' {
					sub = row(inner)
				} else {
					sup = row(inner)
				}
				i += 1 + n
			case superscripts[r] != 0 && sup == "":
				sup, n = plainRun(s[i:], superscripts)
				i += n
			case subscripts[r] != 0 && sub == "":
				sub, n = plainRun(s[i:], subscripts)
				i += n
			case (r == '\'' || r == '′') && sup == "":
				sup = "<mo>′</mo>"
				i++
			case r == '*' && sup == "" && (i+1 == len(s) || !isASCIILetter(s[i+1]) && !unicode.IsDigit(s[i+1])):
				sup = "<mo>*</mo>"
				i++
			default:
				break scripts
			}
		}
		switch {
		case sub != "" && sup != "":
			base = "<msubsup>" + base + sub + sup + "</msubsup>"
		case sub != "":
			base = "<msub>" + base + sub + "</msub>"
		case sup != "":
			base = "<msup>" + base + sup + "</msup>"
		}
		elements, breaks = append(elements, base), append(breaks, operator && i < len(s))
	}
	return elements, breaks
}

func row(elements []string) string {
	if len(elements) == 1 {
		return elements[0]
	}
	return "<mrow>" + strings.Join(elements, "") + "</mrow>"
}

// apart is a blank that browsers keep, if there is one at a place and a letter beside it: words stand apart.
func apart(s []rune, at, beside int) string {
	if at < 0 || beside < 0 || max(at, beside) >= len(s) || s[at] != ' ' || !unicode.IsLetter(s[beside]) {
		return ""
	}
	return "\u00a0"
}

// mathAtom returns the element that begins at s[i], without its scripts, how many runes it takes, and whether it is an
// operator that may end a line.
func mathAtom(s []rune, i int) (element string, n int, operator bool) {
	r := s[i]
	switch {
	case unicode.IsDigit(r) || strings.ContainsRune("½¼¾", r):
		n = 1
		for i+n < len(s) && (unicode.IsDigit(s[i+n]) || s[i+n] == '.' && i+n+1 < len(s) && unicode.IsDigit(s[i+n+1])) {
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
			return "<mtext>" + apart(s, i-1, i-2) + string(s[i:i+run]) + apart(s, i+run, i+run+1) + "</mtext>", run,
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
	case r == '√': // an operator, since the bar of msqrt cuts through letters where there is no mathematical font
		return `<mo class="r" form="prefix">√</mo>`, 1, false
	case r == '/':
		return `<mo lspace="0" rspace="0">/</mo>`, 1, false
	case r == '-':
		return "<mo>−</mo>", 1, true
	case strings.ContainsRune(fences, r):
		return `<mo stretchy="false">` + string(r) + "</mo>", 1, false
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
	superscripts = map[rune]rune{'⁰': '0', '¹': '1', '²': '2', '³': '3', '⁴': '4', '⁵': '5', '⁶': '6', '⁷': '7',
		'⁸': '8',
		'⁹': '9', '⁺': '+', '⁻': '−', 'ᵀ': 'T'}
	subscripts = map[rune]rune{'₀': '0', '₁': '1', '₂': '2', '₃': '3', '₄': '4', '₅': '5', '₆': '6', '₇': '7', '₈': '8',
		'₉': '9'}
)

// plainRun returns the raised or lowered signs that s begins with as one element, and how many they are.
func plainRun(s []rune, of map[rune]rune) (element string, n int) {
	var plain []rune
	for n < len(s) && of[s[n]] != 0 {
		plain = append(plain, of[s[n]])
		n++
	}
	inner, _ := parseMath(plain)
	return row(inner), n
}
