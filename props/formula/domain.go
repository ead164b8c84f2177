package formula

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"sledge/props"
)

// Domain says from which ranges symbols are drawn. It is not changed once made, and may be shared.
type Domain struct {
	v    *Vocabulary
	text string
	// by the symbol that they are about; without relations where the range is that of the
	// vocabulary
	clauses map[string]clause
}

// Domain reads clauses that are separated by commas or semicolons, each of which is about one
// symbol:
//
//	n ∈ [2, 1e6], b ∈ [1, n], C_1, L, ζ ∈ [1e-9 L, 2L], η = 1/(2L)
//
// A range may use other symbols. A symbol without a range has that of the vocabulary, and so have
// the symbols that the text does not mention; without a text all have it.
func (v *Vocabulary) Domain(text string) (*Domain, error) {
	d := &Domain{v, text, map[string]clause{}}
	if strings.TrimSpace(text) == "" {
		return d, nil
	}
	clauses, err := parseClauses(v, text, ",", ";")
	if err == nil {
		err = computable(text, clauses)
	}
	if err != nil {
		return nil, err
	}
	for _, c := range clauses {
		name := c.sides[0].name
		_, twice := d.clauses[name]
		switch at := max(c.sides[0].at, 1); {
		case c.sides[0].op != symbol || len(c.relations) > 1 || len(c.relations) == 1 &&
			!strings.Contains("∈=", c.relations[0]):
			return nil, &Error{text, at, c.text() + " says no range of a symbol"}
		case twice:
			return nil, &Error{text, at, name + " is drawn twice"}
		}
		if err := v.check(c); err != nil {
			return nil, err
		}
		if len(c.relations) > 0 && c.sides[1].op == span {
			lo, fixed := c.sides[1].args[0].constant()
			hi, also := c.sides[1].args[1].constant()
			if fixed && also && lo.Cmp(hi) > 0 {
				return nil, &Error{text, max(c.sides[1].args[0].at, 1),
					"the range of " + name + " is empty"}
			}
		}
		d.clauses[name] = c
	}
	return d, nil
}

// MustDomain is Domain for the texts of programs. It panics where Domain returns an error.
func (v *Vocabulary) MustDomain(text string) *Domain { return props.Must(v.Domain(text)) }

// plan is how an instance of a statement is made.
type plan struct {
	d    *Domain
	text string
	// of what is drawn and defined, in that order; what is no symbol is named by its formula
	names     []string
	steps     []step
	busy      []string // symbols that are being planned
	given     map[string]clause
	logarithm bool // statements drop logarithms
}

type action uint8

const (
	draw    action = iota // from the range lo … hi
	define                // by a formula, lo
	require               // that lo relation hi
)

type step struct {
	action   action
	slot     int
	name     string
	kind     Kind
	lo, hi   *Program
	tree     *node    // of a definition
	size     *Program // of the terms of a requirement, nil if none cancel
	relation string
	// of a requirement: floating point takes it for granted; of a count: it need not be what its
	// formula gives in exact arithmetic
	surely bool
	why    string
	fixed  bool    // the range is constant
	least  float64 // then its ends
	most   float64
}

func newPlan(d *Domain, text string, logarithm bool) *plan {
	return &plan{d: d, text: text, given: map[string]clause{}, logarithm: logarithm}
}

func (p *plan) fail(n *node, format string, args ...any) {
	panic(&Error{p.text, max(n.at, 1), fmt.Sprintf(format, args...)})
}

func (p *plan) slot(name string) int { return slices.Index(p.names, name) }

func (p *plan) add(s step, name string) {
	p.names = append(p.names, name)
	s.slot = len(p.names) - 1
	p.steps = append(p.steps, s)
}

// ready plans what a formula needs. If statements drop logarithms, those in the result are symbols
// of their own.
func (p *plan) ready(n *node) *node {
	if p.logarithm {
		n = n.mapped(func(m *node) *node {
			if m.op != logarithm {
				return nil
			}
			if a := m.args[0]; a.op == subtract && a.args[0].op == number &&
				a.args[0].value.Cmp(unit) <= 0 {
				p.fail(m, "%s is negative, and Õ takes logarithms for numbers from 1 on", m.text())
			}
			name := m.text()
			if p.slot(name) < 0 {
				p.add(step{name: name, kind: Logarithmic, fixed: true, least: 1, most: 1e3}, name)
			}
			return sym(name)
		})
	}
	for _, name := range n.symbols(nil) {
		p.need(name, n)
	}
	return n
}

// need plans a symbol, if that has not been done.
func (p *plan) need(name string, for_ *node) {
	if p.slot(name) >= 0 {
		return
	}
	if slices.Contains(p.busy, name) {
		p.fail(for_, "%s depends on itself", name)
	}
	p.busy = append(p.busy, name)
	defer func() { p.busy = p.busy[:len(p.busy)-1] }()
	c, given := p.given[name]
	if !given {
		c, given = p.d.clauses[name]
	}
	s, _ := p.d.v.Symbol(name)
	switch {
	case !given || len(c.relations) == 0:
		p.add(step{name: name, kind: s.Kind, fixed: true, least: s.Lo, most: s.Hi}, name)
	case c.relations[0] == "=":
		p.define(name, c.sides[1])
	default:
		p.within(s, c.sides[1].args[0], c.sides[1].args[1])
	}
}

func (p *plan) define(name string, n *node) {
	n = p.ready(n)
	s, _ := p.d.v.Symbol(name)
	p.add(step{action: define, kind: s.Kind, lo: compile(n, p.names), tree: n}, name)
}

// within plans a symbol that lies between two formulas. Constant multiples of one formula are drawn
// as such multiples: the formula has its whole range in each of them, and the value is exact.
func (p *plan) within(s Symbol, lo, hi *node) {
	a, fixed := lo.constant()
	b, also := hi.constant()
	if fixed && also {
		least, most := inside(a, b)
		if a.Cmp(b) > 0 {
			p.fail(lo, "the range of %s is empty", s.Name)
		}
		if s.Kind == Count && a.Sign() < 0 {
			p.fail(lo, "%s is a count: its range begins at 0 or above", s.Name)
		}
		p.add(step{name: s.Name, kind: s.Kind, fixed: true, least: least, most: most}, s.Name)
		return
	}
	x, low := multiple(lo)
	y, high := multiple(hi)
	if s.Kind == Real && low.equal(high) && x.Cmp(y) <= 0 {
		p.share(s, low, x, y)
		return
	}
	lo, hi = p.ready(lo), p.ready(hi)
	p.add(step{name: s.Name, kind: s.Kind, lo: compile(lo, p.names), hi: compile(hi, p.names)},
		s.Name)
	for _, end := range []struct {
		n        *node
		relation string
	}{{lo, "≥"}, {hi, "≤"}} {
		if end.n.op != symbol && end.n.op != number {
			p.require(sym(s.Name), end.relation, end.n, true)
		}
	}
}

// inside returns the least and the largest floating-point number of a range: its ends themselves
// need not be any, and what is rounded out of it is no instance. A range with no such number has
// its ends as they are rounded.
func inside(lo, hi *big.Rat) (least, most float64) {
	least, _ = lo.Float64()
	most, _ = hi.Float64()
	if math.IsInf(least, 0) || math.IsInf(most, 0) {
		return least, most
	}
	from, to := least, most
	if new(big.Rat).SetFloat64(from).Cmp(lo) < 0 {
		from = math.Nextafter(from, math.Inf(1))
	}
	if new(big.Rat).SetFloat64(to).Cmp(hi) > 0 {
		to = math.Nextafter(to, math.Inf(-1))
	}
	if from <= to {
		return from, to
	}
	return least, most
}

// share plans a symbol that is x to y times a formula.
func (p *plan) share(s Symbol, base *node, x, y *big.Rat) {
	base = p.ready(base)
	least, most := inside(x, y)
	ratio := of(divide, sym(s.Name), base).text()
	p.add(step{name: ratio, kind: Real, fixed: true, least: least, most: most}, ratio)
	p.define(s.Name, of(multiply, sym(ratio), base))
}

// multiple splits a formula into a constant factor and the rest.
func multiple(n *node) (*big.Rat, *node) {
	if n.op == multiply && n.args[0].op == number {
		return n.args[0].value, n.args[1]
	}
	if n.op == multiply {
		if c, rest := multiple(n.args[0]); rest != n.args[0] {
			return c, of(multiply, rest, n.args[1])
		}
	}
	return big.NewRat(1, 1), n
}

// require plans a premise that is tried on each instance.
func (p *plan) require(a *node, relation string, b *node, surely bool) {
	a, b = p.ready(a), p.ready(b)
	p.steps = append(p.steps, step{action: require, lo: compile(a, p.names),
		hi: compile(b, p.names), size: p.size(a, b),
		relation: relation,
		surely:   surely,
		why:      "not " + rounded(a).text() + " " + relation + " " + rounded(b).text()})
}

// rounded is a formula for readers: with the next floating-point numbers in the place of numbers
// that are long only because they are such.
func rounded(n *node) *node {
	return n.mapped(func(m *node) *node {
		if m.op != number || len(m.text()) <= 17 {
			return nil
		}
		v, _ := m.value.Float64()
		return sym(strconv.FormatFloat(v, 'g', -1, 64))
	})
}

// jumps reports whether a symbol is defined with numbers that are rounded to whole ones.
func (p *plan) jumps() bool {
	return slices.ContainsFunc(p.steps,
		func(s step) bool { return s.tree != nil && s.tree.jumps() })
}

// size is the magnitude of the terms of two formulas that are compared, nil if none cancel.
func (p *plan) size(a, b *node) *Program {
	if a.has(subtract) || a.has(negate) || b.has(subtract) || b.has(negate) {
		return compile(of(add, a.magnitude(), b.magnitude()), p.names)
	}
	return nil
}

// The ranges of what bounds a free symbol from one side, as a share of the bound.
var (
	leastShare = big.NewRat(1, 1e9)
	mostShare  = big.NewRat(1e3, 1)
)

// premise plans a premise: a range or a definition of a symbol, which goes before the domain's, a
// bound on a symbol that is free, or something to try.
func (p *plan) premise(c clause) {
	left := c.sides[0]
	for _, s := range c.sides {
		if s.op == order {
			p.fail(s, "%s is no premise", s.text())
		}
	}
	_, drawn := p.d.clauses[left.name]
	free := left.op == symbol && p.slot(left.name) < 0
	single := free && len(c.relations) == 1 && !slices.Contains(c.sides[1].symbols(nil), left.name)
	switch rel := c.relations[0]; {
	case rel == "∈" && !free || rel == "∈" && len(c.relations) > 1:
		p.fail(left, "%s is drawn already", left.text())
	case single && (rel == "∈" || rel == "="):
		p.given[left.name] = c
		p.need(left.name, left)
	case single && !drawn && (rel == "≤" || rel == "≥"):
		p.bounded(left.name, rel, c.sides[1])
	case single && !p.logarithm && p.narrowed(left.name, rel, c.sides[1]):
	default:
		for i, rel := range c.relations {
			if rel == "∈" {
				p.fail(c.sides[i+1], "a range ends no chain")
			}
			p.require(c.sides[i], rel, c.sides[i+1], false)
		}
	}
}

// bounded plans a free symbol with one bound, equality included. A count that is bounded from below
// is rounded up.
func (p *plan) bounded(name, relation string, bound *node) {
	s, _ := p.d.v.Symbol(name)
	one := big.NewRat(1, 1)
	switch {
	case relation == "≤" && s.Kind == Real && s.Lo <= 0:
		p.share(s, bound, new(big.Rat), one)
	case relation == "≤" && s.Kind == Real:
		p.share(s, bound, leastShare, one)
	case relation == "≤":
		p.within(s, num(1), bound)
	case s.Kind == Real:
		p.share(s, bound, one, mostShare)
	default:
		bound = p.ready(bound)
		ratio := of(divide, sym(name), bound).text()
		p.add(step{name: ratio, kind: Real, fixed: true, least: 1, most: 1e3}, ratio)
		p.define(name, of(largest, num(1), of(ceiling, of(multiply, sym(ratio), bound))))
		p.steps[len(p.steps)-1].surely = true
		p.require(sym(name), "≥", bound, false)
	}
}

// narrowed plans a symbol that has a range with constant ends, not below 0, and a bound besides, as
// a multiple of that end or of the bound, whichever is nearer: drawn from its range alone it would
// hardly come near to the bound, where a conclusion is tight, and one that begins at 0 would hardly
// meet a small bound but there. A real symbol that is only to be positive is drawn over nine
// decades below the end of its range. It reports whether the symbol is such a one.
func (p *plan) narrowed(name, relation string, bound *node) bool {
	s, _ := p.d.v.Symbol(name)
	lo, hi := new(big.Rat), new(big.Rat)
	if lo.SetFloat64(s.Lo) == nil || hi.SetFloat64(s.Hi) == nil {
		return false
	}
	if c := p.d.clauses[name]; len(c.relations) > 0 {
		if c.relations[0] != "∈" {
			return false
		}
		var fixed, also bool
		lo, fixed = c.sides[1].args[0].constant()
		hi, also = c.sides[1].args[1].constant()
		if !fixed || !also {
			return false
		}
	}
	at, fixed := bound.constant()
	if relation == ">" && fixed && at.Sign() == 0 && s.Kind == Real && lo.Sign() <= 0 &&
		hi.Sign() > 0 {
		most, _ := hi.Float64()
		least, _ := leastShare.Float64()
		p.add(step{name: name, kind: Real, fixed: true, least: least * most, most: most}, name)
		return true
	}
	if !strings.Contains("≤≥", relation) || lo.Sign() < 0 || lo.Cmp(hi) >= 0 ||
		s.Kind == Logarithmic ||
		p.leads(bound, name) {
		return false
	}
	end := func(v *big.Rat) *node { return &node{op: number, value: v} }
	if lo.Sign() == 0 {
		if s.Kind != Real {
			return false
		}
		if relation == "≤" {
			p.share(s, of(smallest, end(hi), bound), lo, big.NewRat(1, 1))
			p.require(sym(name), "≥", end(lo), false)
		} else {
			p.within(s, of(largest, end(lo), bound), end(hi))
		}
		return true
	}
	one, whole := big.NewRat(1, 1), new(big.Rat).Quo(hi, lo)
	switch {
	case relation == "≤" && s.Kind == Count:
		p.within(s, end(lo), of(smallest, end(hi), bound))
	case relation == "≤":
		p.share(s, of(smallest, end(hi), bound), new(big.Rat).Inv(whole), one)
		p.require(sym(name), "≥", end(lo), false)
	case s.Kind == Count:
		base := p.ready(of(largest, end(lo), bound))
		ratio := of(divide, sym(name), base).text()
		most, _ := whole.Float64()
		p.add(step{name: ratio, kind: Real, fixed: true, least: 1, most: most}, ratio)
		p.define(name, of(ceiling, of(multiply, sym(ratio), base)))
		p.steps[len(p.steps)-1].surely = true
		p.require(sym(name), "≥", bound, false)
		p.require(sym(name), "≤", end(hi), false)
	default:
		p.share(s, of(largest, end(lo), bound), one, whole)
		p.require(sym(name), "≤", end(hi), false)
	}
	return true
}

// leads reports whether a formula needs a symbol, for itself or for the ranges of its own.
func (p *plan) leads(n *node, name string) bool {
	for _, other := range n.symbols(nil) {
		if other == name {
			return true
		}
		c, given := p.given[other]
		if !given {
			c = p.d.clauses[other]
		}
		if p.slot(other) < 0 && len(c.relations) > 0 && p.leads(c.sides[1], name) {
			return true
		}
	}
	return false
}

// pick draws a number. Those for a comparison of orders have ranges that grow from 1.
func (s *step) pick(src *props.Source, least, most float64, orders, tilde bool) float64 {
	whole := s.kind == Count
	switch {
	case tilde && s.kind == Logarithmic && least == 1 && most > 1:
		return src.Logarithm(s.name, most)
	case least == most:
		return least
	case orders && s.fixed && least >= 1:
		v := src.Clamped(s.name, 1/most, most, least, most)
		if whole {
			v = math.Ceil(v)
		}
		return min(v, most)
	case orders && s.fixed && least > 0 && most <= 1:
		return src.Clamped(s.name, least, 1/least, least, most)
	case whole && least >= 1:
		return float64(src.LogInt(s.name, int(least), int(most)))
	case whole:
		return float64(src.Int(s.name, int(least), int(most)))
	case least > 0:
		return src.LogReal(s.name, least, most)
	}
	return src.Real(s.name, least, most)
}
