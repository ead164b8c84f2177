package formula

import (
	"math/big"
	"slices"
	"strings"
)

// explicit is a domain and premises as clauses about the symbols that a statement needs, each x =
// …, x ≥ …, x ≤ … or any other relation, in an order in which definitions use what stands before
// them. All symbols are positive besides, counts are whole numbers unless they are defined by a
// formula, and counts and logarithmic symbols are at least 1.
type explicit struct {
	d       *Domain
	given   map[string]clause
	done    map[string]bool
	clauses []clause
	names   []string // of the symbols, in order

	conclusion clause
}

// An end of a range with a leading coefficient beyond these says how far a search looks, and not
// where the statement ends: the statement is about all values.
var (
	farLow  = big.NewRat(1, 100)
	farHigh = big.NewRat(100, 1)
)

// explicit returns the domain of a statement about sizes. The statement has been planned before,
// which refuses what makes no sense.
func (d *Domain) explicit(st *Statement) *explicit {
	x := &explicit{d: d, given: map[string]clause{}, done: map[string]bool{},
		conclusion: st.conclusion}
	for _, c := range st.premises {
		left := c.sides[0]
		_, drawn := d.clauses[left.name]
		single := left.op == symbol && !x.done[left.name] && len(c.relations) == 1 &&
			!slices.Contains(c.sides[1].symbols(nil), left.name)
		switch rel := c.relations[0]; {
		case single && (rel == "∈" || rel == "="):
			x.given[left.name] = c
			x.need(left.name)
		case single && !drawn && (rel == "≤" || rel == "≥"):
			x.all(c.sides[1])
			x.name(left.name)
			x.clauses = append(x.clauses, c)
		default:
			for i, rel := range c.relations {
				x.all(c.sides[i])
				x.all(c.sides[i+1])
				x.clauses = append(x.clauses, clause{c.sides[i : i+2], []string{rel}})
			}
		}
	}
	for _, s := range st.conclusion.sides {
		x.all(s)
	}
	return x
}

func (x *explicit) all(n *node) {
	for _, name := range n.symbols(nil) {
		x.need(name)
	}
}

func (x *explicit) name(name string) {
	x.done[name] = true
	x.names = append(x.names, name)
}

func (x *explicit) need(name string) {
	if x.done[name] {
		return
	}
	c, given := x.given[name]
	if !given {
		c, given = x.d.clauses[name]
	}
	s, _ := x.d.v.Symbol(name)
	lo, hi := new(big.Rat), new(big.Rat)
	switch {
	case !given || len(c.relations) == 0:
		x.name(name)
		x.between(s, &node{op: number, value: lo.SetFloat64(s.Lo)},
			&node{op: number, value: hi.SetFloat64(s.Hi)})
	case c.relations[0] == "=":
		x.all(c.sides[1])
		x.name(name)
		x.clauses = append(x.clauses, c)
	default:
		x.all(c.sides[1])
		x.name(name)
		x.between(s, c.sides[1].args[0], c.sides[1].args[1])
	}
}

// between adds the ends of a range that bound the symbol.
func (x *explicit) between(s Symbol, lo, hi *node) {
	if c, ok := lo.constant(); !(leading(lo).Cmp(farLow) <= 0) &&
		!(ok && s.Kind != Real && c.Cmp(big.NewRat(1, 1)) <= 0) {
		x.clauses = append(x.clauses, clause{[]*node{sym(s.Name), lo}, []string{"≥"}})
	}
	if leading(hi).Cmp(farHigh) < 0 {
		x.clauses = append(x.clauses, clause{[]*node{sym(s.Name), hi}, []string{"≤"}})
	}
}

// leading is the constant factor of a product or quotient.
func leading(n *node) *big.Rat {
	switch n.op {
	case number:
		return n.value
	case multiply:
		return new(big.Rat).Mul(leading(n.args[0]), leading(n.args[1]))
	case divide:
		if below := leading(n.args[1]); below.Sign() != 0 {
			return new(big.Rat).Quo(leading(n.args[0]), below)
		}
	}
	return big.NewRat(1, 1)
}

// String writes the clauses in the notation of the paper.
func (x *explicit) String() string {
	var texts []string
	for _, c := range x.clauses {
		texts = append(texts, c.text())
	}
	return strings.Join(texts, ", ")
}
