package bounds

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/concentration"
	"sledge/props"
)

// drawHomogeneous draws the setting of lemma:D-Small-Stuck-Region-Relax: K ≥ 3T_7 local steps,
// (τ0,κ0) with κ0 < K − 2T_7 in round τ0, and the perturbation at the next multiple of T_7. C and
// the Hessian distance of clients over δ are given; minibatches are of ⌈√K⌉, as printed, to 2K data
// and C²L²/δ² beyond that, or all data of a client. T_7 is the time in which r_e grows to 4R at the
// rate of the curvature. It returns nil where they do not meet the condition on p.
func drawHomogeneous(src *props.Source, c, zeta float64, P,
	data problems.Range, times float64) *stuckInstance {
	shape := drawSaddleShape(src, saddleRange{P: P, data: data, d: manyDimensions, gamma: 0.4,
		within: 1})
	shape.Between.Pattern = problems.Signs // ± a multiple of the identity
	shape.Between.Hessian = zeta * shape.Gamma
	shape.Between.Amplitude = 0
	in := &stuckInstance{share: drawTenth(src, "nu / (TK)", times)}
	x := src.LogReal("R / r_e", 2, 20)
	in.eta = src.LogReal("eta L", 0.3, 0.5)
	in.saddle = shape.build(src.Rand("directions"))
	in.eta /= in.L
	in.delta, in.p = 0.999*in.gamma, in.P
	in.radius = regionRadius(4, in.delta, in.rho)
	in.re = in.radius / x
	t7 := int(math.Ceil(math.Log(4*x) / math.Log1p(in.eta*in.delta)))
	in.K = 3*t7 + src.Int("K - 3T_7", 0, t7)
	kappa0 := src.Int("kappa0", 0, in.K-2*t7-1)
	in.tau0, in.tau, in.T = kappa0, (kappa0/t7+1)*t7, 1 // round τ0 = 1
	in.b = src.LogInt("b", int(math.Ceil(math.Sqrt(float64(in.K)))), 2*in.K)
	in.schedule = algos.RelaxedSchedule(t7, min(in.b, in.data),
		min(in.b+int(math.Ceil(sq(c*in.L/in.delta))), in.data))
	in.option = algos.Option(src.Pick("option", "II", "I"))
	in.r = in.re * src.LogReal("r / r_e", 1e-6, 1e-3)
	in.x0 = make([]float64, in.d)
	if algos.EnoughClients(float64(in.P), c, in.zeta, in.L, in.delta,
		float64(in.K*in.b)) > float64(in.P) {
		return nil
	}
	return in
}

// relaxed says what is drawn besides.
const relaxed = "$K ≥ 3T_7$ for $T_7 = ⌈log(4R/r_e)/log(1 + ηδ)⌉$, $κ0 < K − 2T_7$, the " +
	"perturbation at the next multiple of $T_7$, and minibatches of $b$ from $⌈√K⌉$ to $2K$, but at " +
	"these multiples"

// agreeing draws clients that agree as the repaired lemma asks, and opposed some that do not.
func agreeing(src *props.Source, times float64) *stuckInstance {
	return drawHomogeneous(src, 3, src.Real("zeta / gamma", 0, 0.25), problems.Sizes(9, 16),
		problems.Sizes(1, 24), times)
}

func opposed(src *props.Source, times float64) *stuckInstance {
	return drawHomogeneous(src, 1, src.Real("zeta / gamma", 4, 8), problems.Sizes(200, 400),
		problems.Sizes(1, 1), times)
}

func relaxClaims() []props.Binding {
	return []props.Binding{
		props.Bind("dsecond-relax-error-base/corrected", props.All(
			onRounds(innerRuns, tryInnerPerturbation),
			props.Tail(setupInnerPerturbation).Effort(runEffort))),
	}
}

// tryInnerPerturbation looks at a perturbation within a round: until the round ends the table has
// not seen it, and h there is one increment.
func tryInnerPerturbation(p *coupledRuns, rec *props.Recorder) {
	t, k := p.round(p.tau)
	if k == 0 {
		rec.Skip("the perturbation is at the end of a round")
		return
	}
	for m := p.tau; m < t*p.K; m++ {
		rec.Equal("‖g^{t−1}‖ on the window", floats.Norm(p.g[t-1], 2), 0).Scale(p.span())
	}
	i := p.pair.Run.Sets(t, algos.Worker)[0][0]
	rec.EqualVectors("h^{τ,κ} against u_{i_t} + mean of u_{i_t,j}", p.force[p.tau],
		plus(p.change(p.tau, -1, client(i), whole), 1, p.past().localNoise(t, 1, k))).Scale(p.span())
}

// setupInnerPerturbation compares ‖h^{τ,κ}‖ with (ζ + 2C_1L/√|J|)r_e.
func setupInnerPerturbation(src *props.Source) props.TailTrial {
	s := drawSaddleShape(src, saddleRange{data: problems.Sizes(8, 30), d: manyDimensions,
		within: 10}).build(src.Rand("directions"))
	share := drawTenth(src, "nu / (TK)", 1)
	of := tuning{eta: 0.3 / s.L, r: 0.01, p: s.P, K: 2, b: src.Int("|J|", 1, s.data)}
	c := &stuckInstance{saddle: s,
		coupling: coupling{tuning: of, re: 0.01, x0: make([]float64, s.d), tau: 1, T: 1}}
	c1 := concentration.C1(1, concentration.Sizes{P: s.P, D: s.d, T: 1, K: 2, Nu: share * 2})
	bound := (s.zeta + 2*c1*s.L/math.Sqrt(float64(c.b))) * c.re
	regime := props.Where(props.Min("P", s.P, 2),
		props.Min("d", s.d, 2), props.Less("|J|", c.b, "data of a client", s.data),
		props.Positive("ζ", s.zeta), props.Allowed(share))
	return props.TailTrial{Delta: share, Regime: regime,
		Run: func(t props.Trial, rec *props.Recorder) {
			p := c.under(t).couple(roomOf(t), algos.Keyed(t.Key))
			rec.AtMost("‖h^{τ,κ}‖", p.fn[p.tau], bound)
		}}
}
