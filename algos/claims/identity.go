package claims

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
)

// instance is a drawn problem with what the two methods of an identity share.
type instance struct {
	p    algos.FiniteSum
	n, b int
	eta  float64
	// weight is the parameter in (0, 1] of the methods that take one, as λ of ZeroSARAH
	weight float64
	radius float64 // of perturbations
	// changes of the problem, where a statement is about them
	changes []change
	x0      []float64
	T       int
	// largest ‖∇f_i(x⁰)‖: rounding errors of gradients are relative to it, also where they cancel
	// in the mean
	size   float64
	random func() algos.Randomness // the same random choices for each run
	exactness
}

// drawSmooth draws a problem that is not quadratic, but quadratic if Hessians must agree (the only
// pattern is None), because ripples differ between components.
func drawSmooth(src *props.Source, l problems.Limits) problems.Federated {
	if len(l.Patterns) == 1 && l.Patterns[0] == problems.None {
		return problems.DrawQuadratic(src, l)
	}
	return problems.DrawRippled(src, l)
}

// drawInstance draws a finite sum, a batch size, a stable step size and a run length.
func drawInstance(src *props.Source, l problems.Limits) instance {
	p := drawSmooth(src, l).ByClient()
	a := instance{p: p, n: p.Components(), x0: problems.DrawPoint(src, "x0", p.Dim(), 2),
		T: src.Int("T", 1, 12)}
	a.b = src.Int("b", 1, a.n)
	a.eta = src.Real("ηL", 0.05, 0.5) / p.Constants(a.x0).L.Value
	a.weight = src.Real("weight", 0.05, 1)
	seed := uint64(src.Int("seed", 0, 1<<20))
	a.random = func() algos.Randomness { return algos.Seeded(seed) }
	g := make([]float64, p.Dim())
	for i := range a.n {
		p.Gradient(g, a.x0, i)
		a.size = max(a.size, floats.Norm(g, 2))
	}
	return a
}

// tape runs a method on the instance. A nil randomness stands for the instance's own.
func (a instance) tape(m algos.Method, r algos.Randomness) *algos.Tape {
	if r == nil {
		r = a.random()
	}
	return props.Must(algos.RecordRun(m, algos.NewOracle(algos.Sum(a.p)), a.x0, r, a.T))
}

// recordSameTapes records that two tapes have the same iterates and estimators. Differences of
// estimators are seen on the scale of the gradients at x0, and those of iterates on that of the
// point and of a step.
func (a instance) recordSameTapes(rec *props.Recorder, got, want *algos.Tape) {
	for t := range want.X {
		a.recordSame(rec, "iterates", got.X[t], want.X[t], floats.Norm(want.X[0], 2)+a.eta*a.size)
		a.recordSame(rec, "estimators", got.V[t], want.V[t], a.size)
	}
}

// tiniest are the sizes of runs over formal gradients: up to three steps with n ≤ 3, two with n = 4.
const tiniest = "all functions, points, step sizes, perturbations and random choices with n ≤ 4, 1 ≤ b ≤ n and T ≤ 3 " +
	"(n ≤ 3) or T ≤ 2"

// quarters are weights enough for an identity whose two sides are polynomials of degree T ≤ 3 in a
// weight: it holds for all of them.
var quarters = []float64{0.25, 0.5, 0.75, 1}

// overFormalGradients settles an identity of methods: by their runs over formal gradients with all
// random choices of the tiniest sizes, from n components on.
func overFormalGradients(flat bool, try func(a instance, rec *props.Recorder),
	weights ...float64) props.Procedure {
	if len(weights) == 0 {
		weights = []float64{1}
	}
	return props.ExactSizes(tiniest, func(rec *props.Recorder) {
		for n := 1; n <= 4; n++ {
			T := 3 - n/4
			for b := 1; b <= n; b++ {
				for _, weight := range weights {
					everyOutcome(func(o *outcome) {
						u := newUniversal(o, n, 1, 2*(T+1), T, latticeOf(n, T))
						u.flat = flat
						try(instance{p: single{u}, n: n, b: b, eta: 1, weight: weight,
							radius: 1, T: T, x0: make([]float64, u.Dim()), size: 1, random: o.run,
							exactness: exactness{u}}, rec)
					})
				}
			}
		}
	}).Procedure()
}

// latticeOf is a common denominator of all coefficients in T steps: products of n, b ≤ n and the
// denominators 4 of the weights that methods take, once or twice in a step.
func latticeOf(n, T int) float64 {
	multiple := [...]float64{1, 1, 2, 6, 12}[n]
	return multiple * math.Pow(16*multiple*multiple, float64(T))
}

// scheduledCoins is a randomness whose coins fall as the function says, in order from 1; everything
// else is as before.
type scheduledCoins struct {
	algos.Randomness
	heads func(flip int) bool
	flips int
}

func (c *scheduledCoins) Uniform(algos.Purpose) float64 {
	c.flips++
	if c.heads(c.flips) {
		return 0
	}
	return 1 - 1e-16
}

// settledIdentity is an identity of runs, on drawn instances and over formal gradients.
func settledIdentity(l problems.Limits, effort float64, try func(a instance, rec *props.Recorder),
	weights ...float64) props.Check {
	return props.Settled(props.Identity(func(src *props.Source, rec *props.Recorder) {
		try(drawInstance(src, l), rec)
	}).Effort(effort), overFormalGradients(len(l.Patterns) == 1, try, weights...))
}

func identityClaims() []props.Binding {
	flat := problems.Limits{Patterns: []problems.Pattern{problems.None}}
	return []props.Binding{
		props.Bind("identity/zero-heterogeneity-sledge-option-one",
			settledIdentity(flat, 0.5, startError)),
	}
}

// startError compares the error of SLEDGE I where components differ by linear terms with what is
// left of its start.
func startError(a instance, rec *props.Recorder) {
	if a.formal == nil {
		a.T = 30
	}
	t := a.tape(&algos.SLEDGE{Eta: a.eta, Batch: a.b, Option: algos.OptionI}, nil)
	mon, g := algos.NewMonitor(algos.Sum(a.p)), make([]float64, a.p.Dim())
	component := make([]float64, len(g))
	for s := 1; s <= a.T; s++ {
		want := make([]float64, len(g))
		for _, i := range t.Unsampled(a.n, s, algos.Batches)[1] {
			a.p.Gradient(component, a.x0, i)
			floats.AddScaled(want, 1/float64(a.n), t.V[0])
			floats.AddScaled(want, -1/float64(a.n), component)
		}
		mon.Gradient(g, t.X[s])
		got := slices.Clone(t.V[s])
		floats.Sub(got, g)
		a.recordSame(rec, "estimator error", got, want, a.size)
	}
}
