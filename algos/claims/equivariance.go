package claims

import (
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"sledge/algos"
	"sledge/props"
)

// change is a change of coordinates, units and names: x ↦ Q(x) + shift, f ↦ factor·f.
type change struct {
	q      *mat.Dense // orthogonal; nil for the identity
	shift  []float64  // nil for none
	factor float64
	names  []int // the new name of each component; nil for the same
}

// rotated is Qx in memory of its own.
func (c change) rotated(x []float64) []float64 {
	if c.q == nil {
		return slices.Clone(x)
	}
	return multiplied(c.q, x)
}

func multiplied(q mat.Matrix, x []float64) []float64 {
	y := make([]float64, len(x))
	mat.NewVecDense(len(x), y).MulVec(q, mat.NewVecDense(len(x), x))
	return y
}

// point maps a point to the new coordinates.
func (c change) point(x []float64) []float64 {
	y := c.rotated(x)
	if c.shift != nil {
		floats.Add(y, c.shift)
	}
	return y
}

// estimator maps a gradient.
func (c change) estimator(v []float64) []float64 {
	y := c.rotated(v)
	floats.Scale(c.factor, y)
	return y
}

// randomness turns the noise along, and names the components.
func (c change) randomness(r algos.Randomness) algos.Randomness {
	out := &algos.Altered{Randomness: r, Floats: func(dst []float64, _ algos.Purpose) {
		copy(dst, c.rotated(dst))
	}}
	if c.names != nil {
		out.Ints = func(dst []int, _ int, _ algos.Purpose) {
			for k, i := range dst {
				dst[k] = c.names[i]
			}
		}
	}
	return out
}

// tape maps a recorded run.
func (c change) tape(t *algos.Tape) *algos.Tape {
	out := &algos.Tape{}
	for s := range t.X {
		out.X = append(out.X, c.point(t.X[s]))
		out.V = append(out.V, c.estimator(t.V[s]))
	}
	return out
}

// changed is a problem in other coordinates and units, with other names of its components.
type changed struct {
	algos.Problem
	change
}

func (s changed) Gradient(dst, x []float64, i, j int) {
	if s.names != nil {
		i = slices.Index(s.names, i)
	}
	y := slices.Clone(x)
	if s.shift != nil {
		floats.Sub(y, s.shift)
	}
	if s.q != nil {
		y = multiplied(s.q.T(), y)
	}
	g := make([]float64, len(x))
	s.Problem.Gradient(g, y, i, j)
	copy(dst, s.estimator(g))
}

// orthogonal returns a random orthogonal matrix.
func orthogonal(d int, r *rand.Rand) *mat.Dense {
	g := mat.NewDense(d, d, nil)
	for i := range d {
		for j := range d {
			g.Set(i, j, r.NormFloat64())
		}
	}
	var qr mat.QR
	qr.Factorize(g)
	q := new(mat.Dense)
	qr.QTo(q)
	return q
}

// move is a change of the problem with which runs change, on n components in dimension d: as it is
// drawn, and those that are enough over formal gradients, in which methods are linear.
type move struct {
	draw   func(n, d int, src *props.Source) change
	formal func(n, d int) []change
}

const relabelled = "relabelled"

// moves are those of which statements may speak. The formal ones shift by an unknown, permute all
// of them in a circle, double, and exchange components by two permutations that make all of them.
var moves = map[string]move{
	"shifted": {func(_, d int, src *props.Source) change {
		return change{shift: drawShift(d, src, src.Rand("change")), factor: 1}
	}, func(_, d int) []change {
		shift := make([]float64, d)
		shift[d-1] = 1
		return []change{{shift: shift, factor: 1}}
	}},
	"rotated": {func(_, d int, src *props.Source) change {
		return change{q: orthogonal(d, src.Rand("change")), factor: 1}
	}, func(_, d int) []change {
		q := mat.NewDense(d, d, nil)
		for k := range d {
			q.Set((k+1)%d, k, 1)
		}
		return []change{{q: q, factor: 1}}
	}},
	"scaled": {func(_, _ int, src *props.Source) change {
		return change{factor: drawFactor(src)}
	}, func(_, _ int) []change { return []change{{factor: 2}} }},
	relabelled: {func(n, _ int, src *props.Source) change {
		return change{names: src.Rand("permutation").Perm(n), factor: 1}
	}, func(n, _ int) []change {
		circle, swap := make([]int, n), upTo(n)
		for i := range circle {
			circle[i] = (i + 1) % n
		}
		swap[0], swap[n-1] = swap[n-1], swap[0]
		return []change{{names: circle, factor: 1}, {names: swap, factor: 1}}
	}},
}

func drawShift(d int, src *props.Source, r *rand.Rand) []float64 {
	shift := make([]float64, d)
	size := src.LogReal("|c|", 0.01, 100)
	for l := range shift {
		shift[l] = size * r.NormFloat64()
	}
	return shift
}

func drawFactor(src *props.Source) float64 { return src.LogReal("c", 1e-3, 1e3) }

// recordMoved compares runs on changed problems with the changed run. Step sizes are those of the
// units.
func (a instance) recordMoved(rec *props.Recorder, method func(eta float64) algos.Method) {
	was := a.tape(method(a.eta))
	for _, c := range a.changes {
		b := a
		b.pose(changed{a.p, c})
		b.x0 = c.point(a.x0)
		is := b.tapeWith(method(a.eta/c.factor), c.randomness(a.random()))
		a.recordSameRun(rec, "of the changed problem and the changed run", is, c.tape(was))
		for t, local := range is.Local {
			for k, x := range local {
				a.recordSame(rec, "local points of the changed problem and the changed run", x,
					c.point(was.Local[t][k]), 0)
			}
		}
	}
}

func roundEquivarianceClaims() []props.Binding {
	return []props.Binding{
		props.Bind("fledge-client-permutation-equivariance", props.Identity(tryPermutations)),
	}
}

// scripted are the index sets of a script with the noise of a tape.
type scripted struct {
	algos.Script
	noise algos.Randomness
}

func (s scripted) Ball(dst []float64, r float64, p algos.Purpose) {
	if clear(dst); r > 0 {
		s.noise.Ball(dst, r, p)
	}
}

// tryPermutations compares a run on a drawn problem with its repetition after clients have been
// renamed and, client by client, their data: data[i] renames those of the client that was i.
func tryPermutations(src *props.Source, rec *props.Recorder) {
	a := drawFLEDGERun(src)
	r := src.Rand("permutations")
	to, data := r.Perm(a.P), make([][]int, a.P)
	for i := range data {
		data[i] = r.Perm(a.N)
	}
	tape, b := a.tape(a.fledge()), a
	from := make([]int, a.P)
	for i, k := range to {
		from[k] = i
	}
	b.p = altered{a.p, a.N, func(dst, x []float64, i, j int) {
		a.p.Gradient(dst, x, from[i], slices.Index(data[from[i]], j))
	}}
	rename := func(set []int, names []int) []int {
		out := make([]int, len(set))
		for k, i := range set {
			out[k] = names[i]
		}
		return out
	}
	script := algos.Script{}
	put := func(p algos.Purpose, set []int) { script[p] = append(script[p], set) }
	for t, r := range draws(tape) {
		if t > 0 {
			put(algos.Worker, []int{to[r.worker]})
			for _, batch := range r.local {
				put(algos.LocalBatches, rename(batch, data[r.worker]))
			}
		}
		if r.clients == nil {
			for i := range a.P { // clients of the new problem draw in the order of their new names
				put(algos.LocalBatches, rename(r.data[from[i]], data[from[i]]))
			}
			continue
		}
		put(algos.Clients, rename(r.clients, to))
		for k, i := range r.clients {
			put(algos.LocalBatches, rename(r.data[k], data[i]))
		}
	}
	there := b.tapeWith(a.fledge(), scripted{script, tape.Replay()})
	a.recordSameRun(rec, "before and after relabelling", there, tape)
}
