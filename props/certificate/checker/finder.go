package checker

import (
	"reflect"
	"slices"

	"sledge/props/certificate/algebra"
	"sledge/props/enclosure"
)

// What is in this file serves the search for facts alone, and is not needed to follow a
// certificate.

// Finder is asked for what a certificate does not say yet. Its answers are checked like what a
// certificate says.
type Finder interface {
	// Weights returns a fact about some of the monomials on the left, some of those on the right
	// and some that are bounded in the part, nil if there is none. Powers of what a tilde drops
	// need not agree where it is dropping.
	Weights(p *Part, left, right []algebra.Monomial, free, dropping bool) *Fact
	// Contradiction returns a free fact with 1 on the left and nothing on the right that shows the
	// part to be empty, nil if there is none.
	Contradiction(p *Part) *Fact
}

// Ask has facts that are missing asked of a finder, and keeps them, from now on.
func (o *Order) Ask(f Finder) { o.finder = f }

// Facts returns what the certificate says, or what the finder has said.
func (o *Order) Facts() []Fact { return o.facts }

// Power returns the power of a parameter that stands beside the constant.
func (o *Order) Power(i int) algebra.Rational { return o.powers[i] }

// Rows returns the monomials that are bounded in the part.
func (p *Part) Rows() []algebra.Monomial { return powers(p.rows) }

// Bound returns what the i-th of the rows is at most, and whether it stays below that.
func (p *Part) Bound(i int) (at enclosure.Interval, strict bool) {
	return p.rows[i].c.around().Inv(), p.strict[i]
}

func powers(terms []monomial) []algebra.Monomial {
	out := make([]algebra.Monomial, len(terms))
	for i := range terms {
		out[i] = terms[i].e
	}
	return out
}

// ask has the finder find a fact about what is on the left and on the right, unless it has done so
// in this part.
func (o *Order) ask(left, right []monomial, free, dropping bool) bool {
	if o.finder == nil {
		return false
	}
	if !free && !dropping && len(left) > 1 { // any of them will do; a smaller constant is better
		found := false
		for i := range left {
			found = o.ask(left[i:i+1], right, free, dropping) || found
		}
		if found {
			return true
		}
	}
	for _, i := range o.here {
		if f := &o.facts[i]; f.Free == free && o.allowed(f, dropping) {
			if _, about := o.apply(f, left, right); about {
				return true
			}
		}
	}
	return o.told(o.finder.Weights(o.part, powers(left), powers(right), free, dropping))
}

// told keeps what the finder has found. What it leaves over stands beside the constant.
func (o *Order) told(f *Fact) bool {
	if f == nil {
		return false
	}
	o.learn(*f)
	last := len(o.facts) - 1
	i := slices.IndexFunc(o.facts, func(g Fact) bool { return reflect.DeepEqual(g, o.facts[last]) })
	if o.facts, o.here = o.facts[:max(i+1, last)], append(o.here, i); !f.Free {
		for v, x := range o.facts[i].excess {
			if x.Cmp(o.powers[v]) > 0 {
				o.powers[v] = x
			}
		}
	}
	return true
}
