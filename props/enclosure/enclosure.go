// Package enclosure computes with intervals that are guaranteed to contain the true value, so that
// a comparison of irrational numbers (tails against exponentials, volumes against π) can be settled
// rather than estimated.
//
// End points are binary floating-point numbers of [Precision] bits, or of more where an operand was
// made by [Precise]; every operation rounds outwards, and series carry a proven bound on their
// remainder. The zero Interval is the point 0.
package enclosure

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"sync"
)

// Precision is the least number of bits of the end points. It leaves relative widths near 1e-40
// after the operations of a typical bound.
const Precision = 192

// Interval is a closed interval that contains the number it stands for. Intervals are values;
// operations return new ones.
type Interval struct{ lo, hi *big.Float }

func down(bits uint) *big.Float { return new(big.Float).SetPrec(bits).SetMode(big.ToNegativeInf) }
func up(bits uint) *big.Float   { return new(big.Float).SetPrec(bits).SetMode(big.ToPositiveInf) }

func (a Interval) ends() (lo, hi *big.Float) {
	if a.lo == nil {
		return down(Precision), up(Precision)
	}
	return a.lo, a.hi
}

// Bits returns the number of bits of the end points, with which operations on the interval compute.
// Of two operands the larger number counts.
func (a Interval) Bits() uint {
	lo, hi := a.ends()
	return max(Precision, lo.Prec(), hi.Prec())
}

// Rat returns the tightest interval around a rational number.
func Rat(x *big.Rat) Interval { return Precise(x, Precision) }

// Precise returns the tightest interval around a rational number with end points of the given
// number of bits, at least [Precision].
func Precise(x *big.Rat, bits uint) Interval {
	bits = max(bits, Precision)
	return Interval{down(bits).SetRat(x), up(bits).SetRat(x)}
}

// Float returns the point interval of a finite float64. It panics on NaN and infinities.
func Float(x float64) Interval {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		panic(fmt.Sprintf("enclosure: %v is not a number that can be enclosed", x))
	}
	return Interval{down(Precision).SetFloat64(x), up(Precision).SetFloat64(x)}
}

// Int returns the point interval of an integer.
func Int(n int64) Interval {
	return Interval{down(Precision).SetInt64(n), up(Precision).SetInt64(n)}
}

// Lower returns the lower end as an exact rational number.
func (a Interval) Lower() *big.Rat { lo, _ := a.ends(); r, _ := lo.Rat(nil); return r }

// Upper returns the upper end as an exact rational number.
func (a Interval) Upper() *big.Rat { _, hi := a.ends(); r, _ := hi.Rat(nil); return r }

// Point reports whether the interval is a single number.
func (a Interval) Point() bool { lo, hi := a.ends(); return lo.Cmp(hi) == 0 }

// LeastSign returns the sign of the lower end.
func (a Interval) LeastSign() int { lo, _ := a.ends(); return lo.Sign() }

// Whole returns the interval of the next whole numbers above or below. It does not write numbers
// next to 0 as fractions, which may be as long as memory.
func (a Interval) Whole(up bool) Interval {
	lo, hi := a.ends()
	return Precise(wholeFloat(lo, up), a.Bits()).Hull(Precise(wholeFloat(hi, up), a.Bits()))
}

func wholeFloat(x *big.Float, up bool) *big.Rat {
	if sign := x.Sign(); sign != 0 && x.MantExp(nil) <= 0 { // |x| < 1
		switch {
		case up && sign > 0:
			return big.NewRat(1, 1)
		case !up && sign < 0:
			return big.NewRat(-1, 1)
		}
		return new(big.Rat)
	}
	r, _ := x.Rat(nil)
	return Whole(r, up)
}

// mostExponent is the size of the exponents of 2 up to which [Between] writes numbers.
const mostExponent = 1 << 14

// Between returns rational numbers x < y next to the ends that face each other of two intervals of
// which a lies below b. What is so small or large that its fraction would be long has one of its
// sign in its place.
func Between(a, b Interval) (x, y *big.Rat) {
	_, low := a.ends()
	high, _ := b.ends()
	x, y = short(low), short(high)
	switch {
	case x.Cmp(y) < 0:
	case y.Sign() > 0:
		y = new(big.Rat).Add(x, x)
	default:
		x = new(big.Rat).Add(y, y)
	}
	return x, y
}

// short is a number, or ±2^±mostExponent where its exponent is larger in size.
func short(x *big.Float) *big.Rat {
	if e := x.MantExp(nil); x.Sign() != 0 && (e > mostExponent || e < -mostExponent) {
		sign := big.NewFloat(float64(x.Sign()))
		x = new(big.Float).SetMantExp(sign, max(-mostExponent, min(e, mostExponent)))
	}
	r, _ := x.Rat(nil)
	return r
}

// Float64 returns the nearest float64 values of the two ends.
func (a Interval) Float64() (lo, hi float64) {
	l, h := a.ends()
	lo, _ = l.Float64()
	hi, _ = h.Float64()
	return lo, hi
}

// Sign returns 1 or −1 if all points of a are positive or negative, and 0 if that is not certain.
func (a Interval) Sign() int {
	lo, hi := a.ends()
	switch {
	case lo.Sign() > 0:
		return 1
	case hi.Sign() < 0:
		return -1
	}
	return 0
}

// Below reports whether every point of a is smaller than every point of b.
func (a Interval) Below(b Interval) bool {
	_, ahi := a.ends()
	blo, _ := b.ends()
	return ahi.Cmp(blo) < 0
}

// Hull returns the smallest interval that contains a and b.
func (a Interval) Hull(b Interval) Interval {
	al, ah := a.ends()
	bl, bh := b.ends()
	if bl.Cmp(al) < 0 {
		al = bl
	}
	if bh.Cmp(ah) > 0 {
		ah = bh
	}
	return Interval{al, ah}
}

// Min returns the interval of the smaller of a number in a and one in b.
func (a Interval) Min(b Interval) Interval { return a.Neg().Max(b.Neg()).Neg() }

// Max returns the interval of the larger of a number in a and one in b.
func (a Interval) Max(b Interval) Interval {
	al, ah := a.ends()
	bl, bh := b.ends()
	if bl.Cmp(al) > 0 {
		al = bl
	}
	if bh.Cmp(ah) > 0 {
		ah = bh
	}
	return Interval{al, ah}
}

// Add returns a + b.
func (a Interval) Add(b Interval) Interval {
	al, ah := a.ends()
	bl, bh := b.ends()
	bits := max(a.Bits(), b.Bits())
	lo, hi := nearer(al, bl, bits, -1), nearer(ah, bh, bits, 1)
	return within(Interval{down(bits).Add(lo[0], lo[1]), up(bits).Add(hi[0], hi[1])})
}

// nearer returns two numbers whose sum is that of x and y as far as it is rounded to bits in a
// direction: big.Float adds with all bits between the two, which may be more than memory has.
func nearer(x, y *big.Float, bits uint, direction int) [2]*big.Float {
	if x.Sign() == 0 || y.Sign() == 0 {
		return [...]*big.Float{x, y}
	}
	if x.MantExp(nil) < y.MantExp(nil) {
		x, y = y, x
	}
	far := x.MantExp(nil) - int(max(bits, x.Prec())) - 64
	if y.MantExp(nil) >= far {
		return [...]*big.Float{x, y}
	}
	if y.Sign() != direction {
		return [...]*big.Float{x, new(big.Float)}
	}
	return [...]*big.Float{x, new(big.Float).SetMantExp(big.NewFloat(float64(direction)), far)}
}

// ErrSize is the panic of operations whose result is beyond the exponents of big.Float.
var ErrSize = errors.New("enclosure: a number is too large for intervals")

// within refuses what has overflowed, where big.Float rounds both ends to one infinity.
func within(a Interval) Interval {
	if a.lo.IsInf() || a.hi.IsInf() {
		panic(ErrSize)
	}
	return a
}

// product sets z to the product of two numbers, rounded as z is. What underflows is no end but next
// to 0.
func product(z, x, y *big.Float) *big.Float {
	sign := x.Sign() * y.Sign()
	if z.Mul(x, y); z.Sign() == 0 && sign != 0 && (z.Mode() == big.ToPositiveInf) == (sign > 0) {
		z.SetMantExp(big.NewFloat(0.5*float64(sign)), big.MinExp)
	}
	return z
}

// Neg returns -a.
func (a Interval) Neg() Interval {
	al, ah := a.ends()
	bits := a.Bits()
	return Interval{down(bits).Neg(ah), up(bits).Neg(al)}
}

// Sub returns a - b.
func (a Interval) Sub(b Interval) Interval { return a.Add(b.Neg()) }

// Mul returns a·b.
func (a Interval) Mul(b Interval) Interval {
	al, ah := a.ends()
	bl, bh := b.ends()
	bits := max(a.Bits(), b.Bits())
	if al.Sign() >= 0 && bl.Sign() >= 0 {
		return within(Interval{product(down(bits), al, bl), product(up(bits), ah, bh)})
	}
	var r Interval
	for _, x := range []*big.Float{al, ah} {
		for _, y := range []*big.Float{bl, bh} {
			d, u := product(down(bits), x, y), product(up(bits), x, y)
			if r.lo == nil || d.Cmp(r.lo) < 0 {
				r.lo = d
			}
			if r.hi == nil || u.Cmp(r.hi) > 0 {
				r.hi = u
			}
		}
	}
	return within(r)
}

// Inv returns 1/a. It panics if a contains 0.
func (a Interval) Inv() Interval { return a.inverse(a.Bits()) }

func (a Interval) inverse(bits uint) Interval {
	al, ah := a.ends()
	if al.Sign() <= 0 && ah.Sign() >= 0 {
		panic("enclosure: division by an interval that contains 0")
	}
	one := big.NewFloat(1)
	return within(Interval{down(bits).Quo(one, ah), up(bits).Quo(one, al)})
}

// Quo returns a/b. It panics if b contains 0.
func (a Interval) Quo(b Interval) Interval { return a.Mul(b.inverse(max(a.Bits(), b.Bits()))) }

// Pow returns a^n for n ≥ 0 by repeated squaring.
func (a Interval) Pow(n int) Interval {
	if n < 0 {
		panic(fmt.Sprintf("enclosure: exponent %d is negative", n))
	}
	r := Int(1)
	for ; n > 1; n >>= 1 {
		if n&1 == 1 {
			r = r.Mul(a)
		}
		a = a.Mul(a)
	}
	if n == 1 {
		r = r.Mul(a)
	}
	return r
}

// Sqrt returns the square root of an interval of nonnegative numbers. It panics if a has a negative
// end.
func (a Interval) Sqrt() Interval { return a.Root(2) }

// Root returns the k-th root, k ≥ 1, of an interval of nonnegative numbers. It panics if a has a
// negative end. The root of a power that has as many bits as the end points is a point.
func (a Interval) Root(k int) Interval {
	al, ah := a.ends()
	if al.Sign() < 0 {
		panic("enclosure: root of a negative number")
	}
	bits := a.Bits()
	return Interval{rootEnds(al, k, bits).lo, rootEnds(ah, k, bits).hi}
}

// rootEnds encloses the k-th root of x by an integer root, because big.Float.Sqrt does not round in
// a stated direction.
func rootEnds(x *big.Float, k int, bits uint) Interval {
	if x.Sign() == 0 {
		return Interval{down(bits), up(bits)}
	}
	m := new(big.Float)
	e := x.MantExp(m) // x = m·2^e, 1/2 ≤ m < 1
	// the root of an integer of this many bits has the bits that are wanted
	shift := k * int(bits)
	shift += (((e - shift) % k) + k) % k    // keep the exponent that is left over a multiple of k
	n, _ := m.SetMantExp(m, shift).Int(nil) // exact: m has at most bits bits
	s := integerRoot(n, k)
	over := (e - shift) / k
	lo := down(bits).SetInt(s)
	lo.SetMantExp(lo, over)
	if new(big.Int).Exp(s, big.NewInt(int64(k)), nil).Cmp(n) != 0 {
		s.Add(s, big.NewInt(1))
	}
	hi := up(bits).SetInt(s)
	hi.SetMantExp(hi, over)
	return Interval{lo, hi}
}

// Whole returns the next whole number: the smallest that is at least x, or the largest that is at
// most x.
func Whole(x *big.Rat, up bool) *big.Rat {
	q := new(big.Int).Div(x.Num(), x.Denom()) // rounds down, as the divisor is positive
	if up && !x.IsInt() {
		q.Add(q, big.NewInt(1))
	}
	return new(big.Rat).SetInt(q)
}

// RationalRoot returns the k-th root, k ≥ 1, of x ≥ 0, if it is rational.
func RationalRoot(x *big.Rat, k int) (root *big.Rat, rational bool) {
	var roots [2]*big.Int
	for i, n := range []*big.Int{x.Num(), x.Denom()} {
		roots[i] = integerRoot(n, k)
		if new(big.Int).Exp(roots[i], big.NewInt(int64(k)), nil).Cmp(n) != 0 {
			return nil, false
		}
	}
	return new(big.Rat).SetFrac(roots[0], roots[1]), true
}

// integerRoot returns the largest integer whose k-th power, k ≥ 1, is at most n ≥ 0, by Newton's
// iteration from above.
func integerRoot(n *big.Int, k int) *big.Int {
	switch {
	case k == 1 || n.Sign() == 0:
		return new(big.Int).Set(n)
	case k == 2:
		return new(big.Int).Sqrt(n)
	}
	x := new(big.Int).Lsh(big.NewInt(1), uint((n.BitLen()+k-1)/k)) // above the root
	times, exponent, degree := big.NewInt(int64(k-1)), big.NewInt(int64(k-1)), big.NewInt(int64(k))
	for {
		y := new(big.Int).Exp(x, exponent, nil)
		y.Quo(n, y)
		y.Add(y, new(big.Int).Mul(x, times)).Quo(y, degree)
		if y.Cmp(x) >= 0 {
			return x
		}
		x = y
	}
}

// magnitude returns the interval [0, max |a|].
func (a Interval) magnitude() Interval {
	al, ah := a.ends()
	bits := a.Bits()
	l, h := up(bits).Abs(al), up(bits).Abs(ah)
	if l.Cmp(h) > 0 {
		h = l
	}
	return Interval{down(bits), h}
}

// Pi returns an enclosure of π by Machin's formula π = 16 arctan(1/5) - 4 arctan(1/239).
func Pi() Interval {
	return pi()
}

var pi = sync.OnceValue(func() Interval {
	return Int(16).Mul(arctanInverse(5)).Sub(Int(4).Mul(arctanInverse(239)))
})

// arctanInverse sums the alternating series of arctan(1/q); the remainder is below the first
// omitted term.
func arctanInverse(q int64) Interval {
	const terms = Precision/4 + 2
	x := Int(1).Quo(Int(q))
	square, power, sum := x.Mul(x), x, x
	for i := int64(1); i <= terms; i++ {
		power = power.Mul(square).Neg()
		sum = sum.Add(power.Quo(Int(2*i + 1)))
	}
	rest := power.magnitude()
	return sum.Add(Interval{rest.Neg().lo, rest.hi})
}
