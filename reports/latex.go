package reports

import (
	_ "embed"
	"encoding/xml"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// latexText sets a text, in which formulas stand between dollar signs, for LaTeX with amssymb.
// Signs of formulas that stand outside of dollar signs are set as well, as [formula] does for
// pages.
func latexText(s string) string {
	var b strings.Builder
	for i, piece := range strings.Split(s, "$") {
		if i%2 == 0 {
			latexProse(&b, []rune(piece))
			continue
		}
		if strings.TrimSpace(piece) != "" {
			b.WriteString("$" + latexMath([]rune(piece)) + "$")
		}
	}
	return b.String()
}

// latexProse sets text in which single signs may belong to formulas.
func latexProse(b *strings.Builder, s []rune) {
	for i := 0; i < len(s); i++ {
		r := s[i]
		if (r == '_' || r == '^') && i > 0 && !unicode.IsSpace(s[i-1]) {
			if inner, n := argument(s, i); n > 0 {
				fmt.Fprintf(b, `\ensuremath{%c{%s}}`, r, latexMath(inner))
				i += n
				continue
			}
		}
		switch {
		case superscripts[r] != 0 || subscripts[r] != 0:
			of, sign := superscripts, '^'
			if subscripts[r] != 0 {
				of, sign = subscripts, '_'
			}
			plain := plainRun(s[i:], of)
			fmt.Fprintf(b, `\ensuremath{%c{%s}}`, sign, latexMath(plain))
			i += len(plain) - 1
		case unicode.IsControl(r):
			b.WriteByte(' ')
		case latexEscapes[r] != "":
			b.WriteString(latexEscapes[r])
		case i+1 < len(s) && latexAccents[s[i+1]] != "":
			fmt.Fprintf(b, `\ensuremath{%s{%s}}`, latexAccents[s[i+1]], latexSigns(string(r)))
			i++
		case r < 0x80 || unicode.IsLetter(r) && r >= 0xC0 && r < 0x180: // what LaTeX knows
			b.WriteRune(r)
		default:
			b.WriteString(`\ensuremath{` + strings.TrimSpace(latexSigns(string(r))) + `}`)
		}
	}
}

var latexEscapes = map[rune]string{'\\': `\textbackslash{}`, '{': `\{`, '}': `\}`, '&': `\&`,
	'#': `\#`, '^': `\textasciicircum{}`, '_': `\_`, '%': `\%`, '~': `\textasciitilde{}`,
	'<': `\ensuremath{<}`, '>': `\ensuremath{>}`, '|': `\ensuremath{|}`, '"': "''",
	'–': "--", '“': "``", '”': "''", '…': `\dots{}`, '\u202f': `\,`, '\u00a0': "~", '\u200b': ""}

// latexAccents are the signs that stand above the letter before them.
var latexAccents = map[rune]string{'\u0303': `\tilde`, '\u0304': `\bar`, '\u0302': `\hat`}

// latexComposed are letters with such a sign in one.
var latexComposed = map[rune]string{'ã': `\tilde{a}`, 'Õ': `\tilde{O}`, 'õ': `\tilde{o}`,
	'Ĩ': `\tilde{I}`, 'ĩ': `\tilde{\imath}`, 'ñ': `\tilde{n}`,
	'ṽ': `\tilde{v}`, 'ỹ': `\tilde{y}`, 'ā': `\bar{a}`, 'ȳ': `\bar{y}`}

// latexNames has a line for each sign of formulas: the sign, and what it is in mathematics of
// LaTeX.
//
//go:embed latex.txt
var latexNames string

// latexSign are the signs of formulas. Commands of letters end in a space.
var latexSign = sync.OnceValue(func() map[rune]string {
	signs := map[rune]string{}
	for line := range strings.Lines(latexNames) {
		r, size := utf8.DecodeRuneInString(line)
		name := strings.TrimSpace(line[size:])
		if last := name[len(name)-1]; len(name) > 1 &&
			(isASCIILetter(rune(last)) || last >= '0' && last <= '9') {
			name += " "
		}
		signs[r] = name
	}
	return signs
})

// Signs returns the signs that commands of LaTeX stand for in formulas, such as ≤ for `\le`.
func Signs() map[string]string {
	out := map[string]string{}
	for sign, name := range latexSign() {
		if name = strings.TrimSpace(name); strings.HasPrefix(name, `\`) &&
			!strings.ContainsAny(name, "{ ") &&
			len(name) > 2 {
			out[name] = string(sign)
		}
	}
	return out
}

// latexSigns writes the signs of a leaf of a formula. What is not known is named by its number,
// which no text of ours contains.
func latexSigns(s string) string {
	var b strings.Builder
	runes := []rune(s)
	for i := 0; i < len(runes); i++ {
		r := runes[i]
		sign, known := latexSign()[r]
		switch {
		case latexComposed[r] != "":
			sign = latexComposed[r]
		case superscripts[r] != 0:
			sign = fmt.Sprintf("^{%c}", superscripts[r])
		case subscripts[r] != 0:
			sign = fmt.Sprintf("_{%c}", subscripts[r])
		case known:
		case r >= ' ' && r < 0x7F:
			sign = string(r)
		default:
			sign = fmt.Sprintf(`\mathtt{U{+}%04X}`, r)
		}
		if i+1 < len(runes) && latexAccents[runes[i+1]] != "" {
			sign = latexAccents[runes[i+1]] + "{" + strings.TrimSpace(sign) + "}"
			i++
		}
		b.WriteString(sign)
	}
	return b.String()
}

// element is an element of MathML.
type element struct {
	XMLName  xml.Name
	Text     string    `xml:",chardata"`
	Children []element `xml:",any"`
}

// latexMath sets a formula, by way of the elements in which pages show it.
func latexMath(s []rune) string {
	parts := fold(typeset{}.parse(slices.DeleteFunc(slices.Clone(s), unicode.IsControl), nil),
		false)
	var root element
	if err := xml.Unmarshal([]byte("<mrow>"+row(parts)+"</mrow>"), &root); err != nil {
		panic("reports: " + err.Error()) // what fold returns is well formed
	}
	return strings.TrimSpace(latexRow(root.Children))
}

// latexRow sets elements side by side. A root takes what follows it, up to the parenthesis that
// closes.
func latexRow(row []element) string {
	var b strings.Builder
	for i := 0; i < len(row); i++ {
		if row[i].Text != "√" || i+1 == len(row) {
			b.WriteString(latexElement(&row[i]))
			continue
		}
		end, depth := i+1, 0
		for k := i + 1; k < len(row); k++ {
			switch base := leaf(&row[k]); base {
			case "(", "[":
				depth++
			case ")", "]":
				depth--
			}
			if depth == 0 {
				end = k
				break
			}
		}
		inner := row[i+1 : end+1]
		if n := len(inner); n > 2 && inner[0].Text == "(" && inner[n-1].Text == ")" {
			inner = inner[1 : n-1]
		}
		b.WriteString(`\sqrt{` + latexRow(inner) + `}`)
		i = end
	}
	return b.String()
}

// leaf is the text of an element, of the base if it carries scripts.
func leaf(e *element) string {
	for len(e.Children) > 0 {
		e = &e.Children[0]
	}
	return e.Text
}

// script is what stands below or above the line.
func script(s string) string {
	if len(s) == 1 {
		return s
	}
	return "{" + s + "}"
}

// base is what carries scripts.
func base(s string) string {
	switch {
	case len(s) == 1 || s == `\|`:
		return s
	case oneCommand.MatchString(s):
		return s + " "
	}
	return "{" + s + "}"
}

var oneCommand = regexp.MustCompile(`^\\[a-zA-Z]+$`)

func latexElement(e *element) string {
	child := func(k int) string {
		if k < len(e.Children) {
			return strings.TrimSpace(latexElement(&e.Children[k]))
		}
		return ""
	}
	switch e.XMLName.Local {
	case "msub":
		return base(child(0)) + "_" + script(child(1))
	case "msup":
		if child(1) == "'" {
			return child(0) + "'"
		}
		return base(child(0)) + "^" + script(child(1))
	case "msubsup":
		return base(child(0)) + "_" + script(child(1)) + "^" + script(child(2))
	case "mtext":
		return `\;\mathrm{` + latexSigns(strings.TrimSpace(e.Text)) + `}\;`
	case "mi":
		if len([]rune(e.Text)) > 1 && isASCIILetter([]rune(e.Text)[0]) &&
			isASCIILetter([]rune(e.Text)[1]) {
			return `\mathrm{` + e.Text + `}\,`
		}
		return latexSigns(e.Text)
	case "mrow":
		return latexRow(e.Children)
	case "mo":
		switch e.Text {
		case "Σ":
			return `\sum `
		case "Π":
			return `\prod `
		}
	}
	return latexSigns(e.Text)
}
