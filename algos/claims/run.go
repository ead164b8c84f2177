package claims

import (
	"math/big"
	"slices"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/internal/testproblem"
	"sledge/props"
	"sledge/props/keyed"
)

// sledgeRun is a run of SLEDGE on a random smooth objective.
type sledgeRun struct {
	p   *testproblem.Problem
	m   *algos.SLEDGE
	x0  []float64
	key keyed.Key
	T   int
}

func drawSLEDGERun(src *props.Source) *sledgeRun {
	n, d := src.Int("n", 1, 12), src.Int("d", 1, 4)
	s := &sledgeRun{T: src.Int("T", 1, 25)}
	s.m = &algos.SLEDGE{
		Batch:  src.Int("b", 1, n),
		Option: algos.Option(src.Pick("option", "II", "I")),
		Eta:    src.LogReal("eta", 0.01, 0.6),
		Radius: src.Real("r", 0, 0.5),
	}
	r := src.Rand("objective")
	s.p = testproblem.DrawWells(n, 1, d, r)
	s.x0 = normal(d, r)
	s.key = keyed.New(r.Uint64())
	return s
}

func normal(d int, r interface{ NormFloat64() float64 }) []float64 {
	x := make([]float64, d)
	for l := range x {
		x[l] = 2 * r.NormFloat64()
	}
	return x
}

// tape runs a method on the objective of the setting, from its start, with its randomness.
func (s *sledgeRun) tape(m algos.Method) *algos.Tape {
	return props.Must(algos.RecordRun(m, algos.NewOracle(algos.Sum(s.p.FiniteSum())), s.x0, algos.Keyed(s.key), s.T))
}

// batches returns I^0, …, I^T of a tape; I^0 is nil for Option II.
func batches(tape *algos.Tape) [][]int {
	out := make([][]int, len(tape.X))
	for t := range out {
		out[t] = tape.Batch(t)
	}
	return out
}

// along returns the component gradients at the iterates of a tape, and the largest norm among them, the scale of
// rounding errors.
func along(p algos.FiniteSum, tape *algos.Tape) (grad func(i, s int) []float64, scale float64) {
	n := p.Components()
	g := make([][]float64, n*len(tape.X))
	for s, x := range tape.X {
		for i := range n {
			g[s*n+i] = make([]float64, p.Dim())
			p.Gradient(g[s*n+i], x, i)
			scale = max(scale, floats.Norm(g[s*n+i], 2))
		}
	}
	return func(i, s int) []float64 { return g[s*n+i] }, scale
}

// recordZero records that a linear combination of unknown vectors is the origin.
func recordZero(rec *props.Recorder, what string, f form) {
	rec.Rats(what, f.size(), props.EQ, new(big.Rat))
}

// recordSameRun records that two runs visit the same points and have the same estimators.
func recordSameRun(rec *props.Recorder, what string, got, want *algos.Tape) {
	far, steep := 0.0, 0.0
	for t, x := range want.X {
		far, steep = max(far, floats.Norm(x, 2)), max(steep, floats.Norm(want.V[t], 2))
	}
	for t := range want.X {
		rec.EqualVectors("iterates "+what, got.X[t], want.X[t]).Scale(far)
		rec.EqualVectors("estimators "+what, got.V[t], want.V[t]).Scale(steep)
	}
}

// overlap counts the elements that two sets share.
func overlap(a, b []int) int {
	k := 0
	for _, i := range a {
		if slices.Contains(b, i) {
			k++
		}
	}
	return k
}

// homogeneous is an objective whose components differ by linear functions only: ζ = 0.
func homogeneous(p *testproblem.Problem) *testproblem.Problem {
	linear := make([][]float64, p.P)
	zero, g := make([]float64, p.D), make([]float64, p.D)
	for i := range linear {
		linear[i] = make([]float64, p.D)
		p.Grad(linear[i], zero, i, 0)
		p.Grad(g, zero, 0, 0)
		floats.Sub(linear[i], g)
	}
	q := *p
	q.Grad = func(dst, x []float64, i, _ int) {
		p.Grad(dst, x, 0, 0)
		floats.Add(dst, linear[i])
	}
	return &q
}

// recordCount compares an integer count exactly.
func recordCount(rec *props.Recorder, what string, measured int64, rel props.Relation, claimed int) {
	rec.Rats(what, big.NewRat(measured, 1), rel, big.NewRat(int64(claimed), 1))
}
