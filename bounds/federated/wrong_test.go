package federated

import (
	"testing"

	"sledge/algos"
	"sledge/props"
	"sledge/props/proptest"
)

// The checks notice statements that are a little wrong: a number, a power, a window, an index. Bounds with powers of C_1 cannot be told from
// bounds that are off by a factor; these are the statements that can.
func TestWrongStatementsAreRefuted(t *testing.T) {
	second := func(algos.Option) int { return 2 }
	early := func(t, _ int) int { return max(1, t-1) }
	half := func(_, L float64) float64 { return L / 2 }
	proptest.Refuted(t, map[string]props.Check{
		"step size with 511":                          checkStepSize(NeededStepPower, stepDataNeeded-1, printedData),
		"step size with K for K²":                     checkStepSize(NeededStepPower-1, stepDataNeeded, printedData),
		"batch size with 63σ²":                        checkBatchSize(63, 8),
		"batch size with 7.9G":                        checkBatchSize(64, 7.9),
		"horizon with 3":                              checkHorizon(3, false),
		"Option I horizon with 3":                     checkHorizon(3, true),
		"lemma D with 3":                              checkBothParts(auxiliaryDFactor-1, func(int64) int64 { return 1 }),
		"identity with (c) over T_4 ≥ 2":              proveIdentity("coefficients", always, second),
		"identity with (c) over the last two rounds":  checkIdentity("identity", []algos.Option{algos.OptionII, algos.OptionI}, early, always),
		"identity for Option I without (d)":           checkIdentity("identity", []algos.Option{algos.OptionI}, func(_, _ int) int { return 1 }, func(algos.Option) bool { return false }),
		"insertion with half of the noise":            insertVariance(func(eta, steps, r float64) float64 { return summedNoise(eta, steps, r) / 2 }, half),
		"list without the clients' entry, L for data": supports(func(s Parameters) float64 { return s.L }, false, Parameters.NeededRounds),
		"full list with ζ for data": props.SameOrder(func(src *props.Source) (float64, float64) {
			s := drawOrders(src)
			return s.NeededRounds(), s.InverseStep(true) / s.K
		}),
		"potential with 4.9 for 5":                                  checkPotential(freshFactor-0.1, rowFactor),
		"potential with 2(P−p) + 2":                                 checkPotential(freshFactor, rowFactor-1),
		"start of Option II bounded as if it were p clients' share": checkStart(algos.OptionII, func(p *path, c1 float64, t int) float64 { return clientFloor(p, c1, t) / 1000 }),
		"variance lemma with C_1 = 0.3": props.Tail(func(src *props.Source) props.TailTrial {
			in := drawNoisy(algos.OptionII)(src)
			v := in.variance(0.3, lipschitzOf)
			return props.TailTrial{Delta: 0.2, Run: func(t props.Trial, rec *props.Recorder) { in.follow(t.Key).checkVariance(v, rec) }}
		}),
	})
}
