package claims

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
)

// curvatureClaims are about the curvature search of SPIDER-SFO⁺.
func curvatureClaims() []props.Binding {
	return []props.Binding{
		props.Bind("curvature/neon2-is-right",
			props.Inequality(func(src *props.Source, rec *props.Recorder) {
				q, saddle := problems.DrawSaddle(src,
					problems.Limits{N: problems.Sizes(1, 3), D: problems.Sizes(1, 4)})
				p := q.ByClient()
				x := problems.DrawPoint(src, "x", p.Dim(), 1.5*saddle.Bottom())
				L := p.Constants(x).L.Value
				m := drawSearch(src, p, x, L*src.LogReal("δ/L", 0.2, 1))
				m.C = 1
				w, found, err := m.Search(algos.NewOracle(algos.Sum(p)), x,
					algos.Seeded(uint64(src.Int("seed", 0, 1<<20))))
				switch {
				case err != nil:
					panic(err)
				case !found:
					rec.Skip("nothing found")
					return
				}
				rec.Equal("length", floats.Norm(w, 2), 1)
				hw := make([]float64, len(w))
				p.HessianVector(hw, x, w)
				rec.AtMost("curvature along the direction", floats.Dot(w, hw), -m.Delta/2).Scale(L)
			}).Effort(0.5)),
		props.Bind("curvature/neon2-finds", props.Tail(func(src *props.Source) props.TailTrial {
			shape := problems.SaddleMean{Gamma: src.LogReal("γ", 0.1, 1),
				Width: src.LogReal("width", 0.3, 3),
				Well:  props.OneOf(src, "well", problems.DoubleWell, problems.CosineWell)}
			shape.Parabolas = slices.Repeat([]float64{shape.Gamma}, src.Int("d", 8, 10)-1)
			shape.Between = problems.Heterogeneity{Pattern: problems.TwoCluster,
				Hessian: shape.Gamma * src.Real("ζ/γ", 0.01, 2),
				Linear:  src.Real("linear spread", 0, 1)}
			n := src.Int("n", 1, 6)
			p := props.Must(problems.Make(problems.OneEach(n), shape,
				src.Rand("directions"))).ByClient()
			x := make([]float64, p.Dim())
			regime := props.Where(props.Min("n", n, 2), props.Min("d", p.Dim(), 2),
				props.Allowed(0.05))
			m := drawSearch(src, p, x, shape.Gamma/src.Real("γ/δ", 1, 2))
			return props.TailTrial{Delta: 0.05, Regime: regime,
				Run: func(t props.Trial, rec *props.Recorder) {
					_, found, err := m.Search(algos.NewOracle(algos.Sum(p)), x, algos.Keyed(t.Key))
					if err != nil {
						panic(err)
					}
					rec.Truth("a direction is found", found)
				}}
		}).Effort(0.25)),
		props.Bind("cost/neon2", checkNeon2Cost()),
	}
}

// drawSearch draws how curvatures of at most −δ are searched for at x.
func drawSearch(src *props.Source, p problems.FiniteSum, x []float64, delta float64) algos.Neon2 {
	c := p.Constants(x)
	return algos.Neon2{L: c.L.Value, Rho: c.Rho.Value, Delta: delta,
		Deterministic: src.Bool("deterministic")}
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
