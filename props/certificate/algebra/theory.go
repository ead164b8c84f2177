package algebra

import (
	"fmt"
	"math/big"
	"slices"

	"sledge/props/formula"
)

// Fact is a relation that is known to hold: Lesser ≤ Greater, or Lesser < Greater if it is strict.
type Fact struct {
	Label           string
	Lesser, Greater Fraction
	Strict          bool
}

// Theory is what is known of the symbols of a statement: definitions, facts, and the values of
// functions as generators with facts of their own. It is not for use by several goroutines at once.
type Theory struct {
	ring    ring
	symbols map[string]int           // their generators
	defined map[string]*formula.Tree // what symbols stand for
	values  map[string]Fraction      // of defined symbols
	busy    map[string]bool          // symbols that are being evaluated
	atoms   map[string]Fraction      // values of functions, by function and arguments
	pending []formula.Inequality     // what is assumed and not evaluated yet
	facts   []Fact
	known   map[string]bool // primitive sums that facts show not to be negative; true if positive
	powers  []function      // with exponents that are no numbers
	logs    []function
	reading bool // pending relations are being evaluated
	// Want is asked to show that a fraction is not negative, or positive if strict, where that is
	// not evident; nil if nobody is asked.
	Want func(a Fraction, strict bool) error
}

// function is a power or a logarithm, with its value.
type function struct {
	text      string
	args      []Fraction
	generator int
	value     Fraction
}

// New returns the theory of what is assumed.
func New(assumed []formula.Clause) *Theory {
	t := &Theory{symbols: map[string]int{}, defined: map[string]*formula.Tree{},
		values: map[string]Fraction{}, busy: map[string]bool{},
		atoms: map[string]Fraction{}, known: map[string]bool{}}
	t.Assume(assumed...)
	return t
}

// Assume adds to what is assumed.
func (t *Theory) Assume(clauses ...formula.Clause) {
	for _, c := range clauses {
		if a := c.Sides[0]; len(c.Relations) == 1 && c.Relations[0] == "=" && a.Op == "symbol" &&
			t.defined[a.Name] == nil &&
			!t.reaches(c.Sides[1], a.Name) {
			t.defined[a.Name] = c.Sides[1]
			continue
		}
		t.pending = append(t.pending, c.Inequalities()...)
	}
	t.values = map[string]Fraction{}
	t.settle()
}

// reaches reports whether a formula uses a symbol, by way of definitions too.
func (t *Theory) reaches(n *formula.Tree, name string) bool {
	for _, s := range n.Symbols() {
		if s == name || t.defined[s] != nil && t.reaches(t.defined[s], name) {
			return true
		}
	}
	return false
}

// settle evaluates what can be, first the lower bounds of symbols, which say what sign these have.
func (t *Theory) settle() {
	for again := true; again; {
		again = false
		for _, p := range t.pending {
			if p.Greater.Op != "symbol" || t.defined[p.Greater.Name] != nil {
				continue
			}
			g := t.generator(p.Greater.Name)
			a, err := t.Of(p.Lesser)
			if err != nil || t.ring.generators[g].sign == Positive {
				continue
			}
			sign := Free
			if nonnegative, positive := t.ring.evident(a.Sum); positive || nonnegative && p.Strict {
				sign = Positive
			} else if nonnegative {
				sign = Nonnegative
			}
			if sign > t.ring.generators[g].sign {
				t.ring.generators[g].sign, again = sign, true
			}
		}
	}
	t.Facts()
}

// Facts returns what is known, with what can be evaluated by now.
func (t *Theory) Facts() []Fact {
	if t.reading {
		return t.facts
	}
	t.reading = true
	defer func() { t.reading = false }()
	for i := 0; i < len(t.pending); i++ { // evaluation may add to what is pending
		p := t.pending[i]
		f := Fact{Label: p.String(), Strict: p.Strict}
		if !attempt(func() { f.Lesser, f.Greater = t.of(p.Lesser), t.of(p.Greater) }) {
			continue
		}
		t.pending = slices.Delete(t.pending, i, i+1)
		i--
		t.learn(f)
	}
	t.consequences(func(d Fraction, f Fact) {
		if t.Nonnegative(d) {
			t.learn(f)
		}
	})
	for _, l := range t.logs {
		g := &t.ring.generators[l.generator]
		attempt(func() { g.sign = max(g.sign, t.sign(t.shifted(l.args[0], -1))) })
	}
	return t.facts
}

// consequences visits what follows if a difference is not negative. Of a power b^e with b ≥ 0 and e
// ≥ 0: b^e ≤ 1 from b ≤ 1, and b^e ≥ 1 from b ≥ 1; Bernoulli's b^e ≥ 1 − e(1 − b) from e ≥ 1; and
// for b > 0, from log y ≤ e(1 − b), that b^e ≤ exp(−e(1 − b)) ≤ 1/y.
func (t *Theory) consequences(visit func(d Fraction, f Fact)) {
	one := whole(big.NewRat(1, 1))
	above := func(p function) {
		base, e := p.args[0], p.args[1]
		rest := t.minus(one, base)
		visit(rest, Fact{Label: p.text + " ≤ 1", Lesser: p.value, Greater: one})
		attempt(func() {
			visit(t.shifted(base, -1), Fact{Label: "1 ≤ " + p.text, Lesser: one, Greater: p.value})
		})
		fall := t.mul(rest, e)
		linear := t.minus(one, fall)
		attempt(func() {
			visit(t.shifted(e, -1), Fact{Label: "below " + p.text, Lesser: linear,
				Greater: p.value})
		})
		for _, l := range t.logs {
			attempt(func() {
				if d := t.minus(fall, l.value); t.Positive(base) {
					visit(d, Fact{Label: p.text + " by " + l.text, Lesser: p.value,
						Greater: t.inverse(l.args[0])})
				}
			})
		}
	}
	for _, p := range t.powers {
		attempt(func() { above(p) })
	}
}

// Conditions returns differences of which it would help to know that they are not negative.
func (t *Theory) Conditions() []Fraction {
	var out []Fraction
	t.consequences(func(d Fraction, f Fact) {
		if !slices.ContainsFunc(t.facts, func(g Fact) bool { return g.Label == f.Label }) {
			out = append(out, d)
		}
	})
	for _, l := range t.logs {
		if t.ring.generators[l.generator].sign == Free {
			attempt(func() { out = append(out, t.shifted(l.args[0], -1)) })
		}
	}
	return out
}

// learn adds a fact.
func (t *Theory) learn(f Fact) {
	if slices.ContainsFunc(t.facts, func(g Fact) bool { return g.Label == f.Label }) {
		return
	}
	t.facts = append(t.facts, f)
	attempt(func() {
		d := t.minus(f.Greater, f.Lesser)
		if nonnegative, positive := t.ring.evident(d.Sum); nonnegative && (positive || !f.Strict) {
			return
		}
		_, rest := t.ring.primitive(d.Sum)
		t.known[rest.name()] = t.known[rest.name()] || f.Strict
	})
}

// Fact returns the fact of a label, which may be one of [Theory.Roots].
func (t *Theory) Fact(label string) (Fact, error) {
	return result(func() Fact { return t.fact(label) })
}

func (t *Theory) fact(label string) Fact {
	for _, facts := range []func() []Fact{t.Facts, t.Roots} {
		for _, f := range facts() {
			if f.Label == label {
				return f
			}
		}
	}
	refuse("it is not known that %s", label)
	return Fact{}
}

// asked reports whether who is asked shows that a fraction is not negative, or positive.
func (t *Theory) asked(a Fraction, strict bool) bool {
	return t.Want != nil && t.Want(a, strict) == nil
}

func (t *Theory) generator(symbol string) int {
	g, ok := t.symbols[symbol]
	if !ok {
		t.ring.generators = append(t.ring.generators, generator{name: symbol})
		g = len(t.ring.generators) - 1
		t.symbols[symbol] = g
	}
	return g
}

// of returns the value of a formula.
func (t *Theory) of(n *formula.Tree) Fraction {
	switch n.Op {
	case "number":
		return whole(n.Value)
	case "symbol":
		return t.symbol(n.Name)
	case "sum":
		return t.geometric(n)
	}
	args := make([]Fraction, len(n.Args))
	for i, a := range n.Args {
		args[i] = t.of(a)
	}
	switch n.Op {
	case "+":
		return t.add(args[0], args[1], 1)
	case "-":
		return t.minus(args[0], args[1])
	case "neg":
		return t.opposite(args[0])
	case "*":
		return t.mul(args[0], args[1])
	case "/":
		return t.mul(args[0], t.inverse(args[1]))
	case "sqrt":
		return t.pow(args[0], big.NewRat(1, 2))
	case "^":
		if e, ok := args[1].Constant(); ok {
			return t.pow(args[0], e)
		}
	}
	return t.atom(n, args)
}

func (t *Theory) symbol(name string) Fraction {
	n := t.defined[name]
	if n == nil {
		return t.ring.monomial(t.generator(name), unit)
	}
	v, known := t.values[name]
	if known {
		return v
	}
	if t.busy[name] {
		refuse("%s depends on itself", name)
	}
	t.busy[name] = true
	defer delete(t.busy, name)
	v = t.of(n)
	t.values[name] = v
	return v
}

// geometric returns a sum of the terms of a geometric progression: with k ≥ 0 terms c, cq, …
// cq^{k−1} and 0 ≤ q < 1 it is c(1 − q^k)/(1 − q), where 0⁰ = 1. That k is whole is for others to
// see to.
func (t *Theory) geometric(n *formula.Tree) Fraction {
	index, first, last, body := n.Name, n.Args[0], n.Args[1], n.Args[2]
	none := refusal{fmt.Errorf("the sum %s", n)}
	progression := func(x *formula.Tree) bool {
		// q to the power of the index, or of something minus that
		e := x.Args
		if x.Op != "^" || slices.Contains(e[0].Symbols(), index) {
			return false
		}
		isIndex := func(y *formula.Tree) bool { return y.Op == "symbol" && y.Name == index }
		return isIndex(e[1]) || e[1].Op == "-" && isIndex(e[1].Args[1]) &&
			!slices.Contains(e[1].Args[0].Symbols(), index)
	}
	var power *formula.Tree
	var without func(x *formula.Tree) *formula.Tree // the body with 1 in place of the power
	without = func(x *formula.Tree) *formula.Tree {
		switch {
		case progression(x) && power == nil:
			power = x
			return formula.Number(1)
		case x.Op == "*":
			return formula.Apply("*", without(x.Args[0]), without(x.Args[1]))
		case x.Op == "/":
			return formula.Apply("/", without(x.Args[0]), x.Args[1])
		}
		return x
	}
	if body = without(body); power == nil || slices.Contains(body.Symbols(), index) {
		panic(none)
	}
	one := formula.Number(1)
	terms := formula.Apply("+", formula.Apply("-", last, first), one)
	q, least := power.Args[0], first // the smallest exponent
	if e := power.Args[1]; e.Op == "-" {
		least = formula.Apply("-", e.Args[0], last)
	}
	count, ratio := t.of(terms), t.of(q)
	rest := t.of(formula.Apply("-", one, q))
	if !t.Nonnegative(count) && !t.asked(count, false) ||
		!t.Nonnegative(ratio) && !t.asked(ratio, false) ||
		!t.Positive(rest) && !t.asked(rest, true) {
		panic(none)
	}
	start := formula.Apply("^", q, least)
	if x, constant := t.of(least).Constant(); constant && x.Sign() == 0 {
		start = one
	}
	return t.of(formula.Apply("/", formula.Apply("*", formula.Apply("*", body, start),
		formula.Apply("-", one, formula.Apply("^", q, terms))), formula.Apply("-", one, q)))
}

// bound is a fact about a generator that does not exist yet.
type bound struct {
	other Fraction
	above bool // the generator is at most the other, else at least
	label string
}

// inverted returns a power with an exponent that is not positive as one over a power.
func (t *Theory) inverted(n *formula.Tree, args []Fraction) (v Fraction, done bool) {
	if n.Op != "^" || len(args[1].Sum) == 0 {
		return v, false
	}
	minus := t.opposite(args[1])
	if !t.Nonnegative(minus) {
		return v, false
	}
	opposite := formula.Apply("neg", n.Args[1])
	if n.Args[1].Op == "neg" {
		opposite = n.Args[1].Args[0]
	}
	return t.inverse(t.atom(formula.Apply("^", n.Args[0], opposite), []Fraction{args[0], minus})),
		true
}

// atom returns the value of a function as a generator, whose facts are learned.
func (t *Theory) atom(n *formula.Tree, args []Fraction) Fraction {
	id := n.Op
	for _, a := range args {
		id += ";" + a.name()
	}
	if v, ok := t.atoms[id]; ok {
		return v
	}
	switch n.Op {
	case "min", "max":
		for _, a := range args {
			if !slices.ContainsFunc(args,
				func(b Fraction) bool { return !t.ordered(a, b, n.Op == "max") }) {
				return a
			}
		}
	case "abs":
		minus := t.opposite(args[0])
		switch {
		case t.Nonnegative(args[0]):
			return args[0]
		case t.Nonnegative(minus):
			return minus
		}
	}
	if v, done := t.inverted(n, args); done {
		return v
	}
	sign, bounds, text := t.function(n, args)
	v := t.ring.monomial(len(t.ring.generators), unit)
	t.ring.generators = append(t.ring.generators, generator{name: text, sign: sign, of: n})
	t.atoms[id] = v
	f := function{text, args, len(t.ring.generators) - 1, v}
	switch n.Op {
	case "log":
		t.logs = append(t.logs, f)
	case "^":
		t.powers = append(t.powers, f)
	}
	for _, b := range bounds {
		f := Fact{Label: b.label, Lesser: b.other, Greater: v}
		if b.above {
			f.Lesser, f.Greater = v, b.other
		}
		t.learn(f)
	}
	return v
}

// ordered reports whether a ≤ b is known, or a ≥ b.
func (t *Theory) ordered(a, b Fraction, descending bool) bool {
	if descending {
		a, b = b, a
	}
	d, err := t.Sub(b, a)
	return err == nil && t.Nonnegative(d)
}

func (t *Theory) sign(a Fraction) Sign {
	switch {
	case t.Positive(a):
		return Positive
	case t.Nonnegative(a):
		return Nonnegative
	}
	return Free
}

// logarithm says what bounds log a, given a and a − 1.
func (t *Theory) logarithm(n *formula.Tree, a, less Fraction) []bound {
	if !t.Positive(a) && !t.asked(a, true) {
		refuse("the logarithm of %s, which may not be positive", n.Args[0])
	}
	below := t.minus(whole(big.NewRat(1, 1)), t.inverse(a))
	bounds := []bound{{less, true, "above " + n.String()}, {below, false, "below " + n.String()}}
	attempt(func() {
		x, y := t.between(a, less)
		bounds = append(bounds, bound{x, true, "closely above " + n.String()},
			bound{y, false, "closely below " + n.String()})
	})
	return bounds
}

// between returns rational bounds of log a, given a and a − 1: for all a > 0
//
//	(a − 1)(5a + 1)/(a(2a + 4)) ≤ log a ≤ (a − 1)(a + 5)/(4a + 2)
//
// since what the right side exceeds log a by is 0 at 1 and has the derivative (a − 1)³/(a(2a +
// 1)²); with 1/a in place of a that gives the left one.
func (t *Theory) between(a, less Fraction) (above, below Fraction) {
	linear := func(p, q int64) Fraction { // pa + q
		return t.add(t.mul(whole(big.NewRat(p, 1)), a), whole(big.NewRat(q, 1)), 1)
	}
	quotient := func(p, q, r, s int64) Fraction { // (a − 1)(pa + q)/(ra + s)
		x, y := linear(p, q), linear(r, s)
		if !t.Positive(y) {
			refuse("a denominator that is not evidently positive")
		}
		return t.mul(less, t.mul(x, t.inverse(y)))
	}
	return quotient(1, 5, 4, 2), t.mul(quotient(5, 1, 2, 4), t.inverse(a))
}

// function says what is known of the value of a function.
func (t *Theory) function(n *formula.Tree, args []Fraction) (sign Sign, bounds []bound,
	text string) {
	text = n.String()
	a, one := args[0], whole(big.NewRat(1, 1))
	less, more, minus := t.shifted(a, -1), t.shifted(a, 1), t.opposite(a)
	switch n.Op {
	case "min", "max":
		signs := []Sign{}
		for i, x := range args {
			signs = append(signs, t.sign(x))
			label := [2]string{text, n.Args[i].String()}
			if n.Op == "max" {
				slices.Reverse(label[:])
			}
			bounds = append(bounds, bound{x, n.Op == "min", label[0] + " ≤ " + label[1]})
		}
		if sign = slices.Min(signs); n.Op == "max" {
			sign = slices.Max(signs)
		}
	case "abs":
		sign = Nonnegative
		bounds = []bound{{a, false, n.Args[0].String() + " ≤ " + text},
			{minus, false, "−(" + n.Args[0].String() + ") ≤ " + text}}
	case "ceil":
		sign = t.sign(a)
		bounds = []bound{{a, false, "below " + text}, {more, true, "above " + text}}
		if sign == Positive {
			bounds = append(bounds, bound{one, false, "1 ≤ " + text})
		}
	case "floor":
		sign = min(t.sign(a), Nonnegative)
		bounds = []bound{{less, false, "below " + text}, {a, true, "above " + text}}
	case "log":
		bounds = t.logarithm(n, a, less)
		sign = t.sign(less)
	case "exp":
		sign = Positive
		bounds = []bound{{more, false, "below " + text}}
		if t.Nonnegative(minus) {
			bounds = append(bounds, bound{one, true, text + " ≤ 1"})
		}
	case "^":
		text = "(" + text + ")"
		if !t.Nonnegative(args[1]) {
			refuse("a power whose exponent %s may be negative", n.Args[1])
		}
		if !t.Nonnegative(a) && !t.asked(a, true) && !t.asked(a, false) {
			refuse("a power of %s, which may be negative", n.Args[0])
		}
		sign = t.sign(a)
	default:
		refuse("%s", text)
	}
	return sign, bounds, text
}
