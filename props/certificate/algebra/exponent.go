package algebra

import (
	"errors"
	"math/big"
	"math/bits"
	"slices"
)

// Rational is an exponent, an exact rational number. The zero value is 0, and equal numbers are
// equal values. Operations panic with [ErrSize] where a numerator or denominator of the result has
// more than 61 bits.
type Rational struct {
	num, den int64 // coprime, den > 0; 0 is the zero value
}

// ErrSize is the panic of arithmetic on exponents whose result is too large.
var ErrSize = errors.New("the exponents are too large")

// most bounds numerators and denominators: opposites, and sums of two products below twice that,
// are numbers of 64 bits.
const most = 1 << 61

// Whole returns an integer as a rational number.
func Whole(n int64) Rational { return reduced(n, 1) }

// Rat returns x as a Rational, and panics with [ErrSize] if it is too large.
func Rat(x *big.Rat) Rational {
	if x.Num().BitLen() > 61 || x.Denom().BitLen() > 61 {
		panic(ErrSize)
	}
	return reduced(x.Num().Int64(), x.Denom().Int64())
}

// Rat returns the number for arithmetic of any size.
func (a Rational) Rat() *big.Rat { return big.NewRat(a.num, a.below()) }

// String writes the number as p/q, or as p if it is whole.
func (a Rational) String() string { return a.Rat().RatString() }

func (a Rational) below() int64 {
	if a.den == 0 {
		return 1
	}
	return a.den
}

// Sign returns the sign of the number, −1, 0 or 1.
func (a Rational) Sign() int {
	switch {
	case a.num > 0:
		return 1
	case a.num < 0:
		return -1
	}
	return 0
}

// Denominator returns the least positive integer that makes the number whole.
func (a Rational) Denominator() int64 { return a.below() }

// Neg returns −a.
func (a Rational) Neg() Rational { return Rational{-a.num, a.den} }

// Inv returns 1/a; a is not 0.
func (a Rational) Inv() Rational {
	if a.num < 0 {
		return Rational{-a.below(), -a.num}
	}
	return Rational{a.below(), a.num}
}

// Add returns a + b.
func (a Rational) Add(b Rational) Rational {
	switch {
	case a.num == 0:
		return b
	case b.num == 0:
		return a
	}
	x, y := a.below(), b.below()
	if x == y {
		return reduced(a.num+b.num, x)
	}
	return reduced(times(a.num, y)+times(b.num, x), times(x, y))
}

// Sub returns a − b.
func (a Rational) Sub(b Rational) Rational { return a.Add(b.Neg()) }

// Mul returns a·b.
func (a Rational) Mul(b Rational) Rational {
	if a.num == 0 || b.num == 0 {
		return Rational{}
	}
	x, y := a.below(), b.below()
	g, h := divisor(a.num, y), divisor(b.num, x)
	return reduced(times(a.num/g, b.num/h), times(x/h, y/g))
}

// Cmp compares a with b.
func (a Rational) Cmp(b Rational) int { return a.Sub(b).Sign() }

func reduced(num, den int64) Rational {
	switch size := max(num, -num); {
	case num == 0:
		return Rational{}
	case size < 0: // −2⁶³, whose opposite is itself
		panic(ErrSize)
	}
	g := divisor(num, den)
	if num, den = num/g, den/g; max(num, -num) >= most || den >= most {
		panic(ErrSize)
	}
	return Rational{num, den}
}

// divisor is the greatest common divisor, positive for den > 0.
func divisor(num, den int64) int64 {
	num = max(num, -num)
	for num != 0 {
		num, den = den%num, num
	}
	return den
}

// times stays below 2⁶², so that the sum of two does not overflow.
func times(a, b int64) int64 {
	if hi, lo := bits.Mul64(uint64(max(a, -a)), uint64(max(b, -b))); hi != 0 || lo >= 2*most {
		panic(ErrSize)
	}
	return a * b
}

// Num returns the numerator of the number in lowest terms.
func (a Rational) Num() int64 { return a.num }

// Monomial is the exponents of a product of powers of positive parameters, one for each of them.
type Monomial []Rational

// Times returns the product of two monomials in the same parameters.
func (m Monomial) Times(n Monomial) Monomial {
	p := make(Monomial, len(m))
	for i := range m {
		p[i] = m[i].Add(n[i])
	}
	return p
}

// To returns a power of the monomial.
func (m Monomial) To(x Rational) Monomial {
	p := make(Monomial, len(m))
	for i := range m {
		p[i] = m[i].Mul(x)
	}
	return p
}

// Without returns the monomial without the i-th parameter.
func (m Monomial) Without(i int) Monomial {
	p := slices.Clone(m)
	p[i] = Rational{}
	return p
}
