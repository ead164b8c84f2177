package bounds

import (
	"math"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
)

// saddleWords is the vocabulary of the second-order theorems.
var saddleWords = Symbols("saddle")

// Formulas of theorem:Second-Main (lines 405-417) and of its proof (lines 1925-2019).
const (
	accuracies = "(1/ε² + ρ²/δ⁴)"
	// escapeRate times a bound on Σ‖∇f(x^{t−1})‖² + (1/(2η²))Σ‖x^t − x^{t−1}‖² bounds (N_1+N_2)T_2
	// (lines 1990-2017).
	escapeRate = "(1/ε² + 2η²T_2²C_b²ρ²/δ²)"
	// noisePart is the part of T that 2Tr²/η² takes up in T ≥ 2(N_1+N_2+1)T_2. Unless it is below 1
	// the bound of the proof cannot meet that condition.
	noisePart = "(4r²/η²)" + escapeRate
	// escapeSteps is the least T with which the proof meets T ≥ 2(N_1+N_2+1)T_2 (line 2018),
	// escapeStepsI that of Option I, which adds secondInitial to the right-hand side of lines
	// 2002-2014.
	secondInitial = "(24C_1³n/b²)(σ_c² + G_c²/b)"
	escapeSteps   = "2((2Δ/η)" + escapeRate + " + T_2)/(1 − " + noisePart + ")"
	escapeStepsI  = "2((2Δ/η + " + secondInitial + ")" + escapeRate + " + T_2)/(1 − " +
		noisePart + ")"
)

func sospClaims() []props.Binding {
	return []props.Binding{
		props.Bind("second-main-option-one",
			underLargeNoise(tuning{b: 1, option: algos.OptionI}, leading).Effort(0.25)),
		props.Bind("second-main-option-one/corrected",
			fromSaddle(stepsFromSaddle, algos.OptionI, true).Effort(0.5)),
		props.Bind("second-main-option-two",
			underLargeNoise(tuning{b: 1, option: algos.OptionII}, leading).Effort(0.25)),
		props.Bind("second-main-option-two/corrected",
			fromSaddle(stepsFromSaddle, algos.OptionII, true).Effort(0.5)),
		props.Bind("second-main-option-two/chain",
			fromSaddle(stepsFromSaddle, algos.OptionII, false).Effort(0.1)),
		props.Bind("dsecond-main-informal",
			props.All(underLargeNoise(fourClients(algos.OptionII), claimedRounds).Effort(0.5),
				props.Hitting(roundsWithDrift).Effort(0.5))),
		props.Bind("dsecond-main-informal/corrected",
			fromSaddle(roundsFromSaddle, algos.OptionII, true).Effort(runEffort)),
		props.Bind("dsecond-main-informal/chain",
			fromSaddle(roundsFromSaddle, algos.OptionII, false).Effort(0.1)),
		props.Bind("dsecond-formal-option-one",
			underLargeNoise(fourClients(algos.OptionI), leading).Effort(0.5)),
		props.Bind("dsecond-formal-option-one/corrected",
			fromSaddle(roundsFromSaddle, algos.OptionI, true).Effort(runEffort)),
	}
}

// Formulas of theorem:D-Second-Main (lines 516-535, 2604-2628) and of its proof (lines 3043-3123).
const (
	// localRate times the right-hand side of line 3098 bounds (N_1+N_2)T_6K.
	localRate = "(1/ε² + 2η²T_6²K²C_e²ρ²/δ²)"
	// localNoisePart and minibatchPart are the parts of T that 2TKr²/η² and (16C_1²T/(Pb))(σ² +
	// G²/(PKb)) take up in T ≥ 2(N_1+N_2+1)T_6, as noisePart.
	localNoisePart = "(4r²/η²)" + localRate
	minibatchPart  = "(32C_1²/(PKb))(σ² + G²/(PKb))" + localRate
	// escapeRounds is the least number of rounds with which the proof meets T ≥ 2(N_1+N_2+1)T_6
	// (line 3122), escapeRoundsI that of Option I, which adds secondLocalInitial to the right-hand
	// side of lines 3098-3105.
	secondLocalInitial = "192C_1³(σ²P/(p²b) + G²P/(p³Kb²) + σ_c²PK/p² + G_c²PK/p³)"
	escapeRounds       = "2((2Δ/(ηK))" + localRate + " + T_6)/(1 − " + localNoisePart + ")"
	escapeRoundsI      = "2(((2Δ/η + " + secondLocalInitial + ")/K)" + localRate + " + T_6)/(1 − " +
		localNoisePart + " − " + minibatchPart + ")"
)

// stuckCB is the constant C_b of the simulation of coupled runs, both of the region δ/(C_bρ) and of
// the minibatch √n + C_b²ζ²/δ².
const stuckCB = 4

// drawPerturbed draws two coupled runs near a saddle, with the minibatch of the stuck region
// lemma at the perturbation and ⌈√n⌉ at all other steps.
func drawPerturbed(src *props.Source, times float64) *stuckInstance {
	in := drawStuck(src, saddleRange{P: problems.Sizes(2, 100), zeta: 10, times: times}, stuckCB,
		stuckCB)
	large := in.b
	in.b = algos.RootBatch(in.P)
	in.eta = phaseStepSizeAt(in.L, in.zeta, in.P, in.b, 1)
	in.T = in.tau + int(math.Ceil(math.Log(4*in.radius/in.re)/math.Log1p(in.eta*in.gamma)))
	in.schedule = func(t int) int {
		if t == in.tau {
			return large
		}
		return in.b
	}
	return in
}
