package experiments

import "sledge/props"

func finiteClaims() ([]props.Binding, []*lab) {
	first := &lab{scale: finiteScale, figure: "fig1", blind: true}
	short := finiteScale
	short.Steps, short.Records = 50, 5 // a repetition has ten runs
	third := &lab{scale: short, figure: "fig3"}
	fourth := &lab{scale: finiteScale, figure: "fig4"}
	return []props.Binding{
		props.Bind("experiment-fig1-gradient-evaluations", first.mostly(fewerGradients)),
		props.Bind("experiment-fig1-noise-effect", props.All(first.mostly(nearlyMonotone),
			first.mostly(fastestWithNoise))),
		props.Bind("experiment-fig3-learning-rates", third.mostly(everyRate)),
		props.Bind("experiment-fig4-estimator-discrepancy", fourth.mostly(closeToSARAH)),
	}, []*lab{first, third, fourth}
}
