package bounds

import (
	"math"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
	"sledge/props/formula"
	"sledge/props/settle"
)

// saddleWords is the vocabulary of the second-order theorems: that of the theory, the constants C_b, C_d of SLEDGE and
// C_e, C_f of FLEDGE, of which C_d and C_f stand for C_d log(δ/(C_bρr_e)) and C_f log(δ/(C_eρr_e)), the lengths of
// phases, the numbers of phases by class, the dimension d, and m for an accuracy of gradients, S for a sum of squared
// ones, N and k for counts, and u, v, y, z for shares and multiples.
var saddleWords = Vocabulary.With(
	formula.Symbol{Name: "C_b", Kind: formula.Logarithmic}, formula.Symbol{Name: "C_d", Kind: formula.Logarithmic},
	formula.Symbol{Name: "C_e", Kind: formula.Logarithmic}, formula.Symbol{Name: "C_f", Kind: formula.Logarithmic},
	formula.Symbol{Name: "T_1"}, formula.Symbol{Name: "T_2"}, formula.Symbol{Name: "T_5"}, formula.Symbol{Name: "T_6"},
	formula.Symbol{Name: "N_1", Kind: formula.Count}, formula.Symbol{Name: "N_2", Kind: formula.Count},
	formula.Symbol{Name: "N_3", Kind: formula.Count}, formula.Symbol{Name: "N", Kind: formula.Count},
	formula.Symbol{Name: "k", Kind: formula.Count}, formula.Symbol{Name: "d", Kind: formula.Count},
	formula.Symbol{Name: "m", Unit: gradientUnit}, formula.Symbol{Name: "S", Unit: gradientUnit.Power(2)},
	formula.Symbol{Name: "u"}, formula.Symbol{Name: "v"}, formula.Symbol{Name: "y"}, formula.Symbol{Name: "z"},
)

// Formulas of theorem:Second-Main (lines 405-417) and of its proof (lines 1925-2019).
const (
	accuracies = "(1/ε² + ρ²/δ⁴)"
	// escapeRate times a bound on Σ‖∇f(x^{t−1})‖² + (1/(2η²))Σ‖x^t − x^{t−1}‖² bounds (N_1+N_2)T_2 (lines 1990-2017).
	escapeRate = "(1/ε² + 2η²T_2²C_b²ρ²/δ²)"
	// noisePart is the part of T that 2Tr²/η² takes up in T ≥ 2(N_1+N_2+1)T_2. Unless it is below 1 the bound of the
	// proof cannot meet that condition.
	noisePart = "(4r²/η²)" + escapeRate
	// escapeSteps is the least T with which the proof meets T ≥ 2(N_1+N_2+1)T_2 (line 2018), escapeStepsI that of Option
	// I, which adds secondInitial to the right-hand side of lines 2002-2014.
	secondInitial = "(24C_1³n/b²)(σ_c² + G_c²/b)"
	escapeSteps   = "2((2Δ/η)" + escapeRate + " + T_2)/(1 − " + noisePart + ")"
	escapeStepsI  = "2((2Δ/η + " + secondInitial + ")" + escapeRate + " + T_2)/(1 − " + noisePart + ")"
	// smallNoise is a noise radius of order min(ε, δ²/ρ)/L that leaves at least half of T to the other terms.
	smallNoise = "η min{ε, δ²/(√2 C_b C_d ρ)}/4"
	// leastGap is the least f(x⁰) − f* at a point with curvature −δ.
	leastGap    = "(2δ³/(3ρ²))"
	phaseLength = "T_2 = C_d/(ηδ), " // half the length of a phase (line 1927)
)

// secondOrder is where the orders of the theorem for SLEDGE are compared. σ_c = G_c is the literal reading of lines
// 256-260.
var secondOrder = saddleWords.MustDomain(`n ∈ [2, 1e9], L ∈ [1e-3, 1e3], ρ ∈ [1e-3, 1e3], ε ∈ [1e-6, 1e6],
	δ ∈ [1e-6 L, L], ζ ∈ [1e-6 L, L], η = 1/(4L), b = min{n, ⌈√n + ζ²/δ²⌉}, Δ ∈ [` + leastGap + `, 1e6` + leastGap + `],
	σ_c ∈ [1e-6 ε, 1e6 ε], G_c = σ_c, C_1 ∈ [1, 1e3]`)

// unitsOfL is the vocabulary of comparisons in units with L = ρ = 1, and of formulas without units in general. Counts
// are real numbers here.
var unitsOfL = formula.NewVocabulary(formula.Symbol{Name: "n"}, formula.Symbol{Name: "ε", Lo: 1e-8, Hi: 1},
	formula.Symbol{Name: "δ", Lo: 1e-8, Hi: 1}, formula.Symbol{Name: "ζ", Lo: 1e-6, Hi: 1}).Settling(settle.Coefficients)

// What methods need for (ε,δ)-second-order points in units with L = ρ = 1: what SLEDGE pays beyond its leading terms
// (lines 424-425), and SPIDER-SFO+ beyond n + √n/ε² (line 91).
const (
	leadingTerms = "√n/ε² + √n/δ⁴"
	extraTerms   = "ζ²/(ε²δ²) + ζ²/δ⁶"
	spiderTerms  = "1/(εδ³) + 1/δ⁵"
	severalDelta = "n ∈ [δ^{-4}, 1e6 δ^{-4}]; "
)

// byOption is the check of how long the runs with an option take.
func byOption(draw func(*props.Source, algos.Option) props.HittingTrial,
	option algos.Option) *props.Randomised[props.HittingTrial] {
	return props.Hitting(func(src *props.Source) props.HittingTrial { return draw(src, option) })
}

// fromSaddle is the check of how long runs from a saddle take: as long as the proof asks, or as the law of escapes.
func fromSaddle(draw func(src *props.Source, option algos.Option, proof bool) props.HittingTrial, option algos.Option,
	proof bool) *props.Randomised[props.HittingTrial] {
	return props.Hitting(func(src *props.Source) props.HittingTrial { return draw(src, option, proof) })
}

func sospClaims() []props.Binding {
	noise := func(r string) props.Check {
		return secondOrder.Order("r = " + r + ", " + phaseLength + noisePart + " = Õ(1)")
	}
	alike := unitsOfL.MustDomain("n ∈ [2, 1e9], ε ∈ [1e-6, 1]")
	compared := unitsOfL.MustDomain("ε, δ, ζ")
	ssrgd := func(least string) props.Check {
		bound := "(1 ∨ " + least + "{δ^{-3}, δ/ε²})"
		return compared.Order("n ∈ [" + bound + ", 1e6" + bound + "]; " + extraTerms + " = O(n/δ³)")
	}
	return []props.Binding{
		props.Bind("second-main-option-one", byOption(stepsUnderLargeNoise, algos.OptionI).Effort(0.25)),
		props.Bind("second-main-option-one/corrected", props.All(
			secondOrder.Order(phaseLength+"r = "+smallNoise+"; b + 2b·"+escapeStepsI+" = Õ("+SecondOneRate+")"),
			fromSaddle(stepsFromSaddle, algos.OptionI, true).Effort(0.5))),
		props.Bind("second-main-option-two", byOption(stepsUnderLargeNoise, algos.OptionII).Effort(0.25)),
		props.Bind("second-main-option-two/corrected", props.All(
			secondOrder.Order(phaseLength+"r = "+smallNoise+"; n + 2b·"+escapeSteps+" = Θ̃("+secondTwoRate+")"),
			fromSaddle(stepsFromSaddle, algos.OptionII, true).Effort(0.5))),
		props.Bind("second-main-option-two/chain", fromSaddle(stepsFromSaddle, algos.OptionII, false).Effort(0.1)),
		props.Bind("second-noise-radius", props.All(noise("ε/L"), props.Implication(tryStepsWithoutNoise).Effort(0.3))),
		props.Bind("second-noise-radius/corrected", props.All(noise("min{ε, δ²/ρ}/L"),
			secondOrder.Implies("C_b ∈ [1, 1e3], C_d ∈ [1, 1e3], "+phaseLength+"r = "+smallNoise+"; "+noisePart+" ≤ 1/2"))),
		props.Bind("second-batch-size", saddleWords.MustDomain("n ∈ [2, 1e6], L ∈ [0.1, 10], ζ ∈ [1e-3 L, 2L]").
			Implies("δ ∈ [1e-4 L, L]; √n + ζ²/δ² ≤ n")),
		props.Bind("second-batch-size/corrected", props.Implication(tryCappedBatch).Effort(0.5)),
		props.Bind("second-batch-order-estimate", alike.Order("δ ∈ [1e-6 √ε, √ε]; ζ²/δ² = O(√n + 1/ε)")),
		props.Bind("second-batch-order-estimate/corrected", alike.Order("δ ∈ [√ε, 1e6 √ε]; ζ²/δ² = O(√n + 1/ε)")),
		props.Bind("second-extra-term-vs-ssrgd", ssrgd("min")),
		props.Bind("second-extra-term-vs-ssrgd/corrected", ssrgd("max")),
		props.Bind("second-extra-term-vs-spider", compared.Order(severalDelta+extraTerms+" = O("+spiderTerms+")")),
		props.Bind("second-extra-term-vs-spider/corrected", props.All(
			compared.Order(severalDelta+extraTerms+" = O("+leadingTerms+")"),
			compared.Order("ε ∈ [1e-6 δ², δ²], "+severalDelta+"n + "+leadingTerms+" + "+extraTerms+
				" = O(n + √n/ε² + "+spiderTerms+")"))),
	}
}

// tryCappedBatch looks at a run with the capped minibatch size.
func tryCappedBatch(src *props.Source, rec *props.Recorder) {
	in := drawInstance(src, ranges{n: problems.Sizes(1, 12), T: problems.Sizes(1, 8),
		option: algos.Option(src.Pick("option", "II", "I"))})
	curvature := in.L.Value * src.LogReal("δ/L", 1e-3, 1)
	need := math.Sqrt(float64(in.n)) + sq(in.Zeta.Value/curvature)
	in.b = stuckBatch(in.n, 1, in.Zeta.Value, curvature)
	rec.AtMost("b against n", float64(in.b), float64(in.n))
	if float64(in.b) >= need {
		rec.AtLeast("b against √n + ζ²/δ²", float64(in.b), need)
		return
	}
	p := in.drawPath(src)
	for t, v := range p.tape.V {
		rec.EqualVectors("v^t against ∇f(x^t) where b = n", v, p.grad[t]).Scale(p.size)
	}
}

// Formulas of theorem:D-Second-Main (lines 516-535, 2604-2628) and of its proof (lines 3043-3123).
const (
	// localRate times the right-hand side of line 3098 bounds (N_1+N_2)T_6K.
	localRate = "(1/ε² + 2η²T_6²K²C_e²ρ²/δ²)"
	// localNoisePart and minibatchPart are the parts of T that 2TKr²/η² and (16C_1²T/(Pb))(σ² + G²/(PKb)) take up in
	// T ≥ 2(N_1+N_2+1)T_6, as noisePart.
	localNoisePart = "(4r²/η²)" + localRate
	minibatchPart  = "(32C_1²/(PKb))(σ² + G²/(PKb))" + localRate
	// escapeRounds is the least number of rounds with which the proof meets T ≥ 2(N_1+N_2+1)T_6 (line 3122), escapeRoundsI
	// that of Option I, which adds secondLocalInitial to the right-hand side of lines 3098-3105.
	secondLocalInitial = "192C_1³(σ²P/(p²b) + G²P/(p³Kb²) + σ_c²PK/p² + G_c²PK/p³)"
	escapeRounds       = "2((2Δ/(ηK))" + localRate + " + T_6)/(1 − " + localNoisePart + ")"
	escapeRoundsI      = "2(((2Δ/η + " + secondLocalInitial + ")/K)" + localRate + " + T_6)/(1 − " +
		localNoisePart + " − " + minibatchPart + ")"
	// localPhaseLength gives T_5 local steps and T_6 rounds, half the length of a phase (lines 3045-3046).
	localPhaseLength = "T_5 = C_f/(ηδ), T_6 = ⌈1 + T_5/K⌉, "
	// smallLocalNoise is a noise radius of order min(ε, δ²/ρ)/L that takes up a quarter of T.
	smallLocalNoise = localPhaseLength + "m = 1/√" + localRate + ", r = ηm/4, "
)

// secondLocalOrder is where the orders of the theorem for FLEDGE are compared: with K ≤ L/ζ, δ ≤ ζ, p ≥ √P and b ≥ K.
// Counts but P are real numbers here.
var secondLocalOrder = saddleWords.MustDomain(`P ∈ [2, 1e18], L ∈ [1e-3, 1e3], ρ ∈ [1e-3, 1e3], ε ∈ [1e-6, 1e6],
	ζ ∈ [1e-6 L, L], δ ∈ [1e-6 ζ, ζ], u ∈ [1e-6, 1], K = 1 ∨ uL/ζ, v ∈ [1, 1e6], b = vK, y ∈ [1, 1e9],
	p = P ∧ y√P, η = 1/(16L), Δ ∈ [` + leastGap + `, 1e6` + leastGap + `], σ_c ∈ [1e-6 ε, 1e6 ε], G_c = σ_c, G = σ,
	C_1 ∈ [1, 1e3], z ∈ [0, 1]`)

func secondClaims() []props.Binding {
	// optionI compares the rounds of the proof with (LΔ + spread + G²/(pKb²) + Kσ_c² + KG_c²/p)(1/(Kε²) + ρ²/(Kδ⁴)).
	optionI := func(spread string) props.Check {
		allowed := "(m√(PKb/256)/C_1)"
		return secondLocalOrder.Order(smallLocalNoise + "σ ∈ [1e-6" + allowed + ", " + allowed + "]; " + escapeRoundsI +
			" = Õ(1 + ((LΔ + " + spread + " + G²/(pKb²) + Kσ_c² + KG_c²/p)/K)" + accuracies + ")")
	}
	escape := "2η²T_6²K²C_e²ρ²/δ²"
	rates := func(second string) props.Check {
		return props.All(
			saddleWords.MustDomain(`L ∈ [1e-3, 1e3], ρ ∈ [1e-3, 1e3], δ ∈ [1e-6 L, L], η = 1/(16L), u ∈ [1e-9, 1e9],
				K = uL/δ`).Order(localPhaseLength+escape+" = Õ(ρ²/δ⁴ + "+second+")"),
			secondLocalOrder.Order(second+" = O(ρ²/δ⁴)"))
	}
	participants := saddleWords.MustDomain(`P ∈ [2, 1e9], T ∈ [1, 1e9], K ∈ [1, 1e6], b ∈ [1, 1e6], δ,
		ζ ∈ [1e-5 (δ√P), δ√P], L ∈ [1e-5 (δ√(Kb)), 1e9 (δ√(Kb))]`)
	return []props.Binding{
		props.Bind("dsecond-main-informal", props.All(byOption(roundsUnderLargeNoise, algos.OptionII).Effort(0.5),
			props.Hitting(roundsWithDrift).Effort(0.5))),
		props.Bind("dsecond-main-informal/corrected", props.All(
			secondLocalOrder.Order(smallLocalNoise+escapeRounds+" = Õ(1 + "+SecondRounds+")"),
			fromSaddle(roundsFromSaddle, algos.OptionII, true).Effort(runEffort))),
		props.Bind("dsecond-main-informal/chain", fromSaddle(roundsFromSaddle, algos.OptionII, false).Effort(0.1)),
		props.Bind("dsecond-formal-option-one", props.All(byOption(roundsUnderLargeNoise, algos.OptionI).Effort(0.5),
			optionI("σ²/(pb)"))),
		props.Bind("dsecond-formal-option-one/corrected", props.All(optionI("σ²/b"),
			fromSaddle(roundsFromSaddle, algos.OptionI, true).Effort(runEffort))),
		props.Bind("dsecond-formal-option-two", secondLocalOrder.Order("1 + LΔ"+accuracies+" = Θ(1 + "+SecondRounds+")")),
		props.Bind("dsecond-formal-option-two/corrected", props.All(
			secondLocalOrder.Order("1 + (LΔ/K)"+accuracies+" = Θ(1 + "+SecondRounds+")"),
			secondLocalOrder.Order(smallLocalNoise+"(P + 2(p + 1)·"+escapeRounds+")Kb = Õ(PKb + LΔpb"+accuracies+")"))),
		props.Bind("dsecond-rounds-versus-local-steps", props.All(
			localSweep(1.0/32, []float64{1, 3, 10, 32}, func(K float64) float64 { return 1 / K }).Effort(1.25),
			localSweep(1.0/4, []float64{8, 26, 80, 256}, func(float64) float64 { return 1 }).Effort(2.5))),
		props.Bind("dsecond-delta-condition", props.All(
			secondLocalOrder.Implies("δ ∈ [1e-3, 1e3], ζ ∈ [1e-3, 1e3], δ ≤ ζ; δ ≤ 1/ζ"),
			secondLocalOrder.Implies("δ ∈ [1e-3, 1e3], ζ ∈ [1e-3, 1e3], δ ≤ 1/ζ; ζ ≥ 1/δ"))),
		props.Bind("dsecond-delta-condition/corrected", props.All(
			saddleWords.MustDomain("L, ζ ∈ [1e-6 L, L], δ ∈ [1e-6 ζ, ζ], K ∈ [1, L/ζ], η ∈ [1e-6 (1/L), 1/L], C_f ∈ [1, 100]").
				Implies(localPhaseLength+"T_6K ≤ 3T_5"),
			saddleWords.MustDomain("L, K ∈ [1, 1e9], ζ = L/K, δ ∈ [1.01 ζ, 1e6 ζ], η = 1/L, C_f = 1").
				Implies(localPhaseLength+"T_6K ≥ (1 + δ/ζ)T_5"))),
		props.Bind("dsecond-noise-and-batch", props.All(
			secondLocalOrder.Order("r = ε/L, "+localPhaseLength+localNoisePart+" = Õ(1)"),
			secondLocalOrder.Order("σ = ε√(PKb), G = 0 σ, "+localPhaseLength+minibatchPart+" = Õ(1)"),
			props.Implication(tryRoundsWithoutNoise).Effort(0.3))),
		props.Bind("dsecond-noise-and-batch/corrected", props.All(
			secondLocalOrder.Implies("C_e ∈ [1, 1e3], C_f ∈ [1, 1e3], "+smallLocalNoise+localNoisePart+" ≤ 1/4"),
			secondLocalOrder.Implies("C_e ∈ [1, 1e3], C_f ∈ [1, 1e3], C_1 ∈ [1, 100], "+smallLocalNoise+
				"σ = m√(PKbz/256)/C_1, G = mPKb(1 − z)/(16C_1); "+minibatchPart+" ≤ 1/8"),
			secondLocalOrder.Order(localPhaseLength+"1/√"+localRate+" = Θ̃(min{ε, δ²/ρ})"))),
		props.Bind("dsecond-versus-bvr", participants.Order("P + (√P + ζ²/δ² + L²/(Kbδ²))T = O(PT)")),
		props.Bind("dsecond-versus-bvr/corrected", props.All(
			participants.Order("L ∈ [1e-5 (δ√(PKb)), δ√(PKb)]; P + (√P + ζ²/δ² + L²/(Kbδ²))T = O(PT)"),
			saddleWords.MustDomain("P ∈ [5, 1e6]").Implies("√P + P/2 ≤ P"))),
		props.Bind("dsecond-rate-order", rates("η²K²/δ²")),
		props.Bind("dsecond-rate-order/corrected", rates("η²K²ρ²/δ²")),
	}
}
