package tables

import (
	"math/big"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/bounds"
	"sledge/props"
)

// Claims returns the claims of the package.
func Claims() []props.Binding {
	return []props.Binding{
		props.Bind("measured/stuck-at-saddles", props.Identity(measuredStuckAtSaddles).Effort(0.2))}
}

// measuredStuckAtSaddles tries measured/stuck-at-saddles.
func measuredStuckAtSaddles(src *props.Source, rec *props.Recorder) {
	n := 4 * src.Int("n/4", 2, 8)
	sigmaC := src.LogReal("σ_c", 0.01, 1)
	p := bounds.Pass(n, src.LogReal("δ", 0.01, 0.2), src.Real("ζ", 0, 0.5), sigmaC,
		src.Key("terrain"))
	b, key := src.Int("b", 1, 3), src.Key("methods")
	const eta, T = 0.2, 25
	t, single := algos.Tuning{Eta: eta, Batch: b}, algos.Tuning{Eta: eta, Batch: 1}
	farthest := func(m algos.Method) (far float64) {
		if err := m.Start(algos.NewOracle(p), p.X0(), algos.Keyed(key)); err != nil {
			panic(err) // the parameters above are valid
		}
		for range T {
			m.Step()
			far = max(far, floats.Norm(m.Point(), 2))
		}
		return far
	}
	for _, m := range []algos.Method{
		&algos.SLEDGE{Eta: eta, Batch: b}, &algos.ZeroSARAH{Tuning: t},
		&algos.SARAH{Tuning: t}, &algos.SPIDER{Eta: eta, Eps: 0.1, Batch: b},
		&algos.PAGE{Tuning: t}, &algos.SVRG{Tuning: t}, &algos.SAGA{Tuning: t},
		&algos.NestedSVRG{Eta: eta, Lengths: []int{2, 3}, Sizes: []int{b, 1}},
	} {
		rec.Rats("largest distance from the saddle, "+m.Name(),
			new(big.Rat).SetFloat64(farthest(m)), props.EQ, new(big.Rat))
	}
	for _, m := range []algos.Method{&algos.SGD{Tuning: single},
		&algos.SLEDGE{Eta: eta, Batch: 1, Option: algos.OptionI},
		&algos.ZeroSARAH{Tuning: single, Option: algos.OptionI}} {
		rec.AtLeast("largest distance from the saddle with single components, "+m.Name(),
			farthest(m), eta*sigmaC)
	}
}
