package bounds

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
	"sledge/props/formula"
)

// words is the vocabulary of the first-order theorems.
var words = Symbols("first")

// The formulas of theorem:First-Main.
const (
	// neededInitial bounds the initial error of Option I as the horizon of line 1526 needs it.
	neededInitial = "(24C_1³n/b²)(σ_c² + G_c²/b)"
)

// StepSize is the step size that the argument of theorem:First-Main needs, η = min{1/(2L),
// b/(C_1^{9/2} ζ√(60n))}, in units of 1/L, for 1 ≤ b ≤ n and c1 = C_1 ≥ 1; ζ = 0 leaves 1/(2L).
// Lines 1510 and 1524 have C_1⁴.
func StepSize(L, zeta float64, n, b int, c1 float64) float64 {
	return algos.SLEDGETheory{N: n, B: b, C1: c1, L: L, Zeta: zeta}.FirstStep(algos.SLEDGEStepPower)
}

var neededInitialAt = formula.Must(words, neededInitial).Of("n", "b", "C_1", "σ_c", "G_c")

// initialTermAt is (factor·C_1³n/b²)(σ_c² + G_c²/b), what Option I pays for its inexact start, in
// units of ‖∇f‖². The factor is 12 inside the bracket of lines 1491-1506, hence 24 after the
// bracket is multiplied by 2/η.
func initialTermAt(factor float64, n, b int, c1, sigmaC, gC float64) float64 {
	return factor / 24 * neededInitialAt.At(float64(n), float64(b), c1, sigmaC, gC)
}

// FirstComplexity is the number of stochastic gradients of theorem:First-Main without logarithms,
// with either option, for positive constants and 1 ≤ b ≤ n.
func FirstComplexity(option algos.Option, n, b, L, zeta, delta, sigmaC, eps float64) float64 {
	if option == algos.OptionI {
		return firstOneRate.At(n, b, L, zeta, delta, sigmaC, eps)
	}
	return firstTwoRate.At(n, b, L, zeta, delta, eps)
}

func firstMainClaims() []props.Binding {
	return slices.Concat([]props.Binding{
		props.Bind("first-sum-descent",
			props.Inequality(func(src *props.Source, rec *props.Recorder) {
				in := drawInstance(src, ranges{P: problems.Sizes(1, 6), T: problems.Sizes(1, 12),
					option: algos.Option(src.Pick("option", "II", "I"))})
				p := in.drawPath(src)
				p.sumDescent(rec, "Σ‖∇f‖² + Σ‖x^t − x^{t−1}‖²/η² − (2/η)(f(x⁰) − f(x^T))",
					floats.Sum(p.moved), 1e-4*p.size*p.size/in.L.Value)
			}).Effort(0.5)),
	}, clientsFirstMainClaims())
}

// The formulas of theorem:Dist-First-Main.
const (
	// clientsInitial is what Option I pays for its start (line 2540).
	clientsInitial = "192C_1³(σ²P/(p²b) + PG²/(p³Kb²) + PKσ_c²/p² + PKG_c²/p³)"
)

var clientsInitialAt = formula.Must(words, clientsInitial).Of("C_1", "P", "p", "K", "b", "σ", "G",
	"σ_c", "G_c")

// checkSumDescent compares the sum of the descent inequalities on runs.
func checkSumDescent() props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		l := ranges{P: problems.Sizes(1, 4), T: problems.Sizes(1, 4),
			K: problems.Sizes(1, 3), d: problems.Sizes(1, 6),
			option: algos.Option(src.Pick("option", "II", "I")), etaL: 4, agree: true}
		// no errors, and a single curvature: the descent inequality loses what the noise does and
		// nothing else
		calm := src.Bool("noise only")
		if calm {
			l.P, l.d, l.drift = problems.Sizes(1, 1), problems.Sizes(1, 1), true
			l.shapes, l.flattest = []problems.Shape{problems.Convex}, 1e-3
		}
		in := drawInstance(src, l)
		if calm {
			// beyond 2 the iterates run away
			in.eta = src.LogReal("eta L of long steps", 1e-2, 2) / in.L.Value
		}
		p := in.drawPath(src)
		p.sumDescent(rec, "Σ‖∇f‖² + Σ‖x^{t,k} − x^{t,k−1}‖²/η² − (2/η)(f(x⁰) − f(x^T))",
			p.inner(1, p.T), 0)
	}).Effort(0.5)
}

// sumDescent compares the two sides of the sum of the descent inequalities, with 2/η·(Σ‖Δ‖²/(2η))
// and the decrease on the left, for the sum of the squared steps; rounding is that of values of f.
func (p *path) sumDescent(rec *props.Recorder, what string, moved, rounding float64) {
	left, errs, size := p.descended(moved, rounding)
	right := 2/p.eta*(p.LMean.Value/2*moved+p.eta*errs) +
		noiseOutside(p.eta, float64(p.steps()), p.r)
	rec.AtMost(what, left, right).Scale(size)
}

// descended returns Σ‖∇f‖² + Σ‖Δ‖²/η² − (2/η)(f(x⁰) − f(x^T)), Σ‖v − ∇f‖², and the size of the
// terms of the first.
func (p *path) descended(moved, rounding float64) (left, errs, size float64) {
	grads, errs := p.sums()
	f0, f1 := p.problem.Value(p.x0), p.problem.Value(p.tape.X[p.T])
	left = grads + moved/(p.eta*p.eta) + 2/p.eta*(f1-f0)
	size = grads + moved/(p.eta*p.eta) + 2/p.eta*(math.Abs(f0)+math.Abs(f1)+rounding)
	return left, errs, size
}

// sums returns Σ‖∇f‖² and Σ‖v − ∇f‖² over the steps, local ones where there are such.
func (p *path) sums() (grads, errs float64) {
	for m := range p.steps() {
		grads += normSq(p.grad[m])
		errs += normSq(p.err[m])
	}
	return grads, errs
}

// The noise terms: of the display of lines 2523-2528, outside of its bracket, and that of lines
// 2541-2542 for Option II.
func noiseOutside(eta, steps, r float64) float64 { return 2 * steps * r * r / (eta * eta) }
func withoutSteps(eta, _, r float64) float64     { return 2 * r * r / (eta * eta) }

// noiseTerm is a noise term for a number of local steps.
type noiseTerm func(eta, steps, r float64) float64

// display is the right-hand side of lines 2532-2543 without (2/η)(f(x⁰) − f(x^T)) and the share
// (2/η)(1/(2η) − L/2) of the movement.
func display(v localVariance, T int, eta, r, moved float64, option algos.Option,
	two noiseTerm) float64 {
	steps := float64(T) * v.K
	right := 2*v.MovementLoss(128)*moved + 2*steps*floorLossAt.At(v.C1, v.P, v.K, v.B, v.Sigma, v.G)
	if option == algos.OptionI {
		return right + noiseOutside(eta, steps, r) + clientsInitialAt.At(v.C1, v.P, v.Chosen, v.K,
			v.B, v.Sigma, v.G, v.SigmaC, v.GC)
	}
	return right + two(eta, steps, r)
}

// insertVariance draws movements, lets the errors be as large as the variance lemma allows, and
// compares 2Σ‖v − ∇f‖² + 2TKr²/η² with what the display has for it.
func insertLocalVariance(two noiseTerm, data func(zeta, L float64) float64) props.Check {
	return props.Implication(func(src *props.Source, rec *props.Recorder) {
		t3, T := src.Int("T_3", 1, 12), src.Int("T", 1, 40)
		P := src.LogInt("P", Several, 1000)
		chosen, K := src.LogInt("p", 1, P), src.Int("K", 1, 8)
		v := localVariance{FLEDGETheory: algos.FLEDGETheory{P: float64(P), Chosen: float64(chosen),
			K: float64(K), B: float64(src.LogInt("b", 1, 100)), L: src.LogReal("L", 1e-3, 1e3)}}
		v.C1 = float64(t3) * v.Chosen / v.P // T_3 is a whole number
		if v.C1 < 1 || v.Window() != t3 {
			rec.Skip("C_1 < 1")
			return
		}
		v.Zeta = v.L * src.LogReal("zeta / L", 1e-9, 2)
		v.Data = data(v.Zeta, v.L)
		v.Sigma, v.SigmaC = src.LogReal("sigma", 1e-6, 1e3), src.LogReal("sigma_c", 1e-6, 1e3)
		v.G, v.GC = v.Sigma*src.LogReal("G / sigma", 1, 1e3),
			v.SigmaC*src.LogReal("G_c / sigma_c", 1, 1e3)
		eta, r := src.LogReal("eta", 1e-3, 1e3), src.LogReal("r", 1e-6, 1e3)
		rnd, busy := src.Rand("movements"), src.Real("share of steps that move", 0, 1)
		local := rows(T+1, K+1)
		moved := 0.0
		for t := 1; t <= T; t++ {
			for k := 1; k <= K; k++ {
				if rnd.Float64() < busy {
					local[t][k] = rnd.ExpFloat64()
					moved += local[t][k]
				}
			}
		}
		errOne, errTwo := 0.0, 0.0
		window := newWindow(t3)
		for t := 1; t <= T; t++ {
			for k := range K {
				within := floats.Sum(local[t][:k+1])
				errTwo += v.Bound(t, window.sum, within, algos.OptionII)
				errOne += v.Bound(t, window.sum, within, algos.OptionI)
			}
			window.add(floats.Sum(local[t]))
		}
		noise := noiseOutside(eta, float64(T*K), r)
		rec.AtMost("2Σ‖∇f − v‖² + 2TKr²/η², Option II", 2*errTwo+noise,
			display(v, T, eta, r, moved, algos.OptionII, two))
		rec.AtMost("2Σ‖∇f − v‖² + 2TKr²/η², Option I", 2*errOne+noise,
			display(v, T, eta, r, moved, algos.OptionI, two))
	})
}

// checkDisplay compares Σ‖∇f‖² with the whole display on runs, both sides with (2/η)Σ‖Δ‖²/(2η) and
// the decrease on the left.
func checkDisplay(l ranges, two noiseTerm, data constantOf) *props.Randomised {
	regime := (*instance).regime
	if l.drift { // the data of a client are all alike
		regime = func(in *instance, delta float64) props.Regime {
			return props.Where(props.Min("P", in.P, 2), props.Less("p", in.p, "P", in.P),
				props.Min("d", in.d, 2), props.Positive("r", in.r), longEnough(in.T),
				props.Allowed(delta))
		}
	}
	return tailOf(l.withNu, 8, regime,
		func(in *instance, p *path, nu float64, rec *props.Recorder) {
			v, moved := p.localVariance(p.literalC1(nu), data), p.inner(1, in.T)
			left, _, size := p.descended(moved, 0)
			rec.AtMost("Σ‖∇f‖² + Σ‖x^{t,k} − x^{t,k−1}‖²/η² − (2/η)(f(x⁰) − f(x^T)), Option "+
				l.option.String(), left,
				in.L.Value/in.eta*moved+display(v, in.T, in.eta, in.r, moved, l.option, two)).
				Scale(size)
		}).Effort(runEffort)
}

// drifting are ranges in which the noise term is what matters: with curvature and the spread of the
// data it disappears behind the literal powers of C_1.
var drifting = ranges{K: localSteps, drift: true, agree: true}

func clientsFirstMainClaims() []props.Binding {
	printedZeta := func(zeta, _ float64) float64 { return zeta }
	neededL := func(_, L float64) float64 { return L }
	return []props.Binding{
		props.Bind("dist-sum-descent/corrected",
			props.Settled(checkSumDescent(), sumOfSteps)),
		props.Bind("dist-sum-with-variance", props.All(
			// the noise of all steps
			insertLocalVariance(withoutSteps, printedZeta),
			checkDisplay(drifting, withoutSteps, zetaOf))),
		props.Bind("dist-sum-with-variance/corrected", props.All(
			insertLocalVariance(noiseOutside, neededL),
			checkDisplay(drifting, noiseOutside, lipschitzOf),
			checkDisplay(drifting.with(algos.OptionI), noiseOutside, lipschitzOf),
			checkDisplay(noisyData, noiseOutside, lipschitzOf))),
	}
}
