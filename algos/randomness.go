package algos

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"sledge/algos/internal/huge"
	"sledge/props/keyed"
)

// Purpose says what a random choice is for. Every purpose has a stream of its own, so that two
// methods, or two runs of one method that differ in a single kind of choice, can share all the
// others.
type Purpose uint8

// The purposes of random choices.
const (
	Batches      Purpose = iota // index sets I^t of a finite-sum method
	Noise                       // perturbations ξ^t
	Clients                     // client sets I^t
	Worker                      // the client i_t that does the local steps
	LocalBatches                // data sets J of a client
	Coins                       // coin flips and random choices of an output
	SecondBatch                 // a second, independent index set of the same step
	purposes
)

func (p Purpose) String() string {
	return [...]string{"batches", "noise", "clients", "worker", "local batches", "coins",
		"second batch"}[p]
}

// Randomness supplies all random choices of a method. [Keyed] draws them from keyed streams; a
// [Tape] records or replays them; tests supply scripted, relabelled or rotated ones.
// Implementations are not safe for concurrent use.
type Randomness interface {
	// Subset fills dst with len(dst) distinct indices from [0, n), uniformly without replacement.
	// It panics if len(dst) > n.
	Subset(dst []int, n int, p Purpose)
	// Indices fills dst with independent uniform indices from [0, n).
	Indices(dst []int, n int, p Purpose)
	// Ball fills dst with a uniform point of the solid Euclidean ball of radius r ≥ 0 around the
	// origin.
	Ball(dst []float64, r float64, p Purpose)
	// Normal fills dst with independent standard normal numbers.
	Normal(dst []float64, p Purpose)
	// Uniform returns a number in [0, 1).
	Uniform(p Purpose) float64
}

// Keyed returns the randomness of the given key: one PCG stream for each purpose. With a perturbed
// key (see [keyed.Key.Perturbed]) the index sets stay the same, and the last bits of noise and of
// every gradient that the oracle serves to a method started with it are moved at random.
func Keyed(key keyed.Key) Randomness {
	k := &keyedRandomness{key: key}
	if key.Trembles() {
		k.tremor = keyed.NewTremor(key.With("noise in last bits"))
	}
	return k
}

// Seeded returns Keyed(keyed.New(seed)).
func Seeded(seed uint64) Randomness { return Keyed(keyed.New(seed)) }

type keyedRandomness struct {
	key     keyed.Key
	streams [purposes]*stream
	tremor  keyed.Tremor // of the real numbers
}

// stream is what choices of one purpose are made from.
type stream struct {
	pcg   keyed.PCG
	ints  rand.Rand // on it: index sets are the same in every arithmetic
	reals rand.Rand // on it, with other bits in a stirred run
	// of different lengths n, partially shuffled identities: Subset costs O(len(dst)) after its
	// second call
	perms  [][]int32
	opened opening
	swaps  []int // of foresee
}

// opening is a first call of Subset, which leaves no permutation behind.
type opening struct{ size, n int }

// trembler is the ability of a randomness to perturb the gradients of the run that it is made for.
type trembler interface{ gradients() keyed.Tremor }

// tremorOf returns the perturbation of the gradients of a run with the randomness; none is the zero
// Tremor.
func tremorOf(r Randomness) keyed.Tremor {
	if t, ok := r.(trembler); ok {
		return t.gradients()
	}
	return keyed.Tremor{}
}

func (k *keyedRandomness) gradients() keyed.Tremor {
	if !k.key.Trembles() {
		return keyed.Tremor{}
	}
	return keyed.NewTremor(k.key.With("gradients in last bits"))
}

func (k *keyedRandomness) stream(p Purpose) *stream {
	if s := k.streams[p]; s != nil {
		return s
	}
	return k.open(p)
}

func (k *keyedRandomness) open(p Purpose) *stream {
	k.streams[p] = newStream(k.key.With(p.String()))
	return k.streams[p]
}

func newStream(key keyed.Key) *stream {
	s := &stream{pcg: *key.PCG()}
	s.ints, s.reals = *rand.New(&s.pcg), *key.Reals(&s.pcg)
	return s
}

// foresighted is the ability of a randomness to say ahead which subsets of one index it will give
// if it is asked for these. It changes nothing that is drawn.
type foresighted interface {
	foresee(dst []int, n int, p Purpose) bool
}

func (k *keyedRandomness) foresee(dst []int, n int, p Purpose) bool {
	s := k.stream(p)
	perm := k.permutation(n, p)
	saved := s.pcg
	s.swaps = s.swaps[:0]
	for i := range dst {
		j := s.ints.IntN(n)
		s.swaps = append(s.swaps, j)
		perm[0], perm[j] = perm[j], perm[0]
		dst[i] = int(perm[0])
	}
	for _, j := range slices.Backward(s.swaps) {
		perm[0], perm[j] = perm[j], perm[0]
	}
	s.pcg = saved
	return true
}

// Subset runs the first len(dst) steps of a Fisher-Yates shuffle on a kept permutation: whatever
// order earlier calls left, the result is uniform. Many runs want a single subset, so the first
// call borrows an identity, and the second one repeats what the first has done to it.
func (k *keyedRandomness) Subset(dst []int, n int, p Purpose) {
	if len(dst) > n || n > math.MaxInt32 {
		panic(fmt.Sprintf("algos: subset of %d indices out of %d", len(dst), n))
	}
	if k.streams[p] == nil && n <= lentMost {
		s := k.stream(p)
		s.opened = opening{len(dst), n}
		lent := identities.Get().(*identity)
		lent.shuffle(dst, n, s)
		identities.Put(lent)
		return
	}
	k.stream(p).shuffle(dst, k.permutation(n, p))
}

// shuffle draws all places that it exchanges first: in a long permutation each is far away in
// memory.
func (s *stream) shuffle(dst []int, perm []int32) {
	s.pcg.Descending(dst, len(perm))
	for i, j := range dst {
		j += i
		at := perm[j]
		perm[j] = perm[i]
		perm[i] = at
		dst[i] = int(at)
	}
}

// permutation returns the kept permutation of [0, n), the identity at first.
func (k *keyedRandomness) permutation(n int, p Purpose) []int32 {
	s := k.stream(p)
	for _, perm := range s.perms {
		// a run asks for few different n: one, or the sizes of its clients
		if len(perm) == n {
			return perm
		}
	}
	perm := appendIdentity(huge.Make[int32](n)[:0], n)
	if first := s.opened; first.n == n {
		newStream(k.key.With(p.String())).shuffle(make([]int, first.size), perm)
	}
	s.perms = append(s.perms, perm)
	return perm
}

// appendIdentity extends the identity on [0, len(perm)) to [0, n).
func appendIdentity(perm []int32, n int) []int32 {
	perm = slices.Grow(perm, max(0, n-len(perm)))
	for i := len(perm); i < n; i++ {
		perm = append(perm, int32(i))
	}
	return perm
}

// lentMost is the length of the longest identity that is lent.
const lentMost = 1 << 16

// identity is an identity that is lent for a single shuffle, with the places that this has swapped.
type identity struct{ perm, swapped []int32 }

var identities = sync.Pool{New: func() any { return new(identity) }}

// shuffle is the function of that name on the first n places, after which the identity is restored.
func (l *identity) shuffle(dst []int, n int, s *stream) {
	l.perm = appendIdentity(l.perm, n)
	l.swapped = slices.Grow(l.swapped[:0], len(dst))[:len(dst)]
	perm, swapped := l.perm[:n], l.swapped
	s.pcg.Descending(dst, n)
	for i, j := range dst {
		j += i
		swapped[i] = int32(j)
		dst[i], perm[j] = int(perm[j]), perm[i] // nobody looks at place i again
	}
	for i, j := range swapped {
		perm[i], perm[j] = int32(i), j
	}
}

func (k *keyedRandomness) Indices(dst []int, n int, p Purpose) {
	s := &k.stream(p).ints
	for i := range dst {
		dst[i] = s.IntN(n)
	}
}

// Ball scales a normal vector of d + 2 numbers to length r, of which it takes the first d: by
// Archimedes these are uniform in the ball. The squares of the other two add up to twice an
// exponential number.
func (k *keyedRandomness) Ball(dst []float64, r float64, p Purpose) {
	if r == 0 {
		clear(dst)
		return
	}
	s := &k.stream(p).reals
	square := 2 * s.ExpFloat64()
	for i := range dst {
		dst[i] = s.NormFloat64()
		square += dst[i] * dst[i]
	}
	scale := r / math.Sqrt(square)
	for i := range dst {
		dst[i] *= scale
	}
	k.tremor.Perturb(dst)
}

func (k *keyedRandomness) Normal(dst []float64, p Purpose) {
	s := &k.stream(p).reals
	for i := range dst {
		dst[i] = s.NormFloat64()
	}
	k.tremor.Perturb(dst)
}

func (k *keyedRandomness) Uniform(p Purpose) float64 { return k.stream(p).reals.Float64() }
