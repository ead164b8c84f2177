package finitesum

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/bounds"
	"sledge/props"
	"sledge/props/formula"
)

// The exponents of C_1 in the step size of theorem:First-Main: the printed one (lines 1510, 1524) and the one that the argument needs.
const (
	PrintedStepPower = 4
	NeededStepPower  = algos.SLEDGEStepPower
)

// words is the vocabulary of the first-order theorem: that of the theory and the power of C_1 in the step size, on which text and argument differ.
var words = bounds.Vocabulary.With(formula.Symbol{Name: "power"})

// firstStep is the step size of lines 1510 and 1524, whose printed power is 4.
const firstStep = "min{1/(2L), b/(C_1^{power} ζ √(60n))}"

// StepSize is η = min{1/(2L), b/(C_1^power ζ√(60n))} (lines 1510, 1524); PrintedStepPower is the printed power.
func StepSize(L, zeta float64, n, b int, c1, power float64) float64 {
	return algos.SLEDGETheory{N: n, B: b, C1: c1, L: L, Zeta: zeta}.FirstStep(power)
}

// MovementCoefficient is the coefficient of −Σ‖x^t − x^{t−1}‖² after the variance lemma is inserted, 1/(2η) − L/2 − 15C_1⁹ηζ²n/b² (lines 1491-1506).
func MovementCoefficient(eta, L, zeta float64, n, b int, c1 float64) float64 {
	return 1/(2*eta) - L/2 - 15*math.Pow(c1, 9)*eta*zeta*zeta*float64(n)/(float64(b)*float64(b))
}

// InitialTerm is (factor·C_1³n/b²)(σ_c² + G_c²/b), what Option I pays for its inexact start. The factor is 12 inside the bracket of lines 1491-1506, hence 24
// after the bracket is multiplied by 2/η.
func InitialTerm(factor float64, n, b int, c1, sigmaC, gC float64) float64 {
	bf := float64(b)
	return factor * math.Pow(c1, 3) * float64(n) / (bf * bf) * (sigmaC*sigmaC + gC*gC/bf)
}

// Horizon is the number of steps that makes the average of ‖∇f‖² at most ε² (lines 1517, 1526): (2Δ/η + initial)·2/ε², at least 1 and rounded up; initial
// is 0 for Option II. The paper takes InitialTerm with factor 12, the argument needs 24.
func Horizon(delta, eta, eps, initial float64) float64 {
	return max(1, math.Ceil((2*delta/eta+initial)*2/(eps*eps)))
}

// FirstComplexity is the number of stochastic gradients of theorem:First-Main without logarithms (lines 376-379).
func FirstComplexity(option algos.Option, n, b, L, zeta, delta, sigmaC, eps float64) float64 {
	descent := delta * max(zeta*math.Sqrt(n), L*b)
	if option == algos.OptionI {
		return (descent + n/b*sigmaC*sigmaC) / (eps * eps)
	}
	return n + descent/(eps*eps)
}

// first is where the implications of the proof of theorem:First-Main are tried, over many decades.
var first = words.MustDomain(`n, b ∈ [1, n], C_1 ∈ [1, 400], L ∈ [1e-6, 1e6], ζ ∈ [1e-9 L, 2L], Δ, ε, T, G_c, σ_c ∈ [0 G_c, G_c]`)

// printedStep and neededStep are the step sizes of the text and of the argument.
const (
	printedStep = "power = 4, η = " + firstStep
	neededStep  = "power = 9/2, η = " + firstStep
)

// moves says that the coefficient of the movement is not negative.
const moves = "; L/2 + 15C_1⁹ηζ²n/b² ≤ 1/(2η)"

// summary says that what the display of lines 1491-1506 bounds, with a nonnegative coefficient of the movement and r = ηε/2, is at most
// 2Δ/η + initial + Tε²/2.
func summary(initial string) string {
	return neededStep + "; (2/η)(Δ + 12η(C_1³n/b²)(σ_c² + G_c²/b)) + Tε²/2 ≤ 2Δ/η + " + initial + " + Tε²/2"
}

// horizon says that T steps make the bound sum on Σ‖∇f‖², but for its term Tε²/2, so small that the average is at most ε².
func horizon(T, sum string) string {
	return neededStep + ", T ≥ " + T + "; (" + sum + ")/T + ε²/2 ≤ ε²"
}

// The bounds on the sum, and the horizons, but for Tε²/2 and ·2/ε².
const (
	printedInitial = "(12C_1²n/b²)(σ_c² + G_c/b)"
	halfInitial    = "(12C_1³n/b²)(σ_c² + G_c²/b)"
	neededInitial  = "(24C_1³n/b²)(σ_c² + G_c²/b)"
	optionTwoSteps = "4Δ/(ηε²)"
)

func stationaryClaims() []props.Binding {
	return []props.Binding{
		props.Bind("first-step-size-choice", first.Implies(printedStep+moves)),
		props.Bind("first-step-size-choice/corrected", first.Implies(neededStep+moves)),
		props.Bind("first-noise-radius", first.Implies("r ≤ ηε/2; 2Tr²/η² ≤ Tε²/2")),
		props.Bind("first-sum-descent", props.Inequality(func(src *props.Source, rec *props.Recorder) {
			in := drawInstance(src, ranges{n: problems.Sizes(1, 6), T: problems.Sizes(1, 12), option: algos.Option(src.Pick("option", "II", "I"))})
			p := in.drawPath(src)
			grads, errs := 0.0, 0.0
			for t := range in.T {
				grads += normSq(p.grad[t])
				errs += normSq(p.err[t])
			}
			eta, L, T := in.eta, in.LMean.Value, float64(in.T)
			f0, f1, moved := in.problem.Value(in.x0), in.problem.Value(p.tape.X[in.T]), floats.Sum(p.moved)
			// The two sides with 2/η·(Σ‖Δ‖²/(2η)) and the decrease on the left.
			left := grads + moved/(eta*eta) + 2/eta*(f1-f0)
			right := 2/eta*(L/2*moved+eta*errs) + 2*T*in.r*in.r/(eta*eta)
			rec.AtMost("Σ‖∇f‖² + Σ‖x^t − x^{t−1}‖²/η² − (2/η)(f(x⁰) − f(x^T))", left, right).
				Scale(grads + moved/(eta*eta) + 2/eta*(math.Abs(f0)+math.Abs(f1)+1e-4*p.size*p.size/in.L.Value))
		}).Effort(0.5)),
		props.Bind("first-sum-with-variance", props.Implication(insertVariance)),
		props.Bind("first-sum-option-one", first.Implies(summary(printedInitial))),
		props.Bind("first-sum-option-one/corrected", first.Implies(summary(neededInitial))),
		props.Bind("first-horizon-option-one", props.All(
			first.Implies(horizon("(2Δ/η + "+halfInitial+")·2/ε²", "2Δ/η + "+neededInitial)),
			first.Implies(horizon("(2Δ/η + "+halfInitial+")·2/ε²", "2Δ/η + "+printedInitial)))),
		props.Bind("first-horizon-option-one/corrected", first.Implies(horizon("(2Δ/η + "+neededInitial+")·2/ε²", "2Δ/η + "+neededInitial))),
		props.Bind("first-horizon-option-two", props.All(first.Implies(horizon(optionTwoSteps, "2Δ/η")), orderOf(algos.OptionII, func(_ *complexity, steps float64) float64 { return steps },
			func(c *complexity) float64 { return c.L * c.delta / (c.eps * c.eps) }))),
		props.Bind("first-horizon-option-two/corrected", props.All(first.Implies(horizon(optionTwoSteps, "2Δ/η")), orderOf(algos.OptionII, func(_ *complexity, steps float64) float64 { return steps },
			func(c *complexity) float64 {
				return (c.L + c.zeta*math.Sqrt(float64(c.n))/float64(c.b)) * c.delta / (c.eps * c.eps)
			}))),
		props.Bind("first-main-option-one", props.All(
			orderOf(algos.OptionI, func(c *complexity, steps float64) float64 { return float64(c.b) + 2*float64(c.b)*steps },
				func(c *complexity) float64 { return c.claimed(algos.OptionI) }),
			props.Dimensional(props.Unit{}, units, map[string]func(props.Values) float64{
				"Δζ√n/ε²":      func(v props.Values) float64 { return v["Δ"] * v["ζ"] * math.Sqrt(v["n"]) / sq(v["ε"]) },
				"ΔLb/ε²":       func(v props.Values) float64 { return v["Δ"] * v["L"] * v["b"] / sq(v["ε"]) },
				"(n/b)σ_c²/ε²": func(v props.Values) float64 { return v["n"] / v["b"] * sq(v["σ_c"]/v["ε"]) },
				"2b·T":         explicitCount,
			}))),
		props.Bind("first-main-option-one/formal-spread", props.Order(func(src *props.Source) (float64, float64) {
			c := drawComplexity(src)
			n, b := float64(c.n), float64(c.b)
			c.gC = c.sigmaC * math.Pow(n, src.Real("log G_c/σ_c / log n", 0, 0.5))
			c.c1 = src.Logarithm("C_1", 1e3)
			return b + 2*b*c.horizon(algos.OptionI), (c.delta*max(c.zeta*math.Sqrt(n), c.L*b) + n/b*c.sigmaC*c.sigmaC) / (c.eps * c.eps)
		})),
		props.Bind("first-main-option-two", props.All(
			orderOf(algos.OptionII, func(c *complexity, steps float64) float64 { return float64(c.n) + 2*float64(c.b)*steps },
				func(c *complexity) float64 { return c.claimed(algos.OptionII) }),
			props.Dimensional(props.Unit{}, units, map[string]func(props.Values) float64{
				"Δζ√n/ε²": func(v props.Values) float64 { return v["Δ"] * v["ζ"] * math.Sqrt(v["n"]) / sq(v["ε"]) },
				"ΔLb/ε²":  func(v props.Values) float64 { return v["Δ"] * v["L"] * v["b"] / sq(v["ε"]) },
			}))),
	}
}

// units are those of the quantities in the first-order theorem.
var units = bounds.Quantities("Δ", "L", "ζ", "η", "σ_c", "G_c", "ε", "n", "b", "C_1", "T")

// explicitCount is 2b times the horizon of lines 1517 before rounding, with the step size of line 1510.
func explicitCount(v props.Values) float64 {
	n, b := int(v["n"]), int(v["b"])
	eta := StepSize(v["L"], v["ζ"], n, b, v["C_1"], NeededStepPower)
	return 2 * v["b"] * (2*v["Δ"]/eta + InitialTerm(24, n, b, v["C_1"], v["σ_c"], v["G_c"])) * 2 / sq(v["ε"])
}

// insertVariance draws movements and lets the errors be as large as the variance lemma allows.
func insertVariance(src *props.Source, rec *props.Recorder) {
	t1 := src.Int("T_1", 1, 12)
	T := src.Int("T", 1, 40)
	n := src.LogInt("n", bounds.Several, 1000)
	b := src.LogInt("b", 1, n)
	c1 := float64(t1) * float64(b) / float64(n)
	if c1 < 1 {
		rec.Skip("C_1 < 1")
		return
	}
	v := Variance{C1: c1, Zeta: src.LogReal("zeta", 1e-3, 1e3), N: n, B: b, T1: t1}
	v.SigmaC, v.GC = src.LogReal("sigma_c", 1e-3, 1e3), src.LogReal("G_c", 1e-3, 1e3)
	moved := make([]float64, T+1)
	r, busy := src.Rand("movements"), src.Real("share of steps that move", 0, 1)
	for s := 1; s <= T; s++ {
		if r.Float64() < busy {
			moved[s] = r.ExpFloat64()
		}
	}
	errTwo, errOne := 0.0, 0.0
	for t := range T {
		w := 0.0
		for s := bounds.WindowStart(t, t1); s <= t; s++ {
			w += moved[s]
		}
		errTwo += v.Bound(t, w, algos.OptionII)
		errOne += v.Bound(t, w, algos.OptionI)
	}
	// Inside the bracket: ηΣ‖∇f − v‖² against the movement part of the coefficient and the initial term, both divided by η.
	nf, bf := float64(n), float64(b)
	movement := 15 * math.Pow(c1, 9) * v.Zeta * v.Zeta * nf / (bf * bf) * floats.Sum(moved)
	rec.AtMost("Σ of the bounds, Option II", errTwo, movement)
	rec.AtMost("Σ of the bounds, Option I", errOne, movement+InitialTerm(12, n, b, c1, v.SigmaC, v.GC))
}

// complexity holds what the gradient count of theorem:First-Main depends on.
type complexity struct {
	n, b                    int
	L, zeta, delta, eps, nu float64
	sigmaC, gC              float64
	c1, eta                 float64
}

// drawComplexity draws parameters over many decades with ε² ≤ 2LΔ, since ‖∇f(x⁰)‖² ≤ 2LΔ.
func drawComplexity(src *props.Source) *complexity {
	c := &complexity{n: src.LogInt("n", bounds.Several, 1e9), L: src.LogReal("L", 1e-3, 1e3), delta: src.LogReal("Delta", 1e-3, 1e3), nu: src.LogReal("nu", 1e-9, 0.5)}
	c.b = src.LogInt("b", 1, c.n)
	c.zeta = c.L * src.LogReal("zeta / L", 1e-9, 2)
	c.eps = math.Sqrt(2*c.L*c.delta) * src.LogReal("eps / √(2LΔ)", 1e-6, 1)
	c.sigmaC = c.eps * src.LogReal("sigma_c / eps", 1e-6, 1e6)
	c.gC = c.sigmaC
	return c
}

// steps solves T = Horizon with C_1 = log(nT/ν), on which η and the initial term depend.
func (c *complexity) steps(option algos.Option) float64 {
	T := 1.0
	for range 200 {
		c.c1 = max(1, math.Log(float64(c.n)*T/c.nu))
		next := c.horizon(option)
		if next <= T {
			break
		}
		T = next
	}
	return T
}

// horizon is the number of steps for the C_1 at hand.
func (c *complexity) horizon(option algos.Option) float64 {
	c.eta = StepSize(c.L, c.zeta, c.n, c.b, c.c1, NeededStepPower)
	initial := 0.0
	if option == algos.OptionI {
		initial = InitialTerm(24, c.n, c.b, c.c1, c.sigmaC, c.gC)
	}
	return Horizon(c.delta, c.eta, c.eps, initial)
}

// claimed is the number of gradients that the theorem claims.
func (c *complexity) claimed(option algos.Option) float64 {
	return FirstComplexity(option, float64(c.n), float64(c.b), c.L, c.zeta, c.delta, c.sigmaC, c.eps)
}

// orderOf checks that the number that explicit returns is at most a constant times claimed, up to powers of C_1, and that C_1 = log(nT/ν), which
// contains T, is itself logarithmic in the parameters: together, that explicit = Õ(claimed). And that claimed is no larger than a constant times explicit
// without logarithms: it cannot be improved by a better reading of the proof.
func orderOf(option algos.Option, explicit func(c *complexity, steps float64) float64, claimed func(c *complexity) float64) props.Check {
	return props.All(
		props.SameOrder(func(src *props.Source) (float64, float64) {
			c := drawComplexity(src)
			c.c1 = src.Logarithm("C_1", 1e3)
			return explicit(c, c.horizon(option)), claimed(c)
		}),
		props.Inequality(func(src *props.Source, rec *props.Recorder) {
			c := drawComplexity(src)
			c.steps(option)
			all := float64(c.n) / c.nu * c.L * c.delta / (c.eps * c.eps) * (1 + c.sigmaC/c.eps)
			rec.AtMost("C_1 against 30 + 3·log((n/ν)(LΔ/ε²)(1 + σ_c/ε))", c.c1, 30+3*math.Log(all))
		}))
}
