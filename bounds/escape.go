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
