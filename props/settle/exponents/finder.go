package exponents

import (
	"math"
	"math/big"

	"sledge/props/certificate/algebra"
	"sledge/props/certificate/checker"
)

// Finder finds the facts for which an order asks.
type Finder struct {
	Order *checker.Order
	// Rays are those along which facts fail that were asked for in comparisons of sides, in the
	// order of these.
	Rays []algebra.Monomial
}

// Weights finds a fact by a linear programme.
func (f *Finder) Weights(p *checker.Part, left, right []algebra.Monomial, free,
	dropping bool) *checker.Fact {
	cone := Cone{Bounded: p.Rows()}
	if dropping {
		for i := range f.Order.Names() {
			cone.Dropped = append(cone.Dropped, f.Order.Drops(i))
		}
	}
	by, ray := cone.Order(left, right, free)
	if by == nil {
		if dropping {
			f.Rays = append(f.Rays, ray)
		}
		return nil
	}
	return &checker.Fact{Left: weights(left, by.Left), Right: weights(right, by.Right),
		Rows: weights(cone.Bounded, by.Rows), Free: free}
}

func weights(of []algebra.Monomial, by []algebra.Rational) (out []checker.Weight) {
	for i, x := range by {
		if x.Sign() > 0 {
			out = append(out, checker.Weight{Of: of[i], By: x})
		}
	}
	return out
}

// Contradiction finds a product of bounds that says that 1 is less than 1.
func (f *Finder) Contradiction(p *checker.Part) *checker.Fact {
	cone := Cone{Bounded: p.Rows()}
	var logs []algebra.Rational
	var strict []bool
	for i, at := range bounds(p) { // to a digit that a checker's numbers decide
		_, below := p.Bound(i)
		logs = append(logs, algebra.Rat(big.NewRat(int64(math.Round(1<<12*at)), 1<<12)))
		strict = append(strict, below)
	}
	by := cone.Empty(logs, strict)
	if by == nil {
		return nil
	}
	one := checker.Weight{Of: make(algebra.Monomial, len(f.Order.Names())), By: algebra.Whole(1)}
	return &checker.Fact{Left: []checker.Weight{one}, Rows: weights(cone.Bounded, by), Free: true}
}

// bounds are those of the rows of a part, in logarithms to base 2.
func bounds(p *checker.Part) (logs []float64) {
	for i := range p.Rows() {
		at, _ := p.Bound(i)
		lo, hi := at.Float64()
		logs = append(logs, math.Log2((lo+hi)/2))
	}
	return logs
}

// Within returns powers of 2 that lie in a part, with room to its bounds where they leave some, nil
// if there are none.
func Within(p *checker.Part) []int64 {
	var limits []int64
	for _, at := range bounds(p) {
		limits = append(limits, int64(math.Floor(at)))
	}
	return Inside(p.Rows(), limits)
}
