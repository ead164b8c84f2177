package bounds

import (
	"math"

	"sledge/algos"
	"sledge/bounds/operating"
	"sledge/props"
)

// meets makes the run and returns the first step, or round, from 0 to T − 1, at which found holds
// at a point where a step, or a local one, begins. It reports the share of steps, or of rounds, at
// which the estimator errs.
func (in *instance) meets(t props.Trial,
	found func(mon *algos.Monitor, x []float64) bool) (first int, hit bool) {
	run, made, K := algos.Recall(in.problem.Problem), *in, max(1, in.K)
	made.r = radius(t, in.r)
	m, monitor, share := made.method(), algos.NewMonitor(run), stepShare{}
	defer share.Report(t)
	// T − 1 steps have T points where one begins; T rounds of several local steps end with a
	// further point, which is none of them
	moves := in.T * K
	if K == 1 {
		moves--
	}
	step, hit := search(m, answers(t, run), in.x0, algos.Keyed(t.Key), moves,
		func(step int, x []float64) bool {
			if step%K == 0 {
				share.look(m, monitor, x)
			}
			return found(monitor, x)
		})
	return step / K, hit && step < in.T*K
}

// reaches asks for a point at which found holds before the step, or round, T, but for a probability
// of fail.
func (in *instance) reaches(fail float64,
	found func(mon *algos.Monitor, x []float64) bool) props.HittingTrial {
	return props.HittingTrial{Horizon: in.T - 1, Delta: fail,
		Regime: in.sampling(in.P, in.d, in.Zeta.Value).And(longEnough(in.T), props.Allowed(fail)),
		Run:    func(t props.Trial) (int, bool) { return in.meets(t, found) }}
}

// smallGradientNorm is the event that ‖∇f‖ ≤ ε.
func smallGradientNorm(eps float64) func(mon *algos.Monitor, x []float64) bool {
	return func(mon *algos.Monitor, x []float64) bool { return mon.GradientNorm(x) <= eps }
}

// use says from where instances on terrains are drawn on which runs take much of the steps, or
// rounds, that a theorem allows.
type use struct {
	local       bool    // FLEDGE runs, on clients whose data differ a little
	least, most float64 // ζ, where the largest mean curvature is about 1
	spread      float64 // largest σ_c over the scale of gradients
	T           int     // most steps, or rounds, where they are drawn
}

// dataOfUse is how many data a client of such a terrain has.
const dataOfUse = 8

// draw draws an instance and the probability with which its runs may fail; shape gives it a terrain
// with gradients of the given scale.
func (l use) draw(src *props.Source) (in *instance, fail float64,
	shape func(shapes []operating.Shape, start []float64, scale float64)) {
	in = &instance{tuning: tuning{option: algos.Option(src.Pick("option", "II", "I"))}}
	data := 0.0
	if l.local {
		in.P, in.d, in.K = 4*src.Int("P/4", 2, 6), src.Int("d", 8, 12), src.Int("K", 2, 4)
		in.b, in.p = src.Int("b", 1, dataOfUse), src.Int("p", (in.P+3)/4, in.P-1)
		data, fail = src.LogReal("σ over scale", 1e-4, 1e-2), drawTenth(src, "nu", 1)
	} else {
		in.P, in.d = 4*src.Int("n/4", 4, 12), src.Int("d", 8, 16)
		in.b, fail = src.Int("b", 1, in.P-1), drawNu(src, "nu", 1)
	}
	zeta, spread := src.LogReal("ζ", l.least, l.most), src.LogReal("σ_c over scale", 1e-3, l.spread)
	key := src.Key("directions")
	return in, fail, func(shapes []operating.Shape, start []float64, scale float64) {
		site := operating.Site{Shapes: shapes, Start: start, Clients: in.P,
			Between: operating.Deviations{Zeta: zeta, Linear: spread * scale}}
		if l.local {
			site.Data, site.Within.Linear = dataOfUse, data*scale
		}
		p := operating.New(site, key)
		in.set(ofClients(p), p.X0())
	}
}

// slope makes shapes and a start with ‖∇f‖ > ε all the way down, as [operating.Downhill] does.
type slope = func(eps, height, bend float64, d int) (shapes []operating.Shape, start []float64)

// onDescent asks for ‖∇f‖ ≤ ε within T steps, or rounds, on a slope in at least eight dimensions
// that is so steep that ‖∇f‖ > ε all the way down, for the ε of promise, which sets step size and
// accuracy from the constants of the problem, T and the probability of failure.
func onDescent(src *props.Source, l use, downhill slope,
	promise func(in *instance, fail float64) (eps float64)) props.HittingTrial {
	in, fail, shape := l.draw(src)
	in.T = src.LogInt("T", 50, l.T)
	eps := 1 / operating.Steady
	for range 30 { // first to learn what accuracy is promised
		shapes, start := downhill(eps, 1, 0.75, in.d)
		shape(shapes, start, eps)
		eps = promise(in, fail)
	}
	trial := in.reaches(fail, smallGradientNorm(eps))
	trial.Regime = trial.Regime.And(props.Min("d", in.d, 8), props.Condition{What: "‖∇f(x⁰)‖ > ε",
		Met: algos.NewMonitor(in.problem.Problem).GradientNorm(in.x0) > eps})
	return trial
}

// expectedTarget is that with the step size of the bounds in expectation and the accuracy that they
// give for T or, by Markov's inequality, what is left of it for the probability of failure.
func expectedTarget(l use, downhill slope, markov bool) *props.Randomised {
	return props.Hitting(func(src *props.Source) props.HittingTrial {
		trial := onDescent(src, l, downhill, func(in *instance, fail float64) float64 {
			if !markov {
				fail = 1
			}
			return math.Sqrt(in.roundsInExpectation() / fail)
		})
		trial.Regime = withErrors(trial.Regime)
		return trial
	})
}

// literalTarget draws an instance with the literal constants of theorem:First-Main.
func literalTarget(src *props.Source) props.HittingTrial {
	noise := src.Real("r / (ηε/2)", 0, 1)
	return onDescent(src, use{least: 0.75e-8, most: 0.75e-5, spread: 1, T: 2000},
		operating.Downhill, func(in *instance, fail float64) float64 {
			c1 := in.literalC1(fail)
			in.eta = algos.SLEDGETheory{N: in.P, B: in.b, C1: c1, L: in.L.Value,
				Zeta: in.Zeta.Value}.FirstStep(algos.SLEDGEStepPower)
			initial := 0.0
			if in.option == algos.OptionI {
				initial = initialTermAt.At(float64(in.P), float64(in.b), c1, in.SigmaC.Value,
					in.GC.Value)
			}
			// Horizon(...) = T
			eps := math.Sqrt((2*in.Delta.Value/in.eta + initial) * 2 / float64(in.T))
			in.r = in.eta * eps / 2 * noise
			return eps
		})
}

// For each first-order theorem there is a scene in which runs take a third of its sharp horizon or
// more: a ramp of slope ε for the gradient norms, on which a step gains nearly ηε², half
// of what the bounds count with; and a valley along the weakest direction for the PL condition,
// where a step of gradient descent shrinks f − f* by (1 − ημ)², and the bounds count with 1 − ημ.

// alongValley asks for f − f* ≤ ε within the steps, or rounds, after which its mean is at most ε, in
// a valley with curvature μ ≥ 1/steepest along the first coordinate and 1 along the others; ε/Δ is
// at least as given, beside what noise leaves.
func alongValley(l use, steepest, least float64) *props.Randomised {
	return props.Hitting(func(src *props.Source) props.HittingTrial {
		in, fail, shape := l.draw(src)
		shapes, start := operating.Along(
			operating.Parabola(1/src.LogReal("L/μ", steepest/4, steepest)), 1, 1, in.d)
		shape(shapes, start, 0.1)
		e, delta, mu := in.expected(), in.Delta.Value, in.Mu.Value
		if in.eta = e.PLStepSize(mu); !l.local {
			in.eta = ExpectedPLStep(in.L.Value, mu, in.Zeta.Value, in.P, in.b)
		}
		left := delta * src.LogReal("ε/Δ", least, 1e-1)
		in.T = int(math.Ceil(math.Log((delta+e.PLStart(in.eta))/left) /
			(-math.Log1p(-in.eta*mu) * float64(max(1, in.K)))))
		eps := left + e.PLFloor(in.eta, mu, in.r)
		trial := in.reaches(fail,
			func(mon *algos.Monitor, x []float64) bool { return mon.Value(x) <= eps })
		trial.Regime = withErrors(trial.Regime)
		return trial
	})
}

func targetClaims() []props.Binding {
	small := use{least: 0.75e-3, most: 1.5, spread: 1, T: 2000}
	large := use{least: 0.075, most: 1.5, spread: 1, T: 2000}
	local := use{local: true, least: 0.1, most: 2, spread: 0.1, T: 500}
	return []props.Binding{
		props.Bind("first-main-reaches-target", props.Hitting(literalTarget)),
		props.Bind("first-main-reaches-target/sharper",
			expectedTarget(small, operating.Downhill, true)),
		props.Bind("first-main-reaches-target/without-markov",
			expectedTarget(large, operating.Downhill, false)),
		// the horizon of first-main-reaches-target/without-markov on a ramp
		props.Bind("first-main-reaches-target/ramp",
			expectedTarget(large, operating.Ramp, false).Effort(0.5)),
		props.Bind("dist-reaches-target/ramp",
			expectedTarget(local, operating.Ramp, false).Effort(runEffort)),
		props.Bind("pl-main-complexity/valley",
			alongValley(use{least: 0.1, most: 2, spread: 0.1}, 20, 1e-3).Effort(0.5)),
		props.Bind("dpl-rounds/valley", alongValley(local, 40, 1e-2).Effort(runEffort)),
	}
}
