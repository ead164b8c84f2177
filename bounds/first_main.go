package bounds

import (
	"math"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
	"sledge/props/formula"
)

// words is the vocabulary of the first-order theorems.
var words = Symbols("first")

// initialTermAt is what Option I pays for its inexact start, in units of ‖∇f‖²: twice what the
// bracket of lines 1491-1506 has, as the horizon of line 1526 needs it.
var initialTermAt = formula.Must(words, "(24C_1³n/b²)(σ_c² + G_c²/b)").
	Of("n", "b", "C_1", "σ_c", "G_c")

// StepSize is the step size that the argument of theorem:First-Main needs, η = min{1/(2L),
// b/(C_1^{9/2} ζ√(60n))}, in units of 1/L, for 1 ≤ b ≤ n and c1 = C_1 ≥ 1; ζ = 0 leaves 1/(2L).
// Lines 1510 and 1524 have C_1⁴.
func StepSize(L, zeta float64, n, b int, c1 float64) float64 {
	return algos.SLEDGETheory{N: n, B: b, C1: c1, L: L, Zeta: zeta}.FirstStep(algos.SLEDGEStepPower)
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
	return []props.Binding{
		props.Bind("dist-sum-descent/corrected", props.Settled(checkSumDescent(), sumOfSteps)),
	}
}

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
		grads, errs, moved := 0.0, 0.0, p.inner(1, p.T)
		for m := range p.steps() {
			grads += normSq(p.grad[m])
			errs += normSq(p.err[m])
		}
		f0, f1 := in.problem.Value(in.x0), in.problem.Value(p.tape.X[p.T])
		terms := grads + moved/sq(in.eta)
		rec.AtMost("Σ‖∇f‖² + Σ‖x^{t,k} − x^{t,k−1}‖²/η² − (2/η)(f(x⁰) − f(x^T))",
			terms+2/in.eta*(f1-f0), p.LMean.Value/in.eta*moved+2*errs+
				2*float64(p.steps())*sq(in.r/in.eta)).
			Scale(terms + 2/in.eta*(math.Abs(f0)+math.Abs(f1)))
	}).Effort(0.5)
}
