package claims

import (
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"sledge/algos"
	"sledge/algos/internal/testproblem"
	"sledge/props"
)

// change is a change of coordinates, units and names: x ↦ Q(x) + shift, f ↦ factor·f.
type change struct {
	q      *mat.Dense // orthogonal; nil for the identity
	shift  []float64  // nil for none
	factor float64
	names  []int // the new name of each component; nil for the same
}

func multiply(q mat.Matrix, x []float64) []float64 {
	if q == nil {
		return slices.Clone(x)
	}
	y := make([]float64, len(x))
	mat.NewVecDense(len(x), y).MulVec(q, mat.NewVecDense(len(x), x))
	return y
}

func (c change) matrix() (q, transposed mat.Matrix) {
	if c.q == nil {
		return nil, nil
	}
	return c.q, c.q.T()
}

// point maps a point to the new coordinates.
func (c change) point(x []float64) []float64 {
	q, _ := c.matrix()
	y := multiply(q, x)
	if c.shift != nil {
		floats.Add(y, c.shift)
	}
	return y
}

// estimator maps a gradient.
func (c change) estimator(v []float64) []float64 {
	q, _ := c.matrix()
	y := multiply(q, v)
	floats.Scale(c.factor, y)
	return y
}

// objective returns factor·f(Qᵀ(x − shift)).
func (c change) objective(p *testproblem.Problem) *testproblem.Problem {
	out := *p
	_, transposed := c.matrix()
	out.Grad = func(dst, x []float64, i, j int) {
		y := slices.Clone(x)
		if c.shift != nil {
			floats.Sub(y, c.shift)
		}
		g := make([]float64, len(x))
		p.Grad(g, multiply(transposed, y), i, j)
		copy(dst, c.estimator(g))
	}
	return &out
}

// randomness turns the noise along, and names the components.
func (c change) randomness(r algos.Randomness) algos.Randomness {
	out := &algos.Altered{Randomness: r, Floats: func(dst []float64, _ algos.Purpose) {
		q, _ := c.matrix()
		copy(dst, multiply(q, dst))
	}}
	if c.names != nil {
		out.Ints = func(dst []int, _ algos.Purpose) {
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

// changedSum is a finite sum in other coordinates and units, with other names of its components.
type changedSum struct {
	algos.FiniteSum
	change
}

func (s changedSum) Gradient(dst, x []float64, i int) {
	if s.names != nil {
		i = slices.Index(s.names, i)
	}
	y := slices.Clone(x)
	if s.shift != nil {
		floats.Sub(y, s.shift)
	}
	_, transposed := s.matrix()
	g := make([]float64, len(x))
	s.FiniteSum.Gradient(g, multiply(transposed, y), i)
	copy(dst, s.estimator(g))
}

// moves draws a change of the problem with which runs change, by the word for it, on n components
// in dimension d.
var moves = map[string]func(n, d int, src *props.Source) change{
	"shifted": func(_, d int, src *props.Source) change { return drawShift(d, src, src.Rand("change")) },
	"rotated": func(_, d int, src *props.Source) change { return drawRotation(d, src, src.Rand("change")) },
	"scaled":  func(_, d int, src *props.Source) change { return drawFactor(d, src, nil) },
	"relabelled": func(n, _ int, src *props.Source) change {
		return change{names: src.Rand("permutation").Perm(n), factor: 1}
	},
}

// formalMoves are the changes that are enough over formal gradients, in which methods are linear.
func formalMoves(word string, n, d int) []change {
	switch word {
	case "shifted":
		return []change{formalShift(d)}
	case "rotated":
		return []change{formalRotation(d)}
	case "scaled":
		return []change{formalFactor(d)}
	}
	var out []change
	for _, names := range generators(n) {
		out = append(out, change{names: names, factor: 1})
	}
	return out
}

// recordMoved compares runs on changed problems with the changed run. Step sizes are those of the
// units.
func (a instance) recordMoved(rec *props.Recorder, changes []change,
	method func(eta float64) algos.Method) {
	was := a.tape(method(a.eta), nil)
	for _, c := range changes {
		b := a
		b.p, b.x0 = changedSum{a.p, c}, c.point(a.x0)
		a.recordSameRun(rec, "of the changed problem and the changed run",
			b.tape(method(a.eta/c.factor), c.randomness(a.random())), c.tape(was))
	}
}

// formalShift moves by an unknown, formalRotation permutes all of them in a circle, and
// formalFactor is 2.
func formalShift(d int) change {
	shift := make([]float64, d)
	shift[d-1] = 1
	return change{shift: shift, factor: 1}
}

func formalRotation(d int) change {
	q := mat.NewDense(d, d, nil)
	for k := range d {
		q.Set((k+1)%d, k, 1)
	}
	return change{q: q, factor: 1}
}

func formalFactor(int) change { return change{factor: 2} }

func drawShift(d int, src *props.Source, r *rand.Rand) change {
	shift := make([]float64, d)
	size := src.LogReal("|c|", 0.01, 100)
	for l := range shift {
		shift[l] = size * r.NormFloat64()
	}
	return change{shift: shift, factor: 1}
}

func drawRotation(d int, _ *props.Source, r *rand.Rand) change {
	return change{q: orthogonal(d, r), factor: 1}
}

func drawFactor(_ int, src *props.Source, _ *rand.Rand) change {
	return change{factor: src.LogReal("c", 1e-3, 1e3)}
}

// generators are two permutations that make all of them: a circle and an exchange.
func generators(n int) [][]int {
	circle, swap := make([]int, n), upTo(n)
	for i := range circle {
		circle[i] = (i + 1) % n
	}
	swap[0], swap[n-1] = swap[n-1], swap[0]
	return [][]int{circle, swap}
}

func inverse(perm []int) []int {
	out := make([]int, len(perm))
	for i, k := range perm {
		out[k] = i
	}
	return out
}
