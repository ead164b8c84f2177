package lowerbound

import (
	"math"
	"strings"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
)

func mainClaims() []props.Binding {
	return []props.Binding{
		props.Bind("lower-bound-main", props.Inequality(tryDescent)),
		props.Bind("lower-bound-main/corrected", props.All(
			props.Order(func(src *props.Source) (float64, float64) {
				c := drawFine(src)
				zeta := 2 * c.L * src.LogReal("ζ/(2L)", 1e-6, 1)
				return c.rate(zeta*root(c.N) + c.L), c.Needed(zeta)
			}),
			props.Inequality(tryLadder).Effort(0.3),
			props.Inequality(tryTilted).Effort(0.3),
			props.Inequality(tryRelay).Effort(0.3))),
		props.Bind("lower-bound-main/methods", props.Inequality(tryMethods).Effort(0.3)),
	}
}

// tryDescent looks for contradictions to the upper bound that printed lower bounds are held
// against: gradient descent with η = 1/L finds an ε-stationary point within ⌈2LΔ/ε²⌉ iterates, for
// ε ≥ √(2LΔ) the first.
func tryDescent(src *props.Source, rec *props.Recorder) {
	p := problems.DrawRippled(src,
		problems.Limits{N: problems.Sizes(1, 6), D: problems.Sizes(1, 4)}).ByClient()
	x := make([]float64, p.Dim())
	for k := range x {
		x[k] = src.Real("x⁰_k", -3, 3)
	}
	k := p.Constants(x)
	L, gap := k.L.Value, k.Delta.Value
	if !(gap > 0) || math.IsInf(gap, 1) || !(L > 0) {
		rec.Skip("f is not bounded below, or flat")
		return
	}
	iterates := src.LogInt("⌈2LΔ/ε²⌉", 1, 30)
	c := Class{N: p.Components(), L: L, Gap: gap, Eps: math.Sqrt(2 * L * gap / float64(iterates))}
	g, least := make([]float64, p.Dim()), math.Inf(1)
	for range iterates {
		p.FullGradient(g, x)
		least = min(least, floats.Norm(g, 2))
		floats.AddScaled(x, -1/L, g)
	}
	rec.AtMost("least ‖∇f‖ of gradient descent", least, c.Eps)
	if iterates == 1 {
		rec.AtMost("‖∇f(x⁰)‖ against √(2LΔ)", least, math.Sqrt(2*L*gap))
	}
}

// tryCommon looks for contradictions to the bound of the common chain.
func tryCommon(src *props.Source, rec *props.Recorder) {
	c := drawClass(src, [2]int{1, 6}, [2]int{1, 8}, commonLink)
	p, x0 := c.CommonChain()
	tryEqual(src, rec, c, p, x0, c.Common())
}

// tryEqual looks for contradictions to the bound of a chain common to all components.
func tryEqual(src *props.Source, rec *props.Recorder, c Class, p *Chains, x0 []float64,
	needed float64) {
	x := drawPlace(src, p, x0)
	single, difference := steepness(p, x, 0, min(1, p.n-1))
	recordGap(rec, c, p, x0, x)
	rec.AtMost("‖∇²f_i(x)‖ against L", single, c.L)
	rec.Equal("‖∇²f_i(x) − ∇²f_j(x)‖ against 0", difference, 0).Scale(single)
	recordChains(src, rec, c, p, x0, x, needed)
}

// tryTilted looks for contradictions to the bound of the tilted quadratics: for a number of
// components seen, at the best point of the span and at others.
func tryTilted(src *props.Source, rec *props.Recorder) {
	c := Class{N: src.Int("n", 1, 12), L: src.LogReal("L", 0.1, 10),
		Gap: src.LogReal("Δ", 0.01, 100), Offset: src.Real("‖x⁰‖", 0, 5)}
	c.Eps = math.Sqrt(c.L*c.Gap) * src.Real("ε/√(LΔ)", 0.01, 1)
	p, x0 := c.Tilted()
	k := p.Constants(x0)
	rec.Equal("f(x⁰) − inf f against Δ", k.Delta.Value, c.Gap).Scale(p.Value(x0))
	rec.AtMost("Lipschitz constant of ∇f_i", k.L.Value, c.L)
	rec.Equal("heterogeneity against 0", k.Zeta.Value, 0).Scale(c.L)
	needed := int(c.Tilts())
	rec.AtLeast("components that must be seen, against half of them", float64(needed),
		float64(c.N)/2)
	seen := src.Int("components seen", 0, c.N)
	g, x := make([]float64, p.Dim()), append([]float64(nil), x0...)
	for i := range seen { // the best point: each f_i is a quadratic around x⁰
		x[i+1] = -c.tilt() / (float64(c.N) * c.L)
	}
	p.FullGradient(g, x)
	best, scale := floats.Norm(g, 2), c.L*floats.Norm(x, 2)+math.Sqrt(c.L*c.Gap)
	rec.Equal("‖∇f‖² at the best point, against 2LΔ(1 − m/n)", best*best,
		2*c.L*c.Gap*(1-float64(seen)/float64(c.N))).Scale(c.L * c.Gap)
	if seen < needed {
		rec.AtLeast("‖∇f‖ at the best point, against ε", best, c.Eps)
	} else {
		rec.AtMost("‖∇f‖ at the best point once enough are seen, against ε", best, c.Eps)
	}
	r := src.Rand("another point")
	for i := range seen {
		x[i+1] += best / c.L * r.NormFloat64()
	}
	x[0] += c.Offset * r.NormFloat64()
	p.FullGradient(g, x)
	rec.AtLeast("‖∇f‖ at another point of the span, against the best", floats.Norm(g, 2),
		best).Scale(scale)
}

// tryMethods runs the methods of the catalogue on the three instances of the corrected bound.
func tryMethods(src *props.Source, rec *props.Recorder) {
	c := drawClass(src, [2]int{1, 8}, [2]int{1, 12}, ladderLink)
	ladder, x0 := c.CommonLadder()
	tilted, y0 := c.Tilted()
	d, _, relay, z0 := drawRelay(src, [2]int{4, 24}, [2]int{2, 2})
	s := algos.Setting{Period: src.Int("period", 1, 4)}
	batch, stretch := src.Int("b", 1, c.N), src.LogReal("ηL", 0.1, 300)
	r := randomness(src)
	for _, m := range algos.Catalogue() {
		if m.Federated || perturbs(m.Name) {
			continue
		}
		s.Eta, s.Eps, s.Batch = stretch/c.L, c.Eps, batch
		n, _ := spent(m.New(s), ladder, x0, r, c.Eps, int(c.Rungs()))
		rec.AtLeast(m.Name, float64(n), c.Rungs())
		n, _ = spent(m.New(s), tilted, y0, r, c.Eps, int(c.Tilts()))
		rec.AtLeast(m.Name, float64(n), c.Tilts())
		s.Eta, s.Eps, s.Batch = stretch/d.L, d.Eps, min(batch, d.N)
		needed := relay.needed(float64(relay.T))
		n, _ = spent(m.New(s), relay, z0, r, d.Eps, int(needed))
		rec.AtLeast(m.Name, float64(n), needed)
	}
}

// perturbs reports whether a method of the catalogue moves at random even without a noise radius:
// by Neon2 inside it, or by a default radius.
func perturbs(name string) bool {
	return strings.HasPrefix(name, "SPIDER-SFO+") || name == "BVR-L-PSGD"
}
