package checker

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"sledge/props/certificate"
	"sledge/props/enclosure"
	"sledge/props/formula"
)

// order accepts a proof of measured ≤ C·claimed, of Θ in both directions, with a constant C, on a domain of positive
// numbers. Both sides are bounded by monomials, the measured one from above by a sum of minima, the claimed one from
// below by a minimum of maxima, on each of the parts into which minima and maxima in definitions and alternatives in
// the domain split it. That a minimum is at most a constant times a maximum is a fact of the certificate: the
// weighted inequality of arithmetic and geometric means, together with powers of what the domain bounds. With a
// tilde, powers of logarithmic symbols, and of logarithms, which are read as numbers ≥ 1, are part of the constant.
func order(c *certificate.Certificate) error {
	if c.Refutes || c.Scope != certificate.All {
		return errors.New("an order is proved, for the whole domain")
	}
	o, err := readOrder(c)
	if err != nil {
		return err
	}
	var proof certificate.OrderProof
	if err := decode(c, &proof); err != nil {
		return err
	}
	if err := o.readFacts(&proof); err != nil {
		return err
	}
	constant, ok := new(big.Rat).SetString(proof.Constant)
	if !ok || constant.Sign() <= 0 {
		return fmt.Errorf("the constant %q is no positive number", proof.Constant)
	}
	parts, err := o.split()
	if err != nil {
		return err
	}
	for _, d := range o.directions() {
		for i := range parts {
			if o.empty(&parts[i]) {
				continue
			}
			o.part, o.made = &parts[i], map[int]bound{}
			if err := o.compare(d[0], d[1], constant); err != nil {
				return err
			}
		}
	}
	return nil
}

// monomial is a coefficient times powers of the parameters.
type monomial struct {
	c   value
	e   []fraction
	key string // of e
}

// bound is what is known of a number that is not negative: it is at most the sum of the minima up, and at least the
// least of the maxima low. Nothing is known where above, or below, is false.
type bound struct {
	up, low      [][]monomial
	above, below bool
	why          error
}

// part is a part of the domain.
type part struct {
	rows   []monomial // what is at most 1 in it, with the coefficient
	strict []bool     // and not 1
	chosen map[int]*formula.Tree
	round  map[string]int // of roundings: −1 where they are 0, 1 where the argument is at least 1 and they are not 0
}

type fact struct {
	left, right, rows []weight
	free              bool
	excess            map[int]fraction // powers of what a tilde drops, left over on the left
}

type weight struct {
	key string
	w   fraction
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

// orders reads formulas about one certificate.
type orders struct {
	e          evaluator
	names      []string // the symbols, then logarithms that stand for themselves, as they are written
	kinds      []string
	slots      map[string]int
	defs       []definition
	defined    map[int]bool
	logs       []definition     // of slots that are at least the logarithm of tree
	steps      []step           // what is assumed, in order
	above      []formula.Clause // symbol ≤ what depends on definitions
	conclusion formula.Clause
	name       string // O, Õ, Ω, …
	tilde      bool
	powers     map[int]fraction
	facts      []fact

	part *part
	made map[int]bound
	flat bool // of a minimum of a number and others only the number is kept
}

func readOrder(c *certificate.Certificate) (*orders, error) {
	s, err := read(c)
	if err != nil {
		return nil, err
	}
	o := &orders{e: evaluator{bits: enclosure.Precision}, slots: map[string]int{}, defined: map[int]bool{},
		conclusion: s.conclusion}
	for _, symbol := range s.symbols {
		o.add(symbol.Name, symbol.Kind)
	}
	if len(s.conclusion.Sides) != 2 || s.conclusion.Sides[1].Op != "order" || s.conclusion.Sides[0].Op == "order" {
		return nil, errors.New("the statement is not about an order")
	}
	o.name = s.conclusion.Sides[1].Name
	o.tilde = o.name == "Õ" || len([]rune(o.name)) > 1
	positive := map[string]bool{}
	assumed := slices.Clone(s.assumed)
	for i, clause := range assumed {
		a, relation := clause.Sides[0], clause.Relations[0]
		if len(clause.Relations) != 1 || relation == "∈" {
			return nil, fmt.Errorf("%v is more than one relation", clause)
		}
		switch {
		case relation == ">" && a.Op == "symbol" && clause.Sides[1].Op == "number" && clause.Sides[1].Value.Sign() == 0:
			positive[a.Name] = true
		case relation == "=" && a.Op == "symbol":
			slot, known := o.slots[a.Name]
			if !known || o.defined[slot] {
				return nil, fmt.Errorf("%s is defined twice", a.Name)
			}
			tree := clause.Sides[1]
			for _, name := range tree.Symbols() {
				if k := o.slots[name]; k == slot {
					return nil, fmt.Errorf("%s is defined by itself", name)
				}
				for _, later := range assumed[i+1:] {
					if later.Relations[0] == "=" && later.Sides[0].Op == "symbol" && later.Sides[0].Name == name {
						return nil, fmt.Errorf("%s is used before it is defined", name)
					}
				}
			}
			o.defined[slot] = true
			if x := inLog(tree); x != nil && !o.tilde && o.kinds[slot] == certificate.Logarithmic {
				o.logs = append(o.logs, definition{slot, x}) // it stays a parameter, of which less is known
				delete(o.defined, slot)
				continue
			}
			o.steps = append(o.steps, step{def: len(o.defs)})
			o.defs = append(o.defs, definition{slot, tree})
			if len(tree.Symbols()) == 0 {
				for j := i + 1; j < len(assumed); j++ {
					for k := range assumed[j].Sides {
						assumed[j].Sides[k] = replaced(assumed[j].Sides[k], a.Name, tree)
					}
				}
				for k := range o.conclusion.Sides {
					o.conclusion.Sides[k] = replaced(o.conclusion.Sides[k], a.Name, tree)
				}
			}
		default:
			o.steps = append(o.steps, step{-1, clause})
		}
	}
	for i, symbol := range s.symbols {
		if symbol.Kind == certificate.Real && !o.defined[i] && !positive[symbol.Name] {
			return nil, fmt.Errorf("%s is not said to be positive", symbol.Name)
		}
	}
	o.conclusion.Sides[1] = o.conclusion.Sides[1].Args[0]
	for _, t := range o.formulas() {
		o.findLogs(t)
	}
	return o, nil
}

// formulas returns all sides.
func (o *orders) formulas() []*formula.Tree {
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

func (o *orders) add(name, kind string) {
	o.slots[name] = len(o.names)
	o.names, o.kinds = append(o.names, name), append(o.kinds, kind)
}

// findLogs makes parameters of logarithms: with a tilde of all, else of those that are cut off at 1.
func (o *orders) findLogs(t *formula.Tree) {
	name := t.String()
	if _, known := o.slots[name]; !known {
		switch {
		case o.tilde && t.Op == "log":
			o.add(name, certificate.Logarithmic)
		case !o.tilde && t.Op == "max" && len(t.Args) == 2 && isOne(t.Args[0]) && t.Args[1].Op == "log":
			o.logs = append(o.logs, definition{len(o.names), t.Args[1].Args[0]})
			o.add(name, "")
		}
	}
	for _, a := range t.Args {
		o.findLogs(a)
	}
}

func (o *orders) directions() [][2]*formula.Tree {
	a, b := o.conclusion.Sides[0], o.conclusion.Sides[1]
	switch {
	case strings.HasPrefix(o.name, "Ω"):
		return [][2]*formula.Tree{{b, a}}
	case strings.HasPrefix(o.name, "Θ"):
		return [][2]*formula.Tree{{a, b}, {b, a}}
	}
	return [][2]*formula.Tree{{a, b}}
}

func isOne(t *formula.Tree) bool { return t.Op == "number" && t.Value.Cmp(big.NewRat(1, 1)) == 0 }

func replaced(t *formula.Tree, name string, by *formula.Tree) *formula.Tree {
	if t.Op == "symbol" && t.Name == name {
		return by
	}
	c := *t
	c.Args = nil
	for _, a := range t.Args {
		c.Args = append(c.Args, replaced(a, name, by))
	}
	return &c
}

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

// key tells exponents apart.
func key(e []fraction) string {
	var b []byte
	for i, x := range e {
		if x.p != 0 {
			b = binary.AppendVarint(binary.AppendVarint(binary.AppendVarint(b, int64(i)), x.p), x.q)
		}
	}
	return string(b)
}

func (o *orders) monomial(c value, powers map[int]fraction) monomial {
	m := monomial{c: c, e: make([]fraction, len(o.names))}
	for i := range m.e {
		m.e[i] = fraction{0, 1}
	}
	for i, x := range powers {
		m.e[i] = x
	}
	m.key = key(m.e)
	return m
}

func (o *orders) number(x *big.Rat) value { return exactly(x, o.e.bits) }

func (o *orders) times(a, b monomial) monomial {
	c, err := o.e.arithmetic("*", a.c, b.c)
	if err != nil {
		panic(err)
	}
	m := monomial{c: c, e: make([]fraction, len(a.e))}
	for i := range a.e {
		m.e[i] = a.e[i].plus(b.e[i])
	}
	m.key = key(m.e)
	return m
}

func (o *orders) raised(a monomial, x fraction) monomial {
	m := monomial{c: o.root(a.c, x), e: make([]fraction, len(a.e))}
	for i := range a.e {
		m.e[i] = a.e[i].times(x)
	}
	m.key = key(m.e)
	return m
}

func (o *orders) root(c value, x fraction) value {
	v, err := o.e.power(c, o.number(x.rat()))
	if err != nil {
		panic(err)
	}
	return v
}

// readFacts checks that facts are what they say: exponents on both sides agree.
func (o *orders) readFacts(proof *certificate.OrderProof) error {
	o.powers = map[int]fraction{}
	for name, text := range proof.Powers {
		x, ok := new(big.Rat).SetString(text)
		slot, known := o.slots[name]
		if !ok || !known || !o.tilde || o.kinds[slot] != certificate.Logarithmic {
			return fmt.Errorf("the power %q of %q is no power of a logarithm that is dropped", text, name)
		}
		o.powers[slot] = rational(x)
	}
	var monomials []monomial
	for _, powers := range proof.Monomials {
		e := map[int]fraction{}
		for name, text := range powers {
			x, ok := new(big.Rat).SetString(text)
			slot, known := o.slots[name]
			if !ok || !known {
				return fmt.Errorf("%q is no power of a parameter %q", text, name)
			}
			e[slot] = rational(x)
		}
		monomials = append(monomials, o.monomial(o.number(big.NewRat(1, 1)), e))
	}
	for _, f := range proof.Facts {
		g := fact{free: f.Free, excess: map[int]fraction{}}
		total := make([]fraction, len(o.names))
		for i := range total {
			total[i] = fraction{0, 1}
		}
		for k, side := range []map[int]string{f.Left, f.Right, f.Rows} {
			sum := fraction{0, 1}
			var weights []weight
			for _, i := range slices.Sorted(maps.Keys(side)) {
				x, ok := new(big.Rat).SetString(side[i])
				if !ok || x.Sign() <= 0 || i < 0 || i >= len(monomials) {
					return errors.New("a weight of a fact is no positive number, or its monomial is not there")
				}
				w := rational(x)
				sum = sum.plus(w)
				weights = append(weights, weight{monomials[i].key, w})
				for v, e := range monomials[i].e {
					if e = e.times(w); k > 0 {
						e = e.negated()
					}
					total[v] = total[v].plus(e)
				}
			}
			switch one := sum == (fraction{1, 1}); k {
			case 0:
				if g.left = weights; !one {
					return errors.New("the weights on the left of a fact do not add up to 1")
				}
			case 1:
				if g.right = weights; !one && !f.Free {
					return errors.New("the weights on the right of a fact do not add up to 1")
				}
			default:
				g.rows = weights
			}
		}
		for v, x := range total {
			switch {
			case x.p == 0:
			case o.tilde && o.kinds[v] == certificate.Logarithmic:
				g.excess[v] = x
			default:
				return fmt.Errorf("the powers of %s in a fact do not agree", o.names[v])
			}
		}
		o.facts = append(o.facts, g)
	}
	return nil
}

// apply returns the constant c with which a fact shows that the least on the left is at most c times the largest on the
// right, and the powers of the right; ok is false if it is not about these.
func (o *orders) apply(f *fact, left, right []monomial) (c value, ok bool) {
	c = o.number(big.NewRat(1, 1))
	for k, weights := range [][]weight{f.left, f.right, f.rows} {
		among := [][]monomial{left, right, o.part.rows}[k]
		for _, w := range weights {
			i := slices.IndexFunc(among, func(m monomial) bool { return m.key == w.key })
			if i < 0 {
				return c, false
			}
			x := w.w
			if k > 0 {
				x = x.negated() // rows: what has the coefficient a and is at most 1 is without it at most 1/a
			}
			var err error
			if c, err = o.e.arithmetic("*", c, o.root(among[i].c, x)); err != nil {
				return c, false
			}
		}
	}
	return c, true
}

// empty reports whether a fact shows that a part is empty: 1 would be less than 1.
func (o *orders) empty(p *part) bool {
	o.part = p
	one := []monomial{o.monomial(o.number(big.NewRat(1, 1)), nil)}
	for i := range o.facts {
		f := &o.facts[i]
		if !f.free || len(f.right) > 0 || len(f.excess) > 0 {
			continue
		}
		c, ok := o.apply(f, one, nil)
		if !ok {
			continue
		}
		strict := slices.ContainsFunc(f.rows, func(w weight) bool {
			i := slices.IndexFunc(p.rows, func(m monomial) bool { return m.key == w.key })
			return p.strict[i]
		})
		if at := o.number(big.NewRat(1, 1)); relate(c, "<", at) == holds || strict && relate(c, "≤", at) == holds {
			return true
		}
	}
	return false
}

// least returns the smallest constant by which a fact bounds the least on the left by the largest on the right.
func (o *orders) least(left, right []monomial, dropping bool) (best value, found bool) {
	for i := range o.facts {
		f := &o.facts[i]
		if f.free || !o.allowed(f, dropping) {
			continue
		}
		if c, ok := o.apply(f, left, right); ok && (!found || c.around.Upper().Cmp(best.around.Upper()) < 0) {
			best, found = c, true
		}
	}
	return best, found
}

func (o *orders) allowed(f *fact, dropping bool) bool {
	for v, x := range f.excess {
		most, given := o.powers[v]
		if !given {
			most = fraction{0, 1}
		}
		if !dropping || !x.atMost(most) {
			return false
		}
	}
	return true
}

var errNoFact = errors.New("no fact bounds the one by the other")

// compare shows that left ≤ constant·right in the part, up to powers of logarithms that are dropped.
func (o *orders) compare(left, right *formula.Tree, constant *big.Rat) error {
	f, g := o.final(o.of(left)), o.final(o.of(right))
	switch {
	case !f.above:
		return fmt.Errorf("%v has no bound from above: %w", left, f.why)
	case !g.below:
		return fmt.Errorf("%v has no bound from below: %w", right, g.why)
	}
	c, err := o.constant(f, g, true)
	if err != nil {
		return fmt.Errorf("%v against %v: %w", left, right, err)
	}
	if c.around.Upper().Cmp(constant) > 0 {
		return fmt.Errorf("the constant %v is too small", constant.RatString())
	}
	return nil
}

// constant returns c with f ≤ c·g.
func (o *orders) constant(f, g bound, dropping bool) (value, error) {
	most := o.number(new(big.Rat))
	for _, maxima := range g.low {
		sum := o.number(new(big.Rat))
		for _, minima := range f.up {
			c, found := o.least(minima, maxima, dropping)
			if !found {
				return c, errNoFact
			}
			var err error
			if sum, err = o.e.arithmetic("+", sum, c); err != nil {
				return sum, err
			}
		}
		most = o.e.extreme("max", most, sum)
	}
	return most, nil
}

// multiple returns c with f ≤ c·g in the part, without dropping anything.
func (o *orders) multiple(f, g bound) (value, error) {
	if g = o.final(g); !g.below {
		return value{}, errNoFact
	}
	numbers := !slices.ContainsFunc(g.low, func(m []monomial) bool {
		return slices.ContainsFunc(m, func(m monomial) bool { return m.key != "" })
	})
	if numbers {
		o.flat = true
		flat := o.final(f)
		o.flat = false
		if flat.above {
			if c, err := o.constant(flat, g, false); err == nil {
				return c, nil
			}
		}
	}
	if f = o.final(f); !f.above {
		return value{}, errNoFact
	}
	return o.constant(f, g, false)
}

// share is multiple where that is less than 1, and else an error beside it.
func (o *orders) share(f, g bound) (theta value, err error) {
	if o.part == nil {
		return theta, errNoFact
	}
	theta, err = o.multiple(f, g)
	if err == nil && relate(theta, "<", o.number(big.NewRat(1, 1))) != holds {
		err = errors.New("a difference may be 0")
	}
	return theta, err
}
