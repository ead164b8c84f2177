package bounds

import (
	"cmp"
	"math"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/bounds/coupled"
	"sledge/props"
	"sledge/props/keyed"
)

// StuckConstants are the constants of the lemmas about coupled runs near a saddle (lines 1547-1879). R = δ/(C_bρ) is the radius of the
// region that one of the two runs is to leave.
type StuckConstants struct{ C1, Cb, Cc, Cd float64 }

// ErrorShare is the coefficient 3C_1^{1/2}C_c/C_b of γ(1+ηγ)^{t−τ}r_e in (c), line 1730.
func (c StuckConstants) ErrorShare() float64 { return 3 * math.Sqrt(c.C1) * c.Cc / c.Cb }

// StuckBatch is the batch size √n + C²ζ²/δ², rounded up to an integer and capped at n: with C = C_b that of lemma:Small-Stuck-Region (line 1555),
// with C = 1 that of lemma:Escape-Small-Stuck-Region (line 1887) and, up to a constant, of theorem:Second-Main (line 408).
func StuckBatch(n int, c, zeta, delta float64) int {
	return min(n, int(math.Ceil(math.Sqrt(float64(n))+c*c*zeta*zeta/(delta*delta))))
}

// The literal constants of the proof.
const (
	// StuckCd makes (1+ηγ)^{T_2} ≥ 4R/r_e for all ηγ ≤ 1 and R/r_e ≥ 2, which the contradiction of lines 1733-1736 needs.
	StuckCd = 3 / math.Ln2
	// StuckRoom is the smallest R/r_e for which StuckCd is enough.
	StuckRoom = 2
)

// ProofConstants returns constants that let every step of the proof of lemma:Small-Stuck-Region pass, in its repaired form (the claims of this file
// say what had to be repaired), for the given C_1 ≥ 4, logX = log(R/r_e) and T_2. The paper leaves them as Õ(1).
//
// C_c is PairCc. C_b is the largest of the three conditions that the induction imposes: on the sum of errors (line 1818), on the increments (line
// 1852, with 1 + log T_2 for the harmonic sum) and on the Hessian sum (line 1798, in the right direction).
func ProofConstants(c1, logX, horizon float64) StuckConstants {
	c := StuckConstants{C1: c1, Cd: StuckCd}
	c.Cc = PairCc(c1)
	errors := 3 * math.Sqrt(c1) * c.Cc // C_b times the coefficient of (c) over γ
	c.Cb = max(4*errors*c.Cd*logX, (c.Cd*logX+1+math.Log(max(1, horizon)))*(2+errors), 8*c.Cd*logX)
	return c
}

// growthBand records (a), (b) and (c) of lines 1723-1731 at every step after the kick at which both runs have stayed closer than R to
// x^{τ0}, and (a) and (c) at the kick. b stands for the factor 3 in (b) and c for 3C_1^{1/2}C_c/C_b in (c).
func (in stuckInstance) growthBand(t props.Trial, rec *props.Recorder, b, c float64) {
	p := in.run(t, rec, in.coupling)
	if p == nil {
		return
	}
	u := p.method.Eta * p.gamma
	end := p.inside(in.radius, p.tau0)
	if end < p.tau {
		rec.Skip("the runs leave the region before the kick")
		return
	}
	for t := p.tau; t <= end; t++ {
		grown := p.growth(t)
		rec.AtLeast("(a) ‖w^t‖ ≥ ½(1+ηγ)^{t−τ}r_e", p.wn[t], grown/2)
		rec.AtMost("(a) ‖w^t‖ ≤ 2(1+ηγ)^{t−τ}r_e", p.wn[t], 2*grown)
		if t > p.tau {
			rec.AtMost("(b) ‖w^t − w^{t−1}‖ against ηγ(1+ηγ)^{t−τ}r_e", p.dw[t], b*u*grown)
		}
		rec.AtMost("(c) ‖g^t‖ against γ(1+ηγ)^{t−τ}r_e", p.gn[t], c*p.gamma*grown)
	}
}

// stuckInstance is an instance of the lemmas about coupled runs.
type stuckInstance struct {
	*saddle
	coupling
	StuckConstants
	delta  float64 // δ, nine tenths of γ at the saddle, so that λ_min ≤ −δ in a neighbourhood
	share  float64 // ν/T
	radius float64 // R = δ/(C_bρ); 0.05 at most
}

// drawStuck draws an instance with the constants of the proof or, if C_b = mild[0] is given, with region δ/(C_bρ) and batch √n + C²ζ²/δ², C = mild[1].
func drawStuck(src *props.Source, l saddleRange, mild ...float64) stuckInstance {
	l.gamma = 0.1 // keeps runs short
	l.d = cmp.Or(l.d, problems.Sizes(1, 4))
	shape := drawSaddleShape(src, l)
	in := stuckInstance{delta: 0.9 * shape.Gamma, share: DrawNu(src, "nu / T", cmp.Or(l.times, 1))}
	x := src.LogReal("R / r_e", StuckRoom, cmp.Or(l.room, 300))
	in.tau0 = src.Int("tau0", 0, 3)
	in.tau = in.tau0 + 1 + src.Int("tau - tau0 - 1", 0, 3)
	etaL := src.LogReal("eta L", 0.2, 0.5)
	directions := src.Rand("directions").Uint64()

	// T_2 with L = 1, as a guess: the curvature of the components changes it by less than the factor 4, and C_b depends on its logarithm only.
	horizon := coupled.Horizon(StuckCd, x, 1, etaL, in.delta)
	steps := in.tau + int(math.Ceil(math.Log(4*x)/math.Log1p(etaL*in.delta/4)))
	batch := 0.0
	if len(mild) > 0 {
		in.Cb, batch = mild[0], mild[1]
	} else {
		c1 := max(4, C1(1, Sizes{N: shape.n, D: shape.Dim, T: steps, Nu: in.share * float64(steps)}))
		in.StuckConstants = ProofConstants(c1, math.Log(x), 4*horizon)
		batch = in.Cb
		// The largest heterogeneity for which b ≥ √n + C_b²ζ²/δ² has a solution b ≤ n.
		most := in.delta * math.Sqrt(max(0, float64(shape.n)-math.Sqrt(float64(shape.n)))) / in.Cb
		shape.Between.Hessian = min(1, shape.Between.Hessian/(l.zeta*shape.Gamma)) * most / 2
		shape.Between.Amplitude *= most / 4
	}
	spread := shape.Between.Linear
	shape.Between.Linear = 0
	in.saddle = shape.build(keyed.New(directions).Rand())
	in.radius = coupled.Region(in.Cb, in.delta, in.rho)
	// Linear terms so small that the error that Option I starts with does not carry the run out of the region.
	shape.Between.Linear = 0.02 * in.L * in.radius * spread
	in.saddle = shape.build(keyed.New(directions).Rand())
	in.b = StuckBatch(in.n, batch, in.zeta, in.delta)
	in.eta = etaL / in.L
	if len(mild) == 0 && in.zeta > 0 {
		in.eta = min(in.eta, 1/(6*in.zeta*in.Cb))
	}
	in.re = in.radius / x
	in.T = in.tau + int(math.Ceil(math.Log(4*x)/math.Log1p(in.eta*in.delta)))
	return in
}

// regime is that of a claim about pairs of runs that may fail with probability delta; strayed tells whether the errors that they do not share are to matter.
func (in stuckInstance) regime(delta float64, strayed bool) props.Regime {
	r := Sum(in.n, in.b, in.d, in.zeta).And(props.Min("T − τ", in.T-in.tau, LeastSteps), props.Allowed(delta), Within(in.r, in.radius))
	if strayed {
		r.Matter, r.Least = coupled.Strayed, LeastShare
	}
	return r
}

// trial is a claim about pairs of runs that may fail with probability delta, inside the region and where λ_min(∇²f(x^{τ0})) ≤ −δ. It bounds the
// probability that this premise holds and the conclusion does not: whether the runs are inside is known only after the kick, so that a probability
// given the premise would be a probability given the future.
func (in stuckInstance) trial(delta float64, strayed bool, run func(t props.Trial, rec *props.Recorder)) props.TailTrial {
	return props.TailTrial{Delta: delta, Joint: true, Regime: in.regime(delta, strayed), Run: run}
}

// run makes a pair of runs and reports at which share of the steps they stray. It returns nil after Skip if λ_min(∇²f(x^{τ0})) > −δ.
func (in stuckInstance) run(t props.Trial, rec *props.Recorder, c coupling) *couple {
	p := in.couple(c, algos.Keyed(t.Key))
	p.report(t)
	if p.gamma < in.delta {
		rec.Skip("λ_min(∇²f(x^{τ0})) > −δ")
		return nil
	}
	return p
}

// drawStart draws the start of the coupled runs: the noise radius, the option, and x^0 within R/4 of the saddle along e.
func (in stuckInstance) drawStart(src *props.Source) stuckInstance {
	if src.Bool("Option I") {
		in.option = algos.OptionI
	}
	in.r = in.re * src.LogReal("r / r_e", 1e-3, 1)
	in.x0 = make([]float64, in.d)
	floats.AddScaled(in.x0, in.radius/4*src.Real("x0 / (R/4)", -1, 1), in.e)
	return in
}

func stuckClaims() []props.Binding {
	return []props.Binding{
		props.Bind("coupled-growth-band", props.Tail(func(src *props.Source) props.TailTrial {
			in := drawStuck(src, saddleRange{n: problems.Sizes(1, 24), zeta: 10}).drawStart(src)
			return in.trial(in.share, false, func(t props.Trial, rec *props.Recorder) { in.growthBand(t, rec, 3, in.ErrorShare()) })
		}).Effort(0.25)),
		props.Bind("coupled-growth-band/sharper", props.Tail(func(src *props.Source) props.TailTrial {
			in := drawStuck(src, saddleRange{n: problems.Sizes(1, 100), zeta: 10}, 4, 1).drawStart(src)
			return in.trial(in.share, true, func(t props.Trial, rec *props.Recorder) { in.growthBand(t, rec, 2, 1) })
		}).Effort(0.25)),
		props.Bind("stuck-contradiction-horizon", contradiction(1.0001, func(src *props.Source) float64 { return src.LogReal("delta / gamma", 1e-3, 1) })),
		props.Bind("stuck-contradiction-horizon/corrected", contradiction(StuckRoom, func(*props.Source) float64 { return 1 })),
		props.Bind("stuck-region-lemma", props.Inequality(func(src *props.Source, rec *props.Recorder) {
			shape := drawSaddleShape(src, saddleRange{n: problems.Sizes(1, 1), gamma: 0.1})
			s := shape.build(src.Rand("directions"))
			x := src.LogReal("R / r_e", 1.001, 2)
			c := coupling{eta: src.LogReal("eta L", 0.1, 1) / s.L, b: 1, tau: 1}
			horizon := coupled.Horizon(StuckCd, x, 1, c.eta, s.gamma)
			c.T = c.tau + int(math.Ceil(horizon))
			k := ProofConstants(max(4, C1(1, Sizes{N: 1, D: s.d, T: c.T, Nu: 0.1})), math.Log(x), horizon)
			radius := coupled.Region(k.Cb, 0.999*s.gamma, s.rho)
			c.re, c.r = radius/x, 1e-3*radius/x
			c.x0 = make([]float64, s.d)
			floats.AddScaled(c.x0, c.re*src.Real("<x^τ,e> / r_e", -2, 2)/(1+c.eta*s.gamma), s.e)
			p := s.couple(c, algos.Keyed(src.Key("run")))
			rec.AtLeast("largest distance from x^τ over R", p.farthest()/radius, 1)
		})),
		props.Bind("stuck-region-lemma/corrected", props.Tail(func(src *props.Source) props.TailTrial {
			return drawStuck(src, saddleRange{n: problems.Sizes(1, 24), zeta: 10}).drawStart(src).leaves()
		}).Effort(0.25)),
		props.Bind("stuck-region-lemma/sharper", props.Tail(func(src *props.Source) props.TailTrial {
			in := drawStuck(src, saddleRange{n: problems.Sizes(1, 40), zeta: 10}, 4, 1).drawStart(src)
			in.T = in.tau + int(math.Ceil(math.Log(4*in.radius/in.re)/math.Log1p(in.eta*in.delta/2)))
			return in.trial(in.share, true, func(t props.Trial, rec *props.Recorder) {
				if p := in.run(t, rec, in.coupling); p != nil {
					rec.AtLeast("largest distance from x^τ over R", p.farthest()/in.radius, 1)
				}
			})
		}).Effort(0.25)),
	}
}

// farthest returns the largest distance of x^t and x̃^t from x^τ, t ≥ τ0.
func (p *couple) farthest() float64 {
	most := 0.0
	for t := p.tau0; t <= p.T(); t++ {
		most = max(most, p.reach(t, p.tau))
	}
	return most
}

// leaves is the corrected lemma on the instance. Most runs leave the region long before T_2: only those that have not left it after the steps that
// gradient descent takes are made again in full length.
func (in stuckInstance) leaves() props.TailTrial {
	full := in.coupling
	return in.trial(in.share, false, func(t props.Trial, rec *props.Recorder) {
		p := in.run(t, rec, in.coupling)
		if p == nil {
			return
		}
		most := p.farthest()
		if most < in.radius {
			full.T = in.tau + int(math.Ceil(coupled.Horizon(StuckCd, in.radius, in.re, in.eta, p.gamma)))
			most = in.couple(full, algos.Keyed(t.Key)).farthest()
		}
		rec.AtLeast("largest distance from x^τ over R", most/in.radius, 1)
	})
}

// contradiction checks ¼(1+ηγ)^{T_2}r_e ≥ R for T_2 = ⌈C_d log(R/r_e)/(ηγ·share)⌉, share = δ/γ, and all R/r_e from least on.
func contradiction(least float64, share func(*props.Source) float64) props.Check {
	return props.Implication(func(src *props.Source, rec *props.Recorder) {
		u, x := src.LogReal("eta gamma", 1e-4, 1), src.LogReal("R / r_e", least, 1e9)
		steps := math.Ceil(coupled.Horizon(StuckCd, x, 1, u*share(src), 1))
		rec.AtLeast("¼(1+ηγ)^{T_2}r_e/R", math.Exp(min(700, steps*math.Log1p(u)-math.Log(4*x))), 1)
	})
}

// stuckInstance is an instance of the lemmas about coupled runs.
type fledgeStuckInstance struct {
	*fledgeSaddle
	fledgeCoupling
	FLEDGEStuckConstants
	share  float64 // ν/(TK)
	radius float64 // R
	delta  float64
}

// mild are constants that the simulations take for C_e: that of the region δ/(C_eρ) and that of the condition on p. Besides, the largest R/r_e, 300 if
// it is 0, and how many times ν/(TK) the statement may fail with, 1 if it is 0.
type mild struct{ region, clients, room, times float64 }

// drawStuck draws an instance with such constants. γ at the origin stands for δ: x⁰ and all points before the kick lie so close to the saddle
// that γ at x^{τ0,κ0} differs from it by little, and δ is taken a thousandth smaller. P is at least 9, and clients and minibatches are such that
// p ≥ √P + C²ζ²/δ² + C²L²/(Kbδ²), b ≥ K and K ≤ L/ζ.
func drawFLEDGEStuck(src *props.Source, c mild) fledgeStuckInstance {
	shape := drawFLEDGESaddleShape(src, fledgeSaddleRange{P: problems.Sizes(9, 16), data: problems.Sizes(1, 12), d: problems.Sizes(1, 3), gamma: 0.25,
		zeta: 1 / c.clients, within: 1})
	shape.Between.Amplitude /= c.clients
	in := fledgeStuckInstance{share: drawNu(src, "nu / (TK)", cmp.Or(c.times, 1))}
	in.Ce = c.region
	x := src.LogReal("R / r_e", 2, cmp.Or(c.room, 300))
	etaL := src.LogReal("eta L", 0.2, 0.5)
	in.fledgeSaddle = shape.build(src.Rand("directions"))
	in.delta = 0.999 * in.gamma
	in.K = src.Int("K", 1, max(1, min(4, int(in.L/in.zeta))))
	P := float64(in.P)
	for in.b = in.K; algos.EnoughClients(P, c.clients, in.zeta, in.L, in.delta, float64(in.K*in.b)) > P; in.b++ {
		if in.b > 1000 { // ζ is too large for any b
			in.b = 1000
			break
		}
	}
	in.b += src.Int("b beyond its bound", 0, 2)
	in.p = min(in.P, int(math.Ceil(algos.EnoughClients(P, c.clients, in.zeta, in.L, in.delta, float64(in.K*in.b)))))
	tau0, kappa0 := src.Int("tau0", 1, 2), src.Int("kappa0", 0, in.K-1)
	in.from, in.kick = (tau0-1)*in.K+kappa0, tau0*in.K
	in.eta = etaL / in.L
	in.radius = coupled.Region(c.region, in.delta, in.rho)
	in.re = in.radius / x
	in.T = in.roundsFor(math.Log(4*x) / math.Log1p(in.eta*in.delta))
	return in
}

// regime is that of a claim about pairs of runs that may fail with probability delta; strayed tells whether the errors that they do not share are to matter.
func (in *fledgeStuckInstance) regime(delta float64, strayed bool) props.Regime {
	r := Clients(in.P, in.p, in.K, in.d, in.zeta).And(props.Min("local steps after the kick", in.T*in.K-in.kick, LeastSteps),
		props.Allowed(delta), Within(in.r, in.radius))
	if strayed {
		r.Matter, r.Least = coupled.Strayed, LeastShare
	}
	return r
}

// roundsFor is the number of rounds in which so many local steps after the kick end.
func (in *fledgeStuckInstance) roundsFor(steps float64) int {
	return int(math.Ceil((float64(in.kick) + steps) / float64(in.K)))
}

// drawStart draws the start of the coupled runs: the noise radius, the option, and x⁰ within R/4 of the saddle along e.
func (in fledgeStuckInstance) drawStart(src *props.Source) fledgeStuckInstance {
	in.option = algos.Option(src.Pick("option", "II", "I"))
	in.r = in.re * src.LogReal("r / r_e", 1e-3, 1)
	in.x0 = make([]float64, in.d)
	floats.AddScaled(in.x0, in.radius/4*src.Real("x0 / (R/4)", -1, 1), in.e)
	return in
}

// tailPair is an instance of the tail statements about pairs.
type fledgeTailPair struct {
	fledgeStuckInstance
	overCe float64 // δ/C_e = ρR
	c1     float64
	window int // T_3
}

// drawTailPair draws one for a statement that may fail with probability times·ν/(TK).
func drawFLEDGETailPair(src *props.Source, times float64) fledgeTailPair {
	ce := src.LogReal("C_e", 1, 3)
	in := fledgeTailPair{fledgeStuckInstance: drawFLEDGEStuck(src, mild{region: ce, clients: ce, times: times}).drawStart(src)}
	in.overCe = in.delta / ce
	in.T = min(in.T, in.kick/in.K+12)
	in.c1 = C1(1, Sizes{P: in.P, D: in.d, T: in.T, K: in.K, Nu: in.share * float64(in.T*in.K)})
	in.window = T1(in.P, in.p, in.c1)
	return in
}

// run runs FLEDGE and its twin on the instance and reports at which share of the steps they stray.
func (in fledgeStuckInstance) run(t props.Trial) *fledgeCouple {
	p := in.couple(in.fledgeCoupling, algos.Keyed(t.Key))
	p.report(t)
	return p
}

// Statements about pairs of runs inside the region are read as bounds on the probability that the runs are inside and the conclusion fails: whether they
// are inside is known only after the kick, so that a probability given the premise would be one given the future.

// eachRound runs the couple and calls f at every round t > τ0 until the runs leave the region around x^{τ0,κ0}.
func (in fledgeTailPair) eachRound(t props.Trial, rec *props.Recorder, f func(p *fledgeCouple, t int)) {
	p := in.run(t)
	first, last := p.kick/p.K+1, p.inside(in.radius)/p.K
	if last < first {
		rec.Skip("the runs leave the region in the round after the kick")
	}
	for t := first; t <= last; t++ {
		f(p, t)
	}
}

// largest returns the largest ‖w^s‖ of the rounds from … to.
func (p *fledgeCouple) largest(from, to int) float64 {
	most := 0.0
	for s := from; s <= to; s++ {
		most = max(most, p.wn[s*p.K])
	}
	return most
}

// tableErrors compares ‖g^t‖ with the repaired bound of lemma:D-Second-Auxiliary-A.
func tableErrors(cg func(c1 float64) float64) *props.Randomised[props.TailTrial] {
	return props.Tail(func(src *props.Source) props.TailTrial {
		in := drawFLEDGETailPair(src, 1)
		v := FLEDGEPairError{Cg: cg(in.c1), Zeta: in.zeta, L: in.L, OverCe: in.overCe, P: in.P, Chosen: in.p, K: in.K, B: in.b, Re: in.re}
		return props.TailTrial{Delta: in.share, Joint: true, Regime: in.regime(in.share, true),
			Run: func(t props.Trial, rec *props.Recorder) {
				rec.Plot("error of the table that the twins do not share", "t − τ0", "‖g^t‖")
				in.eachRound(t, rec, func(p *fledgeCouple, t int) {
					tau0 := p.kick / p.K
					if t == tau0+1 {
						rec.AtMost("‖g^{τ0}‖", floats.Norm(p.g[tau0], 2), v.AtKick()).Scale(rounding)
					}
					moved, size := 0.0, 0.0
					for s := max(tau0+1, t-in.window+1); s <= t; s++ {
						for m := (s-1)*p.K + 1; m <= s*p.K; m++ {
							moved += sq(p.dw[m])
						}
					}
					from := max(tau0, t-in.window)
					for s := from; s <= t; s++ {
						size += sq(p.wn[s*p.K])
					}
					left, bound := floats.Norm(p.g[t], 2), v.After(moved, size)+v.Fresh(p.largest(from, t))
					rec.AtMost("‖g^t‖ for t > τ0", left, bound).Scale(rounding)
					rec.Point(float64(t-tau0), left, bound)
				})
			}}
	})
}

// setupLocalError compares ‖h^{t,k}‖ with the repaired bound of lemma:D-Second-Auxiliary-B.
func setupLocalError(src *props.Source) props.TailTrial {
	in := drawFLEDGETailPair(src, 2)
	return props.TailTrial{Delta: 2 * in.share, Joint: true, Regime: in.regime(2*in.share, true),
		Run: func(t props.Trial, rec *props.Recorder) {
			p := in.run(t)
			last := p.inside(in.radius)
			if last < p.kick {
				rec.Skip("the runs leave the region before the kick")
			}
			h := make([]float64, p.d)
			for m := p.kick; m <= min(last, len(p.force)-1); m++ {
				t, k := p.round(m)
				floats.SubTo(h, p.force[m], p.g[t-1])
				start := (t - 1) * p.K
				bound := LocalError(in.c1, in.zeta, 2*in.L, in.overCe, in.b, p.wn[start:start+k+1], p.dw[start:start+k+1])
				rec.AtMost("‖h^{t,k}‖", floats.Norm(h, 2), bound).Scale(rounding)
			}
		}}
}

// ProofConstants returns constants that let every step of the proof of lemma:D-Small-Stuck-Region pass, in its repaired form, for the given C_1
// ≥ 4, logX = log(R/r_e) and T_5. The paper leaves them as Õ(1).
//
// C_g is PairCg. C_h is half of what (c) collects: from the table (√2 + 3√2√C_1 + 2√3√C_1 + 2)C_g, from the local steps 3 + 8 + 14C_1², if η(ζK
// + L√(K/b)) ≤ 1/C_e. C_e is the largest of what the sums of errors, the increments and the Hessian sum ask for.
func FLEDGEProofConstants(c1, logX, horizon float64) FLEDGEStuckConstants {
	c := FLEDGEStuckConstants{C1: c1, Cf: StuckCf, Cg: PairCg(c1)}
	c.Ch = 5*math.Sqrt(c1)*c.Cg + 8*c1*c1
	c.Ce = max(8*c.Ch*c.Cf*logX, (c.Cf*logX+1+math.Log(max(1, horizon)))*(2+2*c.Ch), 8*c.Cf*logX)
	return c
}

// drawProof draws an instance with the constants of the proof. They are so large that clients must agree almost perfectly, and that minibatches
// of the size that the lemma asks for exceed all data: clients then use all they have. The statement may fail with probability times·ν/(TK).
func drawProof(src *props.Source, times float64) fledgeStuckInstance {
	shape := drawFLEDGESaddleShape(src, fledgeSaddleRange{P: problems.Sizes(9, 12), data: problems.Sizes(1, 4), d: problems.Sizes(1, 2), gamma: 0.25})
	in := fledgeStuckInstance{share: drawNu(src, "nu / (TK)", times)}
	x, etaL := src.LogReal("R / r_e", 2, 300), src.LogReal("eta L", 0.2, 0.5)
	in.K = src.Int("K", 1, 6)
	tau0, kappa0 := src.Int("tau0", 1, 2), src.Int("kappa0", 0, in.K-1)
	in.from, in.kick = (tau0-1)*in.K+kappa0, tau0*in.K
	// a guess at T_5 with L = 1, of which C_e depends on the logarithm only
	horizon := 4 * coupled.Horizon(StuckCf, x, 1, etaL, shape.Gamma)
	c1 := max(4, C1(1, Sizes{P: shape.P, D: shape.Dim, T: int(horizon), K: in.K, Nu: in.share * horizon}))
	in.FLEDGEStuckConstants = FLEDGEProofConstants(c1, math.Log(x), horizon)
	shrink := 1 / (8 * float64(in.K) * in.Ce) // ζ ≤ 2·(Hessian + 2·amplitude)·shrink
	shape.Between.Hessian *= shrink
	shape.Between.Amplitude *= shrink
	shape.Between.Linear, shape.Within.Linear = 0, 0 // they cancel in all differences, and would cost digits
	in.fledgeSaddle = shape.build(src.Rand("directions"))
	in.delta = 0.999 * in.gamma
	b := 16 * float64(in.K) * sq(in.Ce*in.L/in.delta)
	in.b = in.data
	in.p = int(math.Ceil(algos.EnoughClients(float64(in.P), in.Ce, in.zeta, in.L, in.delta, float64(in.K)*b)))
	in.eta = etaL / in.L
	in.radius = coupled.Region(in.Ce, in.delta, in.rho)
	in.re = in.radius / x
	in.T = in.roundsFor(math.Log(4*x) / math.Log1p(in.eta*in.delta))
	return in
}

// growthBand records (a), (b) and (c) of lines 2862-2873 at every step after the kick at which both runs have stayed closer than radius to
// x^{τ0,κ0}. b stands for the factor 3 in (b) and c for 2C_h/C_e in (c).
func growthBand(rec *props.Recorder, p *fledgeCouple, radius, b, c float64) {
	u := p.method.Eta * p.gamma
	end := p.inside(radius)
	if end < p.kick {
		rec.Skip("the runs leave the region before the kick")
		return
	}
	for m := p.kick; m <= end; m++ {
		grown := p.growth(m)
		rec.AtLeast("(a) ‖w^{t,k}‖ ≥ ½(1+ηγ)^m r_e", p.wn[m], grown/2)
		rec.AtMost("(a) ‖w^{t,k}‖ ≤ 2(1+ηγ)^m r_e", p.wn[m], 2*grown)
		if m > p.kick {
			rec.AtMost("(b) ‖w^{t,k} − w^{t,k−1}‖ against ηγ(1+ηγ)^m r_e", p.dw[m], b*u*grown)
		}
		if m < len(p.fn) {
			rec.AtMost("(c) ‖g^{t−1} + h^{t,k}‖ against γ(1+ηγ)^m r_e", p.fn[m], c*p.gamma*grown)
		}
	}
}

// bandOf checks the band on runs.
func bandOf(setup func(src *props.Source) fledgeStuckInstance, strayed bool, b float64, c func(in fledgeStuckInstance) float64) *props.Randomised[props.TailTrial] {
	return props.Tail(func(src *props.Source) props.TailTrial {
		in := setup(src).drawStart(src)
		return props.TailTrial{Delta: in.share, Joint: true, Regime: in.regime(in.share, strayed),
			Run: func(t props.Trial, rec *props.Recorder) { growthBand(rec, in.run(t), in.radius, b, c(in)) }}
	})
}

// gentle are the constants with which the sharper forms are tried.
var gentle = mild{region: 4, clients: 3}

func drawGentle(src *props.Source) fledgeStuckInstance { return drawFLEDGEStuck(src, gentle) }

func fledgeStuckClaims() []props.Binding {
	return []props.Binding{
		props.Bind("dsecond-growth-band", props.All(
			props.Identity(func(src *props.Source, rec *props.Recorder) {
				p := drawFLEDGECouple(src, rec, smallCouple)
				if p == nil {
					return
				}
				kick := make([]float64, p.d)
				floats.AddScaled(kick, p.re, p.e)
				rec.EqualVectors("w^{τ0+1,0} against r_e e", p.w[p.kick], kick).Scale(p.span())
				pow := coupled.Powers(coupled.Shrinkage(p.method.Eta, p.H), len(p.x))
				force := make([][]float64, len(p.force))
				for m := p.kick; m < len(p.force); m++ {
					force[m] = p.total(m)
					want := make([]float64, p.d)
					floats.AddScaled(want, p.growth(m+1), p.e)
					for s := p.kick; s <= m; s++ {
						coupled.Apply(want, -p.method.Eta, pow[m-s], force[s])
					}
					rec.EqualVectors("w^{t,k+1} against its unrolled form", p.w[m+1], want).Scale(p.span() * p.growth(m+1) / p.re)
				}
			}).Effort(0.3),
			bandOf(func(src *props.Source) fledgeStuckInstance { return drawProof(src, 1) }, false, 3, func(in fledgeStuckInstance) float64 { return in.ErrorShare() }).Effort(runEffort))),
		props.Bind("dsecond-growth-band/sharper", bandOf(drawGentle, true, 3, func(fledgeStuckInstance) float64 { return 1 }).Effort(runEffort)),
		props.Bind("dsecond-stuck-lemma", props.Inequality(func(src *props.Source, rec *props.Recorder) {
			one := problems.Sizes(1, 1)
			s := drawFLEDGESaddleShape(src, fledgeSaddleRange{P: one, data: one}).build(src.Rand("directions"))
			x := src.LogReal("R / r_e", 1.001, 2)
			c := fledgeCoupling{eta: src.LogReal("eta L", 0.1, 1) / s.L, b: 1, p: 1, K: src.Int("K", 1, 4)}
			c.from, c.kick = c.K-1, c.K
			horizon := coupled.Horizon(StuckCf, x, 1, c.eta, s.gamma)
			c.T = int(math.Ceil((float64(c.kick) + math.Ceil(horizon)) / float64(c.K)))
			k := FLEDGEProofConstants(max(4, C1(1, Sizes{P: 1, D: s.d, T: c.T, K: c.K, Nu: 0.1})), math.Log(x), horizon)
			radius := coupled.Region(k.Ce, 0.999*s.gamma, s.rho)
			c.re, c.r = radius/x, 1e-3*radius/x
			c.x0 = make([]float64, s.d)
			floats.AddScaled(c.x0, c.re*src.Real("<x^{τ0,K},e> / r_e", -2, 2)/math.Pow(1+c.eta*s.gamma, float64(c.K)), s.e)
			p := s.couple(c, algos.Keyed(src.Key("run")))
			rec.AtLeast("largest distance from x^{τ0,κ0} over R", p.farthest(c.kick+int(math.Ceil(horizon)))/radius, 1)
		})),
		props.Bind("dsecond-stuck-lemma/corrected", props.Tail(func(src *props.Source) props.TailTrial {
			in := drawProof(src, 3).drawStart(src)
			full := in.fledgeCoupling
			full.T = in.roundsFor(math.Ceil(coupled.Horizon(StuckCf, in.radius, in.re, in.eta, in.delta)))
			return props.TailTrial{Delta: 3 * in.share, Regime: in.regime(3*in.share, false),
				Run: func(t props.Trial, rec *props.Recorder) {
					most := in.run(t).farthest(math.MaxInt)
					if most < in.radius { // only then the run is made again in full length
						most = in.couple(full, algos.Keyed(t.Key)).farthest(math.MaxInt)
					}
					rec.AtLeast("largest distance from x^{τ0,κ0} over R", most/in.radius, 1)
				}}
		}).Effort(runEffort)),
		props.Bind("dsecond-stuck-lemma/sharper", props.Tail(func(src *props.Source) props.TailTrial {
			in := drawGentle(src).drawStart(src)
			in.T = in.roundsFor(math.Ceil(math.Log(4*in.radius/in.re) / math.Log1p(in.eta*in.delta)))
			return props.TailTrial{Delta: in.share, Regime: in.regime(in.share, true),
				Run: func(t props.Trial, rec *props.Recorder) {
					rec.AtLeast("largest distance from x^{τ0,κ0} over R", in.run(t).farthest(math.MaxInt)/in.radius, 1)
				}}
		}).Effort(runEffort)),
	}
}
