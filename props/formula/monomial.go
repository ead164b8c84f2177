package formula

import (
	"fmt"
	"math"
	"math/big"
	"slices"
)

// Shape says how the parts of a [Form] are joined.
type Shape uint8

// The shapes.
const (
	Single Shape = iota // one monomial
	Sum
	Min
	Max
)

// Monomial is a coefficient times powers of symbols. Exponents are not 0.
type Monomial struct {
	Coefficient Radical // positive
	Exponents   map[string]*big.Rat
}

// Form is a positive formula as sums, minima and maxima of monomials: of parts, or the monomial alone if the shape is
// [Single].
type Form struct {
	Shape    Shape
	Monomial Monomial
	Parts    []Form
}

// mostMonomials limits the monomials of a form, which products multiply.
const mostMonomials = 10_000

// Form returns the formula as sums, minima and maxima of monomials in positive symbols. Products are multiplied out,
// quotients and powers are carried to the monomials where that is an identity. The error names the part that is no such
// form: a difference, a logarithm, one over a sum, the root of a sum, and what is not positive.
func (f *Formula) Form() (Form, error) {
	form, err := formOf(f.tree)
	if err != nil {
		return Form{}, fmt.Errorf("formula: %w", err)
	}
	return form, nil
}

func single(c Radical, exponents map[string]*big.Rat) Form {
	return Form{Monomial: Monomial{c, exponents}}
}

// At returns the value of the form for the given values of its symbols.
func (f *Form) At(values map[string]float64) float64 {
	if f.Shape == Single {
		lo, hi := f.Monomial.Coefficient.Enclose(0).Float64()
		v := lo + (hi-lo)/2
		for name, e := range f.Monomial.Exponents {
			exponent, _ := e.Float64()
			v *= math.Pow(values[name], exponent)
		}
		return v
	}
	v := f.Parts[0].At(values)
	for i := range f.Parts[1:] {
		switch w := f.Parts[i+1].At(values); f.Shape {
		case Sum:
			v += w
		case Min:
			v = min(v, w)
		default:
			v = max(v, w)
		}
	}
	return v
}

func (f *Form) size() int {
	if f.Shape == Single {
		return 1
	}
	n := 0
	for i := range f.Parts {
		n += f.Parts[i].size()
	}
	return n
}

// each applies an operation to all monomials; minima and maxima change places if it reverses the order.
func (f *Form) each(reverses bool, op func(Monomial) (Form, error)) (Form, error) {
	if f.Shape == Single {
		return op(f.Monomial)
	}
	g := Form{Shape: f.Shape}
	if reverses && f.Shape != Sum {
		g.Shape = Min + Max - f.Shape
	}
	for i := range f.Parts {
		p, err := f.Parts[i].each(reverses, op)
		if err != nil {
			return g, err
		}
		g.Parts = append(g.Parts, p)
	}
	return g, nil
}

func (f *Form) times(g *Form) (Form, error) {
	if f.size()*g.size() > mostMonomials {
		return Form{}, fmt.Errorf("a product of more than %d monomials", mostMonomials)
	}
	return f.each(false, func(m Monomial) (Form, error) {
		return g.each(false, func(k Monomial) (Form, error) {
			c, err := m.Coefficient.mul(k.Coefficient)
			exponents := map[string]*big.Rat{}
			for _, x := range []Monomial{m, k} {
				for name, e := range x.Exponents {
					if was := exponents[name]; was != nil {
						e = new(big.Rat).Add(was, e)
					}
					if exponents[name] = e; e.Sign() == 0 {
						delete(exponents, name)
					}
				}
			}
			return single(c, exponents), err
		})
	})
}

// to returns a power. Sums have only whole positive ones.
func (f *Form) to(e *big.Rat, n *node) (Form, error) {
	if f.has(Sum) {
		if !e.IsInt() || e.Sign() <= 0 || e.Cmp(big.NewRat(9, 1)) > 0 {
			return Form{}, fmt.Errorf("%s is no sum of monomials", plain.of(n))
		}
		p := *f
		for range e.Num().Int64() - 1 {
			var err error
			if p, err = p.times(f); err != nil {
				return p, err
			}
		}
		return p, nil
	}
	return f.each(e.Sign() < 0, func(m Monomial) (Form, error) {
		c, err := m.Coefficient.pow(e)
		exponents := map[string]*big.Rat{}
		for name, was := range m.Exponents {
			if e.Sign() != 0 {
				exponents[name] = new(big.Rat).Mul(was, e)
			}
		}
		return single(c, exponents), err
	})
}

func (f *Form) has(s Shape) bool {
	return f.Shape == s || slices.ContainsFunc(f.Parts, func(p Form) bool { return p.has(s) })
}

func formOf(n *node) (Form, error) {
	var parts []Form
	for i, a := range n.args {
		if n.op == power && i == 1 || n.op == sum {
			break
		}
		p, err := formOf(a)
		if err != nil {
			return p, err
		}
		parts = append(parts, p)
	}
	switch n.op {
	case number:
		if n.value.Sign() <= 0 {
			return Form{}, fmt.Errorf("%s is not positive", plain.of(n))
		}
		return single(Rational(n.value), nil), nil
	case symbol:
		return single(Rational(big.NewRat(1, 1)), map[string]*big.Rat{n.name: big.NewRat(1, 1)}), nil
	case absolute:
		return parts[0], nil
	case add:
		return joined(Sum, parts), nil
	case smallest:
		return joined(Min, parts), nil
	case largest:
		return joined(Max, parts), nil
	case multiply:
		return parts[0].times(&parts[1])
	case divide:
		inverse, err := parts[1].to(big.NewRat(-1, 1), of(divide, num(1), n.args[1]))
		if err != nil {
			return inverse, err
		}
		return parts[0].times(&inverse)
	case root:
		return parts[0].to(big.NewRat(1, 2), n)
	case power:
		if e, ok := n.args[1].constant(); ok {
			return parts[0].to(e, n)
		}
	}
	return Form{}, fmt.Errorf("%s is no monomial", plain.of(n))
}

// joined joins parts, those of the same shape in one list.
func joined(s Shape, parts []Form) Form {
	f := Form{Shape: s}
	for _, p := range parts {
		if p.Shape == s {
			f.Parts = append(f.Parts, p.Parts...)
		} else {
			f.Parts = append(f.Parts, p)
		}
	}
	return f
}
