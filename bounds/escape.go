package bounds

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/bounds/coupled"
	"sledge/concentration"
	"sledge/props"
	"sledge/props/keyed"
)

// escapeLaw is the typical number of steps to leave a ball of radius R around a strict saddle of
// curvature −γ under noise of radius r in every step: the solution of (1+ηγ)^t r/√(2dηγ) = R with
// log(1+ηγ) replaced by ηγ. It has the shape log(1/r)/(ηγ) of T_2 (line 1555) with every constant
// inside the logarithm spelt out: along e the iterate is (1+ηγ)^t times a number of standard
// deviation r/√((d+2)·2ηγ).
func escapeLaw(radius, r float64, d int, eta, gamma float64) float64 {
	return coupled.Horizon(1, radius, r/math.Sqrt(2*float64(d)*eta*gamma), eta, gamma)
}

// escapeRadius is the radius R that the scaling checks look at: a twentieth of the length scale of
// the saddle.
const escapeRadius = 0.05

// escapeSetting is what one run of the scaling checks depends on.
type escapeSetting struct {
	shape     saddleShape
	seed      uint64  // of the directions
	etaL      float64 // η·L
	overNoise float64 // R/r
	b         int
}

// ratio returns the escape time from the origin over escapeLaw. A run that takes more than ten
// times as long counts as ten: too long in any case.
func (w escapeSetting) ratio(t props.Trial) float64 {
	const censored = 10
	s := w.shape.build(keyed.New(w.seed).Rand())
	eta, r := w.etaL/s.L, escapeRadius/w.overNoise
	law := escapeLaw(escapeRadius, r, s.d, eta, s.gamma)
	m := &algos.SLEDGE{Eta: eta, Batch: w.b, Radius: r}
	steps, ok := search(m, algos.Sum(s.ByClient()), make([]float64, s.d), algos.Keyed(t.Key),
		int(censored*law), func(x []float64) bool { return floats.Norm(x, 2) >= escapeRadius })
	if !ok {
		return censored
	}
	return float64(steps) / law
}

// fourTo returns four numbers from lo to hi in geometric progression.
func fourTo(lo, hi float64) []float64 { return floats.LogSpan(make([]float64, 4), lo, hi) }

// drawEscape draws the setting of a sweep with the batch size of the lemma for δ = γ, and ζ at most
// about zeta times γ.
func drawEscape(src *props.Source, n problems.Range, zeta float64) escapeSetting {
	w := escapeSetting{
		shape: drawSaddleShape(src, saddleRange{P: n, d: problems.Sizes(2, 4), zeta: zeta,
			patterns: []problems.Pattern{problems.TwoCluster, problems.Outlier}}),
		seed: src.Seed("directions"),
		etaL: 0.5, overNoise: 1e9,
	}
	w.setGamma(0.2)
	return w
}

func (w *escapeSetting) setGamma(gamma float64) {
	w.shape.Between.Hessian *= gamma / w.shape.Gamma
	w.shape.Between.Amplitude *= gamma / w.shape.Gamma
	w.shape.Gamma = gamma
	s := w.shape.build(keyed.New(w.seed).Rand())
	w.b = stuckBatch(w.shape.P, 1, s.zeta, s.gamma)
}

// sweepEscape sweeps one number of a drawn setting, of a finite sum of several components.
func sweepEscape(label string, margin float64,
	draw func(src *props.Source) (w escapeSetting, x []float64),
	set func(*escapeSetting, float64)) *props.Randomised {
	return props.Slope(func(src *props.Source) props.SlopeTrial {
		w, x := draw(src)
		return props.SlopeTrial{XLabel: label, YLabel: "escape time·ηγ/log(R√(2dηγ)/r)", X: x,
			TwoSided: true, Margin: margin, Of: props.OfMedian,
			Regime: props.Where(props.Min("n", w.shape.P, 2),
				props.Positive("ζ", w.shape.Between.Hessian), props.Sweep(label, x)),
			Run: func(t props.Trial, x float64) float64 {
				v := w
				set(&v, x)
				return v.ratio(t)
			}}
	})
}

func escapeSweep(label string, x []float64, margin float64,
	set func(*escapeSetting, float64)) props.Check {
	return sweepEscape(label, margin, func(src *props.Source) (escapeSetting, []float64) {
		return drawEscape(src, problems.Sizes(1, 12), 3), x
	}, set).Effort(3)
}

// batchSweep sweeps the batch size up to n: from the threshold √n + ζ²/γ² with ζ ≲ 1.5γ, or from √n
// with ζ up to about fifteen times γ.
func batchSweep(n int, fromRoot bool) props.Check {
	return sweepEscape("b", 0, func(src *props.Source) (escapeSetting, []float64) {
		gamma, zeta := 0.5, 1.0
		if fromRoot {
			gamma, zeta = 0.2, 15
		}
		w := drawEscape(src, problems.Sizes(n, n), zeta)
		w.setGamma(gamma)
		w.overNoise = 1e4
		lo := w.b
		if fromRoot {
			lo = algos.RootBatch(n)
		}
		return w, fourTo(float64(lo), float64(n))
	}, func(w *escapeSetting, x float64) { w.b = int(math.Round(x)) }).Effort(2)
}

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
		props.Bind("escape-lemma", escaping(false, true, 2, byHorizon)),
		props.Bind("escape-lemma/exact-tail", exactEscape(1)),
		props.Bind("escape-lemma/free-separation", escaping(false, false, 2, byHorizon)),
		props.Bind("escape-lemma/sharper", escaping(false, true, 1, byGrowth)),
		props.Bind("escape-set-share", slabs(func(rec *props.Recorder, share, p float64) {
			rec.AtLeast("share of A", share, 1-p)
		})), // the slab of width r_e in the interval from −r to r
		props.Bind("escape-set-share/corrected", slabs(func(rec *props.Recorder, share, p float64) {
			rec.AtMost("share of A", share, p)
			rec.AtLeast("(1 − share)(1 − ν/T)", (1-share)*(1-p), 1-2*p)
		})),
		props.Bind("escape-time-scaling", props.All(
			escapeSweep("γ", fourTo(0.0063, 0.2), 0.1,
				func(w *escapeSetting, x float64) { w.setGamma(x) }),
			escapeSweep("ηL", fourTo(0.0158, 0.5), 0.1,
				func(w *escapeSetting, x float64) { w.etaL = x }),
			escapeSweep("R/r", fourTo(1e4, 1e12), 0.02,
				func(w *escapeSetting, x float64) { w.overNoise = x }),
			escapeSweep("d", fourTo(2, 64), 0.1, func(w *escapeSetting, x float64) {
				w.shape = saddleShape{P: 1, data: 1, SaddleMean: problems.SaddleMean{
					Gamma: w.shape.Gamma, Well: w.shape.Well,
					Parabolas: slices.Repeat([]float64{1}, int(math.Round(x))-1)}}
				w.b = 1
			}),
			batchSweep(2000, false))),
		props.Bind("escape-time-scaling/sharper", batchSweep(1100, true)),
		props.Bind("dsecond-escape-lemma", props.Implication(tryRootBatch).Effort(0.05)),
		props.Bind("dsecond-escape-lemma/exact-tail", exactEscape(1e4)),
		props.Bind("dsecond-escape-lemma/free-separation",
			escaping(true, false, 4, byHorizon).Effort(0.5)),
		props.Bind("dsecond-escape-lemma/corrected",
			escaping(true, true, 4, byHorizon).Effort(runEffort)),
		props.Bind("dsecond-escape-lemma/sharper",
			escaping(true, true, 1, byGrowth).Effort(runEffort)),
	}
}

// escapeInstance is an instance of the escape lemmas: the runs have the past of one tape up to τ,
// or round τ0 − 1, and randomness of their own afterwards. The statement may fail with probability
// fail.
type escapeInstance struct {
	*stuckInstance
	past uint64 // seed of the common past
	fail float64
}

// escapeTime is how many steps, local ones where there are such, a run may take.
type escapeTime func(in *escapeInstance, gamma float64) float64

// byHorizon is T_2 or T_5, C_d log(R/r_e)/(ηγ), and byGrowth the time in which a distance r_e grows
// to 4R at half the rate of gradient descent.
func byHorizon(in *escapeInstance, gamma float64) float64 {
	return coupled.Horizon(stuckCd, in.radius, in.re, in.eta, gamma)
}
func byGrowth(in *escapeInstance, gamma float64) float64 {
	return math.Log(4*in.radius/in.re) / math.Log1p(in.eta*gamma/2)
}

// escaping is the check that runs on drawn instances escape in time. If literal, r_e is rν/(T√d),
// or rν/(TK√d); otherwise anything above r. The statement may fail with probability times·ν/T, or
// times·ν/(TK).
func escaping(local, literal bool, times float64, time escapeTime) *props.Randomised {
	return props.Hitting(func(src *props.Source) props.HittingTrial {
		in := drawEscapes(src, local, literal, times)
		in.fail = times * in.share
		return in.escapes(time)
	})
}

// drawEscapes draws an instance with R = δ/(4ρ): one of SLEDGE with R at least twice r_e, or above
// r_e if literal, and the printed batch size; or one of FLEDGE with (τ0,κ0) = (τ0,0) and the
// condition of closeConstants on p. The start is along e within r, and R/4, of the saddle, where
// λ_min(∇²f) ≤ −δ and the estimator has no error.
func drawEscapes(src *props.Source, local, literal bool, times float64) *escapeInstance {
	in := &escapeInstance{}
	if local {
		far := closeConstants
		far.room, far.times = 1e6, times
		in.stuckInstance = drawStuckClients(src, far)
		in.tau0, in.b = in.tau-in.K, min(in.b, in.data)
	} else {
		in.stuckInstance = drawStuck(src,
			saddleRange{P: problems.Sizes(1, 40), zeta: 5, room: 1e5, times: times}, 4, 1)
	}
	in.past = src.Seed("past")
	switch {
	case !literal:
		in.r = in.re * src.LogReal("r over r_e", 1e-8, 1)
	case !local:
		in.re *= stuckRoom / 1.001 // R/r_e from 1.001 on
		fallthrough
	default:
		in.r = in.re * math.Sqrt(float64(in.d)) / in.share
	}
	in.x0 = plus(make([]float64, in.d),
		min(in.r, in.radius/4)*src.Real("<x0,e> / min(r, R/4)", -1, 1), in.e)
	return in
}

// escapes returns the statement that the run gets as far as R from x^{τ0} by the step τ + time, or
// from x^{τ0,κ0+1} by the local step (τ0+1, time). Times count from τ, or from (τ0,κ0). Without
// local steps the time depends on γ at x^{τ0}, and τ0 is the last step up to the drawn one at which
// λ_min(∇²f) ≤ −δ.
func (in *escapeInstance) escapes(time escapeTime) props.HittingTrial {
	common, from, gamma, tau0 := in.tau, in.tau, in.gamma, in.tau0
	if in.K > 0 {
		common, from = in.tau0/in.K, in.tau0
	}
	problem := in.seen(in.K > 0)
	past := props.Must(algos.RecordRun(in.method(), algos.NewOracle(problem), in.x0,
		algos.Keyed(keyed.New(in.past)), common))
	if in.K == 0 {
		for gamma, tau0 = 0, tau0+1; gamma < in.delta; {
			tau0--
			gamma, _ = coupled.Lowest(coupled.Hessian(in.HessianVector, past.X[tau0]))
		}
	}
	steps := in.K + int(math.Ceil(time(in, gamma)))
	regime := in.sampling(in.P, in.d, in.zeta).And(props.Min("steps to escape", steps, LeastSteps),
		props.Allowed(in.fail), noiseWithin(in.r, in.radius))
	if in.K == 0 {
		regime = withSmallErrors(regime)
	}
	monitor := algos.NewMonitor(problem)
	return props.HittingTrial{Horizon: steps, Delta: in.fail, Regime: regime,
		Run: func(t props.Trial) (int, bool) {
			share, c, number := stepShare{from: smallErrors}, in.under(t), -1
			defer share.Report(t)
			m, centre := c.method(), make([]float64, in.d)
			var r algos.Randomness = algos.Keyed(t.Key)
			if !t.Without(props.Noise) { // the noise of the past is part of it
				r = past.Branch(common, r)
			}
			last := in.roundsFor(float64(from + steps - in.tau))
			step, ok := search(m, answers(t, problem), c.x0, r, last, func(x []float64) bool {
				if number++; number == tau0+min(1, in.K) {
					copy(centre, x)
				}
				if in.K == 0 && number > in.tau && number%8 == 0 {
					share.look(m, monitor, x)
				}
				return number > tau0 && number <= from+steps &&
					floats.Distance(x, centre, 2) >= in.radius
			})
			return max(1, step-from), ok
		}}
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
