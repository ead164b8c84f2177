// Package keyed derives independent random streams from names instead of sharing generators.
//
// A [Key] is a path such as run seed / claim / instance / trial / purpose. Two different paths give
// independent streams; the same path gives the same bits on every machine and for any number of
// workers, because no stream is ever shared or advanced by somebody else. Adding a branch to the
// tree of keys changes no other branch.
package keyed

import (
	"math"
	"math/bits"
	"math/rand/v2"
)

// Key names a stream. The zero Key is the root of an unseeded tree; use [New] for a seeded one.
// Keys are values: deriving a child leaves the parent as it was.
type Key struct {
	hi, lo uint64
	tremor uint64 // number of the perturbation, 0 for none, and stirring; children inherit it
}

// stirring is the bit of a tremor that says that generators are stirred, too.
const stirring = 1 << 63

// New returns the root key of a run with the given seed.
func New(seed uint64) Key { return Key{}.absorb(seed, 1) }

// With returns the child key with the given name.
func (k Key) With(name string) Key {
	for len(name) >= 8 {
		w := uint64(0)
		for i := range 8 {
			w |= uint64(name[i]) << (8 * i)
		}
		k, name = k.absorb(w, 2), name[8:]
	}
	w := uint64(len(name)) << 56
	for i := range len(name) {
		w |= uint64(name[i]) << (8 * i)
	}
	return k.absorb(w, 3)
}

// At returns the i-th child key, for instances, trials and grid points. Numbered children never
// collide with named ones.
func (k Key) At(i int) Key { return k.absorb(uint64(i), 4) }

// PCG returns a fresh generator for this key.
func (k Key) PCG() *PCG { return &PCG{k.hi, k.lo} }

// Rand returns a fresh *rand.Rand for this key.
func (k Key) Rand() *rand.Rand { return k.Reals(k.PCG()) }

// Reals returns a *rand.Rand on the given generator, which is shared: for real numbers, since a
// stirred key has other bits in it. Whoever takes large integers too takes them from the generator
// itself, or else a stirred key gives other index sets, hence another instance.
func (k Key) Reals(from *PCG) *rand.Rand {
	if k.tremor < stirring {
		return rand.New(from)
	}
	reach := bits.Len64(k.Reach()) / 2 // 0, 1, ... 7
	return rand.New(&stirred{from, NewTremor(k), 8<<reach - 1})
}

// stirred is a generator with other bits from the eighth on: at first three of them, and one more
// each time. Real numbers made of it, normal ones too, change by some millionths at first and some
// ten-thousandths at last, which tells a pattern of rounding errors from what is there. Integers
// below 256 stay what they are, since those that are not taken from the lowest bits are made of the
// highest. Integers below a larger power of two are taken from the lowest bits, and change: a
// shuffle of more than 511 things asks for some of them.
type stirred struct {
	from *PCG
	by   Tremor
	mask uint64
}

func (s *stirred) Uint64() uint64 { return s.from.Uint64() ^ s.by.Uint64()&s.mask<<8 }

// Perturbed returns the same key with the i-th perturbation of rounding, i ≥ 1; 0 takes it back.
// The streams of the key and of its children stay the same to the bit, but whoever computes with
// them is asked, by [Key.Perturb], to change the last bits of numbers at random: a second
// arithmetic in which nothing that rests on rounding survives.
func (k Key) Perturbed(i int) Key {
	k.tremor = uint64(i)
	return k
}

// Stirred returns the same key, with its perturbation, if it has one, extended to the generators of
// [Key.Rand], whose numbers nobody may have given to Perturb.
func (k Key) Stirred() Key {
	if k.tremor != 0 {
		k.tremor |= stirring
	}
	return k
}

// PerturbedLike returns the same key with the perturbation of another one.
func (k Key) PerturbedLike(other Key) Key {
	k.tremor = other.tremor
	return k
}

// Trembles reports whether the key is a perturbed one.
func (k Key) Trembles() bool { return k.tremor != 0 }

// Reaches is how many lengths perturbations have: perturbations 1, 1 + Reaches, … are of the same.
const Reaches = 8

// Reach is by how many last places the key's perturbation moves a number at most, 0 if there is
// none: 1 for the first one and four times as many for each further one up to the eighth, after
// which it is 1 again. A pattern of rounding errors may survive that the last bits of large numbers
// move, but not all of these.
func (k Key) Reach() uint64 {
	if k.tremor == 0 {
		return 0
	}
	return 1 << (2 * ((k.tremor&^stirring - 1) % Reaches))
}

// Perturb moves each number of v, at random, by at most [Key.Reach] last places, up, down or not at
// all, if the key is a perturbed one. Equal keys perturb in the same way. Zeros and what is not
// finite stay as they are.
func (k Key) Perturb(v []float64) {
	if k.tremor == 0 {
		return
	}
	t := NewTremor(k)
	t.Perturb(v)
}

// Tremor is a stream of perturbations, for numbers that come one after another.
type Tremor struct{ state, reach uint64 }

// NewTremor returns the stream of a key. It leaves numbers as they are if the key is no perturbed
// one.
func NewTremor(k Key) Tremor {
	if k.tremor == 0 {
		return Tremor{}
	}
	return Tremor{state: mix(k.Seed()^mix(k.tremor)) | 1, reach: k.Reach()}
}

// Active reports whether the stream perturbs anything.
func (t *Tremor) Active() bool { return t.state != 0 }

// Perturb is [Key.Perturb] with the next numbers of the stream.
func (t *Tremor) Perturb(v []float64) {
	if t.state == 0 {
		return
	}
	for i, x := range v {
		v[i] = t.One(x)
	}
}

// infinite are the bits of +Inf: those of finite numbers without their sign are fewer, of NaN more.
const infinite = 0x7ff << 52

// One returns x or a number near it.
func (t *Tremor) One(x float64) float64 {
	b := math.Float64bits(x)
	size := b &^ (1 << 63)
	if t.state == 0 || size == 0 || size >= infinite {
		return x
	}
	u := t.Uint64()
	var step uint64 // up, down or not at all, told without jumps, which nobody could foresee
	places, which := 1+u>>32&(t.reach-1), u%3
	if which == 0 {
		step = places
	}
	if which == 1 {
		step = -places
	}
	if size+step-1 >= infinite-1 { // it would leave the range, or the sign
		step = 0
	}
	return math.Float64frombits(b + step)
}

// Uint64 returns the next random bits of the stream.
func (t *Tremor) Uint64() uint64 {
	t.state += 0x9e3779b97f4a7c16 // even, so that the state stays odd and thus not zero
	return mix(t.state)
}

// Seed returns 64 bits that identify the key.
func (k Key) Seed() uint64 { return mix(k.hi ^ mix(k.lo)) }

func (k Key) absorb(w, tag uint64) Key {
	return Key{
		tremor: k.tremor,
		hi:     mix(k.hi ^ mix(w+tag*0x9e3779b97f4a7c15)),
		lo:     mix(k.lo + 0xd1342543de82ef95*mix(w^(tag<<61|0x2545f4914f6cdd1d))),
	}
}

// mix is the finaliser of SplitMix64 (Steele, Lea and Flood, Fast splittable pseudorandom number
// generators, OOPSLA
// 2014).
func mix(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
