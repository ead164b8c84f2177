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
	p      *testproblem.Problem
	m      *algos.SLEDGE
	x0     []float64
	random func() algos.Randomness // the same random choices for each run
	T      int
	exactness
}

// exactness says how vectors of a run are compared: exactly over formal gradients, else up to
// rounding errors.
type exactness struct{ formal *universal }

// recordSame records that two vectors agree. Rounding errors are seen on the given scale.
func (e exactness) recordSame(rec *props.Recorder, what string, got, want []float64,
	scale float64) {
	if e.formal != nil {
		e.formal.recordSame(rec, what, got, want)
		return
	}
	rec.EqualVectors(what, got, want).Scale(scale)
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
	s.random = fixed(r.Uint64())
	return s
}

// fixed are the random choices of a seed, the same for each run.
func fixed(seed uint64) func() algos.Randomness {
	return func() algos.Randomness { return algos.Keyed(keyed.New(seed)) }
}

// tinyRuns are the sizes for which statements about runs of SLEDGE are settled.
const tinyRuns = "all functions, points, step sizes, perturbations and random choices with n ≤ 4, 1 ≤ b ≤ n, " +
	"T ≤ 3 (n ≤ 3) or T ≤ 2, both options"

// settledRuns is an identity of runs of SLEDGE, on drawn instances and over formal gradients.
func settledRuns(effort float64, try func(s *sledgeRun, rec *props.Recorder)) props.Check {
	return props.Settled(props.Identity(func(src *props.Source, rec *props.Recorder) {
		try(drawSLEDGERun(src), rec)
	}).Effort(effort), props.ExactSizes(tinyRuns, func(rec *props.Recorder) {
		eachFormalRun(func(s *sledgeRun) {
			try(s, rec)
		})
	}).Procedure())
}

// eachFormalRun visits the runs of SLEDGE over formal gradients.
func eachFormalRun(visit func(s *sledgeRun)) {
	for n := 1; n <= 4; n++ {
		T := 3 - n/4
		for b := 1; b <= n; b++ {
			for _, option := range []algos.Option{algos.OptionI, algos.OptionII} {
				everyOutcome(func(o *outcome) {
					u := newUniversal(o, n, 1, 2*(T+1), T, latticeOf(n, T))
					visit(&sledgeRun{p: u.problem(),
						m:  &algos.SLEDGE{Batch: b, Option: option, Eta: 1, Radius: 1},
						x0: make([]float64, u.Dim()), random: o.run, T: T, exactness: exactness{u}})
				})
			}
		}
	}
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
	return props.Must(algos.RecordRun(m, algos.NewOracle(algos.Sum(s.p.FiniteSum())), s.x0,
		s.random(), s.T))
}

// batches returns I^0, …, I^T of a tape; I^0 is nil for Option II.
func batches(tape *algos.Tape) [][]int {
	out := make([][]int, len(tape.X))
	for t := range out {
		out[t] = tape.Batch(t)
	}
	return out
}

// along returns the component gradients at the iterates of a tape, and the largest norm among them,
// the scale of rounding errors.
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
func (e exactness) recordSameRun(rec *props.Recorder, what string, got, want *algos.Tape) {
	far, steep := 0.0, 0.0
	for t, x := range want.X {
		far, steep = max(far, floats.Norm(x, 2)), max(steep, floats.Norm(want.V[t], 2))
	}
	for t := range want.X {
		e.recordSame(rec, "iterates "+what, got.X[t], want.X[t], far)
		e.recordSame(rec, "estimators "+what, got.V[t], want.V[t], steep)
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
func recordCount(rec *props.Recorder, what string, measured int64, rel props.Relation,
	claimed int) {
	rec.Floats(what, float64(measured), rel, float64(claimed))
}
