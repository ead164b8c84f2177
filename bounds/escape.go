package bounds

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/bounds/coupled"
	"sledge/concentration"
	"sledge/props"
	"sledge/props/keyed"
)

// exactEscape compares the probability that a run stays in the region of radius R, by the law of
// one noise alone, with ν/(TK), K being at most mostLocal. Along e the run is at (1+ηγ)^m (c + ξ_e)
// + Z when it should have left, with c from before the noise ξ ∈ B(0, r) and Z from later ones:
// P[|·| < R] is largest where c and Z are 0, as the density of ξ_e is even and falls with |ξ_e|
// (Anderson). P[|ξ_e| ≤ u] is the share of a slab then.
func exactEscape(mostLocal float64) props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		d, nu := src.LogInt("d", 1, 1000), src.LogReal("nu", 1e-9, 0.5)
		failure := nu / (src.LogReal("T", 1, 1e6) * src.LogReal("K", 1, mostLocal))
		separation := failure / math.Sqrt(float64(d)) // r_e/r
		far, growth := math.Log(src.LogReal("R/r_e", 2, 1e12)),
			math.Log1p(src.LogReal("ηγ", 1e-6, 1))
		u := separation * math.Exp(far-math.Ceil(far/growth)*growth)
		rec.AtMost("P[‖x^t − x^{τ0}‖ < R up to the horizon]",
			concentration.SlabFraction(d, 1, 2*u), failure)
	}).Effort(0.3)
}

func escapeTimeClaims() []props.Binding {
	return []props.Binding{
		props.Bind("escape-lemma/exact-tail", exactEscape(1)),
		props.Bind("escape-set-share", slabs(func(rec *props.Recorder, share, p float64) {
			rec.AtLeast("share of A", share, 1-p)
		})), // the slab of width r_e in the interval from −r to r
		props.Bind("escape-set-share/corrected", slabs(func(rec *props.Recorder, share, p float64) {
			rec.AtMost("share of A", share, p)
			rec.AtLeast("(1 − share)(1 − ν/T)", (1-share)*(1-p), 1-2*p)
		})),
		props.Bind("dsecond-escape-lemma", props.Implication(tryRootBatch).Effort(0.05)),
		props.Bind("dsecond-escape-lemma/exact-tail", exactEscape(1e4)),
	}
}

// outOfRegion draws an instance of the escape lemmas with R = δ/(4ρ): one of SLEDGE with the printed
// batch size, or one of FLEDGE with (τ0,κ0) = (τ0,0) and the condition of closeConstants on p. The
// runs have the past of one tape up to τ, or round τ0 − 1, and randomness of their own afterwards.
// The start is along e within r, and R/4, of the saddle, where λ_min(∇²f) ≤ −δ and the estimator
// has no error. If tied, r_e is rν/(T√d), or rν/(TK√d); otherwise anything above r.
func outOfRegion(tied bool) func(src *props.Source, s *searches) *quest {
	return func(src *props.Source, s *searches) *quest {
		var in *stuckInstance
		if times := s.missed.At(1, 1, 1); s.federated() {
			far := closeConstants
			far.room, far.times = 1e6, times
			in = drawStuckClients(src, far)
			in.tau0, in.b = in.tau-in.K, min(in.b, in.data)
		} else {
			in = drawStuck(src,
				saddleRange{P: problems.Sizes(1, 40), zeta: 5, room: 1e5, times: times}, 4, 1)
		}
		seed := src.Seed("past")
		switch {
		case !tied:
			in.r = in.re * src.LogReal("r over r_e", 1e-8, 1)
		case in.K == 0:
			in.re *= stuckRoom / 1.001 // R/r_e from 1.001 on
			fallthrough
		default:
			in.r = in.re * math.Sqrt(float64(in.d)) / in.share
		}
		in.x0 = plus(make([]float64, in.d),
			min(in.r, in.radius/4)*src.Real("<x0,e> / min(r, R/4)", -1, 1), in.e)
		return in.leaving(seed)
	}
}

// leaving is the search for a point as far as R from x^{τ0}, or from x^{τ0,κ0+1}. Steps count from
// τ, or from (τ0,κ0). Without local steps γ is that at x^{τ0}, and τ0 the last step up to the drawn
// one at which λ_min(∇²f) ≤ −δ.
func (in *stuckInstance) leaving(seed uint64) *quest {
	q := &quest{K: in.K, lead: in.tau, fail: in.share, problem: in.seen(in.K > 0),
		regime: in.sampling(in.P, in.d, in.zeta).And(noiseWithin(in.r, in.radius))}
	common, gamma, centre := in.tau, in.gamma, in.tau0+1
	if in.K > 0 {
		q.lead, common = in.tau0, in.tau0/in.K
	} else {
		q.regime = withSmallErrors(q.regime)
	}
	past := props.Must(algos.RecordRun(in.method(), algos.NewOracle(q.problem), in.x0,
		algos.Keyed(keyed.New(seed)), common))
	if in.K == 0 {
		for gamma = 0; gamma < in.delta; {
			centre--
			gamma, _ = coupled.Lowest(coupled.Hessian(in.HessianVector, past.X[centre]))
		}
	}
	T := float64(in.T)
	q.values = map[string]float64{"K": float64(in.K), "d": float64(in.d), "η": in.eta, "γ": gamma,
		"R": in.radius, "r": in.r, "r_e": in.re, "T": T, "ν": in.share * T * float64(max(1, in.K))}
	q.start = func(t props.Trial) (algos.Method, []float64, algos.Randomness) {
		var r algos.Randomness = algos.Keyed(t.Key)
		if !t.Without(props.Noise) { // the noise of the past is part of it
			r = past.Branch(common, r)
		}
		c := in.under(t)
		return c.method(), c.x0, r
	}
	q.found = func(algos.Problem) func(int, []float64) (int, bool) {
		from := make([]float64, in.d)
		return func(step int, x []float64) (int, bool) {
			if step == centre {
				copy(from, x)
			}
			return q.lead, step > centre && floats.Distance(x, from, 2) >= in.radius
		}
	}
	return q
}

// slabs computes the share of a slab of thickness r_e = rν/(T√d) in B(0, r).
func slabs(f func(rec *props.Recorder, share, p float64)) props.Check {
	return props.Implication(func(src *props.Source, rec *props.Recorder) {
		d, p := src.LogInt("d", 1, 1000), src.LogReal("nu / T", 1e-6, 0.4)
		half := p / math.Sqrt(float64(d)) / 2
		c := src.Real("centre of the slab / r", 0, 1)
		f(rec, ballBelow(d, c+half)-ballBelow(d, c-half), p)
	})
}

// ballBelow returns the share of the unit ball of R^d in which the first coordinate is at most x.
func ballBelow(d int, x float64) float64 {
	return 0.5 + math.Copysign(concentration.SlabFraction(d, 1, 2*math.Abs(x)), x)/2
}

// localGrowth describes local steps near a saddle of curvature −γ in one dimension: clients that
// agree and hold Kb data each, half of curvature −γ + λ and half of −γ − λ, of which rows use all
// and local steps b. With ξ_k the noise, D_k the k-th step of a round and h_k the mean of b of the
// signs, D_1 = ηγx^t + ξ_1 and
//
//	D_{k+1} − ξ_{k+1} = (1 + ηγ − ηλh_k)(D_k − ξ_k) + (ηγ − ηλh_k)ξ_k.
//
// Moments of order s in (0, 1) are subadditive, so they follow a linear recursion.
type localGrowth struct {
	K, B   float64 // local steps, local minibatch size
	Gamma  float64 // ηγ
	Lambda float64 // ηλ, ηγ + ηλ ≤ 1
}

// Moments bounds 1 − E|1 + ηγ − ηλh|^s from below and E|ηγ − ηλh|^s from above, the former by (1 +
// y)^s ≤ 1 + sy − s(1−s)y²/2 + s(1−s)(2−s)y³/6 for y > −1.
func (g localGrowth) Moments(s float64) (shrinking, fresh float64) {
	// the variance of ηλh is that of b draws from Kb
	u, spread := g.Gamma, sq(g.Lambda)*(g.K-1)/(g.K*g.B-1)
	second, third := sq(u)+spread, u*(sq(u)+3*spread)
	return s * (-u + (1-s)*(second/2-(2-s)*third/6)), math.Pow(second, s/2)
}

// LogMoment bounds the logarithm of E|x|^s from above, at any local step of the first rounds of a
// run from the saddle, in units of r^s.
func (g localGrowth) LogMoment(s, rounds float64) float64 {
	shrinking, fresh := g.Moments(s)
	steps := g.K // Σ_{k<K} (1 − shrinking)^k
	if shrinking != 0 {
		steps = -math.Expm1(g.K*math.Log1p(-shrinking)) / shrinking
	}
	// in a round |x|^s grows by the factor 1 + (ηγ)^s·steps and by the noise of K steps, each with
	// what comes of it
	return rounds*math.Log1p(math.Pow(g.Gamma, s)*steps) + math.Log(rounds*g.K*(1+fresh*steps))
}

// LocalSteps is the number K + ⌈T_5⌉ of local steps up to (τ0+1, T_5) from the start of a round,
// T_5 = C_f log(R/r_e)/(ηγ).
func (g localGrowth) LocalSteps(cf, logRoom float64) float64 {
	return g.K + math.Ceil(cf*logRoom/g.Gamma)
}

// LogEscape bounds the logarithm of P[|x^{t,k} − x^{1,1}| ≥ R for some of the first so many local
// steps] from above, for a run from the saddle: Markov's inequality for each of them, with the best
// of some s. logRoom is log(R/r).
func (g localGrowth) LogEscape(steps, logRoom float64) float64 {
	best := 0.0
	for s := 0.5; s < 0.99; s += 0.05 {
		best = min(best, math.Log(steps+1)+s*(math.Ln2-logRoom)+g.LogMoment(s,
			math.Ceil(steps/g.K)))
	}
	return best
}

// tryRootBatch looks for the K from which on runs with b = ⌈√K⌉ do not escape in time, for drawn
// factors and powers of log K in C_f and 1/(ηL). R/r_e is taken so large that it decides.
func tryRootBatch(src *props.Source, rec *props.Recorder) {
	cf, etaL, power := src.LogReal("factor of C_f", 1, 100), src.LogReal("factor of ηL", 0.01,
		1), src.Real("power of log K", 0, 2)
	// ζ = L/K
	over, spare := src.LogReal("ζ/δ", 1.01, 10),
		src.Real("log TK/ν beyond that of the local steps", 1, 50)
	for K := 16.0; K < 1e120; K *= 16 {
		logs := math.Pow(math.Log(K), power)
		eta := etaL / logs
		g := localGrowth{K: K, B: math.Ceil(math.Sqrt(K)), Gamma: eta / (over * K)}
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
