package algos

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"sledge/props/keyed"
)

// Purpose says what a random choice is for. Every purpose has a stream of its own, so that two methods, or two runs of
// one method that differ in a single kind of choice, can share all the others.
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
	return [...]string{"batches", "noise", "clients", "worker", "local batches", "coins", "second batch"}[p]
}

// Randomness supplies all random choices of a method. [Keyed] draws them from keyed streams; a [Tape] records or
// replays them; tests supply scripted, relabelled or rotated ones. Implementations are not safe for concurrent use.
type Randomness interface {
	// Subset fills dst with len(dst) distinct indices from [0, n), uniformly without replacement. It panics if len(dst)
	// > n.
	Subset(dst []int, n int, p Purpose)
	// Indices fills dst with independent uniform indices from [0, n).
	Indices(dst []int, n int, p Purpose)
	// Ball fills dst with a uniform point of the solid Euclidean ball of radius r ≥ 0 around the origin.
	Ball(dst []float64, r float64, p Purpose)
	// Normal fills dst with independent standard normal numbers.
	Normal(dst []float64, p Purpose)
	// Uniform returns a number in [0, 1).
	Uniform(p Purpose) float64
}

// Keyed returns the randomness of the given key: one PCG stream for each purpose. With a perturbed key (see
// [keyed.Key.Perturbed]) the index sets stay the same, and the last bits of noise and of every gradient that the oracle
// serves to a method started with it are moved at random.
func Keyed(key keyed.Key) Randomness {
	return &keyedRandomness{key: key, tremor: keyed.NewTremor(key.With("noise in last bits"))}
}

// Seeded returns Keyed(keyed.New(seed)).
func Seeded(seed uint64) Randomness { return Keyed(keyed.New(seed)) }

type keyedRandomness struct {
	key     keyed.Key
	streams [purposes]*rand.Rand
	sources [purposes]*rand.PCG // of the streams; nil where those are perturbed
	swaps   []int               // of foresee
	// of different lengths n, partially shuffled identities: Subset costs O(len(dst)) after its first call
	perms  [purposes][][]int32
	tremor keyed.Tremor // of the real numbers
}

// trembler is the ability of a randomness to perturb the gradients of the run that it is made for.
type trembler interface{ gradients() keyed.Tremor }

// tremorOf returns the perturbation of the gradients of a run with the randomness; none is the zero Tremor.
func tremorOf(r Randomness) keyed.Tremor {
	if t, ok := r.(trembler); ok {
		return t.gradients()
	}
	return keyed.Tremor{}
}

func (k *keyedRandomness) gradients() keyed.Tremor {
	return keyed.NewTremor(k.key.With("gradients in last bits"))
}

func (k *keyedRandomness) stream(p Purpose) *rand.Rand {
	if k.streams[p] == nil {
		if key := k.key.With(p.String()); key.Trembles() {
			k.streams[p] = key.Rand()
		} else {
			k.sources[p] = key.PCG()
			k.streams[p] = rand.New(k.sources[p])
		}
	}
	return k.streams[p]
}

// foresighted is the ability of a randomness to say ahead which subsets of one index it will give if it is asked for
// these. It changes nothing that is drawn.
type foresighted interface {
	foresee(dst []int, n int, p Purpose) bool
}

func (k *keyedRandomness) foresee(dst []int, n int, p Purpose) bool {
	perm := k.permutation(n, p)
	if k.stream(p); k.sources[p] == nil {
		return false
	}
	saved := *k.sources[p]
	k.swaps = k.swaps[:0]
	for i := range dst {
		j := k.streams[p].IntN(n)
		k.swaps = append(k.swaps, j)
		perm[0], perm[j] = perm[j], perm[0]
		dst[i] = int(perm[0])
	}
	for _, j := range slices.Backward(k.swaps) {
		perm[0], perm[j] = perm[j], perm[0]
	}
	*k.sources[p] = saved
	return true
}

// Subset runs the first len(dst) steps of a Fisher-Yates shuffle on a kept permutation: whatever order earlier calls
// left, the result is uniform.
func (k *keyedRandomness) Subset(dst []int, n int, p Purpose) {
	if len(dst) > n || n > math.MaxInt32 {
		panic(fmt.Sprintf("algos: subset of %d indices out of %d", len(dst), n))
	}
	perm := k.permutation(n, p)
	s := k.stream(p)
	for i := range dst {
		j := i + s.IntN(n-i)
		perm[i], perm[j] = perm[j], perm[i]
		dst[i] = int(perm[i])
	}
}

// permutation returns the kept permutation of [0, n), the identity at first.
func (k *keyedRandomness) permutation(n int, p Purpose) []int32 {
	for _, perm := range k.perms[p] { // a run asks for few different n: one, or the sizes of its clients
		if len(perm) == n {
			return perm
		}
	}
	perm := make([]int32, n)
	for i := range perm {
		perm[i] = int32(i)
	}
	k.perms[p] = append(k.perms[p], perm)
	return perm
}

func (k *keyedRandomness) Indices(dst []int, n int, p Purpose) {
	s := k.stream(p)
	for i := range dst {
		dst[i] = s.IntN(n)
	}
}

// Ball scales a normal vector to length r U^{1/d}.
func (k *keyedRandomness) Ball(dst []float64, r float64, p Purpose) {
	if r == 0 {
		clear(dst)
		return
	}
	s := k.stream(p)
	norm := 0.0
	for norm == 0 {
		for i := range dst {
			dst[i] = s.NormFloat64()
			norm += dst[i] * dst[i]
		}
	}
	scale := r * math.Pow(s.Float64(), 1/float64(len(dst))) / math.Sqrt(norm)
	for i := range dst {
		dst[i] *= scale
	}
	k.tremor.Perturb(dst)
}

func (k *keyedRandomness) Normal(dst []float64, p Purpose) {
	s := k.stream(p)
	for i := range dst {
		dst[i] = s.NormFloat64()
	}
	k.tremor.Perturb(dst)
}

func (k *keyedRandomness) Uniform(p Purpose) float64 { return k.stream(p).Float64() }
