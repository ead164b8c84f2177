package algebra

import (
	"math/big"
	"slices"
)

// Echelon are rows of which each is 0 where those before it have their first number that is not.
type Echelon [][]*big.Rat

// Add takes another row in, less the multiples of the others that make it such, unless nothing is
// left of it. It returns the place of the first number that is left, the length of the row for none.
func (e *Echelon) Add(row []*big.Rat) (at int) {
	rest, t := make([]*big.Rat, len(row)), new(big.Rat)
	for k, v := range row {
		rest[k] = new(big.Rat).Set(v)
	}
	for _, other := range *e {
		at := leading(other)
		if rest[at].Sign() == 0 {
			continue
		}
		c := new(big.Rat).Quo(rest[at], other[at])
		for k := at; k < len(rest); k++ {
			rest[k].Sub(rest[k], t.Mul(c, other[k]))
		}
	}
	if at = leading(rest); at < len(rest) {
		*e = append(*e, rest)
	}
	return at
}

// leading is the place of the first number that is not 0.
func leading(row []*big.Rat) int {
	if at := slices.IndexFunc(row, func(x *big.Rat) bool { return x.Sign() != 0 }); at >= 0 {
		return at
	}
	return len(row)
}

// Semidefinite reports whether a symmetric matrix is positive semidefinite, by elimination: no
// pivot is negative, and where one is 0 its row is.
func Semidefinite(a [][]*big.Rat) bool {
	var e Echelon
	for k, row := range a {
		at := e.Add(row)
		if at < len(row) && (at != k || e[len(e)-1][at].Sign() < 0) {
			return false
		}
	}
	return true
}
