package claims

import (
	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
)

// drawSearch draws how curvatures of at most −δ are searched for at x.
func drawSearch(src *props.Source, p problems.FiniteSum, x []float64, delta float64) algos.Neon2 {
	c := p.Constants(x)
	return algos.Neon2{L: c.L.Value, Rho: c.Rho.Value, Delta: delta,
		Deterministic: src.Bool("deterministic")}
}

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
			for range src.Int("d", 8, 10) - 1 {
				shape.Parabolas = append(shape.Parabolas, shape.Gamma)
			}
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
	}
}
