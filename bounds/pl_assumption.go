package bounds

import (
	"math"

	"sledge/algos"
	"sledge/bounds/operating"
	"sledge/props"
)

func plAssumptionClaims() []props.Binding {
	return []props.Binding{
		props.Bind("dpl-assumption-list/sharper", props.Hitting(setupKinked).Effort(runEffort)),
	}
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

// setupKinked draws a terrain of such functions and parameters of Option II. A local minibatch of
// all data of a client is as good as one of any size.
func setupKinked(src *props.Source) props.HittingTrial {
	in, shape := drawUse(src)
	in.option = algos.OptionII
	left, right := 1.0, src.LogReal("right curvature", 0.1, 1)
	if src.Bool("mirrored") {
		left, right = right, left
	}
	shapes, start, r := make([]operating.Shape, in.d), make([]float64, in.d), src.Rand("start")
	for k := range shapes {
		shapes[k], start[k] = kinked(left, right), r.NormFloat64()
	}
	shape(shapes, start, 1)
	s := algos.FLEDGETheory{C1: 1, L: in.L.Value, Mu: in.Mu.Value, Zeta: in.Zeta.Value,
		Data: in.L.Value, P: float64(in.P), Chosen: float64(in.p), K: float64(in.K), B: float64(in.b)}
	if in.b == dataOfUse {
		s.B = 1e12
	}
	in.eta = s.PLStep(algos.FLEDGEPLFactor)
	PKb := s.P * s.K * s.B
	eps := max(algos.NewMonitor(in.problem.Problem).GradientNorm(in.x0)*
		src.LogReal("ε/‖∇f(x⁰)‖", 1e-2, 0.9),
		in.Sigma.Value*math.Sqrt(1024/PKb), in.G.Value*128/PKb)
	in.r = in.eta * eps / 8 * src.Real("r over its bound", 0, 1)
	in.T = int(math.Ceil(2 * max(math.Log(8./5), math.Log(32*s.Mu*in.Delta.Value/sq(eps))) /
		(in.eta * s.Mu * s.K)))
	const limit = 15000 // of local steps
	if in.T > limit/in.K {
		return props.HittingTrial{Delta: 1}
	}
	regime := clientsRegime(in.P, in.p, in.K, in.d, in.Zeta.Value).And(longEnough(in.T),
		props.Allowed(0.1))
	return props.HittingTrial{Horizon: in.T - 1, Delta: 0.1, Regime: regime,
		Run: func(t props.Trial) (int, bool) { return in.meetsGradient(t, eps) }}
}
