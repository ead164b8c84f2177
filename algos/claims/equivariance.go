package claims

import (
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"sledge/algos"
	"sledge/algos/internal/moved"
	"sledge/props"
)

// orthogonal returns a random orthogonal matrix.
func orthogonal(d int, r *rand.Rand) *mat.Dense {
	var qr mat.QR
	qr.Factorize(mat.NewDense(d, d, normal(d*d, r)))
	q := new(mat.Dense)
	qr.QTo(q)
	return q
}

// move is a change of the problem with which runs change, on n components in dimension d: as it is
// drawn, and those that are enough over formal gradients, in which methods are linear.
type move struct {
	draw   func(n, d int, src *props.Source) moved.Change
	formal func(n, d int) []moved.Change
}

const relabelled = "relabelled"

// moves are those of which statements may speak. The formal ones shift by an unknown, permute all
// of them in a circle, double, and exchange components by two permutations that make all of them.
var moves = map[string]move{
	"shifted": {func(_, d int, src *props.Source) moved.Change {
		shift := normal(d, src.Rand("change"))
		floats.Scale(src.LogReal("|c|", 0.005, 50), shift)
		return moved.Change{Shift: shift, Factor: 1}
	}, func(_, d int) []moved.Change {
		shift := make([]float64, d)
		shift[d-1] = 1
		return []moved.Change{{Shift: shift, Factor: 1}}
	}},
	"rotated": {func(_, d int, src *props.Source) moved.Change {
		return moved.Change{Q: orthogonal(d, src.Rand("change")), Factor: 1}
	}, func(_, d int) []moved.Change {
		q := mat.NewDense(d, d, nil)
		for k := range d {
			q.Set((k+1)%d, k, 1)
		}
		return []moved.Change{{Q: q, Factor: 1}}
	}},
	"scaled": {func(_, _ int, src *props.Source) moved.Change {
		return moved.Change{Factor: src.LogReal("c", 1e-3, 1e3)}
	}, func(_, _ int) []moved.Change { return []moved.Change{{Factor: 2}} }},
	relabelled: {func(n, _ int, src *props.Source) moved.Change {
		return moved.Change{Names: src.Rand("permutation").Perm(n), Factor: 1}
	}, func(n, _ int) []moved.Change {
		circle, swap := make([]int, n), upTo(n)
		for i := range circle {
			circle[i] = (i + 1) % n
		}
		swap[0], swap[n-1] = swap[n-1], swap[0]
		return []moved.Change{{Names: circle, Factor: 1}, {Names: swap, Factor: 1}}
	}},
}

// recordMoved compares runs on changed problems with the changed run. Step sizes are those of the
// units.
func (a instance) recordMoved(rec *props.Recorder, method func(eta float64) algos.Method) {
	was := a.tape(method(a.eta))
	for _, c := range a.changes {
		b := a
		b.p = altered{a.p, a.N, c.Gradient(a.p.Gradient)}
		b.x0 = c.Point(a.x0)
		is, want := b.tapeWith(method(a.eta/c.Factor), c.Randomness(a.random())), &algos.Tape{}
		for t := range was.X {
			want.X = append(want.X, c.Point(was.X[t]))
			want.V = append(want.V, c.Estimator(was.V[t]))
		}
		a.formal.recordSameRun(rec, "of the changed problem and the changed run", is, want)
		for t, local := range is.Local {
			for k, x := range local {
				a.formal.recordSame(rec, "local points of the changed problem and the changed run",
					x, c.Point(was.Local[t][k]), 0)
			}
		}
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

// recordRelabelled compares a run of FLEDGE with its repetition after clients have been renamed and,
// client by client, their data.
func (a instance) recordRelabelled(rec *props.Recorder, method func(eta float64) algos.Method) {
	to, from, data := a.changes[0].Names, make([]int, a.P), a.names
	for i, k := range to {
		from[k] = i
	}
	tape, b := a.tape(method(a.eta)), a
	b.p = altered{a.p, a.N, func(dst, x []float64, i, j int) {
		a.p.Gradient(dst, x, from[i], slices.Index(data[from[i]], j))
	}}
	// The clients that draw data next: all of them at first, in the order of their new names.
	drawing, start := from, tape.Sets(0, algos.LocalBatches)
	there := b.tapeWith(method(a.eta), &algos.Altered{Randomness: tape.Replay(),
		Ints: func(set []int, _ int, p algos.Purpose) {
			names := to
			switch p {
			case algos.Worker:
				drawing, start = slices.Repeat(set, a.K), nil
			case algos.Clients:
				drawing, start = slices.Clone(set), nil
			case algos.LocalBatches:
				i := drawing[0]
				if start != nil {
					copy(set, start[i])
				}
				names, drawing = data[i], drawing[1:]
			}
			for k, i := range set {
				set[k] = names[i]
			}
		}})
	a.formal.recordSameRun(rec, "before and after relabelling", there, tape)
}
