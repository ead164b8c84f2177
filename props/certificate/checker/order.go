package checker

import (
	"math/big"
	"slices"
	"strings"

	"sledge/props/certificate"
	"sledge/props/certificate/algebra"
	"sledge/props/enclosure"
	"sledge/props/formula"
)

// order accepts a proof of measured ≤ C·claimed, of Θ in both directions, with a constant C, on a
// domain of positive numbers. Both sides are bounded by monomials, the measured one from above by a
// sum of minima, the claimed one from below by a minimum of maxima, on each of the parts into which
// minima and maxima in definitions and alternatives in the domain split it. That a minimum is at
// most a constant times a maximum is a fact of the certificate: the weighted inequality of
// arithmetic and geometric means, together with powers of what the domain bounds. With a tilde,
// powers of logarithmic symbols, and of logarithms, which are read as numbers ≥ 1, are part of the
// constant.
func order(c *certificate.Certificate) {
	if c.Refutes || c.Scope != certificate.All {
		refuse("an order is proved, for the whole domain")
	}
	o := try(ReadOrder(c))
	proof := decode[certificate.OrderProof](c)
	o.readFacts(&proof)
	constant := rational(proof.Constant)
	if constant.Sign() <= 0 {
		refuse("the constant %q is not positive", proof.Constant)
	}
	err := o.Walk(func(_ *Part, d Direction) error {
		if c := try(o.Compare(d)); c.Cmp(constant) > 0 {
			refuse("the constant %v is too small", constant.RatString())
		}
		return nil
	})
	if err != nil {
		panic(err)
	}
	o.read.witnessed(nil)
}

// monomial is a coefficient times powers of the parameters.
type monomial struct {
	c value
	e algebra.Monomial
}

// bound is what is known of a number: it is at most the sum of the minima up, and at least the
// least of the maxima low, and then not negative.
type bound struct{ up, low half }

// half is a bound from one side, or empty with the reason why there is none.
type half struct {
	of  [][]monomial
	why error
}

// zero is the bound from below of what is not negative.
var zero = half{of: [][]monomial{{}}}

// Part is a part of the domain.
type Part struct {
	rows   []monomial // what is at most 1 in it, with the coefficient
	strict []bool     // and not 1
	chosen map[int]*formula.Tree
	// of roundings: −1 where they are 0, 1 where the argument is at least 1 and they are not 0
	round map[string]int
}

// step is a definition, by its index, or a clause.
type step struct {
	def    int // −1 for a clause
	clause formula.Clause
}

type definition struct {
	slot int
	tree *formula.Tree
}

// Order is the statement of a certificate about an order, with the rules by which its sides are
// bounded by monomials. What finds proofs follows the same rules, and is asked for facts that are
// missing: see [Order.Ask].
type Order struct {
	e    evaluator
	read *statement
	// the symbols, then logarithms that stand for themselves, as they are written
	names      []string
	kinds      []string
	slots      map[string]int
	defs       []definition
	defined    map[int]bool
	positive   map[string]bool  // symbols that are said to be
	logs       []definition     // of slots that are at least the logarithm of tree
	assumed    []formula.Clause // with constants in the place of symbols that are defined by them
	steps      []step           // what is assumed, in order
	above      []formula.Clause // symbol ≤ what depends on definitions
	conclusion formula.Clause
	name       string // O, Õ, Ω, …
	tilde      bool
	powers     algebra.Monomial // of what a tilde drops, which facts may leave over
	facts      []Fact

	part   *Part
	made   map[int]bound
	flat   bool // of a minimum of a number and others only the number is kept
	finder Finder
	here   []int // facts that the finder was asked for in this part
}

// ReadOrder reads the statement of a certificate about an order, but not its proof.
func ReadOrder(c *certificate.Certificate) (o *Order, err error) {
	defer caught(&err)
	s := read(c)
	o = &Order{e: evaluator{bits: enclosure.Precision}, read: s, slots: map[string]int{},
		defined: map[int]bool{}, positive: map[string]bool{}, conclusion: s.conclusion}
	o.conclusion.Sides = slices.Clone(o.conclusion.Sides)
	for _, symbol := range s.symbols {
		o.add(symbol.Name, symbol.Kind)
	}
	o.asked()
	for _, clause := range s.assumed {
		if len(clause.Relations) != 1 || clause.Relations[0] == "∈" {
			refuse("%v is more than one relation", clause)
		}
		clause.Sides = slices.Clone(clause.Sides)
		o.assumed = append(o.assumed, clause)
	}
	for i, clause := range o.assumed {
		a, b, relation := clause.Sides[0], clause.Sides[1], clause.Relations[0]
		if relation == "=" && a.Op == "symbol" {
			o.define(a.Name, b, i)
			continue
		}
		if relation == ">" && a.Op == "symbol" && b.Op == "number" && b.Value.Sign() >= 0 {
			if o.positive[a.Name] = true; b.Value.Sign() == 0 {
				continue
			}
		}
		o.steps = append(o.steps, step{-1, clause})
	}
	o.wellDefined()
	o.conclusion.Sides[1] = o.conclusion.Sides[1].Args[0]
	for _, side := range o.formulas() {
		for _, t := range subformulas(side) {
			o.findLog(t)
		}
	}
	o.powers = make(algebra.Monomial, len(o.names))
	return o, nil
}

// asked reads which order the conclusion is about: O is a bound from above, Ω one from below, and
// each may be written as an equation.
func (o *Order) asked() {
	c := o.conclusion
	if len(c.Sides) != 2 || c.Sides[1].Op != "order" || c.Sides[0].Op == "order" {
		refuse("the statement is not about an order")
	}
	o.name = c.Sides[1].Name
	o.tilde = o.name == "Õ" || len([]rune(o.name)) > 1
	if relation := c.Relations[0]; relation != "=" &&
		!(relation == "≤" && strings.ContainsAny(o.name, "OÕ")) &&
		!(relation == "≥" && strings.HasPrefix(o.name, "Ω")) {
		refuse("%s stands behind %s, which says nothing of an order", o.name, relation)
	}
}

// define reads the i-th of what is assumed, a definition. A number takes the place of its symbol in
// all that follows.
func (o *Order) define(name string, tree *formula.Tree, i int) {
	slot, known := o.slots[name]
	if !known || o.defined[slot] {
		refuse("%s is defined twice", name)
	}
	if x := inLog(tree); x != nil && !o.tilde && o.kinds[slot] == certificate.Logarithmic {
		// it stays a parameter, of which less is known
		o.logs = append(o.logs, definition{slot, x})
		return
	}
	o.defined[slot] = true
	o.steps = append(o.steps, step{def: len(o.defs)})
	o.defs = append(o.defs, definition{slot, tree})
	if len(tree.Symbols()) > 0 {
		return
	}
	for _, later := range slices.Concat(o.assumed[i+1:], []formula.Clause{o.conclusion}) {
		for k, side := range later.Sides {
			later.Sides[k] = side.Replaced(func(t *formula.Tree) *formula.Tree {
				if t.Op == "symbol" && t.Name == name {
					return tree
				}
				return nil
			})
		}
	}
}

// wellDefined refuses definitions that use what they or later ones define, and symbols that are
// neither defined nor said to be positive.
func (o *Order) wellDefined() {
	for k, d := range o.defs {
		for _, later := range o.defs[k:] {
			if name := o.names[later.slot]; slices.Contains(d.tree.Symbols(), name) {
				refuse("%s is used before it is defined", name)
			}
		}
	}
	for i, symbol := range o.read.symbols {
		if symbol.Kind == certificate.Real && !o.defined[i] && !o.positive[symbol.Name] {
			refuse("%s is not said to be positive", symbol.Name)
		}
	}
}

// Names returns the parameters: the symbols, and logarithms that stand for themselves, as they are
// written.
func (o *Order) Names() []string { return o.names }

// Symbols returns how many of the parameters are symbols.
func (o *Order) Symbols() int { return len(o.read.symbols) }

// Free reports whether a parameter is a symbol that is not defined.
func (o *Order) Free(i int) bool {
	return i < o.Symbols() && !o.defined[i] &&
		!slices.ContainsFunc(o.logs, func(l definition) bool { return l.slot == i })
}

// Drops reports whether powers of a parameter do not count, as those of logarithms with a tilde.
func (o *Order) Drops(i int) bool { return o.tilde && o.kinds[i] == certificate.Logarithmic }

// formulas returns all sides.
func (o *Order) formulas() []*formula.Tree {
	all := slices.Clone(o.conclusion.Sides)
	for _, s := range o.steps {
		if s.def >= 0 {
			all = append(all, o.defs[s.def].tree)
		} else {
			all = append(all, s.clause.Sides...)
		}
	}
	return all
}

func (o *Order) add(name, kind string) {
	o.slots[name] = len(o.names)
	o.names, o.kinds = append(o.names, name), append(o.kinds, kind)
}

// findLog makes a parameter of a logarithm: with a tilde of each, else of one that is cut off at 1.
func (o *Order) findLog(t *formula.Tree) {
	name := t.String()
	if _, known := o.slots[name]; known {
		return
	}
	switch {
	case o.tilde && t.Op == "log":
		o.add(name, certificate.Logarithmic)
	case !o.tilde && t.Op == "max" && len(t.Args) == 2 && isOne(t.Args[0]) && t.Args[1].Op == "log":
		o.logs = append(o.logs, definition{len(o.names), t.Args[1].Args[0]})
		o.add(name, "")
	}
}

// Direction is a comparison that an order makes: the left side is at most a constant times the
// right one. It is inverse if the right side is the measured one.
type Direction struct {
	Left, Right *formula.Tree
	Inverse     bool
}

func (o *Order) directions() []Direction {
	a, b := o.conclusion.Sides[0], o.conclusion.Sides[1]
	both := []Direction{{a, b, false}, {b, a, true}}
	switch {
	case strings.HasPrefix(o.name, "Ω"):
		return both[1:]
	case strings.HasPrefix(o.name, "Θ"):
		return both
	}
	return both[:1]
}

func isOne(t *formula.Tree) bool { return t.Op == "number" && t.Value.Cmp(big.NewRat(1, 1)) == 0 }

// inLog returns x of log x, and of a number ≥ 0 plus that.
func inLog(t *formula.Tree) *formula.Tree {
	if t.Op == "+" && t.Args[0].Op == "number" && t.Args[0].Value.Sign() >= 0 {
		t = t.Args[1]
	}
	if t.Op == "log" {
		return t.Args[0]
	}
	return nil
}
