package problems

import (
	"math"
	"math/rand/v2"
	"testing"

	"sledge/algos"
	"sledge/props"
)

// descent returns the iterates of a few steps of gradient descent with noise.
func descent(p anyProblem, x0 []float64, eta float64, steps int, r *rand.Rand) [][]float64 {
	x, g := append([]float64(nil), x0...), make([]float64, len(x0))
	var points [][]float64
	for range steps {
		points = append(points, append([]float64(nil), x...))
		p.FullGradient(g, x)
		addScaled(x, -eta, g)
		addScaled(x, 0.01, normal(len(x), r))
	}
	return points
}

func audit(p anyProblem, x0 []float64, points [][]float64) []Audited {
	if q, ok := p.(CertifiedFederated); ok {
		return AuditFederated(q, x0, points)
	}
	return Audit(p.(Certified), x0, points)
}

// No certificate is contradicted along descents, and the audit comes close to the constants of
// quadratics that it can see.
func TestAuditFindsNothing(t *testing.T) {
	eachInstance(t, 15, func(t *testing.T, f family, p anyProblem, r *rand.Rand) {
		x0 := f.point(p.Dim(), r)
		list := audit(p, x0, descent(p, x0, 0.5/p.Constants(x0).L.Value, 10, r))
		names := map[string]bool{}
		for _, a := range list {
			names[a.Name] = true
			if !(a.Ratio <= 1) || a.Where == "" {
				t.Errorf("%s: seen %v, certified %+v, ratio %v at %s", a.Name, a.Seen, a.Certified,
					a.Ratio, a.Where)
			}
		}
		want := []string{"L", "L_f", "ζ", "ζ'", "σ_c", "G_c"}
		if _, ok := p.(algos.Problem); ok {
			want = append(want, "σ", "G")
		}
		for _, name := range want {
			if !names[name] {
				t.Errorf("%s was not audited", name)
			}
		}
		if q, ok := p.raw().(*composite); ok && q.core == nil {
			for _, a := range list {
				if (a.Name == "L" || a.Name == "ζ") && a.Certified.Value > 1e-3 &&
					a.Ratio < 0.7 {
					t.Errorf("%s: seen only %v of %v", a.Name, a.Seen, a.Certified.Value)
				}
			}
		}
	})
}

// liar states constants that are too small by a given factor (μ too large).
type liar struct {
	Certified
	name   string
	factor float64
}

func (l liar) Constants(x0 []float64) Constants {
	c := l.Certified.Constants(x0)
	prime := c.ZetaPrime()
	c.ZetaPrime = func() Constant { return prime }
	for name, v := range map[string]*Constant{"L": &c.L, "L_f": &c.LMean, "ζ": &c.Zeta,
		"ζ'": &prime, "ρ": &c.Rho,
		"μ": &c.Mu, "Δ": &c.Delta, "σ_c": &c.SigmaC, "G_c": &c.GC} {
		if name == l.name {
			v.Value *= l.factor
		}
	}
	return c
}

func (l liar) ComponentHessianVector(dst, x, u []float64, i int) {
	l.Certified.(algos.ComponentHessianer).ComponentHessianVector(dst, x, u, i)
}

// unsaid states no ζ'.
type unsaid struct{ liar }

func (u unsaid) Constants(x0 []float64) Constants {
	c := u.liar.Constants(x0)
	c.ZetaPrime = nil
	return c
}

// Every constant that is wrong is caught, and one that is not stated as if it were 0.
func TestAuditCatchesLies(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	q := props.Must(Make(OneEach(5), PLMean{Curvature: []float64{1, 0.5},
		Between: Heterogeneity{Pattern: Random, Hessian: 1, Linear: 1, Amplitude: 0.5}}, r))
	x0 := []float64{2.2, 1}
	points := descent(q, x0, 0.02, 40, r)
	points = append(points, []float64{0, 2.2}, []float64{math.Pi / 4, 0},
		[]float64{math.Pi/4 + 0.01, 0}, []float64{math.Pi / 2, math.Pi / 2})
	for name, factor := range map[string]float64{"L": 0.8, "L_f": 0.8, "ζ": 0.8,
		"ζ'": 0.8, "ρ": 0.8,
		"μ": 1.25, "Δ": 0.8, "σ_c": 0.99, "G_c": 0.99} {
		worst := WorstAudited(Audit(liar{Certified: q.ByClient(), name: name, factor: factor},
			x0, points))
		if worst.Name != name || !(worst.Ratio > 1) {
			t.Errorf("%s times %v: not caught, the worst is %+v", name, factor, worst)
		}
	}
	worst := WorstAudited(Audit(unsaid{liar{Certified: q.ByClient()}}, x0, points))
	if worst.Name != "ζ'" || !(worst.Ratio > 1) {
		t.Errorf("a ζ' that is not stated: not caught, the worst is %+v", worst)
	}
}

// federatedLiar understates the noise of data gradients.
type federatedLiar struct{ CertifiedFederated }

func (l federatedLiar) Constants(x0 []float64) Constants {
	c := l.CertifiedFederated.Constants(x0)
	c.Sigma.Value *= 0.99
	return c
}

func TestAuditCatchesUnderstatedNoise(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	q := props.Must(Make([]int{2, 3},
		QuadraticMean{Spectrum: []float64{1, 2}, Within: Heterogeneity{Linear: 1}}, r))
	x0 := []float64{1, 1}
	if worst := WorstAudited(AuditFederated(federatedLiar{q}, x0,
		[][]float64{{0, 0}, {1, 0}})); worst.Name != "σ" || !(worst.Ratio > 1) {
		t.Errorf("not caught, the worst is %+v", worst)
	}
	if worst := WorstAudited(AuditFederated(q, x0, [][]float64{{0, 0}, {1, 0}})); worst.Ratio > 1 {
		t.Errorf("honest problem: %+v", worst)
	}
}

// Gradients of a client's data that cancel in their mean leave rounding behind, which contradicts
// nothing.
func TestAuditAllowsForCancellation(t *testing.T) {
	for seed := range uint64(20) {
		q := props.Must(Make([]int{5, 3}, QuadraticMean{Spectrum: []float64{1, 2, 3},
			Within: Heterogeneity{Linear: 1}}, rand.New(rand.NewPCG(seed, 1))))
		x0 := []float64{0, 0, 0}
		if worst := WorstAudited(AuditFederated(q, x0,
			[][]float64{x0, {1, 0, 0}})); worst.Ratio > 1 {
			t.Errorf("seed %d: %+v", seed, worst)
		}
	}
}

// Squares of gradients that underflow contradict nothing.
func TestAuditAllowsForUnderflow(t *testing.T) {
	q := props.Must(Make(OneEach(1), PLMean{Curvature: []float64{1e-3}},
		rand.New(rand.NewPCG(1, 2))))
	for x := 1e-150; x > 1e-170; x *= 0.7 {
		x0 := []float64{x}
		if worst := WorstAudited(Audit(q.ByClient(), x0, [][]float64{x0})); worst.Ratio > 1 {
			t.Fatalf("%g: %+v", x, worst)
		}
	}
}

// A constant and what is seen of it say nothing where both are rounding errors of the terms; where
// one of them is more, they do.
func TestAuditOfRounding(t *testing.T) {
	for _, test := range []struct{ certified, seen, ratio float64 }{
		{3e-16, 1e-16, 0}, {0, 1e-16, 0}, {1e-16, 1e-5, 1e11}, {1e-5, 1e-16, 1e-11}, {1, 1.5, 1.5},
		{1, 1 + 1e-10, 1},
	} {
		a := newAuditor(nil, nil, 1, Constants{})
		a.upper("σ_c", Constant{Value: test.certified}, test.seen, 1,
			func() string { return "x0" })
		if got := a.seen["σ_c"].Ratio; math.Abs(got-test.ratio) > 1e-9*test.ratio {
			t.Errorf("seen %v of %v: ratio %v, want %v", test.seen, test.certified, got, test.ratio)
		}
	}
}
