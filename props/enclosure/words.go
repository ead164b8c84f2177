package enclosure

import (
	"fmt"
	"math/big"
	"math/bits"
	"sync"
)

// LogFactorials encloses log(Π above!/Π below!) for numbers from 0 to 2^31. With an absolute error
// below 2^-70, for fewer than 64 numbers, it is less precise than sums of [LogFactorial], and an
// order of magnitude cheaper: it computes on words.
func LogFactorials(above, below []int) Interval {
	var sum wide
	lost := uint64(0)
	for k, list := range [...][]int{above, below} {
		for _, n := range list {
			if n < 0 || n > 1<<31 {
				panic(fmt.Sprintf("enclosure: factorial of %d, not from 0 to 2^31", n))
			}
			lost += sum.addLogFactorial(uint64(n), k == 1)
		}
	}
	value, off := sum.integer(), new(big.Int).SetUint64(lost)
	return between{new(big.Int).Sub(value, off), new(big.Int).Add(value, off),
		wordBits + 1}.interval(Precision)
}

// wordBits is the number of bits behind the binary point of a fraction.
const wordBits = 120

// fraction is a number below 2^8 in units 2^-wordBits.
type fraction struct{ hi, lo uint64 }

func fractionOf(v *big.Int) fraction { return fraction{word(v, 1), word(v, 0)} }

// word returns the i-th word of v ≥ 0, from the lowest on.
func word(v *big.Int, i uint) uint64 {
	shifted := new(big.Int).Rsh(v, 64*i)
	return shifted.And(shifted, new(big.Int).SetUint64(1<<64-1)).Uint64()
}

func (a fraction) add(b fraction) fraction {
	lo, carry := bits.Add64(a.lo, b.lo, 0)
	return fraction{a.hi + b.hi + carry, lo}
}

func (a fraction) sub(b fraction) fraction {
	lo, borrow := bits.Sub64(a.lo, b.lo, 0)
	return fraction{a.hi - b.hi - borrow, lo}
}

// mul returns the floor of a·b.
func (a fraction) mul(b fraction) fraction {
	h0, _ := bits.Mul64(a.lo, b.lo)
	h1, l1 := bits.Mul64(a.lo, b.hi)
	h2, l2 := bits.Mul64(a.hi, b.lo)
	h3, l3 := bits.Mul64(a.hi, b.hi)
	w1, c := bits.Add64(h0, l1, 0)
	w2, c1 := bits.Add64(h1, l3, c)
	w1, c = bits.Add64(w1, l2, 0)
	w2, c2 := bits.Add64(w2, h2, c)
	w3 := h3 + c1 + c2
	const shift = wordBits - 64
	return fraction{w2>>shift | w3<<(64-shift), w1>>shift | w2<<(64-shift)}
}

// quo returns the floor of a/n.
func (a fraction) quo(n uint64) fraction {
	hi, rest := bits.Div64(0, a.hi, n)
	lo, _ := bits.Div64(rest, a.lo, n)
	return fraction{hi, lo}
}

// quotient returns the floor of num/den < 1.
func quotient(num, den uint64) fraction {
	const shift = wordBits - 64
	hi, rest := bits.Div64(num>>(64-shift), num<<shift, den)
	lo, _ := bits.Div64(rest, 0, den)
	return fraction{hi, lo}
}

// wide is a sum in units of half a fraction's, in two's complement, its lowest word first.
type wide [3]uint64

// add adds or subtracts times·v.
func (w *wide) add(v fraction, times uint64, subtract bool) {
	h0, l0 := bits.Mul64(v.lo, times)
	h1, l1 := bits.Mul64(v.hi, times)
	middle, c := bits.Add64(h0, l1, 0)
	high := h1 + c
	if subtract {
		w[0], c = bits.Sub64(w[0], l0, 0)
		w[1], c = bits.Sub64(w[1], middle, c)
		w[2], _ = bits.Sub64(w[2], high, c)
		return
	}
	w[0], c = bits.Add64(w[0], l0, 0)
	w[1], c = bits.Add64(w[1], middle, c)
	w[2], _ = bits.Add64(w[2], high, c)
}

func (w *wide) integer() *big.Int {
	v := big.NewInt(int64(w[2]))
	for _, word := range [...]uint64{w[1], w[0]} {
		v.Lsh(v, 64).Add(v, new(big.Int).SetUint64(word))
	}
	return v
}

var unity = fraction{hi: 1 << (wordBits - 64)}

// smallFactorials are the logarithms of n! for n < stirlingFrom, in halves of units, each too small
// by at most 1.
var smallFactorials = sync.OnceValue(func() *[stirlingFrom]wide {
	var logs [stirlingFrom]wide
	for n := range logs {
		lo, _ := LogFactorial(n).ends()
		v, _ := new(big.Float).SetMantExp(lo, wordBits+1).Int(nil)
		for i := range logs[n] {
			logs[n][i] = word(v, uint(i))
		}
	}
	return &logs
})

var halfLogTwoPiFraction = sync.OnceValue(func() fraction {
	half := halfLogTwoPi()
	return fractionOf(new(big.Int).Rsh(half.lo, half.f-wordBits))
})

var partFractions = sync.OnceValue(func() *[2*parts + 1]fraction {
	var logs [2*parts + 1]fraction
	for k := range logs {
		if k >= first && k <= last || k == 2*parts {
			v, _ := logOfPart(k, wordBits)
			logs[k] = fractionOf(v)
		}
	}
	return &logs
})

// addLogFactorial adds or subtracts log n! up to an error of as many halves of units as it returns,
// below 2^42.
func (w *wide) addLogFactorial(n uint64, subtract bool) (lost uint64) {
	if n < stirlingFrom {
		v := &smallFactorials()[n]
		w.add(fraction{v[1], v[0]}, 1, subtract)
		if subtract {
			w[2] -= v[2]
		} else {
			w[2] += v[2]
		}
		return 2
	}
	w.add(logOfWhole(n), 2*n+1, subtract) // log n! = ½((2n+1) log n − 2n + log 2π) + …
	w.add(unity, 2*n, !subtract)
	w.add(halfLogTwoPiFraction(), 2, subtract)
	// The terms of Stirling's series lose less than 3 units each; behind the seventh the power is
	// below 2, and the rest below 1.
	power, square := quotient(1, n), n*n
	for k, c := range stirling[:7] {
		w.add(power.quo(uint64(c[1])), 2*uint64(c[0]), subtract == (k%2 == 0))
		power = power.quo(square)
	}
	return lostByLog*(2*n+1) + 8*700
}

// lostByLog bounds the error of logOfWhole in units: 2·(2n + 4) of a series of at most 10 terms, as
// in artanhFixed, and 2 for each of at most 33 stored logarithms.
const lostByLog = 2*24 + 2*33

// logOfWhole returns log n for 256 ≤ n ≤ 2^31, as logFixed does.
func logOfWhole(n uint64) fraction {
	q := bits.Len64(n)
	if n>>(q-6) < 2*first {
		q--
	}
	k := (n>>(q-6) + 1) / 2
	logs := partFractions()
	var log fraction
	for two, e := logs[2*parts], q; e > 0; e >>= 1 { // q·log 2
		if e&1 == 1 {
			log = log.add(two)
		}
		two = two.add(two)
	}
	above, below := parts*n, k<<q
	series := artanhWords(max(above, below)-min(above, below), above+below)
	series = series.add(series)
	if above < below {
		log = log.sub(series)
	} else {
		log = log.add(series)
	}
	if k < parts {
		return log.sub(logs[k])
	}
	return log.add(logs[k]) // 0 for k = parts
}

// artanhWords is artanhFixed for z = num/den ≤ 1/90.
func artanhWords(num, den uint64) fraction {
	power := quotient(num, den)
	square, sum := power.mul(power), power
	for j := uint64(3); ; j += 2 {
		power = power.mul(square)
		if power == (fraction{}) {
			return sum
		}
		sum = sum.add(power.quo(j))
	}
}
