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

func stationaryClaims() []props.Claim {
	return []props.Claim{
		{
			ID: "first-step-size-choice", Part: "sledge-first-order", Tier: 1, Kind: "implication", Lines: "1510, 1524", Label: "theorem:First-Main",
			Statement: `η = min{1/(2L), b/(C_1⁴ζ√(60n))} implies 1/(2η) − L/2 − 15C_1⁹ηζ²n/b² ≥ 0`,
			Notes: "Times 2η the requirement is ηL + 30C_1⁹η²ζ²n/b² ≤ 1. With η = b/(C_1⁴ζ√(60n)) the second term is C_1/2, so the implication fails for every C_1 ≥ 2 as soon " +
				"as the second entry of the minimum is the smaller one, and for 1 < C_1 < 2 where also ηL > 1 − C_1/2. C_1^{9/2} in place of C_1⁴ makes it exact (and is what line 2132 " +
				"writes for the PL case). Drawn with n = 15k² and rational fourth roots of C_1, so that η is rational and every violation is confirmed exactly. The theorem hides powers of logarithms and survives; its step size is smaller by √C_1. Numbers: with n = 20, b = 5, T = 100, ν = 0.05 and " +
				"C_1 = log(nT/ν) ≈ 10.6, the corrected step is 1/(2L) only for ζ < 7.0e-6·L; for ζ = L it is 3.5e-6/L.",
			Uses:   []string{"variance-lemma-option-two"},
			Expect: props.Refuted,
			Check:  checkStepSize(PrintedStepPower),
		},
		{
			ID: "first-step-size-choice/corrected", Part: "sledge-first-order", Tier: 1, Kind: "implication", Lines: "1510, 1524", Label: "theorem:First-Main",
			Statement: `η = min{1/(2L), b/(C_1^{9/2}ζ√(60n))} implies 1/(2η) − L/2 − 15C_1⁹ηζ²n/b² ≥ 0`,
			Notes:     "Tight where both entries of the minimum are equal. No smaller power of C_1 will do.",
			Uses:      []string{"variance-lemma-option-two"},
			Expect:    props.Consistent,
			Check:     checkStepSize(NeededStepPower),
		},
		{
			ID: "first-noise-radius", Part: "sledge-first-order", Tier: 2, Kind: "implication", Lines: "373, 1511-1512", Label: "theorem:First-Main",
			Statement: `r ≤ ηε/2 implies 2Tr²/η² ≤ Tε²/2`,
			Notes:     "With equality at r = ηε/2.",
			Expect:    props.Consistent,
			Check: props.Implication(func(src *props.Source, rec *props.Recorder) {
				eta, eps := src.LogReal("eta", 1e-9, 1e9), src.LogReal("eps", 1e-9, 1e9)
				T := float64(src.LogInt("T", 1, 1e9))
				share := src.Real("r / (eta eps / 2)", 0, 1)
				r := share * eta * eps / 2
				rec.AtMost("2Tr²/η² against Tε²/2", 2*T*r*r/(eta*eta), T*eps*eps/2).Exactly(func() (*big.Rat, *big.Rat) {
					x := new(big.Rat).Mul(rat(share), rat(eps)) // 2r/η
					return x.Mul(x, x).Mul(x, rat(T/2)), new(big.Rat).Mul(power(rat(eps), 2), rat(T/2))
				})
			}),
		},
		{
			ID: "first-sum-descent", Part: "sledge-first-order", Tier: 2, Kind: "inequality", Lines: "1484-1490", Label: "theorem:First-Main",
			Statement: `Σ_{t≤T}‖∇f(x^{t−1})‖² ≤ (2/η)[f(x⁰) − f(x^t) − Σ(1/(2η) − L/2)‖x^t−x^{t−1}‖² + ηΣ‖∇f(x^{t−1})−v^{t−1}‖²] + 2Tr²/η²`,
			Notes: "Read with f(x^T) for the f(x^t) outside the sum, where t has no meaning. Checked on runs of SLEDGE after moving the negative terms to the left. Equality for " +
				"gradient descent on an isotropic quadratic.",
			Uses:   []string{"descent-lemma"},
			Expect: props.Consistent,
			Check: props.Inequality(func(src *props.Source, rec *props.Recorder) {
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
			}).Effort(0.5),
		},
		{
			ID: "first-sum-with-variance", Part: "sledge-first-order", Tier: 2, Kind: "inequality", Lines: "1491-1506", Label: "theorem:First-Main",
			Statement: `Inserting the variance lemma turns the coefficient into 1/(2η) − L/2 − 15C_1⁹ηζ²n/b² and adds (12ηC_1³n/b²)(σ_c²+G_c²/b) inside the bracket for Option I`,
			Notes: "The insertion alone is checked: arbitrary movements, errors as large as the variance lemma lets them be at the steps 0 … T−1 that the sum runs over, T_1 = (n/b)C_1 a whole number. " +
				"Equality is reached. Two conditions: the indicator must be 1[t < T_1] as in line 1153 (with the 1[t ≤ T_1] of lines 1410 and 1447 one initial term too many is paid, see " +
				"variance-lemma-failure-probability), and the lemma, stated for t = 1 … T, must also cover t = 0, where for Option I its bound holds by proposition:BernsteinNoReplacement.",
			Uses:   []string{"first-sum-descent", "variance-lemma-option-two", "variance-lemma-option-one"},
			Expect: props.Consistent,
			Check:  props.Implication(insertVariance),
		},
		{
			ID: "first-sum-option-one", Part: "sledge-first-order", Tier: 2, Kind: "inequality", Lines: "1514-1516", Label: "theorem:First-Main",
			Holds:     []string{"unit of 2Δ/η", "unit of Tε²/2", "unit of σ_c² n/b²"},
			Statement: `Σ‖∇f(x^{t−1})‖² ≤ 2Δ/η + (12C_1²n/b²)(σ_c² + G_c/b) + Tε²/2`,
			Notes: "Checked as the step it is printed as: a summary of the display before it (lines 1491-1506) with the coefficient of the movement dropped. That display gives " +
				"(2/η)·(12ηC_1³n/b²)(σ_c² + G_c²/b) = (24C_1³n/b²)(σ_c² + G_c²/b): the factor 2, one power of C_1 and the square of G_c are lost (G_c/b is not even of the dimension of σ_c²). " +
				"The orders in theorem:First-Main do not change.",
			Uses:   []string{"first-sum-with-variance", "first-noise-radius", "assumption:GlobalInfimum"},
			Expect: props.Refuted,
			Check: props.All(
				checkSummary(func(n, b int, c1, sigmaC, gC float64) float64 {
					bf := float64(b)
					return 12 * c1 * c1 * float64(n) / (bf * bf) * (sigmaC*sigmaC + gC/bf)
				}),
				props.Dimensional(bounds.GradientUnit.Power(2), units, map[string]func(props.Values) float64{
					"2Δ/η":      func(v props.Values) float64 { return 2 * v["Δ"] / v["η"] },
					"σ_c² n/b²": func(v props.Values) float64 { return v["n"] / sq(v["b"]) * sq(v["σ_c"]) },
					"G_c n/b³":  func(v props.Values) float64 { return v["n"] / math.Pow(v["b"], 3) * v["G_c"] },
					"Tε²/2":     func(v props.Values) float64 { return v["T"] * sq(v["ε"]) / 2 },
				})),
		},
		{
			ID: "first-sum-option-one/corrected", Part: "sledge-first-order", Tier: 2, Kind: "inequality", Lines: "1514-1516", Label: "theorem:First-Main",
			Statement: `Σ‖∇f(x^{t−1})‖² ≤ 2Δ/η + (24C_1³n/b²)(σ_c² + G_c²/b) + Tε²/2`,
			Uses:      []string{"first-sum-with-variance", "first-noise-radius", "assumption:GlobalInfimum"},
			Expect:    props.Consistent,
			Check: props.All(
				checkSummary(func(n, b int, c1, sigmaC, gC float64) float64 {
					return InitialTerm(24, n, b, c1, sigmaC, gC)
				}),
				props.Dimensional(bounds.GradientUnit.Power(2), units, map[string]func(props.Values) float64{
					"2Δ/η": func(v props.Values) float64 { return 2 * v["Δ"] / v["η"] },
					"initial": func(v props.Values) float64 {
						return InitialTerm(24, int(v["n"]), int(v["b"]), v["C_1"], v["σ_c"], v["G_c"])
					},
					"Tε²/2": func(v props.Values) float64 { return v["T"] * sq(v["ε"]) / 2 },
				})),
		},
		{
			ID: "first-horizon-option-one", Part: "sledge-first-order", Tier: 2, Kind: "implication", Lines: "1517-1521", Label: "theorem:First-Main",
			Statement: `T ≥ (2Δ/η + (12C_1³n/b²)(σ_c²+G_c²/b))·2/ε² gives (1/T)Σ‖∇f(x^{t−1})‖² ≤ ε²`,
			Notes: "Checked as an implication from the sum as the display of lines 1491-1506 gives it (first-sum-option-one/corrected): the sum is only known to be at most " +
				"2Δ/η + (24C_1³n/b²)(σ_c² + G_c²/b) + Tε²/2, so the second term of the horizon needs the factor 24. From the printed sum it does not follow either, " +
				"since G_c/b exceeds C_1G_c²/b for G_c < 1/C_1. The order is not affected.",
			Uses:   []string{"first-sum-option-one"},
			Expect: props.Refuted,
			Check:  props.All(checkHorizon(12), props.Implication(printedSumAtHorizon)),
		},
		{
			ID: "first-horizon-option-one/corrected", Part: "sledge-first-order", Tier: 2, Kind: "implication", Lines: "1517-1521", Label: "theorem:First-Main",
			Statement: `T ≥ (2Δ/η + (24C_1³n/b²)(σ_c²+G_c²/b))·2/ε² gives (1/T)Σ‖∇f(x^{t−1})‖² ≤ ε²`,
			Uses:      []string{"first-sum-option-one/corrected"},
			Expect:    props.Consistent,
			Check:     checkHorizon(24),
		},
		{
			ID: "first-horizon-option-two", Part: "sledge-first-order", Tier: 2, Kind: "complexity", Lines: "1525-1528", Label: "theorem:First-Main",
			Holds: []string{
				"bound on (1/T)Σ‖∇f‖² against ε²",
				"claimed/measured",
				"C_1 against 30 + 3·log((n/ν)(LΔ/ε²)(1 + σ_c/ε))",
			},
			Statement: `T ≥ 4Δ/(ηε²) = Õ(LΔ/ε²) suffices for Option II with the same η`,
			Notes: "4Δ/(ηε²) steps suffice, but they are not Õ(LΔ/ε²): 1/η is Õ(L + ζ√n/b), and with b = 1 and ζ = L the quotient of the two is of order √n. " +
				"The order is right where b ≥ ζ√n/L. The gradient count of theorem:First-Main, 2bT, is stated with both terms and survives.",
			Uses:   []string{"first-sum-descent", "variance-lemma-option-two", "first-step-size-choice", "first-noise-radius"},
			Expect: props.Refuted,
			Check: props.All(props.Implication(sufficesForOptionTwo), orderOf(algos.OptionII, func(_ *complexity, steps float64) float64 { return steps },
				func(c *complexity) float64 { return c.L * c.delta / (c.eps * c.eps) })),
		},
		{
			ID: "first-horizon-option-two/corrected", Part: "sledge-first-order", Tier: 2, Kind: "complexity", Lines: "1525-1528", Label: "theorem:First-Main",
			Statement: `T ≥ 4Δ/(ηε²) = Õ((L + ζ√n/b)Δ/ε²) suffices for Option II with the same η`,
			Uses:      []string{"first-sum-descent", "variance-lemma-option-two", "first-step-size-choice/corrected", "first-noise-radius"},
			Expect:    props.Consistent,
			Check: props.All(props.Implication(sufficesForOptionTwo), orderOf(algos.OptionII, func(_ *complexity, steps float64) float64 { return steps },
				func(c *complexity) float64 {
					return (c.L + c.zeta*math.Sqrt(float64(c.n))/float64(c.b)) * c.delta / (c.eps * c.eps)
				})),
		},
		{
			ID: "first-main-option-one", Part: "sledge-first-order", Tier: 1, Kind: "complexity", Lines: "370-382", Label: "theorem:First-Main",
			Statement: `Option I finds an ε-stationary point with Õ((Δ(ζ√n ∨ Lb) + (n/b)σ_c²)/ε²) stochastic gradients`,
			Notes: "Compared with the explicit count b + 2bT of the appendix (horizon with the factor 24, step size with C_1^{9/2}, C_1 = log(nT/ν)), with G_c = σ_c as in the main text's assumption (i). " +
				"Restricted to ε² ≤ 2LΔ: otherwise x⁰ is stationary already; this is what makes the missing term b for the initial minibatch harmless. In the formal setting, where σ_c is a root mean square, " +
				"the term (n/b²)G_c²/ε² of the appendix is missing from the theorem.",
			Uses:   []string{"first-horizon-option-one", "first-step-size-choice", "assumption:BoundedGradient"},
			Expect: props.Consistent,
			Check: props.All(
				orderOf(algos.OptionI, func(c *complexity, steps float64) float64 { return float64(c.b) + 2*float64(c.b)*steps },
					func(c *complexity) float64 { return c.claimed(algos.OptionI) }),
				props.Dimensional(props.Unit{}, units, map[string]func(props.Values) float64{
					"Δζ√n/ε²":      func(v props.Values) float64 { return v["Δ"] * v["ζ"] * math.Sqrt(v["n"]) / sq(v["ε"]) },
					"ΔLb/ε²":       func(v props.Values) float64 { return v["Δ"] * v["L"] * v["b"] / sq(v["ε"]) },
					"(n/b)σ_c²/ε²": func(v props.Values) float64 { return v["n"] / v["b"] * sq(v["σ_c"]/v["ε"]) },
					"2b·T":         explicitCount,
				})),
		},
		{
			ID: "first-main-option-one/formal-spread", Part: "sledge-first-order", Tier: 2, Kind: "complexity", Lines: "370-382, 888-897, 1517", Label: "theorem:First-Main",
			Statement: `The appendix's count of gradients for Option I is Õ((Δ(ζ√n ∨ Lb) + (n/b)σ_c²)/ε²) also with the formal assumption, σ_c the root mean square and G_c the largest deviation of the component gradients at x⁰`,
			Notes: "The horizon contains (n/b²)G_c²/b, and G_c² may be nσ_c² (one component apart from the others): the count then exceeds the theorem's formula by up to n/b. The theorem has to be read with the main text's σ_c, the largest " +
				"deviation. In expectation the root mean square does suffice (first-main-option-one/sharper).",
			Uses:   []string{"first-main-option-one"},
			Expect: props.Refuted,
			Check: props.Order(func(src *props.Source) (float64, float64) {
				c := drawComplexity(src)
				n, b := float64(c.n), float64(c.b)
				c.gC = c.sigmaC * math.Pow(n, src.Real("log G_c/σ_c / log n", 0, 0.5))
				c.c1 = src.Logarithm("C_1", 1e3)
				return b + 2*b*c.horizon(algos.OptionI), (c.delta*max(c.zeta*math.Sqrt(n), c.L*b) + n/b*c.sigmaC*c.sigmaC) / (c.eps * c.eps)
			}),
		},
		{
			ID: "first-main-option-two", Part: "sledge-first-order", Tier: 1, Kind: "complexity", Lines: "370-382", Label: "theorem:First-Main",
			Statement: `Option II finds an ε-stationary point with Õ(n + Δ(ζ√n ∨ Lb)/ε²) stochastic gradients`,
			Notes:     "Compared with the explicit count n + 2bT of the appendix (step size with C_1^{9/2}, C_1 = log(nT/ν)); ε² ≤ 2LΔ, otherwise x⁰ is stationary already.",
			Uses:      []string{"first-horizon-option-two", "first-step-size-choice"},
			Expect:    props.Consistent,
			Check: props.All(
				orderOf(algos.OptionII, func(c *complexity, steps float64) float64 { return float64(c.n) + 2*float64(c.b)*steps },
					func(c *complexity) float64 { return c.claimed(algos.OptionII) }),
				props.Dimensional(props.Unit{}, units, map[string]func(props.Values) float64{
					"Δζ√n/ε²": func(v props.Values) float64 { return v["Δ"] * v["ζ"] * math.Sqrt(v["n"]) / sq(v["ε"]) },
					"ΔLb/ε²":  func(v props.Values) float64 { return v["Δ"] * v["L"] * v["b"] / sq(v["ε"]) },
				})),
		},
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
