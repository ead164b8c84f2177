package claims

import (
	"math/big"

	"sledge/algos/equations"
	"sledge/props/certificate/algebra"
)

// form says whether a sum of multiples of squared norms is a quadratic form in the unknowns that is
// nowhere negative, and whether it is 0: exactly, with the coefficients as multiples of 1/lattice.
//
// With the columns u_k of coefficients and their factors c_k it is Σc_k u_k u_kᵀ. The rows of U may be
// any others that have the same span.
func (u *universal) form(squares []equations.Square) (nonnegative, zero bool) {
	var rows algebra.Echelon
	for d := range u.Dim() {
		row := make([]*big.Rat, len(squares))
		for k, s := range squares {
			row[k] = new(big.Rat).SetFloat64(units(s.Of[d], u.lattice))
		}
		rows.Add(row)
	}
	m, zero := make([][]*big.Rat, len(rows)), true
	for i, a := range rows {
		for _, b := range rows {
			sum := new(big.Rat)
			for k, s := range squares {
				c := new(big.Rat).SetFloat64(units(s.Times, u.lattice*u.length))
				sum.Add(sum, c.Mul(c, a[k]).Mul(c, b[k]))
			}
			m[i], zero = append(m[i], sum), zero && sum.Sign() == 0
		}
	}
	return algebra.Semidefinite(m), zero
}
