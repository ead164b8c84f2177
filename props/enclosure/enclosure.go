// Package enclosure computes with intervals that are guaranteed to contain the true value, so that a comparison of
// irrational numbers (tails against exponentials, volumes against π) can be settled rather than estimated.
//
// End points are binary floating-point numbers of [Precision] bits, or of more where an operand was made by
// [Precise]; every operation rounds outwards, and series carry a proven bound on their remainder. The zero Interval
// is the point 0.
package enclosure

import (
	"fmt"
	"math"
	"math/big"
	"sync"
)

// Precision is the least number of bits of the end points. It leaves relative widths near 1e-40 after the operations
// of a typical bound.
const Precision = 192

// Interval is a closed interval that contains the number it stands for. Intervals are values; operations return new
// ones.
type Interval struct{ lo, hi *big.Float }

func down(bits uint) *big.Float { return new(big.Float).SetPrec(bits).SetMode(big.ToNegativeInf) }
func up(bits uint) *big.Float   { return new(big.Float).SetPrec(bits).SetMode(big.ToPositiveInf) }

func (a Interval) ends() (lo, hi *big.Float) {
	if a.lo == nil {
		return down(Precision), up(Precision)
	}
	return a.lo, a.hi
}

// Bits returns the number of bits of the end points, with which operations on the interval compute. Of two operands
// the larger number counts.
func (a Interval) Bits() uint {
	lo, hi := a.ends()
	return max(Precision, lo.Prec(), hi.Prec())
}

// Rat returns the tightest interval around a rational number.
func Rat(x *big.Rat) Interval { return Precise(x, Precision) }

// Precise returns the tightest interval around a rational number with end points of the given number of bits, at
// least [Precision].
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
func Int(n int64) Interval { return Interval{down(Precision).SetInt64(n), up(Precision).SetInt64(n)} }

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
	return Interval{down(bits).Add(al, bl), up(bits).Add(ah, bh)}
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
		return Interval{down(bits).Mul(al, bl), up(bits).Mul(ah, bh)}
	}
	var r Interval
	for _, x := range []*big.Float{al, ah} {
		for _, y := range []*big.Float{bl, bh} {
			d, u := down(bits).Mul(x, y), up(bits).Mul(x, y)
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
func (a Interval) Inv() Interval { return a.inverse(a.Bits()) }

func (a Interval) inverse(bits uint) Interval {
	al, ah := a.ends()
	if al.Sign() <= 0 && ah.Sign() >= 0 {
		panic("enclosure: division by an interval that contains 0")
	}
	one := big.NewFloat(1)
	return Interval{down(bits).Quo(one, ah), up(bits).Quo(one, al)}
}

// Quo returns a/b. It panics if b contains 0.
func (a Interval) Quo(b Interval) Interval { return a.Mul(b.inverse(max(a.Bits(), b.Bits()))) }

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
func (a Interval) Sqrt() Interval { return a.Root(2) }

// Root returns the k-th root, k ≥ 1, of an interval of nonnegative numbers. It panics if a has a negative end. The
// root of a power that has as many bits as the end points is a point.
func (a Interval) Root(k int) Interval {
	al, ah := a.ends()
	if al.Sign() < 0 {
		panic("enclosure: root of a negative number")
	}
	bits := a.Bits()
	return Interval{rootEnds(al, k, bits).lo, rootEnds(ah, k, bits).hi}
}

// rootEnds encloses the k-th root of x by an integer root, because big.Float.Sqrt does not round in a stated direction.
func rootEnds(x *big.Float, k int, bits uint) Interval {
	if x.Sign() == 0 {
		return Interval{down(bits), up(bits)}
	}
	m := new(big.Float)
	e := x.MantExp(m)                       // x = m·2^e, 1/2 ≤ m < 1
	shift := k * int(bits)                  // the root of an integer of this many bits has the bits that are wanted
	shift += (((e - shift) % k) + k) % k    // keep the exponent that is left over a multiple of k
	n, _ := m.SetMantExp(m, shift).Int(nil) // exact: m has at most bits bits
	s := IntegerRoot(n, k)
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

// IntegerRoot returns the largest integer whose k-th power, k ≥ 1, is at most n ≥ 0, by Newton's iteration from above.
func IntegerRoot(n *big.Int, k int) *big.Int {
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

// maxExponent limits the argument of Exp so that results stay within the exponent range of big.Float.
const maxExponent = 1 << 29

// Exp returns e^a. It panics if an end of a exceeds 2^29; arguments below -2^29 give the lower end 0.
func (a Interval) Exp() Interval {
	al, ah := a.ends()
	bits := a.Bits()
	return Interval{expEnds(al, bits).lo, expEnds(ah, bits).hi}
}

// expEnds encloses e^x: the argument is halved until |x| ≤ 2^-8, where the series, 24 terms for [Precision] bits,
// leaves a remainder of at most twice the next term (the terms decay faster than geometrically with ratio 1/2), and
// the result is squared back.
func expEnds(x *big.Float, bits uint) Interval {
	terms := int64(bits / 8)
	limit := big.NewFloat(maxExponent)
	if x.Cmp(limit) > 0 {
		panic("enclosure: exponential of a number above 2^29")
	}
	if x.Cmp(new(big.Float).Neg(limit)) < 0 {
		return Interval{down(bits), expEnds(new(big.Float).Neg(limit), bits).hi}
	}
	halvings := max(0, x.MantExp(nil)+8)
	if x.Sign() == 0 {
		halvings = 0
	}
	small := new(big.Float).SetPrec(bits).SetMantExp(x, -halvings)
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
	bits := a.Bits()
	l, h := up(bits).Abs(al), up(bits).Abs(ah)
	if l.Cmp(h) > 0 {
		h = l
	}
	return Interval{down(bits), h}
}

// Log returns the natural logarithm of an interval of positive numbers. It panics if a has an end ≤ 0.
func (a Interval) Log() Interval {
	al, ah := a.ends()
	if al.Sign() <= 0 {
		panic("enclosure: logarithm of a number that is not positive")
	}
	bits := a.Bits()
	return Interval{logEnds(al, bits).lo, logEnds(ah, bits).hi}
}

// logEnds writes x = f·2^e with f in [1/√2, √2) and sums log f = 2 artanh((f-1)/(f+1)), log 2 = 2 artanh(1/3).
func logEnds(x *big.Float, bits uint) Interval {
	m := new(big.Float).SetPrec(bits)
	e := x.MantExp(m)
	if m.Cmp(big.NewFloat(math.Sqrt2/2)) < 0 {
		m.SetMantExp(m, 1)
		e--
	}
	f := Interval{m, m}
	s := artanh(f.Sub(Int(1)).Quo(f.Add(Int(1))))
	s = s.Add(artanhThird(bits).Mul(Int(int64(e))))
	return s.Add(s)
}

func artanhThird(bits uint) Interval {
	if bits == Precision {
		return thirdAtLeast()
	}
	return artanh(Precise(big.NewRat(1, 3), bits))
}

var thirdAtLeast = sync.OnceValue(func() Interval { return artanh(Int(1).Quo(Int(3))) })

// artanh sums z + z³/3 + z⁵/5 + ... for |z| ≤ 1/3, until a power of z is below the last bit. The remainder after a
// term is below that term, because the ratio of successive terms is at most 1/9.
func artanh(z Interval) Interval {
	bits := z.Bits()
	terms := int64(bits)/3 + 2 // 9^-terms is far below the last bit
	square, power, sum := z.Mul(z), z, z
	for i := int64(1); i <= terms; i++ {
		power = power.Mul(square)
		sum = sum.Add(power.Quo(Int(2*i + 1)))
		if _, hi := power.magnitude().ends(); hi.Sign() == 0 || hi.MantExp(nil) < -int(bits)-8 {
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

var pi = sync.OnceValue(func() Interval { return Int(16).Mul(arctanInverse(5)).Sub(Int(4).Mul(arctanInverse(239))) })

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

// stirlingFrom is where the Stirling series with the coefficients below is accurate to 1e-64; below it factorials are
// multiplied out.
const stirlingFrom = 256

// stirling holds B_2k/(2k(2k−1)) for k = 1, …, 15 with the Bernoulli numbers B_2, …, B_30; the last one bounds the
// remainder.
var stirling = [15][2]int64{
	{1, 12}, {-1, 360}, {1, 1260}, {-1, 1680}, {1, 1188}, {-691, 360360}, {1, 156}, {-3617, 122400},
	{43867, 244188}, {-174611, 125400},
	{77683, 5796}, {-236364091, 1506960}, {657931, 300}, {-3392780147, 93960}, {1723168255201, 2492028},
}

var halfLogTwoPi = sync.OnceValue(func() Interval { return Pi().Mul(Int(2)).Log().Quo(Int(2)) })

// LogFactorial encloses log n! for n ≥ 0. From 256 on it sums Stirling's series log n! = n log n − n + log(2πn)/2 + Σ
// B_2k/(2k(2k−1)n^(2k−1)), whose remainder is smaller than the first term left out and has its sign.
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
