package lowerbound

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"sledge/bounds"
	"sledge/props"
)

func finiteSumClaims() []props.Binding {
	return []props.Binding{
		props.Bind("lower-bound-cited-finite-sum", props.Inequality(tryDescent)),
		props.Bind("lower-bound-cited-finite-sum/corrected", props.All(
			props.Order(func(src *props.Source) (float64, float64) {
				c := drawFine(src)
				return c.rate(c.L * root(c.N)), max(c.Tilts(), c.Rungs(), c.Relays(c.L))
			}),
			props.Inequality(tryRelay).Effort(0.3),
			props.Inequality(tryTilted).Effort(0.3))),
		props.Bind("lower-bound-cited-finite-sum/mean-square",
			props.Inequality(trySpread).Effort(0.4)),
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

// drawFine draws the parameters of a class from sizes, with ε ≤ √(LΔ).
func drawFine(src *props.Source) Class {
	c := Class{N: src.LogInt("n", bounds.Several, 1e8), L: src.LogReal("L", 1e-4, 1e4),
		Gap: src.LogReal("Δ", 1e-4, 1e4)}
	c.Eps = math.Sqrt(c.L*c.Gap) * src.LogReal("ε/√(LΔ)", 1e-6, 1)
	return c
}

// rate is n + aΔ/ε².
func (c Class) rate(a float64) float64 { return float64(c.N) + a*c.Gap/(c.Eps*c.Eps) }

func root(n int) float64 { return math.Sqrt(float64(n)) }

// tryRelay looks for contradictions to the bound of the relay: to its membership in F_{n,Δ}^{L,ζ}
// and to the number of gradients that it needs.
func tryRelay(src *props.Source, rec *props.Recorder) {
	c, zeta, p, x0 := drawRelay(src, [2]int{1, 24}, [2]int{1, 3})
	x := append([]float64(nil), x0...)
	for k := range min(2, p.T) {
		drawRound(src, p, x, k)
	}
	x[len(x)-1] = c.Eps / c.L * src.Real("last entry", -3, 3)
	single, difference := steepness(p, x, 0, p.n-1)
	recordGap(rec, c, p, x0, x)
	rec.AtMost("‖∇²f_i(x)‖ against L", single, c.L)
	rec.AtMost("‖∇²f_i(x) − ∇²f_j(x)‖ against ζ", difference, zeta)
	rec.AtMost("‖∇²f_i(x) − ∇²f_j(x)‖ against the ζ that it is made with", difference, p.zeta)
	recordRelay(src, rec, c, p, x0)
}

// tryInclusion looks for contradictions to F_{n,Δ}^{ζ/2} ⊆ F_{n,Δ}^{L,ζ} among pairs of quadratics.
func tryInclusion(src *props.Source, rec *props.Recorder) {
	L, d := src.LogReal("L", 0.01, 100), src.Int("d", 1, 4)
	zeta := 2 * L * src.LogReal("ζ/(2L)", 1e-3, 1)
	r := src.Rand("Hessians")
	draw := func() *mat.SymDense { // ±(ζ/2)(I − c·vv'/‖v‖²), of norm ζ/2
		v := make([]float64, d)
		for l := range v {
			v[l] = r.NormFloat64()
		}
		a := mat.NewSymDense(d, nil)
		for l := range v {
			a.SetSym(l, l, 1)
		}
		x := mat.NewVecDense(d, v)
		a.SymRankOne(a, -2*r.Float64()/mat.Dot(x, x), x)
		a.ScaleSym(math.Copysign(zeta/2, r.Float64()-0.5), a)
		return a
	}
	a, b := draw(), draw()
	if src.Bool("opposite") {
		b.ScaleSym(-1, a)
	}
	rec.AtMost("‖∇²f_i‖ against L", size(a), L)
	b.ScaleSym(-1, b)
	b.AddSym(a, b)
	rec.AtMost("‖∇²f_i − ∇²f_j‖ against ζ", size(b), zeta)
}

// size is the spectral norm of a symmetric matrix.
func size(a *mat.SymDense) float64 {
	d := a.SymmetricDim()
	return norm(d, func(dst, u []float64) {
		mat.NewVecDense(d, dst).MulVec(a, mat.NewVecDense(d, u))
	})
}

// trySpread looks for contradictions to the mean-square bound on its instances.
func trySpread(src *props.Source, rec *props.Recorder) {
	c := drawClass(src, [2]int{1, 12}, [2]int{1, 4}, spreadLink(Class.MeanSquare))
	p, x0 := c.SpreadChains(c.MeanSquare())
	x := drawPlace(src, p, x0)
	recordGap(rec, c, p, x0, x)
	rec.AtMost("norm of the mean of squared Hessians, its root, against L",
		meanSteepness(p, x), c.L)
	recordChains(src, rec, c, p, x0, x, c.Spread(c.MeanSquare()))
}
