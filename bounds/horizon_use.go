package bounds

import (
	"math"
	"sort"

	"sledge/algos"
	"sledge/bounds/operating"
	"sledge/props"
)

// This file has a scene for each first-order theorem in which runs take a third of its sharp
// horizon or more: a ramp of slope ε for the gradient norms, on which a step gains nearly ηε², half
// of what the bounds count with; and a valley along the weakest direction for the PL condition,
// where a step of gradient descent shrinks f − f* by (1 − ημ)², and the bounds count with 1 − ημ.

// valley returns shapes with curvature μ along the first coordinate and 1 along the others, and a
// start in it.
func valley(mu float64, d int) (shapes []operating.Shape, start []float64) {
	for shapes = []operating.Shape{operating.Parabola(mu)}; len(shapes) < d; {
		shapes = append(shapes, operating.Parabola(1))
	}
	start = make([]float64, d)
	start[0] = 1
	return shapes, start
}

// alongValley asks for f − f* ≤ ε within log((Δ + start)/ε)/(ημ) steps of SLEDGE.
func alongValley(src *props.Source) props.HittingTrial {
	n, dim := 4*src.Int("n/4", 4, 12), src.Int("d", 8, 16)
	in := &instance{tuning: tuning{b: src.Int("b", 1, n-1),
		option: algos.Option(src.Pick("option", "II", "I"))}}
	shapes, start := valley(1/src.LogReal("L/μ", 5, 20), dim)
	between := operating.Deviations{Zeta: src.LogReal("ζ", 0.1, 2),
		Linear: src.LogReal("σ_c", 1e-4, 1e-2)}
	p := operating.New(operating.Site{Shapes: shapes, Start: start, Clients: n, Between: between},
		src.Key("directions"))
	in.set(ofSum(operating.Components{Terrain: p}), p.X0())
	in.eta = ExpectedPLStep(in.L.Value, in.Mu.Value, in.Zeta.Value, n, in.b)
	eps, fail := in.Delta.Value*src.LogReal("ε/Δ", 1e-3, 1e-1), drawNu(src, "nu", 1)
	bound := in.Delta.Value + in.expected().PLStart(in.eta)
	T := int(math.Ceil(math.Log(bound/eps) / (in.eta * in.Mu.Value)))
	in.T = T + 1
	regime := withErrors(sumRegime(n, in.b, dim, in.Zeta.Value).And(longEnough(T),
		props.Allowed(fail)))
	return props.HittingTrial{Horizon: T, Delta: fail, Regime: regime,
		Run: func(t props.Trial) (int, bool) { return in.meetsGap(t, eps) }}
}

// meetsGap is meets for the event that f − f* ≤ ε, on a terrain.
func (in *instance) meetsGap(t props.Trial, eps float64) (int, bool) {
	return in.meets(t, func(mon *algos.Monitor, x []float64) bool { return mon.Value(x) <= eps })
}

// dataOfUse is how many data a client of such a scene has.
const dataOfUse = 8

// drawUse draws a federated terrain of P clients with data that differ a little, and parameters of
// FLEDGE.
func drawUse(src *props.Source) (in *instance,
	shape func(shapes []operating.Shape, start []float64, spread float64)) {
	in = &instance{P: 4 * src.Int("P/4", 2, 6), tuning: tuning{K: src.Int("K", 2, 4),
		b: src.Int("b", 1, dataOfUse)}}
	in.d, in.option = src.Int("d", 8, 12), algos.Option(src.Pick("option", "II", "I"))
	in.p = src.Int("p", (in.P+3)/4, in.P-1)
	zeta, linear := src.LogReal("ζ", 0.1, 2), src.LogReal("σ_c over scale", 1e-3, 1e-1)
	data, key := src.LogReal("σ over scale", 1e-4, 1e-2), src.Key("directions")
	return in, func(shapes []operating.Shape, start []float64, scale float64) {
		p := operating.New(operating.Site{Shapes: shapes, Start: start, Clients: in.P,
			Data:    dataOfUse,
			Between: operating.Deviations{Zeta: zeta, Linear: linear * scale},
			Within:  operating.Deviations{Linear: data * scale}}, key)
		in.set(ofClients(p), p.X0())
	}
}

// useRegime is where rounds have content.
func (in *instance) useRegime(rounds int, fail float64) props.Regime {
	return withErrors(clientsRegime(in.P, in.p, in.K, in.d, in.Zeta.Value).And(longEnough(rounds),
		props.Allowed(fail)))
}

// roundsOnRamp asks for ‖∇f‖ ≤ ε within the rounds after which the mean of ‖∇f‖² is at most ε².
func roundsOnRamp(src *props.Source) props.HittingTrial {
	in, shape := drawUse(src)
	in.T = src.LogInt("T", 50, 500)
	fail := drawTenth(src, "nu", 1)
	eps := 1 / operating.Steep
	for range 30 { // first to learn what accuracy is promised
		shapes, start := operating.Ramp(eps, 1, 0.75, in.d)
		shape(shapes, start, eps)
		eps = math.Sqrt(in.roundsInExpectation())
	}
	return props.HittingTrial{Horizon: in.T - 1, Delta: fail, Regime: in.useRegime(in.T, fail),
		Run: func(t props.Trial) (int, bool) { return in.meetsGradient(t, eps) }}
}

// roundsAlongValley asks for f − f* ≤ ε within the rounds after which its mean is at most ε.
func roundsAlongValley(src *props.Source) props.HittingTrial {
	in, shape := drawUse(src)
	shapes, start := valley(1/src.LogReal("L/μ", 10, 40), in.d)
	shape(shapes, start, 0.1)
	share, fail := src.LogReal("ε/Δ", 1e-2, 1e-1), drawTenth(src, "nu", 1)
	in.eta = in.expected().PLStepSize(in.Mu.Value)
	const most = 5000
	eps := share*in.Delta.Value + in.expectedRoundsGap(math.MaxInt32)
	in.T = 1 + sort.Search(most-1, func(t int) bool { return in.expectedRoundsGap(1+t) <= eps })
	return props.HittingTrial{Horizon: in.T - 1, Delta: fail, Regime: in.useRegime(in.T, fail),
		Run: func(t props.Trial) (int, bool) { return in.meetsGap(t, eps) }}
}

func horizonUseClaims() []props.Binding {
	return []props.Binding{
		// the horizon of first-main-reaches-target/without-markov on a ramp
		props.Bind("first-main-reaches-target/ramp", props.Hitting(expectedTarget(0.1,
			operating.Ramp, func(*firstTarget) float64 { return 1 })).Effort(0.5)),
		props.Bind("pl-main-complexity/valley", props.Hitting(alongValley).Effort(0.5)),
		props.Bind("dist-reaches-target/ramp", props.Hitting(roundsOnRamp).Effort(runEffort)),
		props.Bind("dpl-rounds/valley", props.Hitting(roundsAlongValley).Effort(runEffort)),
	}
}
