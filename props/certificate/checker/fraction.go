package checker

import (
	"errors"
	"math/big"
	"math/bits"
)

// fraction is an exact exponent of 64-bit integers in lowest terms, with a positive denominator. Results that are
// larger panic.
type fraction struct{ p, q int64 }

var errLarge = errors.New("the exponents are too large")

func rational(x *big.Rat) fraction {
	if !x.Num().IsInt64() || !x.Denom().IsInt64() {
		panic(errLarge)
	}
	return fraction{x.Num().Int64(), x.Denom().Int64()}
}

func (a fraction) rat() *big.Rat { return big.NewRat(a.p, a.q) }

func (a fraction) plus(b fraction) fraction {
	switch {
	case a.p == 0:
		return b
	case b.p == 0:
		return a
	}
	p := product(a.p, b.q) + product(b.p, a.q)
	return lowest(p, product(a.q, b.q))
}

func (a fraction) times(b fraction) fraction {
	if a.p == 0 || b.p == 0 {
		return fraction{0, 1}
	}
	return lowest(product(a.p, b.p), product(a.q, b.q))
}

func (a fraction) negated() fraction { return fraction{-a.p, a.q} }

func (a fraction) atMost(b fraction) bool { return a.plus(b.negated()).p <= 0 }

func lowest(p, q int64) fraction {
	a, b := max(p, -p), q
	for a != 0 {
		a, b = b%a, a
	}
	return fraction{p / b, q / b}
}

// product stays below 2^62, so that the sum of two does not overflow.
func product(a, b int64) int64 {
	hi, lo := bits.Mul64(uint64(max(a, -a)), uint64(max(b, -b)))
	if hi != 0 || lo >= 1<<62 {
		panic(errLarge)
	}
	return a * b
}
