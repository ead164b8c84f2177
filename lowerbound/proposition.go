package lowerbound

import (
	"math"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
	"sledge/props/formula"
)

// descent is the upper bound that printed lower bounds are held against: gradient descent with η =
// 1/L finds an ε-stationary point within T = ⌈2LΔ/ε²⌉ iterates, for ε ≥ √(2LΔ) the first.
var descent = &formula.Scene{Words: memberWords, Said: "for rippled quadratics with $n ≤ 6$, $d ≤ 4$",
	Sizes: append([]string{"T"}, ofClass...),
	Means: map[string]string{
		"best": "least $‖∇f‖$ of gradient descent with the step size $1/L$ within $T = ⌈2LΔ/ε²⌉$ " +
			"iterates"},
	Draw: func(src *props.Source, rec *props.Recorder, try func(name string, on formula.Values)) {
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
		m := c.sizes()
		m.Is("T", float64(iterates))
		m.Is("best", least)
		try("", m)
	}}

// inclusion are pairs of quadratics of F_{n,Δ}^{ζ/2}, which may be opposite.
var inclusion = &formula.Scene{Words: memberWords,
	Said:  "for pairs of quadratics with Hessians of norm $ζ/2$, $d ≤ 4$, $ζ ≤ 2L$",
	Sizes: []string{"L", "ζ"}, Means: aboutMembers,
	Draw: formula.Once(func(src *props.Source, _ *props.Recorder) formula.Values {
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
		difference := mat.NewSymDense(d, nil)
		difference.ScaleSym(-1, b)
		difference.AddSym(a, difference)
		m := formula.Values{}
		m.Is("L", L)
		m.Is("ζ", zeta)
		m.Is("‖H‖", size(a))
		m.Is("‖H−H'‖", size(difference))
		return m
	})}

// size is the spectral norm of a symmetric matrix.
func size(a *mat.SymDense) float64 {
	d := a.SymmetricDim()
	return norm(d, func(dst, u []float64) {
		mat.NewVecDense(d, dst).MulVec(a, mat.NewVecDense(d, u))
	})
}

// methodsOn are the methods of the catalogue for finite sums without perturbations on members that
// are drawn with what they need. They are stopped when they have used that many gradients.
func methodsOn(draw func(src *props.Source) (Class, instance, []float64, float64),
	said string) *formula.Scene {
	return &formula.Scene{Words: memberWords, Said: said, Sizes: ofClass, Effort: 0.2,
		Means: map[string]string{"gradients": "those that a method has asked for until a query is at " +
			"an $ε$-stationary point, for step sizes up to $300/L$"},
		Draw: func(src *props.Source, _ *props.Recorder, try func(name string, on formula.Values)) {
			c, p, x0, needed := draw(src)
			s := algos.Setting{Period: src.Int("period", 1, 4), Eps: c.Eps}
			s.Batch, s.Eta = src.Int("b", 1, c.N), src.LogReal("ηL", 0.1, 300)/c.L
			r := randomness(src)
			for _, known := range algos.Catalogue() {
				if known.Federated || perturbs(known.Name) {
					continue
				}
				n, _ := spent(known.New(s), p, x0, r, c.Eps, int(needed))
				m := c.sizes()
				m.Is("gradients", float64(n))
				try(known.Name, m)
			}
		}}
}

func drawLadder(src *props.Source) (Class, instance, []float64, float64) {
	c := drawClass(src, [2]int{1, 8}, [2]int{1, 12}, ladderLink)
	p, x0 := c.CommonLadder()
	return c, p, x0, c.Rungs()
}

func drawTilted(src *props.Source) (Class, instance, []float64, float64) {
	c := drawClass(src, [2]int{1, 8}, [2]int{1, 12}, ladderLink)
	p, x0 := c.Tilted()
	return c, p, x0, c.Tilts()
}

func drawTwoRounds(src *props.Source) (Class, instance, []float64, float64) {
	c, _, p, x0 := drawRelay(src, [2]int{4, 24}, [2]int{2, 2})
	return c, p, x0, p.needed(2)
}

// perturbs reports whether a method of the catalogue moves at random even without a noise radius:
// by Neon2 inside it, or by a default radius.
func perturbs(name string) bool {
	return strings.HasPrefix(name, "SPIDER-SFO+") || name == "BVR-L-PSGD"
}
