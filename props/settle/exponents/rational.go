// Package exponents decides by linear programmes in exact arithmetic which products of powers of positive parameters
// are at most a constant times others, on domains that are given by such products. What it finds is not trusted: a
// checker goes over the certificates that are made of it.
package exponents

import (
	"fmt"
	"math/big"
	"math/bits"
)

// Rational is an exact rational number of 64-bit integers. The zero value is 0. Operations panic with [ErrSize] where
// a result has no such form.
type Rational struct {
	num, den int64 // coprime, den > 0; den 0 stands for 1
}

// ErrSize is the panic of arithmetic whose result is no fraction of 64-bit integers.
var ErrSize = fmt.Errorf("exponents: the numbers are too large")

// Whole returns an integer as a rational number.
func Whole(n int64) Rational { return Rational{n, 1} }

// Fraction returns x as a Rational, and panics with [ErrSize] if it is none.
func Fraction(x *big.Rat) Rational {
	if !x.Num().IsInt64() || !x.Denom().IsInt64() {
		panic(ErrSize)
	}
	return Rational{x.Num().Int64(), x.Denom().Int64()}
}

// Rat returns the number for arithmetic of any size.
func (a Rational) Rat() *big.Rat { return big.NewRat(a.num, a.below()) }

// String writes the number as p/q, or as p if it is whole.
func (a Rational) String() string { return a.Rat().RatString() }

// Float64 returns the nearest float64.
func (a Rational) Float64() float64 { return float64(a.num) / float64(a.below()) }

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
		return reduced(plus(a.num, b.num), x)
	}
	return reduced(plus(times(a.num, y), times(b.num, x)), times(x, y))
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
	return Rational{times(a.num/g, b.num/h), times(x/h, y/g)}
}

// Cmp compares a with b.
func (a Rational) Cmp(b Rational) int { return a.Sub(b).Sign() }

func reduced(num, den int64) Rational {
	if num == 0 {
		return Rational{}
	}
	g := divisor(num, den)
	return Rational{num / g, den / g}
}

// divisor is the greatest common divisor, positive for den > 0.
func divisor(num, den int64) int64 {
	if num < 0 {
		num = -num
	}
	for num != 0 {
		num, den = den%num, num
	}
	return den
}

const most = 1 << 62

func times(a, b int64) int64 {
	x, y := uint64(max(a, -a)), uint64(max(b, -b))
	if hi, lo := bits.Mul64(x, y); hi != 0 || lo >= most {
		panic(ErrSize)
	}
	return a * b
}

func plus(a, b int64) int64 {
	if c := a + b; c < most && c > -most {
		return c
	}
	panic(ErrSize)
}

// Num returns the numerator of the number in lowest terms.
func (a Rational) Num() int64 { return a.num }
