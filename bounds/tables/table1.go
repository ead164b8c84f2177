package tables

import (
	"math"
	"math/big"

	"sledge/algos"
	"sledge/bounds"
	"sledge/props"
)

// FiniteSum are the parameters of table 1 (lines 82-116), in units with L = ρ = 1. Entries are numbers of stochastic gradients without logarithms.
type FiniteSum struct {
	N              float64 // components, ≥ 1
	Gap            float64 // Δ = f(x⁰) − f*
	SigmaC         float64 // spread of the component gradients at x⁰
	Zeta           float64 // Hessian heterogeneity, at most 2
	Mu             float64 // PL constant, at most 1
	Eps, Curvature float64 // ε and δ, at most 1
}

// SPIDER is the entry of SPIDER, SARAH and PAGE for nonconvex problems, n + Δ√n/ε² (lines 91-101). It is also that of ZeroSARAH with a full gradient at x⁰.
func (p FiniteSum) SPIDER() float64 { return p.N + p.Gap*math.Sqrt(p.N)/sq(p.Eps) }

// ZeroSARAH is its entry without a full gradient, (Δ+σ_c²)√n/ε² (line 97).
func (p FiniteSum) ZeroSARAH() float64 { return (p.Gap + sq(p.SigmaC)) * math.Sqrt(p.N) / sq(p.Eps) }

// SledgeOne is the entry of SLEDGE with Option I for nonconvex problems, (Δ+σ_c²)√n/ε² (line 103).
func (p FiniteSum) SledgeOne() float64 { return p.ZeroSARAH() }

// SledgeTwo is the entry of SLEDGE with Option II for nonconvex problems, n + ζΔ√n/ε² (line 104).
func (p FiniteSum) SledgeTwo() float64 { return p.N + p.Zeta*p.Gap*math.Sqrt(p.N)/sq(p.Eps) }

// SledgeOneSOSP is the entry of SLEDGE with Option I for second-order stationary points, (Δ+σ_c²)(√n + ζ²/δ²)(1/ε² + 1/δ^power), power = 2 as
// printed (line 103).
func (p FiniteSum) SledgeOneSOSP(power float64) float64 {
	return (p.Gap + sq(p.SigmaC)) * (math.Sqrt(p.N) + sq(p.Zeta/p.Curvature)) * (1/sq(p.Eps) + math.Pow(p.Curvature, -power))
}

// SledgePL is the entry of SLEDGE under the PL condition but for its logarithm, n + ζ√n/μ (lines 103-104).
func (p FiniteSum) SledgePL() float64 { return p.N + p.Zeta*math.Sqrt(p.N)/p.Mu }

// LowerBound is n + Δ(ζ√n + L)/ε² (proposition:LowerBound, line 395).
func (p FiniteSum) LowerBound() float64 { return p.N + p.Gap*(p.Zeta*math.Sqrt(p.N)+1)/sq(p.Eps) }

func sq(v float64) float64 { return v * v }

// draw draws parameters of table 1.
func draw(src *props.Source) FiniteSum {
	return FiniteSum{N: bounds.SeveralUpTo(src, "n", 1e12), Gap: src.LogReal("Δ", 1e-8, 1e8), SigmaC: src.LogReal("σ_c", 1e-8, 1e8),
		Zeta: 2 * bounds.AtMostOne(src, "ζ/2", 1e-8), Mu: bounds.AtMostOne(src, "μ", 1e-8), Eps: bounds.AtMostOne(src, "ε",
			1e-8), Curvature: bounds.AtMostOne(src, "δ", 1e-8)}
}

// bestBatch returns the least value of cost over minibatch sizes b = 1, 2, 4, … up to n, and n itself.
func bestBatch(n float64, cost func(b float64) float64) float64 {
	best := cost(n)
	for b := 1.0; b < n; b *= 2 {
		best = min(best, cost(b))
	}
	return best
}

// second is the bound of theorem:Second-Main with b = √n + ζ²/δ².
func (p FiniteSum) second(option algos.Option) float64 {
	b := math.Sqrt(p.N) + sq(p.Zeta/p.Curvature)
	return bounds.SecondComplexity(option, p.N, b, 1, p.Gap, p.SigmaC, p.Eps, p.Curvature, 1)
}

// bestTwo is the bound of theorem:First-Main for Option II at its best minibatch size.
func (p FiniteSum) bestTwo() float64 {
	return bestBatch(p.N, func(b float64) float64 {
		return bounds.FirstComplexity(algos.OptionII, p.N, b, 1, p.Zeta, p.Gap, 0, p.Eps)
	})
}

// bestPL is the bound of theorem:PL-Main, but for its logarithm, at its best minibatch size.
func (p FiniteSum) bestPL() float64 {
	return bestBatch(p.N, func(b float64) float64 { return bounds.PLComplexity(1, p.Mu, p.Zeta, p.N, b) })
}

func table1Claims() []props.Binding {
	same := func(f func(FiniteSum) (float64, float64)) props.Check {
		return props.SameOrder(func(src *props.Source) (float64, float64) { return f(draw(src)) })
	}
	atMost := func(f func(FiniteSum) (float64, float64)) props.Check {
		return props.Order(func(src *props.Source) (float64, float64) { return f(draw(src)) })
	}
	return []props.Binding{
		props.Bind("table1-option1-nonconvex", same(func(p FiniteSum) (float64, float64) {
			return bounds.FirstComplexity(algos.OptionI, p.N, math.Sqrt(p.N), 1, p.Zeta, p.Gap, p.SigmaC, p.Eps), p.SledgeOne()
		})),
		props.Bind("table1-option2-nonconvex", props.All(
			same(func(p FiniteSum) (float64, float64) { return p.bestTwo(), p.SledgeTwo() }),
			same(func(p FiniteSum) (float64, float64) { return p.LowerBound(), p.SledgeTwo() }),
			atMost(func(p FiniteSum) (float64, float64) { return p.SledgeTwo(), p.SPIDER() }))),
		props.Bind("table1-option2-nonconvex/corrected", props.All(
			same(func(p FiniteSum) (float64, float64) { return p.bestTwo(), p.LowerBound() }),
			atMost(func(p FiniteSum) (float64, float64) { return p.LowerBound(), p.SPIDER() }))),
		props.Bind("table1-option1-sosp", same(func(p FiniteSum) (float64, float64) { return p.second(algos.OptionI), p.SledgeOneSOSP(2) })),
		props.Bind("table1-option1-sosp/corrected", same(func(p FiniteSum) (float64, float64) { return p.second(algos.OptionI), p.SledgeOneSOSP(4) })),
		props.Bind("table1-option2-sosp", props.Exact("polynomials of degrees (1, 1, 1, 3) on a grid of 2·2·2·4 points", trySOSPIdentity)),
		props.Bind("table1-pl", same(func(p FiniteSum) (float64, float64) { return p.bestPL(), p.SledgePL() })),
		props.Bind("table1-pl/corrected", same(func(p FiniteSum) (float64, float64) { return p.bestPL(), p.SledgePL() + 1/p.Mu })),
	}
}

// trySOSPIdentity evaluates both sides with s = √n, z = ζ², u = 1/ε², w = 1/δ² on a grid.
func trySOSPIdentity(rec *props.Recorder) {
	product := func(factors ...int64) *big.Rat {
		v := big.NewRat(1, 1)
		for _, f := range factors {
			v.Mul(v, big.NewRat(f, 1))
		}
		return v
	}
	for point := range int64(2 * 2 * 2 * 4) {
		s, z, u, w := 1+point%2, 1+point/2%2, 1+point/4%2, 1+point/8
		entry := new(big.Rat)
		for _, term := range [][]int64{{s, u}, {s, w, w}, {z, u, w}, {z, w, w, w}} {
			entry.Add(entry, product(term...))
		}
		rec.Rats("the entry", entry, props.EQ, product(s+z*w, u+w*w))
	}
}
