package formula

import (
	"fmt"
	"strings"
	"unicode"
)

// alike are characters that look like one of the notation, or stand for it elsewhere.
var alike = map[rune]string{'–': "−", '‒': "−", '—': "−", '‐': "−", '‑': "−", '﹣': "−", '－': "−",
	'∗': "·", '‧': "·", '∙': "·", '⋅': "·", '•': "·", '⨯': "×", '⁄': "/", '∕': "/", '÷': "/",
	'⩽': "≤", '≦': "≤", '≲': "= O(…)", '⩾': "≥", '≧': "≥", '≳': "= Ω(…)", '≪': "≤", '≫': "≥",
	'≈': "=", '≃': "=", '≡': "=", '∥': "‖", '∣': "|", '｜': "|", '″': "''",
	'µ': "μ", '∆': "Δ", 'ß': "β", '\u2126': "Ω", '\u212a': "K",
	'{': "(", '.': "a digit before and after the point", '%': "/100",
	'\\': "the signs themselves, as in √, ≤ and η, in the place of commands"}

// looks says what a character of another alphabet looks like, and what may be meant by one that is
// not of the notation; nothing if neither is known.
func looks(r rune) string {
	other, known := alike[r]
	if !known {
		other = letterLike(r)
	}
	hint := ""
	if r > unicode.MaxASCII && (other != "" || !unicode.In(r, unicode.Latin, unicode.Greek)) {
		hint = fmt.Sprintf(" (U+%04X)", r)
	}
	if other != "" {
		hint += ": write " + other
	}
	return hint
}

// Letters of Cyrillic and of Greek, and the Latin ones that they cannot be told from.
const (
	foreign  = "АВЕЅІЈКМНОРСТХаеорсухіјѕΑΒΕΖΗΙΚΜΝΟΡΤΥΧο"
	familiar = "ABESIJKMHOPCTXaeopcyxijsABEZHIKMNOPTYXo"
)

func letterLike(r rune) string {
	if r >= 'Ａ' && r <= 'Ｚ' || r >= 'ａ' && r <= 'ｚ' { // of full width
		return string(r - 'Ａ' + 'A')
	}
	for i, f := range []rune(foreign) {
		if f == r {
			return string([]rune(familiar)[i])
		}
	}
	return ""
}

// Alike names a letter that one in the name of a symbol cannot be told from by eye, "" if there is
// none: such a name is not what a reader takes it for.
func Alike(name string) string {
	for _, r := range name {
		if other := letterLike(r); other != "" {
			return strings.ReplaceAll(name, string(r), other)
		}
	}
	return ""
}
