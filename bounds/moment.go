package bounds

import (
	"math"
	"math/big"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/combin"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
	"sledge/props/formula"
)

// This file holds what can be said in expectation instead of with high probability: exact one-step recursions for the
// second moments of the estimator's error, a potential function, and from it the first-order theorem and the one under
// the PL condition without logarithms. Nothing here is printed in the paper.
//
// Let z_i = y_i − ∇f_i be the error of row i, e = (1/n)Σz_i that of the estimator, c_i the deviation ∇f_i(x^t) −
// ∇f_i(x^{t−1}) − (∇f(x^t) − ∇f(x^{t−1})), and q = 1 − b/n. A step draws I uniformly from the b-subsets and sets
//
//	z_i ← 0 for i ∈ I,   z_i ← z_i + (1/b)Σ_{j∈I}c_j − c_i otherwise.
//
// Since x^t is fixed before I^t is drawn, expectations over I given the past only involve P = (1/n)Σ‖z_i‖², κ =
// (1/n)Σ‖c_i‖² and X = (1/n)Σ⟨c_i, z_i⟩.

// after returns E‖e‖² and E P after the step as rational combinations of the moments before it: rows of coefficients of
// (‖e‖², P, κ, X).
//
//	E‖e'‖² = q²‖e‖² + (qn/(n−1))(κ/b − 2X/n + (b/n²)(P − ‖e‖²))
//	E P'   = q(P − 2Xn/(n−1) + κ((n+1)/(n−1) + (n−b)/(b(n−1))))
func after(n, b int64) (errSq, rows [4]*big.Rat) {
	r := big.NewRat
	mul := func(x ...*big.Rat) *big.Rat {
		p := r(1, 1)
		for _, v := range x {
			p.Mul(p, v)
		}
		return p
	}
	q := r(n-b, n)
	g := mul(q, r(n, n-1))
	bn := mul(g, r(b, n*n))
	errSq = [4]*big.Rat{new(big.Rat).Sub(mul(q, q), bn), bn, mul(g, r(1, b)), mul(g, r(-2, n))}
	change := new(big.Rat).Add(r(n+1, n-1), r(n-b, b*(n-1)))
	rows = [4]*big.Rat{r(0, 1), q, mul(q, change), mul(q, r(-2*n, n-1))}
	return errSq, rows
}

// rowWeight is the weight λ = 3/n of P in the potential ‖e‖² + λP; 3 minimises (1+x)²/(x−1).
const rowWeight = 3.0

// momentWords are the symbols of the bounds in expectation: κ = (n−b)/(n−1), the variance of a minibatch without
// replacement over that of one with; K_0 is fullMovementFactor, of which c is the share of the decrease of P that is
// used up; s is what Option I pays for its start, A the weight of the potential.
var momentWords = plValueWords.With(formula.Symbol{Name: "κ"}, formula.Symbol{Name: "K_0"},
	formula.Symbol{Name: "A", Unit: CurvatureUnit.Power(-1)})

// The formulas of the bounds in expectation.
const (
	spread          = "(n − b)/(n − 1)"
	movementFormula = "(κ + 3κ(b + 1)/n + 16κ²/(c(3 − κ)))"
	errorBudget     = "(K_0(n − 1)/(2b²(2 − b/n)))"
	initialBudget   = "(n/(b(2 − b/n)))(κ/b + (3/n)(1 + κ/b))σ_c²"
	expectedStep    = "min{1/(2L), 1/(2ζ√" + errorBudget + ")}"
	expectedPLStep  = "min{1/(2L), b/(ζ√(60n)), b/(3μn)}"
	expectedStart   = "(3ηn/(2b))(κ/b + (3/n)(1 + κ/b))σ_c²"
)

var (
	movementFactorOf = formula.Must(momentWords, movementFormula).Of("n", "b", "κ", "c")
	errorBudgetOf    = formula.Must(momentWords, errorBudget).Of("n", "b", "K_0")
	initialBudgetOf  = formula.Must(momentWords, initialBudget).Of("n", "b", "κ", "σ_c")
	expectedStepOf   = formula.Must(momentWords, expectedStep).Of("n", "b", "K_0", "L", "ζ")
	expectedPLStepOf = formula.Must(momentWords, expectedPLStep).Of("n", "b", "L", "μ", "ζ")
	expectedStartOf  = formula.Must(momentWords, expectedStart).Of("n", "b", "κ", "η", "σ_c")
)

// spreadOf is (n−b)/(n−1), 0 for a single component.
func spreadOf(n, b int) float64 { return float64(n-b) / float64(max(1, n-1)) }

// fullMovementFactor is K in the inequality E[‖e'‖² + (3/n)P'] ≤ q²‖e‖² + (3/n)P + (K/b)κ. With ρ = (n−b)/(n−1),
//
//	K = ρ + 3ρ(b+1)/n + 16ρ²/(3−ρ) ≤ 12,
//
// from the recursions and 2|X| ≤ θP + κ/θ with the θ that uses up the decrease of P.
func fullMovementFactor(n, b int) float64 { return movementFactor(n, b, 1) }

// movementFactor is fullMovementFactor if only a share of the decrease of P is used up, so that (3/n)P shrinks; see
// [rowShrinking].
func movementFactor(n, b int, share float64) float64 {
	return movementFactorOf.At(float64(n), float64(b), spreadOf(n, b), share)
}

// plMovementFactor is K if half of the decrease of P is kept, so that (3/n)P shrinks by at least b/(3n) of it: at most
// 20.
func plMovementFactor(n, b int) float64 { return movementFactor(n, b, plShare) }

// rowShrinking is the factor (1 − share)(b/n)(1 − ρ/3) by which (3/n)P then shrinks, at least b/(3n) for half of it.
func rowShrinking(n, b int, share float64) float64 {
	return (1 - share) * float64(b) / float64(n) * (1 - spreadOf(n, b)/rowWeight)
}

// errorBudgetAt is the factor of ζ²ΣE‖x^t − x^{t−1}‖² in the bound on Σ_{t<T}E‖v^t − ∇f(x^t)‖²: K(n−1)/(2b²(2 − b/n)),
// from summing the potential, with κ ≤ ((n−1)/(2n))ζ²‖x^t − x^{t−1}‖² and 1 − q² = (b/n)(2 − b/n).
func errorBudgetAt(n, b int) float64 {
	return errorBudgetOf.At(float64(n), float64(b), fullMovementFactor(n, b))
}

// initialBudgetAt is what the start of Option I adds to that bound: (E‖e_0‖² + (3/n)E P_0)/(1 − q²), where E‖e_0‖² =
// ρσ_c²/b and P_0 = σ_c² + ‖e_0‖², σ_c² being the mean squared deviation of the component gradients at x⁰.
func initialBudgetAt(n, b int, sigmaC float64) float64 {
	return initialBudgetOf.At(float64(n), float64(b), spreadOf(n, b), sigmaC)
}

// expectedStepSize is min{1/(2L), 1/(2ζ√errorBudgetAt)}, which makes 1/(2η) − L/2 − ηζ²·errorBudgetAt ≥ 0; about
// b/(3ζ√n) where that is the smaller one.
func expectedStepSize(L, zeta float64, n, b int) float64 {
	return expectedStepOf.At(float64(n), float64(b), fullMovementFactor(n, b), L, zeta)
}

// ExpectedSteps is 2(2Δ/η + initial)/ε² with the step size of the moments, not rounded: the number of steps of
// first-main-option-one/sharper and first-main-option-two/sharper. Without noise the mean of ‖∇f‖² over them is at most
// ε² with probability one half.
func ExpectedSteps(option algos.Option, n, b int, L, zeta, delta, sigmaC, eps float64) float64 {
	initial := 0.0
	if option == algos.OptionI {
		initial = 2 * initialBudgetAt(n, b, sigmaC)
	}
	return 2 * (2*delta/expectedStepSize(L, zeta, n, b) + initial) / sq(eps)
}

// ExpectedPLStep is min{1/(2L), b/(ζ√(60n)), b/(3μn)}. With A = 3ηn/(2b) and half of the decrease of P kept, E[f(x^t) −
// f* + A(‖e‖² + (3/n)P)] shrinks by 1 − ημ in a step, but for the noise r²/η: η + Aq² ≤ A(1 − ημ), 1 − b/(3n) ≤ 1 − ημ,
// and the movement costs A(20/b)((n−1)/(2n))ζ² ≤ 15ηζ²n/b² ≤ 1/(4η) ≤ 1/(2η) − L/2.
func ExpectedPLStep(L, mu, zeta float64, n, b int) float64 {
	return expectedPLStepOf.At(float64(n), float64(b), L, mu, zeta)
}

// ExpectedPLStart is A(‖e_0‖² + (3/n)P_0), which the start of Option I adds to Δ: (3ηn/(2b))(ρ/b + (3/n)(1 + ρ/b))σ_c².
// It is 0 for Option II.
func ExpectedPLStart(option algos.Option, eta float64, n, b int, sigmaC float64) float64 {
	if option == algos.OptionII {
		return 0
	}
	return expectedStartOf.At(float64(n), float64(b), spreadOf(n, b), eta, sigmaC)
}

var (
	// moments are the parameters of the bounds in expectation over many decades.
	moments = momentWords.MustDomain(`n ∈ [2, 1e9], b ∈ [1, n], κ = ` + spread + `, c = 1, K_0 = ` + movementFormula + `,
		L ∈ [1e-6, 1e6], μ ∈ [1e-9 L, L], ζ ∈ [1e-9 L, 2L], σ_c ∈ [1e-9, 1e9], ε, Δ ∈ [ε, 1e9 ε]`)
	// plMoments are the premises of the potential under the PL condition.
	plMoments = "c = 1/2, η = " + expectedPLStep + ", A = 3ηn/(2b); "
)

// everything is a randomness that takes one after the other all choices of a run of SLEDGE or FLEDGE that matter: those
// of a worker for K = 1 and those of the last local minibatch do not.
type everything struct {
	K      int
	choice []int // of this run; later ones are 0
	ways   []int // number of options at each choice met
	at     int
	idle   int // local minibatches of the round that are still to come
}

// next returns which of so many options to take.
func (e *everything) next(ways int) int {
	if e.at == len(e.choice) {
		e.choice = append(e.choice, 0)
	}
	e.ways = append(e.ways[:e.at], ways)
	e.at++
	return e.choice[e.at-1]
}

// Subset takes the next subset.
func (e *everything) Subset(dst []int, n int, p algos.Purpose) {
	if p == algos.LocalBatches && e.idle > 0 {
		if e.idle--; e.idle == 0 {
			for i := range dst {
				dst[i] = i
			}
			return
		}
	}
	combin.IndexToCombination(dst, e.next(combin.Binomial(n, len(dst))), n, len(dst))
}

// Indices takes the next worker.
func (e *everything) Indices(dst []int, n int, _ algos.Purpose) {
	if e.idle = e.K; e.K == 1 {
		n = 1
	}
	dst[0] = e.next(n)
}

// Ball fills dst with zeros.
func (e *everything) Ball(dst []float64, _ float64, _ algos.Purpose) { clear(dst) }

// Normal panics.
func (e *everything) Normal([]float64, algos.Purpose) {
	panic("bounds: neither method draws normal numbers")
}

// Uniform panics.
func (e *everything) Uniform(algos.Purpose) float64 { panic("bounds: neither method tosses coins") }

// enumerate calls visit with every run without noise of K local steps, none for SLEDGE, and its probability. It returns
// false, after some of them, if there are more than limit.
func enumerate[R any](K, limit int, follow func(algos.Randomness) R, visit func(run R, probability float64)) bool {
	e := &everything{K: K}
	for count := 0; ; count++ {
		if count == limit {
			return false
		}
		e.at, e.idle = 0, 0
		run := follow(e)
		probability := 1.0
		for _, w := range e.ways[:e.at] {
			probability /= float64(w)
		}
		visit(run, probability)
		k := e.at - 1
		for ; k >= 0; k-- {
			if e.choice[k]++; e.choice[k] < e.ways[k] {
				break
			}
			e.choice[k] = 0
		}
		if k < 0 {
			return true
		}
		e.choice = e.choice[:k+1]
	}
}

// mostOutcomes is how many runs an instance may have for its claims to be checked on all of them.
const mostOutcomes = 600

// outcomes calls visit with every run of an instance without noise and its probability, if there are few enough. The
// initial minibatch of Option I is one of the choices.
func (in *instance) outcomes(visit func(p *path, probability float64)) bool {
	return enumerate(0, mostOutcomes, in.followWith, visit)
}

func (in *federation) outcomes(visit func(p *roundPath, probability float64)) bool {
	return enumerate(in.K, mostOutcomes, in.followWith, visit)
}

// bounded are the shapes of a mean function that has a minimum.
var bounded = []problems.Shape{problems.Convex, problems.Degenerate}

// averaged says how the bound of a theorem on the expected sum of ‖∇f‖² is prepared on instances of one method: prepare
// sets the step size of the theorem and returns the bound, gradients is the sum on a run, and radius that of the noise.
type averaged[R any] struct {
	what        string
	enumerable  func(src *props.Source) averagedInstance[R]
	sampled     func(src *props.Source) averagedInstance[R]
	enumeration float64 // effort
	sampling    float64
}

// averagedInstance is an instance of such a theorem.
type averagedInstance[R any] interface {
	outcomes(visit func(run R, probability float64)) bool
	trial(t props.Trial) R
	parameters() *setting
	prepare() (bound float64)
	gradients(run R) float64
	atRandom() props.Regime
}

// checks compares the averaged gradients with the bound: exactly on instances whose runs can be enumerated, and by
// sampling on larger ones.
func (a averaged[R]) checks() []props.Check {
	return []props.Check{
		props.Inequality(func(src *props.Source, rec *props.Recorder) {
			in := a.enumerable(src)
			bound, sum := in.prepare(), 0.0
			if !in.outcomes(func(run R, probability float64) { sum += probability * in.gradients(run) }) {
				rec.Skip("too many runs")
				return
			}
			rec.AtMost("expected "+a.what+" over all runs", sum, bound)
		}).Effort(a.enumeration),
		props.Mean(func(src *props.Source) props.MeanTrial {
			in := a.sampled(src)
			bound, s := in.prepare(), in.parameters()
			if s.r > 0 {
				s.r *= s.eta * math.Sqrt(s.Delta.Value)
				bound = in.prepare()
			}
			bound = max(bound, math.SmallestNonzeroFloat64)
			return props.MeanTrial{What: a.what + " over its bound", Claimed: 1, Relation: props.LE, Regime: in.atRandom(),
				Run: func(t props.Trial) float64 { return in.gradients(in.trial(t)) / bound }}
		}).Effort(a.sampling),
	}
}

// enumerable draws an instance with at most 300 or so equally likely runs.
func enumerable(src *props.Source, option algos.Option, etaL float64, shapes ...problems.Shape) *instance {
	in := drawInstance(src, ranges{n: problems.Sizes(2, 6), d: problems.Sizes(1, 2), T: problems.Sizes(1, 6),
		option: option, quiet: true, etaL: etaL, shapes: shapes, pattern: heterogeneous})
	for in.T > 1 && math.Pow(float64(combin.Binomial(in.n, in.b)), float64(in.T)) > 300 {
		in.T--
	}
	return in
}

// checkErrorBudget compares the exact expectation of Σ‖v^t − ∇f(x^t)‖² over all runs with the budget.
func checkErrorBudget(option algos.Option) props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		in := enumerable(src, option, 2)
		errs, moved := 0.0, 0.0
		if !in.outcomes(func(p *path, probability float64) {
			for t := range in.T {
				errs += probability * p.squared(p.err[t])
			}
			moved += probability * p.window(1, in.T-1)
		}) {
			rec.Skip("too many runs")
			return
		}
		bound := errorBudgetAt(in.n, in.b) * sq(in.Zeta.Value) * moved
		if option == algos.OptionI {
			bound += initialBudgetAt(in.n, in.b, in.SigmaC.Value)
		}
		rec.AtMost("ΣE‖v^t − ∇f(x^t)‖² over all runs, "+option.String(), errs, bound)
	}).Effort(0.15)
}

func (in *setting) parameters() *setting { return in }

// prepare sets the step size of the theorem and returns the bound on Σ_{t<T}E‖∇f(x^t)‖².
func (in *instance) prepare() float64 {
	in.eta = expectedStepSize(in.L.Value, in.Zeta.Value, in.n, in.b)
	bound := 2*in.Delta.Value/in.eta + 2*float64(in.T)*sq(in.r/in.eta)
	if in.option == algos.OptionI {
		bound += 2 * initialBudgetAt(in.n, in.b, in.SigmaC.Value)
	}
	return bound
}

func (in *instance) gradients(p *path) float64 {
	sum := 0.0
	for _, g := range p.grad[:p.T] {
		sum += normSq(g)
	}
	return sum
}

func (in *instance) atRandom() props.Regime { return withErrors(in.shape().And(longEnough(in.T))) }

// checkExpectedTheorem checks the averaged gradient bound and the arithmetic of its step size.
func checkExpectedTheorem(option algos.Option) props.Check {
	return props.All(append(averaged[*path]{what: "Σ‖∇f(x^t)‖²", enumeration: 0.3, sampling: 1,
		enumerable: func(src *props.Source) averagedInstance[*path] { return enumerable(src, option, 1, bounded...) },
		sampled: func(src *props.Source) averagedInstance[*path] {
			return drawRun(src, ranges{n: problems.Sizes(2, 24), option: option, shapes: bounded})
		}}.checks(),
		moments.Implies("η = "+expectedStep+"; L/2 + ηζ²"+errorBudget+" ≤ 1/(2η)"),
		moments.Implies("K_0 ≤ 12"))...)
}

func momentClaims() []props.Binding {
	return []props.Binding{
		props.Bind("variance-lemma-option-two/second-moment",
			props.ExactSizes("2 ≤ n ≤ 6, 1 ≤ b ≤ n, all row errors and changes in every dimension", checkMoments)),
		props.Bind("variance-lemma-option-two/expectation", props.All(checkErrorBudget(algos.OptionII),
			checkErrorBudget(algos.OptionI), checkPotential(1, 1))),
		props.Bind("first-main-option-two/sharper", checkExpectedTheorem(algos.OptionII)),
		props.Bind("first-main-option-one/sharper", checkExpectedTheorem(algos.OptionI)),
	}
}

// plShare is the share of the decrease of P that the PL theorem uses up.
const plShare = 0.5

// checkExpectedPL checks the bound on E f(x^t) − f*: exactly at every step of runs that can be enumerated, by sampling
// on larger ones, and the arithmetic of its parameters.
func checkExpectedPL() props.Check {
	return props.All(
		props.Inequality(func(src *props.Source, rec *props.Recorder) {
			in := enumerable(src, algos.Option(src.Pick("option", "II", "I")), 1, problems.Convex, problems.Degenerate)
			in.eta = ExpectedPLStep(in.L.Value, in.Mu.Value, in.Zeta.Value, in.n, in.b)
			least, _ := in.problem.Minimum()
			gaps, noise := make([]float64, in.T+1), 0.0
			if !in.outcomes(func(p *path, probability float64) {
				noise = max(noise, p.rounding()/in.Mu.Value)
				for t, x := range p.tape.X {
					gaps[t] += probability * (in.problem.Value(x) - least)
				}
			}) {
				rec.Skip("too many runs")
				return
			}
			bound := in.Delta.Value
			bound += ExpectedPLStart(in.option, in.eta, in.n, in.b, in.SigmaC.Value)
			// f is evaluated to about 1e-16 of its terms, see setupPLInserted, and its gradient to 1e-12 of the largest one
			size := 1e-6*(in.Delta.Value+in.problem.Value(make([]float64, in.d))-least) + noise
			for _, gap := range gaps[1:] {
				bound *= 1 - in.eta*in.Mu.Value
				rec.AtMost("E f(x^t) − f* over all runs", gap, bound).Scale(size)
			}
		}).Effort(0.1),
		props.Mean(func(src *props.Source) props.MeanTrial {
			d, _ := drawPLRun(src, true)
			d.Eta = ExpectedPLStep(d.L, d.Mu, d.Zeta, d.N, d.B)
			if d.R > 0 {
				d.R = plNoiseRadiusAt(d.Eta, d.Mu, d.eps)
			}
			T := min(d.constants(src.Real("time constants", 0.5, 3)), plHorizon)
			bound := d.Delta
			bound += ExpectedPLStart(d.Option, d.Eta, d.N, d.B, d.SigmaC)
			bound = max(d.Decay(float64(T))*bound+d.NoiseTerm(T), math.SmallestNonzeroFloat64)
			return props.MeanTrial{What: "f(x^T) − f* over its bound", Claimed: 1, Relation: props.LE, Regime: d.regime(T),
				Run: func(t props.Trial) (ratio float64) {
					if !(d.Delta > 0) { // x⁰ is a minimum
						return 0
					}
					d.run(t, T, func(step int, m *algos.SLEDGE) {
						if step == T {
							ratio = max(0, d.gap(m.Point())) / bound
						}
					})
					return ratio
				}}
		}).Effort(0.5),
		moments.Implies(plMoments+"η + A(1 − b/n)² ≤ A(1 − ημ)"),
		moments.Implies(plMoments+"ημ ≤ (1/2)(b/n)(1 − κ/3)"),
		moments.Implies(plMoments+"L/2 + A(K_0/b)((n − 1)/(2n))ζ² ≤ 1/(2η)"),
		moments.Implies("c = 1/2; K_0 ≤ 20"),
		moments.Order("η = "+expectedPLStep+", s = "+expectedStart+", T = ⌈log((3/2)(Δ + s)/ε)/(ημ)⌉;"+
			"b(1 + 2T) = O("+PLRate+"(1 ∨ log((Δ + nσ_c²/(b²L))/ε)))"))
}

// checkMoments compares the recursions with the mean over all batches. It runs through the unit vectors of (z_1 … z_n,
// c_1 … c_{n-1}), c_n making the sum of changes zero, and through their pairwise sums.
func checkMoments(rec *props.Recorder) {
	for n := 2; n <= 6; n++ {
		dims := 2*n - 1
		for b := 1; b <= n; b++ {
			batches := combin.Combinations(n, b)
			for j := range dims {
				for k := j; k < dims; k++ {
					u := make([]int64, dims)
					u[j] = 1
					u[k] = 1
					compareMoments(rec, n, b, batches, u)
				}
			}
		}
	}
}

func compareMoments(rec *props.Recorder, n, b int, batches [][]int, u []int64) {
	z, c := u[:n], append([]int64(nil), u[n:]...)
	last := int64(0)
	for _, v := range c {
		last -= v
	}
	c = append(c, last)
	// Integers throughout: rows are scaled by b, the estimator by n·b.
	var meanErr, meanErrSq, meanRows int64
	drawn := make([]bool, n)
	for _, batch := range batches {
		clear(drawn)
		sum := int64(0)
		for _, i := range batch {
			drawn[i] = true
			sum += c[i]
		}
		err, rows := int64(0), int64(0)
		for i := range n {
			if !drawn[i] {
				row := int64(b)*(z[i]-c[i]) + sum
				err += row
				rows += row * row
			}
		}
		meanErr += err
		meanErrSq += err * err
		meanRows += rows
	}
	nb, m := int64(n*b), int64(len(batches))
	var e, p, kappa, x int64
	for i := range n {
		e += z[i]
		p += z[i] * z[i]
		kappa += c[i] * c[i]
		x += z[i] * c[i]
	}
	N := int64(n)
	before := [4]*big.Rat{big.NewRat(e*e, N*N), big.NewRat(p, N), big.NewRat(kappa, N), big.NewRat(x, N)}
	errSq, rows := after(N, int64(b))
	combine := func(coefficients [4]*big.Rat) *big.Rat {
		s := new(big.Rat)
		for k, v := range coefficients {
			s.Add(s, new(big.Rat).Mul(v, before[k]))
		}
		return s
	}
	rec.Rats("E e'", big.NewRat(meanErr, m*nb), props.EQ, new(big.Rat).Mul(big.NewRat(N-int64(b), N), big.NewRat(e, N)))
	rec.Rats("E‖e'‖²", big.NewRat(meanErrSq, m*nb*nb), props.EQ, combine(errSq))
	rec.Rats("E P'", big.NewRat(meanRows, m*N*int64(b*b)), props.EQ, combine(rows))
}

// checkPotential checks the one-step inequality of the potential for arbitrary row errors and changes, with some share
// of the decrease of P used up. The last term of fullMovementFactor is taken so many times.
func checkPotential(share, times float64) props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		n := src.Int("n", 2, 40)
		b := src.Int("b", 1, n)
		align := src.Real("alignment of z with −c", -1, 1)
		ratio := src.LogReal("|z| / |c|", 1e-2, 1e3)
		r := src.Key("z and c").Rand()
		z, c := make([]float64, n), make([]float64, n)
		for i := range n {
			c[i] = r.NormFloat64()
		}
		floats.AddConst(-floats.Sum(c)/float64(n), c)
		for i := range n {
			z[i] = ratio * ((1-math.Abs(align))*r.NormFloat64() - align*c[i])
		}
		nf := float64(n)
		before := [4]float64{sq(floats.Sum(z) / nf), normSq(z) / nf, normSq(c) / nf, floats.Dot(z, c) / nf}
		errSq, rows := after(int64(n), int64(b))
		value := func(coefficients [4]*big.Rat) float64 {
			s := 0.0
			for k, m := range before {
				f, _ := coefficients[k].Float64()
				s += f * m
			}
			return s
		}
		q, lambda := 1-float64(b)/nf, rowWeight/nf
		rec.AtMost("E‖e'‖² + (3/n)E P' against q²‖e‖² + (3/n)P + (K/b)κ", value(errSq)+lambda*value(rows),
			q*q*before[0]+lambda*(1-rowShrinking(n, b, share))*before[1]+movementFactor(n, b, share/times)/float64(b)*before[2])
	})
}

// FLEDGE in expectation: let z_i = y_i − ∇f_i be the error of row i at x^t, e = (1/P)Σz_i that of the table, c_i the
// centred change of ∇f_i from x^{t−1} to x^t as above, q = 1 − p/P and M = Kb. A round draws I from the p-subsets and
// for each i ∈ I a minibatch, whose mean deviates by ε_i from ∇f_i(x^t) and whose difference by δ_i from that of ∇f_i,
// and sets
//
//	z_i ← ε_i for i ∈ I,   z_i ← z_i + (1/p)Σ_{l∈I}(c_l + δ_l) − c_i otherwise.
//
// All this is drawn after x^t is fixed, and given I the ε_i, δ_i have mean zero and are independent between clients. So
// the moments are those of SLEDGE with n = P and b = p, plus
//
//	E‖(1/P)Σ_I(ε_i + ((P−p)/p)δ_i)‖² ≤ (2p/P²)·σ²/M + (2(P−p)²/(P²p))·L²‖x^t − x^{t−1}‖²/M
//
// for e and (p/P)·σ²/M + ((P−p)/(Pp))·L²‖x^t − x^{t−1}‖²/M for (1/P)Σ‖z_i‖², since the variance of a datum's change is
// at most its mean square. The potential ‖e‖² + (3/P)(1/P)Σ‖z_i‖² follows.
//
// The error of a local step is e + B + Z: B, the drift of client i_t, at most (1 − 1/P)ζ times the way from x^{t,0},
// and Z, a sum of martingale differences in k that is uncorrelated with e. So E‖e + B + Z‖² ≤ 2E‖e‖² + 2E‖B‖² + 2E‖Z‖²,
// and for K = 1 there is only e.

// Expected holds what the bounds on FLEDGE in expectation depend on: Chosen of P clients in a round, 1 ≤ p ≤ P, each of
// which draws minibatches of size B for K local steps. Its methods return numbers without logarithms or C_1.
type Expected struct {
	P, Chosen, K, B int
	L, Zeta         float64
}

// lifetime is 1/(1 − q²) = P/(p(2 − p/P)), the number of rounds that an error of the table lasts.
func (s Expected) lifetime() float64 {
	P, p := float64(s.P), float64(s.Chosen)
	return P / (p * (2 - p/P))
}

// share is what E‖v − ∇f‖² has of E‖e‖²: 2, or 1 for K = 1.
func (s Expected) share() float64 {
	if s.K == 1 {
		return 1
	}
	return 2
}

// Change returns the factors of ζ²E‖x^t − x^{t−1}‖² and of L²E‖x^t − x^{t−1}‖² in the sum of the potential's additions,
// times lifetime: errorBudgetAt with P and p, and (P/(p(2 − p/P)))·(P−p)(2(P−p)+3)/(P²pKb).
func (s Expected) Change() (clients, data float64) {
	P, p := float64(s.P), float64(s.Chosen)
	return errorBudgetAt(s.P, s.Chosen), s.lifetime() * (P - p) * (2*(P-p) + rowFactor) /
		(P * P * p * float64(s.K) * float64(s.B))
}

// Loss is Λ in ΣE‖v^{t,k} − ∇f(x^{t,k})‖² ≤ ΛΣE‖x^{t,k} − x^{t,k−1}‖² + TK·Floor: the changes of the table, with ‖x^t −
// x^{t−1}‖² ≤ KΣ_k‖x^{t,k} − x^{t,k−1}‖², and the local errors, (K−1)(ζ²K + 2L²/b).
func (s Expected) Loss() float64 {
	clients, data := s.Change()
	K, zeta, L := float64(s.K), sq(s.Zeta), sq(s.L)
	return s.share()*K*K*(clients*zeta+data*L) + (K-1)*(zeta*K+2*L/float64(s.B))
}

// Start is the potential at x⁰: 4σ²/(PKb) for Option II; for Option I, whose rows are all the mean of p clients'
// minibatches, e₀ + (3/P)(σ_c² + e₀) with e₀ = ((P−p)/(P−1))σ_c²/p + σ²/(pKb).
func (s Expected) Start(option algos.Option, sigma, sigmaC float64) float64 {
	P, p, M := float64(s.P), float64(s.Chosen), float64(s.K)*float64(s.B)
	if option == algos.OptionII {
		return 4 * sq(sigma) / (P * M)
	}
	e := sq(sigma) / (p * M)
	if s.Chosen < s.P {
		e += (P - p) / (P - 1) * sq(sigmaC) / p
	}
	return e + 3/P*(sq(sigmaC)+e)
}

// Floor is what the minibatches and the start add to the mean of E‖v^{t,k} − ∇f(x^{t,k})‖² over T rounds: share·(min{T,
// lifetime}/T)(Start + T·5pσ²/(P²Kb)).
func (s Expected) Floor(option algos.Option, T, sigma, sigmaC float64) float64 {
	P, p := float64(s.P), float64(s.Chosen)
	fresh := freshFactor * p * sq(sigma) / (P * P * float64(s.K) * float64(s.B))
	return s.share() * min(1, s.lifetime()/T) * (s.Start(option, sigma, sigmaC) + T*fresh)
}

// StepSize is min{1/(2L), 1/(2√Λ)}, which makes 1/(2η) − L/2 − ηΛ ≥ 0.
func (s Expected) StepSize() float64 { return min(1/(2*s.L), 1/(2*math.Sqrt(s.Loss()))) }

// Rounds is ⌈4Δ/(ηKε²)⌉, and for Option I at least 16/ε² times what the start costs.
func (s Expected) Rounds(option algos.Option, gap, eps, sigma, sigmaC float64) float64 {
	T := 4 * gap / (s.StepSize() * float64(s.K) * sq(eps))
	if option == algos.OptionI {
		T += 16 * s.lifetime() * s.Start(option, sigma, sigmaC) / sq(eps)
	}
	return max(1, math.Ceil(T))
}

// PLLoss is Λ' in what the errors of a round cost under the PL condition, ηΛ'ΣE‖x^{t,k} − x^{t,k−1}‖², with the weight
// A = (3/2)share·ηKP/p of the potential; see [Expected.PLStepSize].
func (s Expected) PLLoss() float64 {
	P, p, K, b := float64(s.P), float64(s.Chosen), float64(s.K), float64(s.B)
	zeta, L := sq(s.Zeta), sq(s.L)
	clients, data := plMovementFactor(s.P, s.Chosen)*(P-1)/(2*P*p), (P-p)*(2*(P-p)+rowFactor)/(P*P*p*K*b)
	return 1.5*s.share()*K*K*P/p*(clients*zeta+data*L) + (K-1)*(zeta*K+2*L/b)
}

// PLStepSize is min{1/(2L), p/(3μPK), 1/√(6Λ')}. Then E[f(x^t) − f* + A(‖e‖² + (3/P)(1/P)Σ‖z_i‖²)] shrinks by (1 −
// ημ)^K ≥ 1 − p/(3P) ≥ 2/3 in a round, but for the noise Kr²/η and the fresh minibatches: share·ηK + Aq² ≤ A(1 −
// p/(3P)), the rows shrink by as much ([plMovementFactor]), and the steps pay ηΛ' ≤ (2/3)(1/(2η) − L/2).
func (s Expected) PLStepSize(mu float64) float64 {
	return min(1/(2*s.L), float64(s.Chosen)/(3*mu*float64(s.P)*float64(s.K)), 1/math.Sqrt(6*s.PLLoss()))
}

// PLStart is what A times the potential at x⁰ adds to Δ.
func (s Expected) PLStart(option algos.Option, eta, sigma, sigmaC float64) float64 {
	return 1.5 * s.share() * eta * float64(s.K) * float64(s.P) / float64(s.Chosen) * s.Start(option, sigma, sigmaC)
}

// PLFloor is (6/5)r²/(η²μ) + 9·share·σ²/(μPKb).
func (s Expected) PLFloor(eta, mu, r, sigma float64) float64 {
	return 1.2*sq(r/eta)/mu + 9*s.share()*sq(sigma)/(mu*float64(s.P)*float64(s.K)*float64(s.B))
}

// expected are the sizes of an instance.
func (in *federation) expected() Expected {
	return Expected{P: in.P, Chosen: in.p, K: in.K, B: in.b, L: in.L.Value, Zeta: in.Zeta.Value}
}

// enumerable draws an instance with few runs, the noise of data bounded.
func enumerableRounds(src *props.Source, option algos.Option, etaL float64, shapes ...problems.Shape) *federation {
	return drawFederation(src, federationRanges{P: problems.Sizes(1, 3), d: problems.Sizes(1, 2), K: problems.Sizes(1, 2),
		b: problems.Sizes(1, 1), spare: problems.Sizes(0, 1), T: problems.Sizes(2, 3),
		option: option, bounded: true, quiet: true, etaL: etaL, shapes: shapes})
}

// checkErrorBudget compares the exact expectation of Σ‖v^{t,k} − ∇f(x^{t,k})‖² over all runs with its bound.
func checkTableBudget(option algos.Option) props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		in := enumerableRounds(src, option, 2)
		errs, moved, s := 0.0, 0.0, in.expected()
		if !in.outcomes(func(p *roundPath, probability float64) {
			for t := 1; t <= in.T; t++ {
				for k := range in.K {
					errs += probability * p.squared(p.err[t][k])
				}
			}
			moved += probability * p.window(1, in.T)
		}) {
			rec.Skip("too many runs")
			return
		}
		T := float64(in.T)
		rec.AtMost("ΣE‖v^{t,k} − ∇f(x^{t,k})‖² over all runs, Option "+option.String(), errs,
			s.Loss()*moved+T*float64(in.K)*s.Floor(option, T, in.Sigma.Value, in.SigmaC.Value))
	}).Effort(0.1)
}

// What the minibatches add to the potential in a round: freshFactor·(p/P²)σ²/M + ((P−p)(2(P−p) +
// rowFactor)/(P²p))L²‖x^t − x^{t−1}‖²/M.
const freshFactor, rowFactor = 5.0, 3.0

// checkPotential checks the one-step inequality of the potential for arbitrary row errors, changes and deviations of
// data, over all client sets and minibatches.
func checkTablePotential(ofValues, ofRows float64) props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		P, m := src.Int("P", 1, 4), src.Int("data of a client", 1, 3)
		p, M := src.Int("p", 1, P), src.Int("Kb", 1, m)
		align, along := src.Real("alignment of z with −c", -1, 1), src.Real("alignment of data and their changes", -1, 1)
		rows, fresh := src.LogReal("|z| / |c|", 1e-2, 1e2), src.LogReal("deviations of data / |c|", 1e-3, 1e3)
		r := src.Rand("z, c and data")
		centred := func(v []float64) []float64 { floats.AddConst(-floats.Sum(v)/float64(len(v)), v); return v }
		normal := func(n int) []float64 {
			v := make([]float64, n)
			for i := range v {
				v[i] = r.NormFloat64()
			}
			return v
		}
		c := centred(normal(P))
		z := make([]float64, P)
		value, change := make([][]float64, P), make([][]float64, P) // deviations of the data of each client
		weight := 1.0                                               // that makes ε and ((P−p)/p)δ alike
		if p < P {
			weight = float64(p) / float64(P-p)
		}
		for i := range P {
			z[i] = rows * ((1-math.Abs(align))*r.NormFloat64() - align*c[i])
			value[i], change[i] = centred(normal(m)), centred(normal(m))
			for j := range m {
				value[i][j] *= fresh
				change[i][j] = (1-math.Abs(along))*fresh*change[i][j] + along*weight*value[i][j]
			}
		}
		sets, batches := combin.Combinations(P, p), combin.Combinations(m, M)
		mean := func(v []float64, batch []int) float64 {
			s := 0.0
			for _, j := range batch {
				s += v[j]
			}
			return s / float64(M)
		}
		// the variances of minibatches, averaged over clients
		sigma2, data2 := 0.0, 0.0
		for i := range P {
			for _, J := range batches {
				sigma2 += sq(mean(value[i], J)) / float64(P*len(batches))
				data2 += sq(mean(change[i], J)) / float64(P*len(batches))
			}
		}
		n, chosen := float64(P), float64(p)
		after, next := 0.0, make([]float64, P)
		for _, I := range sets {
			for k := range int(math.Pow(float64(len(batches)), chosen)) {
				var epsilon, shift [4]float64
				step := 0.0
				for l, i := range I {
					J := batches[k/int(math.Pow(float64(len(batches)), float64(l)))%len(batches)]
					epsilon[l], shift[l] = mean(value[i], J), mean(change[i], J)
					step += (c[i] + shift[l]) / chosen
				}
				for i := range next {
					next[i] = z[i] + step - c[i]
				}
				for l, i := range I {
					next[i] = epsilon[l]
				}
				after += sq(floats.Sum(next)/n) + 3/n*normSq(next)/n
			}
		}
		after /= float64(len(sets)) * math.Pow(float64(len(batches)), chosen)
		q, rest := 1-chosen/n, n-chosen
		before := sq(q*floats.Sum(z)/n) + 3/n*normSq(z)/n + fullMovementFactor(P, p)/chosen*normSq(c)/n
		rec.AtMost("potential after a round, all sets and minibatches", after,
			before+ofValues*chosen/(n*n)*sigma2+rest*(2*rest+ofRows)/(n*n*chosen)*data2).Scale(normSq(z) + normSq(c))
	})
}

// prepare sets the step size of the theorem and returns the bound on (1/(TK))ΣE‖∇f(x^{t,k−1})‖².
func (in *federation) prepare() float64 {
	s, T := in.expected(), float64(in.T)
	in.eta = s.StepSize()
	return 2*in.Delta.Value/(in.eta*T*float64(in.K)) + 2*s.Floor(in.option, T, in.Sigma.Value, in.SigmaC.Value) +
		2*sq(in.r/in.eta)
}

func (in *federation) gradients(p *roundPath) float64 {
	sum := 0.0
	for t := 1; t <= p.T; t++ {
		for _, g := range p.grad[t][:p.K] {
			sum += p.squared(g) / float64(p.T*p.K)
		}
	}
	return sum
}

func (in *federation) atRandom() props.Regime { return in.sampled().And(longEnough(in.T)) }

// checkExpectedRounds checks the averaged gradient bound and the arithmetic of its parameters.
func checkExpectedRounds(option algos.Option, rounds func(s parameters) float64) props.Check {
	return props.All(append(averaged[*roundPath]{what: "mean of ‖∇f(x^{t,k−1})‖²", enumeration: 0.1, sampling: 0.5,
		enumerable: func(src *props.Source) averagedInstance[*roundPath] {
			return enumerableRounds(src, option, 1, bounded...)
		},
		sampled: func(src *props.Source) averagedInstance[*roundPath] {
			return drawRounds(src, federationRanges{T: problems.Sizes(5, 60), option: option, bounded: true, shapes: bounded})
		}}.checks(),
		props.Implication(func(src *props.Source, rec *props.Recorder) {
			s, gap := drawExpected(src), src.LogReal("Δ", 1e-3, 1e3)
			eta, M := s.StepSize(), float64(s.P)*float64(s.K)*float64(s.B)
			rec.AtMost("L/2 + ηΛ against 1/(2η)", s.L/2+eta*s.Loss(), 1/(2*eta))
			eps := math.Sqrt(2*s.L*gap) * atMostOne(src, "ε/√(2LΔ)", 1e-6)
			sigma, sigmaC, r := eps*math.Sqrt(M)/12*src.Real("σ/(ε√(PKb)/12)", 0, 1), eps*src.LogReal("σ_c/ε", 1e-3,
				1e3), eta*eps/(2*math.Sqrt2)*src.Real("r/(ηε/(2√2))", 0, 1)
			T := s.Rounds(option, gap, eps, sigma, sigmaC)
			rec.AtMost("the bound against ε²", 2*gap/(eta*T*float64(s.K))+2*s.Floor(option, T, sigma, sigmaC)+2*sq(r/eta),
				sq(eps))
		}),
		props.Order(func(src *props.Source) (float64, float64) {
			s, gap := drawExpected(src), src.LogReal("Δ", 1e-3, 1e3)
			eps := math.Sqrt(2*s.L*gap) * atMostOne(src, "ε/√(2LΔ)", 1e-6)
			c := parameters{L: s.L, Zeta: s.Zeta, P: float64(s.P), Chosen: float64(s.Chosen), K: float64(s.K), B: float64(s.B),
				Delta: gap, Eps: eps}
			sigma, sigmaC := eps*src.LogReal("σ/ε", 1e-3, 1e3), eps*src.LogReal("σ_c/ε", 1e-3, 1e3)
			start := 0.0
			if option == algos.OptionI {
				start = c.P / sq(c.Chosen) * (sq(sigma)/(c.K*c.B) + sq(sigmaC)) / sq(eps)
			}
			return s.Rounds(option, gap, eps, sigma, sigmaC), 1 + rounds(c) + start
		}))...)
}

// checkExpectedPL checks the bound on E f(x^T) − f*: exactly after every round of runs that can be enumerated, by
// sampling on larger instances, and the arithmetic of its parameters.
func checkExpectedPLRounds() props.Check {
	// bound returns the bound after T rounds.
	bound := func(in *federation, T int) float64 {
		s, mu := in.expected(), in.Mu.Value
		return math.Exp(float64(T*in.K)*math.Log1p(-in.eta*mu))*(in.Delta.Value+s.PLStart(in.option, in.eta, in.Sigma.Value,
			in.SigmaC.Value)) + s.PLFloor(in.eta, mu, in.r, in.Sigma.Value)
	}
	option := func(src *props.Source) algos.Option { return algos.Option(src.Pick("option", "II", "I")) }
	return props.All(
		props.Inequality(func(src *props.Source, rec *props.Recorder) {
			in := enumerableRounds(src, option(src), 1, bounded...)
			in.eta = in.expected().PLStepSize(in.Mu.Value)
			least, _ := in.minimum()
			gaps, noise := make([]float64, in.T+1), 0.0
			if !in.outcomes(func(p *roundPath, probability float64) {
				noise = max(noise, p.rounding()/in.Mu.Value)
				for t, x := range p.tape.X {
					gaps[t] += probability * (in.value(x) - least)
				}
			}) {
				rec.Skip("too many runs")
				return
			}
			// f is evaluated to about 1e-16 of its terms, and its gradient to 1e-12 of the largest one of data
			size := 1e-6*(in.Delta.Value+math.Abs(in.value(make([]float64, in.d))-least)) + noise
			for t := 1; t <= in.T; t++ {
				rec.AtMost("E f(x^t) − f* over all runs", gaps[t], bound(in, t)).Scale(size)
			}
		}).Effort(0.1),
		props.Mean(func(src *props.Source) props.MeanTrial {
			in := drawRounds(src, federationRanges{T: problems.Sizes(5, 60), option: option(src), bounded: true,
				shapes: bounded})
			in.eta = in.expected().PLStepSize(in.Mu.Value)
			if in.r > 0 {
				in.r *= in.eta * math.Sqrt(in.Delta.Value*in.Mu.Value)
			}
			least, _ := in.minimum()
			most := max(bound(in, in.T), math.SmallestNonzeroFloat64)
			regime := in.sampled().And(longEnough(in.T))
			return props.MeanTrial{What: "f(x^T) − f* over its bound", Claimed: 1, Relation: props.LE, Regime: regime,
				Run: func(t props.Trial) float64 {
					if !(in.Delta.Value > 0) {
						return 0
					}
					return max(0, in.value(in.trial(t).tape.X[in.T])-least) / most
				}}
		}).Effort(0.5),
		props.Implication(func(src *props.Source, rec *props.Recorder) {
			s := drawExpected(src)
			mu := s.L * src.LogReal("μ/L", 1e-9, 1)
			eta, P, p, K := s.PLStepSize(mu), float64(s.P), float64(s.Chosen), float64(s.K)
			A, q, kept := 1.5*s.share()*eta*K*P/p, 1-p/P, math.Exp(K*math.Log1p(-eta*mu)) // (1 − ημ)^K
			rec.AtMost("share·ηK + Aq² against A(1 − ημ)^K", s.share()*eta*K+A*q*q, A*kept)
			rec.AtMost("1 − p/(3P) against (1 − ημ)^K", 1-p/(3*P), kept)
			rec.AtMost("ηΛ' against (1 − ημ)^K(1/(2η) − L/2)", eta*s.PLLoss(), kept*(1/(2*eta)-s.L/2))
			rec.AtMost("(5/6)ημK against 1 − (1 − ημ)^K", eta*mu*K*5/6, -math.Expm1(K*math.Log1p(-eta*mu)))
		}),
		props.SameOrder(func(src *props.Source) (float64, float64) {
			s := drawExpected(src)
			mu := s.L * src.LogReal("μ/L", 1e-9, 1)
			P, p, K, M := float64(s.P), float64(s.Chosen), float64(s.K), float64(s.K)*float64(s.B)
			data := s.L * math.Sqrt(P) / (p * math.Sqrt(M))
			if s.Chosen == s.P {
				data = 0
			}
			return 1 / (s.PLStepSize(mu) * mu * K), max(s.L/K, s.Zeta*math.Sqrt(P)/p, data, mu*P/p, s.Zeta, s.L/math.Sqrt(M)) /
				mu
		}))
}

// value returns f(x), and minimum f*.
func (in *federation) value(x []float64) float64 { return in.problem.(algos.Valuer).Value(x) }

func (in *federation) minimum() (float64, bool) {
	return in.problem.(interface{ Minimum() (float64, bool) }).Minimum()
}

func drawExpected(src *props.Source) Expected {
	s := Expected{P: src.LogInt("P", Several, 1e6), K: src.LogInt("K", 1, 1e6), B: src.LogInt("b", 1, 1e6),
		L: src.LogReal("L", 1e-3, 1e3)}
	s.Chosen = src.LogInt("p", 1, s.P)
	s.Zeta = 2 * s.L * atMostOne(src, "ζ/2L", 1e-9)
	return s
}

func tableMomentClaims() []props.Binding {
	return []props.Binding{
		props.Bind("dist-variance-lemma/expectation", props.All(checkTableBudget(algos.OptionII),
			checkTableBudget(algos.OptionI), checkTablePotential(freshFactor, rowFactor))),
		props.Bind("dist-rounds-option-two/sharper", checkExpectedRounds(algos.OptionII, parameters.NeededRounds)),
		props.Bind("dist-option-one-combination/sharper", checkExpectedRounds(algos.OptionI, parameters.NeededRounds)),
	}
}
