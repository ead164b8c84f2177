package formula

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

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

// within writes a formula, in brackets if it binds more loosely than it may.
func (n *node) within(least int) string {
	if rank(n) < least {
		return "(" + n.text() + ")"
	}
	return n.text()
}

// text writes a formula in the notation of the paper, as the parser reads it.
func (n *node) text() string {
	arg := func(i, least int) string { return n.args[i].within(least) }
	switch n.op {
	case number:
		return decimal(n.value)
	case symbol:
		return n.name
	case add:
		return arg(0, rankSum) + " + " + n.args[1].term()
	case subtract:
		return arg(0, rankSum) + " − " + n.args[1].term()
	case negate:
		return "−" + n.args[0].term()
	case multiply:
		return besides(n.left(), arg(1, rankFactor))
	case divide:
		return n.left() + "/" + arg(1, rankFactor)
	case power:
		base, exponent := arg(0, rankPrimary), arg(1, rankAny)
		if s, ok := superscript(exponent); ok {
			return base + s
		}
		return base + "^{" + exponent + "}"
	case root:
		if a := n.args[0]; a.op == symbol || a.op == number && a.value.IsInt() {
			return "√" + a.text()
		}
		return "√(" + arg(0, rankAny) + ")"
	case smallest, largest:
		return n.extreme()
	case logarithm:
		return "log(" + arg(0, rankAny) + ")"
	case exponential:
		return "exp(" + arg(0, rankAny) + ")"
	case ceiling:
		return "⌈" + arg(0, rankAny) + "⌉"
	case floor:
		return "⌊" + arg(0, rankAny) + "⌋"
	case absolute:
		if n.args[0].has(absolute) { // bars do not show which is which
			return "|(" + arg(0, rankAny) + ")|"
		}
		return "|" + arg(0, rankAny) + "|"
	case sum:
		return "Σ_{" + n.name + "=" + arg(0, rankAny) + "}^{" + arg(1, rankAny) + "} " +
			arg(2, rankProduct)
	case order:
		return n.name + "(" + arg(0, rankAny) + ")"
	case along:
		return n.name + "[" + arg(0, rankAny) + "]"
	case span:
		return "[" + arg(0, rankAny) + ", " + arg(1, rankAny) + "]"
	}
	panic(fmt.Sprintf("formula: operation %d", n.op))
}

// left is the first factor of a product or what a quotient divides.
func (n *node) left() string {
	if n.args[0].op == divide {
		return "(" + n.args[0].text() + ")"
	}
	return n.args[0].within(rankProduct)
}

// extreme writes a minimum or a maximum.
func (n *node) extreme() string {
	word, sign, least := "min", " ∧ ", rankAny
	if n.op == largest {
		word, sign = "max", " ∨ "
	}
	if n.infix {
		least = rankProduct
	}
	var parts []string
	for _, a := range n.args {
		parts = append(parts, a.within(least))
	}
	if n.infix {
		return strings.Join(parts, sign)
	}
	return word + "{" + strings.Join(parts, ", ") + "}"
}

// term is what follows a plus or minus: no sum, but a series may end it.
func (n *node) term() string {
	if n.op == sum {
		return n.text()
	}
	return n.within(rankProduct)
}

func (c clause) text() string {
	text := c.sides[0].text()
	for i, rel := range c.relations {
		text += " " + rel + " " + c.sides[i+1].text()
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

// besides sets two factors side by side, with a space where they would be read as one word, and a
// dot before a number.
func besides(a, b string) string {
	last, _ := utf8.DecodeLastRuneInString(a)
	first, _ := utf8.DecodeRuneInString(b)
	letter := func(r rune) bool {
		return r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r))
	}
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
