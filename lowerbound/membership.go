package lowerbound

import (
	"sledge/props"
)

// membershipClaims are about the class that the hard instance belongs to.
func membershipClaims() []props.Binding {
	return []props.Binding{
		props.Bind("lower-bound-hard-instance-membership",
			props.Implication(func(src *props.Source, rec *props.Recorder) {
				c := drawClass(src, [2]int{1, 64}, [2]int{1, 3}, spreadLink(Class.MeanSquare))
				zeta := 2 * c.L // c is the class with ζ/2 in the place of L
				p, x0 := c.SpreadChains(c.MeanSquare())
				single, difference := steepness(p, drawPlace(src, p, x0), 0, min(1, p.n-1))
				rec.AtMost("‖∇²f_i(x)‖ against ζ/2", single, zeta/2)
				rec.AtMost("‖∇²f_i(x) − ∇²f_j(x)‖ against ζ", difference, zeta)
			}).Effort(0.5)), // curvature of a component
		props.Bind("lower-bound-hard-instance-membership/corrected", props.All(
			props.Order(func(src *props.Source) (float64, float64) {
				// c is the class with ζ/2 in the place of L
				c := drawFine(src)
				return c.rate(2 * c.L * root(c.N)), max(c.Tilts(), c.Rungs(), c.Relays(c.L))
			}),
			props.Order(func(src *props.Source) (float64, float64) {
				c := drawFine(src)
				zeta := 2 * c.L * src.LogReal("ζ/(2L)", 1e-6, 1)
				return c.rate(zeta * root(c.N)), max(c.Tilts(), c.Rungs(), c.Relays(zeta))
			}),
			props.Inequality(tryInclusion),
			props.Inequality(tryRelay).Effort(0.3))),
		props.Bind("lower-bound-hard-instance-membership/scaled",
			props.Inequality(func(src *props.Source, rec *props.Recorder) {
				half := func(c Class) float64 { return c.L }
				c := drawClass(src, [2]int{1, 12}, [2]int{1, 4}, spreadLink(half))
				zeta := 2 * c.L // c is the class with ζ/2 in the place of L
				p, x0 := c.SpreadChains(c.L)
				x := drawPlace(src, p, x0)
				single, difference := steepness(p, x, 0, min(1, p.n-1))
				recordGap(rec, c, p, x0, x)
				rec.AtMost("‖∇²f_i(x)‖ against ζ/2", single, zeta/2)
				rec.AtMost("‖∇²f_i(x) − ∇²f_j(x)‖ against ζ", difference, zeta)
				recordChains(src, rec, c, p, x0, x, c.Spread(c.L))
			}).Effort(0.4)),
	}
}
