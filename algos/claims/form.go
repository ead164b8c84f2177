package claims

import (
	"encoding/binary"
	"math"
	"math/big"

	"sledge/algos/equations"
)

// form says whether a sum of multiples of squared norms is a quadratic form in the unknowns that is
// nowhere negative, and whether it is 0: exactly, with the coefficients as multiples of 1/lattice.
//
// With the columns u_k of coefficients and their factors c_k it is Σc_k u_k u_kᵀ. Rows of U that are
// combinations of others may be left out, and of the small matrix that remains pivots tell.
func (u *universal) form(squares []equations.Square) (nonnegative, zero bool) {
	var rows, echelon [][]*big.Rat
	met := map[string]bool{}
	whole := make([]float64, len(squares))
	for d := range u.Dim() {
		key := []byte(nil)
		for k, s := range squares {
			whole[k] = units(s.Of[d], u.lattice)
			key = binary.LittleEndian.AppendUint64(key, math.Float64bits(whole[k]+0)) // −0 is 0
		}
		if met[string(key)] {
			continue
		}
		met[string(key)] = true
		row := make([]*big.Rat, len(squares))
		for k, v := range whole {
			row[k] = new(big.Rat).SetFloat64(v)
		}
		rest := make([]*big.Rat, len(row))
		for k, v := range row {
			rest[k] = new(big.Rat).Set(v)
		}
		for _, e := range echelon {
			if at := leading(e); rest[at].Sign() != 0 {
				subtract(rest, new(big.Rat).Quo(rest[at], e[at]), e)
			}
		}
		if leading(rest) < len(rest) {
			rows, echelon = append(rows, row), append(echelon, rest)
		}
	}
	factors := make([]*big.Rat, len(squares))
	for k, s := range squares {
		factors[k] = new(big.Rat).SetFloat64(units(s.Times, u.lattice*u.length))
	}
	m := make([][]*big.Rat, len(rows))
	for i, a := range rows {
		m[i] = make([]*big.Rat, len(rows))
		for j, b := range rows {
			m[i][j] = new(big.Rat)
			for k, c := range factors {
				v := new(big.Rat).Mul(a[k], b[k])
				m[i][j].Add(m[i][j], v.Mul(v, c))
			}
		}
	}
	return pivots(m)
}

// pivots takes a symmetric matrix apart.
func pivots(m [][]*big.Rat) (nonnegative, zero bool) {
	zero = true
	for i, row := range m {
		pivot, at := row[i], leading(row)
		if at < len(row) {
			zero = false
		}
		if pivot.Sign() < 0 || pivot.Sign() == 0 && at < len(row) {
			return false, false
		}
		for j := i + 1; j < len(m) && pivot.Sign() > 0; j++ {
			subtract(m[j], new(big.Rat).Quo(m[j][i], pivot), row)
		}
	}
	return true, zero
}

// leading is the place of the first number that is not 0.
func leading(row []*big.Rat) int {
	for k, v := range row {
		if v.Sign() != 0 {
			return k
		}
	}
	return len(row)
}

func subtract(row []*big.Rat, c *big.Rat, other []*big.Rat) {
	for k, v := range other {
		row[k].Sub(row[k], new(big.Rat).Mul(c, v))
	}
}
