// Package enclosure computes with intervals that are guaranteed to contain the true value, so that a comparison of irrational numbers
// (tails against exponentials, volumes against π) can be settled rather than estimated.
//
// End points are binary floating-point numbers of [Precision] bits; every operation rounds outwards, and series carry a proven bound on
// their remainder. The zero Interval is the point 0.
package enclosure

import (
	"fmt"
	"math"
	"math/big"
	"sync"
)

// Precision is the number of bits of the end points. It leaves relative widths near 1e-40 after the operations of a typical bound.
const Precision = 192

// Interval is a closed interval that contains the number it stands for. Intervals are values; operations return new ones.
type Interval struct{ lo, hi *big.Float }

func down() *big.Float { return new(big.Float).SetPrec(Precision).SetMode(big.ToNegativeInf) }
func up() *big.Float   { return new(big.Float).SetPrec(Precision).SetMode(big.ToPositiveInf) }

func (a Interval) ends() (lo, hi *big.Float) {
	if a.lo == nil {
		return down(), up()
	}
	return a.lo, a.hi
}

// Rat returns the tightest interval around a rational number.
func Rat(x *big.Rat) Interval { return Interval{down().SetRat(x), up().SetRat(x)} }

// Float returns the point interval of a finite float64. It panics on NaN and infinities.
func Float(x float64) Interval {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		panic(fmt.Sprintf("enclosure: %v is not a number that can be enclosed", x))
	}
	return Interval{down().SetFloat64(x), up().SetFloat64(x)}
}

// Int returns the point interval of an integer.
func Int(n int64) Interval { return Interval{down().SetInt64(n), up().SetInt64(n)} }

// Lower returns the lower end as an exact rational number.
func (a Interval) Lower() *big.Rat { lo, _ := a.ends(); r, _ := lo.Rat(nil); return r }

// Upper returns the upper end as an exact rational number.
func (a Interval) Upper() *big.Rat { _, hi := a.ends(); r, _ := hi.Rat(nil); return r }

// Float64 returns the nearest float64 values of the two ends.
func (a Interval) Float64() (lo, hi float64) {
	l, h := a.ends()
	lo, _ = l.Float64()
	hi, _ = h.Float64()
	return lo, hi
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

// Add returns a + b.
func (a Interval) Add(b Interval) Interval {
	al, ah := a.ends()
	bl, bh := b.ends()
	return Interval{down().Add(al, bl), up().Add(ah, bh)}
}

// Neg returns -a.
func (a Interval) Neg() Interval {
	al, ah := a.ends()
	return Interval{down().Neg(ah), up().Neg(al)}
}

// Sub returns a - b.
func (a Interval) Sub(b Interval) Interval { return a.Add(b.Neg()) }

// Mul returns a·b.
func (a Interval) Mul(b Interval) Interval {
	al, ah := a.ends()
	bl, bh := b.ends()
	if al.Sign() >= 0 && bl.Sign() >= 0 {
		return Interval{down().Mul(al, bl), up().Mul(ah, bh)}
	}
	var r Interval
	for _, x := range []*big.Float{al, ah} {
		for _, y := range []*big.Float{bl, bh} {
			d, u := down().Mul(x, y), up().Mul(x, y)
			if r.lo == nil || d.Cmp(r.lo) < 0 {
				r.lo = d
			}
			if r.hi == nil || u.Cmp(r.hi) > 0 {
				r.hi = u
			}
		}
	}
	return r
}

// Inv returns 1/a. It panics if a contains 0.
func (a Interval) Inv() Interval {
	al, ah := a.ends()
	if al.Sign() <= 0 && ah.Sign() >= 0 {
		panic("enclosure: division by an interval that contains 0")
	}
	one := big.NewFloat(1)
	return Interval{down().Quo(one, ah), up().Quo(one, al)}
}

// Quo returns a/b. It panics if b contains 0.
func (a Interval) Quo(b Interval) Interval { return a.Mul(b.Inv()) }

// Pow returns a^n for n ≥ 0 by repeated squaring.
func (a Interval) Pow(n int) Interval {
	if n < 0 {
		panic(fmt.Sprintf("enclosure: exponent %d is negative", n))
	}
	r := Int(1)
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			r = r.Mul(a)
		}
		a = a.Mul(a)
	}
	return r
}

// Sqrt returns the square root of an interval of nonnegative numbers. It panics if a has a negative end.
func (a Interval) Sqrt() Interval {
	al, ah := a.ends()
	if al.Sign() < 0 {
		panic("enclosure: square root of a negative number")
	}
	lo, _ := sqrtEnds(al)
	_, hi := sqrtEnds(ah)
	return Interval{lo, hi}
}

// sqrtEnds encloses the root of x by an integer square root, because big.Float.Sqrt does not round in a stated direction.
func sqrtEnds(x *big.Float) (lo, hi *big.Float) {
	if x.Sign() == 0 {
		return down(), up()
	}
	m := new(big.Float)
	e := x.MantExp(m)      // x = m·2^e, 1/2 ≤ m < 1
	shift := 2 * Precision // the root of an integer of this many bits has Precision bits
	if (e-shift)&1 != 0 {  // keep the exponent that is left over even
		shift++
	}
	n, _ := m.SetMantExp(m, shift).Int(nil) // exact: m has at most Precision bits
	s := new(big.Int).Sqrt(n)
	half := (e - shift) / 2
	lo = down().SetInt(s)
	lo.SetMantExp(lo, half)
	if new(big.Int).Mul(s, s).Cmp(n) != 0 {
		s.Add(s, big.NewInt(1))
	}
	hi = up().SetInt(s)
	hi.SetMantExp(hi, half)
	return lo, hi
}

// maxExponent limits the argument of Exp so that results stay within the exponent range of big.Float.
const maxExponent = 1 << 29

// Exp returns e^a. It panics if an end of a exceeds 2^29; arguments below -2^29 give the lower end 0.
func (a Interval) Exp() Interval {
	al, ah := a.ends()
	return Interval{expEnds(al).lo, expEnds(ah).hi}
}

// expEnds encloses e^x: the argument is halved until |x| ≤ 2^-8, where 24 terms of the series leave a remainder of at most twice the
// next term (the terms decay faster than geometrically with ratio 1/2), and the result is squared back.
func expEnds(x *big.Float) Interval {
	const terms = 24
	limit := big.NewFloat(maxExponent)
	if x.Cmp(limit) > 0 {
		panic("enclosure: exponential of a number above 2^29")
	}
	if x.Cmp(new(big.Float).Neg(limit)) < 0 {
		return Interval{down(), expEnds(new(big.Float).Neg(limit)).hi}
	}
	halvings := max(0, x.MantExp(nil)+8)
	if x.Sign() == 0 {
		halvings = 0
	}
	small := new(big.Float).SetMantExp(x, -halvings)
	r := Interval{small, small}
	sum, term := Int(1), Int(1)
	for i := int64(1); i <= terms; i++ {
		term = term.Mul(r).Quo(Int(i))
		sum = sum.Add(term)
	}
	rest := term.Mul(r).Quo(Int(terms + 1)).magnitude()
	rest = rest.Add(rest)
	sum = sum.Add(Interval{rest.Neg().lo, rest.hi})
	for range halvings {
		sum = sum.Mul(sum)
	}
	return sum
}

// magnitude returns the interval [0, max |a|].
func (a Interval) magnitude() Interval {
	al, ah := a.ends()
	l, h := up().Abs(al), up().Abs(ah)
	if l.Cmp(h) > 0 {
		h = l
	}
	return Interval{down(), h}
}

// Log returns the natural logarithm of an interval of positive numbers. It panics if a has an end ≤ 0.
func (a Interval) Log() Interval {
	al, ah := a.ends()
	if al.Sign() <= 0 {
		panic("enclosure: logarithm of a number that is not positive")
	}
	return Interval{logEnds(al).lo, logEnds(ah).hi}
}

// logEnds writes x = f·2^e with f in [1/√2, √2) and sums log f = 2 artanh((f-1)/(f+1)), log 2 = 2 artanh(1/3).
func logEnds(x *big.Float) Interval {
	m := new(big.Float).SetPrec(Precision)
	e := x.MantExp(m)
	if m.Cmp(big.NewFloat(math.Sqrt2/2)) < 0 {
		m.SetMantExp(m, 1)
		e--
	}
	f := Interval{m, m}
	s := artanh(f.Sub(Int(1)).Quo(f.Add(Int(1))))
	s = s.Add(artanhThird().Mul(Int(int64(e))))
	return s.Add(s)
}

var artanhThird = sync.OnceValue(func() Interval { return artanh(Int(1).Quo(Int(3))) })

// artanh sums z + z³/3 + z⁵/5 + ... for |z| ≤ 1/3, until a power of z is below the last bit. The remainder after a term is below that
// term, because the ratio of successive terms is at most 1/9.
func artanh(z Interval) Interval {
	const terms = Precision/3 + 2 // 9^-terms is far below the last bit
	square, power, sum := z.Mul(z), z, z
	for i := int64(1); i <= terms; i++ {
		power = power.Mul(square)
		sum = sum.Add(power.Quo(Int(2*i + 1)))
		if _, hi := power.magnitude().ends(); hi.Sign() == 0 || hi.MantExp(nil) < -Precision-8 {
			break
		}
	}
	rest := power.magnitude()
	return sum.Add(Interval{rest.Neg().lo, rest.hi})
}

// Pi returns an enclosure of π by Machin's formula π = 16 arctan(1/5) - 4 arctan(1/239).
func Pi() Interval {
	return pi()
}

var pi = sync.OnceValue(func() Interval {
	return Int(16).Mul(arctanInverse(5)).Sub(Int(4).Mul(arctanInverse(239)))
})

// arctanInverse sums the alternating series of arctan(1/q); the remainder is below the first omitted term.
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

// stirlingFrom is where the Stirling series with the coefficients below is accurate to 1e-64; below it factorials are multiplied out.
const stirlingFrom = 256

// stirling holds B_2k/(2k(2k−1)) for k = 1, …, 15 with the Bernoulli numbers B_2, …, B_30; the last one bounds the remainder.
var stirling = [15][2]int64{
	{1, 12}, {-1, 360}, {1, 1260}, {-1, 1680}, {1, 1188}, {-691, 360360}, {1, 156}, {-3617, 122400}, {43867, 244188}, {-174611, 125400},
	{77683, 5796}, {-236364091, 1506960}, {657931, 300}, {-3392780147, 93960}, {1723168255201, 2492028},
}

var halfLogTwoPi = sync.OnceValue(func() Interval { return Pi().Mul(Int(2)).Log().Quo(Int(2)) })

// LogFactorial encloses log n! for n ≥ 0. From 256 on it sums Stirling's series log n! = n log n − n + log(2πn)/2 + Σ B_2k/(2k(2k−1)n^(2k−1)), whose
// remainder is smaller than the first term left out and has its sign.
func LogFactorial(n int) Interval {
	if n < 0 {
		panic(fmt.Sprintf("enclosure: factorial of %d", n))
	}
	if n < stirlingFrom {
		return Rat(new(big.Rat).SetInt(new(big.Int).MulRange(1, int64(n)))).Log()
	}
	x := Int(int64(n))
	log := x.Log()
	sum := x.Mul(log).Sub(x).Add(log.Quo(Int(2))).Add(halfLogTwoPi())
	inverse := x.Inv()
	power, square := inverse, inverse.Mul(inverse)
	for k, c := range stirling {
		term := power.Mul(Int(c[0])).Quo(Int(c[1]))
		if k == len(stirling)-1 {
			return sum.Add(term.Hull(Int(0)))
		}
		sum = sum.Add(term)
		power = power.Mul(square)
	}
	panic("unreachable")
}
