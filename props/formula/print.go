package formula

import (
	"fmt"
	"html"
	"math/big"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// style is a way to write formulas.
type style struct {
	name, number func(string) string
	// of operators, relations and brackets, where they differ from the plain ones
	sign     map[string]string
	operator func(string) string
	raised   func(base, exponent string) string
	quotient func(a, b string) string // nil: in a line
	root     func(string) string      // nil: a sign before the argument
	side     func(a, b string) string // factors side by side
	word     func(string) string
	series   func(index, from, to, body string) string
}

// Ranks of operations, from loosely to closely binding.
const (
	rankAny = iota
	rankSum
	rankProduct
	rankFactor
	rankPrimary
)

func rank(n *node) int {
	switch n.op {
	case add, subtract, negate, sum:
		return rankSum
	case multiply, divide:
		return rankProduct
	case power, root:
		return rankFactor
	case smallest, largest:
		if n.infix {
			return rankAny
		}
	}
	return rankPrimary
}

func (s *style) sub(n *node, least int) string {
	if rank(n) < least {
		return s.bracket("(", s.of(n), ")")
	}
	return s.of(n)
}

func (s *style) bracket(open, inner, closing string) string {
	return s.op(open) + inner + s.op(closing)
}

func (s *style) op(sign string) string {
	if other, ok := s.sign[sign]; ok {
		return s.operator(other)
	}
	return s.operator(sign)
}

func (s *style) of(n *node) string {
	arg := func(i, least int) string { return s.sub(n.args[i], least) }
	switch n.op {
	case number:
		return s.number(decimal(n.value))
	case symbol:
		return s.name(n.name)
	case add:
		return arg(0, rankSum) + s.op(" + ") + s.term(n.args[1])
	case subtract:
		return arg(0, rankSum) + s.op(" − ") + s.term(n.args[1])
	case negate:
		return s.op("−") + s.term(n.args[0])
	case multiply:
		left := arg(0, rankProduct)
		if n.args[0].op == divide {
			left = s.bracket("(", s.of(n.args[0]), ")")
		}
		return s.side(left, arg(1, rankFactor))
	case divide:
		if s.quotient != nil {
			return s.quotient(s.of(n.args[0]), s.of(n.args[1]))
		}
		left := arg(0, rankProduct)
		if n.args[0].op == divide {
			left = s.bracket("(", s.of(n.args[0]), ")")
		}
		return left + s.op("/") + arg(1, rankFactor)
	case power:
		return s.raised(arg(0, rankPrimary), s.of(n.args[1]))
	case root:
		if s.root != nil {
			return s.root(s.of(n.args[0]))
		}
		if a := n.args[0]; a.op == symbol || a.op == number && a.value.IsInt() {
			return s.op("√") + s.of(a)
		}
		return s.op("√") + s.bracket("(", arg(0, rankAny), ")")
	case smallest, largest:
		word, sign := "min", " ∧ "
		if n.op == largest {
			word, sign = "max", " ∨ "
		}
		var parts []string
		for i := range n.args {
			if n.infix {
				parts = append(parts, arg(i, rankProduct))
			} else {
				parts = append(parts, arg(i, rankAny))
			}
		}
		if n.infix {
			return strings.Join(parts, s.op(sign))
		}
		return s.word(word) + s.bracket("{", strings.Join(parts, s.op(", ")), "}")
	case logarithm:
		return s.word("log") + s.bracket("(", arg(0, rankAny), ")")
	case exponential:
		return s.word("exp") + s.bracket("(", arg(0, rankAny), ")")
	case ceiling:
		return s.bracket("⌈", arg(0, rankAny), "⌉")
	case floor:
		return s.bracket("⌊", arg(0, rankAny), "⌋")
	case absolute:
		inner := arg(0, rankAny)
		if n.args[0].has(absolute) { // bars do not show which is which
			inner = s.bracket("(", inner, ")")
		}
		return s.bracket("|", inner, "|")
	case sum:
		return s.series(s.name(n.name), arg(0, rankAny), arg(1, rankAny), arg(2, rankProduct))
	case order:
		return s.word(n.name) + s.bracket("(", arg(0, rankAny), ")")
	case along:
		return s.word(n.name) + s.bracket("[", arg(0, rankAny), "]")
	case span:
		return s.bracket("[", arg(0, rankAny)+s.op(", ")+arg(1, rankAny), "]")
	}
	panic(fmt.Sprintf("formula: operation %d", n.op))
}

// term is what follows a plus or minus: no sum, but a series may end it.
func (s *style) term(n *node) string {
	if n.op == sum {
		return s.of(n)
	}
	return s.sub(n, rankProduct)
}

func (s *style) clause(c clause) string {
	text := s.of(c.sides[0])
	for i, rel := range c.relations {
		text += s.op(" "+rel+" ") + s.of(c.sides[i+1])
	}
	return text
}

// decimal writes a number as the parser reads it. All literals are decimal fractions.
func decimal(v *big.Rat) string {
	digits, _ := v.FloatPrec()
	s := v.FloatString(digits)
	if whole := strings.TrimRight(s, "0"); digits == 0 && len(s)-len(whole) >= 6 {
		return whole + "e" + strconv.Itoa(len(s)-len(whole))
	}
	if digits >= 6 {
		scaled := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil)
		return new(big.Rat).Mul(v, new(big.Rat).SetInt(scaled)).RatString() + "e-" +
			strconv.Itoa(digits)
	}
	return s
}

func same(s string) string { return s }

// besides sets two factors side by side, with a space where they would be read as one word, and a
// dot before a number.
func besides(a, b string) string {
	last, _ := utf8.DecodeLastRuneInString(a)
	first, _ := utf8.DecodeRuneInString(b)
	letter := func(r rune) bool { return r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)) }
	switch {
	case unicode.IsDigit(first):
		return a + "·" + b
	case unicode.IsDigit(last) && first != 'e' && first != 'E':
		return a + b
	case letter(last) && (letter(first) || first == '(' || first == '_') || first == '|' ||
		first == '\'':
		return a + " " + b
	}
	return a + b
}

var plain = style{name: same, number: same, operator: same, word: same, side: besides,
	raised: func(base, exponent string) string {
		if s, ok := superscript(exponent); ok {
			return base + s
		}
		return base + "^{" + exponent + "}"
	},
	series: func(index, from, to, body string) string {
		return "Σ_{" + index + "=" + from + "}^{" + to + "} " + body
	},
}

// superscript raises an integer.
func superscript(s string) (raisedDigits string, ok bool) {
	digits := []rune(raised)
	for i, r := range s {
		switch {
		case r >= '0' && r <= '9':
			raisedDigits += string(digits[r-'0'])
		case r == '−' && i == 0 && len(s) > len("−"):
			raisedDigits += "⁻"
		default:
			return "", false
		}
	}
	return raisedDigits, s != ""
}

var latexLetters = func() map[string]string {
	m := map[string]string{}
	for word, letter := range greek {
		if word != "eps" && word != "ϵ" {
			m[letter] = `\` + word
		}
	}
	m["ε"] = `\varepsilon`
	return m
}()

var latex = style{
	name: func(s string) string {
		base, index, has := strings.Cut(s, "_")
		letter := strings.TrimRight(base, "'")
		primes := base[len(letter):]
		switch l, isGreek := latexLetters[letter]; {
		case isGreek:
			letter = l
		case utf8.RuneCountInString(letter) > 1:
			letter = `\mathrm{` + letter + `}`
		}
		if letter += primes; has {
			letter += "_{" + strings.Trim(index, "{}") + "}"
		}
		return letter
	},
	number: func(s string) string {
		mantissa, exponent, scientific := strings.Cut(s, "e")
		if !scientific {
			return s
		}
		return strings.TrimPrefix(mantissa+`\cdot `, `1\cdot `) + "10^{" + exponent + "}"
	},
	sign: map[string]string{" − ": " - ", "−": "-", " ∧ ": ` \wedge `, " ∨ ": ` \vee `,
		"⌈": `\lceil `, "⌉": `\rceil `, "⌊": `\lfloor `, "⌋": `\rfloor `,
		" ≤ ": ` \le `, " ≥ ": ` \ge `, " ∈ ": ` \in `, "{": `\{`, "}": `\}`, "(": `\left(`,
		")": `\right)`},
	operator: same,
	word: func(s string) string {
		if o, ok := map[string]string{"Õ": `\tilde O`, "Ω": `\Omega`, "Θ": `\Theta`,
			"Ω̃": `\tilde\Omega`,
			"Θ̃": `\tilde\Theta`, "O": "O"}[s]; ok {
			return o
		}
		return `\` + s
	},
	raised:   func(base, exponent string) string { return "{" + base + "}^{" + exponent + "}" },
	quotient: func(a, b string) string { return `\frac{` + a + "}{" + b + "}" },
	root:     func(a string) string { return `\sqrt{` + a + "}" },
	side: func(a, b string) string {
		if first := b[0]; first >= '0' && first <= '9' || strings.HasPrefix(b, "{1") {
			return a + ` \cdot ` + b
		}
		return a + " " + b
	},
	series: func(index, from, to, body string) string {
		return `\sum_{` + index + "=" + from + "}^{" + to + "} " + body
	},
}

func row(s string) string { return "<mrow>" + s + "</mrow>" }

func element(tag, s string) string { return "<" + tag + ">" + html.EscapeString(s) + "</" + tag + ">" }

var mathML = style{
	name: func(s string) string {
		base, index, has := strings.Cut(s, "_")
		letter := strings.TrimRight(base, "'")
		out := element("mi", letter)
		if r, size := utf8.DecodeRuneInString(letter); size == len(letter) &&
			unicode.Is(unicode.Greek, r) &&
			unicode.IsUpper(r) {
			out = `<mi mathvariant="normal">` + letter + "</mi>"
		}
		primes := ""
		if letter != base {
			primes = element("mo", strings.Repeat("′", len(base)-len(letter)))
		}
		below := ""
		if has {
			if below = strings.Trim(index, "{}"); strings.Trim(below, "0123456789") == "" {
				below = element("mn", below)
			} else {
				below = element("mi", below)
			}
		}
		switch {
		case has && primes != "":
			return "<msubsup>" + out + below + primes + "</msubsup>"
		case has:
			return "<msub>" + out + below + "</msub>"
		case primes != "":
			return "<msup>" + out + primes + "</msup>"
		}
		return out
	},
	number: func(s string) string {
		mantissa, exponent, scientific := strings.Cut(s, "e")
		if !scientific {
			return element("mn", s)
		}
		power := element("mn", exponent)
		if digits, negative := strings.CutPrefix(exponent, "-"); negative {
			power = row(element("mo", "−") + element("mn", digits))
		}
		power = "<msup>" + element("mn", "10") + power + "</msup>"
		if mantissa == "1" {
			return power
		}
		return element("mn", mantissa) + element("mo", "×") + power
	},
	operator: func(sign string) string {
		switch sign = strings.TrimSpace(sign); {
		case strings.Contains("()[]{}|⌈⌉⌊⌋", sign):
			return `<mo stretchy="false">` + sign + "</mo>"
		// an operator, since the bar of msqrt cuts through letters where there is no mathematical
		// font
		case sign == "√":
			return `<mo form="prefix">√</mo>`
		case sign == "/":
			return `<mo lspace="0" rspace="0">/</mo>`
		}
		return element("mo", sign)
	},
	word:   func(s string) string { return element("mi", s) },
	raised: func(base, exponent string) string { return "<msup>" + row(base) + row(exponent) + "</msup>" },
	side: func(a, b string) string {
		if strings.HasPrefix(b, "<mn>") || strings.HasPrefix(b, "<msup><mrow><mn>") {
			return a + element("mo", "·") + b
		}
		return a + b
	},
	series: func(index, from, to, body string) string {
		return "<munderover>" + element("mo", "∑") + row(index+element("mo", "=")+from) + row(to) +
			"</munderover>" + body
	},
}
