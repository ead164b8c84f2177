package claims

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/internal/moved"
	"sledge/algos/internal/testproblem"
	"sledge/props"
)

// instance is a problem and what the runs on it share: those of methods for finite sums if K is 0,
// on components that are clients with one datum each, else those of federated methods.
type instance struct {
	p            algos.Problem
	P, N, d      int // components or clients, data of a client, dimension
	chosen, K, b int // clients of a round, local steps, minibatch
	T            int // steps, or rounds
	period       int // m, or the stage s, of methods that have one
	option       algos.Option
	cap          bool // minibatches beyond the data of a client are all of them
	eta          float64
	weight       float64        // in (0, 1], of methods that take one, as λ of ZeroSARAH
	radius       float64        // of perturbations
	changes      []moved.Change // of the problem, where a statement is about them
	names        [][]int        // that data of clients get where clients get others
	x0           []float64
	// largest ‖∇f_ij(x⁰)‖: rounding errors of gradients are relative to it, also where they cancel
	// in the mean
	size   float64
	random func() algos.Randomness // the same random choices for each run
	formal *universal              // over formal gradients
}

// tape runs a method on the instance.
func (a instance) tape(m algos.Method) *algos.Tape { return a.tapeWith(m, a.random()) }

// tapeWith runs it with other random choices.
func (a instance) tapeWith(m algos.Method, r algos.Randomness) *algos.Tape {
	return props.Must(algos.RecordRun(m, algos.NewOracle(a.p), a.x0, r, a.T))
}

// started starts a method on the instance.
func (a *instance) started(m algos.Method, r algos.Randomness) algos.Method {
	if err := m.Start(algos.NewOracle(a.p), a.x0, r); err != nil {
		panic(err)
	}
	return m
}

// drawSum draws a run on a finite sum of a number of components between two, on minibatches of any
// size or, where they are not to be whole, of fewer than half of them, and what else is used of the
// option, the radius r, the weight w and the period m.
func drawSum(least, most int, whole bool, used ...string) func(src *props.Source) instance {
	return func(src *props.Source) instance {
		a := instance{P: src.LogInt("n", least, most), N: 1, d: src.Int("d", 1, 4),
			T: src.Int("T", 1, 16)}
		largest := a.P
		if !whole {
			largest = (a.P - 1) / 2
		}
		a.b = src.Int("b", 1, largest)
		if slices.Contains(used, "m") {
			a.period = src.Int("m", 1, 7)
		}
		return a.onWells(src, used)
	}
}

// drawRounds draws a run of a federated method, whose minibatches may be beyond the data of a
// client where these are then all of them, and what else is used, with stages s.
func drawRounds(capped bool, used ...string) func(src *props.Source) instance {
	return func(src *props.Source) instance {
		a := instance{P: src.Int("P", 1, 9), d: src.Int("d", 1, 3), T: src.Int("T", 1, 10),
			K: src.Int("K", 1, 4), b: src.Int("b", 1, 3), cap: capped}
		a.chosen = src.Int("p", 1, a.P)
		if capped {
			a.N = src.Int("N", 1, 8)
		} else {
			a.N = src.Int("spare data", 0, 3) + a.K*a.b
		}
		if slices.Contains(used, "s") {
			a.period = src.Int("stage", 1, 4)
		}
		return a.onWells(src, used)
	}
}

// onWells gives the instance a random smooth objective that is not convex, a start, and what
// methods are given besides and is used.
func (a instance) onWells(src *props.Source, used []string) instance {
	if slices.Contains(used, "option") {
		a.option = algos.Option(src.Pick("option", "II", "I"))
	}
	a.eta = src.LogReal("η", 0.01, 0.4)
	if slices.Contains(used, "r") {
		a.radius = src.Real("r", 0, 0.5)
	}
	if slices.Contains(used, "w") {
		a.weight = src.Real("w", 0.05, 1)
	}
	r := src.Rand("objective")
	wells := testproblem.DrawWells(a.P, a.N, a.d, r)
	if a.p = wells; a.K == 0 {
		a.p = algos.Sum(wells.FiniteSum())
	}
	a.x0 = normal(a.d, r)
	key := src.Key("choices")
	a.random = func() algos.Randomness { return algos.Keyed(key) }
	g := make([]float64, a.d)
	for k := range a.P * a.N {
		wells.Gradient(g, a.x0, k/a.N, k%a.N)
		a.size = max(a.size, floats.Norm(g, 2))
	}
	return a
}

func normal(d int, r interface{ NormFloat64() float64 }) []float64 {
	x := make([]float64, d)
	for l := range x {
		x[l] = 2 * r.NormFloat64()
	}
	return x
}

// flat has data that differ by linear terms in the place of those that are drawn: with the
// gradients that these have at x⁰ there, and all with the changes of the first one from there.
func flat(draw func(src *props.Source) instance) func(src *props.Source) instance {
	return func(src *props.Source) instance {
		a := draw(src)
		p, g := a.p, make([]float64, a.d)
		a.p = altered{p, a.N, func(dst, x []float64, i, j int) {
			p.Gradient(dst, a.x0, i, j)
			for c, at := range [][]float64{a.x0, x} {
				p.Gradient(g, at, 0, 0)
				floats.AddScaled(dst, float64(2*c-1), g)
			}
		}}
		return a
	}
}

// settled is an identity of runs, on drawn instances and over formal gradients of tiny sizes.
func settled(draw func(src *props.Source) instance, effort float64, sizes tinySizes,
	try func(a instance, rec *props.Recorder)) props.Check {
	return props.Settled(searched(draw, effort, try), sizes.exact(try).Procedure())
}

// searched is one on drawn instances alone.
func searched(draw func(src *props.Source) instance, effort float64,
	try func(a instance, rec *props.Recorder)) *props.Deterministic {
	return props.Identity(func(src *props.Source, rec *props.Recorder) {
		try(draw(src), rec)
	}).Effort(effort)
}

// along returns the gradients of data at the points of a recorded run, local ones included, and the
// largest norm among them, the scale of rounding errors.
func (a instance) along(tape *algos.Tape) (grad gradients, scale float64) {
	points := slices.Clone(tape.X)
	if tape.Local != nil {
		points = points[:1]
		for _, local := range tape.Local[1:] {
			points = append(points, local[1:]...)
		}
	}
	g := make([][]float64, len(points)*a.P*a.N)
	for s, x := range points {
		for k := range a.P * a.N {
			v := make([]float64, a.d)
			a.p.Gradient(v, x, k/a.N, k%a.N)
			g[s*a.P*a.N+k] = v
			scale = max(scale, floats.Norm(v, 2))
		}
	}
	return func(i, j, s int) []float64 { return g[(s*a.P+i)*a.N+j] }, scale
}

// recordSameRun records that two runs visit the same points and have the same estimators.
func (u *universal) recordSameRun(rec *props.Recorder, what string, got, want *algos.Tape) {
	far, steep := 0.0, 0.0
	for t, x := range want.X {
		far, steep = max(far, floats.Norm(x, 2)), max(steep, floats.Norm(want.V[t], 2))
	}
	for t := range want.X {
		u.recordSame(rec, "iterates "+what, got.X[t], want.X[t], far)
		u.recordSame(rec, "estimators "+what, got.V[t], want.V[t], steep)
	}
}

// overlap counts the elements that two sets share.
func overlap(a, b []int) int {
	return len(slices.DeleteFunc(slices.Clone(a),
		func(i int) bool { return !slices.Contains(b, i) }))
}

// altered is a problem with other gradients, or fewer data.
type altered struct {
	algos.Problem
	data     int // of each client
	gradient func(dst, x []float64, i, j int)
}

func (p altered) Size(int) int                        { return p.data }
func (p altered) Gradient(dst, x []float64, i, j int) { p.gradient(dst, x, i, j) }

// recordCount compares an integer count exactly.
func recordCount[N int | int64](rec *props.Recorder, what string, measured N, rel props.Relation,
	claimed int) {
	rec.Floats(what, float64(measured), rel, float64(claimed))
}
