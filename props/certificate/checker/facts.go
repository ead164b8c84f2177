package checker

import (
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"

	"sledge/props/certificate"
	"sledge/props/certificate/algebra"
)

// Fact is an inequality between monomials in the parameters of an order, as [certificate.Fact]
// says.
type Fact struct {
	Left, Right, Rows []Weight
	Free              bool
	excess            algebra.Monomial // powers that are left over on the left
}

// Weight is a monomial with its weight in a fact, which is positive.
type Weight struct {
	Of algebra.Monomial
	By algebra.Rational
}

// find returns which monomial has the exponents, −1 if there is none.
func find(e algebra.Monomial, among []monomial) int {
	return slices.IndexFunc(among, func(m monomial) bool { return slices.Equal(m.e, e) })
}

// isNumber reports whether a monomial is just its coefficient.
func (m monomial) isNumber() bool {
	return !slices.ContainsFunc(m.e, func(x algebra.Rational) bool { return x.Sign() != 0 })
}

// power is a power of one parameter.
func (o *Order) power(slot int, x int64) monomial {
	e := make(algebra.Monomial, len(o.names))
	e[slot] = algebra.Whole(x)
	return monomial{o.e.whole(1), e}
}

// constant is a number as a monomial.
func (o *Order) constant(c value) monomial {
	return monomial{c, make(algebra.Monomial, len(o.names))}
}

func (o *Order) times(a, b monomial) monomial {
	return monomial{o.e.does("*", a.c, b.c), a.e.Times(b.e)}
}

func (o *Order) raised(a monomial, x algebra.Rational) monomial {
	return monomial{o.root(a.c, x), a.e.To(x)}
}

func (o *Order) root(c value, x algebra.Rational) value { return o.e.power(c, o.e.number(x.Rat())) }

// readFacts reads what a certificate says.
func (o *Order) readFacts(proof *certificate.OrderProof) {
	monomial := func(powers map[string]string) algebra.Monomial {
		m := make(algebra.Monomial, len(o.names))
		for name, text := range powers {
			slot, known := o.slots[name]
			if !known {
				refuse("%q is no parameter", name)
			}
			m[slot] = algebra.Rat(rational(text))
		}
		return m
	}
	o.powers = monomial(proof.Powers)
	for slot, x := range o.powers {
		if x.Sign() != 0 && !o.Drops(slot) {
			refuse("%s is no logarithm whose powers are dropped", o.names[slot])
		}
	}
	var monomials []algebra.Monomial
	for _, powers := range proof.Monomials {
		monomials = append(monomials, monomial(powers))
	}
	for _, f := range proof.Facts {
		side := func(weights map[int]string) (out []Weight) {
			for _, i := range slices.Sorted(maps.Keys(weights)) {
				if i < 0 || i >= len(monomials) {
					refuse("a fact is about a monomial that is not there")
				}
				out = append(out, Weight{Of: monomials[i], By: algebra.Rat(rational(weights[i]))})
			}
			return out
		}
		o.learn(Fact{Left: side(f.Left), Right: side(f.Right), Rows: side(f.Rows), Free: f.Free})
	}
}

// learn keeps a fact that is what it says: weights are positive and add up to 1, and exponents on
// both sides agree.
func (o *Order) learn(f Fact) {
	f.excess = make(algebra.Monomial, len(o.names))
	for k, side := range [][]Weight{f.Left, f.Right, f.Rows} {
		var sum algebra.Rational
		for _, w := range side {
			if w.By.Sign() <= 0 {
				refuse("a weight of a fact is not positive")
			}
			by := w.By
			sum = sum.Add(by)
			if k > 0 {
				by = by.Neg()
			}
			f.excess = f.excess.Times(w.Of.To(by))
		}
		if sum != algebra.Whole(1) && (k == 0 || k == 1 && !f.Free) {
			refuse("the weights on a side of a fact do not add up to 1")
		}
	}
	for i, x := range f.excess {
		if x.Sign() != 0 && !o.Drops(i) {
			refuse("the powers of %s in a fact do not agree", o.names[i])
		}
	}
	o.facts = append(o.facts, f)
}

// apply returns the constant c with which a fact shows that the least on the left is at most c
// times the largest on the right, to the power of its weights; ok is false if it is not about
// these.
func (o *Order) apply(f *Fact, left, right []monomial) (c value, ok bool) {
	c = o.e.whole(1)
	for k, weights := range [][]Weight{f.Left, f.Right, f.Rows} {
		among := [][]monomial{left, right, o.part.rows}[k]
		for _, w := range weights {
			i := find(w.Of, among)
			if i < 0 {
				return c, false
			}
			x := w.By
			if k > 0 { // what has the coefficient a and is at most 1 is without it at most 1/a
				x = x.Neg()
			}
			c = o.e.does("*", c, o.root(among[i].c, x))
		}
	}
	return c, true
}

// allowed reports whether all that a fact leaves over is dropped.
func (o *Order) allowed(f *Fact, dropping bool) bool {
	for i, x := range f.excess {
		if x.Sign() != 0 && (!dropping || x.Cmp(o.powers[i]) > 0) {
			return false
		}
	}
	return true
}

// best returns the smallest constant by which a fact bounds the least on the left by the largest on
// the right, and the fact, nil if there is none.
func (o *Order) best(left, right []monomial, free, dropping bool) (best value, by *Fact) {
	o.ask(left, right, free, dropping)
	for i := range o.facts {
		f := &o.facts[i]
		if f.Free != free || !o.allowed(f, dropping) {
			continue
		}
		if c, ok := o.apply(f, left, right); ok &&
			(by == nil || c.around().Upper().Cmp(best.around().Upper()) < 0) {
			best, by = c, f
		}
	}
	return best, by
}

// enter makes a part the one that is spoken of.
func (o *Order) enter(p *Part) { o.part, o.made, o.here = p, map[int]bound{}, nil }

// Walk calls a function for the directions and the parts of the domain that are not shown to be
// empty, until it returns an error. What becomes too large is an error as well.
func (o *Order) Walk(do func(p *Part, d Direction) error) (err error) {
	defer caught(&err)
	parts := o.split()
	for _, d := range o.directions() {
		for i := range parts {
			if o.enter(&parts[i]); o.signed() == nil && o.empty() {
				continue
			}
			if err := do(o.part, d); err != nil {
				return err
			}
		}
	}
	return nil
}

// signed returns an error unless all definitions are shown not to be negative in the part, as
// those of counts and of what is said to be positive are.
func (o *Order) signed() error {
	for _, d := range o.defs {
		name := o.names[d.slot]
		if o.kinds[d.slot] != certificate.Real || o.positive[name] {
			continue
		}
		if why := o.of(d.tree).low.why; why != nil {
			return fmt.Errorf("%s may be negative: %w", name, why)
		}
	}
	return nil
}

// empty reports whether a fact shows that the part is empty: 1 would be less than 1.
func (o *Order) empty() bool {
	contradicts := func(f *Fact) bool {
		if !f.Free || len(f.Right) > 0 || !o.allowed(f, false) {
			return false
		}
		c, ok := o.apply(f, []monomial{o.constant(o.e.whole(1))}, nil)
		if !ok {
			return false
		}
		strict := slices.ContainsFunc(f.Rows, func(w Weight) bool {
			return o.part.strict[find(w.Of, o.part.rows)]
		})
		one := o.e.whole(1)
		return relate(c, "<", one) == holds || strict && relate(c, "≤", one) == holds
	}
	for i := range o.facts {
		if contradicts(&o.facts[i]) {
			return true
		}
	}
	return o.finder != nil && o.told(o.finder.Contradiction(o.part)) &&
		contradicts(&o.facts[o.here[len(o.here)-1]])
}

var errNoFact = errors.New("no fact bounds the one by the other")

// Compare returns a number that the left side is at most times the right one in the part that
// [Order.Walk] has entered, up to powers of logarithms that are dropped.
func (o *Order) Compare(d Direction) (*big.Rat, error) {
	if err := o.signed(); err != nil {
		return nil, err
	}
	f, g := o.final(o.of(d.Left)), o.final(o.of(d.Right))
	switch {
	case f.up.why != nil:
		return nil, fmt.Errorf("%v has no bound from above: %w", d.Left, f.up.why)
	case g.low.why != nil:
		return nil, fmt.Errorf("%v has no bound from below: %w", d.Right, g.low.why)
	}
	c, err := o.ratio(f, g, true)
	if err != nil {
		return nil, fmt.Errorf("%v against %v: %w", d.Left, d.Right, err)
	}
	return c.around().Upper(), nil
}

// ratio returns c with f ≤ c·g.
func (o *Order) ratio(f, g bound, dropping bool) (most value, err error) {
	most = o.e.whole(0)
	for _, maxima := range g.low.of {
		sum := o.e.whole(0)
		for _, minima := range f.up.of {
			c, by := o.best(minima, maxima, false, dropping)
			switch {
			case by != nil:
				sum = o.e.does("+", sum, c)
			case o.finder == nil || !dropping:
				return c, errNoFact
			default:
				err = errNoFact // and the finder hears what else is missing
			}
		}
		most = extreme("max", most, sum)
	}
	return most, err
}

// multiple returns c with f ≤ c·g in the part, without dropping anything.
func (o *Order) multiple(f, g bound) (value, error) {
	if g = o.final(g); g.low.why != nil {
		return value{}, errNoFact
	}
	numbers := !slices.ContainsFunc(g.low.of, func(m []monomial) bool {
		return slices.ContainsFunc(m, func(m monomial) bool { return !m.isNumber() })
	})
	if numbers {
		o.flat = true
		flat := o.final(f)
		o.flat = false
		if flat.up.why == nil {
			if c, err := o.ratio(flat, g, false); err == nil {
				return c, nil
			}
		}
	}
	if f = o.final(f); f.up.why != nil {
		return value{}, errNoFact
	}
	return o.ratio(f, g, false)
}

// share is multiple where that is less than 1, and else an error beside it.
func (o *Order) share(f, g bound) (theta value, err error) {
	theta, err = o.multiple(f, g)
	if err == nil && relate(theta, "<", o.e.whole(1)) != holds {
		err = errors.New("a difference may be 0")
	}
	return theta, err
}
