package tables

import (
	"cmp"
	"math"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/bounds"
	"sledge/bounds/operating"
	"sledge/props"
	"sledge/props/keyed"
)

// against is a bound beside runs at the sizes that users have: what is measured over what the sharp form of the bound
// allows, along an abscissa. The share that suffices must not grow.
type against struct {
	id, variable, what string
	x, large           []float64
	share              func(key keyed.Key, x float64) float64 // measured over the sharp form
	beside             []props.Beside                         // other forms, over the sharp one
	margin, effort     float64                                // 0 stands for largeMargin and 1
}

// failing is the ν for which literal constants are taken.
const failing = 0.05

func (a *against) trial(x []float64) props.SlopeTrial {
	t := props.SlopeTrial{XLabel: a.variable, YLabel: a.what + "/sharp form", X: x, Of: props.OfMedian,
		Margin: cmp.Or(a.margin, largeMargin),
		Law:    func(float64) float64 { return 1 }, Beside: a.beside,
		Regime: props.Where(props.Sweep(a.variable, x), props.Min("d", dimension, 2)),
		Run:    func(t props.Trial, x float64) float64 { return a.share(t.Key, x) }}
	t.Beside = append([]props.Beside{{Name: "sharp form", Run: func(props.Trial, float64) float64 { return 1 }}},
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
	}).Effort(cmp.Or(a.effort, 1)))
}

// runs are those of SLEDGE with Option II on a slide, with the step size of its theorem in expectation.
type runs struct {
	n, b      int
	zeta, eps float64
}

func (r runs) start(key keyed.Key) (m *algos.SLEDGE, p *operating.Terrain) {
	s := scene{clients: r.n, zeta: r.zeta, sigmaC: 0.1, eps: r.eps, federated: true}
	f, x0, _ := s.site(key)
	p = f.(*operating.Terrain)
	m = &algos.SLEDGE{Eta: r.step(), Batch: r.b}
	if err := m.Start(algos.NewOracle(algos.Sum(operating.Components{Terrain: p})), x0, algos.Keyed(key)); err != nil {
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

// variance is the largest ‖v^t − ∇f(x^t)‖² of a run over (ζ²/b) Σ_{s≤t} ‖x^s − x^{s−1}‖²: the constant that would do in
// the place of the lemma's 15C_1⁸.
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

// literal is the lemma's constant, 15C_1⁸, and coverage nC_1, which holds on every run that visits all components.
func (r runs) literal() float64  { return 15 * math.Pow(r.c1(), 8) }
func (r runs) coverage() float64 { return float64(r.n) * r.c1() }

// reaching is how many steps a run makes until the mean of ‖∇f‖² is ε², over the bound of the theorem in expectation,
// 4Δ/(ηε²), with Δ = f(x⁰).
func (r runs) reaching(key keyed.Key) float64 {
	m, p := r.start(key)
	return shareOf(4*p.Value(p.X0())/(m.Eta*r.eps*r.eps), m, p.OnAverage(r.eps))
}

// shareOf is how many steps or rounds a started method makes until it has arrived, over a bound on them.
func shareOf(bound float64, m algos.Method, arrived operating.Goal) float64 {
	steps := 0.0
	for !arrived(m.Point()) && steps < overrun*bound {
		m.Step()
		steps++
	}
	return max(1, steps) / bound
}

// overrun is how many times a bound a run may take.
const overrun = 10

// longer is by how much the step size of the printed theorem, with its logarithms, is smaller than that of [runs].
func (r runs) longer() float64 {
	return r.step() / bounds.StepSize(smooth, r.zeta, r.n, r.b, r.c1())
}

// descending is how many steps a run of SLEDGE under the PL condition makes to a gap of ε, over (1/(ημ)) log(3Δ/(2ε)).
func descending(n int, mu float64, key keyed.Key) float64 {
	const gap = 1e-3
	b := algos.RootBatch(n)
	s := scene{clients: n, zeta: 1, sigmaC: 0.1, mu: mu, gap: gap}
	problem, x0, arrived := s.site(key)
	m := &algos.SLEDGE{Eta: bounds.ExpectedPLStep(smooth, mu, 1, n, b), Batch: b}
	if err := m.Start(algos.NewOracle(problem), x0, algos.Keyed(key)); err != nil {
		panic(err) // settings of this package are valid
	}
	f, _ := algos.As[algos.Valuer](problem)
	return shareOf(math.Log(1.5*f.Value(x0)/gap)/(m.Eta*mu), m, arrived)
}

// meeting is how many rounds FLEDGE makes, with the step size of its theorem with C_1 = 1, over 4Δ/(ηKε²).
func meeting(P, K int, key keyed.Key) float64 {
	const eps = 0.1
	p := int(math.Sqrt(float64(P)))
	s := scene{clients: P, zeta: 0.5, sigmaC: 0.1, eps: eps, federated: true}
	problem, x0, arrived := s.site(key)
	m := fledge(P, p, K, 0.5)
	if err := m.Start(algos.NewOracle(problem), x0, algos.Keyed(key)); err != nil {
		panic(err) // settings of this package are valid
	}
	f, _ := algos.As[algos.Valuer](problem)
	return shareOf(4*f.Value(x0)/(m.Eta*float64(K)*eps*eps), m, arrived)
}

// escaping is how many steps SLEDGE takes from a strict saddle with n components to a second-order stationary point,
// over log(1/δ)/(ηδ).
func escaping(n int, delta float64, key keyed.Key) float64 {
	p := pass(n, delta, delta, 0, key)
	m, eta := noisySledge(algos.OptionII)(n, delta*delta, delta)
	arrived, steps := p.SecondOrder(delta*delta, delta), 0
	follow(m, p, false, key, overrun*escape(eta, delta), func(step int, x []float64) bool {
		steps = step
		return arrived(x)
	})
	return float64(max(1, steps)) / escape(eta, delta)
}

func againstClaims() []props.Binding {
	root := func(n float64) runs { return runs{n: fourfold(n), b: algos.RootBatch(fourfold(n)), zeta: 1, eps: 0.1} }
	batch := func(b float64) runs { return runs{n: 1024, b: int(b), zeta: 1, eps: 0.1} }
	alike := func(x float64) runs { return runs{n: 1024, b: 32, zeta: 1 / x, eps: 0.1} }
	forms := func(of func(x float64) runs) []props.Beside {
		return []props.Beside{
			{Name: "printed, 15C₁⁸", Run: func(_ props.Trial, x float64) float64 { r := of(x); return r.literal() }},
			{Name: "by coverage, C₁n", Run: func(_ props.Trial, x float64) float64 { r := of(x); return r.coverage() }},
		}
	}
	variance := func(id, variable string, x, large []float64, of func(x float64) runs) against {
		return against{id: id, variable: variable, what: "squared error", x: x, large: large, beside: forms(of),
			margin: margin, effort: 4,
			share: func(key keyed.Key, x float64) float64 { r := of(x); return r.variance(key) }}
	}
	printed := func(of func(x float64) runs) []props.Beside {
		return []props.Beside{{Name: "printed, with its logarithms", Run: func(_ props.Trial, x float64) float64 {
			r := of(x)
			return r.longer()
		}}}
	}
	components := []float64{64, 256, 1024, 2304}
	many, fewer := []float64{1000, 5000, 25000, 100000}, []float64{1000, 4000, 16000, 64000}
	out := []props.Binding{
		variance("variance-n", "n", components, many, root).bind(),
		variance("variance-b", "b", []float64{4, 12, 40, 128}, nil, batch).bind(),
		variance("variance-zeta", "1/ζ", geometric(1, decade, 4), nil, alike).bind(),
		against{id: "first-main-n", variable: "n", what: "steps", x: components, large: fewer, beside: printed(root),
			share: func(key keyed.Key, x float64) float64 { r := root(x); return r.reaching(key) }}.bind(),
		against{id: "first-main-zeta", variable: "1/ζ", what: "steps", x: geometric(1, decade, 4), beside: printed(alike),
			share: func(key keyed.Key, x float64) float64 { r := alike(x); return r.reaching(key) }}.bind(),
		against{id: "pl-main-n", variable: "n", what: "steps", x: components, large: fewer,
			share: func(key keyed.Key, x float64) float64 { return descending(fourfold(x), 1.0/32, key) }}.bind(),
		against{id: "dist-first-main-clients", variable: "P", what: "rounds", x: []float64{16, 52, 160, 512},
			large: []float64{256, 1024, 4096, 10000},
			share: func(key keyed.Key, x float64) float64 { return meeting(fourfold(x), 4, key) }}.bind(),
		against{id: "escape-delta", variable: "1/δ", what: "steps", x: geometric(5, decade, 4),
			share: func(key keyed.Key, x float64) float64 { return escaping(1024, 1/x, key) }}.bind(),
	}
	return out
}
