package federated

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/bounds"
	"sledge/bounds/coupled"
	"sledge/props"
	"sledge/props/keyed"
)

// escapeInstance is an instance of the escape lemma: the runs have the past of one tape up to round τ0 − 1 and randomness of their own
// afterwards, so that (τ0,κ0) = (τ0,0).
type escapeInstance struct {
	stuckInstance
	past uint64 // seed of the common past
}

// drawEscape draws one with R = δ/(4ρ) and the gentle condition on p. Runs start within a distance r, and R/4, of the saddle. If literal, r_e is
// rν/(TK√d); otherwise anything above r. The statement may fail with probability times·ν/(TK).
func drawEscape(src *props.Source, literal bool, times float64) *escapeInstance {
	far := gentle
	far.room, far.times = 1e6, times
	in := &escapeInstance{stuckInstance: drawStuck(src, far)}
	in.past = src.Rand("past").Uint64()
	if literal {
		in.r = in.re * math.Sqrt(float64(in.d)) / in.share
	} else {
		in.r = in.re * src.LogReal("r over r_e", 1e-8, 1)
	}
	in.from = in.kick - in.K
	in.x0 = make([]float64, in.d)
	floats.AddScaled(in.x0, min(in.r, in.radius/4)*src.Real("<x0,e> / min(r, R/4)", -1, 1), in.e)
	return in
}

// escapes returns the statement that ‖x^{t,k} − x^{τ0,κ0+1}‖ ≥ R at some local step up to (τ0+1, horizon), up to probability delta. Times are
// local steps after (τ0,κ0).
func (in *escapeInstance) escapes(horizon, delta float64) props.HittingTrial {
	before := in.from / in.K // rounds of the common past
	steps := in.K + int(math.Ceil(horizon))
	method := func() *algos.FLEDGE {
		return &algos.FLEDGE{Eta: in.eta, Chosen: in.p, Batch: min(in.b, in.data), LocalSteps: in.K, Radius: in.r, Option: in.option, Cap: true}
	}
	past := props.Must(algos.RecordRun(method(), algos.NewOracle(in), in.x0, algos.Keyed(keyed.New(in.past)), before))
	m := method()
	regime := bounds.Clients(in.P, in.p, in.K, in.d, in.zeta).And(props.Min("T_5", steps, bounds.LeastSteps),
		props.Allowed(delta), bounds.Within(in.r, in.radius))
	return props.HittingTrial{Horizon: steps, Delta: delta, Regime: regime, Run: func(t props.Trial) (int, bool) {
		if err := m.Start(algos.NewOracle(in), in.x0, past.Branch(before, algos.Keyed(t.Key))); err != nil {
			panic(err)
		}
		for range before {
			m.Step()
		}
		var centre []float64
		for done := 0; done < steps; {
			m.Step()
			for _, x := range m.LocalPoints()[1:] {
				if done++; centre == nil {
					centre = append(centre, x...) // x^{τ0,κ0+1}
				}
				if done <= steps && floats.Distance(x, centre, 2) >= in.radius {
					return done, true
				}
			}
		}
		return 0, false
	}}
}

func escapeClaims() []props.Binding {
	return []props.Binding{
		props.Bind("dsecond-escape-lemma", props.Implication(tryRootBatch).Effort(0.05)),
		props.Bind("dsecond-escape-lemma/free-separation", props.Hitting(func(src *props.Source) props.HittingTrial {
			in := drawEscape(src, false, 4)
			return in.escapes(coupled.Horizon(StuckCf, in.radius, in.re, in.eta, in.gamma), 4*in.share)
		}).Effort(0.5)),
		props.Bind("dsecond-escape-lemma/corrected", props.Hitting(func(src *props.Source) props.HittingTrial {
			in := drawEscape(src, true, 4)
			return in.escapes(coupled.Horizon(StuckCf, in.radius, in.re, in.eta, in.gamma), 4*in.share)
		}).Effort(runEffort)),
		props.Bind("dsecond-escape-lemma/sharper", props.Hitting(func(src *props.Source) props.HittingTrial {
			in := drawEscape(src, true, 1)
			return in.escapes(math.Log(4*in.radius/in.re)/math.Log1p(in.eta*in.gamma/2), in.share)
		}).Effort(runEffort)),
	}
}

// LocalGrowth describes local steps near a saddle of curvature −γ in one dimension: clients that agree and hold Kb data each, half of curvature −γ + λ and
// half of −γ − λ, of which rows use all and local steps b. With ξ_k the noise, D_k the k-th step of a round and h_k the mean of b of the signs,
// D_1 = ηγx^t + ξ_1 and
//
//	D_{k+1} − ξ_{k+1} = (1 + ηγ − ηλh_k)(D_k − ξ_k) + (ηγ − ηλh_k)ξ_k.
//
// Moments of order s in (0, 1) are subadditive, so they follow a linear recursion.
type LocalGrowth struct {
	K, B   float64 // local steps, local minibatch size
	Gamma  float64 // ηγ
	Lambda float64 // ηλ, ηγ + ηλ ≤ 1
}

// Moments bounds 1 − E|1 + ηγ − ηλh|^s from below and E|ηγ − ηλh|^s from above, the former by (1 + y)^s ≤ 1 + sy − s(1−s)y²/2 + s(1−s)(2−s)y³/6 for y > −1.
func (g LocalGrowth) Moments(s float64) (shrinking, fresh float64) {
	u, spread := g.Gamma, sq(g.Lambda)*(g.K-1)/(g.K*g.B-1) // the variance of ηλh is that of b draws from Kb
	second, third := sq(u)+spread, u*(sq(u)+3*spread)
	return s * (-u + (1-s)*(second/2-(2-s)*third/6)), math.Pow(second, s/2)
}

// LogMoment bounds the logarithm of E|x|^s from above, at any local step of the first rounds of a run from the saddle, in units of r^s.
func (g LocalGrowth) LogMoment(s, rounds float64) float64 {
	shrinking, fresh := g.Moments(s)
	steps := g.K // Σ_{k<K} (1 − shrinking)^k
	if shrinking != 0 {
		steps = -math.Expm1(g.K*math.Log1p(-shrinking)) / shrinking
	}
	// in a round |x|^s grows by the factor 1 + (ηγ)^s·steps and by the noise of K steps, each with what comes of it
	return rounds*math.Log1p(math.Pow(g.Gamma, s)*steps) + math.Log(rounds*g.K*(1+fresh*steps))
}

// LocalSteps is the number K + ⌈T_5⌉ of local steps up to (τ0+1, T_5) from the start of a round, T_5 = C_f log(R/r_e)/(ηγ).
func (g LocalGrowth) LocalSteps(cf, logRoom float64) float64 {
	return g.K + math.Ceil(cf*logRoom/g.Gamma)
}

// LogEscape bounds the logarithm of P[|x^{t,k} − x^{1,1}| ≥ R for some of the first so many local steps] from above, for a run from the saddle:
// Markov's inequality for each of them, with the best of some s. logRoom is log(R/r).
func (g LocalGrowth) LogEscape(steps, logRoom float64) float64 {
	best := 0.0
	for s := 0.5; s < 0.99; s += 0.05 {
		best = min(best, math.Log(steps+1)+s*(math.Ln2-logRoom)+g.LogMoment(s, math.Ceil(steps/g.K)))
	}
	return best
}

// tryRootBatch looks for the K from which on runs with b = ⌈√K⌉ do not escape in time, for drawn factors and powers of log K in C_f and 1/(ηL).
// R/r_e is taken so large that it decides.
func tryRootBatch(src *props.Source, rec *props.Recorder) {
	cf, etaL, power := src.LogReal("factor of C_f", 1, 100), src.LogReal("factor of ηL", 0.01, 1), src.Real("power of log K", 0, 2)
	over, spare := src.LogReal("ζ/δ", 1.01, 10), src.Real("log TK/ν beyond that of the local steps", 1, 50) // ζ = L/K
	for K := 16.0; K < 1e120; K *= 16 {
		logs := math.Pow(math.Log(K), power)
		eta := etaL / logs
		g := LocalGrowth{K: K, B: math.Ceil(math.Sqrt(K)), Gamma: eta / (over * K)}
		g.Lambda = eta - g.Gamma
		for room := 16.0; room < 1e6; room *= 2 { // log(R/r_e)
			steps := g.LocalSteps(cf*logs, room)
			share := math.Exp(-spare) / steps // ν/(TK), and r_e = r·share
			if p := g.LogEscape(steps, room+math.Log(share)); p < -1 {
				rec.AtLeast("bound on P[escape] against 1 − 4ν/(TK)", math.Exp(p), 1-4*share)
				return
			}
		}
	}
	rec.Skip("no K is large enough for the bound")
}
