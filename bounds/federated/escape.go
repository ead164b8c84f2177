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
		return &algos.FLEDGE{Eta: in.eta, Clients: in.p, Batch: min(in.b, in.data), LocalSteps: in.K, Radius: in.r, Option: in.option, Cap: true}
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

func escapeClaims() []props.Claim {
	const part, label = "fledge-second-order", "lemma:D-Escape-Small-Stuck-Region"
	return []props.Claim{
		{
			ID: "dsecond-escape-lemma", Part: part, Tier: 1, Kind: "tail", Lines: "3030-3040", Label: label,
			Statement: `With b ≥ √K and p as before, P[escape before (τ0+1,T_5)] ≥ 1−4ν/(TK), proof essentially as for SLEDGE`,
			Notes: "Fails through b ≥ √K, where the pair lemma has b ≥ K. Read with r_e = rν/(TK√d), as escape-lemma. Take one dimension, clients that agree and data of curvature −γ ± (L − γ), half of each. Within a round every local step multiplies the step before " +
				"by 1 + ηγ − ηLh, h the mean of b signs: its mean grows, but its typical size shrinks, by about (ηL)²/(2b) a step, which for b = √K is faster than it grows, K ≤ L/δ. Of the K steps of a round some √K do anything, and the K^{1/2} that are lost cannot be made up " +
				"by C_f and 1/(ηL) of the order of powers of log K. Moments of |x| of order below 1 show it without simulation (see LocalGrowth): for all constants tried there is a K from which on the probability of escape is below one half; with ηL = 1 and C_f = 3/log 2 it is 3·10⁵. " +
				"P and p may be as large as one likes, as they do not enter; ζ = L/K, δ < ζ. With b ≥ K the shrinking is by (ηL)²/2 over a round, a constant (corrected form). The argument from pairs to single runs is a fallacy besides (escape-exclusion).",
			Uses:   []string{"dsecond-stuck-lemma", "escape-exclusion", "escape-volume-ratio", "escape-separation-range", "escape-set-share"},
			Expect: props.Refuted,
			Check:  props.Implication(tryRootBatch).Effort(0.05),
		},
		{
			ID: "dsecond-escape-lemma/free-separation", Part: part, Tier: 3, Kind: "tail", Lines: "2636, 3030-3040", Label: label,
			Statement: `With b ≥ K and every r_e ≥ rν/(TK√d), as the pair lemma has it, P[escape before (τ0+1,T_5)] ≥ 1−4ν/(TK)`,
			Notes: "As for SLEDGE (escape-lemma/free-separation). With r_e above 2r no two kicks differ by r_e e, and from the saddle noise r ≪ r_e has not grown to R by the time that T_5 counts for r_e: no run escapes. " +
				"Shown with C_f = 3/log 2 and R = δ/(4ρ).",
			Uses:   []string{"dsecond-stuck-lemma", "escape-separation-range"},
			Expect: props.Refuted,
			Check: props.Hitting(func(src *props.Source) props.HittingTrial {
				in := drawEscape(src, false, 4)
				return in.escapes(coupled.Horizon(StuckCf, in.radius, in.re, in.eta, in.gamma), 4*in.share)
			}).Effort(0.5),
		},
		{
			ID: "dsecond-escape-lemma/corrected", Part: part, Tier: 1, Kind: "tail", Lines: "3030-3040", Label: label,
			Statement: `With b ≥ K, p as before, r_e = rν/(TK√d) ≤ R/2 and T_5 = ⌈C_f log(R/r_e)/(ηγ)⌉, C_f = 3/log 2: P[escape before (τ0+1,T_5)] ≥ 1−4ν/(TK)`,
			Notes: "Separable saddles, R = δ/(4ρ), p ≥ √P + 9ζ²/δ² + 9L²/(Kbδ²). Each run shares its past up to round τ0 − 1 with all others of the instance. No failure is seen: noise enters at every step, and C_f leaves four times the necessary time. The proof should take the pair lemma at (ν/(TK))² " +
				"(escape-exclusion/corrected), which costs a constant factor in C_1.",
			Uses:   []string{"dsecond-stuck-lemma/corrected", "escape-exclusion/corrected", "escape-volume-ratio/corrected", "escape-separation-range/corrected", "escape-set-share/corrected"},
			Expect: props.Supported,
			Check: props.Hitting(func(src *props.Source) props.HittingTrial {
				in := drawEscape(src, true, 4)
				return in.escapes(coupled.Horizon(StuckCf, in.radius, in.re, in.eta, in.gamma), 4*in.share)
			}).Effort(runEffort),
		},
		{
			ID: "dsecond-escape-lemma/sharper", Part: part, Tier: 1, Kind: "tail", Lines: "3030-3040", Label: label,
			Statement: `The same with probability ≥ 1−ν/(TK) for T_5 = ⌈log(4R/r_e)/log(1+ηγ/2)⌉`,
			Expect:    props.Supported,
			Check: props.Hitting(func(src *props.Source) props.HittingTrial {
				in := drawEscape(src, true, 1)
				return in.escapes(math.Log(4*in.radius/in.re)/math.Log1p(in.eta*in.gamma/2), in.share)
			}).Effort(runEffort),
		},
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
