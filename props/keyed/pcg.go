package keyed

import "math/bits"

// PCG is the generator of a key: a linear congruential generator of 128 bits whose states are
// scrambled, PCG-DXSM. It gives the same bits as [math/rand/v2.PCG] with the same two words, and
// many bounded integers at once. M. E. O'Neill, PCG: A family of simple fast space-efficient
// statistically good algorithms for random number generation, Harvey Mudd College,
// HMC-CS-2014-0905.
type PCG struct{ hi, lo uint64 }

// Uint64 returns the next random bits.
func (p *PCG) Uint64() uint64 {
	var u uint64
	u, p.hi, p.lo = next(p.hi, p.lo)
	return u
}

// next steps from one state to the next one, of which it returns the scrambled bits as well.
func next(hi, lo uint64) (u, nextHi, nextLo uint64) {
	const (
		mulHi, mulLo = 0x2360ed051fc65da4, 0x4385df649fccf645
		addHi, addLo = 0x5851f42d4c957f2d, 0x14057b7ef767814f
		scramble     = 0xda942042e4dd58b5
	)
	high, low := bits.Mul64(lo, mulLo)
	low, carry := bits.Add64(low, addLo, 0)
	high += lo*mulHi + addHi + carry
	high += hi * mulLo
	u = (high ^ high>>32) * scramble
	return (u ^ u>>48) * (low | 1), high, low
}

// Descending sets dst[i] to a uniform integer in [0, n−i), for each i: what the steps of a
// Fisher-Yates shuffle of n things ask for. They are what [math/rand/v2.Rand.IntN] makes of the
// same bits. It panics if len(dst) > n.
func (p *PCG) Descending(dst []int, n int) {
	if len(dst) > n {
		panic("keyed: more descending bounds than positive ones")
	}
	u, hi, lo := uint64(0), p.hi, p.lo
	for i := range dst {
		bound := uint64(n - i)
		u, hi, lo = next(hi, lo)
		v, rest := bits.Mul64(u, bound)
		switch {
		case bound&(bound-1) == 0:
			v = u & (bound - 1)
		case rest < bound:
			// hardly ever; then the first few of the values that are made alike are left out
			for least := -bound % bound; rest < least; {
				u, hi, lo = next(hi, lo)
				v, rest = bits.Mul64(u, bound)
			}
		}
		dst[i] = int(v)
	}
	p.hi, p.lo = hi, lo
}
