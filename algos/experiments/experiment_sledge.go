package experiments

import (
	"math/big"

	"sledge/props"
)

// arithmetic records the numbers of lines 603-607 and 663-671 that do not depend on the noise.
func arithmetic(rec *props.Recorder) {
	rec.Rats("components, 26×5", big.NewRat(paperLetters*paperDraws, 1), props.EQ,
		big.NewRat(130, 1))
	n, b := int64(paperLetters*paperDraws), int64(paperBatch)
	rec.Truth("b = ⌈√n⌉", (b-1)*(b-1) < n && n <= b*b)
	rec.Rats("inner loop, ⌊n/b⌋", big.NewRat(n/b, 1), props.EQ, big.NewRat(paperPeriod, 1))
	off := new(big.Rat).Sub(big.NewRat(b, n), big.NewRat(92, 1000))
	rec.Rats("|b/n − 0.092|, within the digits given", off.Abs(off), props.LE, big.NewRat(5, 10000))
}

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
		props.Bind("experiment-fig1-parameters",
			props.ExactWhole("the numbers of lines 603-607 and 663-673", func(rec *props.Recorder) {
				arithmetic(rec)
				rec.Rats("noise level by line 607, against line 673", big.NewRat(9, 100), props.EQ,
					big.NewRat(15, 100))
			})),
		props.Bind("experiment-fig1-parameters/corrected",
			props.ExactWhole("the numbers of lines 603-607 and 663-671", arithmetic)),
		props.Bind("experiment-fig3-learning-rates", third.mostly(everyRate)),
		props.Bind("experiment-fig4-estimator-discrepancy", fourth.mostly(closeToSARAH)),
	}, []*lab{first, third, fourth}
}
