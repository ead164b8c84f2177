package algebra

import (
	"errors"
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
		a, err := t.Of(p.Lesser)
		if err != nil {
			continue
		}
		b, err := t.Of(p.Greater)
		if err != nil {
			continue
		}
		t.pending = slices.Delete(t.pending, i, i+1)
		i--
		t.learn(Fact{p.String(), a, b, p.Strict})
	}
	t.consequences(func(d Fraction, f Fact) {
		if t.Nonnegative(d) {
			t.learn(f)
		}
	})
	for _, l := range t.logs {
		g := &t.ring.generators[l.generator]
		if less, err := t.shifted(l.args[0], -1); err == nil {
			g.sign = max(g.sign, t.sign(less))
		}
	}
	return t.facts
}

// consequences visits what follows if a difference is not negative. Of a power b^e with b ≥ 0 and e
// ≥ 0: b^e ≤ 1 from b ≤ 1, and b^e ≥ 1 from b ≥ 1; Bernoulli's b^e ≥ 1 − e(1 − b) from e ≥ 1; and
// for b > 0, from log y ≤ e(1 − b), that b^e ≤ exp(−e(1 − b)) ≤ 1/y.
func (t *Theory) consequences(visit func(d Fraction, f Fact)) {
	one := whole(big.NewRat(1, 1))
	for _, p := range t.powers {
		base, e := p.args[0], p.args[1]
		rest, err := t.add(one, base, -1)
		if err != nil {
			continue
		}
		visit(rest, Fact{Label: p.text + " ≤ 1", Lesser: p.value, Greater: one})
		if less, err := t.shifted(base, -1); err == nil {
			visit(less, Fact{Label: "1 ≤ " + p.text, Lesser: one, Greater: p.value})
		}
		fall, err := t.mul(rest, e)
		if err != nil {
			continue
		}
		linear, err := t.add(one, fall, -1)
		if err != nil {
			continue
		}
		if beyond, err := t.shifted(e, -1); err == nil {
			visit(beyond, Fact{Label: "below " + p.text, Lesser: linear, Greater: p.value})
		}
		for _, l := range t.logs {
			d, err := t.add(fall, l.value, -1)
			if err != nil || !t.Positive(base) {
				continue
			}
			inverse, err := t.pow(l.args[0], big.NewRat(-1, 1))
			if err != nil {
				continue
			}
			visit(d, Fact{Label: p.text + " by " + l.text, Lesser: p.value, Greater: inverse})
		}
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
		if less, err := t.shifted(l.args[0], -1); err == nil &&
			t.ring.generators[l.generator].sign == Free {
			out = append(out, less)
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
	if d, err := t.add(f.Greater, f.Lesser, -1); err == nil {
		if nonnegative, positive := t.ring.evident(d.Sum); nonnegative && (positive || !f.Strict) {
			return
		}
		_, rest := t.ring.primitive(d.Sum)
		t.known[rest.name()] = t.known[rest.name()] || f.Strict
	}
}

// Fact returns the fact of a label, which may be one of [Theory.Roots].
func (t *Theory) Fact(label string) (Fact, error) {
	for _, facts := range []func() []Fact{t.Facts, t.Roots} {
		for _, f := range facts() {
			if f.Label == label {
				return f, nil
			}
		}
	}
	return Fact{}, fmt.Errorf("it is not known that %s", label)
}

func (t *Theory) want(a Fraction, strict bool) error {
	if t.Want == nil {
		return errors.New("nobody knows")
	}
	return t.Want(a, strict)
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

// Of returns the value of a formula.
func (t *Theory) Of(n *formula.Tree) (Fraction, error) {
	switch n.Op {
	case "number":
		return whole(n.Value), nil
	case "symbol":
		return t.symbol(n.Name)
	case "sum":
		return t.geometric(n)
	}
	args := make([]Fraction, len(n.Args))
	for i, a := range n.Args {
		var err error
		if args[i], err = t.Of(a); err != nil {
			return Fraction{}, err
		}
	}
	switch n.Op {
	case "+":
		return t.add(args[0], args[1], 1)
	case "-":
		return t.add(args[0], args[1], -1)
	case "neg":
		return t.add(Fraction{Sum: Sum{}}, args[0], -1)
	case "*":
		return t.mul(args[0], args[1])
	case "/":
		inverse, err := t.pow(args[1], big.NewRat(-1, 1))
		if err != nil {
			return inverse, err
		}
		return t.mul(args[0], inverse)
	case "sqrt":
		return t.pow(args[0], big.NewRat(1, 2))
	case "^":
		if e, ok := args[1].Constant(); ok {
			return t.pow(args[0], e)
		}
	}
	return t.atom(n, args)
}

func (t *Theory) symbol(name string) (Fraction, error) {
	n := t.defined[name]
	if n == nil {
		return t.ring.monomial(t.generator(name), unit), nil
	}
	if v, ok := t.values[name]; ok {
		return v, nil
	}
	if t.busy[name] {
		return Fraction{}, fmt.Errorf("%s depends on itself", name)
	}
	t.busy[name] = true
	defer delete(t.busy, name)
	v, err := t.Of(n)
	if err == nil {
		t.values[name] = v
	}
	return v, err
}

// geometric returns a sum of the terms of a geometric progression: with k ≥ 0 terms c, cq, …
// cq^{k−1} and 0 ≤ q < 1 it is c(1 − q^k)/(1 − q), where 0⁰ = 1. That k is whole is for others to
// see to.
func (t *Theory) geometric(n *formula.Tree) (Fraction, error) {
	index, first, last, body := n.Name, n.Args[0], n.Args[1], n.Args[2]
	none := fmt.Errorf("the sum %s", n)
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
		return Fraction{}, none
	}
	one := formula.Number(1)
	terms := formula.Apply("+", formula.Apply("-", last, first), one)
	q, least := power.Args[0], first // the smallest exponent
	if e := power.Args[1]; e.Op == "-" {
		least = formula.Apply("-", e.Args[0], last)
	}
	count, err := t.Of(terms)
	if err != nil {
		return count, err
	}
	ratio, err := t.Of(q)
	if err != nil {
		return ratio, err
	}
	rest, err := t.Of(formula.Apply("-", one, q))
	if err != nil {
		return rest, err
	}
	if !t.Nonnegative(count) && t.want(count, false) != nil ||
		!t.Nonnegative(ratio) && t.want(ratio, false) != nil ||
		!t.Positive(rest) && t.want(rest, true) != nil {
		return Fraction{}, none
	}
	lowest, err := t.Of(least)
	if err != nil {
		return lowest, err
	}
	start := formula.Apply("^", q, least)
	if x, constant := lowest.Constant(); constant && x.Sign() == 0 {
		start = one
	}
	return t.Of(formula.Apply("/", formula.Apply("*", formula.Apply("*", body, start),
		formula.Apply("-", one, formula.Apply("^", q, terms))), formula.Apply("-", one, q)))
}

// bound is a fact about a generator that does not exist yet.
type bound struct {
	other Fraction
	above bool // the generator is at most the other, else at least
	label string
}

// inverted returns a power with an exponent that is not positive as one over a power.
func (t *Theory) inverted(n *formula.Tree, args []Fraction) (v Fraction, err error, done bool) {
	if n.Op != "^" || len(args[1].Sum) == 0 {
		return v, nil, false
	}
	minus, err := t.add(Fraction{Sum: Sum{}}, args[1], -1)
	if err != nil || !t.Nonnegative(minus) {
		return v, err, err != nil
	}
	opposite := formula.Apply("neg", n.Args[1])
	if n.Args[1].Op == "neg" {
		opposite = n.Args[1].Args[0]
	}
	if v, err = t.atom(formula.Apply("^", n.Args[0], opposite),
		[]Fraction{args[0], minus}); err == nil {
		v, err = t.pow(v, big.NewRat(-1, 1))
	}
	return v, err, true
}

// atom returns the value of a function as a generator, whose facts are learned.
func (t *Theory) atom(n *formula.Tree, args []Fraction) (Fraction, error) {
	id := n.Op
	for _, a := range args {
		id += ";" + a.name()
	}
	if v, ok := t.atoms[id]; ok {
		return v, nil
	}
	if n.Op == "min" || n.Op == "max" {
		for i, a := range args {
			if !slices.ContainsFunc(args, func(b Fraction) bool { return !t.ordered(a, b, n.Op == "max") }) {
				return args[i], nil
			}
		}
	}
	if n.Op == "abs" {
		minus, err := t.add(Fraction{Sum: Sum{}}, args[0], -1)
		switch {
		case err != nil || t.Nonnegative(args[0]):
			return args[0], err
		case t.Nonnegative(minus):
			return minus, nil
		}
	}
	if v, err, done := t.inverted(n, args); done {
		return v, err
	}
	sign, bounds, text, err := t.function(n, args)
	if err != nil {
		return Fraction{}, err
	}
	v := t.ring.monomial(len(t.ring.generators), unit)
	t.ring.generators = append(t.ring.generators, generator{name: text, sign: sign, of: n})
	t.atoms[id] = v
	switch {
	case n.Op == "log":
		t.logs = append(t.logs, function{text, args, len(t.ring.generators) - 1, v})
	case n.Op == "^":
		t.powers = append(t.powers, function{text, args, len(t.ring.generators) - 1, v})
	}
	for _, b := range bounds {
		f := Fact{Label: b.label, Lesser: b.other, Greater: v}
		if b.above {
			f.Lesser, f.Greater = v, b.other
		}
		t.learn(f)
	}
	return v, nil
}

// ordered reports whether a ≤ b is known, or a ≥ b.
func (t *Theory) ordered(a, b Fraction, descending bool) bool {
	if descending {
		a, b = b, a
	}
	d, err := t.add(b, a, -1)
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

// shifted returns a ± 1.
func (t *Theory) shifted(a Fraction, by int64) (Fraction, error) {
	return t.add(a, whole(big.NewRat(1, 1)), by)
}

// between returns rational bounds of log a, given a and a − 1: for all a > 0
//
//	(a − 1)(5a + 1)/(a(2a + 4)) ≤ log a ≤ (a − 1)(a + 5)/(4a + 2)
//
// since what the right side exceeds log a by is 0 at 1 and has the derivative (a − 1)³/(a(2a + 1)²);
// with 1/a in place of a that gives the left one.
func (t *Theory) between(a, less Fraction) (above, below Fraction, err error) {
	number := func(x int64) Fraction { return whole(big.NewRat(x, 1)) }
	linear := func(p, q int64) (Fraction, error) { // pa + q
		x, err := t.mul(number(p), a)
		if err != nil {
			return x, err
		}
		return t.add(x, number(q), 1)
	}
	quotient := func(p, q, r, s int64) (Fraction, error) { // (a − 1)(pa + q)/(ra + s)
		x, err := linear(p, q)
		if err != nil {
			return x, err
		}
		y, err := linear(r, s)
		if err != nil {
			return x, err
		}
		if !t.Positive(y) {
			return y, errors.New("a denominator that is not evidently positive")
		}
		if y, err = t.pow(y, big.NewRat(-1, 1)); err != nil {
			return x, err
		}
		if x, err = t.mul(x, y); err != nil {
			return x, err
		}
		return t.mul(less, x)
	}
	if above, err = quotient(1, 5, 4, 2); err != nil {
		return
	}
	if below, err = quotient(5, 1, 2, 4); err != nil {
		return
	}
	inverse, err := t.pow(a, big.NewRat(-1, 1))
	if err != nil {
		return
	}
	below, err = t.mul(below, inverse)
	return above, below, err
}

// function says what is known of the value of a function.
func (t *Theory) function(n *formula.Tree,
	args []Fraction) (sign Sign, bounds []bound, text string, err error) {
	text = n.String()
	a, one := args[0], whole(big.NewRat(1, 1))
	less, err := t.shifted(a, -1)
	if err != nil {
		return
	}
	more, err := t.shifted(a, 1)
	if err != nil {
		return
	}
	minus, err := t.add(Fraction{Sum: Sum{}}, a, -1)
	if err != nil {
		return
	}
	switch n.Op {
	case "min", "max":
		signs := []Sign{}
		for i, x := range args {
			signs = append(signs, t.sign(x))
			if n.Op == "min" {
				bounds = append(bounds, bound{x, true, text + " ≤ " + n.Args[i].String()})
			} else {
				bounds = append(bounds, bound{x, false, n.Args[i].String() + " ≤ " + text})
			}
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
		if !t.Positive(a) && t.want(a, true) != nil {
			return sign, nil, text, fmt.Errorf("the logarithm of %s, which may not be positive",
				n.Args[0])
		}
		inverse, err := t.pow(a, big.NewRat(-1, 1))
		if err != nil {
			return sign, nil, text, err
		}
		below, err := t.add(one, inverse, -1)
		if err != nil {
			return sign, nil, text, err
		}
		sign = t.sign(less)
		bounds = []bound{{less, true, "above " + text}, {below, false, "below " + text}}
		if x, y, err := t.between(a, less); err == nil {
			bounds = append(bounds, bound{x, true, "closely above " + text},
				bound{y, false, "closely below " + text})
		}
	case "exp":
		sign = Positive
		bounds = []bound{{more, false, "below " + text}}
		if t.Nonnegative(minus) {
			bounds = append(bounds, bound{one, true, text + " ≤ 1"})
		}
	case "^":
		e := args[1]
		text = "(" + text + ")"
		if !t.Nonnegative(e) {
			return sign, nil, text, fmt.Errorf("a power whose exponent %s may be negative",
				n.Args[1])
		}
		if !t.Nonnegative(a) && t.want(a, true) != nil && t.want(a, false) != nil {
			return sign, nil, text, fmt.Errorf("a power of %s, which may be negative", n.Args[0])
		}
		sign = t.sign(a)
	default:
		err = errors.New(text)
	}
	return sign, bounds, text, err
}
