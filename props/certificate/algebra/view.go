package algebra

import (
	"maps"
	"slices"

	"sledge/props/certificate"
	"sledge/props/formula"
)

// Unit is how many parts a whole exponent has, see [Term.Powers].
const Unit = unit

// Generator is what terms are products of.
type Generator struct {
	Name  string
	Sign  Sign
	Prime int64 // under roots; 0 if it is none
	// the function whose value it is; nil for a symbol, a prime or the root of a sum
	Of *formula.Tree
}

// Generator returns that of a number, of which [Theory.Generators] is the first that there is not.
func (t *Theory) Generator(i int) Generator {
	g := t.ring.generators[i]
	return Generator{g.name, g.sign, g.prime, g.of}
}

// Definition returns what a symbol stands for, nil if it is not defined.
func (t *Theory) Definition(symbol string) *formula.Tree { return t.defined[symbol] }

// Factor is a positive sum that is no term, to a power in parts of a whole exponent.
type Factor struct {
	Sum   Sum
	Power int
}

// Factors returns by what powers of sums a fraction is multiplied, in a fixed order.
func (a Fraction) Factors() []Factor {
	var out []Factor
	for _, k := range slices.Sorted(maps.Keys(a.factors)) {
		out = append(out, Factor{a.factors[k].sum, a.factors[k].power})
	}
	return out
}

// Terms returns those of a sum in a fixed order.
func (s Sum) Terms() []Term {
	var out []Term
	for _, k := range slices.Sorted(maps.Keys(s)) {
		out = append(out, s[k])
	}
	return out
}

// Gap returns what a use of facts shows not to be negative, with its multiplier, and whether it is
// positive.
func (t *Theory) Gap(u certificate.Use, read Reader) (g Fraction, strict bool, err error) {
	g, err = result(func() (g Fraction) { g, strict = t.gap(u, read); return g })
	return g, strict, err
}
