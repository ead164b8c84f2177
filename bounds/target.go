package bounds

import (
	"math"

	"sledge/algos"
	"sledge/bounds/operating"
	"sledge/props"
)

// This file holds the searches of the first-order theorems and of those under the PL condition, for
// a point with a small gradient or a small value. For each of them there is a scene in which runs
// take a third of its sharp horizon or more: a ramp of slope ε for the gradient norms, on which a
// step gains nearly ηε², half of what the bounds count with; and a valley along the weakest direction
// for the PL condition, where a step of gradient descent shrinks f − f* by (1 − ημ)², and the bounds
// count with 1 − ημ.

// use says from where instances on terrains are drawn on which runs take much of the steps, or
// rounds, that a theorem allows.
type use struct {
	least, most float64 // ζ, where the largest mean curvature is about 1
	spread      float64 // largest σ_c over the scale of gradients
	T           int     // most steps, or rounds, where they are drawn
}

// clientsOfUse are those of FLEDGE, each of which has some data that differ a little.
var clientsOfUse = use{least: 0.1, most: 2, spread: 0.1, T: 500}

const dataOfUse = 8

// draw draws an instance for a method and the probability with which its runs may fail; shape gives
// it a terrain with gradients of the given scale.
func (l use) draw(src *props.Source, s *searches) (in *instance, nu float64,
	shape func(shapes []operating.Shape, start []float64, scale float64)) {
	in = &instance{tuning: tuning{option: s.option()}}
	data := 0.0
	if s.federated() {
		in.P, in.d, in.K = 4*src.Int("P/4", 2, 6), src.Int("d", 8, 12), src.Int("K", 2, 4)
		in.b, in.p = src.Int("b", 1, dataOfUse), src.Int("p", (in.P+3)/4, in.P-1)
		data, nu = src.LogReal("σ over scale", 1e-4, 1e-2), drawTenth(src, "nu", 1)
	} else {
		in.P, in.d = 4*src.Int("n/4", 4, 12), src.Int("d", 8, 16)
		in.b, nu = src.Int("b", 1, in.P-1), drawNu(src, "nu", 1)
	}
	zeta, spread := src.LogReal("ζ", l.least, l.most), src.LogReal("σ_c over scale", 1e-3, l.spread)
	key := src.Key("directions")
	return in, nu, func(shapes []operating.Shape, start []float64, scale float64) {
		site := operating.Site{Shapes: shapes, Start: start, Clients: in.P,
			Between: operating.Deviations{Zeta: zeta, Linear: spread * scale}}
		if s.federated() {
			site.Data, site.Within.Linear = dataOfUse, data*scale
		}
		p := operating.New(site, key)
		in.set(ofClients(p), p.X0())
	}
}

// sought is the search of runs on an instance, which may fail with probability ν, for a point where
// ‖∇f‖, or what else is looked at, is at most ε.
func (in *instance) sought(nu, eps float64, of func(*algos.Monitor, []float64) float64) *quest {
	on := in.values(in.literalC1(nu))
	on["Δ"], on["μ"], on["η"], on["ε"], on["ν"] = in.Delta.Value, in.Mu.Value, in.eta, eps, nu
	on["κ"] = spreadOf(in.P, in.sampled())
	return &quest{K: in.K, fail: nu, values: on, problem: in.problem.Problem,
		regime: in.sampling(in.P, in.d, in.Zeta.Value).And(props.Min("d", in.d, 8),
			props.Condition{What: "x⁰ is none", Met: of(algos.NewMonitor(in.problem.Problem),
				in.x0) > eps}),
		start: func(t props.Trial) (algos.Method, []float64, algos.Randomness) {
			made := *in
			made.r = radius(t, in.r)
			return made.method(), in.x0, algos.Keyed(t.Key)
		},
		found: arriving(func(run algos.Problem) func([]float64) bool {
			monitor := algos.NewMonitor(run)
			return func(x []float64) bool { return of(monitor, x) <= eps }
		})}
}

// downSlope draws the search for ‖∇f‖ ≤ ε on a slope in at least eight dimensions that is so steep
// that ‖∇f‖ > ε all the way down, as [operating.Downhill] makes it, and so long that the bound is a
// drawn number of steps, or rounds; tune sets step size and noise.
func downSlope(l use, slope func(eps, height, bend float64, d int) ([]operating.Shape, []float64),
	tune func(in *instance, nu, eps, noise float64)) func(src *props.Source, s *searches) *quest {
	return func(src *props.Source, s *searches) (q *quest) {
		from := l
		if s.federated() {
			from = clientsOfUse
		}
		in, nu, shape := from.draw(src, s)
		in.T = src.LogInt("T", 50, from.T)
		noise, eps := src.Real("r / (ηε/2)", 0, 1), 1/operating.Steady
		for range 30 {
			shapes, start := slope(eps, 1, 0.75, in.d)
			shape(shapes, start, eps)
			tune(in, nu, eps, noise)
			q = in.sought(nu, eps, (*algos.Monitor).GradientNorm)
			eps *= math.Sqrt(max(1, s.bound.At(q.values)) / float64(in.T))
		}
		return q
	}
}

// inExpectation sets the step size of the bounds in expectation, and literally that of
// theorem:First-Main with all constants.
func inExpectation(in *instance, _, _, _ float64) { in.eta = in.expected().StepSize() }

func literally(in *instance, nu, eps, noise float64) {
	in.eta = algos.SLEDGETheory{N: in.P, B: in.b, C1: in.literalC1(nu), L: in.L.Value,
		Zeta: in.Zeta.Value}.FirstStep(algos.SLEDGEStepPower)
	in.r = in.eta * eps / 2 * noise
}

// alongValley draws the search for f − f* ≤ ε in a valley with curvature μ ≪ 1 along the first
// coordinate and 1 along the others.
func alongValley(src *props.Source, s *searches) *quest {
	steepest, least := 20.0, 1e-3
	if s.federated() {
		steepest, least = 40, 1e-2
	}
	in, nu, shape := clientsOfUse.draw(src, s)
	shapes, start := operating.Along(
		operating.Parabola(1/src.LogReal("L/μ", steepest/4, steepest)), 1, 1, in.d)
	shape(shapes, start, 0.1)
	e := in.expected()
	if in.eta = e.PLStepSize(in.Mu.Value); !s.federated() {
		in.eta = ExpectedPLStep(in.L.Value, in.Mu.Value, in.Zeta.Value, in.P, in.b)
	}
	eps := in.Delta.Value*src.LogReal("ε/Δ", least, 1e-1) + e.PLFloor(in.eta, in.Mu.Value, 0)
	return in.sought(nu, eps, (*algos.Monitor).Value)
}

// kinked is left·u²/2 for u < 0 and right·u²/2 for u > 0: a function without Hessian Lipschitz
// constant.
func kinked(left, right float64) operating.Shape {
	curvature := func(u float64) float64 {
		if u < 0 {
			return left
		}
		return right
	}
	return operating.Shape{
		Value: func(u float64) float64 { return curvature(u) * u * u / 2 },
		Slope: func(u float64) float64 { return curvature(u) * u },
		Bend:  curvature,
		Low:   min(left, right), High: max(left, right), Third: math.Inf(1), Mu: min(left, right),
	}
}

// onKinks draws a terrain of such functions and the parameters of theorem:D-PL. A local minibatch
// of all data of a client is as good as one of any size.
func onKinks(src *props.Source, s *searches) *quest {
	in, nu, shape := clientsOfUse.draw(src, s)
	left, right := 1.0, src.LogReal("right curvature", 0.1, 1)
	if src.Bool("mirrored") {
		left, right = right, left
	}
	shapes, start, r := make([]operating.Shape, in.d), make([]float64, in.d), src.Rand("start")
	for k := range shapes {
		shapes[k], start[k] = kinked(left, right), r.NormFloat64()
	}
	shape(shapes, start, 1)
	theory := algos.FLEDGETheory{C1: 1, L: in.L.Value, Mu: in.Mu.Value, Zeta: in.Zeta.Value,
		Data: in.L.Value, P: float64(in.P), Chosen: float64(in.p), K: float64(in.K),
		B: float64(in.b)}
	if in.b == dataOfUse {
		theory.B = 1e12
	}
	in.eta = theory.PLStep(algos.FLEDGEPLFactor)
	PKb := theory.P * theory.K * theory.B
	eps := max(algos.NewMonitor(in.problem.Problem).GradientNorm(in.x0)*
		src.LogReal("ε/‖∇f(x⁰)‖", 1e-2, 0.9),
		in.Sigma.Value*math.Sqrt(1024/PKb), in.G.Value*128/PKb)
	in.r = in.eta * eps / 8 * src.Real("r over its bound", 0, 1)
	q := in.sought(nu, eps, (*algos.Monitor).GradientNorm)
	if s.bound.At(q.values)*float64(in.K) > 15000 {
		return nil // too long
	}
	return q
}
