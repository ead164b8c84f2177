package props

import (
	"math/bits"
	"math/rand/v2"
	"sync"

	"sledge/props/keyed"
)

// stratified draws instances that are spread evenly: the cube of the positions of the choices is
// cut into cells of equal volume, and each draw lies in another cell, at a random place in it. A
// set of instances of share x is missed by n such draws with probability at most (1-x)^n, whatever
// its shape, as by independent draws (by concavity of the logarithm for a full set of cells, and by
// Maclaurin's inequality for a random part of it), and boxes are missed less often.
type stratified struct {
	key    keyed.Key
	dim    int   // choices that have a position, as far as the cells are concerned
	digits int   // binary digits of the number of cells
	order  []int // of the cells, for as many draws as have been prepared
	drawn  int   // draws handed out
}

// newStratified prepares for some n draws of instances like the given one.
func newStratified(key keyed.Key, like []Choice, n int) *stratified {
	v := &stratified{key: key}
	for i := range like {
		if !like[i].Seed {
			v.dim++
		}
	}
	if v.dim > 0 {
		v.digits = max(0, bits.Len(uint(n))-1)
	}
	return v
}

// take returns the number of the next draw.
func (v *stratified) take() int {
	if v.drawn == len(v.order) {
		v.order = append(v.order, v.key.With("cells").At(v.drawn).Rand().Perm(1<<v.digits)...)
	}
	v.drawn++
	return v.drawn - 1
}

// chooser returns the i-th draw, one of those that have been taken.
func (v *stratified) chooser(i int) Chooser {
	r := v.key.At(i).Rand()
	cell := v.order[i]
	j := -1
	return func(c Choice) float64 {
		u := r.Float64()
		if c.Seed {
			return c.At(u)
		}
		j++
		for k := j; k < v.digits && j < v.dim; k += v.dim {
			// the digits of the cell go round the choices
			u = (u + float64(cell>>k&1)) / 2
		}
		return c.At(u)
	}
}

// even draws n instances so that each choice takes its n positions evenly: the range of each is cut
// into n parts, and each draw has another part of it (McKay, Beckman and Conover, Technometrics 21,
// 1979). A whole number of at most n values takes all of them. A box of share x is missed with
// probability at most (1-x)^n, as by independent draws: of the na draws in an interval of length a
// those in one of length b of another choice are a sample without replacement.
func even(key keyed.Key, n int) func(i int, rng *rand.Rand) (Chooser, bool) {
	var mu sync.Mutex
	var orders [][]int // of the parts, for each choice
	part := func(j, i int) int {
		mu.Lock()
		defer mu.Unlock()
		for j >= len(orders) {
			orders = append(orders, key.With("order of parts").At(len(orders)).Rand().Perm(n))
		}
		return orders[j][i]
	}
	return func(i int, rng *rand.Rand) (Chooser, bool) {
		j := -1
		return func(c Choice) float64 {
			u := rng.Float64()
			if c.Seed {
				return c.At(u)
			}
			j++
			return c.At((float64(part(j, i)) + u) / float64(n))
		}, true
	}
}
