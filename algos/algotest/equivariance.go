package algotest

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"sledge/algos"
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
		return clone(x)
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
func (c change) objective(p *objective) *objective {
	out := *p
	_, transposed := c.matrix()
	out.grad = func(dst, x []float64, i, j int) {
		y := clone(x)
		if c.shift != nil {
			floats.Sub(y, c.shift)
		}
		g := make([]float64, len(x))
		p.grad(g, multiply(transposed, y), i, j)
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
		s := drawSetting(src)
		c := draw(s.p.d, src, src.Rand("change"))
		m := *s.m
		m.Eta /= c.factor
		there := props.Must(algos.RecordRun(&m, algos.NewOracle(algos.Sum(sum{c.objective(s.p)})), c.point(s.x0), c.randomness(algos.Keyed(s.key)), s.T))
		sameRun(rec, what, there, c.tape(s.tape(s.m)))
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

func equivarianceClaims() []props.Claim {
	return []props.Claim{
		{
			ID: "sledge-translation-equivariance", Part: "sledge-algorithm", Tier: 2, Kind: "reduction", Lines: "284-298", Label: "algorithm:main",
			Statement: `Replacing f_i(x) by f_i(x − c) and x⁰ by x⁰ + c shifts every iterate by c for the same randomness`,
			Uses:      []string{"sledge-literal-update"},
			Expect:    props.Consistent,
			Check:     checkChange("of the shifted problem and the shifted run", drawShift),
		},
		{
			ID: "sledge-rotation-equivariance", Part: "sledge-algorithm", Tier: 2, Kind: "reduction", Lines: "284-298", Label: "algorithm:main",
			Statement: `Replacing f_i(x) by f_i(Qᵀx), x⁰ by Qx⁰ and ξ by Qξ with orthogonal Q rotates every iterate by Q`,
			Uses:      []string{"sledge-literal-update"},
			Expect:    props.Consistent,
			Check:     checkChange("of the rotated problem and the rotated run", drawRotation),
		},
		{
			ID: "sledge-permutation-equivariance", Part: "sledge-algorithm", Tier: 2, Kind: "reduction", Lines: "284-298", Label: "algorithm:main",
			Statement: `Relabelling the components f_i and the minibatches I^t by the same permutation leaves the iterates unchanged`,
			Uses:      []string{"sledge-literal-update"},
			Expect:    props.Consistent,
			Check: props.Identity(func(src *props.Source, rec *props.Recorder) {
				s := drawSetting(src)
				to := src.Rand("permutation").Perm(s.p.clients)
				from := inverse(to)
				p := *s.p
				p.grad = func(dst, x []float64, i, j int) { s.p.grad(dst, x, from[i], j) }
				r := &algos.Altered{Randomness: algos.Keyed(s.key), Ints: func(dst []int, _ algos.Purpose) {
					for k, i := range dst {
						dst[k] = to[i]
					}
				}}
				there := props.Must(algos.RecordRun(s.m, algos.NewOracle(algos.Sum(sum{&p})), s.x0, r, s.T))
				sameRun(rec, "before and after relabelling", there, s.tape(s.m))
			}),
		},
		{
			ID: "sledge-scale-equivariance", Part: "sledge-algorithm", Tier: 2, Kind: "reduction", Lines: "284-298", Label: "algorithm:main",
			Statement: `Replacing f_i by c f_i and η by η/c leaves the iterates unchanged`,
			Notes:     "For c > 0; the estimators are multiplied by c.",
			Uses:      []string{"sledge-literal-update"},
			Expect:    props.Consistent,
			Check:     checkChange("of the scaled problem and the scaled run", drawFactor),
		},
	}
}

func inverse(perm []int) []int {
	out := make([]int, len(perm))
	for i, k := range perm {
		out[k] = i
	}
	return out
}
