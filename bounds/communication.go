package bounds

import "sledge/props"

// communication is P + p times the rounds, the number of vectors sent up to a constant: 2 to the worker, one each to p
// clients and 2p back in a round.
const communication = "P + p(1 + " + RepairedRounds + ")"

func communicationClaims() []props.Binding {
	return []props.Binding{
		props.Bind("text-communication-bound", props.All(
			clientsOrders.Order(manyClients+"; "+communication+" = O(P + ζ√PΔ/ε²)"),
			clientsOrders.Order("K ∈ [1/ζ, 1e3/ζ], "+rootClients+"; "+communication+" = O(P + ζ√PΔ/ε²)"))),
		props.Bind("text-communication-bound/corrected", clientsOrders.Order(
			"K ∈ [L/ζ, 1e3 L/ζ], "+rootClients+"; "+communication+" = Θ(P + ζ√PΔ/ε²)")),
	}
}
