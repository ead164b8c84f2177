package equations

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"gonum.org/v1/gonum/stat/combin"

	"sledge/props/formula"
)

// reader reads equations from a text.
type reader struct {
	System
	text    string
	at, end int // in bytes
	depth   int
	known   map[string]Shape
	defined map[string]expression
	scope   []string // names of indices; the free ones come first in equations
	open    bool     // an equation is read, no definition
	free    [len(freeIndices)]bool
	drawn   string // the name of the set of a mean
	inBars  bool
	inNorm  bool
	alone   bool // indices behind a name are read, whose factors stand alone
}

// Read reads the equations in the first part of a text, between what is known by the given names.
// An error is a [formula.Error] with the whole text.
func Read(text, part string, known map[string]Shape) (s *System, err error) {
	q := &reader{System: System{used: map[string]bool{}}, text: text, known: known,
		defined: map[string]expression{}}
	defer func() {
		if r := recover(); r != nil {
			wrong, ok := r.(*formula.Error)
			if !ok {
				panic(r)
			}
			err = wrong
		}
	}()
	said, where, _ := strings.Cut(part, " where ")
	for _, d := range formula.Items(where) {
		q.from(len(part)-len(where)+d.At, d.Text)
		q.define()
	}
	for _, e := range formula.Items(said) {
		q.equation(e)
	}
	return &q.System, nil
}

func (q *reader) from(at int, text string) { q.at, q.end = at, at+len(text) }

func (q *reader) fail(what string, args ...any) {
	panic(&formula.Error{Text: q.text, Column: 1 + utf8.RuneCountInString(q.text[:q.at]),
		What: fmt.Sprintf(what, args...)})
}

// next is what is not yet read, without spaces before it, and accept goes past one of some signs.
func (q *reader) next() string {
	rest := strings.TrimLeft(q.text[q.at:q.end], " ")
	q.at = q.end - len(rest)
	return rest
}

func (q *reader) accept(signs ...string) bool {
	for _, sign := range signs {
		if strings.HasPrefix(q.next(), sign) {
			q.at += len(sign)
			return true
		}
	}
	return false
}

func (q *reader) expect(sign string) {
	if !q.accept(sign) {
		q.fail("%s is wanted here", sign)
	}
}

// letter reads a letter.
func (q *reader) letter() string {
	r, size := utf8.DecodeRuneInString(q.next())
	if !unicode.IsLetter(r) {
		q.fail("a letter is wanted here")
	}
	q.at += size
	return string(r)
}

// define reads a definition, such as c_i^s = ….
func (q *reader) define() {
	key := q.letter()
	q.scope, q.open = nil, false
	for _, sign := range []string{"_", "^"} {
		if q.accept(sign) {
			braces := q.accept("{")
			for more := true; more; more = braces && q.accept(",") {
				key += sign
				q.scope = append(q.scope, q.letter())
			}
			if braces {
				q.expect("}")
			}
		}
	}
	q.expect("=")
	q.defined[key] = q.whole()
}

// whole reads an expression that the text ends with.
func (q *reader) whole() expression {
	e := q.sum()
	if r, size := utf8.DecodeRuneInString(q.next()); size > 0 {
		q.fail("%q is not expected here", r)
	}
	return e
}

// equation reads an equation and behind "for" where it holds.
func (q *reader) equation(item formula.Item) {
	said, limits, limited := strings.Cut(item.Text, " for ")
	e := equation{}
	q.scope, q.open, q.free = strings.Split(freeIndices, ""), true, e.free
	if limited {
		q.from(item.At+len(item.Text)-len(limits), limits)
		q.expect("i")
		if e.outside = q.accept("∉"); !e.outside {
			q.expect("∈")
		}
		among := q.want(Set, q.whole())
		e.among = &among
	}
	q.from(item.At, said)
	e.sides[0] = q.sum()
	e.what = strings.TrimSpace(q.text[item.At:q.at])
	if limited {
		e.what += " for " + limits
	}
	if e.atMost = e.sides[0].is == Form && q.accept("≤"); !e.atMost {
		q.expect("=")
	}
	zero := q.next() == "0"
	at := q.at
	e.sides[1] = q.whole()
	if a, b := e.sides[0].is, e.sides[1].is; a != b && !(zero && a == Vector) {
		q.at = at
		q.fail("%s does not equal %s", b, a)
	}
	if e.free = q.free; e.free[1] || e.free[2] {
		e.free[0] = true
	}
	q.all = append(q.all, e)
}

// sum reads what stands between the signs + and −, and ∖ of sets.
func (q *reader) sum() (e expression) {
	if q.depth++; q.depth > mostNested {
		q.fail("the equation is nested more than %d deep", mostNested)
	}
	defer func() { q.depth-- }()
	if q.accept("−", "-") {
		e = q.times(numberOf(func(*place) float64 { return -1 }), q.product())
	} else {
		e = q.product()
	}
	for {
		at, c := len(q.text)-len(q.next()), 1.0
		switch {
		case q.accept("∖", `\`):
			e = without(q.want(Set, e), q.want(Set, q.product()))
			continue
		case q.accept("−", "-"):
			c = -1
		case !q.accept("+"):
			return e
		}
		a, b := e, q.product()
		if a.is != b.is || a.is == Set {
			q.at = at
			q.fail("%s and %s have no sum and no difference", a.is, b.is)
		}
		e.fractions = a.plus(b.fractions)
		e.add = func(p *place, by float64, dst []float64) {
			a.add(p, by, dst)
			b.add(p, c*by, dst)
		}
		e.each = func(p *place, by float64, visit func(Square)) {
			a.each(p, by, visit)
			b.each(p, c*by, visit)
		}
	}
}

func without(a, b expression) expression {
	return setOf(func(p *place) []int {
		leave := b.set(p)
		return slices.DeleteFunc(slices.Clone(a.set(p)),
			func(i int) bool { return slices.Contains(leave, i) })
	})
}

func (q *reader) want(is Shape, e expression) expression {
	if e.is != is {
		q.fail("%s stands before this, where %s is wanted", e.is, is)
	}
	return e
}

// times multiplies with a number; where it is 0 nobody looks at the other factor.
func (q *reader) times(a, b expression) expression {
	if a.is == Vector || a.is == Form {
		a, b = b, a
	}
	if a.is != Number || b.is == Set {
		q.fail("%s and %s have no product", a.is, b.is)
	}
	return expression{is: b.is, add: func(p *place, c float64, dst []float64) {
		if c *= a.at(p); c != 0 {
			b.add(p, c, dst)
		}
	}, each: func(p *place, c float64, visit func(Square)) {
		if c *= a.at(p); c != 0 {
			b.each(p, c, visit)
		}
	}, fractions: a.by(b.fractions)}
}

// product reads factors that stand side by side or behind a stroke.
func (q *reader) product() expression {
	e := q.factor()
	for {
		r, _ := utf8.DecodeRuneInString(q.next())
		switch {
		case q.accept("/"):
			by := q.want(Number, q.factor())
			inverse := numberOf(func(p *place) float64 { return 1 / by.at(p) })
			inverse.fractions = fractions{over: by.times, large: by.large, quotient: true}
			e = q.times(inverse, e)
		case q.alone:
			return e
		case unicode.In(r, unicode.Letter, unicode.Digit) || strings.ContainsRune("(∇⌊⟨", r) ||
			r == '|' && !q.inBars || r == '‖' && !q.inNorm:
			e = q.times(q.factor(), e)
		default:
			return e
		}
	}
}

// factor reads a bracket, a sum, a mean, a number or what has a name.
func (q *reader) factor() (e expression) {
	rest := q.next()
	digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
	switch {
	case q.accept("1["):
		e = q.indicator()
		q.expect("]")
	case digits > 0:
		q.at += digits
		value, err := strconv.ParseFloat(rest[:digits], 64)
		if err != nil {
			q.fail("%v", err)
		}
		e = numberOf(func(*place) float64 { return value })
		e.times, e.large = value, max(1, value)
	case q.accept("("):
		e = q.sum()
		q.expect(")")
		e = q.power(e)
	case q.accept("‖"):
		if q.inNorm {
			q.fail("a norm stands in another")
		}
		q.inNorm = true
		of := q.want(Vector, q.sum())
		q.inNorm = false
		q.expect("‖²")
		q.used["‖²"] = true
		e = expression{is: Form, each: func(p *place, c float64, visit func(Square)) {
			visit(of.square(p, c))
		}, fractions: of.fractions}
	case q.accept("⟨"):
		a := q.want(Vector, q.sum())
		q.expect(",")
		b := q.want(Vector, q.sum())
		q.expect("⟩")
		e = expression{is: Form, each: func(p *place, c float64, visit func(Square)) {
			for _, sign := range []float64{1, -1} { // ‖a + b‖² − ‖a − b‖² = 4⟨a, b⟩
				s := a.square(p, sign*c/4)
				b.add(p, sign, s.Of)
				visit(s)
			}
		}, fractions: a.plus(b.fractions)}
	case q.accept("⌊"):
		of := q.want(Number, q.sum())
		q.expect("⌋")
		e = numberOf(func(p *place) float64 { return math.Floor(of.at(p) + 1e-9) })
		e.large = of.large
	case q.accept("|"):
		q.inBars = true
		of := q.want(Set, q.sum())
		q.inBars = false
		q.expect("|")
		e = numberOf(func(p *place) float64 { return float64(len(of.set(p))) })
		e.large = 2
	case q.accept("[n]", "[P]"):
		e = setOf(func(p *place) []int { return span(0, p.sizes[2]-1) })
	case q.accept("Σ_"):
		body, each := q.over(Vector, Number, Form)
		e = expression{is: body.is, add: func(p *place, c float64, dst []float64) {
			each(p, func() { body.add(p, c, dst) })
		}, each: func(p *place, c float64, visit func(Square)) {
			each(p, func() { body.each(p, c, visit) })
		}, fractions: body.whole()}
	case q.accept("max_"):
		body, each := q.over(Number)
		e = numberOf(func(p *place) (most float64) {
			each(p, func() { most = max(most, body.at(p)) })
			return most
		})
		e.fractions = body.whole()
	case q.accept("∪_"):
		body, each := q.over(Set)
		e = setOf(func(p *place) (all []int) {
			each(p, func() { all = append(all, body.set(p)...) })
			slices.Sort(all)
			return slices.Compact(all)
		})
	case q.accept("E_{|"):
		e = q.mean()
	default:
		e = q.named()
	}
	return e
}

// power reads the power of a bracket, if there is one.
func (q *reader) power(e expression) expression {
	if !strings.HasPrefix(q.text[q.at:q.end], "^") && !strings.HasPrefix(q.text[q.at:q.end], "²") {
		return e
	}
	q.want(Number, e)
	to, of := func(*place) int { return 2 }, e.by(e.fractions)
	if !q.accept("²") {
		q.expect("^")
		from := q.at
		to, of = q.list()[0], e.whole()
		of.large = math.Pow(2*one(e.large), largest(q.text[from:q.at]))
	}
	power := numberOf(func(p *place) float64 { return math.Pow(e.at(p), float64(to(p))) })
	power.fractions = of
	return power
}

// largest is the largest numeral in a text, 0 without one.
func largest(text string) (most float64) {
	for _, digits := range strings.FieldsFunc(text, func(r rune) bool { return r < '0' || r > '9' }) {
		value, _ := strconv.ParseFloat(digits, 64) // infinite where it is out of range
		most = max(most, value)
	}
	return most
}

// indicator reads a relation: its value is 1 where that holds, else 0.
func (q *reader) indicator() expression {
	a := q.want(Number, q.sum())
	var holds func(p *place) bool
	switch less := q.accept("<"); {
	case less, q.accept("≥"):
		b := q.want(Number, q.sum())
		holds = func(p *place) bool { return a.at(p) < b.at(p) == less }
	default:
		q.expect("∈")
		in := q.want(Set, q.sum())
		holds = func(p *place) bool { return slices.Contains(in.set(p), int(math.Round(a.at(p)))) }
	}
	return numberOf(func(p *place) float64 {
		if holds(p) {
			return 1
		}
		return 0
	})
}

// over reads the index of a sum, a maximum or a union, and a body of one of some shapes.
func (q *reader) over(shapes ...Shape) (body expression, each func(p *place, visit func())) {
	from := func(*place) int { return 0 }
	until := func(p *place) int { return p.sizes[2] - 1 }
	var in func(p *place) []int // where it is given
	braces := q.accept("{")
	index := q.letter()
	switch {
	case braces && q.accept("∈"):
		in = q.want(Set, q.sum()).set
		q.expect("}")
	case braces:
		q.expect("=")
		from = q.index()
		q.expect("}")
		q.expect("^")
		until = q.list()[0]
	}
	slot := len(q.scope)
	if slot >= mostIndices {
		q.fail("more than %d indices are bound", mostIndices)
	}
	q.scope = append(q.scope, index)
	body = q.product()
	q.scope = q.scope[:slot]
	if !slices.Contains(shapes, body.is) {
		q.fail("%s stands before this, where %s is wanted", body.is, shapes[0])
	}
	return body, func(p *place, visit func()) {
		if in != nil {
			for _, p.index[slot] = range in(p) {
				visit()
			}
			return
		}
		for i, last := from(p), until(p); i <= last; i++ {
			p.index[slot] = i
			visit()
		}
	}
}

// mean reads a mean over all sets J of so many data, or sets of so many clients or components.
func (q *reader) mean() expression {
	if q.drawn != "" {
		q.fail("a mean over sets stands in another")
	}
	set := q.letter()
	q.expect("|")
	q.expect("=")
	size := q.index()
	q.expect("}")
	q.drawn = set
	body := q.want(Vector, q.product())
	q.drawn, q.used["E_{|"+set+"|}"] = "", true
	mean := expression{is: Vector, fractions: body.whole()}
	mean.add = func(p *place, c float64, dst []float64) {
		of := p.sizes[2]
		if set == "J" {
			of = p.sizes[3]
		}
		all := combin.Combinations(of, size(p))
		for _, p.drawn = range all {
			body.add(p, c/float64(len(all)), dst)
		}
	}
	return mean
}

// index reads a number that is whole, and list those behind a name. A quotient is refused where it
// is read, unless its integer part is taken; what else is no whole number is told where it is met.
func (q *reader) index() func(p *place) int {
	from := q.end - len(q.next())
	e := q.want(Number, q.sum())
	said := strings.TrimSpace(q.text[from:q.at])
	if e.quotient {
		q.at = from
		q.fail("the index %s is a quotient, and an index is a whole number; its integer part is "+
			"⌊%[1]s⌋", said)
	}
	return func(p *place) int {
		value := e.at(p)
		whole := math.Round(value)
		if !(math.Abs(value-whole) < 1e-9) {
			*p.amiss = fmt.Sprintf("the index %s is %v, and no whole number", said, value)
		}
		return int(whole)
	}
}

func (q *reader) list() (list []func(p *place) int) {
	if q.accept("{") {
		was := q.alone
		q.alone = true
		for more := true; more; more = q.accept(",") {
			list = append(list, q.index())
		}
		q.alone = was
		q.expect("}")
		return list
	}
	for end := q.end; ; q.end = end { // letters and digits side by side
		r, size := utf8.DecodeRuneInString(q.text[q.at:end])
		if !unicode.In(r, unicode.Letter, unicode.Digit) || r == 'Σ' {
			if list == nil {
				q.fail("an index is wanted here")
			}
			return list
		}
		q.end = q.at + size
		list = append(list, q.index())
	}
}

// named reads what has a name: an index, the set of a mean, what the text defines, or what is known.
func (q *reader) named() expression {
	start := len(q.text[:q.end]) - len(q.next())
	key := ""
	if q.accept("∇") {
		key = "∇"
	}
	key += q.letter()
	list := q.behind(&key)
	slot := len(q.scope) - 1
	for slot >= 0 && q.scope[slot] != key {
		slot--
	}
	defined, isDefined := q.defined[key]
	is, known := q.known[key]
	switch {
	case slot >= 0:
		if q.open && slot < len(freeIndices) {
			q.free[slot] = true
		}
		index := numberOf(func(p *place) float64 { return float64(p.index[slot]) })
		index.large = 2
		return index
	case key == q.drawn:
		return setOf(func(p *place) []int { return p.drawn })
	case !isDefined && !known:
		said := q.text[start:q.at]
		q.at = start
		q.fail("%s is nothing that is known, by its letter and indices; known are %s", said,
			strings.Join(slices.Sorted(maps.Keys(q.known)), " "))
	}
	at := func(p *place) (at Indices) {
		for k, index := range list {
			at[k] = index(p)
		}
		return at
	}
	if isDefined {
		return substituted(defined, at)
	}
	q.used[key] = true
	return expression{is: is, fractions: fractions{large: 2},
		add: func(p *place, c float64, dst []float64) { p.run.Add(dst, c, key, at(p)) },
		set: func(p *place) []int { return p.run.Set(key, at(p)) }}
}

// behind reads the indices behind a letter, without a space between, and adds their signs to it:
// those below and above, or in parentheses those of a point, or of a function in indices.
func (q *reader) behind(key *string) (list []func(p *place) int) {
	next := func(sign string) bool {
		found := strings.HasPrefix(q.text[q.at:q.end], sign)
		if found {
			q.at += len(sign)
		}
		return found
	}
	read := func(sign string) {
		if next(sign) {
			more := q.list()
			*key += strings.Repeat(sign, len(more))
			list = append(list, more...)
		}
	}
	read("_")
	read("^")
	of := *key + "("
	point, function := q.known[of+"^)"] != "", q.known[of+",)"] != ""
	if (point || function) && next("(") {
		*key = of
		if point {
			q.expect("x")
			read("^")
		} else {
			list = []func(p *place) int{q.index()}
			q.expect(",")
			list = append(list, q.index())
			*key += ","
		}
		q.expect(")")
		*key += ")"
	}
	if len(list) > len(Indices{}) {
		q.fail("a name has at most %d indices", len(Indices{}))
	}
	return list
}

// span lists the whole numbers from one to another, none if that is smaller.
func span(from, until int) (all []int) {
	for i := from; i <= until; i++ {
		all = append(all, i)
	}
	return all
}

// substituted is a definition for some indices.
func substituted(body expression, indices func(p *place) Indices) expression {
	inside := func(p *place, evaluate func()) {
		was, at := p.index, indices(p)
		copy(p.index[:], at[:])
		evaluate()
		p.index = was
	}
	return expression{is: body.is, fractions: body.whole(),
		add: func(p *place, c float64, dst []float64) {
			inside(p, func() { body.add(p, c, dst) })
		},
		set: func(p *place) (set []int) {
			inside(p, func() { set = body.set(p) })
			return set
		},
		each: func(p *place, c float64, visit func(Square)) {
			inside(p, func() { body.each(p, c, visit) })
		}}
}
