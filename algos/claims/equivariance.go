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

// change is a change of coordinates and units: x ↦ Q(x) + shift, f ↦ factor·f.
type change struct {
	q      *mat.Dense // orthogonal; nil for the identity
	shift  []float64  // nil for none
	factor float64
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

// randomness turns the noise along.
func (c change) randomness(r algos.Randomness) algos.Randomness {
	return &algos.Altered{Randomness: r, Floats: func(dst []float64, _ algos.Purpose) {
		q, _ := c.matrix()
		copy(dst, multiply(q, dst))
	}}
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

// checkChange compares a run of SLEDGE on the changed problem with the changed run. Over formal gradients, in which
// methods are linear, it is enough to look at the given change of them.
func checkChange(what string, draw func(d int, src *props.Source, r *rand.Rand) change,
	formal func(d int) change) props.Check {
	try := func(s *sledgeRun, c change, rec *props.Recorder) {
		m := *s.m
		m.Eta /= c.factor
		there := props.Must(algos.RecordRun(&m, algos.NewOracle(algos.Sum(c.objective(s.p).FiniteSum())), c.point(s.x0),
			c.randomness(s.random()), s.T))
		s.recordSameRun(rec, what, there, c.tape(s.tape(s.m)))
	}
	return props.Settled(props.Identity(func(src *props.Source, rec *props.Recorder) {
		s := drawSLEDGERun(src)
		try(s, draw(s.p.D, src, src.Rand("change")), rec)
	}), props.ExactSizes(tinyRuns, func(rec *props.Recorder) {
		eachFormalRun(func(s *sledgeRun) { try(s, formal(s.p.D), rec) })
	}).Procedure())
}

// formalShift moves by an unknown, formalRotation permutes all of them in a circle, and formalFactor is 2.
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

func equivarianceClaims() []props.Binding {
	return []props.Binding{
		props.Bind("sledge-translation-equivariance",
			checkChange("of the shifted problem and the shifted run", drawShift, formalShift)),
		props.Bind("sledge-rotation-equivariance",
			checkChange("of the rotated problem and the rotated run", drawRotation, formalRotation)),
		props.Bind("sledge-permutation-equivariance", props.Settled(
			props.Identity(func(src *props.Source, rec *props.Recorder) {
				s := drawSLEDGERun(src)
				relabelled(s, src.Rand("permutation").Perm(s.p.P), rec)
			}), props.ExactSizes(tinyRuns, func(rec *props.Recorder) {
				eachFormalRun(func(s *sledgeRun) {
					for _, to := range generators(s.p.P) {
						relabelled(s, to, rec)
					}
				})
			}).Procedure())),
		props.Bind("sledge-scale-equivariance", checkChange("of the scaled problem and the scaled run", drawFactor,
			formalFactor)),
	}
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

// relabelled compares a run of SLEDGE with the run in which components and minibatches have other names.
func relabelled(s *sledgeRun, to []int, rec *props.Recorder) {
	from := inverse(to)
	p := *s.p
	p.Grad = func(dst, x []float64, i, j int) { s.p.Grad(dst, x, from[i], j) }
	r := &algos.Altered{Randomness: s.random(), Ints: func(dst []int, _ algos.Purpose) {
		for k, i := range dst {
			dst[k] = to[i]
		}
	}}
	there := props.Must(algos.RecordRun(s.m, algos.NewOracle(algos.Sum(p.FiniteSum())), s.x0, r, s.T))
	s.recordSameRun(rec, "before and after relabelling", there, s.tape(s.m))
}

func inverse(perm []int) []int {
	out := make([]int, len(perm))
	for i, k := range perm {
		out[k] = i
	}
	return out
}
