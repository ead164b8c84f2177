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

// checkChange compares a run of SLEDGE on the changed problem with the changed run.
func checkChange(what string, draw func(d int, src *props.Source, r *rand.Rand) change) props.Check {
	return props.Identity(func(src *props.Source, rec *props.Recorder) {
		s := drawSLEDGERun(src)
		c := draw(s.p.D, src, src.Rand("change"))
		m := *s.m
		m.Eta /= c.factor
		there := props.Must(algos.RecordRun(&m, algos.NewOracle(algos.Sum(c.objective(s.p).FiniteSum())), c.point(s.x0),
			c.randomness(algos.Keyed(s.key)), s.T))
		recordSameRun(rec, what, there, c.tape(s.tape(s.m)))
	})
}

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
			checkChange("of the shifted problem and the shifted run", drawShift)),
		props.Bind("sledge-rotation-equivariance",
			checkChange("of the rotated problem and the rotated run", drawRotation)),
		props.Bind("sledge-permutation-equivariance", props.Identity(func(src *props.Source, rec *props.Recorder) {
			s := drawSLEDGERun(src)
			to := src.Rand("permutation").Perm(s.p.P)
			from := inverse(to)
			p := *s.p
			p.Grad = func(dst, x []float64, i, j int) { s.p.Grad(dst, x, from[i], j) }
			r := &algos.Altered{Randomness: algos.Keyed(s.key), Ints: func(dst []int, _ algos.Purpose) {
				for k, i := range dst {
					dst[k] = to[i]
				}
			}}
			there := props.Must(algos.RecordRun(s.m, algos.NewOracle(algos.Sum(p.FiniteSum())), s.x0, r, s.T))
			recordSameRun(rec, "before and after relabelling", there, s.tape(s.m))
		})),
		props.Bind("sledge-scale-equivariance", checkChange("of the scaled problem and the scaled run", drawFactor)),
	}
}

func inverse(perm []int) []int {
	out := make([]int, len(perm))
	for i, k := range perm {
		out[k] = i
	}
	return out
}
