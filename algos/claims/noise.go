package claims

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mathext"

	"sledge/algos"
	"sledge/props"
)

func noiseClaims() []props.Binding {
	return []props.Binding{
		props.Bind("ball-noise-law", props.All(
			props.Law(func(src *props.Source) props.LawTrial {
				xi := make([]float64, src.LogInt("d", 1, 200))
				regime := props.Where(props.Min("d", len(xi), 2))
				return props.LawTrial{What: "(‖ξ‖/r)^d",
					CDF:    func(u float64) float64 { return min(max(u, 0), 1) },
					Regime: regime, Run: func(t props.Trial) float64 {
						algos.Keyed(t.Key).Ball(xi, 2, algos.Noise)
						return math.Pow(floats.Norm(xi, 2)/2, float64(len(xi)))
					}}
			}),
			props.Law(func(src *props.Source) props.LawTrial {
				xi := make([]float64, src.LogInt("d", 1, 200))
				k := src.Int("coordinate", 0, len(xi)-1)
				shape := float64(len(xi)+1) / 2
				cdf := func(u float64) float64 {
					return mathext.RegIncBeta(shape, shape, min(max((1+u)/2, 0), 1))
				}
				return props.LawTrial{What: "one coordinate of ξ/r", CDF: cdf,
					Regime: props.Where(props.Min("d", len(xi), 2)),
					Run: func(t props.Trial) float64 {
						algos.Keyed(t.Key).Ball(xi, 2, algos.Noise)
						return xi[k] / 2
					}}
			}),
			props.Inequality(func(src *props.Source, rec *props.Recorder) {
				xi := make([]float64, src.LogInt("d", 1, 1000))
				radius := src.LogReal("r", 1e-9, 1e9)
				r := algos.Keyed(src.Key("noise"))
				for range 20 {
					r.Ball(xi, radius, algos.Noise)
					rec.AtMost("‖ξ‖", floats.Norm(xi, 2), radius)
				}
			}).Effort(0.5),
		)),
	}
}
