package bounds

import (
	"math"
	"sort"

	"sledge/algos"
	"sledge/bounds/operating"
	"sledge/props"
)

// firstTarget is an instance with a horizon, the accuracy that a theorem promises within it, the
// probability with which it may fail, and the noise radius as a share of the largest.
type firstTarget struct {
	*instance
	eps, fail, noise float64
}

// meets makes the run and returns the first step, or round, from 0 to T − 1, at which found holds
// at a point where a step, or a local one, begins. It reports the share of steps, or of rounds, at
// which the estimator errs.
func (in *instance) meets(t props.Trial,
	found func(mon *algos.Monitor, x []float64) bool) (first int, hit bool) {
	run, made, K := algos.Recall(in.problem.Problem), *in, max(1, in.K)
	made.r = radius(t, in.r)
	m, monitor, share, count := made.method(), algos.NewMonitor(run), stepShare{}, 0
	defer share.Report(t)
	// T − 1 steps have T points where one begins; T rounds of several local steps end with a
	// further point, which is none of them
	moves := in.T
	if K == 1 {
		moves--
	}
	step, hit := search(m, answers(t, run), in.x0, algos.Keyed(t.Key), moves,
		func(x []float64) bool {
			if count++; count%K == 1%K {
				share.look(m, monitor, x)
			}
			return found(monitor, x)
		})
	return step / K, hit && step < in.T*K
}

// meetsGradient is meets for the event that ‖∇f‖ ≤ ε.
func (in *instance) meetsGradient(t props.Trial, eps float64) (int, bool) {
	return in.meets(t, func(mon *algos.Monitor, x []float64) bool {
		return mon.GradientNorm(x) <= eps
	})
}

// regime asks besides the usual for eight dimensions and that x⁰ is no solution.
func (in *firstTarget) regime() props.Regime {
	far := props.Condition{What: "‖∇f(x⁰)‖ > ε",
		Met: algos.NewMonitor(in.problem.Problem).GradientNorm(in.x0) > in.eps}
	return in.sampling(in.P, in.d, in.Zeta.Value).And(props.Min("d", in.d, 8),
		longEnough(in.T), props.Allowed(in.fail), far)
}

// slope makes shapes and a start with ‖∇f‖ > ε all the way down, as [operating.Downhill] does.
type slope = func(eps, height, bend float64, d int) (shapes []operating.Shape, start []float64)

// drawFirstTarget draws a slide that is not convex, with n distinct components whose Hessians
// differ by the given share of the largest curvature of their mean. It is so steep that ‖∇f‖ > ε
// all the way down, for the ε of promise, which sets step size and accuracy from the constants of
// the problem and the number of steps.
func drawFirstTarget(src *props.Source, least, most float64, downhill slope,
	promise func(in *firstTarget)) *firstTarget {
	const bend, height = 0.75, 1.0
	n, d := 4*src.Int("n/4", 4, 12), src.Int("d", 8, 16)
	in := &firstTarget{instance: &instance{tuning: tuning{b: src.Int("b", 1, n-1)}}}
	in.option = algos.Option(src.Pick("option", "II", "I"))
	in.T = src.LogInt("T", 50, 2000)
	in.fail, in.noise = drawNu(src, "nu", 1), src.Real("r / (ηε/2)", 0, 1)
	between := operating.Deviations{
		Zeta: bend * src.LogReal("zeta / largest mean curvature", least, most)}
	spread, key := src.Real("σ_c/ε", 0, 1), src.Key("directions")
	in.eps = 1 / operating.Steady
	for range 2 { // first to learn what accuracy is promised
		shapes, start := downhill(in.eps, height, bend, d)
		between.Linear = spread * in.eps
		p := operating.New(operating.Site{Shapes: shapes, Start: start, Clients: n,
			Between: between}, key)
		in.set(ofSum(operating.Components{Terrain: p}), p.X0())
		promise(in)
	}
	return in
}

// expectedTarget draws an instance with the step size of the bounds in expectation and the accuracy
// ε of which T is (2Δ/η + initial)/(share·ε²), for ζ from the given share of the largest mean
// curvature on.
func expectedTarget(least float64, downhill slope,
	share func(in *firstTarget) float64) func(src *props.Source) props.HittingTrial {
	return func(src *props.Source) props.HittingTrial {
		in := drawFirstTarget(src, least, 2, downhill, func(in *firstTarget) {
			e := in.expected()
			in.eta = e.StepSize()
			in.eps = math.Sqrt((2*in.Delta.Value/in.eta + e.initial()) /
				(share(in) * float64(in.T)))
		})
		return props.HittingTrial{Horizon: in.T - 1, Delta: in.fail,
			Regime: withErrors(in.regime()),
			Run:    func(t props.Trial) (int, bool) { return in.meetsGradient(t, in.eps) }}
	}
}

func targetClaims() []props.Binding {
	return []props.Binding{
		props.Bind("first-main-reaches-target",
			props.Hitting(func(src *props.Source) props.HittingTrial {
				in := drawFirstTarget(src, 1e-8, 1e-5, operating.Downhill, func(in *firstTarget) {
					c1 := in.literalC1(in.fail)
					in.eta = algos.SLEDGETheory{N: in.P, B: in.b, C1: c1, L: in.L.Value,
						Zeta: in.Zeta.Value}.FirstStep(algos.SLEDGEStepPower)
					initial := 0.0
					if in.option == algos.OptionI {
						initial = initialTermAt.At(float64(in.P), float64(in.b), c1, in.SigmaC.Value,
							in.GC.Value)
					}
					// Horizon(...) = T
					in.eps = math.Sqrt((2*in.Delta.Value/in.eta + initial) * 2 / float64(in.T))
					in.r = in.eta * in.eps / 2 * in.noise
				})
				return props.HittingTrial{Horizon: in.T - 1, Delta: in.fail, Regime: in.regime(),
					Run: func(t props.Trial) (int, bool) { return in.meetsGradient(t, in.eps) }}
			})),
		props.Bind("first-main-reaches-target/sharper",
			props.Hitting(expectedTarget(1e-3, operating.Downhill,
				func(in *firstTarget) float64 { return in.fail }))),
		props.Bind("first-main-reaches-target/without-markov",
			props.Hitting(expectedTarget(0.1, operating.Downhill,
				func(*firstTarget) float64 { return 1 }))),
		// the horizon of first-main-reaches-target/without-markov on a ramp
		props.Bind("first-main-reaches-target/ramp", props.Hitting(expectedTarget(0.1,
			operating.Ramp, func(*firstTarget) float64 { return 1 })).Effort(0.5)),
		props.Bind("pl-main-complexity/valley", props.Hitting(alongValley).Effort(0.5)),
		props.Bind("dist-reaches-target/ramp", props.Hitting(roundsOnRamp).Effort(runEffort)),
		props.Bind("dpl-rounds/valley", props.Hitting(roundsAlongValley).Effort(runEffort)),
	}
}

// For each first-order theorem there is a scene in which runs take a third of its sharp horizon or
// more: a ramp of slope ε for the gradient norms, on which a step gains nearly ηε², half
// of what the bounds count with; and a valley along the weakest direction for the PL condition,
// where a step of gradient descent shrinks f − f* by (1 − ημ)², and the bounds count with 1 − ημ.

// valley returns shapes with curvature μ along the first coordinate and 1 along the others, and a
// start in it.
func valley(mu float64, d int) (shapes []operating.Shape, start []float64) {
	return operating.Along(operating.Parabola(mu), 1, 1, d)
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
	regime := withErrors(in.sampling(n, dim, in.Zeta.Value).And(longEnough(T),
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
	return withErrors(in.sampling(in.P, in.d, in.Zeta.Value).And(longEnough(rounds),
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
