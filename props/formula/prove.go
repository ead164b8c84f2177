package formula

import (
	"slices"

	"sledge/props"
	"sledge/props/certificate"
)

// Settle decides an order, as the check of [Domain.Order] does besides its search, by the
// procedures of the vocabulary: by a certificate and what it says in words, or else by nil and why
// there is none. The error is an [*Error] if the text is no order.
//
// An order speaks of all positive values of its symbols within its domain. A range that ends at a
// hundred times something or more, or at a hundredth or less, says there how far a search looks,
// and not where the statement ends.
func (d *Domain) Settle(text string) (c *certificate.Certificate, said string, err error) {
	if _, err := d.Complexity(text); err != nil { // which refuses what makes no sense
		return nil, "", err
	}
	st, err := ParseStatement(d.v, text)
	if err != nil {
		return nil, "", err
	}
	c, said = d.orders(st).settle(d.v.procedures)(props.Quick)
	return c, said, nil
}

// orders is the problem of a statement about an order, which has been planned before.
func (d *Domain) orders(st *Statement) *Problem {
	return &Problem{Premises: st.Premises(), Conclusion: st.Conclusion(), text: st.String(),
		sizes: func() *explicit { return d.explicit(st) }}
}

// Order returns a certificate of a statement about an order, of kind [certificate.Order] or
// [certificate.Growth], that has everything but its scope and its proof, nil if the statement is
// about something else. Its domain is about positive numbers, and ranges that only say how far a
// search looks are left out. Along a curve, a count that is defined by what need not be whole is a
// real number.
func (p *Problem) Order(kind certificate.Kind) *certificate.Certificate {
	if p.sizes == nil {
		return nil
	}
	x := p.sizes()
	c := &certificate.Certificate{Kind: kind, Refutes: kind == certificate.Growth,
		Statement: x.conclusion.text()}
	for _, name := range x.names {
		symbol, _ := x.d.v.Symbol(name)
		if c.Refutes && symbol.Kind == Count && x.rounded(name) {
			symbol.Kind = Real
			x.clauses = append(x.clauses, clause{[]*node{sym(name), num(1)}, []string{"≥"}})
		}
		c.Symbols = append(c.Symbols, certificate.Symbol{Name: name, Kind: symbol.Kind.String()})
		if symbol.Kind == Real && x.definition(name) == nil {
			x.clauses = append(x.clauses, clause{[]*node{sym(name), num(0)}, []string{">"}})
		}
	}
	c.Domain = x.String()
	return c
}

// definition is the formula that a symbol stands for, nil if there is none.
func (x *explicit) definition(name string) *node {
	for _, c := range x.clauses {
		if c.relations[0] == "=" && c.sides[0].op == symbol && c.sides[0].name == name {
			return c.sides[1]
		}
	}
	return nil
}

// rounded reports whether a count is defined by what need not be whole.
func (x *explicit) rounded(name string) bool {
	var whole func(*node) bool
	whole = func(n *node) bool {
		switch n.op {
		case number:
			return n.value.IsInt()
		case symbol:
			s, known := x.d.v.Symbol(n.name)
			return known && s.Kind == Count && !x.rounded(n.name)
		case ceiling, floor:
			return true
		case add, subtract, multiply, negate, smallest, largest:
			return !slices.ContainsFunc(n.args, func(a *node) bool { return !whole(a) })
		}
		return false
	}
	n := x.definition(name)
	return n != nil && !whole(n)
}
