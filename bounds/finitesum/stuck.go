package finitesum

import (
	"cmp"
	"math"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/bounds"
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
	in := stuckInstance{delta: 0.9 * shape.Gamma, share: bounds.DrawNu(src, "nu / T", cmp.Or(l.times, 1))}
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
		c1 := max(4, bounds.C1(1, bounds.Sizes{N: shape.n, D: shape.Dim, T: steps, Nu: in.share * float64(steps)}))
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
	r := bounds.Sum(in.n, in.b, in.d, in.zeta).And(props.Min("T − τ", in.T-in.tau, bounds.LeastSteps), props.Allowed(delta), bounds.Within(in.r, in.radius))
	if strayed {
		r.Matter, r.Least = coupled.Strayed, bounds.LeastShare
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
			k := ProofConstants(max(4, bounds.C1(1, bounds.Sizes{N: 1, D: s.d, T: c.T, Nu: 0.1})), math.Log(x), horizon)
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
