package problems

import (
	"fmt"
	"math/rand/v2"

	"sledge/props"
)

// NonconvexPL is a finite sum whose mean is f(x) = Σ_k h_k w_k² ((x_k/w_k)² + 3 sin²(x_k/w_k)): not convex, with
// curvatures from −4h_k to 8h_k, minimum 0 at the origin, and PL with μ = 0.17553·min h_k. Components differ by
// quadratics of zero mean and by factors of mean 1 before f. All its constants are exact.
type NonconvexPL struct{ finite }

// FederatedNonconvexPL is the federated sum with the same mean. Its constants are exact but for Sigma and G, which are
// +Inf if the data of a client differ in Hessian.
type FederatedNonconvexPL struct{ federated }

// PLMean describes a nonconvex PL sum.
type PLMean struct {
	Curvature []float64 // h_k > 0; their number is d
	Width     []float64 // w_k > 0; nil is 1 for all
	Between   Heterogeneity
	Within    Heterogeneity // of the data of one client; for federated sums
}

// MakeNonconvexPL returns a finite sum with n components of the given description; r supplies random directions.
func MakeNonconvexPL(n int, m PLMean, r *rand.Rand) (*NonconvexPL, error) {
	p, err := makeFinite(n, m, r)
	if err != nil {
		return nil, err
	}
	return &NonconvexPL{p}, nil
}

// MakeFederatedNonconvexPL returns a federated sum of the given description in which client i has sizes[i] data.
func MakeFederatedNonconvexPL(sizes []int, m PLMean, r *rand.Rand) (*FederatedNonconvexPL, error) {
	p, err := makeFederated(sizes, m, r)
	if err != nil {
		return nil, err
	}
	return &FederatedNonconvexPL{p}, nil
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

// DrawNonconvexPL draws a finite sum of the family.
func DrawNonconvexPL(src *props.Source, l ...Limits) *NonconvexPL {
	n, m, r := drawPL(src, limits(l), false)
	return props.Must(MakeNonconvexPL(len(n), m, r))
}

// DrawFederatedNonconvexPL draws a federated sum of the family.
func DrawFederatedNonconvexPL(src *props.Source, l ...Limits) *FederatedNonconvexPL {
	return props.Must(MakeFederatedNonconvexPL(drawPL(src, limits(l), true)))
}

func drawPL(src *props.Source, l Limits, isFederated bool) ([]int, PLMean, *rand.Rand) {
	sizes, d := l.drawSizes(src, isFederated), l.drawDim(src)
	top := src.LogReal("largest curvature", 0.1, 10)
	m := PLMean{
		Curvature: powers(top/sine.curvHi, src.LogReal("condition number", 1, 100), d),
		Width:     powers(src.LogReal("width", 0.3, 3), 1, d),
	}
	m.Between, m.Within = l.drawHeterogeneity(src, sizes, top, isFederated, true, false)
	return sizes, m, src.Rand("directions")
}
