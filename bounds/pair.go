package bounds

import (
	"math"
	"math/big"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/bounds/coupled"
	"sledge/props"
)

// PairError is the right-hand side of lemma:Second-Auxiliary-A for t > τ (line 1575). kick = r_e, moved = Σ‖w^s −
// w^{s−1}‖² over s from max{τ+1, t−T_1+1} to t, size = Σ‖w^s‖² over s from max{τ, t−T_1+1} to t; overCb = δ/C_b.
func PairError(cc, zeta, overCb, kick, moved, size float64, b int) float64 {
	return cc / math.Sqrt(float64(b)) * (zeta*kick + zeta*math.Sqrt(moved) + overCb*math.Sqrt(size))
}

// PairCc is the C_c that lines 1699-1712 arrive at: four times 2C_1⁴ + C_1^{3/2}, because the two terms of weight
// 2δ/C_b are summed over overlapping windows.
func PairCc(c1 float64) float64 { return 4 * (2*math.Pow(c1, 4) + math.Pow(c1, 1.5)) }

// gaps holds u_i^s for s = τ … T: row i of gaps[s] (n×d).
func (p *coupledRuns) gaps(from, to int) [][]float64 {
	u := make([][]float64, to+1)
	for s := from; s <= to; s++ {
		u[s] = make([]float64, p.P*p.d)
		p.componentGap(u[s], s)
	}
	return u
}

// tailPair is an instance of the tail statements about pairs.
type tailPair struct {
	stuckInstance
	overCb float64 // δ/C_b = ρR
	c1     float64
	window int // T_1
}

// drawTailPair draws one for a statement that may fail with probability times·ν/T.
func drawTailPair(src *props.Source, times float64) tailPair {
	cb := src.LogReal("C_b", 1, 4)
	l := saddleRange{P: problems.Sizes(2, 24), zeta: 5 / cb, times: times}
	in := tailPair{stuckInstance: drawStuck(src, l, cb, cb).drawStart(src)}
	in.overCb = in.delta / cb
	in.T = min(in.T, in.tau+30)
	in.c1 = C1(1, Sizes{N: in.P, D: in.d, T: in.T, Nu: in.share * float64(in.T)})
	in.window = T1(in.P, in.b, in.c1)
	return in
}

// eachStep runs the couple and calls f at every t > τ until the runs leave the region around x^τ. It returns the couple
// and the last such t, or nil after Skip.
func (in tailPair) eachStep(t props.Trial, rec *props.Recorder, f func(p *coupledRuns, t int)) (*coupledRuns, int) {
	p := in.runAtSaddle(t, rec)
	if p == nil {
		return nil, 0
	}
	last := p.inside(in.radius, p.tau)
	if last <= p.tau {
		rec.Skip("the runs leave the region at the kick")
		return nil, 0
	}
	for t := p.tau + 1; t <= last; t++ {
		f(p, t)
	}
	return p, last
}

// pairError records lemma:Second-Auxiliary-A with the given C_c.
func (in tailPair) pairError(t props.Trial, rec *props.Recorder, cc float64) {
	rec.Plot("error that the twins do not share", "t − τ", "‖g^t‖")
	bound := 0.0
	p, last := in.eachStep(t, rec, func(p *coupledRuns, t int) {
		if t == p.tau+1 {
			for s := range p.tau {
				rec.Equal("‖g^t‖ for t < τ", p.fn[s], 0)
			}
			rec.AtMost("‖g^τ‖", p.fn[p.tau], PairError(cc, p.zeta, 0, p.re, 0, 0, p.b)).Scale(rounding)
		}
		moved, size := 0.0, 0.0
		for s := max(p.tau+1, t-in.window+1); s <= t; s++ {
			moved += p.dw[s] * p.dw[s]
		}
		for s := max(p.tau, t-in.window+1); s <= t; s++ {
			size += p.wn[s] * p.wn[s]
		}
		bound = PairError(cc, p.zeta, in.overCb, p.re, moved, size, p.b)
		rec.AtMost("‖g^t‖ for t > τ", p.fn[t], bound).Scale(rounding)
		rec.Point(float64(t-p.tau), p.fn[t], bound)
	})
	if p == nil || cc < PairCc(in.c1) {
		return // the chain below is that of the proof
	}
	from, b := last-in.window+1, math.Sqrt(float64(in.b))
	first, batches, rest, thirdSq := p.pairTerms(p.gaps(p.tau, last), from, last)
	kick, weights := 2*in.c1*p.zeta*p.re/b, math.Sqrt(p.weights(in.overCb, max(p.tau+1, from), last))
	rec.Link("‖g^t‖ at the last step inside", p.fn[last])
	rec.Link("norms of the three terms", floats.Norm(first, 2)+floats.Norm(batches, 2)+floats.Norm(rest, 2))
	rec.Link("Cauchy-Schwarz over the window",
		floats.Norm(first, 2)+floats.Norm(batches, 2)+math.Sqrt(float64(in.window)*thirdSq)/float64(p.P))
	rec.Link("Bernstein with the literal C_1 (line 1700)", kick+(2*math.Pow(in.c1, 4)+math.Pow(in.c1, 1.5))/b*weights)
	rec.Link("the lemma", bound)
}

// rounding is the scale to state for differences of gradients of size 1: what is below 1e-9 of it, 1e-14, is rounding.
const rounding = 1e-5

// smoothShape draws a saddle with strong third derivatives that differ between components.
func smoothShape(src *props.Source, n, d problems.Range) saddleShape {
	shape := drawSaddleShape(src, saddleRange{P: n, d: d, smooth: true, gamma: 0.1})
	shape.Between.Amplitude = src.Real("amplitude", 0, 3)
	return shape
}

// segment draws two points and a component for the integral of line 1606.
func drawSegment(src *props.Source) (s *saddle, i int, x, twin, direct []float64) {
	shape := smoothShape(src, problems.Sizes(1, 6), problems.Sizes(1, 3))
	s = shape.build(src.Rand("directions"))
	i = src.Int("i", 0, s.P-1)
	x, twin = problems.DrawPoint(src, "x", s.d, 1), problems.DrawPoint(src, "twin", s.d, 1)
	direct, at := make([]float64, s.d), make([]float64, s.d)
	s.Gradient(direct, x, i, 0)
	s.Gradient(at, twin, i, 0)
	floats.Sub(direct, at)
	return s, i, x, twin, direct
}

func pairClaims() []props.Binding {
	smallN, smallD := problems.Sizes(1, 8), problems.Sizes(1, 3)
	return []props.Binding{
		props.Bind("saddle-pair-setup", props.Identity(func(src *props.Source, rec *props.Recorder) {
			p := drawCoupledSteps(src, rec, saddleRange{P: smallN, d: problems.Sizes(1, 1)}, 3, 0.5)
			if p == nil {
				return
			}
			g := make([]float64, 1)
			p.FullGradient(g, p.pair.Run.X[p.tau0])
			rec.AtMost("the 1×1 matrix ∇f(x^{τ0}) against −δ, δ = −λ_min(∇²f(x^{τ0}))", g[0], -p.gamma)
		})),
		props.Bind("saddle-pair-setup/corrected", props.Identity(func(src *props.Source, rec *props.Recorder) {
			p := drawCoupledSteps(src, rec, saddleRange{P: smallN, d: smallD}, 12, 0.5)
			if p == nil {
				return
			}
			he, e := coupled.Times(p.H, p.e), make([]float64, p.d)
			floats.AddScaled(e, -p.gamma, p.e)
			rec.EqualVectors("∇²f(x^{τ0})e against −γe", he, e).Scale(p.L)
			floats.ScaleTo(e, p.re, p.e)
			rec.EqualVectors("x^τ − x̃^τ against r_e e", p.w[p.tau], e).Scale(p.span())
			if p.rho == 0 && p.b == p.P {
				rec.Equal("‖x^T − x̃^T‖ against (1+ηγ)^{T−τ}r_e", p.wn[p.T], p.growth(p.T)).Scale(p.span() * p.growth(p.T) / p.re)
			}
		})),
		props.Bind("coupling-definition", props.Identity(func(src *props.Source, rec *props.Recorder) {
			p := drawCoupledSteps(src, rec, saddleRange{P: smallN, d: smallD}, 3, 1)
			if p == nil {
				return
			}
			for t := range p.tau { // two runs that compute the same are the same to the bit
				rec.Rats("‖w^t‖ for t < τ", new(big.Rat).SetFloat64(p.wn[t]), props.EQ, new(big.Rat))
				rec.Rats("‖g^t‖ for t < τ", new(big.Rat).SetFloat64(p.fn[t]), props.EQ, new(big.Rat))
			}
			e := make([]float64, p.d)
			floats.ScaleTo(e, p.re, p.e)
			rec.EqualVectors("w^τ against r_e e", p.w[p.tau], e).Scale(p.span())
		})),
		props.Bind("pair-aux-lemma", props.Tail(func(src *props.Source) props.TailTrial {
			in := drawTailPair(src, 1)
			return in.trial(in.share, true, func(t props.Trial, rec *props.Recorder) { in.pairError(t, rec, PairCc(in.c1)) })
		})),
		props.Bind("pair-gradient-integral", props.Identity(func(src *props.Source, rec *props.Recorder) {
			s, i, x, twin, direct := drawSegment(src)
			away := make([]float64, s.d)
			for k := range away {
				away[k] = 2*twin[k] - x[k]
			}
			diff := make([]float64, s.d)
			floats.SubTo(diff, x, twin)
			rec.EqualVectors("gradient difference against the integral of ∇²f_i(x̃ − θ(x − x̃))(x − x̃)", direct,
				coupled.Times(s.segment(client(i), twin, away), diff)).
				Scale(4 * s.L)
		})),
		props.Bind("pair-gradient-integral/corrected", props.Identity(func(src *props.Source, rec *props.Recorder) {
			s, i, x, twin, direct := drawSegment(src)
			diff := make([]float64, s.d)
			floats.SubTo(diff, x, twin)
			rec.EqualVectors("gradient difference against the integral of ∇²f_i(x̃ + θ(x − x̃))(x − x̃)", direct,
				coupled.Times(s.segment(client(i), twin, x), diff)).
				Scale(4 * s.L)
		})),
		props.Bind("pair-difference-expansion", props.Identity(func(src *props.Source, rec *props.Recorder) {
			p := drawCoupledSteps(src, rec, saddleRange{P: problems.Sizes(1, 5), d: smallD}, 3, 1)
			if p == nil {
				return
			}
			u, mean, want := p.gaps(p.tau, p.T), make([]float64, p.d), make([]float64, p.d)
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
						coupled.AddScaled(h, 1, coupled.Hessian(p.product(client(term.i)), p.pair.Run.X[p.tau0]))
						floats.AddScaled(want, term.sign, coupled.Times(h, p.w[term.t]))
					}
					row := u[s][i*p.d : (i+1)*p.d]
					floats.AddScaled(mean, 1/float64(p.P), row)
					rec.EqualVectors("u_i^s against its expansion", row, want).Scale(scale)
				}
				rec.EqualVectors("E_i u_i^s", mean, make([]float64, p.d)).Scale(scale)
			}
		}).Effort(0.3)),
		props.Bind("pair-difference-bound", props.All(props.Inequality(func(src *props.Source, rec *props.Recorder) {
			shape := smoothShape(src, problems.Sizes(2, 8), problems.Sizes(1, 2))
			s := shape.build(src.Rand("directions"))
			centre, radius := problems.DrawPoint(src, "x^tau", s.d, 3), src.LogReal("R", 1e-3, 1)
			p := &coupledRuns{saddle: s}
			near := func(name string) [][]float64 {
				var list [][]float64
				for _, when := range [...]string{"s-1", "s"} {
					x := problems.DrawPoint(src, name+"^"+when, s.d, radius)
					floats.Add(x, centre)
					list = append(list, x)
				}
				return list
			}
			p.x, p.perturbed = near("x"), near("twin")
			recordGapBound(rec, p, s.rho*radius)
		}), gapOfCubics(2))),
		props.Bind("pair-difference-bound/reference-point", props.Inequality(func(src *props.Source, rec *props.Recorder) {
			p := drawCoupledSteps(src, rec, saddleRange{P: smallN, d: smallD, smooth: true, gamma: 0.1}, 4, 2)
			if p == nil {
				return
			}
			for s := p.tau + 1; s <= p.T; s++ {
				mean, bound := coupled.Norm(p.hessianDrift(s, whole)), 2*p.rho*p.reach(s, p.tau)
				for i := range p.P {
					rec.AtMost("‖dH_i^s‖ + ‖dH^s‖", coupled.Norm(p.hessianDrift(s, client(i)))+mean, bound)
				}
			}
		}).Effort(0.5)),
		props.Bind("pair-difference-at-kick", gapAtKick(func(p *coupledRuns) float64 { return 2 * p.zeta * p.re })),
		props.Bind("pair-difference-at-kick/sharper",
			props.All(gapAtKick(func(p *coupledRuns) float64 { return allButOne(p.P) * p.zeta * p.re }),
				props.Identity(func(src *props.Source, rec *props.Recorder) {
					p := drawCoupledSteps(src, rec, saddleRange{P: problems.Sizes(2, 12), d: problems.Sizes(1, 1), zeta: 100,
						patterns: []problems.Pattern{problems.Outlier}}, 1, 1)
					if p == nil {
						return
					}
					if p.rho > 0 {
						rec.Skip("the Hessians vary")
						return
					}
					most := 0.0
					for _, u := range p.gaps(p.tau, p.tau)[p.tau] {
						most = max(most, math.Abs(u))
					}
					rec.Equal("‖u_i^τ‖ of the outlier on a line", most, allButOne(p.P)*p.zeta*p.re).Scale(p.span() * p.L)
				}).Effort(0.5))),
	}
}

// gapAtKick compares every ‖u_i^τ‖ with a bound.
func gapAtKick(bound func(p *coupledRuns) float64) props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		p := drawCoupledSteps(src, rec, saddleRange{P: problems.Sizes(2, 12), d: problems.Sizes(1, 2), zeta: 100}, 1, 1)
		if p == nil {
			return
		}
		u := p.gaps(p.tau, p.tau)[p.tau]
		for i := range p.P {
			rec.AtMost("‖u_i^τ‖", floats.Norm(u[i*p.d:(i+1)*p.d], 2), bound(p)).Scale(p.span() * 1e-6)
		}
	}).Effort(2)
}

// recordGapBound compares ‖u_i^1‖ with the bound of line 1628 for δ/C_b = overCb.
func recordGapBound(rec *props.Recorder, p *coupledRuns, overCb float64) {
	d := p.d
	now, before, diff := make([]float64, d), make([]float64, d), make([]float64, d)
	floats.SubTo(now, p.x[1], p.perturbed[1])
	floats.SubTo(before, p.x[0], p.perturbed[0])
	floats.SubTo(diff, now, before)
	bound := p.zeta*floats.Norm(diff, 2) + 2*overCb*(floats.Norm(now, 2)+floats.Norm(before, 2))
	if bound == 0 {
		rec.Skip("w^s = w^{s−1} = 0, where < means 0 < 0")
		return
	}
	u := make([]float64, p.P*d)
	p.componentGap(u, 1)
	for i := range p.P {
		rec.AtMost("‖u_i^s‖", floats.Norm(u[i*d:(i+1)*d], 2), bound).Scale(rounding * p.L)
	}
}

// gapOfCubics tries line 1628 with the given factor of δ/C_b = ρR on the line, where f_i = ρx³/6 but for one outlier
// with the opposite sign, so that ζ = 2ρR in the region [−R, R]. The two members of the bound with that factor add up
// if the twins move from one end of the region to the other.
func gapOfCubics(factor float64) props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		n, rho, radius := src.LogInt("n", 2, 1000), src.LogReal("ρ", 1e-3, 1e3), src.LogReal("R", 1e-3, 1e3)
		var now, w, before, wBefore float64
		if src.Bool("from end to end") {
			now, w = radius, radius*src.LogReal("|w|/R", 1e-6, 1)
			before, wBefore = w-now, w
		} else {
			point := func(name string) float64 { return radius * src.Real(name+"/R", -1, 1) }
			now, before = point("x^s"), point("x^{s-1}")
			w, wBefore = now-point("twin^s"), before-point("twin^{s-1}")
		}
		// The gradient of the outlier deviates from the mean by −(1 − 1/n)ρx².
		gap := allButOne(n) * rho * math.Abs((2*now-w)*w-(2*before-wBefore)*wBefore)
		bound := rho * radius * (2*math.Abs(w-wBefore) + factor*(math.Abs(w)+math.Abs(wBefore)))
		rec.AtMost("‖u_i^s‖ of cubic components", gap, bound).Scale(rounding * rho * radius * radius)
	})
}

// TablePairError is the setting of lemma:D-Second-Auxiliary-A (lines 2649-2669): how much of the error of the table two
// coupled runs do not share.
type TablePairError struct {
	Cg, Zeta, L, OverCe float64 // OverCe = δ/C_e
	P, Chosen, K, B     int
	Re                  float64
}

// AtKick is the bound on ‖g^{τ0}‖: (ζ/√p + L/√(pKb))C_g r_e.
func (v TablePairError) AtKick() float64 {
	p, K, b := float64(v.Chosen), float64(v.K), float64(v.B)
	return (v.Zeta/math.Sqrt(p) + v.L/math.Sqrt(p*K*b)) * v.Cg * v.Re
}

// After is the printed bound for t > τ0; moved = Σ‖w^{s,k} − w^{s,k−1}‖² over the local steps of the rounds from
// max{τ0+1, t−T_3+1} to t, size = Σ‖w^s‖² over the rounds from max{τ0, t−T_3+1} on.
func (v TablePairError) After(moved, size float64) float64 {
	p, K, b := float64(v.Chosen), float64(v.K), float64(v.B)
	return v.AtKick() + (v.Zeta*math.Sqrt(K/p)+v.L/math.Sqrt(p*b))*v.Cg*math.Sqrt(moved) +
		v.Cg*v.OverCe/math.Sqrt(p)*math.Sqrt(size)
}

// Fresh is the term that the printed bound lacks, the noise of the gradients that the clients sent when they last took
// part: C_gL/√(PKb) times the largest ‖w^s‖ of the rounds in question.
func (v TablePairError) Fresh(largest float64) float64 {
	return v.Cg * v.L / math.Sqrt(float64(v.P)*float64(v.K)*float64(v.B)) * largest
}

// PairCg is a C_g that the repaired proof arrives at: 8(2C_1⁴ + C_1^{3/2}).
func PairCg(c1 float64) float64 { return 2 * PairCc(c1) }

// past presents the run of a couple as a path, for its sets of clients and data.
func (p *coupledRuns) past() *fledgePath {
	return &fledgePath{fledgeInstance: &fledgeInstance{P: p.P, K: p.K, T: p.T, option: p.option}, tape: p.pair.Run}
}

// fresh returns (1/(PKb))Σ_{i: T_4(t,i) ≥ τ0}Σ_{J_i}(∇f_ij − ∇f_i)(x) − (∇f_ij − ∇f_i)(x̃), at the x and J_i of round
// T_4(t,i).
func (p *coupledRuns) fresh(t int) []float64 {
	sum, run := make([]float64, p.d), p.past()
	last := run.refreshed(t)
	for s := p.tau / p.K; s <= t; s++ {
		clients, batches := run.batches(s)
		for k, i := range clients {
			if last[i] != s {
				continue
			}
			for _, j := range batches[k] {
				floats.AddScaled(sum, 1/float64(p.P*len(batches[k])), p.change(s*p.K, -1, of{i, j}, client(i)))
			}
		}
	}
	return sum
}

// parts returns what g^t is made of. own is the sum over s from τ0 to t of (1/P)((|Ĩ_s^t|/p)Σ_{I^s}u_i^s −
// Σ_{Ĩ_s^t}u_i^s); data that of (|Ĩ_s^t|/(PpKb))Σ_{I^s}Σ_{J_i^s}u_ij^s; see [couple.fresh].
func (p *coupledRuns) parts(t int) (own, data, fresh []float64) {
	d, run := p.d, p.past()
	own, data, fresh = make([]float64, d), make([]float64, d), p.fresh(t)
	P, tau0 := float64(p.P), p.tau/p.K
	count, last := run.unsampled(t), run.refreshed(t)
	for s := tau0; s <= t; s++ {
		m, before := s*p.K, (s-1)*p.K
		clients, batches := run.batches(s)
		for k, i := range clients {
			floats.AddScaled(own, float64(count[s])/P/float64(len(clients)), p.change(m, before, client(i), whole))
			for _, j := range batches[k] {
				floats.AddScaled(data, float64(count[s])/P/float64(len(clients)*len(batches[k])),
					p.change(m, before, of{i, j}, client(i)))
			}
		}
		for i, l := range last {
			if l < s {
				floats.AddScaled(own, -1/P, p.change(m, before, client(i), whole))
			}
		}
	}
	return own, data, fresh
}

// pairIdentity compares g^t with a sum of its parts at every round from τ0 on.
func pairIdentity(name string, add func(sum, data, fresh []float64)) props.Check {
	return props.Identity(func(src *props.Source, rec *props.Recorder) {
		p := drawCoupledRounds(src, rec, smallRuns)
		if p == nil {
			return
		}
		for t := range p.T + 1 {
			if t < p.tau/p.K {
				rec.Equal("‖g^t‖ for t < τ0", floats.Norm(p.g[t], 2), 0).Scale(p.span())
				continue
			}
			sum, data, fresh := p.parts(t)
			add(sum, data, fresh)
			rec.EqualVectors(name, p.g[t], sum).Scale(p.span())
		}
	}).Effort(0.3)
}

// increments returns z^{t,k} of a tape for a couple, from its minibatches.
func (p *coupledRuns) increments(tape *algos.Tape, t, k int) []float64 {
	z, g := make([]float64, p.d), make([]float64, p.d)
	i := tape.Sets(t, algos.Worker)[0][0]
	for l, batch := range tape.Sets(t, algos.LocalBatches)[:k] {
		for _, j := range batch {
			p.Gradient(g, tape.Local[t][l+1], i, j)
			floats.AddScaled(z, 1/float64(len(batch)), g)
			p.Gradient(g, tape.Local[t][l], i, j)
			floats.AddScaled(z, -1/float64(len(batch)), g)
		}
	}
	return z
}

// localGap returns h^{t,k} for given z and z̃.
func (p *coupledRuns) localGap(z, twin []float64, t, k int) []float64 {
	h := append([]float64(nil), z...)
	floats.Sub(h, twin)
	p.addGap(h, -1, (t-1)*p.K+k, whole)
	p.addGap(h, 1, (t-1)*p.K, whole)
	return h
}

// errorIdentity compares the difference of the errors of v^{t,k} and ṽ^{t,k} with g^{t−1} + h^{t,k}. As printed ṽ^{t,k}
// has z^{t,k}.
func errorIdentity(printed bool) props.Check {
	return props.Identity(func(src *props.Source, rec *props.Recorder) {
		p := drawCoupledRounds(src, rec, smallRuns)
		if p == nil {
			return
		}
		run, twin := p.pair.Run, p.pair.Coupled
		for m := p.tau0; m < len(p.force); m++ {
			t, k := p.round(m)
			z, zt := p.increments(run, t, k), p.increments(twin, t, k)
			sum := p.localGap(z, zt, t, k)
			floats.Add(sum, p.g[t-1])
			left := append([]float64(nil), run.LocalV[t][k]...)
			if printed {
				floats.Sub(left, twin.V[t-1])
				floats.Sub(left, z)
			} else {
				floats.Sub(left, twin.LocalV[t][k])
			}
			p.addGap(left, -1, m, whole)
			rec.EqualVectors("v − ∇f(x) − (ṽ − ∇f(x̃)) against g^{t−1} + h^{t,k}", left, sum).Scale(p.span())
			rec.Equal("x^{t,0} against x^{t−1}", floats.Distance(run.Local[t][0], run.X[t-1], 2), 0).Scale(p.span())
		}
	}).Effort(0.3)
}

// componentBounds compares ‖u_i‖ and ‖u_ij‖ between two pairs of points, each within R of a centre at which the
// Hessians are taken, with ζ or data(L) times ‖w − w'‖ plus (2δ/C_e)(‖w‖ + ‖w'‖), ρR for δ/C_e; moved is what stands
// for ‖w − w'‖.
func componentBounds(data func(L float64, m int) float64, moved func(distance float64) float64) props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		shape := drawSaddleShape(src, saddleRange{P: problems.Sizes(1, 4), data: problems.Sizes(2, 8),
			d: problems.Sizes(1, 2)})
		shape.Within.Hessian = src.Real("Hessian distance of data", 0, 6)
		if src.Bool("one datum apart") {
			shape.Within.Pattern = problems.Outlier
		}
		if src.Bool("no third derivatives") {
			shape.Family, shape.Between.Amplitude, shape.Within.Amplitude = coupled.Quadratic, 0, 0
		}
		s := shape.build(src.Rand("directions"))
		radius := src.LogReal("R", 0.1, 1)
		centre := problems.DrawPoint(src, "centre", s.d, 3)
		near := func(name string) []float64 {
			x := problems.DrawPoint(src, name, s.d, radius)
			floats.Add(x, centre)
			return x
		}
		p := &coupledRuns{saddle: s, coupling: coupling{K: 1}, x: [][]float64{near("x^{s−1}"), near("x^s")},
			perturbed: [][]float64{near("twin of x^{s−1}"), near("twin of x^s")}}
		w, before := make([]float64, s.d), make([]float64, s.d)
		floats.SubTo(w, p.x[1], p.perturbed[1])
		floats.SubTo(before, p.x[0], p.perturbed[0])
		distance := moved(floats.Distance(w, before, 2))
		drift := 2 * s.rho * radius * (floats.Norm(w, 2) + floats.Norm(before, 2))
		if floats.Distance(w, before, 2) <= 1e-6 {
			rec.Skip("w^s = w^{s−1}")
			return
		}
		scale := rounding * (1 + s.L + s.linear)
		for i := range s.P {
			rec.AtMost("‖u_i‖", floats.Norm(p.change(1, 0, client(i), whole), 2), s.zeta*distance+drift).Scale(scale)
			for j := range s.data {
				rec.AtMost("‖u_ij‖", floats.Norm(p.change(1, 0, of{i, j}, client(i)), 2),
					data(s.L, s.data)*distance+drift).Scale(scale)
			}
		}
	}).Effort(0.5)
}

func once(L float64, _ int) float64    { return L }
func twofold(L float64, _ int) float64 { return 2 * L }

func itself(x float64) float64 { return x }

// allShares are the failure probabilities ν of which parts of a lemma take shares.
var allShares = inductionWords.MustDomain("ν ∈ [0.01, 0.99]")

func tablePairClaims() []props.Binding {
	return []props.Binding{
		props.Bind("dsecond-error-identity", errorIdentity(true)),
		props.Bind("dsecond-error-identity/corrected", errorIdentity(false)),
		// in units of L/√(PKb), with b large enough for C_e ≥ 1; Σ over the C_1 rounds of the window; (a) and (b) of the
		// induction; C_e = (δ/L)√(PKb)
		props.Bind("dsecond-aux-a",
			inductionWords.MustDomain("P ∈ [2, 1e12], w ∈ [1r_e, 1e6 r_e], γ, η ∈ [1e-6(1/γ), 1/γ]").Order(
				"w/2 = Õ(C_1⁸(r_e + 3C_1^{1/2}ηγw + 2C_1^{1/2}w/√P))")),
		props.Bind("dsecond-aux-a/corrected", tableErrors(PairCg).Effort(runEffort)),
		props.Bind("dsecond-aux-a/sharper", tableErrors(func(float64) float64 { return 2 }).Effort(runEffort)),
		props.Bind("dsecond-error-decomposition", pairIdentity("g^t against the printed groups",
			func(sum, data, fresh []float64) { floats.Add(sum, data) })),
		props.Bind("dsecond-error-decomposition/corrected", pairIdentity("g^t against its parts",
			func(sum, data, fresh []float64) { floats.Add(sum, data); floats.Add(sum, fresh) })),
		props.Bind("dsecond-component-bounds", componentBounds(once, itself)),
		props.Bind("dsecond-component-bounds/corrected", componentBounds(twofold, itself)),
		props.Bind("dsecond-component-bounds/sharper", componentBounds(func(L float64,
			m int) float64 {
			return 2 * (1 - 1/float64(m)) * L
		}, itself)),
		// U = Σ_{k=1}^T P(1 − p/P)^k for T = T_3, in units with Kb = 1
		props.Bind("dsecond-d-second-term",
			inductionWords.MustDomain("P ∈ [2, 1e30]").Order("p = √P, C_1 = log(P + 10), T = PC_1/p, "+
				"U = P(1 − (1 − p/P)^T)(P/p − 1); √(T(1 + U))/P = O(√(C_1/(Pp))√(TC_1²p))")),
		props.Bind("dsecond-d-second-term/corrected", props.Tail(func(src *props.Source) props.TailTrial {
			in := drawClientPair(src, 1)
			c1 := C1(1, Sizes{P: in.P, D: in.d, T: in.T, K: in.K, Nu: 4 * in.share * float64(in.T*in.K)}) // ν/(4TK) is the share
			return props.TailTrial{Delta: in.share, Joint: true, Regime: in.regime(in.share, true),
				Run: func(t props.Trial, rec *props.Recorder) {
					in.eachRound(t, rec, func(p *coupledRuns, t int) {
						rec.AtMost("noise of the last minibatches", floats.Norm(p.fresh(t), 2),
							2*c1*p.L/math.Sqrt(float64(p.P*p.K*p.b))*p.largest(p.tau/p.K, t)).Scale(rounding)
					})
				}}
		}).Effort(runEffort)),
		props.Bind("dsecond-aux-a-combination", props.All(
			inductionWords.Homogeneous("g ≤ (ζ/√p + L/√(pKb))C_gζr_e + (C_gδ/C_e)w"),
			allShares.Implies("ν(1 + 2 + 2)/8 + (1 + 2)/8 ≤ ν"))),
		props.Bind("dsecond-aux-a-combination/corrected", props.All(
			inductionWords.Homogeneous("g ≤ (ζ/√p + L/√(pKb))C_gr_e + (C_gδ/(C_e√p))w"),
			allShares.Implies("ν(1 + 1 + 2 + 2 + 2)/8 ≤ ν"),
			props.Inequality(tryCombination))),
		props.Bind("dsecond-aux-b", props.All(
			componentBounds(once, func(float64) float64 { return 0 }),
			props.Identity(func(src *props.Source, rec *props.Recorder) {
				p := drawCoupledRounds(src, rec, smallRuns)
				if p == nil {
					return
				}
				tau0 := p.tau / p.K
				h := p.localGap(p.increments(p.pair.Run, tau0, p.K), p.increments(p.pair.Coupled, tau0, p.K), tau0, p.K)
				rec.Equal("‖h^{τ0,K}‖", floats.Norm(h, 2), 0).Scale(p.span())
			}).Effort(0.3))),
		props.Bind("dsecond-aux-b/corrected", props.All(localIdentity(), props.Tail(setupLocalError).Effort(runEffort))),
	}
}

// localIdentity compares h^{t,k} of the runs with its sum.
func localIdentity() props.Check {
	return props.Identity(func(src *props.Source, rec *props.Recorder) {
		p := drawCoupledRounds(src, rec, smallRuns)
		if p == nil {
			return
		}
		run := p.pair.Run
		for m := range p.force {
			t, k := p.round(m)
			h := append([]float64(nil), p.force[m]...)
			floats.Sub(h, p.g[t-1])
			if m < p.tau {
				rec.Equal("‖h^{t,k}‖ before the kick", floats.Norm(h, 2), 0).Scale(p.span())
				continue
			}
			i, start := run.Sets(t, algos.Worker)[0][0], (t-1)*p.K
			sum := p.change(m, start, client(i), whole)
			for l, batch := range run.Sets(t, algos.LocalBatches)[:k] {
				for _, j := range batch {
					floats.AddScaled(sum, 1/float64(len(batch)), p.change(start+l+1, start+l, of{i, j}, client(i)))
				}
			}
			rec.EqualVectors("h^{t,k} against its sum", h, sum).Scale(p.span())
		}
	}).Effort(0.3)
}

// tryCombination adds the bounds on the parts for any norms and compares them with the combined one.
func tryCombination(src *props.Source, rec *props.Recorder) {
	c1 := src.LogReal("C_1", 1, 100)
	v := TablePairError{Cg: PairCg(c1), L: src.LogReal("L", 1e-3, 1e3), OverCe: src.LogReal("delta / C_e", 1e-3, 1e3),
		P: src.LogInt("P", Several, 1e6), K: src.LogInt("K", 1, 1000),
		B: src.LogInt("b", 1, 1000), Re: src.LogReal("r_e", 1e-3, 1e3)}
	v.Zeta = v.L * src.LogReal("zeta / L", 1e-6, 2)
	v.Chosen = src.LogInt("p", 1, v.P)
	p, Kb := float64(v.Chosen), float64(v.K)*float64(v.B)
	r, rounds := src.Rand("norms"), src.Int("rounds of the window", 1, 6)
	speed := src.LogReal("speed", 1e-3, 1e3)
	w := []float64{v.Re * r.Float64()}
	own, data, moved, size, most := 0.0, 0.0, 0.0, sq(w[0]), w[0]
	for range rounds {
		distance := speed * v.Re * r.Float64() // of w^s from w^{s−1}, in K equal steps
		next := math.Abs(w[len(w)-1] + distance*(2*r.Float64()-1))
		drift := 2 * v.OverCe * (next + w[len(w)-1])
		own, data = own+sq(v.Zeta*distance+drift), data+sq(2*v.L*distance+drift)
		w = append(w, next)
		moved, size, most = moved+sq(distance)/float64(v.K), size+sq(next), max(most, next)
	}
	parts := 2*c1*v.Zeta*v.Re/math.Sqrt(p) + 2*c1*c1*v.L*v.Re/math.Sqrt(p*Kb) +
		(2*math.Pow(c1, 4)+math.Pow(c1, 1.5))/math.Sqrt(p)*math.Sqrt(own) +
		2*math.Pow(c1, 4)/math.Sqrt(p*Kb)*math.Sqrt(data) +
		2*c1*v.L/math.Sqrt(float64(v.P)*Kb)*most
	rec.AtMost("sum of the bounds on the parts", parts, v.After(moved, size)+v.Fresh(most))
}
