package reports

import (
	"fmt"
	"html/template"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// formula sets the indices and exponents of plain-text formulas, such as x_i^{t−1}, below and above
// the line. Everything else stays as it is. A letter or number, or a group in braces, may follow
// the sign; names such as test_accuracy are left alone.
func formula(s string) template.HTML {
	var b strings.Builder
	set(&b, []rune(scientific.ReplaceAllStringFunc(s, func(number string) string {
		mantissa, exponent, _ := strings.Cut(number, "e")
		e, _ := strconv.Atoi(exponent)
		return strings.TrimPrefix(mantissa+"×", "1×") + strings.Replace(fmt.Sprintf("10^{%d}", e),
			"-", "−", 1)
	})))
	return template.HTML(b.String()) // set escapes all text
}

// scientific matches numbers as programs write them.
var scientific = regexp.MustCompile(`\b[0-9]+(\.[0-9]+)?e[-+]?[0-9]{1,3}\b`)

// place sets the draws of an instance, in which Greek letters may be spelled out.
func place(s string) template.HTML {
	return formula(spelled.ReplaceAllStringFunc(s, func(name string) string {
		word, under := strings.CutSuffix(name, "_")
		letter, known := greek[word]
		switch {
		case !known:
			return name
		case under:
			return letter + "_"
		}
		return letter
	}))
}

var greek = map[string]string{"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "Delta": "Δ",
	"eps":     "ε",
	"epsilon": "ε", "zeta": "ζ", "eta": "η",
	"theta": "θ", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "rho": "ρ",
	"sigma": "σ", "tau": "τ"}

var spelled = regexp.MustCompile(`\b[a-zA-Z]+(?:\b|_)`)

// words that are one index when they follow an underscore; other letters there are multiplied.
var indexWords = []string{"min", "max", "ij", "kl", "opt"}

func set(b *strings.Builder, s []rune) {
	for i := 0; i < len(s); i++ {
		if (s[i] == '_' || s[i] == '^') && i > 0 && !unicode.IsSpace(s[i-1]) {
			if script, n := argument(s, i); n > 0 {
				tag := map[rune]string{'_': "sub", '^': "sup"}[s[i]]
				b.WriteString("<" + tag + ">")
				set(b, script)
				b.WriteString("</" + tag + ">")
				i += n
				continue
			}
		}
		if strings.ContainsRune("\x00\"'&<>", s[i]) {
			template.HTMLEscape(b, []byte(string(s[i])))
		} else {
			b.WriteRune(s[i])
		}
		if under, n := radicand(s, i); n > 0 {
			b.WriteString(`<span class="o">`)
			set(b, under)
			b.WriteString("</span>")
			i += n
		}
	}
}

// radicand returns what the root at s[i] is of, a group in brackets or a sign with its scripts, and
// how many runes after the root that takes; none if there is no root.
func radicand(s []rune, i int) (under []rune, n int) {
	switch {
	case s[i] != '√' || i+1 == len(s):
		return nil, 0
	case s[i+1] == '(':
		if n = closing(s[i+1:]); n > 0 {
			return s[i+2 : i+1+n], n + 1
		}
		return nil, 0
	case !unicode.IsLetter(s[i+1]) && !unicode.IsDigit(s[i+1]), strings.ContainsRune("ΣΠ", s[i+1]):
		return nil, 0
	}
	n = 2
	for i+n < len(s) && (unicode.IsMark(s[i+n]) || unicode.IsDigit(s[i+1]) &&
		unicode.IsDigit(s[i+n])) {
		n++
	}
	for i+n < len(s) {
		switch r := s[i+n]; {
		case r == '_' || r == '^':
			_, more := argument(s, i+n)
			if more == 0 {
				return s[i+1 : i+n], n - 1
			}
			n += 1 + more
		case superscripts[r] != 0 || subscripts[r] != 0:
			n++
		default:
			return s[i+1 : i+n], n - 1
		}
	}
	return s[i+1 : i+n], n - 1
}

// argument returns what the sign at s[i] puts below or above the line, and how many runes after the
// sign that takes.
func argument(s []rune, i int) (script []rune, n int) {
	rest := s[i+1:]
	if len(rest) == 0 {
		return nil, 0
	}
	run := func(from int, in func(rune) bool) int {
		for from < len(rest) && in(rest[from]) {
			from++
		}
		return from
	}
	digit := func(r rune) bool { return '0' <= r && r <= '9' }
	number := func(from int) int { // the digits there, with a decimal part if it is an exponent
		k := run(from, digit)
		if s[i] == '^' && k > from && k+1 < len(rest) && rest[k] == '.' && digit(rest[k+1]) {
			k = run(k+1, digit)
		}
		return k
	}
	switch first := rest[0]; {
	case first == '{':
		depth := 0
		for k, r := range rest {
			switch r {
			case '{':
				depth++
			case '}':
				if depth--; depth == 0 {
					return rest[1:k], k + 1
				}
			}
		}
		return nil, 0
	// a number: (1/2), (−0.667); other groups are arguments, as of f^(x)
	case s[i] == '^' && first == '(':
		n = run(1, func(r rune) bool { return digit(r) || strings.ContainsRune("-−+./", r) })
		if n == 1 || n == len(rest) || rest[n] != ')' {
			return nil, 0
		}
		return rest[1:n], n + 1
	case digit(first):
		n = number(0)
	case s[i] == '^' && strings.ContainsRune("*′⊤†", first):
		n = 1
	case s[i] == '^' && (first == '-' || first == '−'):
		if n = number(1); n == 1 {
			return nil, 0
		}
	case unicode.IsLetter(first):
		n = run(run(1, unicode.IsMark), digit)
		if s[i] == '_' {
			lower := func(r rune) bool { return 'a' <= r && r <= 'z' }
			word := run(0, lower)
			if slices.Contains(indexWords, string(rest[:word])) {
				n = word
			} else if k := i; word > 2 {
				for k > 0 && lower(s[k-1]) {
					k--
				}
				if i-k > 2 {
					return nil, 0 // a name with an underscore
				}
			}
		}
	}
	return rest[:n], n
}

// light sets a text with formulas between dollar signs as [formula] does, with the letters of
// formulas in italics: in a third of the bytes that MathML takes, for pages that show many formulas
// at a glance.
func light(s string) template.HTML {
	var b strings.Builder
	for i, piece := range strings.Split(s, "$") {
		if i%2 == 0 {
			template.HTMLEscape(&b, []byte(piece))
			continue
		}
		var f strings.Builder
		set(&f, []rune(piece))
		b.WriteString(letters.ReplaceAllStringFunc(f.String(), func(run string) string {
			r := []rune(run)
			switch {
			case strings.ContainsAny(run[:1], "<&"), slices.Contains(functionNames,
				run), slices.Contains(indexWords, run):
				return run
			case len(r) > 2 && isASCIILetter(r[0]) && !mixedCase(r), unicode.IsUpper(r[0]) &&
				unicode.Is(unicode.Greek, r[0]):
				return run // a word, an acronym, a capital Greek letter
			}
			return "<i>" + run + "</i>"
		}))
	}
	return template.HTML(b.String())
}

// letters matches runs of letters outside of tags and entities, which it matches as well. Capital
// Greek letters stand alone.
var letters = regexp.MustCompile(`<[^>]*>|&[#a-z0-9]+;|[ΓΔΘΛΞΠΣΦΨΩ]\p{M}*|[a-zA-Zα-ωà-ỿ\p{M}]+`)
