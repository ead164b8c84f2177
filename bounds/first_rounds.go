package bounds

import (
	"fmt"
	"strings"

	"sledge/props"
)

// supports checks that 1/(ηK) for a list of step sizes has the order of the rounds, and that the list lets the loss of
// the variance lemma be paid: η² times the loss stays bounded up to logarithms. reading says what ζ_d is.
func supports(reading, list, rounds string) props.Check {
	return props.All(
		clientsOrders.Order(reading+"; "+rounds+" = Θ("+list+"Δ/(Kε²))"),
		clientsOrders.Order(reading+"; "+fmt.Sprintf(clientsLoss, 32)+" = Õ("+list+"²)"))
}

// The readings of ζ_d: as printed, and as the lemmas need it.
const (
	ofClients = "ζ_d = ζ"
	ofData    = "ζ_d = L"
)

// The numbers of rounds that the argument needs, Option II and Option I; lines 2566 and 2594.
const (
	clientsSteps    = "4Δ/(ηKε²)"
	clientsStepsOne = "(4Δ/η + 2·" + clientsInitial + ")/(Kε²)"
)

// clientsOrder checks that a number which depends on the number of rounds has an order with the step size of the
// argument.
func clientsOrder(reading, order string) props.Check {
	return clientsOrders.Order(reading + ", " + neededClientsStep + "; " + order)
}

// clientsLogarithm checks that C_1 = log(PT/ν) is logarithmic in the parameters, though T contains powers of it.
func clientsLogarithm(reading, rounds string) props.Check {
	return clientsOrders.Implies(reading + ", " + neededClientsStep + ", T = ⌈" + rounds + "⌉, " +
		"C_1 ≤ log(PT/ν) ∨ log(1/ν + P + T + K); C_1 ≤ 40 + 3log((PKb/ν)(LΔ/ε²)(1 + (G + G_c)/ε))")
}

// gradientsOfRounds is the number of gradients: those of the start, 2pKb of the sampled clients in a round and
// 2b(K − 1) of the worker.
const gradientsOfRounds = "PKb + (1 + " + clientsSteps + ")(2pKb + 2b(K − 1))"

// optionOne combines the two parts of the rounds of Option I, lines 2208-2211, by ∧ or ∨.
func optionOne(and string) string {
	return "1 + ((L/K ∨ ζ√P/p ∨ ζ ∨ L/√(Kb) ∨ ζ_d√P/(p√(Kb)))(Δ/ε²) " + and +
		" (P/p²)(σ²/(Kb) ∨ (G/(Kb))²/p ∨ σ_c² ∨ G_c²/p)/ε²)"
}

// manyClients says that p ≥ √P and b ≥ K, and rootClients that p = √P for given K and b ≥ K.
const (
	manyClients = "p ∈ [√P, P], b ∈ [K, 1e3 K]"
	rootClients = "p = ⌈√P⌉, b ∈ [K, 1e3 K]"
)

func roundsClaims() []props.Binding {
	return []props.Binding{
		props.Bind("dist-step-size-list", supports(ofClients, stepList, firstRoundsRate)),
		props.Bind("dist-step-size-list/corrected", supports(ofData, fullList, RepairedRounds)),
		props.Bind("dist-rounds-option-two", props.All(
			clientsOrder(ofData, "1 + "+clientsSteps+" = Õ(1 + "+firstRoundsRate+")"),
			roundsOnSlope("rounds / claimed rounds", 6, 2,
				func(s parameters, took float64) float64 { return took / (1 + s.StatedRounds()) }))),
		props.Bind("dist-rounds-option-two/corrected", props.All(
			clientsOrder(ofData, "1 + "+clientsSteps+" = Õ(1 + "+RepairedRounds+")"),
			clientsOrders.Order(manyClients+"; "+firstRoundsRate+" = Θ("+RepairedRounds+")"))),
		props.Bind("dist-rounds-logarithm", props.All(clientsLogarithm(ofClients, clientsStepsOne),
			clientsLogarithm(ofData, clientsStepsOne), clientsLogarithm(ofData, clientsSteps))),
		props.Bind("dist-gradients-option-two", clientsOrder(ofData,
			gradientsOfRounds+" = Õ(PKb + (L ∨ ζ√P K/p ∨ ζ√(PK)/(p√b) ∨ ζK ∨ L√K/√b)Δpb/ε²)")),
		props.Bind("dist-gradients-option-two/corrected", clientsOrder(ofData,
			gradientsOfRounds+" = Õ(PKb + "+fullList+"Δpb/ε²)")),
		props.Bind("dist-option-one-combination", clientsOrder(ofClients,
			"1 + "+clientsStepsOne+" = Õ("+optionOne("∧")+")")),
		props.Bind("dist-option-one-combination/corrected", clientsOrder(ofData,
			"1 + "+clientsStepsOne+" = Õ("+optionOne("∨")+")")),
		props.Bind("text-rounds-large-p", clientsOrders.Order(manyClients+"; 1 + "+RepairedRounds+" = O(1 + (ζ/K + ζ)Δ/ε²)")),
		props.Bind("text-rounds-large-p/corrected", props.All(
			clientsOrders.Order(manyClients+"; 1 + "+RepairedRounds+" = Θ(1 + (L/K + ζ)Δ/ε²)"),
			longRounds.Implies(nearLimit+"; 1 + LΔ/(Kε²) + ζΔ/ε² ≤ 3"),
			oneRoundLeft())),
	}
}

// oneRoundLeft checks that besides the first round at most one is left near the limit: the largest of its entries is as
// large as each.
func oneRoundLeft() props.Check {
	entries, rest, _ := strings.Cut(strings.TrimPrefix(RepairedRounds, "("), "))Δ")
	var all []props.Check
	for _, entry := range strings.Split(entries+")", " ∨ ") {
		all = append(all, longRounds.Implies(nearLimit+"; 1 + ("+entry+")Δ"+rest+" ≤ 2"))
	}
	return props.All(all...)
}

// longRounds is where the limit K → ∞, ζ → 0 is looked at, and nearLimit where one round is left in it.
var longRounds = words.MustDomain("P, p ∈ [√P, P], L, Δ, ε")

const nearLimit = "K ≥ LΔ/ε², ζ ≤ ε²/Δ, b ≥ K"
