package reports

import (
	"html/template"
	"slices"
	"strings"
	"unicode"
)

// lexeme is a word of a text, or a sign of a formula: the runes from at to end.
type lexeme struct {
	text    string
	at, end int
	math    bool
	near    bool // no blank stands before it
	side    int  // 1 if it opens a bracket or a norm, −1 if it closes one
}

func (l *lexeme) bracket() bool { return len(l.text) == 1 && strings.Contains("()[]{}", l.text) }

// light reports whether a lexeme alone is no reason to tell two differences apart: a bracket, a
// comma, a full stop.
func (l *lexeme) light() bool {
	return l.bracket() || len(l.text) == 1 && strings.Contains(",.;:", l.text)
}

// lexemes are the words of a text, their punctuation apart, and the signs of its formulas.
func lexemes(s []rune) []lexeme {
	var out []lexeme
	math, near := false, false
	for i := 0; i < len(s); {
		switch {
		case s[i] == '$':
			math = !math
			i++
			continue
		case unicode.IsSpace(s[i]):
			near = false
			i++
			continue
		}
		n := 1
		if math {
			_, n, _ = mathAtom(s[:endOf(s, i)], i)
			n = max(n, 1)
		} else if !strings.ContainsRune("()[],;:", s[i]) {
			for i+n < len(s) && !unicode.IsSpace(s[i+n]) &&
				!strings.ContainsRune("$()[],;:", s[i+n]) &&
				(s[i+n] != '.' || i+n+1 < len(s) && !unicode.IsSpace(s[i+n+1])) {
				n++
			}
		}
		out = append(out, lexeme{text: string(s[i : i+n]), at: i, end: i + n, math: math,
			near: near})
		i, near = i+n, true
	}
	pair(out)
	return out
}

// pair finds out which brackets and norms open and which close. A norm closes if nothing but
// brackets that are closed has been opened since the one before it.
func pair(of []lexeme) {
	var opened []string
	for i := range of {
		switch l := &of[i]; {
		case l.text == "‖" && len(opened) > 0 && opened[len(opened)-1] == "‖":
			l.side, opened = -1, opened[:len(opened)-1]
		case l.text == "‖", l.bracket() && strings.Contains("([{", l.text):
			l.side, opened = 1, append(opened, l.text)
		case l.bracket():
			l.side, opened = -1, opened[:max(0, len(opened)-1)]
		}
	}
}

// endOf is where the formula at s[i] ends.
func endOf(s []rune, i int) int {
	if n := slices.Index(s[i:], '$'); n >= 0 {
		return i + n
	}
	return len(s)
}

// change is a difference: the lexemes from a0 to a1 of one text stand where those from b0 to b1 of
// the other do.
type change struct{ a0, a1, b0, b1 int }

func same(a, b lexeme) bool { return a.text == b.text && a.math == b.math }

// differences compares two texts. Differences between which there are nothing but brackets and
// commas are one.
func differences(a, b []lexeme) []change {
	common := make([][]int, len(a)+1) // lengths of the longest common subsequences of the ends
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if common[i][j] = max(common[i+1][j], common[i][j+1]); same(a[i], b[j]) {
				common[i][j] = common[i+1][j+1] + 1
			}
		}
	}
	var out []change
	for i, j := 0, 0; i < len(a) || j < len(b); {
		if i < len(a) && j < len(b) && same(a[i], b[j]) {
			i, j = i+1, j+1
			continue
		}
		s := change{i, i, j, j}
		for (i < len(a) || j < len(b)) && (i == len(a) || j == len(b) || !same(a[i], b[j])) {
			if j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1] {
				i++
			} else {
				j++
			}
		}
		s.a1, s.b1 = i, j
		if n := len(out); n > 0 && !slices.ContainsFunc(a[out[n-1].a1:s.a0],
			func(l lexeme) bool { return !l.light() }) {
			out[n-1].a1, out[n-1].b1 = s.a1, s.b1
		} else {
			out = append(out, s)
		}
	}
	return out
}

// alike reports whether two texts have enough in common for their differences to be told one by
// one.
func alike(a []lexeme, changes []change) bool {
	differ := 0
	for _, s := range changes {
		differ += s.a1 - s.a0
	}
	return len(changes) > 0 && 5*differ <= 3*len(a)
}

// marksOf are the runes of the lexemes that some changes take.
func marksOf(s []rune, of []lexeme, changes []change, side func(change) (from, to int)) []bool {
	marks := make([]bool, len(s))
	for _, c := range changes {
		for from, to := side(c); from < to; from++ {
			for i := of[from].at; i < of[from].end; i++ {
				marks[i] = true
			}
		}
	}
	return marks
}

// marking is a text whose differences from another one are marked.
type marking struct {
	text  []rune
	marks []bool
}

// compared marks what is wrong in a printed statement, and what stands for it in its corrected
// form. If they have little in common, nothing is marked.
func compared(printed, corrected string) (wrong, right marking) {
	wrong.text, right.text = []rune(printed), []rune(corrected)
	a, b := lexemes(wrong.text), lexemes(right.text)
	if changes := differences(a, b); alike(a, changes) {
		right.marks = marksOf(right.text, b, changes,
			func(s change) (int, int) { return s.b0, s.b1 })
		wrong.marks = marksOf(wrong.text, a, lacking(a, b, changes),
			func(s change) (int, int) { return s.a0, s.a1 })
	}
	return wrong, right
}

// lacking are differences as they are marked in a: where b has more within a formula, the whole
// term of a that is another one there, so that something is marked.
func lacking(a, b []lexeme, changes []change) []change {
	whole := wholes(a, b, changes)
	var out []change
	for _, c := range changes {
		if c.a0 == c.a1 && b[c.b0].math && b[c.b1-1].math {
			for _, w := range whole {
				if w.a0 <= c.a0 && c.a1 <= w.a1 && w.a1-w.a0 <= mostMarked {
					for c = w; c.a0 < c.a1 && !a[c.a1-1].math; c.a1-- {
					}
					break
				}
			}
		}
		out = append(out, c)
	}
	return out
}

// mostMarked is the number of signs above which a term is too much to be marked for what it lacks.
const mostMarked = 20

// wrong sets a printed statement, with what its corrected form does not have marked.
func wrong(printed, corrected string) template.HTML {
	m, _ := compared(printed, corrected)
	return typeset{class: "wrong"}.text(m.text, m.marks)
}

// right sets a corrected form, with what the printed statement does not have marked.
func right(printed, corrected string) template.HTML {
	_, m := compared(printed, corrected)
	return typeset{class: "right"}.text(m.text, m.marks)
}

// leastContext is the number of neighbouring signs that a display must have in common with a
// statement, brackets left out, for a mark to be carried over.
const leastContext = 4

// in carries the marks of a statement over to a display that has the same formula: to signs with
// the same neighbours.
func (m marking) in(display string) marking {
	text := []rune("$" + strings.ReplaceAll(display, "$", "") + "$")
	out := marking{text: text}
	if m.marks == nil {
		return out
	}
	bare := func(s []rune) []lexeme {
		return slices.DeleteFunc(lexemes(s), func(l lexeme) bool { return l.bracket() || !l.math })
	}
	a, b := bare(m.text), bare(text)
	out.marks = make([]bool, len(text))
	i, j := 0, 0
	for _, s := range append(differences(a, b), change{len(a), len(a), len(b), len(b)}) {
		if s.a0-i >= leastContext {
			for ; i < s.a0; i, j = i+1, j+1 {
				for k := range b[j].end - b[j].at {
					out.marks[b[j].at+k] = m.marks[a[i].at]
				}
			}
		}
		i, j = s.a1, s.b1
	}
	if !slices.Contains(out.marks, true) {
		for _, at := range m.found(a, b) {
			for k := b[at].at; k < b[at].end; k++ {
				out.marks[k] = true
			}
		}
	}
	return out
}

// found are the signs of a display that are marked in a statement, where the two have them in
// another order: all of a mark with a neighbour or more, which stands in the display once.
func (m marking) found(a, b []lexeme) (at []int) {
	marked := func(i int) bool { return i < len(a) && m.marks[a[i].at] }
	for from := 0; from < len(a); from++ {
		if !marked(from) || from > 0 && marked(from-1) {
			continue
		}
		to := from
		for marked(to) {
			to++
		}
		for _, of := range [][2]int{{max(0, from-1), to}, {from, min(len(a), to+1)}} {
			lo, hi := of[0], of[1]
			places := occurrences(a[lo:hi], b)
			if hi-lo < leastContext || hi-lo == to-from || len(places) != 1 {
				continue
			}
			for i := from; i < to; i++ {
				at = append(at, places[0]+i-lo)
			}
			break
		}
	}
	return at
}

// occurrences are the places of some signs among others.
func occurrences(of, in []lexeme) (places []int) {
	for i := 0; i+len(of) <= len(in); i++ {
		if slices.EqualFunc(of, in[i:i+len(of)], same) {
			places = append(places, i)
		}
	}
	return places
}

// slip is what to replace in a statement: "for … read …".
type slip struct{ instead, read string }

// mostSlips is the number of differences above which a corrected form is to be read as a whole.
const mostSlips = 3

// slips compares a statement as printed with its corrected form. Each difference is told by whole
// terms, with as many brackets opened as closed. It returns nil if the two have little in common:
// the corrected form is then to be read as a whole.
func slips(printed, corrected string) []slip {
	s, r := []rune(printed), []rune(corrected)
	a, b := lexemes(s), lexemes(r)
	changes := differences(a, b)
	if !alike(a, changes) {
		return nil
	}
	whole := wholes(a, b, changes)
	if len(whole) > mostSlips {
		return nil
	}
	var out []slip
	for _, w := range whole {
		if told := (slip{excerpt(s, a[w.a0:w.a1]),
			excerpt(r, b[w.b0:w.b1])}); told.instead != told.read {
			out = append(out, told)
		}
	}
	return out
}

// wholes are differences by whole terms, with as many brackets opened as closed.
func wholes(a, b []lexeme, changes []change) []change {
	var whole []change
	for k := 0; k < len(changes); k++ {
		w := changes[k]
		for grown := true; grown; {
			before, after := 0, len(a)
			if n := len(whole); n > 0 {
				before = whole[n-1].a1
			}
			if k+1 < len(changes) {
				after = changes[k+1].a0
			}
			if w, grown = grow(a, b, w, before, after); grown {
				continue
			}
			// what is told already, or is about to be, is told together
			if n := len(whole); n > 0 && w.a0 == whole[n-1].a1 && w.b0 == whole[n-1].b1 {
				w.a0, w.b0, grown = whole[n-1].a0, whole[n-1].b0, true
				whole = whole[:n-1]
			} else if k+1 < len(changes) && w.a1 == changes[k+1].a0 && w.b1 == changes[k+1].b0 {
				w.a1, w.b1, grown = changes[k+1].a1, changes[k+1].b1, true
				k++
			}
		}
		if w, ok := trim(a, b, w); ok {
			whole = append(whole, w)
		}
	}
	return whole
}

// excerpt is the text from the first to the last of some lexemes, its formulas between dollar
// signs.
func excerpt(s []rune, of []lexeme) string {
	if len(of) == 0 {
		return ""
	}
	text := string(s[of[0].at:of[len(of)-1].end])
	if of[0].math {
		text = "$" + text
	}
	if of[len(of)-1].math {
		text += "$"
	}
	return text
}

// depths returns how many brackets and norms of some lexemes are closed without having been opened,
// and opened without being closed.
func depths(of []lexeme) (closed, open int) {
	for _, l := range of {
		switch {
		case l.side > 0:
			open++
		case l.side < 0 && open > 0:
			open--
		case l.side < 0:
			closed++
		}
	}
	return closed, open
}

// sparse reports whether lexemes say nothing to somebody who looks for them on a page: too few
// letters.
func sparse(of []lexeme) bool {
	letters := 0
	for _, l := range of {
		for _, r := range l.text {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				letters++
			}
		}
	}
	return letters < 2
}

// grow takes in a neighbour of a difference if what it says is no whole term yet, not beyond two
// places of a.
func grow(a, b []lexeme, s change, before, after int) (change, bool) {
	leftA, rightA := lacks(a, s.a0, s.a1)
	leftB, rightB := lacks(b, s.b0, s.b1)
	left, right := leftA || leftB, rightA || rightB
	if !left && !right && (sparse(a[s.a0:s.a1]) || sparse(b[s.b0:s.b1])) {
		left, right = s.a0 > before, s.a0 <= before
	}
	switch {
	case left && s.a0 > before:
		s.a0, s.b0 = s.a0-1, s.b0-1
	case right && s.a1 < after:
		s.a1, s.b1 = s.a1+1, s.b1+1
	default:
		return s, false
	}
	return s, true
}

// lacks reports whether some lexemes of a text want their neighbours to be whole: a term goes on
// there, an operator has lost a side, a bracket its partner.
func lacks(of []lexeme, from, to int) (left, right bool) {
	closed, open := depths(of[from:to])
	left = closed > 0 || goesOn(of, from) || from < to && operates(of[from])
	right = open > 0 || goesOn(of, to) || from < to && operates(of[to-1])
	return left, right
}

// goesOn reports whether a term that ends before a lexeme goes on with it.
func goesOn(of []lexeme, i int) bool {
	if i == 0 || i >= len(of) || !of[i].math || !of[i-1].math {
		return false
	}
	last, next := of[i-1], of[i]
	if i > 1 && last.text == "{" && strings.Contains("_^", of[i-2].text) {
		return true // within an index or an exponent
	}
	return next.near && !strings.Contains("([{,;:.", last.text) &&
		!strings.Contains(")]},;:.", next.text) || strings.Contains("_^", last.text)
}

// operates reports whether a lexeme stands between two terms.
func operates(l lexeme) bool { return l.math && strings.Contains(relations+binaries, l.text) }

// trim leaves out the punctuation at the ends of a difference, and reports whether anything is
// left.
func trim(a, b []lexeme, s change) (change, bool) {
	stop := func(of []lexeme, i int) bool { return strings.Contains(",.;:", of[i].text) }
	for s.a0 < s.a1 && stop(a, s.a1-1) {
		s.a1--
	}
	for s.b0 < s.b1 && stop(b, s.b1-1) {
		s.b1--
	}
	return s, s.a0 < s.a1 || s.b0 < s.b1
}
