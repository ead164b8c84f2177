package enclosure

import (
	"fmt"
	"math"
	"math/big"
	"sync"
)

// The series are summed in fixed point: integers stand for multiples of a unit 2^-f. What is
// positive is rounded down throughout, so that a sum is never too large, and too small by no more
// units than have been counted.

// guard is how many bits units have beyond the last bit that is wanted: the counts below stay under
// 2^guard.
const guard = 64

// between is a number that is known to lie between two multiples of the unit 2^-f.
type between struct {
	lo, hi *big.Int
	f      uint
}

// interval rounds the ends outwards.
func (b between) interval(bits uint) Interval {
	lo, hi := down(bits).SetInt(b.lo), up(bits).SetInt(b.hi)
	return Interval{lo.SetMantExp(lo, -int(b.f)), hi.SetMantExp(hi, -int(b.f))}
}

// add adds sign·times·(a number between v and v+lost units).
func (b between) add(v *big.Int, lost uint64, sign int, times *big.Int) {
	low := new(big.Int).Mul(v, times)
	high := new(big.Int).SetUint64(lost)
	high.Mul(high, times).Add(high, low)
	if sign < 0 {
		b.lo.Sub(b.lo, high)
		b.hi.Sub(b.hi, low)
		return
	}
	b.lo.Add(b.lo, low)
	b.hi.Add(b.hi, high)
}

var one = big.NewInt(1)

// artanhFixed sums z + z³/3 + z⁵/5 + … for z = num/den in [0, 1/3]. The result is too small by at
// most lost units.
//
// In units, z is floored with a loss below 1 and then z² with one below 2z + 1 + 1/2^f < 2. If a
// power P is too small by a < 2, the next one is so by less than 2P/2^f + a/9 + 1 + o(1) < 2/3 +
// 2/9 + 1 + o(1) < 2, and its quotient by 2j + 1 ≥ 3 by less than 2/3 + 1. So each of n terms loses
// less than 2. When the power is floored to 0 it is below 2, and the rest, whose terms fall by a
// factor 9, is below 4. Where z² is a fraction of short numbers, powers are multiplied by it as it
// is, which is faster and loses less.
func artanhFixed(num, den *big.Int, f uint) (sum *big.Int, lost uint64) {
	power := new(big.Int).Lsh(num, f)
	power.Quo(power, den)
	square, over := new(big.Int).Mul(num, num), new(big.Int).Mul(den, den)
	short := over.BitLen() <= 32
	if !short {
		square.Mul(power, power).Rsh(square, f)
	}
	sum = new(big.Int).Set(power)
	var product, term, odd big.Int
	n := uint64(1)
	for ; ; n++ {
		if product.Mul(power, square); short {
			power.Quo(&product, over)
		} else {
			power.Rsh(&product, f)
		}
		if power.Sign() == 0 {
			return sum, 2*n + 4
		}
		sum.Add(sum, term.Quo(power, odd.SetUint64(2*n+1)))
	}
}

// Logarithms are taken relative to k/32 with first ≤ k ≤ last; log 2 is that of 64/32.
const (
	parts       = 32
	first, last = 23, 46
	storedBits  = 384 // of the fractions of the logarithms that are kept
)

var storedLogs = sync.OnceValue(func() (logs [2*parts + 1]*big.Int) {
	for k := range logs {
		if k >= first && k <= last || k == 2*parts {
			v, lost := partLog(int64(k), storedBits+guard)
			if lost >= 1<<guard-1 {
				panic("unreachable")
			}
			logs[k] = v.Rsh(v, guard)
		}
	}
	return logs
})

// logOfPart returns |log(k/32)| in units 2^-f, too small by at most lost of them.
func logOfPart(k int, f uint) (v *big.Int, lost uint64) {
	if f <= storedBits {
		return new(big.Int).Rsh(storedLogs()[k], storedBits-f), 2
	}
	return partLog(int64(k), f)
}

func partLog(k int64, f uint) (v *big.Int, lost uint64) {
	v, lost = artanhFixed(big.NewInt(max(k-parts, parts-k)), big.NewInt(k+parts), f)
	return v.Lsh(v, 1), 2 * lost
}

// logFixed returns log x for x > 0 with an error that is small beside 2^-bits, and beside
// 2^-bits·log x near 1. It writes x = g·2^e with g in [0.7, 1.44), takes the k that is nearest to
// 32g, and sums log x = 2 artanh((32g − k)/(32g + k)) + log(k/32) + e·log 2, where the argument of
// the series is at most 1/90 in size.
func logFixed(x *big.Float, bits uint) between {
	m := new(big.Float)
	e := x.MantExp(m)
	q := int(x.MinPrec())
	mantissa, _ := m.SetMantExp(m, q).Int(nil) // x = mantissa·2^(e−q), exactly
	at := func(shift int) int {                // the integer part of 2^shift·mantissa/2^q
		if q > shift {
			return int(new(big.Int).Rsh(mantissa, uint(q-shift)).Int64())
		}
		return int(mantissa.Int64()) << (shift - q)
	}
	const half = 2 * parts * first / parts // of 64: where the mantissa is doubled
	if at(6) < half {
		q, e = q-1, e-1
	}
	k := (at(6) + 1) / 2
	above, below := new(big.Int).Lsh(mantissa, 5), new(big.Int).Lsh(big.NewInt(int64(k)), uint(q))
	sign := above.Cmp(below)
	num := new(big.Int).Sub(above, below)
	num.Abs(num)
	f := bits + guard
	if k == parts && e == 0 { // log x is about as far from 0 as x is from 1
		f += uint(q + 6 - num.BitLen())
	}
	r := between{new(big.Int), new(big.Int), f}
	if sign != 0 {
		v, lost := artanhFixed(num, above.Add(above, below), f)
		r.add(v, lost, sign, big.NewInt(2))
	}
	if k != parts {
		v, lost := logOfPart(k, f)
		r.add(v, lost, k-parts, one)
	}
	if e != 0 {
		v, lost := logOfPart(2*parts, f)
		r.add(v, lost, e, big.NewInt(int64(max(e, -e))))
	}
	return r
}

// Log returns the natural logarithm of an interval of positive numbers. It panics if a has an end ≤
// 0.
func (a Interval) Log() Interval {
	al, ah := a.ends()
	if al.Sign() <= 0 {
		panic("enclosure: logarithm of a number that is not positive")
	}
	bits := a.Bits()
	r := logFixed(al, bits).interval(bits)
	if al.Cmp(ah) != 0 {
		r.hi = logFixed(ah, bits).interval(bits).hi
	}
	return r
}

// maxExponent limits the argument of Exp so that results stay within the exponent range of
// big.Float.
const maxExponent = 1 << 29

// Exp returns e^a. It panics if an end of a exceeds 2^29; arguments below -2^29 give the lower end
// 0.
func (a Interval) Exp() Interval {
	al, ah := a.ends()
	bits := a.Bits()
	r := expEnds(al, bits)
	if al.Cmp(ah) != 0 {
		r.hi = expEnds(ah, bits).hi
	}
	return r
}

// squarings is how often the exponential series is squared: its argument is below log
// 2/2^squarings.
const squarings = 8

// expEnds encloses e^x = 2^k·(e^s)^256 with s = (x − k log 2)/256 in [0, 2^-8).
//
// In units, s lies at most δ above its floor S. With S itself the n terms of the series lose less
// than 2 each: if one is too small by a < 2, the next is so by less than 2^-8·a + 1. When a term is
// floored to 0 it is below 2, and the rest below 4. The derivative of e^s is below 2, so that e^s
// is at most 2n + 4 + 2δ above the sum. If C is at most c below e^y·2^f, with e^y ≤ e^0.7 < 2.02,
// its floored square is at most 2·2.02·c + c²/2^f + 1 < 5c + 2 below its own.
func expEnds(x *big.Float, bits uint) Interval {
	if x.Sign() == 0 {
		return Interval{down(bits).SetInt64(1), up(bits).SetInt64(1)}
	}
	if x.Cmp(big.NewFloat(maxExponent)) > 0 {
		panic("enclosure: exponential of a number above 2^29")
	}
	if least := big.NewFloat(-maxExponent); x.Cmp(least) < 0 {
		return Interval{down(bits), expEnds(least, bits).hi}
	}
	f := bits + guard
	scaled := new(big.Float).SetMantExp(x, int(f))
	whole, accuracy := scaled.Int(nil)
	if accuracy == big.Above { // of a negative number
		whole.Sub(whole, one)
	}
	approximate, _ := x.Float64()
	k := int64(math.Floor(approximate * math.Log2E))
	two, lost := logOfPart(2*parts, f)
	rest := new(big.Int)
	for ; ; k-- { // once or twice
		log := between{new(big.Int), new(big.Int), f}
		log.add(two, lost, int(k), big.NewInt(max(k, -k)))
		if rest.Sub(whole, log.hi); rest.Sign() >= 0 {
			break
		}
	}
	delta := 1 + lost*uint64(max(k, -k)) // of the rest
	rest.Rsh(rest, squarings)
	delta = delta>>squarings + 2

	term := new(big.Int).Lsh(one, f)
	sum := new(big.Int).Set(term)
	var product, index big.Int
	n := uint64(1)
	for ; ; n++ {
		product.Mul(term, rest)
		product.Rsh(&product, f)
		if term.Quo(&product, index.SetUint64(n)); term.Sign() == 0 {
			break
		}
		sum.Add(sum, term)
	}
	lost = 2*n + 4 + 2*delta
	for range squarings {
		product.Mul(sum, sum)
		sum.Rsh(&product, f)
		lost = 5*lost + 2
	}
	r := between{sum, new(big.Int).SetUint64(lost), f}
	r.hi.Add(r.hi, sum)
	v := r.interval(bits)
	v.lo.SetMantExp(v.lo, int(k))
	v.hi.SetMantExp(v.hi, int(k))
	return v
}

// stirlingFrom is where the Stirling series with the coefficients below is accurate to 1e-64; below
// it factorials are multiplied out.
const stirlingFrom = 256

// stirling holds |B_2k|/(2k(2k−1)) for k = 1, …, 15 with the Bernoulli numbers B_2, …, B_30, whose
// signs alternate from
// + on; the last one bounds the remainder.
var stirling = [15][2]int64{
	{1, 12}, {1, 360}, {1, 1260}, {1, 1680}, {1, 1188}, {691, 360360}, {1, 156}, {3617, 122400},
	{43867, 244188}, {174611, 125400},
	{77683, 5796}, {236364091, 1506960}, {657931, 300}, {3392780147, 93960},
	{1723168255201, 2492028},
}

var halfLogTwoPi = sync.OnceValue(func() between {
	half := Pi().Mul(Int(2)).Log().Quo(Int(2))
	r := between{f: Precision}
	for _, end := range [...]**big.Int{&r.lo, &r.hi} {
		v := half.lo
		if end == &r.hi {
			v = half.hi
		}
		*end, _ = new(big.Float).SetMantExp(v, Precision).Int(nil)
	}
	r.hi.Add(r.hi, one)
	return r
})

// LogFactorial encloses log n! for n ≥ 0. From 256 on it sums Stirling's series log n! = (n + 1/2)
// log n − n + log(2π)/2 + Σ B_2k/(2k(2k−1)n^(2k−1)), whose remainder is smaller than the first term
// left out and has its sign.
func LogFactorial(n int) Interval {
	if n < 0 {
		panic(fmt.Sprintf("enclosure: factorial of %d", n))
	}
	if n < stirlingFrom {
		return Rat(new(big.Rat).SetInt(new(big.Int).MulRange(1, int64(n)))).Log()
	}
	x := big.NewInt(int64(n))
	log := logFixed(new(big.Float).SetInt(x), Precision)
	f := log.f
	r := between{new(big.Int), new(big.Int), f}
	times := new(big.Int).Lsh(x, 1)
	times.Add(times, one) // 2n + 1, halved below
	r.lo.Rsh(r.lo.Mul(log.lo, times), 1)
	r.hi.Rsh(r.hi.Mul(log.hi, times), 1)
	r.hi.Add(r.hi, one)
	whole := new(big.Int).Lsh(x, f)
	r.lo.Sub(r.lo, whole)
	r.hi.Sub(r.hi, whole)
	half := halfLogTwoPi()
	r.lo.Add(r.lo, new(big.Int).Lsh(half.lo, f-half.f))
	r.hi.Add(r.hi, new(big.Int).Lsh(half.hi, f-half.f))

	// Powers of 1/n lose less than 2 units, terms less than 2c + 1 with their coefficients c <
	// 2^20.
	const lost = 1<<21 + 1
	power := new(big.Int).Lsh(one, f)
	power.Quo(power, x)
	square := new(big.Int).Mul(x, x)
	for k, c := range stirling {
		term := new(big.Int).Mul(power, big.NewInt(c[0]))
		term.Quo(term, big.NewInt(c[1]))
		if k == len(stirling)-1 || power.Sign() == 0 { // the remainder, with a sign of its own
			r.add(term, lost, 1-2*(k%2), one)
			if k%2 == 0 {
				r.lo.Sub(r.lo, term)
			} else {
				r.hi.Add(r.hi, term)
			}
			break
		}
		r.add(term, lost, 1-2*(k%2), one)
		power.Quo(power, square)
	}
	return r.interval(Precision)
}
