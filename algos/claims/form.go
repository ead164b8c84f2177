package claims

import (
	"math/big"

	"sledge/algos/equations"
	"sledge/props/certificate/algebra"
)

// form says whether a sum of multiples of squared norms is a quadratic form in the unknowns that is
// nowhere negative, and whether it is 0: exactly, with the coefficients as multiples of 1/lattice,
// or of a finer one where a text divides them by numbers. A coefficient that is none is in off.
//
// With the columns u_k of coefficients and their factors c_k it is Σc_k u_k u_kᵀ. The rows of U may be
// any others that have the same span.
func (u *universal) form(squares []equations.Square, finer float64) (nonnegative, zero bool,
	off *lattice) {
	of := &lattice{of: u.lattice, finer: finer}
	times := &lattice{of: u.lattice * u.length, finer: finer}
	var rows algebra.Echelon
	for d := range u.Dim() {
		row := make([]*big.Rat, len(squares))
		for k, s := range squares {
			row[k] = new(big.Rat).SetFloat64(of.units(s.Of[d]))
		}
		rows.Add(row)
	}
	m, zero := make([][]*big.Rat, len(rows)), true
	for i, a := range rows {
		for _, b := range rows {
			sum := new(big.Rat)
			for k, s := range squares {
				c := new(big.Rat).SetFloat64(times.units(s.Times))
				sum.Add(sum, c.Mul(c, a[k]).Mul(c, b[k]))
			}
			m[i], zero = append(m[i], sum), zero && sum.Sign() == 0
		}
	}
	if off = times; of.off != 0 {
		off = of
	}
	return algebra.Semidefinite(m), zero, off
}
