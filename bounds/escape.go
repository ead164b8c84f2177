package bounds

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
	"sledge/props/keyed"
)

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
		q.regime = reporting(erringAtAll, q.regime)
	}
	past := props.Must(algos.RecordRun(in.method(), algos.NewOracle(q.problem), in.x0,
		algos.Keyed(keyed.New(seed)), common))
	if in.K == 0 {
		for gamma = 0; gamma < in.delta; {
			centre--
			gamma, _ = lowest(product(in.HessianVector).at(past.X[centre]))
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
