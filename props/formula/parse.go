package formula

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// clause is an expression, or a chain of relations between sides.
type clause struct {
	sides     []*node
	relations []string // ≤ ≥ < > = ∈, one fewer than sides
}

const (
	deepest      = 200 // nesting of a formula
	longestText  = 100_000
	mostDigits   = 1000 // of a number
	longestPower = 400  // decimal exponent of a number
)

type parser struct {
	v     *Vocabulary
	text  string
	at    int // in bytes
	depth int
	bars  bool     // the innermost open bracket is a bar
	bound []string // indices of sums
}

// parseClauses parses clauses that are separated by signs of the given ones. If one of them is "if
// ", what stands before it, one clause, is returned as the last.
func parseClauses(v *Vocabulary, text string, separators ...string) (clauses []clause, err error) {
	p := &parser{v: v, text: text}
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*Error)
			if !ok {
				panic(r)
			}
			err = e
		}
	}()
	if len(text) > longestText {
		return nil, &Error{text[:20] + "…", 1,
			fmt.Sprintf("the text is longer than %d bytes", longestText)}
	}
	for given := false; ; {
		clauses = append(clauses, p.clause())
		switch p.space(); {
		case p.at < len(p.text):
		case given:
			return append(clauses[1:], clauses[0]), nil
		default:
			return clauses, nil
		}
		start := p.at
		switch p.accept(separators...) {
		case "":
			p.unexpected()
		case "if ":
			if len(clauses) > 1 {
				p.fail(start, "behind if stand all premises, before it the conclusion alone")
			}
			given, separators = true, []string{",", ";"}
		}
	}
}

// parseOne parses a single expression.
func parseOne(v *Vocabulary, text string) (*node, error) {
	c, err := parseClauses(v, text)
	switch {
	case err != nil:
		return nil, err
	case len(c[0].relations) > 0 || c[0].sides[0].op == order || c[0].sides[0].op == span:
		return nil, &Error{text, 1, "an expression is wanted, not a statement"}
	}
	return c[0].sides[0], nil
}

func (p *parser) fail(at int, format string, args ...any) {
	panic(&Error{p.text, 1 + utf8.RuneCountInString(p.text[:at]), fmt.Sprintf(format, args...)})
}

func (p *parser) unexpected() {
	p.space()
	if p.at == len(p.text) {
		p.fail(p.at, "the formula ends too early")
	}
	switch r := p.peek(); {
	case unicode.IsLetter(r):
		word := p.word()
		hint := looks(r)
		if next, _ := utf8.DecodeRuneInString(p.text[p.at+len(word):]); letterLike(next) != "" {
			hint = fmt.Sprintf(", and %c behind it is none of its letters%s", next, looks(next))
		}
		p.fail(p.at, "%s is no known symbol%s; known are %s", word, hint,
			strings.Join(p.v.Names(), " "))
	case unicode.IsDigit(r):
		p.fail(p.at,
			"%q is not expected here: a number is the first factor, or stands behind a sign", r)
	default:
		p.fail(p.at, "%q is not expected here%s", r, looks(r))
	}
}

// word returns what looks like a name at the current position.
func (p *parser) word() string {
	_, n := utf8.DecodeRuneInString(p.text[p.at:])
	if p.text[p.at] < utf8.RuneSelf {
		n = len(p.text[p.at:]) - len(strings.TrimLeftFunc(p.text[p.at:],
			func(r rune) bool { return r < utf8.RuneSelf && unicode.IsLetter(r) }))
	}
	tail, _ := decoration(p.text[p.at+n:])
	return p.text[p.at:p.at+n] + tail
}

func (p *parser) space() {
	p.at = len(p.text) - len(strings.TrimLeftFunc(p.text[p.at:], unicode.IsSpace))
}

func (p *parser) peek() rune {
	p.space()
	r, _ := utf8.DecodeRuneInString(p.text[p.at:])
	return r
}

// accept goes past the first of the given signs that comes next, and returns it.
func (p *parser) accept(signs ...string) string {
	p.space()
	for _, s := range signs {
		if strings.HasPrefix(p.text[p.at:], s) {
			p.at += len(s)
			return s
		}
	}
	return ""
}

func (p *parser) expect(sign string) {
	if p.accept(sign) == "" {
		if p.space(); p.at == len(p.text) {
			p.fail(p.at, "%s is missing", sign)
		}
		if unicode.IsDigit(p.peek()) {
			p.unexpected()
		}
		p.fail(p.at, "%s is wanted here", sign)
	}
}

// within parses what stands between brackets, the first of which has been passed.
func (p *parser) within(bars bool, closing string, inner func()) {
	was := p.bars
	p.bars = bars
	inner()
	p.expect(closing)
	p.bars = was
}

func (p *parser) clause() clause {
	c := clause{sides: []*node{p.side()}}
	for {
		rel := p.accept("≤", "<=", "≥", ">=", "<", ">", "=", "∈")
		if rel == "" && p.membership() {
			rel = p.accept("in")
		}
		switch rel {
		case "":
			return c
		case "<=":
			rel = "≤"
		case ">=":
			rel = "≥"
		case "in":
			rel = "∈"
		}
		c.relations = append(c.relations, rel)
		if rel != "∈" {
			c.sides = append(c.sides, p.side())
			continue
		}
		p.expect("[")
		s := &node{op: span, at: p.at}
		p.within(false, "]", func() {
			lo := p.expression()
			p.expect(",")
			s.args = []*node{lo, p.expression()}
		})
		c.sides = append(c.sides, s)
		return c
	}
}

// membership reports whether the word "in" of ASCII text and a range follow.
func (p *parser) membership() bool {
	p.space()
	rest, is := strings.CutPrefix(p.text[p.at:], "in")
	return is && strings.HasPrefix(strings.TrimLeft(rest, " "), "[")
}

// given reports whether the word "if" follows, between spaces: i and f may be symbols.
func (p *parser) given() bool {
	p.space()
	return p.at > 0 && unicode.IsSpace(rune(p.text[p.at-1])) &&
		strings.HasPrefix(p.text[p.at:], "if ")
}

var orders = []string{"Õ", "O\u0303", "O~", "O", "Ω̃", "Omega~", "Ω", "Omega", "Θ̃", "Theta~",
	"Θ", "Theta"}

var orderNames = map[string]string{"O\u0303": "Õ", "O~": "Õ", "Omega~": "Ω̃", "Omega": "Ω",
	"Theta~": "Θ̃", "Theta": "Θ"}

func (p *parser) side() *node {
	p.space()
	start := p.at
	if name := p.accept(orders...); name != "" {
		if p.accept("(") != "" {
			n := &node{op: order, name: name, at: p.column(start)}
			if alias, ok := orderNames[name]; ok {
				n.name = alias
			}
			p.within(false, ")", func() { n.args = []*node{p.expression()} })
			return n
		}
		p.at = start
	}
	return p.expression()
}

func (p *parser) column(at int) int { return 1 + utf8.RuneCountInString(p.text[:at]) }

// deeper goes one formula deeper, and returns what comes back from there.
func (p *parser) deeper() (back func()) {
	if p.depth++; p.depth > deepest {
		p.fail(p.at, "the formula is nested more than %d deep", deepest)
	}
	return func() { p.depth-- }
}

// expression parses a sum, or a minimum or maximum of products joined by ∧ or ∨.
func (p *parser) expression() *node {
	defer p.deeper()()
	first, bare := p.sum()
	signs := []string{"∧", "/\\"}
	n := &node{op: smallest, infix: true, args: []*node{first}, at: first.at}
	if p.peek() == '∨' || strings.HasPrefix(p.text[p.at:], "\\/") {
		signs, n.op = []string{"∨", "\\/"}, largest
	}
	for {
		p.space()
		start := p.at
		if p.accept(signs...) == "" {
			break
		}
		next, also := p.sum()
		if bare = bare || also; bare {
			p.fail(start, "what stands beside ∧ and ∨ is a product: set parentheses")
		}
		n.args = append(n.args, next)
	}
	switch {
	case len(n.args) == 1:
		return first
	case p.peek() == '∨' || p.peek() == '∧':
		p.fail(p.at, "∧ and ∨ are of one rank: set parentheses")
	}
	return n
}

// sum parses products joined by plus and minus, and reports whether there is such a sign.
func (p *parser) sum() (n *node, bare bool) {
	p.space()
	if start := p.at; p.accept("-", "−") != "" {
		n, bare = &node{op: negate, args: []*node{p.product()}, at: p.column(start)}, true
	} else {
		n = p.product()
	}
	for {
		switch p.accept("+", "-", "−") {
		case "":
			return n, bare
		case "+":
			n = of(add, n, p.product())
		default:
			n = of(subtract, n, p.product())
		}
		bare = true
	}
}

// product parses factors, side by side or with signs between them, from left to right. After a
// divisor a sign must stand.
func (p *parser) product() *node {
	n := p.factor()
	for {
		p.space()
		start := p.at
		switch p.accept("·", "×", "*", "/") {
		case "":
			if !p.begins() {
				return n
			}
			n = of(multiply, n, p.factor())
		case "/":
			if strings.HasPrefix(p.text[p.at:], "\\") { // "/\" is ∧
				p.at = start
				return n
			}
			p.space()
			start = p.at
			d := p.factor()
			if v, known := d.constant(); known && v.Sign() == 0 {
				p.fail(start, "it is divided by 0")
			}
			if n = of(divide, n, d); p.begins() {
				p.fail(p.at, "a/b c has two readings: write a/(b c) or (a/b) c")
			}
		default:
			n = of(multiply, n, p.factor())
		}
	}
}

// begins reports whether a factor follows without a sign. A number does not.
func (p *parser) begins() bool {
	r := p.peek()
	rest := p.text[p.at:]
	switch {
	case p.at == len(p.text) || p.membership() || p.given() || strings.HasPrefix(rest, "implies"):
		return false
	case strings.ContainsRune("([√⌈⌊Σ∑", r):
		return true
	case r == '|':
		return !p.bars
	}
	return p.named(rest) || unicode.IsLetter(r)
}

func (p *parser) named(rest string) bool {
	_, n := p.v.name(rest)
	return n > 0
}

// factor parses a primary with its exponent.
func (p *parser) factor() *node {
	defer p.deeper()()
	n := p.primary()
	if e := p.exponent(); e != nil {
		n = of(power, n, e)
		p.space()
		if start := p.at; p.exponent() != nil {
			p.fail(start, "a second exponent needs parentheses")
		}
	}
	return n
}

const raised = "⁰¹²³⁴⁵⁶⁷⁸⁹"

// exponent parses what is raised, nil if nothing is.
func (p *parser) exponent() *node {
	start := p.at
	digits := ""
	minus := strings.HasPrefix(p.text[p.at:], "⁻")
	if minus {
		p.at += len("⁻")
	}
	for {
		r, size := utf8.DecodeRuneInString(p.text[p.at:])
		k := slices.Index([]rune(raised), r)
		if k < 0 {
			break
		}
		digits += strconv.Itoa(k)
		p.at += size
	}
	switch {
	case digits != "":
		e := p.literal(digits, start)
		if minus {
			e = of(negate, e)
		}
		return e
	case minus:
		p.fail(start, "⁻ without digits")
	}
	if p.accept("^") == "" {
		p.at = start
		return nil
	}
	if p.accept("{") != "" {
		var e *node
		p.within(false, "}", func() { e = p.expression() })
		return e
	}
	if start := p.at; p.accept("-", "−") != "" {
		if !unicode.IsDigit(p.peek()) {
			p.fail(p.at, "an exponent is a number, a symbol, or stands in braces")
		}
		return &node{op: negate, args: []*node{p.number(false)}, at: p.column(start)}
	}
	if unicode.IsDigit(p.peek()) {
		return p.number(false)
	}
	return p.primary()
}

func (p *parser) literal(digits string, start int) *node {
	if len(digits) > mostDigits {
		panic(&Error{p.text[start:start+20] + "…", 1,
			fmt.Sprintf("a number has more than %d digits", mostDigits)})
	}
	v, ok := new(big.Rat).SetString(digits)
	if !ok {
		p.fail(start, "%q is no number", digits)
	}
	return &node{op: number, value: v, at: p.column(start)}
}

func isDigit(s string, i int) bool { return i < len(s) && s[i] >= '0' && s[i] <= '9' }

// number parses digits with a decimal point, and a power of ten if it may have one.
func (p *parser) number(power bool) *node {
	s, i := p.text, p.at
	for isDigit(s, i) {
		i++
	}
	if i < len(s) && s[i] == '.' && isDigit(s, i+1) {
		for i++; isDigit(s, i); i++ {
		}
	}
	if power && i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		k := i + 1
		if k < len(s) && (s[k] == '-' || s[k] == '+') {
			k++
		}
		if isDigit(s, k) {
			from := k
			for isDigit(s, k) {
				k++
			}
			if e, err := strconv.Atoi(s[from:k]); err != nil || e > longestPower {
				p.fail(i, "the power of ten exceeds %d", longestPower)
			}
			i = k
		}
	}
	start := p.at
	p.at = i
	return p.literal(s[start:i], start)
}

func (p *parser) primary() *node {
	r := p.peek()
	start := p.at
	if p.at == len(p.text) {
		p.unexpected()
	}
	bracket := func(op operation, closing string) *node {
		p.at += utf8.RuneLen(r)
		n := &node{op: op, at: p.column(start)}
		p.within(r == '|', closing, func() { n.args = []*node{p.expression()} })
		return n
	}
	switch {
	case isDigit(p.text, p.at):
		return p.number(true)
	case r == '(' || r == '[':
		return bracket(absolute, map[rune]string{'(': ")", '[': "]"}[r]).args[0]
	case r == '⌈':
		return bracket(ceiling, "⌉")
	case r == '⌊':
		return bracket(floor, "⌋")
	case r == '|':
		return bracket(absolute, "|")
	case r == '√':
		p.at += utf8.RuneLen(r)
		return p.applied(root, start)
	}
	name, n := p.v.name(p.text[p.at:])
	if sign := p.operator(n); sign != "" {
		return p.along(sign, start)
	}
	for word, op := range functions {
		if len(word) >= n && strings.HasPrefix(p.text[p.at:], word) {
			p.at += len(word)
			return p.function(op, start)
		}
	}
	if sign := p.accept("Σ_", "∑_", "sum_"); sign != "" {
		return p.series(start)
	}
	if bound, size := p.index(); size >= n && size > 0 {
		p.at += size
		return &node{op: symbol, name: bound, at: p.column(start)}
	}
	if _, known := p.v.index[name]; n == 0 || !known {
		if n > 0 {
			p.fail(p.at, "%s is no known symbol; known are %s", name,
				strings.Join(p.v.Names(), " "))
		}
		p.unexpected()
	}
	p.at += n
	return &node{op: symbol, name: name, at: p.column(start)}
}

// operator goes past an operator of the vocabulary, unless the name of a symbol takes as many
// bytes.
func (p *parser) operator(n int) string {
	for _, word := range p.v.operators {
		if len(word) > n && strings.HasPrefix(p.text[p.at:], word) {
			p.at += len(word)
			return word
		}
	}
	return ""
}

// bracketed parses what stands in brackets, if such come next, as the argument of a node.
func (p *parser) bracketed(n *node) bool {
	closing := map[string]string{"(": ")", "[": "]", "{": "}"}[p.accept("(", "[", "{")]
	if closing != "" {
		p.within(false, closing, func() { n.args = []*node{p.expression()} })
	}
	return closing != ""
}

// along parses what an operator is applied to: what stands in brackets, or a factor with its
// exponent.
func (p *parser) along(word string, start int) *node {
	n := &node{op: along, name: word, at: p.column(start)}
	if p.bracketed(n) {
		return p.settled(n, true)
	}
	n.args = []*node{p.factor()}
	return n
}

// index returns the index of a sum that comes next.
func (p *parser) index() (name string, size int) {
	r, size := utf8.DecodeRuneInString(p.text[p.at:])
	if name = string(r); slices.Contains(p.bound, name) {
		return name, size
	}
	return "", 0
}

// applied parses the argument of a function that may stand without parentheses.
func (p *parser) applied(op operation, start int) *node {
	defer p.deeper()()
	n := &node{op: op, at: p.column(start)}
	if p.bracketed(n) {
		return p.settled(n, op == root)
	}
	n.args = []*node{p.primary()}
	return p.settled(n, true)
}

// settled refuses an exponent that could belong to the function or to its argument.
func (p *parser) settled(n *node, refuse bool) *node {
	if start := p.at; refuse && p.exponent() != nil {
		p.fail(start,
			"the exponent has two readings: set parentheses around the whole or around the argument")
	}
	return n
}

func (p *parser) function(op operation, start int) *node {
	if op == smallest || op == largest {
		opening := p.accept("{", "(")
		if opening == "" {
			p.expect("{")
		}
		n := &node{op: op, at: p.column(start)}
		p.within(false, map[string]string{"{": "}", "(": ")"}[opening], func() {
			n.args = []*node{p.expression()}
			for p.accept(",") != "" {
				n.args = append(n.args, p.expression())
			}
		})
		if len(n.args) == 1 {
			p.fail(start, "a minimum or maximum is of two numbers or more")
		}
		return n
	}
	e := p.exponent() // log² n
	n := p.applied(op, start)
	if e == nil {
		return n
	}
	if p.exponent() != nil {
		p.fail(start, "a second exponent needs parentheses")
	}
	return of(power, n, e)
}

// series parses a sum from its index on.
func (p *parser) series(start int) *node {
	n := &node{op: sum, at: p.column(start), args: make([]*node, 3)}
	p.expect("{")
	p.within(false, "}", func() {
		r := p.peek()
		if !unicode.IsLetter(r) {
			p.fail(p.at, "the index of a sum is a letter")
		}
		n.name = string(r)
		if _, known := p.v.index[n.name]; known || slices.Contains(p.bound, n.name) {
			p.fail(p.at, "%s has a meaning already", n.name)
		}
		p.at += utf8.RuneLen(r)
		p.expect("=")
		n.args[0] = p.expression()
	})
	p.space()
	if n.args[1] = p.exponent(); n.args[1] == nil {
		p.fail(p.at, "the last index of the sum is missing")
	}
	was := p.bars
	p.bound = append(p.bound, n.name)
	n.args[2] = p.product()
	p.bound, p.bars = p.bound[:len(p.bound)-1], was
	return n
}
