package lowerbound

import (
	"slices"

	"sledge/algos"
	"sledge/bounds"
	"sledge/props"
)

// appliesClaims are about which methods the lower bound is about.
func appliesClaims() []props.Binding {
	return []props.Binding{
		props.Bind("lower-bound-applies-to-sledge", props.Implication(func(src *props.Source, rec *props.Recorder) {
			trySpan(src, rec, src.Real("r/σ", 0, 1), func(name string) bool { return slices.Contains(perturbable, name) })
		}).Effort(0.2)),
		props.Bind("lower-bound-applies-to-sledge/corrected", props.All(
			props.Implication(func(src *props.Source, rec *props.Recorder) {
				trySpan(src, rec, 0, func(name string) bool { return !perturbs(name) })
			}).Effort(0.2),
			props.SameOrder(func(src *props.Source) (float64, float64) {
				c := drawFine(src)
				zeta := 2 * c.L * src.LogReal("ζ/(2L)", 1e-6, 1)
				return bounds.FirstComplexity(algos.OptionII, float64(c.N), 1, c.L, zeta, c.Gap, 0, c.Eps), c.Needed(zeta)
			}))),
		props.Bind("lower-bound-applies-to-sledge/small-noise", props.Implication(trySmallNoise).Effort(0.5)),
	}
}
