package bounds

import (
	"math"
	"math/big"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
	"sledge/props/formula"
)

// The exponents of C_1 in the step size of theorem:First-Main: the printed one (lines 1510, 1524) and the one that the argument needs.
const (
	PrintedStepPower = 4
	NeededStepPower  = algos.SLEDGEStepPower
)

// words is the vocabulary of the first-order theorem: that of the theory and the power of C_1 in the step size, on which text and argument differ.
var words = Vocabulary.With(formula.Symbol{Name: "power"})

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
	if option == algos.OptionI {
		return firstOneRate.At(n, b, L, zeta, delta, sigmaC, eps)
	}
	return firstTwoRate.At(n, b, L, zeta, delta, eps)
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
var units = Quantities("Δ", "L", "ζ", "η", "σ_c", "G_c", "ε", "n", "b", "C_1", "T")

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
	n := src.LogInt("n", Several, 1000)
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
		for s := WindowStart(t, t1); s <= t; s++ {
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
	c := &complexity{n: src.LogInt("n", Several, 1e9), L: src.LogReal("L", 1e-3, 1e3), delta: src.LogReal("Delta", 1e-3, 1e3), nu: src.LogReal("nu", 1e-9, 0.5)}
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

// The numbers in front of C_1⁹ζ²P/p² and C_1¹¹ζ²PK/(p²b) in the step size of theorem:Dist-First-Main (line 2547), and the power of K in the
// first of these terms: the printed one, and the one that the argument needs. With 512 in place of 604 it is exact.
const (
	stepClients    = 480
	stepData       = algos.FLEDGEStepData
	stepDataNeeded = 512
	stepDrift      = 16

	FLEDGEPrintedStepPower = 0
	FLEDGENeededStepPower  = algos.FLEDGEStepPower
)

// Parameters are what the step size, the coefficients and the rounds of theorem:Dist-First-Main depend on. Counts are real numbers here, so that
// they may be large.
type Parameters struct {
	C1, L, Zeta float64
	Data        float64 // as in [Variance]
	P, Chosen   float64 // clients, and clients in a round
	K, B        float64
	Delta, Eps  float64
}

// theory returns what parameters of FLEDGE are made from.
func (s Parameters) theory() algos.FLEDGETheory {
	return algos.FLEDGETheory{P: s.P, Chosen: s.Chosen, K: s.K, B: s.B, C1: s.C1, L: s.L, Zeta: s.Zeta, Data: s.Data}
}

// MovementLoss is 120C_1⁹ζ²PK²/p² + 128C_1¹¹ζ²PK/(p²b) + 4ζ²K² + 4C_1²L²K/b, what the variance lemma takes from the coefficient 1/(2η) − L/2 of
// the movement, divided by η (lines 2535-2536). data is the number in front of the second term: 128 as printed; the lemma costs 32.
func (s Parameters) MovementLoss(data float64) float64 {
	return s.theory().MovementLoss(data)
}

// printedData is the number in front of C_1¹¹ζ²PK/(p²b) in lines 2535-2536.
const printedData = 128

// inverseSquare is (480C_1⁹ζ²PK^power/p² + data·C_1¹¹ζ²PK/(p²b) + 16ζ²K² + 16C_1²L²K/b), 1/η² where 1/(2L) is not the smaller step.
func (s Parameters) inverseSquare(power, data float64) float64 {
	return s.theory().InverseSquare(power, data)
}

// StepSize is the step size of line 2547, min{1/(2L), (480C_1⁹ζ²PK^power/p² + 604C_1¹¹ζ²PK/(p²b) + 16ζ²K² + 16C_1²L²K/b)^{−1/2}};
// PrintedStepPower is the printed power of K.
func (s Parameters) StepSize(power float64) float64 { return s.step(power, stepData) }

// step is StepSize with the given number in place of 604.
func (s Parameters) step(power, data float64) float64 {
	return s.theory().FirstStep(power, data)
}

// InverseStep is 1/η up to constants and logarithms for the lists of step sizes: L ∨ ζ√PK/p ∨ data·√(PK)/(p√b) ∨ ζK ∨ L√K/√b. Without the
// second entry it is the list of lines 501 and 2197, with all of them that of line 2547.
func (s Parameters) InverseStep(withClients bool) float64 {
	v := max(s.L, s.Data*math.Sqrt(s.P*s.K)/(s.Chosen*math.Sqrt(s.B)), s.Zeta*s.K, s.L*math.Sqrt(s.K/s.B))
	if withClients {
		v = max(v, s.Zeta*math.Sqrt(s.P)*s.K/s.Chosen)
	}
	return v
}

// StatedRounds is (L/K ∨ ζ√P/p ∨ ζ ∨ L/√(Kb))Δ/ε², the rounds of line 506 but for the first one.
func (s Parameters) StatedRounds() float64 {
	return firstRounds.At(s.L, s.K, s.Zeta, s.P, s.Chosen, s.B, s.Delta, s.Eps)
}

// NeededRounds adds what the minibatches of the sampled clients cost: L√P/(p√(Kb)).
func (s Parameters) NeededRounds() float64 {
	return max(s.StatedRounds(), s.L*math.Sqrt(s.P)/(s.Chosen*math.Sqrt(s.K*s.B))*s.Delta/sq(s.Eps))
}

// Horizon is the number of rounds T ≥ 1 with TK ≥ factor·Δ/(ηε²) + initial·2/ε². The factor is 4 (line 2566); line 2594 has 2 for Option II.
func (s Parameters) Horizon(factor, eta, initial float64) float64 {
	return math.Max(1, math.Ceil((factor*s.Delta/eta+2*initial)/(sq(s.Eps)*s.K)))
}

// InitialCost is 192C_1³(σ²P/(p²b) + PG²/(p³Kb²) + PKσ_c²/p² + PKG_c²/p³), what Option I pays for its start (line 2540).
func (s Parameters) InitialCost(sigma, g, sigmaC, gC float64) float64 {
	p2 := sq(s.Chosen)
	return 2 * fledgeInitialFactor * math.Pow(s.C1, 3) * s.P / p2 * (sq(sigma)/s.B + sq(g/s.B)/(s.Chosen*s.K) + s.K*sq(sigmaC) + s.K*sq(gC)/s.Chosen)
}

// drawParameters draws sizes and constants over many decades.
func drawParameters(src *props.Source) Parameters {
	s := Parameters{P: float64(src.LogInt("P", Several, 1e6)), K: float64(src.LogInt("K", 1, 1e4)), B: float64(src.LogInt("b", 1, 1e4)),
		C1: src.LogReal("C_1", 1, 100),
		L:  src.LogReal("L", 1e-3, 1e3), Delta: src.LogReal("Delta", 1e-3, 1e3), Eps: src.LogReal("eps", 1e-3, 1e3)}
	s.Chosen = float64(src.LogInt("p", 1, int(s.P)))
	s.Zeta = s.L * src.LogReal("zeta / L", 1e-9, 2)
	s.Data = s.Zeta
	return s
}

// checkStepSize checks that every η ≤ 1/(2L) with η²·inverseSquare ≤ 1 makes the coefficient of the movement nonnegative, for the Hessian
// distance of data as printed and as the lemma needs it. It is tight where both conditions on η are met with equality. The comparison can be
// made in rational arithmetic, since η is one of the numbers drawn.
func checkStepSize(kPower int, data, loss float64) props.Check {
	return props.Implication(func(src *props.Source, rec *props.Recorder) {
		drawn := drawParameters(src)
		share := src.Real("η / largest η", 0.5, 1)
		balanced := src.Bool("both entries of the minimum equal")
		for _, reading := range []struct {
			name string
			data func(zeta float64) float64
		}{{"", func(zeta float64) float64 { return zeta }}, {", L² for ζ² in both second terms", func(float64) float64 { return drawn.L }}} {
			with := func(zeta float64) Parameters {
				s := drawn
				s.Zeta, s.Data = zeta, reading.data(zeta)
				return s
			}
			s := with(drawn.Zeta)
			if balanced { // the ζ with inverseSquare = 4L², where there is one
				none := with(0).inverseSquare(float64(kPower), data)
				if z := math.Sqrt((4*s.L*s.L - none) / (with(1).inverseSquare(float64(kPower), data) - none)); z <= 2*s.L {
					s = with(z)
				}
			}
			eta := share * (1 - 1e-14) * s.step(float64(kPower), data)
			// terms returns number·ζ²PK^k/p² times C_1⁹ and so on, exactly.
			terms := func(clients int64, k int, dataNumber float64, drift int64) *big.Rat {
				ratio := new(big.Rat).Quo(rat(s.P), power(rat(s.Chosen), 2))
				v := new(big.Rat).Mul(big.NewRat(clients, 1), power(rat(s.C1), 9))
				v.Mul(v, power(rat(s.Zeta), 2)).Mul(v, power(rat(s.K), k)).Mul(v, ratio)
				w := new(big.Rat).Mul(rat(dataNumber), power(rat(s.C1), 11))
				w.Mul(w, power(rat(s.Data), 2)).Mul(w, rat(s.K)).Mul(w, ratio).Quo(w, rat(s.B))
				x := new(big.Rat).Mul(power(rat(s.C1), 2), power(rat(s.L), 2))
				x.Mul(x, rat(s.K)).Quo(x, rat(s.B)).Add(x, new(big.Rat).Mul(power(rat(s.Zeta), 2), power(rat(s.K), 2)))
				v.Add(v, w)
				return v.Add(v, x.Mul(x, big.NewRat(drift, 1)))
			}
			exactEta := rat(eta)
			left := s.L/2 + eta*s.MovementLoss(loss)
			rec.AtMost("L/2 + η·(loss of the variance lemma) against 1/(2η)"+reading.name, left, 1/(2*eta)).Exactly(func() (*big.Rat, *big.Rat) {
				bound := new(big.Rat).Inv(new(big.Rat).Mul(big.NewRat(2, 1), exactEta))
				admitted := new(big.Rat).Mul(power(exactEta, 2), terms(stepClients, kPower, data, stepDrift))
				if admitted.Cmp(big.NewRat(1, 1)) > 0 || new(big.Rat).Mul(exactEta, rat(2*s.L)).Cmp(big.NewRat(1, 1)) > 0 {
					return bound, bound // η is not admitted after all
				}
				v := terms(clientFactor, 2, loss, driftFactor)
				v.Mul(v, exactEta)
				return v.Add(v, rat(s.L/2)), bound
			})
		}
	})
}

// drawOrders draws the same for order checks, ends of ranges in sight from the start, with C_1 = 1.
func drawOrders(src *props.Source) Parameters {
	s := Parameters{C1: 1, P: SeveralUpTo(src, "P", 1e9), K: AtLeastOne(src, "K", 1e9), B: AtLeastOne(src, "b", 1e9),
		L: src.LogReal("L", 1e-3, 1e3), Delta: 1, Eps: 1}
	s.Chosen = math.Pow(s.P, src.Real("log p / log P", 0, 1))
	s.Zeta = 2 * s.L * AtMostOne(src, "ζ/2L", 1e-9)
	s.Data = s.Zeta
	return s
}

// complexity is a setting whose C_1 = log(PT/ν) depends on the number of rounds.
type fledgeComplexity struct {
	Parameters
	nu                   float64
	sigma, g, sigmaC, gC float64
}

// drawComplexity draws parameters with ε² ≤ 2LΔ, since ‖∇f(x⁰)‖² ≤ 2LΔ.
func drawFLEDGEComplexity(src *props.Source) *fledgeComplexity {
	c := &fledgeComplexity{Parameters: drawOrders(src), nu: 0.5 * AtMostOne(src, "2ν", 1e-9)}
	c.Delta = src.LogReal("Delta", 1e-3, 1e3)
	c.Eps = math.Sqrt(2*c.L*c.Delta) * AtMostOne(src, "ε/√(2LΔ)", 1e-6)
	return c
}

// drawSpread draws σ, G, σ_c and G_c, which only Option I pays for.
func (c *fledgeComplexity) drawSpread(src *props.Source) {
	c.sigma, c.sigmaC = c.Eps*src.LogReal("σ/ε", 1e-6, 1e6), c.Eps*src.LogReal("σ_c/ε", 1e-6, 1e6)
	c.g, c.gC = c.sigma*AtLeastOne(src, "G/σ", 1e6), c.sigmaC*AtLeastOne(src, "G_c/σ_c", 1e6)
}

// rounds solves T = Horizon with C_1 = log(PT/ν), on which η and the initial cost depend. The step size is that of line 2547 with K² in its first term.
func (c *fledgeComplexity) rounds(option algos.Option) float64 {
	T := 1.0
	for range 300 {
		c.C1 = max(1, math.Log(c.P*T/c.nu), math.Log(1/c.nu+c.P+T+c.K))
		next := c.horizon(option)
		if next <= T {
			break
		}
		T = next
	}
	return T
}

// horizon is the number of rounds for the C_1 at hand.
func (c *fledgeComplexity) horizon(option algos.Option) float64 {
	initial := 0.0
	if option == algos.OptionI {
		initial = c.InitialCost(c.sigma, c.g, c.sigmaC, c.gC)
	}
	return c.Horizon(4, c.StepSize(FLEDGENeededStepPower), initial)
}

// orderOf checks that the explicit number of rounds, or what cost makes of it, is at most a constant times claimed, up to powers of C_1, and that
// C_1, which contains the number of rounds, is itself logarithmic in the parameters: together, explicit = Õ(claimed).
func fledgeOrderOf(option algos.Option, data func(c *fledgeComplexity) float64, cost, claimed func(c *fledgeComplexity, rounds float64) float64) props.Check {
	drawn := func(src *props.Source) *fledgeComplexity {
		c := drawFLEDGEComplexity(src)
		if option == algos.OptionI {
			c.drawSpread(src)
		}
		c.Data = data(c)
		return c
	}
	return props.All(
		props.Order(func(src *props.Source) (float64, float64) {
			c := drawn(src)
			c.C1 = src.Logarithm("C_1", 1e3)
			T := max(1, c.horizon(option))
			return cost(c, T), claimed(c, T)
		}),
		props.Inequality(func(src *props.Source, rec *props.Recorder) {
			c := drawn(src)
			c.rounds(option)
			size := c.P * c.K * c.B / c.nu * c.L * c.Delta / sq(c.Eps) * (1 + (c.g+c.gC)/c.Eps)
			rec.AtMost("C_1 against 40 + 3·log((PKb/ν)(LΔ/ε²)(1 + (G + G_c)/ε))", c.C1, 40+3*math.Log(size))
		}))
}

func ofClients(c *fledgeComplexity) float64 { return c.Zeta }
func ofData(c *fledgeComplexity) float64    { return c.L }

func theRounds(_ *fledgeComplexity, T float64) float64 { return T }

// optionOneTerms are A and B of lines 2208-2211.
func (c *fledgeComplexity) optionOneTerms() (a, b float64) {
	a = max(c.StatedRounds(), c.Data*math.Sqrt(c.P)/(c.Chosen*math.Sqrt(c.K*c.B))*c.Delta/sq(c.Eps))
	p2 := sq(c.Chosen)
	b = c.P / p2 * max(sq(c.sigma)/(c.K*c.B), sq(c.g/(c.K*c.B))/c.Chosen, sq(c.sigmaC), sq(c.gC)/c.Chosen) / sq(c.Eps)
	return a, b
}

// checkSumDescent compares the sum of the descent inequalities on runs; noise is the last term of the right-hand side.
func checkSumDescent(noise func(eta, steps, r float64) float64) props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		l := fledgeRanges{P: problems.Sizes(1, 4), T: problems.Sizes(1, 4), K: problems.Sizes(1, 3), d: problems.Sizes(1, 6),
			option: algos.Option(src.Pick("option", "II", "I")), etaL: 4, agree: true}
		calm := src.Bool("noise only") // no errors, and a single curvature: the descent inequality loses what the noise does and nothing else
		if calm {
			l.P, l.d, l.drift = problems.Sizes(1, 1), problems.Sizes(1, 1), true
			l.shapes, l.flattest = []problems.Shape{problems.Convex}, 1e-3
		}
		in := drawFLEDGEInstance(src, l)
		if calm {
			in.eta = src.LogReal("eta L of long steps", 1e-2, 2) / in.L.Value // beyond 2 the iterates run away
		}
		p := in.drawPath(src)
		grads, errs := p.gradients()
		eta, L := in.eta, in.LMean.Value
		f0, f1, moved := in.problem.Value(in.x0), in.problem.Value(p.tape.X[in.T]), p.window(1, in.T)
		// the two sides with (2/η)Σ‖Δ‖²/(2η) and the decrease on the left
		left := grads + moved/(eta*eta) + 2/eta*(f1-f0)
		right := 2/eta*(L/2*moved+eta*errs) + noise(eta, float64(in.T*in.K), in.r)
		rec.AtMost("Σ‖∇f‖² + Σ‖x^{t,k} − x^{t,k−1}‖²/η² − (2/η)(f(x⁰) − f(x^T))", left, right).
			Scale(grads + moved/(eta*eta) + 2/eta*(math.Abs(f0)+math.Abs(f1)))
	}).Effort(0.5)
}

// gradients returns Σ_tΣ_k‖∇f(x^{t,k−1})‖² and Σ_tΣ_k‖v^{t,k−1} − ∇f(x^{t,k−1})‖².
func (p *fledgePath) gradients() (grads, errs float64) {
	for t := 1; t <= p.T; t++ {
		for k := range p.K {
			grads += normSq(p.grad[t][k])
			errs += normSq(p.err[t][k])
		}
	}
	return grads, errs
}

func printedNoise(eta, steps, r float64) float64 { return 2 / eta * (2 * steps * r * r / (eta * eta)) }
func summedNoise(eta, steps, r float64) float64  { return 2 * steps * r * r / (eta * eta) }

// sumUnits are the units of the variables of lines 2523-2528.
var sumUnits = Quantities("Δ", "η", "L", "moved", "error", "K", "T", "r")

func sumTerms(noise func(eta, steps, r float64) float64) map[string]func(props.Values) float64 {
	return map[string]func(props.Values) float64{
		"(2/η)(f(x⁰) − f(x^T))": func(v props.Values) float64 { return 2 / v["η"] * v["Δ"] },
		"(2/η)(1/(2η))Σ‖Δ‖²":    func(v props.Values) float64 { return v["moved"] / (v["η"] * v["η"]) },
		"(2/η)(L/2)Σ‖Δ‖²":       func(v props.Values) float64 { return v["L"] / v["η"] * v["moved"] },
		"(2/η)ηΣ‖∇f − v‖²":      func(v props.Values) float64 { return 2 * v["error"] },
		"the noise term":        func(v props.Values) float64 { return noise(v["η"], v["T"]*v["K"], v["r"]) },
	}
}

// optionTwoNoise is the noise term that lines 2541-2542 give to Option II.
type noiseTerm func(eta, steps, r float64) float64

func withoutSteps(eta, _, r float64) float64 { return 2 * r * r / (eta * eta) }

// display is the right-hand side of lines 2532-2543 without (2/η)(f(x⁰) − f(x^T)) and the share (2/η)(1/(2η) − L/2) of the movement.
func display(v FLEDGEVariance, T int, eta, r, moved float64, option algos.Option, two noiseTerm) float64 {
	s := Parameters{C1: v.C1, L: v.L, Zeta: v.Zeta, Data: v.Data, P: float64(v.P), Chosen: float64(v.Chosen), K: float64(v.K), B: float64(v.B)}
	steps := float64(T * v.K)
	right := 2*s.MovementLoss(printedData)*moved + 2*steps*floorFactor*NoiseFloor(v.C1, v.Sigma, v.G, v.P*v.K*v.B)
	if option == algos.OptionI {
		return right + summedNoise(eta, steps, r) + s.InitialCost(v.Sigma, v.G, v.SigmaC, v.GC)
	}
	return right + two(eta, steps, r)
}

// insertVariance draws movements, lets the errors be as large as the variance lemma allows, and compares 2Σ‖v − ∇f‖² + 2TKr²/η² with what the
// display has for it.
func insertFLEDGEVariance(two noiseTerm, data func(zeta, L float64) float64) props.Check {
	return props.Implication(func(src *props.Source, rec *props.Recorder) {
		t3, T := src.Int("T_3", 1, 12), src.Int("T", 1, 40)
		P := src.LogInt("P", Several, 1000)
		v := FLEDGEVariance{P: P, Chosen: src.LogInt("p", 1, P), K: src.Int("K", 1, 8), B: src.LogInt("b", 1, 100), L: src.LogReal("L", 1e-3, 1e3)}
		v.C1 = float64(t3) * float64(v.Chosen) / float64(P) // T_3 is a whole number
		if v.C1 < 1 || v.Window() != t3 {
			rec.Skip("C_1 < 1")
			return
		}
		v.Zeta = v.L * src.LogReal("zeta / L", 1e-9, 2)
		v.Data = data(v.Zeta, v.L)
		v.Sigma, v.SigmaC = src.LogReal("sigma", 1e-6, 1e3), src.LogReal("sigma_c", 1e-6, 1e3)
		v.G, v.GC = v.Sigma*src.LogReal("G / sigma", 1, 1e3), v.SigmaC*src.LogReal("G_c / sigma_c", 1, 1e3)
		eta, r := src.LogReal("eta", 1e-3, 1e3), src.LogReal("r", 1e-6, 1e3)
		rnd, busy := src.Rand("movements"), src.Real("share of steps that move", 0, 1)
		local := rows(T+1, v.K+1)
		moved := 0.0
		for t := 1; t <= T; t++ {
			for k := 1; k <= v.K; k++ {
				if rnd.Float64() < busy {
					local[t][k] = rnd.ExpFloat64()
					moved += local[t][k]
				}
			}
		}
		errOne, errTwo := 0.0, 0.0
		window := newWindow(t3)
		for t := 1; t <= T; t++ {
			for k := range v.K {
				within := floats.Sum(local[t][:k+1])
				errTwo += v.Bound(t, window.sum, within, algos.OptionII)
				errOne += v.Bound(t, window.sum, within, algos.OptionI)
			}
			window.add(floats.Sum(local[t]))
		}
		noise := summedNoise(eta, float64(T*v.K), r)
		rec.AtMost("2Σ‖∇f − v‖² + 2TKr²/η², Option II", 2*errTwo+noise, display(v, T, eta, r, moved, algos.OptionII, two))
		rec.AtMost("2Σ‖∇f − v‖² + 2TKr²/η², Option I", 2*errOne+noise, display(v, T, eta, r, moved, algos.OptionI, two))
	})
}

// checkDisplay compares Σ‖∇f‖² with the whole display on runs, both sides with (2/η)Σ‖Δ‖²/(2η) and the decrease on the left.
func checkDisplay(l fledgeRanges, two noiseTerm, data constantOf) *props.Randomised[props.TailTrial] {
	option := l.option
	return props.Tail(func(src *props.Source) props.TailTrial {
		in := drawFLEDGERun(src, l)
		nu := drawNu(src, "nu", 8)
		v := in.variance(in.literalC1(nu), data)
		regime := in.regime(8 * nu)
		if l.drift { // the data of a client are all alike
			regime = props.Where(props.Min("P", in.P, 2), props.Less("p", in.p, "P", in.P), props.Min("d", in.d, 2),
				props.Positive("r", in.r),
				Steps(in.T), props.Allowed(8*nu))
		}
		return props.TailTrial{Delta: 8 * nu, Regime: regime, Run: func(t props.Trial, rec *props.Recorder) {
			p := in.trial(t)
			grads, _ := p.gradients()
			f0, f1, moved := in.problem.Value(in.x0), in.problem.Value(p.tape.X[in.T]), p.window(1, in.T)
			left := grads + moved/sq(in.eta) + 2/in.eta*(f1-f0)
			rec.AtMost("Σ‖∇f‖² + Σ‖x^{t,k} − x^{t,k−1}‖²/η² − (2/η)(f(x⁰) − f(x^T)), Option "+option.String(), left,
				in.L.Value/in.eta*moved+display(v, in.T, in.eta, in.r, moved, option, two)).
				Scale(grads + moved/sq(in.eta) + 2/in.eta*(math.Abs(f0)+math.Abs(f1)))
		}}
	}).Effort(runEffort)
}

// parameterUnits are the units of what the theorem depends on; counts and C_1 have none.
var parameterUnits = Quantities("C_1", "P", "p", "K", "b", "T", "L", "ζ", "Δ", "ε", "σ", "G", "σ_c", "G_c", "η", "r", "moved")

// parametersOf reads parameters, with L for the Hessian distance of data.
func parametersOf(v props.Values) Parameters {
	return Parameters{C1: v["C_1"], L: v["L"], Zeta: v["ζ"], Data: v["L"], P: v["P"], Chosen: v["p"], K: v["K"], B: v["b"], Delta: v["Δ"], Eps: v["ε"]}
}

// displayTerms are the terms of lines 2532-2543, all of the unit of ‖∇f‖².
var displayTerms = map[string]func(props.Values) float64{
	"the loss of the variance lemma": func(v props.Values) float64 { return parametersOf(v).MovementLoss(printedData) * v["moved"] },
	"the floor":                      func(v props.Values) float64 { return NoiseFloor(v["C_1"], v["σ"], v["G"], int(v["P"])) },
	"the noise term":                 func(v props.Values) float64 { return summedNoise(v["η"], v["T"]*v["K"], v["r"]) },
	"the initial cost": func(v props.Values) float64 {
		return parametersOf(v).InitialCost(v["σ"], v["G"], v["σ_c"], v["G_c"])
	},
}

// drifting are ranges in which the noise term is what matters: with curvature and the spread of the data it disappears behind the literal powers of C_1.
var drifting = fledgeRanges{drift: true, agree: true}

// checkBatchSize checks that PKb ≥ a·C_1²σ²/ε² + b·C_1G/ε makes the floor at most a quarter of ε² on average, and the noise radius the rest of the half.
func checkBatchSize(a, b float64) props.Check {
	return props.Implication(func(src *props.Source, rec *props.Recorder) {
		c1, eps := src.LogReal("C_1", 1, 100), src.LogReal("eps", 1e-3, 1e3)
		sigma := eps * src.LogReal("sigma / eps", 1e-6, 1e4)
		g := sigma * src.LogReal("G / sigma", 1, 1e6)
		n := (a*sq(c1*sigma/eps) + b*c1*g/eps) * src.LogReal("PKb / its bound", 1, 10)
		rec.AtMost("(16C_1²/(PKb))(σ² + G²/(PKb)) against ε²/4", 16*c1*c1/n*(sq(sigma)+g*g/n), eps*eps/4)
		eta, share := src.LogReal("eta", 1e-6, 1e6), src.Real("r / (ηε/(2√2))", 0, 1)
		r := share * eta * eps / (2 * math.Sqrt2)
		rec.AtMost("2r²/η² against ε²/4", 2*sq(r/eta), eps*eps/4)
	})
}

// checkHorizon checks that TK ≥ factor·Δ/(ηε²) + 2·initial/ε² makes (2Δ/η + TKε²/2 + initial)/(TK) at most ε², in rational arithmetic.
func checkHorizon(factor int64, optionOne bool) props.Check {
	return props.Implication(func(src *props.Source, rec *props.Recorder) {
		delta, eta, eps := rat(src.LogReal("Delta", 1e-3, 1e3)), rat(src.LogReal("eta", 1e-6, 1e3)), rat(src.LogReal("eps", 1e-3, 1e3))
		initial := new(big.Rat)
		if optionOne {
			s := drawParameters(src)
			sigma, sigmaC := src.LogReal("sigma", 1e-3, 1e3), src.LogReal("sigma_c", 1e-3, 1e3)
			initial = rat(s.InitialCost(sigma, sigma*src.LogReal("G / sigma", 1, 1e3), sigmaC, sigmaC*src.LogReal("G_c / sigma_c", 1, 1e3)))
		}
		eps2 := power(eps, 2)
		gap := new(big.Rat).Quo(delta, eta)
		steps := new(big.Rat).Mul(big.NewRat(factor, 1), gap)
		steps.Add(steps, new(big.Rat).Mul(big.NewRat(2, 1), initial)).Quo(steps, eps2)
		steps.Mul(steps, rat(src.LogReal("TK / its bound", 1, 10)))
		sum := new(big.Rat).Mul(big.NewRat(2, 1), gap)
		sum.Add(sum, initial).Quo(sum, steps).Add(sum, new(big.Rat).Quo(eps2, big.NewRat(2, 1)))
		rec.Rats("bound on (1/(TK))Σ‖∇f‖² against ε²", sum, props.LE, eps2)
	})
}

func fledgeStationaryClaims() []props.Binding {
	return []props.Binding{
		props.Bind("dist-sum-descent", props.All(checkSumDescent(printedNoise), props.Dimensional(GradientUnit.Power(2), sumUnits, sumTerms(printedNoise)))),
		props.Bind("dist-sum-descent/corrected", props.All(checkSumDescent(summedNoise), props.Dimensional(GradientUnit.Power(2), sumUnits, sumTerms(summedNoise)))),
		props.Bind("dist-sum-with-variance", props.All(insertFLEDGEVariance(withoutSteps, func(zeta, _ float64) float64 { return zeta }),
			checkDisplay(drifting, withoutSteps, zetaOf))),
		props.Bind("dist-sum-with-variance/corrected", props.All(insertFLEDGEVariance(summedNoise, func(_, L float64) float64 { return L }),
			props.Dimensional(GradientUnit.Power(2), parameterUnits, displayTerms),
			checkDisplay(drifting, summedNoise, lipschitzOf), checkDisplay(drifting.with(algos.OptionI), summedNoise, lipschitzOf),
			checkDisplay(noisy, summedNoise, lipschitzOf))),
		props.Bind("dist-step-size-formula", props.All(checkStepSize(FLEDGEPrintedStepPower, stepData, printedData), sameOrderAsList(FLEDGEPrintedStepPower))),
		props.Bind("dist-step-size-formula/corrected", props.All(checkStepSize(FLEDGENeededStepPower, stepData, printedData), sameOrderAsList(FLEDGENeededStepPower))),
		props.Bind("dist-step-size-formula/sharper", props.All(checkStepSize(FLEDGENeededStepPower, stepDataNeeded, printedData), checkStepSize(FLEDGENeededStepPower, printedData, dataFactor))),
		props.Bind("dist-batch-size-condition", checkBatchSize(128, 8*math.Sqrt2)),
		props.Bind("dist-batch-size-condition/sharper", checkBatchSize(64, 8)),
		props.Bind("dist-horizon-option-one", checkHorizon(4, true)),
		props.Bind("dist-horizon-option-two", checkHorizon(2, false)),
		props.Bind("dist-horizon-option-two/corrected", checkHorizon(4, false)),
	}
}

// sameOrderAsList checks that the step size formula with C_1 = 1 has the order of the list of line 2547.
func sameOrderAsList(kPower float64) props.Check {
	return props.SameOrder(func(src *props.Source) (float64, float64) {
		s := drawOrders(src)
		return 1 / s.StepSize(kPower), s.InverseStep(true)
	})
}
