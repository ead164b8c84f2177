package finitesum

import (
	"math"
	"math/big"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/bounds"
	"sledge/props"
)

// The exponents of C_1 in the step size of theorem:First-Main: the printed one (lines 1510, 1524) and the one that the argument needs.
const (
	PrintedStepPower = 4
	NeededStepPower  = algos.SLEDGEStepPower
)

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

// firstParameters are the parameters of the implications of the proof of theorem:First-Main, over many decades.
type firstParameters struct {
	n, b                                     int
	L, zeta, delta, sigmaC, gC, c1, eps, eta float64
}

// drawFirst draws parameters whose step size is rational, so that comparisons can be confirmed exactly: n = 15k², so that √(60n) = 30k, and C_1 = q⁴;
// four times the power is a whole number.
func drawFirst(src *props.Source, power float64) (p firstParameters, q float64, exactEta *big.Rat) {
	k := src.LogInt("k (n = 15k²)", 1, 1000)
	p.n = 15 * k * k
	p.b = src.LogInt("b", 1, p.n)
	p.L = src.LogReal("L", 1e-6, 1e6)
	p.zeta = p.L * src.LogReal("zeta / L", 1e-9, 2)
	q = src.LogReal("fourth root of C_1", 1, 4.5)
	p.c1 = q * q * q * q
	p.eta = StepSize(p.L, p.zeta, p.n, p.b, p.c1, power)

	first := new(big.Rat).Inv(new(big.Rat).Mul(rat(2), rat(p.L)))
	second := rat(1)
	for range int(4 * power) {
		second.Mul(second, rat(q))
	}
	second.Mul(second, rat(p.zeta))
	second.Mul(second, rat(float64(30*k)))
	second.Quo(rat(float64(p.b)), second)
	if second.Cmp(first) < 0 {
		return p, q, second
	}
	return p, q, first
}

// checkStepSize checks that the step size with the given power of C_1 makes the movement coefficient nonnegative.
func checkStepSize(stepPower float64) props.Check {
	return props.Implication(func(src *props.Source, rec *props.Recorder) {
		p, q, exactEta := drawFirst(src, stepPower)
		spent := 1/(2*p.eta) - MovementCoefficient(p.eta, p.L, p.zeta, p.n, p.b, p.c1)
		what := "L/2 + 15C_1⁹ηζ²n/b² against 1/(2η)"
		if p.c1 >= 4 { // there a power of C_1 too many would show
			what += ", C_1 ≥ 4"
		}
		rec.AtMost(what, spent, 1/(2*p.eta)).Exactly(func() (*big.Rat, *big.Rat) {
			v := rat(15)
			v.Mul(v, power(rat(q), 36)).Mul(v, exactEta).Mul(v, power(rat(p.zeta), 2)).Mul(v, rat(float64(p.n)))
			v.Quo(v, power(rat(float64(p.b)), 2))
			v.Add(v, new(big.Rat).Quo(rat(p.L), rat(2)))
			return v, new(big.Rat).Inv(new(big.Rat).Mul(rat(2), exactEta))
		})
	})
}

func stationaryClaims() []props.Binding {
	return []props.Binding{
		props.Bind("first-step-size-choice", checkStepSize(PrintedStepPower)),
		props.Bind("first-step-size-choice/corrected", checkStepSize(NeededStepPower)),
		props.Bind("first-noise-radius", props.Implication(func(src *props.Source, rec *props.Recorder) {
			eta, eps := src.LogReal("eta", 1e-9, 1e9), src.LogReal("eps", 1e-9, 1e9)
			T := float64(src.LogInt("T", 1, 1e9))
			share := src.Real("r / (eta eps / 2)", 0, 1)
			r := share * eta * eps / 2
			rec.AtMost("2Tr²/η² against Tε²/2", 2*T*r*r/(eta*eta), T*eps*eps/2).Exactly(func() (*big.Rat, *big.Rat) {
				x := new(big.Rat).Mul(rat(share), rat(eps)) // 2r/η
				return x.Mul(x, x).Mul(x, rat(T/2)), new(big.Rat).Mul(power(rat(eps), 2), rat(T/2))
			})
		})),
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
		props.Bind("first-sum-option-one", props.All(
			checkSummary(func(n, b int, c1, sigmaC, gC float64) float64 {
				bf := float64(b)
				return 12 * c1 * c1 * float64(n) / (bf * bf) * (sigmaC*sigmaC + gC/bf)
			}),
			props.Dimensional(bounds.GradientUnit.Power(2), units, map[string]func(props.Values) float64{
				"2Δ/η":      func(v props.Values) float64 { return 2 * v["Δ"] / v["η"] },
				"σ_c² n/b²": func(v props.Values) float64 { return v["n"] / sq(v["b"]) * sq(v["σ_c"]) },
				"G_c n/b³":  func(v props.Values) float64 { return v["n"] / math.Pow(v["b"], 3) * v["G_c"] },
				"Tε²/2":     func(v props.Values) float64 { return v["T"] * sq(v["ε"]) / 2 },
			}))),
		props.Bind("first-sum-option-one/corrected", props.All(
			checkSummary(func(n, b int, c1, sigmaC, gC float64) float64 {
				return InitialTerm(24, n, b, c1, sigmaC, gC)
			}),
			props.Dimensional(bounds.GradientUnit.Power(2), units, map[string]func(props.Values) float64{
				"2Δ/η": func(v props.Values) float64 { return 2 * v["Δ"] / v["η"] },
				"initial": func(v props.Values) float64 {
					return InitialTerm(24, int(v["n"]), int(v["b"]), v["C_1"], v["σ_c"], v["G_c"])
				},
				"Tε²/2": func(v props.Values) float64 { return v["T"] * sq(v["ε"]) / 2 },
			}))),
		props.Bind("first-horizon-option-one", props.All(checkHorizon(12), props.Implication(printedSumAtHorizon))),
		props.Bind("first-horizon-option-one/corrected", checkHorizon(24)),
		props.Bind("first-horizon-option-two", props.All(props.Implication(sufficesForOptionTwo), orderOf(algos.OptionII, func(_ *complexity, steps float64) float64 { return steps },
			func(c *complexity) float64 { return c.L * c.delta / (c.eps * c.eps) }))),
		props.Bind("first-horizon-option-two/corrected", props.All(props.Implication(sufficesForOptionTwo), orderOf(algos.OptionII, func(_ *complexity, steps float64) float64 { return steps },
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

// checkSummary compares the sum bound of the display of lines 1491-1506, with a nonnegative coefficient of the movement and r = ηε/2, with
// 2Δ/η + initial + Tε²/2.
func checkSummary(initial func(n, b int, c1, sigmaC, gC float64) float64) props.Check {
	return props.Implication(func(src *props.Source, rec *props.Recorder) {
		p := drawHorizonParameters(src)
		T := float64(src.LogInt("T", 1, 1e6))
		bracket := p.delta + p.eta*InitialTerm(12, p.n, p.b, p.c1, p.sigmaC, p.gC)
		rec.AtMost("bound on Σ‖∇f‖² by the display before against the summary", 2/p.eta*bracket+T*p.eps*p.eps/2,
			2*p.delta/p.eta+initial(p.n, p.b, p.c1, p.sigmaC, p.gC)+T*p.eps*p.eps/2)
	})
}

// checkHorizon checks that the horizon with the given factor in its initial term makes the corrected sum bound at most Tε².
func checkHorizon(factor float64) props.Check {
	return props.Implication(func(src *props.Source, rec *props.Recorder) {
		p := drawHorizonParameters(src)
		T := Horizon(p.delta, p.eta, p.eps, InitialTerm(factor, p.n, p.b, p.c1, p.sigmaC, p.gC))
		sum := 2*p.delta/p.eta + InitialTerm(24, p.n, p.b, p.c1, p.sigmaC, p.gC) + T*p.eps*p.eps/2
		rec.AtMost("bound on (1/T)Σ‖∇f‖² against ε²", sum/T, p.eps*p.eps)
	})
}

// printedSumAtHorizon draws the conclusion of line 1518 from the sum as line 1515 prints it, with 12C_1² and G_c/b.
func printedSumAtHorizon(src *props.Source, rec *props.Recorder) {
	p := drawHorizonParameters(src)
	T := Horizon(p.delta, p.eta, p.eps, InitialTerm(12, p.n, p.b, p.c1, p.sigmaC, p.gC))
	b := float64(p.b)
	sum := 2*p.delta/p.eta + 12*sq(p.c1)*float64(p.n)/sq(b)*(sq(p.sigmaC)+p.gC/b) + T*p.eps*p.eps/2
	rec.AtMost("printed bound on (1/T)Σ‖∇f‖² against ε²", sum/T, p.eps*p.eps)
}

func sufficesForOptionTwo(src *props.Source, rec *props.Recorder) {
	p := drawHorizonParameters(src)
	T := Horizon(p.delta, p.eta, p.eps, 0)
	rec.AtMost("bound on (1/T)Σ‖∇f‖² against ε²", (2*p.delta/p.eta+T*p.eps*p.eps/2)/T, p.eps*p.eps)
}

func drawHorizonParameters(src *props.Source) (p firstParameters) {
	p.n = src.LogInt("n", bounds.Several, 1e6)
	p.b = src.LogInt("b", 1, p.n)
	p.c1 = src.LogReal("C_1", 1, 400)
	p.L = src.LogReal("L", 1e-3, 1e3)
	p.zeta = p.L * src.LogReal("zeta / L", 1e-9, 2)
	p.eta = StepSize(p.L, p.zeta, p.n, p.b, p.c1, NeededStepPower)
	p.delta = src.LogReal("Delta", 1e-3, 1e3)
	p.eps = src.LogReal("eps", 1e-3, 1e3)
	p.gC = src.LogReal("G_c", 1e-3, 1e3)
	p.sigmaC = p.gC * src.Real("sigma_c / G_c", 0, 1)
	return p
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
