package lowerbound

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
	"sledge/props/proptest"
)

// drawChains draws one of the two kinds.
func drawChains(src *props.Source) (Class, *Chains, []float64) {
	if src.Bool("own chains") {
		c := drawClass(src, [2]int{1, 5}, [2]int{1, 4}, spreadLink(Class.MeanSquare))
		p, x0 := c.SpreadChains(c.MeanSquare())
		return c, p, x0
	}
	c := drawClass(src, [2]int{1, 5}, [2]int{1, 5}, commonLink)
	p, x0 := c.CommonChain()
	return c, p, x0
}

func TestChainsAreTheMeanOfTheirComponents(t *testing.T) {
	proptest.Instances(t, 200, func(src *props.Source) {
		_, p, x0 := drawChains(src)
		x, r := drawPlace(src, p, x0), src.Rand("direction")
		d := p.Dim()
		u, g, mean, full, y := make([]float64, d), make([]float64, d), make([]float64, d),
			make([]float64, d), make([]float64, d)
		for k := range u {
			u[k] = p.sigma * r.NormFloat64()
		}
		for i := range p.n {
			p.Gradient(g, x, i)
			floats.AddScaled(mean, 1/float64(p.n), g)
		}
		p.FullGradient(full, x)
		if far := floats.Distance(mean, full, 2); far > 1e-13*(floats.Norm(full, 2)+p.l*p.sigma) {
			t.Errorf("mean of gradients %v off the full gradient", far)
		}
		clear(mean)
		for i := range p.n {
			p.ComponentHessianVector(g, x, u, i)
			floats.AddScaled(mean, 1/float64(p.n), g)
		}
		hessian := make([]float64, d)
		p.HessianVector(hessian, x, u)
		if far := floats.Distance(mean, hessian, 2); far > 1e-13*p.l*floats.Norm(u, 2) {
			t.Errorf("mean of Hessians %v off the full Hessian", far)
		}
		value := func(t float64) float64 { floats.AddScaledTo(y, x, t, u); return p.Value(y) }
		scale := p.l * p.sigma * p.sigma
		if got, want := slope(value), floats.Dot(full, u); math.Abs(got-want) > 1e-4*scale {
			t.Errorf("slope of the values %v, of the gradient %v", got, want)
		}
		for k := range d {
			got := slope(func(t float64) float64 {
				floats.AddScaledTo(y, x, t, u)
				p.FullGradient(g, y)
				return g[k]
			})
			if math.Abs(got-hessian[k]) > 1e-3*p.l*p.sigma {
				t.Errorf("slope of entry %d of the gradient %v, of the Hessian %v", k, got,
					hessian[k])
			}
		}
	})
}

// The certified constants survive the audit along runs that reach all parts of the chains.
func TestAudit(t *testing.T) {
	proptest.Instances(t, 60, func(src *props.Source) {
		_, p, x0 := drawChains(src)
		points := [][]float64{x0}
		for range 6 {
			x := append([]float64(nil), points[len(points)-1]...)
			for k := range p.blocks() {
				for j := range p.part(x, k) {
					p.part(x, k)[j] += p.sigma * src.Real("move", -1, 1)
				}
			}
			points = append(points, x)
		}
		all := problems.Audit(p, x0, points)
		if len(all) < 5 {
			t.Errorf("only %d constants audited", len(all))
		}
		if w := problems.WorstAudited(all); w.Ratio > 1 {
			t.Errorf("%s: certified %v (%s), seen %v at %s", w.Name, w.Certified.Value,
				w.Certified.Why, w.Seen, w.Where)
		}
	})
}

func TestChainsHaveALink(t *testing.T) {
	c := Class{N: 9, L: 2, Gap: 3648, Eps: 0.5}
	defer func() {
		if recover() == nil {
			t.Error("chains of length 0 are made")
		}
	}()
	c.SpreadChains(2)
}

// All sequences of components on a small instance: whichever components a walk along the chains
// asks, in whatever order, it is not ε-stationary before ⌈n/2⌉T gradients, and some sequence is not
// much later.
func TestEverySequenceOfComponents(t *testing.T) {
	c := Class{N: 3, L: 1, Eps: 1}
	c.Gap = 2.5 * spreadLink(Class.MeanSquare)(c)
	p, x0 := c.SpreadChains(c.MeanSquare())
	needed := int(c.Spread(c.MeanSquare()))
	if p.Length() != 2 || needed != 4 {
		t.Fatalf("length %d, %d gradients", p.Length(), needed)
	}
	g, first := make([]float64, p.Dim()), math.MaxInt
	sequences := 0
	var walk func(x []float64, asked []int)
	walk = func(x []float64, asked []int) {
		p.FullGradient(g, x)
		if floats.Norm(g, 2) <= c.Eps {
			first = min(first, len(asked))
		}
		if len(asked) == 6 {
			sequences++
			return
		}
		for i := range p.n {
			y := slices.Clone(x)
			p.Gradient(g, x, i)
			for l, v := range g { // far out in every direction that the gradient reveals
				if v != 0 && x[l] == 0 {
					y[l] = -10 * p.sigma * math.Copysign(1, v)
				}
			}
			walk(y, append(asked, i))
		}
	}
	walk(x0, nil)
	if sequences != 729 {
		t.Fatalf("%d sequences", sequences)
	}
	if first < needed || first > 6 {
		t.Errorf("first stationary point after %d gradients, bound %d", first, needed)
	}
}

// The tilted quadratics have the value gap and the smoothness of their class in exact arithmetic,
// up to the rounding of a.
func TestTilted(t *testing.T) {
	c := Class{N: 8, L: 2, Gap: 2, Offset: 3} // a = √64
	p, x0 := c.Tilted()
	low, known := p.Minimum()
	if !known || p.Value(x0)-low != c.Gap {
		t.Errorf("gap %v, want %v", p.Value(x0)-low, c.Gap)
	}
	o, g := algos.NewOracle(algos.Sum(p)), make([]float64, p.Dim())
	for i := range c.N {
		o.Gradient(g, x0, i)
		for l, v := range g {
			if want := map[bool]float64{true: 8}[l == i+1]; v != want {
				t.Errorf("entry %d of gradient %d at x0: %v, want %v", l, i, v, want)
			}
		}
	}
}
