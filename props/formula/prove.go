package formula

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"

	"sledge/props/certificate"
	"sledge/props/settle/exponents"
)

// Settle decides an order, as the check of [Domain.Order] does besides its search: by a certificate of kind
// [certificate.Order] or [certificate.Growth] and what it says in words, or else by nil and why there is none. The
// error is an [*Error] if the text is no order.
//
// An order speaks of all positive values of its symbols within its domain. A range that ends at a hundred times
// something or more, or at a hundredth or less, says there how far a search looks, and not where the statement ends.
func (d *Domain) Settle(text string) (c *certificate.Certificate, said string, err error) {
	if _, err := d.Complexity(text); err != nil { // which refuses what makes no sense
		return nil, "", err
	}
	st, err := ParseStatement(d.v, text)
	if err != nil {
		return nil, "", err
	}
	c, said = d.settle(st)
	return c, said, nil
}

// settle writes what the linear programmes say about an order as a certificate, or says why they say nothing.
func (d *Domain) settle(st *Statement) (*certificate.Certificate, string) {
	s, err := d.settled(st)
	if err != nil {
		return nil, err.Error()
	}
	c := &certificate.Certificate{Statement: plain.clause(st.conclusion)}
	for _, name := range s.x.names {
		symbol, _ := d.v.Symbol(name)
		if s.ray != nil && symbol.Kind == Count && s.x.rounded(d.v, name) { // it is read as a real number
			symbol.Kind = Real
			s.x.clauses = append(s.x.clauses, clause{[]*node{sym(name), num(1)}, []string{"≥"}})
		}
		c.Symbols = append(c.Symbols, certificate.Symbol{Name: name, Kind: symbol.Kind.String()})
		if symbol.Kind == Real && !s.x.defines(name) {
			s.x.clauses = append(s.x.clauses, clause{[]*node{sym(name), num(0)}, []string{">"}})
		}
	}
	c.Domain = s.x.String()
	var proof any
	if s.ray == nil {
		c.Kind, c.Scope = certificate.Order, certificate.All
		proof = s.proof()
	} else {
		c.Kind, c.Refutes = certificate.Growth, true
		proof = s.curve()
	}
	if c.Proof, err = json.Marshal(proof); err != nil {
		return nil, err.Error()
	}
	return c, s.String()
}

// defines reports whether a clause defines a symbol.
func (x *explicit) defines(name string) bool {
	return slices.ContainsFunc(x.clauses, func(c clause) bool {
		return c.relations[0] == "=" && c.sides[0].op == symbol && c.sides[0].name == name
	})
}

// rounded reports whether a clause defines a count by what need not be whole.
func (x *explicit) rounded(v *Vocabulary, name string) bool {
	var whole func(*node) bool
	whole = func(n *node) bool {
		switch n.op {
		case number:
			return n.value.IsInt()
		case symbol:
			s, known := v.Symbol(n.name)
			return known && s.Kind == Count && !x.rounded(v, n.name)
		case ceiling, floor:
			return true
		case add, subtract, multiply, negate, smallest, largest:
			return !slices.ContainsFunc(n.args, func(a *node) bool { return !whole(a) })
		}
		return false
	}
	return slices.ContainsFunc(x.clauses, func(c clause) bool {
		return c.relations[0] == "=" && c.sides[0].op == symbol && c.sides[0].name == name && !whole(c.sides[1])
	})
}

// proof writes the facts; the constant, computed in floating point, is rounded up to two digits.
func (s *settlement) proof() *certificate.OrderProof {
	p := &certificate.OrderProof{Constant: upwards(s.C), Powers: map[string]string{}}
	index := map[string]int{}
	refer := func(weights []weighted) map[int]string {
		out := map[int]string{}
		for _, w := range weights {
			powers := map[string]string{}
			for v, e := range w.e {
				if e.Sign() != 0 {
					powers[s.b.names[v]] = e.String()
				}
			}
			key := fmt.Sprint(powers)
			i, known := index[key]
			if !known {
				i = len(p.Monomials)
				index[key] = i
				p.Monomials = append(p.Monomials, powers)
			}
			out[i] = w.w.String()
		}
		return out
	}
	for _, f := range slices.Concat(s.facts, s.b.contradictions) {
		p.Facts = append(p.Facts, certificate.Fact{Left: refer(f.left), Right: refer(f.right), Rows: refer(f.rows),
			Free: f.free})
		if f.free {
			continue
		}
		for v, name := range s.b.names {
			if e := f.excess(v); e.Sign() > 0 && e.Cmp(s.powers[v]) > 0 {
				s.powers[v] = e
				p.Powers[name] = e.String()
			}
		}
	}
	return p
}

// upwards writes a number with two digits, rounded up by a little more than its rounding errors.
func upwards(c float64) string {
	if !(c > 0) {
		return "1"
	}
	scale := math.Pow(10, math.Floor(math.Log10(c))-1)
	v, _ := new(big.Rat).SetString(fmt.Sprintf("%.0fe%d", math.Ceil(c*(1+1e-9)/scale), int(math.Floor(math.Log10(c)))-1))
	return v.RatString()
}

// curve writes the curve, with its start as powers of 2.
func (s *settlement) curve() *certificate.GrowthProof {
	p := &certificate.GrowthProof{At: map[string]string{}, Exponents: map[string]int64{}, Gap: s.gap.String(),
		Inverse: s.inverse}
	for name, k := range s.base {
		p.At[name] = exponents.Fraction(new(big.Rat).SetFloat64(math.Ldexp(1, int(k)))).String()
		if e := s.ray[name]; e != 0 {
			p.Exponents[name] = e
		}
	}
	return p
}
