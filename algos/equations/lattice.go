package equations

import (
	"cmp"
	"fmt"
	"math"
	"math/big"

	"sledge/props/certificate/algebra"
)

// Lattice is the multiples of 1/Of, or of 1/(Of·Finer) where a text divides by Finer. It remembers
// a coefficient that is none of them. The numbers of a term multiply to Large at most.
type Lattice struct {
	Of, Finer, Large float64
	off              bool
}

// mostFiner is the largest number by which a text may divide: floating point errors, which are
// below 1/1000 of 1/Of, are then below 1/10 of a multiple. Beside terms of mostLarge floating point
// loses none of 1/mostLarge.
const mostFiner, mostLarge = 100, 1e7

// Units is a coefficient in units of the lattice: a whole number.
func (l *Lattice) Units(c float64) float64 {
	finer := max(1, l.Finer)
	units := c * l.Of * finer
	whole := math.Round(units)
	if !(math.Abs(units-whole) < 1e-3*finer) || finer > mostFiner || l.Large > mostLarge {
		l.off = true
	}
	return whole
}

// Apart is the largest difference of two coefficients, in such units.
func (l *Lattice) Apart(x, y []float64) float64 {
	most := 0.0
	for k := range x {
		if d := math.Abs(x[k] - y[k]); !(d <= most) { // larger, or no number
			if most = d; d != d {
				break
			}
		}
	}
	return l.Units(most)
}

// Off says what is wrong with a coefficient that is off the lattice; nothing if there was none.
func (l *Lattice) Off() string {
	if !l.off {
		return ""
	}
	return fmt.Sprintf("has coefficients that are not followed exactly: multiples of 1/%v are, and "+
		"what a text makes of them with denominators up to %d and terms up to %v", l.Of, mostFiner,
		float64(mostLarge))
}

// Definite says whether a sum of multiples of squared norms is a quadratic form in the coordinates
// that is nowhere negative, and whether it is 0: exactly, with coordinates that are multiples of 1/of
// and with multiples of 1/(of·length), or finer ones where the text of the sides divides by a
// number. What is off them is told.
//
// With the columns u_k of coefficients and their factors c_k it is Σc_k u_k u_kᵀ. The rows of U may
// be any others that have the same span.
func Definite(squares []Square, of, length float64, by *Sides) (nonnegative, zero bool, off string) {
	units := Lattice{Of: of, Finer: by.Over, Large: by.Large}
	times := units
	times.Of *= length
	var rows algebra.Echelon
	for d := range dimension(squares) {
		row := make([]*big.Rat, len(squares))
		for k, s := range squares {
			row[k] = new(big.Rat).SetFloat64(units.Units(s.Of[d]))
		}
		rows.Add(row)
	}
	m, zero := make([][]*big.Rat, len(rows)), true
	for i, a := range rows {
		for _, b := range rows {
			sum := new(big.Rat)
			for k, s := range squares {
				c := new(big.Rat).SetFloat64(times.Units(s.Times))
				sum.Add(sum, c.Mul(c, a[k]).Mul(c, b[k]))
			}
			m[i], zero = append(m[i], sum), zero && sum.Sign() == 0
		}
	}
	return algebra.Semidefinite(m), zero, cmp.Or(units.Off(), times.Off())
}

func dimension(squares []Square) int {
	if len(squares) == 0 {
		return 0
	}
	return len(squares[0].Of)
}
