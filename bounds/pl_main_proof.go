package bounds

import "sledge/props"

// underPL is the check of a statement about steps on quadratics and on functions that are not
// convex, under the PL condition.
func underPL(statement string) props.Check {
	return props.All(stated("any-step", "quadratic", anySteps, statement+" if μ > 0"),
		stated("any-step", "pl", anySteps, statement))
}

func plProofClaims() []props.Binding {
	return []props.Binding{
		props.Bind("pl-contraction-step", props.Settled(underPL(contracts), contraction)),
		props.Bind("dpl-one-step", props.All(underPL(descends), underPL(halfContracts))),
		props.Bind("dpl-one-step/corrected", props.Settled(props.All(underPL(descends),
			underPL(isSteep), underPL(halfContracts)), halfContraction)),
		props.Bind("dpl-remark-final/sharper", checkExpectedPLRounds()),
	}
}
