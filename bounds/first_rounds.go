package bounds

import (
	"sledge/props"
)

func roundsClaims() []props.Binding {
	return []props.Binding{
		props.Bind("dist-rounds-option-two", roundsOnSlope(
			"rounds / claimed rounds", 6, 2,
			func(s parameters, took float64) float64 { return took / (1 + s.StatedRounds()) })),
	}
}
