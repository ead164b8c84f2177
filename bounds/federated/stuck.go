package federated

import (
	"cmp"
	"math"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/bounds"
	"sledge/bounds/coupled"
	"sledge/props"
)

// stuckInstance is an instance of the lemmas about coupled runs.
type stuckInstance struct {
	*saddle
	coupling
	StuckConstants
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
func drawStuck(src *props.Source, c mild) stuckInstance {
	shape := drawSaddleShape(src, saddleRange{P: problems.Sizes(9, 16), data: problems.Sizes(1, 12), d: problems.Sizes(1, 3), gamma: 0.25,
		zeta: 1 / c.clients, within: 1})
	shape.Between.Amplitude /= c.clients
	in := stuckInstance{share: drawNu(src, "nu / (TK)", cmp.Or(c.times, 1))}
	in.Ce = c.region
	x := src.LogReal("R / r_e", 2, cmp.Or(c.room, 300))
	etaL := src.LogReal("eta L", 0.2, 0.5)
	in.saddle = shape.build(src.Rand("directions"))
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
func (in *stuckInstance) regime(delta float64, strayed bool) props.Regime {
	r := bounds.Clients(in.P, in.p, in.K, in.d, in.zeta).And(props.Min("local steps after the kick", in.T*in.K-in.kick, bounds.LeastSteps),
		props.Allowed(delta), bounds.Within(in.r, in.radius))
	if strayed {
		r.Matter, r.Least = coupled.Strayed, bounds.LeastShare
	}
	return r
}

// roundsFor is the number of rounds in which so many local steps after the kick end.
func (in *stuckInstance) roundsFor(steps float64) int {
	return int(math.Ceil((float64(in.kick) + steps) / float64(in.K)))
}

// drawStart draws the start of the coupled runs: the noise radius, the option, and x⁰ within R/4 of the saddle along e.
func (in stuckInstance) drawStart(src *props.Source) stuckInstance {
	in.option = algos.Option(src.Pick("option", "II", "I"))
	in.r = in.re * src.LogReal("r / r_e", 1e-3, 1)
	in.x0 = make([]float64, in.d)
	floats.AddScaled(in.x0, in.radius/4*src.Real("x0 / (R/4)", -1, 1), in.e)
	return in
}

// tailPair is an instance of the tail statements about pairs.
type tailPair struct {
	stuckInstance
	overCe float64 // δ/C_e = ρR
	c1     float64
	window int // T_3
}

// drawTailPair draws one for a statement that may fail with probability times·ν/(TK).
func drawTailPair(src *props.Source, times float64) tailPair {
	ce := src.LogReal("C_e", 1, 3)
	in := tailPair{stuckInstance: drawStuck(src, mild{region: ce, clients: ce, times: times}).drawStart(src)}
	in.overCe = in.delta / ce
	in.T = min(in.T, in.kick/in.K+12)
	in.c1 = bounds.C1(1, bounds.Sizes{P: in.P, D: in.d, T: in.T, K: in.K, Nu: in.share * float64(in.T*in.K)})
	in.window = bounds.T1(in.P, in.p, in.c1)
	return in
}

// run runs FLEDGE and its twin on the instance and reports at which share of the steps they stray.
func (in stuckInstance) run(t props.Trial) *couple {
	p := in.couple(in.coupling, algos.Keyed(t.Key))
	p.report(t)
	return p
}

// Statements about pairs of runs inside the region are read as bounds on the probability that the runs are inside and the conclusion fails: whether they
// are inside is known only after the kick, so that a probability given the premise would be one given the future.

// eachRound runs the couple and calls f at every round t > τ0 until the runs leave the region around x^{τ0,κ0}.
func (in tailPair) eachRound(t props.Trial, rec *props.Recorder, f func(p *couple, t int)) {
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
func (p *couple) largest(from, to int) float64 {
	most := 0.0
	for s := from; s <= to; s++ {
		most = max(most, p.wn[s*p.K])
	}
	return most
}

// tableErrors compares ‖g^t‖ with the repaired bound of lemma:D-Second-Auxiliary-A.
func tableErrors(cg func(c1 float64) float64) *props.Randomised[props.TailTrial] {
	return props.Tail(func(src *props.Source) props.TailTrial {
		in := drawTailPair(src, 1)
		v := PairError{Cg: cg(in.c1), Zeta: in.zeta, L: in.L, OverCe: in.overCe, P: in.P, Chosen: in.p, K: in.K, B: in.b, Re: in.re}
		return props.TailTrial{Delta: in.share, Joint: true, Regime: in.regime(in.share, true),
			Run: func(t props.Trial, rec *props.Recorder) {
				rec.Plot("error of the table that the twins do not share", "t − τ0", "‖g^t‖")
				in.eachRound(t, rec, func(p *couple, t int) {
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
	in := drawTailPair(src, 2)
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
func ProofConstants(c1, logX, horizon float64) StuckConstants {
	c := StuckConstants{C1: c1, Cf: StuckCf, Cg: PairCg(c1)}
	c.Ch = 5*math.Sqrt(c1)*c.Cg + 8*c1*c1
	c.Ce = max(8*c.Ch*c.Cf*logX, (c.Cf*logX+1+math.Log(max(1, horizon)))*(2+2*c.Ch), 8*c.Cf*logX)
	return c
}

// drawProof draws an instance with the constants of the proof. They are so large that clients must agree almost perfectly, and that minibatches
// of the size that the lemma asks for exceed all data: clients then use all they have. The statement may fail with probability times·ν/(TK).
func drawProof(src *props.Source, times float64) stuckInstance {
	shape := drawSaddleShape(src, saddleRange{P: problems.Sizes(9, 12), data: problems.Sizes(1, 4), d: problems.Sizes(1, 2), gamma: 0.25})
	in := stuckInstance{share: drawNu(src, "nu / (TK)", times)}
	x, etaL := src.LogReal("R / r_e", 2, 300), src.LogReal("eta L", 0.2, 0.5)
	in.K = src.Int("K", 1, 6)
	tau0, kappa0 := src.Int("tau0", 1, 2), src.Int("kappa0", 0, in.K-1)
	in.from, in.kick = (tau0-1)*in.K+kappa0, tau0*in.K
	// a guess at T_5 with L = 1, of which C_e depends on the logarithm only
	horizon := 4 * coupled.Horizon(StuckCf, x, 1, etaL, shape.Gamma)
	c1 := max(4, bounds.C1(1, bounds.Sizes{P: shape.P, D: shape.Dim, T: int(horizon), K: in.K, Nu: in.share * horizon}))
	in.StuckConstants = ProofConstants(c1, math.Log(x), horizon)
	shrink := 1 / (8 * float64(in.K) * in.Ce) // ζ ≤ 2·(Hessian + 2·amplitude)·shrink
	shape.Between.Hessian *= shrink
	shape.Between.Amplitude *= shrink
	shape.Between.Linear, shape.Within.Linear = 0, 0 // they cancel in all differences, and would cost digits
	in.saddle = shape.build(src.Rand("directions"))
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
func growthBand(rec *props.Recorder, p *couple, radius, b, c float64) {
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
func bandOf(setup func(src *props.Source) stuckInstance, strayed bool, b float64, c func(in stuckInstance) float64) *props.Randomised[props.TailTrial] {
	return props.Tail(func(src *props.Source) props.TailTrial {
		in := setup(src).drawStart(src)
		return props.TailTrial{Delta: in.share, Joint: true, Regime: in.regime(in.share, strayed),
			Run: func(t props.Trial, rec *props.Recorder) { growthBand(rec, in.run(t), in.radius, b, c(in)) }}
	})
}

// gentle are the constants with which the sharper forms are tried.
var gentle = mild{region: 4, clients: 3}

func drawGentle(src *props.Source) stuckInstance { return drawStuck(src, gentle) }

func stuckClaims() []props.Binding {
	return []props.Binding{
		props.Bind("dsecond-growth-band", props.All(
			props.Identity(func(src *props.Source, rec *props.Recorder) {
				p := drawCouple(src, rec, smallCouple)
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
			bandOf(func(src *props.Source) stuckInstance { return drawProof(src, 1) }, false, 3, func(in stuckInstance) float64 { return in.ErrorShare() }).Effort(runEffort))),
		props.Bind("dsecond-growth-band/sharper", bandOf(drawGentle, true, 3, func(stuckInstance) float64 { return 1 }).Effort(runEffort)),
		props.Bind("dsecond-stuck-lemma", props.Inequality(func(src *props.Source, rec *props.Recorder) {
			one := problems.Sizes(1, 1)
			s := drawSaddleShape(src, saddleRange{P: one, data: one}).build(src.Rand("directions"))
			x := src.LogReal("R / r_e", 1.001, 2)
			c := coupling{eta: src.LogReal("eta L", 0.1, 1) / s.L, b: 1, p: 1, K: src.Int("K", 1, 4)}
			c.from, c.kick = c.K-1, c.K
			horizon := coupled.Horizon(StuckCf, x, 1, c.eta, s.gamma)
			c.T = int(math.Ceil((float64(c.kick) + math.Ceil(horizon)) / float64(c.K)))
			k := ProofConstants(max(4, bounds.C1(1, bounds.Sizes{P: 1, D: s.d, T: c.T, K: c.K, Nu: 0.1})), math.Log(x), horizon)
			radius := coupled.Region(k.Ce, 0.999*s.gamma, s.rho)
			c.re, c.r = radius/x, 1e-3*radius/x
			c.x0 = make([]float64, s.d)
			floats.AddScaled(c.x0, c.re*src.Real("<x^{τ0,K},e> / r_e", -2, 2)/math.Pow(1+c.eta*s.gamma, float64(c.K)), s.e)
			p := s.couple(c, algos.Keyed(src.Key("run")))
			rec.AtLeast("largest distance from x^{τ0,κ0} over R", p.farthest(c.kick+int(math.Ceil(horizon)))/radius, 1)
		})),
		props.Bind("dsecond-stuck-lemma/corrected", props.Tail(func(src *props.Source) props.TailTrial {
			in := drawProof(src, 3).drawStart(src)
			full := in.coupling
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
