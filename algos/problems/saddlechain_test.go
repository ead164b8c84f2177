package problems

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"sledge/algos"
)

func drawSaddleChain(t *rapid.T) (*SaddleChain, *rand.Rand) {
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	p, err := MakeSaddleChain(2*rapid.IntRange(1, 4).Draw(t, "pairs"), SaddleChainMean{
		Saddles: rapid.IntRange(1, 5).Draw(t, "saddles"),
		Rest:    rapid.IntRange(0, 4).Draw(t, "rest"), Gamma: rapid.Float64Range(0.1, 2).Draw(t,
			"gamma"), Lambda: rapid.Float64Range(0.1, 2).Draw(t, "lambda"),
		Zeta:   rapid.Float64Range(0, 2).Draw(t, "zeta"),
		Spread: rapid.Float64Range(0, 1).Draw(t, "spread")}, r)
	if err != nil {
		t.Fatal(err)
	}
	return p, r
}

func gaussian(r *rand.Rand, d int, scale float64) []float64 {
	x := make([]float64, d)
	for k := range x {
		x[k] = scale * r.NormFloat64()
	}
	return x
}

func TestSaddleChainDerivatives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, r := drawSaddleChain(t)
		x, v := gaussian(r, p.Dim(), 2), gaussian(r, p.Dim(), 1)
		const h = 1e-5
		at := func(s float64) []float64 {
			y := append([]float64(nil), x...)
			floats.AddScaled(y, s, v)
			return y
		}
		zero := func() []float64 { return make([]float64, p.Dim()) }
		g, h1, h2, hv := zero(), zero(), zero(), zero()
		p.FullGradient(g, x)
		got, want := floats.Dot(g, v), (p.Value(at(h))-p.Value(at(-h)))/(2*h)
		if math.Abs(got-want) > 1e-6*(1+math.Abs(want)) {
			t.Errorf("slope %v, difference quotient %v", got, want)
		}
		i := r.IntN(p.Components())
		p.Gradient(h1, at(h), i)
		p.Gradient(h2, at(-h), i)
		floats.Sub(h1, h2)
		floats.Scale(1/(2*h), h1)
		p.ComponentHessianVector(hv, x, v, i)
		if apart := floats.Distance(h1, hv, 2); apart > 1e-5*(1+floats.Norm(hv, 2)) {
			t.Errorf("Hessian product off by %v", apart)
		}
		rows := make([]float64, 2*p.Dim())
		p.BatchGradient(rows, x, []int{i, 0})
		for l, i := range []int{i, 0} {
			p.Gradient(h1, x, i)
			if apart := floats.Distance(h1, rows[l*p.Dim():(l+1)*p.Dim()],
				2); apart > 1e-12*(1+floats.Norm(h1, 2)) {
				t.Errorf("row %d of a batch off by %v", l, apart)
			}
		}
		mean := make([]float64, p.Dim())
		for i := range p.Components() {
			p.Gradient(h1, x, i)
			floats.AddScaled(mean, 1/float64(p.Components()), h1)
		}
		if apart := floats.Distance(mean, g, 2); apart > 1e-12*(1+floats.Norm(g, 2)) {
			t.Errorf("mean of the component gradients off by %v", apart)
		}
	})
}

func TestSaddleChainSpectra(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, r := drawSaddleChain(t)
		x := gaussian(r, p.Dim(), 2)
		h, col := mat.NewSymDense(p.Dim(), nil), make([]float64, p.Dim())
		for k := range p.Dim() {
			e := make([]float64, p.Dim())
			e[k] = 1
			p.HessianVector(col, x, e)
			for l := k; l < p.Dim(); l++ {
				h.SetSym(k, l, col[l])
			}
		}
		var eigen mat.EigenSym
		eigen.Factorize(h, false)
		values := eigen.Values(nil)
		bound := 2 * r.NormFloat64()
		want := 0
		for _, v := range values {
			if math.Abs(v-bound) < 1e-9 {
				t.Skip("a tie")
			}
			if v < bound {
				want++
			}
		}
		if got := p.Eigenvalues(x, bound); got != want {
			t.Errorf("%d eigenvalues of %v below %v, counted %d", want, values, bound, got)
		}
	})
}

func TestSaddleChainConstants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, r := drawSaddleChain(t)
		x0 := gaussian(r, p.Dim(), 1)
		points := [][]float64{x0, gaussian(r, p.Dim(), 1), p.Saddle(r.IntN(p.Saddles + 1)),
			gaussian(r, p.Dim(), 3)}
		if w := WorstAudited(Audit(p, x0, points)); w.Ratio > 1+1e-9 {
			t.Errorf("%+v", w)
		}
	})
}

func TestMakeSaddleChainRefuses(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	ok := SaddleChainMean{Saddles: 1, Gamma: 1}
	for _, bad := range []struct {
		n int
		m SaddleChainMean
	}{{1, ok}, {3, ok}, {2, SaddleChainMean{Gamma: 1}}, {2, SaddleChainMean{Saddles: 1}},
		{2, SaddleChainMean{Saddles: 1, Gamma: 1, Rest: -1}},
		{2, SaddleChainMean{Saddles: 1, Gamma: math.NaN()}},
		{2, SaddleChainMean{Saddles: 1, Gamma: 1, Zeta: -1}},
		{2, SaddleChainMean{Saddles: 1, Gamma: 1, Spread: math.Inf(1)}}} {
		if _, err := MakeSaddleChain(bad.n, bad.m, r); err == nil {
			t.Errorf("n = %d, %+v: no error", bad.n, bad.m)
		}
	}
}

// A run that remembers gradients of a chain has those of the chain, bit for bit, in whatever order
// it asks for them.
func TestSaddleChainRecalls(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, r := drawSaddleChain(t)
		d, n := p.Dim(), p.Components()
		own := algos.Recall(algos.Sum(p))
		if own == algos.Sum(p) || algos.Recall(own) != own {
			t.Fatal("a chain is to be remembered, once")
		}
		full, _ := algos.As[algos.FullGradienter](own)
		batches, _ := algos.As[algos.BatchGradienter](own)
		points := make([][]float64, 5)
		for k := range points {
			points[k] = gaussian(r, d, 2)
		}
		got, want := make([]float64, n*d), make([]float64, n*d)
		for range 40 {
			x, i := points[r.IntN(len(points))], r.IntN(n)
			if r.IntN(8) == 0 {
				x[r.IntN(d)] += r.NormFloat64() // the same memory, another point
			}
			switch r.IntN(3) {
			case 0:
				own.Gradient(got[:d], x, i, 0)
				p.Gradient(want[:d], x, i)
			case 1:
				full.FullGradient(got[:d], x)
				p.FullGradient(want[:d], x)
			case 2:
				batch := r.Perm(n)[:1+r.IntN(n)]
				batches.BatchGradient(got[:len(batch)*d], x, batch)
				p.BatchGradient(want[:len(batch)*d], x, batch)
			}
			if !slices.Equal(got, want) {
				t.Fatalf("at %v: %v, want %v", x, got, want)
			}
		}
	})
}
