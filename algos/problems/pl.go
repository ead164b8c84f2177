package problems

import (
	"fmt"
	"math/rand/v2"

	"sledge/props"
)

// PLMean describes a sum whose mean is f(x) = Σ_k h_k w_k² ((x_k/w_k)² + 3 sin²(x_k/w_k)): not
// convex, with curvatures from −4h_k to 8h_k, minimum 0 at the origin, and PL with μ = 0.17553·min
// h_k. Components differ by quadratics of zero mean and by factors of mean 1 before f. All its
// constants are exact, but Sigma and G are +Inf if the data of a client differ in Hessian.
type PLMean struct {
	Curvature []float64 // h_k > 0; their number is d
	Width     []float64 // w_k > 0; nil is 1 for all
	Between   Heterogeneity
	Within    Heterogeneity // of the data of one client, if it has several
}

func (m PLMean) recipe(*rand.Rand) (recipe, error) {
	rec := recipe{d: len(m.Curvature), amp: 1, between: m.Between, within: m.Within}
	if m.Width != nil && len(m.Width) != rec.d {
		return recipe{}, fmt.Errorf("problems: %d widths for %d curvatures", len(m.Width), rec.d)
	}
	for k, h := range m.Curvature {
		c := coordinate{sine, h, 1}
		if m.Width != nil {
			c.w = m.Width[k]
		}
		rec.core = append(rec.core, c)
	}
	return rec, nil
}

// DrawNonconvexPL draws a problem of the family.
func DrawNonconvexPL(src *props.Source, l ...Limits) Federated {
	lim := limits(l)
	sizes, d := lim.drawSizes(src), lim.drawDim(src)
	top := src.LogReal("largest curvature", 0.1, 10)
	m := PLMean{
		Curvature: powers(top/sine.curvHi, src.LogReal("condition number", 1, 100), d),
		Width:     powers(src.LogReal("width", 0.3, 3), 1, d),
	}
	m.Between, m.Within = lim.drawHeterogeneity(src, sizes, top, true, false)
	return props.Must(Make(sizes, m, src.Rand("directions")))
}
