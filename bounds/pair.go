package bounds

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"sledge/algos/problems"
	"sledge/bounds/coupled"
	"sledge/concentration"
	"sledge/props"
)

// pairError is the right-hand side of lemma:Second-Auxiliary-A for t > τ (line 1575). perturbation
// = r_e, moved = Σ‖w^s − w^{s−1}‖² over s from max{τ+1, t−T_1+1} to t, size = Σ‖w^s‖² over s from
// max{τ, t−T_1+1} to t; overCb = δ/C_b.
func pairError(cc, zeta, overCb, perturbation, moved, size float64, b int) float64 {
	return cc / math.Sqrt(float64(b)) *
		(zeta*perturbation + zeta*math.Sqrt(moved) + overCb*math.Sqrt(size))
}

// pairCc is the C_c that lines 1699-1712 arrive at: four times 2C_1⁴ + C_1^{3/2}, because the two
// terms of weight 2δ/C_b are summed over overlapping windows.
func pairCc(c1 float64) float64 { return 4 * (2*math.Pow(c1, 4) + math.Pow(c1, 1.5)) }

// drawTailPair draws an instance for a statement that may fail with probability times·ν/T.
func drawTailPair(src *props.Source, times float64) *stuckInstance {
	cb := src.LogReal("C_b", 1, 4)
	in := drawStuck(src, saddleRange{P: problems.Sizes(2, 24), zeta: 5 / cb, times: times}, cb, cb)
	in.drawStart(src)
	in.T = min(in.T, in.tau+30)
	return in.followed()
}

// followed has the constants of a run of that length.
func (in *stuckInstance) followed() *stuckInstance {
	sizes := concentration.Sizes{N: in.P, D: in.d, T: in.T, Nu: in.share * float64(in.T)}
	sampled := in.b
	if in.K > 0 {
		sizes = concentration.Sizes{P: in.P, D: in.d, T: in.T, K: in.K,
			Nu: in.share * float64(in.T*in.K)}
		sampled = in.p
	}
	in.c1 = concentration.C1(1, sizes)
	in.window = coverWindow(in.P, sampled, in.c1)
	return in
}

// onPairs is a statement about coupled runs that may fail with probability times·ν/T, or
// times·ν/(TK), where it has content.
func onPairs(draw func(src *props.Source, times float64) *stuckInstance, times float64,
	compare func(in *stuckInstance, p *coupledRuns, rec *props.Recorder),
	where ...func(in *stuckInstance) props.Condition) *props.Randomised {
	return props.Tail(func(src *props.Source) props.TailTrial {
		in := draw(src, times)
		trial := in.trial(times*in.share, true,
			func(p *coupledRuns, _ props.Trial, rec *props.Recorder) { compare(in, p, rec) })
		for _, content := range where {
			trial.Regime = trial.Regime.And(content(in))
		}
		return trial
	})
}

// eachStep calls f at every t > τ until the runs leave the region around x^τ. It returns the last
// such t, or τ after Skip.
func (in *stuckInstance) eachStep(p *coupledRuns, rec *props.Recorder, f func(t int)) (last int) {
	if last = p.inside(in.radius, p.tau); last <= p.tau {
		rec.Skip("the runs leave the region at the perturbation")
		return p.tau
	}
	for t := p.tau + 1; t <= last; t++ {
		f(t)
	}
	return last
}

// pairError records lemma:Second-Auxiliary-A with the given C_c.
func (in *stuckInstance) pairError(p *coupledRuns, rec *props.Recorder, cc float64) {
	rec.Plot("error that the coupled runs do not share", "t − τ", "‖g^t‖")
	bound := 0.0
	last := in.eachStep(p, rec, func(t int) {
		if t == p.tau+1 {
			for s := range p.tau {
				rec.Equal("‖g^t‖ for t < τ", p.fn[s], 0)
			}
			rec.AtMost("‖g^τ‖", p.fn[p.tau],
				pairError(cc, p.zeta, 0, p.re, 0, 0, p.b)).Scale(rounding)
		}
		moved := normSq(p.dw[max(p.tau+1, t-in.window+1) : t+1])
		size := normSq(p.wn[max(p.tau, t-in.window+1) : t+1])
		bound = pairError(cc, p.zeta, in.overC(), p.re, moved, size, p.b)
		rec.AtMost("‖g^t‖ for t > τ", p.fn[t], bound).Scale(rounding)
		rec.Point(float64(t-p.tau), p.fn[t], bound)
	})
	if last == p.tau || cc < pairCc(in.c1) {
		return // the chain below is that of the proof
	}
	from, b := last-in.window+1, math.Sqrt(float64(in.b))
	first, batches, rest, thirdSq := p.pairTerms(p.gapsUpTo(p.tau, last), from, last)
	perturbation, weights := 2*in.c1*p.zeta*p.re/b,
		math.Sqrt(p.weights(in.overC(), max(p.tau+1, from), last))
	rec.Link("‖g^t‖ at the last step inside", p.fn[last])
	rec.Link("norms of the three terms",
		floats.Norm(first, 2)+floats.Norm(batches, 2)+floats.Norm(rest, 2))
	rec.Link("Cauchy-Schwarz over the window",
		floats.Norm(first, 2)+floats.Norm(batches,
			2)+math.Sqrt(float64(in.window)*thirdSq)/float64(p.P))
	rec.Link("Bernstein with the literal C_1 (line 1700)", perturbation+(2*math.Pow(in.c1, 4)+
		math.Pow(in.c1, 1.5))/b*weights)
	rec.Link("the lemma", bound)
}

// rounding is the scale to state for differences of gradients of size 1: what is below 1e-9 of it,
// 1e-14, is rounding.
const rounding = 1e-5

// smoothShape draws a saddle with strong third derivatives that differ between components.
func smoothShape(src *props.Source, n, d problems.Range) saddleShape {
	shape := drawSaddleShape(src, saddleRange{P: n, d: d, smooth: true, gamma: 0.1})
	shape.Between.Amplitude = src.Real("amplitude", 0, 3)
	return shape
}

// smallN and smallD are the sizes of runs whose Hessians are followed.
var smallN, smallD = problems.Sizes(1, 8), problems.Sizes(1, 3)

// smallSteps are runs whose Hessians are followed.
var smallSteps = saddleRange{P: smallN, d: smallD}

func pairClaims() []props.Binding {
	return []props.Binding{
		props.Bind("saddle-pair-setup", props.Settled(props.Identity(onSteps(smallSteps, 3, 0.5,
			func(p *coupledRuns, rec *props.Recorder) {
				e := make([]float64, p.d)
				floats.AddScaled(e, -p.gamma, p.e)
				rec.EqualVectors("∇²f(x^{τ0})e against −γe", coupled.Times(p.H, p.e), e).Scale(p.L)
				rec.Equal("⟨x_1 − x_2, e⟩ against r_e", floats.Dot(p.w[p.tau], p.e),
					p.re).Scale(p.span())
			})), kicked)),
		props.Bind("saddle-pair-setup/sharper", props.Identity(onSteps(smallSteps, 12, 0.5,
			func(p *coupledRuns, rec *props.Recorder) {
				rec.EqualVectors("x^τ − x̃^τ against r_e e", p.w[p.tau], p.kick()).Scale(p.span())
				if p.rho == 0 && p.b == p.P {
					rec.Equal("‖x^T − x̃^T‖ against (1+ηγ)^{T−τ}r_e", p.wn[p.T],
						p.growth(p.T)).Scale(p.span() * p.growth(p.T) / p.re)
				}
			}))),
		props.Bind("pair-aux-lemma", onPairs(drawTailPair, 1,
			func(in *stuckInstance, p *coupledRuns, rec *props.Recorder) {
				in.pairError(p, rec, pairCc(in.c1))
			})),
		props.Bind("pair-gradient-integral/corrected",
			props.Identity(pairGradientIntegralCorrected)),
		props.Bind("pair-difference-expansion", props.Identity(onSteps(
			saddleRange{P: problems.Sizes(1, 5), d: smallD}, 3, 1, gapExpansion)).Effort(0.3)),
		props.Bind("pair-difference-bound",
			props.Settled(props.All(props.Inequality(pairDifferenceBound), gapOfCubics(2)),
				triangle)),
		props.Bind("pair-difference-bound/reference-point", props.Inequality(onSteps(
			saddleRange{P: smallN, d: smallD, smooth: true, gamma: 0.1}, 4, 2,
			func(p *coupledRuns, rec *props.Recorder) {
				for s := p.tau + 1; s <= p.T; s++ {
					mean, bound := coupled.Norm(p.hessianDrift(s, whole)), 2*p.rho*p.reach(s, p.tau)
					for i := range p.P {
						rec.AtMost("‖dH_i^s‖ + ‖dH^s‖",
							coupled.Norm(p.hessianDrift(s, client(i)))+mean, bound)
					}
				}
			})).Effort(0.5)),
		props.Bind("pair-difference-at-kick", gapAtKick(
			func(p *coupledRuns) float64 { return 2 * p.zeta * p.re })),
		props.Bind("pair-difference-at-kick/sharper", props.All(
			gapAtKick(func(p *coupledRuns) float64 { return allButOne(p.P) * p.zeta * p.re }),
			props.Identity(onSteps(saddleRange{P: problems.Sizes(2, 12), d: problems.Sizes(1, 1),
				zeta: 100, patterns: []problems.Pattern{problems.Outlier}}, 1, 1,
				gapOfOutlier)).Effort(0.5))),
	}
}

// gapExpansion compares every u_i^s with the Hessians of f_i and f times w^s and w^{s−1}.
func gapExpansion(p *coupledRuns, rec *props.Recorder) {
	u, mean, want := p.gapsUpTo(p.tau, p.T), make([]float64, p.d), make([]float64, p.d)
	for s := p.tau; s <= p.T; s++ {
		clear(mean)
		scale := p.L * (p.span() + p.wn[s] + p.wn[s-1])
		for i := range p.P {
			clear(want)
			for _, term := range [...]struct {
				t, i int
				sign float64
			}{{s, i, 1}, {s - 1, i, -1}, {s, -1, -1}, {s - 1, -1, 1}} {
				h := p.hessianDrift(term.t, client(term.i))
				coupled.AddScaled(h, 1, coupled.Hessian(p.product(client(term.i)),
					p.pair.Run.X[p.tau0]))
				floats.AddScaled(want, term.sign, coupled.Times(h, p.w[term.t]))
			}
			row := u[s][i*p.d : (i+1)*p.d]
			floats.AddScaled(mean, 1/float64(p.P), row)
			rec.EqualVectors("u_i^s against its expansion", row, want).Scale(scale)
		}
		rec.EqualVectors("E_i u_i^s", mean, make([]float64, p.d)).Scale(scale)
	}
}

// pairGradientIntegralCorrected compares the gradients of a component at two drawn points with the
// integral of line 1606, from x̃ towards x.
func pairGradientIntegralCorrected(src *props.Source, rec *props.Recorder) {
	shape := smoothShape(src, problems.Sizes(1, 6), problems.Sizes(1, 3))
	s := shape.build(src.Rand("directions"))
	i := src.Int("i", 0, s.P-1)
	x, other := problems.DrawPoint(src, "x", s.d, 1), problems.DrawPoint(src, "w̃", s.d, 1)
	direct, at, diff := make([]float64, s.d), make([]float64, s.d), make([]float64, s.d)
	s.Gradient(direct, x, i, 0)
	s.Gradient(at, other, i, 0)
	floats.Sub(direct, at)
	floats.SubTo(diff, x, other)
	rec.EqualVectors("gradient difference against the integral of ∇²f_i(x̃ + θ(x − x̃))(x − x̃)",
		direct, coupled.Times(s.segment(client(i), other, x), diff)).Scale(4 * s.L)
}

// gapsNear draws a saddle and two pairs of points, those of s − 1 and s, within R of a centre at
// which the Hessians are taken, with R from least to 1.
func gapsNear(src *props.Source, shape saddleShape, least float64) (p *coupledRuns,
	radius float64) {
	s := shape.build(src.Rand("directions"))
	radius = src.LogReal("R", least, 1)
	centre := problems.DrawPoint(src, "centre", s.d, 3)
	near := func(name string) [][]float64 {
		list := [][]float64{problems.DrawPoint(src, name+"^{s−1}", s.d, radius),
			problems.DrawPoint(src, name+"^s", s.d, radius)}
		for _, x := range list {
			floats.Add(x, centre)
		}
		return list
	}
	return &coupledRuns{saddle: s, room: new(room), work: make([]float64, s.d), x: near("x"),
		perturbed: near("w̃")}, radius
}

// gapParts returns ‖w^1 − w^0‖ and 2(δ/C)(‖w^1‖ + ‖w^0‖), of which the bounds on u_i^1 consist.
func (p *coupledRuns) gapParts(overC float64) (distance, drift float64) {
	w, before := make([]float64, p.d), make([]float64, p.d)
	floats.SubTo(w, p.x[1], p.perturbed[1])
	floats.SubTo(before, p.x[0], p.perturbed[0])
	return floats.Distance(w, before, 2),
		2 * overC * (floats.Norm(w, 2) + floats.Norm(before, 2))
}

// pairDifferenceBound tries pair-difference-bound: ‖u_i^1‖ against the bound of line 1628 for
// δ/C_b = ρR.
func pairDifferenceBound(src *props.Source, rec *props.Recorder) {
	p, radius := gapsNear(src, smoothShape(src, problems.Sizes(2, 8), problems.Sizes(1, 2)), 1e-3)
	distance, drift := p.gapParts(p.rho * radius)
	if distance+drift == 0 {
		rec.Skip("w^s = w^{s−1} = 0, where < means 0 < 0")
		return
	}
	u, d := p.gap(1), p.d
	for i := range p.P {
		rec.AtMost("‖u_i^s‖", floats.Norm(u[i*d:(i+1)*d], 2),
			p.zeta*distance+drift).Scale(rounding * p.L)
	}
}

// gapOfOutlier compares the largest ‖u_i^τ‖, on a line, with what it is for one outlier.
func gapOfOutlier(p *coupledRuns, rec *props.Recorder) {
	if p.rho > 0 {
		rec.Skip("the Hessians vary")
		return
	}
	most := 0.0
	for _, u := range p.gap(p.tau) {
		most = max(most, math.Abs(u))
	}
	rec.Equal("‖u_i^τ‖ of the outlier on a line", most,
		allButOne(p.P)*p.zeta*p.re).Scale(p.span() * p.L)
}

// gapAtKick compares every ‖u_i^τ‖ with a bound.
func gapAtKick(bound func(p *coupledRuns) float64) props.Check {
	return props.Inequality(onSteps(
		saddleRange{P: problems.Sizes(2, 12), d: problems.Sizes(1, 2), zeta: 100}, 1, 1,
		func(p *coupledRuns, rec *props.Recorder) {
			u := p.gap(p.tau)
			for i := range p.P {
				rec.AtMost("‖u_i^τ‖", floats.Norm(u[i*p.d:(i+1)*p.d], 2),
					bound(p)).Scale(p.span() * 1e-6)
			}
		})).Effort(2)
}

// gapOfCubics tries line 1628 with the given factor of δ/C_b = ρR on the line, where f_i = ρx³/6
// but for one outlier with the opposite sign, so that ζ = 2ρR in the region [−R, R]. The two
// members of the bound with that factor add up if the coupled runs move from one end of the region
// to the other.
func gapOfCubics(factor float64) props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		n, rho, radius := src.LogInt("n", 2, 1000), src.LogReal("ρ", 1e-3, 1e3),
			src.LogReal("R", 1e-3, 1e3)
		var now, w, before, wBefore float64
		if src.Bool("from end to end") {
			now, w = radius, radius*src.LogReal("|w|/R", 1e-6, 1)
			before, wBefore = w-now, w
		} else {
			point := func(name string) float64 { return radius * src.Real(name+"/R", -1, 1) }
			now, before = point("x^s"), point("x^{s-1}")
			w, wBefore = now-point("w̃^s"), before-point("w̃^{s−1}")
		}
		// The gradient of the outlier deviates from the mean by −(1 − 1/n)ρx².
		gap := allButOne(n) * rho * math.Abs((2*now-w)*w-(2*before-wBefore)*wBefore)
		bound := rho * radius * (2*math.Abs(w-wBefore) + factor*(math.Abs(w)+math.Abs(wBefore)))
		rec.AtMost("‖u_i^s‖ of cubic components", gap,
			bound).Scale(rounding * rho * radius * radius)
	})
}
