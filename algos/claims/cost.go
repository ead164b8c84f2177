package claims

import (
	"math"

	"sledge/algos"
	"sledge/props"
)

const costEta = 0.05 // η, on which no cost depends

func costClaims() []props.Binding {
	return []props.Binding{props.Bind("cost/neon2", checkNeon2Cost())}
}

// checkNeon2Cost counts what a curvature search asks for.
func checkNeon2Cost() props.Check {
	return props.Identity(func(src *props.Source, rec *props.Recorder) {
		a := drawSum(3, 60, false)(src)
		m := algos.Neon2{L: 2, Rho: 5, Delta: src.Real("δ", 0.5, 1.9), C: src.Real("C", 0.5, 1.5),
			Failure: src.Real("p", 0.05, 0.5)}
		search := func(m algos.Neon2) (counts algos.Counts, drawn int) {
			o := algos.NewOracle(a.p)
			r := &algos.Altered{Randomness: a.random(),
				Ints: func(set []int, _ int, _ algos.Purpose) { drawn += len(set) }}
			if _, _, err := m.Search(o, a.x0, r); err != nil {
				panic(err)
			}
			return o.Counts(), drawn
		}
		online, drawn := search(m)
		recordCount(rec, "gradients, online", online.Gradients, props.EQ, 2*drawn)
		recordCount(rec, "full gradients, online", online.Full, props.EQ, 0)
		m.Deterministic = true
		full, _ := search(m)
		recordCount(rec, "gradients, deterministic", full.Gradients, props.EQ, a.P*int(full.Full))
		steps := int(math.Ceil(m.C * math.Log(100*float64(a.d)/m.Failure) * math.Sqrt(m.L/m.Delta)))
		recordCount(rec, "full gradients, deterministic", full.Full, props.LE, steps+2)
	}).Effort(0.1)
}
