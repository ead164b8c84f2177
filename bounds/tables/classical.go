package tables

import "sledge/props"

// classicalClaims are about the entries of table 2 for δ of the order √ε, as in the classical notion of a second-order
// stationary point.
func classicalClaims() []props.Binding {
	return []props.Binding{
		props.Bind("text-classical-delta", manySampled.Order("δ = x√ε; "+fledgeSOSPEntry+" = Θ("+roundsEntry+")")),
		props.Bind("text-classical-delta/corrected", manySampled.Order("δ = y√ε; "+fledgeSOSPEntry+" = Θ("+roundsEntry+")")),
	}
}
