package settle

import (
	"math/big"

	"sledge/props/certificate"
	"sledge/props/formula"
)

// widths is the number of ways in which ranges are widened, the widest first.
const widths = 4

// Ends of ranges that only the search needs: nothing is meant by a symbol being at least a
// hundredth or at most fifty times something.
var (
	hundredth = big.NewRat(1, 100)
	fifty     = big.NewRat(50, 1)
	two       = big.NewRat(2, 1)
	one       = big.NewRat(1, 1)
)

// widened replaces ranges from which the search draws by the bounds that are meant: at width 0 no
// numbers are left but 0 for real symbols, 1 for others, and upper ends below 2; at width 1 lower
// ends from 1 on are kept, at width 2 upper ends below 50 as well, and at width 3 everything.
func widened(p *formula.Problem, width int) *problem {
	q := &problem{Problem: &formula.Problem{Conclusion: p.Conclusion}}
	limits := map[string]bool{} // symbols at which sums end
	for _, side := range p.Conclusion.Sides {
		ends(side, limits)
	}
	kinds := map[string]formula.Kind{}
	for _, s := range p.Symbols {
		kinds[s.Name] = s.Kind
		if !limits[s.Name] {
			s.Kind = formula.Real
		}
		q.Symbols = append(q.Symbols, s)
	}
	for _, c := range p.Domain {
		q.Domain = append(q.Domain, q.widen(c, kinds, width)...)
	}
	for _, c := range p.Premises {
		q.Premises = append(q.Premises, q.widen(c, kinds, width)...)
	}
	// symbols of a vocabulary are readable
	q.reader, _ = formula.Reader(q.Certificate(certificate.Coefficients))
	return q
}

func (q *problem) widen(c formula.Clause, kinds map[string]formula.Kind,
	width int) []formula.Clause {
	a := c.Sides[0]
	if len(c.Relations) != 1 || a.Op != "symbol" {
		return []formula.Clause{c}
	}
	kind := kinds[a.Name]
	relation := func(rel string, b *formula.Tree) formula.Clause {
		return formula.Clause{Sides: []*formula.Tree{a, b}, Relations: []string{rel}}
	}
	value := func(x *big.Rat) *formula.Tree { return &formula.Tree{Op: "number", Value: x} }
	lower := func(b *formula.Tree) formula.Clause {
		x, rest := multiple(b)
		switch {
		case x.Sign() < 0 || width == widths-1:
			return relation("≥", b)
		case x.Sign() == 0:
			return relation("≥", value(x))
		case rest && x.Cmp(hundredth) > 0:
			return relation("≥", b)
		case !rest && kind != formula.Real && (width == 0 || x.Cmp(one) < 0):
			return relation("≥", value(one))
		case !rest && width >= 1 && x.Cmp(one) >= 0:
			return relation("≥", b)
		}
		return relation(">", value(new(big.Rat)))
	}
	switch c.Relations[0] {
	case "≥", ">":
		if x, ok := number(c.Sides[1]); ok && (c.Relations[0] == "≥" || x.Sign() > 0) {
			return []formula.Clause{lower(c.Sides[1])}
		}
	case "∈":
		ends := c.Sides[1].Args
		out := []formula.Clause{lower(ends[0])}
		x, rest := multiple(ends[1])
		switch {
		case width == widths-1:
			if !rest && x.Cmp(two) >= 0 || x.Cmp(fifty) >= 0 {
				q.limits = append(q.limits, a.Name+" ≤ "+ends[1].String())
			}
		case x.Cmp(fifty) >= 0 || !rest && width < 2 && (x.Cmp(two) >= 0 || kind != formula.Real):
			return out
		case !rest && x.Cmp(two) >= 0:
			q.limits = append(q.limits, a.Name+" ≤ "+ends[1].String())
		}
		return append(out, relation("≤", ends[1]))
	}
	return []formula.Clause{c}
}

// ends finds the symbols of which ends of sums are made.
func ends(n *formula.Tree, found map[string]bool) {
	if n.Op == "sum" {
		for _, end := range n.Args[:2] {
			for _, name := range end.Symbols() {
				found[name] = true
			}
		}
	}
	for _, a := range n.Args {
		ends(a, found)
	}
}

// number returns the value of a formula without symbols that is a rational number.
func number(n *formula.Tree) (*big.Rat, bool) {
	if n.Op == "neg" {
		x, ok := number(n.Args[0])
		if ok {
			x = new(big.Rat).Neg(x)
		}
		return x, ok
	}
	return n.Value, n.Op == "number"
}

// multiple returns the factor of a formula that is a number, and whether there is more than that.
func multiple(n *formula.Tree) (x *big.Rat, rest bool) {
	if x, ok := number(n); ok {
		return x, false
	}
	if n.Op == "*" || n.Op == "/" {
		x, rest := multiple(n.Args[0])
		if y, more := multiple(n.Args[1]); !more && n.Op == "*" {
			return new(big.Rat).Mul(x, y), rest
		} else if !more && y.Sign() != 0 {
			return new(big.Rat).Quo(x, y), rest
		}
		return x, true
	}
	return one, true
}
