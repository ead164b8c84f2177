package tables

import (
	"cmp"
	"math"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/bounds/operating"
	"sledge/props"
	"sledge/props/keyed"
)

// against is a bound beside runs at the sizes that users have: what is measured over what the sharp
// form of the bound allows, along an abscissa. The share that suffices must not grow.
type against struct {
	id, variable, what string
	x, large           []float64
	share              func(key keyed.Key, x float64) float64 // measured over the sharp form
	beside             []props.Beside                         // other forms, over the sharp one
	margin             float64                                // 0 stands for largeMargin
}

// failing is the ν for which literal constants are taken.
const failing = 0.05

func (a *against) trial(x []float64) props.SlopeTrial {
	t := props.SlopeTrial{XLabel: a.variable, YLabel: a.what + "/sharp form", X: x,
		Of: props.OfMedian, Margin: cmp.Or(a.margin, largeMargin),
		Law: func(float64) float64 { return 1 }, Beside: a.beside,
		Regime: props.Where(props.Sweep(a.variable, x), props.Min("d", dimension, 2)),
		Run:    func(t props.Trial, x float64) float64 { return a.share(t.Key, x) }}
	t.Beside = append([]props.Beside{
		{Name: "sharp form", Run: func(props.Trial, float64) float64 { return 1 }}},
		t.Beside...)
	return t
}

// bind makes the claim.
func (a against) bind() props.Binding {
	return props.Bind("against/"+a.id, props.Slope(func(*props.Source) props.SlopeTrial {
		t := a.trial(a.x)
		if a.large != nil {
			t.Large = func() props.SlopeTrial { return a.trial(a.large) }
		}
		return t
	}))
}

// runs are those of SLEDGE with Option II on a slide, with the step size of its theorem in
// expectation.
type runs struct {
	n, b      int
	zeta, eps float64
}

func (r runs) start(key keyed.Key) (m *algos.SLEDGE, p *operating.Terrain) {
	s := scene{clients: r.n, zeta: r.zeta, sigmaC: 0.1, eps: r.eps, federated: true}
	f, x0, _ := s.site(key)
	p = f.(*operating.Terrain)
	m = &algos.SLEDGE{Eta: r.step(), Batch: r.b}
	if err := m.Start(algos.NewOracle(algos.Sum(operating.Components{Terrain: p})), x0,
		algos.Keyed(key)); err != nil {
		panic(err) // settings of this package are valid
	}
	return m, p
}

// smooth is an L of all scenes, that of ζ = 1.
const smooth = bend + 0.5

// step is min{1/(2L), b/(3ζ√n)}, that of the theorem in expectation up to a few per cent.
func (r runs) step() float64 {
	return min(1/(2*smooth), float64(r.b)/(3*r.zeta*math.Sqrt(float64(r.n))))
}

// periods is how many times the components are visited in a run.
const periods = 6

func (r runs) steps() int { return periods * r.n / r.b }

// variance is the largest ‖v^t − ∇f(x^t)‖² of a run over (ζ²/b) Σ_{s≤t} ‖x^s − x^{s−1}‖²: the
// constant that would do in the place of the lemma's 15C_1⁸.
func (r runs) variance(key keyed.Key) float64 {
	m, p := r.start(key)
	before, g := append([]float64(nil), m.Point()...), make([]float64, p.Dim())
	moved, worst := 0.0, 0.0
	for range r.steps() {
		m.Step()
		d := floats.Distance(m.Point(), before, 2)
		moved += d * d
		copy(before, m.Point())
		p.FullGradient(g, m.Point())
		e := floats.Distance(m.Estimator(), g, 2)
		worst = max(worst, e*e*float64(r.b)/(r.zeta*r.zeta*moved))
	}
	return worst
}

// c1 is log(nT/ν).
func (r runs) c1() float64 { return math.Log(float64(r.n) * float64(r.steps()) / failing) }

// literal is the lemma's constant, 15C_1⁸, and coverage nC_1, which holds on every run that visits
// all components.
func (r runs) literal() float64  { return 15 * math.Pow(r.c1(), 8) }
func (r runs) coverage() float64 { return float64(r.n) * r.c1() }

func againstClaims() []props.Binding {
	root := func(n float64) runs {
		return runs{n: fourfold(n), b: algos.RootBatch(fourfold(n)), zeta: 1, eps: 0.1}
	}
	batch := func(b float64) runs { return runs{n: 1024, b: int(b), zeta: 1, eps: 0.1} }
	alike := func(x float64) runs { return runs{n: 1024, b: 32, zeta: 1 / x, eps: 0.1} }
	forms := func(of func(x float64) runs) []props.Beside {
		return []props.Beside{
			{Name: "printed, 15C₁⁸", Run: func(_ props.Trial, x float64) float64 {
				r := of(x)
				return r.literal()
			}},
			{Name: "by coverage, C₁n", Run: func(_ props.Trial, x float64) float64 {
				r := of(x)
				return r.coverage()
			}},
		}
	}
	variance := func(id, variable string, x, large []float64, of func(x float64) runs) against {
		return against{id: id, variable: variable, what: "squared error", x: x, large: large,
			beside: forms(of), margin: margin,
			share: func(key keyed.Key, x float64) float64 { r := of(x); return r.variance(key) }}
	}
	components := []float64{64, 256, 1024, 2304}
	many := []float64{1000, 5000, 25000, 100000}
	out := []props.Binding{
		variance("variance-n", "n", components, many, root).bind(),
		variance("variance-b", "b", []float64{4, 12, 40, 128}, nil, batch).bind(),
		variance("variance-zeta", "1/ζ", geometric(1, decade, 4), nil, alike).bind(),
	}
	return out
}
