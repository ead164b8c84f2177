package problems

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"sledge/props"
	"sledge/props/keyed"
)

// On integer coefficients and dyadic points, floating-point gradients are exact and equal the
// rational ones bit by bit.
func TestRationalForm(t *testing.T) {
	for k := range 50 {
		r := keyed.New(3).At(k).Rand()
		q := drawIntegerQuadratic(randomSource(r))
		rat, d, n := q.Rat(), q.Dim(), q.Components()
		x, g, sum := make([]float64, d), make([]float64, d), make([]float64, d)
		for l := range x {
			x[l] = float64(r.IntN(65)-32) / 8
		}
		xr := RatVector(x)
		for i := range n {
			q.Gradient(g, x, i)
			for l, v := range rat.Gradient(xr, i) {
				if f, exact := v.Float64(); !exact || f != g[l] {
					t.Fatalf("component %d: gradient %v, exactly %v", i, g[l], v)
				}
			}
			addScaled(sum, 1, g)
		}
		for l, v := range rat.FullGradient(xr) {
			if v.Cmp(new(big.Rat).Quo(new(big.Rat).SetFloat64(sum[l]),
				big.NewRat(int64(n), 1))) != 0 {
				t.Fatalf("full gradient %v, but the sum of the components is %v", v, sum[l])
			}
		}
		f, _ := rat.Value(xr).Float64()
		near(t, "value", q.Value(x), f, 100, 1e-13)
	}
}

// The rational form of a federated quadratic has the same two levels of means.
func TestRationalFormFederated(t *testing.T) {
	for k := range 20 {
		r := keyed.New(4).At(k).Rand()
		q := DrawQuadratic(randomSource(r), Limits{Data: Range{1, 6}})
		rat, d := q.Rat(), q.Dim()
		x, g := normal(d, r), make([]float64, d)
		xr := RatVector(x)
		scale := 10 * q.Constants(x).L.Value * (1 + norm(x))
		compare := func(what string, want []*big.Rat) {
			w := make([]float64, d)
			for l, v := range want {
				w[l], _ = v.Float64()
			}
			nearVectors(t, what, g, w, scale, 1e-13)
		}
		for i := range q.Clients() {
			q.ClientGradient(g, x, i)
			compare("client", rat.Gradient(xr, i))
			for j := range q.Size(i) {
				q.Gradient(g, x, i, j)
				compare("datum", rat.DatumGradient(xr, i, j))
			}
		}
		q.FullGradient(g, x)
		compare("full", rat.FullGradient(xr))
		f, _ := rat.Value(xr).Float64()
		near(t, "value", q.Value(x), f, scale*(1+norm(x)), 1e-13)
	}
}

// A case small enough to do by hand: two clients in one dimension, the first with two data.
func TestFederatedQuadraticByHand(t *testing.T) {
	q, err := NewQuadratic(1, [][]QuadraticTerm{
		{{A: []float64{1}, B: []float64{1}}, {A: []float64{3}, B: []float64{-3}}}, // mean x² − x
		{{A: []float64{6}, C: 1}}, // 3x² + 1
	}...)
	if err != nil {
		t.Fatal(err)
	}
	// f = 2x² − x/2 + 1/2: minimum at 1/8, value 15/32
	c := q.Constants([]float64{1})
	for _, row := range []struct {
		name      string
		got, want float64
	}{
		{"L", c.L.Value, 6}, {"LMean", c.LMean.Value, 4}, {"Zeta", c.Zeta.Value, 4},
		{"ZetaPrime", c.ZetaPrime().Value, 3},
		{"Mu", c.Mu.Value, 4}, {"Delta", c.Delta.Value, 2 - 15.0/32},
		{"SigmaC", c.SigmaC.Value, 2.5}, {"GC", c.GC.Value, 2.5}, // gradients 1 and 6, mean 3.5
		{"Sigma", c.Sigma.Value, math.Inf(1)},
	} {
		if row.got != row.want && !(math.Abs(row.got-row.want) < 1e-12) {
			t.Errorf("%s = %v, want %v", row.name, row.got, row.want)
		}
	}
	// the deviation of the data of the first client is ±(x−2): at most 2.5 within 0.5 of 0
	s, g := q.NoiseWithin([]float64{0}, 0.5)
	near(t, "σ on a ball", s.Value, 2.5, 1, 1e-12)
	near(t, "G on a ball", g.Value, 2.5, 1, 1e-12)
	flat := q.ByClient().Constants([]float64{1})
	near(t, "L by client", flat.L.Value, 6, 1, 1e-12)
	near(t, "ζ' by client", flat.ZetaPrime().Value, 2, 1, 1e-12)
	near(t, "σ by client", flat.Sigma.Value, 0, 1, 0)
}

// A degenerate mean with a linear term across its kernel has no minimum; along its range it has.
func TestMinimumOfDegenerateMean(t *testing.T) {
	for _, row := range []struct {
		b    []float64
		want float64
	}{{[]float64{2, 0}, -2}, {[]float64{2, 1}, math.Inf(-1)}} {
		q, err := NewQuadratic(2, []QuadraticTerm{{A: []float64{1, 0, 0, 0}, B: row.b}})
		if err != nil {
			t.Fatal(err)
		}
		if low, ok := q.Minimum(); !ok || low != row.want {
			t.Errorf("b = %v: minimum %v, want %v", row.b, low, row.want)
		}
	}
}

// Large sums with shared matrices stay small and quick to certify.
func TestTwoClustersWithManyComponents(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	q, err := Make(OneEach(100_000), QuadraticMean{Spectrum: []float64{1, 0.1, 0.01},
		Between: Heterogeneity{Pattern: TwoCluster, Hessian: 0.5, Linear: 1}}, r)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "ζ", q.Constants(make([]float64, 3)).Zeta.Value, 0.5, 1, 1e-12)
	if p := q.engine.(*composite); len(p.data.mats) != 2 {
		t.Errorf("%d matrices stored, want 2", len(p.data.mats))
	}
}

// Beyond the limit on pairs, ζ is still an upper bound and says that it is not exact.
func TestZetaWithTooManyPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	q, err := Make(OneEach(3000),
		QuadraticMean{Spectrum: []float64{1, 1},
			Between: Heterogeneity{Pattern: RankOne, Hessian: 0.5}}, r)
	if err != nil {
		t.Fatal(err)
	}
	if z := q.Constants(make([]float64, 2)).Zeta; z.Exact || !(z.Value >= 0.2 && z.Value <= 2) {
		t.Errorf("ζ = %+v", z)
	}
}

func TestBadParameters(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	h := func(p Pattern, hess, lin, amp float64) Heterogeneity { return Heterogeneity{p, hess, lin, amp} }
	quad := func(n int, m QuadraticMean) error { _, err := Make(OneEach(n), m, r); return err }
	one := []float64{1}
	for _, row := range []struct {
		err  error
		want string
	}{
		{quad(0, QuadraticMean{Spectrum: one}), "no components or clients"},
		{quad(1, QuadraticMean{}), "dimension 0"},
		{quad(1, QuadraticMean{Spectrum: []float64{math.NaN()}}), "NaN"},
		{quad(1, QuadraticMean{Spectrum: one, Centre: []float64{1, 2}}),
			"centre has length 2, want 1"},
		{quad(2, QuadraticMean{Spectrum: one, Between: h(None, 1, 0, 0)}), "pattern none"},
		{quad(2, QuadraticMean{Spectrum: one, Between: h(Random, -1, 0, 0)}),
			"Hessian distance -1"},
		{quad(2, QuadraticMean{Spectrum: one, Between: h(Random, 1, math.Inf(1), 0)}),
			"linear spread +Inf"},
		{quad(2, QuadraticMean{Spectrum: one, Between: h(Random, 1, 0, 1)}), "amplitude 1"},
		{quad(2, QuadraticMean{Spectrum: one, Ripple: -1}), "width -1"},
		{quad(2, QuadraticMean{Spectrum: one, Between: h(99, 1, 0, 0)}), "unknown pattern 99"},
		{second(Make([]int{1, 0}, QuadraticMean{Spectrum: one}, r)), "client 1 has 0 data"},
		{second(Make(nil, QuadraticMean{Spectrum: one}, r)), "no components or clients"},
		{second(NewQuadratic(2, []QuadraticTerm{{A: one}})),
			"client 0, datum 0: matrix has 1 entries, want 4"},
		{second(NewQuadratic(2, []QuadraticTerm{{A: []float64{1, 2, 3, 4}}})), "not symmetric"},
		{second(NewQuadratic(1, []QuadraticTerm{{B: []float64{math.Inf(1)}}})), "+Inf"},
		{second(NewQuadratic(1)), "no components or clients"},
		{second(Make(OneEach(1), PLMean{Curvature: []float64{0}}, r)),
			"coordinate 0 has curvature 0"},
		{second(Make(OneEach(1), PLMean{Curvature: one, Width: []float64{1, 1}}, r)),
			"2 widths for 1 curvatures"},
		{second(Make(OneEach(1), SaddleMean{}, r)), "curvature 0"},
		{second(Make(OneEach(1), SaddleMean{Gamma: 1, Wells: -1}, r)), "-1 wells"},
		{second(Make(OneEach(1), SaddleMean{Gamma: 1, Confinement: -1}, r)), "confinement -1"},
		{second(Make([]int{1}, SaddleMean{Gamma: 1, Well: 7}, r)), "unknown well 7"},
	} {
		if row.err == nil || !strings.Contains(row.err.Error(), row.want) {
			t.Errorf("error %v, want one with %q", row.err, row.want)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// At the saddle the gradient vanishes, the Hessian has the eigenvalue −γ, and the bottom of the
// well is a minimum.
func TestSaddleGeometry(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for well := range wells {
		m := SaddleMean{Gamma: 0.3, Width: 0.7, Well: well, Confinement: 2, Wells: 2,
			Parabolas: []float64{1, 0.2}, Between: Heterogeneity{Pattern: Random, Hessian: 0.4,
				Amplitude: 0.5}}
		s, err := Make(OneEach(6), m, r)
		if err != nil {
			t.Fatal(err)
		}
		x, g := make([]float64, 4), make([]float64, 4)
		s.FullGradient(g, x)
		near(t, "gradient at the saddle", norm(g), 0, 1, 0)
		near(t, "curvature at the saddle", s.MinEigen(x), -m.Gamma, 1, 1e-15)
		x[0], x[1] = m.Bottom(), -m.Bottom()
		s.FullGradient(g, x)
		near(t, "gradient at the bottom", norm(g), 0, 1, 1e-15)
		low, ok := s.Minimum()
		if near(t, "value at the bottom", s.Value(x), low, 1, 1e-14); !ok {
			t.Error("infimum not known")
		}
		if s.MinEigen(x) <= 0 {
			t.Error("no minimum at the bottom")
		}
	}
}

// The exact smoothness constant of a quadratic is the certified one but for rounding, and no
// smaller number passes for one.
func TestSmoothConstant(t *testing.T) {
	for k := range 100 {
		r := keyed.New(5).At(k).Rand()
		p := DrawQuadratic(randomSource(r),
			Limits{D: Sizes(1, 4), Shapes: []Shape{Convex, Degenerate, Indefinite}})
		L := p.Constants(make([]float64, p.Dim())).LMean.Value
		exact := p.Rat().SmoothConstant(L)
		if f, _ := exact.Float64(); exact.Cmp(new(big.Rat).SetFloat64(L)) < 0 || f > L*(1+1e-12) {
			t.Errorf("certified constant %v, exact %v", L, f)
		}
		func() {
			defer func() { _ = recover() }()
			t.Errorf("%v passes for a smoothness constant beside %v",
				p.Rat().SmoothConstant(L*(1-1e-8)), L)
		}()
	}
}

// drawIntegerQuadratic draws a finite sum of quadratics whose coefficients are integers between -4
// and 4, with even diagonals and with a mean that may be indefinite. Arithmetic on them is exact in
// float64 as long as the points are dyadic and the numbers stay moderate, and cheap in
// [RatQuadratic].
func drawIntegerQuadratic(src *props.Source, l ...Limits) FiniteSum {
	lim := limits(l)
	n, d := len(lim.drawSizes(src)), lim.drawDim(src)
	r := src.Rand("coefficients")
	terms := make([]QuadraticTerm, n)
	for i := range terms {
		t := &terms[i]
		t.A, t.B, t.C = make([]float64, d*d), make([]float64, d), float64(r.IntN(9)-4)
		for k := range d {
			for m := range k {
				t.A[k*d+m] = float64(r.IntN(9) - 4)
				t.A[m*d+k] = t.A[k*d+m]
			}
			t.A[k*d+k] = float64(2 * (r.IntN(5) - 2))
			t.B[k] = float64(r.IntN(9) - 4)
		}
	}
	return props.Must(NewQuadratic(d, EachAlone(terms)...)).ByClient()
}
