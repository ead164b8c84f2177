package algos

import (
	"math"
	"math/bits"

	"sledge/algos/internal/huge"
	"sledge/algos/internal/prefetch"
)

// table keeps a vector y_i for each component of a linear model: y_i = s_i a_i + base, a number and
// one of the bases, which components share that were stored in the same step. A base goes when
// nobody has it any more, so that with minibatches of b about (n/b)(ln b + 1) of them are kept. It
// is the table of a method that stores gradients, where n vectors would take more room.
type table struct {
	entries []entry
	d       int
	blocks  [][]float64 // of bases, d numbers each
	shift   int         // a block has 2^shift bases
	most    int         // how many bases there may be
	uses    []uses      // of each base
	free    []int       // bases without users
	shared  bool        // gradients have a part that components share
}

// uses says how many components have a base, and how many of those in addBases; between its calls
// that is 0.
type uses struct{ all, here int32 }

// entry is what a table keeps of a component; a negative base stands for zero.
type entry struct {
	scalar float64
	base   int
}

// smallTable is the size up to which a table of rows is quicker.
const smallTable = 1 << 10

// newTable returns a table of zeros for n components in dimension d, if it takes less room than n
// vectors and these are not few; otherwise nil. It needs bases if their differences are not
// multiples of rows.
func newTable(n, d, batch int, needsBases bool) *table {
	bases := 0
	if needsBases {
		b := float64(batch)
		bases = int(min(float64(n), float64(n)/b*(math.Log(b)+2))) + 2
	}
	if rows := float64(n) * float64(d); rows <= smallTable ||
		float64(2*n)+float64(bases+1)*float64(d) >= rows {
		return nil
	}
	t := emptyTable(n, d, bases)
	t.shared = needsBases
	return t
}

// emptyTable returns a table of zeros with room for so many bases.
func emptyTable(n, d, bases int) *table {
	const block = 1 << 20 // numbers, about
	t := &table{entries: huge.Make[entry](n), d: d, shift: bits.Len(uint(max(1, block/d))) - 1,
		most: bases, uses: make([]uses, 0, bases), free: make([]int, 0, bases)}
	for i := range t.entries {
		t.entries[i].base = -1
	}
	return t
}

// size returns the number of float64 that the table may keep.
func (t *table) size() int {
	if t == nil {
		return 0
	}
	return 2*len(t.entries) + t.most*t.d
}

// fresh returns a base that nobody has, and its number. Its entries are arbitrary.
func (t *table) fresh() (int, []float64) {
	base := len(t.uses)
	if last := len(t.free) - 1; last >= 0 {
		base = t.free[last]
		t.free = t.free[:last]
	} else {
		t.uses = append(t.uses, uses{})
		t.grow(base)
	}
	return base, t.base(base)
}

// grow makes room for a base, the first that has none: in a new block, which is as long as those
// are that may come, or, if there are more of them after all, in one that then gets its full
// length.
func (t *table) grow(base int) {
	at := base >> t.shift
	if at == len(t.blocks) {
		t.blocks = append(t.blocks, huge.Make[float64](min(1<<t.shift, max(1, t.most-base))*t.d))
	}
	if old := t.blocks[at]; (base-at<<t.shift+1)*t.d > len(old) {
		t.blocks[at] = huge.Make[float64](t.d << t.shift)
		copy(t.blocks[at], old)
	}
}

func (t *table) base(k int) []float64 {
	of := t.blocks[k>>t.shift]
	k &= 1<<t.shift - 1
	return of[k*t.d : (k+1)*t.d]
}

// prefetch asks for the entries of components that are to come.
func (t *table) prefetch(components []int) {
	for _, i := range components {
		prefetch.Slice(t.entries[i : i+1])
	}
}

// addBase adds c times the base of component i to dst.
func (t *table) addBase(dst []float64, c float64, i int) {
	if base := t.entries[i].base; base >= 0 {
		axpy(dst, c, t.base(base))
	}
}

// addBases adds c times the bases of the components to dst, each base once.
func (t *table) addBases(dst []float64, c float64, components []int) {
	for k, i := range components {
		if base := t.entries[i].base; base >= 0 {
			t.uses[base].here++
			if k < prefetch.Ahead {
				prefetch.Slice(t.base(base))
			}
		}
	}
	for k, i := range components {
		if next := k + prefetch.Ahead; next < len(components) {
			if base := t.entries[components[next]].base; base >= 0 {
				prefetch.Slice(t.base(base))
			}
		}
		base := t.entries[i].base
		if base < 0 || t.uses[base].here == 0 {
			continue
		}
		axpy(dst, c*float64(t.uses[base].here), t.base(base))
		t.uses[base].here = 0
	}
}

// set stores the number and the base of component i.
func (t *table) set(i int, scalar float64, base int) {
	e := &t.entries[i]
	if base >= 0 {
		t.uses[base].all++
	}
	if e.base >= 0 {
		if t.uses[e.base].all--; t.uses[e.base].all == 0 {
			t.free = append(t.free, e.base)
		}
	}
	*e = entry{scalar, base}
}

// gradients makes a table for a method that stores the gradients of its minibatches, of rows or,
// for a linear model, of numbers where these take less room: zeros, or filled with the gradients at
// x^t, of which the estimator becomes the mean. If separate is true, they are numbers, and what
// components share is left out.
func (w *state) gradients(filled, separate bool) ([]float64, *table) {
	var t *table
	switch {
	case separate:
		t = emptyTable(w.n, w.d, 0)
	case w.linear:
		t = newTable(w.n, w.d, len(w.s.idx), w.o.linear.AddShared(w.work, 0, w.x))
	}
	w.linear = t != nil
	w.s = w.sample(len(w.s.idx), w.s.replace, w.s.purpose)
	switch {
	case t == nil:
		rows := make([]float64, w.n*w.d)
		if filled {
			w.fill(rows)
		}
		return rows, nil
	case filled:
		w.fillTable(t, w.share(t))
		if t.shared {
			w.o.linear.AddShared(w.v, 1, w.x)
		}
	}
	return nil, t
}

// fillTable sets the numbers of the table to φ_i'(a_i'x^t), with the given base, and the estimator
// to the mean of the φ_i'(a_i'x^t) a_i.
func (w *state) fillTable(t *table, base int) {
	clear(w.v)
	w.o.counts.Calls++
	for i := range w.n {
		a := w.o.row(i)
		c := w.o.slope(i, a, w.x)
		a.addTo(w.v, c/float64(w.n))
		t.set(i, c, base)
	}
}

// share makes ∇r(x^t) a base.
func (w *state) share(t *table) int {
	if !t.shared {
		return -1
	}
	base, g := t.fresh()
	clear(g)
	w.o.linear.AddShared(g, 1, w.x)
	return base
}

// innovation sets the scratch vector to the sum of ∇f_i(x^t) − y_i over the sample, and keeps the
// slopes in it.
func (w *state) innovation(t *table, s *sample) {
	clear(w.work)
	w.o.counts.Calls++
	for k, i := range s.idx {
		a := w.o.rowOf(s.idx, k)
		s.now[k] = w.o.slope(i, a, w.x)
		a.addTo(w.work, s.now[k]-t.entries[i].scalar)
	}
	if t.shared {
		w.o.linear.AddShared(w.work, float64(len(s.idx)), w.x)
		t.addBases(w.work, -1, s.idx)
	}
}

// store puts the gradients of the sample at x^t into the table, of which average is the mean. It
// follows innovation.
func (w *state) store(t *table, average []float64, s *sample) {
	base, n := w.share(t), float64(w.n)
	if !s.replace {
		axpy(average, 1/n, w.work)
	}
	for k, i := range s.idx {
		if s.replace { // a component may be there twice, and changes once
			w.o.row(i).addTo(average, (s.now[k]-t.entries[i].scalar)/n)
			t.addBase(average, -1/n, i)
		}
		t.set(i, s.now[k], base)
		if s.replace {
			t.addBase(average, 1/n, i)
		}
	}
}
